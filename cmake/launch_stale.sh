# SPDX-License-Identifier: Apache-2.0
# Is a build up to date, and if not, why? In build/NAME there are .identity: its options and processor; .place: the checkout that CMake's files name; and
# stamps with the sums of the files that it was made of: .built, and .built.LEVEL for what is built there beside the program. A build that begins
# calls them .was…. Needs launch.sh.
program_files=(src include app bench cmake configs/reproduce lab/figures.py CMakeLists.txt packages.txt)
watched=("${program_files[@]}")  # the build is stale when one of these has changed

processor() { grep -m1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null || true; }
build_identity() { echo "$*" && processor; }  # it is made for this very processor
stamp() { echo "$build/.$1${level:+.$level}"; }
sums() { (cd "$project" && find "$@" -type f -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 cksum); }
content() { cat "$1" 2>/dev/null || true; }

# In a copied checkout all files may be new, and none has changed.
same_files() {
  local built newer now
  built=$(stamp built) now=$(date +%s.%N)
  newer=$(cd "$project" && find "${watched[@]}" -newer "$built" -print -quit) || return 1
  [ -n "$newer" ] || return 0
  [ "$(sums "${watched[@]}")" = "$(content "$built")" ] || return 1
  touch -d "@$now" "$built" || true
}

# A program serves wherever its checkout is moved to; where CMake's files are needed, too, the caller sets `placed`.
in_place() { [ "$(content "$build/.place")" = "$project" ]; }
up_to_date() {
  [ -x "$build/${product:-doc2s}" ] && [ -e "$(stamp built)" ] && [ "$(content "$build/.identity")" = "$identity" ] &&
    { [ -z "${placed:-}" ] || in_place; } && same_files
}

changed_files() {
  local now
  now=$(sums "${watched[@]}")
  { grep -vxFf "$1" <<<"$now" || true; grep -vxFf - "$1" <<<"$now" || true; } | cut -d ' ' -f 3- | LC_ALL=C sort -u
}

why_files() {
  local changed newest
  changed=$(changed_files "$1")
  newest=$(cd "$project" && xargs -r -d '\n' ls -td 2>/dev/null <<<"$changed" || true)
  newest=${newest%%$'\n'*}
  if [ -z "$changed" ]; then echo "the last build came to no end, or a part of it is gone"
  elif [[ $changed == *$'\n'* ]]; then echo "$(wc -l <<<"$changed") files have changed${newest:+, the newest is $newest}"
  elif [ -n "$newest" ]; then echo "$newest has changed"
  else echo "$changed is gone"; fi
}

why() {
  local before
  before=$(stamp built)
  [ -e "$before" ] || before=$(stamp was)
  if [ ! -e "$build/.identity" ]; then echo "the first build"
  elif [ "$(head -n 1 "$build/.identity")" != "$(head -n 1 <<<"$identity")" ]; then echo "other options"
  elif [ "$(content "$build/.identity")" != "$identity" ]; then echo "another processor"
  elif ! in_place; then echo "the checkout was moved or copied from $(content "$build/.place"), and CMake's files hold that name"
  elif [ ! -e "$before" ]; then echo "the first build"
  else why_files "$before"; fi
}

begin_stamps() {
  local old
  for old in "$build"/.built*; do [ ! -e "$old" ] || mv "$old" "$build/.was${old#"$build/.built"}"; done
  touch "$build/.started"  # a file changed during the build is newer than this
  sums "${watched[@]}" >"$build/.sums"
  sums "${program_files[@]}" >"$build/.sums_of_program"
}

end_stamps() {
  touch -r "$build/.started" "$build/.sums" "$build/.sums_of_program"
  rm -f "$(stamp was)"
  mv "$build/.sums" "$(stamp built)"
  [ -z "${level:-}" ] || mv "$build/.sums_of_program" "$build/.built"
}
