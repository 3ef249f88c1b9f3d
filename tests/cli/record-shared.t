#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-shared.t: several recorders with --monitor: one of a host samples the machine, another one when it ends; several hosts.
. "$(dirname "$0")/lib.sh"
if traceviz record --monitor constant -o probe -- true 2>&1 | grep -q 'without hwloc'; then
	plan 1
	skip 1 "built without hwloc"
	exit
fi
plan 17

# Runs until the file is there, 60 s at the longest.
cat >until <<'END_OF_PROGRAM'
#!/bin/sh
i=0
while [ ! -e "$1" ] && [ $i -lt 1200 ]; do sleep 0.05; i=$((i + 1)); done
END_OF_PROGRAM
chmod +x until
# recorder RANK FOLDER ARGUMENTS...: as one of a job; its process in $!
recorder() {
	rank=$1
	shift
	PMIX_NAMESPACE=job PMIX_RANK=$rank OMPI_COMM_WORLD_RANK=$rank traceviz record -q --every 20 -o "$@"
}
# await COMMAND...: until it succeeds, 30 s at the longest
await() { i=0; until "$@" || [ $i -ge 300 ]; do sleep 0.1; i=$((i + 1)); done; }
logs() { ls "$1" 2>/dev/null | grep -c "^$2.*tvlog"; }
has_log() { [ "$(logs "$1" "$2")" -gt 0 ]; }
# samples_of TYPE RESOURCE FOLDER: rows; ends_of: their times
samples_of() { awk -F, -v type="$1" -v at="$2" '$1 == at && $2 == type { n++ } END { print n + 0 }' "$3/variables.csv"; }
ends_of() { awk -F, -v type="$1" -v at="$2" '$1 == at && $2 == type { print $4 }' "$3/variables.csv"; }
meta() { sed -n "s/^$1,//p" "$2/meta.csv" | tr -d '"'; }
# alone RANK FOLDER TO: the logs of one rank, as tables with times of the clock
alone() {
	rm -rf "alone$1" "$3"
	mkdir "alone$1"
	cp "$2/$1".* "alone$1"
	traceviz convert -q --zero none "alone$1" -o "$3" 2>/dev/null
}
took_over() { alone 1 shared second && [ "$(samples_of events.constant Machine:0 second)" -gt 2 ]; }

# ---- one host: the second recorder samples its own process, until the first one is killed ----
recorder 0 shared --monitor constant,resident-memory -- ./until stop-0 2>/dev/null &
await has_log shared 0
recorder 1 shared --monitor constant,resident-memory -- ./until stop-1 &
await has_log shared 1
sleep 0.3
alone 1 shared second
is "$(samples_of events.constant Machine:0 second)" 0 "while another recorder of the host samples the machine, this one does not"
ok "but its own process" test "$(samples_of events.resident-memory Machine:0 second)" -gt 0
first=$(ls shared | sed -n 's/^0\..*\.\([0-9]*\)\.tvlog$/\1/p')
kill -9 "$first"
touch stop-0
await took_over
touch stop-1
wait
alone 0 shared first
alone 1 shared second
is "$(samples_of events.constant Machine:0 first)" "$(meta Monitor.Ticks first)" "the first one sampled the machine at each tick"
ok "the second one goes on when the first one is killed" test "$(samples_of events.constant Machine:0 second)" -gt 2
ok "never both: the last sample of the first is before the first one of the second" awk -v a="$(ends_of events.constant Machine:0 first | sort -n | tail -1)" \
	-v b="$(ends_of events.constant Machine:0 second | sort -n | head -1)" 'BEGIN { exit !(a + 0 < b + 0) }'
ok "which sampled its process all the time" test "$(samples_of events.resident-memory Machine:0 second)" -gt "$(samples_of events.constant Machine:0 second)"
traceviz convert -q shared -o both 2>/dev/null
is "$(samples_of events.constant Machine:0 both)" "$(($(samples_of events.constant Machine:0 first) + $(samples_of events.constant Machine:0 second)))" \
	"together: samples of the machine from both"
is "$(cut -d, -f2 both/variables.csv | sort -u | grep resident | tr '\n' ' ')" "events.resident-memory@0 events.resident-memory@1 " \
	"states of several processes are variables of their own"
is "$(meta Monitor.Ticks both | cut -d: -f1 | tr '\n' ' ')$(meta 'Monitor.events.resident-memory@1.Unit' both)" "0 1 bytes" "facts of each recorder"
host=$(ls shared | sed -n 's/^0\.\(host-.*\)\.[0-9]*\.tvlog$/\1/p')
is "$(ls -A shared | sed 's/.*\.\(tvlog\)$/\1/' | sort)" "$(printf '%s\n' ".$host.monitor" "$host.topology.xml" recording tvlog tvlog | sort)" "files of the folder"
run traceviz record -f --monitor constant --every 20 -o shared -- true
is "$rc $(ls -A shared | sed 's/.*\.\(tvlog\)$/\1/' | sort | tr '\n' ' ')" "0 recording topology.xml tvlog " "-f deletes them"

# ---- threads that no log has ----
${CC:-cc} -D_GNU_SOURCE -O1 -o pinned "$ROOT/tests/record/pinned.c" -lpthread || exit 1
if traceviz record -q --monitor task-clock --every 10 -o threads -- ./pinned 100 3 -1 >/dev/null 2>&1; then
	traceviz convert -q threads -o tables
	is "$(awk -F, "$by_name"'$c["Depth"] == "" { print $c["ResourceType"], $c["Name"], $c["ResourceId"] == "thread:" $c["ThreadId"] }' tables/resources.csv)" \
		"Thread pinned 1
Thread pinned 1
Thread pinned 1" "have a row with their names"
	is "$(awk -F, '$2 == "thread.task-clock" { print $1 }' tables/variables.csv | sort -u | tr '\n' ' ')" \
		"$(awk -F, '/^thread:/ { print $1 }' tables/resources.csv | sort | tr '\n' ' ')" "for each that has CPU time"
	run traceviz place thread.task-clock --level Machine threads
	like "$rc $(cat stderr)" "1 *'thread.task-clock' is of threads, *expected the CPU time of PUs, such as events.task-clock*" "place explains what it needs"
else
	skip 3 "no events of perf"
fi

# ---- two hosts ----
if unshare -u true 2>/dev/null; then
	cat >as <<'END_OF_PROGRAM'
#!/bin/sh
# as HOST RANK COMMAND...
host=$1 PMIX_NAMESPACE=job PMIX_RANK=$2 OMPI_COMM_WORLD_RANK=$2
export PMIX_NAMESPACE PMIX_RANK OMPI_COMM_WORLD_RANK
shift 2
exec unshare -u sh -c 'hostname "$0"; exec "$@"' "$host" "$@"
END_OF_PROGRAM
	chmod +x as
	for rank in 0 1 2; do
		sh as "$([ $rank = 2 ] && echo beta || echo alpha)" $rank traceviz record -q --monitor PU:0/constant,task-clock --skip-missing --every 20 -o hosts --keep-host -- ./until stop-2 &
	done
	for rank in 0 1 2; do await has_log hosts $rank; done
	sleep 0.2
	touch stop-2
	wait
	traceviz convert -q hosts -o tables-of-hosts
	is "$(awk -F, '$2 == "events.constant" { print $1 }' tables-of-hosts/variables.csv | sort -u | tr '\n' ' ')" "alpha/PU:0 beta/PU:0 " "objects of each host"
	is "$(awk -F, "$by_name"'$c["ResourceType"] == "Machine" { print $1, $c["Node"] }' tables-of-hosts/resources.csv)" \
		"alpha/Machine:0 alpha
beta/Machine:0 beta" "of the topology of each"
	is "$(awk -F, "$by_name"'$c["ResourceType"] == "Thread" { print $c["Node"], $c["Host"], $1 == $c["Host"] "/thread:" $c["ThreadId"] }' tables-of-hosts/resources.csv | sort)" \
		"0 alpha 1
1 alpha 1
2 beta 1" "threads are on their host"
else
	skip 3 "no namespace of host names"
fi
