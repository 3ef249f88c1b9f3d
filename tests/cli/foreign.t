#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# foreign.t: files of formats that are not read are named, with what to do; so are tables with other columns or separators,
# and traces without tasks
. "$(dirname "$0")/lib.sh"
plan 26

# foreign NAME MESSAGE: the file's message begins so, for the answer in words and for a figure.
foreign() {
	run traceviz "$1"
	answer="$rc $(cat stderr)"
	run traceviz "$1" -o f.pdf
	if [ "$rc $(cat stderr)" = "$answer" ]; then like "$answer" "1 traceviz: $1: $2" "$1"
	else is "$rc $(cat stderr)" "$answer" "$1: the same message for a figure"; fi
}
printf '\003BOTF2\001\002' >traces.otf2
foreign traces.otf2 "an OTF2 archive*"
printf 'SQLite format 3\000\020\000' >report.sqlite
foreign report.sqlite "a*SQLite database*"
printf 'PAR1\025\004' >tasks.parquet
foreign tasks.parquet "a Parquet file without a footer*"
echo '{"a": 1, "b": 2}' >other.json
foreign other.json "JSON of no known kind, not read: *"
printf 'PK\003\004\024' >trace.zip
foreign trace.zip "a ZIP archive: unpack it and give the trace inside"
printf '<!DOCTYPE html>\n<html></html>\n' >report.html
foreign report.html "a page (HTML), no trace: give the trace from which it was made"
cp "$TESTDATA/platform/zones.xml" platform.xml
foreign platform.xml "a platform of SimGrid, no trace: traceviz platform FILE lists it, traceviz simulate TRACE --platform FILE runs on it"
printf '<?xml version="1.0"?>\n<adag xmlns="x" name="w" jobCount="1"><job id="1" name="a" runtime="2"/></adag>\n' >workflow.dax
foreign workflow.dax "a workflow in Pegasus' XML (DAX), not read: write its graph as DOT"
printf '#PARSEC BINARY PROFILE \001' >run.prof
foreign run.prof "a profile of PaRSEC, not read: its h5toctf.py or pbt2ctf.py makes Chrome trace events*"
echo 'PROJECTIONS-RECORD 985' >run.0.log
foreign run.0.log "a trace of Charm++ Projections, not read: *"
printf 'ovni\001\000\000\000' >stream.obs
foreign stream.obs "a stream of ovni, not read: ovniemu makes traces of Paraver of it; give their folder"
echo '{"version": 3, "ovni": {"lib": {"version": "1.14.0"}}}' >stream.json
foreign stream.json "a part of a trace of ovni, not read: ovniemu*"
printf '\301\037\374\301\000' >channel0
foreign channel0 "a stream of CTF*"
printf 'ARROW1\000\000' >run.feather
foreign run.feather "an Arrow (Feather) file, not read: *"
printf '<?xml version="1.0"?>\n<graphml><graph edgedefault="directed"/></graphml>\n' >graph.graphml
foreign graph.graphml "a graph in GraphML, not read: write it as DOT"
printf 'task;worker;begin;finish\na;0;1;2\n' >semicolon.csv
foreign semicolon.csv "a table whose columns are separated by ';', expected ','; to read it, if its times are in ms: traceviz --map 'ResourceId=worker,Value=task,Start=begin,End=finish' --time-unit ms semicolon.csv"
printf 'task\tworker\tbegin\tfinish\na\t0\t1\t2\n' >tabs.tsv
foreign tabs.tsv "a table whose columns are separated by tabs, expected ','; to read it, if its times are in ms: traceviz --map 'ResourceId=worker,Value=task,Start=begin,End=finish' --time-unit ms tabs.tsv"
printf 'task,worker,begin,finish\na,0,1,2\n' >names.csv
run traceviz names.csv
is "$rc $(cat stderr)" "1 traceviz: names.csv:1: the header is not that of tasks (ResourceId, Value, Start, End); to read it, if its times are in ms: traceviz --map 'ResourceId=worker,Value=task,Start=begin,End=finish' --time-unit ms names.csv" \
	"other names of columns"
printf 'ResourceId,Value,Start,Duration\nw,a,0,1\n' >duration.csv
run traceviz duration.csv
is "$rc $(cat stderr)" "1 traceviz: duration.csv:1: the header is not that of tasks (ResourceId, Value, Start, End); to read it, if its times are in ms: traceviz --map 'ResourceId=ResourceId,Value=Value,Start=Start,Duration=Duration' --time-unit ms duration.csv" \
	"Start and Duration"

# instead TRACE MESSAGE: what is there instead of tasks, in the answer in words.
instead() {
	run traceviz diagnose "$1"
	like "$rc $(grep -v 'all ranks together' stderr)" "1 traceviz: $1: diagnose: the trace has no tasks (columns ResourceId, Value, Start, End); it has $2" "$3"
}
mpi=$TESTDATA/paje/smpi-two-ranks.trace
run traceviz diagnose "$mpi"
like "$rc $(xargs <stdout)" "0 *(waits-in-mpi). Rank 0 is in MPI_Send for 500.0 ms, 100 % of its time.*" "calls, states, messages: an answer"
instead "$TESTDATA/hwloc/hwloc3.xml" "objects of a machine (topology, platform)" "a topology"
instead "$TESTDATA/nbc/osu-full.txt" "rows of benchmarks (overlap)" "benchmarks"
instead "$TESTDATA/mpip/mpip-concise.mpiP" "sums of MPI calls (callprofile, dedicate)" "a report of mpiP"
printf 'PU:0 1000000 0.5\nPU:1 1000000 0.25\nPU:0 2000000 0.5\n' >monitor.hmon
instead monitor.hmon "variables (counter, --panels counter: *)*" "variables"
run traceviz "$TESTDATA/hwloc/hwloc3.xml" -o t.pdf
is "$rc $(cat stderr)" "1 traceviz: $TESTDATA/hwloc/hwloc3.xml: nothing to draw: neither tasks nor states nor MPI calls; it has objects of a machine (topology, platform)" \
	"the same for a figure"
run traceviz summary --task-state MPI_STAT "$mpi"
like "$rc $(cat stderr)" "1 traceviz: --task-state 'MPI_STAT' (did you mean 'MPI_STATE'?), expected a state type of the trace: MPI_STATE
*" "the types of states that exist"
