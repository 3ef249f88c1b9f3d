#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# completion.sh bash|zsh|fish PROGRAM: the completion of a shell, made from what --help prints.
shell=$1
program=$2
verbs=$("$program" help verbs) || exit 1
input=$("$program" help input) || exit 1
panels=$(for panel in $("$program" help panels | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do "$program" help "panel:$panel"; done) || exit 1

# The help of a verb with the options that it names another page for.
options() {
	"$program" "$1" --help
	case $1 in series | list | help | record | generate | platform) ;; *) printf '%s\n' "$input" ;; esac
	case $1 in plot) printf '%s\n' "$panels" ;; compare) "$program" help figure ;; esac
}

# Lines "V<tab>verb<tab>summary", and "O<tab>verb<tab>short<tab>long<tab>argument<tab>words<tab>meaning";
# words: what an argument such as observed|any or TIME|auto accepts, apart from values in capitals.
table() {
	for verb in $verbs; do
		options "$verb" | awk -v verb="$verb" -v OFS='\t' '
		NR == 3 { print "V", verb, $0 }
		/^  (-[A-Za-z],|   ) --[a-z]/ || /^  --[a-z]/ {
			short = ""; long = $1
			if ($1 ~ /^-[A-Za-z],$/) { short = substr($1, 1, 2); long = $2 }
			rest = substr($0, index($0, long) + length(long))
			argument = words = ""
			if (rest ~ /^ [^ ]/) { argument = rest; sub(/^ /, "", argument); sub(/ .*/, "", argument) }
			rest = substr(rest, length(argument) + 2)
			sub(/^ */, "", rest)
			if (argument ~ /[|]/ || argument ~ /^[a-z-]+(,[.][.][.])?$/) {
				list = argument; sub(/,[.][.][.]$/, "", list)
				n = split(list, word, "|")
				for (i = 1; i <= n; i++)
					if (word[i] ~ /^[a-z0-9,-]+$/) words = words (words == "" ? "" : " ") word[i]
			}
			print "O", verb, short, long, argument, words, rest
		}' || exit 1
	done
}

bash_completion() {
	awk -F'\t' '
	$1 == "V" { verbs = verbs " " $2; next }
	{
		options[$2] = options[$2] " " $4 ($3 == "" ? "" : " " $3)
		if ($5 == "") next
		names = $2 ":" $4 ($3 == "" ? "" : "|" $2 ":" $3)
		if ($6 == "") files = files (files == "" ? "" : "|") names
		else values = values "\t" names ")\n\t\tmapfile -t COMPREPLY < <(compgen -W \"" $6 "\" -- \"$word\"); return ;;\n"
	}
	END {
		n = split(substr(verbs, 2), verb, " ")
		print "# traceviz in bash; made by docs/completion.sh from traceviz --help"
		print "_traceviz()\n{"
		print "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=plot options\n"
		print "\tCOMPREPLY=()"
		print "\tif [ \"$COMP_CWORD\" -gt 1 ]; then"
		printf "\t\tcase ${COMP_WORDS[1]} in\n\t\t"
		for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? "|" : ""), verb[i]
		print ") verb=${COMP_WORDS[1]} ;;\n\t\tesac\n\tfi"
		print "\tcase $verb:$before in"
		printf "%s", values
		print "\t" files ")\n\t\treturn ;;"
		print "\tesac"
		print "\tcase $verb in"
		for (i = 1; i <= n; i++) print "\t" verb[i] ") options=\"" substr(options[verb[i]], 2) "\" ;;"
		print "\tesac"
		print "\tif [[ $word == -* ]]; then"
		print "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")"
		print "\telif [ \"$COMP_CWORD\" -eq 1 ]; then"
		print "\t\tmapfile -t COMPREPLY < <(compgen -W \"" substr(verbs, 2) "\" -- \"$word\"; compgen -f -- \"$word\")"
		print "\tfi\n}"
		print "complete -o default -F _traceviz traceviz"
	}'
}

zsh_completion() {
	awk -F'\t' '
	function text(s) {
		gsub(/\\/, "\\\\", s); gsub(/\[/, "\\[", s); gsub(/\]/, "\\]", s); gsub(/:/, "\\:", s); gsub(/\047/, "\047\\\047\047", s)
		return s
	}
	BEGIN { print "#compdef traceviz\n# traceviz in zsh; made by docs/completion.sh from traceviz --help" }
	$1 == "V" { order[++n] = $2; summary[$2] = $3; next }
	{
		value = ""
		if ($5 != "") value = ":" text($5) ":" ($6 != "" ? "(" $6 ")" : "_files")
		line = "\t\t\047*" $4 "[" text($7) "]" value "\047"
		if ($3 != "") line = line " \\\n\t\t\047*" $3 "[" text($7) "]" value "\047"
		options[$2] = options[$2] line " \\\n"
	}
	END {
		print "local verb=plot\nlocal -a verbs\nverbs=("
		for (i = 1; i <= n; i++) print "\t\047" order[i] ":" text(summary[order[i]]) "\047"
		print ")"
		print "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then"
		print "\t_describe verb verbs\n\t_files\n\treturn\nfi"
		print "if (( CURRENT > 2 )) && [[ -n ${(M)verbs:#${words[2]}:*} ]]; then"
		print "\tverb=$words[2]\n\tshift words\n\t(( CURRENT-- ))\nfi"
		print "case $verb in"
		for (i = 1; i <= n; i++) printf "%s)\n\t_arguments \\\n%s\t\t\047*:TRACE:_files\047 ;;\n", order[i], options[order[i]]
		print "esac"
	}'
}

fish_completion() {
	awk -F'\t' '
	function text(s) { gsub(/\\/, "\\\\", s); gsub(/\047/, "\\\047", s); return "\047" s "\047" }
	BEGIN { print "# traceviz in fish; made by docs/completion.sh from traceviz --help" }
	$1 == "V" {
		line[++n] = "complete -c traceviz -n __fish_use_subcommand -a " $2 " -d " text($3)
		verbs = verbs " " $2
		next
	}
	{
		line[++n] = "complete -c traceviz -n \047test (__traceviz_verb) = " $2 "\047" \
			($3 == "" ? "" : " -s " substr($3, 2)) " -l " substr($4, 3) \
			($5 == "" ? "" : $6 == "" ? " -r" : " -x -a " text($6)) " -d " text($7)
	}
	END {
		print "function __traceviz_verb"
		print "\tset -l words (commandline -opc)"
		print "\tif set -q words[2]; and contains -- $words[2]" verbs
		print "\t\techo $words[2]\n\telse\n\t\techo plot\n\tend\nend"
		for (i = 1; i <= n; i++) print line[i]
	}'
}

case $shell in
bash | zsh | fish) table | "${shell}_completion" ;;
*) echo "completion.sh: '$shell', expected bash, zsh or fish" >&2; exit 2 ;;
esac
