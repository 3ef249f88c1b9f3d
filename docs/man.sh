#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# man.sh PROGRAM VERB: the man page of a verb, made from its --help and the pages of help that this names (VERB "" = of the
# program).
program=$1
verb=$2
name=traceviz${verb:+-$verb}
if [ -n "$verb" ]; then
	help=$("$program" $verb --help | while IFS= read -r line; do
		case $line in
		*"traceviz help input") "$program" help input | tail -n +2 ;;
		*"options of 'traceviz help figure'"*) printf '%s\n\n' "$line"; "$program" help figure ;;
		*"traceviz help notes:"*) "$program" help "notes:$verb" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done) || exit 1
else
	help=$("$program" --help | sed '/^  traceviz VERB/q'; echo; echo "Verbs:"; echo; "$program" help all; echo; "$program" help formats
		"$program" --help | sed -n '/^Exit status/,$p') || exit 1
fi
if [ -n "$verb" ]; then summary=$(printf '%s\n' "$help" | sed -n 3p); else
	summary=$(printf '%s\n' "$help" | sed -n '1s/.* -- //p'); fi
printf '%s\n' "$help" | awk -v name="$name" -v summary="$summary" -v verb="$verb" '
function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); if (s ~ /^[.\047]/) s = "\\&" s; return s }
BEGIN {
	printf ".TH %s 1 \"\" traceviz\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n", toupper(name), text(name), text(summary)
}
NR == 1 { if (verb != "") print text($0); else print "traceviz [VERB] [OPTIONS] TRACE" ; print ".fi\n.SH DESCRIPTION"; next }
verb != "" && NR == 3 { print text($0) "."; next }
/^Exit status/ { over = 1 }
over { next }
/^(Options|Verbs|Panels|Formats|Output|Example)/ {
	title = $1; sub(/:.*/, "", title)
	if (open) print ".fi"
	printf ".SH %s\n", title == "Output" ? "OUTPUT" : toupper(title)
	rest = $0; sub(/^[A-Za-z]+:? */, "", rest)
	if (rest != "") print text(rest)
	print ".nf"; open = 1; next
}
/^Exit status: / {
	if (open) print ".fi"
	print ".SH EXIT STATUS"
	sub(/^Exit status: /, ""); print text($0)
	open = 0; status = 1; next
}
/^[A-Z][A-Za-z, ]*:$/ {
	if (open) print ".fi"
	sub(/:$/, ""); print ".SS " text($0) "\n.nf"
	open = 1; next
}
status { print text($0); next }
{ if (!open && NR > 2) { print ".nf"; open = 1 } if (NR > 1) print text($0) }
END {
	if (open) print ".fi"
	if (!status) print ".SH EXIT STATUS\n0 done, 1 failure, 2 wrong usage, 3 negative verdict, 4 uncertain verdict."
	print ".SH SEE ALSO\ntraceviz(1), traceviz\\-formats(5), traceviz\\-glossary(7)"
}'
