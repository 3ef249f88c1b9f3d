#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests named (unit test programs, *.t scripts, *.test cases, all TAP); the last line is "N passed, N failed, N skipped".
# A script is skipped whole if a program is missing that a line "# needs PROGRAM..." in it names.
# Each test has a line as it begins (on 3, because its output is collected).
if [ "$1" = --one ]; then
	echo "  TEST  $2" >&3
	case $2 in *.test) exec perl "$(dirname "$0")/cases/run.pl" "$2" 3>&- ;; esac
	exec "$2" 3>&-
fi
# Of a locale that the machine does not have, perl would warn in each test.
export LC_ALL=C CMOCKA_MESSAGE_OUTPUT=TAP
LSAN_OPTIONS="suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.supp:print_suppressions=0"
export LSAN_OPTIONS
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
# What such a line may name: programs that DEPS and TEST_DEPS of the Makefile install. Other words are no list of programs.
known=' bash clang gcc gfortran glpsol gvpr gzip mawk objcopy pdffonts pdfinfo pdftoppm pdftotext perl pj_dump readelf recsel rsvg-convert strip taskset xmllint zstd '
absent=0
for test in "$@"; do
	shift
	missing=
	case $test in *.t) for program in $(sed -n 's/^# needs //p' "$test" 2>/dev/null); do
		case $known in *" $program "*) ;; *)
			echo "$test: '# needs $program', expected programs of this list:$known" >&2
			exit 2 ;;
		esac
		command -v "$program" >/dev/null || missing="$missing $program"
	done ;; esac
	if [ -z "$missing" ]; then set -- "$@" "$test"; continue; fi
	n=$(sed -n 's/^plan \([0-9]*\).*/\1/p' "$test")
	echo "SKIPPED: $test with ${n:-its} checks, which needs$missing"
	absent=$((absent + ${n:-1}))
done
# A caller may ignore signals (nohup, a job in the background); tests need them as they usually are.
perl -e '$SIG{$_} = "DEFAULT" for qw(INT QUIT HUP TERM PIPE); exec @ARGV or die' \
	prove -j2 -v --exec "sh $0 --one" "$@" 3>&1 >"$out" 2>&1
status=$?
# prove -v prints every line; what is worth reading are failures, each with the last seed before it, skips and the summary.
awk '/^# seed / { seed = $0; next }
	/^not ok / && seed != "" { print seed }
	/^(not )?ok / { seed = "" }
	!/^ok [0-9]+( - .*)?$/ || /# SKIP/ { if (!/^1\.\.[0-9]+$/) print }
	END { if (seed != "") print seed }' "$out"
# Failures once more, each with its test and what it said, for those who see only the end of a long log.
awk '/^[^ #]+ \.\.+ *$/ { test = $1 }
	/^not ok / { failed = 12; print test ": " $0; next }
	/^(ok |1\.\.)/ { failed = 0 }
	failed && /^#/ { failed--; print "\t" $0 }' "$out"
passed=$(grep -c '^ok ' "$out")
skipped=$(grep -ci '^ok .*# SKIP' "$out")
failed=$(grep -c '^not ok ' "$out")
[ "$status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
echo "$((passed - skipped)) passed, $failed failed, $((skipped + absent)) skipped"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
