/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.c -- the working folder, random numbers, and random command lines on a file. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/command.h"
#include "trace/alloc.h"
#include "trace/unfinished.h"

#include "analysis/passes.h"

static uint64_t state;
static size_t lost;
static char folder[64];

static void fail(const char *what)
{
	perror(what);
	abort();
}

static void remove_folder(void)
{
	char command[sizeof folder + 16];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command) != 0)
		perror(folder);
}

/* In memory if possible: each execution writes its files. */
static void make_folder(void)
{
	snprintf(folder, sizeof folder, "%s/traceviz-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (mkdtemp(folder) == NULL || chdir(folder) < 0)
		fail(folder);
	atexit(remove_folder);
}

uint64_t fuzz_next(uint64_t *random, uint64_t below)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return (*random * 0x2545f4914f6cdd1du >> 16) % below;
}

uint64_t fuzz_random(uint64_t below)
{
	return fuzz_next(&state, below);
}

void fuzz_begin(const uint8_t *data, size_t n)
{
	if (folder[0] == '\0')
		make_folder();
	state = 0xcbf29ce484222325;
	for (size_t i = 0; i < n; i++)
		state = (state ^ data[i]) * 0x100000001b3;
	state |= 1;
}

void fuzz_file(const char *name, const uint8_t *data, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n || close(fd) < 0)
		fail(name);
}

size_t fuzz_find(const uint8_t *data, size_t n, const char *needle)
{
	const uint8_t *at = memmem(data, n, needle, strlen(needle));

	return at != NULL ? (size_t)(at - data) : n;
}

const char *fuzz_sample(void)
{
	static const char text[] =
		"ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Iteration,GFlop,Priority,"
		"ANode,Node,Kind,Tag\n"
		"CPU0,do_subtree,0,10,1,,0,0,1,0,1,0,app,10001\n"
		"CPU1,dgemm,10,20,2,1,0,1,1,0,2,0,app,10002\n"
		"CUDA0,dgemm,12,13,3,1,0,1,2,1,2,0,app,20001\n"
		",message,20,21.5,m,2,0,,,,,,message,\n"
		"1_CPU0,dpotrf,22,40,4,m 3,1,2,3,0,2,1,app,20002\n"
		"CUDA0,dgemm,14,15,5,1,0,1,2,1,2,0,app,20001\n"
		"CUDA0,dgemm,16,28,6,1,0,1,2,1,2,0,app,20001\n";

	fuzz_file("sample.csv", (const uint8_t *)text, sizeof text - 1);
	return "sample.csv";
}

/* ---- command lines ---- */

void fuzz_word(struct fuzz_command *command, const char *format, ...)
{
	va_list args;

	/* The last place is for the NULL at the end. */
	if (command->n + 1 >= (int)TV_COUNT(command->word))
		return;
	va_start(args, format);
	if (vasprintf(&command->word[command->n++], format, args) < 0)
		abort();
	va_end(args);
}

void fuzz_memory(struct fuzz_command *command)
{
	fuzz_word(command, "--max-memory=%zu", ((size_t)300 << 20) + lost);
}

static jmp_buf exhausted;

/* Back to fuzz_run: an input that needs more memory than it may is no finding. */
static void on_exhaustion(size_t bytes, const char *purpose)
{
	(void)bytes;
	(void)purpose;
	tv_unfinished_remove_all();
	longjmp(exhausted, 1);
}

/* Asked by the sanitizer of leaks: what runs that were left had allocated is no leak of the program. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return lost > 0;
}

void fuzz_run(struct fuzz_command *command)
{
	char *argv[TV_COUNT(command->word)]; /* getopt puts the words into another order */

	command->word[command->n] = NULL;
	memcpy(argv, command->word, sizeof argv);
	tv_memory_on_exhaustion(on_exhaustion);
	if (setjmp(exhausted) == 0)
		tv_command(command->n, argv, NULL);
	else
		lost = tv_memory_used(); /* of runs that were left, for good */
	fflush(NULL);
	for (int i = 0; i < command->n; i++)
		free(command->word[i]);
	command->n = 0;
}

/* A value for an option: one of the words that its row names, or something that it may be. */
static const char *some_value(const char *argument, char *room, size_t size)
{
	static const char *const value[] = { "0",
					     "1",
					     "3",
					     "10",
					     "0.5",
					     "1e9",
					     "-1",
					     "2ms",
					     "100us",
					     "Node",
					     "ResourceType",
					     "Value",
					     "Iteration",
					     "dgemm",
					     "CPU*",
					     "CPU,CUDA",
					     "CPU=4,CUDA=2",
					     "Start > 10",
					     "Value ~ 'gemm'",
					     "1",
					     "2",
					     "5..20",
					     "Size",
					     "last",
					     "outlier" };
	const char *word = argument;
	size_t n;

	for (uint64_t skip = fuzz_random(6); skip > 0 && word[strcspn(word, "|,")] != '\0'; skip--)
		word += strcspn(word, "|,") + 1;
	n = strcspn(word, "|,");
	if (n == 0 || n >= size || (word[0] >= 'A' && word[0] <= 'Z') || word[0] == '[')
		return value[fuzz_random(TV_COUNT(value))];
	memcpy(room, word, n);
	room[n] = '\0';
	return room;
}

static void add_option(struct fuzz_command *command, const char *panel,
		       const struct tv_option_spec *spec)
{
	char room[64];

	if (spec->argument == NULL)
		fuzz_word(command, "--%s%s%s", panel, panel[0] != '\0' ? "." : "", spec->name);
	else
		fuzz_word(command, "--%s%s%s=%s", panel, panel[0] != '\0' ? "." : "", spec->name,
			  some_value(spec->argument, room, sizeof room));
}

/* Options of all passes, most of them also of plot. */
static void add_selection(struct fuzz_command *command)
{
	static const char *const word[] = { "--begin=5",
					    "--end=20",
					    "--begin=1us",
					    "--where=Value ~ 'gemm'",
					    "--node=0",
					    "--restrict=Start >= 3",
					    "--resource=CPU*",
					    "--only=dgemm",
					    "--phase=last",
					    "--kind=app,setup,runtime",
					    "--resources=CPU=4,CUDA=2",
					    "--strict",
					    "--verbose",
					    "--json",
					    "--zero=none",
					    "--time-unit=us" };

	for (uint64_t n = fuzz_random(8); n >= 6; n--)
		fuzz_word(command, "%s", word[fuzz_random(TV_COUNT(word))]);
}

static void choose_pass(struct fuzz_command *command)
{
	const struct tv_pass *pass = tv_passes[fuzz_random(tv_npasses)];

	fuzz_word(command, "%s", pass->name);
	for (uint64_t n = fuzz_random(3); pass->noptions > 0 && n > 0; n--)
		add_option(command, "", &pass->option[fuzz_random(pass->noptions)]);
	if (pass->positional != NULL)
		fuzz_word(command, "--%s=1", pass->positional);
}

static void choose_plot(struct fuzz_command *command)
{
	static const char *const medium[] = { "svg", "svg", "csv", "pdf", "png" };
	const struct tv_panel *one = tv_panels[fuzz_random(tv_npanels)],
			      *other = tv_panels[fuzz_random(tv_npanels)];

	fuzz_word(command, "plot");
	fuzz_word(command, "--output=/dev/null");
	fuzz_word(command, "--to=%s", medium[fuzz_random(TV_COUNT(medium))]);
	fuzz_word(command, "--dpi=40");
	if (fuzz_random(4) == 0)
		return;
	fuzz_word(command, "--panels=%s,%s", one->name, other->name);
	if (one->noptions > 0 && fuzz_random(2) == 0)
		add_option(command, one->name, &one->option[fuzz_random(one->noptions)]);
}

void fuzz_use(const char *format, const char *path)
{
	static const char *const to[] = { "csv", "rec", "dot", "chrome" };
	struct fuzz_command command = { 0 };
	uint64_t what = fuzz_random(20);

	fuzz_word(&command, "traceviz");
	if (what < 14) {
		choose_pass(&command);
	} else if (what < 17) {
		choose_plot(&command);
	} else if (what < 19) {
		fuzz_word(&command, "convert");
		fuzz_word(&command, "--output=%s", what == 17 ? "-" : "out");
		fuzz_word(&command, "--to=%s", to[fuzz_random(what == 17 ? TV_COUNT(to) : 3)]);
	} else {
		fuzz_word(&command, "compare");
		fuzz_word(&command, "base=%s", fuzz_sample());
	}
	fuzz_memory(&command);
	if (what < 17)
		add_selection(&command);
	if (format != NULL && what < 19) /* compare also reads a CSV */
		fuzz_word(&command, "--format=%s", format);
	fuzz_word(&command, "%s%s", what == 19 ? "other=" : "", path);
	fuzz_run(&command);
}
