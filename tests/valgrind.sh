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
for verb in $("$program" help verbs); do
	case $verb in
	plot) for end in pdf png svg csv; do clean data/cholesky-ws.csv -o "$out/report.$end"; done ;;
	convert) clean convert data/cholesky-paje -o "$out/run" ;;
	compare) for format in --csv --json; do clean compare $format data/cholesky-paje x=data/cholesky-dmdas.csv \
		x=data/cholesky-dmda.csv --durations-from pool --fail-if 'makespan.ratio > 0.1' --require-confidence; done ;;
	record) clean record -f -o "$out/recorded" -- "$program" --version ;;
	platform) clean platform tests/data/platform/zones.xml --routes "*,a"; clean platform tests/data/platform/topology.xml --links ;;
	*) clean "$verb" data/cholesky-ws.csv; clean "$verb" --json data/cholesky-paje ;;
	esac
done
for verb in messages comm-matrix "bandwidth --of all --step 5" "in-flight --by link" load-balance "late-start --chain" \
	"idle-causes --by cause,handle --step 20"; do
	# shellcheck disable=SC2086
	clean $verb data/cholesky-2nodes
done
for verb in "transfers --by Origin,Dest" "memory --summary" "memory --from events --step 5" "handles --summary" \
	"handles --job 27" "residency --at 100,200"; do
	# shellcheck disable=SC2086
	clean $verb data/cholesky-paje
done
for verb in tree "tree-usage --by position --step 10" open-fronts "front-memory --by node" "starvation --by node" \
	"distribution --boxes" "distribution --scale log --shared" "regression --points 5"; do
	# shellcheck disable=SC2086
	clean $verb data/qr-mumps-like.csv
done
# Every panel, with layers and annotations; panels of a Paje trace; facets; a file of settings.
panels=$("$program" plot --help | sed -n '/^Panels/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' | grep -vx zoom | paste -sd,)
for end in png svg; do
	clean -q data/cholesky-ws.csv --panels "$panels" --height 40 --spacetime.chains outlier --spacetime.observed both \
		--ready.lack --ready.counter --progress.show segments,tasks,curves,middle --caption "$out/x.tex" \
		--mark 100=here --span 200..300=there --highlight 'Value ~ GEMM' --arrow 27:31 --task-labels JobId \
		--zoom 100..200,CUDA* --dump-boxes "$out/boxes.csv" -o "$out/all.$end"
done
clean -q data/qr-mumps-like.csv --panels "$panels" --height 49 -o "$out/tree.pdf"
for layer in "--spacetime.aggregate consecutive" "--spacetime.aggregate slices" "--spacetime.aggregate nodes" "--spacetime.merged type:potrf" \
	"--spacetime.tasks outlier --spacetime.deps all"; do
	# shellcheck disable=SC2086
	clean -q data/cholesky-ws.csv --panels spacetime $layer -o "$out/layer.pdf"
done
clean -q data/cholesky-paje --panels spacetime,counter,utilization --counter.name '*' -o "$out/paje.pdf"
clean -q a=data/cholesky-ws.csv b=data/cholesky-dmda.csv b=data/cholesky-dmdas.csv --facet --share-x per-row -o "$out/facets.pdf"
clean plot --preset paper-column --panels ready --print-config
"$program" plot --preset slide --panels spacetime,ready --print-config >"$out/x.yaml"
clean -q data/cholesky-ws.csv --config "$out/x.yaml" -o "$out/config.pdf"
printf 'st:\n  no-such: 1\n' >"$out/bad.yaml"
clean -q data/cholesky-ws.csv --config "$out/bad.yaml" -o "$out/config.pdf"
# Dense rows: images, marks, rows lower than a cell.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId"
	for (i = 0; i < 30000; i++) printf "CPU%d,k%d,%.6f,%.6f,%d\n", i % 600, i % 5, int(i / 600) * 2, int(i / 600) * 2 + 1 + i % 7 / 8, i
	}' >"$out/dense.csv"
for end in pdf png; do clean -q "$out/dense.csv" --panels spacetime --height 2.5 -o "$out/dense.$end"; done
head -c 30000 data/cholesky-ws.csv >"$out/cut.csv"
clean convert "$out/cut.csv" -o -
clean outliers --where 'Duration > 5 and (Value ~ G or not JobId in (3, 4))' --only '*M' data/cholesky-ws.csv
clean bounds --no-such-option
clean nowhere.csv -o "$out/x.pdf"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
