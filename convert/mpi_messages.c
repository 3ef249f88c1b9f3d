/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_messages.c -- pairs of sends and receives, as links. */
#include "convert/mpi_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/sorted.h"

struct pair {
	const struct tv_mpi_message *send, *receive; /* receive: NULL = there is none */
};

void tv_mpi_add(struct tv_mpi_messages *list, struct tv_mpi_message message)
{
	message.order = (uint32_t)list->n;
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = message;
}

TV_ORDER(by_stream, struct tv_mpi_message, job, comm, from, to, tag)

TV_ORDER(by_post, struct tv_mpi_message, job, comm, from, to, tag, post, order)

/* In the order of the sends. */
static int by_send(const void *a, const void *b)
{
	const struct tv_mpi_message *x = ((const struct pair *)a)->send,
				    *y = ((const struct pair *)b)->send;

	return x->post != y->post ? TV_COMPARE(x->post, y->post) : TV_COMPARE(x->order, y->order);
}

static void write_links(struct tv_trace *trace, const struct pair *pair, size_t n,
			const int64_t *open)
{
	struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *tag, *send_end, *posted;

	TV_TRACE_COLUMNS(trace, TV_LINKS, { "Type", &type }, { "Key", &key }, { "Origin", &origin },
			 { "Dest", &dest }, { "Start", &start }, { "End", &end }, { "Size", &size },
			 { "Tag", &tag }, { "SendEnd", &send_end }, { "ReceiveStart", &posted });
	for (size_t i = 0; i < n; i++) {
		const struct tv_mpi_message *send = pair[i].send, *receive = pair[i].receive;
		uint32_t row = tv_table_add_row(&trace->table[TV_LINKS]);
		char text[32];

		tv_set_text(type, row, TV_MESSAGE_TYPE);
		snprintf(text, sizeof text, "mpi%zu", i + 1);
		tv_set_text(key, row, text);
		tv_set_label(origin, row, send->resource);
		tv_set_label(dest, row, receive != NULL ? receive->resource : send->dest);
		tv_set_int(start, row, send->post);
		tv_set_int(end, row,
			   receive != NULL	? receive->end
			   : *open > send->post ? *open
						: send->post);
		/* Some recorders write the size of the receive's buffer. */
		tv_set_int(size, row,
			   receive == NULL || send->bytes >= 0 ? send->bytes : receive->bytes);
		snprintf(text, sizeof text, "%" PRId64, send->tag);
		tv_set_text(tag, row, text);
		if (send->ended)
			tv_set_int(send_end, row, send->end);
		if (receive != NULL)
			tv_set_int(posted, row, receive->post);
		else
			tv_set_text(tv_trace_column(trace, TV_LINKS, "Flag"), row, TV_OPEN);
	}
}

/* How many of at[0..n) are of the stream of the first. */
static size_t length_of_stream(const struct tv_mpi_message *at, size_t n)
{
	size_t length = 1;

	while (length < n && by_stream(at, at + length) == 0)
		length++;
	return length;
}

/* A stream of which sends or receives were not recorded. */
struct gaps {
	size_t end;   /* of its sends: place */
	int64_t more; /* receives than sends remain */
};

/* Whether the first of sends[0..n) and of receives[0..m), which are of one stream, are one message: 0; -1: that send has no
 * receive, 1: that receive has no send. */
static int compare_sides(struct gaps *gaps, size_t place, const struct tv_mpi_message *sends,
			 size_t n, const struct tv_mpi_message *receives, size_t m)
{
	bool early = receives->end < sends->post, resized = sends->bytes != receives->bytes;
	int which;

	if (place >= gaps->end) {
		gaps->end = place + length_of_stream(sends, n);
		gaps->more = (int64_t)length_of_stream(receives, m) - (int64_t)(gaps->end - place);
	}
	if (!resized)
		which = early && gaps->more > 0;
	else
		which = gaps->more > 0 || (gaps->more == 0 && early) ? 1 : -1;
	gaps->more -= which;
	return which;
}

struct tv_mpi_paired tv_mpi_pair(struct tv_trace *trace, struct tv_mpi_messages *sends,
				 struct tv_mpi_messages *receives, const int64_t *open, bool gaps)
{
	struct pair *pair = tv_alloc(sends->n, sizeof *pair);
	struct tv_mpi_paired paired = { 0 };
	size_t n = 0, i = 0, k = 0;
	struct gaps of_stream = { 0 };

	if (sends->n > 1)
		qsort(sends->at, sends->n, sizeof *sends->at, by_post);
	if (receives->n > 1)
		qsort(receives->at, receives->n, sizeof *receives->at, by_post);
	while (i < sends->n) {
		const struct tv_mpi_message *send = &sends->at[i],
					    *receive = k < receives->n ? &receives->at[k] : NULL;
		int order = receive != NULL ? by_stream(send, receive) : -1;

		bool between = order == 0 && gaps, lost; /* and others of the stream */

		if (between)
			order = compare_sides(&of_stream, i, send, sends->n - i, receive,
					      receives->n - k);
		lost = order < 0 && (between || send->lost);
		paired.skipped += lost;
		if (order == 0) {
			paired.before += receive->plain < send->plain;
			paired.after += receive->end < send->post;
			paired.n++;
		}
		if (order == 0 || (order < 0 && !lost && open != NULL))
			pair[n++] = (struct pair){ send, order == 0 ? receive : NULL };
		i += order <= 0;
		k += order >= 0;
	}
	if (n > 1)
		qsort(pair, n, sizeof *pair, by_send);
	if (n > 0)
		write_links(trace, pair, n, open);
	if (sends->n > paired.n || receives->n > paired.n)
		tv_meta_add(trace, "MessagesUnmatched", "%zu sends, %zu receives",
			    sends->n - paired.n, receives->n - paired.n);
	tv_free(pair);
	tv_free(sends->at);
	tv_free(receives->at);
	*sends = *receives = (struct tv_mpi_messages){ 0 };
	return paired;
}
