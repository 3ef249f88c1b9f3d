/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sql_plan.c -- what a query of traceviz sql reads, by the names in its text. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cli/cmd_sql.h"
#include "cli/unread.h"
#include "sql/tables.h"
#include "trace/alloc.h"
#include "trace/text.h"

char *tv_sql_name_of_pass(const char *prefix, const struct tv_pass *pass)
{
	char *name = tv_format("%s%s", prefix, pass->name);

	for (char *s = name + strlen(prefix); *s != '\0'; s++)
		*s = *s == '-' ? '_' : *s;
	return name;
}

bool tv_sql_is_table(const char *name)
{
	for (int id = 0; id < TV_NTABLES; id++)
		if (strcmp(tv_schema[id].name, name) == 0)
			return true;
	return false;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool tv_sql_names_table(const char *query, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = query; (at = strcasestr(at, name)) != NULL; at++)
		if ((at == query || !isalnum((unsigned char)at[-1])) && !is_word(at[n]))
			return true;
	return false;
}

/* Whether a star of a query is no list of columns: of a product, or count(*). */
static bool is_plain_star(const char *query, const char *star)
{
	static const char *const before[] = { "select", "distinct", "all" };
	const char *end = star, *word;

	while (end > query && isspace((unsigned char)end[-1]))
		end--;
	for (word = end; word > query && is_word(word[-1]);)
		word--;
	for (size_t i = 0; i < TV_COUNT(before); i++)
		if ((size_t)(end - word) == strlen(before[i])
		    && strncasecmp(word, before[i], strlen(before[i])) == 0)
			return false;
	if (end == query)
		return false;
	return word < end || strchr(")\"'`]", end[-1]) != NULL
	    || (end - query >= 6 && strncasecmp(end - 6, "count(", 6) == 0);
}

/* Whether a query may read what it does not name. Comments and options of verbs are not looked at. */
static bool reads_unnamed(const char *query)
{
	static const char *const signs[] = { "--", "/*", "\"\"", "``", "natural", "pragma" };

	for (size_t i = 0; i < TV_COUNT(signs); i++)
		if (strcasestr(query, signs[i]) != NULL)
			return true;
	for (const char *star = query; (star = strchr(star, '*')) != NULL; star++)
		if (!is_plain_star(query, star))
			return true;
	return tv_sql_names_table(query, "input");
}

/* Whether a verb may read other columns than `columns` names. */
static bool reads_more(const struct tv_pass *pass)
{
	return pass->columns == NULL || pass->kind == TV_ANNOTATE || pass->all_columns
	    || pass->linked || pass->later != NULL || pass->more_columns != NULL;
}

/* Adds the columns that the verbs of a query read. false: all; *any: there is a verb. */
static bool add_verbs(const char *query, char **columns, bool *any)
{
	for (size_t i = 0; i < tv_npasses; i++) {
		const struct tv_pass *pass = tv_passes[i];
		char *name = tv_sql_name_of_pass("", pass);
		bool named = !tv_sql_is_table(pass->name) && tv_sql_names_table(query, name);

		tv_free(name);
		*any = *any || named;
		if (named && reads_more(pass))
			return false;
		if (named)
			tv_append(columns, " %s", pass->columns);
	}
	return true;
}

static bool reads_standard_input(const struct tv_cli *cli)
{
	for (size_t i = 0; i < cli->ntraces; i++)
		if (strcmp(cli->trace[i].path, "-") == 0)
			return true;
	return false;
}

/* A text with the names of the columns that a query, and the options beside it, may name. */
static char *named_columns(const struct tv_cli *cli, const char *query)
{
	const char *const text[] = { query, cli->where, cli->restriction };
	char *columns = NULL;

	/* Start_ns is of the column Start. */
	tv_append(&columns, "%s", query);
	for (char *s = columns; (s = strcasestr(s, TV_SQL_NS)) != NULL;)
		memset(s, ' ', strlen(TV_SQL_NS));
	for (size_t i = 0; i < TV_COUNT(text); i++)
		tv_append(&columns, " %s", text[i] != NULL ? text[i] : "");
	if (tv_sql_names_table(query, TV_SQL_EDGES))
		tv_append(&columns, " JobId DependsOn");
	return columns;
}

/* The tables, a bit each, that neither a query nor the selection names. */
static unsigned unnamed_tables(const struct tv_cli *cli, const char *query)
{
	unsigned unnamed = 0;

	for (int id = 0; id < TV_NTABLES; id++)
		if (!tv_sql_names_table(query, tv_schema[id].name))
			unnamed |= 1u << id;
	return unnamed & TV_OMITTABLE & ~tv_selected_from(cli);
}

char *tv_sql_plan(const struct tv_cli *cli, const char *query, unsigned *unread)
{
	char *columns;
	bool verbs = false;

	if (reads_unnamed(query) || cli->region != NULL || reads_standard_input(cli))
		return NULL;
	columns = named_columns(cli, query);
	if (!add_verbs(query, &columns, &verbs)) {
		tv_free(columns);
		return NULL;
	}
	if (!verbs)
		*unread |= unnamed_tables(cli, query);
	return columns;
}
