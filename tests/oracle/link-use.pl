#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# link-use.pl LINKS ROUTES FOLDER: the variables "Link use (%)" and "Bandwidth (GB/s)" of a run simulated on a platform, from its transfers
# (links.csv): between any two times at which transfers begin or end, max-min fair rates by filling, and their integrals over each slice.
# LINKS and ROUTES: `traceviz platform --links` and `--routes '*,*'`. Prints the number of values, the greatest difference (in % of the
# bandwidth) and the greatest use in %.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use tables;

my ($links, $routes, $folder) = @ARGV;
my %link = map { $_->{Link} => $_ } rows($links);
my %route;
for my $r (rows($routes)) {
	# A trailing - is the way against the link's direction, which counts for itself if it is splitduplex.
	my @hops = map { my $back = s/-$// && $link{$_}{Policy} eq 'splitduplex'; $back ? "$_ back" : $_ } split / /, $r->{Links};
	$route{"$r->{From} $r->{To}"} = \@hops;
}
my (%bandwidth, %fatpipe);
for my $name (keys %link) {
	for my $hop ($name, "$name back") {
		$bandwidth{$hop} = $link{$name}{'Bandwidth'} * 1e6; # bytes per ms
		$fatpipe{$hop} = $link{$name}{Policy} eq 'fatpipe';
	}
}

# The rates of transfers of each pair of hosts, n of them.
sub fill {
	my ($n) = @_;
	my (%rate, %left, %weight);
	for my $pair (keys %$n) {
		$weight{$_} += $n->{$pair} for @{$route{$pair}};
	}
	%left = map { $_ => $bandwidth{$_} } keys %weight;
	while (keys %rate < keys %$n) {
		my ($level, $at);
		for my $hop (sort keys %weight) {
			next if $weight{$hop} < 0.5;
			my $reached = $fatpipe{$hop} ? $bandwidth{$hop} : $left{$hop} / $weight{$hop};
			($level, $at) = ($reached, $hop) if !defined $level || $reached < $level;
		}
		for my $pair (grep { !exists $rate{$_} } keys %$n) {
			next if !grep { $_ eq $at } @{$route{$pair}};
			$rate{$pair} = $level;
			for (@{$route{$pair}}) {
				$left{$_} -= $n->{$pair} * $level;
				$weight{$_} -= $n->{$pair};
			}
		}
	}
	return \%rate;
}

my @transfers = sort { $a->{Start} <=> $b->{Start} } rows("$folder/links.csv");
my %times = map { ($_->{Start} => 1, $_->{End} => 1) } @transfers;
my @times = sort { $a <=> $b } keys %times;
my (@pieces, @active);
for my $i (0 .. $#times - 1) {
	@active = grep { $_->{End} > $times[$i] } @active;
	push @active, shift @transfers while @transfers && $transfers[0]{Start} <= $times[$i];
	my %n;
	$n{"$_->{Origin} $_->{Dest}"}++ for @active;
	my $rate = fill(\%n);
	my %load;
	for my $pair (keys %n) {
		$load{$_} += $n{$pair} * $rate->{$pair} for @{$route{$pair}};
	}
	push @pieces, [$times[$i], $times[$i + 1], \%load];
}
my ($count, $most, $use) = (0, 0, 0);
for my $variable (rows("$folder/variables.csv")) {
	next if $variable->{Type} !~ /^(Link use|Bandwidth)/;
	my $hop = $variable->{ResourceId} . ($variable->{Type} =~ / back / ? ' back' : '');
	my $length = $variable->{End} - $variable->{Start};
	my $bytes = 0;
	for (@pieces) {
		my ($start, $end, $load) = @$_;
		next if $end <= $variable->{Start} || $start >= $variable->{End} || !$load->{$hop};
		$start = $variable->{Start} if $variable->{Start} > $start;
		$end = $variable->{End} if $variable->{End} < $end;
		$bytes += $load->{$hop} * ($end - $start);
	}
	my $share = 100 * $bytes / $length / $bandwidth{$hop};
	my $got = $variable->{Type} =~ /^Link use/ ? $variable->{Value} : 100 * $variable->{Value} * 1e6 / $bandwidth{$hop};
	$count++;
	$most = abs($got - $share) if abs($got - $share) > $most;
	$use = $got if $got > $use && !$fatpipe{$hop};
}
printf "%d %.4f %.4f\n", $count, $most, $use;
