#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# select.t: --node, --resource and --restrict choose the workers that sums and curves are about
. "$(dirname "$0")/lib.sh"
plan 72

# Three nodes with 2 + 3 + 4 workers; tasks depend on tasks of their own node only. The last worker
# of each node runs nothing.
seed 42
awk -v seed="$seed" 'function random(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
	BEGIN {
		job = 0
		print "ResourceId,ResourceType,Node,Value,Kind,JobId,Start,End,SubmitTime,DependsOn,GFlop,Iteration"
		for (node = 0; node < 3; node++)
			for (w = 0; w < 2 + node; w++) {
				type = w == 0 ? "CUDA" : "CPU"; id = node "_" type w
				if (w == 1 + node) { printf "%s,%s,%d,,worker,,,,,,,\n", id, type, node; continue }
				for (t = random(3); t < 60; t += random(4)) {
					length_of = 1 + random(6); from = t; t += length_of
					before = job > 0 && node_of[job - 1] == node && end_of[job - 1] <= from ? job - 1 : ""
					node_of[job] = node; end_of[job] = t
					printf "%s,%s,%d,%s,app,%d,%d,%d,%d,%s,%d,%d\n", id, type, node,
						substr("gemmtrsmsyrk", 1 + 4 * random(3), 4), job++, from, t, from / 2, before, 1 + random(9), t / 15
				}
			}
	}' >all.csv
node() { awk -F, -v n="$1" 'NR == 1 || $3 == n' all.csv; }
t() { traceviz "$@" -q; }

# The same pass on the rows and workers of the node alone, in a window within the times of both.
window="--begin 5 --end 55"
for n in 0 1 2; do
	node $n >part.csv
	for pass in "concurrency" "concurrency --by Value --step 7" "share" "throughput --step 3" "ready" "submitted" \
		"utilization --by all" "utilization --by type --step 9" "imbalance --family homogeneous" \
		"imbalance --family heterogeneous --step 9" "aggregate --step 10 --by ResourceType"; do
		# shellcheck disable=SC2086
		is "$(t $pass $window --node $n all.csv | cksum)" "$(t $pass $window part.csv | cksum)" \
			"$pass --node $n is that of a trace of its rows"
	done
done
node 1 >part.csv
for pass in summary "lifecycle-summary" "progress --by Node"; do
	# shellcheck disable=SC2086
	is "$(t $pass --node 1 all.csv 2>&1 | cksum)" "$(t $pass part.csv 2>&1 | cksum)" "$pass --node 1 as well"
done

# The nodes add up to the run, and each is the row of --by node.
sum() { awk -F, -v f="$1" 'NR > 1 { s += $f } END { printf "%.3f", s }'; }
for pass in "idle-causes 8" "summary 5" "utilization 7"; do
	set -- $pass
	for n in 0 1 2; do t "$1" --node $n all.csv | sed 1d; done | sed 1i- >nodes
	is "$(sum "$2" <nodes)" "$(t "$1" all.csv | sum "$2")" "$1: the nodes add up to the run"
done
for n in 0 1 2; do
	is "$(t idle-causes --node $n all.csv | cut -d, -f1,2,6-)" \
		"$(t idle-causes --by node all.csv | awk -F, -v n=$n 'NR == 1 || $3 == n' | cut -d, -f1,2,6-)" \
		"idle-causes --node $n is its row of --by node"
	is "$(t starvation --node $n all.csv --step 5 | cut -d, -f2-)" \
		"$(t starvation --by node --step 5 all.csv | awk -F, -v n=$n 'NR == 1 || $1 == n' | cut -d, -f2-)" \
		"starvation --node $n is its rows of --by node"
done

# What refers to the run does not change.
is "$(t idleness --node 1 all.csv)" "$(t idleness all.csv | awk -F, 'NR == 1 || /,1,/')" "idleness of a worker does not change"
is "$(t bounds --node 1 all.csv | sed 1d | head -1 | cut -d, -f1)" 1 "bounds chooses rows"
ends() { sed 1d | awk -F, 'NR == 1 { printf "%s ", $3 } { end = $4 } END { print end }'; }
is "$(t concurrency --resource '*CUDA*' all.csv | ends)" "$(t concurrency all.csv | ends)" "a curve of some workers covers the time of the run"
is "$(t states --by type --resource 'CPU*' "$DATA/cholesky-paje")" \
	"$(t states --by type "$DATA/cholesky-paje" | awk -F, 'NR == 1 || $2 == "CPU"')" "states of all workers of a type are its rows"
is "$(t utilization --by all --step run --resource '*CUDA*' all.csv | sed 1d | cut -d, -f6)" 3 "--resource selects workers"
is "$(t utilization --by all --step run --node 0,2 all.csv | sed 1d | cut -d, -f6)" 6 "several nodes"

# Nothing fits: one warning.
for pass in concurrency outliers idle-causes utilization; do
	run traceviz $pass --node 7 all.csv
	is "$rc $(wc -l <stdout) $(grep -c 'none fits\|matches the selection' stderr)" "0 1 1" "$pass --node 7: a header and one warning"
done

# Figures
run traceviz all.csv --node 1 --panels spacetime,concurrency,share,utilization -o node.svg
is "$rc $(grep -c '3 workers' node.svg) $(grep -c '9 workers' node.svg)" "0 1 0" "curves of figures are about the selected workers"
ok "the header counts them" grep -q '2 CPU + 1 CUDA' node.svg
ok "and names the selection" grep -q 'node 1' node.svg
ok "an idle worker keeps its row" grep -q '1_CPU2' node.svg
for how in "--where Node==1" "--node 1"; do
	# shellcheck disable=SC2086
	traceviz -q all.csv $how --panels spacetime,concurrency,share,utilization -o - --to csv | grep -v header | cksum
done >sums
is "$(sort -u sums | wc -l)" 1 "--where that only some workers can fit selects them"

for panel in ready submitted concurrency gflops open-iterations; do
	traceviz -q all.csv --panels $panel --$panel.by node -o - --to csv >by.csv
	is "$(grep -c '^text.*node [012]: mean' by.csv)" 3 "--$panel.by node names three curves"
done
run traceviz all.csv --panels ready --ready.by type -o x.svg
like "$rc $(cat stderr)" "2 *--ready.by 'type', expected run or node*" "nothing else"

# --restrict drops the workers on which nothing can fit
workers() { traceviz info -q --restrict "$1" all.csv | awk -F, '$1 == "workers by node" { s = s $2 ":" $3 " " } END { print s }'; }
is "$(workers 'Node == 2')" "2:4 " "--restrict by node drops the workers of others"
is "$(workers "Value == 'gemm'")" "0:2 1:3 2:4 " "--restrict by type drops none"
is "$(workers 'not Node == 2')" "0:2 1:3 " "not"
is "$(workers "Node == 2 or Value == 'gemm'")" "0:2 1:3 2:4 " "or"
is "$(workers "ResourceType == CUDA and Duration > 3")" "0:1 1:1 2:1 " "and"
is "$(t idle-causes --restrict 'Node == 2' all.csv)" "$(node 2 | traceviz idle-causes -q -)" \
	"--restrict 'Node == 2' is a trace of its rows"
