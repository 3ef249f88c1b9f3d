#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fxt-versions.t: a trace of StarPU's development version; versions that are not known
# needs zstd perl
. "$(dirname "$0")/lib.sh"
plan 14

# widened CODE N: a trace whose first N events of that code have one more parameter
one=$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst
widened() {
	zstd -dqc "$one" | perl -e '
		my ($code, $times) = (hex $ARGV[0], $ARGV[1]);
		binmode STDIN; binmode STDOUT;
		local $/; my $data = <STDIN>;
		my $at = 4 + unpack("Q<", substr($data, 4, 8)) + 16;
		print substr($data, 0, $at - 16), pack("Q<", 0), substr($data, $at - 8, 8);
		while ($at < length $data) {
			my ($time, $thread, $word) = unpack "Q<3", substr($data, $at, 24);
			my $size = 8 * (($word & 255) - 1);
			my $params = substr $data, $at + 24, $size;
			$at += 24 + $size;
			($word, $params) = ($word + 1, $params . "\0" x 8) if $word >> 8 == $code && $times-- > 0;
			print pack("Q<3", $time, $thread, $word), $params;
		}' "$1" "$2" >prof_file_0
}
widened 511a 1000000
run traceviz convert prof_file_0 -o out
like "$rc $(cat stderr)" "1 traceviz: prof_file_0: byte *: TASK_SUBMIT of 8 parameters (so are 533 of 533), expected 2, 4, 5 or 7: \
of a version of StarPU that is not known" "submissions of no known version are refused"
is "$([ -e out ] && echo there)" "" "and leave nothing behind"
widened 511a 3
run traceviz convert prof_file_0 -o out
like "$rc $(cat stderr)" "0 *event of unknown layout: byte *: TASK_SUBMIT of 8 parameters, expected 2, 4, 5 or 7*" \
	"three of them are damage"
like "$(grep '^Dropped' out/meta.csv)" "Dropped: event of unknown layout,3" "counted"
run traceviz convert --strict prof_file_0 -o strict
is "$rc $([ -e strict ] && echo there)" "1 " "--strict refuses them"
rm -rf out
widened 5102 1000000
run traceviz convert prof_file_0 -o out
like "$rc $(cat stderr)" "1 *: byte *: a worker of the kind 0x100, as in StarPU 1.4, but START_CODELET_BODY is that of 1.2 and 1.3*" "executions of no known version are refused"

need_shared 8
# the development version of August 2026, against tasks.rec of its own converter
new=$SHARED/data/review/starpu-1.4.99-chol14
run traceviz convert "$new/prof_file_0.zst" -o new
is "$rc $(cat stderr) $(grep Producer new/meta.csv)" '0  Producer,"rank 0: StarPU 1.4.99, 36965 events"' "read silently"
is "$(traceviz bounds -q new | cut -d, -f2,4 | grep -E '^(makespan|cpe|abe),' | tr '\n' ' ')" "makespan,625.420055 cpe,177.764532 abe,416.198208 " "bounds"
is "$(traceviz account -q new | grep '^sum,idle,' | cut -d, -f9)" 5074.584529 "idle time"
is "$(traceviz info -q --csv new | sed -n 's/^workers by type,//p' | tr '\n' ' ')" "CPU,9 CUDA,3 " "workers"
is "$(traceviz info -q --csv new | sed -n 's/^app rows,//p' | tr '\n' ' ')" "GEMM,364 POTRF,14 SYRK,91 TRSM,91 " "tasks"
is "$(grep -c ',ghost,' new/tasks.csv)" 240 "acquisitions and ids without a task are nodes of the graph"
is "$(cut -d, -f5 new/handles.csv | sort | uniq -c | tr -s ' \n' ' ')" \
	" 1 Description 1 M13440x13440x4 14 M960x13440x4 196 M960x960x4 " "handles, parts of parts"
# Params is not compared: the converter of that version leaves out the first.
mkdir rec
zstd -dqc "$new/tasks.rec.zst" >rec/tasks.rec
traceviz convert -q --zero none rec -o rec.csv 2>/dev/null
traceviz convert -q --zero none "$new/prof_file_0.zst" -o fxt.csv 2>/dev/null
task_columns() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["Start"] != "" {
		print $at["JobId"], $at["Value"], $at["Start"], $at["End"], $at["SubmitTime"], $at["SubmitOrder"], $at["Priority"],
			$at["DependsOn"], $at["Handles"], $at["Modes"], $at["Sizes"], $at["GFlop"], $at["Line"] }' "$1" | sort
}
is "$(task_columns fxt.csv | grep -c .) $(task_columns fxt.csv | cksum)" "560 $(task_columns rec.csv | cksum)" "tasks are those of tasks.rec"
