/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instances.c -- the instances of a region of a program, over all its ranks. */
#include "analysis/core/instances.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/lateness.h"
#include "analysis/core/places.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct enter {
	uint32_t node, name, resource; /* labels */
	struct tv_span span;
};

struct search {
	struct tv_run *run;
	struct enter *at;
	size_t n, cap;
	bool numbered; /* names are those that begin so and end with a number */
};

TV_ORDER(by_node, struct enter, node, span.begin, span.end)

/* Where spans with names are. */
static const struct {
	enum tv_table_id id; /* TV_NTABLES: the pass events */
	const char *name, *begin;
} sources[] = {
	{ TV_STATES, "Value", "Start" },
	{ TV_CALLS, "Call", "Start" },
	{ TV_NTABLES, "Name", "Time" },
};

/* NULL: the trace has none. */
static const struct tv_table *table_of(struct tv_run *run, size_t source)
{
	struct tv_error none = { 0 };

	return sources[source].id < TV_NTABLES
		     ? tv_trace_table(run->trace, sources[source].id)
		     : tv_run_pass(tv_run_unwindowed(run), "events", NULL, &none);
}

/* Whether a text is NAME#NUMBER. */
static bool is_numbered(const char *text, const char *name)
{
	size_t n = strlen(name);

	return strncmp(text, name, n) == 0 && text[n] == '#' && text[n + 1] != '\0'
	    && strspn(text + n + 1, "0123456789") == strlen(text + n + 1);
}

/* The rows of that name. */
static void collect(struct search *s, size_t source, const char *name)
{
	const struct tv_table *table = table_of(s->run, source);
	const struct tv_column *id, *label, *begin, *end;
	uint32_t wanted;

	if (table == NULL || table->nrows == 0)
		return;
	id = tv_table_find(table, "ResourceId");
	label = tv_table_find(table, sources[source].name);
	begin = tv_table_find(table, sources[source].begin);
	end = tv_table_find(table, "End");
	if (id == NULL || label == NULL || begin == NULL || end == NULL)
		return;
	wanted = tv_pool_find_text(label->pool, name);
	for (uint32_t row = 0; (s->numbered || wanted != TV_NONE) && row < table->nrows; row++) {
		uint32_t is = tv_label(label, row);

		if (is == TV_NONE || tv_missing(begin, row) || tv_missing(end, row)
		    || !(s->numbered ? is_numbered(tv_pool_text(label->pool, is), name)
				     : is == wanted)
		    || tv_label(id, row) == TV_NONE || end->i[row] < begin->i[row])
			continue;
		TV_GROW(s->at, s->n, s->cap, 1);
		s->at[s->n++] = (struct enter){ tv_run_node_of(s->run, tv_label(id, row)),
						is,
						tv_label(id, row),
						{ begin->i[row], end->i[row] } };
	}
}

/* Whether there is such a region. */
static bool find(struct search *s, const char *name)
{
	s->n = 0;
	for (size_t i = 0; i < TV_COUNT(sources); i++)
		collect(s, i, name);
	return s->n > 0;
}

/* Leaves out the spans of devices if others are of no worker. */
static void leave_devices(struct search *s)
{
	const struct tv_tasks *tasks = &s->run->tasks;
	uint32_t *worker_of = tv_tasks_worker_of_label(tasks);
	bool *on_device = tv_on_device(tasks), host = false;
	size_t n = 0;

	for (size_t i = 0; i < s->n && !host; i++)
		host = worker_of[s->at[i].resource] == TV_NONE;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t w = worker_of[s->at[i].resource];

		if (!host || w == TV_NONE || !on_device[w])
			s->at[n++] = s->at[i];
	}
	s->n = n;
	tv_free(worker_of);
	tv_free(on_device);
}

/* Adds a span of the k-th instance. -1 with *err: another node's has another name. */
static int extend(struct tv_instances *to, size_t k, const struct enter *enter, struct tv_span span,
		  struct tv_error *err)
{
	if (k == to->n) {
		if (to->own != NULL)
			to->own[k] = enter->name;
		to->at[to->n++] = span;
		return 0;
	}
	if (to->own != NULL && to->own[k] != enter->name)
		return tv_fail(err,
			       "--region '%s#*': on one node number %zu is %s, on another one %s; "
			       "expected the same on all, or one node (--restrict)",
			       to->name, k + 1, tv_pool_text(to->pool, to->own[k]),
			       tv_pool_text(to->pool, enter->name));
	to->at[k].begin = span.begin < to->at[k].begin ? span.begin : to->at[k].begin;
	to->at[k].end = span.end > to->at[k].end ? span.end : to->at[k].end;
	return 0;
}

/* Whether a span is a part of the instance that lasts from the enter `of` to `end`. */
static bool continues(const struct enter *enter, const struct enter *of, int64_t end)
{
	return enter->node == of->node && (enter->name == of->name || enter->span.end <= end)
	    && (enter->span.begin < end || enter->span.begin == of->span.begin);
}

static int merge(struct search *s, struct tv_instances *to, struct tv_error *err)
{
	size_t k = 0, next;
	int rc = 0;

	leave_devices(s);
	qsort(s->at, s->n, sizeof *s->at, by_node);
	to->at = tv_alloc(s->n, sizeof *to->at);
	to->own = s->numbered ? tv_alloc(s->n, sizeof *to->own) : NULL;
	to->pool = s->run->trace->pool;
	for (size_t i = 0; i < s->n && rc == 0; i = next) {
		struct tv_span span = s->at[i].span;

		k = i > 0 && s->at[i - 1].node == s->at[i].node ? k + 1 : 0;
		for (next = i + 1; next < s->n && continues(&s->at[next], &s->at[i], span.end);
		     next++)
			if (s->at[next].span.end > span.end)
				span.end = s->at[next].span.end;
		rc = extend(to, k, &s->at[i], span, err);
	}
	return rc;
}

static int fail_unknown(struct tv_run *run, const char *text, struct tv_error *err)
{
	struct tv_near near;

	tv_near_init(&near, text);
	for (size_t i = 0; i < TV_COUNT(sources); i++) {
		const struct tv_table *table = table_of(run, i);
		const struct tv_column *label = table == NULL || table->nrows == 0
						      ? NULL
						      : tv_table_find(table, sources[i].name);
		bool *offered = label == NULL
				      ? NULL
				      : tv_alloc(tv_pool_count(label->pool), sizeof *offered);

		for (uint32_t row = 0; label != NULL && row < table->nrows; row++) {
			uint32_t name = tv_label(label, row);

			if (name != TV_NONE && !offered[name])
				tv_near_offer(&near, tv_pool_text(label->pool, name));
			if (name != TV_NONE)
				offered[name] = true;
		}
		tv_free(offered);
	}
	return tv_fail(
		err,
		"--region '%s': no state, call or span of events has that name%s; callprofile, "
		"events and 'summary --of states --by Value' list names",
		text, tv_near_text(&near));
}

/* K, which is behind the name. */
static int choose(struct tv_instances *to, const char *text, const char *which,
		  struct tv_error *err)
{
	unsigned long k = which[0] == '\0' ? 0 : strtoul(which, NULL, 10) - 1;

	to->last = to->n;
	if (strcmp(which, "*") == 0)
		return 0;
	if (k >= to->n || (which[0] == '\0' && to->n > 1))
		return tv_fail(err,
			       "--region '%s': the region has %zu instance%s, expected %s#K with K "
			       "from 1 to %zu",
			       text, to->n, tv_plural(to->n), to->name, to->n);
	to->first = k;
	to->last = k + 1;
	return 0;
}

/* Where "#K" or "#*" begins; NULL: there is none. */
static const char *find_mark(const char *text)
{
	const char *mark = strrchr(text, '#');

	return mark != NULL && mark > text && mark[1] != '\0'
			    && (strcmp(mark, "#*") == 0
				|| strspn(mark + 1, "0123456789") == strlen(mark + 1))
		     ? mark
		     : NULL;
}

int tv_instances_find(struct tv_instances *instances, struct tv_run *run, const char *text,
		      struct tv_error *err)
{
	struct search s = { .run = run };
	const char *mark = find_mark(text);
	bool found = find(&s, text);
	int rc;

	/* A name may end like a mark. */
	if (found)
		mark = NULL;
	*instances = (struct tv_instances){ .name = mark != NULL
							  ? tv_strndup(text, (size_t)(mark - text))
							  : tv_strdup(text) };
	if (!found && mark != NULL)
		found = find(&s, instances->name);
	s.numbered = !found && mark != NULL && strcmp(mark, "#*") == 0;
	if (s.numbered)
		found = find(&s, instances->name);
	if (found) {
		rc = merge(&s, instances, err);
		if (rc == 0)
			rc = choose(instances, text, mark != NULL ? mark + 1 : "", err);
	} else {
		rc = fail_unknown(run, text, err);
	}
	tv_free(s.at);
	return rc;
}

char *tv_instance_name(const struct tv_instances *instances, size_t i)
{
	if (instances->own != NULL)
		return tv_strdup(tv_pool_text(instances->pool, instances->own[i]));
	return instances->n == 1 && find_mark(instances->name) != NULL
		     ? tv_strdup(instances->name)
		     : tv_format("%s#%zu", instances->name, i + 1);
}

void tv_instances_release(struct tv_instances *instances)
{
	tv_free(instances->own);
	tv_free(instances->name);
	tv_free(instances->at);
	*instances = (struct tv_instances){ 0 };
}
