#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pj_sort.sh FILE -- a Pajé trace as pj_dump wants it: definitions first, then the events by time,
# stably.
LC_ALL=C
export LC_ALL
cut=$(mktemp -d) || exit 1
trap 'rm -rf "$cut"' EXIT
awk -v head="$cut/head" -v timed="$cut/timed" '
	/^[ \t]*%[ \t]*EventDef/ { sub(/^[ \t]*%[ \t]*/, ""); id = $3; n = 0 }
	/^[ \t]*%[ \t]*EndEventDef/ { id = "" }
	/^[ \t]*%/ { f = $0; sub(/^[ \t]*%[ \t]*/, "", f); split(f, w); n++; if (w[1] == \
		"Time") at[id] = n + 1 }
	/^[ \t]*%/ || /^EventDef/ { print (/^EventDef/ ? "%" : "") $0 > head; next }
	/^[ \t]*(#|$)/ { next }
	!($1 in at) { print > head; next }
	{ print $at[$1] "\t" $0 > timed }' "$1"
cat "$cut/head"
sort -s -k1,1g "$cut/timed" | cut -f2-
