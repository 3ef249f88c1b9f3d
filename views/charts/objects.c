/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.c -- numbers of the objects of the machine and their colors. */
#include "views/charts/objects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/machine/placement.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "views/scene/ramp.h"

/* ---- colors ---- */

/* Green, yellow, red: the colors of hierarchical monitors. */
static uint32_t hmon_color(double share)
{
	double u = share < 0 || isnan(share) ? 0 : fmin(share, 1);
	uint32_t red = u <= 0.5 ? (uint32_t)(510 * u) : 255,
		 green = u <= 0.5 ? 255 : (uint32_t)(510 * (1 - u));

	return red << 16 | green << 8;
}

double tv_object_share(const struct tv_object_numbers *numbers,
		       const struct tv_object_number *number, double value)
{
	double low = number->low, high = number->high;

	if (numbers->log && low > 0) {
		value = log(value);
		low = log(low);
		high = log(high);
	}
	return high > low ? (value - low) / (high - low) : isnan(value) ? NAN : 0.5;
}

uint32_t tv_object_color(const struct tv_object_numbers *numbers,
			 const struct tv_object_number *number, double value)
{
	return numbers->shade(tv_object_share(numbers, number, value));
}

void tv_object_numbers_join(struct tv_object_numbers *numbers,
			    const struct tv_object_numbers *other)
{
	for (size_t i = 0; i < numbers->n; i++)
		for (size_t k = 0; k < other->n; k++) {
			struct tv_object_number *m = &numbers->at[i];
			const struct tv_object_number *with = &other->at[k];

			if (strcmp(m->name, with->name) != 0 || strcmp(m->unit, with->unit) != 0)
				continue;
			m->low = fmin(m->low, with->low);
			m->high = fmax(m->high, with->high);
		}
}

/* Percent from 0 to 100, else the extremes of the whole run. */
static void set_scale(struct tv_object_number *m)
{
	const struct tv_column *low = tv_table_find(m->table, "Min"),
			       *high = tv_table_find(m->table, "Max"),
			       *capacity = tv_table_find(m->table, "Capacity");

	m->of_workers = m->table->nrows > 0 && !tv_missing(capacity, 0);
	m->low = m->of_workers ? 0 : INFINITY;
	m->high = m->of_workers ? 100 : -INFINITY;
	for (uint32_t row = 0; row < m->table->nrows; row++) {
		double value = tv_object_value(m, row);

		if (!tv_missing(low, row)) {
			m->low = fmin(m->low, m->factor * low->d[row]);
			m->high = fmax(m->high, m->factor * high->d[row]);
		}
		if (!isnan(value)) {
			m->low = fmin(m->low, value);
			m->high = fmax(m->high, value);
		}
	}
}

static bool is_shown(const struct tv_object_numbers *numbers, size_t i)
{
	for (uint32_t object = 0; object < numbers->nobjects; object++)
		if (tv_object_number_of(numbers, object) == &numbers->at[i])
			return true;
	return false;
}

size_t tv_object_keys(const struct tv_object_numbers *numbers, struct tv_key *key)
{
	size_t n = 0;

	for (size_t i = 0; i < numbers->n; i++) {
		const struct tv_object_number *m = &numbers->at[i];
		char low[TV_NUMBER_MAX], high[TV_NUMBER_MAX];

		if (!(m->high >= m->low) || !is_shown(numbers, i))
			continue;
		tv_number_text(low, sizeof low, m->low);
		tv_number_text(high, sizeof high, m->high);
		key[n] = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = numbers->shade };
		snprintf(key[n].text, sizeof key[n].text, "%.40s: %s%s%s%s%.20s%s", m->name, low,
			 m->high > m->low ? " to " : "", m->high > m->low ? high : "",
			 m->unit[0] != '\0' ? " " : "", m->unit,
			 numbers->log && m->low > 0 ? ", logarithmic" : "");
		n++;
	}
	return n;
}

/* ---- numbers ---- */

double tv_object_value(const struct tv_object_number *number, uint32_t row)
{
	const struct tv_column *value = tv_table_find(number->table, "Value");

	return tv_missing(value, row) ? NAN : number->factor * value->d[row];
}

const struct tv_object_number *tv_object_number_of(const struct tv_object_numbers *numbers,
						   uint32_t row)
{
	for (size_t i = 0; i < numbers->n; i++)
		for (uint32_t at = row % numbers->nobjects; at < numbers->at[i].table->nrows;
		     at += numbers->nobjects)
			if (!isnan(tv_object_value(&numbers->at[i], at))
			    || !tv_missing(tv_table_find(numbers->at[i].table, "Max"), at))
				return &numbers->at[i];
	return &numbers->at[0];
}

/* Idleness where workers with tasks have a place on the machine; else the first variable of the innermost objects that
 * have one, or "idleness". */
static const char *usual_number(const struct tv_figure *figure)
{
	const struct tv_table *table = tv_trace_table(figure->run->trace, TV_VARIABLES);
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *type = tv_table_find(table, "Type");
	const struct tv_placement *p = tv_run_placement(figure->run);
	const char *usual = "idleness";
	int64_t depth = -1;

	if (figure->run->tasks.ncounted > 0 && p->unplaced < figure->run->tasks.nworkers)
		return usual;
	for (uint32_t row = 0; id != NULL && type != NULL && row < table->nrows; row++) {
		uint32_t object = tv_label(id, row) == TV_NONE || tv_label(type, row) == TV_NONE
					? TV_NONE
					: tv_object_of(&p->machine, tv_label(id, row));

		if (object == TV_NONE || p->machine.at[object].depth <= depth)
			continue;
		depth = p->machine.at[object].depth;
		usual = tv_pool_text(table->pool, tv_label(type, row));
	}
	return usual;
}

static int add_number(struct tv_object_numbers *numbers, struct tv_figure *figure,
		      const struct tv_panel *panel, const char *const *option, struct tv_error *err)
{
	struct tv_object_number *m = &numbers->at[numbers->n];
	int rc = numbers->n == TV_OBJECT_NUMBERS
		       ? tv_fail_usage(err, "--%s.by, expected at most %d numbers", panel->name,
				       TV_OBJECT_NUMBERS)
		       : tv_panel_pass(figure, panel, "topology", option, &m->table, err);

	if (rc != 0)
		return rc;
	m->unit = tv_pool_text(m->table->pool, tv_label(tv_table_find(m->table, "Unit"), 0));
	m->factor = strcmp(m->unit, "ns/s") == 0 ? 1e-9 : 1;
	if (m->factor != 1)
		m->unit = "s/s";
	m->name = tv_pool_text(m->table->pool, tv_intern_text(m->table->pool, option[1]));
	numbers->n++;
	set_scale(m);
	return 0;
}

/* Objects of a window: as long as none occurs again. */
static uint32_t count_objects(const struct tv_table *table)
{
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	struct tv_index place = { 0 };
	uint32_t n = 0;

	for (; n < table->nrows && tv_index_get(&place, tv_label(id, n)) == TV_NONE; n++)
		tv_index_set(&place, tv_label(id, n), n);
	tv_free(place.at);
	return n;
}

int tv_object_numbers_init(struct tv_object_numbers *numbers, struct tv_figure *figure,
			   const struct tv_panel *panel, const char *at, const char *windows,
			   struct tv_error *err)
{
	const char *list = tv_panel_option(figure, panel, "by");

	*numbers = (struct tv_object_numbers){ 0 };
	numbers->log = strcmp(tv_panel_option(figure, panel, "scale"), "log") == 0;
	numbers->alone = strcmp(tv_panel_option(figure, panel, "range"), "run") == 0;
	if (numbers->alone && figure->facet == NULL)
		return tv_fail_usage(err, "--%s.range run: a figure of one run, expected --facet",
				     panel->name);
	numbers->shade = figure->options->palette == TV_PALETTE_HMON ? hmon_color : tv_load_color;
	if (list == NULL)
		list = usual_number(figure);
	while (*list != '\0') {
		size_t n = strcspn(list, ",");
		char *by = tv_strndup(list, n);
		int rc = add_number(
			numbers, figure, panel,
			(const char *const[]){ "by", by, "at", at, "windows", windows, NULL }, err);

		tv_free(by);
		if (rc != 0)
			return rc;
		list += n + (list[n] == ',');
	}
	if (numbers->n == 0)
		return tv_fail_usage(err, "--%s.by is empty, expected names of numbers",
				     panel->name);
	numbers->nobjects = count_objects(numbers->at[0].table);
	numbers->nwindows = numbers->nobjects > 0 ? numbers->at[0].table->nrows / numbers->nobjects
						  : 0;
	return 0;
}
