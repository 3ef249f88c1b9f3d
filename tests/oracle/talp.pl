#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# talp.pl FOLDER: metrics of POP and TALP from the calls and states of threads in a folder of tables, as "NAME VALUE" lines.
# Formulas: pure MPI and hybrid-v2 of src/talp/perf_metrics.c (DLB, August 2026). Written without a look at the product's code.
use strict;
use warnings;
use FindBin '$Bin';
use lib $Bin;
use tables;

sub table { return -e $_[0] ? rows($_[0]) : () }

# The union of spans within [from, to): a list of disjoint ones.
sub union {
	my ($from, $to, @span) = @_;
	my @all;
	for my $s (sort { $a->[0] <=> $b->[0] } @span) {
		my ($b, $e) = ($s->[0] > $from ? $s->[0] : $from, $s->[1] < $to ? $s->[1] : $to);
		next if $e <= $b;
		if (@all && $b <= $all[-1][1]) { $all[-1][1] = $e if $e > $all[-1][1] }
		else { push @all, [$b, $e] }
	}
	return @all;
}
sub length_of { my $sum = 0; $sum += $_->[1] - $_->[0] for @_; return $sum }
sub both {
	my ($x, $y) = @_;
	return length_of(@$x) + length_of(@$y) - length_of(union(-9e99, 9e99, @$x, @$y));
}

my (%from, %to, %call, %wait, %thread);
for (table("$ARGV[0]/calls.csv")) {
	my ($rank) = $_->{ResourceId} =~ /^(\d+)_/;
	if ($_->{Call} =~ /^MPI_Init/) { $from{$rank} = $_->{End} }
	elsif ($_->{Call} eq 'MPI_Finalize') { $to{$rank} = $_->{Start} }
	else { push @{ $call{ $_->{ResourceId} } }, [@$_{qw(Start End)}] }
	$thread{ $_->{ResourceId} } = $rank;
}
my %seen;
for (table("$ARGV[0]/states.csv")) {
	next if $_->{Type} ne 'OpenMP State';
	my $id = $_->{ResourceId};
	($thread{$id}) = $id =~ /^(\d+)_/;
	my $seen = $seen{$id} //= [@$_{qw(Start End)}];
	$seen->[0] = $_->{Start} if $_->{Start} < $seen->[0];
	$seen->[1] = $_->{End} if $_->{End} > $seen->[1];
	push @{ $wait{$id} }, [@$_{qw(Start End)}] if $_->{Value} =~ /^Idle$|barrier$|^Task(wait|group)$|^Wait for/i;
}

my ($useful, $mpi, $omp, $during, $elapsed, $most, $own) = (0) x 7;
my (%useful, %lost, %n);
for my $id (keys %thread) {
	my $rank = $thread{$id};
	my ($b, $e) = ($from{$rank}, $to{$rank});
	my @call = union($b, $e, @{ $call{$id} || [] });
	# A worker that does not exist yet, or any more, has no work.
	my @wait = union($b, $e, @{ $wait{$id} || [] }, $call{$id} ? () : ([$b, $seen{$id}[0]], [$seen{$id}[1], $e]));
	my @others = union($b, $e, map { @{ $call{$_} || [] } } grep { $thread{$_} eq $rank } keys %thread);
	my $waits = length_of(@wait) - both(\@wait, \@call);
	my $idle = both(\@wait, \@others) - both(\@wait, \@call);
	my $u = $e - $b - length_of(@call) - $waits;
	$useful += $u; $mpi += length_of(@call); $omp += $waits; $during += $idle; $own += $e - $b;
	$most = $u if $u > $most;
	$lost{$rank} += length_of(@call) + $idle;
	$n{$rank}++;
	$elapsed = $e - $b if $e - $b > $elapsed;
}
my $cpus = keys %thread;
my ($min) = sort { $a <=> $b } map { $lost{$_} / $n{$_} } keys %lost;
my $outside = $elapsed - ($mpi + $during) / $cpus;
printf "%s %.6f\n", @$_ for
	['parallel', $useful / $own], ['load-balance', $useful / $cpus / $most], ['communication', $most / $elapsed],
	$omp > 0 ? (['mpi-parallel', $outside / $elapsed], ['mpi-load-balance', $outside / ($elapsed - $min)],
	['mpi-communication', ($elapsed - $min) / $elapsed], ['openmp-parallel', 1 - $omp / $own]) : ();
# Ranks do not leave MPI_Init, nor enter MPI_Finalize, at one instant.
my ($first) = sort { $a <=> $b } values %from;
my ($last) = sort { $b <=> $a } values %to;
printf "skew %.6f\n", 1 - $own / $cpus / ($last - $first);
