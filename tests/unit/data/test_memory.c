/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_memory.c -- presence of data, used memory, transfers and their waits against brute force. */
#include <math.h>
#include <stdio.h>

#include "analysis/data/presence.h"
#include "analysis/data/transfer_list.h"
#include "dag/blame.h"
#include "tests/unit/sample.h"

enum { MS = 1000000, ROUNDS = 1500 };

/* Worker C0 of memory node 0 runs from 0 to 100 ms; G0 is of memory node 1. */
#define HEAD  "ResourceId,Value,Start,End,JobId,Kind,Node,Handles,DependsOn,SubmitTime\n"
#define TASKS HEAD "C0,a,0,100,1,app,0,,,\nG0,b,0,1,2,app,0,,,\n"

static void add_resources(struct sample *s)
{
	static const struct {
		const char *name, *type;
		int64_t memory;
	} resource[] = { { "C0", "CPU", 0 },
			 { "G0", "CUDA", 1 },
			 { "MEMMANAGER0", "MEMMANAGER", 0 },
			 { "MEMMANAGER1", "MEMMANAGER", 1 },
			 { "MEMMANAGER2", "MEMMANAGER", 2 } };

	for (size_t i = 0; i < TV_COUNT(resource); i++) {
		sample_memory(s, resource[i].name, "0", resource[i].memory);
		sample_text(s, TV_RESOURCES, (uint32_t)i, "ResourceType", resource[i].type);
	}
	tv_table_finish(&s->trace.table[TV_RESOURCES]);
}

/* An event about memory; handle NULL, numbers below 0: none. */
static void add_event(struct sample *s, int memory, const char *type, const char *handle,
		      int64_t time, int64_t size, int64_t info)
{
	struct tv_table *events = &s->trace.table[TV_EVENTS];
	uint32_t row = tv_table_add_row(events);
	bool valued = strncmp(type, "data ", 5) == 0;
	char name[32];

	snprintf(name, sizeof name, memory < 0 ? "program" : "MEMMANAGER%d", memory);
	sample_text(s, TV_EVENTS, row, "ResourceId", name);
	sample_text(s, TV_EVENTS, row, "Type", type);
	sample_number(s, TV_EVENTS, row, "Time", time);
	if (handle != NULL)
		sample_text(s, TV_EVENTS, row, valued ? "Value" : "Handle", handle);
	if (size >= 0)
		sample_number(s, TV_EVENTS, row, "Size", size);
	if (info >= 0 || info == -12)
		sample_number(s, TV_EVENTS, row, "Info", info);
}

static void add_handle(struct sample *s, const char *handle, int64_t size, int64_t home)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_HANDLES]);

	sample_text(s, TV_HANDLES, row, "Handle", handle);
	sample_text(s, TV_HANDLES, row, "Node", "0");
	sample_number(s, TV_HANDLES, row, "HomeNode", home);
	sample_number(s, TV_HANDLES, row, "Size", size);
}

static void add_transfer(struct sample *s, const char *key, int from, int to, const char *handle,
			 int64_t start, int64_t end, int64_t size)
{
	uint32_t row = s->trace.table[TV_LINKS].nrows;
	char name[2][32];

	snprintf(name[0], sizeof name[0], "MEMMANAGER%d", from);
	snprintf(name[1], sizeof name[1], "MEMMANAGER%d", to);
	sample_message(s, key, name[0], name[1], start, end, size);
	sample_text(s, TV_LINKS, row, "Type", "Intra-node data Fetch");
	if (handle != NULL)
		sample_text(s, TV_LINKS, row, "Handle", handle);
	tv_table_finish(&s->trace.table[TV_LINKS]);
}

static void finish(struct sample *s)
{
	tv_table_finish(&s->trace.table[TV_EVENTS]);
	tv_table_finish(&s->trace.table[TV_HANDLES]);
}

static void warns(const struct sample *s, const char *text)
{
	for (size_t i = 0; i < s->run.diagnostics.n; i++)
		if (strstr(s->run.diagnostics.at[i].text, text) != NULL)
			return;
	fail_msg("no warning '%s'", text);
}

/* ---- presence and memory against a replay ---- */

enum { LENGTH = 40, EVENTS = 60, HANDLES = 3, MEMORIES = 3, LIVES = 40 };
enum what { REGISTER, UNREGISTER, INVALID, OWNER, SHARED, ALLOCATE, FREE, NWHATS };

struct event {
	int time, handle, memory, size;
	enum what what;
};

struct world {
	struct event event[EVENTS];
	int nevents;
	int home[HANDLES][LIVES], size[HANDLES][LIVES]; /* of each life */
	int nlives[HANDLES], nstates[HANDLES][LIVES];
};

/* What is so from `t` to `t` + 1. */
struct instant {
	enum what state[HANDLES][MEMORIES]; /* INVALID = not there */
	int life[HANDLES];		    /* -1 = none yet */
	bool alive[HANDLES];
	int allocated[MEMORIES];
};

static const char *const handle_name[HANDLES] = { "a0", "b0", "c0" };

/* Applies one event; of a life that no registration begins, too. */
static void replay(struct world *w, struct instant *now, const struct event *e, bool count)
{
	int h = e->handle;

	if (e->what == ALLOCATE)
		now->allocated[e->memory] += e->size;
	if (e->what == FREE)
		now->allocated[e->memory] = now->allocated[e->memory] > e->size
						  ? now->allocated[e->memory] - e->size
						  : 0;
	if (e->what >= ALLOCATE)
		return;
	if (e->what == REGISTER || (e->what != UNREGISTER && !now->alive[h])) {
		now->life[h]++;
		now->alive[h] = true;
		for (int m = 0; m < MEMORIES; m++)
			now->state[h][m] = INVALID;
		if (e->what == REGISTER && w->home[h][now->life[h]] >= 0)
			now->state[h][w->home[h][now->life[h]]] = OWNER;
	}
	if (e->what == UNREGISTER) {
		now->alive[h] = false;
		for (int m = 0; m < MEMORIES; m++)
			now->state[h][m] = INVALID;
	}
	if (e->what >= INVALID) {
		now->state[h][e->memory] = e->what;
		if (count)
			w->nstates[h][now->life[h]]++;
	}
}

static struct instant begin_of_time(void)
{
	struct instant now;

	memset(&now, 0, sizeof now);
	for (int h = 0; h < HANDLES; h++) {
		now.life[h] = -1;
		for (int m = 0; m < MEMORIES; m++)
			now.state[h][m] = INVALID;
	}
	return now;
}

static struct instant at_time(struct world *w, int t)
{
	struct instant now = begin_of_time();

	for (int i = 0; i < w->nevents && w->event[i].time <= t; i++)
		replay(w, &now, &w->event[i], false);
	return now;
}

static void make_world(struct world *w, uint64_t *seed)
{
	struct instant now = begin_of_time();
	int time = 0;

	memset(w, 0, sizeof *w);
	w->nevents = 1 + (int)unit_random(seed, EVENTS);
	for (int i = 0; i < w->nevents; i++) {
		time += unit_random(seed, 3) == 0 && time < LENGTH - 1;
		w->event[i] = (struct event){ time, (int)unit_random(seed, HANDLES),
					      (int)unit_random(seed, MEMORIES),
					      (int)unit_random(seed, 100),
					      (enum what)unit_random(seed, NWHATS) };
	}
	for (int h = 0; h < HANDLES; h++)
		for (int k = 0; k < LIVES; k++) {
			w->home[h][k] = (int)unit_random(seed, MEMORIES + 1) - 1;
			w->size[h][k] = (int)unit_random(seed, 1000);
		}
	for (int i = 0; i < w->nevents; i++)
		replay(w, &now, &w->event[i], true);
	for (int h = 0; h < HANDLES; h++)
		w->nlives[h] = now.life[h] + 1;
}

static void make_trace(struct sample *s, const struct world *w)
{
	static const char *const type[] = { "data registration",  "data unregistration",
					    "data state invalid", "data state owner",
					    "data state shared",  "Allocating End",
					    "Free Start" };

	sample_make(s, TASKS);
	add_resources(s);
	for (int i = 0; i < w->nevents; i++) {
		const struct event *e = &w->event[i];
		bool life = e->what <= UNREGISTER;

		add_event(s, life ? -1 : e->memory, type[e->what], handle_name[e->handle],
			  e->time * MS, e->what == FREE ? e->size : -1,
			  e->what == ALLOCATE ? e->size : -1);
	}
	for (int k = 0; k < LIVES; k++)
		for (int h = 0; h < HANDLES; h++)
			if (k < w->nlives[h])
				add_handle(s, handle_name[h], w->size[h][k], w->home[h][k]);
	finish(s);
}

static void check_presences(const struct sample *s, struct world *w,
			    const struct tv_presences *presences)
{
	const struct tv_memories *memories = tv_run_memories((struct tv_run *)&s->run);

	for (int t = 0; t < LENGTH; t++) {
		struct instant now = at_time(w, t);

		for (int h = 0; h < HANDLES; h++)
			for (int m = 0; m < MEMORIES; m++) {
				enum what found = INVALID;

				for (uint32_t i = 0; i < presences->n; i++) {
					const struct tv_presence *p = &presences->at[i];
					const struct tv_handle *handle =
						&presences->handle[p->handle];

					if (strcmp(tv_pool_text(s->trace.pool, handle->label),
						   handle_name[h])
						    != 0
					    || memories->at[p->memory].number != m
					    || p->start > t * MS || p->end <= t * MS)
						continue;
					assert_int_equal(found, INVALID); /* no two overlap */
					found = p->state == TV_STATE_OWNER ? OWNER : SHARED;
					assert_int_equal(handle->size, w->size[h][now.life[h]]);
				}
				assert_int_equal(found, now.state[h][m]);
			}
	}
}

/* The value of a curve of a memory node at t ms; 0 outside of it. */
static double value_at(const struct tv_table *table, const char *curve, int memory, int t)
{
	char by[32];
	double value = 0;

	snprintf(by, sizeof by, "MEMMANAGER%d", memory);
	for (uint32_t row = 0; row < table->nrows; row++)
		if (strcmp(tv_table_text(table, "Curve", row), curve) == 0
		    && strcmp(tv_table_text(table, "By", row), by) == 0
		    && tv_table_find(table, "Start")->i[row] <= t * MS
		    && tv_table_find(table, "End")->i[row] > t * MS)
			value = tv_table_find(table, "Value")->d[row];
	return value * 1048576;
}

static void check_memory(struct sample *s, struct world *w)
{
	const struct tv_table *table = tv_run_pass_with(&s->run, "memory", &s->err, "from",
							"events", NULL);
	bool allocations = false, states = false;

	for (int i = 0; i < w->nevents; i++) {
		allocations |= w->event[i].what == FREE
			    || (w->event[i].what == ALLOCATE && w->event[i].size > 0);
		states |= w->event[i].what >= INVALID && w->event[i].what <= SHARED;
	}
	if (table == NULL) {
		assert_false(allocations);
		return;
	}
	for (int t = 0; t < LENGTH; t++) {
		struct instant now = at_time(w, t);

		for (int m = 0; m < MEMORIES; m++) {
			double resident = 0;

			for (int h = 0; h < HANDLES; h++)
				if (now.state[h][m] != INVALID && w->nstates[h][now.life[h]] > 0)
					resident += w->size[h][now.life[h]];
			if (states)
				assert_true(value_at(table, "resident", m, t) == resident);
			assert_true(value_at(table, "used", m, t)
				    == (allocations ? now.allocated[m] : resident));
		}
	}
	for (uint32_t row = 0; row < table->nrows; row++)
		assert_true(tv_table_find(table, "Value")->d[row] >= 0);
}

/* What residency shows at t, without the states of the registration alone. */
static void check_residency(struct sample *s, struct world *w, int t)
{
	struct instant now = at_time(w, t);
	uint32_t n = 0;
	char at[16];
	const struct tv_table *table;

	snprintf(at, sizeof at, "%d", t);
	table = tv_run_pass_with(&s->run, "residency", &s->err, "at", at, NULL);
	assert_non_null(table);
	for (int h = 0; h < HANDLES; h++)
		for (int m = 0; m < MEMORIES; m++)
			n += now.state[h][m] != INVALID;
	assert_int_equal(table->nrows, n);
	for (uint32_t row = 0; row < table->nrows; row++) {
		int h = tv_table_text(table, "Handle", row)[0] - 'a';
		int64_t m = tv_table_find(table, "MemoryNode")->i[row];

		assert_string_equal(tv_table_text(table, "State", row),
				    now.state[h][m] == OWNER ? "owner" : "shared");
		assert_int_equal(tv_table_find(table, "Size")->i[row], w->size[h][now.life[h]]);
	}
}

/* How long each handle is where from `begin` to `end`, as handles --summary has it; lives of one
 * address add up. */
static void check_sums(struct sample *s, struct world *w, int begin, int end)
{
	const struct tv_table *table = tv_run_pass_with(&s->run, "handles", &s->err, "summary", "",
							NULL);
	int64_t got[HANDLES][MEMORIES] = { 0 }, want[HANDLES][MEMORIES] = { 0 };

	assert_non_null(table);
	for (uint32_t row = 0; row < table->nrows; row++)
		got[tv_table_text(table, "Handle", row)[0] - 'a']
		   [tv_table_find(table, "MemoryNode")->i[row]] +=
			tv_table_find(table, "Time")->i[row];
	for (int t = begin; t < end; t++) {
		struct instant now = at_time(w, t);

		for (int h = 0; h < HANDLES; h++)
			for (int m = 0; m < MEMORIES; m++)
				want[h][m] += (now.state[h][m] != INVALID) * MS;
	}
	assert_memory_equal(got, want, sizeof got);
}

static void replayed(void **state)
{
	uint64_t seed = unit_seed(20261123);
	uint64_t found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const struct tv_presences *presences;
		struct world w;
		struct sample s;

		make_world(&w, &seed);
		make_trace(&s, &w);
		presences = tv_run_presences(&s.run);
		check_presences(&s, &w, presences);
		check_memory(&s, &w);
		found += presences->n;
		if (presences->n > 0) {
			check_residency(&s, &w, (int)unit_random(&seed, LENGTH));
			check_sums(&s, &w, 0, 100); /* the run */
			sample_release(&s);
			make_trace(&s, &w);
			s.run.window = (struct tv_window){ true, 5 * MS, 12 * MS };
			check_sums(&s, &w, 5, 12);
		}
		sample_release(&s);
	}
	assert_true(found > ROUNDS);
}

/* ---- which tasks use the data of a transfer ---- */

enum { USERS = 8, MOVES = 6 };

static void used_by(void **state)
{
	uint64_t seed = unit_seed(20261124);
	int found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char csv[2048], name[32], got[64], want[64];
		int start[USERS], user_handle[USERS], n = (int)unit_random(&seed, USERS) + 1;
		int begin[MOVES], end[MOVES], to[MOVES], handle[MOVES];
		int nmoves = (int)unit_random(&seed, MOVES) + 1;
		int gone = (int)unit_random(&seed, 2 * LENGTH); /* of handle 0 */
		size_t at = (size_t)snprintf(csv, sizeof csv, HEAD);
		const struct tv_table *table;
		struct sample s;

		for (int i = 0; i < n; i++) {
			start[i] = (int)unit_random(&seed, LENGTH);
			user_handle[i] = (int)unit_random(&seed, 2);
			/* G0 and C0 in turn; each runs several tasks at once, which is allowed */
			at += (size_t)snprintf(csv + at, sizeof csv - at,
					       "%s,t,%d,%d,%d,app,0,%s,,\n", i % 2 ? "G0" : "C0",
					       start[i], start[i] + 1, i,
					       handle_name[user_handle[i]]);
		}
		sample_make(&s, csv);
		add_resources(&s);
		for (int i = 0; i < nmoves; i++) {
			begin[i] = (int)unit_random(&seed, LENGTH);
			end[i] = begin[i] + (int)unit_random(&seed, 5);
			to[i] = (int)unit_random(&seed, 2);
			handle[i] = (int)unit_random(&seed, 2);
			snprintf(name, sizeof name, "k%d", i);
			add_transfer(&s, name, 1 - to[i], to[i], handle_name[handle[i]],
				     begin[i] * MS, end[i] * MS, 10);
		}
		add_event(&s, -1, "data unregistration", handle_name[0], gone * MS, -1, -1);
		finish(&s);
		table = tv_run_pass_with(&s.run, "transfers", &s.err, NULL);
		assert_non_null(table);
		assert_int_equal(table->nrows, nmoves);
		for (uint32_t row = 0; row < table->nrows; row++) {
			int m = atoi(tv_table_text(table, "Key", row) + 1), first = -1, tasks = 0;

			for (int i = 0; i < n; i++) {
				bool uses = i % 2 == to[m] && user_handle[i] == handle[m]
					 && start[i] >= end[m]
					 && (handle[m] != 0 || gone < end[m] || start[i] < gone);

				/* no other transfer ended since then: of equal ends the later one */
				for (int k = 0; k < nmoves; k++)
					if (k != m && to[k] == to[m] && handle[k] == handle[m]
					    && end[k] <= start[i]
					    && (end[k] > end[m]
						|| (end[k] == end[m]
						    && (begin[k] > begin[m]
							|| (begin[k] == begin[m] && k > m)))))
						uses = false;
				tasks += uses;
				if (uses && (first < 0 || start[i] < start[first]))
					first = i;
			}
			assert_int_equal(tv_table_find(table, "Tasks")->i[row], tasks);
			found += tasks;
			if (first < 0)
				continue;
			snprintf(want, sizeof want, "%d.000000", start[first]);
			tv_cell_text(tv_table_find(table, "TaskStart"), row, got, sizeof got);
			assert_string_equal(got, want);
		}
		sample_release(&s);
	}
	assert_true(found > ROUNDS / 2);
}

/* ---- waits ---- */

enum { FETCHES = 6, SPAN = 20 };

static void take(void *to, size_t slice, uint32_t worker, uint32_t link, int64_t time)
{
	int64_t(*sum)[FETCHES + 1] = to;

	assert_int_equal(worker, 3);
	assert_true(time > 0);
	sum[slice][link == TV_NONE ? FETCHES : link] += time;
}

/* Each instant is blamed on the transfer under way that ends last, of equal ones the last link. */
static void blamed(void **state)
{
	uint64_t seed = unit_seed(20261125);

	(void)state;
	for (int round = 0; round < 10 * ROUNDS; round++) {
		struct tv_fetch fetch[FETCHES];
		struct tv_fetches fetches = { fetch, 1 + unit_random(&seed, FETCHES), 0 };
		struct tv_idle_span span = { .worker = 3, .row = 7 };
		struct tv_idle_spans spans = { .data = { &span, 1, 1 } };
		int64_t got[2][FETCHES + 1] = { 0 }, want[2][FETCHES + 1] = { 0 }, at = 0;
		int64_t begin = (int64_t)unit_random(&seed, SPAN);
		int64_t middle = begin + 1 + (int64_t)unit_random(&seed, SPAN / 2);
		int64_t end = middle + 1 + (int64_t)unit_random(&seed, SPAN / 2);

		for (uint32_t i = 0; i < fetches.n; i++) {
			at += (int64_t)unit_random(&seed, 4); /* sorted by begin */
			fetch[i] = (struct tv_fetch){ 7, i, at,
						      at + 1 + (int64_t)unit_random(&seed, 9) };
			if (i > 0 && fetch[i].begin == fetch[i - 1].begin
			    && fetch[i].end < fetch[i - 1].end)
				fetch[i].end = fetch[i - 1].end;
			if (unit_random(&seed, 5) == 0)
				fetch[i].link = TV_NONE;
		}
		span.begin = (int64_t)unit_random(&seed, SPAN);
		span.end = span.begin + (int64_t)unit_random(&seed, SPAN);
		for (int64_t t = begin; t < end; t++) {
			uint32_t best = FETCHES;

			for (uint32_t i = 0; i < fetches.n; i++)
				if (fetch[i].link != TV_NONE && fetch[i].begin <= t
				    && t < fetch[i].end
				    && (best == FETCHES || fetch[i].end >= fetch[best].end))
					best = i;
			want[t >= middle][best] += t >= span.begin && t < span.end;
		}
		tv_blame_data(&fetches, &spans, (const int64_t[]){ begin, middle, end }, 2, take,
			      got);
		for (int i = 0; i <= FETCHES; i++) {
			assert_int_equal(got[0][i], want[0][i]);
			assert_int_equal(got[1][i], want[1][i]);
		}
	}
}

/* ---- choosing handles, tasks of an instant ---- */

/* ---- allocations ---- */

/* ---- what contradicts, what is missing ---- */

static void contradictions(void **state)
{
	struct sample s;

	(void)state;
	sample_make(&s, TASKS);
	assert_null(tv_run_some_transfers(&s.run, "verb", &s.err));
	assert_non_null(
		strstr(s.err.text, "verb: the trace has no transfers between memory nodes"));
	assert_null(tv_run_pass_with(&s.run, "memory", &s.err, NULL));
	assert_non_null(strstr(s.err.text, "memory: the trace has neither variables"));
	sample_release(&s);
	sample_make(&s, TASKS);
	add_transfer(&s, "com_1", 0, 1, "a0", 5 * MS, 4 * MS, 1);
	assert_int_equal(tv_run_some_transfers(&s.run, "verb", &s.err)->at[0].end, 5 * MS);
	warns(&s, "1 of 1 transfers end before they start");
	sample_release(&s);
	sample_make(&s, TASKS);
	add_transfer(&s, "com_1", 0, 1, "a0", 5 * MS, 6 * MS, -1);
	assert_null(tv_run_transfers(&s.run, &s.err));
	assert_string_equal(s.err.text, "links, row 1: Size -1, expected 0 or more bytes");
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replayed),
		cmocka_unit_test(used_by),
		cmocka_unit_test(blamed),
		cmocka_unit_test(contradictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
