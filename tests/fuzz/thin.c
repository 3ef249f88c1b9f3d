/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thin.c -- FxT file on standard input: the first records of every code go to standard output. */
#include <stdio.h>
#include <string.h>

#include "convert/fxt/file.h"

enum { KEEP = 2, CODES = 65536, BYTES_MAX = 4 << 20 };

int main(void)
{
	static unsigned char bytes[BYTES_MAX];
	static unsigned seen[CODES];
	size_t n = fread(bytes, 1, sizeof bytes, stdin);
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	struct tv_fxt_file file;

	if (tv_fxt_open(&file, "standard input", bytes, n, &err) < 0) {
		fprintf(stderr, "%s: %s\n", err.file, err.text);
		return 1;
	}
	memset(bytes + file.begin - 16, 0, 8); /* size of the block of events: unknown */
	fwrite(bytes, 1, file.begin, stdout);
	tv_fxt_rewind(&cursor, &file);
	while (tv_fxt_next(&cursor, &event) == TV_FXT_EVENT)
		if (event.code < CODES && seen[event.code]++ < KEEP)
			fwrite(bytes + event.offset, 1, cursor.at - event.offset, stdout);
	return 0;
}
