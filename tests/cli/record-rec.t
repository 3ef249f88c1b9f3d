#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-rec.t: records of a recorded program have TiKKi's fields, and read back they are the same graph
. "$(dirname "$0")/lib.sh"
plan 5
bin=${TRACEVIZ_BIN:-$ROOT/build}
program=$bin/examples/clang/cholesky
[ -x "$program" ] && [ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 5 "no OpenMP probe or no tiled programs of clang (make examples)"; exit 0; }
# On a busy machine one thread may run all tasks; the other has a row in the tables and none in records. Again, then.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	OMP_NUM_THREADS=2 run traceviz record -q -f --openmp -o run -- "$program" -t 4 -b 16
	traceviz convert -q run -o tables
	if [ "$rc" -ne 0 ] || ! grep -q ',worker,' tables/tasks.csv; then break; fi
	diag "recording $i: a thread ran no task"
done
is "$rc" 0 "recorded"
traceviz convert -q run --to rec -o records
is "$(grep -c '^JobId: ' records/1.rec) $(grep -c '^NumaNode' records/1.rec) $(grep '^MemoryNode: ' records/1.rec | sort -u | tr '\n' ' ')" \
	"20 0 $(perl -e 'open(T, "tables/tasks.csv"); chomp($_ = <T>); @h = split /,/; @at{@h} = 0 .. $#h; while (<T>) { chomp; @f = split /,/; $n{$f[$at{NumaNode}]} = 1 } print map "MemoryNode: $_ ", sort keys %n')" \
	"the NUMA node is TiKKi's memory node"
# Addresses of the tiles, as the table of handles has them for the names h0, h1, ...
perl -e 'open(H, "tables/handles.csv"); chomp($_ = <H>); @h = split /,/; @at{@h} = 0 .. $#h; while (<H>) { chomp; @f = split /,/; $a{$f[$at{Handle}]} = $f[$at{Address}] }
	open(T, "tables/tasks.csv"); chomp($_ = <T>); @h = split /,/; @at{@h} = 0 .. $#h;
	while (<T>) { chomp; @f = split /,/; print "$f[$at{JobId}] ", join(" ", map $a{$_}, split / /, $f[$at{Handles}]), "\n" if $f[$at{Kind}] eq "app" }' | sort >want
awk '/^JobId: / { job = $2 } /^Handles: / { sub(/^Handles: /, ""); print job, $0 }' records/1.rec | sort >got
ok "addresses of the data" cmp got want
is "$(grep -c ' 0x' got)" 20 "in each record"
is "$(for verb in bounds critical-path deps; do traceviz $verb -q --csv records | cut -d, -f1-5; done | cksum)" \
	"$(for verb in bounds critical-path deps; do traceviz $verb -q --csv run | grep -v cpu-time | cut -d, -f1-5; done | cksum)" "the same bounds, critical path and dependencies, without the time of processors, for which TiKKi has no field"
