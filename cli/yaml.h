/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * yaml.h -- a YAML file as a flat list of settings.
 *
 * Nested mappings become keys with dots between their parts; a sequence of values is one setting
 * with several of them. What a file of settings has no use for is refused with its line: aliases
 * (so no file can grow), sequences of mappings, a second document, a key that occurs twice, more
 * than 1 MB, 2000 settings or 16 levels.
 */
#ifndef TV_YAML_H
#define TV_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/error.h"

struct tv_yaml_entry {
	char *key;    /* "st.abe.active" */
	char **value; /* n of them: 1, or those of a sequence */
	size_t n;
	long line; /* of the key */
	bool list; /* it is a sequence */
	bool null; /* nothing, ~ or null: not set */
};

struct tv_yaml {
	char *path;
	struct tv_yaml_entry *entry;
	size_t n, cap;
};

/* Reads a file into *yaml (uninitialized). -1 with *err: unreadable, or not such a file, with its
 * line. Release it in any case. */
int tv_yaml_read(struct tv_yaml *yaml, const char *path, struct tv_error *err) TV_MUST_CHECK;
void tv_yaml_release(struct tv_yaml *yaml);

/* The entry of that key, or NULL. */
const struct tv_yaml_entry *tv_yaml_find(const struct tv_yaml *yaml, const char *key);
/* 1 for true, yes, on and y, 0 for false, no, off and n, in any case; -1 for anything else. */
int tv_yaml_truth(const char *value);

#endif
