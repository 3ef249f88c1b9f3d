/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrap.c -- numbers of several runs as Extra-P reads them. */
#include "analysis/efficiency/extrap.h"

#include <math.h>
#include <stdlib.h>
#include <ctype.h>
#include <string.h>

#include "analysis/core/warnings.h"
#include "analysis/efficiency/ladder.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct one {
	const struct tv_named_run *run;
	size_t index;
	double x;
	struct tv_ladder ladder;
	double *busy, *tasks; /* by task type: ms; number */
};

struct writer {
	struct one *one; /* by x */
	size_t n;
	struct tv_pool *types;
	double *value; /* n: those of a region */
	struct tv_output *out;
};

TV_ORDER(by_x, struct one, x, index)

static int read_one(struct writer *w, struct one *one, struct tv_error *err)
{
	struct tv_run *run = one->run->run;
	const struct tv_table *summary = tv_run_pass_with(run, "summary", err, "by", "Value", NULL);

	tv_warn_workers(run);
	tv_warn_cut(run);
	if (summary == NULL || tv_ladder_of_run(&one->ladder, run, err) < 0)
		return tv_fail_about(err, one->run->label);
	for (uint32_t row = 0; row < summary->nrows; row++)
		tv_intern_text(w->types, tv_table_text(summary, "Value", row));
	return 0;
}

/* When all types are known. */
static int read_types(const struct writer *w, struct one *one, struct tv_error *err)
{
	const struct tv_table *summary = tv_run_pass_with(one->run->run, "summary", err, "by",
							  "Value", NULL);

	if (summary == NULL)
		return -1;
	one->busy = tv_alloc(tv_pool_count(w->types), sizeof *one->busy);
	one->tasks = tv_alloc(tv_pool_count(w->types), sizeof *one->tasks);
	for (uint32_t row = 0; row < summary->nrows; row++) {
		uint32_t type = tv_pool_find_text(w->types, tv_table_text(summary, "Value", row));

		one->busy[type] = (double)tv_table_find(summary, "Time")->i[row] / 1e6;
		one->tasks[type] = (double)tv_table_find(summary, "Tasks")->i[row];
	}
	return 0;
}

/* The rungs that all runs have; losses between others are not told apart. */
static void share_rungs(struct writer *w)
{
	for (int rung = 0; rung < TV_LADDER_NRUNGS; rung++) {
		bool all = true;

		for (size_t i = 0; i < w->n; i++)
			all = all && tv_ladder_has(&w->one[i].ladder, rung);
		for (size_t i = 0; i < w->n && !all; i++) {
			if (tv_ladder_has(&w->one[i].ladder, rung))
				w->one[i].ladder.missing[rung] = "another run does not have it";
			w->one[i].ladder.time[rung] = NAN;
		}
	}
}

/* A line for each x. Extra-P takes what is before an arrow as the caller. */
static void write_region(const struct writer *w, const char *parent, const char *name)
{
	size_t size = strlen(name) + 1;
	char *text = tv_alloc(size, 1);

	tv_clean_text(text, size, name);
	for (char *arrow = text; (arrow = strstr(arrow, "->")) != NULL;)
		arrow[1] = ' ';
	tv_output_format(w->out, "REGION %s%s", parent, text[0] != '\0' ? text : "no type");
	tv_free(text);
	for (size_t i = 0; i < w->n; i++)
		tv_output_format(w->out, "%s%.6f",
				 i == 0 || w->one[i].x != w->one[i - 1].x ? "\nDATA " : " ",
				 w->value[i]);
	tv_output_text(w->out, "\n");
}

/* Worker time between two rungs; lower < 0: 0. */
static void write_times(const struct writer *w, const char *parent, const char *name, int upper,
			int lower)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct one *one = &w->one[i];
		long double below = lower < 0 ? 0 : one->ladder.time[lower];

		w->value[i] = (double)((one->ladder.time[upper] - below) / 1e6L
				       * one->run->run->tasks.nworkers);
	}
	write_region(w, parent, name);
}

static void write_worker_time(const struct writer *w)
{
	struct tv_factor factor[TV_FACTORS_MAX];
	size_t n = tv_ladder_factors(&w->one[0].ladder, factor);
	int last = TV_LADDER_RUNG_RECORDED;

	tv_output_text(w->out, "METRIC worker_time_ms\n");
	write_times(w, "", "run", TV_LADDER_RUNG_RECORDED, -1);
	for (size_t i = 0; i < n; i++) {
		if (factor[i].product)
			continue;
		write_times(w, "run->", factor[i].name, (int)factor[i].upper, (int)factor[i].lower);
		last = (int)factor[i].lower;
	}
	write_times(w, "run->", "ideal", last, -1);
}

/* Extra-P wants a value for each x: a type that some run does not have has no mean duration. */
static void write_types(const struct writer *w)
{
	static const char *const metric[] = { "busy_ms", "tasks", "mean_duration_ms" };

	for (int m = 0; m < 3; m++) {
		tv_output_format(w->out, "METRIC %s\n", metric[m]);
		for (uint32_t type = 0; type < tv_pool_count(w->types); type++) {
			bool any = false, all = true;
			char *parent = tv_format("%s->", metric[m]);

			for (size_t i = 0; i < w->n; i++) {
				const struct one *one = &w->one[i];

				any |= one->tasks[type] > 0;
				all = all && one->tasks[type] > 0;
				w->value[i] = m == 0 ? one->busy[type]
					    : m == 1 ? one->tasks[type]
						     : one->busy[type] / one->tasks[type];
			}
			if (m < 2 ? any : all)
				write_region(w, parent, tv_pool_text(w->types, type));
			tv_free(parent);
		}
	}
}

/* The mean over the repeats of a label. */
static double find_x(const struct writer *w, const struct one *of, struct tv_series_axis axis)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->one[i].run->label, of->run->label) == 0) {
			sum += tv_series_of_run(w->one[i].run->run, axis);
			n++;
		}
	return sum / n;
}

static void find_points(struct writer *w, struct tv_series_axis axis)
{
	static const char *const names[] = { "workers", "nodes", "granularity_ms" };
	char *name = tv_strdup(axis.key != NULL ? axis.key : names[axis.x]);

	/* A word of its language. */
	for (char *s = name; *s != '\0'; s++)
		*s = isalnum((unsigned char)*s) ? *s : '_';
	for (size_t i = 0; i < w->n; i++)
		w->one[i].x = find_x(w, &w->one[i], axis);
	qsort(w->one, w->n, sizeof *w->one, by_x);
	tv_output_format(w->out, "PARAMETER %s\nPOINTS", name);
	tv_free(name);
	for (size_t i = 0; i < w->n; i++)
		if (i == 0 || w->one[i].x != w->one[i - 1].x)
			tv_output_format(w->out, " (%.9g)", w->one[i].x);
	tv_output_text(w->out, "\n");
}

int tv_write_extrap(const struct tv_named_run *run, size_t n, struct tv_series_axis axis,
		    struct tv_output *out, struct tv_error *err)
{
	struct writer w = { tv_alloc(n, sizeof *w.one), n, tv_pool_new(),
			    tv_alloc(n, sizeof *w.value), out };
	int rc = tv_series_check(run, n, axis, err);

	for (size_t i = 0; i < n && rc == 0; i++) {
		w.one[i] = (struct one){ .run = &run[i], .index = i };
		rc = read_one(&w, &w.one[i], err);
	}
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = read_types(&w, &w.one[i], err);
	if (rc == 0) {
		share_rungs(&w);
		find_points(&w, axis);
		write_worker_time(&w);
		write_types(&w);
	}
	for (size_t i = 0; i < n; i++) {
		tv_ladder_release(&w.one[i].ladder);
		tv_free(w.one[i].busy);
		tv_free(w.one[i].tasks);
	}
	tv_free(w.one);
	tv_free(w.value);
	tv_pool_free(w.types);
	return rc;
}
