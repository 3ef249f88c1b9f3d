/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c -- the options in effect, as a file for --config and as one command line. */
#include <string.h>

#include "cli/config.h"
#include "trace/alloc.h"
#include "trace/text.h"

static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/-,";

/* The number of the character in s[0..n), which is UTF-8. */
static unsigned long code_point(const char *s, unsigned long n)
{
	unsigned long code = n == 1 ? (unsigned char)s[0] : (unsigned char)s[0] & (0x7fu >> n);

	for (unsigned long i = 1; i < n; i++)
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	return code;
}

static bool is_printable(unsigned long code)
{
	return code >= 0x20 && (code < 0x7f || code > 0x9f) && code != 0xfeff
	    && (code & 0xfffe) != 0xfffe;
}

/* A value of YAML; an invalid byte becomes '?', as in the picture. */
static void write_value(struct tv_output *out, const char *text)
{
	size_t left = strlen(text);

	if (left > 0 && strspn(text, plain) == left && strchr(".+/-,", text[0]) == NULL
	    && tv_yaml_truth(text) < 0 && strcmp(text, "null") != 0) {
		tv_output_text(out, text);
		return;
	}
	tv_output_text(out, "\"");
	while (left > 0) {
		unsigned long n = tv_utf8_length(text, left);
		unsigned long code = n > 0 ? code_point(text, n) : '?';

		if (n == 0)
			tv_output_text(out, "?");
		else if (code == '"' || code == '\\')
			tv_output_format(out, "\\%c", (char)code);
		else if (!is_printable(code))
			tv_output_format(out, "\\U%08lx", code);
		else
			tv_output_write(out, text, n);
		text += n > 0 ? n : 1;
		left -= n > 0 ? n : 1;
	}
	tv_output_text(out, "\"");
}

/* One option: as a setting, or as a comment if it is not set. */
static void write_option(const struct tv_cli *cli, const struct tv_known_option *option, bool set,
			 struct tv_output *out)
{
	const struct tv_option_spec *row = option->row;
	const char *indent = option->panel != NULL ? "  " : "";
	const char *value = tv_cli_value(cli, option, 0);

	if (value == NULL) {
		char *meaning = tv_option_meaning(row);

		tv_output_text(out, set ? indent : "");
		tv_output_format(out, "%s %s: %s  # %s\n", set ? "#" : "#  ", row->name,
				 row->argument != NULL ? row->argument : "true", meaning);
		tv_free(meaning);
		return;
	}
	tv_output_format(out, "%s%s:", indent, row->name);
	if (!option->repeatable) {
		tv_output_text(out, " ");
		if (row->argument == NULL)
			tv_output_text(out, "true");
		else
			write_value(out, value);
		tv_output_text(out, "\n");
		return;
	}
	tv_output_text(out, "\n");
	for (size_t k = 0; (value = tv_cli_value(cli, option, k)) != NULL; k++) {
		tv_output_text(out, "  - ");
		write_value(out, value);
		tv_output_text(out, "\n");
	}
}

/* Whether any option of the panel is set. */
static bool any_set(const struct tv_cli *cli, const char *panel)
{
	for (size_t i = 0; i < cli->nsettings; i++)
		if (cli->setting[i].panel != NULL && strcmp(cli->setting[i].panel, panel) == 0)
			return true;
	return false;
}

/* Whether a file can be meant for options, not for a picture. */
static bool is_yaml(const char *path)
{
	const char *dot = strrchr(path, '.');

	return strcmp(path, "-") == 0
	    || (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

int tv_config_print(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_known_option option;
	const char *panel = NULL;
	struct tv_output out;
	bool set = true;
	size_t i = 0;

	if (cli->output != NULL && !is_yaml(cli->output))
		return tv_fail_usage(err, "--print-config -o '%s', expected FILE.yaml or -",
				     cli->output);
	if (tv_output_open(&out, cli->output != NULL ? cli->output : "-", err) < 0)
		return -1;
	tv_output_text(&out, "# options of traceviz plot, for --config\n");
	while (tv_cli_next_option(&i, &option)) {
		if (option.outside)
			continue;
		if (option.panel != panel) {
			panel = option.panel;
			set = any_set(cli, panel);
			tv_output_format(&out, "%s%s:\n", set ? "" : "# ", panel);
		}
		write_option(cli, &option, set, &out);
	}
	return tv_output_commit(&out, err);
}

/* Text that grows. */
struct command {
	char *text;
	size_t n, cap;
};

static void add(struct command *command, const char *text, size_t n)
{
	TV_GROW(command->text, command->n, command->cap, n + 1);
	memcpy(command->text + command->n, text, n);
	command->n += n;
	command->text[command->n] = '\0';
}

/* A word, in quotes where a shell would take it for more. */
static void add_word(struct command *command, const char *text, size_t n)
{
	if (n > 0 && strspn(text, plain) >= n) {
		add(command, text, n);
		return;
	}
	add(command, "'", 1);
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\'')
			add(command, "'\\''", 4);
		else
			add(command, text + i, 1);
	add(command, "'", 1);
}

/* The last part of a path, without slashes at its end. */
static const char *file_of(const char *path, size_t *n)
{
	size_t end = strlen(path), first;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (first = end; first > 0 && path[first - 1] != '/'; first--)
		;
	*n = end - first;
	return path + first;
}

static void add_file(struct command *command, const char *path)
{
	size_t n;
	const char *file = file_of(path, &n);

	add_word(command, file, n);
}

/* A name that would be taken for an option, or for a label and a path, gets "./". */
static void add_trace(struct command *command, const char *label, const char *path)
{
	size_t n;
	const char *file = file_of(path, &n);

	if (label != NULL) {
		add(command, label, strlen(label));
		add(command, "=", 1);
	} else if ((file[0] == '-' && n > 1) || memchr(file, '=', n) != NULL) {
		add(command, "./", 2);
	}
	add_word(command, file, n);
}

static void add_option(struct command *command, const struct tv_known_option *option,
		       const char *value)
{
	const char *argument = option->row->argument;
	char *name = tv_format(" --%s%s%s", option->panel != NULL ? option->panel : "",
			       option->panel != NULL ? "." : "", option->row->name);

	add(command, name, strlen(name));
	tv_free(name);
	if (argument == NULL)
		return;
	add(command, " ", 1);
	if (strstr(argument, "FILE") != NULL || strstr(argument, "DIR") != NULL)
		add_file(command, value);
	else
		add_word(command, value, strlen(value));
}

char *tv_config_command(const struct tv_cli *cli)
{
	struct command command = { 0 };
	struct tv_known_option option;
	const char *value;
	size_t i = 0;

	add(&command, "traceviz", 8);
	if (cli->verb.takes != TV_TAKES_PLOT) {
		add(&command, " ", 1);
		add(&command, cli->verb.name, strlen(cli->verb.name));
	}
	while (tv_cli_next_option(&i, &option))
		for (size_t k = 0;
		     !option.outside && (value = tv_cli_value(cli, &option, k)) != NULL; k++)
			add_option(&command, &option, value);
	for (i = 0; i < cli->ntraces; i++) {
		add(&command, " ", 1);
		add_trace(&command, cli->trace[i].label, cli->trace[i].path);
	}
	return command.text;
}
