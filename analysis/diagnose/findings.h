/* SPDX-License-Identifier: GPL-3.0-or-later */
/* findings.h -- the table of findings: one row and one function each, in files by theme. */
#ifndef TV_FINDINGS_H
#define TV_FINDINGS_H

#include "analysis/bounds/accounting.h"
#include "analysis/bounds/longest.h"
#include "analysis/core/processors.h"
#include "analysis/bounds/absent.h"
#include "analysis/diagnose/diagnose.h"
#include "analysis/diagnose/mpi_transfer.h"
#include "analysis/diagnose/potential.h"
#include "analysis/calls/thread_time.h"
#include "trace/alloc.h"
#include "trace/map.h"

#define TV_UNKNOWN INT64_MIN
/* ns of a worker: no runtime needs so long before a task. */
enum { TV_OVERHEAD_MAX = 1000000 };

/* How OpenMP binds threads: no advice where it did. */
#define TV_BIND_THREADS "OMP_PROC_BIND=close and OMP_PLACES=cores"

/* How sure a finding is: it follows from the trace; from a test, which can err; from a model. */
enum tv_confidence { TV_EXACT, TV_STATISTICAL, TV_ESTIMATE };

struct tv_found {
	bool holds;
	int64_t time_ns;    /* its share of makespan - area bound, TV_UNKNOWN = it has none */
	int64_t worker_ns;  /* time of workers, TV_UNKNOWN = none */
	int64_t measure_ns; /* without time_ns: its size, in time of the run; TV_UNKNOWN = none */
	/* What that is: of what can be saved; what tasks took longer, as if all workers had a part of it, more where others wait for them;
	 * how far a chain is above the area bound, no limit, as shorter tasks shorten both. */
	enum tv_found_measure { TV_LIMIT, TV_EXCESS, TV_ABOVE_BOUND } measure_is;
	enum tv_confidence confidence;
	char *text;	    /* a sentence with its numbers */
	const char *action; /* in place of the rule's; NULL = that */
	bool switches;	    /* with it, those of the rule are right, too */
	char *title;	    /* in place of the rule's; NULL = that */
	char *command;	    /* that shows it; NULL = what draws the rule's picture */
	char *picture; /* more options of plot for the rule's picture; from --panels on: in its place; NULL = none */
	const char *see; /* in place of the rule's; NULL = that */
	bool alone;   /* a simulation without it would leave away other causes, too: none is made */
	bool waits;   /* of submission: the simulation keeps waits for all tasks */
	bool by_gain; /* only a simulation shows what it costs: it is reported if that gains, and no finding of late submission does */
	bool apart;   /* its cause is not that of the rule's see */
	bool at_most; /* measure_ns is a limit of its size, not the size */
	bool schedule; /* what another schedule gains may be due to it, where that is more than the gain of the rule's simulation */
	bool whole;    /* nothing else can take its place: all that it measures counts */
};

/* For a while all tasks of a type take longer, or longer and longer (jump.c). */
struct tv_jump {
	uint32_t n, others;    /* the longer ones; 0 = there is no jump */
	uint32_t type, rtype;  /* label; of tasks->rtype */
	int64_t usual, longer; /* mean durations, ns */
	int64_t last;	       /* where they grow: that of the last ones; else 0 */
	int64_t cut;	       /* the longer ones take more, ns */
	int64_t begin, end;
};

/* Loops of OpenMP's threads in a run with tasks, but those that create tasks (loop_waits.c). */
struct tv_loop_waits {
	uint32_t n; /* places; 0 = there are none */
	/* What threads that have left a loop wait at barriers for others in it: of all loops, of that which costs most; and, between the first
	 * task and the last one, the time of threads in loops and in such waits; ns. */
	int64_t time, worst, inside;
	uint32_t site;	   /* of the loop that costs most; label, TV_NONE = not known */
	struct tv_span at; /* from its first time to its last */
	uint32_t most,
		least; /* threads that are in it longest and shortest; TV_NONE = there is none */
	int64_t longest, shortest; /* how long, ns */
};

struct tv_urgency;

/* What findings are found in. */
struct tv_case {
	struct tv_run *run;
	const struct tv_tasks *tasks;
	struct tv_account account;
	const char *trace; /* quoted */
	const char *from;  /* where durations come from; NULL = the run */
	struct tv_longest longest;
	const uint8_t *class; /* by row of tasks: of evidence.h; NULL without tasks */
	int64_t best; /* what the run could have been: the larger of area bound and best-placed chain, ns */
	int64_t forced; /* what no schedule on its workers is shorter than, with the recorded durations: at least best, ns */
	bool waits_bind; /* the longest chain is one because the program waited for all its tasks (barriers): best is without it */
	bool looped; /* that is the area bound with the time of threads in parallel loops: no task runs then */
	uint32_t last;	/* the task that runs alone at the end, by its first row; TV_NONE = none */
	int64_t min_ns; /* shorter is not worth a finding: 1 % of the makespan */
	int64_t exclusive; /* the longest time of tasks that exclude each other on one datum, ns; 0 = none */
	uint32_t datum, excluded; /* labels of that datum and of the type with most of the time */
	bool shared; /* there are more workers than processors to which they are bound */
	/* Of all; by worker. Of a run without tasks: of the work of threads, by thread, nclocked of them. */
	struct tv_clocked clocked, *clocked_on;
	uint32_t nclocked;
	double on_cpu; /* of a run without tasks: how long its threads had a processor, ns */
	/* Of tv_case_find_preempted: time of tasks (else work of threads) without a processor, ns; 0 = too little. Of how many workers (or
	 * threads), if not of all; else 0. */
	int64_t preempted;
	uint32_t starved;
	struct tv_mpi_transfer transfer; /* of a run without tasks */
	bool no_progress;		 /* set by the finding no-progress */
	bool untied; /* of several nodes: no task depends on one of another node, nor on a message */
	bool apart;  /* likewise, of a runtime that sends messages for its tasks */
	uint64_t
		overlaps; /* executions that begin before an earlier one on their worker ends, where that makes most workers none;
			    * 0 = it does not */
	uint32_t overlapping; /* then: workers with such executions */
	uint32_t
		early; /* tasks that begin before what they depend on has ended, where that makes the
			       * longest chain longer than the run; 0 = it does not */
	double in_tasks;  /* share of the time of workers in tasks */
	bool lacks_parts; /* any part of the trace may be missing */
	bool events;	  /* that is small, and nothing in the trace says what they waited for */
	/* Of tv_case_outside: in which a thread does so before the first task, after the last one; of all threads; ns. */
	int64_t before, after, outside;
	uint32_t outside_place; /* label, TV_NONE = not known */
	struct tv_loop_waits loops;
	uint32_t
		full; /* memory node whose transfers cannot come earlier, set by the finding transfers; TV_NONE = there is none */
	uint32_t step;	     /* type of tasks, a label, set by the finding serial-step */
	uint32_t window;     /* of tv_case_window, set by the finding window-limit */
	struct tv_jump jump; /* set by the finding changed-durations */
	int64_t overhead; /* of fine-tasks: what the runtime takes before each task, ns; 0 = none is found */
	int64_t late_starts; /* of tv_case_late_starts, ns of workers; TV_UNKNOWN = not computed */
	int64_t carried; /* with late_starts: of workers before tasks that depend on tasks of other nodes, until messages to their node that
			  * are no nodes of the graph arrive, ns; no part of late_starts */
	struct tv_absences absences;
	struct tv_urgency *urgency; /* of urgent.c; NULL = not computed */
	int64_t usual_wait,
		long_waits; /* with late_starts: the median of these waits of tasks; those above 1 ms in sum, ns */
};

struct tv_rule {
	const char *id;	       /* stable: --explain, --fail-if */
	const char *title;     /* a few words */
	const char *condition; /* when it is reported */
	const char *measures;  /* what Time (or Measure) and WorkerTime are */
	const char *action;    /* what to do, in a sentence */
	const char *how;       /* more of that, in sentences; NULL = nothing more to say */
	struct tv_switches {
		const char *starpu, *openmp, *mpi;
	} in;			 /* with which options or calls of a runtime; NULL = it has none */
	const char *picture;	 /* options of plot; NULL: the command is one of plot */
	const char *see;	 /* id of a finding that has the same cause: if that holds, this
				  * one is listed below it; NULL = none */
	enum tv_without without; /* what a simulation leaves away for its potential */
	bool symptom;		 /* it says where time was lost, not why: others may be behind it */
	bool schedule; /* as a symptom and what TV_WITHOUT_SCHEDULE leaves away, it is about when and where tasks ran: a replay of the
			* run has it, and without its cause has it no more */
	bool durations; /* it is about the tasks themselves, their time and their graph: a run whose
				  * schedule cannot be better may have it */
	bool threads;	/* also of a run without tasks */
	bool limit;	/* it is about what the trace does not show, not about the run */
	const char *warning; /* part of the warnings that say the same; NULL = none does */
	/* Fills *found (holds false, numbers unknown before). -1 with *err. */
	int (*find)(struct tv_case *c, struct tv_found *found, struct tv_error *err);
};

/*
 * The findings, in the order in which equal ones are listed. To add one: write find_NAME and
 * `const struct tv_rule tv_rule_NAME` in the file of its theme, add X(NAME) here, and a constructed
 * trace in tests/cli/diagnose.t. The table in docs/diagnose.md follows from --explain.
 */
#define TV_RULES(X) \
	X(late_start) \
	X(unused_workers) \
	X(late_workers) \
	X(leaving_workers) \
	X(window_limit) \
	X(submission) \
	X(copies) \
	X(elsewhere) \
	X(runtime) \
	X(fixed_order) \
	X(transfers) \
	X(scarce_idle) \
	X(long_tail) \
	X(allocation) \
	X(crowded) \
	X(imbalance) \
	X(changed_durations) \
	X(outliers) \
	X(unequal_tasks) \
	X(two_groups) \
	X(warm_up) \
	X(slow_worker) \
	X(slow_type) \
	X(disturbance) \
	X(preempted) \
	X(fine_tasks) \
	X(outside_tasks) \
	X(serial) \
	X(serial_step) \
	X(exclusive_access) \
	X(critical_outliers) \
	X(urgent_delays) \
	X(critical_delays) \
	X(critical_transfers) \
	X(critical_placement) \
	X(waits_in_mpi) \
	X(no_progress) \
	X(latency) \
	X(mpi_transfer) \
	X(loop_imbalance) \
	X(serial_part) \
	X(critical_section) \
	X(messages) \
	X(network_bound) \
	X(node_imbalance) \
	X(evictions) \
	X(barriers) \
	X(joins) \
	X(periodic) \
	X(coarse_tasks) \
	X(pipeline) \
	X(overtaken) \
	X(steal) \
	X(tracing) \
	X(one_sided_types) \
	X(own_types) \
	X(shared_processors) \
	X(missing_ranks) \
	X(separate_ranks) \
	X(polling) \
	X(no_dependencies) \
	X(lost_dependencies) \
	X(repeated_jobs) \
	X(early_tasks) \
	X(no_submission) \
	X(no_workers) \
	X(no_transfers) \
	X(recorder_off) \
	X(truncated)

#define TV_DECLARE_RULE(name) extern const struct tv_rule tv_rule_##name;
TV_RULES(TV_DECLARE_RULE)
#undef TV_DECLARE_RULE

#define TV_ONE(name) +1
enum { TV_NRULES = 0 TV_RULES(TV_ONE) };
#undef TV_ONE
extern const struct tv_rule *const tv_rules[TV_NRULES]; /* in the order in which they are tried */

/* ---- devices (devices.c) ---- */

/* Of a finding that threads of a program without tasks wait for each other: where the trace ends before the run, or they share processors,
 * that is what to look at first, and the cause is not certain. */
void tv_case_doubt_waits(const struct tv_case *c, struct tv_found *found);

/* Whether all workers are devices, in a trace without dependencies as the profilers of GPUs write it. */
bool tv_case_on_devices(const struct tv_case *c);
/* Idle time of devices, ns of all of them, of the longest gap, and the call of that one (label; TV_NONE = there is none). */
struct tv_device_idle {
	int64_t time, longest;
	uint32_t call;
};
struct tv_waited {
	struct tv_device_idle
		until; /* from a call in which the program waited for a device of the node to the next launch */
	struct tv_device_idle in; /* within the call that launches the next task */
};
struct tv_waited tv_case_waited(const struct tv_case *c);

/* The number of submitted tasks that have not ended, where it seems to be limited (window.c); 0 = it does not. Cost O(n log n). */
uint32_t tv_case_window(const struct tv_case *c, const struct tv_dag *dag);

/* ---- what rules share (case.c) ---- */

/* Computes the account, the chains and what bounds the run. -1 with *err. Release it in any case. */
int tv_case_init(struct tv_case *c, struct tv_run *run, const char *trace, const char *from,
		 struct tv_error *err) TV_MUST_CHECK;
void tv_case_release(struct tv_case *c);

/* What wrote the trace, as far as it says so, and whether settings of OpenMP bound its threads: bits. */
enum { TV_STARPU = 1, TV_OPENMP = 2, TV_MPI = 4, TV_ALL_RUNTIMES = 7, TV_THREADS_BOUND = 8 };
unsigned tv_case_runtimes(const struct tv_case *c);

/* " Threads wait longest at A, then at B.": where in the program threads wait, or ""; free with tv_free. */
char *tv_case_places(const struct tv_case *c, enum tv_thread_kind kind);

/* Whether a row begins an execution that is one of the longer ones of the jump. */
bool tv_case_in_jump(const struct tv_case *c, uint32_t row);
/* Fills in what threads of OpenMP do in parallel regions before the first task and after the last one. Cost O(states log states). */
void tv_case_find_outside(struct tv_case *c);
/* Fills in what they do in loops. Cost O((states + tasks) log). */
void tv_case_find_loops(struct tv_case *c);
/* " --begin T --end T", options of plot for a span also beyond the tasks; free with tv_free. */
char *tv_case_window_of(struct tv_span span);
/* " For 187.0 ms, after the last task, a thread works ... at FILE:LINE.": that, or "" if it is below 1 % of the makespan; free with
 * tv_free. */
char *tv_case_outside(const struct tv_case *c);

/* Sums the account's rows of a part; cause, blame NULL = all; type TV_NONE = all. *time and *worker
 * get the sums. */
void tv_case_sum(const struct tv_case *c, enum tv_account_part part, const char *cause,
		 const char *blame, uint32_t type, int64_t *time_ns, int64_t *worker_ns);
/* Mean duration of the executions that ended, ns; 0 without any. */
double tv_case_mean(const struct tv_case *c);
/* Whether `forced` is worth a sentence and `bounds --tight` has it. */
static inline bool tv_case_is_forced(const struct tv_case *c)
{
	return !c->looped && (double)(c->forced - c->best) * 1000 > (double)c->account.makespan;
}
/* Whether nothing says that tasks depend on others, and the last one is no longer than 1.25 times that mean. Cost O(rows). */
bool tv_case_ends_evenly(const struct tv_case *c);
/* Whether half of that time of workers, after their last tasks, comes after the last task of their node, too. Cost O(rows). */
bool tv_case_ends_by_node(const struct tv_case *c, int64_t worker_ns);
/* What another order of tasks can bring at most, ns: the account's idle time of the causes
 * dependencies, elsewhere and drain, as an earlier start of a task is a later start of another one while
 * all workers run tasks, and runtime where waits for messages are part of it, as a trace of several nodes has none; and no more than makespan - the larger of the bound of this placement and what the run could have
 * been, which no order changes. */
int64_t tv_case_reordering(const struct tv_case *c);
/* Of the account's idle time of the cause runtime, the part while the next task of the worker is released:
 * its time and that of the workers, ns. -1 with *err. */
int tv_case_late_starts(struct tv_case *c, int64_t *time_ns, int64_t *worker_ns,
			struct tv_error *err) TV_MUST_CHECK;
/* Whether tasks depend on waits of what creates tasks. */
bool tv_depend_on_waits(const struct tv_dag *dag);
/* Whether the run has several nodes, and no messages among its tasks. */
bool tv_case_lacks_messages(const struct tv_case *c);
/* Sentences, after a blank, on what waits for the runtime may be, too, as the trace does not show it; "" = nothing. NULL with *err. Free
 * with tv_free. */
char *tv_case_hidden_waits(const struct tv_case *c, struct tv_error *err) TV_MUST_CHECK;
/* Whether there are several types of workers, and the trace has no transfers between their memories. -1 with *err. */
int tv_case_lacks_transfers(const struct tv_case *c, bool *lacks,
			    struct tv_error *err) TV_MUST_CHECK;
/* Idle time of the cause elsewhere, but that of absent workers: of the run and of workers, ns. */
void tv_case_elsewhere(const struct tv_case *c, int64_t *time_ns, int64_t *worker_ns);
/* Fills c->clocked: of tasks by their task-clock; of a run without tasks by monitors' thread.task-clock. */
void tv_case_read_clocks(struct tv_case *c);
/* Of a finding that workers are slow: where they are those of one rank of MPI, and nothing says how much work tasks have, that it may have
 * tasks of one type with more work; then true. */
bool tv_case_doubt_slow_rank(const struct tv_case *c, struct tv_found *found);
/* Whether a recording measured how long tasks or threads had a processor, though it may be of use for none of them. */
bool tv_case_is_clocked(const struct tv_case *c);
/* Whether tasks of a class (class NULL: all) had no processor for more than half of their time, after they gave it up themselves. */
bool tv_case_sleeps(const struct tv_case *c, const uint8_t *class, uint8_t which);
/* What a thread of a task without a processor did: "waited", or, as far as is known, "slept, or waited". */
const char *tv_case_lacked(const struct tv_case *c);
/* Time without a processor of a worker whose tasks lacked one for 10 % of their time and 5 % of the makespan, ns; 0 of others. */
double tv_case_starved(const struct tv_case *c, uint32_t worker);
void tv_case_find_preempted(struct tv_case *c);
/* Whether most of the time of workers is that of a few long waits, as other programs on the machine cause them. */
bool tv_case_few_waits(const struct tv_case *c, int64_t worker_ns);
/* Whether it is more than so many times what it would be if all tasks waited for the median. */
bool tv_case_waits_vary(const struct tv_case *c, int64_t worker_ns, int times);
enum { TV_VARIED = 20 }; /* then it is not the time that the runtime needs for each task */
/* Task types that never ran on a type of workers, and of which --durations-from has no duration there, as "solve on CUDA, mult on CPU"; NULL = none. *share: of the time
 * of all tasks that they have; from TV_ONE_SIDED on nothing is said of placement. Free with tv_free. */
char *tv_case_one_sided(const struct tv_case *c, double *share);
#define TV_ONE_SIDED 0.1
/* Whether nearly all tasks are the only ones of their type: nothing is known of how long others take. */
bool tv_case_own_types(const struct tv_case *c);
/* " 1 of 3 ranks is not in the trace: others may wait for it."; "" if all are there, or nothing says how many there were. Free with
 * tv_free. */
char *tv_case_missing_ranks(const struct tv_case *c);
/* Whether it is the longest chain, and not the amount of work, that bounds the run, wherever its tasks run. */
bool tv_case_by_chain(const struct tv_case *c);
/* The type of tasks that are serial steps (steps.c) by their times, 5 % of the makespan in sum: a label, TV_NONE = none. */
uint32_t tv_case_serial_type(const struct tv_case *c);
/* Idle time around the instants at which the program, on each node for itself, waited for all its tasks before it submitted more. */
struct tv_idle_at_barriers {
	uint32_t n,
		kept; /* such instants; those at which no long task (evidence.h) ended last, of which the times are */
	uint32_t nodes, node; /* that have some; one of them */
	uint32_t each;	      /* instants of each of these; 0 = not all have as many */
	uint32_t tasks;	      /* of these */
	tv_int128 worker,
		before; /* time of workers, ns; before: until their next task was submitted */
	long double time, time_before; /* the same, priced */
};
/* Found once per run. */
struct tv_idle_at_barriers tv_case_barriers(const struct tv_case *c);
/* When the first task after each such instant, those at a long task too, was submitted. */
void tv_case_waits(const struct tv_case *c, struct tv_restarts *waits);
/* Time in which one thread of what creates tasks works, after it waited for tasks and before it submits more, and no task runs. */
struct tv_serial_part {
	uint32_t n;	       /* such times */
	uint32_t site;	       /* where most of these waits are: a label, TV_NONE = not known */
	int64_t time, longest; /* their sum, the longest, ns */
	tv_int128 worker;      /* of all workers of its node but one, ns */
	long double idle, own; /* the same, priced; of that one */
};
/* Workers of the node with this label: how many; the sum of their prices, and the largest one. */
uint32_t tv_case_workers(const struct tv_case *c, uint32_t node, double *price, double *most);
/* Found once per run. */
const struct tv_serial_part *tv_case_serial_part(const struct tv_case *c);
/* How much of them lies within [begin, end), in which no task of the node runs, ns. O(log n + those within). */
int64_t tv_case_works_alone(const struct tv_case *c, uint32_t node, int64_t begin, int64_t end);
/* Whether a kind of time of threads costs 1 % of a run without tasks; fills in the measures. */
bool tv_case_kind_costs(const struct tv_case *c, enum tv_thread_kind kind, struct tv_found *found);
/* Idle time of workers while a thread of their rank is in a call of MPI that may wait, ns; priced. */
struct tv_mpi_idle {
	tv_int128 worker;
	long double time;
};
struct tv_mpi_idle tv_case_mpi_idle(const struct tv_case *c);
/* How much of [begin, end) a thread of a node of the tasks is in such calls, ns. */
int64_t tv_case_in_mpi(const struct tv_case *c, uint32_t node, int64_t begin, int64_t end);
/* " At the end these calls were open: rank 1 in MPI_Recv from rank 0, tag 9; rank 0 in MPI_Barrier.", at most four, those with a partner
 * first, and which ranks were in none; "" if all ended. Free with tv_free. */
char *tv_case_open_calls(const struct tv_case *c);
/* Where no task depends on another: adds to a finding the worker of a task, which ends last, if it alone runs three tasks or more after
 * `since`, when the others end, ns. Cost O(rows). */
void tv_case_last_worker(const struct tv_case *c, uint32_t last, int64_t since,
			 struct tv_found *found);
/* Adds the jobs on a path (a table of critical-path) to a map, by label. */
void tv_path_jobs(const struct tv_table *path, struct tv_map *jobs);
/* By label: whether it is one of these jobs, found faster than in the map. Free with tv_free. */
bool *tv_path_marks(const struct tv_table *path, const struct tv_pool *pool);
/* How long tasks on a path (a table of critical-path) wait for their worker while it runs others, but those with a longer
 * path of tasks behind them, or with an equal one and of the same type, ns. -1 with *err. */
int tv_case_less_urgent(struct tv_case *c, const struct tv_table *path, int64_t *time_ns,
			struct tv_error *err) TV_MUST_CHECK;
/* Forgets what that keeps with the case. */
void tv_urgency_release(struct tv_case *c);
/* A sentence that only `most` of a time can be gained (order: in another order of tasks), behind a space; "" where that is all of it.
 * Free with tv_free. */
char *tv_words_limit(int64_t time_ns, int64_t most_ns, bool order);
/* In brackets, behind a space, of how many outliers a finding about n of them is; "" where that is all. Free with
 * tv_free. */
char *tv_words_outliers(uint32_t n, uint32_t all);
/* "of type gemm, job 12, on worker CPU3, 300.0 ms long": an execution, by its first row. Free with tv_free. */
char *tv_words_task(const struct tv_case *c, uint32_t row);
/* The type of tasks, a label, whose rows have the largest sum of weights; TV_NONE = all sums are 0. *most: that sum. */
uint32_t tv_type_with_most(const struct tv_tasks *tasks, const int64_t *weight, tv_int128 *most);
/* "h3", or "h3, named scratch" if the program said so: a data handle, by its label. Free with tv_free. Cost O(handles). */
char *tv_words_datum(const struct tv_case *c, uint32_t handle);
/* "ranks" of a program of MPI alone, else "threads". */
const char *tv_words_threads(const struct tv_case *c);
/* A time for a sentence: 116.3 ms. out: 32 bytes. Returns out. */
char *tv_words_time(char out[32], int64_t ns);
enum { TV_WORDS_INSTANT = 64 };
/* When something was, since the begin of the run: 116.3 ms; "116.3 ms of the run" where times of the trace do not begin at 0. Returns out. */
char *tv_words_instant(char out[TV_WORDS_INSTANT], const struct tv_case *c, int64_t ns);
/* When chosen rows (one byte per row of tasks) were the only ones that ran. Cost O(rows). */
struct tv_alone {
	int64_t time; /* ns */
	uint32_t n;   /* executions */
};
struct tv_alone tv_tasks_alone(const struct tv_tasks *tasks, const uint8_t *chosen);
/* By row, how long an execution was the only one that ran, ns. Free with tv_free. Cost O(rows log rows). */
int64_t *tv_case_alone(const struct tv_case *c);
/* How many workers there are of the type and node of a worker. */
uint32_t tv_case_peers(const struct tv_case *c, uint32_t worker);
enum { TV_WORDS_OF_ALL = 96 };
/* A sum over workers (of a program without tasks: threads) for a sentence: 273.6 ms (34 % of the time of all
 * workers). Returns out. */
char *tv_words_of_all(char out[TV_WORDS_OF_ALL], const struct tv_case *c, int64_t worker_ns);
/* "TRACE PANELS..." as a command that draws; from begin to end, unless end <= begin. */
char *tv_case_plot(const struct tv_case *c, const char *id, const char *arguments, int64_t begin,
		   int64_t end);
/* " --highlight ..." for tasks of which a column has that value, and another one too if it is not
 * NULL; "" for a value that no expression can have. */
char *tv_case_highlight(const char *column, const char *value, const char *other_column,
			const char *other_value);
/* The same for tasks in [begin, end]; of a column that is NULL, all tasks then. */
char *tv_case_highlight_during(const char *column, const char *value, int64_t begin, int64_t end);
/* By node of the graph: whether it is a join, a node that needs all before it and that all after it need, and no wait of the program. Free with
 * tv_free. Cost O(nodes + edges). */
bool *tv_case_joins(const struct tv_dag *dag);
/* A command "traceviz VERB ARGUMENTS TRACE", with --durations-from where the verb has it. */
char *tv_case_verb(const struct tv_case *c, const char *verb, const char *arguments);

#endif
