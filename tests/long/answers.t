#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# answers.t: first answers of diagnose for simulated runs with a known cause, and none for runs without one
. "$(dirname "$0")/../cli/lib.sh"
plan 3
if ! command -v python3 >/dev/null; then
	skip 3 "no python3"
	exit 0
fi

seed "${SEED:-1}"
planted=74 clean=26 # two of each kind
ok "two runs of each kind" python3 "$ROOT/tests/long/answers.py" . "$seed" $planted $clean
is "$(find cases -name tasks.csv | wc -l)" $((planted + clean)) "all were written"
need_shared 1
python3 "$SHARED/data/answers/check-answers.py" traceviz . >answers
python3 "$ROOT/tests/long/answers.py" --by-kind <answers >kinds
rc=$?
diag "$(cat kinds)"
diag "$(grep -v '^ok' answers)"
is "$rc" 0 "nine of ten first answers are right, and no clean run has a finding"
