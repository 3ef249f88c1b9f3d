#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lint.sh: format of all C files (.clang-format), cppcheck on the program, shellcheck on all shell scripts.
cd "$(dirname "$0")/.." || exit 1
bad=0
cppcheck=$(mktemp -d) || exit 1
trap 'rm -rf "$cppcheck"' EXIT

echo "clang-format"
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror 2>&1 | grep ': error:' >"$cppcheck/format"
cut -d: -f1 "$cppcheck/format" | sort | uniq -c | sed 's/$/: lines not as .clang-format has them (make format)/'
[ -s "$cppcheck/format" ] && bad=1

echo "cppcheck"
cppcheck -q -j "$(nproc)" --std=c11 --language=c --enable=warning,performance,portability --inline-suppr -I. -D_GNU_SOURCE \
	--suppressions-list=tests/cppcheck.supp --cppcheck-build-dir="$cppcheck" --error-exitcode=1 \
	--template='{file}:{line}: {severity}: {message} [{id}]' trace monitor record sql convert dag lp sim analysis views cli lib cluster examples/lib || bad=1

git ls-files -s 'tests/cli/*.t' 'tests/long/*.t' | grep -v '^100755' && { echo "tests must be executable"; bad=1; }

# Left out, because in these scripts they are no mistakes:
#   SC1007 `a= b=1` sets two variables;  SC2010 names of files that a test itself made are plain;
#   SC2238 files named cut or shift, as a test calls its data
echo "shellcheck"
git ls-files '*.sh' '*.t' .ci/run | xargs shellcheck -x -P SCRIPTDIR -S warning -e SC1007,SC2010,SC2238 || bad=1
exit $bad
