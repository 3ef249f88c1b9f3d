/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpip.c -- reports of the profiler mpiP: sums of MPI calls by rank and call site. */
#include <string.h>
#include <strings.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"

enum { WORDS_MAX = 12 };
enum section { NONE, TIMES, CALLSITES, STATISTICS, SENT, DONE };

/* What the header of a section contains, by section. */
static const struct {
	const char *title;
	enum section section;
} sections[] = {
	{ "MPI Time (seconds)", TIMES },
	{ "Callsites:", CALLSITES },
	{ "Callsite Time statistics", STATISTICS },
	{ "Callsite Message Sent statistics", SENT },
	{ "End of Report", DONE },
};

struct reading {
	struct tv_trace *trace;
	struct tv_map site; /* number of a call site: label */
	struct tv_map row;  /* call site and rank: row of callprofile */
	enum section section;
	struct {
		struct tv_column *rank, *call, *class, *site, *count, *time, *min, *mean, *max,
			*bytes;
	} to;
	uint32_t nreports;
};

struct word {
	const char *s;
	size_t n;
};

/* Functions that communicate and return when it is done; with an I before, those that start it. */
static const char *const communicates[] = {
	"send",
	"recv",
	"bsend",
	"ssend",
	"rsend",
	"sendrecv",
	"sendrecv_replace",
	"mrecv",
	"barrier",
	"bcast",
	"gather",
	"gatherv",
	"scatter",
	"scatterv",
	"allgather",
	"allgatherv",
	"alltoall",
	"alltoallv",
	"alltoallw",
	"reduce",
	"allreduce",
	"reduce_scatter",
	"reduce_scatter_block",
	"scan",
	"exscan",
	"neighbor_allgather",
	"neighbor_allgatherv",
	"neighbor_alltoall",
	"neighbor_alltoallv",
	"neighbor_alltoallw",
};

static bool is_one(struct word name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == name.n && strncasecmp(list[i], name.s, name.n) == 0)
			return true;
	return false;
}

/* The class of a function by its name without MPI_. */
static const char *class_of(struct word name)
{
	static const char *const waits[] = { "wait", "waitall", "waitany", "waitsome" };
	static const char *const tests[] = { "test",	 "testall", "testany",
					     "testsome", "iprobe",  "improbe" };
	static const char *const starts[] = { "start", "startall" };
	static const char *const probes[] = { "probe", "mprobe" };
	struct word rest = { name.s + 1, name.n - 1 };

	if (is_one(name, waits, TV_COUNT(waits)))
		return "wait";
	if (is_one(name, tests, TV_COUNT(tests)))
		return "test";
	if (is_one(name, starts, TV_COUNT(starts))
	    || ((name.s[0] == 'I' || name.s[0] == 'i')
		&& is_one(rest, communicates, TV_COUNT(communicates))))
		return "start";
	return is_one(name, communicates, TV_COUNT(communicates))
			    || is_one(name, probes, TV_COUNT(probes))
		     ? "blocking"
		     : "other";
}

static size_t split(const char *line, struct word word[WORDS_MAX])
{
	size_t n = 0;

	for (line += strspn(line, " \t"); *line != '\0' && n < WORDS_MAX;
	     line += strspn(line, " \t")) {
		size_t length = strcspn(line, " \t");

		word[n++] = (struct word){ line, length };
		line += length;
	}
	return n;
}

static bool number(struct word word, int64_t *value)
{
	return tv_parse_int(word.s, word.n, value) == TV_PARSE_OK && *value >= 0;
}

/* A time of a word: scale 9 of seconds, 6 of milliseconds. */
static bool duration(struct word word, int scale, int64_t *ns)
{
	return tv_parse_scaled(word.s, word.n, scale, ns) == TV_PARSE_OK && *ns >= 0
	    && *ns < (int64_t)1 << 61;
}

/* ---- rows ---- */

static uint32_t add_row(struct reading *r, struct word rank, const char *call, size_t n,
			const char *class)
{
	uint32_t row = tv_table_add_row(&r->trace->table[TV_CALLPROFILE]);

	tv_set_string(r->to.rank, row, rank.s, rank.n);
	tv_set_string(r->to.call, row, call, n);
	tv_set_text(r->to.class, row, class);
	return row;
}

/* Task AppTime MPITime MPI% */
static bool read_time(struct reading *r, const struct word *word, size_t n)
{
	int64_t rank, ns;
	uint32_t row;

	if (n < 3 || !number(word[0], &rank) || !duration(word[1], 9, &ns))
		return false;
	row = add_row(r, word[0], "run", 3, "run");
	tv_set_int(r->to.count, row, 1);
	tv_set_int(r->to.time, row, ns);
	return true;
}

/* ID Lev File/Address Line Parent_Funct MPI_Call; further levels are its callers. */
static bool read_callsite(struct reading *r, const struct word *word, size_t n)
{
	int64_t id, level, line;
	char *text;

	if (n < 4 || !number(word[0], &id) || !number(word[1], &level))
		return false;
	if (level > 0)
		return true;
	text = number(word[3], &line)
		     ? tv_format("%.*s:%lld", (int)word[2].n, word[2].s, (long long)line)
		     : tv_strndup(word[2].s, word[2].n);
	tv_map_put(&r->site, (uint64_t)id, 0, tv_intern_text(r->trace->pool, text));
	tv_free(text);
	return true;
}

/* Name Site Rank Count Max Mean Min App% MPI% */
static bool read_statistics(struct reading *r, const struct word *word, size_t n)
{
	int64_t site, rank, count, max, mean, min, time;
	const uint32_t *place;
	uint32_t row;
	char *call;

	if (n >= 7 && word[2].n == 1 && word[2].s[0] == '*')
		return true; /* of all ranks */
	if (n < 7 || !number(word[1], &site) || !number(word[2], &rank) || !number(word[3], &count)
	    || !duration(word[4], 6, &max) || !duration(word[5], 6, &mean)
	    || !duration(word[6], 6, &min) || __builtin_mul_overflow(count, mean, &time)
	    || time >= (int64_t)1 << 62)
		return false;
	call = tv_format("MPI_%.*s", (int)word[0].n, word[0].s);
	row = add_row(r, word[2], call, strlen(call), class_of(word[0]));
	tv_free(call);
	place = tv_map_get(&r->site, (uint64_t)site, 0);
	if (place != NULL)
		tv_set_label(r->to.site, row, *place);
	tv_set_int(r->to.count, row, count);
	tv_set_int(r->to.time, row, time);
	tv_set_int(r->to.min, row, min);
	tv_set_int(r->to.mean, row, mean);
	tv_set_int(r->to.max, row, max);
	tv_map_put(&r->row, (uint64_t)site, (uint64_t)rank, row);
	return true;
}

/* Name Site Rank Count Max Mean Min Sum */
static bool read_sent(struct reading *r, const struct word *word, size_t n)
{
	int64_t site, rank;
	const uint32_t *row;
	double sum;

	if (n >= 8 && word[2].n == 1 && word[2].s[0] == '*')
		return true;
	if (n < 8 || !number(word[1], &site) || !number(word[2], &rank)
	    || tv_parse_double(word[7].s, word[7].n, &sum) != TV_PARSE_OK || !(sum >= 0)
	    || sum > 9e18)
		return false;
	row = tv_map_get(&r->row, (uint64_t)site, (uint64_t)rank);
	if (row != NULL)
		tv_set_int(r->to.bytes, *row, (int64_t)sum);
	return true;
}

/* ---- lines ---- */

static void enter(struct reading *r, const char *line)
{
	r->section = NONE;
	for (size_t i = 0; i < TV_COUNT(sections); i++)
		if (strstr(line, sections[i].title) != NULL)
			r->section = sections[i].section;
}

/* The line that names the columns of a section. */
static bool is_head(struct word first)
{
	static const char *const head[] = { "Task", "ID", "Name" };

	return is_one(first, head, TV_COUNT(head));
}

static void read_line(struct reading *r, const char *line, struct tv_pos at)
{
	static bool (*const read[])(struct reading *, const struct word *, size_t) = {
		[TIMES] = read_time,
		[CALLSITES] = read_callsite,
		[STATISTICS] = read_statistics,
		[SENT] = read_sent,
	};
	struct word word[WORDS_MAX];
	size_t n;

	if (strncmp(line, "@---", 4) == 0)
		enter(r, line);
	if (line[0] == '@' || line[0] == '-' || r->section == NONE || r->section == DONE)
		return;
	n = split(line, word);
	/* The last row of times is that of all ranks. */
	if (n == 0 || is_head(word[0])
	    || (r->section == TIMES && word[0].n == 1 && word[0].s[0] == '*'))
		return;
	if (!read[r->section](r, word, n))
		tv_damaged(r->trace, TV_DROPPED, "row of a report that is not understood", at,
			   "'%.60s'", line);
}

static int read_report(void *state, struct tv_input *in, struct tv_error *err)
{
	struct reading *r = state;
	char *line;
	size_t n;
	int more;

	if (r->nreports++ > 0)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				  "a second mpiP report, expected one");
	while ((more = tv_input_line(in, &line, &n, err)) > 0)
		read_line(r, line, tv_here(in));
	if (more == 0 && r->trace->table[TV_CALLPROFILE].nrows == 0)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				  "an mpiP report without times of ranks and calls");
	if (more == 0 && r->section != DONE)
		tv_damaged(r->trace, TV_REPAIRED, "report without its end", tv_here(in),
			   "what precedes is used");
	return more;
}

static int probe(const char *head, size_t n)
{
	return n >= 6 && memcmp(head, "@ mpiP", 6) == 0 ? 100 : 0;
}

static void *begin(struct tv_trace *trace)
{
	struct reading *r = tv_alloc(1, sizeof *r);
	const struct tv_wanted wanted[] = {
		{ TV_CALLPROFILE, "Rank", &r->to.rank },
		{ TV_CALLPROFILE, "Call", &r->to.call },
		{ TV_CALLPROFILE, "Class", &r->to.class },
		{ TV_CALLPROFILE, "Site", &r->to.site },
		{ TV_CALLPROFILE, "Count", &r->to.count },
		{ TV_CALLPROFILE, "Time", &r->to.time },
		{ TV_CALLPROFILE, "Min", &r->to.min },
		{ TV_CALLPROFILE, "Mean", &r->to.mean },
		{ TV_CALLPROFILE, "Max", &r->to.max },
		{ TV_CALLPROFILE, "Bytes", &r->to.bytes },
	};

	r->trace = trace;
	tv_trace_columns(trace, wanted, TV_COUNT(wanted));
	return r;
}

static void release(void *state)
{
	struct reading *r = state;

	tv_map_release(&r->site);
	tv_map_release(&r->row);
	tv_free(r);
}

const struct tv_reader tv_mpip_reader = {
	.name = "mpip",
	.summary = "reports of mpiP: sums of MPI calls by rank and call site",
	.probe = probe,
	.begin = begin,
	.read = read_report,
	.free = release,
	.memory = 8,
};
