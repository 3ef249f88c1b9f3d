#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# fxt-golden.pl CSV GOLDEN: what differs between a folder converted from FxT (--zero none) and what
# StarPU's own converter made of the same files. One line per kind of thing compared: how many, and
# how many differ.
use strict;
use warnings;
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

my ($csv, $golden) = @ARGV;
my $bad = 0;

sub read_csv { my $file = "$csv/$_[0].csv"; return [-e $file ? rows($file) : ()] }

sub read_rec {
	my ($name) = @_;
	open my $in, '<', "$golden/$name.rec" or return;
	local $/ = '';
	my @block;
	while (<$in>) {
		my %row = map { /^(\w+): (.*)$/ ? ($1, $2) : () } split /\n/;
		push @block, \%row if %row;
	}
	return \@block;
}

sub say_count {
	my ($what, $n, @diff) = @_;
	printf "%s: %d compared, %d differ\n", $what, $n, scalar @diff;
	print "    $_\n" for @diff[0 .. ($#diff < 7 ? $#diff : 7)];
	$bad += @diff;
}

my $tasks = read_csv('tasks');
my %name_of;			# worker alias to name
open my $paje, '<', "$golden/paje.trace" or die "$golden/paje.trace: $!\n";
while (<$paje>) {
	$name_of{$1} = $2 if /^7\s+\S+\s+(\S*w\d+)\s+W\s+\S+\s+(\S+)/;
}

# tasks.rec
my $rec = read_rec('tasks');
my (%row, %mine, @diff);
push @{$row{$_->{JobId}}}, $_ for grep { $_->{JobId} ne '' && $_->{Kind} ne 'message' } @$tasks;
my ($hints, $executed, $ghosts) = (0, 0, 0);
for my $b (@$rec) {
	if (defined $b->{Control}) { $hints++; next }
	my $r = delete $row{$b->{JobId}};
	if (!$r) { push @diff, "$b->{JobId}: missing"; next }
	my ($last) = sort { ($b->{Start} || 0) <=> ($a->{Start} || 0) } @$r;
	my $prefix = $b->{JobId} =~ /^(\d+_)/ ? $1 : '';
	my %want = (Value => $b->{Name} // $b->{Model} // '', SubmitTime => $b->{SubmitTime} // '',
		    Start => $b->{StartTime} // '', End => $b->{EndTime} // '',
		    DependsOn => $b->{DependsOn} // '', SubmitOrder => $b->{SubmitOrder} // '',
		    GFlop => $b->{GFlop} // '');
	$want{$_} = $b->{$_} // '' for qw(Model File Line);
	# There a task that was never submitted has priority 0.
	$want{Priority} = defined $b->{SubmitTime} ? $b->{Priority} // '' : '';
	if (defined $b->{WorkerId}) {
		$executed++;
		$want{ResourceId} = $name_of{"${prefix}w$b->{WorkerId}"} // "worker $b->{WorkerId}";
		$want{$_} = $b->{$_} // '' for qw(MemoryNode Tag Footprint Handles Modes Sizes);
		$want{Params} = $b->{Parameters} // '';
	} else {
		$ghosts++;
	}
	my ($iteration, $sub) = split / /, $b->{Iteration} // '';
	$want{Iteration} = $iteration // '';
	$want{Subiteration} = $sub // '';
	for my $key (sort keys %want) {
		my $got = $last->{$key} // '';
		$got =~ s/ ?mpicom_\d+//g if $key eq 'DependsOn';
		my $w = $want{$key};
		if ($key eq 'GFlop' && $got ne '') { $_ = sprintf '%.6f', $_ || 0 for $got, $w }
		push @diff, "$b->{JobId}: $key '$got', golden '$w'" if $got ne $w;
	}
}
for my $job (sort keys %row) {
	push @diff, "$job: not in golden: "
		    . join ' ', map { "$_->{Kind} $_->{Value}" } @{$row{$job}};
}
say_count("tasks.rec ($executed executed, $ghosts not)", scalar(@$rec) - $hints, @diff);
my $events = read_csv('events');
my $my_hints = grep { $_->{Type} eq 'data wont use hint' } @$events;
say_count('WontUse hints', $hints, $hints == $my_hints ? () : "$my_hints hints, golden $hints");

# data.rec
my %data;
@diff = ();
my $several = grep { ($_->{MPIRank} // -1) ne '-1' } @$rec;
for my $h (@{read_csv('handles')}) {
	my $key = join '|', $several ? $h->{Node} : '', map { $h->{$_} // '' }
		  qw(Handle HomeNode Name Size MaxSize Description Coordinates MPITag);
	$data{$key}++;
}
my $blocks = read_rec('data');
for my $b (@$blocks) {
	my $key = join '|', $several ? $b->{MPIRank} // '' : '', map { $b->{$_} // '' }
		  qw(Handle HomeNode Name Size MaxSize Description Coordinates MPITag);
	push @diff, "golden $key" unless $data{$key} && $data{$key}-- > 0;
}
for (sort keys %data) { push @diff, "ours $_" if $data{$_} > 0 }
say_count('data.rec', scalar @$blocks, @diff);

# comms.rec: its times went through 32-bit floats
my $comms = read_rec('comms');
my @links = grep { $_->{Type} eq 'MPI communication' } @{read_csv('links')};
if ($comms) {
	my %link;
	@diff = ();
	my $key_of = sub { join '|', map { $_ // '' } @_ };
	for my $l (@links) {
		my ($src, $dst) = map { /^0*(\d+)_/ } $l->{Origin}, $l->{Dest};
		my @rest = @{$l}{qw(Tag Size OriginJob DestJob Value Priority Handle)};
		push @{$link{$key_of->($src, $dst, @rest)}}, $l;
	}
	for my $b (@$comms) {
		my $k = $key_of->(@{$b}{qw(Src Dst Tag Size SendJobId RecvJobId Type Priority
					   SendHandle)});
		my $l = shift @{$link{$k} || []};
		if (!$l) { push @diff, "golden $k"; next }
		for my $t (['Start', 'SendTime'], ['End', 'RecvTime']) {
			my ($got, $want) = ($l->{$t->[0]}, $b->{$t->[1]});
			push @diff, "$k: $t->[0] $got, golden $want"
				if abs($got - $want) > 1.2e-7 * abs($want) + 1e-6;
		}
	}
	push @diff, map { "ours $_" } grep { @{$link{$_}} } sort keys %link;
	say_count('comms.rec', scalar @$comms, @diff);
}

# dag.dot: every edge is ours; what only we have touches tasks that it hides
my (%edge, %dot, $nedges);
@diff = ();
for my $t (@$tasks) {
	my $to = $t->{Kind} eq 'message' ? $t->{JobId} : "task_$t->{JobId}";
	$edge{(/^mpicom/ ? $_ : "task_$_") . ">$to"}++ for split / /, $t->{DependsOn} // '';
}
open my $dot, '<', "$golden/dag.dot" or die "$golden/dag.dot: $!\n";
my %value_of = map { ("task_$_->{JobId}", $_->{Value}) } @$tasks;
while (<$dot>) {
	next unless /"([^"]+)"->"([^"]+)"/;
	my ($from, $to) = ($1, $2);
	s/^mpi_.*_(\d+)$/mpicom_$1/ for $from, $to;
	$nedges++;
	push @diff, "golden $from > $to" unless $edge{"$from>$to"};
	$dot{"$from>$to"} = 1;
}
my (%hidden, $nhidden);
for (keys %edge) {
	next if $dot{$_};
	my ($from, $to) = split />/;
	my @end = map { $value_of{$_} || '(no name)' } $from, $to;
	my ($internal) = grep { /^(_starpu_sync_task|starpu_data_unregister|\(no name\))$/ } @end;
	if ($internal) { $hidden{$internal}++; $nhidden++ }
	else { push @diff, "ours $_ ($end[0] > $end[1])" }
}
say_count('dag.dot', $nedges, @diff);
print "    hidden there: ", join(', ', map { "$hidden{$_} of $_" } sort keys %hidden), "\n"
	if %hidden;

# paje.trace: its events replayed. States nest by push and pop, set replaces the innermost; what is
# open at the end has no end there.
my %type_of = (S => 'Thread State', CtS => 'Communication Thread State', MS => 'Memory Node State',
	       WS => 'Worker State', US => 'User Thread State');
my %variable_of = (nsubmitted => 'Number of Submitted Uncompleted Tasks',
		   nready => 'Number of Ready Tasks',
		   gft => 'Total GFlop/s', use => 'Used (MB)', bwi_mm => 'Bandwidth In (MB/s)',
		   bwo_mm => 'Bandwidth Out (MB/s)', bwi_mpi => 'Bandwidth In (MB/s)',
		   bwo_mpi => 'Bandwidth Out (MB/s)', gf => 'GFlop/s');
my %link_of = (F => 'Intra-node data Fetch', TF => 'Intra-node data TaskPreFetch',
	       PF => 'Intra-node data PreFetch', IF => 'Intra-node data IdleFetch',
	       WSL => 'Work steal');
my (%container, %value_name, %stack, %golden, %set, %begun, %golden_link, %parent, %event,
    %event_of);
sub end_state {
	my ($key, $time) = @_;
	my $top = pop @{$stack{$key}};
	push @{$golden{$key}}, [@$top, $time] if $top;
}
sub destroy {
	my ($alias, $time) = @_;
	for my $type (keys %type_of) {
		my $key = "$alias $type";
		end_state($key, $time) while @{$stack{$key} || []};
	}
	destroy($_, $time) for grep { $parent{$_} eq $alias } keys %parent;
}
seek $paje, 0, 0;
while (<$paje>) {
	next if /^%/;
	my @f = map { defined $_ ? $_ : () } /"([^"]*)"|(\S+)/g;
	my $code = shift @f // next;
	if ($code == 2) { $event_of{$f[0]} = $f[2] }
	elsif ($code == 6) { $value_name{"$f[1] $f[0]"} = $f[2] }
	elsif ($code == 7) { $container{$f[1]} = $f[4] // $f[3]; $parent{$f[1]} = $f[3] }
	elsif ($code == 8) { destroy($f[1], $f[0]) }
	elsif ($code == 10 || $code == 11 || $code == 20 || $code == 26) {
		my ($time, $alias, $type, $value) = @f;
		next unless $type_of{$type};
		my $key = "$alias $type";
		end_state($key, $time) if $code != 11;
		# Names that the file defines for threads only are used for the MPI thread as well.
		my $name = $value_name{"$type $value"} // $value_name{"US $value"} // $value;
		push @{$stack{$key}}, [$name, $time, scalar @{$stack{$key} || []}];
	}
	elsif ($code == 12) { end_state("$f[1] $f[2]", $f[0]) }
	elsif ($code == 13) { push @{$set{"$f[1] $f[2]"}}, [$f[0], $f[3]] }
	elsif ($code == 9 || $code == 22) {
		$event{join '|', $container{$f[2]}, $event_of{$f[1]}, ms($f[0])}++;
	}
	elsif ($code == 18 || $code == 23 || $code == 24) {
		next if $f[1] eq 'MPIL';
		$begun{"$f[1] $f[2] $f[5]"} = [$f[0], $f[3], $container{$f[4]}];
	}
	elsif ($code == 19) {
		my $b = $begun{"$f[1] $f[2] $f[5]"} // next;
		$golden_link{join '|', $link_of{$f[1]}, ms($b->[0]), ms($f[0]), $b->[1], $b->[2],
			     $container{$f[4]}, $f[5]}++;
	}
}
sub ms { return sprintf '%.6f', $_[0] }
for my $key (keys %stack) { end_state($key, 'open') while @{$stack{$key}} }

sub multiset_diff {	# OURS THEIRS: what only one of two lists has
	my ($ours, $theirs) = @_;
	my %n;
	$n{$_}++ for @$ours;
	$n{$_}-- for @$theirs;
	return map { ($n{$_} > 0 ? 'ours' : 'golden') . " $_ x" . abs $n{$_} }
	       grep { $n{$_} } sort keys %n;
}

my %is_task = map { ($_->{Value}, 1) } @$tasks;
my (%got, %want, %misplaced);
for my $r (@{read_csv('states')}) {
	my $open = ($r->{Flag} // '') eq 'open';
	push @{$got{$r->{Type}}}, [@{$r}{qw(ResourceId Value Start)}, $open ? 'open' : $r->{End},
				   $r->{Depth}];
}
for my $key (keys %golden) {
	my ($alias, $type) = split / /, $key;
	for (@{$golden{$key}}) {
		my ($value, $start, $depth, $end) = @$_;
		next if $type eq 'WS' && $is_task{$value};
		push @{$want{$type_of{$type}}}, [$container{$alias}, $value, ms($start),
						 $end eq 'open' ? $end : ms($end), $depth];
	}
}
for my $type (sort keys %{{ %got, %want }}) {
	my ($g, $w) = ($got{$type} || [], $want{$type} || []);
	if ($type ne 'Memory Node State') {
		say_count("states: $type", scalar @$w,
			  multiset_diff([map { "@$_" } @$g], [map { "@$_" } @$w]));
		next;
	}
	# There a pop ends whatever was pushed last; ours end what they name. So the same begins,
	# and the same ends.
	say_count("states: $type, begins", scalar @$w,
		  multiset_diff([map { "@$_[0 .. 2]" } @$g], [map { "@$_[0 .. 2]" } @$w]));
	say_count("states: $type, ends", scalar @$w,
		  multiset_diff([map { "$_->[0] $_->[3]" } @$g], [map { "$_->[0] $_->[3]" } @$w]));
}

# Variables: every value that holds there for some time, looked up here in its middle.
my (%step, %nvars, %vardiff);
push @{$step{"$_->{ResourceId} $_->{Type}"}}, $_ for @{read_csv('variables')};
sub value_at {
	my ($list, $t) = @_;
	my ($low, $high) = (0, scalar @$list);
	while ($low < $high) {
		my $mid = int(($low + $high) / 2);
		if ($list->[$mid]{Start} <= $t) { $low = $mid + 1 } else { $high = $mid }
	}
	return $low == 0 || $list->[$low - 1]{End} <= $t ? 0 : $list->[$low - 1]{Value};
}
for my $key (sort keys %set) {
	my ($alias, $short) = split / /, $key;
	my $type = $variable_of{$short};
	# Sets are not in order of time; the last one of a time counts.
	my $n = 0;
	my @sets = sort { $a->[0] <=> $b->[0] || $a->[2] <=> $b->[2] }
		   map { [@$_, $n++] } @{$set{$key}};
	# MPI rates there come from times of 32 bits; ours, on corrected clocks, from whole
	# nanoseconds.
	my $tolerance = $short =~ /_mpi/ ? 1e-3 : $several ? 1e-5 : 2e-6;
	for my $i (0 .. $#sets - 1) {
		my ($from, $to) = ($sets[$i][0], $sets[$i + 1][0]);
		next if $to - $from < ($short =~ /_mpi/ ? 1e-3 : 2e-6);
		$nvars{$short}++;
		my $v = value_at($step{"$container{$alias} $type"} || [], ($from + $to) / 2);
		push @{$vardiff{$short}}, "$container{$alias} at $from: $v, golden $sets[$i][1]"
			if abs($v - $sets[$i][1]) > $tolerance * (1 + abs $v);
	}
}
say_count("variables: $_", $nvars{$_} // 0, @{$vardiff{$_} || []}) for sort keys %nvars;

my @mine = map { join '|', @{$_}{qw(Type Start End)}, $_->{Size} || 0, @{$_}{qw(Origin Dest Key)} }
	   grep { $_->{Type} ne 'MPI communication' } @{read_csv('links')};
my @theirs = map { ($_) x $golden_link{$_} } keys %golden_link;
say_count('links', scalar @theirs, multiset_diff(\@mine, \@theirs));
@mine = map { "$_->{ResourceId}|$_->{Type}|$_->{Time}" }
	grep { $_->{Type} ne 'data wont use hint' } @$events;
@theirs = map { ($_) x $event{$_} } keys %event;
say_count('events', scalar @theirs, multiset_diff(\@mine, \@theirs));
exit($bad > 0);
