// SPDX-License-Identifier: Apache-2.0
#include "doc2s/run/configs.hpp"

#include <cstdio>
#include <cstdlib>

#include "doc2s/base/error.hpp"
#include "target.hpp"

namespace {

void require_same_when_read_again(const doc2s::Config& config) {
  const std::string once = doc2s::written(config);
  try {
    if (doc2s::written(doc2s::parse_configs(once, "config.toml").front()) == once) return;
  } catch (const doc2s::Error& error) {
    std::fprintf(stderr, "what was written cannot be read: %s\n", error.what());
  }
  std::abort();
}

}  // namespace

// A config, the mark, then --set arguments, one per line. An accepted config is written and read again.
DOC2S_FUZZ_TARGET(bytes) {
  using namespace doc2s;
  static fuzz::InputFile file;
  auto [text, sets] = fuzz::halves(bytes, "\n--set\n");
  if (fuzz::seems_packed(text)) return;
  Changes changes;
  while (!sets.empty()) {
    const auto [line, rest] = fuzz::halves(sets, "\n");
    changes.push_back(change_from(std::string(line)));
    sets = rest;
  }
  for (const Config& config : read_configs(file.filled(text), changes)) require_same_when_read_again(config);
}
