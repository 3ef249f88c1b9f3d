/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.c -- what producers without rules of their own have in the args of tasks, as columns. */
#include <stdio.h>

#include "convert/chrome/chrome.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* Bytes of a value that are kept; what a name beyond TV_CHROME_ARGS_MAX has for its place. */
enum { VALUE_MAX = 1000, TOO_MANY = TV_CHROME_ARGS_MAX };

/* Whether a text is a number as it would be written: at most nine digits, no zero before them. */
static bool is_whole(struct tv_chrome_text text, uint32_t *number)
{
	*number = 0;
	if (text.n == 0 || text.n > 9 || (text.s[0] == '0' && text.n > 1))
		return false;
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
		*number = 10 * *number + (uint32_t)(text.s[i] - '0');
	}
	return true;
}

/* The place of a name in arg_name, or TOO_MANY. Most events have the args of the one before. */
static uint32_t name_of(struct tv_chrome *c, struct tv_chrome_text text, size_t place)
{
	uint32_t *last = &c->last_key[place % TV_COUNT(c->last_key)],
		 key = *last = tv_intern_again(c->names, *last, text.s, text.n),
		 name = tv_index_get(&c->arg_of, key);

	if (name != TV_NONE)
		return name;
	name = c->narg_names < TV_CHROME_ARGS_MAX ? (uint32_t)c->narg_names : TOO_MANY;
	tv_index_set(&c->arg_of, key, name);
	if (name != TOO_MANY) {
		TV_GROW(c->arg_name, c->narg_names, c->arg_names_cap, 1);
		c->arg_name[c->narg_names++] = key;
	}
	return name;
}

void tv_chrome_keep_arg(struct tv_chrome *c, struct tv_chrome_more *more,
			const struct tv_chrome_arg *arg, size_t place)
{
	uint32_t name = name_of(c, arg->key, place), number;
	bool whole = is_whole(arg->value, &number);

	if (name == TOO_MANY || arg->value.n > VALUE_MAX) {
		c->args_left++;
		return;
	}
	if (c->narg == UINT32_MAX)
		tv_memory_exhausted(0);
	if (more->nargs++ == 0)
		more->args = (uint32_t)c->narg;
	TV_GROW(c->arg, c->narg, c->arg_cap, 1);
	c->arg[c->narg++] = (struct tv_chrome_kept){
		name, whole, whole ? number : tv_intern(c->names, arg->value.s, arg->value.n)
	};
}

/* The text of a value; room: for a number. */
static const char *text_of(const struct tv_chrome *c, const struct tv_chrome_kept *arg,
			   char room[16])
{
	if (!arg->whole)
		return tv_pool_text(c->names, arg->value);
	snprintf(room, 16, "%u", arg->value);
	return room;
}

uint32_t tv_chrome_join_more(struct tv_chrome *c, uint32_t begin, uint32_t end)
{
	struct tv_chrome_more *more;
	uint32_t n, from;

	if (begin == TV_NONE || end == TV_NONE || c->more[end].nargs == 0)
		return begin != TV_NONE ? begin : end;
	more = &c->more[begin];
	n = c->more[end].nargs;
	from = more->args;
	TV_GROW(c->arg, c->narg, c->arg_cap, more->nargs + n);
	more->args = (uint32_t)c->narg;
	for (uint32_t i = 0; i < more->nargs; i++)
		c->arg[c->narg++] = c->arg[from + i];
	for (uint32_t i = 0; i < n; i++)
		c->arg[c->narg++] = c->arg[c->more[end].args + i];
	more->nargs += n;
	return begin;
}

/* ---- ids ---- */

/* What a task has under a name; NULL. */
static const struct tv_chrome_kept *value_of(const struct tv_chrome *c,
					     const struct tv_chrome_slice *slice, uint32_t name)
{
	const struct tv_chrome_more *more = slice->more != TV_NONE ? &c->more[slice->more] : NULL;

	for (uint32_t i = 0; more != NULL && i < more->nargs; i++)
		if (c->arg[more->args + i].name == name)
			return &c->arg[more->args + i];
	return NULL;
}

static bool is_word(const char *text)
{
	return text[0] != '\0' && text[strcspn(text, " \t\r\n")] == '\0';
}

/* Whether each task has a word under a name, which no other one of its file has. */
static bool is_id(const struct tv_chrome *c, uint32_t name)
{
	struct tv_map seen = { 0 };
	bool good = true, any = false;

	for (size_t i = 0; i < c->nslice && good; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		const struct tv_chrome_kept *value;
		uint32_t *times;

		if (!slice->task)
			continue;
		any = true;
		value = value_of(c, slice, name);
		good = value != NULL
		    && (value->whole || is_word(tv_pool_text(c->names, value->value)));
		if (!good)
			break;
		times = tv_map_at(&seen, c->process[c->lane[slice->lane].process].file,
				  (uint64_t)value->whole << 32 | value->value);
		good = *times == TV_NONE;
		*times = 1;
	}
	tv_map_release(&seen);
	return good && any;
}

static uint32_t find_name(const struct tv_chrome *c, const char *name)
{
	for (uint32_t i = 0; i < c->narg_names; i++)
		if (strcmp(tv_pool_text(c->names, c->arg_name[i]), name) == 0)
			return i;
	return TV_NONE;
}

void tv_chrome_find_ids(struct tv_chrome *c)
{
	static const char *const names[] = { "JobId", "id", "task_id" };

	for (size_t i = 0; i < TV_COUNT(names) && !c->guids && c->id_arg == TV_NONE; i++) {
		uint32_t name = find_name(c, names[i]);

		if (name != TV_NONE && is_id(c, name))
			c->id_arg = name;
	}
}

uint32_t tv_chrome_id_of(const struct tv_chrome *c, const struct tv_chrome_slice *slice)
{
	const struct tv_chrome_kept *id;
	char room[16];

	if (slice->more != TV_NONE && c->more[slice->more].guid != TV_NONE)
		return c->more[slice->more].guid;
	id = c->id_arg != TV_NONE ? value_of(c, slice, c->id_arg) : NULL;
	return id != NULL ? tv_intern_text(c->names, text_of(c, id, room)) : TV_NONE;
}

/* ---- columns ---- */

/* Columns of tasks that args may set by their names. */
static bool is_ours(const char *name)
{
	static const char *const names[] = { "SubmitTime",   "SubmitOrder", "Priority", "Iteration",
					     "Subiteration", "X",	    "Y",	"Tag",
					     "Footprint",    "Params",	    "Size",	"GFlop" };

	for (size_t i = 0; i < TV_COUNT(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* The column of an arg, added if it does not exist. */
static struct tv_column *column_of(struct tv_chrome *c, uint32_t name)
{
	char clean[256], *title;
	bool taken;

	if (c->arg_column[name] != NULL)
		return c->arg_column[name];
	tv_clean_text(clean, sizeof clean, tv_pool_text(c->names, c->arg_name[name]));
	taken = clean[0] == '\0' || (tv_schema_field(TV_TASKS, clean) != NULL && !is_ours(clean));
	title = tv_format("%s%s", taken ? "Args." : "", clean);
	c->arg_column[name] = tv_trace_column(c->trace, TV_TASKS, title);
	tv_free(title);
	return c->arg_column[name];
}

static void set_value(struct tv_chrome *c, const struct tv_chrome_slice *slice, uint32_t row,
		      uint32_t name, const char *text)
{
	uint32_t file = c->process[c->lane[slice->lane].process].file;
	struct tv_column *column = column_of(c, name);
	int64_t time;

	if (column->n > row)
		return;
	if (column->type == TV_TIME && tv_convert_time(text, strlen(text), 3, &time))
		tv_set_int(column, row, time + c->input[file].base);
	else
		tv_convert_cell(c->trace, tv_chrome_at_lane(c, slice->lane, 0), column, row, text,
				strlen(text), 3);
}

void tv_chrome_set_args(struct tv_chrome *c, const struct tv_chrome_slice *slice, uint32_t row)
{
	const struct tv_chrome_more *more = slice->more != TV_NONE ? &c->more[slice->more] : NULL;
	const struct tv_chrome_kept *arg;

	if (more == NULL || more->nargs == 0)
		return;
	arg = &c->arg[more->args];
	/* Elements of a list follow each other; of a name that is there twice the first counts. */
	for (uint32_t i = 0, next; i < more->nargs; i = next) {
		char room[16], *list = NULL;
		const char *text = text_of(c, &arg[i], room);

		for (next = i + 1; next < more->nargs && arg[next].name == arg[i].name; next++) {
			if (list == NULL)
				tv_append(&list, "%s", text);
			tv_append(&list, " %s", text_of(c, &arg[next], room));
		}
		if (arg[i].name != c->id_arg)
			set_value(c, slice, row, arg[i].name, list != NULL ? list : text);
		tv_free(list);
	}
}

void tv_chrome_note_args(struct tv_chrome *c)
{
	char *list = NULL;

	if (c->id_arg != TV_NONE)
		tv_append(&list, "%s as JobId", tv_pool_text(c->names, c->arg_name[c->id_arg]));
	for (uint32_t i = 0; i < c->narg_names; i++)
		if (c->arg_column[i] != NULL)
			tv_append(&list, "%s%s", list != NULL ? ", " : "", c->arg_column[i]->name);
	if (list != NULL)
		tv_meta_add(c->trace, "TaskArgs", "%s", list);
	if (c->args_left > 0)
		tv_meta_add(c->trace, "ArgsNotRead",
			    "%llu values: of more than %d names, or longer than %d bytes",
			    (unsigned long long)c->args_left, TV_CHROME_ARGS_MAX, VALUE_MAX);
	tv_free(list);
}
