#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome_steps.pl FILE.json: what devices did in each ProfilerStep#N of a trace of PyTorch's profiler, from the events alone: the columns
# of phases --region 'ProfilerStep#*', but Start and End, whose zero is another one.
use strict;
use warnings;
use JSON::PP;

open my $in, '<', $ARGV[0] or die "$ARGV[0]: $!";
my $text = do { local $/; <$in> };
$text =~ s/"(ts|dur)"\s*:\s*([0-9.]+)/"$1":"$2"/g; # decimals, of which a double would lose digits
my $events = JSON::PP->new->decode($text)->{traceEvents};

sub ns { my ($whole, $part) = split /\./, shift; return $whole * 1000 + substr(($part // '') . '000', 0, 3) }
sub ms { return sprintf '%d.%06d', int($_[0] / 1e6), $_[0] % 1e6 }

my (%step, %launch, @work);
for my $event (@$events) {
	next if ($event->{ph} // '') ne 'X';
	my $cat = $event->{cat} // '';
	my ($begin, $length) = (ns($event->{ts}), ns($event->{dur} // 0));
	if ($cat =~ /^(kernel|gpu_mem(cpy|set))$/i || $cat =~ /^Mem(cpy|set)$/) {
		push @work, { begin => $begin, end => $begin + $length, copy => $cat !~ /kernel/i, device => $event->{args}{device}, correlation => $event->{args}{correlation} };
	} elsif ($cat =~ /^(cuda|hip)_?(runtime|driver)$/i || $cat eq 'Runtime') {
		$launch{$event->{args}{correlation} // ''} //= $begin;
	} elsif ($cat =~ /^user_annotation$/ && $event->{name} =~ /^ProfilerStep#\d+$/) {
		$step{$event->{name}} = [$begin, $begin + $length];
	}
}

# Time of a step in which devices run these, sum over devices.
sub covered {
	my ($from, $to, @rows) = @_;
	my %until;
	my $sum = 0;
	for my $row (@rows) {
		my $begin = $row->{begin} > $from ? $row->{begin} : $from;
		my $end = $row->{end} < $to ? $row->{end} : $to;
		my $known = $until{$row->{device}} // $from;
		$begin = $known if $begin < $known;
		next if $end <= $begin;
		$sum += $end - $begin;
		$until{$row->{device}} = $end;
	}
	return $sum;
}

@work = sort { $a->{begin} <=> $b->{begin} } @work;
my %devices = map { $_->{device} => 1 } @work;
my $before;
print "By,Makespan,Pause,Submitted,Tasks,Copies,Busy,CopyTime,Idle\n";
for my $name (sort { $step{$a}[0] <=> $step{$b}[0] } keys %step) {
	my ($from, $to) = @{$step{$name}};
	my @in = grep { $_->{begin} >= $from && $_->{begin} < $to } @work;
	my @launched = grep { my $at = $launch{$_->{correlation}}; defined $at && $at >= $from && $at < $to } @work;
	my $busy = covered($from, $to, @work);
	print join(',', $name, ms($to - $from), defined $before ? ms($from - $before) : '', scalar @launched, scalar @in, scalar(grep { $_->{copy} } @in), ms($busy), ms(covered($from, $to, grep { $_->{copy} } @work)),
		ms(($to - $from) * keys(%devices) - $busy)), "\n";
	$before = $to;
}
