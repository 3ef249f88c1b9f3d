#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh -- bandwidths between the cores of this machine, as a platform for `traceviz simulate`. README.md beside.
#   sh examples/bandwidth/run.sh [--force] [--pairs first|all] FOLDER
# FOLDER/topology.csv has the cores, trials.csv what was measured, bandwidth.csv the result, platform.xml the platform: only if three runs
# agree within 15 %, else exit status 1; with --force in any case. From the environment: TOPOLOGY, a file of hwloc instead of this
# machine's; BANDWIDTH, the program; TRIALS of a run; ROUNDS of a trial; BYTES of a buffer.
set -eu
usage() { echo "usage: sh run.sh [--force] [--pairs first|all] FOLDER" >&2; exit 2; }
force= pairs=first
while [ $# -gt 1 ]; do
	case $1 in
	--force) force=yes ;;
	--pairs) pairs=$2; shift ;;
	*) usage ;;
	esac
	shift
done
case "$# $pairs ${1:-}" in "1 first -"* | "1 all -"*) usage ;; "1 first "?* | "1 all "?*) ;; *) usage ;; esac
here=$(dirname "$0")
program=${BANDWIDTH:-$here/../../build/examples/bandwidth/bandwidth}
runs=3 trials=${TRIALS:-60} rounds=${ROUNDS:-300} bytes=${BYTES:-4194304}
folder=$1
mkdir -p "$folder"
rm -f "$folder/platform.xml"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

topology=${TOPOLOGY:-$work/topology.xml}
if [ -z "${TOPOLOGY:-}" ]; then
	lstopo=$(command -v lstopo-no-graphics || command -v lstopo) ||
		{ echo "bandwidth: no lstopo (Debian: hwloc), expected it or TOPOLOGY, a file of hwloc" >&2; exit 1; }
	"$lstopo" --of xml >"$topology"
fi
traceviz convert -q "$topology" -o "$work/objects"
awk -f "$here/topology.awk" "$work/objects/resources.csv" >"$folder/topology.csv"
awk -v pairs="$pairs" -f "$here/pairs.awk" "$folder/topology.csv" >"$work/pairs"
cores=$(($(wc -l <"$folder/topology.csv") - 1))
number=$(awk '{ print $2, $3 }' "$work/pairs" | sort -u | wc -l)
case $cores in
0) echo "bandwidth: no core in the topology" >&2; exit 1 ;;
1) echo "bandwidth: one core: no pair to measure" >&2; exit 1 ;;
2) echo "bandwidth: two cores: one pair" >&2 ;;
*) echo "bandwidth: $cores cores: $number pairs" >&2 ;;
esac

# Pairs and modes take turns, so that what disturbs the machine for some seconds changes all of them. All runs have equally many trials:
# the fastest one of more is faster.
echo "Run,Trial,Level,From,To,Mode,Transfers,Bytes,Rounds,Best,Median,Worst" >"$folder/trials.csv"
for run in $(seq $runs); do
	for trial in $(seq "$trials"); do
		while read -r level from to mode _ transfers; do
			# shellcheck disable=SC2086 # one word for each transfer
			row=$("$program" --bytes "$bytes" --rounds "$rounds" $transfers </dev/null)
			echo "$run,$trial,$level,$from,$to,$mode,$row"
		done <"$work/pairs"
	done
done >>"$folder/trials.csv"

agree=0
awk -v limit=15 -f "$here/spread.awk" "$folder/trials.csv" >"$folder/bandwidth.csv" || agree=$?
cat "$folder/bandwidth.csv"
[ $agree = 0 ] || [ -n "$force" ] || exit 1
awk -f "$here/platform.awk" "$folder/topology.csv" "$folder/bandwidth.csv" >"$folder/platform.part"
mv "$folder/platform.part" "$folder/platform.xml"
