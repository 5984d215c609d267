# SPDX-License-Identifier: Apache-2.0
# A bare Debian 12 in a folder, as a newcomer's machine. Needs root, debootstrap and the mirror that this machine's apt uses. To be sourced.
bare_base=${TMPDIR:-/tmp}/doc2s-bare-debian-12  # made once

make_bare_base() {
  local mirror
  if [ -e "$bare_base/etc/debian_version" ]; then return; fi
  [ "$(id -u)" = 0 ] || { echo "only root can make a bare Debian" >&2 && exit 2; }
  command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2 && exit 2; }
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 -E '/debian/?$')
  debootstrap --variant=minbase --include=ca-certificates bookworm "$bare_base.new" "$mirror" >"$bare_base.log" 2>&1 || { tail "$bare_base.log" >&2 && exit 1; }
  rm -rf "$bare_base.new"/etc/apt/{sources.list,sources.list.d,apt.conf.d,preferences.d}
  cp -aL /etc/apt/{sources.list,sources.list.d,apt.conf.d,preferences.d} "$bare_base.new/etc/apt/" 2>/dev/null || true
  rm -f "$bare_base.new"/etc/apt/apt.conf.d/*{docker,packagekit,appstream}*
  mv "$bare_base.new" "$bare_base"
}

# A copy of it in a folder of its own, into `bare`; it goes when the script ends.
make_bare_system() {
  make_bare_base
  bare=$(mktemp -d)
  trap 'rm -rf --one-file-system "$bare"' EXIT
  cp -a "$bare_base/." "$bare"
  cp -L /etc/resolv.conf /etc/hosts "$bare/etc/" 2>/dev/null || true
}

# USER TEXT: the text as a shell script in there. What is mounted for it goes with it.
inside() {
  local user=$1 home=/home/$1
  [ "$user" != root ] || home=/root
  unshare --mount --propagation private bash -c '
    mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys" && mount -t tmpfs tmpfs "$1/dev/shm"
    exec chroot --userspec="$2" "$1" env -i HOME="$3" USER="$2" LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
      "${@:5}" bash -euo pipefail -c "cd; $4"' inside "$bare" "$user" "$home" "$2" $(env | grep -iE '^(https?|no)_proxy=' || true)
}
