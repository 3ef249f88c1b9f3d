/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * omit.c -- groups of rows of tasks that are not read: statistics show that none of them touches the window, dictionaries that
 * they are app tasks of workers that other groups have, too.
 */
#include "convert/parquet/pages.h"
#include "trace/alloc.h"
#include "trace/kernels.h"
#include "trace/map.h"

/* Columns that the decision is about. */
struct columns {
	struct tv_parquet_cursor *start, *end, *resource, *value, *kind;
};

static struct tv_parquet_cursor *find(const struct tv_parquet *p, const char *name)
{
	for (size_t i = 0; i < p->ncursors; i++)
		if (strcmp(p->cursor[i].column->name, name) == 0)
			return &p->cursor[i];
	return NULL;
}

static const struct tv_parquet_chunk *chunk_of(const struct tv_parquet *p, size_t group,
					       const struct tv_parquet_cursor *c)
{
	return &p->footer
			.chunk[group * p->footer.ncolumns + (size_t)(c->column - p->footer.column)];
}

/* Whether all rows of a group have a time, between its bounds. */
static bool is_bounded(const struct tv_parquet *p, size_t group, const struct tv_parquet_cursor *c)
{
	const struct tv_parquet_chunk *chunk = chunk_of(p, group, c);

	return c->is_time && chunk->bounded && chunk->nulls == 0 && chunk->min <= chunk->max;
}

/* Whether statistics allow to leave a group out: no row touches the window, and none has what makes it more than an execution. */
static bool is_outside(const struct tv_parquet *p, size_t group, const struct columns *of)
{
	static const char *const more[] = { "Flag", "Segment", "Team", "Instance", "Device" };

	if (!is_bounded(p, group, of->start) || !is_bounded(p, group, of->end)
	    || (chunk_of(p, group, of->start)->min <= p->trace->options.window.end
		&& chunk_of(p, group, of->end)->max >= p->trace->options.window.begin))
		return false;
	for (size_t i = 0; i < TV_COUNT(more); i++) {
		const struct tv_parquet_cursor *c = find(p, more[i]);

		if (c != NULL && chunk_of(p, group, c)->nulls != p->footer.rows[group])
			return false;
	}
	return true;
}

/* Whether the values of a column are texts of which each satisfies a condition; 0: no, or not known. -1 with *p->err. */
static int all(struct tv_parquet *p, size_t group, struct tv_parquet_cursor *c,
	       bool (*holds)(void *context, const char *s, size_t n), void *context)
{
	int rc;

	if (c->column->type != TV_PARQUET_BYTE_ARRAY || c->column->kind != TV_KIND_TEXT
	    || c->column->list || chunk_of(p, group, c)->nulls != 0)
		return 0;
	tv_parquet_begin(p, c, group);
	p->bytes += c->chunk.size;
	rc = tv_parquet_distinct(p, c);
	for (size_t i = 0; rc == 1 && i < c->ndictionary; i++)
		rc = holds(context, c->dictionary[i].s, c->dictionary[i].n);
	return rc;
}

static bool is_app(void *context, const char *s, size_t n)
{
	(void)context;
	return n == 3 && memcmp(s, "app", n) == 0;
}

static bool names_app(void *context, const char *s, size_t n)
{
	char *name = tv_strndup(s, n);
	const struct tv_kernel *kernel = tv_kernels_match(context, name);

	tv_free(name);
	return kernel == NULL || kernel->kind == TV_APP;
}

/* Workers whose tasks are read, as far as dictionaries show it: p->seen. */
static bool is_seen(void *context, const char *s, size_t n)
{
	struct tv_parquet *p = context;

	return tv_index_get(&p->seen, tv_intern(p->trace->pool, s, n)) != TV_NONE;
}

static bool see(void *context, const char *s, size_t n)
{
	struct tv_parquet *p = context;

	tv_index_set(&p->seen, tv_intern(p->trace->pool, s, n), 0);
	return true;
}

/* Whether the rows of a group are app tasks of workers that are seen. */
static int is_like_others(struct tv_parquet *p, size_t group, const struct columns *of,
			  struct tv_kernels *kernels)
{
	int rc = of->kind != NULL ? all(p, group, of->kind, is_app, NULL)
				  : all(p, group, of->value, names_app, kernels);

	return rc == 1 ? all(p, group, of->resource, is_seen, p) : rc;
}

/* Leaves out a group. */
static void omit(struct tv_parquet *p, size_t group, const struct columns *of)
{
	struct tv_trace *trace = p->trace;
	int64_t begin = chunk_of(p, group, of->start)->min, end = chunk_of(p, group, of->end)->max;

	if (trace->rest.n == 0 || begin < trace->rest.begin)
		trace->rest.begin = begin;
	if (trace->rest.n == 0 || end > trace->rest.finish)
		trace->rest.finish = end;
	trace->rest.n += (uint64_t)p->footer.rows[group];
	p->unread -= p->footer.rows[group];
	p->omit[group] = true;
}

/* Of the groups outside of the window those that can be left out. */
static int choose(struct tv_parquet *p, const struct columns *of, const bool *outside,
		  struct tv_kernels *kernels)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < p->footer.ngroups; i++)
		if (!outside[i])
			rc = all(p, i, of->resource, see, p);
	for (size_t i = 0; rc >= 0 && i < p->footer.ngroups; i++) {
		if (!outside[i])
			continue;
		rc = is_like_others(p, i, of, kernels);
		if (rc == 1)
			omit(p, i, of);
		else if (rc == 0)
			rc = all(p, i, of->resource, see, p);
	}
	return rc < 0 ? -1 : 0;
}

int tv_parquet_omit(struct tv_parquet *p)
{
	const struct columns of = { find(p, "Start"), find(p, "End"), find(p, "ResourceId"),
				    find(p, "Value"), find(p, "Kind") };
	size_t n = p->footer.ngroups, left = 0;
	struct tv_kernels kernels;
	bool *outside;
	int rc;

	if (of.start == NULL || of.end == NULL || of.resource == NULL || of.value == NULL)
		return 0;
	if (tv_kernels_init(&kernels, p->trace->options.kernels, p->err) < 0)
		return -1;
	p->omit = tv_alloc(n, sizeof *p->omit);
	outside = tv_alloc(n, sizeof *outside);
	for (size_t i = 0; i < n; i++) {
		outside[i] = is_outside(p, i, &of);
		left += !outside[i];
	}
	/* A run has a task. */
	if (n > 0 && left == 0)
		outside[0] = false;
	rc = choose(p, &of, outside, &kernels);
	tv_free(outside);
	tv_kernels_release(&kernels);
	return rc;
}

void tv_parquet_part(struct tv_parquet *p, enum tv_table_id id)
{
	struct tv_row_part *part = p->trace->options.part;
	const struct tv_parquet_cursor *start = find(p, "Start");

	p->omit = tv_alloc(p->footer.ngroups, sizeof *p->omit);
	p->repeated = tv_alloc(p->footer.ngroups, sizeof *p->repeated);
	for (size_t i = 0; i < p->footer.ngroups; i++) {
		const struct tv_parquet_chunk *chunk = start != NULL ? chunk_of(p, i, start) : NULL;
		struct tv_row_group group = { id, (uint32_t)p->footer.rows[i], INT64_MIN, INT64_MAX,
					      true };

		if (chunk != NULL && start->is_time && chunk->bounded) {
			group.min = chunk->min;
			group.max = chunk->max;
		}
		if (start == NULL || (chunk != NULL && chunk->nulls == p->footer.rows[i])) {
			group.min = INT64_MAX;
			group.max = INT64_MIN;
		}
		group.rest = chunk == NULL || chunk->nulls != 0;
		if (part->lists) {
			TV_GROW(part->group, part->n, part->cap, 1);
			part->group[part->n] = group;
		}
		p->omit[i] = part->rest ? !group.rest || (int64_t)part->n < part->begin
						  || (int64_t)part->n >= part->end
					: group.min >= part->end || group.max < part->begin;
		/* Rows of a group may be in several parts, its smallest Start is in one. */
		p->repeated[i] = part->rest ? group.min <= group.max : group.min < part->begin;
		part->n++;
		p->unread -= p->omit[i] ? p->footer.rows[i] : 0;
	}
}

bool tv_parquet_omit_fits(struct tv_parquet *p)
{
	const struct tv_column *resource = tv_table_find(&p->trace->table[TV_TASKS], "ResourceId");
	bool fits = true;

	for (uint32_t row = 0; p->seen.n > 0 && row < resource->n; row++)
		if (tv_label(resource, row) != TV_NONE)
			tv_index_set(&p->seen, tv_label(resource, row), TV_NONE);
	for (size_t i = 0; i < p->seen.n && fits; i++)
		fits = p->seen.at[i] == TV_NONE;
	return fits;
}
