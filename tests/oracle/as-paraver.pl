#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# as-paraver.pl FOLDER NAME: the calls, messages and, in parallel regions, waits of OpenMP of a folder of tables as NAME.prv, NAME.pcf
# and NAME.row.
use strict;
use warnings;
use FindBin '$Bin';
use lib $Bin;
use tables;

sub ns { my ($time) = @_; return int($time * 1e6 + 0.5) }

my ($folder, $name) = @ARGV;
my @call = rows("$folder/calls.csv");
my @state = grep { $_->{Type} eq 'OpenMP State' } -e "$folder/states.csv" ? rows("$folder/states.csv") : ();
my $zero = 0;
for (@call) { $zero = $_->{Start} if $_->{Start} < $zero }
my (%number, %value, %comm, @line, $end, %object, @threads);
for (@call, @state) { $number{ $_->{ResourceId} } //= 0 }
my @thread = sort keys %number;
@number{@thread} = 1 .. @thread;
for (@thread) {
	my ($rank) = /^(\d+)_/;
	$object{$_} = join ':', $number{$_}, 1, $rank + 1, ++$threads[$rank];
}
for (@call) {
	my $at = "2:$object{ $_->{ResourceId} }";
	my ($start, $stop) = map { ns($_ - $zero) } @$_{qw(Start End)};
	my $collective = $_->{Sequence} ne '' && $_->{Comm} ne '';
	my $type = $collective ? 50000002 : $_->{Call} =~ /^MPI_(I?send|I?recv|Wait|Sendrecv)/i ? 50000001 : 50000003;
	$value{ $_->{Call} } //= [$type, 1 + keys %value];
	$comm{ $_->{Comm} } //= 1 + keys %comm if $collective;
	push @line, [$start, "$at:$start:$type:$value{ $_->{Call} }[1]" . ($collective ? ":50100004:$comm{ $_->{Comm} }:50100001:8" : '')];
	push @line, [$stop, "$at:$stop:$type:0"];
	$end = $stop if !defined $end || $stop > $end;
}
# Extrae's states have no depth: the innermost counts.
my %code = ('Idle' => 0, 'Implicit barrier' => 5);
for my $id (@thread) {
	my @of = sort { $a->[2] <=> $b->[2] } map { [ns($_->{Start} - $zero), ns($_->{End} - $zero), $_->{Depth}, $code{ $_->{Value} } // 1] }
		grep { $_->{ResourceId} eq $id } @state;
	my %instant = map { $_->[0] => 1, $_->[1] => 1 } @of;
	my @instant = sort { $a <=> $b } keys %instant;
	for my $i (1 .. $#instant) {
		my ($from, $to) = @instant[$i - 1, $i];
		my @inside = grep { $_->[0] <= $from && $_->[1] >= $to } @of;
		push @line, [$from, "1:$object{$id}:$from:$to:$inside[-1][3]"] if @inside;
		$end = $to if $to > $end;
	}
}
for (rows("$folder/links.csv")) {
	my ($from, $to) = @object{ @$_{qw(Origin Dest)} };
	my ($start, $stop, $posted) = map { ns($_ - $zero) } @$_{qw(Start End ReceiveStart)};
	push @line, [$start, "3:$from:$start:$start:$to:$posted:$stop:$_->{Size}:$_->{Tag}"];
}
open my $prv, '>', "$name.prv" or die;
my $ranks = @threads;
my $tasks = join ',', map { "$_:1" } @threads;
my $all = join ':', 1 .. $ranks;
printf $prv "#Paraver (01/02/2026 at 10:00):%d_ns:1(%d):1:%d(%s),%d\n", $end, scalar @thread, $ranks, $tasks, scalar keys %comm;
printf $prv "c:1:%d:%d:%s\n", $_, $ranks, $all for sort { $a <=> $b } values %comm;
print $prv "$_->[1]\n" for sort { $a->[0] <=> $b->[0] } @line;
open my $pcf, '>', "$name.pcf" or die;
print $pcf "STATES\n0   Idle\n1   Running\n5   Synchronization\n\n";
for my $type (50000001 .. 50000003) {
	printf $pcf "EVENT_TYPE\n9   %d    MPI %d\nVALUES\n", $type, $type;
	printf $pcf "%d   %s\n", $value{$_}[1], $_ for grep { $value{$_}[0] == $type } sort keys %value;
	print $pcf "0   Outside MPI\n\n";
}
open my $row, '>', "$name.row" or die;
printf $row "LEVEL THREAD SIZE %d\n%s\n", scalar @thread, join "\n", @thread;
