/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h -- back ends of the sampler.
 *
 * To add one: a file with a struct tv_back_end, and a row in sampler.c.
 */
#ifndef TV_RECORD_SOURCE_H
#define TV_RECORD_SOURCE_H

#include <stdio.h>

#include "record/tool/monitor/sampler.h"

/* An event of a monitor, as a source found it. */
struct tv_source_event {
	char name[TV_SAMPLER_NAME];
	const char *level; /* where it is, unless asked for elsewhere */
	const char *unit, *scope;
	bool counter, real; /* TV_LOG_MONITOR_COUNTER, _REAL */
	uint32_t type;	    /* perf: as of perf_event_open */
	uint64_t config[3]; /* perf */
	bool user;	    /* perf: counted in user mode alone */
	char cpus[128]; /* perf: one CPU of each part of the machine that has a counter; "" = all */
	unsigned row;	/* text: of its table; replay: column */
	double parameter; /* fake */
};

/* What is read at once. */
struct tv_set {
	const struct tv_back_end *source;
	unsigned monitor, object, first, n;
	unsigned every; /* ticks; 0 = each */
	bool machine;	/* the same for all recorders of this host */
	bool taken;	/* at least once */
	void *state;	/* of the source */
};

struct tv_sampler_monitor {
	char name[TV_SAMPLER_NAME];
	uint64_t described;
	const char *level; /* as asked for; NULL */
	const struct tv_back_end *source;
	struct tv_source_event event[TV_SAMPLER_EVENTS];
	unsigned nevents;
	unsigned *object, nobjects;	/* of the hardware */
	const struct tv_replay *replay; /* file */
};

struct tv_sampler_text {
	char *key, *text;
};

struct tv_back_end {
	const char *name;
	bool slow; /* its files change no faster than 100 times a second: read at most as often */
	/* Fills *event; false: it has no event of that name. */
	bool (*find)(struct tv_sampler *s, const char *text, struct tv_source_event *event);
	/* Whether it can be read at an object; may change the event. -1 with the reason. */
	int (*check)(struct tv_sampler *s, struct tv_source_event *event,
		     const struct tv_hardware_object *at, char *why);
	/* Adds the sets of a monitor at an object (its number). -1 with the reason. */
	int (*open)(struct tv_sampler *s, unsigned monitor, unsigned object, char *why);
	/* value[0], [1]: ns enabled and counted; then the events'. False: nothing to report now. */
	bool (*read)(struct tv_sampler *s, const struct tv_set *set, uint64_t *value);
	void (*close)(void *state);
};

struct tv_source_file; /* text.c */
struct tv_replay;      /* replay.c */

/* A thread of the program, with a counter per PU. */
struct tv_sampler_thread {
	pid_t id;
	unsigned first; /* number of its first set */
	unsigned n;
	int *fd;
	bool runs; /* it was listed at this tick */
};

struct tv_sampler {
	struct tv_hardware hardware;
	bool of_process;
	pid_t pid;	     /* 0 = machine */
	const char *program; /* that it will run; NULL: it runs */
	pid_t *thread;	     /* of a process that runs already; else its number alone */
	unsigned nthreads;
	struct tv_sampler_monitor *monitor;
	unsigned nmonitors;
	struct tv_set *set;
	unsigned nsets;
	bool has_threads; /* threads of the process are sampled (threads.c) */
	struct tv_sampler_thread *known;
	unsigned nknown, nthread_sets;
	struct tv_sampler_text *text; /* TV_LOG_META */
	unsigned ntexts;
	struct tv_source_file *files; /* list */
	struct tv_replay *replay;     /* that of the request; list */
	uint64_t ticks, missed;	      /* so far */
	bool has_machine;	      /* it samples the machine, too (share.c) */
	int lock;		      /* of the recorders of this host; -1: there is one */
	int64_t next_try;
	struct tv_sampling *sampling; /* sampler.c */
	struct tv_live *live;	      /* live.h; NULL: nobody watches */
};

extern const struct tv_back_end tv_source_perf, tv_source_proc, tv_source_cgroup,
	tv_source_pressure, tv_source_file, tv_source_fake;

/* One more set, whose state the sampler frees by close(). */
struct tv_set *tv_sampler_add_set(struct tv_sampler *s, unsigned monitor, unsigned object,
				  unsigned first, unsigned n, void *state);
/* malloc that ends the program where memory is exhausted. */
void *tv_sampler_alloc(size_t bytes);
/* Elements 0..n of an array become room for n + 1; its size doubles. */
void *tv_sampler_grow(void *array, unsigned n, size_t bytes);
/* declare.c: what the log has before the samples. */
void tv_sampler_declare(const struct tv_sampler *s, int64_t time, int64_t period);
/* share.c: whether this recorder is the one that samples the machine, at that time. */
bool tv_sampler_has_machine(struct tv_sampler *s, int64_t now);
void tv_sampler_end_share(struct tv_sampler *s);
/* threads.c: looks for new threads of the process, and samples all. last: also those that have ended. */
void tv_sampler_take_threads(struct tv_sampler *s, int64_t now, bool last);
void tv_sampler_release_threads(struct tv_sampler *s);
void tv_sources_release(struct tv_sampler *s); /* files that text.c has open */
/* Loads a table once; -1 with the reason. Its columns, n of them. */
int tv_replay_load(struct tv_sampler *s, const char *path, char *why);
unsigned tv_replay_columns(const struct tv_sampler *s);
const char *tv_replay_column(const struct tv_sampler *s, unsigned i);
bool tv_replay_has(const struct tv_sampler *s, const struct tv_hardware_object *object);
void tv_replay_release(struct tv_sampler *s);

#endif
