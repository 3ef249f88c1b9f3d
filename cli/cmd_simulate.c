/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_simulate.c -- traceviz simulate: run the tasks of a trace on another machine. */
#include <stddef.h>
#include <string.h>

#include "analysis/bounds/absent.h"
#include "cli/options.h"
#include "cli/simulate_report.h"
#include "sim/model/policies.h"
#include "sim/model/regrain.h"
#include "sim/model/sweep.h"
#include "trace/alloc.h"
#include "trace/near_names.h"

struct asked {
	struct tv_simulation_options options;
	const char *absent, *sweep;
	uint64_t repeats;
	bool simulation_time;
	const char *speed; /* the last one; all: tv_own_values */
};

const struct tv_option_spec tv_simulate_options[TV_SIMULATE_OPTIONS] = {
	{ "resources", "TYPE=N,...", NULL,
	  "workers of the simulated machine, on each node (default: as recorded)", TV_OPTION_LIST,
	  TV_ASKED(options.resources) },
	{ "add", "TYPE=N,...", NULL, "workers besides those, on each node", TV_OPTION_LIST,
	  TV_ASKED(options.add) },
	{ "sweep", "TYPE=A..B", NULL,
	  "write no trace, but a table: makespan, speedup and bounds with A to B workers "
	  "of "
	  "TYPE on each node (or TYPE=A,B,...)",
	  TV_ASKED(sweep) },
	{ "scheduler", "NAME", NULL,
	  "see below; --sweep: several, with commas (default: the policy nearest to the run)",
	  TV_ASKED(options.scheduler) },
	{ "durations", "trace|task-clock|mean|median|minimum|sample", "trace",
	  "how long a task takes: as recorded on its own resource type (task-clock: "
	  "the time that it had a processor), else the mean of "
	  "its type there; always the mean, median or minimum; or a random one of "
	  "its type there",
	  TV_OPTION_CHOICE, TV_ASKED(options.costs.durations) },
	{ "durations-from", "TRACE|FILE", NULL,
	  "durations by task type and resource type from the tasks of another "
	  "trace, or from a table of abe, instead of the run's",
	  TV_ASKED(options.costs.durations_from) },
	{ "seed", "N", "1",
	  "of --durations sample and --placement random: the same job has the same luck "
	  "in "
	  "each simulation of a seed",
	  TV_OPTION_COUNT, 0, 4294967295.0, TV_ASKED(options.costs.seed) },
	{ "speed", "EXPR=FACTOR", NULL,
	  "divide durations by FACTOR where EXPR holds, e.g. 'Value == gemm and "
	  "ResourceType "
	  "== CUDA=2'; repeatable, factors multiply",
	  TV_ASKED(speed) },
	{ "submission", "trace|all-at-once|window:N", "all-at-once",
	  "when tasks are submitted; window:N: at most N that have not ended",
	  TV_ASKED(options.submission) },
	{ "transfers", "free|fit|latency=T,bandwidth=B[,bus=B]", NULL,
	  "time of transfers between memory nodes: none; by the fastest of the trace "
	  "for each link; or T + size / B for all, such as "
	  "latency=10us,bandwidth=12GB/s (default: fit if the trace has transfers, "
	  "handles and one node, else free); fit,bus=16GB/s or fit,bus=fit: all "
	  "links "
	  "share so much",
	  TV_ASKED(options.transfers) },
	{ "memory", "TYPE=SIZE,...", NULL,
	  "size of each memory node of workers of a type, such as CUDA=8GB: data leave "
	  "it to make space (default: no limit)",
	  TV_OPTION_LIST, TV_ASKED(options.memory) },
	{ "free-messages", NULL, NULL, "messages between nodes take no time",
	  TV_ASKED(options.free_messages) },
	{ "data-size", "SIZE", NULL,
	  "size of the data that have none in the trace, such as 2MiB (default: 0 "
	  "bytes, "
	  "with a warning)",
	  TV_ASKED(options.data_size) },
	/* Of rare use: the last TV_SIMULATE_RARE. */
	{ "absent", "late|left|unused,...", NULL,
	  "workers that began late, left early or ran nothing while tasks waited (findings of "
	  "diagnose) are there only when they were (default: all workers take tasks all the time)",
	  TV_OPTION_LIST, TV_ASKED(absent) },
	{ "overhead", "TIME|TYPE=TIME,...", NULL,
	  "what each task, or each of a task type, takes besides on its worker, such as 5us: "
	  "costs of the runtime",
	  TV_ASKED(options.costs.overhead) },
	{ "grain", "TYPE=K|TYPE=1/K", NULL,
	  "merge K tasks of a task type into one, or split each into K parts that may run side "
	  "by side",
	  TV_ASKED(options.grain) },
	{ "platform", "NAME|FILE", NULL,
	  "the cores of a platform (see platform) are the workers, of type CPU; "
	  "--resources CPU=N: the first N of them",
	  TV_ASKED(options.on.name) },
	{ "model", "task|comm|comm-cache|comm-2020", "task",
	  "what memory accesses on the platform take: nothing; transfers from and to the "
	  "data's home memory; also through last-level caches; all at once before the "
	  "computation; with --sweep several, with commas",
	  TV_ASKED(options.on.model) },
	{ "overlap", "RATIO|TYPE=RATIO,...", NULL,
	  "share of a task's computation that hides its memory accesses, 0 to 1, of "
	  "all "
	  "tasks, of task types or of a program (default: 0)",
	  TV_ASKED(options.on.overlap) },
	{ "placement", "first-touch|round-robin|random|trace", NULL,
	  "home memory of data: near the core that first uses them (setup tasks, "
	  "which run on the cores in turn, else the task); one after the other; "
	  "near a core drawn at random; as recorded (default: first-touch)",
	  TV_OPTION_CHOICE, TV_ASKED(options.on.placement) },
	{ "scratch", "SIZE", NULL,
	  "with comm-cache: work space that each core always has in its cache and each "
	  "task writes, such as 128KiB",
	  TV_ASKED(options.on.scratch) },
	{ "crosstraffic", "yes|no", NULL,
	  "each transfer on the platform also takes 5 % of its rate on the links "
	  "of "
	  "its way back (default: as the platform's file says, else no)",
	  TV_OPTION_CHOICE, TV_ASKED(options.on.crosstraffic) },
	{ "pipeline", "N", NULL,
	  "tasks that a worker outside main memory may have at a time: 2 = the next "
	  "one's "
	  "data are fetched while it runs one (default: " TV_TEXT_OF(
		  TV_PIPELINE) " where transfers take time)",
	  TV_OPTION_COUNT, 1, 1000, TV_ASKED(options.pipeline) },
	{ "gflops", "TYPE=N,...", NULL,
	  "where no duration is known: GFlop of the task over N GFlop/s, assumed", TV_OPTION_LIST,
	  TV_ASKED(options.costs.gflops) },
	{ "repeats", "N", "1",
	  "with --sweep and --durations sample or --placement random: N runs of each "
	  "machine, with seeds from that on",
	  TV_OPTION_COUNT, 1, 1000000, TV_ASKED(repeats) },
	{ "simulation-time", NULL, NULL,
	  "with --sweep: CPU time of the simulations, which differs from run "
	  "to run",
	  TV_ASKED(simulation_time) },
};

const char tv_simulate_notes[] =
	"A task is released when its predecessors have ended and it is submitted. Its transfers\n"
	"begin when it is placed on a worker: at its release (dm*, heft, replay), else when a\n"
	"worker takes it. Messages between nodes take the time that they took. With several\n"
	"nodes each task stays on its node. t = 0 is that of the recorded run. Planned tasks\n"
	"and those on a platform have fifo by default.";

void tv_list_policies(struct tv_output *out)
{
	tv_output_text(out, "Scheduling policies:\n");
	for (uint32_t i = 0; i < tv_nschedulers; i++)
		tv_output_format(out, "  %-14s %s\n", tv_schedulers[i].name,
				 tv_schedulers[i].summary);
}

void tv_describe_simulate(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\n");
	tv_list_policies(out);
	tv_output_text(out, "\nThe output is a trace like any other. Options of --platform and "
			    "others of rare use, and what\nis simulated: traceviz help "
			    "notes:simulate\n");
}

void tv_describe_more_of_simulate(const struct tv_verb *verb, struct tv_output *out)
{
	const struct tv_columns forms[] = {
		{ tv_simulate_columns, TV_SIMULATE_COLUMNS, "no -o" },
		{ tv_sweep_columns, tv_nsweep_columns, "--sweep" },
	};

	tv_output_text(out, "\nOptions of --platform, and of rare use:\n");
	tv_cli_list_rare(verb, out);
	tv_output_text(out, "\n");
	tv_list_forms(forms, TV_COUNT(forms), out);
}

/* Whether an option TYPE=N,... that was checked has workers of a type. */
static bool has_type(const char *option, const char *text, const char *type)
{
	struct tv_type_number entry;
	struct tv_error ignored;

	for (const char *at = text; at != NULL && *at != '\0';)
		if (tv_next_type_number(option, text, &at, &entry, &ignored)
		    && entry.length == strlen(type) && strncmp(entry.name, type, entry.length) == 0
		    && entry.number > 0)
			return true;
	return false;
}

/* --resources names all workers of the machine: a type that it leaves out is easily forgotten. */
static void report_missing_types(const struct tv_cli *cli, const struct tv_tasks *tasks,
				 const struct tv_simulation_options *options)
{
	if (options->resources == NULL || options->on.name != NULL)
		return;
	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		const char *type = tv_pool_text(tasks->pool, tasks->rtype[r].label);
		uint32_t recorded = 0;

		for (uint32_t i = 0; i < tasks->nworkers; i++)
			recorded += tasks->workers[i].rtype == r;
		if (recorded > 0 && !has_type("resources", options->resources, type)
		    && !has_type("add", options->add, type))
			tv_say(cli,
			       "the simulated machine has no %s, of which the recorded one had %u: "
			       "--resources names all workers of the machine",
			       type, recorded);
	}
}

/* The run that is simulated: *changed with --grain, which is uninitialized on entry; release it in any case. NULL with *err. */
static struct tv_run *change_grain(struct tv_run *run, const struct tv_simulation_options *options,
				   struct tv_regrained *changed, struct tv_error *err)
{
	*changed = (struct tv_regrained){ 0 };
	if (options->grain == NULL)
		return run;
	return tv_regrain(changed, run, options->grain, err) < 0 ? NULL : &changed->run;
}

/* When workers are there by --absent; NULL = all the time. Free *present. */
static int find_present(const char *absent, struct tv_run *run, struct tv_sim_presence **present,
			struct tv_error *err)
{
	struct tv_absences absences = { 0 };
	unsigned kinds = 0;
	bool found = false;
	int rc;

	*present = NULL;
	if (absent == NULL || run->tasks.ncounted == 0)
		return 0;
	for (int kind = 0; kind < TV_NABSENCES; kind++)
		kinds |= strstr(absent, tv_absence_word[kind]) != NULL ? 1U << kind : 0;
	rc = tv_absences_of_run(&absences, run, err);
	if (rc == 0)
		*present = tv_absences_present(&absences, run->tasks.nworkers, kinds);
	for (uint32_t w = 0; *present != NULL && w < run->tasks.nworkers; w++)
		found |= (absences.is[w] & kinds) != 0;
	if (rc == 0 && !found)
		tv_run_warn(run, "--absent %s: no worker is; all take tasks all the time", absent);
	tv_absences_release(&absences);
	return rc;
}

/* Without --scheduler: the policy nearest to the run; *policies are those of it, else none. */
static int choose_scheduler(struct tv_simulation_options *options, struct tv_run *run,
			    const struct tv_sim_presence *present, struct tv_policies *policies,
			    struct tv_error *err)
{
	*policies = (struct tv_policies){ 0 };
	if (options->scheduler != NULL)
		return 0;
	options->scheduler = "fifo";
	if (run->tasks.ncounted == 0 || options->on.name != NULL)
		return 0;
	if (tv_policies_of_run(policies, run, present, err) < 0)
		return -1;
	options->scheduler = policies->nearest->name;
	return 0;
}

/* What other tasks ran between those that --restrict chooses is in their recorded makespan. */
static void note_part(const struct tv_cli *cli, struct tv_run *run)
{
	size_t n;

	if (cli->restriction != NULL && tv_meta_get(run->trace, TV_META_LEFT_OUT, &n) != NULL)
		tv_run_warn(run, "--restrict: the simulation has the chosen tasks alone; recorded "
				 "is from their first start to their last end, with all that ran "
				 "between");
}

/* Planned tasks of which no duration is given take their GFlop over the platform's speed, assumed.
 * Returns what is to be freed. */
static char *assume_speed(struct tv_simulation_options *options, const struct tv_run *run)
{
	char *gflops;

	if (options->on.platform == NULL || options->costs.gflops != NULL
	    || options->costs.durations_from != NULL || run->tasks.ncounted > 0)
		return NULL;
	gflops = tv_platform_gflops(options->on.platform);
	options->costs.gflops = gflops;
	return gflops;
}

static int sweep(const struct tv_cli *cli, struct asked *asked, struct tv_error *err)
{
	struct tv_session session;
	struct tv_policies policies;
	struct tv_regrained changed = { 0 };
	struct tv_run *run = NULL;
	struct tv_table table;
	char *gflops = NULL;
	int rc = tv_session_open(&session, cli, err);

	if (rc == 0)
		rc = choose_scheduler(&asked->options, &session.run, NULL, &policies, err);
	if (rc == 0)
		run = change_grain(&session.run, &asked->options, &changed, err);
	if (run == NULL)
		rc = -1;
	if (rc == 0) {
		tv_simulate_say_nearest(cli, &session.run, policies.nearest);
		gflops = assume_speed(&asked->options, run);
		rc = tv_sweep(run, &asked->options, asked->sweep, asked->options.scheduler,
			      (uint32_t)asked->repeats, asked->simulation_time, &table, err);
		tv_print_diagnostics(cli, &session.run.diagnostics);
		if (rc == 0)
			rc = tv_print_table(cli, &table, NULL, table.nrows, err);
		tv_table_release(&table);
	}
	tv_regrained_release(&changed);
	tv_session_close(&session);
	tv_free(gflops);
	return rc;
}

static int simulate(const struct tv_cli *cli, struct asked *asked, struct tv_error *err)
{
	struct tv_simulation_options *options = &asked->options;
	char *gflops = NULL, *types = NULL;
	struct tv_sim_presence *present = NULL;
	struct tv_simulator simulator = { 0 };
	struct tv_simulation simulation;
	struct tv_policies policies;
	struct tv_session session;
	struct tv_regrained changed = { 0 };
	struct tv_run *run = NULL;
	struct tv_trace trace = { 0 };
	int rc = tv_session_open(&session, cli, err);

	if (rc == 0) {
		note_part(cli, &session.run);
		rc = find_present(asked->absent, &session.run, &present, err);
	}
	if (rc == 0)
		rc = choose_scheduler(options, &session.run, present, &policies, err);
	if (rc == 0)
		run = change_grain(&session.run, options, &changed, err);
	if (run == NULL)
		rc = -1;
	if (rc == 0) {
		gflops = assume_speed(options, run);
		if (options->on.platform != NULL)
			types = tv_platform_types(options->on.platform, &run->tasks,
						  options->costs.durations_from != NULL
							  || options->costs.gflops != NULL);
		rc = tv_simulator_init(
			&simulator, run, &options->costs,
			(const char *const[]){ types != NULL ? types : options->resources,
					       options->add },
			2, err);
	}
	if (rc == 0 && strcmp(options->scheduler, "replay") != 0)
		tv_slow_workers_note(&simulator.costs, &session.run,
				     options->resources != NULL || options->on.platform != NULL);
	simulator.present = present;
	if (rc == 0) {
		rc = tv_simulation_init(&simulation, &simulator, options, err);
		report_missing_types(cli, &session.run.tasks, options);
	}
	tv_print_diagnostics(cli, &session.run.diagnostics);
	if (rc == 0) {
		if (cli->output == NULL) {
			rc = tv_simulate_print(cli, &session.run, &simulator, &simulation, options,
					       &policies, err);
		} else {
			rc = tv_simulation_trace(&simulation, run, options, &trace, err);
			if (rc == 0)
				rc = tv_write_run(cli, &trace, err);
			if (rc == 0)
				tv_simulate_say_nearest(cli, &session.run, policies.nearest);
		}
		if (rc == 0)
			tv_simulate_report(cli, &session.run, &simulation);
		if (rc == 0 && options->costs.nspeeds > 0
		    && strcmp(options->scheduler, "replay") == 0)
			tv_say(cli,
			       "replay keeps each task on its worker: with another --scheduler "
			       "faster workers get more tasks");
		tv_trace_release(&trace);
		tv_simulation_release(&simulation);
	}
	tv_simulator_release(&simulator);
	tv_regrained_release(&changed);
	tv_session_close(&session);
	tv_free(types);
	tv_free(gflops);
	tv_free(present);
	return rc;
}

/* Seeds and repeats need durations that are drawn. */
static int check_draws(const struct tv_cli *cli, const struct asked *asked, struct tv_error *err)
{
	const struct tv_options own = tv_cli_own_options(cli);
	bool repeats = TV_GIVEN(&own, struct asked, repeats);
	bool seed = TV_GIVEN(&own, struct asked, options.costs.seed);
	const char *placement = asked->options.on.placement;

	if (repeats && asked->sweep == NULL)
		return tv_fail_usage(err, "--repeats has no effect without --sweep");
	if (asked->simulation_time && asked->sweep == NULL)
		return tv_fail_usage(err, "--simulation-time has no effect without --sweep");
	if (strcmp(asked->options.costs.durations, "sample") == 0
	    || (placement != NULL && strcmp(placement, "random") == 0))
		return 0;
	if (seed || repeats)
		return tv_fail_usage(err,
				     "--%s has no effect without --durations sample or "
				     "--placement random",
				     seed ? "seed" : "repeats");
	return 0;
}

/* What the command line asks for; release it. */
static struct asked read_options(const struct tv_cli *cli)
{
	const size_t place = offsetof(struct asked, speed);
	const char **speed = tv_alloc(tv_own_values(cli, place, NULL), sizeof *speed);
	struct asked asked = { 0 };

	tv_cli_own_fill(cli, &asked, sizeof asked);
	asked.options.on.seed = asked.options.costs.seed;
	asked.options.costs.regrained = asked.options.grain != NULL;
	asked.options.costs.speed = speed;
	asked.options.costs.nspeeds = tv_own_values(cli, place, speed);
	return asked;
}

static void release_options(struct asked *asked)
{
	tv_free((void *)asked->options.costs.speed);
}

int tv_simulate_run(const struct tv_cli *cli, struct tv_run *run, struct tv_trace *out,
		    struct tv_error *err)
{
	struct asked asked = read_options(cli);
	struct tv_simulation_options *options = &asked.options;
	const char *const more[] = { options->resources, options->add };
	struct tv_simulator simulator = { 0 };
	struct tv_simulation simulation = { 0 };
	struct tv_regrained changed = { 0 };
	struct tv_policies policies;
	struct tv_sim_presence *present = NULL;
	int rc = find_present(asked.absent, run, &present, err);

	if (rc == 0)
		rc = choose_scheduler(options, run, present, &policies, err);
	if (rc == 0) {
		run = change_grain(run, options, &changed, err);
		rc = run == NULL ? -1 : 0;
	}
	if (rc == 0)
		rc = tv_simulator_init(&simulator, run, &options->costs, more, TV_COUNT(more), err);
	simulator.present = present;
	if (rc == 0)
		rc = tv_simulation_init(&simulation, &simulator, options, err);
	if (rc == 0)
		rc = tv_simulation_trace(&simulation, run, options, out, err);
	tv_simulation_release(&simulation);
	tv_simulator_release(&simulator);
	tv_regrained_release(&changed);
	tv_free(present);
	release_options(&asked);
	return rc;
}

static int fail_scheduler(const char *name, struct tv_error *err)
{
	struct tv_near near;

	if (strchr(name, ',') != NULL)
		return tv_fail_usage(err,
				     "--scheduler '%s': several policies need --sweep, as in "
				     "--sweep CPU=1..8",
				     name);
	tv_near_init(&near, name);
	for (uint32_t i = 0; i < tv_nschedulers; i++)
		tv_near_offer(&near, tv_schedulers[i].name);
	return tv_fail_usage(err,
			     "--scheduler '%s'%s, expected one of those that 'traceviz simulate "
			     "--help' lists",
			     name, tv_near_text(&near));
}

static int check_sweep(const struct tv_cli *cli, const struct asked *asked, struct tv_error *err)
{
	char *type = tv_strndup(asked->sweep, strcspn(asked->sweep, "="));
	int rc = tv_sweep_check(asked->sweep, err);

	if (rc == 0 && has_type("resources", asked->options.resources, type))
		rc = tv_fail_usage(err,
				   "--resources %s has no effect: --sweep gives the number of "
				   "these workers",
				   type);
	if (rc == 0 && cli->output != NULL && !cli->json)
		rc = tv_check_ending(cli->output,
				     "FILE.csv, a name without ending, or - (traceviz FILE.csv -o "
				     "FILE.pdf draws it)",
				     err);
	tv_free(type);
	return rc;
}

/* What the command line alone shows to be wrong. */
static int check_usage(const struct tv_cli *cli, const struct asked *asked, struct tv_error *err)
{
	const struct tv_simulation_options *options = &asked->options;

	if (check_draws(cli, asked, err) < 0 || tv_simulation_check(options, err) < 0
	    || tv_regrain_check(options->grain, err) < 0)
		return -1;
	if (options->grain != NULL
	    && (options->transfers != NULL || options->memory != NULL || options->data_size != NULL
		|| options->on.name != NULL))
		return tv_fail_usage(err, "--transfers, --memory, --data-size and --platform have "
					  "no effect with --grain: what its tasks access is not "
					  "known");
	if (asked->absent != NULL
	    && (asked->sweep != NULL || options->resources != NULL || options->add != NULL
		|| options->grain != NULL || options->on.name != NULL))
		return tv_fail_usage(
			err, "--absent needs the machine and the tasks of the run: not with "
			     "--resources, --add, --sweep, --grain, --platform");
	if (asked->sweep != NULL)
		return check_sweep(cli, asked, err);
	if (options->scheduler != NULL && tv_scheduler_find(options->scheduler) == NULL)
		return fail_scheduler(options->scheduler, err);
	return tv_simulated_platform_check(&options->on, err);
}

int tv_cmd_simulate(const struct tv_cli *cli, struct tv_error *err)
{
	struct asked asked = read_options(cli);
	struct tv_simulation_options *options = &asked.options;
	struct tv_platform platform = { 0 };
	int rc = check_usage(cli, &asked, err);

	if (rc == 0 && options->on.name != NULL) {
		rc = tv_read_platform(cli, &platform, options->on.name, err);
		options->on.platform = &platform;
	}
	if (rc == 0 && asked.sweep != NULL) {
		rc = sweep(cli, &asked, err);
	} else if (rc == 0) {
		rc = cli->output != NULL ? tv_check_tables(cli->output, err) : 0;
		if (rc == 0)
			rc = simulate(cli, &asked, err);
	}
	tv_platform_release(&platform);
	release_options(&asked);
	return rc;
}
