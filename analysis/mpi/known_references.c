/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known_references.c -- the references of the communications of a run. */
#include "analysis/mpi/known_references.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* ---- communications alone ---- */

struct lone {
	struct tv_lone_kind kind;
	int64_t time;
};

TV_ORDER(by_kind, struct lone, text(kind.call), kind.bytes, kind.ranks)

TV_ORDER(by_kind_and_time, struct lone, text(kind.call), kind.bytes, kind.ranks, time)

/* Of n > 0 by time. */
static int64_t median_time(const struct lone *first, size_t n)
{
	int64_t low = first[(n - 1) / 2].time, high = first[n / 2].time;

	return low + (high - low) / 2;
}

void tv_lone_kinds(const struct tv_communications *c, double tolerance,
		   void (*use)(void *context, const struct tv_lone_kind *kind), void *context)
{
	const struct tv_requests *requests = c->requests;
	struct lone *at = tv_alloc(c->n, sizeof *at);
	size_t n = 0;

	for (uint32_t i = 0; i < c->n && !requests->links; i++) {
		const struct tv_mpi_request *r = &c->at[i];
		uint32_t label = tv_request_label(requests, r, TV_CALL_NAME),
			 ranks = tv_communication_ranks(c, r);

		if (r->how != TV_REQUEST_COMPLETED || label == TV_NONE
		    || (r->complete != TV_NONE && !tv_call_ended(requests->calls, r->complete))
		    || !tv_request_seen(requests, r, c->run)
		    || (double)r->compute > tolerance * (double)tv_request_measured(r))
			continue;
		at[n++] = (struct lone){
			.kind = { .call = tv_pool_text(c->run->trace->pool, label),
				  .label = label,
				  .bytes = tv_request_number(requests, r, TV_CALL_BYTES),
				  .ranks = ranks == 0 ? -1 : (int64_t)ranks },
			.time = tv_request_measured(r),
		};
	}
	if (n > 1)
		qsort(at, n, sizeof *at, by_kind_and_time);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && by_kind(&at[i], &at[end]) == 0;)
			end++;
		at[i].kind.n = end - i;
		at[i].kind.median = median_time(&at[i], end - i);
		use(context, &at[i].kind);
	}
	tv_free(at);
}

/* ---- other runs ---- */

struct other {
	struct tv_trace trace;
	struct tv_run run;
	struct tv_communications c;
};

static void close_other(struct other *other)
{
	tv_communications_release(&other->c);
	tv_run_release(&other->run);
	tv_trace_release(&other->trace);
}

/* Released in any case. */
static int open_other(struct other *other, const struct tv_run *asks, const char *path,
		      enum tv_which_calls which, const char *verb, struct tv_error *err)
{
	const struct tv_loader *loader = &asks->loader;

	*other = (struct other){ 0 };
	if (loader->load == NULL)
		return tv_fail_at(err, (struct tv_pos){ path, 0 }, "expected a CSV of references");
	if (loader->load(loader->context, path, &other->trace, err) < 0)
		return -1;
	tv_run_init(&other->run, &other->trace, asks->kinds);
	return tv_communications_init(&other->c, &other->run, which, verb, err);
}

static void add_kind(void *context, const struct tv_lone_kind *kind)
{
	struct tv_known_references *known = context;
	struct tv_references *to = &known->table;

	TV_GROW(to->row, to->n, to->cap, 1);
	to->row[to->n++] = (struct tv_reference_row){
		.key = { .call = tv_intern_text(known->of->run->trace->pool, kind->call),
			 .site = TV_NONE,
			 .bytes = kind->bytes < 0 ? -1 : kind->bytes,
			 .ranks = kind->ranks },
		.value = { kind->median, -1, -1 },
	};
}

int tv_known_references_read(struct tv_known_references *known, const char *path, double tolerance,
			     struct tv_error *err)
{
	struct stat st;
	struct other other;
	bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	int rc = folder ? 0 : tv_references_here(path, err);

	if (rc < 0)
		return -1;
	if (rc > 0)
		return tv_references_read(&known->table, path, known->of->run->trace->pool, err);
	rc = open_other(&other, known->of->run, path, TV_ALL_CALLS, "overlap --reference", err);
	if (rc < 0 && !folder)
		tv_fail_about(err, "neither a table with CommReference, ComputeReference or "
				   "PassiveReference, nor a trace of MPI calls");
	if (rc == 0)
		tv_lone_kinds(&other.c, tolerance, add_kind, known);
	if (rc == 0 && known->table.n == 0)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"no communication without computation in its window");
	close_other(&other);
	return rc;
}

/* ---- computations alone ---- */

/* Requests of a rank, function and place are a group, in the labels of the run that asks. */
struct pairing {
	struct tv_map place;
	uint32_t n;
	struct tv_pool *pool;
};

static uint32_t own_label(struct pairing *p, const struct tv_pool *from, uint32_t label)
{
	if (label == TV_NONE || from == p->pool)
		return label;
	return tv_intern_text(p->pool, tv_pool_text(from, label));
}

static uint32_t *group(struct pairing *p, const struct tv_communications *c)
{
	const struct tv_pool *from = c->run->trace->pool;
	uint32_t *of = tv_alloc(c->n, sizeof *of);

	for (uint32_t i = 0; i < c->n; i++) {
		const struct tv_mpi_request *r = &c->at[i];
		uint64_t call = own_label(p, from, tv_request_label(c->requests, r, TV_CALL_NAME)),
			 site = own_label(p, from, tv_request_label(c->requests, r, TV_CALL_SITE));
		uint32_t *at;

		of[i] = TV_NONE;
		if (tv_communication_blocks(c, r))
			continue;
		at = tv_map_at(&p->place, call << 32 | site,
			       own_label(p, from, c->requests->rank[r->rank]));
		if (*at == TV_NONE)
			*at = p->n++;
		of[i] = *at;
	}
	return of;
}

/* The compute time of a request that does not communicate; -1: it does. */
static int64_t computation_of(const struct tv_mpi_request *r, double tolerance)
{
	if (r->how != TV_REQUEST_COMPLETED
	    || (double)(r->call + r->wait) > tolerance * (double)tv_request_measured(r))
		return -1;
	return r->compute;
}

/* uneven: requests of groups that have another number in the other run; busy: those whose partner
 * communicates. */
static void pair(struct tv_known_references *known, const struct tv_communications *alone,
		 double tolerance, uint32_t *uneven, uint32_t *busy)
{
	const struct tv_communications *of = known->of;
	struct pairing p = { .pool = of->run->trace->pool };
	uint32_t *own = group(&p, of), *its = group(&p, alone), *done;
	struct tv_groups here, there;

	tv_groups_init(&here, own, of->n, p.n);
	tv_groups_init(&there, its, alone->n, p.n);
	done = tv_alloc(p.n, sizeof *done);
	for (uint32_t i = 0; i < of->n; i++) {
		uint32_t g = own[i], first;

		known->compute[i] = -1;
		if (g == TV_NONE)
			continue;
		first = there.first[g];
		if (there.first[g + 1] - first != here.first[g + 1] - here.first[g]) {
			++*uneven;
			continue;
		}
		known->compute[i] = computation_of(&alone->at[there.row[first + done[g]++]],
						   tolerance);
		*busy += known->compute[i] < 0;
	}
	tv_groups_release(&here);
	tv_groups_release(&there);
	tv_map_release(&p.place);
	tv_free(done);
	tv_free(own);
	tv_free(its);
}

int tv_known_references_pair(struct tv_known_references *known, const char *path, double tolerance,
			     struct tv_error *err)
{
	struct tv_run *run = known->of->run;
	uint32_t uneven = 0, busy = 0;
	struct other other;
	int rc = open_other(&other, run, path, TV_NONBLOCKING_CALLS, "overlap --compute-reference",
			    err);

	if (rc == 0 && (other.c.requests->links || known->of->requests->links))
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"--compute-reference needs the calls of both runs, and one has "
				"messages alone");
	if (rc == 0) {
		known->compute = tv_alloc(known->of->n, sizeof *known->compute);
		pair(known, &other.c, tolerance, &uneven, &busy);
	}
	if (uneven > 0)
		tv_run_warn(run,
			    "%u requests have no ComputeReference: %s has another number of "
			    "requests of their rank, function and place",
			    uneven, path);
	if (busy > 0)
		tv_run_warn(run,
			    "%u requests have no ComputeReference: in %s their calls take more "
			    "than %g of the time, which is no run without communication",
			    busy, path, tolerance);
	close_other(&other);
	return rc;
}

/* ---- one communication ---- */

void tv_known_references_init(struct tv_known_references *known, const struct tv_communications *of)
{
	*known = (struct tv_known_references){ .of = of };
}

void tv_known_references_release(struct tv_known_references *known)
{
	tv_references_release(&known->table);
	tv_map_release(&known->found);
	tv_free(known->value);
	tv_free(known->compute);
}

static struct tv_reference of_table(struct tv_known_references *known,
				    const struct tv_mpi_request *r)
{
	const struct tv_requests *requests = known->of->requests;
	uint32_t ranks = tv_communication_ranks(known->of, r), *at;
	struct tv_reference_key key = {
		.call = tv_request_label(requests, r, TV_CALL_NAME),
		.site = tv_request_label(requests, r, TV_CALL_SITE),
		.bytes = tv_request_number(requests, r, TV_CALL_BYTES),
		.ranks = ranks == 0 ? -1 : (int64_t)ranks,
	};

	if (known->table.n == 0)
		return (struct tv_reference){ -1, -1, -1 };
	if (key.bytes >= (int64_t)1 << 40 || key.ranks >= 1 << 20)
		return tv_references_find(&known->table, &key);
	key.bytes = key.bytes < 0 ? -1 : key.bytes;
	at = tv_map_at(&known->found, (uint64_t)key.call << 32 | key.site,
		       (uint64_t)(key.bytes + 1) << 21 | (uint64_t)(key.ranks + 1));
	if (*at == TV_NONE) {
		TV_GROW(known->value, known->nvalues, known->values_cap, 1);
		known->value[known->nvalues] = tv_references_find(&known->table, &key);
		*at = (uint32_t)known->nvalues++;
	}
	return known->value[*at];
}

static struct tv_reference reference_of(struct tv_known_references *known, uint32_t i)
{
	const struct tv_mpi_request *r = &known->of->at[i];
	struct tv_reference reference = of_table(known, r);

	if (known->compute != NULL && known->compute[i] >= 0)
		reference.compute = known->compute[i];
	if (tv_communication_blocks(known->of, r))
		reference.compute = reference.passive = -1;
	return reference;
}

struct tv_ratios tv_known_ratios(struct tv_known_references *known, uint32_t i,
				 struct tv_reference *reference)
{
	const struct tv_mpi_request *r = &known->of->at[i];
	bool completed = r->how == TV_REQUEST_COMPLETED;
	const struct tv_overlap_times m = {
		.measured = completed ? tv_request_measured(r) : -1,
		.call_wait = completed && !known->of->requests->links ? r->call + r->wait : -1,
		.compute = completed ? r->compute : -1,
	};

	*reference = reference_of(known, i);
	return tv_ratios(&m, reference);
}
