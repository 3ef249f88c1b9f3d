# SPDX-License-Identifier: GPL-3.0-or-later
# delayed-ranks.pl SEED message|rank FOLDER: a random program of MPI calls in which messages of one link, or computations of one rank, take longer by
# a known time. Writes calls, links and resources and prints, with tabs between: an expression for what is delayed, by what time each,
# the link (0 2) or rank, and how much longer the run is, ns. A buffered send takes its own time, a receive ends its message's time after
# both it and the send have begun, a barrier its own time after the last rank has come. Only runs that the delay makes at least
# 2 % longer are written.
use strict;
use warnings;

my ($seed, $what, $folder) = @ARGV;
my $state = $seed % 2147483646 + 1;
sub below { $state = $state * 48271 % 2147483647; return $state % $_[0] }

my $ranks = 5 + below(4);
my $steps = 6 + below(10);
my @hops = grep { below(2) || $_ == 1 } 1 .. $ranks - 1;
my @length = map { 1_000_000 + below(3_000_000) } 0 .. 1;
my %flight = map { $_ => $_ * 10 } 1_000, 8_000, 64_000;
my @sizes = sort { $a <=> $b } keys %flight;
my @tail = map { below(1_000_000) } 1 .. $ranks; # computation behind the last call
my @program; # by rank: calls
my @last; # by rank: its end

sub call { my ($rank, %call) = @_; push @{$program[$rank]}, { rank => $rank, before => 5_000 + below(1_000), %call } }

for my $step (0 .. $steps - 1) {
	my $size = $sizes[below(3)];
	for my $rank (0 .. $ranks - 1) {
		my $from = @{$program[$rank] // []};
		my $work = $length[$step % 2] + below(100_000);
		call($rank, name => 'MPI_Send', peer => ($rank + $_) % $ranks, tag => $step, size => $size, own => 1_000 + below(500)) for @hops;
		call($rank, name => 'MPI_Recv', peer => ($rank - $_) % $ranks, tag => $step, size => $size, own => $flight{$size} + below(2_000)) for @hops;
		@{$program[$rank][$from]}{qw(before site)} = ($work, 'step.c:' . $step % 2);
		call($rank, name => 'MPI_Barrier', own => 5_000, sequence => $step, before => $length[1] / 2 + below(50_000), site => 'end.c:9') if $step % 3 == 2;
	}
}

# Returns the last end; each round lets all ranks go on as far as they can.
sub run {
	my @at = (0) x $ranks;
	my @clock = (0) x $ranks;
	my (%sent, %come);
	for (my $on = 1; $on;) {
		$on = 0;
		for my $r (0 .. $ranks - 1) {
			while ($at[$r] < @{$program[$r]}) {
				my $c = $program[$r][$at[$r]];
				$c->{start} = $clock[$r] + $c->{before} + ($c->{late_before} // 0);
				my $ready = $c->{start};
				if ($c->{name} eq 'MPI_Send') {
					$sent{"$r $c->{peer} $c->{tag}"} = $c;
				} elsif ($c->{name} eq 'MPI_Recv') {
					my $send = $sent{"$c->{peer} $r $c->{tag}"} or last;
					$c->{send} = $send;
					$ready = $send->{start} if $send->{start} > $ready;
				} else {
					my $all = $come{$c->{sequence}} //= {};
					$all->{$r} = $c->{start};
					last if keys %$all < $ranks;
					for (values %$all) { $ready = $_ if $_ > $ready }
				}
				$clock[$r] = $c->{end} = $ready + $c->{own} + ($c->{late} // 0);
				$at[$r]++;
				$on = 1;
			}
		}
	}
	my $end = 0;
	for (0 .. $ranks - 1) {
		die "rank $_ hangs" if $at[$_] < @{$program[$_]};
		$last[$_] = $clock[$_] + $tail[$_];
		$end = $last[$_] if $last[$_] > $end;
	}
	return $end;
}

sub ms { return sprintf "%d.%06d", int($_[0] / 1_000_000), $_[0] % 1_000_000 }

sub put {
	my $n = 0;
	mkdir $folder;
	open my $calls, '>', "$folder/calls.csv" or die $!;
	open my $links, '>', "$folder/links.csv" or die $!;
	open my $resources, '>', "$folder/resources.csv" or die $!;
	print $resources "ResourceId,ResourceType,Node\n", map { "${_}_T0,CPU,$_\n" } 0 .. $ranks - 1;
	print $calls "ResourceId,Call,Class,Start,End,Comm,Sequence,Peer,Tag,Bytes,Site\n";
	print $links "Type,Key,Origin,Dest,Start,End,Size,Tag,SendEnd,ReceiveStart\n";
	print $calls "${_}_T0,MPI_Init,other,0,0,,,,,,\n" for 0 .. $ranks - 1;
	for my $c (sort { $a->{start} <=> $b->{start} || $a->{rank} <=> $b->{rank} } map { @$_ } @program) {
		print $calls join(",", "$c->{rank}_T0", $c->{name}, 'blocking', ms($c->{start}), ms($c->{end}), 'world', map { $_ // '' } @$c{qw(sequence peer tag size site)}), "\n";
		my $s = $c->{send} or next;
		print $links join(",", 'MPI communication', 'm' . $n++, "$c->{peer}_T0", "$c->{rank}_T0", ms($s->{start}), ms($c->{end}), $c->{size}, $c->{tag}, ms($s->{end}), ms($c->{start})), "\n";
	}
	print $calls "${_}_T0,MPI_Finalize,other,", ms($last[$_]), ",", ms($last[$_]), ",,,,,,\n" for sort { $last[$a] <=> $last[$b] } 0 .. $ranks - 1;
	close $_ for $calls, $links, $resources;
}

my $before = run();
my @calls = map { @$_ } @program;
for (1 .. 1000) {
	my ($expr, $name, @late);
	my $delay = int($before / 100) * (3 + below(20));
	my $c = $calls[below(scalar @calls)];
	if ($what eq 'message') {
		next if $c->{name} ne 'MPI_Recv';
		my $one = below(2);
		@late = grep { $_->{name} eq 'MPI_Recv' && $_->{rank} == $c->{rank} && $_->{peer} == $c->{peer} && (!$one || $_->{tag} == $c->{tag}) } @calls;
		$expr = "Origin == $c->{peer} and Dest == $c->{rank} and Call == MPI_Recv" . ($one ? " and Tag == $c->{tag}" : "");
		$name = "$c->{peer} $c->{rank}";
		$_->{late} = $delay for @late;
	} else {
		next if !defined $c->{site};
		@late = grep { $_->{rank} == $c->{rank} && defined $_->{site} && $_->{site} eq $c->{site} } @calls;
		$expr = "Rank == $c->{rank} and Site == '$c->{site}'";
		$name = $c->{rank};
		$_->{late_before} = $delay for @late;
	}
	my $longer = run() - $before;
	if ($longer * 50 >= $before) {
		put();
		print join("\t", $expr, "${delay}ns", $name, $longer), "\n";
		exit 0;
	}
	delete @$_{qw(late late_before)} for @late;
}
exit 1;
