#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# layers.t: options of the space-time panel: their numbers are the passes', what is wrong is refused
. "$(dirname "$0")/lib.sh"
plan 67

f=$DATA/cholesky-dmda.csv
draw() { run traceviz -q "$f" --panels spacetime "$@" -o a.csv; }
keys() { awk -F, '$3 == "key" { print $NF }' a.csv; }
# a time as figures print it
ms() { awk -v t="$1" 'BEGIN { printf t < 9.9995 ? "%.3f" : t < 99.995 ? "%.2f" : "%.1f", t }'; }

# Merged chains: the paths of the pass, in its order.
for depth in 1 3 root; do
	draw --spacetime.merged type:POTRF --spacetime.depth $depth
	like "$(awk -F, '$3 == "panel-title" { print }' a.csv)" "*merged chains, depth $depth*" "depth $depth is printed"
	traceviz paths -q --tasks type:POTRF --depth $depth "$f" >paths.csv
	awk -F, "$by_name"'
		NR <= 7 { print $c["Path"], $c["Tasks"], $c["Delay"] }' paths.csv >want
	while read -r path tasks delay; do
		s=s; [ "$tasks" = 1 ] && s=
		printf 'path %s: %s task%s, delay %s ms\n' "$path" "$tasks" "$s" "$(ms "$delay")"
	done <want >want.keys
	awk -F'"' '/,key,/ { print $(NF - 1) }' a.csv | grep '^path' >got.keys
	ok "depth $depth: paths, tasks and delays are the pass's" cmp got.keys want.keys
	more=$(($(wc -l <paths.csv) - 7))
	is "$(grep -c ",key,.* more path" a.csv)" "$([ $more -gt 0 ] && echo 1 || echo 0)" "depth $depth: the others are counted"
	traceviz chain -q --tasks type:POTRF --depth $depth "$f" --where 'Path > 0' >chain.csv
	tasks=$(($(wc -l <chain.csv) - 1))
	is "$(grep -c '^rect,spacetime,path,' a.csv)" "$tasks" "depth $depth: every task is outlined"
done

# The observed chain: its keys add up to the makespan.
for how in both deps; do
	draw --spacetime.observed $how --width 40	# wide, so that no two outlines become one
	traceviz critical-path -q --follow $how "$f" >path.csv
	is "$(grep -c '^rect,spacetime,critical,' a.csv)" "$(grep -c '^[0-9]*,task' path.csv)" "$how: every task is outlined"
	tasks=$(awk -F, "$by_name"'$c["Part"] == "task" { s += $c["Duration"] }
		END { print s }' path.csv)
	is "$(keys | sed -n 's/^tasks //p')" "$(ms "$tasks") ms" "$how: time of its tasks"
	total=$(traceviz bounds -q "$f" | awk -F, '$2 == "makespan" { print $4 }')
	ok "$how: the keys add up to the makespan" awk -v t="$total" '{ s += $(NF - 1) } END { exit s - t > 0.3 || t - s > 0.3 }' <<EOF
$(keys)
EOF
done

# Waits have the key of their cause; a run with waits for data and without any message.
run traceviz -q "$DATA/cholesky-paje" --panels spacetime --spacetime.observed both --width 40 -o a.csv
traceviz critical-path -q "$DATA/cholesky-paje" >path.csv
wait=$(awk -F, "$by_name"'$c["Cause"] == "data" { s += $c["Duration"] }
	END { print s }' path.csv)
is "$(keys | sed -n 's/^data //p')" "$(ms "$wait") ms" "waits for data are named so"
is "$(keys | grep -c message)" 0 "and nothing else is"

# Aggregation: as many groups, and all of their parts.
draw --spacetime.aggregate consecutive --spacetime.threshold 20
n=$(traceviz aggregate -q --threshold 20 --keep-outliers "$f" | tail -1 | cut -d, -f1)
like "$(cat a.csv)" "*$((n + 1)) groups of tasks, threshold 20.00 ms*" "groups as the pass counts them"
draw --spacetime.aggregate nodes --spacetime.step 20
like "$(cat a.csv)" "*3 CUDA*shares in slices of 20.00 ms*" "slices of a node"

# Outliers like other tasks; idleness as the runtime sees it.
draw --spacetime.outliers no
is "$rc $(grep -c 'outlier' a.csv)" "0 0" "no outliers"
draw
is "$(grep -c '^rect,spacetime,outlier' a.csv)" "$(traceviz outliers -q "$f" --where 'Outlier == 1' --csv | sed 1d | wc -l | tr -d ' ')" \
	"outliers as the pass finds them"
run traceviz "$f" --panels spacetime --spacetime.idleness runtime -o a.csv
like "$rc $(cat stderr)" "0 *--spacetime.idleness left out: *Idle*Sleeping*" "no states, no runtime idleness"

# In a window: the observed chain is drawn, bounds are not.
run traceviz "$f" --panels spacetime --begin 100 --end 200 --spacetime.observed both --spacetime.bounds makespan,abe -o a.csv
like "$rc $(cat stderr)" "0 *--spacetime.bounds*window*" "bounds in a window are left out"
ok "the observed chain is not" grep -q '^rect,spacetime,critical,' a.csv
ok "without the option nothing is said" sh -c "traceviz '$f' --panels spacetime --begin 100 --end 200 -o a.csv 2>&1 | grep -c bounds | grep -qx 0"

# What is wrong.
for bad in "--spacetime.observed x" "--spacetime.messages x" "--spacetime.messages slowest:0" "--spacetime.collapse node --spacetime.aggregate slices" "--spacetime.aggregate x" "--spacetime.aggregate slices --spacetime.types a" "--spacetime.aggregate nodes --spacetime.threshold 3" \
	"--spacetime.aggregate consecutive --spacetime.step 3" "--spacetime.aggregate nodes --spacetime.merged last" "--spacetime.aggregate slices --only GEMM" "--spacetime.aggregate nodes --rows CPU0" \
	"--spacetime.deps x" "--spacetime.chains nosuch" "--spacetime.merged last --spacetime.depth x" "--spacetime.gaps -1" "--spacetime.gaps x" "--spacetime.bounds abe,x" \
	"--spacetime.labels x" "--spacetime.idleness x" "--spacetime.outliers x"; do
	# shellcheck disable=SC2086
	run traceviz "$f" --panels spacetime $bad -o bad.csv
	is "$rc $(ls bad.csv 2>/dev/null)" "2 " "$bad is refused"
done
like "$(cat stderr)" "traceviz: --spacetime.outliers 'x', expected yes or no*" "and said why"
run traceviz "$f" --panels spacetime --spacetime.messages all -o a.csv
like "$rc $(cat stderr)" "0 *--spacetime.messages left out: *no messages*" "no messages, no arrows"
draw --spacetime.merged type:nosuch
like "$rc $(cat a.csv)" "0 *merged chains, depth 3: none*" "chains of nothing are none"
# Values are checked against the option's row; none excludes other bounds.
for bad in "bounds none,abe" "bounds abe,foo" "labels some" "gaps 0" "depth -1" "step 0ms" "observed all" "idleness maybe"; do
	run traceviz "$DATA/cholesky.csv" --panels spacetime --spacetime.tasks last --spacetime.aggregate slices "--spacetime.${bad%% *}" "${bad#* }" -o bad.pdf
	like "$rc $(cat stderr)" "2 traceviz: --spacetime.${bad%% *} '${bad#* }', expected *" "$bad"
done
for bad in "abe.types 1.5" "dag.tasks 0" "durations.bins x" "durations.scale cubic" "regression.fit cubic" "progress.show rows" "ready.limit 0" "ready.by type"; do
	run traceviz "$DATA/cholesky.csv" --panels "${bad%%.*}" "--${bad%% *}" "${bad#* }" -o bad.pdf
	like "$rc $(cat stderr)" "2 traceviz: --${bad%% *} '${bad#* }', expected *" "$bad"
done
