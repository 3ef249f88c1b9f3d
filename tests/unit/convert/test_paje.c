/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_paje.c -- the Pajé reader: every kind of event, order, damage, StarPU's oddities. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "convert/paje/paje.h"
#include "trace/alloc.h"

/* Definitions of all events, in the order and spelling of several producers. */
#define DEFINITIONS \
	"%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name " \
	"string\n%EndEventDef\n" \
	"%EventDef PajeDefineStateType " \
	"1\n%\tAlias\tstring\n%\tContainerType\tstring\n%\tName\tstring\n" \
	"%EndEventDef\n" \
	"%EventDef  PajeDefineVariableType  2\n%  Name string\n%  Type string\n%EndEventDef \n" \
	"%  EventDef PajeDefineEventType 3\n%Alias string\n%Type string\n%Name string\n%  " \
	"EndEventDef\n" \
	"%EventDef PajeDefineLinkType 4\n% Alias string\n% Type string\n% SourceContainerType " \
	"string\n" \
	"% DestContainerType string\n% Name string\n%EndEventDef\n" \
	"%EventDef PajeDefineEntityValue 5\n% Alias string\n% EntityType string\n% Name " \
	"string\n% Color color\n" \
	"%EndEventDef\n" \
	"%EventDef PajeCreateContainer 6\n% Time date\n% Alias string\n% Type string\n% " \
	"Container string\n" \
	"% Name string\n%EndEventDef\n" \
	"%EventDef PajeDestroyContainer 7\n% Time date\n% Name string\n% Type " \
	"string\n%EndEventDef\n" \
	"%EventDef PajeSetState 10\n% Time date\n% Container string\n% Type string\n% Value " \
	"string\n%EndEventDef\n" \
	"%EventDef PajePushState 11\n% Value string\n% Type string\n% Container string\n% Time " \
	"date\n%EndEventDef\n" \
	"%EventDef PajePopState 12\n% Time date\n% Container string\n% Type " \
	"string\n%EndEventDef\n" \
	"%EventDef PajeResetState 13\n% Time date\n% Container string\n% Type " \
	"string\n%EndEventDef\n" \
	"%EventDef PajeSetVariable 14\n% Time date\n% Container string\n% Type string\n% Value " \
	"double\n%EndEventDef\n" \
	"%EventDef PajeAddVariable 15\n% Time date\n% Container string\n% Type string\n% Value " \
	"double\n%EndEventDef\n" \
	"%EventDef PajeSubVariable 16\n% Time date\n% Container string\n% Type string\n% Value " \
	"double\n%EndEventDef\n" \
	"%EventDef PajeStartLink 17\n% Time date\n% Type string\n% Container string\n% Value " \
	"string\n" \
	"% SourceContainer string\n% Key string\n% Weight string\n%EndEventDef\n" \
	"%EventDef PajeEndLink 18\n% Time date\n% Type string\n% Container string\n% Value " \
	"string\n" \
	"% DestContainer string\n% Key string\n% Lost int\n%EndEventDef\n" \
	"%EventDef PajeNewEvent 19\n% Time date\n% Container string\n% Type string\n% Value " \
	"string\n%EndEventDef\n" \
	"%EventDef PajeSetState 20\n% Time date\n% Container string\n% Type string\n% Value " \
	"string\n% JobId string\n" \
	"% Priority string\n% Start string\n%EndEventDef\n"

#define TYPES \
	"0 H 0 Host\n0 P H Process\n1 S P State\n1 M H \"Host State\"\n2 load P\n3 E P Mark\n4 L " \
	"H P P Message\n" \
	"5 r S Running \"1 .5 0\"\n5 w S Waiting \"0 0 1\"\n"
#define CONTAINERS "6 0 h H 0 host\n6 0 a P h A\n6 0 b P h \"B \"\n"
#define SMALL	   DEFINITIONS TYPES CONTAINERS

static void *reading; /* NULL until the first file of a trace */

static void end_reading(void)
{
	tv_paje_reader.free(reading);
	reading = NULL;
}

static int read_text(struct tv_trace *trace, const char *text, size_t n, struct tv_error *err)
{
	struct tv_input in;
	int rc;

	tv_input_memory(&in, "t.trace", text, n);
	if (reading == NULL)
		reading = tv_paje_reader.begin(trace);
	rc = tv_paje_reader.read(reading, &in, err);
	tv_input_close(&in);
	if (rc < 0)
		end_reading();
	return rc;
}

static int finish(struct tv_trace *trace, struct tv_error *err)
{
	int rc = tv_paje_reader.finish(reading, err);

	end_reading();
	return rc < 0 ? -1 : tv_check_strict(trace, err);
}

/* Reads a whole trace that must be readable. */
static void load(struct tv_trace *trace, const struct tv_read_options *options, const char *text)
{
	struct tv_error err = { 0 };

	tv_trace_init(trace, options);
	if (read_text(trace, text, strlen(text), &err) < 0 || finish(trace, &err) < 0)
		fail_msg("line %ld: %s", err.line, err.text);
}

/* The rows of a table as text: the named columns separated by blanks, "-" where missing, rows by
 * '\n'. */
static char *dump(const struct tv_trace *trace, enum tv_table_id id, const char *columns)
{
	const struct tv_table *table = &trace->table[id];
	char *all = tv_strdup(""), cell[200], name[64];

	for (uint32_t row = 0; row < table->nrows; row++)
		for (const char *s = columns; *s != '\0';) {
			int n = (int)strcspn(s, ",");
			const struct tv_column *column;
			char *longer;

			snprintf(name, sizeof name, "%.*s", n, s);
			column = tv_table_find(table, name);
			s += n + (s[n] == ',');
			if (column == NULL || tv_missing(column, row))
				snprintf(cell, sizeof cell, "-");
			else
				tv_cell_text(column, row, cell, sizeof cell);
			longer = tv_format("%s%s%s", all, cell, *s == '\0' ? "\n" : " ");
			tv_free(all);
			all = longer;
		}
	return all;
}

#define assert_dump(trace, table, columns, want) \
	do { \
		char *got_ = dump(trace, table, columns); \
		assert_string_equal(got_, want); \
		tv_free(got_); \
	} while (0)

static void states(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     SMALL "# a comment\n\n"
		   "10 1 a S r\n11 w S a 2\n11 \"free text\" S a 3\n12 4 a S\n12 4 a S\n"
		   "10 5 A State w # names instead of aliases\n13 6 a S\n10 6.5 a S r\n7 7 a P\n10 "
		   "8 b S r\n");
	assert_dump(&t, TV_STATES, "ResourceId,Type,Value,Start,End,Depth,Flag",
		    "A State Running 1000.000000 5000.000000 0 -\n"
		    "A State Waiting 2000.000000 4000.000000 1 -\n"
		    "A State free text 3000.000000 4000.000000 2 -\n"
		    "A State Waiting 5000.000000 6000.000000 0 -\n"
		    "A State Running 6500.000000 7000.000000 0 -\n"
		    "B State Running 8000.000000 8000.000000 0 open\n");
	assert_dump(
		&t, TV_RESOURCES, "ResourceId,ResourceType,Node,Parent,Order,Start,End",
		"host Host 0 - 0 0.000000 8000.000000\nA Process 0 host 1 0.000000 7000.000000\n"
		"B Process 0 host 2 0.000000 8000.000000\n");
	assert_int_equal(t.ndamage, 0);
	assert_int_equal(t.table[TV_TASKS].nrows, 0);
	tv_trace_release(&t);
}

static void variables_links_events(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     SMALL "14 0 a load 10\n15 1 a load 2.5\n16 1 a load .5\n16 3 a load 20\n19 2 b E "
		   "\"hit, it\"\n"
		   "17 1 L h 64 a k1 heavy\n18 4 L h 64 b k1 3\n"
		   "18 5 L h 1 b k2\n17 5 L h 1 a k2 light\n7 9 h H\n");
	assert_dump(&t, TV_VARIABLES, "ResourceId,Type,Start,End,Value",
		    "A load 0.000000 1000.000000 10\nA load 1000.000000 3000.000000 12\n"
		    "A load 3000.000000 9000.000000 -8\n");
	assert_dump(&t, TV_LINKS,
		    "Type,Key,Origin,Dest,Start,End,Value,ResourceId,Weight,Lost,Size",
		    "Message k1 A B 1000.000000 4000.000000 64 host heavy 3 -\n"
		    "Message k2 A B 5000.000000 5000.000000 1 host light - -\n");
	assert_dump(&t, TV_EVENTS, "ResourceId,Type,Time,Value", "B Mark 2000.000000 hit, it\n");
	assert_int_equal(t.ndamage, 0);
	tv_trace_release(&t);
}

/* Colors and unit go to meta. */
static void meta(void **state)
{
	static const struct tv_read_options us = { .time_unit = "us" };
	struct tv_trace t;
	size_t n;

	(void)state;
	load(&t, NULL, SMALL);
	assert_memory_equal(tv_meta_get(&t, "Color.Running", &n), "#ff8000", 7);
	assert_memory_equal(tv_meta_get(&t, "TimeUnit", &n), "s:", 2);
	tv_trace_release(&t);
	load(&t, &us, SMALL "10 1234567.0005 a S r\n10 1.0005 b S r\n");
	assert_dump(&t, TV_STATES, "Start", "0.001001\n1234.567001\n");
	assert_memory_equal(tv_meta_get(&t, "TimeUnit", &n), "us:", 3);
	tv_trace_release(&t);
}

static void tasks(void **state)
{
	static const struct tv_read_options options = { .task_state = "nothing,Host State" };
	struct tv_trace t;

	(void)state;
	load(&t, &options,
	     SMALL "10 0 h M up\n20 1 a S r 7 18446744073709551615 x\n20 2 a S w 8 3\n20 3 a S w "
		   "\"\" - y\n20 4 a S r 9 1_5\n");
	assert_dump(&t, TV_TASKS, "ResourceId,Value,Start,End,JobId,Priority,Paje.Start,Flag",
		    "host up 0.000000 4000.000000 - - - open\n"
		    "A Running 1000.000000 2000.000000 7 -1 x -\nA Waiting 2000.000000 3000.000000 "
		    "8 3 - -\n"
		    "A Running 4000.000000 4000.000000 9 5 - open\n");
	assert_dump(&t, TV_STATES, "Value,Start,End,Paje.Start,JobId",
		    "Waiting 3000.000000 4000.000000 y \n");
	tv_trace_release(&t);
}

/* The definitions by which StarPU is known, and what its versions write oddly. */
#define STARPU \
	DEFINITIONS \
	"0 MPIP 0 \"MPI Program\"\n0 P MPIP Program\n0 Mn P \"Memory Node\"\n0 T Mn Thread\n0 W " \
	"T Worker\n" \
	"0 Sc P \"Scheduler State\"\n1 S T \"Thread State\"\n1 Ctx1 W InCtx1\n1 WS W \"Worker " \
	"State\"\n" \
	"4 F P W W Fetch\n5 E S Executing \"0 0 0\"\n5 I WS Idle \"0 0 0\"\n" \
	"6 0.0 root MPIP 0 root\n6 0.0 0_p P root \"0_program \"\n6 0.0 1_p P root \"1_program " \
	"\"\n" \
	"6 0.0 0_mn2 Mn 0_p 0_MEMNODE2\n6 0.0 0_t T 0_mn2 0_T3\n6 0.0 0_w W 0_t 0_CUDA1_0\n" \
	"6 0.0 1_mn0 Mn 1_p 1_MEMNODE0\n6 0.0 1_t T 1_mn0 1_T0\n6 0.0 1_w W 1_t 1_CPU12\n"

static void starpu(void **state)
{
	struct tv_trace t;
	size_t n;

	(void)state;
	load(&t, NULL,
	     STARPU "10 1.000000400 0_w WS I\n"
		    "10 2 0_w WS \"gemm\"\n20 2 0_w WS gemm 0_4\n20 2 0_t S E 4\n20 2 0_w Ctx1 "
		    "gemm_1 0_4\n"
		    "10 3 0_w WS I\n10 3 0_t S I\n20 2.5 1_w WS gemm 4\n10 3.5 1_w WS I\n"
		    "17 2 F 0_p 4096 0_w c 0\n18 3 F 0_p 4096 1_w c\n");
	assert_memory_equal(tv_meta_get(&t, "TimeUnit", &n), "ms:", 3);
	assert_null(tv_meta_get(&t, "Color.Idle", &n));
	assert_memory_equal(tv_meta_get(&t, "RepeatedTasks", &n), "1 ", 2);
	assert_dump(&t, TV_TASKS, "ResourceId,Value,Start,End,JobId",
		    "0_CUDA1_0 gemm 2.000000 3.000000 0_4\n1_CPU12 gemm 2.500000 3.500000 1_4\n");
	assert_dump(&t, TV_STATES, "ResourceId,Type,Value,Start,End,JobId",
		    "0_CUDA1_0 Worker State Idle 1.000000 2.000000 -\n"
		    "0_T3 Thread State Executing 2.000000 3.000000 0_4\n"
		    "0_CUDA1_0 Worker State Idle 3.000000 3.500000 -\n"
		    "0_T3 Thread State I 3.000000 3.500000 -\n"
		    "1_CPU12 Worker State Idle 3.500000 3.500000 -\n");
	assert_dump(&t, TV_RESOURCES, "ResourceId,ResourceType,Node,MemoryNode",
		    "root MPI Program 0 -\n0_program Program 0 -\n1_program Program 1 -\n"
		    "0_MEMNODE2 MEMNODE 0 2\n0_T3 Thread 0 2\n0_CUDA1_0 CUDA 0 2\n"
		    "1_MEMNODE0 MEMNODE 1 0\n1_T0 Thread 1 0\n1_CPU12 CPU 1 0\n");
	assert_dump(&t, TV_LINKS, "Size,Value,Origin,Dest", "4096 4096 0_CUDA1_0 1_CPU12\n");
	assert_int_equal(t.ndamage, 0);
	tv_trace_release(&t);
}

/* Whatever order the lines have, the result is that of a stable sort by time. */
static void any_order(void **state)
{
	enum { LINES = 60 };
	static const char *const what[] = {
		"10 %d a S v%d",   "11 v%2$d S b %1$d", "12 %d b S",
		"14 %d a load %d", "15 %d a load %d",	"19 %d b E e%d"
	};
	uint64_t seed = unit_seed(42);

	(void)state;
	for (int round = 0; round < 200; round++) {
		char line[LINES][40];
		int time[LINES], order[LINES];
		char *text[2] = { tv_strdup(SMALL), tv_strdup(SMALL) }, *got[2];
		struct tv_trace t;

		for (int i = 0; i < LINES; i++) {
			const char *format = what[unit_random(&seed, TV_COUNT(what))];
			int at = i;

			/* Mostly in order, sometimes far from it. */
			time[i] = round % 2 == 0 ? (int)unit_random(&seed, 30)
						 : i
							   - (int)unit_random(&seed, 8)
								     * (int)unit_random(&seed, 3)
							   + 20;
			if (strcmp(format, what[1]) == 0)
				snprintf(line[i], sizeof line[i], "11 v%d S b %d\n", i, time[i]);
			else if (strcmp(format, what[2]) == 0)
				snprintf(line[i], sizeof line[i], "12 %d b S\n", time[i]);
			else
				snprintf(line[i], sizeof line[i], "%.2s %d %s%d\n", format, time[i],
					 format[1] == '0'   ? "a S v"
					 : format[1] == '9' ? "b E e"
							    : "a load ",
					 i);
			for (; at > 0 && time[order[at - 1]] > time[i]; at--)
				order[at] = order[at - 1];
			order[at] = i;
		}
		for (int i = 0; i < LINES; i++)
			for (int k = 0; k < 2; k++) {
				char *longer = tv_format("%s%s", text[k],
							 line[k == 0 ? i : order[i]]);

				tv_free(text[k]);
				text[k] = longer;
			}
		for (int k = 0; k < 2; k++) {
			char *part[3];

			load(&t, NULL, text[k]);
			part[0] = dump(&t, TV_STATES, "ResourceId,Value,Start,End,Depth");
			part[1] = dump(&t, TV_VARIABLES, "Start,End,Value");
			part[2] = dump(&t, TV_EVENTS, "Time,Value");
			got[k] = tv_format("%s%s%s", part[0], part[1], part[2]);
			for (int p = 0; p < 3; p++)
				tv_free(part[p]);
			tv_trace_release(&t);
			tv_free(text[k]);
		}
		assert_string_equal(got[0], got[1]);
		tv_free(got[0]);
		tv_free(got[1]);
	}
}

/* The second file uses what the first defines, and may say it again. */
static void several_files(void **state)
{
	static const char *const file[] = { SMALL "10 1 a S r\n",
					    "10 2 a S w\n6 3 c P h C\n10 4 c S r\n",
					    SMALL "10 5 b S r\n" };
	struct tv_error err = { 0 };
	struct tv_trace t;

	(void)state;
	tv_trace_init(&t, NULL);
	for (size_t i = 0; i < TV_COUNT(file); i++)
		assert_int_equal(read_text(&t, file[i], strlen(file[i]), &err), 0);
	assert_int_equal(finish(&t, &err), 0);
	assert_int_equal(t.ndamage, 0);
	assert_dump(&t, TV_STATES, "ResourceId,Value,Start",
		    "A Running 1000.000000\nA Waiting 2000.000000\nC Running 4000.000000\nB "
		    "Running 5000.000000\n");
	assert_int_equal(t.table[TV_RESOURCES].nrows, 4);
	tv_trace_release(&t);
}

/* Two containers of one name stay two resources; one that is made again stays one. */
static void same_names(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     DEFINITIONS TYPES "6 0 h1 H 0 h1\n6 0 h2 H 0 h2\n6 0 x P h1 p\n6 0 y P h2 p\n10 1 x S "
			       "r\n10 1 y S r\n7 2 x P\n6 3 x P h1 p\n"
			       "10 4 x S w\n7 5 x P\n6 5 z P h2 p\n");
	assert_dump(&t, TV_STATES, "ResourceId,Start,End",
		    "p 1000.000000 2000.000000\nh2/p 1000.000000 5000.000000\np 4000.000000 "
		    "5000.000000\n");
	assert_dump(&t, TV_RESOURCES, "ResourceId,Start,End",
		    "h1 0.000000 5000.000000\nh2 0.000000 5000.000000\np 0.000000 5000.000000\n"
		    "h2/p 0.000000 5000.000000\nh2/p/6 5000.000000 5000.000000\n");
	assert_int_equal(t.ndamage, 0);
	tv_trace_release(&t);
}

static const struct {
	const char *text;
	enum tv_damage_kind kind;
	const char *cause, *place; /* place: text of the first one */
	int states;		   /* that remain */
} damages[] = {
	{ "12 1 a S\n", TV_DROPPED, "pop without push", "no state of type 'State' is open in 'A'",
	  0 },
	{ "10 1 zz S r\n", TV_DROPPED, "unknown container", "container 'zz'", 0 },
	{ "10 1 a ZZ r\n", TV_DROPPED, "unknown type", "type 'ZZ'", 0 },
	{ "10 1 a load r\n", TV_DROPPED, "type of the wrong kind", "type 'load'", 0 },
	{ "10 NaN a S r\n", TV_DROPPED, "bad time", "time 'NaN'", 0 },
	{ "10 1e400 a S r\n", TV_DROPPED, "bad time", "beyond 146 years", 0 },
	{ "10 -5000000000 a S r\n", TV_DROPPED, "bad time", "beyond 146 years", 0 },
	{ "14 1 a load nan\n", TV_DROPPED, "bad number", "value 'nan'", 0 },
	{ "99 1 a S r\n", TV_DROPPED, "unknown event number", "event '99'", 0 },
	{ "x 1 a S r\n", TV_DROPPED, "unknown event number", "event 'x'", 0 },
	{ "10 1 a S\n", TV_DROPPED, "missing field", "3 fields, expected 4", 0 },
	{ "10 1 a S r s t\n", TV_REPAIRED, "surplus fields", "6 fields, expected 4", 1 },
	{ "10 1 a S \"r s\n10 2 a S w\n", TV_REPAIRED, "missing quote", "is not closed", 2 },
	{ "6 5 c P h C\n10 4 c S r\n", TV_DROPPED, "event before its container exists",
	  "created later", 0 },
	{ "7 2 a P\n10 3 a S r\n", TV_DROPPED, "event after its container's end", "destroyed", 0 },
	{ "6 0 a P h A2\n", TV_DROPPED, "container created twice", "'a' exists", 0 },
	{ "7 1 a P\n7 2 a P\n", TV_DROPPED, "container destroyed twice", "'a' is gone", 0 },
	{ "17 1 L h 5 a k w\n", TV_REPAIRED, "link without end", "link 'k'", 0 },
	{ "18 1 L h 5 a k\n", TV_DROPPED_BESIDE, "link end without start", "link 'k'", 0 },
	{ "17 2 L h 5 a k w\n18 1 L h 5 b k\n", TV_DROPPED_BESIDE, "link end before start",
	  "link 'k'", 0 },
	{ "17 2 L h 5 a k w\n17 3 L h 5 a k w\n18 4 L h 5 b k\n", TV_DROPPED_BESIDE,
	  "link key used twice", "'k'", 0 },
	{ "17 2 L h 5 a k w\n18 4 L h 6 b k\n", TV_REPAIRED, "link value differs at its end", "'6'",
	  0 },
	{ "15 2 a load 5\n", TV_REPAIRED, "variable changed before it was set", "taken as 0", 0 },
	{ "20 1 a S r 7\n", TV_REPAIRED, "task without end", "task 'Running' on 'A'", 0 },
	{ "20 1 a S r 7 high\n10 2 a S r\n", TV_REPAIRED, "field is not a number",
	  "Priority 'high'", 1 },
	{ "0 S 0 Other\n", TV_DROPPED, "type defined twice", "type 'S'", 0 },
	{ "0 X nowhere Other\n", TV_DROPPED, "unknown type", "nowhere", 0 },
	{ "5 r S Other 0\n", TV_DROPPED, "value defined twice", "value 'r'", 0 },
	{ "5 r H Other 0\n", TV_DROPPED, "type of the wrong kind", "value 'Other'", 0 },
	{ "%EventDef PajeSetState 30\n% Time date\n%EndEventDef\n", TV_DROPPED,
	  "bad event definition", "PajeSetState 30 has no field Type", 0 },
	{ "%EventDef PajeFly 30\n%EndEventDef\n30 1 2 3\n", TV_DROPPED, "bad event definition",
	  "'PajeFly'", 0 },
	{ "%EventDef PajeSetState -3\n%EndEventDef\n", TV_DROPPED, "bad event definition", "NUMBER",
	  0 },
	{ "% Time date\n", TV_DROPPED, "bad event definition", "outside", 0 },
	{ "%EventDef PajeSetState 10\n% Time date\n% Type string\n% Container string\n% Value "
	  "string\n%EndEventDef\n"
	  "10 1 a S r\n",
	  TV_DROPPED, "bad event definition", "event number 10 is defined twice", 1 },
	{ "%EventDef PajePopState 30\n% Time date\n% Ty", TV_REPAIRED, "event definition cut off",
	  "EndEventDef", 0 },
	{ "10 1 a S r\n10 2 a S", TV_REPAIRED, "last line cut off", "ends within", 1 },
	{ "10 1 a S r\n10 2 a S wai", TV_REPAIRED, "last line cut off", "ends within", 1 },
	{ "10 1 a S \xff\xfe\n12 2 a S\n12 3 a S\n", TV_DROPPED, "pop without push", "open", 1 },
};

static void damage(void **state)
{
	(void)state;
	for (size_t i = 0; i < TV_COUNT(damages); i++) {
		const struct tv_read_options strict = { .strict = true };
		struct tv_error err = { 0 };
		char *text = tv_format("%s%s", SMALL, damages[i].text);
		const struct tv_diagnostic *first;
		struct tv_trace t;

		load(&t, NULL, text);
		if (t.ndamage < 1)
			fail_msg("damage %zu: none", i);
		first = &t.diagnostics.at[t.damage->first];
		if (t.damage->kind != damages[i].kind
		    || strcmp(t.damage->cause, damages[i].cause) != 0
		    || strstr(first->text, damages[i].place) == NULL
		    || strcmp(first->file, "t.trace") != 0)
			fail_msg("damage %zu: '%s' '%s'", i, t.damage->cause, first->text);
		if ((int)t.table[TV_STATES].nrows != damages[i].states)
			fail_msg("damage %zu: %u states", i, t.table[TV_STATES].nrows);
		tv_trace_release(&t);
		tv_trace_init(&t, &strict);
		if ((read_text(&t, text, strlen(text), &err) == 0 && finish(&t, &err) == 0))
			fail_msg("damage %zu passes --strict", i);
		tv_trace_release(&t);
		tv_free(text);
	}
}

static void last_line_kept(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL, SMALL "10 1 a S r\n10 2 a S r");
	assert_int_equal(t.table[TV_STATES].nrows, 2);
	assert_int_equal(t.ndamage, 0);
	tv_trace_release(&t);
}

static void nothing_usable(void **state)
{
	static const char *const text[] = { DEFINITIONS, DEFINITIONS TYPES,
					    DEFINITIONS "10 1 a S r\n", "%EventDef\n" };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(text); i++) {
		struct tv_error err = { 0 };
		struct tv_trace t;

		tv_trace_init(&t, NULL);
		assert_int_equal(read_text(&t, text[i], strlen(text[i]), &err), 0);
		assert_int_equal(finish(&t, &err), -1);
		assert_non_null(strstr(err.text, "no usable Paj"));
		tv_trace_release(&t);
	}
}

/* Cut at every byte, and with bytes changed: any outcome but a crash, and tables that can be read.
 */
static void hostile(void **state)
{
	static const char text[] = STARPU
		"10 1 0_w WS I\n20 2 0_w WS gemm 0_4 3\n10 3 0_w WS I\n17 2 F 0_p 4 0_w c 0\n"
		"18 3 F 0_p 4 1_w c\n6 1 x Mn 0_p \"a b\"\n7 4 x Mn\n11 v WS 1_w 1\n12 2 1_w WS\n7 "
		"9 0 0\n";
	const size_t n = sizeof text - 1;
	uint64_t seed = unit_seed(7);

	(void)state;
	for (size_t i = 0; i < n + 3000; i++) {
		char *copy = tv_strndup(text, n);
		size_t length = i < n ? i : n;
		struct tv_error err = { 0 };
		struct tv_trace t;

		for (int k = 0; i >= n && k < 4; k++)
			copy[unit_random(&seed, n)] = "0% \"\n#\tz\0\xff"[unit_random(&seed, 10)];
		tv_trace_init(&t, NULL);
		if (read_text(&t, copy, length, &err) == 0 && finish(&t, &err) == 0)
			tv_free(dump(&t, TV_STATES, "ResourceId,Value,Start,End"));
		tv_trace_release(&t);
		tv_free(copy);
	}
}

/* A hundred thousand containers inside each other are destroyed with the outermost. */
static void deep(void **state)
{
	enum { DEPTH = 100000 };
	size_t room = sizeof SMALL + DEPTH * 60 + 100, at;
	char *text = tv_alloc(room, 1);
	struct tv_trace t;

	(void)state;
	at = (size_t)snprintf(text, room, "%s0 N0 P N\n6 0 n0 N0 a n0\n", SMALL);
	for (int i = 1; i < DEPTH; i++)
		at += (size_t)snprintf(text + at, room - at, "0 N%d N%d N%d\n6 0 n%d N%d n%d n%d\n",
				       i, i - 1, i, i, i, i - 1, i);
	snprintf(text + at, room - at, "7 3 a P\n");
	load(&t, NULL, text);
	assert_int_equal(t.table[TV_RESOURCES].nrows, DEPTH + 3);
	assert_int_equal(t.ndamage, 0);
	tv_trace_release(&t);
	tv_free(text);
}

/* What would make work or memory grow with the square of the input is refused. */
static void limits(void **state)
{
	static const struct {
		const char *line, *message;
		int times;
	} row[] = {
		{ "%% F%d string\n", "more than 64 fields", 65 },
		{ "%%EndEventDef\n%%EventDef PajeSetState 1\n%% F%d string\n",
		  "more than 1000 names", 1001 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		char *text = tv_strdup("%EventDef PajeSetState 1\n");
		struct tv_error err = { 0 };
		struct tv_trace t;

		for (int k = 0; k < row[i].times; k++) {
			char *line = tv_format(row[i].line, k),
			     *longer = tv_format("%s%s", text, line);

			tv_free(text);
			tv_free(line);
			text = longer;
		}
		tv_trace_init(&t, NULL);
		assert_int_equal(read_text(&t, text, strlen(text), &err), -1);
		assert_non_null(strstr(err.text, row[i].message));
		tv_trace_release(&t);
		tv_free(text);
	}
}

/* A type more than a record can name; those before it are only counted. */
static void too_many_types(void **state)
{
	static const char text[] = DEFINITIONS "0 H 0 Host\n";
	struct tv_error err = { 0 };
	struct tv_trace t;

	(void)state;
	tv_trace_init(&t, NULL);
	reading = tv_paje_reader.begin(&t);
	((struct tv_paje *)reading)->ntypes = TV_PAJE_TYPES;
	assert_int_equal(read_text(&t, text, sizeof text - 1, &err), -1);
	assert_string_equal(err.text, "more than 8388607 types, which is the limit");
	tv_trace_release(&t);
}

static void probe(void **state)
{
	static const struct {
		const char *head;
		int score;
	} row[] = {
		{ "%EventDef PajeSetState 1\n", 90 },
		{ "# x\n\n  %  EventDef\tPaje", 90 },
		{ "", 0 },
		{ "%EventDefX 3\n", 0 },
		{ "%rec: Task\n", 0 },
		{ "JobId: 3\n", 0 },
		{ "# only\n", 0 },
		{ "%", 0 },
		{ "ResourceId,Value\n", 0 },
		{ "%EventDef", 0 },
		{ "hello\n%EventDef PajeSetState 1\n% Time date\n", 60 },
		{ "hello\nworld\n%EventDef PajeSetState 1\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (tv_paje_reader.probe(row[i].head, strlen(row[i].head)) != row[i].score)
			fail_msg("row %zu", i);
}

/* Bytes of the text that begins with the quote s[0], with both quotes; 0: none ends it. */
static size_t single_slowly(const char *s, size_t n)
{
	for (size_t end = 1; end < n; end++)
		if (s[end] == '\'' && (end + 1 == n || strchr(" \t\r\v\f#", s[end + 1]) != NULL))
			return end + 1;
	return 0;
}

/* The fields of a line, byte by byte: how many there are. */
static size_t split_slowly(const char *s, size_t n, struct tv_paje_field *field, bool *open)
{
	size_t at = 0, count = 0;

	for (*open = false;; count++) {
		struct tv_paje_field *f = &field[count <= TV_PAJE_FIELDS ? count : TV_PAJE_KEPT];

		while (at < n && strchr(" \t\r\v\f", s[at]) != NULL)
			at++;
		if (at == n || s[at] == '#')
			return count;
		if (s[at] == '"') {
			f->s = &s[++at];
			while (at < n && s[at] != '"')
				at++;
			f->n = (size_t)(&s[at] - f->s);
			*open = at == n;
			at += at < n;
			continue;
		}
		f->s = &s[at + 1];
		f->n = s[at] == '\'' ? single_slowly(&s[at], n - at) : 0;
		if (f->n > 0) {
			at += f->n;
			f->n -= 2;
			continue;
		}
		f->s = &s[at];
		while (at < n && strchr(" \t\r\v\f#", s[at]) == NULL)
			at++;
		f->n = (size_t)(&s[at] - f->s);
	}
}

/* Lines are split by windows of 64 bytes: words, quotes and comments at all places beside their ends,
 * what is behind a line, and more fields than are kept. */
static void split(void **state)
{
	static const char often[] = "aaaaa bb ' \"\"'\t\r\v\f#\x01\xff";
	uint64_t seed = unit_seed(5);
	struct tv_paje *paje = tv_alloc(1, sizeof *paje);

	(void)state;
	for (int i = 0; i < 200000; i++) {
		size_t n = unit_random(&seed, i % 10 == 0 ? 300 : 80), count, surplus;
		/* The first characters: words; more of them: more fields. */
		uint64_t kinds = unit_random(&seed, sizeof often - 2) + 1;
		char *line = tv_alloc(n + TV_LINE_SPARE, 1);
		struct tv_paje_field want[TV_PAJE_KEPT + 1];
		bool open, want_open;

		for (size_t k = 0; k < n + TV_LINE_SPARE; k++)
			line[k] = often[unit_random(&seed, kinds)];
		count = split_slowly(line, n, want, &want_open);
		surplus = tv_paje_split(paje, line, n, &open);
		assert_int_equal(paje->nfields + surplus, count);
		assert_true(surplus == 0 || paje->nfields == TV_PAJE_KEPT);
		assert_int_equal(open, want_open);
		for (size_t k = 0; k < paje->nfields; k++) {
			assert_ptr_equal(paje->field[k].s, want[k].s);
			assert_int_equal(paje->field[k].n, want[k].n);
		}
		tv_free(line);
	}
	tv_free(paje);
}

/* Lines that come again with another time: they mean the same until a definition changes what they
 * mean. */
static void lines_again(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     SMALL "10 1 a S v\n10 2 a S v\n10 3.5 a S v\n10 3 a S v\n10\t4 a S v \n"
		   "5 v S \"a value\" \"1 1 1\"\n10 5 a S v\n10 x a S v\n10 6 a S v\n"
		   "14 1 a load 1\n15 2 a load 1\n15 3 a load 1\n15 4 a load 2.5\n15 5 a load x\n"
		   "15 6 a load 1 # one\n15 7 a load \"1\"\n15 8 a load 1#\n"
		   "19 1 a E m\n19 2 a E n\n5 n E \"a mark\" \"1 1 1\"\n19 3 a E n\n19 4 a E m\n"
		   "19 5 a E \"m n\"\n19 6 a E n\n19 7 a E o'\n19 8 a E 'o'\n19 9 a E 'o p'\n"
		   "20 1 b S r 7 -1 2\n20 2 b S r 7 -1 2\n20 3 b S r 7 -1 2 3\n"
		   "%EventDef PajeSetState 40\n% Time date\n% Container string\n% Type string\n"
		   "% Value string\n%EndEventDef\n"
		   "40 7 a S \"v\"\n40 8 a S \"v\" # one\n40 9 a S \"v\" # one\n10 1e1 a S v\n"
		   "%EventDef PajeSetVariable 41\n% Time date\n% Container string\n% Value double\n"
		   "% Type string\n%EndEventDef\n41 9 a -4.5 load\n41 10 a -4.5 load\n");
	assert_dump(&t, TV_STATES, "Value,Start,End",
		    "v 1000.000000 2000.000000\nv 2000.000000 3000.000000\n"
		    "v 3000.000000 3500.000000\nv 3500.000000 4000.000000\n"
		    "v 4000.000000 5000.000000\na value 5000.000000 6000.000000\n"
		    "a value 6000.000000 7000.000000\na value 7000.000000 8000.000000\n"
		    "a value 8000.000000 9000.000000\na value 9000.000000 10000.000000\n"
		    "a value 10000.000000 10000.000000\n");
	assert_dump(&t, TV_VARIABLES, "Start,Value",
		    "1000.000000 1\n2000.000000 2\n3000.000000 3\n4000.000000 5.5\n"
		    "6000.000000 6.5\n7000.000000 7.5\n8000.000000 8.5\n"
		    "9000.000000 -4.5\n10000.000000 -4.5\n");
	assert_dump(&t, TV_EVENTS, "Time,Value",
		    "1000.000000 m\n2000.000000 n\n3000.000000 a mark\n4000.000000 m\n"
		    "5000.000000 m n\n6000.000000 a mark\n7000.000000 o'\n"
		    "8000.000000 o\n9000.000000 o p\n");
	assert_dump(&t, TV_TASKS, "JobId,Start,Priority,Paje.Start",
		    "7 1000.000000 -1 2\n7 2000.000000 -1 2\n7 3000.000000 -1 2\n");
	assert_int_equal(t.ndamage, 4); /* time, number, surplus fields, the open task */
	tv_trace_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),	  cmocka_unit_test(variables_links_events),
		cmocka_unit_test(meta),		  cmocka_unit_test(tasks),
		cmocka_unit_test(starpu),	  cmocka_unit_test(any_order),
		cmocka_unit_test(several_files),  cmocka_unit_test(same_names),
		cmocka_unit_test(damage),	  cmocka_unit_test(last_line_kept),
		cmocka_unit_test(nothing_usable), cmocka_unit_test(hostile),
		cmocka_unit_test(deep),		  cmocka_unit_test(limits),
		cmocka_unit_test(probe),	  cmocka_unit_test(split),
		cmocka_unit_test(lines_again),	  cmocka_unit_test(too_many_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
