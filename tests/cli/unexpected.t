#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unexpected.t: messages that arrive before they are requested: the tasks that read the data depend on them
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 36

# A task that reads a handle of another node needs one message with the handle's tag, and a message is needed only by such tasks; the
# messages come from the graph, the accesses and tags do not. Prints pairs of task and tag, those without a message, those with two,
# pairs of message and task without such a read; messages that no task uses, and that end after a task that uses them starts.
reads() { # FOLDER
	traceviz messages -q --csv "$1" >messages
	awk -F, 'FNR == 1 { file++; split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
		file == 1 { if ($c["MPITag"] != "" && $c["MPIOwner"] != $c["Node"]) tag[$c["Node"], $c["Handle"]] = $c["MPITag"]; next }
		file == 2 { if ($c["Kind"] != "app") next
			n = split($c["Handles"], handle, " "); split($c["Modes"], mode, " ")
			for (i = 1; i <= n; i++) {
				k = $c["Node"] SUBSEP handle[i]
				if (mode[i] !~ /R/ || !(k in tag) || (($c["JobId"], tag[k]) in need)) continue
				need[$c["JobId"], tag[k]] = 0; pairs++ }
			next }
		{ n = split($c["Consumers"], task, " ")
			if (n == 0 || task[1] == "\"\"") { unused++; next }
			late += $c["ConsumerStart"] < $c["End"]
			for (i = 1; i <= n; i++) if ((task[i], $c["Tag"]) in need) need[task[i], $c["Tag"]]++; else wrong++ }
		END { for (k in need) { without += need[k] == 0; two += need[k] > 1 }
			print pairs, without + 0, two + 0, wrong + 0, unused + 0, late + 0 }' "$1/handles.csv" "$1/tasks.csv" messages
}
unexpected() { sed -n 's/^UnexpectedMessages,//p' "$1/meta.csv"; }
check() { # NAME TRACE UNEXPECTED PAIRS LATE: receives that seem to be before their sends end late, see clocks.t
	rm -rf run
	traceviz convert -q "$2" -o run
	is "$(unexpected run) $(grep -c WithoutTask run/meta.csv)" "$3 0" "$1: messages that were not expected, all with their requests"
	is "$(reads run)" "$4 0 0 0 0 $5" "$1: each read of data of another node has its message"
	ok "$1: no cycle" traceviz critical-path -q run
}
check "two nodes" "$DATA/cholesky-2nodes" 1 1330 0
check "four nodes, 1 x 4" "$DATA/cholesky-4nodes/p1x4" 253 3536 0
check "four nodes, 2 x 2" "$DATA/cholesky-4nodes/p2x2" 195 5735 0
check "two ranks" "$TESTDATA/fxt/cholesky-12-2ranks" "" 286 0
check 1.3.4 "$TESTDATA/fxt/1.3.4" 4 28 3
check 1.3.11 "$TESTDATA/fxt/1.3.11" 1 28 0
check 1.4.0 "$TESTDATA/fxt/1.4.0" 2 28 4
check 1.4.12 "$TESTDATA/fxt/1.4.12" 2 28 2

need_shared 12
for run in cholesky-20-dmdas-2nodes:1:1330 cholesky-40-dmdas-2nodes:1:10660 \
	cholesky-30-dmdas-4nodes-10GbE/p1x4:253:3536 cholesky-30-dmdas-4nodes-10GbE/p2x2:195:5735; do
	IFS=: read -r name unexpected pairs <<-EOF
		$run
	EOF
	check "$name" "$SHARED/data/mpi/$name" "$unexpected" "$pairs" 0
done
