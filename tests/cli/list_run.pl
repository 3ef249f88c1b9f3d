#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# list_run.pl KEY=VALUE...: a run of tasks on workers that take the first one that is ready (CSV of tasks), times in us:
#   workers, tasks, time: machine; tasks, each of which takes so long; steps: so many layers of tasks, each of which depends on all of the one before
#   chains=1: each task depends on the one of its place in the step before instead
#   grain=K: K tasks are one; grain=1/K: each task is K
#   overhead: the worker is busy before each task, which the run does not show; create: the program submits a task each so often
#   slow=F: the last worker takes F times as long, or only for tasks that start at from=T or later and before to=T; static=1: task i runs on worker i mod workers
# Durations vary by 10 %, by a fixed sequence: the tasks of a grain are the parts of the same work. K divides tasks, or, of chains, steps.
use strict;
use warnings;

my %o = (workers => 4, tasks => 100, time => 1000, steps => 1, chains => 0, grain => 1, overhead => 0, create => 0, slow => 1, from => 0, to => 9**9**9, static => 0,
	map { split /=/, $_, 2 } @ARGV);
my ($merge, $split) = $o{grain} =~ m{^1/(\d+)$} ? (1, $1) : ($o{grain}, 1);
my @free = (0) x $o{workers};
my ($job, $submit, @before) = (0, 0);

sub length_of { my ($i) = @_; return $o{time} * (0.9 + 0.2 * ($i * 7919 % 101) / 100) }

print "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Kind\n";
print "CPU$_,,,,,,,worker\n" for 0 .. $o{workers} - 1;
my $row = sub { printf "CPU%d,work,%.6f,%.6f,%d,%s,%.6f,app\n", $_[0], $_[1] / 1e3, $_[2] / 1e3, $_[3], join(' ', @{ $_[4] }), $_[5] / 1e3 };
my $steps = $o{chains} && $merge > 1 ? $o{steps} / $merge : $o{steps};
for my $step (0 .. $steps - 1) {
	my @layer;
	for my $i (0 .. $o{tasks} / ($o{chains} ? 1 : $merge) - 1) {
		my $work = 0;
		for my $k (0 .. $merge - 1) { $work += length_of($o{chains} ? ($step * $merge + $k) * $o{tasks} + $i : $step * $o{tasks} + $i * $merge + $k) }
		my @on = $o{chains} ? @{ $before[$i] // [] } : map { @$_ } @before;
		for (1 .. $split) { push @{ $layer[$i] }, [ ++$job, $work / $split, \@on, $submit ]; $submit += $o{create} }
	}
	my @end;
	for my $t (map { @$_ } @layer) {
		my ($name, $length, $on, $at) = @$t;
		my ($ready) = sort { $b <=> $a } $at, map { $_->[1] } @$on;
		my ($w) = $o{static} ? ($name - 1) % $o{workers} : sort { ($free[$a] > $ready ? $free[$a] : $ready) <=> ($free[$b] > $ready ? $free[$b] : $ready) || $a <=> $b } 0 .. $#free;
		my $start = ($free[$w] > $ready ? $free[$w] : $ready) + $o{overhead};
		$free[$w] = $start + $length * ($w == $#free && $start >= $o{from} && $start < $o{to} ? $o{slow} : 1);
		$row->($w, $start, $free[$w], $name, [ map { $_->[0] } @$on ], $at);
		push @end, [ $name, $free[$w] ];
	}
	@before = ();
	for my $i (0 .. $#layer) { $before[$i] = [ splice @end, 0, scalar @{ $layer[$i] } ] }
}
