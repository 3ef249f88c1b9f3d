# SPDX-License-Identifier: GPL-3.0-or-later
# html_report.pl -- reads an HTML report of traceviz without its viewer. perl html_report.pl COMMAND FILE ARGS...
#   header FILE [NAME...]       a member of the header, as JSON
#   column FILE NAME...         values of columns, one line each
#   table FILE RUN.TABLE <CSV   compares a table with the CSV of the pass: prints what was compared, and differences
#   last FILE RUN <CSV          the same for the last dependency of each task
#   predecessors FILE RUN       "JobId: JobId ..." of every task, sorted
#   idle FILE RUN BEGIN END     "WORKER CAUSE NS", clipped to a window in ns (min max: all of it)
#   culprits FILE RUN           "WORKER BEGIN END: CULPRIT [NAMES] JOB TIME" of gaps (ms; -: no task)
#   jobs FILE RUN               the JobId of every task
#   lasts FILE RUN              "JOB LAST", the JobIds of each task and of its last dependency, if it has one
#   of_job FILE RUN.TABLE NAME  "JOB VALUE", of a table that has a row for each task
#   busy FILE CHART [FROM TO]   "ROW ITEMS NS" of the rows of a chart; of items that touch FROM..TO (ns)
#   policy FILE                 whether the hashes of the policy are those of script and style
#   outside FILE                the file without script, style and data
#   tiles DIR/index.html        reads all tiles: "N tiles, FAULTS" of them; per level of rows and depth "TYPE NS" sums that differ from those of
#                               the first; of the deepest tiles "ResourceId,Value,Start,End,JobId" of each task (files ./sums and ./tasks)
use strict;
use warnings;
use JSON::PP;
use POSIX ();
use Digest::SHA qw(sha256_base64);
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);

my ($command, $file, @args) = @ARGV;
open(my $in, '<:raw', $file) or die "$file: $!\n";
my $page = do { local $/; <$in> };
my ($head) = $page =~ m{^(.*?)</head>}s;
my @styles = $head =~ m{<style[^>]*>(.*?)</style>}gs;
my ($script) = $page =~ m{<script>(.*?)</script>}s;
my ($text) = $page =~ m{<script type="application/octet-stream" id="tv-data">([!-~]*)</script>};
die "$file: no data\n" unless defined $text;

# Two characters are 13 bits, lowest first; up to 6 bits at the end are one.
sub decode {
	my ($text) = @_;
	my %value;
	$value{$_} = keys %value for grep { !/["<\\]/ } map { chr } 33 .. 126;
	my $bits = join '', map { unpack 'b13', pack 'v', $value{substr $_, 0, 1} + 91 * (length > 1 ? $value{substr $_, 1} : 0) } unpack '(a2)*', $text;
	return pack 'b*', substr($bits, 0, int((length($text) >> 1) * 13 + (length($text) & 1) * 6 >> 3) * 8);
}

my ($data, $header, $base, %known);
sub load {
	my $packed = decode($text);
	gunzip(\$packed => \$data) or die "$file: $GunzipError\n";
	die "$file: no report\n" unless substr($data, 0, 8) eq "TVHTML1\n";
	my $n = unpack('V', substr($data, 8, 4));
	$header = JSON::PP->new->utf8->decode(substr($data, 12, $n));
	$base = int((12 + $n + 7) / 8) * 8;
}

my %size = (u8 => 1, u16 => 2, u32 => 4, i32 => 4, i64 => 8, f32 => 4, f64 => 8);
my %code = (u8 => 'C', u16 => 'v', u32 => 'V', i32 => 'l<', i64 => 'q<', f32 => 'f<', f64 => 'd<');
my %bits = (1 => 'C', 2 => 'v', 4 => 'V', 8 => 'q<');
# What is stored of a column, without its order and what is added then.
sub stored {
	my ($name, $c) = @_;
	my $type = defined $c->{of} ? 'u32' : $c->{type};
	my ($size, $n) = ($size{$type}, $c->{n});
	my %step = map { $_ => 1 } @{$c->{encoding}};
	my $bytes = substr($data, $base + $c->{offset}, $c->{bytes});
	die "$name: $c->{bytes} bytes\n" if length($bytes) != $c->{bytes};
	my $k = 0;
	$bytes = join '', map { $_ < 0 ? substr($bytes, $k++ * $n, $n) : chr($_) x $n } @{$c->{same}} if $c->{same};
	die "$name: $c->{bytes} bytes for $n\n" if length($bytes) != $n * $size;
	if ($step{split}) {
		my @plane = map { substr($bytes, $_ * $n, $n) } 0 .. $size - 1;
		my @all = map { [unpack('C*', $_)] } @plane;
		$bytes = join '', map { my $i = $_; pack('C*', map { $_->[$i] } @all) } 0 .. $n - 1;
	}
	my @v = unpack("$bits{$size}*", $bytes);
	use integer;
	my $mask = $size == 8 ? -1 : (1 << 8 * $size) - 1;
	my $half = $size == 8 ? 9223372036854775807 : $mask >> 1;
	@v = map { (($_ >> 1 & $half) ^ -($_ & 1)) & $mask } @v if $step{zigzag};
	if ($step{delta}) { my $sum = 0; $_ = $sum = ($sum + $_) & $mask for @v }
	if (defined $c->{like}) {
		my ($key, $by, %last) = (column($c->{like}), $c->{order} // $c->{likeAt});
		my $row = defined $by ? column($by) : [0 .. $n - 1];
		for my $i (0 .. $n - 1) {
			my $k = $row->[$i] == 0xffffffff ? 0xffffffff : $key->[$row->[$i]];
			$v[$i] = $last{$k} = ($v[$i] + ($last{$k} // 0)) & $mask;
		}
	}
	return @v;
}
# Places of numbers in ascending order, missing ones last.
sub sorted {
	my ($v) = @_;
	my $low = -9223372036854775807 - 1;
	return sort { ($v->[$a] == $low) <=> ($v->[$b] == $low) || $v->[$a] <=> $v->[$b] || $a <=> $b } 0 .. $#$v;
}
sub column {
	my ($name) = @_;
	return $known{$name} if $known{$name};
	return $known{$name} = made($1, $2) if $name =~ /^(run\d+)\.graph\.(first|before|last|alone)$/;
	my $c = $header->{columns}{$name} or die "$file: no column $name\n";
	return $known{$name} = [sorted(column($c->{sort}))] if defined $c->{sort};
	my ($size, @v) = ($size{$c->{type}}, stored($name, $c));
	if (defined $c->{of}) {
		my $of = column($c->{of});
		# The values of doubles are stored as their bits.
		$of = [unpack('q<*', pack("$code{$header->{columns}{$c->{of}}{type}}*", @$of))] if $size == 8;
		@v = map { $_ == 0xffffffff ? $_ : $of->[$_] } @v;
	}
	{
		use integer;
		if (defined $c->{rank}) {
			my $of = $header->{columns}{$c->{rank}};
			my $rank = 0;
			$v[$_] = ($v[$_] + $rank++) & 0xffffffff for sorted([stored($c->{rank}, $of)]);
		}
		if (defined $c->{order}) { my @from = @v; @v[@{column($c->{order})}] = @from }
		for my $plus (@{$c->{plus} // []}) {
			my $of = column($plus->{name});
			my $at = $plus->{at} ? column($plus->{at}) : undef;
			for my $i (0 .. $#v) {
				my $row = $at ? $at->[$i] : $i;
				next if $row == 0xffffffff;
				my $base = defined $plus->{scale} && abs($of->[$row]) < 2 ** 53 ? scaled($plus->{scale}, $of->[$row]) : $of->[$row];
				$v[$i] += $plus->{minus} ? -$base : $base;
			}
		}
	}
	@v = unpack("$code{$c->{type}}*", pack("$bits{$size}*", @v));
	return $known{$name} = \@v;
}
sub scaled { my ($scale, $number) = @_; no integer; return POSIX::floor($scale * $number) }
# Predecessors and last dependencies: what the graph has, and what follows from it.
sub made {
	my ($run, $which) = @_;
	return [map { column("$run.graph.last")->[$_] == 0xffffffff ? $_ : 0xffffffff } 0 .. $#{column("$run.graph.n")}] if $which eq 'alone';
	my ($count, @first) = (column("$run.graph.n"), 0);
	push @first, $first[-1] + $_ for @$count;
	return \@first if $which eq 'first';
	my ($order, $back, $k, @before) = ($header->{columns}{"$run.job.order"} ? column("$run.job.order") : [0 .. $#$count], column("$run.graph.back"), 0);
	for my $place (0 .. $#$order) {
		my $i = $order->[$place];
		$before[$first[$i] + $_] = $order->[($place - $back->[$k++]) & 0xffffffff] for 0 .. $count->[$i] - 1;
	}
	return \@before if $which eq 'before';
	my ($end, $late) = (column("$run.tasks.End"), column("$run.graph.late"));
	return [map {
		my $best = 0xffffffff;
		for (@before[$first[$_] .. $first[$_ + 1] - 1]) {
			$best = $_ if $end->[$_] != -9223372036854775807 - 1 && ($best == 0xffffffff || $end->[$_] > $end->[$best]);
		}
		($best + $late->[$_]) & 0xffffffff;
	} 0 .. $#$count];
}

my @strings;
sub string {
	my ($id) = @_;
	return '' if $id == 0xffffffff;
	if (!@strings) {
		my $offset = column('strings.offset');
		my $c = $header->{columns}{'strings.bytes'};
		my $bytes = substr($data, $base + $c->{offset}, $c->{bytes});
		@strings = map { substr($bytes, $offset->[$_], $offset->[$_ + 1] - $offset->[$_]) } 0 .. $#$offset - 1;
	}
	return $strings[$id];
}

my $missing = -9223372036854775807 - 1;
sub ms {
	my ($ns) = @_;
	my $sign = $ns < 0 ? '-' : '';
	$ns = -$ns if $ns < 0;
	return sprintf('%s%d.%06d', $sign, do { use integer; $ns / 1000000 }, do { use integer; $ns % 1000000 });
}
sub shortest {
	my ($x) = @_;
	for my $digits (1 .. 17) { my $s = sprintf("%.${digits}g", $x); return $s if $s == $x }
}
# The values of a column of a table as the CSV has them.
sub values_of {
	my ($table, $column) = @_;
	my $name = "$table.$column->{name}";
	my $type = $column->{type};
	my $v = column($name);
	return [map { $_ == $missing ? '' : ms($_) } @$v] if $type eq 'time';
	return [map { $_ == $missing ? '' : $_ } @$v] if $type eq 'int64' || $column->{decimal};
	return [map { $_ != $_ ? '' : shortest($_) } @$v] if $type eq 'double';
	return [map { string($_) } @$v] if $type eq 'label' || $type eq 'text';
	my $first = column("$name.first");
	return [map { join ' ', map { string($v->[$_]) } $first->[$_] .. $first->[$_ + 1] - 1 } 0 .. $#$first - 1];
}

# Rows of a CSV from standard input; the first one is its names.
sub read_csv {
	my $csv = do { local $/; <STDIN> };
	my (@rows, @row);
	while ($csv =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|\z)/g) {
		my ($quoted, $plain, $end) = ($1, $2, $3);
		push @row, defined $quoted ? $quoted =~ s/""/"/gr : $plain;
		if ($end ne ',') { push @rows, [@row]; @row = (); last if pos($csv) == length $csv }
	}
	return @rows;
}
sub same {
	my ($a, $b) = @_;
	return 1 if $a eq $b;
	return $a =~ /^-?[\d.]+(e[-+]?\d+)?$/ && $b =~ /^-?[\d.]+(e[-+]?\d+)?$/ && $a == $b;
}

sub find_table {
	my ($table) = @_;
	my ($run, $name) = $table =~ /^run(\d+)\.(.*)$/ or die "$table: not runN.TABLE\n";
	return $header->{runs}[$run]{tables}{$name} // die "$file: no table $table\n";
}

# Compares columns with the rows of the CSV; the rows of tasks, which the page has in order of time, in any order.
sub compare {
	my ($get, $of_tasks, @rows) = @_;
	my $names = shift @rows;
	my @columns = grep { defined $_->[1] } map { [$_, $get->($names->[$_])] } 0 .. $#$names;
	my $different = 0;
	for (@columns) {
		my ($k, $v) = @$_;
		die "$names->[$k]: " . @$v . " rows, the CSV has " . @rows . "\n" if @$v != @rows;
	}
	my @ours = map { my $i = $_; [map { $_->[1][$i] } @columns] } 0 .. $#rows;
	my @theirs = map { my $row = $_; [map { $row->[$_->[0]] } @columns] } @rows;
	if ($of_tasks) {
		my $key = sub { join "\0", map { /^-?[\d.]+(e[-+]?\d+)?$/ ? $_ + 0 : $_ } @{ $_[0] } };
		for (\@ours, \@theirs) { @$_ = map { $_->[1] } sort { $a->[0] cmp $b->[0] } map { [$key->($_), $_] } @$_ }
	}
	for my $i (0 .. $#rows) {
		for my $c (0 .. $#columns) {
			next if same($ours[$i][$c], $theirs[$i][$c]);
			print "$names->[$columns[$c][0]], row $i: $ours[$i][$c], the CSV has $theirs[$i][$c]\n" if $different++ < 3;
		}
	}
	printf "%d columns, %d rows, %d differences\n", scalar @columns, scalar @rows, $different;
}

# Reads a folder of tiles, and checks each tile against the tasks of the deepest ones.
sub tiles {
	my ($about, $scene) = ($header->{tiles}, $header->{scene});
	my $chart = $scene->{charts}[$about->{chart}];
	my @type = map { $_->{name} } @{$chart->{types}};
	my ($folder) = $file =~ m{^(.*)/};
	my @lanes = map { $_ || 1 } @{column('row.lanes')}[$chart->{row} .. $chart->{row} + $chart->{rows} - 1];
	my ($number, @tile, %task, @fault) = (0);
	my $fault = sub { push @fault, join ' ', @_ };
	my $read = sub {
		my ($tile) = @_;
		my $name = "$folder/tile-$tile->{number}.js";
		open(my $in, '<:raw', $name) or return $fault->("no $name");
		my $script = do { local $/; <$in> };
		$script =~ /^TV[.]tile\($tile->{number},"([!#-;=-[\]-~]*)"\);\n$/ or return $fault->("$name: text");
		$tile->{size} = length $script;
		($text, %known) = $1;
		load();
		$tile->{about} = $header;
		$tile->{$_} = $header->{columns}{$_} ? column($_) : undef
			for qw(item row style gap length value worker job at share marked mark);
		$fault->("$name: begin") if $header->{begin} != $tile->{from};
	};
	for my $shift (0 .. $#{$about->{levels}}) {
		for my $band (0 .. $#{$about->{levels}[$shift]}) {
			my @kind = split //, $about->{levels}[$shift][$band];
			my $walk;
			$walk = sub {
				my ($from, $to, $depth) = @_;
				my $tile = { from => $from, to => $to, shift => $shift, first => $band * (256 << $shift), depth => $depth, kind => shift @kind };
				push @tile, $tile;
				if ($tile->{kind} ne '.') {
					$tile->{number} = $number++;
					$read->($tile);
				}
				my $half = do { use integer; $from + ($to - $from) / 2 };
				$walk->(@$_, $depth + 1) for $tile->{kind} eq '1' ? ([$from, $half], [$half, $to]) : ();
			};
			$walk->($about->{begin}, $about->{begin} + $about->{width}, 0);
			$fault->("tree of $shift $band") if @kind;
		}
	}
	# The tasks, each from the deepest tiles that have it: always the same.
	for my $tile (grep { $_->{item} } @tile) {
		my $at = $tile->{from};
		for my $i (0 .. $#{$tile->{item}}) {
			my $begin = $at + $tile->{gap}[$i];
			my $end = $at = $begin + $tile->{length}[$i];
			my @text = map { $_ == 0xffffffff ? '' : $tile->{about}{strings}[$_] } map { $tile->{$_}[$i] } qw(worker value job);
			my $one = { item => $tile->{item}[$i], row => $tile->{row}[$i], style => $tile->{style}[$i], begin => $begin, end => $end,
				text => join ',', @text[0, 1], ms($begin), ms($end), $text[2] };
			my $before = $task{$one->{item}} //= $one;
			$before->{$_} eq $one->{$_} or $fault->("item $one->{item}: $_") for keys %$one;
			$before->{tiles}{$tile->{number}} = 1;
		}
	}
	my @task = sort { $a->{item} <=> $b->{item} } values %task;
	my %sum;
	for my $tile (@tile) {
		my ($from, $to, $end) = ($tile->{from}, $tile->{to}, $tile->{first} + (256 << $tile->{shift}));
		my (@busy, @mine);
		for my $one (@task) {
			my ($b, $e) = ($one->{begin} > $from ? $one->{begin} : $from, $one->{end} < $to ? $one->{end} : $to);
			next if $one->{row} < $tile->{first} || $one->{row} >= $end || $one->{begin} >= $to
				|| $one->{end} < $from || ($one->{end} == $from && $one->{begin} < $from);
			push @mine, [$one, $b, $e];
			$busy[$one->{style} >> 1] += $e - $b;
		}
		my $name = "tile " . ($tile->{number} // "$from $to");
		if ($tile->{kind} eq '.') { $fault->("$name has tasks") if @mine; next }
		my @told = @{$tile->{about}{busy}};
		$fault->("$name: busy of $type[$_]") for grep { $told[$_] != ($busy[$_] // 0) } 0 .. $#type;
		$fault->("$name: $tile->{size} bytes") if $tile->{size} > 50000;
		push @{$sum{$tile->{shift}}}, [$tile->{depth}, $tile->{kind}, \@told];
		if ($tile->{item}) {
			$fault->("$name: kind") if $tile->{kind} ne '0' || $tile->{shift} > 0;
			$fault->("$name: tasks") if "@{$tile->{item}}" ne join ' ', map { $_->[0]{item} } @mine;
			next;
		}
		my $cells = $tile->{about}{cells};
		my $edge = sub { use integer; my $w = $to - $from; return $from + $w / $cells * $_[0] + $w % $cells * $_[0] / $cells };
		my @edge = map { $edge->($_) } 0 .. $cells;
		my (%time, %all, %mark, @has);
		for (@mine) {
			my ($one, $b, $e) = @$_;
			my ($group, $type) = (($one->{row} - $tile->{first}) >> $tile->{shift}, $one->{style} >> 1);
			my ($first, $last) = map { int(($_ - $from) / ($to - $from) * $cells) } $b, $e;
			for my $c ($first - 1 .. $last + 1) {
				next if $c < 0 || $c >= $cells || $edge[$c + 1] <= $b || $edge[$c] > $e;
				my $part = ($e < $edge[$c + 1] ? $e : $edge[$c + 1]) - ($b > $edge[$c] ? $b : $edge[$c]);
				$time{($group * @type + $type) * $cells + $c} += $part if $part > 0;
				$all{$group * $cells + $c} += $part;
				next unless $one->{style} & 1 && ($part > 0 || $one->{begin} == $one->{end});
				my $at = $group * $cells + $c;
				$mark{$at} = $type if !defined $mark{$at} || $mark{$at} > $type;
			}
		}
		for my $at (sort { $a <=> $b } keys %time) {
			my ($c, $group) = ($at % $cells, int($at / $cells / @type));
			my ($whole, $last) = (0, $tile->{first} + (($group + 1) << $tile->{shift}) - 1);
			$last = $#lanes if $last > $#lanes;
			$whole += $_ * ($edge[$c + 1] - $edge[$c]) for @lanes[$tile->{first} + ($group << $tile->{shift}) .. $last];
			my $all = $all{$group * $cells + $c};
			my $share = int($time{$at} / ($all > $whole ? $all : $whole) * 63 + 0.5);
			push @has, "$at:$share" if $share > 0;
		}
		$fault->("$name: shares") if "@has" ne join ' ', map { "$tile->{at}[$_]:$tile->{share}[$_]" } 0 .. $#{$tile->{at}};
		$fault->("$name: marks") if join(' ', map { "$_:$mark{$_}" } sort { $a <=> $b } keys %mark)
			ne join ' ', map { "$tile->{marked}[$_]:$tile->{mark}[$_]" } 0 .. $#{$tile->{marked}};
	}
	open(my $sums, '>', 'sums') or die;
	my %line;
	for my $shift (keys %sum) {
		my ($deepest) = sort { $b <=> $a } map { $_->[0] } @{$sum{$shift}};
		for my $depth (0 .. $deepest) {
			my @busy = (0) x @type;
			for (grep { $_->[0] == $depth || ($_->[0] < $depth && $_->[1] eq '0') } @{$sum{$shift}}) {
				my $told = $_->[2];
				$busy[$_] += $told->[$_] for 0 .. $#type;
			}
			$line{join '', map { "$type[$_] $busy[$_]\n" } sort { $type[$a] cmp $type[$b] } grep { $busy[$_] } 0 .. $#type} = 1;
		}
	}
	print $sums $_ for keys %line;
	open(my $tasks, '>:raw', 'tasks') or die;
	print $tasks "$_->{text}\n" for @task;
	my $others = () = glob("$folder/*");
	$fault->("files in the folder: $others") if $others != $number + 1;
	print "$number tiles, ", scalar(@fault), " faults\n";
	print STDERR "$_\n" for @fault[0 .. ($#fault > 4 ? 4 : $#fault)];
}

if ($command eq 'policy') {
	my ($policy) = $page =~ /http-equiv="Content-Security-Policy" content="([^"]*)"/;
	my ($of_script) = $policy =~ /script-src 'sha256-([^']*)'/;
	my ($of_style) = $policy =~ /style-src ([^;]*)/;
	printf "%s %s %s\n", $policy =~ /^default-src 'none';/ ? 'none' : 'open',
		sha256_base64($script) . '=' eq $of_script ? 'script' : "script is not $of_script",
		join(' ', map { "'sha256-" . sha256_base64($_) . "='" } @styles) eq $of_style ? 'style' : "style is not $of_style";
	exit;
}
if ($command eq 'outside') {
	$page =~ s{<(style|script)[^>]*>.*?</\1>}{}gs;
	print $page;
	exit;
}
load();
if ($command eq 'header') {
	my $at = $header;
	for (@args) { $at = ref $at eq 'ARRAY' ? $at->[$_] : $at->{$_} }
	print JSON::PP->new->canonical->allow_nonref->utf8->encode($at), "\n";
} elsif ($command eq 'column') {
	for (@args) { my $v = column($_); print "@$v\n" }
} elsif ($command eq 'table') {
	my %column = map { $_->{name} => $_ } @{find_table($args[0])->{columns}};
	compare(sub { $column{$_[0]} ? values_of($args[0], $column{$_[0]}) : undef }, ($args[0] =~ /\.(tasks|iterations)$/) ? 1 : 0, read_csv());
} elsif ($command eq 'last') {
	my ($job) = grep { $_->{name} eq 'JobId' } @{find_table("$args[0].tasks")->{columns}};
	my $jobs = values_of("$args[0].tasks", $job);
	my $last = column("$args[0].graph.last");
	my @names = map { $_ == 0xffffffff ? '' : $jobs->[$_] } @$last;
	compare(sub { $_[0] eq 'LastDependency' ? \@names : undef }, 0, read_csv());
} elsif ($command eq 'predecessors') {
	my ($job) = grep { $_->{name} eq 'JobId' } @{find_table("$args[0].tasks")->{columns}};
	my $jobs = values_of("$args[0].tasks", $job);
	my ($row, $first, $before) = map { column("$args[0].graph.$_") } qw(row first before);
	for my $i (0 .. $#$row) {
		next if $row->[$i] != $i || $first->[$i] == $first->[$i + 1];
		my @of = map { $jobs->[$before->[$_]] } $first->[$i] .. $first->[$i + 1] - 1;
		print "$jobs->[$i]: ", join(' ', sort @of), "\n";
	}
} elsif ($command eq 'idle') {
	my ($run, $from, $to) = @args;
	$from = $missing if $from eq 'min';
	$to = 9223372036854775807 if $to eq 'max';
	my ($number) = $run =~ /(\d+)/;
	my $causes = $header->{runs}[$number]{causes};
	my ($worker, $begin, $end, $first) = map { column("$run.gap.$_") } qw(worker begin end first);
	my ($cause, $at) = map { column("$run.cut.$_") } qw(cause at);
	my ($node, $nc, $nb, $nl) = map { column("$run.nodecause.$_") } qw(node cause begin length);
	my ($name, $of) = map { column("$run.worker.$_") } qw(name node);
	my (%of_node, %sum);
	push @{$of_node{$node->[$_]}}, $_ for 0 .. $#$node;
	my $clip = sub { my ($x, $y, $a, $b) = @_; $x = $a if $x < $a; $y = $b if $y > $b; $y > $x ? $y - $x : 0 };
	for my $g (0 .. $#$worker) {
		my $w = $worker->[$g];
		for my $k ($first->[$g] .. $first->[$g + 1] - 1) {
			my $x = $begin->[$g] + $at->[$k];
			my $y = $k + 1 < $first->[$g + 1] ? $begin->[$g] + $at->[$k + 1] : $end->[$g];
			$x = $from if $x < $from;
			$y = $to if $y > $to;
			next if $y <= $x;
			if ($cause->[$k] < @$causes) { $sum{$w}{$cause->[$k]} += $y - $x; next }
			for (@{$of_node{$of->[$w]}}) { my $t = $clip->($nb->[$_], $nb->[$_] + $nl->[$_], $x, $y); $sum{$w}{$nc->[$_]} += $t if $t }
		}
	}
	for my $w (sort { $a <=> $b } keys %sum) {
		printf "%s %s %d\n", string($name->[$w]), $causes->[$_], $sum{$w}{$_} for sort { $a <=> $b } keys %{$sum{$w}};
	}
} elsif ($command eq 'culprits') {
	my ($run) = @args;
	my ($number) = $run =~ /(\d+)/;
	my ($job) = grep { $_->{name} eq 'JobId' } @{find_table("$run.tasks")->{columns}};
	my $jobs = values_of("$run.tasks", $job);
	my ($worker, $begin, $end, $what, $row, $label, $time) =
		map { column("$run.gap.$_") } qw(worker begin end culprit culprit.row culprit.label culprit.time);
	my $name = column("$run.worker.name");
	printf "%s %s %s: %s [%s] %s %s\n", string($name->[$worker->[$_]]), ms($begin->[$_]), ms($end->[$_]), $header->{runs}[$number]{culprits}[$what->[$_]],
		string($label->[$_]), $row->[$_] == 0xffffffff ? '-' : $jobs->[$row->[$_]], ms($time->[$_]) for 0 .. $#$worker;
} elsif ($command eq 'jobs' || $command eq 'lasts' || $command eq 'of_job') {
	my ($run) = split /[.]/, $args[0];
	my ($job) = grep { $_->{name} eq 'JobId' } @{find_table("$run.tasks")->{columns}};
	my $jobs = values_of("$run.tasks", $job);
	my @second = ('') x @$jobs;
	if ($command eq 'lasts') {
		@second = map { $_ == 0xffffffff ? '' : " $jobs->[$_]" } @{column("$run.graph.last")};
	} elsif ($command eq 'of_job') {
		my ($of) = grep { $_->{name} eq $args[1] } @{find_table($args[0])->{columns}};
		@second = map { " $_" } @{values_of($args[0], $of)};
	}
	print "$jobs->[$_]$second[$_]\n" for 0 .. $#$jobs;
} elsif ($command eq 'busy') {
	my $chart = $header->{scene}{charts}[$args[0]];
	my $run = 'run' . $header->{facets}[$chart->{facet}]{run};
	my ($name, $rtype, $first, $n, $item) = map { column($_) } qw(row.name row.rtype row.first row.n), "chart$args[0].row";
	my ($begin, $end) = $chart->{tasks} ? (column("$run.tasks.Start"), column("$run.tasks.End")) : ();
	for my $r ($chart->{row} .. $chart->{row} + $chart->{rows} - 1) {
		my ($sum, $count) = (0, 0);
		for my $i ($first->[$r] .. $first->[$r] + $n->[$r] - 1) {
			my $own = $chart->{own} + $i - $chart->{first};
			my $of = $item->[$i - $chart->{first}];
			next if @args > 1 && ($begin->[$of] > $args[2] || $end->[$of] < $args[1]);
			$count++;
			$sum += $begin ? $end->[$of] - $begin->[$of] : column('own.length')->[$own];
		}
		printf "%s %d %d\n", string($name->[$r]) || string($rtype->[$r]), $count, $sum;
	}
} elsif ($command eq 'tiles') {
	tiles();
} else {
	die "no command $command\n";
}
