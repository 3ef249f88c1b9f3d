/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tag_choice.h -- which format the tags of a run are of, of rows that may come part by part, and what tasks have of it.
 */
#ifndef TV_TAG_CHOICE_H
#define TV_TAG_CHOICE_H

#include "analysis/core/run.h"
#include "analysis/tasks/tags.h"

struct tv_tag_candidate;

/* What a run has, which says what becomes of its tasks. */
struct tv_tag_choice {
	char *asked; /* the format of the option; NULL = none */
	struct tv_tag_candidate *candidate;
	size_t n;
	bool own;	/* some counted task has an Iteration of the trace */
	uint64_t known; /* executions that have one */
	const struct tv_tag_candidate *decoded; /* NULL: tags are not decoded */
};

/*
 * Of a run or, the same, a part of it; the run owns it. Without an option, of tags of which the trace has no
 * iterations: the first known format of which each tag is, if some type's tags differ, as runtimes write 0 for tasks whose
 * application sets no tag. NULL with *err.
 */
const struct tv_tag_choice *tv_tag_choose(struct tv_run *run, const char *asked,
					  struct tv_error *err);
/* tv_pass.expect of what asks for it without an option. */
void tv_tag_expect(struct tv_run *run);
/* The format that is decoded; NULL = none. */
const char *tv_tag_decoded(const struct tv_tag_choice *choice);

/* A format applied to the types of some rows. */
struct tv_tag_decoder {
	const struct tv_tasks *tasks;
	const struct tv_column *tag;	 /* NULL: the trace has none */
	const struct tv_tag_rule **rule; /* by label of a type; NULL = none */
};

/* A field of the tasks of some rows: the trace's own numbers, and those of the tags. */
struct tv_tag_reader {
	const struct tv_column *own;   /* NULL: the trace has none */
	struct tv_tag_decoder decoder; /* rule NULL = tags are not decoded */
	bool forced;		       /* tags take precedence */
	enum tv_tag_field field;
};

void tv_tag_read(struct tv_tag_reader *reader, const struct tv_tasks *tasks,
		 const struct tv_tag_choice *choice, enum tv_tag_field field);
/* Whether a row has the field. */
bool tv_tag_get(const struct tv_tag_reader *reader, uint32_t row, int64_t *value);
void tv_tag_end(struct tv_tag_reader *reader);

#endif
