#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// One file of a data set. Length and sum are those of the uncompressed bytes.
struct DataFile {
  enum class Part { train, test };

  std::string name;  // upstream
  Part part = Part::train;
  Index records = 0;
  std::int64_t bytes = 0;    // 0: not known
  std::string sha256{};      // "": not known
  std::string stands_for{};  // the upstream file that this one replaces where that is missing, or ""
  std::string notice{};      // what a reader of a stand-in should be told

  bool stand_in() const { return !stands_for.empty(); }
};

struct DataSet {
  enum class Form { built_in, libsvm, idx, cifar10, cifar100 };

  std::string name;
  std::string summary;
  Form form = Form::built_in;
  std::vector<DataFile> files{};
  std::string archive{};             // stem of the official archive that holds them all, or ""
  std::string archive_folder{};      // the folder that it unpacks to
  std::string page{};                // where it is published
  std::vector<std::string> links{};  // what can be downloaded from there: all of these make the set
  std::string debian_package{}, npm_package{};
  std::string terms{};

  bool built_in() const { return form == Form::built_in; }
  bool has_images() const { return form != Form::built_in && form != Form::libsvm; }
};

const std::vector<DataSet>& catalogue();
const DataSet* data_set_named(const std::string& name);  // nullptr where there is none

struct DataFiles {
  std::string train;   // absolute; "" for a data set that is built in
  std::string test;    // "" where there is none
  std::string notice;  // what the reader should know about the choice, or ""
};

// Where the name of a data set in LIBSVM text, or a path, leads. A name is looked up as find_set does. A path
// is relative to the current directory, else to `base_directory`. Throws Error with the places looked at.
DataFiles find_data(const std::string& name_or_path, const std::string& base_directory = "");

struct FoundFile {
  const DataFile* file;
  std::string path;  // absolute; the archive's where the file is inside one
  bool archived = false;
};

struct FoundSet {
  std::string directory;  // "" where nothing is here
  std::vector<FoundFile>
      files;              // in the catalogue's order; a stand-in only where its upstream file is missing
  bool complete = false;  // every upstream file is here

  const FoundFile* with_name(const std::string& name) const;
};

// A data set is looked for in DIR/NAME, then in DIR, for DIR in data_directories(), with the upstream file
// names, plain or compressed, or its official archive. The first place with all training files is taken, else
// the first with one of them.
FoundSet find_set(const DataSet& set);
FoundSet find_set_in(const std::string& directory, const DataSet& set);

// $DOC2S_DATA (a list with colons), $XDG_DATA_HOME/doc2s or ~/.local/share/doc2s, and Debian's
// /usr/share/datasets.
std::vector<std::string> data_directories();
[[noreturn]] void throw_not_found(const DataSet& set);

}  // namespace doc2s
