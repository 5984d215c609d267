#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# outside_project_test.sh BUILD_DIR  installs that build to a temporary prefix and builds tests/outside against it.
set -euo pipefail
build=$(readlink -f "$1")
tests=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log" && exit 1; }
if grep -rnF -e "$build" -e "$(dirname "$tests")/" "$work/prefix" --include='*.cmake' --include='*.hpp'; then
  echo "the installed package names folders of the build" && exit 1
fi
"$work/prefix/bin/doc2s" --version
cp -R "$tests/outside" "$work/outside"  # away from our tree, so that nothing of it is found by chance
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")  # make need not be there
cmake -S "$work/outside" -B "$work/build" -G "$generator" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
"$work/build/outside"
