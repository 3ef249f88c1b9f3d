/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_summary.c -- measures that a user asks of the groups of any table. */
#include "analysis/tasks/table_summary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/instead.h"
#include "analysis/core/tallied.h"
#include "analysis/tasks/region_rows.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/text.h"

/* What a measure takes from its column, and the type of the result. */
enum takes { NOTHING, CELLS, NUMBERS };
enum gives { WHOLE, REAL, SAME };

static const struct kind {
	const char *word, *name; /* name: begins that of the column of the result */
	enum tv_measure_kind kind;
	enum takes takes;
	enum gives gives; /* REAL: times are times still, but for shares and rates */
	unsigned percent;
} kinds[] = {
	{ "rows", "Rows", TV_MEASURE_ROWS, NOTHING, WHOLE },
	{ "known", "Known", TV_MEASURE_KNOWN, CELLS, WHOLE },
	{ "distinct", "Distinct", TV_MEASURE_DISTINCT, CELLS, WHOLE },
	{ "sum", "Sum", TV_MEASURE_SUM_KNOWN, NUMBERS, SAME },
	{ "mean", "Mean", TV_MEASURE_MEAN, NUMBERS, REAL },
	{ "sd", "SD", TV_MEASURE_SD, NUMBERS, REAL },
	{ "min", "Min", TV_MEASURE_MIN, NUMBERS, SAME },
	{ "max", "Max", TV_MEASURE_MAX, NUMBERS, SAME },
	{ "median", "Median", TV_MEASURE_QUANTILE, NUMBERS, REAL, 50 },
	{ "only", "Only", TV_MEASURE_ONLY, NUMBERS, SAME },
	{ "share", "Share", TV_MEASURE_SHARE, NUMBERS, REAL },
	{ "rate", "", TV_MEASURE_RATE, NUMBERS, REAL },
	{ "p", "P", TV_MEASURE_QUANTILE, NUMBERS,
	  REAL }, /* the last one: with a number behind it */
};

/* A word of the list. */
struct asked {
	struct kind kind;
	char *name, *column, *per; /* owned; name NULL = the usual one; column, per NULL = none */
};

static void asked_release(struct asked *asked)
{
	tv_free(asked->name);
	tv_free(asked->column);
	tv_free(asked->per);
}

/* ---- the list ---- */

static bool find_kind(const char *word, size_t n, struct kind *kind)
{
	unsigned percent = 0;

	for (size_t i = 0; i + 1 < TV_COUNT(kinds); i++)
		if (strlen(kinds[i].word) == n && strncmp(kinds[i].word, word, n) == 0) {
			*kind = kinds[i];
			return true;
		}
	if (n < 2 || n > 4 || word[0] != 'p')
		return false;
	for (size_t i = 1; i < n; i++) {
		if (!isdigit((unsigned char)word[i]))
			return false;
		percent = 10 * percent + (unsigned)(word[i] - '0');
	}
	*kind = kinds[TV_COUNT(kinds) - 1];
	kind->percent = percent;
	return percent <= 100;
}

/* Reads word[0..n); release *asked in any case. */
static int read_word(const char *word, size_t n, struct asked *asked, struct tv_error *err)
{
	const char *equals = memchr(word, '=', n), *begin = equals == NULL ? word : equals + 1,
		   *end = word + n, *colon = memchr(begin, ':', (size_t)(end - begin));
	const char *behind = colon == NULL ? end : colon + 1, *slash = NULL;

	*asked = (struct asked){ 0 };
	if (!find_kind(begin, (size_t)((colon == NULL ? end : colon) - begin), &asked->kind))
		return tv_fail_usage(
			err,
			"--measure '%.*s', expected rows, or known, distinct, sum, mean, "
			"sd, min, max, median, p0 to p100, only or share with a column as "
			"in sum:Size, or rate:COLUMN/COLUMN",
			(int)n, word);
	if (asked->kind.kind == TV_MEASURE_RATE)
		slash = memchr(behind, '/', (size_t)(end - behind));
	if (equals == word || (colon == NULL) != (asked->kind.takes == NOTHING)
	    || (colon != NULL && behind == end)
	    || (asked->kind.kind == TV_MEASURE_RATE
		&& (slash == NULL || slash == behind || slash + 1 == end)))
		return tv_fail_usage(err, "--measure '%.*s', expected %s", (int)n, word,
				     asked->kind.kind == TV_MEASURE_RATE ? "rate:COLUMN/COLUMN"
				     : asked->kind.takes == NOTHING	 ? "rows without a column"
								    : "a column, as in sum:Size");
	if (equals != NULL)
		asked->name = tv_strndup(word, (size_t)(equals - word));
	if (colon != NULL)
		asked->column = tv_strndup(behind,
					   (size_t)((slash == NULL ? end : slash) - behind));
	if (slash != NULL)
		asked->per = tv_strndup(slash + 1, (size_t)(end - slash - 1));
	return 0;
}

int tv_table_summary_check(const char *measures, struct tv_error *err)
{
	const char *word;
	size_t n;

	while ((word = tv_list_word(&measures, &n)) != NULL) {
		struct asked asked;
		int rc = read_word(word, n, &asked, err);

		asked_release(&asked);
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* ---- numbers of the table ---- */

enum { CELL, INTEGER, REAL_NUMBER, FORMS }; /* by what equals what, as integers, as doubles */

/* Columns of a table of which there are measures: each in its forms. */
struct numbers {
	const struct tv_column **column;
	size_t n, cap;
};

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct numbers *numbers = data;
	const struct tv_column *c = numbers->column[column / FORMS];
	double real;

	if (tv_missing(c, row))
		return false;
	switch (column % FORMS) {
	case CELL:
		*number = (int64_t)tv_cell_key(c, row);
		return true;
	case INTEGER:
		*number = c->i[row];
		return true;
	default:
		if (!tv_cell_number(c, row, &real))
			return false;
		*number = tv_ordered(real);
		return true;
	}
}

static bool has_reals(const struct tv_column *column)
{
	return column->type == TV_DOUBLE || column->type == TV_TEXT;
}

/* ---- the table ---- */

#define NO_ROWS "summary: the trace has no rows of the table %s"

/* TV_NTABLES = none of that name. */
static enum tv_table_id id_of(const char *of)
{
	int id = 0;

	while (id < TV_NTABLES && strcmp(tv_schema[id].name, of) != 0)
		id++;
	return (enum tv_table_id)id;
}

static bool has_rows(const struct tv_run *run, enum tv_table_id id)
{
	return id < TV_NTABLES
	    && (tv_trace_table(run->trace, id)->nrows > 0
		|| (run->parts != NULL && run->parts->of_table[id] > 0));
}

/* The result of a verb, which may need more than what comes in parts. */
static const struct tv_table *table_of_pass(struct tv_run *run, const struct tv_pass *pass,
					    struct tv_error *err)
{
	if (run->parts == NULL)
		return tv_run_pass(run, pass->name, NULL, err);
	tv_fail_parts(err, "--of %s: the trace has no such table, the verb needs all rows at once",
		      pass->name);
	return NULL;
}

/* The CSV that was read instead of a trace; NULL with *err. */
static const struct tv_table *table_of_input(const struct tv_run *run, struct tv_error *err)
{
	const struct tv_table *table = &run->trace->plain;

	if (table->ncols > 0)
		return table;
	tv_fail(err, "--of -: expected a CSV with a header");
	return NULL;
}

/* Neither a table nor a verb with one; returns NULL. */
static const struct tv_table *fail_table(const char *of, struct tv_error *err)
{
	struct tv_near near;

	tv_near_init(&near, of);
	for (int id = 0; id < TV_NTABLES; id++)
		tv_near_offer(&near, tv_schema[id].name);
	tv_fail_usage(
		err,
		"--of '%s', expected a table of the trace (traceviz info lists them) or a verb "
		"that gives a table%s",
		of, tv_near_text(&near)[0] != '\0' ? tv_near_text(&near) : tv_pass_near(&near, of));
	return NULL;
}

/* NULL with *err. */
static const struct tv_table *find_table(struct tv_run *run, const char *of, struct tv_error *err)
{
	const struct tv_pass *pass = tv_pass_find(of);
	enum tv_table_id id = id_of(of);
	const struct tv_table *table = id < TV_NTABLES ? tv_trace_table(run->trace, id) : NULL;

	if (strcmp(of, TV_INPUT_TABLE) == 0)
		return table_of_input(run, err);
	if (pass != NULL && pass->kind == TV_SUMMARIZE && !has_rows(run, id))
		return table_of_pass(run, pass, err);
	if (table == NULL && pass == NULL)
		return fail_table(of, err);
	if (table == NULL)
		tv_fail_usage(err,
			      "--of %s: it adds columns to tasks; give its output to traceviz "
			      "summary --of tasks",
			      of);
	else if (run->chosen != NULL)
		tv_fail_usage(err,
			      "--of %s: --node and --resource do not choose rows of a table; "
			      "--restrict cuts the trace",
			      of);
	else if (!has_rows(run, id))
		tv_fail_lacks(err, run->trace, NO_ROWS, of);
	else
		return table;
	return NULL;
}

/* A measure, and the column of the result that it gives. */
struct wanted {
	char *name;
	enum tv_type type;
};

struct table_summary {
	char has[64];		      /* "links has", for messages */
	const struct tv_table *table; /* what it is like; of a run in parts it has no rows */
	const struct tv_table
		*made;	     /* the table with all rows, of no trace; NULL = that of the trace */
	enum tv_table_id id; /* of the trace; TV_NTABLES = none */
	struct tv_table *out;
	const struct tv_column *by[TV_GROUP_COLUMNS_MAX];
	int nby;
	struct numbers numbers;
	struct tv_measure_spec *measure;
	struct wanted *wanted; /* by measure */
	size_t n, cap, wanted_cap;
	struct tv_tallied tallied;
	uint64_t rows;
};

/* The place among the numbers of a column that a measure names; -1 with *err. */
static int find_column(struct table_summary *work, const struct asked *asked, const char *name,
		       struct tv_error *err)
{
	struct numbers *numbers = &work->numbers;
	const struct tv_column *column = tv_key_column(work->table, work->has, "measure", name,
						       err);
	size_t place = 0;

	if (column == NULL)
		return -1;
	if (asked->kind.takes == NUMBERS && column->type == TV_LABEL)
		return tv_fail(
			err, "--measure: column '%s' holds names, expected known:%s or distinct:%s",
			name, name, name);
	while (place < numbers->n && numbers->column[place] != column)
		place++;
	if (place == numbers->n) {
		TV_GROW(numbers->column, numbers->n, numbers->cap, 1);
		numbers->column[numbers->n++] = column;
	}
	return (int)place;
}

/* Notes the column of the result for a measure of a column, which is NULL for rows. */
static int add_wanted(struct table_summary *work, const struct asked *asked,
		      const struct tv_column *column, struct tv_error *err)
{
	const struct kind *kind = &asked->kind;
	bool ratio = kind->kind == TV_MEASURE_SHARE || kind->kind == TV_MEASURE_RATE;
	enum tv_type type = kind->gives == WHOLE			  ? TV_INT
			  : column->type == TV_TIME && !ratio		  ? TV_TIME
			  : column->type == TV_INT && kind->gives == SAME ? TV_INT
									  : TV_DOUBLE;
	char number[12] = "", *name;
	bool twice = false;

	if (kind->word[1] == '\0')
		snprintf(number, sizeof number, "%u", kind->percent);
	name = asked->name != NULL ? tv_strdup(asked->name)
	     : asked->per != NULL
		     ? tv_format("%sPer%s", column->name, asked->per)
		     : tv_format("%s%s%s", kind->name, number, column == NULL ? "" : column->name);
	for (int i = 0; i < work->nby; i++)
		twice = twice || strcmp(work->by[i]->name, name) == 0;
	for (size_t i = 0; i < work->n; i++)
		twice = twice || strcmp(work->wanted[i].name, name) == 0;
	TV_GROW(work->wanted, work->n, work->wanted_cap, 1);
	TV_GROW(work->measure, work->n, work->cap, 1);
	work->wanted[work->n++] = (struct wanted){ name, type };
	return twice ? tv_fail_usage(err,
				     "--measure: column '%s' twice, expected another name, as in "
				     "NAME=sum:Size",
				     name)
		     : 0;
}

static int add_measure(struct table_summary *work, const struct asked *asked, struct tv_error *err)
{
	const struct tv_column *column = NULL, *per = NULL;
	enum tv_type type;
	unsigned as;
	int of = 0, to = 0;

	if (asked->column != NULL) {
		of = find_column(work, asked, asked->column, err);
		to = asked->per == NULL ? 0 : find_column(work, asked, asked->per, err);
		if (of < 0 || to < 0)
			return -1;
		column = work->numbers.column[of];
		per = asked->per == NULL ? NULL : work->numbers.column[to];
	}
	if (add_wanted(work, asked, column, err) < 0)
		return -1;
	type = column == NULL ? TV_INT : column->type;
	as = asked->kind.takes != NUMBERS			  ? CELL
	   : has_reals(column) || (per != NULL && has_reals(per)) ? REAL_NUMBER
								  : INTEGER;
	work->measure[work->n - 1] = (struct tv_measure_spec){
		.to = (unsigned)work->n - 1,
		.kind = asked->kind.kind,
		.of = FORMS * (unsigned)of + as,
		.per = FORMS * (unsigned)to + as,
		.percent = asked->kind.percent,
		.real = as == REAL_NUMBER,
		.labels = as == CELL && (type == TV_LABEL || type == TV_TEXT),
		/* Times are written in ms. */
		.factor = (column != NULL && type == TV_TIME ? 1 : 1e6)
			/ (per != NULL && per->type == TV_TIME ? 1 : 1e6),
	};
	return 0;
}

static int add_measures(struct table_summary *work, const char *measures, struct tv_error *err)
{
	const char *word;
	size_t n;
	int rc = 0;

	while (rc == 0 && (word = tv_list_word(&measures, &n)) != NULL) {
		struct asked asked;

		rc = read_word(word, n, &asked, err);
		if (rc == 0)
			rc = add_measure(work, &asked, err);
		asked_release(&asked);
	}
	return rc;
}

/* ---- all rows ---- */

enum tv_table_id tv_table_summary_reads(const char *of, const char *by)
{
	char *words = tv_region_row_columns(by);
	enum tv_table_id id = words == NULL ? id_of(of) : TV_NTABLES;

	tv_free(words);
	return id;
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct table_summary *work = state;
	const struct tv_table *table = work->made != NULL ? work->made
							  : tv_trace_table(part->trace, work->id);
	const struct tv_column *by[TV_GROUP_COLUMNS_MAX];
	struct numbers numbers = { .column = tv_alloc(work->numbers.n, sizeof *numbers.column) };
	const struct tv_measured_rows rows = { number_of, &numbers };
	struct tv_grouping grouping;
	int rc;

	for (int i = 0; i < work->nby; i++)
		by[i] = tv_table_find(table, work->by[i]->name);
	for (size_t i = 0; i < work->numbers.n; i++)
		numbers.column[i] = tv_table_find(table, work->numbers.column[i]->name);
	tv_grouping_of(&grouping, table, by, (size_t)work->nby);
	rc = tv_tallied_rows(&work->tallied, &rows, &grouping, NULL, err);
	work->rows += table->nrows;
	tv_grouping_release(&grouping);
	tv_free(numbers.column);
	return rc;
}

static int add_all_rows(struct table_summary *work, struct tv_run *run, struct tv_error *err)
{
	int rc;

	if (work->made != NULL)
		return add_rows(work, run, err);
	rc = tv_tallied_run(&work->tallied, run, add_rows, work, err);
	tv_team_add(run->team, &work->rows, 1);
	return rc;
}

static int write_rows(struct table_summary *work, struct tv_error *err)
{
	tv_tallied_sort(&work->tallied);
	for (size_t i = 0; i < work->n; i++)
		if (tv_table_column(work->out, work->wanted[i].name, work->wanted[i].type, err)
		    == NULL)
			return -1;
	tv_tallied_write(&work->tallied, work->out->col + work->tallied.ncolumns);
	return 0;
}

static void release(struct table_summary *work)
{
	tv_tallied_release(&work->tallied);
	for (size_t i = 0; i < work->n; i++)
		tv_free(work->wanted[i].name);
	tv_free(work->wanted);
	tv_free(work->measure);
	tv_free(work->numbers.column);
}

int tv_table_summary(struct tv_run *run, const char *of, const char *by, const char *measures,
		     struct tv_table *out, struct tv_error *err)
{
	struct table_summary work = { .table = find_table(run, of, err),
				      .id = id_of(of),
				      .out = out };
	struct tv_region_rows regions = { 0 };
	char *words = tv_region_row_columns(by);
	int rc = work.table == NULL ? -1 : 0;

	if (rc == 0 && words != NULL && tv_is_region_table(run->trace, work.table)) {
		tv_region_rows_init(&regions, run, work.table);
		work.table = &regions.table;
		by = words;
		measures = measures != NULL ? measures : TV_REGION_MEASURES;
	}
	if (rc == 0 && (work.id == TV_NTABLES || work.table != tv_trace_table(run->trace, work.id)))
		work.made = work.table;
	snprintf(work.has, sizeof work.has, "%.50s has",
		 strcmp(of, TV_INPUT_TABLE) == 0 ? "the input" : of);
	if (rc == 0)
		work.nby = tv_key_columns(work.table, work.has, "by", by, work.by, err);
	if (rc == 0)
		rc = work.nby < 0 ? -1
				  : add_measures(&work, measures != NULL ? measures : "rows", err);
	if (rc == 0 && work.table == &regions.table)
		tv_region_rows_count_once(&regions, work.by, work.nby);
	tv_tallied_init(&work.tallied, "by", tv_run_counts(run), work.measure, work.n, out);
	if (rc == 0)
		rc = add_all_rows(&work, run, err);
	if (rc == 0 && work.rows == 0 && work.made == NULL)
		rc = tv_fail_lacks(err, run->trace, NO_ROWS, of);
	if (rc == 0)
		rc = write_rows(&work, err);
	release(&work);
	tv_free(words);
	tv_region_rows_release(&regions);
	return rc;
}
