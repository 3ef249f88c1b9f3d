/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modules.c -- which code objects are mapped where: TV_LOG_MODULE. */
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/loaded/log.h"

struct module {
	uint64_t begin, end;
	uint64_t name; /* hash of it */
	unsigned age;  /* seen loaded at that age of the list */
};

/* The objects that are in the log of this process. */
static struct {
	pthread_mutex_t lock;
	struct module *module;
	size_t n, cap;
	unsigned age; /* tv_log_age when all loaded objects were added */
} known_ = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct module *find(uint64_t address)
{
	for (size_t i = 0; i < known_.n; i++)
		if (address - known_.module[i].begin
		    < known_.module[i].end - known_.module[i].begin)
			return &known_.module[i];
	return NULL;
}

static bool keep(const struct module *module)
{
	if (known_.n == known_.cap) {
		size_t cap = known_.cap ? 2 * known_.cap : 64;
		struct module *grown = realloc(known_.module, cap * sizeof *grown);

		if (!grown)
			return false;
		known_.module = grown;
		known_.cap = cap;
	}
	known_.module[known_.n++] = *module;
	return true;
}

static uint64_t hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return h;
}

/* The path of an object in path[0..PATH_MAX): the program has no name, the others may have a
 * relative one. */
static const char *path_of(const struct dl_phdr_info *info, char *path)
{
	ssize_t n;

	if (info->dlpi_name[0])
		return realpath(info->dlpi_name, path) ? path : info->dlpi_name;
	n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	path[n > 0 ? n : 0] = '\0';
	return path;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module module = { .begin = UINT64_MAX,
				 .name = hash(info->dlpi_name),
				 .age = known_.age };
	char path[PATH_MAX];
	const char *name;

	(void)size;
	(void)unused;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		if (begin < module.begin)
			module.begin = begin;
		if (begin + segment->p_memsz > module.end)
			module.end = begin + segment->p_memsz;
	}
	if (module.begin >= module.end)
		return 0;
	for (size_t i = 0; i < known_.n; i++)
		if (known_.module[i].begin == module.begin && known_.module[i].end == module.end
		    && known_.module[i].name == module.name) {
			known_.module[i].age = known_.age;
			return 0;
		}
	name = path_of(info, path);
	if (keep(&module))
		tv_log_write(TV_LOG_MODULE, 0, 3,
			     (uint64_t[]){ module.begin, module.end, info->dlpi_addr }, name,
			     strlen(name));
	return 0;
}

/* Adds what is loaded now, and forgets what is not any more: its place may be taken. */
static void scan(unsigned age)
{
	size_t n = 0;

	known_.age = age;
	dl_iterate_phdr(add_module, NULL);
	for (size_t i = 0; i < known_.n; i++)
		if (known_.module[i].age == age)
			known_.module[n++] = known_.module[i];
	known_.n = n;
}

void tv_log_add_modules(uint64_t address)
{
	unsigned age = atomic_load(&tv_log_age);
	int errno_before = errno, cancel, state = atomic_load(&tv_log_on);
	const struct module *module;

	if (state == TV_LOG_WAITING && tv_log_wake(tv_log_now()))
		state = TV_LOG_ON;
	if (!address || state != TV_LOG_ON)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&known_.lock);
	module = known_.age == age ? find(address) : NULL;
	if (!module) {
		scan(age);
		module = find(address);
	}
	/* Code that belongs to no object is not looked for again and again. */
	tv_log_self.code_begin = module ? module->begin : address;
	tv_log_self.code_size = module ? module->end - module->begin : 1;
	tv_log_self.code_age = age;
	pthread_mutex_unlock(&known_.lock);
	pthread_setcancelstate(cancel, NULL);
	errno = errno_before;
}

void tv_log_forget_modules(void)
{
	pthread_mutex_init(&known_.lock, NULL);
	known_.n = 0;
	atomic_fetch_add(&tv_log_age, 1);
}
