/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unfinished.h -- the one list of what must not stay behind if the program ends early.
 *
 * Temporary files of outputs (and a folder made for them) are on it from their creation until they
 * get their final name. Used by trace/output.c; others need only tv_unfinished_remove_all.
 */
#ifndef TV_UNFINISHED_H
#define TV_UNFINISHED_H

#include <stdbool.h>
#include <signal.h>

#include "trace/error.h"

struct tv_unfinished {
	struct tv_unfinished *next;
	bool folder, files; /* files: those in the folder go with it */
	int lock;	    /* keeps a lock on it; -1 */
	char path[];
};

/*
 * Creates a temporary file in the folder of the path `beside` and opens it: *fd. It is locked, and what
 * killed programs have left in that folder (unlocked, older than a minute) is deleted first. kept: a
 * place for what is replaced, which is not deleted so. NULL with errno.
 */
struct tv_unfinished *tv_unfinished_file(const char *beside, bool kept, int *fd);
/* Creates a folder. NULL with errno (EEXIST: it exists). */
struct tv_unfinished *tv_unfinished_folder(const char *path);
/* Creates a temporary folder likewise; it is deleted with the files in it. */
struct tv_unfinished *tv_unfinished_folder_beside(const char *beside, bool kept);
/* Takes one off the list and frees it; accepts NULL. remove: deletes it from disk, too. */
void tv_unfinished_end(struct tv_unfinished *u, bool remove);

/* Deletes all that is on the list. Safe in a signal handler; does nothing in a child process. */
void tv_unfinished_remove_all(void);
/* Deletes it when a signal ends the program: INT, TERM, HUP and the like, and crashes. A signal
 * that is ignored (nohup) or that somebody handles already is left alone. */
void tv_unfinished_on_signals(void);

/* Holds such signals back while names change, and lets them through again. */
void tv_unfinished_hold(sigset_t *before);
void tv_unfinished_let(const sigset_t *before);

#endif
