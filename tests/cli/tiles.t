#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tiles.t: --tiles: every tile against the tasks, its folder, hostile names, refusals
. "$(dirname "$0")/lib.sh"
plan 44
# tiles TRACE TILES NAME: what is written agrees with the tasks, summary and itself; TILES: a pattern of their number
tiles() {
	run traceviz -q "$1" --tiles out
	is "$rc $(cat stderr)" "0 " "tiles of $3"
	like "$(perl "$ROOT/tests/cli/html_report.pl" tiles out/index.html 2>faults; cat faults)" "$2 tiles, 0 faults" "each tile of $3"
	traceviz summary -q --csv "$1" | awk -F, "$by_name"'
		NR > 1 { t = $c["Time"]; sub(/[.]/, "", t); sum[$c["Value"]] += t }
		END { for (t in sum) if (sum[t]) printf "%s %.0f\n", t, sum[t] }' | sort >summary
	ok "busy time of $3 at each depth is that of summary, to the ns" cmp sums summary
	traceviz convert -q "$1" -o - | awk -F, "$by_name"'
		NR > 1 && (!("Kind" in c) || $c["Kind"] == "app") { print $c["ResourceId"] "," $c["Value"] "," $c["Start"] "," $c["End"] "," $c["JobId"] }' | sort >all
	is "$(sort tasks | cmp - all 2>&1)" "" "$(wc -l <all) tasks of $3"
}

seed 38
# Shares at the top, tasks below, in a band of 100 rows; gaps, tasks without length, outliers, a long one.
awk -v seed="$seed" 'BEGIN { srand(seed); print "ResourceId,Value,Start,End,JobId"
	for (w = 0; w < 100; w++) for (t = i = 0; i < 200; i++) {
		d = rand() < 0.02 ? 0 : rand() < 0.01 ? 40 : 0.2 + rand()
		printf "CPU%d,%s,%.6f,%.6f,%d\n", w, substr("abbccccdd", 1 + int(9 * rand()), 1), t, t + d, n++
		t += d + (rand() < 0.3 ? rand() : 0)
	}
	printf "CPU100,long,0,%.6f,%d\n", t, n }' >band.csv
tiles band.csv '[1-9][0-9]' "a band"
mv out band; run traceviz -q band.csv --tiles out
rm out/index.html; cp band/index.html out
ok "the same bytes again" diff -r band out
# 600 rows: three bands, and a level above.
awk -v seed="$seed" 'BEGIN { srand(seed); print "ResourceId,Value,Start,End,JobId"
	for (w = 0; w < 600; w++) for (t = i = 0; i < 30; i++) {
		d = 0.2 + rand(); printf "CPU%d,%s,%.6f,%.6f,%d\n", w, substr("abc", 1 + int(3 * rand()), 1), t, t + d, n++; t += d } }' >rows.csv
tiles rows.csv '[1-9]*' "600 rows"
is "$(perl "$ROOT/tests/cli/html_report.pl" header out/index.html tiles levels | tr -cd '"' | wc -c)" 10 "three bands and two"
tiles "$DATA/cholesky.csv" 3 cholesky
head=ResourceId,Value,Start,End,JobId
printf '%s\nCPU0,a,1,2,7\n' $head >one.csv
tiles one.csv 1 "one task"
printf '%s\nCPU0,a,1,1,7\n' $head >instant.csv
tiles instant.csv 1 "one task without length"
# More tasks at one instant than a tile has: nothing divides them.
awk -v head=$head 'BEGIN { print head; for (i = 0; i < 9000; i++) printf "CPU0,a,1,1,%d\n", i; print "CPU1,b,0,500000,x" }' >equal.csv
run traceviz -q equal.csv --tiles out
is "$rc" 0 "9000 tasks at one instant"
is "$(perl "$ROOT/tests/cli/html_report.pl" tiles out/index.html 2>&1 | grep -cv bytes)" 1 "are in one file, which may be larger"
# 5000 tasks at once on one worker: no half of the time when all run has fewer.
awk -v head=$head 'BEGIN { print head; for (i = 0; i < 5000; i++) printf "CPU0,a,%.6f,%d,%d\n", i / 1e6, 1000000 - i, i }' >nested.csv
run traceviz -q nested.csv --tiles out
is "$rc $(($(find out -type f | wc -l) < 200))" "0 1" "tasks that all overlap"
awk -v head=$head 'BEGIN { print head; print "CPU0,a,-100000000000,-99999999999,x"; print "CPU0,a,100000000000,100000000001,y" }' >far.csv
run traceviz -q far.csv --tiles out
is "$rc" 0 "six years between two tasks"

# names that are no names
hostile='</script><script>alert(1)</script>"'"'"'\u2028'"$(printf '\342\200\250')"'$(x)`'
{ printf '%s\n' "$head"; printf '"%s","%s",0,1,"%s"\n' "$(echo "$hostile" | sed 's/"/""/g')" "$(echo "$hostile" | sed 's/"/""/g')" "$(echo "$hostile" | sed 's/"/""/g')"; } >hostile.csv
run traceviz -q hostile.csv --tiles out
is "$rc $(grep -c 'script>alert' out/index.html)" "0 0" "hostile names are not in the page"
ok "a tile is one call with a text that ends nowhere in it" grep -qxE 'TV[.]tile\(0,"[^"\<]*"\);' out/tile-0.js
like "$(sed -n 's/.*script-src\([^;]*\);.*/\1/p' out/index.html)" " 'sha256-*' 'self' file:" "the policy allows scripts beside the page alone"

# the folder
rm -rf out; mkdir other; echo mine >other/index.html
run traceviz -q one.csv --tiles other
is "$rc $(cat stderr)" "2 traceviz: --tiles 'other': the folder contains 'index.html', which is not of tiles, expected a new folder or one that --tiles has written" \
	"a folder of others is refused"
is "$(cat other/index.html)" mine "and stays"
traceviz -q one.csv --tiles out; mkdir out/.git
run traceviz -q one.csv --tiles out
is "$rc" 2 "so is one with something else in it"
rmdir out/.git
traceviz -q band.csv --tiles out; traceviz -q one.csv --tiles out
is "$(find out -type f | sort | tr '\n' ' ')" "out/index.html out/tile-0.js " "an older one is replaced as a whole"
run traceviz -q one.csv --tiles one.csv
is "$rc $(head -1 one.csv)" "1 $head" "a file is not replaced"
run traceviz -q one.csv --tiles none/out
is "$rc" 1 "a folder that there is not"
traceviz -q band.csv --tiles slow & pid=$!
while kill -0 $pid 2>/dev/null && ! ls -d .traceviz-folder.*/tile-3.js >/dev/null 2>&1; do sleep 0.01; done
kill -INT $pid 2>/dev/null; kill -TERM $pid 2>/dev/null; wait $pid 2>/dev/null
is "$(find . -name '.traceviz*'; [ ! -e slow ] || [ -e slow/index.html ] || echo half)" "" "an interrupted run leaves nothing"

# what tiles do not have
refuse() { want=$1; shift; run traceviz -q one.csv "$@"; is "$rc" 2 "refused: $*"; like "$(cat stderr)" "$want" "with why"; }
refuse "*expected no -o" --tiles out -o a.html
refuse "*leave out ready*" --tiles out --panels spacetime,ready
refuse "*leave out --zoom*" --tiles out --zoom 0..1
run traceviz -q --facet a=one.csv b=one.csv --tiles out
like "$rc $(cat stderr)" "2 *leave out --facet*" "refused: several runs"
printf 'ResourceId,Type,Start,End,Value\nr,load,0,1,2\n' >variables.csv; mkdir vars; mv variables.csv vars
run traceviz -q vars --tiles out
like "$rc $(cat stderr)" "[12] *" "refused: a trace without tasks"
