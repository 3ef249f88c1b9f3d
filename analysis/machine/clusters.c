/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clusters.c -- k-means and DBSCAN. */
#include "analysis/machine/clusters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { STARTS = 10, ITERATIONS = 100 };

static double distance(const double *a, const double *b, size_t d)
{
	double sum = 0;

	for (size_t i = 0; i < d; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sum;
}

/* ---- k-means ---- */

struct kmeans {
	const double *x;
	size_t n, d;
	uint32_t k;
	double *mean;  /* of the groups */
	double *near;  /* squared distance of each point to the nearest start */
	size_t *count; /* points of the groups */
	uint32_t *label;
	uint64_t seed;
};

/* A number from 0 to 1 (splitmix64). */
static double random_share(struct kmeans *m)
{
	uint64_t z = (m->seed += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (double)(z >> 11) / 9007199254740992.0;
}

/* Starts at points, each chosen with a probability that grows with its squared distance to the others. */
static void choose_starts(struct kmeans *m)
{
	size_t point = (size_t)(random_share(m) * (double)m->n);

	for (uint32_t c = 0; c < m->k; c++) {
		double sum = 0, at;

		memcpy(m->mean + c * m->d, m->x + point * m->d, m->d * sizeof *m->mean);
		for (size_t i = 0; i < m->n; i++) {
			double far = distance(m->x + i * m->d, m->mean + c * m->d, m->d);

			m->near[i] = c == 0 ? far : fmin(m->near[i], far);
			sum += m->near[i];
		}
		at = random_share(m) * sum;
		point = 0;
		for (size_t i = 0; i < m->n; i++) {
			if (m->near[i] > 0)
				point = i;
			at -= m->near[i];
			if (at < 0)
				break;
		}
	}
}

/* Gives each point to the nearest mean; *moved: one has changed. The sum of squared distances. */
static double assign(struct kmeans *m, bool *moved)
{
	double sum = 0;

	*moved = false;
	for (size_t i = 0; i < m->n; i++) {
		double best = INFINITY;
		uint32_t label = 0;

		for (uint32_t c = 0; c < m->k; c++) {
			double far = distance(m->x + i * m->d, m->mean + c * m->d, m->d);

			if (far < best) {
				best = far;
				label = c;
			}
		}
		*moved = *moved || label != m->label[i];
		m->label[i] = label;
		sum += best;
	}
	return sum;
}

static void update_means(struct kmeans *m)
{
	memset(m->count, 0, m->k * sizeof *m->count);
	for (size_t i = 0; i < m->n; i++)
		m->count[m->label[i]]++;
	for (uint32_t c = 0; c < m->k; c++)
		if (m->count[c] > 0)
			memset(m->mean + c * m->d, 0, m->d * sizeof *m->mean);
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->d; j++)
			m->mean[m->label[i] * m->d + j] += m->x[i * m->d + j]
							 / (double)m->count[m->label[i]];
}

void tv_clusters_kmeans(const double *x, size_t n, size_t d, uint32_t k, uint64_t seed,
			uint32_t *label)
{
	struct kmeans m = { x, n, d, k, NULL, NULL, NULL, NULL, seed };
	double best = INFINITY;

	m.mean = tv_alloc((size_t)k * d, sizeof *m.mean);
	m.near = tv_alloc(n, sizeof *m.near);
	m.count = tv_alloc(k, sizeof *m.count);
	m.label = tv_alloc(n, sizeof *m.label);
	for (int start = 0; n > 0 && start < STARTS; start++) {
		bool moved = true;
		double sum = 0;

		choose_starts(&m);
		sum = assign(&m, &moved);
		moved = true;
		for (int i = 0; moved && i < ITERATIONS; i++) {
			update_means(&m);
			sum = assign(&m, &moved);
		}
		if (sum < best) {
			best = sum;
			memcpy(label, m.label, n * sizeof *label);
		}
	}
	tv_free(m.mean);
	tv_free(m.near);
	tv_free(m.count);
	tv_free(m.label);
}

/* ---- DBSCAN ---- */

struct dbscan {
	const double *x;
	size_t n, d;
	double eps;
	size_t *order; /* points by their first coordinate */
	size_t *place; /* of each point in it */
};

static int by_first(const void *a, const void *b, void *context)
{
	const struct dbscan *s = context;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	int order = TV_COMPARE(s->x[i * s->d], s->x[k * s->d]);

	return order != 0 ? order : TV_COMPARE(i, k);
}

/* The points within eps of one, itself included, into out. */
static size_t neighbors(const struct dbscan *s, size_t point, size_t *out)
{
	const double *x = s->x + point * s->d;
	size_t n = 0, first = s->place[point];

	while (first > 0 && x[0] - s->x[s->order[first - 1] * s->d] <= s->eps)
		first--;
	for (; first < s->n && s->x[s->order[first] * s->d] - x[0] <= s->eps; first++)
		if (distance(x, s->x + s->order[first] * s->d, s->d) <= s->eps * s->eps)
			out[n++] = s->order[first];
	return n;
}

uint32_t tv_clusters_dbscan(const double *x, size_t n, size_t d, double eps, size_t min_points,
			    uint32_t *label)
{
	struct dbscan s = {
		x, n, d, eps, tv_alloc(n, sizeof *s.order), tv_alloc(n, sizeof *s.place)
	};
	size_t *near = tv_alloc(n, sizeof *near), *open = tv_alloc(n, sizeof *open), nopen = 0;
	bool *done = tv_alloc(n, sizeof *done);
	uint32_t groups = 0;

	for (size_t i = 0; i < n; i++)
		s.order[i] = i;
	qsort_r(s.order, n, sizeof *s.order, by_first, &s);
	for (size_t i = 0; i < n; i++)
		s.place[s.order[i]] = i;
	for (size_t i = 0; i < n; i++)
		label[i] = UINT32_MAX;
	for (size_t i = 0; i < n; i++) {
		if (done[i] || label[i] != UINT32_MAX)
			continue;
		if (neighbors(&s, i, near) < min_points)
			continue;
		label[i] = groups;
		open[nopen++] = i;
		while (nopen > 0) {
			size_t point = open[--nopen], found;

			done[point] = true;
			found = neighbors(&s, point, near);
			for (size_t k = 0; found >= min_points && k < found; k++)
				if (label[near[k]] == UINT32_MAX) {
					label[near[k]] = groups;
					open[nopen++] = near[k];
				}
		}
		groups++;
	}
	tv_free(s.order);
	tv_free(s.place);
	tv_free(near);
	tv_free(open);
	tv_free(done);
	return groups;
}
