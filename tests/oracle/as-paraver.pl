#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# as-paraver.pl FOLDER NAME: the calls and messages of a folder of tables as NAME.prv, NAME.pcf and NAME.row.
use strict;
use warnings;

sub table {
	my ($path) = @_;
	open my $in, '<', $path or die "$path: $!\n";
	chomp(my $head = <$in>);
	my @name = split /,/, $head;
	return map { chomp; my %row; @row{@name} = split /,/, $_, -1; \%row } <$in>;
}
sub ns { my ($time) = @_; return int($time * 1e6 + 0.5) }

my ($folder, $name) = @ARGV;
my @call = table("$folder/calls.csv");
my $zero = 0;
for (@call) { $zero = $_->{Start} if $_->{Start} < $zero }
my (%number, %value, %comm, @line, @begin, $end);
for (@call) { $number{ $_->{ResourceId} } //= 0 }
my @thread = sort keys %number;
@number{@thread} = 1 .. @thread;
for (@call) {
	my $at = join ':', 2, $number{ $_->{ResourceId} }, 1, $number{ $_->{ResourceId} }, 1;
	my ($start, $stop) = map { ns($_ - $zero) } @$_{qw(Start End)};
	my $collective = $_->{Sequence} ne '' && $_->{Comm} ne '';
	my $type = $collective ? 50000002 : $_->{Call} =~ /^MPI_(I?send|I?recv|Wait|Sendrecv)/i ? 50000001 : 50000003;
	$value{ $_->{Call} } //= [$type, 1 + keys %value];
	$comm{ $_->{Comm} } //= 1 + keys %comm if $collective;
	push @line, [$start, "$at:$start:$type:$value{ $_->{Call} }[1]" . ($collective ? ":50100004:$comm{ $_->{Comm} }:50100001:8" : '')];
	push @line, [$stop, "$at:$stop:$type:0"];
	$end = $stop if !defined $end || $stop > $end;
}
for (table("$folder/links.csv")) {
	my ($from, $to) = map { join ':', $number{$_}, 1, $number{$_}, 1 } @$_{qw(Origin Dest)};
	my ($start, $stop, $posted) = map { ns($_ - $zero) } @$_{qw(Start End ReceiveStart)};
	push @line, [$start, "3:$from:$start:$start:$to:$posted:$stop:$_->{Size}:$_->{Tag}"];
}
open my $prv, '>', "$name.prv" or die;
my $tasks = join ',', map { '1:1' } @thread;
my $all = join ':', 1 .. @thread;
printf $prv "#Paraver (01/02/2026 at 10:00):%d_ns:1(%d):1:%d(%s),%d\n", $end, scalar @thread, scalar @thread, $tasks, scalar keys %comm;
printf $prv "c:1:%d:%d:%s\n", $_, scalar @thread, $all for sort { $a <=> $b } values %comm;
print $prv "$_->[1]\n" for sort { $a->[0] <=> $b->[0] } @line;
open my $pcf, '>', "$name.pcf" or die;
for my $type (50000001 .. 50000003) {
	printf $pcf "EVENT_TYPE\n9   %d    MPI %d\nVALUES\n", $type, $type;
	printf $pcf "%d   %s\n", $value{$_}[1], $_ for grep { $value{$_}[0] == $type } sort keys %value;
	print $pcf "0   Outside MPI\n\n";
}
open my $row, '>', "$name.row" or die;
printf $row "LEVEL THREAD SIZE %d\n%s\n", scalar @thread, join "\n", @thread;
