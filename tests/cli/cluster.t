#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster.t: traceviz-mpi gives the bytes of traceviz for any number of processes
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 97

# shellcheck source=tests/cli/cluster.sh
. "$ROOT/tests/cli/cluster.sh"
# same MPI N VERB OPTIONS...: as one process without MPI
same() {
	mpi=$1 n=$2; shift 2
	traceviz "$@" >whole 2>whole.err </dev/null
	want=$?
	run job "$mpi" "$n" "$@"
	is "$rc $(cmp stdout whole) $(own stderr >own.err; own whole.err | diff own.err - | head -3)" "$want  " "$mpi, $n processes: $*"
}

# shared MPI N VERB OPTIONS...: the same where only the files are divided, which is said
shared() {
	mpi=$1 n=$2; shift 2
	traceviz "$@" >whole 2>whole.err
	run job "$mpi" "$n" "$@"
	is "$rc $(cmp stdout whole) $(own stderr | grep -v ' runs in process 0 alone' | diff whole.err - | head -3)" "0  " "$mpi, $n processes: $*"
}
ranks=$TESTDATA/fxt/cholesky-12-2ranks

if ! has openmpi && ! has mpich; then
	skip 97 "no traceviz-mpi (make mpi), or no mpirun.openmpi and mpirun.mpich"
	exit 0
fi
groups 40 "$DATA/cholesky-2nodes" two || exit 1 # without its trace a command fails the same way
groups 50 "$DATA/mpi-halo" halo
groups 100 "$DATA/mpi-steps" steps
groups 7 "$DATA/qr-mumps-like.csv" one
groups 300 "$DATA/cholesky-paje" states
traceviz convert -q "$DATA/cholesky-2nodes" --partition Node -o parts
# Node 2 has a worker, but no task; tasks overlap on their worker, and phases end with a submission.
seed 7
awk -v seed="$seed" 'BEGIN {
	srand(seed)
	print "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Footprint,SubmitTime"
	for (i = 0; i < 400; i++) {
		w = int(rand() * 5); at += int(rand() * 3); length_ = int(rand() * 4) * int(rand() * 9)
		printf "%s%d,%s,%d.5,%d.5,j%d,%s,%d,%s,f%d,%s\n", w < 3 ? "CPU" : "CUDA", w, substr("abc", int(rand() * 3) + 1, 1), at, at + length_, i,
			rand() < 0.2 ? "setup" : "app", w % 2, w < 3 ? "CPU" : "CUDA", int(rand() * 3), (at > 9 ? at - 9 : 0)
	}
	print "CPU9,idle,,,,worker,2,CPU,,"
	print ",later,,,k,pending,,,,"
}' >random.csv
groups 5 random.csv random
random_run 6 >linked.csv
groups 20 linked.csv linked
commute <linked.csv >commuting.csv
groups 20 commuting.csv commuting

# The chain goes through two messages; the second one has no Size.
mkdir sent
cat >sent/tasks.csv <<'END'
ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node,SubmitTime,ResourceType
0_C0,a,0,10,1,app,,0,0,CPU
1_C0,c,1,11,3,app,,1,0,CPU
,m,12,22,m,message,1,,,
1_C0,b,30,40,2,app,m,1,25,CPU
,m2,41,43,m2,message,2,,,
1_C0,d,42,43,4,setup,,1,0,CPU
0_C0,e,45,50,5,app,m2,0,0,CPU
END
cat >sent/links.csv <<'END'
Type,Key,Origin,Dest,Start,End,Size
MPI communication,m,0_mpict,1_mpict,12,22,4000
MPI communication,m2,1_mpict,0_mpict,41,43,
END
groups 1 sent chain

if has openmpi; then
	for n in 1 2 3 8; do
		same openmpi $n summary random
		same openmpi $n idleness random
	done
	same openmpi 2 outliers random
	same openmpi 8 outliers random
	same openmpi 3 iterations two
	same openmpi 3 utilization --by type random
	same openmpi 3 concurrency --by Value --step 7 random
	same openmpi 8 share random
	same openmpi 3 abe two
	same openmpi 2 summary --by Node,Value two
	same openmpi 8 summary halo
	same openmpi 3 summary --by ResourceId,Footprint one
	same openmpi 8 summary --kind app,setup steps
	same openmpi 3 states --by worker states
	same openmpi 8 states --of all two
	same openmpi 3 aggregate --step 7 --by ResourceType random
	same openmpi 3 summary --of states --by Value --measure rows,median:Start,distinct:ResourceId states
	same openmpi 8 message-sizes halo
	same openmpi 3 comm-matrix halo
	for n in 2 3 8; do
		same openmpi $n messages halo
	done
	same openmpi 2 messages two
	same openmpi 2 callprofile halo
	same openmpi 3 bandwidth --step 10 halo
	same openmpi 2 in-flight --of requests --by link halo
	same openmpi 8 stragglers random
	same openmpi 2 idleness --definition thesis states
	same openmpi 8 idleness --begin 20 --end 300 random
	same openmpi 2 idleness parts
	same openmpi 8 summary --only a,nothing --top 2 random
	same openmpi 3 summary --node 2 random
	same openmpi 2 info linked
	same openmpi 8 info linked
	same openmpi 3 ready --by Node --step 5 linked
	same openmpi 8 submitted linked
	same openmpi 3 bounds linked
	same openmpi 8 lifecycle-summary linked
	same openmpi 3 ready --by Node commuting
	same openmpi 8 lifecycle-summary commuting
	for n in 1 2 3 8; do
		same openmpi $n critical-path linked
		same openmpi $n load-balance --no-causes linked
	done
	same openmpi 3 load-balance --no-causes two
	same openmpi 3 critical-path chain
	run job openmpi 2 deps linked
	traceviz deps linked >whole 2>whole.err
	like "$rc $(cmp stdout whole) $(own stderr | head -1)" "0  traceviz: deps runs in process 0 alone: what it keeps of a part goes on in the next one" "a verb that one process computes, which is said"
	shared openmpi 3 convert "$ranks" -o -
	shared openmpi 8 info "$ranks/prof_file_1.zst" "$ranks/prof_file_0.zst"
else
	skip 59 "no traceviz-mpi by Open MPI"
fi

if has mpich; then
	same mpich 1 summary random
	same mpich 2 summary random
	same mpich 3 idleness random
	same mpich 2 abe two
	same mpich 3 outliers random
	same mpich 3 info linked
	same mpich 2 bounds linked
	same mpich 3 critical-path chain
	same mpich 2 load-balance --no-causes two
	same mpich 2 submitted --step 5 commuting
	same mpich 3 messages halo
	shared mpich 2 summary --by Node,Value "$ranks"
else
	skip 12 "no traceviz-mpi by MPICH"
fi

# wrong MPI STATUS PATTERN VERB OPTIONS...: one line
wrong() {
	mpi=$1 status=$2 pattern=$3; shift 3
	run job "$mpi" 3 "$@"
	like "$rc $(own stderr | wc -l) $(own stderr)" "$status 1 traceviz: $pattern" "$mpi: $*"
}
groups 20 random.csv damaged
# What only the last process reads.
size=$(wc -c <damaged/tasks.parquet)
at=$(grep -abo CPU damaged/tasks.parquet | cut -d: -f1 | awk -v size="$size" '$1 < 0.9 * size' | tail -1)
printf '\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377' |
	dd of=damaged/tasks.parquet bs=1 seek=$((at - 40)) conv=notrunc 2>/dev/null
# Process 1 has other files than process 0, and perhaps a fault of its own: FAULT_OF_1="CALL PATH". DIES="RANK US": that process
# is killed after so many microseconds of processor time.
mkdir here there
for k in 0 1; do zstd -qdc "$ranks/prof_file_$k.zst" >here/file$k; done
cp here/file0 there
preload fault
cat >apart <<-'END'
	#!/bin/sh
	# apart FOLDER PROGRAM...
	rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}
	[ "$rank" != "${DIES% *}" ] || export LD_PRELOAD="$1/fault.so" FAULT_AFTER="${DIES#* }"
	if [ "$rank" = 1 ]; then
		cd "$1/there" || exit 9
		[ -z "${FAULT_OF_1:-}" ] || export LD_PRELOAD="$1/fault.so" FAULT_CALL="${FAULT_OF_1% *}" FAULT_PATH="${FAULT_OF_1#* }"
	else
		cd "$1/here" || exit 9
	fi
	shift
	exec "$@"
END
chmod +x apart
# moments MPI: a process is killed 20 times, perhaps after its job has its result: under its name is nothing, or the whole.
moments() {
	mpi=$1
	wrong= killed=0
	traceviz summary -q here/file0 here/file1 >summary.whole
	traceviz bounds -q linked >bounds.whole
	for moment in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 20; i++) print i % 2 ":" int(rand() * 70000) + 1 }'); do
		export DIES="${moment%:*} ${moment#*:}"
		case $moment in
		0:*[02468]|1:*[13579]) verb=bounds files="../linked" ;;
		*) verb=summary files="file0 file1" ;;
		esac
		# shellcheck disable=SC2086 # words
		run job "$mpi" 2 $verb -q $files -o out.csv
		killed=$((killed + (rc != 0)))
		rm -f here/.traceviz.* # what process 0 was about to rename
		left=$(cd here && find . -type f ! -name 'file?')
		case "$rc $(own stderr)$left" in
		*' ./out.csv') ok=$(cmp here/out.csv $verb.whole 2>&1) ;;
		'0 '*) ok="no result" ;;
		*) ok=$(own stderr)$left ;;
		esac
		[ -z "$ok" ] || wrong="$wrong; $DIES $verb: $rc, $ok"
		rm -f here/out.csv
	done
	unset DIES
	is "$wrong $((killed > 0))" " 1" "... killed at 20 moments: no part of a result"
}
for mpi in openmpi mpich; do
	if ! has $mpi; then
		skip 13 "no traceviz-mpi by $mpi"
		continue
	fi
	wrong $mpi 1 "*none.parquet*" summary none.parquet
	rm -f there/file1 here/out.csv
	before="$PWD/apart $PWD"
	run job $mpi 2 summary -q file0 file1 -o out.csv
	is "$((rc != 0)) $(own stderr) $(ls here)" "1 traceviz: file1: process 1: cannot open: No such file or directory file0
file1" "$mpi: a file that one process cannot open: its error, and nothing is written"
	head -c 100000 here/file1 | tr a-z A-Z >there/file1
	run job $mpi 2 info -q file0 file1
	like "$((rc != 0)) $(own stderr)" "1 traceviz: file1: process 1: byte *" "... that is damaged there only"
	cp here/file1 there
	moments $mpi
	FAULT_OF_1="close file1" FAULT_DOES="kill 9" run job $mpi 2 summary -q file0 file1 -o out.csv
	is "$((rc != 0)) $(own stderr) $(ls here)" "1  file0
file1" "... a process that is killed meanwhile: the job ends, and nothing is written"
	run job $mpi 2 summary -q file0 file1 -o /dev/full
	is "$((rc != 0)) $(own stderr)" "1 traceviz: /dev/full: cannot write: No space left on device" "... a full disk"
	before=
	same $mpi 3 summary --by JobIds random
	same $mpi 3 summary --no-such-option random
	wrong $mpi 1 "*damaged/tasks.parquet*" summary damaged
	same $mpi 3 summary random -o no/folder.csv
	run job $mpi 3 idleness -q random -o out.csv
	traceviz idleness -q random >whole
	is "$rc $(cmp out.csv whole) $(wc -c <stdout) $(wc -c <stderr)" "0  0 0" "$mpi: -o, which one process writes"
	run job $mpi 2 summary "$DATA/cholesky.csv"
	traceviz summary -q "$DATA/cholesky.csv" >whole
	like "$rc $(cmp stdout whole) $(own stderr)" "0  traceviz: summary runs in process 0 alone: only our own tables in Parquet are read in parts*" \
		"$mpi: a CSV, by one process, which is said"

	if [ $mpi = mpich ] && has openmpi; then
		run mpirun.openmpi --oversubscribe --allow-run-as-root -n 2 "$BIN/traceviz-mpi-mpich" summary random
		like "$rc $(own stderr)" "2 traceviz: started as 2 copies, not as one job of 2: *" "the mpirun of another MPI"
	else
		skip 1 "needs both MPIs"
	fi
done
