/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c -- the runs of an HTML report: tables, results of passes, key numbers. */
#include "views/report/report.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "views/backends/html/tiles.h"
#include "views/report/columns.h"

/* The table tasks. Duration is End - Start; the graph has what DependsOn has. */
static void add_tasks(const struct tv_report_run *r)
{
	static const char *const left_out[] = { "Start", "Duration", "DependsOn", TV_INPUT_ROW };
	const struct tv_table *tasks = r->tasks;
	struct tv_near_column start = { .table = "tasks",
					.column = "Start",
					.of = tv_table_find(tasks, "Start") };

	tv_report_open(r, "tasks", tasks->nrows);
	if (start.of != NULL)
		tv_report_column(r, "tasks", start.of, tasks->nrows, NULL, 0,
				 tv_schema_field(TV_TASKS, "Start"));
	for (size_t i = 0; i < tasks->ncols; i++) {
		const struct tv_column *column = tv_table_at(tasks, i);
		bool near = start.of != NULL && strcmp(column->name, "End") == 0;

		start.scale = 0;
		if (strcmp(column->name, "SubmitTime") == 0) {
			start.scale = tv_report_scale(r, column);
			near = start.scale > 0;
		}
		if (!tv_is_any(column->name, left_out, TV_COUNT(left_out)))
			tv_report_column(r, "tasks", column, tasks->nrows, &start, near,
					 tv_schema_field(TV_TASKS, column->name));
	}
	tv_report_close(r);
}

/* Names of the columns of the table tasks that were read, in its order. */
static void write_order(const struct tv_report_run *r)
{
	const struct tv_table *tasks = &r->run->trace->table[TV_TASKS];

	tv_json_open(&r->html->header, "columns", '[');
	for (size_t i = 0; i < tasks->ncols; i++)
		if (!tasks->col[i]->derived)
			tv_json_text(&r->html->header, NULL, tasks->col[i]->name);
	tv_json_close(&r->html->header, ']');
}

/* MPI calls. */
static void add_calls(const struct tv_report_run *r)
{
	const struct tv_table *calls = &r->run->trace->table[TV_CALLS];
	const struct tv_near_column no = { .table = "calls" };

	if (calls->nrows == 0)
		return;
	tv_report_open(r, "calls", calls->nrows);
	for (size_t i = 0; i < calls->ncols; i++) {
		const struct tv_column *column = tv_table_at(calls, i);

		if (strcmp(column->name, TV_INPUT_ROW) != 0)
			tv_report_column(r, "calls", column, calls->nrows, &no, 0,
					 tv_schema_field(TV_CALLS, column->name));
	}
	tv_report_close(r);
}

static const struct tv_table *tv_report_add_pass(const struct tv_report_run *r, const char *pass)
{
	const struct tv_pass *of = tv_pass_find(pass);
	const struct tv_table *table = tv_report_pass(r, pass), *part = table;
	struct tv_table taken = { 0 };

	if (table == NULL)
		return NULL;
	if (of->kind == TV_ANNOTATE)
		part = tv_report_part(r, table, &taken);
	tv_report_open(r, pass, part->nrows);
	for (size_t i = 0; i < part->ncols; i++) {
		const struct tv_column *column = tv_table_at(part, i);
		struct tv_near_column near = { .table = "tasks",
					       .column = column->name,
					       .of = tv_table_find(r->tasks, column->name) };
		bool known = of->kind == TV_ANNOTATE && near.of != NULL
			  && near.of->type == column->type;

		tv_report_column(r, pass, column, part->nrows, &near, known,
				 tv_report_field(of->column, of->ncolumns, column->name));
	}
	tv_report_close(r);
	tv_table_release(&taken);
	return table;
}

static void add_fact(struct tv_html *html, const char *label, const char *name, char *value)
{
	TV_GROW(html->fact, html->nfacts, html->facts_cap, 1);
	html->fact[html->nfacts++] = (struct tv_fact){
		tv_format("%s%s%s", label, label[0] != '\0' ? ": " : "", name), value
	};
}

/* Number of tasks, makespan and bounds, idleness of the resource types. */
static void add_facts(const struct tv_report_run *r, const char *label,
		      const struct tv_table *bounds, const struct tv_table *idleness)
{
	const struct tv_tasks *tasks = &r->run->tasks;
	const struct tv_column *time = bounds == NULL ? NULL : tv_table_find(bounds, "Time");
	const struct tv_column *gap = bounds == NULL ? NULL : tv_table_find(bounds, "Gap");

	add_fact(r->html, label, "tasks", tv_format("%u", tasks->ntasks));
	for (uint32_t i = 0; bounds != NULL && i < bounds->nrows; i++) {
		char ms[TV_NUMBER_MAX];

		if (tv_table_text(bounds, "Node", i)[0] != '\0' || tv_missing(time, i))
			continue;
		tv_write_ms(ms, time->i[i]);
		add_fact(r->html, label, tv_table_text(bounds, "Bound", i),
			 tv_missing(gap, i)
				 ? tv_format("%s ms", ms)
				 : tv_format("%s ms (makespan %+.1f %%)", ms, gap->d[i]));
	}
	for (uint32_t t = 0; idleness != NULL && t < tasks->nrtypes; t++) {
		const struct tv_column *idle = tv_table_find(idleness, "Idleness");
		const char *rtype = tv_pool_text(tasks->pool, tasks->rtype[t].label);
		double sum = 0, n = 0;

		for (uint32_t i = 0; i < idleness->nrows; i++) {
			if (strcmp(tv_table_text(idleness, "ResourceType", i), rtype) != 0
			    || tv_missing(idle, i))
				continue;
			sum += idle->d[i];
			n++;
		}
		if (n > 0) {
			char *name = tv_format("idleness of %s", rtype);

			add_fact(r->html, label, name,
				 tv_format("%.2f %% (mean of %.0f workers)", sum / n, n));
			tv_free(name);
		}
	}
}

/* Those of the whole run. */
static void write_bounds(struct tv_json *json, const struct tv_table *bounds)
{
	tv_json_open(json, "bounds", '[');
	for (uint32_t i = 0; bounds != NULL && i < bounds->nrows; i++) {
		const struct tv_column *time = tv_table_find(bounds, "Time");

		if (tv_table_text(bounds, "Node", i)[0] != '\0' || tv_missing(time, i))
			continue;
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", tv_table_text(bounds, "Bound", i));
		tv_json_text(json, "nature", tv_table_text(bounds, "Nature", i));
		tv_json_time(json, "time", time->i[i]);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* A run begins in the header, up to its tables. */
static void open_run(const struct tv_report_run *r, const char *label)
{
	struct tv_json *json = &r->html->header;
	const struct tv_tasks *tasks = &r->run->tasks;

	tv_json_open(json, NULL, '{');
	tv_json_text(json, "label", label);
	tv_json_time(json, "begin", tasks->begin);
	tv_json_time(json, "finish", tasks->finish);
	tv_json_int(json, "tasks", tasks->ntasks);
	tv_json_int(json, "workers", tasks->nworkers);
	if (r->run->window.set) {
		tv_json_time(json, "from", r->run->window.begin);
		tv_json_time(json, "to", r->run->window.end);
	}
	write_order(r);
	tv_json_open(json, "tables", '{');
}

/* several: it is one of several runs. */
static void add_run(struct tv_report_run *r, const char *label, bool several)
{
	struct tv_json *json = &r->html->header;
	const struct tv_table *bounds, *idleness;

	tv_report_code(r);
	open_run(r, label);
	add_tasks(r);
	bounds = tv_report_add_pass(r, "bounds");
	idleness = tv_report_add_pass(r, "idleness");
	tv_report_add_pass(r, "outliers");
	tv_report_graph(r);
	tv_report_add_pass(r, "iterations");
	tv_report_add_pass(r, "critical-path");
	add_calls(r);
	if (r->run->trace->table[TV_CALLS].nrows > 0) {
		tv_report_add_pass(r, "wait-states");
		tv_report_add_pass(r, "messages");
	}
	tv_json_close(json, '}');
	tv_report_idle(r);
	write_bounds(json, bounds);
	tv_json_close(json, '}');
	add_facts(r, several ? label : "", bounds, idleness);
}

static void add_facet(struct tv_json *json, const char *label, unsigned run, unsigned row,
		      unsigned column)
{
	tv_json_open(json, NULL, '{');
	tv_json_text(json, "label", label);
	tv_json_int(json, "run", run);
	tv_json_int(json, "row", row);
	tv_json_int(json, "column", column);
	tv_json_close(json, '}');
}

/* The run of a facet; of a node's, that of all nodes. */
static struct tv_run *run_of(const struct tv_facet *facet)
{
	return facet->run->whole != NULL ? facet->run->whole : facet->run;
}

/* The first facet of the same trace. */
static size_t first_of(const struct tv_plot_options *options, size_t i)
{
	size_t k = 0;

	while (k < i && options->facet[k].run->trace != options->facet[i].run->trace)
		k++;
	return k;
}

int tv_report_check(const struct tv_run *run, const struct tv_plot_options *options,
		    struct tv_error *err)
{
	uint64_t rows = options->nfacets > 0 ? 0 : tv_report_rows(run);

	for (size_t i = 0; i < options->nfacets; i++)
		if (first_of(options, i) == i)
			rows += tv_report_rows(run_of(&options->facet[i]));
	return rows <= TV_REPORT_ROWS
		     ? 0
		     : tv_fail_usage(err,
				     "%llu tasks, an HTML report has at most %d: write tiles "
				     "(--tiles DIR instead of -o), choose a window (--begin, "
				     "--end), cut the trace, as by --restrict 'Start < 1000' "
				     "(ms), or draw a PDF or PNG",
				     (unsigned long long)rows, TV_REPORT_ROWS);
}

/* The number of the report's run that each facet shows; returned: how many there are. */
static unsigned number_runs(const struct tv_plot_options *options, unsigned *of)
{
	unsigned n = 0;

	for (size_t i = 0; i < options->nfacets; i++)
		of[i] = first_of(options, i) < i ? of[first_of(options, i)] : n++;
	return options->nfacets == 0 ? 1 : n;
}

/* The run that the tasks of a chart are of. */
static unsigned run_of_chart(const struct tv_scene *scene, const struct tv_chart *chart,
			     const struct tv_plot_options *options, const unsigned *of)
{
	unsigned facet = scene->part[scene->frame[chart->frame].part].facet;

	return facet < options->nfacets ? of[facet] : 0;
}

static void chart_items(struct tv_scene *scene, const struct tv_chart *chart,
			struct tv_chart_item **item, size_t *n)
{
	const struct tv_chart_row *first = scene->row + chart->row,
				  *last = first + chart->nrows - 1;

	*n = chart->nrows == 0 ? 0 : last->first + last->n - first->first;
	*item = *n == 0 ? NULL : scene->item + first->first; /* without any it is NULL itself */
}

/* Chooses the rows of a run; the items of its charts have their numbers from then on. */
static void choose_rows(struct tv_report_run *r, struct tv_scene *scene,
			const struct tv_plot_options *options, const unsigned *of)
{
	bool *shown = tv_alloc(r->run->tasks.n, sizeof *shown);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t c = 0; c < scene->ncharts; c++) {
			const struct tv_chart *chart = &scene->chart[c];
			struct tv_chart_item *item;
			size_t n;

			if (!chart->tasks
			    || run_of_chart(scene, chart, options, of) != r->number_of_run)
				continue;
			chart_items(scene, chart, &item, &n);
			for (size_t i = 0; i < n && pass == 0; i++)
				shown[item[i].row] = true;
			for (size_t i = 0; i < n && pass == 1; i++)
				item[i].row = r->number[item[i].row];
		}
		if (pass == 0)
			tv_report_choose(r, shown);
	}
	tv_free(shown);
}

static void add_facets(struct tv_json *json, const struct tv_plot_options *options,
		       const unsigned *of)
{
	tv_json_open(json, "facets", '[');
	for (size_t i = 0; i < options->nfacets; i++)
		add_facet(json, options->facet[i].label, of[i], options->facet[i].row,
			  options->facet[i].column);
	if (options->nfacets == 0)
		add_facet(json, options->label != NULL ? options->label : "", 0, 0, 0);
	tv_json_close(json, ']');
}

void tv_report_runs(struct tv_html *html, struct tv_run *run, const struct tv_plot_options *options,
		    struct tv_scene *scene)
{
	unsigned *of = tv_alloc(options->nfacets, sizeof *of), n = number_runs(options, of);

	html->ncoded = n;
	html->coded = tv_alloc(n, sizeof *html->coded);
	html->chart = tv_alloc(scene->ncharts, sizeof *html->chart);
	for (size_t c = 0; c < scene->ncharts; c++)
		html->chart[c] = run_of_chart(scene, &scene->chart[c], options, of);
	tv_json_open(&html->header, "runs", '[');
	for (unsigned number = 0; number < n; number++) {
		const struct tv_facet *facet = options->facet;
		struct tv_report_run r = {
			.html = html, .strings = scene->strings, .run = run, .number_of_run = number
		};
		struct tv_table taken;

		while (options->nfacets > 0 && of[facet - options->facet] != number)
			facet++;
		if (options->nfacets > 0)
			r.run = run_of(facet);
		else
			facet = NULL;
		choose_rows(&r, scene, options, of);
		r.tasks = tv_report_part(&r, &r.run->trace->table[TV_TASKS], &taken);
		/* The nodes of one run are several facets. */
		add_run(&r,
			facet != NULL && !facet->node ? facet->label
			: options->label != NULL      ? options->label
						      : "",
			facet != NULL && !facet->node);
		tv_table_release(&taken);
		tv_free(r.row);
		tv_free(r.number);
	}
	tv_json_close(&html->header, ']');
	add_facets(&html->header, options, of);
	if (options->diagnosis != NULL)
		tv_report_answer(&html->header, options->diagnosis);
	tv_free(of);
}

/* The columns of tasks that tiles have, without rows. */
static void add_no_tasks(const struct tv_report_run *r)
{
	static const char *const kept[] = { "Value", "ResourceId", "Start", "End", "JobId" };

	tv_report_open(r, "tasks", 0);
	for (size_t i = 0; i < TV_COUNT(kept); i++) {
		const struct tv_column *column = tv_table_find(r->tasks, kept[i]);

		if (column != NULL)
			tv_report_column(r, "tasks", column, 0, NULL, 0,
					 tv_schema_field(TV_TASKS, kept[i]));
	}
	tv_report_close(r);
}

/* The chart of the tasks; *rest: how many items the others have, which the page keeps. */
static size_t chart_of_tasks(struct tv_scene *scene, size_t *rest)
{
	size_t found = scene->ncharts, n;
	struct tv_chart_item *item;

	*rest = 0;
	for (size_t c = 0; c < scene->ncharts; c++) {
		struct tv_chart *chart = &scene->chart[c];

		if (chart->tasks && strcmp(scene->frame[chart->frame].name, "spacetime") == 0) {
			found = c;
			continue;
		}
		chart->tasks = false; /* it has times of its own */
		chart_items(scene, chart, &item, &n);
		*rest += n;
	}
	return found;
}

enum { BESIDE_TILES = 4000000 }; /* items of charts without tiles */

int tv_report_tiles(struct tv_html *html, struct tv_run *run, const struct tv_plot_options *options,
		    struct tv_scene *scene, struct tv_error *err)
{
	struct tv_report_run r = { .html = html,
				   .strings = scene->strings,
				   .run = run,
				   .tasks = &run->trace->table[TV_TASKS] };
	const char *label = options->label != NULL ? options->label : "";
	size_t rest, chart = chart_of_tasks(scene, &rest);
	unsigned of = 0;

	if (chart == scene->ncharts)
		return tv_fail_usage(err,
				     "--tiles: the figure has no rows of tasks; leave out --tiles");
	if (rest > BESIDE_TILES)
		return tv_fail_usage(
			err,
			"--tiles: %zu setup tasks and MPI calls, which tiles do not "
			"have; a page has at most %d: choose a window (--begin, --end)",
			rest, BESIDE_TILES);
	html->tiled = true;
	tv_json_open(&html->header, "runs", '[');
	open_run(&r, label);
	add_no_tasks(&r);
	tv_json_close(&html->header, '}');
	tv_json_close(&html->header, '}');
	tv_json_close(&html->header, ']');
	add_facets(&html->header, options, &of);
	add_facts(&r, "", tv_report_pass(&r, "bounds"), tv_report_pass(&r, "idleness"));
	return tv_html_tiles(html, scene, chart, r.tasks, options->tiles, err);
}
