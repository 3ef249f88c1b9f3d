/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpuset.h -- sets of processors, as their lists: "0-3,8". */
#ifndef TV_CPUSET_H
#define TV_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TV_CPUS_MAX = 1 << 20 }; /* processors have smaller numbers */

/* Ascending ranges that neither overlap nor touch. A zeroed struct is the empty set. */
struct tv_cpuset {
	struct tv_cpu_range {
		uint32_t first, last;
	} * range;
	size_t n, cap;
};

/* The set that s[0..n) lists: numbers and ranges with commas between them, in any order, repeated or
 * not; "" is the empty set. -1 if it is no such list: *set is empty then. */
int tv_cpuset_parse(struct tv_cpuset *set, const char *s, size_t n);
/* Adds the processors first to last; first <= last < TV_CPUS_MAX. Amortized O(1) in ascending order. */
void tv_cpuset_add(struct tv_cpuset *set, uint32_t first, uint32_t last);
void tv_cpuset_add_all(struct tv_cpuset *set, const struct tv_cpuset *other);
/* Its list, in new memory. */
char *tv_cpuset_text(const struct tv_cpuset *set);
uint32_t tv_cpuset_count(const struct tv_cpuset *set);
bool tv_cpuset_has(const struct tv_cpuset *set, uint32_t cpu);
/* Whether all processors of `inner` are in `outer`; of the empty set they are. */
bool tv_cpuset_covers(const struct tv_cpuset *outer, const struct tv_cpuset *inner);
/* How many processors are in both. */
uint32_t tv_cpuset_shared(const struct tv_cpuset *a, const struct tv_cpuset *b);
void tv_cpuset_release(struct tv_cpuset *set);

#endif
