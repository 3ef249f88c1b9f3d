#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makespans of 500 generated programs on the platforms of traceviz, against SimGrid.
CASES=500 exec sh "$(dirname "$0")/../cli/simulate-simgrid.t"
