/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parser.h -- what the parts of the parser of monitors share; for this folder only. */
#ifndef TV_PARSER_H
#define TV_PARSER_H

#include "monitor/monitor.h"

enum { TV_MONITOR_EVENTS_MAX = 256 };

/* A part of the text, [from, to). */
struct tv_monitor_span {
	size_t from, to;
};

enum tv_monitor_key {
	TV_KEY_OBJ,
	TV_KEY_LIBRARY,
	TV_KEY_EVENTS,
	TV_KEY_REDUCTION,
	TV_KEY_WINDOW_REDUCTION,
	TV_KEY_READINGS,
	TV_KEY_ACCUMULATE,
	TV_KEY_SILENT,
	TV_KEY_OUTPUT,
	TV_KEY_MAX,
	TV_KEY_MIN,
	TV_KEY_DISPLAY,
	TV_KEY_LOGARITHMIC,
	TV_KEY_COUNTERS,
	TV_NKEYS
};

struct tv_monitor_parser {
	struct tv_monitors *out;
	char *text; /* comments are blanks; closed by NUL */
	size_t n, at;
	struct tv_error *err;
	struct tv_monitor_span value[TV_NKEYS]; /* of the monitor that is read; to 0 = not given */
	size_t counted;				/* characters before `place` */
	struct tv_monitor_place place;
};

/* Printable part of a value, for messages. */
#define SHOW(p, s) (int)((s).to - (s).from > 60 ? 60 : (s).to - (s).from), (p)->text + (s).from

/* Fails with the place of text[at]: -1. */
int tv_monitor_wrong(const struct tv_monitor_parser *p, size_t at, const char *format, ...)
	TV_PRINTF(3, 4);
/* What is at that place, for messages: one word or character, or the end. */
const char *tv_monitor_found(const struct tv_monitor_parser *p, size_t at, char out[48]);

/* Comments become blanks, so that places stay. The # of 2#function begins none. */
void tv_monitor_drop_comments(char *text, size_t n);
void tv_monitor_blanks(struct tv_monitor_parser *p);
/* Consumes that symbol, if it is next. */
bool tv_monitor_symbol(struct tv_monitor_parser *p, const char *text);
/* Consumes a name; from == to: there is none. */
struct tv_monitor_span tv_monitor_word(struct tv_monitor_parser *p);
struct tv_monitor_span tv_monitor_trim(const struct tv_monitor_parser *p, struct tv_monitor_span s);
char *tv_monitor_copy(const struct tv_monitor_parser *p, struct tv_monitor_span s);
bool tv_monitor_is(const struct tv_monitor_parser *p, struct tv_monitor_span s, const char *text);

void tv_monitor_add_event(struct tv_monitor_parser *p, struct tv_monitor *m,
			  struct tv_monitor_span s);
void tv_monitor_add_output(struct tv_monitor *m, char *name, struct tv_arithmetic *value);

/* The window of a monitor; its reduction; [NAME =] expression, whose names are events if `add`. 0, or
 * -1 with an error. */
int tv_monitor_read_window(struct tv_monitor_parser *p, struct tv_monitor *m);
int tv_monitor_read_reduction(struct tv_monitor_parser *p, struct tv_monitor *m,
			      struct tv_monitor_span s);
int tv_monitor_read_expression(struct tv_monitor_parser *p, struct tv_monitor *m,
			       struct tv_monitor_span s, bool add);

#endif
