#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-monitor.t: events of the machine are sampled while a program runs, or without one; the values against other
# counts of the same things.
. "$(dirname "$0")/lib.sh"
if traceviz record --monitor constant -o probe -- true 2>&1 | grep -q 'without hwloc'; then
	plan 1
	skip 1 "built without hwloc"
	exit
fi
plan 63

${CC:-cc} -D_GNU_SOURCE -O1 -o pinned "$ROOT/tests/record/pinned.c" -lpthread || exit 1
# tables FOLDER: as CSV, to ./tables
tables() { rm -rf tables; traceviz convert -q "$1" -o tables 2>convert.log; }
# sum TYPE [RESOURCE]: of a variable; "none" without rows
sum() {
	awk -F, -v type="$1" -v at="${2:-}" "$by_name"'
		$c["Type"] == type && (at == "" || $c["ResourceId"] == at) { s += $c["Value"]; n++ }
		END { if (n) printf "%.0f\n", s; else print "none" }' tables/variables.csv
}
meta() { sed -n "s/^$1,//p" tables/meta.csv | tr -d '"'; }
# The time in ns that the host of a virtual machine has taken away so far: perf counts it as time on the CPU, the system does not.
stolen() { awk '$1 == "cpu" { printf "%.0f", $9 * 1e7 }' /proc/stat; }
# slack FROM: what counts of the CPU may differ by, with the time stolen since then
slack() { echo $((8000000 + ($(stolen) - $1) * 2)); }
# near A B PERCENT [SLACK]: |A - B| is up to PERCENT of B, or SLACK
near() { awk -v a="$1" -v b="$2" -v p="$3" -v s="${4:-0}" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "none" && a != "" && (d <= p / 100 * b || d <= s)) }'; }
# began FOLDER: waits until the recording has begun, 60 s at the longest
began() { i=0; until ls "$1"/*.tvlog >/dev/null 2>&1 || [ $i -ge 600 ]; do sleep 0.1; i=$((i + 1)); done; }
# The CPUs that this process may use.
cpus=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //')
first=${cpus%%[-,]*}
# Whether events of a process can be counted here at all.
perf=1
traceviz record -f --monitor task-clock -o probe -- true >/dev/null 2>perf.log || perf=
root=; [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && root=1

# ---- counters of a process ----
if [ -n "$perf" ]; then
	before=$(stolen)
	run traceviz record --monitor task-clock,page-faults --every 20 -o run -- ./pinned 300 1 "$first"
	allowed=$(slack "$before")
	is "$rc" 0 "a pinned loop"
	used=$(cat stdout)
	like "$(cat stderr)" "traceviz: run: * samples of 2 events on * objects, * missed, * % of a CPU" "a line about it"
	ok "the topology is beside it" grep -q '<topology' run/topology.xml
	tables run
	ok "task-clock is the CPU time of the process" near "$(sum events.task-clock)" "$used" 5 "$allowed"
	ok "all of it on its PU" near "$(sum events.task-clock "PU:$first")" "$used" 5 "$allowed"
	is "$(meta Monitor.events.task-clock.Unit) $(meta Monitor.events.task-clock.Scope)" "ns process" "facts of the variable"
	before=$(stolen)
	traceviz record -q --monitor task-clock,Machine/task-clock --every 20 -o sums -- ./pinned 150 4 -1 >used
	allowed=$(slack "$before")
	tables sums
	all=$(sum events.task-clock Machine:0)
	ok "threads: PUs sum to the CPU time of the process" near "$(($(sum events.task-clock) - all))" "$(cat used)" 5 "$allowed"
	ok "and to the count of the machine" near "$(($(sum events.task-clock) - all))" "$all" 1 1000000
	if [ "$cpus" != "$first" ]; then
		traceviz record -q --monitor task-clock --every 20 -o moved -- ./pinned 100 3 "$first" >used
		tables moved
		# What the process did before it was pinned.
		rest=$(($(sum events.task-clock) - $(sum events.task-clock "PU:$first")))
		ok "PUs to which no thread is bound stay at 0" near "$rest" 0 0 15000000
	else
		skip 1 "one CPU"
	fi
	if [ -n "$root" ] && command -v perf >/dev/null && perf stat -e context-switches true 2>/dev/null; then
		perf stat -x, -e context-switches -o stat traceviz record -q --monitor context-switches --every 20 -o switched -- \
			sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.005; done'
		tables switched
		switches=$(sum events.context-switches)
		# perf counts the recorder, too.
		counted=$(awk -F, '/context-switches/ { print $1 }' stat)
		ok "context switches: $switches, perf stat with the recorder: $counted" test "$switches" -ge 20 -a "$switches" -le "$counted"
	else
		skip 1 "perf is not here"
	fi
	# Threads: the main one and those that begin later; their PUs sum to them, and they to the process.
	traceviz record -q --monitor task-clock --every 10 -o threads -- ./pinned 100 3 -1 >used
	tables threads
	is "$(awk -F, '$2 == "thread.task-clock" { print $1 }' tables/variables.csv | sort -u | wc -l)" 3 "three threads"
	ok "their CPU time is that of the process" near "$(sum thread.task-clock)" "$(sum events.task-clock)" 3 5000000
	is "$(sum thread.task-clock)" "$(awk -F, '$2 ~ /^thread.PU:|^thread.any-PU$/ { s += $5 } END { printf "%.0f", s }' tables/variables.csv)" \
		"the sum over PUs"
	# Threads that end release their counters: the last one of a hundred is sampled with 64 files.
	${CC:-cc} -D_GNU_SOURCE -O1 -o turns "$ROOT/tests/record/turns.c" -lpthread || exit 1
	before=$(stolen)
	(
		# shellcheck disable=SC3045
		ulimit -n 64
		traceviz record -q --monitor Machine/task-clock --every 5 -o turns-run -- ./turns 100 20 150
	) >used
	tables turns-run
	ok "many threads, one after the other: the last one" near "$(awk -F, '$2 == "thread.task-clock" { t[$1] += $5; if (t[$1] > max) max = t[$1] } END { printf "%.0f", max }' \
		tables/variables.csv)" 150000000 10 "$(slack "$before")"
	program=${TRACEVIZ_BIN:-$ROOT/build}/examples/clang/cholesky
	if [ -x "$program" ] && [ -f "${TRACEVIZ_BIN:-$ROOT/build}/record/libtraceviz-openmp.so" ]; then
		# CPU time of all tasks; of one thread it is most of what the monitor counts in the ticks while they run. Ticks in which
		# the first begins and the last ends are so in part, however long they are on a busy machine.
		OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 traceviz record -q --openmp --counters task-clock --monitor task-clock --every 2 \
			-o cholesky -- "$program" -n 2048 -b 256 >stdout 2>stderr
		tables cholesky
		tasks=$(awk -F, "$by_name"'{ s += $c["task-clock"] } END { printf "%.0f", s }' tables/tasks.csv)
		ticks=$(awk -F, "$by_name"'
			FILENAME ~ /tasks/ { if ($c["Start"] != "" && (b == "" || $c["Start"] < b)) b = $c["Start"] + 0; if ($c["End"] > e) e = $c["End"] + 0; next }
			FNR > 1 && $2 == "thread.task-clock" && $1 == "T0" && $3 < e && $4 > b { all += $5; if ($3 >= b && $4 <= e) whole += $5 }
			END { printf "%.0f %.0f", whole, all }' tables/tasks.csv tables/variables.csv)
		ok "OpenMP, 1 thread: CPU time of tasks $tasks ns, of its thread in ticks inside, and in all: $ticks ns" \
			awk -v t="$tasks" -v whole="${ticks% *}" -v all="${ticks#* }" 'BEGIN { exit !(t > 0 && whole <= t * 1.05 + 4e6 && t <= all * 1.01 + 1e6) }'
		OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1 traceviz record -q --openmp --monitor task-clock --every 2 -o cholesky2 -- "$program" -n 1024 -b 128 >stdout 2>stderr
		tables cholesky2
		is "$(awk -F, '$2 == "thread.task-clock" { print $1 }' tables/variables.csv | sort -u | tr '\n' ' ')" "T0 T1 " "threads are those of OpenMP"
		ok "one clock: samples begin before the first task and end after the last one" awk -F, 'FILENAME ~ /tasks/ { if (FNR > 1 && $4 > e) e = $4 + 0; next }
			FNR > 1 { if ($3 < b) b = $3 + 0; if ($4 > f) f = $4 + 0 } END { exit !(b < 0 && f >= e) }' tables/tasks.csv tables/variables.csv
	else
		skip 3 "no OpenMP program by clang (make examples), or no probe"
	fi
	user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chmod 755 .
	if [ -n "$root" ] && $user test -r "$(dirname "$(command -v traceviz)")/record/libtraceviz-record.so" && $user "$(command -v traceviz)" --version >/dev/null 2>&1; then
		mkdir open && chmod 777 open
		before=$(stolen)
		$user "$(command -v traceviz)" record -q --monitor default --every 20 -o open/run -- ./pinned 200 1 "$first" >used 2>user.log
		allowed=$(slack "$before")
		tables open/run
		ok "an ordinary user" near "$(sum default.task-clock)" "$(cat used)" 5 "$allowed"
		if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
			is "$(sum default.context-switches)" none "switches, which would be 0 in user mode alone, are left out"
			is "$(meta Monitor.default.page-faults.Scope)" "process, user mode" "page faults of user mode are called so"
			$user "$(command -v traceviz)" record --monitor context-switches -o open/no -- true >stdout 2>stderr
			is "$? $(cat stderr)" "1 traceviz: --monitor: 'context-switches' at PU:0: it is not permitted (root may, or all with /proc/sys/kernel/perf_event_paranoid at 1); --skip-missing records without it" "the remedy"
		else
			skip 3 "perf_event_paranoid is below 2"
		fi
	else
		skip 4 "not root, or others may not run this program"
	fi
	./pinned 60000 2 -1 >/dev/null &
	watched=$!
	traceviz record -q --monitor task-clock --every 20 --pid $watched -o pid &
	recorder=$!
	began pid
	sleep 0.5
	kill $watched
	wait $recorder
	is "$?" 0 "--pid: until the process ends"
	wait $watched 2>/dev/null
	tables pid
	# How much depends on what else this machine does.
	is "$(test "$(sum events.task-clock)" -ge 10000000 && awk -F, '$2 == "thread.task-clock" && $5 > 0 { print $1 }' tables/variables.csv | sort -u | wc -l)" 2 \
		"its CPU time is counted, of all its threads"
else
	skip 24 "no events of perf: $(head -1 perf.log)"
fi

# ---- what there is not ----
run traceviz record --monitor nonsense -o no -- true
is "$rc $(cat stderr)" "2 traceviz: --monitor: 'nonsense' is unknown; docs/record.md lists the events" "an unknown event"
run traceviz record --monitor L9/constant -o no -- true
is "$rc" 2 "an unknown level"
run traceviz record --monitor PU:4000/constant -o no -- true
like "$rc $(cat stderr)" "1 traceviz: --monitor: 'constant': this machine has no PU:4000, expected one of Machine,*" "an object that is not there"
run traceviz record --monitor PU/memory-free -o no -- true
like "$rc $(cat stderr)" "1 traceviz: --monitor: 'memory-free' at PU:0: it is counted per Machine*" "an event of another level"
run traceviz record --monitor r0/,constant -o no -- true
is "$rc" 2 "not an event"
if traceviz record -q -f --monitor cycles -o probe -- true 2>/dev/null; then
	skip 3 "this machine has hardware counters"
else
	run traceviz record --monitor cycles -o no -- true
	like "$rc $(cat stderr)" "1 traceviz: --monitor: 'cycles' at PU:0: *; --skip-missing records without it" "no hardware counter"
	run traceviz record --skip-missing --monitor cycles,constant -o skipped -- true
	like "$rc $(cat stderr)" "0 traceviz: not sampled, as this machine does not have it or does not permit it: cycles*" "is left out"
	run traceviz record --skip-missing --monitor cycles -o no -- true
	is "$rc" 1 "nothing is left"
fi
for wrong in "-o no --monitor constant --pid 1 -- true" "-o no --every 5 -- true" "-o no --monitor constant --openmp" "-o no --monitor constant --pages -- true" "-o no --monitor constant --every 0 -- true"; do
	# shellcheck disable=SC2086
	run traceviz record $wrong
	is "$rc" 2 "wrong usage: record $wrong"
done
run traceviz record -o no --monitor constant --pid 4194304
is "$rc" 1 "no such process"
rm -rf no
ok "what fails before the program starts leaves no folder" test ! -e no

# ---- ticks ----
traceviz record -q --monitor constant,ramp,noise:7 --every 2 -o ticks -- sleep 0.3
tables ticks
is "$(sum events.constant)" "$(meta Monitor.Ticks)" "the constant 1 at each tick"
ticks=$(meta Monitor.Ticks)
is "$(sum events.ramp)" "$((ticks * (ticks - 1) / 2))" "a ramp counts them"
# Samples lie at begin + n * 2 ms, or later by less than one tick: the others are missed. The last is at the end.
drift=$(awk -F, 'NR > 1 && $2 == "events.ramp" { t[n++] = $3 } END { for (i = 0; i < n - 1; i++) { d = (t[i] - t[0]) / 2
	if (int(d) - i < late) bad++; late = int(d) - i } print bad + 0, late }' tables/variables.csv)
is "$drift" "0 $(meta Monitor.Missed)" "no drift: sample i is at tick i plus those missed before"
traceviz record -q --monitor constant --every 10 -o stopped -- sleep 3 &
recorder=$!
began stopped
sleep 0.3
kill -STOP $recorder
sleep 0.5
kill -CONT $recorder
wait $recorder
tables stopped
ok "the ticks while the recorder is stopped are missed, and counted" test "$(meta Monitor.Missed)" -ge 30
all=$(awk -F, 'NR > 1 { t = $3; if (!n++) a = t } END { print int((t - a) / 10 + 0.5) }' tables/variables.csv)
ok "samples and missed ticks make all ticks" near "$(($(meta Monitor.Ticks) + $(meta Monitor.Missed)))" "$((all + 1))" 0 2

sh -c 'echo $$ >pid.of; exec traceviz record -q --monitor constant --every 5 -o killed -- sleep 3' &
recorder=$!
began killed
sleep 0.5
kill -9 "$(cat pid.of)" 2>/dev/null
wait $recorder 2>/dev/null
tables killed
ok "samples before kill -9 are there" test "$(sum events.constant)" -ge 5
like "$(meta Sampler)" "*did not end normally" "which is reported"

# ---- the machine alone ----
timeout --foreground --preserve-status -k 20 -s INT 2 traceviz record --monitor user-time,idle-time,memory-free --every 50 -o machine 2>machine.log
is "$?" 0 "no program: until interrupted"
tables machine
ok "the machine's memory" test "$(sum events.memory-free Machine:0)" -gt 0
# On each PU jiffies of 10 ms go by; steal, wait and interrupts are the rest.
traceviz record -q --monitor user-time,nice-time,system-time,idle-time,iowait-time,irq-time,softirq-time,steal-time --every 50 -o times -- sleep 1
tables times
sums=$(awk -F, 'NR > 1 && $1 == "PU:0" { s += $5; if ($4 > e) e = $4; if (b == "" || $3 < b) b = $3 } END { printf "%.0f %.0f", s / 1e6, e - b }' tables/variables.csv)
ok "times of a PU sum to the time: ${sums% *} of ${sums#* } ms" near "${sums% *}" "${sums#* }" 15

# ---- a table, and descriptions ----
export HWLOC_SYNTHETIC="pack:1 l3:2 core:2 pu:1"
cut -d, -f2- "$ROOT/tests/data/monitors/placement-fig4.csv" >fig4.csv
run traceviz record --monitor file:fig4.csv --every 20 -o replayed -- sleep 0.1
is "$rc" 0 "a table is replayed"
tables replayed
awk -F, 'NR > 1 { print $1, $2, $5 }' tables/variables.csv | sort >got
awk -F, 'NR > 1 { print $1, "file.CacheMiss", $2; print $1, "file.CyclesWithoutInstruction", $3; print $1, "file.TimeUs", $4 }' fig4.csv | sort >expected
is "$(cat got)" "$(cat expected)" "as it is"
cat >ratio.mon <<'EOT'
misses { OBJ:=L3; PERF_LIB:=file:fig4.csv; EVSET:=CacheMiss, CyclesWithoutInstruction; REDUCTION:= ratio=$0/$1; }
all { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=misses; REDUCTION:= ratio=$0/$1, misses=$0; }
EOT
traceviz record -q --monitor ratio.mon --every 20 -o described -- sleep 0.1
tables described
awk -F, 'NR > 1 { print $1, $2, $5 }' tables/variables.csv | sort | head -20 >got
awk -F, 'NR > 1 { m[NR] = $2; c[NR] = $3; printf "%s misses.ratio %.12g\n", $1, $2 / $3 }
	END { for (i = 2; i < 6; i += 2) { printf "Machine:0 all.misses %.0f\n", m[i] + m[i + 1]; printf "Machine:0 all.ratio %.12g\n", (m[i] + m[i + 1]) / (c[i] + c[i + 1]) } }' fig4.csv | sort >expected
is "$(awk '{ printf "%s %s %.12g\n", $1, $2, $3 }' got | sort)" "$(awk '{ printf "%s %s %.12g\n", $1, $2, $3 }' expected | sort)" \
	"a description is evaluated: the ratio of the machine is the ratio of sums"
printf 'a { OBJ:=PU; PERF_LIB:=perf; EVSET:=nonsense; }\n' >bad.mon
run traceviz record --monitor bad.mon -o no -- true
like "$rc $(cat stderr)" "[12] traceviz: bad.mon:1:*'nonsense' is unknown*" "an unknown event of a description, with its place"
printf 'Object,A\nL3:0,1,2\n' >bad.csv
run traceviz record --monitor file:bad.csv -o no -- true
like "$rc $(cat stderr)" "1 traceviz: --monitor: bad.csv:2: not as many cells*" "a damaged table"

# ---- watching ----
run traceviz record --watch --monitor ratio.mon -o no -- true
like "$rc $(cat stderr)" "2 traceviz: --watch draws on standard error, which is no terminal*" "--watch needs a terminal"
run traceviz record --watch -o no -- true
like "$rc $(cat stderr)" "2 traceviz: --watch is of --monitor; add that*" "and --monitor"
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	# screen COMMAND: what it shows in 80 columns; the last screen is in ./last
	screen() {
		timeout 20 script -qec "stty cols 80 rows ${rows:-24}; $1" /dev/null </dev/null | tr -d '\r' >screen
		awk -v esc="$(printf '\033')" '{ at = index($0, esc "[H"); if (at) { text = ""; $0 = substr($0, at + 3) } gsub(esc "\\[[0-9]*[KJ]", ""); text = text $0 "\n" }
			END { printf "%s", text }' screen >last
	}
	screen "NO_COLOR=1 traceviz record --watch --monitor file:fig4.csv --every 20 -o watched -- sleep 0.3"
	tables watched
	awk -F, 'NR > 1 { print $1, $2, $5 }' tables/variables.csv | sort >got
	awk -F, 'NR > 1 { print $1, "file.CacheMiss", $2; print $1, "file.CyclesWithoutInstruction", $3; print $1, "file.TimeUs", $4 }' fig4.csv | sort >expected
	is "$(cat got)" "$(cat expected)" "the recording is that without --watch"
	like "$(sed -n 1p last)" "[0-9]*.* s, * samples, * missed" "time and samples"
	like "$(cat last)" "*L3 x2*CacheMiss*" "a line per level and event"
	is "$(awk '!/^traceviz: / && length > 80' last)" "" "in the width of the terminal"
	is "$(grep -c "$(printf '\033')\[3" screen)" 0 "NO_COLOR"
	printf 'c { OBJ:=PU; PERF_LIB:=fake; EVSET:=constant:3; REDUCTION:= double=2*$0; }\nm { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=c; REDUCTION:= sum=$0; }\n' >fake.mon
	screen "NO_COLOR=1 traceviz record --watch --monitor fake.mon --every 20 -o fakes -- sleep 0.2"
	tables fakes
	is "$(grep -E '^(Machine|PU) ' last | awk '{ print $1, $2, $3 }' | head -1) $(awk '/^PU x4/ { print $3, $4, $6, $8, $10 }' last)" \
		"Machine m.sum $(awk -F, '$2 == "m.sum" { v = $5 } END { print v }' tables/variables.csv) c.double 6 6 6 6" "outputs of a description, as recorded"
	# Without a program: until a signal.
	rows=4 screen "env -u NO_COLOR timeout -s INT 3 traceviz record --watch --monitor constant,ramp,noise -o until"
	like "$(tail -2 last)" "*... 2 more lines?traceviz: until: * samples of 3 events*" "a low terminal, and the line about the recording after an interrupt"
	ok "which is complete" tables until
else
	skip 8 "script (bsdutils) gives no terminal here"
fi
unset HWLOC_SYNTHETIC
