/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_platform.c -- a platform in SimGrid's or hwloc's XML, flows on it, its picture. */
#include "tests/fuzz/fuzz.h"

#include "sim/network.h"
#include "views/platform/picture.h"

/* Some flows between random hosts; all end. */
static void use(struct tv_platform *platform)
{
	struct tv_sim_network *network = tv_sim_network_new(platform, fuzz_random(2));
	int64_t now = 0;

	for (int i = 0; i < 20; i++) {
		uint32_t from = (uint32_t)fuzz_random(platform->nhosts);
		uint32_t to = (uint32_t)fuzz_random(platform->nhosts);
		struct tv_route route, back;
		struct tv_error err;

		if (tv_platform_route(platform, from, to, &route, &err) == 0
		    && tv_platform_route(platform, to, from, &back, &err) == 0)
			tv_sim_network_start(network, &route, &back,
					     (int64_t)fuzz_random((uint64_t)TV_SIM_MAX_BYTES), now);
		if (fuzz_random(3) == 0 && tv_sim_network_next(network) < TV_SIM_NEVER)
			now = tv_sim_network_next(network);
	}
	while ((now = tv_sim_network_next(network)) < TV_SIM_NEVER)
		while (tv_sim_network_take(network, now) != TV_NONE)
			;
	tv_sim_network_free(network);
}

static void draw(const struct tv_platform *platform)
{
	struct tv_platform_picture picture = { .platform = platform };
	struct tv_output out;
	struct tv_error err;

	tv_output_memory(&out);
	if (tv_platform_draw(&picture, TV_SVG, &out, &err) < 0)
		__builtin_trap();
	tv_output_abort(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct tv_platform platform;
	struct tv_error err;

	/* Clusters of 100,000 hosts and more only cost time here. */
	for (size_t i = 0, digits = 0; i < n; i++) {
		digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
		if (digits > 5)
			return 0;
	}
	fuzz_begin(data, n);
	fuzz_file("platform.xml", data, n);
	if (tv_platform_read(&platform, "platform.xml", &err) == 0) {
		use(&platform);
		draw(&platform);
		tv_platform_release(&platform);
	}
	return 0;
}
