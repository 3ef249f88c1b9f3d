/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c -- tasks, data, times and commands, as findings write them. */
#include <stdio.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/expr_equals.h"
#include "trace/text.h"
#include "trace/units.h"

char *tv_words_limit(int64_t time_ns, int64_t most_ns, bool order)
{
	char gain[32];

	if (time_ns <= most_ns)
		return tv_strdup("");
	return tv_format(" %s most %s of this can be gained.",
			 order ? "In another order on the same workers, at" : "At",
			 tv_words_time(gain, most_ns));
}

char *tv_words_outliers(uint32_t n, uint32_t all)
{
	if (n == all)
		return tv_strdup("");
	return tv_format(
		" (of %u outliers; a slow worker, a disturbance or waits explain the others)", all);
}

char *tv_words_task(const struct tv_case *c, uint32_t row)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t type = tasks->value[row], job = tasks->job == NULL ? TV_NONE : tasks->job[row];
	char name[3][64] = { "?", "", "" }, time[32];

	if (type != TV_NONE)
		tv_clean_text(name[0], sizeof name[0], tv_pool_text(tasks->pool, type));
	if (job != TV_NONE)
		tv_clean_text(name[1], sizeof name[1], tv_pool_text(tasks->pool, job));
	tv_clean_text(name[2], sizeof name[2],
		      tv_pool_text(tasks->pool, tasks->workers[tasks->worker[row]].resource));
	return tv_format("of type %s%s%s, on worker %s, %s long", name[0],
			 job == TV_NONE ? "" : ", job ", name[1], name[2],
			 tv_words_time(time, tv_task_time(tasks, row)));
}

char *tv_words_datum(const struct tv_case *c, uint32_t handle)
{
	const struct tv_table *table = tv_trace_table(c->run->trace, TV_HANDLES);
	const char *text = tv_pool_text(c->tasks->pool, handle), *called = "";
	bool named = tv_table_find(table, "Name") != NULL;
	char name[2][64];

	for (uint32_t row = 0; named && row < table->nrows && called[0] == '\0'; row++)
		if (tv_table_is(table, "Handle", row, text))
			called = tv_table_text(table, "Name", row);
	tv_clean_text(name[0], sizeof name[0], text);
	tv_clean_text(name[1], sizeof name[1], called);
	return called[0] == '\0' ? tv_strdup(name[0]) : tv_format("%s, named %s", name[0], name[1]);
}

char *tv_words_instant(char out[TV_WORDS_INSTANT], const struct tv_case *c, int64_t ns)
{
	int64_t begin = c->tasks->begin;

	tv_words_time(out, ns - begin);
	if (begin != 0)
		snprintf(out + strlen(out), TV_WORDS_INSTANT - strlen(out), " of the run");
	return out;
}

char *tv_words_time(char out[32], int64_t ns)
{
	int64_t most = INT64_MAX / 2, size = ns < 0 ? -ns : ns;

	/* In the unit of which it is 1 or more. */
	tv_time_text(out, 32, ns, tv_unit_for(2 * (size < most ? size : most)));
	return out;
}

const char *tv_words_threads(const struct tv_case *c)
{
	const struct tv_threads *threads = tv_run_threads(c->run);

	return c->tasks->ncounted == 0 && threads->n == threads->nranks ? "ranks" : "threads";
}

char *tv_words_of_all(char out[TV_WORDS_OF_ALL], const struct tv_case *c, int64_t worker_ns)
{
	bool tasks = c->tasks->ncounted > 0;
	double all = (double)c->account.makespan
		   * (tasks ? c->tasks->nworkers : tv_run_threads(c->run)->n);
	char time[32];

	snprintf(out, TV_WORDS_OF_ALL, "%s in total (%.0f %% of the time of all %s)",
		 tv_words_time(time, worker_ns), all > 0 ? 100 * (double)worker_ns / all : 0,
		 !tasks			 ? tv_words_threads(c)
		 : tv_case_on_devices(c) ? "devices"
					 : "workers");
	return out;
}

char *tv_case_window_of(struct tv_span span)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];

	tv_write_ms(from, span.begin);
	tv_write_ms(to, span.end);
	return tv_format(" --begin %s --end %s", from, to);
}

char *tv_case_plot(const struct tv_case *c, const char *id, const char *arguments, int64_t begin,
		   int64_t end)
{
	const int64_t first = c->tasks->begin, last = c->tasks->finish,
		      context = (end - begin) / 4; /* on both sides, within the run */
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];

	if (end <= begin)
		return tv_format("traceviz %s %s -o %s.svg", c->trace, arguments, id);
	tv_write_ms(from, begin >= first && begin - context < first ? first : begin - context);
	tv_write_ms(to, end <= last && end + context > last ? last : end + context);
	return tv_format("traceviz %s %s --begin %s --end %s -o %s.svg", c->trace, arguments, from,
			 to, id);
}

/* " --highlight ..." for an expression, which is freed. */
static char *highlight(char *expression)
{
	char *word = tv_shell_word(expression), *option = tv_format(" --highlight %s", word);

	tv_free(expression);
	tv_free(word);
	return option;
}

char *tv_case_highlight(const char *column, const char *value, const char *other_column,
			const char *other_value)
{
	char *is = tv_expr_equals(column, value),
	     *other = other_column == NULL ? NULL : tv_expr_equals(other_column, other_value);
	bool whole = is != NULL && (other_column == NULL || other != NULL);

	if (whole && other != NULL)
		tv_append(&is, " and %s", other);
	tv_free(other);
	if (whole)
		return highlight(is);
	tv_free(is);
	return tv_strdup("");
}

char *tv_case_highlight_during(const char *column, const char *value, int64_t begin, int64_t end)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];
	char *is = column == NULL ? tv_strdup("") : tv_expr_equals(column, value);

	if (is == NULL)
		return tv_strdup("");
	tv_write_ms(from, begin);
	tv_write_ms(to, end);
	tv_append(&is, "%sStart >= %s and End <= %s", column == NULL ? "" : " and ", from, to);
	return highlight(is);
}

char *tv_case_verb(const struct tv_case *c, const char *verb, const char *arguments)
{
	static const char *const takes[] = { "diagnose", "bounds", "abe" };
	char *from = tv_strdup(""), *text;

	for (size_t i = 0; i < TV_COUNT(takes) && c->from != NULL; i++)
		if (strcmp(verb, takes[i]) == 0) {
			char *word = tv_shell_word(c->from);

			tv_append(&from, "--durations-from %s ", word);
			tv_free(word);
		}
	text = tv_format("traceviz %s %s%s%s%s", verb, from, arguments,
			 arguments[0] != '\0' ? " " : "", c->trace);
	tv_free(from);
	return text;
}
