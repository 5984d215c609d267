# SPDX-License-Identifier: Apache-2.0
# What ./doc2s and ./test share; `project` is the root. Here stderr gets a line or two, build/launch.log the rest.
launch_log=$project/build/launch.log
source "$project/cmake/launch_stale.sh"
unset target product level more placed by_hand foreword work  # see ensure_built

say() { printf 'doc2s: %s\n' "$*" >&2; }
fail() { say "$@" && exit 1; }
logged() { "$@" >>"$launch_log" 2>&1 </dev/null; }
have() { command -v "$1" >/dev/null; }

give_up() {
  tail -n 30 "$launch_log" >&2
  fail "$1; the whole log is $launch_log"
}

# "FEATURE FEATURE…": their packages; "all": those of every feature.
packages_of() {
  local line
  while read -r line || [ -n "$line" ]; do
    line=${line%%#*}
    [ -n "$line" ] || continue
    if [ "$1" = all ] || [[ " $1 " == *" ${line%%:*} "* ]]; then printf '%s ' ${line#*:}; fi
  done <"$project/packages.txt"
}

missing_packages() {
  local package status
  for package in $(packages_of "$1"); do
    status=$(dpkg-query -W -f=' ${db:Status-Status} ' "$package" 2>/dev/null || true)
    [[ $status == *' installed '* ]] || printf '%s ' "$package"
  done
}

# The words that make a command run as root; fails where there is no way.
root_words_unasked() {
  if [ "$(id -u)" = 0 ]; then echo env
  elif sudo -n true 2>/dev/null; then echo sudo -n env
  else return 1; fi
}
root_words() {
  if root_words_unasked; then return
  elif [ -t 0 ] && [ -t 2 ] && have sudo; then echo sudo env
  else return 1; fi
}

# Packages can be unpacked to a folder that is one's own. That they serve from there was tried for those of the program itself.
way_without_root() {
  [ "$features" != core ] || printf '\nor, without root,\n  packaging/unpack.sh ~/doc2s-packages && source ~/doc2s-packages/environment'
}
unpacked_elsewhere() { [ -n "${CMAKE_PREFIX_PATH:-}" ] && ! root_words_unasked >/dev/null; }

install_packages() {
  local as_root apt="apt-get -o DPkg::Lock::Timeout=600"
  local by_hand="apt-get update && apt-get install -y --no-install-recommends $*"
  as_root="$(root_words) DEBIAN_FRONTEND=noninteractive" ||
    fail "packages are missing and only root can install them. As root run"$'\n'"  $by_hand$(way_without_root)"
  say "installing $# packages with apt-get: $*"
  logged $as_root $apt update || true  # a broken list of some other source need not stop us
  logged $as_root $apt install -y --no-install-recommends "$@" ||
    give_up "apt-get failed; to try by hand, as root: $by_hand"
}

build_by_hand() {
  local name=$1 features=$2 run="${by_hand:-build/$1/doc2s --help}" && shift 2
  local why="This machine has no apt-get."
  if unpacked_elsewhere; then why="Without root no package can be installed, and CMAKE_PREFIX_PATH ($CMAKE_PREFIX_PATH) has not all."; fi
  cat >&2 <<TEXT
$why Needed, by the names of Debian's packages:
  $(packages_of "$features")
Install them in this machine's own way, then start again, or build with CMake in $project:
  cmake -B build/$name -DCMAKE_BUILD_TYPE=Release $*
  cmake --build build/$name --parallel
  $run
TEXT
}

# Without apt-get: the tools must be there, and CMake itself names the libraries that are not.
need_tools() {
  local lacking=""
  have cmake || lacking+=" cmake"
  have ninja || have make || lacking+=" ninja"
  have "${CXX:-c++}" || have g++ || have clang++ || lacking+=" a-C++20-compiler"
  [ -z "$lacking" ] || { build_by_hand "$@" && fail "missing:$lacking"; }
}

configure() {
  local build=$project/build/$1 && shift
  if [ ! -e "$build/CMakeCache.txt" ] && have ninja; then set -- -G Ninja "$@"; fi
  if [ -x /usr/bin/python3 ]; then set -- "$@" -DPython3_EXECUTABLE=/usr/bin/python3; fi
  logged cmake -S "$project" -B "$build" -DCMAKE_BUILD_TYPE=Release "$@" || {
    rm -f "$build/CMakeCache.txt"  # the next start looks for everything anew
    return 1
  }
}

# LINE: how many steps of how many the build has done, from Ninja's "[12/35] …" or make's "[ 34%] …", into `done` and `all`.
count_steps() {
  if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\] ]]; then done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  elif [[ $1 =~ ^\[\ *([0-9]+)%\] ]]; then done=${BASH_REMATCH[1]} all=100
  else return 1; fi
}

# The build's lines go to the log, the count to the user: in place on a terminal, elsewhere a line every quarter.
show_progress() {
  local line done all quarter=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$launch_log"
    count_steps "$line" || continue
    if [ -t 2 ]; then printf '\r\e[Kdoc2s: building %s of %s' $done $all >&2
    elif [ $((4 * done / all)) -gt $quarter ]; then quarter=$((4 * done / all)) && say "building $done of $all"; fi
  done
  if [ -t 2 ]; then printf '\r\e[K' >&2; fi
}

# What the build will take, where the caller knows the minutes of one processor, `work`, that it takes from nothing.
estimate() {
  local cores minutes
  cores=$(nproc)
  minutes=$(((${work:-0} + cores - 1) / cores))
  if [ -e "$(stamp built)" ] || [ -e "$(stamp was)" ]; then echo "what has changed"
  elif [ "$minutes" = 0 ]; then echo "on $cores cores"
  else echo "on $cores cores, which takes about $minutes min"; fi
}

install_and_build() {
  local name=$1 features=$2 missing="" apt=no
  : >"$launch_log"
  [ -z "${foreword:-}" ] || say "$foreword"
  if have apt-get && have dpkg-query && ! unpacked_elsewhere; then apt=yes; fi
  if [ $apt = yes ]; then missing=$(missing_packages "$features"); else need_tools "$@"; fi
  [ -z "$missing" ] || install_packages $missing
  say "building $(estimate): $reason; the log is $launch_log"
  begin_stamps
  configure "$name" "${@:3}" || {
    [ $apt = yes ] || build_by_hand "$@"
    give_up "CMake could not configure the build"
  }
  cmake --build "$build" ${target:+--target "$target"} --parallel "$(nproc)" 2>&1 </dev/null | show_progress ||
    give_up "the build failed"
  end_stamps
}

announce_waiting() { say "waiting for another launcher's build"; }

# NAME FEATURES OPTION…: afterwards build/NAME is built, with these CMake options, from the files as they are now. A caller
# may set `target` and its `product` where not all is wanted, a `level` with `more` options and whether it is `placed` (launch_stale.sh), and a `foreword`, `work` (see
# estimate) and what runs it `by_hand` for whoever has to wait or to build.
ensure_built() {
  local build=$project/build/$1 identity reason
  identity=$(build_identity "${@:3}")
  if up_to_date 2>/dev/null; then return; fi
  mkdir -p "$project/build"
  (
    if have flock; then flock -n 9 || { announce_waiting && flock 9; }; fi
    if up_to_date 2>/dev/null; then exit 0; fi
    reason=$(why)
    if [ -e "$build/.identity" ] && { [ "$(content "$build/.identity")" != "$identity" ] || ! in_place; }; then rm -rf "$build"; fi
    mkdir -p "$build"
    echo "$identity" >"$build/.identity"
    echo "$project" >"$build/.place"
    install_and_build "$@" ${more:-}
  ) 9>"$project/build/launch.lock"
}

# The program of every day; its build, in which the fast tests have theirs.
build_release() { target=doc2s_program work=4 ensure_built release core -DDOC2S_NATIVE=ON -DDOC2S_UNITY=ON; }

# FEATURE: its packages, where they can be had without asking anybody; nothing fails where they cannot.
offer_packages() {
  local missing as_root
  have apt-get && have dpkg-query || return 0
  missing=$(missing_packages "$1")
  [ -n "$missing" ] && as_root=$(root_words_unasked) || return 0
  say "installing $missing"
  logged $as_root DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends $missing || true
}

# The data beside the checkout serves where the user names none.
use_shared_data() {
  if [ -z "${DOC2S_DATA+set}" ] && [ -d "$project/../shared/data" ]; then export DOC2S_DATA=$project/../shared/data; fi
}
