#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# truth-idle.t: causes of idle time and delays of real runs against numbers computed independently
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 19

# own task released; a released task waits for another worker; the rest; all of it, from tasks alone
parts() { traceviz idle-causes -q --can-run anywhere "$1" | awk -F, 'NR > 1 { t[$7] = $8; all += $8 } END {
	own = t["data"] + t["runtime"]
	printf "%.3f %.3f %.3f %.3f", own, t["elsewhere"], all - own - t["elsewhere"], all }'; }
# sum of Start - Released within the run, and tasks that start before
delays() { traceviz lifecycle -q "$1" | awk -F, "$by_name"'
	$c["Kind"] == "app" { r = $c["Released"]; d = $c["Start"] - (r < 0 ? 0 : r); s += d; early += d < 0 }
	END { printf "%.3f %d", s, early }'; }
# of any run: its states and links change nothing of it
for run in "$DATA/cholesky-paje" "$TESTDATA/fxt/cholesky-12-dmdas" "$TESTDATA/fxt/cholesky-12-dmdas-1.3"; do
	traceviz convert -q "$run" -o tasks.csv
	is "$(parts "$run")" "$(parts tasks.csv)" "$(basename "$run"): idle time from tasks alone, and with states and links"
done
for s in dmda dmdas ws; do
	is "$(traceviz idle-causes -q "$DATA/cholesky-$s.csv" | awk -F, '$7 ~ /^(data|mpi|unexplained)$/ { s += $8 } END { print s }')" \
		0 "$s: nothing unexplained; data and messages are not known from tasks"
done

# two nodes: some wait for messages, where the trace has them as tasks
zstd -qdc "$DATA/cholesky-2nodes/tasks.csv.zst" >mpi.csv
idle=$(traceviz idleness -q mpi.csv | awk -F, -v m="$(traceviz bounds -q mpi.csv |
	awk -F, '$1 == "" && $2 == "makespan" { print $4 }')" 'NR > 1 { s += m - $5 - $6 } END { printf "%.6f", s }')
is "$(traceviz idle-causes -q --by node mpi.csv | awk -F, '{ s += $8 } END { printf "%.6f", s }')" "$idle" \
	"idle time of two nodes"
is "$(traceviz idle-causes -q --by node mpi.csv | awk -F, '$7 == "mpi" { print $3, ($8 > 10) }' | tr '\n' ' ')" "0 1 1 1 " \
	"both wait for messages"
awk -F, 'NR == 1 || $7 == "app"' mpi.csv >app.csv
run traceviz idle-causes app.csv
like "$(cat stderr)" "*several nodes, but no messages among the tasks*" "it is said where messages are missing"
is "$(awk -F, '$7 == "mpi" || $7 == "unexplained" { s += $8 } END { print s }' stdout)" 0 "and no time is called mpi"

need_shared 9
runs=$SHARED/data/cholesky-idcin2/12
check() { # RUN PARTS DELAYS
	traceviz convert -q "$runs/$1" -o "$1.csv" 2>/dev/null
	is "$(parts "$1.csv") $(parts "$runs/$1" 2>/dev/null)" "$2 $2" "idle time of $1 and its parts, from tasks alone and with states"
	is "$(delays "$1.csv")" "$3" "delays of $1, none negative"
}
check dmda "182.569 4187.427 8575.339 12945.336" "7013.929 0"
check dmdas "210.079 4409.849 6905.750 11525.679" "7040.808 0"
check ws "230.192 135.909 15159.612 15525.714" "2259.800 0"

# four nodes: nothing runs from 280 to 340 ms, and all that is blamed are messages from node 0
traceviz convert -q "$SHARED/data/mpi/cholesky-30-dmdas-4nodes-10GbE/p2x2" -o four.csv 2>/dev/null
run traceviz idle-causes -q --by blame --begin 280 --end 340 four.csv
is "$(awk -F, '$7 == "dependencies" { t[$16] += $8 } END { printf "%.3f %.3f %.3f %d", t["task"],
	t["message"], t["waiting"], t["no-next-task"] / 60 }' stdout)" "0.000 840.000 240.000 25" "only messages are blamed where nothing runs"
is "$(awk -F, '$16 == "message" || $16 == "waiting" { print $17 $18 }' stdout | sort -u | tr '\n' ' ')" "0->1 0->2 " "from node 0"
is "$(traceviz concurrency -q --begin 280 --end 340 four.csv | cut -d, -f5 | tail -n +2 | sort -u)" 0 "and nothing does"
