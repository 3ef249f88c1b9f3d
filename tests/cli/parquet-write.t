#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# parquet-write.t: traces as Parquet: the same tables again, what other programs read, damage, and no half a file
# needs perl
# HYPARQUET=FOLDER: node_modules with hyparquet and hyparquet-compressors, to compare with
. "$(dirname "$0")/lib.sh"
plan 41

round_trips "" --to parquet

# Names that differ little, and lists of them
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn"
	for (i = 0; i < 60000; i++) { j = i + 200000; printf "c%d,x,%d,%d,%d,%d %d %d\n", i % 8, i, i + 1, j, j - i * 7 % 91, j - i * 5 % 83, j - i * 3 % 97 } }' >names.csv
traceviz convert -q names.csv -o names.parquet
is "$(($(wc -c <names.parquet) < 300000)) $(traceviz convert -q names.parquet -o - --to csv | tail -1)" "1 $(traceviz convert -q names.csv -o - --to csv | tail -1)" "they are small"

# Names that begin alike: within a character of two bytes, longer and shorter than eight bytes
cat >alike.csv <<'END'
ResourceId,Value,Start,End,JobId,DependsOn,Note
w,a,0,1,é,,é
w,a,1,2,è,é,è
w,a,2,3,abcdefghijklmnopqrstuvwxyz,è é,abcdefghijklmnopqrstuvwxyz
w,a,3,4,abcdefghijklmnopqrstuvwxyzé,abcdefghijklmnopqrstuvwxyz,
w,a,4,5,abcdefghijklmnopqrstuvwxyzè,abcdefghijklmnopqrstuvwxyzé,abcdefgh
w,a,5,6,abcdefghijklmnop,abcdefghijklmnopqrstuvwxyzè,""
w,a,6,7,abcdefgh,abcdefghijklmnop,abcdefghi
w,a,7,8,abcdefghijklmnopq,abcdefgh,abcdefghijklmnop
w,a,8,9,b,abcdefghijklmnopq abcdefgh,b
END
traceviz convert -q alike.csv -o alike.parquet
traceviz convert -q alike.csv -o alike.out.csv
is "$(traceviz convert -q alike.parquet -o - | cmp - alike.out.csv)" "" "names that begin alike"

cat >odd.csv <<'END'
ResourceId,Value,Start,End,JobId,DependsOn,"a ""b"",
c",Start2,Iteration,GFlop,Note
w,"x 'y' \z",-0.000001,9007199254.740993,1,,"",é,1,1e300,
w,"two
lines",0.5,1.5,2,1 1,,,,-0,""
w,z,0.5,0.5,3,1 2 1 7,NA,,-5,0.1,日本
w,z,2,2,3,"",NA,,-9223372036854775808,0.1,x
w,z,3,999999999999.999999,5,"",NA,,9223372036854775807,1e-308,x
,g,,,4,2,,,,,
END
traceviz convert -q odd.csv -o odd.out.csv
traceviz convert -q odd.csv -o odd.parquet
traceviz convert -q odd.parquet -o odd.back.csv
ok "quotes, lines, missing and empty cells, the largest numbers" cmp odd.out.csv odd.back.csv
printf '\377\376,é\n' | cat odd.csv - | sed '$s/\(.*\),\(.*\)/w,\1,4,5,6,,,,,,\2/' >bytes.csv
traceviz convert -q bytes.csv -o bytes.out.csv
traceviz convert -q bytes.csv -o bytes.parquet
traceviz convert -q bytes.parquet -o bytes.back.csv
ok "text that is no UTF-8" cmp bytes.out.csv bytes.back.csv
printf 'ResourceId,Value,Start,End\nw,a,0,1\n' >one.csv
traceviz convert -q one.csv -o one.parquet
is "$(traceviz convert -q one.parquet -o - | tr '\n' ' ')" "ResourceId,Value,Start,End w,a,0.000000,1.000000 " "one task"
printf 'ResourceId,Value,Start,End\n' >none.csv
run traceviz convert none.csv -o none.parquet
like "$rc $(cat stderr)" "1 traceviz: *the trace has no tasks*" "a trace without rows"
ok "of which nothing stays" test ! -e none.parquet
# Epoch times in ns have 19 digits.
printf 'ResourceId,Value,Start,End\nw,a,1790000000000.123456,1790000000001.654321\nw,a,-1790000000000.000001,5\n' >epoch.csv
traceviz convert -q epoch.csv -o epoch.parquet
is "$(traceviz convert -q epoch.parquet -o - | cksum)" "$(traceviz convert -q epoch.csv -o - | cksum)" "times of more than 18 digits"

# Several groups of rows, of 131072 rows each: bit widths of 1 to 64, runs and no runs, an order that is not that of Start
perl -e 'srand 5; print "ResourceId,Value,Start,End,JobId,DependsOn,Size,Priority,Note\n";
	for my $i (0 .. 139_999) {
		my $start = $i * 100 + ($i > 70_000 ? int rand 5000 : 0);
		my $size = $i % 128 == 5 ? int(rand 2) * 2 ** ($i / 2300) : $i % 1000 == 7 ? "" : int rand 2 ** (($i / 3000) % 60);
		print join(",", "CPU" . ($i < 300 ? $i : $i % 7), $i % 11 ? "a" : "b$i", "$start.000001", ($start + 5) . ".5", $i, join(" ", map { $i - $_ } 1 .. $i % 4),
			sprintf("%.0f", $size || 0), $i % 3 && $i > 9000 ? $i % 5 : "", $i < 131_072 ? "" : "late"), "\n" }' >large.csv
traceviz convert -q large.csv -o large.out.csv
traceviz convert -q large.csv -o large.parquet
traceviz convert -q large.parquet -o large.back.csv
ok "140000 rows" cmp large.out.csv large.back.csv
is "$(traceviz summary -q --csv large.parquet | cksum)" "$(traceviz summary -q --csv large.csv | cksum)" "verbs have the same results"
# Long texts end a group early: a column of texts, of labels
for column in Value Note; do
	perl -e 'my $name = shift; print "ResourceId,Value,Start,End,Note\n"; my $long = "v" x 60_000;
		print "w,", $name eq "Value" ? $long . $_ : "v", ",$_,", $_ + 1, ",", $name eq "Note" ? $long : "", "\n" for 0 .. 699' "$column" >long.csv
	traceviz convert -q long.csv -o long.parquet
	is "$(traceviz convert -q long.parquet -o - | cksum) $(traceviz summary --by Kind --verbose long.parquet 2>&1 | sed -n 's/.*: \(.* row groups\).*/\1/p')" "$(traceviz convert -q long.csv -o - | cksum) 2 of 2 row groups" "$column of 60000 bytes"
done
# Rows that are no plain executions, between many that are: ghosts, messages that arrive before they were sent, missing cells
perl -e 'srand 9; print "ResourceId,Value,Start,End,JobId,Kind,Duration,SubmitTime,Iteration,GFlop,Note\n";
	for my $i (0 .. 29_999) { my $start = $i + rand(); my $odd = $i > 9000 && $i < 9100 || $i == 20_480 || $i == 29_999;
		my ($worker, $kind, $end) = $odd ? $i % 2 ? ("", "ghost", "") : ("", "message", $start - 5) : ("W" . $i % 5, $i > 25_000 ? "" : "app", $start + 2);
		print join(",", $worker, $i % 90 ? "a" : "b$i", $odd && $i % 2 ? "" : $start, $end, $i, $kind, "", $i % 7 && $i > 5000 ? $start - 9 : "",
			$i % 5 ? $i : "", $i % 3 ? $i / 7 : "", "n"), "\n" }' >mixed.csv
traceviz convert -q mixed.csv -o mixed.out.csv
traceviz convert -q mixed.csv -o mixed.parquet
traceviz convert -q mixed.parquet -o mixed.back.csv
is "$(cmp mixed.out.csv mixed.back.csv) $(traceviz deps -q mixed.parquet | cksum)" " $(traceviz deps -q mixed.csv | cksum)" "rows that are no plain executions"
run traceviz info --max-memory 8M large.parquet
like "$rc $(cat stderr)" "1 traceviz: large.parquet: 140000 rows of 9 columns need about 31 MB of memory, the limit is 8 MB (see --max-memory); info needs all rows at once: its rows do not come by Start*" "more than --max-memory"

# Names and folders
traceviz convert -q --to parquet odd.csv -o - >pipe.parquet
ok "standard output" cmp odd.parquet pipe.parquet
run traceviz convert odd.csv --to parquet -o x.csv
is "$rc $(cat stderr)" "2 traceviz: --to parquet contradicts the ending of -o 'x.csv'" "an ending of another format"
run traceviz convert odd.csv --to csv -o x.parquet
is "$rc $(cat stderr)" "2 traceviz: --to csv contradicts the ending of -o 'x.parquet'" "and the other way round"
run traceviz convert odd.csv -o x.feather
like "$rc $(cat stderr)" "2 traceviz: -o 'x.feather': nothing is written as .feather, expected a folder, FILE.csv, FILE.parquet or -*" "an ending of a format that is not written"
traceviz convert -q "$DATA/cholesky-2nodes" -o folder
tables=$(cd folder && ls ./*.csv | sed 's/csv$/parquet/')
traceviz convert -q --to parquet "$DATA/cholesky-2nodes" -o folder
is "$(cd folder && ls ./*)" "$tables" "tables of the other format are replaced"
traceviz generate cholesky --tiles 3 -o planned.parquet
traceviz generate cholesky --tiles 3 -o planned.csv
is "$(traceviz convert -q planned.parquet -o - | cksum)" "$(traceviz convert -q planned.csv -o - | cksum)" "other verbs that write tasks"
# The signal of a file that becomes too long ends the program in the middle.
(ulimit -f 8; exec traceviz convert -q large.csv -o cut.parquet) >stdout 2>stderr
is "$([ $? -gt 0 ] && find . -name 'cut*' -o -name '.traceviz*')" "" "what is not whole does not stay"

# A changed byte of a page is found by its checksum.
perl -e 'local $/; open F, "<:raw", "large.parquet"; $_ = <F>; substr($_, 2000, 1) ^= "\1"; print' >changed.parquet
run traceviz info changed.parquet
like "$rc $(cat stderr)" "1 traceviz: changed.parquet:1: a damaged Parquet file: column *: the checksum of a page is not that of its bytes" "a changed byte"
head -c 100000 large.parquet >short.parquet
run traceviz info short.parquet
like "$rc $(cat stderr)" "1 traceviz: short.parquet: a Parquet file without a footer*" "a part of a file"

# Other programs
if [ -d "${HYPARQUET:-}/hyparquet" ] && command -v node >/dev/null; then
	read_by_other() {
		node "$ROOT/tests/cli/parquet_read.mjs" "$HYPARQUET" "$1.parquet" >other.csv
		is "$(cmp other.csv "$1.csv")" "" "$1: hyparquet reads the same"
	}
	traceviz convert -q "$DATA/cholesky-paje" -o table
	mv table/*.csv .
	traceviz convert -q --to parquet "$DATA/cholesky-paje" -o table
	mv table/*.parquet .
	read_by_other tasks
	read_by_other variables
	mv large.out.csv large.csv
	read_by_other large
	mv alike.out.csv alike.csv
	read_by_other alike
else
	skip 4 "no hyparquet (HYPARQUET=node_modules)"
fi
if command -v duckdb >/dev/null; then
	is "$(duckdb -csv -noheader -c "SELECT typeof(Start), typeof(DependsOn), typeof(Size) FROM 'large.parquet' LIMIT 1; SELECT sum(Start), count(Priority) FROM 'large.parquet'" | tr '\n' ' ')" \
		"DECIMAL(18,6),VARCHAR[],BIGINT $(awk -F, 'NR > 1 { s += $3; n += $8 != "" } END { printf "%.6f,%d ", s, n }' large.csv)" "DuckDB reads the same types and sums"
else
	skip 1 "no duckdb"
fi
