/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nbc.c -- do nonblocking MPI operations progress while the program computes?
 *
 * An operation is started, matrices are multiplied on all cores, and the operation is waited for,
 * without MPI_Test between. Both axes are times: sizes of messages and matrices are calibrated until
 * each alone takes the wanted time. Method and ratios: F. Reynier, thesis, Bordeaux 2022, chapter 4.
 */
#include <math.h>
#include <omp.h>
#include <string.h>
#ifdef HAVE_OPENBLAS
#include <cblas.h>
#endif

#include "nbc.h"

enum { MAX_ORDER = 8192 };
enum { STARTED, CALLED, COMPUTED, WAITED, NSTAMPS };
enum { CALL, COMPUTE, WAIT, IN_MPI, MEASURED, SKEW, NTIMES };

/* Durations of a run on one rank, or of all ranks, or medians of several runs, s. */
struct times {
	double s[NTIMES];
};
MPI_Comm world;
int rank, nranks;

static MPI_Comm measured; /* operations have a communicator of their own */
static double *sent, *received;
static long capacity; /* of both buffers, doubles */

/* ---- computation: each thread multiplies matrices of its own ---- */

static double *matrices; /* A, B and C of the calling thread */
static int allocated;
#pragma omp threadprivate(matrices, allocated)

static void multiply(int n, const double *a, const double *b, double *c)
{
#ifdef HAVE_OPENBLAS
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
#else
	memset(c, 0, (size_t)n * (size_t)n * sizeof(*c));
	for (int j = 0; j < n; j++)
		for (int k = 0; k < n; k++)
			for (int i = 0; i < n; i++)
				c[j * n + i] += a[k * n + i] * b[j * n + k];
#endif
}

static void compute(int order)
{
#pragma omp parallel num_threads(threads)
	{
		size_t size = (size_t)order * (size_t)order;

		if (order > allocated) {
			free(matrices);
			matrices = malloc(3 * size * sizeof(*matrices));
			if (matrices == NULL)
				fail("no memory for matrices of order %d\n", order);
			for (size_t i = 0; i < 3 * size; i++)
				matrices[i] = 1;
			allocated = order;
		}
		multiply(order, matrices, matrices + size, matrices + 2 * size);
	}
}

/* ---- communication ---- */

static int blocks(int call)
{
	return call == IALLGATHER || call == IALLTOALL ? nranks : 1;
}

static int partner(void)
{
	return (rank ^ 1) < nranks ? rank ^ 1 : MPI_PROC_NULL;
}

/* Returns the number of requests. */
static int start(int call, int n, MPI_Request *request)
{
	if (call == IBCAST)
		MPI_Ibcast(rank ? received : sent, n, MPI_DOUBLE, 0, measured, request);
	else if (call == IREDUCE)
		MPI_Ireduce(sent, received, n, MPI_DOUBLE, MPI_SUM, 0, measured, request);
	else if (call == IALLREDUCE)
		MPI_Iallreduce(sent, received, n, MPI_DOUBLE, MPI_SUM, measured, request);
	else if (call == IALLGATHER)
		MPI_Iallgather(sent, n, MPI_DOUBLE, received, n, MPI_DOUBLE, measured, request);
	else if (call == IALLTOALL)
		MPI_Ialltoall(sent, n, MPI_DOUBLE, received, n, MPI_DOUBLE, measured, request);
	if (call != ISEND)
		return 1;
	MPI_Irecv(received, n, MPI_DOUBLE, partner(), 0, measured, &request[0]);
	MPI_Isend(sent, n, MPI_DOUBLE, partner(), 0, measured, &request[1]);
	return 2;
}

/* What a rank sends; sums of it are exact. */
static double element(int sender, long i)
{
	return sender * 1000 + (double)(i % 997);
}

static void reserve(long n)
{
	if (n <= capacity)
		return;
	free(sent);
	free(received);
	sent = malloc((size_t)n * sizeof(*sent));
	received = calloc((size_t)n, sizeof(*received));
	if (sent == NULL || received == NULL)
		fail("no memory for messages of %ld elements\n", n);
	for (long i = 0; i < n; i++)
		sent[i] = element(rank, i);
	capacity = n;
}

/* Runs an operation once more and compares what has arrived with what was sent. */
static void check(int call, long count)
{
	MPI_Request request[2];
	MPI_Status status[2];
	long n = count * blocks(call);

	for (long i = 0; i < n; i++)
		received[i] = -1;
	MPI_Waitall(start(call, (int)count, request), request, status);
	for (long i = 0; i < n; i++) {
		int from = (int)(i / count);
		double expected = -1; /* unchanged */

		if (call == IBCAST && rank > 0)
			expected = element(0, i);
		else if (call == IALLREDUCE || (call == IREDUCE && rank == 0))
			expected = nranks * (element(0, i) + 500.0 * (nranks - 1));
		else if (call == IALLGATHER)
			expected = element(from, i % count);
		else if (call == IALLTOALL)
			expected = element(from, rank * count + i % count);
		else if (call == ISEND && partner() != MPI_PROC_NULL)
			expected = element(partner(), i);
		if (received[i] != expected)
			fail("%s: rank %d has received %g instead of %g as element %ld of %ld\n",
			     call_name[call], rank, received[i], expected, i, n);
	}
}

/* ---- measurement ---- */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct times median(const struct times *run, int n)
{
	struct times result;
	double value[MAX_RUNS] = { 0 };

	for (int t = 0; t < NTIMES; t++) {
		for (int i = 0; i < n; i++)
			value[i] = run[i].s[t];
		qsort(value, (size_t)n, sizeof(*value), ascending);
		result.s[t] = (value[(n - 1) / 2] + value[n / 2]) / 2;
	}
	return result;
}

/* Of one run, from the stamps of all ranks to times[rank], and to times[nranks] those of all: of each
 * duration the largest of a rank, and from the first start to the last end. */
static void durations(int64_t (*stamps)[MAX_RUNS][NSTAMPS], int i, struct times (*times)[MAX_RUNS])
{
	struct times *whole = &times[nranks][i];
	double earliest = INFINITY, latest = 0, end = 0;

	*whole = (struct times){ 0 };
	for (int r = 0; r < nranks; r++) {
		struct times *own = &times[r][i];
		double at[NSTAMPS];

		for (int s = 0; s < NSTAMPS; s++)
			at[s] = 1e-9 * (double)(stamps[r][i][s] - stamps[0][i][0] + INT32_MAX);
		for (int t = CALL; t <= WAIT; t++)
			own->s[t] = at[t + 1] - at[t];
		own->s[IN_MPI] = own->s[CALL] + own->s[WAIT];
		own->s[MEASURED] = at[WAITED] - at[STARTED];
		for (int t = CALL; t < MEASURED; t++)
			whole->s[t] = larger(whole->s[t], own->s[t]);
		earliest = at[STARTED] < earliest ? at[STARTED] : earliest;
		latest = larger(latest, at[STARTED]);
		end = larger(end, at[WAITED]);
	}
	whole->s[MEASURED] = end - earliest;
	for (int r = 0; r <= nranks; r++)
		times[r][i].s[SKEW] = latest - earliest;
}

/* Runs an operation and a computation; count or order 0: without. Returns the median of a duration of
 * all, on all ranks; rank 0 gets all times. */
static double measure(int call, long count, int order, int what, struct times (*times)[MAX_RUNS])
{
	static int64_t stamp[MAX_RUNS][NSTAMPS];
	int64_t(*stamps)[MAX_RUNS][NSTAMPS] = calloc((size_t)nranks, sizeof(stamp));
	double result = 0;

	if (stamps == NULL)
		fail("no memory for the times of %d ranks\n", nranks);
	reserve(count * blocks(call));
	for (long i = -1; i < want.runs; i++) { /* the first is not counted */
		int64_t *at = stamp[i < 0 ? 0 : i];
		MPI_Request request[2];
		MPI_Status status[2];
		int n;

		start_together();
		at[STARTED] = now();
		n = count ? start(call, (int)count, request) : 0;
		at[CALLED] = now();
		if (order)
			compute(order);
		at[COMPUTED] = now();
		MPI_Waitall(n, request, status);
		at[WAITED] = now();
	}
	calibrate_clock();
	for (long i = 0; i < want.runs; i++)
		for (int s = 0; s < NSTAMPS; s++)
			stamp[i][s] = common(stamp[i][s]);
	MPI_Gather(stamp, sizeof(stamp), MPI_BYTE, stamps, sizeof(stamp), MPI_BYTE, 0, world);
	for (int i = 0; i < want.runs && rank == 0; i++)
		durations(stamps, i, times);
	free(stamps);
	if (rank == 0)
		result = median(times[nranks], (int)want.runs).s[what];
	MPI_Bcast(&result, 1, MPI_DOUBLE, 0, world);
	return result;
}

/* The number of elements, or for NONE the order of matrices, that takes the target time: within 10 %,
 * else the nearest tried. Time grows with size^exponent; shorter and shorter steps end oscillations. */
static long calibrate(int call, double target, struct times (*times)[MAX_RUNS])
{
	double exponent = call == NONE ? 3 : 1, error = INFINITY;
	long high = call == NONE ? MAX_ORDER : want.megabytes * (1 << 17) / blocks(call);
	long size = call == NONE ? 100 : 1000, best = size;

	for (int step = 0; step < want.steps && error > 0.1; step++, exponent *= 1.1) {
		double time = call == NONE ? measure(call, 0, (int)size, COMPUTE, times)
					   : measure(call, size, 0, MEASURED, times);
		double next = (double)size * pow(target / time, 1 / exponent);

		if (fabs(time / target - 1) < error) {
			error = fabs(time / target - 1);
			best = size;
		}
		size = next < 1 ? 1 : next > (double)high ? high : (long)next;
	}
	if (rank == 0 && error > 0.1)
		fprintf(stderr, "nbc: %s: %g ms was not met within 10 %%; the nearest is %ld %s\n",
			call_name[call], target * 1e3, best, call == NONE ? "rows" : "elements");
	return best;
}

/* ---- the table ---- */

struct cell {
	int call, order;
	long count;
	double computation, communication;		     /* targets, s */
	const struct times *comp_reference, *comm_reference; /* medians by rank, then of all */
};

static void print_header(void)
{
	puts("Library,Configuration,Call,Ranks,Nodes,Threads,ComputeTarget,CommTarget,Order,Bytes,"
	     "Rank,"
	     "Run,ComputeReference,CommReference,CallTime,ComputeTime,WaitTime,MeasuredTime,"
	     "OverheadRatio,CommRatio,ComputeSlowdown,StartSkew");
	fflush(stdout);
}

/* The rows of an operation as OSU's benchmarks print theirs. */
static void print_osu_header(int call)
{
	printf("# OSU MPI %s Latency Test (format of OSU, measured by nbc)\n#processes = %d\n"
	       "# %-10s%20s%20s%20s%20s\n",
	       call_name[call], nranks, "Size", "Overall(us)", "Compute(us)", "Pure Comm.(us)",
	       "Overlap(%)");
}

static void print_osu_row(const struct cell *cell, double all)
{
	double comp = cell->comp_reference[nranks].s[COMPUTE];
	double comm = cell->comm_reference[nranks].s[MEASURED];

	printf("%-12ld%20.3f%20.3f%20.3f%20.2f\n", cell->count * 8, all * 1e6, comp * 1e6,
	       comm * 1e6, 100 * larger(0, 1 - (all - comp) / comm));
}

/* Of one rank, or all for nranks; of one run, or medians for -1. */
static void print_row(const struct cell *cell, int of_rank, int of_run, struct times t)
{
	double comp = cell->comp_reference[of_rank].s[COMPUTE];
	double comm = cell->call == NONE ? 0 : cell->comm_reference[of_rank].s[MEASURED];
	char library[MPI_MAX_LIBRARY_VERSION_STRING], version[20];
	int length;

	MPI_Get_library_version(library, &length);
	library[strcspn(library, ",")] = '\0';
	if (sscanf(library, "MPICH Version: %19s", version) == 1)
		sprintf(library, "MPICH %s", version);
	printf("%s,%s,%s,%d,%d,%d,%g,", library, want.label, call_name[cell->call], nranks, nnodes,
	       threads, cell->computation * 1e3);
	if (cell->call == NONE) {
		printf(",%d,,%d,,%.6f,,,%.6f,,,,,%.6f,\n", cell->order, of_rank, comp * 1e3,
		       t.s[COMPUTE] * 1e3, t.s[COMPUTE] / comp);
		return;
	}
	printf("%g,%d,%ld,", cell->communication * 1e3, cell->order, cell->count * 8);
	printf(of_rank < nranks ? "%d," : ",", of_rank);
	printf(of_run >= 0 ? "%d," : ",", of_run);
	printf("%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", comp * 1e3, comm * 1e3,
	       t.s[CALL] * 1e3, t.s[COMPUTE] * 1e3, t.s[WAIT] * 1e3, t.s[MEASURED] * 1e3,
	       (t.s[MEASURED] - larger(comp, comm)) / (comp < comm ? comp : comm),
	       t.s[IN_MPI] / comm, t.s[COMPUTE] / comp, t.s[SKEW] * 1e3);
}

/* The medians of the last runs, by rank, then of all; to be freed. */
static struct times *medians(struct times (*times)[MAX_RUNS])
{
	struct times *result = calloc((size_t)nranks + 1, sizeof(*result));

	if (result == NULL)
		fail("no memory for the times of %d ranks\n", nranks);
	for (int r = 0; r <= nranks && rank == 0; r++)
		result[r] = median(times[r], (int)want.runs);
	return result;
}

static void measure_cell(const struct cell *cell, struct times (*times)[MAX_RUNS])
{
	measure(cell->call, cell->count, cell->order, MEASURED, times);
	if (want.osu && rank == 0)
		print_osu_row(cell, median(times[nranks], (int)want.runs).s[MEASURED]);
	for (int r = want.rows == CELLS ? nranks : 0; r <= nranks && rank == 0 && !want.osu; r++) {
		print_row(cell, r, -1, median(times[r], (int)want.runs));
		for (int i = 0; want.rows == RUNS && i < want.runs; i++)
			print_row(cell, r, i, times[r][i]);
	}
	fflush(stdout);
}

/* The cells of an operation: every computation with every communication. */
static void measure_call(struct cell cell, const int *order, struct times *const *comp_reference,
			 struct times (*times)[MAX_RUNS])
{
	if (rank == 0 && want.osu)
		print_osu_header(cell.call);
	for (int m = 0; m < want.communication.n; m++) {
		struct times *reference;

		cell.communication = want.communication.s[m];
		cell.count = calibrate(cell.call, cell.communication, times);
		measure(cell.call, cell.count, 0, MEASURED, times);
		cell.comm_reference = reference = medians(times);
		for (int c = 0; c < want.computation.n; c++) {
			cell.computation = want.computation.s[c];
			cell.order = order[c];
			cell.comp_reference = comp_reference[c];
			if (!want.diagonal || cell.computation == cell.communication)
				measure_cell(&cell, times);
		}
		if (want.check)
			check(cell.call, cell.count);
		free(reference);
	}
}

/* The median of computations alone. */
static struct times compute_alone(int order)
{
	struct times run[MAX_RUNS] = { 0 };

	for (long i = -1; i < want.runs; i++) {
		int64_t begin = now();

		compute(order);
		run[i < 0 ? 0 : i].s[COMPUTE] = 1e-9 * (double)(now() - begin);
	}
	return median(run, (int)want.runs);
}

int main(int argc, char **argv)
{
	const char *wrong = read_options(argc, argv);
	struct times(*times)[MAX_RUNS], *reference[MAX_TARGETS], with[MAX_TARGETS];
	int order[MAX_TARGETS];

	MPI_Init_thread(&argc, &argv, want.progress ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
			&(int){ 0 });
	MPI_Comm_dup(MPI_COMM_WORLD, &world);
	MPI_Comm_dup(world, &measured);
	MPI_Comm_rank(world, &rank);
	MPI_Comm_size(world, &nranks);
	if (wrong || want.help) {
		if (rank == 0 && wrong)
			fprintf(stderr, "nbc: '%s' is not understood; --help lists the options\n",
				wrong);
		else if (rank == 0)
			print_help();
		MPI_Finalize();
		return wrong ? 2 : 0;
	}
	place_threads();
#ifdef HAVE_OPENBLAS
	openblas_set_num_threads(1);
#endif
	start_progress();
	times = calloc((size_t)nranks + 1, sizeof(*times));
	if (times == NULL)
		fail("no memory for the times of %d ranks\n", nranks);
	calibrate_clock();
	for (int c = 0; c < want.computation.n; c++) {
		order[c] = (int)calibrate(NONE, want.computation.s[c], times);
		measure(NONE, 0, order[c], COMPUTE, times);
		reference[c] = medians(times);
	}
	if (rank == 0 && !want.osu)
		print_header();
	for (int call = 0; call < NONE; call++)
		if (want.calls[call])
			measure_call((struct cell){ .call = call }, order, reference, times);
	MPI_Barrier(world);
	for (int c = 0; c < want.computation.n && want.calls[NONE]; c++)
		with[c] = compute_alone(order[c]);
	end_progress();
	MPI_Finalize();
	for (int c = 0; c < want.computation.n; c++) {
		struct cell cell = {
			NONE, order[c], 0, want.computation.s[c], 0, reference[c], NULL
		};

		if (want.calls[NONE]) {
			reference[c][rank] = compute_alone(order[c]);
			print_row(&cell, rank, -1, with[c]);
		}
		free(reference[c]);
	}
	free(times);
	free(sent);
	free(received);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	fprintf(stderr, "nbc: the output cannot be written\n");
	return 1;
}
