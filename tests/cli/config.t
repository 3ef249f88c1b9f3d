#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# config.t: files of settings, presets, what they print, which one wins; bad files; rows; metadata
# needs pdffonts pdfinfo pdftotext
. "$(dirname "$0")/lib.sh"
plan 111
cp "$DATA/cholesky.csv" run.csv

# settings TEXT: those in force after a file with that text, comments left out.
settings() {
	printf '%b' "$1" >in.yaml
	shift
	run traceviz plot --config in.yaml --print-config "$@"
	grep -v '^ *#' stdout
}

# What a file can say.
is "$(settings 'width: 3.5\npanels: [st, ready]\n')" "$(printf 'width: 3.5\npanels: st,ready')" "options and a sequence"
is "$(settings 'ready: {limit: 100, height: 0.8}\nsubmitted.limit: 7\n')" \
	"$(printf 'ready:\n  limit: 100\n  height: 0.8\nsubmitted:\n  limit: 7')" "options of panels, nested or with a dot"
is "$(settings 'strict: yes\nwidth:\nheight: ~\n')" "strict: true" "flags; what is empty is not set"
is "$(settings 'strict: off\n')" "" "a flag switched off"
is "$(settings 'title: "a \\u00e9\\\\ \\"q\\""\n')" "$(printf 'title: "a é\\\\ \\"q\\""')" "escapes"
is "$(settings 'title: ""\nonly: "yes"\n')" "$(printf 'title: ""\nonly: "yes"')" "text that looks like something else"
is "$(settings 'panel-height: [ready=2, st=3]\n')" "$(printf 'spacetime:\n  height: 3\nready:\n  height: 2')" "repeatable options"
is "$(settings '')" "" "an empty file"
is "$(settings '# nothing\n---\n')" "" "a file of comments"

# Who wins: command line, file, preset.
is "$(settings 'width: 4\npreset: slide\n' | grep -E '^(width|height|scale)' | tr '\n' ' ')" "width: 4 height: 7.5 scale: 2 " \
	"the file wins over its preset"
is "$(settings 'preset: slide\n' --preset paper-column)" "width: 3.5" "--preset replaces that of the file"
is "$(settings 'width: 4\nready: {limit: 5}\n' --width 5 --ready.limit 6)" "$(printf 'width: 5\nready:\n  limit: 6')" \
	"the command line wins"
printf 'width: 4\nheight: 3\n' >a.yaml
printf 'width: 6\n' >b.yaml
is "$(traceviz --config a.yaml --config b.yaml --print-config | grep -v '^ *#' | tr '\n' ' ')" "width: 6 height: 3 " \
	"of several files the last one wins"

# Read back: the same settings, the same picture.
settings 'preset: paper-column\ntitle: "x: #1 \\"y\\" \\t "\npanels: [spacetime, ready]\nready: {limit: 100}\npalette: colorblind\n' >/dev/null
cp stdout printed.yaml
run traceviz --config printed.yaml --print-config
ok "what is printed reads back" cmp stdout printed.yaml
for to in pdf png svg csv; do
	traceviz -q run.csv --config in.yaml -o "a.$to"
	traceviz -q run.csv --config printed.yaml -o "b.$to"
	ok "$to: the same bytes" cmp "a.$to" "b.$to"
done
traceviz -q run.csv --preset paper-column --title "$(printf 'x: #1 "y" \t ')" --panels spacetime,ready --ready.limit 100 \
	--palette colorblind -o c.pdf
ok "and by options alone" cmp a.pdf c.pdf
run traceviz plot --help
for key in config print-config preset scale rows row-order; do
	ok "--help tells --$key" grep -q -e "--$key" stdout
done

# Unknown keys.
printf 'durations-from: pool\npalette: greyscale\n' >former.yaml
traceviz --config former.yaml --print-config -o new.yaml
is "$(grep -v '^ *#' new.yaml)" "$(printf 'palette: grayscale\ndurations-from: pool')" \
	"--print-config -o writes a file; former names in files"
printf 'weights-from: pool\n' >former.yaml
is "$(traceviz --config former.yaml --print-config | grep -v '^ *#')" "durations-from: pool" "get their new names"
run traceviz --print-config -o kept.pdf
is "$rc $(cat stderr) $(ls kept.pdf 2>/dev/null)" "2 traceviz: --print-config -o 'kept.pdf', expected FILE.yaml or - " \
	"--print-config does not replace a picture"
for option in "--scale 21" "--dpi 35" "--dpi none"; do
	# shellcheck disable=SC2086
	run traceviz run.csv $option -o range.png
	like "$rc $(cat stderr)" "2 traceviz: ${option% *} '${option#* }', expected a number from *" "the range of $option"
done
for option in "--width 0" "--height 51" "--width 130cm" "--width cm" "--width 3.5ft"; do
	# shellcheck disable=SC2086
	run traceviz run.csv $option -o range.png
	is "$rc $(cat stderr)" "2 traceviz: ${option% *} '${option#* }', expected a length from 0.1 to 50 inches, such as 3.5 or 8.5cm" "the range of $option"
done
for width in 8.89cm 88.9mm 3.5in; do
	traceviz -q run.csv --width $width -o cm.svg
	traceviz -q run.csv --width 3.5 -o in.svg
	is "$(grep -o ' width="[^"]*"' cm.svg | head -1)" "$(grep -o ' width="[^"]*"' in.svg | head -1)" "a width of $width"
done
printf 'width: 3\n\nwdith: 4\nready: {limt: 3}\n' >odd.yaml
run traceviz run.csv --config odd.yaml -o odd.csv
is "$rc $(cat stderr)" "0 traceviz: odd.yaml:3: 'wdith' is ignored: neither an option of plot nor PANEL.OPTION
traceviz: odd.yaml:4: 'ready.limt' is ignored: neither an option of plot nor PANEL.OPTION" "unknown keys are warned of"
run traceviz run.csv --config odd.yaml -q -o odd.csv
is "$rc $(cat stderr)" "0 " "but not with --quiet"
run traceviz run.csv --config odd.yaml --strict -o strict.csv
is "$rc $(cat stderr) $(ls strict.csv 2>/dev/null)" \
	"1 traceviz: odd.yaml:3: 'wdith' is ignored: neither an option of plot nor PANEL.OPTION " "and errors with --strict"

# Bad files: message with its line, status 1.
bad() { # NAME TEXT PATTERN
	printf '%b' "$2" >bad.yaml
	run traceviz run.csv --config bad.yaml -o bad.pdf
	like "$rc $(ls bad.pdf 2>/dev/null) $(cat stderr)" "1  traceviz: bad.yaml:$3" "$1"
}
bad "not YAML" 'width: 3\n  x: [\n' "2: not YAML: *"
bad "open quote" 'width: 3\ntitle: "x\n' "*: not YAML: *"
bad "not text" 'width: 3\ntitle: \377\376\n' "2: not YAML: *"
bad "an alias" 'a: &x 3\nwidth: *x\n' "2: an alias, *"
bad "twice" 'width: 3\nheight: 4\nwidth: 5\n' "3: 'width' occurs twice, first in line 1"
bad "a list" '- width\n' "1: a sequence in this place*"
bad "a lone value" 'width\n' "1: a lone value*"
bad "a mapping in a list" 'panels: [{a: b}]\n' "1: a mapping in a sequence*"
bad "two documents" 'width: 3\n---\nwidth: 4\n' "2: a second document*"
bad "a flag that is none" 'width: 3\nstrict: perhaps\n' "2: 'strict' is switched on or off*"
printf 'preset: wall\n' >bad.yaml
run traceviz run.csv --config bad.yaml -o bad.pdf
like "$rc $(cat stderr)" "2 traceviz: bad.yaml:1: --preset 'wall', expected paper-column*" "an unknown preset in a file"
printf 'title: x\npalette: pink\n' >bad.yaml
run traceviz run.csv --config bad.yaml -o x.svg
is "$rc $(cat stderr)" "2 traceviz: bad.yaml:2: --palette 'pink', expected default, colorblind, grayscale or hmon" "a bad value in a file"
awk 'BEGIN { for (i = 0; i < 40; i++) { printf "%*sa:\n", i, ""; } }' >deep.yaml
run traceviz run.csv --config deep.yaml -o bad.pdf
like "$rc $(cat stderr)" "1 traceviz: deep.yaml:17: more than 16 levels" "depth"
awk 'BEGIN { for (i = 0; i < 3000; i++) print "k" i ": 1" }' >long.yaml
run traceviz run.csv --config long.yaml -o bad.pdf
like "$rc $(cat stderr)" "1 traceviz: long.yaml:2001: more than 2000 settings" "number"
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "[" }' >nested.yaml
run traceviz run.csv --config nested.yaml -o bad.pdf
is "$rc" 1 "brackets without end"
head -c 1100000 /dev/zero | tr '\0' ' ' >large.yaml
run traceviz run.csv --config large.yaml -o bad.pdf
like "$rc $(cat stderr)" "1 traceviz: large.yaml: more than 1 MB*" "size"
run traceviz run.csv --config none.yaml -o bad.pdf
like "$rc $(cat stderr)" "1 traceviz: none.yaml: cannot read: *" "no such file"
run traceviz run.csv --config . -o bad.pdf
like "$rc $(cat stderr)" "1 traceviz: .: cannot read: *" "a folder"
run traceviz run.csv --preset wall -o bad.pdf
is "$rc" 2 "an unknown preset"
run traceviz run.csv --scale 0.5 -o bad.pdf
is "$rc" 2 "a scale below 1"

# Presets: sizes of the page, of the text, of pixels.
traceviz -q run.csv --preset slide -o slide.png
is "$(od -An -tu1 -j16 -N8 slide.png | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" "1920 1080" "a slide has 1920 by 1080 pixels"
traceviz -q run.csv --preset slide -o slide.pdf
is "$(pdfinfo slide.pdf | sed -n 's/^Page size: *//p')" "960 x 540 pts" "and 13.33 by 7.5 inches"
pdftotext -bbox slide.pdf - | grep '>makespan<' | head -1 >word
ok "its text has 14 points" awk -F'"' '$8 - $4 > 12 && $8 - $4 < 18 { good = 1 } END { exit !good }' word
traceviz -q run.csv --preset paper-column -o column.pdf
is "$(pdfinfo column.pdf | sed -n 's/^Page size: *\([0-9.]*\) .*/\1/p')" "252" "a column has 3.5 inches"

# The font.
for size in 6 9 12; do
	for width in 3.5 7; do
		run traceviz -q run.csv --font-size "$size" --width "$width" --panels spacetime,idle-causes,ready,abe -o size.csv
		is "$rc $(sh "$ROOT/tests/overlaps.sh" size.csv "$width")" "0 " "text of $size points, $width inches wide"
	done
done
is "$(awk -F, '$1 == "text" && $3 == "header" { print $10; exit }' size.csv)" "11.4000" "and with 12 points its lines have 11.4"
traceviz -q run.csv --font-size 12 --width 3.5 --panels spacetime -o size.pdf
is "$(pdfinfo size.pdf | sed -n 's/^Page size: *\([0-9.]*\) .*/\1/p')" "252" "the page keeps its width"
pdftotext -bbox size.pdf - | grep '>makespan<' | head -1 >word
ok "its text has 12 points" awk -F'"' '$8 - $4 > 10 && $8 - $4 < 15 { good = 1 } END { exit !good }' word
run traceviz run.csv --font 'no such font' -o none.svg
like "$rc $(ls none.svg 2>/dev/null)$(cat stderr)" "2 traceviz: no font 'no such font' on this machine, expected *" "a font that is not there"
run traceviz run.csv --editor-link 'vscode://file/{file}' -o none.svg
is "$rc $(cat stderr)" "2 traceviz: --editor-link has no effect here, expected -o FILE.html" "no links in SVG"
for link in 'javascript://{file}' 'JavaScript://{file}' 'file' '://{file}' 'vscode://file'; do
	run traceviz run.csv --editor-link "$link" -o none.html
	is "$rc $(ls none.html 2>/dev/null)$(cat stderr)" \
		"2 traceviz: --editor-link '$link' is no address of a file, expected for example vscode://file/{file}:{line}" "no link by $link"
done
if fc-list 'DejaVu Serif' 2>/dev/null | grep -q .; then
	traceviz -q run.csv --font 'DejaVu Serif' --panels spacetime -o serif.pdf
	is "$(pdffonts serif.pdf | awk 'NR > 2 { sub(/.*\+/, "", $1); print $1 }' | sort | tr '\n' ' ')" "DejaVuSerif DejaVuSerif-Bold " \
		"--font is in the file"
	traceviz -q run.csv --font 'DejaVu Serif' --font-size 12 --width 3.5 -o serif.csv
	is "$(sh "$ROOT/tests/overlaps.sh" serif.csv 3.5)" "" "and its widths count"
else
	skip 2 "no DejaVu Serif"
fi

# Rows.
run traceviz -q run.csv --rows 'CUDA*,CPU[0-3]' --panels spacetime -o rows.csv
is "$rc $(grep -c '^text,page,name' rows.csv)" "0 7" "--rows leaves seven of twelve"
like "$(grep '^text' rows.csv)" "*rows CUDA*,CPU*0-3*" "and the title says so"
traceviz -q run.csv --panels spacetime -o all.csv
is "$(grep '^text.*makespan.*idle' rows.csv | sed 's/.*makespan/makespan/')" \
	"$(grep '^text.*makespan.*idle' all.csv | sed 's/.*makespan/makespan/')" "no number changes"
run traceviz -q run.csv --rows 'XPU*' -o rows.csv
is "$rc" 2 "rows that do not exist"
printf 'CPU3\r\n\nCUDA1_0\n' >order
run traceviz -q run.csv --row-order order --panels spacetime -o order.csv
is "$rc $(sed -n 's/^text,page,name.*,//p' order.csv | head -3 | tr '\n' ' ')" "0 CPU3 CUDA1_0 CUDA0_0 " "--row-order FILE"
# Neighbours without work.
names() { # OPTIONS: names of rows
	traceviz -q "$DATA/cholesky-dmdas.csv" "$@" -o names.csv
	sed -n 's/^text,page,name,[^"]*,\("\{0,1\}\)\(.*\)\1$/\2/p' names.csv | tr '\n' ' '
}
all="CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 CPU2 CPU3 CPU4 CPU5 CPU6 CPU7 CPU8 "
is "$(names --panels spacetime)" "CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle " "seven idle CPUs are one row"
is "$(grep -c '^text,page,idleness,.*,100.0$' names.csv)" 1 "with one idleness"
is "$(names --panels spacetime,utilization)" "CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle " \
	"also in other panels"
is "$(names --panels spacetime --spacetime.labels all)$(names --panels spacetime --rows '*')" "$all$all" "not if rows are chosen or named"
is "$(names --panels spacetime --only POTRF)" "CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle " "nor where work is hidden"
is "$(names --panels spacetime --end 20)" "CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle " "nor where it is outside of the window"
is "$(names --panels spacetime --spacetime.idleness runtime)" "$all" "nor with the idleness of the runtime, which may differ"
facets() { # OTHER OPTIONS: names of the rows of dmdas and another run, how many times 100 % is written beside them
	traceviz -q --facet a="$DATA/cholesky-dmdas.csv" b="$1" --panels spacetime --facet-layout "$2" -o names.csv
	echo "$(sed -n 's/^text,page,name,[^"]*,\("\{0,1\}\)\(.*\)\1$/\2/p' names.csv | tr '\n' ' ')$(grep -c '^text,page,idleness,.*,100.0$' names.csv)"
}
is "$(facets "$DATA/cholesky-dmda.csv" columns)" "CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle 2" "those that do not work in both runs beside each other"
is "$(facets "$DATA/cholesky-ws.csv" columns)" "${all}7" "not in one of them"
is "$(facets "$DATA/cholesky-ws.csv" rows)" "CUDA0_0 CUDA1_0 CUDA2_0 CPU0 CPU1 7 CPU, idle ${all}1" "but where they are below each other"
printf '%s\n' ResourceId,Value,Start,End CPU0,a,0,1 CPU4,a,0,1 CPU5,a,0,1 CPU9,a,0,1 CPU20,a,0,1 | traceviz - -q --panels spacetime \
	--resources CPU=9 -o declared.csv
is "$(sed -n 's/^text,page,name,[^"]*,//p' declared.csv | tr -d '"' | tr '\n' ' ')" "CPU0 3 CPU, idle CPU4 CPU5 CPU6 CPU9 CPU20 " "declared workers between others"
# Two devices and three CPUs near three memories, one of which nobody knows.
mkdir machine
printf '%s\n' ResourceId,Value,Start,End,Device CPU0,a,0,1, CPU1,a,0,3, CPU2,a,0,2, CUDA0,a,0,4,b CUDA1,a,0,5,a >machine/tasks.csv
printf '%s\n' ResourceId,ResourceType,Node,MemoryNode CPU0,CPU,0,1 CPU1,CPU,0,0 CPU2,CPU,0, CUDA0,CUDA,0,1 CUDA1,CUDA,0,0 \
	>machine/resources.csv
for row in 'type CUDA0 CUDA1 CPU0 CPU1 CPU2' 'numa CUDA1 CPU1 CUDA0 CPU0 CPU2' 'device CUDA1 CUDA0 CPU0 CPU1 CPU2' \
	'busy CUDA1 CUDA0 CPU1 CPU2 CPU0' 'name CPU0 CPU1 CPU2 CUDA0 CUDA1'; do
	traceviz -q machine --row-order "${row%% *}" --panels spacetime -o order.csv
	is "$(sed -n 's/^text,page,name.*,\(C[A-Z]*[0-9]\)$/\1/p' order.csv | tr '\n' ' ')" "${row#* } " "--row-order ${row%% *}"
done
run traceviz -q run.csv --row-order nonsense -o order.csv
like "$rc $(cat stderr)" "2 traceviz: --row-order 'nonsense', expected type, numa, device, busy, name or a file*" "no such order"

# Metadata: the command, without folders.
mkdir -p deep/er
cp run.csv deep/er/
run traceviz -q deep/er/run.csv --where "Value ~ 'TRSM'" -o deep/m.pdf
like "$(pdfinfo deep/m.pdf)" "*Subject: *traceviz --where 'Value ~ '\\\\''TRSM'\\\\''' run.csv*" "a PDF tells its command"
traceviz -q deep/er/run.csv --dpi 100 -o m.png
like "$(tr -d '\0' <m.png | strings -n 5 | head -20)" "*iTXtTitlerun*iTXtSoftwaretraceviz 0*iTXtDescriptiontraceviz --dpi 100 run.csv*" \
	"a PNG too"
traceviz -q run.csv --title '<&>' -o m.svg
like "$(cat m.svg)" "*<desc>traceviz --title '&lt;&amp;&gt;' run.csv</desc>*" "and an SVG"
run traceviz "$DATA/cholesky.csv" --rows 'CUDA*,NOSUCH' --panels spacetime -o r.pdf
like "$rc $(grep -c 'no row matches' stderr) $(cat stderr)" "0 1 *--rows: no row matches 'NOSUCH'*" "--rows: a name that matches nothing"
printf 'NOSUCH\n' >order
run traceviz "$DATA/cholesky.csv" --row-order order --panels spacetime -o r.pdf
like "$rc $(cat stderr)" "0 *--row-order: no line of the file names a row*" "--row-order: a file that names no row"
