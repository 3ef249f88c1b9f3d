/* SPDX-License-Identifier: GPL-3.0-or-later */
/* absent.c -- workers that run nothing at the begin, at the end or in all of the run. */
#include "analysis/bounds/absent.h"

#include <stdlib.h>

#include "analysis/core/idle.h"
#include "analysis/core/statistics.h"
#include "sim/model/simulator.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

const char *const tv_absence_word[] = {
	[TV_ABSENT_LATE] = "late",
	[TV_ABSENT_LEFT] = "left",
	[TV_ABSENT_UNUSED] = "unused",
};
_Static_assert(TV_COUNT(tv_absence_word) == TV_NABSENCES, "a word for each");

/* Of a worker. */
struct presence {
	uint32_t first_row;  /* TV_NONE = it ran nothing */
	int64_t first, last; /* of what it ran, ns */
	int64_t start, end;  /* of resources; INT64_MIN = not given */
	struct window {
		int64_t begin, end; /* it ran nothing; empty = that is too short */
		int64_t runtime, elsewhere;
		tv_int128
			others; /* idle time of those of its type and node that have no such time, ns */
	} of[TV_NABSENCES];
};

struct search {
	const struct tv_tasks *tasks;
	int64_t makespan, mean;
	bool known;
	bool cut; /* what workers run before, between and after these tasks is not known */
	struct presence *worker;
	uint32_t ngroups; /* pairs of node and type of workers, and types */
	uint32_t *ran;	  /* by group: workers that ran something */
	uint32_t *
		others; /* by kind and group, first TV_ABSENT_LATE: of them, those without such a time */
};

static uint32_t group_of(const struct tv_tasks *tasks, uint32_t w)
{
	return tasks->workers[w].node * tasks->nrtypes + tasks->workers[w].rtype;
}

/* The workers of its type on all nodes. */
static uint32_t type_group_of(const struct tv_tasks *tasks, uint32_t w)
{
	return tasks->nnodes * tasks->nrtypes + tasks->workers[w].rtype;
}

/* The group whose workers without such a time a worker is compared with, after set_windows: where all of its type and node begin
 * late, those of all nodes. */
static uint32_t compared_with(const struct search *s, uint32_t w, enum tv_absence kind)
{
	uint32_t group = group_of(s->tasks, w);

	return kind == TV_ABSENT_LATE && s->others[group] == 0 ? type_group_of(s->tasks, w) : group;
}

static int64_t length_of(const struct window *window)
{
	return window->end - window->begin;
}

/* ---- when workers run nothing ---- */

/* First and last times, and the mean duration of tasks. */
static void find_tasks(struct search *s)
{
	const struct tv_tasks *tasks = s->tasks;
	tv_int128 work = 0;
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct presence *p;

		if (!tasks->executed[row])
			continue;
		p = &s->worker[tasks->worker[row]];
		if (p->first_row == TV_NONE)
			p->last = tasks->end[row];
		if (p->first_row == TV_NONE || tasks->start[row] < p->first) {
			p->first = tasks->start[row];
			p->first_row = row;
		}
		p->last = p->last > tasks->end[row] ? p->last : tasks->end[row];
		if (tasks->counted[row]) {
			work += tasks->end[row] - tasks->start[row];
			n++;
		}
	}
	s->mean = n == 0 ? 0 : (int64_t)(work / n);
}

/* Start and End in resources. */
static void find_given(struct search *s)
{
	const struct tv_table *table = &s->tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");
	struct tv_index of = { 0 };

	if (id == NULL || (start == NULL && end == NULL))
		return;
	for (uint32_t w = 0; w < s->tasks->nworkers; w++)
		tv_index_set(&of, s->tasks->workers[w].resource, w);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t w = tv_index_get(&of, tv_label(id, row));

		if (w == TV_NONE)
			continue;
		if (start != NULL && !tv_missing(start, row))
			s->worker[w].start = start->i[row];
		if (end != NULL && !tv_missing(end, row))
			s->worker[w].end = end->i[row];
	}
	tv_free(of.at);
}

/* The times in which a worker runs nothing, if they are long enough to ask what waited. False = there are none. */
static bool set_windows(struct search *s, uint32_t w)
{
	const struct tv_tasks *tasks = s->tasks;
	struct presence *p = &s->worker[w];
	uint32_t group = group_of(tasks, w);
	/* To have left is more than to end up to two tasks before the last worker, unless resources say so. */
	int64_t least = s->makespan / 20 > 2 * s->mean ? s->makespan / 20 : 2 * s->mean;

	if (p->first_row == TV_NONE) {
		p->of[TV_ABSENT_UNUSED].begin = tasks->begin;
		p->of[TV_ABSENT_UNUSED].end = tasks->finish;
		return true;
	}
	s->ran[group]++;
	if (p->first - tasks->begin >= s->makespan / 50 && tasks->counted[p->first_row]) {
		p->of[TV_ABSENT_LATE].begin = tasks->begin;
		p->of[TV_ABSENT_LATE].end = p->first;
	}
	if (tasks->finish - p->last >= (p->end != INT64_MIN ? s->makespan / 50 : least)
	    && !tv_tasks_cut(tasks)) {
		p->of[TV_ABSENT_LEFT].begin = p->last > tasks->begin ? p->last : tasks->begin;
		p->of[TV_ABSENT_LEFT].end = tasks->finish;
	}
	for (int kind = 0; kind < TV_NABSENCES; kind++)
		s->others[(size_t)kind * s->ngroups + group] += length_of(&p->of[kind]) == 0;
	s->others[type_group_of(tasks, w)] += length_of(&p->of[TV_ABSENT_LATE]) == 0;
	return length_of(&p->of[TV_ABSENT_LATE]) > 0 || length_of(&p->of[TV_ABSENT_LEFT]) > 0;
}

/* ---- what waited then ---- */

static void sweep(struct search *s, const struct tv_run_idle *idle)
{
	uint32_t n = s->tasks->nworkers;
	struct tv_idle_mark *mark = tv_alloc(2 * (size_t)TV_NABSENCES * n, sizeof *mark);
	size_t marks = 0;

	for (uint32_t w = 0; w < n; w++)
		for (uint32_t kind = 0; kind < TV_NABSENCES; kind++) {
			const struct window *window = &s->worker[w].of[kind];

			if (length_of(window) == 0)
				continue;
			mark[marks++] = (struct tv_idle_mark){ window->begin, w, 2 * kind, { 0 } };
			mark[marks++] = (struct tv_idle_mark){
				window->end, w, 2 * kind + 1, { 0 }
			};
		}
	tv_sort_by_time(mark, marks, sizeof *mark, offsetof(struct tv_idle_mark, time), NULL);
	tv_idle_until(&idle->waits, &idle->fetches, mark, marks);
	for (size_t i = 0; i < marks; i++) {
		struct window *window = &s->worker[mark[i].worker].of[mark[i].of / 2];
		const int64_t *of = mark[i].sum;
		int sign = mark[i].of % 2 == 1 ? 1 : -1;

		window->runtime += sign * of[TV_IDLE_RUNTIME];
		/* Without dependencies there is only the latter. */
		window->elsewhere += sign * (of[TV_IDLE_ELSEWHERE] + of[TV_IDLE_UNEXPLAINED]);
	}
	tv_free(mark);
}

/* ---- what the others did meanwhile ---- */

/* How long the others of a kind and group were busy before an instant: count * time - begins. */
struct instant {
	uint32_t of; /* kind x group */
	uint32_t worker;
	int64_t time;
	bool is_end; /* of the worker's window */
	tv_int128 count, begins;
};

TV_ORDER(by_instant, struct instant, of, time, worker, is_end)

struct instants {
	struct instant *at;
	size_t n;
	uint32_t *first; /* by kind and group */
};

static void add_instants(const struct search *s, struct instants *instants)
{
	uint32_t n = s->tasks->nworkers;

	instants->at = tv_alloc(2 * (size_t)TV_NABSENCES * n, sizeof *instants->at);
	for (uint32_t w = 0; w < n; w++)
		for (uint32_t kind = 0; kind < TV_NABSENCES; kind++) {
			const struct window *window = &s->worker[w].of[kind];
			uint32_t of = kind * s->ngroups + compared_with(s, w, kind);

			if (length_of(window) == 0)
				continue;
			instants->at[instants->n++] = (struct instant){ of,    w, window->begin,
									false, 0, 0 };
			instants->at[instants->n++] = (struct instant){ of,   w, window->end,
									true, 0, 0 };
		}
	qsort(instants->at, instants->n, sizeof *instants->at, by_instant);
	instants->first = tv_alloc((size_t)TV_NABSENCES * s->ngroups + 1, sizeof *instants->first);
	for (size_t i = 0; i < instants->n; i++)
		instants->first[instants->at[i].of + 1]++;
	for (uint32_t of = 0; of < TV_NABSENCES * s->ngroups; of++)
		instants->first[of + 1] += instants->first[of];
}

/* The time since `from` counts, or no more, at all later instants of that kind and group. */
static void count_from(struct instants *instants, uint32_t of, int64_t from, int sign)
{
	uint32_t last = instants->first[of + 1], i;

	TV_LOWER_BOUND(i, instants->first[of], last, instants->at[i].time <= from);
	if (i < last) {
		instants->at[i].count += sign;
		instants->at[i].begins += sign * (tv_int128)from;
	}
}

/* A worker was busy; adds it to what is known of the others of those that have such a time. */
static void add_busy(const struct search *s, struct instants *instants, uint32_t w, int64_t begin,
		     int64_t end)
{
	for (uint32_t kind = 0; kind < TV_NABSENCES && begin < end; kind++) {
		uint32_t of = kind * s->ngroups + group_of(s->tasks, w);

		if (length_of(&s->worker[w].of[kind]) > 0)
			continue;
		count_from(instants, of, begin, 1);
		count_from(instants, of, end, -1);
		if (kind == TV_ABSENT_LATE) {
			count_from(instants, type_group_of(s->tasks, w), begin, 1);
			count_from(instants, type_group_of(s->tasks, w), end, -1);
		}
	}
}

static void add_executions(const struct search *s, struct instants *instants)
{
	const struct tv_tasks *tasks = s->tasks;
	struct tv_groups executions;

	tv_tasks_by_start(tasks, tasks->executed, &executions);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		int64_t begin = tasks->begin, end = begin; /* of those that touch */

		for (uint32_t i = executions.first[w]; i < executions.first[w + 1]; i++) {
			uint32_t row = executions.row[i];

			if (tasks->start[row] > end) {
				add_busy(s, instants, w, begin, end);
				begin = tasks->start[row];
			}
			end = tasks->end[row] > end ? tasks->end[row] : end;
		}
		add_busy(s, instants, w, begin, end);
	}
	tv_groups_release(&executions);
}

static void find_others(struct search *s)
{
	struct instants instants = { 0 };

	add_instants(s, &instants);
	add_executions(s, &instants);
	for (size_t i = 0; i < instants.n; i++) {
		struct instant *at = &instants.at[i];
		struct window *window = &s->worker[at->worker].of[at->of / s->ngroups];
		tv_int128 idle;

		if (i > instants.first[at->of]) {
			at->count += at[-1].count;
			at->begins += at[-1].begins;
		}
		idle = (tv_int128)s->others[at->of] * at->time
		     - (at->count * at->time - at->begins);
		window->others += at->is_end ? idle : -idle;
	}
	tv_free(instants.at);
	tv_free(instants.first);
}

/* ---- who is absent ---- */

/* Whether the others of its type and node ran tasks for that share of the time. */
static bool others_work(const struct search *s, uint32_t w, enum tv_absence kind, double share)
{
	const struct window *window = &s->worker[w].of[kind];
	uint32_t n = s->others[(size_t)kind * s->ngroups + compared_with(s, w, kind)];

	return n > 0 && (double)window->others <= (1 - share) * n * (double)length_of(window);
}

/* Whether resources say that the worker is not there. */
static bool is_given(const struct search *s, uint32_t w, enum tv_absence kind)
{
	const struct presence *p = &s->worker[w];
	const struct window *window = &p->of[kind];
	int64_t tenth = length_of(window) / 10;

	if (kind == TV_ABSENT_LATE ? p->start < window->end - tenth || p->start == INT64_MIN
				   : p->end > window->begin + tenth || p->end == INT64_MIN)
		return false;
	return s->known ? window->runtime + window->elsewhere >= tenth
			: others_work(s, w, kind, 0.8);
}

/* How long the first task of a worker waited for it, ns. */
static int64_t own_wait(const struct search *s, const struct tv_run_idle *idle, uint32_t w)
{
	const struct presence *p = &s->worker[w];
	int64_t released = idle->waits.released[p->first_row];

	released = released > s->tasks->begin ? released : s->tasks->begin;
	return p->first > released ? p->first - released : 0;
}

static bool is_late(const struct search *s, const struct tv_run_idle *idle, uint32_t w)
{
	const struct window *window = &s->worker[w].of[TV_ABSENT_LATE];
	int64_t length = length_of(window), own;

	if (length == 0 || is_given(s, w, TV_ABSENT_LATE))
		return length > 0;
	if (s->cut)
		return false;
	own = own_wait(s, idle, w);
	/* A task that starts once it is ready says nothing of the worker: its order may be fixed. */
	return s->known && window->runtime + window->elsewhere >= length / 2
	    && (own >= length / 50 || own > s->mean / 10)
	    && (s->tasks->submit != NULL || others_work(s, w, TV_ABSENT_LATE, 0.9));
}

static bool has_left(const struct search *s, uint32_t w)
{
	const struct window *window = &s->worker[w].of[TV_ABSENT_LEFT];
	int64_t length = length_of(window);
	/* Tasks that seem ready may not have been submitted. */
	double share = s->tasks->submit != NULL ? 0.5 : 0.9;

	return s->known && !s->cut && length >= s->makespan / 20 && length >= 2 * s->mean
	    && (double)window->elsewhere >= share * (double)length
	    && s->others[(size_t)TV_ABSENT_LEFT * s->ngroups + group_of(s->tasks, w)] > 1
	    && others_work(s, w, TV_ABSENT_LEFT, share);
}

/* Whether a quarter of the executions that start in a group after an instant are of types that those of it that may have left ran, too: a worker whose
 * types have no more tasks, as of a stage of a pipeline, has not left. Cost O(rows). */
static bool same_types_go_on(const struct search *s, uint32_t group, int64_t since)
{
	const struct tv_tasks *tasks = s->tasks;
	struct tv_map types = { 0 };
	uint32_t same = 0, n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && group_of(tasks, tasks->worker[row]) == group
		    && has_left(s, tasks->worker[row]))
			tv_map_put(&types, tasks->value[row], 0, 0);
	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->executed[row] || tasks->start[row] < since
		    || group_of(tasks, tasks->worker[row]) != group)
			continue;
		n++;
		same += tv_map_get(&types, tasks->value[row], 0) != NULL;
	}
	tv_map_release(&types);
	return 4 * (uint64_t)same >= n;
}

/* Marks those of a group that left at about the same time, if these are no more than half of it. */
static void mark_left(const struct search *s, uint32_t group, uint8_t *is)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	uint32_t n = 0;

	for (uint32_t w = 0; w < s->tasks->nworkers; w++) {
		if (group_of(s->tasks, w) != group || !has_left(s, w))
			continue;
		n++;
		first = s->worker[w].last < first ? s->worker[w].last : first;
		last = s->worker[w].last > last ? s->worker[w].last : last;
	}
	if (n == 0 || 2 * n > s->ran[group] || last - first > 2 * s->mean + s->makespan / 100
	    || !same_types_go_on(s, group, last))
		return;
	for (uint32_t w = 0; w < s->tasks->nworkers; w++)
		if (group_of(s->tasks, w) == group && has_left(s, w))
			is[w] |= 1 << TV_ABSENT_LEFT;
}

static void add(struct tv_idle_sum *sum, int64_t ns, double price)
{
	sum->worker += ns;
	sum->time += price * (double)ns;
}

static void add_absent(const struct search *s, const struct tv_account *account, uint32_t w,
		       enum tv_absence kind, struct tv_absences *absences)
{
	const struct presence *p = &s->worker[w];
	struct tv_absent *absent = &absences->of[kind];
	uint32_t rtype = s->tasks->workers[w].rtype;
	double price = account->type[rtype].price;
	int64_t at = (kind == TV_ABSENT_LATE ? p->first : p->last) - s->tasks->begin;

	absent->rtype = absent->n == 0 || absent->rtype == rtype ? rtype : TV_NONE;
	absent->n++;
	absent->whole = (absent->n == 1 || absent->whole) && s->tasks->submit == NULL
		     && compared_with(s, w, kind) != group_of(s->tasks, w);
	absent->last = at > absent->last ? at : absent->last;
	add(&absent->runtime, p->of[kind].runtime, price);
	add(&absent->elsewhere, p->of[kind].elsewhere, price);
}

/* Tasks that nothing says when they were submitted are simulated from 0 on. */
static void keep_presence(const struct search *s, struct tv_absences *absences)
{
	int64_t zero = s->tasks->submit == NULL ? s->tasks->begin : tv_simulator_zero(s->tasks);

	absences->present = tv_alloc(s->tasks->nworkers, sizeof *absences->present);
	for (uint32_t w = 0; w < s->tasks->nworkers; w++)
		absences->present[w] = (struct tv_sim_presence){ s->worker[w].first - zero,
								 s->worker[w].last - zero };
}

/* How many workers there are of the types of those that are absent. */
static void count_all(const struct tv_tasks *tasks, struct tv_absences *absences)
{
	for (int kind = 0; kind < TV_NABSENCES; kind++) {
		struct tv_absent *absent = &absences->of[kind];

		for (uint32_t w = 0; w < tasks->nworkers && absent->n > 0; w++)
			absent->of += absent->rtype == TV_NONE
				   || tasks->workers[w].rtype == absent->rtype;
	}
}

struct tv_idle_sum tv_absent_idle(const struct tv_absent *absent)
{
	return (struct tv_idle_sum){ absent->runtime.worker + absent->elsewhere.worker,
				     absent->runtime.time + absent->elsewhere.time };
}

/* Of what is no finding other findings keep the time. */
static void forget(struct tv_absences *absences, uint32_t nworkers, enum tv_absence kind)
{
	absences->of[kind] = (struct tv_absent){ 0 };
	if (kind == TV_ABSENT_LATE)
		absences->own = 0;
	for (uint32_t w = 0; w < nworkers; w++)
		absences->is[w] &= (uint8_t) ~(1U << kind);
}

static void judge(const struct search *s, const struct tv_run_idle *idle,
		  const struct tv_account *account, struct tv_absences *absences)
{
	uint32_t n = s->tasks->nworkers;

	absences->is = tv_alloc(n, sizeof *absences->is);
	for (uint32_t group = 0; group < s->ngroups; group++)
		mark_left(s, group, absences->is);
	for (uint32_t w = 0; w < n; w++) {
		const struct presence *p = &s->worker[w];
		uint8_t *is = &absences->is[w];

		if (is_late(s, idle, w))
			*is |= 1 << TV_ABSENT_LATE;
		if (length_of(&p->of[TV_ABSENT_LEFT]) > 0 && is_given(s, w, TV_ABSENT_LEFT))
			*is |= 1 << TV_ABSENT_LEFT;
		if (p->first_row == TV_NONE && !s->cut
		    && others_work(s, w, TV_ABSENT_UNUSED, s->known ? 2.0 / 3 : 0.9))
			*is |= 1 << TV_ABSENT_UNUSED;
		for (int kind = 0; kind < TV_NABSENCES; kind++)
			if (*is >> kind & 1)
				add_absent(s, account, w, kind, absences);
		absences->own += *is >> TV_ABSENT_LATE & 1 ? own_wait(s, idle, w) : 0;
	}
	for (int kind = 0; kind < TV_NABSENCES; kind++)
		if (tv_absent_idle(&absences->of[kind]).time < (double)s->makespan / 100)
			forget(absences, n, kind);
	keep_presence(s, absences);
	count_all(s->tasks, absences);
}

int tv_absences_init(struct tv_absences *absences, struct tv_run *run,
		     const struct tv_account *account, bool known, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct search s = { .tasks = tasks,
			    .makespan = account->makespan,
			    .ngroups = (tasks->nnodes + 1) * tasks->nrtypes };
	const struct tv_run_idle *idle = tv_run_idle(run, err);
	size_t length;
	bool some = false;

	*absences = (struct tv_absences){ 0 };
	if (idle == NULL)
		return -1;
	s.known = known && tv_waits_known(&idle->waits);
	absences->known = s.known;
	s.cut = tv_meta_get(run->trace, TV_META_LEFT_OUT, &length) != NULL;
	s.worker = tv_alloc(tasks->nworkers, sizeof *s.worker);
	s.ran = tv_alloc(s.ngroups, sizeof *s.ran);
	s.others = tv_alloc((size_t)TV_NABSENCES * s.ngroups, sizeof *s.others);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		s.worker[w] = (struct presence){ .first_row = TV_NONE,
						 .start = INT64_MIN,
						 .end = INT64_MIN };
	find_tasks(&s);
	find_given(&s);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		some |= set_windows(&s, w);
	if (some && s.makespan > 0) {
		sweep(&s, idle);
		find_others(&s);
		judge(&s, idle, account, absences);
	}
	tv_free(s.worker);
	tv_free(s.ran);
	tv_free(s.others);
	return 0;
}

bool tv_is_ready_known(const struct tv_dag *dag)
{
	return dag->nedges > 0 || dag->nexclusions > 0 || dag->tasks->submit != NULL;
}

int tv_absences_of_run(struct tv_absences *absences, struct tv_run *run, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(run, err);
	struct tv_account account = { 0 };
	int rc = dag == NULL ? -1 : tv_account_init(&account, run, "mean", NULL, false, err);

	*absences = (struct tv_absences){ 0 };
	if (rc == 0)
		rc = tv_absences_init(absences, run, &account, tv_is_ready_known(dag), err);
	tv_account_release(&account);
	return rc;
}

void tv_absences_release(struct tv_absences *absences)
{
	tv_free(absences->is);
	tv_free(absences->present);
}

struct tv_sim_presence *tv_absences_present(const struct tv_absences *absences, uint32_t nworkers,
					    unsigned kinds)
{
	struct tv_sim_presence *present;

	if (absences->is == NULL)
		return NULL;
	present = tv_alloc(nworkers, sizeof *present);
	for (uint32_t w = 0; w < nworkers; w++) {
		unsigned is = absences->is[w] & kinds;

		present[w] = (struct tv_sim_presence){
			is >> TV_ABSENT_LATE & 1 ? absences->present[w].begin : 0,
			is >> TV_ABSENT_UNUSED & 1 ? 0
			: is >> TV_ABSENT_LEFT & 1 ? absences->present[w].end
						   : INT64_MAX,
		};
	}
	return present;
}
