/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shapes.h -- what the events of each generation of StarPU look like: which numbers of parameters an
 * event may have, which kinds of workers there are.
 *
 * A file does not name the version that wrote it. An event that looks like that of no version is
 * damage if it is the exception, and the sign of a version that we cannot read if it is the rule.
 */
#ifndef TV_FXT_SHAPES_H
#define TV_FXT_SHAPES_H

#include "convert/fxt/codes.h"
#include "convert/fxt/file.h"
#include "trace/trace.h"

/* StarPU changed the meaning of some codes three times. A layout that a record itself shows is
 * decided per record; this is for the others. Development snapshots count as the version that they
 * resemble. */
enum tv_fxt_generation {
	TV_FXT_UNKNOWN,
	TV_FXT_1_2,
	TV_FXT_1_3,
	TV_FXT_1_4,
	TV_FXT_1_4_99, /* the development version since the end of 2023 */
	TV_FXT_NGENERATIONS
};

/* How often an event had a shape, and where first. */
struct tv_fxt_tally {
	uint64_t count;
	size_t offset;
	uint32_t n; /* parameters of the first one */
};

struct tv_fxt_shapes {
	struct tv_fxt_tally start[TV_FXT_NGENERATIONS]; /* START_CODELET_BODY, by its generation */
	struct tv_fxt_tally known[TV_FXT_NCODES], unknown[TV_FXT_NCODES]; /* other events */
};

const char *tv_fxt_generation_name(enum tv_fxt_generation generation);
/* A kind of workers, by StarPU's number; NULL if that generation has none of that number. */
const char *tv_fxt_kind_name(enum tv_fxt_generation generation, uint64_t number);

/* The generation that a START_CODELET_BODY looks like: 1.3 (1.2 is the same), 1.4, 1.4.99 or
 * unknown. */
enum tv_fxt_generation tv_fxt_start_generation(const struct tv_fxt_event *event);
/* The numbers of parameters that any version writes for an event (numbers: bit n for n; with text behind
 * the first `text` ones, these and more; 0: no text). By code, less TV_FXT_FIRST_CODE. */
extern const struct tv_fxt_rule {
	const char *name; /* NULL: any number will do */
	uint32_t numbers, text;
} tv_fxt_rules[TV_FXT_NCODES];

/* The rule for a code; NULL: there is none. */
static inline const struct tv_fxt_rule *tv_fxt_rule_of(uint32_t code)
{
	uint32_t at = code - TV_FXT_FIRST_CODE;

	return at < TV_FXT_NCODES && tv_fxt_rules[at].name != NULL ? &tv_fxt_rules[at] : NULL;
}

static inline bool tv_fxt_follows(const struct tv_fxt_rule *rule, uint32_t n)
{
	return (n < 32 && (rule->numbers >> n & 1) != 0) || (rule->text > 0 && n >= rule->text);
}

/* Whether an event looks like one of that generation; for nearly all codes every event does. */
static inline bool tv_fxt_has_shape(const struct tv_fxt_event *event,
				    enum tv_fxt_generation generation)
{
	const struct tv_fxt_rule *rule = tv_fxt_rule_of(event->code);

	if (event->code == TV_FXT_START_CODELET_BODY)
		return tv_fxt_start_generation(event)
		    == (generation == TV_FXT_1_2 ? TV_FXT_1_3 : generation);
	return rule == NULL || tv_fxt_follows(rule, event->n);
}

/* Whether an execution is that of a task without code (parameter i is its flag): 1.4.99 records those,
 * too, other versions do not. */
static inline bool tv_fxt_is_empty(const struct tv_fxt_event *event,
				   enum tv_fxt_generation generation, unsigned i)
{
	return generation == TV_FXT_1_4_99 && tv_fxt_word(event, i) != 0;
}

/* Counts the shape of an event of START_CODELET_BODY; of a code with a rule. The latter returns whether it
 * follows that. */
void tv_fxt_see_start(struct tv_fxt_shapes *shapes, const struct tv_fxt_event *event);
bool tv_fxt_see_ruled(struct tv_fxt_shapes *shapes, const struct tv_fxt_event *event,
		      const struct tv_fxt_rule *rule);
/* The generation that START_CODELET_BODY looks like more often than any other; unknown if there is none. */
enum tv_fxt_generation tv_fxt_usual_start(const struct tv_fxt_shapes *shapes);
/* Counts in the trace the events without the shape of that generation, to be dropped. -1 with *err,
 * which names what differs, if they are more than those with it. */
int tv_fxt_check_shapes(const struct tv_fxt_shapes *shapes, enum tv_fxt_generation generation,
			const char *path, struct tv_trace *trace,
			struct tv_error *err) TV_MUST_CHECK;

#endif
