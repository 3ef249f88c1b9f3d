#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 200 random MPI programs on an ideal network, replayed and simulated by SimGrid.
CASES=200 exec sh "$(dirname "$0")/../cli/mpi-replay-simgrid.t"
