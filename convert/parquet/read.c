/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c -- opening a Parquet file, its rows, and tables of traces that they make. */
#include <sys/stat.h>

#include "convert/parquet/pages.h"
#include "trace/alloc.h"
#include "trace/digits.h"

/* No file has more rows, or values of a column, for each of its bytes. */
enum { FOOTER_MAX = 256 << 20, RATIO_MAX = 1000 };

/* ---- rows ---- */

int tv_parquet_end_column(const struct tv_parquet *p, const struct tv_parquet_cursor *c)
{
	return c->entries > 0 || c->left > 0 || c->ahead
			    || (c->has_data && !tv_parquet_decoder_ended(&c->decoder))
		     ? tv_parquet_fail(p, c, "there are more values than rows")
		     : 0;
}

/* After the last row of a group: all columns are at their end. */
static int end_group(const struct tv_parquet *p)
{
	for (size_t i = 0; p->group > 0 && i < p->ncursors; i++)
		if (!p->cursor[i].skipped && tv_parquet_end_column(p, &p->cursor[i]) < 0)
			return -1;
	return 0;
}

void tv_parquet_begin(const struct tv_parquet *p, struct tv_parquet_cursor *c, size_t group)
{
	const struct tv_parquet_footer *f = &p->footer;

	c->chunk = f->chunk[group * f->ncolumns + (size_t)(c->column - f->column)];
	c->at = c->chunk.begin;
	c->left = c->chunk.entries;
	c->entries = 0;
	c->nknown = c->known_at = 0;
	c->ahead = c->has_dictionary = c->has_data = false;
}

static void begin_group(struct tv_parquet *p)
{
	size_t group = p->group++;

	p->left = 0;
	if (p->omit != NULL && p->omit[group]) {
		p->row += p->footer.rows[group];
		return;
	}
	for (size_t i = 0; i < p->ncursors; i++) {
		struct tv_parquet_cursor *c = &p->cursor[i];

		tv_parquet_begin(p, c, group);
		p->bytes += c->skipped ? 0 : c->chunk.size;
	}
	p->left = p->footer.rows[group];
	p->trace->repeats = p->repeated != NULL && p->repeated[group];
}

int tv_parquet_need_rows(struct tv_parquet *p)
{
	while (p->left == 0) {
		if (end_group(p) < 0)
			return -1;
		if (p->group == p->footer.ngroups)
			return 0;
		begin_group(p);
	}
	return 1;
}

int tv_parquet_next(struct tv_parquet *p, const struct tv_csv_cell **cell, struct tv_pos *at,
		    struct tv_error *err)
{
	int rc;

	p->err = err;
	rc = tv_parquet_need_rows(p);
	if (rc <= 0)
		return rc;
	p->left--;
	p->unread--;
	p->row++;
	for (size_t i = 0; i < p->ncursors; i++)
		if (!p->cursor[i].skipped
		    && tv_parquet_take_cell(p, &p->cursor[i], &p->cell[i]) < 0)
			return -1;
	*cell = p->cell;
	*at = (struct tv_pos){ p->in->path, p->row };
	return 1;
}

/* ---- opening ---- */

/* Codecs that are read; not more rows and values than such a file can have, nor than memory. */
static int check(const struct tv_parquet *p)
{
	const struct tv_parquet_footer *f = &p->footer;
	struct tv_pos at = { p->in->path, 0 };
	int64_t max = p->in->size > INT64_MAX / RATIO_MAX ? INT64_MAX : p->in->size * RATIO_MAX;

	for (size_t i = 0; i < f->nchunks; i++) {
		const struct tv_parquet_column *c = &f->column[i % f->ncolumns];

		if (c->kind == TV_KIND_OTHER)
			continue;
		if (!tv_parquet_codec_is_read(f->chunk[i].codec))
			return tv_fail_at(p->err, at,
					  "column %s has the codec %s (%lld), expected none, "
					  "SNAPPY, GZIP or ZSTD: write the file again with one",
					  c->name, tv_parquet_codec_name(f->chunk[i].codec),
					  (long long)f->chunk[i].codec);
		if (f->chunk[i].entries > max)
			return tv_fail_at(p->err, at,
					  "a damaged Parquet file: column %s claims %lld values, "
					  "of a file of %lld bytes",
					  c->name, (long long)f->chunk[i].entries,
					  (long long)p->in->size);
	}
	if (f->nrows > max)
		return tv_fail_at(p->err, at,
				  "a damaged Parquet file: it claims %lld rows in %lld bytes",
				  (long long)f->nrows, (long long)p->in->size);
	return 0;
}

int tv_parquet_check_memory(struct tv_parquet *p, uint32_t before, double beside,
			    struct tv_error *err)
{
	double rows = (double)before + (double)p->unread, need;
	size_t columns = 0;

	for (size_t i = 0; i < p->ncursors; i++)
		columns += !p->cursor[i].skipped;
	need = rows * ((double)columns * 8 + beside);
	if (need <= (double)tv_memory_max() || p->trace->options.batches != NULL)
		return 0;
	p->trace->too_large = true;
	return tv_fail_at(err, (struct tv_pos){ p->in->path, 0 },
			  "%.0f rows of %zu columns need about %.0f MB of memory, the limit is "
			  "%.0f MB (see --max-memory)",
			  rows, columns, need / 1e6, (double)tv_memory_max() / 1e6);
}

/* Begins with the columns that are read, and reports the others. */
static void choose_columns(struct tv_parquet *p)
{
	const struct tv_parquet_footer *f = &p->footer;
	const char *before = "";
	char *others = NULL;

	p->cursor = tv_alloc(f->ncolumns, sizeof *p->cursor);
	p->cell = tv_alloc(f->ncolumns, sizeof *p->cell);
	for (size_t i = 0; i < f->ncolumns; i++) {
		const struct tv_parquet_column *c = &f->column[i];

		if (c->kind != TV_KIND_OTHER)
			p->cursor[p->ncursors++].column = c;
		else if (strcmp(c->name, before) != 0)
			tv_append(&others, "%s%s (%s)", others != NULL ? ", " : "", c->name,
				  c->what);
		before = c->kind == TV_KIND_OTHER ? c->name : "";
	}
	if (others != NULL)
		tv_notice(p->trace, "%s: columns of types that are not read, left out: %s",
			  p->in->path, others);
	tv_free(others);
}

/* The footer of a file that is read part by part. */
struct tv_parquet_kept {
	struct tv_parquet_footer footer;
	struct stat file;
};

/* Whether it is that of the file; it is taken then. */
static bool take_kept(struct tv_parquet *p)
{
	struct tv_row_part *part = p->trace->options.part;
	const struct stat *was;
	struct stat is;

	if (part == NULL || part->kept == NULL || fstat(p->in->fd, &is) < 0)
		return false;
	was = &part->kept->file;
	if (is.st_dev != was->st_dev || is.st_ino != was->st_ino || is.st_size != was->st_size
	    || is.st_mtim.tv_sec != was->st_mtim.tv_sec
	    || is.st_mtim.tv_nsec != was->st_mtim.tv_nsec)
		return false;
	p->footer = part->kept->footer;
	tv_free(part->kept);
	part->kept = NULL;
	return true;
}

void tv_parquet_forget(struct tv_row_part *part)
{
	if (part->kept != NULL)
		tv_parquet_footer_release(&part->kept->footer);
	tv_free(part->kept);
	part->kept = NULL;
}

/* Keeps the footer for the next part, or frees it. */
static void leave_footer(struct tv_parquet *p)
{
	struct tv_row_part *part = p->trace->options.part;
	struct stat file;

	if (part == NULL || p->footer.ngroups == 0 || fstat(p->in->fd, &file) < 0) {
		tv_parquet_footer_release(&p->footer);
		return;
	}
	tv_parquet_forget(part);
	part->kept = tv_alloc(1, sizeof *part->kept);
	*part->kept = (struct tv_parquet_kept){ p->footer, file };
}

/* The footer, which the last 8 bytes lead to. */
static int read_footer(struct tv_parquet *p)
{
	struct tv_pos at = { p->in->path, 0 };
	unsigned char tail[8] = "";
	unsigned char *bytes;
	int64_t size = p->in->size;
	uint32_t n;

	if (size >= 12 && tv_parquet_read_at(p, size - 8, tail, sizeof tail) < 0)
		return -1;
	if (memcmp(tail + 4, "PARE", 4) == 0)
		return tv_fail_at(p->err, at,
				  "an encrypted Parquet file, expected one that is not");
	n = tv_load4((const char *)tail);
	if (memcmp(tail + 4, TV_PARQUET_MAGIC, 4) != 0 || n == 0 || n > size - 12 || n > FOOTER_MAX)
		return tv_fail_at(p->err, at,
				  "a Parquet file without a footer, as of a program that ended "
				  "before it had written all, expected a whole one");
	bytes = tv_alloc(n, 1);
	if (tv_parquet_read_at(p, size - 8 - n, bytes, n) < 0) {
		tv_free(bytes);
		return -1;
	}
	return tv_parquet_footer_parse(&p->footer, bytes, n, size - 8 - n, at, p->err);
}

struct tv_parquet *tv_parquet_open(struct tv_input *in, struct tv_trace *trace,
				   struct tv_error *err)
{
	struct tv_parquet *p;
	int rc;

	if (in->codec != NULL || in->size < 0 || strcmp(in->path, "-") == 0) {
		tv_fail_at(err, (struct tv_pos){ in->path, 0 },
			   "a Parquet file that is %s, expected a file that is not compressed: it "
			   "is read from its end",
			   in->codec != NULL ? "compressed" : "read from a pipe");
		return NULL;
	}
	p = tv_alloc(1, sizeof *p);
	*p = (struct tv_parquet){ .in = in, .trace = trace, .err = err };
	rc = take_kept(p) ? 0 : read_footer(p);
	if (rc == 0) {
		p->unread = p->footer.nrows;
		choose_columns(p);
		rc = check(p);
	}
	if (rc == 0)
		return p;
	tv_parquet_footer_release(&p->footer);
	p->footer = (struct tv_parquet_footer){ 0 };
	tv_parquet_close(p);
	return NULL;
}

void tv_parquet_close(struct tv_parquet *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->ncursors; i++) {
		tv_free(p->cursor[i].page);
		tv_free(p->cursor[i].dictionary_page);
		tv_free(p->cursor[i].dictionary);
		tv_free(p->cursor[i].last);
		tv_free(p->cursor[i].list);
		tv_free(p->cursor[i].element);
		tv_free(p->cursor[i].number);
		tv_free(p->cursor[i].word);
		tv_free(p->cursor[i].missing);
		tv_free(p->cursor[i].text_of);
		tv_free(p->cursor[i].label);
	}
	tv_free(p->cursor);
	tv_free(p->cell);
	tv_free(p->packed);
	tv_free(p->omit);
	tv_free(p->repeated);
	tv_free(p->seen.at);
	leave_footer(p);
	tv_free(p);
}

int64_t tv_parquet_nrows(const struct tv_parquet *p)
{
	return p->footer.nrows;
}

size_t tv_parquet_ncolumns(const struct tv_parquet *p)
{
	return p->ncursors;
}

const struct tv_parquet_column *tv_parquet_column(const struct tv_parquet *p, size_t i)
{
	return p->cursor[i].column;
}

char *tv_parquet_header(const struct tv_parquet *p)
{
	struct tv_output out;
	char *text;

	tv_output_memory(&out);
	for (size_t i = 0; i < p->ncursors; i++) {
		tv_output_text(&out, i > 0 ? "," : "");
		tv_csv_field(&out, p->cursor[i].column->name, strlen(p->cursor[i].column->name));
	}
	text = tv_strndup(out.buffer != NULL ? out.buffer : "", out.n);
	tv_output_abort(&out);
	return text;
}

/* ---- tables of a trace ---- */

/* Columns of the table have types that are read; times have a unit. */
static int check_times(struct tv_parquet *p, enum tv_table_id id)
{
	static const struct {
		const char *name;
		int digits;
	} units[] = { { "ns", 6 }, { "us", 3 }, { "ms", 0 }, { "s", -3 } };
	const char *unit = p->trace->options.time_unit;
	struct tv_parquet_footer *f = &p->footer;
	int instants = -1;
	char *whole = NULL;

	for (size_t i = 0; i < f->ncolumns; i++) {
		struct tv_parquet_column *c = &f->column[i];
		const struct tv_field *field = id < TV_NTABLES ? tv_schema_field(id, c->name)
							       : NULL;
		bool time = field != NULL && field->type == TV_TIME;
		bool unitless = time && (c->kind == TV_KIND_INT || c->kind == TV_KIND_UNSIGNED);

		if (field != NULL && (c->kind == TV_KIND_OTHER || (time && c->list))) {
			tv_free(whole);
			return tv_fail_at(p->err, (struct tv_pos){ p->in->path, 0 },
					  "column %s is %s, expected %s", c->name,
					  c->list ? "a list" : c->what,
					  time ? "a DECIMAL or another number, or a TIMESTAMP"
					       : "text or a number");
		}
		if (unitless) {
			for (size_t k = 0; unit != NULL && k < TV_COUNT(units); k++)
				if (strcmp(unit, units[k].name) == 0)
					c->digits = units[k].digits;
			tv_append(&whole, "%s%s", whole != NULL ? ", " : "", c->name);
		}
		/* With --time-unit whole numbers are instants of either kind. */
		if (!time || !tv_schema_instants(id, c->name, TV_TIME)
		    || (unitless && unit != NULL))
			continue;
		if (instants >= 0 && instants != c->instant) {
			tv_free(whole);
			return tv_fail_at(p->err, (struct tv_pos){ p->in->path, 0 },
					  "column %s is %s TIMESTAMP, other times of the table are "
					  "%s, expected one kind",
					  c->name, c->instant ? "a" : "no",
					  c->instant ? "none" : "of that type");
		}
		instants = c->instant;
	}
	if (whole != NULL && unit == NULL)
		tv_notice(p->trace,
			  "%s: whole numbers without a unit are read as ms: %s; --time-unit ns "
			  "reads them as ns",
			  p->in->path, whole);
	p->trace->unit_asked = p->trace->unit_asked || whole != NULL;
	tv_free(whole);
	/* Times since 1970 are shifted, as those of other formats. */
	p->trace->native = p->trace->native && instants != 1;
	return 0;
}

/* What is read of the columns, whose names the table has. */
static int choose(struct tv_parquet *p, enum tv_table_id id)
{
	const struct tv_row_part *part = p->trace->options.part;

	for (size_t i = 0; i < p->ncursors; i++) {
		struct tv_parquet_cursor *c = &p->cursor[i];
		const struct tv_field *field = id < TV_NTABLES
						     ? tv_schema_field(id, c->column->name)
						     : NULL;

		c->skipped = tv_trace_leaves(p->trace, id, c->column->name);
		c->is_time = field != NULL && field->type == TV_TIME && c->column->digits == 6
			  && !c->column->list && !c->column->ms
			  && (c->column->type == TV_PARQUET_INT64
			      || c->column->type == TV_PARQUET_INT32)
			  && c->column->kind != TV_KIND_UNSIGNED;
		p->cell[i] = (struct tv_csv_cell){ "", 0, true, false };
		tv_parquet_choose_block(c, field);
	}
	if (part != NULL && (part->tables >> id & 1) != 0)
		tv_parquet_part(p, id);
	else if (id == TV_TASKS && p->trace->native && p->trace->options.window.set)
		return tv_parquet_omit(p);
	return 0;
}

static void note_read(const struct tv_parquet *p)
{
	size_t groups = 0;

	for (size_t i = 0; i < p->footer.ngroups; i++)
		groups += p->omit == NULL || !p->omit[i];
	tv_notice(p->trace, "%s: %zu of %zu row groups and %.1f of %.1f MB are read", p->in->path,
		  groups, p->footer.ngroups, (double)p->bytes / 1e6, (double)p->in->size / 1e6);
}

int tv_parquet_csv(void *parquet, enum tv_table_id id, const struct tv_csv_taker *to,
		   struct tv_error *err)
{
	struct tv_parquet *p = parquet;
	struct tv_csv_row line = { { p->in->path, 0 }, p->cell, p->ncursors };
	const struct tv_read_options *options = &p->trace->options;
	const struct tv_row_choice *choice = id == TV_TASKS ? options->choice : NULL;
	int rc;

	p->err = err;
	if (check_times(p, id) < 0)
		return -1;
	for (size_t i = 0; i < p->ncursors; i++) {
		const char *name = p->cursor[i].column->name;

		p->cell[i] = (struct tv_csv_cell){ name, strlen(name), false, false };
	}
	rc = to->row(to->context, &line, err);
	if (rc == 0)
		rc = choose(p, id);
	if (rc == 0 && choice == NULL)
		rc = tv_parquet_check_memory(p, id < TV_NTABLES ? p->trace->table[id].nrows : 0,
					     id == TV_TASKS   ? options->beside
					     : id == TV_LINKS ? options->beside_links
							      : 0,
					     err);
	if (rc == 0)
		rc = choice != NULL ? tv_parquet_give_choice(p, to, choice)
				    : tv_parquet_give_rows(p, to);
	p->trace->repeats = false;
	if (rc == 0 && p->omit != NULL)
		p->trace->unsure |= !tv_parquet_omit_fits(p);
	if (rc == 0 && p->trace->options.verbose
	    && (p->trace->options.part == NULL || !p->trace->options.part->lists))
		note_read(p);
	return rc;
}
