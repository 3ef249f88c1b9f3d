/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c -- which options a verb has, and how their values are checked and set. */
#include "cli/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/option_rows.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/parallel.h"

/* Whether a row fills that member. */
#define IS(row, member) \
	((row)->into != TV_MEMBER_NONE && (row)->offset == offsetof(struct tv_cli, member))

/* Former names of options, on the command line and in files; they are not listed. */
static const struct {
	const char *former, *name;
} renamed[] = {
	{ "runs", "can-run" },
	{ "table", "section" },
	{ "weights", "durations" },
	{ "weights-from", "durations-from" },
};

/* The same of values. */
static const struct {
	const char *option, *former, *value;
} renamed_values[] = {
	{ "palette", "greyscale", "grayscale" },
};

static const char *current_value(const char *option, const char *value)
{
	for (size_t i = 0; value != NULL && i < TV_COUNT(renamed_values); i++)
		if (strcmp(option, renamed_values[i].option) == 0
		    && strcmp(value, renamed_values[i].former) == 0)
			return renamed_values[i].value;
	return value;
}

const char *tv_cli_current_name(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(renamed); i++)
		if (strcmp(name, renamed[i].former) == 0)
			return renamed[i].name;
	return name;
}

bool tv_cli_panel_option(size_t i, struct tv_panel_option *option)
{
	for (size_t p = 0; p < tv_npanels; p++) {
		const struct tv_panel *panel = tv_panels[p];
		size_t own = panel->kind == TV_FREE ? 2 : 1;

		if (i < panel->noptions + own) {
			option->panel = panel;
			option->spec = i < panel->noptions  ? &panel->option[i]
				     : i == panel->noptions ? &tv_panel_height
							    : &tv_panel_place;
			return true;
		}
		i -= panel->noptions + own;
	}
	return false;
}

/* The row of a code; *panel: the name of its panel, or NULL. Those of a verb alone follow the shared ones, then those
 * of panels. NULL = there are no more. */
static const struct tv_option_spec *row_of(const struct tv_verb *verb, int code, const char **panel)
{
	size_t i = (size_t)(code - TV_FIRST_CODE);
	struct tv_panel_option of_panel;

	*panel = NULL;
	if (i < tv_nshared_options)
		return &tv_shared_options[i];
	if (i - tv_nshared_options < verb->noptions)
		return &verb->option[i - tv_nshared_options];
	if (!tv_cli_panel_option(i - tv_nshared_options - verb->noptions, &of_panel))
		return NULL;
	*panel = of_panel.panel->name;
	return of_panel.spec;
}

/* Of a row that verbs share; NULL = the code is none of them. */
static const struct tv_option_spec *shared_row(int code)
{
	size_t i = (size_t)(code - TV_FIRST_CODE);

	return i < tv_nshared_options ? &tv_shared_options[i] : NULL;
}

/* ---- values ---- */

void tv_cli_init_values(struct tv_cli *cli)
{
	const char **value = tv_alloc(tv_nshared_options + cli->verb.noptions, sizeof *value);

	if (cli->value != NULL)
		memcpy(value, cli->value, tv_nshared_options * sizeof *value);
	tv_free(cli->value);
	cli->value = value;
	cli->own_value = value + tv_nshared_options;
}

void tv_cli_fill(struct tv_cli *cli)
{
	for (size_t i = 0; i < tv_nshared_options; i++)
		tv_option_fill(&tv_shared_options[i], NULL, cli, sizeof *cli);
	for (size_t i = 0; i < tv_nshared_options; i++)
		if (cli->value[i] != NULL)
			tv_option_fill(&tv_shared_options[i], cli->value[i], cli, sizeof *cli);
	if (cli->max_memory > 0)
		tv_memory_limit((size_t)cli->max_memory);
	if (cli->threads > 0)
		tv_threads_set((unsigned)cli->threads);
}

const char *tv_cli_given(const struct tv_cli *cli, const size_t *member, size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < tv_nshared_options; i++)
			if (cli->value[i] != NULL && tv_shared_options[i].offset == member[k])
				return tv_shared_options[i].name;
	return NULL;
}

size_t tv_own_values(const struct tv_cli *cli, size_t member, const char **value)
{
	size_t n = 0;

	for (size_t k = 0; k < cli->ngiven; k++) {
		size_t i = (size_t)(cli->given[k].code - TV_FIRST_CODE);

		if (i < tv_nshared_options
		    || cli->verb.option[i - tv_nshared_options].offset != member)
			continue;
		if (value != NULL)
			value[n] = cli->given[k].value;
		n++;
	}
	return n;
}

void tv_cli_set(struct tv_cli *cli, const char *panel, const char *key, const char *value)
{
	TV_GROW(cli->setting, cli->nsettings, cli->settings_cap, 1);
	cli->setting[cli->nsettings++] = (struct tv_setting){ panel, key, value };
}

/* NAME=SHARE is the panel's own option `height`. */
static int set_height(struct tv_cli *cli, const char *text, struct tv_error *err)
{
	size_t n = strcspn(text, "=");
	char *name = tv_strndup(text, n);
	const struct tv_panel *panel = text[n] == '=' ? tv_panel_find(name) : NULL;

	tv_free(name);
	if (panel == NULL)
		return tv_fail_usage(err,
				     "--panel-height '%s', expected the name of a panel, = and a "
				     "number, such as ready=0.8",
				     text);
	tv_cli_set(cli, panel->name, "height", text + n + 1);
	return 0;
}

static int set_clock(struct tv_cli *cli, const char *value, struct tv_error *err)
{
	struct tv_clock_offset offset;

	if (tv_clock_offset_parse(value, &offset, err) < 0)
		return -1;
	TV_GROW(cli->clock_offset, cli->read.nclock_offsets, cli->clock_offsets_cap, 1);
	cli->clock_offset[cli->read.nclock_offsets++] = offset;
	cli->read.clock_offset = cli->clock_offset;
	return 0;
}

int tv_cli_check(const struct tv_cli *cli, int code, const char **given, struct tv_error *err)
{
	const char *panel;
	const struct tv_option_spec *row = row_of(&cli->verb, code, &panel);
	const char *value = *given = current_value(row->name, *given);
	char *prefix;
	int rc;

	if (value == NULL || row->argument == NULL)
		return 0;
	for (size_t k = 0; IS(row, read.map) && k < cli->ngiven; k++)
		if (cli->given[k].code == code)
			return tv_fail_usage(err, "--map is given twice, expected one: "
						  "COLUMN=SOURCE,... or @FILE");
	if (shared_row(code) != NULL && value[0] == '\0' && row->kind != TV_OPTION_COUNT
	    && !IS(row, title) && !IS(row, output))
		return tv_fail_usage(err, "--%s '', expected %s", row->name, row->argument);
	prefix = tv_format("%s%s", panel != NULL ? panel : "", panel != NULL ? "." : "");
	rc = tv_option_check(row, prefix, value, err);
	tv_free(prefix);
	return rc;
}

int tv_cli_set_code(struct tv_cli *cli, int code, const char *value, struct tv_error *err)
{
	const char *panel;
	const struct tv_option_spec *row = row_of(&cli->verb, code, &panel);

	value = value != NULL ? value : "";
	if (strcmp(row->name, "panel-height") == 0)
		return set_height(cli, value, err);
	if (panel != NULL || (row->verbs & TV_MASK_SETTING))
		tv_cli_set(cli, panel, row->name, value);
	else
		cli->value[code - TV_FIRST_CODE] = value;
	return strcmp(row->name, "clock-offset") == 0 ? set_clock(cli, value, err) : 0;
}

int tv_cli_check_figure(const struct tv_cli *cli, bool figure, struct tv_error *err)
{
	for (size_t k = 0; k < cli->ngiven; k++) {
		int code = cli->given[k].code;
		const char *panel;
		const struct tv_option_spec *row = row_of(&cli->verb, code, &panel);
		unsigned verbs = panel == NULL ? row->verbs : TV_MASK_FIGURE;

		if (figure && !(verbs & TV_TAKES_PLOT))
			return tv_fail_usage(err, "--%s needs a table, and -o '%s' is a figure",
					     row->name, cli->output);
		if (!figure && (verbs & TV_MASK_OF_FIGURE))
			return tv_fail_usage(err,
					     "--%s%s%s needs a figure: -o FILE.pdf (.svg, .png, "
					     ".html)",
					     panel != NULL ? panel : "", panel != NULL ? "." : "",
					     row->name);
	}
	return 0;
}

int tv_cli_set_option(struct tv_cli *cli, const struct tv_known_option *option, const char *value,
		      struct tv_error *err)
{
	if (tv_cli_check(cli, option->code, &value, err) < 0)
		return -1;
	return tv_cli_set_code(cli, option->code, value, err);
}

/* ---- which options there are ---- */

/* The number of an option among those of the verb alone, or their number. */
static size_t own_option(const struct tv_verb *verb, const char *name)
{
	size_t i = 0;

	while (i < verb->noptions && strcmp(verb->option[i].name, name) != 0)
		i++;
	return i;
}

/* Whether the verb has an option of its own by the name of one that several verbs take. */
static bool replaced(const struct tv_verb *verb, const struct tv_option_spec *row)
{
	return own_option(verb, row->name) < verb->noptions;
}

/* Whether the help lists it: a pass that refuses a window still parses --begin, to say so. */
static bool takes(const struct tv_verb *verb, const struct tv_option_spec *row)
{
	if (IS(row, top) && (verb->pass == NULL || verb->pass->ranked == NULL))
		return false;
	if (verb->pass != NULL && verb->pass->windowless
	    && (IS(row, begin) || IS(row, end) || IS(row, region)))
		return false;
	return (row->verbs & verb->takes) && !replaced(verb, row);
}

const struct tv_option_spec *tv_next_option(const struct tv_verb *verb, size_t *i)
{
	if (*i < verb->noptions)
		return &verb->option[(*i)++];
	for (; *i - verb->noptions < tv_nshared_options; ++*i)
		if (takes(verb, &tv_shared_options[*i - verb->noptions]))
			return &tv_shared_options[(*i)++ - verb->noptions];
	return NULL;
}

static void list_option(const struct tv_option_spec *row, struct tv_output *out)
{
	char *option = row->letter != 0 ? tv_format("  -%c, --%s", row->letter, row->name)
					: tv_format("      --%s", row->name);

	if (row->argument != NULL)
		tv_append(&option, " %s", row->argument);
	tv_cli_list_option(option, row, out);
	tv_free(option);
}

static void list_own(const struct tv_verb *verb, size_t from, size_t to, struct tv_output *out)
{
	for (size_t i = from; i < to; i++)
		list_option(&verb->option[i], out);
}

/* Whether the help of the verb names another page for the option. */
static bool is_elsewhere(const struct tv_verb *verb, const struct tv_option_spec *row)
{
	return ((row->verbs & TV_MASK_INPUT) && (verb->takes & TV_TAKES_TRACES))
	    || ((row->verbs & TV_MASK_OF_FIGURE) && !(verb->takes & TV_TAKES_PLOT));
}

void tv_cli_list_options(const struct tv_verb *verb, struct tv_output *out)
{
	const struct tv_option_spec *row;

	list_own(verb, 0, verb->noptions - verb->nrare, out);
	for (size_t i = verb->noptions; (row = tv_next_option(verb, &i)) != NULL;)
		if (!is_elsewhere(verb, row))
			list_option(row, out);
}

void tv_cli_list_rare(const struct tv_verb *verb, struct tv_output *out)
{
	list_own(verb, verb->noptions - verb->nrare, verb->noptions, out);
}

void tv_cli_list_input(struct tv_output *out)
{
	for (size_t i = 0; i < tv_nshared_options; i++)
		if ((tv_shared_options[i].verbs & TV_MASK_INPUT) || IS(&tv_shared_options[i], begin)
		    || IS(&tv_shared_options[i], end)
		    || (IS(&tv_shared_options[i], region)
			&& !(tv_shared_options[i].verbs & TV_TAKES_RECORD)))
			list_option(&tv_shared_options[i], out);
}

void tv_cli_list_figure(struct tv_output *out)
{
	for (size_t i = 0; i < tv_nshared_options; i++)
		if (tv_shared_options[i].verbs & TV_MASK_OF_FIGURE)
			list_option(&tv_shared_options[i], out);
}

/* After the rows: every option of every panel. */
static size_t build_panels(struct option *option, size_t n, int code, struct tv_option_names *names)
{
	struct tv_panel_option next;

	for (size_t i = 0; tv_cli_panel_option(i, &next); i++, code++) {
		const char *name[] = { next.panel->name, next.panel->former };

		for (size_t k = 0; k < TV_COUNT(name) && name[k] != NULL && n + 1 < TV_OPTIONS_MAX;
		     k++) {
			snprintf(names->name[n], TV_OPTION_NAME_MAX, "%s.%s", name[k],
				 next.spec->name);
			option[n] = (struct option){ names->name[n], next.spec->argument != NULL,
						     NULL, code };
			n++;
		}
	}
	return n;
}

/* After all others: former names of options, which give the same code. */
static size_t build_former(struct option *option, size_t n)
{
	for (size_t i = 0; i < TV_COUNT(renamed); i++)
		for (size_t k = 0, end = n; k < end && n + 1 < TV_OPTIONS_MAX; k++)
			if (strcmp(option[k].name, renamed[i].name) == 0) {
				option[n] = option[k];
				option[n++].name = renamed[i].former;
			}
	return n;
}

void tv_options_build(const struct tv_verb *verb, struct option *option,
		      struct tv_option_names *names, char *letters, size_t size)
{
	size_t n = 0, used = 0;

	/* Options behind the program are its own. */
	if (verb->takes == TV_TAKES_RECORD)
		letters[used++] = '+';
	letters[used++] = ':';
	for (size_t i = 0; i < tv_nshared_options + verb->noptions; i++) {
		const struct tv_option_spec *row = i < tv_nshared_options
							 ? &tv_shared_options[i]
							 : &verb->option[i - tv_nshared_options];

		if (i < tv_nshared_options && (!(row->verbs & verb->takes) || replaced(verb, row)))
			continue;
		option[n++] = (struct option){ row->name, row->argument != NULL, NULL,
					       TV_FIRST_CODE + (int)i };
		if (row->letter != 0 && used + 3 < size) {
			letters[used++] = row->letter;
			if (row->argument != NULL)
				letters[used++] = ':';
		}
	}
	if (verb->takes & TV_MASK_FIGURE)
		n = build_panels(option, n,
				 TV_FIRST_CODE + (int)(tv_nshared_options + verb->noptions), names);
	n = build_former(option, n);
	option[n] = (struct option){ 0 };
	letters[used] = '\0';
}

bool tv_cli_next_option(size_t *i, struct tv_known_option *option)
{
	static const struct tv_verb plot = { .takes = TV_TAKES_PLOT };
	const struct tv_option_spec *row;

	while (*i < tv_nshared_options && !(tv_shared_options[*i].verbs & TV_TAKES_PLOT))
		++*i;
	*option = (struct tv_known_option){ .code = TV_FIRST_CODE + (int)*i };
	option->row = row = row_of(&plot, option->code, &option->panel);
	if (row == NULL)
		return false;
	option->outside = row->verbs & TV_MASK_OUTSIDE;
	option->repeatable = row->verbs & (TV_MASK_SETTING | TV_MASK_ACTION);
	++*i;
	return true;
}

const char *tv_cli_value(const struct tv_cli *cli, const struct tv_known_option *option, size_t k)
{
	const char *value = NULL;

	if (option->panel == NULL && !option->repeatable)
		return k == 0 ? cli->value[option->code - TV_FIRST_CODE] : NULL;
	for (size_t i = 0; i < cli->nsettings; i++) {
		const struct tv_setting *s = &cli->setting[i];

		if (strcmp(s->key, option->row->name) != 0
		    || (s->panel == NULL) != (option->panel == NULL)
		    || (s->panel != NULL && strcmp(s->panel, option->panel) != 0))
			continue;
		if (s->panel != NULL)
			value = s->value; /* the last one counts */
		else if (k-- == 0)
			return s->value;
	}
	return k == 0 ? value : NULL;
}

int tv_option_code(int letter)
{
	for (size_t i = 0; i < tv_nshared_options; i++)
		if (tv_shared_options[i].letter != 0 && tv_shared_options[i].letter == letter)
			return TV_FIRST_CODE + (int)i;
	return letter;
}

bool tv_option_fits(int code, unsigned takes)
{
	const struct tv_option_spec *row = shared_row(code);

	return row != NULL && (row->verbs & takes);
}

bool tv_option_reads(int code)
{
	return tv_option_fits(code, TV_TAKES_PLOT) && tv_option_fits(code, TV_TAKES_PASS)
	    && tv_option_fits(code, TV_TAKES_DIAGNOSE) && !tv_option_fits(code, TV_MASK_OUTSIDE);
}

const char *tv_option_name(int code)
{
	const struct tv_option_spec *row = shared_row(code);

	return row != NULL ? row->name : "";
}

const char *tv_option_argument(const struct tv_verb *verb, int code)
{
	const char *panel;
	const struct tv_option_spec *row = row_of(verb, code, &panel);

	return row != NULL && row->argument != NULL ? row->argument : "a value";
}

static bool takes_name(const struct tv_verb *verb, const char *name)
{
	const struct tv_option_spec *row;

	for (size_t i = 0; (row = tv_next_option(verb, &i)) != NULL;)
		if (strcmp(row->name, name) == 0)
			return true;
	return false;
}

void tv_option_takers(const char *name, const char *like, struct tv_name_list *verbs)
{
	struct tv_verb verb;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; tv_verb_next(&i, &verb);)
			if (takes_name(&verb, name) && (strstr(verb.name, like) == NULL) == pass)
				tv_name_list_add(verbs, verb.name);
}
