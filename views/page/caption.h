/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * caption.h -- the numbers of a figure as TeX commands, for captions and text that never disagree
 * with it.
 */
#ifndef TV_CAPTION_H
#define TV_CAPTION_H

#include "trace/output.h"
#include "views/shared/figure.h"

/*
 * Appends one \newcommand per number that the header, the legend, the rows' idleness and the
 * titles and keys of panels print (views/shared/printed.h), in the same digits, without its unit,
 * which is a command of its own where it depends on the size of the number. Names begin with
 * options->caption_name and are of letters only: digits are spelled out, what else is no letter
 * starts a capital, names that would be equal end in B, C, ... The figure is laid out. The same
 * figure gives the same bytes. 0, or -1 with *err on memory.
 */
void tv_caption_write(const struct tv_figure *figure, size_t n, struct tv_output *out);

#endif
