#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.t: a program is started with probes; nothing of it changes, and its log is readable however it ends.
. "$(dirname "$0")/lib.sh"
plan 80

build() { out=$1; shift; ${CC:-cc} -D_GNU_SOURCE -I"$ROOT" -I"$ROOT/record" -O1 -g -o "$out" "$@" -lpthread -ldl; }
for program in speaks ends writers dump_log; do
	build $program "$ROOT/tests/record/$program.c" || exit 1
done
dump() { for log in "$@"; do ./dump_log "$log" || return; done; }
# count LOG...: how many events "count" there are; fails unless those of each log are 0, 1, 2, ... in order
count() {
	dump "$@" >dumped || return
	perl -ne 'if (/^#/) { $next = 0 }
		elsif (/USER_NUMBER .* ([0-9a-f]+) "count"/) {
			$value = unpack("d", pack("Q", hex $1)); $bad = 1 if $value != $next++; $all++ }
		END { print $bad ? "disorder" : $all + 0 }' dumped
}
# wait_for TEXT FILE: at most 20 seconds
wait_for() { for _ in $(seq 400); do grep -q "$1" "$2" && return; sleep 0.05; done; }
logs() { find "$1" -name '*.tvlog' | wc -l; }

# ---- the program's own behavior ----
run ./speaks
is "$rc" 0 "without a recorder the functions of traceviz.h do nothing"
run traceviz record -o run -- ./speaks
is "$rc" 0 "a program is recorded"
is "$(logs run)" 1 "one log per process"
like "$(grep -v 'without libdw\|without the OpenMP' stderr)" "traceviz: run: 0 tasks of 1 process, * MiB, estimated overhead * %, nothing lost" "a line about it"
dump run/*.tvlog | sed 's/^[0-9]* [0-9]* //; s/ [0-9a-f]* 200 "tile"/ ADDRESS 200 "tile"/' | grep '^USER\|^GAP' >said
cat >expected <<'EOF'
USER_PHASE_BEGIN 0 0 0 "factorization"
USER_NAME 0 0 0 "potrf"
USER_NUMBER 0 0 0 401c000000000000 "Iteration"
USER_DATA 0 0 0 ADDRESS 200 "tile"
GAP 1 0 0
GAP 2 0 0
USER_PHASE_END 0 0 0 "factorization"
EOF
is "$(cat said)" "$(cat expected)" "the log has what the program says, but in pauses"
run traceviz info run
is "$rc $(grep -c 'recording paused 1 time: idle times contain the pauses' stderr)" "0 1" "one line reports the pauses"
# ---- what identifies the run ----
facts() { traceviz info -q --csv "$1" | grep '^trace,\(OMP_P\|OMPI\|MPIR\|KMP_A\|Binding\|Tag\)' | sed 's/^trace,//' | sort | tr '\n' ';'; }
OMP_PLACES=cores OMPI_MCA_btl=self OMPI_MCA_orte_x=1 MPIR_CVAR_A_HOSTNAME=a KMP_AFFINITY="x $(hostname)" \
	run taskset -c 0 traceviz record -o facts --tag size=10 --tag 'a.b=x = y' -- ./speaks
is "$rc $(facts facts)" "0 Binding,0;OMPI_MCA_btl,self;OMP_PLACES,cores;Tag.a.b,x = y;Tag.size,10;" "variables of runtimes without names of hosts, binding, tags"
is "$(find facts -name "*$(hostname).*"; traceviz info -q --csv facts | grep '^trace,\(Process\|Recorder\|Files\)' | grep -vc 'host-[0-9a-f]\{10\}\.*')" "0" "no name of the host"
KMP_AFFINITY="x $(hostname)" run traceviz record -o kept --keep-host -- ./speaks
is "$rc $(facts kept | tr ';' '\n' | grep KMP) $(find kept -name "$(hostname).*.tvlog" | wc -l)" "0 KMP_AFFINITY,x $(hostname) 1" "--keep-host"
bad=
for tag in x =3 'a b=1' "$(printf 'a=1\n2')" "$(printf 'k%060d=1' 0)"; do
	run traceviz record -o tagged --tag "$tag" -- ./speaks
	case "$rc $(cat stderr)" in "2 traceviz: --tag '"*"', expected KEY=VALUE in one line, KEY of up to 60 letters, digits, _ . and -") ;; *) bad="$bad $tag" ;; esac
done
is "$bad" "" "tags that are none"
like "$(dump run/*.tvlog | grep 'META.*Program')" '* META 0 0 0 "Program|*/speaks"' "and which program it is"
for language in "cc -std=c99 -Wall -Wextra -Wpedantic -Werror" "c++ -x c++ -Wall -Wextra -Wpedantic -Werror" \
	"cc -no-pie -fno-pie" "cc -O2 -static" "clang -Wall -Wextra -Wpedantic -Werror" "clang -O2 -no-pie -fno-pie"; do
	if ! command -v "${language%% *}" >/dev/null; then skip 1 "no ${language%% *}"; continue; fi
	rm -rf other other.run
	# shellcheck disable=SC2086
	$language -I"$ROOT" -o other "$ROOT/tests/record/speaks.c" 2>compiled
	run traceviz record -f -o other.run ./other
	is "$rc $(cat compiled) $(dump other.run/*.tvlog 2>/dev/null | grep -c USER_)" \
		"$(case $language in *static*) echo "1  0" ;; *) echo "0  5" ;; esac)" "traceviz.h by $language"
done
# Built without probes.
mkdir -p bare/record
cp "${TRACEVIZ_BIN:-$ROOT/build}/traceviz" bare/
cp "${TRACEVIZ_BIN:-$ROOT/build}/record/libtraceviz-record.so" bare/record/
run bare/traceviz record -o other.bare -- true
like "$rc $(cat stderr)" "0 *OpenMP are not recorded: *nothing was recorded: the program used nothing that this traceviz records,*" \
	"without its probe nothing says that the program used no OpenMP"
cc -static -I"$ROOT" -o other "$ROOT/tests/record/speaks.c"
run bare/traceviz record -f -o other.bare -- ./other
like "$rc $(cat stderr)" "1 *OpenMP are not recorded: *'./other' is linked statically*" "a static program is refused, too"
like "$(traceviz record -f -o other.run true 2>&1)" "*warning: other.run: nothing was recorded*" "a program that does nothing to record"
is "$(traceviz record -q -f -o other.run ./speaks 2>&1)" "" "--quiet"

bad=
for status in $(seq 0 255); do
	traceviz record -q -f -o status -- sh -c "exit $status"
	[ $? -eq "$status" ] || bad="$bad $status"
done
is "$bad" "" "the exit status passes through"
for signal in KILL:9 SEGV:11 TERM:15 INT:2 HUP:1 ABRT:6 USR1:10; do
	(traceviz record -q -f -o status -- sh -c "kill -${signal%:*} \$\$") 2>/dev/null
	is $? $((128 + ${signal#*:})) "a program ended by $signal ends the command so"
done
echo text | traceviz record -q -o pass -- sh -c 'cat; echo error >&2' >stdout 2>stderr
is "$(cat stdout) $(cat stderr)" "text error" "input, output and errors pass through"
head -c 300000 /dev/urandom >bytes
traceviz record -q -f -o pass -- cat <bytes >copied
ok "byte by byte" cmp bytes copied
run traceviz record -q -f -o pass -- sh -c 'printf "%s|" "$0" "$@"' a 'b c' -o --
is "$(cat stdout)" "a|b c|-o|--|" "arguments pass through"

cat >trap.sh <<'EOF'
trap 'echo got; exit 7' TERM
trap 'echo got1' USR1
echo ready
while :; do sleep 0.1; done
EOF
traceviz record -q -o signals -- sh trap.sh >got &
wait_for ready got
kill -USR1 $!
wait_for got1 got
kill -TERM $!
wait $!
is "$? $(grep -cx got got)" "7 1" "signals to the command reach the program"
if script -qec true /dev/null >/dev/null 2>&1; then
	cat >interrupt.sh <<'EOF'
trap 'echo interrupted' INT
echo ready
sleep 1
sleep 1
EOF
	mkfifo keys
	timeout 20 script -qec "traceviz record -q -o tty -- sh interrupt.sh" /dev/null <keys >tty.out 2>&1 &
	{ wait_for ready tty.out; sleep 0.3; printf '\003'; sleep 2.5; } >keys
	wait $!
	is "$(grep -c interrupted tty.out)" 1 "Ctrl-C reaches the program once"
else
	skip 1 "the command script is not here"
fi

# ---- what ends without a recording ----
run traceviz record -o run -- ./speaks
is "$rc" 1 "an earlier recording is not overwritten"
like "$(cat stderr)" "*run: the folder exists and is not empty*" "which is explained"
echo mine >run/notes
run traceviz record -f -o run -- ./speaks 3
is "$rc" 3 "except by --force"
is "$(logs run) $(cat run/notes)" "1 mine" "which deletes the earlier recording and nothing else"
mkdir folder; echo mine >folder/notes
run traceviz record -o folder -- ./speaks
is "$rc $(ls folder)" "1 notes" "nor is another folder changed"
mkdir empty
run traceviz record -o empty -- ./speaks
is "$rc" 0 "an empty folder is used"
run traceviz record -o run/notes -- ./speaks
is "$rc" 1 "a file is no folder"
run traceviz record -o /proc/nosuch -- ./speaks
is "$rc" 1 "a folder that cannot be made"
run traceviz record -o a -- ./nosuch
is "$rc" 127 "a program that does not exist"
run traceviz record -o a -- nosuch-program
is "$rc $(cat stderr)" "127 traceviz: cannot run 'nosuch-program': No such file or directory" "nor in the PATH"
run traceviz record -o a -- ./run
is "$rc" 126 "a program that cannot be executed"
run traceviz record --names nosuch -o a -- ./speaks
is "$rc" 1 "no file of names"
ok "none of these makes a folder" test ! -e a
for wrong in "-- ./speaks" "-o b" "-o b --region 3..2 ./speaks" "-o b --region x ./speaks" "-o b --max-size 5 ./speaks"; do
	# shellcheck disable=SC2086
	run traceviz record $wrong
	is "$rc" 2 "wrong usage: record $wrong"
done
echo 'main@a.c:3 potrf' >my.names
run traceviz record --names my.names -o named ./speaks
is "$(cat named/names)" "main@a.c:3 potrf" "names become part of the recording"
run traceviz record -f --names named/names -o named ./speaks
is "$rc $(cat named/names)" "0 main@a.c:3 potrf" "also those of the recording that is replaced"

# ---- ends of the program ----
for end in exit _exit quick_exit killed crashes; do
	traceviz record -q -f -o ended -- ./ends $end 20000 >/dev/null 2>&1
	dump ended/*.tvlog >dumped
	is "$(count ended/*.tvlog) $(sed -n '1s/.*finished \([01]\).*/\1/p' dumped)" \
		"20000 $(case $end in killed | crashes) echo 0 ;; *) echo 1 ;; esac)" "$end: all events are there"
done 2>/dev/null
for end in fork:2:1002 exec:2:1003 fork-exec:2:1003 vfork-exec:1:1000; do
	traceviz record -q -f -o ended -- ./ends ${end%%:*} >/dev/null 2>&1
	is "$(logs ended):$(count ended/*.tvlog)" "${end#*:}" "${end%%:*}: logs, and events in them"
done
echo precious >precious
bash -c 'ulimit -n 1024; traceviz record -q -f -o ended -- ./ends closes' >/dev/null
is "$(count ended/*.tvlog) $(cat precious)" "20000 precious" "the log survives that its file is closed, and files of the program survive it"
is "$(traceviz record -q -f -o ended -- ./ends exit)" "the end" "output of a program that is recorded"
traceviz record -q -f -o many -- ./writers 64 5000
dump many/*.tvlog | awk '$3 == "USER_NUMBER" { n[$NF]++ } END { for (i in n) if (n[i] != 5000) bad++; else good++; print good + 0, bad + 0 }' >counted
is "$(cat counted)" "64 0" "64 threads at once"
traceviz record -q -f -o many -- ./writers 10000 2 8
is "$(dump many/*.tvlog | awk '$3 == "USER_NUMBER" { n[$1 " " $NF]++ } END { for (i in n) if (n[i] == 2) good++; print good + 0 }')" 10000 \
	"10000 threads that come and go, each with a number of its own"
ok "share the space" test "$(wc -c <"$(find many -name '*.tvlog')")" -lt 3000000

# ---- limits ----
run traceviz record -f -o limited --max-size 1M -- ./ends exit 100000
is "$rc $(cat stdout)" "0 the end" "a log that reaches --max-size does not end the program"
like "$(cat stderr)" "*events lost: --max-size reached" "which is reported"
lost=$(dump limited/*.tvlog | sed -n '1s/.* lost \([0-9]*\) .*/\1/p')
is "$((lost + $(count limited/*.tvlog)))" 100000 "recorded and lost events are all events"
(ulimit -f 2048; traceviz record -f -o limited -- ./ends exit 100000 >stdout 2>stderr)
is "$? $(cat stdout)" "0 the end" "nor does the shell's limit for files"
mkdir full
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1m none full 2>/dev/null; then
	run traceviz record -o full/run -- ./ends exit 100000
	lost=$(dump full/run/*.tvlog | sed -n '1s/.* lost \([0-9]*\) .*/\1/p')
	is "$rc $(cat stdout) $((lost + $(count full/run/*.tvlog)))" "0 the end 100000" "nor a full disk"
	like "$(cat stderr)" "*events lost: no space on disk" "which is reported"
	umount full
else
	skip 2 "no file system of 1 MiB can be mounted"
fi
run traceviz record -q -o late --start-after 250 -- ./ends late 1000
is "$(count late/*.tvlog)" 20 "--start-after leaves out what is before"

# ---- several instances of one start ----
export PMIX_NAMESPACE=job1
for rank in 0 1 2 3; do
	PMIX_RANK=$rank traceviz record -q -o ranks -- ./ends exit >/dev/null &
done
wait
is "$(find ranks -name '[0-3].*.tvlog' | wc -l) $(count ranks/*.tvlog)" "4 4000" "instances of one job share the folder"
PMIX_RANK=4 run traceviz record -o ranks -- ./ends exit
like "$rc $(cat stderr)" "0 *of 1 process,*" "each reports its own processes"
PMIX_RANK=2 run traceviz record -o ranks -- ./ends exit
is "$rc" 1 "a rank that is there already belongs to another start"
export PMIX_NAMESPACE=job2
run traceviz record -o ranks -- ./ends exit
is "$rc" 1 "as does another job"
for rank in 0 1 2 3; do
	PMIX_RANK=$rank traceviz record -q -f -o ranks -- ./ends exit >/dev/null &
done
wait
is "$(find ranks -name '[0-3].*.tvlog' | wc -l) $(logs ranks)" "4 4" "by --force the instances of one job replace it together"
unset PMIX_NAMESPACE
