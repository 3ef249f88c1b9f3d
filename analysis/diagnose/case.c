/* SPDX-License-Identifier: GPL-3.0-or-later */
/* case.c -- what the rules of findings share. */
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/units.h"

static bool fits(const char *wanted, const char *is)
{
	return wanted == NULL || (is != NULL && strcmp(wanted, is) == 0);
}

void tv_case_sum(const struct tv_case *c, enum tv_account_part part, const char *cause,
		 const char *blame, uint32_t type, int64_t *time_ns, int64_t *worker_ns)
{
	tv_int128 worker = 0;

	*time_ns = 0;
	for (size_t i = 0; i < c->account.n; i++) {
		const struct tv_account_row *row = &c->account.row[i];

		if (row->part != part || !fits(cause, row->cause) || !fits(blame, row->blame)
		    || (type != TV_NONE && row->type != type))
			continue;
		*time_ns += row->time;
		worker += row->worker;
	}
	*worker_ns = tv_sum_ns(worker);
}

double tv_case_mean(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t n = tasks->nexecutions - tasks->ncut;
	tv_int128 work = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_task_ended(tasks, row))
			work += tv_row_time(tasks, row);
	return n == 0 ? 0 : (double)work / n;
}

int64_t tv_case_reordering(const struct tv_case *c)
{
	static const char *const causes[] = { "dependencies", "elsewhere", "drain" };
	double above = (double)c->account.makespan - c->account.placement;
	int64_t sum = 0;

	for (size_t i = 0; i < TV_COUNT(causes); i++) {
		int64_t time, unused;

		tv_case_sum(c, TV_ACCOUNT_IDLE, causes[i], NULL, TV_NONE, &time, &unused);
		sum += time;
	}
	return above <= 0 ? 0 : (double)sum < above ? sum : (int64_t)above;
}

char *tv_words_limit(int64_t time_ns, int64_t most_ns)
{
	char gain[32];

	if (time_ns <= most_ns)
		return tv_strdup("");
	return tv_format(" At most %s of this can be gained.", tv_words_time(gain, most_ns));
}

char *tv_words_outliers(uint32_t n, uint32_t all)
{
	if (n == all)
		return tv_strdup("");
	return tv_format(" (of %u outliers; a slow worker or a disturbance explains the others)",
			 all);
}

char *tv_words_time(char out[32], int64_t ns)
{
	/* In the unit of which it is 1 or more. */
	tv_time_text(out, 32, ns, tv_unit_for(2 * (ns < 0 ? -ns : ns)));
	return out;
}

char *tv_shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./=+:,@%-";
	size_t n = strlen(text), at = 0;
	char *word;

	if (n > 0 && strspn(text, plain) == n)
		return tv_strndup(text, n);
	word = tv_alloc(4 * n + 3, 1);
	word[at++] = '\'';
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\'') {
			memcpy(word + at, "'\\''", 4);
			at += 4;
		} else {
			word[at++] = text[i];
		}
	word[at++] = '\'';
	word[at] = '\0';
	return word;
}

char *tv_case_plot(const struct tv_case *c, const char *id, const char *arguments, int64_t begin,
		   int64_t end)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];

	if (end <= begin)
		return tv_format("traceviz %s %s -o %s.svg", c->trace, arguments, id);
	tv_write_ms(from, begin);
	tv_write_ms(to, end);
	return tv_format("traceviz %s %s --begin %s --end %s -o %s.svg", c->trace, arguments, from,
			 to, id);
}

char *tv_case_highlight(const char *column, const char *value, const char *other_column,
			const char *other_value)
{
	char *expression, *word, *option;

	if (strpbrk(value, "\"\\") != NULL
	    || (other_column != NULL && strpbrk(other_value, "\"\\") != NULL))
		return tv_strdup("");
	expression = other_column == NULL ? tv_format("%s == \"%s\"", column, value)
					  : tv_format("%s == \"%s\" and %s == \"%s\"", column,
						      value, other_column, other_value);
	word = tv_shell_word(expression);
	option = tv_format(" --highlight %s", word);
	tv_free(expression);
	tv_free(word);
	return option;
}

char *tv_case_verb(const struct tv_case *c, const char *verb, const char *arguments)
{
	return tv_format("traceviz %s %s%s%s", verb, arguments, arguments[0] != '\0' ? " " : "",
			 c->trace);
}
