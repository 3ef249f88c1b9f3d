/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_links.h -- the links that are messages between nodes: clocks.c and early_messages.c. */
#ifndef TV_MESSAGE_LINKS_H
#define TV_MESSAGE_LINKS_H

#include "trace/trace.h"

struct tv_message_links {
	struct tv_table *table;
	const struct tv_column *type, *key, *origin, *dest;
	struct tv_column *start, *end, *flag; /* flag: NULL if there is none */
	uint32_t message, early;	      /* labels; TV_NONE */
};

/* False if there are no messages. */
bool tv_find_message_links(const struct tv_trace *trace, struct tv_message_links *links);
/* Whether it is a message with both times and nodes. */
bool tv_is_message_link(const struct tv_message_links *links, uint32_t row);
/* Whether it is flagged as received before it was sent. */
bool tv_is_early_link(const struct tv_message_links *links, uint32_t row);
/* Whether --clock-offset asks for the offsets that messages show. */
bool tv_clocks_by_messages(const struct tv_trace *trace);

#endif
