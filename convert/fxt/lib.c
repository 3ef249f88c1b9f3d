/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lib.c -- the records of a file as libfxt reads them: the reference that our own walk is
 * compared with.
 *
 * libfxt trusts what it reads: it crashes, or never ends, on damaged blocks. So it only gets plain
 * files that our walk found whole, and runs in a child process that sends its records through a
 * pipe.
 */
#include <fxt/fxt.h>
#include <string.h>
#include <sys/stat.h>

#include "convert/apart.h"
#include "convert/formats.h"
#include "convert/fxt/fxt.h"
#include "convert/fxt/lib.h"
#include "trace/alloc.h"

enum { PARAMS_MAX = 256 };

/* A record on its way; its parameters follow. END is the last. */
struct head {
	uint64_t time, code;
	uint32_t n;
	enum { RECORD, END } kind;
};

struct tv_fxt_lib {
	const char *path;
	struct tv_apart apart;
	uint64_t left; /* records that the file can contain */
	const char *failure;
	struct tv_fxt_file file; /* how libfxt hands out parameters: 64 bits, our byte order */
	uint64_t param[PARAMS_MAX];
};

/* ---- the child ---- */

static void send_records(void *path, FILE *to)
{
	static struct fxt_ev event;
	const struct fxt_ev_64 *ev = &event.ev64;
	fxt_t trace = fxt_open(path);
	fxt_blockev_t events = trace != NULL ? fxt_blockev_enter(trace) : NULL;
	struct head head = { .kind = RECORD };

	if (events == NULL)
		return;
	while (fxt_next_ev(events, FXT_EV_TYPE_64, &event) == FXT_EV_OK) {
		head.time = ev->time;
		head.code = ev->code;
		head.n = ev->nb_params;
		if (head.n > PARAMS_MAX || fwrite(&head, sizeof head, 1, to) != 1
		    || fwrite(ev->param, sizeof(uint64_t), head.n, to) != head.n)
			return;
	}
	head = (struct head){ .kind = END };
	fwrite(&head, sizeof head, 1, to);
}

/* ---- the parent ---- */

int tv_fxt_lib_open(struct tv_fxt_lib **lib, const char *path, struct tv_error *err)
{
	struct tv_fxt_lib *l = *lib = tv_alloc(1, sizeof *l);
	struct stat st;

	*l = (struct tv_fxt_lib){ .path = path,
				  .file = { .path = path, .word = 8 },
				  .apart = { .from = -1 } };
	if (stat(path, &st) == 0) {
		l->left = (uint64_t)st.st_size / 16;
		if (tv_apart_start(&l->apart, send_records, (void *)(uintptr_t)path))
			return 0;
	}
	tv_fxt_lib_close(l);
	*lib = NULL;
	return tv_fail_at(err, (struct tv_pos){ path, 0 }, "libfxt cannot be started");
}

/* n bytes of the pipe; false when there are fewer, or none in time. */
static bool take(struct tv_fxt_lib *l, void *to, size_t n)
{
	if (tv_apart_take(&l->apart, to, n))
		return true;
	l->failure = l->apart.hangs ? "libfxt hangs in it"
				    : "libfxt cannot open it, or crashes in it";
	return false;
}

enum tv_fxt_step tv_fxt_lib_next(struct tv_fxt_lib *lib, struct tv_fxt_event *event)
{
	struct head head;

	if (lib->left-- == 0)
		lib->failure = "libfxt finds more records than the file can contain";
	else if (take(lib, &head, sizeof head) && head.kind == RECORD
		 && take(lib, lib->param, head.n * sizeof *lib->param)) {
		*event = (struct tv_fxt_event){ .file = &lib->file,
						.time = head.time,
						.code = (uint32_t)head.code,
						.n = head.n,
						.param = (const unsigned char *)lib->param };
		return TV_FXT_EVENT;
	}
	return TV_FXT_END;
}

void tv_fxt_lib_close(struct tv_fxt_lib *lib)
{
	if (lib == NULL)
		return;
	tv_apart_stop(&lib->apart);
	tv_free(lib);
}

/* ---- the reader ---- */

/* Less than our own reader's, which so comes first unless --format asks for this one. */
static int probe(const char *head, size_t n)
{
	return tv_fxt_probe(head, n) / 4;
}

/* All records of a rank, in place of tv_fxt_walk. */
static int walk(struct tv_fxt_rank *rank, struct tv_error *err)
{
	struct tv_fxt_event event;
	struct tv_fxt_lib *lib;
	const char *failure;

	if (tv_fxt_lib_open(&lib, rank->path, err) < 0)
		return -1;
	while (tv_fxt_lib_next(lib, &event) == TV_FXT_EVENT)
		tv_fxt_convert(rank, &event);
	failure = lib->failure;
	tv_fxt_lib_close(lib);
	return failure == NULL ? 0
			       : tv_fail_at(err, (struct tv_pos){ rank->path, 0 },
					    "%s; use --format fxt", failure);
}

static void *begin(struct tv_trace *trace)
{
	struct tv_fxt_run *run = tv_fxt_begin(trace);

	run->walk = walk;
	return run;
}

static uint64_t count_damage(const struct tv_trace *trace)
{
	uint64_t n = 0;

	for (size_t i = 0; i < trace->ndamage; i++)
		n += trace->damage[i].count;
	return n;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_pos at = { in->path, 0 };
	const struct tv_fxt_run *run = state;
	uint64_t before = count_damage(run->trace);

	if (strcmp(in->path, "-") == 0 || in->codec != NULL || in->size < 0)
		return tv_fail_at(err, at,
				  "libfxt reads plain files only, not pipes or compressed files");
	if (tv_fxt_read(state, in, err) < 0)
		return -1;
	if (count_damage(run->trace) > before || run->rank[run->nranks - 1].file.swap)
		return tv_fail_at(
			err, at,
			"libfxt cannot read files that are damaged or of another byte order; "
			"use --format fxt");
	return 0;
}

const struct tv_reader tv_fxt_lib_reader = {
	.name = "fxt-libfxt",
	.summary = "the same, read by libfxt, for comparison",
	.brings = TV_BRINGS_TASKS | TV_BRINGS(STATES) | TV_BRINGS(VARIABLES) | TV_BRINGS(LINKS)
		| TV_BRINGS(MESSAGES) | TV_BRINGS(EVENTS),
	.probe = probe,
	.begin = begin,
	.read = read_file,
	.finish = tv_fxt_finish,
	.free = tv_fxt_free,
	.memory = 6,
	.ranks = true,
	.omits = true,
};
