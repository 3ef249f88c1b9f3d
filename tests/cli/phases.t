#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# phases.t: --phase cuts a trace to one of its phases, --restrict to what an expression says; a warning
# where phases are mixed
. "$(dirname "$0")/lib.sh"
plan 42
{
	echo 'ResourceId,Value,Start,End,SubmitTime'
	seq 12 | awk '{ printf "CPU%d,a,%d,%d,%d\n", $1 % 2, 10 * $1, 10 * $1 + 5, 10 * $1 - 1 }'
} >steps.csv
is "$(traceviz phases steps.csv | tail -n 1 | cut -d, -f1) $(traceviz bounds steps.csv 2>&1 | grep -c mixes)" "12 0" "many phases of few tasks are the steps of one run"

# Two solves: the second is submitted at 12, when all of the first has ended. CPU1 is idle in it.
cat >two.csv <<'END'
ResourceId,Value,Start,End,Duration,JobId,Kind,Node,ResourceType,DependsOn,SubmitTime
CPU0,a,0.000000,4.000000,4.000000,1,app,0,CPU,,-1.000000
CPU1,b,4.000000,10.000000,6.000000,2,app,0,CPU,1,-0.900000
CPU0,a,13.000000,18.000000,5.000000,3,app,0,CPU,,12.000000
CPU0,b,18.000000,20.000000,2.000000,4,app,0,CPU,3,12.100000
END
warning="traceviz: the trace has 2 phases, which this mixes: see traceviz phases, and --phase 1, last or all"
run traceviz phases two.csv
is "$rc $(cat stdout)" "0 Phase,Submit,Start,End,Makespan,Pause,Tasks,Time,Calls
1,-1.000000,0.000000,10.000000,10.000000,,2,10.000000,
2,12.000000,13.000000,20.000000,7.000000,3.000000,2,7.000000," "both are found"
is "$(cat stderr)" "" "without a warning"
run traceviz bounds two.csv
is "$(cat stderr)" "$warning" "a pass over both warns"
is "$(sed -n 2p stdout)" ",makespan,observed,20.000000,," "and counts both"
run traceviz bounds --phase all two.csv
is "$rc $(cat stderr)" "0 " "--phase all does not"
run traceviz bounds --quiet two.csv
is "$(cat stderr)" "" "nor does --quiet"
run traceviz bounds --phase 1 two.csv
is "$rc $(sed -n 2p stdout | cut -d, -f1-4)" "0 ,makespan,observed,10.000000" "the first"
is "$(cat stderr)" "" "which is one phase, so nothing is said"
run traceviz bounds --phase last two.csv
is "$rc $(sed -n 2p stdout | cut -d, -f4)" "0 7.000000" "the last"
is "$(traceviz bounds --phase 2 two.csv)" "$(cat stdout)" "is the second"
run traceviz idleness --phase 2 two.csv
is "$(cut -d, -f1,4,5,7 stdout | tail -2)" "CPU0,2,7.000000,0
CPU1,0,0.000000,100" "a worker that has no task in it is idle, not gone"
run traceviz outliers --phase 2 two.csv
is "$(grep -c ',app,' stdout)" 2 "annotating passes give the phase's rows"
for bad in 3 99999999999; do
	run traceviz bounds --phase $bad two.csv
	is "$rc $(cat stderr)" "1 traceviz: two.csv: --phase $bad: the trace has 2 phases, which 'traceviz phases' lists" "there is no phase $bad"
done
for bad in 0 x -1 ''; do
	run traceviz bounds --phase "$bad" two.csv
	is "$rc $(cat stderr)" "2 traceviz: --phase '$bad', expected a whole number from 1, last or all" "'$bad' is none"
done

# What a task of the part depends on outside of it is cut off, not lost; a wait for that leaves the recorded SubmitTime.
{
	sed 's/$/,SubmitAfter,SubmitDelay/;q' two.csv
	sed '1d;s/,3,app,0,CPU,,/,3,app,0,CPU,g1,/;s/$/,,/' two.csv | sed '3,4s/,,$/,g1,1.5/'
	echo ',taskwait,,,,g1,ghost,0,,1 2,-0.500000,,'
} >cut.csv
is "$(traceviz deps -q --csv --phase last cut.csv | cut -d, -f6,10-13)" "JobId,DependsOn,SubmitTime,SubmitAfter,SubmitDelay
3,,12.000000,,1.500000
4,3,12.100000,,1.500000
,,,," "dependencies across the cut are left out"
is "$(traceviz diagnose --all --phase last cut.csv 2>&1 | grep -c 'nowhere\|not say which')$(traceviz info -q --phase last cut.csv | grep -c 'nowhere,0')" "01" "and are no lost dependencies"
is "$(traceviz diagnose --all --phase last two.csv 2>&1 | grep -c 'no dependencies\|not say which')" 0 "nor are there none"

# One thread runs each task when it is created: no phases. With a second worker they are.
cat >alone.csv <<'END'
ResourceId,Value,Start,End,JobId,Kind,ResourceType,SubmitTime
CPU0,a,0.000000,4.000000,1,app,CPU,0.000000
CPU0,b,5.000000,10.000000,2,app,CPU,4.500000
CPU0,c,11.000000,12.000000,3,app,CPU,10.500000
END
run traceviz phases alone.csv
is "$(tail -n +2 stdout | cut -d, -f1,3-5,7)" "1,0.000000,12.000000,12.000000,3" "tasks that run as they are created are one phase"
run traceviz idleness alone.csv
is "$(cat stderr)" "" "without a warning"
(cat alone.csv; echo 'CPU1,d,13.000000,14.000000,4,app,CPU,12.500000') >both.csv
is "$(traceviz phases -q both.csv | wc -l)" 5 "on two workers the program waits between them"

# cuts of cuts
run traceviz convert --phase 2 two.csv -o second.csv
is "$rc" 0 "convert takes it"
is "$(cut -d, -f1,2,3,7 second.csv)" "ResourceId,Value,Start,Kind
CPU0,a,13.000000,app
CPU0,b,18.000000,app
CPU1,,,worker" "times stay, workers stay"
is "$(traceviz idleness -q second.csv)" "$(traceviz idleness -q --phase 2 two.csv)" "and gives the same"
is "$(traceviz phases second.csv | tail -n +2 | cut -d, -f1,3-5)" "1,13.000000,20.000000,7.000000" "now the first"
run traceviz convert --restrict 'SubmitTime >= 12' two.csv -o rest.csv
is "$rc $(cmp rest.csv second.csv)" "0 " "--restrict cuts alike"
is "$(traceviz outliers -q --restrict 'Value == a' two.csv | traceviz idleness -q)" \
	"$(traceviz idleness -q --restrict 'Value == a' two.csv)" "and the machine goes through a pipe"
run traceviz two.csv --phase 2 --restrict 'Value == b' -o cut.svg
like "$rc $(cat cut.svg)" "0 *restricted to phase 2 of 2, Value == b*" "the picture says both"
run traceviz two.csv --panels spacetime -o all.svg
is "$rc $(cat stderr)" "0 $warning" "a picture of both warns"

# no tasks, no submissions
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU0,a,5,6\n' >bare.csv
run traceviz phases bare.csv
is "$(cut -d, -f1,2 stdout | tail -1) $(cat stderr)" "1, traceviz: the trace does not say when tasks were \
submitted (SubmitTime), which distinguishes phases" "without submissions there is one phase"
is "$(traceviz bounds -q --phase last bare.csv)" "$(traceviz bounds -q bare.csv)" "which is the last"
cat >declared.csv <<'END'
ResourceId,Value,Start,End
CPU0,a,0,4
CPU1,b,1,5
END
idle="traceviz idleness -q --resources CPU=3 --restrict"
is "$($idle 'Value == a' declared.csv | cut -d, -f1,7 | tail -3 | tr '\n' ' ')" "CPU0,0 CPU1,100 CPU2,100 " \
	"workers that are declared stay, with and without tasks of their own"
is "$(traceviz outliers -q --resources CPU=3 --restrict 'Value == a' declared.csv | traceviz idleness -q)" \
	"$($idle 'Value == a' declared.csv)" "through a pipe, too"
is "$(traceviz idleness -q --restrict 'Value == a' declared.csv | cut -d, -f1,7 | tail -1)" "CPU0,0" \
	"but where nothing declares them only those with tasks are known"
for f in "$DATA"/cholesky*.csv; do
	[ "$(traceviz phases -q "$f" | wc -l)" = 2 ] || echo "$f"
done >several
is "$(cat several)" "" "each sample is one phase"

# Of a program whose creators' waits are known (SubmitAfter), in one parallel region: no wait, the creator was late; a wait between them.
sed '1s/$/,SubmitAfter,Region/; 2,$s/$/,,1/' two.csv >late.csv
run traceviz bounds late.csv
is "$(cat stderr)" "" "phases that no wait made cause no warning"
(cat late.csv; echo ",taskwait,,,,g1,ghost,0,,1 2,-0.800000,,1") | sed 's/^CPU0,a,13.*/CPU0,a,13.000000,18.000000,5.000000,3,app,0,CPU,g1,12.000000,g1,1/' >waits.csv
run traceviz bounds waits.csv
is "$(cat stderr)" "$warning" "those of a wait do"
sed '4,$s/1$/2/' late.csv >regions.csv
run traceviz bounds regions.csv
is "$(cat stderr)" "$warning" "and those of two parallel regions"
