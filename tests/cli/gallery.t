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

draw() { # NAME OPTIONS: its boxes
	command=$(awk -v name="$1" '/^== / { on = $2 == name } on && /^run: / { print substr($0, 6) }' "$list")
	run sh -c "$command -q $2 -o $1.csv"
	if [ "$rc" -eq 0 ]; then sh "$ROOT/tests/overlaps.sh" "$1.csv" >overlaps; else cp stderr overlaps; fi
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
