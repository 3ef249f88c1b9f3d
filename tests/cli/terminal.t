#!/bin/sh
# terminal.t: no text of a trace and no name of a file acts on the terminal
# needs perl
. "$(dirname "$0")/lib.sh"; plan 12
esc=$(printf '\033]0;pwn\007') c1=$(printf '\302\2330m')
bidi=$(printf '\342\200\256a\342\201\246b\342\200\250c\342\200\217d\330\234')
evil="x$esc$c1$bidi"
# what acts: escape and bell, C1, and U+061C, U+200E..F, U+2028..E, U+2066..9
acts() { perl -0777 -ne 's/\r?\n/\n/g; exit !/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]/' "$@"; }
printf '%s' "$evil" >hostile.txt
ok "the names would act" acts hostile.txt

# names of files
mkdir fx
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU0,a,3,2\nCPU0,a,1,2\n' >"fx/$evil.csv"
run traceviz info "fx/$evil.csv"
like "$rc $(cat stderr)" "0 *end before start*" "a skipped record"
ok "the file's name in it does not act" test -z "$(acts stderr && echo acts)"
printf 'ResourceId,Value,Start\nCPU0,a,0,1\n' >"fx/bad$evil.csv"
run traceviz info "fx/bad$evil.csv"
ok "nor in an error" test "$rc" -eq 1 -a -z "$(acts stderr && echo acts)"
cp "$DATA"/cholesky-paje/* fx/
run traceviz info fx
like "$(cat stderr)" "*not used*" "members that are not used"
ok "nor their names" test -z "$(acts stderr && echo acts)"
printf 'nosuchkey: 1\n' >"$evil.yaml"
run traceviz "fx/$evil.csv" --config "$evil.yaml" -o x.svg
ok "nor of a file of settings" test -s stderr -a -z "$(acts stderr && echo acts)"
cp "fx/$evil.csv" "fx/b$evil.csv"
run traceviz compare "fx/$evil.csv" "fx/b$evil.csv"
ok "nor of runs that are compared" test -s stderr -a -z "$(acts stderr && echo acts)"

# names in a trace, by every verb
{
	echo 'ResourceId,Value,Start,End,JobId,DependsOn,Iteration,Tag'
	printf 'CPU0%s,plgsy%s,0,1,1,,0,%s\n' "$evil" "$evil" "$evil"
	printf 'CPU0%s,_starpu_%s,1,2,2%s,1,0,%s\n' "$evil" "$evil" "$evil" "$evil"
	printf 'CPU0%s,gemm%s,2,3,3,2%s,1,%s\n' "$evil" "$evil" "$evil" "$evil"
	printf 'CPU1%s,gemm%s,2,9,4,3,1,%s\n' "$evil" "$evil" "$evil"
} >t.csv
sed 's/,9,4/,8,4/' t.csv >u.csv
bad=
verbs=$(traceviz help verbs | grep -v '^\(plot\|convert\|record\|compare\|help\)$')
for verb in $verbs; do
	for format in '' --json; do
		run timeout 20 traceviz "$verb" t.csv $format
		acts stderr && bad="$bad $verb:stderr"
		[ -z "$format" ] || ! acts stdout || bad="$bad $verb:json"
	done
done
is "$bad" "" "messages and JSON of every verb"
bad=
if script -qec true /dev/null >/dev/null 2>&1; then
	for verb in $verbs; do
		timeout 20 script -qec "traceviz $verb t.csv" /dev/null </dev/null >tty.out 2>&1
		acts tty.out && bad="$bad $verb"
	done
	timeout 20 script -qec "traceviz compare t.csv u.csv" /dev/null </dev/null >tty.out 2>&1
	acts tty.out && bad="$bad compare"
	is "$bad" "" "tables on a terminal"
else
	skip 1 "the command script is not here"
fi
run traceviz summary t.csv --json
ok "JSON keeps the names" perl -MJSON::PP -e 'local $/; my $t = decode_json(<STDIN>); open my $f, "<:utf8", "hostile.txt"; my $n = <$f>;
	exit !grep { $_ eq "gemm$n" } map { values %$_ } @$t' <stdout
traceviz t.csv -q -o t.svg
ok "no figure contains them" test -z "$(acts t.svg && echo acts)"
