/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.c -- what a command line says of a figure, as the options of the views. */
#include "cli/figure.h"

#include <math.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/config.h"
#include "trace/alloc.h"
#include "trace/input.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "views/page/plot.h"

/* A template of addresses that a browser opens outside, whatever names the trace has. */
static int check_link(const char *link, enum tv_medium medium, struct tv_error *err)
{
	size_t n = strspn(link,
			  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	if (medium != TV_HTML)
		return tv_fail_usage(err,
				     "--editor-link has no effect here, expected -o FILE.html");
	if (n == 0 || strncmp(link + n, "://", 3) != 0 || strstr(link + n, "{file}") == NULL
	    || (n == strlen("javascript") && strncasecmp(link, "javascript", n) == 0))
		return tv_fail_usage(err,
				     "--editor-link '%s' is no address of a file, expected for "
				     "example vscode://file/{file}:{line}",
				     link);
	return 0;
}

int tv_cli_medium(const struct tv_cli *cli, enum tv_medium *medium, struct tv_error *err)
{
	const char *dot = strrchr(cli->output, '.'), *slash = strrchr(cli->output, '/');
	const char *name = cli->to;
	int found;

	if (name == NULL && strcmp(cli->output, "-") == 0)
		return tv_fail_usage(err, "-o - needs --to pdf, svg, png, html or csv");
	if (name == NULL)
		name = dot != NULL && (slash == NULL || dot > slash) ? dot + 1 : "";
	found = tv_medium_find(strcmp(name, "csv") == 0 ? "boxes" : name);
	if (cli->to != NULL && found >= 0 && dot != NULL && (slash == NULL || dot > slash)
	    && tv_medium_find(dot + 1) >= 0 && tv_medium_find(dot + 1) != found)
		return tv_fail_usage(err, "--to %s contradicts the ending of -o '%s'", cli->to,
				     cli->output);
	if (found < 0)
		return tv_fail_usage(err,
				     "-o '%s' ends in no known format, expected .pdf, .svg, .png, "
				     ".html or .csv (or --to)",
				     cli->output);
	if (cli->editor_link != NULL
	    && check_link(cli->editor_link, (enum tv_medium)found, err) < 0)
		return -1;
	*medium = (enum tv_medium)found;
	if (strcmp(cli->output, "-") == 0 && (*medium == TV_PDF || *medium == TV_PNG)
	    && tv_output_is_terminal(STDOUT_FILENO))
		return tv_fail_usage(
			err, "a %s does not go to a terminal, expected a file or a pipe", name);
	return 0;
}

/* What the header calls the run: the last part of the path without its endings. Names that every
 * trace has say nothing, so the folder's is taken then. */
static char *label_of(const char *path)
{
	static const char *const common[] = { "paje", "tasks", "prof_file_0" };
	size_t n = strlen(path), first;

	while (n > 1 && path[n - 1] == '/')
		n--;
	for (first = n; first > 0 && path[first - 1] != '/'; first--)
		;
	for (size_t i = 0; i < TV_COUNT(common) && first > 1; i++) {
		size_t length = strlen(common[i]);

		if (n - first >= length && strncmp(path + first, common[i], length) == 0
		    && (path[first + length] == '.' || path[first + length] == '\0')) {
			n = first - 1;
			for (first = n; first > 0 && path[first - 1] != '/'; first--)
				;
			return tv_strndup(path + first, n - first);
		}
	}
	return strcmp(path, "-") == 0
		     ? tv_strdup("standard input")
		     : tv_strndup(path + first, tv_name_length(path + first, n - first));
}

static void add_note(struct tv_cli_figure *figure, const char *what, const char *text)
{
	if (text == NULL)
		return;
	figure->note[figure->options.nnotes] = tv_format("%s %s", what, text);
	figure->notes[figure->options.nnotes] = figure->note[figure->options.nnotes];
	figure->options.nnotes++;
}

/* --panels: the words between commas. */
static int choose_panels(struct tv_cli_figure *figure, const char *text, struct tv_error *err)
{
	size_t n = 1;

	if (text == NULL)
		return 0;
	for (const char *s = text; *s != '\0'; s++)
		n += *s == ',';
	figure->names = tv_strdup(text);
	figure->panel = tv_alloc(n, sizeof *figure->panel);
	for (char *rest = figure->names, *word; (word = strsep(&rest, ",")) != NULL;) {
		const struct tv_panel *panel = tv_panel_find(word);
		struct tv_near near;

		tv_near_init(&near, word);
		for (size_t i = 0; i < tv_npanels; i++)
			tv_near_offer(&near, tv_panels[i]->name);
		if (panel == NULL)
			return tv_fail_usage(err,
					     "--panels: no panel is named '%s'%s; 'traceviz "
					     "help panels' lists them",
					     word, tv_near_text(&near));
		figure->panel[figure->options.npanels++] = panel->name;
	}
	figure->options.panel = figure->panel;
	return 0;
}

/* The lines of a file that are not empty. */
static int read_row_names(struct tv_cli_figure *figure, const char *path, struct tv_error *err)
{
	struct tv_input in;
	char *line;
	size_t size;
	int rc, more;

	if (access(path, F_OK) < 0)
		return tv_fail_usage(err,
				     "--row-order '%s', expected type, numa, device, busy, "
				     "name or a file: %s",
				     path, strerror(errno));
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	for (rc = 0; rc == 0 && (more = tv_input_line(&in, &line, &size, err)) != 0;) {
		if (more < 0) {
			rc = -1;
			break;
		}
		if (line[0] == '\0')
			continue;
		TV_GROW(figure->row_name, figure->nrow_names, figure->row_names_cap, 1);
		figure->row_name[figure->nrow_names++] = tv_strdup(line);
	}
	if (rc == 0 && figure->nrow_names == 0)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"no line, expected one name of a row in each");
	tv_input_close(&in);
	return rc;
}

static int choose_rows(struct tv_cli_figure *figure, const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;
	int order = tv_row_order_find(cli->row_order);

	options->row_pattern = cli->rows;
	options->row_order = order < 0 ? TV_ORDER_LIST : (enum tv_row_order)order;
	if (order < 0 && read_row_names(figure, cli->row_order, err) < 0)
		return -1;
	options->row_name = (const char *const *)figure->row_name;
	options->nrow_names = figure->nrow_names;
	return 0;
}

int64_t tv_cli_date(void)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	int64_t seconds;

	return text != NULL && tv_parse_int(text, strlen(text), &seconds) == TV_PARSE_OK
			    && seconds > 0
		     ? seconds
		     : 0;
}

int tv_cli_figure_fill(struct tv_cli_figure *figure, const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;

	options->width_in = isnan(cli->width) ? 0 : cli->width;
	options->height_in = isnan(cli->height) ? 0 : cli->height;
	options->dpi = cli->dpi;
	options->scale = cli->scale;
	options->font_size = isnan(cli->font_size) ? 0 : cli->font_size;
	options->font = cli->font;
	options->editor_link = cli->editor_link;
	/* Tiles are of the space-time panel. */
	if (choose_panels(figure,
			  cli->panels == NULL && cli->tiles != NULL ? "spacetime" : cli->panels,
			  err)
		    < 0
	    || choose_rows(figure, cli, err) < 0)
		return -1;
	options->usual = cli->usual_panels;
	options->setting = cli->setting;
	options->nsettings = cli->nsettings;
	options->palette = cli->palette;
	options->header = cli->header;
	figure->label = cli->title != NULL ? tv_strdup(cli->title)
		      : cli->facet	   ? tv_strdup("")
					   : label_of(cli->ntraces > 0 ? cli->trace[0].path : "-");
	figure->command = tv_config_command(cli);
	options->command = figure->command;
	options->label = figure->label;
	options->kernels = cli->read.kernels;
	options->creator = "traceviz " TV_VERSION;
	options->date = tv_cli_date();
	options->note = figure->notes;
	add_note(figure, "shown:", cli->where);
	add_note(figure, "only", cli->only);
	add_note(figure, "without", cli->exclude);
	add_note(figure, "node", cli->node);
	add_note(figure, "resource", cli->resource);
	add_note(figure, "outliers by the thresholds of", cli->outliers);
	add_note(figure, "rows", cli->rows);
	return 0;
}

static int choose_of_part(const void *context, const struct tv_table *tasks, uint32_t **row,
			  uint32_t *n, struct tv_error *err)
{
	return tv_select(context, NULL, tasks, row, n, err);
}

int tv_cli_figure_choose(struct tv_cli_figure *figure, struct tv_session *session,
			 const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;

	options->choice = (struct tv_shown_rows){ 0 };
	/* Of the table without rows, where they come in parts: whether there is anything to choose by. */
	if (tv_select(cli, NULL, &session->trace->table[TV_TASKS], &figure->shown, &options->nshown,
		      err)
	    < 0)
		return -1;
	if (session->parts != NULL) {
		if (figure->shown != NULL)
			options->choice = (struct tv_shown_rows){ choose_of_part, cli };
		return 0;
	}
	options->shown = figure->shown;
	return tv_select_any(&session->run.tasks, options->shown, options->nshown)
		     ? 0
		     : tv_select_nothing(cli, &session->run, session->unmatched, err);
}

void tv_cli_figure_release(struct tv_cli_figure *figure)
{
	for (size_t i = 0; i < TV_FIGURE_NOTES_MAX; i++)
		tv_free(figure->note[i]);
	for (size_t i = 0; i < figure->nrow_names; i++)
		tv_free(figure->row_name[i]);
	tv_free(figure->row_name);
	tv_free(figure->label);
	tv_free(figure->caption);
	tv_free(figure->command);
	tv_free(figure->names);
	tv_free(figure->panel);
	tv_free(figure->shown);
}

char *tv_page_path(const char *path, unsigned page)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = dot != NULL && (slash == NULL || dot > slash + 1) ? (size_t)(dot - path)
									: strlen(path);

	return page == 0 ? tv_strdup(path)
			 : tv_format("%.*s-%u%s", (int)stem, path, page + 1, path + stem);
}

int tv_cli_write_page(struct tv_run *run, const struct tv_plot_options *options,
		      enum tv_medium medium, const char *path, struct tv_outputs *set,
		      struct tv_error *err)
{
	struct tv_output *out = tv_outputs_add(set, path, err);

	if (out == NULL || tv_plot(run, options, medium, out, err) < 0)
		return -1;
	/* A stream is written last, after the files: it cannot be undone. */
	return out->unfinished != NULL ? tv_output_finish(out, err) : 0;
}
