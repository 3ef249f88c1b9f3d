#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs.t: links of all pages lead to files and headings that exist; the index lists each page; tables are current; the commands of docs/tuning.md run
. "$(dirname "$0")/lib.sh"
plan 12

cp -r "$ROOT/docs" pages
(cd "$ROOT" && perl tests/cli/links.pl ./*.md data/*.md docs/*.md docs/*/*.md data/*/*.md examples/*/*.md packaging/*.md) >links
is "$(sed '$d' links) $(($(sed -n '$s/ links$//p' links) > 900))" " 1" "links lead to files and to headings of pages"
printf '# One\n[a](two.md#one), [b](tuning.md#questions), `[c](none)`\n[d](tuning.md#question), [e](#one-1), [f](#one-2)\n## One\n' >pages/two.md
is "$(perl "$ROOT/tests/cli/links.pl" pages/two.md)" "pages/two.md: tuning.md#question: no such heading
pages/two.md: #one-2: no such heading
5 links" "one that does not is named"
rm pages/two.md

missing=
for page in $(cd "$ROOT/docs" && ls ./*.md ./*/*.md | sed 's,^\./,,'); do
	[ "$page" = README.md ] || grep -qF "($page)" "$ROOT/docs/README.md" || missing="$missing $page"
done
is "$missing" "" "docs/README.md lists every page"

traceviz help --json >help.json
(cd "$ROOT" && perl docs/tables.pl --check "$OLDPWD/help.json" docs/*.md docs/*/*.md) 2>wrong
is "$(cat wrong)" "" "tables of options and columns are current, and each table is on a page (else: make docs)"
# Long tables are on no page: help has them.
perl "$ROOT/docs/tables.pl" help.json >long
while read -r page n; do
	[ "$(traceviz help "$page" | grep -c '^  *[A-Z][A-Za-z0-9]*   *[^ ]')" -ge "$n" ] || echo "$page: not $n columns"
done <long >wrong
is "$(cat wrong) $(($(wc -l <long) > 20))" " 1" "pages of help have the columns of long tables"
# It finds a cell that is another one, and a table that is on no page.
sed -i '/^<!-- columns:abe -->/,/^<!-- end -->/s/^`Ideal`/`Best`/' pages/passes/abe.md
sed -i 's/^<!-- columns:info -->/<!-- columns:nothing -->/' pages/passes/info.md
run perl "$ROOT/docs/tables.pl" --check help.json pages/*.md pages/*/*.md
is "$rc $(sort stderr)" "1 tables.pl: no page has columns:info
tables.pl: pages/passes/abe.md is not current: make docs
tables.pl: pages/passes/info.md is not current: make docs
tables.pl: pages/passes/info.md: there is no table columns:nothing" "what is wrong is named"
perl "$ROOT/docs/tables.pl" help.json pages/passes/abe.md >out 2>&1
ok "and written" cmp pages/passes/abe.md "$ROOT/docs/passes/abe.md"

# Questions, with samples in place of the user's files.
cp "$DATA/cholesky-dmda.csv" old.csv
cp "$DATA/cholesky-dmdas.csv" new.csv
cp "$DATA/cholesky-ws.csv" run.csv
ln -s "$DATA/cholesky-2nodes" run
sed -n 's/.*| `\(traceviz .*\)` (\[.*/\1/p' "$ROOT/docs/tuning.md" >commands
is "$(wc -l <commands | tr -d ' ')" 13 "thirteen questions"
failed=
while read -r command; do
	sh -c "$command -q" >out 2>err </dev/null && [ -s out ] || failed="$failed; $command: $(cat err)"
done <commands
is "$failed" "" "their commands run"
(cd "$ROOT" && traceviz -q data/cholesky.csv) | sed 's/^/    /' >answer
is "$(sed -n '/^    \$ traceviz data\/cholesky.csv/,/^$/p' "$ROOT/README.md" | sed '1d;$d')" "$(cat answer)" "the answer in the README is what the program prints"

version=$(sed -n 's/^#define TV_VERSION "\(.*\)"/\1/p' "$ROOT/cli/cli.h")
is "$(traceviz --version | sed -n '1s/traceviz //p')" "$version" "the program has the version of cli/cli.h"
is "$(sed -n 's/^version: //p' "$ROOT/CITATION.cff") $(sed -n '1s/.*(\(.*\)-1).*/\1/p' "$ROOT/packaging/debian/changelog") \
$(sed -n 's/.*version("\([^"]*\)".*/\1/p' "$ROOT/packaging/spack/package.py") $(sed -n '/(not released yet)/d; s/^## \([^ ]*\).*/\1/p' "$ROOT/CHANGELOG.md" | head -1)" \
	"$version $version $version $version" "so have citation, packages and the list of changes"
