#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# make.pl FOLDER-OF-CSV OUT: a Pajé trace, tasks.rec, data.rec and comms.rec of the run in FOLDER-OF-CSV, laid out as
# StarPU's converter does it: messages have times that passed through a 32-bit float. The CSV is made by
# `traceviz convert --zero none ../fxt/1.4.0 -o FOLDER-OF-CSV`.
use strict;
use warnings;

my ($from, $to) = @ARGV;

sub table {
	open my $in, '<', "$from/$_[0].csv" or die "$from/$_[0].csv: $!\n";
	my ($head, @row) = map { chomp; [split /,/, $_, -1] } grep { !/"[^"]*,/ } <$in>;
	return map { my %r; @r{@$head} = @$_; \%r } @row;
}

sub single { return unpack 'f', pack 'f', $_[0] }

my @tasks = grep { $_->{Kind} !~ /^(message|worker)$/ } table('tasks');
my @links = grep { $_->{Type} eq 'MPI communication' } table('links');
my @workers = grep { $_->{ResourceId} =~ /^\d+_CPU\d+$/ } table('resources');
my @event;

open my $paje, '>', "$to/paje.trace" or die;
my @define = (
	[1, 'PajeDefineContainerType', 'Alias string', 'Type string', 'Name string'],
	[3, 'PajeDefineStateType', 'Alias string', 'Type string', 'Name string'],
	[5, 'PajeDefineLinkType', map { "$_ string" } qw(Alias Type StartContainerType EndContainerType Name)],
	[7, 'PajeCreateContainer', 'Time date', map { "$_ string" } qw(Alias Type Container Name)],
	[10, 'PajeSetState', 'Time date', map { "$_ string" } qw(Container Type Value)],
	[20, 'PajeSetState', 'Time date', map { "$_ string" } qw(Container Type Value JobId)],
	[19, 'PajeEndLink', 'Time date', map { "$_ string" } qw(Type Container Value DestContainer Key)],
	[23, 'PajeStartLink', 'Time date', map { "$_ string" } qw(Type Container Value SourceContainer Key MPITAG MPIType Priority Handle)],
);
for (@define) {
	my ($number, $name, @field) = @$_;
	print $paje "%EventDef $name $number\n", (map { "% $_\n" } @field), "%EndEventDef\n";
}
print $paje <<'DEFINITIONS';
1 MPIP 0 "MPI Program"
1 P MPIP Program
1 Mn P "Memory Node"
1 W Mn Worker
1 MPICt P "MPI Communication Thread"
1 Sc P "Scheduler State"
3 S W "Worker State"
5 MPIL MPIP MPICt MPICt "MPI communication"
7 0.0 MPIroot MPIP 0 root
DEFINITIONS
for my $rank (sort { $a <=> $b } keys %{ { map { $_->{Node} => 1 } @workers } }) {
	print $paje "7 0.0 ${rank}_p P MPIroot ${rank}_program\n", "7 0.0 ${rank}_mn0 Mn ${rank}_p ${rank}_MEMNODE0\n",
		"7 0.0 ${rank}_mpict MPICt ${rank}_p ${rank}_mpict\n";
}
my (%worker, %number);
for (@workers) {
	my ($rank, $id) = ($_->{Node}, $_->{ResourceId});
	$worker{$id} = $number{$rank}++;
	print $paje "7 0.0 $id W ${rank}_mn0 $id\n";
}
for (grep { $_->{ResourceId} ne '' } @tasks) {
	push @event, [$_->{Start}, "20 $_->{Start} $_->{ResourceId} S $_->{Value} $_->{JobId}"],
		[$_->{End}, "10 $_->{End} $_->{ResourceId} S Idle"];
}
open my $comms, '>', "$to/comms.rec" or die;
for (@links) {
	my ($src) = $_->{Origin} =~ /^(\d+)_/;
	my ($dst) = $_->{Dest} =~ /^(\d+)_/;
	# The CSV does not have the receive time of a message that was received before it was sent.
	$_->{End} -= 0.01 if ($_->{Flag} // '') eq 'early';
	my ($start, $end) = map { sprintf '%.9f', single($_) } @$_{qw(Start End)};
	push @event, [$start, "23 $start MPIL MPIroot $_->{Size} ${src}_mpict $_->{Key} $_->{Tag} $_->{Value} $_->{Priority} $_->{Handle}"],
		[$end, "19 $end MPIL MPIroot $_->{Size} ${dst}_mpict $_->{Key}"];
	print $comms "Src: $src\nDst: $dst\nTag: $_->{Tag}\nSendTime: $start\nRecvTime: $end\nSendHandle: $_->{Handle}\n",
		($_->{OriginJob} ne '' ? "SendJobId: $_->{OriginJob}\n" : ''), ($_->{DestJob} ne '' ? "RecvJobId: $_->{DestJob}\n" : ''),
		"Size: $_->{Size}\nPriority: $_->{Priority}\nType: $_->{Value}\n\n";
}
print $paje "$_->[1]\n" for sort { $a->[0] <=> $b->[0] } @event;
open my $rec, '>', "$to/tasks.rec" or die;
for (@tasks) {
	my $depends = join ' ', grep { !/^mpicom/ } split / /, $_->{DependsOn};
	$_->{Value} = '' if $_->{Value} eq '""';
	print $rec map { "$_->[0]: $_->[1]\n" } grep { $_->[1] ne '' } ['Name', $_->{Value}], ['JobId', $_->{JobId}], ['DependsOn', $depends],
		['SubmitTime', $_->{SubmitTime}], ['SubmitOrder', $_->{SubmitOrder}], ['Priority', $_->{Priority}],
		['WorkerId', $_->{ResourceId} ne '' ? $worker{ $_->{ResourceId} } : ''], ['StartTime', $_->{Start}], ['EndTime', $_->{End}],
		['Handles', $_->{Handles}], ['Modes', $_->{Modes}], ['Sizes', $_->{Sizes}], ['MPIRank', $_->{Node}];
	print $rec "\n";
}
open my $data, '>', "$to/data.rec" or die;
for my $handle (table('handles')) {
	$handle->{MPIRank} = $handle->{Node};
	print $data map { "$_: $handle->{$_}\n" } grep { ($handle->{$_} // '') ne '' } qw(Handle HomeNode MPIRank Size Description Coordinates MPIOwner MPITag);
	print $data "\n";
}
