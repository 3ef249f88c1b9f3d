#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi-replay-simgrid.t: random MPI programs under SimGrid's smpirun, on a cluster and on an ideal network: the replay of the first run
# against the second. tests/long/mpi-replay-simgrid.t does the same with more programs.
. "$(dirname "$0")/lib.sh"
plan 3
cases=${CASES:-6}
if ! command -v smpicc >/dev/null || ! command -v smpirun >/dev/null; then
	skip 3 "no smpicc (libsimgrid-dev)"
	exit 0
fi
if ! smpicc -O1 -w -o simulated "$ROOT/tests/mpi/simulated.c" >compiled 2>&1; then
	skip 3 "smpicc does not compile: $(head -1 compiled)"
	exit 0
fi

cluster() {
	cat <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-5" speed="1Gf" bw="$1" lat="$2"/></platform>
END
}
cluster 1GBps 10us >network.xml
cluster 1000000GBps 0 >ideal.xml
printf 'n%s\n' 0 1 2 3 4 5 >hosts

# simulate PLATFORM RANKS SEED: a folder with the calls. A collective operation from or to a root counts as one: flat trees.
simulate() {
	rm -rf "$1" "$1".out.*
	mkdir "$1"
	timeout 60 smpirun -np "$2" -platform "$1.xml" -hostfile hosts --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 \
		--cfg=smpi/bcast:flattree --cfg=smpi/reduce:flat_tree ./simulated "$3" "$1.out" >log 2>&1 || cat log >>failed
	{ echo 'ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Root,Peer,Tag,Bytes,ReceivePeer,ReceiveTag'; cat "$1".out.*; } >"$1/calls.csv"
}
# time_of ROW FOLDER OPTION...: the time in that row, the first one being 1
time_of() { row=$1; shift; traceviz mpi-replay -q --csv "$@" | sed -n "$((row + 1))s/^[^,]*,\([^,]*\),.*/\1/p"; }

seed 1
: >failed
i=0
while [ $i -lt "$cases" ]; do
	i=$((i + 1))
	ranks=$((2 + (seed + i) % 5))
	for platform in network ideal; do simulate $platform $ranks $((seed + i)); done
	# 65536 bytes and more wait for their receive in SMPI.
	echo "$((seed + i)) $ranks $(time_of 1 --eager 65535 network) $(time_of 3 --eager 65535 network) $(time_of 3 network) $(time_of 1 ideal)" >>runs
done
is "$(wc -l <runs | tr -d ' ') $(cat failed)" "$cases " "all programs are simulated twice"
is "$(awk '!($3 > $6 * 1.001 && $4 / $6 > 0.999 && $4 / $6 < 1.001)' runs)" "" "without the network: the ideal run, up to 0.1 %"
is "$(awk '!($5 / $6 > 0.999 && $5 / $6 < 1.001)' runs)" "" "the same where the trace shows which messages wait"
awk '{ d = $4 / $6 - 1; d = d < 0 ? -d : d; if (d > most) most = d } END { print "# max relative difference: " most }' runs
