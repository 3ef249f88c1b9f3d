/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.c -- events that are not measured: those of a table (file), and made-up ones (fake).
 *
 * A table is CSV without quotes, with a column Object ("L3:0"); columns of numbers are events. The n-th
 * row of an object is its reading at the n-th tick; after its last row it has none. Columns with other
 * texts are not used.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/tool/monitor/source.h"

enum { COLUMNS = TV_SAMPLER_EVENTS, LINE = 65536 };

struct replay_row {
	char object[TV_SAMPLER_NAME];
	double *value; /* NaN: missing */
};

struct tv_replay {
	struct tv_replay *next;
	char *path;
	char *name[COLUMNS];
	bool text[COLUMNS]; /* not all of its cells are numbers */
	unsigned ncolumns, object;
	struct replay_row *row;
	size_t nrows, cap;
};

static double missing(void)
{
	return __builtin_nan("");
}

static double parse(const char *cell, bool *is_text)
{
	char *end;
	double value = strtod(cell, &end);

	if (cell[0] == '\0')
		return missing();
	*is_text |= *end != '\0';
	return *end == '\0' ? value : missing();
}

static bool read_header(struct tv_replay *r, char *line)
{
	char *cell;

	r->object = COLUMNS;
	for (r->ncolumns = 0; (cell = strsep(&line, ",")) != NULL; r->ncolumns++) {
		if (r->ncolumns == COLUMNS)
			return false;
		r->name[r->ncolumns] = strdup(cell);
		if (strcmp(cell, "Object") == 0)
			r->object = r->ncolumns;
	}
	return r->object < COLUMNS;
}

/* False: it has not the header's number of cells. */
static bool read_row(struct tv_replay *r, char *line)
{
	struct replay_row *row;
	unsigned n = 0;
	char *cell;

	if (r->nrows == r->cap) {
		struct replay_row *grown = tv_sampler_alloc((2 * r->cap + 64) * sizeof *grown);

		if (r->nrows > 0)
			memcpy(grown, r->row, r->nrows * sizeof *grown);
		free(r->row);
		r->row = grown;
		r->cap = 2 * r->cap + 64;
	}
	row = &r->row[r->nrows++];
	row->value = tv_sampler_alloc(r->ncolumns * sizeof *row->value);
	for (; (cell = strsep(&line, ",")) != NULL && n < r->ncolumns; n++) {
		row->value[n] = missing();
		if (n == r->object)
			snprintf(row->object, sizeof row->object, "%s", cell);
		else
			row->value[n] = parse(cell, &r->text[n]);
	}
	return n == r->ncolumns && cell == NULL;
}

static void release(struct tv_replay *r)
{
	for (unsigned i = 0; i < r->ncolumns; i++)
		free(r->name[i]);
	for (size_t i = 0; i < r->nrows; i++)
		free(r->row[i].value);
	free(r->row);
	free(r->path);
	free(r);
}

static int read_table(struct tv_replay *r, FILE *file, char *why)
{
	char *line = tv_sampler_alloc(LINE);
	unsigned number = 0;
	int rc = 0;

	while (rc == 0 && fgets(line, LINE, file) != NULL) {
		size_t n = strcspn(line, "\r\n");

		number++;
		if (line[n] == '\0' && n == LINE - 1)
			rc = -1;
		line[n] = '\0';
		if (rc == 0 && number == 1 ? !read_header(r, line)
					   : line[0] != '\0' && !read_row(r, line))
			rc = -1;
		if (rc < 0)
			snprintf(why, TV_SAMPLER_WHY, "%s:%u: %s", r->path, number,
				 number == 1
					 ? "no table, expected a header with the column Object"
					 : "not as many cells as the header, or a line too long");
	}
	free(line);
	if (rc == 0 && r->nrows == 0) {
		snprintf(why, TV_SAMPLER_WHY, "%s: no row, expected a table", r->path);
		rc = -1;
	}
	return rc;
}

int tv_replay_load(struct tv_sampler *s, const char *path, char *why)
{
	struct tv_replay *r = tv_sampler_alloc(sizeof *r);
	FILE *file = fopen(path, "re");
	int rc;

	*r = (struct tv_replay){ .path = strdup(path) };
	if (file == NULL) {
		snprintf(why, TV_SAMPLER_WHY, "%s: cannot open: %s", path, strerror(errno));
		release(r);
		return -1;
	}
	rc = read_table(r, file, why);
	fclose(file);
	if (rc < 0) {
		release(r);
		return -1;
	}
	r->next = s->replay;
	s->replay = r;
	return 0;
}

unsigned tv_replay_columns(const struct tv_sampler *s)
{
	return s->replay->ncolumns;
}

const char *tv_replay_column(const struct tv_sampler *s, unsigned i)
{
	return s->replay->text[i] || i == s->replay->object ? NULL : s->replay->name[i];
}

bool tv_replay_has(const struct tv_sampler *s, const struct tv_hardware_object *object)
{
	for (size_t i = 0; i < s->replay->nrows; i++)
		if (strchr(s->replay->row[i].object, ':') != NULL
		    && tv_hardware_matches(object, s->replay->row[i].object))
			return true;
	return false;
}

void tv_replay_release(struct tv_sampler *s)
{
	while (s->replay != NULL) {
		struct tv_replay *r = s->replay;

		s->replay = r->next;
		release(r);
	}
}

/* ---- file ---- */

struct player {
	const struct tv_replay *table;
	const struct tv_hardware_object *object;
	size_t next;
};

static bool find_column(struct tv_sampler *s, const char *text, struct tv_source_event *event)
{
	for (unsigned i = 0; s->replay != NULL && i < s->replay->ncolumns; i++)
		if (tv_replay_column(s, i) != NULL && strcmp(text, s->replay->name[i]) == 0) {
			*event = (struct tv_source_event){
				.unit = "1", .scope = "file", .real = true, .row = i
			};
			snprintf(event->name, sizeof event->name, "%s", text);
			return true;
		}
	return false;
}

static int check_column(struct tv_sampler *s, struct tv_source_event *event,
			const struct tv_hardware_object *at, char *why)
{
	(void)event;
	if (tv_replay_has(s, at))
		return 0;
	snprintf(why, TV_SAMPLER_WHY, "%s has no row of this object", s->replay->path);
	return -1;
}

static int open_columns(struct tv_sampler *s, unsigned monitor, unsigned object, char *why)
{
	struct player *player;

	(void)why;
	player = tv_sampler_alloc(sizeof *player);
	*player = (struct player){ s->monitor[monitor].replay, &s->hardware.object[object], 0 };
	tv_sampler_add_set(s, monitor, object, 0, s->monitor[monitor].nevents, player);
	return 0;
}

static bool read_columns(struct tv_sampler *s, const struct tv_set *set, uint64_t *value)
{
	struct player *player = set->state;
	const struct tv_replay *table = player->table;
	const struct tv_source_event *event = s->monitor[set->monitor].event;

	while (player->next < table->nrows
	       && !tv_hardware_matches(player->object, table->row[player->next].object))
		player->next++;
	if (player->next == table->nrows)
		return false;
	value[0] = value[1] = 0;
	for (unsigned i = 0; i < set->n; i++)
		memcpy(&value[2 + i], &table->row[player->next].value[event[i].row], sizeof *value);
	player->next++;
	return true;
}

const struct tv_back_end tv_source_file = {
	.name = "file",
	.find = find_column,
	.check = check_column,
	.open = open_columns,
	.read = read_columns,
	.close = free,
};

/* ---- fake ---- */

enum fake { CONSTANT, RAMP, NOISE };

/* constant[:VALUE] (1), ramp[:STEP] (the number of the tick, from 0), noise[:SEED] in [0, 1). */
static bool find_fake(struct tv_sampler *s, const char *text, struct tv_source_event *event)
{
	static const char *const name[] = { "constant", "ramp", "noise" };
	size_t n = strcspn(text, ":");
	char *end = NULL;

	(void)s;
	*event = (struct tv_source_event){ .level = "Machine",
					   .unit = "1",
					   .scope = "none",
					   .real = true,
					   .row = NOISE + 1,
					   .parameter = 1 };
	for (unsigned i = 0; i < sizeof name / sizeof *name; i++)
		if (strlen(name[i]) == n && strncmp(name[i], text, n) == 0)
			event->row = i;
	if (text[n] == ':')
		event->parameter = strtod(text + n + 1, &end);
	snprintf(event->name, sizeof event->name, "%s", text);
	return event->row <= NOISE && strlen(text) < sizeof event->name
	    && (text[n] == '\0'
		|| (end != text + n + 1 && *end == '\0' && fabs(event->parameter) <= 0x1p53));
}

static int check_fake(struct tv_sampler *s, struct tv_source_event *event,
		      const struct tv_hardware_object *at, char *why)
{
	(void)s, (void)event, (void)at, (void)why;
	return 0;
}

static int open_fake(struct tv_sampler *s, unsigned monitor, unsigned object, char *why)
{
	(void)why;
	tv_sampler_add_set(s, monitor, object, 0, s->monitor[monitor].nevents, NULL);
	return 0;
}

/* The n-th number of splitmix64. */
static uint64_t random_number(uint64_t seed, uint64_t n)
{
	uint64_t x = seed + (n + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static bool read_fake(struct tv_sampler *s, const struct tv_set *set, uint64_t *value)
{
	value[0] = value[1] = 0;
	for (unsigned i = 0; i < set->n; i++) {
		const struct tv_source_event *event =
			&s->monitor[set->monitor].event[set->first + i];
		uint64_t seed = random_number((uint64_t)event->parameter, set->object);
		double x = event->row == CONSTANT ? event->parameter
			 : event->row == RAMP
				 ? (double)s->ticks * event->parameter
				 : (double)(random_number(seed, s->ticks) >> 11) * 0x1p-53;

		memcpy(&value[2 + i], &x, sizeof x);
	}
	return true;
}

const struct tv_back_end tv_source_fake = {
	.name = "fake",
	.find = find_fake,
	.check = check_fake,
	.open = open_fake,
	.read = read_fake,
};
