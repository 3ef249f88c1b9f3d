#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh -- records the list walkers in both placements and compares them: tables to stdout, a picture. README.md beside.
#   sh examples/placement/run.sh FOLDER [OPTIONS OF walk...]
# FOLDER/balanced and FOLDER/grouped become the recordings, FOLDER/PLACE.txt what the walkers print, FOLDER/placement.png the picture.
# LEVEL is what threads share: L3 (default), or PU where there is one L3 alone; EVERY the tick in ms.
set -eu
[ $# -gt 0 ] || { echo "usage: sh run.sh FOLDER [OPTIONS OF walk...]" >&2; exit 2; }
here=$(dirname "$0")
walk=${WALK:-$here/../../build/examples/placement/walk}
folder=$1 level=${LEVEL:-L3}
shift

mkdir -p "$folder"
for place in balanced grouped; do
	traceviz record -f --monitor "$here/placement.monitor" --skip-missing --every "${EVERY:-100}" -o "$folder/$place" -- \
		"$walk" --place $place "$@" >"$folder/$place.txt"
	echo "# $place: the walkers"
	cat "$folder/$place.txt"
done
# Misses where this machine counts them; switches of threads where the user may count those.
is_sampled() { traceviz reduce "$1" --level Machine -q "$folder/grouped" >/dev/null 2>&1; }
by=cpu.task-clock
if is_sampled llc.misses; then by=llc.misses; fi
for place in balanced grouped; do
	echo "# $place: $by at each $level, per second, and how even"
	traceviz reduce "$by" --level "$level" -q "$folder/$place" | traceviz rate "$by" -q --with "$folder/$place" - | head -5
	traceviz balance "$by" --level "$level" -q --csv "$folder/$place"
	if is_sampled switches.context-switches; then
		traceviz balance switches.context-switches --level "$level" -q --csv "$folder/$place"
	fi
done
traceviz -q --facet "balanced=$folder/balanced" "grouped=$folder/grouped" --panels topology,counter \
	--topology.by "$by" --counter.name "$by" -o "$folder/placement.png"
