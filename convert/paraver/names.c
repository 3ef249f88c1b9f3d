/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c -- what numbers mean: NAME.pcf (types and values of events, states, colors) and NAME.row (threads). */
#include "convert/paraver/paraver.h"

#include <stdio.h>
#include <string.h>

#include "convert/words.h"
#include "trace/alloc.h"

/* Of the states of records in the map of values; no type of events has this number. */
#define STATES UINT64_MAX

/* ---- types ---- */

static enum tv_prv_kind kind_of_ovni(uint64_t number)
{
	switch (number) {
	case 35: /* Nanos6 */
	case 10: /* nOS-V */
	case 52: /* OpenMP-V */
		return TV_PRV_TASK_ID;
	case 36:
	case 11:
	case 51:
	case 15:
		return TV_PRV_TASK_FACT;
	case 2: /* identifiers of threads, applications and ranks */
	case 12:
	case 14:
	case 38:
		return TV_PRV_UNREAD;
	default:
		return TV_PRV_STATE;
	}
}

static enum tv_prv_kind kind_of_extrae(uint64_t number)
{
	switch (number) {
	case 60000023: /* the function of a task */
	case 60018:
		return TV_PRV_TASK;
	case 60000024:
	case 60015:
		return TV_PRV_TASK_MADE;
	case 60000028: /* its number */
	case 60014:
	case 60017:
		return TV_PRV_TASK_FACT;
	case 40000012:
		return TV_PRV_TRACING;
	case 60000001: /* parallel regions, their functions, those of the user */
	case 60002:
	case 60000018:
	case 60000019:
		return TV_PRV_STACK;
	case 60000118:
	case 60000119:
	case 60000120:
	case 60000123:
	case 60000124:
	case 60013:
	case 60016:
	case 60019:
		return TV_PRV_PLACE;
	default:
		break;
	}
	return number >= 50000001 && number <= 50000005 ? TV_PRV_CALL
	     : (number >= 50100001 && number <= 50100004) || number == 70000001
			       || number == 80000001
		     ? TV_PRV_CALL_FACT
	     : number >= 42000000 && number < 47000000 ? TV_PRV_COUNTER
	     : number >= 30000000 && number < 31000000 ? TV_PRV_EVENT /* samples of functions */
	     : (number >= 40000000 && number < 42000000)
			       || (number >= 70000000 && number < 90000000)
		     ? TV_PRV_UNREAD
		     : TV_PRV_STATE;
}

uint32_t tv_prv_type(struct tv_prv *prv, uint64_t number)
{
	uint32_t *place = tv_map_at(&prv->types, number, 0);
	char name[32];

	if (*place != TV_NONE)
		return *place;
	*place = (uint32_t)prv->ntype;
	TV_GROW(prv->type, prv->ntype, prv->type_cap, 1);
	snprintf(name, sizeof name, "event %llu", (unsigned long long)number);
	prv->type[prv->ntype] = (struct tv_prv_type){
		.number = number,
		.label = tv_intern_text(prv->trace->pool, name),
		.kind = prv->ovni ? kind_of_ovni(number) : kind_of_extrae(number),
	};
	return (uint32_t)prv->ntype++;
}

static uint32_t value_of(struct tv_prv *prv, uint64_t type, uint64_t value, const char *otherwise)
{
	const uint32_t *label = tv_map_get(&prv->values, type, value);
	char digits[64];

	if (label != NULL)
		return *label;
	snprintf(digits, sizeof digits, "%s%llu", otherwise, (unsigned long long)value);
	return tv_intern_text(prv->trace->pool, digits);
}

uint32_t tv_prv_value(struct tv_prv *prv, const struct tv_prv_type *type, uint64_t value)
{
	return value_of(prv, type->number, value, "");
}

uint32_t tv_prv_state_name(struct tv_prv *prv, uint64_t value)
{
	return value_of(prv, STATES, value, "state ");
}

/* ---- NAME.pcf ---- */

enum section { NOTHING, STATE, COLORS, TYPE, VALUES };

struct pcf {
	struct tv_prv *prv;
	enum section section;
	uint32_t *type; /* ntypes: those of the block, whose values follow */
	size_t ntypes, types_cap;
};

/* NUMBER and the rest of the line, without blanks around; false: there is no number. */
static bool numbered(const char *line, size_t n, uint64_t *number, struct tv_word *rest)
{
	const char *s = line, *end = line + n;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (!tv_prv_number(&s, end, number) || (s < end && *s != ' ' && *s != '\t'))
		return false;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*rest = (struct tv_word){ s, (size_t)(end - s) };
	return true;
}

/* Its name, if no other type has it. */
static void name_type(struct tv_prv *prv, struct tv_prv_type *type, struct tv_word name)
{
	uint32_t label = tv_intern(prv->trace->pool, name.s, name.n);
	char *other;

	if (name.n == 0 || label == type->label)
		return;
	for (size_t i = 0; i < prv->ntype; i++)
		if (prv->type[i].label == label) {
			other = tv_format("%.*s (%llu)", (int)name.n, name.s,
					  (unsigned long long)type->number);
			label = tv_intern_text(prv->trace->pool, other);
			tv_free(other);
			break;
		}
	type->label = label;
}

/* GRADIENT TYPE NAME */
static void read_type(struct pcf *pcf, struct tv_word rest)
{
	uint64_t number;
	struct tv_word name;
	uint32_t type;

	if (!numbered(rest.s, rest.n, &number, &name))
		return;
	type = tv_prv_type(pcf->prv, number);
	name_type(pcf->prv, &pcf->prv->type[type], name);
	TV_GROW(pcf->type, pcf->ntypes, pcf->types_cap, 1);
	pcf->type[pcf->ntypes++] = type;
}

static void name_value(struct tv_prv *prv, uint64_t type, uint64_t value, struct tv_word name)
{
	uint32_t label = tv_intern(prv->trace->pool, name.s, name.n);

	if (name.n > 0)
		tv_map_put(&prv->values, type, value, label);
}

/* {RED,GREEN,BLUE} of a state. */
static void read_color(struct tv_prv *prv, uint64_t state, struct tv_word color)
{
	const uint32_t *label = tv_map_get(&prv->values, STATES, state);
	unsigned red, green, blue;
	char text[32], *key;

	snprintf(text, sizeof text, "%.*s", (int)(color.n < 31 ? color.n : 31), color.s);
	if (label == NULL || sscanf(text, "{%u ,%u ,%u", &red, &green, &blue) != 3 || red > 255
	    || green > 255 || blue > 255)
		return;
	key = tv_format(TV_META_COLOR "%s", tv_pool_text(prv->trace->pool, *label));
	tv_meta_add(prv->trace, key, "#%02x%02x%02x", red, green, blue);
	tv_free(key);
}

static void read_pcf_line(struct pcf *pcf, const char *line, size_t n)
{
	static const struct {
		const char *word;
		enum section section;
	} sections[] = { { "STATES", STATE },
			 { "STATES_COLOR", COLORS },
			 { "EVENT_TYPE", TYPE },
			 { "VALUES", VALUES } };
	struct tv_word word[TV_WORDS_MAX], name;
	uint64_t number;

	if (numbered(line, n, &number, &name)) {
		if (pcf->section == STATE)
			name_value(pcf->prv, STATES, number, name);
		else if (pcf->section == COLORS)
			read_color(pcf->prv, number, name);
		else if (pcf->section == TYPE)
			read_type(pcf, name);
		for (size_t i = 0; pcf->section == VALUES && i < pcf->ntypes; i++) {
			struct tv_prv_type *type = &pcf->prv->type[pcf->type[i]];

			type->valued = true;
			name_value(pcf->prv, type->number, number, name);
		}
		return;
	}
	if (tv_words(line, word) == 0)
		return;
	pcf->section = NOTHING;
	for (size_t i = 0; i < TV_COUNT(sections); i++)
		if (tv_word_is(word[0], sections[i].word))
			pcf->section = sections[i].section;
	if (pcf->section == TYPE)
		pcf->ntypes = 0;
}

/* Opens PATH without .prv and with another ending; false: there is none. */
static bool open_beside(const char *path, const char *ending, struct tv_input *in, char **name)
{
	static const char *const packed[] = { "", ".gz", ".zst" };
	const char *prv = strstr(path, ".prv"), *next;
	struct tv_error err = { 0 };

	while (prv != NULL && (next = strstr(prv + 1, ".prv")) != NULL)
		prv = next;
	for (size_t i = 0; prv != NULL && i < TV_COUNT(packed); i++) {
		*name = tv_format("%.*s%s%s", (int)(prv - path), path, ending, packed[i]);
		if (tv_is_file(*name) && tv_input_open(in, *name, &err) == 0)
			return true;
		tv_free(*name);
	}
	return false;
}

static void read_pcf(struct tv_prv *prv, const char *path)
{
	struct pcf pcf = { .prv = prv };
	struct tv_error err = { 0 };
	struct tv_input in;
	char *line, *name;
	size_t n;
	int more;

	if (!open_beside(path, ".pcf", &in, &name)) {
		tv_notice(prv->trace,
			  "there is no .pcf file beside %s: events and values are numbers", path);
		return;
	}
	while ((more = tv_input_line(&in, &line, &n, &err)) > 0)
		read_pcf_line(&pcf, line, n);
	if (more < 0)
		tv_damaged(prv->trace, TV_DROPPED_BESIDE, "names of events", tv_here(&in), "%s",
			   err.text);
	tv_input_close(&in);
	tv_free(name);
	tv_free(pcf.type);
}

/* ---- NAME.row ---- */

/* The names below "LEVEL THREAD SIZE N" become those of the threads, as far as they are different. */
static void read_row(struct tv_prv *prv, const char *path)
{
	struct tv_word word[TV_WORDS_MAX];
	struct tv_error err = { 0 };
	struct tv_input in;
	char *line, *name;
	size_t n, thread = prv->nthread;
	bool cpus = false;

	if (!open_beside(path, ".row", &in, &name))
		return;
	while (tv_input_line(&in, &line, &n, &err) > 0) {
		size_t nwords = tv_words(line, word);

		if (nwords == 4 && tv_word_is(word[0], "LEVEL")) {
			bool is_cpu = prv->processors && tv_word_is(word[1], "CPU");

			/* The view of processors of ovni has its rows at either level. */
			thread = is_cpu || (!cpus && tv_word_is(word[1], "THREAD")) ? 0
										    : prv->nthread;
			cpus = cpus || is_cpu;
		} else if (nwords > 0 && thread < prv->nthread) {
			prv->thread[thread++].resource = tv_intern(
				prv->trace->pool, word[0].s,
				(size_t)(word[nwords - 1].s + word[nwords - 1].n - word[0].s));
		}
	}
	tv_input_close(&in);
	tv_free(name);
}

/* ---- resources ---- */

static uint32_t label_of(struct tv_prv *prv, char *text)
{
	uint32_t label = tv_intern_text(prv->trace->pool, text);

	tv_free(text);
	return label;
}

/* Where not all have names of their own, all are called as the files of Extrae do. */
static void name_threads(struct tv_prv *prv)
{
	struct tv_index seen = { 0 };
	bool named = true;

	for (uint32_t i = 0; i < prv->nthread && named; i++) {
		uint32_t name = prv->thread[i].resource;

		named = name != 0 && tv_index_get(&seen, name) == TV_NONE;
		tv_index_set(&seen, name, i);
	}
	for (uint32_t i = 0; i < prv->nthread && !named; i++) {
		const struct tv_prv_process *process = &prv->process[prv->thread[i].process];

		prv->thread[i].resource = label_of(prv, tv_format("THREAD %u.%u.%u",
								  process->app + 1, process->task,
								  i - process->first + 1));
	}
	tv_free(seen.at);
}

/* The only application, or the only one of several with calls of MPI; TV_NONE = there is none. */
static uint32_t ranked_app(const struct tv_prv *prv)
{
	uint32_t found = prv->napps == 1 ? 0 : TV_NONE;

	for (size_t i = 0; i < prv->nevent; i++) {
		const struct tv_prv_event *event = &prv->event[i];
		uint32_t app = prv->process[prv->thread[event->thread].process].app;

		if (prv->type[event->type].kind != TV_PRV_CALL || event->value == 0 || app == found)
			continue;
		if (found != TV_NONE)
			return TV_NONE;
		found = app;
	}
	return found;
}

/* Ranks in MPI_COMM_WORLD, as their calls name them, are numbers of processes of one application. */
static void name_nodes(struct tv_prv *prv)
{
	uint32_t ranked = ranked_app(prv);

	for (size_t i = 0; i < prv->nprocess; i++) {
		struct tv_prv_process *process = &prv->process[i];

		process->node = label_of(
			prv, process->app == ranked
				     ? tv_format("%u", process->task - 1)
				     : tv_format("%u.%u", process->app + 1, process->task - 1));
	}
}

void tv_prv_resources(struct tv_prv *prv)
{
	struct tv_table *table = &prv->trace->table[TV_RESOURCES];
	struct tv_column *resource, *type, *node, *order;
	uint32_t word = tv_intern_text(prv->trace->pool, "thread");

	TV_TRACE_COLUMNS(prv->trace, TV_RESOURCES, { "ResourceId", &resource },
			 { "ResourceType", &type }, { "Node", &node }, { "Order", &order });
	name_nodes(prv);
	for (uint32_t i = 0; i < prv->nthread; i++) {
		uint32_t row = tv_table_add_row(table);

		tv_set_label(resource, row, prv->thread[i].resource);
		tv_set_label(type, row, word);
		tv_set_label(node, row, prv->process[prv->thread[i].process].node);
		tv_set_int(order, row, i);
	}
}

void tv_prv_names(struct tv_prv *prv, const char *path)
{
	read_pcf(prv, path);
	read_row(prv, path);
	name_threads(prv);
}
