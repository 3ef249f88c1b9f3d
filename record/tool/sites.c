/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sites.c -- collects the code addresses of logs and adds to the logs what they are. */
#include "record/tool/sites.h"

#include <stdlib.h>
#include <string.h>

#include "record/tool/walk.h"
#include "trace/sorted.h"

/* Where a kind of event has its code address, counted from 1 among the arguments. */
static const uint8_t code_argument[256] = {
	[TV_LOG_OMP_PARALLEL_BEGIN] = 5, [TV_LOG_OMP_PARALLEL_END] = 4, [TV_LOG_OMP_CREATE] = 4,
	[TV_LOG_OMP_SYNC_BEGIN] = 3,	 [TV_LOG_OMP_SYNC_END] = 3,	[TV_LOG_OMP_WAIT_BEGIN] = 3,
	[TV_LOG_OMP_WAIT_END] = 3,	 [TV_LOG_OMP_WORK_BEGIN] = 4,	[TV_LOG_OMP_WORK_END] = 4,
	[TV_LOG_OMP_ACQUIRE] = 2,	 [TV_LOG_OMP_ACQUIRED] = 2,	[TV_LOG_OMP_RELEASED] = 2,
	[TV_LOG_OMP_CANCEL] = 3,	 [TV_LOG_OMP_MASKED_BEGIN] = 3, [TV_LOG_OMP_MASKED_END] = 3,
	[TV_LOG_MPI_BEGIN] = 2,
};

/* An object file, in one or several logs. */
struct file {
	char *path;
	struct tv_resolver *resolver;
};

/* A code object of a process, as TV_LOG_MODULE has it. */
struct module {
	int64_t time;
	uint64_t begin, end, bias;
	size_t file;
};

/* An address of the file; open addressing in the set, SIZE_MAX = an empty place. */
struct site {
	size_t file;
	uint64_t offset;
};

enum { CACHED = 4096 }; /* addresses that were seen last */

struct sites {
	struct file *file; /* of all logs */
	size_t nfiles;
	struct module *module; /* of this log */
	size_t nmodules;
	bool overlap; /* some modules were in the same place */
	struct site *set;
	size_t nsites, cap; /* of places: a power of two */
	uint64_t cached[CACHED];
};

static void *grow(void *array, size_t n, size_t size)
{
	/* Doubles at powers of two. */
	return (n & (n - 1)) == 0 ? realloc(array, (n ? 2 * n : 1) * size) : array;
}

/* The number of the file of that path; SIZE_MAX: no memory. */
static size_t find_file(struct sites *sites, const char *path)
{
	struct file *file;

	for (size_t i = 0; i < sites->nfiles; i++)
		if (strcmp(sites->file[i].path, path) == 0)
			return i;
	file = grow(sites->file, sites->nfiles, sizeof *file);
	if (!file)
		return SIZE_MAX;
	sites->file = file;
	file[sites->nfiles].path = strdup(path);
	if (!file[sites->nfiles].path)
		return SIZE_MAX;
	file[sites->nfiles].resolver = tv_resolver_open(path);
	return sites->nfiles++;
}

static bool add_module(struct sites *sites, const struct tv_log_event *event)
{
	const uint64_t *arg = tv_walk_args(event);
	struct module module = { event->time, arg[0], arg[1], arg[2], 0 };
	size_t length;
	const char *path = tv_walk_text(event, 3, &length);
	struct module *array;

	if (!path)
		return true;
	module.file = find_file(sites, path);
	array = grow(sites->module, sites->nmodules, sizeof *array);
	if (!array || module.file == SIZE_MAX)
		return false;
	for (size_t i = 0; i < sites->nmodules; i++)
		if (array[i].begin < module.end && module.begin < array[i].end)
			sites->overlap = true;
	array[sites->nmodules++] = module;
	sites->module = array;
	return true;
}

/* The object at an address at that time: the last one that was loaded there. */
static const struct module *find_module(const struct sites *sites, uint64_t address, int64_t time)
{
	const struct module *found = NULL;

	for (size_t i = 0; i < sites->nmodules; i++) {
		const struct module *m = &sites->module[i];

		if (address - m->begin < m->end - m->begin && m->time <= time
		    && (!found || m->time >= found->time))
			found = m;
	}
	return found;
}

static struct site *place(struct site *set, size_t cap, struct site site)
{
	size_t at = (size_t)((site.offset * 0x9e3779b97f4a7c15u) >> 20) + site.file * 31;

	for (;; at++) {
		struct site *s = &set[at & (cap - 1)];

		if (s->file == SIZE_MAX || (s->file == site.file && s->offset == site.offset))
			return s;
	}
}

static bool enlarge(struct sites *sites)
{
	size_t cap = sites->cap ? 2 * sites->cap : 256;
	struct site *set = malloc(cap * sizeof *set);

	if (!set)
		return false;
	memset(set, 0xff, cap * sizeof *set);
	for (size_t i = 0; i < sites->cap; i++)
		if (sites->set[i].file != SIZE_MAX)
			*place(set, cap, sites->set[i]) = sites->set[i];
	free(sites->set);
	sites->set = set;
	sites->cap = cap;
	return true;
}

static bool add_site(struct sites *sites, uint64_t address, int64_t time)
{
	uint64_t *cached = &sites->cached[(address >> 2) % CACHED];
	const struct module *module;
	struct site site, *at;

	if (!address || (*cached == address && !sites->overlap))
		return true;
	*cached = address;
	module = find_module(sites, address, time);
	if (!module || !sites->file[module->file].resolver)
		return true;
	if (2 * sites->nsites >= sites->cap && !enlarge(sites))
		return false;
	site = (struct site){ module->file, address - module->bias };
	at = place(sites->set, sites->cap, site);
	sites->nsites += at->file == SIZE_MAX;
	*at = site;
	return true;
}

/* Collects the modules (modules), else the sites, of a log. */
static bool collect(struct sites *sites, const char *log, bool modules)
{
	const struct tv_log_event *event;
	struct tv_walk walk;
	bool ok = tv_walk_open(&walk, log) == 0;

	while (ok && (event = tv_walk_next(&walk)) != NULL) {
		unsigned code = code_argument[event->kind];

		if (modules && event->kind == TV_LOG_MODULE && event->words > 2 + 3)
			ok = add_module(sites, event);
		else if (!modules && code && event->words >= 2 + code)
			ok = add_site(sites, tv_walk_args(event)[code - 1], event->time);
	}
	tv_walk_close(&walk);
	return ok;
}

TV_ORDER(by_place, struct site, file, offset)

static void write_site(const struct file *file, uint64_t offset)
{
	struct tv_source source;
	char text[8192];
	size_t n = 0;

	if (!tv_resolver_find(file->resolver, offset, &source))
		return;
	const char *const part[] = { file->path, source.function, source.file };
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		size_t length = strlen(part[i]) + 1;

		if (n + length > sizeof text)
			return;
		memcpy(text + n, part[i], length);
		n += length;
	}
	tv_log_write(TV_LOG_SITE, 0, 2, (uint64_t[]){ offset, source.line }, text, n);
}

/* Same log, same sites in the same order. */
static bool write_sites(struct sites *sites, const char *log)
{
	size_t n = 0;

	if (sites->nsites == 0)
		return true;
	for (size_t i = 0; i < sites->cap; i++)
		if (sites->set[i].file != SIZE_MAX)
			sites->set[n++] = sites->set[i];
	qsort(sites->set, n, sizeof *sites->set, by_place);
	if (tv_log_reopen(log) < 0)
		return false;
	for (size_t i = 0; i < n; i++)
		write_site(&sites->file[sites->set[i].file], sites->set[i].offset);
	tv_log_close();
	return true;
}

size_t tv_sites_add(char *const *log, size_t n)
{
	struct sites sites = { 0 };
	size_t failed = 0;

	for (size_t i = 0; tv_sites_known && i < n; i++) {
		sites.nmodules = sites.nsites = sites.cap = 0;
		sites.overlap = false;
		memset(sites.cached, 0, sizeof sites.cached);
		if (!collect(&sites, log[i], true) || !collect(&sites, log[i], false)
		    || !write_sites(&sites, log[i]))
			failed++;
		free(sites.module);
		free(sites.set);
		sites.module = NULL;
		sites.set = NULL;
	}
	for (size_t i = 0; i < sites.nfiles; i++) {
		tv_resolver_close(sites.file[i].resolver);
		free(sites.file[i].path);
	}
	free(sites.file);
	return failed;
}
