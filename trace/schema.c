/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.c -- the well-known tables and columns. */
#include "trace/schema.h"

#include <string.h>

#include "trace/error.h"

static const struct tv_field tasks[] = {
	{ "ResourceId", TV_LABEL, true, "", "worker that ran it; missing for ghosts" },
	{ "Value", TV_LABEL, true, "", "task type (kernel name)" },
	{ "Start", TV_TIME, true, "ms", "begin of the execution; missing for ghosts" },
	{ "End", TV_TIME, true, "ms", "end of the execution; missing for ghosts" },
	{ "Duration", TV_TIME, false, "ms", "End - Start" },
	{ "JobId", TV_LABEL, false, "",
	  "job, RANK_ID with several ranks; key with ResourceId and Start" },
	{ "Kind", TV_LABEL, false, "",
	  "app, setup, runtime, ghost, message, pending (never started), worker (idle)" },
	{ "Node", TV_LABEL, false, "", "process or machine of the resource" },
	{ "ResourceType", TV_LABEL, false, "", "CPU, CUDA, ..." },
	{ "DependsOn", TV_LIST, false, "", "JobIds that must end before, separated by blanks" },
	{ "SubmitTime", TV_TIME, false, "ms", "submission to the runtime" },
	{ "SubmitOrder", TV_INT, false, "", "place in the order of submission" },
	{ "SubmitAfter", TV_LABEL, false, "",
	  "JobId of what its creator had waited for, or had run itself, last before it submitted "
	  "it" },
	{ "SubmitDelay", TV_TIME, false, "ms", "from the end of that to SubmitTime; missing = 0" },
	{ "Priority", TV_INT, false, "", "as given by the application, larger is more urgent" },
	{ "Iteration", TV_INT, false, "", "outer iteration of the application" },
	{ "Subiteration", TV_INT, false, "", "inner iteration of the application" },
	{ "X", TV_INT, false, "", "first coordinate of the data written" },
	{ "Y", TV_INT, false, "", "second coordinate of the data written" },
	{ "Tag", TV_LABEL, false, "", "the application's tag, as the trace writes it" },
	{ "Footprint", TV_LABEL, false, "", "hash of the data's layout (hexadecimal)" },
	{ "Params", TV_LABEL, false, "", "description of the data" },
	{ "Size", TV_INT, false, "bytes", "data accessed, all handles" },
	{ "GFlop", TV_DOUBLE, false, "GFlop", "work" },
	{ "ANode", TV_INT, false, "", "front (node of the elimination tree)" },
	{ "ANodeParent", TV_INT, false, "", "its parent in that tree; missing for a root" },
	{ "Handles", TV_LIST, false, "", "data handles accessed" },
	{ "Modes", TV_LIST, false, "",
	  "access mode of each handle: R, W, RW, ...; with C (RWC): in any order, one at a time" },
	{ "Sizes", TV_LIST, false, "bytes", "size of each handle" },
	{ "MemoryNode", TV_INT, false, "", "memory node of the worker" },
	{ "Device", TV_LABEL, false, "",
	  "device of the worker; resources of a node with the same one are its streams" },
	{ "Context", TV_INT, false, "", "scheduling context" },
	{ "Team", TV_INT, false, "", "workers of a parallel task; 1 when missing" },
	{ "Instance", TV_INT, false, "", "n-th run of a regenerated task" },
	{ "Segment", TV_INT, false, "", "n-th part of a suspended task, from 0; missing = 0" },
	{ "ParentJob", TV_LABEL, false, "", "job of the task that created it" },
	{ "Nesting", TV_INT, false, "", "number of tasks that it is nested in" },
	{ "Region", TV_LABEL, false, "",
	  "parallel region in which the task ran: its number, from 1; OUTER.N if nested" },
	{ "ThreadTeam", TV_LABEL, false, "", "team of threads that runs it" },
	{ "Cpu", TV_INT, false, "", "processor at Start" },
	{ "CpuEnd", TV_INT, false, "", "processor at End" },
	{ "NumaNode", TV_INT, false, "", "NUMA node of Cpu" },
	{ "Flag", TV_LABEL, false, "",
	  "open = the trace ends before the task; planned = it has not run yet" },
};

static const struct tv_field states[] = {
	{ "ResourceId", TV_LABEL, true, "", "resource that was in the state" },
	{ "Type", TV_LABEL, true, "", "state type, e.g. Worker State" },
	{ "Value", TV_LABEL, true, "", "state, e.g. Idle" },
	{ "Start", TV_TIME, true, "ms", "begin" },
	{ "End", TV_TIME, true, "ms", "end" },
	{ "Depth", TV_INT, false, "", "nesting level, 0 outermost" },
	{ "Site", TV_LABEL, false, "", "place of the construct in the program" },
	{ "Flag", TV_LABEL, false, "",
	  "what was repaired: open = the trace ends before the state" },
};

static const struct tv_field variables[] = {
	{ "ResourceId", TV_LABEL, true, "", "resource of the variable" },
	{ "Type", TV_LABEL, true, "", "variable, e.g. Number of Ready Tasks" },
	{ "Start", TV_TIME, true, "ms", "the value holds from here" },
	{ "End", TV_TIME, true, "ms", "to here" },
	{ "Value", TV_DOUBLE, true, "", "value" },
};

static const struct tv_field links[] = {
	{ "Type", TV_LABEL, true, "", "link type, e.g. MPI communication" },
	{ "Key", TV_LABEL, true, "", "key that joined start and end" },
	{ "Origin", TV_LABEL, true, "", "resource that it leaves" },
	{ "Dest", TV_LABEL, true, "", "resource that it reaches" },
	{ "Start", TV_TIME, true, "ms", "begin" },
	{ "End", TV_TIME, true, "ms", "end" },
	{ "Size", TV_INT, false, "bytes", "volume" },
	{ "Tag", TV_LABEL, false, "", "message tag" },
	{ "ResourceId", TV_LABEL, false, "", "resource that holds the link" },
	{ "Value", TV_LABEL, false, "", "value as the trace writes it" },
	{ "Handle", TV_LABEL, false, "", "data handle that is moved" },
	{ "Priority", TV_INT, false, "", "priority of the message" },
	{ "OriginJob", TV_LABEL, false, "", "JobId whose end released the message" },
	{ "DestJob", TV_LABEL, false, "", "JobId that the message releases" },
	{ "SendEnd", TV_TIME, false, "ms", "when the send of a message had completed" },
	{ "ReceiveStart", TV_TIME, false, "ms", "when the receive of a message was posted" },
	{ "Flag", TV_LABEL, false, "",
	  "open = the trace ends before the link; early = it ended before it began" },
};

static const struct tv_field events[] = {
	{ "ResourceId", TV_LABEL, true, "", "resource of the event" },
	{ "Type", TV_LABEL, true, "", "event type" },
	{ "Time", TV_TIME, true, "ms", "when" },
	{ "End", TV_TIME, false, "ms", "of progress: end; missing: an instant" },
	{ "Value", TV_LABEL, false, "", "value" },
	{ "JobId", TV_LABEL, false, "", "job of a submit, push, pop, start or end" },
	{ "Order", TV_INT, false, "",
	  "place among the decisions and events of the scheduler, in order of time" },
	{ "Request", TV_LABEL, false, "", "of progress: the MPI request that it belongs to" },
	{ "Step", TV_INT, false, "", "of progress: step of a collective operation, from 0" },
	{ "Handle", TV_LABEL, false, "", "data handle concerned" },
	{ "Peer", TV_LABEL, false, "",
	  "the other memory manager of a transfer or request; of progress: the other rank" },
	{ "Size", TV_INT, false, "bytes", "volume" },
	{ "Info", TV_INT, false, "",
	  "number of the transfer, kind of prefetch or result of an allocation" },
};

static const struct tv_field calls[] = {
	{ "ResourceId", TV_LABEL, true, "", "thread that called; its node is the rank" },
	{ "Call", TV_LABEL, true, "", "function, e.g. MPI_Isend" },
	{ "Class", TV_LABEL, true, "",
	  "blocking, start (of a request), test, wait, other (no communication)" },
	{ "Start", TV_TIME, true, "ms", "entry" },
	{ "End", TV_TIME, true, "ms", "return" },
	{ "Request", TV_LIST, false, "",
	  "requests that it creates, starts, tests, waits for or frees" },
	{ "Completed", TV_LIST, false, "",
	  "those of Request that it completed; missing: of a wait all, of a test none" },
	{ "Comm", TV_LABEL, false, "", "communicator, the same name on all its ranks" },
	{ "Sequence", TV_INT, false, "",
	  "number of the collective operation on Comm, the same on all its ranks" },
	{ "Root", TV_INT, false, "", "root of a collective operation, rank in MPI_COMM_WORLD" },
	{ "Op", TV_LABEL, false, "", "operation of a reduction, e.g. MPI_SUM" },
	{ "Peer", TV_INT, false, "",
	  "other rank of a message, in MPI_COMM_WORLD; of a receive from any: the actual sender" },
	{ "Tag", TV_INT, false, "", "tag of a message" },
	{ "Bytes", TV_INT, false, "bytes",
	  "data that the rank sends, or receives if it sends none" },
	{ "CommRank", TV_INT, false, "", "own rank in Comm" },
	{ "ReceivePeer", TV_INT, false, "",
	  "of MPI_Sendrecv: rank in MPI_COMM_WORLD that it received from" },
	{ "ReceiveTag", TV_INT, false, "", "of MPI_Sendrecv: tag of what it received" },
	{ "Site", TV_LABEL, false, "", "place in the program that called" },
	{ "Flag", TV_LABEL, false, "", "open = the trace ends before the call" },
};

static const struct tv_field callprofile[] = {
	{ "Rank", TV_LABEL, true, "", "rank (its node); * = all ranks together" },
	{ "Call", TV_LABEL, true, "",
	  "function, e.g. MPI_Isend; run = the whole rank; not listed = calls of no row" },
	{ "Class", TV_LABEL, true, "",
	  "as in calls; run = from MPI_Init to MPI_Finalize, calls included" },
	{ "Site", TV_LABEL, false, "", "place in the program that called" },
	{ "Count", TV_INT, true, "", "calls; missing = unknown" },
	{ "Time", TV_TIME, true, "ms", "sum of their durations" },
	{ "Min", TV_TIME, false, "ms", "shortest of them" },
	{ "Mean", TV_TIME, false, "ms", "mean of them" },
	{ "Max", TV_TIME, false, "ms", "longest of them" },
	{ "Bytes", TV_INT, false, "bytes", "sum of their bytes" },
};

static const struct tv_field benchmarks[] = {
	{ "Call", TV_LABEL, false, "", "benchmark" },
	{ "Bytes", TV_INT, true, "bytes", "data; missing for a barrier" },
	{ "Ranks", TV_INT, false, "", "ranks" },
	{ "Repetitions", TV_INT, false, "", "how often it was measured" },
	{ "MeasuredTime", TV_TIME, true, "ms", "communication and computation together" },
	{ "ComputeReference", TV_TIME, true, "ms", "the computation alone" },
	{ "CommReference", TV_TIME, true, "ms", "the communication alone" },
	{ "Overlap", TV_DOUBLE, false, "%", "as the benchmark prints it" },
};

static const struct tv_field decisions[] = {
	{ "JobId", TV_LABEL, true, "", "job that was placed" },
	{ "Decision", TV_INT, false, "", "number of the decision about the job" },
	{ "Order", TV_INT, false, "",
	  "place among the decisions and events of the scheduler, in order of time" },
	{ "Time", TV_TIME, true, "ms", "when the scheduler chose: the push" },
	{ "Value", TV_LABEL, false, "", "task type" },
	{ "Priority", TV_INT, false, "", "of the job, larger is more urgent" },
	{ "ResourceId", TV_LABEL, false, "", "worker chosen" },
	{ "Impl", TV_INT, false, "", "implementation chosen" },
	{ "Nature", TV_LABEL, false, "",
	  "model = by estimates; forced = a candidate had none; none = no choice by fitness" },
	{ "Length", TV_TIME, false, "ms", "estimate of its execution on the worker chosen" },
	{ "Transfer", TV_TIME, false, "ms", "estimate of the transfer of its data" },
	{ "TransferLeft", TV_TIME, false, "ms", "part of Transfer that its wait does not hide" },
	{ "Energy", TV_DOUBLE, false, "J", "estimate of its energy" },
	{ "ExpectedStart", TV_TIME, false, "ms", "estimate of its begin" },
	{ "ExpectedEnd", TV_TIME, false, "ms", "estimate of its end" },
	{ "Fitness", TV_TIME, false, "ms", "what the scheduler minimizes" },
	{ "BestEnd", TV_TIME, false, "ms", "earliest ExpectedEnd of all candidates" },
	{ "RunnerUp", TV_LABEL, false, "", "worker with the second smallest Fitness" },
	{ "Margin", TV_TIME, false, "ms", "its Fitness minus that of the worker chosen" },
	{ "Flag", TV_LABEL, false, "",
	  "race = another thread changed a queue meanwhile; unplaced = no worker recorded" },
};

static const struct tv_field candidates[] = {
	{ "JobId", TV_LABEL, true, "", "job that was placed" },
	{ "Decision", TV_INT, false, "", "number of the decision about the job" },
	{ "ResourceId", TV_LABEL, true, "", "worker considered" },
	{ "Impl", TV_INT, false, "", "implementation considered" },
	{ "Available", TV_TIME, false, "ms", "when the scheduler expected the worker to be free" },
	{ "Length", TV_TIME, false, "ms", "estimate of the execution" },
	{ "Transfer", TV_TIME, false, "ms", "estimate of the transfer of the data" },
	{ "Energy", TV_DOUBLE, false, "J", "estimate of the energy" },
	{ "ExpectedStart", TV_TIME, false, "ms", "estimate of the begin" },
	{ "ExpectedEnd", TV_TIME, false, "ms", "estimate of the end" },
	{ "Fitness", TV_TIME, false, "ms", "what the scheduler minimizes; missing if forced" },
	{ "QueueTasks", TV_INT, false, "", "tasks in the worker's queue" },
	{ "QueueLength", TV_TIME, false, "ms", "sum of their estimates" },
	{ "PipelineLength", TV_TIME, false, "ms",
	  "sum of the estimates of tasks that the worker has taken and not finished" },
	{ "Chosen", TV_INT, false, "", "1 = the scheduler chose it" },
};

static const struct tv_field handles[] = {
	{ "Handle", TV_LABEL, true, "", "data handle" },
	{ "Node", TV_LABEL, false, "", "process of the handle" },
	{ "HomeNode", TV_INT, false, "", "memory node where it was registered" },
	{ "Name", TV_LABEL, false, "", "name given by the application" },
	{ "Description", TV_LABEL, false, "", "layout" },
	{ "Size", TV_INT, false, "bytes", "size" },
	{ "MaxSize", TV_INT, false, "bytes", "size that it may grow to" },
	{ "Coordinates", TV_LIST, false, "", "coordinates given by the application" },
	{ "MPIOwner", TV_INT, false, "", "rank that owns it" },
	{ "MPITag", TV_INT, false, "", "message tag" },
};

static const struct tv_field resources[] = {
	{ "ResourceId", TV_LABEL, true, "", "resource" },
	{ "ResourceType", TV_LABEL, false, "", "CPU, CUDA, MEMMANAGER, ..." },
	{ "Node", TV_LABEL, false, "", "process or machine" },
	{ "Parent", TV_LABEL, false, "", "resource that contains it" },
	{ "Order", TV_INT, false, "",
	  "place from top to bottom, from 0; of an object its number in its level" },
	{ "MemoryNode", TV_INT, false, "", "memory node of a worker" },
	{ "Depth", TV_INT, false, "",
	  "place in the hierarchy of the machine, 0 outermost, of an object that is no worker" },
	{ "OsIndex", TV_INT, false, "", "number of an object that the operating system uses" },
	{ "Cpuset", TV_TEXT, false, "",
	  "processors of an object, or to which a worker is bound, as in 0-3,8" },
	{ "CpuKind", TV_LABEL, false, "",
	  "kind of the cores of an object, where the machine has several: IntelCore, IntelAtom" },
	{ "Host", TV_LABEL, false, "",
	  "machine of a worker, where there are several: the Node of its outermost object" },
	{ "BoundPU", TV_INT, false, "",
	  "PU to which a worker is bound, by hwloc's logical index (its Order)" },
	{ "Size", TV_INT, false, "bytes", "of a memory or cache" },
	{ "Start", TV_TIME, false, "ms", "creation" },
	{ "End", TV_TIME, false, "ms", "destruction" },
};

static const struct tv_field meta[] = {
	{ "Key", TV_LABEL, true, "", "what" },
	{ "Value", TV_TEXT, true, "", "its value" },
};

#define TABLE(name, meaning) \
	{ \
#name, meaning, name, TV_COUNT(name) \
	}
const struct tv_table_schema tv_schema[TV_NTABLES] = {
	[TV_TASKS] = TABLE(tasks, "executions of tasks, tasks that never ran, idle workers"),
	[TV_STATES] = TABLE(states, "runtime states of resources"),
	[TV_VARIABLES] = TABLE(variables, "values over time"),
	[TV_LINKS] = TABLE(links, "messages and transfers"),
	[TV_EVENTS] = TABLE(events, "points in time"),
	[TV_CALLS] = TABLE(calls, "calls of MPI functions"),
	[TV_CALLPROFILE] = TABLE(callprofile, "sums of calls of MPI functions, by rank and place"),
	[TV_BENCHMARKS] = TABLE(benchmarks, "what benchmarks of nonblocking communication print"),
	[TV_DECISIONS] = TABLE(decisions, "choices of the scheduler, one row each"),
	[TV_CANDIDATES] = TABLE(candidates, "workers that it considered for each choice"),
	[TV_HANDLES] = TABLE(handles, "data handles"),
	[TV_RESOURCES] = TABLE(resources, "workers, other resources, objects of the machine"),
	[TV_META] = TABLE(meta, "where the trace comes from, what was dropped or repaired"),
};

const struct tv_field *tv_schema_field(enum tv_table_id table, const char *name)
{
	for (size_t i = 0; i < tv_schema[table].nfields; i++)
		if (strcmp(tv_schema[table].field[i].name, name) == 0)
			return &tv_schema[table].field[i];
	return NULL;
}

bool tv_schema_instants(enum tv_table_id table, const char *name, enum tv_type type)
{
	static const char *const duration[] = { "Duration",	"Length",	  "Transfer",
						"TransferLeft", "Fitness",	  "Margin",
						"QueueLength",	"PipelineLength", "SubmitDelay" };

	if (type != TV_TIME || table == TV_CALLPROFILE || table == TV_BENCHMARKS)
		return false;
	for (size_t i = 0; i < TV_COUNT(duration); i++)
		if (strcmp(name, duration[i]) == 0)
			return false;
	return true;
}

const char *tv_type_name(enum tv_type type)
{
	static const char *const name[] = { "time", "int64", "double", "label", "text", "list" };

	return name[type];
}
