#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# starpu-gdb.t: record/gdb/decisions.py and the probe, in one run: what each says of the same decisions.
. "$(dirname "$0")/lib.sh"
plan 16

bin=${TRACEVIZ_BIN:-$ROOT/build}
examples=$(find /usr/lib/*/starpu/examples -maxdepth 0 2>/dev/null | head -1)
script=$ROOT/record/gdb/decisions.py
if [ ! -f "$bin/record/libtraceviz-starpu.so" ] || [ ! -x "$examples/cholesky_implicit" ]; then
	skip 16 "no StarPU probe (Debian: libstarpu-dev), or no programs to record (starpu-examples)"
	exit 0
fi
if ! gdb -q -batch -ex 'python print("python")' 2>/dev/null | grep -q python || [ "$(uname -m)" != x86_64 ] ||
	! gdb -q -batch -ex starti -ex 'print $xmm0.v4_int32[0] = 1' --args true >/dev/null 2>&1; then
	skip 16 "no gdb with Python on x86-64, or it cannot change registers of programs (gdb 13 on processors with AMX), so it calls no functions"
	exit 0
fi
export STARPU_HOME="$PWD/home" STARPU_NCPU=2 STARPU_NCUDA=0 STARPU_NOPENCL=0 STARPU_SILENT=1 OPENBLAS_NUM_THREADS=1
export STARPU_HISTORY_MAX_ERROR=1000000000
mkdir home
cholesky="$examples/cholesky_implicit -size 960 -nblocks 6"
for _ in 1 2 3 4 5; do STARPU_CALIBRATE=1 STARPU_SCHED=dmda $cholesky >/dev/null 2>&1; done
# A mean that ends in half a nanosecond, which both must round alike. StarPU writes seven digits, so that every tenth one below a ms does.
find home -path '*codelets*' -type f | while read -r model; do
	awk -v OFS='\t' 'NF == 8 && /^[0-9a-f]/ { $4 = "1.290665e+02" } { print }' "$model" >new && mv new "$model"
done

# both POLICY JOBS CANDIDATES: the program with the probe in gdb; ./gdb and ./tables. Where other programs take the processors, a
# worker may go on while gdb stops another one, and a model may be measured anew: then once more.
both() {
	for try in 1 2 3 4 5 6 7 8; do
		record_both "$1" "$2"
		[ "$rc $(agree candidates Length Transfer Energy Chosen)" != "0 $3 0" ] || break
		printf '# %s, try %s: %s\n' "$1" "$try" "$rc $(agree candidates Length Transfer Energy Chosen)"
	done
}
record_both() {
	rm -rf log gdb tables; mkdir log
	JOBS=$2 OUT=gdb STARPU_SCHED=$1 run timeout 100 gdb -q -batch \
		-ex "set environment LD_PRELOAD $bin/record/libtraceviz-record.so:$bin/record/libtraceviz-starpu.so" \
		-ex "set environment TRACEVIZ_DIR $PWD/log" -x "$script" --args $cholesky
	traceviz convert -q log -o tables
}
# agree TABLE COLUMN...: rows of gdb's table, those that the other has with other values
agree() {
	table=$1; shift
	awk -F, -v names="$*" '
	FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; file++; n = split(names, name, " "); next }
	{ key = $at["JobId"] "/" $at["Decision"] "/" $at["ResourceId"] "/" $at["Impl"]; values = ""
	  for (i = 1; i <= n; i++) values = values (name[i] in at ? $at[name[i]] : "") "," }
	file == 1 { seen[key] = values; next }
	{ rows++; differ += !(key in seen) || seen[key] != values }
	END { print rows + 0, differ + 0 }' "tables/$table.csv" "gdb/$table.csv"
}

for policy in dmda dmdasd; do
	both $policy all 112
	is "$rc" 0 "$policy: the program ends as ever"
	is "$(agree decisions Value Priority Nature Length Transfer TransferLeft)" "56 0" "$policy: 56 decisions, the workers chosen, and what was expected of them"
	is "$(agree candidates Length Transfer Energy Chosen)" "112 0" "$policy: the estimates of all candidates"
	is "$(cut -d, -f6 gdb/candidates.csv | sort -u | tr '\n' ' ')" "0.129066 Length " "$policy: the mean as traceviz rounds it"
	# Idle workers change the time when they are free while gdb stops them.
	agree candidates Fitness QueueTasks QueueLength PipelineLength >counts
	read -r rows differ <counts
	ok "$policy: of busy workers the same fitness and state of the queue, too ($differ of $rows differ)" test "$differ" -lt "$rows"
done
both dmdas 30,37 4
is "$(cut -d, -f1 gdb/decisions.csv | { read -r head; echo "$head"; sort -n; } | tr '\n' ' ')" "JobId 30 37 " "only the jobs that are asked for"
is "$(agree candidates Length Transfer Energy Chosen)" "4 0" "which agree"
is "$(head -1 gdb/queue.csv)" "JobId,Decision,ResourceId,Position,QueuedJobId,Priority" "the tasks in queues"
# A worker may take a task between the two readings.
miscounted() { awk -F, 'FNR == 1 { file++; next } file == 1 { n[$1, $3]++; next } n[$1, $3] + 0 != $12 { print }' gdb/queue.csv gdb/candidates.csv; }
for try in 1 2 3 4 5 6 7 8; do [ -z "$(miscounted)" ] || both dmdas 30,37 4; done
is "$(miscounted)" "" "are as many as QueueTasks"
JOBS=x OUT=gdb run gdb -q -batch -x "$script" --args true
is "$rc" 1 "wrong JOBS"
like "$(cat stderr)" "*expected JOBS=N,N... or JOBS=all*" "say what is expected"
