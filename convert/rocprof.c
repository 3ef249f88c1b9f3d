/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rocprof.c -- JSON of rocprofv3 (--output-format json): dispatches of kernels, copies, calls of the host.
 *
 * Each process has one object in the list "rocprofiler-sdk-tool". Names are numbers in its records, and are in other
 * lists, before or behind them; so records are kept until the object ends. A kernel and its launch have the same
 * correlation_id.internal. Times are ns.
 */
#include <string.h>

#include "convert/formats.h"
#include "convert/gpu.h"
#include "convert/json.h"
#include "convert/words.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define TOOL	"rocprofiler-sdk-tool"
#define RECORDS TOOL ".buffer_records."

/* Lists of records; category of their slices. */
static const struct domain {
	const char *name, *cat;
} domains[] = {
	{ "kernel_dispatch", "kernel" },  { "memory_copy", "gpu_memcpy" },
	{ "hip_api", "hip_runtime" },	  { "hsa_api", "hsa_api" },
	{ "marker_api", "marker" },	  { "rccl_api", "rccl_api" },
	{ "rocdecode_api", "rocdecode" }, { "rocjpeg_api", "rocjpeg" },
};
enum { KERNEL, COPY, MARKER = 4, NDOMAINS = TV_COUNT(domains) };

enum {
	KIND,
	OPERATION,
	THREAD,
	START,
	END,
	CORRELATION,
	AGENT,
	OTHER_AGENT,
	QUEUE,
	SYMBOL,
	STREAM,
	BYTES,
	NMEMBERS
};

/* Members of records that are numbers. */
static const struct {
	const char *name;
	int member;
} members[] = {
	{ "kind", KIND },
	{ "operation", OPERATION },
	{ "thread_id", THREAD },
	{ "start_timestamp", START },
	{ "end_timestamp", END },
	{ "correlation_id.internal", CORRELATION },
	{ "dispatch_info.agent_id.handle", AGENT },
	{ "dst_agent_id.handle", AGENT },
	{ "src_agent_id.handle", OTHER_AGENT },
	{ "dispatch_info.queue_id.handle", QUEUE },
	{ "dispatch_info.kernel_id", SYMBOL },
	{ "stream_id.handle", STREAM },
	{ "bytes", BYTES },
};

struct record {
	int64_t member[NMEMBERS];
	uint16_t has; /* bit of each member */
	uint8_t domain;
};

/* Texts by number, in tv_gpu.text: of a kernel; a marker; an operation of a kind. */
enum { SYMBOLS, MARKERS, OPERATIONS };

enum { NO_GPU = -1 };

struct rocprof {
	struct tv_gpu gpu;
	struct record *record, now;
	size_t nrecord, record_cap;
	struct tv_map
		device; /* by handle of an agent: its number among the GPUs; others are in no map */
	int64_t id, type, number; /* of the agent, symbol or text that is read; number -1 = none */
	uint32_t label;		  /* ... of its text, TV_NONE = none */
	uint32_t kind, operation, ngpus;
	int64_t process;
	uint64_t unread;
};

static void reset(struct rocprof *r)
{
	r->id = r->type = 0;
	r->number = -1;
	r->label = TV_NONE;
}

/* ---- what has names ---- */

static int64_t whole(const char *s, size_t n)
{
	int64_t i;

	return tv_parse_int(s, n, &i) == TV_PARSE_OK ? i : -1;
}

static uint32_t named(const struct rocprof *r, const char *s, size_t n)
{
	return n > 0 ? tv_intern(r->gpu.c->names, s, n) : TV_NONE;
}

/* A value outside of records. */
static void read_name(struct rocprof *r, const char *place, const char *s, size_t n)
{
	if (strcmp(place, "kernel_symbols.kernel_id") == 0
	    || strcmp(place, "strings.marker_api.key") == 0
	    || strcmp(place, "agents.id.handle") == 0)
		r->id = whole(s, n);
	else if (strcmp(place, "agents.type") == 0)
		r->type = whole(s, n);
	else if (strcmp(place, "agents.logical_node_type_id") == 0)
		r->number = whole(s, n);
	else if (strcmp(place, "kernel_symbols.formatted_kernel_name") == 0
		 || strcmp(place, "strings.marker_api.value") == 0
		 || (strcmp(place, "kernel_symbols.kernel_name") == 0 && r->label == TV_NONE))
		r->label = named(r, s, n);
	else if (strcmp(place, "strings.buffer_records.operations") == 0)
		tv_map_put(&r->gpu.text, (uint64_t)r->kind << 32 | r->operation++, OPERATIONS,
			   named(r, s, n));
}

/* An object outside of records ends. */
static void keep_name(struct rocprof *r, const char *place)
{
	bool symbol = strcmp(place, "kernel_symbols") == 0;

	if (symbol || strcmp(place, "strings.marker_api") == 0)
		tv_map_put(&r->gpu.text, (uint64_t)r->id, symbol ? SYMBOLS : MARKERS, r->label);
	else if (strcmp(place, "agents") == 0 && r->type == 2) {
		uint32_t number = r->number >= 0 && r->number < 1 << 20 ? (uint32_t)r->number
									: r->ngpus;

		tv_map_put(&r->device, (uint64_t)r->id, 0, number);
		r->ngpus++;
	} else if (strcmp(place, "strings.buffer_records") == 0) {
		r->kind++;
		r->operation = 0;
	} else if (strchr(place, '.') != NULL) {
		return; /* within one of them */
	}
	reset(r);
}

/* ---- records ---- */

static int domain_of(const char *name, size_t n)
{
	int i = 0;

	while (i < NDOMAINS
	       && (strlen(domains[i].name) != n || memcmp(domains[i].name, name, n) != 0))
		i++;
	return i;
}

static void on_value(void *context, const char *place, const char *s, size_t n)
{
	struct rocprof *r = context;
	const char *point;
	int64_t i;

	if (strncmp(place, RECORDS, strlen(RECORDS)) != 0) {
		if (strncmp(place, TOOL ".", strlen(TOOL ".")) == 0)
			read_name(r, place + strlen(TOOL "."), s, n);
		return;
	}
	point = strchr(place + strlen(RECORDS), '.');
	for (size_t k = 0; point != NULL && k < TV_COUNT(members); k++)
		if (strcmp(point + 1, members[k].name) == 0
		    && tv_parse_int(s, n, &i) == TV_PARSE_OK) {
			r->now.member[members[k].member] = i;
			r->now.has |= (uint16_t)(1u << members[k].member);
		}
}

static bool has(const struct record *record, int member)
{
	return (record->has & 1u << member) != 0;
}

static int64_t value_of(const struct record *record, int member, int64_t none)
{
	return has(record, member) ? record->member[member] : none;
}

static uint32_t name_of(const struct rocprof *r, const struct record *record)
{
	const int64_t *member = record->member;
	const uint32_t *label = NULL;
	struct tv_pool *pool = r->gpu.c->trace->pool;

	if (record->domain == MARKER && has(record, CORRELATION))
		label = tv_map_get(&r->gpu.text, (uint64_t)member[CORRELATION], MARKERS);
	if (record->domain == KERNEL && has(record, SYMBOL))
		label = tv_map_get(&r->gpu.text, (uint64_t)member[SYMBOL], SYMBOLS);
	else if (label == NULL && has(record, KIND) && has(record, OPERATION))
		label = tv_map_get(&r->gpu.text,
				   (uint64_t)member[KIND] << 32 | (uint32_t)member[OPERATION],
				   OPERATIONS);
	return label == NULL || *label == TV_NONE
		     ? tv_intern_text(pool, "unnamed")
		     : tv_intern_text(pool, tv_pool_text(r->gpu.c->names, *label));
}

/* The number of a GPU, NO_GPU. */
static int64_t device_of(const struct rocprof *r, const struct record *record, int member)
{
	const uint32_t *device = has(record, member)
				       ? tv_map_get(&r->device, (uint64_t)record->member[member], 0)
				       : NULL;

	return device != NULL ? (int64_t)*device : NO_GPU;
}

static void add_record(struct rocprof *r, const struct record *record)
{
	const int64_t *member = record->member;
	bool works = record->domain == KERNEL || record->domain == COPY,
	     stream = has(record, STREAM), queue = has(record, QUEUE);
	struct tv_gpu_row row = { .start = value_of(record, START, TV_GPU_NONE),
				  .end = value_of(record, END, TV_GPU_NONE),
				  .process = r->process,
				  .cat = domains[record->domain].cat,
				  .name = name_of(r, record),
				  .thread = value_of(record, THREAD, 0),
				  .device = -1,
				  .stream = -1,
				  .bytes = value_of(record, BYTES, -1),
				  .correlation = value_of(record, CORRELATION, TV_GPU_NONE) };

	if (works) {
		row.device = device_of(r, record, AGENT);
		if (row.device == NO_GPU) /* a copy to the host */
			row.device = device_of(r, record, OTHER_AGENT);
		row.device = row.device == NO_GPU ? 0 : row.device;
		/* Streams of several queues may have one number. */
		row.thread = stream && queue ? member[QUEUE] : 0;
		row.stream = stream ? member[STREAM] : queue ? member[QUEUE] : 0;
	}
	tv_gpu_add(&r->gpu, &row);
}

static void add_records(struct rocprof *r)
{
	for (size_t i = 0; i < r->nrecord; i++)
		add_record(r, &r->record[i]);
	r->nrecord = 0;
	r->process++;
	r->kind = r->operation = r->ngpus = 0;
	tv_map_release(&r->gpu.text);
	tv_map_release(&r->device);
	r->gpu.text = r->device = (struct tv_map){ 0 };
}

static void on_end(void *context, const char *place)
{
	struct rocprof *r = context;
	const char *list = place + strlen(RECORDS);
	int domain;

	if (strcmp(place, TOOL) == 0)
		add_records(r);
	if (strncmp(place, RECORDS, strlen(RECORDS)) != 0) {
		if (strncmp(place, TOOL ".", strlen(TOOL ".")) == 0)
			keep_name(r, place + strlen(TOOL "."));
		return;
	}
	if (strchr(list, '.') != NULL)
		return;
	domain = domain_of(list, strlen(list));
	if (domain < NDOMAINS) {
		r->now.domain = (uint8_t)domain;
		TV_GROW(r->record, r->nrecord, r->record_cap, 1);
		r->record[r->nrecord++] = r->now;
	} else {
		r->unread++;
	}
	r->now = (struct record){ 0 };
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct rocprof r = { 0 };
	struct tv_json_sink sink = { &r, on_value, on_end };
	struct tv_chrome *c = state;
	long line;
	int rc;

	tv_gpu_begin(&r.gpu, c, in->path);
	reset(&r);
	rc = tv_json_walk(in, &sink, &line, err);
	if (rc > 0)
		add_records(&r);
	if (rc == TV_JSON_BROKEN)
		tv_damaged(c->trace, TV_DROPPED, "no JSON", tv_chrome_at(c, line),
			   "what precedes is used, the rest of the file is not");
	if (rc == TV_JSON_CUT)
		tv_damaged(c->trace, TV_REPAIRED, TV_CUT_RECORD, tv_chrome_at(c, line),
			   "the file ends within its text; what precedes is used");
	if (rc >= 0 && r.unread > 0)
		tv_meta_add(c->trace, "NotRead", "%llu records of memory and samples",
			    (unsigned long long)r.unread);
	if (rc >= 0 && r.gpu.last == INT64_MIN)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"JSON of rocprofv3 without kernels, copies and calls: record with "
				"--kernel-trace, --memory-copy-trace, --hip-trace");
	tv_gpu_end(&r.gpu);
	tv_map_release(&r.device);
	tv_free(r.record);
	return rc < 0 ? -1 : 0;
}

static int probe(const char *head, size_t n)
{
	return n > 0 && head[strspn(head, " \t\r\n")] == '{' && tv_head_has(head, n, "\"" TOOL "\"")
		     ? 95
		     : 0;
}

const struct tv_reader tv_rocprof_reader = {
	.name = "rocprof",
	.summary = "JSON of rocprofv3: kernels, copies and calls of AMD's GPUs",
	.brings = TV_BRINGS_TASKS | TV_BRINGS(STATES),
	.probe = probe,
	.begin = tv_chrome_begin,
	.read = read_file,
	.finish = tv_chrome_finish,
	.free = tv_chrome_free,
	.memory = 3,
	.ranks = true,
};
