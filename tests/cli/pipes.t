#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pipes.t: passes one after the other through pipes give the same bytes from a folder, from its single CSV and from
# files in between; a user's columns survive them all
. "$(dirname "$0")/lib.sh"
plan 30

awk -F, -v OFS=, 'NR == 1 { print $0, "My Column"; next } { print $0, "\"x, \"\"" NR "\"\"\"" }' \
	"$DATA/cholesky-ws.csv" >mine.csv
traceviz convert -q mine.csv -o run
five() {
	traceviz iterations -q "$1" | traceviz deps -q | traceviz chain -q --tasks type:POTRF --depth 3 |
		traceviz lifecycle -q | traceviz outliers -q
}
five mine.csv >pipe.csv
is "$(wc -l <pipe.csv)" "$(wc -l <mine.csv)" "five passes keep every row"
is "$(five run | cksum)" "$(cksum <pipe.csv)" "the folder gives the same bytes as its single CSV"
traceviz iterations -q run -o 1.csv
traceviz deps -q 1.csv -o 2.csv
traceviz chain -q --tasks type:POTRF --depth 3 2.csv -o 3.csv
traceviz lifecycle -q 3.csv -o 4.csv
is "$(traceviz outliers -q 4.csv | cksum)" "$(cksum <pipe.csv)" "so do files in between"
is "$(grep -c '"x, ""[0-9]*"""' pipe.csv)" "$(($(wc -l <mine.csv) - 1))" "a user's column survives all of them"

# What a verb finds of another one's columns are its defaults: the same as the verb alone with the options.
run_of=$DATA/cholesky-dmdas.csv
chain() { traceviz chain -q "$@" "$run_of"; }
paths() { traceviz paths -q "$@" "$run_of"; }
is "$(chain --tasks type:POTRF | traceviz paths -q | cksum)" "$(paths --tasks type:POTRF | cksum)" \
	"paths of marked chains are those of the same tasks"
is "$(chain --tasks type:POTRF | traceviz paths -q | awk -F, 'NR == 2 { d = $9 } END { print NR - 1, d }')" "7 49.326227" \
	"seven paths, the worst delayed by 49.3 ms"
is "$(chain --tasks type:POTRF --depth root | traceviz paths -q --tasks type:TRSM | cksum)" \
	"$(paths --tasks type:TRSM --depth root | cksum)" "an option that is given replaces one of them"
is "$(chain --tasks type:POTRF | traceviz chain -q | cksum)" "$(chain --tasks type:POTRF | cksum)" "chain twice changes nothing"
is "$(traceviz outliers -q "$DATA/cholesky.csv" | traceviz chain -q --tasks outlier | traceviz paths -q | cksum)" \
	"$(traceviz paths -q --tasks outlier "$DATA/cholesky.csv" | cksum)" "outliers, their chains, the paths"
draw() { traceviz "$@" -q --panels spacetime --title t -o drawn.boxes --to csv; cksum <drawn.boxes; }
chain --tasks type:POTRF --depth 5 >marked.csv
is "$(draw marked.csv)" "$(draw "$run_of" --spacetime.merged type:POTRF --spacetime.depth 5)" "a figure draws the marked paths"
is "$(draw marked.csv --spacetime.chains last)" "$(draw "$run_of" --spacetime.chains last)" "unless it is to draw others"
sed '2s/,5$/,9/' marked.csv >mixed.csv
run traceviz paths mixed.csv
is "$rc" 1 "two depths contradict each other"
like "$(cat stderr)" "*column MaxDepth*'9' and '5'*--depth*" "and the message names the option"

# A result of a verb is no trace, also with columns in another order; nor is it one as a file of a folder.
refused() { # VERB NAME CMD...: a table of that verb
	verb=$1 name=$2; shift 2
	run "$@"
	like "$rc $(cat stderr)" "1 *this is a table of the verb $verb, expected a trace*" "$name"
}
traceviz aggregate -q "$DATA/cholesky-ws.csv" -o merged.csv
refused aggregate "merged rows are no tasks" traceviz summary merged.csv
awk -F, -v OFS=, '{ t = $1; $1 = $3; $3 = t } 1' merged.csv >order.csv
refused aggregate "in another order neither" traceviz critical-path order.csv
mkdir named
cp merged.csv named/tasks.csv
refused aggregate "nor under the name of the tasks" traceviz named -o named.pdf
traceviz summary -q --by Node,X "$DATA/cholesky-ws.csv" -o by.csv
refused summary "a table with other columns for its rows" traceviz outliers by.csv
refused idleness "a table with the columns of resources" sh -c 'traceviz idleness -q "$1" | traceviz info -q' - "$run_of"
refused aggregate "a figure of rows of workers" traceviz merged.csv --panels spacetime -o no.pdf
ok "a chart of it" traceviz merged.csv -q --panels chart --chart.x Group --chart.y Time -o chart.boxes --to csv
awk -F, -v OFS=, '{ print $0, NR == 1 ? "Share" : 1 }' "$run_of" >share.csv
is "$(traceviz summary -q share.csv | cksum)" "$(traceviz summary -q "$run_of" | cksum)" "a user's column with the name of a result's"

# Moments that only events show remain with the tasks.
traceviz lifecycle -q "$DATA/cholesky-paje" -o moments.csv
is "$(traceviz lifecycle-summary -q moments.csv | cksum)" "$(traceviz lifecycle-summary -q "$DATA/cholesky-paje" | cksum)" \
	"phases of tasks from their columns Pushed, Popped and DataReady"
is "$(traceviz lifecycle -q moments.csv | cksum)" "$(cksum <moments.csv)" "lifecycle twice loses none of them"
sed '2s/[^,]*,[^,]*$/soon,/' moments.csv >soon.csv
run traceviz lifecycle soon.csv
is "$rc $(cat stderr)" "1 traceviz: soon.csv: column Popped is 'soon', expected a time" "what is no time is refused"

traceviz deps -q --all type:TRSM "$run_of" -o all.csv
is "$(traceviz deps -q all.csv | cksum)" "$(cksum <all.csv)" "deps twice keeps the lists of dependencies"
is "$(draw all.csv)" "$(draw "$run_of" --spacetime.tasks type:TRSM --spacetime.deps all)" "a figure draws the listed dependencies"
is "$(traceviz outliers -q --model mad --factor 1 "$DATA/cholesky.csv" | traceviz distribution -q --by Node |
	awk -F, 'NR > 1 { n += $5 } END { print n }')" "$(traceviz outliers -q --model mad --factor 1 "$DATA/cholesky.csv" --where 'Outlier == 1' | awk 'END { print NR - 1 }')" \
	"a distribution counts the outliers that are marked, by whatever columns"
refused decisions "a list of decisions is no table of them" sh -c 'traceviz decisions -q "$1" | traceviz choice --job 67' - "$DATA/cholesky-decisions"

# A simulated run has columns of the user, and nothing that verbs found in the recorded run.
lasting() { head -1 | tr , '\n' | grep -x 'Mine\|Released\|Pushed\|Popped\|DataReady\|Path\|Distance\|MaxDepth\|Delay\|Outlier' | xargs; }
awk -F, -v OFS=, '{ print $0, NR == 1 ? "Mine" : NR }' moments.csv | traceviz deps -q | traceviz chain -q | traceviz outliers -q >found.csv
is "$(lasting <found.csv)" "Pushed Popped DataReady Mine Released Delay Path Distance MaxDepth Outlier" "what verbs found"
is "$(traceviz simulate -q found.csv -o - | lasting)" "Mine" "is not what a simulated run is"
