/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unread.h -- the tables and columns that a command does not read: tv_read_options. */
#ifndef TV_UNREAD_H
#define TV_UNREAD_H

#include "cli/cli.h"
#include "views/shared/panel.h"

/* The tables that the selection is compared with (tv_select_check), and where regions are: a bit each. */
unsigned tv_selected_from(const struct tv_cli *cli);
/* For the verb of a pass: those that its row does not declare (tv_pass.needs). */
unsigned tv_unread_by_pass(const struct tv_cli *cli);
/* The tables that it reads besides tasks, with any options: a bit each. */
unsigned tv_needed_by_pass(const struct tv_cli *cli);
/* Those without rows of which it refuses any trace: tv_pass.refuses_tasks; 0 = there is none such. */
unsigned tv_refused_without(const struct tv_cli *cli);
/* The tables of which it may get parts (tv_run_rows), where its trace is read so: a bit each. */
unsigned tv_parted_by_pass(const struct tv_cli *cli);
/* Whether it is asked of a table (tv_pass.any_table). */
bool tv_reads_any(const struct tv_cli *cli);
/* Those columns of tasks that the verb of a pass, its options and expressions may read: tv_read_options.columns; to be
 * freed. NULL: all. printed: all rows are read at once, and those of tasks that it annotates are printed, too. */
char *tv_columns_by_pass(const struct tv_cli *cli, bool printed);
/* The verb's pass and, in its members on what parts have, that which it asks for with its options, whose rows then come in parts, too. */
struct tv_pass tv_parted_pass(const struct tv_cli *cli);
/* Whether the verb of a pass, its options and expressions may read what tasks depend on. */
bool tv_links_by_pass(const struct tv_cli *cli);
/* Whether its result depends only on what touches --begin and --end: tv_read_options.window. */
bool tv_windowed_by_pass(const struct tv_cli *cli);
/* Whether --begin or --end, which are not given, might leave out groups of rows of a trace in Parquet. */
bool tv_window_may_help(const struct tv_cli *cli);
/* For the figure of one run: those that no row of its panels declares (tv_panel.reads). */
unsigned tv_unread_by_figure(const struct tv_cli *cli, const struct tv_plot_options *options,
			     enum tv_medium medium);
/* Likewise those columns of tasks that they may read, as tv_columns_by_pass: to be freed. NULL: all. */
char *tv_columns_by_figure(const struct tv_cli *cli, const struct tv_plot_options *options,
			   enum tv_medium medium);
/* Whether a setting asks for no more than its panel reads without it: of rows by its passes alone (tv_panel.passes). */
bool tv_setting_is_frugal(const struct tv_setting *setting);
/* Adds columns of verbs whose results a table may have: they give back options of panels. */
void tv_columns_recalled(char **text);
/* Whether a panel may be in the figure of a run. */
bool tv_figure_has(const struct tv_plot_options *options, const struct tv_panel *panel);

#endif
