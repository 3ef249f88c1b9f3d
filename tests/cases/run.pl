#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# run.pl [--write] FILE.test...: runs the cases of these files and compares what commands give with what is written there (TAP).
# --write puts what the commands print now in place of the expected rows: read `git diff` before you commit that.
#
#   # TEXT             a comment
#   == NAME            a case, which begins in an empty folder
#   -- FILE            a file, whose rows are the lines up to the next mark; `-- run/links.csv` is in a folder
#   $ COMMAND          one check: a command for sh, then the rows that it prints; $DATA and $TESTDATA name the folders of samples
#   ! MESSAGE          a line of its standard error is this, or ends with it after a colon, and no line is not named;
#                      "!" alone: it writes no line. Without any "!" messages are not compared
#   !STATUS MESSAGE    the same, and it ends with this status, which is 0 otherwise
#
# Each row has a line of its own, or rows in a line have two blanks or more between them; empty lines mean nothing. If all cells
# of the first row are names of columns of the output, these columns are compared, in this order. A last row "..." means
# any further rows.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);

my $root = abs_path(dirname(abs_path($0)) . '/../..');
my $write = @ARGV && $ARGV[0] eq '--write' && shift @ARGV;
my $folder = tempdir('traceviz-cases.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($checks, $failed) = (0, 0);
$ENV{LC_ALL} = 'C';
$ENV{PATH} = abs_path($ENV{TRACEVIZ_BIN} // "$root/build") . ":$ENV{PATH}";
@ENV{qw(DATA TESTDATA)} = ("$root/data", "$root/tests/data");

sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return <$in> // '' }
sub spew {
	my ($name, @lines) = @_;
	make_path(dirname($name));
	open my $out, '>', $name or die "$name: $!\n";
	print $out map { "$_\n" } @lines;
	close $out or die "$name: $!\n";
}

# The cells of a row of CSV, with their quotes.
sub cells {
	my ($row, @cells) = ("$_[0],");
	push @cells, $1 while $row =~ /\G("(?:[^"]|"")*"|[^,]*),/g;
	return @cells;
}

# Marks with their text, each with its place and the rows up to the next mark, which have places too.
sub parse {
	my ($name, @blocks) = @_;
	my $n = 0;
	for my $line (split /\n/, slurp($name)) {
		$n++;
		if ($line =~ /^(#|==|--|\$|!\d*)(?: +(.*?))? *$/) {
			push @blocks, { mark => $1, text => $2 // '', line => $n, rows => [] };
		} elsif ($line =~ /\S/) {
			die "$name:$n: expected a mark and a blank\n" if !@blocks || $blocks[-1]{mark} !~ /^[-\$]/ || $line =~ /^(#|==|--|\$|!)/;
			push @{ $blocks[-1]{rows} }, map { { text => $_, line => $n } } grep { $_ ne '' } split / {2,}/, $line;
		}
	}
	return @blocks;
}

# The columns that a row names, of the rows printed; these rows as they are if it names none, or they are no table.
sub chosen {
	my ($header, @got) = @_;
	return @got unless @got && defined $header;
	my ($i, %at) = (0);
	$at{$_} //= $i++ for cells($got[0]);
	return @got if grep { cells($_) != cells($got[0]) } @got;
	my @want = cells($header);
	return @got if grep { !exists $at{$_} } @want;
	return map { my @cells = cells($_); join ',', map { $cells[$at{$_}] // '' } @want } @got;
}

# Rows that are missing (-) and unexpected (+), each with its line; those after "..." do not count.
sub differences {
	my ($name, $line, $want, @got) = @_;
	my @want = map { $_->{text} } @$want;
	if (@want && $want[-1] eq '...') {
		pop @want;
		$#got = $#want if @got > @want;
	}
	return () if "@want" eq "@got" && @want == @got;
	spew("$folder.want", @want);
	spew("$folder.got", @got);
	my @out = split /\n/, `diff --old-line-format='-%dn %L' --new-line-format='+%dn %L' --unchanged-line-format='' $folder.want $folder.got`;
	unlink "$folder.want", "$folder.got";
	for (@out) {
		s/^-(\d+)/"$name:$want->[$1 - 1]{line}: -"/e or s/^\+\d+/"$name:$line: +"/e;
	}
	return @out;
}

sub check {
	my ($name, $case, $command, @rest) = @_;
	my $status = system('sh', '-c', "cd '$folder/case' && { $command->{text}\n} >'$folder/out' 2>'$folder/err' </dev/null");
	my @got = chosen($command->{rows}[0] && $command->{rows}[0]{text}, split /\n/, slurp("$folder/out"));
	my @errors = split /\n/, slurp("$folder/err");
	my @wrong = $write ? () : differences($name, $command->{line}, $command->{rows}, @got);
	my ($expected) = map { $_->{mark} =~ /(\d+)/ } @rest;

	push @wrong, "$name:$command->{line}: status " . ($status >> 8) if $status >> 8 != ($expected // 0);
	my @messages = grep { $_ ne '' } map { $_->{text} } @rest;
	for my $text (@messages) {
		push @wrong, "$name:$command->{line}: no message '$text'" unless grep { /^(.*: |\s*)\Q$text\E$/ } @errors;
	}
	push @wrong, "$name:$command->{line}: other messages" if @errors != @messages && (@messages || @rest && !$expected);
	$checks++;
	print @wrong ? "not ok" : "ok", " $checks - $case: $command->{text}\n";
	return @got unless @wrong;
	$failed++;
	print map { "# $_\n" } @wrong, map { "standard error: $_" } @errors;
	return @got;
}

for my $name (@ARGV) {
	my @blocks = parse($name);
	my ($case, %new) = ('');

	for my $i (0 .. $#blocks) {
		my ($mark, $text, $rows) = @{ $blocks[$i] }{qw(mark text rows)};

		if ($mark eq '==') {
			$case = $text;
			remove_tree("$folder/case");
			make_path("$folder/case");
		} elsif ($mark eq '--') {
			spew("$folder/case/$text", map { $_->{text} } @$rows);
		} elsif ($mark eq '$') {
			my $last = $i;

			$last++ while $last < $#blocks && $blocks[$last + 1]{mark} =~ /^!/;
			$new{ $blocks[$i]{line} } = [$rows, check($name, $case, $blocks[$i], @blocks[$i + 1 .. $last])];
		}
	}
	next unless $write;
	my @lines = ('', split /\n/, slurp($name));
	for my $line (keys %new) {
		my ($rows, @got) = @{ $new{$line} };
		next if join("\n", map { $_->{text} } @$rows) eq join("\n", @got) || @$rows && $rows->[-1]{text} eq '...';
		$lines[$_->{line}] = undef for @$rows;
		$lines[$line] .= join '', map { "\n$_" } @got;
	}
	shift @lines;
	spew($name, grep { defined } @lines);
}
print "1..$checks\n";
exit($failed > 0);
