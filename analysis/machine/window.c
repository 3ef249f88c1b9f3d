/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.c -- consecutive values of variables, N at a time. */
#include "analysis/machine/samples.h"
#include "trace/alloc.h"

/* The end of the series that begins at `first`. */
static size_t series_end(const struct tv_samples *samples, size_t first)
{
	size_t i = first;

	while (i < samples->n && samples->at[i].type == samples->at[first].type
	       && samples->at[i].resource == samples->at[first].resource)
		i++;
	return i;
}

static void write_windows(const struct tv_samples *samples, size_t first, size_t last, size_t size,
			  enum tv_monitor_function function, struct tv_table *out)
{
	double *value = tv_alloc(size, sizeof *value);

	for (size_t n; first < last; first += n) {
		struct tv_sample s = samples->at[first];

		for (n = 0; n < size && first + n < last; n++) {
			const struct tv_sample *at = &samples->at[first + n];

			value[n] = at->value;
			s.end = at->end > s.end ? at->end : s.end;
		}
		s.value = tv_monitor_apply(function, value, n);
		if (s.value == s.value)
			tv_sample_write(out, &s);
	}
	tv_free(value);
}

struct asked {
	uint64_t size;
	enum tv_samples_by by;
	const char *name;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->size == 0)
		return tv_fail_usage(err, "window needs the number of values, expected 'window N'");
	return 0;
}

static int run_window(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	size_t size = (size_t)asked->size;
	struct tv_samples samples;

	if (tv_samples_init(&samples, run, asked->name, err) < 0) {
		tv_samples_release(&samples);
		return -1;
	}
	size = size < samples.n ? size : samples.n;
	for (size_t first = 0, last; first < samples.n; first = last) {
		last = series_end(&samples, first);
		write_windows(&samples, first, last, size, tv_samples_function[asked->by], out);
	}
	tv_samples_release(&samples);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "size", "N", NULL, "values of a window", TV_OPTION_COUNT, 1, 0, TV_ASKED(size) },
	{ "by", "sum|mean|min|max|var", "mean", "what is made of the values of a window",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
	{ "name", "NAME,...", NULL, "Type of the variables; * and ? match (default: all)",
	  TV_OPTION_LIST, TV_ASKED(name) },
};

const struct tv_pass tv_pass_window = {
	.name = "window",
	.summary = "Values of variables, N consecutive ones made one",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "size",
	TV_PASS_COLUMNS(tv_sample_columns),
	.table = "variables",
	.notes =
		"The values of each variable and resource in order of time, N at a time: from the\n"
		"Start of the first to the End of the last. The last window of each may have "
		"fewer.\n"
		"Counts are added by --by sum; the mean is that of the values, whatever their\n"
		"lengths; var is the variance of the population.",
	.example = "traceviz window 10 --by max --name 'Used*' data/cholesky-4nodes/p1x4",
	.taskless = true,
	.check = check_options,
	.run = run_window,
};
