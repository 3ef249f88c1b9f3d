/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c -- what ends the command ends only a call of the library. */
#include "lib/guard.h"

#include <pthread.h>
#include <setjmp.h>

#include "trace/alloc.h"
#include "trace/output.h"
#include "trace/parallel.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_t caller;
static jmp_buf back;
static struct tv_error *failure;

static void on_exhaustion(size_t bytes, const char *purpose)
{
	char text[512];

	tv_fail(failure, "%s", tv_memory_message(text, sizeof text, bytes, purpose));
	longjmp(back, 1);
}

/* In another thread there is no way back. */
static void on_bug(const char *text)
{
	if (!pthread_equal(caller, pthread_self()))
		return;
	tv_fail(failure, "internal error: %s", text);
	longjmp(back, 1);
}

bool tv_guard(void (*work)(void *context), void *context, struct tv_error *err)
{
	volatile bool done = false;

	pthread_mutex_lock(&one);
	caller = pthread_self();
	failure = err;
	tv_memory_limit(0);
	tv_threads_set(0);
	tv_memory_purpose("%s", "");
	tv_memory_on_exhaustion(on_exhaustion);
	tv_on_bug(on_bug);
	if (setjmp(back) == 0) {
		work(context);
		done = true;
	} else {
		tv_output_give_up();
	}
	tv_on_bug(NULL);
	tv_memory_on_exhaustion(NULL);
	pthread_mutex_unlock(&one);
	return done;
}
