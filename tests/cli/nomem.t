#!/bin/sh
# nomem.t: a library without memory: no damaged output, no temporary file
. "$(dirname "$0")/lib.sh"; plan 28
if grep -qE "__asan_init|__gcov_init" "$(command -v traceviz)"; then
	skip 27 "the sanitizers have their own malloc, and coverage allocates at exit"
	exit 0
fi
ok "the fault library builds" preload nomem
head -100 "$DATA/cholesky-ws.csv" >run.csv
mkdir out

without() { # LIBRARY AT CMD...
	nth=$2; from=$1; shift 2
	rm -rf out; mkdir out
	NOMEM_IN=$from NOMEM_AT=$nth NOMEM_OUT=count LD_PRELOAD="$PWD/nomem.so" "$@" >stdout 2>stderr </dev/null
}
# Whether a PNG differs from the good one in eight pixels at most: without memory cairo computes edges of polygons in another way.
nearly() {
	[ "$1" = png ] && differ=$(perl "$ROOT/tests/cli/pixels.pl" --differ out/f.png good.png) && [ "$differ" -le 8 ]
}
# Fails allocation FIRST (from the end if negative), FIRST + STEP, ... of a library while a figure is drawn: with --ready.lack once, while else
# what fails is tried again with all columns.
sweep() { # LIBRARY KIND FIRST STEP: sets failed, crashed and bad
	library=$1 kind=$2 at=$3 step=$4
	failed=0 crashed=0 bad=
	traceviz run.csv -q --ready.lack -o "good.$kind"
	without "$library" 0 traceviz run.csv -q --ready.lack -o "out/f.$kind"
	n=$(cat count)
	[ "$at" -gt 0 ] || at=$((n + at + 1))
	[ "$at" -gt 0 ] || at=1
	while [ "$at" -le "$n" ]; do
		without "$library" "$at" traceviz run.csv -q --ready.lack -o "out/f.$kind" 2>/dev/null
		status=$?
		case $status in
		0) cmp -s "out/f.$kind" "good.$kind" || nearly "$kind" || bad="$bad $at:other" ;;
		1) failed=$((failed + 1)); [ -z "$(ls -A out)" ] || bad="$bad $at:file" ;;
		# A PNG that fails may jump into a frame that cairo has left: then anything may follow.
		134 | 139) crashed=$((crashed + 1))
			[ "$kind" = png ] || [ -z "$(ls -A out)" ] || bad="$bad $at:left" ;;
		*) bad="$bad $at:$status" ;;
		esac
		at=$((at + step))
	done
	diag "$library, $kind: $n allocations, $failed of those tried are failures, $crashed crashes in libraries"
}
sweep libcairo pdf -240 9
is "$bad" "" "cairo ends a PDF: whole or a failure"
ok "some of them fail" test "$failed" -gt 10
sweep libcairo png 1 97
is "$bad" "" "cairo draws a PNG"
sweep libpng png 1 1
is "$bad" "" "libpng writes it"
sweep libcairo svg 1 97
is "$bad" "" "cairo measures text and compresses images of an SVG"
sweep libharfbuzz-subset svg 3 29
is "$bad" "" "HarfBuzz cuts its font: whole or a failure"
sweep libfontconfig svg 5 101
is "$bad" "" "fontconfig: no temporary file, even where it crashes"

# Our own allocations: each that fails is one message, status 1, and nothing written; or it has no effect. Every
# STEPth of them, the first by a fixed offset; all of them with TRACEVIZ_EVERY_ALLOCATION=1 (minutes).
own() { # STEP CMD...: writes to standard output and below out/
	step=$1 at=$((step / 2 + 1)) tried=0 bad=; shift
	[ -z "${TRACEVIZ_EVERY_ALLOCATION-}" ] || step=1 at=1
	without traceviz 0 "$@"
	is "$? $(cat stderr)" "0 " "$*: with memory"
	n=$(cat count)
	rm -rf good; mkdir good; mv stdout out good/
	while [ "$at" -le "$n" ]; do
		without traceviz "$at" "$@"
		case $? in
		0) cmp -s stdout good/stdout && diff -r out good/out >/dev/null || bad="$bad $at:other" ;;
		1) [ -z "$(ls -A out)" ] && [ ! -s stdout ] || bad="$bad $at:written"
			[ "$(wc -l <stderr)" -eq 1 ] && grep -q '^traceviz: .*memory' stderr || bad="$bad $at:$(tr '\n' '|' <stderr)" ;;
		*) bad="$bad $at:status" ;;
		esac
		tried=$((tried + 1)) at=$((at + step))
	done
	is "$bad" "" "$*: $tried of $n allocations fail"
}
head -40 "$DATA/cholesky-ws.csv" >a.csv
head -40 "$DATA/cholesky-dmda.csv" >b.csv
own 37 traceviz convert -q "$TESTDATA/fxt/1.4.12" -o out/csv
own 31 traceviz convert -q a.csv -o out/tasks.csv
for kind in pdf svg png; do own 61 traceviz a.csv -q -o "out/f.$kind"; done
own 29 traceviz bounds -q a.csv
own 67 traceviz compare -q a.csv b.csv

# GLPK: an allocation that fails is a failure, no abort
bad= at=1
while [ "$at" -le 8 ]; do
	without libglpk "$at" traceviz bounds run.csv
	status=$?
	case $status in 0 | 1) ;; *) bad="$bad $at:$status" ;; esac
	at=$((at + 1))
done
is "$bad" "" "GLPK"

# pixels count
run traceviz "$DATA/cholesky.csv" -q --dpi 1200 --max-memory 100M -o big.png
like "$rc $(cat stderr)" "1 *8592 x * pixels need * MB of memory*--dpi*" "an image above --max-memory is refused"
ok "no file" test ! -e big.png
run traceviz run.csv -q --dpi 72 --max-memory 100M -o small.png
is "$rc" 0 "one below is drawn"
need=$(traceviz "$DATA/cholesky.csv" -q --dpi 600 --max-memory 20M -o big.png 2>&1 | sed -n 's/.*pixels need \([0-9]*\) MB.*/\1/p')
run traceviz "$DATA/cholesky.csv" -q --dpi 600 --max-memory "$((need + 1))M" -o big.png
like "$rc $(cat stderr)" "1 *pixels need*" "what is in use counts beside the image"
run traceviz "$DATA/cholesky.csv" -q --dpi 600 --max-memory "$((need + 20))M" -o big.png
is "$rc" 0 "with memory for both it is drawn"
