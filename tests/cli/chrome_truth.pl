#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome_truth.pl TRUTH DIR: compares the tables in DIR with what another reader found in the trace events; prints what differs.
use strict;
use warnings;
use JSON::PP;

my ($truth_file, $dir) = @ARGV;
my $truth = decode_json(slurp($truth_file));
my %rows = map { $_ => read_table("$dir/$_.csv") } qw(tasks states variables events);
my @tasks = grep { $_->{Start} ne '' } @{$rows{tasks}};

sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!"; local $/; return <$in> }

sub read_table {
	return [] if !-e $_[0];
	my (@table, @row);
	my $text = slurp($_[0]);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n])/gc) {
		my ($quoted, $plain, $end) = ($1, $2, $3);
		push @row, defined $quoted ? $quoted =~ s/""/"/gr : $plain;
		if ($end eq "\n") { push @table, [@row]; @row = () }
	}
	my @names = @{shift @table};
	return [map { my $r = $_; +{ map { $names[$_] => $r->[$_] } 0 .. $#names } } @table];
}

# ms with six decimals as ns, digit by digit
sub ns { my ($s) = @_; my $minus = $s =~ s/^-// ? -1 : 1; $s =~ /^(\d+)\.(\d{6})$/ or die "time '$s'"; return $minus * ($1 * 1000000 + $2) }

sub union {
	my ($sum, $end) = (0, undef);
	for my $r (sort { $a->[0] <=> $b->[0] } @_) {
		my ($from, $to) = @$r;
		$from = $end if defined $end && $from < $end;
		$sum += $to - $from if $to > $from;
		$end = $to if !defined $end || $to > $end;
	}
	return $sum;
}

sub check { my ($what, $got, $want) = @_; print "$what: got $got, want $want\n" if "$got" ne "$want" }

# Lanes by number of slices and busy time, as their names differ.
my %lane;
push @{$lane{$_->{ResourceId}}}, [ns($_->{Start}), ns($_->{End})] for @tasks,
	grep { $_->{ResourceId} !~ /(?:^|_)process$/ && !$_->{Flag} } @{$rows{states}}; # no asynchronous spans, none that was cut
my %per = %{$truth->{per_lane}};
$per{'0/7'}{slices} -= $truth->{negative_durations} if $truth->{negative_durations}; # skipped
check('lanes', join(' ', sort map { scalar(@{$lane{$_}}) . ':' . union(@{$lane{$_}}) } keys %lane),
	join(' ', sort map { "$_->{slices}:$_->{busy_union_ns}" } values %per));
check('instants', scalar @{$rows{events}}, ($truth->{events}{i} // 0) + ($truth->{events}{R} // 0));
check('samples', scalar @{$rows{variables}}, $truth->{counter_samples} // 0);

if (my $dag = $truth->{dag}) {
	my (%type, %job, %edge);
	$type{$_->{Value}}++ for @tasks;
	$job{$_->{JobId}} = $_ for @tasks;
	check('types', join(' ', map { "$_:$type{$_}" } sort keys %type), join(' ', map { "$_:$dag->{types}{$_}" } sort keys %{$dag->{types}}));
	my ($early, $work, $last) = (0, 0, 0);
	for my $task (@tasks) {
		$work += ns($task->{End}) - ns($task->{Start});
		$last = ns($task->{End}) if ns($task->{End}) > $last;
		for my $before (split / /, $task->{DependsOn}) {
			$edge{"$before $task->{JobId}"}++;
			$early++ if ns($job{$before}{End}) > ns($task->{Start});
		}
	}
	check('edges', scalar keys %edge, $dag->{edges});
	check('edges written once', scalar(grep { $_ > 1 } values %edge), 0);
	check('work', $work, $dag->{work_ns});
	check('makespan', $last, $dag->{makespan_ns});
	check('before a parent ends', $early, $dag->{children_that_start_before_a_parent_ends});
}

if (my $gpu = $truth->{gpu}) {
	my %stream;
	my @copies = grep { $_->{Value} =~ /^Memcpy/ } @tasks;
	my @kernels = grep { $_->{Value} !~ /^Mem(?:cpy|set)/ } @tasks;
	my ($time, $bytes) = (0, 0);
	$time += ns($_->{End}) - ns($_->{Start}) for @kernels;
	$bytes += $_->{Size} || 0 for @copies;
	check('kernels', scalar @kernels, $gpu->{kernels});
	check('time of kernels', $time, $gpu->{kernel_time_ns});
	check('copies', scalar @copies, $gpu->{memcpy});
	check('bytes', $bytes, $gpu->{memcpy_bytes});
	check('launches', scalar(grep { $_->{SubmitTime} ne '' } @tasks), $gpu->{correlated_with_a_runtime_call});
	push @{$stream{$_->{ResourceId}}}, [ns($_->{Start}), ns($_->{End})] for @tasks;
	my %want = %{$gpu->{busy_union_ns}};
	my $anywhere = delete $want{'device None stream None'}; # is on the stream of its lane
	check('streams', join(' ', map { union(@{$stream{$_}}) } sort keys %stream), join(' ', map { $_ + ($anywhere // 0) } sort { $a <=> $b } values %want));
}
