#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The launchers against stubs of cmake, ctest, apt-get, dpkg-query, id and sudo on a private PATH: no real build.
set -euo pipefail
source_tree=$(dirname "$(readlink -f "$0")")/..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
project="$work/a project"
bin=$work/bin
export STUB_CALLS=$work/calls
failures=0

# --- the stage ---
tools="bash sh env readlink dirname cat tail head touch mv rm mkdir find grep flock nproc chmod printf sleep uname date sort xargs cksum cut ls wc"

stub() { printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }

set_stage() {  # as root on Debian, every package installed, nothing built
  rm -rf "$project" "$bin" && mkdir -p "$project" "$bin"
  cp -R "$source_tree"/{doc2s,test,.ci,cmake,packages.txt,CMakeLists.txt} "$project"
  mkdir -p "$project"/{src,include,app,bench,tests,fuzz,python,examples,configs/reproduce,lab}
  touch "$project/lab/figures.py"
  echo 'int one;' >"$project/src/one.cpp" && echo 'int two;' >"$project/src/two.cpp"
  for tool in $tools; do ln -s "$(type -P $tool)" "$bin/$tool"; done
  for tool in ninja g++; do stub $tool 'exit 0'; done
  stub id 'echo ${STUB_UID:-0}'
  stub dpkg-query 'for last; do :; done; case " ${STUB_LACKS:-} " in *" $last "*) exit 1 ;; esac; printf " installed "'
  stub apt-get 'echo "apt-get $* [$DEBIAN_FRONTEND]" >>"$STUB_CALLS"; echo "E: no such luck"; exit ${STUB_APT:-0}'
  stub ctest 'echo "ctest data=${DOC2S_DATA-} $*" >>"$STUB_CALLS"; exit ${STUB_EXIT:-0}'
  stub cmake '
    echo "cmake $*" >>"$STUB_CALLS"
    if [ "$1" = --build ]; then
      until [ -e "${STUB_AWAITS:-/}" ]; do sleep 0.01; done; sleep ${STUB_SLEEP:-0}; [ -z "${STUB_EDIT:-}" ] || echo "// an edit" >>"$STUB_EDIT"
      if [ -n "${STUB_MAKE:-}" ]; then form="[%3d%%] one\n"; else form="[%d/100] one\n"; fi
      for step in {1..100}; do printf "$form" $step; done
      echo "one.cpp:1: error: a stub of an error"; [ -z "${STUB_BUILD_FAILS:-}" ] || exit 1
      product=doc2s
      case "$*" in
        *"--target doc2s_torch"*) product=libdoc2s_torch.so ;;
        *"--target doc2s_python"*) product=python/doc2s/_core.stub.so && mkdir -p "$2/python/doc2s" ;;
        *"--target fast_tests"*) product="doc2s tests/unit_tests" && mkdir -p "$2/tests" ;;
      esac
      for product in $product; do cat "$(type -P program)" >"$2/$product" && chmod +x "$2/$product"; done
    else
      echo "These libraries are missing: fmt"; [ -z "${STUB_CONFIGURE_FAILS:-}" ] || exit 1
    fi'
  stub mpirun '
    if [ "$1" = --version ]; then echo "mpirun (${STUB_MPI:-Open MPI}) 4.1.4" && exit; fi
    echo "mpirun $*" >>"$STUB_CALLS"; while read -r line; do echo "stdin: $line"; done
    sleep ${STUB_SLEEP_MPI:-0}; exit ${STUB_EXIT:-0}'
  stub program 'printf "<%s>" "$@"; echo " in $PWD${DOC2S_DATA:+, data=$DOC2S_DATA}"; exit ${STUB_EXIT:-0}'
}

kept_out=(-u DOC2S_DATA -u PYTHONPATH -u DEBIAN_FRONTEND -u CMAKE_PREFIX_PATH -u SLURM_JOB_ID -u OMPI_COMM_WORLD_SIZE -u PMIX_RANK -u PMI_RANK)
start() {  # [NAME=value…] LAUNCHER WORDS…: leaves status, out, err and calls
  : >"$STUB_CALLS"
  status=0
  env "${kept_out[@]}" PATH="$bin" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  out=$(cat "$work/out") err=$(cat "$work/err") calls=$(cat "$STUB_CALLS")
}

check() {  # WHAT CONDITION…
  if ! "${@:2}"; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  status %s\n  out: %s\n  err: %s\n  calls: %s\n' "$1" "$status" "$out" "$err" "$calls"
  fi
}
is() { [ "$1" = "$2" ]; }
has() { [[ $1 == *"$2"* ]]; }
lacks() { ! has "$@"; }
no() { [ -z "$1" ]; }
lines_with() { grep -c -- "$1" "$STUB_CALLS" || true; }

# --- ./doc2s ---
starts_and_starts_again() {
  set_stage && cd "$work"
  start STUB_EXIT=7 "$project/doc2s" run 'two words' '' '*'
  check "first start configures for this machine" has "$calls" "-DDOC2S_NATIVE=ON"
  check "first start builds" has "$calls" "cmake --build $project/build/release"
  check "first start says so" has "$err" "building"
  check "nothing is installed" lacks "$calls" "apt-get"
  check "words arrive unharmed, in the user's folder" is "$out" "<run><two words><><*> in $work"
  check "the program's exit code is passed on" is "$status" 7
  rm "$project/build/launch.lock"
  start "$project/doc2s" --version
  check "second start calls nothing" no "$calls"
  check "second start says nothing" no "$err"
  check "second start takes no lock, so a read-only project serves" [ ! -e "$project/build/launch.lock" ]
  check "second start runs the program" is "$out$status" "<--version> in $work"0
  ln -s "$project/doc2s" "$bin/linked"
  start linked x
  check "a symlink on the PATH works" is "$out$calls" "<x> in $work"
}

# WHAT REASON: what was done in the project makes ./doc2s build, once, and it says why.
builds_once() {
  start "$project/doc2s"
  check "after $1 it builds" has "$calls" "cmake --build"
  check "and says that $2" has "$err" "building what has changed: $2; the log"
  start "$project/doc2s"
  check "and only once after $1" no "$calls$err"
}

builds_again_when_needed() {
  set_stage && start "$project/doc2s"
  check "the first build is called so" has "$err" "min: the first build; the log"
  cd "$project" && sleep 0.02
  echo '// an edit' >>src/one.cpp && builds_once "an edit" "src/one.cpp has changed"
  rm src/two.cpp && builds_once "a file that went" "src/two.cpp is gone"
  touch include/new.hpp && builds_once "a new file" "include/new.hpp has changed"
  echo '# an edit' >>packages.txt && echo >>CMakeLists.txt && echo >"app/a new.cpp" && touch -d tomorrow app/*
  builds_once "three edits" "3 files have changed, the newest is app/a new.cpp"
  rm build/release/doc2s && builds_once "a lost program" "the last build came to no end, or a part of it is gone"
  touch src/one.cpp
  start "$project/doc2s"
  check "a file that is newer but the same is not built" no "$calls$err"
  echo '// an edit' >>src/one.cpp
  start STUB_SLEEP=0.05 STUB_EDIT="$project/src/one.cpp" "$project/doc2s"
  start "$project/doc2s"
  check "a file changed during the build is built at the next start" has "$calls" "cmake --build"
}

builds_anew_when_it_must() {
  set_stage && start "$project/doc2s"
  local old
  old=$(cat "$project/build/release/.identity")
  echo "-DOTHER=1${old#-DDOC2S_NATIVE=ON}" >"$project/build/release/.identity"
  start "$project/doc2s"
  check "other options are told" has "$err" "min: other options; the log"
  printf '%s\n%s\n' "${old%%$'\n'*}" "flags : of another" >"$project/build/release/.identity"
  start "$project/doc2s"
  check "another processor is told" has "$err" "min: another processor; the log"
  start STUB_BUILD_FAILS=1 "$project/test"
  start "$project/doc2s"
  check "after a build that failed all is built" has "$calls" "cmake --build"
}

serves_where_it_is_moved() {
  set_stage && cd "$work" && start "$project/doc2s"
  local moved="$work/another place" copy=$work/copy
  rm -rf "$moved" "$copy" && mv "$project" "$moved" && cp -R "$moved" "$copy"
  start "$moved/doc2s" x
  check "a moved checkout keeps its build" is "$out$calls$err" "<x> in $PWD"
  start "$copy/doc2s" x
  check "so does a copied one, whose files are all new" is "$out$calls$err" "<x> in $PWD"
  sleep 0.02 && echo '// an edit' >>"$moved/src/one.cpp"
  echo 'of the old place' >"$moved/build/release/CMakeCache.txt"
  start "$moved/doc2s"
  check "an edit there is built anew" has "$calls" "-G Ninja"
  check "and it says why" has "$err" "min: the checkout was moved or copied from $project, and CMake's files hold that name; the log"
  check "and how far it is" has "$err" "building 50 of 100"
  start "$copy/test"
  check "the tests, too, which CMake's files name" has "$err" "moved or copied from $project"
}

shows_a_failed_build() {
  set_stage
  start STUB_BUILD_FAILS=1 "$project/doc2s"
  check "a failed build exits 1" is "$status" 1
  check "a failed build shows the error" has "$err" "a stub of an error"
  check "a failed build names the log" has "$err" "$project/build/launch.log"
  start "$project/doc2s"
  check "the next start tries again" has "$calls" "cmake --build"
}

shows_progress() {
  local maker
  for maker in STUB_MAKE= STUB_MAKE=1; do
    set_stage
    start $maker "$project/doc2s"
    check "$maker: how long it takes" has "$err" "which takes about $(((3 + $(nproc)) / $(nproc))) min"
    check "$maker: a line every quarter" is "$(grep ' of 100' <<<"$err")" "$(printf 'doc2s: building %s of 100\n' 25 50 75 100)"
    check "$maker: the log has all steps" is "$(grep -c '] one' "$project/build/launch.log")" 100
    sleep 0.02 && echo '// an edit' >>"$project/src/one.cpp"
    start $maker "$project/doc2s"
    check "$maker: no estimate for a small change" lacks "$err" "min"
  done
  set_stage
  err=$(script -qec "env PATH='$bin' '$project/doc2s' 2>&1" /dev/null)
  check "on a terminal the count stays on its line" has "$err" $'\r\e[Kdoc2s: building 99 of 100\r\e[Kdoc2s: building 100 of 100\r\e[K'
}

wait_for() { until grep -qe "$1" "$2" 2>/dev/null; do sleep 0.01; done; }

lets_one_launcher_build() {
  set_stage && : >"$STUB_CALLS"
  local first second
  PATH=$bin STUB_AWAITS=$work/go "$project/doc2s" a >"$work/first" 2>&1 & first=$!
  wait_for --build "$STUB_CALLS"
  : >"$work/err" && PATH=$bin "$project/doc2s" b >"$work/out" 2>"$work/err" & second=$!
  wait_for waiting "$work/err"  # or for ever, and ctest ends it
  touch "$work/go"
  status=0 && wait $first && wait $second || status=$?
  out=$(cat "$work/first" "$work/out") err=$(cat "$work/err") calls=$(cat "$STUB_CALLS")
  check "both run" is "$status$(has "$out" "<a>" && has "$out" "<b>" && echo yes)" 0yes
  check "one build" is "$(lines_with --build)" 1
}

# --- ./doc2s mpi ---
runs_with_mpi() {
  set_stage && cd "$work"
  start STUB_EXIT=3 "$project/doc2s" mpi 16 run 'a config' --set x=run ''
  check "mpi builds for it" has "$calls" "-DDOC2S_MPI=ON -DDOC2S_NATIVE=ON"
  check "mpi has its own build" has "$calls" "cmake --build $project/build/mpi"
  check "mpirun gets what root and a small machine need" has "$calls" \
    "mpirun -n 16 --allow-run-as-root --bind-to none --oversubscribe --quiet $project/build/mpi/doc2s run a config --set x=run"
  check "mpirun's exit code is passed on" is "$status" 3
  check "and nothing is said of it" lacks "$err" "signal"
  start STUB_UID=1000 "$project/doc2s" mpi 2 --hostfile 'my hosts' --bind-to core run c.toml
  check "mpirun's options pass through, and with hosts nothing is oversubscribed or hushed" has "$calls" \
    "mpirun -n 2 --hostfile my hosts --bind-to core $project/build/mpi/doc2s run c.toml"
  check "a second start builds nothing" lacks "$calls" "cmake"
  start SLURM_JOB_ID=7 "$project/doc2s" mpi 2 run c.toml
  check "a batch system knows the hosts" lacks "$calls" "--oversubscribe"
  start STUB_MPI=HYDRA "$project/doc2s" mpi 2 run c.toml
  check "another mpirun gets no options of Open MPI" has "$calls" "mpirun -n 2 $project/build/mpi/doc2s run c.toml"
  start STUB_EXIT=137 "$project/doc2s" mpi 2 run c.toml
  check "a killed process is told" is "$status$(has "$err" "ended by signal 9" && echo yes)" 137yes
}

starts_again_after_a_death() {
  set_stage && cd "$work"
  stub mpirun '
    if [ "$1" = --version ]; then echo "Open MPI" && exit; fi
    echo "mpirun $*" >>"$STUB_CALLS"; count=$(grep -c ^mpirun "$STUB_CALLS")
    codes=($STUB_CODES); exit ${codes[count - 1]}'
  start STUB_CODES="137 139 0" "$project/doc2s" mpi 4 --restarts 5 run c.toml --out runs/x --force
  check "after two deaths it comes to its end" is "$status$(lines_with ^mpirun)" 03
  check "each is told, and counted" has "$err" "ended by signal 9; starting again from the newest checkpoint (restart 1 of 5)"
  check "with its signal" has "$err" "signal 11; starting again from the newest checkpoint (restart 2 of 5)"
  check "it goes on where it was" is "$(grep -c -- '--out runs/x --force --continue$' "$STUB_CALLS")" 2
  check "mpirun does not hear of restarts" lacks "$calls" "restarts"
  start STUB_CODES="205 0" "$project/doc2s" mpi 4 --restarts 1 run c.toml --out runs/x
  check "a lost host is told as such" is "$status$(has "$err" "a host of the job was lost; starting again" && echo yes)" 0yes
  start STUB_CODES="137 137 137" "$project/doc2s" mpi 4 --restarts=2 run --resume runs/x
  check "it gives up in the end" is "$status$(lines_with ^mpirun)" 1373
  check "a run that is resumed is resumed" is "$(grep -c -- 'run --resume runs/x$' "$STUB_CALLS")" 3
  start STUB_CODES="137 0" "$project/doc2s" mpi 4 --restarts 1 python mine.py --out x
  check "a script starts again as it was" is "$(grep -c -- 'mine.py --out x$' "$STUB_CALLS")" 2
  local code
  for code in 0 1 2 3 130 143 129; do
    start STUB_CODES="$code" "$project/doc2s" mpi 4 --restarts 5 run c.toml --out runs/x
    check "exit $code is not mended by a restart" is "$status$(lines_with ^mpirun)" "${code}1"
  done
  start STUB_CODES="137" "$project/doc2s" mpi 4 run c.toml --out runs/x
  check "without the option there is none" is "$status$(lines_with ^mpirun)" 1371
  start "$project/doc2s" mpi 4 --restarts 5 run c.toml
  check "a run without a known place" is "$status$(has "$err" "add --out DIR" && echo yes)" 2yes
  start "$project/doc2s" mpi 4 --restarts many run c.toml --out x
  check "no number" is "$status$(has "$err" '"many" is no number of restarts' && echo yes)" 2yes
}

goes_on_without_silent_hosts() {
  set_stage && cd "$work"
  stub mpirun '
    if [ "$1" = --version ]; then echo "Open MPI" && exit; fi
    echo "mpirun $*" >>"$STUB_CALLS"; while [ "$1" != --hostfile ]; do shift; done; cat "$2" >>"$STUB_CALLS"
    [ $(grep -c ^mpirun "$STUB_CALLS") -gt 1 ] || exit 137'
  stub ssh '[ "${*: -2:1}" != b ]'
  ln -s "$(type -P mktemp)" "$bin/mktemp"
  printf '%s\n' 'a slots=2' 'b slots=4 # gone' '' 'c slots=3' >"$work/hosts"
  start "$project/doc2s" mpi 9 --restarts 1 --hostfile hosts run c.toml --out runs/x
  check "a host that does not answer is left out" has "${calls#*mpirun*mpirun}" $'\na slots=2\nc slots=3'
  check "and its processes too" has "${calls#*mpirun}" "mpirun -n 5 --hostfile"
  check "which is told" is "$status$(has "$err" "b does not answer; going on without it" && echo yes)" 0yes
}

refuses_mpi_mistakes() {
  set_stage
  local words
  for words in "" "0 run c" "two run c" "-n 4 run c" "1.5 run c"; do
    start "$project/doc2s" mpi $words
    check "mpi $words: exits 2" is "$status" 2
    check "mpi $words: one sentence, with the usage" has "$err" "./doc2s mpi N [--restarts K] [mpirun's options] run CONFIG.toml"
    check "mpi $words: nothing is built" no "$calls"
  done
  for words in "4" "4 sweep c" "4 --hostfile hosts c.toml"; do
    start "$project/doc2s" mpi $words
    check "mpi $words: only run works" is "$status$(has "$err" "only run and python work with mpi" && echo yes)" 2yes
  done
  rm "$bin/mpirun"
  start "$project/doc2s" mpi 4 run c
  check "no mpirun: says so" is "$status$(has "$err" "there is no mpirun" && echo yes)" 1yes
}

ends_a_job_well() {  # Ctrl-C, or kill: mpirun gets the signal that it passes on
  set_stage && start "$project/doc2s" mpi 1 run c
  stub mpirun '
    if [ "$1" = --version ]; then echo "Open MPI" && exit; fi
    trap "echo usr1 >>$STUB_CALLS; exit 130" USR1
    trap "echo killed >>$STUB_CALLS; exit 1" INT TERM
    echo started >>"$STUB_CALLS"; for ((k = 0; k < 100; ++k)); do sleep 0.1; done'
  local signal launcher
  for signal in INT TERM; do
    : >"$STUB_CALLS"
    set -m  # else a background job would not hear SIGINT
    env "${kept_out[@]}" PATH="$bin" "$project/doc2s" mpi 2 run c >"$work/out" 2>"$work/err" & launcher=$!
    set +m
    for ((k = 0; k < 200; ++k)); do ! grep -q started "$STUB_CALLS" || break; sleep 0.05; done
    kill -$signal $launcher
    status=0 && wait $launcher || status=$?
    out=$(cat "$work/out") err=$(cat "$work/err") calls=$(cat "$STUB_CALLS")
    check "SIG$signal is passed on as SIGUSR1" is "$calls" "started"$'\n'"usr1"
    check "SIG$signal: the exit code is the ranks'" is "$status$err" 130
  done
}

serves_mpirun() {  # mpirun ./doc2s …
  set_stage && cd "$work"
  local variable
  for variable in OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=3 PMI_RANK=0; do
    start $variable "$project/doc2s" run c.toml
    check "$variable: the mpi build runs" is "$out" "<run><c.toml> in $work"
    check "$variable: nothing else was built" [ ! -e "$project/build/release" ]
  done
  sleep 0.02 && echo '// an edit' >>"$project/src/one.cpp" && : >"$STUB_CALLS"
  local rank
  for rank in 0 1 2 3; do
    env "${kept_out[@]}" PATH="$bin" STUB_SLEEP=0.5 PMIX_RANK=$rank "$project/doc2s" r$rank >"$work/out$rank" 2>"$work/err$rank" &
  done
  wait
  out=$(cat "$work"/out?) err=$(cat "$work"/err?) calls=$(cat "$STUB_CALLS")
  check "of four launchers one builds" is "$(lines_with --build)" 1
  check "all four run" is "$(grep -c '<r.>' <<<"$out")" 4
  check "at most the first says that it waits" is "$(grep -c waiting "$work"/err[123] | grep -vc ':0' || true)" 0
  printf '%s\n%s\n' "-DOTHER=1" "flags : of another" >"$project/build/mpi/.identity"
  start PMIX_RANK=1 "$project/doc2s" run c.toml
  check "a machine of another kind is told of" is "$status$(has "$err" "another processor" && echo yes)" 1yes
  check "and leaves the build alone" no "$calls"
}

# --- libtorch, when a problem needs it ---
gets_torch_when_asked() {
  set_stage && cd "$work"
  local words config="$work/a config.toml"
  printf '# not "resnet18"\n[problem]\nname = "mlp"\n' >"$config"
  for words in "run|$config" "explain|resnet18" "list|problems" "run|none.toml|--set|problem.data=resnet18.bin"; do
    IFS='|' read -ra words <<<"$words"
    start "$project/doc2s" "${words[@]}"
    check "${words[*]}: no libtorch" lacks "$calls$err" torch
  done
  printf "[problem]\n  name='torchscript' # mine\n" >"$config"
  start STUB_LACKS="libtorch-dev python3-matplotlib" "$project/doc2s" run "$config"
  check "a config that needs it installs libtorch" has "$calls" "--no-install-recommends libtorch-dev [noninteractive]"
  check "and builds it alone" has "$calls" "cmake --build $project/build/torch --target doc2s_torch"
  check "and says that it takes a while" has "$err" "needs libtorch; to install and build that takes a few minutes"
  check "and runs the program of every day" is "$out" "<run><$config> in $work"
  start "$project/doc2s" mpi 2 run "$config"
  check "the second start builds no libtorch, also with mpi" lacks "$calls$err" torch
  check "with mpi the job runs" has "$calls" "mpirun -n 2"
  for words in "--set|problem.name=resnet18" "--over|problem.name=mlp,resnet18" '--set|problem.name="resnet18"'; do
    set_stage && cd "$work"
    IFS='|' read -ra words <<<"$words"
    start "$project/doc2s" run c.toml "${words[@]}"
    check "${words[*]} builds libtorch" has "$calls" "--target doc2s_torch"
  done
  set_stage && mkdir -p "$work/a run" && echo 'name = "resnet18"' >"$work/a run/config.toml"
  start "$project/doc2s" certify "$work/a run"
  check "a run's directory that needs it, too" has "$calls" "--target doc2s_torch"
}

gets_torch_for_figures() {
  local words
  for words in "all" "first-bytes-cifar10" "zeroth-samples" "first"; do
    set_stage && cd "$work"
    start STUB_LACKS="python3-matplotlib" "$project/doc2s" reproduce $words --jobs 2
    check "reproduce $words builds libtorch" has "$calls" "--target doc2s_torch"
    check "and gets matplotlib" has "$calls" "python3-matplotlib"
  done
  for words in "--list" "first-samples-a9a" "zeroth-fashion-mnist" "ablation-gap" "all --scale smoke"; do
    start "$project/doc2s" reproduce $words
    check "reproduce $words needs no libtorch" lacks "$calls$err" torch
  done
  set_stage
  start STUB_LACKS="libtorch-dev" STUB_APT=100 "$project/doc2s" reproduce all
  check "without libtorch the rest is made" has "$out" "<reproduce><all>"
  check "and it is told" has "$err" "going on without libtorch"
}

gets_torch_for_the_bench() {
  local words
  for words in "" "--quick --json b.json" "gossip" "torch --list"; do
    set_stage && cd "$work"
    start "$project/doc2s" bench $words
    check "bench $words needs no libtorch" lacks "$calls$err" torch
  done
  for words in "torch" "gossip torch --quick"; do
    set_stage && cd "$work"
    start "$project/doc2s" bench $words
    check "bench $words builds libtorch" has "$calls" "--target doc2s_torch"
  done
  sleep 0.02 && echo '// an edit' >>"$project/src/one.cpp"
  start "$project/doc2s" bench
  check "all tasks build it where it was built before" has "$calls" "--target doc2s_torch"
  set_stage
  start STUB_LACKS="libtorch-dev" STUB_APT=100 "$project/doc2s" bench torch
  check "without libtorch the bench starts" has "$out" "<bench><torch>"
  check "and it is told" has "$err" "going on without libtorch"
}

gets_python_for_data() {
  set_stage && cd "$work"
  start STUB_LACKS="python3" "$project/doc2s" data get mnist
  check "data get gets python3" has "$calls" "install -y --no-install-recommends python3 [noninteractive]"
  check "and starts" has "$out" "<data><get><mnist>"
}

# --- ./doc2s python: the interpreter is the real one ---
script='import os, sys; print(sys.argv, os.environ["PYTHONPATH"]); sys.exit(5)'

runs_python() {
  set_stage && cd "$work"
  local package="$project/build/python/python"
  echo "$script" >"$work/a script.py"
  start "$project/doc2s" python "$work/a script.py" 'two words' ''
  check "python builds the module, for many processes too" has "$calls" "-DDOC2S_PYTHON=ON -DDOC2S_MPI=ON -DDOC2S_NATIVE=ON"
  check "python builds nothing else" is "$(grep -- --build "$STUB_CALLS")" \
    "cmake --build $project/build/python --target doc2s_python --parallel $(nproc)"
  check "arguments and the package arrive" is "$out" "['$work/a script.py', 'two words', ''] $package"
  check "the script's exit code is passed on" is "$status" 5
  start PYTHONPATH=/mine "$project/doc2s" python -c "$script"
  check "a second start calls nothing" no "$calls$err"
  check "the user's own packages stay" is "$out" "['-c'] $package:/mine"
  check "no script: what is typed is run" is "$(PATH=$bin "$project/doc2s" python <<<'print(6 * 7)')" 42
  local change
  for change in "touch python/new.cpp" "mv src/one.cpp src/a.cpp" "rm build/python/python/doc2s/_core.stub.so"; do
    (cd "$project" && sleep 0.05 && $change)
    start "$project/doc2s" python -c ''
    check "after $change it builds" has "$calls" "cmake --build $project/build/python"
  done
  start "$project/doc2s"
  sleep 0.02 && touch "$project/python/newer.cpp"
  start "$project/doc2s"
  check "the program does not wait for python/" no "$calls"
}

gets_packages_for_python() {
  set_stage && cd "$work"
  start STUB_LACKS="pybind11-dev openmpi-bin libtorch-dev python3-pandas python3-pytest" "$project/doc2s" python -c ''
  check "what it needs is installed" has "$calls" "--no-install-recommends openmpi-bin pybind11-dev [noninteractive]"
  check "and after it what it can do without" has "${calls##*--build}" "--no-install-recommends python3-pandas [noninteractive]"
  start STUB_LACKS="python3-pandas" "$project/doc2s" python -c ''
  check "that is offered once" no "$calls"
  set_stage
  start STUB_LACKS="python3-pandas" STUB_APT=100 "$project/doc2s" python -c 'print(1)'
  check "and not missed" is "$status$out" 01
  echo 'doc2s.run({"problem": {"name": "resnet18"}})' >"$work/net.py"
  start "$project/doc2s" python "$work/net.py"
  check "a script that names such a problem gets libtorch" has "$calls" "--target doc2s_torch"
}

runs_python_with_mpi() {
  set_stage && cd "$work"
  start STUB_EXIT=3 "$project/doc2s" mpi 4 --bind-to core python 'a script.py' run
  check "mpi python has the build of python" has "$calls" "cmake --build $project/build/python --target doc2s_python"
  check "and needs no other" [ ! -e "$project/build/mpi" ]
  check "mpirun starts Python with the package" has "$calls" "mpirun -n 4 --bind-to core --allow-run-as-root --oversubscribe --quiet \
env PYTHONPATH=$project/build/python/python /usr/bin/python3 a script.py run"
  check "mpirun's exit code is passed on" is "$status" 3
  sleep 0.05 && touch "$project/python/one.cpp" && : >"$STUB_CALLS"
  local rank
  for rank in 0 1 2 3; do
    env "${kept_out[@]}" PATH="$bin" STUB_SLEEP=0.5 PMIX_RANK=$rank "$project/doc2s" python -c "print('r$rank')" >"$work/out$rank" 2>"$work/err$rank" &
  done
  wait
  out=$(cat "$work"/out?) err=$(cat "$work"/err?) calls=$(cat "$STUB_CALLS")
  check "of four launchers one builds" is "$(lines_with --build)" 1
  check "all four run" is "$out" r0$'\n'r1$'\n'r2$'\n'r3
  printf '%s\n%s\n' "-DOTHER=1" "flags : of another" >"$project/build/python/.identity"
  start PMIX_RANK=1 "$project/doc2s" python -c ''
  check "a machine of another kind is told of" is "$status$(has "$err" "build/python was built for another" && echo yes)" 1yes
}

# --- ./doc2s docs: the server is the real interpreter's ---
makes_the_docs() {
  set_stage && cd "$work"
  mkdir -p "$project/docs/site" && echo 'import sys; print("served", sys.argv[1:])' >"$project/docs/site/serve.py"
  local words
  stub mkdocs 'echo "mkdocs $* of $PWD by $DOC2S_PROGRAM" >>"$STUB_CALLS"; exit ${STUB_MKDOCS:-0}'
  start STUB_LACKS="mkdocs-material python3-pandas" "$project/doc2s" docs
  check "docs builds the program, which knows the keys" has "$calls" "cmake --build $project/build/release"
  check "docs installs what it needs, and only that" has "$calls" "--no-install-recommends mkdocs-material [noninteractive]"
  check "docs makes the site" has "$calls" "mkdocs build --clean --site-dir $project/build/site of $project by $project/build/release/doc2s"
  check "and serves it" is "$status$out" "0served ['$project/build/site', '8000']"
  start "$project/doc2s" docs --port 8123
  check "at the port that was asked for" is "$out" "served ['$project/build/site', '8123']"
  start "$project/doc2s" docs --build 'a site'
  check "--build only builds, in the user's folder" is "$status$out$(has "$calls" "--site-dir $work/a site" && echo yes)" 0yes
  check "and says where" has "$err" "the site is $work/a site/index.html"
  start STUB_MKDOCS=1 "$project/doc2s" docs
  check "where mkdocs fails nothing is served" is "$status$out$(has "$err" "mkdocs failed" && echo yes)" 1yes
  mkdir "$work/mine" && touch "$work/mine/thesis.tex"
  for words in "--build mine" "--build" "--port x" "--port 70000" "--prot 1" "mine"; do
    start "$project/doc2s" docs $words
    check "docs $words: exits 2 and builds nothing" is "$status$calls" 2
  done
}

# --- packages ---
installs_what_is_missing() {
  set_stage
  start STUB_LACKS="g++ libfmt-dev libgtest-dev" "$project/doc2s"
  check "updates first" has "${calls%%install*}" "update [noninteractive]"
  check "installs the missing core packages" has "$calls" \
    "install -y --no-install-recommends g++ libfmt-dev [noninteractive]"
  check "says how many" has "$err" "installing 2 packages"
  start STUB_LACKS="openmpi-bin python3-matplotlib" "$project/doc2s" mpi 2 run c
  check "mpi installs its own packages too" has "$calls" "--no-install-recommends openmpi-bin [noninteractive]"
  set_stage
  start STUB_LACKS="g++" STUB_APT=100 "$project/doc2s"
  check "a failed installation exits 1 and shows why" is "$status$(has "$err" "no such luck" && echo yes)" 1yes
  check "a failed installation does not build" lacks "$calls" "cmake"
}

needs_root_to_install() {
  set_stage
  start STUB_UID=1000 STUB_LACKS="g++ libfmt-dev" "$project/doc2s"
  check "without root it exits 1" is "$status" 1
  check "without root it gives the command" has "$err" \
    "apt-get update && apt-get install -y --no-install-recommends g++ libfmt-dev"
  check "without root it says how to do without" has "$err" "packaging/unpack.sh"
  check "without root it calls nothing" no "$calls"
  start STUB_UID=1000 STUB_LACKS="openmpi-bin" "$project/doc2s" mpi 2 run c
  check "but not for what was not tried" lacks "$err" "packaging/unpack.sh"
  start STUB_UID=1000 STUB_LACKS="g++ libfmt-dev" CMAKE_PREFIX_PATH=/mine/usr STUB_CONFIGURE_FAILS=1 "$project/doc2s"
  check "where packages are unpacked, CMake says what is missing" is "$status$(has "$err" "missing: fmt" && echo yes)" 1yes
  check "and where it was looked for" has "$err" "CMAKE_PREFIX_PATH (/mine/usr) has not all"
  start STUB_UID=1000 STUB_LACKS="g++ libfmt-dev" CMAKE_PREFIX_PATH=/mine/usr "$project/doc2s"
  check "packages that are unpacked serve" is "$status" 0
  check "and nothing is installed" lacks "$calls" "apt-get"
  set_stage
  stub sudo '[ "$1" = -n ] || exit 1; shift; echo "sudo $*" >>"$STUB_CALLS"; "$@"'
  stub true ''
  start STUB_UID=1000 STUB_LACKS="g++" "$project/doc2s"
  check "sudo without a password serves" has "$calls" "apt-get -o DPkg::Lock::Timeout=600 install"
  check "and the program runs" is "$status" 0
}

explains_without_apt() {
  set_stage && rm "$bin"/{apt-get,cmake,g++}
  start "$project/doc2s"
  check "no apt, no tools: exits 1" is "$status" 1
  check "no apt: names the tools" has "$err" "missing: cmake a-C++20-compiler"
  check "no apt: lists the libraries" has "$err" "libarchive-dev"
  check "no apt: first command" has "$err" "cmake -B build/release"
  check "no apt: second command" has "$err" "cmake --build build/release"
  check "no apt: third command" has "$err" "build/release/doc2s"
  set_stage && rm "$bin/apt-get"
  start STUB_CONFIGURE_FAILS=1 "$project/doc2s"
  check "no apt, a library missing: CMake's message is shown" has "$err" "These libraries are missing: fmt"
  check "no apt, a library missing: how to build" is "$status$(has "$err" "cmake -B build/rel" && echo yes)" 1yes
  start "$project/doc2s"
  check "no apt, all there: builds and runs" is "$status" 0
}

# --- ./test ---
runs_the_fast_tests() {
  set_stage
  start STUB_EXIT=8 STUB_LACKS="libgtest-dev clang libtorch-dev python3-matplotlib" "$project/test"
  check "./test installs what the fast tests need" has "$calls" "--no-install-recommends python3-matplotlib libgtest-dev [noninteractive]"
  check "./test builds them beside the program" has "$calls" "cmake --build $project/build/release --target fast_tests"
  check "./test builds no more than that" lacks "$calls" "DOC2S_MPI"
  check "./test runs them" has "$calls" "--test-dir $project/build/release --output-on-failure --no-tests=error -j2 -L fast"
  check "./test passes ctest's exit code on" is "$status" 8
  start "$project/doc2s"
  check "the program is built with them" no "$calls$err"
  sleep 0.02 && echo '// an edit' >>"$project/src/one.cpp"
  start "$project/doc2s"
  check "./doc2s builds the program alone" has "$calls" "--target doc2s_program"
  start "$project/test" -R 'a b'
  check "and ./test the tests after it" has "$err" "building what has changed: src/one.cpp has changed"
  check "./test passes words to ctest" has "$calls" "-j2 -L fast -R a b"
  start "$project/test"
  check "a second ./test only runs ctest" is "$(lines_with .)" 1
  sleep 0.02 && touch "$project/tests/new.py" "$project/python/new.cpp"
  start "$project/doc2s"
  check "for a new tests/new.py ./doc2s builds nothing" no "$calls"
  start "$project/test"
  check "./test does" has "$err" "building what has changed: tests/new.py has changed"
  stub ctest 'echo "Total Tests: 0"; exit 8'
  start "$project/test" -R tidy
  check "where none fits it says what to type" is "$status$(has "$err" "none of the fast tests is meant by -R tidy; to look among all tests: ./test all -R tidy" && echo yes)" 2yes
}

tests_everything() {
  set_stage
  start STUB_EXIT=8 STUB_LACKS="libgtest-dev clang" "$project/test" all -R 'a b'
  check "./test all installs for every feature" has "$calls" "--no-install-recommends clang libgtest-dev"
  check "./test all builds all" has "$calls" \
    "-DDOC2S_TESTS=ALL -DDOC2S_MPI=ON -DDOC2S_TORCH=ON -DDOC2S_PYTHON=ON -DDOC2S_NATIVE=ON"
  check "./test all passes words to ctest" has "$calls" "--test-dir $project/build/test --output-on-failure --no-tests=error -j2 -R a b"
  check "./test all passes ctest's exit code on" is "$status" 8
  mkdir -p "$work/shared/data"
  start "$project/.ci/run"
  check ".ci/run is ./test all, with the shared data" has "$calls" "ctest data=$project/../shared/data --test-dir $project/build/test"
  check "and builds nothing where all is built" is "$(lines_with .)" 1
  start "$project/doc2s" reproduce --list
  check "./doc2s uses the data, too" has "$out" "data=$project/../shared/data"
  start DOC2S_DATA=mine "$project/test" all
  check "the user's own data goes first" has "$calls" "ctest data=mine"
  start "$project/test"
  start "$project/test" all
  check "neither ./test takes the other's build away" is "$(lines_with .)" 1
  sleep 0.02 && touch "$project/python/new.cpp"
  start "$project/test" all
  check "a new python/new.cpp is built" has "$calls" "cmake --build $project/build/test"
}

starts_and_starts_again
builds_again_when_needed
builds_anew_when_it_must
serves_where_it_is_moved
shows_a_failed_build
shows_progress
lets_one_launcher_build
installs_what_is_missing
needs_root_to_install
explains_without_apt
runs_with_mpi
starts_again_after_a_death
goes_on_without_silent_hosts
refuses_mpi_mistakes
ends_a_job_well
serves_mpirun
gets_torch_when_asked
gets_torch_for_figures
gets_torch_for_the_bench
gets_python_for_data
runs_python
gets_packages_for_python
runs_python_with_mpi
makes_the_docs
runs_the_fast_tests
tests_everything
echo "$failures checks failed"
[ $failures = 0 ]
