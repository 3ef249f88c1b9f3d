#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# idle-oracle.t: causes of idle time as the words of their documentation have them; more and larger traces
# needs zstd
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tests/cli/idle-oracle.sh
. "$ROOT/tests/cli/idle-oracle.sh"
plan 6

seed 1
mkdir random
perl "$ROOT/tests/oracle/idle-traces.pl" "$seed" 500 random
is_as_in_words "500 random traces" random/*
for trace in "$DATA/cholesky.csv" "$DATA/cholesky-4nodes/p1x4"; do
	as_folder "$trace" sample
	is_as_in_words "$(basename "$trace")" sample
done
need_shared 3
for trace in review/lu20-dmdas mpi/cholesky-20-dmdas-2nodes mpi/cholesky-40-dmdas-2nodes; do
	as_folder "$SHARED/data/$trace" sample
	is_as_in_words "$trace" sample
done
