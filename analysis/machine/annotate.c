/* SPDX-License-Identifier: GPL-3.0-or-later */
/* annotate.c -- colors of the objects of the machine, for lstopo. */
#include <math.h>
#include <stdio.h>

#include "analysis/machine/samples.h"

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "object of the machine") \
	X(VALUE, "Value", TV_DOUBLE, false, "", "sum of its values over time; of gauges the mean") \
	X(STYLE, "Style", TV_LABEL, false, "", "hwloc's info lstopoStyle: background and text")

TV_COLUMNS(columns, COLUMNS)

/* Share 0 is almost white, 1 dark blue; lightness falls, so colors differ for everybody. */
static unsigned blue(double share)
{
	static const double from[] = { 247, 251, 255 }, to[] = { 8, 48, 107 };
	unsigned color = 0;

	for (int i = 0; i < 3; i++)
		color = color << 8 | (unsigned)(from[i] + share * (to[i] - from[i]) + 0.5);
	return color;
}

/* Green, yellow, red: the scale of Denoyelle's tools. */
static unsigned green_to_red(double share)
{
	unsigned red = share <= 0.5 ? (unsigned)(510 * share) : 255;
	unsigned green = share <= 0.5 ? 255 : (unsigned)(510 * (1 - share));

	return red << 16 | green << 8;
}

static int check(const struct tv_samples *samples, struct tv_error *err)
{
	if (tv_samples_single(samples, err) < 0)
		return -1;
	for (size_t i = 0; i < samples->n; i++) {
		if (samples->at[i].object == TV_NONE)
			return tv_fail(
				err, "'%s' is no object of the machine, expected values of objects",
				tv_pool_text(samples->run->trace->pool, samples->at[i].resource));
	}
	return 0;
}

static void write_styles(struct tv_samples *samples, bool hmon, struct tv_table *out)
{
	double min = INFINITY, max = -INFINITY;

	tv_samples_total(samples);
	for (size_t i = 0; i < samples->n; i++) {
		min = fmin(min, samples->at[i].value);
		max = fmax(max, samples->at[i].value);
	}
	for (size_t i = 0; i < samples->n; i++) {
		const struct tv_sample *s = &samples->at[i];
		double share = max > min ? (s->value / 2 - min / 2) / (max / 2 - min / 2) : 0;
		uint32_t row = tv_table_add_row(out);
		char style[64];

		snprintf(style, sizeof style, "Background=#%06x;Text=#%s",
			 hmon ? green_to_red(share) : blue(share),
			 !hmon && share > 0.5 ? "ffffff" : "000000");
		tv_set_label(out->col[RESOURCE], row, s->resource);
		tv_set_double(out->col[VALUE], row, s->value);
		tv_set_text(out->col[STYLE], row, style);
	}
}

struct asked {
	const char *name, *level;
	enum { BLUE, HMON } colors;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->name == NULL)
		return tv_fail_usage(err, "annotate needs a variable, expected annotate NAME");
	return 0;
}

static int run_annotate(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_samples samples;
	int rc;

	rc = tv_samples_init(&samples, run, asked->name, err);
	if (rc == 0)
		rc = check(&samples, err);
	if (rc == 0 && asked->level != NULL)
		rc = tv_samples_reduce(&samples, asked->level, TV_SAMPLES_SUM, err);
	if (rc == 0)
		write_styles(&samples, asked->colors == HMON, out);
	tv_samples_release(&samples);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "Type of the variable", TV_ASKED(name) },
	{ "level", "LEVEL", NULL, "of the sums inside the objects of this level", TV_ASKED(level) },
	{ "colors", "blue|hmon", "blue",
	  "white to blue, or green, yellow, red as Denoyelle's tools", TV_OPTION_CHOICE,
	  TV_ASKED(colors) },
};

const struct tv_pass tv_pass_annotate = {
	.name = "annotate",
	.summary = "Colors of the objects of the machine, for hwloc's lstopo",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(columns),
	.notes =
		"One scale for all objects, from the min of their values to the max. "
		"hwloc-annotate\n"
		"writes a style into a topology.xml, lstopo draws it; docs/passes/annotate.md has\n"
		"the loop.",
	.example = "traceviz annotate CacheMiss data/placement/grouped",
	.taskless = true,
	.check = check_options,
	.run = run_annotate,
};
