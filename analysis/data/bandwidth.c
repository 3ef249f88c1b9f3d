/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandwidth.c -- bytes per second that messages and transfers carry, over time. */
#include "analysis/data/flows.h"
#include "analysis/messages/message_list.h"

static const struct tv_flow_curve curves[] = {
	{ .name = "sent", .of = TV_OF_MESSAGES, .by = TV_FLOWS_BY_PLACE },
	{ .name = "received", .of = TV_OF_MESSAGES, .by = TV_FLOWS_BY_PLACE, .dest = true },
};

static int run_bandwidth(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	return tv_flow_curves(run, options, "bandwidth", true, curves, TV_COUNT(curves), out, err);
}

static const struct tv_option_spec options[] = {
	{ "of", "messages|transfers|all", "messages",
	  "messages between nodes, transfers between memory nodes, or both", TV_OPTION_CHOICE,
	  TV_INTO(struct tv_flows_asked, of) },
	{ TV_FLOWS_BY_ROW, TV_INTO(struct tv_flows_asked, by) },
	{ TV_STEP_MEANS_ROW, TV_INTO(struct tv_flows_asked, step_ns) },
};

const struct tv_pass tv_pass_bandwidth = {
	.name = "bandwidth",
	.summary = "Bandwidth of messages and transfers over time, in MB/s",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.needs = "links variables events resources",
	.refuses_tasks = true,
	.columns = "",
	.parted = "links",
	.spared = TV_MESSAGES_SPARE,
	.beside_links = 200,
	.in_parts = tv_flows_in_parts,
	.beside = 20,
	TV_PASS_OPTIONS_INTO(struct tv_flows_asked, options),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes =
		"sent, received  messages, by the node that sends or receives; MB/s are 10^6\n"
		"                bytes per second\n"
		"out, in         transfers, by the memory node that they leave or reach\n"
		"messages, transfers  with --by all or link; By is the link, as in 0->1\n"
		"out, in with --by kind: sums over the memory nodes of a kind, such as main "
		"memory,\n"
		"                CUDA memory\n"
		"Bytes are spread evenly from Start to End; those of a message that takes no time\n"
		"are in the ns from its Start. So the integral of each curve is the sum of the\n"
		"sizes. Curves cover the run and all messages (transfers), also those before the\n"
		"first task; with a window that part. With a selection the curves of its nodes;\n"
		"by link and of all together, the messages (transfers) from or to these nodes.",
	.example = "traceviz bandwidth --step 10 data/cholesky-2nodes",
	.sums = true,
	.taskless = true,
	.check = tv_flow_check,
	.run = run_bandwidth,
};
