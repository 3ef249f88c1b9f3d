/* SPDX-License-Identifier: GPL-3.0-or-later */
/* png.c -- pHYs and iTXt chunks. [W3C, Portable Network Graphics, 2nd edition, 11.3] */
#include "views/backends/png.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "trace/alloc.h"
#include "trace/text.h"

enum { HEADER = 8 + 25 }; /* bytes of the signature and of the chunk IHDR */

static void put_number(unsigned char out[4], uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void write_chunk(struct tv_output *out, const char type[4], const void *bytes, uint32_t n)
{
	unsigned char number[4];
	uLong crc = crc32(crc32(0, NULL, 0), (const unsigned char *)type, 4);

	put_number(number, n);
	tv_output_write(out, number, 4);
	tv_output_write(out, type, 4);
	tv_output_write(out, bytes, n);
	put_number(number, (uint32_t)crc32(crc, bytes, n));
	tv_output_write(out, number, 4);
}

/* Pixels per meter. */
static void write_resolution(struct tv_output *out, double dpi)
{
	unsigned char bytes[9];

	put_number(bytes, (uint32_t)(dpi / 0.0254 + 0.5));
	memcpy(bytes + 4, bytes, 4);
	bytes[8] = 1;
	write_chunk(out, "pHYs", bytes, sizeof bytes);
}

/* UTF-8, not compressed, in no language. */
static void write_text(struct tv_output *out, const char *keyword, const char *text)
{
	char bytes[TV_METADATA_MAX + 100], *at = bytes;
	size_t key = strlen(keyword) + 1;

	memcpy(at, keyword, key);
	memset(at + key, 0, 4);
	at += key + 4;
	tv_clean_text(at, TV_METADATA_MAX, text);
	write_chunk(out, "iTXt", bytes, (uint32_t)(at + strlen(at) - bytes));
}

static void write_chunks(const struct tv_png *png)
{
	const struct tv_metadata *about = png->about;
	time_t seconds = (time_t)about->date;
	char date[40];
	struct tm tm;

	write_resolution(png->out, png->dpi);
	if (about->title != NULL)
		write_text(png->out, "Title", about->title);
	if (about->creator != NULL)
		write_text(png->out, "Software", about->creator);
	if (about->command != NULL)
		write_text(png->out, "Description", about->command);
	if (about->date != 0 && gmtime_r(&seconds, &tm) != NULL
	    && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
		write_text(png->out, "Creation Time", date);
}

void tv_png_write(struct tv_png *png, const unsigned char *bytes, size_t n)
{
	size_t before = png->passed, head = before < HEADER ? HEADER - before : 0;

	if (head > n)
		head = n;
	png->passed += n;
	tv_output_write(png->out, bytes, head);
	if (before < HEADER && before + head == HEADER)
		write_chunks(png);
	tv_output_write(png->out, bytes + head, n - head);
}
