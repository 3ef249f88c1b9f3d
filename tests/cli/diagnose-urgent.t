#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-urgent.t: the most urgent tasks that wait, constructed, and against an oracle that tries every task at every instant
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"

plan 15

# c of 20 ms follows b of 10: b is more urgent than x of 20, which runs before it.
head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,x,2,10,30,app,,0\nC0,CPU,b,3,30,40,app,1,0\nC1,CPU,c,4,40,60,app,3,0\n'; } >urgent.csv
is "$(finds urgent-delays urgent.csv)" "m20.000000 -" "urgent-delays: b waits for x"
is "$(grep -c 'waited while its worker ran others, above all x; 20.00 ms in sum. What waited: b 20.00 ms\.' table.csv)" 1 "which is said"
sed 's/40,60/40,50/' urgent.csv >equal.csv
is "$(finds urgent-delays equal.csv)" "" "not where x is as urgent"
sed 's/C0,CPU,x/C1,CPU,x/' urgent.csv >idle.csv
is "$(finds urgent-delays idle.csv)" "" "nor where its worker is idle"
{ cat urgent.csv; printf 'C1,CPU,y,5,0,25,app,,0\nC0,CPU,z,6,40,60,app,,0\n'; } >busy.csv
is "$(finds urgent-delays busy.csv)" "m7.500000 -" "no more than the idle time that another order can fill"

# waits TRACE: how long in all, and the types
waits() {
	traceviz diagnose -q --csv "$1" | perl -ne 'next if !/^finding,\d+,urgent-delays,/ || !/waited while [^;]*; ([\d.]+) ms in sum\. .*?What waited: (.*?)\.(?: In |")/;
		print join(" ", $1, map { (split / /)[0] } split /, /, $2), "\n"'
}
oracle() { traceviz deps -q "$1" | perl "$ROOT/tests/oracle/urgent.pl" | awk '{ printf "%s", $1; for (i = 2; i < NF; i += 2) printf " %s", $i; print "" }'; }
for sample in ws dmda dmdas; do
	is "$(waits "$DATA/cholesky-$sample.csv")" "$(oracle "$DATA/cholesky-$sample.csv")" "as the oracle has it: $sample"
done

need_shared 7
for run in cholesky-idcin2/12/dmda cholesky-idcin2/12/dmdas cholesky-idcin2/12/ws cholesky-mirage/12/constrained/dmda; do
	is "$(waits "$SHARED/data/$run")" "$(oracle "$SHARED/data/$run")" "$run"
done
# Garcia Pinto 2018, 6.2.2: with DMDA, where TRSM and SYRK run on GPUs only, POTRF is delayed by GEMM on CPUs; with WS and free placement, too.
like "$(traceviz diagnose -q --csv "$SHARED/data/cholesky-mirage/12/constrained/dmda")" "*ran others, above all GEMM; *What waited: *POTRF 43.34 ms*" "delayed POTRF: dmda"
like "$(traceviz diagnose -q --csv "$SHARED/data/cholesky-idcin2/12/dmda")" "*ran others, above all dgemm; *What waited: *dpotrf 20.90 ms*" "of 2016"
like "$(traceviz diagnose -q --csv "$SHARED/data/cholesky-idcin2/12/ws")" "*ran others, above all dgemm; *What waited: dpotrf 15.79 ms*" "ws"
