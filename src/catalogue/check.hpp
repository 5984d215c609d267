#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "catalogue.hpp"

namespace doc2s {

// A file as it is here, beside what the catalogue says of it.
struct CheckedFile {
  enum class Verdict {
    right,
    wrong,
    unknown
  };  // unknown: the catalogue has no sum, and nothing speaks against it

  FoundFile found;
  std::int64_t bytes = 0;  // uncompressed
  Index lines = 0;
  std::string sha256{};   // "" where the archive lacks the file
  std::string problem{};  // in words, where it is wrong

  Verdict verdict() const;
};

// Reads every file that was found; throws Error where one cannot be unpacked.
std::vector<CheckedFile> check_files(const FoundSet& found);

}  // namespace doc2s
