# SPDX-License-Identifier: GPL-3.0-or-later
# pixels.pl FILE.png R,G,B...: how many pixels have each of these colors.
# pixels.pl --differ FILE.png OTHER.png: how many pixels differ. For 8-bit RGB and RGBA without interlacing.
use strict;
use warnings;
use Compress::Zlib;

# "R,G,B" of each pixel, and the width.
sub pixels {
	my ($file) = @_;
	open my $in, '<:raw', $file or die "$file: $!\n";
	my $png = do { local $/; <$in> };
	my ($width, $height, $bits, $type) = unpack 'x16 N N C C', $png;
	die "$file: not RGB with 8 bits\n" unless $bits == 8 && ($type == 2 || $type == 6);
	my ($at, $packed) = (8, '');
	while ($at < length $png) {
		my $n = unpack 'N', substr $png, $at, 4;
		$packed .= substr $png, $at + 8, $n if substr($png, $at + 4, 4) eq 'IDAT';
		$at += 12 + $n;
	}
	my $raw = uncompress $packed;
	my $bytes = $type == 6 ? 4 : 3;
	my $line = $width * $bytes;
	my @above = (0) x $line;
	my @color;
	for my $y (0 .. $height - 1) {
		my ($filter, @row) = unpack 'C*', substr $raw, $y * ($line + 1), $line + 1;
		for my $i (0 .. $#row) {
			my ($left, $up, $corner) = ($i < $bytes ? 0 : $row[$i - $bytes], $above[$i], $i < $bytes ? 0 : $above[$i - $bytes]);
			my $p = $left + $up - $corner;
			my ($l, $u, $c) = (abs($p - $left), abs($p - $up), abs($p - $corner));
			my $paeth = $l <= $u && $l <= $c ? $left : $u <= $c ? $up : $corner;
			$row[$i] = ($row[$i] + (0, $left, $up, int(($left + $up) / 2), $paeth)[$filter]) & 255;
		}
		push @color, join ',', @row[$_ * $bytes .. $_ * $bytes + 2] for 0 .. $width - 1;
		@above = @row;
	}
	return ($width, @color);
}

if ($ARGV[0] eq '--differ') {
	my ($width, @color) = pixels($ARGV[1]);
	my ($other_width, @other) = pixels($ARGV[2]);
	die "$ARGV[2]: another size than $ARGV[1]\n" if $width != $other_width || @color != @other;
	print scalar(grep { $color[$_] ne $other[$_] } 0 .. $#color), "\n";
} else {
	my ($file, @wanted) = @ARGV;
	my ($width, @color) = pixels($file);
	my %count;
	$count{$_}++ for @color;
	print "$_ ", $count{$_} // 0, "\n" for @wanted;
}
