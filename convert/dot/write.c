/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write.c -- the task graph as DOT: a node for each job, or segment of a suspended one, with all its
 * columns as attributes, which Graphviz ignores and our reader reads.
 */
#include "convert/dot/dot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "convert/part.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* Columns that are no attribute: the node's name, its edges, and what readers derive. */
static const char *const left_out[] = { "JobId", "DependsOn", "Duration", "Start", "End" };

/* Of types for which data/kernels.csv has no color. */
static const uint32_t colors[] = { 0x8dd3c7, 0xffffb3, 0xbebada, 0xfb8072, 0x80b1d3, 0xfdb462,
				   0xb3de69, 0xfccde5, 0xbc80bd, 0xccebc5, 0xffed6f, 0xa6cee3 };

struct writing {
	const struct tv_export *export;
	const struct tv_trace *trace;
	const struct tv_pool *pool;
	const struct tv_table *tasks;
	const struct tv_column *value, *resource, *depends, *parent, *submit;
	const struct tv_column **more; /* attributes */
	size_t nmore;
	struct tv_kernels kernels;
	struct tv_part_jobs jobs;
	/* Where segments are nodes of their own: places in jobs by job and segment, where each is there, and
	 * by label of a job where its first and its last one are. */
	uint32_t *sorted, *place;
	struct tv_index first, last;
	uint32_t *seen; /* by label of a job: the task, plus 1, that has a dependency on it */
	struct tv_output *out;
};

/* ---- texts ---- */

/* Between quotes, where \ would begin an escape. */
static void write_escaped(struct tv_output *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"' || s[i] == '\\')
			tv_output_text(out, "\\");
		tv_output_write(out, s + i, 1);
	}
}

static void write_quoted(struct tv_output *out, const char *s)
{
	tv_output_text(out, "\"");
	write_escaped(out, s, strlen(s));
	tv_output_text(out, "\"");
}

/* The name of an attribute: a word, else between quotes. Keywords are some in any case. */
static void write_name(struct tv_output *out, const char *name)
{
	static const char *const keyword[] = { "node",	  "edge",     "graph",
					       "digraph", "subgraph", "strict" };
	bool taken = tv_dot_is_taken(name), word = !taken && (name[0] < '0' || name[0] > '9');

	for (size_t i = 0; i < TV_COUNT(keyword); i++)
		word = word && strcasecmp(name, keyword[i]) != 0;
	for (const char *s = name; *s != '\0'; s++)
		word = word
		    && ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_'
			|| (*s >= '0' && *s <= '9'));
	tv_output_text(out, word ? "" : taken ? "\"" TV_DOT_APART : "\"");
	write_escaped(out, name, strlen(name));
	tv_output_text(out, word ? "=" : "\"=");
}

/* ---- segments ---- */

static int by_segment(const void *a, const void *b, void *data)
{
	const struct tv_part_job *at = data, *x = &at[*(const uint32_t *)a],
				 *y = &at[*(const uint32_t *)b];

	return x->job != y->job ? TV_COMPARE(x->job, y->job) : TV_COMPARE(x->segment, y->segment);
}

static void sort_segments(struct writing *w)
{
	uint32_t n = w->jobs.n;

	if (w->jobs.segment == NULL)
		return;
	tv_free(w->sorted);
	tv_free(w->place);
	w->sorted = tv_alloc(n, sizeof *w->sorted);
	w->place = tv_alloc(n, sizeof *w->place);
	for (uint32_t i = 0; i < n; i++)
		w->sorted[i] = i;
	if (n > 1)
		qsort_r(w->sorted, n, sizeof *w->sorted, by_segment, w->jobs.at);
	for (uint32_t i = 0; i < n; i++) {
		w->place[w->sorted[i]] = i;
		tv_index_set(&w->last, w->jobs.at[w->sorted[i]].job, i);
		tv_index_set(&w->first, w->jobs.at[w->sorted[n - 1 - i]].job, n - 1 - i);
	}
}

/* The segment that created a task: the last one that had started at its submission; the first one
 * without that. */
static uint32_t find_creator(const struct writing *w, uint32_t job, uint32_t row)
{
	uint32_t second = tv_index_get(&w->first, job) + 1, next = second;

	if (tv_has(w->submit, row))
		TV_LOWER_BOUND(next, second, tv_index_get(&w->last, job) + 1,
			       w->jobs.at[w->sorted[next]].start <= w->submit->i[row]);
	return w->sorted[next - 1];
}

/* The node that a dependency of node i is on; TV_NONE = none in this file. */
static uint32_t find_node(const struct writing *w, uint32_t i, uint32_t job)
{
	uint32_t node = tv_index_get(&w->jobs.index, job), row = w->jobs.at[i].row;

	if (node == TV_NONE || w->jobs.segment == NULL)
		return node;
	if (tv_has(w->parent, row) && tv_label(w->parent, row) == job)
		return find_creator(w, job, row);
	return w->sorted[tv_index_get(&w->last, job)];
}

static bool is_divided(const struct writing *w, uint32_t i)
{
	uint32_t job = w->jobs.at[i].job;

	return w->jobs.segment != NULL
	    && tv_index_get(&w->first, job) != tv_index_get(&w->last, job);
}

/* JOB, or JOB/SEGMENT of a job that has several. */
static void write_node_name(const struct writing *w, uint32_t i)
{
	const struct tv_part_job *job = &w->jobs.at[i];
	const char *name = tv_pool_text(w->pool, job->job);

	write_escaped(w->out, name, strlen(name));
	if (is_divided(w, i))
		tv_output_format(w->out, "/%" PRId64, job->segment);
}

/* ---- columns ---- */

static bool is_attribute(const struct tv_column *column)
{
	if (column->derived || column->name[0] == '\0')
		return false;
	for (size_t i = 0; i < TV_COUNT(left_out); i++)
		if (strcmp(left_out[i], column->name) == 0)
			return false;
	return true;
}

static void write_cell(const struct writing *w, const struct tv_column *column, uint32_t row)
{
	char text[TV_NUMBER_MAX];
	const uint32_t *label;
	const char *s;
	uint32_t n;
	size_t length;

	tv_output_text(w->out, "\"");
	if (column->type == TV_LIST) {
		label = tv_list(column, row, &n);
		for (uint32_t i = 0; i < n; i++) {
			if (i > 0)
				tv_output_text(w->out, " ");
			write_escaped(w->out, tv_pool_text(w->pool, label[i]),
				      tv_pool_length(w->pool, label[i]));
		}
	} else if (column->type == TV_LABEL || column->type == TV_TEXT) {
		s = tv_string(column, row, &length);
		write_escaped(w->out, s, length);
	} else {
		length = tv_cell_text(column, row, text, sizeof text);
		tv_output_write(w->out, text, length);
	}
	tv_output_text(w->out, "\"");
}

static void write_time(const struct writing *w, const char *name, int64_t ns)
{
	char text[TV_NUMBER_MAX];

	tv_write_ms(text, ns);
	tv_output_format(w->out, ", %s=\"%s\"", name, text);
}

/* ---- looks ---- */

static uint32_t color_of(const struct writing *w, const char *value)
{
	const struct tv_kernel *kernel = tv_kernels_match(&w->kernels, value);
	uint32_t hash = 2166136261u; /* FNV-1a */

	if (kernel != NULL && kernel->has_color)
		return kernel->color;
	for (; *value != '\0'; value++)
		hash = (hash ^ (unsigned char)*value) * 16777619u;
	return colors[(hash ^ hash >> 15) % TV_COUNT(colors)];
}

static bool is_dark(uint32_t color)
{
	return 299 * (color >> 16 & 0xff) + 587 * (color >> 8 & 0xff) + 114 * (color & 0xff)
	     < 128 * 1000;
}

/* Tasks are boxes (the default of the file) in the color of their type, dashed if they did not run;
 * messages are hexagons, nodes that are no work dotted ellipses. */
static void write_looks(const struct writing *w, const struct tv_part_job *job, const char *value)
{
	uint32_t color = color_of(w, value);

	if (tv_part_jobs_is_kind(&w->jobs, job->row, TV_GHOST)) {
		tv_output_text(w->out, ", shape=ellipse, style=dotted");
	} else if (tv_part_jobs_is_kind(&w->jobs, job->row, TV_MESSAGE)) {
		tv_output_text(w->out, ", shape=hexagon, fillcolor=\"#eeeeee\"");
	} else {
		tv_output_format(w->out, ", fillcolor=\"#%06" PRIx32 "\"", color);
		if (is_dark(color))
			tv_output_text(w->out, ", fontcolor=white");
		if (!job->ran)
			tv_output_text(w->out, ", style=\"filled,dashed\"");
	}
}

/* Type, job, and where and how long it ran. */
static void write_label(const struct writing *w, uint32_t i, const char *value)
{
	const struct tv_part_job *job = &w->jobs.at[i];
	char text[TV_NUMBER_MAX];
	const char *name;

	tv_output_text(w->out, "label=\"");
	if (value[0] != '\0') {
		write_escaped(w->out, value, strlen(value));
		tv_output_text(w->out, "\\n");
	}
	write_node_name(w, i);
	if (job->ran) {
		tv_write_ms(text, job->end - job->start);
		tv_output_text(w->out, "\\n");
		if (tv_has(w->resource, job->row)) {
			name = tv_pool_text(w->pool, tv_label(w->resource, job->row));
			write_escaped(w->out, name, strlen(name));
			tv_output_text(w->out, ": ");
		}
		tv_output_format(w->out, "%s ms", text);
	}
	tv_output_text(w->out, "\"");
}

/* ---- nodes and edges ---- */

/* Whether edges do not give DependsOn: a job is repeated, or is not in the file. */
static bool loses_dependencies(const struct writing *w, uint32_t i, const uint32_t *label,
			       uint32_t n)
{
	bool loses = n == 0 || w->jobs.segment != NULL;

	for (uint32_t k = 0; k < n; k++) {
		loses = loses || w->seen[label[k]] == i + 1
		     || tv_index_get(&w->jobs.index, label[k]) == TV_NONE;
		w->seen[label[k]] = i + 1;
	}
	for (uint32_t k = 0; k < n; k++)
		w->seen[label[k]] = 0;
	return loses;
}

static void write_node(const struct writing *w, uint32_t i)
{
	const struct tv_part_job *job = &w->jobs.at[i];
	const char *value = tv_has(w->value, job->row)
				  ? tv_pool_text(w->pool, tv_label(w->value, job->row))
				  : "";
	const uint32_t *label;
	uint32_t n;

	tv_output_text(w->out, "\t\"");
	write_node_name(w, i);
	tv_output_text(w->out, "\" [");
	write_label(w, i, value);
	write_looks(w, job, value);
	if (is_divided(w, i)) {
		tv_output_text(w->out, ", JobId=");
		write_quoted(w->out, tv_pool_text(w->pool, job->job));
	}
	if (job->ran) {
		write_time(w, "Start", job->start);
		write_time(w, "End", job->end);
	}
	for (size_t k = 0; k < w->nmore; k++) {
		if (!tv_has(w->more[k], job->row))
			continue;
		tv_output_text(w->out, ", ");
		write_name(w->out, w->more[k]->name);
		write_cell(w, w->more[k], job->row);
	}
	if (tv_has(w->depends, job->row)) {
		label = tv_list(w->depends, job->row, &n);
		if (loses_dependencies(w, i, label, n)) {
			tv_output_text(w->out, ", DependsOn=");
			write_cell(w, w->depends, job->row);
		}
	}
	tv_output_text(w->out, "];\n");
}

static void write_edge(const struct writing *w, uint32_t tail, uint32_t head)
{
	tv_output_text(w->out, "\t\"");
	write_node_name(w, tail);
	tv_output_text(w->out, "\" -> \"");
	write_node_name(w, head);
	tv_output_text(w->out, "\";\n");
}

static void write_edges(const struct writing *w, uint32_t i)
{
	const struct tv_part_job *job = &w->jobs.at[i];
	const uint32_t *label;
	uint32_t n;

	/* From the segment before. */
	if (w->jobs.segment != NULL && w->place[i] != tv_index_get(&w->first, job->job))
		write_edge(w, w->sorted[w->place[i] - 1], i);
	if (!tv_has(w->depends, job->row))
		return;
	label = tv_list(w->depends, job->row, &n);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t tail = find_node(w, i, label[k]);

		if (tail != TV_NONE && w->seen[label[k]] != i + 1)
			write_edge(w, tail, i);
		w->seen[label[k]] = i + 1;
	}
	for (uint32_t k = 0; k < n; k++)
		w->seen[label[k]] = 0;
}

static void write_clock(const struct writing *w)
{
	char text[TV_NUMBER_MAX];
	int64_t ns;
	size_t n;
	const char *origin = tv_meta_get(w->trace, TV_DOT_CLOCK, &n);

	if (origin == NULL || tv_parse_scaled(origin, n, 6, &ns) != TV_PARSE_OK)
		ns = 0;
	tv_write_ms(text, ns);
	tv_output_format(w->out, "\t" TV_DOT_CLOCK "=\"%s\";\n", text);
}

static int write_file(void *state, const struct tv_part *part, struct tv_output *out,
		      struct tv_error *err)
{
	struct writing *w = state;

	w->out = out;
	tv_part_jobs_collect(&w->jobs, part);
	sort_segments(w);
	if (w->jobs.n == 0)
		return tv_fail(err, "no task has a JobId, which a node of a graph needs");
	tv_output_text(out, "digraph ");
	write_quoted(out, part->name != NULL ? part->name : "tasks");
	tv_output_text(out, " {\n");
	write_clock(w);
	tv_output_text(out, "\tnode [shape=box, style=filled];\n");
	for (uint32_t i = 0; i < w->jobs.n; i++)
		write_node(w, i);
	for (uint32_t i = 0; i < w->jobs.n; i++)
		write_edges(w, i);
	tv_output_text(out, "}\n");
	return 0;
}

static void end(void *state)
{
	struct writing *w = state;

	tv_part_jobs_note(&w->jobs, w->export->notes, "node");
	tv_part_jobs_release(&w->jobs);
	tv_kernels_release(&w->kernels);
	tv_free(w->more);
	tv_free(w->seen);
	tv_free(w->sorted);
	tv_free(w->place);
	tv_free(w->first.at);
	tv_free(w->last.at);
	tv_free(w);
}

static void *begin(const struct tv_export *export, struct tv_error *err)
{
	struct writing *w = tv_alloc(1, sizeof *w);

	w->export = export;
	w->trace = export->trace;
	w->pool = w->trace->pool;
	w->tasks = &w->trace->table[TV_TASKS];
	tv_part_jobs_init(&w->jobs, w->trace, true, true);
	w->value = tv_table_find(w->tasks, "Value");
	w->resource = tv_table_find(w->tasks, "ResourceId");
	w->depends = tv_table_find(w->tasks, "DependsOn");
	w->parent = tv_table_find(w->tasks, "ParentJob");
	w->submit = tv_table_find(w->tasks, "SubmitTime");
	w->more = tv_alloc(w->tasks->ncols, sizeof *w->more);
	for (size_t i = 0; i < w->tasks->ncols; i++)
		if (is_attribute(w->tasks->col[i]))
			w->more[w->nmore++] = tv_table_at(w->tasks, i);
	w->seen = tv_alloc(tv_pool_count(w->pool), sizeof *w->seen);
	if (tv_kernels_init(&w->kernels, w->trace->options.kernels, err) == 0)
		return w;
	end(w);
	return NULL;
}

const struct tv_writer tv_dot_writer = {
	.name = "dot",
	.summary = "the task graph for Graphviz, with all columns as attributes",
	.file = "tasks",
	.begin = begin,
	.write = write_file,
	.end = end,
};
