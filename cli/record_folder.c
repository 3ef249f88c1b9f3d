/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_folder.c -- the folder of a recording, and who may write to it.
 *
 * The file `recording` in it has the name of the job in its first line, then a line per instance of
 * `traceviz record` with its rank, and how many regions a process had that had not all of --region. Instances that an MPI or a batch system started together share
 * the name of the job, so they share the folder; others find an earlier recording in it. The file is
 * locked while it is read and changed, and it is never deleted, so any number of instances may begin
 * at once.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "cli/record.h"
#include "record/loaded/job.h"
#include "record/loaded/log.h"
#include "trace/alloc.h"
#include "trace/text.h"

static const char *first_variable(const char *const *name)
{
	for (; *name != NULL; name++) {
		const char *value = getenv(*name);

		if (value != NULL && value[0] != '\0')
			return value;
	}
	return NULL;
}

/* What is the same in all instances of one parallel start, and in no other; *shared: there may be
 * several. */
static char *job_name(bool *shared)
{
	char host[256] = "", name[512];
	struct timespec now;

	*shared = tv_job_name(name, sizeof name);
	if (*shared)
		return tv_strdup(name);
	tv_host_name(host, sizeof host);
	clock_gettime(CLOCK_REALTIME, &now);
	return tv_format("process %s.%ld.%lld.%09ld", host, (long)getpid(), (long long)now.tv_sec,
			 now.tv_nsec);
}

static const char *rank_name(void)
{
	static const char *const rank[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID", NULL };
	const char *name = first_variable(rank);

	return name != NULL ? name : "-";
}

/* Whether the folder has files; remove: those of a recording are deleted. -1 with *err. */
static int list_files(const char *folder, bool remove, struct tv_error *err)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	int found = 0;

	if (dir == NULL)
		return tv_fail_system(err, folder, "cannot open the folder", errno);
	while (found >= 0 && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0
		    || strcmp(name, TV_LOG_MARKER) == 0)
			continue;
		if (!remove)
			found = 1;
		else if ((tv_ends_in(name, ".tvlog") || strcmp(name, "names") == 0
			  || strcmp(name, "topology.xml") == 0 || tv_ends_in(name, ".topology.xml")
			  || tv_ends_in(name, ".monitor"))
			 && unlinkat(dirfd(dir), name, 0) < 0 && errno != ENOENT)
			found = tv_fail_system(err, folder, "cannot delete the earlier recording",
					       errno);
	}
	closedir(dir);
	return found;
}

static int fail_exists(const char *folder, struct tv_error *err)
{
	return tv_fail_at(err, (struct tv_pos){ folder, 0 },
			  "the folder exists and is not empty, expected a new one (-f deletes an "
			  "earlier recording in it)");
}

/* Opens the marker; without --force it is not created in a folder with files of others. */
static int open_marker(const char *folder, const char *path, bool force, struct tv_error *err)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_CLOEXEC), found;

		if (fd >= 0 || errno != ENOENT)
			return fd >= 0 ? fd : tv_fail_system(err, path, "cannot open", errno);
		found = force ? 0 : list_files(folder, false, err);
		if (found < 0)
			return -1;
		/* An instance of the same job creates the marker before any other file. */
		if (found && access(path, F_OK) == 0)
			continue;
		if (found)
			return fail_exists(folder, err);
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		return fd >= 0 ? fd : tv_fail_system(err, path, "cannot create", errno);
	}
}

/* Whether the marker's text is of this job; *taken: an instance of this rank is in it already. */
static bool same_job(const char *text, const char *job, const char *rank, bool *taken)
{
	size_t n = strlen(job);
	char *line = tv_format("\nrank %s\n", rank);

	*taken = strcmp(rank, "-") != 0 && strstr(text, line) != NULL;
	tv_free(line);
	return strncmp(text, job, n) == 0 && text[n] == '\n';
}

/* With the marker locked: joins the recording, or begins it. */
static int join(int fd, const char *folder, bool force, struct tv_error *err)
{
	bool shared, taken = false;
	char text[65536], *job = job_name(&shared), *line;
	const char *rank = shared ? rank_name() : "-";
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	int rc = 0;

	text[n > 0 ? n : 0] = '\0';
	if (!same_job(text, job, rank, &taken) || taken) {
		int found = n > 0 ? 1 : list_files(folder, false, err);

		rc = found < 0	     ? -1
		   : found && !force ? fail_exists(folder, err)
		   : found	     ? list_files(folder, true, err)
				     : 0;
		line = tv_format("%s\nrank %s\n", job, rank);
		n = 0;
		if (rc == 0 && ftruncate(fd, 0) < 0)
			rc = tv_fail_system(err, folder, "cannot write to the folder", errno);
	} else {
		line = tv_format("rank %s\n", rank);
	}
	if (rc == 0 && pwrite(fd, line, strlen(line), n) != (ssize_t)strlen(line))
		rc = tv_fail_system(err, folder, "cannot write to the folder", errno);
	tv_free(line);
	tv_free(job);
	return rc;
}

int tv_record_open_folder(struct tv_recording *recording, struct tv_error *err)
{
	const char *folder = recording->cli->output;
	bool force = recording->cli->force;
	char absolute[PATH_MAX], *path;
	int fd, rc = 0;

	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return tv_fail_system(err, folder, "cannot create the folder", errno);
	if (realpath(folder, absolute) == NULL)
		return tv_fail_system(err, folder, "cannot open the folder", errno);
	recording->folder = tv_strdup(absolute);
	path = tv_format("%s/" TV_LOG_MARKER, absolute);
	fd = open_marker(absolute, path, force, err);
	tv_free(path);
	if (fd < 0)
		return -1;
	while (flock(fd, LOCK_EX) < 0 && rc == 0)
		if (errno != EINTR)
			rc = tv_fail_system(err, folder, "cannot lock the recording", errno);
	if (rc == 0)
		rc = join(fd, recording->folder, force, err);
	close(fd);
	return rc;
}

int tv_record_open_lock(const struct tv_recording *recording, const char *host,
			struct tv_error *err)
{
	char *path = tv_format("%s/.%s.monitor", recording->folder, host);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		tv_fail_system(err, path, "cannot create", errno);
	tv_free(path);
	return fd;
}

/* Why a log could not be created, as far as that shows afterwards; NULL: it does not. */
static const char *reason_of_no_log(const struct tv_recording *recording)
{
	const uint64_t needed = TV_LOG_PAGE + TV_LOG_CHUNK;
	struct rlimit limit;
	struct statvfs fs;
	struct stat st;

	if (stat(recording->folder, &st) < 0)
		return "the folder of its logs was removed while the program ran";
	if (statvfs(recording->folder, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < needed)
		return "there is no space on disk for its log";
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < needed)
		return "its log would exceed the limit of the size of files (ulimit -f)";
	return NULL;
}

static const char *reason_of_nothing(const struct tv_recording *recording)
{
	const struct tv_cli *cli = recording->cli;

	if (cli->region != NULL || cli->start_after_ns > 0)
		return "the program ended before recording began, or used nothing that is recorded";
	if (cli->mpi && !cli->openmp && !cli->starpu)
		return "the program called no function of MPI";
	if (cli->starpu && !cli->openmp && !cli->mpi)
		return "the program submitted no task to StarPU (linked dynamically)";
	if (recording->unrecorded)
		return "the program used nothing that this traceviz records";
	if (recording->is_script)
		return "no program that this script started uses libomp, MPI or StarPU; those of "
		       "gcc need "
		       "LD_PRELOAD=libomp.so.5";
	return "the program used no OpenMP, no MPI and no StarPU";
}

/* Deletes the folder with what this instance has made in it, unless others share it, or it has other files. */
static void drop_folder(const struct tv_recording *recording)
{
	static const char *const ours[] = { "names", TV_LOG_MARKER };
	bool shared;

	tv_free(job_name(&shared));
	if (shared)
		return;
	for (size_t i = 0; i < TV_COUNT(ours); i++) {
		char *path = tv_format("%s/%s", recording->folder, ours[i]);

		unlink(path);
		tv_free(path);
	}
	rmdir(recording->folder);
}

long tv_record_too_few_regions(const struct tv_recording *recording)
{
	char *path = tv_format("%s/" TV_LOG_MARKER, recording->folder), line[600];
	FILE *file = fopen(path, "r");
	long most = -1, n;

	tv_free(path);
	while (recording->cli->region != NULL && file != NULL
	       && fgets(line, sizeof line, file) != NULL)
		if (sscanf(line, "regions %ld", &n) == 1)
			most = n > most ? n : most;
	if (file != NULL)
		fclose(file);
	return most;
}

int tv_record_report_nothing(const struct tv_recording *recording, struct tv_error *err)
{
	const char *no_log = reason_of_no_log(recording);
	long regions = tv_record_too_few_regions(recording);

	if (no_log == NULL && regions >= 0) {
		drop_folder(recording);
		return tv_fail(err,
			       "--region %s: nothing was recorded, as the program had %ld parallel "
			       "region%s (those inside of others not counted)",
			       recording->cli->region, regions, tv_plural((uint64_t)regions));
	}
	tv_say(recording->cli, "warning: %s: nothing was recorded: %s%s", recording->cli->output,
	       no_log != NULL ? no_log : reason_of_nothing(recording),
	       no_log != NULL ? ""
			      : ", or it could create no log there (as another user, or "
				"with another root)");
	return 0;
}
