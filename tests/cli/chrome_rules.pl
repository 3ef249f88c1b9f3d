#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome_rules.pl FILE.json TASKS DEPENDENCIES MESSAGES ARROWS (those between messages' slices): whether viewers show the events that traceviz wrote as it means them, by the rules
# of Perfetto's importer (src/trace_processor, importers/json and common, 2026): events go in the order of their times; of one time first
# slices, long before short, then the others as in the file; what is before 0 is dropped; slices of a lane nest or do not overlap, at
# most 512 deep, what has no duration in what has none at the same time; a flow joins the slices that began last on its lanes, from
# that which began first. Numbers are doubles, made of two integers of 64 bits. Times are microseconds with three decimals. One event a line. Prints what is wrong.
use strict;
use warnings;
use JSON::PP;

my ($file, @want) = @ARGV;
open my $in, '<', $file or die "$file: $!";
my $json = JSON::PP->new->allow_bignum(0);
my (@events, %count, %wrong, %open, %from);

sub ns { my ($line, $key) = @_; $line =~ /"$key":(\d{1,15})\.(\d{3})[,}]/ or return $wrong{"$key is no number from 0 to 31 years with three decimals"}++ && 0; my $ns = $1 * 1000 + $2; $wrong{"$key is another number as a double"}++ if int(($1 + $2 / 1000) * 1000 + 0.5) != $ns; return $ns }

while (my $line = <$in>) {
	next if $line !~ /^\{"ph":/;
	$line =~ s/,?\n$//;
	my $event = $json->decode($line); # each line is JSON by itself
	my $phase = $event->{ph};
	if ($phase eq 'M') {
		$wrong{'an empty name'}++ if $event->{name} =~ /^(?:process|thread)_name$/ && $event->{args}{name} eq '';
		$wrong{'a place that is no number of 32 bits'}++ if $event->{name} eq 'thread_sort_index' && $event->{args}{sort_index} >= 2**31;
		next;
	}
	$event->{ts} = ns($line, 'ts');
	$event->{dur} = $phase eq 'X' ? ns($line, 'dur') : 0;
	$event->{lane} = "$event->{pid}/$event->{tid}";
	$wrong{'a counter without a number'}++ if $phase eq 'C' && join(' ', values %{$event->{args}}) !~ /^-?[\d.]+(?:e[-+]?\d+)?$/;
	$wrong{'a counter with more than 19 decimals'}++ if $phase eq 'C' && join(' ', values %{$event->{args}}) =~ /\.\d{20}/;
	push @events, $event;
}

# The slice of a flow, which is to be around its time.
sub touched {
	my $event = shift;
	my $slice = ($open{$event->{lane}} // [])->[-1] // return $wrong{"a flow outside of slices ($event->{ph})"}++ && {};
	$wrong{"a flow that joins a slice which has ended ($event->{ph})"}++ if $slice->{ts} + $slice->{dur} < $event->{ts};
	return $slice;
}

for my $event (@events[sort { $events[$a]{ts} <=> $events[$b]{ts} || $events[$b]{dur} <=> $events[$a]{dur} || $a <=> $b } 0 .. $#events]) {
	my ($ts, $end) = ($event->{ts}, $event->{ts} + $event->{dur});
	if ($event->{ph} =~ /[Xi]/) {
		my $stack = $open{$event->{lane}} //= [];
		while (@$stack) {
			my $last = $stack->[-1]{ts} + $stack->[-1]{dur};
			last if $last > $ts || ($last == $ts && $stack->[-1]{dur} == 0 && $event->{dur} == 0);
			pop @$stack;
		}
		$wrong{'slices overlap'}++ if @$stack && $ts < $stack->[-1]{ts} + $stack->[-1]{dur} && $end > $stack->[-1]{ts} + $stack->[-1]{dur};
		push @$stack, $event;
		$wrong{'a slice that is too deep'}++ if @$stack > 512;
		$count{"$event->{ph} $event->{cat}"}++;
	} elsif ($event->{ph} eq 's') {
		$wrong{'two flows of one id'}++ if $from{$event->{id}};
		$from{$event->{id}} = touched($event);
	} elsif ($event->{ph} eq 'f') {
		my ($from, $to) = (delete $from{$event->{id}}, touched($event));
		$count{"f $event->{cat}"}++;
		$wrong{'a flow that ends before it begins'}++ if !$from;
		$wrong{'a flow that Perfetto turns round'}++ if $from && ($from->{ts} // 0) > ($to->{ts} // 0);
		$wrong{'an end that is for the next slice'}++ if ($event->{bp} // '') ne 'e';
		next if $event->{cat} ne 'dependency' || !$from;
		my %on = map { $_ => 1 } split / /, $to->{args}{DependsOn} // '';
		$wrong{'a flow that joins other tasks'}++ if !$on{$from->{args}{JobId} // 'none'};
	}
}
$wrong{'a flow without end'} = keys %from if %from;
print "$_: $wrong{$_}\n" for sort keys %wrong;
for my $what ('X tasks', 'f dependency', 'X message', 'f message') {
	my ($n, $want) = ($count{$what} // 0, shift @want);
	print "$what: $n, want $want\n" if $n != $want;
}
