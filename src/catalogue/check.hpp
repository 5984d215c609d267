// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "catalogue.hpp"

namespace doc2s {

// A local file compared with its catalogue entry.
struct CheckedFile {
  enum class Verdict {
    right,
    wrong,
    unknown
  };  // unknown: the catalogue has no hash, and nothing else disagrees

  FoundFile found;
  std::int64_t bytes = 0;  // uncompressed
  Index lines = 0;
  std::string sha256{};   // "" if the archive lacks the file
  std::string problem{};  // why it is wrong, or ""

  Verdict verdict() const;
};

// Reads every file found. Throws Error if one cannot be unpacked.
std::vector<CheckedFile> check_files(const FoundSet& found);

}  // namespace doc2s
