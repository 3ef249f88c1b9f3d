/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nbc.c -- output of the OSU and IMB benchmarks of nonblocking collective operations. */
#include <stdlib.h>
#include <string.h>

#include "convert/formats.h"
#include "convert/words.h"
#include "trace/alloc.h"
#include "trace/number.h"

enum kind { OSU, IMB, NKINDS };
enum field { BYTES, REPETITIONS, MEASURED, COMPUTE, COMM, OVERLAP, NFIELDS };
enum { FIRST_REQUIRED = MEASURED };

/* Names of columns in the header of a table: bytes of a row and how often it was measured, which not each
 * table has, times in us and the overlap in percent. */
static const char *const names[NKINDS][NFIELDS] = {
	[OSU] = { "Size", NULL, "Overall(us)", "Compute(us)", "Pure Comm.(us)", "Overlap(%)" },
	[IMB] = { "#bytes", "#repetitions", "t_ovrl[usec]", "t_CPU[usec]", "t_pure[usec]",
		  "overlap[%]" },
};

struct reading {
	struct tv_trace *trace;
	bool table;	    /* the lines that follow are rows */
	size_t at[NFIELDS]; /* their words; TV_NO_WORD = without */
	size_t nwords;	    /* that a row has */
	char *call;	    /* name of the benchmark */
	int64_t ranks;	    /* 0 = not known */
	struct {
		struct tv_column *call, *bytes, *ranks, *repetitions, *measured, *compute, *comm,
			*overlap;
	} to;
};

/* ---- headers ---- */

static void set_call(struct reading *r, const char *s, size_t n)
{
	tv_free(r->call);
	r->call = tv_strndup(s, n);
	r->table = false;
}

static bool ends_name(struct tv_word word)
{
	char last = word.s[word.n - 1];

	return last == ')' || last == ']' || tv_word_is(word, names[OSU][BYTES]);
}

/* Joins the words of names such as "Pure Comm.(us)" and "P99 Tail Lat(us)": one blank between them, and
 * none before the last one ends a name. */
static size_t join_names(struct tv_word *word, size_t n)
{
	size_t to = 0;

	for (size_t i = 1; i < n; i++) {
		const char *end = word[to].s + word[to].n;

		if (word[i].s == end + 1 && word[i].s[0] != '#' && word[to].s[0] != '#'
		    && !ends_name(word[to]))
			word[to].n = (size_t)(word[i].s + word[i].n - word[to].s);
		else
			word[++to] = word[i];
	}
	return n == 0 ? 0 : to + 1;
}

/* Finds the columns of a table. Tables that do not measure overlap are none of ours. */
static void read_header(struct reading *r, enum kind kind, const char *line, struct tv_pos at)
{
	struct tv_word word[TV_WORDS_MAX];
	size_t n;

	line += strspn(line, " \t");
	if (line[0] == '#' && line[strspn(line, "#")] == ' ')
		line += strspn(line, "#");
	n = tv_words(line, word);
	n = join_names(word, n);
	r->table = tv_word_find(word, n, names[kind][OVERLAP]) != TV_NO_WORD;
	r->nwords = n;
	for (size_t i = 0; i < NFIELDS && r->table; i++) {
		r->at[i] = names[kind][i] == NULL ? TV_NO_WORD
						  : tv_word_find(word, n, names[kind][i]);
		if (r->at[i] != TV_NO_WORD || i < FIRST_REQUIRED)
			continue;
		tv_damaged(r->trace, TV_DROPPED, "table without a column", at,
			   "no column %s in '%.200s'", names[kind][i], line);
		r->table = false;
	}
}

/* A line that is no row: names of the benchmark and of columns. */
static void read_text(struct reading *r, const char *line, struct tv_pos at)
{
	const char *osu = strstr(line, "OSU MPI"), *end;
	const char *imb = strstr(line, "# Benchmarking "), *ranks = strstr(line, "#processes = ");

	if (osu != NULL) {
		osu += strcspn(osu, " ") + 1;
		osu += strcspn(osu, " "); /* "MPI", or "MPI-CUDA" */
		osu += strspn(osu, " ");
		end = strstr(osu, " Latency Test");
		r->ranks = 0;
		set_call(r, osu, end != NULL ? (size_t)(end - osu) : strlen(osu));
	} else if (imb != NULL) {
		imb += strlen("# Benchmarking ");
		set_call(r, imb, strcspn(imb, " \t"));
	} else if (ranks != NULL) {
		r->ranks = strtol(ranks + strlen("#processes = "), NULL, 10);
	}
	for (int kind = 0; kind < NKINDS; kind++)
		if (strstr(line, names[kind][kind == OSU ? OVERLAP : MEASURED]) != NULL)
			read_header(r, (enum kind)kind, line, at);
}

/* ---- rows ---- */

static bool whole_of(struct tv_word word, int64_t *value)
{
	return tv_parse_int(word.s, word.n, value) == TV_PARSE_OK && *value >= 0;
}

static bool time_of(struct tv_word word, int64_t *ns)
{
	return tv_convert_time(word.s, word.n, 3, ns) && *ns >= 0;
}

static bool read_row(struct reading *r, const char *line)
{
	struct tv_word word[TV_WORDS_MAX], field[NFIELDS];
	int64_t value[NFIELDS];
	bool has[NFIELDS], ok = tv_words(line, word) >= r->nwords;
	double overlap = 0;
	uint32_t row;

	for (size_t i = 0; i < NFIELDS && ok; i++) {
		has[i] = r->at[i] != TV_NO_WORD;
		if (has[i])
			field[i] = word[r->at[i]];
		if (has[i] && i != OVERLAP)
			ok = i < FIRST_REQUIRED ? whole_of(field[i], &value[i])
						: time_of(field[i], &value[i]);
	}
	if (!ok || tv_parse_double(field[OVERLAP].s, field[OVERLAP].n, &overlap) != TV_PARSE_OK)
		return false;
	row = tv_table_add_row(&r->trace->table[TV_BENCHMARKS]);
	tv_set_text(r->to.call, row, r->call);
	if (has[BYTES])
		tv_set_int(r->to.bytes, row, value[BYTES]);
	if (r->ranks > 0)
		tv_set_int(r->to.ranks, row, r->ranks);
	if (has[REPETITIONS])
		tv_set_int(r->to.repetitions, row, value[REPETITIONS]);
	tv_set_int(r->to.measured, row, value[MEASURED]);
	tv_set_int(r->to.compute, row, value[COMPUTE]);
	tv_set_int(r->to.comm, row, value[COMM]);
	tv_set_double(r->to.overlap, row, overlap);
	return true;
}

/* ---- lines ---- */

/* The line behind what a launcher writes before it: "[1,0]<stdout>:", with a date before it, of Open MPI,
 * "[0] " of MPICH, "0: " of Slurm. */
static const char *behind_tag(const char *line)
{
	const char *tag = strstr(line, "<stdout>:"), *rest = line + (line[0] == '[');
	size_t digits = strspn(rest, "0123456789");
	const char *close = line[0] == '[' ? "] " : ": ";

	if (tag != NULL)
		return tag + strlen("<stdout>:");
	if (digits == 0 || strncmp(rest + digits, close, 2) != 0)
		return line;
	rest += digits + 2;
	/* "1: Error ..." is a message of the benchmark. */
	return strchr("#0123456789 ", rest[0]) != NULL ? rest : line;
}

static void read_line(struct reading *r, const char *line, struct tv_pos at)
{
	line = behind_tag(line);
	line += strspn(line, " \t");
	if (line[0] < '0' || line[0] > '9')
		read_text(r, line, at);
	else if (r->table && !read_row(r, line))
		tv_damaged(r->trace, TV_DROPPED, "row that is not understood", at, "'%.60s'", line);
}

static int read_output(void *state, struct tv_input *in, struct tv_error *err)
{
	struct reading *r = state;
	char *line;
	size_t n;
	int more;

	r->table = false;
	while ((more = tv_input_line(in, &line, &n, err)) > 0)
		read_line(r, line, tv_here(in));
	if (more == 0 && r->trace->table[TV_BENCHMARKS].nrows == 0)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				  "no rows of a benchmark of overlap, expected the output of OSU's "
				  "osu_i* or of IMB-NBC");
	return more;
}

static int probe(const char *head, size_t n)
{
	bool osu = tv_head_has(head, n, "# OSU MPI") && tv_head_has(head, n, "Overlap(%)");

	return osu || tv_head_has(head, n, "t_ovrl[usec]") ? 95
	     : tv_head_has(head, n, "Intel(R) MPI Benchmarks") && tv_head_has(head, n, "MPI-NBC")
		     ? 90
		     : 0;
}

static void *begin(struct tv_trace *trace)
{
	struct reading *r = tv_alloc(1, sizeof *r);

	r->trace = trace;
	TV_TRACE_COLUMNS(trace, TV_BENCHMARKS, { "Call", &r->to.call }, { "Bytes", &r->to.bytes },
			 { "Ranks", &r->to.ranks }, { "Repetitions", &r->to.repetitions },
			 { "MeasuredTime", &r->to.measured },
			 { "ComputeReference", &r->to.compute }, { "CommReference", &r->to.comm },
			 { "Overlap", &r->to.overlap });
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
	.brings = TV_BRINGS(BENCHMARKS),
	.probe = probe,
	.begin = begin,
	.read = read_output,
	.free = release,
	.memory = 8,
};
