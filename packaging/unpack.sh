#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/unpack.sh FOLDER [FEATURE…]  downloads Debian's packages that a build needs and this machine lacks, the compiler included, and unpacks
# them to FOLDER. Nobody needs to be root. `source FOLDER/environment`, and ./doc2s builds with them. The features are those of
# packages.txt; without any: core.
set -euo pipefail
project=$(dirname "$(dirname "$(readlink -f "$0")")")
source "$project/cmake/launch.sh"

[ $# -gt 0 ] || { say "name a folder to unpack to: packaging/unpack.sh FOLDER [FEATURE…]" && exit 2; }
have apt-get && have dpkg || fail "this machine has no apt-get; packages.txt says what is needed, and CMAKE_PREFIX_PATH may name a folder that has it"
mkdir -p "$1"/apt/{lists/partial,archives/partial,debs}
folder=$(readlink -f "$1")
features=${*:2}
triplet=$(dpkg --print-architecture | sed 's/^amd64$/x86_64-linux-gnu/; s/^arm64$/aarch64-linux-gnu/')
launch_log=$folder/apt/log
: >"$launch_log"

# Lists of our own: those of the machine are root's, and may be old. What is installed is still the machine's to say.
apt() { apt-get -q -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt" "$@"; }

lacking() { apt -s --no-install-recommends install $(packages_of "${features:-core}") | sed -n 's/^Inst \([^ ]*\) .*/\1/p'; }

# A link to /lib/… or /usr/… leads to what was unpacked, where the machine has no such file.
mend_links() {
  local link target
  find "$folder/usr" "$folder/lib" -type l -lname '/*' 2>/dev/null | while read -r link; do
    target=$(readlink "$link")
    if [ ! -e "$target" ] && [ -e "$folder$target" ]; then ln -sfn "$folder$target" "$link"; fi
  done
}

# The linker reads in libc.so where the parts of the C library are; one of them was unpacked.
mend_c_library() {
  local script=$folder/usr/lib/$triplet/libc.so
  [ ! -e "$script" ] || sed -i "s| /usr/lib/$triplet/| $folder/usr/lib/$triplet/|" "$script"
}

# Headers come last (-idirafter), for those of C++ look for those of C behind themselves. The program knows where its libraries are (-rpath), and
# theirs (--disable-new-dtags), so it starts in other shells, too.
write_environment() {
  local libraries=$folder/usr/lib/$triplet:$folder/lib/$triplet include=$folder/usr/include
  cat >"$folder/environment" <<TEXT
export PATH="$folder/usr/bin:\$PATH"
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" LIBRARY_PATH="$libraries\${LIBRARY_PATH:+:\$LIBRARY_PATH}"
export CMAKE_PREFIX_PATH="$folder/usr\${CMAKE_PREFIX_PATH:+:\$CMAKE_PREFIX_PATH}"
export CXXFLAGS="-idirafter $include -idirafter $include/$triplet\${CXXFLAGS:+ \$CXXFLAGS}"
TEXT
  echo "export LDFLAGS=\"-Wl,--disable-new-dtags,-rpath,${libraries/:/,-rpath,}\"" >>"$folder/environment"
  [ ! -e "$folder/usr/bin/g++" ] || echo "export CXX=\"$folder/usr/bin/g++\"" >>"$folder/environment"
}

logged apt update || give_up "apt-get could not fetch its lists"
packages=$(lacking 2>>"$launch_log") || give_up "apt-get does not know all packages"
say "downloading $(wc -w <<<"$packages") packages to $folder"
[ -z "$packages" ] || (cd "$folder/apt/debs" && logged apt download $packages) || give_up "a download failed"
for deb in "$folder"/apt/debs/*.deb; do [ ! -e "$deb" ] || dpkg -x "$deb" "$folder"; done
rm -rf "$folder"/apt/{lists,archives,debs}
mend_links
mend_c_library
write_environment
say "done; now: source $folder/environment"
