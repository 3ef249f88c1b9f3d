#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paje-mpi.t: MPI calls that a Pajé file has as states, and its links between ranks
. "$(dirname "$0")/lib.sh"
plan 32
two=$TESTDATA/paje/smpi-two-ranks.trace

# The names of SMPI's replay, and a link that begins in a container of another type.
is "$(traceviz states --by worker "$two" | cut -d, -f1,4,8,9,11 | tr '\n' ' ')" \
	"ResourceId,Value,Records,Time,Type rank-0,send,1,500.000000,MPI_STATE rank-0,,,0.000000,MPI_STATE rank-1,recv,1,400.000000,MPI_STATE rank-1,,,100.000000,MPI_STATE " \
	"states of ranks"
is "$(traceviz callprofile "$two" | cut -d, -f1-3,5,6 | grep -v run | tr '\n' ' ')" \
	"Rank,Call,Class,Count,Time 0,MPI_Send,blocking,1,500.000000 1,MPI_Recv,blocking,1,400.000000 " "calls"
is "$(traceviz comm-matrix -q "$two" | cut -d, -f1-4,7)" "Origin,Dest,Messages,Bytes,Time
0,1,1,,400.000000" "the link between ranks is a message without size, the one from a host is none"
run traceviz wait-states "$two"
is "$(grep "no partner" stderr) $(wc -l <stdout | tr -d ' ')" "traceviz: 1 sends and receives have no partner in the trace 1" \
	"a message that ends behind the receive is not that of the receive"

# Three ranks whose numbers do not follow their order; calls inside of calls; a nonblocking one; a cut file.
{
	grep '^%' "$two"
	cat <<'EOF'
0 1 0 MPI
2 3 1 P_STATE
4 4 0 1 1 "link of mpi"
5 5 3 PMPI_Init
5 6 3 MPI_Isend
5 7 3 MPI_Wait
5 8 3 PMPI_Recv
5 9 3 MPI_Bcast
5 10 3 "computing"
5 11 3 MPIX_Other
6 0 1 1 0 "P#7"
6 0 2 1 0 "P#2"
6 0 3 1 0 "P#30"
12 0 3 1 5
13 1 3 1
12 1 3 1 6
15 1 4 0 PTP 1 k
13 1.5 3 1
12 0.5 3 2 8
12 1.5 3 1 10
13 2 3 1
12 2 3 1 7
16 2.25 4 0 PTP 2 k
13 2.25 3 2
13 2.5 3 1
12 3 3 3 9
12 3.5 3 3 8
13 3.75 3 3
13 4 3 3
12 4 3 2 11
13 4.5 3 2
12 4.5 3 3 9
EOF
} >ranks.trace
is "$(traceviz convert -q ranks.trace -o run 2>/dev/null; cut -d, -f1-6 run/calls.csv)" "ResourceId,Call,Class,Start,End,Peer
P#7,MPI_Init,other,0.000000,1000.000000,
P#2,MPI_Recv,blocking,500.000000,2250.000000,7
P#7,MPI_Isend,start,1000.000000,1500.000000,2
P#7,MPI_Wait,wait,2000.000000,2500.000000,
P#30,MPI_Bcast,blocking,3000.000000,4000.000000,
P#30,MPI_Bcast,blocking,4500.000000,4500.000000," "outermost calls, with the other side of messages"
is "$(sed 1d run/calls.csv | cut -d, -f7 | tr '\n' ' ')" "     open " "a call that the file does not end is open"
is "$(wc -l <run/states.csv | tr -d ' ')" 10 "the states remain"
is "$(sed 1d run/resources.csv | cut -d, -f1,3 | tr '\n' ' ')" "P#2,2 P#7,7 P#30,30 " "the node of a rank is its number"
is "$(sed 1d run/links.csv | cut -d, -f1)" "MPI communication" "a link between ranks is a message"
is "$(traceviz callprofile -q run | cksum)" "$(traceviz callprofile -q ranks.trace 2>/dev/null | cksum)" "converted, the same"
is "$(traceviz messages -q ranks.trace 2>/dev/null | cut -d, -f2-4,7,14)" "Origin,Dest,Start,End,Duration
7,2,1000.000000,2250.000000,1250.000000" "messages"
is "$(traceviz wait-states ranks.trace 2>err | sed 1d; grep 'not known' err)" \
	"2,P#2,MPI_Recv,,500.000000,1750.000000,late sender,500.000000,7,1000.000000,500.000000
traceviz: not known for whom these calls wait (number, time): MPI_Bcast (2, 1000.0 ms), MPI_Wait (1, 500.0 ms)" "a late sender, and what is not known"

# The same value in another type of states, which comes first.
{
	grep '^%' "$two"
	cat <<'EOF2'
0 1 0 MPI
2 2 1 ACTOR_STATE
2 3 1 MPI_STATE
6 0 1 1 0 "rank-0"
12 0 2 1 send
13 1 2 1
12 1 3 1 send
13 3 3 1
EOF2
} >types.trace
is "$(traceviz callprofile -q types.trace | sed 1d | cut -d, -f2,5,6 | grep -v run)" "MPI_Send,1,2000.000000" "short names are those of the type MPI_STATE"

# Ranks without a number of their own.
sed 's/P#30/last/' ranks.trace >names.trace
is "$(traceviz convert -q names.trace -o names 2>/dev/null; sed 1d names/resources.csv | cut -d, -f1,3 | tr '\n' ' ')" \
	"P#7,0 P#2,1 last,2 " "without numbers: their order"
is "$(sed 1d names/calls.csv | cut -d, -f6 | tr '\n' ' ')" " 0 1    " "and peers by it"

# A type of states that the user declares as tasks is no call; StarPU's states are none.
traceviz convert -q --task-state P_STATE ranks.trace -o tasks 2>/dev/null
is "$(wc -l <tasks/tasks.csv | tr -d ' ') $(test -e tasks/calls.csv || echo none)" "10 none" "tasks are no calls"
is "$(traceviz info "$DATA/cholesky-paje" | grep -c ,calls,)" 0 "StarPU's trace has none"

# Where there are no calls and no states.
run traceviz states -q "$DATA/cholesky-ws.csv"
like "$rc $(cat stderr)" "1 traceviz: *cholesky-ws.csv: states: the trace has no states (*" "no states at all"

# The figure: states and messages, without MPI_Init and MPI_Finalize where these take a tenth of it or more.
{
	grep '^%' "$two"
	cat <<'EOF'
0 1 0 MPI
2 3 1 P_STATE
4 4 0 1 1 "link of mpi"
6 0 1 1 0 "rank-0"
6 0 2 1 0 "rank-1"
12 0 3 1 PMPI_Init
12 0 3 2 PMPI_Init
13 4 3 1
13 4 3 2
12 4.5 3 1 MPI_Send
15 4.5 4 0 PTP 1 k
12 4.7 3 2 MPI_Recv
13 5 3 1
16 5 4 0 PTP 2 k
13 5 3 2
12 5 3 1 MPI_Finalize
13 8 3 1
EOF
} >init.trace
axis() { awk -F, '$1 == "text" && /"?time \(/ || /other MPI calls/' "$1" | grep -o 'other MPI calls [^",]*'; }
run traceviz init.trace -o i.csv
is "$rc $(axis i.csv) $(grep -c message-head i.csv)$(cat stderr)" "0 other MPI calls 0.000 to 8.000 s 1" "without MPI_Init, with the message"
is "$(awk -F, '$1 == "text" && $3 == "tick" { print $NF; exit }' i.csv)" 4.0 "from the end of MPI_Init, not from the first call"
run traceviz init.trace --begin 0 -o b.csv
is "$(axis b.csv)" "" "with --begin 0 all of it"
run traceviz init.trace --spacetime.messages none -o n.csv
is "$(grep -c message-head n.csv)" 0 "no arrows"
sed 's/^13 4 /13 0.1 /; s/^12 4.5 3 1/12 0.1 3 1/' init.trace | sed 's/^13 8 /13 5.1 /' >short.trace
run traceviz short.trace -o s.csv
is "$rc $(axis s.csv)" "0 " "a short MPI_Init remains"
run traceviz init.trace --spacetime.mpi yes -o y.csv
is "$(grep -c '"*MPI calls"*' y.csv)" 2 "rows of calls on demand"

# Sums as pj_dump has them.
if command -v pj_dump >/dev/null; then
	for trace in "$TESTDATA/paje/facet-a.trace" "$TESTDATA/paje/colors-a.trace" "$TESTDATA/paje/colors-b.trace"; do
		pj_dump "$trace" 2>/dev/null | awk -F', ' '$1 == "State" && $8 ~ /^P?MPI_/ { sub(/^P/, "", $8); n[$8]++; t[$8] += $6 }
			END { for (k in n) printf "%s %d %.3f\n", k, n[k], t[k] * 1000 }' | sort >want
		traceviz callprofile -q "$trace" 2>/dev/null | awk -F, 'NR > 1 && $2 != "run" { n[$2] += $5; t[$2] += $6 }
			END { for (k in n) printf "%s %d %.3f\n", k, n[k], t[k] }' | sort >got
		ok "number and time of calls as pj_dump: $(basename "$trace")" cmp got want
	done
	pj_dump "$two" 2>/dev/null | head -1 >/dev/null
	is "$(traceviz states -q --by type "$TESTDATA/paje/facet-a.trace" | awk -F, '$3 == "state" { t += $9 } END { printf "%.3f", t }')" \
		"$(pj_dump "$TESTDATA/paje/facet-a.trace" | awk -F', ' '$1 == "State" && $7 == 0 { t += $6 } END { printf "%.3f", t * 1000 }')" "all states, as pj_dump"
else
	skip 4 "no pj_dump"
fi
is "$(traceviz states -q --of all "$DATA/cholesky-paje" | cut -d, -f2,11 | sed 1d | sort -u | wc -l | tr -d ' ')" \
	"$(traceviz convert -q "$DATA/cholesky-paje" -o whole; perl -e '
		open(R, "whole/resources.csv"); @h = split /,/, <R>; while (<R>) { chomp; @f = split /,/; $t{$f[0]} = $f[1] }
		open(S, "whole/states.csv"); <S>; while (<S>) { @f = split /,/; $k{"$t{$f[0]},$f[1]"} = 1 } print scalar keys %k')" \
	"states of all resources: each resource type and type of states"

# What a verb cannot use is no silent, empty table, and a trace without calls says what it has.
run traceviz requests "$two"
like "$rc $(wc -l <stdout) $(cat stderr)" "0 1 *no MPI call of the trace names a request*callprofile, wait-states and messages*" \
	"calls without requests"
run traceviz callprofile "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "1 *callprofile: the trace has no MPI calls*it has tasks (diagnose, summary)" "tasks alone"
# Of tables that a verb may leave unread, and of idle workers, nothing is said that depends on it.
mkdir idle
printf 'ResourceId,Value,Start,End,Kind\nCPU0,,,,worker\n' >idle/tasks.csv
printf 'ResourceId,Type,Start,End,Value\nCPU0,power,0,1,3\n' >idle/variables.csv
run traceviz wait-states idle
like "$rc $(cat stderr)" "1 *wait-states: the trace has no MPI calls*; it has variables (counter, --panels counter: power)" \
	"an idle worker is no task, and variables are named"
