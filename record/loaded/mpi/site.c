/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c -- where the program called, if it did so by a library for Fortran. */
#include <link.h>
#include <string.h>
#include <unwind.h>

#include "record/loaded/mpi/probe.h"

enum { MAX_BINDINGS = 8 };

/* The libraries that translate Fortran's calls. */
static struct tv_mpi_range binding[MAX_BINDINGS];
static int nbindings;

static int add_binding(struct dl_phdr_info *object, size_t size, void *unused)
{
	static const char *const part[] = { "libmpi_mpifh", "libmpi_usempi", "libmpichfort",
					    "libmpifort" };

	(void)size;
	(void)unused;
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		if (!strstr(object->dlpi_name, part[i]))
			continue;
		for (int k = 0; k < object->dlpi_phnum && nbindings < MAX_BINDINGS; k++) {
			const ElfW(Phdr) *segment = &object->dlpi_phdr[k];

			if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
				binding[nbindings++] = (struct tv_mpi_range){
					object->dlpi_addr + segment->p_vaddr, segment->p_memsz
				};
		}
		return 0;
	}
	return 0;
}

void tv_mpi_site_setup(void)
{
	dl_iterate_phdr(add_binding, NULL);
}

static bool is_binding(uint64_t address)
{
	for (int i = 0; i < nbindings; i++)
		if (address - binding[i].begin < binding[i].size)
			return true;
	return false;
}

struct walk {
	bool in_binding;
	uint64_t site;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg)
{
	struct walk *walk = arg;
	uint64_t address = _Unwind_GetIP(context);

	if (is_binding(address)) {
		walk->in_binding = true;
	} else if (walk->in_binding) {
		walk->site = address;
		return _URC_END_OF_STACK;
	}
	return _URC_NO_REASON;
}

uint64_t tv_mpi_site(uint64_t return_address)
{
	struct walk walk = { false, return_address };

	if (is_binding(return_address))
		_Unwind_Backtrace(visit, &walk);
	return walk.site;
}
