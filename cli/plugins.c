/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugins.c -- find, list and run verbs of others. */
#include "cli/plugins.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/verbs.h"
#include "trace/alloc.h"
#include "trace/pool.h"

#define PREFIX "traceviz-plugin-"

/* The next folder of PATH, in new memory, *at starting at PATH; NULL after the last one. The current
 * folder counts only by its name. */
static char *next_folder(const char **at)
{
	while (*at != NULL && **at != '\0') {
		size_t n = strcspn(*at, ":");
		char *folder = tv_strndup(*at, n);

		*at += n + ((*at)[n] == ':');
		if (n > 0)
			return folder;
		tv_free(folder);
	}
	return NULL;
}

/* Whether a text is the NAME of a plugin: letters, digits, - and _. traceviz-mpi and those beside it are our own. */
static bool is_name(const char *text)
{
	if (strncmp(text, "mpi", 3) == 0 && (text[3] == '\0' || text[3] == '-'))
		return false;
	return text[0] != '\0' && text[0] != '-'
	    && text[strspn(text,
			   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")]
		       == '\0';
}

static bool can_run(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The path of a plugin in new memory; NULL = there is none. */
static char *find(const char *name)
{
	const char *at = getenv("PATH");
	char *folder, *path = NULL;

	while (path == NULL && (folder = next_folder(&at)) != NULL) {
		path = tv_format("%s/" PREFIX "%s", folder, name);
		if (!can_run(path)) {
			tv_free(path);
			path = NULL;
		}
		tv_free(folder);
	}
	return path;
}

int tv_plugin_run(int argc, char **argv, struct tv_error *err)
{
	char self[PATH_MAX], *path;
	struct tv_verb verb;
	ssize_t n;

	if (argc < 2 || !is_name(argv[1]) || tv_verb_find(argv[1], &verb)
	    || access(argv[1], F_OK) == 0 || (path = find(argv[1])) == NULL)
		return 0;
	n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n > 0) {
		self[n] = '\0';
		setenv("TRACEVIZ", self, 1);
	}
	argv[1] = path;
	execv(path, argv + 1);
	tv_fail_at(err, (struct tv_pos){ path, 0 }, "cannot run: %s", strerror(errno));
	tv_free(path);
	return -1;
}

static void add_names(const char *folder, struct tv_pool *names)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name + strlen(PREFIX);
		struct tv_verb verb;
		char *path;

		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0 || !is_name(name)
		    || tv_verb_find(name, &verb))
			continue;
		path = tv_format("%s/%s", folder, entry->d_name);
		if (can_run(path))
			tv_intern_text(names, name);
		tv_free(path);
	}
	if (dir != NULL)
		closedir(dir);
}

void tv_plugins_list(struct tv_output *out)
{
	const char *at = getenv("PATH");
	struct tv_pool *names = tv_pool_new();
	char *folder;
	uint32_t *name, n;

	for (; (folder = next_folder(&at)) != NULL; tv_free(folder))
		add_names(folder, names);
	n = tv_pool_count(names) - 1;
	name = tv_alloc(n, sizeof *name);
	for (uint32_t i = 0; i < n; i++)
		name[i] = i + 1; /* 0 is the empty text */
	qsort_r(name, n, sizeof *name, tv_compare_labels, names);
	if (n > 0)
		tv_output_text(out, "\nPlugins, commands " PREFIX "NAME of others:\n");
	for (uint32_t i = 0; i < n; i++)
		tv_output_format(out, "  %s\n", tv_pool_text(names, name[i]));
	tv_free(name);
	tv_pool_free(names);
}
