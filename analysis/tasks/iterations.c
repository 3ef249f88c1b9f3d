/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- iteration and coordinates of every task, from the trace or from its tag. */
#include "analysis/tasks/tag_choice.h"

struct asked {
	const char *format;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_tag_format format;

	return asked->format == NULL ? 0 : tv_tag_parse(asked->format, &format, err);
}

/* ---- rows ---- */

static void fill(const struct tv_tasks *tasks, const struct tv_tag_choice *choice,
		 struct tv_table *out)
{
	for (int f = 0; f < TV_TAG_FIELDS; f++)
		tv_table_expect_few(out->col[f]);
	tv_table_reserve(out, tasks->n);
	out->nrows = tasks->n;
	for (int f = 0; f < TV_TAG_FIELDS; f++) {
		struct tv_tag_reader reader;
		int64_t value;

		tv_tag_read(&reader, tasks, choice, (enum tv_tag_field)f);
		for (uint32_t row = 0; row < tasks->n; row++)
			if (tv_tag_get(&reader, row, &value))
				tv_set_int(out->col[f], row, value);
		tv_tag_end(&reader);
	}
}

static int report(struct tv_run *run, const struct tv_tag_choice *choice, struct tv_error *err)
{
	unsigned long unknown = (unsigned long)(run->tasks.nexecutions - choice->known);

	if (choice->known == 0)
		return tv_fail(err,
			       "iterations: the tasks have no Iteration, and their tags are of no "
			       "known format (see --tag-format)");
	if (choice->decoded != NULL)
		tv_run_warn(run, "iterations are read from tags of the format %.100s",
			    tv_tag_decoded(choice));
	if (unknown != 0)
		tv_run_warn(run, "%lu tasks have no iteration", unknown);
	return 0;
}

static int run_iterations(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const char *asked = ((const struct asked *)options->chosen)->format;
	const struct tv_tag_choice *choice;

	if (asked != NULL && tv_table_find(&run->trace->table[TV_TASKS], "Tag") == NULL)
		return tv_fail(err, "iterations: the tasks have no Tag");
	choice = tv_tag_choose(run, asked, err);
	if (choice == NULL)
		return -1;
	fill(&run->tasks, choice, out);
	return run->of != NULL ? 0 : report(run, choice, err);
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
	.expect = tv_tag_expect,
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
