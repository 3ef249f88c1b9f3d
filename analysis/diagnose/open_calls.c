/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_calls.c -- in which MPI calls ranks are where a trace ends before the run. */
#include "analysis/calls/calls.h"
#include "analysis/diagnose/findings.h"
#include "trace/text.h"

static const char *name(const struct tv_case *c, uint32_t label, char out[128])
{
	return tv_clean_text(out, 128,
			     label == TV_NONE ? "?" : tv_pool_text(c->run->trace->pool, label));
}

/* "rank 1 in MPI_Recv from rank 0, tag 9, at f@a.c:3": the call of a row. */
static char *open_call(const struct tv_case *c, const struct tv_calls *calls, uint32_t row)
{
	bool receives = tv_call_named(calls, row, "recv"),
	     one = receives != tv_call_named(calls, row, "send");
	int64_t peer = tv_call_number(calls, TV_CALL_PEER, row),
		tag = tv_call_number(calls, TV_CALL_TAG, row);
	uint32_t site = tv_call_label(calls, TV_CALL_SITE, row);
	char rank[128], call[128], place[128], *text;

	text = tv_format("rank %s in %s", name(c, calls->rank[calls->rank_of[row]], rank),
			 name(c, tv_call_label(calls, TV_CALL_NAME, row), call));
	if (one && peer != TV_NO_NUMBER)
		tv_append(&text, " %s rank %lld", receives ? "from" : "to", (long long)peer);
	if (one && tag != TV_NO_NUMBER)
		tv_append(&text, ", tag %lld", (long long)tag);
	if (site != TV_NONE)
		tv_append(&text, ", at %s", name(c, site, place));
	return text;
}

/* " Rank 1 was in no call then: it still worked, or had crashed.": those that have not come to MPI_Finalize. */
static void add_outside(const struct tv_case *c, const struct tv_calls *calls, char **text)
{
	bool *in_call = tv_alloc(calls->nranks, sizeof *in_call);
	uint32_t n = 0, first = 0;
	char rank[128];

	for (uint32_t i = 0; i < calls->n; i++)
		in_call[calls->rank_of[calls->row[i]]] |= !tv_call_ended(calls, calls->row[i])
						       || tv_call_named(calls, calls->row[i],
									"finalize");
	for (uint32_t k = calls->nranks; k-- > 0;)
		if (!in_call[k]) {
			n++;
			first = k;
		}
	tv_free(in_call);
	if (n == 0)
		return;
	tv_append(text, " Rank %s", name(c, calls->rank[first], rank));
	if (n > 1)
		tv_append(text, " and %u other%s", n - 1, tv_plural(n - 1));
	tv_append(text, " %s in no call then: %s still worked, or had crashed.",
		  n == 1 ? "was" : "were", n == 1 ? "it" : "they");
}

char *tv_case_open_calls(const struct tv_case *c)
{
	const struct tv_calls *calls = tv_run_calls(c->run);
	uint32_t n = 0, nrows = tv_trace_table(c->run->trace, TV_CALLS)->nrows;
	char *text = tv_strdup("");

	for (int alone = 0; alone < 2; alone++)
		for (uint32_t row = 0; row < nrows; row++) {
			char *call;

			if (calls->class_of[row] == TV_NCALL_CLASSES || tv_call_ended(calls, row)
			    || (tv_call_number(calls, TV_CALL_PEER, row) == TV_NO_NUMBER)
				       != (alone == 1)
			    || n++ >= 4)
				continue;
			call = open_call(c, calls, row);
			tv_append(&text, "%s%s",
				  n == 1 ? " At the end these calls were open: " : "; ", call);
			tv_free(call);
		}
	if (n > 4)
		tv_append(&text, "; and %u more", n - 4);
	tv_append(&text, n > 0 ? "." : "");
	if (n > 0)
		add_outside(c, calls, &text);
	return text;
}
