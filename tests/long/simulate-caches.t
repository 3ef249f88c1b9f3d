#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Caches of a simulated platform with 200 random graphs.
GRAPHS=200 exec sh "$(dirname "$0")/../cli/simulate-caches.t"
