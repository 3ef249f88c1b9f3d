/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeat_fxt.c COPIES <FILE >LONGER -- an FxT trace of StarPU 1.4 that runs COPIES times: each copy
 * later, with job ids of its own; the machine is set up and shut down once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/fxt/codes.h"
#include "convert/fxt/file.h"

enum { BYTES_MAX = 64 << 20, GAP_NS = 1000000, HEADER = 16 };

/* Which parameters of a record are job ids (bit i: parameter i). */
static const struct {
	uint32_t code;
	unsigned params;
} jobs[] = {
	{ TV_FXT_TASK_SUBMIT, 1 },
	{ TV_FXT_JOB_PUSH, 1 },
	{ TV_FXT_JOB_POP, 1 },
	{ TV_FXT_TASK_NAME, 1 },
	{ TV_FXT_MODEL_NAME, 1 },
	{ TV_FXT_TASK_LINE, 1 },
	{ TV_FXT_TASK_DONE, 1 },
	{ TV_FXT_TASK_EXCLUDE_FROM_DAG, 1 },
	{ TV_FXT_TASK_DEPS, 3 },
	{ TV_FXT_TAG, 2 },
	{ TV_FXT_START_CODELET_BODY, 1 },
	{ TV_FXT_END_CODELET_BODY, 1 },
	{ TV_FXT_CODELET_DATA_HANDLE, 1 },
	{ TV_FXT_CODELET_DETAILS, 64 },
	{ TV_FXT_END_EXECUTING, 2 },
	{ TV_FXT_DATA_WONT_USE, 4 },
	{ TV_FXT_TASK_WAIT_START, 1 },
};

static unsigned job_params(uint32_t code)
{
	for (size_t i = 0; i < TV_COUNT(jobs); i++)
		if (jobs[i].code == code)
			return jobs[i].params;
	return 0;
}

static bool sets_up(uint32_t code)
{
	return code == TV_FXT_WORKER_INIT_START || code == TV_FXT_WORKER_INIT_END
	    || code == TV_FXT_NEW_MEM_NODE || code == TV_FXT_SETUP;
}

static bool shuts_down(uint32_t code)
{
	return code == TV_FXT_WORKER_DEINIT_START || code == TV_FXT_WORKER_DEINIT_END;
}

static void repeat(struct tv_fxt_file *file, unsigned char *bytes, bool first, bool last,
		   uint64_t span, uint64_t njobs)
{
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;

	tv_fxt_rewind(&cursor, file);
	while (tv_fxt_next(&cursor, &event) == TV_FXT_EVENT) {
		unsigned char *record = bytes + event.offset;
		unsigned params = job_params(event.code);
		uint64_t time = event.time + (first ? 0 : span);

		/* In place: the next copy starts from what this one made of it. */
		memcpy(record, &time, sizeof time);
		for (unsigned i = 0; !first && i < event.n; i++) {
			uint64_t job = tv_fxt_word(&event, i) + njobs;

			if (params >> i & 1)
				memcpy(record + (event.param - (bytes + event.offset)) + 8 * i,
				       &job, sizeof job);
		}
		if ((first || !sets_up(event.code)) && (last || !shuts_down(event.code)))
			fwrite(record, 1, cursor.at - event.offset, stdout);
	}
}

int main(int argc, char **argv)
{
	unsigned char *bytes = malloc(BYTES_MAX);
	unsigned long copies = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	size_t n = bytes != NULL ? fread(bytes, 1, BYTES_MAX, stdin) : 0;
	uint64_t njobs = 0, size;
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	struct tv_fxt_file file;

	if (tv_fxt_open(&file, "standard input", bytes, n, &err) < 0 || file.word != 8) {
		fprintf(stderr, "repeat_fxt: %s\n", err.text);
		return 1;
	}
	tv_fxt_rewind(&cursor, &file);
	while (tv_fxt_next(&cursor, &event) == TV_FXT_EVENT)
		if (event.code == TV_FXT_TASK_SUBMIT && tv_fxt_word(&event, 0) >= njobs)
			njobs = tv_fxt_word(&event, 0) + 1;
	fwrite(bytes, 1, file.begin, stdout);
	for (unsigned long i = 0; i < copies; i++)
		repeat(&file, bytes, i == 0, i + 1 == copies, cursor.last - cursor.first + GAP_NS,
		       njobs);
	/* The block of events begins with its size, which libfxt believes. */
	size = (uint64_t)ftell(stdout) - (file.begin - HEADER);
	return fseek(stdout, (long)(file.begin - HEADER), SEEK_SET) < 0
	    || fwrite(&size, sizeof size, 1, stdout) != 1 || fflush(stdout) != 0;
}
