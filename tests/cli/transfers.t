#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# transfers.t: what uses the data of a transfer: ties, and messages whose times are rounded
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 8

mkdir run
cat >run/resources.csv <<'END'
ResourceId,ResourceType,Node,Parent,MemoryNode
MEMMANAGER0,MEMMANAGER,0,,0
MEMMANAGER1,MEMMANAGER,0,,1
CUDA0,CUDA,0,,1
CUDA1,CUDA,0,,1
0_mpict,MPI Thread,0,,
1_mpict,MPI Thread,1,,
1_CPU0,CPU,1,,0
END
tasks() { printf '%s\n' ResourceId,Value,Start,End,JobId,Node,Handles "$@" >run/tasks.csv; }
uses() { traceviz transfers -q run | awk -F, -v key="$1" '$1 == key { print $12, $14, $15, $16 }'; }
# The copy to the GPU ends at 1050; the copy back ends 50 ns after the message seems to begin.
cat >run/links.csv <<'END'
Type,Key,Origin,Dest,Start,End,Size,Handle
Intra-node data Fetch,com_1,MEMMANAGER0,MEMMANAGER1,1000,1050,8,aa
Intra-node data Fetch,com_2,MEMMANAGER1,MEMMANAGER0,1299.9,1300.00005,8,aa
MPI communication,mpicom_0,0_mpict,1_mpict,1300,1400,8,aa
END
tasks CUDA0,gemm,900,950,1,0,aa CUDA0,gemm,1100,1200,10,0,aa CUDA1,gemm,1100,1200,9,0,aa
is "$(uses com_1)" "9 1100.000000 2 " "of tasks that start at once the one with the smallest JobId is the first"
tasks CUDA1,gemm,1100,1200,9,0,aa CUDA0,gemm,1100,1200,10,0,aa CUDA0,gemm,900,950,1,0,aa
is "$(uses com_1)" "9 1100.000000 2 " "in any order of rows"
tasks CUDA0,gemm,1100,1200,10,0,aa CUDA1,gemm,1100.000001,1200,9,0,aa
is "$(uses com_1)" "10 1100.000000 2 " "else the one that starts first"

# 1300 ms / 2^24 are 77.5 ns.
is "$(uses com_2)" "  0 " "a message that begins before the data are there did not send them"
printf 'Key,Value\nMessageTimes,rounded to 32-bit floats\nClockOrigin,0\n' >run/meta.csv
is "$(uses com_2)" "  0 mpicom_0" "unless its time is rounded by more"
printf 'Key,Value\nMessageTimes,rounded to 32-bit floats\nClockOrigin,-1000\n' >run/meta.csv
is "$(uses com_2)" "  0 " "which depends on the time since the recording began"

need_shared 2
paje=$SHARED/golden/mpi-cholesky-20-dmdas-2nodes fxt=$SHARED/data/mpi/cholesky-20-dmdas-2nodes
mkdir both
for file in paje.trace tasks.rec data.rec comms.rec; do zstd -qdc "$paje/$file.zst" >both/$file; done
traceviz transfers -q both | cut -d, -f1,12-16 >got
is "$(awk -F, 'NR > 1 && $6 != ""' got | wc -l)" 184 "messages of transfers, from Paje and comms.rec"
traceviz transfers -q "$fxt" | cut -d, -f1,12-16 >want
ok "those of the FxT files" cmp got want
