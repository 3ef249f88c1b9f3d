#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# glibc.sh LIBRARY...: which glibc these libraries need; fails if one needs a newer one than 2.28, as what is loaded into
# recorded programs must run on systems that are older than the one that it was built on.
max=2.28
bad=0
for library in "$@"; do
	[ -f "$library" ] || { echo "$library is missing"; bad=1; continue; }
	symbols=$(objdump -T "$library" | sed -n 's/.*\*UND\*.*(\{0,1\}GLIBC_\([0-9.]*\))\{0,1\} *\(.*\)/\1 \2/p' | sort -V)
	newest=$(printf '%s\n' "$symbols" | sed -n '$s/ .*//p')
	echo "${library##*/}: glibc ${newest:-none}"
	if [ "$(printf '%s\n' "$newest" $max | sort -V | tail -n 1)" != $max ]; then
		printf '%s\n' "$symbols" | while read -r version name; do
			[ "$(printf '%s\n' "$version" $max | sort -V | tail -n 1)" = $max ] || echo "	$name needs glibc $version"
		done
		bad=1
	fi
done
exit $bad
