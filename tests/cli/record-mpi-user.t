#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-mpi-user.t: programs of MPI recorded by an ordinary user: of root's tests by nobody, else by who runs them.
. "$(dirname "$0")/lib.sh"
plan 8

bin=${TRACEVIZ_BIN:-$ROOT/build}
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
has() { [ -f "$bin/record/libtraceviz-mpi-$1.so" ] && command -v "mpirun.$1" >/dev/null; }

# What the user needs, where it may read and write: a copy of the program, a home, a folder for the runs.
mkdir user user/home
cp "$bin/traceviz" user/ && cp -r "$bin/record" user/
as_user() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 . && chown -R 65534:65534 user
	as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
fi
name=$(cd user && HOME=$PWD/home as_user sh -c './traceviz --version >/dev/null && touch home/x && id -u' 2>/dev/null)
for mpi in openmpi mpich; do
	if [ -z "$name" ] || [ "$name" = 0 ]; then
		skip 4 "no ordinary user can run traceviz here: setpriv does not work, or the folder is closed to it"
		continue
	fi
	if ! has $mpi; then
		skip 4 "no $mpi, or no probe of it"
		continue
	fi
	"mpicc.$mpi" -g -O1 -w -o user/ring "$ROOT/tests/mpi/ring.c" || exit 1
	chmod 755 user/ring
	for ranks in 2 4; do
		rm -rf user/run
		(cd user && HOME=$PWD/home TMPDIR=$PWD/home && export HOME TMPDIR &&
			as_user timeout 120 "mpirun.$mpi" -n $ranks ./traceviz record --mpi -o run -- ./ring) >said 2>stderr
		rc=$?
		is "$rc $(find user/run -name '*.tvlog' -user "$name" 2>/dev/null | wc -l)" "0 $ranks" "$mpi, $ranks ranks: a log of each, of user $name" || cat stderr
		rm -rf tables
		traceviz convert -q user/run -o tables
		is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ rank = $1; sub(/_.*/, "", rank); key = rank " " $at["Call"]; n[key]++; bytes[key] += $at["Bytes"] }
			END { for (key in n) print key, n[key], bytes[key] + 0 }' tables/calls.csv | sort)" "$(sort said)" "calls and bytes are those that the program counted"
	done
done
