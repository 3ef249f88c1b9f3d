/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_generate.c -- traceviz generate: the task graph of a well-known program. */
#include "cli/cli.h"
#include "sim/generate.h"
#include "trace/number.h"

/* Places in the rows of options. */
enum { TILES, TILE, ROUNDS, ALLOCATE, SEED, DENSITY };

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
	[SEED] = { "seed", "N", "1", "seed of random", TV_OPTION_COUNT, 1, 4294967295.0 },
	[DENSITY] = { "density", "N", "1.5", "mean number of blocks that a task of random reads",
		      TV_OPTION_NUMBER, 0, 7 },
};

void tv_describe_generate(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nPrograms (default of --tiles, of --rounds):\n");
	for (uint32_t i = 0; i < tv_ngenerators; i++)
		tv_output_format(out, "  %-10s %s (%u, %u)\n", tv_generators[i].name,
				 tv_generators[i].summary, tv_generators[i].usual.tiles,
				 tv_generators[i].usual.rounds);
	tv_output_text(out,
		       "\nThe tasks are planned (Flag): they have no worker and no times until "
		       "they are simulated.\nJobIds count submissions from 0; dependencies follow "
		       "from Handles and Modes.\n");
}

static uint32_t count_of(const struct tv_cli *cli, size_t option, uint32_t usual)
{
	return (uint32_t)tv_value_count(cli->own_value[option], usual);
}

int tv_cmd_generate(const struct tv_cli *cli, struct tv_error *err)
{
	const struct tv_generator *generator = cli->ntraces == 1
						     ? tv_generator_find(cli->trace[0].path)
						     : NULL;
	struct tv_generate_options options;
	struct tv_trace trace;
	int rc;

	if (generator == NULL)
		return tv_fail_usage(err, "expected the name of one program, such as cholesky; "
					  "'traceviz generate --help' lists them");
	options = (struct tv_generate_options){
		.tiles = count_of(cli, TILES, generator->usual.tiles),
		.tile = count_of(cli, TILE, 512),
		.rounds = count_of(cli, ROUNDS, generator->usual.rounds),
		.allocate = cli->own_value[ALLOCATE] != NULL,
		.seed = tv_value_count(cli->own_value[SEED], 1),
		.density = tv_value_number(cli->own_value[DENSITY], 1.5),
	};
	if (cli->output != NULL && tv_check_tables(cli->output, err) < 0)
		return -1;
	tv_trace_init(&trace, &cli->read);
	rc = tv_generate(generator, &options, &trace, err);
	if (rc == 0)
		rc = tv_write_run(cli, &trace, err);
	tv_trace_release(&trace);
	return rc;
}
