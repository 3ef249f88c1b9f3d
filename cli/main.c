/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c -- the traceviz command: dispatch, the one place that prints errors, the exit status. */
#include <fcntl.h>
#include <stdio.h>

#include "cli/plugins.h"
#include "cli/record.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/timings.h"

/* Before all constructors of libraries. */
__attribute__((section(".preinit_array"),
	       used)) static void (*const run_first)(void) = tv_record_save_cpus;

static int print_version(struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, "-", err) < 0)
		return -1;
	tv_output_text(&out, "traceviz " TV_VERSION "\nformats:");
	for (size_t i = 0; i < tv_nreaders; i++)
		tv_output_format(&out, " %s", tv_readers[i]->name);
	tv_output_text(&out, "\nmedia: pdf svg png html csv\nbuilt with: " TV_BUILT_WITH "\n");
	return tv_output_commit(&out, err);
}

static int run(const struct tv_cli *cli, struct tv_error *err)
{
	if (cli->help)
		return tv_cmd_help(cli, err);
	if (cli->timings)
		tv_timings_start();
	return cli->version ? print_version(err) : cli->verb.run(cli, err);
}

/* A file that is opened must not become standard output or error because those are closed. What
 * takes their place refuses reading and writing as they would. */
static void hold_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			break;
}

int main(int argc, char **argv)
{
	struct tv_error err = { 0 };
	struct tv_cli cli = { 0 };
	char *text;
	int rc;

	hold_standard_files();
	tv_unfinished_on_signals();
	rc = argc < 2 ? tv_fail_usage(&err, "nothing to do; try 'traceviz --help'")
		      : tv_plugin_run(argc, argv, &err);
	if (rc == 0)
		rc = tv_cli_parse(&cli, argc, argv, &err);
	if (rc == 0)
		rc = run(&cli, &err);
	if (rc == 0) {
		tv_cli_release(&cli);
		tv_timings_print();
		return 0;
	}
	tv_timings_print();
	/* A recorded program ended with this status, and has explained it. */
	if (cli.verb.takes == TV_TAKES_RECORD && err.text[0] == '\0') {
		tv_cli_release(&cli);
		return (int)err.status;
	}
	text = tv_cli_failure(&cli, &err);
	tv_cli_release(&cli);
	fprintf(stderr, "traceviz: %s\n", text);
	tv_free(text);
	return err.status != 0 ? (int)err.status : TV_FAILED;
}
