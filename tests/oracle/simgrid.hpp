// SPDX-License-Identifier: GPL-3.0-or-later
//
// simgrid.hpp -- what the oracles on SimGrid share: its network model as the simulator's, and a process per case, as SimGrid has one
// engine per process.
#ifndef TV_ORACLE_SIMGRID_HPP
#define TV_ORACLE_SIMGRID_HPP

#include <simgrid/s4u.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

inline void load(sg4::Engine &engine, const std::string &platform, bool crosstraffic)
{
	sg4::Engine::set_config("network/model:LV08");
	sg4::Engine::set_config("network/bandwidth-factor:1");
	sg4::Engine::set_config("network/latency-factor:0");
	sg4::Engine::set_config("network/weight-S:0");
	sg4::Engine::set_config("network/TCP-gamma:-1");
	sg4::Engine::set_config(crosstraffic ? "network/crosstraffic:1" : "network/crosstraffic:0");
	sg4::Engine::set_config("maxmin/precision:1e-12");
	sg4::Engine::set_config("surf/precision:1e-12");
	engine.load_platform(platform);
}

// The lines that `run` prints to its file in a child process, with an engine of its own.
inline std::vector<std::string> in_child(
	const std::function<void(sg4::Engine &engine, FILE *out)> &run)
{
	static char program[] = "oracle", quiet[] = "--log=root.thresh:critical";
	char *arguments[] = { program, quiet, nullptr };
	std::vector<std::string> lines;
	char line[100];
	int ends[2], status, n = 2;

	if (pipe(ends) != 0)
		return lines;
	pid_t child = fork();
	if (child == 0) {
		FILE *out = fdopen(ends[1], "w");

		close(ends[0]);
		{
			sg4::Engine engine(&n, arguments);

			run(engine, out);
			fflush(out);
			_exit(0);
		}
	}
	close(ends[1]);
	FILE *in = fdopen(ends[0], "r");
	while (fgets(line, sizeof line, in) != nullptr) {
		line[strcspn(line, "\n")] = '\0';
		lines.push_back(line);
	}
	fclose(in);
	waitpid(child, &status, 0);
	return lines;
}

#endif
