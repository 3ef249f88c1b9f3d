#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# same-input.t: verbs and panels give the same bytes of a trace as CSV, compressed CSV, SQLite, Parquet and in parts, with 1 and 8 threads
# SAMPLES="data/cholesky.csv ...": of these instead of the one of the suite; all: of every sample, which takes hours
# needs zstd
. "$(dirname "$0")/lib.sh"
samples=${SAMPLES:-tests/data/fxt/cholesky-12-2ranks}
[ "$samples" != all ] || samples="$(cd "$ROOT" && echo data/chol*.csv data/qr*.csv data/cholesky-[2dp]*/ data/cholesky-4nodes/* data/mpi-*/ data/placement/*/ data/e5-2650 tests/data/fxt/*/ tests/data/paje-2ranks)"
plan "$(echo "$samples" | wc -w | awk '{ print 5 * $1 }')"

# as FORMAT: the tables of ./run in that format, as ./FORMAT/run
as() {
	mkdir "$1"
	case $1 in
	csv) cp -r run csv ;;
	zstd) cp -r run zstd && zstd -q --rm zstd/run/*.csv ;;
	sqlite) traceviz convert -q run -o run.sqlite && mv run.sqlite sqlite/run ;;
	parquet) traceviz convert -q --to parquet run -o parquet/run ;;
	parts) traceviz convert -q --partition Node run -o parts/run ;;
	esac
}

for sample in $samples; do
	traceviz convert -q "$ROOT/$sample" -o run || exit 1
	for format in csv zstd sqlite parquet parts; do as $format; done
	results csv --threads 1 &
	results zstd --threads 8
	wait
	results sqlite --threads 1 &
	results parquet --threads 8
	wait
	mkdir twice
	cp -r parts/run twice
	results parts --threads 8 &
	results twice --threads 1
	wait
	rm -rf ./*/run
	for format in zstd sqlite parquet parts twice; do
		ok "$sample: as CSV ($format)" diff -rq csv $format
		rm -rf $format
	done
	rm -rf csv run
done
