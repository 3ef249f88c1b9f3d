#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# overlaps.sh BOXES.csv [WIDTH [HEIGHT]] -- the texts of a list of boxes (-o FILE.csv, --dump-boxes FILE) that overlap by more than
# a hundredth of a point, or that leave the page, of WIDTH inches and HEIGHT points.
exec awk -F, -v width="${2:-100}" -v height="${3:-100000}" 'NR > 1 && $1 == "text" { # the first row is the header
	shape = $0
	gsub(/"[^"]*"/, "") # commas of texts
	x = $7; y = $8; w = $9; h = $10
	if (x < -0.01 || y < -0.01 || x + w > width * 72 + 0.01 || y + h > height + 0.01) print "leaves the page:", shape
	for (i = 0; i < n; i++)
		if (x < X[i] + W[i] - 0.01 && X[i] < x + w - 0.01 && y < Y[i] + H[i] - 0.01 && Y[i] < y + h - 0.01)
			print "overlap:", shape, "and", T[i]
	X[n] = x; Y[n] = y; W[n] = w; H[n] = h; T[n++] = shape
}' "$1"
