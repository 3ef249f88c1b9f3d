/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_report.h -- what traceviz simulate says of a simulation. run: as recorded. */
#ifndef TV_CLI_SIMULATE_REPORT_H
#define TV_CLI_SIMULATE_REPORT_H

#include "cli/cli.h"
#include "sim/model/policies.h"

/* Which policy is nearest to the run; nothing for NULL. */
void tv_simulate_say_nearest(const struct tv_cli *cli, const struct tv_run *run,
			     const struct tv_policy_time *nearest);
/* What the simulation leaves out, and how the two runs compare. */
void tv_simulate_report(const struct tv_cli *cli, const struct tv_run *run,
			const struct tv_simulation *s);
/* The numbers of a simulation, alone, as a table. -1 with *err. */
int tv_simulate_print(const struct tv_cli *cli, const struct tv_run *run,
		      struct tv_simulator *simulator, const struct tv_simulation *s,
		      const struct tv_simulation_options *options,
		      const struct tv_policies *policies, struct tv_error *err) TV_MUST_CHECK;

#endif
