#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Companion tables of a folder join its source of tasks.
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 28

value() { awk -F, -v k="$1" '$2 == k { gsub(/"/, ""); sub(/^[^,]*,[^,]*,/, ""); print }' stdout; }
rows() { awk -F, -v k="$1" '$1 == "rows" && $2 == k { print $3 }' stdout; }

# FxT and three tables, by pushes
run traceviz info "$DATA/cholesky-decisions"
is $rc 0 'FxT and companion tables in one folder'
is "$(rows decisions) $(rows candidates) $(rows tasks)" '364 4004 524' 'all rows of both'
is "$(rows events)" 5954 'events of both: 4862 and 1092'
like "$(cat stderr)" '*companion tables joined by 364 pushes: -0.000999 ms added*spread 0.000001 ms' 'one line: offset, spread'
is "$(wc -l <stderr | tr -d ' ')" 1 'and no other'
is "$(value JoinedClock)" '-0.000999 ms added, spread 0.000001 ms, from 364 pushes' 'meta has them'

# Converted, they are our own CSV: the same again
run traceviz convert "$DATA/cholesky-decisions" -o run
is "$(head -2 run/decisions.csv | tail -1)" \
	'1,1,1,-0.813308,potrf,24,CUDA0_0,0,model,5.366740,3.677289,2.863981,8.230721,3.677289,8.230721,CUDA2_0,0.142752' \
	'instants have the clock of the trace, durations are as they were'
zstd -qdc "$DATA/cholesky-decisions/events.csv.zst" | sed 1d | cut -d, -f2,3 | sort >before
grep -E ',(pop|start|end),' run/events.csv | awk -F, '{ print $5 "," $2 }' | sort >after
cmp -s before after; is $? 0 'no event is lost'
run traceviz convert run -o again
diff -r run again >differences; is "$(cat differences)" '' 'read again: the same bytes'

# A source without pushes: by starts; one decision unknown to it
mkdir rec
cat >rec/tasks.rec <<'X'
Model: a
JobId: 1
WorkerId: 0
StartTime: 10.5
EndTime: 12

Model: a
JobId: 2
WorkerId: 0
StartTime: 12.7
EndTime: 14

Model: a
JobId: 3
WorkerId: 0
StartTime: 15
EndTime: 16
X
cat >rec/decisions.csv <<'X'
JobId,Time,Mine
1,110,x
2,110,y
4,111,z
X
cat >rec/events.csv <<'X'
JobId,Type,ResourceId,Time
1,start,0,110.5
2,start,0,112.5
3,start,0,115.1
3,end,0,nan
X
run traceviz convert rec -o joined
is $rc 0 'tables without their optional columns'
like "$(cat stderr)" '*joined by 3 starts: -100.000000 ms added*spread 0.300000 ms*' 'the median of the differences'
is "$(cut -d, -f2 joined/decisions.csv | paste -sd' ' -)" 'Time -0.500000 -0.500000 0.500000' 'also of a job that only they know'
is "$(sed -n 4p joined/decisions.csv)" '4,0.500000,z' 'a column of the user stays'
like "$(cat stderr)" '*events.csv:5: time is NaN*' 'a row that is dropped is reported'
run traceviz convert --strict rec -o no
is $rc 1 'or an error'

# Of an even number the mean of the two in the middle: -100 and -99.8 ms.
cp -r rec even
sed -i '/^3,/d' even/events.csv
run traceviz convert even -o even-joined
like "$(cat stderr)" '*joined by 2 starts: -99.900000 ms added*' 'the median of two differences'

# No job in common
sed 's/^\([1-4]\),/x\1,/' rec/decisions.csv >d && mv d rec/decisions.csv
sed 's/^\([1-4]\),/x\1,/' rec/events.csv >e && mv e rec/events.csv
run traceviz info rec
is $rc 0 'no JobId in common'
like "$(cat stderr)" '*have no JobId in common*' 'a warning'

# The weights of the scheduler, nothing else of another meta
cat >rec/meta.csv <<'X'
Key,Value
SchedulerAlpha,2
ClockOrigin,5
X
run traceviz info rec
is "$(value SchedulerAlpha) $(value ClockOrigin)" '2 10.500000' 'meta: keys of the scheduler'

# Our own tasks: one source, no clock to compare
printf 'ResourceId,Value,Start,End,JobId\n0,a,1,2,x1\n' >rec/tasks.csv
run traceviz info rec
is "$(rows tasks) $(rows decisions)" '1 3' 'tasks.csv is the source of tasks'
like "$(cat stderr)" '*not used: tasks.rec*' 'and the other is not used'

# Companions alone, damage
rm rec/tasks.csv rec/tasks.rec
printf 'JobId,Time\n1\n' >rec/decisions.csv
run traceviz info rec
like "$rc $(cat stderr)" '1 *decisions.csv:2: 1 fields, expected 2*' 'a malformed row is an error with its line'

# A raw log with decisions beside the tasks of the same run in another format
LOG=$ROOT/tests/data/tvlog/starpu.tvlog.zst
traceviz convert -q "$LOG" -o alone
traceviz convert -q "$LOG" --to rec -o pair
cp "$LOG" pair/
run traceviz info pair
like "$(cat stderr)" "*companion tables joined by $(grep -c ',start,' alone/events.csv) starts:*, spread 0.000*" 'raw log: joined'
is "$(rows decisions) $(rows candidates) $(rows tasks)" "$(sed 1d alone/decisions.csv | wc -l) $(sed 1d alone/candidates.csv | wc -l) $(sed 1d pair/tasks.rec | grep -c '^JobId')" 'its decisions and candidates, the tasks of the other'
for of in alone pair; do
	traceviz decisions -q --csv --check $of >$of.checked; echo $? >>$of.checked
	cut -d, -f1,2,6-10,13- $of.checked >$of.same
done
cmp -s alone.same pair.same; is $? 0 'the same decisions as of the log alone'
# ... of another run
mkdir other
sed 's/^JobId: /JobId: other/; s/^DependsOn: .*/DependsOn:/' pair/tasks.rec >other/tasks.rec
cp "$LOG" other/
run traceviz info other
like "$rc $(cat stderr)" '0 *not used: starpu.tvlog.zst*' 'a log without a common job: not used, one line'
is "$(rows decisions)" '' 'nothing of it'
head -c 3000 "$LOG" >pair/starpu.tvlog.zst
run traceviz info pair
like "$rc $(cat stderr)" '0 *ends early*' 'a truncated one: what precedes, one line'
