#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.t: what make installs where packages are missing
. "$(dirname "$0")/lib.sh"
plan 1
program() { # NAME: its lines are read
	{ echo '#!/bin/sh'; cat; } >"programs/$1"
	chmod +x "programs/$1"
}
mkdir programs
# A user whose sudo gives programs an environment of their own, as Debian's does, and who has no package.
echo 'echo 1000' | program id
echo 'exec env -i PATH="$PATH" "$@"' | program sudo
echo 'exit 1' | program dpkg-query
echo 'echo "$DEBIAN_FRONTEND: $*"' | program apt-get
run env PATH="$PWD/programs:$PATH" make -s -C "$ROOT" deps-build
like "$rc $(cat stdout)" "0 *installed now, by sudo apt-get:*gcc make *noninteractive: install -q -y *gcc make *" \
	"packages are named and installed by sudo, without questions"
