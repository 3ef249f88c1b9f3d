/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.c -- counters by perf_event_open: groups per CPU, of a process and all that it starts, or of the machine. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/tool/monitor/perf_names.h"
#include "record/tool/monitor/source.h"

enum {
	GROUP_SOFTWARE = 64,
	GROUP_HARDWARE = 4, /* counters that every processor has at the same time */
};

/* A group on one CPU: per thread that it is attached to, its events. */
struct group {
	int *fd;    /* nthreads * n */
	int *clock; /* per thread: what the group's time is compared with; -1 = its own time enabled */
	unsigned n, nthreads;
};

/* Switches happen in the kernel: in user mode alone they would count 0. */
static bool is_in_kernel(const struct tv_source_event *event)
{
	return event->type == PERF_TYPE_SOFTWARE
	    && (event->config[0] == PERF_COUNT_SW_CONTEXT_SWITCHES
		|| event->config[0] == PERF_COUNT_SW_CPU_MIGRATIONS);
}

static int open_event(const struct tv_source_event *event, pid_t pid, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = event->type,
		.config = event->config[0],
		.config1 = event->config[1],
		.config2 = event->config[2],
		.inherit = pid >= 0,
		.exclude_kernel = event->user,
		.exclude_hv = event->user,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED
			     | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static const char *remedy(int code, const struct tv_source_event *event, bool of_process)
{
	switch (code) {
	case EACCES:
	case EPERM:
		return !of_process || event->cpus[0] != '\0'
			     ? "it is not permitted for the whole machine (root may, or all with "
			       "/proc/sys/kernel/perf_event_paranoid at 0)"
			     : "it is not permitted (root may, or all with "
			       "/proc/sys/kernel/perf_event_paranoid at 1)";
	case EMFILE:
	case ENFILE:
		return "too many files are open (ulimit -n)";
	case EINVAL:
	case EOPNOTSUPP:
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return "this machine has no such counter there, as many virtual ones";
	default:
		return strerror(code);
	}
}

static bool find_event(struct tv_sampler *s, const char *text, struct tv_source_event *event)
{
	*event = (struct tv_source_event){ .level = "PU", .counter = true, .unit = "1" };
	if (!tv_perf_find(text, event))
		return false;
	event->scope = event->cpus[0] != '\0' || !s->of_process ? "machine" : "process";
	return true;
}

/* The CPUs of an object at which an event is counted; n of them in cpu[]. */
static unsigned find_cpus(const struct tv_source_event *event, const struct tv_hardware_object *at,
			  unsigned *cpu)
{
	unsigned n = 0;

	for (unsigned i = 0; i < at->npus; i++)
		if (event->cpus[0] == '\0' || tv_perf_has_cpu(event->cpus, at->pu[i]))
			cpu[n++] = at->pu[i];
	return n;
}

/* Of its own process, which may be asked about like any other. */
static int check_event(struct tv_sampler *s, struct tv_source_event *event,
		       const struct tv_hardware_object *at, char *why)
{
	unsigned *cpu = tv_sampler_alloc((at->npus + 1) * sizeof *cpu);
	unsigned n = find_cpus(event, at, cpu);
	bool of_process = s->of_process && event->cpus[0] == '\0';
	int fd = n > 0 ? open_event(event, of_process ? 0 : -1, (int)cpu[0], -1) : -1;

	if (fd < 0 && n > 0 && (errno == EACCES || errno == EPERM) && !is_in_kernel(event)
	    && of_process) {
		event->user = true;
		fd = open_event(event, 0, (int)cpu[0], -1);
		/* Clocks count all modes. */
		if (event->type != PERF_TYPE_SOFTWARE || event->config[0] > 1)
			event->scope = "process, user mode";
	}
	if (n == 0)
		snprintf(why, TV_SAMPLER_WHY,
			 "it is counted once per part of the machine, on CPU %s; expected a level "
			 "whose objects contain one of them",
			 event->cpus);
	else if (fd < 0)
		snprintf(why, TV_SAMPLER_WHY, "%s", remedy(errno, event, of_process));
	free(cpu);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

static void close_group(void *state)
{
	struct group *group = state;

	for (unsigned i = 0; i < group->n * group->nthreads; i++)
		if (group->fd[i] >= 0)
			close(group->fd[i]);
	for (unsigned i = 0; i < group->nthreads; i++)
		if (group->clock[i] >= 0)
			close(group->clock[i]);
	free(group->fd);
	free(group->clock);
	free(group);
}

/*
 * A process's counters of one CPU are enabled while it runs anywhere, and count while it runs on that
 * CPU: their own times do not show whether they were multiplexed. A counter of the kernel, which never is,
 * shows for how long they should have counted.
 */
static int open_clock(pid_t pid, int cpu, bool user)
{
	const struct tv_source_event clock = { .type = PERF_TYPE_SOFTWARE,
					       .config = { PERF_COUNT_SW_DUMMY },
					       .user = user };

	return open_event(&clock, pid, cpu, -1);
}

/* Whether the thread has ended since it was listed. */
static bool is_gone(int code)
{
	return code == ESRCH;
}

static int open_group(struct tv_sampler *s, unsigned m, unsigned object, int cpu, unsigned first,
		      unsigned n, char *why)
{
	const struct tv_source_event *event = &s->monitor[m].event[first];
	bool of_process = s->of_process && event->cpus[0] == '\0';
	unsigned threads = of_process ? s->nthreads : 1;
	struct group *group = tv_sampler_alloc(sizeof *group);

	*group = (struct group){ .n = n, .nthreads = threads };
	group->fd = tv_sampler_alloc(((size_t)n * threads + 1) * sizeof *group->fd);
	group->clock = tv_sampler_alloc(((size_t)threads + 1) * sizeof *group->clock);
	memset(group->fd, 0xff, (size_t)n * threads * sizeof *group->fd);
	memset(group->clock, 0xff, threads * sizeof *group->clock);
	for (unsigned t = 0; t < threads; t++) {
		pid_t pid = of_process ? s->thread[t] : -1;
		int *fd = &group->fd[(size_t)t * n];

		for (unsigned i = 0; i < n; i++) {
			fd[i] = open_event(&event[i], pid, cpu, i > 0 ? fd[0] : -1);
			if (fd[i] < 0 && !is_gone(errno)) {
				snprintf(why, TV_SAMPLER_WHY, "event '%s' on CPU %d: %s",
					 event[i].name, cpu, remedy(errno, &event[i], of_process));
				close_group(group);
				return -1;
			}
		}
		if (of_process && event->type != PERF_TYPE_SOFTWARE)
			group->clock[t] = open_clock(pid, cpu, event->user);
	}
	tv_sampler_add_set(s, m, object, first, n, group);
	return 0;
}

/* How many events from the first on make one group. */
static unsigned group_size(const struct tv_sampler_monitor *m, unsigned first)
{
	const struct tv_source_event *event = m->event;
	bool software = event[first].type == PERF_TYPE_SOFTWARE;
	unsigned max = software ? GROUP_SOFTWARE : GROUP_HARDWARE, n = 1;

	while (first + n < m->nevents && n < max
	       && (event[first + n].type == PERF_TYPE_SOFTWARE) == software
	       && strcmp(event[first].cpus, event[first + n].cpus) == 0
	       && (event[first].cpus[0] == '\0' || event[first].type == event[first + n].type))
		n++;
	return n;
}

static int open_monitor(struct tv_sampler *s, unsigned m, unsigned object, char *why)
{
	const struct tv_hardware_object *at = &s->hardware.object[object];
	unsigned *cpu = tv_sampler_alloc((at->npus + 1) * sizeof *cpu), n;
	int rc = 0;

	for (unsigned first = 0; rc == 0 && first < s->monitor[m].nevents; first += n) {
		unsigned ncpus = find_cpus(&s->monitor[m].event[first], at, cpu);

		n = group_size(&s->monitor[m], first);
		for (unsigned i = 0; rc == 0 && i < ncpus; i++)
			rc = open_group(s, m, object, (int)cpu[i], first, n, why);
	}
	free(cpu);
	return rc;
}

static bool read_group(struct tv_sampler *s, const struct tv_set *set, uint64_t *value)
{
	const struct group *group = set->state;
	uint64_t got[3 + GROUP_SOFTWARE], clock[4];

	(void)s;
	memset(value, 0, (2 + group->n) * sizeof *value);
	for (unsigned t = 0; t < group->nthreads; t++) {
		int leader = group->fd[(size_t)t * group->n];

		if (leader < 0)
			continue;
		if (read(leader, got, sizeof got) < (ssize_t)((3 + group->n) * sizeof *got))
			return false;
		if (group->clock[t] >= 0
		    && read(group->clock[t], clock, sizeof clock) == sizeof clock)
			got[1] = clock[2];
		else if (set->source == &tv_source_perf && s->of_process)
			got[1] = got[2];
		for (unsigned i = 0; i < 2 + group->n; i++)
			value[i] += got[1 + i];
	}
	return true;
}

const struct tv_back_end tv_source_perf = {
	.name = "perf",
	.find = find_event,
	.check = check_event,
	.open = open_monitor,
	.read = read_group,
	.close = close_group,
};
