# SPDX-License-Identifier: GPL-3.0-or-later
# count_events.awk -- the lines of count_tool.c, from the output of dump_log.
function bit(hex, value,    n, i) {
	n = 0
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return int(n / value) % 2
}
BEGIN {
	keys = split("created undeferred untied final taskwaits dependent accesses begun complete cancelled detached " \
		"regions region-ends implicit syncs sync-ends waits wait-ends works acquired released threads", key)
}
$3 == "OMP_THREAD" { n["threads"]++ }
$3 == "PARALLEL_BEGIN" { n["regions"]++ }
$3 == "PARALLEL_END" { n["region-ends"]++ }
$3 == "IMPLICIT_BEGIN" { n["implicit"]++ }
$3 == "CREATE" && bit($9, 16) { n["taskwaits"]++; next }
$3 == "CREATE" {
	n["created"]++
	n["undeferred"] += bit($9, 134217728)
	n["untied"] += bit($9, 268435456)
	n["final"] += bit($9, 536870912)
	n["dependent"] += $4
}
$3 == "SCHEDULE" && $4 == 1 { n["complete"]++ }
$3 == "SCHEDULE" && $4 == 3 { n["cancelled"]++ }
$3 == "SCHEDULE" && $4 == 4 { n["detached"]++ }
$3 == "SCHEDULE" && $4 != 1 && $4 != 3 && $4 != 4 && $8 != 0 { n["begun"]++ }
$3 == "DEPENDENCES" { n["accesses"] += (NF - 7) / 2 }
$3 == "SYNC_BEGIN" { n["syncs"]++ }
$3 == "SYNC_END" { n["sync-ends"]++ }
$3 == "WAIT_BEGIN" { n["waits"]++ }
$3 == "WAIT_END" { n["wait-ends"]++ }
$3 == "WORK_BEGIN" { n["works"]++ }
$3 == "ACQUIRED" { n["acquired"]++ }
$3 == "RELEASED" { n["released"]++ }
END {
	for (i = 1; i <= keys; i++)
		print key[i], n[key[i]] + 0
}
