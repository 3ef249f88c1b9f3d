/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite.c -- databases: which one it is; those of profilers of GPUs, and own ones. */
#include "convert/formats.h"
#include "convert/sqlite/profilers.h"

uint32_t tv_gpu_text(const struct tv_gpu *gpu, const struct tv_db_value *id, uint64_t kind)
{
	const uint32_t *label = id->present ? tv_map_get(&gpu->text, (uint64_t)id->i, kind) : NULL;

	return label != NULL ? *label : TV_NONE;
}

/* Whether a table is one of a trace, as traceviz writes them: it has the columns of one. */
static bool is_own(struct tv_db *db, enum tv_table_id id)
{
	bool own = tv_db_has(db, tv_schema[id].name);

	for (size_t i = 0; own && i < tv_schema[id].nfields; i++)
		own = !tv_schema[id].field[i].required
		   || tv_db_has_column(db, tv_schema[id].name, tv_schema[id].field[i].name);
	return own;
}

/* 1: the tables of a trace were read; 0: there is none but perhaps meta, which others may have, too; -1 with *err. */
static int read_own(struct tv_db *db, struct tv_trace *trace, struct tv_error *err)
{
	bool own = false;
	int rc = 0;

	for (int id = 0; id < TV_META; id++)
		own = own || is_own(db, (enum tv_table_id)id);
	trace->native = trace->native || own;
	for (int id = 0; own && rc == 0 && id < TV_NTABLES; id++)
		if (tv_db_has(db, tv_schema[id].name))
			rc = tv_csv_read_rows(trace, (enum tv_table_id)id, tv_db_csv, db, err);
	return rc < 0 ? -1 : own;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_chrome *c = state;
	struct tv_gpu gpu;
	struct tv_db *db;
	bool known;
	int rc;

	tv_gpu_begin(&gpu, c, in->path);
	db = tv_db_open(in, c->trace, err);
	if (db == NULL)
		return -1;
	rc = read_own(db, c->trace, err);
	if (rc != 0) {
		tv_db_close(db);
		return rc < 0 ? -1 : 0;
	}
	known = tv_nsight_read(&gpu, db) || tv_rocpd_read(&gpu, db);
	if (!known && tv_db_has(db, "rocpd_op"))
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"a database of ROCm's older profiler (RPD), which is not read: "
				"rocpd2tracing.py makes Chrome trace events of it");
	else if (!known || c->seq == 0)
		rc = tv_fail_at(
			err, (struct tv_pos){ in->path, 0 },
			"an SQLite database without %s of a known profiler, expected one of "
			"nsys export --type sqlite, of rocprofv3 (rocpd) or of traceviz convert",
			known ? "any work" : "the tables");
	tv_gpu_end(&gpu);
	tv_db_close(db);
	return rc;
}

static int probe(const char *head, size_t n)
{
	static const char magic[] = "SQLite format 3";

	return n >= sizeof magic && memcmp(head, magic, sizeof magic) == 0 ? 95 : 0;
}

const struct tv_reader tv_sqlite_reader = {
	.name = "sqlite",
	.summary = "SQLite: Nsight Systems (nsys export), rocprofv3 (rocpd), traceviz's own",
	.brings = (1u << TV_NTHINGS) - 1,
	.probe = probe,
	.begin = tv_chrome_begin,
	.read = read_file,
	.finish = tv_chrome_finish,
	.free = tv_chrome_free,
	.memory = 3,
};
