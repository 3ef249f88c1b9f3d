/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yaml.c -- libyaml's events into settings. */
#include "cli/yaml.h"

#include <string.h>
#include <strings.h>

#include "trace/alloc.h"

#ifndef TV_HAVE_YAML

int tv_yaml_read(struct tv_yaml *yaml, const char *path, struct tv_error *err)
{
	*yaml = (struct tv_yaml){ .path = tv_strdup(path) };
	return tv_fail(err, "this traceviz was built without libyaml (Debian: libyaml-dev), which "
			    "reads files of settings");
}

#else

#include <errno.h>
#include <stdio.h>
#include <yaml.h>

#include "trace/output.h"

enum { BYTES_MAX = 1000000, ENTRIES_MAX = 2000, DEPTH_MAX = 16, KEY_MAX = 400 };

/* Where in the file the events are. */
struct walk {
	struct tv_yaml *yaml;
	struct tv_error *err;
	char key[KEY_MAX];
	size_t length[DEPTH_MAX + 1]; /* of the key without its last part, per open mapping */
	size_t depth;		      /* open mappings */
	bool has_key, in_list;
	size_t documents;
	long line; /* of the last key */
};

static int fail(struct walk *walk, long line, const char *what)
{
	return tv_fail_at(walk->err, (struct tv_pos){ walk->yaml->path, line }, "%s", what);
}

/* A new entry for the key that the walk has come to. */
static int add_entry(struct walk *walk, bool list)
{
	struct tv_yaml *yaml = walk->yaml;
	const struct tv_yaml_entry *before = tv_yaml_find(yaml, walk->key);

	if (before != NULL)
		return tv_fail_at(walk->err, (struct tv_pos){ yaml->path, walk->line },
				  "'%s' occurs twice, first in line %ld", walk->key, before->line);
	if (yaml->n == ENTRIES_MAX)
		return fail(walk, walk->line, "more than 2000 settings");
	TV_GROW(yaml->entry, yaml->n, yaml->cap, 1);
	yaml->entry[yaml->n] = (struct tv_yaml_entry){ .key = tv_strdup(walk->key),
						       .line = walk->line,
						       .list = list };
	yaml->n++;
	return 0;
}

static int add_value(struct walk *walk, const yaml_event_t *event)
{
	struct tv_yaml_entry *entry = &walk->yaml->entry[walk->yaml->n - 1];
	const char *text = (const char *)event->data.scalar.value;
	size_t cap = entry->n;

	if (strlen(text) != event->data.scalar.length)
		return fail(walk, (long)event->start_mark.line + 1, "a value with a NUL in it");
	if (entry->n == ENTRIES_MAX)
		return fail(walk, entry->line, "more than 2000 values");
	TV_GROW(entry->value, entry->n, cap, 1);
	entry->value[entry->n] = tv_strdup(text);
	entry->n++;
	entry->null = !entry->list && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE
		   && (text[0] == '\0' || strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0);
	return 0;
}

static int take_key(struct walk *walk, const yaml_event_t *event)
{
	size_t at = walk->length[walk->depth], dot = at > 0;
	const char *text = (const char *)event->data.scalar.value;

	walk->line = (long)event->start_mark.line + 1;
	if (at + dot + strlen(text) + 1 > KEY_MAX)
		return fail(walk, walk->line, "a key of more than 400 characters");
	if (dot)
		walk->key[at] = '.';
	memcpy(walk->key + at + dot, text, strlen(text) + 1);
	walk->has_key = true;
	return 0;
}

static int take_scalar(struct walk *walk, const yaml_event_t *event)
{
	if (walk->depth == 0)
		return fail(walk, (long)event->start_mark.line + 1,
			    "a lone value, expected settings such as 'width: 3.5'");
	if (walk->in_list)
		return add_value(walk, event);
	if (!walk->has_key)
		return take_key(walk, event);
	walk->has_key = false;
	return add_entry(walk, false) < 0 ? -1 : add_value(walk, event);
}

static int open_mapping(struct walk *walk, long line)
{
	if (walk->in_list)
		return fail(walk, line, "a mapping in a sequence, expected a value");
	if (walk->depth > 0 && !walk->has_key)
		return fail(walk, line, "a mapping as a key, expected a word");
	if (walk->depth == DEPTH_MAX)
		return fail(walk, line, "more than 16 levels");
	walk->depth++;
	walk->length[walk->depth] = walk->depth == 1 ? 0 : strlen(walk->key);
	walk->has_key = false;
	return 0;
}

static int open_list(struct walk *walk, long line)
{
	if (walk->depth == 0 || walk->in_list || !walk->has_key)
		return fail(walk, line,
			    "a sequence in this place, expected a setting such as "
			    "'width: 3.5'");
	walk->in_list = true;
	walk->has_key = false;
	return add_entry(walk, true);
}

static int take_event(struct walk *walk, const yaml_event_t *event)
{
	long line = (long)event->start_mark.line + 1;

	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return take_scalar(walk, event);
	case YAML_MAPPING_START_EVENT:
		return open_mapping(walk, line);
	case YAML_MAPPING_END_EVENT:
		walk->depth--;
		return 0;
	case YAML_SEQUENCE_START_EVENT:
		return open_list(walk, line);
	case YAML_SEQUENCE_END_EVENT:
		walk->in_list = false;
		return 0;
	case YAML_ALIAS_EVENT:
		return fail(walk, line, "an alias, expected a value: write it out");
	case YAML_DOCUMENT_START_EVENT:
		return ++walk->documents > 1 ? fail(walk, line, "a second document, expected one")
					     : 0;
	default:
		return 0;
	}
}

/* The error of libyaml; for bytes that are no text it only has their offset in the file. */
static int fail_parse(struct walk *walk, const yaml_parser_t *parser, const char *text)
{
	long line = (long)parser->problem_mark.line + 1;

	if (parser->error == YAML_MEMORY_ERROR)
		tv_memory_exhausted(0);
	if (parser->error == YAML_READER_ERROR) {
		line = 1;
		for (size_t i = 0; i < parser->problem_offset && text[i] != '\0'; i++)
			line += text[i] == '\n';
	}
	return tv_fail_at(walk->err, (struct tv_pos){ walk->yaml->path, line }, "not YAML: %s%s%s",
			  parser->context != NULL ? parser->context : "",
			  parser->context != NULL ? ", " : "",
			  parser->problem != NULL ? parser->problem : "unreadable");
}

static int parse(struct walk *walk, const char *text, size_t n)
{
	yaml_parser_t parser;
	bool done = false;
	int rc = 0;

	if (!yaml_parser_initialize(&parser))
		tv_memory_exhausted(0);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
	while (rc == 0 && !done) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event)) {
			rc = fail_parse(walk, &parser, text);
			break;
		}
		done = event.type == YAML_STREAM_END_EVENT;
		rc = take_event(walk, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return rc;
}

int tv_yaml_read(struct tv_yaml *yaml, const char *path, struct tv_error *err)
{
	struct walk walk = { .yaml = yaml, .err = err };
	char *text = tv_alloc(BYTES_MAX + 2, 1);
	FILE *file;
	size_t n;
	int rc = -1;

	*yaml = (struct tv_yaml){ .path = tv_strdup(path) };
	file = fopen(path, "rb");
	if (file != NULL)
		tv_output_protect(fileno(file));
	n = file != NULL ? fread(text, 1, BYTES_MAX + 1, file) : 0;
	if (file == NULL || ferror(file))
		tv_fail_system(err, path, "cannot read", errno);
	else if (n > BYTES_MAX)
		tv_fail_at(err, (struct tv_pos){ path, 0 }, "more than 1 MB, expected settings");
	else
		rc = parse(&walk, text, n);
	if (file != NULL)
		fclose(file);
	tv_free(text);
	return rc;
}

#endif

void tv_yaml_release(struct tv_yaml *yaml)
{
	for (size_t i = 0; i < yaml->n; i++) {
		for (size_t k = 0; k < yaml->entry[i].n; k++)
			tv_free(yaml->entry[i].value[k]);
		tv_free(yaml->entry[i].value);
		tv_free(yaml->entry[i].key);
	}
	tv_free(yaml->entry);
	tv_free(yaml->path);
	*yaml = (struct tv_yaml){ 0 };
}

const struct tv_yaml_entry *tv_yaml_find(const struct tv_yaml *yaml, const char *key)
{
	for (size_t i = 0; i < yaml->n; i++)
		if (strcmp(yaml->entry[i].key, key) == 0)
			return &yaml->entry[i];
	return NULL;
}

int tv_yaml_truth(const char *value)
{
	static const char *const word[] = { "false", "true", "no", "yes", "off", "on", "n", "y" };

	for (size_t i = 0; i < TV_COUNT(word); i++)
		if (strcasecmp(value, word[i]) == 0)
			return i % 2;
	return -1;
}
