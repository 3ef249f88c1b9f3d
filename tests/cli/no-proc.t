#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# no-proc.t: without /proc, as in a bare chroot: the same figures, no file left, programs are recorded
. "$(dirname "$0")/lib.sh"
plan 7
without_proc() { unshare -Urm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"; }
without_proc true 2>/dev/null || { skip 7 "no namespace in which /proc can be hidden"; exit 0; }

mkdir tmp full
TMPDIR=$PWD/tmp
export TMPDIR
for kind in svg pdf png; do
	traceviz "$DATA/cholesky-ws.csv" -q -o "with.$kind"
	run without_proc traceviz "$DATA/cholesky-ws.csv" -q -o "without.$kind"
	is "$rc $(cat stderr) $(cmp with.$kind without.$kind)" "0  " "$kind: the same bytes"
done
is "$(ls -A tmp)" "" "no font file is left"
TMPDIR=$PWD/none run without_proc traceviz "$DATA/cholesky-ws.csv" -q -o none.svg
like "$rc $(cat stderr)" "1 *cannot load the font of the figures (no memory, or no room in the folder TMPDIR)" "no folder for it"
is "$(ls none.svg 2>/dev/null)" "" "and no figure"
run without_proc traceviz record -o log/ -- true
like "$rc $(cat stderr)" "0 *nothing was recorded: the program used no*" "recorders are found"
