/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errors.c -- errors of simulated times against native ones, in tables. */
#include "analysis/compare/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/expr.h"
#include "trace/map.h"
#include "trace/near_names.h"
#include "trace/options.h"
#include "trace/sorted.h"

enum { KEYS_MAX = 64 };
#define COLUMNS(X) \
	X(MODEL, "Model", TV_LABEL, true, "", "how the run was simulated") \
	X(CASES, "Cases", TV_INT, true, "", "number of cases") \
	X(NATIVE, "Native", TV_TIME, true, "ms", "makespan of the native run") \
	X(SIMULATED, "Simulated", TV_TIME, true, "ms", "makespan of the simulated run") \
	X(ERROR, "Error", TV_DOUBLE, true, "%", \
	  "(Native - Simulated) / Native; positive: the simulation is optimistic") \
	X(ABSOLUTE, "AbsoluteError", TV_DOUBLE, true, "%", "without its sign")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_errors_columns[] = { COLUMNS(TV_COLUMN_ROW) };
const size_t tv_nerrors_columns = TV_COUNT(tv_errors_columns);

/* Columns that are results or models, so that no case differs in them. */
static const char *const results[] = {
	"Native",	 "Simulated",	  "Makespan",	   "Model",	 "Scheduler",
	"Error",	 "Cases",	  "AbsoluteError", "Ratio",	 "Speedup",
	"Efficiency",	 "Abe",		  "Cpe",	   "Ideal",	 "MinMakespan",
	"AbeSpeedup",	 "CpeSpeedup",	  "MaxMakespan",   "MinSpeedup", "MaxSpeedup",
	"MinEfficiency", "MaxEfficiency",
};

/* A simulated time with its native one. */
struct entry {
	uint32_t native_row;
	uint32_t of, model, group; /* labels: of the case, the model, the columns of `by` */
	double parameter;	   /* NaN: there is none */
	int64_t native, simulated;
	double error;
	bool fits, kept; /* the parameter is chosen by it; it is written */
};

struct errors {
	const struct tv_error_source *source;
	size_t nsources;
	const struct tv_error_options *options;
	const struct tv_column *key[KEYS_MAX]; /* of the native table */
	bool by[KEYS_MAX];
	size_t nkeys;
	const struct tv_column *native;
	struct tv_pool *pool; /* of cases, models, groups */
	struct tv_map row;    /* of the native table, by case */
	struct entry *entry;
	size_t n, cap;
};

static bool is_result(const struct errors *e, const char *name)
{
	for (size_t i = 0; i < TV_COUNT(results); i++)
		if (strcmp(results[i], name) == 0)
			return true;
	return e->options->fit != NULL && strcmp(e->options->fit, name) == 0;
}

/* A time in ns. */
static bool read_time(const struct tv_column *column, uint32_t row, int64_t *ns)
{
	if (tv_missing(column, row))
		return false;
	if (column->type == TV_TIME) {
		*ns = column->i[row];
		return true;
	}
	if (column->type != TV_DOUBLE || !(fabs(column->d[row]) < 9e12))
		return false;
	*ns = llround(column->d[row] * 1e6);
	return true;
}

static const struct tv_column *find_time(const struct tv_error_source *source, const char *name,
					 bool or_makespan, struct tv_error *err)
{
	const struct tv_column *column = tv_table_find(source->table, name);

	if (column == NULL && or_makespan)
		column = tv_table_find(source->table, "Makespan");
	if (column != NULL && (column->type == TV_TIME || column->type == TV_DOUBLE))
		return column;
	tv_fail_at(err, (struct tv_pos){ source->path, 0 },
		   column == NULL ? "no column %s%s" : "column %s%s is no time in ms", name,
		   or_makespan ? " or Makespan" : "");
	return NULL;
}

/* The texts of the chosen columns of a row, apart. */
static uint32_t label_of(const struct errors *e, const struct tv_column *const *column,
			 const bool *chosen, uint32_t row)
{
	char *text = tv_strdup("");
	uint32_t label;

	for (size_t i = 0; i < e->nkeys; i++) {
		char *cell, *longer;

		if (chosen != NULL && !chosen[i])
			continue;
		cell = tv_cell_copy(column[i], row);
		longer = tv_format("%s%s\x1f", text, cell);
		tv_free(cell);
		tv_free(text);
		text = longer;
	}
	label = tv_intern_text(e->pool, text);
	tv_free(text);
	return label;
}

static int fail_key(const struct errors *e, const char *text, size_t n, struct tv_error *err)
{
	char *wanted = tv_strndup(text, n);
	struct tv_name_list names = { .n = 0 };
	struct tv_near near;

	tv_near_init(&near, wanted);
	for (size_t k = 0; k < e->nkeys; k++) {
		tv_name_list_add(&names, e->key[k]->name);
		tv_near_offer(&near, e->key[k]->name);
	}
	tv_fail_usage(err, "--by: the cases have no column '%s'%s, expected one of %s", wanted,
		      tv_near_text(&near), tv_name_list_text(&names));
	tv_free(wanted);
	return -1;
}

static int find_keys(struct errors *e, struct tv_error *err)
{
	const struct tv_table *table = e->source[0].table;

	for (size_t i = 0; i < table->ncols; i++) {
		if (is_result(e, table->col[i]->name))
			continue;
		if (e->nkeys == KEYS_MAX)
			return tv_fail_at(err, (struct tv_pos){ e->source[0].path, 1 },
					  "more than %d columns", KEYS_MAX);
		e->by[e->nkeys] = tv_value_lists(e->options->by, table->col[i]->name);
		e->key[e->nkeys++] = tv_table_at(table, i);
	}
	for (const char *at = e->options->by; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ","), k = 0;

		while (k < e->nkeys
		       && (strlen(e->key[k]->name) != n || memcmp(e->key[k]->name, at, n) != 0))
			k++;
		if (k == e->nkeys)
			return fail_key(e, at, n, err);
		at += n + (at[n] == ',');
	}
	return 0;
}

static int read_native(struct errors *e, struct tv_error *err)
{
	const struct tv_error_source *source = &e->source[0];

	e->native = find_time(source, "Native", e->nsources > 1, err);
	if (e->native == NULL || find_keys(e, err) < 0)
		return -1;
	for (uint32_t row = 0; row < source->table->nrows; row++) {
		uint32_t of = label_of(e, e->key, NULL, row), *known = tv_map_at(&e->row, of, 0);
		int64_t ns;

		if (!read_time(e->native, row, &ns))
			continue;
		if (ns <= 0)
			return tv_fail_at(err, (struct tv_pos){ source->path, (long)row + 2 },
					  "the native run takes no time");
		if (*known != TV_NONE && e->nsources > 1)
			return tv_fail_at(err, (struct tv_pos){ source->path, (long)row + 2 },
					  "the case of line %u again, expected one native time for "
					  "each",
					  *known + 2);
		*known = row;
	}
	return 0;
}

/* The columns of a source that a case, a model and a parameter are in. */
struct places {
	const struct tv_column *key[KEYS_MAX], *model, *parameter, *simulated;
	struct tv_expr *where;
};

static int find_places(const struct errors *e, const struct tv_error_source *source,
		       struct places *p, struct tv_error *err)
{
	const struct tv_error_options *options = e->options;

	*p = (struct places){ .model = tv_table_find(source->table, "Model") };
	if (p->model == NULL)
		p->model = tv_table_find(source->table, "Scheduler");
	p->simulated = find_time(source, "Simulated", e->nsources > 1, err);
	if (p->simulated == NULL)
		return -1;
	for (size_t i = 0; i < e->nkeys; i++) {
		p->key[i] = tv_table_find(source->table, e->key[i]->name);
		if (p->key[i] == NULL)
			return tv_fail_at(err, (struct tv_pos){ source->path, 1 },
					  "no column %s, in which the cases of %s differ",
					  e->key[i]->name, e->source[0].path);
	}
	if (options->fit != NULL) {
		struct tv_near near;

		p->parameter = tv_table_find(source->table, options->fit);
		if (p->parameter == NULL || p->parameter->type != TV_DOUBLE)
			return tv_fail_usage(err, "--fit: %s has no column '%s' with numbers%s",
					     source->path, options->fit,
					     tv_near_column(&near, options->fit, source->table));
	}
	if (options->fit_where != NULL)
		p->where = tv_expr_new(options->fit_where, source->table, err);
	return options->fit_where != NULL && p->where == NULL ? -1 : 0;
}

static void read_simulated(struct errors *e, const struct tv_error_source *source,
			   const struct places *p)
{
	for (uint32_t row = 0; row < source->table->nrows; row++) {
		struct entry entry = { .of = label_of(e, p->key, NULL, row),
				       .parameter = NAN,
				       .kept = true };
		const uint32_t *native = tv_map_get(&e->row, entry.of, 0);
		char *model;

		/* In a table of both each row has its own native time. */
		entry.native_row = e->nsources == 1 ? row : native != NULL ? *native : TV_NONE;
		if (entry.native_row == TV_NONE
		    || !read_time(e->native, entry.native_row, &entry.native)
		    || !read_time(p->simulated, row, &entry.simulated))
			continue;
		if (p->parameter != NULL) {
			if (tv_missing(p->parameter, row))
				continue;
			entry.parameter = p->parameter->d[row];
		}
		model = p->model != NULL ? tv_cell_copy(p->model, row) : tv_strdup(source->label);
		entry.model = tv_intern_text(e->pool, model);
		tv_free(model);
		entry.group = label_of(e, p->key, e->by, row);
		entry.fits = p->where == NULL || tv_expr_holds(p->where, row);
		entry.error = 100 * (double)(entry.native - entry.simulated) / (double)entry.native;
		TV_GROW(e->entry, e->n, e->cap, 1);
		e->entry[e->n++] = entry;
	}
}

static int by_case(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;

	if ((*x)->group != (*y)->group)
		return TV_COMPARE((*x)->group, (*y)->group);
	if ((*x)->model != (*y)->model)
		return TV_COMPARE((*x)->model, (*y)->model);
	if ((*x)->parameter != (*y)->parameter && !isnan((*x)->parameter))
		return TV_COMPARE((*x)->parameter, (*y)->parameter);
	return (*x)->of != (*y)->of ? TV_COMPARE((*x)->of, (*y)->of) : TV_COMPARE(*x, *y);
}

static bool same_group(const struct entry *a, const struct entry *b)
{
	return a->group == b->group && a->model == b->model;
}

static bool same_parameter(const struct entry *a, const struct entry *b)
{
	return same_group(a, b) && (a->parameter == b->parameter || isnan(a->parameter));
}

static int fail_model(const struct errors *e, const struct entry *entry, const char *what,
		      struct tv_error *err)
{
	return tv_fail_usage(err, what, tv_pool_text(e->pool, entry->model));
}

/* Keeps, of the entries [0, n) of one model and group, sorted by parameter, those of the best one. */
static int keep_best(const struct errors *e, struct entry **entry, size_t n, struct tv_error *err)
{
	double best = INFINITY;
	size_t max = 0, chosen = n;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0, end; i < n; i = end) {
			size_t count = 0;
			double sum = 0;

			for (end = i; end < n && same_parameter(entry[end], entry[i]); end++)
				if (entry[end]->fits) {
					sum += fabs(entry[end]->error);
					count++;
				}
			if (pass == 0)
				max = count > max ? count : max;
			else if (count == max && count > 0 && sum / (double)count < best) {
				best = sum / (double)count;
				chosen = i;
			}
		}
	if (chosen == n)
		return fail_model(e, entry[0], "--fit-where chooses no case of the model '%s'",
				  err);
	for (size_t i = 0; i < n; i++)
		entry[i]->kept = same_parameter(entry[i], entry[chosen]);
	return 0;
}

static int choose_parameters(struct errors *e, struct tv_error *err)
{
	struct entry **sorted = tv_alloc(e->n + 1, sizeof(struct entry *));
	int rc = 0;

	for (size_t i = 0; i < e->n; i++)
		sorted[i] = &e->entry[i];
	qsort(sorted, e->n, sizeof *sorted, by_case);
	for (size_t i = 1; i < e->n && rc == 0; i++)
		if (same_parameter(sorted[i - 1], sorted[i]) && sorted[i - 1]->of == sorted[i]->of)
			rc = fail_model(e, sorted[i],
					"the model '%s' has two times for one case; a column that "
					"the native table has too would distinguish them, or --fit",
					err);
	for (size_t i = 0, end; i < e->n && rc == 0 && e->options->fit != NULL; i = end) {
		for (end = i; end < e->n && same_group(sorted[i], sorted[end]); end++)
			;
		rc = keep_best(e, sorted + i, end - i, err);
	}
	tv_free(sorted);
	return rc;
}

/* ---- output ---- */

struct columns {
	struct tv_column *key[KEYS_MAX], *fixed[TV_COUNT(tv_errors_columns)], *parameter, *ratio;
};

static int make_columns(const struct errors *e, struct tv_table *out, struct columns *c,
			struct tv_error *err)
{
	*c = (struct columns){ .parameter = NULL };
	for (size_t i = 0; i < e->nkeys; i++) {
		c->key[i] = tv_table_column(out, e->key[i]->name, e->key[i]->type, err);
		if (c->key[i] == NULL)
			return -1;
	}
	for (size_t i = 0; i < tv_nerrors_columns; i++) {
		c->fixed[i] = tv_table_column(out, tv_errors_columns[i].name,
					      tv_errors_columns[i].type, err);
		if (c->fixed[i] == NULL)
			return -1;
	}
	if (e->options->fit != NULL) {
		c->parameter = tv_table_column(out, e->options->fit, TV_DOUBLE, err);
		if (c->parameter == NULL)
			return -1;
	}
	if (e->options->reference != NULL)
		c->ratio = tv_table_column(out, "Ratio", TV_DOUBLE, err);
	return 0;
}

static void set_key(const struct tv_column *from, uint32_t row, struct tv_column *to, uint32_t at)
{
	size_t n;
	const char *text;

	if (tv_missing(from, row))
		return;
	if (from->type == TV_DOUBLE)
		tv_set_double(to, at, from->d[row]);
	else if (from->type == TV_LABEL) {
		text = tv_string(from, row, &n);
		tv_set_string(to, at, text, n);
	} else if (from->type == TV_TIME || from->type == TV_INT)
		tv_set_int(to, at, from->i[row]);
}

/* The time of the reference model in the case of an entry; 0: there is none. */
static int64_t reference_of(const struct errors *e, const struct tv_map *reference,
			    const struct entry *entry)
{
	const uint32_t *at = tv_map_get(reference, entry->of, 0);

	return at != NULL ? e->entry[*at].simulated : 0;
}

static void write_entry(const struct errors *e, const struct entry *entry,
			const struct tv_map *reference, const struct columns *c,
			struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);

	for (size_t i = 0; i < e->nkeys; i++)
		set_key(e->key[i], entry->native_row, c->key[i], row);
	tv_set_text(c->fixed[MODEL], row, tv_pool_text(e->pool, entry->model));
	tv_set_int(c->fixed[CASES], row, 1);
	tv_set_int(c->fixed[NATIVE], row, entry->native);
	tv_set_int(c->fixed[SIMULATED], row, entry->simulated);
	tv_set_double(c->fixed[ERROR], row, entry->error);
	tv_set_double(c->fixed[ABSOLUTE], row, fabs(entry->error));
	if (c->parameter != NULL)
		tv_set_double(c->parameter, row, entry->parameter);
	if (c->ratio != NULL && reference_of(e, reference, entry) > 0)
		tv_set_double(c->ratio, row,
			      (double)entry->simulated / (double)reference_of(e, reference, entry));
}

/* The means of the model and group of the first entry of it. */
static void write_means(const struct errors *e, const struct entry *first, const struct columns *c,
			struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);
	double sum = 0, absolute = 0;
	int64_t cases = 0;

	for (const struct entry *entry = first; entry < e->entry + e->n; entry++)
		if (entry->kept && same_group(entry, first)) {
			sum += entry->error;
			absolute += fabs(entry->error);
			cases++;
		}
	for (size_t i = 0; i < e->nkeys; i++)
		if (e->by[i])
			set_key(e->key[i], first->native_row, c->key[i], row);
	tv_set_text(c->fixed[MODEL], row, tv_pool_text(e->pool, first->model));
	tv_set_int(c->fixed[CASES], row, cases);
	tv_set_double(c->fixed[ERROR], row, sum / (double)cases);
	tv_set_double(c->fixed[ABSOLUTE], row, absolute / (double)cases);
	if (c->parameter != NULL)
		tv_set_double(c->parameter, row, first->parameter);
}

static int write_all(struct errors *e, struct tv_table *out, struct tv_error *err)
{
	struct tv_map reference = { 0 }, groups = { 0 };
	struct columns columns;
	int rc = make_columns(e, out, &columns, err);

	for (size_t i = 0; rc == 0 && e->options->reference != NULL && i < e->n; i++)
		if (e->entry[i].kept
		    && strcmp(tv_pool_text(e->pool, e->entry[i].model), e->options->reference) == 0)
			tv_map_put(&reference, e->entry[i].of, 0, (uint32_t)i);
	if (rc == 0 && e->options->reference != NULL && reference.n == 0)
		rc = tv_fail_usage(err, "--reference '%s', expected a model of the table",
				   e->options->reference);
	for (size_t i = 0; rc == 0 && i < e->n; i++)
		if (e->entry[i].kept)
			write_entry(e, &e->entry[i], &reference, &columns, out);
	for (size_t i = 0; rc == 0 && i < e->n; i++) {
		uint32_t *known;

		if (!e->entry[i].kept)
			continue;
		known = tv_map_at(&groups, e->entry[i].group, e->entry[i].model);
		if (*known == TV_NONE)
			write_means(e, &e->entry[i], &columns, out);
		*known = (uint32_t)i;
	}
	tv_table_finish(out);
	tv_map_release(&reference);
	tv_map_release(&groups);
	return rc;
}

int tv_errors(const struct tv_error_source *source, size_t n,
	      const struct tv_error_options *options, struct tv_table *out, struct tv_error *err)
{
	struct errors e = {
		.source = source, .nsources = n, .options = options, .pool = tv_pool_new()
	};
	int rc = read_native(&e, err);

	for (size_t i = n > 1; i < n && rc == 0; i++) {
		struct places places;

		rc = find_places(&e, &source[i], &places, err);
		if (rc == 0)
			read_simulated(&e, &source[i], &places);
		tv_expr_free(places.where);
	}
	if (rc == 0 && e.n == 0)
		rc = tv_fail(err, "no simulated time has a native one of the same case");
	if (rc == 0)
		rc = choose_parameters(&e, err);
	if (rc == 0)
		rc = write_all(&e, out, err);
	tv_map_release(&e.row);
	tv_pool_free(e.pool);
	tv_free(e.entry);
	return rc;
}
