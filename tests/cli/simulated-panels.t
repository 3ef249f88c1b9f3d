#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# simulated-panels.t: panels of links, caches and states of runs simulated on platforms, against sums from the tables
. "$(dirname "$0")/lib.sh"
plan 23

traceviz generate cholesky --tiles 12 --tile 256 --allocate >planned.csv
traceviz simulate -q planned.csv --platform intel6240 --model comm-cache -o sim/

# means FILE.svg: KEY|MEAN of each curve of a figure with one panel, in heights of its frame over the time of the curve.
means() {
	awk '/<polyline class="swatch"/ { match($0, /stroke="#[^"]*/); color = substr($0, RSTART + 8, RLENGTH - 8) }
		/<text class="key"/ && color != "" { sub(/^[^>]*>/, ""); sub(/: mean.*/, ""); name[color] = $0; color = "" }
		/<polyline class="curve"/ { match($0, /points="[^"]*/); points[++n] = substr($0, RSTART + 8, RLENGTH - 8)
			match($0, /stroke="#[^"]*/); stroke[n] = substr($0, RSTART + 8, RLENGTH - 8) }
		/<rect class="frame"/ { match($0, / y="[^"]*/); y = substr($0, RSTART + 4, RLENGTH - 4)
			match($0, / height="[^"]*/); h = substr($0, RSTART + 9, RLENGTH - 9) }
		END { for (c = 1; c <= n; c++) { m = split(points[c], p, " "); area = 0
				for (i = 1; i < m; i++) { split(p[i], a, ","); split(p[i + 1], b, ","); area += (b[1] - a[1]) * (y + h - a[2]) }
				split(p[1], a, ","); if (name[stroke[c]] != "") print name[stroke[c]] "|" area / h / (b[1] - a[1]) } }' "$1"
}
# near GOT WANT SHARE NAME: the same lines NAME|NUMBER, numbers equal up to that share.
near() {
	sort "$1" >first
	sort "$2" | paste -d'|' first - >both
	ok "$4" awk -F'|' -v share="$3" '{ d = $2 - $4; if ($1 != $3 || !($4 > 0) || d * d > share * share * $4 * $4) bad = 1 } END { exit bad || NR == 0 }' both
}

# Bytes that crossed each link and direction, over its bandwidth and the time from the first transfer or event to the last.
length=$(awk -F, 'NR == 2 { from = $3 } NR > 1 && $4 > to { to = $4 } END { print to - from }' sim/variables.csv)
traceviz platform intel6240 --routes '*,*' >routes.csv
traceviz platform intel6240 --links >links.csv
awk -F, -v length_ms="$length" 'FILENAME == "links.csv" { if (FNR > 1 && $2 != "fatpipe") speed[$1] = $3; split_[$1] = $2 == "splitduplex"; next }
	FILENAME == "routes.csv" { route[$1 "," $2] = $5; next }
	FNR > 1 { n = split(route[$3 "," $4], hop, " ")
		for (i = 1; i <= n; i++) { back = sub(/-$/, "", hop[i]) && split_[hop[i]]; if (hop[i] in speed) bytes[hop[i] (back ? " back" : "")] += $7 } }
	END { for (l in bytes) { k = l; sub(/ back$/, "", k); printf "%s|%.9f\n", l, bytes[l] / (speed[k] * 1e6 * length_ms) } }' \
	links.csv routes.csv sim/links.csv | sort -t'|' -k2,2gr >all
run traceviz -q sim/ --panels link-use --link-use.limit 100 --link-use.top 8 --height 6 -o use.svg
means use.svg >got
sed 8q all >want
is "$rc $(cat stderr) $(wc -l <got | tr -d ' ')" "0  8" "link-use: the eight busiest of them"
near got want 0.002 "their means are bytes over bandwidth and time"
is "$(grep -c ">link use, %, 8 of $(wc -l <all | tr -d ' ')<" use.svg)" 1 "the title counts the directions of links, without fatpipe ones"
run traceviz -q sim/ --panels link-use -o use.csv
is "$rc $(grep -c '^polyline,link-use,curve' use.csv)" "0 4" "four by default"
awk -F'|' '{ printf "%s: mean %.*f\n", $1, $2 < 0.1 ? 2 : 1, 100 * $2 }' want | sed 4q >keys
is "$(grep -c -F -f keys use.csv)" 4 "keys: links and their means in %"
run traceviz -q sim/ --panels link-use --link-use.resource 'memory-*' --height 6 --link-use.limit 100 -o use.svg
means use.svg >got
grep '^memory-' all >want
near got want 0.002 "--link-use.resource"

# Events: sums over all caches of the counts, per ms. The scale goes to 1000.
run traceviz -q sim/ --panels cache-events --cache-events.limit 1000 --height 6 -o events.svg
means events.svg >got
awk -F, -v length_ms="$length" '/^cache/ { n[$2] += $5 } END { for (i = split("hits misses evictions", name, " "); i > 0; i--)
	printf "%s|%.9f\n", name[i], n["Cache " name[i]] / length_ms / 1000 }' sim/variables.csv | tac >want
is "$rc $(wc -l <got | tr -d ' ') $(grep -c '>all caches, events per ms<' events.svg)" "0 3 1" "cache-events: three curves"
near got want 0.002 "their integrals are the counts in the table"
# The same from the transfers: each miss is a fetch, each other read a hit.
awk -F, -v length_ms="$length" '{ n[$1]++ } END { printf "hits|%.9f\nmisses|%.9f\n", (n["Memory Read"] - n["Memory Fetch"]) / length_ms / 1000, n["Memory Fetch"] / length_ms / 1000 }' \
	sim/links.csv >want
sed 2q got >two
near two want 0.002 "and those of the transfers"
run traceviz -q sim/ --panels cache-events --cache-events.resource cache-1 --cache-events.limit 1000 --height 6 -o events.svg
means events.svg | sed 1q >got
awk -F, -v length_ms="$length" '/^cache-1,Cache hits/ { n += $5 } END { printf "hits|%.9f\n", n / length_ms / 1000 }' sim/variables.csv >want
near got want 0.004 "--cache-events.resource"

# Occupancy: the mean of the slices.
run traceviz -q sim/ --panels cache-occupancy --cache-occupancy.limit 50 --height 6 -o used.svg
means used.svg | grep cache >got
awk -F, '$2 ~ /^Cache occ/ { n[$1]++; sum[$1] += $5 } END { for (c in n) printf "%s|%.9f\n", c, sum[c] / n[c] / 50 }' sim/variables.csv | sort -t'|' -k2,2gr >want
is "$rc $(wc -l <got | tr -d ' ') $(grep -c '>size of each<' used.svg)" "0 2 1" "cache-occupancy: both caches, and their size"
near got want 0.002 "their means are those of the table"
sed -i 's/^\(cache-1,.*\)25952256/\11048576/' sim/resources.csv
run traceviz -q sim/ --panels cache-occupancy -o used.csv
is "$rc $(grep -c 'size of each' used.csv)" "0 0" "no line where sizes differ"

# counter --rate.
printf 'ResourceId,Type,Start,End,Value\nk,n,0,2,10\nk,n,2,3,4\nj,n,0,2,1\n' >variables.csv
mkdir few && mv variables.csv few/ && printf 'ResourceId,Value,Start,End\nc,t,0,4\n' >few/tasks.csv
is "$(traceviz counter -q n --rate few | tr '\n' ' ')" \
	"Curve,By,Start,End,Value,Min,Max n,j,0.000000,2.000000,0.5,, n,k,0.000000,2.000000,5,, n,k,2.000000,3.000000,4,, " "--rate: counts per ms"
is "$(traceviz counter -q n --rate --sum few | sed 1d | cut -d, -f3-5 | tr '\n' ' ')" "0.000000,2.000000,5.5 2.000000,3.000000,4 " "with --sum"
is "$(traceviz counter -q n --rate --begin 1 --end 4 --resource k few | sed 1d | cut -d, -f3-5 | tr '\n' ' ')" "1.000000,2.000000,5 2.000000,3.000000,4 " \
	"with a window: rates of whole values"

# States in tasks: shares against the sums of the table.
run traceviz states -q --inside sim/
awk -F, 'NR == FNR { if (FNR > 1) { if (min == "" || $3 < min) min = $3; if ($4 > max) max = $4 } next }
	FNR > 1 { t[$3] += $5 - $4 } END { for (s in t) printf "%s|%.6f\n", s, t[s] / (36 * (max - min)) }' sim/tasks.csv sim/states.csv | sort >want
awk -F, '$3 == "state" { printf "%s|%.6f\n", $4, $10 / 100 }' stdout | sort >got
is "$rc $(wc -l <got | tr -d ' ')" "0 4" "states --inside: read, compute, write, idle"
near got want 0.00001 "their shares are the sums"
is "$(awk -F, '$3 == "task" || $3 == "none" { printf "%s %.3f ", $3, $9 }' stdout)" "task 0.000 none 0.000 " "nothing else"
run traceviz -q sim/ --panels states --states.inside -o s.csv
is "$rc $(awk -F, '$2 == "states" { n[substr($5, 2)]++ } END { print (n["Read"] > 0), (n["Compute"] > 0), (n["Write"] > 0), (n["Idle"] > 0) }' s.csv)" "0 1 1 1 1" "--states.inside draws them"
run traceviz -q sim/ --panels states -o s.csv
is "$rc $(grep -c -E '^rect,states,.*"(Read|Compute|Write),' s.csv)" "0 0" "without it tasks cover them"
# A state that lasts longer than the task is around it.
printf 'ResourceId,Type,Value,Start,End\nc,S,outer,-1,5\nc,S,inner,1,2\nc,S,equal,6,7\n' >few/states.csv
printf 'ResourceId,Value,Start,End\nc,t,0,4\nc,t,6,7\n' >few/tasks.csv
is "$(traceviz states -q --inside --by piece few | cut -d, -f3,4,6,7 | sed 1d | tr '\n' ' ')" \
	"state,outer,-1.000000,0.000000 task,t,0.000000,1.000000 state,inner,1.000000,2.000000 task,t,2.000000,4.000000 state,outer,4.000000,5.000000 state,equal,6.000000,7.000000 " \
	"by piece"

run traceviz "$DATA/cholesky.csv" --panels spacetime,link-use,cache-occupancy,cache-events -o none.pdf
like "$rc $(cat stderr)" "0 *panel link-use left out: *panel cache-occupancy left out: *panel cache-events left out: *" "other traces: left out, with the reason"
