/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * types.h -- the structs that decisions.py reads. StarPU comes without debug data, so the script compiles this file and
 * loads the types of the object.
 */
#include "record/loaded/starpu/decide.h"

struct starpu_task *traceviz_task;
struct starpu_sched_policy *traceviz_policy;
struct tv_starpu_data *traceviz_data;
