/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anonymize.c -- what each column contains, and which words are no names. */
#include "convert/anonymize.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/random.h>

#include "convert/formats.h"
#include "convert/fxt/states.h"
#include "trace/alloc.h"
#include "trace/input.h"
#include "trace/number.h"

enum { KEY_MIN = 16, KEY_MAX = 4096, LETTERS = 14, NAME_DIGITS = 9 };

struct renaming {
	struct tv_trace *trace;
	unsigned char key[KEY_MAX];
	size_t nkey;
};

/* ---- words ---- */

/* What readers write and passes look for, of all tables: no names of the user. */
static const char *const words[] = {
#define WORD(symbol, name) name,
	TV_FXT_STATES(WORD) TV_FXT_TYPES(WORD)
#undef WORD
	/* states of OpenMP */
	"OpenMP State",
	"Serial",
	"Implicit barrier",
	"Barrier",
	"Implicit task",
	"Parallel region",
	"Critical",
	"Wait for critical",
	"Taskwait",
	"Taskgroup",
	"Reduction",
	"Idle",
	"Loop",
	"Wait for lock",
	"Wait for atomic",
	/* states of Extrae's threads, as analysis/calls/thread_time.c has them */
	"Running",
	"Not created",
	"Tracing Disabled",
	"Synchronization",
	"Scheduling and Fork/Join",
	"Blocked",
	"Waiting a message",
	"Blocking Send",
	"Test/Probe",
	"Wait/WaitAll",
	"Immediate Send",
	"Immediate Receive",
	"Group Communication",
	"Send Receive",
	"Remote memory access",
	/* counters of tasks */
	"task-clock",
	/* types of resources */
	"CPU",
	"CUDA",
	"HIP",
	"OpenCL",
	"FPGA",
	"MIC",
	"SCC",
	"MPI_MS",
	"TCPIP_MS",
	"GPU",
	"MEMMANAGER",
	"MEMNODE",
	"MPICt",
	"MPI",
	"MPI Communication Thread",
	"MPI Process",
	"MPI Program",
	"Program",
	"program",
	"scheduler",
	"worker",
	"thread",
	"Machine",
	"Package",
	"Group",
	"NUMANode",
	"MemCache",
	"L1d",
	"L1i",
	"L2",
	"L3",
	"L4",
	"L5",
	"Core",
	"PU",
	/* events, values, calls, facts */
	"progress",
	"send",
	"receive",
	"submit",
	"push",
	"pop",
	"start",
	"end",
	"world",
	"run",
	TV_UNLISTED_CALLS,
	TV_ALL_RANKS,
	"counter",
	"gauge",
	"yes",
	"generated",
	"rounded to 32-bit floats",
};

/* Names that the standard of MPI reserves: no program has others of its own. */
static bool is_mpi(const char *text)
{
	if (*text == 'P')
		text++;
	return strncmp(text, "MPI_", 4) == 0
	    && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")
		       == strlen(text);
}

static bool is_reader(const char *text)
{
	for (size_t i = 0; i < tv_nreaders; i++)
		if (strcmp(tv_readers[i]->name, text) == 0)
			return true;
	return false;
}

static bool is_word(const char *text)
{
	for (size_t i = 0; i < TV_COUNT(words); i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return is_mpi(text);
}

/* ---- names ---- */

/* Appends the new name of s[0..n). */
static void rename_text(const struct renaming *r, const char *s, size_t n, GString *to)
{
	static const char letters[] = "bcdfghjklmnpqrstvwxz"; /* no vowels: no words */
	unsigned char digest[32];
	gsize size = sizeof digest;
	GHmac *hmac = g_hmac_new(G_CHECKSUM_SHA256, r->key, r->nkey);

	g_hmac_update(hmac, (const guchar *)s, (gssize)n);
	g_hmac_get_digest(hmac, digest, &size);
	g_hmac_unref(hmac);
	for (int i = 0; i < LETTERS; i++)
		g_string_append_c(to, letters[digest[i] % (sizeof letters - 1)]);
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Numbers, and numbers that are joined by characters of `between`, as in 0_12. */
static bool is_number(const char *s, const char *between)
{
	for (;;) {
		size_t n = digits(s);

		if (n == 0 || n > NAME_DIGITS)
			return false;
		s += n;
		if (*s == '\0')
			return true;
		if (strchr(between, *s) == NULL)
			return false;
		s++;
	}
}

static void rename_name(const struct renaming *r, const char *text, GString *to)
{
	if (is_number(text, ""))
		g_string_append(to, text);
	else
		rename_text(r, text, strlen(text), to);
}

static void rename_number(const struct renaming *r, const char *text, GString *to)
{
	if (is_number(text, "_.-"))
		g_string_append(to, text);
	else
		rename_text(r, text, strlen(text), to);
}

static void rename_word(const struct renaming *r, const char *text, GString *to)
{
	static const char steal[] = "steal-time"; /* a monitor that a finding looks for */
	size_t n = strlen(text), tail = strlen(steal);

	if (is_word(text)) {
		g_string_append(to, text);
	} else if (n >= tail && strcmp(text + n - tail, steal) == 0) {
		if (n > tail)
			rename_text(r, text, n - tail, to);
		g_string_append(to, steal);
	} else {
		rename_name(r, text, to);
	}
}

/* "start_flush", "fxt_end_flush": events that open and close one another still do. */
static void rename_event(const struct renaming *r, const char *text, GString *to)
{
	static const char *const pairs[] = { "start_", "stop_", "end_" };

	for (size_t i = 0; i < TV_COUNT(pairs); i++) {
		const char *at = strstr(text, pairs[i]);
		GString *name;

		if (is_word(text) || at == NULL || (at > text && at[-1] != '_'))
			continue;
		name = g_string_new_len(text, at - text);
		g_string_append(name, at + strlen(pairs[i]));
		g_string_append(to, pairs[i]);
		rename_text(r, name->str, name->len, to);
		g_string_free(name, TRUE);
		return;
	}
	rename_word(r, text, to);
}

/* NODE_WORDn, WORDn, WORDn_m: the numbers stay; any other name is renamed as a whole. */
static void rename_place(const struct renaming *r, const char *text, GString *to)
{
	size_t node = digits(text), word, number;

	node = node > 0 && node <= NAME_DIGITS && text[node] == '_' ? node + 1 : 0;
	word = strcspn(text + node, "0123456789");
	number = strlen(text + node + word);
	if (strcmp(text, TV_ALL_RANKS) == 0 || is_number(text, "")) {
		g_string_append(to, text);
	} else if (word == 0 || (number > 0 && !is_number(text + node + word, "_"))) {
		rename_text(r, text, strlen(text), to);
	} else {
		g_string_append_len(to, text, (gssize)node);
		rename_text(r, text + node, word, to);
		g_string_append(to, text + node + word);
	}
}

/* ---- columns ---- */

static const struct rule {
	void (*apply)(const struct renaming *r, const char *text, GString *to); /* NULL = keep */
	const char *columns; /* between blanks, "TABLE.COLUMN" or the COLUMN of any table */
} rules[] = {
	{ NULL, " Kind Flag Modes Class Nature Cpuset " },
	{ rename_place,
	  " ResourceId Node Parent Host Origin Dest events.Peer RunnerUp Device Rank " },
	{ rename_number,
	  " JobId DependsOn ParentJob OriginJob DestJob Region ThreadTeam Coordinates " },
	{ rename_word, " ResourceType CpuKind Call Comm Op states.Type variables.Type links.Type "
		       "events.Type states.Value tasks.Value " },
	{ rename_event, " events.Value " },
	{ rename_name, "" },
};

static const struct rule *rule_of(enum tv_table_id id, const char *column)
{
	const struct rule *rule = rules;
	bool found = false;

	while (!found && rule->columns[0] != '\0') {
		char *full = tv_format(" %s.%s ", tv_schema[id].name, column);
		char *any = tv_format(" %s ", column);

		found = strstr(rule->columns, full) != NULL || strstr(rule->columns, any) != NULL;
		tv_free(full);
		tv_free(any);
		if (!found)
			rule++;
	}
	return rule;
}

static uint32_t rename_label(const struct renaming *r, const struct rule *rule, uint32_t label)
{
	struct tv_pool *pool = r->trace->pool;
	GString *to = g_string_new(NULL);
	uint32_t renamed;

	rule->apply(r, tv_pool_text(pool, label), to);
	renamed = tv_intern(pool, to->str, to->len);
	g_string_free(to, TRUE);
	return renamed;
}

/* label[0..n), each different label once. */
static void rename_labels(const struct renaming *r, const struct rule *rule, uint32_t *label,
			  size_t n)
{
	uint32_t count = tv_pool_count(r->trace->pool);
	uint32_t *known = tv_alloc(count, sizeof *known); /* new label + 1, by label */

	for (size_t i = 0; i < n; i++) {
		if (label[i] == TV_NONE)
			continue;
		if (known[label[i]] == 0)
			known[label[i]] = rename_label(r, rule, label[i]) + 1;
		label[i] = known[label[i]] - 1;
	}
	tv_free(known);
}

/* A column that is not of the schema: its name, and what is no number. It goes to the end. */
static void rename_unknown(const struct renaming *r, struct tv_table *table,
			   struct tv_column *column)
{
	GString *name = g_string_new(NULL), *to = g_string_new(NULL);
	struct tv_error err = { 0 };
	struct tv_column *renamed;

	rename_text(r, column->name, strlen(column->name), name);
	renamed = tv_table_column(table, name->str, TV_TEXT, &err);
	for (uint32_t row = 0; renamed != NULL && row < table->nrows; row++) {
		double number;
		size_t n;
		const char *text = tv_string(column, row, &n);

		if (tv_missing(column, row))
			continue;
		g_string_truncate(to, 0);
		if (tv_parse_double(text, n, &number) == TV_PARSE_OK)
			g_string_append_len(to, text, (gssize)n);
		else
			rename_text(r, text, n, to);
		tv_set_string(renamed, row, to->str, to->len);
	}
	if (renamed != NULL)
		tv_table_finish_column(table, renamed);
	tv_table_drop(table, column);
	g_string_free(name, TRUE);
	g_string_free(to, TRUE);
}

static void rename_table(const struct renaming *r, enum tv_table_id id)
{
	struct tv_table *table = &r->trace->table[id];
	size_t n = table->ncols, place = 0;

	for (size_t i = 0; i < n; i++) {
		struct tv_column *column = tv_table_at(table, place);
		const struct rule *rule = rule_of(id, column->name);

		column->derived = false; /* what names said is written, as they say it no more */
		/* Counters are numbers. */
		if (tv_schema_field(id, column->name) == NULL && !is_word(column->name)) {
			rename_unknown(r, table, column);
			continue;
		}
		if (rule->apply != NULL && column->type == TV_LABEL)
			rename_labels(r, rule, column->u, column->n);
		else if (rule->apply != NULL && column->type == TV_LIST)
			rename_labels(r, rule, column->items, column->nitems);
		place++;
	}
}

/* ---- meta ---- */

/* Keys whose values are numbers, with the names of nodes or words of ours; others are left out. */
static const char *const keys[] = {
	"Format",
	"ClockOrigin",
	"ClockOffset",
	"ClockResidual",
	"EarlyMessages",
	"MessageTimes",
	"Messages",
	"MessagesOutside",
	"MessagesOutsideGraph",
	"CommReference",
	"ComputeReference",
	"Ranks",
	"Cores",
	"EventsLost",
	"RepeatedTasks",
	"CandidatesKept",
	"SchedulerAlpha",
	"SchedulerBeta",
	"SchedulerGamma",
	"SchedulerIdlePower",
	"RuntimeDependencies",
	"Monitor.Tick",
	"Monitor.Ticks",
	"Monitor.Missed",
	"Monitor.Cpu",
	"Monitor.LongestTick",
	TV_META_CALLS_OF_STATES,
	TV_META_PLACES_AS_JOBS,
};

/* What the descriptions of events have: Monitor.EVENT.Kind. */
static const char *const facts[] = { ".Kind", ".Unit" };

/* Appends the new key; false if the row is left out. Causes of damage are ours, if not of a CSV. */
static bool rename_key(const struct renaming *r, const char *key, GString *to)
{
	size_t color = strlen(TV_META_COLOR), monitor = strlen("Monitor."), n = strlen(key);

	for (size_t i = 0; i < TV_COUNT(keys); i++)
		if (strcmp(keys[i], key) == 0) {
			g_string_append(to, key);
			return true;
		}
	for (int i = 0; i < TV_NDAMAGES; i++) {
		size_t prefix = strlen(tv_damage_prefix[i]);

		if (strncmp(key, tv_damage_prefix[i], prefix) != 0)
			continue;
		g_string_append(to, tv_damage_prefix[i]);
		if (!r->trace->native || tv_is_cut(key + prefix))
			g_string_append(to, key + prefix);
		else
			rename_text(r, key + prefix, n - prefix, to);
		return true;
	}
	if (strncmp(key, TV_META_COLOR, color) == 0) {
		g_string_append(to, TV_META_COLOR);
		rename_word(r, key + color, to);
		return true;
	}
	for (size_t i = 0; i < TV_COUNT(facts) && strncmp(key, "Monitor.", monitor) == 0; i++) {
		size_t tail = strlen(facts[i]);

		if (n <= monitor + tail || strcmp(key + n - tail, facts[i]) != 0)
			continue;
		char *event = tv_strndup(key + monitor, n - monitor - tail);

		g_string_append(to, "Monitor.");
		rename_word(r, event, to);
		g_string_append(to, facts[i]);
		tv_free(event);
		return true;
	}
	return false;
}

/* A value: as it is if it is a word of ours, else each sequence of letters that is no unit is renamed. */
static void rename_value(const struct renaming *r, const char *s, size_t n, GString *to)
{
	static const char *const units[] = {
		"ns", "us", "ms", "s", "rank", "of", "samples", "none"
	};
	char *text = tv_strndup(s, n);

	if (is_word(text) || is_reader(text)) {
		g_string_append(to, text);
		tv_free(text);
		return;
	}
	for (const char *at = text; *at != '\0';) {
		size_t plain = strspn(at, "0123456789+-.,:;>%#() \t"), word;
		bool known = false;

		g_string_append_len(to, at, (gssize)plain);
		at += plain;
		word = strcspn(at, "+-.,:;>%#() \t");
		for (size_t i = 0; i < TV_COUNT(units); i++)
			known |= strlen(units[i]) == word && memcmp(at, units[i], word) == 0;
		if (known)
			g_string_append_len(to, at, (gssize)word);
		else if (word > 0)
			rename_text(r, at, word, to);
		at += word;
	}
	tv_free(text);
}

static void rename_meta(const struct renaming *r)
{
	struct tv_table old = { 0 }, *meta = &r->trace->table[TV_META];
	const struct tv_column *key, *value;
	GString *to = g_string_new(NULL), *text = g_string_new(NULL);

	tv_table_init(&old, r->trace->pool);
	tv_table_replace(&old, meta);
	tv_table_init(meta, r->trace->pool);
	key = tv_table_find(&old, "Key");
	value = tv_table_find(&old, "Value");
	for (uint32_t row = 0; key != NULL && value != NULL && row < old.nrows; row++) {
		size_t n;
		const char *s = tv_string(value, row, &n);
		const char *name = tv_table_text(&old, "Key", row);

		g_string_truncate(to, 0);
		g_string_truncate(text, 0);
		if (!rename_key(r, name, to))
			continue;
		if (strncmp(name, TV_META_COLOR, strlen(TV_META_COLOR)) == 0)
			g_string_append_len(text, s, n < 7 ? (gssize)n : 7); /* #rrggbb */
		else
			rename_value(r, s, n, text);
		tv_meta_add(r->trace, to->str, "%s", text->str);
	}
	tv_table_finish(meta);
	tv_table_release(&old);
	g_string_free(to, TRUE);
	g_string_free(text, TRUE);
}

/* ---- key ---- */

static int read_key(struct renaming *r, const char *path, struct tv_error *err)
{
	struct tv_pos at = { path, 0 };
	struct tv_input in;
	const char *head;
	size_t n;
	int rc = -1;

	if (path == NULL) {
		r->nkey = 32;
		return getrandom(r->key, r->nkey, 0) == (ssize_t)r->nkey
			     ? 0
			     : tv_fail(err,
				       "the system has no random key: %s; name a file with --key",
				       strerror(errno));
	}
	/* A compressed file is as good a key when it is unpacked. */
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	head = tv_input_peek(&in, KEY_MAX + 1, &n, err);
	if (head != NULL && n >= KEY_MIN && n <= KEY_MAX) {
		memcpy(r->key, head, n);
		r->nkey = n;
		rc = 0;
	} else if (head != NULL) {
		tv_fail_at(err, at,
			   "the file has %s, expected a key of %d to %d bytes, e.g. of: "
			   "head -c 32 /dev/urandom",
			   n < KEY_MIN ? "too few bytes" : "too many bytes", KEY_MIN, KEY_MAX);
	}
	tv_input_close(&in);
	return rc;
}

int tv_anonymize(struct tv_trace *trace, const char *key, struct tv_error *err)
{
	struct renaming r = { .trace = trace };

	if (read_key(&r, key, err) < 0)
		return -1;
	for (int id = 0; id < TV_NTABLES; id++)
		if (id != TV_META)
			rename_table(&r, (enum tv_table_id)id);
	rename_meta(&r);
	explicit_bzero(r.key, sizeof r.key);
	return 0;
}
