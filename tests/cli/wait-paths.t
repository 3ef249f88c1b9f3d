#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wait-paths.t [RUNS [SEED]]: wait-states --by path against a search through all states for each call. Two ranks enter regions and meet in
# barriers; in half of the runs the regions are nested as functions are, in the others they overlap in any way.
. "$(dirname "$0")/lib.sh"
plan 2

runs=${1:-12}
seed "${2:-20261128}"
cat >make.pl <<'PERL'
use strict;
use warnings;
use List::Util qw(shuffle);
my ($seed, $nested) = @ARGV;
srand $seed;
my (@states, @calls, $now, $rank, $barrier);
my @names = qw(main solve step halo);
sub ms { return sprintf "%d.%06d", int($_[0] / 1_000_000), $_[0] % 1_000_000 }
sub enter { my ($name, $start, $end) = @_; push @states, [$rank, $name, $start, $end, scalar @states] }

# What a function does is the same in both ranks, when is not.
my @plan = map { int rand 100 } 1 .. 60;
my $next;
sub body {
	my ($name, $depth) = @_;
	my $start = $now;
	for (0 .. $plan[$next++ % 60] % 4) {
		$now += int rand 3; # 0: at one instant
		my $what = $plan[$next++ % 60];
		if ($what < 45 || $depth > 4) {
			push @calls, [$rank, $now, $barrier++];
			$now += 50;
		} else {
			body($names[$what % 4], $depth + 1);
		}
	}
	$now += int rand 2;
	enter($name, $start, $now);
}
for my $r (0, 1) {
	$rank = $r;
	($now, $next, $barrier) = (0, 0, 0);
	body($names[$_ % 4], 1) for 1 .. 2;
	if (!$nested) {
		@states = grep { $_->[0] != $rank } @states;
		for (1 .. 40) { my $start = int rand $now; enter($names[rand 4], $start, $start + int rand $now / 3) }
		for (1 .. 5) { my $c = $calls[rand @calls]; enter('same', $c->[1], $c->[1] + 50) if $c->[0] == $rank }
	}
}
# Both meet: each barrier ends as late as any, which changes no begin.
my %last;
for (@calls) { my ($r, $t, $b) = @$_; $last{$b} = $t if !defined $last{$b} || $t > $last{$b} }
@states = shuffle @states;
$states[$_][4] = $_ for 0 .. $#states;
open my $s, '>', 'run/states.csv' or die $!;
print $s "ResourceId,Type,Value,Start,End\n", map { "$_->[0]_T0,Function,$_->[1]," . ms($_->[2]) . "," . ms($_->[3]) . "\n" } @states;
open my $c, '>', 'run/calls.csv' or die $!;
print $c "ResourceId,Call,Class,Start,End,Comm,Sequence,Site\n", map { "$_->[0]_T0,MPI_Barrier,blocking," . ms($_->[1]) . "," . ms($_->[1] + 50) . ",w,$_->[2],a.c:" . $_->[2] % 3 . "\n" } @calls;

# The innermost of the states that contain a span and come before it.
sub before { my ($x, $y) = @_; return $x->[2] <=> $y->[2] || $y->[3] <=> $x->[3] || $x->[4] <=> $y->[4] }
sub around {
	my ($rank, $start, $end, $self) = @_;
	my @in = sort { before($a, $b) } grep { $_->[0] == $rank && $_->[2] <= $start && $_->[3] >= $end && ($self ? before($_, $self) < 0 : $_->[2] != $start || $_->[3] != $end) } @states;
	return $in[-1];
}
my (%sum, %n);
for (@calls) {
	my ($r, $t, $b) = @$_;
	next if $last{$b} <= $t || $last{$b} > $t + 50;
	my @path = ('MPI_Barrier');
	my $at = around($r, $t, $t + 50);
	unshift @path, 'a.c:' . $b % 3 if !$at;
	for (; $at; $at = around($r, @$at[2, 3], $at)) { unshift @path, $at->[1] }
	my $path = join '/', @path;
	$sum{$path} += $last{$b} - $t;
	$n{$path}++;
}
printf "%s,%d,%s\n", $_, $n{$_}, ms($sum{$_}) for sort keys %sum;
PERL
for nested in 1 0; do
	n=0 equal=0 rows=0
	while [ $n -lt "$runs" ]; do
		n=$((n + 1))
		rm -rf run
		mkdir run
		perl make.pl $((seed + n)) $nested >want
		traceviz wait-states -q --csv --by path run | columns - CallPath,Calls,Wait | tr ' ' , | sort >got
		if cmp -s want got; then equal=$((equal + 1)); else diag "run $n: $(diff want got | head -5)"; fi
		rows=$((rows + $(wc -l <want)))
	done
	diag "$rows paths"
	is "$equal $((rows > 2 * runs))" "$runs 1" "paths, calls and waits of random regions (nested: $nested)"
done
