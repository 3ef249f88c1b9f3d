#!/bin/sh
# shellcheck disable=SC2016 # variables of jq
# SPDX-License-Identifier: GPL-3.0-or-later
# help-json.t: traceviz help --json is one document with all that the pages of help list; what the code reads by name is in it
. "$(dirname "$0")/lib.sh"
plan 18

run traceviz help --json
is "$rc $(cat stderr)" "0 " "it is printed"
mv stdout all.json
run traceviz help --json bounds
is "$rc $(cat stderr)" "2 traceviz: help --json describes all verbs: expected no 'bounds'" "a verb beside it is refused"

# Names of columns that the code reads; of other formats: two attributes of DOT, a field of rec; counters that a recording was asked for.
names() { grep -o '"name":"[^"]*"' all.json | cut -d'"' -f4 | sort -u; }
(cd "$ROOT" && find analysis views cli dag sim convert monitor -name '*.c' -exec cat {} +) | tr '\n\t' '  ' |
	grep -oE '(tv_table_(find|text|in_short)|tv_trace_column)\([^;{}"]*"[A-Za-z0-9_]+"' | cut -d'"' -f2 | sort -u >used
is "$(names | comm -13 - used | tr '\n' ' ')" "Address File Line cycles instructions " "each column that the code finds by its name is declared"
is "$(($(wc -l <used) > 100))" 1 "many are"

# The same of options, which end the program only where that code runs
(cd "$ROOT" && find analysis views -name '*.c' -exec cat {} +) | tr '\n\t' '  ' |
	grep -oE '\b(tv_option|tv_option_(flag|time|count|number|choice|given)|tv_panel_(option|optional|flag|time|count|number|choice|given))\([^;{}"]*"[a-z-]+"' |
	cut -d'"' -f2 | sort -u >used
is "$(names | comm -13 - used | tr '\n' ' ')" "" "each option too"

if command -v jq >/dev/null; then list() { jq -r "$1" all.json; }
elif command -v python3 >/dev/null && python3 -m json.tool all.json >/dev/null; then
	result 0 "it is JSON"
	skip 12 "no jq"
	exit 0
else
	skip 13 "no program that reads JSON"
	exit 0
fi
is "$(list .version)" 1 "the version of its form"
is "$(list '.traceviz')" "$(traceviz --version | sed -n '1s/[^0-9]*//p')" "the version of the program"
is "$(list '.verbs[].name')" "$(traceviz help verbs)" "all verbs"
is "$(list '.verbs[].group' | sort -u)" "$(traceviz help all | sed -n 's/^\([A-Z].*\):$/\1/p' | sort)" "their groups"

# What the help of each verb lists: options with letters, columns; options of many verbs have pages of their own
options() { sed -n 's/^  \(-\([A-Za-z]\),\|   \) --\([a-z][^ ]*\).*/\3 \2/p' | sed "s/^/$1 /; s/ $//"; }
for verb in $(traceviz help verbs); do
	traceviz "$verb" --help >help
	sed -n '/^Options:/,/^$/p' help | options "$verb" >>listed
	{ traceviz help input; traceviz help figure; traceviz help "notes:$verb" 2>/dev/null; } | options "$verb" >>common
	sed -n '/^Output:/,$s/^  \([A-Z][A-Za-z0-9]*\)   *[^ ].*/\1/p' help | sed "s/^/$verb /" >>columns
done
sort -u listed >options
list '.verbs[] | .name as $v | .options[] | [$v, .name, .letter] | map(select(. != null)) | join(" ")' | sort -u >options.json
is "$(comm -23 options options.json)" "" "all options of each verb, with their letters"
is "$(sort -u listed common | comm -13 - options.json)" "" "and no other"
list '.verbs[] | .name as $v | .tables[].columns[] | $v + " " + .name' | sort -u >columns.json
is "$(sort -u columns | comm -23 - columns.json)" "" "all columns of each verb"
is "$(traceviz help tables | sed -n 's/^  \([a-z]*\): .*/\1/p')" "$(list '.tables[].name')" "the tables of a trace"
is "$(traceviz help panels | sed -n 's/^  \([a-z][a-z-]*\)[* ] .*/\1/p')" "$(list '.panels[].name')" "all panels"
for panel in $(list '.panels[].name'); do
	traceviz help "panel:$panel" | sed -n 's/^  --\([a-z][^ ]*\).*/\1/p'
done >panels
list '.panels[] | .name as $p | .options[] | $p + "." + .name' >panels.json
ok "their options" cmp panels panels.json
is "$(list '.findings[].name')" "$(traceviz diagnose --explain all | sed -n 's/^\([a-z][a-z-]*\): .*/\1/p')" "all findings"
# What formats bring: in the help one line of words for each, "all of the following" for ours.
traceviz help formats | awk '/^  [^ ]/ { name = $1 } /^    / && name != "" { sub(/^ */, ""); print name ": " $0; name = "" } /^$/ { exit }' >brought
is "$(list '.formats[] | .name + ": " + (.brings | join(" ")) + (if .joins then "; with " + .joins + ": " + (.joined | join(" ")) else "" end)' |
	sed "s/: $(list '.formats[] | select(.name == "csv") | .brings | join(" ")')$/: all of the following/")" "$(cat brought)" "what formats bring"
ok "of each" [ "$(wc -l <brought)" -gt 10 ]
