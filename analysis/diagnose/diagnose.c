/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.c -- the table of a diagnosis: the run, the parts of its account, findings. */
#include "analysis/diagnose/advice.h"
#include "analysis/diagnose/answer.h"
#include "analysis/diagnose/evidence.h"
#include "analysis/diagnose/parts.h"
#include "analysis/diagnose/regions.h"
#include "analysis/calls/thread_time.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/last.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/timings.h"

#define COLUMNS(X) \
	X(KIND, "Kind", TV_LABEL, false, "", \
	  "run; verdict; part of the account; finding; limit: what the trace does " \
	  "not show") \
	X(RANK, "Rank", TV_INT, false, "", \
	  "1 = the largest of its kind; findings: by Potential, else by half of Time or " \
	  "Measure") \
	X(ID, "Id", TV_LABEL, false, "", "stable name; of a finding, for --explain") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "run: makespan - area bound; else the share of it; missing = it has none") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", \
	  "Time over makespan - area bound; else Measure or Potential, but not of durations") \
	X(MEASURE, "Measure", TV_TIME, false, "ms", \
	  "of a finding without Time: its size, see --explain; missing = none") \
	X(WORKER_TIME, "WorkerTime", TV_TIME, false, "ms", "time of workers, not priced") \
	X(CONFIDENCE, "Confidence", TV_LABEL, false, "", \
	  "exact: follows from the trace; statistical: a test says so; estimate") \
	X(POTENTIAL, "Potential", TV_TIME, false, "ms", \
	  "how much shorter the run would be without it, simulated; missing = not " \
	  "estimated") \
	X(METHOD, "Method", TV_LABEL, false, "", \
	  "how Potential was computed; of run: how far its simulation is off") \
	X(REFUTED, "Refuted", TV_INT, false, "", \
	  "of a finding: 1 = no policy gains in simulations, or less than their error; else 0") \
	X(MEASURE_IS, "MeasureIs", TV_LABEL, false, "", \
	  "of Measure: limit; excess of long tasks, spread over all workers; above-bound") \
	X(TEXT, "Text", TV_LABEL, false, "", "what happened, in words") \
	X(ADVICE, "Advice", TV_LABEL, false, "", \
	  "of a finding: what to try; of run: that of the first finding, its gain, how sure") \
	X(COMMAND, "Command", TV_LABEL, false, "", "a command line that shows it") \
	X(PICTURE, "Picture", TV_LABEL, false, "", "a command line that draws it; empty = none") \
	X(LEFT, "Left", TV_TIME, false, "ms", \
	  "the most of a finding that a simulation without the first leaves; missing = not known") \
	X(SEE, "See", TV_LABEL, false, "", \
	  "of a finding: the one above that has the same cause, or from which it follows; " \
	  "missing = " \
	  "none") \
	X(TITLE, "Title", TV_LABEL, false, "", "of a finding: it in a few words")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_diagnose_columns[] = { COLUMNS(TV_COLUMN_ROW) };
const size_t tv_diagnose_ncolumns = TV_COUNT(tv_diagnose_columns);

const char tv_diagnose_notes[] =
	"Parts are those of traceviz account: they divide makespan - area bound without\n"
	"remainder, so that their Time adds up. Findings name what is behind them, may overlap\n"
	"and never add up; Time of a finding is what the account has for it.\n"
	"--fail-if is evaluated for each row: 'Id == \"late-start\" and Time > 100'. With\n"
	"--require-confidence rows whose Confidence is not exact are undecided: status 4.\n"
	"The text has the largest parts and findings; --all has all of them.\n";

const struct tv_rule *const tv_rules[TV_NRULES] = {
#define ROW(name) &tv_rule_##name,
	TV_RULES(ROW)
#undef ROW
};

static const char *confidence_name(enum tv_confidence confidence)
{
	return confidence == TV_EXACT	    ? "exact"
	     : confidence == TV_STATISTICAL ? "statistical"
					    : "estimate";
}

static void set_share(const struct tv_case *c, struct tv_table *out, uint32_t row, int64_t time)
{
	int64_t all = c->account.makespan - c->account.area;

	if (all != 0)
		tv_set_double(out->col[SHARE], row, 100 * (double)time / (double)all);
}

static void set_time(const struct tv_case *c, struct tv_table *out, uint32_t row, int64_t time)
{
	tv_set_int(out->col[TIME], row, time);
	set_share(c, out, row, time);
}

static void write_run(const struct tv_case *c, struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);
	bool tasks = c->tasks->ncounted > 0;
	char *text = tv_diagnose_run_text(c);
	char *picture = tasks ? tv_case_plot(c, "account", "--panels spacetime,account", 0, 0)
			      : tv_case_plot(c, "states",
					     tv_thread_types_of(c->run).openmp != TV_NONE
							     || tv_thread_types_of(c->run).extrae
									!= TV_NONE
						     ? "--panels states"
						     : "--panels spacetime",
					     0, 0);
	char *command = tv_case_verb(c, "diagnose", "--all");

	tv_set_text(out->col[KIND], row, "run");
	set_time(c, out, row, c->account.makespan - c->account.area);
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(TV_EXACT));
	tv_set_text(out->col[TEXT], row, text);
	tv_set_text(out->col[COMMAND], row, command);
	tv_set_text(out->col[PICTURE], row, picture);
	tv_free(text);
	tv_free(command);
	tv_free(picture);
}

/* ---- regions alone ---- */

/* What the trace shows instead of tasks, and how to make some of it. */
static void write_regions(const struct tv_case *c, const struct tv_regions *regions,
			  struct tv_table *out)
{
	char *option = NULL, *command,
	     *picture = tv_case_plot(c, "states", "--panels states", 0, 0);
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[KIND], row, "run");
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(TV_EXACT));
	tv_set_text(out->col[TEXT], row, regions->text);
	tv_set_text(out->col[PICTURE], row, picture);
	tv_free(picture);
	command = tv_case_verb(c, "states", "");
	tv_set_text(out->col[COMMAND], row, command);
	tv_free(command);
	if (regions->tasks != NULL) {
		char *word = tv_shell_word(regions->tasks);

		option = tv_format("--task-state %s", word);
		tv_free(word);
	}
	command = tv_case_verb(c, "diagnose", option != NULL ? option : "--task-state TYPE");
	row = tv_table_add_row(out);
	tv_set_text(out->col[KIND], row, "verdict");
	tv_set_int(out->col[RANK], row, 1);
	tv_set_text(out->col[ID], row, "no-tasks");
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(TV_EXACT));
	tv_set_text(out->col[METHOD], row, "not estimated");
	tv_set_text(
		out->col[TEXT], row,
		"Nothing in the trace says which of them are the work of the program, so what it "
		"waited for is not known. --task-state makes tasks of regions.");
	tv_set_text(out->col[COMMAND], row, command);
	tv_set_text(out->col[PICTURE], row, "");
	tv_set_text(out->col[TITLE], row, "the trace has regions, but no tasks");
	tv_free(command);
	tv_free(option);
}

/* ---- parts ---- */

static int by_time(const void *a, const void *b)
{
	const struct tv_account_row *x = *(const struct tv_account_row *const *)a,
				    *y = *(const struct tv_account_row *const *)b;

	return x->time != y->time ? TV_COMPARE(y->time, x->time) : TV_COMPARE(x, y);
}

static void write_part(const struct tv_case *c, const struct tv_account_row *part, uint32_t rank,
		       struct tv_table *out)
{
	struct tv_part_words words = tv_part_words(c, part);
	uint32_t row = tv_table_add_row(out);
	bool tested = part->part == TV_ACCOUNT_DURATIONS;

	tv_set_text(out->col[KIND], row, "part");
	tv_set_int(out->col[RANK], row, rank);
	tv_set_text(out->col[ID], row, words.id);
	set_time(c, out, row, part->time);
	tv_set_int(out->col[WORKER_TIME], row, tv_sum_ns(part->worker));
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(tested ? TV_STATISTICAL : TV_EXACT));
	tv_set_text(out->col[METHOD], row, "not estimated");
	tv_set_text(out->col[TEXT], row, words.text);
	tv_set_text(out->col[COMMAND], row, words.command);
	tv_set_text(out->col[PICTURE], row, words.command);
	tv_free(words.id);
	tv_free(words.text);
	tv_free(words.command);
}

static void write_parts(const struct tv_case *c, struct tv_table *out)
{
	const struct tv_account_row **order = tv_alloc(c->account.n, sizeof *order);
	uint32_t n = 0;

	for (size_t i = 0; i < c->account.n; i++)
		if (c->account.row[i].time != 0)
			order[n++] = &c->account.row[i];
	if (n > 0)
		qsort(order, n, sizeof *order, by_time);
	for (uint32_t i = 0; i < n; i++)
		write_part(c, order[i], i + 1, out);
	tv_free(order);
}

/* ---- findings ---- */

/* The command that draws a finding: the one that shows it, unless that prints a table. */
static char *picture_of(const struct tv_case *c, const struct tv_ranked *ranked)
{
	const struct tv_rule *rule = ranked->rule;
	const char *more = ranked->found.picture != NULL ? ranked->found.picture : "";
	char *arguments, *command;

	if (rule->picture == NULL)
		return tv_strdup(rule->limit ? "" : ranked->found.command);
	arguments = tv_format("%s%s", strncmp(more, "--panels", 8) == 0 ? "" : rule->picture, more);
	command = tv_case_plot(c, rule->id, arguments, 0, 0);
	tv_free(arguments);
	return command;
}

static const char *title_of(const struct tv_ranked *ranked)
{
	return ranked->found.title != NULL ? ranked->found.title : ranked->rule->title;
}

/* What the first row, the run's, says of findings. */
static void write_answer(const struct tv_case *c, const struct tv_ranked *const *order, uint32_t n,
			 const struct tv_potentials *potentials, struct tv_table *out)
{
	const struct tv_ranked *first = order[0];
	const struct tv_potential *potential = first->potential;
	char *method = tv_advice_all_simulated(potentials, order, n), *error = NULL;
	/* Without gaps the gain is the difference of the replay from the run itself. */
	bool replay = potential->ns != TV_UNKNOWN && first->without != TV_WITHOUT_GAPS
		   && first->without != TV_WITHOUT_TRANSFERS
		   && llabs(potentials->replayed - potentials->recorded) >= c->min_ns;
	char *text;

	if (tv_advice_is_by_policy(first) || replay)
		error = tv_advice_simulated(potentials, &potential->was, potential->absent);
	text = tv_advice_answer(c, first, error != NULL ? error : "",
				error != NULL ? potential->was.makespan : TV_UNKNOWN);
	tv_set_text(out->col[ADVICE], 0, text);
	if (c->tasks->ncounted > 0 && first->rule->durations && c->best > c->exclusive
	    && first->size > c->account.makespan - c->forced) {
		char *run = tv_format("%s %s would save more.", tv_table_text(out, "Text", 0),
				      tv_tasks_depend(c->tasks)
						      && ((c->best == c->longest.placed
							   && c->best > c->account.area)
							  || tv_case_is_forced(c))
					      ? "Faster tasks, or fewer dependencies,"
					      : "Faster tasks");

		tv_set_text(out->col[TEXT], 0, run);
		tv_free(run);
	}
	if (method[0] != '\0')
		tv_set_text(out->col[METHOD], 0, method);
	tv_free(text);
	tv_free(method);
	tv_free(error);
}

/* " The largest part of their time is that of dgemm (71 %)."; "" of tasks of one type. */
static char *largest_type(const struct tv_case *c)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];
	double all = 0, most = 0;
	uint32_t largest = TV_NONE;
	char name[128];

	for (uint32_t t = 0; t < means->ntypes; t++) {
		double time = 0;

		for (uint32_t r = 0; r < means->nrtypes; r++) {
			const struct tv_pair *pair = &means->pair[(size_t)t * means->nrtypes + r];

			time += pair->executions > 0 ? tv_mean(pair) * (double)pair->executions : 0;
		}
		all += time;
		if (time > most) {
			most = time;
			largest = means->type[t];
		}
	}
	if (means->ntypes < 2 || largest == TV_NONE || tv_case_own_types(c))
		return tv_strdup("");
	return tv_format(" The largest part of their time is that of %s (%.0f %%).",
			 tv_clean_text(name, sizeof name, tv_pool_text(c->tasks->pool, largest)),
			 100 * most / all);
}

static void write_verdict(const struct tv_case *c, const struct tv_answer *verdict,
			  struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);
	char *command = tv_case_verb(
		c, verdict->verb,
		strcmp(verdict->verb, "bounds") == 0 && tv_case_is_forced(c) ? "--tight" : "");
	char *text = tv_strdup(verdict->text);

	tv_set_text(out->col[KIND], row, "verdict");
	tv_set_int(out->col[RANK], row, 1);
	tv_set_text(out->col[ID], row, verdict->id);
	set_time(c, out, row, c->account.makespan - c->forced);
	tv_set_text(out->col[CONFIDENCE], row,
		    confidence_name(c->account.ntypes > 1 ? TV_ESTIMATE : TV_EXACT));
	tv_set_text(out->col[METHOD], row, "not estimated");
	if (verdict->tasks && c->tasks->ncounted > 0) {
		char *type = largest_type(c);

		tv_append(&text, "%s", type);
		tv_free(type);
		tv_answer_add_long_tasks(c, &text);
	}
	if (verdict->longest) {
		char *task = tv_words_task(c, tv_run_dag(c->run, NULL)->row[c->longest.node[0]]);

		tv_append(&text, " It is %s.", task);
		tv_free(task);
	}
	tv_set_text(out->col[TEXT], row, text);
	tv_set_text(out->col[COMMAND], row, command);
	tv_set_text(out->col[PICTURE], row, "");
	tv_set_text(out->col[TITLE], row, verdict->title);
	tv_free(command);
	tv_free(text);
}

static void set_measure(const struct tv_found *found, struct tv_table *out, uint32_t row)
{
	static const char *const is[] = {
		[TV_LIMIT] = "limit", [TV_EXCESS] = "excess", [TV_ABOVE_BOUND] = "above-bound"
	};

	tv_set_int(out->col[MEASURE], row, found->measure_ns);
	tv_set_text(out->col[MEASURE_IS], row, is[found->measure_is]);
}

static void write_finding(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t rank,
			  struct tv_table *out)
{
	const struct tv_potential *potential = ranked->potential;
	const struct tv_found *found = &ranked->found;
	uint32_t row = tv_table_add_row(out);
	int64_t gain = tv_ranked_gain(ranked);
	char saves[32], *method;
	char *picture = picture_of(c, ranked),
	     *advice = tv_advice_of(ranked->rule, found->action, found->switches,
				    tv_case_runtimes(c));

	tv_set_text(out->col[KIND], row, ranked->rule->limit ? "limit" : "finding");
	tv_set_int(out->col[RANK], row, rank);
	tv_set_text(out->col[ID], row, ranked->rule->id);
	if (found->time_ns != TV_UNKNOWN)
		set_time(c, out, row, found->time_ns);
	else if (found->measure_ns != TV_UNKNOWN)
		set_measure(found, out, row);
	/* What tasks took is no part of what a schedule could save. */
	if (found->time_ns == TV_UNKNOWN && !ranked->rule->durations && !ranked->rule->limit
	    && (found->measure_ns != TV_UNKNOWN || gain != TV_UNKNOWN))
		set_share(c, out, row, found->measure_ns != TV_UNKNOWN ? found->measure_ns : gain);
	if (found->worker_ns != TV_UNKNOWN)
		tv_set_int(out->col[WORKER_TIME], row, found->worker_ns);
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(found->confidence));
	if (gain != TV_UNKNOWN)
		tv_set_int(out->col[POTENTIAL], row, gain);
	method = gain < potential->ns ? tv_format("%s, saves %s", potential->method,
						  tv_words_time(saves, potential->ns))
				      : tv_strdup(potential->method);
	tv_set_text(out->col[METHOD], row, method);
	tv_free(method);
	tv_set_int(out->col[REFUTED], row, potential->refuted);
	tv_set_text(out->col[TEXT], row, found->text);
	tv_set_text(out->col[ADVICE], row, advice);
	tv_set_text(out->col[COMMAND], row, found->command != NULL ? found->command : picture);
	tv_set_text(out->col[PICTURE], row, picture);
	tv_set_text(out->col[TITLE], row, title_of(ranked));
	tv_free(picture);
	tv_free(advice);
	if (ranked->left != TV_UNKNOWN)
		tv_set_int(out->col[LEFT], row, ranked->left);
	if (ranked->main != ranked->index)
		tv_set_text(out->col[SEE], row, (ranked - ranked->index + ranked->main)->rule->id);
}

static void release_found(struct tv_found *found)
{
	tv_free(found->text);
	tv_free(found->title);
	tv_free(found->command);
	tv_free(found->picture);
	*found = (struct tv_found){ 0 };
}

/* Where tasks begin before what they depend on has ended, by 1 % of the run or more, clocks or dependencies are wrong: then the trace
 * proves no cause of idle time. */
static void doubt_times(const struct tv_case *c, struct tv_ranked *ranked, uint32_t n)
{
	bool early = false;

	for (uint32_t i = 0; i < n; i++)
		early = early || ranked[i].rule == &tv_rule_early_tasks;
	if (!early || tv_run_early(c->run, c->run->dag)->by < c->min_ns)
		return;
	for (uint32_t i = 0; i < n; i++)
		if (!ranked[i].rule->limit && !tv_ranked_durations(&ranked[i])
		    && ranked[i].found.confidence == TV_EXACT)
			ranked[i].found.confidence = TV_ESTIMATE;
}

static int find_all(struct tv_case *c, struct tv_ranked *ranked, uint32_t *n, struct tv_error *err)
{
	TV_STAGE("findings", NULL);

	for (size_t i = 0; i < TV_NRULES; i++) {
		struct tv_found *found = &ranked[*n].found;
		int rc;

		ranked[*n].rule = tv_rules[i];
		ranked[*n].index = *n;
		*found = (struct tv_found){ .time_ns = TV_UNKNOWN,
					    .worker_ns = TV_UNKNOWN,
					    .measure_ns = TV_UNKNOWN };
		if (c->tasks->ncounted == 0 && !tv_rules[i]->threads)
			continue;
		rc = tv_rules[i]->find(c, found, err);
		if (rc < 0 || !found->holds)
			release_found(found);
		if (rc < 0)
			return -1;
		*n += found->holds;
	}
	doubt_times(c, ranked, *n);
	return 0;
}

static enum tv_without without_of(const struct tv_ranked *ranked)
{
	return ranked->found.alone ? TV_WITHOUT_NOTHING
	     : ranked->found.waits ? TV_WITHOUT_PACE
				   : ranked->rule->without;
}

/* Whether the run would not be shorter without it: of a late submission the advice would be wrong where another cause is known, and the
 * account has its time. late: a finding of that gains. */
static bool is_useless(const struct tv_ranked *ranked, uint32_t causes, bool late)
{
	return (causes > 1 && ranked->potential->useless)
	    || (ranked->found.by_gain && (late || ranked->potential->ns == TV_UNKNOWN));
}

static void drop_useless(const struct tv_case *c, struct tv_ranked *ranked, uint32_t *n)
{
	uint32_t causes = 0, small = 0, kept = 0;
	bool late = false;

	for (uint32_t i = 0; i < *n; i++) {
		causes += !ranked[i].rule->limit;
		small += !ranked[i].rule->limit && tv_ranked_small(&ranked[i], c);
		late |= !ranked[i].found.by_gain && without_of(&ranked[i]) == TV_WITHOUT_SUBMISSION
		     && ranked[i].potential->ns != TV_UNKNOWN;
	}
	for (uint32_t i = 0; i < *n; i++)
		if (is_useless(&ranked[i], causes, late)
		    || (causes > small && tv_ranked_small(&ranked[i], c)))
			release_found(&ranked[i].found);
		else {
			ranked[kept] = ranked[i];
			ranked[kept].index = kept;
			kept++;
		}
	for (uint32_t i = kept; i < *n; i++)
		ranked[i].found = (struct tv_found){ 0 }; /* they are further up */
	*n = kept;
}

static void find_potential(struct tv_ranked *ranked, struct tv_potentials *potentials)
{
	const struct tv_potential *other;
	int64_t size = ranked->found.time_ns;
	/* Long tasks can be split. */
	bool split = ranked->rule == &tv_rule_unequal_tasks && !ranked->found.alone
		  && potentials->c->preempted == 0;
	enum tv_without instead = ranked->found.schedule ? TV_WITHOUT_SCHEDULE
				: split			 ? TV_WITHOUT_LONG
							 : TV_WITHOUT_NOTHING;

	ranked->without = ranked->rule->without;
	ranked->potential = tv_potential_of(potentials, without_of(ranked), size);
	if (instead == TV_WITHOUT_NOTHING)
		return;
	other = tv_potential_of(potentials, instead, size);
	if (other->ns > ranked->potential->ns) {
		ranked->potential = other;
		ranked->without = instead;
	}
}

/* The findings of a run with their potentials, in the order of their ranks. */
static void write_findings(struct tv_case *c, struct tv_ranked *ranked, uint32_t n,
			   struct tv_potentials *potentials, struct tv_table *out)
{
	const struct tv_ranked *order[TV_NRULES + 1];
	const struct tv_answer *verdict;
	bool wanted[TV_NWITHOUT] = { false };
	uint32_t rank = 0;

	for (uint32_t i = 0; i < n; i++)
		wanted[without_of(&ranked[i])] = true;
	tv_potentials_together(potentials, wanted);
	for (uint32_t i = 0; i < n; i++)
		find_potential(&ranked[i], potentials);
	drop_useless(c, ranked, &n);
	tv_rank(ranked, n, c, order);
	verdict = tv_answer_of(c, ranked, n);
	if (verdict != NULL)
		write_verdict(c, verdict, out);
	else if (n > 0 && !order[0]->rule->limit)
		write_answer(c, order, n, potentials, out);
	for (uint32_t i = 0; i < n; i++)
		if (verdict == NULL || verdict->findings || order[i]->rule->limit)
			write_finding(c, order[i], ++rank, out);
}

void tv_diagnose_drop_repeated(const struct tv_table *table, struct tv_diagnostics *list)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		for (size_t i = 0; i < TV_NRULES; i++)
			if (tv_rules[i]->warning != NULL
			    && tv_table_is(table, "Id", row, tv_rules[i]->id))
				tv_diagnostics_drop(list, tv_rules[i]->warning);
}

/* The case of a run and what is found in it. */
struct search {
	struct tv_case *c;
	struct tv_run *run;
	const char *trace, *from;
	struct tv_ranked ranked[TV_NRULES + 1];
	uint32_t n;
	bool finds; /* else only the case is wanted */
	int rc;
	struct tv_error *err;
};

static void search(void *context)
{
	struct search *s = context;

	s->rc = tv_case_init(s->c, s->run, s->trace, s->from, s->err);
	if (s->rc == 0 && s->finds)
		s->rc = find_all(s->c, s->ranked, &s->n, s->err);
}

int tv_run_diagnose(struct tv_run *run, const char *trace, const char *from, struct tv_table *out,
		    struct tv_error *err)
{
	struct tv_case c;
	struct tv_potentials potentials;
	struct tv_regions regions = { 0 };
	bool alone = tv_run_threads(run)->n == 0 && run->tasks.n == 0
		  && tv_regions_init(&regions, run);
	struct search s = {
		.c = &c, .run = run, .trace = trace, .from = from, .finds = !alone, .err = err
	};

	tv_add_fields(out, tv_diagnose_columns, tv_diagnose_ncolumns);
	if (tv_run_threads(run)->n == 0 && !alone && tv_run_need_tasks(run, "diagnose", err) < 0)
		return -1;
	tv_potentials_init(&potentials, &c, run, from);
	tv_potentials_beside(&potentials, search, &s);
	if (s.rc == 0 && alone) {
		write_regions(&c, &regions, out);
	} else if (s.rc == 0) {
		write_run(&c, out);
		write_parts(&c, out);
		write_findings(&c, s.ranked, s.n, &potentials, out);
	}
	for (uint32_t i = 0; i < s.n; i++)
		release_found(&s.ranked[i].found);
	tv_potentials_release(&potentials);
	tv_case_release(&c);
	tv_regions_release(&regions);
	tv_table_finish(out);
	return s.rc;
}
