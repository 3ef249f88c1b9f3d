/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c -- which parallel start a process belongs to. */
#include "record/loaded/job.h"

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
