/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * device_objects.h -- the machine of a run: the objects of its trace, else processes, devices and streams.
 *
 * A trace without objects that has devices (trace/devices.h) has as its machine a tree of them: a
 * Process per node, in it a Device for each of its devices, in this a Stream for each resource whose tasks name it;
 * a worker that is no device is a Worker. Streams and workers have the name of their resource.
 */
#ifndef TV_DEVICE_OBJECTS_H
#define TV_DEVICE_OBJECTS_H

#include "analysis/core/run.h"
#include "trace/machine.h"

/* Release with tv_machine_release. Returns whether it consists of devices. Cost O(tasks). */
bool tv_run_machine_init(struct tv_machine *machine, struct tv_run *run);

#endif
