#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# otf2_counts.pl ARCHIVE DIR: compares the tables in DIR with the records of the archive as otf2-print has them: enters by region, tasks,
# segments, messages, bytes, collective operations, transfers, values of metrics, operations on files. Prints what differs, then what
# there is: "enters N tasks N messages N bytes N metrics N I/O N".
use strict;
use warnings;
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

my ($archive, $dir) = @ARGV;
my (%role, %last, %stream, %want, %got, %sum);

sub table { my $file = "$dir/$_[0].csv"; return -e $file ? rows($file) : () }
sub printed {
	open my $in, '-|', "otf2-print @_ 2>otf2-print.err" or die;
	return <$in>;
}

# Waits have as many states as tasks run in them, and names of their own.
my $waits = qr/^(BARRIER|IMPLICIT_BARRIER|TASK_WAIT)$/;
for (printed('-G', $archive)) {
	$role{$1} = $2 if /^REGION +(\d+) .* Role: (\w+),/;
	# EZTrace has names only.
	$role{$1} = $2 ? 'TASK' : 'BARRIER' if /^REGION +(\d+) +Name: "OpenMP (?:(task)|(?:implicit )?barrier)" /;
	$last{$1} = 1 if /^METRIC_MEMBER +(\d+) .* Mode: \w+_LAST,/;
	$stream{$1} = 1 if /^LOCATION +(\d+) .* Type: ACCELERATOR_STREAM,/;
}
my @events = printed($archive);
my $tasks = grep { /^\w*TASK_SWITCH/ } @events;
my (%current, %depth, %job, %first);
for (@events) {
	my ($record, $location) = /^([A-Z_]+) +(\d+) +\d+ / or next;
	if ($record eq 'CALLING_CONTEXT_ENTER') {
		$want{"states $1"}++ if /Context: "(.*)" </;
	} elsif ($record eq 'ENTER') {
		my ($name, $region) = /Region: "(.*?)(?:\(\))?" <(\d+)>$/;
		my $kernel = $stream{$location} && !$depth{$location}++ && $role{$region} ne 'ARTIFICIAL';
		$sum{enters}++;
		if ($name =~ /^MPI_/) { $want{"calls of $name"}++ }
		elsif ($kernel) { $want{"kernels $name"}++ }
		elsif ($role{$region} !~ $waits && !($role{$region} eq 'TASK' && $tasks)) { $want{"states $name"}++ }
	} elsif ($record eq 'LEAVE') {
		$depth{$location}-- if $stream{$location};
	} elsif ($record =~ /^(THREAD|OMP)_TASK_(CREATE|SWITCH|COMPLETE)$/) {
		my $what = $2;
		# Without a team the thread is that of the record.
		my ($job) = /Thread Team: UNDEFINED.*Number: (\d+)/ ? $1 : /Thread Team: (.*)/ ? $1 : /Task: (\d+)/;
		$job = 0 if $job =~ /(^|Generation Number: )0$/;
		my $runs = $what eq 'SWITCH' ? $job : $what eq 'COMPLETE' ? 0 : $current{$location} // 0;
		$want{tasks} += !$job{$job}++ if $job;
		$want{segments}++ if $runs ne ($current{$location} // 0) && $runs;
		$current{$location} = $runs;
	} elsif ($record =~ /^MPI_I?SEND$/) {
		$want{messages}++;
		$want{bytes} += /Length: (\d+)/ ? $1 : die;
	} elsif ($record =~ /COLLECTIVE_(END|REQUEST)$/) {
		$want{'collective operations'}++;
	} elsif ($record =~ /^RMA_(PUT|GET|ATOMIC)$/) {
		$want{transfers}++;
	} elsif ($record eq 'METRIC') {
		# Of one that holds since the value before, the first tells nothing.
		my ($class) = /Metric: (\d+)/;
		$want{metrics} += grep { !$last{$_} || $first{"$location $class $_"}++ } /" <(\d+)>; /g;
	} elsif ($record eq 'IO_OPERATION_COMPLETE') {
		$want{'I/O'}++;
	}
}

my %of;
for (table('tasks')) {
	if (($_->{JobId} // '') ne '') {
		$got{tasks} += !$of{$_->{JobId}}++;
		$got{segments}++ if $_->{Start} ne '';
	} elsif ($_->{Kind} ne 'worker' && $_->{Value} !~ /^Memcpy /) {
		$got{"kernels $_->{Value}"}++;
	}
}
for (table('states')) {
	$got{"states $_->{Value}"}++ if $_->{Type} ne 'recorder' && $_->{Value} !~ /^(Barrier|Implicit barrier|Taskwait|Idle|Wait for critical)$/;
}
for (table('calls')) {
	$got{"calls of $_->{Call}"}++;
	$got{'collective operations'}++ if ($_->{Sequence} // '') ne '';
	$got{'I/O'}++ if $_->{Call} =~ /^MPI_File_/ && ($_->{Bytes} // '') ne '';
}
for (table('links')) {
	$got{$_->{Type} =~ /^RMA/ ? 'transfers' : 'messages'}++;
	$got{bytes} += $_->{Size} if $_->{Type} !~ /^RMA/;
}
$got{metrics} = table('variables') || undef;
$got{'I/O'} += grep { $_->{Type} =~ m{^I/O} } table('events');
for (sort keys %{{%want, %got}}) {
	my ($got, $want) = ($got{$_} // 0, $want{$_} // 0);
	print "$_: $got, not $want\n" if $got != $want;
}
print join(' ', map { ($_, $want{$_} // $sum{$_} // 0) } 'enters', 'tasks', 'messages', 'bytes', 'metrics', 'I/O'), "\n";
