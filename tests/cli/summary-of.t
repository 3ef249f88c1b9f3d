#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# summary-of.t: summary --of groups and measures any table: against the verbs that give the same sums, and against awk
. "$(dirname "$0")/lib.sh"
plan 30

# same NAME: the columns that two tables of stdin have are equal
same() { ok "$1" diff want got; }
nodes=$DATA/cholesky-2nodes

# Verbs that are such sums.
traceviz comm-matrix "$nodes" --csv | cut -d, -f1-7,9 >want
traceviz summary --of messages --by Origin,Dest --csv "$nodes" --measure \
	Messages=rows,Bytes=sum:Size,mean:Size,max:Size,Time=sum:Duration,Wait=sum:Wait >got
same "comm-matrix"
traceviz transfers --by Dest,Origin "$nodes" --csv | cut -d, -f1-5 >want
traceviz summary --of transfers --by Origin,Dest --measure Transfers=rows,Size=sum:Size,Time=sum:Duration --csv "$nodes" >got
same "sums of transfers"
traceviz summary --of tasks --by Value --csv "$DATA/cholesky.csv" --measure \
	Executions=rows,mean:Duration,SD=sd:Duration,Min=min:Duration,P5=p5:Duration,P25=p25:Duration,Median=median:Duration,P75=p75:Duration,P95=p95:Duration,Max=p100:Duration |
	grep -v '^_starpu\|^,' >got
sed -i "s/^Value,.*/Value/" got
traceviz summary -q --by Value "$DATA/cholesky.csv" --csv | cut -d, -f1,3,6-14 | sed 's/^Value,.*/Value/' >want
same "summary of tasks"
traceviz summary --of summary --measure sum:Tasks,sum:Time,sum:Share --csv "$DATA/cholesky.csv" >got
traceviz summary -q --by "" --csv "$DATA/cholesky.csv" | awk -F, 'NR == 1 { print "SumTasks,SumTime,SumShare" } NR == 2 { print $1 "," $3 ",100" }' >want
same "of the result of a verb, here of itself"

# Random tables by brute force: decimals in text of unknown columns, missing values, groups without any.
seed 5
awk -v seed="$seed" 'BEGIN { srand(seed); print "ResourceId,Value,Start,End,G,Amount"
	for (i = 0; i < 400; i++) printf "CPU0,t,%d,%d,%s,%s\n", i, i + 1, rand() < .1 ? "" : "g" int(rand() * 9), rand() < .3 ? "" : int(rand() * 100) / 4 }' >t.csv
traceviz summary --of tasks --by G --measure rows,known:Amount,sum:Amount,mean:Amount,min:Amount,max:Amount,distinct:Amount,share:Amount,median:Amount --csv t.csv >got
awk -F, 'NR == 1 { next }
	{ n[$5]++; if ($6 == "") next; k[$5]++; s[$5] += $6; all += $6; v[$5, k[$5]] = $6; if (!d[$5, $6]++) e[$5]++ }
	END { print "G,Rows,KnownAmount,SumAmount,MeanAmount,MinAmount,MaxAmount,DistinctAmount,ShareAmount,MedianAmount"
		for (i = 0; i <= 9; i++) { g = i < 9 ? "g" i : ""
			for (a = 1; a <= k[g]; a++) for (b = a + 1; b <= k[g]; b++) if (v[g, b] < v[g, a]) { t = v[g, a]; v[g, a] = v[g, b]; v[g, b] = t }
			m = (v[g, int((k[g] + 1) / 2)] + v[g, int(k[g] / 2) + 1]) / 2
			printf "%s,%d,%d,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.9g\n", g, n[g], k[g], s[g], s[g] / k[g], v[g, 1], v[g, k[g]], e[g], 100 * s[g] / all, m } }' t.csv >want
awk -F, 'NR == 1 { print; next } { printf "%s,%d,%d,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.9g\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 }' got >rounded
ok "random numbers" diff want rounded
{ head -1 t.csv; tail -n +2 t.csv | sort -t, -k6; } | sed 's/,CPU0/&/' >shuffled.csv
traceviz summary --of tasks --by G --measure rows,known:Amount,sum:Amount,mean:Amount,min:Amount,max:Amount,distinct:Amount,share:Amount,median:Amount --csv shuffled.csv >want
same "rows in another order give the same bytes"
traceviz summary --of tasks --measure sum:Duration,rate:Amount/Duration,only:Value --csv t.csv 2>stderr >got
is "$(cat stderr)" "traceviz: t.csv: --measure: column 'Value' holds names, expected known:Value or distinct:Value" "names have no numbers"
traceviz summary --of tasks --measure sum:Duration,rate:Amount/Duration,sum:Amount,only:Duration --csv t.csv | tail -1 >got
is "$(awk -F, '{ print ($1 == 400), ($2 * 400 == $3), $4 }' got)" "1 1 1.000000" "rates have times in ms"

# Tables that tasks do not need, and traces without tasks.
is "$(traceviz summary --of states --measure rows --csv "$DATA/cholesky-paje" | tail -1)" \
	"$(traceviz info "$DATA/cholesky-paje" --csv 2>/dev/null | awk -F, '$2 == "states" { print $3 }')" "states are read"
is "$(traceviz summary --of callprofile --by Class --measure sum:Count --csv "$DATA/mpi-overlap" | head -2)" "Class,SumCount
run,2" "a trace without tasks; a verb where the trace has no such table"
is "$(traceviz summary --of messages --node 1 --measure rows --csv "$nodes" | tail -1)" \
	"$(traceviz messages --node 1 --csv "$nodes" | sed 1d | wc -l)" "the table of a verb follows a selection"

# Any CSV instead of a trace: the sums of a verb's table, from a pipe and from a file, and a table of other columns.
traceviz summary --of messages --by Origin,Dest --measure rows,sum:Size --csv "$nodes" >want
traceviz messages --csv "$nodes" | traceviz summary --of - --by Origin,Dest --measure rows,sum:Size --csv >got
same "--of -: a table from a pipe"
printf 'name,amount\na,1\nb,2.5\na,NA\n"a",3\n' >any.csv
is "$(traceviz summary --of - --by name --measure rows,known:amount,sum:amount,max:amount --csv any.csv | tr '\n' ' ')" \
	"name,Rows,Knownamount,Sumamount,Maxamount a,3,2,4,3 b,1,1,2.5,2.5 " "--of -: a CSV of any columns"

# Refusals
refuse() { # STATUS MESSAGE OPTION...
	status=$1 want=$2; shift 2
	run traceviz summary "$@" "$nodes"
	is "$rc $(cat stderr)" "$status traceviz: $want" "$*"
}
refuse 2 "--measure needs --of TABLE" --measure rows
refuse 2 "--of 'link', expected a table of the trace (traceviz info lists them) or a verb that gives a table (did you mean 'links'?)" --of link
refuse 2 "--of 'message', expected a table of the trace (traceviz info lists them) or a verb that gives a table (did you mean 'messages'?)" --of message
refuse 2 "--of deps: it adds columns to tasks; give its output to traceviz summary --of tasks" --of deps
refuse 2 "--of links: --node and --resource do not choose rows of a table; --restrict cuts the trace" --of links --node 1
refuse 1 "$nodes: --by: links has no column 'Sise' (did you mean 'Size'?)" --of links --by Sise
refuse 2 "--by names column 'Type' twice" --of links --by Type,Type
refuse 2 "--measure: column 'Rows' twice, expected another name, as in NAME=sum:Size" --of links --measure rows,rows
refuse 2 "--measure 'sum', expected a column, as in sum:Size" --of links --measure sum
refuse 2 "--measure 'rows:Size', expected rows without a column" --of links --measure rows:Size
refuse 2 "--measure 'rate:Size', expected rate:COLUMN/COLUMN" --of links --measure rate:Size
refuse 1 "$nodes: --by: column 'DependsOn' holds lists" --of tasks --by DependsOn
run traceviz summary --of links --measure p101:Size "$nodes"
like "$rc $(cat stderr)" "2 traceviz: --measure 'p101:Size', expected rows, or known,*" "quantiles end at 100"
refuse 2 "--of -: --node, --resource, --restrict, --begin, --end and --region are of traces, expected --where" --of - --node 1
refuse 1 "$nodes: --of -: expected a CSV with a header" --of -
run traceviz summary --of - --by nam any.csv
is "$rc $(cat stderr)" "1 traceviz: any.csv: --by: the input has no column 'nam' (did you mean 'name'?)" "--of -: near names"
run traceviz summary --of candidates "$nodes"
like "$rc $(cat stderr)" "1 traceviz: *: summary: the trace has no rows of the table candidates; it has *" "no such rows"
