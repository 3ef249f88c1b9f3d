/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_starpu.c -- what the StarPU probe needs before the program starts: to be loaded into it.
 *
 * Whether the process has StarPU, and which one, is seen there (record/loaded/starpu/library.c). Where the program
 * is known, what cannot be recorded is an error here, before anything runs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/record.h"
#include "record/tool/objects.h"
#include "trace/alloc.h"

static bool needs_starpu(const struct tv_recording *recording)
{
	struct tv_objects objects = { 0 };
	struct tv_elf elf;
	bool found = false;

	if (tv_elf_open(&elf, recording->path) == TV_ELF_DYNAMIC)
		tv_find_objects(&objects, recording->path, &elf, NULL);
	for (size_t i = 1; i < objects.n; i++) {
		const char *slash = strrchr(objects.path[i], '/');
		const char *name = slash != NULL ? slash + 1 : objects.path[i];

		found |= strncmp(name, "libstarpu-1.", 12) == 0;
	}
	tv_release_objects(&objects);
	tv_elf_release(&elf);
	return found;
}

int tv_record_starpu(struct tv_recording *recording, struct tv_error *err)
{
	static const char absent[] =
		"this traceviz was built without the StarPU probe (starpu.h was "
		"missing; Debian: libstarpu-dev)";
	char *path = tv_format("%s/libtraceviz-starpu.so", recording->libraries);
	int rc = 0;

	if (access(path, R_OK) == 0)
		rc = tv_record_preload(recording, path, err);
	else if (recording->cli->starpu)
		rc = tv_fail(err, "%s", absent);
	else if (needs_starpu(recording)) {
		tv_say(recording->cli, "warning: tasks of StarPU are not recorded: %s", absent);
		recording->unrecorded = true;
	}
	tv_free(path);
	if (recording->cli->top_candidates != NULL)
		setenv("TRACEVIZ_TOP", recording->cli->top_candidates, 1);
	else
		unsetenv("TRACEVIZ_TOP");
	return rc;
}
