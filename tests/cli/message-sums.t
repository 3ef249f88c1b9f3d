#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# message-sums.t: comm-matrix, message-sizes and load-balance add up what messages lists, in every window and for every node
. "$(dirname "$0")/lib.sh"
plan 41

compare() { # TRACE OPTION...
	trace=$1; shift
	for verb in messages comm-matrix message-sizes load-balance; do
		traceviz $verb "$trace" "$@" --csv -q >"$verb.csv" 2>/dev/null || { is "$verb" "a table" "$trace $*"; return; }
	done
	is "$(perl "$ROOT/tests/cli/message_sums.pl" messages.csv comm-matrix.csv message-sizes.csv load-balance.csv)" "" "${trace##*/} $*"
}
# Windows of several lengths all over the run. In the first one, a message that was received before it was sent caused idle time.
for trace in "$TESTDATA/paje-2ranks" "$DATA/cholesky-2nodes"; do
	compare "$trace"
	compare "$trace" --node 0
	compare "$trace" --node 1 --begin 5 --end 30
	for window in "1 40" "0 10" "3 4" "20 21" "15 60" "39 41" "0.2 1" "50 51" "25 47" "7 7.5" "30 50" "2.5 33" "0.5 0.6" "11 12" "42 44"; do
		compare "$trace" --begin "${window% *}" --end "${window#* }"
	done
done
# a part of the nodes, and one without tasks
compare "$DATA/cholesky-2nodes" --begin 100 --end 900 --node 1
compare "$DATA/cholesky-2nodes" --begin 500 --end 501
compare "$DATA/cholesky-2nodes" --resource '0_CPU1' --begin 300 --end 310
compare "$DATA/cholesky-4nodes/p2x2"
run traceviz messages "$TESTDATA/paje-2ranks" --begin 1 --end 40 --csv -q
is "$(($(wc -l <stdout) - 1))" 2 "the window has two messages"
