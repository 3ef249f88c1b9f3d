/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refused.h -- traces that a verb refuses whatever their tasks are, which are not read then. */
#ifndef TV_REFUSED_H
#define TV_REFUSED_H

#include "cli/cli.h"

/* Whether the file, or the folder, of Parquet has none of the tables of which the pass needs one (tv_pass.refuses_tasks): *err
 * is then what the pass says of it. False also where that is not known without all rows. */
bool tv_refused_early(const struct tv_cli *cli, struct tv_error *err);

#endif
