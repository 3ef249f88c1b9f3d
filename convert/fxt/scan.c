/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c -- first walk over an FxT file; clocks across ranks. */
#include "convert/fxt/scan.h"

#include <inttypes.h>
#include <math.h>

enum { KIND_CPU_1_4 = 0x100 };
/* StarPU 1.4's default key mask; older ones set every bit. */
static const uint64_t mask_1_4 = 0x7fcfffff;

/* What distinguishes the generations. */
struct evidence {
	struct tv_fxt_shapes shapes;
	struct starts {
		uint64_t worker, elsewhere, empty;
	} starts[TV_FXT_NGENERATIONS];
	unsigned submit, deps, alloc; /* parameters of the first record + 1; 0 = not seen */
	bool mask_1_4;		      /* key mask of 1.4 */
	bool kind_1_4;		      /* a worker of the kind 0x100 */
	size_t kind_offset;
};

static void note(unsigned *evidence, const struct tv_fxt_event *event)
{
	if (*evidence == 0)
		*evidence = event->n + 1;
}

static void see_barrier(struct tv_fxt_facts *facts, const struct tv_fxt_event *event)
{
	uint64_t local = event->n == 5 ? tv_fxt_word(event, 3) : 0;
	uint64_t far = (uint64_t)1 << 58;

	if (event->n < 4)
		return;
	if (facts->nsync == 0) {
		facts->ranked = true;
		facts->rank = tv_fxt_number(event, 0);
		facts->world = tv_fxt_number(event, 1);
		facts->key = tv_fxt_word(event, 2);
	}
	if (local == 0 || local - facts->first + far > 2 * far)
		local = event->time;
	if (facts->nsync < 2)
		facts->sync[facts->nsync++] = local;
}

static void see_start(struct evidence *evidence, const struct tv_fxt_event *event)
{
	enum tv_fxt_generation generation = tv_fxt_start_generation(event);
	struct starts *starts = &evidence->starts[generation];

	if (tv_fxt_is_empty(event, generation, 5))
		starts->empty++;
	else if ((int32_t)tv_fxt_word(event, 2) < 0)
		starts->elsewhere++;
	else
		starts->worker++;
}

static void see(struct tv_fxt_facts *facts, struct evidence *evidence,
		const struct tv_fxt_event *event)
{
	switch (event->code) {
	case TV_FXT_START_CODELET_BODY:
		tv_fxt_see_start(&evidence->shapes, event);
		see_start(evidence, event);
		break;
	case TV_FXT_TASK_SUBMIT:
		note(&evidence->submit, event);
		facts->submits++;
		break;
	case TV_FXT_TASK_DEPS:
		note(&evidence->deps, event);
		break;
	case TV_FXT_START_ALLOC:
		note(&evidence->alloc, event);
		break;
	case TV_FXT_WORKER_INIT_START:
		if (!evidence->kind_1_4 && tv_fxt_word(event, 0) == KIND_CPU_1_4) {
			evidence->kind_1_4 = true;
			evidence->kind_offset = event->offset;
		}
		break;
	case TV_FXT_SETUP:
		evidence->mask_1_4 = evidence->mask_1_4 || tv_fxt_word(event, 0) == mask_1_4;
		break;
	case TV_FXT_STOP_FLUSH:
		facts->flushed = true;
		break;
	case TV_FXT_MPI_START:
		if (!facts->ranked && event->n >= 2) {
			facts->ranked = true;
			facts->rank = tv_fxt_number(event, 0);
			facts->world = tv_fxt_number(event, 1);
		}
		break;
	case TV_FXT_MPI_BARRIER:
		see_barrier(facts, event);
		break;
	default:
		break;
	}
}

static enum tv_fxt_generation find_generation(const struct evidence *e)
{
	enum tv_fxt_generation start = tv_fxt_usual_start(&e->shapes);

	if (start >= TV_FXT_1_4)
		return start;
	if (start == TV_FXT_UNKNOWN && (e->kind_1_4 || e->mask_1_4))
		return TV_FXT_1_4;
	if (e->submit != 0)
		return e->submit - 1 < 7 ? TV_FXT_1_2 : TV_FXT_1_3;
	if (e->deps != 0)
		return e->deps - 1 <= 3 ? TV_FXT_1_2 : TV_FXT_1_3;
	if (e->alloc != 0)
		return e->alloc - 1 <= 3 ? TV_FXT_1_2 : TV_FXT_1_3;
	return start;
}

/* What a file's events say about the StarPU that wrote it. -1 with *err if they contradict each
 * other or no version writes such events. */
static int judge(const struct evidence *evidence, struct tv_fxt_facts *facts, const char *path,
		 struct tv_trace *trace, struct tv_error *err)
{
	enum tv_fxt_generation start = tv_fxt_usual_start(&evidence->shapes);

	facts->generation = find_generation(evidence);
	if (tv_fxt_check_shapes(&evidence->shapes, facts->generation, path, trace, err) < 0)
		return -1;
	if (start == TV_FXT_1_3 && evidence->kind_1_4)
		return tv_fail_at(err, (struct tv_pos){ path, 0 },
				  "byte %zu: a worker of the kind 0x100, as in StarPU 1.4, but "
				  "START_CODELET_BODY is that of 1.2 and 1.3: of a version that is "
				  "not known",
				  evidence->kind_offset);
	facts->starts = evidence->starts[start].worker;
	facts->starts_elsewhere = evidence->starts[start].elsewhere;
	facts->starts_empty = evidence->starts[start].empty;
	return 0;
}

static void report(const struct tv_fxt_cursor *cursor, const struct tv_fxt_event *event,
		   enum tv_fxt_step step, struct tv_trace *trace)
{
	struct tv_pos at = { cursor->file->path, 0 };

	if (step == TV_FXT_HOLE)
		tv_damaged(trace, TV_DROPPED, "bytes that hold no event", at,
			   "byte %zu: %zu bytes skipped", event->offset,
			   cursor->at - event->offset);
	else
		tv_damaged(trace, TV_DROPPED, "event at an impossible time", at,
			   "byte %zu: code 0x%x at %" PRIu64 " ns, the trace began at %" PRIu64
			   " ns",
			   event->offset, event->code, event->time, cursor->first);
}

int tv_fxt_scan(const struct tv_fxt_file *file, struct tv_trace *trace, struct tv_fxt_facts *facts,
		struct tv_error *err)
{
	struct evidence evidence = { 0 };
	const struct tv_fxt_rule *rule;
	struct tv_pos at = { file->path, 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	enum tv_fxt_step step;

	*facts = (struct tv_fxt_facts){ 0 };
	tv_fxt_rewind(&cursor, file);
	while ((step = tv_fxt_next(&cursor, &event)) != TV_FXT_END) {
		if (step != TV_FXT_EVENT) {
			report(&cursor, &event, step, trace);
			continue;
		}
		if (facts->events++ == 0)
			facts->first = facts->last = event.time;
		if (event.time - facts->first < (uint64_t)1 << 63
		    && event.time - facts->first > facts->last - facts->first)
			facts->last = event.time;
		rule = tv_fxt_rule_of(event.code);
		if (rule == NULL || tv_fxt_see_ruled(&evidence.shapes, &event, rule))
			see(facts, &evidence, &event);
	}
	if (facts->events == 0)
		return tv_fail_at(err, at, "the trace contains no event");
	if (judge(&evidence, facts, file->path, trace, err) < 0)
		return -1;
	if (cursor.at < file->end)
		tv_damaged(trace, TV_REPAIRED, TV_CUT_EVENT, at, "byte %zu: what precedes is used",
			   cursor.at);
	if (file->cut != NULL)
		tv_damaged(trace, TV_REPAIRED, file->cut, at,
			   "byte %zu: read to the end of the file", file->begin);
	return 0;
}

/* ---- clocks ---- */

/* The barriers that all files with barriers have: the second one, if a cut file does not have it,
 * would shift the clocks of the others. */
static unsigned common_barriers(struct tv_fxt_clock *const *clock, size_t n)
{
	unsigned common = 2;

	for (size_t k = 0; k < n; k++)
		if (clock[k]->nsync == 1)
			common = 1;
	return common;
}

void tv_fxt_clocks(const struct tv_fxt_facts *const *facts, struct tv_fxt_clock *const *clock,
		   size_t n)
{
	int64_t latest[2] = { INT64_MIN, INT64_MIN };
	unsigned common;

	for (size_t k = 0; k < n; k++) {
		*clock[k] = (struct tv_fxt_clock){ .first = facts[k]->first,
						   .nsync = facts[k]->nsync };
		for (unsigned i = 0; i < facts[k]->nsync; i++)
			clock[k]->sync[i] = (int64_t)(facts[k]->sync[i] - facts[k]->first);
		if (clock[k]->nsync == 2 && clock[k]->sync[1] <= clock[k]->sync[0])
			clock[k]->nsync = 1;
	}
	common = common_barriers(clock, n);
	for (size_t k = 0; k < n; k++) {
		if (clock[k]->nsync > common)
			clock[k]->nsync = common;
		for (unsigned i = 0; i < clock[k]->nsync; i++)
			if (clock[k]->sync[i] > latest[i])
				latest[i] = clock[k]->sync[i];
	}
	for (size_t k = 0; k < n; k++)
		for (unsigned i = 0; i < clock[k]->nsync; i++)
			clock[k]->offset[i] = latest[i] - clock[k]->sync[i];
}

int64_t tv_fxt_time(const struct tv_fxt_clock *clock, uint64_t time)
{
	int64_t t = (int64_t)(time - clock->first);
	double share;

	if (clock->nsync == 0)
		return t + clock->shift;
	if (clock->nsync == 1 || t <= clock->sync[0] || clock->offset[0] == clock->offset[1])
		return t + clock->offset[0] + clock->shift;
	if (t >= clock->sync[1])
		return t + clock->offset[1] + clock->shift;
	share = (double)(t - clock->sync[0]) / (double)(clock->sync[1] - clock->sync[0]);
	return t + clock->offset[0] + clock->shift
	     + llround(share * (double)(clock->offset[1] - clock->offset[0]));
}
