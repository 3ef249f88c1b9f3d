/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c -- numbers in text files of the kernel: proc, sys, cgroup, pressure. A file is read once per tick. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/loaded/log.h"
#include "record/tool/monitor/source.h"

enum { FILE_BYTES = 65536, KEY = 48 };

/* Factors: a jiffy is 1 / sysconf(_SC_CLK_TCK) s. */
enum { JIFFY = -1 };

/*
 * An event: the number behind a key in a file. Paths: %d is the operating system's index of the object,
 * %p the process, @CONTROLLER/ the folder of its control group ("@/": of version 2). Of events with the same name the
 * first one counts whose file is there.
 */
static const struct row {
	const char *name;
	const struct tv_back_end *source;
	const char *level, *path;
	const char *key; /* %d as in paths; "" = the begin of the file */
	const char *sub; /* a second key behind it, or "" */
	int field;	 /* of those behind the keys, from 1 */
	int64_t factor;
	bool counter;
	const char *unit;
} rows[] = {
#define STAT(name, field) \
	{ \
		name, &tv_source_proc, "PU", "/proc/stat", "cpu%d", "", field, JIFFY, true, "ns" \
	}
	STAT("user-time", 1),
	STAT("nice-time", 2),
	STAT("system-time", 3),
	STAT("idle-time", 4),
	STAT("iowait-time", 5),
	STAT("irq-time", 6),
	STAT("softirq-time", 7),
	STAT("steal-time", 8),
#undef STAT
	{ "frequency", &tv_source_proc, "PU",
	  "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", "", "", 1, 1000, false, "Hz" },
#define MEMORY(name, key) \
	{ \
		name, &tv_source_proc, "Machine", "/proc/meminfo", key, "", 1, 1024, false, \
			"bytes" \
	}
	MEMORY("memory-total", "MemTotal:"),
	MEMORY("memory-free", "MemFree:"),
	MEMORY("memory-available", "MemAvailable:"),
	MEMORY("memory-cached", "Cached:"),
	MEMORY("memory-dirty", "Dirty:"),
	MEMORY("swap-free", "SwapFree:"),
#undef MEMORY
	{ "resident-memory", &tv_source_proc, "Machine", "/proc/%p/status", "VmRSS:", "", 1, 1024,
	  false, "bytes" },
#define NODE(name, key) \
	{ \
		name, &tv_source_proc, "NUMANode", "/sys/devices/system/node/node%d/meminfo", key, \
			"", 1, 1024, false, "bytes" \
	}
	NODE("node-memory-total", "MemTotal:"),
	NODE("node-memory-free", "MemFree:"),
	NODE("node-memory-used", "MemUsed:"),
#undef NODE
#define NUMA(name, key) \
	{ \
		name, &tv_source_proc, "NUMANode", "/sys/devices/system/node/node%d/numastat", \
			key, "", 1, 1, true, "1" \
	}
	NUMA("numa-hit", "numa_hit"),
	NUMA("numa-miss", "numa_miss"),
	NUMA("numa-foreign", "numa_foreign"),
	NUMA("local-node", "local_node"),
	NUMA("other-node", "other_node"),
#undef NUMA
#define GROUP(name, path, key, factor, counter, unit) \
	{ \
		name, &tv_source_cgroup, "Machine", path, key, "", 1, factor, counter, unit \
	}
	GROUP("cgroup-cpu-time", "@/cpu.stat", "usage_usec", 1000, true, "ns"),
	GROUP("cgroup-cpu-time", "@cpuacct/cpuacct.usage", "", 1, true, "ns"),
	GROUP("cgroup-throttled-time", "@/cpu.stat", "throttled_usec", 1000, true, "ns"),
	GROUP("cgroup-throttled-time", "@cpu/cpu.stat", "throttled_time", 1, true, "ns"),
	GROUP("cgroup-memory", "@/memory.current", "", 1, false, "bytes"),
	GROUP("cgroup-memory", "@memory/memory.usage_in_bytes", "", 1, false, "bytes"),
#undef GROUP
#define PRESSURE(name, path, key) \
	{ \
		name, &tv_source_pressure, "Machine", path, key, "total=", 1, 1000, true, "ns" \
	}
	PRESSURE("cpu-pressure", "/proc/pressure/cpu", "some"),
	PRESSURE("memory-pressure", "/proc/pressure/memory", "some"),
	PRESSURE("memory-pressure-full", "/proc/pressure/memory", "full"),
	PRESSURE("io-pressure", "/proc/pressure/io", "some"),
	PRESSURE("io-pressure-full", "/proc/pressure/io", "full"),
#undef PRESSURE
};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- files ---- */

struct tv_source_file {
	struct tv_source_file *next;
	char path[1200];
	int fd;
	uint64_t tick; /* of the text; from 1 */
	size_t n;
	char text[FILE_BYTES];
};

static struct tv_source_file *get_file(struct tv_sampler *s, const char *path)
{
	struct tv_source_file *file = s->files;
	int fd;

	while (file != NULL && strcmp(file->path, path) != 0)
		file = file->next;
	if (file != NULL || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return file;
	file = tv_sampler_alloc(sizeof *file);
	snprintf(file->path, sizeof file->path, "%s", path);
	file->fd = fd;
	file->next = s->files;
	file->tick = 0;
	file->n = 0;
	s->files = file;
	return file;
}

static const char *get_text(struct tv_sampler *s, struct tv_source_file *file)
{
	ssize_t n;

	if (file->tick != s->ticks + 1) {
		n = pread(file->fd, file->text, FILE_BYTES - 1, 0);
		file->n = n > 0 ? (size_t)n : 0;
		file->text[file->n] = '\0';
		file->tick = s->ticks + 1;
	}
	return file->text;
}

void tv_sources_release(struct tv_sampler *s)
{
	while (s->files != NULL) {
		struct tv_source_file *file = s->files;

		s->files = file->next;
		close(file->fd);
		free(file);
	}
}

/* Where a controller's control groups are mounted; "" = version 2. */
static bool find_mount(const char *controller, char *place, size_t size)
{
	FILE *mounts = fopen("/proc/self/mounts", "re");
	char line[2048], where[512], type[32], options[1024];
	bool found = false;

	while (mounts != NULL && !found && fgets(line, sizeof line, mounts) != NULL) {
		char *at = options, *word;

		if (sscanf(line, "%*s %511s %31s %1023s", where, type, options) != 3)
			continue;
		found = controller[0] == '\0' && strcmp(type, "cgroup2") == 0;
		while (!found && strcmp(type, "cgroup") == 0 && (word = strsep(&at, ",")) != NULL)
			found = strcmp(word, controller) == 0;
		if (found)
			snprintf(place, size, "%s", where);
	}
	if (mounts != NULL)
		fclose(mounts);
	return found;
}

/* The control group of a process (0: this one), as "/NAME". */
static bool find_group(pid_t pid, const char *controller, char *name, size_t size)
{
	char path[64], line[1024];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof path, pid > 0 ? "/proc/%ld/cgroup" : "/proc/self/cgroup", (long)pid);
	file = fopen(path, "re");
	while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
		char *list = strchr(line, ':'),
		     *group = list != NULL ? strchr(list + 1, ':') : NULL;
		char *word;

		if (group == NULL)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		for (list++; !found && (word = strsep(&list, ",")) != NULL;)
			found = strcmp(word, controller) == 0;
		if (found)
			snprintf(name, size, "%s", group);
	}
	if (file != NULL)
		fclose(file);
	return found;
}

/* The path of a row at an object; false: there is no such control group. */
static bool find_path(const struct tv_sampler *s, const struct row *row, int64_t os, char *path,
		      size_t size)
{
	const char *name = strchr(row->path, '/'), *percent = strchr(row->path, '%');
	char controller[16], place[512], group[512];
	pid_t pid = s->pid > 0 ? s->pid : getpid();

	if (row->path[0] == '@') {
		snprintf(controller, sizeof controller, "%.*s", (int)(name - row->path - 1),
			 row->path + 1);
		if (!find_mount(controller, place, sizeof place)
		    || !find_group(s->pid, controller, group, sizeof group))
			return false;
		snprintf(path, size, "%s%s%s", place, strcmp(group, "/") == 0 ? "" : group, name);
		if (access(path, R_OK) != 0)
			snprintf(path, size, "%s%s", place, name); /* that of the container */
	} else if (percent != NULL) {
		snprintf(path, size, "%.*s%lld%s", (int)(percent - row->path), row->path,
			 percent[1] == 'p' ? (long long)pid : (long long)os, percent + 2);
	} else {
		snprintf(path, size, "%s", row->path);
	}
	return access(path, R_OK) == 0;
}

/* ---- numbers ---- */

/* One number of a file. */
struct number {
	struct tv_source_file *file;
	char key[KEY];
	const struct row *row;
};

struct numbers {
	unsigned n;
	struct number number[];
};

/* The place behind a word, which begins a line or follows a space. */
static const char *find_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; n > 0 && (at = strstr(at, word)) != NULL; at += n)
		if ((at == text || at[-1] == '\n' || at[-1] == ' ')
		    && (strchr(" :=\t", at[n]) != NULL || strchr(":=", at[n - 1]) != NULL))
			return at + n;
	return n > 0 ? NULL : text;
}

static bool read_number(struct tv_sampler *s, const struct number *number, int64_t *value)
{
	const char *at = find_word(get_text(s, number->file), number->key);
	int64_t factor = number->row->factor;
	unsigned long long count = 0;
	char *end;

	if (at != NULL)
		at = find_word(at, number->row->sub);
	for (int i = 0; at != NULL && i < number->row->field; i++) {
		count = strtoull(at, &end, 10);
		at = end != at ? end : NULL;
	}
	if (factor == JIFFY)
		factor = 1000000000 / sysconf(_SC_CLK_TCK);
	*value = (int64_t)count * factor;
	return at != NULL;
}

static bool make_number(struct tv_sampler *s, const struct row *row,
			const struct tv_hardware_object *at, struct number *number)
{
	const char *percent = strchr(row->key, '%');
	char path[1200];

	if (!find_path(s, row, at->os, path, sizeof path))
		return false;
	*number = (struct number){ .row = row, .file = get_file(s, path) };
	if (percent != NULL)
		snprintf(number->key, KEY, "%.*s%lld%s", (int)(percent - row->key), row->key,
			 (long long)at->os, percent + 2);
	else
		snprintf(number->key, KEY, "%s", row->key);
	return number->file != NULL;
}

/* ---- the source ---- */

static bool find_row(struct tv_sampler *s, const struct tv_back_end *source, const char *text,
		     struct tv_source_event *event)
{
	char path[1200];
	unsigned found = ROWS;

	for (unsigned i = 0; i < ROWS; i++)
		if (rows[i].source == source && strcmp(rows[i].name, text) == 0
		    && (found == ROWS || find_path(s, &rows[i], 0, path, sizeof path))) {
			found = i;
			if (find_path(s, &rows[i], 0, path, sizeof path))
				break;
		}
	if (found == ROWS)
		return false;
	*event = (struct tv_source_event){ .level = rows[found].level,
					   .unit = rows[found].unit,
					   .counter = rows[found].counter,
					   .row = found };
	event->scope = strstr(rows[found].path, "%p") != NULL ? "process"
		     : rows[found].path[0] == '@'	      ? "control group"
							      : "machine";
	snprintf(event->name, sizeof event->name, "%s", text);
	return true;
}

static bool contains(const struct tv_hardware_object *at, const struct tv_hardware_object *part)
{
	for (unsigned i = 0, k = 0; i < part->npus; i++) {
		while (k < at->npus && at->pu[k] < part->pu[i])
			k++;
		if (k == at->npus || at->pu[k] != part->pu[i])
			return false;
	}
	return part->npus > 0;
}

/* Calls use() for the objects of the event's own level in an object; the number of them. */
static unsigned for_parts(struct tv_sampler *s, const struct tv_source_event *event,
			  const struct tv_hardware_object *at, int (*use)(void *, unsigned object),
			  void *context)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->hardware.n; i++) {
		const struct tv_hardware_object *part = &s->hardware.object[i];

		if (strcmp(part->level, event->level) != 0 || (part != at && !contains(at, part)))
			continue;
		if (use != NULL && use(context, i) < 0)
			return 0;
		n++;
	}
	return n;
}

struct checking {
	struct tv_sampler *s;
	const struct tv_source_event *event;
	char *why;
};

static int check_part(void *context, unsigned object)
{
	struct checking *c = context;
	const struct row *row = &rows[c->event->row];
	struct number number;
	int64_t value;

	if (make_number(c->s, row, &c->s->hardware.object[object], &number)
	    && read_number(c->s, &number, &value))
		return 0;
	snprintf(c->why, TV_SAMPLER_WHY, "this machine or container has no %s that contains it",
		 row->path[0] == '@' ? "control group" : row->path);
	return -1;
}

static int check_event(struct tv_sampler *s, struct tv_source_event *event,
		       const struct tv_hardware_object *at, char *why)
{
	struct checking c = { s, event, why };
	unsigned n;

	why[0] = '\0';
	if (strstr(rows[event->row].path, "%p") != NULL && !s->of_process) {
		snprintf(why, TV_SAMPLER_WHY, "it is of a process, and none is watched");
		return -1;
	}
	n = for_parts(s, event, at, check_part, &c);
	if (n == 0 && why[0] == '\0')
		snprintf(why, TV_SAMPLER_WHY, "it is counted per %s, which this object is not",
			 event->level);
	else if (n > 1 && !event->counter) {
		snprintf(why, TV_SAMPLER_WHY,
			 "it is a state of each %s, which cannot be summed; expected that level",
			 event->level);
		n = 0;
	}
	return n > 0 ? 0 : -1;
}

struct opening {
	struct tv_sampler *s;
	unsigned monitor, object;
};

/* Whether events can be in one set. */
static bool fits(const struct tv_source_event *a, const struct tv_source_event *b,
		 const char *level)
{
	return (strcmp(a->level, level) == 0) == (strcmp(b->level, level) == 0)
	    && (strcmp(a->scope, "process") == 0) == (strcmp(b->scope, "process") == 0);
}

/* One set per part; events of other levels are not in it. */
static int open_part(void *context, unsigned part)
{
	const struct opening *o = context;
	struct tv_sampler *s = o->s;
	const struct tv_sampler_monitor *m = &s->monitor[o->monitor];
	const struct tv_hardware_object *at = &s->hardware.object[part];

	for (unsigned first = 0, n; first < m->nevents; first += n) {
		struct numbers *numbers = tv_sampler_alloc(sizeof *numbers
							   + m->nevents * sizeof *numbers->number);
		bool here = strcmp(m->event[first].level, at->level) == 0;

		numbers->n = 0;
		for (n = 0; first + n < m->nevents
			    && fits(&m->event[first], &m->event[first + n], at->level);
		     n++)
			if (here
			    && make_number(s, &rows[m->event[first + n].row], at,
					   &numbers->number[numbers->n]))
				numbers->n++;
		if (here && numbers->n == n)
			tv_sampler_add_set(s, o->monitor, o->object, first, n, numbers);
		else
			free(numbers);
	}
	return 0;
}

static int open_monitor(struct tv_sampler *s, unsigned monitor, unsigned object, char *why)
{
	const struct tv_sampler_monitor *m = &s->monitor[monitor];
	struct opening o = { s, monitor, object };

	(void)why;
	for (unsigned i = 0; i < m->nevents; i++) {
		bool seen = false;

		for (unsigned k = 0; k < i; k++)
			seen |= strcmp(m->event[k].level, m->event[i].level) == 0;
		if (!seen)
			for_parts(s, &m->event[i], &s->hardware.object[object], open_part, &o);
	}
	return 0;
}

static bool read_numbers(struct tv_sampler *s, const struct tv_set *set, uint64_t *value)
{
	const struct numbers *numbers = set->state;

	value[0] = value[1] = 0;
	for (unsigned i = 0; i < numbers->n; i++) {
		int64_t number;

		if (!read_number(s, &numbers->number[i], &number))
			return false;
		value[2 + i] = (uint64_t)number;
	}
	return true;
}

#define SOURCE(id, text) \
	static bool find_##id(struct tv_sampler *s, const char *name, \
			      struct tv_source_event *event) \
	{ \
		return find_row(s, &tv_source_##id, name, event); \
	} \
	const struct tv_back_end tv_source_##id = { .name = text, \
						    .slow = true, \
						    .find = find_##id, \
						    .check = check_event, \
						    .open = open_monitor, \
						    .read = read_numbers, \
						    .close = free }

SOURCE(proc, "proc");
SOURCE(cgroup, "cgroup");
SOURCE(pressure, "pressure");
