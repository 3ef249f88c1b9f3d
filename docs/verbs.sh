#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz --help | verbs.sh: the names of its verbs, one per line, whatever groups the list has.
exec sed -n '/^Formats/q; s/^  \([a-z][a-z-]*\)   *[A-Za-z].*/\1/p'
