/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flows.c -- messages and transfers over time. */
#include "analysis/data/flows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/kinds.h"
#include "analysis/core/team.h"
#include "analysis/data/transfer_list.h"
#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct flow {
	uint32_t origin, dest; /* places in flows.place */
	int64_t start, end;    /* ns; start <= end */
	int64_t send_end, receive_start;
	int64_t size; /* bytes; 0 where unknown */
	bool open;    /* it had not ended when the trace did */
};

struct flows {
	struct flow *at; /* those from or to a place of a selected node */
	size_t n;
	size_t nall;
	int64_t begin, end; /* of all */
	bool *chosen;	    /* by place */
	uint32_t *place;    /* labels, in natural order; nodes without messages, too */
	uint32_t nplaces;
	uint32_t *kind;	 /* of each place, a label; NULL for nodes */
	bool requests;	 /* some send_end or receive_start is known */
	size_t nunsized; /* without Size, of all */
	size_t nopen;	 /* that had not ended when the trace did, of all */
};

struct flow_curves {
	struct tv_curves curves;
	const char *verb;
	bool bytes;
	const struct tv_flow_curve *curve;
	size_t ncurves;
	unsigned of; /* bits */
	enum tv_flows_by by;
};

/* ---- flows ---- */

enum { FASTEST = 536870 }; /* bytes per ns: what takes less time, or none, has no rate */

/* When the last of its bytes has passed, for a curve in MB/s. */
static int64_t bytes_end(const struct flow *flow)
{
	int64_t ns = flow->size / FASTEST + 1;

	return flow->end - flow->start < ns && flow->size > 0 ? flow->start + ns : flow->end;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void keep_flow(struct flows *flows, const struct flow *flow)
{
	int64_t begin = sooner(flow->start, flow->receive_start);
	int64_t end = later(bytes_end(flow), flow->send_end);

	flows->begin = flows->nall == 0 ? begin : sooner(begin, flows->begin);
	flows->end = flows->nall == 0 ? end : later(end, flows->end);
	flows->nall++;
	flows->nopen += flow->open;
	if (flows->chosen[flow->origin] || flows->chosen[flow->dest])
		flows->at[flows->n++] = *flow;
}

/* Messages of all parts, at places in the order in which they were found. */
struct collecting {
	struct flows *flows;
	struct tv_index place_of; /* by label */
	size_t cap, places_cap;
	struct tv_message_counts counts;
};

static uint32_t place_of(struct collecting *to, uint32_t label)
{
	struct flows *flows = to->flows;
	uint32_t place = tv_index_get(&to->place_of, label);

	if (place != TV_NONE)
		return place;
	TV_GROW(flows->place, flows->nplaces, to->places_cap, 1);
	flows->place[flows->nplaces] = label;
	tv_index_set(&to->place_of, label, flows->nplaces);
	return flows->nplaces++;
}

static void add_message(struct collecting *to, struct flow flow, uint32_t origin, uint32_t dest)
{
	struct flows *flows = to->flows;

	flow.origin = place_of(to, origin);
	flow.dest = place_of(to, dest);
	TV_GROW(flows->at, flows->n, to->cap, 1);
	flows->at[flows->n++] = flow;
}

static int add_messages(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(part, err);
	struct collecting *to = state;

	if (messages == NULL)
		return -1;
	to->counts.messages += messages->n;
	to->counts.unsized += messages->nunsized;
	to->counts.incomplete += messages->nincomplete;
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		const struct flow flow = {
			.start = m->start,
			.end = m->end,
			.send_end = m->send_end != TV_NO_TIME ? m->send_end : m->end,
			.receive_start = m->receive_start != TV_NO_TIME ? m->receive_start
									: m->start,
			.size = m->size,
			.open = m->open,
		};

		to->flows->requests |= m->send_end != TV_NO_TIME || m->receive_start != TV_NO_TIME;
		add_message(to, flow, messages->node[m->origin], messages->node[m->dest]);
	}
	return 0;
}

/* Those of all processes. */
static void share_messages(struct collecting *to, const struct tv_run *run)
{
	struct flows *flows = to->flows;
	struct tv_pool *pool = run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, flows->requests);
	for (size_t i = 0; i < flows->n; i++) {
		tv_pack_bytes(&pack, &flows->at[i], sizeof *flows->at);
		tv_pack_label(&pack, pool, flows->place[flows->at[i].origin]);
		tv_pack_label(&pack, pool, flows->place[flows->at[i].dest]);
	}
	flows->n = 0;
	all = tv_team_gather(run->team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		flows->requests |= tv_unpack_number(&from) != 0;
		while (from.n > 0) {
			struct flow flow;
			uint32_t origin;

			tv_unpack_bytes(&from, &flow, sizeof flow);
			origin = tv_unpack_label(&from, pool);
			add_message(to, flow, origin, tv_unpack_label(&from, pool));
		}
	}
	tv_gathered_release(&all);
}

/* Brings the places into their order, and leaves out flows between those that are not selected. */
static void settle_messages(struct collecting *to, struct tv_run *run)
{
	struct flows *flows = to->flows;
	uint32_t *label = tv_alloc(flows->nplaces, sizeof *label);
	size_t n = flows->n;

	if (flows->nplaces > 0) {
		memcpy(label, flows->place, flows->nplaces * sizeof *label);
		qsort_r(flows->place, flows->nplaces, sizeof *flows->place, tv_compare_labels,
			run->trace->pool);
	}
	flows->chosen = tv_alloc(flows->nplaces, sizeof *flows->chosen);
	for (uint32_t p = 0; p < flows->nplaces; p++) {
		flows->chosen[p] = tv_run_has_node(run, flows->place[p]);
		tv_index_set(&to->place_of, flows->place[p], p);
	}
	flows->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct flow flow = flows->at[i];

		flow.origin = tv_index_get(&to->place_of, label[flow.origin]);
		flow.dest = tv_index_get(&to->place_of, label[flow.dest]);
		keep_flow(flows, &flow);
	}
	tv_free(label);
}

static int collect_messages(struct flows *flows, struct tv_run *run, struct tv_error *err)
{
	struct collecting to = { .flows = flows };
	int rc = tv_run_rows(run, add_messages, &to, err);

	for (uint32_t n = 0; n < run->tasks.nnodes; n++)
		place_of(&to, run->tasks.node[n].label);
	if (rc == 0 && run->team != NULL)
		share_messages(&to, run);
	if (rc == 0) {
		tv_message_counts_share(&to.counts, run);
		flows->nunsized = to.counts.unsized;
		settle_messages(&to, run);
	}
	tv_free(to.place_of.at);
	return rc;
}

/* "main memory" or "CUDA memory": by the workers that use it, else by its number. */
static void find_kinds(struct flows *flows, const struct tv_run *run,
		       const struct tv_memories *memories)
{
	struct tv_pool *pool = run->trace->pool;
	struct tv_kinds kinds;

	tv_kinds_init(&kinds, run);
	flows->kind = tv_alloc(memories->n, sizeof *flows->kind);
	for (uint32_t n = 0; n < memories->n; n++) {
		const struct tv_memory *memory = &memories->at[n];
		uint32_t kind = memory->resource < kinds.n ? kinds.kind[memory->resource] : TV_NONE;

		if (memory->number == 0)
			kind = tv_intern_text(pool, TV_MAIN_MEMORY);
		else if (kind == TV_NONE || !tv_glob("* memory", tv_pool_text(pool, kind)))
			kind = tv_intern_text(pool, "other memory");
		flows->kind[n] = kind;
	}
	tv_kinds_release(&kinds);
}

static int collect_transfers(struct flows *flows, struct tv_run *run, struct tv_error *err)
{
	const struct tv_data_transfers *transfers = tv_run_transfers(run, err);
	const struct tv_memories *memories = tv_run_memories(run);

	if (transfers == NULL)
		return -1;
	flows->at = tv_alloc(transfers->n, sizeof *flows->at);
	flows->place = tv_alloc(memories->n, sizeof *flows->place);
	flows->nplaces = memories->n;
	flows->nunsized = transfers->nunsized;
	flows->chosen = tv_alloc(memories->n, sizeof *flows->chosen);
	for (uint32_t n = 0; n < memories->n; n++) {
		flows->place[n] = memories->at[n].resource;
		flows->chosen[n] = tv_run_has_node(run, memories->at[n].node);
	}
	find_kinds(flows, run, memories);
	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];
		struct flow flow = { .origin = t->origin,
				     .dest = t->dest,
				     .start = t->start,
				     .end = t->end,
				     .send_end = t->end,
				     .receive_start = t->start,
				     .size = t->size,
				     .open = t->open };

		keep_flow(flows, &flow);
	}
	return 0;
}

/* ---- curves ---- */

/* The interval of the run, so that it contains all flows, or its part in the window. */
static int find_interval(struct tv_curves *curves, const struct flows *flows, struct tv_error *err)
{
	const struct tv_run *run = curves->run;
	const struct tv_window *window = &run->window;
	bool tasks = run->tasks.ncounted > 0;
	int64_t begin = tasks ? sooner(run->tasks.begin, flows->begin) : flows->begin;
	int64_t end = tasks ? later(run->tasks.finish, flows->end) : flows->end;

	curves->begin = later(begin, window->begin);
	curves->end = sooner(end, window->end);
	if (window->set && curves->begin >= curves->end)
		return tv_fail_usage(err, "no part of the run lies between --begin and --end");
	return 0;
}

/* The flows of one curve each. */
struct groups {
	uint32_t *of_flow;
	uint32_t *label; /* of each group */
	bool *shown;	 /* some of it is selected */
	uint32_t n;
};

static int by_ends(const void *a, const void *b, void *data)
{
	const struct flow *flow = data;
	const struct flow *x = &flow[*(const size_t *)a], *y = &flow[*(const size_t *)b];

	return x->origin != y->origin ? TV_COMPARE(x->origin, y->origin)
				      : TV_COMPARE(x->dest, y->dest);
}

/* Groups of links with flows, by origin and destination. */
static void group_links(struct groups *groups, const struct flows *flows, struct tv_pool *pool)
{
	size_t *order = tv_alloc(flows->n, sizeof *order), cap = 0;

	for (size_t i = 0; i < flows->n; i++)
		order[i] = i;
	qsort_r(order, flows->n, sizeof *order, by_ends, flows->at);
	for (size_t i = 0; i < flows->n; i++) {
		const struct flow *flow = &flows->at[order[i]];

		if (i == 0 || by_ends(&order[i - 1], &order[i], flows->at) != 0) {
			char *text = tv_format("%s->%s",
					       tv_pool_text(pool, flows->place[flow->origin]),
					       tv_pool_text(pool, flows->place[flow->dest]));

			TV_GROW(groups->label, groups->n, cap, 1);
			groups->label[groups->n++] = tv_intern_text(pool, text);
			tv_free(text);
		}
		groups->of_flow[order[i]] = groups->n - 1;
	}
	tv_free(order);
}

/* Groups of places with the same label, in the order of their first ones. */
static void group_places(struct groups *groups, const struct flows *flows, const uint32_t *label,
			 bool dest)
{
	uint32_t *group_of = tv_alloc(flows->nplaces, sizeof *group_of);
	struct tv_index of_label = { 0 };

	groups->label = tv_alloc(flows->nplaces, sizeof *groups->label);
	for (uint32_t p = 0; p < flows->nplaces; p++) {
		group_of[p] = tv_index_get(&of_label, label[p]);
		if (group_of[p] != TV_NONE)
			continue;
		group_of[p] = groups->n++;
		groups->label[group_of[p]] = label[p];
		tv_index_set(&of_label, label[p], group_of[p]);
	}
	for (size_t i = 0; i < flows->n; i++)
		groups->of_flow[i] = group_of[dest ? flows->at[i].dest : flows->at[i].origin];
	tv_free(of_label.at);
	tv_free(group_of);
}

/* Whether a flow counts: in curves by place if that is selected, else if one of its ends is. */
static bool counts(const struct flows *flows, const struct flow *flow,
		   const struct tv_flow_curve *curve)
{
	bool of_place = curve->by == TV_FLOWS_BY_PLACE || curve->by == TV_FLOWS_BY_KIND;

	return !of_place || flows->chosen[curve->dest ? flow->dest : flow->origin];
}

/* A group of places is shown without flows, too. */
static void find_shown(struct groups *groups, const struct flows *flows,
		       const struct tv_flow_curve *curve)
{
	bool of_place = curve->by == TV_FLOWS_BY_PLACE || curve->by == TV_FLOWS_BY_KIND;
	const uint32_t *label = curve->by == TV_FLOWS_BY_KIND ? flows->kind : flows->place;

	groups->shown = tv_alloc(groups->n, sizeof *groups->shown);
	for (uint32_t g = 0; g < groups->n; g++) {
		groups->shown[g] = !of_place;
		for (uint32_t p = 0; of_place && p < flows->nplaces; p++)
			groups->shown[g] |= flows->chosen[p] && label[p] == groups->label[g];
	}
}

static void group(struct groups *groups, const struct flows *flows,
		  const struct tv_flow_curve *curve, struct tv_pool *pool)
{
	*groups = (struct groups){ .of_flow = tv_alloc(flows->n, sizeof *groups->of_flow) };
	if (curve->by == TV_FLOWS_BY_LINK) {
		group_links(groups, flows, pool);
	} else if (curve->by == TV_FLOWS_BY_ALL) {
		groups->n = 1;
		groups->label = tv_alloc(1, sizeof *groups->label);
		groups->label[0] = TV_NONE;
	} else {
		group_places(groups, flows,
			     curve->by == TV_FLOWS_BY_KIND ? flows->kind : flows->place,
			     curve->dest);
	}
	find_shown(groups, flows, curve);
}

static int add_flow(struct tv_sum *sum, const struct flow *flow, const struct tv_flow_curve *curve,
		    bool bytes, struct tv_error *err)
{
	int64_t start = curve->span == TV_FLOW_RECEIVE ? flow->receive_start : flow->start;
	int64_t end = curve->span == TV_FLOW_SEND ? flow->send_end : flow->end;

	if (!bytes) {
		tv_sum_one(sum, start, end);
		return 0;
	}
	end = bytes_end(flow);
	/* How many bytes of one that has not ended have passed, nobody knows. */
	if (end == start || flow->open)
		return 0;
	return tv_sum_add(sum, start, end,
			  tv_megabytes_per_second((double)flow->size, (double)(end - start)), err);
}

static void write_group(struct flow_curves *work, const struct tv_flow_curve *curve, uint32_t label,
			struct tv_sum *sum)
{
	struct tv_steps steps;

	tv_sum_steps(sum, &steps);
	tv_curves_write_one(&work->curves, curve->name, label, &steps);
	tv_steps_release(&steps);
}

static int write_curve(struct flow_curves *work, const struct flows *flows,
		       const struct tv_flow_curve *curve, struct tv_error *err)
{
	const struct tv_curves *curves = &work->curves;
	struct groups groups;
	struct tv_sum *sum;
	int rc;

	group(&groups, flows, curve, curves->out->pool);
	sum = tv_alloc(groups.n, sizeof *sum);
	for (uint32_t g = 0; g < groups.n; g++)
		tv_sum_init(&sum[g], curves->begin, curves->end);
	rc = tv_step_check(curves->begin, curves->end, curves->step_ns, groups.n, err);
	for (size_t i = 0; i < flows->n && rc == 0; i++)
		if (counts(flows, &flows->at[i], curve))
			rc = add_flow(&sum[groups.of_flow[i]], &flows->at[i], curve, work->bytes,
				      err);
	for (uint32_t g = 0; g < groups.n; g++) {
		if (rc == 0 && groups.shown[g])
			write_group(work, curve, groups.label[g], &sum[g]);
		tv_sum_release(&sum[g]);
	}
	tv_free(sum);
	tv_free(groups.label);
	tv_free(groups.shown);
	tv_free(groups.of_flow);
	return rc;
}

/* ---- the pass ---- */

/* The curves of all such passes, which follow those of the one. */
static const struct tv_flow_curve common[] = {
	{ .name = "messages", .of = TV_OF_MESSAGES, .by = TV_FLOWS_BY_ALL },
	{ .name = "messages", .of = TV_OF_MESSAGES, .by = TV_FLOWS_BY_LINK },
	{ .name = "out", .of = TV_OF_TRANSFERS, .by = TV_FLOWS_BY_PLACE },
	{ .name = "in", .of = TV_OF_TRANSFERS, .by = TV_FLOWS_BY_PLACE, .dest = true },
	{ .name = "out", .of = TV_OF_TRANSFERS, .by = TV_FLOWS_BY_KIND },
	{ .name = "in", .of = TV_OF_TRANSFERS, .by = TV_FLOWS_BY_KIND, .dest = true },
	{ .name = "transfers", .of = TV_OF_TRANSFERS, .by = TV_FLOWS_BY_ALL },
	{ .name = "transfers", .of = TV_OF_TRANSFERS, .by = TV_FLOWS_BY_LINK },
};

/* The next curve of messages, or of transfers, that the options choose, from place *i on, which is moved behind it; or NULL. */
static const struct tv_flow_curve *next_curve(const struct flow_curves *work, bool transfers,
					      size_t *i)
{
	while (*i < work->ncurves + TV_COUNT(common)) {
		const struct tv_flow_curve *curve = *i < work->ncurves
							  ? &work->curve[*i]
							  : &common[*i - work->ncurves];

		++*i;
		if ((curve->of & work->of) != 0 && curve->by == work->by
		    && (curve->of == TV_OF_TRANSFERS) == transfers)
			return curve;
	}
	return NULL;
}

/* Writes the curves of messages, or of transfers. */
static int write_kind(struct flow_curves *work, const struct flows *flows, bool transfers,
		      struct tv_error *err)
{
	const struct tv_flow_curve *curve;
	size_t i = 0;

	if (find_interval(&work->curves, flows, err) < 0)
		return -1;
	while ((curve = next_curve(work, transfers, &i)) != NULL) {
		if (curve->span != TV_FLOW_WHOLE && !flows->requests)
			return tv_fail(
				err,
				"%s: the trace does not contain when sends complete and "
				"receives are posted (columns SendEnd, ReceiveStart of links)",
				work->verb);
		if (write_curve(work, flows, curve, err) < 0)
			return -1;
	}
	if (work->bytes && flows->nopen > 0)
		tv_run_warn(
			work->curves.run,
			"%lu of %lu %s had not ended when the trace did (Flag open): they are left "
			"out",
			(unsigned long)flows->nopen, (unsigned long)flows->nall,
			transfers ? "transfers" : "messages");
	if (work->bytes && flows->nunsized > 0)
		tv_run_warn(work->curves.run, "%lu of %lu %s have no Size: they count as 0 bytes",
			    (unsigned long)flows->nunsized, (unsigned long)flows->nall,
			    transfers ? "transfers" : "messages");
	return 0;
}

/* The same if the options choose any; counts the flows that there are. */
static int do_kind(struct flow_curves *work, bool transfers, size_t *n, struct tv_error *err)
{
	struct flows flows = { 0 };
	size_t i = 0;
	int rc;

	if (next_curve(work, transfers, &i) == NULL)
		return 0;
	rc = transfers ? collect_transfers(&flows, work->curves.run, err)
		       : collect_messages(&flows, work->curves.run, err);
	if (rc == 0 && flows.nall > 0)
		rc = write_kind(work, &flows, transfers, err);
	*n += flows.nall;
	tv_free(flows.at);
	tv_free(flows.chosen);
	tv_free(flows.place);
	tv_free(flows.kind);
	return rc;
}

/* The bits of a word of --of. */
static unsigned bits_of(const char *word)
{
	static const char *const words[] = { "messages", "requests", "transfers" };

	for (unsigned i = 0; i < TV_COUNT(words); i++)
		if (strcmp(words[i], word) == 0)
			return 1u << i;
	return TV_OF_MESSAGES | TV_OF_TRANSFERS; /* all */
}

int tv_flow_check(const struct tv_options *options, struct tv_error *err)
{
	const struct tv_flows_asked *asked = options->chosen;

	if (asked->by == TV_FLOWS_BY_KIND && bits_of(asked->of) != TV_OF_TRANSFERS)
		return tv_fail_usage(err, "--by kind is for --of transfers: nodes are of one kind");
	return 0;
}

bool tv_flows_in_parts(const struct tv_options *options)
{
	size_t of = (size_t)(tv_option_row(options->spec, options->n, "of") - options->spec);

	return (bits_of(tv_option_value(options, of)) & TV_OF_TRANSFERS) == 0;
}

int tv_flow_curves(struct tv_run *run, const struct tv_options *options, const char *verb,
		   bool bytes, const struct tv_flow_curve *curve, size_t ncurves,
		   struct tv_table *out, struct tv_error *err)
{
	const struct tv_flows_asked *asked = options->chosen;
	struct flow_curves work = { .verb = verb,
				    .bytes = bytes,
				    .curve = curve,
				    .ncurves = ncurves,
				    .of = bits_of(asked->of),
				    .by = asked->by };
	size_t n = 0;

	tv_curves_init_bare(&work.curves, run, asked->step_ns, out);
	if (do_kind(&work, false, &n, err) < 0 || do_kind(&work, true, &n, err) < 0)
		return -1;
	if (n == 0)
		return tv_fail_lacks(err, run->trace,
				     "%s: the trace has no %s (messages are links of the Type "
				     "'" TV_MESSAGE_TYPE
				     "', the Type of transfers begins with '" TV_TRANSFER_TYPE
				     "'; a single CSV has none: see --with)",
				     verb, asked->of);
	return 0;
}
