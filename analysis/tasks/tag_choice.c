/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tag_choice.c -- formats are tried on all tags; the one that is chosen decodes them. */
#include "analysis/tasks/tag_choice.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"

enum { TAG_MAX = 20 }; /* bytes of a tag that is a number, with the end */

/* A format that tags may be of, and what they show of it. */
struct tv_tag_candidate {
	const char *name;
	struct tv_tag_format format;
	bool fits;	/* each tag that has a rule passes its checks */
	bool differ;	/* those of some type are not all the same */
	uint64_t known; /* executions with an iteration, if it is the format */
	struct first_tag {
		uint32_t type; /* label */
		char text[TAG_MAX];
	} * tag; /* of each type */
	size_t n, cap;
	struct tv_index place; /* in tag, by label of a type */
};

static void begin_decoding(struct tv_tag_decoder *d, const struct tv_tasks *tasks,
			   const struct tv_tag_format *format)
{
	*d = (struct tv_tag_decoder){ tasks, tv_table_find(&tasks->trace->table[TV_TASKS], "Tag"),
				      tv_alloc(tv_pool_count(tasks->pool), sizeof *d->rule) };
	for (uint32_t row = 0; d->tag != NULL && row < tasks->n; row++) {
		uint32_t type = tasks->value[row];

		if (tasks->counted[row] && type != TV_NONE && d->rule[type] == NULL)
			d->rule[type] = tv_tag_rule(format, tv_pool_text(tasks->pool, type));
	}
}

/* The rule and the tag of a counted task, or NULL. */
static const struct tv_tag_rule *rule_of(const struct tv_tag_decoder *d, uint32_t row,
					 uint64_t *tag)
{
	uint32_t type = d->tasks->value[row], label = tv_cell_label(d->tag, row);

	if (!d->tasks->counted[row] || type == TV_NONE || label == TV_NONE || d->rule[type] == NULL
	    || !tv_tag_number(tv_pool_text(d->tasks->pool, label), tag))
		return NULL;
	return d->rule[type];
}

/* A field that the tag of a task has. */
static bool tag_has(const struct tv_tag_decoder *d, uint32_t row, enum tv_tag_field field,
		    int64_t *value)
{
	uint64_t tag;
	const struct tv_tag_rule *rule = rule_of(d, row, &tag);

	return rule != NULL && tv_tag_fits(rule, tag) && tv_tag_value(rule, field, tag, value);
}

/* ---- which format it is, of rows that may come part by part ---- */

static void see_tag(struct tv_tag_candidate *c, uint32_t type, const char *text)
{
	uint32_t at = tv_index_get(&c->place, type);

	if (at != TV_NONE) {
		c->differ = c->differ || strcmp(c->tag[at].text, text) != 0;
		return;
	}
	TV_GROW(c->tag, c->n, c->cap, 1);
	tv_index_set(&c->place, type, (uint32_t)c->n);
	c->tag[c->n].type = type;
	snprintf(c->tag[c->n++].text, TAG_MAX, "%s", text);
}

static void try_format(struct tv_tag_candidate *c, const struct tv_tasks *tasks,
		       const struct tv_column *own)
{
	struct tv_tag_decoder d;

	begin_decoding(&d, tasks, &c->format);
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint64_t tag;
		const struct tv_tag_rule *rule = rule_of(&d, row, &tag);
		int64_t value;

		if (rule != NULL) {
			c->fits = c->fits && tv_tag_fits(rule, tag);
			see_tag(c, tasks->value[row],
				tv_pool_text(tasks->pool, tv_label(d.tag, row)));
		}
		c->known += tasks->counted[row] && tv_row_begins(tasks, row)
			 && ((own != NULL && !tv_missing(own, row))
			     || tag_has(&d, row, TV_TAG_ITERATION, &value));
	}
	tv_free(d.rule);
}

static int look_at_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_tag_choice *found = state;
	const struct tv_tasks *tasks = &part->tasks;
	const struct tv_column *own = tv_table_in_short(&part->trace->table[TV_TASKS], "Iteration");

	(void)err;
	for (uint32_t row = 0; own != NULL && row < tasks->n; row++) {
		bool has = tasks->counted[row] && !tv_missing(own, row);

		found->own = found->own || has;
		found->known += has && tv_row_begins(tasks, row);
	}
	for (size_t i = 0; i < found->n && (found->asked != NULL || !found->own); i++)
		if (found->asked != NULL || found->candidate[i].fits)
			try_format(&found->candidate[i], tasks, own);
	return 0;
}

static void release_found(void *data)
{
	struct tv_tag_choice *found = data;

	for (size_t i = 0; i < found->n; i++) {
		tv_free(found->candidate[i].tag);
		tv_free(found->candidate[i].place.at);
	}
	tv_free(found->candidate);
	tv_free(found->asked);
	tv_free(found);
}

static void merge_candidate(struct tv_tag_candidate *c, struct tv_pool *pool,
			    struct tv_unpack *from)
{
	c->fits = tv_unpack_number(from) != 0 && c->fits;
	c->differ = tv_unpack_number(from) != 0 || c->differ;
	c->known += tv_unpack_number(from);
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		uint32_t type = tv_unpack_label(from, pool);
		char *text = tv_unpack_text(from);

		see_tag(c, type, text);
		tv_free(text);
	}
}

/* What all processes have found becomes what each has. */
static void share(struct tv_tag_choice *found, const struct tv_run *run)
{
	struct tv_pool *pool = run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, found->own);
	tv_pack_number(&pack, found->known);
	for (size_t i = 0; i < found->n; i++) {
		struct tv_tag_candidate *c = &found->candidate[i];

		tv_pack_number(&pack, c->fits);
		tv_pack_number(&pack, c->differ);
		tv_pack_number(&pack, c->known);
		tv_pack_number(&pack, c->n);
		for (size_t k = 0; k < c->n; k++) {
			tv_pack_label(&pack, pool, c->tag[k].type);
			tv_pack_text(&pack, c->tag[k].text);
		}
		c->known = 0;
	}
	found->known = 0;
	all = tv_team_gather(run->team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		found->own = tv_unpack_number(&from) != 0 || found->own;
		found->known += tv_unpack_number(&from);
		for (size_t i = 0; i < found->n; i++)
			merge_candidate(&found->candidate[i], pool, &from);
	}
	tv_gathered_release(&all);
}

static struct tv_tag_choice *begin_looking(const char *asked, struct tv_error *err)
{
	struct tv_tag_choice *found = tv_alloc(1, sizeof *found);

	found->asked = asked != NULL ? tv_strdup(asked) : NULL;
	found->n = asked != NULL ? 1 : tv_ntag_known;
	found->candidate = tv_alloc(found->n, sizeof *found->candidate);
	for (size_t i = 0; i < found->n; i++) {
		struct tv_tag_candidate *c = &found->candidate[i];

		c->name = asked != NULL ? found->asked : tv_tag_known[i].name;
		c->fits = true;
		if (tv_tag_parse(c->name, &c->format, err) < 0) {
			release_found(found);
			return NULL;
		}
	}
	return found;
}

static const char expecting; /* a key */

void tv_tag_expect(struct tv_run *run)
{
	struct tv_error none = { 0 };
	struct tv_tag_choice *found = begin_looking(NULL, &none);

	if (found != NULL)
		tv_run_ride(run, &expecting, look_at_rows, found, release_found);
}

/* What all rows have; NULL with *err. */
static struct tv_tag_choice *look(struct tv_run *run, const char *asked, struct tv_error *err)
{
	struct tv_tag_choice *found = asked == NULL ? tv_run_ridden(run, &expecting) : NULL;

	if (found != NULL)
		return found;
	found = begin_looking(asked, err);
	if (found == NULL || tv_run_rows(run, look_at_rows, found, err) == 0)
		return found;
	release_found(found);
	return NULL;
}

const struct tv_tag_choice *tv_tag_choose(struct tv_run *part, const char *asked,
					  struct tv_error *err)
{
	struct tv_run *run = part->of != NULL ? part->of : part;
	static const char key;
	struct tv_tag_choice *found = tv_run_kept(run, &key);

	if (found != NULL
	    && (asked == NULL || found->asked == NULL ? asked == found->asked
						      : strcmp(asked, found->asked) == 0))
		return found;
	found = look(run, asked, err);
	if (found == NULL)
		return NULL;
	if (run->team != NULL)
		share(found, run);
	for (size_t i = 0; i < found->n && found->decoded == NULL; i++)
		if (asked != NULL
		    || (!found->own && found->candidate[i].fits && found->candidate[i].differ))
			found->decoded = &found->candidate[i];
	if (found->decoded != NULL)
		found->known = found->decoded->known;
	tv_run_keep(run, &key, found, release_found);
	return found;
}

const char *tv_tag_decoded(const struct tv_tag_choice *choice)
{
	return choice->decoded != NULL ? choice->decoded->name : NULL;
}

/* ---- rows ---- */

void tv_tag_read(struct tv_tag_reader *r, const struct tv_tasks *tasks,
		 const struct tv_tag_choice *choice, enum tv_tag_field field)
{
	*r = (struct tv_tag_reader){
		.own = tv_table_in_short(&tasks->trace->table[TV_TASKS], tv_tag_names[field]),
		.forced = choice->asked != NULL,
		.field = field,
	};
	if (choice->decoded != NULL)
		begin_decoding(&r->decoder, tasks, &choice->decoded->format);
}

bool tv_tag_get(const struct tv_tag_reader *r, uint32_t row, int64_t *value)
{
	bool has = r->own != NULL && !tv_missing(r->own, row);

	if (r->decoder.rule != NULL && (r->forced || !has)
	    && tag_has(&r->decoder, row, r->field, value))
		return true;
	if (has)
		*value = tv_number(r->own, row);
	return has;
}

void tv_tag_end(struct tv_tag_reader *r)
{
	tv_free(r->decoder.rule);
}
