/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lib.c -- the records of a file as libfxt reads them: the reference that our own walk is
 * compared with.
 *
 * libfxt trusts what it reads: it crashes, or never ends, on damaged blocks. So it only gets plain
 * files that our walk found whole, and runs in a child process that sends its records through a
 * pipe.
 */
#include <errno.h>
#include <fcntl.h>
#include <fxt/fxt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "convert/formats.h"
#include "convert/fxt/fxt.h"
#include "convert/fxt/lib.h"
#include "trace/alloc.h"

enum {
	SILENCE_MS = 10000, /* without a record: it hangs */
	PARAMS_MAX = 256,
	BUFFER = 1 << 16
};

/* A record on its way; its parameters follow. END is the last. */
struct head {
	uint64_t time, code;
	uint32_t n;
	enum { RECORD, END } kind;
};

struct tv_fxt_lib {
	const char *path;
	pid_t child;
	int from;    /* end of the pipe */
	char *bytes; /* BUFFER: what was read of it */
	size_t begin, end;
	uint64_t left; /* records that the file can contain */
	const char *failure;
	struct tv_fxt_file file; /* how libfxt hands out parameters: 64 bits, our byte order */
	uint64_t param[PARAMS_MAX];
};

/* ---- the child ---- */

static void send_records(const char *path, FILE *to)
{
	static struct fxt_ev event;
	const struct fxt_ev_64 *ev = &event.ev64;
	fxt_t trace = fxt_open((char *)(uintptr_t)path);
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
	fflush(to);
}

static void run_child(const char *path, int to)
{
	static const int handled[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGSEGV, SIGBUS };
	int silent = open("/dev/null", O_WRONLY | O_CLOEXEC);
	FILE *stream = fdopen(to, "w");

	for (size_t i = 0; i < TV_COUNT(handled); i++)
		signal(handled[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (silent >= 0) {
		dup2(silent, STDOUT_FILENO);
		dup2(silent, STDERR_FILENO);
	}
	if (stream != NULL)
		send_records(path, stream);
	_exit(0);
}

/* ---- the parent ---- */

int tv_fxt_lib_open(struct tv_fxt_lib **lib, const char *path, struct tv_error *err)
{
	struct tv_fxt_lib *l = *lib = tv_alloc(1, sizeof *l);
	struct stat st;
	int ends[2];

	*l = (struct tv_fxt_lib){ .path = path, .file = { .path = path, .word = 8 }, .from = -1 };
	l->bytes = tv_alloc(BUFFER, 1);
	if (stat(path, &st) == 0 && pipe2(ends, O_CLOEXEC) == 0) {
		l->left = (uint64_t)st.st_size / 16;
		fflush(NULL);
		l->child = fork();
		if (l->child == 0)
			run_child(path, ends[1]);
		close(ends[1]);
		l->from = ends[0];
		if (l->child > 0)
			return 0;
	}
	tv_fxt_lib_close(l);
	*lib = NULL;
	return tv_fail_at(err, (struct tv_pos){ path, 0 }, "libfxt cannot be started");
}

/* n bytes of the pipe; false when there are fewer, or none in time. */
static bool take(struct tv_fxt_lib *l, void *to, size_t n)
{
	for (size_t done = 0; done < n;) {
		size_t have = l->end - l->begin, part = n - done < have ? n - done : have;
		struct pollfd ready = { .fd = l->from, .events = POLLIN };
		ssize_t got;

		memcpy((char *)to + done, l->bytes + l->begin, part);
		l->begin += part;
		done += part;
		if (done == n)
			break;
		if (poll(&ready, 1, SILENCE_MS) == 0) {
			l->failure = "libfxt hangs in it";
			return false;
		}
		got = read(l->from, l->bytes, BUFFER);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			l->failure = "libfxt cannot open it, or crashes in it";
			return false;
		}
		l->begin = 0;
		l->end = (size_t)got;
	}
	return true;
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
	if (lib->child > 0) {
		kill(lib->child, SIGKILL);
		while (waitpid(lib->child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (lib->from >= 0)
		close(lib->from);
	tv_free(lib->bytes);
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
