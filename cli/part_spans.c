/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_spans.c -- groups of rows, divided by time. */
#include "cli/part_spans.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum {
	ENOUGH = 1 << 17, /* rows of a part: more gain nothing, and leave less memory to the pass */
	LONGER =
		4, /* so many times as many of each of several tables, whose groups overlap: few are then read twice */
};

TV_ORDER(by_min, struct tv_row_group, min)

static void add_span(struct tv_part_spans *spans, struct tv_part_span span)
{
	TV_GROW(spans->at, spans->n, spans->cap, 1);
	spans->at[spans->n++] = span;
}

/* Spans of rows without Start, in the order of the groups. false: there are none. */
static bool divide_rest(struct tv_part_spans *spans, const struct tv_row_part *part, uint64_t max,
			uint64_t enough)
{
	uint64_t rows = 0;
	size_t first = 0;

	for (size_t i = 0; i < part->n; i++) {
		uint64_t more = part->group[i].rest ? part->group[i].rows : 0;

		if (more > max)
			return false;
		if (rows > 0 && rows + more > enough) {
			add_span(spans,
				 (struct tv_part_span){ (int64_t)first, (int64_t)i, true, rows });
			first = i;
			rows = 0;
		}
		rows += more;
	}
	if (rows > 0)
		add_span(spans,
			 (struct tv_part_span){ (int64_t)first, (int64_t)part->n, true, rows });
	return true;
}

/* Spans of groups that have at most so many rows, and not many more than are enough. false: there are none. */
static bool divide(struct tv_part_spans *spans, const struct tv_row_part *part, uint64_t max,
		   uint64_t enough)
{
	const struct tv_row_group *group = part->group;
	size_t timed = 0;

	for (size_t i = 0; i < part->n; i++)
		timed += group[i].min <= group[i].max;
	if (part->n > 0) /* those without times have the largest min */
		qsort(part->group, part->n, sizeof *group, by_min);
	for (size_t i = 0, next; i < timed; i = next) {
		uint64_t rows = 0, limit;

		/* Those that began before and go on: they are read again, so that it must be worth it. */
		for (size_t k = 0; k < i; k++)
			rows += group[k].max >= group[i].min ? group[k].rows : 0;
		limit = 2 * rows + enough < max ? 2 * rows + enough : max;
		for (size_t first = next = i; first < timed; first = next) {
			uint64_t more = 0;

			for (; next < timed && group[next].min == group[first].min; next++)
				more += group[next].rows;
			if (rows + more > limit && first > i) {
				next = first;
				break;
			}
			rows += more;
			if (rows > max)
				return false;
		}
		add_span(spans, (struct tv_part_span){ group[i].min,
						       next < timed ? group[next].min : INT64_MAX,
						       false, rows });
	}
	return true;
}

/* So many rows of a part are enough. */
static uint64_t rows_of_part(const struct tv_row_part *part, uint64_t max,
			     const struct tv_team *team)
{
	uint64_t enough = max < ENOUGH ? max : ENOUGH, each, longer;
	unsigned tables = 0;

	for (size_t i = 0; i < part->n; i++)
		tables |= 1u << part->group[i].id;
	longer = (uint64_t)LONGER * ENOUGH * (unsigned)__builtin_popcount(tables);
	if ((tables & (tables - 1)) != 0 && longer < max / 4)
		enough = longer;
	if (team == NULL)
		return enough;
	each = tv_row_part_count(part) / team->size + 1;
	return each < enough ? each : enough;
}

/* Those of this process: each process has about as many rows to read. */
static void take_spans(struct tv_part_spans *spans, const struct tv_team *team)
{
	uint64_t all = 0, before = 0;

	spans->first = team == NULL ? 0 : spans->n;
	spans->end = spans->n;
	for (size_t i = 0; i < spans->n; i++)
		all += spans->at[i].rows;
	for (size_t i = 0; team != NULL && i < spans->n; i++) {
		uint64_t of = before * team->size / all;

		before += spans->at[i].rows;
		if (of != team->rank)
			continue;
		spans->first = i < spans->first ? i : spans->first;
		spans->end = i + 1;
	}
}

void tv_part_spans_find(struct tv_part_spans *spans, const struct tv_row_part *part, uint64_t max,
			const struct tv_team *team)
{
	uint64_t enough = rows_of_part(part, max, team);
	struct tv_part_spans rest = { 0 };
	bool fits = divide_rest(&rest, part, max, enough) && divide(spans, part, max, enough);

	for (size_t i = 0; i < rest.n; i++)
		add_span(spans, rest.at[i]);
	if (!fits)
		spans->n = 0;
	tv_free(rest.at);
	take_spans(spans, team);
}

uint64_t tv_row_part_count(const struct tv_row_part *part)
{
	uint64_t rows = 0;

	for (size_t i = 0; i < part->n; i++)
		rows += part->group[i].rows;
	return rows;
}

double tv_row_part_beside(const struct tv_row_part *part, double others, double links)
{
	double rows = 0, bytes = 0;

	for (size_t i = 0; i < part->n; i++) {
		rows += part->group[i].rows;
		bytes += part->group[i].rows * (part->group[i].id == TV_LINKS ? links : others);
	}
	return rows > 0 ? bytes / rows : others;
}

bool tv_part_spans_are_worth(const struct tv_part_spans *spans, const struct tv_row_part *part,
			     uint64_t worth, uint64_t fit)
{
	uint64_t read = 0, rows = tv_row_part_count(part);

	for (size_t i = 0; i < spans->n; i++)
		read += spans->at[i].rows;
	return rows >= worth && (read <= rows + rows / 4 || rows > fit);
}

/* A number that other groups of rows would hardly have. */
static uint64_t fingerprint(const struct tv_row_part *part)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < part->n; i++) {
		const struct tv_row_group *g = &part->group[i];
		const uint64_t number[] = { (uint64_t)g->id, g->rows, (uint64_t)g->min,
					    (uint64_t)g->max, g->rest };

		for (size_t k = 0; k < TV_COUNT(number); k++)
			hash = (hash ^ number[k]) * 1099511628211u;
	}
	return hash;
}

int tv_part_spans_agree(const struct tv_row_part *part, const char *path,
			const struct tv_team *team, uint64_t *max, struct tv_error *err)
{
	uint64_t *rows, *prints;
	uint32_t other = 0;

	if (team == NULL)
		return 0;
	rows = tv_team_numbers(team, *max);
	prints = tv_team_numbers(team, fingerprint(part));
	for (uint32_t rank = 0; rank < team->size; rank++) {
		*max = rows[rank] < *max ? rows[rank] : *max;
		other = other == 0 && prints[rank] != prints[0] ? rank : other;
	}
	tv_free(rows);
	tv_free(prints);
	if (other > 0)
		return tv_fail_at(err, (struct tv_pos){ path, 0 },
				  "process %u reads other rows than process 0, expected the same "
				  "file on all machines",
				  (unsigned)other);
	return 0;
}
