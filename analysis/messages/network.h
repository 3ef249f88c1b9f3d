/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * network.h -- a model of the network between nodes, and the longest path of the graph with it.
 *
 * A message takes latency + size / bandwidth, whatever else is on its way; data within a node take no
 * time. Every task is on the node where it ran (owner computes). An edge that crosses nodes without a
 * message in between, or with one of unknown size, takes the latency.
 */
#ifndef TV_NETWORK_H
#define TV_NETWORK_H

#include "analysis/core/run.h"
#include "dag/path_with_transfers.h"

#define TV_NETWORK_ROW \
	"network", "latency=T,bandwidth=B|fit", NULL, \
		"messages take T + size / B, as latency=1us,bandwidth=1GB/s; fit: as the fastest"

struct tv_network {
	double latency;	 /* ns */
	double per_byte; /* ns; 0 = unlimited bandwidth */
	bool fitted;
};

/* Reads latency=T,bandwidth=B, or B,T. -1 with *err: not understood; `others` are the other values
 * that the option has. */
int tv_network_parse(struct tv_network *network, const char *option, const char *others,
		     const char *text, struct tv_error *err) TV_MUST_CHECK;

/* A rate with unit (1.25GB/s, 800MB/s, 10Gbit/s), or inf, as ns per byte (inf: 0). false: it is none. */
bool tv_parse_rate(const char *text, double *per_byte);

/* Whether the text of an option --network has a form of it; NULL has. -1 with *err. */
int tv_network_check(const char *text, struct tv_error *err) TV_MUST_CHECK;

/*
 * The value of --network: latency=T,bandwidth=B with a time and a rate with unit (1.25GB/s, 800MB/s,
 * 10Gbit/s, inf), in this order or the other; or "fit", by tv_network_fit to the fastest messages of
 * each size that were alone on their way: no other message from the same node or to the same node
 * was in flight. -1 with *err: not understood; a run of one node; for "fit" fewer than three such
 * sizes (the message then contains a lower limit of the bandwidth).
 */
int tv_network_init(struct tv_network *network, struct tv_run *run, const char *text,
		    struct tv_error *err) TV_MUST_CHECK;
/* The same, for no other messages than those of the trace: to fit, one or two sizes are enough where no message has another. */
int tv_network_init_within(struct tv_network *network, struct tv_run *run, const char *text,
			   struct tv_error *err) TV_MUST_CHECK;

/* The shortest time of a message of that size. */
struct tv_network_point {
	int64_t size; /* bytes */
	int64_t time; /* ns */
};

/*
 * The line time = latency + size * per_byte that is above no point, with latency and per_byte not
 * negative, for which the sum of the distances to the points is smallest. point[n]: n > 0, by size,
 * all different. per_byte is 0 where larger messages were not slower. Cost O(n).
 */
void tv_network_fit(struct tv_network *network, const struct tv_network_point *point, uint32_t n);

/* Sorts points by size and keeps the shortest time of each; returns how many. */
uint32_t tv_network_fastest(struct tv_network_point *point, uint32_t n);
/* As tv_network_fit. -1 with *err: larger messages were not slower, unless the model is for these sizes alone (within). */
int tv_network_of_points(struct tv_network *network, const struct tv_network_point *point,
			 uint32_t n, bool within, struct tv_error *err) TV_MUST_CHECK;
/* The time of a message of that size by the model, ns; of an unknown size (< 0) the latency. */
double tv_network_time(const struct tv_network *network, int64_t size);
/* What messages take, in whole ns; free with tv_free. NULL with *err: too long. */
int64_t *tv_network_round(const double *time, size_t n, struct tv_error *err);
/* How long messages take by the model, ns, by node of the graph; 0 for other nodes, and for messages within a node. Free
 * with tv_free. NULL with *err: messages cannot be read, or take too long. */
int64_t *tv_network_flights(const struct tv_network *network, struct tv_run *run,
			    const struct tv_dag *dag, struct tv_error *err);

struct tv_network_path {
	struct tv_across_path path;
	double *weight; /* by node of the graph: time of tasks as given, of messages by the model */
	uint32_t *from, *to; /* by node of the graph: labels of nodes, as in tv_across */
	int64_t *size;	     /* by node of the graph: of messages, bytes; -1 = not known */
	bool optimistic; /* the model is given and no message of the trace contradicts it, nor does
			  * anything cross nodes without one: if the tasks' times are lower limits,
			  * so is the length of the path */
};

/*
 * The longest path. weight (by node of the graph): of tasks. Sizes are those of links, else of the
 * message's row of tasks. Warns of messages without size, of edges without message, of messages that
 * were faster than the model. -1 with *err: messages cannot be read. Release it in any case.
 */
int tv_network_path_init(struct tv_network_path *path, const struct tv_network *network,
			 struct tv_run *run, const struct tv_dag *dag, const double *weight,
			 struct tv_error *err) TV_MUST_CHECK;
void tv_network_path_release(struct tv_network_path *path); /* safe on a zeroed struct */

#endif
