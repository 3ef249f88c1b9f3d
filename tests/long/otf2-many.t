#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An archive of 10^7 events of all records.
STEPS=38000 exec sh "$(dirname "$0")/../cli/otf2-many.t"
