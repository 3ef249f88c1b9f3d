/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c -- the table that a comparison fills. */
#include "analysis/compare/report.h"

#include <math.h>
#include <string.h>

const struct tv_field tv_report_columns[] = {
	{ "Section", TV_LABEL, false, "", "table that the row belongs to: see below" },
	{ "Base", TV_LABEL, false, "", "label of the run that others are compared with" },
	{ "Run", TV_LABEL, false, "", "label of the run that is compared" },
	{ "Name", TV_LABEL, false, "", "what is told; in section verdict the sentence" },
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
		tv_set_string(tv_table_find(report->out, column), row, text, strlen(text));
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
	uint32_t row = tv_table_add_row(report->out, err);

	if (row == TV_NONE)
		return -1;
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
