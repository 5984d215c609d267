# SPDX-License-Identifier: Apache-2.0
# Neural networks need libtorch, which is large: it is installed and built when they are first asked for. Needs launch.sh.

# Does a word say so (--set problem.name=resnet18), or a config that a word names, or that of a run's directory?
wants_torch() {
  local word file
  for word; do
    if [[ $word =~ [=,][\"\']?(resnet18|torchscript)[\"\']?(,|$) ]]; then return 0; fi
    for file in "$word" "$word/config.toml"; do
      if [ -f "$file" ] && grep -qE "^[^#]*[\"'](resnet18|torchscript)[\"']" "$file" 2>/dev/null; then return 0; fi
    done
  done
  return 1
}

# Does `reproduce FIGURE` take in the CIFAR figures: by name, as "all", or as the beginning of names ("first-samples")?
reproduces_with_torch() {
  local word
  [ "${1:-}" = reproduce ] || return 1
  for word in "${@:2}"; do
    case $word in --list | --help | smoke) return 1 ;; esac
  done
  for word in "${@:2}"; do
    case $word in
      *a9a | *mnist | *rcv1) ;;
      all | first | first-* | zeroth | zeroth-*) return 0 ;;
    esac
  done
  return 1
}

# Does `bench` measure it: by name, or among all tasks where it has been built before?
benches_with_torch() {
  local words=" ${*:2} " all='^( --quick| --json[= ][^ ]+)* +$'
  [ "${1:-}" = bench ] || return 1
  case $words in
    *" --list "* | *" --help "*) return 1 ;;
    *" torch "*) return 0 ;;
  esac
  [[ $words =~ $all ]] && [ -e "$project/build/torch/libdoc2s_torch.so" ]
}

# Into build/torch, where the programs in build/release and build/mpi look for it.
build_torch() {
  local product=libdoc2s_torch.so target=doc2s_torch
  local foreword="this needs libtorch; to install and build that takes a few minutes, once"
  ensure_built torch "core torch" -DDOC2S_TORCH=ON -DDOC2S_NATIVE=ON -DDOC2S_UNITY=ON
}
