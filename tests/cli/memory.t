#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# memory.t: transfers and memory against the tables that they come from and against idle-causes
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 42

# transfers of a trace: count, bytes, sum of durations, as the table of links has them, and as the pass does
of_links() { awk -F, "$by_name"' $c["Type"] ~ /^Intra-node data/ { n++; b += $c["Size"]; t += $c["End"] - $c["Start"] }
	END { printf "%d %d %.6f", n, b, t }' "$1/links.csv"; }
of_pass() { awk -F, "$by_name"' { n++; b += $c["Size"]; t += $c["Duration"] } END { printf "%d %d %.6f", n, b, t }'; }
of_sums() { awk -F, "$by_name"' { n += $c["Transfers"]; b += $c["Size"]; t += $c["Time"] } END { printf "%d %d %.6f", n, b, t }'; }
# the cause data; the waits of transfers, and what the warning says that none has (to 1 us)
data() { traceviz idle-causes -q "$@" | awk -F, '$7 == "data" { printf "%.2f", $8 }'; }
waits() { { traceviz transfers "$@" 2>err; sed -n 's/^traceviz: \([0-9.]*\) ms of the idle time of the cause data.*/rest,\1/p' err; } |
	awk -F, '/^rest,/ { s += $2; next } '"$by_name"' { s += $c["Wait"] } END { printf "%.2f", s }'; }

for run in "$DATA/cholesky-2nodes" "$TESTDATA/fxt/cholesky-12-dmdas" "$DATA/cholesky-paje"; do
	name=$(basename "$run")
	traceviz convert -q "$run" -o run
	is "$(traceviz transfers -q "$run" | of_pass)" "$(of_links run)" "$name: number, bytes and durations of the links"
	is "$(traceviz transfers -q --by Origin,Dest "$run" | of_sums)" "$(of_links run)" "$name: sums by origin and destination"
	is "$(traceviz transfers -q --by Node,Kind,Handle,Value "$run" | of_sums)" "$(of_links run)" "$name: sums by other columns"
	is "$(waits "$run")" "$(data "$run")" "$name: waits add up to the cause data"
	is "$(waits --begin 20 --end 200 "$run")" "$(data --begin 20 --end 200 "$run")" "$name: those in a window"
	is "$(waits --resource 'CUDA*,0_CUDA*' "$run")" "$(data --resource 'CUDA*,0_CUDA*' "$run")" "$name: those of some workers"
done
# a task starts after the transfer, on a worker of its destination, and has the handle
traceviz convert -q "$DATA/cholesky-2nodes" -o run
traceviz transfers -q run >transfers.csv
is "$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) c[FILENAME, $i] = i; next }
	function cell(name) { return $c[FILENAME, name] }
	FILENAME == "run/tasks.csv" { has[cell("JobId")] = cell("Handles"); start[cell("JobId")] = cell("Start")
		memory[cell("JobId")] = cell("Node") "_MEMMANAGER" cell("MemoryNode"); next }
	cell("JobId") != "" { n++; j = cell("JobId"); bad += index(has[j], cell("Handle")) == 0 || memory[j] != cell("Dest") ||
		start[j] != cell("TaskStart") || start[j] + 0 < cell("End") + 0 }
	END { print (n > 900), bad }' run/tasks.csv transfers.csv)" "1 0" "tasks use the data after the transfer, at its destination"
is "$(traceviz transfers -q --by Kind run | awk -F, "$by_name"' { print $1, $c["Transfers"], $c["Unused"] }' | tr '\n' ' ')" \
	"Fetch 212 1 IdleFetch 8 7 TaskPreFetch 1055 0 " "kinds; hardly any transfer is in vain"
run traceviz transfers --by Nothing run
is "$rc" 2 "--by: an unknown column is a usage error"
run traceviz transfers "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "1 *transfers: the trace has no transfers between memory nodes*--with*" "no transfers: failure"

# memory: as a sum over the events, and as the counter
traceviz convert -q "$TESTDATA/fxt/cholesky-12-2ranks" -o run
used() { traceviz memory -q "$@" run | awk -F, '$1 == "used" { print $2, $3, $5 + 0 }'; }
is "$(used --from events | cksum)" "$(awk -F, "$by_name"' $c["Type"] == "Allocating End" { b = $c["Info"] }
	$c["Type"] == "Free Start" { b = -$c["Size"] } $c["Type"] ~ /^(Allocating End|Free Start)$/ { m = $c["ResourceId"]
	if (!(m in first)) { first[m]; printf "%s %s 0\n", m, "BEGIN" } sum[m] += b; printf "%s %s %s\n", m, $c["Time"], sum[m] / 1048576 }' run/events.csv |
	sort -s -t_ -k1,1n | sed "s/BEGIN/$(traceviz memory -q --from events run | sed -n '2s/^[^,]*,[^,]*,\([^,]*\),.*/\1/p')/" | cksum)" \
	"used memory from events is a running sum"
is "$(used --from counter | sed '/^[^ ]* [^ ]* 0$/d' | cksum)" "$(awk -F, "$by_name"' $c["Type"] == "Used (MB)" && $c["Value"] > 0 {
	print $c["ResourceId"], $c["Start"], $c["Value"] + 0 }' run/variables.csv | sort -s -t_ -k1,1n | cksum)" "used memory from the counter is the counter"
is "$(traceviz memory -q run | awk -F, 'NR > 1 { low += $5 < 0; last[$1 $2] = $5 } END { n = 0
	for (i in last) n += last[i] != 0; print low + 0, n }')" "0 0" "never negative; 0 at the end where all is freed"
is "$(traceviz memory -q --step 7 run | awk -F, 'NR > 1 { a[$1 $2] += $5 * ($4 - $3); if ($7 > m[$1 $2]) m[$1 $2] = $7 }
	END { for (i in a) printf "%s %.6f %s\n", i, a[i], m[i] }' | sort)" \
	"$(traceviz memory -q run | awk -F, 'NR > 1 { a[$1 $2] += $5 * ($4 - $3); if ($5 > m[$1 $2]) m[$1 $2] = $5 }
	END { for (i in a) printf "%s %.6f %s\n", i, a[i], m[i] }' | sort)" "--step keeps integral and peak"
is "$(traceviz memory -q --summary run | cut -d, -f1,4,5)" "ResourceId,From,Peak
0_MEMMANAGER0,counter,11.71875
1_MEMMANAGER0,counter,14.0625" "--summary: peaks"
is "$(traceviz memory -q --node 1 --summary run | cut -d, -f1)" "ResourceId
1_MEMMANAGER0" "--node"
run traceviz memory run
like "$(cat stderr)" "*counter 'Used (MB)' differs from its events; from the allocations and frees on 2 of 2 memory nodes, most on 0_MEMMANAGER0: 0.391 MiB more at *" \
	"a warning of the largest difference"
run traceviz memory --summary --step 1 run
is "$rc" 2 "--step has no effect with --summary"

# presence: rows of one handle on one memory node follow each other; one owner has the only copy
for run in "$TESTDATA/fxt/cholesky-12-dmdas" "$TESTDATA/fxt/cholesky-12-2ranks" "$DATA/cholesky-paje"; do
	name=$(basename "$run")
	traceviz convert -q "$run" -o run
	traceviz handles -q run >handles.csv
	is "$(awk -F, "$by_name"' { k = $c["Handle"] " " $c["ResourceId"]; overlap += k == last && $c["Start"] + 0 < end; last = k; end = $c["End"] + 0
		early += $c["End"] + 0 < $c["Start"] + 0 } END { print (NR > 200), overlap + 0, early + 0 }' handles.csv)" "1 0 0" "$name: states do not overlap"
	is "$(awk -F, "$by_name"' $c["Duration"] > 0 { h = $c["Handle"]; print h, $c["Start"], 1, $c["State"]; print h, $c["End"], 0, $c["State"] }' handles.csv |
		sort -k1,1 -k2,2g -k3,3n | awk '{ if ($1 != h) { h = $1; owner = copies = 0 } d = $3 ? 1 : -1; copies += d; if ($4 == "owner") owner += d
		# what changes at one instant changes together
		key = $1 " " $2; if (key != last && wrong) bad++; wrong = owner > 1 || (owner == 1 && copies > 1); last = key }
		END { print bad + 0 }')" 0 "$name: an owner has the only copy"
	traceviz residency -q --at "$(seq 0 7 400 | tr '\n' ',' | sed 's/,$//')" run >residency.csv
	is "$(awk -F, "$by_name"' $c["Jobs"] != "\"\"" { n++; lost += $c["State"] == ""; shared += $c["Writes"] > 0 && $c["State"] != "owner" }
		END { print (n > 50), lost + 0, shared + 0 }' residency.csv)" "1 0 0" "$name: tasks use data that are there, and write them as owner"
done
traceviz handles -q --summary run >sums.csv
is "$(awk -F, "$by_name"' { n += $c["TransfersIn"]; b += $c["SizeIn"]; m += $c["TransfersOut"]; o += $c["SizeOut"] } END { print n, b, m, o }' sums.csv)" \
	"$(of_links run | sed 's/^\([0-9]* [0-9]*\) .*/\1 \1/')" "--summary: transfers of all handles are those of the links"
is "$(awk -F, "$by_name"' { n += $c["Tasks"]; w += $c["Writes"]; bad += $c["OwnerTime"] + $c["SharedTime"] - $c["Time"] > 1e-5 || $c["Share"] > 100 }
	END { print n, w, bad }' sums.csv)" "936 364 0" \
	"--summary: 936 accesses, 364 that write"
is "$(traceviz handles -q --job 27 run | cut -d, -f1 | sort -u | tr '\n' ' ')" "5614fa09f500 Handle " "--job: the handles of one task"
