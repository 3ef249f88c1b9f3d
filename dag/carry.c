/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.c -- jobs by their JobId, which are named by what part, and those that are live. */
#include "dag/carry_state.h"

#include <stdio.h>
#include <string.h>

#include "trace/accesses.h"
#include "trace/alloc.h"
#include "trace/messages.h"

enum { DIGITS = 9 /* of the number at the end of a JobId */ };

struct tv_carry *tv_carry_new(bool within)
{
	struct tv_carry *carry = tv_alloc(1, sizeof *carry);

	carry->within = within;
	carry->names = tv_pool_new();
	carry->prefix = tv_intern_text(carry->names, "");
	return carry;
}

bool tv_carry_within(const struct tv_carry *carry)
{
	return carry->within;
}

void tv_carry_free(struct tv_carry *carry)
{
	if (carry == NULL)
		return;
	tv_pool_free(carry->names);
	tv_job_set_release(&carry->here);
	tv_job_set_release(&carry->own);
	tv_map_release(&carry->named);
	tv_map_release(&carry->ahead_at);
	tv_free(carry->ahead);
	tv_free(carry->job);
	tv_map_release(&carry->place);
	tv_free(carry->value);
	tv_free(carry->open);
	tv_free(carry->hold);
	tv_free(carry);
}

/* ---- which jobs there are ---- */

/* How many characters at the end of a text are a number as it is usually written. */
static size_t count_digits(const char *s, size_t n)
{
	size_t digits = 0;

	while (digits < n && digits < DIGITS && s[n - digits - 1] >= '0'
	       && s[n - digits - 1] <= '9')
		digits++;
	while (digits > 1 && s[n - digits] == '0')
		digits--;
	return digits;
}

/* It mostly is that of the last JobId. */
static uint32_t find_prefix(struct tv_carry *carry, const char *s, size_t n)
{
	size_t length;
	const char *last = tv_pool_string(carry->names, carry->prefix, &length);

	if (n != length || memcmp(s, last, n) != 0)
		carry->prefix = tv_intern(carry->names, s, n);
	return carry->prefix;
}

/* A number that no other JobId has: that of the prefix and that at its end. */
static uint64_t key_of(struct tv_carry *carry, const char *s, size_t n)
{
	size_t digits = count_digits(s, n);
	uint64_t number = 0;

	if (digits == 0)
		return (uint64_t)TV_NONE << 32 | tv_intern(carry->names, s, n);
	for (size_t i = n - digits; i < n; i++)
		number = 10 * number + (uint64_t)(s[i] - '0');
	return (uint64_t)find_prefix(carry, s, n - digits) << 32 | number;
}

/* In new memory: *n bytes, and a NUL. */
static char *text_of(const struct tv_carry *carry, uint64_t key, size_t *n)
{
	uint32_t prefix = (uint32_t)(key >> 32), number = (uint32_t)key;
	bool numbered = prefix != TV_NONE;
	const char *name = tv_pool_string(carry->names, numbered ? prefix : number, n);
	char *text = tv_alloc(*n + DIGITS + 2, 1);

	memcpy(text, name, *n);
	if (numbered)
		*n += (size_t)sprintf(text + *n, "%u", number);
	return text;
}

uint32_t tv_carry_label(const struct tv_carry *carry, uint64_t key, struct tv_pool *pool)
{
	size_t n;
	char *text = text_of(carry, key, &n);
	uint32_t label = tv_intern(pool, text, n);

	tv_free(text);
	return label;
}

/* Keys by label of the pool of a part, each found once. */
struct keys {
	struct tv_carry *carry;
	const struct tv_pool *pool;
	uint64_t *of; /* 0 = not yet, else plus 1 */
	bool *here;   /* the part has the job */
};

static uint64_t key_of_label(const struct keys *keys, uint32_t label)
{
	if (keys->of[label] == 0) {
		size_t n;
		const char *text = tv_pool_string(keys->pool, label, &n);

		keys->of[label] = key_of(keys->carry, text, n) + 1;
	}
	return keys->of[label] - 1;
}

uint64_t *tv_job_set_word(struct tv_job_set *set, uint64_t key, bool make)
{
	uint64_t block = key >> TV_JOB_BLOCK_BITS;

	if (block + 1 != set->last_block) {
		uint32_t *at = make ? tv_map_at(&set->block_of, block, 0)
				    : tv_map_get(&set->block_of, block, 0);

		if (at == NULL)
			return NULL;
		if (*at == TV_NONE) {
			*at = (uint32_t)set->n;
			TV_GROW(set->block, set->n, set->cap, 1);
			memset(set->block[set->n++], 0, sizeof *set->block);
		}
		set->last_block = block + 1;
		set->last_at = *at;
	}
	return &set->block[set->last_at][(key >> TV_JOB_WORD_BITS) % TV_JOB_BLOCK_WORDS];
}

static uint64_t bit_of(uint64_t key)
{
	return (uint64_t)1 << (key & ((1 << TV_JOB_WORD_BITS) - 1));
}

bool tv_job_set_has(struct tv_job_set *set, uint64_t key)
{
	const uint64_t *word = tv_job_set_word(set, key, false);

	return word != NULL && (*word & bit_of(key)) != 0;
}

bool tv_job_set_add(struct tv_job_set *set, uint64_t key)
{
	uint64_t *word = tv_job_set_word(set, key, true), bit = bit_of(key);
	bool had = (*word & bit) != 0;

	*word |= bit;
	return had;
}

void tv_job_set_release(struct tv_job_set *set)
{
	tv_map_release(&set->block_of);
	tv_free(set->block);
	*set = (struct tv_job_set){ 0 };
}

/* ---- which part names which job ---- */

static void note_jobs(struct keys *keys, const struct tv_tasks *tasks)
{
	struct tv_carry *carry = keys->carry;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t job = tasks->job[row];
		uint64_t key;

		if (tasks->kind[row] == TV_WORKER || job == TV_NONE || keys->here[job])
			continue;
		keys->here[job] = true;
		key = key_of_label(keys, job);
		if (tv_job_set_add(&carry->here, key))
			carry->repeats = true;
		else if (carry->within && carry->nahead > 0
			 && tv_map_get(&carry->ahead_at, key, 0) != NULL)
			carry->late = true;
	}
}

void tv_carry_name_ahead(struct tv_carry *carry, const struct tv_named_ahead *named)
{
	uint32_t *at = tv_map_at(&carry->ahead_at, named->key, 0);

	if (*at == TV_NONE) {
		*at = (uint32_t)carry->nahead;
		TV_GROW(carry->ahead, carry->nahead, carry->ahead_cap, 1);
		carry->ahead[carry->nahead++] = *named;
	} else {
		carry->ahead[*at].n += named->n;
		carry->ahead[*at].part = named->part;
	}
}

static void note_dependencies(struct keys *keys, const struct tv_tasks *tasks)
{
	struct tv_carry *carry = keys->carry;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t n;
		const uint32_t *label = tv_list(tasks->depends, row, &n);

		carry->ndepends += n;
		for (uint32_t i = 0; i < n && tasks->kind[row] != TV_WORKER; i++) {
			uint64_t key, of;

			if (keys->here[label[i]])
				continue;
			key = key_of_label(keys, label[i]);
			if (tv_job_set_has(&carry->here, key)) {
				if (!carry->within)
					tv_map_put(&carry->named, key, 0, carry->part);
				continue;
			}
			of = tasks->job == NULL || tasks->job[row] == TV_NONE
				   ? TV_NO_JOB
				   : key_of_label(keys, tasks->job[row]);
			tv_carry_name_ahead(carry,
					    &(struct tv_named_ahead){ key, of, 1, carry->part });
		}
	}
}

/* Whether executions may exclude each other. */
static bool commutes(const struct tv_tasks *tasks)
{
	const struct tv_column *modes = tv_table_find(&tasks->trace->table[TV_TASKS], "Modes");
	uint32_t last = TV_NONE;

	for (uint32_t row = 0; modes != NULL && row < tasks->n; row++) {
		uint32_t n;
		const uint32_t *mode = tv_list(modes, row, &n);

		for (uint32_t i = 0; i < n; i++) {
			if (mode[i] != last && tv_mode_commutes(tv_pool_text(tasks->pool, mode[i])))
				return true;
			last = mode[i];
		}
	}
	return false;
}

void tv_carry_note(struct tv_carry *carry, const struct tv_tasks *tasks)
{
	uint32_t nlabels = tv_pool_count(tasks->pool);
	struct keys keys = { carry, tasks->pool, tv_alloc(nlabels, sizeof *keys.of),
			     tv_alloc(nlabels, sizeof *keys.here) };

	carry->excludes = carry->excludes || commutes(tasks);
	if (tasks->job != NULL)
		note_jobs(&keys, tasks);
	if (tasks->depends != NULL)
		note_dependencies(&keys, tasks);
	carry->part++;
	tv_free(keys.of);
	tv_free(keys.here);
}

bool tv_carry_works(const struct tv_carry *carry)
{
	return !carry->repeats && !carry->late;
}

const char *tv_carry_reason(struct tv_carry *carry)
{
	tv_map_release(&carry->ahead_at);
	if (carry->ndepends > 0 && carry->here.n == 0)
		return "no task has a JobId";
	for (size_t i = 0; i < carry->nahead && !carry->repeats && !carry->late; i++)
		if (tv_job_set_has(&carry->here, carry->ahead[i].key))
			carry->late = true;
	return carry->repeats ? "a job ran several times, with other tasks between"
	     : carry->late    ? "a task depends on one that starts later, or has no Start"
			      : NULL;
}

void tv_carry_report(const struct tv_carry *carry, struct tv_trace *to)
{
	uint64_t nlost = 0;
	char *lost, *of;
	size_t n;

	for (size_t i = 0; i < carry->nahead; i++)
		nlost += carry->ahead[i].n;
	if (nlost == 0)
		return;
	lost = text_of(carry, carry->ahead[0].key, &n);
	of = text_of(carry, carry->ahead[0].of, &n);
	tv_report_lost(to, nlost, carry->ndepends, lost, of);
	tv_free(lost);
	tv_free(of);
}

bool tv_carry_excludes(const struct tv_carry *carry)
{
	return carry->excludes;
}

bool tv_carry_depends(const struct tv_carry *carry)
{
	return carry->ndepends > 0;
}

size_t tv_carry_named(const struct tv_carry *carry)
{
	return carry->named.n;
}

size_t tv_carry_most(const struct tv_carry *carry)
{
	return carry->most;
}

/* ---- live jobs ---- */

int tv_carry_dag(struct tv_carry *carry, const struct tv_tasks *tasks, struct tv_dag *dag,
		 struct tv_error *err)
{
	return tv_dag_init_part(dag, tasks, carry, err);
}

bool tv_carry_occurs(struct tv_carry *carry, const char *job, size_t n)
{
	return tv_job_set_has(&carry->here, key_of(carry, job, n));
}

struct tv_carried_job *tv_carry_find_key(struct tv_carry *carry, uint64_t key)
{
	const uint32_t *at = tv_map_get(&carry->place, key, 0);

	return at != NULL ? &carry->job[*at] : NULL;
}

struct tv_carried_job *tv_carry_find(struct tv_carry *carry, const char *job, size_t n)
{
	return tv_carry_find_key(carry, key_of(carry, job, n));
}

/* What is kept of the nodes of a part. */
struct kept {
	const struct tv_dag *dag;
	uint32_t *until;   /* by node: the last part that needs it; 0 = no later one */
	int64_t *released; /* by node; NULL: all have a time */
	/* As tv_dag_passed and tv_dag_passed_arrivals; NULL where all that is kept are tasks. */
	uint32_t *last, *step, *arrived;
	int64_t *last_time, *arrived_time;
};

static uint64_t key_of_node(struct tv_carry *carry, const struct tv_dag *dag, uint32_t v)
{
	const char *text;
	size_t n;

	if (v >= dag->n)
		return dag->outside[v - dag->n]->key;
	text = tv_pool_string(dag->tasks->pool, tv_dag_job(dag, v), &n);
	return key_of(carry, text, n);
}

/* Which nodes later parts name. Returns whether some of them are no tasks. */
static bool find_named(struct tv_carry *carry, struct kept *kept)
{
	const struct tv_dag *dag = kept->dag;
	bool pass_on = false;

	for (uint32_t v = 0; carry->named.n > 0 && v < dag->n; v++) {
		const uint32_t *until;

		if (tv_dag_job(dag, v) == TV_NONE)
			continue;
		until = tv_map_get(&carry->named, key_of_node(carry, dag, v), 0);
		if (until == NULL || *until <= carry->part)
			continue;
		kept->until[v] = *until;
		pass_on |= !dag->task[v];
	}
	return pass_on;
}

/* A node is needed as long as one that passes it on. */
static void keep_passed(const struct kept *kept, uint32_t passed, uint32_t until)
{
	uint32_t n = kept->dag->n, *to = passed == TV_NONE ? NULL
				       : passed < n	   ? &kept->until[passed]
							   : &kept->dag->outside[passed - n]->until;

	if (to != NULL && *to < until)
		*to = until;
}

static void find_passed(struct kept *kept)
{
	const struct tv_dag *dag = kept->dag;

	kept->last = tv_alloc(dag->n, sizeof *kept->last);
	kept->step = tv_alloc(dag->n, sizeof *kept->step);
	kept->last_time = tv_alloc(dag->n, sizeof *kept->last_time);
	tv_dag_passed(dag, kept->last, kept->last_time, kept->step);
	kept->arrived = tv_alloc(dag->n, sizeof *kept->arrived);
	kept->arrived_time = tv_alloc(dag->n, sizeof *kept->arrived_time);
	tv_dag_passed_arrivals(dag, kept->arrived, kept->arrived_time);
	for (uint32_t v = 0; v < dag->n; v++) {
		if (kept->until[v] == 0 || dag->task[v])
			continue;
		keep_passed(kept, kept->last[v], kept->until[v]);
		keep_passed(kept, kept->step[v], kept->until[v]);
		if (!tv_dag_is_message(dag, v))
			keep_passed(kept, kept->arrived[v], kept->until[v]);
	}
}

void *tv_carry_values(struct tv_carry *carry, const struct tv_dag *dag, size_t size)
{
	carry->size = size;
	carry->open = tv_alloc((size_t)dag->n + dag->noutside, size);
	for (uint32_t i = 0; i < dag->noutside; i++)
		memcpy(carry->open + (dag->n + i) * size,
		       carry->value + (size_t)(dag->outside[i] - carry->job) * size, size);
	return carry->open;
}

void *tv_carry_kept_values(struct tv_carry *carry, size_t *n)
{
	*n = carry->njobs;
	return carry->value;
}

/* The values of those jobs that stay, then those of the part. */
static void keep_values(struct tv_carry *carry, const struct kept *kept, size_t nadded)
{
	size_t size = carry->size, n = 0;
	char *value = tv_alloc(carry->njobs + nadded, size);

	for (size_t i = 0; i < carry->njobs; i++)
		if (carry->job[i].until > carry->part)
			memcpy(value + n++ * size, carry->value + i * size, size);
	for (uint32_t v = 0; v < kept->dag->n; v++)
		if (kept->until[v] > 0)
			memcpy(value + n++ * size, carry->open + v * size, size);
	tv_free(carry->open);
	tv_free(carry->value);
	carry->open = NULL;
	carry->value = value;
}

/* Those that no later part needs are forgotten. */
static void forget(struct tv_carry *carry)
{
	size_t n = 0;

	tv_map_release(&carry->place);
	for (size_t i = 0; i < carry->njobs; i++) {
		if (carry->job[i].until <= carry->part)
			continue;
		carry->job[n] = carry->job[i];
		carry->job[n++].node = TV_NONE;
	}
	carry->njobs = n;
}

static struct tv_carried_job job_of(struct tv_carry *carry, const struct kept *kept, uint32_t v)
{
	const struct tv_dag *dag = kept->dag;
	bool timed = dag->timed[v];
	struct tv_carried_job job = {
		.key = key_of_node(carry, dag, v),
		.start = timed ? dag->start[v] : 0,
		.end = timed ? dag->end[v] : 0,
		.released = timed ? INT64_MIN : kept->released[v],
		.until = kept->until[v],
		.timed = timed,
		.task = dag->task[v],
		.message = tv_dag_is_message(dag, v),
		.pending = dag->tasks->pending[dag->row[v]],
		.last = TV_NO_JOB,
		.step = TV_NO_JOB,
		.arrived = TV_NO_JOB,
		.node = TV_NONE,
		.last_node = TV_NONE,
		.step_node = TV_NONE,
		.arrived_node = TV_NONE,
	};

	if (dag->task[v] || kept->last == NULL)
		return job;
	if (kept->last[v] != TV_NONE) {
		job.last = key_of_node(carry, dag, kept->last[v]);
		job.last_time = kept->last_time[v];
	}
	if (kept->step[v] != TV_NONE)
		job.step = key_of_node(carry, dag, kept->step[v]);
	if (!job.message && kept->arrived[v] != TV_NONE) {
		job.arrived = key_of_node(carry, dag, kept->arrived[v]);
		job.arrived_time = kept->arrived_time[v];
	}
	return job;
}

/* By node, where some have no time, else NULL. */
static int64_t *find_releases(const struct tv_dag *dag)
{
	int64_t *released;
	uint32_t v = 0;

	while (v < dag->n && dag->timed[v])
		v++;
	if (v == dag->n)
		return NULL;
	released = tv_alloc((size_t)dag->n + dag->noutside, sizeof *released);
	tv_dag_released(dag, released);
	return released;
}

/* Adds those of the part. Nodes outside are still what the graph says, as the jobs that it points to move only then. */
static void add_jobs(struct tv_carry *carry, const struct kept *kept)
{
	struct tv_carried_job *added = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t v = 0; v < kept->dag->n; v++) {
		if (kept->until[v] == 0)
			continue;
		TV_GROW(added, n, cap, 1);
		added[n++] = job_of(carry, kept, v);
	}
	if (carry->open != NULL)
		keep_values(carry, kept, n);
	forget(carry);
	TV_GROW(carry->job, carry->njobs, carry->jobs_cap, n);
	if (n > 0)
		memcpy(carry->job + carry->njobs, added, n * sizeof *added);
	carry->njobs += n;
	tv_free(added);
}

void tv_carry_keep(struct tv_carry *carry, const struct tv_dag *dag)
{
	struct kept kept = { .dag = dag, .until = tv_alloc(dag->n, sizeof *kept.until) };

	if (find_named(carry, &kept))
		find_passed(&kept);
	kept.released = find_releases(dag);
	add_jobs(carry, &kept);
	for (size_t i = 0; i < carry->njobs; i++)
		tv_map_put(&carry->place, carry->job[i].key, 0, (uint32_t)i);
	carry->most = carry->njobs > carry->most ? carry->njobs : carry->most;
	tv_carry_keep_holds(carry, dag->tasks);
	carry->part++;
	tv_free(kept.until);
	tv_free(kept.released);
	tv_free(kept.last);
	tv_free(kept.step);
	tv_free(kept.last_time);
	tv_free(kept.arrived);
	tv_free(kept.arrived_time);
}

void tv_carry_begin(struct tv_carry *carry, uint32_t part)
{
	carry->first = part;
	tv_carry_rewind(carry);
}

void tv_carry_rewind(struct tv_carry *carry)
{
	tv_map_release(&carry->place);
	tv_free(carry->value);
	carry->value = NULL;
	carry->size = 0;
	carry->njobs = 0;
	carry->nholds = 0;
	carry->part = carry->first;
}
