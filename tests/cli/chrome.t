#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome.t: Chrome trace events: samples against another reader, phases, lanes, flows, tasks by rule, damage
. "$(dirname "$0")/lib.sh"
plan 62
samples=$TESTDATA/chrome
traceviz info "$samples/flows.json" >/dev/null 2>no-yajl
if grep -q 'built without it' no-yajl; then
	skip 62 "traceviz was built without yajl"
	exit 0
fi

for name in apex alexnet amd flows truncated odd; do
	file=$samples/$name.json
	[ -e "$file" ] || file=$file.gz
	run traceviz convert -q "$file" -o "$name"
	is "$rc $(perl "$ROOT/tests/cli/chrome_truth.pl" "$samples/$name.truth" "$name" 2>&1)" "0 " "$name: as another reader finds it"
done
is "$(traceviz bounds -q --csv "$samples/apex.json.gz" | awk -F, '$2 == "cpe" { print $4 }')" 23954.551563 "apex: the estimate of the critical path"
is "$(grep '^NoWorker' apex/meta.csv)" "NoWorker,CPU0: one span around all others" "apex: the main thread is no worker"
is "$(awk -F, "$by_name"'$c["SubmitTime"] == "" || $c["SubmitTime"] > $c["Start"]' apex/tasks.csv | wc -l)" 0 "apex: tasks were created before they started"
is "$(grep -o 'next,0[^,]*,[^,]*' odd/tasks.csv) $(grep -o '^<b>",[^,]*,[^,]*' odd/tasks.csv)" 'next,0.012999,0.013499 <b>",0.000000,0.012999' \
	"odd: 19 digits of a time, exactly"
is "$(awk -F, '$1 ~ /Clock/ { print $2 }' odd/meta.csv)" 1744403505742.480251 "odd: and of the clock"

# ev NAME EVENTS: a file NAME.json of these events, one a line, as a folder of tables
ev() {
	{ echo '{"traceEvents":['; printf '%s\n' "$2" | sed '$!s/$/,/'; echo ']}'; } >"$1.json"
	rm -rf "$1"
	run traceviz convert -q --zero none "$1.json" -o "$1"
}
rows() { tail -n +2 "$1" 2>/dev/null | tr '\n' ';'; }

ev nested '{"ph":"B","pid":1,"tid":1,"name":"a","ts":0}
{"ph":"B","pid":1,"tid":1,"name":"b","ts":1}
{"ph":"E","pid":1,"tid":1,"ts":2}
{"ph":"X","pid":1,"tid":1,"name":"c","ts":3,"dur":1}
{"ph":"E","pid":1,"tid":1,"ts":9}'
is "$rc $(rows nested/states.csv)" \
	"0 thread1,region,a,0.000000,0.009000,0;thread1,region,b,0.001000,0.002000,1;thread1,region,c,0.003000,0.004000,1;" \
	"begins and ends, and slices inside: regions with depth"
# A begin without end lasts until the end of the last event of its lane, whatever that is; of two at once each.
ev open '{"ph":"B","pid":1,"tid":1,"name":"a","ts":0}
{"ph":"B","pid":1,"tid":1,"name":"b","ts":1}
{"ph":"X","pid":1,"tid":1,"name":"c","ts":3,"dur":4}
{"ph":"B","pid":1,"tid":2,"name":"d","ts":5}
{"ph":"i","pid":1,"tid":2,"name":"e","ts":9}'
is "$rc $(cut -d, -f1,3-5,7 open/states.csv | tail -n +2 | tr '\n' ';')" \
	"0 thread1,a,0.000000,0.007000,open;thread1,b,0.001000,0.007000,open;thread1,c,0.003000,0.007000,;thread2,d,0.005000,0.009000,open;" \
	"begins without end"
if command -v python3 >/dev/null; then
	is "$(python3 "$ROOT/tests/oracle/foreign.py" traceviz "$samples"/a*.gz "$samples/flows.json" "$samples/truncated.json" nested.json open.json 2>&1 |
		grep '^  ')" "" "samples as another reader finds them"
else
	skip 1 "no python3"
fi
run traceviz info nested.json
is "$rc" 0 "a trace of regions alone has an answer"
run traceviz diagnose --csv nested.json
like "$rc $(sed -n 2p stdout)" "0 *The trace shows 9.000 us: 3 regions of 1 type on 1 resource, and no tasks. Of their own time, \
without the regions inside, they are in a for 7.000 us (77.8 %), in b for 1.000 us (11.1 %), in c for 1.000 us (11.1 %).*" \
	"diagnose says what there is"
run traceviz nested.json
is "$rc $(tail -n 1 stdout)" "0 See: traceviz diagnose --task-state 'Type == \"region\" and Depth == 0' nested.json" "and how to go on"
eval "$(tail -n 1 stdout | cut -c 6-)" >answer
like "$(cat answer)" "The run took 9.000 us: *" "by a command that works"
# Two lanes with one slice each, at the same time: none is around the other one.
ev equal '{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":9}
{"ph":"X","pid":1,"tid":2,"name":"b","ts":0,"dur":9}'
is "$rc $(cut -d, -f1,2 equal/tasks.csv | tail -n +2 | tr '\n' ';')" "0 thread1,a;thread2,b;" "equal slices on two lanes are tasks"
# What HolisticTraceAnalysis expects of its trace of one addition: weights of the edges of host functions (relu_ 15 and 32,
# clamp_min_ 14 and 15, the launch 17), from a launch to its kernel 27 and from kernel to kernel 7 us.
host='{"ph":"X","cat":"cpu_op","pid":1,"tid":1,"name":"aten::relu_","ts":0,"dur":93}
{"ph":"X","cat":"cpu_op","pid":1,"tid":1,"name":"aten::clamp_min_","ts":15,"dur":46}
{"ph":"X","cat":"cuda_runtime","pid":1,"tid":1,"name":"cudaLaunchKernel","ts":29,"dur":17,"args":{"correlation":1}}'
ev host "$host"
run traceviz diagnose --csv host.json
like "$rc $(sed -n 2p stdout)" "0 *, they are in aten::relu_ for 47.00 us (50.5 %), in aten::clamp_min_ for 29.00 us (31.2 %), in cudaLaunchKernel for 17.00 us*" \
	"own times of host functions"
ev kernels "$host"'
{"ph":"X","cat":"cuda_runtime","pid":1,"tid":1,"name":"cudaLaunchKernel","ts":50,"dur":5,"args":{"correlation":2}}
{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"fft","ts":56,"dur":20,"args":{"device":0,"stream":7,"correlation":1}}
{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"ampere","ts":83,"dur":9,"args":{"device":0,"stream":7,"correlation":2}}'
is "$(awk -F, "$by_name"'NR > 1 { print $c["Value"], ($c["Start"] - $c["SubmitTime"]) * 1000 }' kernels/tasks.csv | tr '\n' ' ')$(
	traceviz idle-causes -q --level stream --where 'Time > 0' kernels.json | awk -F, "$by_name"'NR > 1 { print $c["Cause"], $c["Time"] * 1000 }')" \
	"fft 27 ampere 33 launch 7" "a launch to its kernel, kernel to kernel"
# What its test of a whole trace expects on the critical path: work of the device that is on ours, too, and delays of launches.
gzip -dc "$samples/hta.json.gz" >hta.json
traceviz critical-path -q --json hta.json >path
traceviz outliers -q --json hta.json >starts
perl -MJSON::PP -e 'sub rows { open my $in, "<", $_[0] or die; local $/; decode_json(<$in>) }
	my @work = sort { $a->{ts} <=> $b->{ts} } grep { $_->{cat} ne "cuda_runtime" } @{rows("hta.json")->{traceEvents}};
	my %ours = map { (sprintf("%.0f", $_->{Start} * 1000) => $_->{Value}) } grep { $_->{Part} eq "task" } @{rows("path")};
	my %delay = map { (sprintf("%.0f", $_->{Start} * 1000) => sprintf("%.0f", ($_->{Start} - $_->{SubmitTime}) * 1000)) } @{rows("starts")};
	for (@work) {
		my $at = $_->{ts} - $work[0]{ts};
		$theirs++ if $_->{args}{critical}; $both++ if $_->{args}{critical} && ($ours{$at} // "") eq $_->{name};
		$delays++ if defined $_->{args}{delay}; $equal++ if defined $_->{args}{delay} && $delay{$at} == $_->{args}{delay};
	}
	print "$theirs $both $delays $equal ", scalar(keys %ours), "\n"' >compared
is "$(cat compared)" "22 22 17 17 96" "HolisticTraceAnalysis' critical path: work on both, equal delays, ours in all"
# Steps: what the profiler's events say of each, without this reader.
gzip -dc "$samples/amd.json.gz" >steps.json
perl "$ROOT/tests/cli/chrome_steps.pl" steps.json >want
traceviz phases -q --region 'ProfilerStep#*' steps.json | cut -d, -f1,4- >got
ok "what devices did in each step of PyTorch: $(wc -l <want | tr -d ' ') lines" cmp want got
# The recorder's own lane; regions that overlap without being inside.
ev lanes '{"ph":"X","pid":1,"tid":-1,"name":"all","ts":0,"dur":100}
{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":10}
{"ph":"X","pid":1,"tid":1,"name":"b","ts":6,"dur":10}
{"ph":"X","pid":1,"tid":2,"name":"a","ts":0,"dur":6}'
run traceviz diagnose --csv lanes.json
like "$rc $(sed -n 2p stdout)" "0 *The trace shows 16.00 us: 3 regions of 1 type on 2 resources,*in a for 12.00 us (54.5 %), in b for 10.00 us (45.5 %).*" \
	"without lanes that are no workers"

# Of the same category, inside; the third begins with the end of the first, the fourth is of another lane.
ev inner '{"ph":"X","pid":1,"tid":1,"name":"a","cat":"task","ts":0,"dur":10}
{"ph":"X","pid":1,"tid":1,"name":"inner","cat":"task","ts":0,"dur":4}
{"ph":"X","pid":1,"tid":1,"name":"c","cat":"task","ts":10,"dur":5}
{"ph":"X","pid":1,"tid":2,"name":"d","cat":"task","ts":2,"dur":3}
{"ph":"X","pid":1,"tid":1,"name":"last","cat":"task","ts":12,"dur":3}'
is "$rc $(cut -d, -f1-4 inner/tasks.csv | sed 1d | tr '\n' ';')" \
	"0 thread1,a,0.000000,0.010000;thread2,d,0.002000,0.005000;thread1,c,0.010000,0.015000;" "what is inside a task is a region, also of its category"
is "$(cut -d, -f1,3,6 inner/states.csv | sed 1d | tr '\n' ';')" "thread1,inner,1;thread1,last,1;" "with its depth"

ev unordered '{"ph":"E","pid":1,"tid":1,"ts":9}
{"ph":"B","pid":1,"tid":1,"name":"a","ts":2}
{"ph":"E","pid":1,"tid":1,"ts":10}
{"ph":"B","pid":1,"tid":"1","name":"b","ts":3}'
is "$(rows unordered/states.csv)" \
	"thread1,region,a,0.002000,0.010000,0;thread1,region,b,0.003000,0.009000,1;" "events in any order; 1 and \"1\" are one lane"

ev flow '{"ph":"X","pid":1,"tid":1,"name":"a","cat":"task","ts":0,"dur":10}
{"ph":"X","pid":1,"tid":1,"name":"in","cat":"f","ts":1,"dur":2}
{"ph":"X","pid":1,"tid":2,"name":"b","cat":"task","ts":20,"dur":10}
{"ph":"X","pid":1,"tid":2,"name":"c","cat":"task","ts":40,"dur":10}
{"ph":"s","pid":1,"tid":1,"name":"x","cat":"d","id":1,"ts":2}
{"ph":"f","pid":1,"tid":2,"name":"x","cat":"d","id":1,"ts":15}
{"ph":"s","pid":1,"tid":2,"name":"x","cat":"d","id":1,"ts":25}
{"ph":"f","pid":1,"tid":2,"name":"x","cat":"d","id":1,"ts":45,"bp":"e"}
{"ph":"f","pid":1,"tid":2,"name":"y","cat":"d","id":1,"ts":45,"bp":"e"}
{"ph":"s","pid":1,"tid":1,"name":"y","cat":"ac2g","id":1,"ts":2}
{"ph":"f","pid":1,"tid":2,"name":"y","cat":"ac2g","id":1,"ts":45,"bp":"e"}'
is "$(columns flow/tasks.csv Value,JobId,DependsOn | tr '\n' ';')" "a 1;b 3 1;c 4 3;" \
	"flows between tasks: the next slice or that around; an id used again; no launches"
is "$(grep Unmatched flow/meta.csv)" "UnmatchedFlows,1" "an end without begin is counted"

ev steps '{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":1}
{"ph":"X","pid":1,"tid":2,"name":"b","ts":2,"dur":1}
{"ph":"X","pid":1,"tid":3,"name":"c","ts":4,"dur":1}
{"ph":"s","pid":1,"tid":1,"id2":{"local":"0x1"},"ts":0.5}
{"ph":"t","pid":1,"tid":2,"id2":{"local":"0x1"},"ts":2.5}
{"ph":"f","pid":1,"tid":3,"id2":{"local":"0x1"},"ts":4.5,"bp":"e"}'
is "$(columns steps/tasks.csv Value,JobId,DependsOn | tr '\n' ';')" "a 1;b 2 1;c 3 2;" "a flow with a step"

ev async '{"ph":"X","pid":7,"tid":1,"name":"a","ts":0,"dur":9}
{"ph":"b","pid":7,"tid":1,"cat":"io","name":"read","id":1,"ts":1}
{"ph":"b","pid":7,"tid":1,"cat":"io","name":"write","id":"0x2","ts":2}
{"ph":"e","pid":7,"tid":1,"cat":"io","name":"read","id":1,"ts":4}
{"ph":"e","pid":7,"tid":1,"cat":"io","name":"write","id":"0x2","ts":5}
{"ph":"C","pid":7,"name":"n","ts":1,"args":{"up":1,"down":2.5}}
{"ph":"C","pid":7,"name":"n","ts":3,"args":{"up":4,"down":"x"}}
{"ph":"i","pid":7,"tid":1,"name":"mark","s":"g","ts":6}
{"ph":"n","pid":7,"tid":5,"cat":"io","name":"half","id":1,"ts":3}
{"ph":"T","pid":7,"tid":5,"name":"read","id":1,"ts":3.5,"args":{"step":"seek"}}
{"ph":"P","pid":7,"tid":1,"name":"p","ts":6}'
is "$(rows async/states.csv)" "process,io,read,0.001000,0.004000,0;process,io,write,0.002000,0.005000,1;" "asynchronous spans"
is "$(rows async/variables.csv)" "process,n.up,0.001000,0.003000,1;process,n.up,0.003000,0.009000,4;process,n.down,0.001000,0.009000,2.5;" \
	"counters of several values"
is "$(rows async/events.csv) $(grep NotRead async/meta.csv)" "thread1,instant,0.006000,mark;process,io,0.003000,half;process,async,0.003500,seek; NotRead,1 events of phase P" \
	"instants; steps of asynchronous spans; what is not read is counted"
is "$(rows async/resources.csv | tr ';' '\n' | cut -d, -f1 | tr '\n' ' ')" "process thread1 " "a step makes no worker of its lane"

# lanes
ev lanes '{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"w"}}
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"w"}}
{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":1}
{"ph":"X","pid":1,"tid":2,"name":"a","ts":3,"dur":1}
{"ph":"X","pid":1,"tid":3,"name":"main","ts":0,"dur":9}
{"ph":"X","pid":2,"tid":1,"name":"a","ts":5,"dur":1}'
is "$(columns lanes/tasks.csv ResourceId,Node,ResourceType | tr '\n' ';')" \
	"1_w 1 1 worker;1_w 2 1 worker;2_thread1 2 thread;" "one name for two threads; two processes; a span around all others"
run traceviz convert -q --workers '*thread*' lanes.json -o asked
is "$rc $(columns asked/tasks.csv ResourceId | tr '\n' ';')$(grep -c 'not in' asked/meta.csv)" "0 1_thread3;2_thread1;2" "--workers"
named() { # PID NAME: metadata
	printf '{"ph":"M","pid":%s,"name":"process_name","args":{"name":"%s"}}\n' "$@"
}
slices='{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":1}
{"ph":"X","pid":2,"tid":1,"name":"a","ts":3,"dur":1}
{"ph":"X","pid":3,"tid":1,"name":"a","ts":5,"dur":1}'
ev nodes "$(named 1 server 2 "my client" 3 "my client")
$slices"
is "$(columns nodes/tasks.csv ResourceId,Node | tr '\n' ';')" "server_thread1 server;2_thread1 2;3_thread1 3;" "names of processes are names of nodes, unless several have them"
ev nodes2 "$(named 1 2)
$slices"
is "$(columns nodes2/tasks.csv Node | tr '\n' ';')" "1;2;3;" "nor one that is the pid of another process"
{ echo '['; for i in 1 2 3 4 5; do
	echo '{"ph":"M","pid":1,"tid":'$i',"name":"thread_name","args":{"name":"req'$i'"}},'
	echo '{"ph":"X","pid":1,"tid":'$i',"name":"req'$i'","ts":'$i',"dur":2},'
done; echo '{"ph":"X","pid":1,"tid":9,"name":"work","ts":1,"dur":1}'; } >requests.json
run traceviz convert -q requests.json -o requests
is "$rc $(columns requests/tasks.csv Value) $(grep -c 'a lane for each slice' requests/meta.csv)" "0 work 5" \
	"lanes of one slice with their name are no workers; a list without its end"

# tasks by rule
run traceviz summary -q --csv --task-state "Value == 'b' or Value == 'c'" nested.json
is "$rc $(cut -d, -f1 stdout | tail -n +2 | tr '\n' ';')" "0 b;c;" "--task-state with an expression"
run traceviz summary -q --csv --task-state 'b,x*' nested.json
is "$rc $(cut -d, -f1 stdout | tail -n +2 | tr '\n' ';')" "0 b;" "--task-state with a list"
run traceviz summary --task-state "Value == 'z'" nested.json
is "$rc $(cat stderr)" "2 traceviz: --task-state 'Value == 'z'' holds for no state, expected one of the types region" "no region fits"
run traceviz summary --task-state "Valu == 'z'" nested.json
like "$rc $(cat stderr)" "2 *Valu*" "no such column"
run traceviz summary -q --csv --task-state "Type ~ 'MPI' and Value == 'send'" "$TESTDATA/paje/smpi-two-ranks.trace"
is "$rc $(cut -d, -f1 stdout | tail -n +2 | tr '\n' ';')" "0 send;" "an expression over the states of another format"

# forms
printf '\357\273\277 [{"ph":"X","pid":1,"tid":1,"name":"a","ts":"1.0005","dur":1e1},' >bom.json
run traceviz convert -q --zero none bom.json -o bom.csv
is "$rc $(columns bom.csv Start,End | tail -1)" "0 0.001001 0.011001" "a byte order mark, a text as time, an exponent, an open end"
{ printf '{"big":["'; head -c 3000000 /dev/zero | tr '\0' a; printf '"],"traceEvents":[{"ph":"X","ts":1,"dur":2,"name":"a"}],"baseTimeNanoseconds":1700000000000000123}'; } >late.json
run traceviz convert -q late.json -o late
is "$rc $(awk -F, '/ClockOrigin/ { print $2 }' late/meta.csv)" "0 1700000000000.001123" "events behind 3 MB of another member; the base time behind them"
for r in 0 1; do
	echo '{"distributedInfo":{"rank":'$((1 - r))'},"baseTimeNanoseconds":'$((1000 - 1000 * r))',"traceEvents":[{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"k","ts":5,"dur":1,"args":{"device":0,"stream":7,"correlation":3}},{"ph":"X","cat":"cuda_runtime","pid":9,"tid":9,"name":"l","ts":'$((3 + r))',"dur":1,"args":{"correlation":3}}]}' >r$r.json
done
run traceviz convert -q --zero none r0.json r1.json -o ranks.csv
is "$rc $(columns ranks.csv ResourceId,Node,Start,SubmitTime,Device | tr '\n' ';')" \
	"0 0_GPU0.7 0 0.005000 0.004000 0_GPU0;1_GPU0.7 1 0.006000 0.004000 1_GPU0;" "files of ranks: bases, correlations of one process"
gzip -c r0.json >r0.json.gz
run traceviz convert -q --zero none r0.json.gz -o gz.csv
is "$rc $(tail -n +2 gz.csv | wc -l)" "0 1" "compressed"

# damage
bad() { # NAME TEXT PATTERN
	printf '%s' "$2" >bad.json
	run traceviz convert bad.json -o bad.csv
	like "$rc $(cat stderr)" "$3" "$1"
	rm -f bad.csv
}
good='{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":1}'
bad "not finite" '[{"ph":"X","ts":0,"dur":1,"name":"n","args":{"x":NaN,"y":-Infinity,"z":[nan,1]}},'"$good]" "0 "
bad "a time that is none" "[$good,"'{"ph":"X","ts":"soon","dur":1}]' "0 *bad time: ts 'soon', expected a number of microseconds*"
bad "a negative duration" "[$good,"'{"ph":"X","ts":1,"dur":-1}]' "0 *negative duration*(1 record skipped)*"
bad "an end without begin" "[$good,"'{"ph":"E","ts":1}]' "0 *end without begin*"
bad "text behind events" "[$good] x" "0 *bad.json:1: no JSON: *what precedes is used*"
bad "no events" '{"traceEvents":[]}' "1 *JSON without trace events*"
bad "another document" '{"displayTimeUnit":"ms","a":1}' "1 *JSON without trace events*"
bad "no JSON" '[{"ph":1,,]' "1 *bad.json:1: no JSON: *"
{ echo '[{"ph":"X","ts":1,"dur":1,"args":'; head -c 1000000 /dev/zero | tr '\0' '['; } >deep.json
run traceviz info deep.json
is "$rc $(cat stderr)" "1 traceviz: deep.json:2: nested deeper than 1000 levels, which is the limit" "a million brackets"
{ echo '[{"ph":"X","dur":1,"name":"a","ts":'; head -c 10000 /dev/zero | tr '\0' 9; echo '},'; echo "$good"; } >digits.json
run traceviz convert digits.json -o digits.csv
like "$rc $(cat stderr)" "0 *bad time: ts '9999*" "a number of 10,000 digits"
{ printf '[{"ph":"X","ts":1,"dur":1,"name":"'; head -c 9000000 /dev/zero | tr '\0' a; printf '"}]'; } >long.json
run traceviz info long.json
is "$rc $(cat stderr)" "1 traceviz: long.json:1: a text or number longer than 4 MiB, which is the limit" "a text of 9 MB"
printf '[{"ph":"X","ts":1,"dur":1,"name":"a\377\376\\u0000b"}]' >bytes.json
run traceviz summary -q --csv bytes.json
is "$rc" 0 "bytes that are no UTF-8"

# Cut at every byte: what is whole before is read, nothing else; a file without an event is an error.
printf '%s\n' '{"displayTimeUnit":"ns","traceEvents":[' "$good," '{"ph":"i","ts":2,"name":"\u00e9\\"}' ']}' >whole.json
size=$(wc -c <whole.json)
wrong=
i=1
while [ "$i" -lt "$size" ]; do
	head -c "$i" whole.json >cut.json
	timeout 20 traceviz convert -q cut.json -o cut.csv 2>/dev/null
	status=$?
	want=$(head -c "$i" whole.json | awk 'NR == 2 && /}$|},$/ { found = 1 } END { print !found }')
	[ "$status" -eq "$want" ] || wrong="$wrong $i:$status"
	i=$((i + 1))
done
is "$wrong" "" "cut at every byte"

# Names of threads and an instant, but no slice (undefined behaviour is found by make check-san).
printf '[{"name":"thread_name","ph":"M","pid":0,"tid":0,"args":{"name":"x"}},\n{"name":"mark","ph":"i","pid":0,"tid":0,"ts":5}]' >names.json
is "$(traceviz info -q --csv names.json | grep '^rows,' | tr '\n' ' ')" "rows,events,1 rows,resources,1 " "no slices"
