#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/try_without_root.sh  tries in a bare Debian 12, as an ordinary user, what docs/install.md says for machines without root: the commit that is
# checked out is built with packages unpacked to a folder, and runs its demo. Needs root here, debootstrap and a quarter of an hour of one core.
set -euo pipefail
project=$(dirname "$(dirname "$(readlink -f "$0")")")
source "$project/packaging/bare_debian.sh"

make_bare_system
chroot "$bare" useradd --create-home --uid 1000 newcomer
mkdir "$bare/home/newcomer/doc2s"
git -C "$project" archive HEAD | tar -x -C "$bare/home/newcomer/doc2s"
chroot "$bare" chown -R newcomer:newcomer /home/newcomer

echo "--- ./doc2s alone says what to do"
inside newcomer 'cd doc2s; if ./doc2s --version; then echo "this Debian is not bare" >&2; exit 1; fi'
echo "--- with unpacked packages"
inside newcomer 'cd doc2s; time packaging/unpack.sh ~/doc2s-packages; du -sh ~/doc2s-packages | cut -f1
  source ~/doc2s-packages/environment
  time ./doc2s demo'
echo "--- in another shell, without the environment"
inside newcomer 'doc2s/build/release/doc2s --version'
