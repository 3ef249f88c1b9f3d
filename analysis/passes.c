/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.c -- the table of passes. */
#include "analysis/passes.h"

#include "analysis/core/recall.h"
#include "trace/near_names.h"

#include <string.h>

#define ROW(name, question) &tv_pass_##name,
const struct tv_pass *const tv_passes[] = { TV_PASSES(ROW) };
const size_t tv_npasses = TV_COUNT(tv_passes);

const char *tv_pass_question(const struct tv_pass *pass)
{
#define ROW_OF(name, question) { &tv_pass_##name, #question },
	static const struct {
		const struct tv_pass *pass;
		const char *question;
	} rows[] = { TV_PASSES(ROW_OF) };

	for (size_t i = 0; i < TV_COUNT(rows); i++)
		if (rows[i].pass == pass)
			return rows[i].question;
	return "";
}

/* Former names of passes, accepted without a warning until 1.0. */
static const struct {
	const char *former, *name;
} renamed[] = {
	{ "active-nodes", "open-fronts" }, { "concurrent", "in-flight" },
	{ "lack", "starvation" },	   { "model", "regression" },
	{ "node-memory", "front-memory" }, { "usage", "share" },
	{ "utilisation", "utilization" },
};

const struct tv_pass *tv_pass_find(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(renamed); i++)
		if (strcmp(renamed[i].former, name) == 0)
			name = renamed[i].name;
	for (size_t i = 0; i < tv_npasses; i++)
		if (strcmp(tv_passes[i]->name, name) == 0)
			return tv_passes[i];
	return NULL;
}

const char *tv_pass_near(struct tv_near *near, const char *word)
{
	tv_near_init(near, word);
	for (size_t i = 0; i < tv_npasses; i++)
		tv_near_offer(near, tv_passes[i]->name);
	return tv_near_text(near);
}

static bool has_column(const struct tv_pass *pass, const char *name)
{
	for (size_t i = 0; i < pass->ncolumns; i++)
		if (strcmp(pass->column[i].name, name) == 0)
			return true;
	return false;
}

bool tv_pass_added(const struct tv_table *tasks, const char *column)
{
	if (tv_schema_field(TV_TASKS, column) != NULL)
		return false;
	for (size_t i = 0; i < tv_npasses; i++)
		if (tv_passes[i]->kind == TV_ANNOTATE && has_column(tv_passes[i], column)
		    && tv_pass_wrote(tv_passes[i], tasks))
			return true;
	return false;
}
