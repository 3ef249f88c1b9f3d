#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plugins.t: programs traceviz-plugin-NAME on PATH are verbs, behind those of traceviz and files; the example of one
. "$(dirname "$0")/lib.sh"
plan 13
before=$(traceviz help all)
mkdir first second
PATH=$PWD/first:$PWD/second::$PATH
plugin() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
# shellcheck disable=SC2016 # for the plugin
plugin first/traceviz-plugin-hello 'echo "hello $TRACEVIZ $#:$1:$2"; exit 7'
plugin second/traceviz-plugin-hello 'echo second'
plugin second/traceviz-plugin-hello10 'echo ten'
plugin second/traceviz-plugin-hello9 'echo nine'
plugin first/traceviz-plugin-info 'echo plugin'
plugin traceviz-plugin-here 'echo here'
printf '#!/none/such\n' >first/traceviz-plugin-broken && chmod +x first/traceviz-plugin-broken
echo text >first/traceviz-plugin-text

run traceviz hello 'a b' --version
is "$rc $(cat stdout stderr)" "7 hello $(readlink -f "$(command -v traceviz)") 2:a b:--version" "a plugin gets its words and the path of traceviz; its status counts"
run traceviz info "$DATA/cholesky.csv"
is "$rc $(grep -c plugin stdout)" "0 0" "a verb comes first"
cp "$DATA/cholesky.csv" hello
run traceviz hello
like "$rc $(cat stdout)" "0 The run took *" "then a file"
rm hello
run traceviz here
is "$rc" 2 "an empty part of PATH is not the current folder"
run traceviz broken
is "$rc $(cat stderr)" "1 traceviz: $PWD/first/traceviz-plugin-broken: cannot run: No such file or directory" "one that cannot be run is named"
run traceviz text
like "$rc $(cat stderr)" "2 traceviz: 'text' is neither a verb nor a file*" "what is not executable is none"
run traceviz first/traceviz-plugin-hello
like "$rc $(cat stderr)" "[12] *" "nor is a path"
traceviz help all >all
is "$(sed -n '/^Plugins/,$p' all)" "Plugins, commands traceviz-plugin-NAME of others:
  broken
  hello
  hello9
  hello10" "help all lists them, each once"
is "$(sed '/^Plugins/,$d' all)" "$before" "behind all verbs"

command -v python3 >/dev/null || { skip 4 "no Python"; exit 0; }
PATH=$ROOT/examples/plugins:$PATH
printf 'ResourceId,Value,Start,End\nA,x,0,1\nA,x,1.5,2\nB,x,0,3\nA,x,7,8\nB,x,3,4\n' >gaps.csv
run traceviz gaps gaps.csv
is "$rc $(cat stdout stderr)" "0 ResourceId,Start,End,Gap
A,2.000000,7.000000,5.000000
A,1.000000,1.500000,0.500000" "the example: gaps of workers"
run traceviz gaps --top 1 --restrict "Start < 7" gaps.csv
is "$rc $(tail -n +2 stdout)" "0 A,1.000000,1.500000,0.500000" "with options of reading"
run traceviz gaps nowhere.csv
is "$rc $(cat stderr)" "1 traceviz: nowhere.csv: cannot open: No such file or directory" "a failure is that of traceviz"
traceviz sql "$DATA/cholesky-paje" "SELECT printf('%.6f', max(Start - E)) AS Gap FROM (SELECT Start, max(End) OVER (PARTITION BY ResourceId \
	ORDER BY Start, End ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS E FROM tasks WHERE ResourceId <> '' AND Start IS NOT NULL)" -q >want
is "$(traceviz gaps --top 1 "$DATA/cholesky-paje" | cut -d, -f4)" "$(cat want)" "its longest gap is that of a query"
