#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# completion.t: completions of shells offer every verb and every option that --help lists
# needs bash
. "$(dirname "$0")/lib.sh"
share=${TRACEVIZ_BIN:-$ROOT/build}/share
verbs=$(traceviz help verbs)
plan 14

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
# The options of a verb: in its help, and on the pages that this names.
options() {
	traceviz "$1" --help >help
	cat help
	if grep -q 'traceviz help input' help; then traceviz help input; fi
	[ "$1" != compare ] || traceviz help figure
	[ "$1" != plot ] || help_panels
}
missing=
for verb in $verbs; do
	options "$verb" | grep -oE '^ +(-[A-Za-z], +)?--[a-z][a-z.-]*' | grep -oE -e '-[A-Za-z]\b|--[a-z.-]+' |
		grep . | sort -u >listed
	offered "$verb" - >bash.options
	cmp -s listed bash.options || missing="$missing $verb"
done
is "$missing" "" "bash offers the options of each verb, and no other"
is "$(offered bou)" bounds "the begin of a verb"
is "$(offered run.csv --face)" "--facet
--facet-by
--facet-layout" "without a verb the options are those of plot"
is "$(offered compare --can-run '' | grep -c observed)" 1 "words that an option accepts"
is "$(offered outliers --where '')" "" "other values are left to the user"

# Each option of a verb occurs where the file treats that verb.
options outliers | grep -oE '^ +(-[A-Za-z], +)?--[a-z][a-z.-]*' | grep -oE -e '--[a-z.-]+' >listed
zsh=$share/zsh/site-functions/_traceviz
sed -n '/^outliers)$/,/;;$/p' "$zsh" | grep -oE '^		.\*--[a-z.-]+' | sed 's/.*\*//' >zsh.options
ok "zsh: the options of a verb" cmp listed zsh.options
is "$(sed -n "s/^	'\([a-z-]*\):.*/\1/p" "$zsh")" "$verbs" "zsh: all verbs"
fish=$share/fish/vendor_completions.d/traceviz.fish
sed -n 's/.*= outliers. .*-l \([a-z.-]*\) .*/--\1/p' "$fish" >fish.options
ok "fish: the options of a verb" cmp listed fish.options
is "$(sed -n 's/.*__fish_use_subcommand -a \([a-z-]*\) .*/\1/p' "$fish")" "$verbs" "fish: all verbs"
if command -v zsh >/dev/null; then ok "zsh parses it" zsh -n "$zsh"; else skip 1 "no zsh"; fi
if command -v fish >/dev/null; then
	ok "fish parses it" fish -n "$fish"
	is "$(fish -c "source '$fish'; complete -C 'traceviz bounds --with'" | cut -f1)" "--with" "and completes"
else
	skip 2 "no fish"
fi
