// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "data/files.hpp"
#include "data/image_readers.hpp"
#include "sha256.hpp"

namespace doc2s {

namespace {

struct Measure {
  Sha256 sum;
  Index lines = 0;

  void add(std::string_view piece) {
    sum.add(piece);
    lines += std::count(piece.begin(), piece.end(), '\n');
  }
};

// All members in one pass: a compressed archive is read from its start anyway.
std::map<std::string, Measure> measured_members(const std::string& archive, const FoundSet& found) {
  std::map<std::string, Measure> members;
  read_members(archive, [&](const std::string& member) -> TakePiece {
    const std::string name = std::filesystem::path(member).filename().string();
    if (!found.with_name(name)) return nullptr;
    return [&measure = members[name]](std::string_view piece) { measure.add(piece); };
  });
  return members;
}

Measure measured_file(const std::string& path) {
  Measure measure;
  read_pieces(path, [&](std::string_view piece) { measure.add(piece); });
  return measure;
}

// Compares the hash if known, else the length, else the number of lines (one per record).
std::string problem_of(const DataFile& file, const CheckedFile& here) {
  if (!file.sha256.empty() && here.sha256 != file.sha256)
    return fmt::format("its SHA-256 is {}, expected {}", here.sha256, file.sha256);
  if (file.bytes > 0 && here.bytes != file.bytes)
    return fmt::format("it has {} bytes uncompressed, expected {}", grouped(here.bytes), grouped(file.bytes));
  if (file.bytes == 0 && here.lines != file.records)
    return fmt::format("it has {} lines, expected {}", grouped(here.lines), grouped(file.records));
  return "";
}

CheckedFile checked(const FoundFile& found, const Measure& measure) {
  CheckedFile here{found, static_cast<std::int64_t>(measure.sum.length()), measure.lines, measure.sum.hex()};
  here.problem = problem_of(*found.file, here);
  return here;
}

}  // namespace

CheckedFile::Verdict CheckedFile::verdict() const {
  if (!problem.empty()) return Verdict::wrong;
  return found.file->sha256.empty() ? Verdict::unknown : Verdict::right;
}

std::vector<CheckedFile> check_files(const FoundSet& found) {
  std::map<std::string, std::map<std::string, Measure>> archives;
  std::vector<CheckedFile> files;
  for (const auto& here : found.files) {
    if (!here.archived) {
      files.push_back(checked(here, measured_file(here.path)));
      continue;
    }
    if (!archives.contains(here.path)) archives[here.path] = measured_members(here.path, found);
    const auto& members = archives[here.path];
    if (const auto member = members.find(here.file->name); member != members.end())
      files.push_back(checked(here, member->second));
    else
      files.push_back({.found = here, .problem = "the archive does not hold it"});
  }
  return files;
}

}  // namespace doc2s
