/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tallied.c -- one measuring for each group that any part has. */
#include "analysis/core/tallied.h"

#include "trace/alloc.h"

void tv_tallied_init(struct tv_tallied *t, const char *option, bool selects,
		     const struct tv_measure_spec *measure, size_t n, struct tv_table *out)
{
	*t = (struct tv_tallied){
		.option = option, .selects = selects, .measure = measure, .n = n, .out = out
	};
}

void tv_tallied_release(struct tv_tallied *t)
{
	for (uint32_t g = 0; g < t->ngroups; g++)
		tv_measuring_release(&t->group[g]);
	tv_free(t->group);
	tv_free(t->name);
	tv_map_release(&t->place);
	*t = (struct tv_tallied){ 0 };
}

static int add_columns(struct tv_tallied *t, const struct tv_grouping *by, struct tv_error *err)
{
	for (size_t i = 0; i < by->ncolumns; i++) {
		const char *name = by->column[i]->name;

		if (tv_table_find(t->out, name) != NULL)
			return tv_fail_usage(err, "--%s names column '%s' twice", t->option, name);
		tv_table_column(t->out, name, by->column[i]->type, err);
	}
	t->ncolumns = by->ncolumns;
	t->begun = true;
	return 0;
}

/* Where the number of the group is that a row of a part is of; TV_NONE = a new one. */
static uint32_t *place_of(struct tv_tallied *t, const struct tv_grouping *by, uint32_t row)
{
	uint64_t before = 0;
	uint32_t *at;

	if (by->ncolumns == 0)
		return tv_map_at(&t->place, 0, 0);
	for (size_t i = 0;; i++) {
		at = tv_map_at(&t->place, 2 * before + tv_missing(by->column[i], row),
			       tv_cell_key(by->column[i], row));
		if (i + 1 == by->ncolumns)
			return at;
		if (*at == TV_NONE)
			*at = ++t->nplaces;
		before = *at;
	}
}

static struct tv_measuring *group_of(struct tv_tallied *t, const struct tv_measured_rows *rows,
				     const struct tv_grouping *by, uint32_t row, uint32_t name)
{
	uint32_t *at = place_of(t, by, row), g = t->ngroups;

	if (*at != TV_NONE) {
		t->name[*at] = t->name[*at] != TV_NONE ? t->name[*at] : name;
		return &t->group[*at];
	}
	*at = t->ngroups++;
	TV_GROW(t->group, g, t->cap, 1);
	TV_GROW(t->name, g, t->names_cap, 1);
	tv_measuring_init(&t->group[g], rows, t->measure, t->n);
	if (t->selects)
		tv_measuring_select(&t->group[g]);
	t->name[g] = name;
	tv_table_add_row(t->out);
	for (size_t i = 0; i < by->ncolumns; i++)
		tv_copy_cell(t->out->col[i], g, by->column[i], row);
	return &t->group[g];
}

int tv_tallied_rows(struct tv_tallied *t, const struct tv_measured_rows *rows,
		    const struct tv_grouping *by, const struct tv_column *name,
		    struct tv_error *err)
{
	struct tv_groups groups;

	if (!t->begun && add_columns(t, by, err) < 0)
		return -1;
	tv_groups_init(&groups, by->of_row, by->nrows, by->n);
	for (uint32_t g = 0; g < by->n; g++) {
		uint32_t row = by->row[g], n = groups.first[g + 1] - groups.first[g];
		/* A part may have no row of the group of all rows. */
		struct tv_measuring *m = group_of(t, rows, by, row,
						  n > 0 ? tv_cell_label(name, row) : TV_NONE);

		m->rows = *rows;
		tv_measuring_rows(m, groups.row + groups.first[g], n);
	}
	tv_groups_release(&groups);
	return 0;
}

uint32_t tv_tallied_group(struct tv_tallied *t, const struct tv_grouping *by, uint32_t row)
{
	return *place_of(t, by, row);
}

int tv_tallied_tasks(struct tv_tallied *t, const struct tv_measured_rows *rows,
		     const struct tv_tasks *tasks, const char *by, bool ended, struct tv_error *err)
{
	const struct tv_column *type = tv_table_find(&tasks->trace->table[TV_TASKS], "Value");
	struct tv_grouping groups;
	int rc = tv_grouping_by_names(&groups, tasks, by, t->option, ended, err);

	if (rc == 0)
		rc = tv_tallied_rows(t, rows, &groups, type, err);
	tv_grouping_release(&groups);
	return rc;
}

/* ---- several processes ---- */

static struct tv_gathered gather_groups(struct tv_tallied *t, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };

	tv_table_finish(t->out);
	tv_pack_number(&pack, t->begun);
	tv_pack_number(&pack, t->ncolumns);
	for (size_t i = 0; i < t->ncolumns; i++) {
		tv_pack_text(&pack, t->out->col[i]->name);
		tv_pack_number(&pack, t->out->col[i]->type);
	}
	tv_pack_number(&pack, t->ngroups);
	for (uint32_t g = 0; g < t->ngroups; g++)
		for (size_t i = 0; i < t->ncolumns; i++)
			tv_pack_cell(&pack, t->out->col[i], g);
	for (uint32_t g = 0; g < t->ngroups; g++) {
		tv_pack_label(&pack, t->out->pool, t->name[g]);
		tv_measuring_pack(&t->group[g], t->out->pool, &pack);
	}
	return tv_team_gather(team, &pack);
}

/* The cells of the groups of a process, as a table. */
static int unpack_keys(struct tv_table *keys, struct tv_grouping *by, struct tv_unpack *from,
		       struct tv_error *err)
{
	by->ncolumns = (size_t)tv_unpack_number(from);
	for (size_t i = 0; i < by->ncolumns; i++) {
		char *name = tv_unpack_text(from);

		by->column[i] = tv_table_column(keys, name, (enum tv_type)tv_unpack_number(from),
						err);
		tv_free(name);
		if (by->column[i] == NULL)
			return -1;
	}
	tv_table_add_rows(keys, (uint32_t)tv_unpack_number(from));
	for (uint32_t g = 0; g < keys->nrows; g++)
		for (size_t i = 0; i < by->ncolumns; i++)
			tv_unpack_cell(from, keys->col[i], g);
	tv_table_finish(keys);
	return 0;
}

/* Adds the groups of a process. */
static int merge_groups(struct tv_tallied *t, struct tv_unpack *from, struct tv_error *err)
{
	const struct tv_measured_rows none = { 0 };
	struct tv_grouping by = { 0 };
	struct tv_table keys;
	int rc;

	if (tv_unpack_number(from) == 0)
		return 0;
	tv_table_init(&keys, t->out->pool);
	rc = unpack_keys(&keys, &by, from, err);
	if (rc == 0 && !t->begun)
		rc = add_columns(t, &by, err);
	for (uint32_t g = 0; rc == 0 && g < keys.nrows; g++) {
		uint32_t name = tv_unpack_label(from, keys.pool);

		tv_measuring_unpack(group_of(t, &none, &by, g, name), keys.pool, from);
	}
	tv_table_release(&keys);
	return rc;
}

/* Forgets all groups. */
static void clear(struct tv_tallied *t)
{
	struct tv_pool *pool = tv_pool_share(t->out->pool);
	struct tv_tallied none;

	tv_tallied_init(&none, t->option, t->selects, t->measure, t->n, t->out);
	tv_tallied_release(t);
	*t = none;
	tv_table_release(t->out);
	tv_table_init(t->out, pool);
	tv_pool_free(pool);
}

/* The groups of all processes, in the same order for each. */
static int merge_all(struct tv_tallied *t, const struct tv_team *team, struct tv_error *err)
{
	struct tv_gathered all = gather_groups(t, team);
	int rc = 0;

	clear(t);
	for (uint32_t rank = 0; rc == 0 && rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		rc = merge_groups(t, &from, err);
	}
	tv_gathered_release(&all);
	return rc;
}

/* What they were given again. */
static void merge_again(struct tv_tallied *t, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	for (uint32_t g = 0; g < t->ngroups; g++)
		tv_measuring_pack_again(&t->group[g], &pack);
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint32_t g = 0; rank != team->rank && g < t->ngroups; g++)
			tv_measuring_unpack_again(&t->group[g], &from);
	}
	tv_gathered_release(&all);
}

int tv_tallied_merge(struct tv_tallied *t, const struct tv_team *team, struct tv_error *err)
{
	int rc = 0;

	if (team != NULL && t->again)
		merge_again(t, team);
	else if (team != NULL)
		rc = merge_all(t, team, err);
	t->again = true;
	return rc;
}

/* ---- all rows ---- */

/* Whether quantiles need all rows once more. */
static bool needs_more(struct tv_tallied *t)
{
	bool more = false;

	for (uint32_t g = 0; t->selects && g < t->ngroups; g++)
		more |= tv_measuring_again(&t->group[g]);
	return more;
}

int tv_tallied_run(struct tv_tallied *t, struct tv_run *run,
		   int (*add_rows)(void *state, struct tv_run *part, struct tv_error *err),
		   void *state, struct tv_error *err)
{
	int rc;

	do {
		rc = tv_run_rows(run, add_rows, state, err);
		if (rc == 0)
			rc = tv_tallied_merge(t, run->team, err);
	} while (rc == 0 && needs_more(t));
	return rc;
}

uint32_t *tv_tallied_order(struct tv_tallied *t)
{
	struct tv_grouping each = { .ncolumns = t->ncolumns, .n = t->ngroups, .nrows = t->ngroups };

	tv_table_finish(t->out);
	each.row = tv_alloc(t->ngroups, sizeof *each.row);
	each.of_row = tv_alloc(t->ngroups, sizeof *each.of_row);
	for (uint32_t g = 0; g < t->ngroups; g++)
		each.row[g] = each.of_row[g] = g;
	for (size_t i = 0; i < t->ncolumns; i++)
		each.column[i] = t->out->col[i];
	tv_grouping_sort(&each, true);
	tv_free(each.of_row);
	return each.row;
}

void tv_tallied_sort(struct tv_tallied *t)
{
	struct tv_measuring *group = tv_alloc(t->ngroups, sizeof *group);
	uint32_t *name = tv_alloc(t->ngroups, sizeof *name), *order = tv_tallied_order(t);

	for (uint32_t g = 0; g < t->ngroups; g++) {
		group[g] = t->group[order[g]];
		name[g] = t->name[order[g]];
	}
	tv_table_sort(t->out, order);
	tv_free(order);
	tv_free(t->group);
	tv_free(t->name);
	t->group = group;
	t->name = name;
}

void tv_tallied_write(struct tv_tallied *t, struct tv_column *const *to)
{
	tv_measuring_share_all(t->group, t->ngroups);
	for (uint32_t g = 0; g < t->ngroups; g++)
		tv_measuring_end(&t->group[g], to, g);
}

int tv_tallied_finish(struct tv_tallied *t, const struct tv_field *column, size_t n,
		      struct tv_error *err)
{
	tv_tallied_sort(t);
	if (tv_keys_fields(t->out, t->option, column, n, err) < 0)
		return -1;
	tv_tallied_write(t, t->out->col + t->ncolumns);
	return 0;
}
