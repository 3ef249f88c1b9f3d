/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_elf.c -- what a program needs and defines: of this one, of libraries, and of damaged copies. */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/tool/elf.h"

struct count {
	unsigned all, defined, versioned;
};

static bool add(const struct tv_elf_symbol *symbol, void *arg)
{
	struct count *count = arg;

	count->all++;
	count->defined += symbol->is_defined;
	count->versioned += symbol->version[0] != 0;
	return true;
}

static void own_program(void **state)
{
	struct tv_elf elf;
	struct count seen = { 0 }, all = { 0 };

	(void)state;
	assert_int_equal(tv_elf_open(&elf, "/proc/self/exe"), TV_ELF_DYNAMIC);
	assert_non_null(strstr(tv_elf_interpreter(&elf), "/ld"));
	assert_true(tv_elf_needs(&elf, "libc.so.6"));
	assert_false(tv_elf_needs(&elf, "libc.so"));
	tv_elf_symbols(&elf, true, add, &seen);
	tv_elf_symbols(&elf, false, add, &all);
	assert_true(seen.all > seen.defined && seen.versioned > 0);
	assert_true(all.all > seen.all);
	tv_elf_release(&elf);
}

static void other_files(void **state)
{
	struct tv_elf elf;

	(void)state;
	assert_int_equal(tv_elf_open(&elf, "/nonexistent"), TV_ELF_NONE);
	tv_elf_release(&elf);
	assert_int_equal(tv_elf_open(&elf, "/etc/passwd"), TV_ELF_NONE);
	tv_elf_release(&elf);
	assert_int_equal(tv_elf_open(&elf, "/"), TV_ELF_NONE);
	tv_elf_release(&elf);
}

/* A small program in memory: one dynamic segment and interpreter, three sections. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segment[2];
	Elf64_Shdr section[7];
	Elf64_Sym symbol[3];
	Elf64_Dyn dynamic[2];
	Elf64_Verneed need;
	Elf64_Vernaux version;
	Elf64_Half versions[4];
	char strings[64], interpreter[16];
};

static void fill(struct image *image)
{
	static const char strings[] = "\0GOMP_task\0libgomp.so.1\0GOMP_2.0\0main";
	enum { GOMP_TASK = 1, LIBGOMP = 11, GOMP_2_0 = 24, MAIN = 33 };
#define AT(member)   offsetof(struct image, member)
#define SIZE(member) sizeof(((struct image *)0)->member)

	*image = (struct image){
		.header = { .e_type = ET_DYN,
			    .e_phoff = AT(segment),
			    .e_shoff = AT(section),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 2,
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 7 },
		.segment = { { .p_type = PT_DYNAMIC },
			     { .p_type = PT_INTERP, .p_offset = AT(interpreter), .p_filesz = 16 } },
		.section = { { 0 },
			     { .sh_type = SHT_STRTAB,
			       .sh_offset = AT(strings),
			       .sh_size = SIZE(strings) },
			     { .sh_type = SHT_DYNSYM,
			       .sh_offset = AT(symbol),
			       .sh_size = SIZE(symbol),
			       .sh_link = 1 },
			     { .sh_type = SHT_DYNAMIC,
			       .sh_offset = AT(dynamic),
			       .sh_size = SIZE(dynamic),
			       .sh_link = 1 },
			     { .sh_type = SHT_GNU_verneed,
			       .sh_offset = AT(need),
			       .sh_size = 32,
			       .sh_link = 1,
			       .sh_info = 1 },
			     { .sh_type = SHT_GNU_versym, .sh_offset = AT(versions), .sh_size = 6 },
			     { .sh_type = SHT_SYMTAB,
			       .sh_offset = AT(symbol),
			       .sh_size = SIZE(symbol),
			       .sh_link = 1 } },
		.symbol = { { 0 }, { .st_name = GOMP_TASK }, { .st_name = MAIN, .st_shndx = 1 } },
		.dynamic = { { .d_tag = DT_NEEDED, .d_un.d_val = LIBGOMP } },
		.need = { .vn_cnt = 1, .vn_file = LIBGOMP, .vn_aux = sizeof(Elf64_Verneed) },
		.version = { .vna_other = 2, .vna_name = GOMP_2_0 },
		.versions = { 0, 2, 1 },
		.interpreter = "/lib/ld.so",
	};
	memcpy(image->header.e_ident, ELFMAG, SELFMAG);
	image->header.e_ident[EI_CLASS] = ELFCLASS64;
	image->header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
										   : ELFDATA2MSB;
	memcpy(image->strings, strings, sizeof strings);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	close(fd);
}

static bool print(const struct tv_elf_symbol *symbol, void *arg)
{
	char *text = arg;

	snprintf(text + strlen(text), 200, "%s@%s=%d ", symbol->name, symbol->version,
		 symbol->is_defined);
	return strlen(text) < 1000;
}

static void small_program(void **state)
{
	char path[] = "/tmp/test_elf.XXXXXX", text[2000] = "";
	struct image image;
	struct tv_elf elf;
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	fill(&image);
	write_file(path, &image, sizeof image);
	assert_int_equal(tv_elf_open(&elf, path), TV_ELF_DYNAMIC);
	assert_string_equal(tv_elf_interpreter(&elf), "/lib/ld.so");
	assert_true(tv_elf_needs(&elf, "libgomp.so.1"));
	tv_elf_symbols(&elf, true, print, text);
	assert_string_equal(text, "GOMP_task@GOMP_2.0=0 main@=1 ");
	tv_elf_release(&elf);

	image.header.e_ident[EI_CLASS] = ELFCLASS32;
	write_file(path, &image, sizeof image);
	assert_int_equal(tv_elf_open(&elf, path), TV_ELF_FOREIGN);
	tv_elf_release(&elf);
	fill(&image);
	image.segment[0].p_type = PT_NULL;
	write_file(path, &image, sizeof image);
	assert_int_equal(tv_elf_open(&elf, path), TV_ELF_STATIC);
	tv_elf_release(&elf);
	unlink(path);
}

/* Nothing of a damaged file is read from outside of it (sanitizers see that), and every walk ends. */
static void damaged_programs(void **state)
{
	char path[] = "/tmp/test_elf.XXXXXX", text[2000];
	struct image image;
	struct tv_elf elf;
	unsigned seed = 20;
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	printf("# seed %u\n", seed);
	for (int round = 0; round < 3000; round++) {
		unsigned char *bytes = (unsigned char *)&image;
		static const unsigned char value[] = { 0, 1, 7, 0x7f, 0x80, 0xff };
		size_t size = sizeof image;
		fill(&image);
		for (int k = round % 4; k >= 0; k--)
			bytes[4 + (size_t)rand_r(&seed) % (sizeof image - 4)] =
				value[rand_r(&seed) % 6];
		if (round % 3 == 0)
			size = (size_t)rand_r(&seed) % sizeof image;
		write_file(path, &image, size);
		if (tv_elf_open(&elf, path) == TV_ELF_DYNAMIC) {
			tv_elf_interpreter(&elf);
			tv_elf_needs(&elf, "libgomp.so.1");
			for (int of_linker = 0; of_linker < 2; of_linker++) {
				text[0] = 0;
				tv_elf_symbols(&elf, of_linker, print, text);
			}
		}
		tv_elf_release(&elf);
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_program),
		cmocka_unit_test(other_files),
		cmocka_unit_test(small_program),
		cmocka_unit_test(damaged_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
