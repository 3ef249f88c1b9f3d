/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_parts.h -- figures of traces whose rows do not fit into memory: they are read part by part (parts.h). */
#ifndef TV_FIGURE_PARTS_H
#define TV_FIGURE_PARTS_H

#include "cli/figure.h"
#include "cli/part_choice.h"

/* What is read of parts is what this pass declares: it is the verb of the command line then, and computes nothing. */
extern const struct tv_pass tv_figure_pass;

/* Whether parts may be a way to draw a figure of one run; else *why, of TV_PARTS_WHY bytes, says why not. */
bool tv_figure_in_parts(const struct tv_cli *cli, const struct tv_plot_options *options,
			enum tv_medium medium, char *why);
/* Why the parts of a run are not enough for its figure; NULL = they are. */
const char *tv_figure_parts_reason(const struct tv_run *run);

#endif
