// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// One file of a data set. Length and hash refer to the uncompressed bytes.
struct DataFile {
  enum class Part { train, test };

  std::string name;  // upstream name
  Part part = Part::train;
  Index records = 0;
  std::int64_t bytes = 0;    // 0: unknown
  std::string sha256{};      // "": unknown
  std::string stands_for{};  // the upstream file that this one substitutes if missing, or ""
  std::string notice{};      // printed when a substitute is used

  bool stand_in() const { return !stands_for.empty(); }
};

struct DataSet {
  enum class Form { built_in, libsvm, idx, cifar10, cifar100 };

  std::string name;
  std::string summary;
  Form form = Form::built_in;
  std::vector<DataFile> files{};
  std::string archive{};             // stem of the official archive with all files, or ""
  std::string archive_folder{};      // folder inside the archive
  std::string page{};                // where the set is published
  std::vector<std::string> links{};  // downloads on that page; together they make the set
  std::string debian_package{}, npm_package{};
  std::string terms{};

  bool built_in() const { return form == Form::built_in; }
  bool has_images() const { return form != Form::built_in && form != Form::libsvm; }
};

const std::vector<DataSet>& catalogue();
const DataSet* data_set_named(const std::string& name);  // nullptr if unknown
std::vector<std::string> set_names(bool with_images);    // of images, or of all other sets

struct DataFiles {
  std::string train;   // absolute; "" for a built-in data set
  std::string test;    // "" if there is none
  std::string notice;  // a note about the choice, or ""
};

// Resolves the name of a LIBSVM data set (as find_set does) or a path, relative to the current directory or
// else to `base_directory`. Throws Error with the places searched.
DataFiles find_data(const std::string& name_or_path, const std::string& base_directory = "");

struct FoundFile {
  const DataFile* file;
  std::string path;  // absolute; that of the archive if the file is inside one
  bool archived = false;
};

struct FoundSet {
  std::string directory;  // "" if nothing was found
  std::vector<FoundFile>
      files;              // in the catalogue's order; a substitute only if its upstream file is missing
  bool complete = false;  // every upstream file was found

  const FoundFile* with_name(const std::string& name) const;
};

// Searches DIR/NAME, then DIR, for each DIR in data_directories(), for the upstream file names, plain or
// compressed, or the official archive. Takes the first place with all training files, else the first with one
// of them.
FoundSet find_set(const DataSet& set);
FoundSet find_set_in(const std::string& directory, const DataSet& set);

// $DOC2S_DATA (colon-separated), $XDG_DATA_HOME/doc2s or ~/.local/share/doc2s, and Debian's
// /usr/share/datasets.
std::vector<std::string> data_directories();
[[noreturn]] void throw_not_found(const DataSet& set);

}  // namespace doc2s
