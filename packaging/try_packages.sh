#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/try_packages.sh [FOLDER]  the packages that `cmake --build --preset package` left in FOLDER (build/package/packages), installed into a bare
# Debian 12, used, and removed: the demo, mpirun, a program by find_package, Python, libtorch; nothing of ours may stay. Prints sizes, lintian's words
# and seconds. Needs root, debootstrap, lintian, and a few minutes.
set -euo pipefail
project=$(dirname "$(dirname "$(readlink -f "$0")")")
source "$project/packaging/bare_debian.sh"
packages=$(readlink -f "${1:-$project/build/package/packages}")
for name in doc2s libdoc2s-dev doc2s-torch python3-doc2s; do
  [ "$(ls "$packages/${name}"_*.deb | wc -l)" = 1 ] || { echo "$packages: there must be one package $name" >&2 && exit 2; }
done

step() { printf '\n--- %s\n' "$*"; }
size() { dpkg-deb -f "$1" Installed-Size; }
files() { find "$bare" -xdev -path "$bare/var" -prune -o -path "$bare/root" -prune -o -path "$bare/tmp" -prune -o -print | sort; }

step "sizes: the file in KiB, installed in KiB"
for deb in "$packages"/*.deb; do printf '%-40s %7s %7s\n' "$(basename "$deb")" "$(($(stat -c %s "$deb") / 1024))" "$(size "$deb")"; done
step "lintian"
lintian --allow-root --fail-on error "$packages"/*.deb
make_bare_system
inside root 'apt-get -qq update'
files >"$bare/root/before"
cp "$packages"/*.deb "$bare/root/"

step "apt install ./doc2s_*.deb, and the demo"
inside root 'TIMEFORMAT="%R s, processor %U + %S s"
  time apt-get install -y ./doc2s_*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }
  time doc2s demo --out demo'

step "manual and completion"
inside root 'gzip -cd /usr/share/man/man1/doc2s.1.gz /usr/share/man/man1/doc2s-run.1.gz | grep -A1 "^.SH NAME"
  source /usr/share/bash-completion/completions/doc2s
  COMP_WORDS=(doc2s rep) COMP_CWORD=1 && _doc2s && echo "doc2s rep: ${COMPREPLY[*]}"
  COMP_WORDS=(doc2s run --o) COMP_CWORD=2 && _doc2s && echo "doc2s run --o: ${COMPREPLY[*]}"'

step "two processes give the bits of one"
inside root 'cat >small.toml <<X
seed = 3
[problem]
size = 200
dimension = 5
[method]
K = 4
T = 10
X
  doc2s run small.toml --out one --quiet
  mpirun --allow-run-as-root --oversubscribe -n 2 doc2s run small.toml --out two --quiet
  grep -h -o "\"trajectory\": *\"[^\"]*\"" one/summary.json two/summary.json
  [ "$(grep -h -o "\"trajectory\": *\"[^\"]*\"" one/summary.json two/summary.json | sort -u | wc -l)" = 1 ]'

step "a program that finds the library"
inside root 'apt-get install -y ./libdoc2s-dev_*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }
  cmake -S /usr/share/doc/libdoc2s-dev/examples/black_box -B black_box >/dev/null && cmake --build black_box >/dev/null
  program=$(find black_box -maxdepth 1 -type f -executable) && cd /tmp && ~/$program | tail -3'

step "Python"
inside root 'apt-get install -y ./python3-doc2s_*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }
  python3 -c "
import doc2s
r = doc2s.minimize(lambda i, x: abs(x - i).sum(), clients=8, dimension=2, graph=\"ring\", K=200)
print(doc2s.__version__, doc2s.__file__, r.x)
assert abs(r.x - 3.5).max() < 1"'

step "libtorch"
inside root 'apt-get install -y ./doc2s-torch_*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }
  cat >net.toml <<X
clients = { count = 4 }
problem = { name = "resnet18", width = 0.125, data = "synthetic", size = 64, batch = 2 }
method = { K = 1, T = 1 }
X
  doc2s run net.toml --out net --quiet | tail -1
  python3 -c "import doc2s; print(doc2s.run(\"net.toml\").status)"'

step "removed"
inside root 'apt-get purge -y doc2s libdoc2s-dev doc2s-torch python3-doc2s >apt.log 2>&1 || { cat apt.log; exit 1; }'
if files | grep doc2s; then echo "these files stayed" >&2 && exit 1; fi
echo "no file of ours is left"
inside root 'apt-get autoremove -y --purge >apt.log 2>&1 || { cat apt.log; exit 1; }'
echo "files that were not there before, left by the packages that ours needed: $(files | comm -13 "$bare/root/before" - | wc -l)"
