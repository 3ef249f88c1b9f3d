#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# simulate-sizes.t: data without sizes in a simulation whose transfers take time.
. "$(dirname "$0")/lib.sh"
plan 26

# table SIZES1 SIZES2 SIZES3: three tasks in a row on three data
table() {
	cat <<EOF
ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,DependsOn,Handles,Modes,Sizes
CPU0,f,0.000000,1.000000,1,app,0,CPU,,a b,R RW,$1
CPU1,f,1.000000,2.000000,2,app,0,CPU,1,b c,R RW,$2
CPU0,f,2.000000,3.000000,3,app,0,CPU,2,c a,RW R,$3
EOF
}
table "" "" "" >none.csv
table "3145728 3145728" "3145728 3145728" "3145728 3145728" >all.csv
table "" "3145728 3145728" "" >some.csv
# same FOLDER FOLDER: every table is, but for meta and the column Sizes
same() {
	for folder; do
		awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Sizes") at = i } { if (at) $at = "-"; gsub(/,-/, ""); print }' \
			"$folder/tasks.csv" >"$folder.tasks"
	done
	[ "$(wc -l <"$1.tasks")" -gt 3 ] && diff "$1.tasks" "$2.tasks" && diff -x meta.csv -x tasks.csv "$1" "$2"
}
simulate() { run traceviz simulate "$@"; }
meta() { sed -n 's/^DataSize,"*\([^"]*\)"*/\1/p' "$1/meta.csv"; }

for model in comm comm-cache comm-2020; do
	simulate none.csv --platform epyc7452 --model $model -o none-$model
	is "$(grep -c 'no size' stderr)" 1 "$model: one warning"
	like "$(cat stderr)" "*3 of 3 data have no size and count as 0 bytes, in 6 of 6 accesses (see --data-size)*" "with both numbers"
	simulate none.csv --platform epyc7452 --model $model --data-size 3MiB -o sized-$model
	is "$(grep -c 'no size' stderr) $(meta sized-$model)" "0 3MiB for 3 of 3 data without size, in 6 accesses" "none with --data-size, which meta has"
	traceviz simulate -q all.csv --platform epyc7452 --model $model -o all-$model
	ok "and the result is that of a trace with these sizes" same all-$model sized-$model
done
is "$(meta none-comm)" "0 for 3 of 3 data without size, in 6 accesses" "meta has it without the option, too"
is "$(meta all-comm)" "" "not where all data have a size"

# A size that another row has counts; the others are named.
simulate some.csv --platform epyc7452 --model comm -o some
like "$(cat stderr)" "*1 of 3 data have no size and count as 0 bytes, in 2 of 6 accesses*" "a datum whose rows have no Sizes beside others that do"
simulate some.csv --platform epyc7452 --model comm --data-size 3MiB -o some-sized
ok "--data-size gives it one, and changes no other" same all-comm some-sized

# Without a platform: 10 us and 1 GB/s, one GPU.
sed 's/CPU0/CUDA0/; s/,CPU,/,CUDA,/' none.csv | grep -v '^CPU1' | sed 's/,2,c a/,1,c a/' >gpu.csv
simulate gpu.csv --transfers latency=10us,bandwidth=1GB/s -o gpu
like "$(cat stderr)" "*3 of 3 data have no size and count as 0 bytes, in 4 of 4 accesses*" "transfers between memory nodes: the same warning"
simulate gpu.csv --transfers latency=10us,bandwidth=1GB/s --data-size 500kB -o gpu
is "$(awk -F, "$by_name"'{ printf "%.6f ", $c["End"] - $c["Start"] }' gpu/links.csv)" "0.510000 0.510000 0.510000 " \
	"500 kB at 1 GB/s behind 10 us"

simulate all.csv --platform epyc7452 --model comm --data-size 1MiB -o x
is "$rc $(grep -c 'has no effect: all data have a size' stderr)" "0 1" "--data-size where all data have a size: a warning"
simulate none.csv --data-size 1MiB -o x
is "$rc" 2 "where transfers take no time: an error"
run traceviz what-if none.csv --data-size 1MiB
is "$rc" 2 "also of what-if"
simulate none.csv --platform epyc7452 --model comm --data-size 1x -o x
is "$rc $(cat stderr)" "2 traceviz: --data-size '1x', expected a size such as 2MiB" "no size: another"

run traceviz simulate none.csv --platform epyc7452 --model task,comm --sweep CPU=2 --data-size 3MiB
is "$(awk -F, 'NR > 1 && $14 == "comm" { print $4 }' stdout) $(grep -c 'no size' stderr)" \
	"$(traceviz simulate -q all.csv --platform epyc7452 --model comm --sweep CPU=2 | awk -F, 'NR > 1 { print $4 }') 0" "--sweep: the sizes of its models with memory accesses"
run traceviz simulate none.csv --platform epyc7452 --model comm --sweep CPU=1,2
is "$(grep -c 'no size' stderr)" 1 "and one warning without it"

# what-if simulates transfers where the trace has some (1 ms for 1 MB); its Options give the makespans that it prints.
mkdir fit
sed 's/^CPU1/CUDA1/; s/,CPU,,b c\|,CPU,1,b c/,CUDA,1,b c/; s/,2,app,0,CPU/,2,app,0,CUDA/' none.csv >fit/tasks.csv
cat >fit/resources.csv <<EOF
ResourceId,ResourceType,Node,MemoryNode
CPU0,CPU,0,0
CUDA1,CUDA,0,1
MEMNODE0,MEMNODE,0,0
MEMNODE1,MEMNODE,0,1
EOF
cat >fit/links.csv <<EOF
Type,Key,Origin,Dest,Start,End,Size,Handle
Intra-node data Fetch,c1,MEMNODE0,MEMNODE1,0.000000,1.000000,1000000,d
EOF
run traceviz what-if fit --data-size 2MB
options=$(awk -F, "$by_name"'$c["What"] ~ /^replay/ { print $c["Makespan"], $c["Options"] }' stdout)
like "$options" "[1-9]*--data-size 2MB" "what-if has the option in its Options"
# shellcheck disable=SC2086 # several words
traceviz simulate -q fit ${options#* } -o fit-sim
is "$(awk -F, "$by_name"'$c["Kind"] == "app" && $c["End"] > end { end = $c["End"] } END { print end }' fit-sim/tasks.csv)" \
	"${options%% *}" "which give the makespan that it prints"
