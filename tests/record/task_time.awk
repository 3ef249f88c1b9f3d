# SPDX-License-Identifier: GPL-3.0-or-later
# task_time.awk -- "WALL CPU": sums over the tasks of a program without nested tasks, in ns; from the output of dump_log of
# a recording with --counters task-clock.
function number(hex,    n, i) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}
$3 == "VALUES" { value[$1] = number($7) }
$3 == "SCHEDULE" && $4 == 7 { begin[$8] = $2; cpu[$8] = value[$1] }
$3 == "SCHEDULE" && $4 == 1 { wall += $2 - begin[$7]; clock += value[$1] - cpu[$7] }
END { printf "%d %d\n", wall, clock }
