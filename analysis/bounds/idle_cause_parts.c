/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_cause_parts.c -- why workers were idle, of rows that come part by part. */
#include "analysis/bounds/idle_cause_parts.h"

#include "dag/blame_parts.h"
#include "dag/idle_parts.h"
#include "trace/alloc.h"

static struct tv_parted_causes new_parted(const struct tv_run *run)
{
	return (struct tv_parted_causes){ .idle = tv_idle_parts_new(),
					  .blame = tv_blame_parts_new(&run->tasks) };
}

void tv_parted_causes_release(struct tv_parted_causes *parted)
{
	tv_idle_parts_free(parted->idle);
	tv_blame_parts_free(parted->blame);
}

static int note_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_parted_causes *parted = state;
	const struct tv_dag *dag = tv_run_dag(part, err);

	if (dag == NULL)
		return -1;
	tv_idle_parts_note(parted->idle, dag);
	tv_blame_parts_note(parted->blame, dag);
	/* While rows are read for another pass nobody has asked for names. */
	if (parted->work != NULL && parted->work->asked->by == TV_CAUSES_BY_BLAME)
		tv_free(tv_blamed_names_add(&parted->work->names, dag));
	return 0;
}

static const char expecting; /* a key */

static void free_expected(void *state)
{
	tv_parted_causes_release(state);
	tv_free(state);
}

void tv_parted_causes_expect(struct tv_run *run)
{
	struct tv_parted_causes *expected = tv_alloc(1, sizeof *expected);

	*expected = new_parted(run);
	tv_run_ride(run, &expecting, note_part, expected, free_expected);
}

void tv_parted_causes_begin(struct tv_parted_causes *parted, struct tv_run *run,
			    const struct tv_cause_asked *asked)
{
	struct tv_parted_causes *expected = asked->by != TV_CAUSES_BY_BLAME
						  ? tv_run_ridden(run, &expecting)
						  : NULL;

	*parted = expected != NULL ? *expected : new_parted(run);
	parted->noted = expected != NULL;
	tv_free(expected);
}

static int sweep_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_parted_causes *parted = state;
	struct tv_cause_sums *work = parted->work;
	const struct tv_dag *dag = tv_run_dag(part, err);
	uint32_t *name = NULL;
	int64_t until;

	if (dag == NULL)
		return -1;
	until = tv_idle_parts_sweep(parted->idle, dag);
	if (work->asked->by == TV_CAUSES_BY_BLAME)
		name = tv_blamed_names_add(&work->names, dag);
	tv_blame_parts_divide(parted->blame, part->of->parts->carry, dag, until, name, work->bound,
			      work->nslices, tv_cause_take_blamed, work);
	tv_free(name);
	return 0;
}

/* What no part shows; NULL = nothing. */
static const char *find_reason(const struct tv_run *run)
{
	if (tv_in_loops_may(run->trace))
		return "the trace has states of parallel loops";
	return tv_fetches_reason(run->trace);
}

int tv_parted_causes_note(struct tv_run *run, struct tv_parted_causes *parted, struct tv_error *err)
{
	const char *why = find_reason(run);

	if (why == NULL) {
		if (!parted->noted && tv_run_rows(run, note_part, parted, err) < 0)
			return -1;
		why = tv_blame_parts_reason(parted->blame);
	}
	return why == NULL ? 0 : tv_fail_parts(err, "idle-causes needs all rows at once: %s", why);
}

int tv_parted_causes_sweep(struct tv_run *run, struct tv_parted_causes *parted,
			   struct tv_error *err)
{
	struct tv_cause_sums *work = parted->work;
	const struct tv_idle_slices slices = { work->bound, work->nslices, tv_cause_take_slice,
					       work };
	const struct tv_idle_wanted wanted = { .end = work->bound[work->nslices],
					       .slices = &slices,
					       .spans = tv_blame_parts_spans(parted->blame) };

	if (tv_idle_parts_begin(parted->idle, &run->tasks,
				work->asked->can_run == TV_CAN_RUN_ANYWHERE, &wanted, err)
	    < 0)
		return -1;
	return tv_run_rows(run, sweep_part, parted, err);
}
