#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# names-left.pl PLAIN ANONYMOUS WORDS: tables of one trace, without and with --anonymize. Prints each name of
# PLAIN that occurs in any byte of ANONYMOUS, and each number that differs. Names have three characters and a
# letter or more; those of WORDS, a file, and of columns with a fixed vocabulary are none.
use strict;
use warnings;

my ($plain, $anonymous, $words) = @ARGV;

sub slurp { my ($path) = @_; local $/; open my $f, '<:raw', $path or die "$path: $!\n"; my $text = <$f>; return $text; }

sub rows {
	my ($text) = @_;
	my (@rows, @row);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n]|\z)/gc) {
		my ($cell, $end) = (defined $1 ? $1 : $2, $3);
		$cell =~ s/""/"/g;
		push @row, $cell;
		next if $end eq ',';
		push @rows, [@row] unless $end eq '' && @row == 1 && $cell eq '';
		@row = ();
		last if $end eq '';
	}
	return @rows;
}

my %word = map { $_ => 1 } qw(app setup runtime ghost message pending worker), split /\n/, slurp($words);
my %fixed = map { $_ => 1 } qw(Kind Flag Modes Class Nature Cpuset);
my (%name, $bytes, %known);
for my $path (glob("$plain/*.csv")) {
	$known{$_} = 1 for @{ (rows(slurp($path)))[0] };
}
for my $path (glob("$anonymous/*.csv")) {
	my ($header, @cells) = rows(slurp($path));
	$bytes .= join "\n", (grep { !$known{$_} } @$header), (grep { !$word{$_} && !/^P?MPI_\w+$/ } map { @$_ } @cells), '';
}
for my $path (glob("$plain/*.csv")) {
	my ($file) = $path =~ m{([^/]+)$};
	my @a = rows(slurp($path));
	my @b = -e "$anonymous/$file" ? rows(slurp("$anonymous/$file")) : ();
	my %place;
	$place{ $b[0][$_] } = $_ for 0 .. $#{ $b[0] // [] };
	for my $c (0 .. $#{ $a[0] }) {
		my $column = $a[0][$c];
		$name{$column} = "column of $file" unless defined $place{$column};
		for my $r (1 .. $#a) {
			my $cell = $a[$r][$c] // '';
			next if $fixed{$column} || $cell eq '';
			if ($cell =~ /^-?[0-9]{1,9}(?:\.[0-9]+)?$/ || (defined $place{$column} && $cell =~ /^-?[0-9]+\.[0-9]+$/)) {
				my $at = $place{$column};
				print "number $file $column row $r: $cell\n"
					if $file ne 'meta.csv' && defined $at && ($b[$r][$at] // '') ne $cell;
				next;
			}
			$name{$_} = "$file $column" for $cell, $file eq 'meta.csv' ? () : split /[ \t]+/, $cell;
		}
	}
	print "rows $file\n" if $file ne 'meta.csv' && @a != @b;
}
for my $n (sort keys %name) {
	next if length $n < 3 || $n !~ /[A-Za-z]/ || $word{$n} || $n =~ /^(?:Color\.)?P?MPI_\w+$/;
	next if $n =~ /^-?[0-9.]+(?:e[-+]?[0-9]+| ?[mn]s,?)$/ || $n =~ /^#[0-9a-f]{6}$/;
	print "name $name{$n}: $n\n" if index($bytes, $n) >= 0;
}
