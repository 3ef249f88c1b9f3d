#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# published.pl WHAT FILE...: numbers that a repository publishes, in lines as published.t has ours.
#   steps FILE LINE     TensorBoard's plugin, JSON in a line of its expected output: step, us of all, kernels, copies, memsets; GPU utilization
#   kernels FILE LINE   likewise: number, sum, max, min of durations, name
#   changes NOTEBOOK    HolisticTraceAnalysis: kernels that only one of two traces has
#   bars NOTEBOOK       number (n) or us (t) of each name in the two traces, of its bar charts
#   vampir FILE         Pipit, its test: bin, function, share
#   simgrid FILE        SimGrid's replay.tesh, the first run: process, action, how many, their time in s
#   paje FILE           the trace in it
use strict;
use warnings;
use JSON::PP;

my ($what, $file, $number) = @ARGV;
open my $in, '<', $file or die "$file: $!\n";
my @lines = <$in>;

sub outputs { return map { @{$_->{outputs} // []} } @{decode_json(join '', @lines)->{cells}} }

my %print = (
	steps => sub {
		my $overview = decode_json($lines[$number - 1]);
		for my $row (@{$overview->{steps}{rows}}) {
			my ($total) = $row->[2] =~ /Total: (\d+)us/;
			print join(' ', $row->[0], $total, @$row[1, 3, 5]), "\n";
		}
		print map { "$_->{value}\n" } grep { $_->{title} eq 'GPU Utilization' } @{$overview->{gpu_metrics}{data}};
	},
	kernels => sub {
		print join(' ', @$_[1, 2, 4, 5, 0]), "\n" for @{decode_json($lines[$number - 1])->{data}{rows}};
	},
	changes => sub {
		my ($text) = grep { /^GPU kernel changes/m } map { join '', @{$_->{text} // []} } outputs();
		my $changes = decode_json($text =~ s/.*?(?=^\{)//msr);
		for my $key (qw(added deleted)) { print "$key $_\n" for @{$changes->{$key}} }
	},
	bars => sub {
		for my $plot (grep { $_ } map { $_->{data}{'application/vnd.plotly.v1+json'} } outputs()) {
			my ($name, @height) = ($plot->{data}[0]{x}, map { $_->{y} } @{$plot->{data}}[0, 1]);
			my $unit = $plot->{layout}{title}{text} =~ /Duration/ ? 't' : 'n';
			print "$unit $height[0][$_] $height[1][$_] $name->[$_]\n" for 0 .. $#$name;
		}
	},
	vampir => sub {
		for (@lines) {
			print join(' ', $1, sprintf('%.6f', $3), $2), "\n" if /norm\.loc\[([\d:]+)\]\["(.*?)"\],? ([\d.]+)\)/;
		}
	},
	simgrid => sub {
		my %sum;
		for (@lines) {
			last if /Simulation time/;
			next unless m{smpi_replay/VERBOSE\] (\d+) (bcast|compute|reduce) .* ([\d.]+)$};
			$sum{"$1 $2"}[0]++;
			$sum{"$1 $2"}[1] += $3;
		}
		printf "%s %d %.5f\n", $_, @{$sum{$_}} for sort keys %sum;
	},
	paje => sub {
		my $on;
		for (@lines) {
			print substr $_, 2 if $on && /^> /;
			last if $on && /^\$/;
			$on ||= /^\$ tail .*simgrid\.trace/;
		}
	});
$print{$what}->();
