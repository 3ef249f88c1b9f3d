/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose_pages.c -- a diagnosis as pages: words, and the picture that the row's command draws. */
#include "cli/diagnose_pages.h"

#include <string.h>

#include "analysis/diagnose/diagnose.h"
#include "cli/figure.h"
#include "cli/options.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/page/plot.h"

enum { FINDINGS_MAX = 5, LEADS_MAX = 9 };

/* A command line, cut into words as a shell does. */
struct words {
	char *text;  /* what they point into */
	char **word; /* then NULL */
	int n;
};

struct page {
	struct words words;
	struct tv_cli cli; /* of the command that draws the picture */
	struct tv_cli_figure figure;
	struct tv_lead lead[LEADS_MAX];
	char *owned[LEADS_MAX]; /* texts of the leads */
	struct tv_run *run;	/* the session's, or part */
	struct tv_run part;	/* in the window of the picture */
};

/* Appends the options given that change what is read of the trace. */
static char *add_options(char *name, const struct tv_cli *cli)
{
	for (size_t i = 0; i < cli->ngiven; i++) {
		const struct tv_given *given = &cli->given[i];
		char *word, *longer;

		if (!tv_option_reads(given->code))
			continue;
		word = given->value != NULL ? tv_shell_word(given->value) : NULL;
		longer = tv_format("%s --%s%s%s", name, tv_option_name(given->code),
				   word != NULL ? " " : "", word != NULL ? word : "");
		tv_free(word);
		tv_free(name);
		name = longer;
	}
	return name;
}

/* Appends a path as a word of a command line: never an option, a label or a verb. */
static void append_path(char **line, const char *path)
{
	struct tv_verb verb;
	bool plain = strcmp(path, "-") == 0 || path[0] == '/' || path[0] == '.'
		  || (path[0] != '-' && strchr(path, '=') == NULL && !tv_verb_find(path, &verb));
	char *name = tv_format("%s%s", plain ? "" : "./", path), *word = tv_shell_word(name);

	tv_append(line, "%s%s", *line != NULL ? " " : "", word);
	tv_free(name);
	tv_free(word);
}

/* How a command line names the trace, or its files, and the options with which it is read. */
static char *name_trace(const struct tv_cli *cli)
{
	char *words = NULL;

	if (cli->ntraces == 0)
		append_path(&words, "-");
	for (size_t i = 0; i < cli->ntraces; i++)
		append_path(&words, cli->trace[i].path);
	return add_options(words, cli);
}

int tv_cli_diagnose(const struct tv_cli *cli, struct tv_run *run, const char *from,
		    struct tv_table *table, struct tv_error *err)
{
	char *trace = name_trace(cli);
	int rc;

	tv_table_init(table, run->trace->pool);
	rc = tv_run_diagnose(run, trace, from, table, err);
	tv_free(trace);
	return rc;
}

bool tv_diagnose_is_picture(const struct tv_cli *cli)
{
	const char *dot = cli->output == NULL ? NULL : strrchr(cli->output, '.');
	int medium = dot != NULL ? tv_medium_find(dot + 1) : -1;

	return medium >= 0 && medium != TV_BOXES;
}

/* Words between blanks, of which some are in single quotes, as tv_shell_word writes them. */
static void cut_words(struct words *words, const char *command)
{
	char *to;

	words->text = to = tv_strdup(command);
	words->word = tv_alloc(strlen(command) + 1, sizeof *words->word);
	for (const char *s = command; *s != '\0';) {
		bool quoted = false;

		words->word[words->n++] = to;
		for (; *s != '\0' && (quoted || *s != ' '); s++)
			if (*s == '\'')
				quoted = !quoted;
			else if (!quoted && *s == '\\' && s[1] != '\0')
				*to++ = *++s;
			else
				*to++ = *s;
		s += *s == ' ';
		*to++ = '\0';
	}
}

static void add_lead(struct page *page, char *text, bool bold)
{
	struct tv_plot_options *options = &page->figure.options;

	page->owned[options->nlead] = text;
	page->lead[options->nlead++] = (struct tv_lead){ text, bold };
}

/* The text of the run, then its largest parts. */
static void write_run_lead(struct page *page, const struct tv_table *table)
{
	uint32_t part[TV_DIAGNOSE_PARTS], n = tv_diagnose_parts(table, part);
	char *words[TV_DIAGNOSE_WORDS];
	size_t nwords = tv_diagnose_first(table, words);

	add_lead(page, tv_strdup(tv_table_text(table, "Text", 0)), true);
	for (size_t i = 0; i < nwords; i++)
		add_lead(page, words[i], true);
	if (strstr(tv_table_text(table, "Text", 0), "chain") != NULL)
		add_lead(page,
			 tv_strdup("CPE, in the heading of the picture, is another number: it has "
				   "the mean durations of types on their fastest workers; chains "
				   "have what tasks took in this run."),
			 false);
	for (uint32_t i = 0; i < n; i++) {
		char *size = tv_diagnose_size(table, part[i]);

		add_lead(
			page,
			tv_format("%u. %s: %s", i + 1, size, tv_table_text(table, "Text", part[i])),
			false);
		tv_free(size);
	}
}

static void write_finding_lead(struct page *page, const struct tv_table *table, uint32_t row,
			       uint32_t number)
{
	char *words[TV_DIAGNOSE_WORDS];
	size_t n = tv_diagnose_words(table, row, words);

	for (size_t i = 0; i < n; i++)
		if (i == 0) {
			add_lead(page, tv_format("%u. %s", number, words[0]), true);
			tv_free(words[0]);
		} else {
			add_lead(page, words[i], false);
		}
}

/* The run in the window of the picture. */
static int choose_run(struct page *page, struct tv_session *session, struct tv_error *err)
{
	struct tv_window window;

	if (tv_parse_window(&page->cli, &window, err) < 0)
		return -1;
	page->run = &session->run;
	if (!window.set)
		return 0;
	tv_run_init(&page->part, session->trace, session->run.kinds);
	page->part.loader = session->run.loader;
	page->part.window = window;
	page->run = &page->part;
	return 0;
}

/* The figure that a command draws of the session's run. */
static int make_figure(struct page *page, struct tv_session *session, const char *command,
		       struct tv_error *err)
{
	cut_words(&page->words, command);
	/* The first word is the program. */
	if (tv_cli_parse(&page->cli, page->words.n, page->words.word, err) < 0
	    || tv_cli_figure_fill(&page->figure, &page->cli, err) < 0
	    || choose_run(page, session, err) < 0)
		return -1;
	return 0;
}

/* The page of a row of the table; number: of the finding, 0 = the run. */
static int make_page(struct page *page, struct tv_session *session, const struct tv_table *table,
		     uint32_t row, uint32_t number, struct tv_error *err)
{
	if (make_figure(page, session, tv_table_text(table, "Picture", row), err) < 0)
		return -1;
	page->figure.options.lead = page->lead;
	if (number == 0)
		write_run_lead(page, table);
	else
		write_finding_lead(page, table, row, number);
	return 0;
}

static void release_page(struct page *page)
{
	for (size_t i = 0; i < page->figure.options.nlead; i++)
		tv_free(page->owned[i]);
	if (page->run == &page->part)
		tv_run_release(&page->part);
	tv_cli_figure_release(&page->figure);
	tv_cli_release(&page->cli);
	tv_free(page->words.word);
	tv_free(page->words.text);
}

/* The run's page and those of the first findings; how many. */
static uint32_t choose_rows(const struct tv_table *table, uint32_t row[FINDINGS_MAX + 1])
{
	uint32_t n = 1;

	row[0] = 0;
	for (uint32_t i = 0; i < table->nrows && n <= FINDINGS_MAX; i++)
		if (strcmp(tv_table_text(table, "Kind", i), "finding") == 0)
			row[n++] = i;
	return n;
}

static int write_pdf(const struct tv_cli *cli, const struct page *page, uint32_t n,
		     struct tv_outputs *set, struct tv_error *err)
{
	struct tv_output *out = tv_outputs_add(set, cli->output, err);
	struct tv_plot_page of[FINDINGS_MAX + 1];

	for (uint32_t i = 0; i < n; i++)
		of[i] = (struct tv_plot_page){ page[i].run, &page[i].figure.options };
	return out == NULL ? -1 : tv_plot_pdf(of, n, out, err);
}

static int write_files(const struct tv_cli *cli, const struct page *page, uint32_t n,
		       enum tv_medium medium, struct tv_outputs *set, struct tv_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		char *path = tv_page_path(cli->output, i);

		rc = tv_cli_write_page(page[i].run, &page[i].figure.options, medium, path, set,
				       err);
		tv_free(path);
	}
	return rc;
}

/* The report that the trace's own command draws, which has the answer beside its figure. */
static int write_report(const struct tv_cli *cli, struct page *page, struct tv_session *session,
			const struct tv_table *table, struct tv_outputs *set, struct tv_error *err)
{
	char *trace = name_trace(cli), *file = tv_shell_word(cli->output),
	     *command = tv_format("traceviz %s -o %s", trace, file);
	int rc = make_figure(page, session, command, err);

	tv_free(trace);
	tv_free(file);
	tv_free(command);
	page->figure.options.diagnosis = table;
	return rc < 0 ? -1
		      : tv_cli_write_page(page->run, &page->figure.options, TV_HTML, cli->output,
					  set, err);
}

int tv_diagnose_draw(const struct tv_cli *cli, struct tv_session *session,
		     const struct tv_table *table, struct tv_error *err)
{
	struct page page[FINDINGS_MAX + 1] = { 0 };
	uint32_t row[FINDINGS_MAX + 1], n = choose_rows(table, row);
	struct tv_outputs set = { 0 };
	enum tv_medium medium = TV_PDF;
	int rc = tv_cli_medium(cli, &medium, err);

	for (uint32_t i = 0; rc == 0 && medium != TV_HTML && i < n; i++)
		rc = make_page(&page[i], session, table, row[i], i, err);
	if (rc == 0)
		rc = medium == TV_PDF  ? write_pdf(cli, page, n, &set, err)
		   : medium == TV_HTML ? write_report(cli, page, session, table, &set, err)
				       : write_files(cli, page, n, medium, &set, err);
	if (rc == 0)
		rc = tv_outputs_commit(&set, err);
	else
		tv_outputs_abort(&set);
	for (uint32_t i = 0; i < n; i++)
		release_page(&page[i]);
	return rc;
}
