/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_platform.c -- platforms: units, routes by hand and against Floyd-Warshall, bad and hostile files,
 * hwloc's topologies, the platforms in data/.
 */
#include <math.h>
#include <stdio.h>

#include "sim/network.h"
#include "sim/units.h"
#include "tests/unit/unit.h"
#include "trace/text.h"

static int read_text(struct tv_platform *platform, const char *xml, struct tv_error *err)
{
	struct tv_input in;
	int rc;

	*err = (struct tv_error){ 0 };
	tv_input_memory(&in, "test.xml", xml, strlen(xml));
	rc = tv_platform_read_input(platform, &in, err);
	tv_input_close(&in);
	return rc;
}

static struct tv_platform load(const char *xml)
{
	struct tv_platform platform;
	struct tv_error err;

	if (read_text(&platform, xml, &err) < 0)
		fail_msg("line %ld: %s", err.line, err.text);
	return platform;
}

static void quantities(void **state)
{
	static const struct {
		const char *text;
		enum tv_quantity quantity;
		double value; /* < 0: refused */
	} row[] = {
		{ "10GBps", TV_BANDWIDTH, 1e10 },
		{ "45GB/s", TV_BANDWIDTH, 45e9 },
		{ "100Mbps", TV_BANDWIDTH, 125e5 },
		{ "1KiBps", TV_BANDWIDTH, 1024 },
		{ "8bps", TV_BANDWIDTH, 1 },
		{ "1.5e3kBps", TV_BANDWIDTH, 1.5e6 },
		{ "2Gibps", TV_BANDWIDTH, 0x1p28 },
		{ "0Bps", TV_BANDWIDTH, 0 },
		{ "147ns", TV_DURATION, 147e-9 },
		{ "10us", TV_DURATION, 1e-5 },
		{ "2ms", TV_DURATION, 2e-3 },
		{ "1m", TV_DURATION, 60 },
		{ "0", TV_DURATION, 0 },
		{ "19.79Gf", TV_SPEED, 19.79e9 },
		{ "1f", TV_SPEED, 1 },
		{ "2Ef", TV_SPEED, 2e18 },
		{ "1e9flops", TV_SPEED, 1e9 },
		{ "2gigaflops", TV_SPEED, 2e9 },
		{ "1.5kiloflops", TV_SPEED, 1500 },
		{ "3megaflops", TV_SPEED, 3e6 },
		{ "3teraflops", TV_SPEED, 3e12 },
		{ "3petaflops", TV_SPEED, 3e15 },
		{ "3exaflops", TV_SPEED, 3e18 },
		{ "1Zf", TV_SPEED, 1e21 },
		{ "4yottaflops", TV_SPEED, 4e24 },
		{ "1YiBps", TV_BANDWIDTH, 0x1p80 },
		{ "2EiB", TV_SIZE, 0x1p61 },
		{ "8Zb", TV_SIZE, 1e21 },
		{ "1w", TV_DURATION, 604800 },
		{ "24.75MiB", TV_SIZE, 25952256 },
		{ "32GB", TV_SIZE, 32e9 },
		{ "8b", TV_SIZE, 1 },
		{ "10", TV_BANDWIDTH, -1 },
		{ "", TV_BANDWIDTH, -1 },
		{ "GBps", TV_BANDWIDTH, -1 },
		{ "-1GBps", TV_BANDWIDTH, -1 },
		{ "1e400GBps", TV_BANDWIDTH, -1 },
		{ "1e308EBps", TV_BANDWIDTH, -1 },
		{ "10 GBps", TV_BANDWIDTH, -1 },
		{ "10GBpsx", TV_BANDWIDTH, -1 },
		{ "nanGBps", TV_BANDWIDTH, -1 },
		{ "1kns", TV_DURATION, -1 },
		{ "1s", TV_SPEED, -1 },
		{ "1Gif", TV_SPEED, -1 },
		{ "1Gflops", TV_SPEED, -1 },
		{ "1gigaf", TV_SPEED, -1 },
		{ "1megaBps", TV_BANDWIDTH, -1 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_error err = { 0 };
		double value = -1;
		int rc = tv_parse_quantity(row[i].text, row[i].quantity, &value, &err);

		if ((rc == 0) != (row[i].value >= 0)
		    || (rc == 0 && fabs(value - row[i].value) > 1e-15 * row[i].value))
			fail_msg("'%s': %d, %.17g %s", row[i].text, rc, value, err.text);
	}
}

/* A route as "l0 l1-": names of links, '-' behind one that is crossed against its direction. */
static const char *links_of(struct tv_platform *platform, const char *from, const char *to)
{
	static char text[2000];
	struct tv_error err = { 0 };
	struct tv_route route;
	size_t n = 0;

	text[0] = '\0';
	if (tv_platform_route(platform, tv_platform_find_host(platform, from),
			      tv_platform_find_host(platform, to), &route, &err)
	    < 0) {
		snprintf(text, sizeof text, "%s", err.text);
		return text;
	}
	for (uint32_t i = 0; i < route.n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s", i > 0 ? " " : "",
				      tv_platform_link_name(platform, route.hop[i].link),
				      route.hop[i].down ? "-" : "");
	return text;
}

static void check_route(struct tv_platform *platform, const char *from, const char *to,
			const char *want)
{
	for (int again = 0; again < 2; again++)
		assert_string_equal(links_of(platform, from, to), want);
}

#define HOSTS(a, b, c) \
	"<host id='" a "' speed='1Gf'/><host id='" b "' speed='1Gf'/><host id='" c "' " \
	"speed='1Gf'/>"
#define LINK(name, policy) \
	"<link id='" name "' bandwidth='1GBps' latency='5ns' sharing_policy='" policy "'/>"
#define ROUTE(from, to, links) "<route src='" from "' dst='" to "'>" links "</route>"
#define CTN(name)	       "<link_ctn id='" name "'/>"
#define UP(name)	       "<link_ctn id='" name "' direction='UP'/>"
#define PLATFORM(inside)       "<platform version='4.1'>" inside "</platform>"

static void full(void **state)
{
	struct tv_platform platform = load(PLATFORM(
		"<zone id='z' routing='Full'>" HOSTS("a", "b", "c") LINK("s", "SHARED")
			LINK("d", "SPLITDUPLEX") LINK("loop", "FATPIPE") ROUTE(
				"a", "b",
				CTN("s") UP("d")) "<route src='b' dst='c' "
						  "symmetrical='NO'>" UP("d") "</route>" ROUTE(
							  "c", "c", CTN("loop")) "</zone>"));
	struct tv_error err;
	struct tv_route route;

	(void)state;
	check_route(&platform, "a", "b", "s d");
	check_route(&platform, "b", "a", "d- s");
	check_route(&platform, "b", "c", "d");
	check_route(&platform, "c", "b", "no route from 'c' to 'b' in zone 'z'");
	check_route(&platform, "a", "c", "no route from 'a' to 'c' in zone 'z'");
	check_route(&platform, "a", "a", "");
	check_route(&platform, "c", "c", "loop");
	assert_int_equal(tv_platform_route(&platform, 0, 1, &route, &err), 0);
	assert_int_equal(route.latency_ns, 10);
	tv_platform_release(&platform);
}

/* Of paths with as few links, the one with fewer routes; then by the order of points. */
static void ties(void **state)
{
	struct tv_platform platform = load(PLATFORM(
		"<zone id='z' routing='Floyd'>" HOSTS("a", "b", "c") HOSTS("d", "e", "f")
			LINK("ab", "SHARED") LINK("bd", "SHARED") LINK("y", "SHARED") LINK(
				"ac", "SHARED") LINK("cd", "SHARED") LINK("x", "SHARED")
				ROUTE("c", "d", CTN("cd")) ROUTE("a", "c", CTN("ac")) ROUTE(
					"a", "b", CTN("ab")) ROUTE("b", "d", CTN("bd"))
					ROUTE("e", "f", CTN("y") CTN("y")) ROUTE("e", "a", CTN("x"))
						ROUTE("a", "f", CTN("x")) "</zone>"));

	(void)state;
	check_route(&platform, "a", "d", "ab bd");
	check_route(&platform, "d", "a", "bd ab");
	check_route(&platform, "e", "f", "y y");
	check_route(&platform, "f", "d", "x ab bd");
	tv_platform_release(&platform);
}

static const char nested[] =
	PLATFORM("<zone id='top' routing='Full'>"
		 "<cluster id='c' prefix='n' suffix='.c' radical='0-1,7' speed='2Gf' bw='1GBps' "
		 "lat='1us' "
		 "bb_bw='3GBps' bb_lat='2us' core='4' router_id='rc'><prop id='kind' "
		 "value='memory'/></cluster>"
		 "<zone id='left' routing='Full'><zone id='inner' routing='Floyd'>" HOSTS(
			 "a", "b", "g") LINK("ag", "SHARED") LINK("bg",
								  "SPLITDUPLEX") ROUTE("a", "g",
										       CTN("ag"))
			 ROUTE("b", "g", UP("bg")) "</zone><router id='rl'/>" LINK("out", "SHARED") "<zoneRoute src='inner' dst='rl' gw_src='g'>" CTN(
				 "out") "</zoneRoute></zone>"
					"<zone id='star' routing='Cluster'><host id='s0' "
					"speed='1Gf'/><host id='s1' speed='1Gf'/>"
					"<router id='rs'/>" LINK("l0", "SPLITDUPLEX") LINK(
						"l1",
						"SHARED") "<backbone id='bb' bandwidth='9GBps' "
							  "latency='0ns'/>"
							  "<host_link id='s0' up='l0_UP' "
							  "down='l0_DOWN'/><host_link id='s1' "
							  "up='l1' down='l1'/></zone>" LINK("cl", "SHARED") LINK(
								  "ls",
								  "SPLITDUPLEX") "<zoneRoute "
										 "src='c' "
										 "dst='left' "
										 "gw_src='rc' "
										 "gw_dst='rl'"
										 ">" CTN("cl") "</"
											       "zon"
											       "eRo"
											       "ute"
											       ">"
											       "<zo"
											       "neR"
											       "out"
											       "e "
											       "src"
											       "='"
											       "lef"
											       "t' "
											       "dst"
											       "='"
											       "sta"
											       "r' "
											       "gw_"
											       "src"
											       "='"
											       "rl'"
											       " gw"
											       "_ds"
											       "t='"
											       "rs'"
											       ">" UP("ls") "</zoneRoute></zone>");

static void zones(void **state)
{
	struct tv_platform platform = load(nested);
	const struct tv_platform_host *host;

	(void)state;
	check_route(&platform, "n0.c", "n7.c", "c_link_0 c_backbone c_link_7-");
	check_route(&platform, "a", "b", "ag bg-");
	check_route(&platform, "a", "g", "ag");
	check_route(&platform, "b", "n1.c", "bg out cl c_backbone c_link_1-");
	check_route(&platform, "n1.c", "b", "c_link_1 c_backbone cl out bg-");
	check_route(&platform, "g", "s0", "out ls bb l0-");
	check_route(&platform, "s0", "a", "l0 bb ls- out ag");
	check_route(&platform, "s0", "s1", "l0 bb l1");
	check_route(&platform, "n0.c", "s1", "no route from 'c' to 'star' in zone 'top'");
	host = &platform.host[tv_platform_find_host(&platform, "n7.c")];
	assert_int_equal(host->kind, TV_HOST_MEMORY);
	assert_int_equal(host->cores, 4);
	assert_true(host->speed == 2e9);
	assert_int_equal(platform.nhosts, 8);
	tv_platform_release(&platform);
}

/* Random graphs: the number of links of each route is that of Floyd and Warshall's algorithm. */
static void shortest(void **state)
{
	enum { N = 12 };
	uint64_t rng = unit_seed(20260103);

	(void)state;
	for (int round = 0; round < 200; round++) {
		unsigned d[N][N], n = 2 + (unsigned)unit_random(&rng, N - 1);
		struct tv_platform platform;
		struct tv_error err;

		tv_platform_init(&platform, "random");
		assert_int_equal(
			tv_platform_add_point(&platform, TV_POINT_ZONE, "z", TV_NONE, &err), 0);
		platform.zone[0].routing = TV_ROUTING_FLOYD;
		assert_int_equal(tv_platform_add_link(&platform, "l", 1, &err), 0);
		for (unsigned a = 0; a < n; a++) {
			char name[10];

			snprintf(name, sizeof name, "h%u", a);
			assert_int_equal(
				tv_platform_add_point(&platform, TV_POINT_HOST, name, 0, &err),
				a + 1);
			for (unsigned b = 0; b < n; b++)
				d[a][b] = a == b ? 0 : 1000;
		}
		for (unsigned i = 0; i < 2 * n; i++) {
			struct tv_hop hop[5] = { { 0, 0 } };
			unsigned a = (unsigned)unit_random(&rng, n);
			unsigned b = (unsigned)unit_random(&rng, n);
			struct tv_platform_section s = { .from = a + 1,
							 .to = b + 1,
							 .gw_from = a + 1,
							 .gw_to = b + 1,
							 .nhops = 1
								+ (uint32_t)unit_random(&rng, 5) };

			if (a != b && d[a][b] == 1000) {
				d[a][b] = s.nhops;
				assert_int_equal(
					tv_platform_add_section(&platform, &s, hop, false, &err),
					0);
			}
		}
		for (unsigned k = 0; k < n; k++)
			for (unsigned a = 0; a < n; a++)
				for (unsigned b = 0; b < n; b++)
					if (d[a][k] + d[k][b] < d[a][b])
						d[a][b] = d[a][k] + d[k][b];
		for (unsigned a = 0; a < n; a++)
			for (unsigned b = 0; b < n; b++) {
				struct tv_route route;
				int rc = tv_platform_route(&platform, a, b, &route, &err);

				assert_int_equal(rc, d[a][b] < 1000 ? 0 : -1);
				assert_true(rc < 0 || route.n == d[a][b]);
			}
		tv_platform_release(&platform);
	}
}

#define FULL(inside) PLATFORM("<zone id='z' routing='Full'>\n" inside "</zone>")
#define AB(inside)   FULL("<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n" inside)
#define STAR(inside) PLATFORM("<zone id='z' routing='Cluster'>\n" inside "</zone>")
#define HWLOC(inside) \
	"<topology version='2.0'>\n<object type='Machine'>" inside "</object></topology>"

static void refused(void **state)
{
	static const struct {
		const char *xml;
		long line;
		const char *text;
	} row[] = {
		{ "", 1, "not well-formed XML: no element found" },
		{ "x", 1, "not well-formed XML: *" },
		{ PLATFORM("<zone id='z' routing='Full'>\n<host id='a'"), 2,
		  "not well-formed XML: *" },
		{ "<a/>", 1, "the root element is <a>, expected <platform> *" },
		{ "<platform/>", 1, "<platform> needs the attributes: version" },
		{ "<platform version='3'/>", 1, "version '3' of SimGrid's platforms, expected 4*" },
		{ "<platform version='4.1'>\n</platform>", 2, "the platform has no host" },
		{ "<!DOCTYPE a [\n<!ENTITY b 'x'>]><a>&b;</a>", 2,
		  "the file declares the entity 'b', which is not supported" },
		{ PLATFORM("\n<zone id='z' routing='Vivaldi'/>"), 2,
		  "routing 'Vivaldi', expected *" },
		{ PLATFORM("<zone id='z' routing='Full'/>\n<zone id='y' routing='Full'/>"), 2,
		  "a second outermost zone, expected one" },
		{ PLATFORM("\n<host id='a' speed='1Gf'/>"), 2, "<host> in <platform>, expected *" },
		{ FULL("<peer id='a'/>"), 2, "element <peer> is not supported" },
		{ FULL("<host id='a' speed='1Gf' speed_file='x'/>"), 2,
		  "attribute 'speed_file' of <host> is not supported" },
		{ FULL("<cluster id='c' radical='0' speed='1Gf' bw='1GBps' topo_parameters='1'/>"),
		  2, "attribute 'topo_parameters' of <cluster> is not supported (torus, *" },
		{ FULL("<host id='a'/>"), 2, "<host> needs the attributes: id speed" },
		{ FULL("<host id='' speed='1Gf'/>"), 2, "a host, router or zone without a name" },
		{ FULL("<host id='a' speed='1GHz'/>"), 2, "speed '1GHz', expected a speed *" },
		{ FULL("<host id='a' speed='1Gf,2Gf' pstate='2'/>"), 2,
		  "there is no speed number 2" },
		{ FULL("<host id='a' speed='1Gf' core='0'/>"), 2, "core '0', expected *" },
		{ FULL("<host id='z' speed='1Gf'/>"), 2, "a second host, router or zone 'z'" },
		{ FULL("<host id='a' speed='1Gf'><prop id='kind' value='gpu'/></host>"), 2,
		  "kind 'gpu', expected core, cache or memory" },
		{ FULL("<host id='a' speed='1Gf'>\n<prop id='cache' value='a'/></host>"), 3,
		  "'a' is no host with kind cache" },
		{ FULL("<host id='a' speed='1Gf'><prop id='size' value='1B'/><prop id='size' "
		       "value='2B'/></host>"),
		  2, "a second property 'size'" },
		{ FULL("<host id='a' speed='1Gf'><prop id='size' value='9999999EB'/></host>"), 2,
		  "size '9999999EB' is too large" },
		{ FULL("<link id='l' bandwidth='0GBps'/>"), 2,
		  "link 'l': bandwidth 0, expected more than 0" },
		{ FULL("<link id='l' bandwidth='1GBps' latency='-1s'/>"), 2, "latency '-1s', *" },
		{ FULL("<link id='l' bandwidth='1GBps' latency='2h'/>"), 2,
		  "link 'l': latency of *" },
		{ FULL("<link id='l' bandwidth='1GBps' sharing_policy='WIFI'/>"), 2,
		  "sharing_policy 'WIFI', expected SHARED, SPLITDUPLEX or others *" },
		{ FULL("<link id='l' bandwidth='1GBps'/>\n<link id='l' bandwidth='1GBps'/>"), 3,
		  "a second link 'l'" },
		{ AB(ROUTE("a", "c", CTN("l"))), 3,
		  "dst 'c' is not declared in this zone before this line" },
		{ AB(ROUTE("a", "b", CTN("l"))), 3, "no link 'l' before this line" },
		{ AB(ROUTE("a", "b", "\n")), 4, "a route without links" },
		{ AB(LINK("l", "SPLITDUPLEX") ROUTE("a", "b", CTN("l"))), 3,
		  "link 'l' is SPLITDUPLEX: expected its direction, UP or DOWN" },
		{ AB(LINK("l", "SHARED") ROUTE("a", "b", CTN("l")) "\n" ROUTE("b", "a", CTN("l"))),
		  4, "a second route from 'b' to 'a'" },
		{ AB("<zone id='y' routing='None'><router id='r'/></zone>" LINK("l", "SHARED")
			     ROUTE("a", "y", CTN("l"))),
		  3, "dst 'y' is a zone: expected <zoneRoute> with gw_dst" },
		{ AB("<zone id='y' routing='None'><router id='r'/></zone>"
		     "<zoneRoute src='a' dst='y' gw_dst='b'/>"),
		  3, "gw_dst 'b' is no host or router in 'y'" },
		{ STAR("<route src='a' dst='b'/>"), 2,
		  "a route, in a zone whose routing has none" },
		{ STAR("<zone id='y' routing='Full'/>"), 2,
		  "a zone in a zone with routing Cluster *" },
		{ FULL("<backbone id='y' bandwidth='1GBps'/>"), 2,
		  "<backbone>, expected one in *" },
		{ STAR("<backbone id='y' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/>"), 2,
		  "a backbone is SHARED or FATPIPE" },
		{ STAR("<host_link id='y' up='a' down='a'/>"), 2,
		  "<host_link> of 'y', expected *" },
		{ FULL("<cabinet id='c' radical='0' speed='1Gf' bw='1GBps' lat='1us'/>"), 2,
		  "<cabinet>, expected in a zone with routing Cluster" },
		{ FULL("<cluster id='c' radical='3-1' speed='1Gf' bw='1GBps'/>"), 2,
		  "radical '3-1', expected numbers such as 0-3,7" },
		{ FULL("<cluster id='c' radical='0-99999999' speed='1Gf' bw='1GBps'/>"), 2,
		  "radical '0-99999999': more than 4000000 hosts" },
		{ FULL("<cluster id='c' radical='0-2,1' speed='1Gf' bw='1GBps'/>"), 2,
		  "a second host, router or zone '1'" },
		{ FULL("<cluster id='c' radical='0' speed='1Gf' bw='1GBps' topology='TORUS'/>"), 2,
		  "topology 'TORUS', expected *" },
		{ PLATFORM("<config>\n<prop id='network/bandwidth-factor' value='0.97'/></config>"),
		  2, "network/bandwidth-factor '0.97', expected one of: 1 1.0" },
		{ PLATFORM("<config>\n<prop id='cpu/model' value='x'/></config>"), 2,
		  "setting 'cpu/model' is not supported, *" },
		{ "<topology/>", 1, "hwloc's version 1, expected 2 or 3 *" },
		{ HWLOC("<object/>"), 2, "<object> without a type" },
		{ HWLOC("\n"), 3, "no object of type Core or PU" },
		{ "<topology version='2.0'><object type='NUMANode'/></topology>", 1,
		  "a NUMA node that is attached to nothing" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_platform platform;
		struct tv_error err;
		int rc = read_text(&platform, row[i].xml, &err);

		if (rc == 0 || err.line != row[i].line || !tv_glob(row[i].text, err.text)
		    || strcmp(err.file, "test.xml") != 0)
			fail_msg("row %zu: %d, line %ld: %s\n%s", i, rc, err.line, err.text,
				 row[i].xml);
	}
}

/* n times a text, between two others; with numbers where it has %d. */
static char *repeated(const char *before, const char *text, int n, const char *after)
{
	size_t cap = strlen(before) + (strlen(text) + 10) * (size_t)n + strlen(after) + 1, at;
	char *all = tv_alloc(cap, 1);

	at = (size_t)snprintf(all, cap, "%s", before);
	for (int i = 0; i < n; i++) {
		const char *number = strstr(text, "%d");

		if (number == NULL)
			at += (size_t)snprintf(all + at, cap - at, "%s", text);
		else
			at += (size_t)snprintf(all + at, cap - at, "%.*s%d%s", (int)(number - text),
					       text, i, number + 2);
	}
	snprintf(all + at, cap - at, "%s", after);
	return all;
}

static void check_refused(char *xml, const char *text)
{
	struct tv_platform platform;
	struct tv_error err;

	if (read_text(&platform, xml, &err) == 0 || !tv_glob(text, err.text))
		fail_msg("expected '%s', got '%s'", text, err.text);
	tv_free(xml);
}

static void hostile(void **state)
{
	static char buffer[32 * 1000];
	struct tv_platform platform;
	struct tv_error err;
	struct tv_route route;
	char *xml;
	size_t n = 0;

	(void)state;
	check_refused(
		repeated("<platform version='4.1'>", "<zone id='z%d' routing='Full'>", 200, ""),
		"elements nested deeper than 100");
	check_refused(repeated("<platform version='", "1234567890", 2000000, "'/>"),
		      "a tag or comment longer than 1048576 bytes");
	check_refused(repeated("<!--", "1234567890", 2000000, "--><platform version='4.1'/>"),
		      "a tag or comment longer than 1048576 bytes");

	/* 10^6 hosts: in a cluster, and in a line of routes. */
	platform = load(FULL("<cluster id='c' radical='0-999999' speed='1Gf' bw='1GBps'/>"));
	assert_int_equal(platform.nhosts, 1000000);
	check_route(&platform, "5", "999999", "c_link_5 c_link_999999-");
	tv_platform_release(&platform);
	xml = repeated("<platform version='4.1'><zone id='z' routing='Floyd'>"
		       "<link id='l' bandwidth='1GBps'/>",
		       "<host id='h%d' speed='1Gf'/>", 200001, "");
	n = strlen(xml);
	xml = tv_realloc(xml, n + 200000 * 80 + 100, 1);
	for (int i = 0; i < 200000; i++)
		n += (size_t)sprintf(
			xml + n, "<route src='h%d' dst='h%d'><link_ctn id='l'/></route>", i, i + 1);
	strcpy(xml + n, "</zone></platform>");
	platform = load(xml);
	assert_int_equal(tv_platform_route(&platform, 0, 90000, &route, &err), 0);
	assert_int_equal(route.n, 90000);
	assert_int_equal(tv_platform_route(&platform, 0, 200000, &route, &err), -1);
	assert_string_equal(err.text,
			    "the route from 'h0' to 'h200000' has more than 100000 links");
	tv_platform_release(&platform);
	tv_free(xml);

	/* Zones in zones. */
	n = (size_t)sprintf(buffer, "<platform version='4.1'>");
	for (int i = 60; i > 0; i--)
		n += (size_t)sprintf(buffer + n, "<zone id='z%d' routing='Full'>", i);
	n += (size_t)sprintf(buffer + n,
			     "<host id='a0' speed='1f'/><link id='l' bandwidth='1Bps'/></zone>");
	for (int i = 1; i < 60; i++)
		n += (size_t)sprintf(buffer + n,
				     "<host id='a%d' speed='1f'/><zoneRoute src='z%d' dst='a%d' "
				     "gw_src='a%d'><link_ctn id='l'/></zoneRoute></zone>",
				     i, i, i, i - 1);
	sprintf(buffer + n, "</platform>");
	platform = load(buffer);
	assert_int_equal(tv_platform_route(&platform, 0, 59, &route, &err), 0);
	assert_int_equal(route.n, 59);
	tv_platform_release(&platform);
}

/* Two packages: one with two NUMA nodes that share an L3 of four cores, of two threads each; one with
 * two L3 caches of a core each and one NUMA node. */
static const char topology[] =
	"<?xml version='1.0'?><!DOCTYPE topology SYSTEM 'hwloc2.dtd'>\n"
	"<topology version='2.0'><object type='Machine' os_index='0'><info name='x' value='y'/>"
	"<object type='Package' os_index='0'><object type='L3Cache' cache_size='1000'>"
	"<object type='Group'><object type='NUMANode' os_index='0' local_memory='64'/>"
	"<object type='L2Cache' cache_size='7'><object type='Core'><object type='PU'/>"
	"<object type='PU'/></object></object><object type='Core'><object "
	"type='PU'/></object></object>"
	"<object type='Group'><object type='MemCache'><object type='NUMANode' local_memory='65'/>"
	"</object><object type='Core'/><object type='Core'/></object></object></object>"
	"<object type='Package' os_index='1'><object type='NUMANode' local_memory='66'/>"
	"<object type='L3Cache' cache_size='2000'><object type='Core'/></object>"
	"<object type='L3Cache' cache_size='2001'><object type='Core'/></object></object>"
	"</object></topology>";

static double one_flow(struct tv_platform *platform, const char *from, const char *to)
{
	struct tv_sim_network *network = tv_sim_network_new(platform, false);
	struct tv_error err = { 0 };
	struct tv_route route;
	double rate;

	if (tv_platform_route(platform, tv_platform_find_host(platform, from),
			      tv_platform_find_host(platform, to), &route, &err)
	    < 0)
		fail_msg("%s to %s: %s", from, to, err.text);
	rate = tv_sim_network_rate(network,
				   tv_sim_network_start(network, &route, NULL, 1 << 20, 0));
	tv_sim_network_free(network);
	return rate / 1e9;
}

static void hwloc(void **state)
{
	static const uint32_t cache[] = { 0, 0, 0, 0, 1, 2 }, memory[] = { 0, 0, 1, 1, 2, 2 };
	struct tv_platform platform = load(topology);
	char name[20];

	(void)state;
	assert_int_equal(platform.nhosts, 6 + 3 + 3);
	for (uint32_t i = 0; i < 6; i++) {
		const struct tv_platform_host *core;

		snprintf(name, sizeof name, "core-%u", i);
		core = &platform.host[tv_platform_find_host(&platform, name)];
		assert_int_equal(core->kind, TV_HOST_CORE);
		snprintf(name, sizeof name, "cache-%u", cache[i]);
		assert_string_equal(tv_platform_host_name(&platform, core->cache), name);
		snprintf(name, sizeof name, "memory-%u", memory[i]);
		assert_string_equal(tv_platform_host_name(&platform, core->memory), name);
	}
	assert_int_equal(platform.host[tv_platform_find_host(&platform, "cache-2")].size, 2001);
	assert_int_equal(platform.host[tv_platform_find_host(&platform, "memory-1")].size, 65);
	check_route(&platform, "cache-0", "core-1", "cache-0 core-1-");
	check_route(&platform, "memory-1", "core-0",
		    "memory-1 port-total-0 port-0- port-flow-0 core-0-");
	check_route(
		&platform, "cache-1", "core-5",
		"cache-1 port-flow-1 port-1 port-total-1 port-total-2 port-2- port-flow-2 core-5-");
	assert_true(one_flow(&platform, "cache-0", "core-3") == 40);
	assert_true(one_flow(&platform, "memory-0", "core-3") == 10);
	assert_true(one_flow(&platform, "cache-0", "core-5") == 3.5);
	tv_platform_release(&platform);

	/* A virtual machine: no caches, no packages, no cores. */
	platform = load("<topology version='2.0'><object type='Machine'><object type='NUMANode'/>"
			"<object type='PU'/><object type='PU'/></object></topology>");
	assert_int_equal(platform.nhosts, 3);
	check_route(&platform, "core-0", "core-1", "core-0 core-1-");
	check_route(&platform, "memory-0", "core-1", "memory-0 core-1-");
	tv_platform_release(&platform);
}

static void shipped(void **state)
{
	static const struct {
		const char *file;
		uint32_t count[3]; /* cores, caches, memories */
		uint64_t cache;	   /* bytes */
		uint32_t per_cache;
	} machine[] = {
		{ "intel6240", { 36, 2, 2 }, 25952256, 18 },
		{ "epyc7452", { 64, 16, 16 }, 16777216, 4 },
		{ "epyc7452-flat", { 64, 16, 16 }, 16777216, 4 },
	};
	/* What sOMP-BWB measured with one reader and one writer (data/platforms/README.md). */
	static const struct {
		size_t machine;
		const char *from, *to;
		double rate;
	} measured[] = {
		{ 0, "cache-0", "core-17", 12 }, { 0, "cache-1", "core-0", 7 },
		{ 0, "cache-0", "core-35", 7 },	 { 1, "cache-0", "core-3", 40 },
		{ 1, "cache-1", "core-0", 10 },	 { 1, "cache-7", "core-0", 10 },
		{ 1, "cache-8", "core-0", 8 },	 { 1, "cache-0", "core-63", 8 },
		{ 2, "cache-15", "core-0", 40 },
	};
	struct tv_platform platform[3];

	(void)state;
	for (size_t i = 0; i < TV_COUNT(machine); i++) {
		uint32_t count[3] = { 0 }, cores = 0;
		struct tv_error err = { 0 };
		struct tv_route route;

		if (tv_platform_read(&platform[i], machine[i].file, &err) < 0)
			fail_msg("%s:%ld: %s", err.file, err.line, err.text);
		for (uint32_t h = 0; h < platform[i].nhosts; h++) {
			const struct tv_platform_host *host = &platform[i].host[h];

			count[host->kind]++;
			if (host->kind == TV_HOST_CACHE)
				assert_int_equal(host->size, machine[i].cache);
			if (host->kind == TV_HOST_CORE) {
				assert_int_equal(
					host->cache,
					platform[i].host[h - cores % machine[i].per_cache - 1].kind
							== TV_HOST_CACHE
						? h - cores % machine[i].per_cache - 1
						: TV_NONE);
				assert_int_equal(host->memory,
						 platform[i].host[host->cache].memory);
				cores++;
			}
			for (uint32_t to = 0; to < platform[i].nhosts; to++)
				assert_int_equal(
					tv_platform_route(&platform[i], h, to, &route, &err), 0);
		}
		assert_memory_equal(count, machine[i].count, sizeof count);
	}
	for (size_t i = 0; i < TV_COUNT(measured); i++) {
		double rate = one_flow(&platform[measured[i].machine], measured[i].from,
				       measured[i].to);

		if (rate != measured[i].rate)
			fail_msg("%s to %s: %g", measured[i].from, measured[i].to, rate);
	}
	for (size_t i = 0; i < TV_COUNT(machine); i++)
		tv_platform_release(&platform[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities), cmocka_unit_test(full),	  cmocka_unit_test(ties),
		cmocka_unit_test(zones),      cmocka_unit_test(shortest), cmocka_unit_test(refused),
		cmocka_unit_test(hostile),    cmocka_unit_test(hwloc),	  cmocka_unit_test(shipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
