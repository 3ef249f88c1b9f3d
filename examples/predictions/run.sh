#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh -- predicts ten changes of a program by simulation, makes them, and prints whether the runs took what was
# predicted. README.md beside.
#   sh examples/predictions/run.sh FOLDER
# FOLDER becomes the program and its recordings. Takes a minute and a half.
set -eu
[ $# = 1 ] || { echo "usage: sh run.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cc -O1 -g -fopenmp -o "$1/sleeps" "$(dirname "$0")/sleeps.c"
cd "$1"

record() { # NAME THREADS SETTING...
	name=$1 threads=$2
	shift 2
	OMP_NUM_THREADS=$threads traceviz record -q -f -o "$name" -- ./sleeps "$@"
}

# What simulate predicts from one run, and what another one took.
compare() { # CHANGE BEFORE AFTER OPTIONS...
	change=$1 before=$2 after=$3
	shift 3
	{ traceviz simulate -q "$before" "$@"; traceviz simulate -q "$after" --scheduler fifo; } | awk -F, -v change="$change" '
		$1 == "recorded" && ++n == 1 { before = $5 }
		$1 == "recorded" && n == 2 { after = $5 }
		$1 == "simulated" && n == 1 { predicted = $5; low = $7; high = $8 }
		END { printf "%s,%.0f,%.0f,%.0f,%.0f,%.0f,%s\n", change, before, predicted, low, high, after, low <= after && after <= high ? "yes" : "no" }'
}

record base 4
record gemm 4 gemm 240
record trsm 4 trsm 40
record potrf 4 potrf 320
record threads8 8
record threads3 3
record threads2 2
record both 8 gemm 80
record half 4 gemm 80
record late 4 submit 150
record slow 4 thread 2 slow 2.5

echo "Change,Before,Predicted,Low,High,Measured,Within"
compare "gemm 1.5 times as long" base gemm --speed 'Value ~ gemm=0.66666667'
compare "gemm half" base half --speed 'Value ~ gemm=2'
compare "trsm a third" base trsm --speed 'Value ~ trsm=3'
compare "potrf 4 times as long" base potrf --speed 'Value ~ potrf=0.25'
compare "8 threads for 4" base threads8 --resources CPU=8
compare "3 threads for 4" base threads3 --resources CPU=3
compare "2 threads for 4" base threads2 --resources CPU=2
compare "8 threads and gemm half" base both --resources CPU=8 --speed 'Value ~ gemm=2'
compare "no slow submission" late base --submission all-at-once
compare "no slow thread" slow base --speed 'ResourceId ~ T2=2.5'
