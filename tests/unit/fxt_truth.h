/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fxt_truth.h -- what is known of the sample traces: counts of an independent decoder, values of
 * StarPU's own converters of the matching versions. Times in ns after clock correction.
 */
#ifndef TV_FXT_TRUTH_H
#define TV_FXT_TRUTH_H

#include <stdint.h>

enum { TRUTH_RANKS = 2, UNTOLD = -1 };

struct file_truth {
	int64_t size, events, submits, executed, deps, task_deps, ghost_deps, accesses, first_start,
		last_end;
	const char *gflop;			/* total */
	int64_t transfers[4];			/* fetch, task prefetch, prefetch, idle prefetch */
	const char *names;			/* NAME COUNT, ... in order of name */
};

struct truth {
	const char *sample;			/* below tests/data/fxt, or NULL */
	const char *shared;			/* below the shared data */
	int ranks;
	struct file_truth file[TRUTH_RANKS];
	int64_t jobs, handles, hints, steals;	/* blocks of tasks.rec and data.rec */
	int64_t messages, bytes, first_send, last_receive, edges, early;
	int64_t last_event, busy;		/* of single files: latest time, sum of durations */
	const char *workers;			/* executions by worker id: NAME:COUNT ... */
};

static const struct truth truths[] = {
	{ "cholesky-12-dmdas", "cholesky-mirage/12/unconstrained/dmdas", 1,
	  { { 1056469, 22252, 533, 364, 1027, 936, 91, 936, 852309, 449035729, "509.735028",
	      { 10, 217, 0, 71 },
	      "GEMM 220, POTRF 12, SYRK 66, TRSM 66" } },
	  546, 157, 78, 0, 0, 0, UNTOLD, UNTOLD, 0, 0, 466908730, 1310547245,
	  "CPU0:5 CPU1:1 CUDA0_0:134 CUDA1_0:111 CUDA2_0:113" },
	{ NULL, "cholesky-mirage/12/unconstrained/ws", 1,
	  { { 1041669, 21603, 533, 364, 1027, 936, 91, 936, 855326, 1272534087, "509.735028",
	      { 335, 0, 0, 38 },
	      "GEMM 220, POTRF 12, SYRK 66, TRSM 66" } },
	  546, 157, 78, 194, 0, 0, UNTOLD, UNTOLD, 0, 0, 1292657087, 8542165052,
	  "CPU0:14 CPU1:10 CPU2:12 CPU3:13 CPU4:13 CPU5:14 CPU6:16 CPU7:19 CPU8:16 CUDA0_0:79 "
	  "CUDA1_0:82 CUDA2_0:76" },
	{ NULL, "cholesky-mirage/30/unconstrained/dmdas", 1,
	  { { 12754789, 272302, 5921, 4960, 14446, 13950, 496, 13950, 888309, 4197366287,
	      "7963.439070",
	      { 24, 2316, 0, 122 }, "GEMM 4060, POTRF 30, SYRK 435, TRSM 435" } },
	  5952, 931, 465, 0, 0, 0, UNTOLD, UNTOLD, 0, 0, 4312085288, 46377471698, NULL },
	{ "cholesky-12-dmdas-1.3", "starpu-1.3/cholesky-12-dmdas", 1,
	  { { 1032293, 22133, 546, 364, 1027, 936, 91, 1002, 850000, 462380652, "568.066818",
	      { 6, 0, 254, 69 },
	      "chol_model_11 12, chol_model_21 66, chol_model_22 286" } },
	  546, 157, 78, 0, 0, 0, UNTOLD, UNTOLD, 0, 0, 462381652, 1454018314,
	  "CPU0:6 CPU1:1 CPU2:1 CUDA0_0:120 CUDA1_0:121 CUDA2_0:115" },
	{ NULL, "starpu-1.3/cholesky-30-dmdas", 1,
	  { { 12324309, 268158, 5952, 4960, 14446, 13950, 496, 14385, 886000, 4372860828,
	      "8347.898595",
	      { 63, 0, 2480, 75 }, "chol_model_11 30, chol_model_21 435, chol_model_22 4495" } },
	  5952, 931, 465, 0, 0, 0, UNTOLD, UNTOLD, 0, 0, 4372861828, 46702960779, NULL },
	{ NULL, "native/cholesky-16-lws", 1,
	  { { 1746453, 36553, 1105, 816, 2329, 2176, 153, 2176, 521807886, 5161903994, "18.888496",
	      { 0, 0, 0, 0 }, "GEMM 560, POTRF 16, SYRK 120, TRSM 120" } },
	  1122, 273, 136, 106, 0, 0, UNTOLD, UNTOLD, 0, 0, 5169263342, 4858812572,
	  "CPU0:788 CPU1:28" },
	{ NULL, "mpi/cholesky-20-dmdas-2nodes", 2,
	  { { 3212557, 69372, 2040, 770, 4980, 3105, 1875, 2100, 935121810, 1968477448,
	      "1179.827590",
	      { 112, 540, 0, 4 },
	      "chol_model_gemm 570, chol_model_potrf 10, chol_model_syrk 90, chol_model_trsm 100" },
	    { 3172829, 68614, 1993, 770, 4925, 3166, 1759, 2100, 1041678365, 1977842414,
	      "1179.827590",
	      { 100, 515, 0, 4 },
	      "chol_model_gemm 570, chol_model_potrf 10, chol_model_syrk 100, "
	      "chol_model_trsm 90" } },
	  4625, UNTOLD, UNTOLD, 0, 190, 700416000, 1025523871, 1970269518, 380, 0, UNTOLD, UNTOLD,
	  NULL },
	{ "cholesky-12-2ranks", "native/cholesky-12-2ranks", 2,
	  { { 698429, 14937, 632, 182, 1300, 731, 569, 468, 884761963, 1274614376, "9.444218",
	      { 0, 0, 0, 0 },
	      "chol_model_gemm 110, chol_model_potrf 6, chol_model_syrk 30, chol_model_trsm 36" },
	    { 688749, 14747, 601, 182, 1264, 743, 521, 468, 902938260, 1281877290, "9.444218",
	      { 0, 0, 0, 0 },
	      "chol_model_gemm 110, chol_model_potrf 6, chol_model_syrk 36, chol_model_trsm 30" } },
	  1443, UNTOLD, UNTOLD, 0, 66, 27033600, 899169049, 1276135494, 132, 0, UNTOLD, UNTOLD,
	  NULL },
	{ NULL, "starvz-lu/fxt", 2,
	  { { 517058, 10596, 484, 126, 825, 364, 461, 278, 823973, 1213582583, "0.000000", { 0, 0,
	      0, 0 },
	      "dgemm 62, dgetrf_nopiv 4, dplrnt 32, dtrsm 28" },
	    { 550378, 11328, 492, 142, 884, 432, 452, 326, 823973, 1361857730, "0.000000", { 0, 0,
	      0, 0 },
	      "dgemm 78, dgetrf_nopiv 4, dplrnt 32, dtrsm 28" } },
	  1099, UNTOLD, UNTOLD, 0, 35, 258048000, 37530769, 1278412520, 70, 0, UNTOLD, UNTOLD,
	  NULL },
#define SMALL "model_alpha 16, model_beta_long_name 12"
#define LARGE "model_alpha 16, model_beta_long_name 16"
#define FILE_OF(events, submits, executed, deps, first, last, names) \
	{ UNTOLD, events, submits, executed, deps, UNTOLD, UNTOLD, UNTOLD, first, last, NULL, \
	  { 0 }, names }
	{ "1.2.11", "fxt-generations/1.2.11", 2,
	  { FILE_OF(2044, 28, 28, 114, 525056160, 681140257, SMALL),
	    FILE_OF(2232, 32, 32, 128, 523872694, 681197803, LARGE) },
	  UNTOLD, UNTOLD, UNTOLD, 0, 28, 14336, UNTOLD, UNTOLD, 56, 0, UNTOLD, UNTOLD, NULL },
	{ "1.3.4", "fxt-generations/1.3.4", 2,
	  { FILE_OF(2449, 116, 28, 119, 521361198, 751008884, SMALL),
	    FILE_OF(2794, 138, 32, 143, 513560393, 749148630, LARGE) },
	  UNTOLD, UNTOLD, UNTOLD, UNTOLD, 28, 14336, UNTOLD, UNTOLD, 56, 8, UNTOLD, UNTOLD, NULL },
	{ "1.3.11", "fxt-generations/1.3.11", 2,
	  { FILE_OF(2436, 116, 28, 119, 566824219, 998804353, SMALL),
	    FILE_OF(2620, 120, 32, 128, 562961838, 1027049453, LARGE) },
	  UNTOLD, UNTOLD, UNTOLD, UNTOLD, 28, 14336, UNTOLD, UNTOLD, 56, 4, UNTOLD, UNTOLD, NULL },
	{ "1.4.0", "fxt-generations/1.4.0", 2,
	  { FILE_OF(2345, 99, 28, 114, 679806219, 1078424908, SMALL),
	    FILE_OF(2634, 114, 32, 138, 676192024, 1104383999, LARGE) },
	  UNTOLD, UNTOLD, UNTOLD, UNTOLD, 28, 14336, UNTOLD, UNTOLD, 56, 6, UNTOLD, UNTOLD, NULL },
	{ "1.4.12", "fxt-generations/1.4.12", 2,
	  { FILE_OF(2334, 99, 28, 114, 484035482, 876013926, SMALL),
	    FILE_OF(2628, 114, 32, 138, 484009887, 872999120, LARGE) },
	  UNTOLD, UNTOLD, UNTOLD, UNTOLD, 28, 14336, UNTOLD, UNTOLD, 56, 4, UNTOLD, UNTOLD, NULL },
};

#endif
