/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.h -- options of plot from presets and files, and written to a file.
 *
 * Everything is passed to tv_cli_set_option, as if it preceded the options of the command line. docs/config.md is the manual.
 */
#ifndef TV_CONFIG_H
#define TV_CONFIG_H

#include "cli/cli.h"
#include "cli/yaml.h"

/* Sets the options of a preset; an unknown one is a usage error. */
int tv_config_preset(struct tv_cli *cli, const char *name, struct tv_error *err) TV_MUST_CHECK;

/*
 * Sets the options that a YAML file gives, ours or StarVZ's; the preset that it names first, if
 * presets are to be taken. Unknown keys give a warning (cli->diagnostics).
 */
int tv_config_read(struct tv_cli *cli, const char *path, bool presets,
		   struct tv_error *err) TV_MUST_CHECK;

/* Whether there is an option of that name, "width" or "ready.limit". */
bool tv_config_find(const char *name, struct tv_known_option *option);
/* Sets it; the value is copied. 1 if there is none. */
int tv_config_set(struct tv_cli *cli, const char *name, const char *value,
		  struct tv_error *err) TV_MUST_CHECK;
/* Adds a warning about a place in a file of settings. */
#define tv_config_warn(cli, path, line, ...) \
	tv_diagnose(&(cli)->diagnostics, TV_WARNING, (struct tv_pos){ (path), (line) }, __VA_ARGS__)
/* The values of an entry with commas between them, owned by cli. */
const char *tv_config_joined(struct tv_cli *cli, const struct tv_yaml_entry *entry);

/* Whether the file has the keys of a StarVZ configuration; reads it as one. (starvz.c) */
bool tv_starvz_is(const struct tv_yaml *yaml);
int tv_starvz_read(struct tv_cli *cli, const struct tv_yaml *yaml,
		   struct tv_error *err) TV_MUST_CHECK;

/* Prints the warnings; with --strict the first one is an error. */
int tv_config_warnings(const struct tv_cli *cli, struct tv_error *err) TV_MUST_CHECK;

/* Writes the options in effect as a file for --config, those not set as comments, to -o FILE.yaml
 * or standard output. (settings.c) */
int tv_config_print(const struct tv_cli *cli, struct tv_error *err) TV_MUST_CHECK;
/* The command that draws the picture again, all options on it, paths without their folders, in new
 * memory. The same picture has the same command wherever its files are. */
char *tv_config_command(const struct tv_cli *cli);

/* Gives the string to cli, which frees it. */
const char *tv_config_keep(struct tv_cli *cli, char *text);

#endif
