#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# formats.t: help formats: what samples of each format have is what it says, and the verbs that it names exist
# needs perl zstd gzip
. "$(dirname "$0")/lib.sh"
plan 16
traceviz help formats >help

# what FOLDER: the words of help formats for what the tables have
what() {
	perl -e '
		my (%has, @column);
		sub rows {
			my ($table, $use) = @_;
			open my $in, "<", "$ARGV[0]/$table.csv" or return;
			local $/;
			my $text = <$in>;
			my @names;
			while ($text =~ /\G((?:"(?:[^"]|"")*"|[^"\n])*)\n/g) {
				my $line = "$1,";
				my @cells;
				push @cells, $1 while $line =~ /\G("(?:[^"]|"")*"|[^,]*),/g;
				if (!@names) { @names = @cells; next }
				my %row;
				@row{@names} = @cells;
				$_ //= "" for values %row;
				$use->(\%row);
			}
		}
		rows("tasks", sub {
			my $r = $_[0];
			$has{tasks} = 1 if ($r->{ResourceId} // "") ne "" && ($r->{Start} // "") ne "";
			$has{dependencies} = 1 if ($r->{DependsOn} // "") ne "";
			$has{submission} = 1 if ($r->{SubmitTime} // "") ne "";
			$has{data} = 1 if ($r->{Handles} // "") ne "";
		});
		rows("links", sub { $has{$_[0]{Type} eq "MPI communication" ? "messages" : "links"} = 1 });
		rows("resources", sub { $has{machine} = 1 if ($_[0]{Depth} // "") ne "" });
		rows("handles", sub { $has{data} = 1 });
		for my $table (qw(states variables calls callprofile benchmarks decisions events)) {
			rows($table, sub { $has{$table} = 1 });
		}
		print join("\n", sort keys %has), "\n"' "$1"
}

# brings FORMAT MISSING SAMPLE...: all that help says of it, but for MISSING, which no sample has, is what the samples have
brings() {
	format=$1 missing=$2
	shift 2
	for sample; do
		rm -rf out
		traceviz convert -q --format "$format" "$sample" -o out 2>err || cat err
		what out
	done | sort -u | tr '\n' ' ' >got
	grep -A1 "^  $format " help | tail -1 | sed 's/; with recutils:.*//' | tr ' ' '\n' | grep . | grep -vxF "$(echo "$missing" | tr ' ' '\n')" |
		sort | tr '\n' ' ' >want
	if grep -q 'built without it' err; then skip 1 "$(cat err)"; else is "$(cat got)" "$(cat want)" "$format"; fi
}
traceviz convert -q "$DATA/cholesky-2nodes" -o own.json
traceviz convert -q "$DATA/cholesky.csv" -o own.dot
printf 'PU:0 1000000 0.5\nPU:1 1000000 0.25\n' >monitor.hmon
zstd -qdc "$DATA/cholesky-paje/paje.trace.zst" >alone.trace
mkdir ranks
zstd -qdc "$TESTDATA/paje-2ranks/paje.trace.zst" >ranks/paje.trace
mkdir rec
cp "$TESTDATA"/paje-2ranks/*.rec.zst rec
cat >dump.csv <<'END'
State, rank-0, MPI_STATE, 0, 1, 1, 0, PMPI_Send
State, rank-1, MPI_STATE, 0, 1, 1, 0, PMPI_Recv
Link, 0, L, 0, 1, 1, PTP, rank-0, rank-1, k
Link, 0, L, 0, 1, 1, PTP, a, b, k
Variable, rank-0, V, 0, 1, 1, 2
Event, rank-0, E, 0, a
END
mkdir starvz
printf 'Nature,ResourceId,Type,Start,End,Value,JobId\nState,0_CPU0,Worker State,0,1,a,0_1\n' >starvz/paje.worker_state.csv
printf '{"traceEvents":[{"ph":"C","ts":1,"pid":1,"name":"x","args":{"v":1}},{"ph":"i","ts":1,"pid":1,"tid":1,"name":"m"},
{"ph":"X","ts":1,"dur":5,"pid":1,"tid":1,"name":"a"},{"ph":"X","ts":2,"dur":1,"pid":1,"tid":1,"name":"b"}]}' >counter.json
brings fxt "" "$TESTDATA"/fxt/*/
brings paje "" "$TESTDATA/paje/smpi-two-ranks.trace" alone.trace ranks/paje.trace
brings pj_dump "" dump.csv starvz
brings recutils "" rec
brings tvlog "calls messages variables" "$TESTDATA"/tvlog/*.zst
brings dot "" own.dot "$TESTDATA/golden/cholesky-12-dmdas/dag.dot.zst"
brings mpip "" "$TESTDATA"/mpip/*.mpiP
brings nbc "" "$TESTDATA"/nbc/*.txt
brings hmon "" monitor.hmon
brings hwloc "" "$TESTDATA"/hwloc/*.xml
brings chrome "" own.json counter.json "$TESTDATA"/chrome/*.json.gz "$TESTDATA"/chrome/flows.json
brings paraver "" "$TESTDATA/paraver/mpi.prv" "$TESTDATA/paraver/extrae-tasks/tasks.prv.gz"
# shellcheck disable=SC2046 # several options
if ${CC:-cc} -D_GNU_SOURCE -w -o writer "$ROOT/tests/cli/otf2_write.c" $(${PKG_CONFIG:-pkg-config} --cflags --libs otf2) 2>/dev/null; then
	./writer otf2 traces <"$TESTDATA/otf2/all.txt"
	brings otf2 "" otf2/traces.otf2
else
	skip 1 "the library of OTF2 is not installed"
fi
# Each word of a format is explained, each verb exists.
sed -n '/^What is/,/^$/s/^  \([a-z]*\) .*/\1/p' help | sort >explained
sed -n '1,/^$/s/^ \{26,\}\([a-z ;:_]*\)$/\1/p' help | sed 's/; with recutils:/ /' | tr ' ' '\n' | grep . | sort -u >used
is "$(comm -23 used explained | grep -v '^all$\|^of$\|^the$\|^following$')" "" "what formats have is explained"
is "$(comm -13 used explained | tr '\n' ' ')" "" "and nothing else"
is "$(sed -n '/^What is/,/^$/s/^  .\{37\}  //p' help | tr -d '.;' | sed 's/verbs about.*//' | tr ', ' '\n\n' | grep . | sort -u | while read -r verb; do
	traceviz "$verb" --help >/dev/null 2>&1 || echo "$verb"
done)" "" "the verbs exist"
