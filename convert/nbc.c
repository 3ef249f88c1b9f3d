/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nbc.c -- output of the OSU and IMB benchmarks of nonblocking collective operations. */
#include <stdlib.h>
#include <string.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/number.h"

enum { WORDS_MAX = 16 };
enum kind { NONE, OSU, IMB };

struct reading {
	struct tv_trace *trace;
	enum kind kind; /* of the rows that follow */
	char *call;	/* name of the benchmark */
	int64_t ranks;	/* 0 = not known */
	struct {
		struct tv_column *call, *bytes, *ranks, *repetitions, *measured, *compute, *comm,
			*overlap;
	} to;
};

/* Bytes of a row, its times in us and the overlap in percent; which word is which. */
static const struct {
	size_t n; /* words */
	int repetitions, measured, compute, comm, overlap;
} layout[] = {
	[OSU] = { 5, -1, 1, 2, 3, 4 },
	[IMB] = { 6, 1, 2, 4, 3, 5 },
};

static void set_call(struct reading *r, const char *s, size_t n)
{
	tv_free(r->call);
	r->call = tv_strndup(s, n);
}

/* A line that begins with '#': names of the benchmark and of columns. */
static void read_comment(struct reading *r, const char *line)
{
	const char *osu = strstr(line, "OSU MPI "), *end;
	const char *imb = strstr(line, "# Benchmarking "), *ranks = strstr(line, "#processes = ");

	if (osu != NULL) {
		osu += strlen("OSU MPI ");
		end = strstr(osu, " Latency Test");
		r->kind = NONE;
		r->ranks = 0;
		set_call(r, osu, end != NULL ? (size_t)(end - osu) : strlen(osu));
	} else if (imb != NULL) {
		imb += strlen("# Benchmarking ");
		r->kind = NONE;
		set_call(r, imb, strcspn(imb, " \t"));
	} else if (ranks != NULL) {
		r->ranks = strtol(ranks + strlen("#processes = "), NULL, 10);
	} else if (strstr(line, "Overall(us)") != NULL && strstr(line, "Overlap(%)") != NULL) {
		r->kind = OSU;
	} else if (strstr(line, "t_ovrl[usec]") != NULL) {
		r->kind = IMB;
	}
}

static bool time_of(const char *const *word, const size_t *length, int at, int64_t *ns)
{
	return tv_parse_scaled(word[at], length[at], 3, ns) == TV_PARSE_OK && *ns >= 0
	    && *ns < (int64_t)1 << 61;
}

static bool read_row(struct reading *r, const char *line)
{
	const char *word[WORDS_MAX];
	size_t length[WORDS_MAX], n = 0;
	int64_t bytes, repetitions = 0, measured, compute, comm;
	double overlap;
	uint32_t row;

	for (line += strspn(line, " \t"); *line != '\0' && n < WORDS_MAX;
	     line += strspn(line, " \t")) {
		word[n] = line;
		length[n] = strcspn(line, " \t");
		line += length[n++];
	}
	if (n < layout[r->kind].n || tv_parse_int(word[0], length[0], &bytes) != TV_PARSE_OK
	    || bytes < 0 || !time_of(word, length, layout[r->kind].measured, &measured)
	    || !time_of(word, length, layout[r->kind].compute, &compute)
	    || !time_of(word, length, layout[r->kind].comm, &comm)
	    || tv_parse_double(word[layout[r->kind].overlap], length[layout[r->kind].overlap],
			       &overlap)
		       != TV_PARSE_OK
	    || (r->kind == IMB && tv_parse_int(word[1], length[1], &repetitions) != TV_PARSE_OK))
		return false;
	row = tv_table_add_row(&r->trace->table[TV_BENCHMARKS]);
	tv_set_text(r->to.call, row, r->call);
	tv_set_int(r->to.bytes, row, bytes);
	if (r->ranks > 0)
		tv_set_int(r->to.ranks, row, r->ranks);
	if (r->kind == IMB)
		tv_set_int(r->to.repetitions, row, repetitions);
	tv_set_int(r->to.measured, row, measured);
	tv_set_int(r->to.compute, row, compute);
	tv_set_int(r->to.comm, row, comm);
	tv_set_double(r->to.overlap, row, overlap);
	return true;
}

static int read_output(void *state, struct tv_input *in, struct tv_error *err)
{
	struct reading *r = state;
	char *line;
	size_t n;
	int more;

	r->kind = NONE;
	while ((more = tv_input_line(in, &line, &n, err)) > 0) {
		size_t first = strspn(line, " \t");

		if (line[first] == '#')
			read_comment(r, line);
		else if (line[first] >= '0' && line[first] <= '9' && r->kind != NONE
			 && !read_row(r, line))
			tv_damaged(r->trace, TV_DROPPED, "row that is not understood", tv_here(in),
				   "'%.60s'", line);
	}
	if (more == 0 && r->trace->table[TV_BENCHMARKS].nrows == 0)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				  "no rows of a benchmark of overlap, expected the output of OSU's "
				  "osu_i* or of IMB-NBC");
	return more;
}

static bool contains(const char *head, size_t n, const char *text)
{
	return memmem(head, n, text, strlen(text)) != NULL;
}

static int probe(const char *head, size_t n)
{
	bool osu = contains(head, n, "# OSU MPI ") && contains(head, n, "Overlap(%)");

	return osu || contains(head, n, "t_ovrl[usec]")					    ? 95
	     : contains(head, n, "Intel(R) MPI Benchmarks") && contains(head, n, "MPI-NBC") ? 90
											    : 0;
}

static void *begin(struct tv_trace *trace)
{
	struct reading *r = tv_alloc(1, sizeof *r);
	const struct tv_wanted wanted[] = {
		{ TV_BENCHMARKS, "Call", &r->to.call },
		{ TV_BENCHMARKS, "Bytes", &r->to.bytes },
		{ TV_BENCHMARKS, "Ranks", &r->to.ranks },
		{ TV_BENCHMARKS, "Repetitions", &r->to.repetitions },
		{ TV_BENCHMARKS, "MeasuredTime", &r->to.measured },
		{ TV_BENCHMARKS, "ComputeReference", &r->to.compute },
		{ TV_BENCHMARKS, "CommReference", &r->to.comm },
		{ TV_BENCHMARKS, "Overlap", &r->to.overlap },
	};

	r->trace = trace;
	tv_trace_columns(trace, wanted, TV_COUNT(wanted));
	return r;
}

static void release(void *state)
{
	struct reading *r = state;

	tv_free(r->call);
	tv_free(r);
}

const struct tv_reader tv_nbc_reader = {
	.name = "nbc",
	.summary = "output of OSU's benchmarks of nonblocking collectives and of IMB-NBC",
	.probe = probe,
	.begin = begin,
	.read = read_output,
	.free = release,
	.memory = 8,
};
