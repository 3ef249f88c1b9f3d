/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_parts.h -- figures of traces whose rows do not fit into memory: they are read part by part (parts.h). */
#ifndef TV_FIGURE_PARTS_H
#define TV_FIGURE_PARTS_H

#include "cli/figure.h"
#include "cli/part_choice.h"

/* What is read of parts: what the passes declare that the figure and its panels ask for. It is the verb of the command line then,
 * and computes nothing. */
struct tv_figure_pass {
	struct tv_pass pass;
	char *needs, *columns, *parted, *later; /* of it */
};

/* Of a figure that is drawn so. Release it in any case. */
void tv_figure_pass_init(struct tv_figure_pass *figure, const struct tv_plot_options *options,
			 enum tv_medium medium);
void tv_figure_pass_release(struct tv_figure_pass *figure); /* safe on a zeroed struct */

/* Whether parts may be a way to draw a figure of one run; else *why, of TV_PARTS_WHY bytes, says why not. */
bool tv_figure_in_parts(const struct tv_cli *cli, const struct tv_plot_options *options,
			enum tv_medium medium, char *why);
/* Why the parts of a run are not enough for its figure; NULL = they are. */
const char *tv_figure_parts_reason(const struct tv_run *run);
/* Before it is drawn: the passes of its panels may share readings (tv_pass.expect), if there is room for what they keep. */
void tv_figure_expect(const struct tv_plot_options *options, struct tv_run *run);

#endif
