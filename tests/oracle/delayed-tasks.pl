# SPDX-License-Identifier: GPL-3.0-or-later
# delayed-tasks.pl SEED message|task FOLDER: a random run of tasks on several nodes in which one message, or the tasks of one iteration on one
# node, take longer by a known time. Writes its tables and prints, with tabs between: an expression for what is delayed, by what time each, the
# link (0->2) or node, and how much longer the run is, ns. Tasks start when their worker, the tasks that they need and the messages
# from other nodes are ready, and at no other time. Only runs that the delay makes at least 2 % longer are written.
use strict;
use warnings;

my ($seed, $what, $folder) = @ARGV;
my $state = $seed % 2147483646 + 1;
sub below { $state = $state * 48271 % 2147483647; return $state % $_[0] }

my $nodes = 5 + below(3);
my $workers = 2 + below(3);
my @length = map { 1_000_000 + below(3_000_000) } 0 .. 2; # by type
my (@task, @message);

sub make {
	my $steps = 8 + below(8);
	for my $step (0 .. $steps - 1) {
		for my $w (0 .. $nodes * $workers - 1) {
			my $node = int($w / $workers);
			my %task = (id => "j" . @task, worker => $w, node => $node, step => $step, type => below(3), needs => []);
			$task{time} = $length[$task{type}] + below(100_000);
			for (1 .. ($step > 0 ? below(3) : 0)) {
				my $from = $task[@task - 1 - below(2 * $nodes * $workers < @task ? 2 * $nodes * $workers : scalar @task)];
				if ($from->{node} == $node) { push @{$task{needs}}, $from; next }
				my $size = 1000 * 8**below(3);
				push @message, { id => "m" . @message, from => $from, to => $node, size => $size, time => $size * 3 + below(20_000), tag => below(5) };
				push @{$task{needs}}, $message[-1];
			}
			push @task, \%task;
		}
	}
}

# Returns when the last task ends.
sub run {
	my (@free, $end);
	$_ = 0 for @free[0 .. $nodes * $workers - 1];
	$end = 0;
	for my $t (@task) {
		my $at = $free[$t->{worker}];
		for my $n (@{$t->{needs}}) {
			@$n{qw(start end)} = ($n->{from}{end}, $n->{from}{end} + $n->{time} + ($n->{late} // 0)) if $n->{from};
			$at = $n->{end} if $n->{end} > $at;
		}
		@$t{qw(start end)} = ($at, $at + $t->{time} + ($t->{late} // 0));
		$free[$t->{worker}] = $t->{end};
		$end = $t->{end} if $t->{end} > $end;
	}
	return $end;
}

sub ms { return sprintf "%d.%06d", int($_[0] / 1_000_000), $_[0] % 1_000_000 }

sub put {
	mkdir $folder;
	open my $tasks, '>', "$folder/tasks.csv" or die $!;
	open my $links, '>', "$folder/links.csv" or die $!;
	open my $resources, '>', "$folder/resources.csv" or die $!;
	print $resources "ResourceId,ResourceType,Node\n", map { my $n = $_; ("${n}_mpict,MPI Communication Thread,$n\n", map { "${n}_CPU$_,CPU,$n\n" } 0 .. $workers - 1) } 0 .. $nodes - 1;
	print $tasks "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,DependsOn,Iteration\n";
	print $links "Type,Key,Origin,Dest,Start,End,Size,Tag\n";
	for my $m (@message) {
		print $tasks join(",", "", "MPI communication", ms($m->{start}), ms($m->{end}), $m->{id}, "message", "", "", $m->{from}{id}, ""), "\n";
		print $links join(",", "MPI communication", $m->{id}, "$m->{from}{node}_mpict", "$m->{to}_mpict", ms($m->{start}), ms($m->{end}), $m->{size}, $m->{tag}), "\n";
	}
	print $tasks join(",", "$_->{node}_CPU" . $_->{worker} % $workers, "type$_->{type}", ms($_->{start}), ms($_->{end}), $_->{id}, "app", $_->{node}, "CPU",
		join(" ", map { $_->{id} } @{$_->{needs}}), $_->{step}), "\n" for @task;
	close $_ for $tasks, $links, $resources;
}

make();
my $before = run();
for (1 .. 1000) {
	my ($expr, $name, @late);
	my $delay = int($before / 100) * (3 + below(30));
	if ($what eq 'message') {
		my $m = $message[below(scalar @message)];
		@late = ($m);
		$name = "$m->{from}{node}->$m->{to}";
		$expr = below(2) ? "Key == $m->{id}" : "Origin == $m->{from}{node} and Dest == $m->{to} and Size == $m->{size} and Tag == $m->{tag}";
		@late = grep { "$_->{from}{node}->$_->{to}" eq $name && $_->{size} == $m->{size} && $_->{tag} == $m->{tag} } @message if $expr =~ /Tag/;
	} else {
		my ($node, $step) = (below($nodes), below($task[-1]{step} + 1));
		@late = grep { $_->{node} == $node && $_->{step} == $step } @task;
		($expr, $name) = ("Node == $node and Iteration == $step", $node);
	}
	$_->{late} = $delay for @late;
	my $longer = run() - $before;
	if ($longer * 50 >= $before) {
		put();
		print join("\t", $expr, "${delay}ns", $name, $longer), "\n";
		exit 0;
	}
	delete $_->{late} for @late;
}
exit 1;
