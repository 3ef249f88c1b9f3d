# shellcheck shell=sh disable=SC2034 # scripts that include this file use its variables
# SPDX-License-Identifier: GPL-3.0-or-later
# pairs.sh: one table of each verb, and what each verb does with it. For scripts that include lib.sh.
#   $passes        verbs that write a table of a trace or of tasks, one per line
#   $annotating    those of them that add columns to the tasks
#   example VERB   its example, as in the help, without the options that leave rows out
#   options VERB   the options of that example
#   produce VERB   VERB.csv: the table of its example
for verb in $(traceviz help verbs); do
	traceviz "$verb" --help >"help.$verb"
done
passes=$(grep -l '^Output: \(a table\|the rows of tasks\)' help.* | sed 's/^help\.//' | grep -v '^\(platform\|compare\|precision\)$')
annotating=$(grep -l '^Output: the rows of tasks' help.* | sed 's/^help\.//')

example() {
	awk '/^Example:/ { getline; print; exit }' "$SANDBOX/help.$1" | sed -E "s/^ *traceviz ([a-z-]+ )?$1( |\$)/\2/; s/ --top [0-9]*//; s/ --where '[^']*'//"
}
options() {
	example "$1" | sed 's/ *data\/[^ ]*//g'
}
produce() {
	(cd "$ROOT" && eval "traceviz $1 -q --csv $(example "$1")") >"$SANDBOX/$1.csv" 2>"$SANDBOX/$1.err" </dev/null
}
