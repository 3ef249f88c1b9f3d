/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.c -- formats that are recognized and not read. To add one, add a row. */
#include "convert/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "convert/words.h"
#include "trace/trace.h"

#define AS_CSV	       "write its tasks as CSV with the columns ResourceId, Value, Start, End (ms)"
#define PACKED(by)     "packed by " by ", expected gzip, zstd or neither: unpack it"
#define UTF_16	       "a text in UTF-16, expected UTF-8: iconv -f UTF-16 -t UTF-8 FILE"
#define CONVERTED(how) "not read: " how ", or " AS_CSV

/* begin: the first bytes; has: words that the head must contain as well; bytes may be 0. */
static const struct foreign {
	const char *begin;
	size_t n;
	const char *has[2];
	const char *what;
} formats[] = {
#define BEGIN(text) text, sizeof text - 1
	{ BEGIN("#PARSEC BINARY PROFILE"),
	  { NULL },
	  "a profile of PaRSEC, not read: its h5toctf.py or pbt2ctf.py makes Chrome trace events "
	  "(JSON) "
	  "of it" },
	{ BEGIN("PROJECTIONS"), { NULL }, "a trace of Charm++ Projections, not read: " AS_CSV },
	{ BEGIN("ovni"),
	  { NULL },
	  "a stream of ovni, not read: ovniemu makes traces of Paraver of it; give their folder" },
	{ BEGIN("{"),
	  { "\"ovni\"", "\"version\"" },
	  "a part of a trace of ovni, not read: ovniemu makes traces of Paraver of it; give their "
	  "folder" },
	{ BEGIN("{"),
	  { "\"clock-period\"", "\"clock-units\"" },
	  "JSON of TAU, not read: its tau_trace2json -chrome makes Chrome trace events (JSON) of "
	  "it" },
	{ BEGIN("\xc1\x1f\xfc\xc1"),
	  { NULL },
	  "a stream of CTF (LTTng, THAPI), not read: " AS_CSV },
	{ BEGIN("/* CTF"),
	  { NULL },
	  "the metadata of a CTF trace (LTTng, THAPI), not read: " AS_CSV },
	{ BEGIN("HPCRUN-"), { NULL }, "a measurement of HPCToolkit, not read: " AS_CSV },
	{ BEGIN("FileType: BinaryLegionProf"), { NULL }, "a profile of Legion, not read: " AS_CSV },
	{ BEGIN("ARROW1"),
	  { NULL },
	  "an Arrow (Feather) file, not read: write it as CSV; of a folder of StarVZ give the FxT "
	  "or "
	  "Pajé and .rec files from which it was made" },
	{ BEGIN("PAR1"),
	  { NULL },
	  "a Parquet file that is not named as a table of a trace (tasks.parquet, ...): give it "
	  "alone; of a folder of StarVZ give the FxT or Pajé and .rec files from which it was "
	  "made" },
	{ BEGIN("<?xml"),
	  { "<platform", NULL },
	  "a platform of SimGrid, no trace: traceviz platform FILE lists it, traceviz simulate "
	  "TRACE --platform FILE runs on it" },
	{ BEGIN("<platform"),
	  { NULL },
	  "a platform of SimGrid, no trace: traceviz platform FILE lists it, traceviz simulate "
	  "TRACE --platform FILE runs on it" },
	{ BEGIN("<?xml"),
	  { "<adag", NULL },
	  "a workflow in Pegasus' XML (DAX), not read: write its graph as DOT" },
	{ BEGIN("<?xml"), { "<graphml", NULL }, "a graph in GraphML, not read: write it as DOT" },
	{ BEGIN("PK\x03\x04"), { NULL }, "a ZIP archive: unpack it and give the trace inside" },
	{ BEGIN("\xff\xfe"), { NULL }, UTF_16 },
	{ BEGIN("\xfe\xff"), { NULL }, UTF_16 },
	{ BEGIN("\xfd"
		"7zXZ"),
	  { NULL },
	  PACKED("xz") },
	{ BEGIN("BZh"), { NULL }, PACKED("bzip2") },
	{ BEGIN("7z\xbc\xaf"), { NULL }, PACKED("7-Zip") },
	{ BEGIN("\x04\"M\x18"), { NULL }, PACKED("lz4") },
	{ BEGIN("<!DOCTYPE html"),
	  { NULL },
	  "a page (HTML), no trace: give the trace from which it was made" },
	{ BEGIN("<!doctype html"),
	  { NULL },
	  "a page (HTML), no trace: give the trace from which it was made" },
	{ BEGIN("{"), { NULL }, "JSON of no known kind, not read: " AS_CSV },
	{ BEGIN("["), { NULL }, "JSON of no known kind, not read: " AS_CSV },
#undef BEGIN
};

/* Whether the first line has cells between such characters, and no comma. */
static bool is_separated_by(const char *head, size_t n, char separator)
{
	const char *end = memchr(head, '\n', n);
	size_t length = end != NULL ? (size_t)(end - head) : n, found = 0;

	for (size_t i = 0; i < length; i++)
		found += head[i] == separator;
	return found >= 3 && memchr(head, ',', length) == NULL
	    && memchr(head, '\0', length) == NULL;
}

const char *tv_foreign(const char *head, size_t n)
{
	for (size_t i = 0; i < TV_COUNT(formats); i++) {
		const struct foreign *f = &formats[i];
		bool is = n >= f->n && memcmp(head, f->begin, f->n) == 0;

		for (size_t k = 0; is && k < TV_COUNT(f->has) && f->has[k] != NULL; k++)
			is = tv_head_has(head, n, f->has[k]);
		if (is)
			return f->what;
	}
	return NULL;
}

const char *tv_unknown_table(const char *head, size_t n)
{
	if (is_separated_by(head, n, ';'))
		return "a table whose columns are separated by ';', expected ','";
	return is_separated_by(head, n, '\t')
		     ? "a table whose columns are separated by tabs, expected ','"
		     : NULL;
}
