/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- iteration and coordinates of every task, from the trace or from its tag. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/run.h"
#include "analysis/tasks/tags.h"
#include "trace/alloc.h"
#include "trace/map.h"

enum { TAG_MAX = 20 }; /* bytes of a tag that is a number, with the end */

/* A format that tags may be of, and what they show of it. */
struct candidate {
	const char *name;
	struct tv_tag_format format;
	bool fits;	/* each tag that has a rule passes its checks */
	bool differ;	/* those of some type are not all the same */
	uint64_t known; /* executions with an iteration, if it is the format */
	struct first_tag {
		uint32_t type; /* label */
		char text[TAG_MAX];
	} * tag; /* of each type */
	size_t n, cap;
	struct tv_index place; /* in tag, by label of a type */
};

/* What a run has, which says what becomes of its tasks. */
struct found {
	char *asked; /* the format of the option; NULL = none */
	struct candidate *candidate;
	size_t n;
	bool own;			 /* some counted task has an Iteration of the trace */
	uint64_t known;			 /* executions that have one */
	const struct candidate *decoded; /* NULL: tags are not decoded */
};

/* A format applied to the types of some rows. */
struct decoder {
	const struct tv_tasks *tasks;
	const struct tv_column *tag;	 /* NULL: the trace has none */
	const struct tv_tag_rule **rule; /* by label of a type; NULL = none */
};

static void begin_decoding(struct decoder *d, const struct tv_tasks *tasks,
			   const struct tv_tag_format *format)
{
	*d = (struct decoder){ tasks, tv_table_find(&tasks->trace->table[TV_TASKS], "Tag"),
			       tv_alloc(tv_pool_count(tasks->pool), sizeof *d->rule) };
	for (uint32_t row = 0; d->tag != NULL && row < tasks->n; row++) {
		uint32_t type = tasks->value[row];

		if (tasks->counted[row] && type != TV_NONE && d->rule[type] == NULL)
			d->rule[type] = tv_tag_rule(format, tv_pool_text(tasks->pool, type));
	}
}

/* The rule and the tag of a counted task, or NULL. */
static const struct tv_tag_rule *rule_of(const struct decoder *d, uint32_t row, uint64_t *tag)
{
	uint32_t type = d->tasks->value[row], label = tv_cell_label(d->tag, row);

	if (!d->tasks->counted[row] || type == TV_NONE || label == TV_NONE || d->rule[type] == NULL
	    || !tv_tag_number(tv_pool_text(d->tasks->pool, label), tag))
		return NULL;
	return d->rule[type];
}

/* A field that the tag of a task has. */
static bool tag_has(const struct decoder *d, uint32_t row, enum tv_tag_field field, int64_t *value)
{
	uint64_t tag;
	const struct tv_tag_rule *rule = rule_of(d, row, &tag);

	return rule != NULL && tv_tag_fits(rule, tag) && tv_tag_value(rule, field, tag, value);
}

struct asked {
	const char *format;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_tag_format format;

	return asked->format == NULL ? 0 : tv_tag_parse(asked->format, &format, err);
}

/* ---- which format it is, of rows that may come part by part ---- */

static void see_tag(struct candidate *c, uint32_t type, const char *text)
{
	uint32_t at = tv_index_get(&c->place, type);

	if (at != TV_NONE) {
		c->differ = c->differ || strcmp(c->tag[at].text, text) != 0;
		return;
	}
	TV_GROW(c->tag, c->n, c->cap, 1);
	tv_index_set(&c->place, type, (uint32_t)c->n);
	c->tag[c->n].type = type;
	snprintf(c->tag[c->n++].text, TAG_MAX, "%s", text);
}

static void try_format(struct candidate *c, const struct tv_tasks *tasks,
		       const struct tv_column *own)
{
	struct decoder d;

	begin_decoding(&d, tasks, &c->format);
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint64_t tag;
		const struct tv_tag_rule *rule = rule_of(&d, row, &tag);
		int64_t value;

		if (rule != NULL) {
			c->fits = c->fits && tv_tag_fits(rule, tag);
			see_tag(c, tasks->value[row],
				tv_pool_text(tasks->pool, tv_label(d.tag, row)));
		}
		c->known += tasks->counted[row] && tv_row_begins(tasks, row)
			 && ((own != NULL && !tv_missing(own, row))
			     || tag_has(&d, row, TV_TAG_ITERATION, &value));
	}
	tv_free(d.rule);
}

static int look_at_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct found *found = state;
	const struct tv_tasks *tasks = &part->tasks;
	const struct tv_column *own = tv_table_in_short(&part->trace->table[TV_TASKS], "Iteration");

	(void)err;
	for (uint32_t row = 0; own != NULL && row < tasks->n; row++) {
		bool has = tasks->counted[row] && !tv_missing(own, row);

		found->own = found->own || has;
		found->known += has && tv_row_begins(tasks, row);
	}
	for (size_t i = 0; i < found->n && (found->asked != NULL || !found->own); i++)
		if (found->asked != NULL || found->candidate[i].fits)
			try_format(&found->candidate[i], tasks, own);
	return 0;
}

static void release_found(void *data)
{
	struct found *found = data;

	for (size_t i = 0; i < found->n; i++) {
		tv_free(found->candidate[i].tag);
		tv_free(found->candidate[i].place.at);
	}
	tv_free(found->candidate);
	tv_free(found->asked);
	tv_free(found);
}

static void merge_candidate(struct candidate *c, struct tv_pool *pool, struct tv_unpack *from)
{
	c->fits = tv_unpack_number(from) != 0 && c->fits;
	c->differ = tv_unpack_number(from) != 0 || c->differ;
	c->known += tv_unpack_number(from);
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		uint32_t type = tv_unpack_label(from, pool);
		char *text = tv_unpack_text(from);

		see_tag(c, type, text);
		tv_free(text);
	}
}

/* What all processes have found becomes what each has. */
static void share(struct found *found, const struct tv_run *run)
{
	struct tv_pool *pool = run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, found->own);
	tv_pack_number(&pack, found->known);
	for (size_t i = 0; i < found->n; i++) {
		struct candidate *c = &found->candidate[i];

		tv_pack_number(&pack, c->fits);
		tv_pack_number(&pack, c->differ);
		tv_pack_number(&pack, c->known);
		tv_pack_number(&pack, c->n);
		for (size_t k = 0; k < c->n; k++) {
			tv_pack_label(&pack, pool, c->tag[k].type);
			tv_pack_text(&pack, c->tag[k].text);
		}
		c->known = 0;
	}
	found->known = 0;
	all = tv_team_gather(run->team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		found->own = tv_unpack_number(&from) != 0 || found->own;
		found->known += tv_unpack_number(&from);
		for (size_t i = 0; i < found->n; i++)
			merge_candidate(&found->candidate[i], pool, &from);
	}
	tv_gathered_release(&all);
}

static struct found *begin_looking(const char *asked, struct tv_error *err)
{
	struct found *found = tv_alloc(1, sizeof *found);

	found->asked = asked != NULL ? tv_strdup(asked) : NULL;
	found->n = asked != NULL ? 1 : tv_ntag_known;
	found->candidate = tv_alloc(found->n, sizeof *found->candidate);
	for (size_t i = 0; i < found->n; i++) {
		struct candidate *c = &found->candidate[i];

		c->name = asked != NULL ? found->asked : tv_tag_known[i].name;
		c->fits = true;
		if (tv_tag_parse(c->name, &c->format, err) < 0) {
			release_found(found);
			return NULL;
		}
	}
	return found;
}

/*
 * What a run shows, for itself and its parts; it owns that. Without an option, of tags of which the trace has no
 * iterations: the first known format of which each tag is, if some type's tags differ, as runtimes write 0 for tasks whose
 * application sets no tag. NULL with *err.
 */
static const struct found *look(struct tv_run *run, const char *asked, struct tv_error *err)
{
	static const char key;
	struct found *found = tv_run_kept(run, &key);

	if (found != NULL
	    && (asked == NULL || found->asked == NULL ? asked == found->asked
						      : strcmp(asked, found->asked) == 0))
		return found;
	found = begin_looking(asked, err);
	if (found == NULL || tv_run_rows(run, look_at_rows, found, err) < 0) {
		if (found != NULL)
			release_found(found);
		return NULL;
	}
	if (run->team != NULL)
		share(found, run);
	for (size_t i = 0; i < found->n && found->decoded == NULL; i++)
		if (asked != NULL
		    || (!found->own && found->candidate[i].fits && found->candidate[i].differ))
			found->decoded = &found->candidate[i];
	if (found->decoded != NULL)
		found->known = found->decoded->known;
	tv_run_keep(run, &key, found, release_found);
	return found;
}

/* ---- rows ---- */

/* The trace's own numbers, and those of the tags. d may be NULL: these are not decoded. */
static void fill_field(const struct tv_tasks *tasks, const struct decoder *d, bool forced,
		       enum tv_tag_field field, struct tv_column *to)
{
	const struct tv_column *own = tv_table_in_short(&tasks->trace->table[TV_TASKS],
							tv_tag_names[field]);

	if (own == NULL && d == NULL)
		return;
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool has = own != NULL && !tv_missing(own, row), tagged = false;
		int64_t value = has ? tv_number(own, row) : 0;

		if (d != NULL && (forced || !has))
			tagged = tag_has(d, row, field, &value);
		if (has || tagged)
			tv_set_int(to, row, value);
	}
}

static void fill(const struct tv_tasks *tasks, const struct found *found, struct tv_table *out)
{
	struct decoder d = { 0 };

	for (int f = 0; f < TV_TAG_FIELDS; f++)
		tv_table_expect_few(out->col[f]);
	tv_table_reserve(out, tasks->n);
	out->nrows = tasks->n;
	if (found->decoded != NULL)
		begin_decoding(&d, tasks, &found->decoded->format);
	for (int f = 0; f < TV_TAG_FIELDS; f++)
		fill_field(tasks, found->decoded != NULL ? &d : NULL, found->asked != NULL,
			   (enum tv_tag_field)f, out->col[f]);
	tv_free(d.rule);
}

static int report(struct tv_run *run, const struct found *found, struct tv_error *err)
{
	unsigned long unknown = (unsigned long)(run->tasks.nexecutions - found->known);

	if (found->known == 0)
		return tv_fail(err,
			       "iterations: the tasks have no Iteration, and their tags are of no "
			       "known format (see --tag-format)");
	if (found->decoded != NULL)
		tv_run_warn(run, "iterations are read from tags of the format %.100s",
			    found->decoded->name);
	if (unknown != 0)
		tv_run_warn(run, "%lu tasks have no iteration", unknown);
	return 0;
}

static int run_iterations(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const char *asked = ((const struct asked *)options->chosen)->format;
	const struct found *found;

	if (asked != NULL && tv_table_find(&run->trace->table[TV_TASKS], "Tag") == NULL)
		return tv_fail(err, "iterations: the tasks have no Tag");
	found = look(run->of != NULL ? run->of : run, asked, err);
	if (found == NULL)
		return -1;
	fill(&run->tasks, found, out);
	return run->of != NULL ? 0 : report(run, found, err);
}

static const struct tv_option_spec options[] = {
	{ "tag-format", "FORMAT", NULL,
	  "bits of the tag with the iteration (see below); takes precedence over the trace",
	  TV_ASKED(format) },
};

static const struct tv_field columns[] = {
	[TV_TAG_ITERATION] = { "Iteration", TV_INT, false, "",
			       "outer iteration; missing where unknown" },
	[TV_TAG_X] = { "X", TV_INT, false, "", "row of the tile that the task writes" },
	[TV_TAG_Y] = { "Y", TV_INT, false, "", "column of that tile" },
};

const struct tv_pass tv_pass_iterations = {
	.name = "iterations",
	.summary = "Add the iteration that each task belongs to",
	.kind = TV_ANNOTATE,
	.columns = "Iteration X Y",
	.later = "Tag",
	.in_parts = tv_pass_always,
	.beside = 60,
	.group = TV_GROUP_TIME,
	.ranked = "Duration",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "Iteration, X and Y of the trace; if no task has an Iteration, those in the\n"
		 "tags, if all tags have one known format:\n"
		 "starpu-cholesky  StarPU's Cholesky example\n"
		 "chameleon        Chameleon's Cholesky of 2016, three digits per index\n"
		 "Rules define the bits (0 = least significant) by task type:\n"
		 "  PATTERN:FIELD=LOW-HIGH,...;...   e.g. '*gemm*:Iteration=24-35,X=0-11,Y=12-23'\n"
		 "LOW-HIGH=VALUE requires that value: other tags are not decoded.",
	.example = "traceviz iterations data/cholesky.csv",
	.check = check_options,
	.run = run_iterations,
};
