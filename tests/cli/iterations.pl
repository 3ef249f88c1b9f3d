#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# iterations.pl SEED FOLDER [none] -- a random MPI program of 2 to 16 ranks whose main loop is known, as a trace. In FOLDER/truth: a line
# per iteration with its first enter and its last leave. With regions `step`: on each rank its own part of each iteration.
# none: calls at random, without a loop.
use strict;
use warnings;

my ($seed, $folder, $none) = @ARGV;
srand($seed);
sub any($) { int rand $_[0] }
my $ranks = 2 + any(15);
my $sites = !$none && any(2); # else calls are known by function and partners alone
my $n = $none ? 1 : 6 + any(25);
my ($clock, @calls, @own) = (0);

# An operation: its calls on a rank, each a function, class, partner.
sub operation {
	my ($name, $r) = @_;
	return map { ["MPI_I$_", 'start', ($r + 1) % $ranks] } 'recv', 'send' if $name eq 'post';
	return ['MPI_Waitall', 'wait', ''] if $name eq 'wait';
	return ['MPI_Sendrecv', 'blocking', $r ^ 1] if $name eq 'shift' && ($r ^ 1) < $ranks;
	return $r > 0 ? ['MPI_Recv', 'blocking', $r - 1] : ['MPI_Send', 'blocking', 1] if $name eq 'pipe';
	return ["MPI_\u$name", 'blocking', ''] if $name ne 'shift';
	return;
}
my @pool = qw(post wait shift pipe allgather alltoall scan barrier);
my @body = map { $pool[any(@pool)] } 1 .. 1 + any(6);
splice @body, any(@body + 1), 0, 'allreduce'; # once in an iteration
my $inner = any(2) ? any(@body) : -1; # a loop in it, of other operations, that many times, or a varying number of times
my ($times, $varies) = (1 + any(5), any(2));
my @inner = (qw(exscan), any(2) ? 'iscatter' : ());
@body = do { my %seen; grep { !$seen{$_}++ } @body } if !$sites && $varies;
my $odd = any(3) == 0 && @body > 2 && $n >= 8 ? any($ranks) : -1; # a rank with another call in some iterations
my %more = map { any($n) => 1 } 1 .. int($n / 8);
my @prologue = map { (qw(bcast scatter gather), $sites ? 'barrier' : ())[any(3 + $sites)] } 1 .. any(6);
my @epilogue = map { (qw(reduce gatherv), $sites ? 'allreduce' : ())[any(2 + $sites)] } 1 .. any(6);
my @count = map { $varies ? any(6) + 1 : $times } 1 .. $n;

if ($none) {
	@body = map { $pool[any(@pool)] } 1 .. 20 + any(100);
	@prologue = @epilogue = ();
	$inner = $odd = -1;
}
for my $r (0 .. $ranks - 1) {
	my $t = 1 + rand 5;
	my $make = sub {
		my ($name, $place) = @_;
		for my $call (operation($name, $r)) {
			$t += rand(3);
			my $begin = sprintf '%.6f', $t;
			my $end = sprintf '%.6f', $t += rand(2);
			push @calls, join(',', "${r}_T0", @$call[0, 1], $begin, $end, $call->[2], $sites ? "main\@$place.c:1" : '');
			push @{ $own[$r] }, [$begin, $end];
			# A loop of tests takes as many calls as it takes.
			push @calls, map { join(',', "${r}_T0", 'MPI_Test', 'test', $end, $end, '', '') } 1 .. any(3);
		}
	};
	$make->($prologue[$_], "prologue$_") for 0 .. $#prologue;
	my @parts;
	for my $k (0 .. $n - 1) {
		my $before = @{ $own[$r] // [] };
		for my $b (0 .. $#body) {
			if ($b == $inner) {
				for (1 .. $count[$k]) { $make->($inner[$_], "inner$_") for 0 .. $#inner }
			}
			$make->($body[$b], "body$b");
			$make->('ibcast', 'more') if $r == $odd && $more{$k} && $b == int(@body / 2);
		}
		push @parts, [$own[$r][$before][0], $own[$r][-1][1]];
	}
	$make->($epilogue[$_], "epilogue$_") for 0 .. $#epilogue;
	$own[$r] = \@parts;
	$clock = $t if $t > $clock;
}
mkdir $folder;
sub table {
	my ($name, @rows) = @_;
	open my $out, '>', "$folder/$name" or die "$folder/$name: $!\n";
	print $out "$_\n" for @rows;
	close $out or die;
}
table('calls.csv', 'ResourceId,Call,Class,Start,End,Peer,Site',
	(map { ("${_}_T0,MPI_Init,other,0.000000,0.500000,,", sprintf "%d_T0,MPI_Finalize,other,%.6f,%.6f,,", $_, $clock + 1, $clock + 2) } 0 .. $ranks - 1), @calls);
table('resources.csv', 'ResourceId,ResourceType,Node,Order', map { "${_}_T0,CPU,$_,$_" } 0 .. $ranks - 1);
table('tasks.csv', 'ResourceId,Value,Start,End,Kind,Node,ResourceType', map { "${_}_T0,,,,worker,$_,CPU" } 0 .. $ranks - 1);
table('states.csv', 'ResourceId,Type,Value,Start,End',
	map { my $r = $_; map { "${r}_T0,Program,step,$_->[0],$_->[1]" } @{ $own[$r] } } 0 .. $ranks - 1);
table('truth', map {
	my $k = $_;
	my ($begin) = sort { $a <=> $b } map { $own[$_][$k][0] } 0 .. $ranks - 1;
	my ($end) = sort { $b <=> $a } map { $own[$_][$k][1] } 0 .. $ranks - 1;
	($k + 1) . ",$begin,$end";
} 0 .. $n - 1);
