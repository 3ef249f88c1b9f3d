/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c -- blocks and records of an FxT file, bounds-checked. */
#include "convert/fxt/file.h"

#include "trace/trace.h"

enum {
	MAGIC = 4,	   /* the architecture number, always big-endian */
	BLOCK_HEADER = 16, /* u64 size of the block with this header, i32 type, i32 subtype */
	BLOCK_INFO = 0x001,
	BLOCK_TIME = 0x010,
	BLOCK_USER32 = 0x200,
	BLOCK_USER64 = 0x201,
	BIG_ENDIAN_ARCH = 0x10000,
	ARCH_MAX = 0xff0000
};

static uint64_t read64(const struct tv_fxt_file *file, size_t at)
{
	uint64_t v;

	memcpy(&v, file->bytes + at, sizeof v);
	return file->swap ? __builtin_bswap64(v) : v;
}

static uint32_t read32(const struct tv_fxt_file *file, size_t at)
{
	uint32_t v;

	memcpy(&v, file->bytes + at, sizeof v);
	return file->swap ? __builtin_bswap32(v) : v;
}

static bool host_is_big_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* The header of a block, at an offset that is followed by bytes enough for one. */
struct block {
	uint64_t size;
	uint32_t type, subtype;
};

static struct block read_block(const struct tv_fxt_file *file, size_t at)
{
	return (struct block){ read64(file, at), read32(file, at + 8), read32(file, at + 12) };
}

/* The architecture decides the byte order. false if the number is none that FxT knows the order of.
 */
static bool read_magic(struct tv_fxt_file *file)
{
	uint32_t arch;

	if (file->n < MAGIC + BLOCK_HEADER)
		return false;
	arch = (uint32_t)file->bytes[0] << 24 | (uint32_t)file->bytes[1] << 16
	     | (uint32_t)file->bytes[2] << 8 | file->bytes[3];
	file->swap = (arch >= BIG_ENDIAN_ARCH) != host_is_big_endian();
	return arch <= 255 || (arch <= ARCH_MAX && arch % BIG_ENDIAN_ARCH == 0);
}

int tv_fxt_recognize(const unsigned char *head, size_t n)
{
	struct tv_fxt_file file = { .bytes = head, .n = n };
	struct block info, time;

	if (!read_magic(&file))
		return 0;
	info = read_block(&file, MAGIC);
	if (info.type != BLOCK_INFO || info.size < BLOCK_HEADER)
		return 0;
	if (n < MAGIC + 2 * BLOCK_HEADER)
		return info.subtype == 0 ? 80 : 0;
	time = read_block(&file, MAGIC + BLOCK_HEADER);
	return (info.subtype == 0 ? 50 : 0)
	     + (time.type == BLOCK_TIME && time.subtype == 0 ? 50 : 0);
}

int tv_fxt_open(struct tv_fxt_file *file, const char *path, const unsigned char *bytes, size_t n,
		struct tv_error *err)
{
	struct tv_pos at = { path, 0 };
	struct block info, events;
	size_t start;

	*file = (struct tv_fxt_file){ .path = path, .bytes = bytes, .n = n };
	if (!read_magic(file))
		return tv_fail_at(
			err, at,
			"not an FxT trace, expected an architecture number and a block of "
			"information");
	info = read_block(file, MAGIC);
	if (info.type != BLOCK_INFO || info.size < BLOCK_HEADER)
		return tv_fail_at(
			err, at,
			"byte %d: block type 0x%x of %llu bytes, expected the information "
			"block 0x1",
			MAGIC, info.type, (unsigned long long)info.size);
	if (info.size > n - MAGIC || n - MAGIC - (size_t)info.size < BLOCK_HEADER)
		return tv_fail_at(
			err, at,
			"byte %zu: the file ends before its first event, nothing was recorded", n);
	start = MAGIC + (size_t)info.size;
	events = read_block(file, start);
	if (events.type != BLOCK_USER64 && events.type != BLOCK_USER32)
		return tv_fail_at(
			err, at,
			"byte %zu: block type 0x%x, expected events of a program (0x201 or "
			"0x200)",
			start, events.type);
	file->word = events.type == BLOCK_USER64 ? 8 : 4;
	file->plain = file->word == 8 && !file->swap;
	file->begin = start + BLOCK_HEADER;
	file->end = n;
	if (events.size != 0 && events.size < BLOCK_HEADER)
		file->cut = "the block of events claims an impossible size";
	else if (events.size > n - start)
		file->cut = TV_CUT_BLOCK;
	else if (events.size != 0 && events.size < n - start)
		file->cut = "the block of events claims fewer bytes than the file has";
	return 0;
}

void tv_fxt_rewind(struct tv_fxt_cursor *cursor, const struct tv_fxt_file *file)
{
	*cursor = (struct tv_fxt_cursor){ .file = file, .at = file->begin };
}

/* The codes of FxT itself and of StarPU. */
static bool known_code(uint64_t code)
{
	return (code >= 0x5100 && code < 0x5300) || (code >= 0xfff0 && code <= 0xffff)
	    || code == 0x320;
}

/*
 * Reads the fixed part of a record: 1; 0 if no record begins here; -1 if the file ends within it.
 * StarPU never turns thread ids on, so a word that is not 0 in their place means that we lost the
 * beginning of records, unless the code is one that we know.
 */
static int read_head(const struct tv_fxt_file *file, size_t at, struct tv_fxt_event *event)
{
	size_t head = file->word == 8 ? 24 : 16;
	uint64_t code, thread;

	if (file->end - at < head)
		return -1;
	event->time = read64(file, at);
	thread = file->word == 8 ? read64(file, at + 8) : read32(file, at + 8);
	code = file->word == 8 ? read64(file, at + 16) : read32(file, at + 12);
	if ((code & 0xff) == 0 || code >> 32 != 0 || (thread != 0 && !known_code(code >> 8)))
		return 0;
	event->n = (uint32_t)(code & 0xff) - 1;
	event->code = (uint32_t)(code >> 8);
	event->param = file->bytes + at + head;
	event->offset = at;
	return file->end - at - head < (size_t)file->word * event->n ? -1 : 1;
}

static size_t record_size(const struct tv_fxt_file *file, const struct tv_fxt_event *event)
{
	return (file->word == 8 ? 24 : 16) + (size_t)file->word * event->n;
}

/* Whether a record that surely is one begins here: used only to find the way back after a hole. */
static bool is_anchor(const struct tv_fxt_cursor *cursor, size_t at)
{
	const uint64_t second = 1000000000, before = 10 * second, after = 3600 * second;
	const struct tv_fxt_file *file = cursor->file;
	struct tv_fxt_event event, next;

	if (read_head(file, at, &event) <= 0 || !known_code(event.code))
		return false;
	if (cursor->started && event.time - (cursor->last - before) > before + after)
		return false;
	at += record_size(file, &event);
	return at == file->end || read_head(file, at, &next) != 0;
}

enum tv_fxt_step tv_fxt_next_any(struct tv_fxt_cursor *cursor, struct tv_fxt_event *event)
{
	const struct tv_fxt_file *file = cursor->file;
	int rc;

	if (cursor->at >= file->end)
		return TV_FXT_END;
	event->file = file;
	rc = read_head(file, cursor->at, event);
	if (rc < 0)
		return TV_FXT_END;
	if (rc == 0) {
		event->offset = cursor->at;
		do
			cursor->at += file->word;
		while (cursor->at < file->end && !is_anchor(cursor, cursor->at));
		if (cursor->at > file->end)
			cursor->at = file->end;
		return TV_FXT_HOLE;
	}
	cursor->at += record_size(file, event);
	if (!cursor->started) {
		cursor->started = true;
		cursor->first = event->time;
	} else if (!tv_fxt_possible(cursor, event->time)) {
		return TV_FXT_WRONG_TIME;
	}
	cursor->last = event->time;
	return TV_FXT_EVENT;
}
