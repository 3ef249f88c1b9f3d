#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fit-cluster.t: fit against R and published values; cluster on planted phases
. "$(dirname "$0")/lib.sh"
plan 26

variables() { # columns of values on standard input: variables y, x1, x2, ... of PU:0
	echo ResourceId,Type,Start,End,Value
	awk '{ for (i = 1; i <= NF; i++) printf "PU:0,%s,%d.000000,%d.000000,%s\n", i == 1 ? "y" : "x" i - 1, NR, NR + 1, $i }'
}
# Whether two lists of numbers agree to 1e-9, relative.
near() { printf '%s\n%s\n' "$1" "$2" | awk '{ for (i = 1; i <= NF; i++) v[NR, i] = $i; n[NR] = NF }
	END { bad = n[1] != n[2] || n[1] == 0; for (i = 1; i <= n[1]; i++) { d = v[1, i] - v[2, i]; s = v[2, i] < 0 ? -v[2, i] : v[2, i]
		if ((d < 0 ? -d : d) > 1e-9 * s) bad = 1 }; exit bad }' || echo "$1, not $2"; }
coefficients() { tail -n +2 stdout | cut -d, -f2 | tr '\n' ' '; }

# Anscombe's first set, with the values that every textbook gives
variables >anscombe.csv <<'EOF'
8.04 10
6.95 8
7.58 13
8.81 9
8.33 11
9.96 14
7.24 6
4.26 4
10.84 12
4.82 7
5.68 5
EOF
run traceviz fit y --on x1 anscombe.csv
is "$rc $(awk -F, '{ printf "%s %.6f %.6f %.7f %d %d;", $1, $2, $3, $4, $6, $7 }' stdout | cut -d';' -f2-)" \
	"0 (intercept) 3.000091 1.124747 0.6665425 11 0;x1 0.500091 0.117906 0.6665425 11 0;" "Anscombe's quartet"
is "$(near "$(sed -n 2p stdout | cut -d, -f5)" "$(awk 'BEGIN { printf "%.15g", sqrt(1 - 0.666542459508775) }')")" "" "RRMSE is sqrt(1 - R2) where the fit was made"

# exact: y = 3 + 2 a - b / 2 + a b
seed 7
awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 300; i++) { a = int(rand() * 1000); b = int(rand() * 1000); printf "%.1f %d %d\n", 3 + 2 * a - b / 2 + a * b, a, b } }' |
	variables >exact.csv
run traceviz fit y --on x1,x2 --pairs exact.csv
is "$(tail -n +2 stdout | cut -d, -f1 | tr '\n' ' ')$(near "$(coefficients)" "3 2 -0.5 1")" "(intercept) x1 x2 x1*x2 " "an exact relation"
run traceviz fit y --on x1,x2 --pairs --test 10 exact.csv
is "$(tail -n +2 stdout | cut -d, -f6,7 | sort -u) $(awk -F, 'NR > 1 && $8 > 1e-9' stdout)" "270,30 " "a share is left out, and predicted"
is "$(traceviz fit y --on x1 --test 10 exact.csv | cksum)" "$(traceviz fit y --on x1 --test 10 --seed 1 exact.csv | cksum)" "the same seed, the same choice"
ok "another seed, another choice" sh -c '[ "$(traceviz fit y --on x1 --test 10 --seed 2 exact.csv)" != "$(traceviz fit y --on x1 --test 10 exact.csv)" ]'

# against R
if command -v Rscript >/dev/null; then
	awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 500; i++) { a = rand() * 1e9; b = rand() + a / 1e9; c = rand() * 1e-3
		printf "%.15g %.15g %.15g %.15g\n", 5e3 + a / 1e5 - 300 * b + 1e6 * c * b + rand() * 1000, a, b, c } }' >noise.txt
	variables <noise.txt >noise.csv
	cat >fit.R <<'EOF'
d <- read.table("noise.txt", col.names = c("y", "x1", "x2", "x3"), colClasses = "numeric")
show <- function(m) { s <- summary(m); cat(sprintf("%.17g", c(s$coefficients[, 1], s$coefficients[, 2], s$r.squared)), "\n") }
show(lm(y ~ x1 + x2 + x3, d))
show(lm(y ~ x1 + x2 + x3 + x1:x2 + x1:x3 + x2:x3, d))
EOF
	Rscript --vanilla fit.R >R.out
	ours() { run traceviz fit y --on x1,x2,x3 "$@" noise.csv
		awk -F, 'NR > 1 { c = c " " $2; e = e " " $3; r = $4 } END { print c, e, r }' stdout; }
	is "$(near "$(ours)" "$(sed -n 1p R.out)")" "" "coefficients, standard errors and R2 are those of R's lm, to 1e-9"
	is "$(near "$(ours --pairs)" "$(sed -n 2p R.out)")" "" "with pairs, too"
else
	skip 2 "no Rscript"
fi
run traceviz fit y --on x1,x1 exact.csv
is "$rc $(cat stderr)" "2 traceviz: the variable 'x1' is given twice" "a variable twice"
awk -F, -v OFS=, '{ print } $2 == "x1" { $2 = "x3"; $5 *= 2; print }' exact.csv >dependent.csv
run traceviz fit y --on x1,x3 dependent.csv
like "$rc $(cat stderr)" "1 *the terms depend on each other*" "terms that depend on each other"
run traceviz fit y --on nothing exact.csv
like "$rc $(cat stderr)" "1 *no variable 'nothing'*" "an unknown variable"
run traceviz fit y exact.csv
is "$rc" 2 "without --on"
head -3 exact.csv >short.csv
run traceviz fit y --on x1 short.csv
like "$rc $(cat stderr)" "1 *1 observations for 2 terms*" "too few observations"

# ---- cluster: four planted phases of 50 intervals with noise, on two objects
seed 11
planted() { awk -v seed="$seed" -v levels="$1" 'BEGIN { srand(seed); split(levels, level, " "); print "ResourceId,Type,Start,End,Value"
	for (pu = 0; pu < 2; pu++) for (t = 0; t < 200; t++) {
		printf "PU:%d,miss,%d.000000,%d.000000,%.3f\n", pu, t, t + 1, level[int(t / 50) + 1] + rand() * 100
		printf "PU:%d,ipc,%d.000000,%d.000000,%.3f\n", pu, t, t + 1, 2 - level[int(t / 50) + 1] / 10000 + rand() / 100
	} }'; }
four='PU:0,0,0.000000,50.000000,50;PU:0,1,50.000000,100.000000,50;PU:0,2,100.000000,150.000000,50;PU:0,3,150.000000,200.000000,50;'
four=$four$(echo "$four" | sed 's/PU:0/PU:1/g')
planted '1000 4000 2500 7000' >phases.csv
rows() { tail -n +2 stdout | tr '\n' ';'; }
run traceviz cluster miss --k 4 phases.csv
is "$(rows)" "$four" "kmeans finds four planted phases, without a wrong label"
run traceviz cluster miss,ipc --k 4 --seed 99 phases.csv
is "$(rows)" "$four" "of two variables, with another seed"
run traceviz cluster miss --method dbscan phases.csv
is "$(rows)" "$four" "dbscan finds them and their number"
planted '1000 7000 1000 7000' >alternate.csv
run traceviz cluster miss alternate.csv
is "$(rows)" "$(echo "$four" | sed 's/,2,100/,0,100/g; s/,3,150/,1,150/g')" "two clusters in turn"
run traceviz cluster miss --method dbscan --time --eps 0.05 alternate.csv
is "$(rows)" "$four" "with --time each phase is its own"
run traceviz cluster miss --k 4 --rows intervals phases.csv
is "$(awk -F, 'NR > 1 { n++; bad += $2 != int($3 / 50) } END { print n, bad + 0 }' stdout)" "400 0" "all 400 intervals"
{ cat phases.csv; echo PU:0,miss,200.000000,201.000000,20000; } >far.csv
run traceviz cluster miss --method dbscan far.csv
is "$(grep 200.000000,201 stdout)" "PU:0,,200.000000,201.000000,1" "a value near no other is in no cluster"
run traceviz cluster miss --k 1 phases.csv
is "$(wc -l <stdout)" 3 "one cluster"
run traceviz cluster miss --k 1000 phases.csv
is "$rc" 0 "more clusters than values"
run traceviz cluster miss --eps 1 phases.csv
is "$rc $(cat stderr)" "2 traceviz: --eps has no effect with --method kmeans" "an option of the other method"
run traceviz cluster phases.csv
is "$rc" 2 "no variable"
awk -F, '{ sub(/[0-9.]+$/, NR > 1 ? "5" : "Value") } 1' phases.csv >equal.csv
is "$(traceviz cluster miss --k 3 equal.csv | wc -l) $(traceviz cluster miss --method dbscan equal.csv | wc -l)" "3 3" "all values equal"
is "$(head -2 phases.csv >one.csv; traceviz cluster miss --k 2 one.csv | wc -l)" 2 "one value"
