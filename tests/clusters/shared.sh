# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share; `project` is the root. Their daemons end with them.
work=$(mktemp -d) daemons=() failures=0
end_daemons() {
  local pid
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
  sleep 2
  for pid in "${daemons[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end_daemons EXIT

daemon() { nice -n 5 "$@" >"$work/$1.out" 2>&1 & daemons+=($!); }

wait_for() {  # WHAT SECONDS COMMAND…: until it succeeds with some output
  local k
  for ((k = 0; k < 10 * $2; ++k)); do
    [ -z "$(timeout 10 bash -c '"$@"' _ "${@:3}" 2>/dev/null)" ] || return 0
    sleep 0.1
  done
  echo "no $1 within $2 s" >&2
  tail -n 20 "$work"/*.out "$work"/*.log >&2 || true
  exit 1
}

check() { if "${@:2}"; then echo "ok: $1"; else echo "FAILED: $1" && failures=$((failures + 1)); fi; }
is() { [ "$1" = "$2" ]; }
finish() { echo "$failures checks failed" && [ $failures = 0 ]; }

figure() { sed -n "s/^  \"$2\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" "$1/summary.json"; }
same_hash() { check "$2 has the hash of $1, $(figure "$1" trajectory)" is "$(figure "$1" trajectory)" "$(figure "$2" trajectory)"; }
milliseconds() { awk "BEGIN { printf \"%.3f\", 1000 * $(figure "$1" seconds) / $(figure "$1" iterations) }"; }

small_config() {  # like a9a: 123 features, 16 clients on a ring
  cat <<CONF
problem = { size = 8000, dimension = 123, batch = 10 }
clients = { count = 16 }
method = { K = 10, T = 100, R = 2 }
run = { record_every = 500, threads = 1 }
CONF
}
long_config() { small_config | sed 's/K = 10/K = 200/'; }

ranks_of() {  # PROGRAM: processes that run it
  local process
  for process in /proc/[0-9]*; do
    if [ "$(readlink "$process/exe" 2>/dev/null)" = "$1" ]; then echo "${process#/proc/}"; fi
  done
}

stage_launcher() {  # PROGRAM: ./doc2s of this tree as if it had built it
  mkdir -p "$work/launcher/build/mpi"
  cp -R "$project/cmake" "$work/launcher"
  ln -s "$1" "$work/launcher/build/mpi/doc2s"
  cat >"$work/launcher/doc2s" <<'SCRIPT'
#!/usr/bin/env bash
set -euo pipefail
project=$(dirname "$(readlink -f "$0")")
for part in launch launch_mpi; do source "$project/cmake/$part.sh"; done
ensure_built() { :; }
run_with_mpi "${@:2}"
SCRIPT
  chmod +x "$work/launcher/doc2s"
  echo "$work/launcher/doc2s"
}
