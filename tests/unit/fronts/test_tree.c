/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tree.c -- tree, tree-usage, active-nodes, node-memory by hand, and what they refuse. */
#include <stdio.h>

#include "tests/unit/sample.h"

#define HEADER "ResourceId,Value,Start,End,JobId,Kind,DependsOn,SubmitTime,Tag,GFlop\n"

/*
 * Fronts 1 (a pruned leaf) and 0x12 below 0x20. 1 is never cleaned: it closes with do_subtree. The
 * assembly of 0x20 is tagged 0x20; what task 9 does belongs to no front.
 */
#define THREE \
	HEADER \
	"CPU0,do_subtree,0,10,1,app,,-9,0000000000000001,0.5\n" \
	"CPU1,init_front,0,1,2,app,,-8,0000000000000012,0.25\n" \
	"CPU1,geqrt,1,5,3,app,2,-7,0000000100000012,3\n" \
	"CPU1,gemqrt,5,8,4,app,3,-6,0000000200000012,2\n" \
	"CPU1,init_front,8,9,5,app,,-5,0000000000000020,1\n" \
	"CPU0,block_copy,10,12,6,app,1 5,-4,0000000000000020,0\n" \
	"CPU1,block_extadd,9,11,7,app,4 5,-3,0000000000000020,0\n" \
	"CPU1,clean_front,11,13,8,app,7,-2,0000000000000012,-0.25\n" \
	"CPU0,other,12,13,9,app,,-1,0000000000000000,7\n" \
	"CPU0,geqrt,13,20,10,app,6 7,0,0000000000000020,4\n" \
	"CPU0,clean_front,20,22,11,app,10,1,0000000000000020,-1\n"

static void by_hand(void **state)
{
	static const char *const usage[2] = { "10" }, *const by_depth[2] = { NULL, "depth" };
	static const char *const by_position[2] = { NULL, "position" };
	struct sample s;

	(void)state;
	sample_make(&s, THREE);
	assert_string_equal(sample_pass(&s, "tree", NULL),
			    "1,32,1,pruned,2,2,0.000000,10.000000,0.000000,10.000000,1,10.000000,0,"
			    "512|18,32,1,not pruned,1,1,0.000000,13.000000,1.000000,8.000000,4,"
			    "10.000000,5,256|32,,0,not pruned,2,2,8.000000,22.000000,13.000000,"
			    "20.000000,5,14.000000,4,1024|");
	assert_string_equal(s.run.diagnostics.at[0].text,
			    "1 tasks belong to no front (ANode, Tag): they are left out");
	assert_string_equal(sample_pass(&s, "tree-usage", usage),
			    "0.000000,10.000000,1,2,1,pruned,2,10.000000,10.000000,0.000000,"
			    "0.000000,0.000000,50,0|0.000000,10.000000,18,1,1,not pruned,2,"
			    "8.000000,7.000000,1.000000,0.000000,0.000000,35,5|0.000000,10.000000,"
			    "32,2,0,not pruned,2,2.000000,0.000000,1.000000,1.000000,0.000000,0,0|"
			    "10.000000,20.000000,18,1,1,not pruned,2,2.000000,0.000000,0.000000,"
			    "0.000000,2.000000,0,0|10.000000,20.000000,32,2,0,not pruned,2,"
			    "10.000000,7.000000,0.000000,3.000000,0.000000,35,4|20.000000,"
			    "22.000000,32,2,0,not pruned,2,2.000000,0.000000,0.000000,0.000000,"
			    "2.000000,0,0|");
	assert_string_equal(sample_pass(&s, "tree-usage", by_depth),
			    "0.000000,22.000000,,,0,,2,14.000000,7.000000,1.000000,4.000000,"
			    "2.000000,15.909090909090908,4|0.000000,22.000000,,,1,,2,20.000000,"
			    "17.000000,1.000000,0.000000,2.000000,38.63636363636363,5|");
	assert_string_equal(sample_pass(&s, "tree-usage", by_position),
			    "0.000000,22.000000,,1,,not pruned,2,10.000000,7.000000,1.000000,"
			    "0.000000,2.000000,15.909090909090908,5|0.000000,22.000000,,2,,"
			    "not pruned,2,14.000000,7.000000,1.000000,4.000000,2.000000,"
			    "15.909090909090908,4|0.000000,22.000000,,2,,pruned,2,10.000000,"
			    "10.000000,0.000000,0.000000,0.000000,22.727272727272727,0|");
	assert_string_equal(sample_pass(&s, "open-fronts", NULL),
			    "open,not pruned,0.000000,8.000000,1,,|"
			    "open,not pruned,8.000000,13.000000,2,,|"
			    "open,not pruned,13.000000,22.000000,1,,|"
			    "open,pruned,0.000000,10.000000,1,,|"
			    "open,pruned,10.000000,22.000000,0,,|"
			    "computing,not pruned,0.000000,1.000000,0,,|"
			    "computing,not pruned,1.000000,8.000000,1,,|"
			    "computing,not pruned,8.000000,13.000000,0,,|"
			    "computing,not pruned,13.000000,20.000000,1,,|"
			    "computing,not pruned,20.000000,22.000000,0,,|"
			    "computing,pruned,0.000000,10.000000,1,,|"
			    "computing,pruned,10.000000,22.000000,0,,|");
	assert_string_equal(sample_pass(&s, "front-memory", NULL),
			    "memory,,0.000000,8.000000,768,,|memory,,8.000000,10.000000,1792,,|"
			    "memory,,10.000000,13.000000,1280,,|memory,,13.000000,22.000000,1024,,|"
			    "peak,,8.000000,10.000000,1792,,|");
	sample_release(&s);
}

static void windows(void **state)
{
	struct sample s;

	(void)state;
	sample_make(&s, THREE);
	s.run.window = (struct tv_window){ true, 10000000, 12000000 };
	assert_string_equal(sample_pass(&s, "tree-usage", NULL),
			    "10.000000,12.000000,18,1,1,not pruned,2,1.000000,0.000000,0.000000,"
			    "0.000000,1.000000,0,0|10.000000,12.000000,32,2,0,not pruned,2,"
			    "3.000000,0.000000,0.000000,3.000000,0.000000,0,0|");
	sample_release(&s);
	sample_make(&s, THREE);
	s.run.window = (struct tv_window){ true, 9000000, 12000000 };
	assert_string_equal(sample_pass(&s, "front-memory", NULL),
			    "memory,,9.000000,10.000000,1792,,|memory,,10.000000,12.000000,1280,,|"
			    "peak,,9.000000,10.000000,1792,,|");
	/* the tree is that of the whole run */
	assert_string_equal(sample_pass(&s, "tree", NULL),
			    "1,32,1,pruned,2,2,0.000000,10.000000,0.000000,10.000000,1,10.000000,"
			    "0,512|18,32,1,not pruned,1,1,0.000000,13.000000,1.000000,8.000000,4,"
			    "10.000000,5,256|32,,0,not pruned,2,2,8.000000,22.000000,13.000000,"
			    "20.000000,5,14.000000,4,1024|");
	sample_release(&s);
}

static void refused(const char *csv, const char *pass, const char *want)
{
	struct sample s;

	sample_make(&s, csv);
	assert_string_equal(sample_pass(&s, pass, NULL), want);
	assert_int_equal(s.err.status, TV_FAILED);
	sample_release(&s);
}

static void refusals(void **state)
{
	(void)state;
	refused("ResourceId,Value,Start,End\nCPU0,a,0,1\n", "tree",
		"error: the tasks have neither the column ANode nor Tag, which name the node of "
		"the elimination tree");
	refused("ResourceId,Value,Start,End,Tag\nCPU0,gemm,0,1,12\n", "open-fronts",
		"error: the tasks have no column ANode, and their Tags are not read as fronts: no "
		"task type is init_front, clean_front or do_subtree");
	refused("ResourceId,Value,Start,End,Tag\nCPU0,do_subtree,0,1,0\n", "tree-usage",
		"error: no task belongs to a node of the elimination tree: Tag names none");
	refused("ResourceId,Value,Start,End,ANode\nCPU0,gemm,0,1,\n", "front-memory",
		"error: no task belongs to a node of the elimination tree: ANode names none");
	refused("ResourceId,Value,Start,End,ANode,GFlop\nCPU0,init_front,0,1,4,0\nCPU0,a,1,2,4,5\n",
		"front-memory",
		"error: front-memory: no task *front* or *do_subtree* has a GFlop, "
		"where qr_mumps writes its memory in GB");
	refused("ResourceId,Value,Start,End,ANode,ANodeParent\nCPU0,a,0,1,4,5\nCPU0,a,1,2,5,6\n"
		"CPU0,a,2,3,4,6\n",
		"tree",
		"error: ANodeParent: front 4 has two parents, one of "
		"them 6");
	refused("ResourceId,Value,Start,End,ANode,ANodeParent\nCPU0,a,0,1,4,5\nCPU0,a,1,2,5,6\n"
		"CPU0,a,2,3,6,5\n",
		"tree", "error: ANodeParent: front 6 is its own ancestor");
}

static void odd_input(void **state)
{
	struct sample s;

	(void)state;
	/* The column goes before Tag; a parent without tasks is none; missing cells say nothing. */
	sample_make(&s, "ResourceId,Value,Start,End,ANode,ANodeParent,Tag\nCPU0,a,0,1,4,5,77\n"
			"CPU0,a,1,2,4,,\nCPU0,a,2,3,5,99,\nCPU0,do_subtree,3,3,-2,4,\n");
	assert_string_equal(sample_pass(&s, "tree", NULL),
			    "-2,4,2,pruned,1,1,3.000000,3.000000,3.000000,3.000000,1,0.000000,0,0|"
			    "4,5,1,not pruned,1,1,0.000000,2.000000,0.000000,2.000000,2,2.000000,0,"
			    "0|5,,0,not pruned,2,2,2.000000,3.000000,2.000000,3.000000,1,1.000000,"
			    "0,0|");
	assert_string_equal(s.run.diagnostics.at[0].text,
			    "1 fronts have a parent that no task belongs to: they are roots");
	/* What takes no time at the end of the run belongs to the last slice. */
	assert_string_equal(strstr(sample_pass(&s, "tree-usage", (const char *[]){ "2", NULL }),
				   "2.000000,3.000000"),
			    "2.000000,3.000000,-2,1,2,pruned,1,0.000000,0.000000,0.000000,0.000000,"
			    "0.000000,0,0|2.000000,3.000000,5,2,0,not pruned,1,1.000000,1.000000,"
			    "0.000000,0.000000,0.000000,100,0|");
	sample_release(&s);

	/* Nothing tells parents; a pruned root has its own place; more is given back than taken. */
	sample_make(&s, "ResourceId,Value,Start,End,Tag,GFlop\nCPU0,do_subtree,0,1,2,1\n"
			"CPU0,clean_front,1,2,2,-2\nCPU0,geqrt,2,3,1,1\n");
	assert_string_equal(sample_pass(&s, "tree", NULL),
			    "1,,0,not pruned,2,2,2.000000,3.000000,2.000000,3.000000,1,1.000000,1,"
			    "0|2,,0,pruned,1,1,0.000000,2.000000,0.000000,1.000000,2,2.000000,0,"
			    "1024|");
	assert_string_equal(s.run.diagnostics.at[s.run.diagnostics.n - 1].text,
			    "the tasks have neither ANodeParent nor dependencies: every front is a "
			    "root");
	assert_string_equal(sample_pass(&s, "front-memory", NULL),
			    "memory,,0.000000,2.000000,1024,,|memory,,2.000000,3.000000,0,,|"
			    "peak,,0.000000,2.000000,1024,,|");
	assert_string_equal(s.run.diagnostics.at[s.run.diagnostics.n - 1].text,
			    "1 fronts return more memory than they took: the rest is left out");
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(windows),
		cmocka_unit_test(refusals),
		cmocka_unit_test(odd_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
