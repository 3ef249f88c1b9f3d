/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backend.h -- what writes a scene as bytes. 0, or -1 with *err; failed writes show at commit. */
#ifndef TV_BACKEND_H
#define TV_BACKEND_H

#include "views/plot.h"

/* One page for each of n scenes. */
int tv_write_pdf(const struct tv_scene *scene, unsigned n, const struct tv_plot_options *options,
		 struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
int tv_write_png(const struct tv_scene *scene, const struct tv_plot_options *options,
		 struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
int tv_write_svg(const struct tv_scene *scene, const struct tv_plot_options *options,
		 struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/* One CSV row per shape: Shape,Frame,Class,Group,Label,Row,X,Y,Width,Height,Fill,Stroke,Text. */
int tv_write_boxes(const struct tv_scene *scene, const struct tv_plot_options *options,
		   struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;

#endif
