/* SPDX-License-Identifier: GPL-3.0-or-later */
/* define.c -- definitions of an archive: processes, locations, regions, communicators, metrics. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "convert/otf2/otf2.h"
#include "trace/alloc.h"

/* Types of groups, and a flag. */
enum { COMM_LOCATIONS = 4, COMM_GROUP = 5, COMM_SELF = 6, GLOBAL_MEMBERS = 1 };

uint32_t tv_otf2_find(const struct tv_otf2 *o, enum tv_otf2_kind kind, uint64_t reference)
{
	const uint32_t *place;

	if (kind == TV_OTF2_REGION) /* of each event */
		return tv_numbers_get(&o->regions, reference);
	place = tv_map_get(&o->ids, reference, kind);
	return place != NULL ? *place : TV_NONE;
}

/* Definitions come in any order: what they name is looked up when all are known. Of those of one thing the last one holds. */
static void set(struct tv_otf2 *o, const struct tv_otf2_record *record, size_t place)
{
	/* Classes and instances are numbered together. */
	uint32_t kind = record->kind == TV_OTF2_INSTANCE ? TV_OTF2_CLASS : record->kind,
		 *at = tv_map_at(&o->ids, record->arg[0], kind);

	o->repeated += *at != TV_NONE;
	*at = (uint32_t)place;
}

static uint64_t *copy(const void *more, uint64_t bytes)
{
	uint64_t *numbers = tv_alloc(bytes / sizeof *numbers, sizeof *numbers);

	if (bytes > 0)
		memcpy(numbers, more, bytes);
	return numbers;
}

#define ADD(list, ...) \
	do { \
		TV_GROW(o->list, o->n##list, o->list##_cap, 1); \
		o->list[o->n##list] = (struct tv_otf2_##list){ __VA_ARGS__ }; \
		set(o, record, o->n##list++); \
	} while (0)

void tv_otf2_define(struct tv_otf2 *o, const struct tv_otf2_record *record, const void *more)
{
	const uint64_t *arg = record->arg;
	size_t n = record->bytes / sizeof *arg;

	switch (record->kind) {
	case TV_OTF2_CLOCK:
		o->resolution = arg[0];
		o->offset = arg[1];
		break;
	case TV_OTF2_STRING:
		set(o, record, tv_intern(o->trace->pool, more, record->bytes));
		break;
	case TV_OTF2_PROCESS:
		ADD(process, .name = (uint32_t)arg[1], .accelerator = arg[2] != 0, .tree = arg[3],
		    .creator = arg[4], .rank = -1, .off_until = INT64_MIN);
		break;
	case TV_OTF2_LOCATION:
		ADD(location, .name = (uint32_t)arg[1], .type = arg[2], .events = arg[3],
		    .group = arg[4]);
		break;
	case TV_OTF2_REGION:
		ADD(region, .name = (uint32_t)arg[1], .paradigm = arg[3], .file = (uint32_t)arg[4],
		    .line = arg[5], .role = arg[2]);
		tv_numbers_put(&o->regions, arg[0], (uint32_t)o->nregion - 1);
		break;
	case TV_OTF2_GROUP:
		ADD(group, arg[1], arg[2], arg[3], copy(more, record->bytes), n);
		if (arg[1] == COMM_LOCATIONS)
			tv_map_put(&o->locations_of, arg[2], 0, (uint32_t)o->ngroup - 1);
		break;
	case TV_OTF2_COMM:
		ADD(comm, (uint32_t)arg[1], arg[2], arg[3]);
		break;
	case TV_OTF2_PARADIGM:
	case TV_OTF2_WINDOW:
	case TV_OTF2_CONTEXT:
		set(o, record, (uint32_t)arg[1]);
		break;
	case TV_OTF2_MEMBER:
		ADD(member, (uint32_t)arg[1], arg[2],
		    pow(arg[3] == 0 ? 2 : 10, (double)(int64_t)arg[4]));
		break;
	case TV_OTF2_CLASS:
		ADD(metric, .member = copy(more, record->bytes), .n = n);
		break;
	case TV_OTF2_INSTANCE:
		/* Of what is not one location nothing is known here. */
		ADD(metric, .instance = true, .class = arg[1],
		    .scope = arg[3] == 0 ? arg[4] : UINT64_MAX);
		break;
	default:
		break;
	}
}

/* ---- ranks ---- */

static uint32_t location_of_rank(const struct tv_otf2 *o, uint64_t paradigm, uint64_t rank)
{
	const uint32_t *place = tv_map_get(&o->locations_of, paradigm, 0);

	return place == NULL || rank >= o->group[*place].n
		     ? TV_NONE
		     : tv_otf2_find(o, TV_OTF2_LOCATION, o->group[*place].member[rank]);
}

/* The location of a member of a group. */
static uint32_t location_of(const struct tv_otf2 *o, const struct tv_otf2_group *group, uint64_t i)
{
	if (group->type == COMM_SELF)
		return i == 0 ? o->here.location : TV_NONE;
	if (i >= group->n)
		return TV_NONE;
	return group->type == COMM_GROUP && !(group->flags & GLOBAL_MEMBERS)
		     ? location_of_rank(o, group->paradigm, group->member[i])
		     : tv_otf2_find(o, TV_OTF2_LOCATION, group->member[i]);
}

static const struct tv_otf2_group *group_of(const struct tv_otf2 *o, uint64_t reference)
{
	uint32_t place = tv_otf2_find(o, TV_OTF2_GROUP, reference);

	return place != TV_NONE ? &o->group[place] : NULL;
}

/* The place in a group of a communicator of the process that is read; -1. */
static int64_t place_in(struct tv_otf2 *o, const struct tv_otf2_comm *comm, bool other)
{
	const struct tv_otf2_group *group = group_of(o, other ? comm->other : comm->group);
	uint32_t *known = tv_map_at(&o->here.ranks, (uint64_t)(comm - o->comm), other);
	bool ranks;

	if (*known != TV_NONE)
		return (int64_t)*known - 1;
	*known = group != NULL && group->type == COMM_SELF;
	/* Of MPI the members are ranks, if they are no references. */
	ranks = group != NULL && group->type == COMM_GROUP && group->paradigm == TV_OTF2_MPI
	     && !(group->flags & GLOBAL_MEMBERS);
	for (size_t i = 0; group != NULL && i < group->n && *known == 0; i++) {
		uint32_t location = ranks ? TV_NONE : location_of(o, group, i);

		if (ranks ? group->member[i] == (uint64_t)o->here.process->rank
			  : location != TV_NONE
				    && &o->process[o->location[location].process]
					       == o->here.process)
			*known = (uint32_t)i + 1;
	}
	return (int64_t)*known - 1;
}

int64_t tv_otf2_own_rank(struct tv_otf2 *o, const struct tv_otf2_comm *comm)
{
	int64_t rank = place_in(o, comm, false);

	return rank >= 0 ? rank : place_in(o, comm, true);
}

uint32_t tv_otf2_peer(struct tv_otf2 *o, const struct tv_otf2_comm *comm, uint64_t rank)
{
	const struct tv_otf2_group *group = group_of(o, comm->group),
				   *other = group_of(o, comm->other);

	if (other != NULL && place_in(o, comm, false) >= 0)
		group = other;
	return group != NULL ? location_of(o, group, rank) : TV_NONE;
}

static void set_ranks(struct tv_otf2 *o)
{
	const uint32_t *place = tv_map_get(&o->locations_of, TV_OTF2_MPI, 0);

	for (size_t i = 0; place != NULL && i < o->group[*place].n; i++) {
		uint32_t location = location_of_rank(o, TV_OTF2_MPI, i);

		if (location != TV_NONE)
			o->process[o->location[location].process].rank = (int64_t)i;
	}
}

/* ---- names ---- */

static uint32_t label(const struct tv_otf2 *o, char *name)
{
	uint32_t its = tv_intern_text(o->trace->pool, name);

	tv_free(name);
	return its;
}

static const char *name_of(const struct tv_otf2 *o, uint32_t its)
{
	return its == TV_NONE || tv_pool_length(o->trace->pool, its) == 0
		     ? "unnamed"
		     : tv_pool_text(o->trace->pool, its);
}

/* Nodes are ranks; processes that have none come behind them. An accelerator belongs to the process that created it, or to the
 * only one at its place of the machine. */
static void name_nodes(struct tv_otf2 *o)
{
	int64_t next = 0;

	for (size_t i = 0; i < o->nprocess; i++)
		next = o->process[i].rank >= next ? o->process[i].rank + 1 : next;
	for (size_t i = 0; i < o->nprocess; i++)
		if (!o->process[i].accelerator)
			o->process[i].node = label(
				o,
				tv_format("%" PRId64,
					  o->process[i].rank >= 0 ? o->process[i].rank : next++));
	for (size_t i = 0; i < o->nprocess; i++) {
		struct tv_otf2_process *device = &o->process[i];
		uint32_t creator = tv_otf2_find(o, TV_OTF2_PROCESS, device->creator);
		size_t beside = 0;

		if (!device->accelerator)
			continue;
		for (size_t k = 0; creator == TV_NONE && k < o->nprocess; k++)
			if (!o->process[k].accelerator && o->process[k].tree == device->tree) {
				device->node = o->process[k].node;
				beside++;
			}
		if (creator != TV_NONE && !o->process[creator].accelerator)
			device->node = o->process[creator].node;
		else if (beside != 1)
			device->node = label(o, tv_format("%" PRId64, next++));
	}
}

static bool is_worker(const struct tv_otf2_location *location)
{
	return location->type == TV_OTF2_THREAD || location->type == TV_OTF2_STREAM;
}

/* Names as they are if all are different; else with the node before them, and a number behind those that are still the same. */
static void name_resources(struct tv_otf2 *o)
{
	struct tv_index seen = { 0 }, used = { 0 };
	bool different = true;

	for (size_t i = 0; i < o->nlocation; i++)
		if (is_worker(&o->location[i])) {
			uint32_t name = label(o, tv_strdup(name_of(o, o->location[i].name)));

			different &= tv_index_get(&seen, name) == TV_NONE;
			tv_index_set(&seen, name, 0);
		}
	for (size_t i = 0; i < o->nlocation; i++) {
		struct tv_otf2_location *location = &o->location[i];
		const char *name = name_of(o, location->name);
		char *full = different ? tv_strdup(name)
				       : tv_format("%s_%s",
						   tv_pool_text(o->trace->pool,
								o->process[location->process].node),
						   name);
		uint32_t n, its = tv_intern_text(o->trace->pool, full);

		n = tv_index_get(&used, its) == TV_NONE ? 1 : tv_index_get(&used, its) + 1;
		tv_index_set(&used, its, n);
		if (n > 1)
			tv_append(&full, "#%u", n);
		location->resource = label(o, full);
	}
	tv_free(seen.at);
	tv_free(used.at);
}

/* What our recordings call the waits of OpenMP; NULL = it is none. */
static const char *wait_name(uint64_t role)
{
	return role == TV_OTF2_BARRIER		? "Barrier"
	     : role == TV_OTF2_IMPLICIT_BARRIER ? "Implicit barrier"
	     : role == TV_OTF2_TASKWAIT		? "Taskwait"
						: NULL;
}

/* EZTrace writes what is of OpenMP as functions of the user, and says what it is in their names. */
static void read_name(struct tv_otf2_region *region, const char *name)
{
	static const struct {
		const char *name;
		uint32_t role;
	} known[] = { { "task", TV_OTF2_TASK },
		      { "barrier", TV_OTF2_BARRIER },
		      { "implicit barrier", TV_OTF2_IMPLICIT_BARRIER },
		      { "taskwait", TV_OTF2_TASKWAIT } };
	static const char prefix[] = "OpenMP ";

	if (region->paradigm != TV_OTF2_USER || strncmp(name, prefix, sizeof prefix - 1) != 0)
		return;
	region->paradigm = TV_OTF2_OPENMP;
	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(name + sizeof prefix - 1, known[i].name) == 0)
			region->role = known[i].role;
}

static uint32_t type_of(const struct tv_otf2 *o, const struct tv_otf2_region *region)
{
	static const char *const known[] = {
		[1] = "region", [2] = "region",	  [3] = "OpenMP State", [4] = "MPI",
		[5] = "CUDA",	[6] = "recorder", [7] = "pthread"
	};
	uint32_t name = tv_otf2_find(o, TV_OTF2_PARADIGM, region->paradigm);

	name = name != TV_NONE ? tv_otf2_find(o, TV_OTF2_STRING, name) : TV_NONE;

	if (region->paradigm < TV_COUNT(known) && known[region->paradigm] != NULL)
		return tv_intern_text(o->trace->pool, known[region->paradigm]);
	return name != TV_NONE ? name : tv_intern_text(o->trace->pool, "region");
}

static void name_regions(struct tv_otf2 *o)
{
	for (size_t i = 0; i < o->nregion; i++) {
		struct tv_otf2_region *region = &o->region[i];
		const char *name = name_of(o, region->name), *wait, *file, *base;
		size_t call; /* its length; 0 = it is none */

		/* TAU writes MPI_Send(). */
		call = strncmp(name, "MPI_", 4) == 0 ? strcspn(name, "(") : 0;
		region->name = tv_intern(o->trace->pool, name, call > 0 ? call : strlen(name));
		name = tv_pool_text(o->trace->pool, region->name);
		read_name(region, name);
		region->call = call > 0;
		region->task = region->role == TV_OTF2_TASK || region->role == TV_OTF2_UNTIED_TASK;
		region->artificial = region->role == TV_OTF2_ARTIFICIAL
				  || region->paradigm == TV_OTF2_RECORDER;
		wait = region->paradigm == TV_OTF2_OPENMP ? wait_name(region->role) : NULL;
		region->wait = wait != NULL;
		region->state = wait != NULL ? tv_intern_text(o->trace->pool, wait) : region->name;
		region->type = type_of(o, region);
		region->site = TV_NONE;
		if (region->file == TV_NONE || region->line == 0)
			continue;
		file = tv_pool_text(o->trace->pool, region->file);
		base = strrchr(file, '/');
		region->site = label(
			o, tv_format("%s:%" PRIu64, base != NULL ? base + 1 : file, region->line));
	}
}

/* Communicators of one name are told apart by their numbers. */
static void name_comms(struct tv_otf2 *o)
{
	struct tv_index seen = { 0 };

	for (size_t i = 0; i < o->ncomm; i++) {
		uint32_t name = label(o, tv_strdup(name_of(o, o->comm[i].name)));

		tv_index_set(&seen, name, tv_index_get(&seen, name) == TV_NONE ? 1 : 2);
		o->comm[i].name = name;
	}
	for (size_t i = 0; i < o->ncomm; i++)
		if (tv_index_get(&seen, o->comm[i].name) > 1)
			o->comm[i].name = label(
				o, tv_format("%s#%zu",
					     tv_pool_text(o->trace->pool, o->comm[i].name), i));
	tv_free(seen.at);
}

/* References to strings become labels. */
static void find_strings(struct tv_otf2 *o)
{
#define FIND(list, member) \
	for (size_t i = 0; i < o->n##list; i++) \
	o->list[i].member = tv_otf2_find(o, TV_OTF2_STRING, o->list[i].member)
	FIND(process, name);
	FIND(location, name);
	FIND(region, name);
	FIND(region, file);
	FIND(comm, name);
	FIND(member, name);
#undef FIND
}

void tv_otf2_resolve(struct tv_otf2 *o)
{
	uint32_t none = TV_NONE;

	o->resolved = true;
	find_strings(o);
	for (size_t i = 0; i < o->nlocation; i++) {
		struct tv_otf2_location *location = &o->location[i];

		location->process = tv_otf2_find(o, TV_OTF2_PROCESS, location->group);
		if (location->process != TV_NONE)
			continue;
		/* A process for all locations that name none. */
		if (none == TV_NONE) {
			none = (uint32_t)o->nprocess;
			TV_GROW(o->process, o->nprocess, o->process_cap, 1);
			o->process[o->nprocess++] = (struct tv_otf2_process){ .name = TV_NONE,
									      .rank = -1 };
		}
		location->process = none;
	}
	for (size_t i = o->nlocation; i-- > 0;)
		if (o->location[i].type == TV_OTF2_THREAD)
			o->process[o->location[i].process].first = (uint32_t)i;
	set_ranks(o);
	name_nodes(o);
	name_resources(o);
	name_regions(o);
	name_comms(o);
	if (o->repeated > 0)
		tv_meta_add(o->trace, "RepeatedDefinitions", "%" PRIu64, o->repeated);
}

/* Threads of a process without tasks are no workers where others have tasks, as in our recordings. */
void tv_otf2_write_resources(struct tv_otf2 *o)
{
	struct tv_column *resource, *type, *node, *order;
	bool any = o->nsegment > 0 || o->kernels > 0;

	TV_TRACE_COLUMNS(o->trace, TV_RESOURCES, { "ResourceId", &resource },
			 { "ResourceType", &type }, { "Node", &node }, { "Order", &order });
	for (size_t i = 0; i < o->nlocation; i++) {
		const struct tv_otf2_location *location = &o->location[i];
		const struct tv_otf2_process *process = &o->process[location->process];
		uint32_t row;

		if (!is_worker(location))
			continue;
		row = tv_table_add_row(&o->trace->table[TV_RESOURCES]);
		tv_set_label(resource, row, location->resource);
		tv_set_text(type, row,
			    location->type == TV_OTF2_STREAM ? "GPU"
			    : !any || process->tasks	     ? "CPU"
							     : "Thread");
		tv_set_label(node, row, process->node);
		tv_set_int(order, row, (int64_t)i);
	}
}
