/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c -- what identifies two runs, and where it differs. */
#include "analysis/compare/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/grouping.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define PRIORITY_OF "Priority of "

enum { SHOWN = 200, /* bytes of a text, about */ NAMED = 3 };

/* A key with its values. */
struct setting {
	const char *key;
	char *own;	   /* the key, where it is no name of meta; else NULL */
	char *first, *all; /* the value of the first row; all with their places, cut at SHOWN */
	uint64_t hash;	   /* of all */
	bool differs;	   /* the rows have several values */
};

struct settings {
	struct setting *at;
	size_t n, cap;
};

TV_ORDER(by_key, struct setting, text(key))

static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Not what a run measures, nor what is another in each run, as the numbers of its processes. */
static bool identifies(const char *key)
{
	static const char *const known[] = {
		/* of the program and its runtime */
		"Format", "Producer", "Program", "Arguments", "Runtime", "MPI", "MPIThreads",
		"StarPU", "Ranks", "Cpus", "Binding", "Scheduler", "SchedulerPolicy", "Restricted",
		/* of simulated and generated runs */
		"Durations", "DurationsFrom", "Seed", "GFlops", "Submission", "Resources", "Add",
		"Speed", "Overhead", "Transfers", "Platform", "Model", "Placement", "Overlap",
		"Scratch", "Crosstraffic", "Memory", "Pipeline", "DataSize", "FreeMessages",
		"Synthetic", "Progress", "Cores", "Tiles", "Tile"
	};

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(key, known[i]) == 0)
			return true;
	/* Tags, and variables of the environment. */
	return strncmp(key, TV_META_TAG, strlen(TV_META_TAG)) == 0
	    || (strchr(key, '_') != NULL && strspn(key, upper) == strlen(key));
}

/* The length of "RANK: " or "rank RANK: " at the begin of a value. */
static size_t place_length(const char *value)
{
	size_t n = strncmp(value, "rank ", 5) == 0 ? 5 : 0,
	       digits = strspn(value + n, "0123456789");

	return digits > 0 && strncmp(value + n + digits, ": ", 2) == 0 ? n + digits + 2 : 0;
}

static void add(struct setting *setting, char *value)
{
	char *bare = value + place_length(value);

	/* The number of events that follows is no setting. */
	if (strcmp(setting->key, "Producer") == 0)
		bare[strcspn(bare, ",")] = '\0';
	for (const char *c = value;; c++) { /* FNV-1a, the closing NUL included */
		setting->hash = (setting->hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
		if (*c == '\0')
			break;
	}
	if (setting->all == NULL || strlen(setting->all) < SHOWN)
		tv_append(&setting->all, "%s%.*s", setting->all != NULL ? "; " : "", SHOWN, value);
	if (setting->first == NULL)
		setting->first = tv_strdup(bare);
	else
		setting->differs |= strcmp(setting->first, bare) != 0;
}

static struct settings collect(const struct tv_run *run)
{
	const struct tv_table *meta = &run->trace->table[TV_META];
	const struct tv_column *key = tv_table_find(meta, "Key"),
			       *value = tv_table_find(meta, "Value");
	uint32_t n = key != NULL && value != NULL ? meta->nrows : 0;
	struct settings settings = { 0 };
	struct tv_map index = { 0 };

	for (uint32_t row = 0; row < n; row++) {
		const char *name = tv_pool_text(key->pool, tv_label(key, row)), *text;
		uint32_t *at;
		size_t length;
		char *copy;

		if (!identifies(name))
			continue;
		at = tv_map_at(&index, tv_label(key, row), 0);
		if (*at == TV_NONE) {
			TV_GROW(settings.at, settings.n, settings.cap, 1);
			settings.at[settings.n] = (struct setting){ .key = name };
			*at = (uint32_t)settings.n++;
		}
		text = tv_string(value, row, &length);
		copy = tv_strndup(text, length);
		add(&settings.at[*at], copy);
		tv_free(copy);
	}
	tv_map_release(&index);
	if (settings.n > 0)
		qsort(settings.at, settings.n, sizeof *settings.at, by_key);
	return settings;
}

/* The priorities of the tasks of each type, as "-5" or "-5 to 3", in the order of types. */
static struct settings collect_priorities(const struct tv_run *run)
{
	struct settings settings = { 0 };
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_column *priority = tv_table_find(&run->trace->table[TV_TASKS], "Priority");
	struct tv_grouping types;
	struct range {
		int64_t least, most;
		bool any;
	} * range;

	if (priority == NULL || priority->type != TV_INT)
		return settings;
	tv_grouping_by_type(&types, tasks);
	range = tv_alloc(types.n, sizeof *range);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (types.of_row[row] != TV_NONE && !tv_missing(priority, row)) {
			struct range *r = &range[types.of_row[row]];
			int64_t is = priority->i[row];

			r->least = !r->any || is < r->least ? is : r->least;
			r->most = !r->any || is > r->most ? is : r->most;
			r->any = true;
		}
	for (uint32_t t = 0; t < types.n; t++) {
		struct setting *setting;
		char *value;

		if (!range[t].any)
			continue;
		TV_GROW(settings.at, settings.n, settings.cap, 1);
		setting = &settings.at[settings.n++];
		*setting = (struct setting){ 0 };
		setting->key = setting->own = tv_format(
			PRIORITY_OF "%s", tv_pool_text(tasks->pool, tv_grouping_label(&types, t)));
		value = tv_format("%lld", (long long)range[t].least);
		if (range[t].most > range[t].least)
			tv_append(&value, " to %lld", (long long)range[t].most);
		add(setting, value);
		tv_free(value);
	}
	tv_free(range);
	tv_grouping_release(&types);
	return settings;
}

static void release(struct settings *settings)
{
	for (size_t i = 0; i < settings->n; i++) {
		tv_free(settings->at[i].own);
		tv_free(settings->at[i].first);
		tv_free(settings->at[i].all);
	}
	tv_free(settings->at);
}

static const char *text_of(const struct setting *setting)
{
	return setting == NULL ? NULL : setting->differs ? setting->all : setting->first;
}

/* Equal in all ranks: the number of ranks does not matter, which is a setting of its own. */
static bool same(const struct setting *a, const struct setting *b)
{
	if (a == NULL || b == NULL || a->differs != b->differs)
		return false;
	return a->differs ? a->hash == b->hash : strcmp(a->first, b->first) == 0;
}

/* Those that differ; both: of which both sides have a value. Releases them. */
static void report_settings(const struct tv_report *report, struct settings side[2], bool both)
{
	size_t i = 0, k = 0;

	while (side[0].n > 0 && side[1].n > 0 && (i < side[0].n || k < side[1].n)) {
		int order = i == side[0].n ? 1
			  : k == side[1].n ? -1
					   : tv_natural_order(side[0].at[i].key, side[1].at[k].key);
		const struct setting *before = order <= 0 ? &side[0].at[i++] : NULL;
		const struct setting *after = order >= 0 ? &side[1].at[k++] : NULL;
		struct tv_finding finding = tv_finding("settings",
						       (before != NULL ? before : after)->key, NULL,
						       NULL, NULL, NAN, NAN);

		finding.text[0] = text_of(before);
		finding.text[1] = text_of(after);
		if (!same(before, after) && (!both || order == 0))
			tv_report_add(report, &finding);
	}
	release(&side[0]);
	release(&side[1]);
}

char *tv_changed_priorities(struct tv_run *const run[2])
{
	struct settings side[2] = { collect_priorities(run[0]), collect_priorities(run[1]) };
	char *text = tv_strdup("");
	uint32_t n = 0;

	for (size_t i = 0, k = 0; i < side[0].n && k < side[1].n;) {
		const struct setting *before = &side[0].at[i], *after = &side[1].at[k];
		int order = tv_natural_order(before->key, after->key);

		i += order <= 0;
		k += order >= 0;
		if (order == 0 && !same(before, after) && n++ < NAMED)
			tv_append(&text, "%s%s %s (before: %s)", n > 1 ? ", " : "",
				  after->key + strlen(PRIORITY_OF), after->first, before->first);
	}
	if (n > NAMED)
		tv_append(&text, " and %u more types", n - NAMED);
	release(&side[0]);
	release(&side[1]);
	return text;
}

void tv_report_settings(const struct tv_report *report, struct tv_run *const run[2])
{
	struct settings meta[2] = { collect(run[0]), collect(run[1]) },
			priorities[2] = { collect_priorities(run[0]), collect_priorities(run[1]) };

	report_settings(report, meta, false);
	report_settings(report, priorities, true);
}
