/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_protocols.c -- which messages are buffered (eager), and which wait for their receive
 * (rendezvous).
 *
 * Known: MPI_Ssend, MPI_Bsend, MPI_Rsend; a size that the user gives. Else the trace: sizes up to
 * the largest message whose send had ended before its receive was posted are eager. Of a larger
 * message, a call that can wait for nothing but this send, and that lasts from before the post of
 * the receive until after it, is a sign of rendezvous; a receive may also be posted by chance while
 * an eager send copies. So it takes two signs, or one that is longer than any eager send of the
 * trace, and than its size takes to copy. Sizes from there on are rendezvous, those between are
 * unknown. Messages inside a host and between hosts are distinguished where hosts are known.
 */
#include "analysis/calls/call_graph_parts.h"

/* How long a call with an empty eager message may take, besides 1 ns per byte. */
enum { POSTING_NS = 20000 };

enum { BETWEEN, INSIDE, NPATHS };

struct learnt {		       /* of one kind of path */
	int64_t eager;	       /* the largest size proved, -1 = none */
	int64_t rendezvous;    /* the smallest size shown; INT64_MAX = none */
	int64_t copying;       /* the longest eager send, ns */
	int64_t first, second; /* the smallest sizes with a sign; INT64_MAX = none */
};

static int path_of(const struct tv_call_graph *g, const struct tv_call_message *m)
{
	uint32_t from = g->thread[g->node[m->send].thread].host,
		 to = m->receive == TV_NONE ? TV_NONE : g->thread[g->node[m->receive].thread].host;

	return from != TV_NONE && from == to ? INSIDE : BETWEEN;
}

/* How long its send had waited when the receive was posted, ns; 0: it does not show. */
static int64_t waited(const struct tv_call_graph *g, const struct tv_call_message *m)
{
	int64_t posted = m->receive == TV_NONE ? INT64_MIN : tv_node_begin(g, m->receive);

	return m->mode == TV_SEND_STANDARD && m->alone && posted > tv_node_begin(g, m->sent)
			    && posted < tv_node_end(g, m->sent)
		     ? posted - tv_node_begin(g, m->sent)
		     : 0;
}

static void learn_eager(const struct tv_call_graph *g, struct learnt *learnt)
{
	for (uint32_t i = 0; i < g->nmessages; i++) {
		const struct tv_call_message *m = &g->message[i];
		struct learnt *l = &learnt[path_of(g, m)];

		if (m->mode != TV_SEND_STANDARD || m->sent == TV_NONE || m->receive == TV_NONE
		    || tv_node_end(g, m->sent) >= tv_node_begin(g, m->receive))
			continue;
		if (m->bytes > l->eager)
			l->eager = m->bytes;
		if (m->alone && tv_node_end(g, m->sent) - tv_node_begin(g, m->sent) > l->copying)
			l->copying = tv_node_end(g, m->sent) - tv_node_begin(g, m->sent);
	}
}

static void learn_rendezvous(const struct tv_call_graph *g, struct learnt *learnt)
{
	for (uint32_t i = 0; i < g->nmessages; i++) {
		const struct tv_call_message *m = &g->message[i];
		struct learnt *l = &learnt[path_of(g, m)];
		int64_t time = m->sent == TV_NONE ? 0 : waited(g, m);

		if (time == 0 || m->bytes <= l->eager)
			continue;
		if (time > l->copying && time > POSTING_NS + m->bytes && m->bytes < l->rendezvous)
			l->rendezvous = m->bytes;
		if (m->bytes < l->first) {
			l->second = l->first;
			l->first = m->bytes;
		} else if (m->bytes < l->second) {
			l->second = m->bytes;
		}
	}
	for (int p = 0; p < NPATHS; p++)
		if (learnt[p].second < learnt[p].rendezvous)
			learnt[p].rendezvous = learnt[p].second;
}

void tv_graph_set_protocols(struct tv_call_graph *g)
{
	struct learnt learnt[NPATHS];

	for (int p = 0; p < NPATHS; p++)
		learnt[p] = (struct learnt){ -1, INT64_MAX, 0, INT64_MAX, INT64_MAX };
	if (g->rules.eager_given) {
		for (int p = 0; p < NPATHS; p++) {
			learnt[p].eager = g->rules.eager;
			learnt[p].rendezvous = g->rules.eager + 1;
		}
	} else {
		learn_eager(g, learnt);
		learn_rendezvous(g, learnt);
	}
	for (uint32_t i = 0; i < g->nmessages; i++) {
		struct tv_call_message *m = &g->message[i];
		const struct learnt *l = &learnt[path_of(g, m)];
		bool standard = m->mode == TV_SEND_STANDARD;

		if (m->mode == TV_SEND_BUFFERED || (standard && m->bytes <= l->eager))
			m->protocol = TV_EAGER;
		else if (!m->guessed
			 && (m->mode == TV_SEND_SYNCHRONOUS || m->bytes >= l->rendezvous))
			m->protocol = TV_RENDEZVOUS;
		else
			m->protocol = TV_PROTOCOL_UNKNOWN;
		g->counts.unknown_protocol += m->protocol == TV_PROTOCOL_UNKNOWN;
	}
}
