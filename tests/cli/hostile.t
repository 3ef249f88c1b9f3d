#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hostile.t: files made to hang, crash or exhaust; each command within a limit of time
. "$(dirname "$0")/lib.sh"
plan 29
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
bounded 60 traceviz info --max-memory 20M many.csv.gz
is "$rc" 1 "--max-memory: refused"
like "$(cat stderr)" "*: out of memory: 1[0-9] MB in use, the limit is 20 MB (see --max-memory)" \
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

# zeros behind gzip are padding
{ gzip -c "$DATA/cholesky.csv"; head -c 1000 /dev/zero; } >padded.csv.gz
run traceviz info -q padded.csv.gz
is "$rc" 0 "gzip with padding: read"
