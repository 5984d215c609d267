# SPDX-License-Identifier: Apache-2.0
# ./doc2s docs [--port N] builds the site and serves it on this machine alone; ./doc2s docs --build DIR only builds it. Needs launch.sh.

# The words after `docs`, into `folder`, `serve` and `port`.
split_docs_words() {
  local usage="./doc2s docs [--port N], or ./doc2s docs --build DIR"
  while [ $# -gt 0 ]; do
    case $1 in
      --build) [ $# -gt 1 ] && [ -n "$2" ] || refuse "--build needs a folder: $usage"
        folder=$(readlink -m "$2") serve=no && shift ;;
      --port) [ $# -gt 1 ] && [[ $2 =~ ^[0-9]{1,5}$ ]] && [ "$2" -le 65535 ] || refuse "--port needs a number up to 65535: $usage"
        port=$2 && shift ;;
      *) refuse "docs does not know \"$1\": $usage" ;;
    esac
    shift
  done
  if [ $serve = no ] && [ -e "$folder" ] && [ ! -e "$folder/search/search_index.json" ]; then
    refuse "$folder is there and is no site; name a new folder"
  fi
}

# mkdocs, mkdocs-material and doxygen.
need_docs_packages() {
  local missing
  if have apt-get && have dpkg-query; then
    missing=$(missing_packages docs)
    [ -z "$missing" ] || install_packages $missing
  else
    have mkdocs && have doxygen || fail "the docs need mkdocs, mkdocs-material and doxygen"
  fi
}

run_docs() {
  local folder=$project/build/site serve=yes port=8000 python=/usr/bin/python3
  split_docs_words "$@"
  [ -x $python ] || python=python3
  build_release
  need_docs_packages
  say "making the site"
  (cd "$project" && logged env DOC2S_PROGRAM="$project/build/release/doc2s" PYTHONDONTWRITEBYTECODE=1 mkdocs build --clean --site-dir "$folder") ||
    give_up "mkdocs failed"
  if [ $serve = no ]; then say "the site is $folder/index.html" && exit 0; fi
  exec "$python" -B "$project/docs/site/serve.py" "$folder" "$port"
}
