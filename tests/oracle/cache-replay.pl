#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# cache-replay.pl CACHE=BYTES:CORE,... ... -- FOLDER...: what the tables of `traceviz simulate --model comm-cache` say about caches,
# against caches that are played again over the printed times: LRU, blocks of running tasks locked, copies invalid after writes, modified
# blocks written back. Two caches, whose memories are named m0, m1, .... Prints what differs, and how many folders, reads and evictions agree.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use tables;

my (%capacity, %cache_of, %count);
while (defined(my $arg = shift)) {
	last if $arg eq '--';
	my ($cache, $bytes, @cores) = split /[=:,]/, $arg;
	$capacity{$cache} = $bytes;
	$cache_of{$_} = $cache for @cores;
}

# Times in ns.
sub table {
	my @rows = rows(@_);
	for my $row (@rows) {
		for (grep { ($row->{$_} // '') ne '' } qw(Start End)) {
			$row->{$_} = sprintf '%.0f', $row->{$_} * 1e6;
		}
	}
	return @rows;
}

# The events of a folder: [time, order within an instant, order, what, ...].
sub replay {
	my ($folder) = @_;
	my @tasks = grep { $_->{JobId} ne '' } table("$folder/tasks.csv"); # besides workers without tasks
	my (@events, %number, %task, %used, %in, @got, @want, %n, $stamp);

	for my $task (sort { $a->{JobId} <=> $b->{JobId} } @tasks) {
		my @handle = split / /, $task->{Handles};
		my @mode = split / /, $task->{Modes};
		my @size = split / /, $task->{Sizes};
		for (sort { substr($a, 1) <=> substr($b, 1) } @handle) {
			$number{$_} = keys %number if !exists $number{$_};
		}
		$task->{access} = [sort { $number{$a->[0]} <=> $number{$b->[0]} } map { [$handle[$_], $mode[$_], $size[$_]] } 0 .. $#handle];
		$task{$task->{JobId}} = $task;
		push @events, [$task->{End}, 2, $task->{JobId}, 'end', $task], [$task->{Start}, 3, substr($task->{ResourceId}, 1), 'begin', $task];
	}
	# The writes of a task are in its last state.
	for my $state (table("$folder/states.csv")) {
		next if $state->{Value} ne 'Write';
		my ($task) = grep { $_->{ResourceId} eq $state->{ResourceId} && $_->{Start} <= $state->{Start} && $_->{End} >= $state->{End} } @tasks;
		push @events, [$state->{Start}, 1, substr($task->{ResourceId}, 1), 'write', $task];
	}
	for my $link (table("$folder/links.csv")) {
		next if $link->{Type} !~ /Fetch|WriteBack/;
		push @got, join ' ', @$link{qw(Start Type Origin Dest Handle DestJob)};
		push @events, [$link->{End}, 0, 0, 'arrive', $link] if $link->{Type} eq 'Memory Fetch';
	}
	my $evict = sub {
		my ($cache, $time, $job) = @_;
		while ($used{$cache} > $capacity{$cache}) {
			my ($oldest) = sort { $a->{stamp} <=> $b->{stamp} } grep { $_->{locks} == 0 } values %{$in{$cache}};
			last if !$oldest;
			delete $in{$cache}{$oldest->{block}};
			$used{$cache} -= $oldest->{size};
			$n{"$cache Cache evictions"}++;
			push @want, [$time, 'Memory WriteBack', $cache, 'home', $oldest->{block}, $job] if $oldest->{modified};
		}
	};
	my $unlock = sub {
		my ($copy) = @_;
		return if --$copy->{locks};
		$copy->{stamp} = ++$stamp;
		$used{$copy->{cache}} -= $copy->{size} if !$copy->{valid};
	};
	$used{$_} = 0 for keys %capacity;
	for my $event (sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] || $a->[2] <=> $b->[2] } @events) {
		my ($time, undef, undef, $what, $task) = @$event;
		if ($what eq 'arrive') {
			# What a fetch brings is of the copy that its task uses, which a write may have replaced by another one.
			$_->{data} = 1 for grep { $_->{block} eq $task->{Handle} } @{$task{$task->{DestJob}}{copies}};
			next;
		}
		my $cache = $cache_of{$task->{ResourceId}};
		if ($what eq 'begin') {
			for my $access (@{$task->{access}}) {
				my ($block, $mode, $size) = @$access;
				if (!$in{$cache}{$block}) {
					$in{$cache}{$block} = { cache => $cache, block => $block, size => $size, locks => 0, valid => 1 };
					$used{$cache} += $size;
				}
				$in{$cache}{$block}{locks}++;
				push @{$task->{copies}}, $in{$cache}{$block};
			}
			$evict->($cache, $time, $task->{JobId});
			for my $i (0 .. $#{$task->{access}}) {
				my $copy = $task->{copies}[$i];
				next if $task->{access}[$i][1] !~ /R/;
				$n{"$cache Cache " . ($copy->{data} || $copy->{comes} ? 'hits' : 'misses')}++;
				next if $copy->{data} || $copy->{comes};
				$copy->{comes} = 1;
				my ($other) = grep { $_ ne $cache && $in{$_}{$copy->{block}} && $in{$_}{$copy->{block}}{data} } sort keys %capacity;
				push @want, [$time, 'Memory Fetch', $other // 'home', $cache, $copy->{block}, $task->{JobId}];
			}
		} elsif ($what eq 'write') {
			for my $i (0 .. $#{$task->{access}}) {
				my $copy = $task->{copies}[$i];
				next if $task->{access}[$i][1] !~ /W/ || !$copy->{valid};
				$copy->{data} = $copy->{modified} = 1;
				for my $other (grep { $_ ne $cache } keys %capacity) {
					my $old = delete $in{$other}{$copy->{block}} or next;
					$old->{valid} = 0;
					$used{$other} -= $old->{size} if !$old->{locks};
				}
			}
		} else {
			$unlock->($_) for @{$task->{copies}};
			$evict->($cache, $time, $task->{JobId});
		}
	}
	# Homes are names of memories.
	s/\bm\d+\b/home/ for @got;
	my %occupancy;
	for my $variable (table("$folder/variables.csv")) {
		$occupancy{$variable->{ResourceId}} = $variable->{Value} if $variable->{Type} eq 'Cache occupancy (MiB)';
		$n{"$variable->{ResourceId} $variable->{Type}"} -= $variable->{Value} if $variable->{Type} =~ /^Cache (hits|misses|evictions)/;
		$count{$variable->{Type}} += $variable->{Value} if $variable->{Type} =~ /^Cache (hits|misses|evictions)/;
	}
	my $got = join "\n", sort @got;
	my $want = join "\n", sort map { join ' ', @$_ } @want;
	print "$folder: transfers\n" if $got ne $want;
	print "$folder: $_ off by $n{$_}\n" for grep { $n{$_} } sort keys %n;
	for (sort keys %occupancy) {
		print "$folder: $_ contains $used{$_}, not $occupancy{$_} MiB\n" if abs($used{$_} / 2**20 - $occupancy{$_}) > 1e-5;
	}
	return $got eq $want && !grep { $n{$_} } keys %n;
}

my $agree = grep { replay($_) } @ARGV;
printf "%d agree: %d hits, %d misses, %d evictions\n", $agree, @count{'Cache hits', 'Cache misses', 'Cache evictions'};
