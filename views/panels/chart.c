/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart.c -- panels of lines or points over any table: one small chart per value column and per group
 * of rows, a line per series, bounds and reference lines. The other panels here are this one with the
 * columns of the tables that passes, simulations and benchmarks give.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "sim/model/boundaries.h"
#include "sim/model/scaling.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/line_charts.h"

static const uint32_t mark_color = 0x8c8c8c;

/* ---- fit ---- */

/* That of items [from, to), one series in one chart, into rows of both columns. */
static void fit_series(const struct tv_line_chart *c, size_t from, size_t to,
		       struct tv_column *fitted, struct tv_column *residual)
{
	double *x = tv_alloc(to - from, sizeof *x), *y = tv_alloc(to - from, sizeof *y);
	struct tv_scaling fit;

	for (size_t i = from; i < to; i++) {
		x[i - from] = c->item[i].x;
		if (!tv_cells_number(c->value[0], c->item[i].row, &y[i - from]))
			y[i - from] = NAN;
	}
	fit = tv_scaling_fit(x, y, to - from);
	for (size_t i = from; i < to; i++) {
		double at = tv_scaling_at(&fit, x[i - from]);

		if (!(x[i - from] > 0) || !isfinite(at))
			continue;
		tv_set_double(fitted, c->item[i].row, at);
		if (y[i - from] > 0)
			tv_set_double(residual, c->item[i].row,
				      round(1e8 * (y[i - from] / at - 1)) / 1e6);
	}
	tv_free(x);
	tv_free(y);
}

/* Adds the columns of the fit to those of the table, as bound of the first chart and as another one. */
static void add_fit(struct tv_line_chart *c)
{
	static const struct tv_field columns[] = {
		{ "FitTime", TV_DOUBLE, false, "ms", "serial + parallel / threads" },
		{ "Residual", TV_DOUBLE, false, "%", "time / fit - 1, to 1e-6" },
	};

	tv_table_init(&c->fitted, c->table->pool);
	c->fitted.nrows = c->table->nrows;
	tv_add_fields(&c->fitted, columns, TV_COUNT(columns));
	for (size_t i = 0, end; i < c->n; i = end) {
		for (end = i; end < c->n && c->item[end].series == c->item[i].series
			      && c->item[end].facet == c->item[i].facet;
		     end++)
			;
		fit_series(c, i, end, c->fitted.col[0], c->fitted.col[1]);
	}
	tv_table_finish(&c->fitted);
	if (c->nbounds[0] < TV_CELLS_COLUMNS)
		c->bound[0][c->nbounds[0]++] = c->fitted.col[0];
	if (c->nvalues < TV_CELLS_COLUMNS && c->facet.n * (c->nvalues + 1) <= TV_LINE_TILES) {
		c->levels[c->nvalues] = "0";
		c->linear[c->nvalues] = true;
		c->value[c->nvalues++] = c->fitted.col[1];
	}
}

/* ---- vertical lines ---- */

static int add_mark(struct tv_line_chart *c, double at, const char *text, struct tv_error *err)
{
	if (c->nmarks == TV_LINE_MARKS)
		return tv_fail_usage(err, "more than %d boundaries", TV_LINE_MARKS);
	c->mark[c->nmarks].at = at;
	c->mark[c->nmarks].color = mark_color;
	c->mark[c->nmarks].column = false;
	tv_clean_text(c->mark[c->nmarks].text, sizeof c->mark[0].text, text);
	c->nmarks++;
	return 0;
}

/* One word of a list of boundaries: N, N=TEXT, or /N: the multiples of N in between. */
static int read_mark(struct tv_line_chart *c, const struct tv_panel *panel, const char *word,
		     struct tv_error *err)
{
	size_t n = strcspn(word, "=");
	bool multiples = word[0] == '/';
	double at;

	if (tv_parse_double(word + multiples, n - multiples, &at) != TV_PARSE_OK
	    || (multiples && !(at > 0)))
		return tv_fail_usage(err,
				     "--%s.boundaries '%s', expected N, N=TEXT or /N (all "
				     "multiples of N) with commas between",
				     panel->name, word);
	if (!multiples)
		return add_mark(c, at, word[n] == '=' ? word + n + 1 : "", err);
	for (double k = floor(c->tick[0] / at) + 1; k * at < c->tick[c->nticks - 1]; k++)
		if (add_mark(c, k * at, "", err) < 0)
			return -1;
	return 0;
}

/* The values of the column of marks, each once for a series. */
static int read_column(const struct tv_figure *figure, struct tv_line_chart *c,
		       struct tv_error *err)
{
	for (size_t i = 0; i < c->n && c->marks != NULL; i++) {
		bool several = c->series.n > 1, known = false;
		uint32_t color = several ? tv_category_color(figure, &c->series, c->item[i].series)
					 : mark_color;
		char number[64], text[160];
		double at;

		if (!tv_cells_number(c->marks, c->item[i].row, &at))
			continue;
		for (size_t k = 0; k < c->nmarks && !known; k++)
			known = c->mark[k].at == at && c->mark[k].color == color;
		if (known)
			continue;
		snprintf(number, sizeof number, "%.3g", at);
		snprintf(text, sizeof text, "%s%s%s", several ? "" : tv_cells_words(c->marks),
			 several ? "" : " ", number);
		if (add_mark(c, at, text, err) < 0)
			return -1;
		c->mark[c->nmarks - 1].color = color;
		c->mark[c->nmarks - 1].column = true;
	}
	return 0;
}

static bool has_mark(const struct tv_line_chart *c, double at)
{
	for (size_t i = 0; i < c->nmarks; i++)
		if (c->mark[i].at == at)
			return true;
	return false;
}

/* The boundaries of a platform that lie on the axis, besides those that have a name. */
static int read_platform(struct tv_line_chart *c, const char *platform, struct tv_error *err)
{
	uint32_t *number;
	size_t n;
	int rc = 0;

	if (platform == NULL)
		return 0;
	if (tv_platform_boundaries(platform, &number, &n, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (number[i] >= c->tick[0] && number[i] <= c->tick[c->nticks - 1]
		    && !has_mark(c, number[i]))
			rc = add_mark(c, number[i], "", err);
	tv_free(number);
	return rc;
}

static int read_marks(const struct tv_figure *figure, const struct tv_panel *panel,
		      struct tv_line_chart *c, struct tv_error *err)
{
	char *list = tv_strdup(c->boundaries != NULL ? c->boundaries : "");
	int rc = 0;

	for (char *rest = list, *word; rc == 0 && (word = strsep(&rest, ",")) != NULL;)
		if (word[0] != '\0')
			rc = read_mark(c, panel, word, err);
	tv_free(list);
	if (rc == 0)
		rc = read_platform(c, c->platform, err);
	return rc == 0 ? read_column(figure, c, err) : rc;
}

/* Of the table of `scaling`: where a loss first takes too much, with its name as a key. */
static int mark_stop(struct tv_line_chart *c, struct tv_error *err)
{
	for (uint32_t row = 0; row < c->table->nrows; row++) {
		double at;

		if (!tv_lines_in_section(c, row, "stop") || !tv_cells_number(c->x, row, &at))
			continue;
		if (add_mark(c, at, "", err) < 0)
			return -1;
		tv_lines_add_key(c, TV_KEY_DOTTED, mark_color,
				 tv_table_text(c->table, "Note", row));
	}
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct tv_line_chart *c = slot->state;
	int rc = tv_cells_table(figure, slot->panel, &c->table, err);

	c->spec = slot->panel->spec;
	if (rc == 0)
		rc = tv_lines_read(figure, slot->panel, c, err);
	if (rc != 0)
		return rc;
	if (c->spec->fit && !c->named)
		add_fit(c);
	tv_lines_words(figure, c);
	if (c->spec->section != NULL && mark_stop(c, err) < 0)
		return -1;
	return read_marks(figure, slot->panel, c, err);
}

#define CHART_OPTIONS(pass, log_axes) \
	TV_OPTION_PASS_OR(pass), { "x", "COLUMN", NULL, "horizontal axis: numbers, or names" }, \
		{ "y", "COLUMN,...", NULL, "values, a chart for each column", TV_OPTION_LIST }, \
		{ "series", "COLUMN,...", NULL, "a line for each value of these columns", \
		  TV_OPTION_LIST }, \
		{ "facet", "COLUMN,...", NULL, "a chart for each value of these columns", \
		  TV_OPTION_LIST }, \
		{ "bounds", "COLUMN,...", NULL, "dashed lines: values to compare with", \
		  TV_OPTION_LIST }, \
		{ "levels", "VALUE,...", NULL, "horizontal lines", TV_OPTION_LIST }, \
		{ "boundaries", "N[=TEXT]|/N,...", NULL, \
		  "vertical lines, such as the last core of a socket; /N: at all multiples of " \
		  "N", \
		  TV_INTO(struct tv_line_chart, boundaries) }, \
		{ "platform", "NAME|FILE", NULL, \
		  "vertical lines at the last core of each cache and memory of a platform", \
		  TV_INTO(struct tv_line_chart, platform) }, \
		{ "marks", "COLUMN", NULL, "vertical lines at the values of this column" }, \
		{ "kind",	    "lines|points", \
		  "lines",	    "how rows are drawn", \
		  TV_OPTION_CHOICE, TV_INTO(struct tv_line_chart, kind) }, \
	{ \
		"log", "none|x|y|xy", log_axes, "axes with logarithmic scales", TV_OPTION_CHOICE, \
			TV_INTO(struct tv_line_chart, log) \
	}

static const struct tv_option_spec options[] = { CHART_OPTIONS(NULL, "none") };
static const struct tv_option_spec log_options[] = { CHART_OPTIONS(NULL, "xy") };
static const struct tv_option_spec alpha_options[] = { CHART_OPTIONS("dedicate", "none"),
						       TV_OPTIONS_DEDICATE };
static const struct tv_pass_option for_alpha[] = { { "show", "alpha" },
						   { "cores", NULL },
						   { "dedicated", NULL },
						   { "compute-factor", NULL },
						   { NULL, NULL } };

#define CHART_PANEL TV_LINES_PANEL, .share = 3, .prepare = prepare

static const struct tv_line_spec any = { .title = NULL };

const struct tv_panel tv_panel_chart = {
	.name = "chart",
	.title = "lines or points over any table",
	.needs = "a table that is no trace, or option pass",
	.table = "",
	TV_PANEL_OPTIONS(options, struct tv_line_chart),
	CHART_PANEL,
	.spec = &any,
};

static const struct tv_line_spec sweep = {
	.title = "speedup over the first point of each line, and efficiency",
	.x = "Workers",
	.x_type = "ResourceType",
	.names_one = true,
	.series = "Scheduler,Model",
	.facet = NULL,
	.value = { { "Speedup", "Ideal,AbeSpeedup,CpeSpeedup", NULL, "MinSpeedup", "MaxSpeedup" },
		   { "Efficiency", NULL, "1", "MinEfficiency", "MaxEfficiency" } },
};

const struct tv_panel tv_panel_sweep = {
	.name = "sweep",
	.title = "speedup and efficiency by number of workers, with bounds",
	.needs = "a table of simulate --sweep",
	.table = "Workers Speedup Efficiency",
	TV_PANEL_OPTIONS(options, struct tv_line_chart),
	CHART_PANEL,
	.spec = &sweep,
};

static const struct tv_line_spec precision = {
	.title = "error of simulations; positive: optimistic",
	.x = "Workers|Cores|Threads|Case",
	.series = "Model",
	.facet = "Algorithm|Program",
	.value = { { "Error", NULL, "0", NULL, NULL } },
};

const struct tv_panel tv_panel_precision = {
	.name = "precision",
	.title = "signed error of simulations, a line for each model",
	.needs = "a table of precision",
	.table = "Model Error",
	TV_PANEL_OPTIONS(options, struct tv_line_chart),
	CHART_PANEL,
	.spec = &precision,
};

static const struct tv_line_spec alpha = {
	.title = "dedicated cores: speedup and time over alpha",
	.x = "Alpha",
	.series = "Case|Configuration",
	.value = { { "Speedup", NULL, "1" }, { "DedicatedTime", "MeanTime", NULL } },
	.marks = "BreakEven",
};

const struct tv_panel tv_panel_alpha_curves = {
	.name = "alpha-curves",
	.title = "predicted speedup with dedicated cores over alpha, with the break-even",
	.needs = "calls of MPI with the cores of ranks, or a table of dedicate --show alpha",
	.table = "Alpha DedicatedTime Speedup",
	TV_PANEL_OPTIONS(alpha_options, struct tv_line_chart),
	.pass_option = for_alpha,
	CHART_PANEL,
	.spec = &alpha,
};

static const struct tv_line_spec prediction_of = {
	.title = "predicted against measured; below the line: optimistic",
	.x = "MeasuredTime",
	.series = "Model",
	.value = { { "PredictedTime", "MeasuredTime", NULL } },
	.points = true,
};

const struct tv_panel tv_panel_prediction = {
	.name = "prediction",
	.title = "predicted times against measured ones",
	.needs = "a table with predicted and measured times",
	.table = "PredictedTime MeasuredTime",
	TV_PANEL_OPTIONS(options, struct tv_line_chart),
	CHART_PANEL,
	.spec = &prediction_of,
};

static const struct tv_line_spec scaling_of = {
	.title = "time by threads, and fit serial + parallel / threads",
	.x = "Threads|Cores|Workers",
	.series = "Program|Scheduler",
	.value = { { "Time|MeasuredTime|Makespan", NULL, NULL } },
	.fit = true,
};

const struct tv_panel tv_panel_scaling = {
	.name = "scaling",
	.title = "time over threads, with a fit and its residuals",
	.needs = "a table with times by the number of threads, cores or workers",
	.table = "Threads Time",
	TV_PANEL_OPTIONS(options, struct tv_line_chart),
	CHART_PANEL,
	.spec = &scaling_of,
};

static const struct tv_line_spec scaling_model_of = {
	.title = "scaling of runs",
	.x = "Workers",
	.value = { { "Makespan", "Model", NULL },
		   { .names = "Efficiency", .bounds = "ModelEfficiency", .linear = true },
		   { .names = "ModelError", .levels = "0", .linear = true, .stems = true } },
	.section = "run",
};

const struct tv_panel tv_panel_scaling_model = {
	.name = "scaling-model",
	.title = "runs on more workers: makespan, efficiency, and the error of their model",
	.needs = "a table of scaling",
	.table = "Section Simulated Model ModelError",
	TV_PANEL_OPTIONS(log_options, struct tv_line_chart),
	CHART_PANEL,
	.spec = &scaling_model_of,
};
