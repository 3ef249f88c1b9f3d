#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# r.t: the functions of r/traceviz.R give what the command prints (tests/r/check.R)
. "$(dirname "$0")/lib.sh"
command -v Rscript >/dev/null || { plan 1; skip 1 "no R"; exit 0; }
Rscript --vanilla "$ROOT/tests/r/check.R" "$ROOT"
