/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h -- scenes of small traces, for the tests of the views. */
#ifndef TV_FIGURE_H
#define TV_FIGURE_H

#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

#include "trace/alloc.h"
#include "views/page/plot.h"

/* A growing CSV of tasks. */
struct tasks {
	char *text;
	size_t n, cap;
	unsigned rows;
};

static inline void tasks_begin(struct tasks *t)
{
	static const char header[] = "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType\n";

	*t = (struct tasks){ .n = sizeof header - 1 };
	TV_GROW(t->text, 0, t->cap, 4096);
	memcpy(t->text, header, sizeof header);
}

/* Times in ns. The resource's type is its name up to the first digit. */
static inline void tasks_add(struct tasks *t, const char *node, const char *resource,
			     const char *type, const char *kind, int64_t start, int64_t end)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX], line[1024];
	int n;

	tv_write_ms(from, start);
	tv_write_ms(to, end);
	n = snprintf(line, sizeof line, "%s,%s,%s,%s,%u,%s,%s,%.*s\n", resource, type, from, to,
		     t->rows++, kind, node, (int)strcspn(resource, "0123456789_"), resource);
	assert_true(n > 0 && (size_t)n < sizeof line);
	TV_GROW(t->text, t->n, t->cap, (size_t)n + 1);
	memcpy(t->text + t->n, line, (size_t)n + 1);
	t->n += (size_t)n;
}

static inline void tasks_sample(struct tasks *t, struct sample *s)
{
	sample_make(s, t->text);
	tv_free(t->text);
}

static inline struct tv_text *figure_text(void)
{
	struct tv_error err = { 0 };
	struct tv_text *text = tv_text_new(NULL, &err);

	if (text == NULL)
		fail_msg("%s", err.text);
	return text;
}

static inline void figure_scene(struct sample *s, const struct tv_plot_options *options,
				struct tv_text *text, double cell, struct tv_scene *scene)
{
	if (tv_plot_scene(&s->run, options, text, cell, false, scene, &s->err) < 0)
		fail_msg("%s", s->err.text);
}

static inline bool shape_is(const struct tv_scene *scene, const struct tv_shape *shape,
			    const char *class)
{
	return strcmp(tv_pool_text(scene->strings, shape->class), class) == 0;
}

/* What holds in every scene: text stays on the page and apart from other text, nothing is too small
 * to read. */
static inline void check_scene(const struct tv_scene *scene, const char *name)
{
	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *a = &scene->shape[i];

		if (a->stroke != TV_NO_COLOR && (double)a->width < 0.4 - 1e-6)
			fail_msg("%s: a line of %g pt", name, (double)a->width);
		if (a->kind != TV_SHAPE_TEXT)
			continue;
		if ((double)a->width < 6)
			fail_msg("%s: text of %g pt", name, (double)a->width);
		if (a->x0 < -0.01 || a->y0 < -0.01 || a->x1 > scene->width + 0.01
		    || a->y1 > scene->height + 0.01)
			fail_msg("%s: '%s' leaves the page: %g %g %g %g of %g %g", name,
				 tv_pool_text(scene->strings, a->first), a->x0, a->y0, a->x1, a->y1,
				 scene->width, scene->height);
		for (size_t k = 0; k < i; k++) {
			const struct tv_shape *b = &scene->shape[k];

			if (b->kind == TV_SHAPE_TEXT && a->x0 < b->x1 - 0.01 && b->x0 < a->x1 - 0.01
			    && a->y0 < b->y1 - 0.01 && b->y0 < a->y1 - 0.01)
				fail_msg("%s: '%s' and '%s' overlap", name,
					 tv_pool_text(scene->strings, a->first),
					 tv_pool_text(scene->strings, b->first));
		}
	}
}

#endif
