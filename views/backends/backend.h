/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backend.h -- what writes a scene as bytes. 0, or -1 with *err; failed writes show at commit. */
#ifndef TV_BACKEND_H
#define TV_BACKEND_H

#include "trace/output.h"
#include "views/scene/scene.h"

enum { TV_METADATA_MAX = 8192 }; /* bytes of a text about the file, with its NUL */

/* Metadata of the output. */
struct tv_metadata {
	const char *title;   /* any bytes; NULL = none */
	const char *creator; /* "traceviz 1.0"; NULL = none */
	const char *command; /* what drew the figure, any bytes; NULL = none */
	int64_t date;	     /* seconds since 1970; 0 = none */
};

/* One page for each of n scenes. */
int tv_write_pdf(const struct tv_scene *scene, unsigned n, const struct tv_metadata *about,
		 struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
int tv_write_png(const struct tv_scene *scene, const struct tv_metadata *about,
		 struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/* The same image without metadata, as base 64. */
int tv_write_png_base64(const struct tv_scene *scene, struct tv_output *out,
			struct tv_error *err) TV_MUST_CHECK;
int tv_write_svg(const struct tv_scene *scene, const struct tv_metadata *about,
		 struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/* One CSV row per shape: Shape,Frame,Class,Group,Label,Row,X,Y,Width,Height,Fill,Stroke,Text. */
int tv_write_boxes(const struct tv_scene *scene, const struct tv_metadata *about,
		   struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;

#endif
