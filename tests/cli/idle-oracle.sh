# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# idle-oracle.sh: traceviz idle-causes against tests/oracle/idle-causes.pl, written from the words of docs/passes/idle-causes.md

# causes KEYS OPTION... DIR: lines "DIR KEY... CAUSE NS" of times above 0; KEYS are the numbers of columns
causes() {
	keys=$1; shift
	for trace in "$@"; do :; done
	traceviz idle-causes -q "$@" | awk -F, -v d="$trace" -v keys="$keys" '
		BEGIN { n = split(keys, key, " "); split("task message waiting submission no-next-task", blame, " ") }
		function print_time(cause, time) { sub(/\./, "", time); if (time + 0 > 0) printf "%s %s %.0f\n", row, cause, time }
		NR > 1 { row = d; for (i = 1; i <= n; i++) row = row " " $key[i]
			print_time($7, $8)
			for (i = 1; i <= 5 && $7 == "dependencies"; i++) print_time("dependencies/" blame[i], $(10 + i)) }'
}
# sums FIELDS: the sums of the last field by the first and FIELDS
sums() {
	awk -v fields="$1" '{ n = split(fields, f, " "); k = $1; for (i = 1; i <= n; i++) k = k " " $f[i]; t[k] += $NF }
		END { for (k in t) printf "%s %.0f\n", k, t[k] }' | sort
}
# compare_causes DIR...: ./got and ./want, by worker, type and node, where workers run what they ran and anywhere
compare_causes() {
	for place in observed anywhere; do
		perl "$ROOT/tests/oracle/idle-causes.pl" $place "$@" >oracle || return
		sort oracle
		sums "3 5" <oracle
		sums "2 5" <oracle
	done >want
	for place in observed anywhere; do
		for dir in "$@"; do causes "3 4 5" --by worker --can-run $place "$dir"; done | sort
		for dir in "$@"; do causes 4 --by type --can-run $place "$dir"; done | sort
		for dir in "$@"; do causes 3 --by node --can-run $place "$dir"; done | sort
	done >got
}
# as_folder TRACE DIR: its tables
as_folder() {
	mkdir -p "$2" && case $1 in
	*.csv) cp "$1" "$2/tasks.csv" ;;
	*) rm -r "$2" && traceviz convert -q "$1" -o "$2" 2>/dev/null ;;
	esac
}
# is_as_in_words NAME DIR...
is_as_in_words() {
	name=$1; shift
	compare_causes "$@"
	is "$(diff want got | head -5)" "" "$name: each cause by worker, type and node, as in words, to the nanosecond"
}
