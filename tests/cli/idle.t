#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# idle.t: causes of idle time, lives of tasks and priorities from the command line
. "$(dirname "$0")/lib.sh"
plan 69

# ns FIELD: sum of a column of times (ms with six decimals), exactly, in ns
ns() { awk -F, -v f="$1" 'NR > 1 { sub(/\./, "", $f); s += $f } END { printf "%.0f", s }'; }
# column FILE NAME: the number of a column
column() { head -1 "$1" | tr ',' '\n' | grep -nx "$2" | cut -d: -f1; }

traceviz convert -q "$DATA/cholesky-paje" -o run
for trace in "$DATA"/cholesky*.csv run; do
	name=$(basename "$trace")
	makespan=$(traceviz bounds -q "$trace" | awk -F, '$1 == "" && $2 == "makespan" { sub(/\./, "", $4); print $4 }')
	idle=$(traceviz idleness -q "$trace" | awk -F, -v m="$makespan" 'NR > 1 { sub(/\./, "", $5); sub(/\./, "", $6)
		s += m - $5 - $6 } END { printf "%.0f", s }')
	for by in run node type worker; do
		traceviz idle-causes -q --by $by "$trace" >out
		is "$(ns 8 <out)" "$idle" "$name by $by: the causes are workers x makespan - busy - other"
	done
	is "$(traceviz idle-causes -q --by worker --step 7.3 "$trace" | ns 8)" "$idle" "$name: so are those of slices"
	is "$(traceviz idle-causes -q --by worker --step 7.3 "$trace" |
		awk -F, '$7 == "dependencies" { gsub(/\./, ""); if ($8 + 0 != $11 + $12 + $13 + $14 + $15) print }' | head -3)" \
		"" "$name: what is blamed adds up to dependencies in every slice"
	is "$(traceviz idle-causes -q --by blame "$trace" | ns 8)" "$idle" "$name: so are the causes with all that is blamed"
	traceviz idle-causes -q --by worker "$trace" |
		awk -F, 'NR > 1 { s[$5] += $9 } END { for (w in s) printf "%s %.6f\n", w, s[w] }' | sort >shares
	is "$(cat shares)" "$(traceviz idleness -q "$trace" | awk -F, 'NR > 1 { printf "%s %.6f\n", $1, $7 }' | sort)" \
		"$name: the shares of a worker are its idleness"
	# from DependsOn alone nothing can start before it was released
	traceviz lifecycle -q "$trace" >life
	is "$(awk -F, -v r="$(column life Released)" 'NR > 1 && $r != "" && $r > $3 + 0' life)" "" \
		"$name: no task starts before its release"
	is "$(cut -d, -f1-"$(column life Released)" life | sed 's/,[^,]*$//' | cksum)" \
		"$(traceviz convert -q "$trace" -o - | cksum)" "$name: lifecycle keeps the rows as they were"
done

# slices and windows are parts of the whole
traceviz idle-causes -q --by worker --step 100 --begin 200 --end 300 "$DATA/cholesky-ws.csv" >window
traceviz idle-causes -q --by worker --step 100 "$DATA/cholesky-ws.csv" >slices
is "$(grep '^200.000000,300.000000' slices)" "$(sed 1d window)" "a window is a slice of the run"
is "$(cut -d, -f1,2 slices | sort -u | grep -c 000000)" 13 "slices of 100 ms"
is "$(traceviz idle-causes -q "$DATA/cholesky-ws.csv" | sed -n '1p;5p' | cut -d, -f1-8)" \
	"Start,End,Node,ResourceType,ResourceId,Workers,Cause,Time
0.000000,1271.678761,,,,12,elsewhere,8.653112" "one table for the run"

# tables besides tasks make it sharper, and only that
cause() { traceviz idle-causes -q "$2" "$3" | awk -F, -v c="$1" '$7 == c { print $8 }'; }
is "$(cause data --by=run run) $(cause data --by=run run/tasks.csv)" "297.835113 0.000000" "data needs transfers or states"
for cause in elsewhere unsuited dependencies not-submitted drain unexplained; do
	[ "$(cause $cause --by=run run)" = "$(cause $cause --by=run run/tasks.csv)" ] || echo $cause
done >differ
is "$(cat differ)" "" "all causes but data and runtime come from tasks"
is "$(traceviz idle-causes -q run | cksum)" "$(traceviz idle-causes -q --with run - <run/tasks.csv | cksum)" \
	"the same from a pipe with the folder's tables"
is "$(traceviz outliers -q run | traceviz lifecycle -q - | traceviz idle-causes -q - | cksum)" \
	"$(traceviz idle-causes -q run/tasks.csv | cksum)" "a pipeline of passes"

# where a task can run; the former name of the option, and of the cause
wide=$DATA/cholesky-ws.csv
run traceviz idle-causes -q --runs anywhere "$wide"
is "$rc $(cksum <stdout)" "0 $(traceviz idle-causes -q --can-run anywhere "$wide" | cksum)" "--runs is --can-run"
is "$(traceviz idle-causes --help | grep -c -e --runs)" 0 "but not listed"
run traceviz idle-causes --can-run here "$wide"
is "$rc $(cat stderr)" "2 traceviz: --can-run 'here', expected observed or anywhere" "a wrong place"
is "$(traceviz idle-causes -q --where 'Cause == "type"' "$wide" | cut -d, -f7 | tail -1)" unsuited "a former value in an expression"
run traceviz compare -q "$DATA/cholesky-dmda.csv" "$wide" --fail-if 'idle.type.after > 1000000'
is "$rc" 0 "and in --fail-if"
printf '%s\n' ResourceId,Value,Start,End,JobId,DependsOn,ResourceType G0,g,0,10,1,,G G0,g,10,20,2,,G C0,a,10,20,3,1,C >unsuited.csv
for place in observed anywhere; do
	traceviz -q unsuited.csv --panels idle-causes --idle-causes.can-run $place -o $place.csv
done
like "$(cat observed.csv)" "*idle workers*unsuited (no task of a type that ran here) *" "the panel prints the rule"
like "$(cat anywhere.csv)" "*idle workers, if a task can run anywhere*" "and the other one"

# what the trace does not tell is said
cut -d, -f1-4 run/tasks.csv | sed 's/,,,$//; /^[^,]*$/d' >bare.csv
run traceviz idle-causes bare.csv
like "$(cat stderr)" "*the trace has no dependencies (column DependsOn)*no SubmitTime*" "missing columns are said"
is "$(awk -F, '$8 > 0 { print $7 }' stdout | sed 1d | tr '\n' ' ')" "drain unexplained " "and what follows is unexplained"
run traceviz priorities bare.csv
is "$rc $(cat stderr)" "1 traceviz: bare.csv: priorities: the tasks have no column Priority" "priorities need priorities"
run traceviz idle-causes --step -1 run
is "$rc" 2 "a negative step is a usage error"

# Eight workers without work for 63 years each: more in all than 64 bits hold.
{ echo ResourceId,Value,Start,End,JobId; for w in A B C D E F G H; do echo "$w,a,0,1,$w"; done; echo A,a,2000000000000,2000000000001,z; } >years.csv
is "$(traceviz plot -q --panels idle-causes -o - --to csv years.csv | grep ,key, | grep -o 'unexplained [0-9.]* %')" "unexplained 100.0 %" "their share in the picture"
