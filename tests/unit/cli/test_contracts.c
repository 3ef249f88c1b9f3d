/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_contracts.c -- names in the tables of passes and panels are those of options, columns and tables that exist. */
#include "tests/unit/unit.h"

#include "analysis/passes.h"
#include "cli/option_rows.h"
#include "cli/starvz_keys.h"
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

/* Of passes that are read part by part it is known which columns they need. */
static void check_passes(const struct tv_panel *panel)
{
	for (size_t i = 0; i < TV_COUNT(panel->passes) && panel->passes[i] != NULL; i++) {
		const struct tv_pass *pass = tv_pass_find(panel->passes[i]);

		if (pass == NULL || (pass->in_parts != NULL && pass->columns == NULL))
			fail_msg("panel %s: no pass %s, or one of unknown columns", panel->name,
				 panel->passes[i]);
	}
}

/* Rows that fill a state do so within it; what a panel gives the pass that it draws is an option of both. */
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

		void *filled = tv_alloc(1, panel->state);

		tv_options_fill(
			&(const struct tv_options){ .spec = panel->option, .n = panel->noptions },
			filled, panel->state);
		tv_free(filled);
		check_unique(panel->name, panel->option, panel->noptions);
		check_defaults(panel->name, panel->option, panel->noptions);
		check_passes(panel);
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

/* Whether plot has the option, "title" or "PANEL.OPTION". */
static bool plot_has(const char *name)
{
	const char *dot = strchr(name, '.');
	char *word = tv_strndup(name, dot != NULL ? (size_t)(dot - name) : 0);
	const struct tv_panel *panel = dot != NULL ? tv_panel_find(word) : NULL;
	struct tv_known_option option;
	bool has = false;

	tv_free(word);
	for (size_t i = 0; !has && tv_cli_next_option(&i, &option);)
		has = option.panel == (panel != NULL ? panel->name : NULL)
		   && strcmp(option.row->name, dot != NULL ? dot + 1 : name) == 0;
	return has;
}

/* What StarVZ's keys become are panels and options of ours. */
static void starvz(void **state)
{
	(void)state;
	for (const struct tv_starvz_rule *rule = tv_starvz_keys; rule->key != NULL; rule++)
		if (rule->to != NULL
		    && (rule->how == TV_SV_PANEL ? tv_panel_find(rule->to) == NULL
						 : !plot_has(rule->to)))
			fail_msg("%s becomes %s, which there is not", rule->key, rule->to);
}

/* The options that verbs share fill struct tv_cli, with defaults that they accept. */
static void shared(void **state)
{
	struct tv_cli cli = { 0 };

	(void)state;
	check_defaults("the command line", tv_shared_options, tv_nshared_options);
	for (size_t i = 0; i < tv_nshared_options; i++)
		tv_option_fill(&tv_shared_options[i], NULL, &cli, sizeof cli);
	assert_int_equal(cli.palette, TV_PALETTE_DEFAULT);
	assert_true(cli.scale == 1 && cli.dpi == TV_DPI);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes),
		cmocka_unit_test(panels),
		cmocka_unit_test(starvz),
		cmocka_unit_test(shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
