// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/file_writer.hpp"
#include "doc2s/base/rows.hpp"

namespace doc2s {

// Whoever has it works in the folder alone. Some network file systems have no locks, and go without.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& path);  // throws Error where somebody else has it
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int folder_;
};

// The folder that a run writes into. It belongs to one run from the moment it is claimed, also where several
// runs start at once, and is locked while that run goes on; a claim that was not begun is taken back and
// leaves things as they were.
class RunDirectory {
 public:
  enum class Claim {
    unused,     // the folder as named, which must not hold a run
    replacing,  // the same, but a run that it holds will be replaced
    numbered,   // the first of path, path-2, path-3 … that does not exist
    resuming,   // the folder of a run that was broken off, which goes on
  };

  RunDirectory(const std::string& path, Claim claim);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  void begin();  // from here on the folder is this run's, and an older run is gone
  void go_on();  // from here on it goes on: what told of its end is gone

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  void write(const std::string& name, const std::function<void(FileWriter&)>& put) const {
    write_whole(path_, name, put);
  }
  void write(const std::string& name, std::string_view bytes) const { write_whole(path_, name, bytes); }

 private:
  bool make(const std::string& path);  // false where it is there already
  void take(bool replacing);
  void undo();

  std::string path_;
  std::vector<std::string> made_;  // folders, outermost first
  bool claimed_ = false, begun_ = false;
  std::optional<DirectoryLock> lock_;
};

bool holds_a_run(const std::string& directory);
bool is_run_file(const std::string& directory, const std::string& path);  // config.toml …, also if absent
bool has_checkpoint(const std::string& directory);                        // or what is left of one

// Makes the first of base, base-2, base-3 … that does not exist, and says which.
std::string make_numbered_folder(const std::string& base);

// A label as a folder's name: letters, digits and ._=,+- stay, the rest becomes a dash.
std::string folder_name(const std::string& label);

// NumPy's .npy: count × d, or d numbers.
template <class Real>
void put_npy(FileWriter& file, int count, Index dimension,
             const std::function<std::span<const Real>(int)>& row);
template <class Real>
void put_npy(FileWriter& file, std::span<const Real> numbers);

}  // namespace doc2s
