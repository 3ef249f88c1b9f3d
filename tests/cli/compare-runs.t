#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-runs.t: more than two runs: one table with a column for each run, whose numbers are those of each pair
. "$(dirname "$0")/lib.sh"
plan 7
script -qec true /dev/null >/dev/null 2>&1 || { skip 7 "the command script is not here"; exit 0; }
d=$DATA/cholesky-dmda.csv s=$DATA/cholesky-dmdas.csv w=$DATA/cholesky-ws.csv
on_terminal() { timeout 60 script -qec "stty cols 200; traceviz compare -q --durations-from own $*" /dev/null </dev/null 2>&1 | tr -d '\r'; }

on_terminal "d=$d s=$s w=$w" >three
is "$(grep -c '^Runs$' three) $(grep -c '^Bounds and gaps' three) $(grep -c 'times as long as d' three)" "1 1 2" "each section once, a sentence for each run"
is "$(sed -n '/^Runs$/{n;p}' three | tr -s ' ')" "Name ResourceType Unit d s w s-d w-d" "a column for each run"

# Every number of the table with both pairs is that of one of the pairs; sections of numbers have no other.
traceviz compare -q --csv --durations-from own "d=$d" "s=$s" "w=$w" >three.csv
for pair in "s=$s" "w=$w"; do
	run=${pair%%=*}
	traceviz compare -q --csv --durations-from own "d=$d" "$pair" >pair.csv
	sed -n "1p; /^[a-z]*,d,$run,/p" three.csv >part.csv
	ok "CSV: the rows of $run are those of the pair" cmp part.csv pair.csv
done
# The wide table has what the CSV has.
perl -e '
	open(C, "three.csv"); $_ = <C>; chomp; @h = split /,/; my %v;
	while (<C>) { chomp; next if /^verdict/; @f = split /,/, $_, -1; %r = map { $h[$_] => $f[$_] } 0 .. $#h;
		next if $r{Section} !~ /^(runs|bounds|idleness)$/;
		$k = join "|", @r{qw(Name Value ResourceType)}; $v{$k}{$r{Base}} = $r{Before}; $v{$k}{$r{Run}} = $r{After}; $v{$k}{"$r{Run}-$r{Base}"} = $r{Change} }
	my ($bad, $n, @c) = (0, 0); open(T, "three");
	while (<T>) { chomp; if (/^(Runs|Bounds and gaps|Idleness)/) { $_ = <T>; chomp; @c = split; @at = (); my $line = $_; push @at, pos($line) - length($1) while $line =~ /(\S+)/g; $in = 1; next }
		if ($_ eq "") { $in = 0; next } next unless $in;
		my @w = split; my %key; my @num = grep { /^-?[0-9.e+-]+$/ } @w; next unless @num == 5;
		my $rt = (grep { /^(CPU|CUDA)$/ } @w)[0] // ""; my $k = "$w[0]||$rt"; next unless $v{$k};
		my @want = map { $v{$k}{$_} } qw(d s w s-d w-d);
		for (0 .. 4) { $n++; $bad++ if abs($num[$_] - $want[$_]) > 1e-5 * (abs($want[$_]) + 1e-9) + 1e-9 } }
	print "$bad ", $n > 40 ? "many" : $n, "\n"' >got
is "$(cat got)" "0 many" "numbers of the table are those of the CSV"
is "$(on_terminal "d=$d s=$s" | sed -n '/^Runs$/{n;p}' | tr -s ' ')" "Name ResourceType Unit Before After Change Ratio" "two runs as before"
# A label that is the name of a column has tables of its own.
on_terminal "d=$d Name=$s w=$w" >named
is "$(grep -c '^Runs: [Nw]' named)" 2 "labels like columns: a table for each run"
