#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# threads.t: --threads N: the same bytes, messages and errors for each N
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 53

# same NAME CMD...: with 1, 2 and 8 threads the same status, standard output and error, and files of out/; $rc, stdout
# and stderr are those of 8
same() {
	name=$1 other=; shift
	for threads in 1 2 8; do
		rm -rf out; mkdir out
		"$@" --threads $threads >stdout 2>stderr </dev/null
		rc=$?; echo "$rc" >>stderr
		[ $threads -eq 1 ] && { rm -rf one; mkdir one; cp -r out stdout stderr one/; }
		for part in out stdout stderr; do diff -r $part one/$part >/dev/null || other="$other $part of $threads;"; done
	done
	is "$other" "" "$name"
	[ -z "$other" ] || diff stderr one/stderr | head -5 | sed 's/^/# /'
}
# piped: from a pipe small files are read as large ones are
piped() { cat "$TRACE" | traceviz "$@" -; }

for medium in pdf png svg html; do
	same "a report as $medium" traceviz "$DATA/cholesky.csv" -o out/f.$medium
done
for pass in bounds "outliers --csv" idle-causes "chain --tasks outlier" ready info; do
	# shellcheck disable=SC2086 # options
	same "$pass" traceviz $pass "$DATA/cholesky.csv"
done
same "policies, with transfers" traceviz diagnose --csv "$DATA/cholesky-decisions"
# So many tasks that policies are simulated beside other work, with transfers of data without sizes
traceviz generate cholesky --tiles 50 -q -o planned.csv
traceviz simulate -q planned.csv --resources CPU=30,CUDA=2 --gflops CPU=10,CUDA=50 --scheduler fifo \
	--transfers latency=10us,bandwidth=1GB/s -o many
sed -i '1s/Sizes/Mine/' many/tasks.csv
same "simulations beside the search" traceviz diagnose --csv many
like "$(cat stdout stderr)" "*policy * in place of *data have no size*" "which are used, with their warnings"
same "convert" traceviz convert "$DATA/cholesky.csv" -o out/tables
for name in cholesky-dmda cholesky-ws qr-mumps-like; do
	same "facets with $name" traceviz --facet a="$DATA/cholesky.csv" b="$DATA/$name.csv" -o out/f.svg
done

# Every verb, and every sample, also as if it were large
verbs=$(traceviz help verbs | grep -vxE 'plot|compare|record|simulate|generate|platform|precision|what-if|help|series|list')
each_verb() { for verb in $verbs; do echo "$verb:"; traceviz "$verb" "$DATA/cholesky.csv" "$@" 2>&1; done; }
same "every verb" each_verb
is "$(($(grep -c '^[a-z-]*:$' stdout) > 60))" 1 "all of them"
each_sample() {
	medium=$1; shift
	for sample in "$DATA"/*.csv "$DATA"/cholesky-[24dp]* "$DATA"/mpi-[hos]* "$DATA"/e5-2650 "$DATA"/placement/*; do
		traceviz -q "$sample" -o "out/${sample##*/}.$medium" "$@" 2>&1
		[ -d "$sample" ] || traceviz convert -q - -o - "$@" <"$sample" 2>&1
	done
}
for medium in pdf png svg html; do same "every sample as $medium" each_sample $medium; done

# All that CSV may have, in 3 MB: quotes, line ends in quotes, CRLF, blank lines, missing cells, columns of users, lists, numbers
# with zeros before them; rows that are repaired or dropped if DAMAGE.
rows() { # N DAMAGE
	awk -v n="$1" -v damage="$2" 'BEGIN {
		print "ResourceId,Value,Start,End,JobId,Duration,DependsOn,Mine,Size,GFlop"
		for (i = 1; i <= n; i++) {
			end = i + 1; length_ = 1; start = i
			if (damage && i % 997 == 0) end = i - 1
			if (damage && i % 1499 == 5) length_ = 7
			if (damage && i % 9999 == 77) start = "nan"
			job = i % 50 == 0 ? "0" i : i % 51 == 0 ? "J" i : i
			mine = i % 13 == 0 ? "\"a,\"\"b\"\"\n" i "\"" : i % 7 == 0 ? "\"\"" : i % 5 == 0 ? "" : "x" i % 1000 "x"
			printf "CPU%d,%s,%s,%d,%s,%s,%s,%s,%s,%s%s\n", i % 12, i % 3 ? "gemm" : "trsm", start, end, job, length_,
				(i > 60 ? i - 51 " " i - 1 " J" int((i - 1) / 51) * 51 : ""), mine, (i > 20000 && i % 2 ? i : ""), i % 4 ? "" : i / 8,
				i % 17 == 0 ? "\r" : ""
			if (i % 500 == 0) print ""
		} }'
}
rows 40000 0 >sound.csv
rows 40000 1 >damaged.csv
same "all kinds of cells" traceviz convert sound.csv -o -
is "$(tail -1 stderr) $(grep -c . stdout)" "0 43077" "read"
TRACE=sound.csv
same "from a pipe" piped convert -o -
for name in sound damaged; do gzip -k $name.csv; zstd -q $name.csv; done
same "gzip" traceviz convert sound.csv.gz -o -
same "zstd" traceviz bounds sound.csv.zst
same "damage" traceviz convert damaged.csv -o -
like "$(cat stderr)" "*damaged.csv:*; also *end before start (40 skipped)*" "counted once for the file"
same "all damage, in its order" traceviz convert damaged.csv.gz --verbose -o -
is "$(grep -c 'damaged.csv.gz:[0-9]*: ' stderr)" 71 "each record"
same "strict" traceviz bounds --strict damaged.csv
mkdir tables && cp damaged.csv tables/tasks.csv && cp sound.csv.gz tables/variables.csv.gz
same "a folder with a table that is another" traceviz bounds tables
like "$(cat stderr)" "traceviz: tables/variables.csv.gz:1: the header of variables has no column*" "which says so"

# The first error of the file, though a later piece is read before it
head -30000 sound.csv >late.csv; printf 'CPU0,a,1,later,9\n' >>late.csv; tail -n +30001 sound.csv >>late.csv
same "an error in a late row" traceviz bounds late.csv
like "$(head -1 stderr)" "traceviz: late.csv:30001: 5 fields, expected 10 as in the header" "its line"
{ cat sound.csv; printf 'CPU0,a"b,1,2,9,1,,,,\n'; tail -n +4 sound.csv; echo 'CPU0'; } >two.csv
same "the first of two errors" traceviz bounds two.csv
like "$(head -1 stderr)" "traceviz: two.csv:$(($(wc -l <sound.csv) + 1)): malformed CSV: a quote inside a field*" "is that of one thread"
{ cat sound.csv; printf 'CPU0,"ab,1,2,9,1,,,,\n'; tail -n +4 sound.csv | tr -d '"'; } >open.csv
same "an open quote" traceviz bounds open.csv
head -c 100000 sound.csv.gz >cut.csv.gz
same "a stream that ends early" traceviz bounds cut.csv.gz

# Rows that come together are read by column: the first row that is wrong counts, not the first column
plain() { # N AWK: lines of tasks without anything odd but what AWK changes
	awk -v n="$1" 'BEGIN {
		print "ResourceId,Value,Start,End,JobId,Kind,Priority,SubmitTime,DependsOn,GFlop,Size,Mine"
		for (i = 1; i <= n; i++) {
			resource = "CPU" i % 9; kind = i % 5 ? "app" : "setup"; priority = i % 3 ? i % 7 : ""; submit = i % 11 ? i - 0.5 : ""
			list = i > 2 ? i - 1 " " i - 2 : ""; gflop = i % 4 ? 1.5 : "nan"; size = i % 6 ? i * 1000 : "NA"; start = i; end = i + 1
			'"$2"'
			printf "%s,gemm,%s,%s,%d,%s,%s,%s,%s,%s,%s,%s\n", resource, start, end, i, kind, priority, submit, list, gflop, size, i % 8 ? i : ""
		} }'
}
plain 9000 '' >plain.csv
same "lines of tasks" traceviz convert plain.csv -o -
plain 9000 'if (i == 7010) { kind = "ghost"; resource = start = end = "" } if (i % 2000 == 9) end = i - 1' >odd.csv
same "among which some are odd" traceviz convert odd.csv -o -
is "$(grep -c ghost stdout) $(grep -c . stdout)" "1 8996" "which are seen"
for wrong in 'if (i == 7000) gflop = "x"; if (i == 7001) priority = "y"' 'if (i == 7000) size = "1.5"; if (i == 7001) gflop = priority = "y"' \
	'if (i == 7000) { priority = "1.5"; size = gflop = "z" } if (i == 7003) submit = "z"' 'if (i == 7000) priority = "1.5"; if (i == 7001) kind = "job"'; do
	plain 9000 "$wrong" >wrong.csv
	same "$wrong" traceviz convert wrong.csv -o -
	like "$(head -1 stderr)" "traceviz: wrong.csv:7001: column *" "is the first row"
done
run traceviz bounds sound.csv --threads 0
is "$rc $(cat stderr)" "2 traceviz: --threads '0', expected a whole number from 1 to 256" "a number of threads"
