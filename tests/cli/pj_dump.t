#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pj_dump.t: the same states, variables, links, events and user fields as PajeNG's pj_dump prints
# needs pj_dump zstd
. "$(dirname "$0")/lib.sh"
here=$ROOT/tests/cli
plan 25

# Both read FILE (pj_dump sorted by time, as it wants it); the counts are COUNTS.
same() { # NAME UNIT TASKTYPE FILE COUNTS
	rm -rf out
	run traceviz convert -q --zero none "$4" -o out
	[ "$rc" -eq 0 ] || { is "$rc" 0 "$1"; return; }
	# Where links have no field Handle (StarPU 1.3), ours is that of an event: see paje.t.
	if head -1 out/links.csv 2>/dev/null | grep -q ',Handle$' && ! sed -n '/PajeStartLink/,/EndEventDef/p' "$4" | grep -q Handle; then
		sed -i 's/,[^,]*$//' out/links.csv
	fi
	"$here/pj_sort.sh" "$4" >sorted.trace
	pj_dump --no-strict --user-defined --ignore-incomplete-links -l 9 sorted.trace \
		>theirs 2>refusal
	is "$("$here/pj_compare.pl" "$2" "$3" out <theirs 2>&1) $(cat refusal)" "$5 " "$1"
}
counts() { echo "state=$1 variable=$2 link=$3 event=$4"; }

zstd -qdc "$DATA/cholesky-paje/paje.trace.zst" >sample.trace
same "our sample" ms "Worker State" sample.trace "$(counts 8804 3688 567 4716)"

examples=/usr/share/doc/pajeng/examples/traces
if [ -d $examples ]; then
	for want in "categories 0 161 17 0" "containers 0 0 0 0" "events 0 0 0 2" \
		"g5k 0 7812 6314 0" \
		"gattaca 8 0 0 0" "gattaca2 8 0 0 0" "gattaca3 8 0 0 0" "links 0 0 2 0" \
			"ms 0 384 17 2" \
		"replay_output_shurakai_extract 10 0 0 0" "simu-mardi 13620 507 405 0" \
			"states 3 0 0 0" \
		"variables 0 3 0 0"; do
		set -- $want
		same "PajeNG's $1" s none "$examples/$1.trace" "$(counts "$2" "$3" "$4" "$5")"
	done
	same "PajeNG's native_paje" ms "Worker State" \
		$examples/native_paje.trace "$(counts 66 1553 0 2)"
	same "PajeNG's native_sample" ms "Worker State" \
		$examples/native_sample.trace "$(counts 3318 880 0 2)"
	# pj_dump prints the root container for a trace that only names itself.
	run traceviz convert -q $examples/multiple_files/root.trace -o out.csv
	like "$rc $(tail -1 stderr)" "1 traceviz: */root.trace: no usable Paj*" \
		"PajeNG's multiple_files/root"
else
	skip 16 "PajeNG's examples are not installed"
fi

converted() { # GOLDEN COUNTS
	golden "$1" paje.trace >golden.trace
	same "$1" ms "Worker State" golden.trace "$2"
}
converted cholesky-12-dmdas "$(counts 8690 3331 298 5051)"
converted cholesky-12-dmdas-1.3 "$(counts 8901 3437 329 5203)"

need_shared 6
for want in "native-cholesky-12-2ranks 10063 2664 66 2696" \
		"native-cholesky-16-lws 12704 4936 106 3675" \
	"mpi-cholesky-20-dmdas-2nodes 51890 15025 1465 25543"; do
	set -- $want
	converted "$1" "$(counts "$2" "$3" "$4" "$5")"
done
# pj_dump refuses the links of these (StarPU 1.2 ends transfers that never started): all but the
# links.
for want in "dmda 8520 2914 0 3" "dmdas 8515 2914 0 3" "ws 7380 2542 0 3"; do
	set -- $want
	grep -v "^1[89]	" "$SHARED"/data/cholesky-idcin*/12/"$1"/paje.trace >links.trace
	same "StarPU 1.2, $1, without links" ms "Worker State" links.trace "$(counts "$2" "$3" \
		"$4" "$5")"
done
