#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# objects.t: objects of the machine among the resources change no number of any pass, and no picture
. "$(dirname "$0")/lib.sh"
plan 8

mkdir with without
traceviz convert -q "$DATA/cholesky-2nodes" -o with/run
traceviz convert -q "$DATA/cholesky-2nodes" -o without/run
# Objects whose types and nodes are those of workers, ordered among them, and usual ones.
{
	awk 'NR == 1 { print $0 ",Depth,OsIndex,Cpuset,Size"; next } { print $0 ",,,," }' without/run/resources.csv
	echo 'Machine:0,Machine,0,,0,,,,0,0,0-3,'
	echo 'L3:0,L3,0,Machine:0,0,,,,2,0,0-3,1048576'
	for i in 0 1 2 3; do echo "PU:$i,CPU,0,Machine:0,$i,,,,4,$i,$i,"; done
	echo 'CUDA99,CUDA,1,,1,,,,4,,,'
	echo 'PU:9,CPU,elsewhere,,1,,,,4,,,'
} >with/run/resources.csv
is "$(awk -F, 'NR == 1 { n = NF } NF != n { print NR }' with/run/resources.csv)" "" "the rows are whole"

passes() { # all passes of ./run; info counts the rows, topology shows the objects
	cd "$1" || return
	traceviz help verbs | while read -r verb; do
		case $verb in
		plot | convert | record | help | series | list | info | diagnose | compare | topology | simulate | generate | bench* | what-if | platform) continue ;;
		esac
		echo "== $verb"
		traceviz "$verb" -q --csv run 2>&1 </dev/null
	done
}
(passes with) >with.txt
(passes without) >without.txt
ok "all passes print the same" cmp with.txt without.txt
ok "which is more than messages" test "$(wc -l <with.txt)" -gt 2000
traceviz -q with/run -o with.svg
traceviz -q without/run -o without.svg
ok "the picture is the same" cmp with.svg without.svg
run traceviz -q diagnose with/run
mv stdout with.txt
run traceviz -q diagnose without/run
ok "the diagnosis is the same" cmp with.txt stdout
traceviz idleness with/run --resources CUDA=99 >err 2>&1
traceviz idleness without/run --resources CUDA=99 2>&1 | sed "s/without/with/" >err.without
ok "declared workers are counted without them" cmp err err.without
traceviz convert -q with/run --restrict 'Node == "0"' -o cut 2>/dev/null
is "$(grep -c '^PU:' cut/resources.csv)" 5 "a part of a trace keeps all objects"
sed 's/^PU:2,\(.*\),2,2,$/PU:2,\1,2,2-,/' with/run/resources.csv >bad.csv
mv bad.csv with/run/resources.csv
run traceviz idleness -q with/run
like "$rc $(cat stderr)" "1 traceviz: *Cpuset '2-' of 'PU:2', expected a list of processors*" "a wrong list of processors is refused"
