#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# sqlite_truth.pl DIR: what the tables of a converted database of a GPU profiler contain, in ns, one line each.
use strict;
use warnings;

my ($dir) = @ARGV;

sub read_table {
	open my $in, '<', $_[0] or return [];
	my @names = split /,/, <$in> =~ s/\n//r;
	return [map { chomp; my @cell = /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g; +{ map { $names[$_] => $cell[$_] // '' } 0 .. $#names } } <$in>];
}
sub ns { my ($s) = @_; my $minus = $s =~ s/^-//; $s =~ /^(\d+)\.(\d{6})$/ or die "time '$s'"; my $v = $1 * 1000000 + $2; return $minus ? -$v : $v }
sub union {
	my ($sum, $end) = (0, undef);
	for my $r (sort { $a->[0] <=> $b->[0] } @_) {
		my $from = defined $end && $r->[0] < $end ? $end : $r->[0];
		$sum += $r->[1] - $from if $r->[1] > $from;
		$end = $r->[1] if !defined $end || $r->[1] > $end;
	}
	return $sum;
}

my (%stream, %device, %name, %call, $copies, $bytes, $copied, @launch);
for my $task (grep { $_->{Start} ne '' } @{read_table("$dir/tasks.csv")}) {
	my $span = [ns($task->{Start}), ns($task->{End})];
	if ($task->{Value} =~ /^Mem(?:cpy|set)|^MEMORY_COPY/) {
		$copies++; $bytes += $task->{Size} || 0; $copied += $span->[1] - $span->[0];
		next;
	}
	push @{$stream{$task->{ResourceId}}}, $span;
	push @{$device{$task->{Device}}}, $span;
	$name{$task->{Value}} += $span->[1] - $span->[0];
	push @launch, $span->[0] - ns($task->{SubmitTime}) if ($task->{SubmitTime} // '') ne '';
}
$call{"$_->{Type} $_->{Value}"} += ns($_->{End}) - ns($_->{Start}) for @{read_table("$dir/states.csv")};
@launch = sort { $a <=> $b } @launch;
print "kernels on $_: ", scalar(@{$stream{$_}}), ', busy ', union(@{$stream{$_}}), "\n" for sort keys %stream;
print "device $_: busy ", union(@{$device{$_}}), "\n" for sort keys %device;
print "$_: $name{$_}\n" for sort keys %name;
print 'launches: ', scalar(@launch), @launch ? ", $launch[0] to $launch[-1]" : '', "\n";
print "copies: $copies, $bytes bytes, $copied\n" if $copies;
print "$_: $call{$_}\n" for sort keys %call;
