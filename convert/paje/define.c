/* SPDX-License-Identifier: GPL-3.0-or-later */
/* define.c -- Pajé's definitions: events (%EventDef), types and values. */
#include "convert/paje/paje.h"
#include "convert/regions.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"

#define ROLE(role) (1u << PAJE_##role)
#define ENTITY	   (ROLE(TIME) | ROLE(TYPE) | ROLE(CONTAINER))

static const struct {
	const char *name;
	uint32_t needs; /* roles that an event must have */
} kinds[] = {
	[PAJE_DEFINE_CONTAINER] = { "PajeDefineContainerType", ROLE(NAME) | ROLE(TYPE) },
	[PAJE_DEFINE_EVENT] = { "PajeDefineEventType", ROLE(NAME) | ROLE(TYPE) },
	[PAJE_DEFINE_STATE] = { "PajeDefineStateType", ROLE(NAME) | ROLE(TYPE) },
	[PAJE_DEFINE_VARIABLE] = { "PajeDefineVariableType", ROLE(NAME) | ROLE(TYPE) },
	[PAJE_DEFINE_LINK] = { "PajeDefineLinkType", ROLE(NAME) | ROLE(TYPE) },
	[PAJE_DEFINE_VALUE] = { "PajeDefineEntityValue", ROLE(NAME) | ROLE(TYPE) },
	[PAJE_CREATE] = { "PajeCreateContainer", ROLE(TIME) | ROLE(NAME) | ROLE(TYPE) },
	[PAJE_DESTROY] = { "PajeDestroyContainer", ROLE(TIME) | ROLE(NAME) },
	[PAJE_SET_STATE] = { "PajeSetState", ENTITY | ROLE(VALUE) },
	[PAJE_PUSH_STATE] = { "PajePushState", ENTITY | ROLE(VALUE) },
	[PAJE_POP_STATE] = { "PajePopState", ENTITY },
	[PAJE_RESET_STATE] = { "PajeResetState", ENTITY },
	[PAJE_SET_VARIABLE] = { "PajeSetVariable", ENTITY | ROLE(VALUE) },
	[PAJE_ADD_VARIABLE] = { "PajeAddVariable", ENTITY | ROLE(VALUE) },
	[PAJE_SUB_VARIABLE] = { "PajeSubVariable", ENTITY | ROLE(VALUE) },
	[PAJE_START_LINK] = { "PajeStartLink", ENTITY | ROLE(KEY) | ROLE(START) },
	[PAJE_END_LINK] = { "PajeEndLink", ENTITY | ROLE(KEY) | ROLE(END) },
	[PAJE_NEW_EVENT] = { "PajeNewEvent", ENTITY | ROLE(VALUE) },
	[PAJE_TRACE_FILE] = { "PajeTraceFile", ROLE(FILENAME) },
};

/* Names of fields; the first of each role is today's name, the others are older. */
static const struct {
	const char *name;
	enum tv_paje_role role;
} roles[] = {
	{ "Time", PAJE_TIME },
	{ "Name", PAJE_NAME },
	{ "Alias", PAJE_ALIAS },
	{ "Type", PAJE_TYPE },
	{ "EntityType", PAJE_TYPE },
	{ "ContainerType", PAJE_TYPE },
	{ "Container", PAJE_CONTAINER },
	{ "Value", PAJE_VALUE },
	{ "Key", PAJE_KEY },
	{ "StartContainer", PAJE_START },
	{ "SourceContainer", PAJE_START },
	{ "EndContainer", PAJE_END },
	{ "DestContainer", PAJE_END },
	{ "Color", PAJE_COLOR },
	{ "StartContainerType", PAJE_START_TYPE },
	{ "SourceContainerType", PAJE_START_TYPE },
	{ "EndContainerType", PAJE_END_TYPE },
	{ "DestContainerType", PAJE_END_TYPE },
	{ "Filename", PAJE_FILENAME },
};

static const char *role_name(int role)
{
	for (size_t i = 0; i < TV_COUNT(roles); i++)
		if ((int)roles[i].role == role)
			return roles[i].name;
	return "";
}

static bool equals(const struct tv_paje_field *field, const char *text)
{
	return field->n == strlen(text) && memcmp(field->s, text, field->n) == 0;
}

#define BAD_DEFINITION(paje, ...) PAJE_DROPPED(paje, "bad event definition", __VA_ARGS__)

static bool same_def(const struct tv_paje_def *a, const struct tv_paje_def *b)
{
	return a->kind == b->kind && a->nfields == b->nfields && a->nextras == b->nextras
	    && memcmp(a->at, b->at, sizeof a->at) == 0
	    && memcmp(a->extra, b->extra, a->nextras) == 0
	    && memcmp(a->name, b->name, a->nextras * sizeof *a->name) == 0;
}

/* Ends the current definition: it is used from here on, if it is valid and its number free. A
 * second file may use other numbers. */
static void finish_def(struct tv_paje *paje)
{
	struct tv_paje_def *def = &paje->def[paje->ndefs - 1];
	uint32_t known = tv_index_get(&paje->by_number, def->number);

	paje->defining = false;
	if (def->number == TV_NONE)
		return;
	for (int role = 0; role < PAJE_NROLES && !paje->unfit; role++) {
		if (!(kinds[def->kind].needs >> role & 1) || def->at[role] != PAJE_ABSENT)
			continue;
		/* An early dialect names the container that it destroys in the field Container. */
		if (def->kind == PAJE_DESTROY && role == PAJE_NAME
		    && def->at[PAJE_CONTAINER] != PAJE_ABSENT) {
			def->at[PAJE_NAME] = def->at[PAJE_CONTAINER];
			continue;
		}
		paje->unfit = true;
		BAD_DEFINITION(paje, "%s %u has no field %s, which it needs", kinds[def->kind].name,
			       def->number, role_name(role));
	}
	if (paje->unfit)
		def->kind = PAJE_NOTHING;
	for (int role = 0; role < PAJE_NROLES; role++)
		if ((kinds[def->kind].needs >> role & 1) && def->at[role] + 2 > def->min_words)
			def->min_words = (uint8_t)(def->at[role] + 2);
	def->value_last = (def->kind == PAJE_SET_VARIABLE || def->kind == PAJE_ADD_VARIABLE
			   || def->kind == PAJE_SUB_VARIABLE || def->kind == PAJE_NEW_EVENT)
		       && def->at[PAJE_VALUE] + 1 == def->nfields;
	if (known == TV_NONE || paje->def[known].file != def->file)
		tv_index_set(&paje->by_number, def->number, (uint32_t)(paje->ndefs - 1));
	else if (!same_def(&paje->def[known], def))
		BAD_DEFINITION(paje, "event number %u is defined twice, the first is used",
			       def->number);
}

void tv_paje_define_end(struct tv_paje *paje)
{
	if (!paje->defining)
		return;
	paje->unfit = true;
	tv_damaged(paje->trace, TV_REPAIRED, "event definition cut off", paje->at,
		   "%%EventDef without %%EndEventDef, its events are not used");
	finish_def(paje);
}

static int begin_def(struct tv_paje *paje, const struct tv_paje_field *f, size_t n,
		     struct tv_error *err)
{
	struct tv_paje_def *def;
	int64_t number = -1;

	tv_paje_define_end(paje);
	if (paje->ndefs >= UINT16_MAX)
		return tv_fail_at(err, paje->at,
				  "more than %d event definitions, which is the limit", UINT16_MAX);
	TV_GROW(paje->def, paje->ndefs, paje->defs_cap, 1);
	def = &paje->def[paje->ndefs++];
	*def = (struct tv_paje_def){ .number = TV_NONE,
				     .file = (uint16_t)(paje->npaths - 1),
				     .job = PAJE_ABSENT };
	memset(def->at, PAJE_ABSENT, sizeof def->at);
	paje->defining = true;
	paje->unfit = true;
	if (n < 3 || tv_parse_int(f[2].s, f[2].n, &number) != TV_PARSE_OK || number < 0
	    || number >= TV_PAJE_NUMBERS) {
		BAD_DEFINITION(paje, "expected '%%EventDef NAME NUMBER', NUMBER from 0 to %d",
			       TV_PAJE_NUMBERS - 1);
		return 0;
	}
	def->number = (uint32_t)number;
	for (size_t i = 1; i < TV_COUNT(kinds); i++)
		if (equals(&f[1], kinds[i].name)) {
			def->kind = (enum tv_paje_kind)i;
			paje->unfit = false;
			return 0;
		}
	BAD_DEFINITION(paje, "unknown event '%.*s', expected PajeSetState, ...", (int)f[1].n,
		       f[1].s);
	return 0;
}

static void defined_twice(struct tv_paje *paje, const struct tv_paje_field *name)
{
	BAD_DEFINITION(paje, "field '%.*s' is defined twice, the first is used", (int)name->n,
		       name->s);
}

static int add_user_field(struct tv_paje *paje, struct tv_paje_def *def,
			  const struct tv_paje_field *name, struct tv_error *err)
{
	uint32_t label = tv_intern(paje->trace->pool, name->s, name->n);

	for (int i = 0; i < def->nextras; i++)
		if (def->name[i] == label) {
			defined_twice(paje, name);
			return 0;
		}
	if (tv_index_get(&paje->names, label) == TV_NONE) {
		if (++paje->nnames > TV_PAJE_NAMES)
			return tv_fail_at(
				err, paje->at,
				"more than %d names of user-defined fields, which is the limit",
				TV_PAJE_NAMES);
		tv_index_set(&paje->names, label, 0);
	}
	if (equals(name, "JobId"))
		def->job = def->nextras;
	if (def->kind == PAJE_CREATE && equals(name, "File"))
		def->at[PAJE_FILENAME] = (uint8_t)(def->nfields - 1);
	def->extra[def->nextras] = (uint8_t)(def->nfields - 1);
	def->name[def->nextras++] = label;
	return 0;
}

static int add_field(struct tv_paje *paje, const struct tv_paje_field *name, struct tv_error *err)
{
	struct tv_paje_def *def = &paje->def[paje->ndefs - 1];

	if (def->nfields >= TV_PAJE_FIELDS)
		return tv_fail_at(err, paje->at,
				  "event definition with more than %d fields, which is the limit",
				  TV_PAJE_FIELDS);
	def->nfields++;
	for (size_t i = 0; i < TV_COUNT(roles); i++) {
		if (!equals(name, roles[i].name))
			continue;
		if (def->at[roles[i].role] == PAJE_ABSENT)
			def->at[roles[i].role] = (uint8_t)(def->nfields - 1);
		else
			defined_twice(paje, name);
		return 0;
	}
	return add_user_field(paje, def, name, err);
}

int tv_paje_define_line(struct tv_paje *paje, struct tv_error *err)
{
	struct tv_paje_field *f = paje->field;
	size_t n = paje->nfields;

	/* The % may be a word of its own or precede the first word. */
	f[0].s++;
	f[0].n--;
	if (f[0].n == 0) {
		f++;
		n--;
	}
	if (n > 0 && equals(f, "EventDef"))
		return begin_def(paje, f, n, err);
	if (n > 0 && paje->defining && !equals(f, "EndEventDef"))
		return add_field(paje, f, err);
	if (n == 0)
		BAD_DEFINITION(paje, "%% without a word, expected a field or %%EndEventDef");
	else if (paje->defining)
		finish_def(paje);
	else
		BAD_DEFINITION(paje, "'%%%.*s' outside of a definition, expected %%EventDef",
			       (int)f->n, f->s);
	return 0;
}

static uint32_t find_type(const struct tv_paje *paje, const struct tv_paje_field *field)
{
	return tv_paje_find_type(paje, tv_pool_find(paje->trace->pool, field->s, field->n));
}

static const struct tv_paje_field *role(const struct tv_paje *paje, const struct tv_paje_def *def,
					enum tv_paje_role which)
{
	static const struct tv_paje_field none = { "", 0 };
	size_t at = def->at[which];

	return at != PAJE_ABSENT && at + 1 < paje->nfields ? &paje->field[at + 1] : &none;
}

/* Name and alias of a definition line as labels; without an alias the name is the alias. */
static void name_and_alias(struct tv_paje *paje, const struct tv_paje_def *def, uint32_t *name,
			   uint32_t *alias)
{
	const struct tv_paje_field *n = role(paje, def, PAJE_NAME),
				   *a = role(paje, def, PAJE_ALIAS);

	*name = tv_intern(paje->trace->pool, n->s, n->n);
	*alias = a->n == 0 ? *name : tv_intern(paje->trace->pool, a->s, a->n);
}

/* Whether s[0..n) is the name or the alias of a type. */
static bool names_type(const struct tv_paje *paje, const struct tv_paje_type *type, const char *s,
		       size_t n)
{
	uint32_t label = tv_pool_find(paje->trace->pool, s, n);

	return label != TV_NONE && (label == type->name || label == type->alias);
}

/* --task-state TYPE,TYPE; an expression is applied to the states when all are read. */
static const char *task_types(const struct tv_paje *paje)
{
	const char *text = paje->trace->options.task_state;

	return text != NULL && !tv_regions_is_expression(text) ? text : NULL;
}

/* Whether the type is named in --task-state TYPE,TYPE. */
static bool is_task_state(const struct tv_paje *paje, const struct tv_paje_type *type)
{
	const char *s = task_types(paje);

	for (; s != NULL && *s != '\0'; s += s[0] == ',') {
		size_t n = strcspn(s, ",");

		if (names_type(paje, type, s, n))
			return true;
		s += n;
	}
	return false;
}

/* The types of a kind that the trace defines. */
static void list_types(const struct tv_paje *paje, enum tv_paje_kind kind,
		       struct tv_name_list *types, struct tv_near *near)
{
	for (uint32_t t = 0; t < paje->ntypes; t++) {
		const char *name = tv_pool_text(paje->trace->pool, paje->type[t].name);

		if (paje->type[t].kind != kind)
			continue;
		tv_name_list_add(types, name);
		tv_near_offer(near, name);
	}
}

/* Says that no state type has that name, and what there is. */
static void report_unknown(const struct tv_paje *paje, const char *name)
{
	struct tv_name_list types = { .n = 0 }, variables = { .n = 0 };
	struct tv_near near;

	tv_near_init(&near, name);
	list_types(paje, PAJE_DEFINE_STATE, &types, &near);
	if (types.n > 0) {
		tv_notice(paje->trace,
			  "--task-state '%s'%s, expected a state type of the trace: %s", name,
			  tv_near_text(&near), tv_name_list_text(&types));
		return;
	}
	list_types(paje, PAJE_DEFINE_VARIABLE, &variables, &near);
	tv_notice(paje->trace,
		  "--task-state '%s', expected a state type of the trace, which defines none; %s%s",
		  name,
		  variables.n > 0 ? "'traceviz counter' shows its variables: "
				  : "'traceviz info' shows what it contains",
		  tv_name_list_text(&variables));
}

void tv_paje_check_task_states(const struct tv_paje *paje)
{
	const char *s = task_types(paje);

	for (; s != NULL && *s != '\0'; s += s[0] == ',') {
		size_t n = strcspn(s, ",");
		bool known = n == 0;

		for (uint32_t t = 0; t < paje->ntypes && !known; t++)
			known = paje->type[t].all_tasks && names_type(paje, &paje->type[t], s, n);
		if (!known) {
			char *name = tv_strndup(s, n < 200 ? n : 200);

			report_unknown(paje, name);
			tv_free(name);
		}
		s += n;
	}
}

static void add_type(struct tv_paje *paje, const struct tv_paje_type *type)
{
	uint32_t at = (uint32_t)paje->ntypes;

	TV_GROW(paje->type, paje->ntypes, paje->types_cap, 1);
	paje->type[paje->ntypes++] = *type;
	tv_index_set(&paje->type_alias, type->alias, at);
	if (tv_index_get(&paje->type_name, type->name) == TV_NONE)
		tv_index_set(&paje->type_name, type->name, at);
}

int tv_paje_define_type(struct tv_paje *paje, const struct tv_paje_def *def, struct tv_error *err)
{
	const struct tv_paje_field *parent = role(paje, def, PAJE_TYPE);
	struct tv_paje_type type = { .kind = def->kind };
	uint32_t known;

	name_and_alias(paje, def, &type.name, &type.alias);
	type.parent = find_type(paje, parent);
	known = tv_index_get(&paje->type_alias, type.alias);
	if (type.parent == TV_NONE) {
		PAJE_DROPPED(paje, "unknown type",
			     "type '%s' inside of '%.*s', expected a container type that is "
			     "defined before",
			     tv_pool_text(paje->trace->pool, type.name), (int)parent->n, parent->s);
	} else if (known != TV_NONE) {
		const struct tv_paje_type *other = &paje->type[known];

		if (other->kind != type.kind || other->name != type.name
		    || other->parent != type.parent)
			PAJE_DROPPED(paje, "type defined twice",
				     "type '%s' is defined twice, the first is used",
				     tv_pool_text(paje->trace->pool, type.alias));
	} else if (paje->ntypes == TV_PAJE_TYPES) {
		return tv_fail_at(err, paje->at, "more than %d types, which is the limit",
				  TV_PAJE_TYPES - 1);
	} else {
		type.all_tasks = type.kind == PAJE_DEFINE_STATE && is_task_state(paje, &type);
		add_type(paje, &type);
	}
	return 0;
}

/* "0.5 .1 1" (or with commas) or six hexadecimal digits; TV_NONE for anything else. */
static uint32_t parse_color(const struct tv_paje_field *field)
{
	const char *s = field->s, *end = s + field->n;
	uint32_t color = 0;
	int parts = 0;

	while (s < end && parts < 3) {
		size_t n = 0;
		double x;

		while (s < end && (*s == ' ' || *s == ','))
			s++;
		while (s + n < end && s[n] != ' ' && s[n] != ',')
			n++;
		if (tv_parse_double(s, n, &x) != TV_PARSE_OK || x < 0 || x > 1)
			break;
		color = color << 8 | (uint32_t)(x * 255 + 0.5);
		parts++;
		s += n;
	}
	if (parts == 3)
		return color;
	s = field->s + (field->n == 7 && field->s[0] == '#');
	if (end - s != 6)
		return TV_NONE;
	for (color = 0; s < end; s++) {
		unsigned lower = (unsigned)*s | 0x20;

		if (*s >= '0' && *s <= '9')
			color = color << 4 | (unsigned)(*s - '0');
		else if (lower >= 'a' && lower <= 'f')
			color = color << 4 | (lower - 'a' + 10);
		else
			return TV_NONE;
	}
	return color;
}

void tv_paje_define_value(struct tv_paje *paje, const struct tv_paje_def *def)
{
	const struct tv_paje_field *of = role(paje, def, PAJE_TYPE);
	uint32_t type = find_type(paje, of), name, alias, *slot;

	name_and_alias(paje, def, &name, &alias);
	if (type == TV_NONE) {
		PAJE_DROPPED(paje, "unknown type",
			     "value '%s' of type '%.*s', expected a type that is defined before",
			     tv_pool_text(paje->trace->pool, name), (int)of->n, of->s);
		return;
	}
	if (paje->type[type].kind == PAJE_DEFINE_CONTAINER
	    || paje->type[type].kind == PAJE_DEFINE_VARIABLE) {
		PAJE_DROPPED(paje, "type of the wrong kind",
			     "value '%s' of type '%.*s', expected a state, event or link type",
			     tv_pool_text(paje->trace->pool, name), (int)of->n, of->s);
		return;
	}
	slot = tv_map_at(&paje->values, type, alias);
	if (*slot != TV_NONE) {
		if (paje->value[*slot].name != name)
			PAJE_DROPPED(
				paje, "value defined twice",
				"value '%s' of type '%.*s' is defined twice, the first is used",
				tv_pool_text(paje->trace->pool, alias), (int)of->n, of->s);
		return;
	}
	paje->type[type].has_values = true;
	TV_GROW(paje->value, paje->nvalues, paje->values_cap, 1);
	*slot = (uint32_t)paje->nvalues;
	paje->value[paje->nvalues++] = (struct tv_paje_value){
		name, parse_color(role(paje, def, PAJE_COLOR))
	};
}

bool tv_paje_is_starpu(const struct tv_paje *paje)
{
	static const char *const names[] = { "Program", "Memory Node", "Worker",
					     "Scheduler State" };

	for (size_t i = 0; i < TV_COUNT(names); i++) {
		uint32_t type = tv_index_get(&paje->type_name,
					     tv_pool_find_text(paje->trace->pool, names[i]));

		if (type == TV_NONE || paje->type[type].kind != PAJE_DEFINE_CONTAINER)
			return false;
	}
	return true;
}
