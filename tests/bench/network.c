/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * network.c -- flows on a platform, by sim/network.c: network PLATFORM FLOWS
 *
 * FLOWS has a line "START FROM TO BYTES" per flow, in order of start: ns, hosts, whole bytes. Prints the
 * end of each flow in s, and on stderr what the solver did.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/network.h"
#include "trace/alloc.h"

struct flow {
	int64_t start, bytes, end;
	uint32_t from, to;
};

static struct flow *read_flows(const struct tv_platform *platform, const char *file, size_t *n)
{
	struct flow *flow = NULL;
	size_t cap = 0;
	char from[100], to[100];
	FILE *in = fopen(file, "r");

	*n = 0;
	if (in == NULL)
		exit(1);
	for (;;) {
		TV_GROW(flow, *n, cap, 1);
		if (fscanf(in, "%" SCNd64 " %99s %99s %" SCNd64, &flow[*n].start, from, to,
			   &flow[*n].bytes)
		    != 4)
			break;
		flow[*n].from = tv_platform_find_host(platform, from);
		flow[*n].to = tv_platform_find_host(platform, to);
		++*n;
	}
	fclose(in);
	return flow;
}

int main(int argc, char **argv)
{
	struct tv_sim_network *network;
	struct tv_sim_network_work work;
	struct tv_platform platform;
	struct tv_error err;
	struct flow *flow;
	uint32_t *of; /* by number of the network */
	size_t n, next = 0, ended = 0;

	if (argc != 3 || tv_platform_read(&platform, argv[1], &err) < 0)
		return 1;
	flow = read_flows(&platform, argv[2], &n);
	of = tv_alloc(n, sizeof *of);
	network = tv_sim_network_new(&platform, false);
	while (ended < n) {
		int64_t now = tv_sim_network_next(network);
		uint32_t number;

		if (next < n && flow[next].start < now)
			now = flow[next].start;
		for (; (number = tv_sim_network_take(network, now)) != TV_NONE; ended++)
			flow[of[number]].end = now;
		for (; next < n && flow[next].start == now; next++) {
			struct tv_route route;

			if (tv_platform_route(&platform, flow[next].from, flow[next].to, &route,
					      &err)
			    < 0)
				return 1;
			number = tv_sim_network_start(network, &route, NULL, flow[next].bytes, now);
			of[number] = (uint32_t)next;
		}
	}
	for (size_t i = 0; i < n; i++)
		printf("%" PRId64 ".%09" PRId64 "\n", flow[i].end / 1000000000,
		       flow[i].end % 1000000000);
	work = tv_sim_network_work(network);
	fprintf(stderr, "%" PRIu64 " flows, %" PRIu64 " solves, %.1f flows each\n", work.flows,
		work.solves, (double)work.solved / (double)work.solves);
	tv_sim_network_free(network);
	tv_platform_release(&platform);
	tv_free(flow);
	tv_free(of);
	return 0;
}
