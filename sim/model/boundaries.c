/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boundaries.c -- where the parts of a platform end, in numbers of cores. */
#include "sim/model/boundaries.h"

#include "sim/model/simulated_platform.h"
#include "sim/platform.h"
#include "trace/alloc.h"

int tv_platform_boundaries(const char *name, uint32_t **number, size_t *n, struct tv_error *err)
{
	struct tv_platform platform;
	uint32_t *core, ncores;

	if (tv_platform_read(&platform, name, err) < 0)
		return -1;
	*number = NULL;
	*n = 0;
	core = tv_platform_cores(&platform, NULL, &ncores, err);
	if (core == NULL) {
		tv_platform_release(&platform);
		return -1;
	}
	*number = tv_alloc(ncores, sizeof **number);
	for (uint32_t i = 1; i < ncores; i++) {
		const struct tv_platform_host *before = &platform.host[core[i - 1]],
					      *host = &platform.host[core[i]];

		if (host->cache != before->cache || host->memory != before->memory)
			(*number)[(*n)++] = i;
	}
	tv_free(core);
	tv_platform_release(&platform);
	if (*n > 0)
		return 0;
	tv_free(*number);
	return tv_fail(err, "%s: all cores have the same cache and memory: no boundaries", name);
}
