/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse.h -- trace events of a JSON text, one at a time, by yajl.
 *
 * Source   "Trace Event Format" (Chromium project); RFC 8259; NaN and infinities, which many producers write, are null.
 * Cost     O(bytes) time. Memory: one event (TV_CHROME_EVENT_MAX bytes of it), and one text or number of the file
 *	    (TV_JSON_TOKEN_MAX); a longer one is an error.
 */
#ifndef TV_CHROME_PARSE_H
#define TV_CHROME_PARSE_H

#include "trace/input.h"

enum {
	TV_CHROME_EVENT_MAX = 8 << 20, /* bytes of an event that are kept */
	TV_CHROME_DEPTH_MAX = 1000
};

/* A text or number of the file; s is NULL where there is none. Valid during the call that gets it. */
struct tv_chrome_text {
	const char *s;
	size_t n;
};

enum tv_chrome_field {
	TV_CHROME_NAME,
	TV_CHROME_CAT,
	TV_CHROME_PH,
	TV_CHROME_TS,
	TV_CHROME_DUR,
	TV_CHROME_PID,
	TV_CHROME_TID,
	TV_CHROME_ID,
	TV_CHROME_SCOPE,
	TV_CHROME_BP,
	TV_CHROME_NFIELDS
};

/* One value of args; of a list each element, all under the key of the list. */
struct tv_chrome_arg {
	struct tv_chrome_text key, value;
};

struct tv_chrome_event {
	struct tv_chrome_text field[TV_CHROME_NFIELDS];
	const struct tv_chrome_arg *arg;
	size_t nargs;
	bool local; /* the id is one of the process: id2.local */
	bool whole; /* nothing of args was left out because it was too long */
	long line;  /* where it ends, from 1 */
};

struct tv_chrome_sink {
	void *context;
	void (*event)(void *context, const struct tv_chrome_event *event);
	/* A text or number beside the events: "distributedInfo", "rank", 0; key is "" of a member of the outermost object. */
	void (*member)(void *context, const char *object, const char *key,
		       struct tv_chrome_text value);
	bool reference; /* yajl reads all, to compare */
};

struct tv_chrome_end {
	bool events;	/* there was a list of events */
	bool cut;	/* the file ends within an event or a member */
	bool broken;	/* ... or is no JSON from a place on */
	long line;	/* of that place */
	char text[200]; /* and what is wrong there */
};

/*
 * Gives each event and member of the input to the sink, in the order of the file. A bare array may lack its ]. What precedes
 * a cut or broken place was given; *end reports it. 0, or -1 with *err (read error; a token that is too long; nested too deep).
 */
int tv_chrome_parse(struct tv_input *in, const struct tv_chrome_sink *sink,
		    struct tv_chrome_end *end, struct tv_error *err) TV_MUST_CHECK;
/* Whether this traceviz was built with yajl, for tests. */
bool tv_chrome_can_parse(void);

#endif
