#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# refusals.pl ROOT PRINTED REVIEWED: the messages of all failures in cli/, analysis/, sim/model/ and record/tool/ of ROOT. Prints those that name no
# other option, no verb and nothing that is expected, that are not in PRINTED (what commands of the table have printed), and
# that REVIEWED does not list; then lines of REVIEWED that are needed no more. The first line has the number of messages.
use strict;
use warnings;

my ($root, $printed, $reviewed) = @ARGV;

sub slurp { my ($path) = @_; local $/; open my $f, '<', $path or die "$path: $!\n"; return <$f> // ''; }

# Whether a message contains what the user can write instead, or says that something has to be left out. The option at its
# begin, which it refuses, is none of that, nor are "expected others" and "this traceviz was built without".
sub names_way {
	my ($m) = @_;
	$m =~ s/^(?:%s: )?--[\w%.-]+//;
	return 1 if $m =~ /--[a-z%]|\btraceviz (?!was\b)[-%A-Za-z]|'[a-z-]+' lists?\b|has no effect|contradict/;
	return $m =~ /\bexpected (?!(?:some|others|none|the name of one|(?:a variable|one) of the trace)\b(?!:? ?%| of))/;
}

my (%message, %open);
for my $path (sort split /\n/, `find '$root/cli' '$root/analysis' '$root/sim/model' '$root/record/tool' -name '*.c'`) {
	my $text = slurp($path);
	$text =~ s{/\*.*?\*/}{}gs;
	# The first string of a call with the strings that follow it; macros between them are anything.
	while ($text =~ /\b(?:tv_(?:monitor_)?fail|fail|refuse|lack)\w*\s*\((?:[^;"{]*?)("(?:[^"\\]|\\.)*"(?:\s*(?:[A-Z_0-9]+\s*)?"(?:[^"\\]|\\.)*")*)/g) {
		(my $string = $1) =~ s/"\s*[A-Z_0-9]+\s*"/%s/g;
		$message{ join '', $string =~ /"((?:[^"\\]|\\.)*)"/g } = 1;
	}
}
print scalar(keys %message), "\n";
my $said = slurp($printed);
my %reviewed;
for (split /\n/, slurp($reviewed)) {
	next if /^#/ || !/\S/;
	$reviewed{ (split /\t/)[0] } = 1;
}
for my $m (sort keys %message) {
	next if names_way($m);
	(my $pattern = quotemeta $m) =~ s/\\%[^a-zA-Z]*(?:ll|z)?[a-zA-Z]/.*/g;
	next if length($m =~ s/%[^a-z]*[a-z]//gr) > 8 && $said =~ /$pattern/;
	$open{$m} = 1;
	print "open: $m\n" unless $reviewed{$m};
}
print "needless: $_\n" for grep { !$open{$_} } sort keys %reviewed;
