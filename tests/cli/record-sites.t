#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-sites.t: code addresses of a log get their function, file and line, whatever compiled the program.
# needs perl objcopy strip readelf
. "$(dirname "$0")/lib.sh"
plan 25

bin=${TRACEVIZ_BIN:-$ROOT/build}
has_libdw || { skip 24 "built without libdw"; exit 0; }
cp "$ROOT/tests/record/marks.c" "$ROOT/tests/record/plug.c" "$ROOT/tests/record/constructs.c" .
${CC:-cc} -D_GNU_SOURCE -I"$ROOT" -o dump_log "$ROOT/tests/record/dump_log.c" || exit 1
# compile COMPILER OPTIONS...: ./marks
compile() { "$@" -D_GNU_SOURCE -I"$ROOT" -o marks marks.c -L"$bin/record" -ltraceviz-record -Wl,-rpath,"$bin/record" -ldl; }
# sites PROGRAM ARGS...: FUNCTION@FILE:LINE of each site of its log
sites() {
	traceviz record -q -f -o run -- "$@" >output || { echo "exit status $?"; return; }
	./dump_log run/*.tvlog 2>/dev/null | perl -ne 'print "$2\@$3:", hex $1, "\n" if / SITE .* ([0-9a-f]+) ".*\|(.*)\|(.*)"$/' | sort
}
# expected FILE: the same from its comments
expected() { perl -ne 'print "$1\@$ARGV:$.\n" if m{/\* here: (\w+) \*/}; close ARGV if eof' "$@" | sort; }

expected marks.c >want
for cc in gcc clang; do
	if ! command -v $cc >/dev/null; then skip 5 "no $cc"; continue; fi
	for options in "-O0 -g" "-O2 -g" "-O2 -g -no-pie -fno-pie" "-O3 -gdwarf-4" "-O1 -g -gz"; do
		# shellcheck disable=SC2086
		compile $cc $options
		is "$(sites ./marks)" "$(cat want)" "$cc $options"
	done
done
cc=${CC:-cc}
compile "$cc" -O1
is "$(sites ./marks)" "" "nothing without debug data"
compile "$cc" -O1 -g
objcopy --only-keep-debug marks apart.dbg
strip marks
is "$(sites ./marks)" "" "nor in a stripped program"
objcopy --add-gnu-debuglink=apart.dbg marks
is "$(sites ./marks)" "$(cat want)" "debug data in a file of their own"
mkdir -p src/deep
cp marks.c src/deep/
(cd src && $cc -g -D_GNU_SOURCE -I"$ROOT" -o ../marks deep/marks.c -L"$bin/record" -ltraceviz-record -Wl,-rpath,"$bin/record" -ldl)
is "$(sites ./marks | head -1)" "$(sed -n '1s,@,@deep/,p' want)" "the file as it was given to the compiler"
$cc -g -D_GNU_SOURCE -I"$ROOT" -o marks "$PWD/src/deep/marks.c" -L"$bin/record" -ltraceviz-record -Wl,-rpath,"$bin/record" -ldl
is "$(sites ./marks | head -1)" "$(sed -n "1s,@.*:,@src/deep/marks.c:,p" want)" "relative to the folder of the compilation"

# libraries that take each other's place
compile "$cc" -O1 -g
for name in alpha_plug gamma_plug; do
	sed "s/NAME/$name/g" plug.c >$name.c
	"$cc" -O1 -g -shared -fPIC -o $name.so $name.c
	expected $name.c >>want
done
sort -o want want
is "$(sites ./marks ./alpha_plug.so ./gamma_plug.so ./alpha_plug.so)" "$(cat want)" "libraries that are loaded and unloaded"
like "$(./dump_log run/*.tvlog | grep -c 'MODULE.*_plug.so')" "[23]" "each time in the log"

# damage
compile "$cc" -O1 -g
cp marks whole
seed 5
failed=
for n in $(seq 1 25); do
	perl -e 'my ($n) = @ARGV; srand 5 * 1000 + $n; local $/;
		my @part = grep { $_->[1] } map { /\] \.debug_\w+\s+\w+\s+\w+\s+(\w+)\s+(\w+)/ ? [hex $1, hex $2] : () }
			split /\n/, qx(readelf -SW whole);
		open F, "<", "whole"; my $bytes = <F>;
		for (1 .. 30) { my $p = $part[rand @part]; substr($bytes, $p->[0] + int rand $p->[1], 1) = chr rand 256 }
		open G, ">", "marks"; print G $bytes; close G' "$n"
	timeout 60 traceviz record -q -f -o run -- ./marks 2>err || failed="$failed $n:$?"
	[ "$(./dump_log run/*.tvlog | grep -c CREATE)" -eq 3 ] || failed="$failed $n"
done
is "$failed" "" "damaged debug data leave the recording as it is"

# OpenMP
expected constructs.c >want
if [ -f "$bin/record/libtraceviz-openmp.so" ] && clang -O0 -g -fopenmp -o constructs constructs.c 2>/dev/null; then
	is "$(sites ./constructs | grep -xF -f want)" "$(cat want)" "outlined functions of clang -O0 -fopenmp"
	clang -O2 -g -fopenmp -o constructs constructs.c
	is "$(sites ./constructs | grep -xF -f want)" "$(cat want)" "of clang -O2"
	is "$(sites ./constructs | grep '\.omp\|constructs.c:0')" "" "no name of an outlined function is left"
	libomp=$(ldd ./constructs | sed -n 's/.*=> \(.*libomp.*\) (.*/\1/p')
	gcc -O0 -g -fopenmp -o constructs constructs.c
	export LD_PRELOAD="$libomp"
	is "$(sites ./constructs | grep -xF -f want)" "$(cat want)" "of gcc -O0, with LLVM's runtime"
	gcc -O2 -g -fopenmp -o constructs constructs.c
	is "$(sites ./constructs | sed -n 's/@constructs.c:.*//p' | sort -u)" "$(sed 's/@.*//' want | sort -u)" "of gcc -O2"
	# The first row of an outlined function may be that of the code around its construct.
	cat >sort.c <<'EOF2'
#include <stdlib.h>

static int *v;

static void leaf(int lo, int hi)
{
	for (int i = lo; i < hi; i++)
		v[i] ^= v[i] >> 3;
}

static void sort(int lo, int hi, int depth)
{
	int middle = lo + (hi - lo) / 8 * 7;

	if (depth == 0) {
		leaf(lo, hi);
		return;
	}
#pragma omp task
	sort(lo, middle, 0);
#pragma omp task
	sort(middle, hi, depth - 1);
#pragma omp taskwait
}

int main(void)
{
	v = calloc(4096, sizeof *v);
#pragma omp parallel
#pragma omp single
	sort(0, 4096, 4);
	return v[0];
}
EOF2
	gcc -O2 -g -fopenmp -o sort sort.c
	is "$(traceviz record -q -f -o run -- ./sort >log 2>&1; traceviz summary -q --csv run | cut -d, -f1,3 | tr '\n' ' ')" "Value,Tasks sort@sort.c:19,4 sort@sort.c:21,4 " \
		"tasks of gcc -O2"
	unset LD_PRELOAD
else
	skip 6 "no OpenMP of clang, or no probe of it"
fi
is "$(sites /bin/true)" "" "a program without a log"
