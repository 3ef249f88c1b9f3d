/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_accesses.c -- dependencies from accesses, against all pairs of jobs. */
#include "tests/unit/unit.h"

#include "trace/accesses.h"

enum { JOBS = 60, PER_JOB = 4 };

struct declared {
	struct tv_access access[PER_JOB];
	size_t n;
};

/* What a job does with some data: -1 = nothing; two types at once are a write. */
static int use_of(const struct declared *job, uint64_t data)
{
	int use = -1;

	for (size_t i = 0; i < job->n; i++)
		if (job->access[i].data == data)
			use = use == -1 || use == (int)job->access[i].type
				    ? (int)job->access[i].type
				    : TV_ACCESS_WRITE;
	return use;
}

static bool writes_all(const struct declared *job)
{
	for (size_t i = 0; i < job->n; i++)
		if (job->access[i].type == TV_ACCESS_ALL)
			return true;
	return false;
}

/* OpenMP's rule for two jobs. */
static bool ordered(const struct declared *first, const struct declared *second)
{
	if (writes_all(first) || writes_all(second))
		return first->n > 0 && second->n > 0;
	for (size_t i = 0; i < first->n; i++) {
		int a = use_of(first, first->access[i].data);
		int b = use_of(second, first->access[i].data);

		if (b != -1 && (a != b || a == TV_ACCESS_WRITE))
			return true;
	}
	return false;
}

/* What follows from edges, by edge[after][before]. */
static void close_over(bool edge[JOBS][JOBS])
{
	for (size_t k = 0; k < JOBS; k++)
		for (size_t i = 0; i < JOBS; i++)
			for (size_t j = 0; edge[i][k] && j < JOBS; j++)
				edge[i][j] |= edge[k][j];
}

static void all_pairs(void **state)
{
	uint64_t random = unit_seed(1302);

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct declared job[JOBS];
		struct tv_accesses accesses = { 0 };
		bool want[JOBS][JOBS] = { 0 }, got[JOBS][JOBS] = { 0 };
		uint64_t context[JOBS], ndata = 1 + unit_random(&random, 6);
		uint64_t types = 1 + unit_random(&random, TV_NACCESS_TYPES);

		for (uint32_t j = 0; j < JOBS; j++) {
			job[j].n = unit_random(&random, PER_JOB + 1);
			context[j] = unit_random(&random, 5) == 0;
			for (size_t i = 0; i < job[j].n; i++)
				job[j].access[i] = (struct tv_access){
					unit_random(&random, ndata),
					(enum tv_access_type)unit_random(&random, types)
				};
			for (uint32_t i = 0; i < j; i++)
				want[j][i] = context[i] == context[j] && ordered(&job[i], &job[j]);
			tv_accesses_add(&accesses, context[j], TV_NONE, job[j].access, job[j].n);
			for (size_t i = 0; i < accesses.nbefore; i++)
				got[j][accesses.before[i]] = true;
			tv_accesses_add(&accesses, context[j], j, job[j].access, job[j].n);
			for (size_t i = 0; i < accesses.nbefore; i++) {
				/* Asking changes nothing; each job is there once, and no other. */
				assert_true(got[j][accesses.before[i]]);
				assert_true(want[j][accesses.before[i]]);
				got[j][accesses.before[i]] = false;
			}
			for (uint32_t i = 0; i < JOBS; i++)
				assert_false(got[j][i]);
			for (size_t i = 0; i < accesses.nbefore; i++)
				got[j][accesses.before[i]] = true;
		}
		close_over(want);
		close_over(got);
		assert_memory_equal(want, got, sizeof want);
		tv_accesses_release(&accesses);
	}
}

/* Each list of accesses, letters Write Read Exclude Combine All of data 7, and what each job depends on. */
static void groups(void **state)
{
	static const struct {
		const char *types, *want;
	} c[] = {
		{ "WRRRW", "-,0,0,0,123" }, { "RRW", "-,-,01" },     { "WW", "-,0" },
		{ "WEEER", "-,0,0,0,123" }, { "WCCR", "-,0,0,12" },  { "ECE", "-,0,1" },
		{ "RERE", "-,0,1,2" },	    { "EECC", "-,-,01,01" }, { "CRRC", "-,0,0,12" },
		{ "RRAR", "-,-,01,2" },	    { "AAWW", "-,0,1,2" },
	};

	static const char letters[] = "WRECA";

	(void)state;
	for (size_t i = 0; i < TV_COUNT(c); i++) {
		struct tv_accesses accesses = { 0 };
		char got[100];
		size_t n = 0;

		for (uint32_t j = 0; c[i].types[j] != '\0'; j++) {
			const struct tv_access access = {
				7, (enum tv_access_type)(strchr(letters, c[i].types[j]) - letters)
			};

			tv_accesses_add(&accesses, 1, j, &access, 1);
			if (j > 0)
				got[n++] = ',';
			for (size_t k = 0; k < accesses.nbefore; k++)
				got[n++] = (char)('0' + accesses.before[k]);
			if (accesses.nbefore == 0)
				got[n++] = '-';
		}
		got[n] = '\0';
		assert_string_equal(got, c[i].want);
		tv_accesses_release(&accesses);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups),
		cmocka_unit_test(all_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
