/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comms.c -- messages of a Recutils file: columns of links, and nodes of the task graph.
 *
 * A record is the link with the same nodes and tag, if their times agree. Times in the file have
 * passed through 32-bit floats, in StarPU's Pajé too; those of the link are kept.
 */
#include "convert/recutils/recutils.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/kernels.h"
#include "trace/nodes.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* A message of the file or of links. */
struct message {
	int64_t src, dst; /* ranks */
	int64_t start, end;
	uint32_t tag;	/* label */
	uint32_t order; /* in its table */
	uint32_t other; /* the index of the other one's message; TV_NONE */
};

struct comms_joining {
	struct tv_rec_comms *comms;
	struct tv_trace *trace;
	struct tv_table *links, *tasks;
	struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *value, *tag, *handle,
		*priority, *origin_job, *dest_job;
	struct tv_column *job, *name, *kind, *task_start, *task_end, *depends, *task_size;
	struct message *rec, *link; /* messages with times; links */
	uint32_t nrecs, nlinks;
	uint32_t *link_of; /* by comm: its row of links */
	struct tv_nodes nodes;
	struct tv_map jobs;    /* rank, number -> label of the job */
	struct tv_map node_of; /* rank -> label of the node, as the trace writes it */
	struct tv_index need;  /* by label of a job: the last comm that it needs */
	uint32_t *next_need;   /* by comm: the one before, of the same job; TV_NONE */
	struct tv_rec_takers takers;
};

/* ---- records ---- */

static bool number_of(const struct tv_rec_file *file, const struct tv_rec *rec, const char *name,
		      int64_t *value)
{
	struct tv_rec_field field;

	return tv_rec_find(file, rec, tv_pool_find_text(file->trace->pool, name), &field)
	    && tv_parse_int(field.s, field.n, value) == TV_PARSE_OK;
}

static bool time_of(const struct tv_rec_file *file, const struct tv_rec *rec, const char *name,
		    int64_t *value)
{
	struct tv_rec_field field;

	return tv_rec_find(file, rec, tv_pool_find_text(file->trace->pool, name), &field)
	    && tv_convert_time(field.s, field.n, file->scale, value);
}

static uint32_t label_of(const struct tv_rec_file *file, const struct tv_rec *rec, const char *name)
{
	struct tv_rec_field field;

	if (!tv_rec_find(file, rec, tv_pool_find_text(file->trace->pool, name), &field)
	    || field.n == 0)
		return TV_NONE;
	return tv_intern(file->trace->pool, field.s, field.n);
}

bool tv_rec_is_comm(const struct tv_rec_file *file, const struct tv_rec *rec)
{
	const struct tv_pool *pool = file->trace->pool;
	struct tv_rec_field field;

	return tv_rec_find(file, rec, tv_pool_find_text(pool, "SendTime"), &field)
	    && tv_rec_find(file, rec, tv_pool_find_text(pool, "Src"), &field)
	    && tv_rec_find(file, rec, tv_pool_find_text(pool, "Dst"), &field);
}

void tv_rec_add_comm(const struct tv_rec_file *file, const struct tv_rec *rec,
		     struct tv_rec_comms *comms)
{
	struct tv_rec_comm comm = {
		.tag = label_of(file, rec, "Tag"),
		.handle = label_of(file, rec, "SendHandle"),
		.type = label_of(file, rec, "Type"),
		.origin_job = label_of(file, rec, "SendJobId"),
		.dest_job = label_of(file, rec, "RecvJobId"),
		.key = TV_NONE,
	};

	comm.sized = number_of(file, rec, "Size", &comm.size) && comm.size >= 0;
	comm.has_priority = number_of(file, rec, "Priority", &comm.priority);
	if (!number_of(file, rec, "Src", &comm.src) || !number_of(file, rec, "Dst", &comm.dst)
	    || comm.src < 0 || comm.dst < 0 || comm.src > INT32_MAX || comm.dst > INT32_MAX
	    || !time_of(file, rec, "SendTime", &comm.start)
	    || !time_of(file, rec, "RecvTime", &comm.end)) {
		tv_damaged(file->trace, TV_DROPPED, "message without ranks or times",
			   tv_rec_place(file, rec),
			   "expected numbers in Src, Dst, SendTime and RecvTime");
		return;
	}
	TV_GROW(comms->at, comms->n, comms->cap, 1);
	comms->at[comms->n++] = comm;
	if (comms->path == NULL)
		comms->path = tv_strdup(file->path);
}

void tv_rec_comms_release(struct tv_rec_comms *comms)
{
	tv_free(comms->at);
	tv_free(comms->path);
}

/* ---- ranks and jobs ---- */

bool tv_rec_parse_job(const char *text, int64_t *rank, int64_t *job)
{
	size_t n = strspn(text, "0123456789");

	return text[n] == '_' && tv_parse_int(text, n, rank) == TV_PARSE_OK
	    && tv_parse_int(text + n + 1, strlen(text + n + 1), job) == TV_PARSE_OK;
}

/* With 11 ranks or more StarPU pads ranks with zeros in tasks.rec, but not here. */
static void index_jobs(struct comms_joining *w)
{
	int64_t rank, number;

	for (uint32_t row = 0; row < w->tasks->nrows; row++) {
		uint32_t label = tv_label(w->job, row);

		if (label != TV_NONE
		    && tv_rec_parse_job(tv_pool_text(w->trace->pool, label), &rank, &number))
			tv_map_put(&w->jobs, (uint64_t)rank, (uint64_t)number, label);
	}
}

/* The label of a job as the table of tasks has it. */
static uint32_t find_job(const struct comms_joining *w, uint32_t label)
{
	const uint32_t *known = NULL;
	int64_t rank, number;

	if (label != TV_NONE
	    && tv_rec_parse_job(tv_pool_text(w->trace->pool, label), &rank, &number))
		known = tv_map_get(&w->jobs, (uint64_t)rank, (uint64_t)number);
	return known != NULL ? *known : label;
}

static void index_node(struct comms_joining *w, uint32_t node)
{
	const char *text = node == TV_NONE ? "" : tv_pool_text(w->trace->pool, node);
	int64_t rank;

	if (tv_parse_int(text, strlen(text), &rank) == TV_PARSE_OK)
		tv_map_put(&w->node_of, (uint64_t)rank, 0, node);
}

static void index_nodes(struct comms_joining *w)
{
	const struct tv_column *node = tv_table_find(w->tasks, "Node");
	const struct tv_table *resources = &w->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");

	for (uint32_t row = 0; node != NULL && row < w->tasks->nrows; row++)
		index_node(w, tv_label(node, row));
	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++)
		if (tv_label(id, row) != TV_NONE)
			index_node(w, tv_node_of(&w->nodes, tv_label(id, row)));
}

/* The thread that communicates, of that rank. */
static uint32_t thread_of(struct comms_joining *w, int64_t rank)
{
	const uint32_t *node = tv_map_get(&w->node_of, (uint64_t)rank, 0);
	char *name = node != NULL ? tv_format("%s_mpict", tv_pool_text(w->trace->pool, *node))
				  : tv_format("%" PRId64 "_mpict", rank);
	uint32_t label = tv_intern_text(w->trace->pool, name);

	tv_free(name);
	return label;
}

/* ---- records and links ---- */

static int64_t rank_of(struct comms_joining *w, uint32_t resource)
{
	int64_t rank = -1;
	const char *text;

	if (resource == TV_NONE)
		return -1;
	text = tv_pool_text(w->trace->pool, tv_node_of(&w->nodes, resource));
	return tv_parse_int(text, strlen(text), &rank) == TV_PARSE_OK ? rank : -1;
}

static void list_links(struct comms_joining *w)
{
	uint32_t type = tv_pool_find_text(w->trace->pool, TV_MESSAGE_TYPE);

	w->link = tv_alloc(w->links->nrows, sizeof *w->link);
	for (uint32_t row = 0; type != TV_NONE && row < w->links->nrows; row++)
		if (tv_label(w->type, row) == type && !tv_missing(w->start, row)
		    && !tv_missing(w->end, row))
			w->link[w->nlinks++] = (struct message){
				.src = rank_of(w, tv_label(w->origin, row)),
				.dst = rank_of(w, tv_label(w->dest, row)),
				.start = w->start->i[row],
				.end = w->end->i[row],
				.tag = tv_label(w->tag, row),
				.order = row,
				.other = TV_NONE,
			};
}

static void list_records(struct comms_joining *w)
{
	w->rec = tv_alloc(w->comms->n, sizeof *w->rec);
	for (size_t i = 0; i < w->comms->n; i++) {
		const struct tv_rec_comm *comm = &w->comms->at[i];

		if (comm->key == TV_NONE)
			w->rec[w->nrecs++] = (struct message){ comm->src, comm->dst, comm->start,
							       comm->end, comm->tag, (uint32_t)i,
							       TV_NONE };
	}
}

TV_ORDER(by_ends, struct message, src, dst, tag)

TV_ORDER(by_ends_and_time, struct message, src, dst, tag, start, order)

/* Whether two times are one that passed through a 32-bit float: 2^-23 of it, and digits cut off. */
static bool same_time(int64_t a, int64_t b)
{
	int64_t size = llabs(a) > llabs(b) ? llabs(a) : llabs(b);

	return llabs(a - b) <= 1000 + (size >> 22);
}

/* Both in the same order: of each two the one that is less has no partner. */
static void match(struct comms_joining *w)
{
	uint32_t i = 0, k = 0;

	qsort(w->rec, w->nrecs, sizeof *w->rec, by_ends_and_time);
	if (w->nlinks > 1)
		qsort(w->link, w->nlinks, sizeof *w->link, by_ends_and_time);
	w->link_of = tv_alloc(w->comms->n, sizeof *w->link_of);
	for (size_t c = 0; c < w->comms->n; c++)
		w->link_of[c] = TV_NONE;
	while (i < w->nrecs && k < w->nlinks) {
		int order = by_ends(&w->rec[i], &w->link[k]);

		if (order == 0 && !same_time(w->rec[i].start, w->link[k].start))
			order = TV_COMPARE(w->rec[i].start, w->link[k].start);
		if (order == 0) {
			w->link_of[w->rec[i].order] = w->link[k].order;
			w->link[k].other = i;
		}
		i += order <= 0;
		k += order >= 0;
	}
}

/* Messages of a graph are the links with their keys. Drops those that are none, which have no times, and
 * those that have a record, too. */
static void match_keys(struct comms_joining *w)
{
	struct tv_index links = { 0 }; /* by key: index into link */
	size_t n = 0;

	for (uint32_t k = 0; k < w->nlinks; k++)
		if (tv_label(w->key, w->link[k].order) != TV_NONE)
			tv_index_set(&links, tv_label(w->key, w->link[k].order), k);
	for (size_t i = 0; i < w->comms->n; i++) {
		uint32_t key = w->comms->at[i].key, k = tv_index_get(&links, key);

		if (key != TV_NONE && k == TV_NONE)
			tv_damaged(w->trace, TV_DROPPED, "message without link",
				   (struct tv_pos){ w->comms->path, 0 },
				   "message '%s' of the graph is no link of the trace",
				   tv_pool_text(w->trace->pool, key));
		if (key != TV_NONE && (k == TV_NONE || w->link[k].other != TV_NONE))
			continue;
		if (key != TV_NONE) {
			w->link[k].other = (uint32_t)i;
			w->link_of[i] = w->link[k].order;
		}
		w->comms->at[n] = w->comms->at[i];
		w->link_of[n++] = w->link_of[i];
	}
	w->comms->n = n;
	tv_free(links.at);
}

/* The first number that no key of a message has. */
static uint64_t free_number(const struct comms_joining *w)
{
	static const char prefix[] = "mpicom_";
	uint64_t next = 0;

	for (uint32_t row = 0; row < w->links->nrows; row++) {
		uint32_t label = tv_label(w->key, row);
		const char *key = label == TV_NONE ? "" : tv_pool_text(w->trace->pool, label);
		int64_t number;

		if (strncmp(key, prefix, sizeof prefix - 1) == 0
		    && tv_parse_int(key + sizeof prefix - 1, strlen(key + sizeof prefix - 1),
				    &number)
			       == TV_PARSE_OK
		    && number >= 0 && (uint64_t)number >= next)
			next = (uint64_t)number + 1;
	}
	return next;
}

static void add_link(struct comms_joining *w, const struct tv_rec_comm *comm, uint32_t row,
		     uint64_t number)
{
	char key[40];

	snprintf(key, sizeof key, "mpicom_%" PRIu64, number);
	tv_set_text(w->type, row, TV_MESSAGE_TYPE);
	tv_set_text(w->key, row, key);
	tv_set_label(w->origin, row, thread_of(w, comm->src));
	tv_set_label(w->dest, row, thread_of(w, comm->dst));
	tv_set_int(w->start, row, comm->start);
	tv_set_int(w->end, row, comm->end);
}

static void set_label(struct tv_column *column, uint32_t row, uint32_t label)
{
	if (label != TV_NONE && (row >= column->n || tv_missing(column, row)))
		tv_set_label(column, row, label);
}

static void set_number(struct tv_column *column, uint32_t row, bool known, int64_t number)
{
	if (known && (row >= column->n || tv_missing(column, row)))
		tv_set_int(column, row, number);
}

/* Rows for messages that only the file has; columns that only the file has. */
static void fill_links(struct comms_joining *w)
{
	uint64_t number = free_number(w);

	for (size_t i = 0; i < w->comms->n; i++) {
		const struct tv_rec_comm *comm = &w->comms->at[i];

		if (w->link_of[i] == TV_NONE) {
			w->link_of[i] = tv_table_add_row(w->links);
			add_link(w, comm, w->link_of[i], number++);
		}
		set_label(w->tag, w->link_of[i], comm->tag);
		set_label(w->value, w->link_of[i], comm->type);
		set_label(w->handle, w->link_of[i], comm->handle);
		set_number(w->size, w->link_of[i], comm->sized, comm->size);
		set_number(w->priority, w->link_of[i], comm->has_priority, comm->priority);
		set_label(w->origin_job, w->link_of[i], find_job(w, comm->origin_job));
		set_label(w->dest_job, w->link_of[i], find_job(w, comm->dest_job));
	}
	tv_table_finish(w->links);
}

/* ---- the task graph ---- */

/* Adds to the tasks that release received data that they need their messages. Lists can only be
 * appended: the column is copied. */
static void add_needs(struct comms_joining *w)
{
	struct tv_table fresh;
	struct tv_column *to, swap;
	uint32_t *list = NULL;
	size_t cap = 0;

	tv_table_init(&fresh, w->trace->pool);
	to = tv_table_column(&fresh, w->depends->name, TV_LIST, &(struct tv_error){ 0 });
	for (uint32_t row = 0; row < w->tasks->nrows; row++) {
		uint32_t noldest = 0, n = 0, job = tv_label(w->job, row);
		const uint32_t *old = tv_list(w->depends, row, &noldest);
		uint32_t comm = job == TV_NONE ? TV_NONE : tv_index_get(&w->need, job);

		TV_GROW(list, n, cap, noldest);
		for (; n < noldest; n++)
			list[n] = old[n];
		for (; comm != TV_NONE; comm = w->next_need[comm]) {
			TV_GROW(list, n, cap, 1);
			list[n++] = tv_label(w->key, w->link_of[comm]);
		}
		comm = job == TV_NONE ? TV_NONE : tv_index_get(&w->takers.taken, job);
		if (comm != TV_NONE) {
			TV_GROW(list, n, cap, 1);
			list[n++] = tv_label(w->key, w->link_of[comm]);
		}
		if (n > 0 || !tv_missing(w->depends, row))
			tv_set_list(to, row, list, n);
	}
	swap = *w->depends;
	*w->depends = *to;
	*to = swap;
	tv_free(list);
	tv_table_release(&fresh);
	tv_table_finish(w->tasks);
}

static void index_needs(struct comms_joining *w)
{
	w->next_need = tv_alloc(w->comms->n, sizeof *w->next_need);
	for (size_t i = w->comms->n; i-- > 0;) {
		uint32_t job = tv_label(w->dest_job, w->link_of[i]);

		w->next_need[i] = TV_NONE;
		if (job == TV_NONE)
			continue;
		w->next_need[i] = tv_index_get(&w->need, job);
		tv_index_set(&w->need, job, (uint32_t)i);
	}
}

static void add_messages(struct comms_joining *w)
{
	const char *message = tv_kind_name(TV_MESSAGE);

	for (size_t i = 0; i < w->comms->n; i++) {
		uint32_t link = w->link_of[i], row = tv_table_add_row(w->tasks);
		uint32_t need = tv_label(w->origin_job, link);
		int64_t start = w->start->i[link], end = w->end->i[link];

		tv_set_label(w->job, row, tv_label(w->key, link));
		tv_set_text(w->name, row, TV_MESSAGE_TYPE);
		tv_set_text(w->kind, row, message);
		tv_set_int(w->task_start, row, start);
		tv_set_int(w->task_end, row, end > start ? end : start);
		if (need != TV_NONE)
			tv_set_list(w->depends, row, &need, 1);
		if (!tv_missing(w->size, link))
			tv_set_int(w->task_size, row, w->size->i[link]);
	}
	tv_table_finish(w->tasks);
}

static void report(const struct comms_joining *w)
{
	uint64_t unknown = 0, added = w->comms->n;

	for (uint32_t k = 0; k < w->nlinks; k++) {
		unknown += w->link[k].other == TV_NONE;
		added -= w->link[k].other != TV_NONE;
	}
	tv_meta_add(w->trace, "Messages", "%zu", w->comms->n);
	tv_meta_add(w->trace, TV_MESSAGE_TIMES, "rounded to 32-bit floats");
	if (w->takers.known > 0)
		tv_meta_add(w->trace, "UnexpectedMessages", "%" PRIu64, w->takers.known);
	if (w->takers.unknown > 0) {
		tv_meta_add(w->trace, "UnexpectedMessagesWithoutTask", "%" PRIu64,
			    w->takers.unknown);
		tv_notice(w->trace,
			  "%s: %" PRIu64
			  " messages arrived before they were requested, and the files do not show "
			  "which tasks wait for them (data.rec shows it by tags, FxT by the "
			  "threads)",
			  w->comms->path, w->takers.unknown);
	}
	if (unknown > 0)
		tv_notice(w->trace,
			  "%s: %" PRIu64
			  " messages of the trace are not recorded there: they are no nodes of the "
			  "task graph",
			  w->comms->path, unknown);
	if (added > 0 && w->nlinks > 0)
		tv_notice(w->trace,
			  "%s: %" PRIu64
			  " of its messages are not in the trace itself; they are taken from here",
			  w->comms->path, added);
}

static void find_columns(struct comms_joining *w)
{
	TV_TRACE_COLUMNS(w->trace, TV_LINKS, { "Type", &w->type }, { "Key", &w->key },
			 { "Origin", &w->origin }, { "Dest", &w->dest }, { "Start", &w->start },
			 { "End", &w->end }, { "Size", &w->size }, { "Value", &w->value },
			 { "Tag", &w->tag }, { "Handle", &w->handle }, { "Priority", &w->priority },
			 { "OriginJob", &w->origin_job }, { "DestJob", &w->dest_job });
	TV_TRACE_COLUMNS(w->trace, TV_TASKS, { "JobId", &w->job }, { "Value", &w->name },
			 { "Kind", &w->kind }, { "Start", &w->task_start }, { "End", &w->task_end },
			 { "DependsOn", &w->depends }, { "Size", &w->task_size });
	tv_table_finish(w->links);
	tv_table_finish(w->tasks);
}

void tv_rec_use_comms(struct tv_trace *trace, struct tv_rec_comms *comms)
{
	struct comms_joining w = { .comms = comms,
				   .trace = trace,
				   .links = &trace->table[TV_LINKS],
				   .tasks = &trace->table[TV_TASKS] };

	if (comms->n == 0)
		return;
	find_columns(&w);
	tv_nodes_init(&w.nodes, trace);
	index_jobs(&w);
	index_nodes(&w);
	list_links(&w);
	list_records(&w);
	match(&w);
	match_keys(&w);
	fill_links(&w);
	index_needs(&w);
	w.takers = (struct tv_rec_takers){ .comms = comms, .received = &w.need };
	tv_rec_find_takers(trace, &w.takers);
	add_needs(&w);
	add_messages(&w);
	report(&w);
	tv_nodes_release(&w.nodes);
	tv_map_release(&w.jobs);
	tv_map_release(&w.node_of);
	tv_free(w.need.at);
	tv_free(w.takers.taken.at);
	tv_free(w.next_need);
	tv_free(w.rec);
	tv_free(w.link);
	tv_free(w.link_of);
}
