#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# nesting.pl PROGRAMS [SEED]: random nested regions (states, calls, tasks), and what summary --by path, place, thread and call-tree give
# for them, by brute force: each region against each other one, exclusive time ns by ns. Of every three programs one has instants that
# all differ, so that the tree that was written is known; one has equal instants and regions of zero length; one has any
# intervals, which may overlap. Prints what differs, then the number of numbers that agree.
use strict;
use warnings;
my ($programs, $seed) = (@ARGV, 20261128);
srand($seed);
my ($agree, $bad) = (0, 0);
my %table_of = (tasks => 0, states => 1, calls => 2); # of equal regions this is the order of those without Depth

sub ms { sprintf "%d.%06d", $_[0] / 1000000, $_[0] % 1000000 }

my ($mode, @all, $now, $thread);

sub step { $mode == 0 ? 1 + int rand 3 : int rand 3 }

# A region that begins now, with those inside, down to `deep` levels.
sub nest {
	my ($deep, $depth, $parent) = @_;
	my $table = ('states', 'states', 'calls', 'tasks')[int rand 4];
	$table = 'states' if $mode == 1 && $deep > 0;
	my $r = { thread => $thread, table => $table, name => substr('fgh', int rand 3, 1) . ($table eq 'calls' ? 'c' : ''), level => $depth,
		depth => $table eq 'states' ? $depth : 9**9, site => $table ne 'tasks' && rand() < 0.7 ? 's' . int rand 2 : '', true => $parent };
	push @all, $r;
	$r->{s} = $now;
	if ($deep > 0) {
		for (1 .. int rand 4) {
			$now += step();
			nest(int rand $deep, $depth + 1, $r);
		}
	}
	$now += step();
	$r->{e} = $now;
}

sub generate {
	@all = ();
	for my $t (qw(T0 T1)) {
		$thread = $t;
		$now = 0;
		if ($mode < 2) {
			for (1 .. int rand 4) { nest(4, 0, undef); $now += step() }
		} else {
			for (1 .. int rand 12) {
				my $s = int rand 20;
				push @all, { thread => $thread, table => 'states', name => substr('fgh', int rand 3, 1), depth => 9**9, site => '', s => $s, e => $s + 1 + int rand 20 };
			}
		}
	}
	my %n = (states => 0, calls => 0, tasks => 0);
	$_->{row} = $n{$_->{table}}++ for @all;
	return \%n;
}

sub before { # whether p goes before r where both have the same times
	my ($p, $r) = @_;
	return (($p->{depth} <=> $r->{depth}) || ($table_of{$p->{table}} <=> $table_of{$r->{table}}) || ($p->{name} cmp $r->{name}) || ($p->{site} cmp $r->{site})
		|| ($p->{row} <=> $r->{row})) < 0;
}

# By the definition: the region that contains it and begins last, ends first.
sub parent_of {
	my ($r) = @_;
	my $best;
	for my $p (@all) {
		next if $p == $r || $p->{thread} ne $r->{thread} || $p->{s} > $r->{s} || $p->{e} < $r->{e};
		if ($r->{s} == $r->{e}) {
			next if $p->{s} == $p->{e} ? $p->{depth} >= $r->{depth} : $r->{depth} < 9**9 && $p->{level} >= $r->{depth};
		} else {
			next if $p->{s} == $r->{s} && $p->{e} == $r->{e} && !before($p, $r);
		}
		$best = $p if !$best || $p->{s} > $best->{s} || ($p->{s} == $best->{s} && ($p->{e} < $best->{e} || ($p->{e} == $best->{e} && before($best, $p))));
	}
	return $best;
}

sub exclusive_of {
	my ($r) = @_;
	my $time = 0;
	for my $t ($r->{s} .. $r->{e} - 1) {
		$time++ unless grep { defined $_->{parent} && $_->{parent} == $r && $_->{s} <= $t && $t < $_->{e} } @all;
	}
	return $time;
}

sub write_tables {
	my ($n) = @_;
	mkdir 'nest';
	unlink glob 'nest/*';
	my %head = (states => 'ResourceId,Type,Value,Start,End,Depth,Site', calls => 'ResourceId,Call,Class,Start,End,Site', tasks => 'ResourceId,Value,Start,End,JobId');
	for my $table (sort keys %head) {
		open my $out, '>', "nest/$table.csv" or die;
		print $out "$head{$table}\n";
		for my $r (grep { $_->{table} eq $table } @all) {
			my $depth = $r->{depth} == 9**9 ? '' : $r->{depth};
			my @times = (ms($r->{s}), ms($r->{e}));
			print $out join(',', $table eq 'states' ? ($r->{thread}, 'region', $r->{name}, @times, $depth, $r->{site})
				: $table eq 'calls' ? ($r->{thread}, $r->{name}, 'other', @times, $r->{site}) : ($r->{thread}, $r->{name}, @times, $r->{row})), "\n";
		}
		close $out;
	}
}

# Sums of regions by a function, of which each name is that of a row; how many, inclusive, exclusive.
sub sums {
	my ($key, @of) = @_;
	my %sum;
	my %in = map { ("$_" => 1) } @of;
	for my $r (@of) {
		my $k = $key->($r);
		my $outer = $r->{parent};
		$outer = $outer->{parent} while defined $outer && !($in{"$outer"} && $key->($outer) eq $k);
		my $sum = $sum{$k} //= [0, 0, 0];
		$sum->[0]++;
		$sum->[1] += $r->{e} - $r->{s} unless defined $outer;
		$sum->[2] += $r->{exclusive};
	}
	return \%sum;
}

sub compare {
	my ($what, $expected, $got) = @_;
	for my $k (sort keys %{{%$expected, %$got}}) {
		my $e = join ' ', map { $_ // '-' } @{$expected->{$k} // []};
		my $g = join ' ', map { $_ // '-' } @{$got->{$k} // []};
		if ($e eq $g) { $agree += 3; next }
		print "$what, $k: expected $e, found $g\n";
		$bad++;
	}
}

# Rows that traceviz gives, the columns of the key with commas between => Count, Inclusive, Exclusive in ns.
sub ask {
	my ($arguments, $keys) = @_;
	my %got;
	open my $in, '-|', "traceviz $arguments -q nest" or die;
	<$in>;
	while (<$in>) {
		chomp;
		my @cell = split /,/, $_, -1;
		my @ns = map { my $ns = $_; $ns =~ s/\.//; $ns + 0 } @cell[$keys + 1, $keys + 2];
		$got{join ',', @cell[0 .. $keys - 1]} = [$cell[$keys], @ns];
	}
	close $in or do { print "traceviz $arguments: status $?\n"; $bad++ };
	return \%got;
}

for my $program (1 .. $programs) {
	$mode = $program % 3;
	my $n = generate();
	next unless @all;
	write_tables($n);
	$_->{parent} = $mode == 0 ? $_->{true} : parent_of($_) for @all;
	for my $r (@all) {
		my @path;
		for (my $p = $r; defined $p; $p = $p->{parent}) { unshift @path, $p->{name} }
		$r->{path} = join '/', @path;
		$r->{exclusive} = exclusive_of($r);
	}
	my %key = (path => sub { $_[0]{path} }, place => sub { "$_[0]{name},$_[0]{site}" }, thread => sub { $_[0]{thread} },
		'path,thread' => sub { "$_[0]{path},$_[0]{thread}" });
	for my $table (grep { $n->{$_} } sort keys %$n) {
		for my $by ((sort keys %key)[rand keys %key]) {
			my $columns = $by eq 'place' || $by =~ /,/ ? 2 : 1;
			compare("seed $seed program $program: --of $table --by $by", sums($key{$by}, grep { $_->{table} eq $table } @all), ask("summary --of $table --by $by", $columns));
		}
	}
	my $tree = ask("call-tree", 3);
	my %tree;
	$tree{s/,.*//r} = $tree->{$_} for keys %$tree;
	compare("seed $seed program $program: call-tree", sums($key{path}, @all), \%tree);
	last if $bad > 5;
}
print "$agree numbers agree\n" unless $bad;
