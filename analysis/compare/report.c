/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c -- the table of a comparison, and its numbers by name. */
#include "analysis/compare/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/compare.h"
#include "trace/alloc.h"

const struct tv_field tv_report_columns[] = {
	{ "Section", TV_LABEL, false, "", "section of the row, see below" },
	{ "Base", TV_LABEL, false, "", "label of the base run" },
	{ "Run", TV_LABEL, false, "", "label of the run that is compared with it" },
	{ "Name", TV_LABEL, false, "", "name of the number; in section verdict, the sentence" },
	{ "Value", TV_LABEL, false, "",
	  "task type, MPI function or state; missing = all, or none" },
	{ "ResourceType", TV_LABEL, false, "", "worker type; missing = all" },
	{ "Unit", TV_LABEL, false, "", "unit of the numbers" },
	{ "Before", TV_DOUBLE, false, "", "number of Base; with repeats their median" },
	{ "After", TV_DOUBLE, false, "", "number of Run; with repeats their median" },
	{ "Change", TV_DOUBLE, false, "", "After - Before" },
	{ "Ratio", TV_DOUBLE, false, "", "After / Before" },
	{ "Low", TV_DOUBLE, false, "",
	  "lower end of the 95 % interval over runs, of Change; for a single label, of After" },
	{ "High", TV_DOUBLE, false, "", "upper end of that interval" },
	{ "RatioLow", TV_DOUBLE, false, "", "lower end of the 95 % interval of Ratio over runs" },
	{ "RatioHigh", TV_DOUBLE, false, "", "upper end of that interval" },
	{ "WithinLow", TV_DOUBLE, false, "",
	  "lower end of the 95 % interval of Change from the scatter of tasks within two runs" },
	{ "WithinHigh", TV_DOUBLE, false, "", "upper end of that interval" },
	{ "Rank", TV_INT, false, "",
	  "decomposition: order of the verdict; lost: largest first; progress: number of tasks" },
	{ "JobBefore", TV_LABEL, false, "", "JobId of the task in Base" },
	{ "JobAfter", TV_LABEL, false, "", "JobId of the task in Run" },
	{ "WorkerBefore", TV_LABEL, false, "", "its worker in Base" },
	{ "WorkerAfter", TV_LABEL, false, "", "its worker in Run" },
	{ "WaitChange", TV_DOUBLE, false, "ms", "change of its time from release to start" },
	{ "DurationChange", TV_DOUBLE, false, "ms", "change of its duration" },
	{ "TextBefore", TV_LABEL, false, "",
	  "section settings: value of Name in Base; missing = not known" },
	{ "TextAfter", TV_LABEL, false, "", "the same in Run" },
	{ "Elapsed", TV_DOUBLE, false, "ms", "section work: time since the first start" },
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

void tv_report_init(struct tv_report *report, struct tv_table *out)
{
	struct tv_error none = { 0 };

	report->out = out;
	for (size_t i = 0; i < TV_COUNT(tv_report_columns); i++)
		tv_table_column(out, tv_report_columns[i].name, tv_report_columns[i].type, &none);
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

void tv_report_add(const struct tv_report *report, const struct tv_finding *finding)
{
	const struct {
		const char *column, *text;
	} texts[] = {
		{ "Section", finding->section },
		{ "Base", report->base },
		{ "Run", report->run },
		{ "Name", finding->name },
		{ "Value", finding->value },
		{ "ResourceType", finding->rtype },
		{ "Unit", finding->unit },
		{ "JobBefore", finding->job[0] },
		{ "JobAfter", finding->job[1] },
		{ "WorkerBefore", finding->worker[0] },
		{ "WorkerAfter", finding->worker[1] },
		{ "TextBefore", finding->text[0] },
		{ "TextAfter", finding->text[1] },
	};
	uint32_t row = tv_table_add_row(report->out);

	for (size_t i = 0; i < TV_COUNT(texts); i++)
		if (texts[i].text != NULL && texts[i].text[0] != '\0')
			tv_set_text(tv_table_find(report->out, texts[i].column), row,
				    texts[i].text);
	set_number(report, row, "Before", finding->before);
	set_number(report, row, "After", finding->after);
	set_number(report, row, "Change", finding->change);
	set_number(report, row, "Ratio", finding->ratio);
	set_interval(report, row, "Low", "High", &finding->change_over_runs);
	set_interval(report, row, "RatioLow", "RatioHigh", &finding->ratio_over_runs);
	set_interval(report, row, "WithinLow", "WithinHigh", &finding->change_within);
	if (finding->rank > 0)
		tv_set_int(tv_table_find(report->out, "Rank"), row, finding->rank);
	set_number(report, row, "WaitChange", finding->wait);
	set_number(report, row, "DurationChange", finding->duration);
	set_number(report, row, "Elapsed", finding->time);
}

static double ms(tv_int128 ns)
{
	return (double)ns / 1e6;
}

/* ---- the decomposition ---- */

static void report_term(const struct tv_report *report, const struct tv_term *term)
{
	static const char *const names[] = {
#define NAME(symbol, name) [TV_EFFECT_##symbol] = (name),
		TV_EFFECTS(NAME)
#undef NAME
	};
	struct tv_finding finding = tv_finding("decomposition", names[term->effect], term->value,
					       term->rtype, "worker-ms", NAN, NAN);
	char name[80];

	if (term->effect == TV_EFFECT_OTHER || term->effect == TV_EFFECT_WORK
	    || term->effect == TV_EFFECT_IDLE) {
		finding.before = ms(term->level[0]);
		finding.after = ms(term->level[1]);
	}
	if (term->effect == TV_EFFECT_IDLE) {
		snprintf(name, sizeof name, "idle.%s", term->cause);
		finding.name = name;
	}
	finding.change = (double)term->twice / 2e6;
	finding.rank = term->rank;
	tv_report_add(report, &finding);
}

static void report_sum(const struct tv_report *report, const char *name, tv_int128 before,
		       tv_int128 after)
{
	struct tv_finding finding = tv_finding("decomposition", name, NULL, NULL, "worker-ms",
					       ms(before), ms(after));

	finding.change = ms(after - before);
	tv_report_add(report, &finding);
}

void tv_report_decomposition(const struct tv_report *report, const struct tv_decomposition *parts)
{
	struct tv_finding total = tv_finding("decomposition", "total", NULL, NULL, "worker-ms", NAN,
					     NAN);
	size_t i = 0;

	/* Sums come before their terms. */
	total.change = (double)parts->twice / 2e6;
	tv_report_add(report, &total);
	while (i < parts->nterms && parts->term[i].effect == TV_EFFECT_WORKERS)
		report_term(report, &parts->term[i++]);
	report_sum(report, "busy", parts->busy[0], parts->busy[1]);
	while (i < parts->nterms && parts->term[i].effect != TV_EFFECT_IDLE)
		report_term(report, &parts->term[i++]);
	report_sum(report, "idle", parts->idle[0], parts->idle[1]);
	while (i < parts->nterms)
		report_term(report, &parts->term[i++]);
	/* What idle.dependencies is made of, where a run has any. */
	for (int b = 0; b < TV_NBLAMES; b++) {
		char name[40];

		snprintf(name, sizeof name, "blame.%s", tv_blame_name(b));
		if (parts->blamed[0][b] != 0 || parts->blamed[1][b] != 0)
			report_sum(report, name, parts->blamed[0][b], parts->blamed[1][b]);
	}
}

/* ---- matched tasks ---- */

static void report_amount(const struct tv_report *report, const char *name, const char *value,
			  const char *unit, double before, double after)
{
	struct tv_finding finding = tv_finding("order", name, value, NULL, unit, before, after);

	tv_report_add(report, &finding);
}

static void report_moves(const struct tv_report *report, const struct tv_moves *moves)
{
	const char *value = moves->all ? NULL : moves->value;
	double pairs = (double)moves->ntasks * ((double)moves->ntasks - 1) / 2;
	double share = pairs > 0 ? 100 * (double)moves->inversions / pairs : 0;

	report_amount(report, "moved.type", value, "tasks", NAN, moves->rtype);
	report_amount(report, "moved.worker", value, "tasks", NAN, moves->worker);
	report_amount(report, "inversions", value, "%", NAN, share);
}

void tv_report_order(const struct tv_report *report, const struct tv_shifts *shifts,
		     const struct tv_order *order)
{
	const struct tv_match *match = &shifts->match;
	char *name;

	report_amount(report, "matched", NULL, "tasks", NAN, match->nmatched);
	report_amount(report, "unmatched", NULL, "tasks", match->ntasks[0] - match->nmatched,
		      match->ntasks[1] - match->nmatched);
	for (int way = 0; way < TV_MATCH_WAYS; way++) {
		name = tv_format("matched.%s", tv_match_names[way]);
		report_amount(report, name, NULL, "tasks", NAN, match->by[way]);
		tv_free(name);
	}
	for (uint32_t i = 0; i < shifts->ntransfers; i++) {
		const struct tv_transfer *transfer = &shifts->transfer[i];

		name = tv_format("moved.%s.%s", transfer->from, transfer->to);
		report_amount(report, name, transfer->value, "tasks", NAN, transfer->n);
		tv_free(name);
	}
	for (size_t i = 0; i < order->nmoves; i++)
		report_moves(report, &order->moves[i]);
}

/* JobIds and workers of a matched task. */
static void set_task(struct tv_finding *finding, const struct tv_match *match,
		     const uint32_t node[2])
{
	for (int side = 0; side < 2; side++) {
		const struct tv_dag *dag = match->dag[side];
		uint32_t worker = dag->tasks->worker[dag->row[node[side]]];

		finding->job[side] = tv_pool_text(dag->tasks->pool, tv_dag_job(dag, node[side]));
		finding->worker[side] = tv_pool_text(dag->tasks->pool,
						     dag->tasks->workers[worker].resource);
	}
}

void tv_report_losses(const struct tv_report *report, const struct tv_shifts *shifts,
		      const struct tv_order *order)
{
	enum { LOST = 10 };
	const struct tv_dag *first = shifts->match.dag[0];

	for (uint32_t i = 0; i < order->nlosses && i < LOST; i++) {
		const struct tv_loss *loss = &order->loss[i];
		uint32_t value = first->tasks->value[first->row[loss->node[0]]];
		struct tv_finding finding = tv_finding(
			"lost", "lost", tv_pool_text(first->tasks->pool, value), NULL, "ms",
			ms((tv_int128)loss->wait[0] + loss->duration[0]),
			ms((tv_int128)loss->wait[1] + loss->duration[1]));

		if (tv_loss_ns(loss) <= 0)
			break;
		set_task(&finding, &shifts->match, loss->node);
		finding.change = ms(tv_loss_ns(loss));
		finding.wait = ms((tv_int128)loss->wait[1] - loss->wait[0]);
		finding.duration = ms((tv_int128)loss->duration[1] - loss->duration[0]);
		finding.rank = i + 1;
		tv_report_add(report, &finding);
	}
}

static void report_shift(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i)
{
	const struct tv_shift *shift = &shifts->shift[i];
	struct tv_finding finding = tv_finding("shift", "start", shift->value, NULL, "ms",
					       ms(shift->start[0]), ms(shift->start[1]));

	finding.change = ms(shift->start[1] - shift->start[0]);
	set_task(&finding, &shifts->match, shift->node);
	tv_report_add(report, &finding);
}

static void report_lag(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i)
{
	const int64_t *time = shifts->lag[i].time;
	struct tv_finding finding = tv_finding("progress", "progress", NULL, NULL, "ms",
					       ms(time[0]), ms(time[1]));

	finding.change = ms(time[1] - time[0]);
	finding.rank = i + 1;
	tv_report_add(report, &finding);
}

static void report_work(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i)
{
	const struct tv_work_done *done = &shifts->done[i];
	struct tv_finding finding = tv_finding("work", "gflop", NULL, NULL, "GFlop",
					       done->flop[0] / 1e9, done->flop[1] / 1e9);

	finding.change = (done->flop[1] - done->flop[0]) / 1e9;
	finding.time = ms(done->time);
	tv_report_add(report, &finding);
}

void tv_report_details(const struct tv_report *report, const char *section,
		       const struct tv_shifts *shifts)
{
	const struct {
		const char *name;
		uint32_t n;
		void (*add)(const struct tv_report *, const struct tv_shifts *, uint32_t);
	} all[] = {
		{ "shift", shifts->n, report_shift },
		{ "progress", shifts->n, report_lag },
		{ "work", shifts->ndone, report_work },
	};

	for (size_t i = 0; section != NULL && i < TV_COUNT(all); i++)
		for (uint32_t k = 0; strcmp(section, all[i].name) == 0 && k < all[i].n; k++)
			all[i].add(report, shifts, k);
}

/* ---- numbers by name ---- */

enum { NUMBER, LOW, HIGH, NROWS };

static void copy_cell(struct tv_column *to, uint32_t at, const struct tv_table *from,
		      const char *name, uint32_t row)
{
	const struct tv_column *column = name == NULL ? NULL : tv_table_find(from, name);

	if (column != NULL && !tv_missing(column, row))
		tv_set_double(to, at, column->d[row]);
}

/* The columns NAME.before, NAME.after, NAME.change and NAME.ratio for a row. */
static int add_names(struct tv_table *out, const struct tv_table *from, uint32_t row,
		     const char *first, struct tv_error *err)
{
	static const struct {
		const char *suffix, *column, *low, *high; /* low NULL: no interval */
	} numbers[] = {
		{ "before", "Before", NULL, NULL },
		{ "after", "After", NULL, NULL },
		{ "change", "Change", "Low", "High" },
		{ "ratio", "Ratio", "RatioLow", "RatioHigh" },
	};
	const char *value = tv_table_text(from, "Value", row);
	const char *rtype = tv_table_text(from, "ResourceType", row);
	int rc = 0;

	for (size_t i = 0; i < TV_COUNT(numbers) && rc == 0; i++) {
		char *name = tv_format("%s%s%s%s%s.%s", first, value[0] != '\0' ? "." : "", value,
				       rtype[0] != '\0' ? "." : "", rtype, numbers[i].suffix);

		if (tv_table_find(out, name) != NULL) {
			rc = tv_fail(err, "two numbers are called '%.200s'", name);
		} else {
			struct tv_column *to = tv_table_column(out, name, TV_DOUBLE, err);

			copy_cell(to, NUMBER, from, numbers[i].column, row);
			copy_cell(to, LOW, from, numbers[i].low, row);
			copy_cell(to, HIGH, from, numbers[i].high, row);
		}
		tv_free(name);
	}
	return rc;
}

/* The intervals of the medians themselves are in rows of a single label. */
static void add_medians(struct tv_table *out, const struct tv_table *from, const char *base,
			const char *label)
{
	for (uint32_t row = 0; row < from->nrows; row++) {
		const char *run = tv_table_text(from, "Run", row);
		const char *name = strcmp(run, label) == 0 ? "makespan.after"
				 : strcmp(run, base) == 0  ? "makespan.before"
							   : NULL;
		struct tv_column *to = name == NULL ? NULL : tv_table_find(out, name);

		if (to == NULL || tv_table_text(from, "Base", row)[0] != '\0')
			continue;
		copy_cell(to, LOW, from, "Low", row);
		copy_cell(to, HIGH, from, "High", row);
	}
}

/* Whether the rows of a section have names of their own. */
static bool has_names(const char *section)
{
	for (size_t i = 0; i < tv_compare_nsections; i++)
		if (tv_compare_sections[i].by_name
		    && strcmp(section, tv_compare_sections[i].name) == 0)
			return false;
	return strcmp(section, "settings") != 0 && strcmp(section, "verdict") != 0
	    && strcmp(section, "lost") != 0;
}

int tv_compare_names(const struct tv_table *comparison, const char *label, struct tv_table *out,
		     struct tv_error *err)
{
	const char *base = "";

	for (uint32_t row = 0; row < comparison->nrows; row++) {
		const char *name = tv_table_text(comparison, "Name", row);

		if (tv_table_text(comparison, "Base", row)[0] == '\0'
		    || strcmp(tv_table_text(comparison, "Run", row), label) != 0
		    || !has_names(tv_table_text(comparison, "Section", row)))
			continue;
		base = tv_table_text(comparison, "Base", row);
		if (add_names(out, comparison, row, name, err) < 0)
			return -1;
		if (strcmp(name, "idle.unsuited") == 0
		    && add_names(out, comparison, row, "idle.type" /* its former name */, err) < 0)
			return -1;
	}
	add_medians(out, comparison, base, label);
	out->nrows = NROWS;
	tv_table_finish(out);
	return 0;
}
