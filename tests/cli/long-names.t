#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long-names.t: names of any length are chosen, kept apart and written whole
. "$(dirname "$0")/lib.sh"
plan 42
long() { printf "%0$1d" 0 | tr 0 "${2:-k}"; }

# Three types: a name of n characters, the same with another last character, and a short one.
for n in 63 64 127 128 255 256 511 512 1000; do
	a=$(long $((n - 1)))a b=$(long $((n - 1)))b
	printf 'ResourceId,Value,Start,End\nCPU0,%s,0,10\nCPU0,%s,10,30\nCPU0,short,30,70\n' "$a" "$b" >t.csv
	chosen() { traceviz summary t.csv --csv "$@" 2>stderr | sed 1d | cut -d, -f1 | sort | tr '\n' ' '; }
	is "$(chosen --only "$a")" "$a " "--only, $n characters"
	is "$(chosen --exclude "short,$a")" "$b " "--exclude, $n characters"
	like "$(chosen --only "?*b,none" | wc -c) $(cat stderr)" \
		"$((n + 1)) traceviz: --only 'none': none fits, expected one of *" "a pattern that fits, and one that does not"
	chosen --exclude "${a}x" >/dev/null
	is "$(head -c 40 stderr)" "$(printf 'traceviz: --exclude %s' "'$a" | head -c 40)" "a word of $((n + 1)) that fits nothing is reported"
done

# The type of a resource without ResourceType is the start of its name; the number before _ its node.
x=$(long 200)x y=$(long 200)y
node=$(long 25 1)
printf 'ResourceId,Value,Start,End\n%s2_%s0,a,0,10\n%s3_%s0,a,10,30\n' "$node" "$x" "$node" "$y" >r.csv
traceviz info r.csv --csv 2>/dev/null >out
is "$(grep -c '^"*workers by type' out)" 2 "two types of workers"
is "$(traceviz idleness r.csv --csv -q | grep -c "$node")" 2 "each on its node"
is "$(traceviz summary r.csv --by ResourceType --csv -q | sed 1d | cut -d, -f1 | tr '\n' ' ')" "$x $y " "summary by these types"
is "$(traceviz idleness --resources "$x=2" r.csv --csv 2>/dev/null | sed 1d | cut -d, -f1 | tr '\n' ' ')" "${x}0 ${node}2_${x}0 ${node}3_${y}0 " "--resources TYPE=NUMBER with a long type"

# --forbid, whose entries are pairs.
printf 'ResourceId,Value,Start,End\nCPU0,%s,0,10\nCUDA0,%s,0,2\nCPU0,b,10,20\n' "$x$x$x" "$x$x$x" >f.csv
abe() { traceviz bounds f.csv -q --csv "$@" | awk -F, '$2 == "abe" { print $4 }'; }
is "$(abe --forbid "$x$x$x:CUDA")" "30.000000" "--forbid of a type of 603 characters"

# --by with a column of a long name
sed "1s/\$/,$x/; 2,\$s/\$/,q/" f.csv >by.csv
is "$(traceviz summary by.csv --by "$x" --csv -q | sed 1d | cut -d, -f1)" "q" "--by COLUMN with a name of 201 characters"
