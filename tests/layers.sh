#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every #include of ours points to the same folder or one below it; passes do not include each other,
# only what several of them share: headers of files that are no pass.
cd "$(dirname "$0")/.." || exit 1
bad=0

# allow FOLDER ALLOWED...: the folders that files of FOLDER may include.
allow() {
	folder=$1; shift
	for file in "$folder"/*.[ch]; do
		[ -e "$file" ] || continue
		for header in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
			for ok in "$folder" "$@"; do
				case $header in "$ok"/*) continue 2;; esac
			done
			echo "$file: includes $header; $folder may include only: $folder $*" >&2
			bad=1
		done
	done
}

allow trace
allow convert trace
allow dag trace
allow lp trace dag
allow analysis trace dag lp
allow views trace analysis dag lp
allow cli trace convert dag lp analysis views
for file in analysis/*.c; do
	[ -e "$file" ] || continue
	for header in $(sed -n 's/^#include "\(analysis\/.*\)".*/\1/p' "$file"); do
		# Of a header whose .c is a pass, only that pass makes use; the others are shared code.
		case $header in analysis/passes.h|"${file%.c}.h") continue ;; esac
		if grep -q '^const struct tv_pass tv_pass_' "${header%.h}.c"; then
			echo "$file: includes $header of another pass" >&2
			bad=1
		fi
	done
done
exit $bad
