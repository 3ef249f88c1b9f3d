/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_run.c -- starts the recorded program, passes signals to it and waits for its end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/record.h"
#include "trace/alloc.h"

static int fail_program(const char *name, int code, struct tv_error *err)
{
	tv_fail(err, "cannot run '%s': %s", name, strerror(code));
	err->status = code == ENOENT ? 127 : 126;
	return -1;
}

/* Whether the file can be executed, else errno. */
static bool can_run(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	errno = EACCES;
	return S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

int tv_record_find_program(struct tv_recording *recording, struct tv_error *err)
{
	const char *name = recording->argv[0], *folders = getenv("PATH");
	int why = ENOENT;

	if (strchr(name, '/') != NULL) {
		recording->path = tv_strdup(name);
		return can_run(name) ? 0 : fail_program(name, errno, err);
	}
	if (folders == NULL)
		folders = "/usr/bin:/bin";
	for (const char *at = folders;; at++) {
		size_t n = strcspn(at, ":");
		char *path = tv_format("%.*s/%s", n > 0 ? (int)n : 1, n > 0 ? at : ".", name);

		if (name[0] != '\0' && can_run(path)) {
			recording->path = path;
			return 0;
		}
		if (errno == EACCES)
			why = EACCES;
		tv_free(path);
		at += n;
		if (*at == '\0')
			return fail_program(name, why, err);
	}
}

/* The signals that are passed on: all that somebody may send to end or to steer a program, but those
 * of job control, which stop and continue the recorder as well. */
static void signals_passed(sigset_t *set)
{
	static const int passed[] = { SIGHUP,  SIGINT,	SIGQUIT, SIGTERM,   SIGUSR1,
				      SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF };

	sigemptyset(set);
	for (size_t i = 0; i < TV_COUNT(passed); i++)
		sigaddset(set, passed[i]);
}

/* Passes signals to the program until it ends. One that the kernel sent (Ctrl-C, the end of the
 * terminal) went to all processes of the terminal, so the program has it. */
static void wait_for_end(pid_t child, const sigset_t *set, int *status)
{
	siginfo_t info;
	pid_t ended = 0;

	while (ended != child) {
		int signal = sigwaitinfo(set, &info);

		if (signal == SIGCHLD)
			ended = waitpid(child, status, WNOHANG);
		else if (signal > 0 && info.si_code <= 0)
			kill(child, signal);
	}
	/* What ended the program must not end the recorder, which has work to do. */
	while (sigtimedwait(set, &info, &(struct timespec){ 0 }) > 0)
		;
}

static unsigned long cpus_at_start[1024 / sizeof(long)];
static long cpus_bytes;

__attribute__((no_sanitize("address", "undefined"))) void tv_record_save_cpus(void)
{
	cpus_bytes = syscall(SYS_sched_getaffinity, 0, sizeof cpus_at_start, cpus_at_start);
}

void tv_record_restore_cpus(void)
{
	if (cpus_bytes > 0)
		syscall(SYS_sched_setaffinity, 0, cpus_bytes, cpus_at_start);
}

static _Noreturn void become_program(const struct tv_recording *recording, int report, int go,
				     const sigset_t *mask)
{
	char byte;
	int code;

	/* Until what counts for this process is open; nothing comes where the recorder has failed. */
	if (read(go, &byte, 1) != 1)
		_exit(127);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(recording->path, recording->argv);
	code = errno;
	if (write(report, &code, sizeof code) < 0)
		_exit(126);
	_exit(127);
}

int tv_record_run(struct tv_recording *recording, int *status, struct tv_error *err)
{
	sigset_t set, before;
	int report[2], go[2], code = 0, rc = 0;
	struct sigaction act = { .sa_handler = SIG_DFL }, act_before;
	pid_t child;

	if (pipe2(report, O_CLOEXEC) < 0)
		return tv_fail(err, "cannot create a pipe: %s", strerror(errno));
	if (pipe2(go, O_CLOEXEC) < 0) {
		close(report[0]);
		close(report[1]);
		return tv_fail(err, "cannot create a pipe: %s", strerror(errno));
	}
	signals_passed(&set);
	sigaddset(&set, SIGCHLD);
	/* An ignored SIGCHLD, which is inherited, would take the program's status away. */
	sigaction(SIGCHLD, &act, &act_before);
	sigprocmask(SIG_BLOCK, &set, &before);
	child = fork();
	if (child == 0) {
		sigaction(SIGCHLD, &act_before, NULL);
		close(go[1]);
		become_program(recording, report[1], go[0], &before);
	}
	close(report[1]);
	close(go[0]);
	if (child < 0) {
		close(report[0]);
		close(go[1]);
		return tv_fail(err, "cannot start a process: %s", strerror(errno));
	}
	if (recording->monitoring != NULL)
		rc = tv_record_begin_monitor(recording, child, err);
	if (rc == 0 && write(go[1], "", 1) != 1)
		rc = tv_fail(err, "cannot start the program: %s", strerror(errno));
	close(go[1]);
	if (read(report[0], &code, sizeof code) != sizeof code)
		code = 0;
	close(report[0]);
	wait_for_end(child, &set, status);
	if (recording->monitoring != NULL)
		tv_record_end_monitor(recording);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (rc < 0)
		return -1;
	return code == 0 ? 0 : fail_program(recording->argv[0], code, err);
}

int tv_record_watch(long pid, struct tv_error *err)
{
	int process = pid > 0 ? (int)syscall(SYS_pidfd_open, (pid_t)pid, 0) : -1, signals;
	struct signalfd_siginfo taken;
	struct pollfd wait[2];
	sigset_t set;

	if (pid > 0 && process < 0)
		return tv_fail(err, "cannot watch process %ld: %s", pid, strerror(errno));
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	signals = signalfd(-1, &set, SFD_CLOEXEC);
	wait[0] = (struct pollfd){ .fd = signals, .events = POLLIN };
	wait[1] = (struct pollfd){ .fd = process, .events = POLLIN };
	while (poll(wait, 2, -1) < 0 && errno == EINTR)
		;
	/* The signal has done its work; left pending, it would end this process. */
	if (wait[0].revents != 0 && read(signals, &taken, sizeof taken) < 0)
		return tv_fail(err, "cannot read a signal: %s", strerror(errno));
	close(signals);
	if (process >= 0)
		close(process);
	return 0;
}
