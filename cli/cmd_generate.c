/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_generate.c -- traceviz generate: the task graph of a well-known program, or MPI calls with known truth. */
#include <string.h>

#include "cli/cli.h"
#include "sim/generate.h"
#include "sim/generate_mpi.h"
#include "trace/number.h"

/* Places in the rows of options. */
enum {
	TILES,
	TILE,
	ALLOCATE,
	DENSITY, /* so far: of task graphs only */
	ROUNDS,
	SEED,
	RANKS, /* from here on: of mpi only */
	CORES,
	PROGRESS,
	COMM_TIME,
	COMPUTE_TIME,
	PERIOD,
	IMBALANCE,
};

enum { MPI_ROUNDS = 3, MS = 1000000, LONGEST = 100000 };

const struct tv_option_spec tv_generate_options[TV_GENERATE_OPTIONS] = {
	[TILES] = { "tiles", "N", NULL,
		    "tiles of a side of the matrix; blocks of a side of the grid; tasks of a "
		    "phase; "
		    "tasks (default: see below)",
		    TV_OPTION_COUNT, 1, 10000000 },
	[TILE] = { "tile", "N", "512", "rows and columns of a tile", TV_OPTION_COUNT, 1, 1000000 },
	[ROUNDS] = { "rounds", "N", NULL,
		     "how often the program does its work; sweeps; phases (default: see below)",
		     TV_OPTION_COUNT, 1, 1000000 },
	[ALLOCATE] = { "allocate", NULL, NULL,
		       "begin each round with a setup task per tile that writes it" },
	[SEED] = { "seed", "N", "1", "seed of random and mpi", TV_OPTION_COUNT, 1, 4294967295.0 },
	[DENSITY] = { "density", "N", "1.5", "mean number of blocks that a task of random reads",
		      TV_OPTION_NUMBER, 0, 7 },
	[RANKS] = { "ranks", "N", "4", "mpi: ranks", TV_OPTION_COUNT, 2, 100000 },
	[CORES] = { "cores", "N", "4", "mpi: cores of a rank", TV_OPTION_COUNT, 2, 1024 },
	[PROGRESS] = { "progress", "none|timer|idle|bound", "none",
		       "mpi: what makes communications progress outside of MPI calls: nothing, a "
		       "timer, "
		       "cores without work, a dedicated core",
		       TV_OPTION_CHOICE },
	[COMM_TIME] = { "comm-time", "TIME", "4", "mpi: a communication alone", TV_OPTION_TIME, 0,
			(double)LONGEST *MS },
	[COMPUTE_TIME] = { "compute-time", "TIME", "8",
			   "mpi: the computation beside it alone; 0: none", TV_OPTION_TIME, 0,
			   (double)LONGEST *MS },
	[PERIOD] = { "period", "TIME", "1", "mpi: between two ticks of --progress timer",
		     TV_OPTION_TIME, 1000, (double)LONGEST *MS },
	[IMBALANCE] = { "imbalance", "N", "0.2",
			"mpi: how much longer a rank may prepare a communication, as a share",
			TV_OPTION_NUMBER, 0, 10 },
};

void tv_describe_generate(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nPrograms (default of --tiles, of --rounds):\n");
	for (uint32_t i = 0; i < tv_ngenerators; i++)
		tv_output_format(out, "  %-10s %s (%u, %u)\n", tv_generators[i].name,
				 tv_generators[i].summary, tv_generators[i].usual.tiles,
				 tv_generators[i].usual.rounds);
	tv_output_text(
		out, "\nThe tasks are planned (Flag): they have no worker and no times until "
		     "they are simulated.\nJobIds count submissions from 0; dependencies follow "
		     "from Handles and Modes.\n"
		     "\nmpi (--rounds 3): MPI calls, messages and tasks of a model, for tests and "
		     "teaching. Nothing ran;\nmeta says synthetic. Needs -o DIR.\n");
}

/* The value that was given, or the default of the row. */
static const char *value_of(const struct tv_cli *cli, size_t option)
{
	return cli->own_value[option] != NULL ? cli->own_value[option]
					      : tv_generate_options[option].default_value;
}

/* usual: without a value and a default. */
static uint32_t count_of(const struct tv_cli *cli, size_t option, uint32_t usual)
{
	return (uint32_t)tv_value_count(value_of(cli, option), usual);
}

static int64_t time_of(const struct tv_cli *cli, size_t option)
{
	return tv_value_time(value_of(cli, option), 0);
}

/* Options from..to that are not for this program. */
static int refuse(const struct tv_cli *cli, size_t from, size_t to, struct tv_error *err)
{
	for (size_t i = from; i <= to; i++)
		if (cli->own_value[i] != NULL)
			return tv_fail_usage(err, "--%s has no effect on %s",
					     tv_generate_options[i].name, cli->trace[0].path);
	return 0;
}

static int generate_mpi(const struct tv_cli *cli, struct tv_trace *trace, struct tv_error *err)
{
	const struct tv_mpi_program program = {
		.ranks = count_of(cli, RANKS, 0),
		.cores = count_of(cli, CORES, 0),
		.rounds = count_of(cli, ROUNDS, MPI_ROUNDS),
		.progress = (enum tv_mpi_progress)tv_value_choice(&tv_generate_options[PROGRESS],
								  value_of(cli, PROGRESS)),
		.comm = time_of(cli, COMM_TIME),
		.compute = time_of(cli, COMPUTE_TIME),
		.period = time_of(cli, PERIOD),
		.imbalance = tv_value_number(value_of(cli, IMBALANCE), 0),
		.seed = tv_value_count(value_of(cli, SEED), 0),
	};

	if (refuse(cli, TILES, DENSITY, err) < 0)
		return -1;
	if (cli->own_value[PERIOD] != NULL && program.progress != TV_PROGRESS_TIMER)
		return tv_fail_usage(err, "--period has no effect without --progress timer");
	if (cli->output == NULL || tv_is_single(cli->output))
		return tv_fail_usage(err, "mpi: expected -o DIR: calls, messages and tasks are "
					  "several tables");
	return tv_generate_mpi(&program, trace, err);
}

static int generate_graph(const struct tv_cli *cli, const struct tv_generator *generator,
			  struct tv_trace *trace, struct tv_error *err)
{
	const struct tv_generate_options options = {
		.tiles = count_of(cli, TILES, generator->usual.tiles),
		.tile = count_of(cli, TILE, 0),
		.rounds = count_of(cli, ROUNDS, generator->usual.rounds),
		.allocate = cli->own_value[ALLOCATE] != NULL,
		.seed = tv_value_count(value_of(cli, SEED), 0),
		.density = tv_value_number(value_of(cli, DENSITY), 0),
	};

	if (refuse(cli, RANKS, IMBALANCE, err) < 0)
		return -1;
	return tv_generate(generator, &options, trace, err);
}

int tv_cmd_generate(const struct tv_cli *cli, struct tv_error *err)
{
	const char *program = cli->ntraces == 1 ? cli->trace[0].path : "";
	const struct tv_generator *generator = tv_generator_find(program);
	bool mpi = strcmp(program, "mpi") == 0;
	struct tv_trace trace;
	int rc;

	if (generator == NULL && !mpi)
		return tv_fail_usage(err, "expected the name of one program, such as cholesky; "
					  "'traceviz generate --help' lists them");
	if (cli->output != NULL && tv_check_tables(cli->output, err) < 0)
		return -1;
	tv_trace_init(&trace, &cli->read);
	rc = mpi ? generate_mpi(cli, &trace, err) : generate_graph(cli, generator, &trace, err);
	if (rc == 0)
		rc = tv_write_run(cli, &trace, err);
	tv_trace_release(&trace);
	return rc;
}
