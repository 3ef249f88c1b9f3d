# SPDX-License-Identifier: GPL-3.0-or-later
# topology.awk -- cores, from the resources of `traceviz convert topology.xml`: their first processor (-1: there is none of that kind),
# last-level cache and its bytes, memory, package. Numbers are those of traceviz, in its order.
BEGIN { FS = OFS = "," }
# Commas between quotes separate no fields.
/"/ {
	line = ""
	n = split($0, part, "\"")
	for (i = 1; i <= n; i++) {
		if (i % 2 == 0) gsub(",", ";", part[i])
		line = line part[i]
	}
	$0 = line
}
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
	id = $column["ResourceId"]
	type[id] = $column["ResourceType"]
	parent[id] = $column["Parent"]
	size[id] = $column["Size"]
	split($column["Cpuset"], cpus, "[-;]")
	first[id] = cpus[1]
	if (type[id] == "Core") core[++cores] = id
	if (type[id] == "NUMANode") node[++nodes] = id
}
# The number behind the colon; -1 for none.
function number(id) { return id == "" ? -1 : substr(id, index(id, ":") + 1) }
function is_cache(id) { return type[id] ~ /^L[1-5]d?$/ }
END {
	for (i = nodes; i > 0; i--) {
		at = parent[node[i]]
		while (type[at] == "MemCache") at = parent[at]
		memory_of[at] = node[i]
	}
	print "Core", "Cpu", "Cache", "CacheSize", "Memory", "Package"
	for (i = 1; i <= cores; i++) {
		cache = memory = package = ""
		for (at = core[i]; at != ""; at = parent[at]) {
			# Outside of another one, so it is the last level until now.
			if (is_cache(at)) cache = at
			if (memory == "" && at in memory_of) memory = memory_of[at]
			if (type[at] == "Package") package = at
		}
		caches += cache != "" && !(cache in seen)
		if (cache != "") seen[cache] = caches
		print i - 1, first[core[i]], cache == "" ? -1 : seen[cache] - 1, size[cache], number(memory), number(package)
	}
}
