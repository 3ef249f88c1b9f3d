/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elf.h -- what an executable or a library needs and defines: 64 bits, byte order of this machine.
 *
 * All numbers of the file are checked against its size; where they contradict it, the part counts as absent.
 */
#ifndef TV_CLI_ELF_H
#define TV_CLI_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tv_elf {
	const unsigned char *bytes; /* of the file, mapped */
	size_t size;
};

enum tv_elf_kind {
	TV_ELF_NONE,	/* not an ELF file, or not readable */
	TV_ELF_FOREIGN, /* of another machine or word size */
	TV_ELF_STATIC,	/* a program that no dynamic linker starts */
	TV_ELF_DYNAMIC, /* a program that one starts, or a library */
};

/* Maps the file; *elf is to be released in all cases. */
enum tv_elf_kind tv_elf_open(struct tv_elf *elf, const char *path);
void tv_elf_release(struct tv_elf *elf);

/* The path of the dynamic linker; NULL: a library. */
const char *tv_elf_interpreter(const struct tv_elf *elf);
/* Whether the file needs the library of that name (DT_NEEDED). */
bool tv_elf_needs(const struct tv_elf *elf, const char *library);

/*
 * Symbols: those that the dynamic linker sees, or (of_linker false) all that are left in the file.
 * version is "" where the symbol has none. visit returns false to end the walk.
 */
struct tv_elf_symbol {
	const char *name, *version;
	bool is_defined, is_weak;
};
typedef bool tv_elf_visit(const struct tv_elf_symbol *symbol, void *arg);
void tv_elf_symbols(const struct tv_elf *elf, bool of_linker, tv_elf_visit *visit, void *arg);

#endif
