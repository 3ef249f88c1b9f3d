/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c -- Pango over a font configuration of two embedded fonts, and one that the user chose. */
#include "views/scene/text.h"

#include <fontconfig/fontconfig.h>
#include <hb.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/alloc.h"
#include "trace/pool.h"
#include "trace/text.h"
#include "trace/unfinished.h"

extern const char tv_font_regular_begin[], tv_font_regular_end[];
extern const char tv_font_bold_begin[], tv_font_bold_end[];

enum { NFONTS = 2 };

/* The fonts of the process, loaded once: a thread of Pango's may still work for the font map when a page is
 * done, so that it is never freed. */
static struct fonts {
	int fd[NFONTS];			       /* the font files, open as long as they are used */
	struct tv_unfinished *on_disk[NFONTS]; /* without /proc, until the program ends */
	FcConfig *config;
	PangoFontMap *map; /* NULL = not loaded */
} fonts = { .fd = { -1, -1 } };

struct tv_text {
	PangoContext *context;
	PangoLayout *layout;
	char *family;
	PangoFontDescription *font[NFONTS];
	PangoFont *loaded[NFONTS];    /* those of tv_text_face; NULL = not asked for */
	struct tv_pool *seen[NFONTS]; /* texts measured so far; width[k][id] is at size 1 */
	double *width[NFONTS];
	size_t widths[NFONTS];
	bool failed; /* a text was shown without its font */
};

/* A new, empty font file and its path, which the caller frees; NULL if there can be none. */
static char *make_file(int i, const char *folder)
{
	const char *temporary = getenv("TMPDIR");
	char *beside, *path = NULL;

	if (access(folder, X_OK) == 0) {
		fonts.fd[i] = memfd_create("font", MFD_CLOEXEC);
		return fonts.fd[i] < 0 ? NULL : tv_format("%s/%d", folder, fonts.fd[i]);
	}
	beside = tv_format("%s/font",
			   temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp");
	fonts.on_disk[i] = tv_unfinished_file(beside, false, &fonts.fd[i]);
	if (fonts.on_disk[i] != NULL)
		path = tv_strdup(fonts.on_disk[i]->path);
	tv_free(beside);
	return path;
}

/*
 * FreeType, fontconfig and HarfBuzz each open a font by its path, so it gets one: that of a file in
 * memory, or of a temporary one, where files in memory have no path because /proc is missing. Cairo remembers
 * fonts by path beyond our life time, so the path of one is never the other's, whatever their numbers.
 */
static int add_font(int i, const char *folder, const char *begin, const char *end)
{
	char *path = make_file(i, folder);
	int rc = -1;

	if (path != NULL && write(fonts.fd[i], begin, (size_t)(end - begin)) == end - begin
	    && FcConfigAppFontAddFile(fonts.config, (const FcChar8 *)path))
		rc = 0;
	tv_free(path);
	return rc;
}

static void drop_fonts(void)
{
	for (int i = 0; i < NFONTS; i++) {
		tv_unfinished_end(fonts.on_disk[i], true);
		if (fonts.fd[i] >= 0)
			close(fonts.fd[i]);
	}
	if (fonts.config != NULL)
		FcConfigDestroy(fonts.config);
	fonts = (struct fonts){ .fd = { -1, -1 } };
}

static int find_fonts(void)
{
	const FcFontSet *found;

	fonts.config = FcConfigCreate();
	if (fonts.config == NULL)
		return -1;
	if (add_font(0, "/proc/self/fd", tv_font_regular_begin, tv_font_regular_end) < 0
	    || add_font(1, "/proc/self/./fd", tv_font_bold_begin, tv_font_bold_end) < 0)
		return -1;
	/* Fontconfig reports success also when it had no memory to keep a font. */
	found = FcConfigGetFonts(fonts.config, FcSetApplication);
	if (found == NULL || found->nfont != NFONTS)
		return -1;
	/* Pango initializes the current configuration in a thread; given ours, it never reads the
	 * system's. */
	return FcConfigSetCurrent(fonts.config) ? 0 : -1;
}

static int load_fonts(void)
{
	if (fonts.map != NULL)
		return 0;
	if (find_fonts() == 0)
		fonts.map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
	if (fonts.map == NULL) {
		drop_fonts();
		return -1;
	}
	pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts.map), fonts.config);
	if (fonts.on_disk[0] != NULL)
		atexit(tv_unfinished_remove_all);
	return 0;
}

static int set_up_pango(struct tv_text *text)
{
	cairo_font_options_t *options;
	PangoAttrList *attributes;

	text->context = pango_font_map_create_context(fonts.map);
	options = cairo_font_options_create();
	if (cairo_font_options_status(options) != CAIRO_STATUS_SUCCESS)
		return -1;
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	pango_cairo_context_set_font_options(text->context, options);
	cairo_font_options_destroy(options);
	pango_cairo_context_set_resolution(text->context, 72);
	pango_context_set_round_glyph_positions(text->context, FALSE);
	pango_context_set_language(text->context, pango_language_from_string("en"));
	text->layout = pango_layout_new(text->context);
	pango_layout_set_single_paragraph_mode(text->layout, TRUE);
	pango_layout_set_auto_dir(text->layout, FALSE);
	/* The font kerns "11", which would make its figures unequal in columns. */
	attributes = pango_attr_list_new();
	pango_attr_list_insert(attributes, pango_attr_font_features_new("kern=0, liga=0"));
	pango_layout_set_attributes(text->layout, attributes);
	pango_attr_list_unref(attributes);
	for (int i = 0; i < NFONTS; i++) {
		text->font[i] = pango_font_description_new();
		pango_font_description_set_family(text->font[i], text->family);
		pango_font_description_set_weight(text->font[i],
						  i ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
		text->seen[i] = tv_pool_new();
		if (text->seen[i] == NULL)
			return -1;
	}
	return 0;
}

/* Adds the file of the system's font of that family and weight to the fonts of the process. */
static int add_system_font(FcConfig *system, const char *family, int weight, struct tv_error *err)
{
	FcPattern *wanted = FcPatternBuild(NULL, FC_FAMILY, FcTypeString, family, FC_WEIGHT,
					   FcTypeInteger, weight, FC_SCALABLE, FcTypeBool, FcTrue,
					   NULL);
	FcPattern *found = NULL;
	FcChar8 *name = NULL, *path = NULL;
	FcResult result;
	int rc = -1;

	if (wanted != NULL && FcConfigSubstitute(system, wanted, FcMatchPattern)) {
		FcDefaultSubstitute(wanted);
		found = FcFontMatch(system, wanted, &result);
	}
	for (int i = 0; rc < 0 && found != NULL
			&& FcPatternGetString(found, FC_FAMILY, i, &name) == FcResultMatch;
	     i++)
		if (FcStrCmpIgnoreCase(name, (const FcChar8 *)family) == 0)
			rc = 0;
	if (rc < 0) {
		if (found == NULL
		    || FcPatternGetString(found, FC_FAMILY, 0, &name) != FcResultMatch)
			name = NULL;
		tv_fail_usage(
			err,
			"no font '%s' on this machine, expected a name that fc-list prints%s%s%s",
			family, name != NULL ? " (the nearest: '" : "",
			name != NULL ? (const char *)name : "", name != NULL ? "')" : "");
	} else if (FcPatternGetString(found, FC_FILE, 0, &path) != FcResultMatch
		   || !FcConfigAppFontAddFile(fonts.config, path)) {
		rc = tv_fail(err, "cannot load the font '%s'", family);
	}
	if (wanted != NULL)
		FcPatternDestroy(wanted);
	if (found != NULL)
		FcPatternDestroy(found);
	return rc;
}

static int add_family(const char *family, struct tv_error *err)
{
	FcConfig *system = FcInitLoadConfigAndFonts();
	int rc = system == NULL ? tv_fail(err, "cannot read the configuration of fonts") : 0;

	if (rc == 0)
		rc = add_system_font(system, family, FC_WEIGHT_REGULAR, err);
	if (rc == 0)
		rc = add_system_font(system, family, FC_WEIGHT_BOLD, err);
	if (rc == 0)
		pango_fc_font_map_config_changed(PANGO_FC_FONT_MAP(fonts.map));
	if (system != NULL)
		FcConfigDestroy(system);
	return rc;
}

struct tv_text *tv_text_new(const char *family, struct tv_error *err)
{
	struct tv_text *text = tv_alloc(1, sizeof *text);
	bool shipped = family == NULL || strcmp(family, TV_FONT_FAMILY) == 0;
	int rc = load_fonts();

	text->family = tv_strdup(shipped ? TV_FONT_FAMILY : family);
	if (rc == 0 && !shipped && add_family(family, err) < 0) {
		tv_text_free(text);
		return NULL;
	}
	if (rc == 0 && set_up_pango(text) == 0)
		return text;
	tv_text_free(text);
	tv_fail(err,
		"cannot load the font of the figures (no memory, or no room in the folder TMPDIR)");
	return NULL;
}

const char *tv_text_family(const struct tv_text *text)
{
	return text->family;
}

struct hb_face_t *tv_text_face(struct tv_text *text, bool bold)
{
	if (text->loaded[bold] == NULL)
		text->loaded[bold] = pango_font_map_load_font(fonts.map, text->context,
							      text->font[bold]);
	return text->loaded[bold] == NULL
		     ? NULL
		     : hb_font_get_face(pango_font_get_hb_font(text->loaded[bold]));
}

static void set_text(struct tv_text *text, const char *string, double size, bool bold)
{
	PangoFontDescription *font = text->font[bold];

	pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
	pango_layout_set_font_description(text->layout, font);
	/* Names come from traces, and a text that was cut may end within a letter. */
	if (g_utf8_validate(string, -1, NULL)) {
		pango_layout_set_text(text->layout, string, -1);
	} else {
		char *valid = g_utf8_make_valid(string, -1);

		pango_layout_set_text(text->layout, valid, -1);
		g_free(valid);
	}
}

/* The first line of the layout. Without memory for a font Pango draws boxes and reports nothing. */
static PangoLayoutLine *line_of(struct tv_text *text)
{
	PangoLayoutLine *line = pango_layout_get_line_readonly(text->layout, 0);

	for (GSList *run = line->runs; run != NULL; run = run->next) {
		PangoFont *font = ((PangoGlyphItem *)run->data)->item->analysis.font;
		cairo_scaled_font_t *scaled = PANGO_IS_CAIRO_FONT(font)
						    ? pango_cairo_font_get_scaled_font(
							    PANGO_CAIRO_FONT(font))
						    : NULL;

		if (scaled == NULL || cairo_scaled_font_status(scaled) != CAIRO_STATUS_SUCCESS)
			text->failed = true;
	}
	return line;
}

bool tv_text_failed(const struct tv_text *text)
{
	return text->failed;
}

/* Measured at 100 points: Pango counts in 1/1024 point, and without hinting widths scale. */
static double measure(struct tv_text *text, const char *string, bool bold)
{
	PangoRectangle logical;

	set_text(text, string, 100, bold);
	pango_layout_get_extents(text->layout, NULL, &logical);
	line_of(text);
	return logical.width / (100.0 * PANGO_SCALE);
}

void tv_text_free(struct tv_text *text)
{
	if (text == NULL)
		return;
	for (int i = 0; i < NFONTS; i++) {
		if (text->font[i] != NULL)
			pango_font_description_free(text->font[i]);
		g_clear_object(&text->loaded[i]);
		tv_pool_free(text->seen[i]);
		tv_free(text->width[i]);
	}
	tv_free(text->family);
	g_clear_object(&text->layout);
	g_clear_object(&text->context);
	tv_free(text);
}

double tv_text_width(struct tv_text *text, const char *string, double size, bool bold)
{
	uint32_t known = tv_pool_find_text(text->seen[bold], string), id;

	if (known != TV_NONE && known < text->widths[bold] && text->width[bold][known] >= 0)
		return text->width[bold][known] * size;
	id = tv_intern_text(text->seen[bold], string);
	if (id != TV_NONE && id >= text->widths[bold]) {
		size_t cap = text->widths[bold];

		TV_GROW(text->width[bold], text->widths[bold], cap, id + 1 - text->widths[bold]);
		for (size_t i = text->widths[bold]; i < cap; i++)
			text->width[bold][i] = -1;
		text->widths[bold] = cap;
	}
	text->width[bold][id] = measure(text, string, bold);
	return text->width[bold][id] * size;
}

static bool inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Whether a cut between string[i - 1] and string[i] would leave a part of a number, which would be
 * another one. */
static bool inside_number(const char *string, size_t i)
{
	static const char digits[] = "0123456789";
	bool before, after;

	if (i == 0 || string[i] == '\0')
		return false;
	before = strchr(digits, string[i - 1]) != NULL;
	after = strchr(digits, string[i]) != NULL;
	if (before && (string[i] == '.' || string[i] == ','))
		return string[i + 1] != '\0' && strchr(digits, string[i + 1]) != NULL;
	if (after && strchr(".,-+", string[i - 1]) != NULL)
		return true;
	return before && after;
}

char *tv_clean_format(const char *format, ...)
{
	va_list args;
	char *raw, *text;
	size_t size;

	va_start(args, format);
	raw = tv_format_list(format, args);
	va_end(args);
	size = strlen(raw) + 1;
	text = tv_clean_text(tv_alloc(size, 1), size, raw);
	tv_free(raw);
	return text;
}

/* Numbers are at the end of names, so the text is cut before the last part. */
const char *tv_text_fit(struct tv_text *text, const char *string, double size, bool bold,
			double width, char *out, size_t capacity)
{
	static const char dots[] = "\xe2\x80\xa6";
	size_t n = strlen(string), head, tail;

	if (n < capacity && tv_text_width(text, string, size, bold) <= width) {
		memcpy(out, string, n + 1);
		return out;
	}
	head = n * 3 / 5 < capacity / 2 ? n * 3 / 5 : capacity / 2;
	tail = n - head > capacity / 2 - sizeof dots ? n - (capacity / 2 - sizeof dots) : head;
	for (;;) {
		while (head > 0 && (inside_character(string[head]) || inside_number(string, head)))
			head--;
		while (tail < n && (inside_character(string[tail]) || inside_number(string, tail)))
			tail++;
		memcpy(out, string, head);
		memcpy(out + head, dots, sizeof dots - 1);
		memcpy(out + head + sizeof dots - 1, string + tail, n - tail + 1);
		if ((head == 0 && tail == n) || measure(text, out, bold) * size <= width)
			return out;
		/* Three of five characters that stay are the first ones. */
		if (head > 0 && (head * 2 > (n - tail) * 3 || tail == n))
			head--;
		else
			tail++;
	}
}

void tv_text_draw(struct tv_text *text, cairo_t *cr, const char *string, double size, bool bold,
		  double x, double y)
{
	set_text(text, string, size, bold);
	cairo_move_to(cr, x, y);
	pango_cairo_show_layout_line(cr, line_of(text));
}
