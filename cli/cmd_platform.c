/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_platform.c -- traceviz platform: hosts, links and routes of a machine to simulate on. */
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/config.h"
#include "cli/diagnose_pages.h"
#include "cli/figure.h"
#include "sim/network.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/text.h"
#include "views/platform/picture.h"

struct asked {
	bool links;
	const char *routes;
};

const struct tv_option_spec tv_platform_options[TV_PLATFORM_OPTIONS] = {
	{ "links", NULL, NULL, "list the links instead of the hosts", TV_ASKED(links) },
	{ "routes", "FROM,TO", NULL,
	  "list the routes from each host FROM to each host TO; both are patterns, e.g. "
	  "'cache-*,core-[0-3]'; in a picture: mark them",
	  TV_ASKED(routes) },
};

#define HOST_COLUMNS(X) \
	X(HOST, "Host", TV_LABEL, false, "", "name of the host") \
	X(KIND, "Kind", TV_LABEL, false, "", "core, cache or memory") \
	X(ZONE, "Zone", TV_LABEL, false, "", "zone that contains it") \
	X(SPEED, "Speed", TV_DOUBLE, false, "GFlop/s", "of one core") \
	X(CORES, "Cores", TV_INT, false, "", "number of cores") \
	X(SIZE, "Size", TV_INT, false, "bytes", "of a cache or memory") \
	X(CACHE, "Cache", TV_LABEL, false, "", "last-level cache of a core") \
	X(MEMORY, "Memory", TV_LABEL, false, "", "memory of a core or cache") \
	X(CPU_KIND, "CpuKind", TV_LABEL, false, "", "kind of a core, where the machine has several")

TV_COLUMNS(host_columns, HOST_COLUMNS)

#define LINK_COLUMNS(X) \
	X(LINK, "Link", TV_LABEL, false, "", "name of the link") \
	X(POLICY, "Policy", TV_LABEL, false, "", \
	  "shared, splitduplex (each direction), fatpipe (each transfer)") \
	X(LINK_BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "GB/s", "of the link") \
	X(LINK_LATENCY, "Latency", TV_TIME, false, "ms", "of the link; not simulated")

TV_COLUMNS(link_columns, LINK_COLUMNS)

#define ROUTE_COLUMNS(X) \
	X(FROM, "From", TV_LABEL, false, "", "host where a transfer begins") \
	X(TO, "To", TV_LABEL, false, "", "host where it ends") \
	X(BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "GB/s", \
	  "of one transfer alone; missing: it crosses no link") \
	X(LATENCY, "Latency", TV_TIME, false, "ms", "sum over the links; not simulated") \
	X(CROSSED, "Links", TV_TEXT, false, "", \
	  "that it crosses, in order; with a '-' behind: against the link's " \
	  "direction")

TV_COLUMNS(route_columns, ROUTE_COLUMNS)

const struct tv_columns tv_platform_forms[TV_PLATFORM_FORMS] = {
	{ host_columns, TV_COUNT(host_columns), NULL },
	{ link_columns, TV_COUNT(link_columns), "--links" },
	{ route_columns, TV_COUNT(route_columns), "--routes" },
};

void tv_describe_platform(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nPLATFORM is a file (SimGrid's XML, or hwloc's, whose bandwidths are "
			    "assumptions) or part of traceviz:\n ");
	for (size_t i = 0; tv_platform_shipped(i) != NULL; i++)
		tv_output_format(out, " %s", tv_platform_shipped(i));
	tv_output_text(
		out,
		"\n\n-o FILE.pdf (.svg, .png, .html) draws it: hosts, routers, links, zones; "
		"routes that --routes names are marked.\n\nOutput: a table with the columns:\n");
	tv_list_fields(host_columns, TV_COUNT(host_columns), out);
	tv_list_forms(tv_platform_forms + 1, TV_PLATFORM_FORMS - 1, out);
}

static void add_columns(struct tv_table *table, const struct tv_field *field, size_t n)
{
	struct tv_error err;

	for (size_t i = 0; i < n; i++)
		tv_table_column(table, field[i].name, field[i].type, &err);
}

static void list_hosts(const struct tv_platform *platform, struct tv_table *table)
{
	static const char *const kinds[] = {
		[TV_HOST_CORE] = "core", [TV_HOST_CACHE] = "cache", [TV_HOST_MEMORY] = "memory"
	};

	add_columns(table, host_columns, TV_COUNT(host_columns));
	for (uint32_t i = 0; i < platform->nhosts; i++) {
		const struct tv_platform_host *host = &platform->host[i];
		uint32_t row = tv_table_add_row(table);
		uint32_t zone = platform->point[host->point].zone;

		tv_set_text(table->col[HOST], row, tv_platform_host_name(platform, i));
		tv_set_text(table->col[KIND], row, kinds[host->kind]);
		tv_set_text(table->col[ZONE], row,
			    tv_platform_point_name(platform, platform->zone[zone].point));
		if (host->speed > 0)
			tv_set_double(table->col[SPEED], row, host->speed / 1e9);
		tv_set_int(table->col[CORES], row, host->cores);
		if (host->size > 0)
			tv_set_int(table->col[SIZE], row, (int64_t)host->size);
		if (host->cache != TV_NONE)
			tv_set_text(table->col[CACHE], row,
				    tv_platform_host_name(platform, host->cache));
		if (host->memory != TV_NONE)
			tv_set_text(table->col[MEMORY], row,
				    tv_platform_host_name(platform, host->memory));
		if (host->cpu_kind != TV_NONE)
			tv_set_text(table->col[CPU_KIND], row,
				    tv_pool_text(platform->pool, host->cpu_kind));
	}
}

static void list_links(const struct tv_platform *platform, struct tv_table *table)
{
	static const char *const policies[] = { [TV_LINK_SHARED] = "shared",
						[TV_LINK_SPLITDUPLEX] = "splitduplex",
						[TV_LINK_FATPIPE] = "fatpipe" };

	add_columns(table, link_columns, TV_COUNT(link_columns));
	for (uint32_t i = 0; i < platform->nlinks; i++) {
		uint32_t row = tv_table_add_row(table);

		tv_set_text(table->col[LINK], row, tv_platform_link_name(platform, i));
		tv_set_text(table->col[POLICY], row, policies[platform->link[i].policy]);
		tv_set_double(table->col[LINK_BANDWIDTH], row, platform->link[i].bandwidth / 1e9);
		tv_set_int(table->col[LINK_LATENCY], row, platform->link[i].latency_ns);
	}
}

static void list_route(const struct tv_platform *platform, struct tv_sim_network *network,
		       const struct tv_route *route, uint32_t row, struct tv_table *table)
{
	uint32_t flow = tv_sim_network_start(network, route, route, 0, 0);
	double rate = tv_sim_network_rate(network, flow);
	char *links = tv_strdup("");

	/* One at a time: it ends at once. */
	(void)tv_sim_network_take(network, tv_sim_network_next(network));
	for (uint32_t i = 0; i < route->n; i++)
		tv_append(&links, "%s%s%s", i > 0 ? " " : "",
			  tv_platform_link_name(platform, route->hop[i].link),
			  route->hop[i].down ? "-" : "");
	if (!isinf(rate))
		tv_set_double(table->col[BANDWIDTH], row, rate / 1e9);
	tv_set_int(table->col[LATENCY], row, route->latency_ns);
	if (route->n > 0)
		tv_set_text(table->col[CROSSED], row, links);
	tv_free(links);
}

/* Hosts that match a pattern, in new memory. */
static uint32_t *find_hosts(const struct tv_platform *platform, const char *pattern, uint32_t *n)
{
	uint32_t *host = tv_alloc(platform->nhosts, sizeof *host);

	*n = 0;
	for (uint32_t i = 0; i < platform->nhosts; i++)
		if (tv_glob(pattern, tv_platform_host_name(platform, i)))
			host[(*n)++] = i;
	return host;
}

static int fail_host(const struct tv_platform *platform, const char *name, struct tv_error *err)
{
	struct tv_near near;

	tv_near_init(&near, name);
	for (uint32_t i = 0; i < platform->nhosts; i++)
		tv_near_offer(&near, tv_platform_host_name(platform, i));
	return tv_fail(err, "no host matches '%s'%s; 'traceviz platform PLATFORM' lists them", name,
		       tv_near_text(&near));
}

/* The routes of --routes. */
struct found {
	struct tv_route *route;
	uint32_t *end; /* hosts: from and to of each */
	size_t n, cap, end_cap;
};

static void release_found(struct found *found)
{
	tv_free(found->route);
	tv_free(found->end);
}

/* No pair has a route: err is about the last one. */
static int fail_route(const struct tv_platform *platform, const char *from, const char *to,
		      struct tv_error *err)
{
	const struct tv_pos at = { platform->file, 0 };

	if (strcmp(to, "*") == 0)
		return tv_fail_at(err, at,
				  "%s; -o FILE.svg without --routes draws what is connected",
				  err->text);
	return tv_fail_at(err, at, "%s; --routes '%s,*' lists those that exist", err->text, from);
}

/* Pairs without a route are left out, if others have one. */
static int find_routes(const struct tv_cli *cli, const char *patterns, struct tv_platform *platform,
		       struct found *found, struct tv_error *err)
{
	const char *comma = strchr(patterns, ',');
	char *first = comma != NULL ? tv_strndup(patterns, (size_t)(comma - patterns)) : NULL;
	uint32_t *from, *to, nfrom, nto;
	size_t without = 0;
	int rc = 0;

	if (comma == NULL)
		return tv_fail_usage(err, "--routes '%s', expected FROM,TO", patterns);
	from = find_hosts(platform, first, &nfrom);
	to = find_hosts(platform, comma + 1, &nto);
	if (nfrom == 0 || nto == 0)
		rc = fail_host(platform, nfrom == 0 ? first : comma + 1, err);
	for (size_t i = 0; rc == 0 && i < (size_t)nfrom * nto; i++) {
		TV_GROW(found->route, found->n, found->cap, 1);
		TV_GROW(found->end, 2 * found->n, found->end_cap, 2);
		found->end[2 * found->n] = from[i / nto];
		found->end[2 * found->n + 1] = to[i % nto];
		if (tv_platform_route(platform, from[i / nto], to[i % nto], &found->route[found->n],
				      err)
		    < 0)
			without++;
		else
			found->n++;
	}
	if (without > 0 && found->n == 0)
		rc = fail_route(platform, first, comma + 1, err);
	else if (without > 0)
		tv_say(cli, "%zu of %zu pairs are left out, the last one: %s%s", without,
		       (size_t)nfrom * nto, err->text,
		       cli->output == NULL ? "; -o FILE.svg draws what is connected" : "");
	tv_free(from);
	tv_free(to);
	tv_free(first);
	return rc;
}

static void list_routes(const struct tv_platform *platform, const struct found *found,
			struct tv_table *table)
{
	struct tv_sim_network *network = tv_sim_network_new(platform, false);

	add_columns(table, route_columns, TV_COUNT(route_columns));
	for (size_t i = 0; i < found->n; i++) {
		uint32_t row = tv_table_add_row(table);

		tv_set_text(table->col[FROM], row,
			    tv_platform_host_name(platform, found->end[2 * i]));
		tv_set_text(table->col[TO], row,
			    tv_platform_host_name(platform, found->end[2 * i + 1]));
		list_route(platform, network, &found->route[i], row, table);
	}
	tv_sim_network_free(network);
}

int tv_read_platform(const struct tv_cli *cli, struct tv_platform *platform, const char *name,
		     struct tv_error *err)
{
	struct stat file;

	if (stat(name, &file) == 0 && S_ISDIR(file.st_mode))
		return tv_fail(err,
			       "%s: expected a file of a machine, such as the topology.xml of a "
			       "recording, found a folder: topology, info and diagnose read traces",
			       name);
	if (tv_platform_read(platform, name, err) < 0)
		return -1;
	if (platform->ignored > 0)
		tv_say(cli,
		       "warning: %s: %u element%s or setting%s of SimGrid's XML that describe%s no "
		       "host, link or route, the first in %s: not used",
		       platform->file, platform->ignored, tv_plural(platform->ignored),
		       tv_plural(platform->ignored), platform->ignored == 1 ? "s" : "",
		       platform->first_ignored);
	return 0;
}

static int print(const struct tv_cli *cli, const struct asked *asked, struct tv_platform *platform,
		 const struct found *found, struct tv_error *err)
{
	struct tv_table table;
	int rc;

	tv_table_init(&table, platform->pool);
	if (asked->routes != NULL)
		list_routes(platform, found, &table);
	else if (asked->links)
		list_links(platform, &table);
	else
		list_hosts(platform, &table);
	tv_table_finish(&table);
	rc = tv_print_table(cli, &table, NULL, table.nrows, err);
	tv_table_release(&table);
	return rc;
}

/* "route from a to b", or "routes from * to b". */
static char *routes_text(const char *patterns, size_t n)
{
	size_t first = strcspn(patterns, ",");

	return tv_clean_format("%s from %.*s to %s", n == 1 ? "route" : "routes", (int)first,
			       patterns, patterns + first + 1);
}

static int draw(const struct tv_cli *cli, const struct asked *asked,
		const struct tv_platform *platform, const struct found *found,
		enum tv_medium medium, struct tv_error *err)
{
	char *command = tv_config_command(cli),
	     *routes = found->n == 0 ? NULL : routes_text(asked->routes, found->n);
	struct tv_platform_picture picture = {
		.platform = platform,
		.route = found->route,
		.end = found->end,
		.nroutes = found->n,
		.routes = routes,
		.dpi = cli->dpi,
		.about = { .title = cli->trace[0].path,
			   .creator = "traceviz " TV_VERSION,
			   .command = command,
			   .date = tv_cli_date() },
	};
	struct tv_output out;
	int rc = tv_output_open(&out, cli->output, err);

	if (rc == 0) {
		rc = tv_platform_draw(&picture, medium, &out, err);
		if (rc == 0)
			rc = tv_output_commit(&out, err);
		tv_output_abort(&out);
	}
	tv_free(command);
	tv_free(routes);
	return rc;
}

/* What the command line alone shows to be wrong. */
static int check(const struct tv_cli *cli, const struct asked *asked, enum tv_medium *medium,
		 struct tv_error *err)
{
	const size_t dpi = offsetof(struct tv_cli, dpi);

	if (cli->ntraces != 1)
		return tv_fail_usage(err, "expected one PLATFORM; 'traceviz platform --help' lists "
					  "those that are part of traceviz");
	if (asked->links && asked->routes != NULL)
		return tv_fail_usage(err, "--links and --routes contradict each other");
	if (!tv_diagnose_is_picture(cli))
		return tv_cli_given(cli, &dpi, 1) == NULL
			     ? 0
			     : tv_fail_usage(err, "--dpi has no effect without -o FILE.png");
	if (asked->links || cli->csv || cli->json)
		return tv_fail_usage(err,
				     "%s has no effect on a picture (-o '%s'), expected a table "
				     "(-o FILE.csv)",
				     cli->csv	 ? "--csv"
				     : cli->json ? "--json"
						 : "--links",
				     cli->output);
	return tv_cli_medium(cli, medium, err);
}

int tv_cmd_platform(const struct tv_cli *cli, struct tv_error *err)
{
	enum tv_medium medium = TV_SVG;
	struct tv_platform platform;
	struct found found = { 0 };
	struct asked asked;
	int rc;

	tv_cli_own_fill(cli, &asked, sizeof asked);
	rc = check(cli, &asked, &medium, err);
	if (rc < 0 || tv_read_platform(cli, &platform, cli->trace[0].path, err) < 0)
		return -1;
	if (asked.routes != NULL)
		rc = find_routes(cli, asked.routes, &platform, &found, err);
	if (rc == 0)
		rc = tv_diagnose_is_picture(cli) ? draw(cli, &asked, &platform, &found, medium, err)
						 : print(cli, &asked, &platform, &found, err);
	release_found(&found);
	tv_platform_release(&platform);
	return rc;
}
