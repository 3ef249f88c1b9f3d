#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# runner.t: what tests/run.sh skips and refuses
. "$(dirname "$0")/lib.sh"
plan 6

printf '#!/bin/sh\n# needs perl\necho 1..1\necho ok 1\n' >one.t
# needing LINE PATH: runs that test, and one of two checks with that line.
needing()
{
	printf '#!/bin/sh\n# needs %s\nplan 2\n' "$1" >two.t
	chmod +x one.t two.t
	run env PATH="$2" /bin/sh "$ROOT/tests/run.sh" ./one.t ./two.t
}

needing 'zstd both runs' "$PATH"
is "$rc" 2 "a comment that only looks like a list of programs is refused"
like "$(cat stderr)" "./two.t: '# needs both', expected programs of this list: * zstd *" "with the test and the word"

mkdir bin
for program in sh sed perl prove awk grep mktemp rm dirname; do ln -s "$(command -v "$program")" bin/; done
needing 'zstd perl' "$PWD/bin"
like "$(cat stdout)" "SKIPPED: ./two.t with 2 checks, which needs zstd*" "a test without its program is skipped"
is "$rc/$(tail -1 stdout)" "0/1 passed, 0 failed, 2 skipped" "its checks are counted, the other test runs"

run env -u LC_ALL LANG=xx_XX.UTF-8 sh "$ROOT/tests/run.sh" ./one.t
is "$(grep -c "^perl: warning" stdout)/$(tail -1 stdout)" "0/1 passed, 0 failed, 0 skipped" "a locale that the machine does not have is no matter"

for program in glpsol gvpr pdffonts pdfinfo pdftoppm pdftotext pj_dump recsel rsvg-convert xmllint zstd; do
	for test in $(grep -lE "^[^#]*\b$program +(\"?\\\$|-)" "$ROOT"/tests/cli/*.t); do
		sed -n 's/^# needs //p' "$test" | grep -qw -- "$program" || grep -q "command -v $program" "$test" || echo "$test: $program"
	done
done >unnamed
is "$(cat unnamed)" "" "tests name programs that they call, or look for them"
