#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# monitor-use.t: record --monitor under wrong use, on large machines, without space; what descriptions run; workers on a machine
. "$(dirname "$0")/lib.sh"
if traceviz record --monitor constant -o probe -- true 2>&1 | grep -q 'without hwloc'; then
	plan 1
	skip 1 "built without hwloc"
	exit
fi
plan 24

refused() { # STATUS MESSAGE ARGUMENTS...
	want="$1 traceviz: $2"
	shift 2
	run traceviz record "$@" -o no -- touch ran
	like "$rc $(cat stderr)" "$want" "refused: $*"
}
refused 2 "--every '1us', expected a time from 10us to 3600s such as 10 (ms) or 500us" --monitor constant --every 1us
refused 2 "--monitor: 'constant' at Machine:0 is listed twice" --monitor ramp,constant,constant
refused 2 "--monitor: 'constant' at PU:0 is listed twice" --monitor PU:0/constant,PU/constant
refused 2 "--monitor: 'noise:x' is unknown*" --monitor noise:x
refused 2 "--monitor: 'constant:' is unknown*" --monitor constant:
refused 2 "--monitor 'constant,,ramp': no event*" --monitor constant,,ramp
printf 'a{OBJ:=PU;PERF_LIB:=fake;EVSET:=constant;}\na{OBJ:=L3;PERF_LIB:=fake;EVSET:=ramp;}\n' >twice.mon
refused 1 "twice.mon:2:1: a second monitor 'a', expected another name" --monitor twice.mon
printf 'a{OBJ:=PU;\nPERF_LIB:=gpu;EVSET:=constant;}\n' >library.mon
refused 1 "library.mon:2:*'gpu' is no back end, expected perf, *" --monitor library.mon
head -c 3000 /dev/zero >zeros.mon
refused 1 "zeros.mon:1:1: *" --monitor zeros.mon
ok "nothing ran, no folder is left" test ! -e ran -a ! -e no

# ---- a large machine, and no space ----
export HWLOC_SYNTHETIC="pack:4 l3:1 core:75 pu:1"
traceviz record -q --monitor PU/constant,L3/ramp --every 20 -o large -- sleep 0.1
traceviz convert -q large -o tables
ticks=$(sed -n 's/^Monitor.Ticks,//p' tables/meta.csv)
is "$(cut -d, -f2 tables/variables.csv | sort | uniq -c | awk '{ printf "%s %s ", $2, $1 }')" \
	"Type 1 events.constant $((300 * ticks)) events.ramp $((4 * ticks)) " "300 PUs: a row for each at each tick"
is "$(traceviz reduce events.constant --level Package -q tables | cut -d, -f1,5 | sort | uniq -c | awk '/Package/ { printf "%s %s;", $1, $2 }')" \
	"$(for p in 0 1 2 3; do printf '%s Package:%s,75;' "$ticks" $p; done)" "and their sums"
run traceviz record -f --monitor PU/constant --every 1 --max-size 1M -o large -- sleep 1
like "$rc $(cat stderr)" "0 *samples lost: no space*" "no more space: the program runs on"
traceviz convert -q large -o tables
ok "what was recorded before is there, the loss is counted" awk -F, '/^EventsLost,/ { lost = 1 } FILENAME ~ /variables/ && FNR > 1 { n[$3]++ }
	END { for (t in n) if (n[t] == 300) whole++; exit !(lost && whole >= 10) }' tables/meta.csv tables/variables.csv
unset HWLOC_SYNTHETIC

# ---- descriptions ----
cat >chain.mon <<'EOT'
a { OBJ:=PU; PERF_LIB:=proc; EVSET:=user-time, idle-time; REDUCTION:= user=$0, share=$0/($0+$1); }
b { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=a; REDUCTION:= idle=$1, both=$0+$1; }
c { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=a; }
EOT
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	# Programs that start, and libraries that open, with a description and without one; also when it is evaluated.
	used() { sed -n 's/.*execve("\([^"]*\)".*= 0$/runs \1/p; s/.*open[a-z]*(.*"\([^"]*\.so[.0-9]*\)".*= [0-9].*/opens \1/p' "$1" | sort -u; }
	strace -f -e trace=execve,open,openat -o plain traceviz record -q -f --monitor user-time -o plainrun -- true
	strace -f -e trace=execve,open,openat -o described traceviz record -q -f --monitor chain.mon -o run -- true
	is "$(used described)" "$(used plain)" "a description starts no compiler and loads nothing"
	strace -f -e trace=execve,open,openat -o plain traceviz convert -q plainrun -o plaintables
	strace -f -e trace=execve,open,openat -o described traceviz convert -q run -o tables
	is "$(used described)" "$(used plain)" "nor does its evaluation"
else
	skip 2 "no strace, or it may not trace"
fi
traceviz record -q -f --monitor chain.mon --every 20 -o run -- sleep 0.1
traceviz convert -q run -o tables
is "$(grep -E '^Monitor\.(a\.user|b\.idle|c\.user-time)\.(Unit|Kind)' tables/meta.csv | sort | tr '\n' ' ')" \
	"Monitor.a.user.Kind,counter Monitor.a.user.Unit,ns Monitor.b.idle.Kind,counter Monitor.b.idle.Unit,ns Monitor.c.user-time.Kind,counter Monitor.c.user-time.Unit,ns " \
	"outputs that are events, also of monitors below, have their unit and kind"
is "$(grep -cE '^Monitor\.(a\.share|b\.both)\.' tables/meta.csv)" 0 "computed ones have not"

# A description applied to a trace gives what a recording with it gives, bit for bit: all functions, windows, parts
# and missing values, from a table that is replayed; the monitors raw and above keep its events.
export HWLOC_SYNTHETIC="pack:2 l3:2 core:2 pu:2"
awk 'BEGIN { srand(11); print "Object,A,B"; for (t = 0; t < 40; t++) {
	for (i = 0; i < 16; i++) if (rand() < 0.9) printf "PU:%d,%s,%s\n", i, rand() < 0.1 ? 0 : rand() * 1000, rand() < 0.1 ? 0 : int(rand() * 100)
	for (i = 0; i < 4; i++) printf "L3:%d,%.9g,%d\n", i, rand(), rand() * 9 } }' >table.csv
cat >all.mon <<'EOT'
raw { OBJ:=PU; PERF_LIB:=file:table.csv; EVSET:=A, B; }
above { OBJ:=L3; PERF_LIB:=file:table.csv; EVSET:=A, B; }
cache { OBJ:=L3; PERF_LIB:=file:table.csv; EVSET:=A, B; REDUCTION:= q=$0/$1, 2*B; }
ratio { OBJ:=PU; PERF_LIB:=file:table.csv; EVSET:=A, B; REDUCTION:= r=$0/$1, h=$0/3+B; WINDOW_REDUCE:=mean; WINDOW:=4; }
total { OBJ:=PU; PERF_LIB:=file:table.csv; EVSET:=B, A; ACCUMULATE:=1; REDUCTION:= sum=$0, $1*7; }
l3 { OBJ:=L3; PERF_LIB:=accumulate; EVSET:=raw; REDUCTION:= r=$0/$1; }
machine { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=l3; REDUCTION:= r=$0/$1, a=$0; WINDOW_REDUCE:=max; WINDOW:=3; }
spread { OBJ:=Package; PERF_LIB:=join; EVSET:=raw; REDUCTION:= hmonitor_evset_var; }
side { OBJ:=Core; PERF_LIB:=join; EVSET:=ratio; }
one { OBJ:=PU:3; PERF_LIB:=file:table.csv; EVSET:=A, B; REDUCTION:= d=A-B; }
EOT
traceviz record -q -f --monitor all.mon --every 10 -o run -- sleep 0.3
traceviz convert -q run -o tables
unset HWLOC_SYNTHETIC
sort tables/variables.csv >recorded
traceviz derive -q --monitor all.mon tables | sort >derived
is "$(cut -d, -f2 recorded | sort -u | grep -c .) $(cksum <derived)" "20 $(cksum <recorded)" "derive --monitor is what the recorder computes: 19 outputs, bit for bit"
# Counters and states of the machine itself, from their differences.
printf 'raw { OBJ:=PU; PERF_LIB:=proc; EVSET:=user-time, idle-time; }\nshare { OBJ:=PU; PERF_LIB:=proc; EVSET:=user-time, idle-time; REDUCTION:= $0/($0+$1); }\nall { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=raw; }\nfree { OBJ:=Machine; PERF_LIB:=proc; EVSET:=memory-free; }\n' >proc.mon
traceviz record -q -f --monitor proc.mon --every 20 -o run -- sleep 0.2
traceviz convert -q run -o tables
sort tables/variables.csv >recorded
traceviz derive -q --monitor proc.mon tables | sort >derived
is "$(test "$(wc -l <recorded)" -gt 10 && cksum <derived)" "$(cksum <recorded)" "also of counters and states"

# ---- default: each of its events is sampled or reported ----
traceviz record -q -f --monitor default --every 20 -o run -- sleep 0.1
traceviz convert -q run -o tables
lost=
missing=", $(sed -n 's/^MonitorMissing,//p' tables/meta.csv | tr -d '"'),"
for event in task-clock cycles cache-misses user-time idle-time steal-time frequency memory-free node-memory-used cgroup-cpu-time cpu-pressure; do
	case $missing in *", $event,"*) continue ;; esac
	cut -d, -f2 tables/variables.csv | grep -qx "default.$event" || lost="$lost $event"
done
is "$lost" "" "default: what is not sampled is reported (missing here$(echo "$missing" | cut -c 2- | tr -d ,))"

# ---- workers of OpenMP on the machine ----
program=${TRACEVIZ_BIN:-$ROOT/build}/examples/clang/cholesky
cpus=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //')
if [ -x "$program" ] && [ "$cpus" != "${cpus%%[-,]*}" ]; then
	OMP_NUM_THREADS=2 OMP_PLACES=threads OMP_PROC_BIND=true OPENBLAS_NUM_THREADS=1 \
		traceviz record -q -f --openmp --monitor task-clock --skip-missing --every 5 -o bound -- "$program" -n 512 -b 64 >stdout 2>stderr ||
		OMP_NUM_THREADS=2 OMP_PLACES=threads OMP_PROC_BIND=true OPENBLAS_NUM_THREADS=1 \
			traceviz record -q -f --openmp --monitor user-time --every 5 -o bound -- "$program" -n 512 -b 64 >stdout 2>stderr
	traceviz convert -q bound -o tables
	# On a busy machine the first thread may run all tasks: then the other one is a row of its own, a worker.
	is "$(awk -F, "$by_name"'
		FILENAME ~ /resources/ { if ($c["Depth"] == "" && $c["Cpuset"] != "") { at[$1] = $c["Cpuset"]; n++ } next }
		FNR == 1 { split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["Kind"] != "worker" && $c["Cpu"] != at[$c["ResourceId"]] { wrong++ } END { print n, wrong + 0, at["T0"] != at["T1"] }' tables/resources.csv tables/tasks.csv)" "2 0 1" \
		"bound threads of OpenMP: one processor each, on which their tasks ran"
else
	skip 1 "no OpenMP program by clang (make examples), or one processor"
fi

# ---- marks: begin and end of parallel regions, drawn through the panels as docs/record.md does it ----
cat >regions.c <<'END'
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 7; i++) {
#pragma omp parallel num_threads(2)
		usleep(3000);
		usleep(2000);
	}
	return 0;
}
END
if [ -f "${TRACEVIZ_BIN:-$ROOT/build}/record/libtraceviz-openmp.so" ] && clang -fopenmp -O1 -o regions regions.c 2>clang.log; then
	traceviz record -q --openmp --monitor constant --every 5 -o marked -- ./regions 2>stderr
	traceviz convert -q marked -o marks
	awk -F, "$by_name"'
		$c["Value"] == "Parallel region" { print $c["Start"]; print $c["End"] }' marks/states.csv >times
	# Each lasts at least its sleep, and as long lies between two of them.
	is "$(awk 'NR > 1 && $1 - last < (NR % 2 ? 2 : 3) { short++ } { last = $1 } END { print NR, short + 0 }' times)" "14 0" \
		"7 parallel regions: 14 marks, in order"
	traceviz marks -q --panels levels --vlines "$(paste -sd, times)" -o marks.csv 2>stderr
	# A line has pieces between the panels, of one x; distances of lines are those of the times.
	awk -F, '$3 == "vline" { print $7 }' marks.csv | sort -nu | paste -d' ' - times >lines
	is "$(awk '{ x[NR] = $1; t[NR] = $2 } END { for (i = 1; i <= NR; i++) {
		d = (x[i] - x[1]) - (t[i] - t[1]) * (x[NR] - x[1]) / (t[NR] - t[1]); if (d < -0.01 || d > 0.01) wrong++ }
		print NF, NR, wrong + 0 }' lines)" "2 14 0" "each drawn through the levels of the machine, at its time"
else
	skip 2 "no probe of OpenMP, or no clang"
fi
