/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help_formats.c -- what can be read and written: formats, what they have and what that is needed for, tables. */
#include "cli/help.h"
#include "convert/formats.h"
#include "trace/schema.h"

/* What a trace can have, and the verbs that need it, or say more with it; in the order of enum tv_thing. */
static const struct {
	const char *meaning, *verbs;
} things[] = {
	{ "ResourceId, Start, End",
	  "diagnose, plot, summary, idleness, account, bounds, outliers, ..." },
	{ "DependsOn", "critical-path, chain, deps, ready, idle-causes, simulate, what-if" },
	{ "SubmitTime", "submitted, lifecycle, idle-causes" },
	{ "Handles", "handles, residency, memory" },
	{ "of runtime and threads", "states; verbs about tasks with --task-state" },
	{ "over time", "counter, derive, rate, reduce" },
	{ "transfers, other arrows", "transfers, bandwidth" },
	{ "links between ranks", "messages, comm-matrix, message-sizes, in-flight, load-balance" },
	{ "of MPI functions", "callprofile, wait-states, requests, overlap, mpi-replay" },
	{ "sums of such calls", "callprofile, dedicate" },
	{ "of overlap", "overlap" },
	{ "of a scheduler", "decisions, choice, mispredictions, queues" },
	{ "instants", "events" },
	{ "caches, cores, memories", "topology, place, platform" },
};
_Static_assert(TV_COUNT(things) == TV_NTHINGS, "one for each of TV_THINGS");

static void list_brought(struct tv_output *out, unsigned brings)
{
	for (int i = 0; i < TV_NTHINGS; i++)
		if (brings >> i & 1)
			tv_output_format(out, " %s", tv_thing_word[i]);
}

void tv_help_formats(struct tv_output *out)
{
	tv_output_text(out,
		       "Formats of a TRACE (file, folder, - for standard input; also .gz, .zst), "
		       "and what it can have:\n");
	for (size_t i = 0; i < tv_nreaders; i++) {
		const struct tv_reader *reader = tv_readers[i];

		tv_output_format(out, "  %-22s  %s\n%25s", reader->name, reader->summary, "");
		if (reader->brings == (1u << TV_NTHINGS) - 1)
			tv_output_text(out, " all of the following");
		else
			list_brought(out, reader->brings);
		if (reader->joins != NULL) {
			tv_output_format(out, "; with %s:", reader->joins);
			list_brought(out, tv_reader_named(reader->joins)->brings & ~reader->brings);
		}
		tv_output_text(out, "\n");
	}
	tv_output_text(out, "\nWhat is needed for what:\n");
	for (int i = 0; i < TV_NTHINGS; i++)
		tv_output_format(out, "  %-13s %-23s  %s\n", tv_thing_word[i], things[i].meaning,
				 things[i].verbs);
	tv_output_text(out, "\n'traceviz info --check TRACE' shows what a trace has of it.\n");
}

void tv_help_writers(struct tv_output *out)
{
	tv_output_text(out,
		       "\nOutput of --to, besides CSV (of tasks only; DIR/REGION.NAME for each "
		       "parallel region, which\nreplace those in DIR; or -o FILE.NAME, of one "
		       "region):\n");
	for (size_t i = 0; i < tv_nwriters; i++)
		tv_output_format(out, "  %-22s  %s\n", tv_writers[i]->name, tv_writers[i]->summary);
}

void tv_help_tables(struct tv_output *out)
{
	tv_output_text(out, "Tables (DIR/TABLE.csv; times in ms; * = required; a single CSV is "
			    "the tasks):\n");
	for (int id = 0; id < TV_NTABLES; id++) {
		tv_output_format(out, "  %s: %s\n", tv_schema[id].name, tv_schema[id].meaning);
		for (size_t i = 0; i < tv_schema[id].nfields; i++) {
			const struct tv_field *f = &tv_schema[id].field[i];

			tv_output_format(out, "    %-18s%c %-6s  %s%s%s%s\n", f->name,
					 f->required ? '*' : ' ', tv_type_name(f->type), f->meaning,
					 f->unit[0] ? " (" : "", f->unit, f->unit[0] ? ")" : "");
		}
	}
}
