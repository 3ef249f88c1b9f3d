#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# levels.t: utilization and idleness of objects of the machine, against topology and by brute force; the panel levels
. "$(dirname "$0")/lib.sh"
plan 26

# Readings at one instant fill the picture.
for medium in png pdf svg; do run traceviz -q "$DATA/e5-2650" -o "instant.$medium"; printf '%s ' "$rc" >>statuses; done
is "$(cat statuses) $(sed -n 's/^<image class="load".* width="\([0-9]*\)[".].*/\1/p' instant.svg | awk '$1 > 400 { n++ } END { print n + 0 }')" "0 0 0  8" "all at one instant"

# 3 L3 of 2 cores of 2 PUs; 5 workers whose tasks of whole ms overlap and move between PUs; one worker is bound and has
# tasks without Cpu.
mkdir run
perl -e '
	srand 7;
	open R, ">run/resources.csv"; open T, ">run/tasks.csv";
	print R "ResourceId,ResourceType,Parent,Order,Depth,OsIndex,Cpuset\nMachine:0,Machine,,0,0,0,\n";
	print R "L3:$_,L3,Machine:0,$_,1,,\n" for 0 .. 2;
	print R "Core:$_,Core,L3:", $_ >> 1, ",$_,2,,\n" for 0 .. 5;
	print R "PU:$_,PU,Core:", $_ >> 1, ",$_,3,$_,\n" for 0 .. 11;
	print R "W0,CPU,,,,,2-3\n", map "W$_,CPU,,,,,\n", 1 .. 4;
	print T "ResourceId,Value,Start,End,JobId,Kind,Cpu\n";
	for $i (0 .. 199) {
		$w = int rand 5; $s = int rand 95; $e = $s + 1 + int rand 5;
		$s = 0, $e = 100 if $i == 0;
		$cpu = $w == 0 ? "" : int rand 12;
		print T "W$w,k", $i % 3, ",$s,$e,$i,", $i % 4 == 3 ? "setup" : "app", ",$cpu\n";
	}'
# Busy ms of each worker on an object, cell by cell.
cat >brute.pl <<'END2'
my ($divisor, $prefix, $step, $all) = @ARGV;
open T, "run/tasks.csv"; <T>;
while (<T>) {
	chomp; my ($w, $v, $s, $e, $id, $kind, $cpu) = split /,/;
	next if $kind ne "app" && !$all;
	next if $cpu eq "" && $divisor == 1; # W0 is not on one PU
	$cpu = 2 if $cpu eq "";
	$in{int($cpu / $divisor)}{$_}{$w} = 1 for $s .. $e - 1;
}
for ($t = 0; $t < 100; $t += $step) {
	for $o (0 .. 12 / $divisor - 1) {
		my $sum = 0;
		$sum += keys %{$in{$o}{$_}} for $t .. $t + $step - 1;
		print "$t $prefix:$o $sum\n";
	}
}
END2
table() { awk -F, 'NR > 1 { print $1 + 0, $5, $7 + 0 }'; }
is "$(traceviz utilization -q --level L3 --step 10 run | table)" "$(perl brute.pl 4 L3 10)" "utilization of caches by brute force"
is "$(traceviz utilisation -q --level core --step 4 run | table)" "$(perl brute.pl 2 Core 4)" "of cores"
is "$(traceviz idleness -q --level core run | awk -F, 'NR > 1 { print 0, $1, $5 + $6 }')" "$(perl brute.pl 2 Core 100 all)" "Busy and Other of idleness"
# W0 may run on PU 2 and 3: these are not known.
is "$(traceviz utilization -q --level PU --step run run | awk -F, '$7 == "" { print $5 }' | tr '\n' ' ')" "PU:2 PU:3 " "missing where the trace does not say"
same() { # idleness and utilization of a level are those of topology
	level=$1 dir=$2
	traceviz idleness -q --level "$level" "$dir" | awk -F, 'NR > 1 { print $1, $7 }' >a
	traceviz utilization -q --level "$level" --step run "$dir" | awk -F, 'NR > 1 { print $5, $6, $8 }' >>a
	traceviz topology -q --by idleness "$dir" | awk -F, -v l="$level" '$4 == l { print $3, $11 }' >b
	traceviz topology -q --by busy "$dir" | awk -F, -v l="$level" '$4 == l { print $3, $9, $11 }' >>b
	[ -s a ] && cmp -s a b
}
traceviz convert -q "$DATA/cholesky.csv" -o chol
cp "$TESTDATA/hwloc/e5-2650.xml" chol/topology.xml
traceviz idleness -q "$DATA/cholesky.csv" | awk -F, 'NR > 1 { print (NR == 2 ? "ResourceId,Cpuset\n" : "") $1 "," NR }' >bind.csv
traceviz convert -q chol --bind bind.csv -o bound
differ=
for level in Machine L3 Core PU; do
	same "$level" run || differ="$differ run/$level"
	same "$level" bound || differ="$differ bound/$level"
done
is "$differ" "" "the same numbers as topology, bit for bit"
run traceviz idleness --level L9 run
like "$rc $(cat stderr)" "1 *no level 'L9' (did you mean 'L3'?), expected one of Machine, L3, Core, PU" "an unknown level is refused"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\n' >plain.csv
run traceviz utilization --level L3 plain.csv
like "$rc $(cat stderr)" "1 *no objects of the machine*" "so is a trace without a machine"
run traceviz utilization --level L3 --by type run
rc1=$rc
run traceviz idleness --level L3 --definition thesis run
is "$rc1 $rc" "2 2" "options that have no effect on levels"

# The panel: what the pixels of each row show, read back from its image in the palette hmon, is the variable.
mkdir pix
cat >pix/resources.csv <<'END'
ResourceId,ResourceType,Parent,Order,Depth,OsIndex,Cpuset
Machine:0,Machine,,0,0,0,
L3:0,L3,Machine:0,0,1,,
L3:1,L3,Machine:0,1,1,,
PU:0,PU,L3:0,0,2,0,
PU:1,PU,L3:1,1,2,1,
C0,CPU,,,,,0
C1,CPU,,,,,1
END
printf 'ResourceId,Value,Start,End,JobId\nC0,a,0,60,1\nC1,b,40,100,2\n' >pix/tasks.csv
printf 'Key,Value\nMonitor.m.n.Kind,counter\nMonitor.m.n.Unit,misses\n' >pix/meta.csv
perl -e 'srand 3; print "ResourceId,Type,Start,End,Value\n";
	for $o (0, 1) { print "L3:$o,m.n,", 5 * $_, ",", 5 * $_ + 5, ",", 1 + int rand 10000, "\n" for 0 .. 19 }' >pix/variables.csv
cat >rows.pl <<'END'
# Of each image of the panel in an SVG: the mean share of the scale that its pixels show.
use MIME::Base64; use Compress::Zlib;
local $/; $_ = <STDIN>;
while (/<image class="load"[^>]*base64,([^"]*)"/g) {
	my $png = decode_base64($1); my ($w, $h, $bits, $type) = unpack 'x16 N N C C', $png;
	my ($at, $packed) = (8, '');
	while ($at < length $png) {
		my $n = unpack 'N', substr $png, $at, 4;
		$packed .= substr $png, $at + 8, $n if substr($png, $at + 4, 4) eq 'IDAT';
		$at += 12 + $n;
	}
	my $bytes = $type == 6 ? 4 : 3; my ($filter, @p) = unpack 'C*', uncompress $packed;
	if ($filter == 1 || $filter == 4) { $p[$_] = ($p[$_] + $p[$_ - $bytes]) & 255 for $bytes .. $#p; }
	die "filter $filter\n" if $filter == 3 || $h != 1;
	my $sum = 0;
	for my $x (0 .. $w - 1) {
		my ($r, $g, $b) = @p[$x * $bytes .. $x * $bytes + 2];
		die "color $r,$g,$b\n" if $b != 0 || ($r < 255 && $g < 255);
		$sum += $r < 255 ? $r / 510 : 1 - $g / 510;
	}
	printf "%.6f\n", $sum / $w;
}
END
within() { # EXPECTED GOT: lists of as many numbers within 0.5 %
	paste "$1" "$2" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (NF != 2 || d > 0.005 * $1) bad = 1 } END { exit bad || NR == 0 }'
}
traceviz -q pix --panels levels --levels.by m.n --palette hmon -o n.svg
scale=$(traceviz topology -q --by m.n pix | awk -F, '$13 != "" && NR > 1 { if (low == "" || $13 < low) low = $13; if ($14 > high) high = $14 } END { print low, high }')
perl rows.pl <n.svg | awk -v scale="$scale" '{ split(scale, s, " "); print (s[1] + $1 * (s[2] - s[1])) / 10 }' >got
awk -F, 'NR > 1 { sum[$1] += $5 } END { print sum["L3:0"]; print sum["L3:1"] }' pix/variables.csv >expected
ok "sums of pixels are the sums of the variable within 0.5 %" within expected got
traceviz -q pix --panels levels --levels.by idleness --levels.level L3 --palette hmon -o idle.svg
perl rows.pl <idle.svg >got
traceviz idleness -q --level L3 pix | awk -F, 'NR > 1 { print $7 / 100 }' >expected
ok "and of idle time" within expected got

# A row begins and ends where the run does in space-time.
traceviz -q pix --panels spacetime,levels --levels.level Machine -o both.csv
sed -i 's/"[^"]*"//' both.csv # labels
is "$(awk -F, '$2 == "levels" && $1 == "image" { printf "%.1f %.1f\n", $7, $7 + $9 }' both.csv)" \
	"$(awk -F, '$2 == "spacetime" && $3 == "task" { if (low == "" || $7 < low) low = $7; if ($7 + $9 > high) high = $7 + $9 } END { printf "%.1f %.1f\n", low, high }' both.csv)" "aligned with space-time"
names() { awk -F, '$1 == "text" && $3 == "name" && $13 ~ /:|\(/ { printf "%s%s", sep, $13; sep = " " }' "$1"; }
traceviz -q pix --panels levels -o default.csv
is "$(names default.csv)" "Machine:0 L3:0 L3:1" "levels of as many objects are shown once"
traceviz -q pix --panels levels --levels.level 'PU,M*' --levels.style band -o band.csv
is "$(names band.csv) $(grep -c '^polygon,.*spread' band.csv)" "Machine (1) PU (2) 1" "lines, a band where there are several objects"

# Phases: rectangles over the times of the pass; the run of pix lasts from 0 to 100 ms.
mkdir tint
cp pix/resources.csv pix/tasks.csv tint
awk 'BEGIN { print "ResourceId,Type,Start,End,Value"
	for (t = 0; t < 100; t += 5) { high = t >= 20 && t < 45 || t >= 70; print "PU:0,v," t "," t + 5 "," (high ? 90 : 3) + t % 3; print "PU:1,v," t "," t + 5 "," (high ? 70 : 1) } }' >tint/variables.csv
drawn() { # CLASS FILE: begin and end of its rectangles, ms, by the place of the first and last one
	awk -F, -v class="$1" '$3 == class && $1 == "rect" { x[n + 0] = $7; w[n++] = $9 }
		END { for (i = 0; i < n; i++) printf "%.2f-%.2f ", (x[i] - x[0]) / (x[n - 1] + w[n - 1] - x[0]) * 100, (x[i] + w[i] - x[0]) / (x[n - 1] + w[n - 1] - x[0]) * 100 }' "$2"
}
numbers() { awk -F, '$3 == "phase-number" { printf "%s ", $13 }' "$1"; }
times=$(traceviz cluster v --level Machine -q tint | awk -F, 'NR > 1 { printf "%.2f-%.2f ", $3, $4 }')
traceviz -q tint --panels levels --levels.by v --levels.phases v --levels.style band -o tint.csv
is "$times $(drawn phase tint.csv) $(numbers tint.csv)" "0.00-20.00 20.00-45.00 45.00-70.00 70.00-100.00  $times 0 1 0 1 " "a strip of the clusters of a variable"
is "$(drawn phase-band tint.csv | sed 's/ $//')" "$(echo "$times" | sed 's/ $//')" "and bands behind lines"
traceviz -q tint --panels spacetime,levels --levels.by v --levels.phases v --levels.clusters 3 --mark 30=here --span '50..60=there' --vlines 80 -o marks.csv
sed -i 's/"[^"]*"//' marks.csv
is "$(grep -c '^rect,[^,]*,phase-band' marks.csv) $(numbers marks.csv | tr ' ' '\n' | sort -u | tr -d '\n')" "0 012" "no bands behind maps; the number of clusters"
# Lines through the whole of the panel, at their times.
is "$(awk -F, '$2 == "levels" && ($1 == "image" || $3 == "phase") { if (low == "" || $7 < low) low = $7; if ($7 + $9 > high) high = $7 + $9; if (top == "" || $8 < top) top = $8; if ($8 + $10 > bottom) bottom = $8 + $10 }
	($3 == "mark" || $3 == "span" || $3 == "vline") && $9 == 0 { n++; x[n] = $7; y0[n] = $8; y1[n] = $8 + $10; class[n] = $3 }
	END { for (i = 1; i <= n; i++) if (y0[i] <= top + 0.01 && y1[i] >= bottom - 0.01) printf "%s %.1f\n", class[i], (x[i] - low) / (high - low) * 100 }' marks.csv | sort -u | tr '\n' ' ')" \
	"mark 30.0 span 50.0 span 60.0 vline 80.0 " "marks, spans and lines go through the panel"
printf 'ResourceId,Value,Start,End,JobId,SubmitTime\nC0,a,0,40,1,0\nC1,a,0,30,2,0\nC0,a,45,100,3,41\nC1,a,50,90,4,42\n' >tint/tasks.csv
traceviz -q tint --panels levels --levels.by v --levels.phases tasks -o waits.csv
is "$(drawn phase waits.csv) $(numbers waits.csv)" "0.00-40.00 45.00-100.00  1 2 " "phases between which all tasks had ended"
run traceviz tint --panels levels --levels.clusters 3 -o none.svg
like "$rc $(cat stderr)" "2 *--levels.clusters has no effect*" "clusters of nothing"
run traceviz tint --panels levels --levels.phases nothing -o none.svg
like "$rc $(cat stderr)" "0 *phases of variables left out: no variable 'nothing'*" "an unknown variable"
rm pix/tasks.csv
traceviz -q pix --panels levels -o variable.svg
ok "without tasks the first variable" grep -q 'm.n: ' variable.svg
# Variables alone: the panels of the machine, with a variable of its innermost objects.
mkdir deep
printf 'ResourceId,ResourceType,Parent,Order,Depth,OsIndex\nMachine:0,Machine,,0,0,0\nPU:0,PU,Machine:0,0,1,0\nPU:1,PU,Machine:0,1,1,1\n' >deep/resources.csv
printf 'ResourceId,Type,Start,End,Value\nMachine:0,free,0,2,7\nPU:0,clock,0,2,3\nPU:0,other,0,2,3\n' >deep/variables.csv
traceviz -q deep -o deep.csv
is "$(awk -F, 'NR > 1 && $2 != "" { print $2 }' deep.csv | sort -u | tr '\n' ' ')$(grep -c '"clock: \|,clock: ' deep.csv)$(grep -c "variables of 2 resources" deep.csv)" "levels page 21" \
	"variables alone: panels of the machine, and of its innermost objects"

run traceviz pix --panels levels --levels.level L7 --levels.by m.n -o none.svg
like "$rc $(cat stderr)" "1 *no object of such a level has the number*" "no such level"
run traceviz plain.csv --panels levels -o none.svg
like "$rc $(cat stderr)" "1 *levels*no objects of the machine*" "without a machine there is nothing to draw"
{
	echo ResourceId,ResourceType,Parent,Order,Depth,OsIndex,Cpuset
	echo Machine:0,Machine,,0,0,0,
	awk 'BEGIN { for (i = 0; i < 3000; i++) print "PU:" i ",PU,Machine:0," i ",1," i "," }'
} >pix/resources.csv
awk 'BEGIN { print "ResourceId,Type,Start,End,Value"; for (t = 0; t < 5; t++) for (i = 0; i < 3000; i++) print "PU:" i ",u," t "," t + 1 "," i % 7 }' >pix/variables.csv
run traceviz pix --panels levels --width 3.5 -o big.csv
is "$rc $(grep -c '^text' big.csv | awk '{ print ($1 > 3) }') $(sh "$ROOT/tests/overlaps.sh" big.csv)" "0 1 " "3000 PUs: no text touches another"
