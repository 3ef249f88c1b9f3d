/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bare_yajl.c -- parses the JSON in a file by yajl, with callbacks that do nothing but count; prints the bytes of its texts. */
#include <stdio.h>
#include <yajl/yajl_parse.h>

static size_t bytes;

static int on_text(void *context, const unsigned char *s, size_t n)
{
	(void)context, (void)s;
	bytes += n;
	return 1;
}

static int on_number(void *context, const char *s, size_t n)
{
	return on_text(context, (const unsigned char *)s, n);
}

static int on_bracket(void *context)
{
	return on_text(context, NULL, 1);
}

int main(int argc, char **argv)
{
	static const yajl_callbacks callbacks = { .yajl_number = on_number,
						  .yajl_string = on_text,
						  .yajl_start_map = on_bracket,
						  .yajl_map_key = on_text,
						  .yajl_end_map = on_bracket,
						  .yajl_start_array = on_bracket,
						  .yajl_end_array = on_bracket };
	static unsigned char chunk[64 * 1024];
	yajl_handle yajl = yajl_alloc(&callbacks, NULL, NULL);
	FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
	yajl_status status = file != NULL ? yajl_status_ok : yajl_status_error;

	for (size_t n; status == yajl_status_ok && (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
		status = yajl_parse(yajl, chunk, n);
	if (status == yajl_status_ok)
		status = yajl_complete_parse(yajl);
	printf("%zu\n", bytes);
	return status != yajl_status_ok;
}
