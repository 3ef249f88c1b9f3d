// SPDX-License-Identifier: GPL-3.0-or-later
//
// simgrid-tasks.cpp -- makespans of task graphs on a platform, by SimGrid: an oracle for simulate --model comm.
//
//   simgrid-tasks <LIST
//   LIST    a line "PLATFORM.xml TASKS" per case; TASKS is a file with these lines, tasks in the order in which their cores run them:
//             task ID CORE TIME HIDDEN   ns of its computation, and how much of that hides its transfers
//             after ID                   the task before waits for that one
//             read HOST BYTES            from there to the core, all at once, before the computation
//             write HOST BYTES           from the core to there, all at once, HIDDEN before the end of the computation
//   output  per case a line: seconds until the last task ends; or "failed"
//
// Who runs a task, in which order, and where data are is given; when anything happens is SimGrid's.
#include "simgrid.hpp"

#include <cmath>
#include <fstream>
#include <iostream>
#include <map>

struct Transfer {
	std::string host;
	double bytes;
};

struct Task {
	std::string core;
	double time, hidden; // s
	std::vector<std::string> after;
	std::vector<Transfer> reads, writes;
	sg4::SemaphorePtr done; // released for each task that waits
	int waiting = 0;
};

struct Case {
	std::map<std::string, Task> task;
	std::map<std::string, std::vector<std::string>> order; // by core
};

static Case read_case(const std::string &file)
{
	std::ifstream in(file);
	std::string word, id, other;
	Case c;

	while (in >> word) {
		Task &task = c.task[id];

		if (word == "task") {
			in >> id;
			Task &next = c.task[id];

			in >> next.core >> next.time >> next.hidden;
			next.time /= 1e9;
			next.hidden /= 1e9;
			c.order[next.core].push_back(id);
		} else if (word == "after") {
			in >> other;
			task.after.push_back(other);
		} else {
			Transfer transfer;

			in >> transfer.host >> transfer.bytes;
			(word == "read" ? task.reads : task.writes).push_back(transfer);
		}
	}
	c.task.erase("");
	return c;
}

// All at once; returns at the first whole ns at which they have ended, as the simulator: where links are full, a delay of 1 ns grows with each task.
static void transfer_all(const std::vector<Transfer> &transfers, const std::string &core,
			 bool to_core)
{
	std::vector<sg4::CommPtr> comms;

	for (const Transfer &transfer : transfers) {
		sg4::Host *here = sg4::Host::by_name(core);
		sg4::Host *there = sg4::Host::by_name(transfer.host);

		comms.push_back(sg4::Comm::sendto_async(to_core ? there : here,
							to_core ? here : there,
							static_cast<uint64_t>(transfer.bytes)));
	}
	for (const auto &comm : comms)
		comm->wait();
	sg4::this_actor::sleep_until(std::ceil(sg4::Engine::get_clock() * 1e9 - 1e-3) / 1e9);
}

static void run_core(Case *c, const std::vector<std::string> *order)
{
	for (const std::string &id : *order) {
		Task &task = c->task[id];

		for (const std::string &before : task.after)
			c->task[before].done->acquire();
		double start = sg4::Engine::get_clock();
		transfer_all(task.reads, task.core, true);
		double computes = sg4::Engine::get_clock(), took = computes - start;
		sg4::this_actor::sleep_for(task.time - task.hidden);
		transfer_all(task.writes, task.core, false);
		sg4::this_actor::sleep_until(computes + task.time
					     - (took < task.hidden ? took : task.hidden));
		for (int i = 0; i < task.waiting; i++)
			task.done->release();
	}
}

static void run_case(sg4::Engine &engine, const std::string &platform, Case &c, FILE *out)
{
	load(engine, platform, false);
	for (auto &entry : c.task) {
		entry.second.done = sg4::Semaphore::create(0);
		for (const std::string &before : entry.second.after)
			c.task[before].waiting++;
	}
	for (const auto &core : c.order)
		sg4::Actor::create(core.first, sg4::Host::by_name(core.first), run_core, &c,
				   &core.second);
	engine.run();
	fprintf(out, "%.17g\n", sg4::Engine::get_clock());
}

int main()
{
	std::string platform, file;

	while (std::cin >> platform >> file) {
		Case c = read_case(file);
		std::vector<std::string> lines = in_child([&](sg4::Engine &engine, FILE *out) {
			run_case(engine, platform, c, out);
		});

		puts(lines.size() == 1 ? lines[0].c_str() : "failed");
	}
	return 0;
}
