#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sqlite.t: databases of Nsight Systems and rocprofv3 against their truth; damaged and other databases
# Its last databases are made by sqlite3; without it, these checks are skipped.
. "$(dirname "$0")/lib.sh"
plan 19
samples=$TESTDATA/sqlite
for name in nsys-made nsys-pytorch nsys-one rocpd-made; do gzip -dc "$samples/$name.gz" >"$name.db"; done
traceviz info nsys-one.db >/dev/null 2>none
if grep -q 'built without it' none; then
	skip 19 "traceviz was built without SQLite"
	exit 0
fi
mkfifo pipe.db
cat nsys-one.db >pipe.db 2>/dev/null &
run traceviz info pipe.db
is "$rc $(cat stderr)" "1 traceviz: pipe.db: an SQLite database that is read from standard input or a pipe, expected a file that is not compressed" "a pipe"
rm pipe.db
# truth NAME: standard input is what the tables contain
truth() {
	run traceviz convert -q "$1.db" -o "$1"
	is "$rc $(perl "$ROOT/tests/cli/sqlite_truth.pl" "$1" 2>&1)" "0 $(cat)" "$1"
}
truth nsys-made <<'EOF2'
kernels on 0_GPU0.7: 9, busy 5400000
kernels on 0_GPU0.8: 1, busy 600000
kernels on 1_GPU1.7: 9, busy 5400000
kernels on 1_GPU1.8: 1, busy 600000
device 0_GPU0: busy 5891000
device 1_GPU1: busy 5891000
gemm: 6000000
potrf: 6000000
launches: 20, 9000 to 20000
copies: 6, 6291456 bytes, 300000
cuda_runtime cudaLaunchKernel_v7000: 80000
cuda_runtime cudaMemcpyAsync_v3020: 12000
nvtx iteration: 19999998
nvtx mark: 0
nvtx never closed: 19999798
EOF2
is "$(grep -c 'never closed.*,open' nsys-made/states.csv)" 2 "a range that was never closed is open"
truth nsys-pytorch <<'EOF2'
kernels on GPU0.7: 2, busy 4129
device GPU0: busy 4129
reduce_kernel: 2689
vectorized_elementwise_kernel: 1440
launches: 2, 17455381 to 17948875
copies: 1, 4 bytes, 1632
cuda_runtime cuModuleGetLoadingMode: 3008
cuda_runtime cudaGetDeviceProperties_v12000: 8755
cuda_runtime cudaHostAlloc_v3020: 3568941
cuda_runtime cudaLaunchKernel_v7000: 35200405
cuda_runtime cudaMalloc_v3020: 769477
cuda_runtime cudaMemcpyAsync_v3020: 589504
cuda_runtime cudaStreamIsCapturing_v10000: 581848
cuda_runtime cudaStreamSynchronize_v3020: 16012
EOF2
truth nsys-one <<'EOF2'
kernels on GPU0.7: 400, busy 400000000
device GPU0: busy 400000000
elementwise_add: 200000000
gemm_nn_128x128: 200000000
launches: 400, 3000 to 3000
cuda_runtime cudaLaunchKernel: 1000000
EOF2
truth rocpd-made <<'EOF2'
kernels on GPU0.1: 10, busy 500000
kernels on GPU0.2: 10, busy 510000
device GPU0: busy 1001000
gemm(float*): 500000
potrf(float*): 510000
launches: 20, 6000 to 6000
copies: 4, 4194304 bytes, 80000
hip_runtime hipLaunchKernel: 60000
EOF2
run grep -rl 'HOME\|USER\|/home\|python' nsys-pytorch
is "$(cat stdout)" "" "nothing of the user's environment is kept"
is "$(cksum <nsys-made.db)" "$(gzip -dc "$samples/nsys-made.gz" | cksum)" "the database is not changed"
is "$(ls nsys-made.db-* 2>/dev/null)" "" "and no file appears beside it"

run traceviz info "$samples/nsys-made.gz"
is "$rc $(cat stderr)" "1 traceviz: $samples/nsys-made.gz: an SQLite database that is compressed, expected a file that is not compressed" "compressed"
head -c 100 nsys-made.db >short.db
run traceviz info short.db
like "$rc $(cat stderr)" "1 traceviz: short.db: a damaged SQLite database: *" "cut in its head"

# Cut at each page, and one page of noise: an answer or an error, never a crash.
wrong=
for page in 1 2 3 4 5 6 7 8; do
	head -c $((4096 * page)) nsys-made.db >cut.db
	{ head -c $((4096 * page)) nsys-made.db; head -c 4096 /dev/zero | tr '\0' '\377'; tail -c +$((4096 * page + 4097)) nsys-made.db; } >noise.db
	for file in cut.db noise.db; do
		timeout 20 traceviz convert -q $file -o damaged >out 2>&1
		status=$?
		[ $status -le 1 ] || wrong="$wrong $file:$page:$status"
		rm -rf damaged
	done
done
is "$wrong" "" "cut at each page, a page of noise"

if ! command -v sqlite3 >/dev/null; then
	skip 6 "no sqlite3"
	exit 0
fi
sqlite3 other.db 'CREATE TABLE a (b); INSERT INTO a VALUES (1)'
run traceviz info other.db
like "$rc $(cat stderr)" "1 *without the tables of a known profiler, expected one of nsys export*" "another database"
sqlite3 old.db 'CREATE TABLE rocpd_op (id)'
run traceviz info old.db
like "$rc $(cat stderr)" "1 *older profiler (RPD)*" "ROCm's older profiler"
# A schema that lies: a view in place of a table that never ends, columns of other types, missing and null cells
sqlite3 lies.db 'CREATE TABLE StringIds (value, id); INSERT INTO StringIds VALUES ("k", 1), (NULL, 2), (x'"'00ff'"', "three");
CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS start, x AS end FROM c;
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start TEXT, "end" TEXT, deviceId, shortName);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ("soon", "later", -5, 1), (NULL, 5, 0, 1), (10, 5, 0, 1), (1, 9223372036854775807, 0, 1), (5, 9, 99999999999, 7)'
run timeout 20 traceviz convert -q lies.db -o lies
is "$rc $(tail -n +2 lies/tasks.csv | cut -d, -f1-4 | tr '\n' ';')" "0 GPU99999999999.0,kernel,0.000000,0.000004;" "a schema that lies"
run traceviz convert lies.db -o lies
like "$rc $(cat stderr)" "0 *no times*(4 records skipped, this is the first)*" "rows without times are counted"
cp nsys-one.db mpi.db
sqlite3 mpi.db 'INSERT INTO StringIds VALUES (9000001, "MPI_Send"), (9000002, "MPI_Allreduce");
CREATE TABLE MPI_P2P_EVENTS (start, "end", globalTid, textId, size); INSERT INTO MPI_P2P_EVENTS VALUES (10, 30, 7, 9000001, 800), (40, 41, 7, 9000001, "lots");
CREATE TABLE MPI_COLLECTIVES_EVENTS (start, "end", globalTid, textId); INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (50, 90, 7, 9000002)'
run traceviz convert -q --zero none mpi.db -o mpi
is "$rc $(cut -d, -f2- mpi/calls.csv | tr '\n' ';')$(grep -c MPI mpi/states.csv)" \
	"0 Call,Class,Start,End,Bytes;MPI_Send,blocking,0.000010,0.000030,800;MPI_Send,blocking,0.000040,0.000041,;MPI_Allreduce,blocking,0.000050,0.000090,;0" "calls of MPI; a size that is no number is missing"
run traceviz summary -q --of calls --by path mpi.db
is "$rc $(cut -d, -f1-4 stdout | tr '\n' ';')" "0 CallPath,Count,Inclusive,Exclusive;MPI_Allreduce,1,0.000040,0.000040;MPI_Send,2,0.000021,0.000021;" "and their sums"
sqlite3 empty.db 'CREATE TABLE StringIds (id, value)'
run traceviz info empty.db
like "$rc $(cat stderr)" "1 *without any work of a known profiler*" "no rows"
