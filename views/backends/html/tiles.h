/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiles.h -- the tasks of a chart in many small files, of which a viewer loads those that it shows.
 *
 * A tile has the tasks of a stretch of time in a band of rows: if they are few, as tasks; else the
 * shares of their types in its cells, and its two halves are tiles, too. README.md has the format.
 */
#ifndef TV_HTML_TILES_H
#define TV_HTML_TILES_H

#include "trace/table.h"
#include "views/backends/html/html.h"

enum {
	TV_TILE_ROWS = 256,    /* of a band; in the levels above twice as many, and shares alone */
	TV_TILE_TASKS = 4096,  /* of which more begin in a tile than this are shares */
	TV_TILE_BYTES = 50000, /* of a file; more only where halves would not have fewer tasks */
	TV_TILE_BANDS = 2,     /* that are shown together; of more, those of the level above are */
};

/*
 * Writes the tasks of a chart, which are rows of `tasks`, as tile-NUMBER.js in a folder, adds the member
 * "tiles" to html->header, and takes them out of the scene. Cost O(tasks * depth) time, O(tasks) memory.
 */
int tv_html_tiles(struct tv_html *html, struct tv_scene *scene, size_t chart,
		  const struct tv_table *tasks, const struct tv_output_folder *folder,
		  struct tv_error *err) TV_MUST_CHECK;

/* A folder that tiles may replace: one of tiles, an empty one, none. Else a wrong use (--tiles). */
int tv_html_tiles_check(const char *path, struct tv_error *err) TV_MUST_CHECK;

#endif
