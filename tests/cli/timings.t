#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timings.t: --timings prints every stage once, its times within the total, and changes no output
. "$(dirname "$0")/lib.sh"
plan 14
head="stage CPU (ms) wall (ms) peak (MB)"
stages() { sed '1d; s/ *[0-9.]* *[0-9.]* *[0-9.]*$//' stderr; }
# sums COLUMN: the rows above the total add up to it; each is cut by less than 0.1
sums() {
	awk -v c="$1" 'NR > 1 && $1 != "total" { sum += $(NF - c); n++ } $1 == "total" { print (sum <= $(NF - c) + 1e-6 && sum > $(NF - c) - 0.1 * n - 1e-6 ? "yes" : sum " of " $(NF - c)) }' stderr
}

run traceviz bounds -q --timings "$DATA/cholesky.csv"
is "$rc $(sed -n 1p stderr | tr -s ' ')" "0 $head" "a header with units, also with --quiet"
is "$(stages | tr '\n' ',')" "reading,completing,tasks,pass bounds,task graph,writing,releasing,other,total," "the stages of a pass"
is "$(sums 2) $(sums 1)" "yes yes" "CPU and wall time of all stages add up to the total"
is "$(awk 'NR > 1 { if ($NF < 1) bad = 1; if ($1 == "total") total = $NF; else if ($NF > max) max = $NF }
	END { print bad + 0, max == total }' stderr)" "0 1" "the total has the highest peak of memory"
traceviz bounds -q "$DATA/cholesky.csv" >plain 2>silent
is "$(cmp stdout plain && cat silent)" "" "the result is the same; without the option nothing is printed"

for medium in pdf png svg html csv; do
	traceviz -q --timings "$DATA/cholesky.csv" -o figure.$medium 2>stderr
	stages | grep 'back end'
done >media
is "$(tr '\n' ',' <media)" "back end pdf,back end png,back end svg,back end html,back end boxes," "each back end"
traceviz -q --timings "$DATA/cholesky.csv" --panels spacetime,ready -o figure.pdf 2>stderr
is "$(stages | grep -cxE 'layout|panel spacetime|panel ready|pass (bounds|idleness|outliers|ready)|writing')" 8 "the stages of a figure, each once"
is "$(sums 2) $(sums 1)" "yes yes" "stages inside others count once"

run traceviz --facet --timings -q a="$DATA/cholesky.csv" b="$DATA/cholesky.csv" -o figure.pdf
is "$rc $(stages | grep -cE '^(reading|pass bounds)$')" "0 2" "stages of several runs are one row each"

run traceviz convert --timings -q "$DATA/cholesky.csv" -o tables
is "$rc $(stages | tr '\n' ',')" "0 reading,completing,tasks,writing,releasing,other,total," "the stages of convert"

run traceviz diagnose --timings -q "$DATA/cholesky.csv"
is "$rc $(stages | grep -cxE 'account|findings|simulations')" "0 3" "the stages of diagnose between its passes"

echo "no trace" >bad.csv
run traceviz bounds --timings bad.csv
like "$rc $(cat stderr)" "1 stage*reading*total*traceviz: bad.csv*" "stages until an error, before its message"
run traceviz --timings record -o rec -- true
is "$rc" 2 "record, which reads no trace, refuses it"
run sh -c "traceviz bounds -q --timings - <'$DATA/cholesky.csv' 2>&1 >/dev/null | tail -1 | cut -c 1-5"
is "$(cat stdout)" "total" "a trace from a pipe"
