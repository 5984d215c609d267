# SPDX-License-Identifier: Apache-2.0
# ./doc2s python SCRIPT…: Debian's python3 with the package, built for one process and for many. Needs launch.sh, launch_mpi.sh.

build_python() {
  local product target=doc2s_python work=6 watched=("${watched[@]}" python)
  product=$(cd "$project/build/python" 2>/dev/null && echo python/doc2s/_core.*.so) || product=none
  ensure_built python "core mpi python" -DDOC2S_PYTHON=ON -DDOC2S_MPI=ON -DDOC2S_NATIVE=ON -DDOC2S_UNITY=ON
}

# How `env` starts Python with the package, into `words`.
python_words() {
  local python=/usr/bin/python3
  [ -x $python ] || python=python3
  words=(PYTHONPATH="$project/build/python/python${PYTHONPATH:+:$PYTHONPATH}" "$python")
}

run_python() {
  local words first=no
  if started_by_mpi; then
    build_as_one_of_many python build_python
  else
    [ -e "$project/build/python/.built" ] || first=yes
    build_python
    if [ $first = yes ]; then offer_packages python-more; fi  # pictures, tables, graphs
  fi
  python_words
  exec env "${words[@]}" "$@"
}
