#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# html.t: HTML reports: one file, its policy, its tables against the passes, hostile names
. "$(dirname "$0")/lib.sh"
plan 79
read_report() { command=$1; shift; perl "$ROOT/tests/cli/html_report.pl" "$command" "$@"; }
# same FILE RUN.PASS COLUMNS TRACE ARGS...: the table has these columns, as the pass prints them
same() {
	report=$1 table=$2 columns=$3; shift 3
	case $table in
	*.tasks) traceviz convert -q "$@" -o - ;;
	*) traceviz "${table#*.}" -q --csv "$@" ;;
	esac >pass.csv
	is "$(read_report table "$report" "$table" <pass.csv)" "$columns columns, $(($(wc -l <pass.csv) - 1)) rows, 0 differences" \
		"$table of $report"
}
# same_idle FILE TRACE BEGIN END (ms): idle time by worker and cause
same_idle() {
	traceviz idle-causes -q --csv --by worker ${3:+--begin "$3" --end "$4"} "$2" | awk -F, "$by_name"'
		
		$c["Time"] > 0 { t = $c["Time"]; sub(/[.]/, "", t); sub(/^0+/, "", t); print $c["ResourceId"], $c["Cause"], t }' |
		sort >pass.idle
	set -- "$1" "$2" "${3:-}" "${4:-}"
	read_report idle "$1" run0 "${3:-min}${3:+000000}" "${4:-max}${4:+000000}" | sort >report.idle
	ok "$(wc -l <pass.idle) idle times of $1${3:+ from $3 to $4 ms}" cmp pass.idle report.idle
}

# one file, alone
run traceviz "$DATA/cholesky.csv" -o report.html
is "$rc $(cat stderr)" "0 " "a report"
run traceviz "$DATA/cholesky.csv" -o again.html
sed 's/again[.]html/report.html/' again.html >same.html
ok "the same bytes again" cmp report.html again.html
traceviz "$DATA/cholesky.csv" -o - --to html >piped.html
ok "and to standard output" cmp report.html piped.html
run traceviz "$DATA/cholesky.csv" -o -
is "$rc" 2 "-o - needs --to"
like "$(cat stderr)" "*html*" "which names html"
run traceviz "$DATA/cholesky.csv" -o report.htm
is "$rc" 2 "another ending is refused"
is "$(read_report policy report.html)" "none script style" "the policy allows this script and this style alone"
read_report outside report.html >outside
is "$(grep -cE '(src|href)="(http|//|file)' outside)" 0 "nothing is loaded from elsewhere"
is "$(tr '"' '\n' <outside | sed -n 's/^data:image\/png;base64,//p' | base64 -d | head -c 8 | od -An -tx1 | tr -d ' ')" \
	89504e470d0a1a0a "the picture without JavaScript is a PNG"
makespan=$(traceviz bounds -q --csv "$DATA/cholesky.csv" | awk -F, '$2 == "makespan" { print $4 }')
like "$(cat outside)" "*>makespan</th><td>$makespan ms<*" "with the numbers as text"
mean=$(traceviz idleness -q --csv "$DATA/cholesky.csv" | awk -F, '$2 == "CUDA" { s += $7; n++ } END { printf "%.2f", s / n }')
like "$(cat outside)" "*>idleness of CUDA</th><td>$mean %*" "idleness of a resource type"

# tables, to the ns
same report.html run0.tasks 25 "$DATA/cholesky.csv"
same report.html run0.bounds 6 "$DATA/cholesky.csv"
same report.html run0.idleness 9 "$DATA/cholesky.csv"
same report.html run0.outliers 2 "$DATA/cholesky.csv"
same report.html run0.deps 4 "$DATA/cholesky.csv"
same report.html run0.iterations 3 "$DATA/cholesky.csv"
same report.html run0.critical-path 11 "$DATA/cholesky.csv"
last() { traceviz deps -q --csv "$2" >pass.csv
	is "$(read_report last "$1" run0 <pass.csv)" "1 columns, $(($(wc -l <pass.csv) - 1)) rows, 0 differences" \
		"last dependencies of $1"; }
last report.html "$DATA/cholesky.csv"
read_report predecessors report.html run0 | sort >graph
# Jobs that the trace does not have are no predecessors.
awk -F, "$by_name"'{ job[$c["JobId"]]; deps[$c["JobId"]] = $c["DependsOn"] }
	END { for (j in job) { n = split(deps[j], d, " "); split("", seen); for (i = 1; i <= n; i++)
		if (d[i] in job && !((j, d[i]) in seen)) { seen[j, d[i]]; print j, d[i] } } }' "$DATA/cholesky.csv" | sort >edges
awk -F': ' '{ n = split($2, d, " "); for (i = 1; i <= n; i++) print $1, d[i] }' graph | sort >report.edges
ok "predecessors: $(wc -l <edges) edges" cmp edges report.edges
same_idle report.html "$DATA/cholesky.csv"
same_idle report.html "$DATA/cholesky.csv" 1000 2000
same_idle report.html "$DATA/cholesky.csv" 4100 4190
busy=$(traceviz idleness -q --csv "$DATA/cholesky.csv" | awk -F, 'NR > 1 { sub(/[.]/, "", $5); print $1, $4, $5 }' | sort)
is "$(read_report busy report.html 0 | sort)" "$busy" "the chart has every task, whole"

run traceviz -q "$DATA/cholesky-4nodes/p2x2" -o nodes.html
is "$rc" 0 "a run of four nodes"
for pass in "bounds 6" "idleness 9" "outliers 2" "deps 4" "critical-path 14"; do
	same nodes.html "run0.${pass% *}" "${pass#* }" "$DATA/cholesky-4nodes/p2x2"
done
last nodes.html "$DATA/cholesky-4nodes/p2x2"
same_idle nodes.html "$DATA/cholesky-4nodes/p2x2"
same_idle nodes.html "$DATA/cholesky-4nodes/p2x2" 100 300
is "$(read_report header nodes.html scene charts 0 rows)" "$(traceviz idleness -q --csv "$DATA/cholesky-4nodes/p2x2" |
	awk 'END { print NR - 1 }')" "one row per worker, however low"

# several runs
run traceviz -q --facet x="$DATA/cholesky-dmda.csv" y="$DATA/cholesky-ws.csv" -o facets.html
is "$rc" 0 "two runs"
is "$(read_report header facets.html facets 1)" '{"column":1,"label":"y","row":0,"run":1}' "each in its place"
same facets.html run0.tasks "$(($(head -1 "$DATA/cholesky-dmda.csv" | tr ',' '\n' | wc -l) - 2))" "$DATA/cholesky-dmda.csv"
same facets.html run1.bounds 6 "$DATA/cholesky-ws.csv"
same facets.html run1.deps 4 "$DATA/cholesky-ws.csv"
run traceviz -q --facet-by node "$DATA/cholesky-4nodes/p2x2" -o by.html
is "$rc $(read_report header by.html facets 3)" '0 {"column":1,"label":"node 3","row":1,"run":0}' "the nodes of one run"

# panels
run traceviz -q "$DATA/cholesky.csv" --zoom 1000..1200 --task-labels JobId -o zoom.html
is "$rc" 0 "a zoom and labels of tasks"
is "$(read_report header zoom.html scene frames 2 name)" '"zoom"' "the zoom has its frame"
for window in "spacetime.collapse type" "spacetime.aggregate slices" "spacetime.chains type:POTRF"; do
	# shellcheck disable=SC2086 # an option and its value
	run traceviz -q "$DATA/cholesky.csv" --$window -o panel.html
	is "$rc $(cat stderr)" "0 " "--$window"
done
read_report busy zoom.html 0 | awk '{ n += $2; t += $3 } END { printf "%d %d", n, t }' >all
traceviz -q "$DATA/cholesky.csv" --spacetime.collapse type -o collapsed.html
is "$(read_report busy collapsed.html 0 | awk '{ n += $2; t += $3 } END { printf "%d %d %d", NR, n, t }')" "2 $(cat all)" \
	"joined rows have the same items"
traceviz help panels | awk '/^  [a-z]/ { print $1 }' >panels
is "$(($(wc -l <panels) > 25))" 1 "panels to try: $(wc -l <panels)"
bad=
while read -r panel; do
	for trace in cholesky.csv cholesky-4nodes/p2x2 qr-mumps-like.csv; do
		run traceviz -q "$DATA/$trace" --panels spacetime,"$panel" -o panel.html
		[ "$rc" -eq 0 ] && read_report header panel.html scene width >/dev/null || bad="$bad $panel($trace)"
	done
done <panels
is "$bad" "" "every panel"
traceviz states -q "$DATA/cholesky-paje" >/dev/null
run traceviz -q "$DATA/cholesky-paje" --panels spacetime,states -o states.html
is "$rc" 0 "a panel of states"
like "$(read_report busy states.html 1 | head -1)" "* [1-9]* [1-9]*" "has them with their times"

printf 'X,Y\n1,2\n2,3\n' >table.csv
run traceviz table.csv --panels chart --chart.x X --chart.y Y -o table.html
is "$rc $(cat stderr)" "0 " "a table that is no trace"
is "$(read_report header table.html scene parts 3 name)" '"chart"' "with its panel"

# windows
run traceviz -q "$DATA/cholesky.csv" --begin 1000 --end 2000 -o window.html
is "$rc" 0 "a window"
is "$(read_report header window.html runs 0 from) $(read_report header window.html runs 0 to)" '"1000000000" "2000000000"' \
	"its times"
same_idle window.html "$DATA/cholesky.csv" 1000 2000
is "$(read_report busy window.html 0)" "$(read_report busy report.html 0 1000000000 2000000000)" \
	"the chart has the tasks that touch it, whole"
# Brute force: tasks that touch the window, what they depend on and what depends on them (through ghosts), the last task before and the
# first one after it of each worker, and of all of these the last dependencies.
traceviz deps -q --csv "$DATA/cholesky.csv" >deps.csv
awk -F, -v begin=1000 -v end=2000 "$by_name"'
	{ j = $c["JobId"]; last[j] = $c["LastDependency"]; s[j] = $c["Start"]; e[j] = $c["End"]; w[j] = $c["ResourceId"]
	  before[j] = $c["DependsOn"]
	  if (s[j] != "" && s[j] <= end && e[j] >= begin) shown[j]
	  if (s[j] != "" && e[j] <= begin && (!(w[j] in left) || e[j] >= e[left[w[j]]])) left[w[j]] = j
	  if (s[j] != "" && s[j] >= end && (!(w[j] in right) || s[j] < s[right[w[j]]])) right[w[j]] = j }
	END { for (j in shown) kept[j]
	  for (j in shown) { up[j]; down[j] }
	  do { more = 0
	    for (j in last) { n = split(before[j], d, " "); for (i = 1; i <= n; i++) { b = d[i]
		if ((b in shown || b in up && s[b] == "") && !(j in up)) { up[j]; more = 1 }
		if ((j in shown || j in down && s[j] == "") && b in last && !(b in down)) { down[b]; more = 1 } } }
	  } while (more)
	  for (j in up) kept[j]
	  for (j in down) kept[j]
	  for (i in left) kept[left[i]]
	  for (i in right) kept[right[i]]
	  for (j in kept) for (at = last[j]; at != "" && !(at in chain); at = last[at]) chain[at]
	  for (j in chain) kept[j]
	  for (j in kept) print j }' deps.csv | sort >near
read_report jobs window.html run0 | sort >window.jobs
ok "$(wc -l <near) of $(($(wc -l <deps.csv) - 1)) tasks" cmp near window.jobs
is "$(read_report header window.html runs 0 tasks)" "$(read_report header report.html runs 0 tasks)" "the number is that of the run"
read_report lasts report.html run0 | sort | awk 'NR == FNR { near[$1]; next } $1 in near' near - >want.last
read_report lasts window.html run0 | sort >got.last
ok "$(wc -l <want.last) last dependencies" cmp want.last got.last
read_report predecessors window.html run0 | awk -F': ' '{ n = split($2, d, " "); for (i = 1; i <= n; i++) print $1, d[i] }' |
	sort >window.edges
awk 'NR == FNR { near[$1]; next } $1 in near && $2 in near' near edges >near.edges
ok "$(wc -l <near.edges) edges between them" cmp near.edges window.edges
for column in Threshold Outlier; do
	read_report of_job report.html run0.outliers "$column" | sort | awk 'NR == FNR { near[$1]; next } $1 in near' near - >want
	read_report of_job window.html run0.outliers "$column" | sort >got
	ok "$column of $(wc -l <got) tasks" cmp want got
done
run traceviz -q "$DATA/cholesky.csv" --begin 1000 --end 2000 --panels ready -o curve.html
read_report jobs curve.html run0 | sort >curve.jobs
ok "the same tasks without a chart of them" cmp near curve.jobs
run traceviz -q --facet-by node "$DATA/cholesky-4nodes/p2x2" --begin 100 --end 200 -o by.html
same_idle by.html "$DATA/cholesky-4nodes/p2x2" 100 200

# hostile names
long=$(head -c 10240 /dev/zero | tr '\0' 'x')
hostile='</script><img src=x onerror=alert(1)>'
printf 'ResourceId,Value,Start,End,JobId,Tag\n' >hostile.csv
printf 'CPU0,"%s",0,1,1,"%s"\n' "$hostile" "<!--<script>" >>hostile.csv
printf 'CPU0,"say ""hi"" & \\ go",1,2,2,"]]>"\n' >>hostile.csv
printf 'CPU0,%s,2,3,3,\n' "$long" >>hostile.csv
printf '"</title><b>","\360\237\246\212 \327\251\327\234\327\225\327\235 \342\200\256x",0,2,"</script>",\n' >>hostile.csv
run traceviz -q hostile.csv -o hostile.html --title "$hostile"
is "$rc" 0 "names that look like markup"
read_report outside hostile.html >outside
is "$(grep -c '<img src=x' outside) $(grep -c '<b>' outside) $(grep -o '</script>' outside | wc -l)" "0 0 0" "are none in the page"
is "$(grep -o '<script' hostile.html | wc -l) $(grep -o '</script>' hostile.html | wc -l)" "2 2" "two scripts, as ever"
same hostile.html run0.tasks 6 hostile.csv
is "$(read_report policy hostile.html)" "none script style" "the policy holds"
printf 'ResourceId,Value,Start,End\nCPU0,a\377b,0,1\n' >bytes.csv
run traceviz -q bytes.csv -o bytes.html
is "$rc $(read_report header bytes.html title)" '0 "bytes"' "a name that is no UTF-8"

# what went on elsewhere for the largest part of a gap: tasks of a type, a message, a call
printf '%s\n' ResourceId,Value,Start,End,JobId,DependsOn,Kind,Node 0_CPU0,a,0,3,1,,app,0 0_CPU0,b,3,6,2,1,app,0 0_CPU0,b,6,10,4,2,app,0 ,m,10,13,m,4,message, \
	1_CPU0,c,13,15,3,m,app,1 0_CPU1,d,10,14,5,4,app,0 >gaps.csv
traceviz -q gaps.csv -o gaps.html
is "$(read_report culprits gaps.html run0)" "0_CPU0 10.000000 15.000000: message [0->1] m 3.000000
0_CPU1 0.000000 10.000000: task [b on CPU of node 0] 4 7.000000
0_CPU1 14.000000 15.000000: task [c on CPU of node 1] 3 1.000000
1_CPU0 0.000000 13.000000: task [b on CPU of node 0] 4 7.000000" "culprits of gaps"
traceviz -q gaps.csv --begin 14.2 --end 15 -o gaps.html
is "$(read_report culprits gaps.html run0)" "0_CPU0 10.000000 15.000000: message [0->1] m 3.000000
0_CPU1 14.000000 15.000000: task [c on CPU of node 1] 3 1.000000" "near a window, as without one"
mkdir calls
printf '%s\n' ResourceId,Value,Start,End,JobId CPU0,a,0,4,1 CPU0,a,15,20,2 CPU1,b,0,20,3 >calls/tasks.csv
printf '%s\n' ResourceId,Call,Class,Start,End CPU0,MPI_Recv,blocking,5,13 >calls/calls.csv
traceviz -q calls -o gaps.html
is "$(read_report culprits gaps.html run0)" "CPU0 4.000000 15.000000: call [MPI_Recv] - 8.000000" "a call"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\n' >one.csv
traceviz -q one.csv -o gaps.html
is "$(read_report column gaps.html run0.gap.culprit)" "" "no gap"
# The row of idle-causes with most of the time, for the longest gaps and some others.
read_report culprits nodes.html run0 | sed 's/: / /' | sort -k3gr -k1 | awk 'NR % 500 == 1' >culprits
while read -r worker begin end culprit rest; do
	traceviz idle-causes -q --csv --by culprit --resource "$worker" --begin "$begin" --end "$end" "$DATA/cholesky-4nodes/p2x2" | columns - Culprit,Value,ResourceType,Node,Link,Time |
		awk -v got="$culprit $rest" '{ t = $NF; NF--; sum[$0] += t } END { for (k in sum) if (sum[k] > max) { max = sum[k]; name = k }
			n = split(got, g, " "); printf "%s", g[n] == sprintf("%.6f", max) && index(name, g[1]) == 1 ? "" : got ", not " name " " max "\n" }'
done <culprits >wrong
is "$(cat wrong) $([ "$(wc -l <culprits)" -gt 5 ] && echo some)" " some" "as idle-causes"

# the one of the gallery
is "$(read_report policy "$ROOT/docs/gallery/report.html")" "none script style" "the report of the gallery"
same "$ROOT/docs/gallery/report.html" run0.tasks 25 "$DATA/cholesky-ws.csv"

# nothing half-written
run traceviz -q /dev/null -o none.html
is "$([ "$rc" -ne 0 ] && [ ! -e none.html ] && echo none)" none "without tasks there is no file"
run traceviz -q "$DATA/cholesky.csv" -o /dev/full --to html
is "$rc" 1 "a full disk is an error"
