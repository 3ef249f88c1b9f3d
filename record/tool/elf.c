/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elf.c -- reads the tables of executables and libraries (System V ABI, and GNU's versions of symbols). */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/tool/elf.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ORDER ELFDATA2LSB
#else
#define OWN_ORDER ELFDATA2MSB
#endif

#define PART(elf, offset, n, type) part((elf), (offset), (n), sizeof(type), _Alignof(type))

/* n records of the file; NULL: they do not lie in it, or not where such records can. */
static const void *part(const struct tv_elf *elf, uint64_t offset, uint64_t n, size_t size,
			size_t align)
{
	if (offset > elf->size || n > (elf->size - offset) / size || offset % align != 0)
		return NULL;
	return elf->bytes + offset;
}

static const Elf64_Ehdr *header(const struct tv_elf *elf)
{
	return (const void *)elf->bytes;
}

static const Elf64_Phdr *find_segment(const struct tv_elf *elf, uint32_t type)
{
	const Elf64_Ehdr *head = header(elf);
	const Elf64_Phdr *segment = PART(elf, head->e_phoff, head->e_phnum, Elf64_Phdr);

	for (unsigned i = 0; segment && i < head->e_phnum; i++)
		if (segment[i].p_type == type)
			return &segment[i];
	return NULL;
}

/* Section i; NULL where there is none. */
static const Elf64_Shdr *section_at(const struct tv_elf *elf, uint32_t i)
{
	const Elf64_Ehdr *head = header(elf);
	const Elf64_Shdr *section = PART(elf, head->e_shoff, head->e_shnum, Elf64_Shdr);

	return section && i < head->e_shnum ? &section[i] : NULL;
}

static const Elf64_Shdr *find_section(const struct tv_elf *elf, uint32_t type)
{
	const Elf64_Shdr *section;

	for (uint32_t i = 0; (section = section_at(elf, i)) != NULL; i++)
		if (section->sh_type == type)
			return section;
	return NULL;
}

/* Its records, *n of them; NULL: none. */
static const void *records(const struct tv_elf *elf, const Elf64_Shdr *section, size_t size,
			   size_t align, size_t *n)
{
	const void *p = section
			      ? part(elf, section->sh_offset, section->sh_size / size, size, align)
			      : NULL;

	*n = p ? section->sh_size / size : 0;
	return p;
}

/* The string of a section of strings; "" where it does not end in it. */
static const char *string_at(const struct tv_elf *elf, uint32_t strings, uint64_t offset)
{
	const Elf64_Shdr *section = section_at(elf, strings);
	const char *text;

	if (!section || section->sh_offset > elf->size
	    || section->sh_size > elf->size - section->sh_offset || offset >= section->sh_size)
		return "";
	text = (const char *)elf->bytes + section->sh_offset + offset;
	return memchr(text, 0, section->sh_size - offset) ? text : "";
}

enum tv_elf_kind tv_elf_open(struct tv_elf *elf, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *bytes = MAP_FAILED;

	*elf = (struct tv_elf){ 0 };
	if (fd < 0)
		return TV_ELF_NONE;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(Elf64_Ehdr))
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return TV_ELF_NONE;
	*elf = (struct tv_elf){ .bytes = bytes, .size = (size_t)st.st_size };
	if (memcmp(elf->bytes, ELFMAG, SELFMAG) != 0)
		return TV_ELF_NONE;
	if (elf->bytes[EI_CLASS] != ELFCLASS64 || elf->bytes[EI_DATA] != OWN_ORDER
	    || header(elf)->e_phentsize != sizeof(Elf64_Phdr)
	    || (header(elf)->e_shnum > 0 && header(elf)->e_shentsize != sizeof(Elf64_Shdr)))
		return TV_ELF_FOREIGN;
	return find_segment(elf, PT_DYNAMIC)
			    && (find_segment(elf, PT_INTERP) || find_section(elf, SHT_DYNSYM))
		     ? TV_ELF_DYNAMIC
		     : TV_ELF_STATIC;
}

void tv_elf_release(struct tv_elf *elf)
{
	if (elf->bytes)
		munmap((void *)(uintptr_t)elf->bytes, elf->size);
	*elf = (struct tv_elf){ 0 };
}

const char *tv_elf_interpreter(const struct tv_elf *elf)
{
	const Elf64_Phdr *segment = find_segment(elf, PT_INTERP);

	if (!segment || segment->p_offset > elf->size
	    || segment->p_filesz > elf->size - segment->p_offset)
		return NULL;
	const char *path = (const char *)elf->bytes + segment->p_offset;
	return memchr(path, 0, segment->p_filesz) ? path : NULL;
}

bool tv_elf_needs(const struct tv_elf *elf, const char *library)
{
	const Elf64_Shdr *section = find_section(elf, SHT_DYNAMIC);
	size_t n;
	const Elf64_Dyn *entry = records(elf, section, sizeof *entry, _Alignof(Elf64_Dyn), &n);

	for (size_t i = 0; i < n; i++)
		if (entry[i].d_tag == DT_NEEDED
		    && strcmp(string_at(elf, section->sh_link, entry[i].d_un.d_val), library) == 0)
			return true;
	return false;
}

/* The name of a version that the file needs (GNU_verneed), "" = none. */
static const char *needed_version(const struct tv_elf *elf, unsigned index)
{
	const Elf64_Shdr *section = find_section(elf, SHT_GNU_verneed);
	uint64_t at = section ? section->sh_offset : 0;
	const Elf64_Verneed *need;

	for (uint32_t i = 0;
	     section && i < section->sh_info && (need = PART(elf, at, 1, Elf64_Verneed)); i++) {
		uint64_t inner = at + need->vn_aux;
		const Elf64_Vernaux *aux;
		for (unsigned k = 0; k < need->vn_cnt && (aux = PART(elf, inner, 1, Elf64_Vernaux));
		     k++) {
			if (aux->vna_other == index)
				return string_at(elf, section->sh_link, aux->vna_name);
			if (aux->vna_next == 0)
				break;
			inner += aux->vna_next;
		}
		if (need->vn_next == 0)
			break;
		at += need->vn_next;
	}
	return "";
}

/* The name of a version that the file defines (GNU_verdef), "" = none. */
static const char *defined_version(const struct tv_elf *elf, unsigned index)
{
	const Elf64_Shdr *section = find_section(elf, SHT_GNU_verdef);
	uint64_t at = section ? section->sh_offset : 0;
	const Elf64_Verdef *definition;

	for (uint32_t i = 0;
	     section && i < section->sh_info && (definition = PART(elf, at, 1, Elf64_Verdef));
	     i++) {
		const Elf64_Verdaux *aux = PART(elf, at + definition->vd_aux, 1, Elf64_Verdaux);
		if (definition->vd_ndx == index && aux)
			return string_at(elf, section->sh_link, aux->vda_name);
		if (definition->vd_next == 0)
			break;
		at += definition->vd_next;
	}
	return "";
}

void tv_elf_symbols(const struct tv_elf *elf, bool of_linker, tv_elf_visit *visit, void *arg)
{
	const Elf64_Shdr *section = find_section(elf, of_linker ? SHT_DYNSYM : SHT_SYMTAB);
	size_t n, versions = 0;
	const Elf64_Sym *symbol = records(elf, section, sizeof *symbol, _Alignof(Elf64_Sym), &n);
	const Elf64_Half *version = NULL;

	if (of_linker)
		version = records(elf, find_section(elf, SHT_GNU_versym), sizeof *version,
				  _Alignof(Elf64_Half), &versions);
	for (size_t i = 1; i < n; i++) {
		struct tv_elf_symbol found = {
			.name = string_at(elf, section->sh_link, symbol[i].st_name),
			.version = "",
			.is_defined = symbol[i].st_shndx != SHN_UNDEF,
			.is_weak = ELF64_ST_BIND(symbol[i].st_info) == STB_WEAK,
		};
		unsigned index = i < versions ? version[i] & 0x7fff : 0;
		if (index > VER_NDX_GLOBAL)
			found.version = found.is_defined ? defined_version(elf, index)
							 : needed_version(elf, index);
		if (!visit(&found, arg))
			return;
	}
}
