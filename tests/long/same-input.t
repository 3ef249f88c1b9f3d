#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# same-input.t: verbs with options give the same bytes and messages of a trace as CSV, compressed CSV, SQLite, Parquet and in parts,
# with 1 and 8 threads: each as its example, in a window, of some types, workers, rows
# SAMPLES="data/cholesky.csv ...": of these
. "$(dirname "$0")/../cli/lib.sh"
samples=${SAMPLES:-data/cholesky-2nodes data/mpi-halo data/qr-mumps-like.csv}
plan "$(echo "$samples" | wc -w | awk '{ print 6 * $1 }')"
own='plot|convert|record|compare|generate|platform|help|series|list|sql|scaling|precision'
verbs=$(traceviz help verbs | grep -vxE "$own")

# example VERB: the options of its example
example() {
	traceviz "$1" --help | sed -n "s/^  traceviz \([a-z-]* \)\{0,1\}$1 //p" | head -1 |
		sed 's# *\(tests/\)\{0,1\}data/[A-Za-z0-9./_-]*##g; s/ *[|&;].*//; s/ -o [^ ]*//'
}
for verb in $verbs; do
	printf '%s %s\n' "$verb" "$(example "$verb")"
done >examples

# show NAME COMMAND...: what it prints, its messages without names of files, its status
show() {
	name=$1; shift
	"$@" >"$name.out" 2>"$name.messages" </dev/null
	echo "status $?" >>"$name.messages"
	sed -i 's#run/[a-z]*\(/Node=[^ :]*\)*\.[a-z.]*[a-z]#TABLE#g; s#TABLE:[0-9]*#TABLE#g; s# (also on line [0-9]*)##' "$name.messages"
}

# The rows of tasks that there are: first type, first worker, a quarter and three quarters of the time; and how many commands have
# a result, at least.
look() {
	[ -f run/tasks.csv ] || { echo 'type=a worker=a begin=0 end=1 least=20'; return; }
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["Start"] != "" && $c["ResourceId"] != "" { if (type == "") { type = $c["Value"]; worker = $c["ResourceId"] }; if ($c["End"] > end) end = $c["End"] }
		END { printf "type=%s worker=%s begin=%.3f end=%.3f least=100\n", type, worker, end / 4, end * 3 / 4 }' run/tasks.csv
}

# answers FOLDER OPTIONS...
# shellcheck disable=SC2154 # type, worker, begin, end: set by what look prints
answers() {
	cd "$1" || exit 1
	shift
	while read -r verb options; do
		eval "show as-example-$verb traceviz $verb $options run $*"
		show "window-$verb" traceviz "$verb" --begin "$begin" --end "$end" run "$@"
		show "only-$verb" traceviz "$verb" --only "$type" run "$@"
		show "resource-$verb" traceviz "$verb" --resource "$worker" run "$@"
		show "node-$verb" traceviz "$verb" --node 0 run "$@"
		show "where-$verb" traceviz "$verb" --where "End > $begin and Duration > 0" run "$@"
		show "restrict-$verb" traceviz "$verb" --restrict "Start >= $begin" run "$@"
	done <../examples
	show convert traceviz convert run -o - "$@"
	show compare traceviz compare run "$DATA/cholesky-ws.csv" "$@"
	show scaling traceviz scaling run "$DATA/cholesky-ws.csv" "$@"
	show sql traceviz sql run 'SELECT * FROM tasks' "$@"
	show page traceviz run -o page.svg "$@"
	show report traceviz run -o page.html "$@"
	rm -rf run
	cd ..
}

as() {
	mkdir "$1"
	case $1 in
	csv) cp -r run csv ;;
	zstd) cp -r run zstd && zstd -q --rm zstd/run/*.csv ;;
	sqlite) traceviz convert -q run -o run.sqlite && mv run.sqlite sqlite/run ;;
	parquet) traceviz convert -q --to parquet run -o parquet/run ;;
	*) traceviz convert -q --partition Node run -o "$1/run" ;;
	esac
}

for sample in $samples; do
	traceviz convert -q "$ROOT/$sample" -o run || exit 1
	eval "$(look)"
	for format in csv zstd sqlite parquet parts twice; do as $format; done
	for format in csv zstd sqlite parquet parts; do
		case $format in csv | sqlite | parts) threads=1 ;; *) threads=8 ;; esac
		answers $format --threads $threads
	done
	answers twice --threads 8
	# shellcheck disable=SC2154 # least: set by what look prints
	is "$(($(grep -l '^status 0' csv/*.messages | wc -l) > least))" 1 "$sample: most commands have a result"
	for format in zstd sqlite parquet parts twice; do
		ok "$sample: as CSV ($format)" diff -r csv $format
		rm -rf $format
	done
	rm -rf csv run
done
