#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# published-ratios.sh -- the ratios T_model / T_TASK of the tables 6.1 to 6.3 of I. Daoudi's thesis (Bordeaux, 2021) against simulations.
#   sh examples/published-ratios.sh [PLACEMENT] >tables.md      PLACEMENT: random (default), first-touch, round-robin
# For each algorithm two parameters are chosen by its two ratios at N = 12288 (a grid): the overlap ratio, and by how much all bandwidths
# of the platform are divided, which are not published (simulated as kernels that are faster by this factor). The other 18 ratios are
# predicted. In the second table the overlap ratios are the thesis's, so only the bandwidths are chosen. Run it in the top folder; it
# uses build/traceviz, else traceviz from PATH. Random places: the median of three draws. Some minutes.
set -eu
PATH=$PWD/build:$PATH
published=$PWD/examples/data/somp-errors.csv
placement=${1:-random}
if [ "$placement" = random ]; then repeats="--repeats 3"; else repeats=; fi
gemm=19.79 # GFlop/s: 2 * 512^3 in the 13.564 ms of the thesis's figure 4.1; assumed for all kernels
overlaps="0 0.04 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9"
factors="0.5 1 1.5 2 2.5 3 3.5 4 5 6 8"
thesis="cholesky 0.6 qr 0.04 lu 0.1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Rows Algorithm,Size,Target,Set,Simulated of both models; the set is 100 * factor + overlap. Times are ratios.
ratios() { # ALGORITHM SIZE OVERLAP FACTOR
	[ -e "$1.$2" ] || traceviz generate "$1" --tiles $(($2 / 512)) --tile 512 --allocate >"$1.$2"
	# shellcheck disable=SC2086
	traceviz simulate "$1.$2" --platform epyc7452 --model task,comm,comm-cache --overlap "$3" --placement "$placement" $repeats \
		--gflops "CPU=$(echo "$gemm $4" | awk '{ print $1 * $2 }')" --sweep CPU=64 -q |
		awk -F, -v name="$1,$2" -v set="$4 $3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
			$c["Model"] == "task" { task = $c["Makespan"]; next }
			{ split(set, s, " "); printf "%s,%s,%.10g,%.6f\n", name, $c["Model"], 100 * s[1] + s[2], $c["Makespan"] / task }'
}
# The sets that are chosen from a grid, factor and overlap, then the other sizes with them, and their table.
table() { # GRID
	traceviz precision native.csv model="$1" --by Algorithm --fit Set |
		awk -F, 'NR > 1 && $2 == "" { print $1, int($NF) / 100, $NF - int($NF) }' >chosen
	while read -r algorithm factor overlap; do
		for size in 16384 20480 24576; do ratios "$algorithm" $size "$overlap" "$factor"; done
	done <chosen >>"$1"
	traceviz precision native.csv model="$1" --by Algorithm --fit Set --fit-where 'Size == 12288' >errors.csv
	echo "| Algorithm | Bandwidths divided by | Overlap | Model | N = 12288 (chosen by) | 16384 | 20480 | 24576 |"
	echo "|---|---|---|---|---|---|---|---|"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["Size"] == "" { next }
	{
		line = $c["Algorithm"] "," $c["Target"]
		if (!(line in set)) order[++n] = line
		set[line] = $c["Set"]
		cell[line, $c["Size"]] = sprintf("%.3f %.3f (%+.1f)", $c["Native"], $c["Simulated"], -$c["Error"])
		if ($c["Size"] == 12288) next
		sum[$c["Target"]] += $c["AbsoluteError"]; m[$c["Target"]]++
		if ($c["AbsoluteError"] > max[$c["Target"]]) max[$c["Target"]] = $c["AbsoluteError"]
	}
	END {
		for (i = 1; i <= n; i++) {
			split(order[i], name, ",")
			printf "| %s | %g | %g | %s |", name[1], int(set[order[i]]) / 100, set[order[i]] - int(set[order[i]]), name[2]
			for (size = 12288; size <= 24576; size += 4096) printf " %s |", cell[order[i], size]
			print ""
		}
		printf "\nMean residual of predicted ratios: comm %.1f %% (at most %.1f), comm-cache %.1f %% (at most %.1f)\n\n",
			sum["comm"] / m["comm"], max["comm"], sum["comm-cache"] / m["comm-cache"], max["comm-cache"]
	}' errors.csv
}
traceviz precision "$published" --by Algorithm --reference TASK |
	awk -F, 'NR == 1 { print "Algorithm,Size,Target,Native"; next } $2 != "" && $3 != "TASK" {
		printf "%s,%s,%s,%.6f\n", tolower($1), $2, $3 == "COMM" ? "comm" : "comm-cache", $9 }' >native.csv
echo "Algorithm,Size,Target,Set,Simulated" >grid.csv
for algorithm in cholesky qr lu; do
	for factor in $factors; do
		for overlap in $overlaps; do ratios $algorithm 12288 "$overlap" "$factor"; done
	done
done >>grid.csv
awk -F, -v thesis="$thesis" 'BEGIN { n = split(thesis, t, " "); for (i = 1; i < n; i += 2) overlap[t[i]] = t[i + 1] }
	NR == 1 || sprintf("%.2f", $4 - int($4)) == sprintf("%.2f", overlap[$1])' grid.csv >thesis.csv
table grid.csv
table thesis.csv
