#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# parquet_truth.pl ROWS.json FILE.csv: how many rows and columns of a converted file have the values of the rows, by JobId or
# else by place; times may be shifted, all by as much.
use strict;
use warnings;
use JSON::PP;

my ($rows, $csv) = @ARGV;
open my $json, '<:raw', $rows or die;
my $truth = JSON::PP->new->utf8->decode(do { local $/; <$json> });
open my $in, '<:encoding(UTF-8)', $csv or die;
my $text = do { local $/; <$in> };
# A cell without quotes that is empty is missing.
my @table = ([]);
while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n])/g) {
	my ($quoted, $plain, $end) = ($1, $2, $3);
	push @{$table[-1]}, defined $quoted ? $quoted =~ s/""/"/gr : $plain eq '' ? undef : $plain;
	push @table, [] if $end eq "\n";
}
pop @table;
my @names = @{shift @table};
my %job = map { $_->{JobId} => $_ } @$truth;
my ($shift, %same, $differ);
sub ns { my ($s) = @_; return 0 + ($s =~ s/\.(\d{6})$/$1/r =~ s/^(-?)0+(?=\d)/$1/r) }
for my $i (0 .. $#table) {
	my %row; @row{@names} = @{$table[$i]};
	next if !defined $row{Start}; # workers that ran nothing
	my $want = defined $row{JobId} ? $job{$row{JobId}} : $truth->[$i];
	for my $name (grep { exists $want->{$_} } @names) {
		my ($got, $value) = ($row{$name}, $want->{$name});
		if ($name eq 'Start' || $name eq 'End') {
			$shift //= ns($got) - $value;
			$got = ns($got) - $shift;
		}
		$value = join ' ', @$value if ref $value eq 'ARRAY';
		my $equal = !defined $got || !defined $value ? !defined $got && !defined $value
			: $name eq 'GFlop' ? $got == $value : "$got" eq "$value";
		$equal ? $same{$name}++ : $differ++ < 3 && print "row $i, $name: ", $got // 'missing', ', expected ', $value // 'missing', "\n";
	}
}
my %count = map { $_ => 1 } values %same;
print scalar(keys %same), ' columns of ', join('/', sort keys %count), ' rows, shift ', $shift // 0, ', different ', $differ // 0, "\n";
