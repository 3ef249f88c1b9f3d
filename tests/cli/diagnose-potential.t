#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-potential.t: potentials of findings and their methods on constructed traces
. "$(dirname "$0")/lib.sh"

plan 12

potential() { # ID TRACE: the potential of that finding, in ms
	traceviz diagnose -q --json "$2" | tr '{' '\n' | grep "\"Id\": *\"$1\"" | sed 's/.*"Potential": *\([^,]*\),.*/\1/'
}
method() { # ID TRACE
	traceviz diagnose -q --json "$2" | tr '{' '\n' | grep "\"Id\": *\"$1\"" | sed 's/.*"Method": *"\([^"]*\)".*/\1/'
}

head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,a,2,20,30,app,,20\nC1,CPU,b,3,0,10,app,,0\n'; } >submission.csv
is "$(potential submission submission.csv)" 10.000000 "submission: 30 ms become 20"
is "$(method submission submission.csv)" "policy fifo, which comes nearest to the recorded length; all tasks submitted at the start; as if no task depended on another" "its method"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,b,2,16,30,app,1,0\n'; } >runtime.csv
is "$(potential runtime runtime.csv)" 6.000000 "runtime: the gap"
is "$(potential long-tail "$DATA/cholesky-ws.csv") $(method long-tail "$DATA/cholesky-ws.csv")" "null not estimated" "no simulation, no number"

# A pipeline whose stages have a worker each: no policy would leave two workers idle, so none says anything of this run.
awk 'BEGIN { print "ResourceId,Value,JobId,Start,End,DependsOn"; for (i = 0; i < 100; i++) { from = i * 12
	print "w0,read," 3 * i "," i * 5 "," i * 5 + 5 ","; print "w1,filter," 3 * i + 1 "," from + 5 "," from + 17 "," 3 * i; print "w2,write," 3 * i + 2 "," from + 17 "," from + 20 "," 3 * i + 1 } }' >stages.csv
is "$(method elsewhere stages.csv)" "not estimated: simulations say little about this run, as with the policy that comes nearest to its length they are 528.0 ms shorter than it was" \
	"a run that no policy is like"

# C takes 25 ms for what others do in 10, and 40 once, which is long for C, too: without its slowness each of the twenty steps takes 10 ms.
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,DependsOn,SubmitTime"; t = 0
	for (k = 0; k < 20; k++) { c = k == 7 ? 40 : 25; need = k > 0 ? "A" k - 1 " B" k - 1 " C" k - 1 : ""
		for (w = 0; w < 3; w++) { name = substr("ABC", w + 1, 1); print name ",CPU,step," name k "," t "," t + (w == 2 ? c : 10) "," need ",0" }
		t += c } }' >twice.csv
is "$(potential slow-worker twice.csv)" 315.000000 "what is long on a slow worker is no task of a usual length"

# Eight tasks on two workers, then one behind all of them: no schedule is shorter, but in two parts the last one takes half.
text() { traceviz diagnose -q "$1" | xargs -0 | tr -s ' \n' ' '; }
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,DependsOn"; for (i = 0; i < 8; i++) print "C" i % 2 ",CPU,a," i + 1 "," 10 * int(i / 2) "," 10 * int(i / 2) + 10 ","
	print "C0,CPU,b,9,40,100,1 2 3 4 5 6 7 8" }' >last.csv
is "$(potential long-tail last.csv)" 30.000000 "the task that runs alone at the end, split"
like "$(method long-tail last.csv)" "policy *, which comes nearest to the recorded length; this task is split into 2 parts that run side by side" "its method"
like "$(text last.csv)" "*With all workers busy all the time, the same tasks would be done after 70.00 ms; with their dependencies, no schedule on these workers takes less than \
100.0 ms. As long as tasks and their dependencies are what they were, another schedule saves nothing.*" \
	"graph and workers together limit what another schedule saves"
# One more task of its type, before all others: only the last one is split.
{ echo 'ResourceId,ResourceType,Value,JobId,Start,End,DependsOn'; echo C0,CPU,b,first,-10,0,; sed '1d;/,a,/s/$/first/' last.csv; } >others.csv
is "$(potential long-tail others.csv)" 30.000000 "not the others of its type"

# Tasks have a processor for half of their time; between them the runtime does what no simulation explains.
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,DependsOn,SubmitTime,task-clock"
	for (i = 0; i < 20; i++) print "C" i % 2 ",CPU,a," i "," 14 * int(i / 2) "," 14 * int(i / 2) + 10 ",,0,5000000" }' >waits.csv
like "$(text waits.csv)" "*By simulation the run would take 50.00 ms to 86.00 ms instead of 136.0 ms: *each thread has a processor while it runs a task*" "what the simulation leaves out may be due to the same cause"
like "$(text waits.csv)" "*How sure: the cause is likely, not proven; * is 36.00 ms (26.5 %) shorter than recorded.*" "how far it is off"
