/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_flows.c -- bandwidth, in-flight and comm-matrix against looking at every nanosecond. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { NODES = 4, FLOWS = 12, LENGTH = 60, ROUNDS = 400 };
enum { NONE = -1 };

struct flow {
	int from, to, start, end, size, send_end, receive_start;
};

struct world {
	int n;
	struct flow flow[FLOWS];
	bool transfers, requests;
};

static const char tasks[] = "ResourceId,Value,Start,End,JobId,Kind,Node\n"
			    "0_C0,a,0.000010,0.000030,1,app,0\n";

static void add_link(struct sample *s, const struct world *w, int i)
{
	const struct flow *f = &w->flow[i];
	char from[30], to[30], key[20];

	snprintf(from, sizeof from, w->transfers ? "0_MEMMANAGER%d" : "%d_mpict", f->from);
	snprintf(to, sizeof to, w->transfers ? "0_MEMMANAGER%d" : "%d_mpict", f->to);
	snprintf(key, sizeof key, "k%d", i);
	sample_message(s, key, from, to, f->start, f->end, f->size);
	if (w->transfers)
		sample_text(s, TV_LINKS, (uint32_t)i, "Type", "Intra-node data PreFetch");
	if (f->send_end != NONE)
		sample_number(s, TV_LINKS, (uint32_t)i, "SendEnd", f->send_end);
	if (f->receive_start != NONE)
		sample_number(s, TV_LINKS, (uint32_t)i, "ReceiveStart", f->receive_start);
	tv_table_finish(&s->trace.table[TV_LINKS]);
}

static void make_world(struct world *w, struct sample *s, uint64_t *seed)
{
	memset(w, 0, sizeof *w);
	sample_make(s, tasks);
	w->n = 1 + (int)unit_random(seed, FLOWS);
	w->transfers = unit_random(seed, 3) == 0;
	for (int i = 0; i < w->n; i++) {
		struct flow *f = &w->flow[i];

		f->from = (int)unit_random(seed, NODES);
		f->to = (int)unit_random(seed, NODES);
		f->start = (int)unit_random(seed, LENGTH - 10);
		f->end = f->start + (int)unit_random(seed, 10);
		f->size = (int)unit_random(seed, 100);
		f->send_end = f->receive_start = NONE;
		if (!w->transfers && unit_random(seed, 2))
			f->send_end = f->start + (int)unit_random(seed, 10);
		if (!w->transfers && unit_random(seed, 2))
			f->receive_start = (int)unit_random(seed, (uint64_t)f->end + 1);
		w->requests |= f->send_end != NONE || f->receive_start != NONE;
		add_link(s, w, i);
	}
}

/* The interval of the curves without a window. */
static void interval(const struct world *w, int *begin, int *end)
{
	*begin = 10;
	*end = 30;
	for (int i = 0; i < w->n; i++) {
		const struct flow *f = &w->flow[i];
		/* bytes of a flow without duration need a ns */
		int last = f->end + (f->start == f->end && f->size > 0);

		*begin = f->start < *begin ? f->start : *begin;
		*begin = f->receive_start != NONE && f->receive_start < *begin ? f->receive_start
									       : *begin;
		*end = last > *end ? last : *end;
		*end = f->send_end > *end ? f->send_end : *end;
	}
}

/* Whether a flow belongs to a row of the result. */
static bool belongs(const struct world *w, const struct flow *f, const char *curve, const char *by)
{
	bool dest = strcmp(curve, "received") == 0 || strcmp(curve, "receives") == 0
		 || strcmp(curve, "in") == 0;
	char text[70], from[30], to[30];

	snprintf(from, sizeof from, w->transfers ? "0_MEMMANAGER%d" : "%d", f->from);
	snprintf(to, sizeof to, w->transfers ? "0_MEMMANAGER%d" : "%d", f->to);
	snprintf(text, sizeof text, "%s->%s", from, to);
	return by[0] == '\0' || strcmp(by, text) == 0 || strcmp(by, dest ? to : from) == 0;
}

/* What a flow adds at t: bytes per ns x 1000, or 1. */
static double at(const struct flow *f, const char *curve, bool bytes, bool requests, int t)
{
	int start = f->start, end = f->end;

	if (requests && strcmp(curve, "sends") == 0 && f->send_end != NONE)
		end = f->send_end;
	if (requests && strcmp(curve, "receives") == 0 && f->receive_start != NONE)
		start = f->receive_start;
	if (!bytes)
		return start <= t && t < end;
	if (f->start == f->end)
		return t == f->start ? 1000.0 * f->size : 0;
	return start <= t && t < end ? 1000.0 * f->size / (end - start) : 0;
}

/* Every row against the mean, min and max of its ns; all rows of a curve cover [begin, end). */
static void compare(const struct world *w, const struct tv_table *table, bool bytes, bool requests,
		    int begin, int end)
{
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *stop = tv_table_find(table, "End");
	const struct tv_column *value = tv_table_find(table, "Value");
	const struct tv_column *max = tv_table_find(table, "Max");

	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *curve = tv_table_text(table, "Curve", row);
		const char *by = tv_table_text(table, "By", row);
		double sum = 0, most = 0;

		for (int t = (int)start->i[row]; t < stop->i[row]; t++) {
			double level = 0;

			for (int i = 0; i < w->n; i++)
				if (belongs(w, &w->flow[i], curve, by))
					level += at(&w->flow[i], curve, bytes, requests, t);
			sum += level;
			most = fmax(most, level);
		}
		sum /= (double)(stop->i[row] - start->i[row]);
		if (fabs(sum - value->d[row]) > 1e-6
		    || (!tv_missing(max, row) && fabs(most - max->d[row]) > 1e-6))
			fail_msg("%s %s at %d: %g, expected %g", curve, by, (int)start->i[row],
				 value->d[row], sum);
		assert_true(row > 0 && strcmp(by, tv_table_text(table, "By", row - 1)) == 0
					    && strcmp(curve, tv_table_text(table, "Curve", row - 1))
						       == 0
				    ? start->i[row] == stop->i[row - 1]
				    : start->i[row] == begin
					      && (row == 0 || stop->i[row - 1] == end));
	}
	assert_int_equal(stop->i[table->nrows - 1], end);
}

static void every_nanosecond(void **state)
{
	static const char *const by[] = { "node", "all", "link" };
	uint64_t seed = unit_seed(20261122);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const char *of, *step = unit_random(&seed, 2) ? "7ns" : NULL;
		bool bytes = unit_random(&seed, 2), requests;
		const struct tv_table *table;
		struct world w;
		struct sample s;
		int begin, end;

		make_world(&w, &s, &seed);
		requests = !bytes && w.requests && unit_random(&seed, 2);
		of = w.transfers ? "transfers" : requests ? "requests" : "messages";
		interval(&w, &begin, &end);
		if (unit_random(&seed, 2)) {
			begin += (int)unit_random(&seed, (uint64_t)(end - begin));
			end = begin + 1 + (int)unit_random(&seed, (uint64_t)(end - begin));
			s.run.window = (struct tv_window){ true, begin, end };
		}
		table = tv_run_pass_with(&s.run, bytes ? "bandwidth" : "in-flight", &s.err, "of",
					 of, "by", by[round % 3], "step", step, NULL);
		if (table == NULL)
			fail_msg("%s", s.err.text);
		compare(&w, table, bytes, requests, begin, end);
		sample_release(&s);
	}
}

/* The sums of the matrix, and that no pair is missing. */
static void matrix(void **state)
{
	uint64_t seed = unit_seed(20261123);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const struct tv_table *table;
		int64_t left[NODES][NODES][3] = { { { 0 } } };
		struct world w;
		struct sample s;

		make_world(&w, &s, &seed);
		for (int i = 0; i < w.n; i++) {
			left[w.flow[i].from][w.flow[i].to][0]++;
			left[w.flow[i].from][w.flow[i].to][1] += w.flow[i].size;
			left[w.flow[i].from][w.flow[i].to][2] += w.flow[i].end - w.flow[i].start;
		}
		table = tv_run_pass_with(&s.run, "comm-matrix", &s.err, "all-pairs",
					 round % 2 ? "" : NULL, NULL);
		assert_true((table == NULL) == w.transfers);
		for (uint32_t row = 0; table != NULL && row < table->nrows; row++) {
			int64_t *at = left[atoi(tv_table_text(table, "Origin", row))]
					  [atoi(tv_table_text(table, "Dest", row))];

			assert_true(round % 2 || tv_table_find(table, "Messages")->i[row] > 0);
			at[0] -= tv_table_find(table, "Messages")->i[row];
			at[1] -= tv_table_find(table, "Bytes")->i[row];
			at[2] -= tv_table_find(table, "Time")->i[row];
		}
		for (int i = 0; table != NULL && i < 3 * NODES * NODES; i++)
			assert_int_equal((&left[0][0][0])[i], 0);
		sample_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_nanosecond),
		cmocka_unit_test(matrix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
