/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawn.h -- the space-time panel of a sample, drawn with options. */
#ifndef TV_DRAWN_H
#define TV_DRAWN_H

#include "tests/unit/figure.h"

enum { SETTINGS_MAX = 6 };

struct drawn {
	struct tv_text *text;
	struct tv_scene scene;
};

/* pair: names and values of options of the panel, ended by NULL. */
static inline struct tv_plot_options drawn_options(struct tv_setting *setting,
						   const char *const *pair)
{
	static const char *const panel[] = { "spacetime" };
	struct tv_plot_options options = { .panel = panel, .npanels = 1, .setting = setting };

	for (; *pair != NULL; pair += 2)
		setting[options.nsettings++] = (struct tv_setting){ "spacetime", pair[0], pair[1] };
	return options;
}

static inline void draw(struct drawn *d, struct sample *s, double width, double cell,
			const char *const *pair)
{
	struct tv_setting setting[SETTINGS_MAX];
	struct tv_plot_options options = drawn_options(setting, pair);

	options.width_in = width;
	d->text = figure_text();
	figure_scene(s, &options, d->text, cell, &d->scene);
}

static inline void undraw(struct drawn *d)
{
	tv_scene_release(&d->scene);
	tv_text_free(d->text);
}

static inline unsigned count(const struct tv_scene *scene, const char *class)
{
	unsigned n = 0;

	for (size_t i = 0; i < scene->n; i++)
		n += shape_is(scene, &scene->shape[i], class);
	return n;
}

#endif
