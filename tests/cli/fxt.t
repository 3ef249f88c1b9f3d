#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fxt.t: FxT traces from the command line: ranks, compression, pipes, damage, libfxt
# needs zstd gzip
. "$(dirname "$0")/lib.sh"
plan 45
samples=$TESTDATA/fxt
rank0=$samples/cholesky-12-2ranks/prof_file_0.zst
rank1=$samples/cholesky-12-2ranks/prof_file_1.zst
one=$samples/cholesky-12-dmdas/prof_file_0.zst

tables() { # FOLDER: a checksum of its tables, but for the names of files
	cat "$1"/tasks.csv "$1"/states.csv "$1"/variables.csv "$1"/links.csv "$1"/events.csv \
		"$1"/handles.csv "$1"/resources.csv | cksum
	grep -v '^F' "$1"/meta.csv | cksum
}
meta() { awk -F, -v k="$2" '$1 == k { sub(/^[^,]*,/, ""); print }' "$1/meta.csv"; }

# the same trace whichever way its files come
run traceviz convert "$samples/cholesky-12-2ranks" -o folder
is "$rc $(cat stderr)" "0 " "a folder of ranks, silently"
run traceviz convert "$rank1" "$rank0" -o files
is "$rc $(tables files)" "0 $(tables folder)" "its files by name, in any order"
zstd -dqf "$rank0" -o p0; zstd -dqf "$rank1" -o p1
run traceviz convert p0 p1 -o plain
is "$rc $(tables plain)" "0 $(tables folder)" "uncompressed"
gzip -k p0
run traceviz convert p0.gz p1 -o gz
is "$rc $(tables gz)" "0 $(tables folder)" "one of them gzipped"
run traceviz convert "$one" -o one
zstd -dqc "$one" | traceviz convert - -o pipe 2>stderr
is "$? $(tables pipe)" "0 $(tables one)" "from a pipe"
run traceviz convert "$one" -o again
is "$(cat again/*.csv | cksum)" "$(cat one/*.csv | cksum)" "the same input gives the same bytes"
run traceviz convert "$rank0" -o half
is "$rc $(cat stderr)" "0 traceviz: $rank0: one of 2 ranks, 1 is read" \
	"one rank of two is said to be that"
is "$(meta half MessagesOutside)" 66 "its messages are counted"
run traceviz convert p0 "$rank0" -o twice
like "$rc $(cat stderr)" \
	"1 traceviz: *: rank 0 is also that of *: the files are of different runs" \
	"equal ranks are refused"
is "$([ -e twice ] && echo there)" "" "and leave nothing behind"

# through libfxt
for f in one:"$one" ranks:"p0 p1"; do
	zstd -dqf "$one" -o plain_one
	case $f in one:*) set -- plain_one ;; *) set -- p0 p1 ;; esac
	run traceviz convert --format fxt-libfxt "$@" -o lib
	traceviz convert "$@" -o ours
	is "$rc $(tables lib)" "0 $(tables ours)" "libfxt gives the same tables: ${f%%:*}"
done
mkdir both; cp p0 p1 both
run traceviz convert --format fxt-libfxt both -o lib
is "$rc $(meta lib Format)" "0 fxt-libfxt" "libfxt: a folder of ranks"
run traceviz convert --format fxt-libfxt "$one" -o lib2
is "$rc $(cat stderr)" \
	"1 traceviz: $one: libfxt reads plain files only, not pipes or compressed files" \
	"libfxt: compressed input is refused"
head -c 500000 plain_one >cut
run traceviz convert --format fxt-libfxt cut -o lib2
like "$rc $(cat stderr)" "1 traceviz: cut: libfxt cannot read files that are damaged*" \
	"libfxt: damaged input is refused"

# damage
run traceviz convert cut -o short
like "$rc $(cat stderr)" "0 *cut: the file ends within an event: byte 4999*what precedes is used*" \
	"a truncated file is used as far as it goes"
like "$(cat stderr)" "*also *task without end (4 repaired)*" "open tasks are counted"
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Flag") f = i }
	$f == "open"' short/tasks.csv | wc -l)" "$(meta short ExecutionsOpen)" "and flagged"
is "$(meta short ExecutionsStarted)" \
	"$(($(meta short ExecutionsWritten) + $(meta short ExecutionsDropped)))" \
	"no execution is lost"
is "$(meta short TasksSubmitted)" "$(($(meta short TasksCompleted) + $(meta short TasksOpen)))" \
	"no task is lost"
run traceviz convert --strict cut -o strict
is "$rc $([ -e strict ] && echo there)" "1 " "--strict refuses it"
head -c 1000 plain_one >header
run traceviz convert header -o header.out
is "$rc $(cat stderr)" \
	"1 traceviz: header: byte 1000: the file ends before its first event, nothing was \
recorded" \
	"a file cut in its header"
head -c 200000 "$one" | head -c 40000 >cut.zst
run traceviz convert cut.zst -o cut.out
like "$rc $(cat stderr)" "0 *compressed input ends early*" "a truncated zstd stream"
{ head -c 300000 plain_one; head -c 4096 /dev/zero; tail -c +300001 plain_one; } >hole
run traceviz convert hole -o hole.out
like "$rc $(cat stderr)" "0 *bytes that hold no event: byte 3000*: 4096 bytes skipped*" \
	"a hole is stepped over"
is "$(cut -d, -f1-6 hole.out/tasks.csv | cksum)" "$(cut -d, -f1-6 one/tasks.csv | cksum)" \
	"and costs no task"

# what the tables hold
is "$(meta one Producer)" '"rank 0: StarPU 1.4, 22252 events"' "the generation of StarPU"
for v in 1.2.11:1.2 1.3.4:1.3 1.3.11:1.3 1.4.0:1.4 1.4.12:1.4; do
	run traceviz convert "$samples/${v%%:*}" -o "v${v%%:*}"
	like "$(meta "v${v%%:*}" Producer | head -1)" "*StarPU ${v##*:}, *" "StarPU ${v%%:*}"
done
is "$(grep -c . v1.4.12/meta.csv) $(meta v1.4.12 ClockCorrection | wc -l)" \
	"$(grep -c . v1.4.12/meta.csv) 2" "the correction of each rank's clock"
is "$(meta v1.4.12 'Repaired: message received before it was sent')" 4 "early messages are counted"
is "$(grep -c ',early$' v1.4.12/links.csv)" 4 "and flagged"
is "$(awk -F, 'NR > 1 && $2 == "CPU" { n++ } NR > 1 && $2 == "CUDA" { g++ }
	END { print n, g }' one/resources.csv)" \
	"9 3" "all workers are resources"
is "$(awk -F, 'NR > 1 { print $7 }' one/tasks.csv | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 364 app; 182 ghost; 7 worker;" "kinds of tasks"
is "$(awk -F, '$1 ~ /^UserThread/ { u++ } END { print (u > 0) }' one/states.csv)" \
	1 "threads of the application have states"
is "$(cut -d, -f2 one/variables.csv | sort -u | wc -l)" 8 "seven variables (and the header)"
is "$(sed -n 2p one/links.csv | cut -d, -f1-4)" \
	"Intra-node data TaskPreFetch,com_1,MEMMANAGER0,MEMMANAGER1" \
	"transfers between memory nodes"
is "$(grep -c '^MPI communication' folder/links.csv)" 66 "messages are links"
is "$(grep -c ',message,' folder/tasks.csv)" 66 "and nodes of the graph"

# a variable lasts as long as its resource
is "$(for run in one folder v1.3.11; do awk -F, 'FNR == 1 { file++; split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
	file == 1 { if ($c["End"] != "") end[$c["ResourceId"]] = $c["End"]; next }
	$c["ResourceId"] in end { last[$c["Type"] "," $c["ResourceId"]] = $c["End"] }
	END { for (k in last) { n++; id = k; sub(/.*,/, "", id); wrong += last[k] != end[id] } print (n > 0), wrong + 0 }' \
	$run/resources.csv $run/variables.csv; done | sort -u)" "1 0" "variables of workers and MPI threads end with these"

# other verbs read it
is "$(traceviz bounds -q "$one" | sed -n 's/^,makespan[^0-9]*//p' | cut -d, -f1)" 448.183420 \
	"makespan"
run traceviz info "$one"
like "$rc $(cat stdout)" "0 *fxt*" "info"
run traceviz "$one" -o one.pdf
is "$rc $(head -c 5 one.pdf)" "0 %PDF-" "a report from FxT alone"
