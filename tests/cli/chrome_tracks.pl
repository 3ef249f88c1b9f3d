#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome_tracks.pl FILE.json CAUSES PATH DIAGNOSIS: whether the tracks that traceviz wrote beside a trace say what the verbs say, whose
# results (--json) are
# idle-causes --by worker --level stream, critical-path, diagnose. One event a line. Prints what is wrong.
use strict;
use warnings;
use JSON::PP;

my ($file, @results) = @ARGV;
my $json = JSON::PP->new;
my (%name, %slices, %wrong, %marked);
my $base = 0; # ns

sub ns { my $text = shift; return int($text * 1e6 + ($text < 0 ? -0.5 : 0.5)) } # of ms
sub rows { my $path = shift; open my $in, '<', $path or die "$path: $!"; local $/; return @{$json->decode(<$in>)} }
sub differ { my ($what, $got, $want) = @_; $wrong{"$what: $got, want $want"}++ if $got ne $want }

open my $in, '<', $file or die "$file: $!";
while (my $line = <$in>) {
	$base = $1 if $line =~ /^\{.*"baseTimeNanoseconds":(-\d+),/;
	next if $line !~ /^\{"ph":"[MX]"/;
	$line =~ s/,?\n$//;
	my $event = $json->decode($line);
	my $lane = join '/', $event->{pid} // '', $event->{tid} // '';
	$name{$lane} = $event->{args}{name} if $event->{name} eq 'thread_name';
	next if $event->{ph} ne 'X';
	$event->{start} = ns($event->{ts} / 1000) + $base;
	$event->{length} = ns($event->{dur} / 1000);
	$event->{lane} = $lane;
	push @{$slices{$event->{cat}}}, $event;
	$marked{$event->{args}{CriticalPath}} = $event if exists $event->{args}{CriticalPath};
}
my %track;
push @{$track{$name{$_->{lane}}}}, $_ for @{$slices{track}};

my %time;
for my $lane (keys %track) {
	next if $lane !~ /^(.*): Idle causes( \(\d+\))?$/;
	$wrong{"idle spans of $1 overlap"}++ if $2;
	$time{"$1 $_->{name}"} += $_->{length} for @{$track{$lane}};
}
for my $row (rows($results[0])) {
	my $cause = "$row->{ResourceId} $row->{Cause}";
	differ("idle time $cause", delete $time{$cause} // 0, ns($row->{Time}));
}
$wrong{"idle time $_, of which the verb knows nothing"}++ for keys %time;

my @path = rows($results[1]);
my @drawn = @{$track{'Critical path'} // []};
differ('length of the critical path', scalar @drawn, scalar @path);
for my $row (@path) {
	my $slice = shift @drawn // last;
	my $task = delete $marked{$row->{Seq}};
	differ("segment $row->{Seq}", "$slice->{start} $slice->{length} $slice->{args}{Part}", join ' ', ns($row->{Start}), ns($row->{Duration}), $row->{Part});
	differ("name of segment $row->{Seq}", $slice->{name}, $row->{Part} eq 'task' ? $row->{Value} : $row->{Part} eq 'wait' ? "wait: $row->{Cause}" : $row->{Part});
	next if $row->{Part} ne 'task';
	differ("task of segment $row->{Seq}", $task ? "$task->{start} $task->{name}" : 'none', "$slice->{start} $row->{Value}");
	$wrong{"segment $row->{Seq} is longer than its task"}++ if $task && $slice->{length} > $task->{length};
}
$wrong{"marked, but not on the path: $_"}++ for keys %marked;

my %found;
for my $slice (map { @{$track{$_} // []} } 'Findings', 'Account', 'Limits') {
	$found{join ' ', $slice->{args}{Id} // '', ns($slice->{args}{Time} // 0), $slice->{args}{Text}}++;
	differ('begin and length of a finding', "$slice->{start} $slice->{length}", join ' ', ns($path[0]{Start}), ns($path[-1]{End}) - ns($path[0]{Start}));
}
for my $row (rows($results[2])) {
	my $key = join ' ', $row->{Id} // '', ns($row->{Time} // 0), $row->{Text};
	$wrong{"not drawn: $key"}++ if !delete $found{$key};
}
$wrong{"drawn, but not found: $_"}++ for keys %found;
print map { "$_\n" } sort keys %wrong;
