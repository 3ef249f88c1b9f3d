/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.c -- which process reads which files of ranks. */
#include "convert/share.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "analysis/core/team.h"
#include "trace/alloc.h"

static const struct tv_team *helpers; /* of process 0 */

/* Files that are read together. */
struct plan {
	const struct tv_reader *reader;
	struct file {
		char *path;
		uint64_t size;
		bool own;
	} * file;
	size_t n, cap;
};

static void add_file(struct plan *plan, char *path, uint64_t size)
{
	TV_GROW(plan->file, plan->n, plan->cap, 1);
	plan->file[plan->n++] = (struct file){ path, size, false };
}

static void release_plan(struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		tv_free(plan->file[i].path);
	tv_free(plan->file);
}

/* Each process has about as many bytes: a file goes to that in whose share its middle is. */
static void divide(struct plan *plan, const struct tv_team *team)
{
	uint64_t all = 0, before = 0;

	for (size_t i = 0; i < plan->n; i++)
		all += plan->file[i].size;
	for (size_t i = 0; i < plan->n; i++) {
		double middle = (double)before + (double)plan->file[i].size / 2;

		plan->file[i].own = (uint32_t)(middle / (double)all * team->size) == team->rank;
		before += plan->file[i].size;
	}
}

static int read_some(const struct tv_loading *l, const struct plan *plan, bool own, void *state,
		     struct tv_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->n; i++)
		if (plan->file[i].own == own)
			rc = tv_member_read(l, plan->file[i].path, plan->reader, state, err);
	return rc;
}

/* Reads them with the others. */
static int read_files(const struct tv_loading *l, struct plan *plan, const struct tv_team *team,
		      struct tv_error *err)
{
	const struct tv_reader *reader = plan->reader;
	void *state = reader->begin(l->trace);
	int rc;

	divide(plan, team);
	rc = tv_team_agree(team, read_some(l, plan, true, state, err), err);
	if (rc == 0)
		rc = reader->share(state, team, err);
	if (rc > 0 && team->rank == 0)
		rc = read_some(l, plan, false, state, err) < 0 ? -1 : reader->finish(state, err);
	reader->free(state);
	return rc;
}

/* ---- process 0 ---- */

void tv_share_with(const struct tv_team *team)
{
	helpers = team;
}

static void tell(struct tv_parcel *pack)
{
	struct tv_gathered all = tv_team_gather(helpers, pack);

	tv_gathered_release(&all);
}

void tv_share_end(void)
{
	struct tv_parcel pack = { 0 };

	if (helpers == NULL)
		return;
	tv_pack_text(&pack, NULL);
	tell(&pack);
	helpers = NULL;
}

bool tv_share_may(const struct tv_loading *l, const struct tv_reader *reader)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += l->member[i].reader == reader;
	return helpers != NULL && reader->share != NULL && n > 1;
}

/* At least 1, so that all sizes together are no less. */
static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 1;
}

int tv_share_members(const struct tv_loading *l, const struct tv_reader *reader,
		     struct tv_error *err)
{
	struct plan plan = { .reader = reader };
	struct tv_parcel pack = { 0 };
	int rc;

	for (size_t i = 0; i < l->n; i++)
		if (l->member[i].reader == reader)
			add_file(&plan, tv_strdup(l->member[i].path), size_of(l->member[i].path));
	tv_pack_text(&pack, reader->name);
	tv_pack_number(&pack, l->trace->options.unread);
	tv_pack_number(&pack, plan.n);
	for (size_t i = 0; i < plan.n; i++) {
		tv_pack_text(&pack, plan.file[i].path);
		tv_pack_number(&pack, plan.file[i].size);
	}
	tell(&pack);
	rc = read_files(l, &plan, helpers, err);
	release_plan(&plan);
	return rc;
}

/* ---- the others ---- */

static void help(const struct tv_team *team, struct plan *plan,
		 const struct tv_read_options *options)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;
	struct tv_loading l = { .trace = &trace };

	tv_trace_init(&trace, options);
	/* What is wrong is for process 0 to say. */
	if (read_files(&l, plan, team, &err) < 0)
		err = (struct tv_error){ 0 };
	tv_trace_release(&trace);
}

static size_t count_own(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		n += plan->file[i].own;
	return n;
}

size_t tv_share_help(const struct tv_team *team, const struct tv_read_options *options)
{
	struct tv_read_options asked = *options;
	size_t nread = 0;

	for (;;) {
		struct tv_parcel nothing = { 0 };
		struct tv_gathered all = tv_team_gather(team, &nothing);
		struct tv_unpack from = tv_gathered_of(&all, 0);
		char *name = tv_unpack_text(&from);
		struct plan plan = { 0 };

		if (name == NULL) {
			tv_gathered_release(&all);
			return nread;
		}
		plan.reader = tv_reader_named(name);
		asked.unread = (unsigned)tv_unpack_number(&from);
		for (uint64_t n = tv_unpack_number(&from); n > 0; n--) {
			char *path = tv_unpack_text(&from);

			add_file(&plan, path, tv_unpack_number(&from));
		}
		tv_free(name);
		tv_gathered_release(&all);
		help(team, &plan, &asked);
		nread += count_own(&plan);
		release_plan(&plan);
	}
}
