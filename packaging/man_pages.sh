#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/man_pages.sh PROGRAM FOLDER  writes the manual into FOLDER: doc2s.1.gz, doc2s-run.1.gz and so on, by help2man, from --help.
set -euo pipefail
program=$(readlink -f "$1")
folder=$2
command -v help2man >/dev/null || { echo "doc2s: the manual needs help2man (Debian's package of that name)" >&2 && exit 1; }
source "$(dirname "$(readlink -f "$0")")/completion.bash"
version=$("$program" --version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$folder" && mkdir -p "$folder"

# COMMAND: its line in the help of the program, or of the command that it is a part of.
summary() { "$program" "${@:1:$#-1}" --help | sed -nE "s/^  ${!#} {2,}//p"; }

# [COMMAND…]: the page of the program, or of a command. help2man starts it by the name that the page gets, and
# would run lines of an example together.
page() {
  local name=doc2s words=("$@") what others
  name+=$(printf -- '-%s' "$@" | sed 's/^-$//')
  if [ $# = 0 ]; then what="decentralised nonsmooth nonconvex optimisation" && others=$(_doc2s_column Subcommands "$program" | sed 's/^/doc2s-/')
  else what=$(summary "$@") && others=doc2s; fi
  printf '#!/bin/bash\n"%s" %s "$@" | sed -E "s/^(  -[a-zA-Z]),--/\\1, --/; s/^  doc2s/\\n&/"\n' "$program" "${words[*]}" >"$work/$name" && chmod +x "$work/$name"
  { echo "[SEE ALSO]" && sed 's/.*/.BR & (1)/' <<<"$others"; } >"$work/also"
  help2man --no-info --section=1 --manual="doc2s" --source="$version" --version-string="${version#doc2s }" --name="$what" \
    --include="$work/also" "$work/$name" | gzip -9n >"$folder/$name.1.gz"
}

page
for command in $(_doc2s_column Subcommands "$program"); do
  page "$command"
  for part in $(_doc2s_column Subcommands "$program" "$command"); do page "$command" "$part"; done
done
