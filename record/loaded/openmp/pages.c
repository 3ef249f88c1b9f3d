/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.c -- --pages: the NUMA nodes of the pages behind the addresses of depend clauses.
 *
 * A thread puts addresses into a buffer of its own. At the end of a region, and when a buffer is
 * full, they are taken out; each address is asked for once, or again at the end of the next region where
 * its page did not exist yet.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/loaded/openmp/probe.h"

enum { BUFFER = 1024, RECENT = 256, BATCH = 512 };

struct tv_omp_buffer {
	struct tv_omp_buffer *next;
	atomic_bool is_used;	 /* by a thread that has not ended */
	_Atomic unsigned n;	 /* addresses that the thread has added */
	unsigned done;		 /* of these, how many were taken out */
	uint64_t recent[RECENT]; /* addresses added lately, by their last bits */
	uint64_t address[BUFFER];
};

struct list {
	uint64_t *item;
	size_t n, cap;
};

bool tv_omp_has_pages;

static _Atomic(struct tv_omp_buffer *) buffers; /* none is ever freed */
/* What follows belongs to who holds it. */
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;
static struct list seen;  /* hash table, cap a power of 2; 0 = free */
static struct list open_; /* seen, but not answered */

void tv_omp_pages_setup(void)
{
	tv_omp_has_pages = getenv("TRACEVIZ_PAGES") != NULL;
}

static uint64_t *find_slot(struct list *table, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15) >> 20 & (table->cap - 1);

	while (table->item[i] && table->item[i] != address)
		i = (i + 1) & (table->cap - 1);
	return &table->item[i];
}

static bool grow_table(void)
{
	struct list grown = { .n = seen.n, .cap = seen.cap ? 2 * seen.cap : 4096 };

	grown.item = calloc(grown.cap, sizeof *grown.item);
	if (!grown.item)
		return false;
	for (size_t i = 0; i < seen.cap; i++)
		if (seen.item[i])
			*find_slot(&grown, seen.item[i]) = seen.item[i];
	free(seen.item);
	seen = grown;
	return true;
}

static void take_address(uint64_t address)
{
	if (2 * seen.n >= seen.cap && !grow_table())
		return;
	if (open_.n == open_.cap) {
		size_t cap = open_.cap ? 2 * open_.cap : 1024;
		uint64_t *item = realloc(open_.item, cap * sizeof *item);
		if (!item)
			return;
		open_.item = item;
		open_.cap = cap;
	}
	uint64_t *slot = find_slot(&seen, address);
	if (*slot)
		return;
	*slot = address;
	seen.n++;
	open_.item[open_.n++] = address;
}

static void take(struct tv_omp_buffer *buffer)
{
	unsigned n = atomic_load_explicit(&buffer->n, memory_order_acquire);

	while (buffer->done < n)
		take_address(buffer->address[buffer->done++]);
}

/* Asks for open_[from..from+n); writes the answers, and moves the others to open_[*kept]. */
static void ask(size_t from, size_t n, size_t *kept)
{
	void *page[BATCH];
	int node[BATCH];

	for (size_t i = 0; i < n; i++) {
		page[i] = (void *)(uintptr_t)(open_.item[from + i] / TV_LOG_PAGE * TV_LOG_PAGE);
		node[i] = -1;
	}
	long rc = syscall(SYS_move_pages, 0, n, page, NULL, node, 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t address = open_.item[from + i];
		if (rc != 0 || node[i] < 0)
			open_.item[(*kept)++] = address;
		else
			tv_log_write(TV_LOG_PAGE_AT, 0, 2,
				     (uint64_t[]){ address, (uint64_t)node[i] }, NULL, 0);
	}
}

void tv_omp_pages_write(void)
{
	int errno_before = errno;
	size_t kept = 0;

	pthread_mutex_lock(&taking);
	for (struct tv_omp_buffer *buffer = atomic_load(&buffers); buffer; buffer = buffer->next)
		take(buffer);
	for (size_t from = 0; from < open_.n; from += BATCH)
		ask(from, open_.n - from < BATCH ? open_.n - from : BATCH, &kept);
	open_.n = kept;
	pthread_mutex_unlock(&taking);
	errno = errno_before;
}

/* One that no thread uses any more, or a new one; NULL: no memory. */
static struct tv_omp_buffer *get_buffer(void)
{
	struct tv_omp_buffer *buffer = atomic_load(&buffers);

	for (; buffer; buffer = buffer->next)
		if (!atomic_exchange(&buffer->is_used, true))
			return buffer;
	buffer = calloc(1, sizeof *buffer);
	if (!buffer)
		return NULL;
	atomic_store(&buffer->is_used, true);
	buffer->next = atomic_load(&buffers);
	while (!atomic_compare_exchange_weak(&buffers, &buffer->next, buffer))
		;
	return buffer;
}

void tv_omp_pages_add(uint64_t address)
{
	struct tv_omp_buffer *buffer = tv_omp_self.pages;

	if (!buffer)
		buffer = tv_omp_self.pages = get_buffer();
	if (!buffer || !address || buffer->recent[address / 8 % RECENT] == address)
		return;
	buffer->recent[address / 8 % RECENT] = address;
	unsigned n = atomic_load_explicit(&buffer->n, memory_order_relaxed);
	if (n == BUFFER) {
		pthread_mutex_lock(&taking);
		take(buffer);
		buffer->done = n = 0;
		atomic_store(&buffer->n, 0);
		pthread_mutex_unlock(&taking);
	}
	buffer->address[n] = address;
	atomic_store_explicit(&buffer->n, n + 1, memory_order_release);
}

void tv_omp_pages_end_thread(void)
{
	if (tv_omp_self.pages)
		atomic_store(&tv_omp_self.pages->is_used, false);
	tv_omp_self.pages = NULL;
}

/* What other threads of the parent were changing is left as it is. */
void tv_omp_pages_forked(void)
{
	pthread_mutex_init(&taking, NULL);
	atomic_store(&buffers, NULL);
	tv_omp_self.pages = NULL;
	seen = open_ = (struct list){ 0 };
}
