#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# planted-runs.t: MPI + OpenMP programs with a planted cause, written as OTF2 and as Paraver by a script: diagnose has the same first answer
. "$(dirname "$0")/lib.sh"
plan 32
python=$(command -v /usr/bin/python3 || command -v python3)
if ! "${python:-false}" -c 'import otf2' 2>stderr; then
	skip 32 "no python3-otf2, or no python3-six, which it needs"
	exit 0
fi
"$python" "$ROOT/tests/cli/planted_runs.py" . >list || exit 1
# first FORMAT NAME: kind and time of the first finding, in found its text
first() {
	traceviz diagnose -q --csv "$1/$2" 2>stderr | grep '^finding,1,' >found
	awk -F, '{ print $3, $4 + $6 }' found
}
while IFS='	' read -r name finding words; do
	for format in otf2 paraver; do
		first $format "$name" >$format.first
		like "$(cut -d ' ' -f 1 $format.first) $(cat found)" "$finding *$words*" "$name as $format: ${finding:-nothing}"
	done
	is "$(cat otf2.first paraver.first | awk '{ t[NR] = $2 } END { d = t[1] - t[2]; if (d * d > (0.02 * t[1]) ^ 2) print t[1], t[2] }')" "" "$name: the same time"
done <list
for format in otf2 paraver; do
	traceviz convert -q --task-state 'Value ~ "omp for" or Value == step' $format/slow-thread -o tasks
	is "$(traceviz summary -q --by '' tasks | sed 1d | cut -d, -f1-3)" "320,320,4001.600000" "--task-state makes tasks of loops: $format"
done
