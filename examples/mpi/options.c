/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c -- what the arguments of nbc ask for. */
#include <getopt.h>
#include <string.h>
#include <strings.h>

#include "nbc.h"

struct options want = { .runs = 11, .steps = 20, .megabytes = 256, .label = "basic" };

const char *const call_name[NCALLS] = {
	"MPI_Ibcast", "MPI_Ireduce", "MPI_Iallreduce", "MPI_Iallgather", "MPI_Ialltoall",
	"MPI_Isend",  "none"
};

void print_help(void)
{
	fputs("usage: mpirun -n RANKS nbc [OPTIONS]\n"
	      "Measure whether nonblocking MPI operations progress during computation.\n\n"
	      "  --calls CALL,...     Ibcast Ireduce Iallreduce Iallgather Ialltoall Isend, and\n"
	      "                       none: computation with MPI and after MPI_Finalize (default\n"
	      "                       Ibcast)\n"
	      "  --comp MS,...|A:B    computation times; A:B = A, 2 A, 4 A, ... to B (default "
	      "1:16)\n"
	      "  --comm MS,...|A:B    communication times, the same (default 1:16)\n"
	      "  --diagonal           only pairs of equal times\n"
	      "  --runs N             runs of which the median is taken (default 11)\n"
	      "  --steps N            sizes that are tried for a time (default 20)\n"
	      "  --rows cells|ranks|runs  one row per pair (default); also one per rank; also one "
	      "per\n"
	      "                       run, of each rank and of all\n"
	      "  --output csv|osu     osu: rows as OSU's benchmarks print them, for --rows cells\n"
	      "                       and operations\n"
	      "  --progress US        a thread per rank calls MPI_Iprobe every US us; 0 = always\n"
	      "  --dedicated N        the last N cores of each node do not compute: they are for\n"
	      "                       these threads\n"
	      "  --memory MB          largest message buffer of a rank (default 256)\n"
	      "  --label TEXT         column Configuration (default basic)\n"
	      "  --check              compare what operations receive with what was sent\n"
	      "  --help               this text\n\n"
	      "OMP_NUM_THREADS sets the number of computing threads per rank; by default the cores "
	      "of\n"
	      "a node are divided by its ranks. Times in the table are ms.\n"
	      "Exit status: 0 done, 1 failure, 2 usage.\n",
	      stdout);
}

static bool read_number(const char *text, long min, long max, long *to)
{
	char *end;

	*to = strtol(text, &end, 10);
	return end != text && *end == '\0' && *to >= min && *to <= max;
}

static bool add_target(struct targets *to, double ms)
{
	if (to->n == MAX_TARGETS || !(ms >= 0.01 && ms <= 10000))
		return false;
	to->s[to->n++] = ms / 1e3;
	return true;
}

static bool read_targets(const char *text, struct targets *to)
{
	char *end;
	double ms = strtod(text, &end);

	to->n = 0;
	if (*end == ':') {
		double limit = strtod(end + 1, &end);

		while (ms <= limit && add_target(to, ms))
			ms *= 2;
		return *end == '\0' && to->n > 0 && ms > limit;
	}
	while (add_target(to, ms) && *end == ',')
		ms = strtod(end + 1, &end);
	return *end == '\0' && to->n > 0 && to->s[to->n - 1] == ms / 1e3;
}

static bool read_calls(const char *text)
{
	memset(want.calls, 0, sizeof(want.calls));
	for (size_t length; *text; text += length + (text[length] == ',')) {
		int call = 0;

		length = strcspn(text, ",");
		for (; call < NCALLS; call++) {
			const char *name = call_name[call] + (call == NONE ? 0 : strlen("MPI_"));

			if (length == strlen(name) && strncasecmp(text, name, length) == 0)
				break;
		}
		if (call == NCALLS)
			return false;
		want.calls[call] = true;
	}
	return true;
}

static bool read_rows(const char *text)
{
	static const char *const kind[] = { "cells", "ranks", "runs" };

	for (int i = CELLS; i <= RUNS; i++)
		if (strcmp(text, kind[i]) == 0) {
			want.rows = (enum rows)i;
			return true;
		}
	return false;
}

static bool read_option(int letter, const char *text)
{
	switch (letter) {
	case 'c':
		return read_calls(text);
	case 'x':
		return read_targets(text, &want.computation);
	case 'y':
		return read_targets(text, &want.communication);
	case 'n':
		return read_number(text, 1, MAX_RUNS, &want.runs);
	case 's':
		return read_number(text, 1, 100, &want.steps);
	case 'r':
		return read_rows(text);
	case 'o':
		want.osu = strcmp(text, "osu") == 0;
		return want.osu || strcmp(text, "csv") == 0;
	case 'p':
		want.progress = true;
		return read_number(text, 0, 999999, &want.period);
	case 'D':
		return read_number(text, 1, 1024, &want.dedicated);
	case 'm':
		return read_number(text, 1, 4096, &want.megabytes);
	case 'l':
		want.label = text;
		return strpbrk(text, ",\"\r\n") == NULL;
	}
	return false; /* '?' and ':' of getopt */
}

const char *read_options(int argc, char **argv)
{
	const struct option options[] = {
		{ "calls", required_argument, NULL, 'c' },
		{ "comp", required_argument, NULL, 'x' },
		{ "comm", required_argument, NULL, 'y' },
		{ "runs", required_argument, NULL, 'n' },
		{ "steps", required_argument, NULL, 's' },
		{ "rows", required_argument, NULL, 'r' },
		{ "output", required_argument, NULL, 'o' },
		{ "progress", required_argument, NULL, 'p' },
		{ "dedicated", required_argument, NULL, 'D' },
		{ "memory", required_argument, NULL, 'm' },
		{ "label", required_argument, NULL, 'l' },
		{ "diagonal", no_argument, NULL, 'd' },
		{ "check", no_argument, NULL, 'k' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int letter;

	want.calls[IBCAST] = true;
	read_targets("1:16", &want.computation);
	read_targets("1:16", &want.communication);
	opterr = 0;
	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == 'd')
			want.diagonal = true;
		else if (letter == 'k')
			want.check = true;
		else if (letter == 'h')
			want.help = true;
		else if (!read_option(letter, optarg))
			return optarg && letter != '?' ? optarg : argv[optind - 1];
	}
	if (want.osu && (want.rows != CELLS || want.calls[NONE]))
		return "--output osu"; /* has no such rows */
	return argv[optind];
}
