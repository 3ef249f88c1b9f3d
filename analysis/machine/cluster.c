/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster.c -- stretches of time in which variables have similar values. */
#include <math.h>

#include "analysis/machine/clusters.h"
#include "analysis/machine/observations.h"
#include "trace/alloc.h"

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", \
	  "object of the machine, or another resource") \
	X(CLUSTER, "Cluster", TV_INT, false, "", \
	  "number of the cluster, from 0 in the order of time; missing: near no " \
	  "other") \
	X(START, "Start", TV_TIME, false, "ms", "begin of its first interval") \
	X(END, "End", TV_TIME, false, "ms", "end of its last one") \
	X(SAMPLES, "Samples", TV_INT, false, "", "intervals of the stretch")

TV_COLUMNS(columns, COLUMNS)
enum { DBSCAN_MAX = 20000, K_MAX = 1000 };

/* The values of each variable from 0 to 1, and if wanted the middle of the interval likewise. */
static double *scale(const struct tv_observations *o, bool time, size_t *width)
{
	double *x;

	*width = o->width + time;
	x = tv_alloc(o->n * *width, sizeof *x);
	for (size_t k = 0; k < *width; k++) {
		double min = INFINITY, max = -INFINITY;

		for (size_t i = 0; i < o->n; i++) {
			double value = k < o->width
					     ? o->x[i * o->width + k]
					     : (double)(o->at[i].start / 2 + o->at[i].end / 2);

			x[i * *width + k] = value;
			min = fmin(min, value);
			max = fmax(max, value);
		}
		for (size_t i = 0; i < o->n; i++)
			x[i * *width + k] = max > min ? (x[i * *width + k] / 2 - min / 2)
								/ (max / 2 - min / 2)
						      : 0;
	}
	return x;
}

/* Numbers of clusters in the order in which they first occur in time. */
static void number_by_time(const struct tv_observations *o, uint32_t *label, uint32_t nlabels)
{
	int64_t *first = tv_alloc(nlabels, sizeof *first);
	uint32_t *number = tv_alloc(nlabels, sizeof *number);

	for (uint32_t i = 0; i < nlabels; i++)
		first[i] = INT64_MAX;
	for (size_t i = 0; i < o->n; i++)
		if (label[i] != UINT32_MAX && o->at[i].start < first[label[i]])
			first[label[i]] = o->at[i].start;
	for (uint32_t i = 0; i < nlabels; i++)
		for (uint32_t k = 0; k < nlabels; k++)
			number[i] += first[k] < first[i] || (k < i && first[k] == first[i]);
	for (size_t i = 0; i < o->n; i++)
		if (label[i] != UINT32_MAX)
			label[i] = number[label[i]];
	tv_free(first);
	tv_free(number);
}

struct asked {
	const char *name, *level;
	enum { KMEANS, DBSCAN } method;
	uint64_t k, seed, min_points;
	double eps;
	bool time;
	enum { STRETCHES, INTERVALS } rows;
};

static int find_clusters(const struct tv_observations *o, const struct asked *asked,
			 uint32_t *label, struct tv_error *err)
{
	bool dbscan = asked->method == DBSCAN;
	uint32_t k = (uint32_t)asked->k;
	size_t width;
	double *x;

	if (dbscan && o->n > DBSCAN_MAX)
		return tv_fail(
			err,
			"%zu intervals, expected up to %d with dbscan: join some by window, or "
			"use kmeans",
			o->n, DBSCAN_MAX);
	x = scale(o, asked->time, &width);
	if (dbscan)
		k = tv_clusters_dbscan(x, o->n, width, asked->eps, (size_t)asked->min_points,
				       label);
	else
		tv_clusters_kmeans(x, o->n, width, k, asked->seed, label);
	number_by_time(o, label, k);
	tv_free(x);
	return 0;
}

/* A row per interval, or per stretch of consecutive ones of a resource in the same cluster. */
static void write_clusters(const struct tv_observations *o, const uint32_t *label, bool all,
			   struct tv_table *out)
{
	for (size_t i = 0, n; i < o->n; i += n) {
		uint32_t row = tv_table_add_row(out);
		int64_t end = o->at[i].end;

		for (n = 1; !all && i + n < o->n && o->at[i + n].resource == o->at[i].resource
			    && label[i + n] == label[i];
		     n++)
			end = o->at[i + n].end > end ? o->at[i + n].end : end;
		tv_set_label(out->col[RESOURCE], row, o->at[i].resource);
		if (label[i] != UINT32_MAX)
			tv_set_int(out->col[CLUSTER], row, label[i]);
		tv_set_int(out->col[START], row, o->at[i].start);
		tv_set_int(out->col[END], row, end);
		tv_set_int(out->col[SAMPLES], row, (int64_t)n);
	}
}

/* Without variables, or with an option that the other method has. */
static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const struct {
		const char *name;
		bool given, useless;
	} own[] = {
		{ "k", TV_GIVEN(options, struct asked, k), asked->method == DBSCAN },
		{ "seed", TV_GIVEN(options, struct asked, seed), asked->method == DBSCAN },
		{ "eps", TV_GIVEN(options, struct asked, eps), asked->method == KMEANS },
		{ "min-points", TV_GIVEN(options, struct asked, min_points),
		  asked->method == KMEANS },
	};

	if (asked->name == NULL)
		return tv_fail_usage(err, "cluster needs variables, expected cluster NAME,...");
	for (size_t i = 0; i < TV_COUNT(own); i++)
		if (own[i].given && own[i].useless)
			return tv_fail_usage(err, "--%s has no effect with --method %s",
					     own[i].name,
					     asked->method == DBSCAN ? "dbscan" : "kmeans");
	return 0;
}

static int run_cluster(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_observations o;
	uint32_t *label;
	int rc;

	rc = tv_observations_init(&o, run, asked->name, asked->level, err);
	if (rc == 0) {
		label = tv_alloc(o.n, sizeof *label);
		rc = find_clusters(&o, asked, label, err);
		if (rc == 0)
			write_clusters(&o, label, asked->rows == INTERVALS, out);
		tv_free(label);
	}
	tv_observations_release(&o);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME,...", NULL, "Type of the variables", TV_OPTION_LIST, TV_ASKED(name) },
	{ "method", "kmeans|dbscan", "kmeans", "how clusters are found", TV_OPTION_CHOICE,
	  TV_ASKED(method) },
	{ "k", "N", "2", "kmeans: number of clusters", TV_OPTION_COUNT, 1, K_MAX, TV_ASKED(k) },
	{ "seed", "N", "1", "kmeans: of its random starts", TV_OPTION_COUNT, 0, 0, TV_ASKED(seed) },
	{ "eps", "DISTANCE", "0.1", "dbscan: neighbors are as near as this", TV_OPTION_NUMBER, 0,
	  100, TV_ASKED(eps) },
	{ "min-points", "N", "5", "dbscan: neighbors that a cluster needs", TV_OPTION_COUNT, 1, 0,
	  TV_ASKED(min_points) },
	{ "time", NULL, NULL, "the time counts as one more variable", TV_ASKED(time) },
	{ "level", "LEVEL", NULL, "of the sums inside the objects of this level", TV_ASKED(level) },
	{ "rows", "stretches|intervals", "stretches",
	  "one row per stretch of a cluster, or interval", TV_OPTION_CHOICE, TV_ASKED(rows) },
};

const struct tv_pass tv_pass_cluster = {
	.name = "cluster",
	.summary = "Phases in which variables have similar values",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(columns),
	.notes = "Each variable is scaled to 0..1 by its range, over all resources and intervals "
		 "in\n"
		 "which all variables have a value; distances are Euclidean. kmeans: Lloyd's\n"
		 "iterations, the best of 10 k-means++ starts. dbscan: clusters of any shape and\n"
		 "number, of points that have --min-points within --eps (themselves included);\n"
		 "what is near no cluster has none. --time separates phases that are alike.\n"
		 "Source: the scripts of Hierarchical-monitors (Denoyelle 2016).",
	.example = "traceviz cluster CacheMiss data/placement/grouped",
	.taskless = true,
	.check = check_options,
	.run = run_cluster,
};
