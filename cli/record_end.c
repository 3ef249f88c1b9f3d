/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_end.c -- what is left to do when the recorded program has ended. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/record.h"
#include "record/tool/sites.h"
#include "record/tool/walk.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum {
	CALIBRATION_EVENTS = 50000,
	SITES_SECONDS = 120,   /* of CPU time for debug data */
	NO_CPU_MIN = 10000000, /* ns without a CPU that are worth a warning */
	FLAG_EXPLICIT = 4,     /* ompt_task_explicit */
	THREAD_OTHER = 3,      /* ompt_thread_other */
	TASK_COMPLETE = 1,     /* ompt_task_complete */
	EARLY_FULFILL =
		5, /* ompt_task_early_fulfill; this and the next: the thread changes no task */
	LATE_FULFILL = 6,
};

/* When a thread ran, by its first and its last event. */
struct life {
	int64_t begin, end;
	bool openmp, helper; /* of OpenMP; of the runtime, not of the program */
	/* The counters, by their index + 1, 0 = none; their last values, and when; what they were when the task began. */
	uint64_t clock_index, slept_index;
	uint64_t clock, slept, clock_begin, slept_begin;
	int64_t read, task_begin;
	uint64_t task; /* that runs, if they were read at its begin and it has not waited; else 0 */
};

struct summary {
	const struct tv_recording *recording;
	char **log; /* of this recording */
	size_t nlogs, logs_cap;
	uint64_t tasks, calls, decisions, events, lost, bytes, blas_regions, blas_threads;
	char blas_name[256];
	double worker_ns;
	int64_t clocked_ns,
		on_cpu_ns; /* of tasks that did not sleep or wait, as far as known; of it with a CPU */
	bool full_size, full_disk, full_file;
	size_t running;	   /* processes that have not ended */
	struct life *life; /* of threads of OpenMP */
	size_t nlives, lives_cap;
	char **warning; /* each text once */
	size_t nwarnings, warnings_cap;
};

void tv_record_calibrate(struct tv_recording *recording)
{
	char *folder = tv_format("%s/.calibration-%s", recording->folder, recording->name);
	struct dirent *entry;
	sigset_t all, before;
	int64_t begin;
	DIR *dir;

	/* The files must not stay behind, or they would be logs. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (mkdir(folder, 0700) == 0) {
		tv_log_start(folder, 0, 0);
		begin = tv_log_now();
		for (uint64_t i = 0; i < CALIBRATION_EVENTS; i++) {
			uint64_t *arg = tv_log_begin(TV_LOG_VALUES, 0, 4, tv_log_now());

			if (arg == NULL)
				break;
			tv_log_place(arg);
			arg[0] = arg[1] = arg[2] = arg[3] = i;
			tv_log_commit();
		}
		recording->event_ns = (double)(tv_log_now() - begin) / CALIBRATION_EVENTS;
		tv_log_close();
		dir = opendir(folder);
		while (dir != NULL && (entry = readdir(dir)) != NULL)
			unlinkat(dirfd(dir), entry->d_name, 0);
		if (dir != NULL)
			closedir(dir);
		rmdir(folder);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	tv_free(folder);
}

/* ---- the logs ---- */

/* The value of a TV_LOG_META with that key; NULL: it has another one. */
static const char *meta_value(const struct tv_log_event *event, const char *key)
{
	size_t length, n = strlen(key) + 1;
	const char *text = event->kind == TV_LOG_META ? tv_walk_text(event, 0, &length) : NULL;

	return text != NULL && length > n && strcmp(text, key) == 0 ? text + n : NULL;
}

/* Whether a program that this instance started wrote the log: others share the folder. */
static bool is_ours(const struct tv_recording *recording, const char *path)
{
	enum { FIRST_EVENTS = 100 };
	const struct tv_log_event *event;
	struct tv_walk walk;
	bool ours = false;

	if (tv_walk_open(&walk, path) < 0)
		return false;
	/* Without room for its first events a log does not name its recorder. */
	if (walk.header->stopped != TV_LOG_RUNNING && walk.nchunks == 0)
		ours = walk.header->begin_real >= recording->begin;
	for (int i = 0; !ours && i < FIRST_EVENTS && (event = tv_walk_next(&walk)) != NULL; i++) {
		const char *name = meta_value(event, "Recorder");

		ours = name != NULL && strcmp(name, recording->name) == 0;
	}
	tv_walk_close(&walk);
	return ours;
}

static int is_log(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 6 && strcmp(entry->d_name + n - 6, ".tvlog") == 0;
}

static void find_logs(struct summary *summary)
{
	const char *folder = summary->recording->folder;
	struct dirent **entry;
	int n = scandir(folder, &entry, is_log, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = tv_format("%s/%s", folder, entry[i]->d_name);

		if (is_ours(summary->recording, path)) {
			TV_GROW(summary->log, summary->nlogs, summary->logs_cap, 1);
			summary->log[summary->nlogs++] = path;
		} else {
			tv_free(path);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

static void add_warning(struct summary *summary, const char *text)
{
	for (size_t i = 0; i < summary->nwarnings; i++)
		if (strcmp(summary->warning[i], text) == 0)
			return;
	TV_GROW(summary->warning, summary->nwarnings, summary->warnings_cap, 1);
	summary->warning[summary->nwarnings++] = tv_strdup(text);
}

struct threads {
	struct life *life;
	uint32_t n;
};

static void add_threads(struct summary *summary, const struct threads *threads)
{
	for (uint32_t i = 0; i < threads->n; i++) {
		const struct life *life = &threads->life[i];

		summary->worker_ns += (double)(life->end - life->begin);
		if (!life->openmp || life->helper)
			continue;
		TV_GROW(summary->life, summary->nlives, summary->lives_cap, 1);
		summary->life[summary->nlives++] = *life;
	}
}

static bool is_blas_path(const char *path)
{
	return strstr(path, "openblas") || strstr(path, "libmkl_") || strstr(path, "libblis");
}

/* "NUMBER NAME": threads that a library started in a process. */
static void add_blas(struct summary *summary, const char *text)
{
	char *name;
	uint64_t n = strtoull(text, &name, 10);

	if (n <= summary->blas_threads)
		return;
	summary->blas_threads = n;
	snprintf(summary->blas_name, sizeof summary->blas_name, "%s", name);
}

/* Where a BLAS library was in the memory of a process; empty without one. */
struct range {
	uint64_t begin, end;
};

static struct range find_blas(const char *path)
{
	const struct tv_log_event *event;
	struct range found = { 0, 0 };
	struct tv_walk walk;
	size_t length;

	if (tv_walk_open(&walk, path) < 0)
		return found;
	while ((event = tv_walk_next(&walk)) != NULL) {
		const char *name = event->kind == TV_LOG_MODULE && event->words > 2 + 3
					 ? tv_walk_text(event, 3, &length)
					 : NULL;

		if (name != NULL && is_blas_path(name))
			found = (struct range){ tv_walk_args(event)[0], tv_walk_args(event)[1] };
	}
	tv_walk_close(&walk);
	return found;
}

static void count_submission(struct summary *summary, const struct tv_log_event *event)
{
	summary->tasks += (event->code & TV_LOG_STARPU_NO_WORK) == 0;
	if (event->code & TV_LOG_STARPU_CUT)
		add_warning(summary, "a task has more data than an event of the log can hold; the "
				     "others are not recorded");
}

static void add_event(struct summary *summary, const struct tv_log_event *event, struct range blas)
{
	const uint64_t *arg = tv_walk_args(event);
	const char *value;

	if (event->kind == TV_LOG_OMP_CREATE && event->words >= 2 + 4)
		summary->tasks += (arg[2] & FLAG_EXPLICIT) != 0;
	else if (event->kind == TV_LOG_MPI_BEGIN)
		summary->calls++;
	else if (event->kind == TV_LOG_STARPU_SUBMIT)
		count_submission(summary, event);
	else if (event->kind == TV_LOG_STARPU_DECISION)
		summary->decisions++;
	else if ((value = meta_value(event, "Warning")) != NULL)
		add_warning(summary, value);
	else if ((value = meta_value(event, "BlasThreads")) != NULL)
		add_blas(summary, value);
	else if (event->kind == TV_LOG_OMP_PARALLEL_BEGIN && event->words >= 2 + 5)
		summary->blas_regions += arg[4] - blas.begin < blas.end - blas.begin;
}

/* A process that was killed cannot write when it ended. */
static void note_end(const char *path)
{
	if (tv_log_reopen(path) < 0)
		return;
	tv_log_note_end();
	tv_log_close();
}

/* From the begin of a task to its end on the same thread, without a wait. */
static void end_task(struct summary *summary, const struct life *life, int64_t time)
{
	int64_t took = time - life->task_begin, had = (int64_t)(life->clock - life->clock_begin);

	if (life->read != time || life->slept != life->slept_begin || took < 0 || had < 0)
		return;
	summary->clocked_ns += took;
	summary->on_cpu_ns += had < took ? had : took;
}

/* How long tasks had a CPU, as diagnose has it. */
static void follow_task(struct summary *summary, struct life *life,
			const struct tv_log_event *event)
{
	const uint64_t *arg = tv_walk_args(event);
	size_t length, nargs = event->words - 2u;
	const char *name;

	switch (event->kind) {
	case TV_LOG_COUNTER:
		name = nargs > 1 ? tv_walk_text(event, 1, &length) : "";
		if (strcmp(name, "task-clock") == 0)
			life->clock_index = arg[0] + 1;
		if (strcmp(name, "voluntary-switches") == 0)
			life->slept_index = arg[0] + 1;
		break;
	case TV_LOG_VALUES:
		if (life->clock_index == 0 || life->slept_index == 0 || life->clock_index > nargs
		    || life->slept_index > nargs)
			break;
		life->clock = arg[life->clock_index - 1];
		life->slept = arg[life->slept_index - 1];
		life->read = event->time;
		break;
	case TV_LOG_OMP_SCHEDULE:
		if (nargs < 2 || event->code == EARLY_FULFILL || event->code == LATE_FULFILL)
			break;
		if (event->code == TASK_COMPLETE && life->task != 0 && life->task == arg[0])
			end_task(summary, life, event->time);
		life->task = life->read == event->time ? arg[1] : 0;
		life->task_begin = event->time;
		life->clock_begin = life->clock;
		life->slept_begin = life->slept;
		break;
	case TV_LOG_OMP_SYNC_BEGIN:
		life->task = 0;
		break;
	default:
		break;
	}
}

static void add_log(struct summary *summary, const char *path)
{
	const struct tv_log_event *event;
	struct range blas = find_blas(path);
	struct threads threads = { 0 };
	struct tv_walk walk;

	if (tv_walk_open(&walk, path) < 0)
		return;
	threads.n = walk.header->threads < walk.size ? walk.header->threads : 0;
	threads.life = tv_alloc(threads.n, sizeof *threads.life);
	while ((event = tv_walk_next(&walk)) != NULL) {
		struct life *life;

		summary->events++;
		add_event(summary, event, blas);
		if (walk.thread >= threads.n)
			continue;
		life = &threads.life[walk.thread];
		if (life->begin == 0 || event->time < life->begin)
			life->begin = event->time;
		if (event->time > life->end)
			life->end = event->time;
		follow_task(summary, life, event);
		life->openmp |= event->kind == TV_LOG_OMP_THREAD;
		life->helper |= event->kind == TV_LOG_OMP_THREAD && event->code == THREAD_OTHER;
	}
	add_threads(summary, &threads);
	summary->bytes += walk.size;
	summary->lost += walk.header->lost;
	summary->full_size |= walk.header->stopped == TV_LOG_FULL_SIZE;
	summary->full_disk |= walk.header->stopped == TV_LOG_FULL_DISK;
	summary->full_file |= walk.header->stopped == TV_LOG_FULL_FILE;
	if (!walk.header->finished && kill((pid_t)walk.header->pid, 0) == 0)
		summary->running++;
	else if (!walk.header->finished)
		note_end(path);
	tv_walk_close(&walk);
	tv_free(threads.life);
}

/* ---- sites ---- */

/* In a process of its own: whatever a damaged object file does there, the recording stays. */
static void add_sites(const struct summary *summary)
{
	int status = 0;
	pid_t child;

	if (!tv_sites_known) {
		tv_say(summary->recording->cli, "warning: built without libdw (Debian: libdw-dev), "
						"so types of tasks are addresses of code");
		return;
	}
	child = fork();
	if (child == 0) {
		struct rlimit seconds = { SITES_SECONDS, SITES_SECONDS }, none = { 0, 0 };

		setrlimit(RLIMIT_CPU, &seconds);
		setrlimit(RLIMIT_CORE, &none);
		/* Nothing is fetched from servers. */
		unsetenv("DEBUGINFOD_URLS");
		_exit(tv_sites_add(summary->log, summary->nlogs) > 0);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0 || status != 0)
		tv_say(summary->recording->cli, "warning: debug data could not be read, so types "
						"of some tasks are addresses of code");
}

/* ---- the report ---- */

/* The max number of threads of OpenMP at one time. */
static size_t count_threads(const struct summary *summary)
{
	size_t n = summary->nlives, open = 0, max = 0, k = 0;
	int64_t *begin = tv_alloc(n, sizeof *begin), *end = tv_alloc(n, sizeof *end);

	for (size_t i = 0; i < n; i++) {
		begin[i] = summary->life[i].begin;
		end[i] = summary->life[i].end;
	}
	qsort(begin, n, sizeof *begin, tv_compare_int64);
	qsort(end, n, sizeof *end, tv_compare_int64);
	for (size_t i = 0; i < n; i++) {
		for (; end[k] < begin[i]; k++)
			open--;
		if (++open > max)
			max = open;
	}
	tv_free(begin);
	tv_free(end);
	return max;
}

static void print_warnings(const struct summary *summary)
{
	const struct tv_cli *cli = summary->recording->cli;
	size_t threads = count_threads(summary);
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof cpus, &cpus) == 0 && threads > (size_t)CPU_COUNT(&cpus))
		tv_say(cli, "warning: %zu threads of OpenMP ran at once on %d CPU%s", threads,
		       CPU_COUNT(&cpus), tv_plural(CPU_COUNT(&cpus)));
	if (summary->clocked_ns - summary->on_cpu_ns >= NO_CPU_MIN
	    && summary->clocked_ns - summary->on_cpu_ns >= summary->clocked_ns / 10)
		tv_say(cli,
		       "warning: tasks had a CPU for %.0f of %.0f ms: other threads or programs "
		       "ran on theirs",
		       (double)summary->on_cpu_ns / 1e6, (double)summary->clocked_ns / 1e6);
	if (summary->blas_threads > 0)
		tv_say(cli,
		       "warning:%s started %llu thread%s of its own, which compete with those of "
		       "the program (OPENBLAS_NUM_THREADS=1 or MKL_NUM_THREADS=1 prevents it)",
		       summary->blas_name, (unsigned long long)summary->blas_threads,
		       tv_plural(summary->blas_threads));
	if (summary->blas_regions > 0)
		tv_say(cli,
		       "warning: a BLAS library began %llu parallel region%s of OpenMP, which "
		       "may use threads of its own",
		       (unsigned long long)summary->blas_regions, tv_plural(summary->blas_regions));
	for (size_t i = 0; i < summary->nwarnings; i++)
		tv_say(cli, "warning: %s", summary->warning[i]);
	if (summary->running > 0)
		tv_say(cli,
		       "warning: %zu process%s of the program still run; their logs are not "
		       "complete",
		       summary->running, summary->running > 1 ? "es" : "");
}

/* The number of an environment variable; -1: it has none. */
static long number_of(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	long n = text != NULL ? strtol(text, &end, 10) : -1;

	return text != NULL && *text != '\0' && *end == '\0' && n >= 0 ? n : -1;
}

/* How many instances were started together, and which of them this is; 1 if it was started alone. */
static long parallel_start(long *rank)
{
	static const char *const names[][2] = { { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
						{ "PMI_RANK", "PMI_SIZE" },
						{ "SLURM_PROCID", "SLURM_STEP_NUM_TASKS" } };

	for (size_t i = 0; i < TV_COUNT(names); i++) {
		long size = number_of(names[i][1]);

		*rank = number_of(names[i][0]);
		if (*rank >= 0 && size > 1)
			return size;
	}
	*rank = 0;
	return 1;
}

static void print_line(const struct summary *summary)
{
	const struct tv_cli *cli = summary->recording->cli;
	double cost = (double)summary->events * summary->recording->event_ns;
	char *line;
	long rank, size = parallel_start(&rank), regions;

	/* A thousand ranks would print a thousand such lines. */
	if (rank > 0 && summary->lost == 0)
		return;
	regions = tv_record_too_few_regions(summary->recording);
	if (regions >= 0)
		tv_say(cli,
		       "warning: --region %s: %s had %ld parallel region%s (those inside of others "
		       "not counted)",
		       cli->region, summary->nlogs == 1 ? "the program" : "a process", regions,
		       tv_plural((uint64_t)regions));
	line = tv_format("%s: ", cli->output);
	if (summary->tasks > 0 || summary->calls == 0)
		tv_append(&line, "%llu task%s", (unsigned long long)summary->tasks,
			  tv_plural(summary->tasks));
	if (summary->calls > 0)
		tv_append(&line, "%s%llu call%s of MPI", summary->tasks > 0 ? " and " : "",
			  (unsigned long long)summary->calls, tv_plural(summary->calls));
	if (summary->decisions > 0)
		tv_append(&line, " and %llu decision%s of StarPU",
			  (unsigned long long)summary->decisions, tv_plural(summary->decisions));
	tv_append(&line, " of %zu process%s, %.1f MiB, ", summary->nlogs,
		  summary->nlogs == 1 ? "" : "es", (double)summary->bytes / (1 << 20));
	if (summary->worker_ns > 0)
		tv_append(&line, "estimated overhead %.2g %%, ", 100 * cost / summary->worker_ns);
	if (summary->lost > 0)
		tv_append(
			&line, "%llu event%s lost%s%s%s", (unsigned long long)summary->lost,
			tv_plural(summary->lost), summary->full_size ? ": --max-size reached" : "",
			summary->full_disk ? ": no space on disk" : "",
			summary->full_file ? ": the limit of the size of files (ulimit -f) reached"
					   : "");
	else
		tv_append(&line, "nothing lost");
	if (size > 1)
		tv_append(&line, " (rank %ld of %ld%s)", rank, size,
			  rank == 0 ? "; other ranks report losses only" : "");
	tv_say(cli, "%s", line);
	tv_free(line);
}

int tv_record_end(const struct tv_recording *recording, struct tv_error *err)
{
	struct summary summary = { .recording = recording };
	int rc = 0;

	find_logs(&summary);
	for (size_t i = 0; i < summary.nlogs; i++)
		add_log(&summary, summary.log[i]);
	if (summary.nlogs == 0 && recording->monitoring == NULL) {
		rc = tv_record_report_nothing(recording, err);
	} else if (summary.nlogs > 0) {
		add_sites(&summary);
		print_warnings(&summary);
		print_line(&summary);
	}
	for (size_t i = 0; i < summary.nlogs; i++)
		tv_free(summary.log[i]);
	for (size_t i = 0; i < summary.nwarnings; i++)
		tv_free(summary.warning[i]);
	tv_free(summary.log);
	tv_free(summary.warning);
	tv_free(summary.life);
	return rc;
}
