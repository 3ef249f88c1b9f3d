#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# record_graph.pl WHAT TASKS.csv [EVENTS]: the graph of a recorded program, computed from its table alone.
#   graph   per task its index by creation, its type, the indices of the tasks that it depends on; the fulfillment of
#           a detached task, early or late by chance, counts as that task
#   path    the longest path where each part of a task that follows its begin or a wait weighs 1
#   order   what contradicts the graph: a task that ran before what it depends on; rows of a thread that overlap
#   states  (EVENTS: states.csv) states of a thread that overlap by halves, waits that overlap tasks
#   edges   how many of the runtime's own dependencies (EVENTS: of dump_log) there are; those that do not follow from ours
use strict;
use warnings;

my ($what, $file, $events) = @ARGV;
open my $in, '<', $file or die "$file: $!";
chomp(my $head = <$in>);
my @names = split /,/, $head;
my (@row, %last, %segments);
while (<$in>) {
	chomp;
	my %r;
	@r{@names} = split /,/, $_, -1;
	next if $r{Kind} eq 'worker';
	$r{Segment} ||= 0;
	$r{Node} = "$r{JobId}.$r{Segment}";
	push @row, \%r;
	push @{ $segments{ $r{JobId} } }, \%r;
	$last{ $r{JobId} } = $r{Node} if !exists $last{ $r{JobId} } || $r{Segment} > (split /\./, $last{ $r{JobId} })[1];
}
my %row = map { $_->{Node} => $_ } @row;

# The nodes before a row: [node, whether by creation].
sub before {
	my ($r) = @_;
	my @before = $r->{Segment} > 0 ? ([ $r->{JobId} . '.' . ($r->{Segment} - 1), 0 ]) : ();
	for my $job (split / /, $r->{DependsOn} // '') {
		die "no task $job\n" unless exists $last{$job};
		if ($job eq ($r->{ParentJob} // '')) {
			my ($by) = sort { $b->{Segment} <=> $a->{Segment} } grep { $_->{Start} <= $r->{SubmitTime} } @{ $segments{$job} };
			die "$r->{Node}: created before $job began\n" unless $by;
			push @before, [ $by->{Node}, 1 ];
		} else {
			push @before, [ $last{$job}, 0 ];
		}
	}
	return @before;
}

# The jobs that a job represents: the detached task of a fulfillment, else itself.
sub stands_for {
	my ($r) = $segments{ $_[0] }[0];
	return $r->{Value} eq 'fulfillment' ? grep { $_ ne $r->{ParentJob} } split / /, $r->{DependsOn} : $r->{JobId};
}

sub index_of { return $_[0]{SubmitOrder} - 1 }

if ($what eq 'graph') {
	for my $r (sort { $a->{SubmitOrder} <=> $b->{SubmitOrder} } grep { $_->{Kind} eq 'app' && $_->{Segment} == 0 } @row) {
		my ($type) = split /@/, $r->{Value};
		my @jobs = map { stands_for($_) } split / /, $r->{DependsOn} // '';
		my @before = sort { $a <=> $b } map { index_of($segments{$_}[0]) } grep { /^\d+$/ } @jobs;
		push @before, grep { !/^\d+$/ } @jobs;
		print join(' ', index_of($r), $type, @before), "\n";
	}
} elsif ($what eq 'path') {
	my (%length, $max);
	my $visit;
	no warnings 'recursion';
	$visit = sub {
		my ($node) = @_;
		return $length{$node} if exists $length{$node};
		my $r = $row{$node};
		my $best = 0;
		for my $before (before($r)) {
			my $length = $visit->($before->[0]);
			$best = $length if $length > $best;
		}
		my $part = $r->{Kind} eq 'app' && ($r->{Segment} == 0 || ($r->{DependsOn} // '') ne '');
		return $length{$node} = $best + ($part ? 1 : 0);
	};
	for (keys %row) { my $length = $visit->($_); $max = $length if !defined $max || $length > $max }
	print $max // 0, "\n";
} elsif ($what eq 'order') {
	# When a node allows what comes after it to start.
	my %end;
	my $end;
	no warnings 'recursion';
	$end = sub {
		my ($node) = @_;
		my $r = $row{$node};
		return $r->{End} if $r->{End} ne '';
		return $end{$node} //= (sort { $b <=> $a } -1e18, map { $_->[1] ? -1e18 : $end->($_->[0]) } before($r))[0];
	};
	my %until;
	for my $r (sort { $a->{Start} <=> $b->{Start} } grep { $_->{Start} ne '' } @row) {
		for (before($r)) {
			my ($node, $creation) = @$_;
			my $time = $creation ? $row{$node}{Start} : $end->($node);
			print "$r->{Node} starts at $r->{Start}, before $node at $time\n" if $time > $r->{Start};
		}
		print "$r->{Node} starts at $r->{Start}, created at $r->{SubmitTime}\n" if $r->{SubmitTime} > $r->{Start};
		my $busy = $until{ $r->{ResourceId} };
		print "$r->{Node} overlaps $busy->{Node}\n" if $busy && $busy->{End} > $r->{Start};
		$until{ $r->{ResourceId} } = $r;
	}
} elsif ($what eq 'states') {
	open my $list, '<', $events or die "$events: $!";
	chomp(my $first = <$list>);
	my @columns = split /,/, $first;
	my %of;
	while (<$list>) {
		chomp;
		my %s;
		@s{@columns} = split /,/, $_, -1;
		push @{ $of{ $s{ResourceId} } }, \%s if $s{Value} !~ /^(Lock|Critical|Ordered)$/;
	}
	my %tasks;
	push @{ $tasks{ $_->{ResourceId} } }, $_ for grep { $_->{Start} ne '' } @row;
	for my $thread (sort keys %of) {
		my @open;
		for my $s (sort { $a->{Start} <=> $b->{Start} || $a->{Depth} <=> $b->{Depth} } @{ $of{$thread} }) {
			pop @open while @open && $open[-1]{End} <= $s->{Start};
			print "$thread: $s->{Value} at $s->{Start} ends after $open[-1]{Value}\n" if @open && $open[-1]{End} < $s->{End};
			print "$thread: $s->{Value} at $s->{Start} is in $open[-1]{Value}, of the same depth\n" if @open && $open[-1]{Depth} >= $s->{Depth};
			push @open, $s if $s->{End} > $s->{Start};
			next unless $s->{Value} =~ /^(Idle|Taskwait|Taskgroup|.*[Bb]arrier)$/;
			for my $t (@{ $tasks{$thread} // [] }) {
				print "$thread: $s->{Value} at $s->{Start} while $t->{Node} runs\n" if $t->{Start} < $s->{End} && $t->{End} > $s->{Start};
			}
		}
	}
} elsif ($what eq 'edges') {
	my (%index, @create, @edge);
	open my $list, '<', $events or die "$events: $!";
	while (<$list>) {
		my @f = split;
		push @create, [ $f[1], $f[0], $f[6] ] if $f[2] eq 'CREATE' && !(hex($f[8]) & 16);
		push @edge, [ $f[6], $f[7] ] if $f[2] eq 'EDGE';
	}
	my $n = 0;
	$index{ $_->[2] } = $n++ for sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @create;
	my @reach;	# all that a task comes after, by index, as bits
	my %reach;
	for my $r (sort { $a->{SubmitOrder} <=> $b->{SubmitOrder} } grep { $_->{Kind} eq 'app' && $_->{Segment} == 0 } @row) {
		my $bits = '';
		for my $job (split / /, $r->{DependsOn} // '') {
			next unless $job =~ /^\d+$/;
			vec($bits, index_of($segments{$job}[0]), 1) = 1;
			$bits |= $reach[ index_of($segments{$job}[0]) ] // '';
		}
		$reach[ index_of($r) ] = $bits;
	}
	my $missing = grep { !vec($reach[ $index{ $_->[1] } ], $index{ $_->[0] }, 1) } grep { exists $index{ $_->[0] } && exists $index{ $_->[1] } } @edge;
	print scalar(@edge) > 0 ? 'some' : 'no', " edges, $missing missing\n";
}
