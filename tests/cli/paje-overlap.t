#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paje-overlap.t: states of memory nodes overlap; StarPU's Paje has them on one stack
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 11

# From StarPU's FxT file of the same run, where each end names its state.
golden cholesky-12-dmdas-1.3 paje.trace >run.trace
states() { traceviz memory-states -q "$1" | cut -d, -f1,4,7,8; }
run traceviz memory-states run.trace
is "$rc $(cat stderr)" "0 " "StarPU 1.3: each end is known"
is "$(states run.trace)" "$(states "$TESTDATA/fxt/cholesky-12-dmdas-1.3")" "the same times as from FxT"
is "$(states run.trace | grep 0,DriverCopyAsync)" "MEMMANAGER0,DriverCopyAsync,77,0.743000" "issued copies do not last as long as copies"
is "$(states "$DATA/cholesky-paje" | grep 0,DriverCopyAsync)" "MEMMANAGER0,DriverCopyAsync,67,0.642000" "the sample"
# Depths as well, and each state on its own: copies of one memory node differ by their links only.
for from in run.trace "$TESTDATA/fxt/cholesky-12-dmdas-1.3"; do
	rm -rf run
	traceviz convert -q "$from" -o run 2>/dev/null
	grep ',Memory Node State,' run/states.csv | grep -v ',DriverCopy,' | cut -d, -f1-6 | sort >"states.$(basename "$from")"
done
ok "the same states, but for copies" cmp states.run.trace states.cholesky-12-dmdas-1.3

# By hand: a copy is begun and issued; the pop behind which its link ends is that of the copy.
head='%EventDef PajeDefineContainerType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineEventType 2
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 3
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 4
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineLinkType 5
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 7
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeNewEvent 9
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajePushState 11
% Time date
% Container string
% Type string
% Value string
%EndEventDef
%EventDef PajePopState 12
% Time date
% Container string
% Type string
%EndEventDef
%EventDef PajeStartLink 18
% Time date
% Type string
% Container string
% Value string
% StartContainer string
% Key string
%EndEventDef
%EventDef PajeEndLink 19
% Time date
% Type string
% Container string
% Value string
% EndContainer string
% Key string
%EndEventDef
1 P 0 Program
1 Mn P "Memory Node"
1 T Mn Thread
1 W T Worker
1 Sc P "Scheduler State"
1 Mm Mn "Memory Manager"
3 MS Mm "Memory Node State"
2 CAE Mm "DriverCopyAsync End"
2 WE Mm "WritingBack End"
5 F P Mm Mm "Intra-node data Fetch"
7 0 p P 0 program
7 0 mn0 Mn p MEMNODE0
7 0 mm0 Mm mn0 MEMMANAGER0'
pushed='11 1 mm0 MS DriverCopy
18 1 F p 8 mm0 c1
11 1 mm0 MS DriverCopyAsync'
by_hand() {
	rm -rf out
	traceviz convert --zero none "$1" -o out 2>stderr
	awk -F, '$2 == "Memory Node State" { print $3, $4, $5, $6 }' out/states.csv
}
printf '%s\n' "$head" "$pushed" '12 4 mm0 MS' '19 4 F p 8 mm0 c1' '12 9 mm0 MS' >links
is "$(by_hand links)" "DriverCopy 1.000000 4.000000 0
DriverCopyAsync 1.000000 9.000000 1" "the end of a link names the copy"
printf '%s\n' "$head" "$pushed" '11 2 mm0 MS WritingBack' '12 4 mm0 MS' '9 4 CAE mm0 x' '12 5 mm0 MS' '9 5 WE mm0 x' '12 9 mm0 MS' \
	'19 9 F p 8 mm0 c1' >events
is "$(by_hand events)" "DriverCopy 1.000000 9.000000 0
DriverCopyAsync 1.000000 4.000000 1
WritingBack 2.000000 5.000000 2" "an event names any state"
is "$(cat stderr)" "" "and nothing is unsure"
printf '%s\n' "$head" "$pushed" '11 2 mm0 MS WritingBack' '12 4 mm0 MS' '12 5 mm0 MS' '12 9 mm0 MS' '19 9 F p 8 mm0 c1' >unsure
is "$(by_hand unsure)" "DriverCopy 1.000000 9.000000 0
DriverCopyAsync 1.000000 5.000000 1
WritingBack 2.000000 4.000000 2" "with neither the innermost ends that is no copy"
run traceviz convert --zero none unsure -o out
like "$(cat stderr)" "*1 ends of states of memory nodes do not show which of several open ones they end*" "counted"

need_shared 1
zstd -qdc "$SHARED/golden/mpi-cholesky-20-dmdas-2nodes/paje.trace.zst" >mpi.trace
is "$(states mpi.trace)" "$(states "$SHARED/data/mpi/cholesky-20-dmdas-2nodes")" "two nodes: the same times as from FxT"
