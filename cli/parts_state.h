/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts_state.h -- what parts.c and parts_open.c know of a struct tv_parts. */
#ifndef TV_PARTS_STATE_H
#define TV_PARTS_STATE_H

#include "cli/part_findings.h"
#include "cli/part_spans.h"
#include "cli/parts.h"

/* Rows that are worth to be read in parts where memory is enough, too. */
enum { TV_PARTS_WORTH = 1 << 18 };

struct tv_parts {
	struct tv_cli reading;
	struct tv_pass pass; /* its pass */
	const char *path;
	char *need;    /* how much memory all rows need, in words; "" = not known */
	char *columns; /* of tasks that are read */
	char *later,
		*links; /* with those that are read once the run is known, and what tasks depend on; NULL = there are none */
	char *own; /* those that the pass that is computed reads later; NULL = not asked for yet */
	const struct tv_pass *own_of; /* that pass */
	struct tv_carry *carry;
	struct tv_row_part part;
	unsigned left;	   /* part.left, while all are noted */
	unsigned beside;   /* tables of it that are read once, for what is reported of them */
	uint32_t rows_max; /* 0 = as memory allows */
	struct tv_part_spans spans;
	size_t at; /* the next one */
	const struct tv_team *team;
	bool refused, unordered; /* unordered: as rows do not come by Start */
	bool tried; /* memory is enough, too: nothing is said before all parts are known to be right */
	bool early; /* the pass gets parts while they are read for the first time */
	bool said;  /* what reading them reported */
	struct tv_session *session;
	struct tv_part_findings found;
	bool surveyed;
	bool printing;	  /* parts have all columns: of tasks, if these are printed */
	bool linking;	  /* parts have the columns that are read later */
	bool linked;	  /* the one that is open has what tasks depend on */
	bool everything;  /* these are all, and parts have damage of all of them */
	bool noting;	  /* for tv_carry_note */
	bool within;	  /* ... while the pass reads them */
	uint32_t nlabels; /* of the pool before the part, then */
	/* of the part that is open */
	struct tv_trace trace;
	struct tv_run run;
	unsigned kinds;
	struct tv_run *whole;
	struct tv_run_parts give;
	uint64_t rows[TV_NTABLES];
	struct tv_progress progress;
};

void tv_parts_close_part(struct tv_parts *parts);

#endif
