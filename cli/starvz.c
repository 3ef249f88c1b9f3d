/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvz.c -- reads StarVZ's configuration files as our options: by the table, or several keys
 * together. */
#include <stdio.h>
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
	char prefix[64]; /* "default." or "" */
};

/* KEY.active on the outermost level. */
static bool is_active_key(const char *key)
{
	const char *dot = strchr(key, '.');

	return dot != NULL && strcmp(dot, ".active") == 0;
}

/* The configuration in the file: "" when its keys are on the outermost level, "default." or another name;
 * NULL if it is no file of StarVZ's. */
static const char *find_prefix(const struct tv_yaml *yaml, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < yaml->n; i++)
		if (is_active_key(yaml->entry[i].key))
			return out;
	for (int any = 0; any <= 1; any++)
		for (size_t i = 0; i < yaml->n; i++) {
			const char *key = yaml->entry[i].key;
			size_t n = strcspn(key, ".") + 1;

			if (key[n - 1] == '.' && n < size && is_active_key(key + n)
			    && (any || strncmp(key, "default.", n) == 0)) {
				memcpy(out, key, n);
				out[n] = '\0';
				return out;
			}
		}
	return NULL;
}

bool tv_starvz_is(const struct tv_yaml *yaml)
{
	char prefix[64];

	return find_prefix(yaml, prefix, sizeof prefix) != NULL;
}

/* The key of an entry within the configuration; NULL if it belongs to another one. */
static const char *key_of(const struct reading *reading, const struct tv_yaml_entry *entry)
{
	size_t n = strlen(reading->prefix);

	return strncmp(entry->key, reading->prefix, n) == 0 ? entry->key + n : NULL;
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

static bool truth_of(const struct reading *reading, const char *key, bool otherwise)
{
	const struct tv_yaml_entry *entry = find(reading, key);

	return entry == NULL ? otherwise : tv_yaml_truth(entry->value[0]) == 1;
}

/* Whether a name is the first n characters of a key. */
static bool is_part(const char *name, const char *key, size_t n)
{
	return strlen(name) == n && strncmp(name, key, n) == 0;
}

/* Whether what the first n characters of a key name is switched on: by itself only st is. */
static bool is_on(const struct reading *reading, const char *key, size_t n)
{
	char active[512];
	bool otherwise = true;

	snprintf(active, sizeof active, "%.*s.active", (int)n, key);
	for (size_t i = 0; i < tv_nstarvz_keys; i++) {
		const struct tv_starvz_rule *rule = &tv_starvz_keys[i];

		if (strcmp(rule->key, active) == 0
		    || (rule->how == TV_SV_PANEL && is_part(rule->key, key, n)))
			otherwise = strcmp(rule->key, "st") == 0;
	}
	return truth_of(reading, active, otherwise);
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

static const struct tv_starvz_rule *find_rule(const char *key)
{
	for (size_t i = 0; i < tv_nstarvz_keys; i++)
		if (tv_starvz_keys[i].how != TV_SV_PANEL && tv_glob(tv_starvz_keys[i].key, key))
			return &tv_starvz_keys[i];
	return NULL;
}

/* The panel whose option or switch a key is; *option: what follows its name. */
static const struct tv_starvz_rule *find_panel(const char *key, const char **option)
{
	const char *dot = strrchr(key, '.');

	for (size_t i = 0; dot != NULL && tv_starvz_keys[i].how == TV_SV_PANEL; i++)
		if (is_part(tv_starvz_keys[i].key, key, (size_t)(dot - key))) {
			*option = dot + 1;
			return &tv_starvz_keys[i];
		}
	return NULL;
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

/* Sets one of our options for an entry; warns if there is no such option. */
static int set(struct reading *reading, const struct tv_yaml_entry *entry, const char *option,
	       const char *value)
{
	int rc = tv_config_set(reading->cli, option, value, reading->err);

	if (rc > 0)
		tv_config_warn(reading->cli, reading->yaml->path, entry->line,
			       "'%s' is ignored: there is no --%s", key_of(reading, entry), option);
	return rc < 0 ? -1 : 0;
}

/* Whether a panel of ours takes that option. */
static bool has_option(const char *panel, const char *option)
{
	struct tv_panel_option of;

	for (size_t i = 0; panel != NULL && tv_cli_panel_option(i, &of); i++)
		if (strcmp(of.panel->name, panel) == 0 && strcmp(of.spec->name, option) == 0)
			return true;
	return false;
}

/* Whether a key belongs to a panel that does not exist here: only its KEY.active gives a warning. */
static bool is_of_missing(const char *key)
{
	for (size_t i = 0; tv_starvz_keys[i].how == TV_SV_PANEL; i++) {
		const struct tv_starvz_rule *rule = &tv_starvz_keys[i];
		size_t n = strlen(rule->key);

		if (strncmp(rule->key, key, n) == 0 && key[n] == '.'
		    && strcmp(key + n, ".active") != 0
		    && (rule->to == NULL || tv_panel_find(rule->to) == NULL))
			return true;
	}
	return false;
}

/* A limit of StarVZ's, which may be none. */
static int set_share(struct reading *reading, const struct tv_yaml_entry *entry, const char *option)
{
	char percent[TV_NUMBER_MAX];
	double share;

	if (tv_parse_double(entry->value[0], strlen(entry->value[0]), &share) != TV_PARSE_OK)
		return 0;
	tv_write_double(percent, share * 100);
	return set(reading, entry, option, percent);
}

/* Whether a key that is set has no counterpart. */
static bool is_lost(const struct tv_yaml_entry *entry, const char *key)
{
	const char *option;
	const struct tv_starvz_rule *rule = find_rule(key), *panel = find_panel(key, &option);
	bool on = tv_yaml_truth(entry->value[0]) == 1;

	if (is_of_missing(key))
		return false;
	if (panel != NULL && strcmp(option, "active") == 0)
		return panel->to == NULL && on;
	if (rule != NULL)
		return rule->how == TV_SV_LOST && !same_value(entry->value[0], rule->is);
	if (panel != NULL && strcmp(option, "legend") == 0)
		return on;
	return panel == NULL || !has_option(panel->to, option);
}

/* Options of panels that are named alike here and there, and those of the table. */
static int take_entry(struct reading *reading, const struct tv_yaml_entry *entry, const char *key)
{
	const struct tv_starvz_rule *rule = find_rule(key), *panel;
	const char *option = "";
	char name[128];

	if (is_of_missing(key))
		return 0;
	if (rule != NULL && rule->how == TV_SV_SET)
		return set(reading, entry, rule->to, tv_config_joined(reading->cli, entry));
	if (rule != NULL && (rule->how == TV_SV_ON || rule->how == TV_SV_OFF)) {
		bool on = entry->list || tv_yaml_truth(entry->value[0]) == 1;

		return on == (rule->how == TV_SV_ON) ? set(reading, entry, rule->to, rule->is) : 0;
	}
	if (rule != NULL && rule->how == TV_SV_SHARE)
		return set_share(reading, entry, rule->to);
	panel = rule == NULL ? find_panel(key, &option) : NULL;
	if (panel == NULL || !has_option(panel->to, option))
		return 0;
	/* StarVZ's ways to say "no limit" */
	if (tv_yaml_truth(entry->value[0]) == 0 || strcmp(entry->value[0], "NA") == 0)
		return 0;
	snprintf(name, sizeof name, "%s.%s", panel->to, option);
	return set(reading, entry, name, entry->value[0]);
}

/* The panels that are switched on, in StarVZ's order. */
static int choose_panels(struct reading *reading)
{
	char *list = tv_strdup("");
	int rc;

	for (size_t i = 0; tv_starvz_keys[i].how == TV_SV_PANEL; i++) {
		const struct tv_starvz_rule *rule = &tv_starvz_keys[i];
		char active[128];

		snprintf(active, sizeof active, "%s.active", rule->key);
		if (rule->to == NULL || !matters(reading, active)
		    || !is_on(reading, rule->key, strlen(rule->key))
		    || tv_glob_list(list, rule->to))
			continue;
		if (tv_panel_find(rule->to) != NULL)
			tv_append(&list, "%s%s", list[0] != '\0' ? "," : "", rule->to);
		else
			tv_config_warn(reading->cli, reading->yaml->path,
				       find(reading, active)->line,
				       "'%s' is ignored: there is no panel '%s'", active, rule->to);
	}
	rc = list[0] == '\0' ? 0 : tv_config_set(reading->cli, "panels", list, reading->err);
	tv_free(list);
	return rc;
}

/* The window starts at 0 by default; one that is set excludes bounds of the whole run. */
static int set_begin(struct reading *reading)
{
	const struct tv_yaml_entry *start = find(reading, "limits.start");
	const char *text = start != NULL ? start->value[0] : "";
	double value;

	if (tv_parse_double(text, strlen(text), &value) == TV_PARSE_OK && value <= 0)
		return 0;
	return start == NULL ? 0 : set(reading, start, "begin", text);
}

/* Which rows have names; all that fit is what "ALL" becomes. */
static int set_labels(struct reading *reading)
{
	static const char *const row[][2] = {
		{ "ALL", NULL },
		{ "FIRST_LAST", "first-last" },
		{ "1CPU_1GPU", "first" },
	};
	const struct tv_yaml_entry *labels = find(reading, "st.labels");

	if (labels == NULL || !is_on(reading, "st", 2))
		return 0;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (strcmp(row[i][0], labels->value[0]) == 0)
			return row[i][1] == NULL ? 0 : set(reading, labels, "st.labels", row[i][1]);
	tv_config_warn(reading->cli, reading->yaml->path, labels->line,
		       "'st.labels' is ignored: expected ALL, FIRST_LAST or 1CPU_1GPU, "
		       "found '%.40s'",
		       labels->value[0]);
	return 0;
}

/* Both of StarVZ's panels of concurrent messages are one of ours. */
static int set_in_flight(struct reading *reading)
{
	const struct tv_yaml_entry *out = find(reading, "mpiconcurrentout.active");

	if (out == NULL || !is_on(reading, "mpiconcurrentout", 16))
		return 0;
	return set(reading, out, "in-flight.show",
		   is_on(reading, "mpiconcurrent", 13) ? "both" : "receives");
}

/* Panels of ours that show one of several things. */
static int set_choices(struct reading *reading)
{
	const struct tv_yaml_entry *depth = find(reading, "utiltreedepth.active");

	if (depth == NULL || !is_on(reading, "utiltreedepth", 13)
	    || !has_option("tree-usage", "by"))
		return 0;
	if (is_on(reading, "utiltreenode", 12)) {
		tv_config_warn(reading->cli, reading->yaml->path, depth->line,
			       "'utiltreedepth.active' is ignored: the panel tree-usage shows "
			       "nodes already");
		return 0;
	}
	return set(reading, depth, "tree-usage.by", "depth");
}

static int set_bounds(struct reading *reading)
{
	static const struct {
		const char *key, *bound;
		bool by_default;
	} row[] = {
		{ "st.makespan", "makespan", true },
		{ "st.abe.active", "abe", false },
		{ "st.cpb", "cpe", false },
	};
	const struct tv_yaml_entry *given = NULL;
	char list[64] = "";

	for (size_t i = 0; i < TV_COUNT(row); i++) {
		size_t n = strlen(list);

		if (given == NULL)
			given = find(reading, row[i].key);
		if (truth_of(reading, row[i].key, row[i].by_default))
			snprintf(list + n, sizeof list - n, "%s%s", n > 0 ? "," : "", row[i].bound);
	}
	if (given == NULL || !is_on(reading, "st", 2))
		return 0;
	if (truth_of(reading, "st.cpb", false))
		tv_config_warn(reading->cli, reading->yaml->path, find(reading, "st.cpb")->line,
			       "'st.cpb' is drawn as CPE: the path of the fastest durations bounds "
			       "other schedules, the observed one does not");
	return set(reading, given, "st.bounds", list[0] != '\0' ? list : "none");
}

static int set_chains(struct reading *reading)
{
	const struct tv_yaml_entry *jobs = find(reading, "st.tasks.list");
	char *text;
	int rc;

	if (jobs == NULL || !matters(reading, "st.tasks.list")
	    || !truth_of(reading, "st.tasks.active", false))
		return 0;
	text = tv_format("id:%s", tv_config_joined(reading->cli, jobs));
	rc = set(reading, jobs, "st.chains", text);
	tv_free(text);
	return rc;
}

static int set_aggregation(struct reading *reading)
{
	static const struct {
		const char *method, *to, *step;
	} row[] = {
		{ "static", "slices", "st.step" },
		{ "dynamic", "consecutive", "st.threshold" },
		{ "vinicius", "consecutive", "st.threshold" },
		{ "nodes", "nodes", "st.step" },
	};
	const struct tv_yaml_entry *active = find(reading, "st.aggregation.active"),
				   *method = find(reading, "st.aggregation.method"),
				   *states = find(reading, "st.aggregation.states"),
				   *step = find(reading, "st.aggregation.step");
	const char *name = method != NULL ? method->value[0] : "static";

	if (active == NULL || tv_yaml_truth(active->value[0]) != 1 || !is_on(reading, "st", 2))
		return 0;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		if (strcmp(row[i].method, name) != 0)
			continue;
		if (set(reading, active, "st.aggregate", row[i].to) < 0
		    || (step != NULL && set(reading, step, row[i].step, step->value[0]) < 0))
			return -1;
		return strcmp(row[i].to, "consecutive") == 0 && states != NULL ? set(
			       reading, states, "st.types", tv_config_joined(reading->cli, states))
									       : 0;
	}
	return tv_fail_at(reading->err, (struct tv_pos){ reading->yaml->path, method->line },
			  "st.aggregation.method '%.40s', expected static, dynamic or nodes", name);
}

/* The keys without counterpart, for one warning. */
struct lost {
	char keys[800]; /* those that fit */
	size_t n, left_out;
	long line; /* of the first one */
};

static void add_lost(struct lost *lost, const char *key, long line)
{
	size_t used = strlen(lost->keys);

	if (lost->n++ == 0)
		lost->line = line;
	if (used + strlen(key) + 60 > sizeof lost->keys)
		lost->left_out++;
	else
		snprintf(lost->keys + used, sizeof lost->keys - used,
			 lost->n == 1 ? "'%s'" : ", '%s' (line %ld)", key, line);
}

static void warn_lost(struct reading *reading, struct lost *lost)
{
	size_t used = strlen(lost->keys);

	if (lost->left_out > 0)
		snprintf(lost->keys + used, sizeof lost->keys - used, " and %zu more",
			 lost->left_out);
	if (lost->n > 0)
		tv_config_warn(reading->cli, reading->yaml->path, lost->line,
			       "ignored, no counterpart in traceviz: %s; see docs/config.md",
			       lost->keys);
}

static int take_entries(struct reading *reading)
{
	struct lost lost = { 0 };
	bool warned = false;

	for (size_t i = 0; i < reading->yaml->n; i++) {
		const struct tv_yaml_entry *entry = &reading->yaml->entry[i];
		const char *key = key_of(reading, entry);

		if (key == NULL && !entry->null && !warned) {
			warned = true;
			tv_config_warn(reading->cli, reading->yaml->path, entry->line,
				       "only the configuration '%.*s' is read",
				       (int)strlen(reading->prefix) - 1, reading->prefix);
		}
		if (key == NULL || entry->null || entry->n == 0 || !matters(reading, key))
			continue;
		if (is_lost(entry, key))
			add_lost(&lost, key, entry->line);
		else if (take_entry(reading, entry, key) < 0)
			return -1;
	}
	warn_lost(reading, &lost);
	return 0;
}

int tv_starvz_read(struct tv_cli *cli, const struct tv_yaml *yaml, struct tv_error *err)
{
	struct reading reading = { .cli = cli, .yaml = yaml, .err = err };

	find_prefix(yaml, reading.prefix, sizeof reading.prefix);
	if (choose_panels(&reading) < 0 || set_choices(&reading) < 0 || set_in_flight(&reading) < 0
	    || set_begin(&reading) < 0 || set_labels(&reading) < 0 || set_bounds(&reading) < 0
	    || set_chains(&reading) < 0 || set_aggregation(&reading) < 0)
		return -1;
	return take_entries(&reading);
}
