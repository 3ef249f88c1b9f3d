#!/bin/sh
# outputs.t: outputs appear whole or not at all, together or not at all, and never replace an input
# needs xmllint zstd gzip
. "$(dirname "$0")/lib.sh"; plan 75
ok "the fault library builds" preload fault

# what a folder contains: names and contents, hidden ones too
content() { (cd "$1" && find . ! -name . | sort && find . -type f | sort | xargs cat) | cksum; }
# the files of this folder that somebody left behind
left_behind() { find . -name '.?*' ! -path ./open/.hidden; }

# ---- folders of tables ----
cp "$DATA/cholesky-ws.csv" one.csv
mkdir paje; cp "$DATA"/cholesky-paje/* paje/
traceviz convert -q one.csv -o old
traceviz convert -q paje -o new
ok "the two traces have different tables" test "$(ls old)" != "$(ls new)"
old=$(content old) new=$(content new)
tables=$(ls new | wc -l)
for call in write fsync close rename; do
	bad= failed=0
	at=1
	while [ "$at" -le "$((2 * tables))" ]; do
		rm -rf mix; cp -r old mix
		run with_fault "$call" mix/ "$at" 28 traceviz convert -q paje -o mix
		got=$(content mix)
		if [ "$rc" -eq 1 ] && [ "$got" = "$old" ]; then failed=$((failed + 1))
		elif [ "$rc" -ne 0 ] || [ "$got" != "$new" ]; then bad="$bad $at:$rc"; fi
		at=$((at + 1))
	done
	is "$bad" "" "$call fails once: a folder stays as it was"
	ok "in each of the tables" test "$failed" -ge "$tables"
done
run with_fault write fresh/ 2 28 traceviz convert -q paje -o fresh
is "$rc $(cat stderr)" "1 traceviz: fresh/states.csv: cannot write: No space left on device" "a new folder"
ok "is not left" test ! -e fresh

traceviz convert -q paje -o packed
gzip packed/states.csv packed/links.csv; zstd -q --rm packed/resources.csv
run traceviz convert -q one.csv -o packed
is "$rc" 0 "tables over compressed ones"
is "$(content packed)" "$old" "leave nothing of the other trace"
for name in notes.txt prof_file_root_0 tasks.csv~; do
	cp -r old "with-$name"; echo x >"with-$name/$name"
	before=$(content "with-$name")
	run traceviz convert -q one.csv -o "with-$name"
	like "$rc $(cat stderr)" "2 *'$name'*" "a folder with $name is refused"
	is "$(content "with-$name")" "$before" "and stays as it was"
done
mkdir -p open/figures; echo x >open/.hidden
ok "folders and hidden files do not matter" traceviz convert -q one.csv -o open
run traceviz convert -q old -o old
is "$rc" 2 "a folder is not converted into itself"
traceviz convert -q one.csv -o zipped; gzip zipped/tasks.csv; before=$(content zipped)
run traceviz convert -q zipped -o zipped
is "$rc $(content zipped)" "2 $before" "also where the output would get another name"
run traceviz convert -q paje -o one.csv/
is "$rc" 1 "a file is no folder"

# ---- signals ----
bad=
for sig in 1 2 15 6 11; do
	for at in 1 3; do
		rm -rf mix; cp -r old mix
		run with_fault write mix/ "$at" "kill $sig" traceviz convert -q paje -o mix
		[ "$rc $(content mix)" = "$((128 + sig)) $old" ] || bad="$bad write:$sig:$at:$rc"
	done
done
is "$bad" "" "HUP, INT, TERM and crashes while tables are written leave the folder as it was"
bad=
for sig in 1 2 15; do
	rm -rf mix; cp -r old mix
	run with_fault rename mix/ 2 "kill $sig" traceviz convert -q paje -o mix
	[ "$rc $(content mix)" = "$((128 + sig)) $new" ] || bad="$bad $sig:$rc"
done
is "$bad" "" "while names change they wait"
run with_fault write fresh/ 2 "kill 2" traceviz convert -q paje -o fresh
is "$rc" 130 "a new folder, interrupted"
ok "is not left" test ! -e fresh
for kind in svg pdf png; do
	run with_fault write "$PWD/." 1 "kill 2" traceviz one.csv -o "f.$kind" --caption f.tex
	is "$rc $(ls f.* 2>/dev/null)$(left_behind)" "130 " "an interrupted $kind leaves nothing"
done
run with_fault write "$PWD/." 1 "kill 1" sh -c 'trap "" HUP; exec traceviz outliers one.csv -o n.csv'
is "$rc" 0 "a signal that is ignored stays ignored"
bad=
seed 7
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	delay=0.$(printf '%03d' $((seed / 65536 % 250)))
	rm -rf mix; cp -r old mix
	timeout -s INT "$delay" traceviz convert -q paje -o mix >/dev/null 2>&1
	got=$(content mix)
	[ "$got" = "$old" ] || [ "$got" = "$new" ] || bad="$bad convert:$delay"
	timeout -s TERM "$delay" traceviz one.csv -o r.pdf --caption r.tex --dump-boxes r.csv >/dev/null 2>&1
	case $(ls r.* 2>/dev/null | wc -l) in 0 | 3) ;; *) bad="$bad plot:$delay" ;; esac
	rm -f r.*
done
is "$bad$(left_behind)" "" "signals at 24 moments: all or nothing, no temporary file"

# ---- a figure, its numbers and its boxes ----
run traceviz one.csv -o fig.svg --caption /dev/full
is "$rc $(ls fig.* 2>/dev/null)" "1 " "no figure without its caption"
run traceviz one.csv -o fig.svg --caption fig.tex --dump-boxes /dev/full
is "$rc $(ls fig.* 2>/dev/null)" "1 " "nor without its boxes"
run traceviz one.csv -o fig.svg --caption fig.tex --dump-boxes nodir/fig.csv
is "$rc $(ls fig.* 2>/dev/null)" "1 " "nor where they cannot be"
echo fig >fig.svg; echo tex >fig.tex
run with_fault rename fig.csv 1 5 traceviz one.csv -o fig.svg --caption fig.tex --dump-boxes fig.csv
is "$rc $(cat fig.*)" "1 fig
tex" "the old ones stay if the last gets no name"
run traceviz one.csv -o fig.svg --caption fig.tex --dump-boxes fig.csv
is "$rc $(ls fig.* | tr '\n' ' ')" "0 fig.csv fig.svg fig.tex " "all three"
for call in write fsync close; do
	bad=
	for at in 1 2 3; do
		rm -f fig.*
		run with_fault "$call" "$PWD/." "$at" 5 traceviz one.csv -o fig.svg --caption fig.tex --dump-boxes fig.csv
		[ "$rc $(ls fig.* 2>/dev/null)" = "1 " ] || bad="$bad $at:$rc"
	done
	is "$bad$(left_behind)" "" "none of them if $call fails"
done

# ---- an output is no input and no other output ----
sum=$(cksum <one.csv)
ln -s one.csv link.csv; ln one.csv hard.csv; mkdir in; cp one.csv in/tasks.csv
refused() { # NAME CMD...
	name=$1; shift
	run traceviz "$@"
	is "$rc $(cksum <one.csv)" "2 $sum" "$name"
}
refused "the trace" one.csv -o one.csv
refused "through a symbolic link" outliers one.csv -o link.csv
refused "through a hard link" convert one.csv -o hard.csv
refused "as a caption" one.csv -o x.svg --caption ./one.csv
refused "a member of a folder" bounds in -o in/tasks.csv
refused "two outputs" one.csv -o x.svg --caption "$PWD/x.svg"
refused "two outputs on standard output" one.csv -o - --to svg --dump-boxes -
printf 'width: 5\n' >set.yaml
refused "the settings" one.csv --config set.yaml -o x.svg --caption set.yaml
traceviz outliers one.csv >out.csv 2>/dev/null
run sh -c 'traceviz outliers -o in.csv <in.csv' </dev/null
cp one.csv in.csv
run sh -c 'traceviz outliers -o in.csv <in.csv'
is "$rc $(cksum <in.csv)" "2 $sum" "standard input"
run sh -c 'traceviz outliers in.csv >>in.csv'
is "$rc $(cksum <in.csv)" "2 $sum" "standard output that is appended to the input"

# ---- names, links and modes ----
mkdir far; echo old >far/t.csv; chmod 600 far/t.csv; ln -s far/t.csv near.csv
run traceviz outliers one.csv -o near.csv
ok "a symbolic link stays" test -h near.csv
ok "its target is written" cmp far/t.csv out.csv
is "$(stat -c %a far/t.csv) $(ls -A far)" "600 t.csv" "and keeps its mode"
ln -s far/new.csv dangling.csv
traceviz outliers one.csv -q -o dangling.csv
ok "a link to nothing: its target is made" cmp far/new.csv out.csv
ln -s loop.csv loop.csv
run traceviz outliers one.csv -o loop.csv
is "$rc" 1 "a link to itself is a failure"
echo kept >first.csv; ln first.csv second.csv
traceviz outliers one.csv -q -o first.csv
is "$(cat second.csv)" kept "the other name of a hard link keeps the old content"
mkdir shut; echo old >shut/t.csv; chmod 400 shut/t.csv
if [ "$(id -u)" -ne 0 ]; then
	run traceviz outliers one.csv -o shut/t.csv
	is "$rc $(cat shut/t.csv)" "1 old" "a file that may not be written stays"
	chmod 500 shut
	run traceviz outliers one.csv -o shut/new.csv
	is "$rc $(ls shut)" "1 t.csv" "a folder that may not be written"
	chmod 700 shut
elif command -v setpriv >/dev/null && cp "$(command -v traceviz)" one.csv "$SANDBOX/shut/" \
     && chmod 755 "$SANDBOX" shut && chown 65534 shut/t.csv \
     && setpriv --reuid=65534 --clear-groups shut/traceviz --version >/dev/null 2>&1; then
	run setpriv --reuid=65534 --clear-groups shut/traceviz outliers one.csv -o shut/t.csv
	is "$rc $(cat shut/t.csv)" "1 old" "a file that may not be written stays"
	run setpriv --reuid=65534 --clear-groups shut/traceviz outliers one.csv -o shut/new.csv
	is "$rc $(ls shut/new.csv 2>/dev/null)" "1 " "a folder that may not be written"
else
	skip 2 "root may write everywhere, and setpriv does not work here"
fi
run traceviz outliers one.csv -o "$(printf 'a%.0s' $(seq 251)).csv"
is "$rc" 0 "a name as long as names may be"
run traceviz outliers one.csv -o ''
like "$rc $(cat stderr)" "2 *name of an output is empty" "an empty one"
traceviz outliers one.csv -q -o /dev/stdout >stdout.csv
ok "/dev/stdout is standard output" cmp stdout.csv out.csv

# ---- where bytes go ----
run with_fault write "$PWD/." 1 zero timeout 20 traceviz outliers one.csv -o z.csv
is "$rc $(ls z.csv 2>/dev/null)" "1 " "a device that takes no bytes"
run traceviz one.csv -o /dev/full --to pdf
is "$rc" 1 "a full device"
run with_fault write "$PWD/." 1 28 traceviz one.csv -o full.pdf
is "$rc $(ls full.pdf 2>/dev/null) $(cat stderr)" "1  traceviz: full.pdf: cannot write: No space left on device" "... is no reason to read and draw again"
for options in "-o one.csv" "-o - --dump-boxes -"; do
	# shellcheck disable=SC2086
	run with_fault close "$PWD/one.csv" 2 "kill 9" traceviz one.csv --to svg $options
	is "$rc" 2 "... nor are outputs that cannot be: $options"
done
run sh -c 'traceviz outliers one.csv >&-'
is "$rc" 1 "standard output is closed"
run sh -c 'traceviz one.csv -q -o c.svg <&- >&- 2>&-'
ok "all of the three are closed" xmllint --noout c.svg
run sh -c 'traceviz convert paje -o c >&- 2>&-'
is "$rc $(content c)" "0 $new" "no message gets into an output"
if [ "$(id -u)" -eq 0 ] && mkdir disk && mount -t tmpfs -o size=64k none disk 2>/dev/null; then
	run traceviz convert -q one.csv -o disk/t
	is "$rc $(ls -A disk)" "1 " "a full disk: no folder"
	run traceviz one.csv -o disk/f.svg --caption disk/f.tex
	is "$rc $(ls -A disk)" "1 " "a full disk: no figure"
	umount disk
else
	skip 2 "no right to mount a small file system"
fi
is "$(left_behind)" "" "no temporary file is left"

# What killed programs have left in the folder is deleted; not what is young, or locked by one that runs, or has another name.
mkdir left
touch -d '1 hour ago' left/.traceviz.aaaaaa left/.traceviz.locked left/.traceviz.aaaaaaa left/.traceviz-old.aaaaaa left/traceviz.aaaaaa
touch left/.traceviz.young1
mkdir left/.traceviz.folder
for folder in aaaaaa locked; do mkdir left/.traceviz-folder.$folder; touch left/.traceviz-folder.$folder/tile-0.js; done
touch -d '1 hour ago' left/.traceviz-folder.*
mkdir left/.traceviz-folder.young1
mkfifo hold
perl -e 'use Fcntl ":flock"; for (qw(.locked -folder.locked)) { open($f{$_}, "<", "left/.traceviz$_") && flock($f{$_}, LOCK_EX) or die } open(O, ">", "locked"); close(O); <STDIN>' <hold &
exec 9>hold
i=0
while [ ! -e locked ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i + 1)); done
run traceviz convert -q "$DATA/cholesky-ws.csv" -o left/out.csv
is "$rc $(find left -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' ')" \
	"0 .traceviz-folder.locked .traceviz-folder.young1 .traceviz-old.aaaaaa .traceviz.aaaaaaa .traceviz.folder .traceviz.locked .traceviz.young1 out.csv traceviz.aaaaaa " "leftovers beside a file"
exec 9>&-
wait
traceviz convert -q "$DATA/cholesky-ws.csv" -o tables
touch -d '1 hour ago' tables/.traceviz.aaaaaa
run traceviz convert -q "$DATA/cholesky-ws.csv" -o tables
is "$rc $(find tables -name '.traceviz*')" "0 " "leftovers in a folder of tables"
