/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.h -- lines of text in the shipped font.
 *
 * Fontconfig is given the two embedded files and nothing else, so no file of the system, no cache
 * and no variable of the environment matters, and hinting is off: a text has the same width
 * everywhere. The font, Liberation Sans, has the metrics of Arial and Helvetica, so SVG text keeps
 * its place in a viewer that uses neither it nor the one in the file. A font that the user chose is looked
 * up in the system's configuration; characters that it lacks come from the shipped one.
 */
#ifndef TV_TEXT_H
#define TV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/error.h"

#define TV_FONT_FAMILY	  "Liberation Sans"
#define TV_FONT_FALLBACKS "Arial, Helvetica, sans-serif"
#define TV_TEXT_SIZE	  7.0 /* points, of normal text */
#define TV_TEXT_SMALL	  6.0 /* and of the smallest */
/* Height above and below the baseline that a line of text needs, as shares of its size. */
#define TV_TEXT_ASCENT	0.74
#define TV_TEXT_DESCENT 0.21
#define TV_TEXT_HEIGHT	(TV_TEXT_ASCENT + TV_TEXT_DESCENT)
/* Middle of capitals and figures above the baseline: where a line of text appears centered. */
#define TV_TEXT_MIDDLE 0.358

struct tv_text;
struct _cairo;
struct hb_face_t;

/* Formats into new memory, as tv_clean_text makes it. */
char *tv_clean_format(const char *format, ...)
	__attribute__((format(printf, 1, 2), returns_nonnull));

/* family: a font of the system, or NULL for the shipped one. NULL with *err when the font cannot be loaded
 * (memory; no memfd or /proc), status TV_USAGE when the system has none of that name. */
struct tv_text *tv_text_new(const char *family, struct tv_error *err);
/* The name of its font. */
const char *tv_text_family(const struct tv_text *text);
/* HarfBuzz's view of the font; NULL: no memory. Owned by the text. */
struct hb_face_t *tv_text_face(struct tv_text *text, bool bold);
/* Whether a text was measured or drawn without its font: no memory. */
bool tv_text_failed(const struct tv_text *text);
void tv_text_free(struct tv_text *text); /* accepts NULL */

/* Width in points. The text is as tv_clean_text makes it. Cost when measured before: a
 * look-up. */
double tv_text_width(struct tv_text *text, const char *string, double size, bool bold);
/* Shortens the text in its middle with an ellipsis until it is at most `width` wide. out: of
 * `capacity` >= 16 bytes. Returns out. */
const char *tv_text_fit(struct tv_text *text, const char *string, double size, bool bold,
			double width, char *out, size_t capacity);
/* Draws with the current source; x is the left end, y the baseline, in points. For back ends. */
void tv_text_draw(struct tv_text *text, struct _cairo *cr, const char *string, double size,
		  bool bold, double x, double y);

#endif
