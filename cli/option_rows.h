/* SPDX-License-Identifier: GPL-3.0-or-later */
/* option_rows.h -- the table of the options that several verbs share, or that fill struct tv_cli. */
#ifndef TV_OPTION_ROWS_H
#define TV_OPTION_ROWS_H

#include "cli/cli.h"

/* In the mask of verbs that take an option: it does not change the picture; without a figure it has
 * no effect; verbs that take a trace have it, and `help input` lists it; it may be given several times,
 * as a setting of the figure or as what tv_cli_set_code or tv_cli_parse does. */
enum {
	TV_MASK_OUTSIDE = 1 << 16,
	TV_MASK_OF_FIGURE = 1 << 17,
	TV_MASK_INPUT = 1 << 18,
	TV_MASK_SETTING = 1 << 19,
	TV_MASK_ACTION = 1 << 20
};
#define TV_MASK_FIGURE (TV_TAKES_PLOT | TV_TAKES_COMPARE | TV_MASK_OF_FIGURE)

/* Those of a verb alone are beside it, as tv_simulate_options. */
extern const struct tv_option_spec tv_shared_options[];
extern const size_t tv_nshared_options;

#endif
