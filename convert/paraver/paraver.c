/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paraver.c -- the header and the records of a trace of Paraver. */
#include "convert/paraver/paraver.h"

#include <string.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/timings.h"

enum { THREADS_MAX = 1 << 20 };

static const char magic[] = "#Paraver (";

bool tv_prv_number(const char **s, const char *end, uint64_t *number)
{
	const char *at = *s;
	uint64_t n = 0;

	while (at < end && *at >= '0' && *at <= '9') {
		unsigned digit = (unsigned)(*at++ - '0');

		if (n > (UINT64_MAX - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	if (at == *s)
		return false;
	*s = at;
	*number = n;
	return true;
}

/* ---- header ---- */

struct header {
	const char *at, *end;
};

static bool skip(struct header *h, char c)
{
	if (h->at >= h->end || *h->at != c)
		return false;
	h->at++;
	return true;
}

static bool number(struct header *h, uint64_t *n)
{
	return tv_prv_number(&h->at, h->end, n);
}

/* DURATION[_ns|_us|_ms]: without unit microseconds. */
static bool read_unit(struct tv_prv *prv, struct header *h)
{
	static const struct {
		const char *name;
		int64_t ns;
	} unit[] = { { "_ns", 1 }, { "_us", 1000 }, { "_ms", 1000000 } };
	uint64_t duration;

	prv->unit = 1000;
	if (!number(h, &duration))
		return false;
	for (size_t i = 0; i < TV_COUNT(unit); i++)
		if (h->end - h->at >= 3 && memcmp(h->at, unit[i].name, 3) == 0) {
			prv->unit = unit[i].ns;
			h->at += 3;
			break;
		}
	return skip(h, ':');
}

/* NODES[(PROCESSORS,...)]; ovniemu writes 0. */
static bool read_nodes(struct tv_prv *prv, struct header *h)
{
	uint64_t n;

	if (!number(h, &n))
		return false;
	prv->ovni = n == 0;
	if (skip(h, '(')) {
		do
			if (!number(h, &n))
				return false;
		while (skip(h, ','));
		if (!skip(h, ')'))
			return false;
	}
	return skip(h, ':');
}

static bool add_process(struct tv_prv *prv, uint32_t app, uint32_t task, uint64_t nthreads)
{
	if (nthreads > THREADS_MAX - prv->nthread)
		return false;
	TV_GROW(prv->process, prv->nprocess, prv->process_cap, 1);
	TV_GROW(prv->thread, prv->nthread, prv->thread_cap, nthreads);
	prv->process[prv->nprocess] = (struct tv_prv_process){
		.first = (uint32_t)prv->nthread, .n = (uint32_t)nthreads, .app = app, .task = task
	};
	for (uint64_t i = 0; i < nthreads; i++)
		prv->thread[prv->nthread++] = (struct tv_prv_thread){
			.process = (uint32_t)prv->nprocess
		};
	prv->nprocess++;
	return true;
}

/* PROCESSES(THREADS:NODE,...)[,COMMUNICATORS] */
static bool read_app(struct tv_prv *prv, struct header *h, uint32_t app)
{
	uint64_t n, threads, node;

	if (!number(h, &n) || !skip(h, '('))
		return false;
	for (uint64_t task = 1; task <= n; task++)
		if ((task > 1 && !skip(h, ',')) || !number(h, &threads) || !skip(h, ':')
		    || !number(h, &node) || !add_process(prv, app, (uint32_t)task, threads))
			return false;
	if (!skip(h, ')'))
		return false;
	/* The cutter writes a comma between applications, too. */
	if (skip(h, ',')) {
		const char *before = h->at;

		if (!number(h, &n))
			return false;
		if (h->at < h->end && *h->at == '(')
			h->at = before;
		else
			(void)skip(h, ':');
	} else {
		(void)skip(h, ':');
	}
	return true;
}

/* #Paraver (DATE):DURATION:NODES:APPLICATIONS:APPLICATION...; a date has colons. */
static bool read_header(struct tv_prv *prv, const char *line, size_t n)
{
	const char *date = n >= sizeof magic - 1 && memcmp(line, magic, sizeof magic - 1) == 0
				 ? memmem(line, n, "):", 2)
				 : NULL;
	struct header h = { date == NULL ? line : date + 2, line + n };
	uint64_t napps;

	if (date == NULL || !read_unit(prv, &h) || !read_nodes(prv, &h) || !number(&h, &napps)
	    || !skip(&h, ':') || napps > n)
		return false;
	prv->napps = (uint32_t)napps;
	prv->app = tv_alloc(napps + 1, sizeof *prv->app);
	for (uint32_t app = 0; app < napps; app++) {
		prv->app[app] = (uint32_t)prv->nprocess;
		if (!read_app(prv, &h, app))
			return false;
	}
	prv->app[napps] = (uint32_t)prv->nprocess;
	return true;
}

/* ---- records ---- */

enum { FIELDS_MAX = 15 };

static bool read_fields(const char **s, const char *end, uint64_t *field, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i > 0) {
			if (*s >= end || **s != ':')
				return false;
			++*s;
		}
		if (!tv_prv_number(s, end, &field[i]))
			return false;
	}
	return true;
}

/* APPLICATION, PROCESS, THREAD: a number, TV_NONE = there is none. */
static uint32_t thread_of(const struct tv_prv *prv, const uint64_t place[3])
{
	const struct tv_prv_process *process;

	if (place[0] < 1 || place[0] > prv->napps || place[1] < 1
	    || place[1] > prv->app[place[0]] - prv->app[place[0] - 1])
		return TV_NONE;
	process = &prv->process[prv->app[place[0] - 1] + place[1] - 1];
	return place[2] < 1 || place[2] > process->n ? TV_NONE
						     : process->first + (uint32_t)place[2] - 1;
}

static bool time_of(struct tv_prv *prv, uint64_t value, int64_t *ns)
{
	if (value > (uint64_t)(INT64_MAX / 4 / prv->unit))
		return false;
	*ns = (int64_t)value * prv->unit;
	if (*ns > prv->last)
		prv->last = *ns;
	return true;
}

/* 1:CPU:APPLICATION:PROCESS:THREAD:BEGIN:END:STATE */
static const char *read_state(struct tv_prv *prv, const char *s, const char *end)
{
	struct tv_prv_state state;
	uint64_t field[7];

	if (!read_fields(&s, end, field, 7) || s != end)
		return "a state has seven numbers";
	state = (struct tv_prv_state){ .value = field[6], .thread = thread_of(prv, field + 1) };
	if (state.thread == TV_NONE)
		return "a thread that the header does not have";
	if (!time_of(prv, field[4], &state.begin) || !time_of(prv, field[5], &state.end)
	    || state.end < state.begin)
		return "times that are none";
	TV_GROW(prv->state, prv->nstate, prv->state_cap, 1);
	prv->state[prv->nstate++] = state;
	return NULL;
}

/* 2:CPU:APPLICATION:PROCESS:THREAD:TIME:TYPE:VALUE[:TYPE:VALUE]... */
static const char *read_events(struct tv_prv *prv, const char *s, const char *end)
{
	struct tv_prv_event event;
	uint64_t field[5], pair[2];

	if (!read_fields(&s, end, field, 5) || s >= end)
		return "events have five numbers, then types and values";
	event.thread = thread_of(prv, field + 1);
	if (event.thread == TV_NONE)
		return "a thread that the header does not have";
	if (!time_of(prv, field[4], &event.time))
		return "a time that is none";
	while (s < end) {
		if (*s++ != ':' || !read_fields(&s, end, pair, 2))
			return "an event is a type and a value";
		event.type = tv_prv_type(prv, pair[0]);
		event.value = pair[1];
		prv->type[event.type].events++;
		TV_GROW(prv->event, prv->nevent, prv->event_cap, 1);
		prv->event[prv->nevent++] = event;
	}
	return NULL;
}

/* The tag of Extrae's messages between tasks of OpenMP. */
enum { TASK_TAG = 60000000 };

/* 3: sender, posted and sent; receiver, posted and arrived; size, tag */
static const char *read_message(struct tv_prv *prv, const char *s, const char *end)
{
	struct tv_prv_message message;
	uint64_t field[14];

	if (!read_fields(&s, end, field, 14) || s != end)
		return "a message has fourteen numbers";
	message = (struct tv_prv_message){ .from = thread_of(prv, field + 1),
					   .to = thread_of(prv, field + 7),
					   .size = field[12],
					   .tag = field[13] };
	if (message.from == TV_NONE || message.to == TV_NONE)
		return "a thread that the header does not have";
	if (!time_of(prv, field[4], &message.posted) || !time_of(prv, field[5], &message.sent)
	    || !time_of(prv, field[10], &message.expected)
	    || !time_of(prv, field[11], &message.arrived))
		return "times that are none";
	if (message.size > INT64_MAX)
		return "a size that is none";
	/* Not of MPI: from the creation of a task to its begin, which events have, too; the size is its number. */
	if (message.tag == TASK_TAG
	    && prv->thread[message.from].process == prv->thread[message.to].process)
		return NULL;
	TV_GROW(prv->message, prv->nmessage, prv->message_cap, 1);
	prv->message[prv->nmessage++] = message;
	return NULL;
}

static const char *read_record(struct tv_prv *prv, const char *line, size_t n)
{
	const char *end = line + n, *s = line + 2;

	if (n == 0 || line[0] == '#' || line[0] == 'c')
		return NULL;
	if (n < 2 || line[1] != ':')
		return "a record begins with its kind";
	switch (line[0]) {
	case '1':
		return read_state(prv, s, end);
	case '2':
		return read_events(prv, s, end);
	case '3':
		return read_message(prv, s, end);
	default:
		return "no kind of record";
	}
}

/* ---- files ---- */

/* A run of ovniemu has two views, whose files are cpu.prv and thread.prv. */
static bool is_view(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');

	return strncmp(base != NULL ? base + 1 : path, name, strlen(name)) == 0;
}

/* All that was read. */
static void forget(struct tv_prv *prv)
{
	struct tv_trace *trace = prv->trace;

	tv_map_release(&prv->types);
	tv_map_release(&prv->values);
	tv_free(prv->app);
	tv_free(prv->process);
	tv_free(prv->thread);
	tv_free(prv->type);
	tv_free(prv->event);
	tv_free(prv->state);
	tv_free(prv->message);
	tv_free(prv->call);
	*prv = (struct tv_prv){ .trace = trace };
}

static int read_trace(struct tv_prv *prv, struct tv_input *in, struct tv_error *err)
{
	char *line;
	size_t n;
	int more = tv_input_line(in, &line, &n, err);

	if (more < 0)
		return -1;
	if (more == 0 || !read_header(prv, line, n))
		return tv_fail_at(err, (struct tv_pos){ in->path, 1 },
				  "no header of Paraver, expected #Paraver (DATE):DURATION:NODES:"
				  "APPLICATIONS:PROCESSES(THREADS:NODE,...)");
	tv_prv_names(prv, in->path);
	while ((more = tv_input_line(in, &line, &n, err)) > 0) {
		size_t nevent = prv->nevent;
		const char *wrong = read_record(prv, line, n);

		if (wrong == NULL)
			continue;
		/* Of a line that is cut off the last number may be as well. */
		prv->nevent = nevent;
		tv_damaged(prv->trace, in->unterminated ? TV_REPAIRED : TV_DROPPED,
			   in->unterminated ? TV_CUT_LINE : "record that is not understood",
			   tv_here(in), "%s", wrong);
	}
	return more;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_prv *prv = state;

	TV_STAGE("records", NULL);
	/* The view of threads has the tasks that the one of processors has. */
	if (prv->processors && is_view(in->path, "thread.prv"))
		forget(prv);
	if (prv->read)
		return tv_fail_at(
			err, (struct tv_pos){ in->path, 0 },
			"a second trace of Paraver in one folder, expected one: give its file");
	prv->processors = is_view(in->path, "cpu.prv");
	prv->read = true;
	return read_trace(prv, in, err);
}

static int probe(const char *head, size_t n)
{
	return n >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0 ? 100 : 0;
}

static void *begin(struct tv_trace *trace)
{
	struct tv_prv *prv = tv_alloc(1, sizeof *prv);

	prv->trace = trace;
	return prv;
}

static int finish(void *state, struct tv_error *err)
{
	struct tv_prv *prv = state;

	(void)err;
	tv_prv_resources(prv);
	tv_prv_rows(prv);
	tv_prv_segments(prv);
	tv_prv_messages(prv);
	return 0;
}

static void release(void *state)
{
	forget(state);
	tv_free(state);
}

const struct tv_reader tv_paraver_reader = {
	.name = "paraver",
	.summary = "traces of Paraver: Extrae, ovni (OmpSs-2, nOS-V)",
	.brings = TV_BRINGS(TASKS) | TV_BRINGS(SUBMISSION) | TV_BRINGS(STATES)
		| TV_BRINGS(VARIABLES) | TV_BRINGS(MESSAGES) | TV_BRINGS(CALLS) | TV_BRINGS(EVENTS),
	.probe = probe,
	.begin = begin,
	.read = read_file,
	.finish = finish,
	.free = release,
	.uses = "*.pcf,*.row",
	.memory = 12,
};
