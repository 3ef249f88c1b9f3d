#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# workers.t: which threads are workers, and workers that share processors.
# needs clang
. "$(dirname "$0")/lib.sh"
plan 21

bin=${TRACEVIZ_BIN:-$ROOT/build}
workers() { traceviz info --csv -q "$1" 2>/dev/null | sed -n 's/^workers by type,//p' | paste -sd' '; }
bounds() { traceviz bounds --csv "$@" 2>bounds.err | awk -F, 'NR > 1 && $1 == "" { print $2, $3, $4 }' | paste -sd' '; }

# ---- threads that cannot run tasks ----

if [ -f "$bin/record/libtraceviz-openmp.so" ] && clang -O1 -fopenmp -o helpers "$ROOT/tests/record/helpers.c" 2>clang.err; then
	for what in target pool loop; do
		run traceviz record -o $what -- ./helpers $what
		is "$rc" 0 "helpers $what is recorded"
		[ $what != target ] || cp stderr target.err
	done
	is "$(grep -c 'warning: \([3-9]\|1[0-9]\) threads of OpenMP' target.err)" 0 "the line at the end counts no helper threads"
	# The team of the program has two threads; at most one helper thread runs the one target task.
	is "$(workers target)" "CPU,2 Helper,1" "hidden helper threads are no workers, but the one that ran a task"
	like "$(traceviz convert target -o - --to csv -q | awk -F, 'NR > 1 { n[$9 " " $7]++ } END { print n["CPU app"], n["Helper app"] }')" "40 1" \
		"all tasks are there"
	traceviz convert -q target -o tables
	like "$(grep HelperThreads tables/meta.csv)" '*0: 8 of the runtime, 1 of them ran tasks*' "the trace counts the helper threads"
	is "$(awk -F, 'NR == FNR { if (FNR > 1 && $2 != "CPU") other[$1] = 1; next } $1 in other' tables/resources.csv tables/states.csv | wc -l | tr -d ' ')" 0 \
		"their states, which are none of the program, are left out"
	# 40 tasks of 1 ms at least on two threads.
	ok "two threads cannot run 40 tasks of 1 ms in less than 20 ms: the area bound knows it" \
		sh -c "traceviz bounds --csv -q target | awk -F, '\$2 == \"abe\" { exit !(\$4 >= 20) }'"
	is "$(workers pool)" "CPU,2" "threads of a pool that were in no team with tasks are no workers"
	is "$(workers loop)" "CPU,4" "without tasks all threads are"
else
	skip 11 "no OpenMP probe was built, or clang has no OpenMP"
fi

# ---- workers that share processors ----

run traceviz bounds --csv "$DATA/mpi-halo"
is "$(grep -c 'workers share' stderr)" 1 "one warning"
like "$(cat stderr)" "*4 workers share 2 processors*" "with both numbers"
is "$(workers "$DATA/mpi-halo")" "CPU,4" "all of them are workers"

# Two hosts; three workers on processors 0 and 1 of the first, one on processor 0 of the second: 3 processors.
mkdir shared
cat >shared/resources.csv <<EOF
ResourceId,ResourceType,Node,Host,Cpuset
T0,CPU,0,a,0-1
T1,CPU,0,a,1
T2,CPU,0,a,0-1
1_T0,CPU,1,b,0
EOF
cat >shared/tasks.csv <<EOF
ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Cpu,task-clock
T0,f,0.000000,9.000000,1,app,0,CPU,0,4000000
T1,f,0.000000,9.000000,2,app,0,CPU,1,8000000
T2,f,1.000000,10.000000,3,app,0,CPU,0,5000000
1_T0,f,0.000000,7.000000,4,app,1,CPU,0,7000000
EOF
is "$(bounds shared)" "makespan observed 10.000000 cpu-time bound 8.000000 abe estimate 8.500000" \
	"cpu-time: 24 ms of CPU time on three processors of two hosts"
like "$(cat bounds.err)" "*4 workers share 3 processors*" "which is what the warning counts"
# Recorded on processor 2, to which nothing was bound when the bindings were read.
sed -i 's/^T2\(.*\),0,5000000/T2\1,2,5000000/' shared/tasks.csv
is "$(bounds shared)" "makespan observed 10.000000 cpu-time bound 6.000000 abe estimate 8.500000" "a processor on which a task ran counts"
is "$(grep -c 'bound to' bounds.err)" 0 "four workers on four processors: no warning"
sed -i 's/,8000000$/,/' shared/tasks.csv
is "$(bounds shared)" "makespan observed 10.000000 cpu-time bound 4.000000 abe estimate 8.500000" "a task without task-clock counts nothing"
like "$(cat bounds.err)" "*1 of 4 tasks, or parts of them, have no task-clock*" "which is reported"
sed -i '/^1_T0/s/,0$/,/' shared/resources.csv
is "$(bounds shared)" "makespan observed 10.000000 abe estimate 8.500000" "no cpu-time if a worker's processors are not known"
