/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler.c -- monitors and their sets, and the thread that reads them at the ticks. */
#include "record/tool/monitor/source.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>

#include "record/loaded/log.h"
#include "record/tool/monitor/live.h"

enum { SLOW_NS = 10000000 };

static const struct tv_back_end *const sources[] = { &tv_source_perf,	&tv_source_proc,
						     &tv_source_cgroup, &tv_source_pressure,
						     &tv_source_fake,	&tv_source_file };
enum { SOURCES = sizeof sources / sizeof *sources };

/* The thread, while it runs. */
struct tv_sampling {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop; /* stopped or began has become true */
	bool began, stopped, lost;
	int64_t begin, period, end, cpu;
};

void *tv_sampler_alloc(size_t bytes)
{
	void *p = calloc(1, bytes > 0 ? bytes : 1);

	if (p == NULL) {
		fprintf(stderr, "traceviz: out of memory for the monitor, %zu bytes\n", bytes);
		exit(1);
	}
	return p;
}

/* One more element of an array whose size doubles. */
void *tv_sampler_grow(void *array, unsigned n, size_t bytes)
{
	void *grown;

	if ((n & (n - 1)) != 0)
		return array;
	grown = tv_sampler_alloc((n > 0 ? 2 * (size_t)n : 1) * bytes);
	if (n > 0)
		memcpy(grown, array, n * bytes);
	free(array);
	return grown;
}

struct tv_set *tv_sampler_add_set(struct tv_sampler *s, unsigned monitor, unsigned object,
				  unsigned first, unsigned n, void *state)
{
	s->set = tv_sampler_grow(s->set, s->nsets, sizeof *s->set);
	s->set[s->nsets] = (struct tv_set){
		.source = s->monitor[monitor].source,
		.monitor = monitor,
		.object = object,
		.first = first,
		.n = n,
		.machine = strncmp(s->monitor[monitor].event[first].scope, "process", 7) != 0,
		.state = state
	};
	return &s->set[s->nsets++];
}

struct tv_sampler *tv_sampler_new(bool of_process, char *why)
{
	struct tv_sampler *s = tv_sampler_alloc(sizeof *s);

	s->of_process = of_process;
	s->has_machine = true;
	s->lock = -1;
	if (tv_hardware_load(&s->hardware, why, TV_SAMPLER_WHY) == 0)
		return s;
	tv_sampler_free(s);
	return NULL;
}

const struct tv_hardware *tv_sampler_hardware(const struct tv_sampler *s)
{
	return &s->hardware;
}

static char *copy_text(const char *text, size_t n)
{
	char *copy = tv_sampler_alloc(n + 1);

	memcpy(copy, text, n);
	return copy;
}

void tv_sampler_describe(struct tv_sampler *s, const char *key, const char *text)
{
	s->text = tv_sampler_grow(s->text, s->ntexts, sizeof *s->text);
	s->text[s->ntexts++] = (struct tv_sampler_text){ copy_text(key, strlen(key)),
							 copy_text(text, strlen(text)) };
}

bool tv_sampler_is_empty(const struct tv_sampler *s)
{
	return s->nmonitors == 0;
}

static void close_sets(struct tv_sampler *s)
{
	for (unsigned i = 0; i < s->nsets; i++)
		if (s->set[i].source->close != NULL)
			s->set[i].source->close(s->set[i].state);
	free(s->set);
	s->set = NULL;
	s->nsets = 0;
}

void tv_sampler_free(struct tv_sampler *s)
{
	if (s == NULL)
		return;
	close_sets(s);
	tv_sampler_release_threads(s);
	tv_sampler_end_share(s);
	for (unsigned i = 0; i < s->nmonitors; i++)
		free(s->monitor[i].object);
	for (unsigned i = 0; i < s->ntexts; i++) {
		free(s->text[i].key);
		free(s->text[i].text);
	}
	free(s->text);
	free(s->monitor);
	free(s->thread);
	tv_live_free(s->live);
	tv_sources_release(s);
	tv_replay_release(s);
	tv_hardware_release(&s->hardware);
	free(s);
}

/* ---- requests ---- */

static const struct tv_back_end *find_source(const char *library)
{
	size_t n = strcspn(library, ":");

	if (n == 4 && strncasecmp(library, "papi", n) == 0)
		return &tv_source_perf;
	for (unsigned i = 0; i < SOURCES; i++)
		if (strlen(sources[i]->name) == n && strncasecmp(sources[i]->name, library, n) == 0)
			return sources[i];
	return NULL;
}

/* The monitor that the event joins, or a new one; its objects are those of the level. */
static struct tv_sampler_monitor *get_monitor(struct tv_sampler *s,
					      const struct tv_sampler_request *request,
					      const struct tv_back_end *source, const char *level)
{
	struct tv_sampler_monitor *m;

	for (unsigned i = 0; i < s->nmonitors; i++) {
		m = &s->monitor[i];
		if (strcmp(m->name, request->monitor) == 0 && m->described == request->described
		    && m->source == source && m->nevents < TV_SAMPLER_EVENTS
		    && (source != &tv_source_file || m->replay == s->replay)
		    && (level == NULL ? m->level == NULL
				      : m->level != NULL && strcmp(m->level, level) == 0))
			return m;
	}
	s->monitor = tv_sampler_grow(s->monitor, s->nmonitors, sizeof *s->monitor);
	m = &s->monitor[s->nmonitors];
	*m = (struct tv_sampler_monitor){ .described = request->described,
					  .level = level,
					  .source = source,
					  .replay = s->replay };
	snprintf(m->name, sizeof m->name, "%s", request->monitor);
	m->object = tv_sampler_alloc(s->hardware.n * sizeof *m->object);
	for (unsigned i = 0; i < s->hardware.n; i++)
		if (level != NULL ? tv_hardware_matches(&s->hardware.object[i], level)
				  : tv_replay_has(s, &s->hardware.object[i]))
			m->object[m->nobjects++] = i;
	s->nmonitors++;
	return m;
}

static void drop_if_empty(struct tv_sampler *s)
{
	if (s->nmonitors > 0 && s->monitor[s->nmonitors - 1].nevents == 0)
		free(s->monitor[--s->nmonitors].object);
}

/* Whether it can be read at all objects of the monitor. */
static int check_event(struct tv_sampler *s, const struct tv_sampler_monitor *m,
		       struct tv_source_event *event, char *why)
{
	char reason[TV_SAMPLER_WHY], levels[200];

	if (m->nobjects == 0) {
		tv_hardware_levels(&s->hardware, levels, sizeof levels);
		snprintf(why, TV_SAMPLER_WHY, "'%s': this machine has no %s, expected one of %s",
			 event->name, m->level != NULL ? m->level : "object of the table", levels);
		return -1;
	}
	for (unsigned i = 0; i < m->nobjects; i++) {
		const struct tv_hardware_object *at = &s->hardware.object[m->object[i]];

		if (m->source->check(s, event, at, reason) < 0) {
			snprintf(why, TV_SAMPLER_WHY, "'%s' at %s:%u: %.400s", event->name,
				 at->level, at->logical, reason);
			return -1;
		}
	}
	return 0;
}

/* Whether events of lists have the same name and an object in common: their values would count twice. */
static int check_twice(const struct tv_sampler *s, const struct tv_sampler_monitor *m,
		       const struct tv_source_event *event, char *why)
{
	for (unsigned i = 0; i < s->nmonitors; i++) {
		const struct tv_sampler_monitor *other = &s->monitor[i];
		bool has = false;

		if (m->described != TV_LOG_MONITOR_NONE || strcmp(other->name, m->name) != 0)
			continue;
		for (unsigned k = 0; k < other->nevents; k++)
			has |= strcmp(other->event[k].name, event->name) == 0;
		for (unsigned k = 0; has && k < m->nobjects * other->nobjects; k++) {
			unsigned object = m->object[k / other->nobjects];

			if (object != other->object[k % other->nobjects])
				continue;
			snprintf(why, TV_SAMPLER_WHY, "'%s' at %s:%u is listed twice", event->name,
				 s->hardware.object[object].level,
				 s->hardware.object[object].logical);
			return -1;
		}
	}
	return 0;
}

static int add_event(struct tv_sampler *s, const struct tv_sampler_request *request,
		     const struct tv_back_end *source, const char *text, bool *usage, char *why)
{
	struct tv_source_event event = { 0 };
	struct tv_sampler_monitor *m;
	bool found = source != NULL && source->find(s, text, &event);

	for (unsigned i = 0; source == NULL && !found && i < SOURCES; i++)
		if (sources[i] != &tv_source_file && sources[i]->find(s, text, &event)) {
			found = true;
			source = sources[i];
		}
	if (!found) {
		*usage = true;
		snprintf(why, TV_SAMPLER_WHY,
			 "'%s' is unknown%s%s; docs/record.md lists the events", text,
			 source != NULL ? " to the back end " : "",
			 source != NULL ? source->name : "");
		return -1;
	}
	m = get_monitor(s, request, source, request->level != NULL ? request->level : event.level);
	if (check_event(s, m, &event, why) < 0) {
		drop_if_empty(s);
		return -1;
	}
	if (check_twice(s, m, &event, why) < 0) {
		drop_if_empty(s);
		*usage = true;
		return -1;
	}
	m->event[m->nevents++] = event;
	return 0;
}

int tv_sampler_add(struct tv_sampler *s, const struct tv_sampler_request *request, unsigned *event,
		   bool *usage, char *why)
{
	const struct tv_back_end *source = NULL;
	const char *path;

	*usage = false;
	*event = 0;
	if (request->library != NULL) {
		source = find_source(request->library);
		path = strchr(request->library, ':');
		if (source == NULL || (source == &tv_source_file) != (path != NULL)) {
			*usage = true;
			snprintf(why, TV_SAMPLER_WHY,
				 "'%s' is no back end, expected perf, proc, cgroup, pressure, "
				 "file:PATH or fake",
				 request->library);
			return -1;
		}
		if (source == &tv_source_file && tv_replay_load(s, path + 1, why) < 0)
			return -1;
	}
	for (; *event < request->nevents; ++*event)
		if (add_event(s, request, source, request->event[*event], usage, why) < 0) {
			/* An expression needs all of them. */
			if (request->described != TV_LOG_MONITOR_NONE && *event > 0) {
				s->monitor[s->nmonitors - 1].nevents = 0;
				drop_if_empty(s);
			}
			return -1;
		}
	if (request->nevents == 0 && source == &tv_source_file)
		for (unsigned i = 0; i < tv_replay_columns(s); i++)
			if (tv_replay_column(s, i) != NULL
			    && add_event(s, request, source, tv_replay_column(s, i), usage, why)
				       < 0)
				return -1;
	return 0;
}

/* ---- opening ---- */

/* The threads of a process; 0: they cannot be listed. */
static unsigned list_threads(pid_t pid, pid_t **thread)
{
	const struct dirent *entry;
	char path[64];
	unsigned n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	*thread = NULL;
	dir = opendir(path);
	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.') {
			*thread = tv_sampler_grow(*thread, n, sizeof **thread);
			(*thread)[n++] = (pid_t)strtol(entry->d_name, NULL, 10);
		}
	if (dir != NULL)
		closedir(dir);
	return n;
}

int tv_sampler_open(struct tv_sampler *s, pid_t pid, const char *program, char *why)
{
	struct rlimit files;

	/* The program, which is another process, keeps its limit. */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	s->pid = pid;
	s->program = program;
	s->nthreads = pid > 0 ? list_threads(pid, &s->thread) : 0;
	if (pid > 0 && s->nthreads == 0) {
		snprintf(why, TV_SAMPLER_WHY, "there is no process %ld", (long)pid);
		return -1;
	}
	for (unsigned m = 0; m < s->nmonitors; m++)
		for (unsigned k = 0; k < s->monitor[m].nevents; k++)
			s->has_threads |= pid > 0
				       && strcmp(s->monitor[m].event[k].name, "task-clock") == 0;
	for (unsigned m = 0; m < s->nmonitors; m++)
		for (unsigned i = 0; i < s->monitor[m].nobjects; i++)
			if (s->monitor[m].source->open(s, m, s->monitor[m].object[i], why) < 0) {
				close_sets(s);
				return -1;
			}
	return 0;
}

/* ---- the log ---- */

static int64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Reads all sets that are due, straight into the log. */
static void take(struct tv_sampler *s, int64_t now, bool last)
{
	struct tv_sampling *sampling = s->sampling;
	const bool machine = tv_sampler_has_machine(s, now);

	tv_live_begin(s->live);
	for (unsigned i = 0; i < s->nsets; i++) {
		struct tv_set *set = &s->set[i];
		uint64_t *arg;

		if (set->machine && !machine)
			continue;
		if (set->every > 1 && s->ticks % set->every != 0 && !last)
			continue;
		arg = tv_log_begin(TV_LOG_MONITOR_SAMPLE, 0, 3 + set->n, now);
		if (arg == NULL) {
			sampling->lost = true;
			continue;
		}
		arg[0] = i;
		if (!set->source->read(s, set, arg + 1))
			continue;
		tv_live_take(s->live, i, now, arg + 1);
		tv_log_commit();
		set->taken = true;
	}
	if (s->has_threads)
		tv_sampler_take_threads(s, now, last);
	s->ticks++;
	tv_live_end(s->live, now);
	sampling->end = now;
	sampling->cpu = cpu_time();
	tv_log_write_at(now, TV_LOG_MONITOR_TICK, 0, 4,
			(const uint64_t[]){ s->ticks, s->missed, (uint64_t)sampling->cpu,
					    (uint64_t)(tv_log_now() - now) },
			NULL, 0);
}

/* Waits until a time; true: the sampler is stopped. */
static bool wait_until(struct tv_sampling *sampling, int64_t time)
{
	const struct timespec at = { time / 1000000000, time % 1000000000 };
	int rc = 0;
	bool stopped;

	pthread_mutex_lock(&sampling->lock);
	while (!sampling->stopped && rc == 0)
		rc = pthread_cond_timedwait(&sampling->stop, &sampling->lock, &at);
	stopped = sampling->stopped;
	pthread_mutex_unlock(&sampling->lock);
	return stopped;
}

/* The first tick is taken: the program may run. */
static void note_begin(struct tv_sampling *sampling)
{
	pthread_mutex_lock(&sampling->lock);
	sampling->began = true;
	pthread_cond_broadcast(&sampling->stop);
	pthread_mutex_unlock(&sampling->lock);
}

static void wait_for_begin(struct tv_sampling *sampling)
{
	pthread_mutex_lock(&sampling->lock);
	while (!sampling->began)
		pthread_cond_wait(&sampling->stop, &sampling->lock);
	pthread_mutex_unlock(&sampling->lock);
}

static void *sample(void *arg)
{
	struct tv_sampler *s = arg;
	struct tv_sampling *sampling = s->sampling;
	int64_t now = sampling->begin, next = now;

	tv_sampler_declare(s, now, sampling->period);
	do {
		/* Reading took longer than a tick, or the process was stopped, or without a CPU. */
		uint64_t missed = (uint64_t)((now - next) / sampling->period);

		s->missed += missed;
		next += (int64_t)(missed + 1) * sampling->period;
		take(s, now, false);
		note_begin(sampling);
		if (wait_until(sampling, next))
			break;
		now = tv_log_now();
	} while (true);
	take(s, tv_log_now(), true);
	tv_log_finish();
	return NULL;
}

int tv_sampler_start(struct tv_sampler *s, const char *folder, uint64_t max_bytes,
		     int64_t period_ns, char *why)
{
	struct tv_sampling *sampling = tv_sampler_alloc(sizeof *sampling);
	pthread_condattr_t monotonic;
	int rc;

	sampling->period = period_ns;
	for (unsigned i = 0; i < s->nsets; i++)
		if (s->set[i].source->slow)
			s->set[i].every = (unsigned)((SLOW_NS + period_ns - 1) / period_ns);
	pthread_mutex_init(&sampling->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&sampling->stop, &monotonic);
	pthread_condattr_destroy(&monotonic);
	s->sampling = sampling;
	tv_log_start(folder, max_bytes, 0);
	sampling->begin = tv_log_now();
	rc = pthread_create(&sampling->thread, NULL, sample, s);
	if (rc == 0) {
		wait_for_begin(sampling);
		return 0;
	}
	snprintf(why, TV_SAMPLER_WHY, "cannot start a thread: %s", strerror(rc));
	tv_log_close();
	free(sampling);
	s->sampling = NULL;
	return -1;
}

/* Events and objects that have samples. */
static void count_sampled(const struct tv_sampler *s, struct tv_sampler_report *report)
{
	bool *object = tv_sampler_alloc(s->hardware.n * sizeof *object);

	for (unsigned m = 0; m < s->nmonitors; m++) {
		bool event[TV_SAMPLER_EVENTS] = { false };

		for (unsigned i = 0; i < s->nsets; i++) {
			const struct tv_set *set = &s->set[i];

			if (set->monitor != m || !set->taken)
				continue;
			object[set->object] = true;
			memset(event + set->first, true, set->n);
		}
		for (unsigned k = 0; k < s->monitor[m].nevents; k++)
			report->events += event[k];
	}
	for (unsigned i = 0; i < s->hardware.n; i++)
		report->objects += object[i];
	free(object);
}

void tv_sampler_stop(struct tv_sampler *s, struct tv_sampler_report *report)
{
	struct tv_sampling *sampling = s->sampling;

	*report = (struct tv_sampler_report){ 0 };
	if (sampling == NULL)
		return;
	pthread_mutex_lock(&sampling->lock);
	sampling->stopped = true;
	pthread_cond_broadcast(&sampling->stop);
	pthread_mutex_unlock(&sampling->lock);
	pthread_join(sampling->thread, NULL);
	tv_log_close();
	report->ticks = s->ticks;
	report->missed = s->missed;
	report->cpu_ns = sampling->cpu;
	report->wall_ns = sampling->end - sampling->begin;
	report->lost = sampling->lost;
	count_sampled(s, report);
	tv_sampler_end_share(s);
	pthread_cond_destroy(&sampling->stop);
	pthread_mutex_destroy(&sampling->lock);
	free(sampling);
	s->sampling = NULL;
}
