/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_fluids.c -- flows on the links of platforms: by hand, against progressive filling by brute
 * force, and against SimGrid (tests/oracle/simgrid-flows.cpp) on random topologies.
 */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/network.h"
#include "trace/sorted.h"
#include "tests/unit/unit.h"

enum { MAX_FLOWS = 24, CASES = 1000, CASES_BACK = 200 };

static uint64_t rng;
static bool
	equal; /* few sizes, bandwidths and starts, so that many flows begin and end at one instant */
static unsigned npolicies = 3; /* that random links have: with cross-traffic no fatpipe ones, where
				   SimGrid also holds flows that only come back there */

static unsigned below(unsigned n)
{
	return (unsigned)unit_random(&rng, n);
}

struct flow {
	int64_t start, bytes, end;
	uint32_t from, to; /* hosts */
	double rate;	   /* if all were there */
};

static struct tv_platform load(const char *xml)
{
	struct tv_platform platform;
	struct tv_error err = { 0 };
	struct tv_input in;

	tv_input_memory(&in, "test.xml", xml, strlen(xml));
	if (tv_platform_read_input(&platform, &in, &err) < 0)
		fail_msg("line %ld: %s\n%s", err.line, err.text, xml);
	tv_input_close(&in);
	return platform;
}

static struct tv_route route(struct tv_platform *platform, uint32_t from, uint32_t to)
{
	struct tv_error err = { 0 };
	struct tv_route found;

	if (tv_platform_route(platform, from, to, &found, &err) < 0)
		fail_msg("%s", err.text);
	return found;
}

static uint32_t start(struct tv_sim_network *network, struct tv_platform *platform,
		      const struct flow *flow, int64_t now)
{
	struct tv_route there = route(platform, flow->from, flow->to);
	struct tv_route back = route(platform, flow->to, flow->from);

	return tv_sim_network_start(network, &there, &back, flow->bytes, now);
}

/* Of flow k, the weight in what limits the sum over flows: a link and a direction. */
static double weight_in(struct tv_platform *platform, const struct flow *flow, uint32_t link,
			uint32_t down, bool crosstraffic)
{
	struct tv_route there = route(platform, flow->from, flow->to);
	struct tv_route back = route(platform, flow->to, flow->from);
	double weight = 0;

	for (uint32_t i = 0; i < there.n; i++)
		weight += there.hop[i].link == link && there.hop[i].down == down;
	for (uint32_t i = 0; i < back.n && crosstraffic; i++)
		weight += back.hop[i].link == link && back.hop[i].down == down ? 0.05 : 0;
	return weight;
}

/* Progressive filling: again and again the lowest level at which a flow has to stop. */
static void brute_force(struct tv_platform *platform, struct flow *const *flow, size_t n,
			bool crosstraffic)
{
	bool fixed[MAX_FLOWS] = { false };

	for (;;) {
		double best = INFINITY;
		uint32_t at = TV_NONE, direction = 0;
		size_t bounded = 0;

		for (uint32_t link = 0; link < platform->nlinks; link++)
			for (uint32_t down = 0; down < 2; down++) {
				double left = platform->link[link].bandwidth, sum = 0;

				for (size_t k = 0; k < n; k++) {
					double w = weight_in(platform, flow[k], link, down,
							     crosstraffic);

					if (platform->link[link].policy == TV_LINK_FATPIPE) {
						if (!fixed[k] && w >= 1 && left < best) {
							best = left;
							at = TV_NONE;
							bounded = k;
						}
					} else if (fixed[k]) {
						left -= w * flow[k]->rate;
					} else {
						sum += w;
					}
				}
				if (platform->link[link].policy != TV_LINK_FATPIPE && sum > 0
				    && left / sum < best) {
					best = left / sum;
					at = link;
					direction = down;
				}
			}
		if (best == INFINITY)
			return;
		for (size_t k = 0; k < n; k++)
			if (!fixed[k]
			    && (at == TV_NONE
					? k == bounded
					: weight_in(platform, flow[k], at, direction, crosstraffic)
						  > 0)) {
				fixed[k] = true;
				flow[k]->rate = best;
			}
	}
}

static void check_rate(double got, double want, double tolerance, const char *what, size_t i)
{
	if (!(fabs(got - want) <= tolerance * want))
		fail_msg("%s, flow %zu: rate %.17g, expected %.17g", what, i, got, want);
}

/* Rates of flows that are all there. */
static void find_rates(struct tv_platform *platform, struct flow *flow, size_t n, bool crosstraffic)
{
	struct tv_sim_network *network = tv_sim_network_new(platform, crosstraffic);

	for (size_t i = 0; i < n; i++) {
		struct flow forever = flow[i];

		forever.bytes = TV_SIM_MAX_BYTES;
		assert_int_equal(start(network, platform, &forever, 0), i);
	}
	for (size_t i = 0; i < n; i++)
		flow[i].rate = tv_sim_network_rate(network, (uint32_t)i);
	tv_sim_network_free(network);
}

/* Rates and ends of flows that begin and end, in order of start; rates are checked at each step. */
static void find_ends(struct tv_platform *platform, struct flow *flow, size_t n, bool crosstraffic)
{
	struct tv_sim_network *network = tv_sim_network_new(platform, crosstraffic);
	uint32_t number[MAX_FLOWS], taken;
	struct flow *there[MAX_FLOWS];
	size_t nthere = 0, next = 0;

	while (next < n || nthere > 0) {
		int64_t now = tv_sim_network_next(network);

		if (next < n && flow[next].start < now)
			now = flow[next].start;
		assert_true(now < TV_SIM_NEVER);
		while ((taken = tv_sim_network_take(network, now)) != TV_NONE) {
			size_t k = 0;

			while (number[there[k] - flow] != taken)
				k++;
			there[k]->end = now;
			there[k] = there[--nthere];
		}
		for (; next < n && flow[next].start == now; next++) {
			number[next] = start(network, platform, &flow[next], now);
			there[nthere++] = &flow[next];
		}
		brute_force(platform, there, nthere, crosstraffic);
		for (size_t k = 0; k < nthere; k++)
			check_rate(tv_sim_network_rate(network, number[there[k] - flow]),
				   there[k]->rate, 1e-12, "brute force", (size_t)(there[k] - flow));
	}
	tv_sim_network_free(network);
}

static const char three_links[] =
	"<platform version='4.1'><zone id='z' routing='Full'>\n"
	"<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
	"<link id='f' bandwidth='10GBps' sharing_policy='FATPIPE'/>\n"
	"<link id='d' bandwidth='16GBps' sharing_policy='SPLITDUPLEX'/>\n"
	"<link id='s' bandwidth='%s' sharing_policy='%s'/>\n"
	"<route src='a' dst='b'><link_ctn id='f'/><link_ctn id='d' direction='UP'/>"
	"<link_ctn id='s'/></route></zone></platform>\n";

/* The chain of a fatpipe, a splitduplex and a shared link between two dies, as measured by Daoudi. */
static void between_dies(void **state)
{
	static const struct {
		bool shared, crosstraffic;
		int there, back;
		double rate;
	} row[] = {
		{ true, false, 1, 0, 10e9 },	  { true, false, 2, 0, 7e9 },
		{ true, false, 3, 0, 14e9 / 3 },  { true, false, 4, 0, 3.5e9 },
		{ true, false, 1, 1, 7e9 },	  { true, true, 1, 0, 10e9 },
		{ true, true, 2, 0, 20e9 / 3 },	  { true, true, 3, 0, 40e9 / 9 },
		{ true, true, 4, 0, 10e9 / 3 },	  { true, true, 1, 1, 20e9 / 3 },
		{ false, false, 1, 0, 10e9 },	  { false, false, 2, 0, 8e9 },
		{ false, false, 3, 0, 16e9 / 3 }, { false, false, 4, 0, 4e9 },
		{ false, false, 2, 2, 8e9 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		char xml[1000];
		struct tv_platform platform;
		struct flow flow[4];
		size_t n = (size_t)(row[i].there + row[i].back);

		snprintf(xml, sizeof xml, three_links, row[i].shared ? "14GBps" : "1TBps",
			 row[i].shared ? "SHARED" : "FATPIPE");
		platform = load(xml);
		for (size_t k = 0; k < n; k++)
			flow[k] = (struct flow){ .bytes = 2 << 20,
						 .from = k >= (size_t)row[i].there,
						 .to = k < (size_t)row[i].there };
		find_rates(&platform, flow, n, row[i].crosstraffic);
		for (size_t k = 0; k < n; k++)
			check_rate(flow[k].rate, row[i].rate, 1e-14, "dies", i);
		find_ends(&platform, flow, n, row[i].crosstraffic);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(flow[k].end,
					 (int64_t)ceil((2 << 20) / (row[i].rate / 1e9)));
		tv_platform_release(&platform);
	}
}

static void exact(void **state)
{
	char xml[1000];
	struct tv_platform platform;
	struct tv_sim_network *network;
	struct flow flow = { .bytes = 1000000001, .from = 0, .to = 1 };
	uint32_t number;
	struct tv_sim_network_work work;

	(void)state;
	snprintf(xml, sizeof xml, three_links, "3GBps", "SHARED");
	platform = load(xml);
	network = tv_sim_network_new(&platform, false);
	assert_int_equal(tv_sim_network_next(network), TV_SIM_NEVER);

	/* A whole ns: 10^9 + 1 bytes at 3 bytes/ns. 333,333,333 changes in between change nothing. */
	number = start(network, &platform, &flow, 5);
	assert_int_equal(tv_sim_network_next(network), 5 + 333333334);
	flow.bytes = 0;
	for (int64_t now = 6; now < 100000; now += 7) {
		uint32_t other = start(network, &platform, &flow, now);

		assert_int_equal(tv_sim_network_next(network), now);
		assert_int_equal(tv_sim_network_take(network, now), other);
		assert_int_equal(tv_sim_network_take(network, now), TV_NONE);
	}
	assert_int_equal(tv_sim_network_next(network), 5 + 333333334);
	/* 299 bytes that share it for 200 ns (1.5 bytes/ns, until nothing is left: 199.33): 100 ns. */
	flow.bytes = 299;
	start(network, &platform, &flow, 200000);
	assert_int_equal(tv_sim_network_next(network), 200200);
	assert_true(tv_sim_network_load(network, (struct tv_hop){ 2, 0 }) == 3e9);
	assert_true(tv_sim_network_rate(network, number) == 1.5e9);
	assert_int_not_equal(tv_sim_network_take(network, 200200), number);
	assert_int_equal(tv_sim_network_next(network), 5 + 333333334 + 100);
	assert_int_equal(tv_sim_network_take(network, 5 + 333333334), TV_NONE);
	assert_int_equal(tv_sim_network_take(network, 5 + 333333334 + 100), number);
	assert_int_equal(tv_sim_network_next(network), TV_SIM_NEVER);

	/* 20 flows of 101 to 120 bytes keep a link of 3 bytes/ns full: the last one ends after 2210 / 3 ns,
	 * however often the others end between whole ns. All begin at once, solved once. */
	work = tv_sim_network_work(network);
	for (flow.bytes = 101; flow.bytes <= 120; flow.bytes++)
		start(network, &platform, &flow, 350000000);
	flow.end = tv_sim_network_next(network);
	assert_int_equal(tv_sim_network_work(network).solves, work.solves + 1);
	for (int64_t end = flow.end; end < TV_SIM_NEVER; end = tv_sim_network_next(network))
		while (tv_sim_network_take(network, end) != TV_NONE)
			flow.end = end;
	assert_int_equal(flow.end, 350000000 + 737);

	/* From a host to itself nothing is crossed. */
	flow = (struct flow){ .bytes = 1 << 30 };
	number = start(network, &platform, &flow, 400000000);
	assert_true(isinf(tv_sim_network_rate(network, number)));
	assert_int_equal(tv_sim_network_next(network), 400000000);
	assert_int_equal(tv_sim_network_take(network, 400000000), number);

	/* As many bytes as there can be: four days. */
	flow = (struct flow){ .bytes = TV_SIM_MAX_BYTES, .from = 0, .to = 1 };
	start(network, &platform, &flow, 400000000);
	flow.end = 400000000 + TV_SIM_MAX_BYTES / 3;
	assert_true(llabs(tv_sim_network_next(network) - flow.end) <= flow.end >> 50);
	work = tv_sim_network_work(network);
	assert_true(work.solves <= work.flows * 2 && work.solved >= work.flows);
	tv_sim_network_free(network);
	tv_platform_release(&platform);
}

static void slow_and_fast(void **state)
{
	static const char *const bandwidth[] = { "1bps", "1EBps", "1e300Bps" };
	static const int64_t end[] = { 8000000000, 1, 1 };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(end); i++) {
		char xml[1000];
		struct tv_platform platform;
		struct tv_sim_network *network;
		struct flow flow = { .bytes = 1, .from = 0, .to = 1 };

		snprintf(xml, sizeof xml,
			 "<platform version='4.1'><zone id='z' routing='Full'><host id='a' "
			 "speed='1f'/><host id='b' speed='1f'/><link id='l' bandwidth='%s'/>"
			 "<route src='a' dst='b'><link_ctn id='l'/></route></zone></platform>",
			 bandwidth[i]);
		platform = load(xml);
		network = tv_sim_network_new(&platform, false);
		start(network, &platform, &flow, 0);
		if (llabs(tv_sim_network_next(network) - end[i]) > end[i] / 1000000000)
			fail_msg("%s: %lld", bandwidth[i], (long long)tv_sim_network_next(network));
		flow.bytes = TV_SIM_MAX_BYTES;
		start(network, &platform, &flow, 0);
		assert_true(tv_sim_network_next(network) >= end[i]);
		tv_sim_network_free(network);
		tv_platform_release(&platform);
	}
}

/* Text that grows. */
struct text {
	char at[400000];
	size_t n;
};

static void TV_PRINTF(2, 3) add(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->n += (size_t)vsnprintf(text->at + text->n, sizeof text->at - text->n, format, args);
	va_end(args);
	assert_true(text->n < sizeof text->at);
}

static const char *const policies[] = { "SHARED", "SPLITDUPLEX", "FATPIPE" };

/* Random links l0, l1, ...: their policies. */
static void add_links(struct text *xml, const char *prefix, unsigned n, unsigned *policy)
{
	for (unsigned i = 0; i < n; i++) {
		policy[i] = below(npolicies);
		add(xml, "<link id='%s%u' bandwidth='%u%s' latency='%uns' sharing_policy='%s'/>\n",
		    prefix, i, equal ? 1 + below(4) : 1 + below(200),
		    equal || below(4) == 0 ? "00MBps" : "0MBps", below(300), policies[policy[i]]);
	}
}

static void add_link(struct text *xml, const char *prefix, unsigned link, const unsigned *policy)
{
	add(xml, "<link_ctn id='%s%u'%s/>", prefix, link,
	    policy[link] != 1 ? ""
	    : below(2)	      ? " direction='UP'"
			      : " direction='DOWN'");
}

/* Each pair of points has a route of random links. */
static void full_zone(struct text *xml, unsigned nhosts)
{
	unsigned policy[12], nlinks = 3 + below(10);

	add(xml, "<zone id='z' routing='Full'>\n");
	for (unsigned i = 0; i < nhosts; i++)
		add(xml, "<host id='h%u' speed='1Gf'/>\n", i);
	add_links(xml, "l", nlinks, policy);
	for (unsigned a = 0; a < nhosts; a++)
		for (unsigned b = 0; b < nhosts; b++) {
			unsigned first = below(nlinks), n = 1 + below(4), both = below(2);

			/* Either one for both directions, written once, or one for each. */
			if (a == b || (both && a > b && (a + b) % 3 == 0))
				continue;
			both = (a + b) % 3 == 0;
			if (both && a > b)
				continue;
			add(xml, "<route src='h%u' dst='h%u' symmetrical='%s'>", a, b,
			    both ? "YES" : "NO");
			for (unsigned i = 0; i < n && i < nlinks; i++)
				add_link(xml, "l", (first + i * 5) % nlinks, policy);
			add(xml, "</route>\n");
		}
	add(xml, "</zone>\n");
}

/* A tree of hosts and routers: the paths are the only ones. */
static void tree_zone(struct text *xml, unsigned nhosts, const char *routing)
{
	unsigned policy[40], nrouters = 1 + below(4), n = nhosts + nrouters;

	add(xml, "<zone id='z' routing='%s'>\n", routing);
	for (unsigned i = 0; i < nhosts; i++)
		add(xml, "<host id='h%u' speed='1Gf'/>\n", i);
	for (unsigned i = 0; i < nrouters; i++)
		add(xml, "<router id='h%u'/>\n", nhosts + i);
	add_links(xml, "l", n, policy);
	for (unsigned i = 1; i < n; i++) {
		/* The routers are joined first, then hosts to any. */
		unsigned a = i < nrouters ? nhosts + i : i - nrouters;
		unsigned b = nhosts + below(i < nrouters ? i : nrouters);

		if (i > nrouters && below(3) == 0)
			b = below(i - nrouters);
		add(xml, "<route src='h%u' dst='h%u'>", a, b);
		add_link(xml, "l", i, policy);
		if (below(2))
			add_link(xml, "l", 0, policy);
		add(xml, "</route>\n");
	}
	add(xml, "</zone>\n");
}

/* Clusters, in zones with gateways. */
static void zones(struct text *xml, unsigned nclusters, unsigned size)
{
	unsigned policy[8];

	add(xml, "<zone id='z' routing='%s'>\n", below(2) ? "Full" : "Floyd");
	for (unsigned c = 0; c < nclusters; c++) {
		add(xml,
		    "<zone id='z%u' routing='Full'>\n<cluster id='c%u' prefix='h' suffix='' "
		    "radical='%u-%u' speed='1Gf' bw='%uMBps' lat='0ns' sharing_policy='%s'",
		    c, c, c * size, c * size + size - 1, 100 + below(900), policies[below(2)]);
		if (below(2))
			add(xml, " bb_bw='%uMBps' bb_lat='0ns' bb_sharing_policy='%s'",
			    100 + below(900), below(npolicies - 1) ? "FATPIPE" : "SHARED");
		add(xml, " router_id='r%u'/>\n</zone>\n", c);
	}
	add_links(xml, "l", 8, policy);
	for (unsigned a = 0; a < nclusters; a++)
		for (unsigned b = a + 1; b < nclusters; b++) {
			add(xml, "<zoneRoute src='z%u' dst='z%u' gw_src='r%u' gw_dst='r%u'>", a, b,
			    a, b);
			add_link(xml, "l", (3 * a + b) % 8, policy);
			if (below(2))
				add_link(xml, "l", (3 * a + b + 1) % 8, policy);
			add(xml, "</zoneRoute>\n");
		}
	add(xml, "</zone>\n");
}

static unsigned random_platform(struct text *xml)
{
	unsigned kind = below(4), nhosts = 2 + below(7);

	xml->n = 0;
	add(xml, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
		 "\"https://simgrid.org/simgrid.dtd\">\n<platform version='4.1'>\n");
	if (kind == 0) {
		full_zone(xml, nhosts);
	} else if (kind <= 2) {
		tree_zone(xml, nhosts, kind == 1 ? "Floyd" : "Dijkstra");
	} else {
		nhosts = 1 + below(3);
		zones(xml, 3, nhosts);
		nhosts *= 3;
	}
	add(xml, "</platform>\n");
	return nhosts;
}

TV_ORDER(by_start, struct flow, start)

static size_t random_flows(struct flow *flow, unsigned nhosts)
{
	size_t n = equal ? MAX_FLOWS : 1 + below(MAX_FLOWS - 1);

	for (size_t i = 0; i < n; i++) {
		flow[i] = (struct flow){ .start = below(3) ? below(1000000) : 0,
					 .bytes = 1 + below(below(2) ? 1000 : 10000000),
					 .from = below(nhosts) };
		if (equal) {
			flow[i].start = 1000000 * (int64_t)below(3);
			flow[i].bytes = below(4) == 0 ? 400000 : 200000;
		}
		flow[i].to = (flow[i].from + 1 + below(nhosts - 1)) % nhosts;
	}
	qsort(flow, n, sizeof *flow, by_start);
	return n;
}

static void write_text(const char *file, const char *text)
{
	FILE *out = fopen(file, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

struct one_case {
	struct flow flow[MAX_FLOWS];
	size_t n;
};

/* What the network gives for random cases, which are written to files for SimGrid. */
static struct one_case *make_cases(const char *folder, size_t n, bool crosstraffic)
{
	struct one_case *all = tv_alloc(n, sizeof *all);
	struct text *xml = tv_alloc(1, sizeof *xml), *list = tv_alloc(1, sizeof *list);
	char name[400];

	for (size_t i = 0; i < n; i++) {
		struct one_case *c = &all[i];
		unsigned nhosts = random_platform(xml);
		struct tv_platform platform = load(xml->at);

		c->n = random_flows(c->flow, nhosts);
		find_ends(&platform, c->flow, c->n, crosstraffic);
		find_rates(&platform, c->flow, c->n, crosstraffic);
		snprintf(name, sizeof name, "%s/%zu.xml", folder, i);
		write_text(name, xml->at);
		xml->n = 0;
		for (size_t k = 0; k < c->n; k++)
			add(xml, "%lld %s %s %lld\n", (long long)c->flow[k].start,
			    tv_platform_host_name(&platform, c->flow[k].from),
			    tv_platform_host_name(&platform, c->flow[k].to),
			    (long long)c->flow[k].bytes);
		snprintf(name, sizeof name, "%s/%zu.flows", folder, i);
		write_text(name, xml->at);
		add(list, "%s/%zu.xml %s/%zu.flows\n", folder, i, folder, i);
		tv_platform_release(&platform);
	}
	snprintf(name, sizeof name, "%s/list", folder);
	write_text(name, list->at);
	tv_free(xml);
	tv_free(list);
	return all;
}

/* Compares with what SimGrid prints: how many rates. */
static size_t compare(FILE *in, const struct one_case *all, size_t ncases)
{
	size_t n = 0;

	for (size_t i = 0; i < ncases; i++)
		for (size_t k = 0; k < all[i].n; k++, n++) {
			const struct flow *flow = &all[i].flow[k];
			double rate, end;

			if (fscanf(in, "%lf %lf", &rate, &end) != 2)
				fail_msg("case %zu: SimGrid refuses it", i);
			check_rate(flow->rate, rate, 1e-9, "SimGrid", i);
			if (fabs((double)flow->end - end * 1e9) > 1e-6 * end * 1e9 + 2)
				fail_msg(
					"case %zu, flow %zu: ends at %lld ns, SimGrid's at %.3f ns",
					i, k, (long long)flow->end, end * 1e9);
		}
	return n;
}

/* Random cases against brute force, and against SimGrid if it is there. */
static void check_cases(size_t ncases, bool crosstraffic)
{
	const char *build = getenv("TRACEVIZ_BIN"), *tmp = getenv("TMPDIR");
	char folder[200], command[1000];
	struct one_case *all;

	snprintf(folder, sizeof folder, "%s/traceviz-flows.XXXXXX", tmp != NULL ? tmp : "/tmp");
	assert_non_null(mkdtemp(folder));
	npolicies = crosstraffic ? 2 : 3;
	rng = unit_seed(20260101 + (uint64_t)crosstraffic);
	all = make_cases(folder, ncases, crosstraffic);
	snprintf(command, sizeof command, "%s/oracle/simgrid-flows",
		 build != NULL ? build : "build");
	if (access(command, X_OK) == 0) {
		FILE *in;
		size_t n;

		snprintf(command, sizeof command, "%s/oracle/simgrid-flows%s <%s/list 2>%s/stderr",
			 build != NULL ? build : "build", crosstraffic ? " --crosstraffic" : "",
			 folder, folder);
		in = popen(command, "r");
		assert_non_null(in);
		n = compare(in, all, ncases);
		pclose(in);
		print_message("# %zu rates and ends of %zu cases agree with SimGrid\n", n, ncases);
	} else {
		print_message("# SKIPPED: no %s (libsimgrid-dev): the cases were compared "
			      "with brute force only\n",
			      command);
	}
	snprintf(command, sizeof command, "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	tv_free(all);
}

static void random_cases(void **state)
{
	(void)state;
	check_cases(CASES, false);
	check_cases(CASES_BACK, true);
}

static void equal_cases(void **state)
{
	(void)state;
	equal = true;
	check_cases(CASES, false);
	check_cases(CASES_BACK, true);
	equal = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(between_dies),	 cmocka_unit_test(exact),
		cmocka_unit_test(slow_and_fast), cmocka_unit_test(random_cases),
		cmocka_unit_test(equal_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
