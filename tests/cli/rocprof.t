#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rocprof.t: JSON of rocprofv3: a real file, launches, copies, markers, processes, any order of its members; damage
. "$(dirname "$0")/lib.sh"
plan 19
gzip -dc "$TESTDATA/rocprof/kernels.json.gz" >kernels.json
traceviz info kernels.json >/dev/null 2>none
if grep -q 'built without it' none; then
	skip 19 "traceviz was built without yajl"
	exit 0
fi
# What Python's json says of the file: kernels and time by stream; all; the time of each name.
run traceviz summary -q --by ResourceId kernels.json
is "$rc $(columns stdout ResourceId,Tasks,Time | tr '\n' ';')" "0 GPU0.0 72 0.253760;GPU0.2 1 0.002440;GPU0.4 1 0.008640;GPU0.5 526 1.477852;" "kernels by stream"
is "$(traceviz info --csv kernels.json | grep '^time (ms),makespan\|^trace,Format')" "$(printf 'trace,Format,rocprof\ntime (ms),makespan,2090.846057')" \
	"from the first start to the last end"
is "$(traceviz summary -q kernels.json | grep rocclr | cut -d, -f1-3,5 | tr '\n' ' ')" \
	"__amd_rocclr_copyBuffer,GPU,422,1.315088 __amd_rocclr_fillBufferAligned,GPU,177,0.412124 " "time by name"

# One process: launches, a copy to the host, a marker, a record that is not read.
names='"strings": {"buffer_records": [{"kind": "NONE", "operations": []}, {"kind": "HIP_RUNTIME_API", "operations": ["hipFree", "hipLaunchKernel"]},
 {"kind": "MEMORY_COPY", "operations": ["NONE", "MEMORY_COPY_DEVICE_TO_HOST"]}, {"kind": "MARKER_CORE_API", "operations": ["roctxMarkA"]}],
 "marker_api": [{"key": 9, "value": "step <1>"}]},
"agents": [{"id": {"handle": 70}, "type": 1, "logical_node_type_id": 0}, {"id": {"handle": 71}, "type": 2, "logical_node_type_id": 3}],
"kernel_symbols": [{"kernel_id": 4, "kernel_name": "axpy.kd", "formatted_kernel_name": "axpy"}, {"kernel_id": 5, "kernel_name": "dot.kd"}]'
records='"buffer_records": {"kernel_dispatch": [
 {"kind": 9, "operation": 2, "thread_id": 1, "correlation_id": {"internal": 1, "external": 0}, "start_timestamp": 2000, "end_timestamp": 5000,
  "dispatch_info": {"agent_id": {"handle": 71}, "queue_id": {"handle": 6}, "kernel_id": 4, "grid_size": {"x": 1}}, "stream_id": {"handle": 2}},
 {"kind": 9, "operation": 2, "thread_id": 1, "correlation_id": {"internal": 3}, "start_timestamp": 5500, "end_timestamp": 6000,
  "dispatch_info": {"agent_id": {"handle": 71}, "queue_id": {"handle": 6}, "kernel_id": 5}}],
"hip_api": [{"kind": 1, "operation": 1, "thread_id": 8, "correlation_id": {"internal": 1}, "start_timestamp": 1000, "end_timestamp": 1500},
 {"kind": 1, "operation": 0, "thread_id": 8, "correlation_id": {"internal": 2}, "start_timestamp": 7000, "end_timestamp": 7001}],
"marker_api": [{"kind": 3, "operation": 0, "thread_id": 8, "correlation_id": {"internal": 9}, "start_timestamp": 900, "end_timestamp": 8000}],
"memory_copy": [{"kind": 2, "operation": 1, "thread_id": 8, "correlation_id": {"internal": 6}, "start_timestamp": 6000, "end_timestamp": 6400,
  "dst_agent_id": {"handle": 70}, "src_agent_id": {"handle": 71}, "bytes": 4096}],
"scratch_memory": [{"kind": 4, "start_timestamp": 1, "end_timestamp": 2}]}'
printf '{"rocprofiler-sdk-tool": [{"metadata": {"pid": 3},\n%s,\n%s}]}\n' "$names" "$records" >one.json
printf '{"rocprofiler-sdk-tool": [{%s, %s}]}\n' "$records" "$names" >turned.json
run traceviz convert -q --zero none one.json -o one
is "$rc $(columns one/tasks.csv ResourceId,Value,Start,End,SubmitTime,Device | tr '\n' ';')" \
	"0 GPU3.2 axpy 0.002000 0.005000 0.001000 GPU3;GPU3.6 dot.kd 0.005500 0.006000  GPU3;GPU3.0 MEMORY_COPY_DEVICE_TO_HOST 0.006000 0.006400  GPU3;" \
	"kernels and copies; the launch of the first"
is "$(sed 1d one/states.csv | cut -d, -f1-5 | tr '\n' ';')" \
	"thread8,marker,step <1>,0.000900,0.008000;thread8,hip_runtime,hipLaunchKernel,0.001000,0.001500;thread8,hip_runtime,hipFree,0.007000,0.007001;" \
	"calls and markers of the host"
is "$(grep NotRead one/meta.csv)" "NotRead,1 records of memory and samples" "what is not read is counted"
run traceviz convert -q --zero none turned.json -o turned
is "$rc $(for t in tasks states resources; do cmp one/$t.csv turned/$t.csv; done)" "0 " "names may follow the records"

# Processes: in one file, and in one file each.
printf '{"rocprofiler-sdk-tool": [{%s, %s}, {%s, %s}]}\n' "$names" "$records" "$names" "$records" >two.json
run traceviz convert -q two.json -o two
is "$rc $(columns two/tasks.csv ResourceId,Node | sort -u | tr '\n' ';')" "0 0_GPU3.0 0;0_GPU3.2 0;0_GPU3.6 0;1_GPU3.0 1;1_GPU3.2 1;1_GPU3.6 1;" "two processes"
mkdir ranks
cp one.json ranks/7_results.json
cp turned.json ranks/8_results.json
run traceviz convert -q ranks -o both
is "$rc $(for t in tasks states resources; do cmp two/$t.csv both/$t.csv; done)" "0 " "as files of a folder"
run traceviz convert -q one.json turned.json -o both
is "$rc $(for t in tasks states resources; do cmp two/$t.csv both/$t.csv; done)" "0 " "and on the command line"

# Damage.
head -c 1700 one.json >cut.json
run traceviz info cut.json
like "$rc $(cat stderr)" "0 *cut.json:*the file ends within its text*" "a file that is cut"
sed 's/"hip_api"/"hip_api"]/' one.json >broken.json
run traceviz info broken.json
like "$rc $(cat stderr)" "0 *broken.json:12:*no JSON*" "text that is no JSON"
is "$(grep -c '^rows,tasks,2' stdout)" 1 "what precedes it is used"
sed 's/"end_timestamp": 6000/"end_timestamp": 1/' one.json >wrong.json
run traceviz info wrong.json
like "$rc $(cat stderr)" "0 *wrong.json: *a row of kernel whose start and end are missing or the wrong way round*" "an end before its start"
echo '{"rocprofiler-sdk-tool": [{"metadata": {}}]}' >empty.json
run traceviz info empty.json
is "$rc $(cat stderr)" "1 traceviz: empty.json: JSON of rocprofv3 without kernels, copies and calls: record with --kernel-trace, --memory-copy-trace, --hip-trace" "a file without any"
{ printf '{"rocprofiler-sdk-tool": '; head -c 200000 /dev/zero | tr '\0' '['; } >deep.json
run traceviz info deep.json
is "$rc $(cat stderr)" "1 traceviz: deep.json:1: nested deeper than 100 levels, which is the limit" "a file that nests"
{ printf '{"rocprofiler-sdk-tool": "'; head -c 5000000 /dev/zero | tr '\0' 'x'; } >long.json
run traceviz info long.json
is "$rc $(cat stderr)" "1 traceviz: long.json:1: a text or number longer than 4 MiB, which is the limit" "a text that does not end"
{ printf '{"'; head -c 3000 /dev/zero | tr '\0' 'k'; printf '": {"b": [1, {"c": 2}]}, '; sed 's/^{//' one.json; } >key.json
run traceviz convert -q --zero none --format rocprof key.json -o key
is "$rc $(cmp one/tasks.csv key/tasks.csv)" "0 " "a key that is long"
traceviz diagnose -q one.json >answer 2>&1
ok "and an answer" grep -q '^The run took' answer
