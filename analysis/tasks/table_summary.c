/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_summary.c -- measures that a user asks of the groups of any table. */
#include "analysis/tasks/table_summary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/instead.h"
#include "analysis/core/measure.h"
#include "analysis/tasks/nesting.h"
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

/* Each of its columns three times: by what equals what, as integers, and as doubles. */
static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct tv_table *table = data;
	const struct tv_column *c = table->col[column % table->ncols];
	double real;

	if (tv_missing(c, row))
		return false;
	if (column < table->ncols) {
		*number = (int64_t)tv_cell_key(c, row);
	} else if (column < 2 * table->ncols) {
		*number = c->i[row];
	} else {
		if (!tv_cell_number(c, row, &real))
			return false;
		*number = tv_ordered(real);
	}
	return true;
}

static bool has_reals(const struct tv_column *column)
{
	return column->type == TV_DOUBLE || column->type == TV_TEXT;
}

/* ---- the table ---- */

/* The table of the trace of that name; NULL if there is none. */
static const struct tv_table *table_of_trace(const struct tv_run *run, const char *of)
{
	for (int id = 0; id < TV_NTABLES; id++)
		if (strcmp(tv_schema[id].name, of) == 0)
			return tv_trace_table(run->trace, id);
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
	const struct tv_table *table = table_of_trace(run, of);

	if (strcmp(of, TV_INPUT_TABLE) == 0)
		return table_of_input(run, err);
	if (pass != NULL && pass->kind == TV_SUMMARIZE && (table == NULL || table->nrows == 0))
		return tv_run_pass(run, of, NULL, err);
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
	else if (table->nrows == 0)
		tv_fail_lacks(err, run->trace, "summary: the trace has no rows of the table %s",
			      of);
	else
		return table;
	return NULL;
}

struct table_summary {
	char has[64]; /* "links has", for messages */
	const struct tv_table *table;
	struct tv_table *out;
	struct tv_keys keys;
	struct tv_measure_spec *measure;
	size_t n, cap;
};

/* The place of a column that a measure names; -1 with *err. */
static int find_column(const struct table_summary *work, const struct asked *asked,
		       const char *name, struct tv_error *err)
{
	const struct tv_column *column = tv_key_column(work->table, work->has, "measure", name,
						       err);
	int place = 0;

	if (column == NULL)
		return -1;
	if (asked->kind.takes == NUMBERS && column->type == TV_LABEL)
		return tv_fail(
			err, "--measure: column '%s' holds names, expected known:%s or distinct:%s",
			name, name, name);
	while (work->table->col[place] != column)
		place++;
	return place;
}

/* Adds a column of the result for a measure of a column, which is NULL for rows. */
static int add_result(struct table_summary *work, const struct asked *asked,
		      const struct tv_column *column, struct tv_error *err)
{
	const struct kind *kind = &asked->kind;
	bool ratio = kind->kind == TV_MEASURE_SHARE || kind->kind == TV_MEASURE_RATE;
	enum tv_type type = kind->gives == WHOLE			  ? TV_INT
			  : column->type == TV_TIME && !ratio		  ? TV_TIME
			  : column->type == TV_INT && kind->gives == SAME ? TV_INT
									  : TV_DOUBLE;
	char number[12] = "", *name;
	int rc = 0;

	if (kind->word[1] == '\0')
		snprintf(number, sizeof number, "%u", kind->percent);
	name = asked->name != NULL ? tv_strdup(asked->name)
	     : asked->per != NULL
		     ? tv_format("%sPer%s", column->name, asked->per)
		     : tv_format("%s%s%s", kind->name, number, column == NULL ? "" : column->name);
	if (tv_table_find(work->out, name) != NULL)
		rc = tv_fail_usage(err,
				   "--measure: column '%s' twice, expected another name, as in "
				   "NAME=sum:Size",
				   name);
	else
		tv_table_column(work->out, name, type, err);
	tv_free(name);
	return rc;
}

static int add_measure(struct table_summary *work, const struct asked *asked, struct tv_error *err)
{
	const struct tv_column *column = NULL, *per = NULL;
	unsigned ncols = (unsigned)work->table->ncols, as;
	int of = 0, to = 0;

	if (asked->column != NULL) {
		of = find_column(work, asked, asked->column, err);
		to = asked->per == NULL ? 0 : find_column(work, asked, asked->per, err);
		if (of < 0 || to < 0)
			return -1;
		column = work->table->col[of];
		per = asked->per == NULL ? NULL : work->table->col[to];
	}
	if (add_result(work, asked, column, err) < 0)
		return -1;
	as = asked->kind.takes != NUMBERS			  ? 0
	   : has_reals(column) || (per != NULL && has_reals(per)) ? 2
								  : 1;
	TV_GROW(work->measure, work->n, work->cap, 1);
	work->measure[work->n++] = (struct tv_measure_spec){
		.to = (unsigned)work->out->ncols - 1,
		.kind = asked->kind.kind,
		.of = as * ncols + (unsigned)of,
		.per = as * ncols + (unsigned)to,
		.percent = asked->kind.percent,
		.real = as == 2,
		/* Times are written in ms. */
		.factor = (column != NULL && column->type == TV_TIME ? 1 : 1e6)
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

/* ---- regions ---- */

/* Words of --by, and the columns of the table of regions that they are. */
static const struct {
	const char *word, *columns;
} region_words[] = {
	{ "path", "CallPath" },
	{ "place", "Name,Site" },
	{ "thread", "ResourceId" },
};

static const char region_measures[] =
	"Count=rows,Inclusive=sum:Inclusive,Exclusive=sum:Exclusive,Share=share:Exclusive";

/* The columns of a list of those words alone, to be freed; NULL: it is another one. */
static char *region_columns(const char *by)
{
	char *columns = NULL;
	const char *word;
	size_t n, i;

	while ((word = tv_list_word(&by, &n)) != NULL) {
		for (i = 0; i < TV_COUNT(region_words); i++)
			if (strlen(region_words[i].word) == n
			    && memcmp(region_words[i].word, word, n) == 0)
				break;
		if (i == TV_COUNT(region_words)) {
			tv_free(columns);
			return NULL;
		}
		tv_append(&columns, "%s%s", columns == NULL ? "" : ",", region_words[i].columns);
	}
	return columns;
}

/* The regions of one table of the trace as a table, and where they are in the nesting. */
struct regions {
	struct tv_nesting nesting;
	struct tv_table table;
	struct tv_column *inclusive;
	uint32_t *of_row; /* of the table */
};

/* of: calls, states or tasks. */
static void regions_init(struct regions *regions, struct tv_run *run, const struct tv_table *of)
{
	static const struct tv_field fields[] = {
		{ "CallPath", TV_LABEL, false, "", "" },
		{ "Name", TV_LABEL, false, "", "" },
		{ "Site", TV_LABEL, false, "", "" },
		{ "ResourceId", TV_LABEL, false, "", "" },
		{ "Inclusive", TV_TIME, false, "ms", "" },
		{ "Exclusive", TV_TIME, false, "ms", "" },
		{ "Duration", TV_TIME, false, "ms", "" },
	};
	struct tv_nesting *nesting = &regions->nesting;
	struct tv_table *table = &regions->table;
	uint32_t *path;

	tv_nesting_init(nesting, run);
	path = tv_nesting_texts(nesting, run->trace->pool);
	tv_table_init(table, run->trace->pool);
	tv_add_fields(table, fields, TV_COUNT(fields));
	regions->inclusive = table->col[4];
	regions->of_row = tv_alloc(nesting->n, sizeof *regions->of_row);
	for (uint32_t i = 0; i < nesting->n; i++) {
		const struct tv_nested *region = &nesting->at[i];
		uint32_t row;

		if (&run->trace->table[region->table] != of)
			continue;
		row = tv_table_add_row(table);
		regions->of_row[row] = i;
		tv_set_label(table->col[0], row, path[region->path]);
		tv_set_label(table->col[1], row, region->name);
		if (region->site != TV_NONE)
			tv_set_label(table->col[2], row, region->site);
		tv_set_label(table->col[3], row, region->resource);
		tv_set_int(table->col[5], row, region->exclusive);
		tv_set_int(table->col[6], row, region->end - region->start);
	}
	tv_table_finish(table);
	tv_free(path);
}

static void regions_release(struct regions *regions)
{
	tv_nesting_release(&regions->nesting);
	tv_table_release(&regions->table);
	tv_free(regions->of_row);
}

/* Inclusive is missing for a region inside another one of its group. */
static void count_once(struct regions *regions, const struct tv_grouping *by)
{
	uint32_t *group = tv_alloc(regions->nesting.n, sizeof *group);
	bool *repeats;

	memset(group, 0xff, (size_t)regions->nesting.n * sizeof *group); /* TV_NONE */
	for (uint32_t row = 0; row < by->nrows; row++)
		group[regions->of_row[row]] = by->of_row[row];
	repeats = tv_nesting_repeats(&regions->nesting, group, by->n);
	for (uint32_t row = 0; row < by->nrows; row++) {
		const struct tv_nested *region = &regions->nesting.at[regions->of_row[row]];

		if (!repeats[regions->of_row[row]])
			tv_set_int(regions->inclusive, row, region->end - region->start);
	}
	tv_table_finish(&regions->table);
	tv_free(repeats);
	tv_free(group);
}

int tv_table_summary(struct tv_run *run, const char *of, const char *by, const char *measures,
		     struct tv_table *out, struct tv_error *err)
{
	struct table_summary work = { .table = find_table(run, of, err), .out = out };
	struct tv_measured_rows rows = { number_of, NULL };
	const struct tv_column *column[TV_GROUP_COLUMNS_MAX];
	struct regions regions = { 0 };
	char *words = region_columns(by);
	int rc = -1, n;

	if (work.table != NULL && words != NULL && tv_is_region_table(run->trace, work.table)) {
		regions_init(&regions, run, work.table);
		work.table = &regions.table;
		by = words;
		measures = measures != NULL ? measures : region_measures;
	}
	snprintf(work.has, sizeof work.has, "%.50s has",
		 strcmp(of, TV_INPUT_TABLE) == 0 ? "the input" : of);
	n = work.table == NULL ? -1 : tv_key_columns(work.table, work.has, "by", by, column, err);
	if (n >= 0 && tv_keys_of(&work.keys, work.table, column, (size_t)n, "by", out, err) == 0)
		rc = add_measures(&work, measures != NULL ? measures : "rows", err);
	if (rc == 0 && work.table == &regions.table)
		count_once(&regions, &work.keys.by);
	if (rc == 0) {
		rows.data = work.table;
		tv_measure_groups(&rows, &work.keys.groups, work.measure, work.n, out, out->col);
		for (uint32_t g = 0; g < work.keys.by.n; g++)
			tv_keys_write(&work.keys, g, g);
	}
	tv_keys_release(&work.keys);
	tv_free(work.measure);
	tv_free(words);
	regions_release(&regions);
	return rc;
}
