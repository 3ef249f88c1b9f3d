/* SPDX-License-Identifier: GPL-3.0-or-later */
/* case.c -- what the rules of findings share. */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/idle.h"
#include "analysis/core/last.h"
#include "analysis/core/overlaps.h"
#include "analysis/diagnose/evidence.h"
#include "analysis/calls/thread_time.h"
#include "dag/idle.h"
#include "trace/accesses.h"
#include "trace/timings.h"

/* Whether a task excludes others on a datum. */
static bool excludes(const struct tv_tasks *tasks, uint32_t row, uint32_t datum)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	uint32_t n, nmodes;
	const uint32_t *handle = tv_list(tv_table_find(table, "Handles"), row, &n);
	const uint32_t *mode = tv_list(tv_table_find(table, "Modes"), row, &nmodes);

	for (uint32_t i = 0; i < n && i < nmodes; i++)
		if (handle[i] == datum && tv_mode_commutes(tv_pool_text(tasks->pool, mode[i])))
			return true;
	return false;
}

/* Whether such tasks of a node ran at the same time, for 1 % of their time: they wait for each other inside. */
static bool ran_together(const struct tv_tasks *tasks, uint32_t node, uint32_t datum)
{
	struct tv_span *span = tv_alloc(tasks->ncounted, sizeof *span);
	tv_int128 sum = 0;
	int64_t covered;
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->workers[tasks->worker[row]].node == node
		    && excludes(tasks, row, datum)) {
			span[n] = (struct tv_span){ tasks->start[row], tasks->end[row] };
			sum += span[n].end - span[n].begin;
			n++;
		}
	covered = tv_spans_cover(span, n, (struct tv_span){ tasks->begin, tasks->finish });
	tv_free(span);
	return covered < sum - sum / 100;
}

/* Fills in how long the tasks of the run exclude each other on one datum. */
static void find_exclusive(struct tv_case *c)
{
	const struct tv_table *table = &c->run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles"),
			       *modes = tv_table_find(table, "Modes");
	const struct tv_tasks *tasks = c->tasks;
	struct tv_map sum_of = { 0 }; /* by datum and node: place in sum */
	tv_int128 *sum = NULL;
	size_t n = 0, cap = 0;
	uint32_t node = 0;

	for (uint32_t row = 0; handles != NULL && modes != NULL && row < tasks->n; row++) {
		uint32_t nhandles, nmodes;
		const uint32_t *handle, *mode;

		if (!tasks->leads[row])
			continue;
		handle = tv_list(handles, row, &nhandles);
		mode = tv_list(modes, row, &nmodes);
		for (uint32_t i = 0; i < nhandles && i < nmodes; i++) {
			uint32_t *at;

			if (!tv_mode_commutes(tv_pool_text(tasks->pool, mode[i])))
				continue;
			at = tv_map_at(&sum_of, handle[i], tasks->workers[tasks->worker[row]].node);
			if (*at == TV_NONE) {
				TV_GROW(sum, n, cap, 1);
				sum[n] = 0;
				*at = (uint32_t)n++;
			}
			sum[*at] += tv_task_time(tasks, row);
			if (sum[*at] > c->exclusive) {
				c->exclusive = tv_sum_ns(sum[*at]);
				c->datum = handle[i];
				c->excluded = tasks->value[row];
				node = tasks->workers[tasks->worker[row]].node;
			}
		}
	}
	tv_map_release(&sum_of);
	tv_free(sum);
	/* Then nothing bounds the run. */
	if (c->exclusive > 0 && ran_together(tasks, node, c->datum))
		c->exclusive = 0;
}

/* The largest sum of the times of tasks of one worker, ns. */
static int64_t busiest(const struct tv_tasks *tasks)
{
	tv_int128 *sum = tv_alloc(tasks->nworkers, sizeof *sum), most = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			tv_int128 *of = &sum[tasks->worker[row]];

			*of += tv_row_time(tasks, row);
			most = *of > most ? *of : most;
		}
	tv_free(sum);
	return tv_sum_ns(most);
}

/* Whether workers are none, as most of them run several tasks at once, and whether they mostly wait for what the trace does not
 * show: none works half of the time, all together less than a tenth, and no chain, message, call or submission explains that. */
static void find_strange(struct tv_case *c)
{
	enum { TENTH = 10 };
	const struct tv_account *account = &c->account;
	tv_int128 work = 0, overlap = 0;

	for (uint32_t r = 0; r < account->ntypes; r++) {
		work += account->type[r].work;
		overlap += account->type[r].overlap;
	}
	overlap = overlap < 0 ? -overlap : overlap;
	if (overlap > work / TENTH) {
		struct tv_overlaps overlaps;

		tv_overlaps_init(&overlaps, c->tasks);
		c->overlapping = overlaps.nworkers;
		c->overlaps = 2 * (uint64_t)overlaps.nworkers >= c->tasks->nworkers ? overlaps.n
										    : 0;
		tv_overlaps_release(&overlaps);
	}
	c->in_tasks = account->makespan <= 0 ? 1
					     : (double)(work - overlap) / c->tasks->nworkers
						       / (double)account->makespan;
	c->events = c->in_tasks * TENTH < 1 && c->best < account->makespan / TENTH
		 && busiest(c->tasks) < account->makespan / 2 && c->tasks->submit == NULL
		 && tv_run_threads(c->run)->n == 0 && c->run->trace->table[TV_LINKS].nrows == 0
		 && (1 - c->in_tasks) * (double)account->makespan * c->tasks->nworkers
			    > (double)c->tasks->nexecutions * TV_OVERHEAD_MAX;
}

static bool is_cause(const struct tv_account_row *row, enum tv_idle_cause cause)
{
	return strcmp(row->cause, tv_idle_cause_name(cause)) == 0;
}

/* Where neither dependencies nor times of submission are known, every task seems ready from the start: what workers waited for is not
 * known then, but the data of their tasks and calls. */
static void forget_causes(struct tv_case *c)
{
	struct tv_account_row *row = c->account.row, **sum; /* by type */
	size_t n = 0;

	sum = tv_alloc(c->account.ntypes, sizeof(struct tv_account_row *));
	for (size_t i = 0; i < c->account.n; i++) {
		struct tv_account_row **to = &sum[row[i].type];

		if (row[i].part != TV_ACCOUNT_IDLE || is_cause(&row[i], TV_IDLE_IN_MPI_CALL)
		    || is_cause(&row[i], TV_IDLE_IN_LOOP) || is_cause(&row[i], TV_IDLE_DATA)
		    || is_cause(&row[i], TV_IDLE_DRAIN)) {
			row[n++] = row[i];
		} else if (*to == NULL) {
			*to = &row[n++];
			**to = row[i];
			(*to)->cause = tv_idle_cause_name(TV_IDLE_UNEXPLAINED);
			(*to)->blame = NULL;
		} else {
			(*to)->worker += row[i].worker;
			(*to)->exact += row[i].exact;
			(*to)->time += row[i].time;
		}
	}
	c->account.n = n;
	tv_free(sum);
}

/* Whether no task depends on one of another node, nor on a message. */
static bool are_untied(const struct tv_tasks *tasks, const struct tv_dag *dag)
{
	for (uint32_t v = 0; v < dag->n; v++) {
		if (tv_dag_is_message(dag, v))
			return false;
		for (uint32_t i = dag->first[v]; i < dag->first[v + 1] && dag->task[v]; i++)
			if (dag->task[dag->pred[i]]
			    && tasks->workers[tasks->worker[dag->row[v]]].node
				       != tasks->workers[tasks->worker[dag->row[dag->pred[i]]]]
						  .node)
				return false;
	}
	return true;
}

static bool depends_on(const struct tv_dag *dag, uint32_t v, uint32_t on)
{
	for (uint32_t i = dag->first[v]; i < dag->first[v + 1]; i++)
		if (dag->pred[i] == on)
			return true;
	return false;
}

/* Whether a node depends on a wait of what creates tasks. */
static bool follows_wait(const struct tv_dag *dag, uint32_t v)
{
	for (uint32_t i = dag->first[v]; i < dag->first[v + 1]; i++)
		if (dag->awaited[dag->pred[i]] && !dag->task[dag->pred[i]])
			return true;
	return false;
}

bool tv_depend_on_waits(const struct tv_dag *dag)
{
	for (uint32_t v = 0; dag->awaited != NULL && v < dag->n; v++)
		if (dag->task[v] && follows_wait(dag, v))
			return true;
	return false;
}

/* Whether most tasks of the longest chain need the one before only because the program waited for all tasks between them. */
static bool is_chain_of_waits(const struct tv_case *c, const struct tv_dag *dag)
{
	const struct tv_longest *chain = &c->longest;
	uint32_t n = 0;

	if (dag->awaited == NULL || chain->n < 2 || chain->placed <= c->account.area)
		return false;
	for (uint32_t i = 1; i < chain->n; i++)
		n += !depends_on(dag, chain->node[i], chain->node[i - 1])
		  && follows_wait(dag, chain->node[i]);
	return 2 * n >= chain->n - 1 && tv_case_barriers(c).n >= n;
}

/* Why workers were idle. */
static int find_idle(struct tv_case *c, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);
	bool known;
	size_t n;

	if (dag == NULL)
		return -1;
	c->untied = c->tasks->nnodes > 1 && dag->nedges > 0 && are_untied(c->tasks, dag);
	c->apart = c->untied && tv_meta_get(c->run->trace, "StarPU", &n) != NULL;
	known = tv_is_ready_known(dag) && !c->apart;
	if (!known)
		forget_causes(c);
	/* Workers of another rank may wait for messages. */
	return c->apart ? 0 : tv_absences_init(&c->absences, c->run, &c->account, known, err);
}

/* Of a run without tasks: how long its threads would take if their work was divided evenly. */
static void init_threads(struct tv_case *c)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	tv_int128 useful = 0;

	for (uint32_t i = 0; i < threads->n; i++)
		useful += threads->at[i].useful;
	c->account.makespan = tv_threads_length(threads);
	c->account.area = threads->n == 0 ? 0 : tv_sum_ns(useful / threads->n);
	c->account.cpe = c->account.tight = -1;
	c->best = c->forced = c->account.area;
	c->min_ns = c->account.makespan / 100;
}

/* In loops no tasks run, whatever their schedule. OpenMP has one type of workers. */
static void add_loops(struct tv_case *c)
{
	int64_t with = c->account.area + c->loops.inside / c->tasks->nworkers;

	c->looped = c->from == NULL && c->account.ntypes == 1 && with > c->forced
		 && with <= c->account.makespan && with - c->account.area >= c->min_ns;
	if (c->looped)
		c->forced = with;
}

int tv_case_init(struct tv_case *c, struct tv_run *run, const char *trace, const char *from,
		 struct tv_error *err)
{
	TV_STAGE("account", NULL);

	*c = (struct tv_case){ .run = run,
			       .tasks = &run->tasks,
			       .trace = trace,
			       .from = from,
			       .full = TV_NONE,
			       .last = TV_NONE,
			       .late_starts = TV_UNKNOWN };
	c->shared = tv_processors(c->tasks) > 0 && tv_processors(c->tasks) < c->tasks->nworkers;
	if (c->tasks->ncounted == 0) {
		if (from != NULL)
			return tv_fail(err, "--durations-from has no effect: the trace has no task "
					    "that ran");
		init_threads(c);
		tv_case_find_transfer(c);
		tv_case_read_clocks(c);
		tv_case_find_preempted(c);
		return 0;
	}
	if (tv_account_init(&c->account, run, "mean", from, false, err) < 0
	    || tv_run_longest(&c->longest, run, from != NULL ? &c->account.rule : NULL, err) < 0)
		return -1;
	c->class = tv_case_classes(run, err);
	if (c->class == NULL || find_idle(c, err) < 0)
		return -1;
	find_exclusive(c);
	c->min_ns = c->account.makespan / 100;
	tv_case_read_clocks(c);
	tv_case_find_preempted(c);
	c->best = c->account.area;
	/* Chains would have tasks in them of which only a part is shown. */
	c->waits_bind = is_chain_of_waits(c, c->run->dag);
	if (!tv_tasks_cut(c->tasks)) {
		if (c->longest.placed > c->best && !c->waits_bind)
			c->best = c->longest.placed;
		c->best = c->exclusive > c->best ? c->exclusive : c->best;
		/* Where it matters, and the same worker does not make a task longer than another one would. */
		if (from == NULL && !c->waits_bind && c->account.makespan - c->best >= c->min_ns
		    && memchr(c->class, TV_LATENESS_SLOW_WORKER, c->tasks->n) == NULL
		    && tv_run_forced(run, &c->forced, err) < 0)
			return -1;
	}
	c->forced = c->forced > c->best ? c->forced : c->best;
	find_strange(c);
	c->lacks_parts = tv_trace_lacks_parts(run->trace);
	if (c->from == NULL && !tv_tasks_cut(c->tasks) && c->longest.recorded > c->account.makespan)
		c->early = tv_run_early(c->run, c->run->dag)->n;
	tv_case_find_outside(c);
	tv_case_find_loops(c);
	add_loops(c);
	return 0;
}

void tv_case_release(struct tv_case *c)
{
	tv_account_release(&c->account);
	tv_free(c->clocked_on);
	tv_free(c->transfer.at);
	tv_absences_release(&c->absences);
	tv_urgency_release(c);
}

/* Whether a value of a key of meta has a word in it. */
static bool meta_has(const struct tv_trace *trace, const char *key, const char *word)
{
	bool found = false;
	uint32_t row = 0;
	const char *at;
	size_t n;

	while (!found && (at = tv_meta_next(trace, key, &row, &n)) != NULL) {
		char *text = tv_strndup(at, n);

		found = word == NULL || strstr(text, word) != NULL;
		tv_free(text);
	}
	return found;
}

unsigned tv_case_runtimes(const struct tv_case *c)
{
	const struct tv_trace *trace = c->run->trace;
	unsigned runtimes = 0;

	if (meta_has(trace, "Producer", "StarPU") || meta_has(trace, "Runtime", "StarPU")
	    || meta_has(trace, "StarPU", NULL))
		runtimes |= TV_STARPU;
	if (meta_has(trace, "Runtime", "OMP") || meta_has(trace, "OMP_NUM_THREADS", NULL))
		runtimes |= TV_OPENMP;
	for (uint32_t i = 0; runtimes == 0 && i < tv_run_threads(c->run)->n; i++)
		runtimes |= tv_run_threads(c->run)->at[i].openmp ? TV_OPENMP : 0;
	if (tv_run_threads(c->run)->nranks > 0)
		runtimes |= TV_MPI;
	if (meta_has(trace, "OMP_PLACES", NULL) || meta_has(trace, "GOMP_CPU_AFFINITY", NULL)
	    || (meta_has(trace, "OMP_PROC_BIND", NULL)
		&& !meta_has(trace, "OMP_PROC_BIND", "false")))
		runtimes |= TV_THREADS_BOUND;
	return runtimes;
}

static bool fits(const char *wanted, const char *is)
{
	return wanted == NULL || (is != NULL && strcmp(wanted, is) == 0);
}

void tv_case_sum(const struct tv_case *c, enum tv_account_part part, const char *cause,
		 const char *blame, uint32_t type, int64_t *time_ns, int64_t *worker_ns)
{
	tv_int128 worker = 0;

	*time_ns = 0;
	for (size_t i = 0; i < c->account.n; i++) {
		const struct tv_account_row *row = &c->account.row[i];

		if (row->part != part || !fits(cause, row->cause) || !fits(blame, row->blame)
		    || (type != TV_NONE && row->type != type))
			continue;
		*time_ns += row->time;
		worker += row->worker;
	}
	*worker_ns = tv_sum_ns(worker);
}

double tv_case_mean(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t n = tasks->nexecutions - tasks->ncut;
	tv_int128 work = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_task_ended(tasks, row))
			work += tv_row_time(tasks, row);
	return n == 0 ? 0 : (double)work / n;
}

/* Whether waits for messages are idle time of the cause runtime, as the trace has none between its nodes. */
bool tv_case_lacks_messages(const struct tv_case *c)
{
	struct tv_error unused;
	const struct tv_run_idle *idle = c->tasks->nnodes < 2 ? NULL : tv_run_idle(c->run, &unused);

	return idle != NULL && idle->waits.message == NULL;
}

int64_t tv_case_reordering(const struct tv_case *c)
{
	/* Of one type of workers the first one does not count, where messages are known the last one. */
	static const char *const causes[] = { "unsuited", "dependencies", "elsewhere", "drain",
					      "runtime" };
	size_t n = TV_COUNT(causes) - !tv_case_lacks_messages(c);
	double above = (double)c->account.makespan - fmax(c->account.placement, (double)c->forced);
	int64_t sum = 0;

	for (size_t i = c->account.ntypes < 2; i < n; i++) {
		int64_t time, unused;

		tv_case_sum(c, TV_ACCOUNT_IDLE, causes[i], NULL, TV_NONE, &time, &unused);
		sum += time;
	}
	return above <= 0 ? 0 : (double)sum < above ? sum : (int64_t)above;
}

uint32_t tv_type_with_most(const struct tv_tasks *tasks, const int64_t *weight, tv_int128 *most)
{
	struct tv_map place = { 0 };
	tv_int128 *sum = tv_alloc(tasks->n, sizeof *sum);
	uint32_t n = 0, type = TV_NONE;

	*most = 0;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *at;

		if (weight[row] == 0)
			continue;
		at = tv_map_at(&place, tasks->value[row], 0);
		if (*at == TV_NONE)
			*at = n++;
		sum[*at] += weight[row];
		if (sum[*at] > *most) {
			*most = sum[*at];
			type = tasks->value[row];
		}
	}
	tv_map_release(&place);
	tv_free(sum);
	return type;
}

uint32_t tv_case_workers(const struct tv_case *c, uint32_t node, double *price, double *most)
{
	uint32_t n = 0;

	*price = *most = 0;
	for (uint32_t w = 0; w < c->tasks->nworkers; w++) {
		const struct tv_worker *worker = &c->tasks->workers[w];
		double of = c->account.type[worker->rtype].price;

		if (c->tasks->node[worker->node].label != node)
			continue;
		n++;
		*price += of;
		*most = of > *most ? of : *most;
	}
	return n;
}

uint32_t tv_case_peers(const struct tv_case *c, uint32_t worker)
{
	const struct tv_worker *workers = c->tasks->workers, *on = &workers[worker];
	uint32_t n = 0;

	for (uint32_t w = 0; w < c->tasks->nworkers; w++)
		n += workers[w].rtype == on->rtype && workers[w].node == on->node;
	return n;
}
