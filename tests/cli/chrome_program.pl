#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome_program.pl FACTOR [OPTION...] -- one made-up run of two processes with two threads each, as trace events (run.json), a table
# (run.csv) and Pajé (run.paje) in the current folder. FACTOR: how much longer tasks of the second thread of the second process take.
# Options: no-ids, no args; lost=N, no end (E) of the N-th slice of the second process, from 1; loop, a slice around the tasks of each
# thread; ranks, also rank0.json and rank1.json, one for each process.
use strict;
use warnings;

my ($factor, @options) = @ARGV;
my %option = map { /^(\w[\w-]*)(?:=(.*))?$/; $1 => $2 // 1 } @options;
my (%free, @task);
for my $p (0, 1) { $free{"$p$_"} = 100 + 10 * $p + $_ for 0, 1 }

# Times in us. A task waits for others, of any thread, and for its thread.
sub task {
	my ($name, $p, $t, $time, @after) = @_;
	my $start = $free{"$p$t"};
	for (@after) { $start = $task[$_ - 1]{end} + 30 if $task[$_ - 1]{end} + 30 > $start }
	my $end = $start + $time * ($p == 1 && $t == 1 ? $factor : 1);
	push @task, { id => @task + 1, name => $name, p => $p, t => $t, start => $start, end => $end, after => [@after] };
	$free{"$p$t"} = $end + 20;
	return scalar @task;
}

for my $round (0 .. 9) {
	for my $p (0, 1) { task('assemble', $p, $_, 5000 + 137 * ((3 * $round + 2 * $p + $_) % 7)) for 0, 1 }
}
my %last = (0 => task('reduce', 0, 0, 4000, 1 .. 40));
$last{$_} = $last{0} for 1 .. 3;
for my $round (0 .. 9) {
	my %next;
	for my $w (0 .. 3) {
		my @after = sort { $a <=> $b } keys %{ { map { $last{$_} => 1 } $w, ($w + 3) % 4 } };
		$next{$w} = task('update', $w >> 1, $w & 1, 4000 + 91 * ((5 * $round + $w) % 9), @after);
	}
	%last = %next;
}

# ---- trace events: X of the first process, B and E of the second
my @event;
sub event { push @event, { p => $_[1], time => $_[0], order => $_[2], text => "{$_[3],\"pid\":" . (100 + $_[1]) . "$_[4]}" } }
sub at { my ($p, $t, $time) = @_; return sprintf ',"tid":%d,"ts":%.3f', $t + 1, $time }
for my $p (0, 1) {
	event(-1, $p, 0, '"ph":"M","name":"process_name"', ",\"args\":{\"name\":\"rank$p\"}");
	event(-1, $p, 1, '"ph":"M","name":"thread_name"', ",\"tid\":" . ($_ + 1) . ",\"args\":{\"name\":\"worker$_\"}") for 0, 1;
	next if !$option{loop};
	event(50, $p, 0, '"ph":"X","cat":"f","name":"loop"', at($p, $_, 50) . sprintf ',"dur":%.3f', $free{"$p$_"}) for 0, 1;
}
my ($flow, $slice) = (0, 0);
for my $task (@task) {
	my ($p, $t, $start, $end) = @$task{qw(p t start end)};
	my $what = "\"cat\":\"f\",\"name\":\"$task->{name}\"";
	my $args = $option{'no-ids'} ? '' : ",\"args\":{\"id\":$task->{id}}";
	if ($p == 0) {
		event($start, $p, 2, "\"ph\":\"X\",$what", at($p, $t, $start) . sprintf(',"dur":%.3f', $end - $start) . $args);
	} else {
		event($start, $p, 2, "\"ph\":\"B\",$what", at($p, $t, $start) . $args);
		event($end, $p, 1, "\"ph\":\"E\",$what", at($p, $t, $end)) if ++$slice != ($option{lost} // 0);
	}
	for (@{ $task->{after} }) {
		my $from = $task[$_ - 1];
		my $id = "\"cat\":\"d\",\"name\":\"dep\",\"id\":" . ++$flow;
		event($from->{end} - 0.5, $from->{p}, 0, "\"ph\":\"s\",$id", at($from->{p}, $from->{t}, $from->{end} - 0.5));
		event($start + 0.1, $p, 3, "\"ph\":\"f\",\"bp\":\"e\",$id", at($p, $t, $start + 0.1));
	}
}
sub put {
	my ($file, @text) = @_;
	open my $out, '>', $file or die "$file: $!";
	print $out @text;
	close $out or die;
}
@event = sort { $a->{time} <=> $b->{time} || $a->{order} <=> $b->{order} } @event;
put('run.json', '[', join(",\n", map { $_->{text} } @event), "]\n");
for my $p (0, 1) {
	put("rank$p.json", '[', join(",\n", map { $_->{p} == $p ? $_->{text} : () } @event), "]\n") if $option{ranks};
}

# ---- table and Pajé
put('run.csv', "id,rank,worker,kernel,begin_us,end_us,after\n",
	map { sprintf "%d,rank%d,worker%d,%s,%.3f,%.3f,%s\n", @$_{qw(id p t name start end)}, "@{ $_->{after} }" } @task);
my @fields = (['DefineContainerType', 'Alias', 'Type', 'Name'], ['DefineStateType', 'Alias', 'Type', 'Name'],
	['CreateContainer', 'Time', 'Alias', 'Type', 'Container', 'Name'], ['PushState', qw(Time Type Container Value JobId DependsOn)],
	['PopState', 'Time', 'Type', 'Container']);
my @paje;
for my $n (0 .. $#fields) {
	my ($name, @field) = @{ $fields[$n] };
	push @paje, "%EventDef Paje$name $n\n", (map { "% $_ " . ($_ eq 'Time' ? 'date' : 'string') . "\n" } @field), "%EndEventDef\n";
}
push @paje, "0 R 0 Root\n0 N R Process\n0 W N Worker\n1 S W Task\n2 0 root R 0 program\n";
for my $p (0, 1) {
	push @paje, "2 0 n$p N root rank$p\n", map { "2 0 w$p$_ W n$p rank${p}_worker$_\n" } 0, 1;
}
my @line;
for my $task (@task) {
	my $w = "w$task->{p}$task->{t}";
	push @line, [$task->{start}, 1, sprintf "3 %.9f S %s %s %d \"%s\"\n", $task->{start} / 1e6, $w, @$task{qw(name id)}, "@{ $task->{after} }"];
	push @line, [$task->{end}, 0, sprintf "4 %.9f S %s\n", $task->{end} / 1e6, $w];
}
put('run.paje', @paje, map { $_->[2] } sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @line);
