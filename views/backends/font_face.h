/* SPDX-License-Identifier: GPL-3.0-or-later */
/* font_face.h -- the font of a scene inside a file, so that no reader's machine needs it. */
#ifndef TV_FONT_FACE_H
#define TV_FONT_FACE_H

#include <stdbool.h>

#include "trace/output.h"
#include "views/scene/scene.h"

/*
 * Writes CSS, one @font-face for each weight that the scene's texts have, which contains what these texts
 * need of the font; viewer: both weights, also with what a viewer writes (ASCII and a few signs). Writes
 * nothing where the program was built without harfbuzz-subset.
 */
int tv_write_font_faces(const struct tv_scene *scene, bool viewer, struct tv_output *out,
			struct tv_error *err) TV_MUST_CHECK;

#endif
