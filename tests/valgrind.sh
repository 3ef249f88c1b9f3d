#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every verb and medium once under valgrind: no invalid access, no leak but of the libraries in valgrind.supp.
cd "$(dirname "$0")/.." || exit 1
program=${TRACEVIZ_BIN:-build}/traceviz
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
passed=0 failed=0

clean() { # ARGS...
	if valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible \
		--suppressions=tests/valgrind.supp "$program" "$@" >/dev/null 2>"$out/log" </dev/null \
		|| { [ $? -ne 99 ] && ! grep -q '^==' "$out/log"; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not clean: traceviz $*"
		head -30 "$out/log"
	fi
}
for verb in $("$program" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
	case $verb in
	plot) for end in pdf png svg csv; do clean data/cholesky-ws.csv -o "$out/report.$end"; done ;;
	convert) clean convert data/cholesky-paje -o "$out/run" ;;
	compare) for format in --csv --json; do clean compare $format data/cholesky-paje x=data/cholesky-dmdas.csv \
		x=data/cholesky-dmda.csv --weights-from pool --fail-if 'makespan.ratio > 0.1' --require-confidence; done ;;
	*) clean "$verb" data/cholesky-ws.csv; clean "$verb" --json data/cholesky-paje ;;
	esac
done
for verb in tree "tree-usage --by position --step 10" active-nodes "node-memory --by node" "lack --by node" \
	"distribution --boxes" "distribution --scale log --shared" "model --points 5"; do
	# shellcheck disable=SC2086
	clean $verb data/qr-mumps-like.csv
done
head -c 30000 data/cholesky-ws.csv >"$out/cut.csv"
clean convert "$out/cut.csv" -o -
clean outliers --where 'Duration > 5 and (Value ~ G or not JobId in (3, 4))' --only '*M' data/cholesky-ws.csv
clean bounds --no-such-option
clean nowhere.csv -o "$out/x.pdf"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
