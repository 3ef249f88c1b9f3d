/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core.c -- libtraceviz-record.so: what `traceviz record` loads into the program (LD_PRELOAD).
 *
 * Starts and ends the log of the process, and receives what the program says by traceviz.h. Probes
 * are libraries of their own that are linked to this one, so that all probes of a process write one
 * log, with one number per thread. Settings come from the environment:
 *
 *	TRACEVIZ_DIR		folder of the logs; without it nothing is recorded
 *	TRACEVIZ_MAX_SIZE	max bytes of the log of a process
 *	TRACEVIZ_START_AFTER	ns from the start of the process until recording begins
 *	TRACEVIZ_RECORDER	name of the instance of `record` that started the program
 *	TRACEVIZ_TAGS		lines KEY=VALUE, which name the run
 *	TRACEVIZ_KEEP_HOST	1: the log has the name of the host (job.h)
 *	TRACEVIZ_TOP		candidates to keep of each decision of StarPU
 *	TRACEVIZ_PAUSED		1: recording begins when a probe finds the part that was chosen
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/loaded/log.h"
#include "record/loaded/traceviz.h"

#define EXPORT __attribute__((visibility("default")))

static uint64_t setting(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : 0;
}

static void describe_text(int64_t time, const char *key, const char *value, size_t n)
{
	char text[8192];
	size_t at = strlen(key) + 1;

	if (n > sizeof text - at)
		n = sizeof text - at;
	memcpy(text, key, at);
	memcpy(text + at, value, n);
	tv_log_write_at(time, TV_LOG_META, 0, 0, NULL, text, at + n);
}

/* Threads that a BLAS library started, of which OpenMP knows nothing. */
static atomic_uint blas_threads;
static char blas_name[256];
static unsigned blas_described; /* of them, what the log has */
static bool described;

static void describe_blas(int64_t time)
{
	char text[512];
	int n;

	if (atomic_load(&blas_threads) == blas_described)
		return;
	blas_described = atomic_load(&blas_threads);
	n = snprintf(text, sizeof text, "%u %s", blas_described, blas_name);
	describe_text(time, "BlasThreads", text, (size_t)n);
}

/* The CPUs on which the thread may run, as a list: "0-3,8"; its length. */
static size_t list_cpus(char *text, size_t size)
{
	cpu_set_t cpus;
	size_t n = 0;

	if (sched_getaffinity(0, sizeof cpus, &cpus))
		return 0;
	for (int first = 0; first < CPU_SETSIZE && n < size - 16; first++) {
		if (!CPU_ISSET(first, &cpus))
			continue;
		int last = first;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &cpus))
			last++;
		n += (size_t)snprintf(text + n, size - n, last > first ? "%s%d-%d" : "%s%d",
				      n ? "," : "", first, last);
		first = last;
	}
	return n;
}

static bool begins(const char *text, const char *const *with)
{
	while (*with && strncmp(text, *with, strlen(*with)) != 0)
		with++;
	return *with != NULL;
}

/* Whether a text has the name of this host as a word. */
static bool has_host(const char *text)
{
	char host[256] = "";
	size_t n;

	gethostname(host, sizeof host - 1);
	n = strcspn(host, ".");
	host[n] = '\0';
	for (const char *at = text; n > 0 && (at = strstr(at, host)); at++)
		if ((at == text || !isalnum((unsigned char)at[-1]))
		    && !isalnum((unsigned char)at[n]))
			return true;
	return false;
}

/* The variables that set up a runtime, without those that starters of MPI and this recorder set, and without
 * names of hosts. */
static void describe_settings(int64_t time)
{
	static const char *const runtime[] = { "OMP_",	    "KMP_",	 "GOMP_",  "STARPU_",
					       "OMPI_MCA_", "MPICH_",	 "I_MPI_", "MPIR_CVAR_",
					       "UCX_",	    "OPENBLAS_", "MKL_",   NULL };
	static const char *const other[] = { "OMP_TOOL",
					     "STARPU_TASK_BREAK_ON_EXEC",
					     "OMPI_MCA_orte_",
					     "OMPI_MCA_ess",
					     "OMPI_MCA_pmix",
					     "OMPI_MCA_shmem_RUN",
					     "OMPI_MCA_initial_wdir",
					     NULL };

	for (char **setting = environ; setting && *setting; setting++) {
		const char *equal = strchr(*setting, '=');
		char key[64];

		if (!equal || equal - *setting >= (ptrdiff_t)sizeof key
		    || !begins(*setting, runtime) || begins(*setting, other))
			continue;
		memcpy(key, *setting, (size_t)(equal - *setting));
		key[equal - *setting] = '\0';
		if (getenv("TRACEVIZ_KEEP_HOST") || (!strstr(key, "HOST") && !has_host(equal + 1)))
			describe_text(time, key, equal + 1, strlen(equal + 1));
	}
}

/* TRACEVIZ_TAGS: lines KEY=VALUE, as tags of the run. */
static void describe_tags(int64_t time)
{
	const char *line = getenv("TRACEVIZ_TAGS");

	while (line && *line) {
		size_t n = strcspn(line, "\n"), key = strcspn(line, "=");
		char name[80];

		if (key < n) {
			snprintf(name, sizeof name, "Tag.%.*s", (int)key, line);
			describe_text(time, name, line + key + 1, n - key - 1);
		}
		line += n + (line[n] != '\0');
	}
}

/* Writes what the process is: its program, arguments (with spaces between), CPUs, settings, tags, and recorder. */
static void describe(int64_t time)
{
	char text[8000];
	cpu_set_t cpus;
	ssize_t n = readlink("/proc/self/exe", text, sizeof text);
	FILE *file;

	if (n > 0)
		describe_text(time, "Program", text, (size_t)n);
	file = fopen("/proc/self/cmdline", "re");
	if (file) {
		n = (ssize_t)fread(text, 1, sizeof text, file);
		fclose(file);
		while (n > 0 && text[n - 1] == '\0')
			n--;
		for (ssize_t i = 0; i < n; i++)
			if (text[i] == '\0')
				text[i] = ' ';
		describe_text(time, "Arguments", text, (size_t)n);
	}
	if (!sched_getaffinity(0, sizeof cpus, &cpus)) {
		n = snprintf(text, sizeof text, "%d", CPU_COUNT(&cpus));
		describe_text(time, "Cpus", text, (size_t)n);
		describe_text(time, "Binding", text, list_cpus(text, sizeof text));
	}
	describe_settings(time);
	describe_tags(time);
	if (getenv("TRACEVIZ_RECORDER"))
		describe_text(time, "Recorder", getenv("TRACEVIZ_RECORDER"),
			      strlen(getenv("TRACEVIZ_RECORDER")));
	describe_blas(time);
	described = true;
}

static void forked(void)
{
	/* The threads stayed with the parent. */
	atomic_store(&blas_threads, 0);
	blas_described = 0;
	described = false;
	tv_log_forked();
}

static void __attribute__((constructor)) start(void)
{
	const char *dir = getenv("TRACEVIZ_DIR");
	uint64_t after = setting("TRACEVIZ_START_AFTER");

	if (!dir || !*dir)
		return;
	pthread_atfork(NULL, NULL, forked);
	(void)at_quick_exit(tv_log_finish);
	tv_log_describe_by(describe);
	tv_log_start(dir, setting("TRACEVIZ_MAX_SIZE"),
		     setting("TRACEVIZ_PAUSED") ? TV_LOG_BY_PART : 0);
	if (after > 0)
		tv_log_start_at(tv_log_now() + (int64_t)after);
}

static void __attribute__((destructor)) end(void)
{
	if (described)
		describe_blas(tv_log_now());
	tv_log_finish();
}

/* ---- functions of the C library that the program calls here instead ---- */

/* The end of many children of a fork; no destructor runs. */
EXPORT _Noreturn void _exit(int status)
{
	tv_log_finish();
	for (;;)
		syscall(SYS_exit_group, status);
}

EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}

/* Another object may take the place of one that is unloaded. */
EXPORT int dlclose(void *handle)
{
	int (*real)(void *);
	int rc;

	*(void **)&real = dlsym(RTLD_NEXT, "dlclose");
	rc = real ? real(handle) : -1;
	atomic_fetch_add(&tv_log_age, 1);
	return rc;
}

/* Whether the code at an address is of a BLAS library; *name: the file's. */
static bool is_blas(const void *address, char name[PATH_MAX])
{
	static const char *const part[] = { "openblas", "libmkl_", "libblis", "libatlas" };
	Dl_info info;

	if (!dladdr(address, &info) || !info.dli_fname || !realpath(info.dli_fname, name))
		return false;
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (strstr(name, part[i]))
			return true;
	return false;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
			  void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	char name[PATH_MAX];
	int rc;

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	rc = real ? real(thread, attributes, run, argument) : EAGAIN;
	if (rc == 0 && is_blas(__builtin_return_address(0), name)
	    && atomic_fetch_add(&blas_threads, 1) == 0)
		snprintf(blas_name, sizeof blas_name, "%s", strrchr(name, '/') + 1);
	return rc;
}

/* Whether the code at an address is of a libgomp that another runtime replaces: its functions are not those that the
 * program calls. */
static bool is_replaced_libgomp(const void *address)
{
	void *used = dlsym(RTLD_DEFAULT, "GOMP_parallel");
	Dl_info caller, runtime;

	return used && dladdr(address, &caller) && dladdr(used, &runtime) && caller.dli_fname
	    && strstr(caller.dli_fname, "/libgomp.so") && caller.dli_fbase != runtime.dli_fbase;
}

/* A libgomp that runs nothing binds the first thread all the same (OMP_PROC_BIND, OMP_PLACES): the runtime in its place would
 * find one processor for all threads. */
EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *cpus)
{
	int (*real)(pthread_t, size_t, const cpu_set_t *);

	if (is_replaced_libgomp(__builtin_return_address(0)))
		return 0;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_setaffinity_np");
	return real ? real(thread, size, cpus) : ENOSYS;
}

void tv_log_binding(void)
{
	char text[1024] = "";
	size_t n = list_cpus(text, sizeof text);

	if (n > 0)
		tv_log_write(TV_LOG_BINDING, 0, 0, NULL, text, n);
}

/* ---- what the program says ---- */

static size_t length(const char *text)
{
	return text ? strlen(text) : 0;
}

EXPORT void traceviz_record_task(const char *type)
{
	if (type)
		tv_log_write(TV_LOG_USER_NAME, 0, 0, NULL, type, length(type));
}

EXPORT void traceviz_record_number(const char *name, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	if (name)
		tv_log_write(TV_LOG_USER_NUMBER, 0, 1, &bits, name, length(name));
}

EXPORT void traceviz_record_data(const void *address, size_t bytes, const char *name)
{
	uint64_t arg[] = { (uintptr_t)address, bytes };

	tv_log_write(TV_LOG_USER_DATA, 0, 2, arg, name ? name : "", length(name));
}

EXPORT void traceviz_record_phase(const char *name, int begins)
{
	if (name)
		tv_log_write(begins ? TV_LOG_USER_PHASE_BEGIN : TV_LOG_USER_PHASE_END, 0, 0, NULL,
			     name, length(name));
}

EXPORT void traceviz_record_pause(int pauses)
{
	if (pauses)
		tv_log_pause(TV_LOG_BY_PROGRAM);
	else
		tv_log_resume(TV_LOG_BY_PROGRAM);
}
