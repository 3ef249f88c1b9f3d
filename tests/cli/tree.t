#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tree.t: tree, tree-usage, open-fronts, front-memory; starvation, distribution, regression: identities on the samples
. "$(dirname "$0")/lib.sh"
qr=$DATA/qr-mumps-like.csv
like=$ROOT/examples/qr-mumps-like.awk
plan 41

# the sample, and what awk says of it: busy time, work, memory of each front
is "$(awk -f "$like" | cksum)" "$(cksum <"$qr")" "the generator gives the sample's bytes"
sums() { awk -F, '
	function digit(c) { return index("0123456789abcdef", c) - 1 }
	function front(tag,   i, n) { for (i = 9; i <= 16; i++) n = 16 * n + digit(substr(tag, i, 1)); return n }
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ f = front($c["Tag"]); s = $c["Start"] + 0; e = $c["End"] + 0; n[f]++; busy[f] += e - s
		if (!(f in start) || s < start[f]) start[f] = s
		if (e > end[f]) end[f] = e
		if ($2 ~ /qrt/) work[f] += $c["GFlop"]
		else if ($c["GFlop"] > 0) mb[f] += 1024 * $c["GFlop"]
		if ($2 == "do_subtree") pruned[f] = 1 }
	END { for (f in n) printf "%d %s %.6f %.6f %d %.6f %.4f %.3f\n", f, pruned[f] ? "pruned" : "not pruned", start[f], end[f],
		n[f], busy[f], work[f], mb[f] }' "$1" | sort -n; }
seed 5
awk -v fronts=300 -v seed="$seed" -v gpus=2 -f "$like" >big.csv
for f in "$qr" big.csv; do
	name=$(basename "$f")
	traceviz tree -q "$f" >tree.csv
	is "$(awk -F, 'NR > 1 { printf "%d %s %.6f %.6f %d ", $1, $4, $7, $8, $11; printf "%.6f %.4f %.3f\n", $12, $13, $14 }' \
		tree.csv | cksum)" \
		"$(sums "$f" | cksum)" "$name: fronts as summed up from the tasks"
	is "$(awk -F, 'NR > 1 && $4 == "not pruned" { print $6 }' tree.csv | sort -n | uniq |
		awk '$1 != NR { bad++ } END { print NR, bad + 0 }')" \
		"$(grep -c ',not pruned,' tree.csv) 0" "$name: positions from 1, each once"
	# a subtree is a block of rows that ends with its root
	is "$(awk -F, 'NR > 1 { up[$1] = $2; pos[$1] = $6; own[$1] = $4 == "not pruned" }
		END { for (f in up) if (own[f]) for (a = f; a != ""; a = up[a]) {
				size[a]++
				if (!(a in low) || pos[f] < low[a]) low[a] = pos[f]
				if (pos[f] > high[a]) high[a] = pos[f] }
			for (a in size) if (own[a]) bad += high[a] != pos[a] || high[a] - low[a] + 1 != size[a]; print bad + 0 }' tree.csv)" 0 \
		"$name: subtrees are contiguous"
done
awk -v fronts=300 -v seed="$seed" -v gpus=2 -v parents=1 -f "$like" >told.csv
is "$(traceviz tree -q told.csv | cksum)" "$(traceviz tree -q big.csv | cksum)" \
	"dependencies tell the parents that ANodeParent says"
# by hand: front 40 is the root, 7 its child with 6, 6 with 5, 4 with 1 2 3
is "$(traceviz tree -q "$qr" | awk -F, '$1 <= 7 || $1 == 40 { printf "%s<%s@%s ", $1, $2, $3 }')" \
	"1<4@5 2<4@5 3<4@5 4<5@4 5<6@3 6<7@2 7<40@1 40<@0 " "the first fronts and their parents"

# times are conserved, whatever the slices
busy=$(awk -F, 'NR > 1 { s += $4 - $3 } END { printf "%.3f", s }' "$qr")
work=$(awk -F, 'NR > 1 && $2 ~ /qrt/ { s += $NF } END { printf "%.6f", s }' "$qr")
for o in "" "--step 7" "--step 0.3 --by depth" "--step 10 --by position" "--by position"; do
	# shellcheck disable=SC2086
	is "$(traceviz tree-usage -q $o "$qr" | awk -F, 'NR > 1 { b += $8; p += $9 + $10 + $11 + $12; c += $9
			g += $14; u += $13 / 100 * $7 * ($2 - $1) }
		END { d = u - c; printf "%.3f %.3f %.6f %d", b, p, g, (d * d < 1e-12) }')" "$busy $busy $work 1" \
		"tree-usage $o conserves time and work"
done
traceviz tree-usage -q --step 20 "$qr" >usage.csv
traceviz tree-usage -q --step 20 --begin 100 --end 200 "$qr" | tail -n +2 >window.csv
is "$(awk -F, '$1 >= 100 && $2 <= 200' usage.csv | cksum)" "$(cksum <window.csv)" "a window is a part of the whole"

# open fronts: time between start and end; computing ones
integral() { awk -F, -v c="$1" '$1 == c { s += ($4 - $3) * $5; l = $5 } END { printf "%.3f %g", s, l }'; }
is "$(traceviz open-fronts -q "$qr" | integral open)" \
	"$(traceviz tree -q "$qr" | awk -F, 'NR > 1 { s += $8 - $7 } END { printf "%.3f", s }') 0" "integral of open fronts"
is "$(traceviz open-fronts -q --step 9 "$qr" | integral open | cut -d' ' -f1)" \
	"$(traceviz open-fronts -q "$qr" | integral open | cut -d' ' -f1)" "slices conserve it"

# memory: held from init_front or do_subtree to the end of clean_front
held() { awk -F, "$by_name"'
	$2 ~ /front|do_subtree/ { print ($c["GFlop"] > 0 ? $3 : $4), 1024 * $c["GFlop"] }' "$1" | sort -g |
	awk '{ if (NR > 1) s += m * ($1 - t); if ($1 != t && m > peak) peak = m; t = $1; m += $2 }
		END { printf "%.2f %.3f", s, peak }'; }
for f in "$qr" big.csv; do
	is "$(traceviz front-memory -q "$f" | awk -F, '$1 == "memory" { s += ($4 - $3) * $5 } $1 == "peak" { p = $5 }
		END { printf "%.2f %.3f", s, p }')" "$(held "$f")" "$(basename "$f"): integral and peak of memory"
done
is "$(traceviz front-memory -q "$qr" | grep '^peak')" "peak,,61.001962,64.490831,202.752,," "the peak, by hand"

# starvation against idle-causes and ready
for f in "$DATA/cholesky-dmdas.csv" "$DATA/cholesky-ws.csv" "$qr"; do
	name=$(basename "$f")
	want=$(traceviz idle-causes -q "$f" | awk -F, 'NR > 1 { t[$7] = $8; all += $8 }
		END { printf "%.3f %.3f %.3f %.3f", all, t["mpi"] + t["dependencies"] + t["not-submitted"], t["unsuited"], t["drain"] }')
	for o in "" "--step 3" "--by node"; do
		# shellcheck disable=SC2086
		is "$(traceviz starvation -q $o "$f" | awk -F, 'NR > 1 { d = $3 - $2; i += d * $6; l += d * $7; u += d * $8; x += d * $9 }
			END { printf "%.3f %.3f %.3f %.3f", i, l, u, x }')" "$want" "$name: starvation $o adds up to idle-causes"
	done
	is "$(traceviz starvation -q "$f" | awk -F, 'NR > 1 { s += ($3 - $2) * $5 } END { printf "%.3f", s }')" \
		"$(traceviz ready -q "$f" | awk -F, 'NR > 1 { s += ($4 - $3) * $5 } END { printf "%.3f", s }')" "$name: and to ready"
done

# histograms hold every task once; boxes and summary say the same
marked() { traceviz outliers -q "$@" "$qr" | awk -F, 'NR > 1 { o += $(NF - 1) } END { print o }'; }
want=$(traceviz summary -q "$qr" | awk -F, 'NR > 1 { print $1 "," $2 "," $4 }'; echo "~,$(marked)")
for o in "" "--scale log" "--shared --bins 7"; do
	# shellcheck disable=SC2086
	is "$(traceviz distribution -q $o "$qr" | awk -F, 'NR > 1 { n[$1 "," $2] += $5; o += $6 }
		END { for (k in n) print k "," n[k]; print "~," o }' | sort)" "$want" "distribution $o counts every execution once"
done
is "$(traceviz distribution -q --boxes "$qr" | cut -d, -f1-4,6-8,10)" \
	"$(traceviz summary -q "$qr" | awk -F, -v OFS=, '{ print $1, $2, $4, $9, $11, $12, $13, $15 }')" "boxes have the quartiles of summary"
is "$(traceviz regression -q "$qr" | awk -F, 'NR > 1 { s += $NF } END { print s }')" "$(marked --model regression)" \
	"regression counts the outliers of the regression"

# what is missing is named
for pass in tree tree-usage open-fronts front-memory; do
	run traceviz $pass "$DATA/cholesky-ws.csv"
	like "$rc $(tail -1 stderr)" "1 *the tasks have no column ANode, and their Tags are not read as fronts*" \
		"$pass: a trace without fronts"
done
