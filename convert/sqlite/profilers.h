/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profilers.h -- databases of profilers of GPUs: Nsight Systems (nsight.c) and rocprofv3 (rocpd.c). */
#ifndef TV_SQLITE_PROFILERS_H
#define TV_SQLITE_PROFILERS_H

#include "convert/gpu.h"
#include "convert/sqlite/db.h"

/* A whole number, or what there is without one. */
static inline int64_t tv_db_number(const struct tv_db_value *value, int64_t none)
{
	return value->whole ? value->i : none;
}

/* The label of a text of the database; TV_NONE. */
uint32_t tv_gpu_text(const struct tv_gpu *gpu, const struct tv_db_value *id, uint64_t kind);

/* Read the tables that they know; false: there is none of them. */
bool tv_nsight_read(struct tv_gpu *gpu, struct tv_db *db);
bool tv_rocpd_read(struct tv_gpu *gpu, struct tv_db *db);

#endif
