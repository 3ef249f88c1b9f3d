/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yaml.c -- libyaml's events into settings. */
#include "cli/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "trace/alloc.h"
#include "trace/output.h"

enum { SIZE_MOST = 1000000, ENTRIES_MOST = 2000, DEPTH_MOST = 16, KEY_MOST = 400 };

/* Where in the file the events are. */
struct walk {
	struct tv_yaml *yaml;
	struct tv_error *err;
	char key[KEY_MOST];
	size_t length[DEPTH_MOST + 1]; /* of the key without its last part, per open mapping */
	size_t depth;		       /* open mappings */
	bool has_key, in_list;
	size_t documents;
	long line; /* of the last key */
};

static int fail(struct walk *w, long line, const char *what)
{
	return tv_fail_at(w->err, (struct tv_pos){ w->yaml->path, line }, "%s", what);
}

/* A new entry for the key that the walk has come to. */
static int add_entry(struct walk *w, bool list)
{
	struct tv_yaml *yaml = w->yaml;
	const struct tv_yaml_entry *before = tv_yaml_find(yaml, w->key);

	if (before != NULL)
		return tv_fail_at(w->err, (struct tv_pos){ yaml->path, w->line },
				  "'%s' occurs twice, first in line %ld", w->key, before->line);
	if (yaml->n == ENTRIES_MOST)
		return fail(w, w->line, "more than 2000 settings");
	TV_GROW(yaml->entry, yaml->n, yaml->cap, 1);
	yaml->entry[yaml->n] = (struct tv_yaml_entry){ .key = tv_strdup(w->key),
						       .line = w->line,
						       .list = list };
	yaml->n++;
	return 0;
}

static int add_value(struct walk *w, const yaml_event_t *event)
{
	struct tv_yaml_entry *entry = &w->yaml->entry[w->yaml->n - 1];
	const char *text = (const char *)event->data.scalar.value;
	size_t cap = entry->n;

	if (strlen(text) != event->data.scalar.length)
		return fail(w, (long)event->start_mark.line + 1, "a value with a NUL in it");
	if (entry->n == ENTRIES_MOST)
		return fail(w, entry->line, "more than 2000 values");
	TV_GROW(entry->value, entry->n, cap, 1);
	entry->value[entry->n] = tv_strdup(text);
	entry->n++;
	entry->null = !entry->list && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE
		   && (text[0] == '\0' || strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0);
	return 0;
}

static int take_key(struct walk *w, const yaml_event_t *event)
{
	size_t at = w->length[w->depth], dot = at > 0;
	const char *text = (const char *)event->data.scalar.value;

	w->line = (long)event->start_mark.line + 1;
	if (at + dot + strlen(text) + 1 > KEY_MOST)
		return fail(w, w->line, "a key of more than 400 characters");
	if (dot)
		w->key[at] = '.';
	memcpy(w->key + at + dot, text, strlen(text) + 1);
	w->has_key = true;
	return 0;
}

static int take_scalar(struct walk *w, const yaml_event_t *event)
{
	if (w->depth == 0)
		return fail(w, (long)event->start_mark.line + 1,
			    "a lone value, expected settings such as 'width: 3.5'");
	if (w->in_list)
		return add_value(w, event);
	if (!w->has_key)
		return take_key(w, event);
	w->has_key = false;
	return add_entry(w, false) < 0 ? -1 : add_value(w, event);
}

static int open_mapping(struct walk *w, long line)
{
	if (w->in_list)
		return fail(w, line, "a mapping in a sequence, expected a value");
	if (w->depth > 0 && !w->has_key)
		return fail(w, line, "a mapping as a key, expected a word");
	if (w->depth == DEPTH_MOST)
		return fail(w, line, "more than 16 levels");
	w->depth++;
	w->length[w->depth] = w->depth == 1 ? 0 : strlen(w->key);
	w->has_key = false;
	return 0;
}

static int open_list(struct walk *w, long line)
{
	if (w->depth == 0 || w->in_list || !w->has_key)
		return fail(w, line,
			    "a sequence in this place, expected a setting such as "
			    "'width: 3.5'");
	w->in_list = true;
	w->has_key = false;
	return add_entry(w, true);
}

static int take_event(struct walk *w, const yaml_event_t *event)
{
	long line = (long)event->start_mark.line + 1;

	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return take_scalar(w, event);
	case YAML_MAPPING_START_EVENT:
		return open_mapping(w, line);
	case YAML_MAPPING_END_EVENT:
		w->depth--;
		return 0;
	case YAML_SEQUENCE_START_EVENT:
		return open_list(w, line);
	case YAML_SEQUENCE_END_EVENT:
		w->in_list = false;
		return 0;
	case YAML_ALIAS_EVENT:
		return fail(w, line, "an alias, expected a value: write it out");
	case YAML_DOCUMENT_START_EVENT:
		return ++w->documents > 1 ? fail(w, line, "a second document, expected one") : 0;
	default:
		return 0;
	}
}

/* The error of libyaml; for bytes that are no text it only has their offset in the file. */
static int fail_parse(struct walk *w, const yaml_parser_t *parser, const char *text)
{
	long line = (long)parser->problem_mark.line + 1;

	if (parser->error == YAML_MEMORY_ERROR)
		return tv_fail_memory(w->err);
	if (parser->error == YAML_READER_ERROR) {
		line = 1;
		for (size_t i = 0; i < parser->problem_offset && text[i] != '\0'; i++)
			line += text[i] == '\n';
	}
	return tv_fail_at(w->err, (struct tv_pos){ w->yaml->path, line }, "not YAML: %s%s%s",
			  parser->context != NULL ? parser->context : "",
			  parser->context != NULL ? ", " : "",
			  parser->problem != NULL ? parser->problem : "unreadable");
}

static int parse(struct walk *w, const char *text, size_t n)
{
	yaml_parser_t parser;
	bool done = false;
	int rc = 0;

	if (!yaml_parser_initialize(&parser))
		return tv_fail_memory(w->err);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
	while (rc == 0 && !done) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event)) {
			rc = fail_parse(w, &parser, text);
			break;
		}
		done = event.type == YAML_STREAM_END_EVENT;
		rc = take_event(w, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return rc;
}

int tv_yaml_read(struct tv_yaml *yaml, const char *path, struct tv_error *err)
{
	struct walk walk = { .yaml = yaml, .err = err };
	char *text = tv_alloc(SIZE_MOST + 2, 1);
	FILE *file;
	size_t n;
	int rc = -1;

	*yaml = (struct tv_yaml){ .path = tv_strdup(path) };
	file = fopen(path, "rb");
	if (file != NULL)
		tv_output_protect(fileno(file));
	n = file != NULL ? fread(text, 1, SIZE_MOST + 1, file) : 0;
	if (file == NULL || ferror(file))
		tv_fail_at(err, (struct tv_pos){ path, 0 }, "cannot read: %s", strerror(errno));
	else if (n > SIZE_MOST)
		tv_fail_at(err, (struct tv_pos){ path, 0 }, "more than 1 MB, expected settings");
	else
		rc = parse(&walk, text, n);
	if (file != NULL)
		fclose(file);
	tv_free(text);
	return rc;
}

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
