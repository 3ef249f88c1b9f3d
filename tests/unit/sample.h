/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h -- a run on a small trace written as CSV, for the tests of graph and passes. */
#ifndef TV_SAMPLE_H
#define TV_SAMPLE_H

#include "unit.h"

#include "analysis/passes.h"
#include "trace/number.h"

struct sample {
	struct tv_trace trace;
	struct tv_run run;
	struct tv_error err;
	char got[4096];		/* what sample_pass gave last */
};

static inline void sample_make(struct sample *s, const char *csv)
{
	memset(s, 0, sizeof *s);
	unit_trace(&s->trace, NULL, csv);
	if (tv_run_init(&s->run, &s->trace, 0, &s->err) < 0)
		fail_msg("%s", s->err.text);
}

static inline void sample_release(struct sample *s)
{
	tv_run_release(&s->run);
	tv_trace_release(&s->trace);
}

/* A pass's result as CSV without header, rows closed by "|"; or "error: " and the message. */
static inline const char *sample_pass(struct sample *s, const char *name, const char *const *value)
{
	const struct tv_table *table = tv_run_pass(&s->run, name, value, &s->err);
	size_t at = 0;

	if (table == NULL) {
		snprintf(s->got, sizeof s->got, "error: %s", s->err.text);
		return s->got;
	}
	s->got[0] = '\0';
	for (uint32_t row = 0; row < table->nrows; row++)
		for (size_t i = 0; i < table->ncols; i++) {
			char cell[200];

			tv_cell_text(table->col[i], row, cell, sizeof cell);
			at += (size_t)snprintf(s->got + at, sizeof s->got - at, "%s%s", cell,
					       i + 1 == table->ncols ? "|" : ",");
			assert_true(at < sizeof s->got);
		}
	return s->got;
}

#endif
