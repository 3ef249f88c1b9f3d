#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# agents.t: docs/agents.md: its commands print what it shows; what it says of diagnose finds planted causes
. "$(dirname "$0")/lib.sh"
plan 11
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
	sh | head -1)" "$(traceviz wait-states -q --by rank --top 20 examples/data/halo-5-15 | head -1)" "a Command is complete"
# Verbs and findings that the page names exist; its lists are those of the program.
traceviz help --json >help.json
perl -MJSON::PP -e 'local $/; my $all = decode_json(<STDIN>); print "$_->{name}\n" for @{ $all->{verbs} }, @{ $all->{findings} }' <help.json | sort >names
is "$(sed -n 's/^`\([a-z-]*\)` | .*/\1/p' "$page" | sort | comm -3 - names | tr -d '\t' | grep -v '^\(run\|verdict\|finding\|part\|limit\|help\)$')" "" \
	"its lists are those of the program"
is "$(grep -oE '(\`|\$ )traceviz [a-z][a-z-]+' "$page" | sed 's/.*traceviz //' | sort -u | while read -r verb; do
	traceviz help "$verb" >/dev/null 2>&1 || echo "$verb"; done)" "" "its verbs exist"

# Commands in a line of text, with samples for the words that stand for something. A program that records nothing is reported, with status 0.
sed 's/<!--.*//' "$page" | grep -oE '`traceviz [^`]*`' | tr -d '`' | sort -u | sed "s/TRACE/data\/cholesky-ws.csv/; s/BEFORE AFTER/data\/cholesky-dmda.csv data\/cholesky-ws.csv/
	s/RUN\.\.\./data\/cholesky-d*.csv/; s/ID$/late-start/; s/DIR -- PROGRAM/recorded -- true/; s/VERB/bounds/; s/SELECT \.\.\./SELECT 1/" >commands
is "$(while read -r command; do sh -c "$command" >out 2>err </dev/null && { [ -s out ] || [ -d recorded ]; } || echo "$command: $(cat err)"; rm -rf recorded; done <commands)" "" \
	"its $(wc -l <commands | tr -d ' ') commands in lines of text run"
# Options and columns in code.
perl -MJSON::PP -ne 'BEGIN { local $/; open my $in, "<", "help.json"; my $all = decode_json(<$in>);
	$known{"--$_->{name}"} = 1 for map { @{$_->{options}} } @{$all->{verbs}}; $known{"--help"} = 1;
	$known{$_->{name}} = 1 for map { @{$_->{columns}} } @{$all->{tables}}, map { @{$_->{tables} // []} } @{$all->{verbs}} }
	s/\W`traceviz [^`]*`//g; while (/`([^`]*)`/g) { my $code = $1; for ($code =~ /(?<!\w)(?:--[a-z-]+|^[A-Z][a-z]\w*$)/g) { print "$_\n" unless $known{$_}; $seen{$_}++ } }
	END { print scalar(keys %seen), "\n" }' "$page" >unknown
is "$(sed '$d' unknown) $(($(tail -1 unknown) > 25))" " 1" "its options and columns exist"
# The table of exit statuses.
status() { traceviz "$@" >out 2>err </dev/null; echo $?; }
is "$(status bounds data/cholesky-ws.csv) $(status bounds none.csv) $([ -s out ] || echo "no result") $(status bonds data/cholesky-ws.csv) $(grep -c "did you mean 'bounds'" err)" \
	"0 1 no result 2 1" "status 0, 1, 2"
is "$(status diagnose --json data/cholesky-ws.csv --fail-if 'Id == "crowded" and Potential > 100') $(tail -1 out)" "3 ]" "3: the output is complete"
is "$(status diagnose --json data/cholesky-ws.csv --fail-if 'Id == "urgent-delays"' --require-confidence) $(tail -1 out)" "4 ]" "4: likewise"

need_shared 1
for case in "$SHARED"/data/answers/cases/*/; do
	name=$(basename "$case")
	[ -d "$case/run" ] || continue # a comparison
	found=$(cause "$case/run")
	perl -MJSON::PP -e 'local $/; my $e = decode_json(<STDIN>); exit !grep { $_ eq $ARGV[0] } @{ $e->{accept} }' "$found" <"$case/expect.json" ||
		echo "$name: $found"
done >wrong
is "$(cat wrong)" "" "runs with a planted cause: it is found"
