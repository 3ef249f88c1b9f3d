#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# site.t: pages as mkdocs needs them; where mkdocs is, the site: its links, and that it needs no other host
. "$(dirname "$0")/lib.sh"
plan 8

mkdir -p small/docs/site
cd small || exit 1
printf '# Name\n\nOne line.\n- item, of the year\n  2024. More.\n\n      code\n\n  1. inner\n     goes on\n- last\n\n```\n- code\n```\n[docs](docs), [x](docs/a.md#b), [away](../none.c), [it](x.c)\n' >README.md
printf '# Docs `of` it\n\n[a](a.md)\n\n## Verbs\n\n- [b](b.md), [c](../c.md)\n' >docs/README.md
for page in docs/a.md docs/b.md c.md; do echo "# The page \"$page\"" >$page; done
touch x.c other.c
echo 'site_name: it' >docs/site/mkdocs.yml
run perl "$ROOT/docs/site/pages.pl" out
is "$rc $(cat stderr)" "0 " "pages are prepared"
is "$(cd out/pages && find . -type f | sort | tr '\n' ' ')" "./README.md ./c.md ./docs/README.md ./docs/a.md ./docs/b.md ./x.c " "with all that they link to, and nothing else"
is "$(cat out/pages/README.md)" '# Name

One line.

- item, of the year
    2024\. More.

        code

    1. inner
        goes on

- last

```
- code
```
[docs](docs/README.md), [x](docs/a.md#b), [away](../none.c), [it](x.c)' "lists as mkdocs reads them, links to folders to their pages"
is "$(cat out/mkdocs.yml)" 'site_name: it
nav:
  - "Home": README.md
  - "Index of all pages": docs/README.md
  - "Begin":
      - "The page \"docs/a.md\"": docs/a.md
  - "Verbs":
      - "The page \"docs/b.md\"": docs/b.md' "a menu with the sections of the index"
cd ..

printf '<a name="x" href="b.html#y">b</a><a href="c.html">c</a><a href="https://h/">h</a><script src="https://h/s.js"></script>' >small/a.html
printf '<h1 id="z">' >small/b.html
is "$(perl "$ROOT/tests/cli/links.pl" --html small)" "small/a.html: b.html#y: no such heading
small/a.html: c.html: no such file
small/a.html: https://h/s.js: loaded from another host
4 links" "wrong links of a site are found"

if ! command -v mkdocs >/dev/null || [ ! -d /usr/share/mkdocs/themes/material ]; then
	skip 3 "no mkdocs with its theme material (make deps-site)"
	exit 0
fi
ok "mkdocs builds the site without a warning" make -s -C "$ROOT" SITE="$SANDBOX/site" site-built
perl "$ROOT/tests/cli/links.pl" --html site/html >links
is "$(sed '$d' links) $(($(sed -n '$s/ links$//p' links) > 20000))" " 1" "its links lead to files and headings, and it loads nothing from another host"
is "$(grep -rlE 'url\(.?(https?:)?//|@import' site/html/assets/stylesheets --include='*.css') \
$(sed 's/^var __search = { index: Promise.resolve(//; s/) };$//' site/html/search/search_index.js | tr -d '\n' |
	cmp - site/html/search/search_index.json 2>&1)" " " \
	"nor do its styles; the index of the search is a script, too"
