#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# map.t: any table by --map: separators, units, expressions, graphs; the map that a message proposes; damage
. "$(dirname "$0")/lib.sh"
plan 70
tables=$TESTDATA/mapped
map='ResourceId=worker,Value=name,Start=begin_us,End=end_us,JobId=id,DependsOn=after'
run traceviz convert -q --map "$map" "$tables/begin_us.csv" -o us.csv
is "$rc $(awk -F, "$by_name"'{ busy[$c["ResourceId"]] += $c["Duration"]; if ($c["End"] > last) last = $c["End"] }
	END { printf "%.3f %.3f %.3f %.3f", busy["w0"], busy["w1"], busy["w2"], last }' us.csv)" "0 30.727 34.720 33.588 37.958" "units in names of columns"
is "$(columns us.csv Value | sort | uniq -c | awk '{ printf "%s %s ", $2, $1 }')$(columns us.csv DependsOn | wc -w)" \
	"assemble 28 reduce 16 solve 16 57" "types and dependencies"
run traceviz convert -q --map 'ResourceId=Lane,Value=Task,Start=Start (s),Duration=Duration (s)' "$tables/seconds.tsv" -o s.csv
is "$rc $(cut -d, -f1-5 s.csv | cksum)" "0 $(cut -d, -f1-5 us.csv | cksum)" "tabs, a comment, epoch seconds, a duration"
run traceviz convert -q --map 'ResourceId=worker,Value=name,Start=start,End=end' "$tables/semicolon.csv" -o semicolon.csv
is "$rc $(awk -F, '{ print $1, $3, $4 }' semicolon.csv | cksum)" "0 $(awk -F, '{ print $1, $3, $4 }' us.csv | cksum)" "semicolons, decimal commas, BOM, CRLF"
is "$(cut -d, -f2 semicolon.csv | sort -u | head -2 | tr '\n' ' ')" '"assemble; part ""0""" "assemble; part ""1""" ' "quotes inside quotes"
run traceviz convert -q --map "ResourceId=worker,Value=name,Start=begin_us/1000,End=(begin_us + (end_us-begin_us))/1000" "$tables/begin_us.csv" -o e.csv
is "$rc $(cut -d, -f1-5 e.csv | cksum)" "0 $(cut -d, -f1-5 us.csv | cksum)" "expressions are milliseconds"
is "$(head -1 e.csv | cut -d, -f9-)" id,begin_us,end_us,after "other columns are kept"
cat >map.txt <<'EOF2'
# how our tool calls them
ResourceId = worker
Value = name

Start = begin_us
End = end_us
EOF2
run traceviz convert -q --map @map.txt "$tables/begin_us.csv" -o file.csv
is "$rc $(cut -d, -f1-5 file.csv | cksum)" "0 $(cut -d, -f1-5 us.csv | cksum)" "a map in a file"
run traceviz summary -q --csv --map 'ResourceId=Queue_Id,Value=Kernel_Name,Start=Start_Timestamp,End=End_Timestamp' --time-unit ns "$tables/rocprof-kernels.csv"
is "$rc $(tail -n +2 stdout | wc -l)" "0 3" "kernels of rocprof"
is "$(traceviz summary -q --json --by ResourceId --map 'ResourceId=Queue_Id,Value=Kernel_Name,Start=Start_Timestamp,End=End_Timestamp' \
	--time-unit ns "$tables/rocprof-kernels.csv" | sed -n 's/.*"Time":\([0-9.]*\).*/\1/p' | awk '{ sum += $1 } END { printf "%.6f", sum }')" 0.795453 "their time"

# The message proposes what reads the table.
for file in begin_us.csv seconds.tsv semicolon.csv rocprof-kernels.csv; do
	run traceviz info "$tables/$file"
	command=$(sed -n 's/.*; to read it[^:]*: traceviz //p' stderr)
	run sh -c "traceviz info $command"
	is "$rc" 0 "$file: the command of the message reads it"
done

# one NAME MAP TEXT ROWS: a table as CSV, without header
one() {
	printf '%b' "$3" >t.txt
	run traceviz convert -q --zero none --map "$2" t.txt -o t.csv
	is "$rc $(columns t.csv "$5" 2>/dev/null | tr '\n' ';')" "0 $4" "$1"
}
w="ResourceId=w,Value=n,Start=s,End=e"
one "blanks" "$w" 'w n   s e\nA x 1 2\nA   y  2 3\n' "A x 1.000000 2.000000;A y 2.000000 3.000000;" ResourceId,Value,Start,End
one "a constant" "ResourceId='one',Value=n,Start=s[ns],End=e.s" 'n,s[ns],e.s\nx,1500,0.25\n' "one x 0.001500 250.000000;" ResourceId,Value,Start,End
one "one name on two nodes" "ResourceId=slot,Node=node,Value=n,Start=b,End=e" 'node;slot;n;b;e\na;0;x;0;1\nb;0;y;0;2\na;CPU1;z;0;1\n' "a_0 a worker;a_CPU1 a CPU;b_0 b worker;" ResourceId,Node,ResourceType
one "names that nodes do not share" "ResourceId=slot,Node=node,Value=n,Start=b,End=e" 'node;slot;n;b;e\na;0;x;0;1\nb;1;y;0;2\na;0;z;2;3\n' "0 a;1 b;0 a;" ResourceId,Node
printf 'w;n;s;e;s\na;x;0;1;5\n' >several.csv
run traceviz info --map "$w" several.csv
is "$rc $(cat stderr)" "2 traceviz: --map: 's' is the name of several columns of the table, expected different names" "a name of several columns"
printf 'ticket;job;node;slot;begin_us;end_us\n1;x;a;0;0;1\n' >slots.csv
run traceviz slots.csv
like "$rc $(cat stderr)" "1 *to read it: traceviz --map 'ResourceId=slot,Value=job,Start=begin_us,End=end_us,JobId=ticket,Node=node' slots.csv" "a map is proposed"
printf 'job;node;core;begin;end_us;after\na;n1;0;0;1;\nb;n1;1;1;2;a\n' >ids.csv
run traceviz ids.csv
like "$rc $(cat stderr)" "1 *traceviz --map 'ResourceId=core,Value=\"task\",Start=begin,End=end_us,JobId=job,DependsOn=after,Node=node' --time-unit ms ids.csv" "ids that others name are no types; a unit that is assumed is said"
for time in 999999999 1795895847.15 1795895847151.5 4000000000000 1795895847151076 1795895847151076123; do
	printf 'worker,name,start,stop\nw,a,%s,%s\n' "$time" "$time" >epoch.csv
	traceviz epoch.csv 2>&1 | sed "s/.*--time-unit \([a-z]*\) .*/\1/"
done >units
is "$(tr '\n' ' ' <units)" "ms s ms ms us ns " "the unit of times of these years is proposed"
printf 'thread,kernel,begin_us,x\n0,k,1,2\n' >partly.csv
run traceviz partly.csv
like "$rc $(cat stderr)" "1 *; to read it, with a column for each ?: traceviz --map 'ResourceId=thread,Value=kernel,Start=begin_us,End=?' partly.csv" \
	"? for what is not known"
run traceviz info --map 'ResourceId=thread,Value=kernel,Start=begin_us,End=?' partly.csv
like "$rc $(cat stderr)" "2 traceviz: --map: '?' is no column*; it has: thread, kernel, begin_us, x" "which is to be replaced"
# A ? where two columns may be meant, which are named; columns of ours keep their names.
proposed() {
	printf '%s\n' "$2" >t.csv
	run traceviz t.csv
	like "$rc $(cat stderr)" "1 *; to read it$3' --time-unit ms t.csv" "$1"
}
proposed "task may be an id" worker,task,type,begin,end ", with a column for each ? (Value: task or type), if its times are in ms: traceviz --map 'ResourceId=worker,Value=?,Start=begin,End=end"
proposed "a thread or a processor" thread,cpu,name,begin,end,job,uid \
	", with a column for each ? (ResourceId: cpu or thread, JobId: job or uid), if its times are in ms: traceviz --map 'ResourceId=?,Value=name,Start=begin,End=end,JobId=?"
proposed "worker is none of its other meanings" worker,core,name,type,begin,end ", if its times are in ms: traceviz --map 'ResourceId=worker,Value=name,Start=begin,End=end"
proposed "columns of ours" "worker,name,begin,end,GFlop,Footprint,Kind,ResourceType,modes,Modes" \
	", if its times are in ms: traceviz --map 'ResourceId=worker,Value=name,Start=begin,End=end,ResourceType=ResourceType,GFlop=GFlop,Footprint=Footprint,Modes=Modes"
printf 'ResourceId,Value,Start,x\n0,k,1,2\n' >ours.csv
run traceviz ours.csv
like "$rc $(cat stderr)" "1 *column*End*" "a header of ours with a mistake: no map"
# Without a header the first row would be lost.
printf 'load,w0,0.5,2.5\nsolve,w0,2.5,4\n' >rows.csv
run traceviz rows.csv
like "$rc $(cat stderr)" "1 *rows.csv:1: *; line 1 has numbers, such as 2.5, and no names: write a line with the names of the columns before it" "a table without header"
run traceviz rows.csv -o rows.svg
like "$rc $(cat stderr)" "1 *; line 1 has numbers, such as 2.5, and no names: *; or choose *--panels chart*" "and its figure"
run traceviz info --map 'ResourceId=w0,Value=load,Start=0.5,End=2.5' rows.csv
is "$rc $(cat stderr)" "2 traceviz: --map: Start=0.5 is no name of a column but a number: line 1 is a row, so write a line with the names of the columns before it" \
	"its first row names no columns"
one "columns called by their places" "ResourceId=0,Value=1,Start=2,End=3" '0,1,2,3\nA,x,1,2\n' "A x 1.000000;" ResourceId,Value,Start
one "an unused column called by a number" "$w" 'w,n,s,e,0.5\nA,x,1,2,7\n' "A x 7;" ResourceId,Value,0.5
run traceviz "$tables/begin_us.csv" -o map.svg
like "$rc $(cat stderr)" "1 *; to read it: traceviz --map 'ResourceId=worker,Value=name,*; or choose *" "a figure of a foreign table: the map is proposed, too"
joined='host,w,n,s,e\nA,1,x,0,1\nB,,x,0,1\nB,2 b,,0,1\n'
one "joined names" "ResourceId=host + '.' + w,Value='t-'+n,Start=s,End=e" "$joined" " t-x;A.1 t-x;B.2 b;" ResourceId,Value
one "names side by side, a column between quotes" "ResourceId='host'+''+w,Value='x+y',Start=s,End=e" "$joined" " x+y;A1 x+y;B2 b x+y;" ResourceId,Value
one "two columns and no text are a sum" "ResourceId='w',Value=s+e,Start=s,End=e" 's,e\n1,2\n' "w 3;" ResourceId,Value
one "a graph without times" "Value=n,JobId=i,DependsOn=d" 'n;i;d\nx;1;\ny;2;1\nz;3;"1,2"\n' "x 1  planned;y 2 1 planned;z 3 1 2 planned;" Value,JobId,DependsOn,Flag
one "a quoted line end" "$w" 'w,n,s,e\nA,1,1,2\nB,"x\ny",1,2\n' "A;B;y\";" ResourceId
one "a column called as one of ours" "ResourceId=w,Value=n,Start=Start_us,End=End_us" 'w,n,Start_us,End_us,Kind,Note\nA,x,1,2,KERNEL,hello\n' \
	"0.001000 app KERNEL hello;" Start,Kind,Table.Kind,Note

# refused NAME MAP PATTERN
refused() {
	run traceviz info --map "$2" "$tables/begin_us.csv"
	like "$rc $(cat stderr)" "2 traceviz: $3" "$1"
}
refused "an unknown column" "ResourceId=workr,Value=name,Start=begin_us,End=end_us" \
	"--map: 'workr' (did you mean 'worker'?) is no column of the table, and no expression of them; it has: id, worker, name, begin_us, end_us, after"
refused "no type" "ResourceId=worker,Start=begin_us,End=end_us" "--map: Value, the type of a task, is missing*"
refused "no end" "ResourceId=worker,Value=name,Start=begin_us" "--map: tasks need Start and End, or Start and Duration*"
refused "no worker" "Value=name,Start=begin_us,End=end_us" "--map: ResourceId, the worker of a task, is missing*ResourceId='w'*"
refused "a text that is not joined" "ResourceId=worker + ,Value=name,Start=begin_us,End=end_us" "--map: 'worker +' (did you mean 'worker'?) is no column of the table, and no expression of them*"
refused "a joined column that is none" "ResourceId=worker + '.' + hst,Value=name,Start=begin_us,End=end_us" "--map: 'worker + '.' + hst' is no column of the table, and no expression of them*"
refused "a column twice" "$map, JobId = id" "--map: JobId is there twice, expected once"
refused "no map" "worker" "--map 'worker', expected Column=*"
run traceviz info --map "$w" "$DATA/cholesky-paje"
is "$rc $(cat stderr)" "2 traceviz: --map is for a single table, the format is paje" "a folder of another format"
run traceviz info --format table "$tables/begin_us.csv"
is "$rc $(cat stderr)" "2 traceviz: --format table needs --map, which says what its columns are" "the format alone"

# A worker and dependencies, but times that are called t0 and t1: no graph that has not run. A column of types beside that of tasks.
map_of() { printf '%s\n' "$1" "$(echo "$1" | sed 's/[a-z_0-9]*/1/g')" >h.csv; traceviz h.csv 2>&1 | sed "s/.*--map '\([^']*\)'.*/\1/"; }
is "$(map_of task,core,t0,t1,after)" 'ResourceId=core,Value="task",Start=t0,End=t1,JobId=task,DependsOn=after' "t0 and t1"
is "$(map_of task,core,wann,bis,after)" 'ResourceId=core,Value="task",JobId=task,DependsOn=after,Start=?,End=?' "times of unknown names are asked for"
is "$(map_of task,kind,core,start,end,after)" 'ResourceId=core,Value=?,Start=start,End=end,DependsOn=after,JobId=?' "and what DependsOn names"

# damaged NAME TEXT PATTERN
damaged() {
	printf '%b' "$2" >t.txt
	run traceviz info --map "$w" t.txt
	like "$rc $(cat stderr)" "$3" "$1"
}
damaged "a short row" 'w,n,s,e\nA,x,1,2\nA,x\n' "0 *traceviz: t.txt:3: row with another number of cells: 2 cells, expected 4 as in the header*"
damaged "times that are none" 'w,n,s,e\nA,x,1,2\nA,x,soon,5\nA,x,5,4\n' "0 *traceviz: t.txt:3: no times: Start and End of a row are missing, no numbers, or the wrong way round (2 records skipped, this is the first)*"
damaged "an open quote" 'w,n,s,e\nA,"x,1,2\n' "1 traceviz: t.txt:2: a quote is not closed"
damaged "Start and End exchanged" 'w,n,s,e\na,b,2,1\na,b,3,2\n' "1 traceviz: t.txt: in all rows End is before Start, expected the other way round: exchange them in --map"
damaged "no times" 'w,n,s,e\na,b,x,1\na,b,3,2\n' "1 *traceviz: t.txt: no row has a Start and an End that are times"
damaged "no rows" 'w,n,s,e\n' "1 traceviz: t.txt: the table has no rows"

# Other words for what a task waited for, its end and its type.
printf 'label,cpu,started,te,task_id,waits_for\na,0,0,1,1,\nb,0,1,2,2,1\n' >words.csv
run traceviz info words.csv
like "$rc $(cat stderr)" "1 *; to read it, if its times are in ms: traceviz --map 'ResourceId=cpu,Value=label,Start=started,End=te,JobId=task_id,DependsOn=waits_for' --time-unit ms words.csv" \
	"names of other programs"
# The unit that is assumed is printed, and paths are quoted as a shell needs it.
mkdir "two words"
printf 'worker,name,begin,end\nw0,a,0,1\n' >"two words/it's.csv"
run traceviz info "two words/it's.csv"
like "$rc $(cat stderr)" "1 *--time-unit ms 'two words/it'\\\\''s.csv'" "a path with blanks and a quote"
run sh -c "traceviz info $(sed -n 's/.*; to read it[^:]*: traceviz //p' stderr)"
is "$rc $(cat stderr)" "0 " "can be run as it is"
run traceviz info --map 'ResourceId=worker,Value=name,Start=begin,End=end' "two words/it's.csv"
is "$rc $(cat stderr)" "0 traceviz: two words/it's.csv:1: the header has no unit of 'begin': ms is assumed, so that the tasks take 1.000 ms; if it \
is s, and they take 1.000 s: --time-unit s (or us, ns)" "a unit that is assumed, once, and what follows from it"
printf 'worker,name,begin,length\nw0,a,1764400000.5,2.25\nw0,a,1764400010,2\n' >epoch.csv
run traceviz info --map 'ResourceId=worker,Value=name,Start=begin,Duration=length' epoch.csv
is "$rc $(grep makespan stdout) $(cat stderr)" "0 time (ms),makespan,11500.000000 traceviz: epoch.csv:1: the header has no unit of 'begin': s is assumed, as its first one \
is then of the years 2002 to 2096, so that the tasks take 11.50 s; another unit: --time-unit" "but of times since 1970, that which they have"
run traceviz info --map 'ResourceId=worker,Value=name,Start=begin,Duration=length' --time-unit ms epoch.csv
is "$rc $(grep makespan stdout) $(cat stderr)" "0 time (ms),makespan,11.500000 " "unless it is given"
run traceviz info --map 'ResourceId=worker,Value=name,Start=begin/1000,Duration=end' --time-unit us "two words/it's.csv"
is "$rc $(cat stderr)" "0 " "not one that is given"

# A list of columns: each that has a value; else a name whose part is not known is none.
printf 'w,t,b,e,id,a,l\nx1,k,0,1,1,,\nx1,k,1,2,2,1,\nx1,k,2,3,3,,2\nx1,k,3,4,4,3,1\n' >lists.csv
for list in "a + ' ' + l" "'j' + a"; do
	traceviz convert -q --map "ResourceId=w,Value=t,Start=b,End=e,JobId=id,DependsOn=$list" lists.csv -o lists-out.csv
	columns lists-out.csv DependsOn | tr -d '"' | tr '\n' '|'
done >lists
is "$(cat lists)" "|1|2|3 1||j1||j3|" "a list of columns has what there is"
run traceviz info --map 'ResourceId=worker,Value=name,Start=begin,End=end' - <<'EOF2'
worker,name,begin,end
EOF2
is "$rc $(grep -c overflow stderr)" "1 0" "a header alone"
run traceviz info --map "$map" --map 'Size=bytes' "$tables/begin_us.csv"
is "$rc $(cat stderr)" "2 traceviz: --map is given twice, expected one: COLUMN=SOURCE,... or @FILE" "a second map does not replace the first silently"
