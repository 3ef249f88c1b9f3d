/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unfinished.c -- the list of unfinished outputs, and the signals that clear it. */
#include "trace/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "trace/alloc.h"

/* Short names: one made of the target's could become too long. */
#define RANDOM	    "XXXXXX"
#define FILE_NAME   ".traceviz." RANDOM
#define FOLDER_NAME ".traceviz-folder." RANDOM
#define KEPT_NAME   ".traceviz-old." RANDOM

enum { LEFT_AFTER_S = 60 }; /* what is younger may be about to be locked */

static const int ending[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ
};
static const int crashing[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };

/* Newest first, so that files are deleted before the folder that was made for them. */
static struct tv_unfinished *volatile first;
static volatile pid_t owner;

void tv_unfinished_hold(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < TV_COUNT(ending); i++)
		sigaddset(&held, ending[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

void tv_unfinished_let(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}

static void add(struct tv_unfinished *u)
{
	owner = getpid();
	u->next = first;
	first = u;
}

/* Deletes the files in a folder, without what a signal handler must not call. */
static void delete_files(int folder)
{
	_Alignas(struct dirent64) char bytes[4096];
	bool more = true;
	long n;

	while (more) {
		more = false;
		lseek(folder, 0, SEEK_SET);
		while ((n = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0)
			for (long at = 0; at < n;) {
				const struct dirent64 *entry = (const void *)(bytes + at);

				more = unlinkat(folder, entry->d_name, 0) == 0 || more;
				at += entry->d_reclen;
			}
	}
}

static bool is_made_of(const char *name, const char *template)
{
	return strlen(name) == strlen(template)
	    && strncmp(name, template, strlen(template) - strlen(RANDOM)) == 0;
}

/* Deletes a file, or a folder of files, that a killed program has left: an old one that nobody has locked. */
static void delete_left(int folder, const char *name, bool is_folder)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && (is_folder ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode))
	    && time(NULL) - st.st_mtime > LEFT_AFTER_S && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		if (is_folder)
			delete_files(fd);
		unlinkat(folder, name, is_folder ? AT_REMOVEDIR : 0);
	}
	close(fd);
}

/* The same for all that is in a folder ("" is the current one), once for each folder in turn. */
static void clean(const char *folder)
{
	static dev_t device;
	static ino_t inode;
	DIR *dir = opendir(folder[0] != '\0' ? folder : ".");
	struct dirent *entry;
	struct stat st;

	if (dir == NULL)
		return;
	if (fstat(dirfd(dir), &st) == 0 && (st.st_dev != device || st.st_ino != inode)) {
		device = st.st_dev;
		inode = st.st_ino;
		while ((entry = readdir(dir)) != NULL)
			if (is_made_of(entry->d_name, FILE_NAME)
			    || is_made_of(entry->d_name, FOLDER_NAME))
				delete_left(dirfd(dir), entry->d_name,
					    is_made_of(entry->d_name, FOLDER_NAME));
	}
	closedir(dir);
}

/* One whose path is `name`, a template for a unique one, in the folder of the path `beside`. */
static struct tv_unfinished *new_beside(const char *beside, const char *name)
{
	const char *slash = strrchr(beside, '/');
	size_t folder = slash != NULL ? (size_t)(slash + 1 - beside) : 0;
	struct tv_unfinished *u = tv_alloc(1, sizeof *u + folder + strlen(name) + 1);

	memcpy(u->path, beside, folder);
	clean(u->path);
	strcpy(u->path + folder, name);
	u->lock = -1;
	return u;
}

/* NULL with the errno of what failed. */
static struct tv_unfinished *drop_failed(struct tv_unfinished *u)
{
	int code = errno;

	tv_free(u);
	errno = code;
	return NULL;
}

struct tv_unfinished *tv_unfinished_file(const char *beside, bool kept, int *fd)
{
	struct tv_unfinished *u = new_beside(beside, kept ? KEPT_NAME : FILE_NAME);
	sigset_t before;

	tv_unfinished_hold(&before);
	*fd = mkostemp(u->path, O_CLOEXEC);
	if (*fd >= 0)
		add(u);
	/* As long as this program lives, nobody takes the file for one that was left. */
	if (*fd >= 0 && !kept && flock(*fd, LOCK_EX | LOCK_NB) == 0)
		u->lock = fcntl(*fd, F_DUPFD_CLOEXEC, 0);
	tv_unfinished_let(&before);
	return *fd < 0 ? drop_failed(u) : u;
}

struct tv_unfinished *tv_unfinished_folder_beside(const char *beside, bool kept)
{
	struct tv_unfinished *u = new_beside(beside, kept ? KEPT_NAME : FOLDER_NAME);
	sigset_t before;
	bool made;

	u->folder = u->files = true;
	tv_unfinished_hold(&before);
	made = mkdtemp(u->path) != NULL;
	if (made)
		add(u);
	if (made && !kept) {
		u->lock = open(u->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (u->lock >= 0)
			flock(u->lock, LOCK_EX | LOCK_NB);
	}
	tv_unfinished_let(&before);
	return made ? u : drop_failed(u);
}

struct tv_unfinished *tv_unfinished_folder(const char *path)
{
	struct tv_unfinished *u = tv_alloc(1, sizeof *u + strlen(path) + 1);
	sigset_t before;
	int rc, code;

	memcpy(u->path, path, strlen(path));
	u->folder = true;
	u->lock = -1;
	tv_unfinished_hold(&before);
	rc = mkdir(path, 0777);
	code = errno;
	if (rc == 0)
		add(u);
	tv_unfinished_let(&before);
	if (rc < 0) {
		tv_free(u);
		errno = code;
		return NULL;
	}
	return u;
}

static void delete (const struct tv_unfinished *u)
{
	if (u->files) {
		int fd = open(u->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

		if (fd >= 0) {
			delete_files(fd);
			close(fd);
		}
	}
	if (u->folder)
		rmdir(u->path);
	else
		unlink(u->path);
}

void tv_unfinished_end(struct tv_unfinished *u, bool remove)
{
	sigset_t before;

	if (u == NULL)
		return;
	tv_unfinished_hold(&before);
	if (remove)
		delete (u);
	if (first == u) {
		first = u->next;
	} else {
		struct tv_unfinished *of = first;

		while (of->next != u)
			of = of->next;
		of->next = u->next;
	}
	tv_unfinished_let(&before);
	if (u->lock >= 0)
		close(u->lock);
	tv_free(u);
}

void tv_unfinished_remove_all(void)
{
	if (getpid() != owner)
		return;
	for (const struct tv_unfinished *u = first; u != NULL; u = u->next)
		delete (u);
}

static bool crash(int sig)
{
	for (size_t i = 0; i < TV_COUNT(crashing); i++)
		if (crashing[i] == sig)
			return true;
	return false;
}

static void on_signal(int sig)
{
	/* Only the main thread changes the list, and holds signals back meanwhile. A crash in
	 * another one (of Pango) does not wait. */
	if (!crash(sig) && syscall(SYS_gettid) != getpid()) {
		syscall(SYS_tgkill, getpid(), getpid(), sig);
		return;
	}
	tv_unfinished_remove_all();
	signal(sig, SIG_DFL);
	raise(sig); /* delivered when this handler returns: the exit status shows the signal */
}

static void handle(int sig)
{
	struct sigaction action;

	if (sigaction(sig, NULL, &action) < 0 || (action.sa_flags & SA_SIGINFO)
	    || action.sa_handler != SIG_DFL)
		return;
	action = (struct sigaction){ .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	sigfillset(&action.sa_mask);
	sigaction(sig, &action, NULL);
}

void tv_unfinished_on_signals(void)
{
	/* A stack of its own, for the case that the other one overflowed. */
	static char stack[64 * 1024];
	stack_t there;

	if (sigaltstack(NULL, &there) == 0 && (there.ss_flags & SS_DISABLE))
		sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	for (size_t i = 0; i < TV_COUNT(ending); i++)
		handle(ending[i]);
	for (size_t i = 0; i < TV_COUNT(crashing); i++)
		handle(crashing[i]);
}
