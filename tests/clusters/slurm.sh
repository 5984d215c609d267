#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slurm.sh PROGRAM [RANKS]: a Slurm of one node (Debian's munge, slurmctld, slurmd, slurm-client) in a network of its own, and in it
# srun --mpi=pmix, a killed rank, sbatch with ./doc2s mpi --restarts, and how long an iteration takes. PROGRAM is built with MPI. Needs root.
set -euo pipefail
program=$(readlink -f "$1") ranks=${2:-8}
project=$(readlink -f "$(dirname "$0")/../..")
if [ -z "${DOC2S_OWN_NETWORK:-}" ]; then DOC2S_OWN_NETWORK=yes exec unshare --net --mount "$0" "$@"; fi
ip link set lo up
ip link add own type veth peer name other && ip address add 10.77.0.1/24 dev own && ip link set own up && ip link set other up
source "$project/tests/clusters/shared.sh"

start_slurm() {
  head -c 1024 /dev/urandom >"$work/munge.key" && chmod 400 "$work/munge.key"
  mkdir -p "$work/state" "$work/spool" && chmod 755 "$work"
  daemon munged --foreground --force --key-file "$work/munge.key" --socket "$work/munge.socket" --pid-file "$work/munged.pid" \
    --log-file "$work/munged.log" --seed-file "$work/munge.seed"
  cat >"$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(10.77.0.1)
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
KillWait=5
NodeName=$(hostname -s) NodeAddr=10.77.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$work/slurm.conf
  daemon slurmctld -D
  daemon slurmd -D
  wait_for "slurm" 30 sinfo -h -t idle -o %n
}

kill_a_rank() {  # of a job whose run is in this directory, once it has a checkpoint
  wait_for "a checkpoint in $1" 120 compgen -G "$1/checkpoint/*.manifest"
  local victims
  victims=($(ranks_of "$program"))
  kill -KILL "${victims[RANDOM % ${#victims[@]}]}"
}

start_slurm
cd "$work"
small_config >c.toml
"$program" run c.toml --quiet --out alone >/dev/null
echo "== srun --mpi=pmix, $ranks ranks on $(nproc) cores"
srun --mpi=pmix --overcommit -n "$ranks" "$program" run c.toml --quiet --out srun >out 2>err || { cat out err && exit 1; }
same_hash alone srun
check "one closing text" is "$(grep -c hash out)" 1
code=0 && srun --mpi=pmix --overcommit -n 3 "$program" --version >out 2>err || code=$?
check "one version" is "$code$(grep -c doc2s out)" 01

long_config >long.toml
"$program" run long.toml --quiet --out long-alone >/dev/null
echo "== time of an iteration, without and with yielding"
for yields in 0 1 unset; do
  setting=(OMPI_MCA_mpi_yield_when_idle=$yields) && [ $yields != unset ] || setting=(-u OMPI_MCA_mpi_yield_when_idle)
  env "${setting[@]}" srun --mpi=pmix --overcommit -n "$ranks" "$program" run long.toml --quiet --set run.budget.seconds=15 --out "yield-$yields" >/dev/null
  echo "mpi_yield_when_idle $yields: $(milliseconds "yield-$yields") ms an iteration"
done

echo "== a rank is killed under srun; the same command again with --continue"
words=(run long.toml --quiet --out long-srun --checkpoint-every 500 --continue)
srun --mpi=pmix --overcommit --kill-on-bad-exit=1 -n "$ranks" "$program" "${words[@]}" >/dev/null 2>err & job=$!
kill_a_rank long-srun
code=0 && wait $job || code=$?
check "srun tells of it" [ $code != 0 ]
srun --mpi=pmix --overcommit -n "$ranks" "$program" "${words[@]}" >/dev/null
same_hash long-alone long-srun

echo "== sbatch with ./doc2s mpi $ranks --restarts 5"
launcher=$(stage_launcher "$program")
cat >job.sh <<JOB
#!/bin/bash
#SBATCH --ntasks=$ranks --overcommit --output=$work/job.out
$launcher mpi $ranks --restarts 5 --oversubscribe run long.toml --quiet --out long-batch --checkpoint-every 500
JOB
sbatch --wait job.sh >/dev/null & job=$!
for kill in 1 2; do kill_a_rank long-batch && sleep 3; done
code=0 && wait $job || code=$?
check "the job comes to its end" is $code 0
echo "$(grep -c "starting again" job.out || true) restarts"
same_hash long-alone long-batch
finish
