/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_monitor.c -- record --monitor: what is sampled, and how it begins and ends. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/record.h"
#include "monitor/monitor.h"
#include "record/loaded/job.h"
#include "record/loaded/log.h"
#include "record/tool/monitor/sampler.h"
#include "record/tool/watch.h"
#include "trace/alloc.h"
#include "trace/input.h"
#include "trace/options.h"
#include "trace/text.h"

enum { DESCRIPTION_MAX = 30000 };

struct tv_monitoring {
	struct tv_sampler *sampler;
	struct tv_monitors described;
	char **kept; /* texts that requests refer to */
	size_t nkept, kept_cap;
	char *missing;		/* events that were left out; NULL */
	struct tv_watch *watch; /* of --watch; NULL */
	bool began;
};

/* The events of `default`; those of a process alone are in the first list. */
static const char *const of_process[] = { "task-clock", "context-switches", "cpu-migrations",
					  "page-faults" };
static const char *const of_machine[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"user-time",
	"nice-time",
	"system-time",
	"idle-time",
	"iowait-time",
	"irq-time",
	"softirq-time",
	"steal-time",
	"frequency",
	"memory-free",
	"memory-available",
	"node-memory-used",
	"numa-hit",
	"numa-miss",
	"local-node",
	"other-node",
	"cgroup-cpu-time",
	"cgroup-memory",
	"cgroup-throttled-time",
	"cpu-pressure",
	"memory-pressure",
	"memory-pressure-full",
	"io-pressure",
	"io-pressure-full",
};

static char *keep(struct tv_monitoring *monitoring, char *text)
{
	TV_GROW(monitoring->kept, monitoring->nkept, monitoring->kept_cap, 1);
	return monitoring->kept[monitoring->nkept++] = text;
}

static void add_missing(struct tv_monitoring *monitoring, const char *name)
{
	char *old = monitoring->missing;

	monitoring->missing = old == NULL ? tv_strdup(name) : tv_format("%s, %s", old, name);
	tv_free(old);
}

/* ---- default ---- */

static void add_default(struct tv_monitoring *monitoring, const char *const *event, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct tv_sampler_request request = { .monitor = "default",
							    .described = TV_LOG_MONITOR_NONE,
							    .event = &event[i],
							    .nevents = 1 };
		char why[TV_SAMPLER_WHY];
		unsigned failed;
		bool usage;

		if (tv_sampler_add(monitoring->sampler, &request, &failed, &usage, why) < 0)
			add_missing(monitoring, event[i]);
	}
}

/* ---- a list ---- */

/* The length of the first item: a comma in cpu/event=0x3c,umask=0x1/ is part of it. */
static size_t item_length(const char *list)
{
	size_t n = 0;
	bool terms = false;

	for (; list[n] != '\0' && (list[n] != ',' || terms); n++)
		terms = list[n] == '/' ? false : terms || list[n] == '=';
	return n;
}

/* "L3/EVENT", "PU:0/EVENT": the length of what names the objects, 0 = nothing does. */
static size_t level_length(const char *item)
{
	size_t n = strcspn(item, "/"), colon = strcspn(item, ":");
	char *level;

	if (item[n] == '\0')
		return 0;
	level = tv_monitor_level(item, colon < n ? colon : n);
	tv_free(level);
	return level != NULL ? n : 0;
}

static int fail_event(const struct tv_cli *cli, bool usage, const char *why, struct tv_error *err)
{
	if (usage)
		return tv_fail_usage(err, "--monitor: %s", why);
	return tv_fail(err, "--monitor: %s%s", why,
		       cli->skip_missing ? "" : "; --skip-missing records without it");
}

static int add_item(struct tv_recording *recording, const char *text, struct tv_error *err)
{
	struct tv_monitoring *monitoring = recording->monitoring;
	bool is_file = strncmp(text, "file:", 5) == 0, usage;
	size_t level = is_file ? 0 : level_length(text);
	const char *event = level > 0 ? text + level + 1 : text;
	struct tv_sampler_request request = { .monitor = is_file ? "file" : "events",
					      .described = TV_LOG_MONITOR_NONE,
					      .library = is_file ? text : NULL,
					      .event = &event,
					      .nevents = !is_file };
	char why[TV_SAMPLER_WHY];
	unsigned failed;

	if (level > 0)
		request.level = keep(monitoring, tv_strndup(text, level));
	if (tv_sampler_add(monitoring->sampler, &request, &failed, &usage, why) == 0)
		return 0;
	if (usage || !recording->cli->skip_missing)
		return fail_event(recording->cli, usage, why, err);
	add_missing(monitoring, text);
	return 0;
}

static int add_list(struct tv_recording *recording, struct tv_error *err)
{
	const char *list = recording->cli->monitor;

	for (size_t n; *list != '\0'; list += n + (list[n] == ',')) {
		n = item_length(list);
		if (n == 0)
			return tv_fail_usage(err,
					     "--monitor '%s': no event, expected names "
					     "separated by commas",
					     recording->cli->monitor);
		if (add_item(recording, keep(recording->monitoring, tv_strndup(list, n)), err) < 0)
			return -1;
	}
	return 0;
}

/* ---- a description ---- */

static int add_monitor(struct tv_recording *recording, size_t number, struct tv_error *err)
{
	struct tv_monitoring *monitoring = recording->monitoring;
	const struct tv_monitor *m = &monitoring->described.monitor[number];
	char *level = m->index < 0 ? tv_strdup(m->level)
				   : tv_format("%s:%lld", m->level, (long long)m->index);
	const struct tv_sampler_request request = { .monitor = m->name,
						    .described = number,
						    .level = keep(monitoring, level),
						    .library = m->library,
						    .event = (const char *const *)m->event,
						    .nevents = (unsigned)m->nevents };
	char why[TV_SAMPLER_WHY];
	unsigned failed;
	bool usage;

	if (m->source != TV_MONITOR_READ
	    || tv_sampler_add(monitoring->sampler, &request, &failed, &usage, why) == 0)
		return 0;
	if (usage || !recording->cli->skip_missing)
		return tv_monitor_fail(err, m, failed, "%s%s", why,
				       usage ? "" : "; --skip-missing records without it");
	add_missing(monitoring, m->name);
	return 0;
}

static int add_description(struct tv_recording *recording, struct tv_error *err)
{
	struct tv_monitoring *monitoring = recording->monitoring;
	const char *path = recording->cli->monitor;
	struct tv_bytes bytes = { 0 };
	struct tv_input in;
	char *text;
	int rc = tv_input_open(&in, path, err);

	if (rc < 0)
		return -1;
	rc = tv_input_all(&in, &bytes, err);
	tv_input_close(&in);
	if (rc == 0 && bytes.n > DESCRIPTION_MAX)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"a description of %zu bytes, expected up to %d", bytes.n,
				DESCRIPTION_MAX);
	if (rc == 0)
		rc = tv_monitors_read(&monitoring->described, path, (const char *)bytes.bytes,
				      bytes.n, err);
	if (rc == 0) {
		text = tv_strndup((const char *)bytes.bytes, bytes.n);
		tv_sampler_describe(monitoring->sampler, "MonitorFile", text);
		tv_free(text);
	}
	tv_bytes_release(&bytes);
	for (size_t i = 0; rc == 0 && i < monitoring->described.n; i++)
		rc = add_monitor(recording, i, err);
	return rc;
}

/* ---- begin and end ---- */

static void report_missing(const struct tv_recording *recording)
{
	struct tv_monitoring *monitoring = recording->monitoring;

	if (monitoring->missing == NULL)
		return;
	tv_say(recording->cli,
	       "not sampled, as this machine does not have it or does not permit it: %s",
	       monitoring->missing);
	tv_sampler_describe(monitoring->sampler, "MonitorMissing", monitoring->missing);
}

int tv_record_prepare_monitor(struct tv_recording *recording, struct tv_error *err)
{
	const struct tv_cli *cli = recording->cli;
	struct tv_monitoring *monitoring = tv_alloc(1, sizeof *monitoring);
	bool process = (cli->program != NULL && cli->program[0] != NULL) || cli->pid != 0;
	char why[TV_SAMPLER_WHY];
	int rc = 0;

	recording->monitoring = monitoring;
	monitoring->sampler = tv_sampler_new(process, why);
	if (monitoring->sampler == NULL)
		return tv_fail(err, "--monitor: %s", why);
	if (strcmp(cli->monitor, "default") == 0) {
		if (process)
			add_default(monitoring, of_process, TV_COUNT(of_process));
		add_default(monitoring, of_machine, TV_COUNT(of_machine));
	} else if (access(cli->monitor, F_OK) == 0) {
		rc = add_description(recording, err);
	} else {
		rc = add_list(recording, err);
	}
	if (rc == 0 && tv_sampler_is_empty(monitoring->sampler))
		rc = tv_fail(err, "--monitor '%s': none of its events can be read here",
			     cli->monitor);
	for (size_t i = 0; rc == 0 && i < cli->nsettings; i++)
		if (strcmp(cli->setting[i].key, "tag") == 0) {
			size_t n = strcspn(cli->setting[i].value, "=");
			char *key = tv_format("Tag.%.*s", (int)n, cli->setting[i].value);

			tv_sampler_describe(monitoring->sampler, key,
					    cli->setting[i].value + n + 1);
			tv_free(key);
		}
	if (rc == 0)
		report_missing(recording);
	return rc;
}

/* Instances of one mpirun or srun, on several hosts: of those of a host one samples the machine. */
static int share_machine(const struct tv_recording *recording, const char *host,
			 struct tv_error *err)
{
	int lock = tv_record_open_lock(recording, host, err);
	char why[TV_SAMPLER_WHY];

	if (lock < 0)
		return -1;
	return tv_sampler_share(recording->monitoring->sampler, lock, why) == 0
		     ? 0
		     : tv_fail(err, "--monitor: %s", why);
}

/* host: its name, where there may be several; else NULL. */
static int write_topology(const struct tv_recording *recording, const char *host,
			  struct tv_error *err)
{
	const struct tv_hardware *hardware = tv_sampler_hardware(recording->monitoring->sampler);
	char *path = tv_format("%s/%s%stopology.xml", recording->folder, host != NULL ? host : "",
			       host != NULL ? "." : "");
	struct tv_output out;
	/* Of several instances the first one writes it. */
	int rc = access(path, F_OK) == 0 ? 1 : tv_output_open(&out, path, err);

	tv_free(path);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	tv_output_write(&out, hardware->xml, hardware->xml_bytes);
	return tv_output_commit(&out, err);
}

int tv_record_begin_monitor(struct tv_recording *recording, long pid, struct tv_error *err)
{
	struct tv_monitoring *monitoring = recording->monitoring;
	const struct tv_cli *cli = recording->cli;
	char why[TV_SAMPLER_WHY], host[256] = "", job[512];
	bool shared = tv_job_name(job, sizeof job);

	tv_host_name(host, sizeof host);
	if (write_topology(recording, shared ? host : NULL, err) < 0
	    || (shared && share_machine(recording, host, err) < 0))
		return -1;
	if (tv_sampler_open(monitoring->sampler, (pid_t)pid, recording->path, why) < 0)
		return tv_fail(err, "--monitor: %s", why);
	if (cli->watch)
		monitoring->watch = tv_watch_new(monitoring->sampler, &monitoring->described);
	if (tv_sampler_start(monitoring->sampler, recording->folder, cli->max_size, cli->every_ns,
			     why)
	    < 0)
		return tv_fail(err, "--monitor: %s", why);
	monitoring->began = true;
	return cli->watch ? tv_watch_start(monitoring->watch, err) : 0;
}

void tv_record_end_monitor(struct tv_recording *recording)
{
	struct tv_monitoring *monitoring = recording->monitoring;
	struct tv_sampler_report report;

	if (!monitoring->began)
		return;
	tv_sampler_stop(monitoring->sampler, &report);
	tv_watch_end(monitoring->watch);
	monitoring->watch = NULL;
	monitoring->began = false;
	tv_say(recording->cli,
	       "%s: %llu samples of %u event%s on %u object%s, %llu tick%s missed, %.2g %% of a "
	       "CPU%s",
	       recording->cli->output, (unsigned long long)report.ticks, report.events,
	       tv_plural(report.events), report.objects, tv_plural(report.objects),
	       (unsigned long long)report.missed, tv_plural(report.missed),
	       report.wall_ns > 0 ? 100.0 * (double)report.cpu_ns / (double)report.wall_ns : 0,
	       report.lost ? ", samples lost: no space" : "");
}

void tv_record_release_monitor(struct tv_recording *recording)
{
	struct tv_monitoring *monitoring = recording->monitoring;

	if (monitoring == NULL)
		return;
	tv_watch_end(monitoring->watch);
	tv_sampler_free(monitoring->sampler);
	tv_monitors_release(&monitoring->described);
	for (size_t i = 0; i < monitoring->nkept; i++)
		tv_free(monitoring->kept[i]);
	tv_free(monitoring->kept);
	tv_free(monitoring->missing);
	tv_free(monitoring);
}
