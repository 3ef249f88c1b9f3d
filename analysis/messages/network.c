/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c -- latency and bandwidth between nodes: given, fitted; longest paths with them. */
#include "analysis/messages/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* ---- as given ---- */

static const struct {
	const char *unit;
	double bytes; /* per second */
} rates[] = {
	{ "B/s", 1 },	       { "kB/s", 1e3 },	       { "MB/s", 1e6 },	      { "GB/s", 1e9 },
	{ "TB/s", 1e12 },      { "bit/s", 1 / 8. },    { "kbit/s", 1e3 / 8 }, { "Mbit/s", 1e6 / 8 },
	{ "Gbit/s", 1e9 / 8 }, { "Tbit/s", 1e12 / 8 },
};

bool tv_parse_rate(const char *text, double *per_byte)
{
	size_t n = strspn(text, "0123456789.+-eE"), blank = strspn(text + n, " ");
	double number;

	*per_byte = 0;
	if (strcmp(text, "inf") == 0)
		return true;
	if (tv_parse_double(text, n, &number) != TV_PARSE_OK || !(number > 0))
		return false;
	for (size_t i = 0; i < TV_COUNT(rates); i++)
		if (strcmp(text + n + blank, rates[i].unit) == 0) {
			*per_byte = 1e9 / (number * rates[i].bytes);
			return isfinite(*per_byte) && *per_byte > 0;
		}
	return false;
}

/* One of latency=T and bandwidth=B; it must not be known yet. */
static bool parse_part(struct tv_network *network, const char *part, bool *latency, bool *bandwidth)
{
	static const char is_latency[] = "latency=", is_bandwidth[] = "bandwidth=";
	int64_t ns;

	if (!*latency && strncmp(part, is_latency, strlen(is_latency)) == 0) {
		if (tv_parse_time(part + strlen(is_latency), &ns) != TV_PARSE_OK || ns < 0)
			return false;
		network->latency = (double)ns;
		return *latency = true;
	}
	if (*bandwidth || strncmp(part, is_bandwidth, strlen(is_bandwidth)) != 0)
		return false;
	*bandwidth = true;
	return tv_parse_rate(part + strlen(is_bandwidth), &network->per_byte);
}

int tv_network_parse(struct tv_network *network, const char *option, const char *others,
		     const char *text, struct tv_error *err)
{
	bool latency = false, bandwidth = false, valid = true;
	char *list = tv_strdup(text);

	*network = (struct tv_network){ 0 };
	for (char *rest = list, *part; valid && (part = strsep(&rest, ",")) != NULL;)
		valid = parse_part(network, part, &latency, &bandwidth);
	tv_free(list);
	if (valid && latency && bandwidth)
		return 0;
	return tv_fail_usage(err,
			     "--%s '%.100s', expected latency=T,bandwidth=B such as "
			     "latency=20us,bandwidth=1.25GB/s (B/s, kB/s, MB/s, GB/s, Gbit/s, ...; "
			     "inf), or %s",
			     option, text, others);
}

/* ---- fitted to messages ---- */

/* Whether b is on or above the line from a to c. */
static bool above(const struct tv_network_point *a, const struct tv_network_point *b,
		  const struct tv_network_point *c)
{
	return (tv_int128)(b->time - a->time) * (c->size - a->size)
	    >= (tv_int128)(c->time - a->time) * (b->size - a->size);
}

/*
 * The sum of the distances is smallest for the line that is highest at the mean of the sizes: the
 * edge of the lower convex hull there. If it falls, or begins below 0, the best line is one that is
 * level, or begins at 0, and touches the lowest point.
 */
void tv_network_fit(struct tv_network *network, const struct tv_network_point *point, uint32_t n)
{
	struct tv_network_point *hull = tv_alloc(n, sizeof *hull);
	double mean = 0, level = INFINITY, ray = INFINITY;
	uint32_t nhull = 0, k = 1;

	for (uint32_t i = 0; i < n; i++) {
		while (nhull > 1 && above(&hull[nhull - 2], &hull[nhull - 1], &point[i]))
			nhull--;
		hull[nhull++] = point[i];
		mean += (double)point[i].size / n;
		level = fmin(level, (double)point[i].time);
		if (point[i].size > 0)
			ray = fmin(ray, (double)point[i].time / (double)point[i].size);
	}
	*network = (struct tv_network){ .latency = level, .fitted = true };
	while (k + 1 < nhull && (double)hull[k].size < mean)
		k++;
	if (nhull > 1 && hull[k].time > hull[k - 1].time) {
		network->per_byte = (double)(hull[k].time - hull[k - 1].time)
				  / (double)(hull[k].size - hull[k - 1].size);
		network->latency = (double)hull[k].time - network->per_byte * (double)hull[k].size;
	}
	if (network->latency < 0) {
		network->latency = 0;
		network->per_byte = ray;
	}
	tv_free(hull);
}

TV_ORDER(by_size, struct tv_network_point, size, time)

uint32_t tv_network_fastest(struct tv_network_point *point, uint32_t n)
{
	uint32_t kept = 0;

	if (n > 1)
		qsort(point, n, sizeof *point, by_size);
	for (uint32_t i = 0; i < n; i++)
		if (kept == 0 || point[i].size != point[kept - 1].size)
			point[kept++] = point[i];
	return kept;
}

int tv_network_of_points(struct tv_network *network, const struct tv_network_point *point,
			 uint32_t n, bool within, struct tv_error *err)
{
	tv_network_fit(network, point, n);
	return within || network->per_byte > 0
		     ? 0
		     : tv_fail(err,
			       "--network fit: larger messages were not slower, so no bandwidth "
			       "can be fitted: expected latency=T,bandwidth=B");
}

double tv_network_time(const struct tv_network *network, int64_t size)
{
	return network->latency + (size > 0 ? (double)size * network->per_byte : 0);
}

int64_t *tv_network_round(const double *time, size_t n, struct tv_error *err)
{
	int64_t *rounded;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += time[i];
	if (!(sum < 0x1p61)) {
		tv_fail(err, "--network: the messages take more than 73 years in all");
		return NULL;
	}
	rounded = tv_alloc(n, sizeof *rounded);
	for (size_t i = 0; i < n; i++)
		rounded[i] = llround(time[i]);
	return rounded;
}

/* Whether a message shows how fast the network is. */
static bool is_measure(const struct tv_message *m)
{
	return m->sized && !m->early && !m->open && m->end > m->start;
}

/* shared[i]: another message was in flight from the node of message i, or to it, if `dest`. */
static void mark_shared(const struct tv_messages *messages, bool dest, bool *shared)
{
	/* By node: the message so far that ends last. */
	uint32_t *last = tv_alloc(messages->nnodes, sizeof *last);

	for (uint32_t v = 0; v < messages->nnodes; v++)
		last[v] = TV_NONE;
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		uint32_t *before = &last[dest ? m->dest : m->origin];

		if (*before != TV_NONE && messages->at[*before].end > m->start)
			shared[i] = shared[*before] = true;
		if (*before == TV_NONE || m->end > messages->at[*before].end)
			*before = i;
	}
	tv_free(last);
}

/* Too few sizes: what the messages show nevertheless. */
static int refuse_fit(const struct tv_messages *messages, uint32_t nsizes, struct tv_error *err)
{
	const struct tv_message *best = NULL;
	double rate, top = 0;

	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];

		if (!is_measure(m))
			continue;
		rate = tv_megabytes_per_second((double)m->size, (double)(m->end - m->start));
		if (rate > top) {
			top = rate;
			best = m;
		}
	}
	if (best == NULL)
		return tv_fail(err, "--network fit: the trace has no messages with a size and a "
				    "duration, expected latency=T,bandwidth=B");
	return tv_fail(
		err,
		"--network fit: messages of %lu %s were alone on their way, expected at least "
		"3 sizes, or latency=T,bandwidth=B; the bandwidth is at least %.6g MB/s "
		"(%lld bytes in %.6f ms)",
		(unsigned long)nsizes, nsizes == 1 ? "size" : "sizes", top, (long long)best->size,
		(double)(best->end - best->start) / 1e6);
}

/* Whether no message has a size that none of the points has, which are by size. */
static bool has_all_sizes(const struct tv_messages *messages, const struct tv_network_point *point,
			  uint32_t n)
{
	for (uint32_t i = 0; i < messages->n; i++) {
		uint32_t k;

		TV_LOWER_BOUND(k, 0, n, point[k].size < messages->at[i].size);
		if (messages->at[i].sized && (k == n || point[k].size != messages->at[i].size))
			return false;
	}
	return true;
}

/* within: for no other sizes than those of the trace. */
static int fit_messages(struct tv_network *network, struct tv_run *run, bool within,
			struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(run, err);
	struct tv_network_point *point;
	uint32_t n = 0;
	bool *shared;
	int rc;

	if (messages == NULL)
		return -1;
	point = tv_alloc(messages->n, sizeof *point);
	shared = tv_alloc(messages->n, sizeof *shared);
	mark_shared(messages, false, shared);
	mark_shared(messages, true, shared);
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];

		if (is_measure(m) && !shared[i])
			point[n++] = (struct tv_network_point){ m->size, m->end - m->start };
	}
	n = tv_network_fastest(point, n);
	within = within && has_all_sizes(messages, point, n);
	rc = n > 2 || (n > 0 && within) ? tv_network_of_points(network, point, n, within, err)
					: refuse_fit(messages, n, err);
	tv_free(point);
	tv_free(shared);
	return rc;
}

int tv_network_check(const char *text, struct tv_error *err)
{
	struct tv_network network;

	return text == NULL || strcmp(text, "fit") == 0
		     ? 0
		     : tv_network_parse(&network, "network", "fit", text, err);
}

static int init(struct tv_network *network, struct tv_run *run, const char *text, bool within,
		struct tv_error *err)
{
	*network = (struct tv_network){ 0 };
	if (strcmp(text, "fit") != 0 && tv_network_parse(network, "network", "fit", text, err) < 0)
		return -1;
	if (run->tasks.nnodes < 2)
		return tv_fail_usage(err,
				     "--network has no effect: the workers of the trace are on "
				     "one node");
	return strcmp(text, "fit") == 0 ? fit_messages(network, run, within, err) : 0;
}

int tv_network_init(struct tv_network *network, struct tv_run *run, const char *text,
		    struct tv_error *err)
{
	return init(network, run, text, false, err);
}

int tv_network_init_within(struct tv_network *network, struct tv_run *run, const char *text,
			   struct tv_error *err)
{
	return init(network, run, text, true, err);
}

/* ---- the path ---- */

struct placing {
	struct tv_run *run;
	const struct tv_dag *dag;
	struct tv_network_path *path;
};

/* Nodes of what ran. Returns whether some job ran on several: it counts where it ran first. */
static bool place_tasks(const struct placing *p)
{
	const struct tv_tasks *tasks = p->dag->tasks;
	bool several = false;

	for (uint32_t v = 0; v < p->dag->n; v++) {
		uint32_t worker = tasks->worker[p->dag->row[v]];

		p->path->from[v] = worker == TV_NONE
					 ? TV_NONE
					 : tasks->node[tasks->workers[worker].node].label;
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row])
			several |= p->path->from[p->dag->node_of_row[row]]
				!= tasks->node[tasks->workers[tasks->worker[row]].node].label;
	memcpy(p->path->to, p->path->from, p->dag->n * sizeof *p->path->to);
	return several;
}

/* Nodes of messages that no link says: the first ones before and after it, also beyond ghosts. */
static void place_unknown(const struct placing *p)
{
	const struct tv_dag *dag = p->dag;
	uint32_t *near = tv_alloc(dag->n, sizeof *near);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		bool message = tv_dag_is_message(dag, v);

		near[v] = message ? TV_NONE : p->path->to[v];
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (near[v] == TV_NONE)
				near[v] = near[dag->pred[k]];
		if (message && p->path->from[v] == TV_NONE)
			p->path->from[v] = near[v];
		if (message)
			near[v] = p->path->to[v];
	}
	for (uint32_t v = 0; v < dag->n; v++)
		near[v] = tv_dag_is_message(dag, v) ? TV_NONE : p->path->from[v];
	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->order[i], after = near[v];

		if (tv_dag_is_message(dag, v)) {
			if (p->path->to[v] == TV_NONE)
				p->path->to[v] = after;
			after = p->path->from[v];
		}
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (near[dag->pred[k]] == TV_NONE)
				near[dag->pred[k]] = after;
	}
	tv_free(near);
}

/* Nodes and sizes of messages. */
static void place_messages(const struct placing *p, const struct tv_messages *messages)
{
	const struct tv_tasks *tasks = p->dag->tasks;
	const struct tv_column *size = tv_table_find(&p->run->trace->table[TV_TASKS], "Size");

	for (uint32_t v = 0; v < p->dag->n; v++) {
		uint32_t row = p->dag->row[v];

		p->path->size[v] = -1;
		if (tasks->kind[row] == TV_MESSAGE && size != NULL && !tv_missing(size, row))
			p->path->size[v] = size->i[row];
	}
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		uint32_t v = m->row == TV_NONE ? TV_NONE : p->dag->node_of_row[m->row];

		if (v == TV_NONE)
			continue;
		p->path->from[v] = messages->node[m->origin];
		p->path->to[v] = messages->node[m->dest];
		if (m->sized)
			p->path->size[v] = m->size;
	}
	place_unknown(p);
}

/* Weights of messages. Returns how many the trace has that were faster. */
static unsigned long weigh_messages(const struct placing *p, const struct tv_network *network)
{
	unsigned long unsized = 0, faster = 0;

	for (uint32_t v = 0; v < p->dag->n; v++) {
		double time = tv_network_time(network, p->path->size[v]);

		if (!tv_dag_is_message(p->dag, v)
		    || (p->path->from[v] == p->path->to[v] && p->path->to[v] != TV_NONE))
			continue;
		unsized += p->path->size[v] < 0;
		p->path->weight[v] = time;
		faster += (double)(p->dag->end[v] - p->dag->start[v]) < time;
	}
	if (unsized > 0)
		tv_run_warn(p->run, "%lu messages have no Size: each counts with the latency alone",
			    unsized);
	return faster;
}

static void alloc_path(struct tv_network_path *path, uint32_t n)
{
	*path = (struct tv_network_path){ .weight = tv_alloc(n, sizeof *path->weight),
					  .from = tv_alloc(n, sizeof *path->from),
					  .to = tv_alloc(n, sizeof *path->to),
					  .size = tv_alloc(n, sizeof *path->size) };
}

int64_t *tv_network_flights(const struct tv_network *network, struct tv_run *run,
			    const struct tv_dag *dag, struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(run, err);
	struct tv_network_path path;
	struct placing p = { run, dag, &path };
	int64_t *flight;

	if (messages == NULL)
		return NULL;
	alloc_path(&path, dag->n);
	place_tasks(&p);
	place_messages(&p, messages);
	weigh_messages(&p, network);
	flight = tv_network_round(path.weight, dag->n, err);
	tv_network_path_release(&path);
	return flight;
}

int tv_network_path_init(struct tv_network_path *path, const struct tv_network *network,
			 struct tv_run *run, const struct tv_dag *dag, const double *weight,
			 struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(run, err);
	struct placing p = { run, dag, path };
	struct tv_across across;
	unsigned long faster;
	bool several;

	*path = (struct tv_network_path){ 0 };
	if (messages == NULL)
		return -1;
	alloc_path(path, dag->n);
	memcpy(path->weight, weight, dag->n * sizeof *weight);
	several = place_tasks(&p);
	place_messages(&p, messages);
	faster = weigh_messages(&p, network);
	across = (struct tv_across){ path->weight, path->from, path->to, network->latency };
	tv_across_path_init(&path->path, dag, &across);
	if (path->path.crossings > 0)
		tv_run_warn(
			run,
			"%llu dependencies cross nodes without a message in the trace: each counts "
			"with the latency alone",
			(unsigned long long)path->path.crossings);
	if (faster > 0)
		tv_run_warn(
			run,
			"%lu messages took less time than --network gives them, so it proves no "
			"bound",
			faster);
	path->optimistic = !network->fitted && !several && faster == 0 && path->path.crossings == 0;
	return 0;
}

void tv_network_path_release(struct tv_network_path *path)
{
	tv_across_path_release(&path->path);
	tv_free(path->weight);
	tv_free(path->from);
	tv_free(path->to);
	tv_free(path->size);
	*path = (struct tv_network_path){ 0 };
}
