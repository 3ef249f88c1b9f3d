/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c -- a trace: its tables, what was wrong with its input, its meta data. */
#include "trace/trace.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/damage.h"
#include "trace/kernels.h"
#include "trace/number.h"
#include "trace/sorted.h"

static void init(struct tv_trace *trace, const struct tv_read_options *options,
		 struct tv_pool *pool)
{
	*trace = (struct tv_trace){ 0 };
	if (options != NULL)
		trace->options = *options;
	trace->pool = pool;
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_init(&trace->table[i], trace->pool);
	tv_table_init(&trace->plain, trace->pool);
}

void tv_trace_init(struct tv_trace *trace, const struct tv_read_options *options)
{
	init(trace, options, tv_pool_new());
}

void tv_trace_init_beside(struct tv_trace *trace, const struct tv_trace *of)
{
	init(trace, &of->options, tv_pool_share(of->pool));
}

void tv_trace_init_piece(struct tv_trace *trace, const struct tv_read_options *options)
{
	init(trace, options, tv_pool_new_piece());
}

void tv_trace_release(struct tv_trace *trace)
{
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_release(&trace->table[i]);
	tv_table_release(&trace->plain);
	tv_free(trace->plain_map);
	for (size_t i = 0; i < trace->ndamage; i++)
		tv_free(trace->damage[i].cause);
	tv_free(trace->damage);
	for (size_t i = 0; i < trace->nleft; i++)
		tv_free(trace->left[i]);
	tv_free(trace->left);
	tv_diagnostics_release(&trace->diagnostics);
	tv_trace_moved(trace);
	tv_pool_free(trace->pool);
	*trace = (struct tv_trace){ 0 };
}

void tv_trace_read_at(struct tv_trace *trace, uint32_t row, struct tv_pos at)
{
	const struct tv_lines *last;

	if (trace->file == NULL && at.file != NULL)
		trace->file = tv_strdup(at.file);
	last = trace->nlines > 0 ? &trace->lines[trace->nlines - 1] : NULL;
	if (last != NULL && at.line - last->line == (long)row - (long)last->row)
		return;
	TV_GROW(trace->lines, trace->nlines, trace->lines_cap, 1);
	trace->lines[trace->nlines++] = (struct tv_lines){ row, at.line };
}

TV_ORDER(by_row, struct tv_lines, row)

static struct tv_pos find_place(const struct tv_trace *trace, uint32_t row)
{
	const struct tv_column *input = tv_table_find(&trace->table[TV_TASKS], TV_INPUT_ROW);
	struct tv_lines key = { row, 0 };
	size_t n;

	if (input != NULL && !trace->options.numbered)
		key.row = row = (uint32_t)input->i[row];
	n = tv_count_upto(&key, trace->lines, trace->nlines, sizeof key, by_row);
	if (n == 0)
		return (struct tv_pos){ 0 };
	return (struct tv_pos){ trace->file,
				trace->lines[n - 1].line + (long)(row - trace->lines[n - 1].row) };
}

struct tv_pos tv_trace_place(const struct tv_trace *trace, uint32_t row)
{
	const struct tv_pos none = { 0 };

	return trace->options.unplaced ? none : find_place(trace, row);
}

/* The row that was read as each, of all n; NULL: some rows are not there. */
static uint32_t *invert(const struct tv_column *input, uint32_t n)
{
	uint32_t *rows = tv_alloc(n, sizeof *rows); /* + 1; 0 = none */
	bool whole = true;

	for (uint32_t row = 0; whole && row < n; row++) {
		uint64_t at = (uint64_t)input->i[row];

		whole = !tv_missing(input, row) && at < n && rows[at] == 0;
		if (whole)
			rows[at] = row + 1;
	}
	for (uint32_t row = 0; whole && row < n; row++)
		rows[row]--;
	if (whole)
		return rows;
	tv_free(rows);
	return NULL;
}

uint32_t *tv_rows_as_read(const struct tv_table *table, uint32_t *rows, uint32_t *n)
{
	const struct tv_column *input = tv_table_find(table, TV_INPUT_ROW);
	int64_t *place;

	if (input == NULL || input->type != TV_INT)
		return rows;
	if (rows == NULL) {
		*n = table->nrows;
		rows = invert(input, *n);
		if (rows != NULL)
			return rows;
		rows = tv_alloc(*n, sizeof *rows);
		for (uint32_t row = 0; row < *n; row++)
			rows[row] = row;
	}
	place = tv_alloc(table->nrows, sizeof *place);
	for (uint32_t row = 0; row < table->nrows; row++)
		place[row] = tv_missing(input, row) ? INT64_MAX : input->i[row];
	tv_sort_rows_by_time(rows, *n, place);
	tv_free(place);
	return rows;
}

void tv_trace_as_read(struct tv_trace *trace)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		struct tv_table *table = &trace->table[id];
		uint32_t n = 0, *rows = tv_rows_as_read(table, NULL, &n);

		if (rows == NULL)
			continue;
		tv_table_sort(table, rows);
		tv_table_drop(table, tv_table_find(table, TV_INPUT_ROW));
		tv_free(rows);
	}
}

static int64_t place_of(const struct tv_trace *trace, const int64_t *place, uint32_t row)
{
	return place != NULL ? place[row] : find_place(trace, row).line;
}

/* Whether all rows, of which there are some, are in a part. */
static bool has_all(const struct tv_row_part *part, const struct tv_column *start)
{
	const uint64_t begin = (uint64_t)part->begin, span = (uint64_t)part->end - begin;
	const int64_t *time = start->i;
	bool outside = false;

	if (part->rest || start->valid != NULL || start->n == 0)
		return false;
	for (uint32_t row = 0, n = start->n; row < n; row++)
		outside |= (uint64_t)time[row] - begin >= span;
	return !outside;
}

void tv_trace_keep_part(struct tv_trace *trace, enum tv_table_id id, const int64_t *place)
{
	struct tv_row_part *part = trace->options.part;
	struct tv_table *table = &trace->table[id], kept;
	const struct tv_column *start = tv_table_find(table, "Start");
	uint32_t *row, n = 0;

	if (part == NULL || (part->tables >> id & 1) == 0 || start == NULL)
		return;
	if (has_all(part, start)) {
		if (id == TV_TASKS) {
			part->first = place_of(trace, place, 0);
			part->last = place_of(trace, place, table->nrows - 1);
		}
		return;
	}
	row = tv_realloc(NULL, table->nrows, sizeof *row);
	for (uint32_t i = 0; i < table->nrows; i++)
		if (tv_missing(start, i)
			    ? part->rest
			    : !part->rest && start->i[i] >= part->begin && start->i[i] < part->end)
			row[n++] = i;
	if (id == TV_TASKS) {
		part->first = n > 0 ? place_of(trace, place, row[0]) : 1;
		part->last = n > 0 ? place_of(trace, place, row[n - 1]) : 0;
	}
	if (n < table->nrows) {
		tv_table_take(table, row, n, &kept);
		tv_table_replace(table, &kept);
		if (id == TV_TASKS)
			tv_trace_moved(trace);
	}
	tv_free(row);
}

void tv_trace_moved(struct tv_trace *trace)
{
	tv_free(trace->file);
	tv_free(trace->lines);
	trace->file = NULL;
	trace->lines = NULL;
	trace->nlines = trace->lines_cap = 0;
}

/* The entry of a cause, added when new. */
static struct tv_damage *find_damage(struct tv_trace *trace, enum tv_damage_kind kind,
				     const char *cause)
{
	struct tv_damage *d;

	for (size_t i = 0; i < trace->ndamage; i++)
		if (trace->damage[i].kind == kind && strcmp(trace->damage[i].cause, cause) == 0)
			return &trace->damage[i];
	TV_GROW(trace->damage, trace->ndamage, trace->damage_cap, 1);
	d = &trace->damage[trace->ndamage];
	*d = (struct tv_damage){ .kind = kind, .cause = tv_strdup(cause) };
	trace->ndamage++;
	return d;
}

void tv_damaged(struct tv_trace *trace, enum tv_damage_kind kind, const char *cause,
		struct tv_pos at, const char *format, ...)
{
	struct tv_damage *damage;
	char text[512];
	va_list args;

	if (trace->repeats)
		return;
	damage = find_damage(trace, kind, cause);
	if (damage->count++ == 0)
		damage->first = trace->diagnostics.n;
	else if (damage->first != TV_UNSAID)
		trace->diagnostics.at[damage->first].records = damage->count;
	if (damage->count > 1 && !trace->options.verbose)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	tv_diagnose(&trace->diagnostics, kind == TV_REPAIRED ? TV_REPAIR : TV_OMISSION, at,
		    "%s: %s", cause, text);
	if (damage->count == 1)
		trace->diagnostics.at[damage->first].records = 1;
}

void tv_damage_count(struct tv_trace *trace, enum tv_damage_kind kind, const char *cause,
		     uint64_t n)
{
	struct tv_damage *damage = n > 0 ? find_damage(trace, kind, cause) : NULL;

	if (damage == NULL)
		return;
	if (damage->count == 0)
		damage->first = trace->diagnostics.n - 1;
	damage->count += n;
}

void tv_damage_unsaid(struct tv_trace *trace, enum tv_damage_kind kind, const char *cause,
		      uint64_t n)
{
	struct tv_damage *damage = n > 0 ? find_damage(trace, kind, cause) : NULL;

	if (damage == NULL)
		return;
	if (damage->count == 0)
		damage->first = TV_UNSAID;
	damage->count += n;
}

/* The damage whose first record a diagnostic shows; NULL: none. */
static const struct tv_damage *damage_of(const struct tv_trace *trace, size_t diagnostic)
{
	for (size_t i = 0; i < trace->ndamage; i++)
		if (trace->damage[i].first == diagnostic
		    && trace->diagnostics.at[diagnostic].records > 0)
			return &trace->damage[i];
	return NULL;
}

void tv_trace_take_damage(struct tv_trace *trace, struct tv_trace *from)
{
	struct tv_diagnostics *to = &trace->diagnostics;
	size_t *place = tv_alloc(from->diagnostics.n, sizeof *place);

	for (size_t i = 0; i < from->diagnostics.n; i++) {
		const struct tv_damage *new = damage_of(from, i);
		bool again = new != NULL &&find_damage(trace, new->kind, new->cause)->count > 0;

		place[i] = to->n;
		if (again && !trace->options.verbose) {
			tv_free(from->diagnostics.at[i].file);
			tv_free(from->diagnostics.at[i].text);
			continue;
		}
		TV_GROW(to->at, to->n, to->cap, 1);
		to->at[to->n++] = from->diagnostics.at[i];
		if (again)
			to->at[place[i]].records = 0;
	}
	from->diagnostics.n = 0;
	for (size_t i = 0; i < from->ndamage; i++) {
		struct tv_damage *damage = find_damage(trace, from->damage[i].kind,
						       from->damage[i].cause);
		size_t first = from->damage[i].first;

		if (damage->count == 0)
			damage->first = first != TV_UNSAID ? place[first] : TV_UNSAID;
		damage->count += from->damage[i].count;
		if (damage->first != TV_UNSAID && to->at[damage->first].records > 0)
			to->at[damage->first].records = damage->count;
		tv_free(from->damage[i].cause);
	}
	from->ndamage = 0;
	tv_free(place);
}

int tv_check_strict(const struct tv_trace *trace, struct tv_error *err)
{
	const struct tv_diagnostic *first;

	if (!trace->options.strict || trace->ndamage == 0)
		return 0;
	if (trace->damage[0].first == TV_UNSAID)
		return tv_fail(err, "%s", trace->damage[0].cause);
	first = &trace->diagnostics.at[trace->damage[0].first];
	return tv_fail_at(err, (struct tv_pos){ first->file, first->line }, "%s", first->text);
}

const char *const tv_damage_prefix[] = {
#define PREFIX(symbol, topic, prefix) [TV_##symbol] = (prefix),
	TV_DAMAGES(PREFIX)
#undef PREFIX
};

static const char *const cuts[] = { TV_CUT_EVENT, TV_CUT_BLOCK, TV_CUT_LINE, TV_CUT_RECORD,
				    TV_CUT_INPUT };

bool tv_is_cut(const char *cause)
{
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
		if (strcmp(cuts[i], cause) == 0)
			return true;
	return false;
}

static bool is_repaired(const struct tv_trace *trace, const char *cause)
{
	char *key = tv_format("%s%s", tv_damage_prefix[TV_REPAIRED], cause);
	size_t n;
	bool repaired = tv_meta_get(trace, key, &n) != NULL;

	tv_free(key);
	return repaired;
}

bool tv_trace_ends_early(const struct tv_trace *trace)
{
	bool early = false;

	for (size_t i = 0; i < sizeof cuts / sizeof *cuts && !early; i++)
		early = is_repaired(trace, cuts[i]);
	return early;
}

bool tv_trace_lacks_parts(const struct tv_trace *trace)
{
	return is_repaired(trace, TV_CUT_PARTS);
}

uint64_t tv_trace_dropped(const struct tv_trace *trace, char *causes, size_t size)
{
	const char *prefix = tv_damage_prefix[TV_DROPPED];
	const struct tv_table *meta = &trace->table[TV_META];
	const struct tv_column *key = tv_table_find(meta, "Key"),
			       *value = tv_table_find(meta, "Value");
	uint64_t dropped = 0;
	size_t used = 0;

	causes[0] = '\0';
	/* tv_trace_complete has written the damage of this reading into meta, beside that of
	 * earlier ones. */
	for (uint32_t i = 0; key != NULL && value != NULL && i < meta->nrows; i++) {
		const char *name = tv_pool_text(key->pool, tv_label(key, i)), *text;
		int64_t count;
		size_t n;

		if (strncmp(name, prefix, strlen(prefix)) != 0)
			continue;
		text = tv_string(value, i, &n);
		if (tv_parse_int(text, n, &count) != TV_PARSE_OK || count <= 0)
			continue;
		dropped += (uint64_t)count;
		if (used < size)
			used += (size_t)snprintf(causes + used, size - used, "%s%s (%" PRId64 ")",
						 used > 0 ? ", " : "", name + strlen(prefix),
						 count);
	}
	return dropped;
}

struct tv_column *tv_trace_column(struct tv_trace *trace, enum tv_table_id table, const char *name)
{
	struct tv_column *column = tv_table_find(&trace->table[table], name);
	const struct tv_field *field = column == NULL ? tv_schema_field(table, name) : NULL;
	struct tv_error err;

	if (column == NULL)
		column = tv_table_column(&trace->table[table], name,
					 field != NULL ? field->type : TV_TEXT, &err);
	assert(column != NULL);
	return column;
}

void tv_trace_columns(struct tv_trace *trace, enum tv_table_id table,
		      const struct tv_wanted *wanted, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*wanted[i].column = tv_trace_column(trace, table, wanted[i].name);
}

const struct tv_table *tv_trace_table(const struct tv_trace *trace, enum tv_table_id id)
{
	if (!tv_trace_reads(trace, id))
		tv_bug("the table %s is read, but the command does not declare it",
		       tv_schema[id].name);
	return &trace->table[id];
}

int tv_choice_compare(const void *a, const void *b)
{
	const struct tv_choice_text *left = a, *right = b;
	size_t n = left->n < right->n ? left->n : right->n;
	int order = n > 0 ? memcmp(left->s, right->s, n) : 0;

	return order != 0 ? order : (left->n > right->n) - (left->n < right->n);
}

void tv_trace_read_all(struct tv_trace *trace)
{
	trace->options.unread = 0;
	trace->options.columns = NULL;
	trace->options.window.set = false;
}

/* Executions of teams and of suspended tasks are joined by their JobId. Phases, of all rows, depend on SubmitTime. */
static bool is_needed(const struct tv_trace *trace, const char *name, bool joined)
{
	static const char *const needed[] = {
		"ResourceId",	"Value", "Start",  "End",  "Duration", "Kind",	  "Node",
		"ResourceType", "Flag",	 "Device", "Team", "Instance", "Segment", "SubmitTime",
	};

	/* Of rows that are chosen only the first four, and what the caller reads. */
	size_t n = trace->options.choice != NULL ? 4 : TV_COUNT(needed);

	if (trace->options.part != NULL && trace->options.part->again
	    && strcmp(name, "SubmitTime") == 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, needed[i]) == 0)
			return true;
	return joined && strcmp(name, "JobId") == 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether a text has a name that is no part of a longer one. */
static bool has_name(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = text; n > 0 && (at = strcasestr(at, name)) != NULL; at++)
		if ((at == text || !is_word(at[-1])) && !is_word(at[n]))
			return true;
	return false;
}

bool tv_trace_wants(const struct tv_trace *trace, const char *name)
{
	return !trace->native || trace->options.columns == NULL
	    || has_name(trace->options.columns, name);
}

void tv_trace_plan_columns(struct tv_trace *trace, const char *const *name, size_t n)
{
	bool joined = false;

	for (size_t i = 0; i < n; i++)
		joined = joined || strcmp(name[i], "Team") == 0 || strcmp(name[i], "Instance") == 0
		      || strcmp(name[i], "Segment") == 0;
	for (size_t i = 0; i < n; i++) {
		if (is_needed(trace, name[i], joined) || tv_trace_wants(trace, name[i]))
			continue;
		TV_GROW(trace->left, trace->nleft, trace->left_cap, 1);
		trace->left[trace->nleft++] = tv_strdup(name[i]);
	}
}

bool tv_trace_leaves(const struct tv_trace *trace, enum tv_table_id id, const char *name)
{
	const struct tv_row_part *part = trace->options.part;
	char of_table[100];

	if (id != TV_TASKS && part != NULL && part->spared != NULL) {
		snprintf(of_table, sizeof of_table, "%s.%s", tv_schema[id].name, name);
		return has_name(part->spared, of_table);
	}
	if (id != TV_TASKS)
		return false;
	for (size_t i = 0; i < trace->nleft; i++)
		if (strcmp(trace->left[i], name) == 0)
			return true;
	return false;
}

void tv_trace_omit(struct tv_trace *trace, int64_t first, int64_t last)
{
	const int64_t limit = (int64_t)1
			   << 61; /* so that no difference exceeds that of check_times */

	for (int id = 0; id < TV_NTABLES && first > -limit && last < limit; id++)
		trace->table[id].unread = (trace->options.unread & TV_OMITTABLE) >> id & 1;
}

void tv_meta_add(struct tv_trace *trace, const char *name, const char *format, ...)
{
	struct tv_column *key = tv_trace_column(trace, TV_META, "Key");
	struct tv_column *value = tv_trace_column(trace, TV_META, "Value");
	uint32_t row = tv_table_add_row(&trace->table[TV_META]);
	va_list args;
	char *text;

	va_start(args, format);
	text = tv_format_list(format, args);
	va_end(args);
	tv_set_text(key, row, name);
	tv_set_text(value, row, text);
	tv_free(text);
}

const char *tv_meta_next(const struct tv_trace *trace, const char *name, uint32_t *row, size_t *n)
{
	const struct tv_table *meta = &trace->table[TV_META];
	const struct tv_column *key = tv_table_find(meta, "Key"),
			       *value = tv_table_find(meta, "Value");
	uint32_t label = tv_pool_find_text(trace->pool, name);

	if (key == NULL || value == NULL || label == TV_NONE)
		return NULL;
	while (*row < key->n && *row < value->n)
		if (tv_label(key, (*row)++) == label)
			return tv_string(value, *row - 1, n);
	return NULL;
}

size_t tv_meta_item(const char *value, size_t n)
{
	while (n > 0 && value[n - 1] != ':')
		n--;
	return n > 0 ? n - 1 : 0;
}

const char *tv_meta_get(const struct tv_trace *trace, const char *name, size_t *n)
{
	const char *last = NULL, *text;
	uint32_t row = 0;
	size_t length;

	while ((text = tv_meta_next(trace, name, &row, &length)) != NULL) {
		last = text;
		*n = length;
	}
	return last;
}

bool tv_trace_has_work(const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *kind = tv_table_find(tasks, "Kind"),
			       *start = tv_table_find(tasks, "Start"),
			       *end = tv_table_find(tasks, "End");
	uint32_t app = tv_pool_find_text(trace->pool, tv_kind_name(TV_APP)), row = 0;

	if (kind == NULL || start == NULL || end == NULL)
		return false;
	while (row < tasks->nrows
	       && (tv_label(kind, row) != app || tv_missing(start, row) || tv_missing(end, row)))
		row++;
	return row < tasks->nrows;
}
