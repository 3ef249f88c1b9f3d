#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# published-ratios.sh -- the ratios T_model / T_TASK of the tables 6.1 to 6.3 of I. Daoudi's thesis (Bordeaux, 2021) against simulations.
#   sh examples/published-ratios.sh >table.md
# For each algorithm two parameters are chosen by its two ratios at N = 12288 (a grid): the overlap ratio, and by how much all bandwidths
# of the platform are divided, which are not published (simulated as kernels that are faster by this factor). The other 18 ratios are
# predicted. Run it in the top folder; it uses build/traceviz, else traceviz from PATH. Some minutes.
set -eu
PATH=$PWD/build:$PATH
published=$PWD/examples/data/somp-errors.csv
gemm=19.79 # GFlop/s: 2 * 512^3 in the 13.564 ms of the thesis's figure 4.1; assumed for all kernels
overlaps="0 0.02 0.04 0.07 0.1 0.15 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9"
factors="1 1.25 1.5 2 2.5 3 4 5 6 8"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

makespan() { # GRAPH MODEL OVERLAP FACTOR: ms
	if [ "$2" = task ]; then overlap=; else overlap="--overlap $3"; fi
	# shellcheck disable=SC2086
	traceviz simulate "$1" --platform epyc7452 --model "$2" $overlap --gflops "CPU=$(echo "$gemm $4" | awk '{ print $1 * $2 }')" \
		--sweep CPU=64 -q | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR == 2 { print $c["Makespan"] }'
}
# Rows Algorithm,Size,Target,Set,Simulated of both models; the set is 100 * factor + overlap. Times are ratios.
ratios() { # ALGORITHM SIZE OVERLAP FACTOR
	traceviz generate "$1" --tiles $(($2 / 512)) --tile 512 --allocate >graph.csv
	task=$(makespan graph.csv task 0 "$4")
	for model in comm comm-cache; do
		echo "$1 $2 $model $3 $4 $(makespan graph.csv $model "$3" "$4") $task" |
			awk '{ printf "%s,%s,%s,%.10g,%.6f\n", $1, $2, $3, 100 * $5 + $4, $6 / $7 }'
	done
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
# What was chosen: factor and overlap, then the other sizes with them.
traceviz precision native.csv model=grid.csv --by Algorithm --fit Set |
	awk -F, 'NR > 1 && $2 == "" { print $1, int($NF) / 100, $NF - int($NF) }' >chosen
while read -r algorithm factor overlap; do
	for size in 16384 20480 24576; do ratios "$algorithm" $size "$overlap" "$factor"; done
done <chosen >>grid.csv
traceviz precision native.csv model=grid.csv --by Algorithm --fit Set --fit-where 'Size == 12288' >errors.csv
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
	sum += $c["AbsoluteError"]; m++
	if ($c["Target"] == "comm-cache") { cached += $c["AbsoluteError"]; k++ }
	if ($c["AbsoluteError"] > max) max = $c["AbsoluteError"]
}
END {
	for (i = 1; i <= n; i++) {
		split(order[i], name, ",")
		printf "| %s | %g | %g | %s |", name[1], int(set[order[i]]) / 100, set[order[i]] - int(set[order[i]]), name[2]
		for (size = 12288; size <= 24576; size += 4096) printf " %s |", cell[order[i], size]
		print ""
	}
	printf "\nPredicted ratios: mean residual %.1f %% of %d (comm-cache: %.1f %% of %d), largest %.1f %%\n", sum / m, m, cached / k, k, max
}' errors.csv
