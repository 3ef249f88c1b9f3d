/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_contracts.c -- names in the tables of passes and panels are those of options, columns and tables that exist. */
#include "tests/unit/unit.h"

#include "analysis/passes.h"
#include "trace/alloc.h"
#include "views/panels.h"

static bool has_option(const struct tv_pass *pass, const char *name)
{
	return tv_option_find(pass->option, pass->noptions, name) != NULL;
}

static bool has_column(const struct tv_pass *pass, const char *name)
{
	for (size_t i = 0; i < pass->ncolumns; i++)
		if (strcmp(pass->column[i].name, name) == 0)
			return true;
	return false;
}

static void check_unique(const char *owner, const struct tv_option_spec *spec, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (tv_option_find(spec, i, spec[i].name) != NULL)
			fail_msg("%s declares --%s twice", owner, spec[i].name);
}

/* A default is a value that its row accepts. */
static void check_defaults(const char *owner, const struct tv_option_spec *spec, size_t n)
{
	struct tv_error err = { 0 };

	for (size_t i = 0; i < n; i++)
		if (tv_option_check(&spec[i], "", spec[i].default_value, &err) < 0)
			fail_msg("%s: the default of %s", owner, err.text);
}

/* Rows that fill a struct do so within it, each of the right kind: else the program ends. */
static void passes(void **state)
{
	size_t filled = 0;

	(void)state;
	for (size_t i = 0; i < tv_npasses; i++) {
		const struct tv_pass *pass = tv_passes[i];
		const struct tv_options options = { pass->option, pass->noptions, NULL, NULL };
		void *chosen = tv_alloc(1, pass->chosen);

		check_unique(pass->name, pass->option, pass->noptions);
		check_defaults(pass->name, pass->option, pass->noptions);
		tv_options_fill(&options, chosen, pass->chosen);
		filled += pass->chosen > 0;
		tv_free(chosen);
		if (pass->positional != NULL && !has_option(pass, pass->positional))
			fail_msg("%s: its positional is no option of it", pass->name);
		if (pass->ranked != NULL && pass->kind == TV_SUMMARIZE
		    && !has_column(pass, pass->ranked))
			fail_msg("%s ranks by %s, which is no column", pass->name, pass->ranked);
		for (size_t k = 0; k < pass->nrecalled; k++)
			if (!has_option(pass, pass->recalled[k].option)
			    || !has_column(pass, pass->recalled[k].column))
				fail_msg("%s recalls %s by %s", pass->name,
					 pass->recalled[k].option, pass->recalled[k].column);
		if (pass->continues != NULL && tv_pass_find(pass->continues) == NULL)
			fail_msg("%s continues %s", pass->name, pass->continues);
	}
	assert_true(filled > 10);
}

/* What a panel gives the pass that it draws is an option of both. */
static void panels(void **state)
{
	(void)state;
	for (size_t i = 0; i < tv_npanels; i++) {
		const struct tv_panel *panel = tv_panels[i];
		const struct tv_option_spec *usual = tv_option_find(panel->option, panel->noptions,
								    "pass");
		const struct tv_pass *pass = usual != NULL && usual->default_value != NULL
						   ? tv_pass_find(usual->default_value)
						   : NULL;

		check_unique(panel->name, panel->option, panel->noptions);
		check_defaults(panel->name, panel->option, panel->noptions);
		for (const struct tv_pass_option *o = panel->pass_option;
		     o != NULL && o->name != NULL; o++) {
			if (o->value == NULL
			    && tv_option_find(panel->option, panel->noptions, o->name) == NULL)
				fail_msg("panel %s passes on its --%s, which it has not",
					 panel->name, o->name);
			if (pass != NULL && !has_option(pass, o->name))
				fail_msg("panel %s: %s has no --%s", panel->name, pass->name,
					 o->name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes),
		cmocka_unit_test(panels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
