#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unread.t: tables that a command does not read are not filled; the same results as with all tables
. "$(dirname "$0")/lib.sh"
plan 44

# Nothing is left out with --strict, nor with an explicit --zero.
clean="fxt/1.2.11 fxt/cholesky-12-dmdas"
repaired="fxt/1.4.12 paje-2ranks/paje.trace.zst paje/head.trace"
own='plot|convert|record|diagnose|compare|simulate|generate|platform|precision|help|series|list'
verbs=$(traceviz help verbs | grep -vxE "$own")

# options VERB: those of the example in its help, which may have a positional one
options() {
	traceviz "$1" --help | sed -n "s/^  traceviz \([a-z-]* \)\{0,1\}$1 //p" | head -1 | sed 's#data/[a-z0-9./-]*##; s/ *| .*//'
}
# all TRACE ALL: every verb, as it is and as in its example; ALL makes it read all tables
all() {
	for verb in $verbs; do
		echo "$verb:"; traceviz "$verb" "$1" $2 2>&1; echo "status $?"
		eval "set -- \"\$1\" \"\$2\" $(options "$verb")"
		trace=$1 everything=$2; shift 2
		# shellcheck disable=SC2086 # no or one option
		[ $# -eq 0 ] || { traceviz "$verb" "$@" "$trace" $everything 2>&1; echo "status $?"; }
		set -- "$trace" "$everything"
	done
}
# same TRACE ALL
same() {
	all "$1" "" >part
	all "$1" "$2" >whole
	ok "every verb on $1 as with $2" diff part whole
}
for sample in $clean; do same "$TESTDATA/$sample" --strict; done
for sample in $repaired; do same "$TESTDATA/$sample" "--zero first-task"; done
same "$DATA/cholesky-paje/paje.trace.zst" --strict
is "$(grep -c '^[a-z-]*:$' part) $(($(grep -c '^status 0' part) > 40))" "$(echo "$verbs" | wc -l) 1" "all of them, most with a result"

# Selections name what is in such tables
for options in "--only Fetching*" "--exclude Sleeping" "--resource MEM*" "--node 7" "--only Wait*,Idle" "--restrict Node==0" "--kind setup"; do
	for verb in bounds idleness summary; do
		for all in "" --strict; do
			# shellcheck disable=SC2086 # no or one option
			traceviz $verb $options "$DATA/cholesky-paje/paje.trace.zst" $all 2>&1
		done | awk '{ line[NR] = $0 } END { for (i = 1; i <= NR / 2; i++) if (line[i] != line[i + NR / 2]) print line[i] }'
	done
done >differ
is "$(cat differ)" "" "selections"

# figure FILE TRACE ALL [OPTIONS]: the picture, without the command in it, and messages
figure() {
	picture=$1 trace=$2 all=$3; shift 3
	# shellcheck disable=SC2086 # no or one option
	traceviz "$trace" $all -o f.svg "$@" >"$picture" 2>&1
	echo "status $?" >>"$picture"
	[ ! -e f.svg ] || sed 's#<desc>.*</desc>##' f.svg >>"$picture"
	rm -f f.svg
}
# pictures NAME TRACE ALL [OPTIONS]
pictures() {
	name=$1 trace=$2 all=$3; shift 3
	figure part "$trace" "" "$@"
	figure whole "$trace" "$all" "$@"
	[ ! -e drawn ] || cat part >>drawn
	cmp part whole || echo "$name"
}
panels=$(traceviz help panels | awk '/^  [a-z]/ { print $1 }')
for sample in fxt/cholesky-12-dmdas fxt/1.4.12 paje-2ranks/paje.trace.zst; do
	rm -f drawn; : >drawn
	for panel in $panels; do
		pictures "$panel" "$TESTDATA/$sample" "--zero first-task" --panels "$panel"
	done >differ
	is "$(cat differ)" "" "each panel on $sample"
	is "$(($(grep -c '^status 0' drawn) > 12))" 1 "many are drawn"
done
paje=$DATA/cholesky-paje/paje.trace.zst dmdas=$TESTDATA/fxt/cholesky-12-dmdas
for trace in "$paje" "$dmdas" "$TESTDATA/fxt/1.2.11" "$TESTDATA/fxt/cholesky-12-2ranks"; do
	is "$(pictures "" "$trace" --strict)" "" "the report on $trace"
	is "$(pictures "" "$trace" --strict --panels spacetime,ready,abe)" "" "some panels"
	is "$(pictures "" "$trace" --strict --panels spacetime --begin 10 --end 60)" "" "a window"
done
ranks="$TESTDATA/fxt/cholesky-12-2ranks/prof_file_0.zst $TESTDATA/fxt/cholesky-12-2ranks/prof_file_1.zst"
# shellcheck disable=SC2086 # two files
is "$(traceviz transfers $ranks 2>&1 | cksum)" "$(traceviz transfers $ranks --strict 2>&1 | cksum)" "files of ranks"
is "$(pictures "" "$TESTDATA/paje/head.trace" --strict)" "" "the report on a trace without tasks"
for options in "--spacetime.idleness runtime" "--spacetime.observed both" "--spacetime.mpi yes" "--ready.counter" "--submitted.counter" \
	"--highlight type:POTRF" "--zoom 10..20" "--kind runtime" "--only Sleeping" "--where Duration>1" "--restrict Start<100"; do
	# shellcheck disable=SC2086 # an option and its value
	is "$(for trace in "$paje" "$dmdas"; do pictures "" "$trace" --strict $options; done)" "" "$options"
done
# A selection that nothing fits is refused by its pattern.
printf 'ResourceId,Value,Start,End,Device,Node\nC0,a,0,1,D0,0\nC1,a,0,1,D0,0\n' >streams.csv
run traceviz streams.csv --panels spacetime --node 9 -o none.svg
like "$rc $(cat stderr)" "1 *--node '9': none fits, expected one of 0*no task matches the selection" "a selection that nothing fits, by the names of its options"
# A PNG without the command in it
untold() { perl -0777 -ne 'for ($at = 8; $at < length; $at += $n + 12) { ($n, $of) = unpack "x$at N a4", $_; print substr $_, $at, $n + 12 if $of !~ /^(tEXt|zTXt|iTXt)$/ }' "$1"; }
for trace in "$paje" "$dmdas"; do
	for all in "" --strict; do
		# shellcheck disable=SC2086 # no or one option
		traceviz -q "$trace" $all -o "shapes$all.csv" && traceviz -q "$trace" $all -o "picture$all.png"
		untold "picture$all.png" >"pixels$all"
	done
	ok "all shapes" cmp shapes.csv shapes--strict.csv
	ok "all pixels of $(wc -c <pixels) bytes" cmp pixels pixels--strict
done
