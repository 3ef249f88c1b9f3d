#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cases.sh -- runs the commands of a page in docs/cases ("    $ ...") and writes the page with their output to stdout.
#   cd data/cholesky-4nodes && sh ../../docs/cases.sh ../../docs/cases/slow-start.md >new.md
# Lines indented by four spaces are commands or output; traceviz is taken from PATH.
set -eu
while IFS= read -r line; do
	case $line in
	'    $ '*)
		printf '%s\n' "$line"
		sh -c "${line#    \$ }" </dev/null 2>/dev/null | sed 's/^/    /'
		;;
	'    '*) ;; # output of an earlier run
	*) printf '%s\n' "$line" ;;
	esac
done <"$1"
