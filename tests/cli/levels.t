#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# levels.t: utilization and idleness of the objects of a level, against topology and by brute force
. "$(dirname "$0")/lib.sh"
plan 8

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
like "$rc $(cat stderr)" "1 *no level 'L9', expected one of Machine, L3, Core, PU" "an unknown level is refused"
run traceviz utilization --level L3 "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "1 *no objects of the machine*" "so is a trace without a machine"
run traceviz utilization --level L3 --by type run
rc1=$rc
run traceviz idleness --level L3 --definition thesis run
is "$rc1 $rc" "2 2" "options that have no effect on levels"
