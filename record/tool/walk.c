/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c -- the events of a raw log one after the other. */
#include "record/tool/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct tv_log_chunk *chunk_at(const struct tv_walk *walk, uint32_t i)
{
	return (const void *)((const char *)walk->header + TV_LOG_PAGE + (size_t)i * TV_LOG_CHUNK);
}

static int by_sequence(const void *a, const void *b, void *context)
{
	const struct tv_walk *walk = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct tv_log_chunk *x = chunk_at(walk, i), *y = chunk_at(walk, k);

	if (x->buffer != y->buffer)
		return x->buffer < y->buffer ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return i < k ? -1 : i > k;
}

static int order_chunks(struct tv_walk *walk)
{
	size_t n = (walk->size - TV_LOG_PAGE) / TV_LOG_CHUNK, kept = 0;

	if (n > walk->header->chunks)
		n = walk->header->chunks;
	walk->order = malloc((n + 1) * sizeof *walk->order);
	if (!walk->order)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (chunk_at(walk, i)->magic == TV_LOG_CHUNK_MAGIC)
			walk->order[walk->nchunks++] = i;
	qsort_r(walk->order, walk->nchunks, sizeof *walk->order, by_sequence, walk);
	/* Of equal ones, the second is a copy that was not completed. */
	for (size_t i = 0; i < walk->nchunks; i++) {
		const struct tv_log_chunk *chunk = chunk_at(walk, walk->order[i]), *before;

		before = kept > 0 ? chunk_at(walk, walk->order[kept - 1]) : NULL;
		if (!before || before->buffer != chunk->buffer
		    || before->sequence != chunk->sequence)
			walk->order[kept++] = walk->order[i];
	}
	walk->nchunks = kept;
	return 0;
}

int tv_walk_open(struct tv_walk *walk, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *map = MAP_FAILED;

	*walk = (struct tv_walk){ 0 };
	if (fd < 0)
		return -1;
	errno = EINVAL;
	if (!fstat(fd, &st) && st.st_size >= TV_LOG_PAGE)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return -1;
	walk->header = map;
	walk->size = (size_t)st.st_size;
	if (memcmp(walk->header->magic, TV_LOG_MAGIC, sizeof walk->header->magic)
	    || walk->header->version != TV_LOG_VERSION || walk->header->endian != TV_LOG_ENDIAN
	    || walk->header->page != TV_LOG_PAGE || walk->header->chunk != TV_LOG_CHUNK) {
		tv_walk_close(walk);
		errno = EINVAL;
		return -1;
	}
	return order_chunks(walk);
}

const struct tv_log_event *tv_walk_next(struct tv_walk *walk)
{
	const size_t max = (TV_LOG_CHUNK - sizeof(struct tv_log_chunk)) / sizeof(uint64_t);

	for (; walk->chunk < walk->nchunks; walk->chunk++, walk->word = 0) {
		const struct tv_log_chunk *chunk = chunk_at(walk, walk->order[walk->chunk]);
		size_t words = chunk->words < max ? chunk->words : max;
		const struct tv_log_event *event = (const void *)((const uint64_t *)(chunk + 1)
								  + walk->word);

		if (walk->word == 0)
			walk->thread = chunk->thread;
		if (walk->word + 2 > words || event->words < 2 || walk->word + event->words > words)
			continue;
		walk->word += event->words;
		if (event->kind == TV_LOG_THREAD && event->words > 2)
			walk->thread = (uint32_t)tv_walk_args(event)[0];
		return event;
	}
	return NULL;
}

void tv_walk_close(struct tv_walk *walk)
{
	if (walk->header)
		munmap((void *)(uintptr_t)walk->header, walk->size);
	free(walk->order);
	*walk = (struct tv_walk){ 0 };
}

const char *tv_walk_text(const struct tv_log_event *event, unsigned n, size_t *length)
{
	const char *text = (const char *)(tv_walk_args(event) + n);

	*length = 0;
	if (event->words < 2 + n + 1)
		return NULL;
	*length = (event->words - 2 - n) * sizeof(uint64_t);
	return text[*length - 1] == '\0' ? text : NULL;
}
