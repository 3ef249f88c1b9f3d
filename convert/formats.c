/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats.c -- the tables of formats: input and output. */
#include "convert/formats.h"

const struct tv_reader *const tv_readers[] = {
#define TV_READER(name) &tv_##name##_reader,
	TV_READERS(TV_READER)
#undef TV_READER
};
const size_t tv_nreaders = TV_COUNT(tv_readers);

const char *const tv_thing_word[] = {
#define TV_THING_WORD(symbol, word) (word),
	TV_THINGS(TV_THING_WORD)
#undef TV_THING_WORD
};

/* Formats that are written besides CSV. To add one, write its struct tv_writer and add it here; --to
 * and the help follow. */
const struct tv_writer *const tv_writers[] = {
	&tv_rec_writer,
	&tv_dot_writer,
	&tv_chrome_writer,
	&tv_sqlite_writer,
};
const size_t tv_nwriters = TV_COUNT(tv_writers);
