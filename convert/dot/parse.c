/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c -- a graph of nodes, their attributes and edges, from DOT. */
#include "convert/dot/dot.h"

#include <string.h>

#include "trace/alloc.h"

struct parser {
	struct tv_dot_lexer lexer;
	struct tv_dot_graph *graph;
	struct tv_error *err;
	const char *type;	 /* an attribute that is kept; NULL = none */
	struct tv_index node_of; /* by label */
	struct tv_index name;	 /* by label: set if an attribute has that name */
	unsigned nnames;
	uint32_t defaults; /* of nodes, index + 1 into attributes */
	/* Nodes of the statements that are being read, those of outer ones first. */
	uint32_t *mention;
	size_t nmentions, mentions_cap;
	uint32_t *seen; /* by node: the set that it was last put into */
	size_t nseen, seen_cap;
	uint32_t set;
	unsigned depth;
};

static int next(struct parser *p)
{
	return tv_dot_next(&p->lexer, p->err);
}

static bool is(const struct parser *p, int kind)
{
	return p->lexer.kind == kind;
}

/* What the token is, for messages. */
static const char *token(const struct parser *p, char text[64])
{
	static const char *const named[] = { "the end", "", "->", "--" };
	const char *s = p->lexer.kind < TV_DOT_END ? NULL : named[p->lexer.kind - TV_DOT_END];
	size_t n = 0;

	if (is(p, TV_DOT_ID))
		s = tv_pool_text(p->lexer.pool, p->lexer.id);
	if (s == NULL)
		text[n++] = (char)p->lexer.kind;
	for (; s != NULL && *s != '\0' && n < 60; s++)
		text[n++] = *s;
	text[n] = '\0';
	return text;
}

static int expected(const struct parser *p, const char *what)
{
	char text[64];

	return tv_fail_at(p->err, (struct tv_pos){ p->lexer.path, p->lexer.from },
			  "unexpected '%s' in a graph, expected %s", token(p, text), what);
}

/* ---- attributes ---- */

uint32_t tv_dot_value(const struct tv_dot_graph *graph, uint32_t list, uint32_t name)
{
	for (; list != 0; list = graph->attribute[list - 1].next)
		if (graph->attribute[list - 1].name == name)
			return graph->attribute[list - 1].value;
	return TV_NONE;
}

static void push(struct tv_dot_graph *graph, uint32_t *list, uint32_t name, uint32_t value)
{
	TV_GROW(graph->attribute, graph->nattributes, graph->attributes_cap, 1);
	graph->attribute[graph->nattributes] = (struct tv_dot_attribute){ name, value, *list };
	*list = (uint32_t)++graph->nattributes;
}

/* Sets an attribute of a list, which never has a name twice. Nodes share the list of defaults: it is
 * copied where one changes. */
static int set(struct parser *p, uint32_t *list, uint32_t name, uint32_t value)
{
	struct tv_dot_graph *graph = p->graph;
	uint32_t from = *list;

	if (tv_index_get(&p->name, name) == TV_NONE) {
		tv_index_set(&p->name, name, 0);
		if (++p->nnames > TV_DOT_NAMES)
			return tv_fail_at(p->err, (struct tv_pos){ p->lexer.path, p->lexer.from },
					  "more than %d names of attributes, which is the limit",
					  TV_DOT_NAMES);
	}
	for (uint32_t i = from; i != 0; i = graph->attribute[i - 1].next)
		if (graph->attribute[i - 1].name == name) {
			if (list != &p->defaults) {
				graph->attribute[i - 1].value = value;
				return 0;
			}
			*list = 0;
			for (; from != 0; from = graph->attribute[from - 1].next)
				if (graph->attribute[from - 1].name != name)
					push(graph, list, graph->attribute[from - 1].name,
					     graph->attribute[from - 1].value);
			break;
		}
	push(graph, list, name, value);
	return 0;
}

static bool is_used(const struct parser *p, const char *name)
{
	return !tv_dot_is_look(name) || strcmp(name, TV_DOT_TOOLTIP) == 0
	    || (p->type != NULL && strcmp(name, p->type) == 0);
}

/* NAME [= VALUE]; without a value it is true. What only changes the looks is left out. */
static int attribute(struct parser *p, uint32_t *list)
{
	uint32_t name = p->lexer.id, value;

	if (!is(p, TV_DOT_ID))
		return expected(p, "the name of an attribute or ]");
	if (next(p) < 0)
		return -1;
	value = tv_intern_text(p->lexer.pool, "true");
	if (is(p, '=')) {
		if (next(p) < 0)
			return -1;
		if (is(p, TV_DOT_END))
			return 0;
		if (!is(p, TV_DOT_ID))
			return expected(p, "the value of an attribute");
		value = p->lexer.id;
		if (next(p) < 0)
			return -1;
	}
	if (list != NULL && is_used(p, tv_pool_text(p->lexer.pool, name)))
		return set(p, list, name, value);
	return 0;
}

/* [NAME=VALUE, ...][...]; list NULL: they are not used. */
static int attributes(struct parser *p, uint32_t *list)
{
	while (is(p, '[')) {
		if (next(p) < 0)
			return -1;
		while (!is(p, ']')) {
			if (is(p, TV_DOT_END))
				return 0;
			if (attribute(p, list) < 0)
				return -1;
			if ((is(p, ',') || is(p, ';')) && next(p) < 0)
				return -1;
		}
		if (next(p) < 0)
			return -1;
	}
	return 0;
}

/* ---- nodes ---- */

static uint32_t node_of(struct parser *p, uint32_t id, long line)
{
	struct tv_dot_graph *graph = p->graph;
	uint32_t node = tv_index_get(&p->node_of, id);

	if (node != TV_NONE)
		return node;
	node = (uint32_t)graph->nnodes;
	TV_GROW(graph->node, graph->nnodes, graph->nodes_cap, 1);
	graph->node[graph->nnodes++] = (struct tv_dot_node){
		.id = id,
		.line = line < TV_NONE ? (uint32_t)line : TV_NONE,
		.defaults = p->defaults,
		.path = p->lexer.path,
	};
	tv_index_set(&p->node_of, id, node);
	TV_GROW(p->seen, p->nseen, p->seen_cap, 1);
	p->seen[p->nseen++] = 0;
	return node;
}

static void mention(struct parser *p, uint32_t node)
{
	TV_GROW(p->mention, p->nmentions, p->mentions_cap, 1);
	p->mention[p->nmentions++] = node;
}

/* Leaves each node once of those mentioned from `from` on. */
static void make_set(struct parser *p, size_t from)
{
	size_t n = from;

	p->set++;
	for (size_t i = from; i < p->nmentions; i++)
		if (p->seen[p->mention[i]] != p->set) {
			p->seen[p->mention[i]] = p->set;
			p->mention[n++] = p->mention[i];
		}
	p->nmentions = n;
}

/* Ports, which are places on the node's border: :PORT[:COMPASS] */
static int ports(struct parser *p)
{
	for (int i = 0; i < 2 && is(p, ':'); i++) {
		if (next(p) < 0)
			return -1;
		if (!is(p, TV_DOT_ID) && !is(p, TV_DOT_END))
			return expected(p, "a port");
		if (next(p) < 0)
			return -1;
	}
	return 0;
}

/* ---- statements ---- */

static int statements(struct parser *p);

/* { ... }, [subgraph [NAME]] { ... }: mentions its nodes. */
static int subgraph(struct parser *p)
{
	uint32_t defaults = p->defaults;

	if (tv_dot_keyword(&p->lexer, "subgraph")) {
		if (next(p) < 0 || (is(p, TV_DOT_ID) && next(p) < 0))
			return -1;
		if (is(p, TV_DOT_END))
			return 0;
		if (!is(p, '{'))
			return expected(p, "{ of the subgraph");
	}
	if (p->depth >= TV_DOT_DEPTH)
		return tv_fail_at(p->err, (struct tv_pos){ p->lexer.path, p->lexer.from },
				  "more than %d subgraphs within each other, which is the limit",
				  TV_DOT_DEPTH);
	p->depth++;
	if (next(p) < 0 || statements(p) < 0)
		return -1;
	p->depth--;
	p->defaults = defaults;
	if (is(p, TV_DOT_END))
		return 0;
	if (!is(p, '}'))
		return expected(p, "a node, an edge or }");
	return next(p);
}

/* A node or a subgraph, at either end of an edge: mentions its nodes. */
static int endpoint(struct parser *p)
{
	size_t from = p->nmentions;
	int rc;

	if (is(p, '{') || tv_dot_keyword(&p->lexer, "subgraph")) {
		rc = subgraph(p);
		make_set(p, from);
		return rc;
	}
	if (!is(p, TV_DOT_ID))
		return expected(p, "a node");
	mention(p, node_of(p, p->lexer.id, p->lexer.from));
	return next(p) < 0 ? -1 : ports(p);
}

static void add_edges(struct parser *p, size_t tails, size_t heads)
{
	struct tv_dot_graph *graph = p->graph;
	size_t ntails = heads - tails, nheads = p->nmentions - heads;

	TV_GROW(graph->edge, graph->nedges, graph->edges_cap, ntails * nheads);
	for (size_t i = 0; i < ntails; i++)
		for (size_t k = 0; k < nheads; k++)
			graph->edge[graph->nedges++] = (struct tv_dot_edge){
				p->mention[tails + i], p->mention[heads + k]
			};
}

/* What follows a node or a subgraph, whose nodes are mentioned from `first` on: -> B -> C [...] */
static int edges(struct parser *p, size_t first, bool node)
{
	size_t tails = first;
	bool chain = false;

	while (is(p, TV_DOT_ARROW)) {
		size_t heads = p->nmentions;

		chain = true;
		if (next(p) < 0)
			return -1;
		if (is(p, TV_DOT_END))
			break;
		if (endpoint(p) < 0)
			return -1;
		/* An edge to something that is cut off is none. */
		add_edges(p, tails, heads);
		tails = heads;
	}
	if (is(p, TV_DOT_LINE))
		return expected(p, "-> (edges with a direction are dependencies)");
	if (!is(p, '['))
		return 0;
	return attributes(p, node && !chain ? &p->graph->node[p->mention[first]].own : NULL);
}

/* NAME = VALUE: an attribute of the graph. */
static int assignment(struct parser *p, uint32_t name)
{
	if (next(p) < 0)
		return -1;
	if (is(p, TV_DOT_END))
		return 0;
	if (!is(p, TV_DOT_ID))
		return expected(p, "the value of an attribute");
	if (p->depth == 1 && set(p, &p->graph->own, name, p->lexer.id) < 0)
		return -1;
	return next(p);
}

/* graph, node or edge [...] */
static int default_attributes(struct parser *p)
{
	uint32_t *list = tv_dot_keyword(&p->lexer, "node")		     ? &p->defaults
		       : tv_dot_keyword(&p->lexer, "graph") && p->depth == 1 ? &p->graph->own
									     : NULL;

	if (next(p) < 0)
		return -1;
	return is(p, '[') || is(p, TV_DOT_END) ? attributes(p, list) : expected(p, "[");
}

static int statement(struct parser *p)
{
	size_t first = p->nmentions;
	uint32_t id = p->lexer.id;
	long line = p->lexer.from;

	if (tv_dot_keyword(&p->lexer, "graph") || tv_dot_keyword(&p->lexer, "node")
	    || tv_dot_keyword(&p->lexer, "edge"))
		return default_attributes(p);
	if (!is(p, TV_DOT_ID) || tv_dot_keyword(&p->lexer, "subgraph"))
		return endpoint(p) < 0 ? -1 : edges(p, first, false);
	if (next(p) < 0)
		return -1;
	if (is(p, '='))
		return assignment(p, id);
	mention(p, node_of(p, id, line));
	return ports(p) < 0 ? -1 : edges(p, first, true);
}

/* Up to the } of the (sub)graph. */
static int statements(struct parser *p)
{
	size_t from = p->nmentions;

	while (!is(p, '}') && !is(p, TV_DOT_END)) {
		if (is(p, ';') ? next(p) < 0 : statement(p) < 0)
			return -1;
		/* Only the set of an enclosing subgraph needs them. */
		if (p->depth == 1)
			p->nmentions = from;
	}
	return 0;
}

/* [strict] digraph [NAME] {, and what follows up to the end. */
static int whole(struct parser *p)
{
	if (tv_dot_keyword(&p->lexer, "strict") && next(p) < 0)
		return -1;
	if (tv_dot_keyword(&p->lexer, "graph"))
		return expected(p, "digraph (edges with a direction are dependencies)");
	if (!tv_dot_keyword(&p->lexer, "digraph"))
		return expected(p, "digraph");
	if (next(p) < 0 || (is(p, TV_DOT_ID) && next(p) < 0))
		return -1;
	if (!is(p, '{') && !is(p, TV_DOT_END))
		return expected(p, "{ of the graph");
	p->depth = 1;
	if (is(p, '{') && (next(p) < 0 || statements(p) < 0))
		return -1;
	if (is(p, TV_DOT_END)) {
		p->graph->cut = p->lexer.in != NULL ? p->lexer.in : "the graph";
		p->graph->line = p->lexer.line;
		return 0;
	}
	if (next(p) < 0)
		return -1;
	p->graph->line = is(p, TV_DOT_END) ? 0 : p->lexer.from;
	return 0;
}

int tv_dot_parse(struct tv_dot_graph *graph, const char *path, const char *s, size_t n,
		 const char *type, struct tv_pool *pool, struct tv_error *err)
{
	struct parser p = { .graph = graph, .err = err, .type = type };
	int rc;

	*graph = (struct tv_dot_graph){ 0 };
	rc = tv_dot_start(&p.lexer, path, s, n, pool, err);
	if (rc == 0)
		rc = whole(&p);
	tv_dot_stop(&p.lexer);
	tv_free(p.node_of.at);
	tv_free(p.name.at);
	tv_free(p.mention);
	tv_free(p.seen);
	return rc;
}

void tv_dot_release(struct tv_dot_graph *graph)
{
	tv_free(graph->node);
	tv_free(graph->attribute);
	tv_free(graph->edge);
	*graph = (struct tv_dot_graph){ 0 };
}
