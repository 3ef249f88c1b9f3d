/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_generate.c -- traceviz generate: the task graph of a well-known program, or MPI calls with known truth. */
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"
#include "sim/generate.h"
#include "sim/generate_mpi.h"

enum { USUAL_MPI_ROUNDS = 3 };
#define LONGEST 1e11 /* ns */

/* 0: the default of the program. */
struct asked {
	uint64_t tiles, tile, rounds, seed;
	bool allocate;
	double density;
	uint64_t ranks, cores;
	enum tv_mpi_progress progress;
	int64_t comm_ns, compute_ns, period_ns;
	double imbalance;
};

const struct tv_option_spec tv_generate_options[TV_GENERATE_OPTIONS] = {
	{ "tiles", "N", NULL,
	  "tiles of a side of the matrix; blocks of a side of the grid; tasks of a phase; tasks "
	  "(default: see below)",
	  TV_OPTION_COUNT, 1, 10000000, TV_ASKED(tiles) },
	{ "tile", "N", "512", "rows and columns of a tile", TV_OPTION_COUNT, 1, 1000000,
	  TV_ASKED(tile) },
	{ "allocate", NULL, NULL, "begin each round with a setup task per tile that writes it",
	  TV_ASKED(allocate) },
	{ "density", "N", "1.5", "mean number of blocks that a task of random reads",
	  TV_OPTION_NUMBER, 0, 7, TV_ASKED(density) },
	{ "rounds", "N", NULL,
	  "how often the program does its work; sweeps; phases (default: see below)",
	  TV_OPTION_COUNT, 1, 1000000, TV_ASKED(rounds) },
	{ "seed", "N", "1", "seed of random and mpi", TV_OPTION_COUNT, 1, 4294967295.0,
	  TV_ASKED(seed) },
	{ "ranks", "N", "4", "mpi: ranks", TV_OPTION_COUNT, 2, 100000, TV_ASKED(ranks) },
	{ "cores", "N", "4", "mpi: cores of a rank", TV_OPTION_COUNT, 2, 1024, TV_ASKED(cores) },
	{ "progress", "none|timer|idle|bound", "none",
	  "mpi: what makes communications progress outside of MPI calls: nothing, a timer, cores "
	  "without work, a dedicated core",
	  TV_OPTION_CHOICE, TV_ASKED(progress) },
	{ "comm-time", "TIME", "4", "mpi: a communication alone", TV_OPTION_TIME, 0, LONGEST,
	  TV_ASKED(comm_ns) },
	{ "compute-time", "TIME", "8", "mpi: the computation beside it alone; 0: none",
	  TV_OPTION_TIME, 0, LONGEST, TV_ASKED(compute_ns) },
	{ "period", "TIME", "1", "mpi: between two ticks of --progress timer", TV_OPTION_TIME, 1000,
	  LONGEST, TV_ASKED(period_ns) },
	{ "imbalance", "N", "0.2",
	  "mpi: how much longer a rank may prepare a communication, as a share", TV_OPTION_NUMBER,
	  0, 10, TV_ASKED(imbalance) },
};

/* Whether only task graphs have the option that fills a member, and whether only mpi has. */
static bool is_of_graphs(size_t member)
{
	return member == offsetof(struct asked, tiles) || member == offsetof(struct asked, tile)
	    || member == offsetof(struct asked, allocate)
	    || member == offsetof(struct asked, density);
}

static bool is_of_mpi(size_t member)
{
	return !is_of_graphs(member) && member != offsetof(struct asked, rounds)
	    && member != offsetof(struct asked, seed);
}

void tv_describe_generate(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nPrograms (default of --tiles, of --rounds):\n");
	for (uint32_t i = 0; i < tv_ngenerators; i++)
		tv_output_format(out, "  %-10s %s (%u, %u)\n", tv_generators[i].name,
				 tv_generators[i].summary, tv_generators[i].usual.tiles,
				 tv_generators[i].usual.rounds);
	tv_output_format(
		out,
		"\nThe tasks are planned (Flag): they have no worker and no times until "
		"they are simulated.\nJobIds count submissions from 0; dependencies follow "
		"from Handles and Modes.\n"
		"\nmpi (--rounds %d): MPI calls, messages and tasks of a model, for tests and "
		"teaching. Nothing ran;\nmeta says synthetic. Needs -o DIR.\n",
		USUAL_MPI_ROUNDS);
}

/* Options that are not for this program. */
static int refuse(const struct tv_cli *cli, bool (*of_others)(size_t member), struct tv_error *err)
{
	for (size_t i = 0; i < cli->verb.noptions; i++)
		if (cli->own_value[i] != NULL && of_others(cli->verb.option[i].offset))
			return tv_fail_usage(err, "--%s has no effect on %s",
					     cli->verb.option[i].name, cli->trace[0].path);
	return 0;
}

static int generate_mpi(const struct tv_cli *cli, const struct asked *asked, struct tv_trace *trace,
			struct tv_error *err)
{
	const struct tv_options own = tv_cli_own_options(cli);
	const struct tv_mpi_program program = {
		.ranks = (uint32_t)asked->ranks,
		.cores = (uint32_t)asked->cores,
		.rounds = asked->rounds > 0 ? (uint32_t)asked->rounds : USUAL_MPI_ROUNDS,
		.progress = asked->progress,
		.comm = asked->comm_ns,
		.compute = asked->compute_ns,
		.period = asked->period_ns,
		.imbalance = asked->imbalance,
		.seed = asked->seed,
	};

	if (refuse(cli, is_of_graphs, err) < 0)
		return -1;
	if (TV_GIVEN(&own, struct asked, period_ns) && program.progress != TV_PROGRESS_TIMER)
		return tv_fail_usage(err, "--period has no effect without --progress timer");
	if (cli->output == NULL || tv_is_single(cli->output))
		return tv_fail_usage(err, "mpi: expected -o DIR: calls, messages and tasks are "
					  "several tables");
	return tv_generate_mpi(&program, trace, err);
}

static int generate_graph(const struct tv_cli *cli, const struct asked *asked,
			  const struct tv_generator *generator, struct tv_trace *trace,
			  struct tv_error *err)
{
	const struct tv_generate_options options = {
		.tiles = asked->tiles > 0 ? (uint32_t)asked->tiles : generator->usual.tiles,
		.tile = (uint32_t)asked->tile,
		.rounds = asked->rounds > 0 ? (uint32_t)asked->rounds : generator->usual.rounds,
		.allocate = asked->allocate,
		.seed = asked->seed,
		.density = asked->density,
	};

	if (refuse(cli, is_of_mpi, err) < 0)
		return -1;
	return tv_generate(generator, &options, trace, err);
}

int tv_cmd_generate(const struct tv_cli *cli, struct tv_error *err)
{
	const char *program = cli->ntraces == 1 ? cli->trace[0].path : "";
	const struct tv_generator *generator = tv_generator_find(program);
	bool mpi = strcmp(program, "mpi") == 0;
	struct asked asked;
	struct tv_trace trace;
	int rc;

	if (generator == NULL && !mpi)
		return tv_fail_usage(err, "expected the name of one program, such as cholesky; "
					  "'traceviz generate --help' lists them");
	if (cli->output != NULL && tv_check_tables(cli->output, err) < 0)
		return -1;
	tv_trace_init(&trace, &cli->read);
	tv_cli_own_fill(cli, &asked, sizeof asked);
	rc = mpi ? generate_mpi(cli, &asked, &trace, err)
		 : generate_graph(cli, &asked, generator, &trace, err);
	if (rc == 0)
		rc = tv_write_run(cli, &trace, err);
	tv_trace_release(&trace);
	return rc;
}
