// SPDX-License-Identifier: GPL-3.0-or-later
//
// simgrid-flows.cpp -- rates and ends of flows on a platform, by SimGrid: an oracle for sim/network.c.
//
//   simgrid-flows [--crosstraffic] [--times] <LIST
//   LIST    a line "PLATFORM.xml FLOWS" per case; FLOWS is a file with a line "START FROM TO BYTES"
//           per flow, in order of START: ns, hosts, whole bytes
//   output  per flow a line "RATE END": bytes/s if all flows were there and none ended, s; with
//           --times only END. A case that fails is one line "failed".
#include "simgrid.hpp"

#include <fstream>
#include <iostream>

struct Flow {
	double start;
	std::string from, to;
	double bytes;
	double rate = 0, end = 0;
};

static bool crosstraffic;

static std::vector<Flow> read_flows(const std::string &file)
{
	std::vector<Flow> flows;
	std::ifstream in(file);
	Flow flow;

	while (in >> flow.start >> flow.from >> flow.to >> flow.bytes) {
		flow.start /= 1e9;
		flows.push_back(flow);
	}
	return flows;
}

// What remains of flows without end, at two instants: their rates.
static void measure_rates(std::vector<Flow> *flows)
{
	const double bytes = 8e15, seconds = 1e5; // bytes < 2^53
	std::vector<sg4::CommPtr> comms;

	for (Flow &flow : *flows)
		comms.push_back(sg4::Comm::sendto_async(sg4::Host::by_name(flow.from),
							sg4::Host::by_name(flow.to),
							static_cast<uint64_t>(bytes)));
	sg4::this_actor::sleep_for(seconds);
	for (size_t i = 0; i < flows->size(); i++)
		(*flows)[i].rate = (bytes - comms[i]->get_remaining()) / seconds;
	for (const auto &comm : comms)
		comm->cancel();
}

// One actor starts all flows, in order of start, and waits for them.
static void measure_ends(std::vector<Flow> *flows)
{
	std::vector<sg4::CommPtr> comms(flows->size());

	for (size_t i = 0; i < flows->size(); i++) {
		const Flow &flow = (*flows)[i];

		sg4::this_actor::sleep_until(flow.start);
		comms[i] = sg4::Comm::sendto_async(sg4::Host::by_name(flow.from),
						   sg4::Host::by_name(flow.to),
						   static_cast<uint64_t>(flow.bytes));
	}
	for (size_t i = 0; i < flows->size(); i++) {
		comms[i]->wait();
		(*flows)[i].end = comms[i]->get_finish_time();
	}
}

static std::vector<std::string> run_case(const std::string &platform, std::vector<Flow> flows,
					 bool rates)
{
	return in_child([&](sg4::Engine &engine, FILE *out) {
		load(engine, platform, crosstraffic);
		sg4::Actor::create("flows", engine.get_all_hosts()[0],
				   rates ? measure_rates : measure_ends, &flows);
		engine.run();
		for (const Flow &flow : flows)
			fprintf(out, "%.17g\n", rates ? flow.rate : flow.end);
	});
}

int main(int argc, char **argv)
{
	std::string platform, file;
	bool times = false;

	for (int i = 1; i < argc; i++) {
		crosstraffic = crosstraffic || strcmp(argv[i], "--crosstraffic") == 0;
		times = times || strcmp(argv[i], "--times") == 0;
	}
	while (std::cin >> platform >> file) {
		std::vector<Flow> flows = read_flows(file);
		std::vector<std::string> rate, end = run_case(platform, flows, false);

		if (!times)
			rate = run_case(platform, flows, true);
		if (end.size() != flows.size() || (!times && rate.size() != flows.size())) {
			puts("failed");
			continue;
		}
		for (size_t i = 0; i < flows.size(); i++)
			printf("%s%s%s\n", times ? "" : rate[i].c_str(), times ? "" : " ",
			       end[i].c_str());
	}
	return 0;
}
