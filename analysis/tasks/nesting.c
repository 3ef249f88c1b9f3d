/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nesting.c -- regions of programs by what they are inside of. */
#include "analysis/tasks/nesting.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* What regions are of. */
static const struct {
	enum tv_table_id table;
	const char *name;
} sources[] = {
	{ TV_STATES, "Value" },
	{ TV_CALLS, "Call" },
	{ TV_TASKS, "Value" },
};

/* Outer ones first. */
TV_ORDER(by_nesting, struct tv_nested, resource, start, down(end), depth, table, text(name_text),
	 text(site_text), row)

bool tv_is_region_table(const struct tv_trace *trace, const struct tv_table *table)
{
	for (size_t i = 0; i < TV_COUNT(sources); i++)
		if (table == &trace->table[sources[i].table])
			return true;
	return false;
}

/* A region that is open at the current one. */
struct around {
	uint32_t region;
	int64_t depth; /* above that of the one around it */
};

static void collect(struct tv_nesting *nesting, struct tv_run *run, enum tv_table_id id,
		    const char *name, const uint32_t *worker)
{
	const struct tv_table *table = tv_trace_table(run->trace, id);
	const struct tv_column *resource = tv_table_find(table, "ResourceId"),
			       *value = tv_table_find(table, name),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *depth = tv_table_find(table, "Depth"),
			       *site = tv_table_find(table, "Site"),
			       *type = id == TV_STATES ? tv_table_find(table, "Type") : NULL;
	const struct tv_pool *pool = run->trace->pool;
	uint32_t waiting = tv_pool_find_text(pool, "Thread State");

	if (resource == NULL || value == NULL || start == NULL || end == NULL)
		return;
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(resource, row), place;

		if ((id == TV_TASKS && !run->tasks.executed[row]) || label == TV_NONE
		    || tv_label(value, row) == TV_NONE || tv_missing(start, row)
		    || tv_missing(end, row) || end->i[row] < start->i[row]
		    || (type != NULL && waiting != TV_NONE && tv_label(type, row) == waiting)
		    || (run->chosen != NULL
			&& (worker[label] == TV_NONE || !run->chosen[worker[label]])))
			continue;
		place = site == NULL || site->type != TV_LABEL ? TV_NONE : tv_label(site, row);
		nesting->at[nesting->n++] = (struct tv_nested){
			.resource = label,
			.name = tv_label(value, row),
			.site = place,
			.name_text = tv_pool_text(pool, tv_label(value, row)),
			.site_text = place == TV_NONE ? "" : tv_pool_text(pool, place),
			.table = id,
			.row = row,
			.start = start->i[row],
			.end = end->i[row],
			.depth = depth == NULL || tv_missing(depth, row) ? INT64_MAX
									 : depth->i[row],
			.exclusive = end->i[row] - start->i[row],
			.covered = start->i[row],
			.parent = TV_NONE,
		};
	}
}

/* The region around one of zero length, of those n that contain its time, and of the regions of zero length at the same
 * instant, of which that before it is `last` (TV_NONE: none). */
static uint32_t around_instant(const struct tv_nesting *nesting, const struct tv_nested *region,
			       const struct around *around, size_t n, uint32_t last)
{
	size_t inside = n;

	if (last != TV_NONE)
		return nesting->at[last].depth < region->depth ? last : nesting->at[last].parent;
	TV_LOWER_BOUND(inside, 0, n, around[inside].depth < region->depth);
	return inside > 0 ? around[inside - 1].region : TV_NONE;
}

static void take_time(struct tv_nested *outer, const struct tv_nested *region)
{
	int64_t from = region->start > outer->covered ? region->start : outer->covered;

	if (region->end > from) {
		outer->exclusive -= region->end - from;
		outer->covered = region->end;
	}
}

/* Returns how many regions end after one in which they begin. */
static unsigned long find_parents(struct tv_nesting *nesting)
{
	struct around *around = tv_alloc(nesting->n, sizeof *around);
	unsigned long crossing = 0;
	uint32_t last = TV_NONE; /* of zero length at this instant */
	size_t n = 0;

	for (uint32_t i = 0; i < nesting->n; i++) {
		struct tv_nested *region = &nesting->at[i];
		bool crosses = false, known = region->depth < INT64_MAX;

		if (i > 0 && region->resource != region[-1].resource)
			n = 0;
		if (last != TV_NONE
		    && (region->resource != region[-1].resource
			|| region->start != nesting->at[last].start))
			last = TV_NONE;
		for (; n > 0 && nesting->at[around[n - 1].region].end < region->end; n--)
			crosses |= nesting->at[around[n - 1].region].end > region->start;
		crossing += crosses;
		if (region->start == region->end) {
			region->parent = around_instant(nesting, region, around, n, last);
			last = i;
			continue;
		}
		if (n > 0) {
			region->parent = around[n - 1].region;
			take_time(&nesting->at[region->parent], region);
		}
		around[n] = (struct around){ i, n > 0 ? around[n - 1].depth + 1 : 0 };
		if (known && region->depth > around[n].depth)
			around[n].depth = region->depth;
		n++;
	}
	tv_free(around);
	return crossing;
}

static void find_paths(struct tv_nesting *nesting, struct tv_pool *pool)
{
	struct tv_map paths = { 0 }; /* by path around, and name */
	uint32_t more = tv_intern_text(pool, "...");
	size_t cap = 0;

	for (uint32_t i = 0; i < nesting->n; i++) {
		struct tv_nested *region = &nesting->at[i];
		uint32_t outer = region->parent == TV_NONE ? TV_NONE
							   : nesting->at[region->parent].path;
		uint32_t level = outer == TV_NONE ? 1 : nesting->path[outer].level + 1;
		uint32_t name = level > TV_PATH_LEVELS ? more : region->name, *at;

		if (level > TV_PATH_LEVELS + 1) {
			region->path = outer;
			continue;
		}
		at = tv_map_at(&paths, outer, name);
		if (*at == TV_NONE) {
			TV_GROW(nesting->path, nesting->npaths, cap, 1);
			nesting->path[nesting->npaths] = (struct tv_region_path){ outer, name,
										  level };
			*at = nesting->npaths++;
		}
		region->path = *at;
	}
	tv_map_release(&paths);
}

void tv_nesting_init(struct tv_nesting *nesting, struct tv_run *run)
{
	uint32_t *worker = run->chosen == NULL ? NULL : tv_tasks_worker_of_label(&run->tasks);
	unsigned long crossing;
	size_t n = 0;

	*nesting = (struct tv_nesting){ 0 };
	for (size_t i = 0; i < TV_COUNT(sources); i++)
		n += tv_trace_table(run->trace, sources[i].table)->nrows;
	nesting->at = tv_alloc(n, sizeof *nesting->at);
	for (size_t i = 0; i < TV_COUNT(sources); i++)
		collect(nesting, run, sources[i].table, sources[i].name, worker);
	tv_free(worker);
	qsort(nesting->at, nesting->n, sizeof *nesting->at, by_nesting);
	crossing = find_parents(nesting);
	if (crossing > 0)
		tv_run_warn(run,
			    "%lu of %lu regions end after one of their thread in which they begin: "
			    "they are not inside it, and the time of both counts",
			    crossing, (unsigned long)nesting->n);
	find_paths(nesting, run->trace->pool);
}

void tv_nesting_release(struct tv_nesting *nesting)
{
	tv_free(nesting->at);
	tv_free(nesting->path);
}

bool *tv_nesting_repeats(const struct tv_nesting *nesting, const uint32_t *group, uint32_t ngroups)
{
	bool *repeats = tv_alloc(nesting->n, sizeof *repeats);
	uint32_t *open = tv_alloc(ngroups, sizeof *open), /* regions of a group that are open */
		*around = tv_alloc(nesting->n, sizeof *around);
	size_t n = 0;

	for (uint32_t i = 0; i < nesting->n; i++) {
		const struct tv_nested *region = &nesting->at[i];

		repeats[i] = false;
		if (region->start == region->end)
			continue; /* its time is 0 in any case */
		for (; n > 0 && around[n - 1] != region->parent; n--)
			if (group[around[n - 1]] != TV_NONE)
				open[group[around[n - 1]]]--;
		if (group[i] != TV_NONE)
			repeats[i] = open[group[i]]++ > 0;
		around[n++] = i;
	}
	tv_free(around);
	tv_free(open);
	return repeats;
}

uint32_t *tv_nesting_texts(const struct tv_nesting *nesting, struct tv_pool *pool)
{
	uint32_t *text = tv_alloc(nesting->npaths, sizeof *text);

	for (uint32_t i = 0; i < nesting->npaths; i++) {
		const struct tv_region_path *path = &nesting->path[i];
		char *joined;

		text[i] = path->name;
		if (path->parent == TV_NONE)
			continue;
		joined = tv_format("%s/%s", tv_pool_text(pool, text[path->parent]),
				   tv_pool_text(pool, path->name));
		text[i] = tv_intern_text(pool, joined);
		tv_free(joined);
	}
	return text;
}
