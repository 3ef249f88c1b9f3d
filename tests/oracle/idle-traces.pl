#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# idle-traces.pl SEED N DIR: writes N small random traces as folders DIR/1 ... DIR/N of CSV tables: one to three nodes, several types of
# workers, ghosts, setup and pending tasks, messages, commuting handles, several executions and teams, transfers, states, submission.
use strict;
use warnings;

my ($seed, $ntraces, $folder) = @ARGV;
srand $seed;
sub below { return int rand $_[0] }
sub once_in { return below($_[0]) == 0 }
sub ms { return defined $_[0] ? sprintf '%s%d.%06d', $_[0] < 0 ? '-' : '', abs($_[0]) / 1000000, abs($_[0]) % 1000000 : '' }
# mostly nothing, else up to 300 ns, often of equal length
sub gap { return once_in(3) ? 0 : once_in(2) ? 10 * below(20) : below(300) }

sub make_trace {
	my ($path) = @_;
	my $nnodes = 1 + below(3);
	my $ntypes = 1 + below(3);
	my (@workers, @jobs, %free, %held, @tasks, @links, @states, @calls, $nmessages);
	for my $node (0 .. $nnodes - 1) {
		push @workers, { name => "${node}_W$_", node => $node, type => 'T' . below($ntypes), memory => below(2) } for 0 .. 1 + below(4);
	}
	$free{$_->{name}} = 0 for @workers;
	my $named = below(2);
	for my $i (1 .. 4 + below(22)) {
		my $worker = $workers[below(scalar @workers)];
		my $job = { name => "j$i", node => $worker->{node} };
		my $kind = $i == 1 ? 'app' : once_in(12) ? 'ghost' : $i > 4 && once_in(9) ? 'pending' : once_in(8) ? 'setup' : 'app';
		my (@deps, $ready);
		for my $before (grep { once_in(2 + @jobs / 2) } @jobs) {
			next if $before->{never} && $kind =~ /app|setup/;
			$job->{never} = 1 if $before->{never};
			$ready = $before->{end} if defined $before->{end} && (!defined $ready || $before->{end} > $ready);
			if ($before->{node} == $worker->{node} || !defined $before->{end}) {
				push @deps, $before->{name};
				next;
			}
			my $start = $before->{end} + gap();
			my $end = $start + 1 + gap();
			my $name = 'm' . ++$nmessages;
			push @tasks, join ',', '', 'send', ms($start), ms($end), $name, 'message', $before->{name}, '', '', '', '', '';
			push @deps, $name;
			$ready = $end if !defined $ready || $end > $ready;
		}
		my $submit = once_in(3) ? '' : ms(below(60 * $i));
		my $value = 'k' . below(4);
		my @handles = map { 'h' . below(4) } 1 .. below(3);
		my @modes = map { once_in(3) ? 'RWC' : 'R' } @handles;
		my $lists = join(' ', @handles) . ',' . join(' ', @modes);
		push @jobs, $job;
		if ($kind eq 'ghost') {
			push @tasks, join ',', '', '', '', '', "j$i", 'ghost', "@deps", '', '', '', ',';
			next;
		}
		if ($kind eq 'pending') {
			$job->{never} = 1;
			push @tasks, join ',', '', once_in(3) ? 'never' : $value, '', '', "j$i", 'pending', "@deps", $submit, $worker->{node}, '', ',';
			next;
		}
		my $start = $free{$worker->{name}};
		$start = $ready if defined $ready && $ready > $start && !once_in(20);
		for my $k (0 .. $#handles) {
			my $until = $held{"$worker->{node} $handles[$k]"} // 0;
			$start = $until if $modes[$k] eq 'RWC' && $until > $start && !once_in(20);
		}
		$start += gap();
		my $end = $start + 1 + below(400);
		$held{"$worker->{node} $_"} = $end for @handles;
		my @with = ($worker);
		push @with, grep { $_->{node} == $worker->{node} && $free{$_->{name}} <= $start && $_ != $worker && once_in(2) } @workers if once_in(8);
		for my $run (@with) {
			push @tasks, join ',', $run->{name}, $value, ms($start), ms($end), "j$i", $kind, "@deps", $submit, $run->{node}, $run->{type}, $lists;
			$free{$run->{name}} = $end;
		}
		if (@with == 1 && $lists !~ /C/ && once_in(8)) {
			my ($again) = grep { $_->{node} == $worker->{node} && $free{$_->{name}} <= $end } @workers;
			my $later = $end + gap();
			if (defined $again) {
				$end = $later + 1 + below(300);
				push @tasks, join ',', $again->{name}, $value, ms($later), ms($end), "j$i", $kind, "@deps", $submit, $again->{node}, $again->{type}, $lists;
				$free{$again->{name}} = $end;
			}
		}
		$job->{end} = $end;
		for my $handle (@handles, 'other') {
			next if once_in(2);
			my $from = $start - below(400);
			my $dest = once_in(6) ? $worker->{name} : "$worker->{node}_M" . (once_in(5) ? below(2) : $worker->{memory});
			push @links, join ',', 'fetch', 'l' . @links, "$worker->{node}_M0", $dest, ms($from),
				ms($from + below(300)), $named ? $handle : ();
		}
		if (once_in(6)) {
			my $from = $start - below(300);
			push @calls, join ',', $worker->{name}, 'MPI_Recv', 'blocking', ms($from), ms($from + below(300));
		}
		if (once_in(4)) {
			my $from = $start - below(200);
			push @states, join ',', $worker->{name}, 'State', once_in(4) ? 'Sleeping' : 'FetchingInput', ms($from), ms($from + below(250));
		}
	}
	push @tasks, join ',', $_->{name}, '', '', '', '', 'worker', '', '', $_->{node}, $_->{type}, ',' for @workers;
	mkdir $path or die "$path: $!";
	write_table("$path/tasks.csv", 'ResourceId,Value,Start,End,JobId,Kind,DependsOn,SubmitTime,Node,ResourceType,Handles,Modes', @tasks);
	write_table("$path/links.csv", 'Type,Key,Origin,Dest,Start,End' . ($named ? ',Handle' : ''), @links);
	write_table("$path/states.csv", 'ResourceId,Type,Value,Start,End', @states);
	write_table("$path/calls.csv", 'ResourceId,Call,Class,Start,End', @calls);
	write_table("$path/resources.csv", 'ResourceId,ResourceType,Node,MemoryNode',
		(map { "$_->{name},$_->{type},$_->{node},$_->{memory}" } @workers),
		map { ("${_}_M0,memory,$_,0", "${_}_M1,memory,$_,1") } 0 .. $nnodes - 1);
}

sub write_table {
	my ($path, @lines) = @_;
	return if @lines == 1;
	open my $file, '>', $path or die "$path: $!";
	print $file map { "$_\n" } @lines;
	close $file or die "$path: $!";
}

make_trace("$folder/$_") for 1 .. $ntraces;
