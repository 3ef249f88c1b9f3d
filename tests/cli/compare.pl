#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.pl BASE=FILE... RUN=FILE...: computes every column of `traceviz compare` once more, from
# tasks, dependencies and bounds of the single runs, and prints what differs; several FILEs of a
# label are repeats. Prints how many cells of each column agree; status 1 if some differ.
use strict;
use warnings;
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

my (@label, %files);
for (@ARGV) {
	my ($label, $file) = /^([^=]+)=(.*)$/ or die "LABEL=FILE expected, not '$_'\n";
	push @label, $label unless $files{$label};
	push @{ $files{$label} }, $file;
}
@label == 2 or die "two labels expected\n";
my (%agree, %differ);

sub rows_of {
	open my $in, '-|', 'traceviz', @_ or die "traceviz @_: $!\n";
	my @rows = rows_from($in);
	close $in or die "traceviz @_: status $?\n";
	return @rows;
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum; }
sub mean { return sum(@_) / @_; }
sub median {
	my @x = sort { $a <=> $b } @_;
	return @x % 2 ? $x[$#x / 2] : ($x[@x / 2 - 1] + $x[@x / 2]) / 2;
}

# ---- one run ----

my @bounds = qw(abe cpe longest-chain best-placed-chain);

# All numbers of a run by "section|name|Value|ResourceType"; and what the pairwise sections need.
sub read_run {
	my ($file) = @_;
	my %run;
	my @tasks = grep { $_->{Kind} eq 'app' && $_->{Start} ne '' } rows_of('deps', '-q', '--csv', $file);
	my @workers = rows_of('idleness', '-q', '--csv', $file);
	my %bound = map { $_->{Bound} => $_->{Time} } grep { $_->{Node} eq '' } rows_of('bounds', '-q', '--csv', $file);
	my ($first) = sort { $a <=> $b } map { $_->{Start} } @tasks;
	my ($last) = sort { $b <=> $a } map { $_->{End} } @tasks;
	my $x = $run{number} = {};
	my (%n, %time, %square, %of);
	$run{makespan} = $x->{'runs|makespan||'} = $last - $first;
	$x->{'runs|workers||'} = @workers;
	$x->{'runs|tasks||'} = @tasks;
	for (@workers) {
		$x->{"runs|workers||$_->{ResourceType}"}++;
		push @{ $of{ $_->{ResourceType} } }, $_->{Idleness};
		push @{ $of{''} }, $_->{Idleness};
	}
	$x->{"idleness|idleness||$_"} = mean(@{ $of{$_} }) for keys %of;
	for (grep { exists $bound{$_} } @bounds) {
		$x->{"bounds|$_||"} = $bound{$_};
		$x->{"bounds|$_.gap||"} = 100 * ($run{makespan} - $bound{$_}) / $bound{$_};
	}
	for (@tasks) {
		my ($value, $key) = ($_->{Value}, "$_->{Value}|$_->{ResourceType}");
		$n{$key}++;
		$n{$value}++;
		$time{$key} += $_->{End} - $_->{Start};
		push @{ $run{durations}{$key} }, $_->{End} - $_->{Start};
	}
	for (keys %time) {
		my ($value) = /^(.*)\|/;
		$x->{"types|tasks|$_"} = $n{$_};
		$x->{"types|duration|$_"} = $time{$_} / $n{$_};
		$x->{"allocation|share|$_"} = 100 * $n{$_} / $n{$value};
	}
	$x->{"allocation|ideal|$_->{Value}|$_->{ResourceType}"} = $_->{Ideal}
		for grep { $_->{Node} eq '' } rows_of('abe', '-q', '--csv', $file);
	for (rows_of('critical-path', '-q', '--csv', $file)) {
		my $task = $_->{Part} eq 'task';
		my $cause = $_->{Cause} // '';
		my $key = $task ? "chain|chain.task|$_->{Value}|$_->{ResourceType}" : "chain|chain.wait.$cause||";
		$x->{$key} += $_->{End} - $_->{Start};
		$x->{"chain|chain.tasks|$_->{Value}|$_->{ResourceType}"}++ if $task;
	}
	for (rows_of('idle-causes', '-q', '--csv', $file)) {
		next if $_->{Node} ne '' || $_->{ResourceType} ne '';
		$run{idle}{ $_->{Cause} } = $_->{Time};
		next if $_->{Cause} ne 'dependencies';
		for my $part (['Task', 'task'], ['Message', 'message'], ['Waiting', 'waiting'], ['Submission', 'submission'],
			['NoNextTask', 'no-next-task']) {
			$run{blame}{ $part->[1] } = $_->{"Blame$part->[0]"} || 0;
		}
	}
	my $account = $run{account} = {};
	for (rows_of('account', '-q', '--csv', $file)) {
		my $of = "$_->{Value}|$_->{ResourceType}";
		$account->{'account||'} += $_->{Time} if $_->{Section} eq 'sum';
		$account->{'account.placement||'} = $_->{Time} if $_->{Part} eq 'placement';
		$account->{"account.price|$of"} = $_->{Price} if $_->{Section} eq 'price';
		$account->{ join('.', 'account', grep { $_ ne '' } @$_{qw(Part Cause Blame)}) . "|$of" } = $_->{Time}
			if $_->{Section} =~ /^(?:sum|part)$/;
	}
	my %coordinates = map { $_->{JobId} => "$_->{Iteration},$_->{X},$_->{Y}" } rows_of('iterations', '-q', '--csv', $file);
	$_->{Coordinates} = $coordinates{ $_->{JobId} } for @tasks;
	my (%until, $busy);	# the union of each worker's tasks
	for (sort { $a->{Start} <=> $b->{Start} } @tasks) {
		my $from = $until{ $_->{ResourceId} } // $_->{Start};
		$from = $_->{Start} if $_->{Start} > $from;
		next if $_->{End} <= $from;
		$busy += $_->{End} - $from;
		$until{ $_->{ResourceId} } = $_->{End};
	}
	@run{qw(tasks busy first workers)} = (\@tasks, $busy, $first, scalar @workers);
	$run{overlap} = sum(values %time) - $busy;
	return \%run;
}

# ---- statistics ----

# log of the gamma function, by Stirling's series.
sub log_gamma {
	my ($x) = @_;
	my $shift = 0;
	while ($x < 20) { $shift -= log($x++); }
	return $shift + ($x - 0.5) * log($x) - $x + 0.9189385332046727 + 1 / (12 * $x) - 1 / (360 * $x**3);
}

# The 97.5 % quantile of Student's t, by Simpson's rule and bisection.
sub student {
	my ($freedom) = @_;
	my $factor = exp(log_gamma(($freedom + 1) / 2) - log_gamma($freedom / 2)) / sqrt($freedom * 3.141592653589793);
	my $density = sub { return $factor * (1 + $_[0]**2 / $freedom)**(-($freedom + 1) / 2); };
	my ($low, $high) = (1, 100);
	for (1 .. 60) {
		my ($t, $n) = (($low + $high) / 2, 1000);
		my $area = $density->(0) + $density->($t);
		$area += (2 + 2 * ($_ % 2)) * $density->($t * $_ / $n) for 1 .. $n - 1;
		if ($area * $t / $n / 3 < 0.475) { $low = $t; } else { $high = $t; }
	}
	return $low;
}

sub welch {
	my ($a, $b) = @_;
	return unless $a && $b && @$a > 1 && @$b > 1;
	my @part = map { my ($x, $mean) = ($_, mean(@$_)); sum(map { ($_ - $mean)**2 } @$x) / (@$x - 1) / @$x } $a, $b;
	my $error = sum(@part);
	return unless $error > 1e-18;
	my $freedom = $error**2 / ($part[0]**2 / (@$a - 1) + $part[1]**2 / (@$b - 1));
	my ($change, $half) = (mean(@$b) - mean(@$a), student($freedom) * sqrt($error));
	return ($change - $half, $change + $half);
}

# How many of all arrangements of n and m runs have U = 0, 1, ... [Mann and Whitney, 1947].
sub arrangements {
	my ($n, $m) = @_;
	return (1) if $n == 0 || $m == 0;
	my @from = ([arrangements($n - 1, $m)], [arrangements($n, $m - 1)]);
	my @count = (0) x ($n * $m + 1);
	$count[$_ + $m] += $from[0][$_] for 0 .. $#{ $from[0] };
	$count[$_] += $from[1][$_] for 0 .. $#{ $from[1] };
	return @count;
}

# The 95 % interval from all pairs, widened to the estimate.
sub over_runs {
	my ($before, $after, $combine, $estimate) = @_;
	my @count = arrangements(scalar @$before, scalar @$after);
	my ($k, $below, $all) = (0, 0, sum(@count));
	$k++ while ($below += $count[$k]) <= 0.025 * $all;
	return unless $k > 0;
	my @pair = sort { $a <=> $b } map { my $y = $_; map { $combine->($_, $y) } @$before } @$after;
	my ($low, $high) = ($pair[$k - 1], $pair[@pair - $k]);
	return ($estimate < $low ? $estimate : $low, $estimate > $high ? $estimate : $high);
}

# ---- comparisons of two runs ----

# Terms of the decomposition: "Name|Value|ResourceType" -> change; [before, after, change] of levels.
sub decompose {
	my ($before, $after) = @_;
	my (%term, %type);
	for (0, 1) {
		my $durations = ($before, $after)[$_]{durations};
		for my $key (keys %$durations) {
			my ($value, $rtype) = split /\|/, $key;
			$type{$value}{$rtype}[$_] = $durations->{$key};
		}
	}
	for my $value (keys %type) {
		my $of = $type{$value};
		my @n = map { my $side = $_; sum(map { scalar @{ $_->[$side] // [] } } values %$of) } 0, 1;
		my ($cost, $allocation) = (0, 0);
		for my $rtype (keys %$of) {
			my @mean = map { $of->{$rtype}[$_] ? mean(@{ $of->{$rtype}[$_] }) : undef } 0, 1;
			$mean[0] //= $mean[1];
			$mean[1] //= $mean[0];
			my @share = map { $n[$_] ? @{ $of->{$rtype}[$_] // [] } / $n[$_] : undef } 0, 1;
			$share[0] //= $share[1];
			$share[1] //= $share[0];
			$cost += mean(@share) * mean(@mean);
			$allocation += mean(@n) * ($share[1] - $share[0]) * mean(@mean);
			$term{"effect.duration|$value|$rtype"} = mean(map { scalar @{ $of->{$rtype}[$_] // [] } } 0, 1) * ($mean[1] - $mean[0]);
		}
		$term{"effect.allocation|$value|"} = $allocation;
		$term{"effect.count|$value|"} = ($n[1] - $n[0]) * $cost;
	}
	for my $key (grep { /^runs\|workers\|\|./ } keys %{ { %{ $before->{number} }, %{ $after->{number} } } }) {
		my $change = ($after->{number}{$key} // 0) - ($before->{number}{$key} // 0);
		$term{ 'effect.workers||' . ($key =~ s/.*\|//r) } = -$change * mean($before->{makespan}, $after->{makespan}) if $change;
	}
	my @levels = (['busy', $before->{busy}, $after->{busy}],
		['idle', map { $_->{workers} * $_->{makespan} - $_->{busy} } $before, $after],
		(map { ["idle.$_", $before->{idle}{$_} // 0, $after->{idle}{$_} // 0] } keys %{ { %{ $before->{idle} }, %{ $after->{idle} } } }),
		map { ["blame.$_", $before->{blame}{$_} // 0, $after->{blame}{$_} // 0] } keys %{ $before->{blame} });
	$term{"effect.overlap||"} = $before->{overlap} - $after->{overlap} if abs($before->{overlap} - $after->{overlap}) > 1e-6;
	$term{'total||'} = mean($before->{workers}, $after->{workers}) * ($after->{makespan} - $before->{makespan});
	$term{"$_->[0]||"} = [$_->[1], $_->[2], $_->[2] - $_->[1]] for @levels;
	return \%term;
}

# Pairs of tasks: the same type and coordinates, else tag, else JobId, each unique on its side.
sub match {
	my ($before, $after) = @_;
	my (@pairs, %n, %done);
	for my $key ('Coordinates', 'Tag', 'JobId') {
		my @by = map { my $side = $_; my %by;
			for (@{ $_->{tasks} }) {
				next if $done{$_} || ($_->{$key} // '') =~ /^,*$/;
				push @{ $by{"$_->{Value}|$_->{$key}"} }, $_;
			}
			\%by } $before, $after;
		for (grep { @{ $by[0]{$_} } == 1 && $by[1]{$_} && @{ $by[1]{$_} } == 1 } keys %{ $by[0] }) {
			my @pair = ($by[0]{$_}[0], $by[1]{$_}[0]);
			@done{@pair} = (1, 1);
			push @pairs, \@pair;
			$n{$key}++;
		}
	}
	return (\@pairs, { coordinates => $n{Coordinates} // 0, tag => $n{Tag} // 0, job => $n{JobId} // 0,
		order => 0 });
}

sub order {
	my ($before, $after, $pairs, $how) = @_;
	my %x = ('matched||' => ['', scalar @$pairs], 'unmatched||' => [map { @{ $_->{tasks} } - @$pairs } $before, $after]);
	$x{"matched.$_||"} = ['', $how->{$_}] for keys %$how;
	my (%of, %moved);
	for (@$pairs) {
		my ($x, $y) = @$_;
		push @{ $of{ $x->{Value} } }, $_;
		push @{ $of{''} }, $_;
		for my $value ('', $x->{Value}) {
			$moved{"moved.type|$value|"} += $x->{ResourceType} ne $y->{ResourceType};
			$moved{"moved.worker|$value|"} += $x->{ResourceId} ne $y->{ResourceId};
		}
		$moved{"moved.$x->{ResourceType}.$y->{ResourceType}|$x->{Value}|"}++ if $x->{ResourceType} ne $y->{ResourceType};
	}
	$x{$_} = ['', $moved{$_}] for keys %moved;
	for my $value (keys %of) {
		my ($inverted, @of) = (0, @{ $of{$value} });
		for my $i (0 .. $#of) {
			my ($p, $q) = ($of[$i][0]{Start}, $of[$i][1]{Start});
			for (@of[0 .. $i - 1]) { $inverted++ if ($_->[0]{Start} - $p) * ($_->[1]{Start} - $q) < 0; }
		}
		$x{"inversions|$value|"} = ['', 100 * $inverted / (@of * (@of - 1) / 2)] if @of > 1;
	}
	return \%x;
}

# ---- the check ----

sub check {
	my ($column, $got, $want, $what) = @_;
	$want //= '';
	my $number = $want =~ /^[-+.\d]+(?:e[-+]?\d+)?$/i && $got =~ /^[-+.\d]+(?:e[-+]?\d+)?$/i;
	my $same = $number ? abs($got - $want) <= 1.5e-6 + 1e-6 * abs($want) : $got eq $want;
	if ($same) { $agree{$column}++ if $want ne ''; return; }
	$differ{$column}++;
	print "$what: $column is '$got', computed '$want'\n";
}

my @runs = map { [map { read_run($_) } @{ $files{$_} }] } @label;
my @shown = map { my @by = sort { $a->{makespan} <=> $b->{makespan} } @$_; $by[(@by - 1) / 2] } @runs;
my %unit = (repeats => 'runs', makespan => 'ms', 'makespan.median' => 'ms', workers => 'workers', tasks => 'tasks', idleness => '%',
	share => '%', ideal => 'tasks', inversions => '%', (map { ($_ => 'ms', "$_.gap" => '%') } @bounds), duration => 'ms',
	'chain.tasks' => 'tasks', lost => 'ms', start => 'ms', ended => 'ms', done => 'GFlop');
# Numbers that are 0 in a run that lacks them; those with a ratio.
my $zero = qr/^(?:types\|tasks|allocation|chain|runs\|workers)/;
my $ratio = qr/^(?:runs|bounds\|[\w-]+\||types|order\|none)/;
my ($terms, ($pairs, $how)) = (decompose(@shown), match(@shown));
my $order = order(@shown, $pairs, $how);
my %pair = map { ($_->[0]{JobId} => $_) } @$pairs;
my (@lost, %ranked);

for my $row (rows_of('compare', '-q', '--csv', '--durations-from', 'own', map { my $l = $_; map { "$l=$_" } @{ $files{$l} } } @label)) {
	my ($section, $name) = @$row{qw(Section Name)};
	my $key = "$section|$name|$row->{Value}|$row->{ResourceType}";
	my %want = (Base => $label[0], Run => $label[1]);
	if ($section eq 'verdict' || $section eq 'settings' || $name eq 'makespan.median' || $name eq 'repeats') {
		next;
	} elsif ($section eq 'decomposition') {
		$ranked{ $row->{Rank} } = [$name, $row->{Change}] if $row->{Rank} ne "";
		my $term = delete $terms->{"$name|$row->{Value}|$row->{ResourceType}"};
		$want{Unit} = 'worker-ms';
		if (ref $term) { @want{qw(Before After Change)} = @$term; } else { $want{Change} = $term // 'no such term'; }
	} elsif ($section eq 'account') {
		my $of = "$name|$row->{Value}|$row->{ResourceType}";
		my @of = map { $_->{account}{$of} // ($name eq 'account.price' ? '' : 0) } @shown;
		delete $_->{account}{$of} for @shown;
		@want{qw(Before After)} = @of;
		$want{Change} = $of[1] - $of[0] unless grep { $_ eq '' } @of;
		$want{Unit} = 'ms' unless $name eq 'account.price';
	} elsif ($section eq 'order') {
		@want{qw(Before After)} = @{ delete $order->{"$name|$row->{Value}|$row->{ResourceType}"} // ['none', 'none'] };
		$want{Change} = $want{After} - $want{Before} if $want{Before} =~ /\d/;
		$want{Unit} = $name eq 'inversions' ? '%' : 'tasks';
	} elsif ($section eq 'lost') {
		my ($x, $y) = @{ $pair{ $row->{JobBefore} } };
		my @since = map { $_->{End} - $_->{Released} } $x, $y;
		@want{qw(Before After Change Unit)} = (@since, $since[1] - $since[0], 'ms');
		@want{qw(JobAfter WorkerBefore WorkerAfter)} = ($y->{JobId}, $x->{ResourceId}, $y->{ResourceId});
		$want{WaitChange} = ($y->{Start} - $y->{Released}) - ($x->{Start} - $x->{Released});
		$want{DurationChange} = ($y->{End} - $y->{Start}) - ($x->{End} - $x->{Start});
		push @lost, $row->{Change};
		$want{Rank} = @lost;
	} else {
		my @of = map { my $run = $_; [map { $_->{number}{$key} // ($key =~ $zero ? 0 : ()) } @$run] } @runs;
		my @all = map { @{ $of[$_] } == @{ $runs[$_] } } 0, 1;
		@want{qw(Before After)} = map { @$_ ? median(@$_) : '' } @of;
		$want{Change} = $want{After} - $want{Before} if $want{Before} ne '' && $want{After} ne '';
		$want{Ratio} = $want{After} / $want{Before} if $key =~ $ratio && $want{Before} && $want{After} ne '';
		if ($all[0] && $all[1]) {
			@want{qw(Low High)} = over_runs(@of, sub { $_[1] - $_[0] }, $want{Change});
			@want{qw(RatioLow RatioHigh)} = over_runs(@of, sub { $_[0] > 0 ? $_[1] / $_[0] : 9e99 }, $want{Ratio}) if defined $want{Ratio};
		}
		my ($of) = $key =~ /^types\|duration\|(.*)/;
		@want{qw(WithinLow WithinHigh)} = welch(map { $_->{durations}{$of} } @shown) if defined $of;
		$want{Unit} = $unit{$name} // 'ms';
		delete $_->{number}{$key} for @{ $runs[0] }, @{ $runs[1] };
	}
	check($_, $row->{$_}, $want{$_}, "$key $row->{JobBefore}") for grep { $section ne 'decomposition' || $_ ne 'Rank' }
		grep { $_ ne 'JobBefore' || $section ne 'lost' }
		qw(Base Run Unit Before After Change Ratio Low High RatioLow RatioHigh WithinLow WithinHigh Rank
		JobAfter JobBefore WorkerBefore WorkerAfter WaitChange DurationChange Elapsed);
}

# Nothing may be missing: what is left over is 0 in both runs.
for (sort keys %$terms) {
	my $term = $terms->{$_};
	check('Name', 'nothing', $_, 'decomposition') if abs(ref $term ? $term->[0] + $term->[1] : $term) > 1e-6;
}
for my $run (@shown) {
	check('Name', 'nothing', $_, 'account') for grep { $run->{account}{$_} != 0 } sort keys %{ $run->{account} };
}
check('Name', 'nothing', $_, 'order') for grep { ($order->{$_}[1] || 0) > 0 && !/^moved\.(?:type|worker)\|./ } sort keys %$order;
for my $run (@{ $runs[0] }, @{ $runs[1] }) {
	check('Name', 'nothing', $_, 'numbers') for grep { $run->{number}{$_} && !/^runs\|repeats/ } sort keys %{ $run->{number} };
}
my @worst = sort { $b <=> $a } map { ($_->[1]{End} - $_->[1]{Released}) - ($_->[0]{End} - $_->[0]{Released}) } @$pairs;
check('Change', $lost[$_], $worst[$_], "lost $_") for 0 .. $#lost;

# Ranks of the decomposition: by size, but first the largest term, in the direction of the change,
# of the first group that adds at least half the change of the makespan, else of the largest group.
sub group_of {
	return 0 if $_[0] eq 'effect.workers';
	return 1 unless $_[0] =~ /^idle\./;
	return $_[0] =~ /data|runtime|mpi|not-submitted/ ? 2 : $_[0] =~ /elsewhere|unsuited/ ? 3 : 4;
}
my @ranks = map { $ranked{$_} // ['missing', 0] } 1 .. keys %ranked;
my $difference = $shown[1]{makespan} - $shown[0]{makespan};
my ($sign, $half, @sum) = ($difference < 0 ? -1 : 1, abs($difference) / 2, (0) x 5);
$sum[group_of($_->[0])] += $sign * $_->[1] for @ranks;
my ($group) = $sum[0] >= $half ? 0 : $sum[1] >= $half || $sum[2] >= $half ? ($sum[1] >= $sum[2] ? 1 : 2)
	: ((grep { $sum[$_] >= $half } 3, 4), sort { $sum[$b] <=> $sum[$a] } 0 .. 4);
my @in_group = sort { $b <=> $a } map { $sign * $_->[1] } grep { group_of($_->[0]) == $group } @ranks;
check('Rank', "$ranks[0][0] $ranks[0][1]", "$ranks[0][0] " . $sign * $in_group[0], 'the first rank') if $difference;
for (2 .. $#ranks) {
	check('Rank', abs($ranks[$_][1]) <= abs($ranks[$_ - 1][1]) ? $_ + 1 : 'larger', $_ + 1, "rank of $ranks[$_][0]");
}

# The long sections.
for my $row (rows_of('compare', '-q', '--csv', '--section', 'shift', map { my $l = $_; map { "$l=$_" } @{ $files{$l} } } @label)) {
	my $pair = $pair{ $row->{JobBefore} } or check('JobBefore', $row->{JobBefore}, 'none', 'shift'), next;
	check('JobAfter', $row->{JobAfter}, $pair->[1]{JobId}, 'shift');
	check('Before', $row->{Before}, $pair->[0]{Start} - $shown[0]{first}, 'shift');
	check('After', $row->{After}, $pair->[1]{Start} - $shown[1]{first}, 'shift');
	delete $pair{ $row->{JobBefore} };
}
check('Name', 'nothing', $_, 'shift') for sort keys %pair;
my @ended = map { my $side = $_; [sort { $a <=> $b } map { $_->[$side]{End} - $shown[$side]{first} } @$pairs] } 0, 1;
for my $row (rows_of('compare', '-q', '--csv', '--section', 'progress', map { my $l = $_; map { "$l=$_" } @{ $files{$l} } } @label)) {
	my @want = map { $ended[$_][$row->{Rank} - 1] } 0, 1;
	check('Before', $row->{Before}, $want[0], "progress $row->{Rank}");
	check('After', $row->{After}, $want[1], "progress $row->{Rank}");
	check('Rank', $row->{Rank}, $row->{Rank}, 'progress');
}
my %work = map { ($_ => [sort { $a->{End} <=> $b->{End} } @{ $shown[$_]{tasks} }]) } 0, 1;
for my $row (rows_of('compare', '-q', '--csv', '--section', 'work', map { my $l = $_; map { "$l=$_" } @{ $files{$l} } } @label)) {
	my @done = map { my $side = $_;
		sum(map { $_->{GFlop} || 0 } grep { $_->{End} - $shown[$side]{first} <= $row->{Elapsed} + 5e-7 } @{ $work{$side} }) } 0, 1;
	check('Before', $row->{Before}, $done[0], "work at $row->{Elapsed}");
	check('After', $row->{After}, $done[1], "work at $row->{Elapsed}");
	check('Elapsed', $row->{Elapsed}, $row->{Elapsed}, 'work');
}
print "agree: ", join(' ', map { "$_=$agree{$_}" } sort keys %agree), "\n";
exit(%differ ? 1 : 0);
