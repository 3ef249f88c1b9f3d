/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf_names.c -- names of events, as perf has them. */
#include "record/tool/monitor/perf_names.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define SYSFS "/sys/bus/event_source/devices"

#define SW(name, id, unit) \
	{ \
		name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, unit \
	}
#define HW(name, id) \
	{ \
		name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, "1" \
	}
static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
	const char *unit;
} rows[] = {
	SW("task-clock", TASK_CLOCK, "ns"),
	SW("cpu-clock", CPU_CLOCK, "ns"),
	SW("context-switches", CONTEXT_SWITCHES, "1"),
	SW("cs", CONTEXT_SWITCHES, "1"),
	SW("cpu-migrations", CPU_MIGRATIONS, "1"),
	SW("migrations", CPU_MIGRATIONS, "1"),
	SW("page-faults", PAGE_FAULTS, "1"),
	SW("faults", PAGE_FAULTS, "1"),
	SW("minor-faults", PAGE_FAULTS_MIN, "1"),
	SW("major-faults", PAGE_FAULTS_MAJ, "1"),
	SW("alignment-faults", ALIGNMENT_FAULTS, "1"),
	SW("emulation-faults", EMULATION_FAULTS, "1"),
	HW("cycles", CPU_CYCLES),
	HW("cpu-cycles", CPU_CYCLES),
	HW("instructions", INSTRUCTIONS),
	HW("ref-cycles", REF_CPU_CYCLES),
	HW("bus-cycles", BUS_CYCLES),
	HW("cache-references", CACHE_REFERENCES),
	HW("cache-misses", CACHE_MISSES),
	HW("branches", BRANCH_INSTRUCTIONS),
	HW("branch-instructions", BRANCH_INSTRUCTIONS),
	HW("branch-misses", BRANCH_MISSES),
	HW("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	HW("PAPI_TOT_CYC", CPU_CYCLES),
	HW("PAPI_TOT_INS", INSTRUCTIONS),
	HW("PAPI_REF_CYC", REF_CPU_CYCLES),
	HW("PAPI_BR_INS", BRANCH_INSTRUCTIONS),
	HW("PAPI_BR_MSP", BRANCH_MISSES),
	HW("PAPI_L3_TCM", CACHE_MISSES),
	HW("PAPI_L3_TCA", CACHE_REFERENCES),
};

static const char *const cache_name[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
					  "iTLB",      "branch",    "node" };
static const char *const operation_name[] = { "load", "store", "prefetch" };

/* CACHE-OPERATIONs or CACHE-OPERATION-misses. */
static bool find_cache(const char *text, struct tv_source_event *event)
{
	for (unsigned c = 0; c < sizeof cache_name / sizeof *cache_name; c++)
		for (unsigned o = 0; o < sizeof operation_name / sizeof *operation_name; o++) {
			char all[40], misses[40];
			bool is_misses;

			snprintf(all, sizeof all, "%s-%s%s", cache_name[c], operation_name[o],
				 o == 2 ? "es" : "s");
			snprintf(misses, sizeof misses, "%s-%s-misses", cache_name[c],
				 operation_name[o]);
			is_misses = strcmp(text, misses) == 0;
			if (!is_misses && strcmp(text, all) != 0)
				continue;
			event->type = PERF_TYPE_HW_CACHE;
			event->config[0] = c | o << 8 | (unsigned)is_misses << 16;
			return true;
		}
	return false;
}

static bool read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t n = file != NULL ? fread(text, 1, size - 1, file) : 0;

	if (file != NULL)
		fclose(file);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	return n > 0;
}

bool tv_perf_has_cpu(const char *list, unsigned cpu)
{
	while (*list != '\0') {
		char *end;
		unsigned long from = strtoul(list, &end, 10), to = from;

		if (end == list)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (cpu >= from && cpu <= to)
			return true;
		list = *end == ',' ? end + 1 : end + strlen(end);
	}
	return false;
}

/* Puts the bits of a value where a format ("config:0-7,32-35") has them. */
static bool place_bits(const char *format, uint64_t value, uint64_t *config)
{
	unsigned word = 0;

	if (strncmp(format, "config", 6) != 0)
		return false;
	format += 6;
	if (*format == '1' || *format == '2')
		word = (unsigned)(*format++ - '0');
	if (*format != ':')
		return false;
	while (*format == ':' || *format == ',') {
		char *end;
		unsigned long from = strtoul(format + 1, &end, 10), to = from;

		if (end == format + 1)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (unsigned long bit = from; bit <= to && bit < 64; bit++, value >>= 1)
			config[word] |= (value & 1) << bit;
		format = end;
	}
	return true;
}

/* Sets what "event=0x3c,umask=0x1,name" says. */
static bool set_terms(const char *pmu, const char *terms, struct tv_source_event *event)
{
	while (*terms != '\0') {
		size_t n = strcspn(terms, ","), name = strcspn(terms, ",=");
		char path[256], format[256];
		uint64_t value = name < n ? strtoull(terms + name + 1, NULL, 0) : 1;

		snprintf(path, sizeof path, SYSFS "/%s/format/%.*s", pmu, (int)name, terms);
		if (name == 6 && strncmp(terms, "config", 6) == 0)
			event->config[0] = value;
		else if (!read_text(path, format, sizeof format)
			 || !place_bits(format, value, event->config))
			return false;
		terms += n + (terms[n] == ',');
	}
	return true;
}

/* PMU/EVENT/ or PMU/TERMS/; the last slash may be missing. */
static bool find_sysfs(const char *text, struct tv_source_event *event)
{
	const char *slash = strchr(text, '/');
	char pmu[64], name[128], path[300], value[256];

	if (slash == NULL || slash == text || (size_t)(slash - text) >= sizeof pmu
	    || strlen(slash + 1) >= sizeof name || text[0] == '.')
		return false;
	snprintf(pmu, sizeof pmu, "%.*s", (int)(slash - text), text);
	snprintf(name, sizeof name, "%s", slash + 1);
	if (name[0] != '\0' && name[strlen(name) - 1] == '/')
		name[strlen(name) - 1] = '\0';
	snprintf(path, sizeof path, SYSFS "/%s/type", pmu);
	if (name[0] == '\0' || strchr(name, '/') != NULL || !read_text(path, value, sizeof value))
		return false;
	event->type = (uint32_t)strtoul(value, NULL, 10);
	snprintf(path, sizeof path, SYSFS "/%s/cpumask", pmu);
	if (read_text(path, value, sizeof value) && strlen(value) < sizeof event->cpus)
		memcpy(event->cpus, value, strlen(value) + 1);
	snprintf(path, sizeof path, SYSFS "/%s/events/%s", pmu, name);
	return set_terms(pmu, read_text(path, value, sizeof value) ? value : name, event);
}

bool tv_perf_find(const char *text, struct tv_source_event *event)
{
	char *end = NULL;

	if (strlen(text) >= sizeof event->name)
		return false;
	snprintf(event->name, sizeof event->name, "%s", text);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, text) == 0) {
			event->type = rows[i].type;
			event->config[0] = rows[i].config;
			event->unit = rows[i].unit;
			return true;
		}
	if (text[0] == 'r' && text[1] != '\0') {
		event->config[0] = strtoull(text + 1, &end, 16);
		if (*end == '\0') {
			event->type = PERF_TYPE_RAW;
			return true;
		}
		event->config[0] = 0;
	}
	return find_cache(text, event) || find_sysfs(text, event);
}
