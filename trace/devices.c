/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c -- streams that share a device. */
#include "trace/devices.h"

#include <stdlib.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* ---- names ---- */

#define ELSE (TV_NONE - 1) /* owner of a name that is no device's */

/* A label that no other worker has. owner: by label, what has it; device: its number. */
static uint32_t name_device(struct tv_pool *pool, const struct tv_sighting *stream, uint32_t device,
			    struct tv_index *owner)
{
	uint32_t label = stream->device;
	char *text = tv_format("%s_%s", tv_pool_text(pool, stream->node),
			       tv_pool_text(pool, stream->device));

	while (tv_index_get(owner, label) != TV_NONE && tv_index_get(owner, label) != device) {
		label = tv_intern_text(pool, text);
		tv_append(&text, "_");
	}
	tv_index_set(owner, label, device);
	tv_free(text);
	return label;
}

bool tv_devices_name(struct tv_pool *pool, const struct tv_sighting *seen, uint32_t n,
		     uint32_t *named)
{
	struct tv_map first = { 0 }, several = { 0 }; /* by node and device: a stream */
	struct tv_index owner = { 0 };
	bool any;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t *stream;

		named[i] = i;
		if (!seen[i].worker || seen[i].device == TV_NONE)
			continue;
		stream = tv_map_at(&first, seen[i].node, seen[i].device);
		if (*stream != TV_NONE)
			tv_map_put(&several, seen[i].node, seen[i].device, *stream);
		else
			*stream = i;
	}
	any = several.n > 0;
	for (uint32_t i = 0; any && i < n; i++) {
		const uint32_t *stream = tv_map_get(&several, seen[i].node, seen[i].device);

		if (seen[i].worker)
			tv_index_set(&owner, i, stream != NULL ? *stream : ELSE);
	}
	for (uint32_t i = 0; any && i < n; i++) {
		const uint32_t *stream = tv_map_get(&several, seen[i].node, seen[i].device);

		if (seen[i].worker && stream != NULL)
			named[i] = *stream == i ? name_device(pool, &seen[i], i, &owner)
						: named[*stream];
	}
	tv_free(owner.at);
	tv_map_release(&first);
	tv_map_release(&several);
	return any;
}

bool tv_is_copy(const char *type)
{
	return strncasecmp(type, "Memcpy", 6) == 0 || strncasecmp(type, "Memset", 6) == 0
	    || strncasecmp(type, "MEMORY_COPY", 11) == 0;
}

/* ---- time ---- */

enum { FRACTION = 40 }; /* bits of a nanosecond */

/* The order of rows in the table is the last thing that the rounding of shares depends on. */
struct ending {
	int64_t end, start;
	const char *value, *stream;
	uint32_t row;
};

TV_ORDER(by_end, struct ending, end, start, text(value), text(stream), row)

/* Rounds the shares of n rows, in the order of their ends, so that they add up to `sum`. None gets more than its
 * duration. */
static void round_shares(const struct tv_tasks *tasks, const struct ending *ending, uint32_t n,
			 const tv_int128 *share, int64_t sum, int64_t *time)
{
	tv_int128 all = 0;
	int64_t left = sum;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = ending[i].row;

		time[row] = (int64_t)(((all + share[row]) >> FRACTION) - (all >> FRACTION));
		all += share[row];
		left -= time[row];
	}
	for (uint32_t i = n; i-- > 0 && left > 0;) {
		int64_t more = tv_row_time(tasks, ending[i].row) - time[ending[i].row];

		more = more < left ? more : left;
		time[ending[i].row] += more;
		left -= more;
	}
}

/* The shares of the rows of one device: row[0..n), by Start. `clock` is the time that each running row has had. */
static void share_device(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
			 struct ending *ending, tv_int128 *share, int64_t *time)
{
	uint32_t begun = 0, ended = 0;
	int64_t now = 0, busy = 0;
	tv_int128 clock = 0;
	const struct tv_column *stream = tv_table_find(&tasks->trace->table[TV_TASKS],
						       "ResourceId");

	for (uint32_t i = 0; i < n; i++)
		ending[i] = (struct ending){ tasks->end[row[i]], tasks->start[row[i]],
					     tv_pool_text(tasks->pool, tasks->value[row[i]]),
					     tv_pool_text(tasks->pool, tv_label(stream, row[i])),
					     row[i] };
	qsort(ending, n, sizeof *ending, by_end);
	while (ended < n) {
		bool starts = begun < n && tasks->start[row[begun]] <= ending[ended].end;
		int64_t next = starts ? tasks->start[row[begun]] : ending[ended].end;

		if (begun > ended) {
			clock += ((tv_int128)(next - now) << FRACTION) / (begun - ended);
			busy += next - now;
		}
		now = next;
		if (starts)
			share[row[begun++]] = -clock;
		else
			share[ending[ended++].row] += clock;
	}
	round_shares(tasks, ending, n, share, busy, time);
}

int64_t *tv_device_times(const struct tv_tasks *tasks)
{
	int64_t *time = tv_alloc(tasks->n, sizeof *time);
	tv_int128 *share = tv_alloc(tasks->n, sizeof *share);
	struct ending *ending;
	struct tv_groups rows;

	for (uint32_t row = 0; row < tasks->n; row++)
		time[row] = tasks->executed[row] ? tv_row_time(tasks, row) : 0;
	tv_tasks_by_start(tasks, tasks->counted, &rows);
	ending = tv_alloc(tv_groups_max(&rows), sizeof *ending);
	for (uint32_t w = 0; w < rows.n; w++)
		if (tasks->workers[w].shared && rows.first[w] < rows.first[w + 1])
			share_device(tasks, rows.row + rows.first[w],
				     rows.first[w + 1] - rows.first[w], ending, share, time);
	tv_groups_release(&rows);
	tv_free(ending);
	tv_free(share);
	return time;
}

bool tv_is_device_runtime(const char *type)
{
	static const char *const runtime[] = { "cuda_runtime", "cuda_driver", "hip_runtime",
					       "Runtime" /* of Kineto until 2021 */ };

	for (size_t i = 0; i < TV_COUNT(runtime); i++)
		if (strcmp(type, runtime[i]) == 0)
			return true;
	return false;
}
