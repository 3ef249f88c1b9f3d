/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c -- trace events of a JSON text, by yajl. */
#include "convert/chrome/parse.h"

#ifdef TV_HAVE_YAJL

#include <stdio.h>

#include "convert/chrome/plain.h"
#include "convert/json.h"
#include "trace/alloc.h"
#include "trace/text.h"

enum { CHUNK = TV_JSON_CHUNK, KEY_MAX = 64 };

/* A text of the event: in the chunk, where it remains until the next one is read; else a place in `bytes`, which may move. */
struct place {
	const unsigned char *chunk; /* NULL = in bytes */
	size_t at, n;
};

struct parser {
	const struct tv_chrome_sink *sink;
	struct tv_chrome_end *end;
	yajl_handle yajl;
	unsigned char chunk[CHUNK];
	size_t nchunk;
	long line; /* at chunk + counted */
	size_t counted;
	bool muted;	   /* what is parsed only leads back to a place */
	bool deep;	   /* deeper than TV_CHROME_DEPTH_MAX */
	size_t tokens;	   /* number of calls, to find chunks without one */
	size_t depth;	   /* open brackets */
	size_t list_depth; /* of the list of events, when in_list */
	bool in_list;
	bool behind; /* nothing follows the event that ended last */
	size_t fed;  /* where what yajl got last is in the chunk */
	char bracket[TV_CHROME_DEPTH_MAX];
	char object[KEY_MAX], key[KEY_MAX]; /* beside the events */
	/* The event. */
	int field;
	char *bytes;
	size_t nbytes, bytes_cap;
	struct place value[TV_CHROME_NFIELDS];
	bool present[TV_CHROME_NFIELDS], local, whole;
	struct place arg_key;
	struct arg {
		struct place key, value;
	} * arg;
	size_t nargs, args_cap;
	struct tv_chrome_arg *given;
	size_t given_cap;
	struct tv_chrome_plain plain;
};

/* ---- the event ---- */

/* Counts lines up to a place of the chunk, from where it was asked for last. */
static long line_at(struct parser *p, size_t place)
{
	const unsigned char *s = p->chunk + p->counted, *end = p->chunk + place;

	while (s < end && (s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		p->line++;
		s++;
	}
	p->counted = place > p->counted ? place : p->counted;
	return p->line;
}

static long line_here(struct parser *p)
{
	size_t used = p->fed + yajl_get_bytes_consumed(p->yajl);

	return line_at(p, used < p->nchunk ? used : p->nchunk);
}

static void copy(struct parser *p, struct place *place, const unsigned char *s)
{
	place->chunk = NULL;
	place->at = p->nbytes;
	TV_GROW(p->bytes, p->nbytes, p->bytes_cap, place->n);
	memcpy(p->bytes + p->nbytes, s, place->n);
	p->nbytes += place->n;
}

static struct place keep(struct parser *p, const unsigned char *s, size_t n)
{
	struct place place = { s, 0, n };

	if (s < p->chunk || s >= p->chunk + p->nchunk)
		copy(p, &place, s);
	return place;
}

static void settle_one(struct parser *p, struct place *place)
{
	if (place->chunk != NULL)
		copy(p, place, place->chunk);
}

/* Before the chunk goes: what the event that is open has of it. */
static void settle(struct parser *p)
{
	if (!p->in_list || p->depth <= p->list_depth)
		return;
	for (int i = 0; i < TV_CHROME_NFIELDS; i++)
		if (p->present[i])
			settle_one(p, &p->value[i]);
	for (size_t i = 0; i < p->nargs; i++) {
		settle_one(p, &p->arg[i].key);
		settle_one(p, &p->arg[i].value);
	}
	settle_one(p, &p->arg_key);
}

static bool has_room(struct parser *p, size_t n)
{
	bool has = p->nbytes + n <= TV_CHROME_EVENT_MAX && p->nargs < TV_CHROME_EVENT_MAX / 256;

	p->whole = p->whole && has;
	return has;
}

static void begin_event(struct parser *p)
{
	p->field = TV_CHROME_NO_FIELD;
	p->nbytes = p->nargs = 0;
	p->arg_key = (struct place){ 0 };
	memset(p->present, 0, sizeof p->present);
	p->local = false;
	p->whole = true;
}

static struct tv_chrome_text text_of(const struct parser *p, struct place place)
{
	return (struct tv_chrome_text){ place.chunk != NULL ? (const char *)place.chunk
							    : p->bytes + place.at,
					place.n };
}

static void give_event(struct parser *p)
{
	struct tv_chrome_event event = {
		.nargs = p->nargs, .local = p->local, .whole = p->whole, .line = line_here(p)
	};

	for (int i = 0; i < TV_CHROME_NFIELDS; i++)
		if (p->present[i])
			event.field[i] = text_of(p, p->value[i]);
	TV_GROW(p->given, 0, p->given_cap, p->nargs);
	for (size_t i = 0; i < p->nargs; i++)
		p->given[i] = (struct tv_chrome_arg){ text_of(p, p->arg[i].key),
						      text_of(p, p->arg[i].value) };
	event.arg = p->given;
	p->behind = !p->sink->reference;
	p->sink->event(p->sink->context, &event);
}

/* A text or number inside an event. */
static void event_value(struct parser *p, const unsigned char *s, size_t n)
{
	size_t inside = p->depth - p->list_depth;
	bool listed = p->depth > 0 && p->bracket[p->depth - 1] == '[';

	if (inside == 1 && p->field >= 0 && p->field < TV_CHROME_NFIELDS) {
		p->value[p->field] = keep(p, s, n);
		p->present[p->field] = true;
	} else if (p->field == TV_CHROME_ID2 && inside == 2 && !listed) {
		p->value[TV_CHROME_ID] = keep(p, s, n);
		p->present[TV_CHROME_ID] = true;
	} else if (p->field == TV_CHROME_ARGS && (inside == 2 ? !listed : inside == 3 && listed)
		   && has_room(p, n)) {
		TV_GROW(p->arg, p->nargs, p->args_cap, 1);
		p->arg[p->nargs++] = (struct arg){ p->arg_key, keep(p, s, n) };
	}
}

static void event_key(struct parser *p, const unsigned char *s, size_t n)
{
	size_t inside = p->depth - p->list_depth;

	if (inside == 1)
		p->field = tv_chrome_field_of((const char *)s, n);
	else if (inside == 2 && p->field == TV_CHROME_ARGS && has_room(p, n))
		p->arg_key = keep(p, s, n);
	else if (inside == 2 && p->field == TV_CHROME_ID2)
		p->local = n == strlen("local") && memcmp(s, "local", n) == 0;
}

/* ---- what yajl calls ---- */

static void copy_key(char key[KEY_MAX], const unsigned char *s, size_t n)
{
	n = n < KEY_MAX ? n : 0; /* none that is asked for is so long */
	memcpy(key, s, n);
	key[n] = '\0';
}

static int on_value(void *context, const unsigned char *s, size_t n)
{
	struct parser *p = context;

	p->tokens++;
	if (p->muted)
		return 1;
	if (p->in_list)
		event_value(p, s, n);
	else if (p->depth <= 2 && p->depth > 0 && p->bracket[p->depth - 1] == '{')
		p->sink->member(p->sink->context, p->depth == 2 ? p->object : "", p->key,
				(struct tv_chrome_text){ (const char *)s, n });
	return 1;
}

static int on_number(void *context, const char *s, size_t n)
{
	return on_value(context, (const unsigned char *)s, n);
}

static int on_boolean(void *context, int value)
{
	return on_number(context, value ? "true" : "false", value ? 4 : 5);
}

static int on_null(void *context)
{
	((struct parser *)context)->tokens++;
	return 1;
}

static int on_key(void *context, const unsigned char *s, size_t n)
{
	struct parser *p = context;

	p->tokens++;
	if (p->muted)
		return 1;
	if (p->in_list)
		event_key(p, s, n);
	else if (p->depth <= 2)
		copy_key(p->depth == 1 ? p->object : p->key, s, n);
	if (p->depth == 1)
		copy_key(p->key, s, n);
	return 1;
}

static int open_bracket(struct parser *p, char bracket)
{
	p->tokens++;
	if (p->muted)
		return 1;
	if (p->depth == TV_CHROME_DEPTH_MAX) {
		p->deep = true;
		return 0;
	}
	if (bracket == '[' && !p->in_list
	    && (p->depth == 0
		|| (p->depth == 1 && p->bracket[0] == '{'
		    && strcmp(p->object, "traceEvents") == 0))) {
		p->in_list = p->end->events = true;
		p->list_depth = p->depth + 1;
	} else if (p->in_list && p->depth == p->list_depth) {
		begin_event(p);
	}
	p->bracket[p->depth++] = bracket;
	return 1;
}

static int close_bracket(struct parser *p)
{
	p->tokens++;
	if (p->muted)
		return 1;
	p->depth--;
	if (p->in_list && p->depth < p->list_depth)
		p->in_list = false;
	else if (p->in_list && p->depth == p->list_depth && p->bracket[p->depth] == '{')
		give_event(p);
	return 1;
}

static int on_open_map(void *context)
{
	return open_bracket(context, '{');
}

static int on_open_list(void *context)
{
	return open_bracket(context, '[');
}

static int on_close(void *context)
{
	return close_bracket(context);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_value,
	.yajl_start_map = on_open_map,
	.yajl_map_key = on_key,
	.yajl_end_map = on_close,
	.yajl_start_array = on_open_list,
	.yajl_end_array = on_close,
};

/* ---- what is no JSON ---- */

/* Length of a number that is none in JSON, which s[0..n) begins with; 0 = no such. */
static size_t not_finite(const unsigned char *s, size_t n)
{
	static const char *const word[] = { "NaN",	 "nan", "-NaN", "-nan", "Infinity",
					    "-Infinity", "inf", "-inf", "Inf",	"-Inf" };

	for (size_t i = 0; i < TV_COUNT(word); i++) {
		size_t length = strlen(word[i]);

		if (n >= length && memcmp(s, word[i], length) == 0
		    && (n == length || s[length] == ',' || s[length] == '}' || s[length] == ']'
			|| s[length] <= ' '))
			return length;
	}
	return 0;
}

/* A new parser at the place where the old one failed, for the value that was expected there. */
static void lead_back(struct parser *p)
{
	yajl_free(p->yajl);
	p->yajl = tv_json_parser(&callbacks, p);
	p->fed = 0;
	p->muted = true;
	for (size_t i = 0; i < p->depth; i++)
		yajl_parse(p->yajl, (const unsigned char *)(p->bracket[i] == '{' ? "{\"\":" : "["),
			   p->bracket[i] == '{' ? 4 : 1);
	yajl_parse(p->yajl, (const unsigned char *)"null", 4);
	p->muted = false;
}

static int refill(struct parser *p, struct tv_input *in, struct tv_error *err)
{
	while (p->nchunk < CHUNK) {
		ssize_t n = tv_input_read(in, p->chunk + p->nchunk, CHUNK - p->nchunk, err);

		if (n < 0)
			return -1;
		if (n == 0)
			break;
		p->nchunk += (size_t)n;
	}
	return 0;
}

static void take(struct parser *p, size_t n)
{
	settle(p);
	line_at(p, n);
	p->counted = 0;
	memmove(p->chunk, p->chunk + n, p->nchunk - n);
	p->nchunk -= n;
}

static bool in_word(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static void describe_failure(struct parser *p)
{
	unsigned char *text = yajl_get_error(p->yajl, 0, NULL, 0);
	char message[160];

	snprintf(message, sizeof message, "%s", (const char *)text);
	message[strcspn(message, "\n")] = '\0';
	tv_clean_text(p->end->text, sizeof p->end->text, message);
	yajl_free_error(p->yajl, text);
	p->end->broken = true;
	p->end->line = line_here(p);
}

/* After a failure: behind a number that is none in JSON. 1 = goes on there, 0 = no such, -1 with *err. A word of at most 9
 * bytes before the place belongs to it. */
static int pass_over(struct parser *p, struct tv_input *in, struct tv_error *err)
{
	size_t at = p->fed + yajl_get_bytes_consumed(p->yajl), length;

	at = at < p->nchunk ? at : p->nchunk;
	for (int i = 0; i < 9 && at > 0 && in_word(p->chunk[at - 1]); i++)
		at--;
	length = not_finite(p->chunk + at, p->nchunk - at);
	if (length == 0)
		return 0;
	take(p, at + length);
	lead_back(p);
	return refill(p, in, err) < 0 ? -1 : 1;
}

/* So much of a full chunk that no word is cut at its end. */
static size_t whole_words(const struct parser *p)
{
	size_t n = p->nchunk;

	if (n < CHUNK)
		return n;
	for (int i = 0; i < 10 && in_word(p->chunk[n - 1]); i++)
		n--;
	return n;
}

/* Gives the plain events from a place behind an event on: the place behind them. */
static size_t plain_events(struct parser *p, size_t at, size_t n)
{
	size_t used;

	while ((used = tv_chrome_plain_event((const char *)p->chunk + at, n - at, &p->plain)) > 0) {
		at += used;
		p->tokens++;
		p->plain.event.line = line_at(p, at);
		p->sink->event(p->sink->context, &p->plain.event);
	}
	return at;
}

/* Parses n bytes of the chunk. yajl gets what is not plain, up to a place where an event may end; it does not miss the others, each of which
 * begins with the comma that it may expect behind one. */
static yajl_status parse_bytes(struct parser *p, size_t n)
{
	yajl_status status = yajl_status_ok;

	for (size_t at = 0; at < n && status == yajl_status_ok; at = p->fed) {
		const unsigned char *end;

		p->fed = p->behind ? plain_events(p, at, n) : at;
		p->behind = false;
		end = memchr(p->chunk + p->fed, '}', n - p->fed);
		at = end != NULL ? (size_t)(end - p->chunk) + 1 : n;
		status = yajl_parse(p->yajl, p->chunk + p->fed, at - p->fed);
		if (status == yajl_status_ok)
			p->fed = at;
	}
	return status;
}

static int parse_chunks(struct parser *p, struct tv_input *in, struct tv_error *err)
{
	size_t quiet = 0;

	while (refill(p, in, err) == 0) {
		size_t before = p->tokens, n = whole_words(p);
		int rc;

		if (p->nchunk == 0)
			return 0;
		if (parse_bytes(p, n) == yajl_status_ok) {
			take(p, n);
			if (tv_json_check_token(&quiet, p->tokens > before,
						(struct tv_pos){ in->path, p->line }, err)
			    < 0)
				return -1;
			continue;
		}
		if (p->deep)
			return tv_fail_at(err, (struct tv_pos){ in->path, line_here(p) },
					  "nested deeper than %d levels, which is the limit",
					  TV_CHROME_DEPTH_MAX);
		rc = pass_over(p, in, err);
		if (rc == 0)
			describe_failure(p);
		if (rc <= 0)
			return rc;
	}
	return -1;
}

int tv_chrome_parse(struct tv_input *in, const struct tv_chrome_sink *sink,
		    struct tv_chrome_end *end, struct tv_error *err)
{
	struct parser *p = tv_alloc(1, sizeof *p);
	int rc;

	*end = (struct tv_chrome_end){ 0 };
	p->sink = sink;
	p->end = end;
	p->line = 1;
	p->yajl = tv_json_parser(&callbacks, p);
	rc = parse_chunks(p, in, err);
	if (rc == 0 && !end->broken && yajl_complete_parse(p->yajl) != yajl_status_ok)
		/* A bare array need not end; between its events nothing is missing. */
		end->cut = !(p->in_list && p->list_depth == 1 && p->depth == 1);
	if (end->cut)
		end->line = p->line;
	yajl_free(p->yajl);
	tv_free(p->bytes);
	tv_free(p->arg);
	tv_free(p->given);
	tv_free(p);
	return rc;
}

bool tv_chrome_can_parse(void)
{
	return true;
}

#else

int tv_chrome_parse(struct tv_input *in, const struct tv_chrome_sink *sink,
		    struct tv_chrome_end *end, struct tv_error *err)
{
	(void)sink;
	*end = (struct tv_chrome_end){ 0 };
	return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
			  "trace events in JSON, which need yajl: this traceviz was built "
			  "without it (Debian: libyajl-dev)");
}

bool tv_chrome_can_parse(void)
{
	return false;
}

#endif
