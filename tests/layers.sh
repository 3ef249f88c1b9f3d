#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every #include of ours points to the same folder or to one below it, also inside analysis/ and views/. No pass
# includes a header of another pass, no panel one of another panel.
# Files are written in one place. layers.sh --picture prints which folder includes which, and how often.
cd "$(dirname "$0")/.." || exit 1
bad=0

if [ "${1:-}" = --picture ]; then
	for layer in trace record convert dag lp sim analysis views cli; do
		grep -ro --include='*.[ch]' '^#include ".*/' "$layer" | sort
	done | awk -F: '
	{
		from = to = $0
		sub(/\/[^\/]*:.*/, "", from); sub(/.*"/, "", to); sub(/\/$/, "", to)
		if (!(from in seen)) order[++n] = from
		seen[from]
		if (from != to && !count[from, to]++) list[from] = list[from] " " to
	}
	END {
		for (i = 1; i <= n; i++) {
			line = ""
			m = split(list[order[i]], name, " ")
			for (k = 1; k <= m; k++) line = line (k > 1 ? ", " : "") name[k] " " count[order[i], name[k]]
			printf "%-18s -> %s\n", order[i], line == "" ? "nothing of ours" : line
		}
	}'
	exit
fi

# allow FOLDER ALLOWED...: the folders and files that files of FOLDER may include, sub-folders with them.
allow() {
	folder=$1; shift
	for file in "$folder"/*.[ch] "$folder"/*/*.[ch] "$folder"/*/*/*.[ch]; do
		[ -e "$file" ] || continue
		for header in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
			for ok in "$folder" "$@"; do
				case $header in "$ok"|"$ok"/*) continue 2;; esac
			done
			echo "$file: includes $header; $folder may include only: $folder $*" >&2
			bad=1
		done
	done
}

allow trace
allow record
allow convert trace record/log.h
allow dag trace
allow lp trace dag
allow sim trace dag
allow analysis trace dag lp sim
allow analysis/shared trace dag lp sim
allow analysis/passes trace dag lp sim analysis/shared
allow analysis/compare trace dag lp analysis/shared
allow analysis/diagnose trace dag lp sim analysis/shared
allow views trace analysis dag lp sim
allow views/scene trace
allow views/backends trace views/scene
allow views/shared trace analysis dag lp views/scene
allow views/rows trace analysis dag lp views/scene views/shared
allow views/charts trace analysis dag lp views/scene views/shared views/rows
allow views/layers trace analysis dag lp views/scene views/shared views/rows views/charts
allow views/annotate trace analysis dag lp views/scene views/shared views/rows views/charts
allow views/platform trace sim views/scene views/shared/options.h views/backends views/plot.h
allow views/report trace analysis dag views/scene views/shared views/backends
allow views/panels trace analysis dag lp views/scene views/shared views/rows views/charts views/layers views/annotate
allow cli trace record convert dag lp sim analysis views
for file in analysis/passes/*.c views/panels/*.c; do
	for header in $(sed -n 's/^#include "\(\(analysis\/passes\|views\/panels\)\/.*\)".*/\1/p' "$file"); do
		[ "$header" = "${file%.c}.h" ] || { echo "$file: includes $header of another pass or panel" >&2; bad=1; }
	done
done
# Files are written by trace/output.c alone, which knows how they appear whole or not at all; but raw logs grow.
folders=$(sed -n 's/^allow \([a-z]*\).*/\1/p' tests/layers.sh | sort -u)
# shellcheck disable=SC2086
if grep -rnE --include='*.c' 'fopen\([^,]*, *"[wa]|O_CREAT|mk(o?s?)temp|[^_a-z]rename\(|cairo_(pdf|svg)_surface_create\(|surface_write_to_png\(' \
	$folders | grep -v '^\(trace/\(output\|unfinished\)\|record/log\|cli/record_folder\)\.c:' >&2; then
	echo "files are written through trace/output.h only" >&2
	bad=1
fi
# A list of texts with a size of its own is filled up with NULL where a text is missing.
# shellcheck disable=SC2086
if grep -rnE --include='*.c' 'char \*const [a-z_]+\[[A-Za-z_]+\] = \{' $folders >&2; then
	echo "lists of texts: no size, but a static assert, or made from the list of their enum" >&2
	bad=1
fi
exit $bad
