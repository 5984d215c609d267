#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz/long.sh TARGET [SECONDS]: runs a fuzzer that ./test all has built, by default for an hour, and continues with the inputs of
# earlier runs. Findings are in build/test/sanitized/fuzz/findings/TARGET. Commit each, together with the fix, to
# fuzz/corpus/TARGET under a descriptive name.
set -euo pipefail
project=$(dirname "$(readlink -f "$0")")/..
built=$(readlink -m "${DOC2S_FUZZ_BUILD:-$project/build/test/sanitized/fuzz}")
target=${1:-} seconds=${2:-3600}
if [ ! -x "$built/fuzz_$target" ]; then
  echo "usage: fuzz/long.sh TARGET [SECONDS]; ./test all builds the targets:" "$(cd "$project/fuzz/corpus" && ls | tr '\n' ' ')" >&2
  exit 2
fi
found=$built/corpus/$target findings=$built/findings/$target
mkdir -p "$found" "$findings"
dictionary=$built/$target.dict  # made of the program's options, or kept by hand
[ -e "$dictionary" ] || dictionary=$project/fuzz/$target.dict
status=0
"$built/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=1000000 -print_final_stats=1 \
  -artifact_prefix="$findings/" ${dictionary:+$([ ! -e "$dictionary" ] || echo "-dict=$dictionary")} \
  "$found" "$project/fuzz/corpus/$target" || status=$?
echo "findings in $findings: $(find "$findings" -type f | wc -l)"
exit $status
