# SPDX-License-Identifier: Apache-2.0
# Completion of doc2s in bash. It asks the program, so there is nothing to keep up to date here.

# HEADING PROGRAM WORD…: the first words of the lines under that heading of --help.
_doc2s_column() {
  "${@:2}" --help 2>/dev/null </dev/null |
    awk -v heading="$1:" '/^[^ ]/ { here = $0 == heading } here && /^  [^ ]/ { gsub(",", "\n", $1); print $1 }'
}

_doc2s_keys() { "$1" explain 2>/dev/null </dev/null | sed -n 's/^\([^ ][^ ]*\)$/\1/p' | sort -u; }

# PROGRAM COMMAND: what may be named after a command, where the program knows all of it.
_doc2s_names() {
  case ${2:-} in
    explain) _doc2s_keys "$1" ;;
    bench) "$1" bench --list 2>/dev/null </dev/null | sed 's/ .*//' ;;
    reproduce) "$1" reproduce --list 2>/dev/null </dev/null | sed '1d; s/ .*//' ;;  # without the table's head
    list) "$1" list --help 2>/dev/null </dev/null | sed -n 's/^  topic .* REQUIRED *//p' | tr -d , ;;
    *) _doc2s_column Subcommands "$@" ;;
  esac
}

# The launcher of a checkout would build first; what it has built answers for it.
_doc2s_program() {
  local folder=${1%/*}
  if [ "$folder" != "$1" ] && [ -e "$folder/cmake/launch.sh" ]; then printf '%s' "$folder/build/release/doc2s"; else printf '%s' "$1"; fi
}

_doc2s() {
  local program word before=${COMP_WORDS[COMP_CWORD - 1]} current=${COMP_WORDS[COMP_CWORD]} command=() words
  COMPREPLY=()
  program=$(_doc2s_program "${COMP_WORDS[0]}")
  command -v "$program" >/dev/null || return 0
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    [[ $word == -* ]] || command+=("$word")
    [[ ${command[0]:-} == data && ${#command[@]} -lt 2 ]] || [ ${#command[@]} = 0 ] || break
  done
  case $before in
    --set | --over)
      words=$(_doc2s_keys "$program" | sed 's/$/=/')
      compopt -o nospace 2>/dev/null || true ;;
    *) if [[ $current == -* ]]; then words=$(_doc2s_column Options "$program" "${command[@]}"); else words=$(_doc2s_names "$program" "${command[@]}"); fi ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _doc2s doc2s
