/* SPDX-License-Identifier: GPL-3.0-or-later */
/* in_flight.c -- how many messages, requests or transfers are in flight at once. */
#include "analysis/data/flows.h"
#include "analysis/messages/message_list.h"

static const struct tv_flow_curve curves[] = {
	{ .name = "sends", .of = TV_OF_MESSAGES, .by = TV_FLOWS_BY_PLACE },
	{ .name = "receives", .of = TV_OF_MESSAGES, .by = TV_FLOWS_BY_PLACE, .dest = true },
	{ .name = "sends", .of = TV_OF_REQUESTS, .by = TV_FLOWS_BY_PLACE, .span = TV_FLOW_SEND },
	{ .name = "receives",
	  .of = TV_OF_REQUESTS,
	  .by = TV_FLOWS_BY_PLACE,
	  .dest = true,
	  .span = TV_FLOW_RECEIVE },
	{ .name = "sends", .of = TV_OF_REQUESTS, .by = TV_FLOWS_BY_ALL, .span = TV_FLOW_SEND },
	{ .name = "receives",
	  .of = TV_OF_REQUESTS,
	  .by = TV_FLOWS_BY_ALL,
	  .span = TV_FLOW_RECEIVE },
	{ .name = "sends", .of = TV_OF_REQUESTS, .by = TV_FLOWS_BY_LINK, .span = TV_FLOW_SEND },
	{ .name = "receives",
	  .of = TV_OF_REQUESTS,
	  .by = TV_FLOWS_BY_LINK,
	  .span = TV_FLOW_RECEIVE },
};

static int run_in_flight(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	return tv_flow_curves(run, options, "in-flight", false, curves, TV_COUNT(curves), out, err);
}

static const struct tv_option_spec options[] = {
	{ "of", "messages|requests|transfers", "messages",
	  "messages between nodes, their send and receive requests, or transfers between memory "
	  "nodes",
	  TV_OPTION_CHOICE, TV_INTO(struct tv_flows_asked, of) },
	{ TV_FLOWS_BY_ROW, TV_INTO(struct tv_flows_asked, by) },
	{ TV_STEP_MEANS_ROW, TV_INTO(struct tv_flows_asked, step_ns) },
};

const struct tv_pass tv_pass_in_flight = {
	.name = "in-flight",
	.summary = "Messages and transfers in flight at once, over time",
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
	.notes = "sends, receives  messages in flight, by the node that sends or receives: from\n"
		 "                 Start (the send is posted) to End (the receive has completed).\n"
		 "                 Of requests: sends from Start to SendEnd, receives from\n"
		 "                 ReceiveStart to End; where the trace lacks these times, as\n"
		 "                 messages\n"
		 "out, in          transfers, by the memory node that they leave or reach\n"
		 "messages, transfers  with --by all or link; By is the link, as in 0->1\n"
		 "out, in with --by kind: sums over the memory nodes of a kind, such as main "
		 "memory,\n"
		 "                CUDA memory\n"
		 "They count requests, not bytes on the wire. One that takes no time is never in\n"
		 "flight. The integral is the sum of the durations. Curves cover the run and all\n"
		 "messages (transfers), also those before the first task; with a window that "
		 "part.\n"
		 "With a selection the curves of its nodes; by link and of all together, the\n"
		 "messages (transfers) from or to these nodes.",
	.example = "traceviz in-flight --by all data/cholesky-2nodes",
	.sums = true,
	.taskless = true,
	.check = tv_flow_check,
	.run = run_in_flight,
};
