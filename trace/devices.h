/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devices.h -- streams that share a device.
 *
 * Resources whose tasks name the same Device on the same node are its streams. Where there are several, the device
 * is their worker: it is busy while any of them is. A device with one stream goes by the name of that.
 */
#ifndef TV_DEVICES_H
#define TV_DEVICES_H

#include "trace/tasks.h"

/* What a trace shows of a label that names a resource. */
struct tv_sighting {
	uint32_t type, node, device; /* labels; TV_NONE = not seen */
	bool worker;
};

/* named[i]: the label of the worker that resource i is, or is a stream of, if seen[i].worker; seen: by label, n. A
 * device gets its own label, or a new one with its node where that label names something else, too. Returns whether
 * any device has several streams. */
bool tv_devices_name(struct tv_pool *pool, const struct tv_sighting *seen, uint32_t n,
		     uint32_t *named);

/* Whether tasks of a type are copies or fills of memory, as readers of device work name them. */
bool tv_is_copy(const char *type);
/* Whether states of that type are calls of the runtime of devices: CUDA, HIP. */
bool tv_is_device_runtime(const char *type);

/*
 * Device time of each counted row, ns: the integral over its span of 1 / (counted rows that run on its worker at the
 * time), so that their sum over a worker is exactly its busy time. Of other executed rows, and on workers that are no
 * device with several streams, the duration. Free with tv_free. Cost O(n log n).
 */
int64_t *tv_device_times(const struct tv_tasks *tasks);

#endif
