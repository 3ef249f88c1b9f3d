/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.c -- rows of profilers of GPUs as slices of trace events. */
#include "convert/gpu.h"

#include <inttypes.h>
#include <stdio.h>

/* Times beyond this, 73 years, are none. */
#define TIME_MAX (INT64_MAX / 4)

void tv_gpu_begin(struct tv_gpu *gpu, struct tv_chrome *c, const char *path)
{
	*gpu = (struct tv_gpu){ .c = c, .first = c->file, .last = INT64_MIN };
	c->path = path;
	c->digits = 3;
}

/* Each process is a file of c, in the order in which they occur. */
static void choose_process(struct tv_gpu *gpu, int64_t process)
{
	uint32_t *file = tv_map_at(&gpu->process, (uint64_t)process, 0);

	if (*file == TV_NONE) {
		*file = gpu->first + (uint32_t)gpu->process.n - 1;
		gpu->c->file = *file;
		tv_chrome_begin_file(gpu->c, gpu->c->path);
		gpu->c->input[*file].rank = (int64_t)*file;
	}
	if (gpu->c->file != *file)
		gpu->c->last_lane = TV_NONE;
	gpu->c->file = *file;
}

static uint32_t lane_of(struct tv_gpu *gpu, const struct tv_gpu_row *row)
{
	bool device = row->device >= 0;
	char tid[64];
	int n = device ? snprintf(tid, sizeof tid, "%" PRId64 ".%" PRId64 ".%" PRId64, row->device,
				  row->thread, row->stream)
		       : snprintf(tid, sizeof tid, "%" PRId64, row->thread);

	return tv_chrome_lane(gpu->c,
			      (struct tv_chrome_text){ device ? "GPU" : "host", device ? 3 : 4 },
			      (struct tv_chrome_text){ tid, (size_t)n });
}

static uint32_t more_of(struct tv_gpu *gpu, const struct tv_gpu_row *row)
{
	struct tv_chrome_more more = tv_chrome_no_more();
	char text[24];

	if (row->correlation != TV_GPU_NONE) {
		int n = snprintf(text, sizeof text, "%" PRId64, row->correlation);

		more.correlation = tv_intern(gpu->c->names, text, (size_t)n);
	}
	return tv_chrome_keep_more(
		gpu->c, &more, &(struct tv_chrome_work){ row->device, row->stream, row->bytes });
}

void tv_gpu_add(struct tv_gpu *gpu, const struct tv_gpu_row *row)
{
	struct tv_chrome *c = gpu->c;
	int64_t start = row->start, end = row->end;
	struct tv_chrome_slice slice = {
		.start = start, .end = end, .name = row->name, .open = row->open
	};

	if ((!row->open && end < start) || start > TIME_MAX || start < -TIME_MAX
	    || end > TIME_MAX) {
		tv_damaged(c->trace, TV_DROPPED, "no times", tv_chrome_at(c, 0),
			   "a row of %s whose start and end are missing or the wrong way round",
			   row->cat);
		return;
	}
	choose_process(gpu, row->process);
	slice.cat = tv_intern_text(c->trace->pool, row->cat);
	slice.lane = lane_of(gpu, row);
	slice.more = more_of(gpu, row);
	slice.seq = ++c->seq;
	gpu->last = end > gpu->last ? end : gpu->last;
	gpu->last = start > gpu->last ? start : gpu->last;
	tv_chrome_add_slice(c, &slice);
}

void tv_gpu_end(struct tv_gpu *gpu)
{
	for (size_t i = 0; i < gpu->c->nslice; i++)
		if (gpu->c->slice[i].open)
			gpu->c->slice[i].end = gpu->last;
	gpu->c->file = gpu->first + (uint32_t)gpu->process.n;
	tv_map_release(&gpu->text);
	tv_map_release(&gpu->process);
}
