#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandwidth.t: comm-matrix, bandwidth and in-flight against the links: conservation, and a sweep of its own
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 52

# bytes of the links of a kind, by the column of one end; containers become nodes
of_links() { awk -F, -v kind="$2" -v end="$3" "$by_name"'index($c["Type"], kind) == 1 {
	p = end == "" ? "" : $c[end]; if (kind ~ /^MPI/) sub(/_mpict$/, "", p); b[p] += $c["Size"] }
	END { for (p in b) printf "%s %.0f\n", p, b[p] }' "$1/links.csv" | sort; }
# integral of one curve, by By: MB/s x ms = 1000 bytes
integral() { awk -F, -v curve="$1" '$1 == curve { s[$2] += ($4 - $3) * $5 * 1000; if ($5 < 0) print "negative" }
	END { for (p in s) printf "%s %.0f\n", p, s[p] }' | sort | grep -v ' 0$'; }
# of the matrix, by the column of one end (1, 2)
matrix() { awk -F, -v c="$1" 'NR > 1 { b[$c] += $4 } END { for (p in b) printf "%s %.0f\n", p, b[p] }' | sort; }
# operations in flight by a sweep: from, to, at whose end the resource is; "place count" at each change
sweep() { awk -F, -v end="$2" "$by_name"'$c["Type"] == "MPI communication" && $c["End"] > $c["Start"] {
	p = $c[end]; sub(/_mpict$/, "", p); print p, $c["Start"], 1; print p, $c["End"], -1 }' "$1/links.csv" | sort -k1,1 -k2,2g |
	awk '{ if ($1 != p || $2 != t) { if (p != "" && n != last) print p, t, n; if ($1 != p) { n = 0; last = -1 } else last = n }
		p = $1; t = $2; n += $3 } END { if (n != last) print p, t, n }'; }
# the curve likewise, without the time before the first
flight() { awk -F, -v curve="$1" '$1 == curve { if ($5 != 0 || "p" $2 == p) print $2, $3, $5; p = "p" $2 }'; }

for run in "$DATA/cholesky-2nodes" "$TESTDATA/fxt/cholesky-12-2ranks" "$TESTDATA/fxt/1.4.0"; do
	name=$(basename "$run")
	traceviz convert -q "$run" -o run
	is "$(traceviz comm-matrix -q run | matrix 1)" "$(of_links run MPI Origin)" "$name: rows of the matrix are the bytes sent"
	is "$(traceviz comm-matrix -q run | matrix 2)" "$(of_links run MPI Dest)" "$name: columns are the bytes received"
	for step in "" "--step 7"; do
		traceviz bandwidth -q $step run >curves
		is "$(integral sent <curves)" "$(of_links run MPI Origin)" "$name: bandwidth sent, integral $step"
		is "$(integral received <curves)" "$(of_links run MPI Dest)" "$name: bandwidth received, integral $step"
		is "$(traceviz bandwidth -q --by all $step run | integral messages)" "$(of_links run MPI "")" "$name: all messages $step"
	done
	traceviz in-flight -q run >curves
	is "$(flight sends <curves)" "$(sweep run Origin)" "$name: sends in flight"
	is "$(flight receives <curves)" "$(sweep run Dest)" "$name: receives in flight"
	is "$(traceviz in-flight -q --step 3 --by link run | awk -F, 'NR > 1 { s += ($4 - $3) * $5 } END { printf "%.3f", s }')" \
		"$(traceviz comm-matrix -q run | awk -F, 'NR > 1 { s += $7 } END { printf "%.3f", s }')" "$name: in flight by link: all durations"
	rm -r run
done

traceviz convert -q "$DATA/cholesky-2nodes" -o run
traceviz bandwidth -q --of transfers run >curves
is "$(integral out <curves)" "$(of_links run Intra Origin)" "transfers by the memory node that they leave"
is "$(integral in <curves)" "$(of_links run Intra Dest)" "transfers by the memory node that they reach"
is "$(traceviz bandwidth -q --of transfers --by link --step 5 run | awk -F, 'NR > 1 { s += ($4 - $3) * $5 * 1000 } END { printf "%.0f", s }')" \
	"$(of_links run Intra "" | tr -d ' ')" "transfers by link"
is "$(traceviz bandwidth -q --of all run | cut -d, -f1 | uniq | tr '\n' ' ')" "Curve sent received out in " "both"
is "$(traceviz in-flight -q --of transfers --by all run | awk -F, 'NR > 1 { s += ($4 - $3) * $5 } END { printf "%.6f", s }')" \
	"$(awk -F, '/^Intra/ { s += $6 - $5 } END { printf "%.6f", s }' run/links.csv)" "transfers in flight: their durations"
is "$(for w in "--end 500" "--begin 500"; do traceviz bandwidth -q $w run; done | integral sent)" "$(of_links run MPI Origin)" \
	"two windows side by side have all bytes"
is "$(traceviz comm-matrix -q --all-pairs run | cut -d, -f1-4 | tail -n +2 | tr '\n' ' ')" \
	"0,0,0,0 0,1,100,368640000 1,0,90,331776000 1,1,0,0 " "comm-matrix --all-pairs"
is "$(traceviz comm-matrix -q run | awk -F, 'NR > 1 { s += $9 } END { printf "%.6f", s }')" \
	"$(traceviz messages -q run | awk -F, "$by_name"'{ s += $c["Wait"] } END { printf "%.6f", s }')" \
	"its waits are those of messages"
is "$(traceviz comm-matrix -q "$TESTDATA/fxt/1.4.0" | cut -d, -f1,2,10 | tail -n +2 | tr '\n' ' ')" "0,1,0 1,0,6 " \
	"messages received before they were sent, by pair"
is "$(traceviz concurrent -q run | cksum)" "$(traceviz in-flight -q run | cksum)" "concurrent is in-flight"
run traceviz in-flight --of requests run
like "$rc $(cat stderr)" "1 *does not contain when sends complete and receives are posted*" "requests need their times"

# nodes that are selected: their curves; what they send and receive
four=$DATA/cholesky-4nodes/p2x2
is "$(traceviz bandwidth -q --node 1,2 $four | cksum) $(traceviz in-flight -q --node 3 $four | cksum)" \
	"$(traceviz bandwidth -q --where 'By == "1" or By == "2"' $four | cksum) $(traceviz in-flight -q --where 'By == "3"' $four | cksum)" \
	"--node: the curves of these nodes, unchanged"
traceviz comm-matrix -q $four >matrix
is "$(traceviz bandwidth -q --by all --node 1 $four | integral messages | tr -d ' ')" \
	"$(awk -F, '$1 == 1 || $2 == 1 { s += $4 } END { printf "%.0f", s }' matrix)" "--by all --node: what it sends and receives"
is "$(traceviz bandwidth -q --by link --node 1 $four | cut -d, -f2 | sort -u | tr '\n' ' ')" \
	"$(awk -F, 'NR > 1 && ($1 == 1 || $2 == 1) { print $1 "->" $2 }' matrix | sort | tr '\n' ' ')By " "links from and to it"
is "$(traceviz in-flight -q --of transfers --node 1 run | cut -d, -f2 | sort -u | tr '\n' ' ')" \
	"1_MEMMANAGER0 1_MEMMANAGER1 1_MEMMANAGER2 1_MEMMANAGER3 By " "memory nodes of a node"
traceviz messages -q $four >all
traceviz messages -q --node 1 $four >some
of() { awk -F, -v all="$2" "$by_name"'
	$2 == 1 || $3 == 1 || (!all && $c["Wait"] == 0) { print $1, $2, $3, $8 }' $1; }
is "$(of some 0 | cksum)" "$(of all 1 | cksum)" "messages --node: those from and to the node, others only if it waited for them"
is "$(traceviz comm-matrix -q --node 1 $four | cut -d, -f1-8 | awk -F, '$1 == 1 || $2 == 1' | cksum)" \
	"$(cut -d, -f1-8 matrix | awk -F, '$1 == 1 || $2 == 1' | cksum)" "comm-matrix --node: the pairs of the node"

need_shared 2
for grid in p1x4 p2x2; do
	traceviz convert -q "$SHARED/data/mpi/cholesky-30-dmdas-4nodes-10GbE/$grid" -o $grid
	traceviz bandwidth -q $grid >curves; traceviz in-flight -q $grid >flights
	is "$(integral sent <curves) $(flight sends <flights | cksum)" "$(of_links $grid MPI Origin) $(sweep $grid Origin | cksum)" "four nodes, $grid"
done
