/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_machine.c -- sets of processors against a table of booleans; objects of the machine. */
#include "trace/machine.h"

#include "tests/unit/unit.h"
#include "trace/tasks.h"

enum { CPUS = 130, ROUNDS = 3000 };

static void random_set(struct tv_cpuset *set, bool *has, uint64_t *random)
{
	uint32_t n = (uint32_t)unit_random(random, 6);

	*set = (struct tv_cpuset){ 0 };
	memset(has, 0, CPUS * sizeof *has);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = (uint32_t)unit_random(random, CPUS);
		uint32_t last = first + (uint32_t)unit_random(random, 20);

		last = last < CPUS ? last : CPUS - 1;
		tv_cpuset_add(set, first, last);
		for (uint32_t cpu = first; cpu <= last; cpu++)
			has[cpu] = true;
	}
}

static void sets_like_booleans(void **state)
{
	uint64_t random = unit_seed(17);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tv_cpuset a, b, again;
		bool in_a[CPUS], in_b[CPUS], covers = true;
		uint32_t n = 0, shared = 0;
		char *text;

		random_set(&a, in_a, &random);
		random_set(&b, in_b, &random);
		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			assert_int_equal(tv_cpuset_has(&a, cpu), in_a[cpu]);
			n += in_a[cpu];
			shared += in_a[cpu] && in_b[cpu];
			covers = covers && (in_a[cpu] || !in_b[cpu]);
		}
		assert_int_equal(tv_cpuset_count(&a), n);
		assert_int_equal(tv_cpuset_shared(&a, &b), shared);
		assert_int_equal(tv_cpuset_covers(&a, &b), covers);
		for (size_t i = 1; i < a.n; i++)
			assert_true(a.range[i - 1].last + 1 < a.range[i].first);
		text = tv_cpuset_text(&a);
		assert_int_equal(tv_cpuset_parse(&again, text, strlen(text)), 0);
		assert_int_equal(again.n, a.n);
		if (a.n > 0)
			assert_memory_equal(again.range, a.range, a.n * sizeof *a.range);
		tv_free(text);
		tv_cpuset_release(&a);
		tv_cpuset_release(&b);
		tv_cpuset_release(&again);
	}
}

static void lists(void **state)
{
	static const struct {
		const char *text, *normal; /* NULL = refused */
	} lists[] = {
		{ "", "" },
		{ "0", "0" },
		{ "8,0-3", "0-3,8" },
		{ "0,1,2", "0-2" },
		{ "5-5", "5" },
		{ "1048575", "1048575" },
		{ ",", NULL },
		{ "1,", NULL },
		{ "1048576", NULL },
		{ "3-2", NULL },
		{ "-1", NULL },
		{ "1-", NULL },
		{ "0-3 ", NULL },
		{ "0x1", NULL },
		{ "99999999999999999999", NULL },
		{ "1-2-3", NULL },
		{ "0-4294967295", NULL },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(lists); i++) {
		struct tv_cpuset set;
		int rc = tv_cpuset_parse(&set, lists[i].text, strlen(lists[i].text));
		char *text = tv_cpuset_text(&set);

		assert_int_equal(rc, lists[i].normal == NULL ? -1 : 0);
		assert_string_equal(text, lists[i].normal == NULL ? "" : lists[i].normal);
		tv_free(text);
		tv_cpuset_release(&set);
	}
}

#define TASKS "ResourceId,Value,Start,End\nC0,a,0,1\nC1,a,0,1\n"

/* A trace with resources from rows of text. */
static void make(struct tv_trace *trace, const char *resources)
{
	struct tv_error err = { 0 };
	struct tv_input in;

	tv_trace_init(trace, NULL);
	tv_input_memory(&in, "tasks.csv", TASKS, strlen(TASKS));
	assert_int_equal(tv_native_reader.read(trace, &in, &err), 0);
	tv_input_close(&in);
	tv_input_memory(&in, "resources.csv", resources, strlen(resources));
	assert_int_equal(tv_csv_read(&in, trace, TV_RESOURCES, &err), 0);
	tv_input_close(&in);
	assert_int_equal(tv_trace_complete(trace, &err), 0);
}

static uint32_t named(const struct tv_machine *o, const char *name)
{
	return tv_object_of(o, tv_pool_find_text(o->pool, name));
}

static const char *above(struct tv_machine *o, const char *object, const char *level)
{
	uint32_t found = tv_object_above(o, named(o, object), tv_machine_level(o, level));

	return found == TV_NONE ? "none" : tv_pool_text(o->pool, o->at[found].id);
}

/* Asymmetric: package 1 has no cache and one PU; memories are children beside caches. */
#define HEAD "ResourceId,ResourceType,Parent,Order,OsIndex,Cpuset,Depth,Size\n"
#define MACHINE \
	"PU:2,PU,Core:1,2,4,,5,\nMachine:0,Machine,,0,0,,0,\nPackage:0,Package,Machine:0,0,0,,1," \
	"\n" \
	"Package:1,Package,Machine:0,1,1,,1,\nNUMANode:0,NUMANode,Package:0,0,0,\"0,2\",2,1000\n" \
	"NUMANode:1,NUMANode,Package:1,1,1,4,2,\nL3:0,L3,Package:0,0,0,,2,500\n" \
	"Core:0,Core,L3:0,0,0,,3,\nCore:1,Core,Package:1,1,1,,2,\nPU:0,PU,Core:0,0,0,,4,\n" \
	"PU:1,PU,Core:0,1,2,,4,\nC0,CPU,,,,0,,\n"

static void tree(void **state)
{
	struct tv_trace trace;
	struct tv_machine o;
	struct tv_tasks tasks;
	char *text;

	(void)state;
	make(&trace, HEAD MACHINE);
	tv_machine_init(&o, &trace.table[TV_RESOURCES]);
	assert_int_equal(o.n, 11);
	assert_int_equal(o.nlevels, 6);
	assert_int_equal(tv_machine_level(&o, "numa"), 2);
	assert_int_equal(tv_machine_level(&o, "l3cache"), tv_machine_level(&o, "L3"));
	assert_int_equal(tv_machine_level(&o, "L7"), TV_NONE);
	text = tv_cpuset_text(&o.at[named(&o, "Machine:0")].cpus);
	assert_string_equal(text, "0,2,4");
	tv_free(text);
	assert_string_equal(above(&o, "PU:1", "package"), "Package:0");
	assert_string_equal(above(&o, "PU:1", "numa"), "NUMANode:0");
	assert_string_equal(above(&o, "L3:0", "numa"), "NUMANode:0");
	assert_string_equal(above(&o, "PU:2", "numa"), "NUMANode:1");
	assert_string_equal(above(&o, "PU:2", "L3"), "none");
	assert_string_equal(above(&o, "Core:1", "core"), "Core:1");
	assert_string_equal(above(&o, "Machine:0", "core"), "none");
	assert_string_equal(above(&o, "Package:1", "numa"), "none");
	assert_int_equal(o.at[named(&o, "NUMANode:0")].size, 1000);
	tv_machine_release(&o);

	tv_tasks_init(&tasks, &trace, 1 << TV_APP);
	assert_int_equal(tasks.nworkers, 2);
	tv_tasks_release(&tasks);
	tv_trace_release(&trace);
}

/* Cycles, parents that are no objects, a processor as type: nothing loops, no worker appears. */
static void contradictory(void **state)
{
	struct tv_trace trace;
	struct tv_machine o;
	struct tv_tasks tasks;

	(void)state;
	make(&trace,
	     HEAD "a,CPU,b,0,0,,1,\nb,CPU,a,0,0,,1,\na,L3,b,0,0,,0,\nc,,C0,,,,3,\nd,PU,d,,7,,9,\n");
	tv_machine_init(&o, &trace.table[TV_RESOURCES]);
	assert_int_equal(o.n, 4);
	for (uint32_t i = 0; i < o.n; i++) {
		assert_int_equal(o.at[i].parent, TV_NONE);
		assert_int_equal(o.at[i].root, i);
	}
	assert_true(tv_cpuset_has(&o.at[named(&o, "d")].cpus, 7));
	tv_machine_release(&o);
	tv_tasks_init(&tasks, &trace, 1 << TV_APP);
	assert_int_equal(tasks.nworkers, 2);
	tv_tasks_release(&tasks);
	tv_trace_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_like_booleans),
		cmocka_unit_test(lists),
		cmocka_unit_test(tree),
		cmocka_unit_test(contradictory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
