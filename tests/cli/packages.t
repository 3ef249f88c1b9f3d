#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.t: what make installs and says where packages are missing
. "$(dirname "$0")/lib.sh"
plan 4
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
run env -u MAKEFLAGS -u MAKELEVEL PATH="$PWD/programs:$PATH" make -s -C "$ROOT" deps-build
like "$rc $(cat stdout)" "0 *installed now, by sudo apt-get:*gcc make *noninteractive: install -q -y *gcc make *" \
	"packages are named and installed by sudo, without questions"

# No libzstd, and no header of GLPK.
program pkg-config <<END
case " \$* " in *" libzstd "*) exit 1 ;; esac
exec "$(command -v pkg-config)" "\$@"
END
echo 'case "$*" in *" -E "*) grep -q csv ;; esac' | program cc
run env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" BUILD="$PWD/build" CC="$PWD/programs/cc" PKG_CONFIG="$PWD/programs/pkg-config" all
like "$rc $(cat stdout)" "2 Not found, and needed to build traceviz: libzstd glpk.h
On Debian, make deps-build *" "all that is needed and missing is named in one line"
is "$(grep '  CC' stdout)" "" "before anything is compiled"
run env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" BUILD="$PWD/build" CC=none PKG_CONFIG=none all
like "$(head -1 stdout)" "*: none none libzstd zlib *csv.h glpk.h" "on a machine with neither compiler nor pkg-config, too"
