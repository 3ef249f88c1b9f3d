#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hostile.t: files made to hang, crash or exhaust; each command within a limit of time
# needs xmllint zstd gzip
. "$(dirname "$0")/lib.sh"
plan 61
HOSTILE=$TESTDATA/hostile

# bounded SECONDS CMD...: 124 when it takes longer.
bounded() { run timeout "$@"; }

# Two resource types that are equally loaded, and a tiny task type that is free: GLPK cycles.
for f in lp-hang-min lp-hang-fuzz; do
	trace=$HOSTILE/$f.csv
	for verb in bounds "bounds --tight --integer" abe imbalance "compare $trace"; do
		bounded 20 traceviz $verb "$trace"
		is "$rc" 0 "$f: ${verb%% /*} ends"
	done
	bounded 30 traceviz -q "$trace" -o $f.svg
	is "$rc" 0 "$f: a picture"
done
is "$(traceviz bounds -q "$HOSTILE/lp-hang-min.csv" | grep -c ',abe,estimate,100.000001,')" 1 "the area bound is right"
bounded 20 traceviz bounds -q --integer "$HOSTILE/lp-hang-min.csv"
like "$(cat stdout)" "*abe-integer,estimate,100.000002,*" "the area bound of whole tasks is right"

# --max-memory holds while arrays grow.
awk 'BEGIN { print "ResourceId,Value,Start,End"; for (i = 0; i < 1000000; i++) print "a,b," i "," i + 1 }' | gzip -1 >many.csv.gz
bounded 60 traceviz info --max-memory 20M --threads 1 many.csv.gz
is "$rc" 1 "--max-memory: refused"
like "$(cat stderr)" "*: out of memory while reading many.csv.gz: 1[0-9] MB in use, the limit is 20 MB (see --max-memory)*" \
	"--max-memory: at the limit, not beyond"

zstd -dqc "$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst" >whole.fxt

# A damaged member of a folder.
mkdir paje ranks
cp "$DATA"/cholesky-paje/* paje/
for f in paje/*; do case $f in *.zst | *.gz) ;; *) zstd -q --rm "$f" ;; esac; done
damaged=$(ls paje/*trace.zst)
printf '%28s' '' | tr ' ' '\377' | dd of="$damaged" bs=1 seek=12 conv=notrunc 2>/dev/null
run traceviz info paje
is "$rc" 1 "a damaged trace in a folder: exit 1"
is "$(cat stderr)" "traceviz: $damaged: the zstd stream is damaged" "and its name"
cp "$TESTDATA"/fxt/1.4.0/prof_file_?.zst ranks/
printf '%50s' '' | tr ' ' '\377' | dd of=ranks/prof_file_1.zst bs=1 seek=10 conv=notrunc 2>/dev/null
run traceviz info ranks
is "$rc" 1 "a damaged rank: exit 1"
like "$(cat stderr)" "traceviz: ranks/prof_file_1.zst: the zstd stream is damaged" "and its name"
cp "$TESTDATA"/fxt/1.4.0/prof_file_1.zst ranks/
size=$(wc -c <ranks/prof_file_1.zst)
printf '%50s' '' | tr ' ' '\377' | dd of=ranks/prof_file_1.zst bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
run traceviz info ranks
is "$rc" 1 "a rank damaged in the middle: exit 1"

# What is no file must not be waited for.
mkdir fifo loop
cp "$DATA/cholesky.csv" fifo/tasks.csv
cp "$DATA/cholesky.csv" loop/tasks.csv
mkfifo fifo/states.csv.gz
ln -s states.csv loop/states.csv
bounded 5 traceviz info fifo
is "$rc" 1 "a FIFO named as a table: refused"
is "$(cat stderr)" "traceviz: fifo/states.csv.gz: not a regular file" "and its name"
bounded 5 traceviz info loop
is "$rc" 1 "a loop of links named as a table: refused"
like "$(cat stderr)" "traceviz: loop/states.csv: cannot open: *" "and its name"

# 20 kB that become 400 MB (a trace without an event).
{ head -c 240 whole.fxt; head -c 400M /dev/zero; } | zstd -q >bomb.fxt.zst
bounded 60 traceviz info --max-memory 900M bomb.fxt.zst
is "$rc" 1 "a decompression bomb: refused"
like "$(cat stderr)" "traceviz: bomb.fxt.zst: more than 256 MB come out of * bytes, which is no trace" "and why"
head -c 400M /dev/zero | gzip -9 >bomb.csv.gz
bounded 60 traceviz info bomb.csv.gz
is "$rc" 1 "a decompression bomb of gzip: refused"

# Each of 200,000 calls at one time asks for what is known of its instant.
cp "$TESTDATA/paraver/mpi.prv" calls.prv
perl -e 'print "2:1:1:1:1:10", ":50000001:1" x 200000, "\n"' >>calls.prv
bounded 60 traceviz convert -q calls.prv -o calls
is "$rc $(wc -l <calls/calls.csv)" "0 200005" "many calls at one time"

# Each of 100,000 tasks at one time goes to a lane of its own.
perl -e 'print "ResourceId,Value,Start,End,JobId\n", map { "a,x,0,0,$_\n" } 1 .. 100000' >points.csv
bounded 60 traceviz convert -q --tracks no points.csv -o points.json
is "$rc $(grep -c '"thread_name"' points.json)" "0 100000" "trace events of many tasks at one time"

# zeros behind gzip are padding
{ gzip -c "$DATA/cholesky.csv"; head -c 1000 /dev/zero; } >padded.csv.gz
run traceviz info -q padded.csv.gz
is "$rc" 0 "gzip with padding: read"

# Long and deep expressions, and patterns that take all memory to compile.
repeat() { awk -v n="$1" -v text="$2" -v between="$3" 'BEGIN { for (i = 1; i < n; i++) printf "%s%s", text, between; print text }'; }
sample=$DATA/cholesky-dmda.csv
for op in or and; do
	{ printf 'where: "'; repeat 80000 'End>0' " $op " | tr -d '\n'; echo '"'; } >long.yaml
	bounded 60 traceviz -q "$sample" --config long.yaml -o long.svg
	is "$rc" 0 "80,000 times $op"
done
is "$(traceviz outliers -q "$sample" --where "$(repeat 5000 'Start < 0' ' or ') or Value == nothing" | wc -l)" 1 "5,000 times or: nothing"
is "$(traceviz outliers -q "$sample" --where "$(repeat 5000 'Start >= 0' ' and ')" | cksum)" \
	"$(traceviz outliers -q "$sample" --where 'Start >= 0' | cksum)" "5,000 times and: the same rows"
open=$(repeat 20000 '(' '') close=$(repeat 20000 ')' '')
for pattern in "${open}a$close" '((a{999}){999}){999}' 'a{1,99}{1,99}{1,99}'; do
	bounded 20 traceviz outliers -q "$sample" --where "Value ~ '$pattern'"
	is "$rc" 2 "a pattern too large: refused"
	like "$(cat stderr)" "*expected a simpler regular expression here*" "and why"
done

# Work from 1e-300 to 1e299: no coordinate is lost.
bounded 60 traceviz -q "$HOSTILE/model-nan.csv.gz" --panels regression -o work.svg
is "$rc" 0 "a wide range of work: a picture"
is "$(grep -Ec '[",  ](-?nan|-?inf)[", ]' work.svg)" 0 "without a coordinate that is no number"

# libfxt crashes and hangs on these.
for f in libfxt--11-1 libfxt-T-1; do
	zstd -dqf "$HOSTILE/$f.fxt.zst" -o $f.fxt
	bounded 60 traceviz info --format fxt-libfxt $f.fxt
	is "$rc" 1 "$f: exit 1"
	like "$(cat stderr)" "traceviz: $f.fxt: *libfxt *use --format fxt" "and why"
done

# An endless list, and one without a name.
bounded 20 traceviz "$sample" --row-order /dev/zero -o x.svg
like "$rc $(cat stderr)" "1 traceviz: /dev/zero:1: line longer than 16 MiB*" "--row-order: a line without end"
bounded 20 traceviz "$sample" --row-order /dev/null -o x.svg
like "$rc $(cat stderr)" "1 traceviz: /dev/null: no line, expected*" "--row-order: an empty file"

# Many nodes, many patterns.
awk 'BEGIN { print "ResourceId,Value,Start,End,Node"; for (i = 0; i < 20000; i++)
	print "CPU" i ",a," i % 50 "," i % 50 + 1 "," i }' >nodes.csv
bounded 20 traceviz disturbances -q nodes.csv
is "$rc" 0 "disturbances of 20,000 nodes"

# Names made to be taken for markup, columns, terminal sequences.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId"; q = "\"\""
	n = split("<script>alert(1)</script>|a&b;|]]>|" q "|\\input{x}|%n%s|\033]0;x\007|=1+1|\xff\xfe|a\nb", name, "|")
	for (i = 1; i <= n; i++) printf "\"%s\",\"%s\",%d,%d,\"%s_%d\"\n", name[i], name[i], i, i + 3, name[i], i }' >evil.csv
bounded 30 traceviz -q evil.csv -o evil.svg --panels all
[ "$rc" -eq 0 ] || { bounded 30 traceviz -q evil.csv -o evil.svg; }
is "$rc $(grep -c '<script' evil.svg)" "0 0" "hostile names: a picture without their markup"
ok "which is well-formed" xmllint --noout evil.svg

# Resource types that --add of what-if cannot name: with a NUL, a comma, an equals sign, empty.
printf 'ResourceId,ResourceType,Value,Start,End\nw0,"a,b",x,0,5\nw1,"c=d",x,0,5\nw2,C\0PU,x,0,3\nw3,"",y,0,3\nw4,OK,y,0,3\n' >types.csv
bounded 20 traceviz what-if --csv types.csv
is "$rc $(grep -c 'one more OK' stdout)" "0 1" "what-if: odd resource types"
is "$(grep -c 'cannot name it' stderr)" 4 "... one warning for each"
bounded 20 traceviz simulate -q types.csv -o sim
is "$rc" 0 "simulate: a resource type with a NUL"

# Tasks without length at one instant: one line for each type and worker, as nothing else is seen.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId"; for (i = 0; i < 2000; i++) printf "w%d,%s,5,5,%d\n", i % 2, i % 4 < 2 ? "a" : "b", i }' >instant.csv
bounded 20 traceviz -q instant.csv --panels spacetime -o instant.svg
is "$rc $(grep -c 'class="task"' instant.svg)" "0 4" "2000 tasks without length: a line for each of 2 types on 2 workers"
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId"; for (i = 0; i < 2000; i++) printf "w%d,a,%d,%d,%d\n", i % 2, i, i, i }' >spread.csv
bounded 20 traceviz -q spread.csv --panels spacetime -o spread.svg
is "$rc $(grep -c 'class="task"' spread.svg)" "0 2000" "apart, each has a line"

# What Cairo keeps of a page is counted.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId"; for (i = 0; i < 60000; i++) printf "w%d,a,%d,%d,%d\n", i % 20, i, i + 19, i }' >page.csv
bounded 60 traceviz -q page.csv --width 48 --panels spacetime --max-memory 60M -o page.pdf
like "$rc $(cat stderr)" "1 traceviz: *a page of 6* shapes needs about 7* MB of memory besides *, the limit is 60 MB: write PNG, *" "a page beyond the limit"
bounded 60 traceviz -q page.csv --width 48 --panels spacetime --max-memory 400M -o page.pdf
is "$rc" 0 "within it"

# Names that are no UTF-8, in the key of a panel: Pango complained, Cairo stopped, and a part of the page was lost.
printf 'PU:0 1000000 0.5\nPU:1 1000000 0.25\nPU:0 2000000 0.5\n' >names.hmon
bounded 20 traceviz -q names.hmon --variable-names "$(printf 'cy\235\223\232')" --panels levels -o names.pdf
is "$rc $(cat stderr)" "0 " "names that are no UTF-8: a figure without complaints"
bounded 20 traceviz -q names.hmon --variable-names "$(printf '%060d\303\244' 0)" --panels levels -o cut.pdf
is "$rc $(cat stderr)" "0 " "a name that is cut within a letter"
