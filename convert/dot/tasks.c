/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- nodes of a graph as rows of tasks: attributes are columns, edges DependsOn. */
#include "convert/dot/dot.h"

#include <inttypes.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/kernels.h"
#include "trace/text.h"

/* What is done with an attribute. */
enum use { SKIP, COLUMN, LABEL, TYPE, VALUE, TOOLTIP, SOURCE, DEPENDS, START, END };

struct node_rows {
	struct tv_dot_reading *reading;
	struct tv_trace *trace;
	struct tv_pool *pool;
	struct tv_table *tasks;
	const struct tv_dot_graph *graph;
	bool own;	     /* traceviz wrote it: nothing follows from names and labels */
	bool starpu;	     /* nodes are called task_1, task_0_1, mpi_0_1, tag_1 */
	bool apart;	     /* JobIds get the region's name, because another region has the same */
	const char *region;  /* NULL = not known */
	const char *type;    /* the attribute that is the type; NULL = as below */
	struct tv_index use; /* by label of an attribute's name */
	struct tv_index column_index; /* by label, of COLUMN: its place in column */
	struct tv_column **column;
	size_t ncolumns, columns_cap;
	struct tv_column *job, *value, *kind, *flag, *start, *end, *resource, *depends, *label,
		*file, *line;
	uint32_t start_name, end_name; /* labels */
	uint32_t *jobs;		       /* by node: label of its JobId */
	size_t *first;		       /* by node: its edges are tail[first[v]] .. */
	uint32_t *tail;
	bool planned;	   /* no node has times */
	uint64_t unplaced; /* tasks with times and without a worker */
};

bool tv_dot_is_look(const char *name)
{
	static const char *const look[] = {
		"area",		"bgcolor",	 "class",	"cluster",
		"clusterrank",	"color",	 "colorscheme", "comment",
		"compound",	"concentrate",	 "distortion",	"dpi",
		"fillcolor",	"fixedsize",	 "fontcolor",	"fontname",
		"fontsize",	"gradientangle", "group",	"height",
		"id",		"image",	 "imagepos",	"imagescale",
		"labelloc",	"layer",	 "layout",	"margin",
		"nodesep",	"nojustify",	 "ordering",	"orientation",
		"overlap",	"penwidth",	 "peripheries", "pin",
		"pos",		"rank",		 "rankdir",	"ranksep",
		"ratio",	"rects",	 "regular",	"root",
		"samplepoints", "shape",	 "shapefile",	"showboxes",
		"sides",	"size",		 "skew",	"sortv",
		"splines",	"style",	 "stylesheet",	"target",
		"tooltip",	"truecolor",	 "vertices",	"width",
		"xlabel",	"xlp",		 "z",
	};

	return tv_is_any(name, look, TV_COUNT(look));
}

bool tv_dot_is_taken(const char *name)
{
	return tv_dot_is_look(name) || strcmp(name, "label") == 0;
}

/* ---- texts ---- */

/* \\ -> \ */
static uint32_t plain(const struct node_rows *w, uint32_t label)
{
	const char *s = tv_pool_text(w->pool, label);
	char *text, *to;

	if (strstr(s, "\\\\") == NULL)
		return label;
	text = to = tv_strdup(s);
	for (; *s != '\0'; s++) {
		s += s[0] == '\\' && s[1] == '\\';
		*to++ = *s;
	}
	label = tv_intern(w->pool, text, (size_t)(to - text));
	tv_free(text);
	return label;
}

/* A label as it is shown: \N is the name of the node, \n, \l and \r end a line. The caller frees it. */
static char *shown(const struct node_rows *w, uint32_t label, uint32_t node)
{
	const char *s = tv_pool_text(w->pool, label), *name = tv_pool_text(w->pool, node);
	char *text = NULL;
	size_t n = 0, cap = 0, length = strlen(name);

	for (; *s != '\0'; s++) {
		char c = *s;

		TV_GROW(text, n, cap, length + 2);
		if (c == '\\' && s[1] != '\0') {
			c = *++s;
			if (c == 'N') {
				memcpy(text + n, name, length);
				n += length;
				continue;
			}
			c = (char)(c == 'n' || c == 'l' || c == 'r' ? '\n' : c);
		}
		text[n++] = c;
	}
	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' '))
		n--;
	TV_GROW(text, n, cap, 1);
	text[n] = '\0';
	return text;
}

/* ---- attributes ---- */

static void add_column(struct node_rows *w, uint32_t name)
{
	const char *text = tv_pool_text(w->pool, name);
	struct tv_column *column;

	if (strncmp(text, TV_DOT_APART, strlen(TV_DOT_APART)) == 0
	    && tv_dot_is_taken(text + strlen(TV_DOT_APART)))
		text += strlen(TV_DOT_APART);
	column = tv_trace_column(w->trace, TV_TASKS,
				 strcmp(text, "JobId") == 0 ? TV_DOT_APART "JobId" : text);
	TV_GROW(w->column, w->ncolumns, w->columns_cap, 1);
	w->column[w->ncolumns] = column;
	tv_index_set(&w->column_index, name, (uint32_t)w->ncolumns++);
}

/* What the attribute of that name is used for. */
static enum use use_of(struct node_rows *w, uint32_t name)
{
	static const char *const special[] = {
		[LABEL] = "label",	 [VALUE] = "Value", [TOOLTIP] = TV_DOT_TOOLTIP,
		[DEPENDS] = "DependsOn", [START] = "Start", [END] = "End",
	};
	const char *text = tv_pool_text(w->pool, name);
	uint32_t known = tv_index_get(&w->use, name);
	enum use use = COLUMN;

	if (known != TV_NONE)
		return (enum use)known;
	for (size_t i = 0; i < TV_COUNT(special); i++)
		if (special[i] != NULL && strcmp(text, special[i]) == 0)
			use = (enum use)i;
	if (w->type != NULL && strcmp(text, w->type) == 0)
		use = TYPE;
	if (text[0] == '\0' || (w->own && strcmp(text, "JobId") == 0))
		use = SKIP;
	if (w->starpu && (strcmp(text, "href") == 0 || strcmp(text, "URL") == 0))
		use = SOURCE;
	if (use == COLUMN)
		add_column(w, name);
	tv_index_set(&w->use, name, use);
	return use;
}

/* href="FILE#LINE" */
static void set_source(struct node_rows *w, uint32_t row, uint32_t value)
{
	const char *s = tv_pool_text(w->pool, value), *mark = strrchr(s, '#');

	if (w->file->n > row || w->line->n > row)
		return;
	tv_set_string(w->file, row, s, mark != NULL ? (size_t)(mark - s) : strlen(s));
	tv_set_text(w->line, row, mark != NULL ? mark + 1 : NULL);
}

/* A label beside a type. */
static void keep_label(struct node_rows *w, uint32_t row, const struct tv_dot_node *node,
		       uint32_t label)
{
	char *text;

	if (label == TV_NONE || w->label->n > row)
		return;
	text = shown(w, label, plain(w, node->id));
	tv_set_text(w->label, row, text);
	tv_free(text);
}

/* The type in the tooltip of PaRSEC; TV_NONE = none. */
static uint32_t class_name(const struct node_rows *w, uint32_t tooltip)
{
	static const char key[] = "tcname=";
	const char *s = tooltip == TV_NONE ? "" : tv_pool_text(w->pool, tooltip);

	for (; s != NULL && *s != '\0'; s = strchr(s, ':') == NULL ? NULL : strchr(s, ':') + 1)
		if (strncmp(s, key, strlen(key)) == 0 && strcspn(s + strlen(key), ":") > 0)
			return tv_intern(w->pool, s + strlen(key), strcspn(s + strlen(key), ":"));
	return TV_NONE;
}

/* The type of a task is the first line of its label, else the name of the node. A label of several
 * lines is kept. */
static void set_type(struct node_rows *w, uint32_t row, const struct tv_dot_node *node,
		     uint32_t label)
{
	char *text;
	size_t first;

	if (label == TV_NONE && w->starpu) {
		bool message = strncmp(tv_pool_text(w->pool, node->id), "mpi_", 4) == 0;

		tv_set_text(w->value, row, message ? TV_MESSAGE_TYPE : "");
		tv_set_text(w->kind, row, tv_kind_name(TV_GHOST));
		return;
	}
	text = shown(w, label != TV_NONE ? label : node->id, plain(w, node->id));
	first = strcspn(text, "\n");
	if (text[first] != '\0' && w->label->n <= row)
		tv_set_text(w->label, row, text);
	tv_set_string(w->value, row, text, first);
	tv_free(text);
}

static struct tv_pos place(const struct tv_dot_node *node)
{
	return (struct tv_pos){ node->path, (long)node->line };
}

static void set_cell(struct node_rows *w, uint32_t row, const struct tv_dot_node *node,
		     const struct tv_dot_attribute *a)
{
	struct tv_column *column = w->column[tv_index_get(&w->column_index, a->name)];
	uint32_t text = plain(w, a->value);

	/* Texts and lists are set once. */
	if (column->n <= row || (column->type != TV_TEXT && column->type != TV_LIST))
		tv_convert_cell(w->trace, place(node), column, row, tv_pool_text(w->pool, text),
				tv_pool_length(w->pool, text), 6);
}

static void set_attributes(struct node_rows *w, uint32_t row, const struct tv_dot_node *node)
{
	const struct tv_dot_graph *graph = w->graph;
	uint32_t label = TV_NONE, value = TV_NONE, type = TV_NONE, tooltip = TV_NONE;
	uint32_t list = node->own;
	bool own = true;

	for (;; list = graph->attribute[list - 1].next) {
		const struct tv_dot_attribute *a;
		enum use use;

		if (list == 0 && own) {
			own = false;
			list = node->defaults;
		}
		if (list == 0)
			break;
		a = &graph->attribute[list - 1];
		if (!own && tv_dot_value(graph, node->own, a->name) != TV_NONE)
			continue;
		use = use_of(w, a->name);
		if (use == LABEL) {
			label = a->value;
		} else if (use == TYPE) {
			type = plain(w, a->value);
		} else if (use == VALUE) {
			value = plain(w, a->value);
		} else if (use == TOOLTIP) {
			tooltip = class_name(w, a->value);
		} else if (use == SOURCE) {
			set_source(w, row, plain(w, a->value));
		} else if (use == COLUMN) {
			set_cell(w, row, node, a);
		}
	}
	w->reading->typed = w->reading->typed || type != TV_NONE;
	if (type == TV_NONE && value == TV_NONE && !w->own)
		type = tooltip;
	if (type != TV_NONE)
		keep_label(w, row, node, label);
	if (type != TV_NONE || value != TV_NONE)
		tv_set_label(w->value, row, type != TV_NONE ? type : value);
	else if (!w->own)
		set_type(w, row, node, label);
}

static uint32_t value_of(const struct node_rows *w, const struct tv_dot_node *node, uint32_t name)
{
	uint32_t value = name != TV_NONE ? tv_dot_value(w->graph, node->own, name) : TV_NONE;

	return value != TV_NONE || name == TV_NONE ? value
						   : tv_dot_value(w->graph, node->defaults, name);
}

/* The times of a node: whether it has both, and they are times. */
static bool times_of(const struct node_rows *w, const struct tv_dot_node *node, int64_t time[2],
		     const char **cause)
{
	const uint32_t value[] = { value_of(w, node, w->start_name),
				   value_of(w, node, w->end_name) };

	*cause = NULL;
	if (value[0] == TV_NONE && value[1] == TV_NONE)
		return false;
	for (int i = 0; i < 2; i++)
		if (value[i] == TV_NONE
		    || !tv_convert_time(tv_pool_text(w->pool, value[i]),
					tv_pool_length(w->pool, value[i]), 6, &time[i]))
			*cause = "bad time";
	if (*cause == NULL && time[1] < time[0])
		*cause = "end before start";
	return *cause == NULL;
}

/* ---- rows ---- */

static bool is_kind(const struct node_rows *w, uint32_t row, enum tv_kind kind)
{
	return row < w->kind->n && !tv_missing(w->kind, row)
	    && strcmp(tv_pool_text(w->pool, tv_label(w->kind, row)), tv_kind_name(kind)) == 0;
}

static void set_times(struct node_rows *w, uint32_t row, const struct tv_dot_node *node)
{
	int64_t time[2];
	const char *cause;

	if (times_of(w, node, time, &cause)) {
		tv_set_int(w->start, row, time[0]);
		tv_set_int(w->end, row, time[1]);
		if (is_kind(w, row, TV_MESSAGE)
		    || (row < w->resource->n && !tv_missing(w->resource, row)))
			return;
		w->unplaced++;
		tv_set_text(w->resource, row, "worker0");
		return;
	}
	if (cause != NULL) {
		tv_damaged(w->trace, TV_DROPPED, cause, place(node),
			   "expected Start and End as numbers, Start first: the node has no times");
		tv_set_text(w->kind, row, tv_kind_name(TV_GHOST));
	} else if (w->planned && !w->own && !is_kind(w, row, TV_GHOST)
		   && !is_kind(w, row, TV_PENDING) && !is_kind(w, row, TV_MESSAGE)) {
		if (row >= w->flag->n || tv_missing(w->flag, row))
			tv_set_text(w->flag, row, TV_PLANNED);
	}
}

/* The attribute DependsOn has also the jobs that are not in the graph. */
static void set_depends(struct node_rows *w, uint32_t row, uint32_t v, uint32_t given)
{
	uint32_t *list;
	size_t n = w->first[v + 1] - w->first[v], nlist = 0;

	if (given != TV_NONE) {
		given = plain(w, given);
		tv_set_words(w->depends, row, tv_pool_text(w->pool, given),
			     tv_pool_length(w->pool, given));
		return;
	}
	if (n == 0)
		return;
	list = tv_alloc(n, sizeof *list);
	for (size_t i = 0; i < n; i++) {
		uint32_t before = w->jobs[w->tail[w->first[v] + i]];

		/* The edge from the segment before is none of DependsOn. */
		if (!w->own || before != w->jobs[v])
			list[nlist++] = before;
	}
	if (nlist > 0)
		tv_set_list(w->depends, row, list, nlist);
	tv_free(list);
}

static void add_rows(struct node_rows *w)
{
	uint32_t depends = tv_pool_find_text(w->pool, "DependsOn");

	for (uint32_t v = 0; v < w->graph->nnodes; v++) {
		const struct tv_dot_node *node = &w->graph->node[v];
		uint32_t row = tv_table_add_row(w->tasks);

		tv_set_label(w->job, row, w->jobs[v]);
		tv_index_set(&w->reading->row_of, w->jobs[v], row);
		set_attributes(w, row, node);
		set_times(w, row, node);
		set_depends(w, row, v, value_of(w, node, depends));
	}
	if (w->unplaced > 0)
		tv_notice(w->trace,
			  "%s: %" PRIu64 " tasks have times but no ResourceId: they are on worker0",
			  w->graph->node[0].path, w->unplaced);
}

/* ---- names and edges ---- */

/* The number in task_12 or task_0_12; 0 if the name is another one. */
static size_t starpu_prefix(const char *name)
{
	static const char *const prefix[] = { "task_", "mpi_", "tag_" };

	for (size_t i = 0; i < TV_COUNT(prefix); i++) {
		size_t n = strlen(prefix[i]);

		if (strncmp(name, prefix[i], n) == 0 && name[n] != '\0'
		    && strspn(name + n, "0123456789abcdef_") == strlen(name + n))
			return n;
	}
	return 0;
}

static bool is_starpu(const struct node_rows *w)
{
	bool task = false;

	for (size_t v = 0; v < w->graph->nnodes; v++) {
		const char *name = tv_pool_text(w->pool, w->graph->node[v].id);

		if (starpu_prefix(name) == 0)
			return false;
		task = task || name[0] == 't';
	}
	return task;
}

/* Blanks would separate JobIds in DependsOn. A name that another node has then gets a _ more. */
static uint32_t without_blanks(const struct node_rows *w, uint32_t id, const struct tv_index *taken)
{
	char *name = tv_strdup(tv_pool_text(w->pool, id)), *longer;

	for (char *s = name; *s != '\0'; s++)
		if (*s == ' ' || (*s >= '\t' && *s <= '\r'))
			*s = '_';
	id = tv_intern_text(w->pool, name);
	while (name[0] == '\0' || tv_index_get(taken, id) != TV_NONE) {
		longer = tv_format("%s_", name);
		tv_free(name);
		name = longer;
		id = tv_intern_text(w->pool, name);
	}
	tv_free(name);
	return id;
}

static void replace_blanks(struct node_rows *w)
{
	struct tv_index taken = { 0 };

	for (size_t v = 0; v < w->graph->nnodes; v++)
		if (strpbrk(tv_pool_text(w->pool, w->jobs[v]), " \t\n\v\f\r") == NULL
		    && tv_pool_length(w->pool, w->jobs[v]) > 0)
			tv_index_set(&taken, w->jobs[v], 0);
	for (size_t v = 0; v < w->graph->nnodes; v++)
		if (tv_index_get(&taken, w->jobs[v]) == TV_NONE) {
			w->jobs[v] = without_blanks(w, w->jobs[v], &taken);
			tv_index_set(&taken, w->jobs[v], 0);
		}
	tv_free(taken.at);
}

/* JobIds as tasks.rec has them. */
static void name_jobs(struct node_rows *w)
{
	uint32_t given = tv_pool_find_text(w->pool, "JobId");

	w->starpu = is_starpu(w);
	w->jobs = tv_alloc(w->graph->nnodes, sizeof *w->jobs);
	for (size_t v = 0; v < w->graph->nnodes; v++) {
		uint32_t own = w->own ? value_of(w, &w->graph->node[v], given) : TV_NONE;
		uint32_t id = plain(w, own != TV_NONE ? own : w->graph->node[v].id);
		const char *name = tv_pool_text(w->pool, id);

		if (w->starpu && strncmp(name, "task_", 5) == 0)
			id = tv_intern_text(w->pool, name + 5);
		w->jobs[v] = id;
	}
	replace_blanks(w);
	for (size_t v = 0; v < w->graph->nnodes; v++)
		w->apart = w->apart
			|| (w->region != NULL
			    && tv_index_get(&w->reading->row_of, w->jobs[v]) != TV_NONE);
	for (size_t v = 0; w->apart && v < w->graph->nnodes; v++) {
		char *name = tv_format("%s.%s", w->region, tv_pool_text(w->pool, w->jobs[v]));

		w->jobs[v] = tv_intern_text(w->pool, name);
		tv_free(name);
	}
}

/* Edges by their head, in the order of the file. */
static void sort_edges(struct node_rows *w)
{
	const struct tv_dot_graph *graph = w->graph;

	w->first = tv_alloc(graph->nnodes + 2, sizeof *w->first);
	w->tail = tv_alloc(graph->nedges, sizeof *w->tail);
	for (size_t i = 0; i < graph->nedges; i++)
		w->first[graph->edge[i].head + 2]++;
	for (size_t v = 2; v < graph->nnodes + 2; v++)
		w->first[v] += w->first[v - 1];
	for (size_t i = 0; i < graph->nedges; i++)
		w->tail[w->first[graph->edge[i].head + 1]++] = graph->edge[i].tail;
}

static void find_columns(struct node_rows *w)
{
	int64_t time[2];
	const char *cause;

	TV_TRACE_COLUMNS(w->trace, TV_TASKS, { "ResourceId", &w->resource }, { "Value", &w->value },
			 { "Start", &w->start }, { "End", &w->end }, { "JobId", &w->job },
			 { "Kind", &w->kind }, { "Flag", &w->flag }, { "DependsOn", &w->depends },
			 { "Label", &w->label });
	if (w->starpu) {
		w->file = tv_trace_column(w->trace, TV_TASKS, "File");
		w->line = tv_trace_column(w->trace, TV_TASKS, "Line");
	}
	/* Columns in the order in which the file has the attributes. */
	for (size_t i = 0; i < w->graph->nattributes; i++)
		use_of(w, w->graph->attribute[i].name);
	w->start_name = tv_pool_find_text(w->pool, "Start");
	w->end_name = tv_pool_find_text(w->pool, "End");
	w->planned = true;
	for (size_t v = 0; v < w->graph->nnodes && w->planned; v++)
		w->planned = !times_of(w, &w->graph->node[v], time, &cause) && cause == NULL;
}

static uint32_t clock_of(const struct node_rows *w)
{
	uint32_t name = tv_pool_find_text(w->pool, TV_DOT_CLOCK);

	return name != TV_NONE ? tv_dot_value(w->graph, w->graph->own, name) : TV_NONE;
}

/* What traceviz writes has the clock of its times: t = 0 is where it was. */
static void use_clock(struct node_rows *w)
{
	uint32_t origin = clock_of(w);
	int64_t ns;
	size_t n;

	if (!w->own || w->planned || tv_meta_get(w->trace, TV_DOT_CLOCK, &n) != NULL
	    || !tv_convert_time(tv_pool_text(w->pool, origin), tv_pool_length(w->pool, origin), 6,
				&ns))
		return;
	tv_meta_add(w->trace, TV_DOT_CLOCK, "%s", tv_pool_text(w->pool, origin));
	if (w->trace->options.zero == NULL)
		w->trace->options.zero = "none";
}

void tv_dot_use(struct tv_dot_reading *reading, const char *region,
		const struct tv_dot_graph *graph)
{
	struct node_rows w = { .reading = reading,
			       .trace = reading->trace,
			       .pool = reading->trace->pool,
			       .tasks = &reading->trace->table[TV_TASKS],
			       .graph = graph,
			       .type = reading->trace->options.type_attribute,
			       .region = region };

	w.own = clock_of(&w) != TV_NONE;
	name_jobs(&w);
	sort_edges(&w);
	find_columns(&w);
	use_clock(&w);
	add_rows(&w);
	tv_table_finish(w.tasks);
	tv_free(w.use.at);
	tv_free(w.column_index.at);
	tv_free(w.column);
	tv_free(w.jobs);
	tv_free(w.first);
	tv_free(w.tail);
}
