#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi-alone.t: a trace of MPI calls without tasks: refusals name what works on it
. "$(dirname "$0")/lib.sh"
plan 2

# Verbs that need more than a trace, with what they need; all others are run on the trace alone.
cat >with <<'END'
annotate x
choice --job 1
cluster x
convert --to rec -o rec
derive 'a = b'
fit x --on y
place x --level L3
precision other
reduce --level L3
scaling other
simulate --resources CPU=4 -o sim
window 5
END
traceviz help --json | perl -0ne 's/"panels":.*//s; print "$1\n" while /\{"name":"([\w-]+)","group"/g' >verbs
cp -r "$DATA/mpi-overlap" other
printf 'ResourceId,Value,Start,End,Kind,Node,ResourceType\n0_T0,,,,worker,0,CPU\n' >other/tasks.csv
while read -r verb; do
	case $verb in compare | generate | help | list | plot | record | series | sql) continue ;; esac
	eval "set -- $(grep "^$verb " with || echo "$verb")"
	# As recorded, with a row for each thread that ran no task.
	if traceviz "$@" other >/dev/null 2>stderr </dev/null; then continue; fi
	grep -qE 'it has MPI calls \(callprofile, wait-states\)|traceviz efficiency RUN|give --cores N|--cores N gives|--to chrome|topology, info and diagnose' stderr ||
		echo "$verb: $(cat stderr)"
done <verbs >bad
is "$(wc -l <verbs | awk '{ print ($1 > 80) }') $(cat bad)" "1 " "each verb that refuses it names one that works"
mkdir one
printf 'ResourceId,ResourceType,Node\n0_T0,CPU,0\n' >one/resources.csv
printf 'ResourceId,Call,Class,Start,End\n0_T0,MPI_Barrier,blocking,0,5\n' >one/calls.csv
run traceviz dedicate one --cores 2 --dedicated 2
like "$(cat stderr)" "*rank 0 has 2 cores, expected more than the 2 of --dedicated: --cores N gives a rank N" "and of cores the option"
