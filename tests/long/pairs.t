#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pairs.t: all pairs of verbs: what the second one makes of the table of the first one
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tests/cli/pairs.sh
. "$ROOT/tests/cli/pairs.sh"

# Own verbs that read traces, beside the passes.
readers="$passes diagnose simulate convert plot compare"
# read_by VERB FILE: the verb on it, with the options of its example; output in ./stdout, messages in ./stderr
read_by() {
	case $1 in
	plot) run traceviz "$2" -q --panels spacetime --title t -o /dev/stdout --to csv ;;
	compare) run traceviz compare -q --csv "$2" "$DATA/cholesky-dmdas.csv" ;;
	simulate | convert) run traceviz "$1" -q "$2" -o - ;;
	*) (eval "traceviz $1 -q --csv $(options "$1") '$2'") >stdout 2>stderr </dev/null; rc=$? ;;
	esac
}
for verb in $passes; do
	produce "$verb"
done
parts="reduce derive rate window events callprofile"

# Results are refused by each verb, which names the verb that wrote them.
more() { # NAME VERB OPTIONS...: another table of a verb
	name=$1; shift
	(cd "$ROOT" && traceviz "$@" -q --csv) >"$name.csv" 2>/dev/null
}
more distribution,boxes distribution --boxes data/cholesky.csv
more handles,summary handles --summary data/cholesky-paje
more memory,curve memory data/cholesky-paje
more overlap,list overlap data/mpi-overlap
more overlap,reference overlap --by reference data/mpi-overlap
more progress,open progress --open data/cholesky.csv
more regression,points regression --points 5 data/qr-mumps-like.csv
more summary,by summary --by Node,X data/cholesky.csv
more transfers,list transfers data/cholesky-paje
more dedicate,terms dedicate --cores 16 --show terms data/mpi-overlap
more dedicate,alpha dedicate --cores 16 --show alpha data/mpi-overlap
more critical-path,nodes critical-path data/cholesky-2nodes
more diagnose diagnose data/cholesky-dmdas.csv
more compare compare data/cholesky-dmdas.csv data/cholesky-ws.csv
more precision precision data/cholesky-dmdas.csv data/cholesky-ws.csv
more platform platform epyc7452
for file in *.csv; do
	verb=${file%%[.,]*}
	case " $parts $(echo "$annotating" | tr '\n' ' ')" in
	*" $verb "*) continue ;;
	esac
	bad=
	for reader in $readers; do
		read_by "$reader" "$file"
		case "$rc $(cat stderr)" in
		"1 "*"this is a table of "*" $verb"[\ ,]*) ;;
		*) bad="$bad $reader: $rc $(head -c 200 stderr)" ;;
		esac
	done
	is "$bad" "" "the table of $verb ($file) is refused by name"
done

# Tables of a trace: verbs that use them; all others refuse, with the name of the verb, the table or an option.
uses() {
	case $1 in
	reduce | derive | rate | window) echo "counter info reduce derive rate window balance cluster fit place annotate memory topology convert" ;;
	events) echo "events info convert" ;;
	callprofile) echo "callprofile dedicate info convert" ;;
	esac
}
for verb in $parts; do
	bad=
	for reader in $readers; do
		read_by "$reader" "$verb.csv"
		case " $(uses "$verb") " in
		*" $reader "*) ;; # what it makes of them is tested for each verb
		*) [ "$rc" -ne 0 ] && grep -q "$reader\|--\|variable\|event\|tables: \|nothing to draw" stderr ;;
		esac || bad="$bad $reader: $rc $(head -c 200 stderr)"
	done
	is "$bad" "" "the table of $verb is used or refused"
done

# Tasks with the columns of another verb: each verb gives what it gives without them, or uses them. A verb that adds columns
# itself is compared by these.
drop() { # FILE: the columns of the second verb alone, if it adds some
	names=$(sed -n '/^Output: the rows/,/^[^ ]/{ s/^  \([A-Z][A-Za-z]*\) .*/\1/p; }' "help.$reader")
	[ -n "$names" ] || { cat "$1"; return; }
	awk -F, -v names="$names" 'NR == 1 { n = split(names, want, "\n"); for (i = 1; i <= NF; i++) at[$i] = i }
		{ for (i = 1; i <= n; i++) printf "%s,", want[i] in at ? $at[want[i]] : ""; print "" }' "$1"
}
# Verbs that use or keep columns of the one before: their tables are others. tests/cli/pipes.t has the values.
differs() {
	case $1 in
	deps) echo "plot convert" ;;
	chain) echo "chain plot convert" ;;
	iterations) echo convert ;; # its columns are last
	outliers) echo "outliers distribution imbalance account aggregate compare plot convert diagnose" ;;
	lifecycle) echo "lifecycle lifecycle-summary convert" ;;
	mispredictions) echo "lifecycle lifecycle-summary convert" ;;
	esac
}
annotated() { # VERB OPTIONS...: base.csv, and the same tasks with the columns of the verb, marked.csv
	case $1 in
	lifecycle) from=$DATA/cholesky-paje ;;
	mispredictions) from=$DATA/cholesky-decisions ;;
	outliers) from=$DATA/cholesky.csv ;;
	*) from=$DATA/cholesky-dmdas.csv ;;
	esac
	traceviz convert -q "$from" -o base.csv
	traceviz "$@" -q --csv "$from" >marked.csv 2>/dev/null
	others=
	for reader in $readers; do
		cp base.csv run.csv
		read_by "$reader" run.csv
		was=$rc
		drop stdout >base.out
		cp marked.csv run.csv
		read_by "$reader" run.csv
		drop stdout | cmp -s - base.out && [ "$rc" = "$was" ] || others="$others $reader"
	done
	is "$(echo "$others" | xargs -n 1 | sort | xargs)" "$(differs "$1" | xargs -n 1 | sort | xargs)" \
		"$1: verbs whose tables the columns change"
}
annotated deps --all type:POTRF
annotated chain --tasks type:POTRF --depth root
annotated iterations
annotated outliers --model mad --factor 1
annotated lifecycle
annotated mispredictions
plan "$count"
