#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# net.sh BUILD commands | BUILD run [COMMANDS]: what all verbs and panels print for all samples, as hashes, to compare two
# versions of the program.
#   commands  lists the commands: each verb's example, each verb as CSV and JSON and each panel as SVG and HTML of each sample
#   run       runs them (those of the file COMMANDS, else all) and prints, for each, exit status, a hash of the output (standard
#             output, or the file that -o writes), a hash of the messages, and the command
# Keep the list of commands when verbs or panels get other names: the old ones must still give the same bytes.
#   sh tests/net.sh build commands >commands; sh tests/net.sh build run commands >before; ...; diff before after
set -u
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=$(cd "$1" && pwd):$PATH
export PATH
cd "$root" || exit 1
plain="data/cholesky-ws.csv data/cholesky-2nodes data/cholesky-decisions data/cholesky-paje data/qr-mumps-like.csv data/mpi-halo data/mpi-overlap
data/mpi-steps data/placement/grouped data/e5-2650 tests/data/fxt/1.4.12 tests/data/fxt/cholesky-12-2ranks tests/data/paje-2ranks
tests/data/paje/smpi-two-ranks.trace tests/data/nbc/osu-full.txt"
drawn="data/cholesky-ws.csv data/cholesky-2nodes data/cholesky-decisions data/qr-mumps-like.csv data/mpi-halo data/mpi-steps data/placement/grouped
tests/data/fxt/cholesky-12-2ranks"

verbs() { traceviz help verbs; }
panels() { traceviz help panels | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'; }

commands() {
	verbs | while read -r verb; do
		case $verb in record | help | series | list | plot | convert | simulate | generate | compare | precision) continue ;; esac
		traceviz "$verb" --help | sed -n '/^Example:$/{n;s/^  traceviz //p}' | grep -v '[|&;]'
		for sample in $plain; do
			printf '%s\n' "$verb -q --csv $sample" "$verb -q --json $sample"
		done
	done
	for sample in $plain; do
		printf '%s\n' "convert -q $sample -o -" "convert -q $sample -o OUT.dot" "convert -q $sample -o OUT.rec" "diagnose $sample"
	done
	printf '%s\n' "compare --csv data/cholesky-ws.csv data/cholesky-dmda.csv" "compare data/cholesky-ws.csv data/cholesky-dmda.csv" \
		"simulate -q data/cholesky-ws.csv -o -" "simulate -q data/cholesky-ws.csv --platform epyc7452 -o -" "generate cholesky --tiles 6 -o -"
	for sample in $drawn; do
		printf '%s\n' "$sample -q -o OUT.svg" "$sample -q -o OUT.html"
		for panel in $(panels); do
			printf '%s\n' "$sample -q --panels $panel -o OUT.svg" "$sample -q --panels $panel -o OUT.html"
		done
	done
	printf '%s\n' "--facet data/cholesky-ws.csv data/cholesky-dmda.csv -q -o OUT.svg" "data/cholesky-2nodes --facet-by node -q -o OUT.svg"
}

hash() { sha256sum <"$1" | cut -c1-16; }

run() { # commands of standard input
	here=$(mktemp -d "${TMPDIR:-/tmp}/traceviz-net.XXXXXX") || exit 1
	trap 'rm -rf "$here"' EXIT
	while IFS= read -r command; do
		rm -rf "${here:?}"/*
		words=$(printf '%s\n' "$command" | sed "s|OUT\\.|$here/out.|g; s|(|\\\\(|g; s|)|\\\\)|g")
		eval "timeout 300 traceviz $words" >"$here/stdout" 2>"$here/stderr" </dev/null # quotes of examples hold blanks
		status=$?
		sed "s|$here|OUT|g" "$here/stderr" >"$here/messages"
		for file in "$here"/out.*; do
			[ ! -f "$file" ] || cat "$file" >>"$here/stdout"
		done
		printf '%s %s %s %s\n' "$status" "$(hash "$here/stdout")" "$(hash "$here/messages")" "$command"
	done
}

case $2 in
commands) commands | awk '!seen[$0]++' ;;
run)
	if [ $# -gt 2 ]; then cat "$3"; else commands | awk '!seen[$0]++'; fi | run
	;;
*) sed -n '3,10s/^# *//p' "$0"; exit 2 ;;
esac
