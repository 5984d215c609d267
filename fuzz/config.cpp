#include "doc2s/run/config.hpp"

#include <cstdlib>

#include "target.hpp"

// A config, and behind the mark what follows --set, one a line. What is accepted is written and read again.
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
  for (const Config& config : read_configs(file.filled(text), changes)) {
    const std::string once = written(config);
    if (written(parse_configs(once, "config.toml").front()) != once) std::abort();
  }
}
