/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.c -- the table of kernel names: read from CSV, matched by pattern. */
#include "trace/kernels.h"

#include <ctype.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/text.h"

extern const char tv_kernels_begin[], tv_kernels_end[];

static const char *const kind_names[] = {
	"app", "setup", "runtime", "ghost", "message", "pending", "worker",
};
_Static_assert(TV_COUNT(kind_names) == TV_NKINDS, "a name for every kind");

enum { PATTERN, KERNEL, KIND, COLOR, NFIELDS };
static const char *const field_names[] = { "Pattern", "Kernel", "Kind", "Color" };
_Static_assert(TV_COUNT(field_names) == NFIELDS, "a name for every field");

const char *tv_kind_name(enum tv_kind kind)
{
	return kind_names[kind];
}

int tv_kind_find(const char *name)
{
	for (int i = 0; i < TV_NKINDS; i++)
		if (strcmp(kind_names[i], name) == 0)
			return i;
	return -1;
}

static int color_of(const char *s, uint32_t *color)
{
	uint32_t value = 0;

	if (s[0] != '#' || strlen(s) != 7)
		return -1;
	for (int i = 1; i < 7; i++) {
		int c = tolower((unsigned char)s[i]);

		if (!isxdigit(c))
			return -1;
		value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	*color = value;
	return 0;
}

static int check_header(const struct tv_csv_row *row, struct tv_error *err)
{
	for (size_t i = 0; i < row->ncells; i++)
		if (row->cell[i].n != strlen(field_names[i])
		    || memcmp(row->cell[i].text, field_names[i], row->cell[i].n) != 0)
			return tv_fail_at(err, row->at, "column %zu is '%.*s', expected %s", i + 1,
					  (int)row->cell[i].n, row->cell[i].text, field_names[i]);
	return 0;
}

/* The set of the letters that a name has or, outside its classes, a pattern wants. */
static uint64_t letters(const char *s, bool pattern)
{
	uint64_t set = 0;

	for (; *s != '\0'; s++) {
		const char *close = pattern && *s == '[' ? strchr(s + 1, ']') : NULL;

		if (close != NULL)
			s = close;
		else if (!pattern || (*s != '*' && *s != '?'))
			set |= (uint64_t)1 << (tolower((unsigned char)*s) & 63);
	}
	return set;
}

/* Takes over pattern and kernel on success. */
static int add_row(struct tv_kernels *kernels, struct tv_pos at, char *const text[NFIELDS],
		   struct tv_error *err)
{
	struct tv_kernel row = { .pattern = text[PATTERN], .kernel = text[KERNEL] };
	int kind = tv_kind_find(text[KIND]);

	if (row.pattern[0] == '\0')
		return tv_fail_at(err, at, "Pattern is empty, expected a name with * and ?");
	if (kind != TV_APP && kind != TV_SETUP && kind != TV_RUNTIME)
		return tv_fail_at(err, at, "Kind is '%s', expected app, setup or runtime",
				  text[KIND]);
	row.kind = (enum tv_kind)kind;
	row.letters = letters(row.pattern, true);
	row.has_color = text[COLOR][0] != '\0';
	if (row.has_color && color_of(text[COLOR], &row.color) < 0)
		return tv_fail_at(err, at, "Color is '%s', expected #rrggbb", text[COLOR]);
	TV_GROW(kernels->row, kernels->n, kernels->cap, 1);
	kernels->row[kernels->n++] = row;
	return 0;
}

struct reading {
	struct tv_kernels *kernels;
	bool header_seen;
};

static int on_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;
	char *text[NFIELDS] = { NULL };
	int rc;

	if (row->ncells != NFIELDS)
		return tv_fail_at(err, row->at, "%zu fields, expected Pattern,Kernel,Kind,Color",
				  row->ncells);
	if (!r->header_seen) {
		r->header_seen = true;
		return check_header(row, err);
	}
	for (int i = 0; i < NFIELDS; i++)
		text[i] = tv_strndup(row->cell[i].text, row->cell[i].n);
	rc = add_row(r->kernels, row->at, text, err);
	for (int i = rc < 0 ? 0 : KIND; i < NFIELDS; i++)
		tv_free(text[i]);
	return rc;
}

static int read_table(struct tv_kernels *kernels, const char *path, struct tv_error *err)
{
	struct reading r = { .kernels = kernels };
	struct tv_input in;
	int rc;

	if (path == NULL)
		tv_input_memory(&in, "kernels.csv", tv_kernels_begin,
				(size_t)(tv_kernels_end - tv_kernels_begin));
	else if (tv_input_open(&in, path, err) < 0)
		return -1;
	rc = tv_csv_rows(&in, on_row, &r, err);
	tv_input_close(&in);
	return rc;
}

int tv_kernels_init(struct tv_kernels *kernels, const char *extra, struct tv_error *err)
{
	*kernels = (struct tv_kernels){ 0 };
	if (extra != NULL && read_table(kernels, extra, err) < 0)
		goto failed;
	kernels->nextra = kernels->n;
	if (read_table(kernels, NULL, err) == 0)
		return 0;
failed:
	tv_kernels_release(kernels);
	return -1;
}

void tv_kernels_release(struct tv_kernels *kernels)
{
	for (size_t i = 0; i < kernels->n; i++) {
		tv_free(kernels->row[i].pattern);
		tv_free(kernels->row[i].kernel);
	}
	tv_free(kernels->row);
	*kernels = (struct tv_kernels){ 0 };
}

const struct tv_kernel *tv_kernels_match(const struct tv_kernels *kernels, const char *name)
{
	uint64_t missing = ~letters(name, false);

	for (size_t i = 0; i < kernels->n; i++)
		if ((kernels->row[i].letters & missing) == 0
		    && tv_glob(kernels->row[i].pattern, name))
			return &kernels->row[i];
	return NULL;
}
