#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# completion.t: completions of shells offer every verb, every option and the known values of options
# needs bash
. "$(dirname "$0")/lib.sh"
share=${TRACEVIZ_BIN:-$ROOT/build}/share
verbs=$(traceviz help verbs)
plan 23

ok "bash parses its completion" bash -n "$share/bash-completion/completions/traceviz"
cat >try.bash <<END
. "$share/bash-completion/completions/traceviz"
try() {
	COMP_WORDS=("\$@")
	COMP_CWORD=\$((\$# - 1))
	_traceviz
	printf '%s\n' "\${COMPREPLY[@]}"
}
END
offered() { bash -c '. ./try.bash; try "$@"' sh traceviz "$@" | sort -u; }

is "$(offered '')" "$({ echo "$verbs"; ls; } | sort -u)" "bash offers all verbs, and files"
# The options of each verb: VERB --NAME, VERB -LETTER.
traceviz help --json >all.json
perl -MJSON::PP -e 'local $/; my $all = decode_json(<>); for my $v (@{ $all->{verbs} }) {
	my @o = @{ $v->{options} };
	push @o, map { my $p = $_->{name}; map { { name => "$p.$_->{name}" } } @{ $_->{options} } } @{ $all->{panels} } if $v->{name} eq "plot";
	for my $o (@o) { print "$v->{name} --$o->{name}\n"; print "$v->{name} -$o->{letter}\n" if $o->{letter} } }' all.json >taken
missing=
for verb in $verbs; do
	sed -n "s/^$verb //p" taken | sort -u >listed
	offered "$verb" - >bash.options
	cmp -s listed bash.options || missing="$missing $verb"
	traceviz "$verb" --help | grep -oE '^ +(-[A-Za-z], +)?--[a-z][a-z.-]*' | grep -oE -e '--[a-z.-]+' | sort -u |
		comm -23 - bash.options | grep . >/dev/null && missing="$missing $verb(help)"
done
is "$missing" "" "bash offers the options of each verb, and no other"
is "$(offered bou)" bounds "the begin of a verb"
is "$(offered run.csv --face)" "--facet
--facet-by
--facet-layout" "without a verb the options are those of plot"
is "$(offered compare --can-run '' | grep -c observed)" 1 "words that an option accepts"
is "$(offered outliers --where '')" "" "other values are left to the user"
# Names that no argument contains
is "$(offered plot --panels gant,)" "$(traceviz help panels | sed -n 's/^  \([a-z][a-z-]*\)[* ] .*/gant,\1/p' | sort)" "panels, also behind a comma"
is "$(offered simulate --scheduler dmd)" "dmda
dmdas" "scheduling policies"
is "$(offered compare --section acc)" account "sections of compare"
is "$(offered convert --format paj)" paje "formats"
is "$(offered summary --by Resource)" "ResourceId
ResourceType" "columns"
is "$(offered help notes:bo; offered help panel:rea; offered help inpu; offered help bou)" "notes:bounds
panel:ready
input
bounds" "what help knows"
is "$(for word in $(offered help ''); do traceviz help "$word" >page 2>&1 || echo "$word"; done)" "" "and it does know all of that"
is "$(offered series '' | wc -l | tr -d ' ') $(offered list mess) $(offered outliers disturb)" "15 messages disturbances" "parts of questions"
is "$(offered series ready --coun)" "--counter" "options of a part behind its question"

# Each option of a verb occurs where the file treats that verb.
sed -n 's/^outliers \(--.*\)/\1/p' taken | sort >listed
zsh=$share/zsh/site-functions/_traceviz
sed -n '/^outliers)$/,/;;$/p' "$zsh" | grep -oE '^		.\*--[a-z.-]+' | sed 's/.*\*//' | sort >zsh.options
ok "zsh: the options of a verb" cmp listed zsh.options
is "$(sed -n "s/^	'\([a-z-]*\):.*/\1/p" "$zsh")" "$verbs" "zsh: all verbs"
fish=$share/fish/vendor_completions.d/traceviz.fish
sed -n 's/.*= outliers. .*-l \([a-z.-]*\) .*/--\1/p' "$fish" | sort >fish.options
ok "fish: the options of a verb" cmp listed fish.options
is "$(sed -n 's/.*__fish_use_subcommand -a \([a-z-]*\) .*/\1/p' "$fish")" "$verbs" "fish: all verbs"
if command -v zsh >/dev/null; then ok "zsh parses it" zsh -n "$zsh"; else skip 1 "no zsh"; fi
if command -v fish >/dev/null; then
	ok "fish parses it" fish -n "$fish"
	is "$(fish -c "source '$fish'; complete -C 'traceviz bounds --with'" | cut -f1)" "--with" "and completes"
else
	skip 2 "no fish"
fi
