/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c -- findings about the machine and the recording itself, from monitors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/text.h"

/* Time stolen from the PUs during the run, ns; a sample counts for the share of it inside the run. */
static double stolen(const struct tv_case *c, uint32_t *samples)
{
	const struct tv_table *table = tv_trace_table(c->run->trace, TV_VARIABLES);
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");
	const struct tv_column *value = tv_table_find(table, "Value");
	double sum = 0;

	*samples = 0;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *type = tv_table_text(table, "Type", row);
		size_t n = strlen(type), tail = strlen("steal-time");
		int64_t from, to;

		if (n < tail || strcmp(type + n - tail, "steal-time") != 0 || tv_missing(start, row)
		    || tv_missing(end, row) || tv_missing(value, row)
		    || end->i[row] <= start->i[row])
			continue;
		++*samples;
		from = start->i[row] > c->tasks->begin ? start->i[row] : c->tasks->begin;
		to = end->i[row] < c->tasks->finish ? end->i[row] : c->tasks->finish;
		if (to > from && value->d[row] > 0)
			sum += value->d[row] * (double)(to - from)
			     / (double)(end->i[row] - start->i[row]);
	}
	return sum;
}

static int find_steal(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t samples;
	double sum = stolen(c, &samples);
	char time[32];

	(void)err;
	if (samples == 0 || !(sum >= 0.01 * (double)c->account.makespan) || sum > 9e18)
		return 0;
	found->holds = true;
	found->confidence = TV_ESTIMATE;
	found->worker_ns = (int64_t)sum;
	found->measure_ns = found->worker_ns / c->tasks->nworkers;
	found->text = tv_format(
		"The machine is virtual, and its host took processors away for %s of processor "
		"time during the run.",
		tv_words_time(time, found->worker_ns));
	found->command = tv_case_plot(
		c, "steal", "--panels spacetime,counter --counter.name '*steal-time'", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_steal = {
	.id = "steal",
	.title = "the host of a virtual machine took processors away",
	.condition = "the monitor steal-time adds up to 1 % of the makespan",
	.measures = "WorkerTime: the sum over processors; Measure: the same over the number of "
		    "workers",
	.action = "Run on a machine of your own, or repeat the run and compare the fastest ones.",
	.find = find_steal,
};

/* Of all samplers: "20 ns", or with several "RANK: 20 ns" each. */
static long long sampling_time(const struct tv_trace *trace)
{
	long long sum = 0;
	uint32_t row = 0;
	const char *s;
	size_t n;

	while ((s = tv_meta_next(trace, "Monitor.Cpu", &row, &n)) != NULL) {
		char text[80];

		snprintf(text, sizeof text, "%.*s", n < 70 ? (int)n : 70, s);
		sum += strtoll(strchr(text, ':') != NULL ? strchr(text, ':') + 1 : text, NULL, 10);
	}
	return sum;
}

static int find_tracing(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	long long cpu = sampling_time(c->run->trace);
	char time[32];

	(void)err;
	if (cpu <= 0 || (double)cpu < 0.01 * (double)c->account.makespan)
		return 0;
	found->holds = true;
	found->worker_ns = cpu;
	found->measure_ns = cpu / c->tasks->nworkers;
	found->text = tv_format(
		"The recording itself is visible: reading the monitors took %s of processor time, "
		"%.1f %% of the run on one processor.",
		tv_words_time(time, cpu), 100 * (double)cpu / (double)c->account.makespan);
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_tracing = {
	.id = "tracing",
	.title = "the recording slows the run down",
	.condition = "the CPU time of the sampler of monitors is 1 % of the makespan",
	.measures = "WorkerTime: that time; Measure: the same over the number of workers",
	.action = "Sample less often, fewer events, or not at all.",
	.how = "traceviz record --every; without --monitor.",
	.picture = "--panels spacetime,events",
	.find = find_tracing,
};
