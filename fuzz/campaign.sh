#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz/campaign.sh [INPUTS] [SECONDS]: runs all fuzzers in turns, by default until they tried 10^7 inputs in sum or for two hours,
# whichever comes first. Each turn is a line of build/test/sanitized/fuzz/campaign.csv (target,inputs,seconds,findings), which a
# later call continues; the sums are printed at the end.
set -euo pipefail
project=$(dirname "$(readlink -f "$0")")/..
built=$(readlink -m "${DOC2S_FUZZ_BUILD:-$project/build/test/sanitized/fuzz}")
most_inputs=${1:-10000000} most_seconds=${2:-7200} turn=${DOC2S_FUZZ_TURN:-60}
log=$built/campaign.csv
[ -e "$log" ] || echo "target,inputs,seconds,findings" > "$log"

total() { awk -F, -v column="$1" 'NR > 1 { sum += $column } END { print sum + 0 }' "$log"; }
goes_on() { [ "$(total 2)" -lt "$most_inputs" ] && [ "$(total 3)" -lt "$most_seconds" ]; }

one_turn() {
  local said began=$SECONDS
  said=$("$project/fuzz/long.sh" "$1" "$turn" 2>&1) || true  # a finding is counted below
  local inputs findings
  inputs=$(awk '/stat::number_of_executed_units/ { print $2 }' <<< "$said")
  findings=$(find "$built/findings/$1" -type f | wc -l)
  echo "$1,${inputs:-0},$((SECONDS - began)),$findings" >> "$log"
}

while goes_on; do
  for target in $(ls "$project/fuzz/corpus"); do
    if goes_on; then one_turn "$target"; fi
  done
done
awk -F, 'NR > 1 { inputs[$1] += $2; seconds[$1] += $3; findings[$1] = $4 }
  END { for (t in inputs) printf "%-14s %9d inputs %6d s %7d a second %3d findings\n", t, inputs[t], seconds[t],
        inputs[t] / (seconds[t] > 0 ? seconds[t] : 1), findings[t] }' "$log" | sort
echo "$(total 2) inputs in $(total 3) s"
