/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resolve.c -- function, source file and line of an instruction, from DWARF by libdw. */
#include "record/tool/sites.h"

#ifndef TV_HAVE_DW

const bool tv_sites_known = false;

struct tv_resolver *tv_resolver_open(const char *path)
{
	(void)path;
	return NULL;
}

bool tv_resolver_find(struct tv_resolver *resolver, uint64_t return_address,
		      struct tv_source *source)
{
	(void)resolver;
	(void)return_address;
	(void)source;
	return false;
}

void tv_resolver_close(struct tv_resolver *resolver)
{
	(void)resolver;
}

#else

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bool tv_sites_known = true;

struct tv_resolver {
	Dwfl *dwfl;
	Dwfl_Module *module;
};

/* Debug data may be in a file of their own, as Debian's packages have them. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct tv_resolver *tv_resolver_open(const char *path)
{
	struct tv_resolver *resolver = calloc(1, sizeof *resolver);
	Dwarf_Addr bias;

	if (!resolver)
		return NULL;
	resolver->dwfl = dwfl_begin(&callbacks);
	if (resolver->dwfl) {
		dwfl_report_begin(resolver->dwfl);
		resolver->module = dwfl_report_elf(resolver->dwfl, path, path, -1, 0, true);
		dwfl_report_end(resolver->dwfl, NULL, NULL);
	}
	if (!resolver->module || !dwfl_module_getdwarf(resolver->module, &bias)) {
		tv_resolver_close(resolver);
		return NULL;
	}
	return resolver;
}

void tv_resolver_close(struct tv_resolver *resolver)
{
	if (resolver && resolver->dwfl)
		dwfl_end(resolver->dwfl);
	free(resolver);
}

/* The compilation unit of an address. Compilers other than gcc write no table of them. */
static Dwarf_Die *find_unit(struct tv_resolver *resolver, Dwarf_Addr pc, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(resolver->module, pc, bias);

	while (!unit && (unit = dwfl_module_nextcu(resolver->module, unit, bias)) != NULL) {
		while (unit && dwarf_haspc(unit, pc - *bias) <= 0)
			unit = dwfl_module_nextcu(resolver->module, unit, bias);
		break;
	}
	return unit;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));

	return name ? name
		    : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
}

/* The path without the folder of the compilation, which differs between machines. */
static const char *relative(Dwarf_Die *unit, const char *path)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	size_t n = folder ? strlen(folder) : 0;

	if (n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/')
		path += n + 1;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

static size_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value) < 0)
		return SIZE_MAX;
	return value;
}

/* The file in which a function is, or NULL (dwarf_decl_file does not know number 0 of DWARF 5). */
static const char *file_of(Dwarf_Die *unit, Dwarf_Die *die)
{
	size_t i = number_of(die, DW_AT_decl_file), n;
	const char *file = NULL;
	Dwarf_Files *files;

	if (dwarf_getsrcfiles(unit, &files, &n) == 0 && i < n)
		file = dwarf_filesrc(files, i, NULL, NULL);
	return file ? relative(unit, file) : NULL;
}

/* Names that compilers give to the functions that they make of a construct of OpenMP: gcc
 * main._omp_fn.0, clang .omp_outlined., .omp_task_entry., main.omp_outlined, __captured_stmt. */
static bool is_outlined(const char *name)
{
	return strstr(name, "omp_outlined") || strstr(name, ".omp_task_entry.")
	    || strstr(name, "__captured_stmt") || name[0] == '.';
}

enum { MAX_DEPTH = 100 };

/* Calls visit for each function below a DIE. gcc has outlined functions inside the one that they are
 * from, in whose range of addresses they are not, so ranges do not guide the search. */
static void visit_functions(Dwarf_Die *parent, void (*visit)(Dwarf_Die *, void *), void *context,
			    int depth)
{
	Dwarf_Die die;
	int rc = depth < MAX_DEPTH ? dwarf_child(parent, &die) : 1;

	for (; rc == 0; rc = dwarf_siblingof(&die, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
			visit(&die, context);
			/* fall through */
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
			visit_functions(&die, visit, context, depth + 1);
			break;
		default:
			break;
		}
	}
}

struct search {
	Dwarf_Die *unit, found;
	bool is_found;
	Dwarf_Addr pc;	     /* of match_code */
	const char *linkage; /* of match_linkage, of length bytes */
	size_t length;
	const char *file; /* of match_line */
	size_t line, best_line;
};

/* The innermost function, inlined or not, whose code contains the address. */
static void match_code(Dwarf_Die *die, void *context)
{
	struct search *search = context;

	if (dwarf_haspc(die, search->pc) > 0) {
		search->found = *die;
		search->is_found = true;
	}
}

/* The user's function that contains a line: of those that begin before it, the last one. */
static void match_line(Dwarf_Die *die, void *context)
{
	struct search *search = context;
	size_t line = number_of(die, DW_AT_decl_line);
	const char *name = name_of(die), *file = file_of(search->unit, die);

	if (line == SIZE_MAX || line > search->line || line <= search->best_line || !name
	    || is_outlined(name) || !file || strcmp(file, search->file) != 0)
		return;
	search->best_line = line;
	search->found = *die;
	search->is_found = true;
}

/* The function of a name as C++ has it for the linker. */
static void match_linkage(Dwarf_Die *die, void *context)
{
	struct search *search = context;
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(
		dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	if (name && strlen(name) == search->length
	    && !memcmp(name, search->linkage, search->length)) {
		search->found = *die;
		search->is_found = true;
	}
}

/* The name of the function that the user wrote, of *length bytes; NULL: unknown. */
static const char *user_name(Dwarf_Die *unit, Dwarf_Die *function, const char *file, int line,
			     int *length)
{
	struct search search = { .unit = unit, .file = file, .line = (size_t)line };
	/* gcc writes nothing about functions that it has merged, but their lines. */
	const char *name = function ? name_of(function) : NULL, *cut = NULL;

	if (name)
		cut = strstr(name, "._omp_fn") ? strstr(name, "._omp_fn")
					       : strstr(name, ".omp_outlined");
	*length = name ? (int)(cut ? (size_t)(cut - name) : strlen(name)) : 0;
	if (cut && cut > name && strncmp(name, "_Z", 2) == 0) {
		search.linkage = name;
		search.length = (size_t)*length;
		visit_functions(unit, match_linkage, &search, 0);
	} else if (name && (*length > 0 && (cut || !is_outlined(name)))) {
		return name;
	}
	/* Also for lambdas of gcc, which have no name for the linker. */
	if (!search.is_found)
		visit_functions(unit, match_line, &search, 0);
	name = search.is_found ? name_of(&search.found) : NULL;
	*length = name ? (int)strlen(name) : 0;
	return name;
}

/* The line of a row, or of the rows before: compilers give line 0 to code that belongs to none. */
static int line_before(Dwarf_Die *unit, Dwarf_Line *row)
{
	Dwarf_Addr address;
	int line = 0;

	for (int i = 0; i < MAX_DEPTH && row && dwarf_lineno(row, &line) == 0 && line == 0; i++)
		row = dwarf_lineaddr(row, &address) == 0 && address > 0
			    ? dwarf_getsrc_die(unit, address - 1)
			    : NULL;
	return line;
}

/* The function that begins at the address, inlined ones excluded. */
static void match_entry(Dwarf_Die *die, void *context)
{
	struct search *search = context;
	Dwarf_Addr entry;

	if (dwarf_tag(die) == DW_TAG_subprogram && dwarf_entrypc(die, &entry) == 0
	    && entry == search->pc) {
		search->found = *die;
		search->is_found = true;
	}
}

/* The first of the rows with that address that begins a statement, else the first one; NULL: none. Where gcc optimizes, the row of the
 * parallel region around a construct, which begins no statement, comes before that of the construct. */
static Dwarf_Line *entry_row(Dwarf_Die *unit, Dwarf_Addr pc)
{
	Dwarf_Lines *lines;
	Dwarf_Line *first = NULL;
	size_t n = 0;

	if (dwarf_getsrclines(unit, &lines, &n) != 0)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		bool is_end = true, is_statement = false;

		if (dwarf_lineaddr(row, &address) != 0 || address != pc
		    || dwarf_lineendsequence(row, &is_end) != 0 || is_end)
			continue;
		if (dwarf_linebeginstatement(row, &is_statement) == 0 && is_statement)
			return row;
		first = first ? first : row;
	}
	return first;
}

/* Whether an address is the first byte of a function that the compiler made of a construct and that
 * is used in its place: no call of the program ends there. clang declares it in
 * the line of the construct; gcc declares nothing, but has that line at the entry. */
static bool find_construct(struct search *search, const char **file, int *line)
{
	struct search entry = { .unit = search->unit, .pc = search->pc };
	const char *name, *declared;
	size_t number;
	Dwarf_Line *row;
	int at;

	visit_functions(entry.unit, match_entry, &entry, 0);
	name = entry.is_found ? name_of(&entry.found) : NULL;
	if (!name || (!is_outlined(name) && !strstr(name, "._omp_fn")))
		return false;
	search->found = entry.found;
	search->is_found = true;
	number = number_of(&entry.found, DW_AT_decl_line);
	declared = file_of(entry.unit, &entry.found);
	if (number <= INT_MAX && declared) {
		*file = declared;
		*line = (int)number;
	} else if ((row = entry_row(entry.unit, entry.pc)) != NULL) {
		declared = dwarf_linesrc(row, NULL, NULL);
		if (declared && dwarf_lineno(row, &at) == 0 && at > 0) {
			*file = relative(entry.unit, declared);
			*line = at;
		}
	}
	return true;
}

bool tv_resolver_find(struct tv_resolver *resolver, uint64_t return_address,
		      struct tv_source *source)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = find_unit(resolver, return_address - 1, &bias);
	struct search search = { .unit = unit, .pc = return_address - 1 - bias };
	Dwarf_Line *row = unit ? dwarf_getsrc_die(unit, search.pc) : NULL;
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL, *name;
	int line = 0, length = 0;

	if (!file)
		return false;
	line = line_before(unit, row);
	file = relative(unit, file);
	if (!find_construct(&search, &file, &line))
		visit_functions(unit, match_code, &search, 0);
	name = user_name(unit, search.is_found ? &search.found : NULL, file, line, &length);
	if (!name)
		return false;
	snprintf(source->function, sizeof source->function, "%.*s", length, name);
	snprintf(source->file, sizeof source->file, "%s", file);
	source->line = line > 0 ? (uint32_t)line : 0;
	return true;
}

#endif
