/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c -- the numbers of a comparison by their names, for expressions. */
#include <string.h>

#include "analysis/compare/compare.h"
#include "trace/alloc.h"

enum { NUMBER, LOW, HIGH, NROWS };

static int copy(struct tv_column *to, uint32_t at, const struct tv_table *from, const char *column,
		uint32_t row)
{
	const struct tv_column *c = tv_table_find(from, column);

	if (!tv_missing(c, row))
		tv_set_double(to, at, c->d[row]);
	return 0;
}

/* A number and the ends of its interval; low NULL = it has none. */
static int add_name(struct tv_table *out, const char *name, const char *suffix,
		    const struct tv_table *from, uint32_t row, const char *column, const char *low,
		    const char *high, struct tv_error *err)
{
	char *full = tv_format("%s.%s", name, suffix);
	struct tv_column *to;
	int rc = 0;

	if (tv_table_find(out, full) != NULL)
		rc = tv_fail(err, "two numbers are called '%.200s'", full);
	to = rc < 0 ? NULL : tv_table_column(out, full, TV_DOUBLE, err);
	if (to == NULL)
		rc = -1;
	else if (copy(to, NUMBER, from, column, row) < 0
		 || (low != NULL
		     && (copy(to, LOW, from, low, row) < 0 || copy(to, HIGH, from, high, row) < 0)))
		rc = tv_fail_memory(err);
	tv_free(full);
	return rc;
}

static int add_row(struct tv_table *out, const struct tv_table *from, uint32_t row,
		   const char *first, struct tv_error *err)
{
	const char *value = tv_table_text(from, "Value", row);
	const char *rtype = tv_table_text(from, "ResourceType", row);
	char *name = tv_format("%s%s%s%s%s", first, value[0] != '\0' ? "." : "", value,
			       rtype[0] != '\0' ? "." : "", rtype);
	int rc;

	rc = add_name(out, name, "before", from, row, "Before", NULL, NULL, err) < 0
			  || add_name(out, name, "after", from, row, "After", NULL, NULL, err) < 0
			  || add_name(out, name, "change", from, row, "Change", "Low", "High", err)
				     < 0
			  || add_name(out, name, "ratio", from, row, "Ratio", "RatioLow",
				      "RatioHigh", err)
				     < 0
		   ? -1
		   : 0;
	tv_free(name);
	return rc;
}

/* The intervals of the medians themselves stand in rows of a single label. */
static int add_medians(struct tv_table *out, const struct tv_table *from, const char *base,
		       const char *label, struct tv_error *err)
{
	for (uint32_t row = 0; row < from->nrows; row++) {
		const char *run = tv_table_text(from, "Run", row);
		const char *name = strcmp(run, label) == 0 ? "makespan.after"
				 : strcmp(run, base) == 0  ? "makespan.before"
							   : NULL;
		struct tv_column *to = name == NULL ? NULL : tv_table_find(out, name);

		if (to != NULL && tv_table_text(from, "Base", row)[0] == '\0'
		    && (copy(to, LOW, from, "Low", row) < 0
			|| copy(to, HIGH, from, "High", row) < 0))
			return tv_fail_memory(err);
	}
	return 0;
}

/* Whether the rows of a section have names of their own. */
static bool has_names(const char *section)
{
	for (size_t i = 0; i < tv_compare_nsections; i++)
		if (tv_compare_sections[i].apart
		    && strcmp(section, tv_compare_sections[i].name) == 0)
			return false;
	return strcmp(section, "verdict") != 0 && strcmp(section, "lost") != 0;
}

int tv_compare_names(const struct tv_table *comparison, const char *label, struct tv_table *out,
		     struct tv_error *err)
{
	const char *base = "";

	for (uint32_t row = 0; row < comparison->nrows; row++) {
		const char *name = tv_table_text(comparison, "Name", row);

		if (tv_table_text(comparison, "Base", row)[0] == '\0'
		    || strcmp(tv_table_text(comparison, "Run", row), label) != 0
		    || !has_names(tv_table_text(comparison, "Section", row)))
			continue;
		base = tv_table_text(comparison, "Base", row);
		if (add_row(out, comparison, row, name, err) < 0
		    || (strcmp(name, "idle.unsuited") == 0
			&& add_row(out, comparison, row, "idle.type", err)
				   < 0)) /* its former name */
			return -1;
	}
	if (add_medians(out, comparison, base, label, err) < 0)
		return -1;
	out->nrows = NROWS;
	tv_table_finish(out);
	return 0;
}
