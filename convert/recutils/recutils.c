/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recutils.c -- GNU recutils files as StarPU writes them (tasks.rec, data.rec, comms.rec), and as
 * TiKKi does: one file of tasks per parallel region.
 */
#include "convert/recutils/recutils.h"

#include <inttypes.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

/* Length of the field name that a line begins with, 0 if it does not begin with `Name:`. */
static size_t name_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n
	       && ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || s[i] == '_'
		   || (i == 0 && s[i] == '%') || (i > 0 && s[i] >= '0' && s[i] <= '9')))
		i++;
	return i < n && s[i] == ':' && (s[0] != '%' || i > 1) ? i : 0;
}

static bool is_known(const char *name, size_t n)
{
	static const char *const known[] = { "JobId", "Handle", "Model", "SendTime", "%rec" };

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (n == strlen(known[i]) && memcmp(name, known[i], n) == 0)
			return true;
	return false;
}

/* Lines that are not understood are damage behind a field that only these files have, or as long as fewer
 * than the fields. */
static int probe(const char *head, size_t n)
{
	const char *s = head, *end = head + n;
	size_t fields = 0, others = 0;
	bool known = false;

	if (tv_rec_csv_kind(head, n) > 0)
		return 95;
	for (const char *eol; s < end && !(known && others == 0); s = eol + 1) {
		size_t length, name;

		eol = memchr(s, '\n', (size_t)(end - s));
		eol = eol != NULL ? eol : end;
		length = (size_t)(eol - s) - (eol > s && eol[-1] == '\r');
		name = name_length(s, length);
		/* sched_tasks.rec begins like this; it has neither tasks nor data. */
		if (fields == 0 && name == 4 && memcmp(s, "Type", 4) == 0)
			return 0;
		known = known || is_known(s, name);
		fields += name > 0;
		others += name == 0 && length > 0 && *s != '#' && *s != '+' && eol < end;
	}
	return others > 0 ? (known && fields > others ? 80 : 0) : known ? 80 : fields > 0 ? 40 : 0;
}

int tv_rec_add_bytes(struct tv_rec_file *file, const char *s, size_t n, struct tv_error *err)
{
	size_t used = file->words[file->last], want = file->last + 1 + (used + n + 3) / 4;

	if (used + n >= TV_LINE_MAX)
		return tv_fail_at(err, tv_rec_place(file, &file->rec[file->n - 1]),
				  "field longer than %zu MiB, which is the limit",
				  TV_LINE_MAX >> 20);
	if (want > file->nwords)
		TV_GROW(file->words, file->nwords, file->words_cap, want - file->nwords);
	memcpy((char *)(file->words + file->last + 1) + used, s, n);
	file->words[file->last] = (uint32_t)(used + n);
	file->nwords = want;
	return 0;
}

void tv_rec_begin(struct tv_rec_file *file, long line)
{
	TV_GROW(file->rec, file->n, file->cap, 1);
	file->rec[file->n++] = (struct tv_rec){ .line = line < TV_NONE ? (uint32_t)line : TV_NONE,
						.fields = file->nwords,
						.job = TV_NONE,
						.rank = -1 };
}

int tv_rec_add_field(struct tv_rec_file *file, const char *name, size_t n, const char *value,
		     size_t nvalue, struct tv_error *err)
{
	uint32_t label = tv_intern(file->trace->pool, name, n);

	TV_GROW(file->words, file->nwords, file->words_cap, 2);
	file->words[file->nwords] = label;
	file->words[file->nwords + 1] = 0;
	file->last = file->nwords + 1;
	file->nwords += 2;
	file->rec[file->n - 1].nfields++;
	return tv_rec_add_bytes(file, value, nvalue, err);
}

/* One line that is neither empty nor a comment. `pasted`: the line before ended in a backslash. */
static int field_line(struct tv_rec_file *file, struct tv_pos at, const char *s, size_t n,
		      bool pasted, struct tv_error *err)
{
	bool more = s[0] == '+' || pasted;
	size_t name = more ? 0 : name_length(s, n), from;

	if (more ? !file->open : name == 0) {
		tv_damaged(file->trace, TV_DROPPED, "not a field", at,
			   "'%.*s', expected 'Field: value'", n < 80 ? (int)n : 80, s);
		return 0;
	}
	if (!file->open)
		tv_rec_begin(file, at.line);
	file->open = true;
	if (more && !pasted && tv_rec_add_bytes(file, "\n", 1, err) < 0)
		return -1;
	from = pasted ? 0 : more ? 1 : name + 1;
	from += !pasted && from < n && (s[from] == ' ' || s[from] == '\t');
	return more ? tv_rec_add_bytes(file, s + from, n - from, err)
		    : tv_rec_add_field(file, s, name, s + from, n - from, err);
}

static int read_records(struct tv_rec_file *file, struct tv_input *in, struct tv_error *err)
{
	bool pasted = false, cut = false;
	char *line;
	size_t n;
	int rc;

	while ((rc = tv_input_line(in, &line, &n, err)) > 0) {
		bool pastes = n > 0 && line[n - 1] == '\\';
		size_t blanks = strspn(line, " \t");

		if (blanks >= n && !pasted) {
			file->open = false;
			continue;
		}
		if (line[0] == '#' && !pasted)
			continue;
		if (field_line(file, tv_here(in), line, n - pastes, pasted, err) < 0)
			return -1;
		pasted = pastes;
		cut = in->unterminated;
	}
	if (rc < 0 || !cut || !file->open)
		return rc;
	file->n--;
	tv_damaged(file->trace, TV_REPAIRED, TV_CUT_RECORD, tv_here(in),
		   "the file ends within this record, which is not used");
	return 0;
}

static uint32_t label(const struct tv_rec_file *file, const char *text)
{
	return tv_pool_find_text(file->trace->pool, text);
}

/* A record of data.rec into a row of handles. */
static void add_handle(struct tv_rec_file *file, const struct tv_rec *rec)
{
	struct tv_table *handles = &file->trace->table[TV_HANDLES];
	uint32_t row = tv_table_add_row(handles);
	size_t at = rec->fields;

	for (uint32_t i = 0; i < rec->nfields; i++) {
		struct tv_rec_field field = tv_rec_next(file, &at);
		const char *name = tv_pool_text(file->trace->pool, field.name);
		struct tv_column *column;

		if (field.n == 2 && memcmp(field.s, "-1", 2) == 0 && strcmp(name, "MPIRank") == 0)
			continue;
		column = tv_rec_column(file, TV_HANDLES, name);
		/* A field that occurs twice keeps its first value. */
		if (column->n <= row)
			tv_rec_set(file, rec, column, row, &field, false);
	}
}

/* Sorts the records: tasks get their rank and a provisional job, data go to handles, messages are
 * collected, the rest is counted. */
static void classify(struct tv_rec_file *file, struct tv_rec_comms *comms, size_t *tasks,
		     size_t *handles, size_t *messages, size_t *others)
{
	uint32_t job = label(file, "JobId"), handle = label(file, "Handle"),
		 control = label(file, "Control");
	uint32_t time = label(file, "Time"), rank = label(file, "MPIRank");
	uint64_t wont_use = 0;
	struct tv_rec_field field;

	for (size_t i = 0; i < file->n; i++) {
		struct tv_rec *rec = &file->rec[i];
		int64_t value;

		if (tv_pool_text(file->trace->pool, file->words[rec->fields])[0] == '%')
			continue;
		if (tv_rec_find(file, rec, rank, &field)
		    && tv_parse_int(field.s, field.n, &value) == TV_PARSE_OK && value >= 0
		    && value < INT32_MAX)
			rec->rank = (int32_t)value;
		if (tv_rec_find(file, rec, control, &field)) {
			wont_use++;
		} else if (tv_rec_find(file, rec, handle, &field)) {
			++*handles;
			add_handle(file, rec);
		} else if (tv_rec_is_comm(file, rec)) {
			++*messages;
			tv_rec_add_comm(file, rec, comms);
		} else if (!tv_rec_find(file, rec, time, &field)
			   && tv_rec_find(file, rec, job, &field) && field.n > 0) {
			++*tasks;
			rec->job = 0;
		} else {
			++*others;
		}
	}
	*tasks += wont_use > 0;
	if (wont_use > 0)
		tv_meta_add(file->trace, "RecWontUse", "%" PRIu64, wont_use);
}

/* StarPU's records of tasks have these fields, in all versions that we know; TiKKi's do not. */
static bool is_tikki(const struct tv_rec_file *file)
{
	static const char *const starpu[] = { "MPIRank", "Footprint", "Tag", "WorkerId",
					      "Control" };
	const struct tv_trace *trace = file->trace;
	struct tv_rec_field field;
	bool timed = false;
	size_t n;

	if (trace->table[TV_TASKS].nrows > 0 && tv_meta_get(trace, TV_REC_DIALECT, &n) == NULL)
		return false;
	for (size_t i = 0; i < file->n; i++) {
		const struct tv_rec *rec = &file->rec[i];

		for (size_t k = 0; k < TV_COUNT(starpu); k++)
			if (tv_rec_find(file, rec, label(file, starpu[k]), &field))
				return false;
		timed = timed
		     || (rec->job != TV_NONE
			 && tv_rec_find(file, rec, label(file, "StartTime"), &field));
	}
	return timed;
}

static int use_records(struct tv_rec_file *file, struct tv_rec_comms *comms, struct tv_error *err)
{
	const struct tv_table *table = file->trace->table;
	size_t tasks = 0, handles = 0, messages = 0, others = 0, n;
	char *region = NULL;
	int rc;

	classify(file, comms, &tasks, &handles, &messages, &others);
	if (tasks + handles + messages == 0) {
		if (table[TV_TASKS].nrows + table[TV_HANDLES].nrows + table[TV_RESOURCES].nrows
		    == 0)
			return tv_fail_at(
				err, (struct tv_pos){ file->path, 0 },
				"no usable record, expected tasks (JobId), data (Handle) or "
				"messages (Src, Dst, SendTime)");
		tv_notice(file->trace, "%s: neither tasks nor data nor messages, not used",
			  file->path);
		return 0;
	}
	if (others > 0)
		tv_notice(file->trace,
			  "%s: %zu records are neither tasks nor data nor messages, not used",
			  file->path, others);
	file->tikki = is_tikki(file);
	if (file->tikki && tv_meta_get(file->trace, TV_REC_DIALECT, &n) == NULL) {
		tv_meta_add(file->trace, TV_REC_DIALECT, "tikki");
		if (!file->open)
			tv_meta_add(file->trace, TV_REC_END, "blank line");
	}
	if (file->tikki)
		file->region = region = tv_convert_region(file->path, ".rec");
	rc = tasks > 0 ? tv_rec_merge(file, err) : 0;
	tv_free(region);
	if (rc < 0)
		return -1;
	if (handles > 0)
		tv_table_finish(&file->trace->table[TV_HANDLES]);
	return 0;
}

/* What is kept until all files are read. */
struct reading {
	struct tv_trace *trace;
	struct tv_rec_comms comms;
};

static void *begin(struct tv_trace *trace)
{
	struct reading *reading = tv_alloc(1, sizeof *reading);

	reading->trace = trace;
	return reading;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct reading *reading = state;
	struct tv_trace *trace = reading->trace;
	struct tv_rec_file file = { .trace = trace, .path = in->path, .scale = 6 };
	const char *unit = trace->options.time_unit, *head;
	size_t n;
	int rc;

	if (unit != NULL)
		file.scale = strcmp(unit, "s") == 0  ? 9
			   : strcmp(unit, "us") == 0 ? 3
			   : strcmp(unit, "ns") == 0 ? 0
						     : 6;
	head = tv_input_peek(in, TV_PROBE_BYTES, &n, err);
	if (head == NULL)
		return -1;
	rc = tv_rec_csv_kind(head, n) > 0 ? tv_rec_read_csv(&file, &reading->comms, in, err)
					  : read_records(&file, in, err);
	if (rc == 0)
		rc = use_records(&file, &reading->comms, err);
	tv_free(file.rec);
	tv_free(file.words);
	return rc;
}

static int finish(void *state, struct tv_error *err)
{
	struct reading *reading = state;

	(void)err;
	tv_rec_use_comms(reading->trace, &reading->comms);
	return 0;
}

static void release(void *state)
{
	struct reading *reading = state;

	tv_rec_comms_release(&reading->comms);
	tv_free(reading);
}

/* A graph completes records, which have more. */
static bool leads(const char *head, size_t n)
{
	return tv_rec_csv_kind(head, n) != 2;
}

const struct tv_reader tv_recutils_reader = {
	.name = "recutils",
	.summary = "StarPU's tasks.rec, data.rec, comms.rec, or CSV of them; TiKKi's REGION.rec",
	.brings = TV_BRINGS_TASKS | TV_BRINGS(MESSAGES),
	.probe = probe,
	.begin = begin,
	.read = read_file,
	.finish = finish,
	.free = release,
	.leads = leads,
	.memory = 4,
};
