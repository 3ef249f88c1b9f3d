/* SPDX-License-Identifier: GPL-3.0-or-later */
/* derive.c -- a variable computed of others by an expression. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analysis/machine/described.h"
#include "trace/alloc.h"

/* The expression NAME = EXPR, its operands and their values in one interval of a resource. */
struct formula {
	const struct tv_samples *samples;
	const char *text;
	uint32_t name; /* label */
	struct tv_arithmetic *value;
	uint32_t *operand; /* labels */
	double *now;
	size_t n, cap;
};

static int64_t find(void *context, const char *name, size_t n)
{
	struct formula *f = context;
	uint32_t label = TV_NONE;

	for (size_t i = 0; i < f->n; i++) {
		const char *known = tv_pool_text(f->samples->run->trace->pool, f->operand[i]);

		if (strlen(known) == n && memcmp(known, name, n) == 0)
			return (int64_t)i;
	}
	for (size_t i = 0; i < f->samples->n && label == TV_NONE; i++) {
		uint32_t type = f->samples->at[i].type;
		const char *known = tv_pool_text(f->samples->run->trace->pool, type);

		/* Samples are sorted by type: the others of this one are skipped. */
		if (i > 0 && type == f->samples->at[i - 1].type)
			continue;
		if (strlen(known) == n && memcmp(known, name, n) == 0)
			label = type;
	}
	if (label == TV_NONE)
		return -1;
	TV_GROW(f->operand, f->n, f->cap, 1);
	f->operand[f->n++] = label;
	return (int64_t)f->n - 1;
}

/* The name before =, else the text itself. */
static size_t take_name(struct formula *f)
{
	const char *text = f->text, *equal = strchr(text, '='), *end = text + strlen(text);
	size_t at = 0;

	if (equal != NULL) {
		at = (size_t)(equal + 1 - text);
		end = equal;
	}
	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (end == text)
		return at;
	f->name = tv_intern(f->samples->run->trace->pool, text, (size_t)(end - text));
	return at;
}

static int parse(struct formula *f, struct tv_error *err)
{
	const struct tv_operands operands = { find, f, "a variable of the trace or a number",
					      false };
	const char *expected;
	size_t at = take_name(f);

	if (f->name == TV_NONE)
		return tv_fail_quote(err, f->text, 0, "expected a name before = here");
	f->value = tv_arithmetic_new(f->text, &at, &operands, &expected);
	if (f->value == NULL)
		return tv_fail_quote(err, f->text, at, "expected %s here", expected);
	while (isspace((unsigned char)f->text[at]))
		at++;
	if (f->text[at] != '\0')
		return tv_fail_quote(err, f->text, at, "expected + - * / or the end here");
	if (f->n == 0)
		return tv_fail_quote(
			err, f->text, 0,
			"expected a variable of the trace ('traceviz counter' lists them)");
	f->now = tv_alloc(f->n, sizeof *f->now);
	return 0;
}

static double now(const void *context, uint32_t operand)
{
	const struct formula *f = context;

	return f->now[operand];
}

/* Leaves only samples of the operands. */
static void keep_operands(const struct formula *f, struct tv_samples *samples)
{
	size_t n = 0;

	for (size_t i = 0; i < samples->n; i++)
		for (size_t k = 0; k < f->n; k++)
			if (samples->at[i].type == f->operand[k]) {
				samples->at[n++] = samples->at[i];
				break;
			}
	samples->n = n;
}

/* One value per resource and interval, in place of the operands. */
static void evaluate(struct formula *f, struct tv_samples *samples)
{
	size_t out = 0, missing = 0, several = 0;

	tv_samples_sort(samples, TV_SAMPLES_PLACES);
	for (size_t first = 0, n; first < samples->n; first += n) {
		struct tv_sample s = samples->at[first];

		n = tv_samples_group(samples, first, false, true);
		for (size_t k = 0; k < f->n; k++)
			f->now[k] = NAN;
		for (size_t i = first; i < first + n; i++)
			for (size_t k = 0; k < f->n; k++)
				if (samples->at[i].type == f->operand[k]) {
					several += !isnan(f->now[k]);
					f->now[k] = samples->at[i].value;
				}
		s.type = f->name;
		s.value = tv_arithmetic_value(f->value, now, f);
		if (isnan(s.value))
			missing++;
		else
			samples->at[out++] = s;
	}
	samples->n = out;
	if (missing > 0)
		tv_run_warn(
			samples->run,
			"%zu values are missing: a variable has none on the same resource in the "
			"same interval, or a divisor is 0",
			missing);
	if (several > 0)
		tv_run_warn(samples->run,
			    "%zu values were replaced by others of the same variable, resource and "
			    "interval",
			    several);
}

struct asked {
	const char *formula, *monitor, *level;
	bool mean_of_ratios;
};

static int compute(struct formula *f, struct tv_samples *samples, const struct asked *asked,
		   struct tv_error *err)
{
	const char *level = asked->level;
	bool ratios = asked->mean_of_ratios;

	if (parse(f, err) < 0)
		return -1;
	keep_operands(f, samples);
	if (level != NULL && !ratios && tv_samples_reduce(samples, level, TV_SAMPLES_SUM, err) < 0)
		return -1;
	evaluate(f, samples);
	if (ratios && samples->n > 0)
		return tv_samples_reduce(samples, level, TV_SAMPLES_MEAN, err);
	tv_samples_sort(samples, TV_SAMPLES_SERIES);
	return 0;
}

/* What --monitor replaces. */
static int check(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const char *other = asked->formula != NULL ? "an expression"
			  : asked->level != NULL   ? "--level"
			  : asked->mean_of_ratios  ? "--mean-of-ratios"
						   : NULL;

	if (asked->monitor == NULL && asked->formula == NULL)
		return tv_fail_usage(err, "derive needs an expression or a description, expected "
					  "derive 'NAME = EXPR' or derive --monitor FILE");
	if (asked->monitor != NULL && other != NULL)
		return tv_fail_usage(err, "%s has no effect with --monitor", other);
	if (asked->mean_of_ratios && asked->level == NULL)
		return tv_fail_usage(err, "--mean-of-ratios has no effect without --level");
	return 0;
}

static int run_derive(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_samples samples;
	struct formula f = { .samples = &samples, .text = asked->formula, .name = TV_NONE };
	int rc;

	rc = tv_samples_init(&samples, run, NULL, err);
	if (rc == 0)
		rc = f.text == NULL ? tv_described_apply(&samples, asked->monitor, err)
				    : compute(&f, &samples, asked, err);
	for (size_t i = 0; rc == 0 && i < samples.n; i++)
		tv_sample_write(out, &samples.at[i]);
	tv_arithmetic_free(f.value);
	tv_free(f.operand);
	tv_free(f.now);
	tv_samples_release(&samples);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "formula", "EXPR", NULL, "NAME = arithmetic of variables and numbers",
	  TV_ASKED(formula) },
	{ "monitor", "FILE", NULL,
	  "instead of EXPR: the outputs of a description of monitors, of the variables that its "
	  "events name",
	  TV_ASKED(monitor) },
	{ "level", "LEVEL", NULL, "add each variable inside the objects of this level first",
	  TV_ASKED(level) },
	{ "mean-of-ratios", NULL, NULL,
	  "with --level: the mean of EXPR inside the objects, not EXPR of the sums",
	  TV_ASKED(mean_of_ratios) },
};

const struct tv_pass tv_pass_derive = {
	.name = "derive",
	.summary = "A variable computed of others, such as a ratio of counters",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "formula",
	TV_PASS_COLUMNS(tv_sample_columns),
	.table = "variables",
	.notes =
		"EXPR has + - * /, parentheses, numbers and variables (their Type, in quotes if "
		"it\n"
		"contains blanks), computed as doubles for each resource and interval in which "
		"all\n"
		"of them have a value. A quotient by 0 is missing. Without NAME = the variable is\n"
		"named like the expression.\n"
		"--level L3 first adds each variable over the objects inside each L3, so that a\n"
		"ratio is one of sums. --mean-of-ratios gives the mean of the ratios instead,\n"
		"which weighs a core that did little as much as one that did all.\n"
		"--monitor FILE computes the outputs of monitors as a recording with this\n"
		"description does: an event is the variable of its name, MONITOR.EVENT, or the "
		"only\n"
		"one that ends in .EVENT, on the objects of OBJ (or summed inside them).\n"
		"Source: Denoyelle, Compas 2016.",
	.example = "traceviz derive 'miss = CacheMiss / CyclesWithoutInstruction' "
		   "data/placement/grouped",
	.taskless = true,
	.check = check,
	.run = run_derive,
};
