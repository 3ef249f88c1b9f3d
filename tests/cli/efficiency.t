#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# efficiency.t: ladders that other programs computed, of recordings that are not part of the repository
. "$(dirname "$0")/lib.sh"
plan 3
need_shared 3

factors() { # TRACE
	traceviz efficiency -q --all --where 'Section == factor and Name != overlap' "$1" 2>/dev/null | awk -F, 'NR > 1 { printf "%s%.6f/%s", n++ ? " " : "", $3, $4 } END { print "" }'
}
runs=$SHARED/data/cholesky-idcin2/12
is "$(factors "$runs/dmda")" "0.978612/747.332788 1.000000/747.332788 1.000000/747.332788 0.920604/687.997670 1.000000/687.997670 0.979932/674.191101 0.632420/426.371921 1.000000/426.371921 0.980574/418.089184" "dmda"
is "$(factors "$runs/dmdas")" "0.981099/715.113603 1.000000/715.113603 1.000000/715.113603 0.941381/673.194328 1.000000/673.194328 0.984577/662.811736 0.656832/435.355967 1.000000/435.355967 0.996144/433.677228" "dmdas"
is "$(factors "$runs/ws")" "0.994170/1052.005933 1.000000/1052.005933 1.000000/1052.005933 1.000000/1052.005933 0.577701/607.744645 0.866467/526.590693 0.835432/439.930542 1.000000/439.930542 0.997082/438.646983" "ws"
