/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dot.h -- what the files of the DOT reader share: tokens, and the graph of one file.
 *
 * The language: https://graphviz.org/doc/info/lang.html
 */
#ifndef TV_DOT_H
#define TV_DOT_H

#include "convert/formats.h"
#include "trace/map.h"

/* Distinct names of attributes of one file, and subgraphs within each other; more are refused. */
enum { TV_DOT_NAMES = 1000, TV_DOT_DEPTH = 250 };

/* A token is one of these, or the character itself: { } [ ] ; , = : */
enum tv_dot_kind { TV_DOT_END = 256, TV_DOT_ID, TV_DOT_ARROW, TV_DOT_LINE };

/* lex.c: tokens. */
struct tv_dot_lexer {
	struct tv_pool *pool;
	const char *path;
	const char *s; /* the whole text */
	size_t n, at;
	long line;
	int kind;	/* of the token */
	long from;	/* its line */
	uint32_t id;	/* TV_DOT_ID: label of its text; escapes other than \" are kept */
	bool quoted;	/* it is no keyword */
	const char *in; /* NULL, or what the text ends in: "a string" */
	char *text;	/* of the last ID */
	size_t ntext, text_cap;
};

/* The next token: 0, or -1 with *err. */
int tv_dot_next(struct tv_dot_lexer *lexer, struct tv_error *err) TV_MUST_CHECK;
/* Whether the token is that keyword, in any case. */
bool tv_dot_keyword(const struct tv_dot_lexer *lexer, const char *word);
/* Begins at the first token of the text. */
int tv_dot_start(struct tv_dot_lexer *lexer, const char *path, const char *s, size_t n,
		 struct tv_pool *pool, struct tv_error *err) TV_MUST_CHECK;
void tv_dot_stop(struct tv_dot_lexer *lexer);

/* parse.c: the graph. */
struct tv_dot_node {
	uint32_t id;   /* label */
	uint32_t line; /* where it occurs first */
	/* Attributes, index + 1 into attribute, the last one first: its own, and the defaults where
	 * it occurs first. */
	uint32_t own, defaults;
	const char *path; /* of its file */
};

struct tv_dot_attribute {
	uint32_t name, value; /* labels */
	uint32_t next;	      /* index + 1 */
};

struct tv_dot_edge {
	uint32_t tail, head; /* nodes */
};

struct tv_dot_graph {
	struct tv_dot_node *node; /* in the order in which they occur */
	struct tv_dot_attribute *attribute;
	struct tv_dot_edge *edge;
	size_t nnodes, nattributes, nedges, nodes_cap, attributes_cap, edges_cap;
	uint32_t own;	 /* attributes of the graph, index + 1 */
	const char *cut; /* NULL, or what the file ends in: "the graph" */
	long line;	 /* of that; or of what follows the graph, 0 = nothing */
};

/* Reads the first graph of a text. Text that is no DOT: -1 with *err. What precedes the end of a file
 * that is cut is used. The graph borrows the path. type: an attribute that is kept even if it only says
 * how a node looks; NULL = none. */
int tv_dot_parse(struct tv_dot_graph *graph, const char *path, const char *s, size_t n,
		 const char *type, struct tv_pool *pool, struct tv_error *err) TV_MUST_CHECK;
void tv_dot_release(struct tv_dot_graph *graph);
/* The value of an attribute of a list; TV_NONE if it is not there. */
uint32_t tv_dot_value(const struct tv_dot_graph *graph, uint32_t list, uint32_t name);

/* A file of the trace: the graph, and its rows. */
struct tv_dot_file {
	char *path;
	struct tv_dot_graph graph;
	uint32_t from, to;
};

/* merge.c: whether files have one graph: one names a node, in an edge, whose attributes are in another, and
 * no node has attributes in two of them. Cost O(nodes). */
bool tv_dot_is_one(const struct tv_dot_file *file, size_t n);
/* That graph; it borrows the paths. */
void tv_dot_merge(struct tv_dot_graph *to, const struct tv_dot_file *file, size_t n);

/* tasks.c: nodes become rows of tasks. */
struct tv_dot_reading {
	struct tv_trace *trace;
	struct tv_dot_file *file;
	size_t nfiles, files_cap;
	struct tv_index row_of; /* by label of a JobId: a row */
	bool typed;		/* a node has the attribute tv_read_options.type_attribute */
};
/* region: of its nodes, if JobIds of an earlier file are also theirs; NULL = not known. */
void tv_dot_use(struct tv_dot_reading *reading, const char *region,
		const struct tv_dot_graph *graph);

/* Attributes of nodes that only say how they look. */
bool tv_dot_is_look(const char *name);
/* One of those, in which PaRSEC has the type of a task: "tpid=4:tcid=1:tcname=trsm". */
#define TV_DOT_TOOLTIP "tooltip"
/* Those, and label: a column of that name is an attribute with this before it. */
bool tv_dot_is_taken(const char *name);
#define TV_DOT_APART "Dot."
/* Of the graph that traceviz writes: the clock of its times. */
#define TV_DOT_CLOCK "ClockOrigin"

#endif
