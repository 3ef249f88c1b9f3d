/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c -- the values of a JSON text, by yajl. */
#include "convert/json.h"

#ifdef TV_HAVE_YAJL

#include <string.h>

#include "trace/alloc.h"

static void *yajl_realloc_(void *context, void *p, size_t n)
{
	(void)context;
	return tv_realloc(p, n, 1);
}

static void *yajl_alloc_(void *context, size_t n)
{
	return yajl_realloc_(context, NULL, n);
}

static void yajl_free_(void *context, void *p)
{
	(void)context;
	tv_free(p);
}

yajl_handle tv_json_parser(const yajl_callbacks *callbacks, void *context)
{
	static yajl_alloc_funcs memory = { yajl_alloc_, yajl_realloc_, yajl_free_, NULL };
	yajl_handle yajl = yajl_alloc(callbacks, &memory, context);

	yajl_config(yajl, yajl_dont_validate_strings, 1);
	return yajl;
}

int tv_json_check_token(size_t *quiet, bool ended, struct tv_pos pos, struct tv_error *err)
{
	*quiet = ended ? 0 : *quiet + 1;
	return *quiet <= TV_JSON_TOKEN_MAX / TV_JSON_CHUNK
		     ? 0
		     : tv_fail_at(err, pos,
				  "a text or number longer than %d MiB, which is the limit",
				  TV_JSON_TOKEN_MAX >> 20);
}

/* ---- values and places ---- */

struct walk {
	const struct tv_json_sink *sink;
	size_t depth;
	size_t length[TV_JSON_DEPTH_MAX + 1]; /* of the place of what is open, by depth */
	char place[TV_JSON_PLACE_MAX];
	bool full[TV_JSON_DEPTH_MAX + 1]; /* its keys have no room */
	bool deep;
	size_t tokens;
};

static int on_value(void *context, const unsigned char *s, size_t n)
{
	struct walk *w = context;

	w->tokens++;
	if (!w->full[w->depth])
		w->sink->value(w->sink->context, w->place, (const char *)s, n);
	return 1;
}

static int on_number(void *context, const char *s, size_t n)
{
	return on_value(context, (const unsigned char *)s, n);
}

static int on_other(void *context)
{
	((struct walk *)context)->tokens++;
	return 1;
}

static int on_boolean(void *context, int value)
{
	(void)value;
	return on_other(context);
}

/* Sets the place to what is open, and the key in it. */
static int on_key(void *context, const unsigned char *s, size_t n)
{
	struct walk *w = context;
	size_t at = w->depth > 0 ? w->length[w->depth - 1] : 0;

	w->tokens++;
	w->full[w->depth] = (w->depth > 1 && w->full[w->depth - 1]) || at + n + 2 > sizeof w->place
			 || memchr(s, '\0', n) != NULL;
	if (w->full[w->depth])
		n = 0;
	if (at > 0)
		w->place[at++] = '.';
	memcpy(w->place + at, s, n);
	w->length[w->depth] = at + n;
	w->place[at + n] = '\0';
	return 1;
}

static int on_open(void *context)
{
	struct walk *w = context;

	w->tokens++;
	w->deep = w->depth == TV_JSON_DEPTH_MAX;
	if (w->deep)
		return 0;
	w->length[w->depth + 1] = w->length[w->depth];
	w->full[w->depth + 1] = w->full[w->depth];
	w->depth++;
	return 1;
}

static int on_close(void *context)
{
	struct walk *w = context;

	w->tokens++;
	w->depth--;
	w->place[w->length[w->depth]] = '\0';
	return 1;
}

static int on_close_map(void *context)
{
	struct walk *w = context;

	on_close(w);
	if (!w->full[w->depth])
		w->sink->end(w->sink->context, w->place);
	return 1;
}

static long lines_in(const unsigned char *s, size_t n)
{
	long lines = 0;

	for (const unsigned char *end = s + n; s < end && (s = memchr(s, '\n', (size_t)(end - s)));
	     s++)
		lines++;
	return lines;
}

static int walk(struct walk *w, yajl_handle yajl, struct tv_input *in, long *line,
		struct tv_error *err)
{
	unsigned char chunk[TV_JSON_CHUNK];
	size_t quiet = 0;
	ssize_t n;

	for (*line = 1; (n = tv_input_read(in, chunk, sizeof chunk, err)) > 0;
	     *line += lines_in(chunk, (size_t)n)) {
		size_t before = w->tokens;

		if (yajl_parse(yajl, chunk, (size_t)n) != yajl_status_ok) {
			size_t used = yajl_get_bytes_consumed(yajl);

			*line += lines_in(chunk, used < (size_t)n ? used : (size_t)n);
			if (!w->deep)
				return TV_JSON_BROKEN;
			return tv_fail_at(err, (struct tv_pos){ in->path, *line },
					  "nested deeper than %d levels, which is the limit",
					  TV_JSON_DEPTH_MAX);
		}
		if (tv_json_check_token(&quiet, w->tokens > before,
					(struct tv_pos){ in->path, *line }, err)
		    < 0)
			return -1;
	}
	if (n < 0)
		return -1;
	return yajl_complete_parse(yajl) == yajl_status_ok ? TV_JSON_WHOLE : TV_JSON_CUT;
}

int tv_json_walk(struct tv_input *in, const struct tv_json_sink *sink, long *line,
		 struct tv_error *err)
{
	static const yajl_callbacks callbacks = {
		.yajl_null = on_other,
		.yajl_boolean = on_boolean,
		.yajl_number = on_number,
		.yajl_string = on_value,
		.yajl_start_map = on_open,
		.yajl_map_key = on_key,
		.yajl_end_map = on_close_map,
		.yajl_start_array = on_open,
		.yajl_end_array = on_close,
	};
	struct walk *w = tv_alloc(1, sizeof *w);
	yajl_handle yajl = tv_json_parser(&callbacks, w);
	int rc;

	w->sink = sink;
	rc = walk(w, yajl, in, line, err);
	yajl_free(yajl);
	tv_free(w);
	return rc;
}

#else

int tv_json_walk(struct tv_input *in, const struct tv_json_sink *sink, long *line,
		 struct tv_error *err)
{
	(void)sink;
	*line = 0;
	return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
			  "JSON, which needs yajl: this traceviz was built without it (Debian: "
			  "libyajl-dev)");
}

#endif
