#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# links.pl PAGE...: prints each link of these pages (Markdown) that leads to no file, or to no heading of a page.
# links.pl --html FOLDER: the same of all .html in a folder; and each file that a page there loads from another host.
# Addresses of other hosts are not followed.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Find;

my (%anchors, %text, $links);

sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return <$in> }

# Without code, which may look like a link or a heading.
sub prose {
	my ($text) = @_;
	$text =~ s/^( *)```.*?^ *```//gms;
	$text =~ s/`[^`\n]*`//g;
	return $text;
}

# The anchors of a page: of Markdown those that GitHub gives its headings.
sub anchors {
	my ($page) = @_;
	return $anchors{$page} if $anchors{$page};
	my (%known, %seen);
	my $text = slurp($page);
	if ($page =~ /\.md$/) {
		$text =~ s/^ *```.*?^ *```//gms;
		for my $heading ($text =~ /^#{1,6} +(.*)/gm) {
			$heading =~ s/\[([^\]]*)\]\([^)]*\)/$1/g;
			my $slug = lc $heading =~ s/\s+$//r;
			$slug =~ s/[^\w\x80-\xff -]//g;
			$slug =~ tr/ /-/;
			$known{$seen{$slug}++ ? $slug . '-' . ($seen{$slug} - 1) : $slug} = 1;
		}
	}
	$known{$1} = 1 while $text =~ /\s(?:id|name)=["']?([^"'\s>]+)/g;
	return $anchors{$page} = \%known;
}

sub check {
	my ($page, $link) = @_;
	$links++;
	return if $link =~ m{^(?:https?:|mailto:|data:)};
	my ($path, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
	my $to = $path eq '' ? $page : dirname($page) . "/$path";
	if (!-e $to) { print "$page: $link: no such file\n" }
	elsif (defined $anchor && $anchor ne '' && $to =~ /\.(?:md|html)$/ && !anchors($to)->{$anchor}) { print "$page: $link: no such heading\n" }
}

if (@ARGV && $ARGV[0] eq '--html') {
	my @pages;
	# report.html is a figure, not a page of the site; its links are made by its script.
	find({ no_chdir => 1, wanted => sub { push @pages, $_ if /\.html$/ && !/report\.html$|404\.html$/ } }, $ARGV[1]);
	for my $page (sort @pages) {
		my $text = slurp($page) =~ s/<!--.*?-->//gsr;
		while ($text =~ /<(a|link|script|img|iframe|source)\b([^>]*)>/g) {
			my ($tag, $rest) = ($1, $2);
			my ($link) = $rest =~ /\b(?:href|src)="([^"]*)"/ or next;
			$link =~ s/&amp;/&/g;
			print "$page: $link: loaded from another host\n" if $tag ne 'a' && $link =~ m{^(?:https?:)?//};
			check($page, $link);
		}
	}
}
else {
	for my $page (@ARGV) {
		my $text = prose(slurp($page));
		check($page, $1) while $text =~ /\]\(([^)\s]+)\)/g;
	}
}
print "$links links\n";
