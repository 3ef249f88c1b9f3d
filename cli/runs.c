/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c -- load several traces as runs, with labels from the command line or from their paths. */
#include <ctype.h>
#include <string.h>

#include "analysis/compare/type_places.h"
#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* ---- labels ---- */

/* Part number `level` of a path, from its end; the first one if there are fewer. */
static const char *part_of(const char *path, size_t level, size_t *n)
{
	size_t end = strlen(path), begin;

	for (;; level--) {
		while (end > 1 && path[end - 1] == '/')
			end--;
		for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
			;
		if (level == 0 || begin <= 1)
			break;
		end = begin - 1;
	}
	*n = end - begin;
	return path + begin;
}

size_t tv_name_length(const char *name, size_t n)
{
	static const char *const compressed[] = { ".gz", ".zst" };
	size_t dot;

	for (size_t i = 0; i < TV_COUNT(compressed); i++) {
		size_t length = strlen(compressed[i]);

		if (n > length && strncmp(name + n - length, compressed[i], length) == 0)
			n -= length;
	}
	for (dot = n; dot > 0 && isalpha((unsigned char)name[dot - 1]); dot--)
		;
	return dot > 1 && dot < n && name[dot - 1] == '.' && name[dot - 2] != '.' ? dot - 1 : n;
}

/* The same without the endings of a file. */
static char *label_at(const char *path, size_t level)
{
	const char *part;
	size_t n;

	if (strcmp(path, "-") == 0)
		return tv_strdup("standard input");
	part = part_of(path, level, &n);
	return tv_strndup(part, level == 0 ? tv_name_length(part, n) : n);
}

static bool taken(char *const *label, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (label[i] != NULL && strcmp(label[i], text) == 0)
			return true;
	return false;
}

static void forget(const struct tv_cli *cli, char **label)
{
	for (size_t i = 0; i < cli->ntraces; i++)
		if (cli->trace[i].label == NULL) {
			tv_free(label[i]);
			label[i] = NULL;
		}
}

/* Labels of the traces without one, from that part of their paths. Whether they differ. */
static bool take_level(const struct tv_cli *cli, char **label, size_t level)
{
	bool differ = true;

	forget(cli, label);
	for (size_t i = 0; i < cli->ntraces; i++) {
		char *own;

		if (cli->trace[i].label != NULL)
			continue;
		own = label_at(cli->trace[i].path, level);
		differ = differ && !taken(label, cli->ntraces, own);
		label[i] = own;
	}
	return differ;
}

/* Whether a trace before this one, or one that the user labeled, has its label. */
static bool in_use(const struct tv_cli *cli, char *const *label, size_t i)
{
	for (size_t j = 0; j < cli->ntraces; j++)
		if (j != i && (j < i || cli->trace[j].label != NULL)
		    && strcmp(label[j], label[i]) == 0)
			return true;
	return false;
}

/* Numbers distinguish labels where no part of the paths does. */
static void number_labels(const struct tv_cli *cli, char **label)
{
	for (size_t i = 0; i < cli->ntraces; i++) {
		char *plain = label[i];

		for (unsigned k = 2; cli->trace[i].label == NULL && in_use(cli, label, i); k++) {
			char *next = tv_format("%s#%u", plain, k);

			if (label[i] != plain)
				tv_free(label[i]);
			label[i] = next;
		}
		if (label[i] != plain)
			tv_free(plain);
	}
}

static void make_labels(const struct tv_cli *cli, char **label)
{
	enum { LEVELS = 8 };
	bool differ = false;

	for (size_t i = 0; i < cli->ntraces; i++)
		if (cli->trace[i].label != NULL)
			label[i] = tv_strdup(cli->trace[i].label);
	for (size_t level = 0; level < LEVELS && !differ; level++)
		differ = take_level(cli, label, level);
	if (!differ && !take_level(cli, label, 0))
		number_labels(cli, label);
}

/* ---- runs ---- */

/* One trace of the command line as a session of its own. */
static int open_one(struct tv_runs *runs, const struct tv_cli *cli, size_t i, struct tv_error *err)
{
	struct tv_trace_argument trace = { NULL, cli->trace[i].path };
	struct tv_cli alone = *cli;

	alone.trace = &trace;
	alone.ntraces = 1;
	runs->n = i + 1;
	if (tv_session_open(&runs->session[i], &alone, err) == 0) {
		runs->session[i].run.loader.context = cli; /* which lasts longer */
		return 0;
	}
	if (err->status == TV_FAILED && err->file[0] == '\0')
		tv_clean_text(err->file, sizeof err->file, trace.path);
	return -1;
}

static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (size_t)(slash - path);
}

/* Files without labels in one folder that are the ranks of one run. 1 if they are not, or have the same processes. */
static int open_ranks(struct tv_runs *runs, const struct tv_cli *cli)
{
	const char *first = cli->trace[0].path;
	struct tv_error none = { 0 };

	for (size_t i = 0; i < cli->ntraces; i++)
		if (cli->trace[i].label != NULL
		    || folder_length(cli->trace[i].path) != folder_length(first)
		    || strncmp(cli->trace[i].path, first, folder_length(first)) != 0)
			return 1;
	runs->n = 1;
	if (tv_session_open(&runs->session[0], cli, &none) == 0)
		return 0;
	tv_session_close(&runs->session[0]);
	runs->session[0] = (struct tv_session){ 0 };
	return 1;
}

void tv_runs_group(struct tv_runs *runs)
{
	size_t used = 0;

	for (size_t i = 0; i < runs->n; i++) {
		struct tv_side *side = &runs->side[runs->nsides];
		bool seen = false;

		for (size_t s = 0; s < runs->nsides; s++)
			seen = seen || strcmp(runs->side[s].label, runs->label[i]) == 0;
		if (seen)
			continue;
		*side = (struct tv_side){ runs->label[i], runs->run + used, 0 };
		runs->nsides++;
		for (size_t j = i; j < runs->n; j++)
			if (strcmp(runs->label[j], runs->label[i]) == 0)
				side->run[side->n++] = &runs->session[j].run;
		used += side->n;
	}
}

static int check_input(const struct tv_cli *cli, struct tv_error *err)
{
	size_t pipes = 0;

	if (cli->ntraces == 0)
		return tv_fail_usage(err, "no trace named; try 'traceviz %s --help'",
				     cli->verb.name);
	for (size_t i = 0; i < cli->ntraces; i++)
		pipes += strcmp(cli->trace[i].path, "-") == 0;
	if (pipes > 1)
		return tv_fail_usage(err, "standard input is one trace, expected '-' at most once");
	return 0;
}

void tv_runs_init(struct tv_runs *runs, size_t n)
{
	*runs = (struct tv_runs){
		.session = tv_alloc(n, sizeof *runs->session),
		.side = tv_alloc(n, sizeof *runs->side),
		.label = tv_alloc(n, sizeof *runs->label),
		.run = tv_alloc(n, sizeof *runs->run),
	};
}

int tv_runs_open_one(struct tv_runs *runs, const struct tv_cli *cli, struct tv_error *err)
{
	tv_runs_init(runs, 1);
	runs->n = 1;
	if (tv_session_open(&runs->session[0], cli, err) < 0)
		return -1;
	runs->label[0] = tv_strdup("");
	tv_runs_group(runs);
	return 0;
}

/* One file as two repeats, or as two runs without labels, is hardly meant. */
static void warn_same(const struct tv_runs *runs, const struct tv_cli *cli)
{
	for (size_t i = 1; i < runs->n; i++)
		for (size_t j = 0; j < i; j++) {
			const struct tv_trace_argument *a = &cli->trace[j], *b = &cli->trace[i];

			if (strcmp(a->path, b->path) != 0
			    || ((a->label != NULL || b->label != NULL)
				&& strcmp(runs->label[i], runs->label[j]) != 0))
				continue;
			tv_say(cli, "%s is given twice", b->path);
			return;
		}
}

/* Task types called after their line in a program that was edited are the same ones. */
static void align(struct tv_runs *runs, const struct tv_cli *cli)
{
	for (size_t i = 1; i < runs->n; i++) {
		size_t n = tv_align_places(runs->session[0].trace, runs->session[i].trace);

		if (n > 0)
			tv_say(cli, "%s: %zu task type%s the name of %s, as only the line differs",
			       runs->label[i], n, n == 1 ? " has" : "s have", runs->label[0]);
	}
}

int tv_runs_open(struct tv_runs *runs, const struct tv_cli *cli, struct tv_error *err)
{
	size_t n = cli->ntraces;
	struct tv_cli labeled = *cli;
	int rc;

	tv_runs_init(runs, n);
	if (check_input(cli, err) < 0)
		return -1;
	rc = n > 1 ? open_ranks(runs, cli) : 1;
	for (size_t i = 0; i < n && rc > 0; i++)
		if (open_one(runs, cli, i, err) < 0)
			return -1;
	/* Ranks are one run, called after the first of them. */
	labeled.ntraces = runs->n;
	make_labels(&labeled, runs->label);
	warn_same(runs, cli);
	align(runs, cli);
	tv_runs_group(runs);
	return 0;
}

/* Whether every run has that warning. */
static bool common(const struct tv_runs *runs, const char *text)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct tv_diagnostics *list = &runs->session[i].run.diagnostics;
		size_t k = 0;

		while (k < list->n && strcmp(list->at[k].text, text) != 0)
			k++;
		if (k == list->n)
			return false;
	}
	return true;
}

void tv_runs_print_warnings(const struct tv_runs *runs, const struct tv_cli *cli)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct tv_diagnostics *list = &runs->session[i].run.diagnostics;

		for (size_t k = 0; k < list->n; k++) {
			bool all = common(runs, list->at[k].text);

			if (!all)
				tv_say(cli, "%s: %s", runs->label[i], list->at[k].text);
			else if (i == 0)
				tv_say(cli, "%s", list->at[k].text);
		}
	}
}

void tv_runs_close(struct tv_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		tv_session_close(&runs->session[i]);
	for (size_t i = 0; runs->label != NULL && i < runs->n; i++)
		tv_free(runs->label[i]);
	tv_free(runs->session);
	tv_free(runs->side);
	tv_free(runs->label);
	tv_free(runs->run);
	*runs = (struct tv_runs){ 0 };
}
