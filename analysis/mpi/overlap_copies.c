/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap_copies.c -- copies of devices beside their other tasks. */
#include "analysis/mpi/overlap_copies.h"

#include "analysis/core/columns.h"
#include "analysis/core/curves.h"
#include "analysis/core/lateness.h"
#include "analysis/core/spans.h"
#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(DEVICE, "ResourceId", TV_LABEL, false, "", "device, or its stream if it has one") \
	X(NODE, "Node", TV_LABEL, false, "", "its node") \
	X(COPIES, "Copies", TV_INT, false, "", "copies and fills, in whole or in part") \
	X(BYTES, "Bytes", TV_INT, false, "bytes", "their Size, of those that have it, in whole") \
	X(COPY_TIME, "CopyTime", TV_TIME, false, "ms", "time in which any copy ran") \
	X(KERNEL_TIME, "KernelTime", TV_TIME, false, "ms", "time in which any other task ran") \
	X(OVERLAP, "OverlapTime", TV_TIME, false, "ms", "time in which both did") \
	X(HIDDEN, "HiddenShare", TV_DOUBLE, false, "%", "OverlapTime / CopyTime")

enum { COLUMNS(TV_COLUMN_ID) NCOLUMNS };
_Static_assert((int)NCOLUMNS == (int)TV_OVERLAP_COPY_COLUMNS, "the header has their number");
const struct tv_field tv_overlap_copy_columns[] = { COLUMNS(TV_COLUMN_ROW) };

struct copy_overlap {
	const struct tv_tasks *tasks;
	const struct tv_column *size;
	struct tv_span in;
	struct tv_span *copy, *kernel; /* buffers */
	struct tv_table *out;
};

static void add_device(const struct copy_overlap *work, uint32_t w, const uint32_t *row, uint32_t n)
{
	const struct tv_tasks *tasks = work->tasks;
	struct tv_column *const *to = work->out->col;
	uint32_t ncopies = 0, nkernels = 0, at = tv_table_add_row(work->out);
	int64_t time = 0, overlap = 0;
	tv_int128 bytes = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct tv_span span = { tasks->start[row[i]], tasks->end[row[i]] };

		if (span.end <= work->in.begin || span.begin >= work->in.end)
			continue;
		if (!tv_is_copy(tv_pool_text(tasks->pool, tasks->value[row[i]]))) {
			work->kernel[nkernels++] = span;
			continue;
		}
		work->copy[ncopies++] = span;
		if (work->size != NULL && !tv_missing(work->size, row[i]))
			bytes += work->size->i[row[i]];
	}
	tv_set_label(to[DEVICE], at, tasks->workers[w].resource);
	tv_set_label(to[NODE], at, tasks->node[tasks->workers[w].node].label);
	tv_set_int(to[COPIES], at, ncopies);
	tv_set_int(to[BYTES], at, tv_sum_ns(bytes));
	ncopies = tv_spans_merge(work->copy, ncopies, work->in);
	nkernels = tv_spans_merge(work->kernel, nkernels, work->in);
	for (uint32_t i = 0; i < ncopies; i++) {
		time += work->copy[i].end - work->copy[i].begin;
		overlap += tv_spans_within(work->kernel, nkernels, work->copy[i]);
	}
	tv_set_int(to[COPY_TIME], at, time);
	tv_set_int(to[KERNEL_TIME], at, tv_spans_within(work->kernel, nkernels, work->in));
	tv_set_int(to[OVERLAP], at, overlap);
	if (time > 0)
		tv_set_double(to[HIDDEN], at, 100 * (double)overlap / (double)time);
}

int tv_overlap_copies(struct tv_run *run, struct tv_table *out, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct copy_overlap work = { .tasks = tasks, .out = out };
	struct tv_groups rows;
	bool *device;

	if (tv_run_need_tasks(run, "overlap --by device", err) < 0
	    || tv_run_interval(run, &work.in.begin, &work.in.end, err) < 0)
		return -1;
	tv_add_fields(out, tv_overlap_copy_columns, TV_OVERLAP_COPY_COLUMNS);
	work.size = tv_table_find(&run->trace->table[TV_TASKS], "Size");
	tv_tasks_by_worker(tasks, tasks->counted, &rows);
	work.copy = tv_alloc(tv_groups_max(&rows), sizeof *work.copy);
	work.kernel = tv_alloc(tv_groups_max(&rows), sizeof *work.kernel);
	device = tv_on_device(tasks);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (device[w] && tv_run_has(run, w))
			add_device(&work, w, rows.row + rows.first[w],
				   rows.first[w + 1] - rows.first[w]);
	tv_groups_release(&rows);
	tv_free(device);
	tv_free(work.copy);
	tv_free(work.kernel);
	if (out->nrows == 0)
		return tv_fail(err, "overlap --by device: no task ran on a device (column Device)");
	return 0;
}
