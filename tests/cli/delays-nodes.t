#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# delays-nodes.t [RUNS [SEED]]: messages, nodes and ranks that take longer: what the delay costs, and who is to blame. The runs are made by
# scripts in tests/oracle, which know how much shorter they are without the delay: of tasks, and of MPI calls.
. "$(dirname "$0")/lib.sh"
plan 12

# cost TRACE CUT, culprits TRACE (by Excess): of the delayed things
cost() { $verb --csv -q $costs --cut "$2" "$1" | columns - Section,DelayCost | awk '$1 == "all" { printf "%.0f", $2 * 1e6 }'; }
culprits() {
	$verb2 --csv -q --where "$kind" "$1" | columns - "$names,Excess" |
		awk '{ e = $NF; NF--; sum[$0] += e } END { for (k in sum) print sum[k], k }' | sort -gr | cut -d' ' -f2-
}

runs=${1:-5}
seed "${2:-20261128}"
for of in tasks ranks; do
	for what in message "${of%s}"; do
		case $of-$what in
		tasks-message) costs='--by link' verb2='--each link' kind='Culprit == message' names=Link ;;
		tasks-task) costs='--by node' verb2='--each node' kind='Culprit == task' names=Node ;;
		ranks-message) costs='--delay-cost call' kind='Culprit == message' names=Rank,ToRank ;;
		ranks-rank) costs='--delay-cost rank' kind='Culprit == compute' names=Rank ;;
		esac
		case $of in
		tasks) verb='traceviz critical-path --delay-cost' verb2="traceviz idle-causes --by culprit $verb2" ;;
		ranks) verb='traceviz mpi-replay' verb2='traceviz mpi-replay --culprits rank' ;;
		esac
		n=0 made=0 exact=0 blamed=0
		while [ $n -lt "$runs" ]; do
			n=$((n + 1))
			rm -rf late
			perl "$ROOT/tests/oracle/delayed-$of.pl" $((seed * 1000 + n)) $what late >said && made=$((made + 1))
			IFS='	' read -r expr delay name longer <said
			found=$(cost late "$expr=$delay")
			if [ "$found" = "$longer" ]; then exact=$((exact + 1)); else diag "run $n: $found, not $longer: $expr"; fi
			place=$(culprits late | grep -nxF "$name" | cut -d: -f1)
			if [ "${place:-9}" -le 3 ]; then blamed=$((blamed + 1)); else diag "run $n: $name is culprit number $place"; fi
		done
		is "$made" "$runs" "$of, a late $what: runs that it makes 2 % longer"
		is "$exact" "$runs" "$of, a late $what: what it costs is the difference of the runs, to the ns"
		is "$blamed" "$runs" "$of, a late $what: it is among the first three culprits by excess"
	done
done
