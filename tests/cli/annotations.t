#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Marks, spans, highlights, arrows, labels, zooms, and the numbers of a figure as TeX.
# needs xmllint
. "$(dirname "$0")/lib.sh"
plan 46

run traceviz -q "$DATA/cholesky-dmdas.csv" --mark '50=first stall' --span '120..180=steady & long' --vlines 90,100 \
	--highlight 'Value == POTRF' --arrow 27:141 --task-labels k,i,j --zoom '100..130,CUDA*' -o a.csv
is "$rc $(cat stderr)" "0 " "all annotations at once"
for class in mark mark-text span span-text span-band span-bracket vline highlight arrow arrow-head task-label zoom-box \
	zoom-line; do
	ok "the figure has a $class" grep -q "^[a-z]*,[a-z-]*,$class," a.csv
done
for to in pdf png svg; do
	run traceviz -q "$DATA/cholesky-dmdas.csv" --mark '50=a <&"]]> b' --span 120..180=x --highlight 'Value == POTRF' \
		--arrow 27:141 --task-labels k,i,j --zoom '100..130,CUDA*' -o "a.$to"
	is "$rc $(cat stderr)" "0 " "annotations in $to"
done
ok "its SVG is well-formed" xmllint --noout a.svg

# The count is that of a selection.
n=$(awk -F, 'NR > 1 && $2 == "SYRK" && $9 == "CPU"' \
	"$DATA/cholesky.csv" | wc -l | tr -d ' ')
run traceviz -q "$DATA/cholesky.csv" --highlight 'Value == SYRK and ResourceType == CPU' -o h.csv
like "$(grep legend-text h.csv)" "*Value == SYRK and ResourceType == CPU ($n)*" "a highlight is counted in the legend"

# What cannot be: exit 2, the option is named, nothing is written.
bad() { # OPTION VALUE PATTERN
	run traceviz -q "$DATA/cholesky-dmdas.csv" "$1" "$2" -o bad.pdf
	like "$rc $(ls bad.pdf 2>/dev/null) $(cat stderr)" "2  traceviz: $1$3" "$1 $2 is refused"
}
bad --mark 12 "*expected T=TEXT*"
bad --mark noon=x "*'noon' is no time*"
bad --span 5=x "*expected T1..T2=TEXT*"
bad --span 5..3=x "*not after its begin*"
bad --vlines 1,,2 "*no time*"
bad --highlight 'Color == red' "*Color*expected one of*Value*"
bad --highlight 'Value ==' "*"
bad --arrow 27 "*JOB:JOB*"
bad --arrow 27:nobody "*no task has the JobId 'nobody'*"
bad --arrow 1:27 "*nothing was executed under*'1'*"
bad --task-labels Color "*no column 'Color'*"
bad --task-labels '{Value' "*{ without }*"
bad --zoom 5 "*T1..T2*"
bad --zoom 5..9,TPU* "*no row*"

# Outside of what is shown: said, left out.
run traceviz "$DATA/cholesky-dmdas.csv" --begin 10 --end 20 --mark 50=x --zoom 60..70 --arrow 397:457 -o w.csv
like "$rc $(cat stderr)" "0 *--mark '50=x' left out*--zoom '60..70' left out*--arrow '397:457' left out*" \
	"annotations outside of the window are reported"
is "$(grep -c ',mark,\|zoom\|arrow' w.csv)" 0 "and not drawn"
run traceviz "$DATA/cholesky-dmdas.csv" --panels spacetime,zoom -o z.csv
like "$rc $(cat stderr)" "0 *zoom left out*--zoom*" "a zoom panel without a zoom says what is missing"

# Numbers as TeX: those of the passes, names of letters, the same bytes again.
header() { awk -F, '$3 == "header"' boxes.csv | wc -l; }
traceviz -q "$DATA/cholesky-dmdas.csv" --dump-boxes boxes.csv -o x.svg
ok "a figure has a header" [ "$(header)" -ge 2 ]
traceviz -q "$DATA/cholesky-dmdas.csv" --header no --dump-boxes boxes.csv -o x.svg
is "$(header) $(awk -F, '$3 == "legend-text"' boxes.csv | wc -l)" "0 5" "without, the legend remains"

run traceviz -q "$DATA/cholesky-dmdas.csv" --title '100% of #1_{x}^2 \ ~ $5 & co' --highlight 'Value == POTRF' \
	-o n.pdf --caption fig-1.tex
is "$rc $(cat stderr)" "0 " "--caption"
get() { sed -n "s/^.newcommand{.$1}{\(.*\)}%.*/\1/p" fig-1.tex; }
traceviz bounds -q "$DATA/cholesky-dmdas.csv" --csv >bounds.csv
is "$(get figOneMakespan) $(get figOneGapABE) $(get figOneTasksPOTRF) $(get figOneHighlightedOne)" \
	"$(awk -F, '$2 == "makespan" { m = $4 } $2 == "abe" { g = $5 } END { printf "%.1f %+.1f 12 12", m, g }' bounds.csv)" \
	"makespan, gap and counts are those of the passes"
is "$(get figOneIdleOfCPUZero)" "$(traceviz idleness -q "$DATA/cholesky-dmdas.csv" --csv |
	awk -F, '$1 == "CPU0" { printf "%.1f", $7 }')" "idleness of a worker"
is "$(grep -v '^%' fig-1.tex | grep -vc '^.newcommand{.[A-Za-z]*}{')" 0 "names are letters"
is "$(sed 's/^[^}]*}//' fig-1.tex | wc -l) $(cut -d'}' -f1 fig-1.tex | sort | uniq -d)" "$(wc -l <fig-1.tex) " "no name twice"
cp fig-1.tex once.tex
run traceviz -q "$DATA/cholesky-dmdas.csv" --title '100% of #1_{x}^2 \ ~ $5 & co' --highlight 'Value == POTRF' \
	-o n.pdf --caption fig-1.tex
ok "the same bytes again" cmp once.tex fig-1.tex
run traceviz -q "$DATA/cholesky-dmdas.csv" --highlight 'Color == red' -o m.pdf --caption m.tex
is "$rc $(ls m.tex m.pdf 2>/dev/null)" "2 " "a figure that fails leaves no numbers"

# In a two-column page.
if ! command -v pdflatex >/dev/null; then
	skip 1 "pdflatex is not here"
	exit
fi
run traceviz -q "$DATA/cholesky-dmdas.csv" --width 3.5 --mark '50=first stall' --highlight 'Value == POTRF' \
	--zoom '100..130,CUDA*' -o column.pdf --caption column.tex
cat >paper.tex <<'END'
\documentclass[twocolumn,10pt]{article}
\usepackage[letterpaper,margin=0.67in,columnsep=0.25in]{geometry}
\usepackage{graphicx}
\input{fig-1}
\input{column}
\begin{document}
\section{Results}
Label: \figOneLabel. The makespan is \columnMakespan~\columnTimeUnit, \columnGapABE~\% above the area bound
(\columnABE~\columnTimeUnit); \columnTasksPOTRF{} of \columnTasks{} tasks are POTRF.
\begin{figure}
\includegraphics[width=\columnwidth]{column.pdf}
\caption{CPUs are idle for \columnIdleCPU~\% of the time, CUDA devices for \columnIdleCUDA~\%; ready tasks: mean
\columnReadyMean, at most \columnReadyMax.}
\end{figure}
\end{document}
END
ok "numbers and figure compile in a two-column page" pdflatex -interaction=nonstopmode -halt-on-error paper.tex
