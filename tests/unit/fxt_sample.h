/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_sample.h -- sample FxT traces for unit tests: where they are, reading them. */
#ifndef TV_FXT_SAMPLE_H
#define TV_FXT_SAMPLE_H

#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>

enum { SAMPLE_PATH = 512 };

static inline const char *shared_folder(void)
{
	const char *shared = getenv("TRACEVIZ_SHARED");

	return shared != NULL ? shared : "../shared";
}

/* The folder of a sample: the committed one, else among the shared data. false (said aloud) if it
 * is in neither. */
static inline bool sample_folder(char path[SAMPLE_PATH], const char *sample, const char *shared)
{
	struct stat st;

	if (sample != NULL)
		snprintf(path, SAMPLE_PATH, "tests/data/fxt/%s", sample);
	else
		snprintf(path, SAMPLE_PATH, "%s/data/%s", shared_folder(), shared);
	if (stat(path, &st) == 0)
		return true;
	print_message("# SKIP %s: not in this repository (TRACEVIZ_SHARED names its folder)\n",
		      path);
	return false;
}

/* All bytes of a file, decompressed; release with tv_bytes_release. false if there is no such file.
 */
static inline bool sample_bytes(struct tv_bytes *map, const char *path)
{
	struct tv_error err = { 0 };
	struct tv_input in;
	int rc;

	if (tv_input_open(&in, path, &err) < 0)
		return false;
	rc = tv_input_all(&in, map, &err);
	tv_input_close(&in);
	if (rc < 0)
		fail_msg("%s: %s", path, err.text);
	return true;
}

/* File k of a folder of ranks. */
static inline bool sample_file(struct tv_bytes *map, const char *folder, int k)
{
	char path[SAMPLE_PATH + 32];

	snprintf(path, sizeof path, "%s/prof_file_%d.zst", folder, k);
	return sample_bytes(map, path);
}

#endif
