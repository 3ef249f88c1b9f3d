# SPDX-License-Identifier: GPL-3.0-or-later
# spread.awk -- the bandwidth of each pair and mode from the table of all trials (run.sh), and whether the runs agree.
# A run's bandwidth is that of its fastest round. For the modes of several transfers it is the largest sum of any number of them, one
# included. The result is the median of the runs. One line on standard error; status 1 if the fastest run is more than -v limit=15 (%)
# faster than the slowest one. Ratio: over that of one transfer. README.md has the reasons.
BEGIN { FS = OFS = ","; if (limit == "") limit = 15 }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
	run = $column["Run"]
	pair = $column["Level"] OFS $column["From"] OFS $column["To"]
	mode = $column["Mode"]
	best = $column["Best"] + 0
	if (!(run in has_run)) { has_run[run]; name_of[++runs] = run }
	if (!((pair, mode) in known)) { known[pair, mode]; pair_of[++n] = pair; mode_of[n] = mode }
	if (best > fastest[pair, mode, run] + 0) fastest[pair, mode, run] = best
}
# The run that has no such row; "" if all have it: then sorted[1 .. runs] are their values.
function sort_runs(pair, mode,    r, i, x, alone) {
	for (r = 1; r <= runs; r++) {
		x = fastest[pair, mode, name_of[r]] + 0
		if (x == 0) return name_of[r]
		alone = fastest[pair, "single", name_of[r]] + 0
		if (alone > x) x = alone
		for (i = r - 1; i > 0 && sorted[i] > x; i--) sorted[i + 1] = sorted[i]
		sorted[i + 1] = x
	}
	return ""
}
# The median of the runs that are sorted.
function median() { return (sorted[int((runs + 1) / 2)] + sorted[int(runs / 2) + 1]) / 2 }
function where(i,    ends) { split(pair_of[i], ends, OFS); return mode_of[i] " " ends[2] "-" ends[3] }
function report(message) { print "bandwidth: " message | "cat >&2"; close("cat >&2") }
END {
	if (runs < 2) { report("fewer than two runs to compare"); exit 1 }
	print "Level", "From", "To", "Mode", "Bandwidth", "Min", "Max", "Spread", "Ratio"
	for (i = 1; i <= n; i++) {
		alone = sort_runs(pair_of[i], "single") == "" ? median() : 0
		missing = sort_runs(pair_of[i], mode_of[i])
		if (missing != "") { report("run " missing " has no " where(i)); exit 1 }
		spread = 100 * (sorted[runs] / sorted[1] - 1)
		ratio = alone > 0 ? sprintf("%.2f", median() / alone) : ""
		print pair_of[i], mode_of[i], median(), sorted[1], sorted[runs], sprintf("%.1f", spread), ratio
		if (spread > limit) bad = bad (bad == "" ? ": " : ", ") where(i) " (" sorted[1] " to " sorted[runs] " GB/s)"
		if (i == 1 || spread > largest) { largest = spread; at = where(i) }
	}
	if (bad != "") { report(runs " runs do not agree within " limit " %" bad); exit 1 }
	report(runs " runs agree within " limit " %: the largest difference is " sprintf("%.1f", largest) " % (" at ")")
}
