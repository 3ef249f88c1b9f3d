/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_findings.c -- what reading a trace part by part shows of it. */
#include "cli/part_findings.h"

#include <string.h>

#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/damage.h"
#include "trace/messages.h"

void tv_part_findings_init(struct tv_part_findings *found, const struct tv_trace *trace)
{
	*found = (struct tv_part_findings){ .place = INT64_MIN };
	tv_trace_init_beside(&found->reports, trace);
}

void tv_part_findings_release(struct tv_part_findings *found)
{
	tv_free(found->stretches.at);
	tv_left_out_release(&found->left_out);
	tv_survey_release(&found->survey);
	tv_trace_release(&found->reports);
}

void tv_part_findings_add(struct tv_part_findings *found, const struct tv_row_part *part,
			  const struct tv_tasks *tasks)
{
	char pairs[2];

	if (part->first <= part->last) {
		if (found->place == INT64_MIN)
			found->before = part->first;
		found->moved |= part->first <= found->place;
		found->place = part->last;
	}
	tv_survey_add(&found->survey, tasks);
	if ((part->tables >> TV_LINKS & 1) != 0
	    && tv_early_messages(tasks->trace, pairs, sizeof pairs) > 0)
		found->survey.joins = "messages were received before they were sent";
	tv_left_out_add(&found->left_out, tasks);
	tv_phase_stretches_add(&found->stretches, tasks);
}

void tv_part_findings_note(struct tv_part_findings *found, const struct tv_trace *part, bool shared)
{
	found->messages |= tv_messages_show(part, found->messages);
	if (shared)
		found->answers |= tv_messages_show(part, TV_HAS_MESSAGES);
}

/* Whether a list has a note or warning of that text. */
static bool has_note(const struct tv_diagnostics *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (list->at[i].severity <= TV_WARNING && strcmp(list->at[i].text, text) == 0)
			return true;
	return false;
}

void tv_part_findings_print(const struct tv_part_findings *found, const struct tv_cli *cli,
			    const struct tv_trace *trace)
{
	const struct tv_diagnostics *reports = &found->reports.diagnostics;
	struct tv_diagnostics shown = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < reports->n; i++) {
		const struct tv_diagnostic *d = &reports->at[i];

		if (d->severity <= TV_WARNING
		    && (has_note(&trace->diagnostics, trace->diagnostics.n, d->text)
			|| has_note(reports, i, d->text)))
			continue;
		TV_GROW(shown.at, shown.n, cap, 1);
		shown.at[shown.n++] = *d;
	}
	tv_print_diagnostics(cli, &shown);
	tv_free(shown.at);
}

/* ---- several processes ---- */

static void pack_found(const struct tv_part_findings *found, struct tv_parcel *pack)
{
	const struct tv_trace *reports = &found->reports;
	const struct tv_phase_stretches *stretches = &found->stretches;

	tv_pack_number(pack, found->moved);
	tv_pack_number(pack, (uint64_t)found->before);
	tv_pack_number(pack, (uint64_t)found->place);
	tv_survey_pack(&found->survey, reports->pool, pack);
	tv_left_out_pack(&found->left_out, reports->pool, pack);
	tv_pack_number(pack, stretches->n);
	tv_pack_bytes(pack, stretches->at, stretches->n * sizeof *stretches->at);
	tv_damage_pack(reports, pack);
}

/* Whether parts come in the order of the input. */
static void merge_places(struct tv_part_findings *found, struct tv_unpack *from)
{
	bool moved = tv_unpack_number(from) != 0;
	int64_t before = (int64_t)tv_unpack_number(from), place = (int64_t)tv_unpack_number(from);

	if (place == INT64_MIN)
		return;
	found->moved = found->moved || moved || before <= found->place;
	found->place = place;
}

static void merge_found(struct tv_part_findings *found, struct tv_unpack *from)
{
	struct tv_trace *reports = &found->reports;

	merge_places(found, from);
	tv_survey_merge(&found->survey, reports->pool, from);
	tv_left_out_merge(&found->left_out, reports->pool, from);
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_phase_stretch stretch;

		tv_unpack_bytes(from, &stretch, sizeof stretch);
		tv_phase_stretches_put(&found->stretches, stretch);
	}
	tv_damage_merge(reports, from);
}

void tv_part_findings_share(struct tv_part_findings *found, const struct tv_team *team,
			    const struct tv_trace *trace)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	pack_found(found, &pack);
	all = tv_team_gather(team, &pack);
	tv_part_findings_release(found);
	tv_part_findings_init(found, trace);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		merge_found(found, &from);
	}
	tv_gathered_release(&all);
}

static void merge_messages(struct tv_part_findings *found, struct tv_unpack *from)
{
	unsigned messages = (unsigned)tv_unpack_number(from);
	unsigned answers = (unsigned)tv_unpack_number(from);

	found->messages |= found->messages != 0 ? answers : messages;
}

void tv_part_findings_share_notes(struct tv_part_findings *found, struct tv_carry *carry,
				  bool reports, const struct tv_team *team,
				  const struct tv_trace *trace)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_carry_pack_notes(carry, &pack);
	tv_pack_number(&pack, found->messages);
	tv_pack_number(&pack, found->answers);
	found->messages = 0;
	if (reports) { /* none before */
		tv_damage_pack(&found->reports, &pack);
		tv_trace_release(&found->reports);
		tv_trace_init_beside(&found->reports, trace);
	}
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		tv_carry_merge_notes(carry, &from);
		merge_messages(found, &from);
		if (reports)
			tv_damage_merge(&found->reports, &from);
	}
	tv_gathered_release(&all);
}
