#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# csv.t: hostile and odd CSV: message with its place, exit status, no half-written output
# needs xmllint zstd gzip perl
. "$(dirname "$0")/lib.sh"
plan 80

refused() { # NAME MESSAGE FILE: both convert and a picture fail and leave nothing behind
	run traceviz convert -q "$3" -o out.csv
	is "$rc $(cat stderr)" "1 traceviz: $2" "$1"
	run traceviz "$3" -o out.pdf
	is "$rc $(tail -1 stderr) $(ls -A | grep -c '^\.\{0,1\}out')" "1 traceviz: $2 0" "$1: no output"
}
head=ResourceId,Value,Start,End,JobId,DependsOn
refused "missing file" "nowhere.csv: cannot open: No such file or directory" nowhere.csv
: >empty.csv
refused "empty file" "empty.csv: the file is empty, expected a trace" empty.csv
mkdir empty nothing
echo hello >nothing/README
refused "empty folder" "empty: the folder is empty" empty
refused "folder with nothing known" "nothing: no file of this folder is a trace in any known format" nothing
# The same bytes each time: by chance, others would look like a header of CSV.
seed 7
perl -e "srand $seed; "'print chr int rand 256 for 1 .. 100000' >garbage.csv
refused "binary garbage" "garbage.csv: not a trace in any known format, expected CSV, Paje, ... (see traceviz \
help formats)" garbage.csv
echo "ResourceId,Value,Start" >column.csv
echo "CPU0,a,1" >>column.csv
refused "a required column is missing" "column.csv:1: the header of tasks has no column End; it has: ResourceId, Value, Start" column.csv
mkdir nameless
printf '%s\nCPU0,a,0,1,1,\n' $head >nameless/tasks.csv
printf 'ResourceId,ResourceType\nCPU0,CPU\n,CPU\n' >nameless/resources.csv
refused "a resource without a name" "nameless/resources.csv:3: a row without ResourceId, expected one in each row" nameless
awk 'BEGIN { printf "ResourceId,Value,Start,End"; while (i < 200000) printf ",c%d", i++; print "" }' >wide.csv
refused "200000 columns" "wide.csv:1: 200004 columns, the limit is 4096" wide.csv
printf '%s\nCPU0,a,0,1,1,\nCPU0,b,1,2,x,,\n' $head >fields.csv
refused "a row with more fields" "fields.csv:3: 7 fields, expected 6 as in the header" fields.csv
printf '%s\nCPU0,a,0,1,1,\nCPU0,b,1' $head >cut.csv
refused "cut in the middle of a row" "cut.csv:3: 3 fields, expected 6 as in the header" cut.csv
printf '%s\nCPU0,"a,0,1,1,\n' $head >quote.csv
refused "cut inside quotes" "quote.csv:2: malformed CSV: the file ends inside quotes that open in this row" quote.csv
printf '%s\nCPU0,a,zero,1,1,\n' $head >number.csv
refused "not a number" "number.csv:2: column Start is 'zero', expected a time in milliseconds" number.csv
{ echo $head; head -c 100000000 /dev/zero | tr '\0' x; } >long.csv
refused "a 100 MB line" "long.csv:2: row longer than 16 MiB, which is the limit" long.csv
rm long.csv
printf '%s\nCPU0,a,0,1,1,\nCPU0,a,0,1,1,\n' $head >twice.csv
refused "the same execution twice" "twice.csv:3: two identical executions: JobId 1 on CPU0 at 0.000000 ms (also on line 2), expected each once" \
	twice.csv
gzip -c fields.csv | head -c 40 >cut.csv.gz
run traceviz convert cut.csv.gz -o out.csv
is "$rc" 1 "truncated gzip fails"
like "$(cat stderr)" "traceviz: cut.csv.gz:*the gzip stream ends early" "truncated gzip says so"

printf '%s\nCPU0,a,0,1,1,3\nCPU0,a,1,2,2,1\nCPU0,a,2,3,3,2\n' $head >cycle.csv
run traceviz bounds cycle.csv
is "$rc $(cat stdout)" "1 " "a dependency cycle fails"
like "$(tail -1 stderr)" "traceviz: cycle.csv:2: *cycle*1 -> 3 -> 2 -> 1*" "the cycle is named, and its place"
# lines that are no row, rows that are several lines, rows that are left out
printf '%s\n\nCPU0,"a\nb",0,1,7,\nCPU0,a,3,2,8,\nCPU0,a,4,5,2,1\n\nCPU0,a,5,6,1,2\n' $head >places.csv
run traceviz deps places.csv
like "$(tail -1 stderr)" "traceviz: places.csv:8: *cycle: 1 -> 2 -> 1*" "also behind lines that are no row"
traceviz deps -q - <places.csv 2>stderr
like "$(cat stderr)" "traceviz: -:8: *cycle: 1 -> 2 -> 1*" "also from a pipe"
mkdir places; cp places.csv places/tasks.csv
run traceviz deps -q places
like "$(cat stderr)" "traceviz: places/tasks.csv:8: *cycle: 1 -> 2 -> 1*" "also in a folder"
run traceviz deps -q --restrict 'Start >= 4' places.csv
like "$(cat stderr)" "traceviz: places.csv: *cycle: 1 -> 2 -> 1*" "a part of it has no lines any more"
run traceviz cycle.csv -o out.pdf
is "$rc $(ls -A | grep -c '^\.\{0,1\}out')" "1 0" "no picture of a cycle"

printf '%s,Kind\nCPU0,a,0,10,1,,app\n,m,10,12,2,1,message\nCPU1,a,12,30,3,2,app\nCPU1,b,30,90,4,,app\n' $head >message.csv
is "$(traceviz bounds -q --restrict 'Value == a' message.csv | grep cpe)" ",cpe,estimate,28.000000,7.142857142857143,0" \
	"--restrict cuts executions, not the messages between them"

printf '%s\nCPU0,a,0,1,1,\nCPU0,a,5,4,2,\nCPU0,a,NaN,4,3,\nCPU0,a,1e+00,2e+00,4,\nCPU0,b,NA,NA,5,\n' $head >odd.csv
run traceviz convert odd.csv -o -
is "$rc" 0 "contradictory rows do not stop the reading"
is "$(cat stdout)" "$head
CPU0,a,0.000000,1.000000,1,
CPU0,a,1.000000,2.000000,4,
CPU0,b,,,5," "they are skipped; 1e+00 and NA are understood"
is "$(cat stderr)" "traceviz: odd.csv:3: end before start: row of tasks skipped (1 record skipped); also time is NaN (1 skipped): --verbose lists them" "and counted, in one line"
run traceviz convert odd.csv --verbose -o -
is "$(cat stderr)" "traceviz: odd.csv:3: end before start: row of tasks skipped (1 record skipped)
traceviz: odd.csv:4: time is NaN: row of tasks skipped (1 record skipped)" "with --verbose one line each"
run traceviz convert --strict odd.csv -o strict.csv
is "$rc $(cat stderr)" "1 traceviz: odd.csv:3: end before start: row of tasks skipped" "--strict refuses"
ok "--strict leaves nothing behind" test ! -e strict.csv
printf 'ResourceId,Value,Start,End\nCPU0,a,2,1\nCPU0,b,x,3\n' >both.csv
run traceviz convert --strict both.csv -o strict.csv
is "$rc $(cat stderr)" "1 traceviz: both.csv:2: end before start: row of tasks skipped" \
	"--strict reports the first damage, also before an error"
run traceviz odd.csv -o odd.svg
like "$(cat odd.svg)" "*2 records dropped: end before start (1), time is NaN (1)*" "the picture says that records were dropped"

printf '%s\nCPU0,"gemm \377<&>\001",0,1,1,\n' $head >utf8.csv
run traceviz utf8.csv -o utf8.svg
is "$rc" 0 "invalid UTF-8 in a name is drawn"
ok "and the SVG is valid XML" xmllint --noout utf8.svg
run traceviz convert utf8.csv -o utf8b.csv
ok "and converted byte for byte" sh -c 'tail -1 utf8b.csv | grep -aq "$(printf "gemm \\377<&>\\001")"'

printf '\357\273\277%s\r\nCPU0,a,0,1,1,\r\n' $head >windows.csv
run traceviz convert windows.csv -o -
is "$rc $(cat stdout)" "0 $head
CPU0,a,0.000000,1.000000,1," "BOM and CRLF are accepted"
gzip -c windows.csv >windows.csv.gz
zstd -q windows.csv -o windows.csv.zst
for z in gz zst; do
	traceviz convert windows.csv.$z -o $z.csv
	is "$(cat $z.csv)" "$(cat stdout)" ".$z is read"
done
run sh -c 'traceviz convert -o - - <windows.csv.gz'
is "$(cat stdout)" "$(cat gz.csv)" "also from standard input"

# where output cannot go
run sh -c 'traceviz convert windows.csv -o - >/dev/full'
is "$rc $(cat stderr)" "1 traceviz: standard output: cannot write: No space left on device" "a full disk"
run traceviz windows.csv -o /nowhere/out.pdf
is "$rc $(tail -1 stderr)" "1 traceviz: /nowhere/out.pdf: cannot write: No such file or directory" "no such folder"
run sh -c 'yes CPU0,a,0,0,, | head -300000 | { echo '$head'; cat; } | traceviz convert -q - -o - | head -1'
is "$rc $(cat stdout)$(cat stderr)" "0 $head" "a pipe closed early is a quiet end"
run sh -c '(trap "" PIPE; traceviz convert -q windows.csv -o - ; echo "status $?" >&2) | true'
is "$(cat stderr)" "status 0" "and is no error with SIGPIPE ignored"
printf 'old' >keep.csv
run traceviz convert fields.csv -o keep.csv
is "$rc $(cat keep.csv)" "1 old" "a failure leaves the old file alone"
run traceviz windows.csv -o -
is "$rc $(cat stderr)" "2 traceviz: -o - needs --to pdf, svg, png, html or csv" "-o - needs --to"
run traceviz windows.csv -o x.docx
is "$rc $(cat stderr)" "2 traceviz: -o 'x.docx' ends in no known format, expected .pdf, .svg, .png, .html or .csv (or --to)" \
	"unknown ending"
{ echo $head; yes CPU0,a,0,0,, | head -300000; } >many.csv
run traceviz diagnose --max-memory 5M many.csv
is "$rc $(cat stderr)" "1 traceviz: many.csv: 4 MB need up to 31 MB of memory, the limit is 5 MB (see \
--max-memory)" "the memory limit holds"
mkdir many && mv many.csv many/tasks.csv
run traceviz diagnose --max-memory 5M many
is "$rc $(cat stderr)" "1 traceviz: many: 4 MB of tables need about 14 MB of memory, the limit is 5 MB (see \
--max-memory)" "of a folder: rows x columns x 8"
{ echo ResourceId,Type,Value,Start,End; yes CPU0,Worker,Idle,0,0 | head -100000; } >many/states.csv
run traceviz convert --max-memory 18M many -o out
like "$rc $(cat stderr)" "1 traceviz: many: 6 MB of tables need about 18 MB of memory, the limit is 18 MB*" "of all its tables together"
printf "%s\nCPU0,a,0,1,,\n" $head >one.csv
run traceviz bounds --max-memory 3M --with many one.csv
like "$rc $(cat stderr)" "1 *: many: 2 MB of tables need about 4 MB of memory, the limit is 3 MB*" "of --with: the tables still missing"
mv many/tasks.csv many.csv
run traceviz info --max-memory 60M many
is $rc 0 "what fits is read"
run sh -c 'traceviz convert --max-memory 5M - -o - <many.csv | wc -c; cat many.csv | traceviz convert --max-memory 5M - -o x.csv'
is "$rc $(ls x.csv 2>&1)" "1 ls: cannot access 'x.csv': No such file or directory" "also for a pipe"
like "$(cat stderr)" "traceviz: *out of memory* MB in use, the limit is 5 MB (see --max-memory)*" "and says so"

# one column more than the schema knows
printf 'ResourceId,Value,Start,End,My Column\nCPU0,a,0,1," x, ""y"" "\n' >mine.csv
run traceviz outliers -q mine.csv
is "$(cat stdout)" 'ResourceId,Value,Start,End,My Column,Outlier,Threshold
CPU0,a,0.000000,1.000000," x, ""y"" ",0,1.000000' "a user's column is kept byte for byte"
run sh -c 'traceviz outliers -q mine.csv | traceviz outliers -q --where "Outlier == 0" | traceviz convert -q - -o -'
is "$(cat stdout)" 'ResourceId,Value,Start,End,My Column,Outlier,Threshold
CPU0,a,0.000000,1.000000," x, ""y"" ",0,1.000000' "and through pipes"
run sh -c 'traceviz bounds -q mine.csv | traceviz outliers'
is "$rc $(cat stderr)" "1 traceviz: -:1: this is a table of the verb bounds, expected a trace: its tasks (ResourceId, Value, Start, End) or another table of it" \
	"the table of a verb is named"
printf 'A,B\n1,2\n' >none.csv
run traceviz outliers none.csv
is "$rc $(cat stderr)" "1 traceviz: none.csv:1: the header of tasks has no columns ResourceId, Value, Start, End; it has: A, B; --map says which of these they are (traceviz help map)" \
	"a table that is no tasks table names what it lacks"
printf 'ResourceId,Type,Value,Start,End\nCPU0,S,Idle,0,1\n' >states.csv
run traceviz bounds states.csv
is "$rc $(cat stderr)" "1 traceviz: states.csv: bounds: the trace has no tasks (columns ResourceId, Value, Start, End); it has states (states; --task-state TYPE makes tasks of them: S)" \
	"so does one of our others"

# rows that contradict themselves or each other
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU0,a,0,1\n' >anonymous.csv
refused "the same execution twice, without JobId" \
	"anonymous.csv:3: two identical executions: type a on CPU0 at 0.000000 ms (also on line 2), expected each once" anonymous.csv
printf 'ResourceId,Value,Start,End,Duration\nCPU0,a,0,1,5\nCPU0,a,2,3,1.0000001\n' >duration.csv
run traceviz convert duration.csv -o -
is "$(cut -d, -f5 stdout | tr '\n' ' ') $(head -1 stderr)" "Duration 1.000000 1.000000  traceviz: duration.csv:2: \
Duration is not End - Start: it is set to that (1 record repaired)" "a Duration that is not End - Start is repaired"

# a folder that held another run
mkdir run
printf 'ResourceId,Type,Value,Start,End\nCPU0,S,Idle,0,1\n' >run/states.csv
traceviz convert -q "$DATA/cholesky-ws.csv" -o run
run traceviz info run
is "$rc $(grep -c states stdout) $(ls run)" "0 0 tasks.csv" \
	"no table of another run stays behind"
run traceviz convert mine.csv -o mine.csv.gz
is "$rc $(ls mine.csv.gz 2>&1)" "2 ls: cannot access 'mine.csv.gz': No such file or directory" \
	"a compressed file is not a folder"
mkdir runs.csv.d
run traceviz convert mine.csv -o runs.csv.d/mine.csv.parquet
is "$rc $(traceviz convert runs.csv.d/mine.csv.parquet -o - | md5sum)" "0 $(traceviz convert mine.csv -o - | md5sum)" ".csv. in other names means nothing"
is "$(traceviz outliers -q --begin 100 --end 110 "$DATA/cholesky-ws.csv" | tail -n +2 | wc -l)" \
	"$(awk -F, 'NR > 1 && $3 != "" && $3 < 110 && $4 > 100' "$DATA/cholesky-ws.csv" | wc -l)" \
	"a window chooses the rows that touch it"
run traceviz bound mine.csv
is "$rc $(cat stderr)" "2 traceviz: 'bound' is neither a verb nor a file (did you mean 'bounds'?); try 'traceviz --help'" "a mistyped verb"
