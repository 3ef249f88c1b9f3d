/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- iteration and coordinates of every task, from the trace or from its tag. */
#include "analysis/core/run.h"
#include "analysis/tasks/tags.h"
#include "trace/alloc.h"

/* A format applied to the types of a trace. */
struct decoder {
	const struct tv_tasks *tasks;
	const struct tv_column *tag; /* NULL: the trace has none */
	struct tv_tag_format format;
	const struct tv_tag_rule **rule; /* by label of a type; NULL = none */
	bool decodes;			 /* tags say what the trace itself does not */
	bool forced;			 /* and come before what it says */
};

/* The rule and the tag of a counted task, or NULL. */
static const struct tv_tag_rule *rule_of(const struct decoder *d, uint32_t row, uint64_t *tag)
{
	uint32_t type = d->tasks->value[row], label = tv_label(d->tag, row);

	if (!d->tasks->counted[row] || type == TV_NONE || label == TV_NONE || d->rule[type] == NULL
	    || !tv_tag_number(tv_pool_text(d->tasks->pool, label), tag))
		return NULL;
	return d->rule[type];
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

static int use_format(struct decoder *d, const char *text, struct tv_error *err)
{
	const struct tv_tasks *tasks = d->tasks;

	if (tv_tag_parse(text, &d->format, err) < 0)
		return -1;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->value[row] != TV_NONE)
			d->rule[tasks->value[row]] = tv_tag_rule(
				&d->format, tv_pool_text(tasks->pool, tasks->value[row]));
	return 0;
}

/*
 * Whether every tag that has a rule passes its checks, and some type's tags differ: runtimes write
 * 0 for tasks whose application sets no tag.
 */
static bool recognize(const struct decoder *d)
{
	const struct tv_tasks *tasks = d->tasks;
	uint32_t *seen = tv_alloc(tv_pool_count(tasks->pool), sizeof *seen);
	bool differ = false, fits = true;

	for (uint32_t row = 0; row < tasks->n && fits; row++) {
		uint64_t tag;
		const struct tv_tag_rule *rule = rule_of(d, row, &tag);
		uint32_t *of_type, label = tv_label(d->tag, row);

		if (rule == NULL)
			continue;
		fits = tv_tag_fits(rule, tag);
		of_type = &seen[tasks->value[row]];
		differ = differ || (*of_type != 0 && *of_type != label + 1);
		*of_type = label + 1;
	}
	tv_free(seen);
	return fits && differ;
}

/* The first known format that the tags are of; *name NULL if there is none. */
static int find_format(struct decoder *d, const char **name, struct tv_error *err)
{
	*name = NULL;
	for (size_t i = 0; i < tv_ntag_known && *name == NULL; i++) {
		if (use_format(d, tv_tag_known[i].name, err) < 0)
			return -1;
		if (recognize(d))
			*name = tv_tag_known[i].name;
	}
	return 0;
}

/* The trace's own numbers, and those of the tags. */
static void decode_field(const struct decoder *d, enum tv_tag_field field,
			 const struct tv_column *own, struct tv_column *to)
{
	for (uint32_t row = 0; row < d->tasks->n; row++) {
		bool has = own != NULL && !tv_missing(own, row), tagged = false;
		int64_t value = has ? tv_number(own, row) : 0;
		const struct tv_tag_rule *rule;
		uint64_t tag;

		if ((d->forced || (d->decodes && !has)) && (rule = rule_of(d, row, &tag)) != NULL)
			tagged = tv_tag_fits(rule, tag) && tv_tag_value(rule, field, tag, &value);
		if (has || tagged)
			tv_set_int(to, row, value);
	}
}

/* Fills the columns. Returns how many counted tasks have an iteration. */
static uint32_t fill(const struct decoder *d, struct tv_table *out)
{
	const struct tv_table *tasks = &d->tasks->trace->table[TV_TASKS];
	const struct tv_column *iteration = out->col[TV_TAG_ITERATION];
	uint32_t known = 0;

	for (int f = 0; f < TV_TAG_FIELDS; f++)
		tv_table_expect_few(out->col[f]);
	tv_table_reserve(out, d->tasks->n);
	out->nrows = d->tasks->n;
	for (int f = 0; f < TV_TAG_FIELDS; f++) {
		const struct tv_column *own = tv_table_in_short(tasks, tv_tag_names[f]);

		if (own != NULL || d->decodes)
			decode_field(d, (enum tv_tag_field)f, own, out->col[f]);
	}
	for (uint32_t row = 0; row < iteration->n; row++)
		known += d->tasks->counted[row] && tv_row_begins(d->tasks, row)
		      && !tv_missing(iteration, row);
	return known;
}

/* Whether the trace itself names the iteration of some counted task. */
static bool trace_has_iterations(const struct tv_tasks *tasks)
{
	const struct tv_column *own = tv_table_in_short(&tasks->trace->table[TV_TASKS],
							"Iteration");

	for (uint32_t row = 0; own != NULL && row < tasks->n; row++)
		if (tasks->counted[row] && !tv_missing(own, row))
			return true;
	return false;
}

static int report(struct tv_run *run, uint32_t known, const char *decoded, struct tv_error *err)
{
	unsigned long unknown = run->tasks.nexecutions - known;

	if (known == 0)
		return tv_fail(err,
			       "iterations: the tasks have no Iteration, and their tags are of no "
			       "known format (see --tag-format)");
	if (decoded != NULL)
		tv_run_warn(run, "iterations are read from tags of the format %.100s", decoded);
	if (unknown != 0)
		tv_run_warn(run, "%lu tasks have no iteration", unknown);
	return 0;
}

static int run_iterations(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const char *asked = ((const struct asked *)options->chosen)->format, *format = asked;
	struct decoder d = { .tasks = &run->tasks,
			     .tag = tv_table_find(&run->trace->table[TV_TASKS], "Tag") };
	int rc = 0;

	if (asked != NULL && d.tag == NULL)
		return tv_fail(err, "iterations: the tasks have no Tag");
	d.rule = tv_alloc(tv_pool_count(run->tasks.pool), sizeof *d.rule);
	if (asked != NULL)
		rc = use_format(&d, asked, err);
	else if (d.tag != NULL && !trace_has_iterations(&run->tasks))
		rc = find_format(&d, &format, err);
	d.decodes = format != NULL;
	d.forced = asked != NULL;
	if (rc == 0)
		rc = report(run, fill(&d, out), format, err);
	tv_free(d.rule);
	return rc;
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
