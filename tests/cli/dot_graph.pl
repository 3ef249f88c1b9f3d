#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# dot_graph.pl -- for gvpr.t.
#
#   dot_graph.pl SEED		prints a random graph in DOT
#   dot_graph.pl < CSV		prints its nodes and edges: "n JOB LABEL", "e TAIL HEAD"
#   dot_graph.pl times < CSV	prints "JOB|Value|Start|End"
use strict;
use warnings;

my $state;
sub below { # a number below n
	$state = ($state * 1103515245 + 12345) % 2147483648;
	return int($state / 65536) % $_[0];
}

sub blank { return (' ', "\n", "\t", ' /* -> [ */ ', " // }\n", "\n# \"x\n")[below(6)]; }
sub name {
	my $n = below(12);
	my $name = ("n$n", "\"n$n\"", "\"q-$n\"", $n, "-$n.5", "\"a\\\"$n\"", "x_$n", "\"n\" + \"$n\"")[below(8)];
	return $name;
}
sub port { return (('') x 4, ':p', ':p:nw', ':"a b"')[below(7)]; }
sub attributes {
	my @a = map { ('color=red', 'label=l' . below(4), "label=\"m" . below(4) . "\"", "shape = \"box\"")[below(4)] } 1 .. below(3);
	return '[' . join((', ', ' ', ';')[below(3)], @a) . ']' . (below(5) == 0 ? '[style=dashed]' : '');
}
sub subgraph {
	my ($depth) = @_;
	return (('', 'subgraph ', 'subgraph s' . $state)[below(3)]) . blank() . '{' . statements($depth + 1) . '}';
}
sub end_of_edge { my ($depth) = @_; return $depth < 3 && below(4) == 0 ? subgraph($depth) : name() . port(); }
sub statement {
	my ($depth) = @_;
	my $kind = below(10);
	return name() . ' ' . attributes() if $kind < 3;
	return 'edge [color=blue]' if $kind == 3;
	return "rankdir = LR" if $kind == 4;
	return 'node ' . attributes() if $kind == 5 && $depth > 1;
	return $depth < 3 ? subgraph($depth) : name() if $kind == 6;
	return join(blank() . '->' . blank(), map { end_of_edge($depth) } 0 .. 1 + below(3)) . (below(3) == 0 ? '[weight=2]' : '');
}
sub statements {
	my ($depth) = @_;
	return join '', map { blank() . statement($depth) . (';', "\n", ' ')[below(3)] } 1 .. 1 + below($depth == 1 ? 9 : 4);
}

if (@ARGV && $ARGV[0] =~ /^\d+$/) {
	$state = $ARGV[0];
	below(2) for 1 .. 5;
	print((below(2) ? 'strict ' : ''), "digraph ", (below(2) ? 'g ' : ''), "{", statements(1), "}\n");
	exit;
}
local $/;
my $times = @ARGV;
my $text = <STDIN>;
my (@row, %at);
while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n])/g) {
	my ($cell, $end) = ($1 // $2, $3);
	$cell =~ s/""/"/g;
	push @row, $cell;
	next if $end eq ',';
	if (!%at) { @at{@row} = 0 .. $#row; }
	elsif ($times) { print join('|', map { $row[$at{$_}] } qw(JobId Value Start End)), "\n"; }
	else {
		my ($job, $value) = @row[@at{qw(JobId Value)}];
		print "n $job ", $value eq $job ? '\N' : $value, "\n";
		print "e $_ $job\n" for exists $at{DependsOn} ? split / /, $row[$at{DependsOn}] : ();
	}
	@row = ();
}
