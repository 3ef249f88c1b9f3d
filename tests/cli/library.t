#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# library.t: what libtraceviz exports, its headers, make install, the examples, and that it prints nothing and leaks nothing
. "$(dirname "$0")/lib.sh"
plan 17
bin=${TRACEVIZ_BIN:-$ROOT/build}
header=$ROOT/include/traceviz/trace.h
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

# What is exported: the functions of the header and nothing else.
grep -o 'traceviz_[a-z_]*(' "$header" | tr -d '(' | sort -u >declared
is "$(($(wc -l <declared) > 20))" 1 "the header declares functions"
nm -D --defined-only "$bin/libtraceviz.so" | awk '{ print $3 }' | sort >shared
is "$(diff declared shared)" "" "the shared library exports them alone"
nm -g --defined-only "$bin/libtraceviz.a" | awk 'NF == 3 { print $3 }' | sort >static
is "$(diff declared static)" "" "the static one, too"

# The headers, in both languages
printf '#include <traceviz/trace.h>\n#include <traceviz/arrow.h>\nint main(void) { return traceviz_version() == 0; }\n' >use.c
# shellcheck disable=SC2086 # several words
ok "the headers are C11 without warnings" ${CC:-cc} -std=c11 $warnings -I"$ROOT/include" -fsyntax-only use.c
if command -v c++ >/dev/null; then
	# shellcheck disable=SC2086
	ok "and C++17" c++ -x c++ -std=c++17 $warnings -I"$ROOT/include" -fsyntax-only use.c
else skip 1 "no c++"; fi

# Installed, found by pkg-config
case ${CFLAGS:-}$(nm -D "$bin/libtraceviz.so" | grep -m1 __asan) in
'')
	ok "make install" make -s -C "$ROOT" BUILD="$bin" PREFIX="$SANDBOX/usr" install-built
	PKG_CONFIG_PATH=$SANDBOX/usr/lib/pkgconfig
	export PKG_CONFIG_PATH
	is "$(pkg-config --modversion traceviz)" "$(traceviz --version | sed -n '1s/traceviz //p')" "pkg-config knows its version"
	# shellcheck disable=SC2046
	ok "a program is built with it" ${CC:-cc} -o shared-one "$ROOT/examples/lib/causes.c" $(pkg-config --cflags --libs traceviz)
	run env LD_LIBRARY_PATH="$SANDBOX/usr/lib" ./shared-one "$DATA/cholesky.csv"
	cp stdout causes
	# shellcheck disable=SC2046
	ok "and with the static one" ${CC:-cc} -o static-one "$ROOT/examples/lib/causes.c" \
		$(pkg-config --static --cflags --libs traceviz | sed "s,-ltraceviz,$SANDBOX/usr/lib/libtraceviz.a,")
	run ./static-one "$DATA/cholesky.csv" static.svg
	is "$rc $(cat stderr) $(cmp stdout causes)" "0  " "both give the same"
	traceviz "$DATA/cholesky.csv" -q -o command.svg
	is "$(sed 's/static\.svg/command.svg/g' static.svg | cmp - command.svg)" "" "the picture is that of the command"
	;;
*) skip 6 "sanitizers are of the program" ;;
esac

# The examples, against the command
causes=$bin/examples/lib/causes arrow=$bin/examples/lib/arrow
[ -x "$causes" ] && [ -x "$arrow" ] || { skip 6 "no examples (make examples)"; exit 0; }
run "$causes" "$DATA/cholesky.csv" report.svg
is "$rc $(awk '{ print $1, $2, $4 }' stdout)" "0 $(traceviz idle-causes -q --by run --csv "$DATA/cholesky.csv" |
	awk -F, "$by_name"'{ printf "%s %.3f %.2f\n", $c["Cause"], $c["Time"], $c["Share"] }')" "causes prints what the command prints"
run "$causes" nowhere.csv
is "$rc $(cat stderr)" "1 causes: nowhere.csv: cannot open: No such file or directory" "an error is a message, printed by the program"
run "$arrow" "$DATA/cholesky.csv" summary
is "$(sed -n 's/^\(Tasks\|Time\) .*: .* sum /\1 /p' stdout)" "$(traceviz summary -q --csv "$DATA/cholesky.csv" |
	awk -F, "$by_name"'{ tasks += $c["Tasks"]; time += $c["Time"] } END { printf "Tasks %d\nTime %.0f\n", tasks, time * 1e6 }')" \
	"arrow sums what the command prints"
run "$arrow" "$DATA/cholesky.csv" summary --by Nope
is "$rc $(cat stderr)" "1 arrow: $(traceviz summary --by Nope "$DATA/cholesky.csv" 2>&1 | sed 's/traceviz: //')" \
	"nothing but the program's message is on standard error, the words of the command"
if command -v valgrind >/dev/null && ! nm -D "$bin/libtraceviz.so" | grep -q __asan; then
	for program in "$causes $DATA/cholesky-ws.csv report.svg" "$arrow $DATA/cholesky-ws.csv deps"; do
		# shellcheck disable=SC2086
		ok "no leak: ${program##*/}" valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible \
			--suppressions="$ROOT/tests/valgrind.supp" $program
	done
else skip 2 "no valgrind"; fi
