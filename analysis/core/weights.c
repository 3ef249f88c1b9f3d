/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weights.c -- durations of pairs of types from a table or from tasks. */
#include "analysis/core/weights.h"

#include <string.h>
#include <sys/stat.h>

#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"

enum { HEADER_MAX = 64 * 1024, MS_SCALE = 6 };

static void add(struct tv_duration_rule *rule, size_t *cap, uint32_t type, uint32_t rtype,
		double ns)
{
	TV_GROW(rule->weight, rule->nweights, *cap, 1);
	rule->weight[rule->nweights++] = (struct tv_weight){ .type = type,
							     .rtype = rtype,
							     .ns = ns };
}

/* ---- a table as abe writes it ---- */

enum { NODE, VALUE, RTYPE, MEAN, NNAMES };

static const char *const names[] = { "Node", "Value", "ResourceType", "MeanDuration" };
_Static_assert(TV_COUNT(names) == NNAMES, "a name for every column");

struct reading {
	struct tv_duration_rule *rule;
	struct tv_pool *pool;
	size_t cap;
	bool header_read;
	size_t at[NNAMES]; /* the column; SIZE_MAX = none */
};

static int read_header(struct reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	r->header_read = true;
	for (int name = 0; name < NNAMES; name++) {
		r->at[name] = SIZE_MAX;
		for (size_t i = 0; i < row->ncells; i++)
			if (row->cell[i].n == strlen(names[name])
			    && memcmp(row->cell[i].text, names[name], row->cell[i].n) == 0)
				r->at[name] = i;
		if (name != NODE && r->at[name] == SIZE_MAX)
			return tv_fail_at(err, row->at,
					  "no column %s, expected a table as traceviz "
					  "abe writes it, or tasks",
					  names[name]);
	}
	return 0;
}

static int read_pair(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;
	const struct tv_csv_cell *cell[NNAMES];
	static const struct tv_csv_cell none = { "", 0, true, false };
	int64_t ns;

	if (!r->header_read)
		return read_header(r, row, err);
	for (int i = 0; i < NNAMES; i++)
		cell[i] = r->at[i] < row->ncells ? &row->cell[r->at[i]] : &none;
	/* A row of one node, or of a pair that never ran. */
	if (!cell[NODE]->missing || cell[MEAN]->missing)
		return 0;
	if (tv_parse_scaled(cell[MEAN]->text, cell[MEAN]->n, MS_SCALE, &ns) != TV_PARSE_OK
	    || ns < 0)
		return tv_fail_at(err, row->at, "MeanDuration '%.*s', expected a time in ms from 0",
				  (int)(cell[MEAN]->n < 40 ? cell[MEAN]->n : 40), cell[MEAN]->text);
	add(r->rule, &r->cap, tv_intern(r->pool, cell[VALUE]->text, cell[VALUE]->n),
	    tv_intern(r->pool, cell[RTYPE]->text, cell[RTYPE]->n), (double)ns);
	return 0;
}

static int read_table(struct tv_duration_rule *rule, struct tv_input *in, struct tv_pool *pool,
		      struct tv_error *err)
{
	struct reading r = { .rule = rule, .pool = pool };

	if (rule->statistic != TV_MEAN)
		return tv_fail_usage(err,
				     "%s holds means: --durations needs tasks for anything "
				     "else",
				     in->path);
	return tv_csv_rows(in, read_pair, &r, err);
}

/* ---- tasks ---- */

/* Durations of pairs; their samples are moved to the rule. */
static void add_pairs(struct tv_duration_rule *rule, const struct tv_tasks *tasks,
		      const struct tv_means *means, struct tv_durations *d, struct tv_pool *pool)
{
	size_t cap = 0;

	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++) {
			size_t pair = (size_t)t * means->nrtypes + r;
			double ns = d->time[pair];
			const char *type = tv_pool_text(tasks->pool, means->type[t]);
			const char *rtype = tv_pool_text(tasks->pool, tasks->rtype[r].label);

			if (ns < 0)
				continue;
			add(rule, &cap, tv_intern_text(pool, type), tv_intern_text(pool, rtype),
			    ns);
			if (d->sample != NULL) {
				struct tv_weight *last = &rule->weight[rule->nweights - 1];

				last->first = d->first_sample[pair];
				last->n = d->first_sample[pair + 1] - last->first;
			}
		}
	rule->sample = d->sample;
	d->sample = NULL;
}

/* Durations of all counted tasks into the rule. */
static int take_pairs(struct tv_duration_rule *rule, const struct tv_tasks *tasks,
		      struct tv_pool *pool, struct tv_error *err)
{
	struct tv_duration_rule own = { .statistic = rule->statistic };
	struct tv_estimates estimates;
	struct tv_durations d;
	const struct tv_means *means;
	int rc;

	tv_estimates_init(&estimates, tasks, false);
	means = &estimates.means[0];
	rc = tv_durations_init(&d, &own, tasks, means, err);
	if (rc == 0)
		add_pairs(rule, tasks, means, &d, pool);
	tv_durations_release(&d);
	tv_estimates_release(&estimates);
	return rc;
}

static int read_tasks(struct tv_duration_rule *rule, const char *path, const struct tv_run *run,
		      struct tv_pool *pool, struct tv_error *err)
{
	struct tv_trace trace = { 0 };
	struct tv_tasks tasks = { 0 };
	int rc;

	if (run->loader.load == NULL)
		return tv_fail_at(err, (struct tv_pos){ path, 0 },
				  "expected a table as traceviz abe writes it");
	rc = run->loader.load(run->loader.context, path, &trace, err);
	if (rc == 0) {
		tv_tasks_init(&tasks, &trace, run->kinds);
		rc = tasks.ncounted == 0 ? tv_fail_at(err, (struct tv_pos){ path, 0 },
						      "no task to take durations of")
					 : take_pairs(rule, &tasks, pool, err);
	}
	tv_tasks_release(&tasks);
	tv_trace_release(&trace);
	return rc;
}

/* Whether the first line of a file has the column of means. 1, 0, or -1 with *err. */
static int is_table(struct tv_input *in, struct tv_error *err)
{
	size_t n;
	const char *head = tv_input_peek(in, HEADER_MAX, &n, err);
	const char *end = head != NULL ? memchr(head, '\n', n) : NULL;

	if (head == NULL)
		return -1;
	n = end == NULL ? n : (size_t)(end - head);
	return memmem(head, n, names[MEAN], strlen(names[MEAN])) != NULL;
}

int tv_weights_read(struct tv_duration_rule *rule, const char *path, const struct tv_run *run,
		    struct tv_pool *pool, struct tv_error *err)
{
	struct tv_input in;
	struct stat st;
	int rc;

	if (strcmp(path, "-") == 0)
		return tv_fail_usage(err, "--durations-from: expected a file, not standard input");
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return read_tasks(rule, path, run, pool, err);
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	rc = is_table(&in, err);
	if (rc > 0)
		rc = read_table(rule, &in, pool, err);
	else if (rc == 0)
		rc = read_tasks(rule, path, run, pool, err);
	tv_input_close(&in);
	return rc;
}
