/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tile-tasks.c -- what the tasks of a tiled algorithm, their accesses and dependencies must be: an oracle for
 * examples/openmp and for what is recorded from it. It shares no code with them.
 *
 *   tile-tasks [OPTIONS] KIND TILES    one line per task in the order of creation, indices from 0:
 *                  INDEX TYPE PREDECESSOR...      by access, then by index; each predecessor once
 *   KIND           cholesky, qr, lu, lu_pivot; stencil: as many sweeps as TILES
 *   --accesses     INDEX TYPE MODE:TILE...        MODE is R, W or RW; TILE is A3,1 or T3,1; P0,k: pivots of step k
 *   --all          all earlier tasks with a conflicting access, not only those that no other task separates
 *   --init         first a task per tile that writes it, row by row
 *
 * Two accesses conflict if they name the same tile and one writes it. A task k between i and j separates
 * them at a tile if its access conflicts with both. Brute force: each task against all earlier ones.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TILES = 100, MAX_ACCESSES = MAX_TILES + 2 };

struct access {
	char matrix; /* 'A'; 'T': factors of reflectors of the tile; 'B': every other grid */
	int row, column;
	bool read, write;
};

struct task {
	const char *type;
	int n;
	struct access at[MAX_ACCESSES];
};

static struct task *tasks;
static int n_tasks, capacity;
static bool print_accesses, print_all;

static struct task *add(const char *type)
{
	if (n_tasks == capacity) {
		capacity = capacity ? 2 * capacity : 1024;
		tasks = realloc(tasks, (size_t)capacity * sizeof(*tasks));
		if (!tasks)
			abort();
	}
	tasks[n_tasks] = (struct task){ .type = type };
	return &tasks[n_tasks++];
}

static void access_tile(struct task *task, const char *mode, char matrix, int row, int column)
{
	task->at[task->n++] = (struct access){ matrix, row, column, strchr(mode, 'R') != NULL,
					       strchr(mode, 'W') != NULL };
}

static void add_init(int p)
{
	for (int tile = 0; tile < p * p; tile++)
		access_tile(add("init_tile"), "W", 'A', tile / p, tile % p);
}

/* For k: A(k,k) = L L^T; A(m,k) = A(m,k) L(k,k)^-T; A(m,n) -= A(m,k) A(n,k)^T for k < n <= m, by rows. */
static void add_cholesky(int p)
{
	for (int k = 0; k < p; k++) {
		access_tile(add("potrf"), "RW", 'A', k, k);
		for (int m = k + 1; m < p; m++) {
			struct task *trsm = add("trsm");

			access_tile(trsm, "RW", 'A', m, k);
			access_tile(trsm, "R", 'A', k, k);
		}
		for (int m = k + 1; m < p; m++) {
			struct task *syrk = add("syrk");

			access_tile(syrk, "RW", 'A', m, m);
			access_tile(syrk, "R", 'A', m, k);
			for (int n = k + 1; n < m; n++) {
				struct task *gemm = add("gemm");

				access_tile(gemm, "RW", 'A', m, n);
				access_tile(gemm, "R", 'A', m, k);
				access_tile(gemm, "R", 'A', n, k);
			}
		}
	}
}

/* One row operation of QR: A(top,n) and, if different, A(row,n) by the reflectors of (row,k). */
static void add_qr_step(int p, int k, int row)
{
	bool diagonal = row == k;
	struct task *factor = add(diagonal ? "geqrt" : "tsqrt");

	access_tile(factor, "RW", 'A', k, k);
	if (!diagonal)
		access_tile(factor, "RW", 'A', row, k);
	access_tile(factor, "W", 'T', row, k);
	for (int n = k + 1; n < p; n++) {
		struct task *update = add(diagonal ? "unmqr" : "tsmqr");

		access_tile(update, "RW", 'A', k, n);
		if (!diagonal)
			access_tile(update, "RW", 'A', row, n);
		access_tile(update, "R", 'A', row, k);
		access_tile(update, "R", 'T', row, k);
	}
}

static void add_qr(int p)
{
	for (int k = 0; k < p; k++)
		for (int row = k; row < p; row++)
			add_qr_step(p, k, row);
}

/* For k: A(k,k) = L U; A(k,n) = L(k,k)^-1 A(k,n); A(m,k) = A(m,k) U(k,k)^-1; A(m,n) -= A(m,k) A(k,n). */
/* The tiles (m, n) from row k on. */
static void access_column(struct task *task, int k, int n, int p)
{
	for (int m = k; m < p; m++)
		access_tile(task, "RW", 'A', m, n);
}

/* For k: P L U of column k from row k on; for n > k: the same swaps, A(k,n) = L(k,k)^-1 A(k,n), A(m,n) -=
 * A(m,k) A(k,n) for m > k; then for n < k the swaps of step k. */
static void add_lu_pivot(int p)
{
	for (int k = 0; k < p; k++) {
		struct task *panel = add("getrf");

		access_column(panel, k, k, p);
		access_tile(panel, "W", 'P', 0, k);
		for (int n = k + 1; n < p; n++) {
			struct task *swap = add("swptr");

			access_column(swap, k, n, p);
			access_tile(swap, "R", 'A', k, k);
			access_tile(swap, "R", 'P', 0, k);
			for (int m = k + 1; m < p; m++) {
				struct task *gemm = add("gemm");

				access_tile(gemm, "RW", 'A', m, n);
				access_tile(gemm, "R", 'A', m, k);
				access_tile(gemm, "R", 'A', k, n);
			}
		}
	}
	for (int k = 1; k < p; k++)
		for (int n = 0; n < k; n++) {
			struct task *swap = add("laswp");

			access_column(swap, k, n, p);
			access_tile(swap, "R", 'P', 0, k);
		}
}

static void add_lu(int p)
{
	for (int k = 0; k < p; k++) {
		access_tile(add("getrf"), "RW", 'A', k, k);
		for (int other = 0; other < 2 * (p - k - 1); other++) {
			bool row = other < p - k - 1;
			int at = k + 1 + other % (p - k - 1);
			struct task *trsm = add(row ? "trsm_row" : "trsm_column");

			access_tile(trsm, "RW", 'A', row ? k : at, row ? at : k);
			access_tile(trsm, "R", 'A', k, k);
		}
		for (int m = k + 1; m < p; m++)
			for (int n = k + 1; n < p; n++) {
				struct task *gemm = add("gemm");

				access_tile(gemm, "RW", 'A', m, n);
				access_tile(gemm, "R", 'A', m, k);
				access_tile(gemm, "R", 'A', k, n);
			}
	}
}

/* Each block of one grid from the blocks of the other that touch it, by rows. */
static void add_stencil(int p)
{
	for (int i = 0; i < p * p * p; i++) {
		int row = i / p % p, column = i % p;
		bool odd = i / p / p % 2;
		struct task *task = add("sweep");

		access_tile(task, "W", odd ? 'A' : 'B', row, column);
		for (int m = row - 1; m <= row + 1; m++)
			for (int n = column - 1; n <= column + 1; n++)
				if (m >= 0 && m < p && n >= 0 && n < p && (m == row || n == column))
					access_tile(task, "R", odd ? 'B' : 'A', m, n);
	}
}

static const struct access *find(const struct task *task, const struct access *like)
{
	for (int i = 0; i < task->n; i++)
		if (task->at[i].matrix == like->matrix && task->at[i].row == like->row
		    && task->at[i].column == like->column)
			return &task->at[i];
	return NULL;
}

/* Marks the earlier tasks on which task `at` depends by one access; prints those not yet marked. */
static void print_predecessors(int at, const struct access *mine, int *marks)
{
	bool read_between = false, written_between = false;
	int first = at;

	for (int i = at - 1; i >= 0; i--) {
		const struct access *its = find(&tasks[i], mine);

		if (!its)
			continue;
		if ((mine->write || its->write)
		    && (print_all
			|| !(written_between || (mine->write && its->write && read_between)))
		    && marks[i] != at + 1) {
			marks[i] = -(at + 1);
			first = i;
		}
		written_between |= its->write;
		read_between |= its->read;
	}
	for (int i = first; i < at; i++)
		if (marks[i] == -(at + 1)) {
			marks[i] = at + 1;
			printf(" %d", i);
		}
}

static void print_tasks(void)
{
	int *marks = calloc((size_t)n_tasks + 1, sizeof(*marks));

	if (!marks)
		abort();
	for (int i = 0; i < n_tasks; i++) {
		printf("%d %s", i, tasks[i].type);
		for (int k = 0; k < tasks[i].n; k++) {
			const struct access *a = &tasks[i].at[k];

			if (print_accesses)
				printf(" %s%s:%c%d,%d", a->read ? "R" : "", a->write ? "W" : "",
				       a->matrix, a->row, a->column);
			else
				print_predecessors(i, a, marks);
		}
		putchar('\n');
	}
	free(marks);
}

int main(int argc, char **argv)
{
	bool init = false;
	int at, p;

	for (at = 1; at < argc && argv[at][0] == '-'; at++) {
		print_accesses |= !strcmp(argv[at], "--accesses");
		print_all |= !strcmp(argv[at], "--all");
		init |= !strcmp(argv[at], "--init");
	}
	p = at + 2 == argc ? (int)strtol(argv[at + 1], NULL, 10) : 0;
	if (p < 1 || p > MAX_TILES) {
		fprintf(stderr, "usage: tile-tasks [--accesses|--all] [--init] "
				"cholesky|qr|lu|lu_pivot|stencil TILES\n");
		return 2;
	}
	if (init)
		add_init(p);
	if (!strcmp(argv[at], "cholesky"))
		add_cholesky(p);
	else if (!strcmp(argv[at], "qr"))
		add_qr(p);
	else if (!strcmp(argv[at], "lu"))
		add_lu(p);
	else if (!strcmp(argv[at], "lu_pivot"))
		add_lu_pivot(p);
	else if (!strcmp(argv[at], "stencil"))
		add_stencil(p);
	else
		return 2;
	print_tasks();
	free(tasks);
	return fflush(stdout) ? 1 : 0;
}
