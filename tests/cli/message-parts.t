#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# message-parts.t: messages in Parquet that need more than --max-memory are read part by part, with the same result
. "$(dirname "$0")/lib.sh"
plan 12

mkdir run
printf 'ResourceId,Value,Start,End,Kind,Node,ResourceType\n0_T0,t,0,9,app,0,CPU\n1_T0,t,0,9,app,1,CPU\n' >run/tasks.csv
awk 'BEGIN {
	print "Type,Key,Origin,Dest,Start,End,Size,Tag,SendEnd,ReceiveStart"
	for (i = 0; i < 600000; i++)
		printf "MPI communication,mpi%d,%d_T0,%s,%.3f,%.3f,%s,%d,%.3f,%.3f\n", i, i % 12, i % 1000 ? (i + 1) % 12 "_T0" : "",
			int(i / 4) / 50, i / 50 + i % 7 + 1, i % 9 ? i % 5000 : "", i % 30, i / 50 + 0.5, i / 50 - i % 3
}' >run/links.csv
traceviz convert -q run -o made --to parquet

# parted LIMIT VERB OPTIONS...: in parts as in memory
parted() {
	limit=$1; shift
	traceviz "$@" made >whole 2>whole.err
	run traceviz "$@" --verbose --max-memory "$limit" made
	grep -v -e ' row groups and ' -e ' are not read: ' -e ' are read in ' stderr >parted.err
	is "$rc $(cmp stdout whole) $(diff parted.err whole.err)" "0  " "$* in $limit"
	like "$(cat stderr)" "*: tasks are read in [2-9] parts*" "... in parts"
}
parted 80M messages
parted 80M messages --where "Size > 4990 and Dest == '3'"
# The texts of messages are not kept.
parted 60M comm-matrix
run traceviz messages -q --max-memory 80M made -o out.csv
is "$rc $(traceviz messages -q made | cmp - out.csv)" "0 " "to a file"
run traceviz messages --top 3 --max-memory 80M made
like "$rc $(cat stderr)" "1 *; with --top all rows are needed at once" "rows in another order"
run traceviz messages --begin 100 --max-memory 80M made
like "$rc $(cat stderr)" "1 *messages needs all rows at once: which messages are shown depends on who waited for them*" "a window"
rm made/tasks.parquet
parted 80M messages
mkdir mixed
awk 'BEGIN {
	print "ResourceId,Value,Start,End,Kind,Node,ResourceType"
	for (i = 0; i < 1200000; i++) printf "%d_T0,t,%d,%d,app,%d,CPU\n", i % 2, i / 2, i / 2 + 1, i % 2
}' >tasks.csv
traceviz convert -q tasks.csv -o mixed/tasks.parquet
printf 'Type,Key,Origin,Dest,Start,End,Size\nMPI communication,a,0_T0,1_T0,-5,-4,7\nMPI communication,b,1_T0,0_T0,5,6,7\n' >mixed/links.csv
run traceviz comm-matrix -q --max-memory 80M mixed
is "$rc $(wc -l <stdout)" "0 3" "messages in CSV beside tasks in Parquet, one before the first task"
