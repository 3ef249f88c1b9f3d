#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dump.t: what pj_dump prints is read as the Pajé trace, a folder of StarVZ as the FxT trace of its run; cut and hostile files
# needs pj_dump zstd
. "$(dirname "$0")/lib.sh"
plan 14

# table NAME COLUMNS LINES: columns of a table of both readings, in any order of rows
table() {
	columns "paje/$1.csv" "$2" | sort >want
	columns "dump/$1.csv" "$2" | sort >got
	is "$(wc -l <got) $(cmp want got)" "$3 " "$1, as in the Pajé trace"
}
zstd -qdc "$DATA/cholesky-paje/paje.trace.zst" >sample.trace
"$ROOT/tests/cli/pj_sort.sh" sample.trace >sorted.trace
pj_dump --no-strict --ignore-incomplete-links --user-defined -h -l 9 sorted.trace >dump.csv 2>refusal
run traceviz convert -q --zero none sorted.trace -o paje
run traceviz convert --zero none dump.csv -o dump
is "$rc $(cat stderr)" "0 " "StarPU's trace of an older version through pj_dump"
table variables ResourceId,Type,Start,End 3688
table links Type,Key,Origin,Dest,Start,End,Size 567
table events ResourceId,Type,Time 4716
table resources ResourceId,ResourceType,Node,Parent,Order,MemoryNode 36
# Tasks are states here, as the fields of a task have no names; StarPU's echo of them remains, and the states of memory nodes differ.
run traceviz summary -q --task-state 'Type == "Worker State" and Value in ("GEMM", "POTRF", "SYRK", "TRSM") and End > Start' dump.csv --csv
mv stdout got
run traceviz summary -q sorted.trace --csv
is "$(columns got Value,ResourceType,Tasks,Time)" "$(columns stdout Value,ResourceType,Tasks,Time)" "its tasks by --task-state"

# Cut at every byte: an error or the lines that are whole, nothing else.
printf '%s\n' 'Container, 0, T, 0, 4, 4, r0' 'State, r0, S, 0.0, 1.25, 1, 0, a' 'Link, 0, L, 0, 1, 1, v, r0, r0, k' 'Event, r0, E, 0.5, a' >whole.csv
printf '%s\n' 'Control,JobId,SubmitOrder,DependsOn' ',1,1,' ',2,2,1' >records.csv
size=$(wc -c <whole.csv)
whole=$(head -2 whole.csv | wc -c)
wrong=
i=1
while [ "$i" -lt "$size" ]; do
	head -c "$i" whole.csv >cut.csv
	rm -rf cut
	timeout 20 traceviz convert -q --format pj_dump cut.csv -o cut 2>/dev/null
	status=$?
	if [ "$i" -ge "$whole" ]; then want="0 r0,S,a,0.000000,1250.000000,0"; else want="1 "; fi
	[ "$status $(sed 1d cut/states.csv 2>/dev/null)" = "$want" ] || wrong="$wrong $i:$status"
	i=$((i + 1))
done
is "$wrong" "" "cut at every byte"
size=$(wc -c <records.csv)
wrong=
i=1
while [ "$i" -lt "$size" ]; do
	head -c "$i" records.csv >cut.csv
	timeout 20 traceviz convert -q --format recutils cut.csv -o cut.out.csv 2>/dev/null
	[ $? -le 1 ] || wrong="$wrong $i"
	i=$((i + 1))
done
is "$wrong" "" "records as CSV cut at every byte"

# Hostile: bytes that are no UTF-8, many types and containers, containers in a circle, a million fields, quotes without end.
printf 'State, r\377, \376S, 0, 1, 1, 0, \303(\nState, r\377, "\376S, 0, 1, 1, 0, "x""\n' >bytes.csv
run traceviz summary -q --csv --task-state 'End > 0' bytes.csv
is "$rc $(wc -l <stdout)" "0 3" "bytes that are no UTF-8"
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "Container, c%d, T%d, 0, 1, 1, c%d\nState, c%d, S%d, 0, 1, 1, 0, v\n", (i + 1) % 100000, i, i, i, i }' >many.csv
run timeout 60 traceviz info -q --csv many.csv
is "$rc $(grep -c '^rows,states,100000' stdout)" "0 1" "100,000 types, and containers in a circle"
{ printf 'Nature, ResourceId, Type, Start, End, Value'; head -c 2000000 /dev/zero | tr '\0' ','; printf '\nState, r, S, 0, 1, v'; head -c 2000000 /dev/zero | tr '\0' ','; echo; } >wide.csv
run timeout 60 traceviz info -q --csv wide.csv
is "$rc $(grep -c '^rows,states,1' stdout)" "0 1" "a million fields"

need_shared 3
run traceviz convert -q "$SHARED/data/starvz-lu/csv" -o dump
run traceviz convert -q "$SHARED/data/starvz-lu/fxt" -o paje
# Times of messages passed through 32-bit floats.
for side in dump paje; do
	columns $side/tasks.csv JobId,ResourceId,Value,Kind,Start,End,DependsOn,SubmitTime,X,Y,Handles,Iteration | sed 's, "" , ,; /^mpicom/d' | tr -s ' ' | sort >$side.rows
done
is "$(wc -l <dump.rows) $(cmp dump.rows paje.rows) $(grep ClockOrigin dump/meta.csv)" "1099  ClockOrigin,11.797329" "a folder of StarVZ: tasks, times and graph of the FxT trace"
is "$(columns dump/links.csv Key,Tag,OriginJob,DestJob | sort | md5sum) $(sort dump/handles.csv | md5sum)" \
	"$(columns paje/links.csv Key,Tag,OriginJob,DestJob | sort | md5sum) $(sort paje/handles.csv | md5sum)" "its messages and handles"
is "$(traceviz info -q "$SHARED/data/starvz-lu/csv" | grep '^workers')" "$(traceviz info -q "$SHARED/data/starvz-lu/fxt" | grep '^workers')" "its workers"
