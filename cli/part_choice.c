/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_choice.c -- verbs, options and files of which parts are no way. */
#include "cli/part_choice.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/passes.h"
#include "cli/part_spans.h"
#include "cli/unread.h"
#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/partition/partition.h"
#include "trace/alloc.h"

/* Tables with which a selection is compared, of all rows. */
#define SELECTED_FROM (1u << TV_CALLS | 1u << TV_EVENTS)

#define BACKWARDS ", as it walks backwards from tasks to what they waited for"
#define IDLE	  ", as it looks through the whole task graph for what idle workers waited for"
#define SIMULATES ", as it simulates the whole task graph"
#define MATCHES	  ", as it matches the calls of all processes"

const char *tv_parts_option(const struct tv_cli *cli)
{
	static const size_t members[] = {
		offsetof(struct tv_cli, restriction),	  offsetof(struct tv_cli, phase),
		offsetof(struct tv_cli, region),	  offsetof(struct tv_cli, read.strict),
		offsetof(struct tv_cli, read.with),	  offsetof(struct tv_cli, read.zero),
		offsetof(struct tv_cli, read.task_state), offsetof(struct tv_cli, read.resources),
		offsetof(struct tv_cli, read.bind),	  offsetof(struct tv_cli, read.map),
	};

	return cli->read.nclock_offsets > 0 ? "clock-offset"
					    : tv_cli_given(cli, members, TV_COUNT(members));
}

/* Whether a folder has tables in Parquet, and of some no other form. */
static bool has_parquet(const char *path, unsigned tables)
{
	bool parquet = false, other = false;

	for (int id = 0; id < TV_NTABLES; id++)
		for (size_t i = 0; i < TV_COUNT(tv_native_suffix); i++) {
			char *file = tv_format("%s/%s%s", path, tv_schema[id].name,
					       tv_native_suffix[i]);
			bool last = i + 1 == TV_COUNT(tv_native_suffix);

			if ((last || (tables >> id & 1) != 0) && access(file, F_OK) == 0)
				*(last ? &parquet : &other) = true;
			tv_free(file);
		}
	return parquet && !other;
}

bool tv_parts_are_of_parquet(const struct tv_cli *reading)
{
	const char *path = reading->trace[0].path;
	char magic[4] = "";
	uint64_t *is;
	bool yes;
	FILE *f;

	if (has_parquet(path, tv_parted_by_pass(reading)) || tv_partition_has(path, TV_TASKS)) {
		yes = true;
	} else {
		f = fopen(path, "rb");
		yes = strcmp(path, "-") != 0
		   && (f == NULL
		       || (fread(magic, sizeof magic, 1, f) == 1
			   && memcmp(magic, "PAR1", sizeof magic) == 0));
		if (f != NULL)
			fclose(f);
	}
	if (reading->team != NULL) {
		is = tv_team_numbers(reading->team, yes);
		yes = is[0] != 0;
		tv_free(is);
	}
	return yes;
}

/* What a verb that does not read parts, or not with all options, does with all rows; "" = not in a few words. */
static const char *find_way(const struct tv_pass *pass)
{
	static const struct {
		const struct tv_pass *pass;
		const char *way;
	} ways[] = {
		{ &tv_pass_chain, BACKWARDS },	   { &tv_pass_paths, BACKWARDS },
		{ &tv_pass_idle_causes, IDLE },	   { &tv_pass_account, IDLE },
		{ &tv_pass_what_if, SIMULATES },   { &tv_pass_late_start, BACKWARDS },
		{ &tv_pass_wait_states, MATCHES }, { &tv_pass_mpi_replay, MATCHES },
	};

	for (size_t i = 0; i < TV_COUNT(ways); i++)
		if (ways[i].pass == pass)
			return ways[i].way;
	return "";
}

bool tv_parts_may(const struct tv_cli *reading, char *why)
{
	const struct tv_pass *pass = reading->verb.pass;
	const struct tv_options options = tv_cli_own_options(reading);
	const char *option = tv_parts_option(reading);
	bool prints = tv_parts_are_printed(pass);

	why[0] = '\0';
	if (pass->in_parts == NULL)
		snprintf(why, TV_PARTS_WHY, "%s needs all rows at once%s", pass->name,
			 find_way(pass));
	else if (!pass->in_parts(&options))
		snprintf(why, TV_PARTS_WHY, "%s with these options needs all rows at once%s",
			 pass->name, find_way(pass));
	else if (option != NULL)
		snprintf(why, TV_PARTS_WHY, "with --%s all rows are needed at once", option);
	else if (prints && (reading->top > 0 || reading->json))
		snprintf(why, TV_PARTS_WHY, "with --%s all rows are needed at once",
			 reading->json ? "json" : "top");
	else if (prints && tv_print_is_aligned(reading))
		snprintf(why, TV_PARTS_WHY, "part by part it prints CSV: --csv, or -o FILE");
	else if ((tv_parted_by_pass(reading) & SELECTED_FROM) != 0
		 && tv_selected_from(reading) != 0)
		snprintf(why, TV_PARTS_WHY, "with a selection all rows are needed at once");
	else if (reading->ntraces != 1 || reading->trace[0].label != NULL
		 || reading->receiver != NULL)
		snprintf(why, TV_PARTS_WHY, "only one file or folder is read in parts");
	else if (reading->team != NULL && pass->alone != NULL && pass->alone(&options))
		snprintf(why, TV_PARTS_WHY, "what it keeps of a part goes on in the next one");
	else if (reading->team != NULL && !tv_parts_are_of_parquet(reading))
		snprintf(why, TV_PARTS_WHY, "%s", TV_PARTS_OF_PARQUET);
	return why[0] == '\0';
}

/* 0: it is none of Parquet. */
static int64_t rows_of_file(const char *path)
{
	struct tv_error none = { 0 };
	struct tv_parquet *parquet;
	struct tv_trace trace;
	struct tv_input in;
	int64_t rows = 0;

	if (tv_input_open(&in, path, &none) < 0)
		return 0;
	tv_trace_init(&trace, NULL);
	parquet = tv_parquet_open(&in, &trace, &none);
	if (parquet != NULL)
		rows = tv_parquet_nrows(parquet);
	tv_parquet_close(parquet);
	tv_trace_release(&trace);
	tv_input_close(&in);
	return rows;
}

/* Whether a file, or the tasks of a folder, has so many rows. Groups of the nodes of a partitioned one overlap in time: most would
 * be read several times. */
static bool is_large(const char *path, int64_t rows)
{
	char *table = tv_format("%s/%s.parquet", path, tv_schema[TV_TASKS].name);
	const char *file = access(table, F_OK) == 0 ? table : path;
	struct stat st;
	/* What is read from a pipe is gone. */
	bool large = stat(file, &st) == 0 && S_ISREG(st.st_mode) && rows_of_file(file) >= rows;

	tv_free(table);
	return large;
}

bool tv_parts_may_be_worth(const struct tv_cli *reading, int64_t rows)
{
	return reading->verb.pass->in_parts != NULL && reading->team == NULL
	    && reading->ntraces == 1 && !tv_windowed_by_pass(reading)
	    && is_large(reading->trace[0].path, rows) && tv_parts_are_of_parquet(reading);
}

uint64_t tv_parts_fit(const struct tv_pass *pass, const struct tv_row_part *part,
		      const struct tv_trace *trace)
{
	const double decoding = 1 << 21; /* bytes for what is read */
	double used = (double)tv_memory_used(), max = (double)tv_memory_max();
	double row = 8 * (double)trace->table[TV_TASKS].ncols
		   + tv_row_part_beside(part, pass->beside, pass->beside_links);
	double rows = (max - used - decoding) / (2 * row);

	return rows < 1 ? 0 : (uint64_t)rows;
}

unsigned tv_parts_beside(const struct tv_cli *reading, size_t rows)
{
	static const enum tv_table_id large[] = { TV_LINKS, TV_CALLS, TV_DECISIONS, TV_CANDIDATES };
	uint64_t tables = 0, *of_rank;

	for (size_t i = 0; i < TV_COUNT(large); i++) {
		char *table = tv_format("%s/%s.parquet", reading->trace[0].path,
					tv_schema[large[i]].name);
		struct stat st;

		if (stat(table, &st) == 0 && S_ISREG(st.st_mode)
		    && (uint64_t)rows_of_file(table) > rows)
			tables |= 1u << large[i];
		tv_free(table);
	}
	if (reading->team != NULL) {
		of_rank = tv_team_numbers(reading->team, tables);
		tables = of_rank[0];
		tv_free(of_rank);
	}
	return (unsigned)tables & ~tv_needed_by_pass(reading)
	     & ~(tv_selected_from(reading) != 0 ? SELECTED_FROM : 0);
}

bool tv_parts_select_alone(const struct tv_cli *cli)
{
	return cli->node == NULL && cli->begin == NULL && cli->end == NULL;
}
