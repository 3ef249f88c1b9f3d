/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json.h -- the values of a JSON text with their places, one at a time, by yajl.
 *
 * A place is the keys that lead to it, joined by points; lists add nothing: {"a": [{"b": 1}]} has 1 at "a.b".
 * Cost: O(bytes) time; memory: one text or number (TV_JSON_TOKEN_MAX bytes), a longer one is an error.
 */
#ifndef TV_CONVERT_JSON_H
#define TV_CONVERT_JSON_H

#include "trace/input.h"
#ifdef TV_HAVE_YAJL
#include <yajl/yajl_parse.h>
#endif

enum {
	TV_JSON_TOKEN_MAX = 4 << 20,
	TV_JSON_CHUNK = 64 * 1024, /* what is read at once */
	TV_JSON_DEPTH_MAX = 100,
	TV_JSON_PLACE_MAX = 512 /* bytes; what is deeper or longer is left out */
};

struct tv_json_sink {
	void *context;
	/* A text or number; valid during the call. */
	void (*value)(void *context, const char *place, const char *s, size_t n);
	/* An object ends: all values below this place that came since it began are its own. */
	void (*end)(void *context, const char *place);
};

/* What precedes the place where a text is cut or broken was given; *line is that of the place. */
enum { TV_JSON_WHOLE, TV_JSON_CUT, TV_JSON_BROKEN };
/* One of these, or -1 with *err: read error, a limit, no yajl. */
int tv_json_walk(struct tv_input *in, const struct tv_json_sink *sink, long *line,
		 struct tv_error *err) TV_MUST_CHECK;

#ifdef TV_HAVE_YAJL
/* A parser that takes texts of any bytes and whose memory is that of trace/alloc.h. Free with yajl_free. */
yajl_handle tv_json_parser(const yajl_callbacks *callbacks, void *context);
/* After each chunk: *quiet is the number of the last ones in which no token ended. -1 with *err: so many that a token is
 * longer than TV_JSON_TOKEN_MAX. */
int tv_json_check_token(size_t *quiet, bool ended, struct tv_pos pos,
			struct tv_error *err) TV_MUST_CHECK;
#endif

#endif
