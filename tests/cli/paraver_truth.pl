#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# paraver_truth.pl TRUTH DIR: compares the tables in DIR with what another reader found in a trace of Paraver; prints what differs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../oracle";
use tables;
use JSON::PP;

my ($truth_file, $dir) = @ARGV;
my $truth = decode_json(do { open my $in, '<', $truth_file or die; local $/; <$in> });
my %found;

sub ns { my ($s) = @_; $s =~ /^(\d+)\.(\d{6})$/ or die "time '$s'"; return $1 * 1000000 + $2 }
sub is { my ($what, $got, $want) = @_; print "$what: $got, not $want\n" if $got ne $want }
sub spans { my ($row) = @_; return ns($row->{End}) - ns($row->{Start}) }

for my $row (rows("$dir/states.csv")) {
	next if $row->{Type} ne 'Thread State';
	$found{states}++;
	$found{time} += spans($row);
	$found{"running $row->{ResourceId}"} += spans($row) if $row->{Value} eq 'Running';
}
for my $row (-e "$dir/links.csv" ? rows("$dir/links.csv") : ()) {
	$found{messages}++;
	$found{bytes} += $row->{Size};
	$found{early}++ if ns($row->{End}) < ns($row->{Start}) || ($row->{Flag} // '') ne '';
	$found{posted}++ if ns($row->{ReceiveStart}) < ns($row->{Start});
}
for my $row (-e "$dir/tasks.csv" ? grep { $_->{Start} ne '' } rows("$dir/tasks.csv") : ()) {
	$found{segments}++;
	$found{"type $row->{Value}"}++;
	$found{"time $row->{ResourceId}"} += spans($row);
	$found{jobs}{$row->{JobId}} = 1;
	$found{created}{$row->{JobId}} = 1 if ($row->{SubmitTime} // '') ne '';
}
my ($records, $time) = (0, 0);
for my $state (values %{$truth->{states} // {}}) {
	$records += $state->{records};
	$time += $state->{time};
}
is('states', $found{states} // 0, $records);
is('time in states', $found{time} // 0, $time);
is("running $_", $found{"running THREAD $_"} // 0, $truth->{threads}{$_}{running}) for keys %{$truth->{threads} // {}};
is('messages', $found{messages} // 0, $truth->{messages} // 0);
is('bytes', $found{bytes} // 0, $truth->{bytes} // 0);
is('messages that arrive before they are sent', $found{early} // 0, $truth->{messages_arriving_before_sent} // 0);
is('receives posted before the send', $found{posted} // 0, $truth->{receives_posted_before_the_send} // 0);
is('segments', $found{segments} // 0, $truth->{task_segments} // 0);
is('jobs', scalar keys %{$found{jobs} // {}}, $truth->{distinct_row_and_task_id} // 0);
is('creations', scalar keys %{$found{created} // {}}, $truth->{creations} // 0);
is("type $_", $found{"type $_"} // 0, $truth->{segments_by_type}{$_}) for keys %{$truth->{segments_by_type} // {}};
is("time of $_", $found{"time $_"} // 0, $truth->{task_time_by_row}{$_}) for keys %{$truth->{task_time_by_row} // {}};
# Each value of the MPI types that is not 0 begins a call.
my $events = $truth->{event_types} // {};
my ($calls, @calls) = (0, -e "$dir/calls.csv" ? rows("$dir/calls.csv") : ());
$calls += $events->{$_} // 0 for 50000001 .. 50000005;
is('calls', scalar @calls, $calls / 2);
# A call that starts several messages has the partner of one.
is('partners', scalar(grep { $_ ne '' } map { ($_->{Peer} // '', $_->{ReceivePeer} // '') } @calls), 2 * ($truth->{messages} // 0))
	unless grep { $_->{Call} eq 'MPI_Startall' } @calls;
