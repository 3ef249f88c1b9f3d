# SPDX-License-Identifier: GPL-3.0-or-later
# platform.awk -- a platform in SimGrid's XML from the table of topology.awk and that of spread.awk, in this order.
# The shape is that which traceviz gives a topology of hwloc: a core is joined with its last-level cache, that with its package, as is each
# memory; packages are joined with the machine. A place with measured pairs is three links in series: fatpipe (one transfer alone),
# splitduplex (all of one direction), shared (both directions).
BEGIN {
	FS = ","
	n = split("core cache package", levels, " ")
	split("single same opposite", modes, " ")
	memory_per_core = 6.4
	cores = 0
}
FNR == 1 { files++; next }
files == 1 {
	core[cores] = $1; cache[cores] = $3; size[$3] = $4; memory[cores] = $5; package[cores] = $6
	near[$5]++
	cores++
	next
}
{ value[$1, $4, count[$1, $4]++ + 0] = $5 }
# The median over the pairs of a level, in GB/s; 0: there is none.
function median(level, mode,    i, k, x, m) {
	m = count[level, mode]
	for (i = 0; i < m; i++) {
		x = value[level, mode, i]
		for (k = i; k > 0 && sorted[k] + 0 > x + 0; k--) sorted[k + 1] = sorted[k]
		sorted[k + 1] = x
	}
	return m == 0 ? 0 : (sorted[int((m + 1) / 2)] + sorted[int(m / 2) + 1]) / 2
}
# What one transfer gets at a level without pairs: what it gets at the next level inside that has some, else outside.
function nearest(level,    i) {
	for (i = level; i > 0; i--) if (bandwidth[i, 1] > 0) return bandwidth[i, 1]
	for (i = level; i <= n; i++) if (bandwidth[i, 1] > 0) return bandwidth[i, 1]
	return 0
}
function link(name, gigabytes, policy) {
	printf "  <link id=\"%s\" bandwidth=\"%sGBps\" latency=\"0ns\" sharing_policy=\"%s\"/>\n", name, gigabytes, policy
}
# Joins an object with the one around it.
function join(name, from, to, level,    end) {
	link(name "-flow", nearest(level), "FATPIPE")
	end = "/></route>"
	if (bandwidth[level, 1] > 0) {
		link(name, bandwidth[level, 2], "SPLITDUPLEX")
		link(name "-total", bandwidth[level, 3], "SHARED")
		end = sprintf("/><link_ctn id=\"%s\" direction=\"UP\"/><link_ctn id=\"%s-total\"/></route>", name, name)
	}
	printf "  <route src=\"%s\" dst=\"%s\"><link_ctn id=\"%s-flow\"%s\n", from, to, name, end
}
function host(name, kind, properties) {
	printf "  <host id=\"%s\" speed=\"%s\"><prop id=\"kind\" value=\"%s\"/>%s</host>\n", name, kind == "core" ? "1Gf" : "0f", kind, properties
}
function prop(name, object, number) {
	return number < 0 ? "" : sprintf("<prop id=\"%s\" value=\"%s%s\"/>", name, object, number)
}
function router_of(number) { return number < 0 ? "machine" : "package-" number }
END {
	for (i = 1; i <= n; i++) for (k = 1; k <= 3; k++) bandwidth[i, k] = median(levels[i], modes[k])
	if (nearest(1) == 0) { print "platform.awk: no pair of cores was measured" | "cat >&2"; exit 1 }
	print "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
	print "<!-- Measured: the links of cores, ports and packages where there are three in series; where there is only -flow, no pair has this place"
	print "     between its cores, and one transfer gets what it gets at the next one. Assumed: the speed of cores, 1 GFlop/s; links of memories,"
	print "     " memory_per_core " GB/s for each core near to them; that a cache gives each transfer what one core gets. -->"
	print "<platform version=\"4.1\">\n <zone id=\"machine-zone\" routing=\"Floyd\">\n  <router id=\"machine\"/>"
	for (i = 0; i < cores; i++) if (package[i] >= 0 && !(("package", package[i]) in seen)) {
		seen["package", package[i]]
		printf "  <router id=\"package-%s\"/>\n", package[i]
		join("package-" package[i], "package-" package[i], "machine", 3)
	}
	for (i = 0; i < cores; i++) if (memory[i] >= 0 && !(("memory", memory[i]) in seen)) {
		seen["memory", memory[i]]
		host("memory-" memory[i], "memory", "")
		link("memory-" memory[i], memory_per_core * near[memory[i]], "SHARED")
		printf "  <route src=\"memory-%s\" dst=\"%s\"><link_ctn id=\"memory-%s\"/></route>\n", memory[i], router_of(package[i]), memory[i]
	}
	for (i = 0; i < cores; i++) if (cache[i] >= 0 && !(("cache", cache[i]) in seen)) {
		seen["cache", cache[i]]
		printf "  <router id=\"group-%s\"/>\n", cache[i]
		host("cache-" cache[i], "cache", prop("size", "", size[cache[i]] == "" ? -1 : size[cache[i]] "B") prop("memory", "memory-", memory[i]))
		link("cache-" cache[i], nearest(1), "FATPIPE")
		printf "  <route src=\"cache-%s\" dst=\"group-%s\"><link_ctn id=\"cache-%s\"/></route>\n", cache[i], cache[i], cache[i]
		join("port-" cache[i], "group-" cache[i], router_of(package[i]), 2)
	}
	for (i = 0; i < cores; i++) {
		host("core-" core[i], "core", prop("cache", "cache-", cache[i]) prop("memory", "memory-", memory[i]))
		join("core-" core[i], "core-" core[i], cache[i] < 0 ? router_of(package[i]) : "group-" cache[i], cache[i] < 0 ? 2 : 1)
	}
	print " </zone>\n</platform>"
}
