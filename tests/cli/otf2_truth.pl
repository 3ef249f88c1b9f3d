#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# otf2_truth.pl TRUTH DIR: compares the tables in DIR with what another reader found in an archive of OTF2; prints what differs.
use strict;
use warnings;
use JSON::PP;
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

my ($truth_file, $dir) = @ARGV;
my $truth = decode_json(do { open my $in, '<', $truth_file or die; local $/; <$in> });

sub ns { my ($s) = @_; $s =~ /^(-?)(\d+)\.(\d{6})$/ or die "time '$s'"; return ($1 ? -1 : 1) * ($2 * 1000000 + $3) }
sub is { my ($what, $got, $want) = @_; print "$what: $got, not $want\n" if $got ne $want }
sub table { my $file = "$dir/$_[0].csv"; return -e $file ? rows($file) : () }

my (%n, %time, %segments, %on, %location);
# The rank of a location whose name repeats is the number of its group.
for my $id (keys %{$truth->{per_location}}) {
	my ($name, $group) = @{$truth->{per_location}{$id}}{qw(name group)};
	$location{$name} = $location{$group =~ /(\d+)$/ ? "$1_$name" : $name} = $id;
}
is('locations', scalar(my @resources = table('resources')), scalar keys %{$truth->{per_location}});
for my $row (table('tasks')) {
	next if ($row->{JobId} // '') eq '' || $row->{Start} eq '';
	$segments{$row->{JobId}}++;
	$on{$location{$row->{ResourceId}}} += ns($row->{End}) - ns($row->{Start});
	$n{created}++ if $row->{SubmitTime} ne '' && $segments{$row->{JobId}} == 1;
}
for my $row (table('states'), map { { %$_, Value => $_->{Call} } } table('calls')) {
	$n{calls}{$row->{Value}}++;
	$time{$row->{Value}} += ns($row->{End}) - ns($row->{Start});
	$n{open}{$row->{Value}}++ if ($row->{Flag} // '') eq 'open';
}
for my $row (table('links')) {
	next if $row->{Type} ne 'MPI communication' || ($row->{Flag} // '') ne '';
	$n{messages}++;
	$n{bytes} += $row->{Size};
}
my $tasks = $truth->{tasks} // {};
my $sum = 0;
$sum += $_ for values %segments;
is('tasks created', $n{created} // 0, $tasks->{created} // 0);
is('tasks that ran', scalar keys %segments, $tasks->{ran} // 0);
is('segments', $sum, $tasks->{segments} // 0);
is('tasks with several segments', scalar(grep { $_ > 1 } values %segments), $tasks->{several_segments} // 0);
is("time of tasks on $_", $on{$_} // 0, $tasks->{time_per_location_ns}{$_}) for keys %{$tasks->{time_per_location_ns} // {}};
is('messages', $n{messages} // 0, $truth->{messages_matched_in_order} // 0);
is('bytes', $n{bytes} // 0, $truth->{bytes_received} // 0);
is('values of metrics', scalar(my @values = table('variables')), 3 * ($truth->{events}{METRIC} // 0));
# Regions that all readers end at the same event; tasks and waits are rows of another kind.
my $unmatched = join "\n", grep { /does not match/ } keys %{$truth->{unmatched} // {}};
for my $region (keys %{$truth->{regions}}) {
	next if $region =~ /task|barrier|kernel/ || $unmatched =~ /: \Q$region\E/;
	my $open = $truth->{unmatched}{"still open at the end: $region"} // 0;
	is("calls of $region", ($n{calls}{$region} // 0) - ($n{open}{$region} // 0), $truth->{regions}{$region}{calls});
	is("open $region", $n{open}{$region} // 0, $open);
	# It was summed in ticks, and rounded then.
	my ($got, $want) = ($time{$region} // 0, $truth->{regions}{$region}{inclusive_ns});
	is("time in $region", $got, $want) if !$open && abs($got - $want) > $truth->{regions}{$region}{calls};
}
