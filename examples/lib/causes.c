/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * causes.c -- why workers were idle, and a picture: one trace, read once, for two verbs.
 *
 *	causes data/cholesky.csv report.svg
 */
#include <stdio.h>
#include <traceviz/trace.h>

static int fail(traceviz_trace *trace, traceviz_error *error)
{
	fprintf(stderr, "causes: %s\n", traceviz_error_text(error));
	traceviz_error_free(error);
	traceviz_close(trace);
	return 1;
}

/* Milliseconds and share of each cause. */
static void print(const traceviz_result *result)
{
	size_t cause = (size_t)traceviz_find(result, "Cause");
	const int32_t *label = traceviz_labels(result, cause);
	const int64_t *time = traceviz_ints(result, (size_t)traceviz_find(result, "Time"));
	const double *share = traceviz_doubles(result, (size_t)traceviz_find(result, "Share"));

	for (size_t i = 0; i < traceviz_rows(result); i++)
		printf("%-14s %10.3f ms %6.2f %%\n",
		       traceviz_label_text(result, cause, (size_t)label[i], NULL),
		       (double)time[i] / 1e6, share[i]);
}

int main(int argc, char **argv)
{
	const char *words[] = { argc > 1 ? argv[1] : "data/cholesky.csv", NULL };
	const char *options[] = { "--by", "run", NULL };
	traceviz_error *error = NULL;
	traceviz_trace *trace = traceviz_open(words, &error);
	traceviz_result *result;

	if (trace == NULL)
		return fail(NULL, error);
	result = traceviz_run(trace, "idle-causes", options, &error);
	if (result == NULL)
		return fail(trace, error);
	for (size_t i = 0; traceviz_message(result, i) != NULL; i++)
		printf("note: %s\n", traceviz_message(result, i));
	print(result);
	traceviz_free(result);
	if (argc > 2 && traceviz_plot(trace, argv[2], NULL, &error) < 0)
		return fail(trace, error);
	traceviz_close(trace);
	return 0;
}
