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

# Into build/torch, where the programs in build/release and build/mpi look for it.
build_torch() {
  local product=libdoc2s_torch.so target=doc2s_torch
  local foreword="this problem needs libtorch; to install and build that takes a few minutes, once"
  ensure_built torch "core torch" -DDOC2S_TORCH=ON -DDOC2S_NATIVE=ON
}
