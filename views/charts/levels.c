/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.c -- horizontal lines at values that an option lists. */
#include "views/charts/levels.h"

#include <math.h>
#include <string.h>

#include "trace/number.h"

int tv_levels_option(const struct tv_figure *figure, const struct tv_panel *panel,
		     const char *otherwise, const char **levels, struct tv_error *err)
{
	const char *at = tv_panel_option(figure, panel, "levels");
	double value;

	*levels = at != NULL ? at : otherwise;
	for (size_t n; at != NULL && *at != '\0'; at += n + (at[n] == ',')) {
		n = strcspn(at, ",");
		if (tv_parse_double(at, n, &value) != TV_PARSE_OK)
			return tv_fail_usage(err,
					     "--%s.levels '%.*s', expected numbers with commas "
					     "between",
					     panel->name, (int)n, at);
	}
	return 0;
}

double tv_levels_next(const char **at)
{
	size_t n = strcspn(*at, ",");
	double value = NAN;

	if (tv_parse_double(*at, n, &value) != TV_PARSE_OK)
		value = NAN;
	*at += n + ((*at)[n] == ',');
	return value;
}

void tv_levels_draw(struct tv_scene *scene, const struct tv_plane *plane, const char *levels)
{
	for (const char *level = levels; level != NULL && *level != '\0';) {
		double y = tv_levels_next(&level);
		struct tv_point at;

		if ((plane->up.log && !(y > 0)) || !tv_plane_at(plane, plane->across.low, y, &at))
			continue;
		tv_scene_pen(scene, "level", "levels");
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.6;
		tv_scene_line(scene, TV_PAGE, plane->x, at.y, plane->x + plane->width, at.y);
	}
}
