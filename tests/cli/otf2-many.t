#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# otf2-many.t: an archive of all records of 4 ranks whose clocks differ, many times: each is counted (tests/long: 10^7 events)
. "$(dirname "$0")/lib.sh"
plan 5
# shellcheck disable=SC2046 # several options
if ! ${CC:-cc} -D_GNU_SOURCE -O1 -w -o writer "$ROOT/tests/cli/otf2_write.c" $(${PKG_CONFIG:-pkg-config} --cflags --libs otf2) 2>stderr; then
	skip 5 "no library of OTF2"
	exit 0
fi
steps=${STEPS:-200}
# A step takes 100 us. The clock of rank R is 5 R ms ahead and 10 R millionths too fast; the archive has its offsets at begin and end.
awk -v steps="$steps" '
function put(t, what) { t += step * 100000; printf "%.0f %s\n", t + int(t * rank / 100000) + rank * 5000000, what }
function around(t, end, region, what) { put(t, "Enter " region); put(t + 10, what); put(end, "Leave " region) }
function task(t, n, what) { put(t, "ThreadTaskSwitch " team " 0 " n); put(t, "Enter 2"); if (what) put(t + 5, what); put(t + 1000, "Leave 2"); put(t + 1000, "ThreadTaskComplete " team " 0 " n) }
BEGIN {
	print "ClockProperties 1000000000 0"
	for (r = 0; r < 4; r++) {
		printf "LocationGroup %d 1 - - MPI Rank %d\nLocationGroup %d 2 - %d CUDA %d\n", r, r, r + 4, r, r
		printf "Location %d 1 %d a\nLocation %d 1 %d b\nLocation %d 2 %d s\nLocation %d 3 %d m\n", r * 10, r, r * 10 + 1, r, r * 10 + 2, r + 4, r * 10 + 3, r
		n = (steps + 1) * 100000
		for (l = 0; l < 4; l++) printf "ClockOffset %d %d %d\nClockOffset %d %.0f %.0f\n", r * 10 + l, r * 5000000, -r * 5000000,
			r * 10 + l, n + n * r / 100000 + r * 5000000, -(n * r / 100000 + r * 5000000)
	}
	n = split("1 1 main;5 3 parallel;20 3 task;16 3 barrier;28 4 MPI_Isend;28 4 MPI_Irecv;28 4 MPI_Waitall;25 4 MPI_Allreduce;28 4 MPI_Send;28 4 MPI_Recv;29 4 MPI_Put;27 4 MPI_File_write;27 1 read;1 5 kernel", name, ";")
	for (i = 0; i < n; i++) { split(name[i + 1], w, " "); print "Region " i, w[1], w[2], 0, w[3] }
	print "Group 0 4 4 0 0 10 20 30\nGroup 1 5 4 0 0 1 2 3\nComm 0 1 MPI_COMM_WORLD\nRmaWin 0 0 window"
	print "Group 2 4 5 0 0 10 20 30 2 12 22 32\nGroup 3 5 5 0 0 1 2 3 4 5 6 7\nComm 9 3 CUDA\nRmaWin 1 9 CUDA"
	for (r = 0; r < 4; r++) printf "Group %d 5 3 0 %d %d\nComm %d %d team\n", 10 + r, r * 10, r * 10 + 1, 10 + r, 10 + r
	print "MetricMember 0 0 4 1 0 count\nMetricMember 1 17 8 1 0 power\nMetricClass 0 0\nMetricClass 1 1\nCallingContext 0 0\nIoHandle 0 f"
	for (rank = 0; rank < 4; rank++) {
		team = 10 + rank
		print "at " rank * 10; step = 0; put(0, "Enter 0")
		for (step = 0; step < steps; step++) {
			put(100, "Enter 1")
			put(110, "ThreadTaskCreate " team " 0 " 2 * step + 1); put(111, "ThreadTaskCreate " team " 0 " 2 * step + 2)
			put(120, "Enter 3"); task(130, 2 * step + 1, "Metric 0 u" step); put(1200, "Leave 3"); put(1201, "Leave 1")
			around(2000, 2020, 4, "MpiIsend " (rank + 1) % 4 " 0 5 " 100 + step % 100 " " 2 * step)
			around(2100, 2120, 5, "MpiIrecvRequest " 2 * step + 1)
			put(2200, "Enter 6"); put(2300, "MpiIsendComplete " 2 * step)
			put(7000, "MpiIrecv " (rank + 3) % 4 " 0 5 " 100 + step % 100 " " 2 * step + 1); put(7010, "Leave 6")
			put(8000, "Enter 7"); put(9000, "MpiCollectiveEnd 9 0 - 8 8"); put(9000, "Leave 7")
			if (rank % 2 == 0) around(10000, 10020, 8, "MpiSend " rank + 1 " 0 6 1000")
			else { put(10000, "Enter 9"); put(15000, "MpiRecv " rank - 1 " 0 6 1000"); put(15010, "Leave 9") }
			around(20000, 20020, 10, "RmaPut 0 " (rank + 1) % 4 " 1000 " step); put(20500, "RmaOpCompleteNonBlocking 0 " step)
			put(23000, "Enter 11"); put(23001, "IoOperationBegin 0 1 8 1"); put(23010, "IoOperationComplete 0 8 1"); put(23020, "Leave 11")
			put(24000, "Enter 12"); put(24001, "IoOperationBegin 0 0 16 2"); put(24010, "IoOperationComplete 0 16 2"); put(24020, "Leave 12")
			put(25000, "CallingContextEnter 0"); put(25010, "CallingContextSample 0"); put(25020, "CallingContextLeave 0"); put(26000, "ParameterInt 0 1")
		}
		step = steps; put(0, "Leave 0")
		print "at " rank * 10 + 1
		for (step = 0; step < steps; step++) { put(100, "Enter 1"); put(120, "Enter 3"); task(140, 2 * step + 2); put(1200, "Leave 3"); put(1201, "Leave 1") }
		print "at " rank * 10 + 2
		for (step = 0; step < steps; step++) { around(30000, 31000, 13, "ParameterInt 0 1"); put(40000, "RmaGet 1 " rank " 64 " step); put(41000, "RmaOpCompleteBlocking 1 " step) }
		print "at " rank * 10 + 3
		for (step = 0; step < steps; step++) put(50000, "Metric 1 d" step)
	}
}' | ./writer many traces || exit 1
each=$((4 * steps))
traceviz convert -q --zero none many/traces.otf2 -o tables 2>stderr
[ "$steps" -gt 1000 ] || counted=$(perl "$ROOT/tests/cli/otf2_counts.pl" many/traces.otf2 tables 2>&1)
if [ "$steps" -gt 1000 ] || ! command -v otf2-print >/dev/null; then skip 1 "no otf2-print, or too much for it"; else
	is "$counted" "enters $((15 * each + 4)) tasks $((2 * each)) messages $((6 * steps)) bytes $(awk -v n="$steps" 'BEGIN { for (i = 0; i < n; i++) s += 4 * (100 + i % 100) + 2000; print s }') metrics $((2 * each)) I/O $((2 * each))" "as many as otf2-print has"
fi
is "$(cd tables && wc -l tasks.csv calls.csv links.csv variables.csv events.csv states.csv | awk '{ print $1 }' | head -6 | tr '\n' ' ')" \
	"$((4 * each + 1)) $((7 * each + 1)) $((6 * steps + 2 * each + 1)) $((2 * each + 1)) $((2 * each + 1)) $((9 * each + 1)) " "rows of each table"
is "$(grep 'NotRead\|Dropped\|Repaired\|Early' tables/meta.csv)" "NotRead,$((2 * each)) events of type ParameterInt" "one type of event is not read, and nothing skipped"
is "$(columns tables/tasks.csv Value,Start,End | awk '/^(task|kernel) / { t = ($3 - $2) * 1e6; n[$1]++; if (t < 998 || t > 1002) bad++ } END { print n["task"], n["kernel"], bad + 0 }')" \
	"$((2 * each)) $each 0" "each task takes 1 us in the common time"
is "$(columns tables/links.csv Type,Tag,Start,End | awk '$1 == "MPI" { t = ($5 - $4) * 1e6; n++; if (t < 4998 || t > 5002) bad++ } END { print n, bad + 0 }')" \
	"$((6 * steps)) 0" "each message 5 us"
