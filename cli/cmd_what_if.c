/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_what_if.c -- traceviz what-if: the ranked table, or a picture of the change with the largest gain. */
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"
#include "trace/alloc.h"
#include "views/page/plot.h"

enum { RECORDED, BEST, NRUNS };

/* Options about rows of the table. */
static int check_options(const struct tv_cli *cli, struct tv_error *err)
{
	static const size_t about[] = {
		offsetof(struct tv_cli, where),	   offsetof(struct tv_cli, only),
		offsetof(struct tv_cli, exclude),  offsetof(struct tv_cli, node),
		offsetof(struct tv_cli, resource), offsetof(struct tv_cli, top),
		offsetof(struct tv_cli, csv),	   offsetof(struct tv_cli, json),
	};
	const char *given = tv_cli_given(cli, about, TV_COUNT(about));

	return given == NULL ? 0
			     : tv_fail_usage(err, "--%s has no effect on the picture of -o %s",
					     given, cli->output);
}

/* The change of rank 1 and the options of simulate that give it. */
static int find_best(struct tv_run *run, const struct tv_cli *cli, const char **change,
		     const char **options, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "what-if", cli->own_value, err);
	const struct tv_column *rank;

	if (table == NULL)
		return -1;
	rank = tv_table_find(table, "Rank");
	for (uint32_t row = 0; row < table->nrows; row++)
		if (!tv_missing(rank, row) && rank->i[row] == 1) {
			*change = tv_table_text(table, "What", row);
			*options = tv_table_text(table, "Options", row);
			return 0;
		}
	return tv_fail(err,
		       "-o %s: no change gains more than the simulation leaves unexplained, "
		       "so there is no best one to draw",
		       cli->output);
}

/* Cuts a line as a shell does, of which single quotation marks and \ are known; returns the number of
 * words, at most max. The line is changed. */
static int split_words(char *line, char **word, int max)
{
	char *to = line;
	int n = 0;

	for (const char *at = line; *at != '\0' && n < max;) {
		bool quoted = false;

		at += strspn(at, " ");
		if (*at == '\0')
			break;
		word[n++] = to;
		for (; *at != '\0' && (quoted || *at != ' '); at++)
			if (*at == '\'')
				quoted = !quoted;
			else if (*at == '\\' && !quoted && at[1] != '\0')
				*to++ = *++at;
			else
				*to++ = *at;
		at += *at != '\0';
		*to++ = '\0';
	}
	return n;
}

/* The trace of the run as those options simulate it. */
static int simulate(struct tv_run *run, const char *options, struct tv_trace *out,
		    struct tv_error *err)
{
	enum { WORDS = 32 };
	char *word[WORDS + 1] = { tv_strdup("traceviz"), tv_strdup("simulate") };
	char *line = tv_strdup(options);
	struct tv_cli cli;
	int n = 2 + split_words(line, word + 2, WORDS - 2);
	int rc = tv_cli_parse(&cli, n, word, err);

	if (rc == 0)
		rc = tv_simulate_run(&cli, run, out, err);
	tv_cli_release(&cli);
	tv_free(line);
	tv_free(word[0]);
	tv_free(word[1]);
	return rc;
}

static int open_runs(struct tv_runs *runs, const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_session *recorded = &runs->session[RECORDED], *best = &runs->session[BEST];
	const char *change = NULL, *options = NULL;

	runs->n = RECORDED + 1;
	runs->label[RECORDED] = tv_strdup("recorded");
	best->trace = &best->own;
	if (tv_session_open(recorded, cli, err) < 0
	    || find_best(&recorded->run, cli, &change, &options, err) < 0
	    || simulate(&recorded->run, options, best->trace, err) < 0)
		return -1;
	runs->n = BEST + 1;
	runs->label[BEST] = tv_format("simulated: %s", change);
	tv_run_init(&best->run, best->trace, recorded->run.kinds);
	tv_runs_group(runs);
	return 0;
}

/* The recorded run and the best simulated one, one above the other, on one time axis. */
static int draw(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_runs runs;
	int rc;

	if (check_options(cli, err) < 0)
		return -1;
	tv_runs_init(&runs, NRUNS);
	rc = open_runs(&runs, cli, err);
	if (rc == 0)
		return tv_plot_runs(cli, &runs, err);
	tv_runs_print_warnings(&runs, cli);
	tv_runs_close(&runs);
	return rc;
}

int tv_cmd_what_if(const struct tv_cli *cli, struct tv_error *err)
{
	const char *dot = cli->output == NULL ? NULL : strrchr(cli->output, '.');

	return dot != NULL && tv_medium_find(dot + 1) >= 0 ? draw(cli, err) : tv_cmd_pass(cli, err);
}
