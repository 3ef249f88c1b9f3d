/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c -- threads of the program: the CPU time of each on each PU.
 *
 * A thread is found at the first tick after it began. What it had computed by then is known from its
 * schedstat, and counts for the PU that it is on; from then on counters of the thread, one per PU, are exact, also when it
 * has ended. On machines with many PUs there is one counter for all of them.
 */
#include <dirent.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/loaded/log.h"
#include "record/tool/monitor/source.h"
#include "trace/text.h"

enum { PUS_MAX = 16, THREADS_MAX = 4096 };

static int open_clock(pid_t thread, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof attr,
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_TASK_CLOCK,
					.exclude_kernel = 1, /* clocks count all modes */
					.exclude_hv = 1 };

	return (int)syscall(SYS_perf_event_open, &attr, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* A file of the thread; "" where it has ended. */
static const char *read_file(pid_t pid, pid_t thread, const char *name, char text[1024])
{
	char path[96];
	FILE *file;
	size_t n = 0;

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)pid, (long)thread, name);
	file = fopen(path, "re");
	if (file != NULL) {
		n = fread(text, 1, 1023, file);
		fclose(file);
	}
	text[n] = '\0';
	return text;
}

/* The CPU that it is on or was on last, field 39 of its stat. */
static long find_cpu(pid_t pid, pid_t thread)
{
	char text[1024];
	const char *at = strrchr(read_file(pid, thread, "stat", text), ')');

	for (int field = 2; at != NULL && field < 39; field++)
		at = strchr(at + 1, ' ');
	return at != NULL ? strtol(at, NULL, 10) : -1;
}

/* Declares the sets of a thread; what it had before goes to the PU that it is on. */
static void declare(struct tv_sampler *s, const struct tv_sampler_thread *thread, uint64_t before,
		    const unsigned *object, int64_t now)
{
	long cpu = find_cpu(s->pid, thread->id);
	unsigned here = 0;
	char name[1024];

	/* At the first tick the program has not begun. */
	if (thread->id == s->pid && s->program != NULL)
		snprintf(name, sizeof name, "%.200s", tv_base_name(s->program));
	else
		read_file(s->pid, thread->id, "comm", name);
	name[strcspn(name, "\n")] = '\0';
	for (unsigned i = 0; object != NULL && i < thread->n; i++)
		if (s->hardware.object[object[i]].os == cpu)
			here = i;
	for (unsigned i = 0; i < thread->n; i++) {
		const uint64_t arg[] = { thread->first + i,
					 object != NULL ? object[i] : TV_LOG_MONITOR_NONE,
					 (uint64_t)thread->id, (uint64_t)s->pid,
					 i == here ? before : 0 };

		tv_log_write_at(now, TV_LOG_MONITOR_THREAD, 0, 5, arg, name, strlen(name));
	}
}

static void add_thread(struct tv_sampler *s, pid_t id, int64_t now)
{
	unsigned object[PUS_MAX], n = 0;
	struct tv_sampler_thread *thread;
	bool fits = true;
	uint64_t before;
	char text[1024];

	for (unsigned i = 0; i < s->hardware.n; i++)
		if (strcmp(s->hardware.object[i].level, "PU") == 0) {
			fits &= n < PUS_MAX;
			if (fits)
				object[n++] = i;
		}
	n = fits ? n : 1;
	s->known = tv_sampler_grow(s->known, s->nknown, sizeof *s->known);
	thread = &s->known[s->nknown++];
	*thread = (struct tv_sampler_thread){ .id = id, .first = s->nthread_sets, .n = n };
	s->nthread_sets += n;
	thread->fd = tv_sampler_alloc(n * sizeof *thread->fd);
	/* At the first tick: what was before the recording, which counts nowhere. */
	before = s->ticks > 0 ? strtoull(read_file(s->pid, id, "schedstat", text), NULL, 10) : 0;
	for (unsigned i = 0; i < n; i++)
		thread->fd[i] = open_clock(id, fits ? (int)s->hardware.object[object[i]].os : -1);
	declare(s, thread, before, fits ? object : NULL, now);
}

/* The place of a thread that is known; nknown: none. The kernel lists them in an order that does not change, so from
 * the place of the one before it is the next. */
static unsigned find_known(const struct tv_sampler *s, pid_t id, unsigned from)
{
	for (unsigned i = 0; i < s->nknown; i++) {
		unsigned at = (from + i) % s->nknown;

		if (s->known[at].id == id)
			return at;
	}
	return s->nknown;
}

static void find_threads(struct tv_sampler *s, int64_t now)
{
	const struct dirent *entry;
	unsigned at = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)s->pid);
	dir = opendir(path);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);

		if (id <= 0)
			continue;
		at = find_known(s, id, at);
		if (at == s->nknown && s->nknown < THREADS_MAX)
			add_thread(s, id, now);
		if (at < s->nknown)
			s->known[at++].runs = true;
	}
	if (dir != NULL)
		closedir(dir);
}

static void close_thread(struct tv_sampler_thread *thread)
{
	for (unsigned k = 0; k < thread->n; k++)
		if (thread->fd[k] >= 0)
			close(thread->fd[k]);
	free(thread->fd);
}

/* Those that ended since the tick before have had their last sample. */
static void drop_ended(struct tv_sampler *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nknown; i++) {
		if (!s->known[i].runs) {
			close_thread(&s->known[i]);
			continue;
		}
		s->known[i].runs = false;
		s->known[n++] = s->known[i];
	}
	s->nknown = n;
}

void tv_sampler_take_threads(struct tv_sampler *s, int64_t now, bool last)
{
	if (!last)
		find_threads(s, now);
	for (unsigned i = 0; i < s->nknown; i++)
		for (unsigned k = 0; k < s->known[i].n; k++) {
			uint64_t arg[4] = { s->known[i].first + k };

			if (s->known[i].fd[k] >= 0
			    && read(s->known[i].fd[k], &arg[3], sizeof *arg) == sizeof *arg)
				tv_log_write_at(now, TV_LOG_MONITOR_SAMPLE, 1, 4, arg, NULL, 0);
		}
	if (!last)
		drop_ended(s);
}

void tv_sampler_release_threads(struct tv_sampler *s)
{
	for (unsigned i = 0; i < s->nknown; i++)
		close_thread(&s->known[i]);
	free(s->known);
}
