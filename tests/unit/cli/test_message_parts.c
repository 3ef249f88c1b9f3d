/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_message_parts.c -- what is printed of messages is the same of a trace that is read part by part, by one process or
 * several: random messages of 1 to 12 nodes, lost, sent twice, out of order, at equal instants, or nodes of the graph.
 */
#include "tests/unit/team.h"

#include <stdio.h>

#include "cli/verbs.h"
#include "tests/unit/cli/parts_folder.h"
#include "trace/clocks.h"
#include "trace/parallel.h"

enum { RANDOM = 96, WORDS_MAX = 6 };

static const char *const commands[][WORDS_MAX] = {
	{ "messages", "--csv" },
	{ "messages", "--where", "Size > 50 or Flag == 'open'" },
	{ "messages", "--where", "Origin == '1'", "--kind", "app,setup" },
	{ "messages", "--where", "Size < 0" },
	{ "messages", "--where", "Sise < 0" },
	{ "messages", "--node", "1" },
	{ "messages", "--begin", "5" },
	{ "comm-matrix" },
	{ "message-sizes" },
	{ "bandwidth", "--by", "link" },
	{ "in-flight" },
};

static size_t compared, refused, together;

/* ---- traces ---- */

/* What a random trace has. */
struct flavor {
	unsigned nodes, times; /* times: ms */
	bool ordered, keys, graph, early, bare, none;
};

static void add_tasks(char **text, uint64_t *seed, const struct flavor *flavor)
{
	unsigned n = 2 + (unsigned)unit_random(seed, 40), at = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned node = (unsigned)unit_random(seed, flavor->nodes);

		at += (unsigned)unit_random(seed, 2);
		/* Also long before or behind their links, or without times. */
		if (flavor->graph && unit_random(seed, 9) == 0)
			tv_append(text, ",m,%s,m%u,message,,\n",
				  unit_random(seed, 2) == 0 ? "," : "3,4", i);
		else if (unit_random(seed, 12) == 0)
			tv_append(text, ",p,,,%u,pending,%u,CPU\n", i, node);
		else
			tv_append(text, "CPU%u,t,%u,%u,%u,%s,%u,CPU\n", node, at, at + 1, i,
				  i % 5 == 0 ? "setup" : "app", node);
	}
}

static void add_message(struct tv_trace *trace, uint64_t *seed, const struct flavor *flavor,
			unsigned i, int64_t begin)
{
	uint32_t row = tv_table_add_row(&trace->table[TV_LINKS]);
	int64_t end = begin + (int64_t)unit_random(seed, 5) * 1000000;
	char text[32];

	if (flavor->early && unit_random(seed, 20) == 0)
		end = begin - 1000000;
	tv_set_text(tv_trace_column(trace, TV_LINKS, "Type"), row,
		    unit_random(seed, 9) == 0 ? "Fetch" : TV_MESSAGE_TYPE);
	for (int k = 0; k < 2; k++) {
		snprintf(text, sizeof text, "%s%u", unit_random(seed, 2) == 0 ? "CPU" : "net",
			 (unsigned)unit_random(seed, flavor->nodes));
		if (unit_random(seed, 20) > 0)
			tv_set_text(tv_trace_column(trace, TV_LINKS, k == 0 ? "Origin" : "Dest"),
				    row, text);
	}
	if (flavor->keys || unit_random(seed, 3) > 0) {
		snprintf(text, sizeof text, "m%u",
			 flavor->keys ? i : (unsigned)unit_random(seed, 40));
		tv_set_text(tv_trace_column(trace, TV_LINKS, "Key"), row, text);
	}
	tv_set_int(tv_trace_column(trace, TV_LINKS, "Start"), row, begin);
	tv_set_int(tv_trace_column(trace, TV_LINKS, "End"), row, end);
	if (unit_random(seed, 15) == 0)
		tv_set_text(tv_trace_column(trace, TV_LINKS, "Flag"), row, "open");
	if (flavor->bare)
		return;
	if (unit_random(seed, 5) > 0)
		tv_set_int(tv_trace_column(trace, TV_LINKS, "Size"), row,
			   (int64_t)unit_random(seed, 100));
	snprintf(text, sizeof text, "%u", (unsigned)unit_random(seed, 30));
	tv_set_text(tv_trace_column(trace, TV_LINKS, "Tag"), row, text);
	tv_set_text(tv_trace_column(trace, TV_LINKS, "OriginJob"), row, text);
	tv_set_int(tv_trace_column(trace, TV_LINKS, "Priority"), row,
		   (int64_t)unit_random(seed, 9));
	if (unit_random(seed, 3) > 0)
		tv_set_int(tv_trace_column(trace, TV_LINKS, "ReceiveStart"), row,
			   begin + (int64_t)unit_random(seed, 9) * 1000000 - 4000000);
	if (unit_random(seed, 3) > 0)
		tv_set_int(tv_trace_column(trace, TV_LINKS, "SendEnd"), row,
			   begin + (int64_t)unit_random(seed, 9) * 1000000);
}

/* Of a message that is sent twice two rows say the same. */
static void add_messages(struct tv_trace *trace, uint64_t *seed, const struct flavor *flavor)
{
	unsigned n = (unsigned)unit_random(seed, 80);
	int64_t at = -3;

	for (unsigned i = 0; i < n; i++) {
		unsigned times = unit_random(seed, 9) == 0 ? 2 : 1;
		uint64_t same;

		at = flavor->ordered ? at + (int64_t)unit_random(seed, 2)
				     : (int64_t)unit_random(seed, flavor->times);
		same = *seed;
		for (; times > 0; times--) {
			*seed = same;
			add_message(trace, seed, flavor, i, at * 1000000);
		}
	}
	tv_table_finish(&trace->table[TV_LINKS]);
}

static void write_random(uint64_t *seed, unsigned number, uint32_t rows)
{
	char *text = tv_strdup("ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType\n");
	const struct flavor flavor = { .nodes = number % 12 + 1,
				       .times = number % 2 == 0 ? 20 : 2000,
				       .ordered = number % 3 > 0,
				       .keys = number % 4 == 0,
				       .graph = number % 8 == 0,
				       .early = number % 10 == 0,
				       .bare = number % 11 == 0,
				       .none = number % 23 == 0 };
	struct tv_trace trace;

	add_tasks(&text, seed, &flavor);
	unit_trace(&trace, NULL, text);
	if (!flavor.none)
		add_messages(&trace, seed, &flavor);
	parts_write(&trace, rows);
	tv_trace_release(&trace);
	tv_free(text);
}

/* ---- commands ---- */

static void add_file(char **text, const char *path)
{
	static char bytes[1 << 20];
	FILE *file = fopen(path, "r");
	size_t n = file != NULL ? fread(bytes, 1, sizeof bytes - 1, file) : 0;

	if (file != NULL)
		fclose(file);
	unlink(path);
	bytes[n] = '\0';
	tv_append(text, "%s", bytes);
}

/* What is not said of parts: what the trace has instead of messages, which values fit. */
static void cut_advice(char *text)
{
	static const char *const advice[] = { "; it has ", " matches the selection" };

	for (size_t i = 0; i < TV_COUNT(advice); i++) {
		char *at = strstr(text, advice[i]), *end = at == NULL ? NULL : strchr(at, '\n');

		if (at != NULL)
			memmove(at, end != NULL ? end : "", end != NULL ? strlen(end) + 1 : 1);
	}
}

/* What a command prints, reports and fails with; rows: of a part, 0 = it reads the whole. */
static char *answer(const struct tv_cli *cli, uint32_t rows)
{
	char *path = tv_format("%s/stderr%d", folder, (int)getpid()), *text = tv_strdup("");
	struct tv_error err = { 0 };
	int before = dup(STDERR_FILENO);

	fflush(stderr);
	if (before < 0 || freopen(path, "w", stderr) == NULL)
		fail_msg("%s: cannot write", path);
	if (tv_pass_in_parts(cli, rows, &err) < 0)
		tv_append(&text, "%s\n", err.text);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	if (tv_cli_prints(cli))
		add_file(&text, cli->output);
	add_file(&text, path);
	tv_free(path);
	cut_advice(text);
	return text;
}

struct question {
	const struct tv_cli *cli;
	uint32_t rows;
};

/* Without the line that says that one process computes alone. */
static char *answer_of_member(void *context, const struct tv_team *team)
{
	const struct question *asked = context;
	struct tv_cli cli = *asked->cli;
	char *text, *alone, *end;

	cli.team = team;
	text = answer(&cli, asked->rows);
	alone = strstr(text, "traceviz: ");
	if (alone != NULL && strstr(alone, "in process 0 alone: ") != NULL
	    && (end = strchr(alone, '\n')) != NULL)
		memmove(alone, end + 1, strlen(end));
	return text;
}

static struct tv_cli parse(const char *const *word, const char *path, const char *output)
{
	char *argv[WORDS_MAX + 5] = { (char *)(uintptr_t) "traceviz" };
	struct tv_error err = { 0 };
	struct tv_cli cli;
	int n = 1;

	for (; n <= WORDS_MAX && word[n - 1] != NULL; n++)
		argv[n] = (char *)(uintptr_t)word[n - 1];
	argv[n++] = (char *)(uintptr_t) "-o";
	argv[n++] = (char *)(uintptr_t)output;
	argv[n++] = (char *)(uintptr_t)path;
	if (tv_cli_parse(&cli, n, argv, &err) < 0)
		fail_msg("%s", err.text);
	return cli;
}

static void compare(const char *what, const char *const *word, uint32_t rows)
{
	static const uint32_t sizes[] = { 2, 3, 8 };
	char *path = tv_format("%s/run", folder), *output = tv_format("%s/out.csv", folder);
	struct tv_cli cli = parse(word, path, output);
	struct question asked = { &cli, rows };
	char *whole = answer(&cli, 0), *parted = answer(&cli, rows);

	if (strstr(parted, "needs all rows at once") != NULL)
		refused++;
	else if (strcmp(whole, parted) != 0)
		fail_msg("%s, %s %s, parts of %u:\n%s\n-- in memory:\n%s", what, word[0],
			 word[1] != NULL ? word[1] : "", rows, parted, whole);
	else
		compared++;
	if (compared % 4 == 0) {
		team_run(sizes[compared / 4 % 3], answer_of_member, &asked);
		if (strcmp(team_board->text[0], whole) != 0)
			fail_msg("%s, %s %s, %u processes, parts of %u:\n%s\n-- in memory:\n%s",
				 what, word[0], word[1] != NULL ? word[1] : "",
				 sizes[compared / 4 % 3], rows, team_board->text[0], whole);
		together++;
	}
	tv_free(whole);
	tv_free(parted);
	tv_free(path);
	tv_free(output);
	tv_cli_release(&cli);
}

/* ---- tests ---- */

static void test_random(void **state)
{
	static const uint32_t groups[] = { 1, 7, 1000 };
	uint64_t seed = unit_seed(20);

	(void)state;
	for (unsigned i = 0; i < RANDOM; i++) {
		uint32_t rows = groups[i % 3];
		char what[32];

		write_random(&seed, i, rows);
		tv_threads_set(i % 2 == 0 ? 1 : 8);
		snprintf(what, sizeof what, "random %u", i);
		for (size_t c = i % 4; c < TV_COUNT(commands); c += 4)
			compare(what, commands[c], 4 * rows + (uint32_t)unit_random(&seed, 30));
	}
	print_message("# %zu compared, %zu refused, %zu by several processes\n", compared, refused,
		      together);
	assert_true(compared > refused && together > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

	return cmocka_run_group_tests(tests, parts_begin, parts_end);
}
