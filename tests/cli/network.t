#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# network.t: bounds with messages between nodes: identities, pipes, bad options, closed forms on real runs
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 25

two=$DATA/cholesky-2nodes
# ns of a bound of the whole run
of() { bound=$1; shift; traceviz bounds -q "$@" | awk -F, -v b="$bound" '$1 == "" && $2 == b { gsub(/\./, "", $4); printf "%.0f", $4 }'; }
columns="Node,Bound,Nature,Time,Gap,Excluded"

is "$(of cpe-network --network latency=0,bandwidth=inf "$two")" "$(of cpe "$two")" "free messages: cpe"
is "$(traceviz bounds -q "$two" | head -1)" "$columns" "no more columns without --network"
is "$(traceviz bounds -q --network latency=1us,bandwidth=10GB/s "$two" | head -1)" "$columns,Latency,Bandwidth,Binding" "columns"
is "$(traceviz bounds -q --network latency=1us,bandwidth=10GB/s "$two" | awk -F, '$9 == "yes" { n++; yes = $4 }
	$2 != "makespan" && NR > 1 && $4 > top { top = $4 } END { print n, yes == top }')" "1 1" "the largest of all bounds is binding"
is "$(traceviz bounds -q --durations minimum --network latency=1us,bandwidth=10GB/s "$two" | awk -F, '$2 == "cpe-network" { print $3, $7, $8 }')" \
	"bound 0.001000 10000" "a bound, with latency and bandwidth"
run traceviz bounds --durations minimum --network latency=20us,bandwidth=1.25GB/s "$two"
is "$(awk -F, '$2 == "cpe-network" { print $3 }' stdout)" "estimate" "a network slower than that of the trace proves nothing"
like "$(cat stderr)" "*178 messages took less time than --network gives them*" "and a warning reports it"
traceviz convert -q "$two" -o one.csv
traceviz bounds -q --network latency=20us,bandwidth=1.25GB/s <one.csv >piped
is "$(cat piped)" "$(traceviz bounds -q --network latency=20us,bandwidth=1.25GB/s "$two")" "a single CSV gives the same"
for how in mean minimum; do
	traceviz critical-path -q --durations $how-fastest --network latency=20us,bandwidth=1.25GB/s "$two" >path
	is "$(tail -1 path | cut -d, -f8 | tr -d .)" \
		"$(of cpe-network --durations $how --network latency=20us,bandwidth=1.25GB/s "$two")" "$how: the path has that length"
done
# messages of the observed chain, as the verb messages has them
traceviz messages -q "$two" | awk -F, 'NR > 1 { print $1, $2, $3, $8 }' | sort >all
for how in both deps; do
	traceviz critical-path -q --follow $how "$two" | awk -F, '$2 == "message" { print $3, $12, $13, $14 }' | sort >chain
	is "$(comm -12 all chain | wc -l) $(test -s chain && echo some)" "$(wc -l <chain) some" "--follow $how names its messages"
done
run traceviz bounds --network fit "$two"
# shellcheck disable=SC2154 # run sets rc
is "$rc $(cat stderr)" "1 traceviz: $two: --network fit: messages of 1 size were alone on their way, expected at least 3 sizes, or latency=T,bandwidth=B; the bandwidth is at least 3633.18 MB/s (3686400 bytes in 1.014647 ms)" \
	"one size: no fit, a lower limit of the bandwidth"
run traceviz bounds --network latency=20us,bandwidth=1.25GB/s "$DATA/cholesky.csv"
is "$rc $(cat stderr)" "2 traceviz: --network has no effect: the workers of the trace are on one node" "one node"
run traceviz critical-path --network latency=20us,bandwidth=1.25GB/s "$two"
like "$rc $(cat stderr)" "2 traceviz: --network needs --durations mean-fastest or minimum-fastest*" "critical-path: not of the observed chain"
run traceviz bounds --network latency=20us,bandwidth=1.25 "$two"
like "$rc $(cat stderr)" "2 traceviz: --network 'latency=20us,bandwidth=1.25', expected latency=T,bandwidth=B such as *" "a rate needs a unit"

# in a picture: the line is where the pass has it
traceviz -q "$two" --panels spacetime --spacetime.bounds cpe-network --spacetime.network latency=1us,bandwidth=10GB/s -o boxes.csv
like "$(grep ',bound-name,' boxes.csv)" "*network CPE 285*" "spacetime draws it"
for bad in "--spacetime.bounds cpe-network" "--spacetime.network latency=1us,bandwidth=10GB/s" \
	"--spacetime.bounds abe --spacetime.network latency=1us,bandwidth=10GB/s"; do
	# shellcheck disable=SC2086 # options
	run traceviz "$two" --panels spacetime $bad -o bad.csv
	is "$rc $(ls bad.csv 2>/dev/null)" "2 " "$bad is refused"
done
run traceviz "$two" --panels spacetime --spacetime.bounds abe,cpe-network --spacetime.network fit -o bad.csv
like "$rc $(cat stderr) $(grep -c ,bound-name, bad.csv)" "0 *--spacetime.bounds left out: --network fit: * 1" "spacetime: no fit, a warning, and the other bounds"

need_shared 4
# 30 x 30 tiles, a row of nodes: each of the 29 steps down the diagonal sends one tile of 960 x 960 floats
net=latency=20us,bandwidth=1.25GB/s
for how in mean minimum; do
	run10=$SHARED/data/mpi/cholesky-30-dmdas-4nodes-10GbE/p1x4
	is "$(of cpe-network --durations $how --network $net "$run10")" \
		"$(($(of cpe --durations $how "$run10") + 29 * (20000 + 960 * 960 * 4 * 1000 / 1250)))" "p1x4, $how: 29 messages on the path"
done
# the connection of a node, and the bytes of comm-matrix
for grid in p1x4 p2x2; do
	run10=$SHARED/data/mpi/cholesky-30-dmdas-4nodes-10GbE/$grid
	traceviz convert -q "$run10" -o $grid
	is "$(traceviz bounds -q --network latency=0,bandwidth=1.25GB/s $grid | awk -F, '$2 == "port" { print $1, $3, $4 }')" \
		"$(traceviz comm-matrix -q $grid | awk -F, 'NR > 1 { sent[$1] += $4; got[$2] += $4 } END { for (n = 0; n < 4; n++)
		printf "%d bound %.6f\n", n, (sent[n] > got[n] ? sent[n] : got[n]) / 1250000 }')" "$grid: what each connection must carry"
done
