#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# urgent.pl: from the table of `traceviz deps`, how long the most urgent released task waits while its worker runs another one, in ms, then
# the types that wait and how long, the longest first. By trying, at each instant, every task; the path behind a task by recursion.
use strict;
use warnings;
no warnings 'recursion';

chomp(my @names = split /,/, <STDIN> // die "no table");
my (%row, %successors, @tasks, %sum, %count, %fastest, %length, $first);
while (my $line = <STDIN>) {
	chomp $line;
	my %task;
	@task{@names} = split /,/, $line, -1;
	$row{$task{JobId}} = \%task;
	push @{$successors{$_}}, $task{JobId} for split / /, $task{DependsOn};
	next if $task{Kind} ne 'app';
	push @tasks, \%task;
	$task{$_} = sprintf('%.0f', $task{$_} * 1e6) for qw(Start End);
	$first = $task{Start} if !defined $first || $task{Start} < $first;
	$sum{$task{Value}}{$task{ResourceType}} += $task{End} - $task{Start};
	$count{$task{Value}}{$task{ResourceType}}++;
}
for my $value (keys %sum) {
	for my $rtype (keys %{$sum{$value}}) {
		my $mean = $sum{$value}{$rtype} / $count{$value}{$rtype};
		$fastest{$value} = $mean if !defined $fastest{$value} || $mean < $fastest{$value};
	}
}

sub path_from {
	my ($job) = @_;
	if (!defined $length{$job}) {
		my $most = 0;
		for my $next (@{$successors{$job}}) {
			my $length = path_from($next);
			$most = $length if $length > $most;
		}
		$length{$job} = $most + ($row{$job}{Kind} eq 'app' ? int($fastest{$row{$job}{Value}} + 0.5) : 0);
	}
	return $length{$job};
}

my %instant;
for my $task (@tasks) {
	my $release = $task->{Released} eq '' ? $first : sprintf('%.0f', $task->{Released} * 1e6);
	$task->{Released} = $release > $first ? $release : $first;
	$instant{$task->{$_}} = 1 for qw(Released Start End);
}
my @instants = sort { $a <=> $b } keys %instant;
my ($all, %waits) = (0);
for my $i (0 .. $#instants - 1) {
	my $now = $instants[$i];
	my ($top) = sort { path_from($b->{JobId}) <=> path_from($a->{JobId}) || $a->{Start} <=> $b->{Start} }
		grep { $_->{Released} <= $now && $now < $_->{End} } @tasks;
	next if !defined $top || $top->{Start} <= $now;
	next if !grep { $_->{ResourceId} eq $top->{ResourceId} && $_->{Start} <= $now && $now < $_->{End} } @tasks;
	$all += $instants[$i + 1] - $now;
	$waits{$top->{Value}} += $instants[$i + 1] - $now;
}
printf "%.4g", $all / 1e6;
printf " %s %.4g", $_, $waits{$_} / 1e6 for sort { $waits{$b} <=> $waits{$a} || $a cmp $b } keys %waits;
print "\n";
