#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# parquet.t: Parquet files of other writers: equal to their truth, or refused by name; folders, units, --map; hostile files
# needs gzip perl zstd
. "$(dirname "$0")/lib.sh"
plan 57
zstd -dcq "$TESTDATA/parquet/samples.tar.zst" | tar -xf -
is "$(find . ! -perm -u+w)" "" "users other than root can remove the samples"

# truth FILE OPTIONS COUNTS: its cells and those of rows.json
truth() {
	file=$1 want=$3
	# shellcheck disable=SC2086 # words
	run traceviz convert -q $2 "$file.parquet" -o out.csv
	is "$rc $(cat stderr) $(perl "$ROOT/tests/cli/parquet_truth.pl" rows.json out.csv)" "0  $want" "$file"
}
for name in duckdb-default duckdb-gzip duckdb-kv duckdb-v2 duckdb-zstd parquet-rs-default parquet-rs-delta parquet-rs-small-pages parquet-rs-snappy \
	parquet-rs-v2-zstd polars-default; do
	truth rows/$name "--time-unit ns" "10 columns of 500 rows, shift 0, different 0"
done
truth rows/hyparquet-default "--time-unit ns" "9 columns of 500 rows, shift 0, different 0"
truth rows/hyparquet-encodings "--time-unit ns" "9 columns of 500 rows, shift 0, different 0"
# Its lists cannot be missing: they are empty.
truth rows/parquetjs-v2 "--time-unit ns" "row 0, DependsOn: , expected missing
row 11, DependsOn: , expected missing
row 22, DependsOn: , expected missing
9 columns of 454/500 rows, shift 0, different 46"
truth types/duckdb-timestamp-ns "" "10 columns of 500 rows, shift 5000000, different 0"
truth types/polars-categorical-datetime "--time-unit ns" "10 columns of 500 rows, shift 5000000, different 0"
truth types/duckdb-milliseconds-double "" "4 columns of 500 rows, shift 0, different 0"
truth types/duckdb-types "--time-unit ns" "4 columns of 60 rows, shift 0, different 0"
run traceviz convert -q --time-unit ns types/duckdb-all-missing.parquet -o missing.csv
is "$rc $(sed -n 2p missing.csv) $(wc -l <missing.csv)" "0 CPU0,dpotrf,0.474354,0.658844,,, 21" "columns without any value"
run traceviz convert types/duckdb-decimal.parquet -o decimal.csv
is "$rc $(sed -n '1,2p' decimal.csv | tr '\n' ' ')$(sed -n '4p' decimal.csv)" \
	"0 ResourceId,Value,Start,End,Wide,Narrow,Tiny CPU0,dpotrf,0.474354,658844.000000,474354.000000,0,0 CPU2,dpotrf,0.536775,3119334.000000,536775.000000,0,0" "decimals"
like "$(cat stderr)" "traceviz: types/duckdb-decimal.parquet:4: end before start: row of tasks skipped (1 record skipped)" "a row that contradicts itself has its number"
run traceviz convert --time-unit ns types/duckdb-types.parquet -o types.csv
is "$(cat stderr)" "traceviz: types/duckdb-types.parquet: columns of types that are not read, left out: Day (a DATE), Id (a UUID), Span (an INTERVAL), Pair (a struct or MAP), Bag (a struct or MAP)" \
	"columns that are left out are named"
is "$(sed -n '1p;7p' types.csv)" "ResourceId,Value,Start,End,P32,P16,P8,U8,U32,U64,F32,Flagged,Raw,Clock
CPU4,dpotrf,0.848973,1.055588,-3,-3,-3,3,3,3,,0,tile é 4,45296789.000" "whole numbers, FLOAT, truth values, bytes, TIME"
run traceviz info rows/duckdb-lz4_raw.parquet
is "$rc $(cat stderr)" "1 traceviz: rows/duckdb-lz4_raw.parquet: column ResourceId has the codec LZ4_RAW (7), expected none, SNAPPY, GZIP or ZSTD: write the file again with one" "a codec that is not read"
run traceviz info rows/parquet-rs-lz4.parquet
like "$rc $(cat stderr)" "1 *the codec LZ4 (5), expected none*" "another one"
mkdir none && cp rows/duckdb-no-rows.parquet none/tasks.parquet
run traceviz convert none -o none.csv
like "$rc $(tail -1 stderr)" "1 traceviz: none: the trace has no tasks*" "no rows"

# Units
run traceviz convert rows/duckdb-default.parquet -o ms.csv
is "$rc $(cat stderr) $(sed -n 2p ms.csv | cut -d, -f3)" \
	"0 traceviz: rows/duckdb-default.parquet: whole numbers without a unit are read as ms: Start, End; --time-unit ns reads them as ns 474354.000000" "whole numbers are ms, as in CSV, which is reported"
is "$(traceviz convert -q --time-unit us rows/duckdb-default.parquet -o - | sed -n 2p | cut -d, -f3) $(traceviz convert -q --time-unit s rows/duckdb-default.parquet -o - | sed -n 2p | cut -d, -f3)" \
	"474.354000 474354000.000000" "us and s"
run traceviz info --time-unit ns types/duckdb-timestamp-ns.parquet
is "$rc $(cat stderr)" "2 traceviz: --time-unit: the format parquet has a unit of its own" "a TIMESTAMP has a unit"
run traceviz info types/polars-categorical-datetime.parquet
like "$rc $(cat stderr)" "1 *: column End is no TIMESTAMP, other times of the table are of that type, expected one kind" "times of two kinds"

# Any table
map="ResourceId=ResourceId,Value=Value,Start=Start,End=End,JobId=JobId,DependsOn=DependsOn,Note=Note,GFlop=GFlop,Size=Size,Priority=Priority"
run traceviz convert -q --map "$map" --time-unit ns --zero none rows/parquet-rs-delta.parquet -o mapped.csv
is "$rc $(perl "$ROOT/tests/cli/parquet_truth.pl" rows.json mapped.csv)" "0 10 columns of 500 rows, shift 0, different 0" "--map"
run traceviz convert -q --map "ResourceId='w',Value=Value,Start=Start,Duration='0',When=Start" types/duckdb-timestamp-ms-tz.parquet -o - 
like "$rc $(cat stderr)" "1 *no row has a Start and an End that are times*" "--map that gives no times"
run traceviz convert -q --map "ResourceId=ResourceId,Value=Value,Start=Start,End=Start" --time-unit ns types/duckdb-timestamp-ms-tz.parquet -o tz.csv
is "$rc $(awk -F, 'NR > 1 && $2 == "CPU1" || $1 == "CPU1" { print $3; exit }' tz.csv | sed 's/.*\.//')" "0 000000" "--time-unit does not change a TIMESTAMP"

# Folders
traceviz convert -q --time-unit ns rows/duckdb-v2.parquet -o alone.csv
mkdir folder && cp rows/duckdb-v2.parquet folder/tasks.parquet && printf 'Key,Value\nmade,here\n' >folder/meta.csv
run traceviz convert -q --time-unit ns folder -o folder.out
is "$rc $(cat stderr) $(cksum <folder.out/tasks.csv) $(cat folder.out/meta.csv)" "0  $(cksum <alone.csv) Key,Value
made,here" "a folder with tables of both formats"
cp alone.csv folder/tasks.csv
run traceviz info folder
is "$rc $(cat stderr)" "1 traceviz: folder/tasks.parquet: the folder has this table as CSV, too, expected one of them" "one table in both formats"
rm folder/tasks.*
mkdir -p folder/tasks/Node=0 && cp rows/duckdb-v2.parquet folder/tasks/Node=0/part.parquet
run traceviz info folder
is "$rc $(cat stderr)" "1 traceviz: folder/tasks: 'Node=0' is no part that meta.parquet lists, expected parts of one 'convert --partition', or one file tasks.parquet" "a table in parts is not left out"
mkdir starvz && cp rows/duckdb-v2.parquet starvz/application.parquet
run traceviz info starvz
like "$rc $(cat stderr)" "1 *no file of this folder is a trace in any known format; application.parquet is a Parquet file that is not named as a table of a trace*StarVZ*" "a folder of other Parquet files"
gzip -nc rows/duckdb-v2.parquet >v2.parquet.gz
run traceviz info v2.parquet.gz
is "$rc $(cat stderr)" "1 traceviz: v2.parquet.gz: a Parquet file that is compressed, expected a file that is not compressed: it is read from its end" "compressed as a whole"
traceviz info - <rows/duckdb-v2.parquet >stdout 2>stderr
is "$? $(cat stderr)" "1 traceviz: -: a Parquet file that is read from a pipe, expected a file that is not compressed: it is read from its end" "standard input"

# Hostile files: one line, soon, with little memory; also where only one column is needed.
wrong=
for file in hostile/*; do
	for map in "" --map=ResourceId=Start,Value=Start,Start=Start,End=Start; do
		timeout 5 traceviz info --max-memory 60M ${map:+"$map"} "$file" >stdout 2>stderr </dev/null
		status=$?
		case $file$map in
		*/ok-minimal*--map*) [ $status -eq 0 ] || wrong="$wrong $file$map:$status" ;;
		*not-utf8*--map*) [ $status -eq 2 ] || wrong="$wrong $file$map:$status" ;;
		*) [ $status -eq 1 ] && [ "$(wc -l <stderr)" -eq 1 ] || wrong="$wrong $file$map:$status" ;;
		esac
	done
done
is "$wrong" "" "$(find hostile -type f | wc -l) damaged files"
# damaged WHAT FILE MESSAGE
damaged() {
	run traceviz info "--map=ResourceId='w',Value=1,Start=Start,End=Start" "hostile/$1.parquet"
	like "$rc $(cat stderr)" "1 traceviz: hostile/$1.parquet*: $2" "$1"
}
damaged codec-lzo "column Start has the codec LZO (3), expected *"
damaged encoding-unknown "column Start has the encoding unknown (77), which is not read: write the file again with *"
damaged footer-encrypted "an encrypted Parquet file*"
damaged cut-half "a Parquet file without a footer*"
damaged thrift-nesting "a damaged Parquet file: its footer makes no sense"
damaged rows-and-values-differ "a damaged Parquet file: column Start: there are fewer values than the footer says"
damaged delta-count-huge "*: the head of differences makes no sense"
damaged dictionary-missing "*: there is no dictionary before it"
damaged page-length-negative "*: a page has no such length"
damaged zstd-bomb-honest "a damaged Parquet file: column Start claims 134217728 values, of a file of 32903 bytes"
damaged zstd-noise "*: compressed bytes of a page are damaged"
damaged offset-behind-end "*: a column lies outside of the file"
damaged values-more-than-bytes "*: the values of a page end early or make no sense"
is "$(traceviz convert -q "--map=ResourceId='w',Value=1,Start=Start,End=Start" --zero none hostile/ok-minimal.parquet -o - | sed -n '4p;11p' | cut -d, -f3 | tr '\n' ' ')" "2.000000 9.000000 " "a good one"

# Each byte changed: nothing but an answer or a message.
wrong=
for name in rows/duckdb-v2 types/duckdb-all-missing rows/parquet-rs-v2-zstd; do
	perl -e 'local $/; open F, "<:raw", $ARGV[0]; $_ = <F>; srand 7;
		for my $i (1 .. 60) { my $s = $_; substr($s, $i % 2 ? length($s) - 9 - int rand 700 : int rand length $s, 1) = chr int rand 256;
			open O, ">:raw", "changed$i.parquet"; print O $s; close O }' "$name.parquet"
	for file in changed*.parquet; do
		timeout 10 traceviz info -q "$file" >/dev/null 2>stderr || { status=$?; [ $status -le 2 ] || wrong="$wrong $name/$file:$status"; }
	done
done
is "$wrong" "" "changed bytes"

run traceviz info "$TESTDATA/parquet/list-of-lists.parquet"
is "$rc $(cat stderr)" "1 traceviz: $TESTDATA/parquet/list-of-lists.parquet: column DependsOn is a LIST of lists or structs, expected text or a number" "a list of lists"
