/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caption.c -- numbers as TeX commands. */
#include "views/page/caption.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/annotate/annotations.h"
#include "views/layers/bounds.h"
#include "views/page/header.h"
#include "views/rows/rows.h"

enum { NAME_SIZE = 512, VALUE_SIZE = 512 };

struct caption {
	const struct tv_figure *figure;
	struct tv_output *out;
	char prefix[NAME_SIZE / 4];
	struct tv_pool *used; /* names so far */
};

/* Appends the text's letters to a name; what is no letter parts words, digits are words. */
static void add_words(char *name, size_t size, const char *text)
{
	static const char *const digit[] = { "Zero", "One", "Two",   "Three", "Four",
					     "Five", "Six", "Seven", "Eight", "Nine" };
	size_t n = strlen(name);
	bool capital = n > 0;

	for (; *text != '\0' && n + 8 < size; text++) {
		if (*text >= '0' && *text <= '9') {
			n += (size_t)snprintf(name + n, size - n, "%s", digit[*text - '0']);
			capital = true;
		} else if (isascii(*text) && isalpha((unsigned char)*text)) {
			name[n++] = capital ? (char)toupper((unsigned char)*text) : *text;
			capital = false;
		} else {
			capital = true;
		}
	}
	name[n] = '\0';
}

/* The name, or with as many letters behind it as make it new. */
static void make_unique(struct caption *c, char *name, size_t size)
{
	size_t n = strlen(name), before = tv_pool_count(c->used);

	for (unsigned i = 1;; i++) {
		char letters[16];
		size_t k = sizeof letters - 1;

		letters[k] = '\0';
		for (unsigned rest = i; rest > 1 && k > 0; rest /= 26)
			letters[--k] = (char)('A' + (rest - 1) % 26);
		snprintf(name + n, size - n, "%s", letters + k);
		tv_intern_text(c->used, name);
		if (tv_pool_count(c->used) > before)
			return;
	}
}

/* Text as TeX shows it; what is not ASCII may have no sign in its font. */
static void write_text(struct tv_output *out, const char *text)
{
	static const struct {
		char c;
		const char *tex;
	} special[] = {
		{ '\\', "\\textbackslash{}" },
		{ '~', "\\textasciitilde{}" },
		{ '^', "\\textasciicircum{}" },
		{ '<', "\\textless{}" },
		{ '>', "\\textgreater{}" },
		{ '|', "\\textbar{}" },
		{ '"', "''" },
	};

	for (; *text != '\0'; text++) {
		size_t i = 0;

		while (i < TV_COUNT(special) && special[i].c != *text)
			i++;
		if (i < TV_COUNT(special))
			tv_output_text(out, special[i].tex);
		else if (strchr("{}$&#%_", *text) != NULL)
			tv_output_format(out, "\\%c", *text);
		else if (isascii(*text))
			tv_output_write(out, text, 1);
		else if (((unsigned char)*text & 0xc0) != 0x80)
			tv_output_text(out, "?");
	}
}

/* One command: `what` and `of` make its name, the note is a comment. */
static void write_command(struct caption *c, const char *what, const char *of, const char *value,
			  const char *note)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof name, "%s", c->prefix);
	add_words(name, sizeof name - 32, what);
	add_words(name, sizeof name - 32, of);
	make_unique(c, name, sizeof name);
	tv_output_format(c->out, "\\newcommand{\\%s}{", name);
	write_text(c->out, value);
	tv_output_format(c->out, "}%% %s%s%s\n", note, of[0] != '\0' ? " of " : "", of);
}

/* A number as the figure prints it, with that many decimals. */
static void write_number(struct caption *c, const char *what, const char *of, int decimals,
			 double value, const char *note)
{
	char text[64];

	if (isnan(value))
		return;
	snprintf(text, sizeof text, "%.*f", decimals, value);
	write_command(c, what, of, text, note);
}

/* A time as a number in that unit, which the note names. */
static void write_time(struct caption *c, const char *what, int64_t ns, const struct tv_unit *unit)
{
	char text[48];

	tv_unit_text(text, sizeof text, ns, unit);
	if (strchr(text, ' ') != NULL) /* it has another unit in the figure */
		tv_number_text(text, sizeof text, (double)ns / (double)unit->ns);
	write_command(c, what, "", text, unit->name);
}

static void write_run(struct caption *c)
{
	const struct tv_figure *figure = c->figure;
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	const struct tv_window *window = &figure->run->window;
	uint32_t open = figure->rows->nopen;
	const char *label = figure->facet != NULL ? figure->facet->label : figure->options->label;
	char text[256];
	uint64_t dropped = tv_trace_dropped(figure->run->trace, text, sizeof text);

	if (label != NULL && label[0] != '\0')
		write_command(c, "Label", "", tv_clean_text(text, sizeof text, label),
			      "what the header calls the run");
	if (window->set) {
		write_time(c, "WindowBegin", figure->axis.begin, figure->axis.unit);
		write_time(c, "WindowEnd", figure->axis.end, figure->axis.unit);
	}
	write_number(c, "Nodes", "", 0, tasks->nnodes, "nodes");
	write_number(c, "Workers", "", 0, tasks->nworkers, "workers");
	for (uint32_t t = 0; t < tasks->nrtypes; t++)
		write_number(c, "Workers",
			     tv_clean_text(text, sizeof text,
					   tv_pool_text(tasks->pool, tasks->rtype[t].label)),
			     0, tasks->rtype[t].nworkers, "workers");
	write_number(c, "Tasks", "", 0, tasks->ntasks, "tasks of the run");
	if (open > 0)
		write_number(c, "Open", "", 0, open, "tasks cut off by the end of the trace");
	if (dropped > 0)
		write_number(c, "Dropped", "", 0, (double)dropped, "records dropped");
}

static void write_bounds(struct caption *c)
{
	const struct tv_figure *figure = c->figure;
	struct tv_bound bound[TV_BOUNDS_MAX];
	size_t n = tv_figure_bounds(figure, bound);

	if (n > 0)
		write_command(c, "TimeUnit", "", figure->unit->name,
			      "of the makespan and the bounds");
	for (size_t i = 0; i < n; i++) {
		char text[40];

		write_time(c, bound[i].name, bound[i].time, figure->unit);
		if (isnan(bound[i].gap))
			continue;
		snprintf(text, sizeof text, "%+.1f", bound[i].gap);
		write_command(c, "Gap", bound[i].name, text,
			      "percent, the makespan's gap to the bound");
	}
}

/* Those with other durations than the run's, which headers of facets have. */
static void write_weighted(struct caption *c)
{
	const struct tv_figure *figure = c->figure;
	struct tv_bound bound[TV_BOUNDS_MAX];
	size_t n = tv_figure_weighted(figure, bound);

	for (size_t i = 0; i < n; i++) {
		char *what = tv_format("Weighted %s", bound[i].name);

		if (strcmp(bound[i].name, "makespan") != 0)
			write_time(c, what, bound[i].time, figure->unit);
		tv_free(what);
	}
}

/* What the header of a facet has of its node. */
static void write_node(struct caption *c)
{
	const struct tv_figure *figure = c->figure;
	const struct tv_node_note *note = figure->note;

	if (note != NULL && note->makespan >= 0)
		write_time(c, "NodeMakespan", note->makespan, figure->unit);
	if (note != NULL && note->abe >= 0)
		write_time(c, "NodeABE", note->abe, figure->unit);
}

static void write_idleness(struct caption *c)
{
	const struct tv_figure *figure = c->figure;
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	const struct tv_rows *rows = figure->rows;
	char name[128];

	for (uint32_t t = 0; t < tasks->nrtypes; t++)
		write_number(c, "Idle",
			     tv_clean_text(name, sizeof name,
					   tv_pool_text(tasks->pool, tasks->rtype[t].label)),
			     1, tv_header_idleness(figure, t), "percent, mean idleness");
	for (uint32_t r = 0; r < rows->nrows; r++)
		write_number(c, "IdleOf",
			     tv_clean_text(name, sizeof name,
					   tv_pool_text(rows->pool, rows->row[r].resource)),
			     1, rows->row[r].idle, "percent, idleness");
}

static void write_legend(struct caption *c)
{
	const struct tv_figure *figure = c->figure;
	const struct tv_rows *rows = figure->rows;
	const char *what = rows->states ? "States" : "Tasks";
	char number[24];

	for (uint32_t i = 0; i < rows->ntypes; i++)
		write_number(c, what, rows->type[i].name, 0, rows->type[i].count,
			     rows->states ? "states" : "tasks");
	if (rows->has_outliers)
		write_number(c, "Outliers", "", 0, rows->noutliers, "tasks");
	for (size_t i = 0; i < figure->notes->nhighlights; i++) {
		snprintf(number, sizeof number, "Highlighted%zu", i + 1);
		write_number(c, number, "", 0, figure->notes->highlight[i].count,
			     figure->notes->highlight[i].text);
	}
}

/* By panel in the order of the figure, then by name. */
static int by_name(const void *a, const void *b, void *data)
{
	const struct tv_printed_number *first = data, *x = &first[*(const uint32_t *)a],
				       *y = &first[*(const uint32_t *)b];
	const struct tv_printed_number *px = first, *py = first;

	while (px->panel != x->panel)
		px++;
	while (py->panel != y->panel)
		py++;
	if (px != py)
		return TV_COMPARE(px, py);
	if (strcmp(x->name, y->name) != 0)
		return strcmp(x->name, y->name);
	return strcmp(x->of, y->of) != 0 ? tv_natural_order(x->of, y->of) : TV_COMPARE(x, y);
}

/* A number of a panel without its unit, which is a command of its own where it depends on the size. */
static void write_printed(struct caption *c, const struct tv_printed_number *number)
{
	size_t n = strlen(number->text), unit = strlen(number->unit);
	bool scaled = n > unit + 1 && number->text[n - unit - 1] == ' ';
	char *what = tv_format("%s %s", number->panel, number->name);
	char *value = tv_strndup(number->text, scaled ? n - unit - 1 : n);

	write_command(c, what, number->of, value, number->unit);
	if (scaled) {
		char *unit_of = tv_format("%s %s Unit", what, number->of);

		write_command(c, unit_of, "", number->unit, "unit of the number before");
		tv_free(unit_of);
	}
	tv_free(value);
	tv_free(what);
}

/* Numbers in titles and keys of panels: "ready tasks: mean 19.7, max 51". */
static void write_panels(struct caption *c)
{
	const struct tv_printed_numbers *numbers = c->figure->numbers;
	uint32_t *order = tv_alloc(numbers->n, sizeof *order);

	for (uint32_t i = 0; i < numbers->n; i++)
		order[i] = i;
	qsort_r(order, numbers->n, sizeof *order, by_name, numbers->at);
	for (uint32_t i = 0; i < numbers->n; i++)
		write_printed(c, &numbers->at[order[i]]);
	tv_free(order);
}

void tv_caption_write(const struct tv_figure *figure, size_t n, struct tv_output *out)
{
	struct caption c = { .out = out, .used = tv_pool_new() };

	tv_output_text(out, "% Numbers of a figure, as it prints them; by traceviz.\n");
	for (size_t i = 0; i < n; i++) {
		const char *name = figure[i].options->caption_name;

		c.figure = &figure[i];
		c.prefix[0] = '\0';
		add_words(c.prefix, sizeof c.prefix, name != NULL ? name : "");
		if (c.prefix[0] == '\0')
			add_words(c.prefix, sizeof c.prefix, "figure");
		if (figure[i].facet != NULL)
			add_words(c.prefix, sizeof c.prefix, figure[i].facet->label);
		write_run(&c);
		write_bounds(&c);
		write_weighted(&c);
		write_node(&c);
		write_idleness(&c);
		write_legend(&c);
		write_panels(&c);
	}
	tv_pool_free(c.used);
}
