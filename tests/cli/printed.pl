#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# printed.pl TRACE PANEL...: compares the numbers printed in figures of TRACE, read from the boxes
# (--to csv), with those computed from the passes' output. PANEL "page": header, legend, margins.
# Prints each difference and at the end the count of numbers that agree; status 1 if some differ.
use strict;
use warnings;
use POSIX qw(ceil);
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

my ($trace, @panels) = @ARGV;
my ($agree, $differ, $makespan) = (0, 0);
my %unit = (ns => 1e-6, us => 1e-3, ms => 1, s => 1e3, min => 6e4, h => 3.6e6, d => 8.64e7);

# The rows of a table, each a hash by column.
sub rows_of {
	open my $in, '-|', 'traceviz', @_ or die "traceviz @_: $!\n";
	my @rows = rows_from($in);
	close $in or die "traceviz @_: status $?\n";
	return @rows;
}

my %results;
sub pass { return @{ $results{"@_"} //= [rows_of(@_, '-q', '--csv', $trace)] }; }

# Texts of a figure: class -> [{ x, y (its middle), text }].
sub texts {
	my %texts;
	for my $row (grep { $_->{Shape} eq 'text' } rows_of($trace, '-q', '--panels', $_[0], '-o', '-', '--to', 'csv')) {
		push @{ $texts{ $row->{Class} } },
			{ x => $row->{X}, y => $row->{Y} + $row->{Height} / 2, text => $row->{Text} };
	}
	return \%texts;
}

sub wrong { $differ++; print "$trace: @_\n"; return; }

sub same {
	my ($printed, $value, $what) = @_;
	return wrong("$what: printed '" . ($printed // 'nothing') . "', computed '" . ($value // 'nothing') . "'")
		unless defined $printed && defined $value && $printed eq $value;
	$agree++;
}

# Whether the printed number is the value rounded to as many decimals as are printed.
sub near {
	my ($printed, $value, $what) = @_;
	return wrong("$what: not both there: '" . ($printed // '') . "', '" . ($value // '') . "'")
		unless defined $printed && defined $value && $value ne '';
	my $small = $printed =~ s/^<//;
	my $factor = $printed =~ s/([kMGT])$// ? { k => 1e3, M => 1e6, G => 1e9, T => 1e12 }->{$1} : 1;
	return wrong("$what: '$printed' is no number") unless $printed =~ /^[-+]?\d+(?:\.(\d+))?$/;
	my $half = 0.5 * 10**-length($1 // '') * $factor * (1 + 1e-6) + abs($value) * 1e-12;
	return wrong("$what: printed '$printed', computed $value")
		unless $small ? $value > 0 && $value < $printed : abs($printed * $factor - $value) <= $half;
	$agree++;
}

# "4.196 s", or "4.196" in the unit of the makespan, against milliseconds.
my $page_unit;
sub near_time {
	my ($printed, $ms, $what) = @_;
	my ($number, $unit) = ($printed // '') =~ /^(\S+)(?: (\w+))?$/;
	return near($number, $ms / $unit{ $unit // $page_unit }, $what);
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum; }
sub maximum { my $max = shift; for (@_) { $max = $_ if $_ > $max; } return $max; }
sub minimum { my $min = shift; for (@_) { $min = $_ if $_ < $min; } return $min; }
sub tasks { return grep { $_->{Kind} eq 'app' && $_->{Start} ne '' && $_->{End} ne '' } pass('outliers'); }
sub is_one { return grep { $_->{Outlier} ne '' && $_->{Outlier} == 1 } @_; }

sub bounds {
	my %bound = map { $_->{Bound} => $_ } grep { $_->{Node} eq '' } pass('bounds');
	return \%bound;
}

# The mean over time and the maximum of rows with Start, End and a value.
sub curve {
	my ($value, @rows) = @_;
	my $length = sum(map { $_->{End} - $_->{Start} } @rows);
	return (sum(map { ($_->{End} - $_->{Start}) * $value->($_) } @rows) / $length, maximum(map { $value->($_) } @rows));
}

sub check_curve {
	my ($title, $value, @rows) = @_;
	my ($mean, $max) = curve($value, @rows);
	return wrong("no mean in '$title'") unless $title =~ /mean ([\d.]+)(?:, max ([\d.]+))?/;
	near($1, $mean, "mean in '$title'");
	near($2, $max, "max in '$title'") if defined $2;
}

# "label number" keys: checks each label with its number, and that all expected ones are there.
sub check_keys {
	my ($keys, $what, %want) = @_;
	my %seen;
	for (@$keys) {
		next unless $_->{text} =~ /^(.*?) (<?[\d.]+)(?: %)?$/ && exists $want{$1};
		near($2, $want{$1}, "$what: $1");
		$seen{$1} = 1;
	}
	for (sort keys %want) { wrong("$what: no key of $_") unless $seen{$_}; }
}

# A row, a column: what belongs to a tile of a type. Tiles are the cells between titles.
sub tile_of {
	my ($titles, $text) = @_;
	my @above = grep { $_->{y} < $text->{y} && $_->{x} < $text->{x} + 9 } @$titles;
	my $left = maximum(map { $_->{x} } @above);
	my @column = sort { $b->{y} <=> $a->{y} } grep { abs($_->{x} - $left) < 1 } @above;
	return $column[0]{text};
}

# Tiles' titles, and the numbers beside them: [title, number].
sub tiles {
	my ($texts) = @_;
	my @titles = grep { $_->{text} !~ /^\d/ } @{ $texts->{type} };
	my @numbers = grep { $_->{text} =~ /^\d/ } @{ $texts->{type} };
	return (\@titles, map { my $title = $_;
		my ($beside) = sort { $a->{x} <=> $b->{x} } grep { abs($_->{y} - $title->{y}) < 2 && $_->{x} > $title->{x} } @numbers;
		[$title->{text}, $beside->{text}] } @titles);
}

my %check;

$check{page} = sub {
	my $texts = texts('spacetime');
	my ($bound, $printed) = (bounds(), join ' ', map { $_->{text} } @{ $texts->{header} });
	my %idle;
	push @{ $idle{ $_->{ResourceType} } }, $_ for pass('idleness');
	near($printed =~ /(\d+) nodes/ ? $1 : 1, scalar keys %{ { map { $_->{Node} => 1 } pass('idleness') } }, 'nodes');
	near($printed =~ /(\d+) tasks/ ? $1 : undef, sum(map { $_->{Tasks} } pass('summary')), 'tasks');
	for my $type (sort keys %idle) {
		near($printed =~ /\b(\d+) \Q$type\E\b/ ? $1 : undef, scalar @{ $idle{$type} }, "workers of type $type");
		near($printed =~ /(?:idle |, )\Q$type\E ([\d.]+) %/ ? $1 : undef,
			sum(map { $_->{Idleness} } @{ $idle{$type} }) / @{ $idle{$type} }, "idle $type");
	}
	for (['ABE', 'abe'], ['CPE', 'cpe']) {
		my ($name, $row) = ($_->[0], $bound->{ $_->[1] });
		next unless $row;
		near_time($printed =~ /\b$name ([\d.]+(?: [mnu]?s)?)(?: \(| \xc2?\xb7)/ ? $1 : undef, $row->{Time}, $name);
		my $gap = $printed =~ /\b$name [\d.]+ \(run ([-+][\d.]+) %\)/ ? $1 : undef;
		# Of a bound that is far below the run the gap is left out.
		if ($row->{Gap} > 100) { defined $gap ? wrong("gap of $name: $gap") : $agree++ }
		else { near($gap, $row->{Gap}, "gap of $name") }
	}
	for (@{ $texts->{'bound-name'} }) {
		my ($name, $time) = $_->{text} =~ /^(\w+) (.*)/;
		near_time($time, $bound->{ lc $name }{Time}, "label of $name");
	}
	my %count;
	$count{ $_->{Value} } += $_->{Tasks} for pass('summary');
	my $outliers = is_one(tasks());
	for (@{ $texts->{'legend-text'} }) {
		my ($name, $count) = $_->{text} =~ /^(.*) \(?(\d+)\)?$/ or next;
		($name) = grep { $_ =~ /^\Q$`\E.*\Q$'\E$/ } keys %count if $name =~ /\xe2\x80\xa6/;	# shortened
		$count{'dark = outlier'} = $outliers if $name eq 'dark = outlier';
		near($count, delete $count{$name}, "legend: $name") unless $name eq 'setup, runtime';
	}
	wrong("legend without @{[sort keys %count]}") if %count && !grep { $_->{text} =~ /^other/ } @{ $texts->{'legend-text'} };
	my @names = @{ $texts->{name} };
	for my $number (grep { $_->{text} =~ /^\d/ } @{ $texts->{idleness} }) {
		my ($name) = grep { abs($_->{y} - $number->{y}) < 0.5 } @names;
		my @row = grep { $name && ($_->{ResourceId} eq $name->{text} || $_->{ResourceId} =~ /_\Q$name->{text}\E$/) } pass('idleness');
		near($number->{text}, $row[0]{Idleness}, 'idleness of ' . ($name ? $name->{text} : 'no row')) if @row == 1;
	}
};

$check{'idle-causes'} = sub {
	my $keys = texts('idle-causes')->{key};
	my %want;
	for my $row (grep { $_->{Node} eq '' && $_->{ResourceType} eq '' } pass('idle-causes')) {
		my $whole = ($row->{End} - $row->{Start}) * $row->{Workers};
		for (['Task', 'task'], ['Message', 'message'], ['Waiting', 'waiting'], ['Submission', 'submission'], ['NoNextTask', 'no next task']) {
			my $time = $row->{"Blame$_->[0]"};
			$want{"dependencies: $_->[1]"} = 100 * $time / $whole
				if $row->{Cause} eq "dependencies" && 100 * $time / $whole >= 0.005;
		}
		$want{ $row->{Cause} } = $row->{Share} if $row->{Cause} ne "dependencies" && $row->{Share} >= 0.005;
	}
	$want{"unsuited (no task of a type that ran here)"} = delete $want{unsuited} if exists $want{unsuited};
	$want{"mpi (waits for a message)"} = delete $want{mpi} if exists $want{mpi};
	check_keys($keys, 'idle-causes', %want);
};

my %curve = (ready => ['ready', 'ready'], submitted => ['submitted', 'not started'], concurrency => ['concurrency', 'running'],
	gflops => ['throughput', 'GFlop/s']);
for my $panel (keys %curve) {
	my ($pass, $name) = @{ $curve{$panel} };
	$check{$panel} = sub {
		check_curve(texts($panel)->{'panel-title'}[0]{text}, sub { $_[0]{Value} }, grep { $_->{Curve} eq $name } pass($pass));
	};
}

# Workers in use by type: the groups are task types, whose sum counts.
$check{share} = sub {
	for (@{ texts('share')->{'panel-title'} }) {
		my ($type, $mean) = $_->{text} =~ /^\d+ (.*) in use, %: mean ([\d.]+)/ or next;
		my @rows = grep { $_->{Curve} eq $type } pass('share');
		my $length = maximum(map { $_->{End} } @rows) - minimum(map { $_->{Start} } @rows);
		near($mean, sum(map { ($_->{End} - $_->{Start}) * $_->{Value} } @rows) / $length, "share of $type");
	}
};

sub iterations {
	my %span;
	for (grep { $_->{Kind} eq 'app' && $_->{Iteration} ne '' } pass('iterations')) {
		my $span = $span{ $_->{Iteration} } //= [$_->{Start}, $_->{End}];
		@$span = (minimum($span->[0], $_->{Start}), maximum($span->[1], $_->{End}));
	}
	my ($open, $last, @rows) = (0, 0);
	for (sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } map { ([$_->[0], 1], [$_->[1], -1]) } values %span) {
		push @rows, { Start => $last, End => $_->[0], Value => $open } if $_->[0] > $last;
		($open, $last) = ($open + $_->[1], maximum($last, $_->[0]));
	}
	return (scalar keys %span, @rows);
}

$check{progress} = sub {
	my ($n, @rows) = iterations();
	my ($title) = map { $_->{text} } @{ texts('progress')->{'panel-title'} };
	near($title =~ /iterations: (\d+)/ ? $1 : undef, $n, 'iterations');
	near($title =~ /(\d+) open/ ? $1 : undef, (curve(sub { $_[0]{Value} }, @rows))[1], 'open iterations');
};

$check{'open-iterations'} = sub {
	my ($n, @rows) = iterations();
	check_curve(texts('open-iterations')->{'panel-title'}[0]{text}, sub { $_[0]{Value} }, @rows);
};

$check{abe} = sub {
	my $texts = texts('abe');
	my ($titles, @tiles) = tiles($texts);
	my %row = map { ("$_->{Value} $_->{ResourceType}" => $_) } grep { $_->{Node} eq '' } pass('abe');
	my %durations;
	push @{ $durations{"$_->{Value} $_->{ResourceType}"} }, $_->{End} - $_->{Start} for tasks();
	near($row{$_}{MeanDuration}, sum(@{ $durations{$_} }) / @{ $durations{$_} }, "abe: mean duration of $_") for sort keys %durations;
	my %sum;
	for (values %row) { $sum{ $_->{Value} } += $_->{Actual}; }
	near($_->[1], $sum{ $_->[0] }, "abe: tasks of $_->[0]") for @tiles;
	for (['run-number', 'Actual'], ['ideal-number', 'Ideal']) {
		my ($class, $column) = @$_;
		for my $number (@{ $texts->{$class} }) {
			my ($type) = sort { abs($a->{y} - $number->{y}) <=> abs($b->{y} - $number->{y}) || $b->{x} <=> $a->{x} }
				grep { $_->{x} < $number->{x} } @{ $texts->{'resource-type'} };
			my $name = tile_of($titles, $number);
			my $value = ($row{"$name $type->{text}"} // { $column => 0 })->{$column};
			$value *= 100 / $sum{$name} if (my $printed = $number->{text}) =~ s/ %$//;
			near($number->{text} =~ s/ %$//r, $value, "abe: $column of $name on $type->{text}");
		}
	}
};

$check{starvation} = sub {
	my $texts = texts('starvation');
	my @rows = grep { $_->{Node} eq '' } pass('starvation');
	for (['Lack', 'panel-title'], ['Drain', 'key']) {
		my ($column, $class) = @$_;
		my $whole = sum(map { ($_->{End} - $_->{Start}) * $_->{Workers} } @rows);
		my ($printed) = map { $_->{text} =~ /(?:task: |^drain )([\d.]+) %/ ? $1 : () } @{ $texts->{$class} };
		near($printed, 100 * sum(map { ($_->{End} - $_->{Start}) * $_->{$column} } @rows) / $whole, "starvation: $column")
			if defined $printed || $class eq 'panel-title';
	}
};

$check{utilization} = sub {
	my ($title) = map { $_->{text} } @{ texts('utilization')->{'panel-title'} };
	my ($makespan, $n) = (bounds()->{makespan}{Time}, scalar(my @workers = pass('idleness')));
	near($title =~ /mean ([\d.]+) %/ ? $1 : undef, 100 * sum(map { $_->{Busy} } pass('idleness')) / ($n * $makespan), 'utilization');
};

# Mean, max and standard deviation of the workers' busy shares; imbalance time max - mean;
# imbalance percent (max - mean) / max * n / (n - 1) [DeRose et al., 2007].
$check{imbalance} = sub {
	my $makespan = bounds()->{makespan}{Time};
	my @busy = map { 100 * $_->{Busy} / $makespan } pass('idleness');
	my ($mean, $max, $n) = (sum(@busy) / @busy, maximum(@busy), scalar @busy);
	check_keys(texts('imbalance')->{key}, 'imbalance', mean => $mean, max => $max, 'imbalance time' => $max - $mean,
		'imbalance percent' => 100 * ($max - $mean) / $max * $n / ($n - 1),
		sd => sqrt(sum(map { ($_ - $mean)**2 } @busy) / ($n - 1)));
};

$check{lifecycle} = sub {
	my $texts = texts('lifecycle');
	my ($titles) = tiles($texts);
	my %row = map { ("$_->{Value} $_->{ResourceType} $_->{Stage}" => $_) } pass('lifecycle-summary');
	for my $number (@{ $texts->{'median-number'} }) {
		my $title = tile_of($titles, $number);
		my ($phase) = sort { $b->{x} <=> $a->{x} } grep { abs($_->{y} - $number->{y}) < 1 && $_->{x} < $number->{x} } @{ $texts->{phase} };
		near_time($number->{text}, $row{"$title $phase->{text}"}{Median}, "lifecycle: $title, $phase->{text}");
	}
};

for (['durations', 'outliers'], ['regression', 'outliers', '--model', 'regression']) {
	my ($panel, @pass) = @$_;
	$check{$panel} = sub {
		my %tasks;
		push @{ $tasks{"$_->{Value} $_->{ResourceType}"} }, $_ for grep { $_->{Kind} eq 'app' } pass(@pass);
		my (undef, @tiles) = tiles(texts($panel));
		for (@tiles) {
			my ($title, $text) = @$_;
			my @of = @{ $tasks{$title} // [] };
			near($text =~ /^(\d+),/ ? $1 : undef, scalar @of, "$panel: $title");
			near($1, scalar(is_one(@of)), "$panel: outliers of $title") if $text =~ /(\d+) outlier/;
			near_time($1, sum(map { $_->{End} - $_->{Start} } @of) / @of, "$panel: duration of $title") if $text =~ /all (.*)/;
		}
	};
}

$check{states} = sub {
	my $texts = texts('states');
	my ($types) = $texts->{'panel-title'}[0]{text} =~ /% of (.*) time/ or return wrong('no types in the title of states');
	my @types = split m{ / }, $types;
	my %share;
	for (pass('states')) {
		my $name = $_->{Nature} eq 'state' ? $_->{Value} : $_->{Nature} =~ /^task/ ? 'tasks' : $_->{Nature};
		$share{$name}{ $_->{ResourceType} } += $_->{Share};
	}
	for (@{ $texts->{key} }) {
		my ($name, $numbers) = $_->{text} =~ /^(.*?) ((?:<?[\d.]+(?: \/ )?)+)$/ or next;
		my @numbers = split m{ / }, $numbers;
		for my $i (0 .. $#types) {
			near($numbers[$i], $share{$name}{ $types[$i] } // 0, "states: $name on $types[$i]") if exists $share{$name};
		}
	}
};

$check{events} = sub {
	my %count;
	$count{ $_->{Name} }++ for pass('events');
	check_keys(texts('events')->{key}, 'events', %count);
};

$check{'open-fronts'} = sub {
	my %name = ('open, pruned' => ['open', 'pruned'], open => ["open", "not pruned"], 'computing, pruned' => ['computing', 'pruned'],
		computing => ["computing", "not pruned"]);
	for my $key (@{ texts('open-fronts')->{key} }) {
		my ($name) = $key->{text} =~ /^(.*): mean/ or next;
		my ($curve, $group) = @{ $name{$name} };
		my @rows = grep { $_->{Curve} eq $curve } pass('open-fronts');
		my %at;	# the groups have no common times
		for my $time (map { $_->{Start} } @rows) { $at{$time} = 1; }
		my @times = (sort({ $a <=> $b } keys %at), maximum(map { $_->{End} } @rows));
		my @sum = map { my $i = $_;
			{ Start => $times[$i], End => $times[$i + 1], Value => sum(map { $_->{Value} }
				grep { $_->{Start} <= $times[$i] && $_->{End} > $times[$i] && ($_->{By} eq $group) } @rows) }
		} 0 .. $#times - 1;
		check_curve($key->{text}, sub { $_[0]{Value} }, @sum);
	}
};

$check{'front-memory'} = sub {
	my ($peak, $at);
	for (grep { $_->{Curve} eq 'memory' } pass('front-memory')) {
		($peak, $at) = ($_->{Value}, $_->{Start}) if !defined $peak || $_->{Value} > $peak;
	}
	my ($key) = map { $_->{text} } grep { $_->{text} =~ /^peak/ } @{ texts('front-memory')->{key} };
	near($key =~ /^peak ([\d.]+)/ ? $1 : undef, $peak, 'peak of memory');
	near_time($key =~ / at (.*)/ ? $1 : undef, $at, 'time of the peak');
};

$check{'tree-structure'} = sub {
	my ($title) = map { $_->{text} } @{ texts('tree-structure')->{'panel-title'} };
	my ($key) = map { $_->{text} } @{ texts('tree-structure')->{key} };
	near($title =~ /(\d+) fronts/ ? $1 : undef, scalar(my @fronts = pass('tree')), 'fronts');
	near_time($key =~ /0 to (.*)/ ? $1 : undef, maximum(map { $_->{Time} } pass('tree')), 'time of the longest front');
};

my ($header) = map { $_->{text} } grep { $_->{text} =~ /makespan/ } @{ texts('spacetime')->{header} };
my ($time, $unit) = ($header // '') =~ /makespan ([\d.]+) (\w+)/ or die "$trace: no makespan in the header\n";
$page_unit = $unit;
near_time("$time $unit", bounds()->{makespan}{Time}, 'makespan');
for (@panels) { ($check{$_} // die "no check of panel $_\n")->(); }
print "$agree numbers agree\n";
exit($differ > 0);
