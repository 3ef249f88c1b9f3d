# shellcheck shell=sh disable=SC2034 # scripts that include this file use its variables
# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh -- TAP for command line tests. Each runs in an empty folder of its own with `traceviz` on PATH.
#   plan N             how many checks follow
#   run CMD...         runs it: $rc, files ./stdout and ./stderr
#   is GOT WANT NAME   ok NAME       like GOT PATTERN NAME   (a shell pattern)
#   ok NAME CMD...     ok if the command succeeds
#   skip N WHY         the next N checks cannot run here
#   columns FILE A,B   these columns of a CSV (-: of standard input), blanks between; a missing one is empty
#   $by_name           begins a program of `awk -F,` for a CSV: its column Start is $c["Start"]
#   seed N             $seed of the random input that follows, printed
#   has_libdw          whether recorded places get names
#   round_trips ENDING OPTIONS   checks that 13 samples, converted with OPTIONS, are the same tables when they are read again
#   results FOLDER OPTIONS   what verbs and panels give of the trace FOLDER/run, as files of FOLDER
#   need_shared N      skips N checks and ends unless the shared data are there
set -u
export LC_ALL=C
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
DATA=$ROOT/data
TESTDATA=$ROOT/tests/data
SHARED=${TRACEVIZ_SHARED:-$ROOT/../shared}
[ -d "$SHARED/data" ] || SHARED=
PATH=${TRACEVIZ_BIN:-$ROOT/build}:$PATH
export PATH
SANDBOX=$(mktemp -d "${TMPDIR:-/tmp}/traceviz-test.XXXXXX") || exit 1
trap 'rm -rf "$SANDBOX"' EXIT
trap 'exit 1' HUP INT TERM
cd "$SANDBOX" || exit 1
count=0

plan() { echo "1..$1"; }
run() {
	"$@" >stdout 2>stderr </dev/null
	rc=$?
}
result() { # STATUS NAME
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
has_libdw() { ldd "$(command -v traceviz)" | grep -q libdw; }
seed() { seed=$1; echo "# seed $1"; }
diag() { printf '%s\n' "$*" | sed 's/^/# /'; }
is() {
	if [ "$1" = "$2" ]; then result 0 "$3"; else
		result 1 "$3"
		diag "got:  $1"
		diag "want: $2"
	fi
}
like() {
	# shellcheck disable=SC2254 # $2 is a pattern
	case $1 in
	$2) result 0 "$3" ;;
	*)
		result 1 "$3"
		diag "got:  $1"
		diag "want: $2"
		;;
	esac
}
ok() {
	name=$1; shift
	if "$@" >ok.out 2>&1; then result 0 "$name"; else
		result 1 "$name"
		head -20 ok.out | sed 's/^/# /'
	fi
}
skip() {
	n=$1; shift
	while [ "$n" -gt 0 ]; do
		count=$((count + 1))
		echo "ok $count # SKIP $*"
		n=$((n - 1))
	done
}
need_shared() {
	[ -n "$SHARED" ] && return
	skip "$1" "its traces are not in this repository (TRACEVIZ_SHARED names their folder)"
	exit 0
}
by_name='NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }'
columns() {
	awk -F, -v want="$2" "$by_name"'{ n = split(want, w, ","); line = ""
		for (i = 1; i <= n; i++) line = line (w[i] in c ? $c[w[i]] : "") " "
		sub(/ +$/, "", line); print line }' "$1"
}
# golden NAME FILE: a file that StarPU's converter made of a sample, committed or shared, to standard output
golden() {
	golden_folder=$TESTDATA/golden
	[ -d "$golden_folder/$1" ] || golden_folder=$SHARED/golden
	zstd -qdc "$golden_folder/$1/$2.zst"
}
# Builds tests/cli/NAME.c as ./NAME.so; then `with_fault CALL PATH AT DOES CMD...` runs CMD with it.
preload() {
	${CC:-cc} -D_GNU_SOURCE -shared -fPIC -O1 -o "$1.so" "$ROOT/tests/cli/$1.c" -ldl
}
with_fault() {
	what="FAULT_CALL=$1 FAULT_PATH=$2 FAULT_AT=$3"
	does=$4; shift 4
	# shellcheck disable=SC2086
	env $what FAULT_DOES="$does" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0:handle_segv=0:detect_leaks=0" \
		LD_PRELOAD="$PWD/fault.so" "$@"
}

# The help of all panels.
help_panels() { for panel in $(traceviz help panels | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do traceviz help "panel:$panel"; done; }

round_trips() {
	ending=$1; shift
	for name in cholesky.csv cholesky-2nodes cholesky-decisions cholesky-dmda.csv cholesky-dmdas.csv cholesky-paje cholesky-ws.csv e5-2650 mpi-halo \
		mpi-overlap mpi-steps placement qr-mumps-like.csv; do
		rm -rf direct back "one$ending" "two$ending"
		traceviz convert -q "$DATA/$name" -o direct
		for copy in one two; do traceviz convert -q "$@" "$DATA/$name" -o "$copy$ending"; done
		traceviz convert -q "one$ending" -o back
		# SQLite has no negative zero.
		[ "$ending" != .sqlite ] || sed -i 's/,-0$/,0/' direct/*.csv
		is "$(diff -r "one$ending" "two$ending" 2>&1; diff -r direct back 2>&1 | head)" "" "$name: the same tables, the same bytes"
	done
}

# Verbs that add columns keep the order of rows: sorted.
results() {
	own='plot|convert|record|diagnose|compare|simulate|generate|platform|precision|help|series|list|info'
	cd "$1" || exit 1
	shift
	for verb in $(traceviz help verbs | grep -vxE "$own"); do
		traceviz "$verb" "$@" --csv -q run >out 2>messages </dev/null; echo "status $?" >>out
		case $(head -1 out) in
		ResourceId,Value,Start,End,*) head -1 out; sort out ;;
		*) cat out ;;
		esac >"of-$verb"
	done
	traceviz info "$@" --csv -q run 2>messages | sort >of-info
	traceviz diagnose "$@" run >of-diagnose 2>messages
	mkdir csv svg
	for panel in $(traceviz help panels | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'); do
		for format in csv svg; do
			traceviz run -q "$@" --panels "$panel" -o "$format/$panel.$format" 2>messages
		done
	done
	rm -f out messages
	cd ..
}
