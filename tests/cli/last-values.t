#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# last-values.t: what changes at the last instant of a trace is its last value
# needs zstd perl
. "$(dirname "$0")/lib.sh"
plan 14

# decode WHAT: a file of FxT on standard input; used: the last value of each memory node, in MiB, from its records;
# end: the file, and at the last time of it 7 MiB used on memory node 1 and 9 on node 2
decode() {
	perl -e '
		binmode STDIN; binmode STDOUT; local $/; my $data = <STDIN>;
		my $at = 4 + unpack("Q<", substr($data, 4, 8)) + 16;
		my ($begin, $last, %used) = ($at, 0);
		while ($at < length $data) {
			my ($time, undef, $word) = unpack "Q<3", substr($data, $at, 24);
			my $n = ($word & 255) - 1;
			my @param = unpack "Q<$n", substr($data, $at + 24, 8 * $n);
			$last = $time if $time > $last;
			$used{$param[0]} = $param[1] / 2 ** 20 if $word >> 8 == 0x512a;
			$at += 24 + 8 * $n;
		}
		print map "$_ $used{$_}\n", sort keys %used if $ARGV[0] eq "used";
		print substr($data, 0, $begin - 16), pack("Q<", 0), substr($data, $begin - 8),
			map pack("Q<6", $last, 0, 0x512a << 8 | 4, $_, (5 + 2 * $_) << 20, 9), 1, 2 if $ARGV[0] eq "end";' "$1"
}
last() { traceviz memory -q --summary "$1" 2>/dev/null | awk -F, 'NR > 1 && $5 != 0 { print $3, $8 }'; }
zstd -qdc "$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst" | decode end >prof_file_0
is "$(last prof_file_0)" "1 7
2 9
3 256" "memory: the value of the last instant is the last one"
is "$(last prof_file_0)" "$(decode used <prof_file_0)" "as the records have it"
traceviz convert -q prof_file_0 -o run 2>/dev/null
is "$(awk -F, '$2 == "Used (MB)" && $1 == "MEMMANAGER1" { row = $5 " " ($3 == $4) } END { print row }' run/variables.csv)" "7 1" \
	"in the table: an instant"
is "$(last run)" "$(last prof_file_0)" "and so from there"
tail() { traceviz counter -q "$@" | awk -F, '{ row = $5; from = $3; to = $4 } END { printf "%s %.6f", row, to - from }'; }
is "$(tail 'Used (MB)' --resource MEMMANAGER1 prof_file_0)" "7 0.000001" "counter: its curve ends with it"
is "$(tail 'Used (MB)' --resource 'MEMMANAGER[1-3]' --sum prof_file_0)" "272 0.000001" "a sum ends with all values of the last instant"
is "$(traceviz counter -q prof_file_0 | awk -F, '$2 == "MEMMANAGER1" && $1 == "Used (MB)" { print $6, $7 }')" "0 256" "min and max"
is "$(traceviz counter -q prof_file_0 | awk -F, '$2 == "MEMMANAGER1" && $1 == "Used (MB)" { printf "%s %s %.9f", $3, $4, $5 }')" \
	"$(awk -F, '$2 == "Used (MB)" && $1 == "MEMMANAGER1" { if (!n++) begin = $3; s += ($4 - $3) * $5; end = $4 }
		END { printf "%s %s %.9f", begin, end, s / (end - begin) }' run/variables.csv)" "the mean is that of the table"

# instants: each holds until the next of its resource
cat >gauges.csv <<'END'
ResourceId,Type,Start,End,Value
a,gauge,0,0,5
a,gauge,1,1,7
a,gauge,3,3,9
b,gauge,0,3,2
END
is "$(traceviz counter -q gauge --resource a gauges.csv | cut -d, -f3-5 | tr '\n' ' ')" \
	"Start,End,Value 0.000000,1.000000,5 1.000000,3.000000,7 3.000000,3.000001,9 " "counter: values of instants hold until the next"
is "$(traceviz counter -q gauges.csv | cut -d, -f2-7 | tr '\n' ' ')" \
	"By,Start,End,Value,Min,Max a,0.000000,3.000000,6.333333333333333,5,9 b,0.000000,3.000000,2,2,2 " "means, min and max"
is "$(traceviz counter -q gauge --sum gauges.csv | cut -d, -f3-5 | tr '\n' ' ')" \
	"Start,End,Value 0.000000,1.000000,7 1.000000,3.000000,9 3.000000,3.000001,11 " "sums"

# the end of the last value of an object of the machine
mkdir machine
cat >machine/resources.csv <<'END'
ResourceId,ResourceType,Depth,Order,OsIndex,Parent
Machine:0,Machine,0,0,0,
PU:0,PU,1,0,0,Machine:0
END
cat >machine/variables.csv <<'END'
ResourceId,Type,Start,End,Value
PU:0,v,0,2,10
PU:0,v,2,10,20
END
is "$(traceviz topology -q --by v --at 2,10,10.1 machine | awk -F, '$3 == "PU:0" { print $1, $11 }' | tr '\n' ' ')" \
	"2.000000 20 10.000000 20 10.100000  " "topology --at the end: the value that holds there"

need_shared 2
for run in lu20-dmdas decisions-chol30-dmdas; do
	is "$(last "$SHARED/data/review/$run")" "$(zstd -qdc "$SHARED/data/review/$run/prof_file_0.zst" | decode used)" "$run: last values as in the records"
done
