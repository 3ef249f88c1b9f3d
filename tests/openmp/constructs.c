/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * constructs.c -- each construct of OpenMP that a recorder must see, one function for each, with known
 * numbers of explicit tasks and parallel regions.
 *
 *   constructs [NAME...]    runs these, or all; exit status 1 if a result is wrong, with its name on stderr
 *   constructs --list       NAME TASKS REGIONS, one line each
 *
 * Each region has two threads, by a num_threads clause. Cancellation needs OMP_CANCELLATION=true.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

static int value[N];

static int plain(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task shared(done)
#pragma omp atomic
			done++;
		}
#pragma omp taskwait
		done *= 10;
	}
	return done == 40;
}

/* Each of two tasks creates two and waits for them. */
static int nested(void)
{
	int sum[2] = { 0 };

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task shared(sum)
		{
			int part[2];

			for (int k = 0; k < 2; k++) {
#pragma omp task shared(part)
				part[k] = i + k;
			}
#pragma omp taskwait
			sum[i] = part[0] + part[1];
		}
	}
	return sum[0] == 1 && sum[1] == 3;
}

/* A task ends before its child, which nothing but the barrier waits for. */
static int orphan(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(done)
	{
#pragma omp task shared(done)
		done = 1;
	}
	return done;
}

static int creators(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp task shared(done)
#pragma omp atomic
		done++;
	}
	return done == 2;
}

/* Outside of any region: an undeferred task of the initial thread. */
static int serial(void)
{
	int done = 0;

#pragma omp task shared(done)
	done = 1;
#pragma omp taskwait
	return done;
}

/* The end of a taskgroup waits for descendants, too. */
static int taskgroup(void)
{
	int done = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 2; i++) {
#pragma omp task shared(done)
			{
#pragma omp task shared(done)
#pragma omp atomic
				done++;
			}
		}
		seen = done;
	}
	return seen == 2;
}

static int task_reduction(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 1; i <= 4; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += i;
	}
	return sum == 10;
}

static int taskloop_tasks(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(5) shared(sum)
	for (int i = 0; i < N; i++) {
#pragma omp atomic
		sum += i;
	}
	return sum == N * (N - 1) / 2;
}

static int taskloop_grains(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(N / 4) nogroup shared(sum)
	for (int i = 0; i < N; i++) {
#pragma omp atomic
		sum += i;
	}
	return sum == N * (N - 1) / 2;
}

/* A final task includes those that it creates. */
static int final(void)
{
	int done = 0, in_final = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task final(1) shared(done, in_final)
	{
		in_final = omp_in_final();
		for (int i = 0; i < 2; i++) {
#pragma omp task shared(done)
			done++;
		}
	}
	return done == 2 && in_final;
}

static int untied(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task untied shared(done)
		{
#pragma omp task shared(done)
#pragma omp atomic
			done++;
#pragma omp taskyield
#pragma omp taskwait
#pragma omp atomic
			done++;
		}
	}
	return done == 4;
}

static int undeferred(void)
{
	int done = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task if (0) shared(done)
		done = 1;
		seen = done;
	}
	return seen;
}

/* It waits for its predecessor. */
static int undeferred_depend(void)
{
	int x = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : x) shared(x)
		x = 1;
#pragma omp task if (0) depend(in : x) shared(x, seen)
		seen = x;
	}
	return seen;
}

static int mergeable(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task if (0) mergeable shared(done)
	done = 1;
	return done;
}

static int priority(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task priority(i) shared(done)
#pragma omp atomic
		done++;
	}
	return done == 3;
}

/* Ends when its event is fulfilled, by a second task. */
static int detached(void)
{
	int done = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp task detach(event) depend(out : done) shared(done)
		done = 1;
#pragma omp task
		omp_fulfill_event(event);
#pragma omp task depend(in : done) shared(done, seen)
		seen = done;
	}
	return seen;
}

/* The tasks after a cancellation are created, but do not run. */
static int cancelled(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
	{
#pragma omp task if (0)
		{
#pragma omp cancel taskgroup
		}
		for (int i = 0; i < 8; i++) {
#pragma omp task shared(done)
#pragma omp atomic
			done++;
		}
	}
	return omp_get_cancellation() ? done == 0 : done == 8;
}

static int cancelled_region(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp cancel parallel
#pragma omp atomic
		done++;
	}
	return omp_get_cancellation() ? done == 0 : done == 2;
}

/* write; two readers; write; inout */
static int depend(void)
{
	int x = 0, seen[2] = { 0 };

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : x) shared(x)
		x = 1;
		for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x) shared(x, seen)
			seen[i] = x;
		}
#pragma omp task depend(out : x) shared(x)
		x = 2;
#pragma omp task depend(inout : x) shared(x)
		x *= 10;
	}
	return seen[0] == 1 && seen[1] == 1 && x == 20;
}

static int depend_iterator(void)
{
	int a[4] = { 0 }, sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task depend(out : a[i]) shared(a)
			a[i] = i + 1;
		}
#pragma omp task depend(iterator(i = 0 : 4), in : a[i]) shared(a, sum)
		sum = a[0] + a[1] + a[2] + a[3];
	}
	return sum == 10;
}

static int depend_section(void)
{
	int a[8] = { 0 }, sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : a [0:4]) shared(a)
		a[0] = a[3] = 1;
#pragma omp task depend(out : a [4:4]) shared(a)
		a[4] = a[7] = 2;
#pragma omp task depend(in : a [0:4], a [4:4]) shared(a, sum)
		sum = a[0] + a[3] + a[4] + a[7];
	}
	return sum == 6;
}

/* In any order, but one at a time. */
static int mutexinoutset(void)
{
	int x = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : x) shared(x)
		x = 1;
		for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x)
			x++;
		}
#pragma omp task depend(in : x) shared(x, seen)
		seen = x;
	}
	return seen == 5;
}

#if defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 13
#define HAVE_INOUTSET

/* In any order, also at once. */
static int inoutset(void)
{
	int x = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : x) shared(x)
		x = 1;
		for (int i = 0; i < 4; i++) {
#pragma omp task depend(inoutset : x) shared(x)
#pragma omp atomic
			x++;
		}
#pragma omp task depend(in : x) shared(x, seen)
		seen = x;
	}
	return seen == 5;
}
#endif

static int depobj(void)
{
	int x = 0, seen = 0;
	omp_depend_t object;

#pragma omp depobj(object) depend(inout : x)
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(depobj : object) shared(x)
		x = 1;
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(x, seen)
		seen = x;
	}
#pragma omp depobj(object) destroy
	return seen;
}

/* Waits for one of two tasks. */
static int taskwait_depend(void)
{
	int x = 0, y = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : x) shared(x)
		x = 1;
#pragma omp task depend(out : y) shared(y)
		y = 1;
#pragma omp taskwait depend(in : x)
		seen = x;
	}
	return seen && y;
}

/* The same by a thread that has been in another region before: libomp keeps data of its task there. */
static int taskwait_worker(void)
{
	int x = 0, seen = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1) {
#pragma omp task depend(out : x) shared(x)
		x = 1;
#pragma omp taskwait depend(in : x)
		seen = x;
	}
	return seen;
}

static int nested_regions(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
#pragma omp task shared(done)
#pragma omp atomic
		done++;
	}
	return done == 4;
}

/* A region inside a task. */
static int region_in_task(void)
{
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(done)
	{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(done)
		done = 1;
	}
	return done;
}

static int loops(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			sum += i;
#pragma omp for schedule(dynamic, 10) nowait
		for (int i = 0; i < N; i++)
			sum += i;
#pragma omp for schedule(guided)
		for (int i = 0; i < N; i++)
			sum += i;
	}
	return sum == 3 * N * (N - 1) / 2;
}

static int ordered(void)
{
	int last = -1, good = 1;

#pragma omp parallel for ordered schedule(dynamic) num_threads(2)
	for (int i = 0; i < 20; i++) {
#pragma omp ordered
		{
			good &= last == i - 1;
			last = i;
		}
	}
	return good && last == 19;
}

/* Iterations depend on each other; these dependencies are not those of tasks. */
static int doacross(void)
{
	memset(value, 0, sizeof(value));
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
	for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
		value[i] = value[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	return value[19] == 19;
}

static int sections(void)
{
	int a = 0, b = 0, c = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		a = 1;
#pragma omp section
		b = 1;
#pragma omp section
		c = 1;
	}
	return a && b && c;
}

static int barriers(void)
{
	int x[2] = { 0 }, good = 1;

#pragma omp parallel num_threads(2) reduction(& : good)
	{
		x[omp_get_thread_num()] = 1;
#pragma omp barrier
		good &= x[0] && x[omp_get_num_threads() - 1];
#pragma omp barrier
#pragma omp master
		x[0] = 2;
#pragma omp barrier
#pragma omp single copyprivate(good)
		good &= x[0] == 2;
	}
	return good;
}

static int critical(void)
{
	int sum = 0, other = 0;

#pragma omp parallel num_threads(2)
	for (int i = 0; i < 100; i++) {
#pragma omp critical
		sum++;
#pragma omp critical(named)
		other++;
	}
	return sum == 200 && other == 200;
}

static int locks(void)
{
	int sum = 0, deep = 0;
	omp_lock_t lock;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 100; i++) {
		while (i % 2 && !omp_test_lock(&lock))
			;
		if (i % 2 == 0)
			omp_set_lock(&lock);
		sum++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		deep++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	return sum == 200 && deep == 200;
}

static const struct construct {
	const char *name;
	int (*run)(void);
	int tasks, regions;
} constructs[] = {
	{ "plain", plain, 4, 1 },
	{ "nested", nested, 6, 1 },
	{ "orphan", orphan, 2, 1 },
	{ "creators", creators, 2, 1 },
	{ "serial", serial, 1, 0 },
	{ "taskgroup", taskgroup, 4, 1 },
	{ "task-reduction", task_reduction, 4, 1 },
	{ "taskloop-tasks", taskloop_tasks, 5, 1 },
	{ "taskloop-grains", taskloop_grains, 4, 1 },
	{ "final", final, 3, 1 },
	{ "untied", untied, 4, 1 },
	{ "undeferred", undeferred, 1, 1 },
	{ "undeferred-depend", undeferred_depend, 2, 1 },
	{ "mergeable", mergeable, 1, 1 },
	{ "priority", priority, 3, 1 },
	{ "detached", detached, 3, 1 },
	{ "cancelled", cancelled, 9, 1 },
	{ "cancelled-region", cancelled_region, 0, 1 },
	{ "depend", depend, 5, 1 },
	{ "depend-iterator", depend_iterator, 5, 1 },
	{ "depend-section", depend_section, 3, 1 },
	{ "mutexinoutset", mutexinoutset, 6, 1 },
#ifdef HAVE_INOUTSET
	{ "inoutset", inoutset, 6, 1 },
#endif
	{ "depobj", depobj, 2, 1 },
	{ "taskwait-depend", taskwait_depend, 2, 1 },
	{ "taskwait-worker", taskwait_worker, 1, 1 },
	{ "nested-regions", nested_regions, 4, 3 },
	{ "region-in-task", region_in_task, 2, 2 },
	{ "loops", loops, 0, 1 },
	{ "ordered", ordered, 0, 1 },
	{ "doacross", doacross, 0, 1 },
	{ "sections", sections, 0, 1 },
	{ "barriers", barriers, 0, 1 },
	{ "critical", critical, 0, 1 },
	{ "locks", locks, 0, 1 },
};

static int asked_for(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc == 1;
}

int main(int argc, char **argv)
{
	int list = argc == 2 && !strcmp(argv[1], "--list"), status = 0, runs = 0;

	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	for (size_t i = 0; i < sizeof(constructs) / sizeof(*constructs); i++) {
		const struct construct *c = &constructs[i];

		if (list) {
			printf("%s %d %d\n", c->name, c->tasks, c->regions);
		} else if (asked_for(c->name, argc, argv)) {
			runs++;
			if (!c->run()) {
				fprintf(stderr, "constructs: %s: wrong result\n", c->name);
				status = 1;
			}
		}
	}
	if (!list && argc > 1 && runs < argc - 1) {
		fprintf(stderr, "constructs: unknown name; constructs --list\n");
		return 2;
	}
	return status;
}
