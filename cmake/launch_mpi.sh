# SPDX-License-Identifier: Apache-2.0
# ./doc2s mpi N [--restarts K] [mpirun's options] run CONFIG… or python SCRIPT…, and ./doc2s where mpirun or srun starts it. Needs
# launch.sh.
source "$project/cmake/launch_restarts.sh"
refuse() { say "$@" && exit 2; }

rank_by_environment() { echo "${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-}}}"; }
started_by_mpi() { [ -n "${OMPI_COMM_WORLD_SIZE:-}$(rank_by_environment)" ]; }

build_for_mpi() { work=4 ensure_built mpi "core mpi" -DDOC2S_MPI=ON -DDOC2S_NATIVE=ON -DDOC2S_UNITY=ON; }

# NAME COMMAND…: what builds build/NAME, as one process of a job. Where machines differ, each would throw away the build of the others.
build_as_one_of_many() {
  local name=$1 identity=$project/build/$1/.identity && shift
  if [ -e "$identity" ] && [ "$(processor)" != "$(tail -n +2 "$identity")" ]; then
    fail "build/$name was built for another processor than that of $(uname -n); build once for all machines, as docs/cluster.md says"
  fi
  [ "$(rank_by_environment)" = 0 ] || announce_waiting() { :; }
  "$@"
}

# The words of mpirun that the user gave, into `options`, and those of doc2s, into `command`.
split_words() {
  local usage="./doc2s mpi N [--restarts K] [mpirun's options] run CONFIG.toml, or python SCRIPT.py"
  [ $# -gt 0 ] || refuse "mpi needs the number of processes: $usage"
  [[ $1 =~ ^[1-9][0-9]{0,5}$ ]] || refuse "\"$1\" is no number of processes, which is a whole number from 1: $usage"
  processes=$1 && shift
  options=() restarts=0
  while [ $# -gt 0 ] && [ "$1" != run ] && [ "$1" != python ]; do
    case $1 in
      --restarts) [ $# -gt 1 ] || refuse "--restarts needs a number: $usage" && restarts=$2 && shift ;;
      --restarts=*) restarts=${1#*=} ;;
      *) options+=("$1") ;;
    esac
    shift
  done
  [[ $restarts =~ ^[0-9]{1,6}$ ]] || refuse "\"$restarts\" is no number of restarts: $usage"
  [ $# -gt 0 ] || refuse "only run and python work with mpi: $usage"
  command=("$@") kind=$1
  if [ "$restarts" != 0 ]; then check_can_go_on && notice_lost_hosts; fi
}

given() {  # WORD…: is one of them, or the start of one with = after it, among the options?
  local option word
  for option in "${options[@]}"; do
    for word; do
      if [[ $option == "-$word" || $option == "--$word" || $option == "--$word="* ]]; then return 0; fi
    done
  done
  return 1
}

# Told by the user, or by a batch system.
hosts_are_given() {
  [ -n "${SLURM_JOB_ID:-}${PBS_NODEFILE:-}${LSB_HOSTS:-}${PE_HOSTFILE:-}" ] ||
    given H host hostfile machinefile default-hostfile rankfile
}

# Open MPI's mpirun needs to be told that root is meant, and that a small machine may have more processes than cores. It
# would tie a process with all its threads to one core. Its own words after a failure say less than ours, but where other
# machines take part they are needed.
add_options() {
  [[ $("$mpirun" --version 2>/dev/null) == *"Open MPI"* ]] || return 0
  [ "$(id -u)" != 0 ] || options+=(--allow-run-as-root)
  given bind-to map-by cpu-set cpu-list rankfile || options+=(--bind-to none)
  if ! hosts_are_given; then options+=(--oversubscribe --quiet); fi
}

# A signal to mpirun itself leaves its processes a second to live. SIGUSR1 it only passes on, and they end well.
interrupt() {
  if [ "$interrupted" = no ]; then kill -USR1 "$job"; else kill -TERM "$job"; fi 2>/dev/null || true
  interrupted=yes
}

run_job() {
  local code=0
  export EVENT_NOEPOLL=1  # with epoll, libevent now and then has warnings to print when mpirun ends a job
  set -m  # a group of its own: Ctrl-C reaches us alone
  "$mpirun" "$@" </dev/null &
  job=$!
  set +m
  trap interrupt INT TERM HUP
  wait "$job" || code=$?
  while kill -0 "$job" 2>/dev/null; do code=0 && wait "$job" || code=$?; done
  return $code
}

# What each process starts, into `command`, built.
prepare_command() {
  if [ "${command[0]}" = python ]; then
    build_python
    python_words
    command=(env "${words[@]}" "${command[@]:1}")
  else
    build_for_mpi
    command=("$project/build/mpi/doc2s" "${command[@]}")
  fi
}

run_with_mpi() {
  local processes restarts options command kind words mpirun job interrupted=no code=0
  split_words "$@"
  prepare_command
  mpirun=$(command -v mpirun || command -v mpiexec) ||
    fail "there is no mpirun on this machine; Debian's package openmpi-bin brings it, on a cluster often \`module load openmpi\`"
  add_options
  run_job -n "$processes" "${options[@]}" "${command[@]}" || code=$?
  start_again
  if [ $interrupted = yes ] && [ $code -gt 128 ]; then exit 130; fi
  if [ $code -gt 128 ] && [ $code != 130 ] && ! hosts_are_given; then
    say "the job has ended because a process of it was ended by signal $((code - 128))"
  fi
  exit $code
}
