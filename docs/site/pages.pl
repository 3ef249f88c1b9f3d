#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# pages.pl FOLDER: makes what mkdocs needs, in FOLDER: pages/, README.md and every file that it or one of these pages links to, at
# the same places as in this repository, so that links stay as they are; and mkdocs.yml, which is docs/site/mkdocs.yml with a menu:
# the sections and pages of docs/README.md. Called in the folder of the repository.
#
# Pages are written for CommonMark; mkdocs reads an older Markdown, in which a list needs an empty line before it, any number begins
# one, and what belongs to an item is indented by four. That is changed.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);

my ($out) = @ARGV or die "usage: pages.pl FOLDER\n";
my (%done, @pages);

sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return <$in> }
sub spew { make_path(dirname($_[0])); open my $file, '>', $_[0] or die "$_[0]: $!\n"; print $file $_[1]; close $file or die "$_[0]: $!\n" }

# a/b and ../c give a/c; nothing for a path that leaves the repository.
sub join_path {
	my @part;
	for (split m{/}, "$_[0]/$_[1]") {
		if ($_ eq '..') { return unless @part; pop @part }
		elsif ($_ ne '.' && $_ ne '') { push @part, $_ }
	}
	return join '/', @part;
}

my $marker = qr/(?:[-*+]|\d+[.)])/;

# Lists as older Markdown has them. Code between ``` keeps its lines, in an item with the indentation of that item.
sub older_markdown {
	my (@item, @new, $fence); # of each open item, where its content begins
	my $numbered; # whether the last item has a number
	for my $line (split /\n/, $_[0], -1) {
		if ($line =~ /^\s*$/) { push @new, ''; next }
		my $indent = length $line =~ s/^( *).*/$1/r;
		my $goes_on = @new && $new[-1] ne '' && $new[-1] !~ /^#/; # the line may belong to the paragraph before it
		my ($begin, $mark) = $fence ? () : $line =~ /^( *($marker) +)/;
		if ($begin && !(@item && $numbered) && $goes_on && $mark =~ /^(\d+)/ && $1 != 1) { # a number in a sentence
			$line =~ s/^( *\d+)/$1\\/;
			$begin = undef;
		}
		pop @item while @item && $indent < $item[-1] && ($begin || !$goes_on) && !$fence;
		my $own = $item[-1] // 0;
		my $depth = 4 * @item;
		if ($begin && $indent < $own + 4) {
			push @new, '' if $goes_on && $new[-1] !~ /^ *$marker /;
			push @new, ' ' x $depth . "$mark " . substr $line, length $begin;
			push @item, length $begin;
			$numbered = $mark =~ /\d/;
			next;
		}
		$fence = !$fence if $line =~ /^ *```/;
		push @new, $indent >= $own ? ' ' x ($depth + $indent - $own) . substr $line, $indent : $line;
	}
	return join "\n", @new;
}

# Copies a file and what it links to. Links to a folder lead to its README.md.
sub add {
	my ($file) = @_;
	return if $done{$file}++;
	if ($file !~ /\.md$/) { make_path(dirname("$out/pages/$file")); copy($file, "$out/pages/$file") or die "$file: $!\n"; return }
	my $text = slurp($file);
	my @linked;
	$text =~ s{(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))}{
		my ($open, $link, $close) = ($1, $2, $3);
		my $path = join_path(dirname($file), $link);
		$link =~ s{/?$}{/README.md}, $path .= '/README.md' if defined $path && -d $path;
		push @linked, $path if defined $path && -f $path;
		"$open$link$close"
	}ge;
	spew("$out/pages/$file", older_markdown($text));
	add($_) for @linked;
}

sub title { my ($title) = slurp($_[0]) =~ /^# (.*)/m; $title =~ s/`//g; return $title }
sub entry { my ($title) = @_; $title =~ s/(["\\])/\\$1/g; return qq("$title") }

add('README.md');
my $menu = "nav:\n  - \"Home\": README.md\n  - \"Index of all pages\": docs/README.md\n";
my ($section, %listed) = ('Begin');
for my $line (split /\n/, slurp('docs/README.md')) {
	$section = $1 if $line =~ /^## (.*)/;
	while ($line =~ /\]\(([^)#\s:]+\.md)[^)]*\)/g) {
		my $page = join_path('docs', $1);
		next if $page !~ m{^docs/} || $listed{$page}++;
		$menu .= '  - ' . entry($section) . ":\n", $listed{"# $section"} = 1 unless $listed{"# $section"};
		$menu .= '      - ' . entry(title($page)) . ": $page\n";
	}
}
spew("$out/mkdocs.yml", slurp('docs/site/mkdocs.yml') . $menu);
