#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# as-otf2.pl FOLDER: a recording of MPI without requests, and of OpenMP's parallel regions, in a folder of tables, as input of
# tests/cli/otf2_write.c.
use strict;
use warnings;
use FindBin '$Bin';
use lib $Bin;
use tables;

my ($folder) = @ARGV;
sub ns { my ($time) = @_; return int($time * 1e6 + 0.5) }

my (%thread, %span, %region, @region);
# A span of a thread in a region of that role and paradigm; records inside, at its begin and end.
sub add {
	my ($row, $name, $role, $paradigm, $depth, $at_begin, $at_end) = @_;
	my $key = "$role $paradigm 0 $name";
	push @region, $key if !exists $region{$key};
	$region{$key} //= $#region;
	my ($b, $e) = (ns($row->{Start}), ns($row->{End}));
	push @{ $span{ $row->{ResourceId} } }, [$b, 1, $depth, "$b Enter $region{$key}", $at_begin ? "$b $at_begin" : ()],
		[$e, 0, -$depth, $at_end ? "$e $at_end" : (), "$e Leave $region{$key}"] if $e > $b;
}
$thread{ $_->{ResourceId} } = $_->{Node} for rows("$folder/resources.csv");
for (rows("$folder/calls.csv")) {
	my $sends = $_->{Call} =~ /[Ss]end/ ? "MpiSend $_->{Peer} 0 $_->{Tag} $_->{Bytes}" : '';
	my $receives = $_->{Call} eq 'MPI_Recv' ? "MpiRecv $_->{Peer} 0 $_->{Tag} $_->{Bytes}"
		: $_->{Call} eq 'MPI_Sendrecv' ? "MpiRecv $_->{ReceivePeer} 0 $_->{ReceiveTag} $_->{Bytes}" : '';
	$receives = "MpiCollectiveEnd 11 0 - $_->{Bytes} $_->{Bytes}" if $_->{Sequence} ne '';
	add($_, $_->{Call}, 28, 4, 9, $sends, $receives);
}
for (rows("$folder/states.csv")) {
	my $region = $_->{ResourceId} =~ /_T0$/ ? 'Parallel region' : 'Implicit task';
	add($_, '!$omp parallel', 5, 3, $_->{Depth}) if $_->{Value} eq $region;
	add($_, '!$omp implicit barrier', 16, 3, $_->{Depth}) if $_->{Value} eq 'Implicit barrier';
}
my @name = sort keys %thread;
my %at = map { $name[$_] => $_ } 0 .. $#name;
my @masters = grep { /_T0$/ } @name;
print "SystemTreeNode 0 - machine\n";
print "LocationGroup $_ 1 0 - MPI Rank $_\n" for 0 .. $#masters;
print "Location $at{$_} 1 $thread{$_} $_\n" for @name;
print "Region $_ $region[$_]\n" for 0 .. $#region;
print "Group 0 4 4 0 @at{@masters}\nGroup 1 5 4 0 @{[0 .. $#masters]}\nComm 0 1 world\n";
for my $name (@name) {
	print "at $at{$name}\n";
	print map { "$_\n" } @$_[3 .. $#$_] for sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] || $a->[2] <=> $b->[2] } @{ $span{$name} // [] };
}
