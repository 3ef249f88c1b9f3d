#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# rec_compare.pl -- does a table of ours hold every field of every record that recsel printed?
#
#   rec_compare.pl FOLDER/tasks.csv [FIELD...] < OUTPUT OF recsel
#
# Records are found by JobId, or in order if they have a Handle. Times are compared in ns, numbers
# as numbers, all else as text; a tag has 16 digits. The FIELDs named are not compared. Prints the
# number of records and of values compared, or what differs, and then exits 1.
use strict;
use warnings;

my ($file, @but) = @ARGV;
my %but = map { $_ => 1 } @but;
my %named = (Name => 'Value', StartTime => 'Start', EndTime => 'End', Parameters => 'Params',
	MPIRank => 'Node');
open my $in, '<', $file or die "$file: $!";
my $text = do { local $/; <$in> };
my (@rows, @row);
while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n)/gc) {
	my ($quoted, $plain, $sep) = ($1, $2, $3);
	push @row, defined $quoted ? $quoted : $plain eq '' ? undef : $plain;
	if ($sep eq "\n") { push @rows, [@row]; @row = (); }
}
my $head = shift @rows;
my @table = map { my $r = $_; my %h; @h{@$head} = @$r; \%h } @rows;
# Workers that ran nothing have rows of their own.
@table = grep { ($_->{Kind} // '') ne 'worker' } @table;
my %by_job = map { $_->{JobId} => $_ } grep { defined $_->{JobId} } @table;
my ($records, $values, @bad, %seen) = (0, 0);

local $/ = '';
while (my $record = <STDIN>) {
	my %f = map { /^(\w+): ?(.*)$/ ? ($1 => $2) : () } split /\n/, $record;
	next if defined $f{Control};
	my $handle = defined $f{Handle};
	my $row = $handle ? $table[$records] : $by_job{$f{JobId}};
	$records++;
	if (!$row) { push @bad, "no row for $record"; next; }
	$seen{$f{JobId}} = 1 unless $handle;
	for my $name (sort keys %f) {
		next if $but{$name} || ($name eq 'MPIRank' && $f{$name} < 0);
		my $want = $f{$name};
		my $got = $row->{!$handle || $name eq 'MPIRank' ? $named{$name} // $name : $name};
		if ($name eq 'WorkerId') { $got = ($row->{ResourceId} // '') =~ /worker(\d+)$/
			? $1 : undef; }
		$want = sprintf '%016s', $want if $name eq 'Tag';
		$values++;
		next if defined $got && ($got eq $want || ($got =~ /^-?[\d.]+$/
			&& $want =~ /^-?[\d.]+$/ && $name ne 'Tag'
			&& $got == $want));
		push @bad, "$name of " . ($f{JobId} // $f{Handle}) . ": recsel '$want',
			ours " . ($got // 'none');
	}
}
my $ours = grep { !defined $_->{JobId} || !$seen{$_->{JobId}} } @table;
push @bad, "$ours rows that recsel does not have" if $ours && %seen;
print map { "$_\n" } @bad[0 .. ($#bad > 20 ? 20 : $#bad)];
print "$records records, $values values\n" unless @bad;
exit(@bad ? 1 : 0);
