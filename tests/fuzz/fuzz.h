/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz.h -- what the fuzz targets share: bytes become files, files go through the command line.
 *
 * A target fuzz_NAME.c defines LLVMFuzzerTestOneInput and, if the format has a structure that
 * random bytes destroy, LLVMFuzzerCustomMutator. It is linked with libFuzzer (make fuzz), or with
 * replay.c, which runs a corpus once and a few mutations of it (tests/cli/fuzz.t).
 *
 * What else an execution does -- which verb with which options -- follows from the hash of its
 * bytes, so a file that made a finding makes it again.
 */
#ifndef TV_FUZZ_H
#define TV_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
/* Of libFuzzer, or of replay.c: changes some bytes, returns the new length. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);

/* Begins an execution: an empty working folder on first use, random numbers from the bytes. */
void fuzz_begin(const uint8_t *data, size_t n);
/* A random number below `below` > 0, that depends on the bytes of this execution only. */
uint64_t fuzz_random(uint64_t below);
/* The same from a state of one's own, for mutators. */
uint64_t fuzz_next(uint64_t *state, uint64_t below);
/* Writes a file into the working folder, which is the current one. */
void fuzz_file(const char *name, const uint8_t *data, size_t n);
/* Where needle begins in data[0..n); n if it does not occur. */
size_t fuzz_find(const uint8_t *data, size_t n, const char *needle);

/* A command line as it grows. Words are copied. */
struct fuzz_command {
	char *word[64];
	int n;
};
void fuzz_word(struct fuzz_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds --max-memory: 300 MB, and what runs lost that exhausted theirs. */
void fuzz_memory(struct fuzz_command *command);
/* Runs traceviz with these words, and frees them. Exhausted memory ends the run, not the program. */
void fuzz_run(struct fuzz_command *command);
/* A small trace in the working folder that fits most passes and panels. */
const char *fuzz_sample(void);

/* Runs one verb with random options on a file or folder: a pass, or plot, convert, compare. */
void fuzz_use(const char *format, const char *path);

#endif
