/* SPDX-License-Identifier: GPL-3.0-or-later */
/* font_face.c -- the glyphs that a scene uses, by HarfBuzz's subsetter, as base 64. */
#include "views/backends/font_face.h"
#include "views/backends/escape.h"

#ifndef TV_HAVE_SUBSET
int tv_write_font_faces(const struct tv_scene *scene, bool viewer, struct tv_output *out,
			struct tv_error *err)
{
	(void)scene, (void)viewer, (void)out, (void)err;
	return 0;
}
#else
#include <glib.h>
#include <hb-subset.h>
#include <string.h>

#include "views/backends/base64.h"

/* The characters of the scene's texts of that weight. */
static void add_characters(const struct tv_scene *scene, bool bold, hb_set_t *characters)
{
	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		const char *text = tv_pool_text(scene->strings, shape->first);

		if (shape->kind != TV_SHAPE_TEXT || shape->bold != bold)
			continue;
		for (const char *end = text + strlen(text); text < end;) {
			gunichar c = g_utf8_get_char_validated(text, end - text);
			bool valid = c
				  <= 0x10ffff; /* a text that was cut may end within a letter */

			if (valid)
				hb_set_add(characters, c);
			text = valid ? g_utf8_next_char(text) : text + 1;
		}
	}
}

/* Without what the SVG switches off (kerning, ligatures) and without hints, which are half of the bytes. */
static void leave_out(hb_subset_input_t *input)
{
	static const hb_tag_t table[] = { HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'),
					  HB_TAG('G', 'D', 'E', 'F'), HB_TAG('k', 'e', 'r', 'n') };

	for (size_t i = 0; i < TV_COUNT(table); i++)
		hb_set_add(hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG), table[i]);
	hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING);
}

/* Signs of the viewer's texts besides ASCII. */
static void add_signs(hb_set_t *characters)
{
	static const hb_codepoint_t sign[] = { 0xb0,   0xb5,   0xb7,   0xd7,
					       0x2013, 0x2026, 0x202f, 0x2212 };

	hb_set_add_range(characters, ' ', '~');
	for (size_t i = 0; i < TV_COUNT(sign); i++)
		hb_set_add(characters, sign[i]);
}

static int write_face(const struct tv_scene *scene, bool bold, bool viewer,
		      hb_subset_input_t *input, struct tv_output *out)
{
	struct tv_base64 base64 = { .out = out };
	hb_set_t *characters = hb_subset_input_unicode_set(input);
	hb_face_t *part;
	hb_blob_t *blob;
	unsigned n;
	const char *bytes;

	add_characters(scene, bold, characters);
	if (viewer)
		add_signs(characters);
	if (hb_set_is_empty(characters))
		return 0;
	leave_out(input);
	part = hb_subset_or_fail(tv_text_face(scene->text, bold), input);
	blob = hb_face_reference_blob(part != NULL ? part : hb_face_get_empty());
	bytes = hb_blob_get_data(blob, &n);
	if (n > 0) {
		tv_output_text(out, "@font-face{font-family:'");
		tv_write_escaped(out, tv_text_family(scene->text));
		tv_output_format(out, "';font-weight:%s;src:url(data:font/ttf;base64,",
				 bold ? "bold" : "normal");
		tv_base64_write(&base64, bytes, n);
		tv_base64_end(&base64);
		tv_output_text(out, ")}\n");
	}
	hb_blob_destroy(blob);
	hb_face_destroy(part);
	return n > 0 ? 0 : -1;
}

int tv_write_font_faces(const struct tv_scene *scene, bool viewer, struct tv_output *out,
			struct tv_error *err)
{
	int rc = 0;

	for (int bold = 0; bold < 2 && rc == 0; bold++) {
		hb_subset_input_t *input = hb_subset_input_create_or_fail();

		rc = input != NULL ? write_face(scene, bold, viewer, input, out) : -1;
		hb_subset_input_destroy(input);
	}
	return rc == 0 ? 0 : tv_fail(err, "cannot draw: no memory for a font");
}
#endif
