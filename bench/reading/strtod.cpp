#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "competitors.hpp"

namespace doc2s::bench {

Samples read_by_strtod(const std::string& path) {
  Samples samples;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    char* at = line.data();
    samples.labels.push_back(std::strtod(at, &at));
    while (*at == ' ') {
      const long index = std::strtol(at, &at, 10);
      samples.columns.push_back(static_cast<std::int32_t>(index - 1));
      samples.values.push_back(std::strtod(at + 1, &at));
      samples.dimension = std::max<Index>(samples.dimension, index);
    }
    samples.offsets.push_back(static_cast<Index>(samples.columns.size()));
  }
  return samples;
}

}  // namespace doc2s::bench
