#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# random-accesses.pl SEED N FOLDER: N random task graphs FOLDER/1.csv, 2.csv, ..., whose tasks read and write blocks of data, and
# FOLDER/1p.csv, ..., the same with the operands of each task in another order. Each task follows the last writer of what it accesses and,
# if it writes, the readers since; in every third graph only a random half of these, so that tasks use the same blocks at the same time.
use strict;
use warnings;
use List::Util qw(shuffle);

my ($seed, $n, $folder) = @ARGV;
srand $seed;
for my $graph (1 .. $n) {
	my $nblocks = 4 + int rand 9;
	my @size = map { rand() < 0.5 ? 1000000 : 250000 * (1 + int rand 6) } 1 .. $nblocks;
	my (%writer, %readers);
	open my $as, '>', "$folder/$graph.csv" or die;
	open my $permuted, '>', "$folder/${graph}p.csv" or die;
	print $_ "ResourceId,Value,Start,End,JobId,DependsOn,Handles,Modes,Sizes\n" for $as, $permuted;
	for my $job (1 .. 40) {
		my @block = (shuffle 0 .. $nblocks - 1)[0 .. int rand 4];
		my @mode = map { (qw(R R R W RW RW))[rand 6] } @block;
		my %before;
		for my $i (0 .. $#block) {
			my $b = $block[$i];
			$before{$writer{$b}} = 1 if defined $writer{$b};
			if ($mode[$i] =~ /W/) {
				$before{$_} = 1 for @{$readers{$b} // []};
				$writer{$b} = $job;
				$readers{$b} = [];
			} else {
				push @{$readers{$b}}, $job;
			}
		}
		my @before = sort { $a <=> $b } grep { $graph % 3 || rand() < 0.5 } sort keys %before;
		my $end = 10 * $job + 0.1 + int(rand 3000000) / 1e6; # starts in the order of JobId, which is that of rows
		my $task = sprintf "CPU0,t,%d,%.6f,%d,%s", 10 * $job, $end, $job, join ' ', @before;
		for my $out ([$as, 0 .. $#block], [$permuted, shuffle 0 .. $#block]) {
			my ($file, @order) = @$out;
			print $file join(',', $task, join(' ', map { "h$_" } @block[@order]), join(' ', @mode[@order]),
				join(' ', @size[@block[@order]])), "\n";
		}
	}
}
