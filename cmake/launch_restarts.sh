# SPDX-License-Identifier: Apache-2.0
# ./doc2s mpi N --restarts K: a job of which a process or a host died is started again, and its run goes on from the newest checkpoint.
# Needs launch.sh and launch_mpi.sh, whose variables it goes by.

# Is this word, or a word that begins with it and =, among those of doc2s?
commanded() {
  local word
  for word in "${command[@]}"; do if [[ $word == "$1" || $word == "$1="* ]]; then return 0; fi; done
  return 1
}

# A host that lost its power closes no connection: mpirun asks whether it is still there, and else would wait five minutes and more.
notice_lost_hosts() {
  export OMPI_MCA_oob_tcp_keepalive_time=${OMPI_MCA_oob_tcp_keepalive_time:-10}
  export OMPI_MCA_oob_tcp_keepalive_intvl=${OMPI_MCA_oob_tcp_keepalive_intvl:-5}
  export OMPI_MCA_oob_tcp_keepalive_probes=${OMPI_MCA_oob_tcp_keepalive_probes:-3}
}

check_can_go_on() {
  [ $kind != run ] || commanded --out || commanded --resume ||
    refuse "--restarts has to know where the run is: add --out DIR after run CONFIG.toml"
}

# CODE: of mpirun, where a signal ended a process, or a host was lost (205). Nobody is started again who made a mistake, diverged, or was asked to end (SIGHUP,
# SIGINT, SIGTERM).
died() {
  [ $interrupted = no ] && [ "$1" -gt 128 ] && [ "$1" != 129 ] && [ "$1" != 130 ] && [ "$1" != 143 ]
}

answers() { ${OMPI_MCA_plm_rsh_agent:-ssh -o BatchMode=yes -o ConnectTimeout=10} "$1" true </dev/null >/dev/null 2>&1; }

# FILE: its lines whose hosts answer.
answering_lines() {
  local line host
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%%#*}
    read -r host _ <<<"$line" || true
    [ -n "$host" ] || continue
    if ! answers "$host"; then say "$host does not answer; going on without it" && continue; fi
    echo "$line"
  done <"$1"
}

# Of lines on stdin; nothing where one does not say.
sum_of_slots() {
  local line sum=0
  while IFS= read -r line; do
    [[ $line =~ slots=([0-9]+) ]] || return 0
    sum=$((sum + BASH_REMATCH[1]))
  done
  echo $sum
}

# The place of the hostfile's name among the options; none where the user gave no hostfile.
hostfile_place() {
  local k
  for k in "${!options[@]}"; do
    case ${options[k]} in -hostfile | --hostfile | -machinefile | --machinefile) echo $((k + 1)) && return ;; esac
  done
}

# Hosts that do not answer are left out, and where the others have fewer slots there are fewer processes.
leave_out_silent_hosts() {
  local place lines slots
  place=$(hostfile_place)
  [ -n "$place" ] && [ -r "${options[place]}" ] || return 0
  lines=$(answering_lines "${options[place]}")
  [ -n "$lines" ] || fail "none of the hosts in ${options[place]} answers"
  slots=$(sum_of_slots <<<"$lines")
  if [ -z "$hosts_left" ]; then hosts_left=$(mktemp) && trap "rm -f '$hosts_left'" EXIT; fi
  echo "$lines" >"$hosts_left"
  options[place]=$hosts_left
  if [ -n "$slots" ] && [ "$slots" -lt "$processes" ]; then processes=$slots; fi
}

death() {
  if [ $code -gt 192 ]; then echo "a host of the job was lost"; else echo "a process of the job was ended by signal $((code - 128))"; fi
}

start_again() {
  local restart hosts_left=""
  for ((restart = 1; restart <= restarts; ++restart)); do
    died $code || return 0
    say "$(death); starting again from the newest checkpoint (restart $restart of $restarts)"
    leave_out_silent_hosts
    if [ $kind = run ] && commanded --out && ! commanded --continue; then command+=(--continue); fi
    [ $interrupted = no ] || return 0
    code=0
    run_job -n "$processes" "${options[@]}" "${command[@]}" || code=$?
  done
}
