#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# r.t: the functions of r/traceviz.R give what the command prints (tests/r/check.R)
. "$(dirname "$0")/lib.sh"
command -v Rscript >/dev/null || { plan 1; skip 1 "no R"; exit 0; }
# All that give a table of one trace, as tests/python/check.py has them
verbs=$(traceviz help --json | perl -MJSON::PP -e 'local $/; for my $verb (@{ decode_json(<STDIN>)->{verbs} }) {
	print "$verb->{name}\n" if $verb->{name} !~ /^(sql|platform|compare|precision|scaling)$/ && grep { $_->{name} eq "csv" } @{ $verb->{options} } }')
# shellcheck disable=SC2086 # several words
Rscript --vanilla "$ROOT/tests/r/check.R" "$ROOT" $verbs
