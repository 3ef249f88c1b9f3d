#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paje-files.t: Pajé traces of several files, one of which names the others, as GTG and PajeNG know them; GTG's quotes
. "$(dirname "$0")/lib.sh"
plan 21
gtg=$TESTDATA/gtg-multi

# The trace has, by construction, per process 4 x 0.5 ms of each of two states and 4 links of 0.1 ms.
counts() { echo "$(grep -c Working "$1/states.csv") $(grep -c 'Blocked in recv' "$1/states.csv") $(grep -c '^L_MPI,' "$1/links.csv") $(tail -n +2 "$1/resources.csv" | wc -l)"; }
run traceviz convert -q "$gtg" -o folder
is "$rc $(counts folder)" "0 8 8 4 5" "GTG's folder: the file of the definitions is read first, whatever its name"
is "$(grep -c Dropped folder/meta.csv)" 0 "nothing is dropped"
run traceviz convert "$gtg/app_root.ept" -o root
is "$rc $(counts root)" "0 8 8 4 5" "the root file alone: those that its containers name are read"
like "$(cat stderr)" "*app_root.ept names 2 other files, read as one trace*" "a message says so"
is "$(grep NamedFiles root/meta.csv)" "NamedFiles,2" "and meta"
for table in states links resources; do
	ok "the same $table" cmp "folder/$table.csv" "root/$table.csv"
done
is "$(awk -F, 'NR > 1 && $3 == "Working" { print $5 - $4 }' folder/states.csv | sort -u | tr '\n' ' ')" "0.5 " "states of 0.5 ms"

run traceviz info "$gtg/app_proc0.ept"
like "$rc $(cat stderr)" "1 *app_proc0.ept: no usable Paj* event: nothing defines their types, expected the file of the trace that does, or its folder" \
	"the file of a process alone: a hint"

mkdir part
cp "$gtg/app_root.ept" "$gtg/app_proc0.ept" part
run traceviz convert part/app_root.ept -o missing
like "$rc $(counts missing) $(cat stderr)" "0 4 4 4 5 *part/app_root.ept:91: file that the trace names: 'part/app_proc1.ept' is not read: there is no such file*" \
	"a missing file is reported with the line that names it"
like "$(grep Dropped missing/meta.csv)" "*file that the trace names*1" "and counted once"
run traceviz convert -q --strict part/app_root.ept -o strict
is "$rc" 1 "strict: an error"
echo 'int main(void) { return 0; }' >part/app_proc1.ept
run traceviz convert part/app_root.ept -o other
like "$rc $(counts other) $(cat stderr)" "0 4 4 4 5 *'part/app_proc1.ept' is not read: it is no Paj* trace*" "so is one of another kind"
traceviz convert - -o pipe <"$gtg/app_root.ept" 2>stderr
rc=$?
like "$rc $(cat stderr)" "0 *is not read: standard input has no folder*" "standard input names files of no folder"

# PajeNG's PajeTraceFile, in a folder below; a file outside is looked for beside the trace; a file that names itself.
mkdir -p paje/parts
sed 's/ app_proc[01].ept$//; /^% 	  File string/d' "$gtg/app_root.ept" >paje/root.trace
printf '%%EventDef PajeTraceFile 50\n%% Filename string\n%%EndEventDef\n50 "parts/p0.trace"\n50 "../elsewhere/p1.trace"\n50 root.trace\n' >>paje/root.trace
cp "$gtg/app_proc0.ept" paje/parts/p0.trace
cp "$gtg/app_proc1.ept" paje/p1.trace
run traceviz convert paje/root.trace -o named
is "$rc $(counts named) $(grep -c Dropped named/meta.csv)" "0 8 8 4 5 0" "PajeTraceFile"
run traceviz convert -q paje -o both
is "$rc $(counts both)" "0 8 8 4 5" "a folder whose files name one below it"

# Single quotes of older versions of GTG.
mkdir single
for f in "$gtg"/*.ept; do sed "s/\"/'/g" "$f" >"single/${f##*/}"; done
run traceviz convert single -o quotes
is "$rc $(counts quotes) $(grep -c 'Dropped\|Repaired' quotes/meta.csv)" "0 8 8 4 5 0" "single quotes"
ok "give the same names" cmp quotes/resources.csv folder/resources.csv

mkdir packed
for f in "$gtg"/*.ept; do gzip -c "$f" >"packed/${f##*/}.gz"; done
for from in packed packed/app_root.ept.gz; do
	run traceviz convert -q "$from" -o out
	is "$rc $(counts out) $(grep -c Dropped out/meta.csv)" "0 8 8 4 5 0" "compressed files: $from"
done
