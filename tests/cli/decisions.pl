#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# decisions.pl make SEED FOLDER [fifo]: random decisions on many workers; fifo: no task overtakes another. What follows, by brute force:
# decisions.pl tile FOLDER: prints JobId,Ahead,Overtaken,IdleQueued,IdleTaken of each task, ms by ms.
# decisions.pl lengths FOLDER: prints ResourceId,Time,Tasks,PipelineTasks at each ms.
# decisions.pl choices FOLDER: prints JobId,Better,BetterStart,BetterEnd,Gain of each task that another candidate would have ended earlier.
use strict;
use warnings;
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

my ($what, @args) = @ARGV;
my $workers = 60;

sub make {
	my ($seed, $folder, $fifo) = @_;
	my (@decisions, @events, @tasks);
	my $job = 0;
	srand $seed;
	for my $w (0 .. $workers - 1) {
		my ($time, $tasks) = (0, 1 + int rand 8);
		my @list = map { { job => ++$job, decided => int rand 25 } } 1 .. $tasks;
		my @left = @list;
		while (@left) {
			my @ready = grep { $_->{decided} <= $time } @left;
			if (!@ready || rand() < 0.2) { $time++; next }
			my $task = $ready[rand @ready];
			($task) = sort { $a->{decided} <=> $b->{decided} || $a->{job} <=> $b->{job} } @ready if $fifo;
			my $pop = $task->{decided} + int rand($time - $task->{decided} + 1);
			my $end = $time + int rand 6;
			push @events, [$task->{job}, 'pop', $w, $pop], [$task->{job}, 'start', $w, $time],
				[$task->{job}, 'end', $w, $end];
			push @tasks, "CPU$w,a,$time,$end,$task->{job}";
			@left = grep { $_ != $task } @left;
			$time = $end;
		}
		push @decisions, map { [$_->{job}, $_->{decided}, $w] } @list;
	}
	my %rank = (push => 0, pop => 1, start => 2, end => 3);
	my @all = map { [$_->[0], 'push', $_->[2], $_->[1]] } @decisions;
	@all = sort { $a->[3] <=> $b->[3] || $rank{$a->[1]} <=> $rank{$b->[1]} || $a->[0] <=> $b->[0] } @all, @events;
	open my $d, '>', "$folder/decisions.csv"; open my $e, '>', "$folder/events.csv"; open my $t, '>', "$folder/tasks.csv";
	print $d "JobId,Order,Time,ResourceId,Length,Priority\n";
	print $e "Order,JobId,Type,ResourceId,Time\n";
	print $t map { "$_\n" } 'ResourceId,Value,Start,End,JobId', @tasks;
	my $order = 0;
	for (@all) {
		$order++;
		if ($_->[1] eq 'push') { print $d "$_->[0],$order,$_->[3],CPU$_->[2],1,", int rand 4, "\n" }
		else { print $e "$order,$_->[0],$_->[1],CPU$_->[2],$_->[3]\n" }
	}
	open my $c, '>', "$folder/candidates.csv";
	print $c "JobId,ResourceId,Length,Transfer\n";
	for (@decisions) {
		my %there = map { $_ => 1 } $_->[2], map { int rand $workers } 1 .. 8;
		for my $w (sort { $a <=> $b } keys %there) {
			printf $c "$_->[0],CPU$w,%s,%s\n", map { rand() < 0.1 ? '' : int rand $_ } 8, 5;
		}
	}
}

sub join_tables {
	my ($folder) = @_;
	my %task;
	$task{$_->{JobId}} = { %$_ } for rows("$folder/decisions.csv");
	$task{$_->{JobId}}{$_->{Type}} = $_->{Time} for rows("$folder/events.csv");
	return %task;
}

sub tile {
	my %task = join_tables(@_);
	for my $job (sort { $a <=> $b } keys %task) {
		my $own = $task{$job};
		my ($ahead, $over, $queued, $taken) = (0, 0, 0, 0);
		for my $ms ($own->{Time} .. $own->{start} - 1) {
			my @runs = grep { $_->{ResourceId} eq $own->{ResourceId} && $_->{start} <= $ms && $_->{end} > $ms } values %task;
			if (!@runs) { $ms < $own->{pop} ? $queued++ : $taken++ }
			elsif ($runs[0]{Order} < $own->{Order}) { $ahead++ }
			else { $over++ }
		}
		printf "%d,%d,%d,%d,%d\n", $job, $ahead, $over, $queued, $taken;
	}
}

sub lengths {
	my %task = join_tables(@_);
	for my $w (0 .. $workers - 1) {
		my @own = grep { $_->{ResourceId} eq "CPU$w" } values %task;
		for my $ms (0 .. 60) {
			my $queue = grep { $_->{Time} <= $ms && $_->{pop} > $ms } @own;
			my $pipeline = grep { $_->{pop} <= $ms && $_->{start} > $ms } @own;
			print "CPU$w,$ms,$queue,$pipeline\n" if $queue + $pipeline > 0;
		}
	}
}

# Of two tasks: whether the first goes before the second in a queue.
sub more_urgent {
	my ($x, $y, $by_priority) = @_;
	return $x->{Priority} > $y->{Priority} if $by_priority && $x->{Priority} != $y->{Priority};
	return $x->{Order} < $y->{Order};
}

sub choices {
	my ($folder) = @_;
	my %task = join_tables($folder);
	my (%ran, %better);
	push @{ $ran{$_->{ResourceId}} }, $_
		for sort { $a->{start} <=> $b->{start} || $a->{end} <=> $b->{end} || $a->{Order} <=> $b->{Order} } values %task;
	my $overtaking = grep { my $list = $_; grep { $list->[$_]{Order} < $list->[$_ - 1]{Order} } 1 .. $#$list } values %ran;
	for my $candidate (rows("$folder/candidates.csv")) {
		my ($job, $worker) = @$candidate{qw(JobId ResourceId)};
		my ($own, @there) = ($task{$job}, @{ $ran{$worker} || [] });
		next if $worker eq $own->{ResourceId} || $candidate->{Length} eq '';
		my ($place) = reverse grep { $_ == 0 || $there[$_ - 1]{pop} <= $own->{Time} } 0 .. @there;
		$place++ while $place < @there && more_urgent($there[$place], $own, $overtaking);
		my $start = $own->{Time} + ($candidate->{Transfer} || 0);
		$start = $there[$place - 1]{end} if $place > 0 && $there[$place - 1]{end} > $start;
		my $end = $start + $candidate->{Length};
		$better{$job} = [$worker, $start, $end] if !$better{$job} || $end < $better{$job}[2];
	}
	for my $job (sort { $a <=> $b } keys %better) {
		my $gain = $task{$job}{end} - $better{$job}[2];
		print join(',', $job, @{ $better{$job} }, $gain), "\n" if $gain > 0;
	}
}

if ($what eq 'make') { make(@args) } elsif ($what eq 'tile') { tile(@args) } elsif ($what eq 'lengths') { lengths(@args) } else { choices(@args) }
