#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usage-first.t: what the command line alone shows to be wrong is reported before anything is read
. "$(dirname "$0")/lib.sh"

# Each line is refused with status 2; the trace does not exist, which is an error of status 1.
cat >lines <<'LINES'
distribution --boxes --bins 5
bounds --time-limit 5
bounds --forbid gemm
bounds --durations mode
bounds --network latency
cluster A --k 3 --method dbscan
cluster A --eps 3
outliers --fit log
outliers --against GFlop
outliers --factor 3
outliers --model mad --factor 0
outliers --level 0.5
outliers --min-excess x
outliers --model regression --level 2
regression --level 1
reduce
choice
utilization --level PU --by type
utilization --step x
aggregate --by ResourceType
aggregate --step 10 --types GEMM
aggregate --exclude 'Value ='
imbalance --family homogeneous --task GEMM
fit A
fit A,B --on C
memory --summary --step 5
handles --summary --uses
window
derive 'A = B' --mean-of-ratios
derive 'A = B' --monitor x
critical-path --follow both --durations mean-fastest
critical-path --cut a==1=2
critical-path --delay-cost --cut a==1
critical-path --by link
critical-path --network latency=1us,bandwidth=1GB/s
overlap --by reference --reference x
overlap --calls blocking --compute-reference x
mpi-replay --calls --culprits rank
mpi-replay --cut a==1=2
mpi-replay --delay-cost call --cut a==1
rate --min-latency 3
idleness --definition thesis --level PU
progress --step 4
idle-causes --each link
idle-causes --level stream --by blame
overlap --by device --calls blocking
efficiency --by window
efficiency --step 4
efficiency --by node --all
efficiency --fail-if 'nodes <'
progress --open --whole
progress --tag-format bad
iterations --tag-format bad
place
residency --at x
topology --at 5,
topology --at ,
chain --depth x
chain --depth -1
paths --depth 1.5
deps --depth 3
summary --where 'Value = gemm'
summary --where 'Value == gemm && Start > 3'
summary --where 'Value =='
summary --restrict 'Start >'
summary --begin 5 --end 3
summary --begin x
summary --region a --end 3
summary --region 'a#*'
summary --only ,a
summary --csv --json
summary --measure rows
summary --of links --measure sum
summary --of links --measure rate:Size
summary --of links --measure p101:Size
summary --top x
summary -o x.pdf
info --kind bad
info --kind app,
info --resources CPU
info --zero x
info --format nosuch
info --kernels ''
bandwidth --by kind --of messages
diagnose --fail-if 'Time >'
diagnose --require-confidence
diagnose --begin 5 --end 3
efficiency --region a --by node
efficiency --region a --pop
efficiency --region a --network fit
efficiency --network fast
compare --fail-if 'makespan ='
compare --section nosuch
compare --durations-from
convert -o x.xml
convert -o x.pdf
convert -o x.csv --to rec
convert -o x --rec-dialect bad
convert -o x --rec-dialect tikki
convert
plot --panels nosuch -o x.svg
plot --panels ready
plot -o x.jpg
plot -o x.svg --begin 9 --end 3
plot -o x.svg --where 'Value =' 
plot -o x.svg --highlight 'Value &&'
plot -o x.svg --spacetime.depth x
plot -o x.svg --width x
plot -o x.svg --align start
plot -o x.svg --durations-from pool
plot -o x.svg --ready.limit x
plot -o x.svg --facet-layout 2x2
simulate --scheduler nosuch
simulate --data-size 2x
simulate --speed CPU=0
simulate --overhead 5x
simulate --overhead =5us
simulate --grain gemm
simulate --grain gemm=4 --memory CUDA=1GB
simulate --speed 'Value = gemm=2'
simulate --gflops 0
simulate --resources CPU=x
simulate --add CPU
simulate --submission window:0
simulate --model foo
simulate --transfers nosuch
simulate --transfers fit,bus=x
simulate --transfers free,bus=1GB/s
simulate --memory CUDA
simulate --platform epyc7452 --model comm --overlap 2
simulate --model comm
simulate --overlap 0.5
simulate --platform epyc7452 --model comm --scratch 1KiB
simulate --platform epyc7452 --transfers fit
simulate --sweep CPU=4..2
what-if --data-size 2x
what-if --scheduler nosuch
what-if --resources CPU=x
precision --fail-if 'error >'
bounds --fail-if 'Gap >'
mispredictions --top x
in-flight --step x
late --model nosuch
states --level
transfers --by nosuch
aggregate --types GEMM --step 5
plot -o x.svg --mark x
plot -o x.svg --mark x=start
plot -o x.svg --span 5..6
plot -o x.svg --span 6..5=back
plot -o x.svg --zoom 5
plot -o x.svg --arrow 5
bounds --csv -o out.json
bounds --json -o out.csv
summary -o x.txt
compare -o x.json --csv
precision -o x.html
convert -o x.txt
convert --to rec -o x.json
convert --to dot -o x.csv
generate cholesky --tiles 4 -o x.json
generate cholesky --tiles 4 -o x.feather
convert --to parquet -o x.csv
convert --to csv -o x.parquet
LINES
plan $(($(wc -l <lines) + 6))
while IFS= read -r line; do
	eval "set -- $line"
	run traceviz "$@" absent.csv
	like "$rc $(cat stderr)" "2 traceviz: *" "$line"
done <lines

# An input that never comes.
mkfifo never
run timeout 10 traceviz summary --where 'Value = gemm' never
is "$rc" 2 "an input that does not come is not waited for"
# The message names what works.
run traceviz convert -o x.xml absent.csv
like "$(cat stderr)" "*'x.xml'*a folder, FILE.csv, FILE.parquet or -*" "convert -o x.xml"
is "$(ls -d x.* 2>/dev/null)" "" "nothing was written"
run traceviz bounds --csv -o out.json absent.csv
like "$(cat stderr)" "*--csv contradicts the ending of -o 'out.json'*" "bounds --csv -o out.json"
# A folder may have any name if it is there.
mkdir here.json
run traceviz convert "$DATA/cholesky-paje" -o here.json
is "$rc $(ls here.json | grep -c tasks.csv)" "0 1" "a folder that is there"
run traceviz bounds "$DATA/cholesky-ws.csv" -q -o b.json
is "$rc $(head -c 1 b.json)" "0 [" "FILE.json is JSON"
