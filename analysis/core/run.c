/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c -- runs, which compute each pass once. */
#include "analysis/core/run.h"

#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/packed.h"
#include "analysis/core/recall.h"
#include "analysis/core/warnings.h"
#include "dag/carry.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/timings.h"

struct tv_pass_result {
	struct tv_pass_result *next;
	const struct tv_pass *pass;
	char *key;   /* effective options */
	bool curved; /* it has the curve, else the table */
	struct tv_table table;
	struct tv_packed curve;
};

struct tv_kept_result {
	struct tv_kept_result *next;
	const void *key;
	void *data;
	void (*release)(void *data);
};

void tv_run_init(struct tv_run *run, const struct tv_trace *trace, unsigned kinds)
{
	*run = (struct tv_run){ .trace = trace, .kinds = kinds == 0 ? 1u << TV_APP : kinds };
	run->window = (struct tv_window){ .begin = INT64_MIN, .end = INT64_MAX };
	TV_STAGE("tasks", NULL);
	tv_tasks_init(&run->tasks, trace, run->kinds);
}

void tv_run_select(struct tv_run *run, bool *chosen)
{
	run->chosen = chosen;
	tv_tasks_select(&run->part, &run->tasks, chosen);
}

void tv_run_init_part(struct tv_run *part, struct tv_run *whole, bool *chosen)
{
	*part = (struct tv_run){ .trace = whole->trace,
				 .tasks = whole->tasks,
				 .window = whole->window,
				 .whole = whole,
				 .origin = whole,
				 .kinds = whole->kinds,
				 .weights = whole->weights,
				 .loader = whole->loader };
	if (chosen != NULL)
		tv_run_select(part, chosen);
}

static void release_result(struct tv_pass_result *result)
{
	tv_table_release(&result->table);
	tv_packed_release(&result->curve);
	tv_free(result->key);
	tv_free(result);
}

void tv_run_release(struct tv_run *run)
{
	if (run->unwindowed != NULL)
		tv_run_release(run->unwindowed);
	tv_free(run->unwindowed);
	if (run->streams != NULL)
		tv_run_release(run->streams);
	tv_free(run->streams);
	while (run->results != NULL) {
		struct tv_pass_result *next = run->results->next;

		release_result(run->results);
		run->results = next;
	}
	tv_run_drop_riders(run);
	while (run->kept != NULL) {
		struct tv_kept_result *next = run->kept->next;

		run->kept->release(run->kept->data);
		tv_free(run->kept);
		run->kept = next;
	}
	if (run->dag != NULL)
		tv_dag_release(run->dag);
	tv_free(run->dag);
	tv_diagnostics_release(&run->diagnostics);
	tv_free(run->chosen);
	tv_tasks_release(&run->part);
	if (run->origin == NULL)
		tv_tasks_release(&run->tasks);
	*run = (struct tv_run){ 0 };
}

struct tv_diagnostics *tv_run_diagnostics(struct tv_run *run)
{
	if (run->devices != NULL || run->of != NULL)
		return tv_run_diagnostics(run->of != NULL ? run->of : run->devices);
	return run->origin != NULL && run->origin->unwindowed == run
		     ? tv_run_diagnostics(run->origin)
		     : &run->diagnostics;
}

struct tv_run *tv_run_unwindowed(struct tv_run *run)
{
	struct tv_run *all = run->unwindowed;
	bool *chosen = NULL;

	if (!run->window.set || all != NULL)
		return all != NULL ? all : run;
	if (run->chosen != NULL) {
		chosen = tv_alloc(run->tasks.nworkers, sizeof *chosen);
		memcpy(chosen, run->chosen, run->tasks.nworkers * sizeof *chosen);
	}
	all = tv_alloc(1, sizeof *all);
	run->unwindowed = all;
	tv_run_init_part(all, run, chosen);
	all->window = (struct tv_window){ .begin = INT64_MIN, .end = INT64_MAX };
	all->whole = run->whole != NULL ? tv_run_unwindowed(run->whole) : NULL;
	return all;
}

/* By worker of streams: its device is selected. NULL: all are. */
static bool *choose_streams(const struct tv_run *run, const struct tv_tasks *streams)
{
	uint32_t *device_of;
	bool *chosen;

	if (run->chosen == NULL)
		return NULL;
	device_of = tv_tasks_worker_of_label(&run->tasks);
	chosen = tv_alloc(streams->nworkers, sizeof *chosen);
	for (uint32_t w = 0; w < streams->nworkers; w++)
		chosen[w] = run->chosen[device_of[streams->workers[w].resource]];
	tv_free(device_of);
	return chosen;
}

struct tv_run *tv_run_streams(struct tv_run *run)
{
	struct tv_run *streams = run->streams;
	bool *chosen;

	if (run->tasks.device_time == NULL || streams != NULL)
		return streams != NULL ? streams : run;
	streams = run->streams = tv_alloc(1, sizeof *streams);
	*streams = (struct tv_run){ .trace = run->trace,
				    .window = run->window,
				    .devices = run,
				    .kinds = run->kinds,
				    .weights = run->weights,
				    .loader = run->loader };
	tv_tasks_init_streams(&streams->tasks, run->trace, run->kinds);
	chosen = choose_streams(run, &streams->tasks);
	if (chosen != NULL)
		tv_run_select(streams, chosen);
	return streams;
}

bool tv_run_has_node(const struct tv_run *run, uint32_t node)
{
	bool has = run->chosen == NULL;

	for (uint32_t i = 0; i < run->part.nnodes && !has; i++)
		has = run->part.node[i].label == node;
	return has;
}

const struct tv_dag *tv_run_dag(struct tv_run *run, struct tv_error *err)
{
	if (run->origin != NULL)
		return tv_run_dag(run->origin, err);
	if (run->dag == NULL) {
		TV_STAGE("task graph", NULL);
		run->dag = tv_alloc(1, sizeof *run->dag);
		if ((run->of != NULL
			     ? tv_carry_dag(run->of->parts->carry, &run->tasks, run->dag, err)
			     : tv_dag_init(run->dag, &run->tasks, err))
		    < 0) {
			tv_free(run->dag);
			run->dag = NULL;
		}
	}
	return run->dag;
}

bool tv_run_depends(const struct tv_run *run)
{
	return run->parts != NULL ? tv_carry_depends(run->parts->carry)
				  : tv_tasks_depend(&run->tasks);
}

void tv_run_keep(struct tv_run *run, const void *key, void *data, void (*release)(void *data))
{
	struct tv_kept_result *kept = tv_alloc(1, sizeof *kept);

	*kept = (struct tv_kept_result){ run->kept, key, data, release };
	run->kept = kept;
}

void *tv_run_kept(const struct tv_run *run, const void *key)
{
	for (const struct tv_kept_result *kept = run->kept; kept != NULL; kept = kept->next)
		if (kept->key == key)
			return kept->data;
	return NULL;
}

void tv_run_forget(struct tv_run *run, const void *key)
{
	struct tv_kept_result **at = &run->kept, *kept;

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	kept = *at;
	if (kept == NULL)
		return;
	*at = kept->next;
	kept->release(kept->data);
	tv_free(kept);
}

/* The effective options as one text, each behind its length: "3:abc-:" ("-" for none). */
static char *options_key(const struct tv_options *options)
{
	char *key = tv_strdup("");

	for (size_t i = 0; i < options->n; i++) {
		const char *value = tv_option_value(options, i);

		if (value == NULL)
			tv_append(&key, "-:");
		else
			tv_append(&key, "%zu:%s", strlen(value), value);
	}
	return key;
}

/* Tasks to count, or others that the verb can use. */
static int need_tasks(const struct tv_run *run, const char *verb, bool planned, bool pending,
		      struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	bool others = tasks->ran; /* of a kind that is not asked for */

	if (tasks->n == 0 && run->parts == NULL)
		return tv_fail_lacks(
			err, run->trace,
			"%s: the trace has no tasks (columns ResourceId, Value, Start, End)", verb);
	if (!planned && tasks->nplanned > 0)
		return tv_fail(err,
			       "%s needs times, but %u tasks have not run (Flag is planned): "
			       "simulate first",
			       verb, tasks->nplanned);
	if (tasks->ncounted > 0 || (planned && tasks->nplanned > 0)
	    || (pending && tasks->npending > 0))
		return 0;
	for (uint32_t row = 0; row < tasks->n && tasks->npending == 0; row++)
		others = others || tasks->executed[row];
	if (tasks->npending == 0 && !others)
		return tv_fail_lacks(err, run->trace, "%s: the trace has no task to count", verb);
	return tv_fail(
		err,
		"%s: the trace has no task to count%s (see --kind, --task-state and traceviz info)",
		verb, tasks->npending > 0 ? ", only tasks that never started" : "");
}

int tv_run_need_tasks(const struct tv_run *run, const char *verb, struct tv_error *err)
{
	return need_tasks(run, verb, false, false, err);
}

/* The options of a pass with the struct that they fill: to be freed. */
static void *fill_chosen(const struct tv_pass *pass, struct tv_options *options)
{
	void *chosen = pass->chosen > 0 ? tv_alloc(1, pass->chosen) : NULL;

	tv_options_fill(options, chosen, pass->chosen);
	options->chosen = chosen;
	return chosen;
}

/* Fills the table, or the curve. */
static int fill_result(struct tv_run *run, struct tv_pass_result *result,
		       const struct tv_options *options, struct tv_error *err)
{
	const struct tv_pass *pass = result->pass;

	if (result->curved)
		return pass->curve(run, options, &result->curve, err);
	tv_table_init(&result->table, run->trace->pool);
	for (size_t i = 0; i < pass->ncolumns && !pass->varies; i++)
		tv_table_column(&result->table, pass->column[i].name, pass->column[i].type, err);
	if (pass->run(run, options, &result->table, err) < 0)
		return -1;
	tv_table_finish(&result->table);
	return 0;
}

static int no_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	(void)state;
	(void)part;
	(void)err;
	return 0;
}

static int compute(struct tv_run *run, struct tv_pass_result *result,
		   const struct tv_options *options, struct tv_error *err)
{
	const struct tv_pass *pass = result->pass;
	bool taskless = pass->taskless
		     || (pass->any_table != NULL && tv_option_given(options, pass->any_table));
	/* Else rows come first, or it is for the run to be checked that has the part. */
	bool known = run->of == NULL && (run->parts == NULL || run->parts->end == NULL);
	struct tv_options filled = *options;
	const struct tv_pass *before = run->part_pass;
	void *chosen;
	int rc;
	TV_STAGE("pass", pass->name);

	if (!taskless && known
	    && need_tasks(run, pass->name, pass->planned, pass->pending, err) < 0)
		return -1;
	if (run->parts != NULL && (pass->in_parts == NULL || !pass->in_parts(options)))
		return tv_fail_parts(err, "%s needs all rows at once", pass->name);
	if (pass->windowless && tv_run_cut(run))
		return tv_fail_usage(
			err,
			"%s describes the whole run: it takes no window (--begin, --end, --region)",
			pass->name);
	if (!taskless && known)
		tv_warn_left_out(run);
	tv_memory_purpose("computing %s", pass->name);
	chosen = fill_chosen(pass, &filled);
	run->part_pass = pass;
	rc = fill_result(run, result, &filled, err);
	run->part_pass = before;
	/* Of a pass that needed no rows. */
	if (rc == 0 && run->parts != NULL && run->parts->end != NULL)
		rc = tv_run_rows(run, no_rows, NULL, err);
	tv_free(chosen);
	return rc;
}

/* The result with these options, computed if it is not there yet; NULL with *err. */
static struct tv_pass_result *find_effective(struct tv_run *run, const struct tv_options *options,
					     const struct tv_pass *pass, bool curved,
					     struct tv_error *err)
{
	struct tv_pass_result *result;
	char *key = options_key(options);

	for (result = run->results; result != NULL; result = result->next)
		if (result->pass == pass && result->curved == curved
		    && strcmp(result->key, key) == 0) {
			tv_free(key);
			return result;
		}
	result = tv_alloc(1, sizeof *result);
	result->pass = pass;
	result->key = key;
	result->curved = curved;
	if (compute(run, result, options, err) < 0) {
		release_result(result);
		return NULL;
	}
	result->next = run->results;
	run->results = result;
	return result;
}

/* Options that are not given, as the columns of the pass that this one continues give them. */
static int recall_options(struct tv_run *run, const struct tv_pass *pass, const char **value,
			  struct tv_error *err)
{
	for (size_t i = 0; i < pass->noptions; i++)
		if (value[i] == NULL
		    && tv_recall(run, pass->continues, pass->option[i].name, &value[i], err) < 0)
			return -1;
	return 0;
}

bool tv_pass_always(const struct tv_options *options)
{
	(void)options;
	return true;
}

int tv_pass_check(const struct tv_pass *pass, const char *const *value, struct tv_error *err)
{
	struct tv_options options = { pass->option, pass->noptions, value, NULL };
	void *chosen;
	int rc;

	if (tv_options_check(&options, "", err) < 0)
		return -1;
	if (pass->check == NULL)
		return 0;
	chosen = fill_chosen(pass, &options);
	rc = pass->check(&options, err);
	tv_free(chosen);
	return rc;
}

static struct tv_pass_result *find_result(struct tv_run *run, const char *name,
					  const char *const *value, bool curved,
					  struct tv_error *err)
{
	const struct tv_pass *pass = tv_pass_find(name);
	struct tv_pass_result *result = NULL;
	struct tv_options options;
	const char **effective;
	struct tv_near near;

	if (pass == NULL) {
		tv_fail_usage(err, "there is no pass '%s'%s; 'traceviz help' lists them", name,
			      tv_pass_near(&near, name));
		return NULL;
	}
	if (run->whole != NULL && !pass->sums)
		return find_result(run->whole, name, value, curved, err);
	options = (struct tv_options){ pass->option, pass->noptions, value, NULL };
	if (tv_pass_check(pass, value, err) < 0)
		return NULL;
	if (pass->continues == NULL)
		return find_effective(run, &options, pass, curved, err);
	effective = tv_alloc(pass->noptions, sizeof *effective);
	if (value != NULL)
		memcpy(effective, value, pass->noptions * sizeof *effective);
	options.value = effective;
	if (recall_options(run, pass, effective, err) == 0)
		result = find_effective(run, &options, pass, curved, err);
	tv_free(effective);
	return result;
}

const struct tv_table *tv_run_pass(struct tv_run *run, const char *name, const char *const *value,
				   struct tv_error *err)
{
	struct tv_pass_result *result = find_result(run, name, value, false, err);

	return result == NULL ? NULL : &result->table;
}

/* The same with options by name. */
static struct tv_pass_result *find_named(struct tv_run *run, const char *name,
					 const char *const *option, bool curved,
					 struct tv_error *err)
{
	const struct tv_pass *pass = tv_pass_find(name);
	size_t noptions = pass == NULL ? 0 : pass->noptions;
	const char **value = tv_alloc(noptions, sizeof *value);
	struct tv_pass_result *result;

	for (; pass != NULL && option != NULL && *option != NULL; option += 2)
		value[tv_option_row(pass->option, noptions, option[0]) - pass->option] = option[1];
	result = find_result(run, name, value, curved, err);
	tv_free(value);
	return result;
}

const struct tv_table *tv_run_pass_named(struct tv_run *run, const char *name,
					 const char *const *option, struct tv_error *err)
{
	struct tv_pass_result *result = find_named(run, name, option, false, err);

	return result == NULL ? NULL : &result->table;
}

const struct tv_packed *tv_run_curve(struct tv_run *run, const char *name,
				     const char *const *option, struct tv_error *err)
{
	struct tv_pass_result *result = find_named(run, name, option, true, err);

	return result == NULL ? NULL : &result->curve;
}

const struct tv_table *tv_run_pass_with(struct tv_run *run, const char *name, struct tv_error *err,
					...)
{
	const char *option[2 * 16 + 1];
	size_t n = 0;
	va_list args;

	va_start(args, err);
	while ((option[n] = va_arg(args, const char *)) != NULL && n + 2 < TV_COUNT(option)) {
		option[n + 1] = va_arg(args, const char *);
		n += 2;
	}
	va_end(args);
	option[n] = NULL;
	return tv_run_pass_named(run, name, option, err);
}
