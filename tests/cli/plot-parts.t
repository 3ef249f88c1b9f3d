#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plot-parts.t: the figure of a trace that is larger than --max-memory has the same bytes
. "$(dirname "$0")/lib.sh"
plan 21

awk 'BEGIN {
	print "ResourceId,Value,Start,End,JobId,ResourceType,DependsOn"
	for (i = 0; i < 300000; i++) {
		start = int(i / 6) * 3 + i % 6 / 10
		printf "%s%d,%s,%s,%.6f,%d,%s,%s\n", i % 6 < 4 ? "CPU" : "CUDA", i % 6, substr("potrftrsm syrk gemm ", i % 4 * 5 + 1, 4), start,
			start + 1 + i * 7919 % 1000 / 800, i, i % 6 < 4 ? "CPU" : "CUDA", (i % 3 == 0 && i > 50) ? i - 50 : ""
	}
}' >run.csv
traceviz convert -q run.csv -o run.parquet
awk -F, -v OFS=, 'NR == 90000 { $4 += 9 } 1' run.csv >overlap.csv
traceviz convert -q overlap.csv -o overlap.parquet

# same NAME TRACE LIMIT PANELS OPTIONS...: the figure NAME in parts as in memory; PANELS '': those of the report
same() {
	name=$1 trace=$2 limit=$3 panels=$4; shift 4
	[ -z "$panels" ] || set -- --panels "$panels" "$@"
	traceviz "$trace" "$@" -o "$name" 2>whole.err && mv "$name" whole
	run traceviz "$trace" "$@" -o "$name" --max-memory "$limit"
	grep -v 'it is read in parts, from a temporary copy in Parquet' stderr >parted.err
	[ "$(wc -l <stderr)" -gt "$(wc -l <parted.err)" ] || echo 'not in parts' >>parted.err
	is "$rc $(cmp "$name" whole) $(diff parted.err whole.err)" "0  " "$name $* of $trace with $limit"
}
same x.pdf run.parquet 40M spacetime
same x.png run.parquet 40M spacetime --dpi 80
same x.png run.parquet 40M spacetime --begin 70000 --end 70050
same x.png run.csv 40M spacetime
same x.svg run.parquet 40M spacetime --begin 70000 --end 70050
same x.png run.parquet 40M spacetime,abe --dpi 80 --only 'gemm,sy*' --resource 'CPU?'
same x.png run.parquet 40M spacetime --dpi 80 --where 'Start > 20000 and JobId != 30' --rows 'CUDA*' --row-order busy
same x.png run.parquet 30M spacetime,ready,abe,utilization --dpi 80
same x.pdf run.parquet 35M ''

# refused WHY OPTIONS...
refused() {
	why=$1; shift
	run traceviz "$@" --max-memory 12M
	like "$rc $(cat stderr)" "1 *need about * MB of memory, the limit is 12 MB (see --max-memory); $why*" "$*"
}
refused "the panel states needs all rows at once, without it: --panels spacetime" run.parquet --panels states -o x.pdf
refused "the panel states needs all rows at once, without it: --panels spacetime,share" run.parquet --panels spacetime,states,usage -o x.pdf
refused "only .pdf, .png and .svg are drawn part by part" run.parquet --panels spacetime -o x.html
refused "with --dump-boxes all rows are needed at once" run.parquet --panels spacetime --dump-boxes x.csv -o x.pdf
refused "with --spacetime.bounds all rows are needed at once" run.parquet --panels spacetime --spacetime.gaps no --spacetime.bounds abe -o x.pdf
refused "with --zoom all rows are needed at once" run.parquet --panels spacetime --zoom 1..2 -o x.pdf
run traceviz overlap.parquet --panels spacetime -o overlap.png --max-memory 14M
like "$rc $(cat stderr)" "1 *a figure of tasks that overlap in time on a worker needs all rows at once*" "tasks that overlap"
ok "... without a file" [ ! -e overlap.png ]
traceviz overlap.parquet --panels spacetime -o overlap.png 2>whole.err && mv overlap.png whole
run traceviz overlap.parquet --panels spacetime -o overlap.png --max-memory 45M
is "$rc $(cmp overlap.png whole) $(grep -v 'it is read in parts' stderr | diff - whole.err)" "0  " "... as a whole, where that fits with no room to spare"

sed '1s/$/,Extra/; 2,$s/$/,1/' run.csv >extra.csv
traceviz convert -q extra.csv -o extra.parquet
run traceviz extra.parquet --panels spacetime --where 'Extr == 1' -o x.png --max-memory 14M
like "$rc $(cat stderr)" "2 *no column 'Extr' (did you mean 'Extra'?)*" "a column that no part has names the others, also those that are not read"

# Here parts do not do for a panel: it is not left out.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "Kind" : NR % 9 == 5 ? "message" : "" }' run.csv >sent.csv
traceviz convert -q sent.csv -o sent.parquet
run traceviz sent.parquet --panels spacetime,idle-causes -o sent.png --max-memory 14M
like "$rc $(cat stderr)" "1 *idle-causes needs all rows at once: messages are nodes of the task graph*" "a panel that parts are not enough for"
ok "... without a file" [ ! -e sent.png ]
