#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome-write.t: traces as Chrome trace events: the same tables again, and what viewers need
. "$(dirname "$0")/lib.sh"
plan 45
traceviz info "$TESTDATA/chrome/flows.json" >/dev/null 2>no-yajl
if grep -q 'built without it' no-yajl; then
	skip 45 "traceviz was built without yajl"
	exit 0
fi

# same TRACE "DEPENDENCIES MESSAGES ARROWS" NAME: tables come back as they were; the events follow the rules of viewers
same() {
	rm -rf direct back
	traceviz convert -q "$1" -o direct
	run traceviz convert -q "$1" -o run.json
	traceviz convert -q run.json -o back
	differ=
	for table in direct/*.csv; do
		case ${table#direct/} in handles.csv | decisions.csv | candidates.csv | callprofile.csv) continue ;; esac
		cmp -s "$table" "back/${table#direct/}" || differ="$differ ${table#direct/}"
	done
	is "$rc$differ" 0 "$3: the same tables"
	tasks=$(awk -F, "$by_name"'$c["Start"] != "" && $c["ResourceId"] != ""' direct/tasks.csv | wc -l)
	# shellcheck disable=SC2086 # three numbers
	is "$(perl "$ROOT/tests/cli/chrome_rules.pl" run.json "$tasks" $2 2>&1)" "" "$3: slices, flows and numbers of viewers"
}
same "$DATA/cholesky-ws.csv" "858 0 0" "a CSV"
same "$DATA/cholesky-2nodes" "1349 1465 0" "messages, ghosts, two nodes"
same "$DATA/cholesky-decisions" "858 226 24" "states, variables, events, times before 0"
same "$DATA/mpi-halo" "0 12 12" "calls"
same "$TESTDATA/segments/fib.csv" "24 0 0" "suspended tasks"
# To what an arrow is joined does not change with what else is on the lane: tasks inside and at the same time, instants, back to back, of
# no duration, before 0; an empty name.
mkdir ties
cat >ties/tasks.csv <<'EOF2'
ResourceId,Value,Start,End,JobId,DependsOn
a,outer,-9,10,1,
a,inner,0,5,2,
a,short,0,3,3,2
a,point,0,0,4,1
b,next,10,20,5,1 2
b,next,20,30,6,5 4
"",early,12,15,7,5
b,never,40,41,8,9
a,late,50,60,9,
EOF2
printf 'ResourceId,Type,Time,Value\na,e,0,x\nb,e,20,y\na,e,10,z\n' >ties/events.csv
printf 'Type,Key,Origin,Dest,Start,End,Size\nm,1,a,b,3,12,8\nm,2,a,b,55,70,8\nm,3,b,a,35,55,8\n' >ties/links.csv
same ties "7 3 1" "ties"
# What Perfetto loses unless it is written with care: deep slices, many events at one time, times of after 26 days, numbers of 20
# decimals, arrows to what began earlier; states and messages of one lane.
awk 'BEGIN { print "ResourceId,Value,Start,End"; for (i = 0; i < 600; i++) printf "w,d%d,%d,%d\n", i, i, 2000 - i }' >deep.csv
same deep.csv "0 0 0" "600 tasks inside of each other"
mkdir points late
awk 'BEGIN { print "ResourceId,Type,Time,Value"; for (i = 0; i < 700; i++) printf "w,e,2,%d\n", i }' >points/events.csv
awk 'BEGIN { print "ResourceId,Type,Value,Start,End"; for (i = 0; i < 700; i++) printf "w,s,%d,2,2\n", i }' >points/states.csv
printf 'ResourceId,Value,Start,End\nw,t,0,1\n' | tee points/tasks.csv >late/tasks.csv
same points "0 0 0" "700 events and states at one time"
awk 'BEGIN { print "ResourceId,Value,Start,End"; for (i = 0; i < 99; i++) printf "w,t,1700000000000.%06d,1700000000000.%06d\n", i, i + 1 }' >epoch.csv
same epoch.csv "0 0 0" "times since 1970"
printf 'ResourceId,Type,Start,End,Value\nw,v,0,1,0.00012345678901234567\nw,v,1,2,-0.00099999999999999998\n' >late/variables.csv
printf 'ResourceId,Type,Value,Start,End\nb,s,wait,0,10\na,s,send,5,6\nb,m,x,4,7\nb,m,y,20,30\n' >late/states.csv
printf 'Type,Key,Origin,Dest,Start,End,Size\nm,1,a,b,5,10,8\nm,2,a,b,5.5,22,8\n' >late/links.csv
same late "0 2 2" "a receiver that waits, a lane of states and messages"
traceviz convert -q late -o run.json
is "$(grep -c '"name":"Node 0"' run.json)" 1 "a node that nothing names"
is "$(grep -c '"value":1.2345678901234567e-04' run.json)" 1 "20 decimals are an exponent"

cat >odd.csv <<'EOF2'
ResourceId,Value,Start,End,JobId,DependsOn,"a
b","c,""d"
w,"x ""y"" \z",-0.000001,1,1,,"",é
w,"two
lines",0.5,1.5,2,1,1,
w,z,0.5,0.5,3,1 1 7,,
,g,,,4,2,,
EOF2
traceviz convert -q odd.csv -o odd.out.csv
run traceviz convert -q odd.csv -o odd.json
traceviz convert -q odd.json -o odd.back.csv
ok "quotes, lines, missing and empty cells, a negative time, a dependency on nothing" cmp odd.out.csv odd.back.csv
is "$(perl "$ROOT/tests/cli/chrome_rules.pl" odd.json 3 3 0 0)" "" "tasks that overlap on a worker go to further lanes"
is "$(grep -c '"name":"w (2)"' odd.json)" 1 "which have names"
is "$(grep '"process_' odd.json | cut -d, -f3-)" '"name":"process_name","pid":1,"args":{"name":"Node 0"}},
"name":"process_sort_index","pid":1,"args":{"sort_index":1}},
"name":"process_name","pid":2,"args":{"name":"Diagnosis"}},
"name":"process_sort_index","pid":2,"args":{"sort_index":2}},' "nodes, then the diagnosis"

run traceviz convert -q "$DATA/cholesky-ws.csv" --to chrome -o -
is "$rc $(head -c 44 stdout)" '0 {"displayTimeUnit":"ms","otherData":{"produc' "standard output"
run traceviz convert "$DATA/cholesky-ws.csv" --to chrome -o folder
is "$rc $(cat stderr)" "2 traceviz: -o 'folder': --to chrome writes one file, expected FILE.json or -" "a folder is refused"
run traceviz convert "$DATA/cholesky-ws.csv" --to chrome -o x.dot
is "$rc $(cat stderr)" "2 traceviz: --to chrome contradicts the ending of -o 'x.dot'" "an ending of another format"
run traceviz convert "$DATA/cholesky-decisions" -o run.json
like "$rc $(tail -1 stderr)" "0 traceviz: tables that the output does not contain: decisions (364 rows), candidates (4004 rows), handles (78 rows); --to csv -o DIR writes all" "what is left out is reported"
traceviz convert -q "$DATA/cholesky-ws.csv" -o run.json
is "$(traceviz bounds -q --csv run.json | cksum)" "$(traceviz bounds -q --csv "$DATA/cholesky-ws.csv" | cksum)" "verbs have the same results"
is "$(traceviz convert -q run.json -o - | cksum)" "$(traceviz convert -q "$DATA/cholesky-ws.csv" -o - | cksum)" "and the CSV is the same"

# A file that another program changed: what its columns do not say is for viewers.
sed 's/"dependency"/"nothing"/' run.json >other.json
is "$(traceviz convert -q other.json -o - | cksum)" "$(traceviz convert -q run.json -o - | cksum)" "flows are for viewers, DependsOn is in args"
head -c 200000 run.json >cut.json
run traceviz convert cut.json -o cut.csv
like "$rc $(cat stderr)" "0 *cut.json:*last record cut off*" "a file that was cut"
for size in 60 200 240 300; do head -c $size run.json >"cut$size.json"; traceviz info "cut$size.json" >out 2>&1; echo $?; done >statuses
is "$(sort -u statuses | tr '\n' ' ')" "1 " "a file cut in its head is an error"
sed 's/"ts":[0-9.]*/"ts":"x"/' run.json >bad.json
run traceviz info bad.json
like "$rc $(cat stderr)" "* traceviz: bad.json:*: bad time: ts 'x', dur '*', expected numbers of microseconds: left out*" "times that are none"

# tracks TRACE NAME: what was found out about it is there, too, as the verbs say it; the tables are the same without.
tracks() {
	traceviz convert -q "$1" -o run.json
	traceviz idle-causes -q --json --by worker --level stream "$1" >causes
	traceviz critical-path -q --json "$1" >path
	traceviz diagnose -q --json "$1" >diagnosis
	is "$(perl "$ROOT/tests/cli/chrome_tracks.pl" run.json causes path diagnosis 2>&1)" "" "$2: idle causes, critical path, diagnosis"
}
tracks "$DATA/cholesky-ws.csv" "a CSV"
tracks "$DATA/cholesky-2nodes" "messages, two nodes"
tracks "$TESTDATA/segments/fib.csv" "suspended tasks"
tracks "$TESTDATA/chrome/alexnet.json.gz" "streams"
traceviz convert -q --tracks no "$DATA/cholesky-ws.csv" -o bare.json
is "$(grep -c '"cat":"track"\|CriticalPath' bare.json)" 0 "--tracks no leaves them out"
traceviz convert -q "$DATA/cholesky-ws.csv" -o run.json
grep -v '"cat":"track"' run.json | sed 's/"CriticalPath":[0-9]*,*//' | grep -c '"ph":"[XCisf]"' >got
grep -c '"ph":"[XCisf]"' bare.json | cmp - got && sed 's/"CriticalPath":[0-9]*,//' run.json >unmarked.json
traceviz convert -q unmarked.json -o unmarked.csv
traceviz convert -q "$DATA/cholesky-ws.csv" -o direct.csv
ok "the rest of the file is the same" cmp unmarked.csv direct.csv
# A column of the name stays what it is; without tasks, or without work to divide, there is nothing to say.
printf 'ResourceId,Value,Start,End,JobId,CriticalPath\nw,a,0,1,1,mine\n' >mine.csv
traceviz convert -q mine.csv -o mine.json && traceviz convert -q mine.json -o mine.back.csv
is "$(cut -d, -f6 mine.back.csv | tr '\n' ' ')$(grep -c CriticalPath mine.json)" "CriticalPath mine 2" "a column CriticalPath of the trace"
printf 'ResourceId,Type,Value,Start,End\nw,s,a,0,1\n' >states.csv
mkdir only && mv states.csv only
run traceviz convert -q only -o only.json
is "$rc $(grep -c '"cat":"track"' only.json) $(cat stderr)" "0 0 " "a trace without tasks has no tracks"
printf 'ResourceId,Value,Start,End,JobId,DependsOn\nw,a,0,1,1,2\nw,b,1,2,2,1\n' >cycle.csv
run traceviz convert cycle.csv -o cycle.json
like "$rc $(cat stderr)" "0 traceviz: without tracks: the dependencies form a cycle: 1 -> 2 -> 1*" "a graph that no verb takes is written without"
