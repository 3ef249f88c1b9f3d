/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lib.c -- the records of a file as libfxt reads them: the reference that our own walk is
 * compared with.
 *
 * libfxt trusts what it reads and crashes on damaged blocks: it only gets plain files that our walk
 * found whole.
 */
#include <fxt/fxt.h>

#include "convert/formats.h"
#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

struct tv_fxt_lib {
	fxt_t trace;
	fxt_blockev_t events;
	struct tv_fxt_file file; /* how libfxt hands out parameters: 64 bits, our byte order */
	struct fxt_ev event;
};

int tv_fxt_lib_open(struct tv_fxt_lib **lib, const char *path, struct tv_error *err)
{
	struct tv_fxt_lib *l = *lib = tv_alloc(1, sizeof *l);

	if (l == NULL)
		return tv_fail_memory(err);
	l->file = (struct tv_fxt_file){ .path = path, .word = 8 };
	l->trace = fxt_open(path);
	l->events = l->trace != NULL ? fxt_blockev_enter(l->trace) : NULL;
	if (l->events != NULL)
		return 0;
	tv_fxt_lib_close(l);
	*lib = NULL;
	return tv_fail(err, (struct tv_pos){ path, 0 }, "libfxt cannot open it");
}

enum tv_fxt_step tv_fxt_lib_next(struct tv_fxt_lib *lib, struct tv_fxt_event *event)
{
	const struct fxt_ev_64 *ev = &lib->event.ev64;

	if (fxt_next_ev(lib->events, FXT_EV_TYPE_64, &lib->event) != FXT_EV_OK)
		return TV_FXT_END;
	*event = (struct tv_fxt_event){ .file = &lib->file,
					.time = ev->time,
					.code = (uint32_t)ev->code,
					.n = ev->nb_params,
					.param = (const unsigned char *)ev->param };
	return TV_FXT_EVENT;
}

void tv_fxt_lib_close(struct tv_fxt_lib *lib)
{
	if (lib == NULL)
		return;
	if (lib->events != NULL)
		fxt_blockev_leave(lib->events);
	if (lib->trace != NULL)
		fxt_close(lib->trace);
	tv_free(lib);
}

/* Less than our own reader's, which so comes first unless --format asks for this one. */
int tv_fxt_lib_probe(const char *head, size_t n)
{
	return tv_fxt_probe(head, n) / 4;
}

static uint64_t count_damage(const struct tv_trace *trace)
{
	uint64_t n = 0;

	for (size_t i = 0; i < trace->ndamage; i++)
		n += trace->damage[i].count;
	return n;
}

int tv_fxt_lib_read(struct tv_input *in, struct tv_trace *trace, struct tv_error *err)
{
	struct tv_pos at = { in->path, 0 };
	const struct tv_fxt_run *run;
	uint64_t before = count_damage(trace);

	if (strcmp(in->path, "-") == 0 || in->codec != NULL || in->size < 0)
		return tv_fail(err, at,
			       "libfxt reads plain files only, not pipes or compressed files");
	if (tv_fxt_read(in, trace, err) < 0)
		return -1;
	run = trace->reading;
	if (count_damage(trace) > before || run->rank[run->nranks - 1].file.swap)
		return tv_fail(
			err, at,
			"libfxt is not given files that are damaged or of another byte order; "
			"use --format fxt");
	return 0;
}

int tv_fxt_lib_finish(struct tv_trace *trace, struct tv_error *err)
{
	struct tv_fxt_run *run = trace->reading;

	if (run != NULL)
		run->through_libfxt = true;
	return tv_fxt_finish(trace, err);
}
