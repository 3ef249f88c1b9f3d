#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# tight.pl < TASKS.csv: the max over all h and q of h + area + q in ms, where area is the area bound of the tasks with a path of at least h
# before and q after them. By trying every cut, for one or two types of workers: the types of tasks go to the one where they are relatively
# faster until both are equally full, one type of tasks being divided.
use strict;
use warnings;
no warnings 'recursion';

chomp(my @names = split /,/, <STDIN> // die "no table");
my (%row, %workers, %sum, %count, %next, @tasks);
while (my $line = <STDIN>) {
	chomp $line;
	my %task;
	@task{@names} = split /,/, $line, -1;
	$workers{$task{ResourceType}}{$task{ResourceId}} = 1 if $task{Kind} eq 'worker' || ($task{ResourceId} ne '' && $task{Start} ne '');
	next if $task{Kind} eq 'worker';
	$row{$task{JobId}} = \%task;
	next if $task{Kind} ne 'app';
	push @tasks, \%task;
	$sum{$task{Value}}{$task{ResourceType}} += $task{End} - $task{Start};
	$count{$task{Value}}{$task{ResourceType}}++;
}
for my $job (keys %row) {
	$row{$job}{before} = [ grep { defined $row{$_} } split / /, $row{$job}{DependsOn} ];
	push @{$next{$_}}, $job for @{$row{$job}{before}};
}
my @types = sort keys %workers;
die "more than two types of workers" if @types > 2;
my %mean;
for my $value (keys %sum) {
	$mean{$value}{$_} = $sum{$value}{$_} / $count{$value}{$_} for keys %{$sum{$value}};
}

sub weight {
	my ($job) = @_;
	return 0 if $row{$job}{Kind} ne 'app';
	return (sort { $a <=> $b } values %{$mean{$row{$job}{Value}}})[0];
}
my (%head, %tail);
sub path {
	my ($known, $job, $neighbors) = @_;
	return $known->{$job} //= do {
		my $max = 0;
		for my $other ($neighbors->($job)) {
			my $length = path($known, $other, $neighbors) + weight($other);
			$max = $length if $length > $max;
		}
		$max;
	};
}
for my $task (@tasks) {
	$task->{head} = path(\%head, $task->{JobId}, sub { @{$row{$_[0]}{before}} });
	$task->{tail} = path(\%tail, $task->{JobId}, sub { @{$next{$_[0]} // []} });
}

# number: tasks by type
sub area {
	my ($number) = @_;
	my ($first, $second) = @types;
	my ($one, $other, @both) = (0, 0);
	my $n = keys %{$workers{$first}};
	my $m = defined $second ? keys %{$workers{$second}} : 1;
	for my $value (keys %$number) {
		my ($w, $v) = ($mean{$value}{$first}, defined $second ? $mean{$value}{$second} : undef);
		if (!defined $v) {
			$one += $number->{$value} * $w / $n;
		} elsif (!defined $w) {
			$other += $number->{$value} * $v / $m;
		} else {
			push @both, [ $number->{$value} * $w / $n, $number->{$value} * $v / $m ];
			$other += $number->{$value} * $v / $m;
		}
	}
	# all that can choose are on the second type: move those to the first that gain the most there
	for my $pair (sort { $b->[1] * $a->[0] <=> $a->[1] * $b->[0] } @both) {
		last if $one >= $other;
		my $share = ($other - $one) / ($pair->[0] + $pair->[1]);
		$share = 1 if $share > 1;
		$one += $share * $pair->[0];
		$other -= $share * $pair->[1];
	}
	return $one > $other ? $one : $other;
}

my $best = 0;
my @tails = do { my %seen; sort { $b <=> $a } grep { !$seen{$_}++ } map { $_->{tail} } @tasks };
for my $h (do { my %seen; grep { !$seen{$_}++ } map { $_->{head} } @tasks }) {
	my @with = sort { $b->{tail} <=> $a->{tail} } grep { $_->{head} >= $h } @tasks;
	my (%number, $i);
	for my $q (@tails) {
		$number{$with[$i++]{Value}}++ while ($i // 0) < @with && $with[$i // 0]{tail} >= $q;
		my $bound = %number ? $h + area(\%number) + $q : 0;
		$best = $bound if $bound > $best;
	}
}
printf "%.6f\n", $best;
