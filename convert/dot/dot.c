/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dot.c -- graphs in the DOT language of Graphviz: of StarPU, of TiKKi, of traceviz, or by hand. */
#include "convert/dot/dot.h"

#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/near_names.h"

/* After blanks, comments and lines that begin with #; n if there is nothing else. */
static size_t skip(const char *s, size_t n, size_t at)
{
	while (at < n) {
		const char *end;

		if (s[at] == ' ' || (s[at] >= '\t' && s[at] <= '\r')) {
			at++;
		} else if (s[at] == '#' || (n - at > 1 && s[at] == '/' && s[at + 1] == '/')) {
			end = memchr(s + at, '\n', n - at);
			at = end != NULL ? (size_t)(end - s) : n;
		} else if (n - at > 1 && s[at] == '/' && s[at + 1] == '*') {
			end = n - at > 3 ? memmem(s + at + 2, n - at - 2, "*/", 2) : NULL;
			at = end != NULL ? (size_t)(end - s) + 2 : n;
		} else {
			break;
		}
	}
	return at;
}

/* Whether the word is there, and nothing that would continue it. */
static bool has_word(const char *s, size_t n, size_t *at, const char *word)
{
	size_t length = strlen(word);

	if (n - *at <= length || strncasecmp(s + *at, word, length) != 0
	    || strchr(" \t\r\n{\"</#", s[*at + length]) == NULL || s[*at + length] == '\0')
		return false;
	*at = skip(s, n, *at + length);
	return true;
}

/* digraph NAME { : 90; digraph alone, as in prose, 20. */
static int probe(const char *head, size_t n)
{
	size_t at = skip(head, n, 0);
	const char *open;

	has_word(head, n, &at, "strict");
	if (!has_word(head, n, &at, "digraph") && !has_word(head, n, &at, "graph"))
		return 0;
	open = memchr(head + at, '{', n - at);
	if (open == NULL)
		return 20;
	return memchr(head + at, '\n', (size_t)(open - head) - at) == NULL || head[at] == '"' ? 90
											      : 50;
}

static void *begin(struct tv_trace *trace)
{
	struct tv_dot_reading *reading = tv_alloc(1, sizeof *reading);

	reading->trace = trace;
	return reading;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_dot_reading *reading = state;
	struct tv_trace *trace = reading->trace;
	struct tv_dot_file *file;
	struct tv_bytes all;
	int rc;

	if (tv_input_all(in, &all, err) < 0)
		return -1;
	TV_GROW(reading->file, reading->nfiles, reading->files_cap, 1);
	file = &reading->file[reading->nfiles++];
	*file = (struct tv_dot_file){ .path = tv_strdup(in->path) };
	rc = tv_dot_parse(&file->graph, file->path, (const char *)all.bytes, all.n,
			  trace->options.type_attribute, trace->pool, err);
	tv_bytes_release(&all);
	if (rc == 0 && file->graph.nnodes == 0)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"the graph has no node, expected tasks");
	if (rc == 0 && file->graph.cut != NULL)
		tv_damaged(trace, TV_REPAIRED, "graph cut off",
			   (struct tv_pos){ in->path, file->graph.line },
			   "the file ends within %s; what precedes is used", file->graph.cut);
	else if (rc == 0 && file->graph.line > 0)
		tv_damaged(trace, TV_DROPPED, "text behind the graph",
			   (struct tv_pos){ in->path, file->graph.line },
			   "only the first graph of a file is used");
	return rc;
}

static void use_one(struct tv_dot_reading *reading)
{
	struct tv_dot_graph graph;

	tv_dot_merge(&graph, reading->file, reading->nfiles);
	tv_dot_use(reading, NULL, &graph);
	tv_dot_release(&graph);
	tv_notice(reading->trace,
		  "%zu files of one graph: a node that one names and another describes is one task",
		  reading->nfiles);
}

/* The files of a folder are the regions of one run. */
static void use_regions(struct tv_dot_reading *reading)
{
	struct tv_table *tasks = &reading->trace->table[TV_TASKS];
	struct tv_column *column;

	for (size_t i = 0; i < reading->nfiles; i++) {
		struct tv_dot_file *file = &reading->file[i];
		char *region = tv_convert_region(file->path, ".dot");

		file->from = tasks->nrows;
		tv_dot_use(reading, region, &file->graph);
		file->to = tasks->nrows;
		tv_free(region);
	}
	if (reading->nfiles < 2)
		return;
	column = tv_trace_column(reading->trace, TV_TASKS, "Region");
	tv_table_finish(tasks);
	for (size_t i = 0; i < reading->nfiles; i++) {
		char *region = tv_convert_region(reading->file[i].path, ".dot");

		for (uint32_t row = reading->file[i].from; row < reading->file[i].to; row++)
			if (tv_missing(column, row))
				tv_set_text(column, row, region);
		tv_free(region);
	}
}

/* Names of the attributes of all files. */
static void list_names(const struct tv_dot_reading *reading, struct tv_name_list *names)
{
	struct tv_index seen = { 0 };

	for (size_t i = 0; i < reading->nfiles; i++)
		for (size_t k = 0; k < reading->file[i].graph.nattributes; k++) {
			uint32_t name = reading->file[i].graph.attribute[k].name;

			if (tv_index_get(&seen, name) != TV_NONE)
				continue;
			tv_index_set(&seen, name, 0);
			tv_name_list_add(names, tv_pool_text(reading->trace->pool, name));
		}
	tv_free(seen.at);
}

static int finish(void *state, struct tv_error *err)
{
	struct tv_dot_reading *reading = state;
	const char *type = reading->trace->options.type_attribute;
	struct tv_name_list names = { .n = 0 };

	if (tv_dot_is_one(reading->file, reading->nfiles))
		use_one(reading);
	else
		use_regions(reading);
	if (type == NULL || reading->typed)
		return 0;
	list_names(reading, &names);
	return tv_fail_usage(err, "--value '%s': no node has that attribute%s%s", type,
			     names.n > 0 ? ", expected one of " : "", tv_name_list_text(&names));
}

static void release(void *state)
{
	struct tv_dot_reading *reading = state;

	for (size_t i = 0; i < reading->nfiles; i++) {
		tv_dot_release(&reading->file[i].graph);
		tv_free(reading->file[i].path);
	}
	tv_free(reading->file);
	tv_free(reading->row_of.at);
	tv_free(reading);
}

const struct tv_reader tv_dot_reader = {
	.name = "dot",
	.summary = "graphs of Graphviz: StarPU's dag.dot, TiKKi's, traceviz's, by hand",
	.brings = TV_BRINGS_TASKS,
	.probe = probe,
	.begin = begin,
	.read = read_file,
	.finish = finish,
	.free = release,
	.memory = 12,
};
