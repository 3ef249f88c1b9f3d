#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tvlog.t: raw logs of traceviz record: a folder, several processes, names, logs cut anywhere
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 26
mkdir run
zstd -dcq "$ROOT/tests/data/tvlog/hand.tvlog.zst" >run/host.100.tvlog
run traceviz convert run -o one.csv
is "$rc $(cat stderr)" "0 traceviz: tables that the output does not contain: states (12 rows), handles (3 rows), resources (2 rows); -o DIR writes all" "a folder of logs"
is "$(cut -d, -f1,2,6 one.csv)" "ResourceId,Value,JobId
T1,first,1
T1,main@app.c:42,3
T1,main@app.c:42,2
T1,main@app.c:42,4
T0,main@app.c:42,5
T1,main@app.c:42,2" "its tasks"
run traceviz summary --csv run
is "$rc $(sed 1d stdout | cut -d, -f1,3 | tr '\n' ' ')" "0 first,1 main@app.c:42,4 " "tasks are counted, not segments"

# names
echo 'main@app.c:42=work' >run/names
run traceviz convert run -o -
is "$rc $(grep -v '^traceviz: tables' stderr) $(grep -c ',work,' stdout)" "0  5" "names beside the logs"
echo 'main@app.c:42=other' >others
run traceviz convert --names others run/host.100.tvlog -o -
is "$rc $(grep -c ',other,' stdout)" "0 5" "--names"
run traceviz convert --names nowhere run -o -
is "$rc $(cat stderr)" "1 traceviz: nowhere: cannot open: No such file or directory" "--names without a file"
echo 'oops' >others
run traceviz convert --names others run -o -
is "$rc $(cat stderr)" "1 traceviz: others:1: 'oops', expected FROM=TO" "--names with a bad line"
rm run/names
mkdir run/names
run traceviz convert run/host.100.tvlog -o -
is "$rc" 0 "a folder of that name has none"
rmdir run/names
echo 'main@app.c:42=work' >names
run sh -c 'traceviz convert - -o - <run/host.100.tvlog'
is "$rc $(grep -c ',work,' stdout)" "0 0" "nothing is beside standard input"

# several processes
cp run/host.100.tvlog run/host.101.tvlog
run traceviz convert run -o -
is "$rc $(cut -d, -f1,6 stdout | sed -n '2p;13p')" "0 0_T1,0_1
1_T1,1_2" "two processes"
run traceviz convert run/*.tvlog -o -
is "$rc $(grep -c . stdout)" "0 13" "as files on the command line"
rm run/host.101.tvlog

# damage
run traceviz convert --format tvlog "$ROOT/data/cholesky.csv" -o -
is "$rc $(sed 's/.*csv: //' stderr)" "1 not a raw log of traceviz record" "another format"
head -c 4000 run/host.100.tvlog >cut
run traceviz convert cut -o -
is "$rc $(cat stderr)" "1 traceviz: cut: the log ends within its first page: nothing was recorded" "cut in its first page"
head -c 69740 run/host.100.tvlog >cut
run traceviz convert cut -o cut.csv
like "$rc $(cat stderr)" "0 *log ends early*" "cut within a chunk"
run traceviz convert --strict cut -o -
is "$rc" 1 "which --strict refuses"
# The last part of a log may be the only one of a thread: nothing is concluded from what is there.
zstd -dcq "$ROOT/tests/data/tvlog/starpu.tvlog.zst" 2>/dev/null | head -c 135168 >cut
run traceviz diagnose cut
like "$rc $(cat stdout | xargs -0 | tr -s ' \n' ' ')" "0 The run took * Parts of the recording are missing, so there may have been more tasks, and what could be saved is not known. To do: Copy the whole recording again, *what workers waited for. Limits: *" "a log without its last chunk: no cause is named"
like "$(cat stderr)" "*parts of the log are missing*byte 135168: the file ends there, expected *" "which is an error in the log"
is "$(traceviz info --csv cut 2>/dev/null | grep -c '^pending rows')" 0 "what became of submitted tasks is not known"
failed=
for size in $(seq 4096 2731 69632) $(seq 69632 8 70400) $(seq 135168 8 135600); do
	head -c "$size" run/host.100.tvlog >cut
	traceviz critical-path cut >/dev/null 2>cut.err || [ $? -eq 1 ] || failed="$failed $size"
done
is "$failed" "" "cut anywhere"
run traceviz run -o run.svg
is "$rc $(grep -c '<svg' run.svg)" "0 1" "a picture"

# ---- StarPU ----
mkdir starpu
zstd -dcq "$ROOT/tests/data/tvlog/starpu.tvlog.zst" >starpu/host.1.tvlog
run traceviz convert starpu -o tables
is "$rc $(cat tables/tasks.csv | wc -l) $(cat tables/decisions.csv | wc -l) $(cat tables/candidates.csv | wc -l) $(cat tables/events.csv | wc -l)" \
	"0 21 21 41 61" "StarPU: 20 tasks and decisions, 40 candidates, 60 events"
is "$(cut -d, -f2 tables/tasks.csv | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 1 Value; 4 chol_model_11; 6 chol_model_21; 10 chol_model_22;" "their types"
run traceviz info starpu
is "$(grep -c '^graph,dependencies,30$' stdout)" 1 "30 dependencies"
run traceviz decisions --check starpu
is "$rc $(tail -1 stderr)" "0 traceviz: 20 of 20 decisions agree with their estimates, 0 flagged ones disagree" "their estimates"
failed=
for size in $(seq 4096 3001 135000); do
	head -c "$size" starpu/host.1.tvlog >cut
	traceviz convert -q cut -o cut.d >/dev/null 2>cut.err || [ $? -eq 1 ] || failed="$failed $size"
	rm -rf cut.d
done
is "$failed" "" "cut anywhere"
run traceviz convert starpu -o again.d
is "$(cat again.d/*.csv | cksum)" "$(cat tables/*.csv | cksum)" "the same bytes each time"
