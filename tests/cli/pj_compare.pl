#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# pj_compare.pl -- are the tables of a folder what pj_dump printed?
#
#   pj_compare.pl UNIT TASKTYPE FOLDER < OUTPUT OF pj_dump --user-defined -l 9
#
# UNIT (ms or s) is the trace's; TASKTYPE the state type whose states with a JobId are tasks. Both
# sides become lines "kind|container|type|times in ns|...|user fields" and are compared as sorted
# lists. Known differences (docs/formats/paje.md) are left out: of what pj_dump prints the echo of
# a task's state, of ours what it does not print, that is open links and what begins at the last
# instant. Values of variables may differ in the sixth digit: pj_dump computes them in single
# precision. Prints the counts, or the first lines that differ, and then exits 1.
use strict;
use warnings;

my ($unit, $task_type, $folder) = @ARGV;
my %not_user = map { $_ => 1 } qw(ResourceId Type Value Start End Time Depth Key Origin Dest
	Kind Node ResourceType 	Duration DependsOn Flag);

# A decimal times 10^scale as an integer of at most 18 digits, rounded half away from zero.
sub scaled {
	my ($text, $scale) = @_;
	my ($sign, $whole, $fraction) = $text =~ /^([-+]?)(\d*)\.?(\d*)$/ or return $text;
	$fraction .= '0' x ($scale + 1);
	my $n = int($whole . substr($fraction, 0, $scale)) + (substr($fraction, $scale, 1) >= 5);
	return $sign eq '-' ? -$n : $n;
}
my $scale = $unit eq 'ms' ? 6 : 9;

# User fields in any order; ranks, unsigned -1 and the digits of numbers are notation. StarPU writes -1 and 0
# where an iteration or a number of operations is not known; ours are missing.
sub user {
	my @all;
	for my $x (@_) {
		my $y = $x;
		$y =~ s/^\s+|\s+$//g;
		next if $y eq '';
		$y =~ s/^\d+_(?=\d+$)//;
		$y = -(~int($y)) - 1 if $y =~ /^184467440737\d{8}$/;
		next if $unit eq 'ms' && $y =~ /^(-1|0|0\.0+)$/;
		push @all, "$y" =~ /^[-+]?\d*\.?\d+$/ ? sprintf('%.12g', $y) : "$y";
	}
	return join ';', sort @all;
}

sub trim {
	my ($x) = @_;
	$x =~ s/^\s+|\s+$//g;
	return $x;
}

# A state as lines. Those of StarPU's memory nodes overlap: pj_dump ends the one that was pushed last, we
# the one that a pop reports. So the same begins, and the same ends.
sub state {
	my ($c, $type, $start, $end, $depth, $value, $user) = @_;
	return join '|', 'state', $c, $type, $start, $end, $depth, $value, $user if $type ne 'Memory Node State';
	return (join('|', 'state', $c, $type, $start, $start, $value, $user), join('|', 'end', $c, $type, $end, $end));
}

my (@theirs, %with_job, %values);
while (my $line = <STDIN>) {
	chomp $line;
	my ($kind, @f) = map { trim($_) } split /, /, $line, -1;
	if ($kind eq 'State') {
		my ($c, $type, $start, $end, undef, $depth, $value, @user) = @f;
		my $key = join '|', $c, $type, scaled($start, $scale), $value;
		$with_job{$key} = 1 if @user;
		push @theirs, [$_, $start eq $end && !@user ? $key : undef]
			for state($c, $type, scaled($start, $scale), scaled($end, $scale), int $depth, $value, user(@user));
	} elsif ($kind eq 'Variable') {
		my ($c, $type, $start, $end, undef, $value) = @f;
		push @{$values{join '|', $c, $type, scaled($start, $scale), scaled($end,
			$scale)}}, $value;
	} elsif ($kind eq 'Link') {
		my ($c, $type, $start, $end, undef, $value, $from, $to, $key, @user) = @f;
		push @theirs, [join('|', 'link', $c, $type, scaled($start, $scale), scaled($end,
			$scale), $value,
			$from, $to, $key, user(@user))];
	} elsif ($kind eq 'Event') {
		my ($c, $type, $time, @user) = @f;
		push @theirs, [join('|', 'event', $c, $type, scaled($time, $scale), user(@user))];
	}
}
my @theirs_kept = map { $_->[0] } grep { !defined $_->[1] || !$with_job{$_->[1]} } @theirs;

# Records of a CSV file as hashes; a quoted empty field is "", a missing one undef.
sub table {
	my ($name) = @_;
	open my $in, '<', "$folder/$name.csv" or return ();
	local $/;
	my $text = <$in>;
	my (@rows, @row);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n)/gc) {
		my ($quoted, $plain, $sep) = ($1, $2, $3);
		$quoted =~ s/""/"/g if defined $quoted;
		push @row, defined $quoted ? $quoted : $plain eq '' ? undef : $plain;
		if ($sep eq "\n") { push @rows, [@row]; @row = (); }
	}
	my $head = shift @rows;
	return map { my $r = $_; my %h = (' order' => $head); @h{@$head} = @$r; \%h } @rows;
}
sub extras {
	my ($r, @but) = @_;
	my %but = (%not_user, map { $_ => 1 } @but);
	return user(map { $r->{$_} } grep { !$but{$_} && defined $r->{$_} } @{$r->{' order'}});
}

my @ours;
for my $r (table('tasks')) {
	next unless defined $r->{Start} && defined $r->{ResourceId};
	push @ours, state($r->{ResourceId}, $task_type, scaled($r->{Start}, 6), scaled($r->{End}, 6), 0, $r->{Value}, extras($r));
}
push @ours, state($_->{ResourceId}, $_->{Type}, scaled($_->{Start}, 6), scaled($_->{End}, 6), $_->{Depth}, $_->{Value},
	extras($_)) for table('states');
# StarPU's Size is the value once more.
push @ours, join '|', 'link', $_->{ResourceId}, $_->{Type}, scaled($_->{Start}, 6),
	scaled($_->{End}, 6), $_->{Value},
	$_->{Origin}, $_->{Dest}, $_->{Key}, extras($_,
		$unit eq 'ms' ? 'Size' : ()) for grep { !defined $_->{Flag} } table('links');
push @ours, join '|', 'event', $_->{ResourceId}, $_->{Type}, scaled($_->{Time}, 6),
	user(split(/, /, $_->{Value}), map { split /, / } split /;/, extras($_))
	for table('events');

my (%left, %count, @bad);
my ($last) = sort { $b <=> $a } map { (split /\|/)[/^event/ ? 3 : 4] } grep { !/^link/ } @ours;
$left{$_}++ for @theirs_kept;
for (@ours) {
	my ($kind, $start) = (split /\|/)[0, 3];
	next if $start eq ($last // "") && !$left{$_};
	$count{$kind}++;
	$left{$_}--;
}
push @bad, ($left{$_} > 0
	? 'pj_dump: ' : 'ours:    ') . $_ for sort grep { $left{$_} != 0 } keys %left;
for my $r (table('variables')) {
	my $key = join '|', $r->{ResourceId}, $r->{Type}, scaled($r->{Start}, 6),
		scaled($r->{End}, 6);
	my $theirs = shift @{$values{$key} // []};
	$count{variable}++;
	push @bad, "variable $key: ours $r->{Value}, pj_dump " . ($theirs // 'none')
		if !defined $theirs || abs($theirs - $r->{Value}) > 1e-6 * (1 + abs $theirs);
}
push @bad, map { "pj_dump: variable $_" } grep { @{$values{$_}} } sort keys %values;
print map { "$_\n" } @bad > 20 ? (@bad[0 .. 19], @bad . ' lines differ') : @bad;
print join(' ', map { "$_=" . ($count{$_} // 0) } qw(state variable link event)), "\n" unless @bad;
exit(@bad ? 1 : 0);
