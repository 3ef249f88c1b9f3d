#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gallery.sh -- draws every picture of examples/gallery.list into docs/gallery, with a page that shows the commands.
#   sh examples/gallery.sh            all of them
#   sh examples/gallery.sh NAME...    these only, without the page
# Run it in the top folder; traceviz is build/traceviz, or the one on PATH if that is not there.
set -eu
PATH=$PWD/build:$PATH
list=examples/gallery.list out=docs/gallery
mkdir -p "$out"
draw() { # NAME COMMAND
	eval "$2 --dpi 150 -o $out/$1.png"
}
names() { sed -n 's/^== //p' "$list"; }
field() { # NAME KEY
	awk -v name="$1" -v key="$2: " '/^== / { on = $2 == name } on && index($0, key) == 1 { print substr($0, length(key) + 1) }' "$list"
}
if [ $# -gt 0 ]; then
	for name in "$@"; do draw "$name" "$(field "$name" run)"; done
	exit
fi
{
	echo "# Gallery"
	echo
	echo "Every picture with the command that made it (\`sh examples/gallery.sh\` makes them all; PDF and SVG show the same)."
	for name in $(names); do
		command=$(field "$name" run)
		draw "$name" "$command" >&2
		printf '\n## %s\n\n%s\n\n    %s -o %s.png\n\n![%s](%s.png)\n' "$(field "$name" title)" \
			"$(field "$name" text)" "$command" "$name" "$(field "$name" title)" "$name"
	done
} >"$out/README.md.new"
mv "$out/README.md.new" "$out/README.md"
