/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rocpd.c -- what rocprofv3 of ROCm 7 writes: dispatches of kernels, copies, calls of the host.
 *
 * Each process has a set of tables, rocpd_NAME_UUID; ids are those of a set. A kernel and its launch have the same stack id.
 */
#include "convert/sqlite/profilers.h"
#include "trace/alloc.h"

/* Kinds of texts, and of numbers, by id in a set. */
enum { TEXT, SYMBOL, NKINDS };

struct rocpd {
	struct tv_gpu *gpu;
	struct tv_db *db;
	const char *suffix;
	uint64_t set;	     /* its number */
	struct tv_map stack; /* by event and set: place in `id` of its stack id */
	struct tv_map
		device; /* by agent and set: the number of a GPU among the GPUs of its set, TV_NONE - 1 = no GPU */
	int64_t *id;
	size_t nid, id_cap;
	const char *cat;
};

enum { NO_GPU = 1 << 20 };

static uint64_t kind_of(const struct rocpd *r, uint64_t kind)
{
	return r->set * NKINDS + kind;
}

static void add_label(struct rocpd *r, uint64_t kind, const struct tv_db_value *id,
		      const struct tv_db_value *text)
{
	if (id->present && text->present)
		tv_map_put(&r->gpu->text, (uint64_t)id->i, kind_of(r, kind),
			   tv_intern(r->gpu->c->trace->pool, text->s, text->n));
}

static void add_string(void *context, const struct tv_db_value *value)
{
	add_label(context, TEXT, &value[0], &value[1]);
}

/* The name as it is shown, else that of the symbol. */
static void add_symbol(void *context, const struct tv_db_value *value)
{
	add_label(context, SYMBOL, &value[0], value[1].present ? &value[1] : &value[2]);
}

static void add_agent(void *context, const struct tv_db_value *value)
{
	struct rocpd *r = context;
	bool gpu = value[1].n == 3 && memcmp(value[1].s, "GPU", 3) == 0;

	tv_map_put(&r->device, (uint64_t)value[0].i, r->set,
		   gpu && value[2].i >= 0 && value[2].i < NO_GPU ? (uint32_t)value[2].i : NO_GPU);
}

static void add_event(void *context, const struct tv_db_value *value)
{
	struct rocpd *r = context;

	TV_GROW(r->id, r->nid, r->id_cap, 1);
	r->id[r->nid] = value[1].i;
	if (value[1].present)
		tv_map_put(&r->stack, (uint64_t)value[0].i, r->set, (uint32_t)r->nid++);
}

static int64_t stack_of(const struct rocpd *r, const struct tv_db_value *event)
{
	const uint32_t *place = event->present ? tv_map_get(&r->stack, (uint64_t)event->i, r->set)
					       : NULL;

	return place != NULL ? r->id[*place] : TV_GPU_NONE;
}

/* NO_GPU: the agent is none. */
static int64_t device_of(const struct rocpd *r, const struct tv_db_value *agent)
{
	const uint32_t *device = tv_map_get(&r->device, (uint64_t)agent->i, r->set);

	return device != NULL			  ? (int64_t)*device
	     : agent->i >= 0 && agent->i < NO_GPU ? agent->i
						  : 0;
}

static uint32_t or_unnamed(const struct rocpd *r, uint32_t name)
{
	return name != TV_NONE ? name : tv_intern_text(r->gpu->c->trace->pool, "unnamed");
}

/* start, end, pid, event_id, name, agent, other agent, queue_id, size; of the host tid in place of an agent */
static void add_row(void *context, const struct tv_db_value *value)
{
	struct rocpd *r = context;
	bool kernel = strcmp(r->cat, "kernel") == 0, call = strcmp(r->cat, "hip_runtime") == 0;
	int64_t device = call ? -1 : device_of(r, &value[5]);
	struct tv_gpu_row row = { .start = tv_db_number(&value[0], TV_GPU_NONE),
				  .end = tv_db_number(&value[1], TV_GPU_NONE),
				  .process = (int64_t)(r->set << 32) + (value[2].i & 0x7fffffff),
				  .cat = r->cat,
				  .thread = call ? value[5].i : 0,
				  .stream = call || value[7].i < 0 ? -1 : value[7].i,
				  .bytes = tv_db_number(&value[8], -1),
				  .correlation = stack_of(r, &value[3]) };

	row.name = or_unnamed(r,
			      tv_gpu_text(r->gpu, &value[4], kind_of(r, kernel ? SYMBOL : TEXT)));
	if (device == NO_GPU) /* a copy to the host */
		device = device_of(r, &value[6]);
	row.device = device == NO_GPU ? 0 : device;
	tv_gpu_add(r->gpu, &row);
}

static void read_table(struct rocpd *r, const char *name, const char *const *columns,
		       void (*row)(void *context, const struct tv_db_value *value))
{
	char *table = tv_format("rocpd_%s%s", name, r->suffix);

	tv_db_rows(r->db, table, columns, row, r);
	tv_free(table);
}

static void read_set(struct rocpd *r)
{
	static const char *const string[] = { "id", "string", NULL };
	static const char *const symbol[] = { "id", "display_name", "kernel_name", NULL };
	static const char *const agent[] = { "id", "type", "type_index", NULL };
	static const char *const event[] = { "id", "stack_id", NULL };
	static const char *const kernel[] = { "start",	   "end",      "pid", "event_id",
					      "kernel_id", "agent_id", "",    "queue_id",
					      "",	   NULL };
	static const char *const copy[] = {
		"start",	"end",		"pid",	    "event_id", "name_id",
		"dst_agent_id", "src_agent_id", "queue_id", "size",	NULL
	};
	static const char *const region[] = { "start", "end", "pid", "event_id", "name_id",
					      "tid",   "",    "",    "",	 NULL };

	read_table(r, "string", string, add_string);
	read_table(r, "info_kernel_symbol", symbol, add_symbol);
	read_table(r, "info_agent", agent, add_agent);
	read_table(r, "event", event, add_event);
	r->cat = "kernel";
	read_table(r, "kernel_dispatch", kernel, add_row);
	r->cat = "gpu_memcpy";
	read_table(r, "memory_copy", copy, add_row);
	r->cat = "hip_runtime";
	read_table(r, "region", region, add_row);
}

bool tv_rocpd_read(struct tv_gpu *gpu, struct tv_db *db)
{
	static const char first[] = "rocpd_kernel_dispatch";
	struct rocpd r = { .gpu = gpu, .db = db };
	char *table = tv_db_next_table(db, first, "");
	bool any = table != NULL;

	while (table != NULL) {
		char *next = tv_db_next_table(db, first, table);

		r.suffix = table + strlen(first);
		read_set(&r);
		r.set++;
		tv_free(table);
		table = next;
	}
	tv_map_release(&r.stack);
	tv_map_release(&r.device);
	tv_free(r.id);
	return any;
}
