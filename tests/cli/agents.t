#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# agents.t: docs/agents.md: its commands print what it shows; what it says of diagnose finds planted causes
. "$(dirname "$0")/lib.sh"
plan 6
for link in data examples; do ln -s "$ROOT/$link" $link; done
page=$ROOT/docs/agents.md
sh "$ROOT/docs/cases.sh" "$page" >printed.md
is "$(diff "$page" printed.md)" "" "the commands print what the page shows"

# "the verdict, else the finding of smallest Rank, else the first limit"
cat >cause.pl <<'END'
use JSON::PP;
my @row = @{ decode_json(join '', <STDIN>) };
my %of;
push @{ $of{ $_->{Kind} } }, $_ for @row;
my ($first) = sort { $a->{Rank} <=> $b->{Rank} } @{ $of{finding} // [] };
print(($of{verdict} ? $of{verdict}[0] : $first // $of{limit}[0])->{Id}, "\n");
END
cause() { traceviz diagnose --json -q "$1" | perl cause.pl; }
is "$(for run in data/cholesky-ws.csv examples/data/loop-static examples/data/loop-dynamic examples/data/fib-14 examples/data/halo-5-15 \
	examples/data/halo-10-10; do cause $run; done | tr '\n' ' ')" \
	"crowded loop-imbalance near-bound fine-tasks waits-in-mpi near-bound " "samples and recordings: the cause"
# Each row names complete commands, which run.
is "$(traceviz diagnose --json -q examples/data/halo-5-15 | perl -MJSON::PP -e 'print "$_->{Command} -q\n" for grep { $_->{Kind} eq "finding" } @{ decode_json(join "", <STDIN>) }' |
	sh | head -1)" "$(traceviz wait-states -q --top 20 examples/data/halo-5-15 | head -1)" "a Command is complete"
# Verbs and findings that the page names exist; its lists are those of the program.
traceviz help --json >help.json
perl -MJSON::PP -e 'local $/; my $all = decode_json(<STDIN>); print "$_->{name}\n" for @{ $all->{verbs} }, @{ $all->{findings} }' <help.json | sort >names
is "$(sed -n 's/^`\([a-z-]*\)` | .*/\1/p' "$page" | sort | comm -3 - names | tr -d '\t' | grep -v '^\(run\|verdict\|finding\|part\|limit\|help\)$')" "" \
	"its lists are those of the program"
is "$(grep -oE '(\`|\$ )traceviz [a-z][a-z-]+' "$page" | sed 's/.*traceviz //' | sort -u | while read -r verb; do
	traceviz help "$verb" >/dev/null 2>&1 || echo "$verb"; done)" "" "its verbs exist"

need_shared 1
for case in "$SHARED"/data/answers/cases/*/; do
	name=$(basename "$case")
	[ -d "$case/run" ] || continue # a comparison
	found=$(cause "$case/run")
	perl -MJSON::PP -e 'local $/; my $e = decode_json(<STDIN>); exit !grep { $_ eq $ARGV[0] } @{ $e->{accept} }' "$found" <"$case/expect.json" ||
		echo "$name: $found"
done >wrong
is "$(cat wrong)" "" "runs with a planted cause: it is found"
