#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# measure.sh: what progress threads and dedicated cores change on this machine, with each MPI, 2 and 4 ranks
#
#   sh examples/mpi/measure.sh                     examples/data/nbc-progress.csv, its picture in the gallery and the gallery's page
#   sh examples/mpi/measure.sh DIR [NBC OPTIONS]   DIR/nbc-progress.csv and .png alone, to try it
#
# In the top folder, after `make all examples`, on a quiet machine. Each of the 14 runs has a limit of 14 s, so it takes less than 4 minutes;
# a run that does not end keeps the rows that it has.
set -u
name=nbc-progress title='Progress threads and dedicated cores'
text='Overhead ratios of MPI_Iallreduce with each MPI and configuration (thread: a thread per rank that polls; dedicated: that thread with a core of its own; async: MPICH'\''s own thread), 2 and 4 ranks on two processors. Ratios compare with references of the same configuration; 4 ranks share the processors, and a missing cell is a run that did not end in time.'
draw() { # DATA: the command without -o
	echo "traceviz $1 --panels overhead-map --where 'Call == \"MPI_Iallreduce\"' --title 'MPI_Iallreduce, 2 processors'"
}
dir=${1-}
[ $# -eq 0 ] || shift
[ -n "$dir" ] || set -- --calls Iallreduce,Isend --comp 4,8,16 --comm 4,8,16 --runs 3 "$@"
data=${dir:-examples/data}/$name.csv
[ -z "$dir" ] || mkdir -p "$dir" || exit 1
PATH=$PWD/build:$PATH
OMP_NUM_THREADS=1 sh examples/mpi/sweep.sh -c basic,thread,dedicated,async -n 2,4 -t 14 -o "$data" -- "$@" ||
	echo "measure: not all runs have all rows" >&2
[ -s "$data" ] || exit 1
if [ -n "$dir" ]; then
	eval "$(draw "$data") --dpi 150 -o '$dir/$name.png'"
	exit
fi
if ! grep -q "^== $name$" examples/gallery.list; then
	printf '== %s\ntitle: %s\ntext: %s\nrun: %s\n' "$name" "$title" "$text" "$(draw "$data")" >>examples/gallery.list
	printf '\n## %s\n\n%s\n\n    %s -o %s.png\n\n![%s](%s.png)\n' "$title" "$text" "$(draw "$data")" $name "$title" $name >>docs/gallery/README.md
fi
sh examples/gallery.sh $name overlap-maps
