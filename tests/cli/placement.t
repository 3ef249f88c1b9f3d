#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# placement.t: the list walkers of examples/placement, and their script on a tiny list
. "$(dirname "$0")/lib.sh"
walk=${TRACEVIZ_BIN:-$ROOT/build}/examples/placement/walk
if [ ! -x "$walk" ]; then
	plan 1
	skip 1 "no build/examples/placement/walk (make examples)"
	exit
fi
plan 13

tiny="--long 65536 --short 1024"
# cycles OPTIONS...: status and number of threads
cycles() { "$walk" --check "$@" >stdout 2>stderr; echo "$? $(grep -c ^thread stdout)$(cat stderr)"; }
is "$(cycles $tiny -t 2 -w 1) $(cycles $tiny -t 16 -w 3 --place free) $(cycles --long 128 --short 128 -t 2 -w 1)" "0 2 0 16 0 2" "lists are cycles"
first=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //;s/[-,].*//')
: "${first:=0}"
lists() { "$walk" $tiny -w 1 "$@" | awk '/^thread/ { split($2, l, "="); split($3, c, "="); printf "%s:%s ", l[2], c[2] }'; }
is "$(lists -t 4 -c "$first,$first" --place grouped)" "long:$first long:$first short:$first short:$first " "grouped"
is "$(lists -t 4 -c "$first" --place balanced)" "long:$first short:$first long:$first short:$first " "balanced"
is "$(lists -t 2)" "long:-1 short:-1 " "free"
is "$("$walk" $tiny --scale 2 -w 3 -t 2 | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^(bytes|steps)=/) printf "%s ", $i }')" \
	"bytes=32768 steps=1536 bytes=1024 steps=1536 " "all take the same number of steps"
wrong=
for options in "--place near" "--threads 3" "--threads 0" "--cpus x" "--cpus 3-1" "--cpus" "--cpus 1,," "--long 10 --short 5" "--long 128 --short 4096" "--walks -1" "--walks 1e9" "more"; do
	"$walk" $options >stdout 2>stderr
	[ "$? $(wc -l <stderr)" = "2 1" ] || wrong="$wrong $options: $(cat stderr);"
done
is "$wrong" "" "wrong options: status 2, one line"
# shellcheck disable=SC2086
run "$walk" $tiny --cpus 1023 --place grouped -t 2
is "$rc $(cat stderr)" "1 walk: a thread cannot be started, expected processors of --cpus that it may use" "a processor that is not there"

# ---- the script ----
if ! traceviz record -q --skip-missing --monitor "$ROOT/examples/placement/placement.monitor" -o probe -- true 2>why; then
	skip 6 "no monitors here: $(head -1 why)"
	exit
fi
export WALK="$walk" LEVEL=PU EVERY=5
run sh "$ROOT/examples/placement/run.sh" out -t 4 --long 262144 --short 4096 -w 2000
is "$rc" 0 "run.sh"
is "$(grep -c '^walk place=' stdout) $(grep -c '^cpu.task-clock,PU,\|^llc.misses,PU,' stdout)" "2 2" "prints times and balance of both"
is "$(head -c 4 out/placement.png | tail -c 3)" PNG "and draws"
traceviz convert -q out/grouped -o tables
sums() { awk -F, -v t="$1" '$2 == t { s += $5 } END { printf "%.0f", s }' tables/variables.csv; }
ok "the description: what both PUs take is what their caches take" test "$(sums cpu.task-clock)" -gt 0 -a "$(sums cpu.task-clock)" = "$(sums cpu_l3.task-clock)"
is "$(grep -c 'long list' tables/events.csv)" 4 "marks of phases: begin and end of both long lists"
run sh "$ROOT/examples/placement/run.sh"
is "$rc" 2 "no folder"
