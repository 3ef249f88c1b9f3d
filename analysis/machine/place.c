/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c -- where threads should run, by what each takes of a shared resource. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/machine/samples.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "object on which the work runs now") \
	X(LOAD, "Load", TV_DOUBLE, false, "", "sum of its values over time") \
	X(FROM, "From", TV_LABEL, false, "", "object of the level that contains it") \
	X(TO, "To", TV_LABEL, false, "", "object of the level that should contain its work") \
	X(BEFORE, "Imbalance", TV_DOUBLE, false, "", \
	  "max / mean of the sums of the level, as it is; the same in each row") \
	X(AFTER, "PlannedImbalance", TV_DOUBLE, false, "", "the same with To in place of From")

TV_COLUMNS(columns, COLUMNS)

/* The work of one object: its load, and its places by number in the level. */
struct load {
	uint32_t object;
	double value;
	uint32_t from, to;
};

struct placing {
	struct tv_samples samples;
	struct load *load;
	size_t n;
	uint32_t level, nplaces;
	uint32_t *room; /* of each place: objects like those of the loads inside it */
	double *sum;
};

TV_ORDER(by_load, struct load, down(value), object)

TV_ORDER(by_object, struct load, object)

/* The number of an object of the level; TV_NONE = outside. */
static uint32_t place_of(struct placing *w, uint32_t object)
{
	struct tv_machine *machine = &w->samples.machine;
	uint32_t above = tv_object_above(machine, object, w->level), i = 0;

	if (above == TV_NONE)
		return TV_NONE;
	while (machine->in_level[machine->level[w->level].first + i] != above)
		i++;
	return i;
}

/* Adds the values of each object. Samples are sorted by variable and object. */
static int collect(struct placing *w, struct tv_error *err)
{
	const struct tv_machine *machine = &w->samples.machine;
	const struct tv_sample *s = w->samples.at;

	if (tv_samples_single(&w->samples, err) < 0)
		return -1;
	w->load = tv_alloc(w->samples.n, sizeof *w->load);
	for (size_t i = 0; i < w->samples.n; i++) {
		uint32_t place;

		if (s[i].object == TV_NONE
		    && strncmp(tv_pool_text(machine->pool, s[i].type), "thread.", 7) == 0)
			return tv_fail(err,
				       "'%s' is of threads, which are on several objects during a "
				       "run; expected the CPU time of PUs, such as "
				       "events.task-clock or default.task-clock",
				       tv_pool_text(machine->pool, s[i].type));
		if (s[i].object == TV_NONE
		    || machine->at[s[i].object].level != machine->at[s[0].object].level)
			return tv_fail(err,
				       "the values are on different levels or on no objects of the "
				       "machine, expected one level (see reduce)");
		if (s[i].value < 0)
			return tv_fail(err, "a value is below 0, expected a count");
		if (w->n > 0 && w->load[w->n - 1].object == s[i].object) {
			w->load[w->n - 1].value += s[i].value;
			continue;
		}
		place = place_of(w, s[i].object);
		if (place == TV_NONE)
			return tv_fail(err, "'%s' is in no object of the level",
				       tv_pool_text(machine->pool, s[i].resource));
		w->load[w->n++] = (struct load){ s[i].object, s[i].value, place, place };
	}
	return 0;
}

static void count_room(struct placing *w)
{
	const struct tv_machine *machine = &w->samples.machine;
	const struct tv_level *own = &machine->level[machine->at[w->load[0].object].level];

	w->room = tv_alloc(w->nplaces, sizeof *w->room);
	for (uint32_t i = 0; i < own->n; i++) {
		uint32_t place = place_of(w, machine->in_level[own->first + i]);

		if (place != TV_NONE)
			w->room[place]++;
	}
}

/* max / mean of the sums of the places; NAN where all are 0. */
static double imbalance(struct placing *w, bool planned)
{
	double max = 0, all = 0;

	for (uint32_t i = 0; i < w->nplaces; i++)
		w->sum[i] = 0;
	for (size_t i = 0; i < w->n; i++)
		w->sum[planned ? w->load[i].to : w->load[i].from] += w->load[i].value;
	for (uint32_t i = 0; i < w->nplaces; i++) {
		max = fmax(max, w->sum[i]);
		all += w->sum[i];
	}
	return all > 0 ? max / (all / w->nplaces) : NAN;
}

/* Each load, the largest first, to the place that has the smallest sum so far and room (to spread), or the
 * first place that has room (to gather); of equal ones where it is. [Graham 1969] */
static void plan(struct placing *w, bool gather)
{
	uint32_t *used = tv_alloc(w->nplaces, sizeof *used);

	for (uint32_t i = 0; i < w->nplaces; i++)
		w->sum[i] = 0;
	qsort(w->load, w->n, sizeof *w->load, by_load);
	for (size_t i = 0; i < w->n; i++) {
		struct load *load = &w->load[i];
		uint32_t best = TV_NONE;

		for (uint32_t k = 0; k < w->nplaces; k++) {
			if (used[k] >= w->room[k])
				continue;
			if (best == TV_NONE
			    || (!gather
				&& (w->sum[k] < w->sum[best]
				    || (w->sum[k] == w->sum[best] && k == load->from))))
				best = k;
		}
		load->to = best;
		used[best]++;
		w->sum[best] += load->value;
	}
	tv_free(used);
}

static void write_plan(struct placing *w, double before, double after, struct tv_table *out)
{
	const struct tv_machine *machine = &w->samples.machine;
	const uint32_t *place = machine->in_level + machine->level[w->level].first;

	qsort(w->load, w->n, sizeof *w->load, by_object);
	for (size_t i = 0; i < w->n; i++) {
		const struct load *load = &w->load[i];
		uint32_t row = tv_table_add_row(out);

		tv_set_label(out->col[RESOURCE], row, machine->at[load->object].id);
		tv_set_double(out->col[LOAD], row, load->value);
		tv_set_label(out->col[FROM], row, machine->at[place[load->from]].id);
		tv_set_label(out->col[TO], row, machine->at[place[load->to]].id);
		if (!isnan(before))
			tv_set_double(out->col[BEFORE], row, before);
		if (!isnan(after))
			tv_set_double(out->col[AFTER], row, after);
	}
}

static int run_plan(struct placing *w, bool gather, struct tv_table *out, struct tv_error *err)
{
	double before, after;

	w->nplaces = w->samples.machine.level[w->level].n;
	if (collect(w, err) < 0)
		return -1;
	count_room(w);
	w->sum = tv_alloc(w->nplaces, sizeof *w->sum);
	before = imbalance(w, false);
	plan(w, gather);
	after = imbalance(w, true);
	if (!gather && !(after < before)) {
		for (size_t i = 0; i < w->n; i++)
			w->load[i].to = w->load[i].from;
		after = before;
	}
	write_plan(w, before, after, out);
	return 0;
}

struct asked {
	const char *name, *level;
	bool gather;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->level == NULL || asked->name == NULL)
		return tv_fail_usage(
			err, "place needs a variable and --level, expected place NAME --level L3");
	return 0;
}

static int run_place(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct placing w = { .n = 0 };
	int rc;

	rc = tv_samples_init(&w.samples, run, asked->name, err);
	if (rc == 0) {
		w.level = tv_machine_level(&w.samples.machine, asked->level);
		rc = w.level != TV_NONE
			   ? run_plan(&w, asked->gather, out, err)
			   : tv_machine_no_level(&w.samples.machine, asked->level, err);
	}
	tv_free(w.load);
	tv_free(w.room);
	tv_free(w.sum);
	tv_samples_release(&w.samples);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "Type of the variable: what each takes of the shared resource",
	  TV_ASKED(name) },
	{ "level", "LEVEL", NULL, "level of the shared resource, such as L3 or NUMANode",
	  TV_ASKED(level) },
	{ "gather", NULL, NULL, "the largest loads together, not spread", TV_ASKED(gather) },
};

const struct tv_pass tv_pass_place = {
	.name = "place",
	.summary = "Where threads should run, by their use of a shared resource",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(columns),
	.notes =
		"The load of each object (PU, core) is the sum of its values, such as cache "
		"misses.\n"
		"To spread, loads go, the largest first, to the object of the level with the\n"
		"smallest sum so far that has room: as many objects of that kind as it contains\n"
		"(LPT, Graham 1969). If that is no better than the present placement, that stays.\n"
		"--gather fills one object of the level after the other, the largest loads first:\n"
		"for threads that share data, or that would spoil the cache of all others.\n"
		"The loads are those of the present placement; elsewhere they may differ.",
	.example = "traceviz place CacheMiss --level L3 data/placement/grouped",
	.taskless = true,
	.check = check_options,
	.run = run_place,
};
