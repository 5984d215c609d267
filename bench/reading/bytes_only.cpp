// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "competitors.hpp"

namespace doc2s::bench {

std::size_t read_bytes_only(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<char> buffer(std::size_t{1} << 18);
  std::size_t total = 0;
  for (ssize_t got = 0; (got = read(file, buffer.data(), buffer.size())) > 0;)
    total += static_cast<std::size_t>(got);
  close(file);
  return total;
}

}  // namespace doc2s::bench
