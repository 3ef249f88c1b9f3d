#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# truth-curves.t: curves, iterations and groups of real runs against numbers computed independently
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 36

# integral/maximum of every curve
curves() { sed 's/"popped, waiting"/waiting/' | awk -F, 'NR > 1 { if (!($1 in i)) name[++n] = $1; i[$1] += ($4 - $3) * $5
	if ($5 > m[$1]) m[$1] = $5 } END { for (k = 1; k <= n; k++) printf "%s %.3f/%g ", name[k], i[name[k]], m[name[k]] }'; }
# slices conserve the integrals
for s in dmda dmdas ws; do
	file=$DATA/cholesky-$s.csv
	for pass in ready submitted; do
		is "$(traceviz $pass -q --step 13 "$file" | curves | sed 's,/[-0-9.e]*,,g')" \
			"$(traceviz $pass -q "$file" | curves | sed 's,/[-0-9.e]*,,g')" \
			"$pass of $s: slices conserve the integrals"
	done
	is "$(traceviz ready -q "$file" | awk -F, 'NR > 1 { if ($5 < 0) n++; l = $5 } END { print n + 0, l }')" "0 0" \
		"ready of $s is never negative and ends at 0"
done

# iterations from tags
for s in dmda dmdas ws; do
	traceviz iterations -q "$DATA/cholesky-$s.csv" | awk -F, "$by_name"'$c["Kind"] == "app" {
		print $c["Iteration"], $2, $c["Tag"], $c["X"] "," $c["Y"], $c["Handles"] ";" $c["Modes"] }' >tasks
	is "$(cut -d' ' -f2,3 tasks | sort -u | wc -l)" 364 "$s: distinct types and tags"
	is "$(awk '{ n[$2 " " $1]++ } END { for (k = 0; k < 12; k++) { m = 11 - k
		bad += n["POTRF " k] != 1 || n["TRSM " k] + 0 != m || n["SYRK " k] + 0 != m || n["GEMM " k] + 0 != m * (m - 1) / 2 }
		print bad + 0 }' tasks)" 0 "$s: iteration k has 1, 11-k, 11-k, C(11-k,2) tasks"
	is "$(awk '{ at = $4; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, ""); split($0, part, ";"); n = split(part[1], h, " ")
		split(part[2], mode, " "); for (i = 1; i <= n; i++) if (mode[i] == "RW") {
		bad += (h[i] in tile && tile[h[i]] != at) || (at in data && data[at] != h[i]); tile[h[i]] = at; data[at] = h[i] } }
		END { for (t in data) tiles++; print bad + 0, tiles }' tasks)" "0 78" "$s: X and Y name the tile that is written"
done

need_shared 18
runs=$SHARED/data/cholesky-idcin2/12
for s in dmda dmdas ws; do traceviz convert -q "$runs/$s" -o $s; done
ready() { is "$(traceviz ready -q --counter $1 | curves)" "$2 " "ready of $1: integral/maximum"; }
ready dmda "ready 7013.929/39 counter 4986.111/34 waiting 2027.818/17"
ready dmdas "ready 7040.808/30 counter 4989.384/22 waiting 2051.424/18"
ready ws "ready 2259.800/38 counter 1508.863/35 waiting 750.937/24"
submitted() { is "$(traceviz submitted -q --counter $1 | curves | sed 's, waiting.*,,; s,/[0-9]*,,g')" "$2" \
	"submitted of $1: integrals"; }
submitted dmda "not started 113322.949 not ended 121760.273 counter 111323.485"
submitted dmdas "not started 108652.044 not ended 117535.296 counter 106626.159"
submitted ws "not started 127406.027 not ended 141509.225 counter 126667.512"

for s in dmda dmdas ws; do traceviz progress -q $s >$s.progress; done
most() { awk -F, 'NR > 1 && $10 > m { m = $10 } END { print m }' $1.progress; }
is "$(most dmda) $(most dmdas) $(most ws)" "2 4 3" "most iterations open at once"
span() { awk -F, -v k=$2 'NR > 1 && $2 == k { printf "%.1f-%.1f", $5, $9 }' $1.progress; }
is "$(span dmdas 0) $(span dmdas 1) $(span dmdas 5) $(span dmdas 11)" "0.0-270.5 60.8-343.2 426.6-595.8 712.3-728.9" \
	"iterations of dmdas"
is "$(span dmda 0)" "0.0-184.3" "the first iteration of dmda"

# aggregation
time_of() { awk -F, 'NR > 1 { t[$9] += $12 } END { printf "%.3f %.3f", t["task"], t["idle"] }'; }
for run in "dmda 8437.324 12945.336" "dmdas 8883.253 11525.679" "ws 14103.199 15525.714"; do
	set -- $run
	is "$(traceviz aggregate -q --step 10 $1 | time_of)" "$2 $3" "$1: slices hold all busy and idle time"
	is "$(traceviz aggregate -q $1 | time_of | cut -d' ' -f1)" "$2" "$1: groups hold all busy time"
done
zstd -dqf "$SHARED/data/cholesky-mirage/60/unconstrained/dmdas/paje.trace.zst" -o big.trace
traceviz convert -q big.trace -o big.csv
groups() { traceviz aggregate -q "$@" big.csv | awk -F, 'NR > 1 { n = $1 + 1; t += $9 == "task" ? $12 : 0; tasks += $11 }
	END { printf "%d %d %.6f", n, tasks, t }'; }
busy=$(awk -F, '$7 == "app" { s += $5 } END { printf "%.6f", s }' big.csv)
is "$(groups --threshold 100)" "12 37820 $busy" "60 x 60 tiles, 100 ms: 37,820 tasks in 12 groups"
is "$(groups --threshold 100 --keep-outliers)" "68 37820 $busy" "68 with outliers kept"
is "$(groups --threshold 100 --types '*gemm,*trsm')" "3022 37820 $busy" "3,022 of gemm and trsm"
