#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpip.t: reports of mpiP, and output of the benchmarks OSU and IMB-NBC
. "$(dirname "$0")/lib.sh"
plan 12

cat >app.mpiP <<'E2'
@ mpiP
@ Command : ./app 
@ Version                  : 3.5.0
@ MPI Task Assignment      : 0 host

---------------------------------------------------------------------------
@--- MPI Time (seconds) ---------------------------------------------------
---------------------------------------------------------------------------
Task    AppTime    MPITime     MPI%
   0       1.25       0.25    20.00
   1       1.50       0.50    33.33
   *       2.75       0.75    27.27
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
like "$rc $(wc -l <stdout) $(cat stderr)" "0 6 *row of a report that is not understood*report without its end*" "a report that was cut: what precedes is used"
run traceviz callprofile --strict cut.mpiP
is "$rc" 1 "--strict: an error"
printf '@ mpiP\n@ Version : 3.5\n' >none.mpiP
run traceviz callprofile none.mpiP
like "$rc $(cat stderr)" "1 *without times of ranks and calls*" "a report without any"
is "$(for c in Irecv Iallreduce Init Info_set Probe Iprobe Testsome Start Sendrecv Send_init Ineighbor_alltoall; do
	sed "s/^Waitall  /$c  /" app.mpiP >one.mpiP; traceviz callprofile one.mpiP | grep "^0,MPI_$c," | cut -d, -f3; done | tr '\n' ' ')" \
	"start start other other blocking test test start blocking other start " "classes by name"

# The rows that [Reynier 2022, figures 4.12 to 4.14] prints: ours within 0.01.
printf '# OSU MPI Non-blocking Broadcast Latency Test v5.7\n# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%%)\n1048576 665.10 424.78 412.18 41.70\n1048577 1226.44 706.79 681.85 23.79\n1048578 2098.49 1888.42 1832.79 88.54\n1048579 851.56 663.64 643.58 70.80\n' >osu.txt
printf '#    Intel(R) MPI Benchmarks 2018, MPI-NBC part\n# Benchmarking Ialltoall\n# #processes = 2\n       #bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%%]\n 1048576 40 2281.20 1888.82 2052.86 80.89\n# Benchmarking Ireduce\n# #processes = 4\n #bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%%]\n 1048576 40 981.55 790.55 803.90 76.24\n' >imb.txt
is "$(traceviz overlap osu.txt | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { printf "%.2f %.3f|", $c["OsuOverlap"], $c["OverheadRatio"] }')" \
	"41.70 0.583|23.79 0.762|88.54 0.115|70.80 0.292|" "OSU: the rows that are printed"
is "$(traceviz overlap imb.txt | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { printf "%s %d %.2f %.3f|", $c["Call"], $c["Ranks"], $c["ImbOverlap"], $c["OverheadRatio"] }')" \
	"Ialltoall 2 80.89 0.121|Ireduce 4 76.24 0.225|" "IMB: likewise"
traceviz convert -q osu.txt -o osu
is "$(cut -d, -f1,2,5 osu/benchmarks.csv | tail -1) $(traceviz overlap osu | cksum)" "Non-blocking Broadcast,1048579,0.643580 $(traceviz overlap osu.txt | cksum)" "a table that is written and read"
printf '2097152 12.5 x' >>imb.txt
run traceviz overlap imb.txt
like "$rc $(wc -l <stdout) $(cat stderr)" "0 3 *row that is not understood*" "a line that was cut is skipped"
printf '# OSU MPI Latency Test v5.7\n# Size Latency (us) Overlap(%%)\n' >empty.txt
run traceviz overlap empty.txt
like "$rc $(cat stderr)" "1 *no rows of a benchmark of overlap*" "another benchmark"
