/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jump.c -- the finding that for a while all tasks of a type take longer than before and after, or longer and longer.
 *
 * The durations of a type on a type of workers are cut in two where the variance within both parts is smallest (Otsu's threshold).
 * They jump if the longer ones, 8 or more and 3 per worker, take 1.5 times as long, neither part varies by more than a quarter (SD
 * over mean), and the longer ones follow each other: of the shorter ones a tenth as many at most start between the first and the last
 * of them; not where tasks are in the order of their length.
 *
 * They grow if, of eight parts of equal number by Start, each takes longer on average than the one before, none varies by more than a
 * quarter, the last one takes 1.5 times as long as the first, and on four fifths of the workers the second half takes longer than the
 * first by half of what it does on all. Ours.
 */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

enum { JUMP_MIN = 8, PER_WORKER = 3, PARTS = 8, PART_MIN = 4 };
static const double ratio_min = 1.5, spread_max = 0.25, flat = 0.05;

struct part {
	uint32_t n;
	double sum, square;
};

static void add(struct part *part, double time)
{
	part->n++;
	part->sum += time;
	part->square += time * time;
}

static double mean(const struct part *part)
{
	return part->n == 0 ? 0 : part->sum / part->n;
}

static double spread(const struct part *part)
{
	double m = mean(part);

	return m > 0 ? sqrt(fmax(0, part->square / part->n - m * m)) / m : 0;
}

/* The largest duration of the shorter part; time: n durations, which are sorted. */
static int64_t cut_at(int64_t *time, uint32_t n)
{
	double all = 0, low = 0, best = -1;
	int64_t at = 0;

	tv_sort_times(time, n);
	for (uint32_t i = 0; i < n; i++)
		all += (double)time[i];
	for (uint32_t i = 0; i + 1 < n; i++) {
		double between;

		low += (double)time[i];
		between = low / (i + 1) - (all - low) / (n - 1 - i);
		between *= between * (i + 1) * (n - 1 - i);
		if (between > best && time[i] < time[i + 1]) {
			best = between;
			at = time[i];
		}
	}
	return at;
}

/* Whether a measure of work, GFlop or Size, explains half of what the longer ones take longer. row: of n tasks. */
static bool has_more_work(const struct tv_case *c, const uint32_t *row, uint32_t n, int64_t cut,
			  double ratio)
{
	static const char *const measures[] = { "GFlop", "Size" };

	for (size_t k = 0; k < TV_COUNT(measures); k++) {
		const struct tv_column *column = tv_table_find(&c->tasks->trace->table[TV_TASKS],
							       measures[k]);
		struct part part[2] = { { 0 }, { 0 } };
		double value;

		for (uint32_t i = 0; column != NULL && i < n; i++)
			if (tv_cell_number(column, row[i], &value) && value > 0)
				add(&part[tv_task_time(c->tasks, row[i]) > cut], value);
		if (mean(&part[0]) > 0 && mean(&part[1]) / mean(&part[0]) - 1 >= (ratio - 1) / 2)
			return true;
	}
	return false;
}

/* Workers that ran those that are longer (or not) than that. */
static uint32_t count_workers(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
			      int64_t cut)
{
	bool *seen = tv_alloc(tasks->nworkers, sizeof *seen);
	uint32_t workers = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tv_task_time(tasks, row[i]) > cut && !seen[tasks->worker[row[i]]]) {
			seen[tasks->worker[row[i]]] = true;
			workers++;
		}
	tv_free(seen);
	return workers;
}

/* The correlation of durations with their places, of those that are longer (or not) than cut. row: n tasks by Start. */
static double correlation(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
			  int64_t cut, bool longer)
{
	double x = 0, y = 0, xx = 0, yy = 0, xy = 0, count = 0;

	for (uint32_t i = 0; i < n; i++) {
		double time = (double)tv_task_time(tasks, row[i]);

		if ((time > (double)cut) != longer)
			continue;
		count++;
		x += i;
		y += time;
		xx += (double)i * i;
		yy += time * time;
		xy += i * time;
	}
	xx = (xx - x * x / count) * (yy - y * y / count);
	return count > 0 && xx > 0 ? (xy - x * y / count) / sqrt(xx) : 0;
}

/* Whether tasks are in the order of their length, the longest first: within both parts they become shorter, too. */
static bool falls(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t cut)
{
	return correlation(tasks, row, n, cut, true) < -0.5
	    && correlation(tasks, row, n, cut, false) < -0.5;
}

/* Whether the durations of a type on a type of workers jump; row: n tasks by Start. */
static bool jumps(const struct tv_case *c, const uint32_t *row, uint32_t n, struct tv_jump *jump)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *time = tv_alloc(n, sizeof *time), cut;
	struct part all = { 0 }, part[2] = { { 0 }, { 0 } };
	uint32_t first = n, last = 0, known = 0, workers;
	double ratio;

	for (uint32_t i = 0; i < n; i++) {
		time[i] = tv_task_time(tasks, row[i]);
		add(&all, (double)time[i]);
	}
	cut = spread(&all) < flat ? INT64_MAX : cut_at(time, n);
	for (uint32_t i = 0; i < n; i++) {
		bool longer = tv_task_time(tasks, row[i]) > cut;
		uint8_t class = c->class[row[i]];

		add(&part[longer], (double)tv_task_time(tasks, row[i]));
		first = longer && first == n ? i : first;
		last = longer ? i : last;
		known += longer && class != TV_LATENESS_REST && class != TV_LATENESS_OUTLIER
		      && class != TV_UNKNOWN_WORK;
	}
	tv_free(time);
	workers = count_workers(tasks, row, n, cut);
	ratio = mean(&part[0]) > 0 ? mean(&part[1]) / mean(&part[0]) : 0;
	if (part[1].n < JUMP_MIN || part[0].n < JUMP_MIN || part[1].n < PER_WORKER * workers
	    || 2 * workers < count_workers(tasks, row, n, -1) || ratio < ratio_min
	    || spread(&part[0]) > spread_max || spread(&part[1]) > spread_max
	    || 10 * (uint64_t)(last - first + 1 - part[1].n) > part[1].n || 2 * known > part[1].n
	    || falls(tasks, row, n, cut) || has_more_work(c, row, n, cut, ratio))
		return false;
	*jump = (struct tv_jump){ .type = tasks->value[row[0]],
				  .rtype = tasks->workers[tasks->worker[row[0]]].rtype,
				  .n = part[1].n,
				  .others = part[0].n,
				  .usual = llround(mean(&part[0])),
				  .longer = llround(mean(&part[1])),
				  .cut = cut,
				  .begin = tasks->start[row[first]],
				  .end = tasks->end[row[last]] };
	return true;
}

/* By worker the mean duration in the second half of n tasks over that in the first, of those that ran tasks in both: whether four fifths
 * have half of the growth of all, or more. */
static bool grows_on_workers(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n)
{
	struct part(*of)[2] = tv_alloc(tasks->nworkers, sizeof *of), all[2] = { { 0 }, { 0 } };
	uint32_t both = 0, grow = 0;
	double half;

	for (uint32_t i = 0; i < n; i++) {
		double time = (double)tv_task_time(tasks, row[i]);

		add(&all[2 * i >= n], time);
		add(&of[tasks->worker[row[i]]][2 * i >= n], time);
	}
	half = (mean(&all[1]) / mean(&all[0]) - 1) / 2;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (of[w][0].n > 0 && of[w][1].n > 0) {
			both++;
			grow += mean(&of[w][1]) >= (1 + half) * mean(&of[w][0]);
		}
	tv_free(of);
	return both > 0 && 5 * grow >= 4 * both;
}

/* Whether the durations of a type on a type of workers grow; row: n tasks by Start. */
static bool grows(const struct tv_case *c, const uint32_t *row, uint32_t n, struct tv_jump *jump)
{
	const struct tv_tasks *tasks = c->tasks;
	struct part part[PARTS] = { { 0 } }, later = { 0 };
	int64_t most = 0;
	double ratio;

	if (n < PARTS * PART_MIN)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (uint32_t)((uint64_t)i * PARTS / n);
		int64_t time = tv_task_time(tasks, row[i]);

		add(&part[k], (double)time);
		if (k > 0)
			add(&later, (double)time);
		else
			most = time > most ? time : most;
	}
	for (uint32_t k = 0; k < PARTS; k++)
		if (spread(&part[k]) > spread_max
		    || (k > 0 && mean(&part[k]) <= mean(&part[k - 1])))
			return false;
	ratio = mean(&part[PARTS - 1]) / fmax(mean(&part[0]), 1);
	if (ratio < ratio_min || !grows_on_workers(tasks, row, n)
	    || has_more_work(c, row, n, most, mean(&later) / fmax(mean(&part[0]), 1)))
		return false;
	*jump = (struct tv_jump){ .type = tasks->value[row[0]],
				  .rtype = tasks->workers[tasks->worker[row[0]]].rtype,
				  .n = later.n,
				  .others = part[0].n,
				  .usual = llround(mean(&part[0])),
				  .longer = llround(mean(&later)),
				  .last = llround(mean(&part[PARTS - 1])),
				  .cut = most,
				  .begin = tasks->start[row[part[0].n]],
				  .end = tasks->finish };
	return true;
}

static int64_t excess_of(const struct tv_jump *jump)
{
	return tv_sum_ns((tv_int128)jump->n * (jump->longer - jump->usual));
}

/* The jump with the most time. */
static void find_jump(struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t *of = tv_alloc(tasks->n, sizeof *of), n = 0;
	struct tv_map place = { 0 };
	struct tv_groups pairs;
	struct tv_jump jump;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *at;

		of[row] = TV_NONE;
		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || !tv_task_ended(tasks, row))
			continue;
		at = tv_map_at(&place, tasks->value[row], tasks->workers[tasks->worker[row]].rtype);
		if (*at == TV_NONE)
			*at = n++;
		of[row] = *at;
	}
	tv_groups_init(&pairs, of, tasks->n, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *row = &pairs.row[pairs.first[i]],
			 many = pairs.first[i + 1] - pairs.first[i];

		if (many < 2 * JUMP_MIN)
			continue;
		tv_sort_rows(tasks, row, many);
		if ((jumps(c, row, many, &jump) || grows(c, row, many, &jump))
		    && (c->jump.n == 0 || excess_of(&jump) > excess_of(&c->jump)))
			c->jump = jump;
	}
	tv_groups_release(&pairs);
	tv_map_release(&place);
	tv_free(of);
}

bool tv_case_in_jump(const struct tv_case *c, uint32_t row)
{
	const struct tv_tasks *tasks = c->tasks;

	return c->jump.n > 0 && tasks->counted[row] && tv_row_begins(tasks, row)
	    && tasks->value[row] == c->jump.type
	    && tasks->workers[tasks->worker[row]].rtype == c->jump.rtype
	    && tv_task_time(tasks, row) > c->jump.cut;
}

/* When the longer ones have all ended. */
static int64_t last_end(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t end = c->jump.end;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_case_in_jump(c, row) && tasks->start[row] >= c->jump.begin
		    && tasks->start[row] < c->jump.end && tasks->end[row] > end)
			end = tasks->end[row];
	return end;
}

static int find_changed_durations(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_jump *jump = &c->jump;
	char type[128], from[TV_WORDS_INSTANT], time[4][32];
	const char *gflop;

	(void)err;
	find_jump(c);
	if (jump->n == 0)
		return 0;
	found->worker_ns = excess_of(jump);
	found->measure_ns = llround(c->account.type[jump->rtype].price * (double)found->worker_ns);
	found->holds = found->measure_ns >= c->min_ns && found->measure_ns > 0;
	if (!found->holds)
		return 0;
	found->confidence = TV_STATISTICAL;
	found->measure_is = TV_EXCESS;
	tv_clean_text(type, sizeof type,
		      jump->type == TV_NONE ? "?" : tv_pool_text(c->tasks->pool, jump->type));
	found->at_most = jump->last > 0 && !tv_case_measured(c, "GFlop");
	gflop = tv_case_measured(c, "GFlop")
		      ? "They have no more work (GFlop)."
		      : "Whether they have more work is not known: the trace has no GFlop.";
	tv_words_instant(from, c, jump->begin);
	tv_words_time(time[1], jump->end - jump->begin);
	tv_words_time(time[3], jump->usual);
	if (jump->last > 0) {
		found->title = tv_format("tasks of type %s take longer and longer", type);
		found->text = tv_format("On nearly all workers, the first %u tasks of type %s took "
					"%s on average, the last ones %s. %s",
					jump->others, type, time[3],
					tv_words_time(time[2], jump->last), gflop);
		found->action =
			"Find out what grows in the run: the data of these tasks, lists that "
			"they search, memory that is not given back; or whether the clock of "
			"the processors goes down.";
	} else {
		found->title = tv_format("tasks of type %s take %.1f times as long for %s", type,
					 (double)jump->longer / (double)jump->usual, time[1]);
		found->text = tv_format("From %s on, for %s, %u tasks of type %s took %s on "
					"average, the %u others %s. %s",
					from, time[1], jump->n, type,
					tv_words_time(time[2], jump->longer), jump->others, time[3],
					gflop);
	}
	if (jump->type != TV_NONE)
		found->picture = tv_case_highlight_during("Value",
							  tv_pool_text(c->tasks->pool, jump->type),
							  jump->begin, last_end(c));
	found->command = tv_case_plot(c, "changed-durations", "--panels spacetime,durations",
				      jump->begin, jump->end);
	return 0;
}

const struct tv_rule tv_rule_changed_durations = {
	.id = "changed-durations",
	.title = "tasks of a type take longer for a while",
	.condition =
		"in one stretch of time all tasks of a type, 8 or more and 3 per worker, take "
		"1.5 times as long as before and after, or longer, each part varies by 25 % "
		"(SD over mean) at most; or each eighth of them takes longer than the one before, "
		"the last one 1.5 times as long as the first; neither GFlop nor Size says that "
		"they have more "
		"work, and they take longer for 1 % of the makespan",
	.measures = "WorkerTime: their time above the mean of the others of their type, or of the "
		    "first eighth; Measure: the same times the price of the workers",
	.action = "Find out what changed then: the size of the data, the memory that holds them, "
		  "the clock of the processors, other programs.",
	.picture = "--panels spacetime,durations",
	.see = "critical-section", /* where they contain its waits */
	.durations = true,
	.find = find_changed_durations,
};
