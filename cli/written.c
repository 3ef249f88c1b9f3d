/* SPDX-License-Identifier: GPL-3.0-or-later */
/* written.c -- the tables that verbs write and that are no traces, for the readers of traces. */
#include <string.h>

#include "analysis/compare/errors.h"
#include "analysis/compare/history.h"
#include "analysis/compare/report.h"
#include "analysis/diagnose/diagnose.h"
#include "analysis/efficiency/series.h"
#include "cli/cli.h"
#include "sim/model/sweep.h"
#include "trace/alloc.h"

#define FORM(columns, n) ((struct tv_columns){ .field = (columns), .nfields = (n) })

struct list {
	struct tv_written *at;
	size_t n, cap;
};

static void add(struct list *list, const char *verb, struct tv_columns form)
{
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct tv_written){ verb, form };
}

struct tv_written *tv_written_tables(size_t *n)
{
	struct list list = { 0 };
	struct tv_verb verb;

	for (size_t i = 0; tv_verb_next(&i, &verb);) {
		const struct tv_pass *pass = verb.pass;

		if (pass != NULL && pass->kind == TV_SUMMARIZE && pass->table == NULL)
			add(&list, pass->name, FORM(pass->column, pass->ncolumns));
		for (size_t k = 0; pass != NULL && k < pass->nforms; k++)
			add(&list, pass->name, pass->form[k]);
	}
	add(&list, "diagnose", FORM(tv_diagnose_columns, tv_diagnose_ncolumns));
	add(&list, "compare", FORM(tv_report_columns, tv_report_ncolumns));
	add(&list, "compare --series", FORM(tv_history_columns, tv_history_ncolumns));
	add(&list, "precision", FORM(tv_errors_columns, tv_nerrors_columns));
	add(&list, "scaling", FORM(tv_series_columns, TV_SERIES_COLUMNS));
	add(&list, "simulate", FORM(tv_simulate_columns, TV_SIMULATE_COLUMNS));
	add(&list, "simulate --sweep", FORM(tv_sweep_columns, tv_nsweep_columns));
	for (size_t i = 0; i < TV_PLATFORM_FORMS; i++)
		add(&list, "platform", tv_platform_forms[i]);
	*n = list.n;
	return list.at;
}

static const struct tv_field *find(const struct tv_field *field, size_t n, const char *column)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(field[i].name, column) == 0)
			return &field[i];
	return NULL;
}

const struct tv_field *tv_written_field(const struct tv_verb *verb, const char *column)
{
	const struct tv_pass *pass = verb->pass;
	const struct tv_field *field = NULL;
	size_t n, length = strlen(verb->name);
	struct tv_written *written = tv_written_tables(&n);

	if (pass != NULL)
		field = find(pass->column, pass->ncolumns, column);
	for (size_t i = 0; i < n && field == NULL; i++)
		if (strncmp(written[i].verb, verb->name, length) == 0
		    && (written[i].verb[length] == '\0' || written[i].verb[length] == ' '))
			field = find(written[i].form.field, written[i].form.nfields, column);
	tv_free(written);
	if (field == NULL && (pass == NULL || pass->kind == TV_ANNOTATE))
		field = tv_schema_field(TV_TASKS, column);
	return field;
}
