/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nsight.c -- what `nsys export --type sqlite` writes: kernels, copies and memsets of devices, calls of the runtime, of MPI and of
 * the operating system, NVTX.
 *
 * A correlation id is one of a process: globalTid and globalPid have the process above their 24 lower bits.
 */
#include "convert/sqlite/profilers.h"

#define KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"

/* Whether kernels say which process they are of; else all rows are of one. */
struct nsight {
	struct tv_gpu *gpu;
	bool processes;
	const char *cat;
};

enum { THREAD_BITS = 24 };

static int64_t process_of(const struct nsight *n, const struct tv_db_value *global)
{
	return n->processes && global->present ? (int64_t)((uint64_t)global->i >> THREAD_BITS) : 0;
}

static int64_t or_zero(const struct tv_db_value *value)
{
	return value->present && value->i >= 0 ? value->i : 0;
}

static uint32_t label(const struct nsight *n, const char *text)
{
	return tv_intern_text(n->gpu->c->trace->pool, text);
}

static void add_text(void *context, const struct tv_db_value *value)
{
	struct nsight *n = context;

	if (value[0].present)
		tv_map_put(&n->gpu->text, (uint64_t)value[0].i, 0,
			   tv_intern(n->gpu->c->trace->pool, value[1].s, value[1].n));
}

/* start, end, deviceId, contextId, streamId, correlationId, globalPid, name, other name, bytes, kind of copy */
#define DEVICE_COLUMNS(name, other) \
	{ \
		"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", \
			name, other, "bytes", "copyKind", NULL \
	}

static const char *copy_name(const struct tv_db_value *kind)
{
	switch (kind->present ? kind->i : 0) {
	case 1:
		return "Memcpy HtoD";
	case 2:
		return "Memcpy DtoH";
	case 8:
		return "Memcpy DtoD";
	case 10:
		return "Memcpy PtoP";
	default:
		return "Memcpy";
	}
}

static void add_device_work(void *context, const struct tv_db_value *value)
{
	struct nsight *n = context;
	bool copy = strcmp(n->cat, "gpu_memcpy") == 0;
	uint32_t name = tv_gpu_text(n->gpu, &value[7], 0),
		 other = tv_gpu_text(n->gpu, &value[8], 0);
	struct tv_gpu_row row = { .start = tv_db_number(&value[0], TV_GPU_NONE),
				  .end = tv_db_number(&value[1], TV_GPU_NONE),
				  .process = process_of(n, &value[6]),
				  .cat = n->cat,
				  .thread = or_zero(&value[3]),
				  .device = or_zero(&value[2]),
				  .stream = or_zero(&value[4]),
				  .bytes = tv_db_number(&value[9], -1),
				  .correlation = tv_db_number(&value[5], TV_GPU_NONE) };

	row.name = name != TV_NONE  ? name
		 : other != TV_NONE ? other
		 : copy		    ? label(n, copy_name(&value[10]))
				    : label(n, strcmp(n->cat, "kernel") == 0 ? "kernel" : "Memset");
	tv_gpu_add(n->gpu, &row);
}

/* start, end, globalTid, correlationId or nothing, name, bytes or nothing; of NVTX text, textId and eventType */
static void add_call(void *context, const struct tv_db_value *value)
{
	struct nsight *n = context;
	uint32_t name = tv_gpu_text(n->gpu, &value[4], 0);
	struct tv_gpu_row row = { .start = tv_db_number(&value[0], TV_GPU_NONE),
				  .end = tv_db_number(&value[1], TV_GPU_NONE),
				  .process = process_of(n, &value[2]),
				  .cat = n->cat,
				  .name = name != TV_NONE ? name : label(n, "unnamed"),
				  .thread = or_zero(&value[2]) & ((1 << THREAD_BITS) - 1),
				  .device = -1,
				  .stream = -1,
				  .bytes = tv_db_number(&value[5], -1),
				  .correlation = tv_db_number(&value[3], TV_GPU_NONE) };

	tv_gpu_add(n->gpu, &row);
}

enum { NVTX_MARK = 34, NVTX_PUSH_POP = 59, NVTX_START_END = 60 };

static void add_nvtx(void *context, const struct tv_db_value *value)
{
	struct nsight *n = context;
	struct tv_gpu_row row = { .start = tv_db_number(&value[0], TV_GPU_NONE),
				  .end = tv_db_number(&value[1], TV_GPU_NONE),
				  .process = process_of(n, &value[2]),
				  .cat = n->cat,
				  .name = tv_gpu_text(n->gpu, &value[4], 0),
				  .thread = or_zero(&value[2]) & ((1 << THREAD_BITS) - 1),
				  .device = -1,
				  .stream = -1,
				  .bytes = -1,
				  .correlation = TV_GPU_NONE };

	if (value[3].present)
		row.name = tv_intern(n->gpu->c->trace->pool, value[3].s, value[3].n);
	row.open = !value[1].present && value[5].i != NVTX_MARK;
	if (value[5].i == NVTX_MARK)
		row.end = row.start; /* of no length */
	else if (value[5].i != NVTX_PUSH_POP && value[5].i != NVTX_START_END)
		return;
	tv_gpu_add(n->gpu, &row);
}

bool tv_nsight_read(struct tv_gpu *gpu, struct tv_db *db)
{
	static const char *const strings[] = { "id", "value", NULL };
	static const char *const kernel[] = DEVICE_COLUMNS("shortName", "demangledName");
	static const char *const other[] = DEVICE_COLUMNS("", "");
	static const char *const call[] = { "start",  "end", "globalTid", "correlationId",
					    "nameId", "",    NULL };
	static const char *const mpi_call[] = { "start",  "end",  "globalTid", "",
						"textId", "size", NULL };
	static const char *const mpi[] = { "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS",
					   "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS" };
	static const char *const nvtx[] = { "start",  "end",	   "globalTid", "text",
					    "textId", "eventType", NULL };
	struct nsight n = { .gpu = gpu, .processes = tv_db_has_column(db, KERNELS, "globalPid") };

	if (!tv_db_has(db, "StringIds"))
		return false;
	tv_db_rows(db, "StringIds", strings, add_text, &n);
	n.cat = "kernel";
	tv_db_rows(db, KERNELS, kernel, add_device_work, &n);
	n.cat = "gpu_memcpy";
	tv_db_rows(db, "CUPTI_ACTIVITY_KIND_MEMCPY", other, add_device_work, &n);
	n.cat = "gpu_memset";
	tv_db_rows(db, "CUPTI_ACTIVITY_KIND_MEMSET", other, add_device_work, &n);
	n.cat = "cuda_runtime";
	tv_db_rows(db, "CUPTI_ACTIVITY_KIND_RUNTIME", call, add_call, &n);
	n.cat = "osrt";
	tv_db_rows(db, "OSRT_API", call, add_call, &n);
	n.cat = "mpi";
	gpu->c->mpi = label(&n, n.cat);
	for (size_t i = 0; i < TV_COUNT(mpi); i++)
		tv_db_rows(db, mpi[i], mpi_call, add_call, &n);
	n.cat = "nvtx";
	tv_db_rows(db, "NVTX_EVENTS", nvtx, add_nvtx, &n);
	return true;
}
