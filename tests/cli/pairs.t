#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pairs.t: the table of each verb is used for what it is by another one, or refused by name. tests/long/pairs.t has all pairs.
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/pairs.sh
. "$ROOT/tests/cli/pairs.sh"
plan $(($(echo "$passes" | wc -l) + 1))

# Results that are tables of a trace, and the verbs that add columns to tasks. All others are no traces.
parts="reduce derive rate window events callprofile"
for verb in $passes; do
	if ! produce "$verb"; then
		result 1 "the example of $verb"
		sed 's/^/# /' "$verb.err"
		continue
	fi
	run traceviz summary -q "$verb.csv"
	case " $parts $(echo "$annotating" | tr '\n' ' ')" in
	*" $verb "*)
		case " $parts " in
		*" $verb "*) like "$rc $(cat stderr)" "1 *summary: the trace has no tasks (columns ResourceId, *" "$verb, then summary: no tasks" ;;
		*) is "$rc" 0 "$verb, then summary: tasks" ;;
		esac ;;
	*) like "$rc $(cat stderr)" "1 *:1: this is a table of * $verb* expected a trace*" "$verb, then summary: named" ;;
	esac
done
is "$(echo "$annotating" | tr '\n' ' ')" "chain deps iterations lifecycle mispredictions outliers " "the verbs that add columns"
