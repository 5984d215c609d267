// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdlib>

#include "checkpoint/checkpoint_file.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace {

using namespace doc2s;

void read_all(const std::string& path) {
  const CheckpointReader reader(path);
  reader.verify();
  std::array<std::array<std::byte, 8>, 4> parts;
  for (const std::string& name : reader.names()) {
    if (reader.bytes(name) > reader.size()) std::abort();
    reader.read(name, {0, 4}, 8, [&](int client) { return std::span(parts.at(client)); });
  }
}

}  // namespace

DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  const bool raw = !bytes.empty() && bytes.front() == 'r';
  if (!bytes.empty()) bytes.remove_prefix(1);
  read_all(file.filled(raw ? std::string(bytes) : doc2s::fuzz::sealed(bytes)));
}
