#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# misuse.t: mistyped names, options without effect, selections without match, long tables on a terminal, --top
. "$(dirname "$0")/lib.sh"
plan 94
a=$DATA/cholesky.csv

# usage PATTERN ARGUMENT...: refused as wrong usage, with that message
usage() {
	want=$1; shift
	run traceviz "$@"
	like "$rc $(cat stderr)" "2 *$want*" "$*"
}
# mistyped names
usage "did you mean 'concurrency'?" concurency "$a"
usage "did you mean 'ready'?" "$a" --panels spacetime,redy -o x.svg
usage "did you mean 'width'?" "$a" --widht 3 -o x.svg
usage "did you mean 'ready.counter'?" "$a" --redy.counter -o x.svg
usage "did you mean 'Duration'?" outliers --where 'Duraton > 3' "$a"
usage "did you mean 'Duration'?" info --restrict 'Duraton > 3' "$a"
usage "did you mean 'Node'?" concurrency --by Nodee "$a"
usage "did you mean 'Priority'?" "$a" --task-labels Prioritty -o x.svg
run traceviz summary --by Valu "$a"
like "$(cat stderr)" "*did you mean 'Value'?*" "summary --by Valu"
run traceviz "$a" --panels xyzxyz -o x.svg
is "$rc $(grep -c 'did you mean' stderr)" "2 0" "no name is near"
run traceviz "$a" --panels foo -o x.svg
is "$rc $(grep -c 'did you mean' stderr)" "2 0" "zoom is not near to foo"
# messages that say what is wrong
usage "the verb 'convert' comes first" -q convert "$a" -o y.csv
usage "name of an output is empty" "$a" -o '' --to svg
usage "--caption '', expected FILE.tex" "$a" -o x.svg --caption ''
usage "--kernels ''" "$a" -o x.svg --kernels ''
usage "--kind ''" info --kind '' "$a"
usage "--resources ''" info --resources '' "$a"
run traceviz "$a" --title '' -o x.svg
is "$rc" 0 "an empty title is one"

usage "--only 'GEMM,,TRSM', expected names with commas between" info "$a" --only GEMM,,TRSM
usage "--durations.place 'left', expected right or below" "$a" --durations.place left -o x.svg

# options without effect
usage "--time-unit 'parsec', expected s, ms, us or ns" info "$a" --time-unit parsec
usage "--time-unit: the format csv has a unit of its own" info "$a" --time-unit s
usage "--workers is for chrome" info "$a" --workers X
usage "--task-state: the trace has no states" info "$a" --task-state X
usage "--value is for dot" info "$a" --value kernel
usage "--with '/nonexistent', expected a folder" info "$DATA/cholesky-paje" --with /nonexistent
usage "--with is for a single CSV, the format is paje" info "$DATA/cholesky-paje" --with "$DATA"
usage "--with '$a', expected a folder" info "$a" --with "$a"
run traceviz outliers "$a" --metric Value
like "$rc $(cat stderr)" "1 *no column 'Value' with numbers*" "a column of names is no metric"
usage "--time-limit needs --integer" bounds "$a" --time-limit 5
usage "--boxes has no bins" distribution --boxes --bins 5 "$a"
usage "--boxes has no bins" distribution --boxes --scale log "$a"
usage "--task is of the family power" imbalance --family homogeneous --task GEMM "$a"
usage "--csv and --json contradict" info --csv --json "$a"
usage "--to png contradicts the ending" "$a" -o x.svg --to png
usage "--progress.height has no effect" "$a" --panels spacetime --panel-height progress=3 -o x.svg
usage "--gflops.limit has no effect" "$a" --gflops.limit 3 -o x.svg
usage "--diff.base has no effect: the panel compares two runs or more" "$a" --panels diff --diff.base x -o x.svg
usage "--diff.base has no effect" --facet "$a" --panels diff --diff.base x -o x.svg
usage "--width 'abc'" "$a" --print-config --width abc
usage "no panel is named" "$a" --print-config --panels nosuch
printf 'gflops.limit: 3\n' >c.yaml
run traceviz "$a" --config c.yaml -o x.svg
is "$rc $(grep -c 'gflops.limit has no effect' stderr)" "0 1" "from a file it is one warning"
printf 'diff.base: x\npanels: spacetime,diff\n' >c.yaml
run traceviz "$a" --config c.yaml -o x.svg
is "$rc $(grep -c 'diff.base has no effect' stderr)" "0 1" "so is the base of a comparison with one run"
run traceviz info "$a" -o x.json
is "$rc $(head -c 1 x.json)" "0 [" "-o FILE.json is JSON"

# selections without match: one warning
for option in "--only GEMMM" "--node 7" "--resource CPU99" "--begin 10s"; do
	# shellcheck disable=SC2086
	run traceviz outliers "$a" $option
	is "$rc $(wc -l <stdout) $(grep -c 'none fits\|matches the selection' stderr)" "0 1 1" "outliers $option: one warning"
done
run traceviz outliers "$a" --only 'GEMM,NOSUCH'
is "$rc $(grep -c "'NOSUCH'" stderr)" "0 1" "a pattern that fits nothing is named"
run traceviz outliers "$a" --only 'GEMM,TRMS'
like "$(cat stderr)" "*--only 'TRMS': none fits (did you mean 'TRSM'?)*" "with a near name"
run traceviz "$a" --exclude "*" -o none.svg
is "$rc $(grep -c 'matches the selection' stderr)$(ls none.svg 2>/dev/null)" "1 1" "no figure of no task"

# --top
traceviz summary -q "$a" >all
is "$(traceviz summary -q --top 2 "$a" | sed 1d)" "$(sed 1d all | sort -t, -k5,5gr | head -2)" "summary --top 2 has the largest totals"
is "$(traceviz outliers -q --where 'Outlier == 1' --top 3 "$a" | sed 1d | cut -d, -f5)" \
	"$(traceviz outliers -q --where 'Outlier == 1' "$a" | sed 1d | cut -d, -f5 | sort -gr | head -3)" "of chosen rows"
is "$(traceviz summary -q --top 1000 "$a" | sort | cksum)" "$(sort all | cksum)" "more than there are"
usage "--top '0', expected a whole number from 1" summary --top 0 "$a"
usage "--top: these rows have no rank" bounds --top 3 "$a"
ok "the help names the column" sh -c 'traceviz summary --help | grep -q "^--top ranks by Time"'

# a window that contains the whole run changes no bound
bounds() { traceviz bounds -q "$a" "$@"; }
is "$(bounds --begin -1s --end 100s)" "$(bounds)" "bounds in a window that contains the run"
usage "describes the whole run" bounds --begin 1s "$a"
traceviz -q "$a" --begin -1s --end 100s -o w.svg
ok "its figure keeps the bounds" grep -q 'ABE [0-9]' w.svg
ok "and idleness of the thesis" traceviz idleness -q --definition thesis --begin -1s --end 100s "$DATA/cholesky-paje"

# labels k,i,j out of tags
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Iteration" || $i == "X" || $i == "Y") $i = "own" $i } 1' \
	"$a" >tags.csv
run traceviz tags.csv --panels spacetime --task-labels k,i,j --begin 1s --end 1.2s --width 30 --height 20 -o l.svg
is "$rc $(grep -c 'class="task-label"' l.svg)" \
	"0 $(traceviz "$a" --panels spacetime --task-labels k,i,j --begin 1s --end 1.2s --width 30 --height 20 -o - --to svg | grep -c 'class="task-label"')" \
	"--task-labels k,i,j decodes tags"
ok "there are some" grep -q 'class="task-label"' l.svg

# a terminal
if ! command -v script >/dev/null 2>&1; then
	skip 8 "script (bsdutils) gives no terminal here"
	exit 0
fi
terminal() { # COLUMNS COMMAND
	script -qec "stty cols $1 rows 24; $2" /dev/null </dev/null | tr -d '\r'
}
terminal 80 "traceviz outliers -q $a" >screen
is "$(wc -l <screen)" 42 "a long table on a terminal: header, 40 rows, a hint"
like "$(tail -1 screen)" "... 40 of * rows, * of * columns; all: '| less -S', -o FILE or --csv; a part: --where, --top N" "the hint"
is "$(awk 'length > 80 && !/^\.\.\./' screen)" "" "no line is wider than the screen"
like "$(head -1 screen)" "ResourceId *Outlier*" "the first columns and those of the pass remain"
like "$(terminal 100 "traceviz idle-causes -q $a" | head -1)" " *Start *Cause *Time *Share *" "columns without a value or with one value go first"
is "$(terminal 200 "traceviz summary -q $a" | wc -l)" "$(wc -l <all)" "a short table as it is"
terminal 80 "traceviz outliers --csv $a" >screen
like "$(tail -1 screen)" "traceviz: * rows; '| less -S' pages them, -o FILE keeps them" "--csv ends in a hint"
terminal 80 "traceviz convert -o - $a" >screen
like "$(tail -1 screen)" "traceviz: * rows; '| less -S' pages them, -o FILE keeps them" "so does convert -o -"

printf 'ResourceId,Value,Start,End,JobId\nCPU0,a,0,1,1\n' >taken.csv
run traceviz deps --all taken.csv </dev/null
is "$rc $(cat stderr)" "2 traceviz: --all 'taken.csv' is a file, expected WHICH before it ('traceviz deps --help'); no trace is named" \
	"a trace that an option took"
# what was meant: values of a selection that fits nothing, names of other programs, members of a folder
warned() { # PATTERN ARGUMENT...: status 0 with one warning
	want=$1; shift
	run traceviz "$@"
	like "$rc $(wc -l <stderr) $(cat stderr)" "0 1 *$want*" "$*"
}
warned "no row matches the selection: no Value is 'gemm' (did you mean 'GEMM'?)" summary "$a" --where Value==gemm
warned "no Value is 'dot', expected one of GEMM, POTRF, SYRK, TRSM" summary "$a" --where 'Value == dot and Tasks > 1'
refused() { # PATTERN ARGUMENT...: status 1, and no figure
	want=$1; shift
	run traceviz "$@" -o s.svg
	like "$rc $(cat stderr) $(ls s.svg 2>/dev/null)" "1 *$want* " "$*"
}
refused "no task matches the selection: no Value is 'gemm' (did you mean 'GEMM'?)" "$a" --where Value==gemm
refused "no task matches the selection: no Value is 'gem' (did you mean 'GEMM'?)" \
	--facet a="$DATA/cholesky-ws.csv" b="$DATA/cholesky-dmda.csv" --where Value==gem
refused "no task matches the selection: no Value is 'gemm' (did you mean 'GEMM'?)" "$a" --facet-by node --where Value==gemm
refused "--only 'GEM': none fits (did you mean 'GEMM'?)
traceviz: *no task matches the selection" --facet a="$DATA/cholesky-ws.csv" b="$DATA/cholesky-dmda.csv" --only GEM
warned "--resource 'CPU99': none fits (did you mean 'CPU0'?)" summary "$a" --resource CPU99
refused "--resource 'CPU99': none fits (did you mean 'CPU0'?)" "$a" --resource CPU99
refused "--node '7': none fits, expected one of 0" "$a" --node 7
usage "'POTRF' is a task type, expected 'type:POTRF'" chain --tasks POTRF "$a"
usage "did you mean 'dmda'?" simulate "$a" --scheduler dmdar
usage "no column 'makespan', expected one of makespan.before, makespan.after, makespan.change, makespan.ratio" \
	compare "$DATA/cholesky-ws.csv" "$DATA/cholesky-dmda.csv" --fail-if 'makespan > 1.05'
usage "did you mean 'traceviz --version'?" version
usage "did you mean --version?" -v
usage "did you mean --verbose?" info -v "$a"
usage "did you mean 'traceviz summary'?" stats "$a"
usage "did you mean 'traceviz TRACE -o FILE.html'?" view
usage "are runs to compare, expected one trace without a label" "$DATA/cholesky-ws.csv" "$DATA/cholesky-dmda.csv"
usage "diagnose takes --restrict EXPR" "$a" --where 'Start > 5'
run traceviz "$DATA/cholesky-4nodes"
like "$rc $(cat stderr)" "1 *expected one trace; name one of what it contains, or compare two: p1x4, p2x2" "the traces in a folder"
run traceviz compare "$DATA/cholesky-ws.csv" "$DATA/cholesky-dmda.csv" -q -o c.svg
is "$rc $(head -c 5 c.svg)" "0 <?xml" "compare draws into FILE.svg"
run traceviz what-if "$DATA/cholesky-ws.csv" -q -o w.txt
is "$rc" 2 "what-if writes no .txt"
