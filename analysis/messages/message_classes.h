/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_classes.h -- measures of classes of messages, which may come in parts. */
#ifndef TV_MESSAGE_CLASSES_H
#define TV_MESSAGE_CLASSES_H

#include "analysis/core/tallied.h"
#include "analysis/messages/message_list.h"

struct tv_message_classes {
	const char *verb;
	bool waits; /* those that messages caused are wanted: tv_seen_messages_of */
	const struct tv_field *key;
	size_t nkeys;
	/* Writes the keys of message i into a row; false: it is in no class. */
	bool (*take)(const struct tv_message_classes *classes, uint32_t i,
		     struct tv_column *const *key, uint32_t row);
	/* A number of message i, as of tv_measured_rows. */
	bool (*number)(const struct tv_message_classes *classes, unsigned column, uint32_t i,
		       int64_t *number);
	const struct tv_measure_spec *measure;
	size_t nmeasures;
	const struct tv_window *window; /* of the caller */
	bool all_pairs; /* the keys are the nodes of both ends: also pairs without messages are classes; not in parts */
	/* of the result */
	struct tv_message_counts counts;
	struct tv_table classes; /* one row each, sorted by its keys */
	struct tv_tallied tallied;
	/* of the rows that are added */
	struct tv_seen_messages seen;
	struct tv_table keys;
	uint32_t *message; /* by row of keys */
};

/* Adds the messages of the run; warns of those that do not count. -1 with *err. Release in any case. Then the caller writes the
 * measures with tv_tallied_write. */
int tv_message_classes_add(struct tv_message_classes *classes, struct tv_run *run,
			   struct tv_error *err) TV_MUST_CHECK;
void tv_message_classes_release(struct tv_message_classes *classes);

#endif
