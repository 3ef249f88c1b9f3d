/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_list.c -- the messages between the nodes of a run. */
#include "analysis/messages/message_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/idle.h"
#include "analysis/core/instead.h"
#include "analysis/core/places.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/text.h"

/* The columns of links; NULL where the trace has none. */
struct columns {
	const struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *tag, *handle;
	const struct tv_column *origin_job, *dest_job, *flag, *send_end, *receive_start;
};

struct reader {
	struct tv_run *run;
	struct tv_messages *out;
	struct columns c;
	struct tv_index row_of;	  /* by label of a job: its row of tasks, of messages */
	struct tv_index place_of; /* by label of a node: its place */
};

static void find_columns(struct columns *c, const struct tv_table *links)
{
	const struct {
		const char *name;
		const struct tv_column **column;
	} want[] = {
		{ "Type", &c->type },	     { "Key", &c->key },
		{ "Origin", &c->origin },    { "Dest", &c->dest },
		{ "Start", &c->start },	     { "End", &c->end },
		{ "Size", &c->size },	     { "Tag", &c->tag },
		{ "Handle", &c->handle },    { "OriginJob", &c->origin_job },
		{ "DestJob", &c->dest_job }, { "Flag", &c->flag },
		{ "SendEnd", &c->send_end }, { "ReceiveStart", &c->receive_start },
	};

	for (size_t i = 0; i < TV_COUNT(want); i++)
		*want[i].column = tv_table_find(links, want[i].name);
}

static int64_t time_of(const struct tv_column *column, uint32_t row)
{
	return column == NULL || tv_missing(column, row) ? TV_NO_TIME : column->i[row];
}

/* ---- nodes ---- */

static int by_name(const void *a, const void *b, void *data)
{
	const struct tv_pool *pool = data;

	return tv_natural_order(tv_pool_text(pool, *(const uint32_t *)a),
				tv_pool_text(pool, *(const uint32_t *)b));
}

static void add_node(struct reader *reader, size_t *cap, uint32_t label)
{
	struct tv_messages *out = reader->out;

	if (label == TV_NONE || tv_index_get(&reader->place_of, label) != TV_NONE)
		return;
	TV_GROW(out->node, out->nnodes, *cap, 1);
	tv_index_set(&reader->place_of, label, out->nnodes);
	out->node[out->nnodes++] = label;
}

/* Numbers the nodes; those of messages are labels until then. */
static void number_nodes(struct reader *reader)
{
	struct tv_messages *out = reader->out;
	const struct tv_tasks *tasks = &reader->run->tasks;
	size_t cap = 0;

	for (uint32_t n = 0; n < tasks->nnodes; n++)
		add_node(reader, &cap, tasks->node[n].label);
	for (uint32_t i = 0; i < out->n; i++) {
		add_node(reader, &cap, out->at[i].origin);
		add_node(reader, &cap, out->at[i].dest);
	}
	if (out->nnodes > 1)
		qsort_r(out->node, out->nnodes, sizeof *out->node, by_name,
			reader->run->trace->pool);
	for (uint32_t n = 0; n < out->nnodes; n++)
		tv_index_set(&reader->place_of, out->node[n], n);
	for (uint32_t i = 0; i < out->n; i++) {
		out->at[i].origin = tv_index_get(&reader->place_of, out->at[i].origin);
		out->at[i].dest = tv_index_get(&reader->place_of, out->at[i].dest);
	}
}

/* ---- messages ---- */

static void index_rows(struct reader *reader)
{
	const struct tv_tasks *tasks = &reader->run->tasks;

	for (uint32_t row = 0; tasks->job != NULL && row < tasks->n; row++)
		if (tasks->kind[row] == TV_MESSAGE && tasks->job[row] != TV_NONE)
			tv_index_set(&reader->row_of, tasks->job[row], row);
}

/* The row of a key; a message without key is no node of the graph. */
static uint32_t row_of(const struct reader *reader, uint32_t key)
{
	return key == TV_NONE ? TV_NONE : tv_index_get(&reader->row_of, key);
}

static int add_message(struct reader *reader, uint32_t link, uint32_t early_flag,
		       struct tv_error *err)
{
	uint32_t open = tv_pool_find_text(reader->run->trace->pool, TV_OPEN);
	const struct columns *c = &reader->c;
	struct tv_messages *out = reader->out;
	struct tv_message *m = &out->at[out->n++];

	*m = (struct tv_message){
		.link = link,
		.key = tv_cell_label(c->key, link),
		.tag = tv_cell_label(c->tag, link),
		.handle = tv_cell_label(c->handle, link),
		.origin = tv_run_node_of(reader->run, tv_label(c->origin, link)),
		.dest = tv_run_node_of(reader->run, tv_label(c->dest, link)),
		.start = c->start->i[link],
		.end = c->end->i[link],
		.send_end = time_of(c->send_end, link),
		.receive_start = time_of(c->receive_start, link),
		.sized = c->size != NULL && !tv_missing(c->size, link),
		.origin_job = tv_cell_label(c->origin_job, link),
		.dest_job = tv_cell_label(c->dest_job, link),
	};
	m->row = row_of(reader, m->key);
	m->early = m->end < m->start
		|| (early_flag != TV_NONE && tv_cell_label(c->flag, link) == early_flag);
	m->open = open != TV_NONE && tv_cell_label(c->flag, link) == open;
	out->nearly += m->early;
	if (m->end < m->start)
		m->end = m->start;
	out->nunsized += !m->sized;
	if (m->sized)
		m->size = c->size->i[link];
	if (m->size >= 0)
		return 0;
	/* Rows of a part have other numbers. */
	if (reader->run->of != NULL)
		return tv_fail(err, "links: Size %lld, expected 0 or more bytes",
			       (long long)m->size);
	return tv_fail(err, "links, row %lu: Size %lld, expected 0 or more bytes",
		       (unsigned long)link + 1, (long long)m->size);
}

static void warn_incomplete(struct tv_run *run, uint64_t n)
{
	if (n > 0)
		tv_run_warn(run, "%lu messages lack Start, End, Origin or Dest: they are left out",
			    (unsigned long)n);
}

/* Links are in order of Start. */
static int collect(struct reader *reader, struct tv_error *err)
{
	const struct tv_table *links = &reader->run->trace->table[TV_LINKS];
	const struct tv_pool *pool = reader->run->trace->pool;
	const struct columns *c = &reader->c;
	uint32_t type = tv_pool_find_text(pool, TV_MESSAGE_TYPE);
	uint32_t early = tv_pool_find_text(pool, TV_EARLY);

	if (type == TV_NONE || c->type == NULL || c->origin == NULL || c->dest == NULL
	    || c->start == NULL || c->end == NULL)
		return 0;
	reader->out->at = tv_alloc(links->nrows, sizeof *reader->out->at);
	for (uint32_t row = 0; row < links->nrows; row++) {
		bool known = !tv_missing(c->start, row) && !tv_missing(c->end, row)
			  && tv_label(c->origin, row) != TV_NONE
			  && tv_label(c->dest, row) != TV_NONE;

		if (tv_label(c->type, row) != type)
			continue;
		reader->out->nincomplete += !known;
		if (known && add_message(reader, row, early, err) < 0)
			return -1;
	}
	if (reader->run->of == NULL)
		warn_incomplete(reader->run, reader->out->nincomplete);
	return 0;
}

static void release(void *data)
{
	struct tv_messages *messages = data;

	tv_free(messages->at);
	tv_free(messages->node);
	tv_free(messages);
}

const struct tv_messages *tv_run_messages(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	struct tv_messages *messages = tv_run_kept(run, &kept);
	struct reader reader = { .run = run };
	int rc;

	if (messages != NULL)
		return messages;
	reader.out = messages = tv_alloc(1, sizeof *messages);
	find_columns(&reader.c, &run->trace->table[TV_LINKS]);
	index_rows(&reader);
	rc = collect(&reader, err);
	if (rc == 0)
		number_nodes(&reader);
	tv_free(reader.row_of.at);
	tv_free(reader.place_of.at);
	if (rc < 0) {
		release(messages);
		return NULL;
	}
	tv_run_keep(run, &kept, messages, release);
	return messages;
}

static int fail_none(const struct tv_run *run, const char *verb, struct tv_error *err)
{
	return tv_fail_lacks(
		err, run->trace,
		"%s: the trace has no messages between nodes (links of the Type '" TV_MESSAGE_TYPE
		"'; a single CSV has none: see --with)",
		verb);
}

/* ---- the idle time that they caused ---- */

struct waits {
	const struct tv_run *run;
	struct tv_message_wait *of_node; /* by node of the graph */
};

static void take_blamed(void *to, const struct tv_blamed *part)
{
	struct waits *waits = to;

	if (part->blame == TV_BLAME_MESSAGE && tv_run_has(waits->run, part->worker))
		waits->of_node[part->node].dependencies += part->time;
}

static void take_mpi(void *to, const struct tv_blamed *part)
{
	struct waits *waits = to;

	if (tv_run_has(waits->run, part->worker))
		waits->of_node[part->node].mpi += part->time;
}

static void warn_no_nodes(struct tv_run *run, uint64_t n, uint64_t messages)
{
	if (n > 0 && run->tasks.ncounted > 0)
		tv_run_warn(run,
			    "%lu of %lu messages are no nodes of the task graph (tasks of Kind "
			    "message): their producers, consumers and waits are not known",
			    (unsigned long)n, (unsigned long)messages);
}

/* Whether the waits of some messages are known: they are nodes of the graph, and tasks ran. Warns of
 * those that are none, unless there are no tasks that they could belong to. */
static bool waits_known(const struct tv_messages *messages, struct tv_run *run)
{
	uint32_t known = 0;

	for (uint32_t i = 0; i < messages->n; i++)
		known += messages->at[i].row != TV_NONE;
	warn_no_nodes(run, messages->n - known, messages->n);
	return known > 0 && run->tasks.ncounted > 0;
}

const struct tv_message_wait *tv_run_message_waits(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	struct tv_message_wait *wait = tv_run_kept(run, &kept);
	const struct tv_messages *messages = tv_run_messages(run, err);
	const struct tv_run_idle *idle = messages == NULL ? NULL : tv_run_idle(run, err);
	struct waits waits = { .run = run };
	const struct tv_dag *dag;

	if (wait != NULL || idle == NULL)
		return wait;
	dag = idle->waits.dag;
	waits.of_node = tv_alloc(dag->n, sizeof *waits.of_node);
	tv_blame(&idle->waits, &idle->spans, idle->bound, 1, take_blamed, &waits);
	tv_blame_mpi(&idle->waits, &idle->spans, idle->bound, 1, take_mpi, &waits);
	wait = tv_alloc(messages->n, sizeof *wait);
	tv_run_keep(run, &kept, wait, tv_free);
	for (uint32_t i = 0; i < messages->n; i++) {
		uint32_t row = messages->at[i].row;

		if (row != TV_NONE)
			wait[i] = waits.of_node[dag->node_of_row[row]];
	}
	tv_free(waits.of_node);
	return wait;
}

int64_t tv_seen_wait(const struct tv_seen_messages *seen, uint32_t i)
{
	return seen->wait == NULL ? 0 : seen->wait[i].mpi + seen->wait[i].dependencies;
}

int tv_seen_messages_of(struct tv_seen_messages *seen, struct tv_run *run,
			const struct tv_messages *all, bool waits, struct tv_error *err)
{
	*seen = (struct tv_seen_messages){ .all = all };
	if ((waits || run->window.set || run->chosen != NULL) && waits_known(all, run)) {
		seen->wait = tv_run_message_waits(run, err);
		if (seen->wait == NULL)
			return -1;
	}
	seen->seen = tv_alloc(all->n, sizeof *seen->seen);
	seen->chosen = tv_alloc(all->nnodes, sizeof *seen->chosen);
	for (uint32_t n = 0; n < all->nnodes; n++)
		seen->chosen[n] = tv_run_has_node(run, all->node[n]);
	for (uint32_t i = 0; i < all->n; i++) {
		const struct tv_message *m = &all->at[i];

		seen->seen[i] = (tv_message_touches(m, &run->window)
				 && (seen->chosen[m->origin] || seen->chosen[m->dest]))
			     || tv_seen_wait(seen, i) > 0;
	}
	return 0;
}

int tv_seen_messages_init(struct tv_seen_messages *seen, struct tv_run *run, const char *verb,
			  bool waits, struct tv_error *err)
{
	const struct tv_messages *all = tv_run_messages(run, err);

	*seen = (struct tv_seen_messages){ 0 };
	if (all == NULL)
		return -1;
	return all->n == 0 ? fail_none(run, verb, err)
			   : tv_seen_messages_of(seen, run, all, waits, err);
}

/* ---- in parts ---- */

static bool has_nodes(const struct tv_tasks *tasks)
{
	bool has = false;

	for (uint32_t row = 0; row < tasks->n && !has; row++)
		has = tasks->kind[row] == TV_MESSAGE;
	return has;
}

static int need_all(const char *verb, const char *why, struct tv_error *err)
{
	return tv_fail_parts(err, "%s needs all rows at once: %s", verb, why);
}

/* A message and its node of the graph may be in different parts. */
static int check_nodes(const struct tv_message_counts *counts, const char *verb,
		       struct tv_error *err)
{
	return counts->messages == 0 || counts->nodes == 0
		     ? 0
		     : need_all(verb, "messages are nodes of the task graph", err);
}

int tv_seen_messages_part(struct tv_seen_messages *seen, struct tv_run *part, const char *verb,
			  bool waits, struct tv_message_counts *counts, struct tv_error *err)
{
	const struct tv_messages *all = tv_run_messages(part, err);

	*seen = (struct tv_seen_messages){ 0 };
	if (all == NULL)
		return -1;
	counts->messages += all->n;
	counts->unsized += all->nunsized;
	counts->incomplete += all->nincomplete;
	counts->nodes += part->of != NULL && waits && has_nodes(&part->tasks);
	if (part->of != NULL && all->n > 0 && (part->window.set || part->chosen != NULL))
		return need_all(verb, "which messages are shown depends on who waited for them",
				err);
	if (check_nodes(counts, verb, err) < 0)
		return -1;
	return tv_seen_messages_of(seen, part, all, waits && part->of == NULL, err);
}

void tv_message_counts_share(struct tv_message_counts *counts, struct tv_run *run)
{
	uint64_t n[] = { counts->messages, counts->unsized, counts->incomplete, counts->nodes };

	tv_team_add(run->team, n, TV_COUNT(n));
	*counts = (struct tv_message_counts){ n[0], n[1], n[2], n[3] };
	if (run->parts != NULL)
		warn_incomplete(run, counts->incomplete);
}

int tv_message_counts_end(struct tv_message_counts *counts, struct tv_run *run, const char *verb,
			  bool waits, struct tv_error *err)
{
	tv_message_counts_share(counts, run);
	if (check_nodes(counts, verb, err) < 0)
		return -1;
	if (run->parts != NULL)
		warn_no_nodes(run, waits ? counts->messages : 0, counts->messages);
	return counts->messages > 0 ? 0 : fail_none(run, verb, err);
}

void tv_seen_messages_release(struct tv_seen_messages *seen)
{
	tv_free(seen->seen);
	tv_free(seen->chosen);
	*seen = (struct tv_seen_messages){ 0 };
}
