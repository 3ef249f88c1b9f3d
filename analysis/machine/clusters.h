/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clusters.h -- groups of points that are near each other. */
#ifndef TV_CLUSTERS_H
#define TV_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/* Points x[i * d .. + d), i < n. label[i] receives the number of the group. */

/*
 * k groups around their means: Lloyd's iterations from k-means++ starts, the best of 10. Empty groups
 * have no points. Deterministic for a seed. Cost O(10 iterations n k d), up to 100 iterations.
 * [Lloyd 1982; Arthur and Vassilvitskii 2007]
 */
void tv_clusters_kmeans(const double *x, size_t n, size_t d, uint32_t k, uint64_t seed,
			uint32_t *label);

/*
 * Groups of points that have min_points points (themselves included) within eps, and of what is within eps
 * of one of those; UINT32_MAX = in no group. Returns the number of groups. Cost O(n log n + pairs of
 * points whose first coordinates differ by up to eps). [Ester et al. 1996]
 */
uint32_t tv_clusters_dbscan(const double *x, size_t n, size_t d, double eps, size_t min_points,
			    uint32_t *label);

#endif
