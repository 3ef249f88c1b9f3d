#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# submit-after.t: what a program submits after a wait follows the end of what it waited for
. "$(dirname "$0")/lib.sh"
plan 24

# The first wait is over at 102, 2 ms after task 1, the second one at 163, 1 ms after task 3.
cat >run.csv <<'END'
ResourceId,Value,Start,End,JobId,Kind,ResourceType,DependsOn,SubmitTime,SubmitAfter,SubmitDelay
A,work,0,100,1,app,CPU,,0,,
B,work,0,20,2,app,CPU,,0,,
,taskwait,,,g1,ghost,,1 2,40,,
A,last,112,162,3,app,CPU,g1,110,g1,8
,taskwait,,,g2,ghost,,3,150,g1,48
B,end,170,180,4,app,CPU,g2,166,g2,3
END
# makespan FILE OPTIONS: of the simulated run
makespan() {
	rm -rf sim.csv
	traceviz simulate -q "$@" -o sim.csv && traceviz bounds -q sim.csv | sed -n 's/^,makespan,[^,]*,\([0-9.]*\).*/\1/p'
}
for policy in replay fifo heft; do
	is "$(makespan run.csv --scheduler $policy --submission trace)" 171.000000 "$policy: each delay after a wait is that of the run"
	mv sim.csv again.csv
	is "$(makespan again.csv --scheduler $policy --submission trace)" 171.000000 "and so in the simulated run"
	is "$(makespan run.csv --scheduler $policy --submission trace --speed 'Value == "work"=4')" 111.000000 \
		"faster tasks: what comes after the wait is submitted earlier"
done
is "$(makespan run.csv --scheduler replay --submission trace --speed 'Value == "last"=10')" 161.000000 "but no earlier than its creator comes to the wait"
is "$(makespan run.csv --scheduler replay --submission all-at-once)" 160.000000 "all at once: it follows the wait at once"
is "$(makespan run.csv --scheduler fifo --submission trace --grain work=1/2)" 131.000000 "other grains: the same"
is "$(traceviz efficiency -q run.csv | cut -d, -f2,4,5 | sed -n '/^runtime\|^submission/p')" "runtime,171.000000,9.000000
submission,160.000000,11.000000" "efficiency: the end of a wait is no submission"
cut -d, -f1-9 run.csv >cut.csv
is "$(makespan cut.csv --scheduler replay --submission trace --speed 'Value == "work"=4')" 176.000000 "without the columns, times of submission stay"
line="traceviz: the trace does not show what the program waited for between phases (SubmitAfter): simulations keep the recorded SubmitTime of later phases"
is "$(traceviz what-if cut.csv 2>&1 >rows | grep -c "^$line\$")" 1 "which a line reports"
is "$(traceviz what-if run.csv 2>&1 >rows | grep -c SubmitAfter)" 0 "and only then"

# One thread runs each task while it creates the next one: what comes after is submitted that much earlier.
cat >alone.csv <<'END'
ResourceId,Value,Start,End,JobId,Kind,ResourceType,DependsOn,SubmitTime,SubmitAfter,SubmitDelay
A,work,0,100,1,app,CPU,,0,,
A,work,101,201,2,app,CPU,,101,1,1
A,work,202,302,3,app,CPU,,202,2,1
END
for policy in replay fifo; do
	is "$(makespan alone.csv --scheduler $policy --submission trace) $(makespan alone.csv --scheduler $policy --submission trace --speed 'Value == "work"=4')" \
		"302.000000 77.000000" "$policy: a creator that runs its tasks goes on earlier after faster ones"
done
# The creator's own task 5 does not wait behind 3 and 4, and 6 does not wait for them.
cat >full.csv <<'END'
ResourceId,Value,Start,End,JobId,Kind,ResourceType,DependsOn,SubmitTime,SubmitAfter,SubmitDelay
B,work,0,100,1,app,CPU,,0,,
A,work,5,105,5,app,CPU,,4,,
B,work,100,200,2,app,CPU,,1,,
A,work,115,215,6,app,CPU,,115,5,10
B,work,200,300,3,app,CPU,,2,,
A,work,215,315,4,app,CPU,,3,,
END
for policy in fifo heft; do
	is "$(makespan full.csv --scheduler $policy --submission trace)" 310.000000 "$policy: a task that its creator runs comes first"
done

is "$(makespan full.csv --scheduler fifo --submission trace --grain work=1/2 && grep '^.,work,.*,6/1,' sim.csv | cut -d, -f11-13)" \
	"311.000000
261.000000,5,10.000000" "and split: what follows comes after both parts"

# Beside another worker, who was alone leaves its tasks to that; and where all are submitted at once, none waits for its creator.
is "$(makespan alone.csv --scheduler fifo --submission trace --add CPU=1 && mv sim.csv two.csv) $(makespan two.csv --scheduler fifo --submission trace)" "200.000000 200.000000" \
	"one more worker beside a creator that was alone"
is "$(makespan full.csv --scheduler fifo --submission all-at-once)" 300.000000 "all at once: a creator is not held"

# Random programs that wait: the run as it was, by the policy that it had and by a replay, and with faster tasks, as if the program had run so.
command -v python3 >/dev/null || { skip 1 "no python3"; exit 0; }
seed=1
python3 "$ROOT/tests/cli/waiting_programs.py" 40 "$seed" >programs
while read -r k was faster; do
	# Some have no such task.
	speed='--speed Value=="a"=4'
	grep -q ',a,' "$k.csv" || speed=
	# shellcheck disable=SC2086 # words
	got="$(makespan "$k.csv" --scheduler fifo --submission trace) $(makespan "$k.csv" --scheduler replay --submission trace) $(makespan "$k.csv" --scheduler fifo --submission trace $speed)"
	[ "$got" = "$was $was $faster" ] || echo "program $k: $got, expected $was $was $faster"
done <programs >wrong
is "$(wc -l <programs) $(cat wrong)" "40 " "random programs that wait, against a run of them with faster tasks"
