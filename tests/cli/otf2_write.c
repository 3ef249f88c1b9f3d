/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otf2_write.c -- writes an archive of OTF2, by its library, from lines of text on standard input:
 *
 *   otf2_write FOLDER NAME <lines
 *
 * Definitions have the name of a function of the library's writer (below) and its numbers, then names up to the end of the line.
 * "at LOCATION" chooses where events go: TIME EVENT NUMBER... "times N" repeats the events of the lines up to "end", each time one
 * period later: "times N PERIOD". What comes after "TIME StoreRewindPoint" is discarded by "TIME Rewind". Tests of tests/cli/otf2.t use it, and tests/bench.
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64, LINES_MAX = 1000 };

static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *definitions;
static struct location {
	uint64_t id, type, group, events, claimed;
	uint64_t kept; /* events at the point to which it may be rewound */
	uint32_t name;
	OTF2_EvtWriter *writer;
} location[MAX];
static struct offset {
	uint64_t location, time;
	int64_t offset;
} offset[MAX];
static size_t nlocations, noffsets;
static uint32_t nstrings;
static uint64_t first = UINT64_MAX, last;

static void check(OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS) {
		fprintf(stderr, "otf2_write: %s\n", OTF2_Error_GetDescription(code));
		exit(1);
	}
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef ref,
				   void *caller, bool final)
{
	(void)data, (void)type, (void)ref, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *data, OTF2_FileType type, OTF2_LocationRef ref)
{
	(void)data, (void)type, (void)ref;
	return last;
}

static uint32_t text(const char *s)
{
	if (*s == '\0')
		return OTF2_UNDEFINED_STRING;
	check(OTF2_GlobalDefWriter_WriteString(definitions, nstrings, s));
	return nstrings++;
}

static struct location *find(uint64_t id)
{
	for (size_t i = 0; i < nlocations; i++)
		if (location[i].id == id)
			return &location[i];
	fprintf(stderr, "otf2_write: no location %" PRIu64 "\n", id);
	exit(1);
}

/* Numbers at the begin of s, "-" = all bits set; *rest: what follows. */
static size_t numbers(const char *s, uint64_t a[MAX], const char **rest)
{
	size_t n = 0;

	for (;; s = *rest) {
		char *end;

		s += strspn(s, " ");
		*rest = s;
		if (n == MAX)
			return n;
		if (s[0] == '-' && (s[1] == ' ' || s[1] == '\0')) {
			a[n] = UINT64_MAX;
			end = (char *)(uintptr_t)s + 1;
		} else {
			a[n] = strtoull(s, &end, 10);
		}
		if (end == s || (*end != ' ' && *end != '\0'))
			return n;
		n++;
		*rest = end;
	}
}

#define U32(i) (uint32_t) a[i]
#define U8(i)  (uint8_t) a[i]

/* ---- definitions ---- */

static int define(const char *what, const uint64_t *a, size_t n, const char *name)
{
	OTF2_GlobalDefWriter *d = definitions;
	uint32_t member[MAX];

	for (size_t i = 0; i < n; i++)
		member[i] = U32(i);
#define IS(word) (strcmp(what, word) == 0)
	if (IS("String")) {
		text(name);
	} else if (IS("SystemTreeNode")) { /* itself, parent */
		check(OTF2_GlobalDefWriter_WriteSystemTreeNode(d, U32(0), text(name), text("node"),
							       U32(1)));
	} else if (IS("LocationGroup")) { /* itself, type, node, creator */
		check(OTF2_GlobalDefWriter_WriteLocationGroup(d, U32(0), text(name), U8(1), U32(2),
							      U32(3)));
	} else if (IS("Location")) { /* itself, type, group; events that it claims to have */
		location[nlocations++] = (struct location){ .id = a[0],
							    .type = a[1],
							    .group = a[2],
							    .claimed = n > 3 ? a[3] : 0,
							    .name = text(name),
							    .writer = OTF2_Archive_GetEvtWriter(
								    archive, a[0]) };
	} else if (IS("Region")) { /* itself, role, paradigm, line; name, "|", file */
		char *bar = strchr(name, '|');

		if (bar != NULL)
			*bar = '\0';
		check(OTF2_GlobalDefWriter_WriteRegion(
			d, U32(0), text(name), OTF2_UNDEFINED_STRING, OTF2_UNDEFINED_STRING, U8(1),
			U8(2), 0, bar != NULL ? text(bar + 1) : OTF2_UNDEFINED_STRING, U32(3), 0));
	} else if (IS("Group")) { /* itself, type, paradigm, flags, members */
		check(OTF2_GlobalDefWriter_WriteGroup(d, U32(0), text("group"), U8(1), U8(2),
						      U32(3), (uint32_t)n - 4, a + 4));
	} else if (IS("Comm")) { /* itself, group */
		check(OTF2_GlobalDefWriter_WriteComm(d, U32(0), text(name), U32(1),
						     OTF2_UNDEFINED_COMM, 0));
	} else if (IS("InterComm")) { /* itself, groups */
		check(OTF2_GlobalDefWriter_WriteInterComm(d, U32(0), text(name), U32(1), U32(2),
							  OTF2_UNDEFINED_COMM, 0));
	} else if (IS("Paradigm")) {
		check(OTF2_GlobalDefWriter_WriteParadigm(d, U8(0), text(name), 1));
	} else if (IS("MetricMember")) { /* itself, mode, type, base, exponent */
		check(OTF2_GlobalDefWriter_WriteMetricMember(d, U32(0), text(name),
							     OTF2_UNDEFINED_STRING, 0, U8(1), U8(2),
							     U8(3), (int64_t)a[4], text("#")));
	} else if (IS("MetricClass")) { /* itself, members */
		check(OTF2_GlobalDefWriter_WriteMetricClass(d, U32(0), (uint8_t)(n - 1), member + 1,
							    0, 0));
	} else if (IS("MetricInstance")) { /* itself, class, recorder, kind of scope, scope */
		check(OTF2_GlobalDefWriter_WriteMetricInstance(d, U32(0), U32(1), a[2], U8(3),
							       a[4]));
	} else if (IS("RmaWin")) { /* itself, communicator */
		check(OTF2_GlobalDefWriter_WriteRmaWin(d, U32(0), text(name), U32(1), 0));
	} else if (IS("CallingContext")) { /* itself, region */
		check(OTF2_GlobalDefWriter_WriteCallingContext(d, U32(0), U32(1),
							       OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
							       OTF2_UNDEFINED_CALLING_CONTEXT));
	} else if (IS("IoHandle")) {
		check(OTF2_GlobalDefWriter_WriteIoParadigm(d, U8(0), text("POSIX"), text("POSIX"),
							   0, 0, 0, NULL, NULL, NULL));
		check(OTF2_GlobalDefWriter_WriteIoRegularFile(d, U32(0), text(name), 0));
		check(OTF2_GlobalDefWriter_WriteIoHandle(d, U32(0), text(name), U32(0), U8(0), 0,
							 OTF2_UNDEFINED_IO_HANDLE,
							 OTF2_UNDEFINED_COMM));
	} else if (IS("ClockOffset")) { /* location, time, offset */
		offset[noffsets++] = (struct offset){ a[0], a[1], (int64_t)a[2] };
	} else {
		return -1;
	}
	return 0;
}

/* ---- events ---- */

#define EVENTS(EVENT) /* EVENT(name, numbers) */ \
	EVENT(Enter, U32(0)) \
	EVENT(Leave, U32(0)) \
	EVENT(CallingContextEnter, U32(0), 1) \
	EVENT(CallingContextLeave, U32(0)) \
	EVENT(CallingContextSample, U32(0), 1, OTF2_UNDEFINED_INTERRUPT_GENERATOR) \
	EVENT(BufferFlush, a[0]) \
	EVENT(MeasurementOnOff, U8(0)) \
	EVENT(MpiSend, U32(0), U32(1), U32(2), a[3]) \
	EVENT(MpiIsend, U32(0), U32(1), U32(2), a[3], a[4]) \
	EVENT(MpiIsendComplete, a[0]) \
	EVENT(MpiIrecvRequest, a[0]) \
	EVENT(MpiRecv, U32(0), U32(1), U32(2), a[3]) \
	EVENT(MpiIrecv, U32(0), U32(1), U32(2), a[3], a[4]) \
	EVENT(MpiRequestTest, a[0]) \
	EVENT(MpiRequestCancelled, a[0]) \
	EVENT(MpiCollectiveEnd, U8(0), U32(1), U32(2), a[3], a[4]) \
	EVENT(NonBlockingCollectiveRequest, a[0]) \
	EVENT(NonBlockingCollectiveComplete, U8(0), U32(1), U32(2), a[3], a[4], a[5]) \
	EVENT(ThreadTaskCreate, U32(0), U32(1), U32(2)) \
	EVENT(ThreadTaskSwitch, U32(0), U32(1), U32(2)) \
	EVENT(ThreadTaskComplete, U32(0), U32(1), U32(2)) \
	EVENT(OmpTaskCreate, a[0]) \
	EVENT(OmpTaskSwitch, a[0]) \
	EVENT(OmpTaskComplete, a[0]) \
	EVENT(OmpFork, U32(0)) \
	EVENT(ThreadFork, U8(0), U32(1)) \
	EVENT(ParameterInt, U32(0), (int64_t)a[1]) \
	EVENT(RmaPut, U32(0), U32(1), a[2], a[3]) \
	EVENT(RmaGet, U32(0), U32(1), a[2], a[3]) \
	EVENT(RmaAtomic, U32(0), U32(1), 0, a[2], a[2], a[3]) \
	EVENT(RmaOpCompleteBlocking, U32(0), a[1]) \
	EVENT(RmaOpCompleteNonBlocking, U32(0), a[1]) \
	EVENT(RmaOpCompleteRemote, U32(0), a[1]) \
	EVENT(IoOperationBegin, U32(0), U8(1), 0, a[2], a[3]) \
	EVENT(IoOperationComplete, U32(0), a[1], a[2])

/* Metric: class, then a type and a value for each member; types are i, u, or d with the bits of a double in thousandths. */
static void write_metric(OTF2_EvtWriter *writer, uint64_t time, const char *words)
{
	OTF2_Type type[MAX];
	OTF2_MetricValue value[MAX];
	unsigned class, at = 0;
	int64_t number;
	uint8_t n = 0;
	char of;
	int length;

	if (sscanf(words, "%u%n", &class, &length) != 1)
		exit(1);
	for (at = (unsigned)length;
	     sscanf(words + at, " %c%" SCNd64 "%n", &of, &number, &length) == 2;
	     at += (unsigned)length, n++) {
		type[n] = of == 'i' ? OTF2_TYPE_INT64
			: of == 'u' ? OTF2_TYPE_UINT64
				    : OTF2_TYPE_DOUBLE;
		value[n].signed_int = number;
		if (of == 'd')
			value[n].floating_point = (double)number / 1000;
	}
	check(OTF2_EvtWriter_Metric(writer, NULL, time, class, n, type, value));
}

static void event(struct location *to, uint64_t time, const char *what, const char *words)
{
	uint64_t a[MAX] = { 0 };
	const char *rest;

	numbers(words, a, &rest);
	if (IS("StoreRewindPoint")) {
		to->kept = to->events;
		check(OTF2_EvtWriter_StoreRewindPoint(to->writer, 0));
		return;
	}
	if (IS("Rewind")) {
		to->events = to->kept;
		check(OTF2_EvtWriter_Rewind(to->writer, 0));
		check(OTF2_EvtWriter_ClearRewindPoint(to->writer, 0));
		return;
	}
	first = time < first ? time : first;
	last = time > last ? time : last;
	to->events++;
	if (IS("Metric")) {
		write_metric(to->writer, time, words);
		return;
	}
#define WRITE(name, ...) \
	if (IS(#name)) { \
		check(OTF2_EvtWriter_##name(to->writer, NULL, time, __VA_ARGS__)); \
		return; \
	}
	EVENTS(WRITE)
	fprintf(stderr, "otf2_write: no event %s\n", what);
	exit(1);
}

static char *line_of[LINES_MAX];

/* TIME EVENT NUMBER... */
static void read_event(struct location *to, const char *line, uint64_t shift)
{
	char what[MAX];
	uint64_t time;
	int length;

	if (sscanf(line, "%" SCNu64 " %63s%n", &time, what, &length) != 2) {
		fprintf(stderr, "otf2_write: %s\n", line);
		exit(1);
	}
	event(to, time + shift, what, line + length);
}

static void finish(uint64_t resolution, uint64_t begin)
{
	check(OTF2_Archive_CloseEvtFiles(archive));
	check(OTF2_Archive_OpenDefFiles(archive));
	for (size_t i = 0; i < nlocations; i++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, location[i].id);

		for (size_t k = 0; k < noffsets; k++)
			if (offset[k].location == location[i].id)
				check(OTF2_DefWriter_WriteClockOffset(writer, offset[k].time,
								      offset[k].offset, 0));
		check(OTF2_Archive_CloseDefWriter(archive, writer));
		check(OTF2_GlobalDefWriter_WriteLocation(
			definitions, location[i].id, location[i].name, (uint8_t)location[i].type,
			location[i].claimed > 0 ? location[i].claimed : location[i].events,
			(uint32_t)location[i].group));
	}
	check(OTF2_Archive_CloseDefFiles(archive));
	if (resolution > 0)
		check(OTF2_GlobalDefWriter_WriteClockProperties(definitions, resolution, begin,
								last > begin ? last - begin : 0,
								OTF2_UNDEFINED_TIMESTAMP));
	check(OTF2_Archive_Close(archive));
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks flush = { before_flush, after_flush };
	uint64_t a[MAX] = { 0 }, resolution = 1000000000, begin = 0, times = 0, period = 0;
	struct location *to = NULL;
	char line[4096];
	size_t nlines = 0;

	if (argc != 3)
		return 2;
	archive = OTF2_Archive_Open(argv[1], argv[2], OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
				    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
	check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	check(OTF2_Archive_OpenEvtFiles(archive));
	definitions = OTF2_Archive_GetGlobalDefWriter(archive);
	while (fgets(line, sizeof line, stdin) != NULL) {
		char *words = line + strcspn(line, " \n");
		const char *rest;
		size_t n;

		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\0' || line[0] == '#')
			continue;
		if (line[0] >= '0' && line[0] <= '9') {
			if (times > 0 && nlines < LINES_MAX)
				line_of[nlines++] = strdup(line);
			else
				read_event(to, line, 0);
			continue;
		}
		if (*words != '\0')
			*words++ = '\0';
		n = numbers(words, a, &rest);
		if (strcmp(line, "ClockProperties") == 0) {
			resolution = a[0];
			begin = a[1];
		} else if (strcmp(line, "at") == 0) {
			to = find(a[0]);
		} else if (strcmp(line, "times") == 0) {
			times = a[0];
			period = a[1];
		} else if (strcmp(line, "end") == 0) {
			for (uint64_t i = 0; i < times; i++)
				for (size_t k = 0; k < nlines; k++)
					read_event(to, line_of[k], i * period);
			times = nlines = 0;
		} else if (define(line, a, n, rest) < 0) {
			fprintf(stderr, "otf2_write: no definition %s\n", line);
			return 1;
		}
	}
	finish(resolution, begin);
	return 0;
}
