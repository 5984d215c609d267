// SPDX-License-Identifier: Apache-2.0
#include "sealed.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "checkpoint/checkpoint_file.hpp"

namespace doc2s::fuzz {

namespace {

void seal(std::string& file, std::string_view bytes) {
  const XXH64_hash_t hash = XXH3_64bits(bytes.data(), bytes.size());
  file += bytes;
  file.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

std::string_view taken(std::string_view& bytes, std::size_t count) {
  const std::string_view part = bytes.substr(0, count);
  bytes.remove_prefix(part.size());
  return part;
}

}  // namespace

std::string sealed(std::string_view bytes) {
  std::string file;
  seal(file, taken(bytes, sizeof(CheckpointHeader)));
  while (!bytes.empty()) {
    BlockHead head;
    const std::string_view given = taken(bytes, sizeof head);
    std::memcpy(&head, given.data(), given.size());
    seal(file, given);
    const bool fits = head.count > 0 && head.part_bytes >= 0 && head.part_bytes < 4096;
    seal(file, taken(bytes, fits ? static_cast<std::size_t>(head.count) * head.part_bytes : 16));
  }
  return file;
}

}  // namespace doc2s::fuzz
