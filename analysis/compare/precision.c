/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precision.c -- how far simulated runs are from native ones. */
#include "analysis/compare/precision.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

enum { CASE, MODEL, NATIVE, SIMULATED };

/* A side with its label cut at the last slash. */
struct part {
	const char *model;
	const char *of; /* the case: not closed by NUL */
	size_t length;
	int64_t makespan;
	bool native;
	const struct tv_side *side;
};

/* The median over the repeats. */
static int64_t makespan_of(const struct tv_side *side)
{
	double *makespan = tv_alloc(side->n, sizeof *makespan);
	int64_t median;

	for (size_t i = 0; i < side->n; i++)
		makespan[i] = (double)(side->run[i]->tasks.finish - side->run[i]->tasks.begin);
	median = llround(tv_repeats_median(makespan, side->n));
	tv_free(makespan);
	return median;
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

		part[i] = (struct part){ slash != NULL ? slash + 1 : side[i].label,
					 side[i].label,
					 slash != NULL ? (size_t)(slash - side[i].label) : 0,
					 makespan_of(&side[i]),
					 false,
					 &side[i] };
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

		for (size_t k = 0; k < part[i].side->n; k++)
			if (tv_run_need_tasks(part[i].side->run[k], "precision", err) < 0)
				return -1;
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

static void write_case(const struct part *native, const struct part *part, struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_string(out->col[CASE], row, part->of, part->length);
	tv_set_text(out->col[MODEL], row, part->model);
	tv_set_int(out->col[NATIVE], row, native->makespan);
	tv_set_int(out->col[SIMULATED], row, part->makespan);
}

int tv_precision(const struct tv_side *side, size_t nsides, const struct tv_error_options *options,
		 struct tv_table *out, struct tv_error *err)
{
	struct part *part = tv_alloc(nsides, sizeof *part);
	struct tv_table times;
	int rc;

	tv_table_init(&times, out->pool);
	tv_table_column(&times, "Case", TV_LABEL, err);
	tv_table_column(&times, "Model", TV_LABEL, err);
	tv_table_column(&times, "Native", TV_TIME, err);
	tv_table_column(&times, "Simulated", TV_TIME, err);
	cut_labels(side, nsides, part);
	rc = check(part, nsides, err);
	for (size_t i = 0; i < nsides && rc == 0; i++)
		if (!part[i].native)
			write_case(find_native(part, nsides, &part[i]), &part[i], &times);
	tv_table_finish(&times);
	if (rc == 0)
		rc = tv_errors(&(struct tv_error_source){ "", "the traces", &times }, 1, options,
			       out, err);
	tv_table_release(&times);
	tv_free(part);
	return rc;
}
