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
	skip "$1" "the shared data are not here (TRACEVIZ_SHARED names their folder)"
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
