#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every #include of ours points to the same folder or to one that the table below names for it; no circle between folders.
# No pass includes a header of another pass, no panel one of another panel. Files are written in one place.
# layers.sh --picture prints which folder includes which, and how often.
cd "$(dirname "$0")/.." || exit 1
bad=0

# A folder: the folders and files that its files may include, besides itself. A folder without a line follows that of the
# folder around it; a folder that is named brings those in it that have lines only where it ends in /.
layers() {
	cat <<'EOF'
trace:
monitor: trace
record/loaded:
record/tool: trace monitor record/loaded
record/gdb: record/loaded
sql: trace
convert: trace monitor sql record/loaded/log.h analysis/core/team.h
dag: trace
lp: trace dag
sim: trace dag
analysis/core: trace dag lp
analysis/messages: trace dag analysis/core
analysis/data: trace dag analysis/core analysis/messages
sim/model: trace dag sim analysis/core analysis/data analysis/messages
analysis/tasks: trace dag lp analysis/core analysis/calls
analysis/machine: trace monitor dag analysis/core analysis/tasks
analysis/bounds: trace dag lp analysis/core analysis/messages analysis/data analysis/machine sim/model
analysis/efficiency: trace dag lp sim analysis/core analysis/bounds analysis/calls analysis/messages analysis/mpi analysis/tasks sim/model
analysis/calls: trace dag analysis/core analysis/messages
analysis/mpi: trace dag analysis/core analysis/messages analysis/calls
analysis/decisions: trace dag analysis/core
analysis/fronts: trace dag analysis/core analysis/tasks
analysis/compare: trace dag lp analysis/core analysis/bounds analysis/calls
analysis/diagnose: trace dag lp sim analysis/core analysis/tasks analysis/bounds analysis/data analysis/messages analysis/calls analysis/mpi sim/model
analysis: trace analysis/
views/scene: trace
views/backends: trace views/scene
views/shared: trace dag lp analysis/ analysis views/scene
views/rows: trace dag lp analysis/ analysis views/scene views/shared
views/charts: trace dag lp analysis/ analysis views/scene views/shared views/rows
views/layers: trace dag lp analysis/ analysis views/scene views/shared views/rows views/charts
views/annotate: trace dag lp analysis/ analysis views/scene views/shared views/rows views/charts
views/report: trace dag analysis/ analysis views/scene views/shared views/backends
views/panels: trace dag lp sim/model analysis/ analysis views/scene views/shared views/rows views/charts views/layers views/annotate
views: views/panels views/shared
views/page: trace dag lp analysis/ analysis views/
views/platform: trace sim views/scene views/shared/options.h views/backends views/page/plot.h
include:
lib: include trace cli
cluster: trace analysis/core cli
cli: trace monitor record/tool record/loaded sql convert dag lp sim sim/ analysis/ analysis views/ views
EOF
}

# What each file includes, as "FILE HEADER".
includes() {
	# shellcheck disable=SC2046 # one word per folder
	grep -ro --include='*.[ch]' '^#include "[^"]*"' $(layers | sed 's,[/:].*,,' | sort -u) | sed 's/:#include "/ /; s/"$//' | sort
}

list=$(mktemp -d) || exit 1
trap 'rm -rf "$list"' EXIT
layers >"$list/layers"
includes >"$list/includes"
awk -v picture="${1:-}" -v edges="$list/edges" '
function folder_of(path) {
	while (sub(/\/[^\/]*$/, "", path))
		if (path in allowed) return path
	return "no folder of the table"
}
function is_allowed(from, to, header,   name, n, i) {
	n = split(allowed[from], name, " ")
	for (i = 1; i <= n; i++)
		if (name[i] == to || name[i] == header || name[i] ~ /\/$/ && index(to "/", name[i]) == 1) return 1
	return from == to
}
FNR == NR { split($0, part, ": *"); allowed[part[1]] = part[2]; next }
{
	from = folder_of($1); to = folder_of($2)
	if (!is_allowed(from, to, $2)) {
		print $1 ": includes " $2 "; " from " may include only: " from " " allowed[from] >"/dev/stderr"
		bad = 1
	}
	if (from != to) count[from " " to]++
}
END {
	for (pair in count) {
		print pair >edges
		if (picture == "--picture") { split(pair, of, " "); print of[1] " -> " of[2] " " count[pair] | "sort" }
	}
	exit bad
}' "$list/layers" "$list/includes" || bad=1
[ "${1:-}" != --picture ] || exit $bad
tsort "$list/edges" >/dev/null || bad=1 # says which folders are a circle
# Files of verbs and panels have no header that another one could include.
for file in $(grep -lE '^const struct tv_pass ' analysis/*/*.c) views/panels/*.c; do
	[ ! -e "${file%.c}.h" ] || { echo "${file%.c}.h: the header of a verb or panel; what others use has a file of its own" >&2; bad=1; }
done
# Files are written by trace/output*.c alone, which know how they appear whole or not at all; but raw logs grow.
folders=$(sed 's,[/:].*,,' "$list/layers" | sort -u)
# shellcheck disable=SC2086
if grep -rnE --include='*.c' 'fopen\([^,]*, *"[wa]|O_CREAT|mk(o?s?)temp|[^_a-z]rename\(|cairo_(pdf|svg)_surface_create\(|surface_write_to_png\(' \
	$folders | grep -v '^\(trace/\(output\|output_folder\|unfinished\)\|record/loaded/log\|cli/record_folder\)\.c:' >&2; then
	echo "files are written through trace/output.h only" >&2
	bad=1
fi
# Tables that may be left unread are had through the accessor, which knows whether the command declares them.
if grep -rnE --include='*.[ch]' 'table\[TV_(STATES|VARIABLES|EVENTS)\]' analysis views dag >&2; then
	echo "these tables are read through tv_trace_table only" >&2
	bad=1
fi
# A list of texts with a size of its own is filled up with NULL where a text is missing.
# shellcheck disable=SC2086
if grep -rnE --include='*.c' 'char \*const [a-z_]+\[[A-Za-z_]+\] = \{' $folders >&2; then
	echo "lists of texts: no size, but a static assert, or made from the list of their enum" >&2
	bad=1
fi
exit $bad
