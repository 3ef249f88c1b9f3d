/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.c -- traceviz help --json: all that can be asked, as one document. Its form: docs/help-json.md. */
#include <math.h>
#include <string.h>

#include "analysis/compare/compare.h"
#include "analysis/diagnose/diagnose.h"
#include "cli/options.h"
#include "convert/formats.h"
#include "sim/schedulers.h"
#include "trace/alloc.h"
#include "trace/json.h"

/* Changes when a member disappears or means something else; new members do not change it. */
enum { FORM = 1 };

static void add_text(struct tv_json *json, const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		tv_json_text(json, name, text);
}

static void add_words(struct tv_json *json, const struct tv_option_spec *spec)
{
	const char *word;
	size_t at = 0, length;

	tv_json_open(json, "words", '[');
	while (tv_option_next_word(spec, &at, &word, &length)) {
		char *text = tv_strndup(word, length);

		tv_json_text(json, NULL, text);
		tv_free(text);
	}
	tv_json_close(json, ']');
}

/* In ns for times; without limit: not there. */
static void add_range(struct tv_json *json, const struct tv_option_spec *spec)
{
	if (spec->kind != TV_OPTION_TIME && spec->kind != TV_OPTION_COUNT
	    && spec->kind != TV_OPTION_NUMBER && spec->kind != TV_OPTION_LENGTH)
		return;
	if (isfinite(spec->min))
		tv_json_double(json, "min", spec->min);
	if (spec->max > spec->min && isfinite(spec->max))
		tv_json_double(json, "max", spec->max);
}

static void add_option(struct tv_json *json, const struct tv_option_spec *spec)
{
	static const char *const kind[] = {
		[TV_OPTION_TEXT] = "text",     [TV_OPTION_TIME] = "time",
		[TV_OPTION_TIMES] = "times",   [TV_OPTION_COUNT] = "count",
		[TV_OPTION_NUMBER] = "number", [TV_OPTION_CHOICE] = "choice",
		[TV_OPTION_LIST] = "list",     [TV_OPTION_EXPRESSION] = "expression",
		[TV_OPTION_SIZE] = "size",     [TV_OPTION_LENGTH] = "length",
	};

	tv_json_open(json, NULL, '{');
	tv_json_text(json, "name", spec->name);
	add_text(json, "letter", (const char[]){ spec->letter, '\0' });
	tv_json_text(json, "kind", spec->argument == NULL ? "flag" : kind[spec->kind]);
	if (spec->argument != NULL) {
		tv_json_text(json, "argument", spec->argument);
		add_words(json, spec);
		add_range(json, spec);
		add_text(json, "default", spec->default_value);
	}
	tv_json_text(json, "text", spec->meaning);
	tv_json_close(json, '}');
}

static void add_columns(struct tv_json *json, const struct tv_field *field, size_t n)
{
	tv_json_open(json, "columns", '[');
	for (size_t i = 0; i < n; i++) {
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", field[i].name);
		tv_json_text(json, "type", tv_type_name(field[i].type));
		tv_json_text(json, "unit", field[i].unit);
		tv_json_bool(json, "required", field[i].required);
		tv_json_text(json, "text", field[i].meaning);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* The tables that a verb writes, with what makes it write them where that is not the verb alone. */
static void add_tables(struct tv_json *json, const struct tv_verb *verb,
		       const struct tv_written *written, size_t nwritten)
{
	size_t n = strlen(verb->name);

	tv_json_open(json, "tables", '[');
	if (verb->pass != NULL) {
		tv_json_open(json, NULL, '{');
		add_columns(json, verb->pass->column, verb->pass->ncolumns);
		tv_json_close(json, '}');
	}
	for (size_t i = 0; i < nwritten; i++) {
		const struct tv_columns *form = &written[i].form;

		if (strncmp(written[i].verb, verb->name, n) != 0
		    || (written[i].verb[n] != '\0' && written[i].verb[n] != ' ')
		    || (verb->pass != NULL && form->field == verb->pass->column))
			continue;
		tv_json_open(json, NULL, '{');
		add_text(json, "with",
			 written[i].verb[n] == ' ' ? written[i].verb + n + 1 : form->with);
		add_columns(json, form->field, form->nfields);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* What the help of an own verb contains between options and example; that of a pass is tables and notes. */
static void add_description(struct tv_json *json, const struct tv_verb *verb)
{
	struct tv_output out;

	if (verb->pass != NULL || verb->describe == NULL)
		return;
	tv_output_memory(&out);
	verb->describe(verb, &out);
	tv_output_write(&out, "", 1);
	tv_json_text(json, "description", out.buffer);
	tv_output_abort(&out);
}

static void add_verbs(struct tv_json *json)
{
	size_t nwritten;
	struct tv_written *written = tv_written_tables(&nwritten);
	const struct tv_option_spec *row;
	struct tv_verb verb;
	char *example;

	tv_json_open(json, "verbs", '[');
	for (size_t i = 0; tv_verb_next(&i, &verb);) {
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", verb.name);
		tv_json_text(json, "group", tv_verb_group_title(verb.group));
		add_text(json, "question", verb.question);
		tv_json_text(json, "summary", verb.summary);
		tv_json_text(json, "arguments", verb.arguments);
		example = tv_verb_example(&verb);
		tv_json_text(json, "example", example);
		tv_free(example);
		tv_json_bool(json, "annotates",
			     verb.pass != NULL && verb.pass->kind == TV_ANNOTATE);
		add_text(json, "ranked", verb.pass != NULL ? verb.pass->ranked : NULL);
		tv_json_int(json, "own", (int64_t)verb.noptions);
		tv_json_open(json, "options", '[');
		for (size_t k = 0; (row = tv_next_option(&verb, &k)) != NULL;)
			add_option(json, row);
		tv_json_close(json, ']');
		add_tables(json, &verb, written, nwritten);
		add_description(json, &verb);
		add_text(json, "notes", verb.notes);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
	tv_free(written);
}

static void add_panels(struct tv_json *json)
{
	struct tv_panel_option option;
	size_t k = 0;
	bool more = tv_cli_panel_option(k, &option);

	tv_json_open(json, "panels", '[');
	for (size_t i = 0; i < tv_npanels; i++) {
		const struct tv_panel *panel = tv_panels[i];

		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", panel->name);
		tv_json_text(json, "title", panel->title);
		tv_json_text(json, "needs", panel->needs);
		tv_json_bool(json, "default", panel->is_default);
		tv_json_bool(json, "timed", panel->kind == TV_TIMED);
		tv_json_open(json, "options", '[');
		for (; more && option.panel == panel; more = tv_cli_panel_option(++k, &option))
			add_option(json, option.spec);
		tv_json_close(json, ']');
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

static void add_named(struct tv_json *json, const char *name, const char *text)
{
	tv_json_open(json, NULL, '{');
	tv_json_text(json, "name", name);
	tv_json_text(json, "text", text);
	tv_json_close(json, '}');
}

/* The words of enum tv_thing in a set. */
static void add_things(struct tv_json *json, const char *name, unsigned things)
{
	tv_json_open(json, name, '[');
	for (int i = 0; i < TV_NTHINGS; i++)
		if (things >> i & 1)
			tv_json_text(json, NULL, tv_thing_word[i]);
	tv_json_close(json, ']');
}

static void add_readers(struct tv_json *json)
{
	tv_json_open(json, "formats", '[');
	for (size_t i = 0; i < tv_nreaders; i++) {
		const struct tv_reader *reader = tv_readers[i];

		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", reader->name);
		tv_json_text(json, "text", reader->summary);
		add_things(json, "brings", reader->brings);
		if (reader->joins != NULL) {
			tv_json_text(json, "joins", reader->joins);
			add_things(json, "joined",
				   tv_reader_named(reader->joins)->brings & ~reader->brings);
		}
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

static void add_formats(struct tv_json *json)
{
	add_readers(json);
	tv_json_open(json, "writers", '[');
	for (size_t i = 0; i < tv_nwriters; i++)
		add_named(json, tv_writers[i]->name, tv_writers[i]->summary);
	tv_json_close(json, ']');
	tv_json_open(json, "tables", '[');
	for (int id = 0; id < TV_NTABLES; id++) {
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", tv_schema[id].name);
		tv_json_text(json, "text", tv_schema[id].meaning);
		add_columns(json, tv_schema[id].field, tv_schema[id].nfields);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* What options accept that are no choices, and what help does besides verbs. */
static void add_names(struct tv_json *json)
{
	char *word;

	tv_json_open(json, "schedulers", '[');
	for (uint32_t i = 0; i < tv_nschedulers; i++)
		add_named(json, tv_schedulers[i].name, tv_schedulers[i].summary);
	tv_json_close(json, ']');
	tv_json_open(json, "sections", '[');
	for (size_t i = 0; i < tv_compare_nsections; i++)
		add_named(json, tv_compare_sections[i].name, tv_compare_sections[i].title);
	tv_json_close(json, ']');
	tv_json_open(json, "help", '[');
	for (size_t i = 0; (word = tv_help_next(&i)) != NULL; tv_free(word))
		tv_json_text(json, NULL, word);
	tv_json_close(json, ']');
}

static void add_findings(struct tv_json *json)
{
	struct tv_finding_text rule;

	tv_json_open(json, "findings", '[');
	for (size_t i = 0; tv_finding_next(&i, &rule);) {
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", rule.id);
		tv_json_text(json, "title", rule.title);
		tv_json_text(json, "condition", rule.condition);
		tv_json_text(json, "measures", rule.measures);
		tv_json_text(json, "action", rule.action);
		add_text(json, "how", rule.how);
		add_text(json, "starpu", rule.starpu);
		add_text(json, "openmp", rule.openmp);
		add_text(json, "mpi", rule.mpi);
		add_text(json, "see", rule.see);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

void tv_describe_all(struct tv_output *out)
{
	struct tv_json json = { 0 };

	tv_json_open(&json, NULL, '{');
	tv_json_int(&json, "version", FORM);
	tv_json_text(&json, "traceviz", TV_VERSION);
	add_verbs(&json);
	add_panels(&json);
	add_formats(&json);
	add_names(&json);
	add_findings(&json);
	tv_json_close(&json, '}');
	tv_output_write(out, json.text, json.n);
	tv_output_text(out, "\n");
	tv_json_release(&json);
}
