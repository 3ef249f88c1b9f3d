/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.c -- record --watch: draws what a sampler reads on the terminal. */
#include "record/tool/watch.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "record/loaded/log.h"
#include "record/tool/monitor/live.h"
#include "record/tool/watch_screen.h"
#include "trace/alloc.h"

enum { SCREEN_NS = 100000000, SECOND_NS = 1000000000 };

/* A row of the screen, and what its objects are. */
struct row {
	char *name, *unit;
	unsigned first, n; /* objects of the level: numbers of the hardware */
	double *value;
	bool *has;
	double min, max;
};

struct tv_watch {
	const struct tv_sampler *sampler;
	const struct tv_monitors *described;
	struct tv_monitor_machine machine;
	struct tv_monitor_run *run; /* of the description; NULL */
	struct tv_live *live;
	struct row *row; /* ordered by level: the largest objects first */
	size_t nrows, cap;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool started, stopped;
	unsigned screens; /* drawn */
	int64_t last;	  /* time of the last one */
};

/* ---- objects ---- */

static const struct tv_hardware_object *object_at(const struct tv_watch *watch, unsigned object)
{
	return &watch->sampler->hardware.object[object];
}

static bool contains(const struct tv_hardware_object *outer, const struct tv_hardware_object *inner)
{
	unsigned k = 0;

	for (unsigned i = 0; i < inner->npus; i++) {
		while (k < outer->npus && outer->pu[k] != inner->pu[i])
			k++;
		if (k == outer->npus)
			return false;
	}
	return true;
}

static uint32_t object_above(const void *context, uint32_t object, const char *level)
{
	const struct tv_watch *watch = context;

	for (unsigned i = 0; i < watch->sampler->hardware.n; i++)
		if (tv_hardware_matches(object_at(watch, i), level)
		    && contains(object_at(watch, i), object_at(watch, object)))
			return i;
	return UINT32_MAX;
}

static int64_t object_index(const void *context, uint32_t object)
{
	return object_at(context, object)->logical;
}

/* ---- rows ---- */

static bool is_before(const struct tv_watch *watch, const struct row *a, const struct row *b)
{
	const struct tv_hardware_object *x = object_at(watch, a->first);
	const struct tv_hardware_object *y = object_at(watch, b->first);

	if (x->npus != y->npus)
		return x->npus > y->npus;
	return x->depth < y->depth;
}

/* Objects of a level follow each other in the hardware. */
static struct row new_row(const struct tv_watch *watch, unsigned object, const char *name,
			  const char *unit)
{
	const struct tv_hardware *hardware = &watch->sampler->hardware;
	const char *level = hardware->object[object].level;
	struct row row = { .name = tv_strdup(name), .unit = tv_strdup(unit), .first = object };
	unsigned end = object + 1;

	while (row.first > 0 && strcmp(hardware->object[row.first - 1].level, level) == 0)
		row.first--;
	while (end < hardware->n && strcmp(hardware->object[end].level, level) == 0)
		end++;
	row.n = end - row.first;
	row.value = tv_alloc(row.n, sizeof *row.value);
	row.has = tv_alloc(row.n, sizeof *row.has);
	for (unsigned i = 0; i < row.n; i++) {
		row.value[i] = NAN;
		row.has[i] = false;
	}
	row.max = strcmp(unit, "%") == 0 ? 100 : 0;
	return row;
}

static void set_value(struct tv_watch *watch, unsigned object, const char *name, const char *unit,
		      double value)
{
	struct row *row = watch->row, added;
	size_t i = 0;

	while (i < watch->nrows
	       && (object < row[i].first || object - row[i].first >= row[i].n
		   || strcmp(row[i].name, name) != 0 || strcmp(row[i].unit, unit) != 0))
		i++;
	if (i == watch->nrows) {
		TV_GROW(watch->row, watch->nrows, watch->cap, 1);
		added = new_row(watch, object, name, unit);
		for (; i > 0 && is_before(watch, &added, &watch->row[i - 1]); i--)
			watch->row[i] = watch->row[i - 1];
		watch->row[i] = added;
		watch->nrows++;
	}
	row = &watch->row[i];
	row->has[object - row->first] = true;
	row->value[object - row->first] = value;
	row->min = fmin(row->min, value);
	row->max = fmax(row->max, value);
}

static void emit(void *context, const struct tv_monitor *monitor, const char *name, uint32_t object,
		 int64_t start, int64_t end, double value)
{
	(void)monitor;
	(void)start;
	(void)end;
	set_value(context, object, name, "", value);
}

/* Time per time is a percentage; other counters are per second. */
static void add_event(struct tv_watch *watch, const struct tv_source_event *event, unsigned object,
		      int64_t interval, double value)
{
	bool is_time = strcmp(event->unit, "ns") == 0, is_count = strcmp(event->unit, "1") == 0;
	char *unit;

	if (!event->counter) {
		set_value(watch, object, event->name, is_count ? "" : event->unit, value);
		return;
	}
	value = interval > 0 ? value / (double)interval * (is_time ? 100 : SECOND_NS) : NAN;
	unit = is_time ? tv_strdup("%") : tv_format("%s/s", is_count ? "" : event->unit);
	set_value(watch, object, event->name, unit, value);
	tv_free(unit);
}

static void add_reading(void *context, unsigned monitor, unsigned object, int64_t start,
			int64_t end, const double *value)
{
	struct tv_watch *watch = context;
	const struct tv_sampler_monitor *m = &watch->sampler->monitor[monitor];
	bool any = false;

	for (unsigned k = 0; k < m->nevents; k++) {
		any |= !isnan(value[k]);
		if (m->described == TV_LOG_MONITOR_NONE)
			add_event(watch, &m->event[k], object, end - start, value[k]);
	}
	if (any && watch->run != NULL && m->described < watch->described->n
	    && watch->described->monitor[m->described].width == m->nevents)
		tv_monitor_add(watch->run, (uint32_t)m->described, object, start, end, value);
}

/* ---- the screen ---- */

/* Home, the text with the rest of each line cleared, and the rest of the screen cleared. */
static void write_screen(const char *text, bool first)
{
	size_t n = strlen(text), used = 0, lines = 0;
	char *out;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	out = tv_alloc(n + 3 * lines + 16, 1);
	for (const char *c = first ? "\033[2J\033[H" : "\033[H"; *c != '\0'; c++)
		out[used++] = *c;
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			for (const char *c = "\033[K"; *c != '\0'; c++)
				out[used++] = *c;
		out[used++] = text[i];
	}
	for (const char *c = "\033[J"; *c != '\0'; c++)
		out[used++] = *c;
	for (size_t at = 0; at < used;) {
		ssize_t written = write(STDERR_FILENO, out + at, used - at);

		if (written < 0 && errno != EINTR)
			break;
		at += written > 0 ? (size_t)written : 0;
	}
	tv_free(out);
}

static void draw(struct tv_watch *watch, const struct tv_live_state *state)
{
	struct tv_watch_row *row = tv_alloc(watch->nrows, sizeof *row);
	const struct tv_watch_screen screen = {
		.seconds = (double)(state->now - state->begin) / SECOND_NS,
		.ticks = state->ticks,
		.missed = state->missed,
		.row = row,
		.nrows = watch->nrows,
	};
	const char *no_color = getenv("NO_COLOR");
	struct winsize size = { 0 };
	char *text;

	for (size_t i = 0; i < watch->nrows; i++) {
		const struct row *from = &watch->row[i];

		row[i] = (struct tv_watch_row){ .level = object_at(watch, from->first)->level,
						.name = from->name,
						.unit = from->unit,
						.value = from->value,
						.has = from->has,
						.n = from->n,
						.min = from->min,
						.max = from->max };
	}
	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	text = tv_watch_render(&screen, size.ws_col > 0 ? size.ws_col : TV_WATCH_WIDTH,
			       size.ws_row > 1 ? size.ws_row - 1u : 0,
			       no_color == NULL || no_color[0] == '\0');
	write_screen(text, watch->screens == 0);
	watch->screens++;
	watch->last = state->now;
	tv_free(text);
	tv_free(row);
}

/* One screen, if a sample has come since the one before. */
static void refresh(struct tv_watch *watch)
{
	struct tv_live_state state;

	for (size_t i = 0; i < watch->nrows; i++)
		for (unsigned k = 0; k < watch->row[i].n; k++)
			watch->row[i].value[k] = NAN;
	if (!tv_live_view(watch->live, &state, add_reading, watch))
		return;
	if (watch->run != NULL)
		tv_monitor_tick(watch->run, emit, watch);
	draw(watch, &state);
}

static void *draw_screens(void *arg)
{
	struct tv_watch *watch = arg;
	bool stopped;

	do {
		int64_t next = tv_log_now() + SCREEN_NS;
		const struct timespec at = { next / SECOND_NS, next % SECOND_NS };
		int rc = 0;

		refresh(watch);
		pthread_mutex_lock(&watch->lock);
		while (!watch->stopped && rc == 0)
			rc = pthread_cond_timedwait(&watch->stop, &watch->lock, &at);
		stopped = watch->stopped;
		pthread_mutex_unlock(&watch->lock);
	} while (!stopped);
	/* A short time says little, but of a short run it is all. */
	if (watch->screens < 2 || tv_log_now() - watch->last >= SCREEN_NS / 2)
		refresh(watch);
	return NULL;
}

struct tv_watch *tv_watch_new(struct tv_sampler *sampler, const struct tv_monitors *described)
{
	struct tv_watch *watch = tv_alloc(1, sizeof *watch);
	pthread_condattr_t monotonic;

	*watch = (struct tv_watch){ .sampler = sampler, .described = described };
	watch->machine = (struct tv_monitor_machine){ object_above, object_index, watch };
	if (described->n > 0)
		watch->run = tv_monitor_run_new(described, &watch->machine);
	watch->live = tv_live_new(sampler);
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->stop, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return watch;
}

int tv_watch_start(struct tv_watch *watch, struct tv_error *err)
{
	int rc = pthread_create(&watch->thread, NULL, draw_screens, watch);

	watch->started = rc == 0;
	return rc == 0 ? 0 : tv_fail(err, "--watch: cannot start a thread: %s", strerror(rc));
}

void tv_watch_end(struct tv_watch *watch)
{
	if (watch == NULL)
		return;
	if (watch->started) {
		pthread_mutex_lock(&watch->lock);
		watch->stopped = true;
		pthread_cond_broadcast(&watch->stop);
		pthread_mutex_unlock(&watch->lock);
		pthread_join(watch->thread, NULL);
	}
	for (size_t i = 0; i < watch->nrows; i++) {
		tv_free(watch->row[i].name);
		tv_free(watch->row[i].unit);
		tv_free(watch->row[i].value);
		tv_free(watch->row[i].has);
	}
	tv_free(watch->row);
	tv_monitor_run_free(watch->run);
	pthread_cond_destroy(&watch->stop);
	pthread_mutex_destroy(&watch->lock);
	tv_free(watch);
}
