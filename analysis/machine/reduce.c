/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.c -- values of variables, of the objects of a level of the machine. */
#include "analysis/machine/samples.h"

struct asked {
	const char *name, *level;
	enum tv_samples_by by;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->level == NULL)
		return tv_fail_usage(err, "reduce needs --level, expected a level such as L3");
	return 0;
}

static int run_reduce(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_samples samples;
	int rc = tv_samples_init(&samples, run, asked->name, err);

	if (rc == 0)
		rc = tv_samples_reduce(&samples, asked->level, asked->by, err);
	for (size_t i = 0; rc == 0 && i < samples.n; i++)
		tv_sample_write(out, &samples.at[i]);
	tv_samples_release(&samples);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME,...", NULL, "Type of the variables; * and ? match (default: all)",
	  TV_OPTION_LIST, TV_ASKED(name) },
	{ "level", "LEVEL", NULL,
	  "level of the machine: PU, Core, L2, L3, NUMANode, Package, Machine", TV_ASKED(level) },
	{ "by", "sum|mean|min|max|var|join", "sum", "what is made of the values inside an object",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
};

const struct tv_pass tv_pass_reduce = {
	.name = "reduce",
	.summary = "Values of variables, reduced to a level of the machine",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(tv_sample_columns),
	.table = "variables",
	.notes =
		"For each variable and interval, the values of the objects inside each object of\n"
		"the level are added (--by sum), or their mean, min, max or variance (of the\n"
		"population) is computed. --by join keeps them, as variables TYPE@OBJECT of the\n"
		"object. If a variable has values on an object and on others inside it, the inner\n"
		"ones count. Values on resources that are no objects are left out, with a "
		"warning.\n"
		"The sum of a ratio means nothing: reduce its parts, then derive, which derive\n"
		"--level does. Source: Denoyelle, Compas 2016.",
	.example = "traceviz reduce CacheMiss --level Machine data/placement/balanced",
	.taskless = true,
	.check = check_options,
	.run = run_reduce,
};
