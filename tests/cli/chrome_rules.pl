#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome_rules.pl FILE.json TASKS DEPENDENCIES: whether viewers show the events that traceviz wrote as it means them: slices of a lane
# nest or do not overlap; each flow has one begin and one end, which are in slices of tasks; numbers are microseconds with three
# decimals. One event a line. Prints what is wrong.
use strict;
use warnings;
use JSON::PP;

my ($file, $tasks, $dependencies) = @ARGV;
open my $in, '<', $file or die "$file: $!";
my $json = JSON::PP->new->allow_bignum(0);
my (%lane, %flow, $n, %wrong);

sub ns { my ($line, $key) = @_; $line =~ /"$key":(-?)(\d+)\.(\d{3})[,}]/ or return $wrong{"$key without three decimals"}++ && 0; my $v = $2 * 1000 + $3; return $1 ? -$v : $v }

while (my $line = <$in>) {
	next if $line !~ /^\{"ph":"(.)"/;
	my $phase = $1;
	$line =~ s/,?\n$//;
	my $event = $json->decode($line); # each line is JSON by itself
	if ($phase eq 'X') {
		my $ts = ns($line, 'ts');
		push @{$lane{"$event->{pid}/$event->{tid}"}}, [$ts, $ts + ns($line, 'dur')];
		$n++ if $event->{cat} eq 'tasks';
	} elsif ($phase eq 's' || $phase eq 'f') {
		push @{$flow{$event->{id}}}, [$phase, "$event->{pid}/$event->{tid}", ns($line, 'ts'), $event->{cat}, $event->{bp} // ''];
	}
}
for my $slices (values %lane) {
	my @open;
	@$slices = sort { $a->[0] <=> $b->[0] || $b->[1] <=> $a->[1] } @$slices;
	for my $slice (@$slices) {
		pop @open while @open && $open[-1] <= $slice->[0];
		$wrong{'slices overlap'}++ if @open && $open[-1] < $slice->[1];
		push @open, $slice->[1];
	}
}
my $edges = 0;
for my $points (values %flow) {
	$wrong{'a flow without one begin and one end'}++ if join('', sort map { $_->[0] } @$points) ne 'fs';
	for my $point (@$points) {
		my ($phase, $lane, $ts, $cat, $bp) = @$point;
		next if $cat ne 'dependency';
		$edges += $phase eq 's';
		$wrong{'an end that is for the next slice'}++ if $phase eq 'f' && $bp ne 'e';
		my ($low, $high, $slices) = (0, 0, $lane{$lane} // []);
		for ($high = @$slices; $low < $high;) { my $mid = int(($low + $high) / 2); if ($slices->[$mid][0] <= $ts) { $low = $mid + 1 } else { $high = $mid } }
		$low-- while $low > 0 && $slices->[$low - 1][1] < $ts; # what ended inside
		$wrong{"a flow ($phase) outside of slices"}++ if $low == 0;
	}
}
print "$_: $wrong{$_}\n" for sort keys %wrong;
print "tasks: $n, want $tasks\n" if $n != $tasks;
print "dependencies: $edges, want $dependencies\n" if $edges != $dependencies;
