#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs.t: links of all pages lead to files that exist; the index lists each page; the commands of docs/tuning.md run
. "$(dirname "$0")/lib.sh"
plan 6

missing=
for page in $(cd "$ROOT" && ls ./*.md data/*.md docs/*.md docs/*/*.md data/*/*.md examples/*/*.md); do
	for link in $(grep -oE '\]\([^)]*\)' "$ROOT/$page" | sed 's/^](//; s/[ #].*//; s/)$//' | grep -v '^http'); do
		[ -e "$ROOT/$(dirname "$page")/$link" ] || missing="$missing $page:$link"
	done
done
is "$missing" "" "links lead to files"

missing=
for page in $(cd "$ROOT/docs" && ls ./*.md ./*/*.md | sed 's,^\./,,'); do
	[ "$page" = README.md ] || grep -qF "($page)" "$ROOT/docs/README.md" || missing="$missing $page"
done
is "$missing" "" "docs/README.md lists every page"

# Questions, with samples in place of the user's files.
cp "$DATA/cholesky-dmda.csv" old.csv
cp "$DATA/cholesky-dmdas.csv" new.csv
cp "$DATA/cholesky-ws.csv" run.csv
ln -s "$DATA/cholesky-2nodes" run
sed -n 's/.*| `\(traceviz .*\)` (\[.*/\1/p' "$ROOT/docs/tuning.md" >commands
is "$(wc -l <commands | tr -d ' ')" 12 "twelve questions"
failed=
while read -r command; do
	sh -c "$command -q" >out 2>err </dev/null && [ -s out ] || failed="$failed; $command: $(cat err)"
done <commands
is "$failed" "" "their commands run"
version=$(sed -n 's/^#define TV_VERSION "\(.*\)"/\1/p' "$ROOT/cli/cli.h")
is "$(traceviz --version | sed -n '1s/traceviz //p')" "$version" "the program has the version of cli/cli.h"
is "$(sed -n 's/^version: //p' "$ROOT/CITATION.cff") $(sed -n '1s/.*(\(.*\)-1).*/\1/p' "$ROOT/packaging/debian/changelog") \
$(sed -n 's/.*version("\([^"]*\)".*/\1/p' "$ROOT/packaging/spack/package.py") $(sed -n 's/^## \([^ ]*\).*/\1/p' "$ROOT/CHANGELOG.md" | head -1)" \
	"$version $version $version $version" "so have citation, packages and the list of changes"
