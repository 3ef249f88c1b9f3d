#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gallery.t -- every picture of the gallery: it can be drawn, and no text touches another, on a wide page and in a column.
. "$(dirname "$0")/lib.sh"
list=$ROOT/examples/gallery.list
plan $((($(grep -c '^== ' "$list") - $(grep -c '^run: traceviz platform' "$list")) * 2 + 1))
ln -s "$ROOT/data" data
ln -s "$ROOT/examples" examples
ln -s "$ROOT/tests" tests
names=$(sed -n 's/^== //p' "$list")

# Texts of a list of boxes that overlap by more than a hundredth of a point, or leave the page (the first row of the CSV is its header).
overlaps() {
	awk -F, 'NR > 1 && $1 == "text" {
		x = $7; y = $8; w = $9; h = $10
		if (x < -0.01 || y < -0.01) print "leaves the page:", $0
		for (i = 0; i < n; i++)
			if (x < X[i] + W[i] - 0.01 && X[i] < x + w - 0.01 && y < Y[i] + H[i] - 0.01 && Y[i] < y + h - 0.01)
				print "overlap:", $0, "and", T[i]
		X[n] = x; Y[n] = y; W[n] = w; H[n] = h; T[n++] = $0
	}' "$1"
}
draw() { # NAME OPTIONS: its boxes
	command=$(awk -v name="$1" '/^== / { on = $2 == name } on && /^run: / { print substr($0, 6) }' "$list")
	run sh -c "$command -q $2 -o $1.csv"
	if [ "$rc" -eq 0 ]; then overlaps "$1.csv" >overlaps; else cp stderr overlaps; fi
}
for name in $names; do
	[ "$name" = platform ] && continue # it has no boxes: tests/cli/platform-picture.t
	draw "$name" ""
	is "$rc $(cat overlaps)" "0 " "$name"
	case $command in
	*--preset*) draw "$name" "--dpi 300" ;; # a preset has its width
	*) draw "$name" "--width 3.5" ;;
	esac
	is "$(grep -c 'no room for the time axis' stderr) $(cat overlaps)" "0 " "$name in a column"
done
# The page and the list know the same pictures.
is "$(sed -n 's/^!\[.*](\(.*\)\.png)$/\1/p' "$ROOT/docs/gallery/README.md" | tr '\n' ' ')" "$(echo "$names" | tr '\n' ' ')" \
	"docs/gallery shows every picture of the list"
