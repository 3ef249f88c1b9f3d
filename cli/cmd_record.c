/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_record.c -- traceviz record: runs a program with probes that record it. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/record.h"
#include "record/loaded/counters.h"
#include "record/loaded/job.h"
#include "trace/alloc.h"
#include "trace/options.h"

enum { TAG_MAX = 60 };

/* The file that was executed; "" if unknown. Without /proc, as it was called. */
static void find_self(char *self, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", self, size - 1);
	const char *called = (const char *)(uintptr_t)getauxval(AT_EXECFN);

	self[n > 0 ? n : 0] = '\0';
	if (n <= 0 && called != NULL)
		snprintf(self, size, "%s", called);
}

/* The libraries are in record/ beside the binary (built), or in ../lib/traceviz (installed). */
static int find_libraries(struct tv_recording *recording, struct tv_error *err)
{
	static const char *const place[] = { "record", "../lib/traceviz" };
	char self[PATH_MAX];

	find_self(self, sizeof self);
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

static int fail_names(const char *path, struct tv_error *err)
{
	return tv_fail_system(err, path, "cannot read the names", errno);
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

/* Opens the counters for this thread, to see which there are. */
static int check_counters(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_counters counters;
	char missing[512], known[1024];

	if (!cli->counters)
		return 0;
	if (tv_counters_open(&counters, cli->counters, missing, sizeof missing) < 0) {
		tv_counters_list(known, sizeof known);
		return tv_fail_usage(err, "--counters: '%s' is unknown, expected up to %d of: %s",
				     missing, TV_MAX_COUNTERS, known);
	}
	tv_counters_close(&counters);
	if (missing[0])
		tv_say(cli,
		       "not counted, as this machine has no such counter or does not permit it: %s",
		       missing);
	return 0;
}

/* Whether a list of names with commas has one. */
static bool is_named(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)) != NULL; at += n)
		if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
			return true;
	return false;
}

/* How long a thread had a processor says what it lacked only if it is known whether it slept. */
static void set_counters(const char *counters)
{
	static const char slept[] = "voluntary-switches";
	unsigned n = 1;
	bool add = counters != NULL && is_named(counters, "task-clock")
		&& !is_named(counters, slept);
	char *list;

	for (const char *at = counters; add && *at != '\0'; at++)
		n += *at == ',';
	add = add && n < TV_MAX_COUNTERS;
	list = add ? tv_format("%s,%s", counters, slept) : NULL;
	set_variable("TRACEVIZ_COUNTERS", add ? list : counters);
	tv_free(list);
}

static int set_environment(struct tv_recording *recording, struct tv_error *err)
{
	const struct tv_cli *cli = recording->cli;
	const bool all = !cli->openmp && !cli->mpi && !cli->starpu && cli->monitor == NULL;
	int rc = preload_core(recording, err);

	char *tags = NULL;

	for (size_t i = 0; i < cli->nsettings; i++)
		if (strcmp(cli->setting[i].key, "tag") == 0)
			tv_append(&tags, "%s\n", cli->setting[i].value);
	set_variable("TRACEVIZ_TAGS", tags);
	tv_free(tags);
	unsetenv("TRACEVIZ_PAUSED");
	if (rc == 0)
		rc = check_counters(cli, err);
	if (rc == 0 && (cli->openmp || all))
		rc = tv_record_openmp(recording, err);
	if (rc == 0 && (cli->mpi || all))
		rc = tv_record_mpi(recording, err);
	if (rc == 0 && (cli->starpu || all))
		rc = tv_record_starpu(recording, err);
	if (rc < 0)
		return -1;
	set_preload(recording);
	set_variable("TRACEVIZ_RECORDER", recording->name);
	set_number("TRACEVIZ_MAX_SIZE", cli->max_size);
	set_number("TRACEVIZ_START_AFTER", (uint64_t)cli->start_after_ns);
	set_variable("TRACEVIZ_REGION", cli->region);
	set_counters(cli->counters);
	set_variable("TRACEVIZ_PAGES", cli->pages ? "1" : NULL);
	return 0;
}

/* --names FILE, which was opened before --force may delete it, becomes DIR/names, which readers of the
 * logs use. */
static int copy_names(const struct tv_recording *recording, int from, struct tv_error *err)
{
	char *to = tv_format("%s/names", recording->folder), bytes[4096];
	struct tv_output out;
	ssize_t n;
	int rc = tv_output_open(&out, to, err);

	tv_free(to);
	if (rc < 0)
		return -1;
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		tv_output_write(&out, bytes, (size_t)n);
	if (n == 0)
		return tv_output_commit(&out, err);
	tv_output_abort(&out);
	return fail_names(recording->cli->names, err);
}

/* --region N or N..M. */
static int check_region(const char *text, struct tv_error *err)
{
	unsigned long first = 0, last = 0;
	char *end = NULL;

	if (text == NULL)
		return 0;
	if (isdigit((unsigned char)text[0]))
		first = last = strtoul(text, &end, 10);
	if (end != NULL && strncmp(end, "..", 2) == 0 && isdigit((unsigned char)end[2]))
		last = strtoul(end + 2, &end, 10);
	if (end != NULL && *end == '\0' && first >= 1 && last >= first)
		return 0;
	return tv_fail_usage(err, "--region '%s', expected N or N..M, counted from 1", text);
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

void tv_describe_record(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(
		out,
		"\nThe program, found by PATH, is run with libraries that record it (LD_PRELOAD, "
		"OMP_TOOL_LIBRARIES).\nIts input, output and signals pass through, and the "
		"command ends as the program ends: with its\nstatus, or by the signal that ended "
		"it. 127: there is no such program; 126: it cannot be run.\n"
		"\nOutput: DIR/[RANK.]HOST.PID.tvlog, a log of each process that did something "
		"that is recorded. The\ninstances of one mpirun or srun share DIR.\n");
}

/* --tag KEY=VALUE. */
static int check_tags(const struct tv_cli *cli, struct tv_error *err)
{
	for (size_t i = 0; i < cli->nsettings; i++) {
		const char *text = cli->setting[i].value;
		size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					"0123456789_.-");

		if (strcmp(cli->setting[i].key, "tag") == 0
		    && (n == 0 || n > TAG_MAX || text[n] != '=' || strchr(text, '\n') != NULL))
			return tv_fail_usage(
				err,
				"--tag '%s', expected KEY=VALUE in one line, KEY of up "
				"to %d letters, digits, _ . and -",
				text, TAG_MAX);
	}
	return 0;
}

#define AT(member) offsetof(struct tv_cli, member)

static int check_usage(const struct tv_cli *cli, struct tv_error *err)
{
	bool program = cli->program != NULL && cli->program[0] != NULL;
	static const size_t about_monitor[] = { AT(every_ns), AT(pid), AT(skip_missing),
						AT(watch) };
	static const size_t about_openmp[] = { AT(region), AT(pages) };
	const char *of_monitor = tv_cli_given(cli, about_monitor, TV_COUNT(about_monitor));
	const char *of_openmp = tv_cli_given(cli, about_openmp, TV_COUNT(about_openmp));

	if (cli->output == NULL)
		return tv_fail_usage(err, "record needs -o DIR; try 'traceviz record --help'");
	if (cli->monitor == NULL && of_monitor != NULL)
		return tv_fail_usage(err, "--%s is of --monitor; add that", of_monitor);
	if (cli->watch && !isatty(STDERR_FILENO))
		return tv_fail_usage(err, "--watch draws on standard error, which is no terminal "
					  "here");
	if (cli->pid != 0 && program)
		return tv_fail_usage(err, "--pid watches a process that runs already; expected no "
					  "program");
	if (!program
	    && (cli->monitor == NULL || cli->openmp || cli->mpi || cli->starpu || of_openmp != NULL
		|| cli->counters != NULL))
		return tv_fail_usage(err, "record needs a program to run; try 'traceviz record "
					  "--help'");
	if ((cli->mpi || cli->starpu || cli->monitor != NULL) && !cli->openmp && of_openmp != NULL)
		return tv_fail_usage(err, "--%s is of OpenMP, which is not recorded; add --openmp",
				     of_openmp);
	if ((cli->mpi || cli->monitor != NULL) && !cli->openmp && !cli->starpu
	    && cli->counters != NULL)
		return tv_fail_usage(err, "--counters is of tasks, which are not recorded; add "
					  "--openmp or --starpu");
	if ((cli->mpi || cli->openmp || cli->monitor != NULL) && !cli->starpu
	    && cli->top_candidates)
		return tv_fail_usage(err,
				     "--top is of StarPU, which is not recorded; add --starpu");
	return check_tags(cli, err) < 0 ? -1 : check_region(cli->region, err);
}

/* What a program needs; what cannot be recorded leaves no folder. */
static int prepare_program(struct tv_recording *recording, struct tv_error *err)
{
	if (find_libraries(recording, err) < 0 || tv_record_find_program(recording, err) < 0)
		return -1;
	return set_environment(recording, err);
}

static int run_program(struct tv_recording *recording, int *status, struct tv_error *err)
{
	struct timespec now;

	set_variable("TRACEVIZ_DIR", recording->folder);
	clock_gettime(CLOCK_REALTIME, &now);
	recording->begin = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
	tv_record_calibrate(recording);
	if (tv_record_run(recording, status, err) < 0)
		return -1;
	/* What the program says of itself counts more. */
	return tv_record_end(recording, err) < 0 && *status == 0 ? -1 : 0;
}

/* Samples the machine, or a process that runs already, without starting anything. */
static int watch(struct tv_recording *recording, struct tv_error *err)
{
	long pid = (long)recording->cli->pid;
	sigset_t set, before;
	int rc;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &before);
	rc = tv_record_begin_monitor(recording, pid, err);
	if (rc == 0)
		rc = tv_record_watch(pid, err);
	tv_record_end_monitor(recording);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static void release(struct tv_recording *recording)
{
	tv_record_release_monitor(recording);
	tv_free(recording->path);
	tv_free(recording->folder);
	tv_free(recording->libraries);
	tv_free(recording->preload);
	tv_free(recording->name);
}

int tv_cmd_record(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_recording recording = { .cli = cli, .argv = cli->program };
	bool program = cli->program != NULL && cli->program[0] != NULL;
	char host[256] = "";
	int rc = check_usage(cli, err), status = 0, names = -1;

	tv_record_restore_cpus();
	set_variable("TRACEVIZ_KEEP_HOST", cli->keep_host ? "1" : NULL);
	tv_host_name(host, sizeof host);
	recording.name = tv_format("%s.%ld", host, (long)getpid());
	if (rc == 0 && cli->names != NULL && (names = open(cli->names, O_RDONLY | O_CLOEXEC)) < 0)
		rc = fail_names(cli->names, err);
	if (rc == 0 && program)
		rc = prepare_program(&recording, err);
	if (rc == 0 && cli->monitor != NULL)
		rc = tv_record_prepare_monitor(&recording, err);
	if (rc == 0)
		rc = tv_record_open_folder(&recording, err);
	if (rc == 0 && names >= 0)
		rc = copy_names(&recording, names, err);
	if (rc == 0)
		rc = program ? run_program(&recording, &status, err) : watch(&recording, err);
	if (names >= 0)
		close(names);
	release(&recording);
	return rc == 0 ? end_as(status, err) : -1;
}
