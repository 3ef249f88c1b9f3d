/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.c -- the raw logs of traceviz record: one file per process in, one trace out. */
#include "convert/log/raw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

static int probe(const char *head, size_t n)
{
	uint32_t version;

	if (n < 12 || memcmp(head, TV_LOG_MAGIC, 8) != 0)
		return 0;
	/* Letters there are a text that begins with the name of the program. */
	memcpy(&version, head + 8, sizeof version);
	return version <= UINT8_MAX ? 100 : 0;
}

static void *begin(struct tv_trace *trace)
{
	struct tv_raw_run *run = tv_alloc(1, sizeof *run);

	run->trace = trace;
	return run;
}

/* All but what other logs, or the order of logs, need. */
static void release_log(struct tv_raw_log *log)
{
	for (size_t i = 0; i < log->nthreads; i++) {
		tv_free(log->thread[i].stack);
		tv_free(log->thread[i].counter);
		tv_free(log->thread[i].value);
		tv_free(log->thread[i].access);
	}
	tv_free(log->thread);
	tv_map_release(&log->thread_of);
	tv_free(log->piece);
	tv_free(log->module);
	tv_free(log->site);
	tv_map_release(&log->site_of);
	tv_free(log->node);
	tv_map_release(&log->node_of);
	tv_map_release(&log->region_of);
	tv_free(log->segment);
	tv_free(log->region);
	tv_free(log->group);
	tv_free(log->need);
	tv_free(log->picked);
	tv_accesses_release(&log->accesses);
	tv_free(log->access);
	tv_free(log->handle);
	tv_map_release(&log->handle_of);
	tv_map_release(&log->object_of);
	tv_free(log->number);
	tv_free(log->state);
	tv_free(log->counter);
	tv_free(log->value);
	tv_free(log->pause);
	tv_map_release(&log->value_of);
	tv_map_release(&log->mpi_name);
	tv_free(log->call);
	tv_free(log->call_request);
	tv_free(log->request);
	tv_map_release(&log->request_of);
	tv_raw_release_starpu(log->starpu);
	tv_raw_release_monitors(log);
	tv_bytes_release(&log->bytes);
	tv_free(log->path);
	*log = (struct tv_raw_log){ 0 };
}

static void release(void *state)
{
	struct tv_raw_run *run = state;

	for (size_t i = 0; i < run->nlogs; i++)
		release_log(&run->log[i]);
	tv_free(run->log);
	tv_free(run->sends.at);
	tv_free(run->receives.at);
	tv_free(run->starpu_message);
	tv_free(run->names.at);
	tv_free(run->names_path);
	tv_free(run);
}

static int read_log(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_raw_run *run = state;
	struct tv_raw_log *log;

	TV_GROW(run->log, run->nlogs, run->logs_cap, 1);
	log = &run->log[run->nlogs++];
	*log = (struct tv_raw_log){
		.run = run, .path = tv_strdup(in->path), .world_rank = -1, .job = TV_NONE
	};
	if (tv_input_all(in, &log->bytes, err) < 0 || tv_raw_scan(log, err) < 0)
		return -1;
	return tv_raw_read_names(run, in->path, err);
}

/* ---- when all logs are known ---- */

static int by_process(const void *a, const void *b)
{
	const struct tv_raw_log *x = a, *y = b;
	int order = strcmp(x->host, y->host);

	if (x->rank != y->rank)
		return TV_COMPARE(x->rank, y->rank);
	if (order != 0)
		return order;
	if (x->begin_mono != y->begin_mono)
		return TV_COMPARE(x->begin_mono, y->begin_mono);
	return x->pid != y->pid ? TV_COMPARE(x->pid, y->pid) : tv_natural_order(x->path, y->path);
}

/* Ranks if each process has its own, else the processes are numbered. One alone has no prefix. */
static void name_logs(struct tv_raw_run *run)
{
	const struct tv_raw_log *last = NULL;
	bool ranked = true;
	int64_t next = 0, processes = 0;

	for (size_t i = 0; i < run->nlogs; i++) {
		const struct tv_raw_log *log = &run->log[i];

		if (log->samples)
			continue;
		ranked &= log->rank >= 0 && (last == NULL || log->rank != last->rank);
		last = log;
		processes++;
	}
	for (size_t i = 0; i < run->nlogs; i++) {
		struct tv_raw_log *log = &run->log[i];
		int64_t number = ranked && (processes > 0 || log->rank >= 0) ? log->rank : next;

		next += !log->samples;
		log->place = tv_raw_format_label(run, "%" PRId64, number);
		if (processes > 1 || (log->samples && log->rank >= 0))
			snprintf(log->prefix, sizeof log->prefix, "%" PRId64 "_", number);
		for (size_t k = 0; k < log->nthreads; k++)
			log->thread[k].name = tv_raw_format_label(run, "%sT%u", log->prefix,
								  log->thread[k].number);
	}
}

/* Whether there are several hosts, and several that were sampled; which logs are not the only sampler of theirs. */
static void compare_hosts(struct tv_raw_run *run)
{
	const char *host = NULL;

	for (size_t i = 0; i < run->nlogs; i++) {
		struct tv_raw_log *log = &run->log[i];

		run->hosts |= strcmp(log->host, run->log[0].host) != 0;
		for (size_t k = 0; log->samples && k < run->nlogs; k++)
			log->sampled_by_others |= k != i && run->log[k].samples
					       && strcmp(run->log[k].host, log->host) == 0;
		if (log->samples && host == NULL)
			host = log->host;
		run->machines |= log->samples && strcmp(log->host, host) != 0;
		run->samplers += log->samples;
	}
}

/* ---- clocks ---- */

/* CLOCK_MONOTONIC at some instant, and CLOCK_REALTIME minus that. */
struct pair {
	int64_t mono, offset;
	bool known;
};

/* Uses a pair of clocks if it is plausible and earlier (or later) than the one known so far. */
static void use_pair(struct pair *pair, int64_t mono, int64_t real, bool later)
{
	const int64_t limit = (int64_t)1 << 61;

	if (mono < 0 || mono >= limit || real < 0 || real >= limit)
		return;
	if (!pair->known || (later ? mono > pair->mono : mono < pair->mono))
		*pair = (struct pair){ mono, real - mono, true };
}

/* How much faster than CLOCK_MONOTONIC the other clock went. A clock that was set during the run says
 * nothing. */
static double find_slope(const struct tv_raw_run *run, const char *path, const struct pair *begin,
			 const struct pair *end)
{
	double slope;

	if (!begin->known || !end->known || end->mono <= begin->mono)
		return 0;
	slope = (double)(end->offset - begin->offset) / (double)(end->mono - begin->mono);
	if (fabs(slope) < 1e-3)
		return slope;
	tv_notice(run->trace,
		  "%s: CLOCK_REALTIME was set during the run, its value at the begin is used",
		  path);
	return 0;
}

/*
 * Processes of a host have one CLOCK_MONOTONIC, and so one correction: that of the first pair of
 * clocks. Where there are several hosts it is linear to the last pair, where a process has finished.
 */
static void fit_host(struct tv_raw_run *run, size_t first)
{
	const char *host = run->log[first].host;
	struct pair begin = { 0 }, end = { 0 };
	bool several = false;
	double slope;

	for (size_t i = 0; i < run->nlogs; i++) {
		const struct tv_raw_log *log = &run->log[i];
		bool here = strcmp(log->host, host) == 0;

		several |= !here;
		if (here)
			use_pair(&begin, log->begin_mono, log->begin_real, false);
		if (here && log->finished)
			use_pair(&end, log->end_mono, log->end_real, true);
	}
	slope = several ? find_slope(run, run->log[first].path, &begin, &end) : 0;
	for (size_t i = first; i < run->nlogs; i++) {
		struct tv_raw_log *log = &run->log[i];

		if (strcmp(log->host, host) != 0)
			continue;
		log->fitted = true;
		log->fit = log->plain = (struct tv_raw_fit){ slope, begin.offset, begin.mono };
	}
}

/* Rank 0 of the job of a log, NULL without one. */
static const struct tv_raw_log *find_rank_0(const struct tv_raw_run *run,
					    const struct tv_raw_log *log)
{
	for (size_t i = 0; i < run->nlogs; i++)
		if (run->log[i].job == log->job && run->log[i].world_rank == 0)
			return &run->log[i];
	return NULL;
}

/*
 * A host whose clock was compared with that of rank 0, at the begin and at the end of MPI: linear between
 * these, and on to that of the trace as rank 0's is.
 */
static void calibrate(struct tv_raw_run *run, const struct tv_raw_log *log)
{
	const struct tv_raw_log *base = find_rank_0(run, log);
	const struct tv_raw_clock *begin = &log->clock[0], *end = &log->clock[1];
	struct tv_raw_fit fit = { 0, 0, begin->time };
	double slope = 0;

	if (base == NULL || strcmp(base->host, log->host) == 0 || base->clock[0].known)
		return;
	if (end->known && end->time > begin->time)
		slope = (double)(end->offset - begin->offset) / (double)(end->time - begin->time);
	fit.slope = slope + base->fit.slope + slope * base->fit.slope;
	fit.offset = tv_raw_time(base, begin->time + begin->offset) - begin->time;
	tv_meta_add(run->trace, "Clock",
		    "%s: rank 0's clock minus this one: %" PRId64 " ns, %+.3f us per s, by round "
		    "trips of %" PRId64 " ns",
		    tv_pool_text(run->trace->pool, log->place), begin->offset, slope * 1e6,
		    end->known && end->delay > begin->delay ? end->delay : begin->delay);
	for (size_t i = 0; i < run->nlogs; i++)
		if (strcmp(run->log[i].host, log->host) == 0)
			run->log[i].fit = fit;
	run->calibrated = true;
}

/* ---- meta ---- */

static void write_meta(const struct tv_raw_run *run, const struct tv_raw_log *log)
{
	static const char *const why[] = { "", ": --max-size was reached", ": the disk was full" };
	const char *place = tv_pool_text(run->trace->pool, log->place);
	struct tv_trace *trace = run->trace;
	char host[sizeof log->host];
	size_t nthreads = 0;

	for (size_t i = 0; i < log->nthreads; i++)
		nthreads += log->thread[i].active || log->thread[i].worker;
	tv_meta_add(trace, log->samples ? "Sampler" : "Process",
		    "%s: pid %u on %s%s, %zu threads, %" PRIu64 " events%s", place, log->pid,
		    tv_clean_text(host, sizeof host, log->host), log->rank >= 0 ? " (MPI)" : "",
		    nthreads, log->events, log->finished ? "" : ", did not end normally");
	if (!log->finished)
		tv_notice(trace,
			  "%s: the process crashed, was killed, or still runs; what it recorded is "
			  "used",
			  log->path);
	if (log->edges > 0)
		tv_meta_add(trace, "RuntimeDependencies", "%s: %" PRIu64, place, log->edges);
	if (log->lost == 0 && log->stopped == TV_LOG_RUNNING)
		return;
	tv_meta_add(trace, "EventsLost", "%s: %" PRIu64, place, log->lost);
	tv_diagnose(&trace->diagnostics, TV_OMISSION, (struct tv_pos){ log->path, 0 },
		    "%" PRIu64 " events found no space, recording stopped early%s", log->lost,
		    log->stopped < TV_COUNT(why) ? why[log->stopped] : "");
	tv_damage_count(trace, TV_DROPPED, "events that found no space", log->lost);
}

/* A process that was killed ended when `record` saw it, but what it recorded ended before. */
static void find_ends(struct tv_raw_run *run)
{
	run->end = INT64_MIN;
	for (size_t i = 0; i < run->nlogs; i++) {
		struct tv_raw_log *log = &run->log[i];
		bool later = log->end_mono > log->last && log->end_mono < (int64_t)1 << 61;
		int64_t end = tv_raw_time(log, later ? log->end_mono : log->last);

		log->end = later && log->finished && log->lost == 0 ? log->end_mono : log->last;
		run->end = log->any && end > run->end ? end : run->end;
	}
}

/* Programs that were started by MPI_Comm_spawn, or by themselves, have a world of their own. */
static void number_worlds(struct tv_raw_run *run)
{
	uint32_t n = 0;

	for (size_t i = 0; i < run->nlogs; i++) {
		size_t first = 0;

		while (run->log[first].job != run->log[i].job)
			first++;
		if (run->log[i].job == TV_NONE)
			continue;
		if (first == i)
			tv_meta_add(run->trace, "Ranks", "%" PRIu64, run->log[i].world_size);
		run->log[i].world = first < i ? run->log[first].world : n++;
	}
	if (n > 1)
		tv_meta_add(run->trace, "Warning",
			    "%u MPI_COMM_WORLDs (MPI_Comm_spawn, or several starts of MPI): nodes "
			    "are not ranks of MPI, communicators of the n-th are named NAME@n, "
			    "messages between them have no Peer and no link",
			    n);
	if (n > 1)
		tv_notice(
			run->trace,
			"%u MPI_COMM_WORLDs: nodes are not ranks of MPI, communicators of the n-th "
			"are named NAME@n, messages between them have no link",
			n);
}

int tv_raw_prepare(struct tv_raw_run *run, struct tv_error *err)
{
	bool any = false;

	qsort(run->log, run->nlogs, sizeof *run->log, by_process);
	for (size_t i = 0; i < run->nlogs; i++) {
		any |= run->log[i].any;
		run->gaps |= run->log[i].gap || run->log[i].cut || run->log[i].lost > 0;
	}
	if (!any)
		return tv_fail_at(err, (struct tv_pos){ run->log[0].path, 0 },
				  "no usable event, nothing was recorded");
	name_logs(run);
	compare_hosts(run);
	number_worlds(run);
	for (size_t i = 0; i < run->nlogs; i++)
		if (!run->log[i].fitted)
			fit_host(run, i);
	for (size_t i = 0; i < run->nlogs; i++)
		if (run->log[i].clock[0].known)
			calibrate(run, &run->log[i]);
	find_ends(run);
	return 0;
}

void tv_raw_write_log(struct tv_raw_log *log)
{
	write_meta(log->run, log);
	tv_raw_merge(log, tv_raw_use);
	tv_raw_end_all(log);
	tv_raw_write_monitors(log);
	tv_raw_write(log);
	if (log->nresumed > 0)
		tv_notice(log->run->trace,
			  "%s: recording paused %zu time%s: idle times contain the pauses",
			  log->path, log->nresumed, tv_plural(log->nresumed));
	release_log(log);
}

void tv_raw_write_all_messages(struct tv_raw_run *run)
{
	tv_raw_write_messages(run);
	tv_starpu_begin_messages(run);
}

static int finish(void *state, struct tv_error *err)
{
	struct tv_raw_run *run = state;

	if (tv_raw_prepare(run, err) < 0)
		return -1;
	for (size_t i = 0; i < run->nlogs; i++)
		tv_raw_write_log(&run->log[i]);
	tv_raw_write_all_messages(run);
	return 0;
}

const struct tv_reader tv_log_reader = {
	.name = "tvlog",
	.summary = "raw logs of traceviz record, one per process",
	.brings = TV_BRINGS_TASKS | TV_BRINGS(STATES) | TV_BRINGS(VARIABLES) | TV_BRINGS(MESSAGES)
		| TV_BRINGS(CALLS) | TV_BRINGS(DECISIONS) | TV_BRINGS(EVENTS),
	.probe = probe,
	.begin = begin,
	.read = read_log,
	.finish = finish,
	.share = tv_raw_share_logs,
	.free = release,
	.uses = "names,recording",
	.memory = 8,
	.ranks = true,
};
