#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# man.pl DESCRIPTION DIR: the man pages DIR/traceviz.1 and DIR/traceviz-VERB.1, from what `traceviz help --json` printed to the
# file DESCRIPTION.
use strict;
use warnings;
use JSON::PP;

my ($description, $dir) = @ARGV;
open my $in, '<', $description or die "$description: $!\n";
my $all = JSON::PP->new->decode(do { local $/; <$in> });

# Text as it is, whatever roff makes of its characters.
sub text {
	my ($text) = @_;
	$text =~ s/\\/\\e/g;
	$text =~ s/-/\\-/g;
	$text =~ s/^(?=[.'])/\\&/gm;
	return $text;
}
sub lines { return ".nf\n" . text($_[0]) . "\n.fi\n" }
sub item { return ".TP\n" . text($_[0]) . "\n" . text($_[1]) . "\n" }
sub named { return join '', map { item($_->{name}, $_->{text}) } @{ $_[0] } }

sub option {
	my ($option, $prefix) = @_;
	my $letter = defined $option->{letter} ? "-$option->{letter}, " : '';
	my $argument = defined $option->{argument} ? " $option->{argument}" : '';
	my $default = defined $option->{default} ? " (default $option->{default})" : '';
	return item("$letter--" . ($prefix // '') . "$option->{name}$argument", "$option->{text}$default");
}

sub columns {
	return join '', map { item($_->{name}, $_->{text} . ($_->{unit} ne '' ? " ($_->{unit})" : '')) } @{ $_[0] };
}

# The name, a line for each of the synopsis, and the rest.
sub page {
	my ($verb, $summary, $synopsis, $body) = @_;
	my $name = 'traceviz' . ($verb ne '' ? "-$verb" : '');
	open my $out, '>', "$dir/$name.1" or die "$dir/$name.1: $!\n";
	print $out '.TH ' . text(uc $name) . " 1 \"\" traceviz\n.SH NAME\n" . text("$name - $summary") . "\n.SH SYNOPSIS\n",
		lines($synopsis), $body,
		".SH EXIT STATUS\n0 done, 1 failure, 2 wrong usage, 3 negative verdict (", text('--fail-if'), " holds), 4 uncertain verdict (",
		text('--require-confidence'), ").\n.SH SEE ALSO\n", $verb ne '' ? "traceviz(1)\n" : "traceviz\\-VERB(1) of each verb\n";
	close $out or die "$dir/$name.1: $!\n";
}

sub panels {
	my $body = ".SH PANELS\n";
	for my $panel (@{ $all->{panels} }) {
		$body .= '.SS ' . text($panel->{name}) . "\n" . text("$panel->{title}; needs $panel->{needs}") . "\n";
		$body .= join '', map { option($_, "$panel->{name}.") } @{ $panel->{options} };
	}
	return $body;
}

sub verb_page {
	my ($verb) = @_;
	my $name = $verb->{name};
	my $words = join ' ', grep { defined } 'traceviz', $verb->{question}, $name, $verb->{arguments};
	my $body = '';
	my @about = map { lines($_ =~ s/^\n+|\n+$//gr) } grep { defined } $verb->{description}, $verb->{notes};
	$body .= ".SH DESCRIPTION\n" . join ".PP\n", @about if @about;
	$body .= ".SH OPTIONS\n" . join '', map { option($_) } @{ $verb->{options} };
	# An own verb describes what it writes itself.
	for my $table (grep { !defined $verb->{description} || defined $_->{with} } @{ $verb->{tables} }) {
		my $with = defined $table->{with} ? ' with ' . text($table->{with}) : '';
		$body .= ".SH OUTPUT$with\n" . ($verb->{annotates} ? "The rows of tasks with these columns added:\n" : '') . columns($table->{columns});
	}
	my @parts = grep { ($_->{question} // '') eq $name } @{ $all->{verbs} };
	$body .= ".SH PARTS\n" . join '', map { item("$name $_->{name}", $_->{summary}) } @parts if @parts;
	$body .= ".SH SCHEDULING POLICIES\n" . named($all->{schedulers}) if $name eq 'simulate';
	$body .= panels() if $name eq 'plot';
	page($name, $verb->{summary}, $words, "$body.SH EXAMPLE\n" . lines($verb->{example}));
}

verb_page($_) for @{ $all->{verbs} };

my ($verbs, $group) = ('', '');
for my $verb (sort { $a->{group} cmp $b->{group} } @{ $all->{verbs} }) {
	$verbs .= '.SS ' . text($verb->{group}) . "\n" if $verb->{group} ne $group;
	$group = $verb->{group};
	$verbs .= item(join(' ', grep { defined } $verb->{question}, $verb->{name}), $verb->{summary});
}
page('', 'why was this run slow? Answers from its execution trace', <<'END' =~ s/\n$//r,
traceviz TRACE
traceviz TRACE -o report.pdf
traceviz compare TRACE TRACE
traceviz record -o DIR -- PROGRAM
traceviz VERB [OPTIONS] TRACE
END
	".SH DESCRIPTION\nSays why a run was slow, draws it, compares runs, records programs, and answers the questions below.\n.SH VERBS\n$verbs"
	. ".SH OPTIONS\n" . item('-h, --help', 'show the help; of a verb behind its name')
	. item('-V, --version', 'show the version, formats and media')
	. ".SH FORMATS\n" . named($all->{formats}));
