# SPDX-License-Identifier: GPL-3.0-or-later
# tables.pm -- what the oracles in Perl share: reading a table.
package tables;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = ('rows', 'rows_from');

# Cells may be quoted, but a row is a line.
sub cells {
	my ($line) = @_;
	my @cells;
	chomp $line;
	return split /,/, $line, -1 if index($line, '"') < 0;
	while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) {
		my ($quoted, $plain, $end) = ($1, $2, $3);
		push @cells, defined $quoted ? $quoted =~ s/""/"/gr : $plain;
		last if $end eq '';
	}
	return @cells;
}

# Rows of a CSV, read from a handle, as references to hashes by the names of columns.
sub rows_from {
	my ($in) = @_;
	my (@names, @rows);
	while (my $line = <$in>) {
		my %row;
		if (!@names) { @names = cells($line); next }
		@row{@names} = cells($line);
		push @rows, \%row;
	}
	return @rows;
}

# The same of a file.
sub rows {
	my ($file) = @_;
	open my $in, '<', $file or die "$file: $!";
	return rows_from($in);
}

1;
