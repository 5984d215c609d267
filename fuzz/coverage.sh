#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz/coverage.sh: what the corpora of all fuzzers reach of the readers: lines of src/data, src/config and src/checkpoint, by llvm-cov.
# Of the build that ./test all makes only these folders are compiled once more, with counters. Corpora: fuzz/corpus, and what
# fuzz/long.sh found (build/test/sanitized/fuzz/corpus). Prints a line a file and the sums a folder.
set -euo pipefail
project=$(readlink -f "$(dirname "$(readlink -f "$0")")/..")
built=$project/build/test/sanitized
found=$(readlink -m "${DOC2S_FUZZ_BUILD:-$built/fuzz}")/corpus
made=$built/coverage
folders=(data config checkpoint)
counters="-fprofile-instr-generate -fcoverage-mapping"
mkdir -p "$made"
rm -f "$made"/*.profraw

# The command that makes a file of the build, as ninja has it.
command_for() { ninja -C "$built" -t commands "$1" | tail -n 1; }

cd "$built"
objects=()
for folder in "${folders[@]}"; do
  object=tests/sanitized/CMakeFiles/doc2s_sanitized.dir/Unity/unity_${folder}_cxx.cxx.o
  if [ ! "$made/$folder.o" -nt "$object" ]; then
    command=$(command_for "$object")
    eval "${command//-o $object/-o $made/$folder.o $counters}"
  fi
  objects+=("$made/$folder.o")
done

for target in $(ls "$project/fuzz/corpus"); do
  command=$(command_for "fuzz/fuzz_$target")
  eval "${command//-o fuzz\/fuzz_$target/-o $made/fuzz_$target $counters ${objects[*]}}"
  inputs=("$project/fuzz/corpus/$target")
  [ ! -d "$found/$target" ] || inputs+=("$found/$target")
  LLVM_PROFILE_FILE="$made/$target.profraw" "$made/fuzz_$target" -runs=0 -rss_limit_mb=2048 "${inputs[@]}" 2> "$made/$target.log"
done

llvm-profdata merge -o "$made/all.profdata" "$made"/*.profraw
binaries=()
for binary in "$made"/fuzz_*; do binaries+=(-object "$binary"); done
for folder in "${folders[@]}"; do
  llvm-cov report "${binaries[@]:1}" -instr-profile="$made/all.profdata" "$project/src/$folder" |
    awk -v folder="src/$folder" '$1 ~ /\.(c|h)pp$/ { printf "%-28s %5d lines %6s\n", $1, $8, $10 }
      $1 == "TOTAL" { printf "%-28s %5d lines %6s\n\n", folder, $8, $10 }'
done
