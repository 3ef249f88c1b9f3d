#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# simgrid-case.pl FOLDER GFLOPS OVERLAP: a run simulated with --model comm as a case of tests/oracle/simgrid-tasks.cpp: which core runs which
# tasks in which order, and where their data are. Times of computation are GFlop / GFLOPS. Then, to standard error, the makespan in ns.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use tables;

my ($folder, $gflops, $overlap) = @ARGV;

my @tasks = grep { $_->{Kind} eq 'app' } rows("$folder/tasks.csv");
my %app = map { $_->{JobId} => 1 } @tasks;
my (%transfers, $first, $last);
for (rows("$folder/links.csv")) {
	my ($what, $host) = $_->{Type} eq 'Memory Read' ? ('read', $_->{Origin}) : ('write', $_->{Dest});
	$transfers{$_->{DestJob}} .= "$what $host $_->{Size}\n";
}
for (sort { $a->{Start} <=> $b->{Start} || $a->{End} <=> $b->{End} } @tasks) {
	my $time = sprintf '%.0f', $_->{GFlop} / $gflops * 1e9;
	printf "task %s %s %.0f %.0f\n", $_->{JobId}, $_->{ResourceId}, $time, $overlap * $time;
	print "after $_\n" for grep { $app{$_} } split / /, $_->{DependsOn};
	print $transfers{$_->{JobId}} // '';
	$first = $_->{Start} if !defined $first;
	$last = $_->{End} if !defined $last || $_->{End} > $last;
}
printf STDERR "%.0f\n", ($last - $first) * 1e6;
