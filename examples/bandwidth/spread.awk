# SPDX-License-Identifier: GPL-3.0-or-later
# spread.awk -- the bandwidth of each pair and mode from the table of all trials (run.sh), and whether the runs agree.
# A run's bandwidth is that of its fastest round; for several numbers of transfers, the largest. The result is the median of the
# runs. Standard error has one line; status 1: the fastest run is more than -v limit=15 (%) faster than the slowest one.
BEGIN { FS = OFS = ","; if (limit == "") limit = 15 }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
	run = $column["Run"]
	key = $column["Level"] OFS $column["From"] OFS $column["To"] OFS $column["Mode"]
	if (!(run in has_run)) { has_run[run]; runs++ }
	if (!(key in known)) { known[key]; order[++keys] = key }
	if ($column["Best"] + 0 > best[key, run] + 0) best[key, run] = $column["Best"]
}
function sort_runs(key,    run, n, i, x) {
	for (run in has_run) {
		if (!((key, run) in best)) return run
		x = best[key, run]
		for (i = n++; i > 0 && sorted[i] + 0 > x + 0; i--) sorted[i + 1] = sorted[i]
		sorted[i + 1] = x
	}
	return ""
}
function name(key) { split(key, k, OFS); return k[4] " " k[2] "-" k[3] }
function fail(message) { print "bandwidth: " message | "cat >&2"; close("cat >&2"); failed = 1; exit 1 }
END {
	if (failed) exit 1
	if (runs < 2) fail("one run, expected two or more to compare")
	print "Level", "From", "To", "Mode", "Bandwidth", "Min", "Max", "Spread"
	for (i = 1; i <= keys; i++) {
		missing = sort_runs(order[i])
		if (missing != "") fail("run " missing " has no " name(order[i]))
		middle = (sorted[int((runs + 1) / 2)] + sorted[int(runs / 2) + 1]) / 2
		spread = 100 * (sorted[runs] / sorted[1] - 1)
		print order[i], middle, sorted[1], sorted[runs], sprintf("%.1f", spread)
		if (spread > limit) bad = bad sprintf("%s %s (%s to %s GB/s)", bad == "" ? "" : ",", name(order[i]), sorted[1], sorted[runs])
		if (spread >= largest) { largest = spread; where = name(order[i]) }
	}
	if (bad != "") fail(runs " runs do not agree within " limit " %:" bad)
	printf "bandwidth: %d runs agree within %s %%: the largest difference is %.1f %% (%s)\n", runs, limit, largest, where | "cat >&2"
}
