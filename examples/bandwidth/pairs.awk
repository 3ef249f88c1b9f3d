# SPDX-License-Identifier: GPL-3.0-or-later
# pairs.awk -- what is measured: a line LEVEL FROM TO MODE TRANSFERS WRITER:READER... for each, from the table of topology.awk.
# -v pairs=first: the first core with each other one; all: each core with each later one.
BEGIN { FS = ","; n = 0 }
NR == 1 { next }
{ cpu[n] = $2; cache[n] = $3; package[n] = $6; n++ }
# What two cores do not share.
function level(a, b) {
	if (package[a] != package[b]) return "package"
	return cache[a] != cache[b] || cache[a] == -1 ? "cache" : "core"
}
# The processor of the k-th core behind `core` in its cache, around.
function neighbor(core, k,    i, m, at) {
	for (i = m = 0; i < n; i++) {
		at = (core + i) % n
		if (cache[at] == cache[core] && package[at] == package[core] && cache[at] != -1) member[m++] = at
	}
	return m == 0 ? cpu[core] : cpu[member[k % m]]
}
function group_size(core,    i, m) {
	for (i = 0; i < n; i++) m += cache[i] == cache[core] && package[i] == package[core]
	return cache[core] == -1 ? 1 : m
}
function transfers(a, b, mode, many,    k, text, from, to) {
	for (k = 0; k < many; k++) {
		from = level(a, b) == "core" ? cpu[a] : neighbor(a, k)
		to = level(a, b) == "core" ? cpu[b] : neighbor(b, k)
		text = text " " (mode == "opposite" && k % 2 ? to ":" from : from ":" to)
	}
	print level(a, b), a, b, mode, many text
}
function pair(a, b,    many, max) {
	max = 2
	if (level(a, b) != "core") {
		max = group_size(a) < group_size(b) ? group_size(a) : group_size(b)
		if (max < 2) max = 2
	}
	transfers(a, b, "single", 1)
	for (many = 2; many <= max; many *= 2) {
		transfers(a, b, "same", many)
		transfers(a, b, "opposite", many)
	}
}
END {
	for (a = 0; a < (pairs == "all" ? n : 1); a++)
		for (b = a + 1; b < n; b++) pair(a, b)
}
