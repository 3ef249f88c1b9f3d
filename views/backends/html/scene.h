/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.h -- an exact scene as members of the header and columns. */
#ifndef TV_HTML_SCENE_H
#define TV_HTML_SCENE_H

#include "views/backends/html/html.h"

/* Adds the member "scene" and the columns of its shapes, charts, images and strings: all strings
 * that there are until then. */
void tv_html_scene(struct tv_html *html);

#endif
