#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# tables.pl [--check] DESCRIPTION PAGE...: writes the tables of options and columns in these pages from what `traceviz help --json`
# printed to the file DESCRIPTION. --check writes nothing: exit status 1 if a page is not current, or if a table of a verb is on none
# of them. Tables of more than seven columns or three options are on no page, as help has them: without pages this prints, for
# each of these tables of columns, the page of help and the number of columns.
#
# A table is between "<!-- options:VERB -->", "<!-- options:panel:NAME -->", "<!-- columns:VERB -->" or
# "<!-- columns:VERB --OPTION -->" (of the table that this option makes) and "<!-- end -->". Several verbs that have the same table
# are named with commas. "<!-- list:verbs -->" and "<!-- list:findings -->" have all of these.
use strict;
use warnings;
use JSON::PP;

my $check = @ARGV && $ARGV[0] eq '--check' && shift @ARGV;
my ($description, @pages) = @ARGV;
my (%table, %names, $text, $failed);

sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return <$in> }
sub complain { print STDERR "tables.pl: $_[0]\n"; $failed = 1 }

# In a cell: names of columns and options are code, bars do not end it.
sub cell {
	my ($text) = @_;
	$text =~ s/\|/\\|/g;
	return $text;
}

# Rows of names and meaning; those of equal meaning in one. Nothing if they are many.
sub rows {
	my ($title, $most, @row) = @_;
	return if @row > $most;
	my @lines = ("$title | Meaning", '---|---');
	my $before = '';
	for my $row (@row) {
		my ($name, $meaning) = map { cell($_) } @$row;
		if (@lines > 2 && $meaning eq $before) { $lines[-1] =~ s/ \| /, `$name` | / }
		else { push @lines, "`$name` | $meaning" }
		$before = $meaning;
	}
	return join '', map { "$_\n" } @lines;
}

sub options {
	my ($prefix, $options) = @_;
	return rows('Option', 3, map {
		my $default = defined $_->{default} ? " (default $_->{default})" : '';
		["--$prefix$_->{name}" . (defined $_->{argument} ? " $_->{argument}" : ''), "$_->{text}$default"]
	} @$options);
}

sub columns {
	my ($verb, $with, $columns) = @_;
	my $rows = rows('Column', 7, map { [$_->{name}, $_->{text} . ($_->{unit} ne '' ? " ($_->{unit})" : '')] } @$columns);
	return $rows if defined $rows || @pages;
	# Of a verb whose help does not list them its notes do.
	my $n = 0;
	$n += @{ $_->{columns} } for @{ $verb->{tables} };
	my $listed = defined $verb->{description} ? !grep({ $verb->{description} !~ /^  $_->{name} /m } @$columns) : $with eq '' || $n <= 40;
	print $listed ? '' : 'notes:', "$verb->{name} ", scalar @$columns, "\n";
	return;
}

my $all = JSON::PP->new->decode(slurp($description));
for my $verb (@{ $all->{verbs} }) {
	my @own = @{ $verb->{options} }[0 .. $verb->{own} - 1];
	$table{"options:$verb->{name}"} = options('', \@own) if @own;
	$names{"options:$verb->{name}"} = [map { "--$_->{name}" } @own];
	for my $of (@{ $verb->{tables} }) {
		my $with = $of->{with} // '';
		$table{"columns:$verb->{name}" . ($with ne '' ? " $with" : '')} = columns($verb, $with, $of->{columns});
	}
}
for my $panel (@{ $all->{panels} }) {
	# Not those that all panels have.
	my @own = grep { $_->{name} !~ /^(height|place)$/ } @{ $panel->{options} };
	$table{"options:panel:$panel->{name}"} = options("$panel->{name}.", \@own) if @own;
}

# Cells of one list, not cut.
sub listed { my ($title, @row) = @_; return join '', map { "$_\n" } $title, $title =~ s/[^|]+/---/gr, map { join ' | ', map { cell($_) } @$_ } @row }
$table{'list:verbs'} = listed('Verb | Answers', map { ["`$_->{name}`", $_->{summary}] } grep { $_->{name} ne 'help' } @{ $all->{verbs} });
$table{'list:findings'} = listed('Finding | Means | To do', map { ["`$_->{name}`", $_->{title}, $_->{action}] } @{ $all->{findings} });

exit 0 if !@pages;
for my $page (@pages) {
	my $before = slurp($page);
	(my $after = $before) =~ s{(<!-- (options|columns|list):([^>]*?) -->\n).*?(<!-- end -->)}{
		my ($begin, $kind, $names, $end, %text) = ($1, $2, $3, $4);
		my $of = $kind eq 'columns' && $names =~ s/( --.*)$// ? $1 : '';
		for my $name (map { "$kind:$_$of" } split /,/, $names) {
			complain("$page: there is no table $name") unless defined $table{$name};
			$text{ $table{$name} // '' } = 1;
		}
		complain("$page: the tables of $kind:$names differ") if keys %text > 1;
		"$begin\n" . join('', keys %text) . "\n$end";
	}gse;
	$text .= $after;
	next if $before eq $after;
	if ($check) { complain("$page is not current: make docs"); next }
	open my $out, '>', $page or die "$page: $!\n";
	print $out $after;
	close $out or die "$page: $!\n";
}
# Options may be in the text instead of a table.
for my $name (grep { defined $table{$_} && index($text, $table{$_}) < 0 && !/:panel:/ } sort keys %table) {
	my @missing = grep { $text !~ /\Q$_\E(?![a-z-])/ } @{ $names{$name} // [] };
	complain(join " ", "no page has $name", @missing) if @missing || !$names{$name};
}
exit($failed ? 1 : 0);
