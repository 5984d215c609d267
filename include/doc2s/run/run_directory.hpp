#pragma once
#include <cstdio>
#include <memory>
#include <string>

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

// The folder that a run writes into.
class RunDirectory {
 public:
  // Makes the folder. One that already holds a run is refused, or emptied of that run where `force`.
  RunDirectory(std::string path, bool force);

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  // Whole files appear under their name only when they are complete.
  void write(const std::string& name, const std::string& bytes) const;

 private:
  std::string path_;
};

// The first of base, base-2, base-3 … that does not exist.
std::string unused_directory(const std::string& base);

// NumPy's .npy: count × d, or d numbers.
template <class Real>
std::string npy(const Rows<Real>& rows);
template <class Real>
std::string npy(std::span<const Real> numbers);

}  // namespace doc2s
