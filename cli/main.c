/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c -- the traceviz command as one process. */
#include "cli/command.h"
#include "cli/record.h"

/* Before all constructors of libraries. */
__attribute__((section(".preinit_array"),
	       used)) static void (*const run_first)(void) = tv_record_save_cpus;

int main(int argc, char **argv)
{
	return tv_command(argc, argv, NULL);
}
