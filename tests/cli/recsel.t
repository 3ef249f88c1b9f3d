#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recsel.t: every field of every record that GNU recsel reads is in our tables, alone and joined
# with the trace
# needs recsel zstd
. "$(dirname "$0")/lib.sh"
here=$ROOT/tests/cli
plan 25

alone() { # NAME FILE TABLE COUNTS
	rm -rf out
	run traceviz convert -q --zero none "$2" -o out
	recsel "$2" >theirs
	is "$rc $("$here/rec_compare.pl" "out/$3.csv" <theirs)" "0 $4" "$1"
}
# Beside a trace its own values win (Parameters are written another way), and workers have its
# names.
joined() { # NAME PAJE REC COUNTS
	rm -rf both out
	mkdir both
	ln -s "$2" both/paje.trace
	ln -s "$3" both/tasks.rec
	run traceviz convert -q --zero none both -o out
	recsel "$3" >theirs
	is "$rc $("$here/rec_compare.pl" out/tasks.csv WorkerId Name Parameters NumaNodes \
		<theirs)" "0 $4" "$1"
}

zstd -qdc "$DATA/cholesky-paje/tasks.rec.zst" >tasks.rec
zstd -qdc "$DATA/cholesky-paje/paje.trace.zst" >paje.trace
alone "our sample" tasks.rec tasks "546 records, 9930 values"
joined "our sample with its trace" "$PWD/paje.trace" "$PWD/tasks.rec" "546 records, 8305 values"
run traceviz convert -q both -o out
is "$(grep -c '^Repaired\|^Dropped' out/meta.csv) $(grep '^RecWontUse' out/meta.csv)" \
	"0 RecWontUse,78" \
	"nothing is repaired, records of control are counted"
is "$(grep -c ',app,' out/tasks.csv) $(grep -c ',ghost,' out/tasks.csv)" "364 182" \
	"all tasks, ghosts for the others"

converted() { # GOLDEN TASKS VALUES HANDLES VALUES VALUES-OF-BOTH
	for file in tasks.rec data.rec paje.trace; do golden "$1" $file >$file; done
	alone "$1" tasks.rec tasks "$2 records, $3 values"
	alone "$1, data" data.rec handles "$4 records, $5 values"
	joined "$1 with its trace" "$PWD/paje.trace" "$PWD/tasks.rec" "$2 records, $6 values"
}
converted cholesky-12-dmdas 546 9930 157 917 8305
converted cholesky-12-dmdas-1.3 546 9046 157 772 7772

need_shared 15
for want in "native-cholesky-12-2ranks 1443 18740 288 2592 16415" \
		"native-cholesky-16-lws 1122 21418 273 1605 17865" \
	"mpi-cholesky-20-dmdas-2nodes 4625 65612 801 7206 56959"; do
	# shellcheck disable=SC2086
	converted $want
done
for name in dmda dmdas ws; do
	from=$(echo "$SHARED"/data/cholesky-idcin*/12/$name)
	alone "StarPU 1.2, $name" "$from/tasks.rec" tasks "808 records, 6872 values"
	joined "StarPU 1.2, $name with its trace" "$from/paje.trace" "$from/tasks.rec" \
		"808 records, 5780 values"
done
