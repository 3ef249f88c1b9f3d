/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paje.c -- Pajé traces: lines into records; definitions are in define.c. */
#include "convert/paje/paje.h"

#include <limits.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* Times beyond this (146 years) are refused, so that no difference of two overflows. */
#define TIME_MAX (INT64_MAX / 2)

#define UNKNOWN_TYPE "unknown type" /* a cause of damage */

enum { ENOUGH = 1 << 20 }; /* bytes of a file that show how many records the rest has */
enum { WORDS_SPARE = 4 };  /* behind the last text of tv_paje.words: 16 bytes */

/* Definitions of events; lines that are not understood are damage as long as fewer than the others. */
static int probe(const char *head, size_t n)
{
	const char *s = head, *end = head + n;
	size_t known = 0, others = 0;
	bool defines = false;

	for (const char *eol; s < end && !(defines && others == 0); s = eol + 1) {
		eol = memchr(s, '\n', (size_t)(end - s));
		eol = eol != NULL ? eol : end;
		while (s < eol && tv_paje_blank(*s))
			s++;
		if (s < eol && *s == '%') {
			known++;
			for (s++; s < eol && tv_paje_blank(*s);)
				s++;
			defines = defines
			       || (eol - s > 8 && memcmp(s, "EventDef", 8) == 0
				   && tv_paje_blank(s[8]));
		} else if (s < eol && *s >= '0' && *s <= '9') {
			known++;
		} else {
			others += s < eol && *s != '#';
		}
	}
	return !defines || known <= others ? 0 : others == 0 ? 90 : 60;
}

void tv_paje_free(void *state)
{
	struct tv_paje *paje = state;

	for (size_t i = 0; i < paje->npaths; i++)
		tv_free(paje->path[i]);
	tv_free(paje->path);
	tv_free(paje->files.at);
	tv_free(paje->named);
	tv_free(paje->def);
	tv_free(paje->by_number.at);
	tv_free(paje->names.at);
	tv_free(paje->type);
	tv_free(paje->type_alias.at);
	tv_free(paje->type_name.at);
	tv_free(paje->value);
	tv_map_release(&paje->values);
	tv_free(paje->record);
	tv_free(paje->run);
	tv_free(paje->late);
	tv_free(paje->words);
	tv_free(paje->declared.at);
	tv_free(paje->container);
	tv_free(paje->container_alias.at);
	tv_free(paje->container_name.at);
	tv_free(paje);
}

void *tv_paje_begin(struct tv_trace *trace)
{
	struct tv_paje *paje = tv_alloc(1, sizeof *paje);
	uint32_t zero = tv_intern(trace->pool, "0", 1);

	paje->trace = trace;
	paje->scale = -1;
	paje->earliest = INT64_MAX;
	paje->latest = INT64_MIN;
	TV_GROW(paje->type, paje->ntypes, paje->types_cap, 1);
	tv_index_set(&paje->type_alias, zero, 0);
	paje->type[paje->ntypes++] = (struct tv_paje_type){ .kind = PAJE_DEFINE_CONTAINER,
							    .name = zero,
							    .alias = zero };
	return paje;
}

/* A field for %.*s in a message. */
#define SHOW(field) (int)((field)->n < 200 ? (field)->n : 200), (field)->s

int tv_paje_decide_unit(struct tv_paje *paje, bool starpu, struct tv_error *err)
{
	static const struct {
		const char *name;
		int scale;
	} unit[] = { { "s", 9 }, { "ms", 6 }, { "us", 3 }, { "ns", 0 } };
	const char *wanted = paje->trace->options.time_unit;

	paje->starpu = starpu;
	paje->scale = paje->starpu ? 6 : 9;
	if (wanted == NULL) {
		tv_meta_add(paje->trace, "TimeUnit", "%s",
			    paje->starpu
				    ? "ms: the definitions are StarPU's"
				    : "s: Pajé has no unit, and the definitions are not StarPU's");
		return 0;
	}
	for (size_t i = 0; i < TV_COUNT(unit); i++)
		if (strcmp(wanted, unit[i].name) == 0) {
			paje->scale = unit[i].scale;
			tv_meta_add(paje->trace, "TimeUnit", "%s: as the user said", wanted);
			return 0;
		}
	return tv_fail_usage(err, "unknown time unit '%s', expected s, ms, us or ns", wanted);
}

static struct tv_paje_field *field_of(struct tv_paje *paje, const struct tv_paje_def *def,
				      enum tv_paje_role role)
{
	size_t at = def->at[role];

	return at != PAJE_ABSENT && at + 1 < paje->nfields ? &paje->field[at + 1] : NULL;
}

/* Of these two, where there is room. */
static void add_word(struct tv_paje *paje, uint32_t word)
{
	paje->words[paje->nwords++] = word;
}

static void add_text(struct tv_paje *paje, const struct tv_paje_field *field)
{
	add_word(paje, (uint32_t)field->n);
	/* Short ones with what is behind them: there is room for that. */
	if (field->n <= 16)
		memcpy(paje->words + paje->nwords, field->s, 16);
	else
		memcpy(paje->words + paje->nwords, field->s, field->n);
	paje->nwords += (field->n + 3) / 4;
}

int tv_paje_add_more(struct tv_paje *paje, const struct tv_paje_def *def, struct tv_paje_record *r,
		     struct tv_error *err)
{
	bool link = def->kind == PAJE_START_LINK || def->kind == PAJE_END_LINK;
	size_t nwords = 3; /* of the definition and of links */

	r->more = TV_NONE;
	if (def->nextras == 0 && !link)
		return 0;
	if (paje->nwords >= TV_NONE - 65536)
		return tv_fail_at(err, paje->at,
				  "more than 16 GB of user-defined fields, which is the limit");
	for (int i = 0; i < def->nextras; i++)
		if (def->extra[i] + 1u < paje->nfields)
			nwords += (paje->field[def->extra[i] + 1u].n + 3) / 4;
	TV_GROW(paje->words, paje->nwords, paje->words_cap,
		nwords + (size_t)def->nextras + WORDS_SPARE);
	r->more = (uint32_t)paje->nwords;
	add_word(paje, (uint32_t)(def - paje->def));
	if (link) {
		enum tv_paje_role other = def->kind == PAJE_START_LINK ? PAJE_START : PAJE_END;

		add_word(paje, tv_paje_intern(paje, field_of(paje, def, PAJE_KEY)));
		add_word(paje, tv_paje_intern(paje, field_of(paje, def, other)));
	}
	for (int i = 0; i < def->nextras; i++) {
		size_t at = def->extra[i] + 1u;

		if (at < paje->nfields && paje->field[at].s != NULL)
			add_text(paje, &paje->field[at]);
		else
			add_word(paje, TV_NONE);
		if (i == def->job && at < paje->nfields && paje->field[at].n > 0)
			r->flags |= PAJE_HAS_JOB;
	}
	return 0;
}

static struct tv_paje_field trimmed(struct tv_paje_field field)
{
	while (field.n > 0 && tv_paje_blank(field.s[field.n - 1]))
		field.n--;
	while (field.n > 0 && tv_paje_blank(*field.s)) {
		field.s++;
		field.n--;
	}
	return field;
}

/* Container, its name and its parent, as labels. */
static void creation(struct tv_paje *paje, const struct tv_paje_def *def, struct tv_paje_record *r)
{
	const struct tv_paje_field *name = field_of(paje, def, PAJE_NAME);
	const struct tv_paje_field *alias = field_of(paje, def, PAJE_ALIAS);
	const struct tv_paje_field *parent = field_of(paje, def, PAJE_CONTAINER);
	struct tv_paje_field shown = trimmed(*name);

	r->container = tv_paje_intern(paje, alias != NULL && alias->n > 0 ? alias : name);
	r->value = tv_paje_intern(paje, &shown);
	r->end = parent != NULL ? tv_paje_intern(paje, parent) : paje->type[0].name;
	tv_paje_name_file(paje, field_of(paje, def, PAJE_FILENAME));
	tv_index_set(&paje->declared, r->container, 0);
	tv_index_set(&paje->declared, r->value, 0);
}

/* Gives a record the value of its line; NULL: the event has none. False if it must be a number and is
 * not. */
static bool set_value(struct tv_paje *paje, struct tv_paje_record *r,
		      const struct tv_paje_field *value)
{
	const struct tv_paje_type *type = &paje->type[r->type];
	const uint32_t *known;

	if (type->kind == PAJE_DEFINE_VARIABLE)
		return tv_parse_double(value->s, value->n, &r->number) == TV_PARSE_OK;
	r->value = value != NULL ? tv_paje_intern(paje, value) : TV_NONE;
	known = value != NULL && type->has_values ? tv_map_get(&paje->values, r->type, r->value)
						  : NULL;
	if (known != NULL)
		r->value = paje->value[*known].name;
	return true;
}

/* What the event is about: type, container, value. False when the record was dropped. */
static bool resolve(struct tv_paje *paje, const struct tv_paje_def *def, struct tv_paje_record *r)
{
	static const uint8_t wanted[] = {
		[PAJE_CREATE] = PAJE_DEFINE_CONTAINER,
		[PAJE_SET_STATE] = PAJE_DEFINE_STATE,
		[PAJE_PUSH_STATE] = PAJE_DEFINE_STATE,
		[PAJE_POP_STATE] = PAJE_DEFINE_STATE,
		[PAJE_RESET_STATE] = PAJE_DEFINE_STATE,
		[PAJE_SET_VARIABLE] = PAJE_DEFINE_VARIABLE,
		[PAJE_ADD_VARIABLE] = PAJE_DEFINE_VARIABLE,
		[PAJE_SUB_VARIABLE] = PAJE_DEFINE_VARIABLE,
		[PAJE_START_LINK] = PAJE_DEFINE_LINK,
		[PAJE_END_LINK] = PAJE_DEFINE_LINK,
		[PAJE_NEW_EVENT] = PAJE_DEFINE_EVENT,
	};
	const struct tv_paje_field *type = field_of(paje, def, PAJE_TYPE);
	const struct tv_paje_field *value = field_of(paje, def, PAJE_VALUE);
	uint32_t found;

	if (def->kind == PAJE_DESTROY) {
		r->container = tv_paje_intern(paje, field_of(paje, def, PAJE_NAME));
		return true;
	}
	found = tv_paje_find_type(paje, tv_paje_intern(paje, type));
	if (found == TV_NONE) {
		PAJE_DROPPED(paje, UNKNOWN_TYPE, "type '%.*s', expected one that is defined before",
			     SHOW(type));
		return false;
	}
	r->type = found;
	if (paje->type[r->type].kind != wanted[def->kind]) {
		PAJE_DROPPED(paje, "type of the wrong kind", "type '%.*s' does not fit this event",
			     SHOW(type));
		return false;
	}
	if (def->kind == PAJE_CREATE) {
		creation(paje, def, r);
		return true;
	}
	r->container = tv_paje_intern(paje, field_of(paje, def, PAJE_CONTAINER));
	if (!set_value(paje, r, value)) {
		PAJE_DROPPED(paje, "bad number", "value '%.*s', expected a number", SHOW(value));
		return false;
	}
	return true;
}

/* Room for another record and the one that closes them; once the lines read show how many there are,
 * for all of the file. */
static void make_room(struct tv_paje *paje)
{
	const struct tv_input *in = paje->in;

	if (in->codec == NULL && in->offset > ENOUGH && in->size > (int64_t)in->offset) {
		double more = 1.02 * (double)(in->size - (int64_t)in->offset) / (double)in->offset;
		size_t n = paje->n - paje->n_before, nwords = paje->nwords - paje->nwords_before;

		tv_reserve(&paje->record, paje->n, &paje->cap, paje->n + (size_t)(more * (double)n),
			   sizeof *paje->record);
		tv_reserve(&paje->words, paje->nwords, &paje->words_cap,
			   paje->nwords + (size_t)(more * (double)nwords), sizeof *paje->words);
	}
	TV_GROW(paje->record, paje->n, paje->cap, 2);
}

/* Notes where the record behind the last one comes from. */
static void note_place(struct tv_paje *paje)
{
	long gap = paje->at.line - (long)paje->n;

	if (gap == paje->line_gap)
		return;
	paje->line_gap = gap;
	TV_GROW(paje->run, paje->nruns, paje->runs_cap, 1);
	paje->run[paje->nruns++] = (struct tv_paje_run){ paje->at.line, (uint32_t)paje->n,
							 (uint16_t)(paje->npaths - 1) };
}

TV_ORDER(compare_runs, struct tv_paje_run, record)

struct tv_pos tv_paje_place(const struct tv_paje *paje, const struct tv_paje_record *r)
{
	const struct tv_paje_run key = { .record = (uint32_t)(r - paje->record) };
	const struct tv_paje_run *run =
		&paje->run[tv_count_upto(&key, paje->run, paje->nruns, sizeof *run, compare_runs)
			   - 1];

	return (struct tv_pos){ paje->path[run->file],
				run->line + (long)(key.record - run->record) };
}

void tv_paje_add_record(struct tv_paje *paje)
{
	struct tv_paje_record *r = &paje->record[paje->n];

	note_place(paje);
	if (r->time >= paje->latest) {
		paje->latest = r->time;
	} else {
		TV_GROW(paje->late, paje->nlate, paje->late_cap, 1);
		paje->late[paje->nlate++] = (struct tv_paje_late){ r->time, (uint32_t)paje->n };
		r->flags |= PAJE_LATE;
	}
	paje->earliest = r->time < paje->earliest ? r->time : paje->earliest;
	paje->nkinds[r->kind]++;
	paje->n++;
}

static bool is_usable(int64_t time)
{
	return time <= TIME_MAX && time >= -TIME_MAX;
}

/* A line that but for its time and value is that of an earlier record. False if it is to be split. */
static bool event_again(struct tv_paje *paje, const struct tv_paje_line_key *key, long line)
{
	const struct tv_paje_seen *seen = tv_paje_seen(paje, key);
	struct tv_paje_record *r;
	int64_t time;

	if (seen == NULL || tv_paje_parse_time(paje, &key->time, &time) != TV_PARSE_OK
	    || !is_usable(time) || paje->n >= TV_NONE - 1)
		return false;
	if (paje->n + 1 >= paje->cap)
		make_room(paje);
	r = &paje->record[paje->n];
	*r = (struct tv_paje_record){ .time = time,
				      .number_or_value = seen->number_or_value,
				      .container = seen->container,
				      .more = seen->more,
				      .end = TV_NONE,
				      .what = seen->what };
	if (key->value.n > 0 && !set_value(paje, r, &key->value))
		return false;
	paje->at.line = line;
	tv_paje_add_record(paje);
	return true;
}

struct tv_paje_record *tv_paje_new_record(struct tv_paje *paje, enum tv_paje_kind kind,
					  struct tv_error *err)
{
	struct tv_paje_record *r;

	if (paje->n >= TV_NONE - 1) {
		tv_fail_at(err, paje->at,
			   "more than 4 thousand million events, which is the limit");
		return NULL;
	}
	if (paje->n + 1 >= paje->cap)
		make_room(paje);
	r = &paje->record[paje->n];
	*r = (struct tv_paje_record){ .kind = kind, .more = TV_NONE, .end = TV_NONE };
	return r;
}

bool tv_paje_read_time(struct tv_paje *paje, const struct tv_paje_field *time, int64_t *ns)
{
	enum tv_parsed parsed = tv_paje_parse_time(paje, time, ns);

	if (parsed == TV_PARSE_OK && is_usable(*ns))
		return true;
	if (parsed == TV_PARSE_BAD)
		PAJE_DROPPED(paje, "bad time", "time '%.*s', expected a number", SHOW(time));
	else
		PAJE_DROPPED(paje, "bad time", "time '%.*s' is beyond 146 years", SHOW(time));
	return false;
}

/* An event with a time. */
static int timed_event(struct tv_paje *paje, const struct tv_paje_def *def, struct tv_error *err)
{
	const struct tv_paje_field *time = field_of(paje, def, PAJE_TIME);
	struct tv_paje_record *r;

	if (paje->scale < 0 && tv_paje_decide_unit(paje, tv_paje_is_starpu(paje), err) < 0)
		return -1;
	r = tv_paje_new_record(paje, def->kind, err);
	if (r == NULL)
		return -1;
	if (!tv_paje_read_time(paje, time, &r->time))
		return 0;
	if (!resolve(paje, def, r))
		return 0;
	if (tv_paje_add_more(paje, def, r, err) < 0)
		return -1;
	if (r->flags & PAJE_HAS_JOB)
		paje->type[r->type].has_job = true;
	tv_paje_add_record(paje);
	return 0;
}

/* The definition that the line's number names, or NULL. */
static const struct tv_paje_def *find_def(const struct tv_paje *paje)
{
	const struct tv_paje_field *f = &paje->field[0];
	uint32_t number = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->s[i] < '0' || f->s[i] > '9' || number >= TV_PAJE_NUMBERS)
			return NULL;
		number = number * 10 + (uint32_t)(f->s[i] - '0');
	}
	number = f->n == 0 ? TV_NONE : tv_index_get(&paje->by_number, number);
	return number == TV_NONE ? NULL : &paje->def[number];
}

/* A line that begins with an event's number; key: NULL if none like it need be known. */
static int event_line(struct tv_paje *paje, size_t surplus, const struct tv_paje_line_key *key,
		      struct tv_error *err)
{
	const struct tv_paje_def *def = find_def(paje);
	size_t before = paje->n;

	if (def == NULL) {
		PAJE_DROPPED(paje, "unknown event number",
			     "event '%.*s', expected a number that an %%EventDef defines",
			     SHOW(&paje->field[0]));
		return 0;
	}
	if (def->kind == PAJE_NOTHING) {
		PAJE_DROPPED(paje, "event with a bad definition", "event %u cannot be used",
			     def->number);
		return 0;
	}
	if (paje->nfields < def->min_words) {
		PAJE_DROPPED(paje, "missing field", "%zu fields, expected %d", paje->nfields - 1,
			     def->nfields);
		return 0;
	}
	surplus += paje->nfields > def->nfields + 1u ? paje->nfields - def->nfields - 1 : 0;
	if (surplus > 0)
		tv_damaged(paje->trace, TV_REPAIRED, "surplus fields", paje->at,
			   "%zu fields, expected %d: the last are not used", def->nfields + surplus,
			   def->nfields);
	switch (def->kind) {
	case PAJE_DEFINE_CONTAINER:
	case PAJE_DEFINE_EVENT:
	case PAJE_DEFINE_STATE:
	case PAJE_DEFINE_VARIABLE:
	case PAJE_DEFINE_LINK:
		paje->generation++;
		return tv_paje_define_type(paje, def, err);
	case PAJE_DEFINE_VALUE:
		paje->generation++;
		tv_paje_define_value(paje, def);
		return 0;
	case PAJE_TRACE_FILE:
		tv_paje_name_file(paje, field_of(paje, def, PAJE_FILENAME));
		return 0;
	default:
		if (timed_event(paje, def, err) < 0)
			return -1;
		if (paje->n > before && surplus == 0 && key != NULL)
			tv_paje_remember(paje, def, key);
		return 0;
	}
}

/* Whether a last line without a line end looks cut: a field is missing, or its last word is one
 * that the trace has not had before, so that it may be half a word or half a number. */
static bool looks_cut(const struct tv_paje *paje, bool open)
{
	const struct tv_paje_def *def = find_def(paje);
	const struct tv_paje_field *last = &paje->field[paje->nfields - 1];

	return def == NULL || open || paje->nfields < def->nfields + 1u
	    || tv_pool_find(paje->trace->pool, last->s, last->n) == TV_NONE;
}

static int read_line(struct tv_paje *paje, const struct tv_input *in, const char *line, size_t n,
		     struct tv_error *err)
{
	struct tv_paje_line_key key;
	bool open, keyed = !in->unterminated && tv_paje_line_key(paje, line, n, &key);
	size_t surplus;

	if (keyed && event_again(paje, &key, in->line))
		return 0;
	surplus = tv_paje_split(paje, line, n, &open);
	if (paje->nfields == 0)
		return 0;
	paje->at.line = in->line;
	if (paje->field[0].s[0] == '%' && paje->field[0].s == line + strspn(line, " \t\v\f")) {
		paje->generation++;
		return tv_paje_define_line(paje, err);
	}
	if (in->unterminated && looks_cut(paje, open)) {
		tv_damaged(paje->trace, TV_REPAIRED, TV_CUT_LINE, paje->at,
			   "the file ends within this line, which is not used");
		return 0;
	}
	if (open)
		tv_damaged(paje->trace, TV_REPAIRED, "missing quote", paje->at,
			   "\" is not closed: the text ends with the line");
	return event_line(paje, surplus, keyed && !open ? &key : NULL, err);
}

int tv_paje_begin_file(struct tv_paje *paje, const struct tv_input *in, struct tv_error *err)
{
	TV_GROW(paje->path, paje->npaths, paje->paths_cap, 1);
	if (paje->npaths >= UINT16_MAX)
		return tv_fail_at(err, tv_here(in),
				  "more than %d files in one trace, which is the limit",
				  UINT16_MAX);
	paje->path[paje->npaths] = tv_strdup(in->path);
	paje->at = (struct tv_pos){ paje->path[paje->npaths++], 0 };
	tv_paje_file_read(paje, in->path);
	paje->in = in;
	paje->n_before = paje->n;
	paje->nwords_before = paje->nwords;
	paje->line_gap = LONG_MIN;
	paje->generation++;
	return 0;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_paje *paje = state;
	char *line;
	size_t n;
	int rc;

	if (tv_paje_begin_file(paje, in, err) < 0)
		return -1;
	while ((rc = tv_input_line(in, &line, &n, err)) > 0)
		if (read_line(paje, in, line, n, err) < 0)
			return -1;
	if (rc == 0)
		tv_paje_define_end(paje);
	return rc;
}

static bool nothing_read(const struct tv_trace *trace)
{
	for (int i = 0; i < TV_NTABLES; i++)
		if (i != TV_META && trace->table[i].nrows > 0)
			return false;
	return true;
}

/* Whether lines were dropped because of their types. */
static bool lacks_types(const struct tv_trace *trace)
{
	for (size_t i = 0; i < trace->ndamage; i++)
		if (strcmp(trace->damage[i].cause, UNKNOWN_TYPE) == 0)
			return true;
	return false;
}

static int finish(void *state, struct tv_error *err)
{
	struct tv_paje *paje = state;

	tv_paje_simulate(paje);
	tv_paje_check_task_states(paje);
	tv_paje_emit(paje);
	if (!nothing_read(paje->trace))
		return 0;
	if (paje->ntypes == 1 && lacks_types(paje->trace))
		return tv_fail_at(err, (struct tv_pos){ paje->path[0], 0 },
				  "no usable Pajé event: nothing defines their types, expected the "
				  "file of the trace that does, or its folder");
	return tv_fail_at(err, (struct tv_pos){ paje->path[0], 0 },
			  "no usable Pajé event, expected lines such as '6 0.0 c1 T 0 \"name\"'");
}

const struct tv_reader tv_paje_reader = {
	.name = "paje",
	.summary = "Paje trace, of StarPU (paje.trace) or any other producer",
	.brings = TV_BRINGS(TASKS) | TV_BRINGS(STATES) | TV_BRINGS(VARIABLES) | TV_BRINGS(LINKS)
		| TV_BRINGS(MESSAGES) | TV_BRINGS(CALLS) | TV_BRINGS(EVENTS),
	.probe = probe,
	.begin = tv_paje_begin,
	.read = read_file,
	.finish = finish,
	.free = tv_paje_free,
	.leads = tv_paje_leads,
	.next = tv_paje_next_file,
	.joins = "recutils",
	.memory = 4,
	.omits = true,
};
