#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# refusals.t: refusals name the option or verb that helps, and the names that exist
# Commands and what their messages must name: tests/data/refusals/refusals.tsv. Messages of cli/ and analysis/ that name no
# option beside the one refused, no verb and nothing that is expected are printed by that table or in reviewed.tsv, with a reason.
. "$(dirname "$0")/lib.sh"
table=$TESTDATA/refusals/refusals.tsv
plan $(($(grep -vc '^#' "$table") + 5))

tab=$(printf '\t')
traceviz convert -q "$DATA/cholesky-paje" -o full 2>/dev/null
mkdir vars two mpi
printf 'ResourceId,Value,Start,End,Kind\nr,,,,worker\n' >mpi/tasks.csv
printf 'ResourceId,Call,Class,Start,End\nr,MPI_Barrier,blocking,0,5\n' >mpi/calls.csv
printf 'ResourceId,Type,Start,End,Value\nr,load,0,1,2\n' >vars/variables.csv
cat >variables.trace <<'END'
%EventDef PajeDefineContainerType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 3
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeSetVariable 4
% Time date
% Type string
% Container string
% Value double
%EndEventDef
1 M 0 Machine
2 P M Power
3 0 m M 0 m
4 0 P m 3
END
grep -v '^[24] ' variables.trace >container.trace
cat >star.xml <<'END'
<?xml version='1.0'?>
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<host id="c" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us"/><route src="a" dst="b"><link_ctn id="l"/></route>
</zone></platform>
END
mkdir starvz parquet
printf 'Control,JobId,SubmitOrder\n' >starvz/rec.tasks.csv
printf 'Nature,ResourceId,Type,Start,End,Duration,Depth,Value\n' >starvz/paje.worker_state.csv
printf PAR1 >parquet/application.parquet
cp "$DATA/cholesky-ws.csv" two/a.csv
cp "$DATA/cholesky-dmda.csv" two/b.csv
ln -s "$DATA" DATA
ln -s "$TESTDATA" TEST
grep -v '^#' "$table" >rows
while IFS=$tab read -r command message name; do
	# shellcheck disable=SC2086 # words of the command
	set -- $command
	traceviz "$@" </dev/null >out 2>err
	cat err >>printed
	if grep -F -e "$message" err | grep -qF -e "$name"; then
		result 0 "$command: $name"
	else
		result 1 "$command: $name"
		diag "$(head -3 err)"
	fi
done <rows

# Completeness
check() { perl "$ROOT/tests/cli/refusals.pl" "$1" printed "$TESTDATA/refusals/reviewed.tsv"; }
check "$ROOT" >open
ok "messages are found ($(head -1 open))" test "$(head -1 open)" -gt 330
is "$(sed 1d open)" "" "each message names a way on, is printed by the table, or is reviewed as one where nothing helps"
mkdir -p source/cli source/analysis source/sim/model source/record/tool
printf 'int f(void)\n{\n\treturn tv_fail(err, "nothing works "\n\t\t"here");\n}\n' >source/cli/new.c
is "$(check source | sed -n '1p;/^open/p')" "1
open: nothing works here" "a new message would be found"
printf 'int f(void)\n{\n' >source/cli/new.c
while IFS='|' read -r message; do printf '\ttv_fail(err, "%s");\n' "$message"; done >>source/cli/new.c <<'END'
--step %s is too many
too many, oversee country
others, expected others
this traceviz was built without it
--step %s is too many: --step-count limits it
too many, expected up to %d
too many: traceviz help lists them
too many: 'summary' lists them
--step %s has no effect on %s
END
printf '}\n' >>source/cli/new.c
is "$(check source | sed -n 's/^open: //p')" "--step %s is too many
others, expected others
this traceviz was built without it
too many, oversee country" "words that name nothing do not count, nor does the option that is refused"

# A figure that is drawn part by part ends with such an error: without the mark it would lack a panel.
grep -rlzE 'tv_fail\(\s*err,\s*"([^"]|"\s*")*all rows at once' "$ROOT/analysis" "$ROOT/dag" "$ROOT/views" >unmarked
is "$(cat unmarked)" "" "what needs all rows at once is said by tv_fail_parts"
