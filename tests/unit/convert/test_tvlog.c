/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tvlog.c -- the reader of raw logs, on logs made by hand. */
#include "tests/unit/raw_check.h"

static void sync_events(unsigned thread, int64_t begin, int64_t end, uint64_t task, unsigned code)
{
	RAW(raw, thread, begin, OMP_SYNC_BEGIN, code, 7, task, 0);
	RAW(raw, thread, begin, OMP_WAIT_BEGIN, code, 7, task, 0);
	RAW(raw, thread, end, OMP_WAIT_END, code, 7, task, 0);
	RAW(raw, thread, end, OMP_SYNC_END, code, 7, task, 0);
}

/* That tasks depend on nothing is known: the column is there, also after sorting. */
static void check_independent(void)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;

	assert_int_equal(raw_read(&trace, raw, 1, NULL, &err), 0);
	assert_non_null(tv_table_find(&trace.table[TV_TASKS], "DependsOn"));
	assert_null(tv_table_find(&trace.table[TV_TASKS], "Handles"));
	tv_trace_release(&trace);
}

/* Two tasks of one thread, run by another; a third of the other thread. */
static void tasks(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1100, 1, 100, 4);
	create(0, 1200, 2, 100, 4 | 0x10000000);
	RAW(raw, 1, 1300, OMP_CREATE, 0, 3, 101, 4, 0);
	raw_barrier(raw, 7, 2, 2000);
	go(1, 2100, 101, 1, 7);
	go(1, 2300, 1, 101, 1);
	go(0, 2200, 100, 3, 7);
	go(0, 2500, 3, 100, 1);
	go(1, 2400, 101, 2, 7);
	go(1, 2600, 2, 101, 1);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS,
	      "ResourceId,Start,End,JobId,Kind,Node,ResourceType,SubmitTime,Nesting,Region,"
	      "ThreadTeam,Cpu,CpuEnd,NumaNode,Flag,DependsOn,Value",
	      "T1,0,200,1,app,0,CPU,-1000,0,1,T0,1,1,0,-,-,0x1010\n"
	      "T0,100,400,3,app,0,CPU,-800,0,1,T0,0,0,0,-,-,unknown\n"
	      "T1,300,500,2,app,0,CPU,-900,0,1,T0,1,1,0,untied,-,0x1010\n");
	check_independent();
	check(TV_STATES, "ResourceId,Type,Value,Start,End,Depth",
	      "T0,OpenMP State,Serial,-1100,7900,0\n"
	      "T0,OpenMP State,Parallel region,-1100,900,1\n"
	      "T0,OpenMP State,Implicit task,-1100,900,2\n"
	      "T1,OpenMP State,Implicit task,-1100,900,0\n"
	      "T0,OpenMP State,Implicit barrier,-100,100,3\n"
	      "T1,OpenMP State,Implicit barrier,-100,0,1\n"
	      "T1,OpenMP State,Implicit barrier,200,300,1\n"
	      "T0,OpenMP State,Implicit barrier,400,900,3\n"
	      "T1,OpenMP State,Implicit barrier,500,900,1\n"
	      "T1,OpenMP State,Idle,900,7900,0\n");
	check(TV_RESOURCES, "ResourceId,ResourceType,Node,Start,End",
	      "T0,CPU,0,-1100,7900\nT1,CPU,0,-1100,7900\n");
}

/* fib(2): a task creates two and waits for them. */
static void segments(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	raw_barrier(raw, 7, 2, 1100);
	go(0, 1200, 100, 1, 7);
	create(0, 1210, 2, 1, 4);
	create(0, 1220, 3, 1, 4);
	go(1, 1230, 101, 2, 7);
	RAW(raw, 0, 1300, OMP_SYNC_BEGIN, 5, 7, 1, 0);
	RAW(raw, 0, 1300, OMP_WAIT_BEGIN, 5, 7, 1, 0);
	go(0, 1310, 1, 3, 7);
	go(0, 1400, 3, 1, 1);
	go(1, 1500, 2, 101, 1);
	RAW(raw, 0, 1510, OMP_WAIT_END, 5, 7, 1, 0);
	RAW(raw, 0, 1510, OMP_SYNC_END, 5, 7, 1, 0);
	go(0, 1600, 1, 100, 1);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "ResourceId,Start,End,JobId,Segment,SubmitTime,ParentJob,Nesting,DependsOn",
	      "T0,0,100,1,0,-190,-,0,-\n"
	      "T1,30,300,2,-,10,1,1,1\n"
	      "T0,110,200,3,-,20,1,1,1\n"
	      "T0,310,400,1,1,-190,-,0,3 2\n");
	check(TV_STATES, "ResourceId,Value,Start,End,Depth",
	      "T0,Serial,-200,8800,0\n"
	      "T0,Parallel region,-200,1800,1\n"
	      "T0,Implicit task,-200,1800,2\n"
	      "T1,Implicit task,-200,1800,0\n"
	      "T0,Implicit barrier,-100,0,3\n"
	      "T1,Implicit barrier,-100,30,1\n"
	      "T0,Taskwait,100,110,3\n"
	      "T0,Taskwait,200,310,3\n"
	      "T1,Implicit barrier,300,1800,1\n"
	      "T0,Implicit barrier,400,1800,3\n"
	      "T1,Idle,1800,8800,0\n");
}

/* A list of dependences of a task just created: pairs of address and type. */
#define DEPEND(thread, time, task, ...) \
	RAW(raw, thread, time, OMP_DEPENDENCES, 0, task, __VA_ARGS__)

/* Runs a task on thread 1 for 10 ns. */
static void run(int64_t time, uint64_t task)
{
	go(1, time, 101, task, 7);
	go(1, time + 10, task, 101, 1);
}

static void dependences(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	DEPEND(0, 1010, 1, 0xa0, 3);
	create(0, 1020, 2, 100, 4);
	DEPEND(0, 1020, 2, 0xa0, 1, 0xb0, 3);
	create(0, 1030, 3, 100, 4);
	DEPEND(0, 1030, 3, 0xa0, 1);
	create(0, 1040, 4, 100, 4);
	DEPEND(0, 1040, 4, 0xa0, 4);
	create(0, 1050, 5, 100, 4);
	DEPEND(0, 1050, 5, 0xa0, 4);
	create(0, 1060, 6, 100, 4);
	DEPEND(0, 1060, 6, 0xa0, 7, 0xb0, 1);
	/* omp_all_memory, and what follows it. */
	create(0, 1062, 8, 100, 4);
	DEPEND(0, 1062, 8, 0, 35);
	create(0, 1064, 9, 100, 4);
	DEPEND(0, 1064, 9, 0xa0, 1);
	/* Those of other tasks are no siblings. */
	RAW(raw, 1, 1070, OMP_CREATE, 0, 7, 101, 4, 0);
	DEPEND(1, 1070, 7, 0xa0, 3);
	raw_barrier(raw, 7, 2, 1100);
	for (uint64_t i = 1; i <= 9; i++)
		run(1100 + 20 * (int64_t)i, i);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "JobId,Handles,Modes,DependsOn",
	      "1,h0,RW,-\n"
	      "2,h0 h1,R RW,1\n"
	      "3,h0,R,1\n"
	      "4,h0,RWC,2 3\n"
	      "5,h0,RWC,2 3\n"
	      "6,h0 h1,RW R,4 5 2\n"
	      "9,h0,RW,-\n"
	      "7,h2,RW,6\n"
	      "8,h0,R,7\n"
	      "-,-,-,-\n");
	check(TV_HANDLES, "Handle,Node,Address", "h0,0,0xa0\nh1,0,0xb0\nh2,0,0x0\n");
}

/* A list that fills an event goes on in the next one, also where that has nothing more of it. */
static void long_list(void **state)
{
	enum { FIRST = (TV_LOG_MAX_WORDS - 3) / 2 };
	static uint64_t list[1 + 2 * FIRST];
	char want[100];

	(void)state;
	for (int more = 0; more < 2; more++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;
		const struct tv_column *handles;
		uint32_t n;

		raw_begin(raw, -1, "a", 10000);
		raw_region(raw, 7, 2, 1000);
		create(0, 1010, 1, 100, 4);
		list[0] = 1;
		for (uint64_t i = 0; i < FIRST; i++) {
			list[1 + 2 * i] = i;
			list[2 + 2 * i] = 3;
		}
		raw_event_text(raw, 0, 1010, TV_LOG_OMP_DEPENDENCES, 0, list, TV_COUNT(list), NULL,
			       0);
		if (more)
			RAW(raw, 0, 1010, OMP_DEPENDENCES, 1, 1, FIRST, 3);
		create(0, 1020, 2, 100, 4);
		DEPEND(0, 1020, 2, FIRST, 3);
		run(1100, 1);
		run(1200, 2);
		assert_int_equal(raw_read(&trace, raw, 1, NULL, &err), 0);
		handles = tv_table_find(&trace.table[TV_TASKS], "Handles");
		tv_list(handles, 0, &n);
		assert_int_equal(n, FIRST + more);
		raw_dump(want, sizeof want, &trace, TV_TASKS, "JobId,DependsOn");
		assert_string_equal(want, more ? "1,-\n2,1\n-,-\n" : "1,-\n2,-\n-,-\n");
		tv_trace_release(&trace);
	}
}

/* Taskwait, taskgroup and barrier of an implicit task: ghosts where several tasks were waited for. */
static void ghosts(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	create(0, 1011, 2, 100, 4);
	run(1020, 1);
	run(1040, 2);
	sync_events(0, 1100, 1110, 100, 5);
	create(0, 1120, 3, 100, 4); /* after the taskwait, g1 */
	RAW(raw, 0, 1130, OMP_SYNC_BEGIN, 6, 7, 100, 0);
	create(0, 1140, 4, 100, 4); /* in the taskgroup, and its child */
	go(1, 1150, 101, 4, 7);
	create(1, 1155, 5, 4, 4);
	go(1, 1160, 4, 101, 1);
	run(1170, 5);
	RAW(raw, 0, 1200, OMP_WAIT_BEGIN, 6, 7, 100, 0);
	RAW(raw, 0, 1210, OMP_WAIT_END, 6, 7, 100, 0);
	RAW(raw, 0, 1210, OMP_SYNC_END, 6, 7, 100, 0);
	create(0, 1220, 6, 100, 4); /* after the taskgroup, g2; 3 may still run */
	RAW(raw, 1, 1290, OMP_SYNC_BEGIN, 2, 7, 101, 0);
	RAW(raw, 1, 1290, OMP_WAIT_BEGIN, 2, 7, 101, 0);
	RAW(raw, 0, 1300, OMP_SYNC_BEGIN, 2, 7, 100, 0);
	RAW(raw, 0, 1300, OMP_WAIT_BEGIN, 2, 7, 100, 0);
	run(1310, 3);
	run(1330, 6);
	RAW(raw, 0, 1400, OMP_WAIT_END, 2, 7, 100, 0);
	RAW(raw, 0, 1400, OMP_SYNC_END, 2, 7, 100, 0);
	RAW(raw, 1, 1401, OMP_WAIT_END, 2, 7, 101, 0);
	RAW(raw, 1, 1401, OMP_SYNC_END, 2, 7, 101, 0);
	RAW(raw, 1, 1410, OMP_CREATE, 0, 8, 101, 4, 0); /* after the barrier, g3 */
	raw_barrier(raw, 7, 2, 1500);
	run(1510, 8);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "JobId,Kind,Value,DependsOn",
	      "1,app,0x1010,-\n2,app,0x1010,-\n4,app,0x1010,g1\n5,app,0x1010,4\n"
	      "3,app,0x1010,g1\n6,app,0x1010,g2\n7,app,unknown,g3\n"
	      "g1,ghost,taskwait,2 1\ng2,ghost,taskgroup,5 4\ng3,ghost,barrier,6 "
	      "3\n-,worker,-,-\n");
	/* Of waits, SubmitTime is when their creator came to them; delays are from their end. */
	check(TV_TASKS, "JobId,SubmitTime,SubmitAfter,SubmitDelay",
	      "1,-10,-,-\n2,-9,-,-\n4,120,g1,30\n5,135,-,-\n3,100,g1,10\n6,200,g2,10\n"
	      "7,390,g3,9\ng1,80,-,-\ng2,180,g1,90\ng3,280,g2,90\n-,-,-,-\n");
}

/* What a thread creates after it has run a task in the midst of creating is submitted after that; an empty wait is work. */
static void creator_runs(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	create(0, 1020, 2, 100, 4);
	go(0, 1030, 100, 2, 7);
	go(0, 1060, 2, 100, 1);
	create(0, 1065, 3, 100, 4);
	sync_events(0, 1070, 1080, 100, 5); /* for 1 and 3 */
	create(0, 1090, 4, 100, 4);
	go(0, 1100, 100, 4, 7);
	go(0, 1120, 4, 100, 1);
	RAW(raw, 0, 1125, OMP_SYNC_BEGIN, 6, 7, 100, 0);
	RAW(raw, 0, 1125, OMP_WAIT_BEGIN, 6, 7, 100, 0);
	RAW(raw, 0, 1127, OMP_WAIT_END, 6, 7, 100, 0);
	RAW(raw, 0, 1127, OMP_SYNC_END, 6, 7, 100, 0);
	create(0, 1130, 5, 100, 4);
	raw_barrier(raw, 7, 2, 1200);
	run(1210, 1);
	run(1230, 3);
	run(1250, 5);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "JobId,SubmitTime,DependsOn,SubmitAfter,SubmitDelay",
	      "2,-10,-,-,-\n4,60,g1,g1,10\n1,-20,-,-,-\n3,35,-,2,5\n5,100,g1,4,10\n"
	      "g1,40,3 2 1,2,10\n");
}

/* "task if(0) depend" is a taskwait with the clauses, then a task; a final task's child. */
static void undeferred(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	DEPEND(0, 1010, 1, 0xa0, 3);
	RAW(raw, 0, 1020, OMP_CREATE, 1, 50, 100, 0x48000010, 0);
	DEPEND(0, 1020, 50, 0xa0, 3);
	run(1030, 1);
	RAW(raw, 0, 1050, OMP_SCHEDULE, 8, 50, 0);
	create(0, 1060, 2, 100, 0x8000004);
	go(0, 1070, 100, 2, 7);
	create(0, 1075, 3, 2, 0x28000004);
	go(0, 1080, 2, 3, 7);
	go(0, 1090, 3, 2, 1);
	go(0, 1100, 2, 100, 1);
	create(0, 1110, 4, 100, 4);
	raw_barrier(raw, 7, 2, 1300);
	run(1310, 4);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "JobId,Segment,ResourceId,Handles,Flag,DependsOn",
	      "1,-,T1,h0,-,-\n"
	      "2,0,T0,h0,undeferred,g1 1\n"
	      "3,-,T0,-,undeferred final,2\n"
	      "2,1,T0,h0,undeferred,3\n"
	      "4,-,T1,-,-,2\n"
	      "g1,-,-,-,-,1\n");
}

/* An untied task that goes on on another thread; libomp's wrong prior task in a team of one. */
static void untied(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 0x10000004);
	raw_barrier(raw, 7, 2, 1100);
	go(0, 1200, 100, 1, 7);
	go(0, 1210, 1, 100, 7);
	go(1, 1230, 101, 1, 7);
	go(1, 1240, 1, 101, 7);
	go(1, 1250, 1, 1, 7);
	go(1, 1260, 1, 101, 1);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "ResourceId,Start,End,JobId,Segment",
	      "T0,0,10,1,0\nT1,30,40,1,1\nT1,50,60,1,2\n");
}

/* A killed program: one task runs, one is suspended, one has not started. */
static void killed(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw->head.finished = 0;
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	create(0, 1020, 2, 100, 4);
	create(0, 1030, 3, 100, 4);
	raw_barrier(raw, 7, 2, 1100);
	go(0, 1200, 100, 1, 7);
	go(0, 1300, 1, 2, 7);
	run(1500, 3);
	create(1, 1600, 4, 101, 4);
	check(TV_TASKS, "ResourceId,Start,End,JobId,Kind,Flag",
	      "T0,0,100,1,app,open\nT0,100,400,2,app,open\nT1,300,310,3,app,-\n"
	      "-,-,-,4,pending,-\n");
	/* Where recording paused, what had been created may have run. */
	RAW(raw, 1, 1700, GAP, 1, 0);
	check(TV_TASKS, "JobId,Kind,Flag", "1,app,-\n2,app,-\n3,app,-\n4,ghost,-\n");
}

/* A log without space: each thread ends with its last event, what is lost is counted. */
static void full(void **state)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;

	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw->head.stopped = TV_LOG_FULL_SIZE;
	raw->head.lost = 77;
	raw_region(raw, 7, 2, 1000);
	create(0, 1010, 1, 100, 4);
	create(0, 1020, 2, 100, 4);
	go(0, 1200, 100, 1, 7);
	create(0, 1300, 3, 1, 4);
	go(1, 1250, 101, 2, 7);
	create(1, 1500, 4, 2, 4);
	check(TV_TASKS, "ResourceId,Start,End,JobId,Kind,Flag",
	      "T0,0,100,1,app,open\nT1,50,300,2,app,open\n-,-,-,3,pending,-\n"
	      "-,-,-,4,pending,-\n");
	assert_int_equal(raw_read(&trace, raw, 1, NULL, &err), 0);
	assert_int_equal(tv_trace_dropped(&trace, got, sizeof got), 77);
	tv_trace_release(&trace);
}

/* What the program says of its tasks, and counters. */
static void user(void **state)
{
	const double two = 2, half = 0.5;
	uint64_t bits[2];

	(void)state;
	memcpy(&bits[0], &two, 8);
	memcpy(&bits[1], &half, 8);
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	RAW_TEXT(raw, 1, 1001, COUNTER, "page-faults", 0, 0);
	/* Counters are declared in order; 1 is cumulative. */
	raw_event_text(raw, 0, 1001, TV_LOG_COUNTER, 1, (const uint64_t[]){ 0 }, 1, "page-faults",
		       11);
	create(0, 1010, 1, 100, 4);
	DEPEND(0, 1010, 1, 0xa0, 3);
	raw_barrier(raw, 7, 2, 1100);
	RAW(raw, 0, 1200, VALUES, 0, 5);
	go(0, 1200, 100, 1, 7);
	RAW_TEXT(raw, 0, 1210, USER_NAME, "potrf", 0);
	RAW_TEXT(raw, 0, 1210, USER_NUMBER, "X", 0, bits[0]);
	RAW_TEXT(raw, 0, 1211, USER_NUMBER, "GFlop", 0, bits[1]);
	RAW_TEXT(raw, 0, 1211, USER_NUMBER, "Start", 0, bits[1]);
	RAW_TEXT(raw, 0, 1211, USER_DATA, "A[0,0]", 0, 0xa0, 4096);
	RAW_TEXT(raw, 0, 1212, USER_PHASE_BEGIN, "solve", 0);
	RAW(raw, 0, 1300, VALUES, 0, 12);
	go(0, 1300, 1, 100, 1);
	RAW(raw, 0, 1310, PAGE_AT, 0, 0xa0, 1);
	RAW_TEXT(raw, 0, 1320, BINDING, "0-3", 0);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "Value,X,GFlop,User.Start,page-faults,Sizes,Remote",
	      "potrf,2,0.5,0.5,7,4096,1\n-,-,-,-,-,-,-\n");
	check(TV_HANDLES, "Handle,Name,Size,NumaNode", "h0,A[0,0],4096,1\n");
	check(TV_EVENTS, "ResourceId,Type,Time,Value", "T0,program event,12,start_solve\n");
	check(TV_RESOURCES, "ResourceId,Cpuset", "T0,0-3\nT1,-\n");
}

/* Counters are read at the begin and end of tasks, not of waits: what a task did before a wait comes
 * with the next values, those of a task that runs in the wait or of its own end. */
static void counters(void **state)
{
	static const int64_t value[] = { 100, 107, 109, 110 };

	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 1, 1000);
	raw_event_text(raw, 0, 1001, TV_LOG_COUNTER, 1, (const uint64_t[]){ 0 }, 1, "faults", 6);
	create(0, 1010, 1, 100, 4);
	RAW(raw, 0, 1100, VALUES, 0, (uint64_t)value[0]);
	go(0, 1100, 100, 1, 7);
	create(0, 1110, 2, 1, 4);
	RAW(raw, 0, 1200, OMP_SYNC_BEGIN, 5, 7, 1, 0);
	RAW(raw, 0, 1300, VALUES, 0, (uint64_t)value[1]);
	go(0, 1300, 1, 2, 7);
	RAW(raw, 0, 1400, VALUES, 0, (uint64_t)value[2]);
	go(0, 1400, 2, 1, 1);
	RAW(raw, 0, 1500, OMP_SYNC_END, 5, 7, 1, 0);
	sync_events(0, 1600, 1700, 1, 5);
	RAW(raw, 0, 1800, VALUES, 0, (uint64_t)value[3]);
	go(0, 1800, 1, 100, 1);
	check(TV_TASKS, "JobId,Segment,faults", "1,0,7\n2,-,2\n1,1,0\n1,2,1\n");
}

/* Where threads are: at a construct, its barrier, and, of the region's end, at the region. */
static void places(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	RAW(raw, 0, 1100, OMP_PARALLEL_BEGIN, 0, 8, 100, 1, 0, 0x20);
	RAW(raw, 0, 1100, OMP_IMPLICIT_BEGIN, 0, 8, 200, 1, 0, 2);
	RAW(raw, 0, 1200, OMP_WORK_BEGIN, 1, 8, 200, 10, 0x30);
	RAW(raw, 0, 1300, OMP_WORK_END, 1, 8, 200, 0, 0x30);
	RAW(raw, 0, 1300, OMP_WAIT_BEGIN, 2, 8, 200, 0x30);
	RAW(raw, 0, 1400, OMP_WAIT_END, 2, 8, 200, 0x30);
	RAW(raw, 0, 1500, OMP_ACQUIRE, 5, 0xb, 0x40);
	RAW(raw, 0, 1600, OMP_ACQUIRED, 5, 0xb, 0x40);
	RAW(raw, 0, 1700, OMP_RELEASED, 5, 0xb, 0x40);
	RAW(raw, 0, 1800, OMP_WAIT_BEGIN, 2, 8, 200, 0);
	RAW(raw, 0, 1900, OMP_WAIT_END, 2, 8, 200, 0);
	RAW(raw, 0, 2000, OMP_IMPLICIT_END, 0, 8, 200, 0, 2);
	RAW(raw, 0, 2000, OMP_PARALLEL_END, 0, 8, 100, 0, 0x20);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_STATES, "Value,Start,Site",
	      "Serial,0,-\nParallel region,0,-\nImplicit task,0,-\nImplicit task,0,-\n"
	      "Parallel region,100,0x20\nImplicit task,100,-\nLoop,200,0x30\n"
	      "Implicit barrier,300,0x30\nWait for critical,500,0x40\nCritical,600,0x40\n"
	      "Implicit barrier,800,0x20\nIdle,2000,-\n");
}

/* Of a task in which counters are not read until its end, and one that begins there, nothing is known. */
static void unread_counters(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 1, 1000);
	raw_event_text(raw, 0, 1001, TV_LOG_COUNTER, 1, (const uint64_t[]){ 0 }, 1, "faults", 6);
	for (uint64_t i = 1; i <= 4; i++)
		create(0, 1010 + (int64_t)i, i, 100, 4);
	RAW(raw, 0, 1100, VALUES, 0, 5);
	go(0, 1100, 100, 1, 7);
	RAW(raw, 0, 1200, VALUES, 0, 7);
	raw_event_text(raw, 0, 1200, TV_LOG_UNREAD, 0, NULL, 0, NULL, 0);
	go(0, 1200, 1, 2, 1);
	go(0, 1300, 2, 3, 1);
	RAW(raw, 0, 1400, VALUES, 0, 19);
	go(0, 1400, 3, 4, 1);
	RAW(raw, 0, 1500, VALUES, 0, 29);
	go(0, 1500, 4, 100, 1);
	check(TV_TASKS, "JobId,faults", "1,2\n2,-\n3,-\n4,10\n");
}

/* Locks are released in any order; one that omp_test_lock did not get is no wait. */
static void locks(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 3000);
	RAW(raw, 0, 1000, OMP_ACQUIRE, 1, 0xa, 0);
	RAW(raw, 0, 1100, OMP_ACQUIRED, 1, 0xa, 0);
	RAW(raw, 0, 1200, OMP_ACQUIRE, 5, 0xb, 0);
	RAW(raw, 0, 1300, OMP_ACQUIRED, 5, 0xb, 0);
	RAW(raw, 0, 1400, OMP_RELEASED, 1, 0xa, 0);
	RAW(raw, 0, 1500, OMP_RELEASED, 5, 0xb, 0);
	RAW(raw, 0, 1600, OMP_ACQUIRE, 1, 0xc, 0);
	RAW(raw, 0, 1700, OMP_WORK_BEGIN, 1, 7, 0, 10, 0);
	RAW(raw, 0, 1800, OMP_WORK_END, 1, 7, 0, 0, 0);
	check(TV_STATES, "Value,Object,Start,End,Depth",
	      "Wait for lock,m0,0,100,0\n"
	      "Lock,m0,100,400,0\n"
	      "Wait for critical,m1,200,300,1\n"
	      "Critical,m1,300,500,1\n"
	      "Loop,-,700,800,0\n");
}

/* A buffer's earlier contents are chunks behind it, in the order of `sequence`. Of two with the same
 * one the second was not copied to its end. A new thread goes on in the buffer of one that ended. */
static void chunks(void **state)
{
	static const char *const piece[] = { "late", "early", "lost", "middle" };
	static const uint32_t sequence[] = { 2, 0, 2, 1 };

	(void)state;
	raw_begin(raw, -1, "a", 10000);
	for (uint32_t i = 0; i < 4; i++) {
		int64_t time = 1000 * (int64_t)(sequence[i] + 1);
		struct tv_log_chunk head;
		unsigned char *at = raw->bytes + TV_LOG_PAGE + i * TV_LOG_CHUNK;

		if (i == 0)
			RAW_TEXT(raw, i, time, THREAD, "second", 0, 5, 77);
		raw_event_text(raw, i, time, TV_LOG_USER_PHASE_BEGIN, 0, NULL, 0, piece[i],
			       strlen(piece[i]));
		memcpy(&head, at, sizeof head);
		head.thread = head.buffer = 0;
		head.sequence = sequence[i];
		memcpy(at, &head, sizeof head);
	}
	check(TV_EVENTS, "ResourceId,Time,Value",
	      "T0,0,start_early\nT0,1000,start_middle\nT5,2000,start_late\n");
	check(TV_RESOURCES, "ResourceId,ThreadId,Name,End", "T0,-,-,1000\nT5,77,second,9000\n");
}

/* Names: of sites, of modules, of modules that were unmapped; and the user's. */
static void names(void **state)
{
	static const char module[] = "/usr/lib/libx.so", other[] = "/opt/y";
	static const char site[] = "/usr/lib/libx.so\0main\0/src/a.c";
	struct tv_error err = { 0 };
	struct tv_read_options options = { .names = "names.tmp" };
	struct tv_trace trace;
	FILE *file;

	(void)state;
	raw_begin(raw, -1, "a", 10000);
	RAW_TEXT(raw, 0, 10, MODULE, module, 0, 0x1000, 0x2000, 0x1000);
	RAW_TEXT(raw, 0, 1250, MODULE, other, 0, 0x1000, 0x1800, 0x800);
	RAW_TEXT(raw, 1, 9000, SITE, site, 0, 0x10, 42);
	RAW_TEXT(raw, 1, 9000, SITE, "/usr/lib/libx.so\0f\0", 0, 0x20, 0);
	raw_region(raw, 7, 1, 1260);
	raw->words[2] = 0;
	RAW(raw, 2, 1000, OMP_CREATE, 0, 1, 100, 4, 0x1010);
	RAW(raw, 2, 1010, OMP_CREATE, 0, 2, 100, 4, 0x1020);
	RAW(raw, 2, 1300, OMP_CREATE, 0, 3, 100, 4, 0x1020);
	RAW(raw, 2, 1310, OMP_CREATE, 0, 4, 100, 4, 0x1900);
	check(TV_TASKS, "JobId,Value",
	      "1,main@a.c:42\n2,libx.so+0x20\n3,y+0x820\n4,libx.so+0x900\n-,-\n-,-\n");
	check(TV_RESOURCES, "ResourceId", "T0\nT2\n");
	file = fopen("names.tmp", "w");
	assert_non_null(file);
	fputs("# renames\nmain@a.c:42=potrf\r\n\ny+0x820=trsm\nlibx.so+0x900=a=b\n", file);
	fclose(file);
	assert_int_equal(raw_read(&trace, raw, 1, &options, &err), 0);
	raw_dump(got, sizeof got, &trace, TV_TASKS, "Value");
	assert_string_equal(got, "potrf\nlibx.so+0x20\ntrsm\nlibx.so+0x900\n-\n-\n");
	tv_trace_release(&trace);
	file = fopen("names.tmp", "w");
	assert_non_null(file);
	fputs("main\n", file);
	fclose(file);
	assert_int_equal(raw_read(&trace, raw, 1, &options, &err), -1);
	assert_string_equal(err.text, "'main', expected FROM=TO");
	tv_trace_release(&trace);
	remove("names.tmp");
}

/* Ranks by their numbers, other processes as they began; clocks of hosts by CLOCK_REALTIME. */
static void processes(void **state)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct raw *of = &raw[i];

		raw_begin(of, 1 - i, i == 0 ? "b" : "a", 10000);
		of->head.begin_real = i == 0 ? 5000 : 0;
		of->head.end_real = of->head.begin_real + 10000 + (i == 0 ? 5 : 0);
		RAW(of, 0, 2000, OMP_CREATE, 0, 1, 0, 4, 0);
		RAW(of, 0, 2000, OMP_SCHEDULE, 7, 100, 1);
		RAW(of, 0, 4000, OMP_SCHEDULE, 1, 1, 100);
	}
	assert_int_equal(raw_read(&trace, raw, 2, NULL, &err), 0);
	raw_dump(got, sizeof got, &trace, TV_TASKS, "ResourceId,Start,End,JobId,Node");
	/* Rank 1's clock gains 5 ns in 10000: 1 until 2000, 2 until 4000. */
	assert_string_equal(got, "0_T0,0,2000,0_1,0\n1_T0,5001,7002,1_1,1\n");
	tv_trace_release(&trace);
	/* A process of rank 1's host that began earlier: its pair counts for both. */
	raw_begin(&raw[2], 2, "b", 2000);
	raw[2].head.begin_mono = 0;
	raw[2].head.begin_real = 5000;
	raw[2].head.end_real = 7001;
	RAW(&raw[2], 0, 1000, OMP_CREATE, 0, 1, 0, 4, 0);
	RAW(&raw[2], 0, 1000, OMP_SCHEDULE, 7, 100, 1);
	RAW(&raw[2], 0, 2000, OMP_SCHEDULE, 1, 1, 100);
	raw[0].head.begin_mono = 1000;
	raw[0].head.begin_real = 123456789; /* not the first of its host */
	assert_int_equal(raw_read(&trace, raw, 3, NULL, &err), 0);
	raw_dump(got, sizeof got, &trace, TV_TASKS, "ResourceId,Start,End,JobId,Node");
	assert_string_equal(got, "0_T0,0,2000,0_1,0\n2_T0,4001,5001,2_1,2\n"
				 "1_T0,5001,7002,1_1,1\n");
	tv_trace_release(&trace);
	for (int i = 0; i < 2; i++)
		raw[i].head.rank = -1;
	assert_int_equal(raw_read(&trace, raw, 2, NULL, &err), 0);
	raw_dump(got, sizeof got, &trace, TV_TASKS, "JobId");
	assert_string_equal(got, "0_1\n1_1\n");
	tv_trace_release(&trace);
}

/* Each file that is refused, and why. */
static void refused(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
		const char *want;
	} c[] = {
		{ 8, 9, "a raw log of version 9, expected 1" },
		{ 12, 0x04030201,
		  "recorded on a machine of the other byte order, which is not "
		  "supported; convert it there" },
		{ 20, 100,
		  "a raw log with chunks of 100 bytes behind 4096, expected 65536 behind "
		  "4096" },
		{ TV_LOG_PAGE, 0, "no usable event, nothing was recorded" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(c); i++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;

		raw_begin(raw, -1, "a", 1000);
		RAW(raw, 0, 10, OMP_CREATE, 0, 1, 0, 4, 0);
		memcpy(raw->bytes + c[i].at, &c[i].value, 4);
		assert_int_equal(raw_read(&trace, raw, 1, NULL, &err), -1);
		assert_string_equal(err.text, c[i].want);
		tv_trace_release(&trace);
	}
}

/* tests/data/tvlog/hand.tvlog: tasks with dependences, nested ones, locks, names and counters. */
static void make_sample(void)
{
	static const char site[] = "/opt/app\0main\0/src/app.c";

	raw_begin(raw, -1, "host", 10000);
	RAW_TEXT(raw, 0, 900, MODULE, "/opt/app", 0, 0x1000, 0x2000, 0x1000);
	RAW_TEXT(raw, 2, 10000, SITE, site, 0, 0x10, 42);
	raw_event_text(raw, 2, 10000, TV_LOG_META, 0, NULL, 0, "Program\0app", 11);
	raw_region(raw, 7, 2, 1000);
	raw_event_text(raw, 1, 1001, TV_LOG_COUNTER, 1, (const uint64_t[]){ 0 }, 1, "task-clock",
		       10);
	create(0, 1010, 1, 100, 4);
	DEPEND(0, 1010, 1, 0xa0, 3);
	create(0, 1020, 2, 100, 4);
	DEPEND(0, 1020, 2, 0xa0, 1, 0xb0, 4);
	create(0, 1030, 3, 100, 4 | 0x10000000);
	DEPEND(0, 1030, 3, 0xa0, 1, 0xb0, 4, 0xc0, 7);
	RAW(raw, 1, 1100, VALUES, 0, 5);
	go(1, 1100, 101, 1, 7);
	RAW_TEXT(raw, 1, 1110, USER_NAME, "first", 0);
	RAW_TEXT(raw, 1, 1110, USER_NUMBER, "X", 0, 0x4000000000000000);
	RAW_TEXT(raw, 1, 1110, USER_DATA, "A", 0, 0xa0, 4096);
	RAW(raw, 1, 1120, OMP_ACQUIRE, 5, 0xe0, 0);
	RAW(raw, 1, 1130, OMP_ACQUIRED, 5, 0xe0, 0);
	RAW(raw, 1, 1140, OMP_RELEASED, 5, 0xe0, 0);
	RAW(raw, 1, 1200, VALUES, 0, 105);
	go(1, 1200, 1, 101, 1);
	run(1210, 3);
	go(1, 1300, 101, 2, 7);
	create(1, 1310, 4, 2, 4);
	create(1, 1320, 5, 2, 4);
	RAW(raw, 1, 1400, OMP_SYNC_BEGIN, 5, 7, 2, 0);
	RAW(raw, 1, 1400, OMP_WAIT_BEGIN, 5, 7, 2, 0);
	go(1, 1410, 2, 4, 7);
	go(1, 1500, 4, 2, 1);
	raw_barrier(raw, 7, 1, 1400);
	go(0, 1420, 100, 5, 7);
	go(0, 1600, 5, 100, 1);
	RAW(raw, 1, 1610, OMP_WAIT_END, 5, 7, 2, 0);
	RAW(raw, 1, 1610, OMP_SYNC_END, 5, 7, 2, 0);
	go(1, 1700, 2, 101, 1);
	RAW(raw, 1, 1700, OMP_SYNC_BEGIN, 2, 7, 101, 0);
	RAW(raw, 1, 1700, OMP_WAIT_BEGIN, 2, 7, 101, 0);
	raw_region_end(raw, 7, 2, 1800);
}

static int write_sample(const char *path)
{
	FILE *file = fopen(path, "w");

	make_sample();
	return file == NULL || fwrite(raw->bytes, RAW_BYTES, 1, file) != 1 || fclose(file) != 0;
}

static void hostile(void **state)
{
	(void)state;
	check_damaged(make_sample, 1313);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks),
		cmocka_unit_test(segments),
		cmocka_unit_test(dependences),
		cmocka_unit_test(ghosts),
		cmocka_unit_test(creator_runs),
		cmocka_unit_test(long_list),
		cmocka_unit_test(undeferred),
		cmocka_unit_test(untied),
		cmocka_unit_test(killed),
		cmocka_unit_test(full),
		cmocka_unit_test(user),
		cmocka_unit_test(counters),
		cmocka_unit_test(unread_counters),
		cmocka_unit_test(places),
		cmocka_unit_test(locks),
		cmocka_unit_test(chunks),
		cmocka_unit_test(names),
		cmocka_unit_test(processes),
		cmocka_unit_test(refused),
		cmocka_unit_test(hostile),
	};

	if (argc == 2)
		return write_sample(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
