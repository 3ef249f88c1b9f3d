/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump.c -- what pj_dump prints of a Pajé trace, and the tables that StarVZ makes of that: a line for each
 * state, variable, link and event, with its begin and end.
 *
 * Lines become the records of Pajé events that have found their ends; emit.c makes rows of these.
 */
#include <limits.h>
#include <string.h>

#include "convert/paje/dump.h"
#include "trace/alloc.h"
#include "trace/clocks.h"

struct container {
	uint32_t name, parent, type; /* labels, but for type */
};

struct dump {
	struct tv_paje *paje;
	struct tv_dump_layout printed[DUMP_NATURES]; /* by pj_dump */
	struct tv_dump_layout header; /* of StarVZ's table; n = 0: the lines are pj_dump's */
	bool starvz, provisional;     /* provisional: times are read as seconds */
	struct tv_map types;	      /* kind, label of the name -> type */
	struct container *container;
	size_t ncontainers, containers_cap;
	struct tv_index containers; /* by label of the name */
	uint32_t state;		    /* the record of the last line, if it is a state; TV_NONE */
};

/* ---- types and containers ---- */

/* 0: not known; types beyond the limit are refused. */
static uint32_t find_type(struct dump *d, enum tv_dump_nature nature, uint32_t label)
{
	const uint32_t *known = tv_map_get(&d->types, tv_dump_natures[nature].defines, label);

	return known != NULL ? *known : 0;
}

static int declare_type(struct dump *d, enum tv_dump_nature nature,
			const struct tv_paje_field *name, uint32_t *type, struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	uint32_t label = tv_paje_intern(paje, name);

	*type = find_type(d, nature, label);
	if (*type != 0)
		return 0;
	if (paje->ntypes == TV_PAJE_TYPES)
		return tv_fail_at(err, paje->at, "more than %d types, which is the limit",
				  TV_PAJE_TYPES - 1);
	*type = (uint32_t)paje->ntypes;
	TV_GROW(paje->type, paje->ntypes, paje->types_cap, 1);
	paje->type[paje->ntypes++] = (struct tv_paje_type){ .kind = tv_dump_natures[nature].defines,
							    .name = label,
							    .alias = label };
	tv_map_put(&d->types, tv_dump_natures[nature].defines, label, *type);
	if (nature == DUMP_CONTAINER)
		tv_index_set(&paje->type_name, label, *type);
	return 0;
}

static int container_line(struct dump *d, const struct tv_dump_layout *layout, struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	const struct tv_paje_field *name = tv_dump_field(d->paje, layout, DUMP_NAME),
				   *parent = tv_dump_field(d->paje, layout, DUMP_PARENT);
	uint32_t label = tv_paje_intern(paje, name), known = tv_index_get(&d->containers, label);
	struct container c = { label, tv_paje_intern(paje, parent), 0 };

	if (label == paje->type[0].name)
		return 0; /* the root */
	if (declare_type(d, DUMP_CONTAINER, tv_dump_field(d->paje, layout, DUMP_TYPE), &c.type, err)
	    < 0)
		return -1;
	if (known != TV_NONE) {
		if (d->container[known].parent != c.parent || d->container[known].type != c.type)
			tv_damaged(paje->trace, TV_REPAIRED, "container of the same name", paje->at,
				   "there is another '%s', both are taken for one",
				   tv_pool_text(paje->trace->pool, label));
		return 0;
	}
	if (c.parent != paje->type[0].name && tv_index_get(&d->containers, c.parent) == TV_NONE) {
		tv_damaged(paje->trace, TV_REPAIRED, "unknown container", paje->at,
			   "'%s' is in '%s', expected a container of a line before",
			   tv_pool_text(paje->trace->pool, label),
			   tv_pool_text(paje->trace->pool, c.parent));
		c.parent = paje->type[0].name;
	}
	TV_GROW(d->container, d->ncontainers, d->containers_cap, 1);
	tv_index_set(&d->containers, label, (uint32_t)d->ncontainers);
	d->container[d->ncontainers++] = c;
	return 0;
}

/* ---- states, variables, links, events ---- */

/* Gives the record what only its nature has; false, counted, if it cannot. */
static bool set_value(struct dump *d, const struct tv_dump_layout *layout,
		      enum tv_dump_nature nature, struct tv_paje_record *r)
{
	const struct tv_paje_field *value = tv_dump_field(d->paje, layout, DUMP_VALUE),
				   *depth = tv_dump_field(d->paje, layout, DUMP_DEPTH);
	double number = 0;

	if (nature == DUMP_VARIABLE) {
		if (tv_parse_double(value->s, value->n, &r->number) == TV_PARSE_OK)
			return true;
		PAJE_DROPPED(d->paje, "bad number", "value '%.*s', expected a number",
			     value->n < 200 ? (int)value->n : 200, value->s);
		return false;
	}
	r->value = value != NULL ? tv_paje_intern(d->paje, value) : TV_NONE;
	if (depth == NULL || depth->n == 0)
		return true;
	if (tv_parse_double(depth->s, depth->n, &number) != TV_PARSE_OK || number < 0
	    || number > INT_MAX) {
		PAJE_DROPPED(d->paje, "bad number", "depth '%.*s', expected a number from 0 on",
			     depth->n < 200 ? (int)depth->n : 200, depth->s);
		return false;
	}
	r->depth = (uint32_t)number;
	return true;
}

/* StarPU sets a task's state twice at the same instant, first without its JobId: the first is none. */
static void drop_echo(struct dump *d, uint32_t at)
{
	struct tv_paje_record *record = d->paje->record, *r = &record[at], *before;

	if (d->state == TV_NONE || !(r->flags & PAJE_HAS_JOB))
		return;
	before = &record[d->state];
	if (!(before->flags & PAJE_HAS_JOB) && before->container == r->container
	    && before->type == r->type && before->value == r->value && before->time == r->time
	    && record[before->end].time == r->time)
		before->kind = PAJE_NOTHING;
}

static bool is_contradictory(struct dump *d, const struct tv_paje_record *r, int64_t end)
{
	const char *type = tv_pool_text(d->paje->trace->pool, d->paje->type[r->type].name);

	/* Clocks of nodes differ: trace/clocks.h. */
	if (end >= r->time || (r->kind == PAJE_START_LINK && strcmp(type, TV_MESSAGE_TYPE) == 0))
		return false;
	tv_damaged(d->paje->trace, r->kind == PAJE_PUSH_STATE ? TV_DROPPED : TV_DROPPED_BESIDE,
		   "end before start", d->paje->at, "'%s' ends before it starts", type);
	return true;
}

/* The record of the end of what the last record begins. */
static int end_record(struct dump *d, const struct tv_paje_def *def, int64_t time,
		      struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	uint32_t begin = (uint32_t)paje->n - 1;
	struct tv_paje_record *r = tv_paje_new_record(paje, def->kind, err);

	if (r == NULL)
		return -1;
	r->time = time;
	r->type = paje->record[begin].type;
	r->value = def->kind == PAJE_END_LINK ? paje->record[begin].value : TV_NONE;
	r->container = paje->record[begin].container;
	r->end = begin;
	r->flags = PAJE_ENDED;
	if (def->kind == PAJE_END_LINK && tv_paje_add_more(paje, def, r, err) < 0)
		return -1;
	paje->record[begin].end = begin + 1;
	paje->record[begin].flags |= PAJE_ENDED;
	tv_paje_add_record(paje);
	return 0;
}

static int entity_line(struct dump *d, struct tv_dump_layout *layout, enum tv_dump_nature nature,
		       struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	const struct tv_paje_def *def = tv_dump_def(d->paje, layout, nature);
	struct tv_paje_record *r;
	uint32_t type, at = (uint32_t)paje->n;
	int64_t end = 0;

	if (declare_type(d, nature, tv_dump_field(d->paje, layout, DUMP_TYPE), &type, err) < 0)
		return -1;
	r = tv_paje_new_record(paje, def->kind, err);
	if (r == NULL)
		return -1;
	r->type = type;
	r->container = tv_paje_intern(paje, tv_dump_field(paje, layout, DUMP_OF));
	if (!tv_paje_read_time(paje, tv_dump_field(paje, layout, DUMP_START), &r->time)
	    || (nature != DUMP_EVENT
		&& !tv_paje_read_time(paje, tv_dump_field(paje, layout, DUMP_END), &end))
	    || (nature != DUMP_EVENT && is_contradictory(d, r, end))
	    || !set_value(d, layout, nature, r))
		return 0;
	if (tv_paje_add_more(paje, def, r, err) < 0)
		return -1;
	if (r->flags & PAJE_HAS_JOB)
		paje->type[type].has_job = true;
	tv_paje_add_record(paje);
	if (nature != DUMP_EVENT && end_record(d, def + 1, end, err) < 0)
		return -1;
	if (nature == DUMP_STATE)
		drop_echo(d, at);
	d->state = nature == DUMP_STATE ? at : TV_NONE;
	return 0;
}

/* Whether the line has all that it needs. */
static bool is_whole(struct dump *d, const struct tv_dump_layout *layout,
		     enum tv_dump_nature nature)
{
	for (int column = 0; column < DUMP_COLUMNS; column++) {
		const struct tv_paje_field *field;

		if (!(tv_dump_natures[nature].needs >> column & 1))
			continue;
		field = tv_dump_field(d->paje, layout, (enum tv_dump_column)column);
		if (field != NULL && (field->n > 0 || column == DUMP_VALUE))
			continue;
		PAJE_DROPPED(d->paje, "missing field", "a %s of %zu fields lacks some, expected %s",
			     tv_dump_natures[nature].name, d->paje->nfields,
			     tv_dump_natures[nature].header);
		return false;
	}
	return true;
}

/* What StarVZ's tables leave empty is missing. */
static void clear_missing(struct tv_paje *paje, const struct tv_dump_layout *layout)
{
	for (size_t i = 0; i < paje->nfields && i < layout->n; i++)
		if (layout->name[i] != TV_NONE
		    && (paje->field[i].n == 0 || tv_dump_is(&paje->field[i], "NA")))
			paje->field[i] = (struct tv_paje_field){ NULL, 0 };
}

static int read_line(struct dump *d, struct tv_input *in, const char *line, size_t n,
		     struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	size_t fields = tv_dump_split(line, n, paje->field, TV_PAJE_KEPT);
	struct tv_dump_layout *layout = &d->header;
	const struct tv_paje_field *first;
	int nature;

	paje->nfields = fields < TV_PAJE_KEPT ? fields : TV_PAJE_KEPT;
	paje->at.line = in->line;
	if (fields == 1 && paje->field[0].n == 0)
		return 0;
	if (tv_dump_is_header(paje->field, paje->nfields)) {
		d->starvz = true;
		tv_dump_set_layout(paje, layout, paje->field, paje->nfields);
		return 0;
	}
	if (layout->n == 0 && tv_dump_is_title(paje->field, fields))
		return 0;
	first = layout->n == 0 ? &paje->field[0] : tv_dump_field(paje, layout, DUMP_NATURE);
	nature = first == NULL ? DUMP_NATURES : tv_dump_nature(first);
	if (nature == DUMP_NATURES) {
		PAJE_DROPPED(paje, "unknown nature",
			     "'%.*s', expected Container, State, Variable, Link or Event",
			     paje->field[0].n < 80 ? (int)paje->field[0].n : 80, paje->field[0].s);
		return 0;
	}
	/* In StarVZ's list of entities what is no container names a type only. */
	if (layout->n > 0 && nature != DUMP_CONTAINER && layout->at[DUMP_START] == PAJE_ABSENT)
		return 0;
	layout = layout->n > 0 ? layout : &d->printed[nature];
	if (fields > TV_PAJE_KEPT)
		tv_damaged(paje->trace, TV_REPAIRED, "surplus fields", paje->at,
			   "%zu fields, expected at most %d: the last are not used", fields,
			   TV_PAJE_KEPT);
	if (in->unterminated) {
		tv_damaged(paje->trace, TV_REPAIRED, TV_CUT_LINE, paje->at,
			   "the file ends within this line, which is not used");
		return 0;
	}
	if (!is_whole(d, layout, (enum tv_dump_nature)nature))
		return 0;
	clear_missing(paje, layout);
	return nature == DUMP_CONTAINER ? container_line(d, layout, err)
					: entity_line(d, layout, (enum tv_dump_nature)nature, err);
}

/* ---- the reader ---- */

static void *begin(struct tv_trace *trace)
{
	struct dump *d = tv_alloc(1, sizeof *d);

	d->paje = tv_paje_begin(trace);
	d->paje->unordered = true;
	for (int i = 0; i < DUMP_NATURES; i++) {
		struct tv_paje_field field[TV_PAJE_KEPT];

		tv_dump_set_layout(d->paje, &d->printed[i], field,
				   tv_dump_split(tv_dump_natures[i].header,
						 strlen(tv_dump_natures[i].header), field,
						 TV_PAJE_KEPT));
	}
	return d;
}

static void release(void *state)
{
	struct dump *d = state;

	tv_paje_free(d->paje);
	tv_map_release(&d->types);
	tv_free(d->container);
	tv_free(d->containers.at);
	tv_free(d);
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct dump *d = state;
	struct tv_paje *paje = d->paje;
	char *line;
	size_t n;
	int rc;

	if (tv_paje_begin_file(paje, in, err) < 0)
		return -1;
	if (paje->scale < 0 && paje->trace->options.time_unit != NULL
	    && tv_paje_decide_unit(paje, false, err) < 0)
		return -1;
	/* The unit shows at the end: what is read as seconds has at least its digits. */
	d->provisional = d->provisional || paje->scale < 0;
	paje->scale = d->provisional ? 9 : paje->scale;
	d->header.n = 0;
	d->state = TV_NONE;
	while ((rc = tv_input_line(in, &line, &n, err)) > 0)
		if (read_line(d, in, line, n, err) < 0)
			return -1;
	return rc;
}

static int64_t divided(int64_t time)
{
	return (time < 0 ? time - 500 : time + 500) / 1000;
}

/* Times that were read as seconds, in ms. */
static void rescale(struct tv_paje *paje)
{
	for (size_t i = 0; i < paje->n; i++)
		paje->record[i].time = divided(paje->record[i].time);
	for (size_t i = 0; i < paje->nlate; i++)
		paje->late[i].time = divided(paje->late[i].time);
	paje->earliest = divided(paje->earliest);
	paje->latest = divided(paje->latest);
}

static int choose_unit(struct dump *d, struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	bool starpu = d->starvz || tv_paje_is_starpu(paje)
		   || find_type(d, DUMP_STATE, tv_pool_find_text(paje->trace->pool, "Worker State"))
			      != 0;

	if (!d->provisional) {
		paje->starpu = starpu;
		return 0;
	}
	if (tv_paje_decide_unit(paje, starpu, err) < 0)
		return -1;
	if (starpu)
		rescale(paje);
	return 0;
}

/* The containers, each created at the first time. */
static int create_containers(struct dump *d, struct tv_error *err)
{
	struct tv_paje *paje = d->paje;
	uint32_t created = (uint32_t)paje->n;
	struct tv_paje_record *r = tv_paje_new_record(paje, PAJE_CREATE, err);

	if (r == NULL)
		return -1;
	r->time = paje->earliest;
	tv_paje_add_record(paje);
	tv_paje_prepare(paje);
	for (size_t i = 0; i < d->ncontainers; i++) {
		const struct container *c = &d->container[i];
		uint32_t parent = tv_index_get(&paje->container_name, c->parent);

		tv_paje_add_container(paje, c->name, c->name, parent, c->type, created);
		paje->type[c->type].parent = paje->container[parent].type;
	}
	return 0;
}

/* The container of a name; one that no line names is in the root. */
static uint32_t find_container(struct tv_paje *paje, uint32_t label)
{
	uint32_t found = tv_index_get(&paje->container_name, label);

	if (found != TV_NONE)
		return found;
	tv_paje_add_container(paje, label, label, 0, 0, TV_NONE);
	return (uint32_t)paje->ncontainers - 1;
}

static void find_containers(struct tv_paje *paje)
{
	for (size_t i = 0; i < paje->n; i++) {
		struct tv_paje_record *r = &paje->record[i];

		if (r->kind == PAJE_CREATE)
			continue;
		r->container = find_container(paje, r->container);
		if (r->kind == PAJE_START_LINK || r->kind == PAJE_END_LINK)
			paje->words[r->more + 2] = find_container(paje, paje->words[r->more + 2]);
		paje->type[r->type].parent = paje->container[r->container].type;
	}
}

/* StarPU declares workers that never started: a container in which nothing is, and nothing happens, is no
 * resource. */
static void drop_empty(struct tv_paje *paje)
{
	bool *used = tv_alloc(paje->ncontainers, sizeof *used);
	size_t empty = 0;

	for (size_t i = 0; i < paje->n; i++) {
		const struct tv_paje_record *r = &paje->record[i];

		if (r->kind != PAJE_CREATE)
			used[r->container] = true;
		if (r->kind == PAJE_START_LINK || r->kind == PAJE_END_LINK)
			used[paje->words[r->more + 2]] = true;
	}
	for (size_t i = 1; paje->starpu && i < paje->ncontainers; i++) {
		if (used[i] || paje->container[i].children != TV_NONE
		    || paje->container[i].created == TV_NONE)
			continue;
		paje->container[i].created = TV_NONE;
		empty++;
	}
	if (empty > 0)
		tv_meta_add(paje->trace, "EmptyContainers", "%zu (left out)", empty);
	tv_free(used);
}

static int finish(void *state, struct tv_error *err)
{
	struct dump *d = state;
	struct tv_paje *paje = d->paje;

	if (paje->n == 0)
		return tv_fail_at(
			err, (struct tv_pos){ paje->path[0], 0 },
			"no usable line, expected such as 'State, r0, S, 0.0, 1.0, 1.0, 0, a'");
	if (choose_unit(d, err) < 0 || create_containers(d, err) < 0)
		return -1;
	find_containers(paje);
	drop_empty(paje);
	tv_paje_emit(paje);
	return 0;
}

const struct tv_reader tv_dump_reader = {
	.name = "pj_dump",
	.summary = "what pj_dump prints of a Paje trace; folders of StarVZ with CSV tables",
	.brings = TV_BRINGS(TASKS) | TV_BRINGS(STATES) | TV_BRINGS(VARIABLES) | TV_BRINGS(LINKS)
		| TV_BRINGS(MESSAGES) | TV_BRINGS(CALLS) | TV_BRINGS(EVENTS),
	.probe = tv_dump_probe,
	.begin = begin,
	.read = read_file,
	.finish = finish,
	.free = release,
	.joins = "recutils",
	.memory = 4,
	.omits = true,
};
