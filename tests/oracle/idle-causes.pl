#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# idle-causes.pl observed|anywhere DIR...: why the workers of each trace (a folder of CSV tables) were idle, written from the words of
# docs/passes/idle-causes.md alone. For each folder lines "DIR NODE TYPE WORKER CAUSE NS", of times above 0; the parts of
# dependencies as "dependencies/BLAME". Workers are covered by trying (Kuhn's algorithm), at every instant anew.
# Not here: suspended tasks (Segment) and kinds other than app.
use strict;
use warnings;
no warnings 'recursion';

my $anywhere = shift @ARGV eq 'anywhere';
my $never = 1e18;

sub ns {
	my ($text) = @_;
	return undef if !defined $text || $text eq '' || $text eq 'NA';
	my ($sign, $whole, $part) = $text =~ /^(-?)(\d*)\.?(\d*)$/ or die "no time: $text";
	my $value = ($whole || 0) * 1000000 + substr($part . '000000', 0, 6);
	return $sign ? -$value : $value;
}

sub fields {
	my ($line) = @_;
	return split /,/, $line, -1 if index($line, '"') < 0;
	my @field;
	while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) {
		push @field, defined $1 ? $1 =~ s/""/"/gr : $2;
		last if $3 eq '';
	}
	return @field;
}

sub table {
	my ($path) = @_;
	my @rows;
	open my $file, '<', $path or return [];
	my $head = <$file> // return [];
	chomp $head;
	my @names = fields($head);
	while (my $line = <$file>) {
		chomp $line;
		my %row;
		@row{@names} = fields($line);
		push @rows, \%row;
	}
	return \@rows;
}

sub is_set { return defined $_[0] && $_[0] ne '' }
sub text { return defined $_[0] ? $_[0] : '' }
sub max { my $max = shift; for (@_) { $max = $_ if $_ > $max } return $max }

# CPU2 before CPU10
sub natural {
	my @a = $_[0] =~ /(\d+|\D+)/g;
	my @b = $_[1] =~ /(\d+|\D+)/g;
	while (@a && @b) {
		my ($x, $y) = (shift @a, shift @b);
		my $order = $x =~ /^\d/ && $y =~ /^\d/ ? $x <=> $y || length $x <=> length $y : $x cmp $y;
		return $order if $order;
	}
	return @a <=> @b;
}

my (@rows, %job, %worker, %held, $begin, $finish);

sub read_tasks {
	my ($folder) = @_;
	@rows = @{table("$folder/tasks.csv")};
	for my $i (0 .. $#rows) {
		my $row = $rows[$i];
		$row->{number} = $i;
		$row->{start} = ns($row->{Start});
		$row->{end} = ns($row->{End});
		my $ran = defined $row->{start} && defined $row->{end};
		my $kind = $row->{kind} = is_set($row->{Kind}) ? $row->{Kind} : $ran ? 'app' : 'ghost';
		$row->{runs} = $ran && is_set($row->{ResourceId}) && $kind =~ /^(app|setup|runtime)$/;
		$row->{counted} = $row->{runs} && $kind eq 'app';
		die "$folder: a suspended task" if is_set($row->{Segment}) && $row->{Segment} > 0;
		next if $kind eq 'worker';
		my $name = $row->{job} = is_set($row->{JobId}) ? $row->{JobId} : "row $i";
		my $job = $job{$name} //= { name => $name, rows => [], deps => {} };
		push @{$job->{rows}}, $row;
		$job->{deps}{$_} = 1 for split / /, text($row->{DependsOn});
		$job->{message} = 1 if $kind eq 'message';
		$job->{pending} = 1 if $kind eq 'pending';
		$job->{submit} //= ns($row->{SubmitTime});
		if ($row->{runs} || ($kind eq 'message' && $ran)) {
			$job->{start} = $row->{start} if !defined $job->{start} || $row->{start} < $job->{start};
			$job->{end} = $row->{end} if !defined $job->{end} || $row->{end} > $job->{end};
		}
		next if !$row->{counted};
		$begin = $row->{start} if !defined $begin || $row->{start} < $begin;
		$finish = $row->{end} if !defined $finish || $row->{end} > $finish;
	}
	for my $job (values %job) {
		$job->{deps} = [ grep { defined } map { $job{$_} } sort keys %{$job->{deps}} ];
		$job->{submit} //= -$never;
	}
}

# Workers ran something, are declared idle, or are of a type that ran something.
sub read_workers {
	my ($folder) = @_;
	my %types;
	for my $row (@rows) {
		next if !$row->{runs} && $row->{kind} ne 'worker';
		$worker{$row->{ResourceId}} //= { name => $row->{ResourceId}, type => text($row->{ResourceType}), node => text($row->{Node}) };
		$types{text($row->{ResourceType})} = 1;
	}
	for my $row (@{table("$folder/resources.csv")}) {
		next if is_set($row->{Depth}) || !$types{text($row->{ResourceType})};
		$worker{$row->{ResourceId}} //= { name => $row->{ResourceId}, type => text($row->{ResourceType}), node => text($row->{Node}) };
	}
	my @order = sort { natural($a->{node}, $b->{node}) || natural($a->{type}, $b->{type}) || natural($a->{name}, $b->{name}) } values %worker;
	my %count;
	$count{$_->{type}}++ for @order;
	for my $i (0 .. $#order) {
		@{$order[$i]}{qw(order workers tasks running next)} = ($i, $count{$order[$i]{type}}, [], 0, 0);
	}
	for my $row (@rows) {
		push @{$worker{$row->{ResourceId}}{tasks}}, $row if $row->{counted};
	}
	$_->{tasks} = [ sort { $a->{start} <=> $b->{start} || $a->{number} <=> $b->{number} } @{$_->{tasks}} ] for @order;
	return @order;
}

# The latest time (start or end) of a job and of all that it depends on.
sub latest {
	my ($job, $of) = @_;
	return $job->{"latest $of"} //= max($job->{$of} // -$never, map { latest($_, $of) } @{$job->{deps}});
}

# An exclusion is no step of a chain if something that the holder depends on starts after the task, as a task that starts
# before what it depends on has ended makes possible.
sub contradicts {
	my ($holder, $job) = @_;
	my $order = latest($holder, 'start') <=> latest($job, 'start') || latest($holder, 'end') <=> latest($job, 'end');
	return $order > 0;
}

# Until when a task that held a commuting handle kept a row from starting, and who did.
sub exclude {
	my %holders;
	for my $row (grep { $_->{runs} } @rows) {
		my @modes = split / /, text($row->{Modes});
		my $i = 0;
		for my $handle (split / /, text($row->{Handles})) {
			my $mode = $modes[$i++];
			push @{$holders{text($row->{Node}) . " $handle"}}, $row if defined $mode && $mode =~ /^[RWSXC]*C[RWSXC]*$/;
		}
	}
	for my $list (values %holders) {
		for my $row (@$list) {
			my ($last) = sort { $b->{end} <=> $a->{end} || $b->{start} <=> $a->{start} || $b->{number} <=> $a->{number} }
				grep { $_->{job} ne $row->{job} && $_->{end} <= $row->{start} } @$list;
			next if !defined $last;
			$row->{held} = max($row->{held} // -$never, $last->{end});
			my $job = $job{$row->{job}};
			next if $row->{start} != $job->{start};
			$job->{free} = max($job->{free} // -$never, $last->{end});
			my $holder = $job{$last->{job}};
			next if $holder->{end} > $job->{start};
			push @{$job->{contradicts($holder, $job) ? 'contradicted' : 'holders'}}, $holder;
		}
	}
}

# When each job had all that it waits for but messages (other), when its messages had what they wait for (sent), when they came.
sub needs {
	my ($job) = @_;
	return @{$job->{needs}} if defined $job->{needs};
	my ($other, $sent, $came) = (-$never) x 3;
	$other = max($job->{submit}, $job->{free} // -$never) if defined $job->{end} || $job->{pending};
	for my $before (@{$job->{deps}}) {
		my @more = needs($before);
		if (defined $before->{end} && $before->{message}) {
			my $released = max(@more);
			@more = (-$never, $released < $before->{end} ? $released : $before->{end}, $before->{end});
		} elsif (defined $before->{end}) {
			@more = ($before->{end}, -$never, -$never);
		} elsif ($before->{pending}) {
			@more = ($never, -$never, -$never);
		}
		$other = max($other, $more[0]);
		$sent = max($sent, $more[1]);
		$came = max($came, $more[2]);
	}
	$job->{needs} = [ $other, $sent, $came ];
	return ($other, $sent, $came);
}

# From when a row waited only for a message, and when it was released.
sub release {
	for my $row (grep { $_->{counted} || $_->{kind} eq 'pending' } @rows) {
		my $job = $job{$row->{job}};
		my ($other, $sent, $came) = needs($job);
		$other = max($other, $row->{held} // -$never);
		for my $run ($row->{counted} ? @{$job->{rows}} : ()) {
			$other = max($other, $run->{end}) if $run->{counted} && $run->{end} <= $row->{start} && $run->{end} > $run->{start};
		}
		$row->{released} = max($other, $came);
		$row->{coming} = $came > max($other, $sent) ? max($other, $sent) : $row->{released};
		$row->{submit} = $job->{submit};
	}
	$_->{released} = max(needs($_)) for values %job;
}

# Transfers to the memory node of its worker, and states in which it fetched data.
sub fetch {
	my ($folder) = @_;
	my (%memory, %transfers);
	for my $row (@{table("$folder/resources.csv")}) {
		$memory{$row->{ResourceId}} = text($row->{Node}) . " $row->{MemoryNode}" if is_set($row->{MemoryNode});
	}
	my $links = table("$folder/links.csv");
	my $named = @$links && exists $links->[0]{Handle};
	for my $link (@$links) {
		my ($start, $end) = (ns($link->{Start}), ns($link->{End}));
		next if !defined $start || !defined $end || $start >= $end || !is_set($link->{Dest});
		next if $worker{$link->{Dest}} || !defined $memory{$link->{Dest}};
		push @{$transfers{$memory{$link->{Dest}}}{$named ? $link->{Handle} : ''}}, [ $start, $end ];
	}
	for my $row (grep { $_->{counted} } @rows) {
		my $place = $memory{$row->{ResourceId}} // next;
		for my $handle ($named ? split / /, text($row->{Handles}) : '') {
			my ($last) = sort { $b->[1] <=> $a->[1] || $b->[0] <=> $a->[0] }
				grep { $_->[1] <= $row->{start} } @{$transfers{$place}{$handle} // []};
			push @{$row->{fetches}}, $last if defined $last;
		}
	}
	for my $state (@{table("$folder/states.csv")}) {
		next if text($state->{Value}) ne 'FetchingInput' || !is_set($state->{ResourceId}) || !$worker{$state->{ResourceId}};
		my ($start, $end) = (ns($state->{Start}), ns($state->{End}));
		next if !defined $start || !defined $end;
		my ($next) = grep { $_->{start} >= $end } @{$worker{$state->{ResourceId}}{tasks}};
		push @{$next->{fetches}}, [ $start, $end ] if defined $next;
	}
}

# When the thread of a worker was inside a call.
sub read_calls {
	my ($folder) = @_;
	for my $row (@{table("$folder/calls.csv")}) {
		push @{$worker{$row->{ResourceId}}{calls}}, [ ns($row->{Start}), ns($row->{End}) ] if $worker{$row->{ResourceId}};
	}
}

# Which types of workers can run the type of a row, as a text.
sub where_run {
	my (%ran, %types);
	for my $row (grep { $_->{counted} } @rows) {
		my $type = $worker{$row->{ResourceId}}{type};
		$ran{text($row->{Value})}{$type} = 1;
		$types{$type} = 1;
	}
	for my $row (grep { $_->{counted} || $_->{kind} eq 'pending' } @rows) {
		my $set = $ran{text($row->{Value})};
		$set = \%types if !defined $set;
		$row->{types} = $anywhere ? '*' : join ' ', map { "<$_>" } sort keys %$set;
	}
	return \%types;
}

# Kuhn's algorithm: whether one more worker gets a task. tasks: by their set of types, how many; who has one: by set.
sub assign {
	my ($type, $tasks, $has, $seen) = @_;
	for my $set (sort keys %$tasks) {
		next if $seen->{$set} || ($set ne '*' && index($set, "<$type>") < 0);
		$seen->{$set} = 1;
		my $list = $has->{$set} //= [];
		if (@$list < $tasks->{$set}) {
			push @$list, $type;
			return 1;
		}
		for my $i (0 .. $#$list) {
			if (assign($list->[$i], $tasks, $has, $seen)) {
				$list->[$i] = $type;
				return 1;
			}
		}
	}
	return 0;
}

# Which of the free workers, in order, get a task; and how many tasks are left over.
sub cover {
	my ($free, @waiting) = @_;
	my (%tasks, %has, %covered);
	$tasks{$_->{types}}++ for @waiting;
	for my $worker (@$free) {
		$covered{$worker->{name}} = 1 if assign($worker->{type}, \%tasks, \%has, {});
	}
	return (\%covered, @waiting - keys %covered);
}

# What has a time and ended last of what a job depends on, through what has none.
sub last_before {
	my ($job) = @_;
	return $job->{last} if exists $job->{last};
	my $last;
	for my $before (map { defined $_->{end} ? $_ : last_before($_) } @{$job->{deps}}, @{$job->{holders} // []}) {
		$last = $before if defined $before && (!defined $last || $before->{end} > $last->{end}
			|| ($before->{end} == $last->{end} && natural($before->{name}, $last->{name}) < 0));
	}
	return $job->{last} = $last;
}

sub blame {
	my ($worker, $now) = @_;
	my $tasks = $worker->{tasks};
	$worker->{next}++ while $worker->{next} < @$tasks && $tasks->[$worker->{next}]{start} <= $now;
	my $next = $tasks->[$worker->{next}];
	return 'no-next-task' if !defined $next;
	for (my $job = $job{$next->{job}}; defined $job; $job = last_before($job)) {
		return $job->{message} ? 'message' : 'task' if $job->{start} <= $now && $now < $job->{end};
		return 'submission' if $job->{submit} > $now;
		my $before = last_before($job);
		return 'waiting' if $job->{released} <= $now
			|| ($job->{contradicted} && (!defined $before || $before->{end} <= $now));
	}
	die "nothing to blame at $now for $worker->{name}";
}

# All causes of the workers of a node from `now` on, for `length` ns. node: its workers; the tasks that have not started: those
# released, those that wait only for a message, how many are submitted, how many not.
sub judge {
	my ($node, $now, $length, $types, $time) = @_;
	my (%own, %kept, %calling);
	for my $worker (@{$node->{workers}}) {
		$calling{$worker->{name}} = 1 if grep { $_->[0] <= $now && $now < $_->[1] } @{$worker->{calls} // []};
	}
	for my $row (sort { $a->{start} <=> $b->{start} || $a->{number} <=> $b->{number} }
		grep { $_->{counted} && !$worker{$_->{ResourceId}}{running} && !$calling{$_->{ResourceId}} } values %{$node->{released}}) {
		next if $own{$row->{ResourceId}};
		$own{$row->{ResourceId}} = $row;
		$kept{$row->{number}} = 1;
	}
	for my $worker (@{$node->{workers}}) {
		my $free = !$worker->{running} && !$calling{$worker->{name}} && !$own{$worker->{name}};
		$worker->{since} = $free ? $worker->{since} // $now : undef;
	}
	my @free = sort { ($anywhere ? 0 : $a->{workers} <=> $b->{workers} || natural($a->{type}, $b->{type}))
			|| $a->{since} <=> $b->{since} || $a->{order} <=> $b->{order} }
		grep { defined $_->{since} && ($anywhere || $types->{$_->{type}}) } @{$node->{workers}};
	my @left = grep { !$kept{$_->{number}} } values %{$node->{released}};
	my ($first, $over) = cover(\@free, @left);
	my ($second) = cover(\@free, @left, values %{$node->{coming}});
	for my $worker (grep { !$_->{running} } @{$node->{workers}}) {
		my $name = $worker->{name};
		my $own = $own{$name};
		my $cause = $calling{$name} ? 'in-mpi-call'
			: $own ? (grep { $_->[0] <= $now && $now < $_->[1] } @{$own->{fetches} // []}) ? 'data' : 'runtime'
			: $first->{$name} ? 'elsewhere'
			: $second->{$name} ? 'mpi'
			: $over > 0 ? 'unsuited'
			: $node->{submitted} > 0 ? 'dependencies'
			: $node->{unsubmitted} > 0 ? 'not-submitted' : 'drain';
		$time->{$name}{$cause} += $length;
		$time->{$name}{'dependencies/' . blame($worker, $now)} += $length if $cause eq 'dependencies';
	}
}

# What becomes of a task: 0 not submitted, 1 submitted, 2 waits only for a message, 3 released, 4 started.
sub place {
	my ($node, $row, $more) = @_;
	$node->{$row->{stage} == 0 ? 'unsubmitted' : 'submitted'} += $more if $row->{stage} < 4;
	my $list = $row->{stage} == 3 ? 'released' : $row->{stage} == 2 ? 'coming' : return;
	if ($more > 0) {
		$node->{$list}{$row->{number}} = $row;
	} else {
		delete $node->{$list}{$row->{number}};
	}
}

sub sweep {
	my ($name, $workers, $types, $time) = @_;
	my $node = { workers => $workers, released => {}, coming => {}, submitted => 0, unsubmitted => 0 };
	my %changes = ($begin => [], map { $_ => [] } map { map { @$_ } @{$_->{calls} // []} } @$workers);
	for my $row (@rows) {
		my $pending = $row->{kind} eq 'pending';
		next if $pending ? text($row->{Node}) ne $name : !$row->{runs} || $worker{$row->{ResourceId}}{node} ne $name;
		if ($row->{runs}) {
			push @{$changes{max($row->{start}, $begin)}}, [ $worker{$row->{ResourceId}}, 1 ];
			push @{$changes{max($row->{end}, $begin)}}, [ $worker{$row->{ResourceId}}, -1 ];
		}
		next if !$row->{counted} && !$pending;
		$row->{stage} = 0;
		place($node, $row, 1);
		my @stages = (@$row{qw(submit coming released)}, $pending ? () : $row->{start});
		push @{$changes{max($stages[$_], $begin)}}, [ undef, $row, $_ + 1 ] for 0 .. $#stages;
		$changes{$_} //= [] for map { @$_ } @{$row->{fetches} // []};
	}
	# parts of dependencies end where any job of any node starts, ends, is submitted or released
	for my $job (values %job) {
		$changes{$_} //= [] for grep { defined } @$job{qw(start end submit released)};
	}
	my @instants = sort { $a <=> $b } grep { $_ >= $begin && $_ < $finish } keys %changes;
	for my $i (0 .. $#instants) {
		for my $change (@{$changes{$instants[$i]}}) {
			my ($worker, $row, $stage) = @$change;
			if (defined $worker) {
				$worker->{running} += $row;
			} elsif ($stage > $row->{stage}) {
				place($node, $row, -1);
				$row->{stage} = $stage;
				place($node, $row, 1);
			}
		}
		judge($node, $instants[$i], ($i < $#instants ? $instants[$i + 1] : $finish) - $instants[$i], $types, $time);
	}
}

for my $folder (@ARGV) {
	(%job, %worker, $begin, $finish) = ();
	undef $begin;
	undef $finish;
	read_tasks($folder);
	my @workers = read_workers($folder);
	exclude();
	release();
	fetch($folder);
	read_calls($folder);
	my $types = where_run();
	my (%time, %nodes);
	push @{$nodes{$_->{node}}}, $_ for @workers;
	sweep($_, $nodes{$_}, $types, \%time) for sort keys %nodes;
	for my $worker (@workers) {
		print join(' ', $folder, @$worker{qw(node type name)}, $_, $time{$worker->{name}}{$_}), "\n"
			for sort keys %{$time{$worker->{name}} // {}};
	}
}
