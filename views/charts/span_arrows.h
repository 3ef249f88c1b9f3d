/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_arrows.h -- arrows from row to row of a panel of spans: transfers, messages. */
#ifndef TV_SPAN_ARROWS_H
#define TV_SPAN_ARROWS_H

#include "views/charts/span_rows.h"
#include "views/shared/hover.h"

/* A row of the pass's result is an arrow, from Start to End. */
struct tv_span_arrow_spec {
	const char *
		what; /* "the transfers of memory-states", for the warning that they are left out */
	const char *pass;
	const char *from, *to;	  /* columns of labels: the rows at its ends */
	const char *hover;	  /* template */
	const char *noun;	  /* "transfer" */
	const char *class, *head; /* of the lines and their heads */
	uint32_t most;		  /* drawn without the option */
};

struct tv_span_arrows {
	const struct tv_span_arrow_spec *spec;
	const struct tv_table *table; /* NULL = there are none */
	const struct tv_column *from, *to;
	const int64_t *start, *end;
	uint32_t *row; /* rows that are drawn, the slowest first; owned */
	uint32_t n, all;
	struct tv_hover hover;
};

/* Those that the axis shows, as the panel's option chooses, which has the name "NOUNs" and the values
 * all|slowest:N|none. 0, or -1 with *err; *arrows, with `spec`
 * set, is to be released in any case. */
int tv_span_arrows_find(struct tv_span_arrows *arrows, struct tv_figure *figure,
			const struct tv_panel *panel, struct tv_error *err) TV_MUST_CHECK;
/* Their key, if there are any. */
void tv_span_arrows_key(const struct tv_span_arrows *arrows, struct tv_span_rows *rows);
/* From the middle of a row to that of another one, of rows of one height, as far as the frame shows them. */
void tv_span_arrows_draw(const struct tv_span_arrows *arrows, struct tv_figure *figure,
			 const struct tv_slot *slot, unsigned frame);
void tv_span_arrows_release(struct tv_span_arrows *arrows);

#endif
