/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_openmp.c -- what the OpenMP probe needs before the program starts: a runtime that has OMPT.
 *
 * LLVM's runtime (libomp) loads the probe by itself. A program that needs GCC's (libgomp) gets libomp
 * instead, which has the same functions, except those that are checked here.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/record.h"
#include "record/tool/elf.h"
#include "record/tool/objects.h"
#include "trace/alloc.h"

/* ---- libomp ---- */

/* The path of libomp.so.5: of those that the dynamic linker finds, else of the newest LLVM. */
static char *find_libomp(const char *program, const struct tv_elf *elf)
{
	static const char name[] = "/libomp.so.5";
	struct tv_objects objects = { 0 };
	char *path = NULL;
	glob_t found;

	tv_find_objects(&objects, program, elf, name + 1);
	for (size_t i = 1; i < objects.n && !path; i++)
		if (strcmp(strrchr(objects.path[i], '/'), name) == 0)
			path = tv_strdup(objects.path[i]);
	tv_release_objects(&objects);
	if (path || glob("/usr/lib/llvm-*/lib/libomp.so.5", 0, NULL, &found) != 0)
		return path;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (path && strverscmp(path, found.gl_pathv[i]) > 0)
			continue;
		tv_free(path);
		path = tv_strdup(found.gl_pathv[i]);
	}
	globfree(&found);
	return path;
}

struct search {
	const char *name, *version;
	bool found;
};

static bool match(const struct tv_elf_symbol *symbol, void *arg)
{
	struct search *search = arg;

	search->found = symbol->is_defined && strcmp(symbol->name, search->name) == 0
		     && (search->version[0] == 0 || symbol->version[0] == 0
			 || strcmp(symbol->version, search->version) == 0);
	return !search->found;
}

static bool defines(const struct tv_elf *elf, bool of_linker, const char *name, const char *version)
{
	struct search search = { name, version, false };

	tv_elf_symbols(elf, of_linker, match, &search);
	return search.found;
}

/* libgomp's own are as good: they share nothing with the rest of the runtime. */
static bool is_memory_function(const char *name)
{
	static const char *const begin[] = { "omp_alloc",	   "omp_calloc",
					     "omp_realloc",	   "omp_free",
					     "omp_aligned_",	   "omp_init_allocator",
					     "omp_destroy_alloc",  "omp_get_default_all",
					     "omp_set_default_all" };

	for (size_t i = 0; i < TV_COUNT(begin); i++)
		if (strncmp(name, begin[i], strlen(begin[i])) == 0)
			return true;
	return false;
}

struct import_check {
	const struct tv_elf *libomp;
	char *missing; /* NAME or NAME@VERSION, NULL = none */
};

static bool check_import(const struct tv_elf_symbol *symbol, void *arg)
{
	struct import_check *check = arg;
	bool is_openmp = strncmp(symbol->name, "GOMP_", 5) == 0
		      || strncmp(symbol->name, "omp_", 4) == 0;

	if (symbol->is_defined || !is_openmp || is_memory_function(symbol->name)
	    || defines(check->libomp, true, symbol->name, symbol->version))
		return true;
	check->missing = defines(check->libomp, true, symbol->name, "")
			       ? tv_format("%s@%s", symbol->name, symbol->version)
			       : tv_strdup(symbol->name);
	return false;
}

/* Whether libomp has all functions of OpenMP that the objects import. */
static int check_imports(const struct tv_objects *objects, const char *libomp, struct tv_error *err)
{
	struct tv_elf runtime, elf;
	struct import_check check = { &runtime, NULL };
	int rc = 0;

	if (tv_elf_open(&runtime, libomp) != TV_ELF_DYNAMIC
	    || !defines(&runtime, true, "ompt_start_tool", ""))
		rc = tv_fail(err,
			     "%s has no OMPT, the interface by which OpenMP programs are recorded",
			     libomp);
	for (size_t i = 0; rc == 0 && i < objects->n; i++) {
		if (tv_elf_open(&elf, objects->path[i]) == TV_ELF_DYNAMIC)
			tv_elf_symbols(&elf, true, check_import, &check);
		tv_elf_release(&elf);
		if (check.missing)
			rc = tv_fail(err,
				     "'%s' calls %s of GCC's OpenMP runtime, which cannot be "
				     "recorded; %s has no "
				     "such function: compile it with clang",
				     objects->path[i], check.missing, libomp);
	}
	tv_elf_release(&runtime);
	tv_free(check.missing);
	return rc;
}

/* ---- programs ---- */

/* Whether GCC's runtime is a part of the file: by a symbol, or by its messages in a stripped one. */
static bool has_static_libgomp(const struct tv_elf *elf)
{
	static const char message[] = "\nlibgomp\0 ";
	char text[sizeof message];

	/* Composed here, so that this program does not contain it. */
	memcpy(text, message, sizeof text);
	memcpy(text + 8, ": ", 3);
	if (memmem(elf->bytes, elf->size, text, 11) != NULL)
		return true;
	/* LLVM's has functions of the same names. */
	return (defines(elf, false, "GOMP_parallel", "") || defines(elf, true, "GOMP_parallel", ""))
	    && !defines(elf, false, "__kmpc_fork_call", "")
	    && !defines(elf, true, "__kmpc_fork_call", "");
}

static int check_program(struct tv_recording *recording, const char *program, struct tv_error *err);

/* The arguments that are programs, if this one has no OpenMP: it may start them (taskset, env). */
static int check_arguments(struct tv_recording *recording, const char *program,
			   struct tv_error *err)
{
	int rc = 0;

	if (program != recording->path)
		return 0;
	for (char **arg = recording->argv + 1; rc == 0 && recording->argv[0] && *arg; arg++)
		if (strchr(*arg, '/') && access(*arg, X_OK) == 0)
			rc = check_program(recording, *arg, err);
	return rc;
}

/* Lets a program that needs libgomp run on libomp. */
static int replace_libgomp(struct tv_recording *recording, const char *program,
			   const struct tv_elf *elf, const struct tv_objects *objects,
			   struct tv_error *err)
{
	char *libomp = find_libomp(program, elf);
	int rc = 0;

	if (!libomp)
		rc = tv_fail(err,
			     "'%s' needs GCC's OpenMP runtime, which cannot be recorded, and "
			     "LLVM's, which could "
			     "take its place, was not found (Debian: libomp5)",
			     program);
	if (rc == 0)
		rc = check_imports(objects, libomp, err);
	if (rc == 0)
		rc = tv_record_preload(recording, libomp, err);
	if (rc == 0)
		tv_say(recording->cli,
		       "'%s' needs libgomp, which cannot be recorded; it runs on %s instead",
		       program, libomp);
	tv_free(libomp);
	return rc;
}

/* Another tool of OMPT in the program is the one that libomp loads. */
static bool is_tool(const struct tv_elf_symbol *symbol, void *found)
{
	*(bool *)found = symbol->is_defined && !symbol->is_weak
		      && strcmp(symbol->name, "ompt_start_tool") == 0;
	return !*(bool *)found;
}

static int check_tools(const struct tv_objects *objects, struct tv_error *err)
{
	for (size_t i = 0; i < objects->n; i++) {
		struct tv_elf elf;
		bool found = false;

		if (tv_elf_open(&elf, objects->path[i]) == TV_ELF_DYNAMIC)
			tv_elf_symbols(&elf, true, is_tool, &found);
		tv_elf_release(&elf);
		if (found)
			return tv_fail(err,
				       "'%s' is an OpenMP tool (ompt_start_tool), so libomp would "
				       "not load the "
				       "recorder",
				       objects->path[i]);
	}
	return 0;
}

/* Chooses the runtime of a dynamic program: its own if that is libomp, libomp instead of libgomp. */
static int choose_runtime(struct tv_recording *recording, const char *program,
			  const struct tv_elf *elf, struct tv_error *err)
{
	struct tv_objects objects = { 0 };
	bool has_libgomp, has_libomp;
	int rc;

	tv_find_objects(&objects, program, elf, NULL);
	has_libgomp = tv_find_need(&objects, "libgomp.so.1") < objects.n;
	has_libomp = tv_find_need(&objects, "libomp.so.5") < objects.n;
	rc = has_libgomp || has_libomp ? check_tools(&objects, err) : 0;
	if (rc < 0)
		;
	else if (has_libgomp && has_libomp)
		tv_say(recording->cli,
		       "'%s' needs libgomp beside libomp: what runs on libgomp is not recorded",
		       program);
	else if (has_libgomp)
		rc = replace_libgomp(recording, program, elf, &objects, err);
	else if (has_static_libgomp(elf))
		rc = tv_fail(err,
			     "'%s' contains GCC's OpenMP runtime (linked statically), which cannot "
			     "be recorded; link "
			     "it dynamically",
			     program);
	else if (!has_libomp)
		rc = check_arguments(recording, program, err);
	tv_release_objects(&objects);
	return rc;
}

static int check_program(struct tv_recording *recording, const char *program, struct tv_error *err)
{
	struct tv_elf elf;
	int rc = 0;

	switch (tv_elf_open(&elf, program)) {
	case TV_ELF_NONE:
		recording->is_script |= program == recording->path;
		break;
	case TV_ELF_FOREIGN:
		if (program == recording->path)
			rc = tv_fail(err,
				     "'%s' is a program for another machine or of 32 bits, which "
				     "cannot be "
				     "recorded",
				     program);
		break;
	case TV_ELF_STATIC:
		if (program == recording->path)
			rc = tv_fail(err,
				     "'%s' is linked statically: no recorder can be loaded into it",
				     program);
		break;
	case TV_ELF_DYNAMIC:
		if (!recording->unrecorded)
			rc = choose_runtime(recording, program, &elf, err);
		break;
	}
	tv_elf_release(&elf);
	return rc;
}

/* ---- settings of the probe ---- */

/* The variables that make libomp load the probe. */
static void set_probe(const struct tv_recording *recording, const char *tool)
{
	setenv("OMP_TOOL", "enabled", 1);
	setenv("OMP_TOOL_LIBRARIES", tool, 1);
	if (recording->cli->region)
		setenv("TRACEVIZ_PAUSED", "1", 1);
}

int tv_record_openmp(struct tv_recording *recording, struct tv_error *err)
{
	static const char absent[] =
		"this traceviz was built without the OpenMP probe (omp-tools.h was missing; "
		"Debian: libomp-dev)";
	char *tool = tv_format("%s/libtraceviz-openmp.so", recording->libraries);
	bool has_probe = access(tool, R_OK) == 0;
	int rc = 0;

	if (!has_probe && recording->cli->openmp)
		rc = tv_fail(err, "%s", absent);
	else if (!has_probe)
		tv_say(recording->cli, "warning: tasks of OpenMP are not recorded: %s", absent);
	else
		set_probe(recording, tool);
	recording->unrecorded = !has_probe;
	if (rc == 0)
		rc = check_program(recording, recording->path, err);
	tv_free(tool);
	return rc;
}
