/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precision.c -- how far simulated runs are from native ones. */
#include "analysis/compare/precision.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

enum { CASE, MODEL, CASES, NATIVE, SIMULATED, ERROR, ABSOLUTE };

const struct tv_field tv_precision_columns[] = {
	[CASE] = { "Case", TV_LABEL, false, "", "case; missing = mean over the cases" },
	[MODEL] = { "Model", TV_LABEL, false, "", "how the run was simulated" },
	[CASES] = { "Cases", TV_INT, false, "", "number of cases" },
	[NATIVE] = { "Native", TV_TIME, false, "ms", "makespan of the native run" },
	[SIMULATED] = { "Simulated", TV_TIME, false, "ms", "makespan of the simulated run" },
	[ERROR] = { "Error", TV_DOUBLE, false, "%",
		    "(Native - Simulated) / Native; positive: the simulation is optimistic" },
	[ABSOLUTE] = { "AbsoluteError", TV_DOUBLE, false, "%", "without its sign" },
};
const size_t tv_nprecision_columns = TV_COUNT(tv_precision_columns);

/* A side with its label cut at the last slash. */
struct part {
	const char *model;
	const char *of; /* the case: not closed by NUL */
	size_t length;
	int64_t makespan;
	bool native;
};

static int64_t makespan_of(const struct tv_side *side)
{
	const struct tv_tasks *tasks = &tv_side_median(side)->tasks;

	return tasks->finish - tasks->begin;
}

static bool same_case(const struct part *a, const struct part *b)
{
	return a->length == b->length && memcmp(a->of, b->of, a->length) == 0;
}

static void cut_labels(const struct tv_side *side, size_t n, struct part *part)
{
	bool cases = false;

	for (size_t i = 0; i < n; i++)
		cases = cases || strchr(side[i].label, '/') != NULL;
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(side[i].label, '/');

		part[i] = (struct part){ slash != NULL ? slash + 1 : side[i].label, side[i].label,
					 slash != NULL ? (size_t)(slash - side[i].label) : 0,
					 makespan_of(&side[i]), false };
		part[i].native = cases ? strcmp(part[i].model, "native") == 0 : i == 0;
	}
}

static const struct part *find_native(const struct part *part, size_t n, const struct part *of)
{
	for (size_t i = 0; i < n; i++)
		if (part[i].native && same_case(&part[i], of))
			return &part[i];
	return NULL;
}

static int check(const struct part *part, size_t n, struct tv_error *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct part *native = find_native(part, n, &part[i]);
		size_t others = 0;

		if (native == NULL)
			return tv_fail_usage(err,
					     "the case '%.*s' has no native run, expected a label "
					     "%.*s/native",
					     (int)part[i].length, part[i].of, (int)part[i].length,
					     part[i].of);
		if (native->makespan <= 0)
			return tv_fail(err, "the native run of '%.*s' takes no time",
				       (int)part[i].length, part[i].of);
		for (size_t k = 0; k < n; k++)
			others += !part[k].native && same_case(&part[k], &part[i]);
		if (others == 0)
			return tv_fail_usage(err, "the case '%.*s' has no simulated run",
					     (int)part[i].length, part[i].of);
	}
	return 0;
}

static double error_of(const struct part *native, const struct part *simulated)
{
	return 100 * (double)(native->makespan - simulated->makespan) / (double)native->makespan;
}

static void write_case(const struct part *native, const struct part *part, struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);
	double error = error_of(native, part);

	tv_set_string(out->col[CASE], row, part->of, part->length);
	tv_set_text(out->col[MODEL], row, part->model);
	tv_set_int(out->col[CASES], row, 1);
	tv_set_int(out->col[NATIVE], row, native->makespan);
	tv_set_int(out->col[SIMULATED], row, part->makespan);
	tv_set_double(out->col[ERROR], row, error);
	tv_set_double(out->col[ABSOLUTE], row, fabs(error));
}

/* Means of a model over its cases. */
static void write_means(const struct part *part, size_t n, const char *model, struct tv_table *out)
{
	double sum = 0, absolute = 0;
	uint32_t row = tv_table_add_row(out);
	int64_t cases = 0;

	for (size_t i = 0; i < n; i++) {
		double error;

		if (part[i].native || strcmp(part[i].model, model) != 0)
			continue;
		error = error_of(find_native(part, n, &part[i]), &part[i]);
		sum += error;
		absolute += fabs(error);
		cases++;
	}
	tv_set_text(out->col[MODEL], row, model);
	tv_set_int(out->col[CASES], row, cases);
	tv_set_double(out->col[ERROR], row, sum / (double)cases);
	tv_set_double(out->col[ABSOLUTE], row, absolute / (double)cases);
}

int tv_precision(const struct tv_side *side, size_t nsides, struct tv_table *out,
		 struct tv_error *err)
{
	struct part *part = tv_alloc(nsides, sizeof *part);
	int rc;

	for (size_t c = 0; c < tv_nprecision_columns; c++)
		tv_table_column(out, tv_precision_columns[c].name, tv_precision_columns[c].type,
				err);
	cut_labels(side, nsides, part);
	rc = check(part, nsides, err);
	for (size_t i = 0; i < nsides && rc == 0; i++)
		if (!part[i].native)
			write_case(find_native(part, nsides, &part[i]), &part[i], out);
	for (size_t i = 0; i < nsides && rc == 0; i++) {
		size_t first = 0;

		while (part[first].native || strcmp(part[first].model, part[i].model) != 0)
			if (++first == nsides)
				break;
		if (first == i)
			write_means(part, nsides, part[i].model, out);
	}
	tv_table_finish(out);
	tv_free(part);
	return rc;
}
