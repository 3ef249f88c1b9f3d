#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# segments.pl FILE.csv -- numbers of a trace of suspended tasks, computed from its rows alone, one per line with its name:
# the oracle of segments.t. Columns without quotes; JobIds of workers that run one row at a time; all tasks of one type.
use strict;
use warnings;
my @name = split /,/, <> =~ s/\s+$//r;
my (@row, %of, %worker);
while (<>) {
	chomp;
	my @cell = split /,/, $_, -1;
	my %r = map { $name[$_] => $cell[$_] } 0 .. $#name;
	push @row, \%r;
	$of{$r{JobId}}[$r{Segment}] = \%r;
	$worker{$r{ResourceId}} = 1;
}
my ($begin, $end) = ($row[0]{Start}, 0);
my ($busy, $ready, $waiting, $early, %time) = (0, 0, 0, 0);
for my $r (@row) {
	my $released = $r->{SubmitTime};
	$begin = $r->{Start} if $r->{Start} < $begin;
	$end = $r->{End} if $r->{End} > $end;
	$busy += $r->{End} - $r->{Start};
	$time{$r->{JobId}} += $r->{End} - $r->{Start};
	if ($r->{Segment} > 0) {
		for my $before ($of{$r->{JobId}}[$r->{Segment} - 1], map { $of{$_}[-1] } split / /, $r->{DependsOn}) {
			$released = $before->{End} if $before->{End} > $released;
		}
	} elsif ($r->{ParentJob} ne '') {
		my ($creator) = grep { $_->{Start} <= $r->{SubmitTime} } reverse @{$of{$r->{ParentJob}}};
		$early++ if $creator->{End} > $r->{Start};
	}
	$ready += $r->{Start} - ($released > $begin ? $released : $begin);
}
$waiting += $_->[0]{Start} - $_->[0]{SubmitTime} for values %of;
my @sorted = sort { $a <=> $b } values %time;
sub quantile { my $at = $#sorted * shift; my $low = int $at; my $next = $low < $#sorted ? $low + 1 : $low;
	return $sorted[$low] + ($at - $low) * ($sorted[$next] - $sorted[$low]) }
my $limit = 2.5 * quantile(0.75) - 1.5 * quantile(0.25);
# The longest path, where each segment weighs what weight() says.
my (@sum, @n, %length);
for (@row) { $sum[$_->{Segment}] += $_->{End} - $_->{Start}; $n[$_->{Segment}]++ }
sub longest {
	my ($r, $weight) = @_;
	my $key = "$r->{JobId}/$r->{Segment}";
	return $length{$key} if exists $length{$key};
	my @before = $r->{Segment} > 0 ? ($of{$r->{JobId}}[$r->{Segment} - 1]) : ();
	for my $job (split / /, $r->{DependsOn}) {
		push @before, $job ne $r->{ParentJob} ? $of{$job}[-1]
			: (grep { $_->{Start} <= $r->{SubmitTime} } reverse @{$of{$job}})[0];
	}
	my $best = 0;
	for (@before) { my $l = longest($_, $weight); $best = $l if $l > $best }
	return $length{$key} = $best + $weight->($r);
}
sub path { my ($best, $weight) = (0, shift); %length = (); for (@row) { my $l = longest($_, $weight); $best = $l if $l > $best } return $best }
my $cpe = path(sub { my $r = shift; $sum[$r->{Segment}] / $n[$r->{Segment}] });
# The mean of the jobs, divided as each of them was.
my $shared = path(sub { my $r = shift; $busy / keys(%of) * ($r->{End} - $r->{Start}) / $time{$r->{JobId}} });
my $workers = keys %worker;
printf "jobs %d\nsegments %d\nbusy %.6f\nmakespan %.6f\nidle %.6f\nready %.6f\nwaiting %.6f\nearly %d\nthreshold %.6f\noutliers %s\n" .
	"max %.6f\nabe %.6f\ncpe %.4f\nshared %.4f\n", scalar keys %of, scalar @row, $busy, $end - $begin, $workers * ($end - $begin) - $busy, $ready,
	$waiting, $early, $limit, join(' ', sort { $a <=> $b } grep { $time{$_} > $limit + 1e-9 } keys %time), $sorted[-1],
	$busy / $workers, $cpe, $shared;
