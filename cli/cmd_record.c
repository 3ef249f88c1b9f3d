/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_record.c -- traceviz record: runs a program with probes that record it. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/record.h"
#include "trace/alloc.h"
#include "trace/options.h"

/* The libraries are in record/ beside the binary (built), or in ../lib/traceviz (installed). */
static int find_libraries(struct tv_recording *recording, struct tv_error *err)
{
	static const char *const place[] = { "record", "../lib/traceviz" };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; strchr(self, '/') != NULL && i < TV_COUNT(place); i++) {
		char *path = tv_format("%.*s%s/libtraceviz-record.so",
				       (int)(strrchr(self, '/') + 1 - self), self, place[i]);
		char *folder = realpath(path, NULL);

		tv_free(path);
		if (folder == NULL)
			continue;
		*strrchr(folder, '/') = '\0';
		recording->libraries = tv_strdup(folder);
		free(folder);
		return 0;
	}
	return tv_fail(err,
		       "cannot find libtraceviz-record.so, expected in record/ or ../lib/traceviz/ "
		       "from the folder of %s",
		       self);
}

int tv_record_preload(struct tv_recording *recording, const char *path, struct tv_error *err)
{
	char *old = recording->preload;

	if (access(path, R_OK) < 0)
		return tv_fail(err, "cannot load '%s' into the program: %s", path, strerror(errno));
	if (strpbrk(path, " :") != NULL)
		return tv_fail(err,
			       "cannot load '%s' into the program: a path with a space or a colon "
			       "cannot be in LD_PRELOAD",
			       path);
	recording->preload = old == NULL ? tv_strdup(path) : tv_format("%s:%s", old, path);
	tv_free(old);
	return 0;
}

static int preload_core(struct tv_recording *recording, struct tv_error *err)
{
	char *path = tv_format("%s/libtraceviz-record.so", recording->libraries);
	int rc = tv_record_preload(recording, path, err);

	tv_free(path);
	return rc;
}

static void set_preload(const struct tv_recording *recording)
{
	const char *user = getenv("LD_PRELOAD");
	char *all = tv_format("%s%s%s", recording->preload, user != NULL && user[0] ? ":" : "",
			      user != NULL ? user : "");

	setenv("LD_PRELOAD", all, 1);
	tv_free(all);
}

/* A setting that is not given must not come from the recording that this one runs in. */
static void set_variable(const char *name, const char *value)
{
	if (value != NULL)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void set_number(const char *name, uint64_t value)
{
	char *text = value > 0 ? tv_format("%llu", (unsigned long long)value) : NULL;

	set_variable(name, text);
	tv_free(text);
}

static int set_environment(struct tv_recording *recording, struct tv_error *err)
{
	const struct tv_cli *cli = recording->cli;
	int rc = preload_core(recording, err);

	if (rc == 0)
		rc = tv_record_openmp(recording, err);
	if (rc < 0)
		return -1;
	set_preload(recording);
	set_variable("TRACEVIZ_DIR", recording->folder);
	set_number("TRACEVIZ_MAX_SIZE", cli->max_size);
	set_number("TRACEVIZ_START_AFTER", (uint64_t)tv_value_time(cli->start_after, 0));
	set_variable("TRACEVIZ_REGION", cli->region);
	set_variable("TRACEVIZ_COUNTERS", cli->counters);
	set_variable("TRACEVIZ_PAGES", cli->pages ? "1" : NULL);
	return 0;
}

/* Ends as the program ended, so that shells and scripts see no difference. */
static int end_as(int status, struct tv_error *err)
{
	struct rlimit none = { 0, 0 };
	sigset_t set;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &none);
		signal(WTERMSIG(status), SIG_DFL);
		sigemptyset(&set);
		sigaddset(&set, WTERMSIG(status));
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		raise(WTERMSIG(status));
	}
	*err = (struct tv_error){ .status = WIFEXITED(status)
						  ? (enum tv_failure)WEXITSTATUS(status)
						  : (enum tv_failure)(128 + WTERMSIG(status)) };
	return -1;
}

int tv_cmd_record(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_recording recording = { .cli = cli, .argv = cli->program };
	int rc, status = 0;

	if (cli->output == NULL)
		return tv_fail_usage(err, "record needs -o DIR; try 'traceviz record --help'");
	if (cli->program == NULL || cli->program[0] == NULL)
		return tv_fail_usage(err, "record needs a program to run; try 'traceviz record "
					  "--help'");
	rc = find_libraries(&recording, err);
	if (rc == 0)
		rc = tv_record_find_program(&recording, err);
	if (rc == 0)
		rc = tv_record_open_folder(&recording, err);
	if (rc == 0)
		rc = set_environment(&recording, err);
	if (rc == 0)
		rc = tv_record_run(&recording, &status, err);
	tv_free(recording.path);
	tv_free(recording.folder);
	tv_free(recording.libraries);
	tv_free(recording.preload);
	return rc == 0 ? end_as(status, err) : -1;
}
