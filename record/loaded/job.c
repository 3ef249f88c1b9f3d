/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c -- which parallel start and which host a process belongs to. */
#include "record/loaded/job.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* The parent of a process, 0 = unknown. */
static long parent_of(long pid)
{
	char path[64], text[512] = "", *end;
	long parent = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (!fgets(text, sizeof text, file))
		text[0] = '\0';
	fclose(file);
	/* The name of the program, in parentheses, may contain anything. */
	end = strrchr(text, ')');
	return end && sscanf(end, ") %*c %ld", &parent) == 1 ? parent : 0;
}

/* The address at which Hydra's mpiexec listens to those who start processes for it: one per mpiexec. */
static bool find_port(long pid, char *name, size_t size)
{
	static const char option[] = "--control-port";
	char path[64], text[4096];
	FILE *file;
	size_t n = 0;

	snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
	file = fopen(path, "re");
	if (file) {
		n = fread(text, 1, sizeof text - 1, file);
		fclose(file);
	}
	text[n] = '\0';
	for (size_t at = 0; at < n; at += strlen(text + at) + 1) {
		size_t next = at + sizeof option;

		if (strcmp(text + at, option) == 0 && next < n) {
			snprintf(name, size, "hydra %s", text + next);
			return true;
		}
	}
	return false;
}

bool tv_job_name(char *name, size_t size)
{
	static const char *const job[] = { "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
					   "PMI_JOBID" };
	const char *slurm = variable("SLURM_JOB_ID"), *step = variable("SLURM_STEP_ID");
	long pid = getppid();

	for (size_t i = 0; i < sizeof job / sizeof *job; i++)
		if (variable(job[i])) {
			snprintf(name, size, "job %s", variable(job[i]));
			return true;
		}
	for (int i = 0; variable("PMI_RANK") && i < 10 && pid > 1; i++, pid = parent_of(pid))
		if (find_port(pid, name, size))
			return true;
	if (slurm && step) {
		snprintf(name, size, "slurm %s.%s", slurm, step);
		return true;
	}
	name[0] = '\0';
	return false;
}

void tv_host_name(char *name, size_t size)
{
	/* FNV-1a. Without the random number of the boot, who guesses a name could check it. */
	uint64_t hash = UINT64_C(14695981039346656037);
	char text[512] = "";
	size_t n;
	ssize_t more = 0;
	int fd;

	gethostname(text, 255);
	if (variable("TRACEVIZ_KEEP_HOST")) {
		snprintf(name, size, "%s", text);
		return;
	}
	n = strlen(text);
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		more = read(fd, text + n, sizeof text - n);
		close(fd);
	}
	n += more > 0 ? (size_t)more : 0;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	snprintf(name, size, "host-%010" PRIx64, hash >> 24);
}
