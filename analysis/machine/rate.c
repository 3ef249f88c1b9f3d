/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate.c -- counts of variables per second, or the time of each. */
#include "analysis/machine/samples.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define NS_PER_S 1e9

/* The variable of the rates: TYPE/s. */
static uint32_t rate_name(struct tv_run *run, uint32_t type, const char *unit)
{
	char *name = tv_format("%s%s", tv_pool_text(run->trace->pool, type), unit);
	uint32_t label = tv_intern_text(run->trace->pool, name);

	tv_free(name);
	return label;
}

/* Accesses of which each waits for the one before cannot take less than a memory needs. */
static void warn_impossible(struct tv_run *run, const struct tv_sample *sample, double latency)
{
	char ns[TV_NUMBER_MAX];

	tv_write_double(ns, (double)(int64_t)(sample->value * 100 + 0.5) / 100);
	tv_run_warn(
		run,
		"%s of %s: one each %s ns and chain, below --min-latency %g ns. The counts are not "
		"those of dependent accesses to memory, or columns are exchanged",
		tv_pool_text(run->trace->pool, sample->type),
		tv_pool_text(run->trace->pool, sample->resource), ns, latency);
}

struct asked {
	const char *name;
	uint64_t chains; /* 0 = rates */
	int64_t min_latency_ns;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->chains == 0 && TV_GIVEN(options, struct asked, min_latency_ns))
		return tv_fail_usage(err, "--min-latency has no effect without --chains");
	return 0;
}

static int run_rate(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	double latency = (double)asked->min_latency_ns, chains = (double)asked->chains;
	size_t gauges = 0, none = 0;
	struct tv_samples samples;
	int rc = tv_samples_init(&samples, run, asked->name, err);

	for (size_t i = 0; rc == 0 && i < samples.n; i++) {
		struct tv_sample s = samples.at[i];
		double ns = (double)(s.end - s.start);

		if (s.end <= s.start) {
			gauges++;
			continue;
		}
		if (chains > 0 && s.value <= 0) {
			none++;
			continue;
		}
		s.type = rate_name(run, s.type, chains > 0 ? " (ns each)" : "/s");
		s.value = chains > 0 ? ns * chains / s.value : s.value / (ns / NS_PER_S);
		tv_sample_write(out, &s);
		if (chains > 0 && s.value < latency)
			warn_impossible(run, &s, latency);
	}
	if (gauges > 0)
		tv_run_warn(run, "%zu values have no rate: they are of an instant (gauges)",
			    gauges);
	if (none > 0)
		tv_run_warn(run, "%zu values count nothing, so no time of one", none);
	tv_samples_release(&samples);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME,...", NULL, "Type of the variables; * and ? match (default: all)",
	  TV_OPTION_LIST, TV_ASKED(name) },
	{ "chains", "N", NULL,
	  "counts are accesses by N threads, each of which waits for its last one: print ns of one",
	  TV_OPTION_COUNT, 1, 1000000, TV_ASKED(chains) },
	{ "min-latency", "TIME", "20ns", "with --chains: warn of shorter times", TV_OPTION_TIME,
	  TV_ASKED(min_latency_ns) },
};

const struct tv_pass tv_pass_rate = {
	.name = "rate",
	.summary = "Counts of variables per second",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(tv_sample_columns),
	.table = "variables",
	.notes =
		"Each value divided by the length of its interval, as the variable TYPE/s. Values\n"
		"of an instant (gauges) have none: they are counted in a warning.\n"
		"--chains N is for programs in which N threads inside each object walk chains of\n"
		"dependent accesses: the time of one access is the interval times N over the\n"
		"count, in ns. No memory answers within 20 ns: such counts are reported as\n"
		"impossible, for example because two columns are exchanged.",
	.example = "traceviz rate --chains 8 data/placement/grouped",
	.taskless = true,
	.check = check_options,
	.run = run_rate,
};
