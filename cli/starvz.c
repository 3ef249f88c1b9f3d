/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvz.c -- reads StarVZ's configuration files as our options, by the table of its keys. */
#include <string.h>

#include "cli/config.h"
#include "cli/starvz_keys.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"

/* A file being read. Keys are looked at without the name of the configuration in front. */
struct reading {
	struct tv_cli *cli;
	const struct tv_yaml *yaml;
	struct tv_error *err;
	const char *name; /* a key that begins with it, n bytes: "default.", or none */
	size_t n;
	/* The keys without counterpart, for one warning. */
	char *lost; /* those that fit */
	size_t nlost, left_out;
	long line;    /* of the first one */
	char *bounds; /* NULL = not given */
};

/* KEY.active on the outermost level. */
static bool is_active_key(const char *key)
{
	const char *dot = strchr(key, '.');

	return dot != NULL && strcmp(dot, ".active") == 0;
}

/* The name of the configuration: none where its keys are on the outermost level, "default." or another one. False if the
 * file is none of StarVZ's. */
static bool find_name(struct reading *reading, const struct tv_yaml *yaml)
{
	enum { OUTERMOST, DEFAULT, ANY };

	for (int where = OUTERMOST; where <= ANY; where++)
		for (size_t i = 0; i < yaml->n; i++) {
			const char *key = yaml->entry[i].key;
			size_t n = where == OUTERMOST ? 0 : strcspn(key, ".") + 1;

			if ((n > 0 && key[n - 1] != '.') || !is_active_key(key + n)
			    || (where == DEFAULT && strncmp(key, "default.", n) != 0))
				continue;
			reading->name = key;
			reading->n = n;
			return true;
		}
	return false;
}

bool tv_starvz_is(const struct tv_yaml *yaml)
{
	return find_name(&(struct reading){ 0 }, yaml);
}

/* The key of an entry within the configuration; NULL if it belongs to another one. */
static const char *key_of(const struct reading *reading, const struct tv_yaml_entry *entry)
{
	return strncmp(entry->key, reading->name, reading->n) == 0 ? entry->key + reading->n : NULL;
}

static const struct tv_yaml_entry *find(const struct reading *reading, const char *key)
{
	for (size_t i = 0; i < reading->yaml->n; i++) {
		const struct tv_yaml_entry *entry = &reading->yaml->entry[i];
		const char *own = key_of(reading, entry);

		if (own != NULL && !entry->null && entry->n > 0 && strcmp(own, key) == 0)
			return entry;
	}
	return NULL;
}

static bool is_true(const struct tv_yaml_entry *entry)
{
	return tv_yaml_truth(entry->value[0]) == 1;
}

/* Whether a name is the first n characters of a key. */
static bool is_part(const char *name, const char *key, size_t n)
{
	return strlen(name) == n && strncmp(name, key, n) == 0;
}

/* Whether what the first n characters of a key name is switched on: by itself only st is. */
static bool is_on(const struct reading *reading, const char *key, size_t n)
{
	char *active = tv_format("%.*s.active", (int)n, key);
	const struct tv_yaml_entry *entry = find(reading, active);
	bool on = true;

	for (const struct tv_starvz_rule *rule = tv_starvz_keys; on && rule->key != NULL; rule++)
		on = strcmp(rule->key, active) != 0
		  && (rule->how != TV_SV_PANEL || !is_part(rule->key, key, n));
	tv_free(active);
	return entry == NULL ? on || is_part("st", key, n) : is_true(entry);
}

/* Whether everything that a key belongs to is switched on; its own KEY.active is not asked. */
static bool matters(const struct reading *reading, const char *key)
{
	size_t whole = strlen(key);

	if (whole > 7 && strcmp(key + whole - 7, ".active") == 0)
		whole -= 7;
	for (size_t n = 0; n < whole; n++)
		if (key[n] == '.' && !is_on(reading, key, n))
			return false;
	return true;
}

/* Equal as text, as numbers or as truths. */
static bool same_value(const char *a, const char *b)
{
	double x, y;

	if (tv_yaml_truth(a) >= 0 && tv_yaml_truth(a) == tv_yaml_truth(b))
		return true;
	if (tv_parse_double(a, strlen(a), &x) == TV_PARSE_OK
	    && tv_parse_double(b, strlen(b), &y) == TV_PARSE_OK)
		return !(x < y) && !(x > y);
	return strcmp(a, b) == 0;
}

/* Whether the condition of a rule holds. */
static bool holds(const struct reading *reading, const char *when)
{
	const char *value = when == NULL ? NULL : strchr(when, '=') + 1;
	const struct tv_yaml_entry *entry;
	char *key;

	if (when == NULL)
		return true;
	key = tv_strndup(when, (size_t)(value - 1 - when));
	entry = find(reading, key);
	tv_free(key);
	return value[0] == '\0' ? entry == NULL
				: entry != NULL
					  && (same_value(entry->value[0], value)
					      || tv_glob_list(value, entry->value[0]));
}

static const struct tv_starvz_rule *find_rule(const struct reading *reading, const char *key)
{
	for (const struct tv_starvz_rule *rule = tv_starvz_keys; rule->key != NULL; rule++)
		if (rule->how != TV_SV_PANEL && tv_glob(rule->key, key)
		    && holds(reading, rule->when))
			return rule;
	return NULL;
}

/* The panel whose option or switch a key is; *option: what follows its name. */
static const struct tv_starvz_rule *find_panel(const char *key, const char **option)
{
	const char *dot = strrchr(key, '.');

	for (const struct tv_starvz_rule *rule = tv_starvz_keys;
	     dot != NULL && rule->how == TV_SV_PANEL; rule++)
		if (is_part(rule->key, key, (size_t)(dot - key))) {
			*option = dot + 1;
			return rule;
		}
	return NULL;
}

/* Sets one of our options, which the tests check that there is. */
static int set(struct reading *reading, const char *option, const char *value)
{
	int rc = tv_config_set(reading->cli, option, value, reading->err);

	if (rc > 0)
		tv_bug("starvz: there is no --%s", option);
	return rc;
}

/* The same with text that it frees. */
static int set_text(struct reading *reading, const char *option, char *value)
{
	int rc = set(reading, option, value);

	tv_free(value);
	return rc;
}

static void add_lost(struct reading *reading, const struct tv_yaml_entry *entry)
{
	enum { MAX = 740 }; /* of a warning */
	const char *key = key_of(reading, entry);

	if (reading->nlost++ == 0) {
		reading->line = entry->line;
		tv_append(&reading->lost, "'%s'", key);
	} else if (strlen(reading->lost) + strlen(key) > MAX) {
		reading->left_out++;
	} else {
		tv_append(&reading->lost, ", '%s' (line %ld)", key, entry->line);
	}
}

static void warn_lost(struct reading *reading)
{
	if (reading->left_out > 0)
		tv_append(&reading->lost, " and %zu more", reading->left_out);
	if (reading->nlost > 0)
		tv_config_warn(reading->cli, reading->yaml->path, reading->line,
			       "ignored, no counterpart in traceviz: %s; see docs/config.md",
			       reading->lost);
	tv_free(reading->lost);
}

static int apply_rule(struct reading *reading, const struct tv_yaml_entry *entry,
		      const struct tv_starvz_rule *rule)
{
	bool on = entry->list || is_true(entry);
	const char *text = entry->value[0];
	char percent[TV_NUMBER_MAX];
	double value;
	bool number = tv_parse_double(text, strlen(text), &value) == TV_PARSE_OK;

	switch (rule->how) {
	case TV_SV_SET:
		return set_text(reading, rule->to,
				tv_format("%s%s", rule->is != NULL ? rule->is : "",
					  tv_config_joined(reading->cli, entry)));
	case TV_SV_IS:
		return set(reading, rule->to, rule->is);
	case TV_SV_ON:
	case TV_SV_OFF:
		return on == (rule->how == TV_SV_ON) ? set(reading, rule->to, rule->is) : 0;
	case TV_SV_START:
		return number && value <= 0 ? 0 : set(reading, rule->to, text);
	case TV_SV_SHARE:
		if (!number)
			return 0; /* no limit */
		tv_write_double(percent, value * 100);
		return set(reading, rule->to, percent);
	case TV_SV_BOUND:
		tv_append(&reading->bounds, "%s%s", on ? "," : "", on ? rule->is : "");
		return 0;
	case TV_SV_LOST:
		if (!same_value(text, rule->is))
			add_lost(reading, entry);
		return 0;
	default:
		return 0;
	}
}

/* Options of panels that are named alike here and there; of a panel that does not exist here only KEY.active
 * counts. */
static int apply_panel(struct reading *reading, const struct tv_yaml_entry *entry, const char *key)
{
	const char *option = "", *value = entry->value[0];
	const struct tv_starvz_rule *panel = find_panel(key, &option);
	bool active = strcmp(option, "active") == 0, ours = panel != NULL && panel->to != NULL;
	char *name = ours && !active ? tv_format("%s.%s", panel->to, option) : NULL;
	struct tv_known_option known;
	int rc = 0;

	if (name != NULL && tv_config_find(name, &known)) {
		/* "no" and NA are StarVZ's ways to say "no limit". */
		if (tv_yaml_truth(value) != 0 && strcmp(value, "NA") != 0)
			rc = set(reading, name, value);
	} else if (panel == NULL || (active && !ours && is_true(entry))
		   || (!active && ours && (strcmp(option, "legend") != 0 || is_true(entry)))) {
		add_lost(reading, entry);
	}
	tv_free(name);
	return rc;
}

/* ---- several keys ---- */

/* The panels that are switched on, in StarVZ's order. */
static int choose_panels(struct reading *reading)
{
	char *list = tv_strdup("");
	int rc;

	for (const struct tv_starvz_rule *rule = tv_starvz_keys; rule->how == TV_SV_PANEL; rule++)
		if (rule->to != NULL && matters(reading, rule->key)
		    && is_on(reading, rule->key, strlen(rule->key))
		    && !tv_glob_list(list, rule->to))
			tv_append(&list, "%s%s", list[0] != '\0' ? "," : "", rule->to);
	rc = list[0] == '\0' ? 0 : set(reading, "panels", list);
	tv_free(list);
	return rc;
}

/* The makespan is a bound by default, where others are chosen. */
static int set_bounds(struct reading *reading)
{
	const char *list = reading->bounds;
	int rc = 0;

	if (list != NULL && find(reading, "st.makespan") == NULL)
		rc = set_text(reading, "st.bounds", tv_format("makespan%s", list));
	else if (list != NULL)
		rc = set(reading, "st.bounds", list[0] == '\0' ? "none" : list + 1);
	tv_free(reading->bounds);
	return rc;
}

static int read_entries(struct reading *reading)
{
	bool warned = false;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < reading->yaml->n; i++) {
		const struct tv_yaml_entry *entry = &reading->yaml->entry[i];
		const char *key = key_of(reading, entry);
		const struct tv_starvz_rule *rule;

		if (key == NULL && !entry->null && !warned) {
			warned = true;
			tv_config_warn(reading->cli, reading->yaml->path, entry->line,
				       "only the configuration '%.*s' is read", (int)reading->n - 1,
				       reading->name);
		}
		if (key == NULL || entry->null || entry->n == 0 || !matters(reading, key))
			continue;
		rule = find_rule(reading, key);
		rc = rule != NULL ? apply_rule(reading, entry, rule)
				  : apply_panel(reading, entry, key);
	}
	warn_lost(reading);
	return set_bounds(reading) < 0 ? -1 : rc;
}

int tv_starvz_read(struct tv_cli *cli, const struct tv_yaml *yaml, struct tv_error *err)
{
	struct reading reading = { .cli = cli, .yaml = yaml, .err = err };

	find_name(&reading, yaml);
	return choose_panels(&reading) < 0 || read_entries(&reading) < 0 ? -1 : 0;
}
