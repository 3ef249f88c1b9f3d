#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-potential.t: potentials of findings and their methods on constructed traces
. "$(dirname "$0")/lib.sh"

plan 4

potential() { # ID TRACE: the potential of that finding, in ms
	traceviz diagnose -q --json "$2" | tr '{' '\n' | grep "\"Id\": *\"$1\"" | sed 's/.*"Potential": *\([^,]*\),.*/\1/'
}
method() { # ID TRACE
	traceviz diagnose -q --json "$2" | tr '{' '\n' | grep "\"Id\": *\"$1\"" | sed 's/.*"Method": *"\([^"]*\)".*/\1/'
}

head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,a,2,20,30,app,,20\nC1,CPU,b,3,0,10,app,,0\n'; } >submission.csv
is "$(potential submission submission.csv)" 10.000000 "submission: 30 ms become 20"
is "$(method submission submission.csv)" "policy fifo, which is most like the run; all tasks submitted at the start" "its method"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,b,2,16,30,app,1,0\n'; } >runtime.csv
is "$(potential runtime runtime.csv)" 6.000000 "runtime: the gap"
is "$(potential long-tail "$DATA/cholesky-ws.csv") $(method long-tail "$DATA/cholesky-ws.csv")" "null not estimated" "no simulation, no number"
