/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_span_panel.c -- panels of spans name columns that their pass has. */
#include "analysis/passes.h"
#include "tests/unit/unit.h"
#include "views/charts/span_panel.h"
#include "views/panels.h"

static bool is_among(const struct tv_field *field, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(field[i].name, name) == 0)
			return true;
	return false;
}

static bool has_column(const struct tv_pass *pass, const char *name)
{
	bool found = is_among(pass->column, pass->ncolumns, name);

	for (size_t i = 0; i < pass->nforms; i++)
		found |= is_among(pass->form[i].field, pass->form[i].nfields, name);
	return found;
}

static void columns_exist(void **state)
{
	size_t panels = 0;

	(void)state;
	for (size_t i = 0; i < tv_npanels; i++) {
		const struct tv_span_spec *spec = tv_panels[i]->spec;
		const struct tv_pass *pass;

		if (tv_panels[i]->prepare != tv_span_prepare)
			continue;
		pass = tv_pass_find(spec->pass);
		assert_non_null(pass);
		const char *const names[] = { spec->row, spec->color, spec->start, spec->end,
					      spec->lane };
		for (size_t k = 0; k < TV_COUNT(names); k++)
			if (names[k] != NULL && !has_column(pass, names[k]))
				fail_msg("%s: %s has no column %s", tv_panels[i]->name, spec->pass,
					 names[k]);
		panels++;
	}
	assert_true(panels >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(columns_exist) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
