#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# others.sh -- predicts what other schedulers of StarPU, and a rank of MPI that is no longer late, bring; makes these changes, and
# prints what the runs took. README.md beside.
#   sh examples/predictions/others.sh FOLDER
# FOLDER becomes the programs and their recordings. Takes a minute.
set -eu
[ $# = 1 ] || { echo "usage: sh others.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"

# StarPU sees a machine of five cores, whatever there is: the tasks of its workers only sleep, so they need none of their own.
export HWLOC_SYNTHETIC="core:5 pu:1" STARPU_NCPU=4 STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1 STARPU_HOME="$PWD"
# shellcheck disable=SC2046 # options
cc -O1 -g -o schedulers "$here/schedulers.c" $(pkg-config --cflags --libs starpu-1.3)
STARPU_CALIBRATE=2 STARPU_SCHED=eager ./schedulers 12 12 12
for scheduler in eager prio lws dmda dmdas; do
	STARPU_SCHED=$scheduler traceviz record -q -f -o "$scheduler" -- ./schedulers 60 3 16
done
unset HWLOC_SYNTHETIC
mpicc -O1 -g -o late_rank "$here/late_rank.c"
for ms in 0 100 300; do
	traceviz record -q -f -o "late$ms" -- mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n 4 ./late_rank 10 200 2 "$ms"
done

# CHANGE BEFORE PREDICTED AFTER
row() { echo "$1,$2,$3,$4" | awk -F, '{ printf "%s,%.0f,%.0f,%.0f,%+.1f\n", $1, $2, $3, $4, 100 * ($3 / $4 - 1) }'; }
makespan() { traceviz bounds -q --csv "$1" | awk -F, '$2 == "makespan" { print $4 }'; }
swap() { # BEFORE AFTER POLICY
	row "$1 to $2" "$(makespan "$1")" "$(traceviz simulate -q "$1" --scheduler "$3" | awk -F, '$1 == "simulated" { print $5 }')" "$(makespan "$2")"
}
length() { traceviz mpi-replay -q --csv "$1" | awk -F, '$1 == "recorded" { print $2 }'; }
# All other ranks wait for the late one: what its computation costs each of them.
in_time() { # MS
	row "rank 2 no longer $1 ms late" "$(length "late$1")" \
		"$(length "late$1" | awk -v cost="$(traceviz mpi-replay -q --csv --culprits rank "late$1" | awk -F, '$1 == "compute" && $2 == 2 { print $7 }')" '{ print $1 - cost / 3 }')" "$(length late0)"
}

echo "Change,Before,Predicted,Measured,Off (%)"
swap eager prio prio
swap eager lws lws
swap eager dmda dmda
swap eager dmdas dmdas
swap lws eager fifo
swap dmdas prio prio
swap dmda lws lws
in_time 100
in_time 300
