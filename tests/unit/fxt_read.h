/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_read.h -- converts FxT files made by hand. */
#ifndef TV_FXT_READ_H
#define TV_FXT_READ_H

#include "tests/unit/fxt_build.h"

#include "convert/fxt/fxt.h"
#include "trace/clocks.h"

struct bytes {
	const unsigned char *at;
	size_t n;
};

/* Converts one or two ranks. On success the trace is the caller's. */
static inline int read_ranks(struct tv_trace *trace, const struct bytes *rank, int nranks,
			     bool strict, struct tv_error *err)
{
	const struct tv_read_options options = { .zero = "none", .strict = strict };
	static const char *const name[] = { "rank0", "rank1" };
	void *run;
	int rc = 0;

	*err = (struct tv_error){ 0 };
	tv_trace_init(trace, &options);
	run = tv_fxt_begin(trace);
	for (int i = 0; rc == 0 && i < nranks; i++) {
		struct tv_input in;

		tv_input_memory(&in, name[i], (const char *)rank[i].at, rank[i].n);
		rc = tv_fxt_read(run, &in, err);
		tv_input_close(&in);
	}
	if (rc == 0)
		rc = tv_fxt_finish(run, err);
	tv_fxt_free(run);
	if (rc == 0)
		rc = tv_check_strict(trace, err);
	for (int t = 0; rc == 0 && t < TV_NTABLES; t++)
		tv_table_finish(&trace->table[t]);
	if (rc == 0)
		tv_check_clocks(trace);
	else
		tv_trace_release(trace);
	return rc;
}

static inline int convert(struct tv_trace *trace, const struct bytes *rank, int nranks, bool strict,
			  struct tv_error *err)
{
	int rc = read_ranks(trace, rank, nranks, strict, err);

	if (rc < 0)
		return -1;
	rc = tv_trace_complete(trace, err);
	if (rc < 0)
		tv_trace_release(trace);
	return rc;
}

static inline int convert_build(struct tv_trace *trace, const struct build *b, struct tv_error *err)
{
	const struct bytes rank = { b->bytes, b->n };

	return convert(trace, &rank, 1, false, err);
}

static inline void must_convert(struct tv_trace *trace, const struct build *b)
{
	struct tv_error err;

	if (convert_build(trace, b, &err) < 0)
		fail_msg("%s: %s", err.file, err.text);
}

static inline uint64_t damage(const struct tv_trace *trace, const char *cause)
{
	for (size_t i = 0; i < trace->ndamage; i++)
		if (strcmp(trace->damage[i].cause, cause) == 0)
			return trace->damage[i].count;
	return 0;
}

#endif
