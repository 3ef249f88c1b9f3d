#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nbc-output.t: output of OSU and IMB by the names of its header; without a size; under a launcher that marks lines
. "$(dirname "$0")/lib.sh"
plan 15

data=$ROOT/tests/data/nbc
# Call,Ranks,Bytes,MeasuredTime,CommReference,ComputeReference,OverheadRatio,OsuOverlap,ImbOverlap of rows of overlap
short() { sed 1d "$1" | cut -d, -f3,7,8,15,18-20,24,25; }
rows() { traceviz overlap "$1" >rows.csv; short rows.csv; }

# 10 us together, 6 us of computation, 8 us of communication: 100 (1 - (10 - 6) / 8) = 50, (10 - 8) / 6 = 1/3.
full="Non-blocking Allreduce,,4,0.010000,0.008000,0.006000,0.3333333333333333,50,50
Non-blocking Allreduce,,8,0.018000,0.016000,0.008000,0.25,37.5,37.5"
is "$(rows "$data/osu-full.txt")" "$full" "OSU with -f: the columns that its header names"
traceviz convert -q "$data/osu-full.txt" -o full
is "$(rows full; cut -d, -f6 full/benchmarks.csv | tr '\n' ' ')" "$full
Overlap 50 37.5 " "... and the overlap that it prints"
sed 's/Pure Comm.(us)  /& Min Comm.(us)    Max Comm.(us)  /; s/Overlap(%)/&        Validation   P50 Tail Lat(us)  P99 Tail Lat(us)/
	/^[0-9]/s/$/ 1 2 Pass 3 4/; s/  *\(8.00\|16.00\)  *\([0-9.]*\) 1 2 / \1 1 2 \2 /' "$data/osu-full.txt" >later.txt
is "$(grep -c 'Max Comm.*Tail' later.txt; rows later.txt)" "1
$full" "... of version 7: further columns before and behind"
sed 's/  */ /g' "$data/osu-full.txt" >narrow.txt
is "$(rows narrow.txt)" "$full" "one blank between the columns"
sed 's/OSU MPI/&-CUDA/' "$data/osu-full.txt" >cuda.txt
is "$(rows cuda.txt)" "$full" "of buffers on a GPU"

barrier="Non-blocking Barrier,,,0.005000,0.004000,0.003000,0.3333333333333333,50,50
Non-blocking Reduce,,4,0.004000,0.004000,0.002000,0,50,50"
run traceviz overlap "$data/osu-barrier.txt"
is "$rc $(cat stderr; short stdout)" "0 $barrier" "a barrier of OSU has no size"
sed 's/^# Overall(us)/  Overall(us)/' "$data/osu-barrier.txt" >osu5.txt
is "$(rows osu5.txt)" "$barrier" "... before version 6: its header has no #"
sed '/Reduce/,$d' "$data/osu-barrier.txt" >one.txt
traceviz convert -q one.txt -o one
is "$(rows one)" "${barrier%%
*}" "... as a table that is written and read"

# (4 + 3 - 5) / max(4, 3) = 1/2, as IMB-NBC's source has it, though its manual says min: the 66.67 of these rows.
imb="Ibarrier,2,,0.005000,0.004000,0.003000,0.3333333333333333,50,50
Ibcast,2,4,0.005000,0.004000,0.003000,0.3333333333333333,50,50
Ireduce,2,0,0.010000,0.004000,0.005000,1.25,0,0"
run traceviz overlap "$data/imb-ibarrier.txt"
is "$rc $(cat stderr; short stdout)" "0 $imb" "IMB: a barrier, defects, an overlap that is never negative"
traceviz convert -q "$data/imb-ibarrier.txt" -o imb
is "$(cut -d, -f1,2,4,8 imb/benchmarks.csv | sed 1d | tr '\n' ' ')" "Ibarrier,,1000,66.67 Ibcast,4,1000,66.67 Ireduce,0,1000,0 " "... what it prints is kept"

# What launchers write before each line.
for tag in '[1,0]<stdout>:' 'Thu Nov 26 01:20:18 2026[1,0]<stdout>:' 'Thu Nov 26 01:20:18 2026<stdout>:' '[prterun-n1-42@1,0]<stdout>: ' '[0] ' '0: '; do
	for file in osu-full osu-barrier imb-ibarrier; do
		sed "s/^/$tag/" "$data/$file.txt" >tagged.txt
		traceviz overlap "$data/$file.txt" >plain.csv
		traceviz overlap tagged.txt 2>&1 | cmp - plain.csv || echo "with '$tag': $file"
	done
done >differ
is "$(cat differ)" "" "lines that Open MPI, MPICH or Slurm marks are the same rows"
if command -v mpirun.openmpi >/dev/null; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	mpirun.openmpi --oversubscribe -n 1 --tag-output --timestamp-output cat "$data/osu-full.txt" >tagged.txt
	is "$(grep -c '^... .*\[1,0\]<stdout>:4 ' tagged.txt) $(rows tagged.txt)" "1 $full" "... as this machine's Open MPI does"
else
	skip 1 "no Open MPI"
fi

printf '1: Error Ireduce_pure, size = 4\n' | cat "$data/imb-ibarrier.txt" - >error.txt
run traceviz overlap error.txt
like "$rc $(wc -l <stdout) $(cat stderr)" "0 4 *error.txt:*1: Error Ireduce_pure*" "what is no row among rows is counted"
sed 's/Pure Comm.(us)/Comm.(us)/' "$data/osu-full.txt" | cat - "$data/osu-barrier.txt" >less.txt
run traceviz overlap less.txt
like "$rc $(cut -d, -f3 stdout | tr '\n' ' ')$(cat stderr)" "0 Call Non-blocking Barrier Non-blocking Reduce *less.txt:5: *no column Pure Comm.(us) *" \
	"a table without a column that is needed is no table of others"
printf '# Benchmarking Truly_passive_put\n#bytes #repetitions t_pure[usec] t_ovrl[usec]\n 4 100 1.00 2.00\n' | cat - "$data/imb-ibarrier.txt" >rma.txt
run traceviz overlap rma.txt
is "$rc $(cat stderr; short stdout)" "0 $imb" "IMB-RMA has no computation: not used"
