#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh BUILD SECONDS [TARGET...]: runs each fuzz target for that long and prints executions and findings. The corpus
# grows in BUILD/fuzz/corpus/TARGET from run to run; findings are kept in BUILD/fuzz/findings until the target passes them. Exit 1
# if there are any.
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)	# the targets change the current folder
seconds=$2
shift 2
corpus=$build/fuzz/corpus
findings=$build/fuzz/findings
mkdir -p "$findings"
# shellcheck disable=SC2046 # one word per target
[ $# -gt 0 ] || set -- $(ls tests/fuzz/fuzz_*.c | sed 's,.*/fuzz_\(.*\)\.c,\1,')
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
sh tests/fuzz/seeds.sh "$build" "$corpus"

max_len() {
	case $1 in
	fxt) echo 60000 ;; parquet) echo 20000 ;; paje) echo 40000 ;; recutils) echo 12000 ;; config) echo 40000 ;; options | expr) echo 1000 ;;
	*) echo 8000 ;;
	esac
}

findings_of() {
	ls "$findings" | grep -E "^$1-(crash|leak|oom|slow-unit|timeout)-[0-9a-f]*\$" || :
}

# A target without words of its own would run as if it had them.
for target in "$@"; do
	[ -s "$corpus/$target.dict" ] || { echo "$corpus/$target.dict is empty"; exit 1; }
done

# One target that fails must not hide the others.
broken=
status=0
for target in "$@"; do
	log=$findings/$target.log
	: >"$log"
	for old in $(findings_of "$target"); do
		! "$build/fuzz/$target" -timeout=60 -malloc_limit_mb=1000 -rss_limit_mb=2500 "$findings/$old" >"$log" 2>&1 || rm "$findings/$old"
	done
	begin=$(date +%s)
	end=$((begin + seconds))
	# A finding ends the program: it is started again until the time is over. The limit of an execution is wall time: on a busy
	# machine one that prints much takes more than ten seconds.
	while left=$((end - $(date +%s))) && [ "$left" -gt 0 ]; do
		"$build/fuzz/$target" -max_total_time="$left" -timeout=60 -report_slow_units=60 -malloc_limit_mb=1000 -rss_limit_mb=2500 \
			-max_len="$(max_len "$target")" -dict="$corpus/$target.dict" -close_fd_mask=3 -print_final_stats=1 \
			-artifact_prefix="$findings/$target-" "$corpus/$target" >"$log.last" 2>&1 || :
		cat "$log.last" >>"$log"
		if ! grep -q '^stat::number_of_executed_units: *[1-9]' "$log.last"; then
			echo "$target does not run: see $log"
			broken="$broken $target"
			break
		fi
	done
	rm -f "$log.last"
	found=$(findings_of "$target" | grep -c . || :)
	awk -v target="$target" -v found="$found" -v time=$(($(date +%s) - begin)) '/^stat::number_of_executed_units/ { n += $2 }
		END { printf "%-12s %10d executions in %d s  %d findings\n", target, n, time, found }' "$log"
	[ "$found" -eq 0 ] || status=1
done
[ "$status" -eq 0 ] || { echo "findings:"; ls "$findings"/*-*[0-9a-f]; }
[ -z "$broken" ] || { echo "did not run:$broken"; exit 1; }
exit $status
