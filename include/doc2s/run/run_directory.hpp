#pragma once
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "doc2s/base/rows.hpp"

namespace doc2s {

// A text file that is written line by line; a failed write is thrown at once.
class LineFile {
 public:
  explicit LineFile(const std::string& path);
  void write_line(const std::string& line);
  void flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

// The folder that a run writes into. It belongs to one run from the moment it is claimed, also where several
// runs start at once; a claim that was not begun is taken back and leaves things as they were.
class RunDirectory {
 public:
  enum class Claim {
    unused,     // the folder as named, which must not hold a run
    replacing,  // the same, but a run that it holds will be replaced
    numbered,   // the first of path, path-2, path-3 … that does not exist
  };

  RunDirectory(const std::string& path, Claim claim);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  void begin();  // from here on the folder is this run's, and an older run is gone

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  bool is_own_file(const std::string& path) const;  // config.toml, metrics.jsonl …

  // Whole files appear under their name only when they are complete. `put` writes to the file it is given;
  // what goes wrong there is found out here.
  void write(const std::string& name, const std::function<void(std::FILE*)>& put) const;
  void write(const std::string& name, const std::string& bytes) const;

 private:
  bool make(const std::string& path);  // false where it is there already
  void take(bool replacing);
  void undo();

  std::string path_;
  std::vector<std::string> made_;  // folders, outermost first
  bool claimed_ = false, begun_ = false;
};

bool holds_a_run(const std::string& directory);

// Makes the first of base, base-2, base-3 … that does not exist, and says which.
std::string make_numbered_folder(const std::string& base);

// A label as a folder's name: letters, digits and ._=,+- stay, the rest becomes a dash.
std::string folder_name(const std::string& label);

// NumPy's .npy: count × d, or d numbers.
template <class Real>
void put_npy(std::FILE* file, int count, Index dimension,
             const std::function<std::span<const Real>(int)>& row);
template <class Real>
void put_npy(std::FILE* file, std::span<const Real> numbers);

}  // namespace doc2s
