#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpi_sanitized.sh [BUILD]: the MPI program under the address and undefined-behaviour sanitizers. Every method over four ranks, a run that is
# resumed on three, one that diverges. Builds in build/sanitized-mpi unless told where; half an hour on two cores from nothing.
set -euo pipefail
project=$(readlink -f "$(dirname "$0")/../..")
build=${1:-$project/build/sanitized-mpi}
flags="-fsanitize=address,undefined -fno-sanitize-recover=all -g1 -O1"
cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDOC2S_MPI=ON -DDOC2S_UNITY=ON \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_CXX_FLAGS_RELEASE="" >/dev/null
cmake --build "$build" --target doc2s_program --parallel "${JOBS:-$(nproc)}" | tail -n 3

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"
# Open MPI leaks from modules that it has unloaded by the end, whose names are lost: a leak counts where a frame of ours is in it.
export ASAN_OPTIONS=detect_stack_use_after_return=1 LSAN_OPTIONS=exitcode=0 UBSAN_OPTIONS=print_stacktrace=1
run() {  # RANKS CODE WORDS…
  local code=0
  mpirun --allow-run-as-root --oversubscribe --bind-to none --quiet -n "$1" "$build/doc2s" run "${@:3}" --quiet >out 2>err </dev/null || code=$?
  if [ $code != "$2" ] || grep -qE "ERROR: AddressSanitizer|runtime error| in doc2s::" err; then echo "exit $code: ${*:3}" && cat out err && exit 1; fi
  echo "ok: $1 ranks: ${*:3}"
}
PYTHONPATH=$project/tests /usr/bin/python3 -B - "$build/doc2s" >all.toml <<'PYTHON'
import sys
import harness
harness.PROGRAM = sys.argv[1]
from methods import comparison, few_forms
print("problem = { size = 160, dimension = 9 }\nclients = { count = 8 }\nrun = { record_every = 5, threads = 2 }")
print(comparison(few_forms(8), K=3, T=6, iterations=18))
PYTHON
run 4 0 all.toml --out all --checkpoint-every 7
printf 'problem = { size = 160, dimension = 9 }\nclients = { count = 8 }\nmethod = { K = 4, T = 10 }\nrun = { record_every = 5, threads = 2 }\n' >one.toml
run 4 0 one.toml --out one --checkpoint-every 9 --set run.budget.iterations=20
run 3 0 --resume one --set run.budget.iterations=40
run 4 3 one.toml --out diverged --set method.eta=1e308 --set method.D=1e308
run 4 2 one.toml --out mistaken --set method.etta=1
echo "nothing found"
