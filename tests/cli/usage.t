#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usage.t: help, version, wrong usage; every verb has help and a man page
. "$(dirname "$0")/lib.sh"
verbs=$(traceviz help verbs)
nverbs=$(echo "$verbs" | wc -l)
plan $((67 + 5 * nverbs))

run traceviz --help
is "$rc" 0 "--help succeeds"
is "$(cat stderr)" "" "--help goes to stdout"
like "$(cat stdout)" "*plot*convert*info*bounds*idleness*outliers*" "--help lists the verbs"
version=$(sed -n 's/^#define TV_VERSION "\(.*\)"/\1/p' "$ROOT/cli/cli.h")
run traceviz --version
is "$rc $(sed -n 1p stdout)" "0 traceviz $version" "--version"
like "$(sed 1d stdout)" "formats: csv*fxt*paje*recutils tvlog dot mpip nbc hmon hwloc*
media: pdf svg png html csv
built with: *" "--version lists what is built in"
traceviz --help >first
is "$(wc -l <first) $(awk 'length > 104' first)" "24 " "--help fits a screen"
traceviz help all >all
listed=$(sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' all)
ok "help all has at most 45 verbs" [ "$(echo "$listed" | wc -l)" -le 45 ]
is "$(echo "$listed" | sort | uniq -d)" "" "each once"
is "$(for verb in $listed; do [ "$verb" = help ] || grep -q "^  [a-z].* $verb\( \|$\)" first || echo "$verb"; done)" "" "and in --help"
is "$(echo "$verbs" | sort | uniq -d)" "" "help verbs lists each verb once"
# Parts of questions: listed there, the same by both names.
for verb in $verbs; do traceviz help "$verb" | sed -n "s/^traceviz \([a-z-]* $verb\) .*/\1/p"; done >parts
is "$({ echo "$listed"; awk '{ print $2 }' parts; } | sort -u | cmp - "$(echo "$verbs" | sort >verbs; echo verbs)")" "" "each verb is listed, or is a part"
while read -r question part; do
	traceviz help "$question" | grep -q "^  $part  " || echo "$part: not in help $question"
	[ "$(traceviz help "$question" "$part")" = "$(traceviz help "$part")" ] || echo "$part: another help"
	for sample in data/cholesky-2nodes data/mpi-halo; do
		(cd "$ROOT" && traceviz "$question" "$part" -q --csv $sample 2>&1) >two
		(cd "$ROOT" && traceviz "$part" -q --csv $sample 2>&1) >one
		cmp -s one two || echo "$question $part: not as $part"
	done
done <parts >differences
is "$(cat differences)" "" "QUESTION PART is PART"
run traceviz series redy
is "$rc $(cut -c1-58 stderr)" "2 traceviz: series 'redy' (did you mean 'ready'?), expected " "a series that is none"
for word in input where formats figure panels panel:ready tables glossary map policies notes:bounds traces mpi; do
	traceviz help $word >page || echo "$word fails"
	[ -s page ] || echo "$word is empty"
	[ "$(awk 'length > 130' page)" = "" ] || echo "$word is wide"
done >differences
is "$(cat differences)" "" "pages of help"
# Words that answers and tables use: findings, causes of idle time and what they are blamed on, losses, the glossary.
{
	traceviz help --json | grep -o '"findings":.*' | grep -o '"name":"[^"]*"' | cut -d'"' -f4
	sed -n 's/^\tCAUSE([A-Z_]*, "\([^"]*\)".*/\1/p' "$ROOT/dag/idle.h"
	sed -n 's/^\tBLAME([A-Z_]*, "\([^"]*\)".*/\1/p' "$ROOT/dag/blame.h"
	sed -n 's/^\tRUNG([A-Z_]*, "\([^"]*\)".*/\1/p' "$ROOT/analysis/efficiency/ladder.h" | grep -v recorded
	grep -o '\*\*[^*]*\*\*' "$ROOT/docs/glossary.md" | tr -d '*'
	sed 's/\*\*[^*]*\*\*//g' "$ROOT/docs/glossary.md" | grep -o '\*[^*]*\*' | tr -d '*'
} | sort -u >words
while read -r word; do traceviz help "$word" >page 2>&1 && [ -s page ] || echo "$word"; done <words >unknown
is "$(grep -c . unknown) $([ "$(wc -l <words)" -gt 120 ] && echo many)" "0 many" "help of each word"
is "$(traceviz help drain) / $(traceviz help Makespan | head -1)" "drain, a kind of idle time (idle-causes): workers had no task left: every task had started. / $(sed -n 's/[*`]//g; /^- makespan/p' "$ROOT/docs/glossary.md")" \
	"what it means"
is "$(for verb in $verbs; do [ "$(traceviz help "$verb" | wc -l)" -le 60 ] || echo "$verb"; done)" "" "the help of a verb has at most 60 lines"
is "$(traceviz help)" "$(cat first)" "help is --help"
is "$(traceviz help bounds)" "$(traceviz bounds --help)" "help VERB is VERB --help"
is "$(traceviz help lack)" "$(traceviz lack --help)" "of a former name, too"
man=${TRACEVIZ_BIN:-$ROOT/build}/man
is "$(grep -c '^\.TP' "$man/traceviz-glossary.7") $(grep -c 'formats of traces\|^ *paje \|^ *tasks: ' "$man/traceviz-formats.5")" \
	"$(grep -c '^- \*\*' "$ROOT/docs/glossary.md") 3" "man pages of words and of formats"
is "$(traceviz help LOAD | sed 's/^ *\([a-z-]*\) .*/\1/' | tr '\n' ' ')$(traceviz help data | sed -n "1s/,.*//p;/^  memory/s/  .*/memory/p" | tr "\n" " ")" "Verbs about 'LOAD': imbalance load-balance data memory " "verbs about a word"
is "$(traceviz help variance | sed 's/^  *\([a-z-]*\) .*/\1/' | tr '\n' ' ')$(traceviz help bottleneck | sed 's/:.*//' | head -n 1)" "Verbs whose help has 'variance': reduce window balance fit - finding" "a word that no summary has: the help that has it, or the glossary"
is "$(traceviz help balance | tail -n 1)" "Other verbs with this word: imbalance, load-balance" "help names verbs with a name alike"
for word in elsewhither "bounds abe"; do
	# shellcheck disable=SC2086
	run traceviz help $word
	is "$rc $(cat stderr)" "2 traceviz: help '${word##* }', expected one verb or subject; try 'traceviz --help'" "help $word"
done
run traceviz
is "$rc $(cat stderr)" "2 traceviz: nothing to do; try 'traceviz --help'" "no arguments"
for verb in $verbs; do
	run traceviz "$verb" --help
	is "$rc" 0 "$verb --help succeeds"
	like "$(cat stdout)" "traceviz *$verb *Options:*--help*Example:*" "$verb --help has options and an example"
	is "$(awk 'length > 120' stdout)" "" "$verb --help fits"
	is "$(grep -c '^\.SH \(NAME\|SYNOPSIS\|OPTIONS\|EXIT STATUS\)' \
		"${TRACEVIZ_BIN:-$ROOT/build}/man/traceviz-$verb.1")" 4 "$verb has a man page"
	run traceviz "$verb" --no-such-option
	is "$rc $(cat stderr)" \
		"2 traceviz: unknown or ambiguous option --no-such-option; try 'traceviz $verb --help'" \
		"$verb refuses unknown options"
done

cat >a.csv <<'END'
ResourceId,Value,Start,End,JobId
CPU0,potrf,0,10,1
CPU1,trsm,10,20,2
CPU1,trsm,20,31,3
END
usage() { # NAME PATTERN ARGS...
	name=$1 pattern=$2; shift 2
	run traceviz "$@"
	is "$rc" 2 "$name: exit status 2"
	like "$(grep '^traceviz: ' stderr | tail -1)" "traceviz: $pattern" "$name: message"
}
usage "no value" "--where needs a value: EXPR; try 'traceviz outliers --help'" outliers a.csv --where
usage "two traces" "*several or labeled traces are runs to compare*" bounds a.csv a.csv
usage "a labeled trace" "*several or labeled traces are runs to compare*" bounds x=a.csv
usage "bad kind" "--kind 'job', expected some of app, setup or runtime" bounds --kind job a.csv
usage "bad window" "--begin 'x', expected a time such as 10 (ms) or 500us" idleness --begin x a.csv
usage "window the wrong way" "--begin 3 is not before --end 2" idleness --begin 3 --end 2 a.csv
usage "window without length" "--begin 9223372036854.775807 is not before --end" \
	idleness --begin 9223372036854.775807 a.csv
usage "bounds refuse a window" "bounds describes the whole run: it takes no window (--begin, --end, --region)" bounds --begin 3 a.csv
usage "bad column" "no column 'Foo', expected one of *" outliers --where 'Foo == 1' a.csv
is "$(tail -2 stderr)" "  Foo == 1
  ^" "the place in an expression"
usage "bad number in an expression" "expected a time such as 12.5 or 3s here" \
	outliers --restrict 'Value == trsm and End > soon' a.csv
is "$(tail -2 stderr)" "  Value == trsm and End > soon
                          ^" "is marked below it"
usage "selection without its column" "--only chooses by the column Value, which this table does not have" \
	bounds --only x a.csv
usage "and before the trace is read" "--resource chooses by the column ResourceId, which this table does not have" \
	callprofile --resource x no-such-file.csv
usage "a grid with a sign" "--facet-layout '-1x3', expected rows, columns or RxC*" \
	plot --facet a.csv a.csv --facet-layout -1x3 -o x.png
usage "bad format" "--format 'xyz' is not known*" bounds --format xyz a.csv
usage "bad memory" "--max-memory '3 apples', expected a size such as 500M or 4G, at least 1M" \
	bounds --max-memory '3 apples' a.csv

# --format chooses among what a folder holds; --with DIR
mkdir both none
cp a.csv both/tasks.csv
printf 'Name: potrf\nJobId: 1\nWorkerId: 0\nStartTime: 0\nEndTime: 4\n\n' >both/tasks.rec
run traceviz bounds --format recutils both
is "$rc $(sed -n 2p stdout)" "0 ,makespan,observed,4.000000,," "--format chooses among the files of a folder"
like "$(cat stderr)" "*both: reading tasks.rec; not used: tasks.csv*" "and says what it did not use"
run traceviz bounds both
is "$rc $(sed -n 2p stdout)" "0 ,makespan,observed,31.000000,," "without it our own CSV comes first"
run traceviz bounds --format paje both
is "$rc $(cat stderr)" "1 traceviz: both: no file of this folder is a trace in the format of --format" \
	"no file in that format"
run traceviz bounds --with nowhere a.csv
is "$rc $(cat stderr)" "2 traceviz: --with 'nowhere', expected a folder" "--with a missing folder"
run traceviz bounds --with none a.csv
is "$rc" 0 "--with a folder without tables"
like "$(cat stderr)" "*none: contains no other table of the trace*" "is reported"
printf 'ResourceId,ResourceType\nCPU0,CPU\nCPU1,CPU\nCPU2,CPU\n' >none/resources.csv
run traceviz idleness --with none a.csv
is "$rc $(wc -l <stdout)" "0 4" "--with DIR brings its tables"
