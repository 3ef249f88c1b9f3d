#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# messages.t: messages between nodes against the links, against idle-causes and against StarPU's own comms.rec
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 20

# messages of a trace: count, bytes, sum of durations, as the table of links has them
of_links() { awk -F, "$by_name"'$c["Type"] == "MPI communication" {
	n++; b += $c["Size"]; t += $c["End"] - $c["Start"] } END { printf "%d %d %.6f", n, b, t }' "$1/links.csv"; }
of_pass() { awk -F, "$by_name"'{
	n++; b += $c["Size"]; t += $c["Duration"] } END { printf "%d %d %.6f", n, b, t }'; }
blamed() { traceviz idle-causes -q "$@" | awk -F, '$7 == "mpi" { m = $8 } $7 == "dependencies" { b = $12 }
	END { printf "%.6f %.6f", m, b }'; }
waits() { traceviz messages -q "$@" | awk -F, "$by_name"'{ m += $c["MpiWait"]; b += $c["DependencyWait"] }
	END { printf "%.6f %.6f", m, b }'; }

for run in "$DATA/cholesky-2nodes" "$TESTDATA/fxt/cholesky-12-2ranks" "$TESTDATA/fxt/1.4.0"; do
	name=$(basename "$run")
	traceviz convert -q "$run" -o run
	is "$(traceviz messages -q "$run" | of_pass)" "$(of_links run)" "$name: number, bytes and durations of the links"
	is "$(waits "$run")" "$(blamed "$run")" "$name: waits add up to what idle-causes has for messages"
	is "$(waits --node 1 "$run")" "$(blamed --node 1 "$run")" "$name: those of one node"
	is "$(waits --begin 20 --end 200 "$run")" "$(blamed --begin 20 --end 200 "$run")" "$name: those in a window"
done
# producer and consumers are the app tasks next to the message, in the same direction as time
traceviz convert -q "$DATA/cholesky-2nodes" -o run
is "$(traceviz messages -q run | awk -F, "$by_name"'{
	n += $c["Producer"] ~ /^[01]_[0-9]+$/; late += $c["ProducerEnd"] > $c["Start"]
	left += substr($c["Producer"], 1, 1) != $c["Origin"]
	if ($c["Consumers"] == "\"\"") next
	m++; soon += $c["ConsumerStart"] < $c["End"]; wrong += substr($c["Consumers"], 1, 1) != $c["Dest"] }
	END { print n, m, late, soon, left, wrong }')" "190 190 0 0 0 0" \
	"one producer each, on the origin, ended before; consumers, on the destination, start after"
is "$(traceviz messages -q --top 1 run | cut -d, -f1-3,8)" "Key,Origin,Dest,Size
mpicom_4,0,1,3686400" "--top: the one that caused most idle time"
run traceviz messages "$TESTDATA/fxt/1.4.0"
like "$(cat stderr)" "*messages were received before they were sent (the clocks of the nodes differ): 1->0 6*" "clocks that differ"
is "$(awk -F, 'NR > 1 && /,early$/ { n++; d += $7 - $4 } END { print n, d }' stdout)" "6 0" "such messages end where they start"
run traceviz messages "$DATA/cholesky.csv"
is "$rc $(cat stdout)" "1 " "no messages: failure"
like "$(cat stderr)" "*messages: the trace has no messages between nodes*--with*" "and why"

need_shared 2
# comms.rec: its times went through 32-bit floats and are not shifted
comms() { golden "$2" comms.rec >comms.rec; traceviz convert -q --zero none "$SHARED/data/$1" -o zero; traceviz messages -q zero >ours.csv
	awk -F'[,:]' 'FILENAME == "comms.rec" { gsub(/ /, ""); if ($1 == "Src") n++; f[n, $1] = $2; next }
		FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ k++; for (i = 1; i <= n; i++) if (!(i in used) && f[i, "Src"] == $c["Origin"] && f[i, "Dst"] == $c["Dest"] && f[i, "Tag"] == $c["Tag"]) break
			used[i]; d = f[i, "SendTime"] - $c["Start"]; e = f[i, "RecvTime"] - $c["End"]
			bad += f[i, "Size"] != $c["Size"] || f[i, "SendHandle"] != $c["Handle"] || f[i, "Priority"] != $c["Priority"] \
				|| f[i, "SendJobId"] != $c["OriginJob"] || f[i, "RecvJobId"] != $c["DestJob"] || d * d > 1e-7 || e * e > 1e-7 }
		END { print n, k, bad + 0 }' comms.rec ours.csv; }
is "$(comms mpi/cholesky-20-dmdas-2nodes mpi-cholesky-20-dmdas-2nodes)" "190 190 0" "two nodes: the messages of comms.rec"
is "$(comms native/cholesky-12-2ranks native-cholesky-12-2ranks)" "66 66 0" "two ranks: the messages of comms.rec"
