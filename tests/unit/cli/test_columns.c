/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_columns.c -- a name of a column has one meaning in the tables of all verbs and of traces, and so one
 * type: whoever finds the column of another verb may take it for what the name says.
 */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "analysis/compare/errors.h"
#include "analysis/compare/report.h"
#include "analysis/diagnose/diagnose.h"
#include "analysis/passes.h"
#include "cli/verbs.h"
#include "sim/model/sweep.h"

struct use {
	const struct tv_field *field;
	const char *table;
};

/* Names with several types, and why. */
static const char *const several[] = {
	/* of whatever is measured, in its unit */
	"Value",
	"Min",
	"Max",
	"Mean",
	"SD",
	"Duration",
	/* edges of a class of whatever is measured: a duration, a size */
	"Lower",
	"Upper",
	/* a number or a name, as the trace has it */
	"Peer",
	"Tag",
	"Request",
	"Parent",
	/* of MPI, a name; the place of a row in an order, a number */
	"Rank",
};

static bool met[TV_COUNT(several)];

static bool may_differ(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(several); i++)
		if (strcmp(name, several[i]) == 0)
			return met[i] = true;
	return false;
}

static size_t add(struct use *use, size_t n, const struct tv_field *field, size_t nfields,
		  const char *table)
{
	for (size_t i = 0; i < nfields; i++)
		use[n++] = (struct use){ &field[i], table };
	return n;
}

static size_t collect(struct use *use)
{
	size_t n = 0;

	for (size_t i = 0; i < tv_npasses; i++) {
		const struct tv_pass *pass = tv_passes[i];

		n = add(use, n, pass->column, pass->ncolumns, pass->name);
		for (size_t k = 0; k < pass->nforms; k++)
			n = add(use, n, pass->form[k].field, pass->form[k].nfields, pass->name);
	}
	for (int id = 0; id < TV_NTABLES; id++)
		n = add(use, n, tv_schema[id].field, tv_schema[id].nfields, tv_schema[id].name);
	n = add(use, n, tv_diagnose_columns, tv_diagnose_ncolumns, "diagnose");
	n = add(use, n, tv_report_columns, tv_report_ncolumns, "compare");
	n = add(use, n, tv_errors_columns, tv_nerrors_columns, "precision");
	n = add(use, n, tv_simulate_columns, TV_SIMULATE_COLUMNS, "simulate");
	return add(use, n, tv_sweep_columns, tv_nsweep_columns, "simulate --sweep");
}

static void test_types(void **state)
{
	struct use *use = tv_alloc(4096, sizeof *use);
	size_t n = collect(use), bad = 0;

	(void)state;
	assert_in_range(n, 800, 4096);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct tv_field *a = use[i].field, *b = use[k].field;

			if (a->type == b->type || strcmp(a->name, b->name) != 0
			    || may_differ(a->name))
				continue;
			fprintf(stderr, "%s: %s in %s, %s in %s\n", a->name, tv_type_name(a->type),
				use[i].table, tv_type_name(b->type), use[k].table);
			bad++;
		}
	assert_int_equal(bad, 0);
	for (size_t i = 0; i < TV_COUNT(several); i++)
		if (!met[i])
			fail_msg("%s has one type: it is no exception any more", several[i]);
	tv_free(use);
}

/* A column that an annotating pass adds is none of the trace's tasks, but where it completes these. */
static void test_added(void **state)
{
	static const char *const completed[] = { "Iteration", "X", "Y" };

	(void)state;
	for (size_t i = 0; i < tv_npasses; i++)
		for (size_t c = 0; tv_passes[i]->kind == TV_ANNOTATE && c < tv_passes[i]->ncolumns;
		     c++) {
			const char *name = tv_passes[i]->column[c].name;
			bool completes = false;

			for (size_t k = 0; k < TV_COUNT(completed); k++)
				completes = completes || strcmp(name, completed[k]) == 0;
			assert_int_equal(tv_schema_field(TV_TASKS, name) != NULL, completes);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
