/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_span_panel.c -- panels of spans name columns that their pass has, of the types that they need. */
#include "analysis/passes.h"
#include "tests/unit/unit.h"
#include "views/charts/span_panel.h"
#include "views/panels.h"

static bool is_among(const struct tv_field *field, size_t n, const char *name, enum tv_type type)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(field[i].name, name) == 0 && field[i].type == type)
			return true;
	return false;
}

static void has_column(const struct tv_panel *panel, const char *name, enum tv_type type)
{
	const struct tv_pass *pass = tv_pass_find(((const struct tv_span_spec *)panel->spec)->pass);
	bool found;

	assert_non_null(pass);
	if (name == NULL)
		return;
	found = is_among(pass->column, pass->ncolumns, name, type);
	for (size_t i = 0; i < pass->nforms; i++)
		found |= is_among(pass->form[i].field, pass->form[i].nfields, name, type);
	if (!found)
		fail_msg("%s: %s has no column %s of the type %s", panel->name, pass->name, name,
			 tv_type_name(type));
}

/* Rows and colors are labels, also where they look like numbers. */
static void columns_exist(void **state)
{
	size_t panels = 0;

	(void)state;
	for (size_t i = 0; i < tv_npanels; i++) {
		const struct tv_panel *panel = tv_panels[i];
		const struct tv_span_spec *spec = panel->spec;

		if (panel->prepare != tv_span_prepare)
			continue;
		has_column(panel, spec->row, TV_LABEL);
		has_column(panel, spec->color, TV_LABEL);
		has_column(panel, spec->start, TV_TIME);
		has_column(panel, spec->end, TV_TIME);
		has_column(panel, spec->lane, TV_INT);
		panels++;
	}
	assert_true(panels >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(columns_exist) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
