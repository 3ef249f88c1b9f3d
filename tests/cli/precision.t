#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# precision.t: errors of simulations in tables against published averages and ratios, and parameters that were planted.
. "$(dirname "$0")/lib.sh"
plan 27
published=$ROOT/examples/data/somp-errors.csv

# The tables 6.1 to 6.3 of the thesis: nine rows of errors, the averages that its text states.
run traceviz precision "$published" --by Algorithm --reference TASK
cp stdout errors.csv
is "$rc $(head -1 errors.csv)" "0 Algorithm,Size,Model,Cases,Native,Simulated,Error,AbsoluteError,Ratio" "a table with both times"
is "$(sed -n '2,5p' errors.csv | cut -d, -f7 | tr '\n' ' ')" "9.1 7.5 6.5 5.1 " "errors as published"
is "$(awk -F, '$2 == "" && $3 == "COMM+CACHE" { print $1, $4, $7 }' errors.csv | tr '\n' ' ')" \
	"Cholesky 4 1.4250000000000003 QR 4 5.075 LU 4 2.1599999999999997 " "its averages: 1.4, 5 and 2.2 %"
is "$(awk -F, '$3 == "COMM" && $2 != "" && ($7 >= 0 || $8 != -$7) || $3 == "TASK" && $2 != "" && $7 <= 0' errors.csv)" "" \
	"COMM takes longer than the run, TASK less: the signs"
# Of the ratios of simulated times the native ones fall out.
is "$(awk -F, 'NR > 1 && $3 != "TASK" && $2 != "" { printf "%.3f ", $9 }' errors.csv)" \
	"1.167 1.215 1.143 1.130 1.066 1.080 1.058 1.039 1.249 1.298 1.297 1.338 1.086 1.062 1.064 1.056 1.120 1.188 1.269 1.342 1.042 1.067 1.072 1.085 " \
	"T_model / T_TASK"
is "$(awk -F, '$2 == ""' errors.csv | wc -l)" 9 "means of each model and algorithm"
run traceviz precision "$published"
is "$(awk -F, '$1 == ""' stdout | wc -l)" 3 "without --by over all cases"

# A planted overlap: T = Tc + max(0, Tm - overlap * Tc), the native time with noise.
awk 'BEGIN {
	srand(5)
	print "Algorithm,Size,Native" >"native.csv"
	print "Algorithm,Size,Overlap,Simulated" >"sim.csv"
	n = split("cholesky qr lu", name, " "); split("0.6 0.04 0.1", plant, " ")
	for (a = 1; a <= n; a++) for (s = 12288; s <= 24576; s += 4096) {
		c = s * s * s / 1e9; m = c * (0.7 + 0.1 * a)
		t = m > plant[a] * c ? c + m - plant[a] * c : c
		printf "%s,%d,%.6f\n", name[a], s, t * (1 + 0.004 * (rand() - 0.5)) >"native.csv"
		for (k = 0; k <= 50; k++) {
			o = k / 50; x = m - o * c
			printf "%s,%d,%g,%.6f\n", name[a], s, o, c + (x > 0 ? x : 0) >"sim.csv"
		}
	}
}'
run traceviz precision native.csv comm=sim.csv --by Algorithm --fit Overlap
cp stdout fit.csv
is "$rc $(awk -F, '$2 == "" { print $1, $9 }' fit.csv | tr '\n' ' ')" "0 cholesky 0.6 qr 0.04 lu 0.1 " "the planted overlap is found"
is "$(sed 1d fit.csv | wc -l) $(columns fit.csv Model | sort -u)" "15 comm" "only its rows; the label is the model"
is "$(awk -F, 'NR > 1 && $2 == "" && $8 > 0.2' fit.csv)" "" "errors as large as the noise"
traceviz precision native.csv comm=sim.csv --by Algorithm --fit Overlap --fit-where 'Size == 12288' >predict.csv
is "$(awk -F, '$2 == "" { print $1, $4, $9 }' predict.csv | tr '\n' ' ')" "cholesky 4 0.6 qr 4 0.04 lu 4 0.1 " "chosen by one size, the others predicted"
# Brute force over all values of the parameter.
is "$(traceviz precision native.csv comm=sim.csv --fit Overlap | awk -F, 'END { printf "%g %.9f", $9, $8 }')" \
	"$(awk -F, 'FNR == 1 { next } NR == FNR { native[$1, $2] = $3; next } { e = (native[$1, $2] - $4) / native[$1, $2]; sum[$3] += e < 0 ? -e : e } END {
		best = -1
		for (o in sum) if (best < 0 || sum[o] < sum[best] || sum[o] == sum[best] && o + 0 < best + 0) best = o
		printf "%g %.9f", best, 100 * sum[best] / 12 }' native.csv sim.csv)" "one value for all of them"
# Values that only some cases have are not comparable.
awk -F, 'NR == 1 || $3 != 0.6 || $2 == 12288' sim.csv >part.csv
is "$(traceviz precision native.csv part.csv --by Algorithm --fit Overlap | awk -F, '$1 == "cholesky" && $2 == "" { print ($9 == 0.58 || $9 == 0.62) }')" 1 "a value that lacks cases"
# Several files are one grid.
awk -F, 'NR == 1 || $3 < 0.3' sim.csv >low.csv
awk -F, 'NR == 1 || $3 >= 0.3' sim.csv >high.csv
traceviz precision native.csv comm=low.csv comm=high.csv --by Algorithm --fit Overlap >parts.csv
is "$(sort parts.csv)" "$(sort fit.csv)" "a grid in two files"

# Repeats: the median, also of an even number.
for ms in 10 20 30 40 24; do printf 'ResourceId,Value,Start,End\nc,t,0,%s\n' $ms >$ms.csv; done
run traceviz precision native=40.csv native=10.csv native=30.csv native=20.csv sim=24.csv
is "$rc $(cut -d, -f4-6 stdout | sed -n 2p)" "0 25.000000,24.000000,4" "of 10, 20, 30, 40 ms the median is 25"
run traceviz precision native=24.csv sim=40.csv sim=10.csv sim=20.csv
is "$rc $(cut -d, -f4,5 stdout | sed -n 2p)" "0 24.000000,20.000000" "of 10, 20, 40 ms it is 20"

# A sweep is a table of simulated times.
printf 'Workers,Makespan\n1,110\n2,50\n4,\n' >run.csv
printf 'Scheduler,Workers,Makespan\nfifo,1,100\nfifo,2,60\nfifo,4,30\nprio,1,99\nprio,3,7\n' >sweep.csv
run traceviz precision run.csv sweep.csv
is "$rc $(cut -d, -f1,2,6 stdout | tr '\n' ' ')" "0 Workers,Model,Error 1,fifo,9.090909090909092 2,fifo,-20 1,prio,10 ,fifo,-5.454545454545454 ,prio,10 " \
	"policies as models; what has no native time is left out"
run traceviz precision run.csv sweep.csv
cp stdout p.csv
run traceviz p.csv -o p.boxes --to csv
is "$rc $(grep -c ',point,' p.boxes)" "0 3" "as a picture"

# What cannot be.
refuse() { # STATUS PATTERN NAME ARGUMENTS...
	status=$1 pattern=$2 name=$3
	shift 3
	run traceviz precision "$@"
	like "$rc $(cat stderr)" "$status traceviz: $pattern" "$name"
}
refuse 1 "sweep.csv:1: no column Algorithm, in which the cases of native.csv differ*" "a table without the columns of a case" native.csv sweep.csv
refuse 2 "*two times for one case*" "two times for a case" native.csv sim.csv
refuse 1 "run.csv: no column Native*" "one table without native times" run.csv
refuse 2 "*no column 'Overlapp' with numbers (did you mean 'Overlap'?)*" "an unknown parameter" native.csv sim.csv --fit Overlapp
refuse 2 "*--fit-where chooses no case of the model*" "nothing to judge by" native.csv sim.csv --fit Overlap --fit-where 'Size == 1'
refuse 2 "*--by: the cases have no column 'Tiles', expected one of *" "an unknown column" native.csv sim.csv --fit Overlap --by Tiles
refuse 2 "*expected a model of the table*" "an unknown model" "$published" --reference none
refuse 2 "*--fit-where needs --fit*" "--fit-where alone" native.csv sim.csv --fit-where 'Size == 1'
printf 'Workers,Makespan\n1,110\n1,50\n' >twice.csv
refuse 1 "twice.csv:3: the case of line 2 again*" "a native time twice" twice.csv sweep.csv
