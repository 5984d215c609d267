#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ssh.sh PROGRAM: three hosts, each a network namespace with an sshd of its own, and over them mpirun --hostfile by ./doc2s mpi: the hash, a
# killed rank, and a host that goes down, after which the job goes on with fewer. PROGRAM is built with MPI. Needs root and openssh-server.
set -euo pipefail
program=$(readlink -f "$1")
project=$(readlink -f "$(dirname "$0")/../..")
if [ -z "${DOC2S_OWN_NETWORK:-}" ]; then DOC2S_OWN_NETWORK=yes exec unshare --net --mount --uts "$0" "$@"; fi
source "$project/tests/clusters/shared.sh"
hosts="h1 h2 h3"

make_network() {  # 10.78.0.1 is ours, 10.78.0.2 … are the hosts'
  local host number=1
  hostname head
  mkdir -p /run/sshd /run/netns && mount -t tmpfs none /run/netns
  ip link set lo up
  ip link add bridge type bridge && ip address add 10.78.0.1/24 dev bridge && ip link set bridge up
  echo "127.0.0.1 localhost" >"$work/hosts" && echo "10.78.0.1 head" >>"$work/hosts"
  for host in $hosts; do
    number=$((number + 1))
    ip netns add $host
    ip link add to-$host type veth peer name eth0 netns $host
    ip link set to-$host master bridge up
    ip netns exec $host ip link set lo up
    ip netns exec $host ip address add 10.78.0.$number/24 dev eth0
    ip netns exec $host ip link set eth0 up
    echo "10.78.0.$number $host" >>"$work/hosts"
  done
  mount --bind "$work/hosts" /etc/hosts
}

start_sshds() {
  local host
  ssh-keygen -q -t ed25519 -N "" -f "$work/key"
  for host in $hosts; do
    daemon ip netns exec $host unshare --uts --pid --fork --kill-child --mount-proc bash -c "hostname $host && exec /usr/sbin/sshd -D -e -f /dev/null \
      -o HostKey=$work/key -o AuthorizedKeysFile=$work/key.pub -o StrictModes=no -o UsePAM=no -o PidFile=none -o PermitRootLogin=yes"
    sshd_of[$host]=$!
  done
  cat >"$work/ssh" <<SSH
#!/bin/bash
exec /usr/bin/ssh -F none -q -i $work/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes -o ConnectTimeout=5 "\$@"
SSH
  chmod +x "$work/ssh"
  export OMPI_MCA_plm_rsh_agent=$work/ssh OMPI_MCA_oob_tcp_if_include=10.78.0.0/24 OMPI_MCA_btl_tcp_if_include=10.78.0.0/24
  for host in $hosts; do wait_for "sshd on $host" 20 "$work/ssh" $host hostname; done
}

job() {  # DIRECTORY MORE…: in the background, as $!; on three ranks of each host
  nice "$launcher" mpi 9 --restarts 3 --hostfile hosts.txt run long.toml --quiet --out "$1" --checkpoint-every 300 >"$1.out" 2>&1 &
}

declare -A sshd_of
make_network
start_sshds
cd "$work"
launcher=$(stage_launcher "$program")
printf '%s slots=3\n' $hosts >hosts.txt
small_config | sed 's/K = 10/K = 40/' >long.toml
"$program" run long.toml --quiet --out alone >/dev/null

echo "== nine ranks on three hosts, undisturbed"
job whole && wait $! || { cat whole.out && exit 1; }
same_hash alone whole
echo "$(milliseconds whole) ms an iteration"

echo "== a rank is killed"
job killed && pid=$!
wait_for "a checkpoint" 120 compgen -G "killed/checkpoint/0*.manifest"
victims=($(ranks_of "$program")) && kill -KILL "${victims[RANDOM % ${#victims[@]}]}"
code=0 && wait $pid || code=$?
check "it comes to its end after $(grep -c "starting again" killed.out || true) restart" is $code 0
same_hash alone killed

echo "== a host goes down"
job fewer && pid=$!
wait_for "a checkpoint" 120 compgen -G "fewer/checkpoint/0*.manifest"
kill -KILL "${sshd_of[h3]}" && ip link set to-h3 down
code=0 && wait $pid || code=$?
check "it comes to its end, exit $code" is $code 0
grep "^doc2s:" fewer.out || true
check "on the ranks of two hosts" is "$(figure fewer ranks)" 6
same_hash alone fewer
finish
