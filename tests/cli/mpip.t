#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpip.t: reports of mpiP, and output of the benchmarks OSU and IMB-NBC
. "$(dirname "$0")/lib.sh"
plan 24

cat >app.mpiP <<'E2'
@ mpiP
@ Command : ./app 
@ Version                  : 3.5.0
@ MPI Task Assignment      : 0 host

---------------------------------------------------------------------------
@--- MPI Time (seconds) ---------------------------------------------------
---------------------------------------------------------------------------
Task    AppTime    MPITime     MPI%
   0       1.25      0.233    18.64
   1       1.50     0.0015     0.10
   *       2.75      0.234     8.53
---------------------------------------------------------------------------
@--- Callsites: 3 ---------------------------------------------------------
---------------------------------------------------------------------------
 ID Lev File/Address        Line Parent_Funct             MPI_Call
  1   0 main.c                77 main                     Isend
  1   1 start.c                5 begin                    
  2   0 main.c                80 main                     Waitall
  3   0 0x4008f4                 [unknown]                Allreduce
---------------------------------------------------------------------------
@--- Aggregate Time (top twenty, descending, milliseconds) ----------------
---------------------------------------------------------------------------
Call                 Site       Time    App%    MPI%     COV
Waitall                 2        100   50.00   80.00    0.00
---------------------------------------------------------------------------
@--- Callsite Time statistics (all, milliseconds): 8 ----------------------
---------------------------------------------------------------------------
Name              Site Rank  Count      Max     Mean      Min   App%   MPI%
Allreduce            3    0      1     30.5     30.5     30.5   2.44  12.20
Isend                1    0    100    0.512    0.025    0.011   0.20   1.00
Isend                1    1     50     0.61     0.03     0.02   0.10   0.30
Isend                1    *    150     0.61   0.0267    0.011   0.15   0.60
Waitall              2    0     10       40       20        5  16.00  80.00
---------------------------------------------------------------------------
@--- Callsite Message Sent statistics (all, sent bytes) -------------------
---------------------------------------------------------------------------
Name              Site Rank   Count       Max      Mean       Min       Sum
Isend                1    0     100      8192      4096       512    409600
---------------------------------------------------------------------------
@--- End of Report --------------------------------------------------------
---------------------------------------------------------------------------
E2
run traceviz callprofile app.mpiP
is "$rc $(cut -d, -f1-10 stdout | sed 1d | tr '\n' ' ')" \
	"0 0,run,run,,1,1250.000000,,,, 0,MPI_Allreduce,blocking,0x4008f4,1,30.500000,30.500000,30.500000,30.500000, 0,MPI_Isend,start,main.c:77,100,2.500000,0.011000,0.025000,0.512000,409600 0,MPI_Waitall,wait,main.c:80,10,200.000000,5.000000,20.000000,40.000000, 1,run,run,,1,1500.000000,,,, 1,MPI_Isend,start,main.c:77,50,1.500000,0.020000,0.030000,0.610000, " \
	"times of ranks and calls, call sites, bytes"
is "$(traceviz info app.mpiP | grep '^rows')" "rows,callprofile,6" "info"
# rank 0: 1250 - 233 = 1017 ms of computation, x 16 / 15, + 100 x 0.011 + 10 x 5 + 30.5
is "$(traceviz dedicate -q --cores 16 app.mpiP | awk -F, '$1 == "0" { print $6 }')" "1166.400000" "its prediction of a dedicated core"
sed '/^Waitall  .* 0 /,$d' app.mpiP >cut.mpiP
printf 'Waitall  2 0 10 4' >>cut.mpiP
run traceviz callprofile cut.mpiP
like "$rc $(wc -l <stdout) $(cat stderr)" "0 7 *row of a report that is not understood*report without its end*" "a report that was cut: what precedes is used"
is "$(grep 'not listed' stdout | cut -d, -f1,6)" "0,200.000000" "... the time that is missing is not taken for computation"
run traceviz callprofile --strict cut.mpiP
is "$rc" 1 "--strict: an error"
printf '@ mpiP\n@ Version : 3.5\n' >none.mpiP
run traceviz callprofile none.mpiP
like "$rc $(cat stderr)" "1 *without times of ranks and calls*" "a report without any"
is "$(for c in Irecv Iallreduce Init Info_set Probe Iprobe Testsome Start Sendrecv Send_init Ineighbor_alltoall; do
	sed "s/^Waitall  /$c  /" app.mpiP >one.mpiP; traceviz callprofile one.mpiP | grep "^0,MPI_$c," | cut -d, -f3; done | tr '\n' ' ')" \
	"start start other other blocking test test start blocking other start " "classes by name"

# Each rank's column MPITime is the sum of its calls: rows say what the report does not list.
data=$ROOT/tests/data/mpip
# shares FILE: Rank, Call, Count, Time of rows that are no site
shares() { traceviz callprofile -q "$1" | awk -F, 'NR > 1 { print $1, $2, $5, $6 }'; }
sed '/^Isend .* [01]  /d; s/MPI Time (s/MPI Time (s/' app.mpiP >threshold.mpiP # as with -t 10
run traceviz callprofile threshold.mpiP
is "$rc $(cut -d, -f1,2,5,6 stdout | grep -v run | sed 1d | tr '\n' ' ')" \
	"0 0,MPI_Allreduce,1,30.500000 0,MPI_Waitall,10,200.000000 0,not listed,,2.500000 1,not listed,,1.500000 " "a threshold: the time that its rows lack"
like "$(cat stderr)" "*2 % of the time of MPI is in calls that the report does not list*" "... with its share"
is "$(shares "$data/mpip-no-callsites.mpiP" | grep '^[0-3]' | tr '\n' ';')" \
	"0 run 1 132.000000;0 not listed  92.200000;1 run 1 129.000000;1 not listed  86.600000;2 run 1 130.000000;2 not listed  58.500000;3 run 1 136.000000;3 not listed  51.100000;" \
	"without call sites: the MPI time of each rank"
# Calls of the table "Aggregate Time": 49.7 + 27.4 + 12.4 of Allreduce, 60 + 60 + 60 times; all and the rest are 288.
is "$(shares "$data/mpip-no-callsites.mpiP" | awk '$1 == "*" && $2 == "MPI_Allreduce" { print $3, $4 } $1 == "*" && $2 != "run" { s += $NF } END { print s }' | tr '\n' ' ')" \
	"180 89.500000 288 " "... calls of all ranks together"
mkdir -p sums && traceviz callprofile -q "$data/mpip-no-callsites.mpiP" >sums/callprofile.csv
is "$(traceviz callprofile -q sums | cmp - sums/callprofile.csv)" "" "... as a table that is read"
run traceviz dedicate --cores 8 "$data/mpip-no-callsites.mpiP"
is "$rc $(cut -d, -f1,3 stdout | head -5 | tail -4 | tr '\n' ' ')" "0 0,92.200000 1,86.600000 2,58.500000 3,51.100000 " "... dedicate: all of it is MPI"
like "$(cat stderr)" "*100 % of the time of MPI is in calls that the profile does not list by rank*" "... and says that it knows no more"
run traceviz callprofile "$data/mpip-concise.mpiP"
is "$rc $(awk -F, 'NR > 1 && /run|Allred|Isend|listed/ { printf "%s %s %s %s %s %.2f;", $1, $2, $5, $6, $10, $11 } NR > 2 { s += $6 } END { printf "%.2f", s }' stdout)" \
	"0 * run 1 1911.757000  0.00;* MPI_Allreduce 240 632.000000 1920 33.06;* MPI_Isend 240 0.339000 38400000 0.02;1223.23" "a concise report"
run traceviz dedicate --cores 8 "$data/mpip-concise.mpiP"
like "$rc $(cat stdout stderr)" "1 *sums of all ranks together only, expected those of each rank*" "... does not predict a rank"
sed 's/^   1       1.50     0.0015/   1       1.50     0.0010/' app.mpiP >less.mpiP
run traceviz callprofile less.mpiP
like "$rc $(cat stderr)" "0 *MPI time is below the sum of its calls: rank 1: 1.000 ms, but 1.500 ms in its calls*" "calls that take longer than all MPI: a contradiction"

# Columns by their names; files with blanks, which may contain numbers.
awk '/^@---/ { times = /Time statistics/ } times && NF == 9 { print $1, $2, $3, $9, $8, $4, $5, $6, $7; next } { print }' app.mpiP |
	sed 's/main.c                77/my 77 file.c          77/; s/main.c                80/my other.c            80/' >names.mpiP
is "$(grep -c 'MPI% App% Count' names.mpiP; traceviz callprofile -q app.mpiP | sed 's/main.c:77/my 77 file.c:77/; s/main.c:80/my other.c:80/' >expected; traceviz callprofile -q names.mpiP | diff - expected)" "1" \
	"columns in another order, names of files with blanks"

# The rows that [Reynier 2022, figures 4.12 to 4.14] prints: ours within 0.01.
printf '# OSU MPI Non-blocking Broadcast Latency Test v5.7\n# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%%)\n1048576 665.10 424.78 412.18 41.70\n1048577 1226.44 706.79 681.85 23.79\n1048578 2098.49 1888.42 1832.79 88.54\n1048579 851.56 663.64 643.58 70.80\n' >osu.txt
printf '#    Intel(R) MPI Benchmarks 2018, MPI-NBC part\n# Benchmarking Ialltoall\n# #processes = 2\n       #bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%%]\n 1048576 40 2281.20 1888.82 2052.86 80.89\n# Benchmarking Ireduce\n# #processes = 4\n #bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%%]\n 1048576 40 981.55 790.55 803.90 76.24\n' >imb.txt
is "$(traceviz overlap osu.txt | awk -F, "$by_name"'{ printf "%.2f %.3f|", $c["OsuOverlap"], $c["OverheadRatio"] }')" \
	"41.70 0.583|23.79 0.762|88.54 0.115|70.80 0.292|" "OSU: the rows that are printed"
is "$(traceviz overlap imb.txt | awk -F, "$by_name"'{ printf "%s %d %.2f %.3f|", $c["Call"], $c["Ranks"], $c["ImbOverlap"], $c["OverheadRatio"] }')" \
	"Ialltoall 2 80.89 0.121|Ireduce 4 76.24 0.225|" "IMB: likewise"
traceviz convert -q osu.txt -o osu
is "$(cut -d, -f1,2,5 osu/benchmarks.csv | tail -1) $(traceviz overlap osu | cksum)" "Non-blocking Broadcast,1048579,0.643580 $(traceviz overlap osu.txt | cksum)" "a table that is written and read"
printf '2097152 12.5 x' >>imb.txt
run traceviz overlap imb.txt
like "$rc $(wc -l <stdout) $(cat stderr)" "0 3 *row that is not understood*" "a line that was cut is skipped"
printf '# OSU MPI Latency Test v5.7\n# Size Latency (us) Overlap(%%)\n' >empty.txt
run traceviz overlap empty.txt
like "$rc $(cat stderr)" "1 *no rows of a benchmark of overlap*" "another benchmark"
