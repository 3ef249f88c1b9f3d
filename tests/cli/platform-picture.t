#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz platform -o FILE.svg: every host and link is there, what is drawn once is counted, no text meets another.
. "$(dirname "$0")/lib.sh"
plan 34
FILES=$TESTDATA/platform

texts() { sed -n 's/^<text class="\([a-z-]*\)".*preserve">\(.*\)<\/text>$/\1 \2/p' "$1"; } # class and text
of_class() { texts "$1" | sed -n "s/^$2 //p"; }

# Texts that meet another one or leave the page.
overlaps() {
	awk 'function value(name) { return match($0, " " name "=\"[^\"]*") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
	/^<svg / || /viewBox=/ { split(value("viewBox"), page, " ") }
	/^<text / {
		w = value("textLength") + 0; size = value("font-size"); x = value("x") + 0; y = value("y") - 0.74 * size; h = 0.95 * size
		if ($0 ~ /anchor="middle"/) x -= w / 2
		if ($0 ~ /anchor="end"/) x -= w
		if (x < 0 || y < 0 || x + w > page[3] + 0.01 || y + h > page[4] + 0.01) print "leaves the page:", $0
		for (i = 0; i < n; i++)
			if (x < X[i] + W[i] - 0.01 && X[i] < x + w - 0.01 && y < Y[i] + H[i] - 0.01 && Y[i] < y + h - 0.01)
				print "overlap:", $0, T[i]
		X[n] = x; Y[n] = y; W[n] = w; H[n] = h; T[n++] = $0
	}' "$1"
}
# Each host and link of a table once, in the picture of the same file.
complete() { # FILE
	traceviz platform "$1" -q -o picture.svg
	traceviz platform "$1" -q | cut -d, -f1 | tail -n +2 | sort >hosts
	traceviz platform "$1" -q --links | cut -d, -f1 | tail -n +2 | sort >links
	of_class picture.svg host-name | sort | cmp -s - hosts && of_class picture.svg link-name | sort | cmp -s - links \
		&& [ -z "$(overlaps picture.svg)" ]
}
for file in zones topology units; do
	ok "all hosts and links of $file.xml, once, apart" complete "$FILES/$file.xml"
done
for file in e5-2650 hwloc3 hybrid; do
	ok "all hosts and links of hwloc's $file.xml, once, apart" complete "$TESTDATA/hwloc/$file.xml"
done

# A star that is written as routes between all pairs; two parallel ways; a bus; a link of no route; a route from a host to itself.
platform() { echo '<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Full">'; cat; echo '</zone></platform>'; }
host() { for name; do echo "<host id=\"$name\" speed=\"1Gf\"/>"; done; }
link() { for name; do echo "<link id=\"$name\" bandwidth=\"1GBps\" latency=\"5us\"/>"; done; }
route() { # FROM TO LINK...
	echo "<route src=\"$1\" dst=\"$2\">"; shift 2; for name; do echo "<link_ctn id=\"$name\"/>"; done; echo '</route>'; }
{ host a b c d; link la lb lc ld
route a b la lb; route a c la lc; route a d la ld; route b c lb lc; route b d lb ld; route c d lc ld; } | platform >star.xml
ok "a star is complete" complete star.xml
is "$(grep -c 'class="router"' picture.svg) $(grep -c 'class="bus"' picture.svg)" "1 0" "its links meet in one place, that has no name"
{ host a b c; link net; route a b net; route a c net; route b c net; } | platform >bus.xml
ok "a bus is complete" complete bus.xml
is "$(grep -c 'class="bus"' picture.svg)" 1 "a link between several pairs of hosts is a box"
{ host a b; link l alone self; route a b l; route a a self; } | platform >alone.xml
ok "links of no route and from a host to itself" complete alone.xml
is "$(of_class picture.svg link-numbers | grep -c 'in no route')" 1 "the first is marked as such"
{ host a; } | platform >one.xml
ok "one host" complete one.xml
{ host a b c d; link l1 l2 l3 l4; route a b l1; route b c l2; route c d l3; route d a l4; } | platform >ring.xml
ok "a ring" complete ring.xml

# Abbreviated: clusters, a machine of 64 cores, a chain without anything equal.
cluster() { echo "<?xml version='1.0'?><platform version='4.1'><cluster id='c' prefix='n' radical='0-$(($1 - 1))' speed='1Gf' bw='1GBps' bb_bw='9GBps'/></platform>"; }
cluster 20 >c20.xml
ok "a cluster of 20" complete c20.xml
for n in 64 1000; do
	cluster $n >c.xml
	traceviz platform c.xml -o c.svg
	is "$(of_class c.svg count) $(of_class c.svg host-name) $(of_class c.svg title) $(overlaps c.svg)" \
		"× $n n0 to n$((n - 1)) $n hosts, 1 router, $((n + 1)) links " "a cluster of $n is one box with their number"
done
run traceviz platform epyc7452 -o e.svg
is "$rc $(of_class e.svg count | tr '\n' ' ')" "0 × 4 × 2 × 2 × 4 × 4 × 2 × 2 × 4 " "epyc7452: what is equal is counted"
is "$(overlaps e.svg)" "" "and nothing meets"
{ i=0; host h0; while [ $i -lt 2500 ]; do echo "<host id=\"h$((i + 1))\" speed=\"1Gf\"/><link id=\"l$i\" bandwidth=\"$((i + 1))kBps\"/>"
	route "h$((i / 50))" "h$((i + 1))" "l$i"; i=$((i + 1)); done; } | platform >wide.xml
traceviz platform wide.xml -o wide.svg
ok "a large tree is cut" [ "$(grep -c '<text' wide.svg)" -lt 2500 ]
like "$(of_class wide.svg more | head -1)" "and [0-9]* more, not drawn" "and the number of the other branches is there"

# Routes.
traceviz platform "$FILES/zones.xml" --routes n0.c,b -o r.svg
is "$(of_class r.svg key-text | tail -1)" "route from n0.c to b" "a key names the route"
is "$(grep -c 'stroke="#c2185b"' r.svg | awk '{ print ($1 > 5) }') $(grep -c '#c2185b' e.svg)" "1 0" "it is marked, and nothing without"
run traceviz platform "$FILES/zones.xml" --routes nothing,b -o never.svg
is "$rc $(sed 's/.*zones.xml: //' stderr) $(ls never.svg 2>&1 | grep -c cannot)" "1 no host matches 'nothing'; 'traceviz platform PLATFORM' lists them 1" "a host that is not there: no file"

# Media: the same bytes twice.
for to in svg pdf png html; do
	traceviz platform intel6240 -o "1.$to"
	cp "1.$to" kept
	traceviz platform intel6240 -o "1.$to"
	cmp -s kept "1.$to" || echo "$to differs"
done >differences
is "$(cat differences)$(head -c 5 1.pdf) $(head -c 15 1.html)" "%PDF- <!DOCTYPE html>" "the same bytes twice"
printf '%s' '<host id="&lt;script&gt;alert(1)&lt;/script&gt;" speed="1Gf"/>' | platform >hostile.xml
traceviz platform hostile.xml -o hostile.html
is "$(grep -c '<script' hostile.html) $(of_class hostile.html host-name)" "0 &lt;script&gt;alert(1)&lt;/script&gt;" "markup in names is text"

# Kinds of cores: 20 of each, which are not equal.
awk 'BEGIN {
	print "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0xff,0xffffffff\">"
	for (i = 0; i < 40; i++) {
		set = sprintf("0x%x", 2 ^ (i % 32)) (i < 32 ? "" : ",0x0")
		printf "<object type=\"Core\" os_index=\"%d\" cpuset=\"%s\"></object>\n", i, set
	}
	print "</object><cpukind cpuset=\"0x000fffff\"><info name=\"CoreType\" value=\"big &amp;amp; &lt;b&gt;\"/></cpukind>"
	print "<cpukind cpuset=\"0xff,0xfff00000\"><info name=\"CoreType\" value=\"small\"/></cpukind></topology>"
}' >kinds.xml
traceviz platform kinds.xml -o kinds.svg
is "$(of_class kinds.svg host-name | tr '\n' ' ')" "core-0 to core-19 core-20 to core-39 " "cores of two kinds are two branches"
is "$(of_class kinds.svg host-numbers | tr '\n' ' ')" "big &amp;amp; &lt;b&gt; small " "with their kinds"

# Equal ones between which others lie are no range.
star() { awk -v n="$1" -v at="$2" 'BEGIN { print "<router id=\"r\"/>"; for (i = 0; i < n; i++) {
	printf "<host id=\"h%d\" speed=\"%dGf\"/><link id=\"l%d\" bandwidth=\"1GBps\"/>\n", i, index(at, "," i ",") ? 2 : 1, i
	printf "<route src=\"r\" dst=\"h%d\"><link_ctn id=\"l%d\"/></route>\n", i, i } }' | platform >star.xml; traceviz platform star.xml -q -o star.svg; }
star 40 ,0,1,
is "$(of_class star.svg host-name | tr '\n' ' ')" "h0 to h1 h2 to h39 " "two kinds of hosts, one after the other"
star 40 ,5,30,
is "$(of_class star.svg host-name | tr '\n' ' ')$(of_class star.svg count | tr '\n' ' ')" "h0, ..., h39 h5 and h30 × 38 × 2 " "others between them"
traceviz platform epyc7452 -q --routes core-5,cache-9 -o between.svg
is "$(of_class between.svg host-name | grep -c 'core-4, ..., core-7')" 1 "a marked core is not in a range of others"

# Wrong use.
run traceviz platform intel6240 --links -o p.pdf
is "$rc $(head -1 stderr)" "2 traceviz: --links has no effect on a picture (-o 'p.pdf'), expected a table (-o FILE.csv)" \
	"--links draws nothing"
run traceviz platform intel6240 --dpi 300
is "$rc $(head -1 stderr)" "2 traceviz: --dpi has no effect without -o FILE.png" "--dpi of a table"
run traceviz platform intel6240 --dpi 1 -o p.png
is "$rc" 2 "too few pixels"
