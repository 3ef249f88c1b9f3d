/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_report.c -- the numbers of a simulation, as a table and in words. */
#include "cli/simulate_report.h"

#include "analysis/core/columns.h"
#include "cli/options.h"

#define COLUMNS(X) \
	X(RUN, "Run", TV_LABEL, false, "", \
	  "recorded; nearest: simulated as it was, by the policy nearest to it; simulated") \
	X(SCHEDULER, "Scheduler", TV_LABEL, false, "", "scheduling policy") \
	X(WORKERS, "Workers", TV_INT, false, "", "number of workers") \
	X(TASKS, "Tasks", TV_INT, false, "", "number of tasks") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "last end of a task - first start") \
	X(CHANGE, "Change", TV_DOUBLE, false, "%", "of Makespan, against the recorded run") \
	X(LOW, "LowMakespan", TV_TIME, false, "ms", \
	  "of simulated, without --scheduler: the makespan is likely not below this " \
	  "(docs/simulation.md)") \
	X(HIGH, "HighMakespan", TV_TIME, false, "ms", "nor above this")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_simulate_columns[TV_SIMULATE_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

static int64_t recorded_of(const struct tv_run *run)
{
	return tv_tasks_ended(&run->tasks) - run->tasks.begin;
}

static double change_of(int64_t makespan, int64_t recorded)
{
	return recorded > 0 ? 100 * (double)(makespan - recorded) / (double)recorded : 0;
}

void tv_simulate_report(const struct tv_cli *cli, const struct tv_run *run,
			const struct tv_simulation *s)
{
	int64_t recorded = recorded_of(run);
	int64_t simulated = s->schedule.makespan;

	if (s->memory.simulated)
		tv_say(cli, "%zu transfers between memory nodes%s", s->schedule.ntransfers,
		       s->memory.fitted ? ", as fast as the fastest of the trace" : "");
	if (s->memory.simulated && s->memory.capacity != NULL) {
		const struct tv_sim_space_log *space = s->schedule.space;
		size_t written = 0;

		for (size_t i = 0; i < s->schedule.ntransfers; i++)
			written += s->schedule.transfer[i].writes_back;
		tv_say(cli, "%zu copies left limited memory, %zu of them written back",
		       space->nevictions, written);
		if (space->exceeded > 0)
			tv_say(cli,
			       "data of tasks in work exceeded a memory by up to %lld bytes: "
			       "these tasks ran with what they need",
			       (long long)space->exceeded);
	}
	if (s->platform.simulated) {
		const struct tv_sim_numa_log *log = s->schedule.log;
		uint64_t reads = log->count[TV_SIM_HIT] + log->count[TV_SIM_MISS];

		if (s->platform.numa.model != TV_SIM_TASK)
			tv_say(cli,
			       "%zu transfers on the platform, whose rates were solved %llu times, "
			       "for %.1f of them on average",
			       log->nflows, (unsigned long long)log->work.solves,
			       log->work.solves > 0
				       ? (double)log->work.solved / (double)log->work.solves
				       : 0);
		if (reads > 0)
			tv_say(cli,
			       "%.1f %% of %llu reads found their data in the last-level cache",
			       100 * (double)log->count[TV_SIM_HIT] / (double)reads,
			       (unsigned long long)reads);
	}
	if (cli->output == NULL)
		return;
	if (run->tasks.ntasks == 0) {
		tv_say(cli, "%u planned tasks on %u workers: makespan %.3f ms", run->tasks.nplanned,
		       s->nworkers, (double)simulated / 1e6);
		return;
	}
	tv_say(cli, "%u tasks on %u workers: makespan %.3f ms, recorded %.3f ms (%+.1f %%)",
	       s->dag->tasks->ntasks - s->dag->tasks->ncut, s->nworkers, (double)simulated / 1e6,
	       (double)recorded / 1e6, change_of(simulated, recorded));
}

void tv_simulate_say_nearest(const struct tv_cli *cli, const struct tv_run *run,
			     const struct tv_policy_time *nearest)
{
	if (nearest != NULL)
		tv_say(cli,
		       "policy %s is nearest to the run: simulated on its machine it takes %.3f "
		       "ms, "
		       "recorded %.3f ms (%+.1f %%)",
		       nearest->name, (double)nearest->makespan / 1e6,
		       (double)recorded_of(run) / 1e6,
		       change_of(nearest->makespan, recorded_of(run)));
}

/* run: as recorded; of: as simulated. */
static void add_numbers(struct tv_table *table, const struct tv_run *run, const struct tv_run *of,
			const char *name, const char *scheduler, uint32_t workers, int64_t makespan)
{
	uint32_t row = tv_table_add_row(table), ran = of->tasks.ntasks - of->tasks.ncut;

	tv_set_text(table->col[RUN], row, name);
	if (scheduler != NULL)
		tv_set_text(table->col[SCHEDULER], row, scheduler);
	tv_set_int(table->col[WORKERS], row, workers);
	tv_set_int(table->col[TASKS], row, ran > 0 ? ran : run->tasks.nplanned);
	tv_set_int(table->col[MAKESPAN], row, makespan);
	if (ran > 0)
		tv_set_double(table->col[CHANGE], row, change_of(makespan, recorded_of(run)));
}

int tv_simulate_print(const struct tv_cli *cli, const struct tv_run *run,
		      struct tv_simulator *simulator, const struct tv_simulation *s,
		      const struct tv_simulation_options *options,
		      const struct tv_policies *policies, struct tv_error *err)
{
	const struct tv_policy_time *nearest = policies->nearest;
	uint32_t workers = run->tasks.nworkers;
	struct tv_makespan_range range = { 0 };
	struct tv_table table;
	int rc = 0;

	tv_table_init(&table, run->trace->pool);
	tv_add_fields(&table, tv_simulate_columns, TV_SIMULATE_COLUMNS);
	if (run->tasks.ntasks > 0)
		add_numbers(&table, run, run, "recorded", NULL, workers, recorded_of(run));
	if (nearest != NULL)
		add_numbers(&table, run, run, "nearest", nearest->name, workers, nearest->makespan);
	add_numbers(&table, run, simulator->run, "simulated", options->scheduler, s->nworkers,
		    s->schedule.makespan);
	if (nearest != NULL)
		rc = tv_policies_range(&range, policies, recorded_of(run), simulator, options, s,
				       err);
	if (rc == 0 && nearest != NULL) {
		tv_set_int(table.col[LOW], table.nrows - 1, range.low);
		tv_set_int(table.col[HIGH], table.nrows - 1, range.high);
	}
	tv_table_finish(&table);
	if (rc == 0)
		rc = tv_print_table(cli, &table, NULL, table.nrows, err);
	tv_table_release(&table);
	return rc;
}
