/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_mpi.c -- what the MPI probe needs before the program starts: to be loaded into it.
 *
 * Which MPI a program has is seen in the process (record/loaded/mpi/load.c), also where a script starts it. Where
 * the program is known, what cannot be recorded is an error here, before anything runs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/record.h"
#include "record/loaded/mpi/libraries.h"
#include "record/tool/objects.h"
#include "trace/alloc.h"

static bool has_probe(const struct tv_recording *recording, const char *probe)
{
	char *path = tv_format("%s/libtraceviz-mpi%s%s.so", recording->libraries,
			       probe[0] != '\0' ? "-" : "", probe);
	bool found = access(path, R_OK) == 0;

	tv_free(path);
	return found;
}

/* The MPI library that is loaded with the program, NULL without one. */
static const char *find_mpi(const struct tv_objects *objects)
{
	for (size_t i = 1; i < objects->n; i++) {
		const char *slash = strrchr(objects->path[i], '/');
		const char *name = slash != NULL ? slash + 1 : objects->path[i];

		if (tv_mpi_is_library(name))
			return name;
	}
	return NULL;
}

static int check_library(const struct tv_recording *recording, const char *name,
			 struct tv_error *err)
{
	const struct tv_mpi_library *library = tv_mpi_find_library(name);

	if (library == NULL)
		return tv_fail(err,
			       "'%s' needs %s, which cannot be recorded, expected Open MPI 3 to 5 "
			       "(libmpi.so.40) or MPICH (libmpich.so.12)",
			       recording->path, name);
	if (!has_probe(recording, library->probe))
		return tv_fail(
			err,
			"'%s' needs %s, and this traceviz was built without the probe for it "
			"(Debian: %s)",
			recording->path, library->name, library->package);
	return 0;
}

/* With --mpi, what is known not to work is an error; else it is a warning. */
static int check_program(struct tv_recording *recording, struct tv_error *err)
{
	struct tv_objects objects = { 0 };
	struct tv_elf elf;
	const char *name = NULL;
	int rc = 0;

	if (tv_elf_open(&elf, recording->path) == TV_ELF_DYNAMIC) {
		tv_find_objects(&objects, recording->path, &elf, NULL);
		name = find_mpi(&objects);
	}
	if (name != NULL)
		rc = check_library(recording, name, err);
	if (rc < 0 && !recording->cli->mpi) {
		tv_say(recording->cli, "warning: calls of MPI are not recorded: %s", err->text);
		*err = (struct tv_error){ 0 };
		recording->unrecorded = true;
		rc = 0;
	}
	tv_release_objects(&objects);
	tv_elf_release(&elf);
	return rc;
}

int tv_record_mpi(struct tv_recording *recording, struct tv_error *err)
{
	char *path;
	int rc = 0;

	if (has_probe(recording, "")) {
		path = tv_format("%s/libtraceviz-mpi.so", recording->libraries);
		rc = tv_record_preload(recording, path, err);
		tv_free(path);
	} else if (recording->cli->mpi) {
		return tv_fail(err, "this traceviz was built without a probe for MPI (Debian: "
				    "libopenmpi-dev or libmpich-dev)");
	}
	return rc == 0 ? check_program(recording, err) : rc;
}
