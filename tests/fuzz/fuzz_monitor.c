/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_monitor.c -- a description of monitors, and readings of them on a machine of 4 PUs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "trace/alloc.h"
#include "monitor/monitor.h"

enum { PUS = 4, WIDTH = 256, TICKS = 3 };

/* Objects: 0 the machine, 1 and 2 its L3, 3 to 6 their PUs. */
static uint32_t above(const void *context, uint32_t object, const char *level)
{
	(void)context;
	if (strcmp(level, "Machine") == 0)
		return 0;
	if (strcmp(level, "L3") == 0)
		return object == 0 ? UINT32_MAX : object < 3 ? object : (object - 1) / 2;
	return strcmp(level, "PU") == 0 && object >= 3 ? object : UINT32_MAX;
}

static int64_t index_of(const void *context, uint32_t object)
{
	(void)context;
	return object < 3 ? object == 2 : object - 3;
}

static void emit(void *context, const struct tv_monitor *monitor, const char *name, uint32_t object,
		 int64_t start, int64_t end, double value)
{
	(void)context;
	if (!isfinite(value) || object > 6 || end < start || monitor->silent
	    || strncmp(name, monitor->name, strlen(monitor->name)) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct tv_monitor_machine machine = { above, index_of, NULL };
	struct tv_monitors monitors;
	struct tv_error err = { 0 };
	double value[WIDTH];

	fuzz_begin(data, n);
	if (tv_monitors_read(&monitors, "x.monitor", (const char *)data, n, &err) < 0
	    && (err.status != TV_FAILED || err.line < 1 || strstr(err.text, "expected") == NULL))
		abort();
	if (err.status == 0) {
		struct tv_monitor_run *run = tv_monitor_run_new(&monitors, &machine);

		for (int64_t tick = 0; tick < TICKS; tick++) {
			for (uint32_t m = 0; m < monitors.n && m < 50; m++)
				for (uint32_t pu = 0; pu < PUS; pu++) {
					for (size_t i = 0; i < WIDTH; i++)
						value[i] = (double)fuzz_random(5) - 1;
					if (monitors.monitor[m].source == TV_MONITOR_READ)
						tv_monitor_add(run, m, pu + 3, tick, tick + 1,
							       value);
				}
			tv_monitor_tick(run, emit, NULL);
		}
		tv_monitor_run_free(run);
	}
	tv_monitors_release(&monitors);
	return 0;
}
