/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paragraphs.c -- paragraphs above a figure. */
#include "views/page/paragraphs.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

enum { PARAGRAPH_MAX = 4096 }; /* bytes that are shown */

/* Bytes of the next line of a text: as many words as fit, and of a longer word what fits. */
static size_t measure_line(struct tv_scene *scene, const char *text, bool bold, double width)
{
	char line[PARAGRAPH_MAX];
	size_t fits = 0, n = 0;

	while (text[n] != '\0') {
		size_t word = strspn(text + n, " ")
			    + strcspn(text + n + strspn(text + n, " "), " ");

		memcpy(line, text, n + word);
		line[n + word] = '\0';
		if (tv_text_width(scene->text, line, TV_TEXT_SIZE, bold) > width)
			break;
		n += word;
	}
	if (n > 0)
		return n;
	for (n = 1; text[n] != '\0' && text[n] != ' '; n++) {
		if (((unsigned char)text[n] & 0xc0) == 0x80) /* within a character */
			continue;
		memcpy(line, text, n);
		line[n] = '\0';
		if (tv_text_width(scene->text, line, TV_TEXT_SIZE, bold) > width)
			break;
		fits = n;
	}
	return fits > 0 ? fits : n;
}

static double draw_paragraph(struct tv_figure *figure, const struct tv_lead *lead, double y)
{
	struct tv_scene *scene = figure->scene;
	char clean[PARAGRAPH_MAX], line[PARAGRAPH_MAX];
	const char *text = tv_clean_text(clean, sizeof clean, lead->text);

	while (*text != '\0') {
		size_t n = measure_line(scene, text, lead->bold, figure->width);

		memcpy(line, text, n);
		line[n] = '\0';
		tv_scene_text(scene, figure->x, y + TV_LINE_HEIGHT / 2, TV_LEFT, TV_TEXT_SIZE,
			      lead->bold, line);
		y += TV_LINE_HEIGHT;
		text += n;
		text += strspn(text, " ");
	}
	return y;
}

double tv_lead_draw(struct tv_figure *figure, double y)
{
	const struct tv_plot_options *options = figure->options;

	if (options->nlead == 0)
		return y;
	tv_figure_part(figure, "lead", false);
	tv_scene_pen(figure->scene, "lead", "lead");
	figure->scene->pen.fill = TV_INK;
	for (size_t i = 0; i < options->nlead; i++)
		y = draw_paragraph(figure, &options->lead[i], y);
	return y + TV_LINE_HEIGHT / 2;
}
