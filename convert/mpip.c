/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpip.c -- reports of the profiler mpiP: sums of MPI calls by rank and call site. */
#include <string.h>

#include "convert/formats.h"
#include "convert/mpi_calls.h"
#include "convert/words.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"

enum { FIELDS_MAX = 7 };
enum { LINE_WIDTH = 5 }; /* of the column Line of call sites */
/* Sums have three digits: the time of a rank and those of its calls may differ by that. */
enum { ROUNDING = 100 };

/* A call site as a sum over all ranks. */
struct aggregate {
	uint32_t call;			  /* label of its name, without MPI_ */
	int64_t site, count, time, bytes; /* -1 = unknown */
};

/* A rank, or all ranks together, and what of its MPI time its calls explain. */
struct rank {
	uint32_t label;
	int64_t mpi, listed;
};

struct reading;
typedef bool read_row(struct reading *r, const struct tv_word *field, const char *line);

/* A table in a section of the report. */
struct form {
	const char *title; /* in the line that begins the section */
	bool unnamed;	   /* the first column has no name: it is field 0, before the others */
	bool closed;	   /* an empty line ends it */
	size_t nrequired;
	const char *names
		[FIELDS_MAX]; /* of its columns: fields in this order; the last may be missing */
	read_row *read;
};

struct reading {
	struct tv_trace *trace;
	struct tv_map site;    /* number of a call site: label */
	struct tv_map row;     /* call site and rank: row of callprofile */
	struct tv_map of_rank; /* its number: place in rank */
	struct tv_map of_site; /* place in aggregate */
	struct rank *rank;
	struct aggregate *aggregate;
	uint32_t nranks, naggregates;
	size_t rank_cap, aggregate_cap;
	int64_t app, mpi;	 /* of all ranks; -1 = not known */
	const char *title;	 /* of the section; NULL = one that is not used */
	const struct form *form; /* of its table, once the header was read */
	size_t at[FIELDS_MAX];	 /* words of its fields */
	size_t file_width;	 /* characters of the column File of call sites */
	bool by_rank;		 /* the report has calls by rank */
	bool ended;
	struct {
		struct tv_column *rank, *call, *class, *site, *count, *time, *min, *mean, *max,
			*bytes;
	} to;
	uint32_t nreports;
};

static bool number(struct tv_word word, int64_t *value)
{
	return tv_parse_int(word.s, word.n, value) == TV_PARSE_OK && *value >= 0;
}

/* A time of a word: scale 9 of seconds, 6 of milliseconds. */
static bool duration(struct tv_word word, int scale, int64_t *ns)
{
	return tv_convert_time(word.s, word.n, scale, ns) && *ns >= 0;
}

static bool bytes_of(struct tv_word word, int64_t *bytes)
{
	double sum;

	if (tv_parse_double(word.s, word.n, &sum) != TV_PARSE_OK || !(sum >= 0) || sum > 9e18)
		return false;
	*bytes = (int64_t)sum;
	return true;
}

static bool is_all(struct tv_word rank)
{
	return tv_word_is(rank, TV_ALL_RANKS);
}

/* ---- what the report contains ---- */

static uint32_t add_row(struct reading *r, uint32_t rank, const char *call, const char *class,
			int64_t count, int64_t time)
{
	uint32_t row = tv_table_add_row(&r->trace->table[TV_CALLPROFILE]);

	tv_set_label(r->to.rank, row, rank);
	tv_set_text(r->to.call, row, call);
	tv_set_text(r->to.class, row, class);
	if (count >= 0)
		tv_set_int(r->to.count, row, count);
	tv_set_int(r->to.time, row, time);
	return row;
}

static void add_rank(struct reading *r, uint32_t label, int64_t app, int64_t mpi)
{
	TV_GROW(r->rank, r->nranks, r->rank_cap, 1);
	r->rank[r->nranks++] = (struct rank){ label, mpi, 0 };
	add_row(r, label, "run", "run", 1, app);
}

static uint32_t add_call(struct reading *r, uint32_t rank, struct tv_word name, int64_t site,
			 int64_t count, int64_t time)
{
	char *call = tv_format("MPI_%.*s", (int)name.n, name.s);
	uint32_t row = add_row(r, rank, call, tv_mpi_class(name), count, time);
	const uint32_t *place = tv_map_get(&r->site, (uint64_t)site, 0);

	if (place != NULL)
		tv_set_label(r->to.site, row, *place);
	tv_free(call);
	return row;
}

static bool read_time(struct reading *r, const struct tv_word *field, const char *line)
{
	int64_t rank, app, mpi;

	(void)line;
	if (!duration(field[1], 9, &app) || !duration(field[2], 9, &mpi))
		return false;
	if (is_all(field[0])) {
		r->app = app;
		r->mpi = mpi;
		return true;
	}
	if (!number(field[0], &rank) || tv_map_get(&r->of_rank, (uint64_t)rank, 0) != NULL)
		return false;
	tv_map_put(&r->of_rank, (uint64_t)rank, 0, r->nranks);
	add_rank(r, tv_intern(r->trace->pool, field[0].s, field[0].n), app, mpi);
	return true;
}

/* Of a concise report: rows of statistics over the ranks, of which the sum is used. */
static bool read_total(struct reading *r, const struct tv_word *field, const char *line)
{
	(void)line;
	return !tv_word_is(field[0], "Aggregate")
	    || (duration(field[1], 9, &r->app) && duration(field[2], 9, &r->mpi));
}

/* The line number in a line of call sites: where the header has that column, or, in lines that are not
 * aligned, the first number behind the file. NULL: the call site has an address only. */
static const struct tv_word *line_number(const struct reading *r, const struct tv_word *word,
					 size_t n, size_t first)
{
	const char *end = word[first].s + r->file_width + 1 + LINE_WIDTH;
	const struct tv_word *found = NULL;
	int64_t line;

	for (size_t i = first + 1; i < n; i++) {
		if (!number(word[i], &line))
			continue;
		if (word[i].s + word[i].n == end)
			return &word[i];
		if (found == NULL)
			found = &word[i];
	}
	return found;
}

/* Further levels of a call site are its callers. */
static bool read_callsite(struct reading *r, const struct tv_word *field, const char *line)
{
	struct tv_word word[TV_WORDS_MAX];
	size_t n = tv_words(line, word);
	const struct tv_word *at;
	int64_t id, level;
	char *text;
	int length;

	if (!number(field[0], &id) || !number(field[1], &level))
		return false;
	if (level > 0)
		return true;
	at = line_number(r, word, n, 2);
	length = (int)(at == NULL ? word[2].n : (size_t)(at[-1].s + at[-1].n - word[2].s));
	text = at == NULL ? tv_strndup(word[2].s, word[2].n)
			  : tv_format("%.*s:%.*s", length, word[2].s, (int)at->n, at->s);
	tv_map_put(&r->site, (uint64_t)id, 0, tv_intern_text(r->trace->pool, text));
	tv_free(text);
	return true;
}

/* A call site on one rank. */
static bool read_statistics(struct reading *r, const struct tv_word *field, const char *line)
{
	int64_t site, rank, count, max, mean, min, time;
	const uint32_t *place;
	uint32_t row;

	(void)line;
	if (is_all(field[2]))
		return true;
	if (!number(field[1], &site) || !number(field[2], &rank) || !number(field[3], &count)
	    || !duration(field[4], 6, &max) || !duration(field[5], 6, &mean)
	    || !duration(field[6], 6, &min) || __builtin_mul_overflow(count, mean, &time)
	    || time >= (int64_t)1 << 62)
		return false;
	row = add_call(r, tv_intern(r->trace->pool, field[2].s, field[2].n), field[0], site, count,
		       time);
	tv_set_int(r->to.min, row, min);
	tv_set_int(r->to.mean, row, mean);
	tv_set_int(r->to.max, row, max);
	tv_map_put(&r->row, (uint64_t)site, (uint64_t)rank, row);
	place = tv_map_get(&r->of_rank, (uint64_t)rank, 0);
	if (place != NULL
	    && __builtin_add_overflow(r->rank[*place].listed, time, &r->rank[*place].listed))
		r->rank[*place].listed = INT64_MAX;
	r->by_rank = true;
	return true;
}

static bool read_sent(struct reading *r, const struct tv_word *field, const char *line)
{
	int64_t site, rank, bytes;
	const uint32_t *row;

	(void)line;
	if (is_all(field[2]))
		return true;
	if (!number(field[1], &site) || !number(field[2], &rank) || !bytes_of(field[3], &bytes))
		return false;
	row = tv_map_get(&r->row, (uint64_t)site, (uint64_t)rank);
	if (row != NULL)
		tv_set_int(r->to.bytes, *row, bytes);
	return true;
}

static bool add_aggregate(struct reading *r, struct tv_word name, struct tv_word site_word,
			  int64_t time, struct tv_word count)
{
	struct aggregate a = { .time = time, .count = -1, .bytes = -1 };

	if (!number(site_word, &a.site) || (count.n > 0 && !number(count, &a.count)))
		return false;
	if (tv_map_get(&r->of_site, (uint64_t)a.site, 0) != NULL)
		return true;
	a.call = tv_intern(r->trace->pool, name.s, name.n);
	tv_map_put(&r->of_site, (uint64_t)a.site, 0, r->naggregates);
	TV_GROW(r->aggregate, r->naggregates, r->aggregate_cap, 1);
	r->aggregate[r->naggregates++] = a;
	return true;
}

/* A call site on all ranks, of the twenty with the longest times. */
static bool read_aggregate(struct reading *r, const struct tv_word *field, const char *line)
{
	int64_t time;

	(void)line;
	return duration(field[2], 6, &time) && add_aggregate(r, field[0], field[1], time, field[3]);
}

/* The same in a concise report with all call sites: the mean over the ranks that called. */
static bool read_tasks(struct reading *r, const struct tv_word *field, const char *line)
{
	int64_t ranks, mean, time;

	(void)line;
	return number(field[2], &ranks) && duration(field[3], 6, &mean)
	    && !__builtin_mul_overflow(ranks, mean, &time) && time < (int64_t)1 << 62
	    && add_aggregate(r, field[0], field[1], time, (struct tv_word){ NULL, 0 });
}

static bool read_aggregate_sent(struct reading *r, const struct tv_word *field, const char *line)
{
	int64_t site, bytes;
	const uint32_t *place;

	(void)line;
	if (!number(field[0], &site) || !bytes_of(field[1], &bytes))
		return false;
	place = tv_map_get(&r->of_site, (uint64_t)site, 0);
	if (place != NULL)
		r->aggregate[*place].bytes = bytes;
	return true;
}

static const struct form forms[] = {
	{ "MPI Time (seconds)", false, false, 3, { "Task", "AppTime", "MPITime" }, read_time },
	{ "Task Time Statistics", true, false, 3, { "", "AppTime", "MPITime" }, read_total },
	{ "Callsites:", false, false, 3, { "ID", "Lev", "File/Address" }, read_callsite },
	{ "Aggregate Time", false, true, 3, { "Call", "Site", "Time", "Count" }, read_aggregate },
	{ "Aggregate Sent Message Size", false, true, 2, { "Site", "Total" }, read_aggregate_sent },
	{ "Callsite Time statistics",
	  false,
	  false,
	  7,
	  { "Name", "Site", "Rank", "Count", "Max", "Mean", "Min" },
	  read_statistics },
	{ "Callsite Time statistics",
	  false,
	  false,
	  4,
	  { "Name", "Site", "Tasks", "Mean" },
	  read_tasks },
	{ "Callsite Message Sent statistics",
	  false,
	  false,
	  4,
	  { "Name", "Site", "Rank", "Sum" },
	  read_sent },
};

/* ---- lines ---- */

static void enter(struct reading *r, const char *line)
{
	r->form = NULL;
	r->title = NULL;
	r->ended = r->ended || strstr(line, "End of Report") != NULL;
	for (size_t i = 0; i < TV_COUNT(forms); i++)
		if (strstr(line, forms[i].title) != NULL)
			r->title = forms[i].title;
}

/* Whether the header has the columns of a form; where they are. */
static bool fits(struct reading *r, const struct form *form, const struct tv_word *word, size_t n)
{
	for (size_t i = 0; i < FIELDS_MAX && form->names[i] != NULL; i++) {
		r->at[i] = tv_word_find(word, n, form->names[i]);
		if (form->unnamed)
			r->at[i] = i == 0 ? 0 : r->at[i] + (r->at[i] != TV_NO_WORD);
		if (i < form->nrequired && r->at[i] == TV_NO_WORD)
			return false;
	}
	return true;
}

/* The line that names the columns of a section's table. */
static void read_head(struct reading *r, const char *line)
{
	struct tv_word word[TV_WORDS_MAX];
	size_t n = tv_words(line, word), file = tv_word_find(word, n, "File/Address"),
	       number_at = tv_word_find(word, n, "Line");

	for (size_t i = 0; i < TV_COUNT(forms) && r->form == NULL; i++)
		if (strcmp(forms[i].title, r->title) == 0 && fits(r, &forms[i], word, n))
			r->form = &forms[i];
	if (file != TV_NO_WORD && number_at != TV_NO_WORD
	    && word[number_at].s - word[file].s > LINE_WIDTH)
		r->file_width = (size_t)(word[number_at].s + word[number_at].n - word[file].s)
			      - LINE_WIDTH - 1;
	if (r->form == NULL)
		r->title = NULL; /* of other columns: not used */
}

static bool read_fields(struct reading *r, const char *line)
{
	struct tv_word word[TV_WORDS_MAX], field[FIELDS_MAX] = { 0 };
	size_t n = tv_words(line, word);

	for (size_t i = 0; i < FIELDS_MAX && r->form->names[i] != NULL; i++) {
		if (r->at[i] < n)
			field[i] = word[r->at[i]];
		else if (r->at[i] != TV_NO_WORD)
			return false;
	}
	return r->form->read(r, field, line);
}

/* "@ Name : value" of the head. */
static void read_setting(const struct reading *r, const char *line)
{
	static const char *const names[][2] = { { "@ Command ", "Arguments" },
						{ "@ Version ", "Producer" } };
	const char *value = strstr(line, ": ");

	for (size_t i = 0; value != NULL && i < TV_COUNT(names); i++)
		if (strncmp(line, names[i][0], strlen(names[i][0])) == 0)
			tv_meta_add(r->trace, names[i][1], "%s%.*s", i == 1 ? "mpiP " : "",
				    (int)strcspn(value + 2, "\r"), value + 2);
}

static void read_line(struct reading *r, const char *line, struct tv_pos at)
{
	if (strncmp(line, "@---", 4) == 0)
		enter(r, line);
	else if (line[0] == '@')
		read_setting(r, line);
	if (line[0] == '@' || line[0] == '-' || r->title == NULL)
		return;
	if (line[strspn(line, " \t\r")] == '\0') {
		if (r->form != NULL && r->form->closed)
			r->title = NULL;
	} else if (r->form == NULL) {
		read_head(r, line);
	} else if (!read_fields(r, line)) {
		tv_damaged(r->trace, TV_DROPPED, "row of a report that is not understood", at,
			   "'%.60s'", line);
	}
}

/* ---- what it does not list ---- */

/* Calls as sums over all ranks, of a report without those of each rank. */
static void add_aggregates(struct reading *r)
{
	uint32_t all = tv_intern_text(r->trace->pool, TV_ALL_RANKS);
	struct rank *rank;

	if (r->by_rank || r->naggregates == 0 || r->app < 0)
		return;
	add_rank(r, all, r->app, r->mpi);
	rank = &r->rank[r->nranks - 1];
	for (uint32_t i = 0; i < r->naggregates; i++) {
		const struct aggregate *a = &r->aggregate[i];
		const char *name = tv_pool_text(r->trace->pool, a->call);
		uint32_t row = add_call(r, all, (struct tv_word){ name, strlen(name) }, a->site,
					a->count, a->time);

		if (a->bytes >= 0)
			tv_set_int(r->to.bytes, row, a->bytes);
		if (__builtin_add_overflow(rank->listed, a->time, &rank->listed))
			rank->listed = INT64_MAX;
	}
	tv_notice(
		r->trace,
		"the report has calls of all ranks together only: rows of the rank " TV_ALL_RANKS);
}

/* Compares the time of MPI of each rank with its calls; a row for what the report does not list. */
static void check_sums(struct reading *r, struct tv_pos at)
{
	double missing = 0, all = 0; /* of the ranks that have calls */

	for (uint32_t i = 0; i < r->nranks; i++) {
		const struct rank *rank = &r->rank[i];
		int64_t rest = rank->mpi - rank->listed;
		bool with_calls = r->by_rank || i == r->nranks - 1;

		if (with_calls)
			all += (double)rank->mpi;
		if (rest > rank->mpi / ROUNDING) {
			add_row(r, rank->label, TV_UNLISTED_CALLS, "other", -1, rest);
			if (with_calls)
				missing += (double)rest;
		} else if (rest < -(rank->mpi / ROUNDING)) {
			tv_damaged(r->trace, TV_REPAIRED, "MPI time is below the sum of its calls",
				   at, "rank %s: %.3f ms, but %.3f ms in its calls",
				   tv_pool_text(r->trace->pool, rank->label),
				   (double)rank->mpi / 1e6, (double)rank->listed / 1e6);
		}
	}
	if (missing > 0)
		tv_notice(r->trace,
			  "%.0f %% of the time of MPI is in calls that the report does not list: "
			  "rows '" TV_UNLISTED_CALLS "'",
			  100 * missing / all);
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
	if (more == 0)
		add_aggregates(r);
	if (more == 0 && r->trace->table[TV_CALLPROFILE].nrows == 0)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				  "an mpiP report without times of ranks and calls");
	if (more == 0)
		check_sums(r, tv_here(in));
	if (more == 0 && !r->ended)
		tv_damaged(r->trace, TV_REPAIRED, "report without its end", tv_here(in),
			   "what precedes is used");
	return more;
}

/* What a launcher writes before the report does not matter. */
static int probe(const char *head, size_t n)
{
	return n >= 6 && memcmp(head, "@ mpiP", 6) == 0 ? 100
	     : tv_head_has(head, n, "\n@ mpiP")		? 90
							: 0;
}

static void *begin(struct tv_trace *trace)
{
	struct reading *r = tv_alloc(1, sizeof *r);

	r->trace = trace;
	r->app = r->mpi = -1;
	TV_TRACE_COLUMNS(trace, TV_CALLPROFILE, { "Rank", &r->to.rank }, { "Call", &r->to.call },
			 { "Class", &r->to.class }, { "Site", &r->to.site },
			 { "Count", &r->to.count }, { "Time", &r->to.time }, { "Min", &r->to.min },
			 { "Mean", &r->to.mean }, { "Max", &r->to.max }, { "Bytes", &r->to.bytes });
	return r;
}

static void release(void *state)
{
	struct reading *r = state;

	tv_map_release(&r->site);
	tv_map_release(&r->row);
	tv_map_release(&r->of_rank);
	tv_map_release(&r->of_site);
	tv_free(r->rank);
	tv_free(r->aggregate);
	tv_free(r);
}

const struct tv_reader tv_mpip_reader = {
	.name = "mpip",
	.summary = "reports of mpiP: sums of MPI calls by rank and call site",
	.brings = TV_BRINGS(CALLPROFILE),
	.probe = probe,
	.begin = begin,
	.read = read_report,
	.free = release,
	.memory = 8,
};
