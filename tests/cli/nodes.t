#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nodes.t: load-balance, late-start and idle-causes --by cause,KEY against other verbs, and the first tasks of real runs
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 50

# sums of columns, by the column Node (where the row has one), of a table on stdin
by_node() { awk -F, -v want="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(want, w, " "); next }
	$c["Node"] != "" { seen[$c["Node"]] = 1; for (i = 1; i <= n; i++) s[$c["Node"], i] += $c[w[i]] }
	END { for (p in seen) { printf "%s", p; for (i = 1; i <= n; i++) printf " %.6f", s[p, i]; print "" } }' | sort; }
# the row of all, and the sum of the others
whole() { awk -F, -v want="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(want, w, " "); next }
	NR == 2 { for (i = 1; i <= n; i++) s[i] = -$c[w[i]]; next }
	{ for (i = 1; i <= n; i++) s[i] += $c[w[i]] }
	END { for (i = 1; i <= n; i++) if (s[i] > 1e-6 || s[i] < -1e-6) printf "%s %g ", w[i], s[i] }'; }
sums="Workers Tasks Work Busy Other Idle IdleData IdleRuntime IdleElsewhere IdleMpi IdleUnsuited IdleDependencies IdleNotSubmitted IdleDrain IdleUnexplained"
causes="data runtime elsewhere mpi unsuited dependencies not-submitted drain unexplained"
# idle-causes --by node: a line per node, of all causes
of_causes() { awk -F, -v want="$causes" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(want, w, " "); next }
	{ s[$c["Node"], $c["Cause"]] = $c["Time"]; seen[$c["Node"]] = 1 }
	END { for (p in seen) { printf "%s", p; for (i = 1; i <= n; i++) printf " %.6f", s[p, w[i]]; print "" } }' | sort; }
# comm-matrix: messages and bytes by a column of nodes
matrix() { awk -F, -v c="$1" 'NR > 1 { n[$c] += $3; b[$c] += $4 } END { for (p in n) printf "%s %.6f %.6f\n", p, n[p], b[p] }' | sort; }
# by node, of the parts of late-start
parts="TaskTime DataTime WaitingTime UnsentTime QueuedTime TransferTime SubmissionTime"
check_delay() { awk -F, -v want="$parts" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(want, w, " "); next }
	{ d = $c["Delay"]; for (i = 1; i <= n; i++) d -= $c[w[i]]; if (d > 1e-6 || d < -1e-6) print "off", $0 }'; }

# sums of a column by other columns, without empty groups and sums of 0
sums_by() { awk -F, -v keys="$1" -v of="$2" -v cause="${3-}" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(keys, k, " "); next }
	cause == "" || $c["Cause"] == cause { p = ""; for (i = 1; i <= n; i++) p = p (i > 1 ? " " : "") $c[k[i]]; s[p] += $c[of] }
	END { for (p in s) if (p ~ /[^ ]/ && s[p] != 0) printf "%s %.6f\n", p, s[p] }' | sort; }
# handles of messages are those of their sender: with its name in the columns of idle-causes
of_messages() { sed '1s/Origin,Dest/Node,Dest/' | sums_by "Handle Node" "$1"; }

details() {
	for key in handle link sender; do
		traceviz idle-causes -q --by "cause,$key" --step 50 run >details
		is "$(sums_by Cause Time <details)" "$(traceviz idle-causes -q run | sums_by Cause Time)" "$1: by cause,$key: sums"
		is "$(sums_by Cause BlameMessage <details) $(sums_by Cause BlameWaiting <details)" \
			"$(traceviz idle-causes -q run | sums_by Cause BlameMessage) $(traceviz idle-causes -q run | sums_by Cause BlameWaiting)" "$1: by cause,$key: blame"
	done
	traceviz idle-causes -q --by cause,handle run >handles
	traceviz idle-causes -q --by cause,link run >links
	traceviz idle-causes -q --by cause,sender run >senders
	is "$(sums_by "Handle Node" Time data <handles | grep -v '^ ')" "$(traceviz transfers -q --by Node,Handle run | sums_by "Handle Node" Wait)" \
		"$1: handles of data as in transfers"
	is "$(sums_by Sender Time data <senders)" "$(traceviz transfers -q run | sums_by Origin Wait)" "$1: senders of data as in transfers"
	is "$(sums_by "Handle Node" Time mpi <handles)" "$(traceviz messages -q run | of_messages MpiWait)" "$1: handles of messages"
	is "$(sums_by Link Time mpi <links | tr -- '->' ' ' | tr -s ' ')" "$(traceviz messages -q run | sums_by "Origin Dest" MpiWait)" "$1: links of messages"
	is "$(sums_by "Sender Blame" Time dependencies <senders | sed 's/message //')" "$(traceviz messages -q run | sums_by Origin DependencyWait)" "$1: senders"
}

compare() {
	traceviz load-balance -q run >loads
	is "$(whole "$sums MessagesSent BytesSent MessagesReceived BytesReceived" <loads)" "" "$1: nodes add up to the run"
	is "$(traceviz load-balance -q --by type run | whole "$sums")" "" "$1: so do their types of workers"
	is "$(by_node "Tasks Busy Other" <loads)" "$(traceviz idleness -q run | by_node "Tasks Busy Other")" "$1: busy as in idleness"
	is "$(by_node "IdleData IdleRuntime IdleElsewhere IdleMpi IdleUnsuited IdleDependencies IdleNotSubmitted IdleDrain IdleUnexplained" <loads)" \
		"$(traceviz idle-causes -q --by node run | of_causes)" "$1: idle as in idle-causes --by node"
	is "$(by_node "MessagesSent BytesSent" <loads)" "$(traceviz comm-matrix -q --all-pairs run | matrix 1)" "$1: sent as in comm-matrix"
	is "$(by_node "MessagesReceived BytesReceived" <loads)" "$(traceviz comm-matrix -q --all-pairs run | matrix 2)" "$1: received"
	is "$(by_node "ABE" <loads)" "$(traceviz bounds -q run | awk 'NR == 1 || /,abe,/' | by_node "Time")" "$1: ABE as in bounds"
	is "$(traceviz late-start -q --first 50 run | check_delay)" "" "$1: parts of the delay"
	is "$(traceviz late-start -q --first 50 --chain run | by_node "Delay $parts")" \
		"$(traceviz late-start -q --first 50 run | by_node "Delay $parts")" "$1: steps of chains"
}

for run in "$DATA/cholesky-2nodes" "$TESTDATA/fxt/cholesky-12-2ranks"; do
	traceviz convert -q "$run" -o run
	compare "$(basename "$run")"
	details "$(basename "$run")"
	rm -r run
done

traceviz convert -q "$DATA/cholesky-2nodes" -o tasks.csv
is "$(traceviz idle-causes -q --by cause,link tasks.csv | sums_by Cause Time)" "$(traceviz idle-causes -q tasks.csv | sums_by Cause Time)" \
	"tasks alone: messages by the nodes of their tasks"
is "$(traceviz idle-causes -q --by cause,link tasks.csv | sums_by Link Time mpi | cut -d' ' -f1 | tr '\n' ' ')" "0->1 1->0 " "both links"
run traceviz late-start --first 0 "$DATA/cholesky.csv"
is "$rc" 2 "--first 0"
run traceviz late-start --begin 5 "$DATA/cholesky.csv"
is "$rc" 2 "late-start has no window"
run traceviz load-balance -q "$DATA/cholesky.csv"
is "$rc $(cut -d, -f21,22 stdout | tail -n 1)" "0 0.000000,4196.477978" "one node"
is "$(traceviz load-balance -q --node 1 "$DATA/cholesky-2nodes" | tail -n 1)" \
	"$(traceviz load-balance -q "$DATA/cholesky-2nodes" | tail -n 1)" "a selected node has its own row"
run traceviz late-start -q --node 1 "$DATA/cholesky-2nodes"
is "$(cut -d, -f1,5,16,17 stdout | tail -n +2)" "1,1_100,mpicom_2,0" "the message that delays node 1"
is "$(traceviz late-start -q --chain --node 1 "$DATA/cholesky-2nodes" | tail -n 1 | cut -d, -f5)" "0_1" "the chain begins with the first task"

need_shared 2
# the message that delays the first task of each node: what its first task depends on, by hand from the tables
answer() { traceviz late-start -q "$SHARED/data/mpi/cholesky-30-dmdas-4nodes-10GbE/$1" | awk -F, 'NR > 1 { printf "%s %s %s %s|", $1, $10, $16, $17 }'; }
is "$(answer p1x4)" "0 0.000000  |1 499.140002 mpicom_0 0|2 457.542002 mpicom_1 0|3 457.544002 mpicom_12 0|" "four nodes, 1 x 4"
is "$(answer p2x2)" "0 0.000000  |1 612.661701 mpicom_18 2|2 415.721002 mpicom_0 0|3 611.889242 mpicom_17 2|" "four nodes, 2 x 2"
