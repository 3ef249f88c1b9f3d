/* SPDX-License-Identifier: GPL-3.0-or-later */
/* near_names.c -- the known name that a mistyped one is nearest to: Damerau and Levenshtein's distance. */
#include "trace/near_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/table.h"

enum { LONGEST = 48 }; /* longer names are not compared */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to add, drop, change, or swap with their neighbor (optimal string alignment). */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1], n = strlen(a), m = strlen(b);
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t k = 0; k <= m; k++)
		last[k] = k;
	for (size_t i = 1; i <= n; i++) {
		size_t *oldest = before;

		now[0] = i;
		for (size_t k = 1; k <= m; k++) {
			int x = tolower((unsigned char)a[i - 1]),
			    y = tolower((unsigned char)b[k - 1]);

			now[k] = smaller(smaller(last[k], now[k - 1]) + 1, last[k - 1] + (x != y));
			if (i > 1 && k > 1 && x == tolower((unsigned char)b[k - 2])
			    && y == tolower((unsigned char)a[i - 2]))
				now[k] = smaller(now[k], before[k - 2] + 1);
		}
		before = last;
		last = now;
		now = oldest;
	}
	return last[m];
}

void tv_near_init(struct tv_near *near, const char *name)
{
	*near = (struct tv_near){ .name = name };
}

void tv_near_offer(struct tv_near *near, const char *known)
{
	size_t n = strlen(near->name), d;

	if (n == 0 || n > LONGEST || strlen(known) > LONGEST || known[0] == '\0')
		return;
	d = distance(near->name, known);
	if (near->best[0] != '\0' && d >= near->distance)
		return;
	near->distance = d;
	snprintf(near->best, sizeof near->best, "%s", known);
}

const char *tv_near_text(struct tv_near *near)
{
	size_t n = strlen(near->name);

	near->text[0] = '\0';
	if (near->best[0] != '\0' && strcmp(near->best, near->name) != 0
	    && near->distance <= (n < 4	  ? 1
				  : n < 6 ? 2
					  : n / 3)
	    && near->distance < n)
		snprintf(near->text, sizeof near->text, " (did you mean '%s'?)", near->best);
	return near->text;
}

enum { MORE = 32 }; /* bytes for how many more there are */

void tv_name_list_add(struct tv_name_list *names, const char *name)
{
	size_t used = strlen(names->text);

	names->n++;
	if (names->shown + 1 < names->n || used + 2 + strlen(name) + MORE > sizeof names->text)
		return;
	names->shown++;
	snprintf(names->text + used, sizeof names->text - used, "%s%s", used > 0 ? ", " : "", name);
}

void tv_name_list_quote(struct tv_name_list *names, const char *name)
{
	char *quoted = tv_format("'%s'", name);

	tv_name_list_add(names, quoted);
	tv_free(quoted);
}

const char *tv_name_list_text(struct tv_name_list *names)
{
	size_t used = strlen(names->text);

	if (names->shown < names->n)
		snprintf(names->text + used, sizeof names->text - used, "%s%zu more",
			 used > 0 ? " and " : "", names->n - names->shown);
	names->shown = names->n;
	return names->text;
}

/* What columns of tasks are called elsewhere. */
static const char *called_elsewhere(struct tv_near *near, const struct tv_table *table)
{
	static const char of_tags[] = " (traceviz iterations -o FILE.csv makes it of Tag)";
	static const struct {
		const char *word, *column, *text;
	} word[] = {
		{ "type", "Value",
		  " (task types are in 'Value', types of workers in 'ResourceType')" },
		{ "kernel", "Value", " (did you mean 'Value'?)" },
		{ "worker", "ResourceId", " (did you mean 'ResourceId'?)" },
		{ "thread", "ResourceId", " (did you mean 'ResourceId'?)" },
		{ "rank", "Node", " (did you mean 'Node'?)" },
		{ "Iteration", "Tag", of_tags },
		{ "X", "Tag", of_tags },
		{ "Y", "Tag", of_tags },
	};

	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (strcasecmp(near->name, word[i].word) == 0
		    && tv_table_find(table, word[i].column) != NULL)
			return word[i].text;
	return NULL;
}

const char *tv_near_column(struct tv_near *near, const char *name, const struct tv_table *table)
{
	const char *elsewhere;

	tv_near_init(near, name);
	elsewhere = called_elsewhere(near, table);
	for (size_t i = 0; i < table->ncols; i++)
		tv_near_offer(near, table->col[i]->name);
	return elsewhere != NULL ? elsewhere : tv_near_text(near);
}
