/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c -- --map: which columns of tasks are made of which columns of a table; the map that its names propose. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "convert/table/table.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/text.h"

#define NO_HEADER "write a line with the names of the columns before it"

/* ---- units in headers ---- */

/* The unit in a header, by the power of ten of ns in it: "start_us", "dur[ns]", "Start (s)", "BeginNs"; -1 = none. *length: of the name without it. */
static int header_unit(const char *name, size_t *length)
{
	static const struct {
		const char *unit;
		int scale;
	} units[] = {
		{ "ns", 0 },	       { "nsec", 0 }, { "nanoseconds", 0 },
		{ "us", 3 },	       { "usec", 3 }, { "\xc2\xb5s", 3 },
		{ "microseconds", 3 }, { "ms", 6 },   { "msec", 6 },
		{ "milliseconds", 6 }, { "s", 9 },    { "sec", 9 },
		{ "seconds", 9 },
	};
	size_t n = strlen(name), end = n, begin;

	*length = n;
	if (end > 0 && (name[end - 1] == ')' || name[end - 1] == ']'))
		end--;
	begin = end;
	while (begin > 0 && strchr(" _.-([/", name[begin - 1]) == NULL)
		begin--;
	if (begin == 0 && n > 2 && name[n - 3] >= 'a' && name[n - 3] <= 'z' && name[n - 2] >= 'A'
	    && name[n - 2] <= 'Z')
		begin = n - 2;
	for (size_t i = 0; begin > 0 && i < TV_COUNT(units); i++) {
		if (strlen(units[i].unit) != end - begin
		    || strncasecmp(units[i].unit, name + begin, end - begin) != 0)
			continue;
		while (begin > 0 && strchr(" _.-([/", name[begin - 1]) != NULL)
			begin--;
		*length = begin;
		return units[i].scale;
	}
	return -1;
}

static bool is_number(const struct tv_cell_text *cell)
{
	const char *s = cell->s + strspn(cell->s, "+-.");

	return !cell->quoted && *s >= '0' && *s <= '9' && s[strspn(s, "0123456789+-.,:eE")] == '\0';
}

/* Whether cell i of the first line is a number or a date and so no name of a column, unless it is the number of its place. */
static bool is_data(const struct tv_cells *header, size_t i)
{
	char place[2][24];

	snprintf(place[0], sizeof place[0], "%zu", i);
	snprintf(place[1], sizeof place[1], "%zu", i + 1);
	return is_number(&header->cell[i]) && strcmp(header->cell[i].s, place[0]) != 0
	    && strcmp(header->cell[i].s, place[1]) != 0;
}

/* ---- parsing ---- */

static size_t next_column(const struct tv_cells *header, size_t i, const char *name, size_t n)
{
	while (i < header->n
	       && !(header->cell[i].n == n && memcmp(header->cell[i].s, name, n) == 0))
		i++;
	return i;
}

/* header->n: none of that name, or several. */
static size_t column_of(const struct tv_cells *header, const char *name, size_t n)
{
	size_t i = next_column(header, 0, name, n);

	return next_column(header, i + 1, name, n) < header->n ? header->n : i;
}

static int64_t find_operand(void *context, const char *name, size_t n)
{
	const struct tv_cells *header = context;
	size_t i = column_of(header, name, n);

	return i < header->n ? (int64_t)i : -1;
}

static int fail_column(const struct tv_cells *header, const char *text, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };
	struct tv_near near;

	if (next_column(header, 0, text, strlen(text)) < header->n)
		return tv_fail_usage(err,
				     "--map: '%s' is the name of several columns of the table, "
				     "expected different names",
				     text);
	tv_near_init(&near, text);
	for (size_t i = 0; i < header->n; i++) {
		tv_name_list_add(&names, header->cell[i].s);
		tv_near_offer(&near, header->cell[i].s);
	}
	return tv_fail_usage(
		err,
		"--map: '%s'%s is no column of the table, and no expression of them; it has: %s",
		text, tv_near_text(&near), tv_name_list_text(&names));
}

static int scale_of(const char *unit)
{
	return unit == NULL || strcmp(unit, "ms") == 0 ? 6
	     : strcmp(unit, "us") == 0		       ? 3
	     : strcmp(unit, "ns") == 0		       ? 0
						       : 9;
}

/* Bytes of a text between quotes that s begins with, and its quotes; 0 = none. */
static size_t quoted_length(const char *s)
{
	const char *last = *s == '\'' || *s == '"' ? strchr(s + 1, *s) : NULL;

	return last != NULL ? (size_t)(last + 1 - s) : 0;
}

static size_t blanks(const char *s)
{
	return strspn(s, " \t");
}

/* Texts between quotes and columns with + between them, at least one text: 'w', node + '.' + worker. False: it is no such. */
static bool parse_parts(struct tv_mapping *mapping, const char *s, const struct tv_cells *header)
{
	bool texts = false;

	for (;;) {
		size_t quoted = quoted_length(s += blanks(s)),
		       n = quoted > 0 ? quoted : strcspn(s, "+"), next = n;
		struct tv_map_part part = { NULL, 0 };

		while (quoted == 0 && n > 0 && blanks(s + n - 1) > 0)
			n--;
		part.from = quoted > 0 ? column_of(header, s + 1, n - 2) : column_of(header, s, n);
		if (part.from == header->n && quoted == 0)
			return false;
		if (part.from == header->n)
			part.text = tv_strndup(s + 1, n - 2);
		texts = texts || part.text != NULL;
		TV_GROW(mapping->part, mapping->nparts, mapping->parts_cap, 1);
		mapping->part[mapping->nparts++] = part;
		s += next + blanks(s + next);
		if (*s != '+')
			return *s == '\0' && texts;
		s++;
	}
}

static void release_parts(struct tv_mapping *mapping)
{
	for (size_t i = 0; i < mapping->nparts; i++)
		tv_free(mapping->part[i].text);
	tv_free(mapping->part);
	mapping->part = NULL;
	mapping->nparts = mapping->parts_cap = 0;
}

bool tv_map_is_time(const char *column)
{
	return strcmp(column, "Start") == 0 || strcmp(column, "End") == 0
	    || strcmp(column, "Duration") == 0;
}

/* The right side: a column, texts and columns that are joined, or an expression. */
static int parse_source(struct tv_mapping *mapping, const char *text, const char *unit,
			const struct tv_cells *header, struct tv_error *err)
{
	const struct tv_operands operands = { find_operand, (void *)header,
					      "a column of the table or a number", true };
	size_t at = 0, length;
	const char *expected;

	mapping->from = column_of(header, text, strlen(text));
	if (mapping->from < header->n) {
		int scale = header_unit(text, &length);
		bool ms = header->cell[mapping->from].ms;

		mapping->scale = ms ? 6 : scale >= 0 ? scale : scale_of(unit);
		mapping->assumed = !ms && scale < 0 && unit == NULL;
		if (tv_map_is_time(mapping->column) && is_data(header, mapping->from))
			return tv_fail_usage(err,
					     "--map: %s=%s is no name of a column but a number: "
					     "line 1 is a row, so " NO_HEADER,
					     mapping->column, text);
		return 0;
	}
	if (parse_parts(mapping, text, header))
		return 0;
	release_parts(mapping);
	mapping->expression = tv_arithmetic_new(text, &at, &operands, &expected);
	return mapping->expression == NULL || text[at] != '\0' ? fail_column(header, text, err) : 0;
}

static char *trimmed(const char *s, size_t n)
{
	while (n > 0 && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		n--;
	return tv_strndup(s, n);
}

const struct tv_mapping *tv_map_find(const struct tv_map_of_table *map, const char *column)
{
	for (size_t i = 0; i < map->n; i++)
		if (strcmp(map->at[i].column, column) == 0)
			return &map->at[i];
	return NULL;
}

static int add_mapping(struct tv_map_of_table *map, const char *s, size_t n, const char *unit,
		       const struct tv_cells *header, struct tv_error *err)
{
	const char *equals = memchr(s, '=', n);
	struct tv_mapping *mapping;
	char *source, *column;
	bool twice;
	int rc;

	if (equals == NULL || equals == s)
		return tv_fail_usage(err, "--map '%.*s', expected Column=..., as in Value=name",
				     n < 100 ? (int)n : 100, s);
	column = trimmed(s, (size_t)(equals - s));
	twice = tv_map_find(map, column) != NULL;
	TV_GROW(map->at, map->n, map->cap, 1);
	mapping = &map->at[map->n++];
	*mapping = (struct tv_mapping){ .column = column };
	if (twice)
		return tv_fail_usage(err, "--map: %s is there twice, expected once", column);
	source = trimmed(equals + 1, n - (size_t)(equals - s) - 1);
	rc = parse_source(mapping, source, unit, header, err);
	tv_free(source);
	return rc;
}

/* Length up to a comma that is not between quotes or brackets, or to the end of a line. */
static size_t mapping_length(const char *s)
{
	int depth = 0;
	size_t i = 0;

	for (char quote = '\0'; s[i] != '\0' && s[i] != '\n'; i++) {
		if (quote != '\0') {
			quote = s[i] == quote ? '\0' : quote;
			continue;
		}
		if (s[i] == ',' && depth <= 0)
			break;
		quote = s[i] == '\'' || s[i] == '"' ? s[i] : '\0';
		depth += (s[i] == '(' || s[i] == '[') - (s[i] == ')' || s[i] == ']');
	}
	return i;
}

static int parse_list(struct tv_map_of_table *map, const char *text, const char *unit,
		      const struct tv_cells *header, struct tv_error *err)
{
	while (*text != '\0') {
		size_t n = mapping_length(text);

		if (text[strspn(text, " \t\r")] != '#' && strspn(text, " \t\r") < n
		    && add_mapping(map, text, n, unit, header, err) < 0)
			return -1;
		text += text[strspn(text, " \t")] == '#' ? strcspn(text, "\n") : n;
		text += *text != '\0';
	}
	return 0;
}

static int check_complete(const struct tv_map_of_table *map, struct tv_error *err)
{
	bool times = tv_map_find(map, "Start") != NULL;

	if (tv_map_find(map, "Value") == NULL)
		return tv_fail_usage(err, "--map: Value, the type of a task, is missing, expected "
					  "Value=COLUMN or Value='text'");
	if (!times && tv_map_find(map, "DependsOn") != NULL && tv_map_find(map, "JobId") != NULL)
		return 0;
	if (!times || (tv_map_find(map, "End") == NULL && tv_map_find(map, "Duration") == NULL))
		return tv_fail_usage(err, "--map: tasks need Start and End, or Start and Duration; "
					  "a graph without times JobId and DependsOn");
	if (tv_map_find(map, "ResourceId") == NULL)
		return tv_fail_usage(
			err, "--map: ResourceId, the worker of a task, is missing, expected "
			     "ResourceId=COLUMN, or ResourceId='w' for a single one");
	return 0;
}

int tv_map_parse(struct tv_map_of_table *map, const char *text, const char *unit,
		 const struct tv_cells *header, struct tv_error *err)
{
	struct tv_bytes file = { 0 };
	struct tv_input in;
	char *lines;
	int rc;

	if (text[0] != '@') {
		rc = parse_list(map, text, unit, header, err);
		return rc < 0 ? rc : check_complete(map, err);
	}
	if (tv_input_open(&in, text + 1, err) < 0)
		return -1;
	rc = tv_input_all(&in, &file, err);
	tv_input_close(&in);
	lines = rc == 0 ? tv_strndup((const char *)file.bytes, file.n) : NULL;
	if (rc == 0)
		rc = parse_list(map, lines, unit, header, err);
	tv_free(lines);
	tv_bytes_release(&file);
	return rc < 0 ? rc : check_complete(map, err);
}

void tv_map_of_table_release(struct tv_map_of_table *map)
{
	for (size_t i = 0; i < map->n; i++) {
		tv_free(map->at[i].column);
		release_parts(&map->at[i]);
		tv_arithmetic_free(map->at[i].expression);
	}
	tv_free(map->at);
}

/* ---- proposals ---- */

enum { ALL = 20 };

/* Names of columns, without units, blanks, points and lines, in lower case; better ones first. Of two columns
 * that are called like others than the first `sure` ones, each may be the one. */
static const struct {
	const char *column;
	int sure;
	const char *names[ALL];
} synonyms[] = {
	{ "ResourceId",
	  5,
	  { "resourceid", "worker", "workerid", "lane", "resource", "stream", "streamid", "queueid",
	    "core", "cpu", "thread", "threadid", "tid", "slot", "processor", "proc", "pe", NULL } },
	{ "Value",
	  3,
	  { "value", "name", "kernelname", "task", "taskname", "type", "tasktype", "kernel",
	    "function", "operation", "op", "kind", "job", "jobname", "label", "stage", "what",
	    NULL } },
	{ "Start",
	  ALL,
	  { "start", "begin", "starttime", "begintime", "starttimestamp", "ts", "from", "tstart",
	    "tbegin", "t0", "started", NULL } },
	{ "End",
	  ALL,
	  { "end", "finish", "stop", "endtime", "finishtime", "stoptime", "endtimestamp", "to",
	    "tend", "t1", "te", "finished", "ended", NULL } },
	{ "Duration", ALL, { "duration", "dur", "elapsed", "elapsedtime", "runtime", NULL } },
	{ "JobId",
	  3,
	  { "jobid", "id", "taskid", "job", "uid", "task", "ticket", "number", "jobno", "taskno",
	    "tasknumber", "jobnumber", NULL } },
	{ "DependsOn",
	  ALL,
	  { "dependson", "after", "depends", "deps", "dependencies", "predecessors", "parents",
	    "dependency", "predecessor", "parent", "waitsfor", "waitedfor", "requires", "needs",
	    NULL } },
	{ "SubmitTime",
	  ALL,
	  { "submittime", "submit", "submitted", "submission", "dispatch", NULL } },
	{ "Node", ALL, { "node", "rank", "host", NULL } },
	{ "Priority", ALL, { "priority", "prio", NULL } },
};

/* Columns of ours that keep their name, which is theirs alone; without being named they are not ours. */
static const char *const kept[] = { "ResourceType", "GFlop",   "Footprint",
				    "Iteration",    "Handles", "Modes" };

static void simplify(char out[64], const char *name)
{
	size_t length, n = 0;

	header_unit(name, &length);
	for (size_t i = 0; i < length && n < 63; i++)
		if ((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9'))
			out[n++] = name[i];
		else if (name[i] >= 'A' && name[i] <= 'Z')
			out[n++] = (char)(name[i] - 'A' + 'a');
	out[n] = '\0';
}

/* The first column that has one of the names and is not used yet; *before: of how many names no column is called. */
static size_t column_like(const struct tv_cells *header, const char *const *names, const bool *used,
			  int *before)
{
	for (*before = 0; *names != NULL; names++, ++*before)
		for (size_t i = 0; i < header->n; i++) {
			char simple[64];

			simplify(simple, header->cell[i].s);
			if (!used[i] && strcmp(simple, *names) == 0)
				return i;
		}
	return header->n;
}

/* Whether column i, found for synonyms[k], may mean something else, as another one is called like it, which is then used too:
 * both are appended to *either. */
static bool is_unsure(const struct tv_cells *header, size_t k, size_t i, int before, bool *used,
		      char **either)
{
	size_t other;

	if (before < synonyms[k].sure)
		return false;
	used[i] = true;
	other = column_like(header, synonyms[k].names, used, &before);
	used[i] = other < header->n;
	if (!used[i])
		return false;
	used[other] = true;
	tv_append(either, "%s%s: %s or %s", *either == NULL ? "" : ", ", synonyms[k].column,
		  header->cell[i].s, header->cell[other].s);
	return true;
}

/* Whether column i, found for Value, rather has the ids that the tasks after name: then no column has their types. */
static bool has_ids(const struct tv_cells *header, size_t i, bool *used)
{
	const char *const *ids = synonyms[5].names;
	bool before = used[i], is;
	int rank;

	is = column_like(header, ids, used, &rank) == i;
	used[i] = true;
	is = is && column_like(header, ids, used, &rank) == header->n
	  && column_like(header, synonyms[6].names, used, &rank) < header->n;
	used[i] = before;
	return is;
}

/* rocprofv3 writes ns, without a unit in the header; queues of several agents, which are devices, have the same numbers. */
static bool is_of_rocprof(const struct tv_cells *header)
{
	return column_of(header, "Start_Timestamp", strlen("Start_Timestamp")) < header->n;
}

static const char default_unit[] = " --time-unit ms";

int tv_map_epoch(const struct tv_cells *row, size_t i)
{
	double time;

	if (i < row->n && tv_parse_double(row->cell[i].s, row->cell[i].n, &time) == TV_PARSE_OK)
		for (int scale = 9; scale >= 0; scale -= 3, time /= 1000)
			if (time >= 1e9 && time < 4e9)
				return scale;
	return -1;
}

/* The unit of times without one. first: NULL, or the first row. */
static const char *assumed_unit(const struct tv_cells *first, size_t i)
{
	switch (first == NULL ? -1 : tv_map_epoch(first, i)) {
	case 9:
		return " --time-unit s";
	case 3:
		return " --time-unit us";
	case 0:
		return " --time-unit ns";
	default:
		return default_unit;
	}
}

/* Whether the first line has numbers where the second has them: it is a row. The number into *example. */
static bool lacks_header(const struct tv_cells *header, const struct tv_cells *first,
			 const char **example)
{
	size_t numbers = 0;

	if (first == NULL || header->n < 3 || header->n != first->n)
		return false;
	for (size_t i = 0; i < header->n; i++) {
		if (!is_data(header, i))
			continue;
		if (!is_number(&first->cell[i]))
			return false;
		*example = header->cell[i].s;
		numbers++;
	}
	return numbers >= 2;
}

static char *propose(const struct tv_cells *header, const struct tv_cells *first, bool partly,
		     const char *path)
{
	bool used[TV_CELLS_MAX] = { false }, has[TV_COUNT(synonyms)] = { false };
	char *map = NULL, *text = NULL, *file = tv_shell_word(path), *either = NULL;
	bool rocprof = is_of_rocprof(header), graph, whole, unnamed;
	bool sure = rocprof
		 || column_of(header, "BeginNs", strlen("BeginNs"))
			    < header->n; /* its older versions */
	const char *unit = rocprof ? " --time-unit ns" : "", *example;
	size_t length;
	int found, before;

	for (size_t k = 0; k < TV_COUNT(synonyms); k++) {
		size_t i = column_like(header, synonyms[k].names, used, &before);
		bool needless = strcmp(synonyms[k].column, "Duration") == 0 && has[3];

		if (i == header->n || needless || strpbrk(header->cell[i].s, ",'\n") != NULL)
			continue;
		has[k] = true;
		if (!sure && is_unsure(header, k, i, before, used, &either)) {
			tv_append(&map, ",%s=?", synonyms[k].column);
			continue;
		}
		if (k == 1 && has_ids(header, i, used)) {
			tv_append(&map, ",Value=\"task\"");
			continue;
		}
		used[i] = true;
		if (k == 0 && rocprof && strcmp(header->cell[i].s, "Queue_Id") == 0
		    && column_of(header, "Agent_Id", strlen("Agent_Id")) < header->n)
			tv_append(&map, ",ResourceId=Agent_Id+\".\"+Queue_Id,Device=Agent_Id,"
					"ResourceType=\"GPU\"");
		else
			tv_append(&map, ",%s=%s", synonyms[k].column, header->cell[i].s);
		/* What is assumed is said. */
		if (k == 2 && unit[0] == '\0' && header_unit(header->cell[i].s, &length) < 0)
			unit = assumed_unit(first, i);
	}
	for (size_t k = 0; k < TV_COUNT(kept); k++)
		if (column_of(header, kept[k], strlen(kept[k])) < header->n)
			tv_append(&map, ",%s=%s", kept[k], kept[k]);
	/* Value, and either times and a worker or a graph. */
	has[3] = has[3] || has[4];
	found = has[0] + has[1] + has[2] + has[3];
	graph = has[1] && has[5] && has[6] && !has[2] && !has[0];
	unnamed = has[6] && !has[5]; /* what DependsOn names */
	whole = graph || found == 4;
	for (size_t k = 0; k < 4 && !whole; k++)
		if (!has[k])
			tv_append(&map, ",%s=?", synonyms[k].column);
	if (unnamed)
		tv_append(&map, ",JobId=?");
	if (!whole && lacks_header(header, first, &example))
		text = tv_format("line 1 has numbers, such as %s, and no names: " NO_HEADER,
				 example);
	else if (whole || (partly && found >= 2))
		text = tv_format("to read it%s%s%s%s%s: traceviz --map '%s'%s %s",
				 whole && either == NULL && !unnamed ? ""
								     : ", with a column for each ?",
				 either != NULL ? " (" : "", either != NULL ? either : "",
				 either != NULL ? ")" : "",
				 strcmp(unit, default_unit) == 0 ? ", if its times are in ms" : "",
				 map + 1, unit, file);
	tv_free(either);
	tv_free(map);
	tv_free(file);
	return text;
}

char *tv_map_propose(const char *head, size_t n, bool partly, const char *path)
{
	struct tv_cells *header = tv_alloc(1, sizeof *header), *first = tv_alloc(1, sizeof *first);
	struct tv_error err;
	struct tv_input in;
	char *map = NULL;

	header->separator = first->separator = tv_cells_separator(head, n);
	tv_input_memory(&in, "", head, n);
	if (tv_cells_next(header, &in, &err) > 0)
		map = propose(header, tv_cells_next(first, &in, &err) > 0 ? first : NULL, partly,
			      path);
	tv_input_close(&in);
	tv_cells_release(header);
	tv_cells_release(first);
	tv_free(header);
	tv_free(first);
	return map;
}
