#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi-replay.t: traces with known rungs, factors, useful times and culprits; the replay of a recording is the recording
. "$(dirname "$0")/lib.sh"
plan 21

truth=$TESTDATA/mpi-replay

# wanted FOLDER: rungs, factors, useful times, waits and sums of culprits, as truth.json has them
wanted() {
	perl -MJSON::PP -e 'local $/; my $t = JSON::PP->new->decode(<>);
		my ($f, $c, $w) = @$t{qw(factors culprits_ms waits_ms)};
		printf "%s %.6f\n", $_, $t->{rungs_ms}{$_} for qw(M R R0 Q B);
		printf "%s %.6f\n", $_, $f->{$_} for qw(parallel runtime transfer serialization load_balance);
		printf "%s %.6f\n", $_, $t->{useful_ms}{$_} for sort keys %{ $t->{useful_ms} };
		printf "%s %.6f\n", $_, $w->{$_} for sort keys %$w;
		printf "%s %.6f\n", $_, $c->{$_} for sort keys %$c;
		printf "%s %.6f\n", $_, $t->{"${_}_ms"} for qw(direct propagated idle)' "$1/truth.json"
}

given() {
	traceviz mpi-replay -q --csv "$@" | awk -F, 'NR > 1 { split("M R R0 Q B", name, " "); printf "%s %.6f\n", name[NR - 1], $2; factor[NR - 1] = $4
		names = names " " $3 } END { split("parallel runtime transfer serialization load_balance", name, " ")
		for (i = 1; i <= 5; i++) printf "%s %.6f\n", name[i], factor[i] }'
	traceviz mpi-replay -q --csv --threads "$@" | sed 1d | cut -d, -f1,3 | tr ',' ' ' | LC_ALL=C sort
	traceviz mpi-replay -q --csv --calls "$@" | awk -F, 'NR > 1 && $6 != "" { w[$6] += $7 } END { for (i in w) printf "%s %.6f\n", i, w[i] }' | LC_ALL=C sort
	traceviz mpi-replay -q --csv --culprits rank "$@" | awk -F, 'NR > 1 { sub(/^MPI_/, "", $4); name = $1 " " ($1 == "message" ? $2 "->" $3 : $1 == "collective" ? tolower($4) : $2)
		sum[name] += $7; direct += $8; further += $9 } END { for (i in sum) printf "%s %.6f\n", i, sum[i] | "LC_ALL=C sort"; close("LC_ALL=C sort")
		printf "direct %.6f\npropagated %.6f\nidle %.6f\n", direct, further, direct + further }'
}

for case in alternate collectives-hand collectives-run late-partner pipeline two-threads; do
	wanted "$truth/$case" >want
	given "$truth/$case" >got
	is "$(wc -l <want) $(diff want got)" "$(wc -l <got) " "$case: all $(wc -l <want) numbers of its truth"
done

# The makespan of the program on an ideal network, which SimGrid simulated.
for case in alternate pipeline collectives-run; do
	ideal=$(sed -n 's/.*"makespan_of_the_run_on_an_ideal_network_ms": \([0-9.]*\).*/\1/p' "$truth/$case/truth.json")
	ok "$case: within 0.001 % of its run on an ideal network" awk -v a="$(given "$truth/$case" | sed -n 's/^R0 //p')" -v b="$ideal" \
		'BEGIN { exit !(b > 0 && a / b > 0.99999 && a / b < 1.00001) }'
done

# What calls tell alone, without links.
mkdir alone
cp "$truth/pipeline"/*.csv alone && rm alone/links.csv
given alone >got
wanted "$truth/pipeline" >want
is "$(diff want got)" "" "messages are matched without links"
cp "$truth/alternate"/*.csv alone && rm alone/links.csv
run traceviz mpi-replay --csv alone
like "$(sed -n 4p stdout) $(cat stderr)" "ideal network,*,transfer, *messages without their other side*" "but not what exchanges receive"
awk -F, 'NR == 1 { print $0 ",ReceivePeer,ReceiveTag"; next } { print $0 "," ($2 ~ /Sendrecv/ ? $11 "," $12 : ",") }' "$truth/alternate/calls.csv" >alone/calls.csv
given alone >got
wanted "$truth/alternate" >want
is "$(diff want got)" "" "unless calls tell that"

# With what it took in the recording, a replay is the recording: from MPI_Init to MPI_Finalize, or of the threads that call.
recorded() {
	awk -F, 'FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
		FILENAME ~ /resources/ { if ("Start" in at && $at["Start"] != "") { start[$1] = $at["Start"]; stop[$1] = $at["End"] } next }
		$at["Call"] ~ /^MPI_Init/ { e = $at["End"]; if (init == "" || e < init + 0) init = e }
		$at["Call"] == "MPI_Finalize" && $at["Start"] > fin + 0 { fin = $at["Start"] }
		{ s = $at["Start"]; e = $at["End"]; t = $1; if (first == "" || s + 0 < first + 0) first = s; if (last == "" || e + 0 > last + 0) last = e
			called[t] }
		END { for (t in called) if (t in start) { if (start[t] + 0 < first + 0) first = start[t]; if (stop[t] + 0 > last + 0) last = stop[t] }
			if (init != "") first = init; if (fin != "") last = fin; printf "%.6f\n", last - first }' "$1/resources.csv" "$1/calls.csv"
}
for trace in "$truth"/*/ "$DATA/mpi-halo" "$DATA/mpi-overlap"; do
	is "$(traceviz mpi-replay -q --csv "$trace" | sed -n '2s/^recorded,\([^,]*\),.*/\1/p')" "$(recorded "$trace")" "$(basename "$trace"): replayed as recorded"
done

# A thread that begins while its leader waits for the team: it is the last one, and the wait lasts until it has come.
mkdir late
printf '%s\n' ResourceId,Type,Value,Start,End,Depth "0_T0,OpenMP State,Parallel region,2,8,0" "0_T0,OpenMP State,Implicit barrier,4,8,1" \
	"0_T1,OpenMP State,Parallel region,6,8,0" "0_T1,OpenMP State,Implicit barrier,7,8,1" >late/states.csv
printf '%s\n' ResourceId,Call,Class,Start,End 0_T0,MPI_Init,other,0,1 0_T0,MPI_Finalize,other,9,10 >late/calls.csv
printf '%s\n' ResourceId,ResourceType,Node,Order 0_T0,CPU,0,0 0_T1,CPU,0,1 >late/resources.csv
is "$(traceviz mpi-replay -q --csv late | sed -n '2s/^recorded,\([^,]*\),.*/\1/p') $(recorded late)" "8.000000 8.000000" "a thread that is created late: replayed as recorded"
