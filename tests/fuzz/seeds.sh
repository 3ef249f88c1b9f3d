#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# seeds.sh BUILD DIR: the corpora DIR/TARGET and dictionaries DIR/TARGET.dict of the fuzz targets, made from the
# samples in data/ and tests/data (and in $TRACEVIZ_SHARED, if that is set). BUILD holds traceviz and fuzz/thin.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
build=$1
dir=$2
for target in tests/fuzz/fuzz_*.c; do
	target=${target##*/fuzz_}
	mkdir -p "$dir/${target%.c}"
done

# FxT: the first records of every code; two files of one run with the mark between them
n=0
for trace in tests/data/fxt/*/ ${TRACEVIZ_SHARED:+"$TRACEVIZ_SHARED"/mpi/*/ "$TRACEVIZ_SHARED"/decisions/*/}; do
	n=$((n + 1))
	for rank in 0 1; do
		for file in "$trace"prof_file_$rank.zst "$trace"prof_file_*_$rank.zst; do
			[ ! -f "$file" ] || zstd -dcq "$file" | "$build/fuzz/thin" >"$dir/fxt/$n-$rank"
		done
	done
	if [ -s "$dir/fxt/$n-0" ] && [ -s "$dir/fxt/$n-1" ]; then
		{ cat "$dir/fxt/$n-0"; printf %%%%%%%%rank; cat "$dir/fxt/$n-1"; } >"$dir/fxt/$n-both"
	fi
done

# Paje and recutils: definitions, and some of the records
zstd -dcq data/cholesky-paje/paje.trace.zst >"$dir/trace"
zstd -dcq data/cholesky-paje/tasks.rec.zst | awk 'BEGIN { RS = ""; ORS = "\n\n" } NR % 60 == 1' >"$dir/rec"
awk '/^%/ || $1 < 8 || (++n % 1000) < 8' "$dir/trace" | head -c 12000 >"$dir/paje/definitions"
awk '/^%/ || ($1 < 8 && NR < 500) || (++n % 500) < 20' "$dir/trace" | head -c 30000 >"$dir/paje/starpu"
cp tests/data/paje/head.trace "$dir/paje/head"
{ cat "$dir/paje/starpu"; echo; echo %%%%; cat "$dir/rec"; } >"$dir/paje/joined"
head -c 6000 "$dir/rec" >"$dir/recutils/tasks"
{ head -c 3000 "$dir/rec"; printf '\n%%%%%%%%\nHandle: 0x1\nHome: 0\nSize: 4096\nDescription: A\nX: 1\n\n'; } \
	>"$dir/recutils/both"
zstd -dcq tests/data/paje-2ranks/comms.rec.zst >"$dir/comms"
{ zstd -dcq tests/data/paje-2ranks/tasks.rec.zst | head -c 3000; printf '\n%%%%%%%%\n'; head -c 1500 "$dir/comms"; } >"$dir/recutils/messages"

# What pj_dump prints, and StarVZ makes of it
awk '/^-- run/ { on = 1; if (n++) print "%%%%"; next } /^\$/ { on = 0 } on' tests/cases/convert/pj_dump.test >"$dir/dump/starvz"
sed -n '/^-- dump/,/^\$/p' tests/cases/convert/pj_dump.test | grep '^[A-Z]' >"$dir/dump/lines"

# TiKKi's regions; graphs in DOT
{ printf 'Name: dgemm\nJobId: 4307\nStartTime: 1617551316135.580078\nEndTime: 1617551316149.144043\nMemoryNode: 0\n'
	printf 'Handles: 0x7fa055400000 0x7fa055200000\nModes: RW R\nDependsOn: 4031 4074\n\nName: x\nJobId: 2\nStartTime: 1617551316130\n'
	printf 'EndTime: 1617551316131\nResourceId: CPU1\n'; } >"$dir/recutils/tikki"
zstd -dcq tests/data/golden/cholesky-12-dmdas/dag.dot.zst >"$dir/graph"
{ head -40 "$dir/graph"; echo '}}'; } >"$dir/dot/starpu"
printf '// x\n/* y */ strict digraph "g" { node [label=a]; a:p:n -> {b; c [cost=3.5, Start=1]} -> "d\\"e" + "f" [x=y]\n' >"$dir/dot/cut"
{ printf '#!\ndigraph { subgraph s { a [label=<<b>x</b>&amp;>, "Node"="0"] } -> -1.5 ; a [Flag=planned] rankdir=LR }'; } >"$dir/dot/language"
awk 'NR == 1 || NR % 30 == 0' data/cholesky-ws.csv | head -14 >"$dir/some.csv"
"$build/traceviz" convert -q "$dir/some.csv" -o "$dir/own.dot"
cp "$dir/own.dot" "$dir/dot/own"
"$build/traceviz" convert -q tests/data/segments/fib.csv --to dot -o - | awk 'NR < 9 || / -> /' | head -20 >"$dir/dot/segments"
{ cat "$dir/dot/own"; echo; echo %%%%; echo 'digraph { "1" -> "2" }'; } >"$dir/dot/regions"

# CSV: single tables, and whole folders
for table in data/cholesky*.csv data/qr-mumps-like.csv; do
	name=${table##*/}
	awk 'NR < 3 || NR % 60 == 0' "$table" | head -14 >"$dir/csv/${name%.csv}"
done
for trace in data/cholesky-paje tests/data/fxt/1.4.12 tests/data/fxt/cholesky-12-2ranks data/cholesky-decisions data/mpi-overlap \
	data/mpi-steps data/placement/grouped data/e5-2650; do
	name=${trace##*/}
	rm -rf "$dir/run"
	"$build/traceviz" convert -q "$trace" -o "$dir/run"
	for table in "$dir"/run/*.csv; do
		table=${table##*/}
		echo "%%%%${table%.csv}"
		awk 'NR < 4 || NR % 200 == 0' "$dir/run/$table" | head -9
	done >"$dir/csv/$name-folder"
done

# ... and tables that join tasks of another format
{ printf '%%%%%%%%decisions\nJobId,Time,ResourceId,Nature,Length,Fitness\n1,0.5,CPU0,decided,2,2.5\n2,3.5,CPU1,decided,2,1\n3,3.6,CPU0,forced,,\n'
	printf '%%%%%%%%candidates\nJobId,ResourceId,Length,ExpectedEnd,Fitness\n1,CPU0,2,2.5,2.5\n1,CPU1,3,3.5,3.5\n2,CPU1,2,5.5,1\n'
	printf '%%%%%%%%events\nResourceId,Type,Time,Value,Order,JobId\nCPU0,push,0.5,,0,1\nCPU0,start,1,,1,1\nCPU0,end,3,,2,1\n'
	printf '%%%%%%%%variables\nResourceId,Type,Start,End,Value\nCPU0,load,0,4,0.5\n'; } >"$dir/csv/companions"

# CSV for its two readers: quotes, CRLF, BOM, lines of all lengths; quotes that are wrong
printf '\357\273\277a,"b"\r\n1,"x ""y"" z"\r\n\n,,\n"p\nq",\n' >"$dir/csv-paths/quoted"
printf '\r\n\r\na,,b\r1,2,3' >"$dir/csv-paths/returns"
printf 'a\n"b' >"$dir/csv-paths/open"
printf '1,2\n\nab"c,d\n' >"$dir/csv-paths/inside"
printf '1,2\n"ab"c,d\n' >"$dir/csv-paths/behind"
head -c 700 data/cholesky-ws.csv >"$dir/csv-paths/plain"
for name in quoted plain; do { echo '#'; cat "$dir/csv-paths/$name"; } >"$dir/csv-paths/$name-across"; done

# Reports of mpiP, output of OSU and IMB benchmarks: those of the test
sed -n "/^cat >app.mpiP/,/^E2/p" tests/cli/mpip.t | sed '1d; $d' >"$dir/mpip/report"
for name in osu imb; do
	eval "$(sed -n "/^printf .* >$name.txt$/s/ >$name.txt//p" tests/cli/mpip.t)" >"$dir/nbc/$name"
done

cp tests/data/mpip/*.mpiP "$dir/mpip/"
cp tests/data/nbc/*.txt "$dir/nbc/"

# Traces of Paraver, with names and without; tasks of ovni
cp tests/data/paraver/mpi.prv "$dir/paraver/"
{
	echo '#Paraver (19/01/38 at 03:14):00000000000000000100_ns:0:1:1(2:1)'
	printf '%s\n' 2:0:1:1:1:10:35:5 2:0:1:1:1:10:36:77 2:0:1:1:1:20:35:7:36:88 2:0:1:1:2:40:10:9:15:1 2:0:1:1:2:40:10:0 LEVEL\ THREAD\ SIZE\ 2 'TH 1.1' \
		'TH 1.2' EVENT_TYPE '0 36   type' VALUES '77 small' '88 large'
} >"$dir/paraver/ovni"
{ cat tests/data/paraver/mpi.prv tests/data/paraver/mpi.pcf tests/data/paraver/mpi.row; } >"$dir/paraver/all"

# Records of OTF2: any bytes choose some
for i in 1 2 3; do
	head -c $((i * 2000)) data/cholesky-paje/paje.trace.zst | tail -c 1500 >"$dir/otf2/$i"
done

# Traces of monitors: those of the test
for name in first.trace second.trace misses.txt; do
	sed -n "/^cat >$name /,/^EOF/p" tests/cli/hmon.t | sed '1d; $d' >"$dir/hmon/$name"
done

printf 'PU     :  O0 961b31375j' >"$dir/hmon/no-rows"

# Chrome trace events: the small samples, and the first events of the others
cp tests/data/chrome/*.json "$dir/chrome/"
for name in apex alexnet amd; do
	gzip -dc "tests/data/chrome/$name.json.gz" | head -c 9000 >"$dir/chrome/$name"
done

"$build/traceviz" convert -q "$dir/some.csv" -o "$dir/chrome/own.json"

# Tables with their map
{ echo 'ResourceId=worker,Value=name,Start=begin_us,End=end_us/1000,JobId=id,DependsOn=after'; head -9 tests/data/mapped/begin_us.csv; } >"$dir/table/us"
{ echo 'ResourceId=Lane,Value=Task,Start=Start (s),Duration=Duration (s)'; head -9 tests/data/mapped/seconds.tsv; } >"$dir/table/seconds"
{ echo "ResourceId='w',Value=name,Start=start,End=end"; head -9 tests/data/mapped/semicolon.csv; } >"$dir/table/semicolon"
{ echo; head -4 tests/data/mapped/rocprof-kernels.csv; } >"$dir/table/proposed"

# Databases of GPU profilers: those that are small
for name in nsys-made rocpd-made; do gzip -dc "tests/data/sqlite/$name.gz" >"$dir/sqlite/$name"; done
"$build/traceviz" convert -q "$dir/some.csv" -o "$dir/own.sqlite" && mv "$dir/own.sqlite" "$dir/sqlite/own"

# JSON of rocprofv3: the begin of a real file is its names
gzip -dc tests/data/rocprof/kernels.json.gz | head -c 7000 >"$dir/rocprof/names"
cat >"$dir/rocprof/made" <<'END'
{"rocprofiler-sdk-tool": [{"strings": {"buffer_records": [{"operations": []}, {"operations": ["hipFree", "hipLaunchKernel"]}], "marker_api": [{"key": 9, "value": "m"}]},
"agents": [{"id": {"handle": 71}, "type": 2, "logical_node_type_id": 3}], "kernel_symbols": [{"kernel_id": 4, "formatted_kernel_name": "axpy"}],
"buffer_records": {"kernel_dispatch": [{"kind": 9, "operation": 2, "correlation_id": {"internal": 1}, "start_timestamp": 2000, "end_timestamp": 5000,
"dispatch_info": {"agent_id": {"handle": 71}, "queue_id": {"handle": 6}, "kernel_id": 4}, "stream_id": {"handle": 2}}],
"hip_api": [{"kind": 1, "operation": 1, "thread_id": 8, "correlation_id": {"internal": 1}, "start_timestamp": 1000, "end_timestamp": 1500}],
"memory_copy": [{"kind": 1, "operation": 0, "start_timestamp": 6000, "end_timestamp": 6400, "src_agent_id": {"handle": 71}, "bytes": 4096}]}}]}
END

# Parquet of several writers, of every type: those that are small
mkdir -p "$dir/samples"
zstd -dcq tests/data/parquet/samples.tar.zst | tar -xf - -C "$dir/samples"
cp tests/data/parquet/list-of-lists.parquet "$dir/parquet"
find "$dir/samples/rows" "$dir/samples/types" -size -20k -name '*.parquet' -exec cp '{}' "$dir/parquet" ';'
rm -r "$dir/samples"

# Raw logs: the words of each thread's events
zstd -dcq tests/data/tvlog/hand.tvlog.zst >"$dir/tvlog/whole"
perl -0777 -ne 'for my $chunk (0 .. 3) { my $at = 4096 + 65536 * $chunk;
	my ($magic, $thread, $words) = unpack "LLL", substr $_, $at, 12; next if !$magic;
	print substr($_, $at + 24, 8 * $words), "\xff" x 8 }' "$dir/tvlog/whole" >"$dir/tvlog/thin"
rm "$dir/tvlog/whole"
# ... and MPI's: two ranks on hosts whose clocks were compared send each other messages, by MPI_Send and by MPI_Isend with
# MPI_Waitall, and reduce; the last call of rank 1 never ends
perl -e 'my ($send, $receive, $start, $post, $wait, $reduce) = 1 .. 6; my $none = 1 << 63;
	sub event { my ($kind, $code, $time, $text, @arg) = @_; my $tail = defined $text ? $text . "\0" x (8 - length($text) % 8) : "";
		print pack("CCSSSqQ*", $kind, $code, 2 + @arg + length($tail) / 8, 0, 0, $time, @arg), $tail }
	sub call { my ($time, $code, $entries, @arg) = @_; event(100, $code, $time, undef, @arg);
		event(101, 0, $time + 50, undef, $arg[0], @$entries) if defined $entries }
	my @name = ([0, "MPI_Send"], [0, "MPI_Recv"], [1, "MPI_Isend"], [1, "MPI_Irecv"], [3, "MPI_Waitall"], [0, "MPI_Allreduce"]);
	for my $me (0, 1) { my $peer = 1 - $me;
		event(96, $name[$_][0], 0, $name[$_][1], $_ + 1) for 0 .. 5;
		event(96, 5, 0, "MPI_SUM", 3);
		event(97, 0, 1, "job", $me, 2); event(98, 0, 2, "world", 1, $me, 2);
		event(99, 0, 3, undef, 3, 100, 40) if $me;
		call(100, 1, [], $send, 0, 1, $peer, 7, 8);
		call(200, 0, [0xa << 60, $peer << 32 | 7, 8], $receive, 0, 1, $none, $none, 8);
		call(300, 0, [1 << 60 | 11, 0, 0], $start, 0, 1, $peer, 8, 64);
		call(400, 0, [2 << 60 | 12, 0, 0], $post, 0, 1, $peer, 8, 64);
		call(500, 0, [9 << 60 | 11, 1 << 63, 0, 0xa << 60 | 12, $peer << 32 | 8, 64], $wait, 0, 0, $none, $none, 0);
		event(99, 1, 590, undef, 590, 101, 40) if $me;
		call(600, 0, $me ? undef : [], $reduce, 0, 1, $none, $none, 8, 0, $none, 3);
		print "\xfe", "\xff" x 7 if !$me }' >"$dir/tvlog/mpi"
# ... StarPU's: the first events of each thread
zstd -dcq tests/data/tvlog/starpu.tvlog.zst | perl -0777 -ne 'for my $chunk (0 .. 2) { my $at = 4096 + 65536 * $chunk;
	my ($magic, $thread, $words) = unpack "LLL", substr $_, $at, 12; my $n = 0;
	while ($n < $words && $n < 300) { my $size = unpack "S", substr $_, $at + 24 + 8 * $n + 2, 2; last if !$size; $n += $size }
	print substr($_, $at + 24, 8 * $n), "\xff" x 8 }' >"$dir/tvlog/starpu"
# ... and monitors': a machine of two PUs, a monitor of two events on each, CPU time of a thread, three ticks
perl -e 'my $none = ~0;
	sub event { my ($kind, $code, $time, $text, @arg) = @_; my $tail = defined $text ? $text . "\0" x (8 - length($text) % 8) : "";
		print pack("CCSSSqQ*", $kind, $code, 2 + @arg + length($tail) / 8, 0, 0, $time, @arg), $tail }
	event(160, 0, 1, "Machine\0000-1", 0, $none, 0, $none, 0, 0);
	event(160, 0, 1, "PU\000$_", $_ + 1, 0, $_, $_, 1, 0) for 0, 1;
	event(161, 0, 2, "a", 0, 1000, $none);
	event(162, 1, 2, "misses\0events\0perf\0core", 0, 0);
	event(162, 2, 2, "load\0\0proc\0machine", 0, 1);
	event(163, 0, 3, undef, $_, 0, $_ + 1, 0, 2) for 0, 1;
	event(165, 0, 3, "worker", 0, 1, 77, 70, 0);
	for my $tick (1 .. 3) {
		event(164, 0, 1000 * $tick, undef, $_, 900 * $tick, 450 * $tick, 17 * $tick + $_, unpack "Q", pack "d", 0.5) for 0, 1;
		event(164, 1, 1000 * $tick, undef, 0, 900 * $tick, 900 * $tick, 300 * $tick);
		event(166, 0, 1000 * $tick + 5, undef, $tick, 0, 50 * $tick, 40) }' >"$dir/tvlog/monitor"

# Compressed: some of these
for file in csv/cholesky-ws paje/head recutils/tasks fxt/1-0; do
	name=$(basename $file)
	gzip -nc "$dir/$file" >"$dir/compressed/$name.gz"
	zstd -qc "$dir/$file" >"$dir/compressed/$name.zst"
	cp "$dir/$file" "$dir/compressed/$name"
done

# Text: one file for each line
lines() { # TARGET: standard input, where a blank line separates the files
	awk -v out="$dir/$1/text-" 'BEGIN { RS = "" } { printf "%s%s", $0, many ? "\n" : "" >out NR; close(out NR) }' "${2:-many=1}"
}
lines expr many=0 <<'EOF'
Start > 10 and not (Value ~ 'gemm' or Value in (dpotrf, "dtrsm"))

End - Start >= 2ms and Node == 0

ResourceId not in (CPU0, CUDA0) and Duration < 1.5s

Priority * 2 + 1 > GFlop / 3 and DependsOn == 2

Value ~ '^d(gemm|trsm)[0-9]*$' or JobId > 3 and JobId <= 12

((End - Start) / 2 > -Priority * 1.5e3 + 2ms) and 3 <= Start/'End'

Value ~ '^d((g?)+x*){2}' or Value ~ 'd(g??)+++' or Value ~ 'tr???????????????????+++++++'
EOF
lines monitor <<'EOF'
L3_miss_per_cycle{ OBJ:=PU; PERF_LIB:=papi; EVSET:=PAPI_L3_TCM, PAPI_TOT_CYC; EVSET_REDUCE:=$0/$1;
SAMPLES_REDUCE:=MONITOR_SAMPLES_LAST; N_SAMPLES:=128; }

# comment
a{ OBJ:=PU; PERF_LIB:=papi; EVSET:=x, y; EVSET_REDUCE:=$0/$1; SAMPLES_REDUCE:=SAMPLES_LAST; N_SAMPLES:=4;
ACCUMULATE:=1; SILENT:=0; MAX:=1.5e3; MIN:=-2; }
b{ OBJ:=L3; PERF_LIB:=hierarchical; EVSET:=PU; EVSET_REDUCE:=($0+2)*-$1; }

%% comment
miss{ OBJ:=PU:0; EVSET:=cpu/event=0x3c,umask=0/; OUTPUT:=0; DISPLAY:=1; }
sum{ OBJ:=L3; PERF_LIB:=accumulate; EVSET:=miss; WINDOW_REDUCE:=mean; WINDOW:=2; }
both{ PERF_LIB:=hierarchical; EVSET:=sum, miss; REDUCTION:= two=$0+$1, one=('x'-$0)/2; }
var{ PERF_LIB:=join; EVSET:=sum; REDUCTION:=1#hmonitor_evset_var; }
all{ OBJ:=PU; EVSET:=x,y; REDUCTION:=2#hmonitor_events_max; WINDOW:=3; }

A{ OBJ = L3; CTR = PAPI_L3_TCM/PAPI_TOT_CYC; LOGSCALE = 1; MAX = 5000000; MIN = 0; }
B{L2, PAPI_L2_TCM*100}
EOF
"$build/traceviz" plot --print-config data/cholesky-ws.csv | sed '/caption/d; /dump/d; /output/d' >"$dir/config/own"
"$build/traceviz" plot --print-config --panels spacetime,ready --spacetime.outliers no --mark 5=x --width 4 data/cholesky-ws.csv \
	>"$dir/config/set"
lines config <<'EOF'
preset: slide
width: 4
panels: [st, idle-causes]
st:
  outliers: no
  abe: {active: true}
mark:
  - 5=here
  - "10=there"

default:
  base_size: 22
  expand: 0.05
st:
  active: TRUE
  legend: FALSE
  aggregation:
    active: FALSE
  outliers: TRUE
  abe: {active: TRUE, label: TRUE}
ready:
  active: TRUE
  step: 100
  limit: NULL
title: {text: "a"}
EOF
cp data/kernels.csv "$dir/kernels/own"
cp tests/data/platform/*.xml "$dir/platform/"
cp tests/data/platform/topology.xml tests/data/hwloc/*.xml "$dir/hwloc/"
"$build/traceviz" help verbs | while read -r verb; do
	{ echo "$verb"; "$build/traceviz" "$verb" --help | sed -n 's/^ *--\([a-z.-]*\) .*/"\1="/p'; } >"$dir/help"
	head -1 "$dir/help" >"$dir/options/$verb"
	tail -n +2 "$dir/help"
done | sort -u >"$dir/options.dict"
lines options <<'EOF'
plot
mark=12=GPU joins
span=5..9=phase
vlines=1,2,3
highlight=Value ~ 'gemm'
arrow=1:2
task-labels={Value} k,i,j
zoom=5..20,CPU*
panels=st,zoom,ready,idle-causes

plot
facet
panels=st,concurrency,usage
st.chain=all
st.outliers=no
row-order=busy
share-x=no
:CPU1
:CPU0

outliers
where=Start > 3 and Value ~ 'g.*m'
min-group=2
begin=2ms
end=30
only=dgemm

usage
by=Node
step=2
restrict=Node == 0

chain
tasks=outlier
depth=root

compare
fail-if=makespan.ratio > 1.05
EOF
for target in tests/fuzz/fuzz_*.c; do
	target=${target##*/fuzz_}
	target=${target%.c}
	[ "$target" != options ] || continue	# made above, of the help
	case $target in
	config) sed 's/=//' "$dir/options.dict" ;;
	expr) printf '"%s"\n' ' and ' ' or ' not ' in (' '~' '>=' '!=' Start End Value JobId DependsOn ns us ms min \
		"'" '(' ')' Duration ResourceId 'Kind' 'Node' '[' '*' '+' ;;
	monitor) printf '"%s"\n' OBJ := EVSET PERF_LIB REDUCTION WINDOW SILENT hierarchical accumulate join PU L3 Machine '$0' '$1' '#' '%' \
		'{' '}' ';' 1# evset_var events_max samples_last ;;
	paje) printf '"%s"\n' '%EventDef' '%EndEventDef' PajeNewState PajeSetState PajePushState PajePopState PajeStartLink \
		PajeEndLink PajeDefineContainerType PajeCreateContainer PajeDestroyContainer PajeAddVariable date string \
		color double int Alias Time Container Value JobId 1e400 -1 '%%%%' ;;
	dump) printf '"%s"\n' 'Container, ' 'State, ' 'Variable, ' 'Link, ' 'Event, ' 'Nature, ' Parent ResourceId Type Start End Depth Value \
		Origin Dest Key JobId DependsOn Dependent Control mpi_1_2 mpicom_2 'MPI communication' 'Worker State' 1e400 '%%%%' ;;
	recutils) printf '"%s"\n' 'Control:' 'JobId:' 'StartTime:' 'EndTime:' 'DependsOn:' 'WorkerId:' 'MPIRank:' 'Handles:' \
		'Modes:' 'Sizes:' 'Parameters:' 'Tag:' 'SubmitTime:' 'Name:' 'Model:' '+ ' '%rec:' '%%%%' ;;
	dot) printf '"%s"\n' digraph strict graph subgraph node '->' '--' '[' ']' '{' '}' label= Start= End= ResourceId= Kind= Flag= \
		ClockOrigin= DependsOn= '/*' '*/' '//' '\\"' task_1 mpi_0_1 '%%%%' ;;
	csv) printf '"%s"\n' 'JobId' 'DependsOn' '%%%%tasks' '%%%%resources' '%%%%meta' '%%%%links' '%%%%states' '%%%%calls' \
		'%%%%decisions' '%%%%candidates' '%%%%variables' '%%%%events' 'app' 'message' ;;
	csv-paths) printf '"%s"\n' '\"' '\"\"' ',\"' '\",' '\x0d\x0a' '\x0a\"' '\xef\xbb\xbf' ;;
	platform) printf '"%s"\n' "<zone id='q' routing='Floyd'>" "<host id='q' speed='1Gf'/>" "<router id='q'/>" \
		"<link_ctn id='l0'/>" "<prop id='kind' value='cache'/>" "</zone>" "<object type='Core'/>" "</object>" SPLITDUPLEX FATPIPE \
		Dijkstra Cluster symmetrical gw_src gw_dst radical GBps ns "<!ENTITY" NUMANode Package L3Cache ;;
	hwloc) printf '"%s"\n' '<object type="Core" os_index="1" cpuset="0x00000003">' '<object type="L1Cache" cache_type="1">' '</object>' \
		'cpuset="0xff,,0x1"' 'name="HostName" value="a"' local_memory MemCache Bridge NUMANode PU ;;
	mpip) printf '"%s"\n' '@ mpiP' '@--- MPI Time (seconds)' '@--- Callsites: ' '@--- Callsite Time statistics (all, milliseconds): ' \
		'@--- Callsite Message Sent statistics (all, sent bytes)' 'Task' 'AppTime' 'MPITime' 'Isend' 'Waitall' '*' 'NaN' '[unknown]' ;;
	chrome) printf '"%s"\n' '{\"traceEvents\":[' '\"ph\":\"X\"' '\"ph\":\"B\"' '\"ph\":\"E\"' '\"ph\":\"s\"' '\"ph\":\"f\"' '\"ph\":\"b\"' \
		'\"ph\":\"C\"' '\"ph\":\"M\"' '\"ts\":' '\"dur\":' '\"id2\":{\"local\":' '\"args\":{' '\"Parent GUID\":[' '\"GUID\":' '\"cat\":\"kernel\"' \
		'\"correlation\":' NaN -Infinity '\"baseTimeNanoseconds\":' '\"producer\":\"traceviz\"' '\"otherData\":{' ;;
	sqlite) printf '"%s"\n' CUPTI_ACTIVITY_KIND_KERNEL StringIds globalPid correlationId start end rocpd_kernel_dispatch Start_ns DERIVED 'CREATE TABLE' 'SQLite format 3' ;;
	rocprof) printf '"%s"\n' '\"buffer_records\":{' '\"kernel_dispatch\":[' '\"start_timestamp\":' '\"correlation_id\":{\"internal\":' \
		'\"kernel_symbols\":[' '\"operations\":[' '\"stream_id\":{\"handle\":' '\"marker_api\":' '9223372036854775807' ;;
	parquet) printf '"%s"\n' PAR1 ResourceId Value Start End JobId DependsOn Note '\x15\x00' '\x15\x06\x15' '\x2c\x15' '\xff\xff\xff\xff\x0f' \
		'\x80\x01\x04' '\x03\x00\x00\x00' '\x28\xb5\x2f\xfd' '\x1f\x8b\x08' ;;
	table) printf '"%s"\n' ResourceId= Value= Start= End= Duration= JobId= DependsOn= _us ' (s)' '[ns]' ';' '\x09' '\"\"' '#' '/1000' "'w'" ;;
	paraver) printf '"%s"\n' '#Paraver (1/1/26 at 1:00):9_ns:1(2):1:2(1:1,1:1),2' '1:1:1:1:1:' '2:1:1:1:1:' '3:1:1:1:1:1:1:1:1:2:1:' ':50000001:' \
		':50100004:' ':60000023:' ':60000028:' ':42000050:' EVENT_TYPE VALUES STATES STATES_COLOR 'LEVEL THREAD SIZE ' 18446744073709551615 ;;
	otf2) printf '"%s"\n' '\xff' '\xff\xff' '\x01\x00\x00' '\xe0' '\xe1\xe2' ;;
	hmon) printf '"%s"\n' 'PU:0 ' 'L3Cache:1 ' 'Obj ' 'Nanoseconds' '%EventDef' Node_val Node_container '1 5 L3 0 x 0' nan 1e400 ;;
	nbc) printf '"%s"\n' '# OSU MPI Non-blocking' 'Overall(us)' 'Compute(us)' 'Pure Comm.(us)' 'Overlap(%)' '#bytes' '#repetitions' \
		't_ovrl[usec]' 't_pure[usec]' 't_CPU[usec]' 'overlap[%]' '# Benchmarking Ibcast' 'nan' '-' ;;
	tvlog) printf '"%s"\n' '\xff\xff\xff\xff\xff\xff\xff\xff' '\xfe\xff\xff\xff\xff\xff\xff\xff' '\x60\x01' '\x61' '\x62' '\x63' '\x64' \
		'\x64\x01' '\x65' '\x83' '\x87' '\x8b' '\x8c' '\xa0' '\xa3' '\xa4' '\xa6' '\x00\x00\x00\x00\x00\x00\x00\x80' 'world' 'MPI_Waitall' ;;
	*) printf '"%s"\n' CPU0 gemm ',app,' '%%%%rank' ;;
	esac >"$dir/$target.dict"
done
rm -rf "$dir/run" "$dir/help" "$dir/trace" "$dir/rec" "$dir/comms" "$dir/graph" "$dir/some.csv" "$dir/own.dot"
