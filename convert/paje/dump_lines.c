/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_lines.c -- the lines that pj_dump prints, and StarVZ's tables: natures, fields, columns. */
#include <string.h>

#include "convert/paje/dump.h"
#include "trace/alloc.h"

const struct tv_dump_kind tv_dump_natures[DUMP_NATURES] = {
#define BIT(column) (1u << (column))
#define ENTITY	    (BIT(DUMP_OF) | BIT(DUMP_TYPE) | BIT(DUMP_START))
	{ "Container", PAJE_DEFINE_CONTAINER, PAJE_CREATE, PAJE_NOTHING,
	  BIT(DUMP_PARENT) | BIT(DUMP_TYPE) | BIT(DUMP_NAME),
	  "Nature,Parent,Type,ContainerStart,ContainerEnd,Duration,Name" },
	{ "State", PAJE_DEFINE_STATE, PAJE_PUSH_STATE, PAJE_POP_STATE,
	  ENTITY | BIT(DUMP_END) | BIT(DUMP_VALUE),
	  "Nature,Container,Type,Start,End,Duration,Imbrication,Value" },
	{ "Variable", PAJE_DEFINE_VARIABLE, PAJE_SET_VARIABLE, PAJE_POP_STATE,
	  ENTITY | BIT(DUMP_END) | BIT(DUMP_VALUE),
	  "Nature,Container,Type,Start,End,Duration,Value" },
	{ "Link", PAJE_DEFINE_LINK, PAJE_START_LINK, PAJE_END_LINK,
	  ENTITY | BIT(DUMP_END) | BIT(DUMP_ORIGIN) | BIT(DUMP_DEST) | BIT(DUMP_KEY),
	  "Nature,Container,Type,Start,End,Duration,Value,StartContainer,EndContainer,Key" },
	{ "Event", PAJE_DEFINE_EVENT, PAJE_NEW_EVENT, PAJE_NOTHING, ENTITY,
	  "Nature,Container,Type,Start,Value" },
};

static const struct {
	const char *name;
	enum tv_dump_column column;
} names[] = {
	{ "Nature", DUMP_NATURE },
	{ "Parent", DUMP_PARENT },
	{ "Container", DUMP_OF },
	{ "ResourceId", DUMP_OF },
	{ "Type", DUMP_TYPE },
	{ "Start", DUMP_START },
	{ "End", DUMP_END },
	{ "Imbrication", DUMP_DEPTH },
	{ "Depth", DUMP_DEPTH },
	{ "Value", DUMP_VALUE },
	{ "Name", DUMP_NAME },
	{ "StartContainer", DUMP_ORIGIN },
	{ "Origin", DUMP_ORIGIN },
	{ "EndContainer", DUMP_DEST },
	{ "Dest", DUMP_DEST },
	{ "Key", DUMP_KEY },
	{ "Duration", DUMP_UNUSED },
	/* Of six digits, or fewer than the trace has: a container exists from the first time to the last. */
	{ "ContainerStart", DUMP_UNUSED },
	{ "ContainerEnd", DUMP_UNUSED },
};

size_t tv_dump_split(const char *s, size_t n, struct tv_paje_field *field, size_t max)
{
	const char *end = s + n;

	for (size_t count = 0;; s++) {
		struct tv_paje_field f = { s, 0 };
		const char *stop;

		while (f.s < end && tv_paje_blank(*f.s))
			f.s++;
		stop = f.s < end && *f.s == '"' ? memchr(f.s + 1, '"', (size_t)(end - f.s - 1))
						: NULL;
		if (stop != NULL && (stop + 1 == end || stop[1] == ',')) {
			f.n = (size_t)(stop - ++f.s);
			s = stop + 1;
		} else {
			s = memchr(f.s, ',', (size_t)(end - f.s));
			s = s != NULL ? s : end;
			f.n = (size_t)(s - f.s);
			while (f.n > 0 && tv_paje_blank(f.s[f.n - 1]))
				f.n--;
		}
		if (count < max)
			field[count] = f;
		count++;
		if (s == end)
			return count;
	}
}

bool tv_dump_is(const struct tv_paje_field *field, const char *text)
{
	return field->n == strlen(text) && memcmp(field->s, text, field->n) == 0;
}

int tv_dump_nature(const struct tv_paje_field *field)
{
	int nature = 0;

	while (nature < DUMP_NATURES && !tv_dump_is(field, tv_dump_natures[nature].name))
		nature++;
	return nature;
}

bool tv_dump_is_header(const struct tv_paje_field *field, size_t n)
{
	bool nature = false;

	for (size_t i = 0;
	     i < n && (tv_dump_is(&field[0], "Nature") || tv_dump_is(&field[0], "Parent")); i++)
		nature = nature || tv_dump_is(&field[i], "Nature");
	return nature && n > 3;
}

bool tv_dump_is_title(const struct tv_paje_field *field, size_t n)
{
	return n > 4 && tv_dump_nature(&field[0]) < DUMP_NATURES
	    && tv_dump_is(&field[1], field[0].n == 9 ? "Parent" : "Container")
	    && (tv_dump_is(&field[2], "Type") || tv_dump_is(&field[2], "Variable"));
}

int tv_dump_probe(const char *head, size_t n)
{
	const char *s = head, *end = head + n;
	size_t known = 0, others = 0;

	for (const char *eol; s < end; s = eol + 1) {
		struct tv_paje_field field[6];
		size_t fields;
		int64_t time;

		eol = memchr(s, '\n', (size_t)(end - s));
		if (eol == NULL && known + others > 0)
			break; /* the head may end within it */
		eol = eol != NULL ? eol : end;
		fields = tv_dump_split(s, (size_t)(eol - s), field, TV_COUNT(field));
		if (tv_dump_is_header(field, fields < TV_COUNT(field) ? fields : TV_COUNT(field)))
			return 95;
		if (fields > 4
		    && (tv_dump_is_title(field, fields)
			|| (tv_dump_nature(&field[0]) < DUMP_NATURES
			    && tv_convert_time(field[3].s, field[3].n, 9, &time))))
			known++;
		else
			others += fields > 1 || field[0].n > 0;
	}
	return known <= others ? 0 : others == 0 ? 95 : 60;
}

/* ---- layouts ---- */

void tv_dump_set_layout(struct tv_paje *paje, struct tv_dump_layout *layout,
			const struct tv_paje_field *field, size_t n)
{
	memset(layout, 0xff, sizeof *layout);
	layout->n = n;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < TV_COUNT(names) && !tv_dump_is(&field[i], names[k].name))
			k++;
		if (k == TV_COUNT(names)
		    || (layout->at[names[k].column] != PAJE_ABSENT
			&& names[k].column != DUMP_UNUSED))
			layout->name[i] = field[i].n > 0 ? tv_paje_intern(paje, &field[i])
							 : TV_NONE;
		else
			layout->at[names[k].column] = (uint8_t)i;
	}
}

struct tv_paje_field *tv_dump_field(struct tv_paje *paje, const struct tv_dump_layout *layout,
				    enum tv_dump_column column)
{
	size_t at = layout->at[column];

	return at != PAJE_ABSENT && at < paje->nfields ? &paje->field[at] : NULL;
}

/* The name of the column of such a field; TV_NONE: it is none of the trace's producer. pj_dump has no names for these. */
static uint32_t name_of_extra(struct tv_paje *paje, const struct tv_dump_layout *layout, size_t at)
{
	char *name;
	uint32_t label;

	if (at < layout->n)
		return layout->name[at];
	name = tv_format("Field%zu", at - layout->n + 1);
	label = tv_intern_text(paje->trace->pool, name);
	tv_free(name);
	return label;
}

static uint32_t add_def(struct tv_paje *paje, struct tv_dump_layout *layout,
			enum tv_dump_nature nature, enum tv_paje_kind kind)
{
	struct tv_paje_def *def;

	TV_GROW(paje->def, paje->ndefs, paje->defs_cap, 1);
	def = &paje->def[paje->ndefs++];
	*def = (struct tv_paje_def){ .kind = kind,
				     .nfields = (uint8_t)(paje->nfields - 1),
				     .job = PAJE_ABSENT };
	memset(def->at, PAJE_ABSENT, sizeof def->at);
	if (nature == DUMP_LINK) {
		def->at[PAJE_KEY] = (uint8_t)(layout->at[DUMP_KEY] - 1);
		def->at[PAJE_START] = (uint8_t)(layout->at[DUMP_ORIGIN] - 1);
		def->at[PAJE_END] = (uint8_t)(layout->at[DUMP_DEST] - 1);
	}
	for (size_t i = 1; i < paje->nfields && kind != PAJE_END_LINK; i++) {
		uint32_t name = name_of_extra(paje, layout, i);

		if (name == TV_NONE)
			continue;
		if (strcmp(tv_pool_text(paje->trace->pool, name), "JobId") == 0
		    && nature == DUMP_STATE)
			def->job = def->nextras;
		def->extra[def->nextras] = (uint8_t)(i - 1);
		def->name[def->nextras++] = name;
	}
	return (uint32_t)paje->ndefs - 1;
}

const struct tv_paje_def *tv_dump_def(struct tv_paje *paje, struct tv_dump_layout *layout,
				      enum tv_dump_nature nature)
{
	uint32_t *def = &layout->def[nature][paje->nfields];

	if (*def == TV_NONE) {
		*def = add_def(paje, layout, nature, tv_dump_natures[nature].begins);
		add_def(paje, layout, nature, tv_dump_natures[nature].ends);
	}
	return &paje->def[*def];
}
