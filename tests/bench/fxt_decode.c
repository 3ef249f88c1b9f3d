/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_decode.c [--libfxt] FILE: walks over all records of an FxT file, ours or libfxt's way; prints
 * their number and the sum of their codes, so that both can be seen to do the same. */
#include <fxt/fxt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "convert/fxt/file.h"
#include "trace/input.h"

static int walk_libfxt(const char *path, uint64_t *n, uint64_t *sum)
{
	static struct fxt_ev event;
	fxt_t trace = fxt_open(path);
	fxt_blockev_t events = trace != NULL ? fxt_blockev_enter(trace) : NULL;

	if (events == NULL)
		return -1;
	for (; fxt_next_ev(events, FXT_EV_TYPE_64, &event) == FXT_EV_OK; ++*n)
		*sum += event.ev64.code;
	return 0;
}

static int walk(const char *path, uint64_t *n, uint64_t *sum)
{
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	struct tv_fxt_file file;
	struct tv_input in;
	struct tv_bytes map;

	if (tv_input_open(&in, path, &err) < 0 || tv_input_all(&in, &map, &err) < 0
	    || tv_fxt_open(&file, path, map.bytes, map.n, &err) < 0)
		return -1;
	tv_fxt_rewind(&cursor, &file);
	for (; tv_fxt_next(&cursor, &event) == TV_FXT_EVENT; ++*n)
		*sum += event.code;
	tv_bytes_release(&map);
	tv_input_close(&in);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t n = 0, sum = 0;
	int rc = -1;

	if (argc == 3 && strcmp(argv[1], "--libfxt") == 0)
		rc = walk_libfxt(argv[2], &n, &sum);
	else if (argc == 2)
		rc = walk(argv[1], &n, &sum);
	printf("%" PRIu64 " records, sum %" PRIx64 "\n", n, sum);
	return rc < 0;
}
