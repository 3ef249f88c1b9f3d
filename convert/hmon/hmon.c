/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hmon.c -- traces of dynamic_lstopo and Hierarchical-monitors, all three versions: lines of an
 * object of the machine, a time and values.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convert/formats.h"
#include "convert/words.h"
#include "monitor/monitor.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { WORDS_MAX = 300, ENDING_MAX = 5, US = 3 };

/* The values of an object at an instant. */
struct row {
	uint32_t object, monitor; /* labels */
	int64_t ns;
	size_t value, n; /* where in reading.value; how many */
	long line;
};

/* A node of the first version. */
struct node {
	uint32_t object, name;
};

struct reading {
	struct tv_trace *trace;
	uint32_t monitor; /* label of the file's name */
	char **header;	  /* names of the values of this file */
	size_t nheader;
	bool by_option; /* they are from --variable-names */
	struct row *row;
	size_t n, cap;
	double *value;
	size_t nvalues, values_cap;
	struct node *node;
	size_t nnodes, nodes_cap;
	struct tv_map nodes;  /* number in the file -> node */
	struct tv_index seen; /* objects that have a row of resources */
	struct {
		struct tv_column *resource, *type, *start, *end, *value;
		struct tv_column *object, *level, *order, *depth;
	} to;
};

/* ---- words ---- */

/* Whether a word is LEVEL:NUMBER; the level may be unknown. */
static bool is_object(struct tv_word word, size_t *colon, int64_t *index)
{
	const char *at = memchr(word.s, ':', word.n);

	if (at == NULL || at == word.s || !isalpha((unsigned char)word.s[0]))
		return false;
	*colon = (size_t)(at - word.s);
	for (size_t i = 0; i < *colon; i++)
		if (!isalnum((unsigned char)word.s[i]) && strchr("_-", word.s[i]) == NULL)
			return false;
	return isdigit((unsigned char)at[1])
	    && tv_parse_int(at + 1, word.n - *colon - 1, index) == TV_PARSE_OK
	    && *index < UINT32_MAX;
}

static bool time_of(struct tv_word word, int scale, int64_t *ns)
{
	return word.n > 0 && isdigit((unsigned char)word.s[0])
	    && tv_parse_scaled(word.s, word.n, scale, ns) == TV_PARSE_OK && *ns < (int64_t)1 << 61;
}

/* ---- what recognizes the format ---- */

static bool is_header(const struct tv_word *word, size_t n)
{
	return n >= 2 && tv_word_is(word[0], "Obj") && tv_word_is(word[1], "Nanoseconds");
}

/* [MONITOR] OBJECT NANOSECONDS VALUE...: where the object is, in *first, and what it and its time are. */
static bool find_object(const struct tv_word *word, size_t n, size_t *first, size_t *colon,
			int64_t *index, int64_t *ns)
{
	*first = n > 1 && !is_object(word[0], colon, index);
	return n >= *first + 3 && n < WORDS_MAX && is_object(word[*first], colon, index)
	    && time_of(word[*first + 1], 0, ns);
}

/* Whether a line is a row, as the reader takes it; *known: of a level that exists. */
static bool is_row(const struct tv_word *word, size_t n, bool *known)
{
	size_t first, colon;
	int64_t index, ns;
	char *level;

	if (!find_object(word, n, &first, &colon, &index, &ns))
		return false;
	level = tv_monitor_level(word[first].s, colon);
	*known = *known || level != NULL;
	tv_free(level);
	return true;
}

/* Lines that are not understood are damage as long as more are rows. */
static int probe(const char *head, size_t n)
{
	const char *s = head, *end = head + n;
	bool known = false;
	size_t rows = 0, others = 0;

	if (tv_head_has(head, n, "%EventDef Node_val") && tv_head_has(head, n, "Node_container"))
		return 95; /* more than Paje, which it looks like */
	for (const char *eol; s < end; s = eol + 1) {
		struct tv_word word[WORDS_MAX];
		size_t nwords;

		eol = memchr(s, '\n', (size_t)(end - s));
		if (eol == NULL && rows > 0)
			break;
		eol = eol != NULL ? eol : end;
		nwords = tv_words_of(s, (size_t)(eol - s), word, WORDS_MAX);
		if (is_header(word, nwords))
			known = true;
		else if (is_row(word, nwords, &known))
			rows++;
		else
			others += nwords > 0;
	}
	return known && rows >= others + (others > 0) ? 70 : 0;
}

/* ---- objects ---- */

/* Places of levels in the hierarchy, from the outermost: a trace does not contain the tree. */
static const char *const depths[] = { "Machine", "Package", "NUMANode", "Die", "Group", "L5", "L4",
				      "L3",	 "L2",	    "L1d",	"L1i", "Core",	"PU" };

/* The label of an object, which gets a row of resources when it is new. */
static uint32_t object_of(struct reading *r, struct tv_word name, int64_t index, struct tv_pos at)
{
	char *level = tv_monitor_level(name.s, name.n);
	bool known = level != NULL;
	char *id;
	uint32_t label, row;
	size_t depth = 0;

	if (!known)
		level = tv_strndup(name.s, name.n);
	id = tv_format("%s:%lld", level, (long long)index);
	label = tv_intern_text(r->trace->pool, id);
	if (tv_index_get(&r->seen, label) == TV_NONE) {
		while (depth < TV_COUNT(depths) && strcmp(level, depths[depth]) != 0)
			depth++;
		tv_index_set(&r->seen, label, 1);
		row = tv_table_add_row(&r->trace->table[TV_RESOURCES]);
		tv_set_label(r->to.object, row, label);
		tv_set_text(r->to.level, row, level);
		tv_set_int(r->to.order, row, index);
		tv_set_int(r->to.depth, row, (int64_t)depth);
		if (!known)
			tv_damaged(r->trace, TV_REPAIRED, "object of an unknown level, kept", at,
				   "'%.60s'", id);
	}
	tv_free(level);
	tv_free(id);
	return label;
}

/* ---- rows ---- */

/* Adds a row of values, of which those that are no numbers are missing. */
static void add_row(struct reading *r, uint32_t object, uint32_t monitor, int64_t ns,
		    const struct tv_word *word, size_t n, struct tv_pos at)
{
	struct row row = { object, monitor, ns, r->nvalues, n, at.line };

	TV_GROW(r->value, r->nvalues, r->values_cap, n);
	for (size_t i = 0; i < n; i++) {
		double *value = &r->value[r->nvalues++];

		if (tv_parse_double(word[i].s, word[i].n, value) == TV_PARSE_OK)
			continue;
		*value = NAN;
		tv_damaged(r->trace, TV_DROPPED_BESIDE, "value that is no number", at, "'%.*s'",
			   (int)(word[i].n < 60 ? word[i].n : 60), word[i].s);
	}
	TV_GROW(r->row, r->n, r->cap, 1);
	r->row[r->n++] = row;
}

/* [MONITOR] OBJECT NANOSECONDS VALUE... */
static bool read_values(struct reading *r, const struct tv_word *word, size_t n, struct tv_pos at)
{
	uint32_t monitor = r->monitor;
	size_t first, colon;
	int64_t index, ns;

	if (!find_object(word, n, &first, &colon, &index, &ns))
		return false;
	if (first > 0)
		monitor = tv_intern(r->trace->pool, word[0].s, word[0].n);
	add_row(r, object_of(r, (struct tv_word){ word[first].s, colon }, index, at), monitor, ns,
		word + first + 2, n - first - 2, at);
	return true;
}

/* 1 ID LEVEL SIBLING NAME [LOGSCALE]: an object; 0 ID PHASE MICROSECONDS VALUE. */
static bool read_first_version(struct reading *r, const struct tv_word *word, size_t n,
			       struct tv_pos at)
{
	int64_t id, sibling, ns;
	uint32_t *number;

	if (n < 5 || tv_parse_int(word[1].s, word[1].n, &id) != TV_PARSE_OK || id < 0)
		return false;
	if (tv_word_is(word[0], "1")) {
		if (tv_parse_int(word[3].s, word[3].n, &sibling) != TV_PARSE_OK || sibling < 0
		    || sibling >= UINT32_MAX || !isalpha((unsigned char)word[2].s[0]))
			return false;
		number = tv_map_at(&r->nodes, (uint64_t)id, r->monitor);
		*number = (uint32_t)r->nnodes;
		TV_GROW(r->node, r->nnodes, r->nodes_cap, 1);
		r->node[r->nnodes++] = (struct node){ object_of(r, word[2], sibling, at),
						      tv_intern(r->trace->pool, word[4].s,
								word[4].n) };
		return true;
	}
	number = tv_map_get(&r->nodes, (uint64_t)id, r->monitor);
	if (!tv_word_is(word[0], "0") || number == NULL || !time_of(word[3], US, &ns))
		return false;
	add_row(r, r->node[*number].object, r->node[*number].name, ns, word + 4, 1, at);
	return true;
}

static void free_header(struct reading *r)
{
	for (size_t i = 0; i < r->nheader; i++)
		tv_free(r->header[i]);
	r->nheader = 0;
}

static void read_header(struct reading *r, const struct tv_word *word, size_t n)
{
	if (r->by_option)
		return;
	free_header(r);
	r->header = tv_realloc(r->header, n, sizeof *r->header);
	for (size_t i = 2; i < n; i++)
		r->header[r->nheader++] = tv_strndup(word[i].s, word[i].n);
}

/* The name of the file without folder and endings: in the last version that of the monitor. */
static char *file_name(const char *path)
{
	char *name = tv_convert_region(path, ".trace"), *dot;

	if (name == NULL)
		return tv_strdup("monitor");
	dot = strrchr(name, '.');
	if (dot != NULL && dot != name && strlen(dot) <= ENDING_MAX)
		*dot = '\0';
	return name;
}

/* The names of the values of a file: of its header, else of the option. */
static void begin_file(struct reading *r, const char *path)
{
	const char *names = r->trace->options.variable_names;
	char *name = file_name(path);

	r->monitor = tv_intern_text(r->trace->pool, name);
	tv_free(name);
	free_header(r);
	r->by_option = names != NULL;
	for (size_t n; names != NULL && *names != '\0'; names += names[n] == ',' ? n + 1 : n) {
		n = strcspn(names, ",");
		r->header = tv_realloc(r->header, r->nheader + 1, sizeof *r->header);
		r->header[r->nheader++] = tv_strndup(names, n);
	}
}

/* ---- variables ---- */

static int by_object(const void *a, const void *b, void *pool)
{
	const struct row *x = a, *y = b;
	int order = 0;

	if (x->monitor != y->monitor)
		order = tv_natural_order(tv_pool_text(pool, x->monitor),
					 tv_pool_text(pool, y->monitor));
	if (order == 0 && x->object != y->object)
		order = tv_natural_order(tv_pool_text(pool, x->object),
					 tv_pool_text(pool, y->object));
	if (order == 0)
		order = TV_COMPARE(x->ns, y->ns);
	return order != 0 ? order : TV_COMPARE(x->line, y->line);
}

static bool same_object(const struct row *a, const struct row *b)
{
	return a->monitor == b->monitor && a->object == b->object;
}

/* Rows that are equal were written twice. Behind each other after sorting, but for those of the same
 * time with other values. */
static bool is_repeated(const struct reading *r, size_t i)
{
	const struct row *row = &r->row[i];

	for (size_t k = i; k > 0 && i - k < WORDS_MAX; k--) {
		const struct row *before = &r->row[k - 1];

		if (!same_object(before, row) || before->ns != row->ns)
			return false;
		if (before->n == row->n
		    && memcmp(r->value + before->value, r->value + row->value,
			      row->n * sizeof *r->value)
			       == 0)
			return true;
	}
	return false;
}

/* The variable of the i-th of n values. */
static uint32_t variable(struct reading *r, const struct row *row, size_t i)
{
	const char *monitor = tv_pool_text(r->trace->pool, row->monitor);
	bool named = row->monitor == r->monitor && i < r->nheader;
	char *name;
	uint32_t label;

	if (named && r->by_option)
		name = tv_strdup(r->header[i]);
	else if (named)
		name = tv_format("%s.%s", monitor, r->header[i]);
	else if (row->n == 1)
		name = tv_format("%s.value", monitor);
	else
		name = tv_format("%s.%zu", monitor, i);
	label = tv_intern_text(r->trace->pool, name);
	tv_free(name);
	return label;
}

static void write_row(struct reading *r, const struct row *row, int64_t start)
{
	for (size_t i = 0; i < row->n; i++) {
		double value = r->value[row->value + i];
		uint32_t at;

		if (isnan(value))
			continue;
		at = tv_table_add_row(&r->trace->table[TV_VARIABLES]);
		tv_set_label(r->to.resource, at, row->object);
		tv_set_label(r->to.type, at, variable(r, row, i));
		tv_set_int(r->to.start, at, start);
		tv_set_int(r->to.end, at, row->ns);
		tv_set_double(r->to.value, at, value);
	}
}

/* The rows of a file, by object and time. A value is one of the interval since the one before, the
 * first one since the start of the tool, which is time 0; of the first version the clock has another
 * origin. */
static void write_rows(struct reading *r, const char *path, bool first_version)
{
	const struct row *before = NULL;

	if (r->n > 0)
		qsort_r(r->row, r->n, sizeof *r->row, by_object, r->trace->pool);
	for (size_t i = 0; i < r->n; i++) {
		const struct row *row = &r->row[i];
		int64_t start = first_version ? row->ns : 0;

		if (is_repeated(r, i)) {
			tv_damaged(r->trace, TV_REPAIRED, "row that was written twice",
				   (struct tv_pos){ path, row->line }, "of %.60s",
				   tv_pool_text(r->trace->pool, row->object));
			continue;
		}
		if (before != NULL && same_object(before, row))
			start = before->ns;
		write_row(r, row, start);
		before = row;
	}
	r->n = r->nvalues = 0;
}

static int read_trace(void *state, struct tv_input *in, struct tv_error *err)
{
	struct reading *r = state;
	struct tv_word *word = tv_alloc(WORDS_MAX, sizeof *word);
	size_t n, count;
	bool old = false;
	char *line;
	int more;

	begin_file(r, in->path);
	while ((more = tv_input_line(in, &line, &n, err)) > 0) {
		bool known;

		count = tv_words_of(line, n, word, WORDS_MAX);
		if (count == 0)
			continue;
		if (line[0] == '%') {
			old = true;
			continue;
		}
		if (is_header(word, count)) {
			read_header(r, word, count);
			continue;
		}
		known = !in->unterminated
		     && (old ? read_first_version(r, word, count, tv_here(in))
			     : read_values(r, word, count, tv_here(in)));
		if (!known)
			tv_damaged(r->trace, TV_DROPPED_BESIDE,
				   in->unterminated ? "last line, which may be cut"
						    : "row that is not understood",
				   tv_here(in), "'%.60s'", line);
	}
	tv_free(word);
	if (more == 0)
		write_rows(r, in->path, old);
	return more;
}

/* ---- the reader ---- */

static void *begin(struct tv_trace *trace)
{
	struct reading *r = tv_alloc(1, sizeof *r);

	r->trace = trace;
	TV_TRACE_COLUMNS(trace, TV_VARIABLES, { "ResourceId", &r->to.resource },
			 { "Type", &r->to.type }, { "Start", &r->to.start }, { "End", &r->to.end },
			 { "Value", &r->to.value });
	TV_TRACE_COLUMNS(trace, TV_RESOURCES, { "ResourceId", &r->to.object },
			 { "ResourceType", &r->to.level }, { "Order", &r->to.order },
			 { "Depth", &r->to.depth });
	return r;
}

static int finish(void *state, struct tv_error *err)
{
	const struct reading *r = state;

	if (r->trace->table[TV_VARIABLES].nrows == 0)
		return tv_fail(err, "no values of monitors, expected lines such as 'PU:0 96131375 "
				    "1' or 'Obj Nanoseconds NAME' and these");
	return 0;
}

static void release(void *state)
{
	struct reading *r = state;

	free_header(r);
	tv_free(r->header);
	tv_free(r->row);
	tv_free(r->value);
	tv_free(r->node);
	tv_map_release(&r->nodes);
	tv_free(r->seen.at);
	tv_free(r);
}

const struct tv_reader tv_hmon_reader = {
	.name = "hmon",
	.summary = "traces of hierarchical monitors (dynamic_lstopo, Hierarchical-monitors)",
	.brings = TV_BRINGS(VARIABLES) | TV_BRINGS(MACHINE),
	.probe = probe,
	.begin = begin,
	.read = read_trace,
	.finish = finish,
	.free = release,
	.memory = 16,
};
