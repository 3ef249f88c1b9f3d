/* SPDX-License-Identifier: GPL-3.0-or-later */
/* annotations.c -- reads the user's annotations. */
#include "views/annotate/annotations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* The time s[0..n). */
static int read_time(const char *option, const char *form, const char *s, size_t n, int64_t *time,
		     struct tv_error *err)
{
	char text[64] = "";

	if (n < sizeof text)
		memcpy(text, s, n);
	if (tv_parse_time(text, time) == TV_PARSE_OK)
		return 0;
	return tv_fail_usage(err, "--%s: '%.*s' is no time, expected %s", option, (int)n, s, form);
}

/* T1..T2 and what follows: *rest is behind T2, at one of `ends` or the end. */
static int read_times(const char *option, const char *form, const char *text, const char *ends,
		      int64_t time[2], const char **rest, struct tv_error *err)
{
	const char *dots = strstr(text, "..");
	size_t n = dots == NULL ? 0 : strcspn(dots + 2, ends);

	if (dots == NULL)
		return tv_fail_usage(err, "--%s '%s', expected %s", option, text, form);
	*rest = dots + 2 + n;
	if (read_time(option, form, text, (size_t)(dots - text), &time[0], err) < 0
	    || read_time(option, form, dots + 2, n, &time[1], err) < 0)
		return -1;
	if (time[0] >= time[1])
		return tv_fail_usage(err, "--%s '%s': its end is not after its begin, expected %s",
				     option, text, form);
	return 0;
}

/* Where times count from: in a facet from the instant at which the runs are aligned, as on the
 * axis. */
static int64_t origin(const struct tv_figure *figure)
{
	return figure->axis.origin != NULL ? figure->axis.base : 0;
}

static int64_t from_origin(const struct tv_figure *figure, int64_t time)
{
	int64_t sum;

	return __builtin_add_overflow(time, origin(figure), &sum)
		     ? (time < 0 ? INT64_MIN : INT64_MAX)
		     : sum;
}

/* Whether it can be seen; if not, warns. */
static int is_within(struct tv_figure *figure, const char *option, const char *text, int64_t begin,
		     int64_t end)
{
	const struct tv_axis *axis = &figure->axis;
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX], clean[200];

	if (end >= axis->begin && begin <= axis->end)
		return 1;
	tv_write_ms(from, axis->begin - origin(figure));
	tv_write_ms(to, axis->end - origin(figure));
	tv_run_warn(figure->run, "--%s '%s' left out: the figure shows %s to %s ms", option,
		    tv_clean_text(clean, sizeof clean, text), from, to);
	return 0;
}

/* A flag with its text; those outside are left out. */
static int add_flag(struct tv_figure *figure, const char *option, const char *given,
		    struct tv_flag flag, const char *text)
{
	struct tv_annotations *notes = figure->notes;
	int within;

	flag.begin = from_origin(figure, flag.begin);
	flag.end = from_origin(figure, flag.end);
	within = is_within(figure, option, given, flag.begin, flag.end);
	if (within <= 0)
		return within;
	TV_GROW(notes->flag, notes->nflags, notes->flags_cap, 1);
	tv_clean_text(flag.text, sizeof flag.text, text);
	notes->flag[notes->nflags++] = flag;
	return 0;
}

/* *time and what is behind the sign. */
static int parse_mark(const char *text, int64_t *time, const char **rest, struct tv_error *err)
{
	static const char form[] = "T=TEXT, such as '12.5=first stall' or 3s=start";
	const char *sign = strchr(text, '=');

	if (sign == NULL)
		return tv_fail_usage(err, "--mark '%s', expected %s", text, form);
	*rest = sign + 1;
	return read_time("mark", form, text, (size_t)(sign - text), time, err);
}

static int read_mark(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	struct tv_flag flag = { .span = false };
	const char *rest;

	if (parse_mark(text, &flag.begin, &rest, err) < 0)
		return -1;
	flag.end = flag.begin;
	return add_flag(figure, "mark", text, flag, rest);
}

static int parse_span(const char *text, int64_t time[2], const char **rest, struct tv_error *err)
{
	static const char form[] = "T1..T2=TEXT, such as '10..12.5=panel' or 1s..2s=tail";

	if (read_times("span", form, text, "=", time, rest, err) < 0)
		return -1;
	return *(*rest)++ == '=' ? 0 : tv_fail_usage(err, "--span '%s', expected %s", text, form);
}

static int read_span(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	struct tv_flag flag = { .span = true };
	const char *rest;
	int64_t time[2];

	if (parse_span(text, time, &rest, err) < 0)
		return -1;
	flag.begin = time[0];
	flag.end = time[1];
	return add_flag(figure, "span", text, flag, rest);
}

static int read_vlines(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	static const char form[] = "T,T,..., such as 10,20.5,3s";

	for (const char *s = text;; s++) {
		size_t n = strcspn(s, ",");
		struct tv_flag flag = { .line = true };

		if (read_time("vlines", form, s, n, &flag.begin, err) < 0)
			return -1;
		flag.end = flag.begin;
		if (add_flag(figure, "vlines", text, flag, "") < 0)
			return -1;
		s += n;
		if (*s == '\0')
			return 0;
	}
}

static int read_highlight(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	struct tv_annotations *notes = figure->notes;
	const struct tv_table *tasks = &figure->run->trace->table[TV_TASKS];
	struct tv_highlight *to = &notes->highlight[notes->nhighlights];
	const struct tv_rows *rows = figure->rows;
	struct tv_expr *expr;
	bool *met;

	if (rows->states) {
		tv_run_warn(figure->run, "--highlight left out: the trace has no tasks to outline");
		return 0;
	}
	if (notes->nhighlights == TV_HIGHLIGHTS_MAX)
		return tv_fail_usage(err, "--highlight '%s': a figure has at most %d", text,
				     TV_HIGHLIGHTS_MAX);
	expr = tv_expr_new(text, tasks, err);
	if (expr == NULL)
		return tv_fail_about(err, "--highlight");
	to->holds = tv_alloc(tasks->nrows, 1);
	notes->nhighlights++;
	tv_clean_text(to->text, sizeof to->text, text);
	met = tv_alloc(tasks->nrows, sizeof *met);
	for (size_t i = 0; i < rows->nitems; i++) {
		uint32_t row = tv_rows_item(rows, i).row;

		to->holds[row] = tv_expr_holds(expr, row);
		if (to->holds[row] && tv_tasks_meet(&figure->run->tasks, met, row))
			to->count += 1 / tv_team_of(&figure->run->tasks, row);
	}
	tv_free(met);
	tv_expr_free(expr);
	return 0;
}

/* The execution with which a job begins, or (last) ends. TV_NONE with *err (usage). */
static uint32_t find_execution(const struct tv_figure *figure, const char *given, const char *job,
			       bool last, struct tv_error *err)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	uint32_t label = tv_pool_find_text(tasks->pool, job), best = TV_NONE;
	bool known = false;

	for (uint32_t i = 0; label != TV_NONE && tasks->job != NULL && i < tasks->n; i++) {
		if (tasks->job[i] != label)
			continue;
		known = true;
		if (tasks->executed[i]
		    && (best == TV_NONE
			|| (last ? tasks->end[i] > tasks->end[best]
				 : tasks->start[i] < tasks->start[best])))
			best = i;
	}
	if (best == TV_NONE)
		tv_fail_usage(err, "--arrow '%s': %s the JobId '%s'", given,
			      known ? "nothing was executed under" : "no task has", job);
	return best;
}

static int add_arrow(struct tv_figure *figure, const char *text, const char *from, const char *to,
		     struct tv_error *err)
{
	struct tv_annotations *notes = figure->notes;
	const struct tv_tasks *tasks = &figure->run->tasks;
	struct tv_error why = { 0 };
	struct tv_arrow arrow = { .from = find_execution(figure, text, from, true, &why) };
	const struct tv_row *row;
	size_t i;
	int64_t begin, end;
	int within;

	if (arrow.from != TV_NONE)
		arrow.to = find_execution(figure, text, to, false, &why);
	if (arrow.from == TV_NONE || arrow.to == TV_NONE) {
		*err = why; /* of several runs, not every one needs to have the jobs */
		if (figure->facet == NULL)
			return -1;
		tv_run_warn(figure->run, "%s: left out there", why.text);
		return 0;
	}
	begin = tasks->end[arrow.from];
	end = tasks->start[arrow.to];
	within = is_within(figure, "arrow", text, begin < end ? begin : end,
			   begin < end ? end : begin);
	if (within <= 0)
		return within;
	if (!tv_rows_find(figure->rows, arrow.from, &row, &i)
	    || !tv_rows_find(figure->rows, arrow.to, &row, &i)) {
		tv_run_warn(figure->run, "--arrow '%s' left out: one of the jobs is not drawn",
			    text);
		return 0;
	}
	if (notes->narrows == TV_ARROWS_MAX)
		return tv_fail_usage(err, "--arrow '%s': a figure has at most %d", text,
				     TV_ARROWS_MAX);
	notes->arrow[notes->narrows++] = arrow;
	return 0;
}

static int parse_arrow(const char *text, struct tv_error *err)
{
	return strchr(text, ':') != NULL
		     ? 0
		     : tv_fail_usage(err, "--arrow '%s', expected JOB:JOB, such as 12:40", text);
}

/* JOB:JOB. A JobId may contain colons: it is split at the first one that leaves a known job before.
 * */
static int read_arrow(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	const struct tv_pool *pool = figure->run->tasks.pool;
	const char *colon = strchr(text, ':'), *at = colon;
	char *from;
	int rc;

	if (figure->states) {
		tv_run_warn(figure->run, "--arrow left out: the trace has no tasks to point at");
		return 0;
	}
	if (parse_arrow(text, err) < 0)
		return -1;
	while (at != NULL
	       && (tv_pool_find(pool, text, (size_t)(at - text)) == TV_NONE
		   || tv_pool_find_text(pool, at + 1) == TV_NONE))
		at = strchr(at + 1, ':');
	if (at != NULL)
		colon = at;
	from = tv_strndup(text, (size_t)(colon - text));
	rc = add_arrow(figure, text, from, colon + 1, err);
	tv_free(from);
	return rc;
}

static int parse_zoom(const char *text, int64_t time[2], const char **rest, struct tv_error *err)
{
	static const char form[] = "T1..T2[,ROWS], such as 100..120 or '1s..1.2s,CUDA*'";

	return read_times("zoom", form, text, ",", time, rest, err);
}

static int read_zoom(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	struct tv_annotations *notes = figure->notes;
	const struct tv_axis *axis = &figure->axis;
	const char *rest;
	int64_t time[2];
	bool any = false;
	int within;

	if (parse_zoom(text, time, &rest, err) < 0)
		return -1;
	for (uint32_t r = 0; *rest == ',' && r < figure->rows->nrows && !any; r++)
		any = tv_glob_list(rest + 1,
				   tv_pool_text(figure->rows->pool, figure->rows->row[r].resource));
	if (*rest == ',' && !any)
		return tv_fail_usage(err,
				     "--zoom '%s': no row is named so, expected names of rows "
				     "or patterns with * and ?",
				     text);
	for (int i = 0; i < 2; i++)
		time[i] = from_origin(figure, time[i]);
	within = is_within(figure, "zoom", text, time[0], time[1]);
	if (within < 0)
		return -1;
	if (notes->nzooms == TV_ZOOMS_MAX)
		return tv_fail_usage(err, "--zoom '%s': a figure has at most %d", text,
				     TV_ZOOMS_MAX);
	if (within > 0) { /* as long as an axis can be, and as short */
		time[0] = time[0] < axis->begin ? axis->begin : time[0];
		time[1] = time[1] > axis->end ? axis->end : time[1];
		time[1] = time[1] < time[0] + 10 ? time[0] + 10 : time[1];
	}
	notes->zoom[notes->nzooms++] = (struct tv_zoom){ time[0], time[1],
							 *rest == ',' ? rest + 1 : NULL,
							 within == 0 };
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct tv_figure *figure, const char *text, struct tv_error *err);
} readers[] = {
	{ "mark", read_mark },
	{ "span", read_span },
	{ "vlines", read_vlines },
	{ "arrow", read_arrow },
	{ "zoom", read_zoom },
	{ "highlight", read_highlight },
	{ "task-labels", tv_task_label_read },
};

int tv_annotation_check(const char *key, const char *text, struct tv_error *err)
{
	const char *rest;
	int64_t time[2];

	if (strcmp(key, "mark") == 0)
		return parse_mark(text, time, &rest, err);
	if (strcmp(key, "span") == 0)
		return parse_span(text, time, &rest, err);
	if (strcmp(key, "zoom") == 0)
		return parse_zoom(text, time, &rest, err);
	return strcmp(key, "arrow") == 0 ? parse_arrow(text, err) : 0;
}

/* By the middle of what is visible of each: the order of their texts. */
static void sort_flags(struct tv_annotations *notes, const struct tv_axis *axis)
{
	for (size_t i = 0; i < notes->nflags; i++) {
		struct tv_flag *flag = &notes->flag[i];
		int64_t begin = flag->begin > axis->begin ? flag->begin : axis->begin;
		int64_t end = flag->end < axis->end ? flag->end : axis->end;

		flag->middle = begin + (end - begin) / 2;
	}
	tv_sort_by_time(notes->flag, notes->nflags, sizeof *notes->flag,
			offsetof(struct tv_flag, middle), NULL);
}

/* Each bracket on the lowest level without an earlier span. */
static void set_levels(struct tv_annotations *notes)
{
	for (size_t i = 0; i < notes->nflags; i++) {
		struct tv_flag *flag = &notes->flag[i];

		for (size_t k = 0; k < i && flag->span; k++) {
			const struct tv_flag *other = &notes->flag[k];

			if (other->span && other->level == flag->level && other->begin < flag->end
			    && flag->begin < other->end) {
				flag->level++;
				k = (size_t)-1;
			}
		}
		if (flag->span && flag->level >= notes->nlevels)
			notes->nlevels = flag->level + 1;
	}
}

int tv_annotations_init(struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	struct tv_annotations *notes = figure->notes;
	size_t texts = 0;

	*notes = (struct tv_annotations){ .nflags = 0 };
	for (size_t i = 0; i < options->nsettings; i++)
		for (size_t k = 0; k < TV_COUNT(readers); k++)
			if (options->setting[i].panel == NULL
			    && strcmp(options->setting[i].key, readers[k].key) == 0
			    && readers[k].read(figure, options->setting[i].value, err) < 0)
				return -1;
	for (size_t i = 0; i < notes->nflags; i++)
		texts += notes->flag[i].text[0] != '\0' || notes->flag[i].span;
	if (texts > TV_FLAGS_MAX)
		return tv_fail_usage(err,
				     "%zu marks and spans (--mark, --span), a figure has at "
				     "most %d",
				     texts, TV_FLAGS_MAX);
	sort_flags(notes, &figure->axis);
	set_levels(notes);
	figure->span = tv_alloc(notes->nflags, sizeof *figure->span);
	for (size_t i = 0; i < notes->nflags; i++)
		if (notes->flag[i].span)
			figure->span[figure->nspans++] = (struct tv_span){ notes->flag[i].begin,
									   notes->flag[i].end };
	return 0;
}

void tv_annotations_release(struct tv_annotations *notes)
{
	tv_free(notes->flag);
	for (size_t i = 0; i < notes->nhighlights; i++)
		tv_free(notes->highlight[i].holds);
	*notes = (struct tv_annotations){ .nflags = 0 };
}
