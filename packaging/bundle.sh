#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bundle.sh INSTALLED NAME OUT: makes OUT/NAME.tar.xz, an archive that runs from any folder, without root, on any Linux of this
# processor: the program installed in INSTALLED (its bin/, lib/, share/), with its libraries and the loader of this system.
# Recorders are loaded into the programs of the user's system and use that one's libraries, so they need no copies.
set -eu
installed=$1 name=$2 out=$3
root=$out/$name
rm -rf "$root"
mkdir -p "$root/bin" "$root/lib" "$root/libexec"
cp -R "$installed/lib/traceviz" "$root/lib/"
mkdir "$root/include"
cp "$installed/include/traceviz.h" "$root/include/"
cp -R "$installed/share" "$root/"
cp "$installed/bin/traceviz" "$root/libexec/"
ldd "$installed/bin/traceviz" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | while read -r library; do
	cp -L "$library" "$root/lib/"
done
loader=$(ldd "$installed/bin/traceviz" | sed -n 's/^[[:space:]]*\(\/[^ ]*\/ld-linux[^ ]*\) .*/\1/p')
cp -L "$loader" "$root/lib/"
${STRIP:-strip} --strip-unneeded "$root"/lib/*.so* "$root"/lib/traceviz/* "$root/libexec/traceviz"
cat >"$root/bin/traceviz" <<END
#!/bin/sh
# Runs traceviz with the libraries of its folder.
self=\$0
while [ -L "\$self" ]; do
	to=\$(readlink "\$self")
	case \$to in /*) self=\$to ;; *) self=\${self%/*}/\$to ;; esac
done
lib=\$(cd "\${self%/*}/../lib" && pwd) || exit 1
exec "\$lib/${loader##*/}" --library-path "\$lib" "\$lib/../libexec/traceviz" "\$@"
END
chmod 755 "$root/bin/traceviz" "$root/libexec/traceviz"
find "$root" -name '*.so*' ! -name 'ld-linux*' -exec chmod 644 {} +
# Addresses of jumps of x86 compress better if they count from 0.
case $name in *-x86_64) filter=--x86 ;; *) filter= ;; esac
# shellcheck disable=SC2086 # none or one word
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -cf - "$name" |
	xz $filter --lzma2=preset=9e -T1 >"$out/$name.tar.xz"
size=$(wc -c <"$out/$name.tar.xz")
echo "$size bytes $out/$name.tar.xz"
[ "$size" -lt 10000000 ] || { echo "bundle.sh: expected less than 10 MB, as packaging/README.md says" >&2 && exit 1; }
