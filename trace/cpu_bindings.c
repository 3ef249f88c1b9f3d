/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_bindings.c -- the bindings of workers, their Cpuset: those that a file lists (tv_read_options.bind), and those that the
 * trace has as logical numbers of PUs. */
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/complete.h"
#include "trace/csv.h"
#include "trace/machine.h"

struct binding {
	uint32_t label;
	char *cpuset;
};

struct reading {
	const struct tv_completion *c;
	const bool *worker; /* by label that was there before */
	uint32_t nlabels;
	struct binding *at;
	size_t n, cap;
	bool header; /* it has been read */
};

static int read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;
	struct tv_cpuset set;
	uint32_t label;
	int rc;

	if (!r->header) {
		r->header = true;
		if (row->ncells == 2 && tv_csv_is(&row->cell[0], "ResourceId")
		    && tv_csv_is(&row->cell[1], "Cpuset"))
			return 0;
		return tv_fail_at(err, row->at, "expected the header ResourceId,Cpuset");
	}
	if (row->ncells != 2)
		return tv_fail_at(err, row->at,
				  "%zu fields, expected 2 (a list as \"0-3,8\" needs quotes)",
				  row->ncells);
	label = tv_pool_find(r->c->trace->pool, row->cell[0].text, row->cell[0].n);
	if (label >= r->nlabels || !r->worker[label])
		return tv_fail_at(err, row->at, "'%.*s' is no worker of the trace",
				  row->cell[0].n < 100 ? (int)row->cell[0].n : 100,
				  row->cell[0].text);
	rc = tv_cpuset_parse(&set, row->cell[1].text, row->cell[1].n);
	tv_cpuset_release(&set);
	if (rc < 0)
		return tv_fail_at(err, row->at, "'%.*s', expected a list of processors as in 0-3,8",
				  row->cell[1].n < 100 ? (int)row->cell[1].n : 100,
				  row->cell[1].text);
	TV_GROW(r->at, r->n, r->cap, 1);
	r->at[r->n++] = (struct binding){ label, tv_strndup(row->cell[1].text, row->cell[1].n) };
	return 0;
}

/* Resources that are no objects, and what tasks name. */
static bool *list_workers(const struct tv_completion *c)
{
	const struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId"),
			       *depth = tv_table_find(resources, "Depth");
	bool *worker = tv_alloc(tv_pool_count(c->trace->pool), sizeof *worker);

	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++)
		if (tv_label(id, row) != TV_NONE && !tv_is_object(depth, row))
			worker[tv_label(id, row)] = true;
	for (uint32_t row = 0; c->resource != NULL && row < c->tasks->nrows; row++)
		if (tv_label(c->resource, row) != TV_NONE)
			worker[tv_label(c->resource, row)] = true;
	return worker;
}

/* Texts are only appended, so the column is written anew. */
static void write_cpusets(struct tv_completion *c, const struct binding *at, size_t n)
{
	struct tv_table *table = &c->trace->table[TV_RESOURCES];
	struct tv_column *old = tv_table_find(table, "Cpuset");
	char **text = tv_alloc(table->nrows, sizeof *text);
	struct tv_column *cpuset;

	for (uint32_t row = 0; old != NULL && row < table->nrows; row++) {
		size_t bytes;
		const char *s = tv_string(old, row, &bytes);

		if (!tv_missing(old, row))
			text[row] = tv_strndup(s, bytes);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t row = c->row_of[at[i].label] - 1;

		tv_free(text[row]);
		text[row] = tv_strdup(at[i].cpuset);
	}
	if (old != NULL)
		tv_table_drop(table, old);
	cpuset = tv_trace_column(c->trace, TV_RESOURCES, "Cpuset");
	for (uint32_t row = 0; row < table->nrows; row++) {
		tv_set_text(cpuset, row, text[row]);
		tv_free(text[row]);
	}
	tv_free(text);
	tv_table_finish(table);
}

static void free_bindings(struct binding *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tv_free(at[i].cpuset);
	tv_free(at);
}

int tv_bind_workers(struct tv_completion *c, struct tv_error *err)
{
	struct reading r = { .c = c, .nlabels = tv_pool_count(c->trace->pool) };
	struct tv_input in;
	bool *worker;
	int rc;

	if (c->trace->options.bind == NULL)
		return 0;
	if (tv_input_open(&in, c->trace->options.bind, err) < 0)
		return -1;
	r.worker = worker = list_workers(c);
	rc = tv_csv_rows(&in, read_row, &r, err);
	if (rc == 0 && r.n == 0)
		rc = tv_fail_at(err, (struct tv_pos){ in.path, 0 },
				"no worker, expected rows of ResourceId,Cpuset");
	tv_input_close(&in);
	for (size_t i = 0; rc == 0 && i < r.n; i++)
		tv_require_resource(c, r.at[i].label);
	tv_table_finish(&c->trace->table[TV_RESOURCES]);
	if (rc == 0)
		write_cpusets(c, r.at, r.n);
	free_bindings(r.at, r.n);
	tv_free(worker);
	return rc;
}

/* ---- logical numbers of PUs ---- */

struct resolving {
	struct tv_completion *c;
	struct tv_machine machine;
	struct tv_machine_roots roots;
	struct tv_map pu_of; /* object, by its machine and Order */
	uint32_t *user;	     /* by object: node + 1 of the first worker on it */
	bool *shared; /* by object that is a machine: several nodes have workers on one PU of it */
	struct binding *at;
	size_t n, cap;
	uint32_t absent, first_absent; /* workers on PUs that are not there; row of the first */
	uint32_t lost;		       /* workers whose machine is not known */
};

static const struct tv_column *column_of(const struct resolving *r, const char *name)
{
	return tv_table_find(&r->c->trace->table[TV_RESOURCES], name);
}

static void find_pus(struct resolving *r)
{
	uint32_t level = tv_machine_level(&r->machine, "PU");
	const struct tv_level *pus = level == TV_NONE ? NULL : &r->machine.level[level];

	for (uint32_t i = 0; pus != NULL && i < pus->n; i++) {
		uint32_t object = r->machine.in_level[pus->first + i];
		const struct tv_object *o = &r->machine.at[object];

		if (o->order >= 0 && tv_map_get(&r->pu_of, o->root, (uint64_t)o->order) == NULL)
			tv_map_put(&r->pu_of, o->root, (uint64_t)o->order, object);
	}
}

/* The PU of a row of resources that needs one; TV_NONE. The tasks of a GPU run on no PU. */
static uint32_t find_pu(struct resolving *r, uint32_t row)
{
	const struct tv_column *bound = column_of(r, "BoundPU"), *node = column_of(r, "Node"),
			       *cpuset = column_of(r, "Cpuset"), *id = column_of(r, "ResourceId");
	const char *type = tv_table_text(&r->c->trace->table[TV_RESOURCES], "ResourceType", row);
	uint32_t root, *object;

	if (tv_missing(bound, row) || strcasecmp(type, "CPU") != 0 || tv_label(id, row) == TV_NONE
	    || r->c->row_of[tv_label(id, row)] != row + 1
	    || (cpuset != NULL && !tv_missing(cpuset, row)))
		return TV_NONE;
	root = tv_machine_root(&r->roots, node != NULL ? tv_label(node, row) : TV_NONE);
	r->lost += root == TV_NONE;
	if (root == TV_NONE)
		return TV_NONE;
	object = tv_map_get(&r->pu_of, root, (uint64_t)bound->i[row]);
	if (object != NULL)
		return *object;
	if (r->absent++ == 0)
		r->first_absent = row;
	return TV_NONE;
}

/* Every worker's PU, by row. Processes of StarPU on several machines number PUs alike. */
static void find_bindings(struct resolving *r)
{
	const struct tv_table *table = &r->c->trace->table[TV_RESOURCES];
	const struct tv_column *node = column_of(r, "Node"), *id = column_of(r, "ResourceId");
	uint32_t *pu = tv_alloc(table->nrows, sizeof *pu);

	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t process = node != NULL ? tv_label(node, row) : TV_NONE, *user;

		pu[row] = find_pu(r, row);
		if (pu[row] == TV_NONE)
			continue;
		user = &r->user[pu[row]];
		if (*user == 0)
			*user = process + 1;
		else if (*user != process + 1)
			r->shared[r->machine.at[pu[row]].root] = true;
	}
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (pu[row] == TV_NONE)
			continue;
		if (r->shared[r->machine.at[pu[row]].root]) {
			r->lost++;
			continue;
		}
		TV_GROW(r->at, r->n, r->cap, 1);
		r->at[r->n++] = (struct binding){ tv_label(id, row),
						  tv_cpuset_text(&r->machine.at[pu[row]].cpus) };
	}
	tv_free(pu);
}

static void report_bindings(const struct resolving *r)
{
	const struct tv_table *table = &r->c->trace->table[TV_RESOURCES];

	if (r->absent > 0)
		tv_diagnose(&r->c->trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "%u worker%s bound to PUs that the machine does not have (%.100s: PU "
			    "%lld): is the topology that of the machine of the run?",
			    r->absent, r->absent == 1 ? " is" : "s are",
			    tv_table_text(table, "ResourceId", r->first_absent),
			    (long long)column_of(r, "BoundPU")->i[r->first_absent]);
	if (r->lost > 0)
		tv_diagnose(
			&r->c->trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			"%u worker%s of processes whose machines are not known: several use the "
			"same PUs; --bind FILE names the processors of each worker",
			r->lost, r->lost == 1 ? " is" : "s are");
}

void tv_resolve_bindings(struct tv_completion *c)
{
	struct resolving r = { .c = c };

	if (column_of(&r, "BoundPU") == NULL)
		return;
	tv_machine_init(&r.machine, &c->trace->table[TV_RESOURCES]);
	if (r.machine.n > 0) {
		tv_machine_roots_init(&r.roots, &r.machine, c->trace);
		r.user = tv_alloc(r.machine.n, sizeof *r.user);
		r.shared = tv_alloc(r.machine.n, sizeof *r.shared);
		find_pus(&r);
		find_bindings(&r);
		if (r.n > 0)
			write_cpusets(c, r.at, r.n);
		report_bindings(&r);
		free_bindings(r.at, r.n);
		tv_map_release(&r.pu_of);
		tv_free(r.user);
		tv_free(r.shared);
		tv_machine_roots_release(&r.roots);
	}
	tv_machine_release(&r.machine);
}
