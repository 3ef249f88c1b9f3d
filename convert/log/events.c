/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c -- every event: what the program says, counters, and whose the others are. */
#include "convert/log/raw.h"

#include "trace/alloc.h"
#include "trace/cpuset.h"

/* Of OMPT. */
enum { CANCEL_DISCARDED = 0x40, THREAD_WORKER = 2, THREAD_OTHER = 3 };

static void cancel(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 0));

	if (node != TV_NONE && (tv_raw_arg(event, 1) & CANCEL_DISCARDED))
		log->node[node].cancelled = true;
}

/* ---- what the program says, and counters ---- */

static void user_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	static const unsigned args[] = { 0, 1, 2, 0, 0 };
	uint32_t node = tv_raw_top(log, thread), handle;
	size_t n;
	const char *text = tv_raw_text(event, args[event->kind - TV_LOG_USER_NAME], &n);
	struct tv_pool *pool = log->run->trace->pool;
	bool in_task = node != TV_NONE && log->node[node].kind == TV_RAW_EXPLICIT;
	uint64_t bits;

	switch (event->kind) {
	case TV_LOG_USER_NAME:
		if (in_task && n > 0)
			log->node[node].name = tv_intern(pool, text, n);
		break;
	case TV_LOG_USER_NUMBER:
		if (!in_task || n == 0)
			break;
		TV_GROW(log->number, log->nnumbers, log->numbers_cap, 1);
		log->number[log->nnumbers] = (struct tv_raw_number){ tv_intern(pool, text, n),
								     log->node[node].numbers, 0 };
		bits = tv_raw_arg(event, 0);
		memcpy(&log->number[log->nnumbers].value, &bits, sizeof bits);
		log->node[node].numbers = (uint32_t)log->nnumbers++;
		break;
	case TV_LOG_USER_DATA:
		handle = tv_raw_handle(log, tv_raw_arg(event, 0));
		if (tv_raw_arg(event, 1) <= INT64_MAX)
			log->handle[handle].size = (int64_t)tv_raw_arg(event, 1);
		if (n > 0)
			log->handle[handle].name = tv_intern(pool, text, n);
		break;
	case TV_LOG_USER_PHASE_BEGIN:
		tv_raw_add_event_row(log, thread, event->time, "start_", text, n);
		break;
	default:
		tv_raw_add_event_row(log, thread, event->time, "stop_", text, n);
	}
}

static void declare_counter(struct tv_raw_log *log, uint32_t thread,
			    const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	uint64_t index = tv_raw_arg(event, 0);
	uint32_t name, number;
	size_t n;
	const char *text = tv_raw_text(event, 1, &n);

	if (index != t->ncounters || index >= 1000) {
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "counter out of order", event->offset,
			       "counter %llu after %u", (unsigned long long)index, t->ncounters);
		return;
	}
	name = tv_intern(log->run->trace->pool, text, n);
	for (number = 0; number < log->ncounters && log->counter[number].name != name; number++)
		;
	if (number == log->ncounters) {
		TV_GROW(log->counter, log->ncounters, log->counters_cap, 1);
		log->counter[log->ncounters++] = (struct tv_raw_counter){ name, event->code == 1 };
	}
	t->counter = tv_realloc(t->counter, t->ncounters + 1, sizeof *t->counter);
	t->value = tv_realloc(t->value, t->ncounters + 1, sizeof *t->value);
	t->counter[t->ncounters] = number;
	t->value[t->ncounters++] = 0;
}

static void read_counters(struct tv_raw_log *log, struct tv_raw_thread *t,
			  const struct tv_raw_event *event)
{
	for (uint32_t i = 0; i < t->ncounters && i < event->nargs; i++) {
		uint64_t value = tv_raw_arg(event, i), since = value - (uint64_t)t->value[i];

		if (t->late != TV_NONE && i < log->segment[t->late].nvalues
		    && log->counter[t->counter[i]].cumulative) {
			int64_t *sum = &log->value[log->segment[t->late].value + i];

			*sum = (int64_t)((uint64_t)*sum + since);
		}
		t->value[i] = (int64_t)value;
	}
	t->counted = event->time;
	t->unread = false;
	t->late = TV_NONE;
}

void tv_raw_keep_values(struct tv_raw_log *log, const struct tv_raw_thread *t, uint32_t n)
{
	TV_GROW(log->value, log->nvalues, log->values_cap, n);
	for (uint32_t i = 0; i < n; i++)
		log->value[log->nvalues++] = t->value[i];
}

void tv_raw_take_values(struct tv_raw_log *log, const struct tv_raw_thread *t, size_t at,
			uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		int64_t *value = &log->value[at + i];
		bool sum = log->counter[t->counter[i]].cumulative;

		*value = sum ? (int64_t)((uint64_t)t->value[i] - (uint64_t)*value) : t->value[i];
	}
}

/* ---- every event ---- */

static bool is_tag(const char *key)
{
	return strncmp(key, TV_META_TAG, strlen(TV_META_TAG)) == 0;
}

bool tv_raw_has_tag(const struct tv_trace *trace, const char *key, const char *value)
{
	size_t n;
	const char *before = is_tag(key) ? tv_meta_get(trace, key, &n) : NULL;

	return before != NULL && strlen(value) == n && memcmp(before, value, n) == 0;
}

/* Key NUL value. A tag is of the run, and each process has it. */
static void add_meta(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	const char *place = tv_pool_text(log->run->trace->pool, log->place);
	size_t n;
	const char *key = tv_raw_text(event, 0, &n);
	bool several = log->prefix[0] != '\0' && !is_tag(key);
	char *value = tv_strndup(key + n + 1,
				 strnlen(key + n + 1, (size_t)event->nargs * 8 - n - 1));

	if (strcmp(key, "MonitorFile") == 0)
		tv_raw_describe_monitors(log, value);
	if (!tv_raw_has_tag(log->run->trace, key, value))
		tv_meta_add(log->run->trace, key, "%s%s%s", several ? place : "",
			    several ? ": " : "", value);
	tv_free(value);
}

/* The processors on which a thread may run. */
static void read_binding(struct tv_raw_log *log, struct tv_raw_thread *thread,
			 const struct tv_raw_event *event)
{
	struct tv_cpuset set;
	size_t n;
	const char *text = tv_raw_text(event, 0, &n);

	if (tv_cpuset_parse(&set, text, n) < 0)
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "binding that is no list of processors",
			       event->offset, "'%.*s'", n < 100 ? (int)n : 100, text);
	else
		thread->binding = tv_intern(log->run->trace->pool, text, n);
	tv_cpuset_release(&set);
}

static void other_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	const struct tv_raw_entry idle = {
		.node = TV_NONE, .value = "Idle", .object = TV_NONE, .cut = true
	};
	uint32_t handle;

	switch (event->kind) {
	case TV_LOG_META:
		add_meta(log, event);
		break;
	case TV_LOG_GAP:
		if (event->code == 1) {
			TV_GROW(log->pause, log->npauses, log->pauses_cap, 1);
			log->pause[log->npauses++] = event->time;
		} else if (log->npauses > 0) {
			log->nresumed++;
		}
		tv_raw_add_event_row(log, thread, event->time,
				     event->code == 1 ? "start_" : "stop_", "pause", 5);
		break;
	case TV_LOG_BINDING:
		read_binding(log, t, event);
		break;
	case TV_LOG_COUNTER:
		declare_counter(log, thread, event);
		break;
	case TV_LOG_VALUES:
		read_counters(log, t, event);
		break;
	case TV_LOG_UNREAD:
		t->unread = true;
		break;
	case TV_LOG_PAGE_AT:
		handle = tv_raw_handle(log, tv_raw_arg(event, 0));
		if (tv_raw_arg(event, 1) < UINT16_MAX)
			log->handle[handle].numa = (int64_t)tv_raw_arg(event, 1);
		break;
	case TV_LOG_OMP_SKIPPED:
		if (tv_raw_arg(event, 0) < TV_NONE / 2)
			log->nskipped = (uint32_t)tv_raw_arg(event, 0);
		break;
	case TV_LOG_OMP_THREAD:
		t->helper = event->code == THREAD_OTHER;
		if (event->code == THREAD_WORKER && t->nstack == 0)
			tv_raw_push(log, thread, event->time, &idle);
		break;
	default:
		break;
	}
}

void tv_raw_use(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	if (event->kind != TV_LOG_OMP_DEPENDENCES)
		tv_raw_end_list(log, thread, event->offset);
	tv_raw_forget_attempt(log, thread, event);
	switch (event->kind) {
	case TV_LOG_OMP_CREATE:
		tv_raw_create(log, thread, event);
		break;
	case TV_LOG_OMP_SCHEDULE:
		tv_raw_schedule(log, thread, event);
		break;
	case TV_LOG_OMP_DEPENDENCES:
		tv_raw_dependences(log, thread, event);
		break;
	case TV_LOG_OMP_CANCEL:
		cancel(log, event);
		break;
	case TV_LOG_OMP_PARALLEL_BEGIN:
	case TV_LOG_OMP_PARALLEL_END:
	case TV_LOG_OMP_IMPLICIT_BEGIN:
	case TV_LOG_OMP_IMPLICIT_END:
		tv_raw_region_event(log, thread, event);
		break;
	case TV_LOG_OMP_SYNC_BEGIN:
	case TV_LOG_OMP_SYNC_END:
	case TV_LOG_OMP_WAIT_BEGIN:
	case TV_LOG_OMP_WAIT_END:
		tv_raw_sync_event(log, thread, event);
		break;
	case TV_LOG_OMP_WORK_BEGIN:
	case TV_LOG_OMP_WORK_END:
	case TV_LOG_OMP_MASKED_BEGIN:
	case TV_LOG_OMP_MASKED_END:
	case TV_LOG_OMP_ACQUIRE:
	case TV_LOG_OMP_ACQUIRED:
	case TV_LOG_OMP_RELEASED:
		tv_raw_state_event(log, thread, event);
		break;
	case TV_LOG_MPI_BEGIN:
		tv_raw_begin_call(log, thread, event);
		break;
	case TV_LOG_MPI_END:
		tv_raw_end_call(log, thread, event);
		break;
	case TV_LOG_MONITOR_OBJECT:
	case TV_LOG_MONITOR:
	case TV_LOG_MONITOR_EVENT:
	case TV_LOG_MONITOR_SET:
	case TV_LOG_MONITOR_SAMPLE:
	case TV_LOG_MONITOR_THREAD:
	case TV_LOG_MONITOR_TICK:
		tv_raw_monitor_event(log, event);
		break;
	case TV_LOG_USER_NAME:
	case TV_LOG_USER_NUMBER:
	case TV_LOG_USER_DATA:
	case TV_LOG_USER_PHASE_BEGIN:
	case TV_LOG_USER_PHASE_END:
		user_event(log, thread, event);
		break;
	default:
		if (event->kind >= TV_LOG_STARPU_CLOCK)
			tv_raw_starpu_event(log, thread, event);
		else
			other_event(log, thread, event);
	}
}

/* What lasts when the log ends: flags tasks that have not ended. */
void tv_raw_end_all(struct tv_raw_log *log)
{
	size_t nnodes = log->nnodes;

	for (uint32_t i = 0; i < log->nthreads; i++) {
		struct tv_raw_thread *t = &log->thread[i];
		int64_t end = t->ended || log->lost > 0 ? t->end : log->end;
		size_t nstates = log->nstates;

		tv_raw_end_list(log, i, 0);
		if (t->call != TV_NONE)
			tv_raw_cut_call(log, i, end, !log->finished && !t->ended && log->lost == 0);
		tv_raw_pop_to(log, i, 0, tv_raw_capped(log, i, end > t->now ? end : t->now));
		while (!log->finished && nstates < log->nstates)
			log->state[nstates++].open = true;
	}
	for (uint32_t i = 0; i < nnodes; i++)
		if (log->node[i].detached && log->node[i].completion == TV_NONE) {
			log->node[i].done = false;
			tv_raw_fulfill(log, TV_NONE, i, log->end);
		}
}
