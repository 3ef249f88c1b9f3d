#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doc-examples.t: the examples of all pages and of --help run, but for those that need what the repository has not
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 3

traceviz help --json >help.json
perl "$ROOT/tests/cli/doc_examples.pl" "$ROOT" help.json "$TESTDATA/examples/not-run" >ran
is "$(sed '$d' ran)" "" "all others end with status 0"
ok "they are many" [ "$(sed -n '$s/ examples$//p' ran)" -gt 300 ]

# One that fails is found, and a line that fits none.
mkdir -p wrong/docs/passes
for link in data examples tests; do ln -s "$ROOT/$link" wrong/; done
printf '# Read\n\n    $ traceviz bounds data/cholesky.csv\n    $ traceviz bounds data/none.csv \\\n        --tight\n' >wrong/README.md
: >wrong/CONTRIBUTING.md
printf '{"verbs":[{"example":"traceviz abe data/cholesky.csv"},{"example":"traceviz record x"}]}' >help.json
printf -- '--help\t^traceviz record\tneeds a program\ndocs/x.md\t.\tnone\n' >list
is "$(perl "$ROOT/tests/cli/doc_examples.pl" wrong help.json list)" "README.md: traceviz bounds data/none.csv \\
        --tight: traceviz: data/none.csv: cannot open: No such file or directory
no example fits: docs/x.md .
3 examples" "what fails is named"
