/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c -- the table that a comparison fills. */
#include "analysis/compare/report.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

const struct tv_field tv_report_columns[] = {
	{ "Section", TV_LABEL, false, "", "table that the row belongs to: see below" },
	{ "Base", TV_LABEL, false, "", "label of the run that others are compared with" },
	{ "Run", TV_LABEL, false, "", "label of the run that is compared" },
	{ "Name", TV_LABEL, false, "", "name of the number; in section verdict, the sentence" },
	{ "Value", TV_LABEL, false, "", "task type; missing = all, or of no type" },
	{ "ResourceType", TV_LABEL, false, "", "worker type; missing = all" },
	{ "Unit", TV_LABEL, false, "", "of the numbers" },
	{ "Before", TV_DOUBLE, false, "", "in Base; with repeats their median" },
	{ "After", TV_DOUBLE, false, "", "in Run; with repeats their median" },
	{ "Change", TV_DOUBLE, false, "", "After - Before" },
	{ "Ratio", TV_DOUBLE, false, "", "After / Before" },
	{ "Low", TV_DOUBLE, false, "",
	  "95 % interval over runs of Change; in section runs, rows "
	  "of a single label: of After" },
	{ "High", TV_DOUBLE, false, "", "its upper end" },
	{ "RatioLow", TV_DOUBLE, false, "", "95 % interval over runs of Ratio" },
	{ "RatioHigh", TV_DOUBLE, false, "", "its upper end" },
	{ "WithinLow", TV_DOUBLE, false, "",
	  "95 % interval of Change within the two runs shown, from the scatter of their tasks" },
	{ "WithinHigh", TV_DOUBLE, false, "", "its upper end" },
	{ "Rank", TV_INT, false, "",
	  "decomposition: order of the verdict; lost: greatest first; "
	  "progress: how many tasks" },
	{ "JobBefore", TV_LABEL, false, "", "JobId of the task in Base" },
	{ "JobAfter", TV_LABEL, false, "", "JobId of the task in Run" },
	{ "WorkerBefore", TV_LABEL, false, "", "its worker in Base" },
	{ "WorkerAfter", TV_LABEL, false, "", "its worker in Run" },
	{ "WaitChange", TV_DOUBLE, false, "ms", "of its time from release to start" },
	{ "DurationChange", TV_DOUBLE, false, "ms", "of its duration" },
	{ "Time", TV_DOUBLE, false, "ms", "work: since the first start" },
};
const size_t tv_report_ncolumns = TV_COUNT(tv_report_columns);

struct tv_finding tv_finding(const char *section, const char *name, const char *value,
			     const char *rtype, const char *unit, double before, double after)
{
	return (struct tv_finding){
		.section = section,
		.name = name,
		.value = value,
		.rtype = rtype,
		.unit = unit,
		.before = before,
		.after = after,
		.change = after - before,
		.ratio = NAN,
		.wait = NAN,
		.duration = NAN,
		.time = NAN,
	};
}

int tv_report_init(struct tv_report *report, struct tv_table *out, struct tv_error *err)
{
	report->out = out;
	for (size_t i = 0; i < TV_COUNT(tv_report_columns); i++)
		if (tv_table_column(out, tv_report_columns[i].name, tv_report_columns[i].type, err)
		    == NULL)
			return -1;
	return 0;
}

static int set_text(const struct tv_report *report, uint32_t row, const char *column,
		    const char *text)
{
	if (text != NULL && text[0] != '\0')
		tv_set_text(tv_table_find(report->out, column), row, text);
	return 0;
}

static void set_number(const struct tv_report *report, uint32_t row, const char *column, double x)
{
	if (!isnan(x))
		tv_set_double(tv_table_find(report->out, column), row, x);
}

static void set_interval(const struct tv_report *report, uint32_t row, const char *low,
			 const char *high, const struct tv_interval *interval)
{
	if (!interval->known)
		return;
	set_number(report, row, low, interval->low);
	set_number(report, row, high, interval->high);
}

int tv_report_add(const struct tv_report *report, const struct tv_finding *f, struct tv_error *err)
{
	uint32_t row = tv_table_add_row(report->out);

	if (set_text(report, row, "Section", f->section) < 0
	    || set_text(report, row, "Base", report->base) < 0
	    || set_text(report, row, "Run", report->run) < 0
	    || set_text(report, row, "Name", f->name) < 0
	    || set_text(report, row, "Value", f->value) < 0
	    || set_text(report, row, "ResourceType", f->rtype) < 0
	    || set_text(report, row, "Unit", f->unit) < 0)
		return tv_fail_memory(err);
	set_number(report, row, "Before", f->before);
	set_number(report, row, "After", f->after);
	set_number(report, row, "Change", f->change);
	set_number(report, row, "Ratio", f->ratio);
	set_interval(report, row, "Low", "High", &f->change_over_runs);
	set_interval(report, row, "RatioLow", "RatioHigh", &f->ratio_over_runs);
	set_interval(report, row, "WithinLow", "WithinHigh", &f->change_within);
	if (f->rank > 0)
		tv_set_int(tv_table_find(report->out, "Rank"), row, f->rank);
	if (set_text(report, row, "JobBefore", f->job[0]) < 0
	    || set_text(report, row, "JobAfter", f->job[1]) < 0
	    || set_text(report, row, "WorkerBefore", f->worker[0]) < 0
	    || set_text(report, row, "WorkerAfter", f->worker[1]) < 0)
		return tv_fail_memory(err);
	set_number(report, row, "WaitChange", f->wait);
	set_number(report, row, "DurationChange", f->duration);
	set_number(report, row, "Time", f->time);
	return 0;
}

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

int tv_report_transfers(const struct tv_report *report, const struct tv_shifts *shifts,
			struct tv_error *err)
{
	for (uint32_t i = 0; i < shifts->ntransfers; i++) {
		const struct tv_transfer *t = &shifts->transfer[i];
		char *name = tv_format("moved.%s.%s", t->from, t->to);
		struct tv_finding f = tv_finding("order", name, t->value, NULL, "tasks", NAN, t->n);
		int rc = tv_report_add(report, &f, err);

		tv_free(name);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int report_shift(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i,
			struct tv_error *err)
{
	const struct tv_shift *shift = &shifts->shift[i];
	const struct tv_dag *first = shifts->match.dag[0];
	uint32_t value = first->tasks->value[first->row[shift->node[0]]];
	struct tv_finding f = tv_finding("shift", "start", tv_pool_text(first->tasks->pool, value),
					 NULL, "ms", ms(shift->start[0]), ms(shift->start[1]));

	f.change = ms(shift->start[1] - shift->start[0]);
	for (int k = 0; k < 2; k++) {
		const struct tv_dag *dag = shifts->match.dag[k];
		uint32_t worker = dag->tasks->worker[dag->row[shift->node[k]]];
		uint32_t job = tv_dag_job(dag, shift->node[k]);

		f.job[k] = job == TV_NONE ? NULL : tv_pool_text(dag->tasks->pool, job);
		f.worker[k] = tv_pool_text(dag->tasks->pool, dag->tasks->workers[worker].resource);
	}
	return tv_report_add(report, &f, err);
}

static int report_lag(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i,
		      struct tv_error *err)
{
	const int64_t *time = shifts->lag[i].time;
	struct tv_finding f = tv_finding("progress", "progress", NULL, NULL, "ms", ms(time[0]),
					 ms(time[1]));

	f.change = ms(time[1] - time[0]);
	f.rank = i + 1;
	return tv_report_add(report, &f, err);
}

static int report_work(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i,
		       struct tv_error *err)
{
	const struct tv_work_done *done = &shifts->done[i];
	struct tv_finding f = tv_finding("work", "gflop", NULL, NULL, "GFlop", done->flop[0] / 1e9,
					 done->flop[1] / 1e9);

	f.change = (done->flop[1] - done->flop[0]) / 1e9;
	f.time = ms(done->time);
	return tv_report_add(report, &f, err);
}

int tv_report_details(const struct tv_report *report, const char *section,
		      const struct tv_shifts *shifts, struct tv_error *err)
{
	const struct {
		const char *name;
		uint32_t n;
		int (*add)(const struct tv_report *, const struct tv_shifts *, uint32_t,
			   struct tv_error *);
	} all[] = {
		{ "shift", shifts->n, report_shift },
		{ "progress", shifts->n, report_lag },
		{ "work", shifts->ndone, report_work },
	};

	for (size_t i = 0; section != NULL && i < TV_COUNT(all); i++)
		for (uint32_t k = 0; strcmp(section, all[i].name) == 0 && k < all[i].n; k++)
			if (all[i].add(report, shifts, k, err) < 0)
				return -1;
	return 0;
}
