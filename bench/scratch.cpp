// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"

#include <cstdlib>
#include <fstream>

#include "doc2s/base/error.hpp"

namespace doc2s::bench {

Scratch::Scratch() {
  const char* chosen = std::getenv("TMPDIR");
  const std::string parent = chosen && *chosen ? chosen : "/tmp";
  std::string name = parent + "/doc2s-bench-XXXXXX";
  if (!mkdtemp(name.data()))
    throw Error("no folder for the bench's own files can be made", parent,
                "set TMPDIR to a folder that can be written to");
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code stays;
  std::filesystem::remove_all(folder_, stays);
}

void Scratch::write(const std::string& name, std::string_view bytes) const {
  std::ofstream file(folder_ / name, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush())
    throw MachineError("the bench's own file cannot be written", path(name),
                       "set TMPDIR to a folder with more room");
}

}  // namespace doc2s::bench
