/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite.c -- databases: which one it is; of GPU profilers rows as slices, whose tables are made as those of trace events. */
#include <inttypes.h>
#include <stdio.h>

#include "convert/formats.h"
#include "convert/sqlite/gpu.h"

/* Times beyond this, 73 years, are none. */
#define TIME_MAX (INT64_MAX / 4)

uint32_t tv_gpu_text(const struct tv_gpu *gpu, const struct tv_db_value *id, uint64_t kind)
{
	const uint32_t *label = id->present ? tv_map_get(&gpu->text, (uint64_t)id->i, kind) : NULL;

	return label != NULL ? *label : TV_NONE;
}

/* Each process is a file of c, in the order in which they occur. */
static void choose_process(struct tv_gpu *gpu, int64_t process)
{
	uint32_t *file = tv_map_at(&gpu->process, (uint64_t)process, 0);

	if (*file == TV_NONE) {
		*file = gpu->first + (uint32_t)gpu->process.n - 1;
		gpu->c->file = *file;
		tv_chrome_begin_file(gpu->c, gpu->c->path);
		gpu->c->rank[*file] = (int64_t)*file;
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

	if (row->correlation.present) {
		int n = snprintf(text, sizeof text, "%" PRId64, row->correlation.i);

		more.correlation = tv_intern(gpu->c->names, text, (size_t)n);
	}
	return tv_chrome_keep_more(
		gpu->c, &more, &(struct tv_chrome_work){ row->device, row->stream, row->bytes });
}

void tv_gpu_add(struct tv_gpu *gpu, const struct tv_gpu_row *row, bool open)
{
	struct tv_chrome *c = gpu->c;
	int64_t start = row->start.i, end = row->end.whole ? row->end.i : INT64_MIN;
	struct tv_chrome_slice slice = { .start = start, .end = end, .name = row->name };

	open = open && !row->end.present;
	if (!row->start.whole || (!open && end < start) || start > TIME_MAX || start < -TIME_MAX
	    || end > TIME_MAX) {
		tv_damaged(c->trace, TV_DROPPED, "no times", tv_chrome_at(c, 0),
			   "a row of %s whose start and end are missing or the wrong way round",
			   row->cat);
		return;
	}
	choose_process(gpu, row->process);
	slice.open = open;
	slice.cat = tv_intern_text(c->trace->pool, row->cat);
	slice.lane = lane_of(gpu, row);
	slice.more = more_of(gpu, row);
	slice.seq = ++c->seq;
	gpu->last = end > gpu->last ? end : gpu->last;
	gpu->last = start > gpu->last ? start : gpu->last;
	tv_chrome_add_slice(c, &slice);
}

/* What was open when the recording ended lasts until its last time. */
static void close_open(struct tv_gpu *gpu)
{
	for (size_t i = 0; i < gpu->c->nslice; i++)
		if (gpu->c->slice[i].open)
			gpu->c->slice[i].end = gpu->last;
}

/* Whether a table is one of a trace, as traceviz writes them: it has the columns of one. */
static bool is_own(struct tv_db *db, enum tv_table_id id)
{
	bool own = tv_db_has(db, tv_schema[id].name);

	for (size_t i = 0; own && i < tv_schema[id].nfields; i++)
		own = !tv_schema[id].field[i].required
		   || tv_db_has_column(db, tv_schema[id].name, tv_schema[id].field[i].name);
	return own;
}

/* 1: the tables of a trace were read; 0: there is none but perhaps meta, which others may have, too; -1 with *err. */
static int read_own(struct tv_db *db, struct tv_trace *trace, struct tv_error *err)
{
	bool own = false;
	int rc = 0;

	for (int id = 0; id < TV_META; id++)
		own = own || is_own(db, (enum tv_table_id)id);
	trace->native = trace->native || own;
	/* Messages are compared with the graph. */
	if (tv_db_has(db, tv_schema[TV_LINKS].name))
		tv_trace_read_all(trace);
	for (int id = 0; own && rc == 0 && id < TV_NTABLES; id++)
		if (tv_db_has(db, tv_schema[id].name))
			rc = tv_csv_read_rows(trace, (enum tv_table_id)id, tv_db_csv, db, err);
	return rc < 0 ? -1 : own;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_gpu gpu = { .c = state, .last = INT64_MIN };
	bool known;
	int rc;

	gpu.c->path = in->path;
	gpu.c->digits = 3;
	gpu.first = gpu.c->file;
	gpu.db = tv_db_open(in, gpu.c->trace, err);
	if (gpu.db == NULL)
		return -1;
	rc = read_own(gpu.db, gpu.c->trace, err);
	if (rc != 0) {
		tv_db_close(gpu.db);
		return rc < 0 ? -1 : 0;
	}
	known = tv_nsight_read(&gpu) || tv_rocpd_read(&gpu);
	if (!known && tv_db_has(gpu.db, "rocpd_op"))
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"a database of ROCm's older profiler (RPD), which is not read: "
				"rocpd2tracing.py makes Chrome trace events of it");
	else if (!known || gpu.c->seq == 0)
		rc = tv_fail_at(
			err, (struct tv_pos){ in->path, 0 },
			"an SQLite database without %s of a known profiler, expected one of "
			"nsys export --type sqlite, of rocprofv3 (rocpd) or of traceviz convert",
			known ? "any work" : "the tables");
	close_open(&gpu);
	gpu.c->file = gpu.first + (uint32_t)gpu.process.n;
	tv_db_close(gpu.db);
	tv_map_release(&gpu.text);
	tv_map_release(&gpu.process);
	return rc;
}

static int probe(const char *head, size_t n)
{
	static const char magic[] = "SQLite format 3";

	return n >= sizeof magic && memcmp(head, magic, sizeof magic) == 0 ? 95 : 0;
}

const struct tv_reader tv_sqlite_reader = {
	.name = "sqlite",
	.summary = "SQLite: Nsight Systems (nsys export), rocprofv3 (rocpd), traceviz's own",
	.brings = (1u << TV_NTHINGS) - 1,
	.probe = probe,
	.begin = tv_chrome_begin,
	.read = read_file,
	.finish = tv_chrome_finish,
	.free = tv_chrome_free,
	.memory = 3,
};
