/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.c -- ticks, and labels moved apart. */
#include "views/scene/scale.h"

#include <math.h>

#include "trace/error.h"

struct tv_ticks tv_ticks_for(int64_t begin, int64_t end, const struct tv_unit *unit, unsigned max)
{
	static const int round[] = { 1, 2, 5 };
	double span = (double)end - (double)begin;
	struct tv_ticks ticks = { 0 };
	double step = 0;

	if (max == 0 || end < begin)
		return ticks;
	for (int power = -11; power < 19 && ticks.step == 0; power++)
		for (size_t i = 0; i < TV_COUNT(round) && ticks.step == 0; i++) {
			step = round[i] * pow(10, power) * (double)unit->ns;
			if (step < 0.999 || step > 4e18
			    || fabs(step - nearbyint(step)) > 1e-6 * step || span / step + 1 > max)
				continue;
			ticks.step = (int64_t)nearbyint(step);
			ticks.decimals = power < 0 ? -power : 0;
		}
	if (ticks.step == 0)
		return ticks;
	ticks.first = begin / ticks.step * ticks.step;
	if (ticks.first < begin && __builtin_add_overflow(ticks.first, ticks.step, &ticks.first))
		return ticks;
	if (ticks.first <= end)
		ticks.n = (unsigned)(((uint64_t)end - (uint64_t)ticks.first) / (uint64_t)ticks.step)
			+ 1;
	return ticks;
}

int tv_spread(double *center, const double *size, size_t n, double low, double high, double gap)
{
	/* A block is a run of touching boxes; at = where its first one begins. */
	struct {
		double at, sum, length;
		size_t n;
	} block[64];
	size_t nblocks = 0, i = 0;
	double total = -gap;

	for (size_t k = 0; k < n; k++)
		total += size[k] + gap;
	if (n > TV_COUNT(block) || (n > 0 && total > high - low + 1e-9))
		return -1;
	for (size_t k = 0; k < n; k++) {
		double want = center[k] - size[k] / 2;

		block[nblocks].sum = want;
		block[nblocks].length = size[k] + gap;
		block[nblocks].n = 1;
		block[nblocks++].at = fmax(low, fmin(want, high - size[k]));
		while (nblocks > 1
		       && block[nblocks - 2].at + block[nblocks - 2].length
				  > block[nblocks - 1].at) {
			size_t a = nblocks - 2, b = nblocks - 1;

			block[a].sum += block[b].sum - (double)block[b].n * block[a].length;
			block[a].length += block[b].length;
			block[a].n += block[b].n;
			block[a].at = block[a].sum / (double)block[a].n;
			block[a].at = fmax(low, fmin(block[a].at, high - (block[a].length - gap)));
			nblocks--;
		}
	}
	for (size_t b = 0; b < nblocks; b++) {
		double at = block[b].at;

		for (size_t k = 0; k < block[b].n; k++, i++) {
			center[i] = at + size[i] / 2;
			at += size[i] + gap;
		}
	}
	return 0;
}
