/* SPDX-License-Identifier: GPL-3.0-or-later */
/* texts.c -- the texts of a platform's picture and the widths that they need. */
#include "views/platform/drawn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "trace/units.h"

static const double name_max = 130; /* points; longer ones lose their middle */

bool tv_picture_is_router(const struct tv_drawn *d, const struct tv_branch *item)
{
	uint32_t point = item->node == TV_NONE ? TV_NONE : d->plan->node[item->node].point;

	return item->kind == TV_BRANCH_NODE && point != TV_NONE
	    && d->platform->point[point].kind == TV_POINT_ROUTER;
}

double tv_picture_text_width(const struct tv_drawn *d, const char *text, bool bold)
{
	return tv_text_width(d->scene->text, text, TV_TEXT_SMALL, bold);
}

/* "core-0", or "core-0 to core-3" of equal ones, of which the item is drawn; where others lie between
 * them, "core-0 and core-3" or "core-0, ..., core-3". Without an item: what follows each other. */
static void range_text(const struct tv_drawn *d, const struct tv_branch *item, char *out,
		       const char *first, const char *last)
{
	const char *between = item == NULL || !item->others_between ? " to "
			    : item->count == 2			    ? " and "
								    : ", ..., ";
	char a[TV_PICTURE_TEXT / 2 - 4], b[TV_PICTURE_TEXT / 2 - 4], text[TV_PICTURE_TEXT];

	tv_clean_text(a, sizeof a, first);
	tv_clean_text(b, sizeof b, last);
	snprintf(text, sizeof text, "%s%s%s", a, first == last ? "" : between,
		 first == last ? "" : b);
	tv_text_fit(d->scene->text, text, TV_TEXT_SMALL, false, name_max, out, TV_PICTURE_TEXT);
}

static void link_numbers(char *out, size_t size, double bandwidth, int64_t latency)
{
	char speed[64], time[64] = "";

	tv_bytes_text(speed, sizeof speed, bandwidth);
	if (latency > 0)
		tv_time_text(time, sizeof time, latency, NULL);
	snprintf(out, size, "%s/s%s%s", speed, latency > 0 ? ", " : "", time);
}

/* Both lines of the text of a link, of the item and of the last one that is equal to it. */
void tv_picture_link(const struct tv_drawn *d, const struct tv_branch *item, uint32_t link,
		     uint32_t last, char name[TV_PICTURE_TEXT], char numbers[TV_PICTURE_TEXT])
{
	const struct tv_platform_link *l = &d->platform->link[link];

	range_text(d, item, name, tv_platform_link_name(d->platform, link),
		   tv_platform_link_name(d->platform, last));
	link_numbers(numbers, TV_PICTURE_TEXT, l->bandwidth, l->latency_ns);
}

static void host_numbers(const struct tv_drawn *d, const struct tv_platform_host *host, char *out,
			 size_t size)
{
	char number[64], kind[TV_PICTURE_TEXT], shown[TV_PICTURE_TEXT];

	out[0] = '\0';
	if (host->size > 0) {
		tv_bytes_text(number, sizeof number, (double)host->size);
		snprintf(out, size, "%s", number);
	} else if (host->speed > 0) {
		tv_number_text(number, sizeof number, host->speed / 1e9);
		snprintf(out, size, "%s GFlop/s", number);
	}
	if (host->cores > 1)
		snprintf(out + strlen(out), size - strlen(out), "%s%u cores",
			 out[0] != '\0' ? ", " : "", host->cores);
	if (host->cpu_kind == TV_NONE)
		return;
	tv_clean_text(kind, sizeof kind, tv_pool_text(d->platform->pool, host->cpu_kind));
	tv_text_fit(d->scene->text, kind, TV_TEXT_SMALL, false, name_max, shown, sizeof shown);
	snprintf(out + strlen(out), size - strlen(out), "%s%s", out[0] != '\0' ? ", " : "", shown);
}

/* Both lines of the text of an item; empty ones of a junction. */
void tv_picture_item(const struct tv_drawn *d, const struct tv_branch *item,
		     char name[TV_PICTURE_TEXT], char numbers[TV_PICTURE_TEXT])
{
	const struct tv_plan_node *node = &d->plan->node[item->node], *last = node;

	name[0] = numbers[0] = '\0';
	if (item->equal != TV_NONE)
		last = &d->plan->node[d->tree.item[item->equal].node];
	if (node->point != TV_NONE) {
		const struct tv_platform_point *point = &d->platform->point[node->point];

		range_text(d, item, name, tv_platform_point_name(d->platform, node->point),
			   tv_platform_point_name(d->platform, last->point));
		if (point->kind == TV_POINT_HOST)
			host_numbers(d, &d->platform->host[point->index], numbers, TV_PICTURE_TEXT);
	} else if (node->link != TV_NONE) {
		tv_picture_link(d, item, node->link, last->link, name, numbers);
		if (node->unused)
			snprintf(numbers + strlen(numbers), TV_PICTURE_TEXT - strlen(numbers),
				 ", in no route");
	}
}

void tv_picture_zone(const struct tv_drawn *d, const struct tv_branch *item,
		     char out[TV_PICTURE_TEXT])
{
	static const char *const routings[] = { [TV_ROUTING_FULL] = "",
						[TV_ROUTING_FLOYD] = "",
						[TV_ROUTING_DIJKSTRA] = "",
						[TV_ROUTING_CLUSTER] = ", cluster",
						[TV_ROUTING_NONE] = ", without routes" };
	const struct tv_platform_zone *zone = &d->platform->zone[item->zone];
	uint32_t last = item->equal == TV_NONE
			      ? zone->point
			      : d->platform->zone[d->tree.item[item->equal].zone].point;

	range_text(d, item, out, tv_platform_point_name(d->platform, zone->point),
		   tv_platform_point_name(d->platform, last));
	snprintf(out + strlen(out), TV_PICTURE_TEXT - strlen(out), "%s", routings[zone->routing]);
}

/* Width that a link on a line needs, or a whole line that is too long to have a place for each. */
double tv_picture_link_width(const struct tv_drawn *d, const struct tv_branch *item, uint32_t link,
			     uint32_t last)
{
	char name[TV_PICTURE_TEXT], numbers[TV_PICTURE_TEXT];

	tv_picture_link(d, item, link, last, name, numbers);
	return fmax(tv_picture_text_width(d, name, false), tv_picture_text_width(d, numbers, false))
	     + 8;
}

uint32_t tv_picture_link_at(const struct tv_drawn *d, uint32_t edge, uint32_t i)
{
	return d->plan->link[d->plan->edge[edge].first + i];
}

uint32_t tv_picture_last_edge(const struct tv_drawn *d, const struct tv_branch *item)
{
	return item->equal == TV_NONE ? item->edge : d->tree.item[item->equal].edge;
}

/* The text of a line of many links. */
void tv_picture_many(const struct tv_drawn *d, const struct tv_branch *item,
		     char name[TV_PICTURE_TEXT], char numbers[TV_PICTURE_TEXT])
{
	uint32_t edge = item->edge, n = d->plan->edge[edge].n;
	double bandwidth = INFINITY;
	int64_t latency = 0;
	char number[100];

	for (uint32_t i = 0; i < n; i++) {
		const struct tv_platform_link *l =
			&d->platform->link[tv_picture_link_at(d, edge, i)];

		bandwidth = fmin(bandwidth, l->bandwidth);
		latency += l->latency_ns;
	}
	range_text(d, NULL, name,
		   tv_platform_link_name(d->platform, tv_picture_link_at(d, edge, 0)),
		   tv_platform_link_name(d->platform, tv_picture_link_at(d, edge, n - 1)));
	link_numbers(number, sizeof number, bandwidth, latency);
	snprintf(numbers, TV_PICTURE_TEXT, "%u links, min %s", n, number);
}

double tv_picture_edge_width(const struct tv_drawn *d, const struct tv_branch *item)
{
	double width = 0;
	uint32_t last = tv_picture_last_edge(d, item),
		 n = item->edge == TV_NONE ? 0 : d->plan->edge[item->edge].n;

	if (item->kind == TV_BRANCH_STUB && !item->labeled)
		return 0;
	if (n > TV_PICTURE_SERIES) {
		char name[TV_PICTURE_TEXT], numbers[TV_PICTURE_TEXT];

		tv_picture_many(d, item, name, numbers);
		return fmax(tv_picture_text_width(d, name, false),
			    tv_picture_text_width(d, numbers, false))
		     + 8;
	}
	for (uint32_t i = 0; i < n; i++)
		width += tv_picture_link_width(d, item, tv_picture_link_at(d, item->edge, i),
					       tv_picture_link_at(d, last, i));
	return width;
}

void tv_picture_count(const struct tv_branch *item, char *out, size_t size)
{
	out[0] = '\0';
	if (item->count > 1)
		snprintf(out, size, "\303\227 %u", item->count);
}

void tv_picture_more(const struct tv_branch *item, char *out, size_t size)
{
	snprintf(out, size, "and %u more, not drawn", item->hidden);
}

/* Width of a box or point with its text. */
double tv_picture_width(const struct tv_drawn *d, const struct tv_branch *item)
{
	char name[TV_PICTURE_TEXT], numbers[TV_PICTURE_TEXT], count[40];

	if (item->kind == TV_BRANCH_MORE) {
		tv_picture_more(item, name, sizeof name);
		return tv_picture_text_width(d, name, false);
	}
	if (item->kind == TV_BRANCH_STUB)
		return 0;
	tv_picture_count(item, count, sizeof count);
	if (item->kind == TV_BRANCH_FRAME) {
		tv_picture_zone(d, item, name);
		return tv_picture_text_width(d, name, true) + (count[0] != '\0' ? 4 : 0)
		     + tv_picture_text_width(d, count, true) + 2 * TV_PICTURE_PAD;
	}
	tv_picture_item(d, item, name, numbers);
	if (name[0] == '\0')
		return 4 + tv_picture_text_width(d, count, true);
	return fmax(tv_picture_text_width(d, name, false), tv_picture_text_width(d, numbers, false))
	     + 6 + (count[0] != '\0' ? 3 + tv_picture_text_width(d, count, true) : 0);
}
