#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# doc_examples.pl ROOT HELP LIST: runs the examples of all pages in ROOT, and those of --help in HELP (what `traceviz help --json`
# printed), each page's in a temporary folder in which data, examples and tests are linked. It prints those that end with
# another status than 0, and how many ran. Not run are those that LIST names: lines PAGE, PATTERN and reason between tabs; a line
# that fits no example is printed, too.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;

my ($root, $help, $list) = map { abs_path($_) } @ARGV;
my ($ran, $empty, %used) = (0, '');

sub lines { open my $in, '<', $_[0] or die "$_[0]: $!\n"; return map { s/\n$//r } <$in> }

my @left = map { [split /\t+/] } grep { /^[^#]/ } lines($list);

# Commands in blocks of code: indented, or between ```; a backslash at the end continues one.
sub commands {
	my ($page) = @_;
	my ($fence, $command, @found) = (0, undef);
	for my $line (lines("$root/$page")) {
		if ($line =~ /^\s*```/) { $fence = !$fence; next }
		if (defined $command) { $command .= "\n$line" }
		elsif (($fence || $line =~ /^(?:    |\t)/) && $line =~ /^\s*(?:\$ )?(?:build\/)?(traceviz .*)/) { $command = $1 }
		else { next }
		next if $command =~ /\\$/;
		push @found, $command;
		$command = undef;
	}
	return @found;
}

sub left_out {
	my ($page, $command) = @_;
	my $out = 0;
	for my $entry (@left) {
		next unless $page =~ /^$entry->[0]$/ && $command =~ /$entry->[1]/;
		$out = $used{$entry} = 1;
	}
	return $out;
}

sub run {
	my ($page, @commands) = @_;
	my @chosen = grep { !left_out($page, $_) } @commands or return;
	my $folder = tempdir('traceviz-examples.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	symlink "$root/$_", "$folder/$_" for qw(data examples tests);
	for my $command (@chosen) {
		$ran++;
		next if system('sh', '-c', "cd '$folder' && { $command\n} >out.txt 2>err.txt </dev/null") == 0;
		my ($message) = grep { /^traceviz: / } lines("$folder/err.txt");
		print "$page: $command: ", $message // 'failed', "\n";
	}
}

chdir $root;
run($_, commands($_)) for 'README.md', 'CONTRIBUTING.md', glob('docs/*.md docs/*/*.md');
my $all = JSON::PP->new->decode(join "\n", lines($help));
run('--help', map { $_->{example} } @{ $all->{verbs} });
print "no example fits: $_->[0] $_->[1]\n" for grep { !$used{$_} } @left;
print "$ran examples\n";
