#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cases.t: the commands of each case study print what its page shows, and the numbers of its text are among them
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 28

# numbers PAGE: those in the text, from its first section on, that no printed number rounds to
numbers() { awk '
	FNR == NR { if (/^    [^$]/) { gsub(/[^0-9.]/, " "); for (i = 1; i <= NF; i++) printed[$i] = 1 } next }
	/^## / { on = 1 }
	!on || /^    / { next }
	{ gsub(/`[^`]*`|\]\([^)]*\)/, ""); gsub(/[^0-9.]/, " ")
		for (i = 1; i <= NF; i++) {
			number = $i; sub(/\.$/, "", number)
			if (number == "" || number ~ /\..*\./) continue # a section of a book
			places = number ~ /\./ ? length(number) - index(number, ".") : 0
			found = 0
			for (p in printed) if (sprintf("%." places "f", p) == number) found = 1
			if (!found) print number
		} }' "$1" "$1" | sort -u | tr '\n' ' '; }

mkdir -p data/cholesky-4nodes
ln -s "$ROOT/examples" examples
ln -s "$DATA/cholesky-4nodes/p1x4" "$DATA/cholesky-4nodes/p2x2" data/cholesky-4nodes/
page=$ROOT/docs/cases/slow-start.md
(cd data/cholesky-4nodes && sh "$ROOT/docs/cases.sh" "$page") >slow-start.md
diff "$page" slow-start.md >difference
is "$(cat difference)" "" "slow-start: the commands print what the page shows"
# "more than 300", the size of a step (704 - 672), and the window of a command.
is "$(numbers slow-start.md)" "300 32 650 " "slow-start: the text contains only numbers that were printed"
sed 's/ 253 of / 254 of /; s/1066 instead/1067 instead/' slow-start.md >wrong.md
is "$(numbers wrong.md)" "1067 300 32 650 " "another number is found"
is "$(head -c 4 data/cholesky-4nodes/slow-start.png | tail -c 3)" "PNG" "slow-start: its script draws the figure"
run sh "$ROOT/examples/slow-start.sh" "$DATA/cholesky-2nodes" "$DATA/cholesky-2nodes" two.svg
is "$rc $(cat stderr)" "0 traceviz: $DATA/cholesky-2nodes is given twice" "the script also runs on other traces, without a counter of memory"

# The five of one form: FOLDER NAME, then numbers of the text that its commands do not print: what programs print, sizes, what is planted.
form='## Symptom
## Command
## Cause
## Fix
## Gain'
while read -r folder name others; do
	page=$ROOT/docs/cases/$name.md
	(cd "$ROOT/$folder" && sh "$ROOT/docs/cases.sh" "$page") >"$name.md"
	is "$(diff "$page" "$name.md")" "" "$name: the commands print what the page shows"
	is "$(grep '^## ' "$page")" "$form" "$name: symptom, command, cause, fix, gain"
	is "$(numbers "$name.md")" "${others:+$others }" "$name: the text contains only numbers that were printed"
done <<END
data/cholesky-4nodes efficiency
data scheduler
examples/data cutoff 0.54 1.39 1.41 1.43 1.49 1.96 1.99 2.22 2.23 24
examples/data loop 0.3013 0.4436 1.3 32 4 439 585
examples/data late-sender 40
END

page=$ROOT/docs/cases/tile-size.md
mkdir tiles
ln -s "$ROOT"/examples/data/openmp-cholesky-*.csv.zst tiles/
(cd tiles && sh "$ROOT/docs/cases.sh" "$page") >tile-size.md
diff "$page" tile-size.md >difference
is "$(cat difference)" "" "tile-size: the commands print what the page shows"

is "$(numbers tile-size.md)" "" "tile-size: the text contains only numbers that were printed"
is "$(head -c 4 tiles/tile-size.png | tail -c 3)" "PNG" "tile-size: the figure is drawn"

page=$ROOT/docs/cases/mpi-progress.md
mkdir progress
ln -s "$ROOT/examples/data/nbc-2cores.csv" progress/
(cd progress && sh "$ROOT/docs/cases.sh" "$page") >mpi-progress.md
diff "$page" mpi-progress.md >difference
is "$(cat difference)" "" "mpi-progress: the commands print what the page shows"
# Ratios of the ideal, times of the table, and of what was tried with four ranks.
is "$(numbers mpi-progress.md)" "0 20 32 35 " "mpi-progress: the text contains only numbers that were printed"
is "$(head -c 4 progress/mpi-progress.png | tail -c 3)" "PNG" "mpi-progress: the figure is drawn"

# The section of numbers that were measured; those before it are published.
page=$ROOT/docs/cases/placement.md
ln -s "$ROOT/examples/data/placement-2cores" placement-2cores
sed -n '/^## On a machine with two cores/,$p' "$page" >section.md
section=$PWD/section.md
(cd placement-2cores && sh "$ROOT/docs/cases.sh" "$section") >placement.md
is "$(diff section.md placement.md)" "" "placement: the commands print what the page shows"
# Sizes, s instead of ns and ms (17.29, 18.68, 0.03), twice 183.6 ns.
is "$(numbers placement.md)" "0.03 17.29 18.68 32 367 512 " "placement: the text contains only numbers that were printed"
