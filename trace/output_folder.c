/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_folder.c -- a folder of files that appears as a whole: write beside, rename. */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_write(const struct tv_output_folder *folder, struct tv_error *err)
{
	return tv_fail_system(err, folder->path, "cannot write", errno);
}

int tv_output_folder_open(struct tv_output_folder *folder, const char *path, struct tv_error *err)
{
	char *there = realpath(path, NULL);
	size_t n = strlen(path);
	struct stat st;
	mode_t mode = umask(0);

	umask(mode);
	mode = 0777 & ~mode;
	while (n > 1 && path[n - 1] == '/')
		n--;
	*folder = (struct tv_output_folder){
		.path = tv_strdup(path),
		.target = there != NULL ? tv_strdup(there) : tv_strndup(path, n),
	};
	free(there);
	if (stat(folder->target, &st) == 0) {
		if (!S_ISDIR(st.st_mode))
			errno = ENOTDIR;
		mode = S_ISDIR(st.st_mode) ? st.st_mode & 0777 : 0;
	}
	if (mode != 0)
		folder->unfinished = tv_unfinished_folder_beside(folder->target, false);
	if (folder->unfinished != NULL && chmod(folder->unfinished->path, mode) == 0)
		return 0;
	fail_write(folder, err);
	tv_output_folder_abort(folder);
	return -1;
}

const char *tv_output_folder_path(const struct tv_output_folder *folder)
{
	return folder->unfinished->path;
}

/* All of its files, at once: one by one takes minutes for thousands. */
static int sync_files(const struct tv_output_folder *folder, struct tv_error *err)
{
	int fd = open(folder->unfinished->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 || syncfs(fd) < 0 ? fail_write(folder, err) : 0;

	if (fd >= 0)
		close(fd);
	return rc;
}

int tv_output_folder_commit(struct tv_output_folder *folder, struct tv_error *err)
{
	struct tv_unfinished *old = NULL;
	struct stat st;
	sigset_t before;
	bool there = stat(folder->target, &st) == 0, aside, done;
	int rc = sync_files(folder, err);

	if (rc == 0 && there && (old = tv_unfinished_folder_beside(folder->target, true)) == NULL)
		rc = fail_write(folder, err);
	if (rc < 0) {
		tv_output_folder_abort(folder);
		return rc;
	}
	tv_unfinished_hold(&before);
	aside = there && rename(folder->target, old->path) == 0;
	done = aside == there && rename(folder->unfinished->path, folder->target) == 0;
	if (!done) {
		rc = fail_write(folder, err);
		/* What cannot get its name again stays under the other one. */
		if (aside && rename(old->path, folder->target) < 0) {
			tv_unfinished_end(old, false);
			old = NULL;
		}
	} else {
		tv_unfinished_end(folder->unfinished, false);
		folder->unfinished = NULL;
	}
	tv_unfinished_end(old, true);
	tv_unfinished_let(&before);
	tv_output_folder_abort(folder);
	return rc;
}

void tv_output_folder_abort(struct tv_output_folder *folder)
{
	tv_unfinished_end(folder->unfinished, true);
	tv_free(folder->path);
	tv_free(folder->target);
	*folder = (struct tv_output_folder){ 0 };
}
