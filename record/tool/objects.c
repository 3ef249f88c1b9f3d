/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.c -- a program and the libraries that are loaded with it. */
#include "record/tool/objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/alloc.h"

static void add_object(struct tv_objects *objects, const char *path, size_t length)
{
	TV_GROW(objects->path, objects->n, objects->cap, 1);
	objects->path[objects->n++] = tv_strndup(path, length);
}

void tv_release_objects(struct tv_objects *objects)
{
	for (size_t i = 0; i < objects->n; i++)
		tv_free(objects->path[i]);
	tv_free(objects->path);
}

/* Starts `LINKER --list PROGRAM`, which prints "NAME => PATH (ADDRESS)" of each library. */
static FILE *list_libraries(const char *linker, const char *program, const char *preload,
			    pid_t *child)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return NULL;
	*child = fork();
	if (*child == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(ends[1], 1);
		dup2(null, 2);
		if (preload != NULL)
			setenv("LD_PRELOAD", preload, 1);
		execl(linker, linker, "--list", program, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*child < 0) {
		close(ends[0]);
		return NULL;
	}
	return fdopen(ends[0], "r");
}

void tv_find_objects(struct tv_objects *objects, const char *program, const struct tv_elf *elf,
		     const char *preload)
{
	const char *linker = tv_elf_interpreter(elf);
	char *line = NULL, *begin, *end;
	size_t size = 0;
	pid_t child;
	FILE *list;

	add_object(objects, program, strlen(program));
	list = linker ? list_libraries(linker, program, preload, &child) : NULL;
	if (!list)
		return;
	while (getline(&line, &size, list) >= 0) {
		begin = strstr(line, "=> /");
		end = begin ? strstr(begin, " (0x") : NULL;
		if (end)
			add_object(objects, begin + 3, (size_t)(end - begin) - 3);
	}
	free(line);
	fclose(list);
	waitpid(child, NULL, 0);
}

static bool needs(const char *path, const char *library)
{
	struct tv_elf elf;
	bool found = tv_elf_open(&elf, path) == TV_ELF_DYNAMIC && tv_elf_needs(&elf, library);

	tv_elf_release(&elf);
	return found;
}

size_t tv_find_need(const struct tv_objects *objects, const char *library)
{
	size_t i = 0;

	while (i < objects->n && !needs(objects->path[i], library))
		i++;
	return i;
}
