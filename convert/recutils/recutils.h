/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recutils.h -- what the files of the Recutils reader share: the records of one file. */
#ifndef TV_RECUTILS_H
#define TV_RECUTILS_H

#include "convert/formats.h"
#include "trace/map.h"

/* meta: which program's fields the records have; that a blank line ends the file. A column of tasks:
 * the place of a record in its file, if that is not the order of Start. */
#define TV_REC_DIALECT "RecDialect"
#define TV_REC_END     "RecEnd"
#define TV_REC_ORDER   "Rec.Order"

/* Distinct field names of one file; more are refused. */
enum { TV_REC_NAMES = 1000 };

/* One record: where its fields are, and what the merging found out about it. */
struct tv_rec {
	uint32_t line; /* of its first field */
	uint32_t nfields;
	size_t fields; /* index into words */
	uint32_t job;  /* label of its JobId, TV_NONE if it is not a task */
	int32_t rank;  /* MPIRank, -1 if there is none */
};

struct tv_rec_file {
	struct tv_trace *trace;
	const char *path;
	struct tv_rec *rec;
	size_t n, cap;
	/* Fields: label of the name, length of the value, its bytes padded to whole words. */
	uint32_t *words;
	size_t nwords, words_cap;
	size_t last; /* index of the length of the last field; continuation lines add to it */
	bool open;   /* a record has begun */
	bool tikki;  /* TiKKi's fields, not StarPU's */
	/* Of TiKKi's files: the parallel region, which is the name of the file; NULL = not known. */
	const char *region;
	bool apart; /* JobIds get the region's name, because another region has the same */
	int scale;  /* of times */
};

struct tv_rec_field {
	uint32_t name; /* label */
	const char *s;
	size_t n;
};

/* Steps through the fields of a record: *at begins as rec->fields. */
static inline struct tv_rec_field tv_rec_next(const struct tv_rec_file *file, size_t *at)
{
	const uint32_t *word = file->words + *at;
	struct tv_rec_field field = { word[0], (const char *)(word + 2), word[1] };

	*at += 2 + (field.n + 3) / 4;
	return field;
}

/* The value of the named field (a label; TV_NONE finds none). */
static inline bool tv_rec_find(const struct tv_rec_file *file, const struct tv_rec *rec,
			       uint32_t name, struct tv_rec_field *found)
{
	size_t at = rec->fields;

	for (uint32_t i = 0; i < rec->nfields; i++) {
		*found = tv_rec_next(file, &at);
		if (found->name == name)
			return true;
	}
	return false;
}

static inline struct tv_pos tv_rec_place(const struct tv_rec_file *file, const struct tv_rec *rec)
{
	return (struct tv_pos){ file->path, (long)rec->line };
}

/* A message: a record of comms.rec. */
struct tv_rec_comm {
	int64_t src, dst; /* ranks */
	int64_t start, end, size, priority;
	uint32_t tag, handle, type, origin_job, dest_job; /* labels; TV_NONE = missing */
	bool sized, has_priority;
	uint32_t key; /* label: of a graph, which has no times, the key of its link; TV_NONE */
};

struct tv_rec_comms {
	struct tv_rec_comm *at;
	size_t n, cap;
	char *path; /* of the first */
};

/* recutils.c: begins a record; gives it a field; adds to the value of its last field. */
void tv_rec_begin(struct tv_rec_file *file, long line);
int tv_rec_add_field(struct tv_rec_file *file, const char *name, size_t n, const char *value,
		     size_t nvalue, struct tv_error *err) TV_MUST_CHECK;
int tv_rec_add_bytes(struct tv_rec_file *file, const char *s, size_t n,
		     struct tv_error *err) TV_MUST_CHECK;

/* csv.c: whether a file that begins so is CSV: 0 no, 1 of records, 2 of a graph; reads it, messages of a
 * graph into comms. */
int tv_rec_csv_kind(const char *head, size_t n);
int tv_rec_read_csv(struct tv_rec_file *file, struct tv_rec_comms *comms, struct tv_input *in,
		    struct tv_error *err) TV_MUST_CHECK;

/* comms.c: collects messages; when all tasks are read, makes links and nodes of the graph of
 * them. */
bool tv_rec_is_comm(const struct tv_rec_file *file, const struct tv_rec *rec);
void tv_rec_add_comm(const struct tv_rec_file *file, const struct tv_rec *rec,
		     struct tv_rec_comms *comms);
void tv_rec_use_comms(struct tv_trace *trace, struct tv_rec_comms *comms);
void tv_rec_comms_release(struct tv_rec_comms *comms); /* safe on a zeroed struct */

/* "12_345" -> 12, 345. */
bool tv_rec_parse_job(const char *text, int64_t *rank, int64_t *job);

/* unexpected.c: which jobs waited for the data of messages that arrived before they were requested.
 * Free taken.at. */
struct tv_rec_takers {
	const struct tv_rec_comms *comms;
	const struct tv_index
		*received;     /* by label of a job that a message releases: the message */
	struct tv_index taken; /* by label of such a job: the message */
	uint64_t known, unknown;
};
void tv_rec_find_takers(struct tv_trace *trace, struct tv_rec_takers *takers);

/* fill.c: puts one field into a row. Names of columns are those of the schema (Parameters
 * is Params; a name that the reader fills itself, such as Kind, is set apart as Rec.Kind); numbers
 * are checked; what is no number is left out and counted. */
struct tv_column *tv_rec_column(struct tv_rec_file *file, enum tv_table_id table, const char *name);
void tv_rec_set(struct tv_rec_file *file, const struct tv_rec *rec, struct tv_column *column,
		uint32_t row, const struct tv_rec_field *field, bool ranked);
/* Label of a JobId: RANK_ID if ranked, the rank is known and the id does not have it; REGION.ID if
 * the file is set apart. */
uint32_t tv_rec_job(struct tv_rec_file *file, const struct tv_rec *rec, const char *s, size_t n,
		    bool ranked);

/* print.c: "Name:" for any name of a column; a blank and any value, whose further lines begin with +
 * (a backslash at the end of a line, which would paste the next one, gets a blank); the same with
 * the line's end. */
void tv_rec_write_name(struct tv_output *out, const char *name);
void tv_rec_write_value(struct tv_output *out, const char *s, size_t n);
void tv_rec_write_text(struct tv_output *out, const char *s, size_t n);

/* merge.c: tasks of the file into the table of tasks, by JobId. */
int tv_rec_merge(struct tv_rec_file *file, struct tv_error *err) TV_MUST_CHECK;

#endif
