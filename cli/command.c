/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c -- the traceviz command: dispatch, the one place that prints errors, the exit status. */
#include "cli/command.h"

#include <fcntl.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/plugins.h"
#include "convert/formats.h"
#include "convert/share.h"
#include "trace/alloc.h"
#include "trace/timings.h"

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

/* Whether this process takes part in what the command does, with cli->team or, for what not all can do, alone. */
static bool takes_part(struct tv_cli *cli)
{
	bool first = tv_cli_prints(cli);

	if (cli->team == NULL
	    || (!cli->help && cli->verb.pass != NULL && cli->verb.pass->in_parts != NULL))
		return true;
	if (!cli->help && !cli->version && (cli->verb.takes & TV_TAKES_TRACES) != 0)
		tv_say(cli, "%s runs in process 0 alone", cli->verb.name);
	cli->team = NULL;
	return first;
}

/* What the command does, by all that take part; process 0 alone reads with the help of the others. */
static int run_together(struct tv_cli *cli, const struct tv_team *team, struct tv_error *err)
{
	int rc;

	cli->team = team;
	if (team != NULL && team->rank == 0)
		tv_share_with(team);
	rc = takes_part(cli) ? run(cli, err) : 0;
	tv_share_end();
	if (team != NULL && team->rank > 0)
		tv_share_help(team, &cli->read);
	return rc;
}

int tv_command(int argc, char **argv, const struct tv_team *team)
{
	struct tv_error err = { 0 };
	struct tv_cli cli = { 0 };
	char *text;
	int rc = 0;

	hold_standard_files();
	tv_unfinished_on_signals();
	if (argc < 2)
		rc = tv_fail_usage(&err, "nothing to do; try 'traceviz --help'");
	else if (team == NULL)
		rc = tv_plugin_run(argc, argv, &err);
	if (rc == 0)
		rc = tv_cli_parse(&cli, argc, argv, &err);
	rc = tv_team_agree(team, rc, &err);
	if (rc == 0)
		rc = run_together(&cli, team, &err);
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
