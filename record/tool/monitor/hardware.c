/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.c -- the objects of this machine. */
#include "record/tool/monitor/hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool tv_hardware_matches(const struct tv_hardware_object *object, const char *level)
{
	size_t n = strcspn(level, ":");
	bool is_node = strncasecmp(level, "Node", n) == 0 && n == 4;
	char *end = NULL;

	if (is_node ? strcmp(object->level, "NUMANode") != 0
		    : strlen(object->level) != n || strncasecmp(object->level, level, n) != 0)
		return false;
	if (level[n] == '\0')
		return true;
	return strtoul(level + n + 1, &end, 10) == object->logical && end != level + n + 1
	    && *end == '\0';
}

void tv_hardware_levels(const struct tv_hardware *hardware, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < hardware->n && n < size; i++)
		if (hardware->object[i].logical == 0)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "",
					      hardware->object[i].level);
}

void tv_hardware_release(struct tv_hardware *hardware)
{
	for (unsigned i = 0; i < hardware->n; i++) {
		free(hardware->object[i].cpus);
		free(hardware->object[i].pu);
	}
	free(hardware->object);
	free(hardware->xml);
	*hardware = (struct tv_hardware){ 0 };
}

#ifdef TV_HAVE_HWLOC
#include <hwloc.h>

#include "record/loaded/job.h"

static bool is_wanted(hwloc_obj_t object)
{
	return object->type != HWLOC_OBJ_MISC && !hwloc_obj_type_is_io(object->type)
	    && !hwloc_obj_type_is_icache(object->type) && object->cpuset != NULL;
}

static int add_object(struct tv_hardware *hardware, hwloc_obj_t from)
{
	struct tv_hardware_object *object = &hardware->object[hardware->n];
	hwloc_obj_t parent = from->parent;
	unsigned cpu;
	int n = 0;

	while (parent != NULL && !is_wanted(parent))
		parent = parent->parent;
	*object = (struct tv_hardware_object){
		.logical = from->logical_index,
		.os = from->os_index == HWLOC_UNKNOWN_INDEX ? -1 : (int64_t)from->os_index,
		.parent = parent != NULL ? (int)(intptr_t)parent->userdata : -1,
	};
	object->depth = object->parent < 0 ? 0 : hardware->object[object->parent].depth + 1;
	hwloc_obj_type_snprintf(object->level, sizeof object->level, from, 0);
	if (hwloc_obj_type_is_cache(from->type) && from->attr != NULL)
		object->bytes = from->attr->cache.size;
	else if (from->type == HWLOC_OBJ_NUMANODE && from->attr != NULL)
		object->bytes = from->attr->numanode.local_memory;
	else if (from->type == HWLOC_OBJ_MACHINE)
		object->bytes = from->total_memory;
	if (hwloc_bitmap_list_asprintf(&object->cpus, from->cpuset) < 0)
		return -1;
	object->pu = calloc((size_t)hwloc_bitmap_weight(from->cpuset) + 1, sizeof *object->pu);
	if (object->pu == NULL)
		return -1;
	hwloc_bitmap_foreach_begin(cpu, from->cpuset) object->pu[n++] = cpu;
	hwloc_bitmap_foreach_end();
	object->npus = (unsigned)n;
	from->userdata = (void *)(intptr_t)hardware->n++;
	return 0;
}

static int add_level(struct tv_hardware *hardware, hwloc_topology_t topology, int depth)
{
	for (hwloc_obj_t object = NULL;
	     (object = hwloc_get_next_obj_by_depth(topology, depth, object)) != NULL;)
		if (is_wanted(object) && add_object(hardware, object) < 0)
			return -1;
	return 0;
}

/* A topology that is not that of this machine (HWLOC_SYNTHETIC) has no name of a host, or another one. */
static void name_host(hwloc_obj_t root)
{
	char host[256] = "";

	tv_host_name(host, sizeof host);
	for (unsigned i = 0; i < root->infos_count; i++)
		if (strcmp(root->infos[i].name, "HostName") == 0) {
			free(root->infos[i].value);
			root->infos[i].value = strdup(host);
			return;
		}
	hwloc_obj_add_info(root, "HostName", host);
}

static int copy(struct tv_hardware *hardware, hwloc_topology_t topology)
{
	int levels = hwloc_topology_get_depth(topology), xml_bytes = 0, rc = 0;
	size_t max = 0;
	char *xml = NULL;

	for (int depth = 0; depth < levels; depth++)
		max += hwloc_get_nbobjs_by_depth(topology, depth);
	max += (size_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	hardware->object = calloc(max, sizeof *hardware->object);
	for (int depth = 0; hardware->object != NULL && rc == 0 && depth < levels; depth++)
		rc = add_level(hardware, topology, depth);
	if (hardware->object == NULL || rc < 0
	    || add_level(hardware, topology, HWLOC_TYPE_DEPTH_NUMANODE) < 0)
		return -1;
	name_host(hwloc_get_root_obj(topology));
	/* userdata holds our numbers, which hwloc does not write. */
	if (hwloc_topology_export_xmlbuffer(topology, &xml, &xml_bytes, 0) < 0 || xml_bytes <= 0)
		return -1;
	hardware->xml_bytes = (size_t)xml_bytes - 1;
	hardware->xml = malloc((size_t)xml_bytes);
	if (hardware->xml != NULL)
		memcpy(hardware->xml, xml, (size_t)xml_bytes);
	hwloc_free_xmlbuffer(topology, xml);
	return hardware->xml != NULL ? 0 : -1;
}

int tv_hardware_load(struct tv_hardware *hardware, char *why, size_t size)
{
	hwloc_topology_t topology;
	int rc;

	*hardware = (struct tv_hardware){ 0 };
	if (hwloc_topology_init(&topology) < 0) {
		snprintf(why, size, "hwloc cannot be started");
		return -1;
	}
	rc = hwloc_topology_load(topology);
	if (rc == 0)
		rc = copy(hardware, topology);
	hwloc_topology_destroy(topology);
	if (rc == 0)
		return 0;
	tv_hardware_release(hardware);
	snprintf(why, size, "hwloc cannot read the topology of this machine");
	return -1;
}

#else

int tv_hardware_load(struct tv_hardware *hardware, char *why, size_t size)
{
	*hardware = (struct tv_hardware){ 0 };
	snprintf(why, size, "this traceviz was built without hwloc 2 (Debian: libhwloc-dev)");
	return -1;
}
#endif
