/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.c -- presets, and configuration files with our own keys; docs/config.md describes them. */
#include "cli/config.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

static const struct {
	const char *name;
	const char *option[9]; /* name, value, ..., NULL */
} presets[] = {
	{ "paper-column", { "width", "3.5" } },
	{ "paper-wide", { "width", "7.16" } },
	/* 1920 by 1080 pixels, text of 14 points */
	{ "slide", { "width", "13.3334", "height", "7.5", "scale", "2", "dpi", "144" } },
	/* as wide as a sheet of A0, text of 28 points */
	{ "poster", { "width", "33.1", "scale", "4", "dpi", "150" } },
};

bool tv_config_find(const char *name, struct tv_known_option *option)
{
	const char *dot = strchr(name, '.');
	const struct tv_panel *panel = NULL;
	size_t i = 0;

	if (dot != NULL) {
		char *word = tv_strndup(name, (size_t)(dot - name));

		panel = tv_panel_find(word);
		tv_free(word);
		if (panel == NULL)
			return false;
	}
	name = dot != NULL ? dot + 1 : tv_cli_current_name(name);
	while (tv_cli_next_option(&i, option))
		if (option->panel == (panel != NULL ? panel->name : NULL)
		    && strcmp(name, option->row->name) == 0)
			return true;
	return false;
}

const char *tv_config_keep(struct tv_cli *cli, char *text)
{
	TV_GROW(cli->kept, cli->nkept, cli->kept_cap, 1);
	cli->kept[cli->nkept++] = text;
	return text;
}

int tv_config_set(struct tv_cli *cli, const char *name, const char *value, struct tv_error *err)
{
	struct tv_known_option option;

	if (!tv_config_find(name, &option))
		return 1;
	return tv_cli_set_option(cli, &option, tv_config_keep(cli, tv_strdup(value)), err);
}

int tv_config_preset(struct tv_cli *cli, const char *name, struct tv_error *err)
{
	struct tv_known_option preset;
	size_t i = 0;

	if (!tv_config_find("preset", &preset) || tv_cli_set_option(cli, &preset, name, err) < 0)
		return -1;
	while (strcmp(presets[i].name, name) != 0)
		i++;
	for (const char *const *option = presets[i].option; *option != NULL; option += 2)
		if (tv_config_set(cli, option[0], option[1], err) < 0)
			return -1;
	return 0;
}

const char *tv_config_joined(struct tv_cli *cli, const struct tv_yaml_entry *entry)
{
	size_t size = 1;
	char *text, *end;

	for (size_t i = 0; i < entry->n; i++)
		size += strlen(entry->value[i]) + 1;
	text = end = tv_alloc(size, 1);
	for (size_t i = 0; i < entry->n; i++) {
		size_t n = strlen(entry->value[i]);

		if (i > 0)
			*end++ = ',';
		memcpy(end, entry->value[i], n);
		end += n;
	}
	return tv_config_keep(cli, text);
}

static int fail_flag(const struct tv_yaml *yaml, const struct tv_yaml_entry *entry,
		     struct tv_error *err)
{
	return tv_fail_at(err, (struct tv_pos){ yaml->path, entry->line },
			  "'%s' is switched on or off, expected true or false", entry->key);
}

static int set_entry(struct tv_cli *cli, const struct tv_yaml *yaml,
		     const struct tv_yaml_entry *entry, const struct tv_known_option *option,
		     struct tv_error *err)
{
	if (option->row->argument == NULL) {
		int truth = entry->n == 1 ? tv_yaml_truth(entry->value[0]) : -1;

		if (truth < 0)
			return fail_flag(yaml, entry, err);
		return truth == 0 ? 0 : tv_config_set(cli, entry->key, "", err);
	}
	for (size_t i = 0; option->repeatable && i < entry->n; i++)
		if (tv_config_set(cli, entry->key, entry->value[i], err) < 0)
			return -1;
	if (option->repeatable)
		return 0;
	return tv_cli_set_option(cli, option, tv_config_joined(cli, entry), err);
}

/* Keys that only the command line can have. */
static bool is_outer(const char *key)
{
	static const char *const outer[] = { "config", "print-config", "help", "version" };

	for (size_t i = 0; i < TV_COUNT(outer); i++)
		if (strcmp(key, outer[i]) == 0)
			return true;
	return false;
}

/* An option of ours; the preset has been read before. */
static int read_entry(struct tv_cli *cli, const struct tv_yaml *yaml,
		      const struct tv_yaml_entry *entry, struct tv_error *err)
{
	struct tv_known_option option;

	if (entry->null || strcmp(entry->key, "preset") == 0)
		return 0;
	if (!is_outer(entry->key) && tv_config_find(entry->key, &option))
		return set_entry(cli, yaml, entry, &option, err);
	tv_config_warn(cli, yaml->path, entry->line,
		       "'%s' is ignored: neither an option of plot nor PANEL.OPTION", entry->key);
	return 0;
}

static int read_own(struct tv_cli *cli, const struct tv_yaml *yaml, bool presets_too,
		    struct tv_error *err)
{
	const struct tv_yaml_entry *entry = tv_yaml_find(yaml, "preset");
	int rc = 0;

	if (entry != NULL && presets_too && !entry->null && entry->n == 1)
		rc = tv_config_preset(cli, entry->value[0], err);
	for (size_t i = 0; rc == 0 && i < yaml->n; i++) {
		entry = &yaml->entry[i];
		rc = read_entry(cli, yaml, entry, err);
	}
	if (rc < 0 && err->file[0] == '\0') {
		err->line = entry->line;
		snprintf(err->file, sizeof err->file, "%s", yaml->path);
	}
	return rc;
}

int tv_config_read(struct tv_cli *cli, const char *path, bool presets_too, struct tv_error *err)
{
	struct tv_yaml yaml;
	int rc = tv_yaml_read(&yaml, path, err);

	if (rc == 0)
		rc = tv_starvz_is(&yaml) ? tv_starvz_read(cli, &yaml, err)
					 : read_own(cli, &yaml, presets_too, err);
	tv_yaml_release(&yaml);
	return rc;
}

int tv_config_warnings(const struct tv_cli *cli, struct tv_error *err)
{
	const struct tv_diagnostic *first = cli->diagnostics.at;

	if (cli->read.strict && cli->diagnostics.n > 0)
		return tv_fail_at(err, (struct tv_pos){ first->file, first->line }, "%s",
				  first->text);
	tv_print_diagnostics(cli, &cli->diagnostics);
	return 0;
}
