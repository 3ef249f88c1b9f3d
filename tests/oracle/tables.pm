# SPDX-License-Identifier: GPL-3.0-or-later
# tables.pm -- what the oracles in Perl share: reading a table.
package tables;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = ('rows');

# Rows of a CSV without quotes, as references to hashes by the names of columns.
sub rows {
	my ($file) = @_;
	my @rows;
	open my $in, '<', $file or die "$file: $!";
	chomp(my @names = split /,/, <$in>);
	while (my $line = <$in>) {
		chomp $line;
		my %row;
		@row{@names} = split /,/, $line, -1;
		push @rows, \%row;
	}
	return @rows;
}

1;
