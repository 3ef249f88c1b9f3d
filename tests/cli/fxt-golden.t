#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fxt-golden.t: the tables against tasks.rec, data.rec, comms.rec, dag.dot and paje.trace as
# StarPU's converters of the matching versions made them. What may differ is in docs/formats/fxt.md;
# beyond that nothing may.
# needs zstd perl
. "$(dirname "$0")/lib.sh"
plan 12
check() { # GOLDEN TRACE
	mkdir golden
	folder=$TESTDATA/golden/$1
	[ -d "$folder" ] || folder=$SHARED/golden/$1
	for f in "$folder"/*.zst; do
		name=${f##*/}
		zstd -dqf "$f" -o "golden/${name%.zst}"
	done
	traceviz convert -q --zero none "$2" -o csv
	perl "$ROOT/tests/cli/fxt-golden.pl" csv golden >report
	is "$? $(grep -v ' 0 differ$' report | grep ' differ$')" "0 " "$1"
	# A comparison of nothing would find no difference.
	is "$(sed -n 's/.*: \([0-9]*\) compared.*/\1/p' report |
		awk '{ n += $1 } END { print (n > 8000) }')" 1 "$1: thousands compared"
	rm -rf golden csv
}
check cholesky-12-dmdas "$TESTDATA/fxt/cholesky-12-dmdas"
check cholesky-12-dmdas-1.3 "$TESTDATA/fxt/cholesky-12-dmdas-1.3"
need_shared 8
check cholesky-mirage-12-unconstrained-ws "$SHARED/data/cholesky-mirage/12/unconstrained/ws"
check mpi-cholesky-20-dmdas-2nodes "$SHARED/data/mpi/cholesky-20-dmdas-2nodes"
check native-cholesky-12-2ranks "$SHARED/data/native/cholesky-12-2ranks"
check native-cholesky-16-lws "$SHARED/data/native/cholesky-16-lws"
