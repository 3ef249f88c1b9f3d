#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# row-order.t: no result depends on the order of rows: verbs and panels give the same bytes of shuffled tables
. "$(dirname "$0")/lib.sh"
samples="cholesky-decisions cholesky-2nodes qr-mumps-like.csv mpi-steps mpi-overlap"
plan $((4 * $(echo "$samples" | wc -w) + 1))
seed 20

# shuffle FROM TO: all tables but meta and resources, lists whose order is that of info and of the rows of figures. Events and
# decisions of one instant stay in the order in which they happened: nothing else says it. The first of variables stays: it is
# the one that figures show where none is named.
shuffle() {
	perl -e 'use strict; use warnings; my ($seed, $from, $to) = @ARGV; srand $seed; mkdir $to;
		for my $path (glob "$from/*.csv") {
			my ($table) = $path =~ m{([a-z]+)\.csv$};
			open my $in, "<", $path or die $path; open my $out, ">", "$to/$table.csv" or die $to;
			my ($header, @row) = <$in>; my (%instant, @key); chomp(my $names = $header); my @name = split /,/, $names;
			my ($time) = grep { $table =~ /^(events|decisions)$/ && $name[$_] eq "Time" } 0 .. $#name;
			for my $i (0 .. $#row) {
				my $key = defined $time ? (split /,/, $row[$i])[$time] : $i;
				push @key, $key unless $instant{$key}; $instant{$key} .= $row[$i];
			}
			my $fixed = $table eq "variables" ? 1 : $table =~ /^(meta|resources)$/ ? @key : 0;
			for (my $i = @key; --$i > $fixed;) { my $k = $fixed + int rand($i + 1 - $fixed); @key[$i, $k] = @key[$k, $i]; }
			print $out $header, map { $instant{$_} } @key;
		}' "$seed" "$1" "$2"
}

for sample in $samples; do
	mkdir plain shuffled
	traceviz convert -q "$DATA/$sample" -o plain/run
	shuffle plain/run shuffled/run
	seed=$((seed + 1))
	traceviz convert -q shuffled/run -o back
	ok "$sample: rows that are written keep their order" diff -r shuffled/run back
	results plain & results shuffled
	wait
	for kind in csv svg; do
		ok "$sample: panels as $kind" diff -rq plain/$kind shuffled/$kind
	done
	rm -rf plain/run shuffled/run plain/csv plain/svg shuffled/csv shuffled/svg
	ok "$sample: verbs" diff -r plain shuffled
	rm -rf plain shuffled back
done

# The columns that a verb adds are beside the rows of the input.
traceviz convert -q "$DATA/cholesky-ws.csv" -o run
mkdir plain; mv run plain/run; shuffle plain/run shuffled
traceviz outliers -q --csv shuffled | cut -d, -f1-27 >got
ok "verbs that add columns keep the order of rows" diff shuffled/tasks.csv got
