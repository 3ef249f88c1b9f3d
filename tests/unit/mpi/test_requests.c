/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_requests.c -- requests of MPI calls and what is computed meanwhile: random traces against counting
 * nanosecond by nanosecond. */
#include <math.h>
#include <stdio.h>

#include "analysis/mpi/overlap_ratios.h"
#include "analysis/calls/request_list.h"
#include "tests/unit/sample.h"

enum { NAMES = 5, CALLS = 60, TASKS = 40, TIMES = 2000, ROUNDS = 300 };

struct call {
	int class, begin, end;
	bool asked[NAMES], done[NAMES]; /* by name of a request */
	bool given;			/* `done` is in the trace */
};

struct random_trace {
	uint64_t seed;
	struct call call[CALLS];
	int ncalls;
	bool tasks;
	bool computing[TIMES];
	int workers[TIMES]; /* that compute */
};

static uint32_t below(struct random_trace *r, uint32_t n)
{
	return (uint32_t)unit_random(&r->seed, n);
}

/* Calls of one thread, one after the other. */
static void make_calls(struct random_trace *r)
{
	bool active[NAMES] = { 0 };
	int t = 1 + (int)below(r, 5);

	r->ncalls = 0;
	while (r->ncalls < CALLS) {
		struct call *c = &r->call[r->ncalls++];
		bool any = false;

		*c = (struct call){ .class = (int)below(r, 3), .begin = t };
		t += 1 + (int)below(r, 9);
		c->end = t;
		t += (int)below(r, 8);
		c->given = c->class != 2 || below(r, 2);
		for (int i = 0; i < NAMES; i++) {
			c->asked[i] = active[i] == (c->class != 0) && below(r, 2);
			c->done[i] = c->class != 0 && c->asked[i]
				  && (!c->given || below(r, 3) == 0);
			any |= c->done[i];
			active[i] = c->class == 0 ? active[i] || c->asked[i]
						  : active[i] && !c->done[i];
		}
		/* A missing Completed is that of a wait: all. */
		if (c->class == 2 && c->given && !any)
			for (int i = 0; i < NAMES; i++)
				if (c->asked[i] && !any) {
					c->done[i] = any = true;
					active[i] = false;
				}
	}
}

static void write_calls(struct sample *s, const struct random_trace *r)
{
	static const char *const class[] = { "start", "test", "wait" };

	for (int i = 0; i < r->ncalls; i++) {
		const struct call *c = &r->call[i];
		uint32_t row = tv_table_add_row(&s->trace.table[TV_CALLS]);
		char asked[40] = "", done[40] = "";

		for (int k = 0; k < NAMES; k++) {
			char name[4] = { (char)('a' + k), ' ', 0, 0 };

			strcat(asked, c->asked[k] ? name : "");
			strcat(done, c->done[k] ? name : "");
		}
		sample_text(s, TV_CALLS, row, "ResourceId", "0_T0");
		sample_text(s, TV_CALLS, row, "Call", c->class == 0 ? "MPI_Startall" : "MPI_X");
		sample_text(s, TV_CALLS, row, "Class", class[c->class]);
		sample_number(s, TV_CALLS, row, "Start", c->begin);
		sample_number(s, TV_CALLS, row, "End", c->end);
		tv_set_words(tv_trace_column(&s->trace, TV_CALLS, "Request"), row, asked,
			     strlen(asked));
		if (c->given && done[0] != '\0')
			tv_set_words(tv_trace_column(&s->trace, TV_CALLS, "Completed"), row, done,
				     strlen(done));
	}
	tv_table_finish(&s->trace.table[TV_CALLS]);
}

static bool in_call(const struct random_trace *r, int t)
{
	for (int i = 0; i < r->ncalls; i++)
		if (t >= r->call[i].begin && t < r->call[i].end)
			return true;
	return false;
}

/* Tasks on the thread itself and on two other workers of the rank, one of another rank. */
static void make_tasks(struct random_trace *r, char *csv, size_t size)
{
	static const char *const worker[] = { "0_T0", "0_C1", "0_C2", "1_C0" };
	int until[4] = { 0 };
	size_t at = (size_t)snprintf(csv, size, "ResourceId,Value,Start,End\n");

	memset(r->computing, 0, sizeof r->computing);
	memset(r->workers, 0, sizeof r->workers);
	for (int i = 0; r->tasks && i < TASKS; i++) {
		uint32_t w = below(r, 4);
		int begin = until[w] + (int)below(r, 20), end = begin + 1 + (int)below(r, 30);

		until[w] = end;
		at += (size_t)snprintf(csv + at, size - at, "%s,k,0.%06d,0.%06d\n", worker[w],
				       begin, end);
		for (int t = begin; t < end && t < TIMES; t++) {
			bool computes = w < 3 && !(w == 0 && in_call(r, t));

			r->computing[t] |= computes;
			r->workers[t] += computes;
		}
	}
	for (int t = 0; t < TIMES && !r->tasks; t++)
		r->workers[t] = r->computing[t] = t >= r->call[0].begin
					       && t < r->call[r->ncalls - 1].end && !in_call(r, t);
}

/* What one request has, by counting. */
static void expect(const struct random_trace *r, const struct tv_mpi_request *q, int name,
		   int start)
{
	int64_t compute = 0, workers = 0, vain[TIMES] = { 0 };
	double wait = 0;
	int done = -1, asked = 0, shared = 0;

	for (int i = start + 1; i < r->ncalls && done < 0; i++) {
		const struct call *c = &r->call[i];
		int n = 0, k = 0;

		if (c->class == 0 || !c->asked[name])
			continue;
		asked++;
		for (int m = 0; m < NAMES; m++) {
			n += c->asked[m];
			k += c->done[m];
		}
		if (c->done[name]) {
			done = i;
			shared = k;
			wait += (double)(c->end - c->begin) / k;
			continue;
		}
		wait += k == 0 ? (double)(c->end - c->begin) / n : 0;
		for (int t = c->begin; t < c->end; t++)
			vain[t] = 1;
	}
	assert_int_equal(q->begin, r->call[start].begin);
	assert_int_equal(q->call, r->call[start].end - r->call[start].begin);
	assert_int_equal(q->asked, asked);
	assert_true(fabs((double)q->wait - wait) <= asked);
	if (done < 0) {
		assert_int_equal(q->how, TV_REQUEST_OPEN);
		return;
	}
	for (int t = r->call[start].end; t < r->call[done].begin; t++) {
		compute += r->computing[t] && !vain[t];
		workers += vain[t] ? 0 : r->workers[t];
	}
	assert_int_equal(q->how, TV_REQUEST_COMPLETED);
	assert_int_equal(q->shared, shared);
	assert_int_equal(q->end, r->call[done].end);
	assert_int_equal(q->compute, compute);
	assert_int_equal(q->workers, workers);
	assert_int_equal(q->call + q->compute + q->wait + tv_request_other(q),
			 tv_request_measured(q));
}

static void check_round(struct random_trace *r)
{
	static char csv[8192];
	const struct tv_requests *requests;
	struct sample s;
	uint32_t n = 0;
	int64_t waited = 0, calls = 0;

	make_calls(r);
	make_tasks(r, csv, sizeof csv);
	sample_make(&s, csv);
	write_calls(&s, r);
	requests = tv_run_requests(&s.run, "test", &s.err);
	assert_non_null(requests);
	for (int i = 0; i < r->ncalls; i++)
		for (int k = 0; k < NAMES; k++)
			if (r->call[i].class == 0 && r->call[i].asked[k]) {
				assert_true(n < requests->n);
				assert_int_equal(
					tv_pool_text(s.trace.pool, requests->at[n].name)[0],
					'a' + k);
				expect(r, &requests->at[n++], k, i);
			}
	assert_int_equal(n, requests->n);
	/* The time of each call that asks for requests is there once. */
	for (uint32_t i = 0; i < n; i++)
		waited += requests->at[i].wait;
	for (int i = 0; i < r->ncalls; i++)
		for (int k = 0; k < NAMES; k++)
			if (r->call[i].class != 0 && r->call[i].asked[k]) {
				calls += r->call[i].end - r->call[i].begin;
				break;
			}
	assert_int_equal(waited, calls);
	sample_release(&s);
}

static void random_traces(void **state)
{
	struct random_trace r = { .seed = unit_seed(16) };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		r.tasks = i % 2;
		check_round(&r);
	}
}

/* The equations, and what makes ratios unknown. */
static void equations(void **state)
{
	uint64_t seed = unit_seed(7);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		int64_t x[6];
		struct tv_overlap_times m;
		struct tv_reference r;
		struct tv_ratios got;
		double large, small;

		for (int k = 0; k < 6; k++)
			x[k] = 1 + (int64_t)unit_random(&seed, 1000000000);
		m = (struct tv_overlap_times){ x[0], x[1], x[2] };
		r = (struct tv_reference){ x[3], x[4], x[5] };
		got = tv_ratios(&m, &r);
		large = (double)(x[3] > x[4] ? x[3] : x[4]);
		small = (double)(x[3] > x[4] ? x[4] : x[3]);
		assert_true(fabs(got.overhead * small + large - (double)x[0])
			    <= 1e-12 * ((double)x[0] + large));
		assert_true(fabs(got.comm * (double)x[3] / (double)x[1] - 1) <= 1e-12);
		assert_true(fabs(got.slowdown * (double)x[4] / (double)x[2] - 1) <= 1e-12);
		assert_true(fabs(got.mpi_impact * (double)x[4] / (double)x[5] - 1) <= 1e-12);
		/* Where computation is longer, and nothing is clamped, OSU's is 1 - overhead. */
		if (x[4] >= x[3] && x[0] < x[3] + x[4])
			assert_true(fabs(got.osu - 100 * (1 - got.overhead))
				    <= 1e-9 * (100 + fabs(got.osu)));
	}
	for (int k = 0; k < 2; k++) {
		const struct tv_overlap_times m = { 10, 1, 9 };
		const struct tv_reference r = { k == 0 ? 0 : 5, k == 0 ? 5 : 0, -1 };
		const struct tv_ratios got = tv_ratios(&m, &r);

		assert_true(isnan(got.overhead) && isnan(got.mpi_impact));
		assert_true(isnan(k == 0 ? got.comm : got.slowdown));
		assert_null(tv_diagnosis(&got, 0.1));
	}
}

static void diagnoses(void **state)
{
	static const struct {
		double overhead, comm, slowdown;
		const char *want;
	} of[] = {
		{ 0, 0.1, 1.1, "good" },	   { 0.3, 0.1, 1.11, "computation slowed" },
		{ 1, 0.9, 1.1, "no progression" }, { 2, 0.9, 1.2, "contention" },
		{ 0.5, 0.5, 1, "partial" },	   { -0.11, 0, 1, "imprecise references" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(of); i++) {
		const struct tv_ratios r = { .overhead = of[i].overhead,
					     .comm = of[i].comm,
					     .slowdown = of[i].slowdown };

		assert_string_equal(tv_diagnosis(&r, 0.1), of[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
		cmocka_unit_test(equations),
		cmocka_unit_test(diagnoses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
