/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heatmap.c -- panels of any table as a map: a cell for each pair of categories, its color and number
 * a value; a map for each group of rows. `error-table`, `overhead-map`, `comm-map` and `slowdown-map`
 * are this panel with the columns of the tables of precision and of a benchmark of overlap.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/number.h"
#include "views/charts/heat_map.h"
#include "views/scene/ramp.h"

enum { SIDE_MAX = 2000, TILES_MAX = 64 };

static const double high = 13, side = 230; /* points */
static const uint32_t negative = 0xb2532c, positive = 0x2b6ca8;

/* A named panel: columns if no option names others; what the sums of a line are called. */
struct map_spec {
	const char *title, *x, *y, *value, *lack;
	const char *facet; /* columns, of which those with several values make maps */
	bool up;	   /* the first line is the lowest */
	/* By palette, as option colors; NULL: by the signs of the values. Those of hmon are the default. */
	const char *colors[TV_PALETTE_HMON];
};

struct stop {
	double at;
	uint32_t color;
};

struct map {
	struct tv_heat heat;
	const struct map_spec *spec;
	const char *colors;
	const struct tv_table *table;
	const struct tv_column *value;
	double low, high;
	struct stop stop[TV_HEAT_KEYS]; /* ascending; n 0: by the signs of the values */
	size_t nstops;
};

static double value_of(const struct map *m, uint32_t row)
{
	double value = 0;

	tv_cells_number(m->value, row, &value);
	return value;
}

/* ---- colors ---- */

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t color = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double x = a >> shift & 0xff, y = b >> shift & 0xff;

		color |= (uint32_t)(x + (y - x) * share + 0.5) << shift;
	}
	return color;
}

/* Between stops in sRGB; beyond them the color of the nearest one. */
static uint32_t color_of_stops(const struct map *m, double value)
{
	size_t i = 0;

	while (i < m->nstops && m->stop[i].at < value)
		i++;
	if (i == 0 || i == m->nstops)
		return m->stop[i == 0 ? 0 : i - 1].color;
	return mix(m->stop[i - 1].color, m->stop[i].color,
		   (value - m->stop[i - 1].at) / (m->stop[i].at - m->stop[i - 1].at));
}

static uint32_t color_of(const struct tv_heat *heat, uint32_t row)
{
	const struct map *m = (const struct map *)heat;
	double max = fmax(fabs(m->low), fabs(m->high)), value = value_of(m, row);

	if (m->nstops > 0)
		return color_of_stops(m, value);
	if (m->low < 0)
		return mix(TV_WHITE, value < 0 ? negative : positive,
			   max > 0 ? fmin(fabs(value) / max, 1) : 0);
	return tv_ramp_color(TV_RAMP_LOAD, m->high > 0 ? value / m->high : 0);
}

/* VALUE=RRGGBB,... in ascending order. */
static int read_stops(struct map *m, const struct tv_panel *panel, struct tv_error *err)
{
	for (const char *at = m->colors; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ","), value = strcspn(at, "=");
		struct stop *stop = &m->stop[m->nstops];
		char *end = NULL;

		if (m->nstops == TV_HEAT_KEYS)
			return tv_fail_usage(err, "--%s.colors: more than %d colors", panel->name,
					     TV_HEAT_KEYS);
		if (value + 7 == n)
			stop->color = (uint32_t)strtoul(at + value + 1, &end, 16);
		if (value + 7 != n || end != at + n
		    || strspn(at + value + 1, "0123456789abcdefABCDEF") < 6
		    || tv_parse_double(at, value, &stop->at) != TV_PARSE_OK
		    || (m->nstops > 0 && !(stop->at > stop[-1].at)))
			return tv_fail_usage(err,
					     "--%s.colors '%s', expected VALUE=RRGGBB with commas "
					     "between, values ascending, such as "
					     "0=ffffff,1=0c3a6b",
					     panel->name, m->colors);
		m->nstops++;
		at += n + (at[n] == ',');
	}
	return 0;
}

/* ---- what is drawn ---- */

/* A column with one value would only repeat it in the name of each map. */
static void choose_facets(struct map *m, const struct tv_column **column, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		tv_categories_init(&m->heat.facet, m->table, &column[i], 1, NULL);
		if (m->heat.facet.n > 1)
			column[kept++] = column[i];
		tv_categories_release(&m->heat.facet);
	}
	tv_categories_init(&m->heat.facet, m->table, column, kept, NULL);
}

static int choose_columns(const struct tv_figure *figure, const struct tv_panel *panel,
			  struct map *m, struct tv_error *err)
{
	const struct tv_column *x[TV_CELLS_COLUMNS], *y[TV_CELLS_COLUMNS], *facet[TV_CELLS_COLUMNS];
	struct tv_cells_title title;
	size_t nx, ny, nfacets;

	if (tv_cells_columns(figure, panel, m->table, "x", m->spec->x, x, &nx, err) < 0
	    || tv_cells_columns(figure, panel, m->table, "y", m->spec->y, y, &ny, err) < 0
	    || tv_cells_columns(figure, panel, m->table, "facet", m->spec->facet, facet, &nfacets,
				err)
		       < 0
	    || tv_cells_column(figure, panel, m->table, "value", m->spec->value, &m->value, err)
		       < 0)
		return -1;
	if (nx == 0 || ny == 0 || m->value == NULL)
		return tv_fail_usage(err, "panel %s: --%s.%s is missing, expected a column",
				     panel->name, panel->name,
				     nx == 0   ? "x"
				     : ny == 0 ? "y"
					       : "value");
	if (!tv_cells_numeric(m->table, m->value))
		return tv_fail_usage(err, "--%s.value: column '%s' has no numbers", panel->name,
				     m->value->name);
	tv_categories_init(&m->heat.x, m->table, x, nx, m->spec->lack);
	tv_categories_init(&m->heat.y, m->table, y, ny, NULL);
	choose_facets(m, facet, nfacets);
	snprintf(m->heat.x_title, sizeof m->heat.x_title, "%s", tv_cells_title(&title, x[0]));
	snprintf(m->heat.y_title, sizeof m->heat.y_title, "%s", tv_cells_title(&title, y[ny - 1]));
	if (m->heat.x.n > SIDE_MAX || m->heat.y.n > SIDE_MAX)
		return tv_fail_usage(err, "panel %s: %u x %u cells, max %d in a direction",
				     panel->name, m->heat.x.n, m->heat.y.n, SIDE_MAX);
	return 0;
}

static int read_cells(struct map *m, const struct tv_panel *panel, struct tv_error *err)
{
	struct tv_heat *heat = &m->heat;
	size_t map = (size_t)heat->x.n * heat->y.n, n = map * heat->facet.n;

	tv_heat_cells(heat);
	m->low = INFINITY;
	m->high = -INFINITY;
	for (uint32_t row = 0; row < m->table->nrows; row++) {
		uint32_t *cell;
		double value;

		if (m->heat.x.of[row] == TV_NONE || m->heat.y.of[row] == TV_NONE
		    || m->heat.facet.of[row] == TV_NONE || !tv_cells_number(m->value, row, &value))
			continue;
		cell = &heat->row[tv_heat_at(heat, heat->facet.of[row], heat->x.of[row],
					     heat->y.of[row])];
		if (*cell != TV_NONE)
			return tv_fail_usage(err,
					     "panel %s: two rows for %s, %s; --where chooses rows, "
					     "--%s.facet and --%s.y more columns",
					     panel->name, m->heat.y.name[m->heat.y.of[row]],
					     m->heat.x.name[m->heat.x.of[row]], panel->name,
					     panel->name);
		*cell = row;
		m->low = fmin(m->low, value);
		m->high = fmax(m->high, value);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t facet = (uint32_t)(i / map);

		if (heat->row[i] != TV_NONE
		    && (heat->ntiles == 0 || heat->tile[heat->ntiles - 1] != facet))
			heat->tile[heat->ntiles++] = facet;
	}
	return 0;
}

/* Numbers of a map have the same decimals: as many as show four digits of the largest one. */
static void write_number(const struct tv_heat *heat, uint32_t row, char *out, size_t size)
{
	const struct map *m = (const struct map *)heat;
	double max = fmax(fabs(m->low), fabs(m->high)), value = value_of(m, row);
	int decimals = max >= 1e6 || (max > 0 && max < 1e-3) ? -1
		     : max >= 1000			     ? 0
		     : max >= 10			     ? 1
		     : max >= 1				     ? 2
							     : 3;

	if (decimals < 0)
		tv_number_text(out, size, value);
	else
		snprintf(out, size, "%.*f", decimals, value);
}

static uint32_t describe(const struct tv_heat *heat, struct tv_scene *scene, uint32_t facet,
			 uint32_t x, uint32_t y)
{
	const struct map *m = (const struct map *)heat;
	bool several = heat->ntiles > 1;
	char text[700], number[64];

	if (!scene->labels)
		return 0;
	tv_number_text(number, sizeof number,
		       value_of(m, heat->row[tv_heat_at(heat, facet, x, y)]));
	snprintf(text, sizeof text, "%s%s%s, %s: %s %s", several ? heat->facet.name[facet] : "",
		 several ? ", " : "", heat->y.name[y], heat->x.name[x], m->value->name, number);
	return tv_scene_string(scene, text);
}

/* The colors of the values between which others are mixed. */
static void set_keys(struct map *m)
{
	for (size_t i = 0; i < m->nstops; i++) {
		m->heat.key[i] = (struct tv_key){ TV_KEY_AREA, m->stop[i].color, "" };
		snprintf(m->heat.key[i].text, TV_KEY_TEXT, "%s%g",
			 i == 0 && m->low < m->stop[0].at		 ? "<= "
			 : i + 1 == m->nstops && m->high > m->stop[i].at ? ">= "
									 : "",
			 m->stop[i].at);
	}
	m->heat.nkeys = m->nstops;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_panel *panel = slot->panel;
	struct map *m = slot->state;
	struct tv_cells_title value = { "" };
	int rc;

	m->spec = panel->spec;
	m->heat = (struct tv_heat){ .class = "cell",
				    .group = "map",
				    .high = high,
				    .side = side,
				    .up = m->spec->up,
				    .color = color_of,
				    .number = write_number,
				    .label = describe };
	if (m->colors == NULL)
		m->colors = m->spec->colors[figure->options->palette % TV_PALETTE_HMON];
	rc = tv_cells_table(figure, panel, &m->table, err);
	if (rc != 0)
		return rc;
	if (choose_columns(figure, panel, m, err) < 0 || read_cells(m, panel, err) < 0
	    || read_stops(m, panel, err) < 0)
		return -1;
	if (m->heat.ntiles > TILES_MAX)
		return tv_fail_usage(err, "panel %s: %u maps, max %d; --where chooses rows",
				     panel->name, m->heat.ntiles, TILES_MAX);
	if (m->low > m->high)
		return tv_panel_nothing(figure, panel, "no cell has a value");
	if (m->spec->title != NULL)
		snprintf(m->heat.title, sizeof m->heat.title, "%s", m->spec->title);
	else
		snprintf(m->heat.title, sizeof m->heat.title, "%s: %.4g to %.4g",
			 tv_cells_title(&value, m->value), m->low, m->high);
	tv_heat_words(&m->heat, figure->scene->text);
	set_keys(m);
	return 0;
}

static const struct tv_option_spec options[] = {
	TV_OPTION_PASS,
	{ "x", "COLUMN,...", NULL, "columns of cells", TV_OPTION_LIST },
	{ "y", "COLUMN,...", NULL, "lines of cells", TV_OPTION_LIST },
	{ "facet", "COLUMN,...", NULL, "a map for each value", TV_OPTION_LIST },
	{ "value", "COLUMN", NULL, "number and color of a cell" },
	{ "colors", "VALUE=RRGGBB,...", NULL,
	  "colors of values, mixed between them (default: white for 0, darker for more, red-brown "
	  "below)",
	  TV_INTO(struct map, colors) },
};

#define HEATMAP_PANEL \
	TV_HEAT_PANEL, .share = 3, TV_PANEL_OPTIONS(options, struct map), .prepare = prepare

static const struct map_spec any = { .title = NULL };

const struct tv_panel tv_panel_heatmap = {
	.name = "heatmap",
	.title = "a color for each pair of values of two columns of any table",
	.needs = "a table that is no trace, or option pass",
	.table = "",
	HEATMAP_PANEL,
	.spec = &any,
};

static const struct map_spec errors = {
	.title = "error of simulations, %; positive: optimistic",
	.x = "Size|Workers|Cores|Case",
	.y = "Algorithm|Program,Model",
	.value = "Error",
	.lack = "mean",
};

const struct tv_panel tv_panel_error_table = {
	.name = "error-table",
	.title = "errors of simulations by model and case, with means",
	.needs = "a table of precision",
	.table = "Model Error Cases",
	HEATMAP_PANEL,
	.spec = &errors,
};

/* What the benchmark of overlap, examples/mpi, writes; other tables may have references only. */
#define OVERLAP_MAP \
	.x = "CommTarget|CommReference", .y = "ComputeTarget|ComputeReference", \
	.facet = "Library,Configuration,Call,Ranks,Nodes", .up = true

static const struct map_spec overhead_of = {
	.title = "overhead ratio: 0 hidden, 1 one after the other",
	.value = "OverheadRatio",
	.colors = { "-1=0000ff,0=00a000,1=ffff00,2=ff0000", "-1=08306b,0=6baed6,1=fff5c0,2=b35806",
		    "-1=ffffff,2=303030" },
	OVERLAP_MAP,
};

const struct tv_panel tv_panel_overhead_map = {
	.name = "overhead-map",
	.title = "overhead of communication with computation, by the time of each",
	.needs = "a table of examples/mpi, or with its columns",
	.table = "ComputeTarget CommTarget OverheadRatio",
	HEATMAP_PANEL,
	.spec = &overhead_of,
};

static const struct map_spec comm = {
	.title = "communication beside computation / alone: 0 hidden, 1 not hidden",
	.value = "CommRatio",
	.colors = { "0=0000ff,1=ffffff,2=ff0000", "0=2166ac,1=ffffff,2=b35806",
		    "0=ffffff,2=303030" },
	OVERLAP_MAP,
};

const struct tv_panel tv_panel_comm_map = {
	.name = "comm-map",
	.title = "time in communication calls beside computation, to that alone",
	.needs = "a table of examples/mpi, or with its columns",
	.table = "ComputeTarget CommTarget CommRatio",
	HEATMAP_PANEL,
	.spec = &comm,
};

static const struct map_spec slowdown = {
	.title = "computation beside communication / alone: 1 not slowed down",
	.value = "ComputeSlowdown",
	.colors = { "1=0000ff,1.5=ffffff,2=ff0000", "1=2166ac,1.5=ffffff,2=b35806",
		    "1=ffffff,2=303030" },
	OVERLAP_MAP,
};

const struct tv_panel tv_panel_slowdown_map = {
	.name = "slowdown-map",
	.title = "computation beside communication, to that alone",
	.needs = "a table of examples/mpi, or with its columns",
	.table = "ComputeTarget CommTarget ComputeSlowdown",
	HEATMAP_PANEL,
	.spec = &slowdown,
};
