/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h -- options and notes that several passes have in common. */
#ifndef TV_SHARED_OPTIONS_H
#define TV_SHARED_OPTIONS_H

#include "trace/options.h"

/* --can-run; the choice 1 is anywhere. */
#define TV_OPTION_CAN_RUN \
	{ \
		"can-run", "observed|anywhere", "observed", \
			"worker types on which a task can run", TV_OPTION_CHOICE, 0, 0 \
	}

/* Notes of passes that follow dependencies or releases. */
#define TV_EXCLUSION_NOTES \
	"Tasks whose Modes of a handle commute (RWC) take it one at a time: a task also waits\n" \
	"for the one that held its handle last (an exclusion, in the order observed).\n"

#endif
