/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.c -- the rows that --where, --only, --exclude, --node, --resource and a window choose, and
 * the workers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/lateness.h"
#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/text.h"

/* One comma-separated list of patterns over a label column. */
struct choice {
	const char *option, *list, *column;
	bool negated;
	uint8_t *holds; /* by label: 1 yes, 2 no, 0 not asked yet */
	const struct tv_column *of, *device;
};

enum { CHOICES = 4 };

/* What chooses rows of its result and, of sums, workers; NULL: a figure, of which all options choose both. */
static const struct tv_pass *selecting_pass(const struct tv_cli *cli)
{
	return cli->verb.run == tv_cmd_plot ? NULL : cli->verb.pass;
}

static void read_choices(const struct tv_cli *cli, struct choice *choice)
{
	/* What adds up over workers has been computed for the selected ones. */
	const struct tv_pass *pass = selecting_pass(cli);
	bool by_worker = pass == NULL || !pass->sums;
	const struct choice all[CHOICES] = {
		{ "only", cli->only, "Value", false, NULL, NULL, NULL },
		{ "exclude", cli->exclude, "Value", true, NULL, NULL, NULL },
		{ "node", by_worker ? cli->node : NULL, "Node", false, NULL, NULL, NULL },
		{ "resource", by_worker ? cli->resource : NULL, "ResourceId", false, NULL, NULL,
		  NULL },
	};

	memcpy(choice, all, sizeof all);
}

static int fail_column(const struct choice *choice, struct tv_error *err)
{
	return tv_fail_usage(err, "--%s chooses by the column %s, which this table does not have",
			     choice->option, choice->column);
}

static bool has_column(const struct tv_pass *pass, const char *name)
{
	for (size_t i = 0; i < pass->ncolumns; i++)
		if (strcmp(pass->column[i].name, name) == 0)
			return pass->column[i].type == TV_LABEL;
	return false;
}

int tv_select_columns(const struct tv_cli *cli, struct tv_error *err)
{
	const struct tv_pass *pass = cli->verb.pass;
	struct choice choice[CHOICES];

	read_choices(cli, choice);
	for (size_t i = 0; i < CHOICES && pass->kind != TV_ANNOTATE && !pass->varies; i++)
		if (choice[i].list != NULL && !has_column(pass, choice[i].column))
			return fail_column(&choice[i], err);
	return 0;
}

static int prepare(struct choice *choice, const struct tv_table *table, struct tv_error *err)
{
	if (choice->list == NULL)
		return 0;
	choice->of = tv_table_find(table, choice->column);
	if (choice->of == NULL || choice->of->type != TV_LABEL)
		return fail_column(choice, err);
	if (strcmp(choice->option, "resource") == 0)
		choice->device = tv_table_find(table, "Device");
	choice->holds = tv_alloc(tv_pool_count(choice->of->pool), 1);
	return 0;
}

static bool fits(struct choice *choice, const struct tv_column *of, uint32_t row)
{
	uint32_t label = tv_label(of, row);

	if (label == TV_NONE)
		return choice->negated;
	if (choice->holds[label] == 0)
		choice->holds[label] = tv_glob_list(choice->list,
						    tv_pool_text(choice->of->pool, label))
						    != choice->negated
					     ? 1
					     : 2;
	return choice->holds[label] == 1;
}

/* By the column, or by the device of the resource. */
static bool chosen_by(struct choice *choice, uint32_t row)
{
	return choice->list == NULL || fits(choice, choice->of, row)
	    || (choice->device != NULL && fits(choice, choice->device, row));
}

/* Whether an execution touches the window; what has no times does not. */
static bool touches(const struct tv_window *window, const struct tv_table *table, uint32_t row)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");

	return start != NULL && end != NULL && !tv_missing(start, row) && !tv_missing(end, row)
	    && start->i[row] <= window->end && end->i[row] >= window->begin
	    && (start->i[row] == end->i[row]
		|| (start->i[row] < window->end && end->i[row] > window->begin));
}

/* Frees what prepare() took. */
static void release(struct choice *choice, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tv_free(choice[i].holds);
}

int tv_select(const struct tv_cli *cli, const struct tv_window *window,
	      const struct tv_table *table, uint32_t **rows, uint32_t *n, struct tv_error *err)
{
	struct choice choice[CHOICES];
	struct tv_expr *expr = NULL;
	bool any = cli->where != NULL || (window != NULL && window->set);
	int rc = 0;

	*rows = NULL;
	*n = 0;
	read_choices(cli, choice);
	for (size_t i = 0; rc == 0 && i < TV_COUNT(choice); i++) {
		any = any || choice[i].list != NULL;
		rc = prepare(&choice[i], table, err);
	}
	if (rc == 0 && cli->where != NULL && (expr = tv_expr_new(cli->where, table, err)) == NULL)
		rc = -1;
	if (rc == 0 && any)
		*rows = tv_alloc(table->nrows, sizeof **rows);
	for (uint32_t row = 0; rc == 0 && any && row < table->nrows; row++) {
		bool keep = (expr == NULL || tv_expr_holds(expr, row))
			 && (window == NULL || !window->set || touches(window, table, row));

		for (size_t i = 0; keep && i < TV_COUNT(choice); i++)
			keep = chosen_by(&choice[i], row);
		if (keep)
			(*rows)[(*n)++] = row;
	}
	tv_expr_free(expr);
	release(choice, TV_COUNT(choice));
	return rc;
}

/* ---- patterns without a match ---- */

/* Marks the labels that occur in a column. */
static void mark_labels(const struct tv_trace *trace, enum tv_table_id id, const char *name,
			bool *seen)
{
	const struct tv_column *column = tv_table_find(&trace->table[id], name);

	for (uint32_t row = 0; column != NULL && column->type == TV_LABEL && row < column->n; row++)
		if (tv_label(column, row) != TV_NONE)
			seen[tv_label(column, row)] = true;
}

/* The same of rows of tasks that the trace does not have. */
static void mark_surveyed(const struct tv_survey *survey, uint8_t in, bool *seen)
{
	for (uint32_t i = 0; survey != NULL && i < survey->n; i++)
		seen[i] = seen[i] || (survey->in[i] & in) != 0;
}

/* The labels that are marked, in natural order, in new memory. */
static uint32_t *list_labels(const bool *seen, struct tv_pool *pool, uint32_t *n)
{
	uint32_t nlabels = tv_pool_count(pool), *label = tv_alloc(nlabels, sizeof *label);

	*n = 0;
	for (uint32_t i = 0; i < nlabels; i++)
		if (seen[i])
			label[(*n)++] = i;
	if (*n > 0)
		qsort_r(label, *n, sizeof *label, tv_compare_labels, pool);
	return label;
}

/* Warns of the patterns of a list that match none of the labels seen; whether all match. */
static bool check_list(const char *option, const char *list, const bool *seen, struct tv_run *run)
{
	struct tv_pool *pool = run->trace->pool;
	uint32_t nlabels, *label = list_labels(seen, pool, &nlabels);
	const char *word, *meant;
	struct tv_name_list names;
	bool all = true;
	size_t n;

	while ((word = tv_list_word(&list, &n)) != NULL) {
		struct tv_near near;
		uint32_t i = 0;
		char *pattern;

		while (i < nlabels && !tv_glob_part(word, n, tv_pool_text(pool, label[i])))
			i++;
		if (n == 0 || i < nlabels)
			continue;
		all = false;
		pattern = tv_strndup(word, n);
		tv_near_init(&near, pattern);
		names = (struct tv_name_list){ .n = 0 };
		for (i = 0; i < nlabels; i++) {
			tv_near_offer(&near, tv_pool_text(pool, label[i]));
			tv_name_list_add(&names, tv_pool_text(pool, label[i]));
		}
		meant = tv_near_text(&near);
		tv_run_warn(run, "--%s '%s': none fits%s%s", option, pattern,
			    meant[0] != '\0' || names.n == 0 ? meant : ", expected one of ",
			    meant[0] != '\0' ? "" : tv_name_list_text(&names));
		tv_free(pattern);
	}
	tv_free(label);
	return all;
}

bool tv_select_check(const struct tv_cli *cli, struct tv_run *run)
{
	const struct {
		const char *option, *list, *column;
		uint8_t in;
	} lists[] = {
		{ "only", cli->only, "Value", TV_IN_VALUE },
		{ "exclude", cli->exclude, "Value", TV_IN_VALUE },
		{ "node", cli->node, "Node", TV_IN_NODE },
		{ "resource", cli->resource, "ResourceId", TV_IN_RESOURCE | TV_IN_DEVICE },
	};
	bool all = true;

	for (size_t i = 0; i < TV_COUNT(lists); i++) {
		bool *seen;

		if (lists[i].list == NULL)
			continue;
		seen = tv_alloc(tv_pool_count(run->tasks.pool), sizeof *seen);
		mark_labels(run->trace, TV_TASKS, lists[i].column, seen);
		mark_labels(run->trace, TV_STATES, lists[i].column, seen);
		mark_labels(run->trace, TV_EVENTS, lists[i].column, seen);
		mark_labels(run->trace, TV_CALLS, lists[i].column, seen);
		mark_labels(run->trace, TV_RESOURCES, lists[i].column, seen);
		if (strcmp(lists[i].option, "resource") == 0)
			mark_labels(run->trace, TV_TASKS, "Device", seen);
		mark_surveyed(run->trace->survey, lists[i].in, seen);
		all = check_list(lists[i].option, lists[i].list, seen, run) && all;
		tv_free(seen);
	}
	return all;
}

/* What the expression of a selection that fits no row may have meant. */
static char *find_why(const struct tv_cli *cli, const struct tv_table *table)
{
	struct tv_error none = { 0 };
	struct tv_expr *expr = cli->where == NULL ? NULL : tv_expr_new(cli->where, table, &none);
	char *why = expr == NULL ? tv_strdup("") : tv_expr_unmatched(expr);

	tv_expr_free(expr);
	return why;
}

void tv_select_warn(const struct tv_cli *cli, struct tv_run *run, const struct tv_table *table,
		    const char *what)
{
	char *why = find_why(cli, table);

	tv_run_warn(run, "no %s matches the selection%s", what, why);
	tv_free(why);
}

bool tv_select_any(const struct tv_tasks *tasks, const uint32_t *rows, uint32_t n)
{
	bool none = true;

	for (uint32_t i = 0; rows != NULL && i < n; i++)
		if (tasks->executed[rows[i]])
			return true;
	for (uint32_t row = 0; rows != NULL && row < tasks->n && none; row++)
		none = !tasks->executed[row];
	return none;
}

int tv_select_nothing(const struct tv_cli *cli, struct tv_run *run, bool unmatched,
		      struct tv_error *err)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	char *why;

	if (cli->where == NULL && cli->exclude == NULL && !unmatched) {
		tv_select_warn(cli, run, tasks, "task");
		return 0;
	}
	why = find_why(cli, tasks);
	tv_fail(err, "no task matches the selection%s", why);
	tv_free(why);
	return -1;
}

/* ---- ranks ---- */

struct rank {
	double value; /* NaN = missing: last */
	uint32_t row;
};

static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	bool none = isnan(x->value), neither = isnan(y->value);

	if (none || neither || x->value == y->value)
		return none != neither ? none - neither : (x->row > y->row) - (x->row < y->row);
	return x->value > y->value ? -1 : 1;
}

static double rank_of(const struct tv_column *column, uint32_t row)
{
	if (tv_missing(column, row))
		return NAN;
	return column->type == TV_DOUBLE ? column->d[row] : (double)column->i[row];
}

int tv_select_top(const struct tv_cli *cli, const struct tv_table *table, uint32_t **rows,
		  uint32_t *n, struct tv_error *err)
{
	const char *name = cli->verb.pass->ranked;
	const struct tv_column *column = name == NULL ? NULL : tv_table_find(table, name);
	bool all = *rows == NULL;
	uint32_t max = all ? table->nrows : *n;
	struct rank *rank;

	if (cli->top == 0)
		return 0;
	if (column == NULL || column->type == TV_LABEL || column->type == TV_TEXT
	    || column->type == TV_LIST)
		return tv_fail_usage(err, "--top: these rows have no rank");
	rank = tv_alloc(max, sizeof *rank);
	if (all)
		*rows = tv_alloc(max, sizeof **rows);
	for (uint32_t i = 0; i < max; i++) {
		uint32_t row = all ? i : (*rows)[i];

		rank[i] = (struct rank){ rank_of(column, row), row };
	}
	qsort(rank, max, sizeof *rank, by_rank);
	*n = cli->top < max ? (uint32_t)cli->top : max;
	for (uint32_t i = 0; i < *n; i++)
		(*rows)[i] = rank[i].row;
	tv_free(rank);
	return 0;
}

/* ---- workers ---- */

/* One row per worker with the columns of tasks, also those that are not read, which a message may name. What all its tasks have in
 * common is there, the rest is missing. */
static void worker_table(const struct tv_tasks *tasks, struct tv_table *out)
{
	const struct tv_table *task_table = &tasks->trace->table[TV_TASKS];
	uint32_t *device_of = tv_worker_devices(tasks);
	struct tv_column *id, *type, *node, *device;
	struct tv_error none = { 0 };

	tv_table_init(out, task_table->pool);
	for (size_t i = 0; i < task_table->ncols; i++)
		tv_table_column(out, task_table->col[i]->name, task_table->col[i]->type, &none);
	for (size_t i = 0; i < tasks->trace->nleft; i++)
		tv_table_column(out, tasks->trace->left[i], TV_DOUBLE, &none);
	id = tv_table_column(out, "ResourceId", TV_LABEL, &none);
	type = tv_table_column(out, "ResourceType", TV_LABEL, &none);
	node = tv_table_column(out, "Node", TV_LABEL, &none);
	device = tv_table_column(out, "Device", TV_LABEL, &none);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];

		tv_table_add_row(out);
		tv_set_label(id, w, worker->resource);
		tv_set_label(type, w, tasks->rtype[worker->rtype].label);
		tv_set_label(node, w, tasks->node[worker->node].label);
		tv_set_label(device, w, device_of[w]);
	}
	tv_table_finish(out);
	tv_free(device_of);
}

/* Takes from chosen[] the workers on which no task can fit. */
static int drop_unfit(const char *text, const struct tv_table *workers, bool *chosen,
		      struct tv_error *err)
{
	struct tv_expr *expr = tv_expr_new(text, workers, err);

	if (expr == NULL)
		return -1;
	for (uint32_t w = 0; w < workers->nrows; w++)
		chosen[w] = chosen[w] && tv_expr_between(expr, w, w) != TV_NO;
	tv_expr_free(expr);
	return 0;
}

bool *tv_fit_workers(const struct tv_tasks *tasks, const char *text, const char *node,
		     const char *resource, struct tv_error *err)
{
	struct choice choice[] = {
		{ "node", node, "Node", false, NULL, NULL, NULL },
		{ "resource", resource, "ResourceId", false, NULL, NULL, NULL },
	};
	bool *chosen = tv_alloc(tasks->nworkers, sizeof *chosen);
	struct tv_table workers = { 0 };
	int rc = 0;

	worker_table(tasks, &workers);
	for (size_t i = 0; rc == 0 && i < TV_COUNT(choice); i++)
		rc = prepare(&choice[i], &workers, err);
	for (uint32_t w = 0; rc == 0 && w < tasks->nworkers; w++)
		chosen[w] = chosen_by(&choice[0], w) && chosen_by(&choice[1], w);
	if (rc == 0 && text != NULL)
		rc = drop_unfit(text, &workers, chosen, err);
	release(choice, TV_COUNT(choice));
	tv_table_release(&workers);
	if (rc == 0)
		return chosen;
	tv_free(chosen);
	return NULL;
}

/* The chosen workers: devices with a chosen stream are. The streams become those of the run. */
static bool *fit_devices(struct tv_run *run, const struct tv_cli *cli, const char *where,
			 struct tv_error *err)
{
	struct tv_run *streams = tv_run_streams(run);
	bool *own = tv_fit_workers(&streams->tasks, where, cli->node, cli->resource, err), *chosen;
	uint32_t *device_of;

	if (own == NULL || streams == run)
		return own;
	device_of = tv_tasks_worker_of_label(&run->tasks);
	chosen = tv_alloc(run->tasks.nworkers, sizeof *chosen);
	for (uint32_t w = 0; w < streams->tasks.nworkers; w++)
		if (own[w])
			chosen[device_of[streams->tasks.workers[w].resource]] = true;
	tv_run_select(streams, own);
	tv_free(device_of);
	return chosen;
}

int tv_select_workers(const struct tv_cli *cli, struct tv_run *run, bool *none,
		      struct tv_error *err)
{
	const struct tv_pass *pass = selecting_pass(cli);
	const char *where = pass == NULL ? cli->where : NULL; /* of a pass: about its rows */
	uint32_t n = 0;
	bool *chosen;

	*none = false;
	if ((pass != NULL && !pass->sums)
	    || (where == NULL && cli->node == NULL && cli->resource == NULL))
		return 0;
	chosen = fit_devices(run, cli, where, err);
	if (chosen == NULL)
		return -1;
	for (uint32_t w = 0; w < run->tasks.nworkers; w++)
		n += chosen[w];
	*none = n == 0;
	if (n > 0 && n < run->tasks.nworkers) {
		tv_run_select(run, chosen);
		return 0;
	}
	tv_free(chosen);
	return 0;
}
