#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gallery.sh -- draws every picture of examples/gallery.list into docs/gallery and writes a page with the commands.
#   sh examples/gallery.sh            all pictures
#   sh examples/gallery.sh NAME...    only these, without the page
# Run it in the top folder; it uses build/traceviz, else traceviz from PATH. Entries with `page` need Chromium and
# Selenium (make deps-browser).
set -eu
PATH=$PWD/build:$PATH
list=examples/gallery.list out=docs/gallery
mkdir -p "$out"
draw() { # NAME COMMAND: its picture; of a page, the page and a picture of what a browser shows
	page=$(field "$1" page)
	if [ -z "$page" ]; then
		eval "$2 --dpi 150 -o $out/$1.png"
	else
		eval "$2 -o $out/$page"
		/usr/bin/python3 tests/browser/picture.py "$out/$page" "$out/$1.png"
	fi
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
	echo "Every picture with its command (\`sh examples/gallery.sh\` draws all; PDF and SVG show the same)."
	for name in $(names); do
		command=$(field "$name" run)
		draw "$name" "$command" >&2
		page=$(field "$name" page)
		printf '\n## %s\n\n%s\n\n    %s -o %s\n\n![%s](%s.png)\n' "$(field "$name" title)" \
			"$(field "$name" text)" "$command" "${page:-$name.png}" "$name" "$name"
	done
} >"$out/README.md.new"
mv "$out/README.md.new" "$out/README.md"
