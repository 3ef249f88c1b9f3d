#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plot.t: pictures of every format: fonts, text, valid XML, the same bytes; big and strange traces
# needs pdfinfo pdftotext pdffonts rsvg-convert xmllint gzip
. "$(dirname "$0")/lib.sh"
plan 76

# PDF: one page of the asked size, text that can be searched, TrueType subsets, no date and no path.
run traceviz -q "$DATA/cholesky.csv" --title dmdas -o a.pdf
is "$rc $(cat stderr)" "0 " "a PDF is drawn without a word"
pdftotext -layout a.pdf text
like "$(cat text)" "*dmdas*CPU*tasks*makespan*idle*time (*" "its text can be extracted"
pdffonts a.pdf >fonts
is "$(awk 'NR > 2 && (($2 != "TrueType" && $2 != "CID") || !/ yes yes yes /)' fonts)" "" "TrueType, embedded, subset"
ok "only the shipped font" awk 'NR > 2 && $1 !~ /[+]LiberationSans/ { bad = 1 } END { exit bad || NR < 3 }' fonts
pdfinfo a.pdf >info
is "$(grep -c Date info)" 0 "no date"
like "$(cat info)" "*Title: *dmdas*Creator: *traceviz 0*" "title and creator"
is "$(sed -n 's/^Page size: *\([0-9.]*\) x.*/\1/p' info)" 515.52 "7.16 inches wide"
ok "at most 9 inches high" awk '/^Page size/ { exit !($5 <= 648) }' info
is "$(SOURCE_DATE_EPOCH=86400 traceviz -q "$DATA/cholesky.csv" -o d.pdf; TZ=UTC pdfinfo d.pdf | grep -c '1970')" 1 \
	"SOURCE_DATE_EPOCH is the date"

# The same bytes again, in another place, with other ideas about fonts.
for to in pdf png svg csv; do
	traceviz -q "$DATA/cholesky.csv" -o "one.$to"
	mkdir -p elsewhere
	(cd elsewhere && FONTCONFIG_FILE=/dev/null HOME=/nonexistent LANG=C.UTF-8 LC_ALL=C.UTF-8 TZ=Asia/Tokyo \
		traceviz -q "$DATA/cholesky.csv" -o "../two.$to")
	ok "$to: the same bytes again" cmp "one.$to" "two.$to"
done
is "$(ls -A elsewhere)" "" "nothing else is written"
run traceviz -q "$DATA/cholesky.csv" --to pdf -o -
ok "the same on standard output" cmp stdout one.pdf

# SVG: valid, real text, a group with an id per type, a title per task.
ok "SVG is well-formed" xmllint --noout one.svg
run traceviz -q "$DATA/cholesky.csv" --panels spacetime -o st.svg
is "$(grep -c '<rect class="\(task\|outlier\)".*<title>' st.svg)" \
	"$(traceviz info -q "$DATA/cholesky.csv" --csv | awk -F, '$1 == "app rows" { n += $3 } END { print n }')" \
	"a titled rectangle per task"
ok "types have ids" grep -q '<g id="type-[A-Za-z]*" class="type-[A-Za-z]*">' one.svg
is "$(sed -n 's/.* id="\([^"]*\)".*/\1/p' one.svg | sort | uniq -d)" "" "ids occur once"
ok "text is text" grep -q '<text.*>makespan [0-9.]* m\{0,1\}s .*</text>' one.svg
if traceviz --version | grep -q harfbuzz-subset; then
	is "$(grep -o "^@font-face{font-family:'[^;]*;font-weight:[a-z]*" one.svg | sed 's/.*://')" "normal
bold" "SVG contains its font"
	ok "what is used of it" [ "$(sed -n '/^@font-face/p' one.svg | wc -c)" -lt 30000 ]
else
	skip 2 "built without harfbuzz-subset"
fi
ok "rsvg draws it" rsvg-convert one.svg -o one-svg.png

# The boxes: header and one row per shape, numbers that do not depend on the medium.
run traceviz -q "$DATA/cholesky.csv" -o x.pdf --dump-boxes boxes.csv
is "$rc $(head -1 boxes.csv)" "0 Shape,Frame,Class,Group,Label,Row,X,Y,Width,Height,Fill,Stroke,Text" "--dump-boxes"
ok "the boxes are those of -o FILE.csv" cmp boxes.csv one.csv

# Sizes.
run traceviz -q "$DATA/cholesky.csv" --width 3.5 --height 3 --dpi 100 -o s.png
is "$rc $(od -An -tu1 -j16 -N4 s.png | awk '{ print $3 * 256 + $4 }')" "0 350" "3.5 inches at 100 dpi are 350 pixels"
for bad in "--width 0.3" "--width 1000" "--height 0.2" "--dpi 1" "--dpi 1e9" "--palette none"; do
	# shellcheck disable=SC2086
	run traceviz -q "$DATA/cholesky.csv" $bad -o bad.png
	is "$rc $(ls bad.png 2>/dev/null)" "2 " "$bad is refused"
done

# Names from the outside.
printf 'ResourceId,Value,Start,End,JobId\n"C<&>""]]>\001\033","g\377\376e&lt;",0,10,1\nCPU1,\346\227\245\357\277\277,3,4,2\n' >odd.csv
for to in pdf png svg; do
	run traceviz -q odd.csv --title '<&"]]>' -o "odd.$to"
	is "$rc $(cat stderr)" "0 " "odd names in $to"
done
ok "odd names leave SVG well-formed" xmllint --noout odd.svg

# Without tasks: the states.
mkdir states
printf 'ResourceId,Type,Value,Start,End\nT0,S,outer,0,10\nT0,S,inner,2,4\nT1,S,outer,1,9\n' >states/states.csv
run traceviz -q states -o states.csv
is "$rc $(grep -c '^rect,spacetime,state' states.csv)" "0 3" "a trace without tasks is drawn from its states"
printf 'ResourceId,Type,Start,End,Value\nT0,S,0,1,3\n' >states/variables.csv
rm states/states.csv
run traceviz -q states -o nothing.pdf
is "$rc $(ls nothing.pdf 2>/dev/null)" "1 " "neither tasks nor states: nothing is written"

# A window: clipped to it, and said.
run traceviz -q "$DATA/cholesky.csv" --begin 10 --end 20 -o w.csv
like "$rc $(grep '^text' w.csv)" "0 *window 10.00 to 20.00 ms*" "the title tells the window"
# Labels have commas in them: the columns are counted from the end.
awk -F, '$3 == "frame" { print $(NF - 6), $(NF - 6) + $(NF - 4) }' w.csv >frame
ok "all tasks lie in the frame" awk -F, 'NR == FNR { split($0, edge, " "); next }
	$3 == "task" || $3 == "outlier" { n++; right = $(NF - 6) + $(NF - 4)
		bad += ($(NF - 6) < edge[1] - 0.001 || right > edge[2] + 0.001) } END { exit bad || n == 0 }' frame w.csv

# 200,000 tasks: drawn as images, in every format, and the figure says so.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId"
	for (i = 0; i < 200000; i++)
		printf "CPU%d,%s,%d.%03d,%d.%03d,%d\n", i % 20, i % 3 ? "gemm" : "trsm", i / 20, i % 7 * 90,
			i / 20, i % 7 * 90 + 300, i }' >big.csv
for to in pdf png svg; do
	run traceviz -q big.csv -o "big.$to"
	is "$rc" 0 "200,000 tasks as $to"
done
ok "its SVG is well-formed" xmllint --noout --huge big.svg
ok "its SVG is small" [ "$(wc -c <big.svg)" -lt 4000000 ]
pdftotext big.pdf text
like "$(cat text)" "*1 px (1/600 in) = *tasks*" "it says how many tasks share a pixel"

# What is missing is said also where nothing can be drawn.
run traceviz "$DATA/cholesky-dmdas.csv" --panels regression --regression.against Nope -o none.pdf
is "$rc $(wc -l <stderr)" "1 2" "no panel has its data"
like "$(cat stderr)" "traceviz: panel regression left out: *nothing to draw: every panel*" "each says why"
run traceviz "$DATA/cholesky-dmdas.csv" --panels durations --durations.scale odd -o none.pdf
is "$rc $(cat stderr)" "2 traceviz: --durations.scale 'odd', expected auto, linear or log" \
	"a wrong value of a panel's option names the panel"
run traceviz --facet -o none.pdf
is "$rc $(cat stderr)" "2 traceviz: no trace named; try 'traceviz plot --help'" "facets of nothing"
run traceviz idlenes "$DATA/cholesky-dmdas.csv" -o none.pdf
is "$rc $(cat stderr)" "2 traceviz: 'idlenes' is neither a verb nor a file (did you mean 'idleness'?); try 'traceviz --help'" "a misspelt verb"
run traceviz "$DATA/cholesky-dmdas.csv" --panels spacetime --only NOPE -o some.csv
like "$rc $(cat stderr)" "1 traceviz: --only 'NOPE': none fits, expected one of GEMM, POTRF, *" "a choice of nothing is reported"
is "$(ls none.pdf 2>/dev/null)" "" "nothing is written in vain"

# A run without any duration: no mean, so no panel of one.
printf 'ResourceId,Value,Start,End,JobId,SubmitTime\nCPU0,a,5,5,1,0\nCPU1,a,5,5,2,0\n' >instant.csv
run traceviz instant.csv -o instant-boxes.csv
is "$rc $(grep -c panel stderr)" "0 0" "tasks without duration: default panels without data are no news"
run traceviz instant.csv --verbose -o instant-boxes.csv
like "$rc $(cat stderr)" "0 *panel submitted left out: the run takes no time*" "the reasons"
is "$(grep -c 'nan' instant-boxes.csv)" 0 "no number that is none"

# The name of a run: endings go, other points stay.
mkdir 1.4.12-lws
cp "$DATA/cholesky-dmdas.csv" 1.4.12-lws/tasks.csv
cp "$DATA/cholesky-dmdas.csv" run.2.csv
cp "$DATA/cholesky-dmdas.csv" a
gzip -c a >run.3.csv.gz
name() {
	traceviz -q "$@" --panels spacetime -o name.csv && sed -n 's/^text,page,header,.*,,\([^,]*\)$/\1/p' name.csv | head -1
}
is "$(name 1.4.12-lws)" 1.4.12-lws "a folder's name"
is "$(name 1.4.12-lws/tasks.csv) $(name run.2.csv) $(name run.3.csv.gz) $(name a)" "1.4.12-lws run.2 run.3 a" \
	"a file's name without endings"
is "$(traceviz compare -q run.2.csv run.3.csv.gz --section runs --csv | sed -n 's/^runs,\([^,]*\),\([^,]*\),makespan,.*/\1 \2/p')" \
	"run.2 run.3" "so in compare"

# Three runs in the usual width: no title loses its number.
run traceviz -q --facet a="$DATA/cholesky-dmda.csv" b="$DATA/cholesky-dmdas.csv" c="$DATA/cholesky-ws.csv" -o three.csv
is "$rc $(sed -n 's/.*,\("\?iterations: [^"]*\).*/\1/p' three.csv | tr -d '"' | paste -sd' ')" \
	"0 iterations: 12, at most 2 open iterations: 12, at most 7 open iterations: 12, at most 4 open" "titles in three columns"

# Options that need another one, and pictures that no medium can hold.
for bad in "--align end" "--share-x no" "--facet-layout rows" "--spacetime.depth 3" "--spacetime.threshold 5" "--spacetime.deps all" "--dpi 2400 --width 50"; do
	# shellcheck disable=SC2086
	run traceviz -q "$DATA/cholesky-dmda.csv" $bad -o alone.png
	is "$rc $(ls alone.png 2>/dev/null)" "2 " "$bad alone is refused"
done
# Tasks without length are thin lines.
{ echo ResourceId,Value,Start,End,JobId; for i in 1 2 3 4 5; do echo "CPU0,a,$i,$i,$i"; done; } >instants.csv
run traceviz -q instants.csv --panels spacetime -o instants-boxes.csv
is "$rc $(awk -F, '$3 == "task" && $12 != ""' instants-boxes.csv | wc -l | tr -d ' ')" "0 5" "tasks without length show"

# Workers that do several tasks at once: bounds above the makespan are explained where they are shown.
printf '%s\n' ResourceId,Value,Start,End,JobId,Kind,ResourceType C0,a,0,10,1,app,CPU C0,a,0,10,2,app,CPU C0,a,2,10,3,app,CPU \
	C1,b,0,9,4,app,CPU C1,b,8,10,5,app,CPU >over.csv
run traceviz bounds over.csv
is "$(grep -c 'begin before' stderr) $(grep 'begin before' stderr)" "1 traceviz: 3 executions begin before an earlier one on the same worker \
has ended: C0 (2), C1 (1); bounds may exceed the makespan" "overlapping executions are reported once, with the workers"
like "$(cat stderr)" "*abe is above the makespan: executions overlap, so workers did more than one task at once*" "and so is the bound above"
is "$(traceviz info over.csv | grep overlaps | tr '\n' ' ')" "overlaps,,3 overlaps,C0,2 overlaps,C1,1 " "info lists them"
run traceviz over.csv -o over.boxes.csv
like "$(cat over.boxes.csv)" "*executions overlap on 2 workers: bounds may exceed the makespan*" "the header explains it"
is "$(grep -c 'begin before' stderr)" 1 "once for a figure, too"
printf '%s\n' ResourceId,Value,Start,End,JobId,Kind,ResourceType,DependsOn C0,a,0,1,1,app,CPU, C0,a,1,2,2,app,CPU,1 C0,a,2,3,3,app,CPU,2 \
	C0,a,3,4,4,app,CPU,3 C1,a,0,4,5,app,CPU, >lucky.csv
run traceviz bounds lucky.csv
like "$(cat stderr)" "*cpe is above the makespan: it is an estimate, and this run was faster*" "an estimate from means that the run has beaten"
wide="TYPE == \"$(printf '%0250d' 0)\" or Start >= 0"
traceviz -q "$DATA/cholesky.csv" --width 40 --restrict "$(echo "$wide" | sed s/TYPE/Value/)" -o wide.svg
like "$(cat wide.svg)" "*restricted to Value == &quot;0*0&quot; or Start &gt;= 0*" "a long restriction is whole in a header that is wide enough"

# Names of bounds in full where they take no further line.
header() { traceviz -q "$DATA/cholesky-dmdas.csv" "$@" --panels spacetime -o header.csv && sed -n 's/^text,page,header,.*#1a1a1a,,"*\([^"]*\)"*$/\1/p' header.csv | sed 1,2d; }
is "$(header --width 3.5) | $(header --width 2.6)" "makespan 448.2 ms · area bound ABE 347.6 (run +28.9 %)
critical path estimate CPE 151.2 ms · idle CPU 96.6 %, CUDA 12.8 % | makespan 448.2 ms · ABE 347.6 (run +28.9 %)
CPE 151.2 ms · idle CPU 96.6 %, CUDA 12.8 %" "bounds are spelled out in a wide header"
