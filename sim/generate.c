/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generate.c -- task graphs of well-known programs. */
/*
 * To add a program: write a function that submits its tasks in the order of the program, and add its
 * row below. Help and docs of `generate` follow from the rows.
 */
#include "sim/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/random.h"
#include "trace/accesses.h"
#include "trace/alloc.h"

enum { MAX_ACCESSES = 8 };

enum column {
	VALUE,
	JOB,
	KIND,
	FLAG,
	DEPENDS,
	ITERATION,
	PRIORITY,
	X,
	Y,
	GFLOP,
	HANDLES,
	MODES,
	SIZES,
	NCOLUMNS
};
static const char *const names[] = {
	[VALUE] = "Value",
	[JOB] = "JobId",
	[KIND] = "Kind",
	[FLAG] = "Flag",
	[DEPENDS] = "DependsOn",
	[ITERATION] = "Iteration",
	[PRIORITY] = "Priority",
	[X] = "X",
	[Y] = "Y",
	[GFLOP] = "GFlop",
	[HANDLES] = "Handles",
	[MODES] = "Modes",
	[SIZES] = "Sizes",
};
_Static_assert(TV_COUNT(names) == NCOLUMNS, "a name for each column");

/* A block of data: of matrix 'A', 'T' (QR's factors), 'B' (the other grid of a stencil). */
struct block {
	char matrix;
	uint32_t row, column;
};

struct job {
	const char *value;
	bool setup;
	uint32_t iteration, x, y;
	int64_t priority;
	double gflop;
	size_t n;
	struct block block[MAX_ACCESSES];
	bool reads[MAX_ACCESSES], writes[MAX_ACCESSES];
};

struct tv_generation {
	struct tv_trace *trace;
	struct tv_column *column[NCOLUMNS];
	struct tv_accesses accesses;
	double volume; /* cube of a tile's side, in 10^9 */
	uint64_t bytes;
	uint64_t state;
};

static void add_access(struct job *job, const char *mode, char matrix, uint32_t row,
		       uint32_t column)
{
	job->block[job->n] = (struct block){ matrix, row, column };
	job->reads[job->n] = strchr(mode, 'R') != NULL;
	job->writes[job->n++] = strchr(mode, 'W') != NULL;
}

static uint64_t number_of(struct block block)
{
	return (uint64_t)(unsigned char)block.matrix << 56 | (uint64_t)block.row << 28
	     | block.column;
}

static void write_lists(struct tv_generation *g, const struct job *job, uint32_t row)
{
	uint32_t handle[MAX_ACCESSES], mode[MAX_ACCESSES], size[MAX_ACCESSES];
	struct tv_pool *pool = g->trace->pool;
	char text[64];

	snprintf(text, sizeof text, "%llu", (unsigned long long)g->bytes);
	for (size_t i = 0; i < job->n; i++) {
		char name[64];

		snprintf(name, sizeof name, "%c%u_%u", job->block[i].matrix, job->block[i].row,
			 job->block[i].column);
		handle[i] = tv_intern_text(pool, name);
		mode[i] = tv_intern_text(pool, !job->writes[i] ? "R" : job->reads[i] ? "RW" : "W");
		size[i] = tv_intern_text(pool, text);
	}
	tv_set_list(g->column[HANDLES], row, handle, job->n);
	tv_set_list(g->column[MODES], row, mode, job->n);
	tv_set_list(g->column[SIZES], row, size, job->n);
}

static void write_dependencies(struct tv_generation *g, const struct job *job, uint32_t row)
{
	struct tv_access access[MAX_ACCESSES];
	uint32_t *before;

	for (size_t i = 0; i < job->n; i++)
		access[i] = (struct tv_access){ number_of(job->block[i]),
						job->writes[i] ? TV_ACCESS_WRITE : TV_ACCESS_READ };
	tv_accesses_add(&g->accesses, 0, row, access, job->n);
	if (g->accesses.nbefore == 0)
		return;
	before = tv_alloc(g->accesses.nbefore, sizeof *before);
	for (size_t i = 0; i < g->accesses.nbefore; i++)
		before[i] = tv_label(g->column[JOB], g->accesses.before[i]);
	tv_set_list(g->column[DEPENDS], row, before, g->accesses.nbefore);
	tv_free(before);
}

static void submit(struct tv_generation *g, const struct job *job)
{
	uint32_t row = tv_table_add_row(&g->trace->table[TV_TASKS]);
	char id[16];

	snprintf(id, sizeof id, "%u", row);
	tv_set_text(g->column[JOB], row, id);
	tv_set_text(g->column[VALUE], row, job->value);
	tv_set_text(g->column[KIND], row, job->setup ? "setup" : "app");
	tv_set_text(g->column[FLAG], row, TV_PLANNED);
	write_dependencies(g, job, row);
	write_lists(g, job, row);
	tv_set_int(g->column[X], row, job->x);
	tv_set_int(g->column[Y], row, job->y);
	if (job->setup)
		return;
	tv_set_int(g->column[ITERATION], row, job->iteration);
	tv_set_int(g->column[PRIORITY], row, job->priority);
	tv_set_double(g->column[GFLOP], row, job->gflop);
}

/* A job of iteration k on tile (row, column), which it reads and writes. */
static struct job on_tile(const char *value, uint32_t k, uint32_t row, uint32_t column,
			  double gflop)
{
	struct job job = { .value = value, .iteration = k, .x = column, .y = row, .gflop = gflop };

	add_access(&job, "RW", 'A', row, column);
	return job;
}

/* As KASTORS allocates: a task per tile, row by row. */
static void allocate(struct tv_generation *g, uint32_t p)
{
	for (uint32_t row = 0; row < p; row++)
		for (uint32_t column = 0; column < p; column++) {
			struct job job = { .value = "plgsy", .setup = true, .x = column, .y = row };

			add_access(&job, "W", 'A', row, column);
			submit(g, &job);
		}
}

/* Tiled Cholesky, right-looking, lower. Flops of the kernels: [Dongarra et al., LAWN 41]. Priorities
 * as in StarPU's example: 2p - 2k for potrf, minus the row and column of the others. */
static void cholesky(struct tv_generation *g, const struct tv_generate_options *o)
{
	uint32_t p = o->tiles;

	for (uint32_t k = 0; k < p; k++) {
		int64_t urgent = 2 * ((int64_t)p - k);
		struct job job = on_tile("potrf", k, k, k, g->volume / 3);

		job.priority = urgent;
		submit(g, &job);
		for (uint32_t m = k + 1; m < p; m++) {
			job = on_tile("trsm", k, m, k, g->volume);
			add_access(&job, "R", 'A', k, k);
			job.priority = urgent - m;
			submit(g, &job);
		}
		for (uint32_t m = k + 1; m < p; m++) {
			job = on_tile("syrk", k, m, m, g->volume);
			add_access(&job, "R", 'A', m, k);
			job.priority = urgent - 2 * (int64_t)m;
			submit(g, &job);
			for (uint32_t n = k + 1; n < m; n++) {
				job = on_tile("gemm", k, m, n, 2 * g->volume);
				add_access(&job, "R", 'A', m, k);
				add_access(&job, "R", 'A', n, k);
				job.priority = urgent - m - n;
				submit(g, &job);
			}
		}
	}
}

/* Flat-tree tile QR [Buttari et al., A class of parallel tiled linear algebra algorithms, 2009]: row
 * k against each row below. Flops without inner blocking: 4/3, 2, 2, 4 b^3. */
static void qr(struct tv_generation *g, const struct tv_generate_options *o)
{
	uint32_t p = o->tiles;

	for (uint32_t k = 0; k < p; k++)
		for (uint32_t m = k; m < p; m++) {
			bool top = m == k;
			struct job job = on_tile(top ? "geqrt" : "tsqrt", k, k, k,
						 g->volume * (top ? 4.0 / 3 : 2));

			if (!top)
				add_access(&job, "RW", 'A', m, k);
			job.y = m;
			add_access(&job, "W", 'T', m, k);
			job.priority = 2 * ((int64_t)p - k) - (m - k);
			submit(g, &job);
			for (uint32_t n = k + 1; n < p; n++) {
				job = on_tile(top ? "unmqr" : "tsmqr", k, k, n,
					      g->volume * (top ? 2 : 4));
				if (!top)
					add_access(&job, "RW", 'A', m, n);
				job.y = m;
				add_access(&job, "R", 'A', m, k);
				add_access(&job, "R", 'T', m, k);
				job.priority = 2 * ((int64_t)p - k) - (m - k) - (n - k);
				submit(g, &job);
			}
		}
}

/* Dense tiled LU without pivoting, as SparseLU of BOTS and KASTORS on a full matrix. */
static void lu(struct tv_generation *g, const struct tv_generate_options *o)
{
	uint32_t p = o->tiles;

	for (uint32_t k = 0; k < p; k++) {
		int64_t urgent = 2 * ((int64_t)p - k);
		struct job job = on_tile("getrf", k, k, k, g->volume * 2 / 3);

		job.priority = urgent;
		submit(g, &job);
		for (uint32_t n = k + 1; n < p; n++) {
			job = on_tile("trsm_row", k, k, n, g->volume);
			add_access(&job, "R", 'A', k, k);
			job.priority = urgent - n;
			submit(g, &job);
		}
		for (uint32_t m = k + 1; m < p; m++) {
			job = on_tile("trsm_column", k, m, k, g->volume);
			add_access(&job, "R", 'A', k, k);
			job.priority = urgent - m;
			submit(g, &job);
		}
		for (uint32_t m = k + 1; m < p; m++)
			for (uint32_t n = k + 1; n < p; n++) {
				job = on_tile("gemm", k, m, n, 2 * g->volume);
				add_access(&job, "R", 'A', m, k);
				add_access(&job, "R", 'A', k, n);
				job.priority = urgent - m - n;
				submit(g, &job);
			}
	}
}

/* Jacobi's method by blocks: each block of one grid from those of the other that touch it. */
static void stencil(struct tv_generation *g, const struct tv_generate_options *o)
{
	static const int near[][2] = { { -1, 0 }, { 0, -1 }, { 0, 0 }, { 0, 1 }, { 1, 0 } };
	uint32_t p = o->tiles;

	for (uint32_t i = 0; i < o->rounds; i++)
		for (uint32_t at = 0; at < p * p; at++) {
			uint32_t row = at / p, column = at % p;
			/* four additions and a multiplication per point */
			struct job job = { .value = "sweep",
					   .iteration = i,
					   .x = column,
					   .y = row,
					   .gflop = 5e-9 * o->tile * o->tile };

			add_access(&job, "W", i % 2 ? 'A' : 'B', row, column);
			for (size_t k = 0; k < TV_COUNT(near); k++) {
				uint32_t m = row + (uint32_t)near[k][0];
				uint32_t n = column + (uint32_t)near[k][1];

				if (m < p && n < p)
					add_access(&job, "R", i % 2 ? 'B' : 'A', m, n);
			}
			submit(g, &job);
		}
}

/* Phases of independent tasks; the join writes what the tasks of a phase read. */
static void forkjoin(struct tv_generation *g, const struct tv_generate_options *o)
{
	for (uint32_t i = 0; i < o->rounds; i++) {
		struct job join = { .value = "join", .iteration = i };

		for (uint32_t k = 0; k < o->tiles; k++) {
			struct job job = on_tile("work", i, 0, k, 2 * g->volume);

			add_access(&job, "R", 'P', 0, 0);
			submit(g, &job);
		}
		add_access(&join, "RW", 'P', 0, 0);
		submit(g, &join);
	}
}

/* Tasks that update one of sqrt(n) blocks and read others; of random work, 0.5 to 1.5 times a gemm. */
static void random_graph(struct tv_generation *g, const struct tv_generate_options *o)
{
	uint32_t blocks = (uint32_t)ceil(sqrt(o->tiles));

	g->state = o->seed != 0 ? o->seed : 1;
	for (uint32_t i = 0; i < o->tiles; i++) {
		uint32_t at = (uint32_t)(tv_random_share(&g->state) * blocks);
		struct job job = on_tile("task", i, 0, at, 0);

		job.gflop = 2 * g->volume * (0.5 + tv_random_share(&g->state));
		job.iteration = 0;
		for (double left = o->density; left > 0 && job.n < MAX_ACCESSES; left--) {
			uint32_t other = (uint32_t)(tv_random_share(&g->state) * blocks);

			if (tv_random_share(&g->state) < left && other != at)
				add_access(&job, "R", 'A', 0, other);
		}
		submit(g, &job);
	}
}

const struct tv_generator tv_generators[] = {
	{ "cholesky",
	  "tiled Cholesky factorization, right-looking",
	  { 12, 512, 1, false, 1, 0 },
	  cholesky },
	{ "qr", "tiled QR factorization with a flat tree", { 12, 512, 1, false, 1, 0 }, qr },
	{ "lu", "tiled LU factorization without pivoting", { 12, 512, 1, false, 1, 0 }, lu },
	{ "stencil", "Jacobi's method on a grid by blocks", { 12, 512, 10, false, 1, 0 }, stencil },
	{ "forkjoin",
	  "phases of independent tasks with a join",
	  { 100, 512, 10, false, 1, 0 },
	  forkjoin },
	{ "random",
	  "tasks with random accesses to data",
	  { 1000, 512, 1, false, 1, 1.5 },
	  random_graph },
};
const uint32_t tv_ngenerators = TV_COUNT(tv_generators);

const struct tv_generator *tv_generator_find(const char *name)
{
	for (uint32_t i = 0; i < tv_ngenerators; i++)
		if (strcmp(tv_generators[i].name, name) == 0)
			return &tv_generators[i];
	return NULL;
}

/* An upper limit of the number of tasks. */
static double count_tasks(const struct tv_generator *generator, const struct tv_generate_options *o)
{
	double p = o->tiles;

	if (generator->run == stencil)
		return p * p * o->rounds;
	if (generator->run == forkjoin)
		return (p + 1) * o->rounds;
	if (generator->run == random_graph)
		return p;
	return (p * p * (p + 3) / 2 + p * p) * o->rounds;
}

int tv_generate(const struct tv_generator *generator, const struct tv_generate_options *options,
		struct tv_trace *trace, struct tv_error *err)
{
	struct tv_generation g = { .trace = trace };
	bool repeats = generator->run == cholesky || generator->run == qr || generator->run == lu;

	if (count_tasks(generator, options) > (double)TV_ROWS_MAX / 2)
		return tv_fail(err, "--tiles %u: more tasks than a table has rows", options->tiles);
	/* First those that a CSV must have, with a value or without. */
	for (size_t i = 0; i < tv_schema[TV_TASKS].nfields; i++)
		if (tv_schema[TV_TASKS].field[i].required)
			tv_trace_column(trace, TV_TASKS, tv_schema[TV_TASKS].field[i].name);
	for (int c = 0; c < NCOLUMNS; c++)
		g.column[c] = tv_trace_column(trace, TV_TASKS, names[c]);
	g.volume = 1e-9 * options->tile * options->tile * options->tile;
	g.bytes = (uint64_t)options->tile * options->tile * sizeof(double);
	for (uint32_t round = 0; round < (repeats ? options->rounds : 1); round++) {
		if (options->allocate)
			allocate(&g, options->tiles);
		generator->run(&g, options);
	}
	tv_accesses_release(&g.accesses);
	tv_table_finish(&trace->table[TV_TASKS]);
	tv_meta_add(trace, "Format", "generated");
	tv_meta_add(trace, "Program", "%s", generator->name);
	tv_meta_add(trace, "Tiles", "%u", options->tiles);
	tv_meta_add(trace, "Tile", "%u", options->tile);
	tv_table_finish(&trace->table[TV_META]);
	return 0;
}
