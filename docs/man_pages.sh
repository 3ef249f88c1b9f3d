#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# man_pages.sh formats|glossary PROGRAM: a man page that is of no verb, made from what `PROGRAM help` prints.
page() { # NAME SECTION SUMMARY, the text on standard input
	printf '.TH %s %s "" traceviz\n.SH NAME\n%s \\- %s\n' "$1" "$2" "$1" "$3"
	cat
	printf '.SH SEE ALSO\ntraceviz(1)\n'
}
escape='s/\\/\\e/g; s/-/\\-/g; '"s/^[.']/\\\\&&/"
case $1 in
formats)
	{
		"$2" help formats | sed "1s/.*/.SH FORMATS\n.nf/; 1!{$escape}"
		printf '.fi\n'
		"$2" help tables | sed "1{$escape; s/.*/.SH TABLES\n&\n.nf/}; 1!{$escape}"
		printf '.fi\n'
	} | page traceviz-formats 5 'formats of traces that traceviz reads, and tables of its own'
	;;
glossary) # a list of "- **word**: meaning" in Markdown
	"$2" help glossary | sed "/^\$/d; $escape; 1s/.*/.SH DESCRIPTION/" | sed 's/^\\- \*\*\([^:]*\): /.TP\n**\1\n/; s/^  \\- /.br\n/; s/^ *//
		s/\*\*//g; s/`//g; s/\*\([^*]*\)\*/\\fI\1\\fR/g' | page traceviz-glossary 7 'words that traceviz uses' ;;
esac
