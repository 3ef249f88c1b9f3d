/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.c -- what producers without rules of their own have in the args of tasks, as columns. */
#include <stdlib.h>

#include "convert/chrome/chrome.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* Bytes of a value that are kept; what a name beyond TV_CHROME_ARGS_MAX has for its place. */
enum { VALUE_MAX = 1000, TOO_MANY = TV_CHROME_ARGS_MAX };

void tv_chrome_keep_arg(struct tv_chrome *c, struct tv_chrome_more *more,
			const struct tv_chrome_arg *arg)
{
	uint32_t key = tv_intern(c->names, arg->key.s, arg->key.n),
		 number = tv_index_get(&c->arg_of, key);

	if (number == TV_NONE) {
		number = c->narg_names < TV_CHROME_ARGS_MAX ? (uint32_t)c->narg_names : TOO_MANY;
		tv_index_set(&c->arg_of, key, number);
		if (number != TOO_MANY) {
			TV_GROW(c->arg_name, c->narg_names, c->arg_names_cap, 1);
			c->arg_name[c->narg_names++] = key;
		}
	}
	if (number == TOO_MANY || arg->value.n > VALUE_MAX) {
		c->args_left++;
		return;
	}
	if (more->nargs++ == 0)
		more->args = (uint32_t)c->narg;
	if (c->narg == UINT32_MAX)
		tv_memory_exhausted(0);
	TV_GROW(c->arg, c->narg, c->arg_cap, 1);
	c->arg[c->narg++] = (struct tv_chrome_kept){
		.name = number, .value = tv_intern(c->names, arg->value.s, arg->value.n)
	};
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

/* What a task has under a name, a label of `names`; TV_NONE. */
static uint32_t value_of(const struct tv_chrome *c, const struct tv_chrome_slice *slice,
			 uint32_t name)
{
	const struct tv_chrome_more *more = slice->more != TV_NONE ? &c->more[slice->more] : NULL;

	for (uint32_t i = 0; more != NULL && i < more->nargs; i++)
		if (c->arg[more->args + i].name == name)
			return c->arg[more->args + i].value;
	return TV_NONE;
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
		uint32_t value, *times;

		if (!slice->task)
			continue;
		any = true;
		value = value_of(c, slice, name);
		good = value != TV_NONE && is_word(tv_pool_text(c->names, value));
		if (!good)
			break;
		times = tv_map_at(&seen, c->process[c->lane[slice->lane].process].file, value);
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
	if (slice->more != TV_NONE && c->more[slice->more].guid != TV_NONE)
		return c->more[slice->more].guid;
	return c->id_arg != TV_NONE ? value_of(c, slice, c->id_arg) : TV_NONE;
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
		char *text = NULL;
		bool before = arg[i].name == c->id_arg;

		for (uint32_t k = 0; k < i; k++)
			before = before || arg[k].name == arg[i].name;
		for (next = i; next < more->nargs && arg[next].name == arg[i].name; next++)
			tv_append(&text, "%s%s", next > i ? " " : "",
				  tv_pool_text(c->names, arg[next].value));
		if (!before)
			set_value(c, slice, row, arg[i].name, text);
		tv_free(text);
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
