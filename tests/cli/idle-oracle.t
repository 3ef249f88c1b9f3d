#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# idle-oracle.t: causes of idle time as the words of their documentation have them
# needs zstd
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/idle-oracle.sh
. "$ROOT/tests/cli/idle-oracle.sh"
plan 10

seed 20261126
mkdir random
perl "$ROOT/tests/oracle/idle-traces.pl" "$seed" 40 random
is_as_in_words "40 random traces" random/*
for cause in in-mpi-call data runtime elsewhere mpi unsuited not-submitted drain dependencies; do
	[ "$(grep -c " $cause " want)" -gt 10 ] || echo $cause
done >rare
is "$(cat rare)" "" "none of the causes is rare among them"
is "$(wc -l <want)" "$(wc -l <got)" "and none is missing"

for trace in "$DATA/cholesky-ws.csv" "$DATA/cholesky-paje" "$DATA/cholesky-2nodes" "$DATA/qr-mumps-like.csv" "$DATA/cholesky-decisions"; do
	as_folder "$trace" sample
	is_as_in_words "$(basename "$trace")" sample
done

# a task that never ran waits for another one that never ran, not only for the message that arrives at 10
cat >pending.csv <<-END
	ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node,ResourceType
	0_C0,a,0,5,1,app,,0,C
	,send,5,10,m,message,1,,
	1_C0,a,0,5,2,app,,1,C
	1_C1,a,0,20,3,app,,1,C
	,a,,,4,pending,,0,
	,a,,,5,pending,4 m,1,
END
is "$(traceviz idle-causes -q --node 1 pending.csv | awk -F, 'NR > 1 && $8 > 0 { printf "%s %g ", $7, $8 }')" "dependencies 15 " \
	"no message explains a task that waits for one that never ran"

# w2 runs b before d, on which it depends: no step leads from c over b to what starts after c
mkdir contradicted
cat >contradicted/tasks.csv <<-END
	ResourceId,ResourceType,Node,Value,Start,End,JobId,DependsOn,SubmitTime,Handles,Modes
	w1,CPU,0,a,0,2,1,,0,,
	w2,CPU,0,b,3,4,2,3,0,h,RWC
	w1,CPU,0,c,4,5,4,,0,h,RWC
	w3,CPU,0,d,4.5,6,3,,0,,
END
is_as_in_words "an exclusion that contradicts a dependency" contradicted
