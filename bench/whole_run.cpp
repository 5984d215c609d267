// SPDX-License-Identifier: Apache-2.0
#include "whole_run.hpp"

#include <cmath>

namespace doc2s::bench {

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference += (a[k] - b[k]) * (a[k] - b[k]);
    size += b[k] * b[k];
  }
  return std::sqrt(difference / size);
}

}  // namespace doc2s::bench
