#pragma once
#include <string>
#include <vector>

namespace doc2s {

// A file that may stand in for a training file that is not to be had, and what to tell its reader.
struct StandIn {
  std::string file;
  std::string notice;
};

struct DataSet {
  std::string name;
  std::string summary;
  std::string train_file,
      test_file;  // upstream names; test_file may be "", and both are where it is built in
  std::vector<StandIn> stand_ins{};

  bool built_in() const { return train_file.empty(); }
};

const std::vector<DataSet>& catalogue();

struct DataFiles {
  std::string train;   // absolute; "" for a data set that is built in
  std::string test;    // "" where there is none
  std::string notice;  // what the reader should know about the choice, or ""
};

// Where a data set's name or a path leads. A name is looked up as DIR/NAME/FILE, then DIR/FILE, for DIR in
// $DOC2S_DATA (a list with colons), $XDG_DATA_HOME/doc2s or ~/.local/share/doc2s, and Debian's
// /usr/share/datasets, with the upstream file names, plain or compressed. A path is relative to the current
// directory, else to `base_directory`. Throws Error with the places looked at.
DataFiles find_data(const std::string& name_or_path, const std::string& base_directory = "");

}  // namespace doc2s
