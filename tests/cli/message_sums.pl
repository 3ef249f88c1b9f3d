# SPDX-License-Identifier: GPL-3.0-or-later
# message_sums.pl MESSAGES MATRIX SIZES BALANCE -- adds up the rows of messages and prints where the other tables differ.
use strict;
use warnings;
use FindBin '$Bin';
use lib "$Bin/../oracle";
use tables;

sub number { return ($_[0] // '') eq '' ? 0 : $_[0] }

my (%pair, %node, $n, $bytes);
$n = $bytes = 0;
for my $m (rows($ARGV[0])) {
	my $pair = $pair{"$m->{Origin} to $m->{Dest}"} //= {};
	$pair->{Messages}++;
	$pair->{Bytes} += number($m->{Size});
	$pair->{Time} += $m->{Duration};
	$pair->{Wait} += number($m->{Wait});
	$node{$m->{Origin}}{MessagesSent}++;
	$node{$m->{Origin}}{BytesSent} += number($m->{Size});
	$node{$m->{Dest}}{MessagesReceived}++;
	$node{$m->{Dest}}{BytesReceived} += number($m->{Size});
	next if $m->{Size} eq '';
	$n++;
	$bytes += $m->{Size};
}
sub check {
	my ($what, $got, $want) = @_;
	printf "%s: %s, the sum is %s\n", $what, $got, $want if abs(number($got) - number($want)) > 5e-6;
}
for my $row (rows($ARGV[1])) {
	my $pair = delete $pair{"$row->{Origin} to $row->{Dest}"} // {};
	check("comm-matrix $row->{Origin} to $row->{Dest} $_", $row->{$_}, $pair->{$_}) for qw(Messages Bytes Time Wait);
}
print "comm-matrix has no row for $_\n" for sort keys %pair;
for my $row (rows($ARGV[2])) {
	$n -= $row->{Messages};
	$bytes -= $row->{Bytes};
}
check('message-sizes, missing messages', 0, $n);
check('message-sizes, missing bytes', 0, $bytes);
for my $row (rows($ARGV[3])) {
	next if $row->{Node} eq '';
	check("load-balance of $row->{Node} $_", $row->{$_}, $node{$row->{Node}}{$_})
		for qw(MessagesSent BytesSent MessagesReceived BytesReceived);
}
