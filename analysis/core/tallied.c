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
				     const struct tv_grouping *by, uint32_t row,
				     const struct tv_column *name)
{
	uint32_t *at = place_of(t, by, row), g = t->ngroups;

	if (*at != TV_NONE)
		return &t->group[*at];
	*at = t->ngroups++;
	TV_GROW(t->group, g, t->cap, 1);
	TV_GROW(t->name, g, t->names_cap, 1);
	tv_measuring_init(&t->group[g], rows, t->measure, t->n);
	if (t->selects)
		tv_measuring_select(&t->group[g]);
	t->name[g] = row < name->n ? tv_label(name, row) : TV_NONE;
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
		struct tv_measuring *m = group_of(t, rows, by, by->row[g], name);

		m->rows = *rows;
		tv_measuring_rows(m, groups.row + groups.first[g],
				  groups.first[g + 1] - groups.first[g]);
	}
	tv_groups_release(&groups);
	return 0;
}

uint32_t tv_tallied_group(struct tv_tallied *t, const struct tv_grouping *by, uint32_t row)
{
	return *place_of(t, by, row);
}

bool tv_tallied_again(struct tv_tallied *t)
{
	bool again = false;

	for (uint32_t g = 0; t->selects && g < t->ngroups; g++)
		again |= tv_measuring_again(&t->group[g]);
	return again;
}

void tv_tallied_sort(struct tv_tallied *t)
{
	struct tv_grouping each = { .ncolumns = t->ncolumns, .n = t->ngroups, .nrows = t->ngroups };
	struct tv_measuring *group = tv_alloc(t->ngroups, sizeof *group);
	uint32_t *name = tv_alloc(t->ngroups, sizeof *name);

	tv_table_finish(t->out);
	each.row = tv_alloc(t->ngroups, sizeof *each.row);
	each.of_row = tv_alloc(t->ngroups, sizeof *each.of_row);
	for (uint32_t g = 0; g < t->ngroups; g++)
		each.row[g] = each.of_row[g] = g;
	for (size_t i = 0; i < t->ncolumns; i++)
		each.column[i] = t->out->col[i];
	tv_grouping_sort(&each, true);
	for (uint32_t g = 0; g < t->ngroups; g++) {
		group[g] = t->group[each.row[g]];
		name[g] = t->name[each.row[g]];
	}
	tv_table_sort(t->out, each.row);
	tv_free(t->group);
	tv_free(t->name);
	t->group = group;
	t->name = name;
	tv_grouping_release(&each);
}

void tv_tallied_write(struct tv_tallied *t, struct tv_column *const *to)
{
	tv_measuring_share_all(t->group, t->ngroups);
	for (uint32_t g = 0; g < t->ngroups; g++)
		tv_measuring_end(&t->group[g], to, g);
}
